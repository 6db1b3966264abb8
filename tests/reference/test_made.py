"""Small rulesets made by chance, in lock-step: what `check` passes is played as it is read."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.native import compiler as native
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.conftest import Tally
from tests.reference.generated import made
from tests.reference.lockstep import LockStep

ALL = 5_000
AT_ONCE = 50

# Each of these was played otherwise than it was read, or could not be read at all: which purse a cost is paid out of, what is seen
# of a draw, where a menu leads that has only free actions, what a fixed set comes to; and more of the same.
ONCE_DIFFERENT = (16, 50, 54, 59, 63, 72, 74, 1082)

SENTENCES = (
    "kind stall is spot", "is inn", "row(north)", "pile(left)", "marks(left)", "vow(seat(2))", "noting used", "left_at", "whenever",
    "once each", "at the end of", "instead of pay_out", "before actions.deal", "secretly:", "reveal my.hand", "choose some", "as seat(",
    "at random", "window free", "once per turn", "costs fare(", "restrict option", "replace procedure", "replace guard", "replace option",
    "replace cost", "add to menu visit of market", "add to kind boat", "change zone", "add to scoring", "tie: random", "leave turn",
    "replace value fee_for", "let n, s = deal(me)", ", ordered", "refills from heap", "menu m.visit", "roll ", "pick ", " as x",
    "prized of n green for s", "replace value prized of", "replace ranking", "take turns from", "end as rich", "costs m.entry",
    "by send_home", "even into debt", "showing aged", "crate of north", ".owner.tickets", "far(x", "edges_at(", "tie: me chooses",
    "shortest way", "cheapest way", "connected to", "cheapest steps", "shortest steps",
    "others_from(", "seats_from(", "with highest", "with lowest", "keyed by", "only with a choice", "no windows",
    "windows after the first", "shuffle dock", "draw 1 boat", "worth at least", "all different by", "in steps of", "reveal bag",
    "reveal seat.mood", "uncounted", "paid_for: ", "rent(", "bonus(", "power(2", "abs(", "(-min(", "from $0 to", " step 2", "flag x",
    "one of calm or wild", "weigh(", "spread(", "before scoring", "instead of turn", "policy keen", "lying_by(", "mates(me)",
    "m.welcome", " and 1 hour", "hoard", "change zone table.dock", "board.stock", "else if ", "chooses x", ' key "',
    "taste(", "length(", "slip(red, left)", "left_green", ".goal is ", " to answer x", "= wager(", "from pot to", "costs limit red", "taken(my.luck)",
    "used: flag, resets", "dock: forgets everything but used", "who: ", ": as x", "heap_of(g: ", "fare(n: 2)", "/*\" nearest ",
    "let fair = ", '?" key "best"',
)  # fmt: skip


def load(seed: int, folder: Path) -> ichiba.Game:
    ruleset = made(seed)
    for path, text in ruleset.files.items():
        (folder / str(seed) / "made" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / str(seed) / "made" / path).write_text(text, encoding="utf-8")
    seats, folder = 2 + seed % 2, folder / str(seed) / "made"
    config = ruleset.modules, ruleset.variants, ruleset.options
    return ichiba.load(folder, seats, modules=config[0], variants=config[1], options=config[2], trust=True)


def played(seed: int, folder: Path, tally: Tally) -> None:
    """Two games of it by chance and one as its policy would rather, and one more in machine code; unless there is something
    wrong with it. What is a fault in play is one for both."""
    try:
        game = load(seed, folder)
    except ichiba.RulesetFaults:
        tally(refused=1)
        return
    for number, player in enumerate((None, None, "keen")):
        game_of(game, number, player, tally)
    if shutil.which("cc") is not None:
        native.compile_game(game)
        game_of(game, 3, None, tally)
        tally(in_machine_code=1)
    tally(rulesets=1)


def game_of(game: ichiba.Game, number: int, player: str | None, tally: Tally) -> None:
    try:
        steps = LockStep(game, number, player)
        tally(games=1, decisions=steps.play(40 if player is None else 20, 4))
    except RuleFault:
        tally(games=1, broken_off=1)


@pytest.fixture(autouse=True)
def compiled_in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is played once: it is quicker to leave the C as it is, but for one in forty, and nothing of it is kept."""
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    as_usual, one_after_another = native.compiled, count()

    def compiled(text: str, made: Path) -> Path:
        if next(one_after_another) % 40 == 0:
            return as_usual(text, made)
        return as_usual(text, made, ("-O0", *(flag for flag in native.FLAGS if not flag.startswith("-O"))))

    monkeypatch.setattr(native, "compiled", compiled)


@pytest.mark.parametrize("seed", ONCE_DIFFERENT)
def test_a_ruleset_made_by_chance_is_played_as_it_is_read(seed: int, tmp_path: Path, tally: Tally) -> None:
    played(seed, tmp_path, tally)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, ALL, AT_ONCE))
def test_many_rulesets_made_by_chance_are_played_as_they_are_read(first: int, tmp_path: Path, tally: Tally) -> None:
    for seed in range(first, first + AT_ONCE):
        try:
            played(seed, tmp_path, tally)
        except Exception as fault:
            raise AssertionError(f"the ruleset of seed {seed}: {fault}") from fault


@pytest.mark.parametrize("seed", range(0, 300, 60))
def test_it_is_the_same_ruleset_every_time(seed: int) -> None:
    assert made(seed) == made(seed) != made(seed + 1)


def test_whatever_may_stand_somewhere_stands_there_sometime() -> None:
    rulesets = [made(seed) for seed in range(220)]
    texts = ["\n".join(ruleset.files.values()) for ruleset in rulesets]
    assert [sentence for sentence in SENTENCES if not any(sentence in text for text in texts)] == []
    assert {ruleset.modules for ruleset in rulesets} == {(), ("rain",), ("rain", "snow")}
    assert {ruleset.variants for ruleset in rulesets} == {(), ("quickly",)}
