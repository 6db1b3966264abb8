"""What `check` says of rules that would tell a hidden hand: by words, keys, options and their order, prices, ranges, windows, races,
patterns and policies. What rules do in the open with it (a counter that they set) is theirs to decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.table.checking import check
from tests.properties.whispers import GAME, RULES

ACES = "aces(seat(2))"
PASS, TURN, BIDS = '"Pass": nothing', "procedure turn:", "        bidding\n"
RACE = "        first s in seats to answer cry:\n            option hey {}: nothing\n        else: nothing\n"
FAR = "procedure far: require {} < 5, else \"no\"\n\nprocedure rest:\n    menu x:\n        option y: nothing"
TELLING = {
    "a label": (PASS, f'"Pass {{{ACES}}}": nothing', "E522"),
    "a question": ('"What do you do?"', f'"Do {{{ACES}}}?"', "E522"),
    "a key": (PASS, f'"Pass" keyed by {ACES}: nothing', "E522"),
    "a key once per turn": (PASS, f'"Pass" for k in 0 .. 1 once per turn keyed by {ACES}, k: nothing', "E522"),
    "the order of options": ("for s in others:", "for s in (t in others by highest aces(t)):", "E521"),
    "how many options there are": ("for s in others:", f"for s in others, k in 0 .. {ACES}:", "E521"),
    "an option that is not offered": (PASS, f'"Pass" when {ACES} > 1: nothing', "E521"),
    "a requirement": (PASS, f'"Pass":\n            require {ACES} > 1, else "no"', "E521"),
    "a requirement far away": (PASS, f'"Pass": far\n\n{FAR.format(ACES)}', "E521"),
    "the reason of a refusal": (PASS, f'"Pass":\n            require round > 1, else "they have {{{ACES}}}"', "E522"),
    "a price": (PASS, f'"Pass" costs {ACES} * 1 coin to bank: nothing', "E521"),
    "a range": ("min(2 coin, my.coins)", f"min(2 coin, {ACES} * 1 coin)", "E521"),
    "a line of the log": (BIDS, BIDS + f'        tell "{{{ACES}}} aces"\n', "E522"),
    "a line for one seat": (BIDS, BIDS + f'        tell "{{{ACES}}} aces" to seat(1)\n', "E522"),
    "who hears a line": (BIDS, BIDS + '        tell "hello" to (s in seats where aces(s) > 0)\n', "E522"),
    "an option of a race": (BIDS, BIDS + RACE.format("when aces(foe(s)) > 0"), "E521"),
    "how many answers a race has": (BIDS, BIDS + RACE.format("for k in 0 .. aces(foe(s))"), "E521"),
    "a window": (TURN, f"window w during turn when {ACES} > 1:\n    option odd: nothing\n\n{TURN}", "E521"),
    "a yes or no": (BIDS, BIDS + f'        as seat(1):\n            may more "More?" when {ACES} > 0: nothing\n', "E521"),
    "a choice among some": (
        BIDS,
        BIDS + '        as seat(1):\n            choose x in (t in others where aces(t) > 0) "Who?": nothing\n            else: nothing\n',
        "E521",
    ),
    "a lot of somebody else's": (
        BIDS, BIDS + '        as seat(1):\n            choose some lot from seat(2).hand "Which?": nothing\n            else: nothing\n', "E521",
    ),
    "a pattern's label": (
        TURN,
        f'pattern q(n: number):\n    window q during turn:\n        option odd "Odd {{n}}": nothing\nuse q(n: {ACES}) as leaky\n\n{TURN}',
        "E522",
    ),
    "a policy's condition": (TURN, f'policy odd:\n    prefer "pass" when {ACES} > 1\n\n{TURN}', "E532"),
    "a policy's name": (TURN, f'policy odd:\n    let x = {ACES}\n    prefer "pass" by x\n\n{TURN}', "E532"),
    "what is nearest for a policy": (TURN, f'policy odd:\n    prefer "bid/*" nearest {ACES}\n\n{TURN}', "E532"),
    "an outlook that a policy asks": (
        TURN, f'value outlook(s: seat) -> number: aces(s)\n\npolicy odd:\n    prefer "pass" by outlook(foe(me))\n\n{TURN}', "E532",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "code"), TELLING.values(), ids=TELLING)
def test_whatever_would_tell_a_hidden_hand_is_refused(old: str, new: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    assert RULES.count(old) == 1
    home = tmp_path / "whispers"
    home.mkdir()
    (home / "game.yaml").write_text(GAME, encoding="utf-8")
    (home / "whispers.rules").write_text(RULES.replace(old, new), encoding="utf-8")
    assert code in {fault.code for fault in check(home, quick=True, jobs=1).faults}
