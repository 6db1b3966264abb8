"""A question with one answer is skipped, unless the skip would tell what others may not see: then it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from tests.language.tiny import check

GAME = """\
game: skips
language: 2
title: Skips
seats: 2
units: {{coin: {{}}}}
pieces:
  gem: {{in: box, sorts: [red, green], count: 20}}
rules: |
  seat:
      zone hand of gem, hidden from others
      zone vault of gem, hidden from others, uncounted
      purse cash: coin, hidden from others
      zone open of gem
  table:
      purse bank: coin, unlimited
      zone box of gem
      zone deck of gem, face down
      counter round: 0 .. 9
  setup:
      for each s in seats: move 2 green from box to s.hand
  play:
      as seat(1):
{play}
      as seat(1): wait
  procedure wait:
      menu waiting:
          option go "Go on": nothing
          option stay "Stay": nothing
  procedure nothing_more: nothing
{rules}
  scoring:
      score for each seat: score "Red" count of red in my.hand
"""

ONE = "menu taking{words}:\n    option take{take}\n    option rest: nothing"


def first_question(folder: Path, play: str, rules: str = "") -> list[str]:
    text = GAME.format(play=_indented(play, 10), rules=_indented(rules, 2))
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    decision = ichiba.load(folder, trust=True).start(seed=1).decision
    assert decision is not None
    return decision.keys()


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in text.splitlines())


def taking(take: str, words: str = "") -> str:
    return ONE.format(take=take, words=words)


OPEN_TO_ALL = {
    "the size of a face-down zone": taking(" when deck is not empty: draw 1 gem from deck to my.hand"),
    "the size of another's hand": taking(" when count of seat(2).hand > 2: nothing"),
    "the size of one's own hand": taking(" when count of my.hand > 2: nothing"),
    "that none lie there": taking(" when my.hand is empty: nothing"),
    "a size behind a name": "let n = count of my.hand\n" + taking(" when n > 2: nothing"),
    "a size behind a guard": taking(" when many(me): nothing"),
    "an open zone": taking(" when red in my.open: nothing"),
    "open pieces": taking(" for g in my.open: nothing"),
    "what a body does with hidden pieces and cannot fail": taking(
        " when round > 0:\n        if red in my.hand: raise round by 1"
    ),
    "what comes after chance": taking(" when round > 0:\n        draw 1 gem from deck to my.hand\n        if red in my.hand: raise round by 1"),
    "an offer whose size is open": 'may extra "More?" when deck is not empty: nothing',
}

TELLS = {
    "which pieces lie there": taking(" when red in my.hand: nothing"),
    "how many of a sort": taking(" when count of red in my.hand > 0: nothing"),
    "the pieces as answers": taking(" for g in my.hand where g is red: nothing"),
    "a cost in hidden money": taking(" costs 1 coin: nothing"),
    "a cost in hidden pieces": taking(" costs 1 red from my.hand to box: nothing"),
    "what stands behind a name": "let n = count of red in my.hand\n" + taking(" when n > 0: nothing"),
    "what stands behind two names": "let n = count of red in my.hand\nlet m = n + 0\n" + taking(" when m > 0: nothing"),
    "what stands behind a guard": taking(" when has_red(me): nothing"),
    "what a procedure is given": "offer(count of red in my.hand)",
    "what a procedure gives": "let n = reds\n" + taking(" when n > 0: nothing"),
    "what the body requires": taking(':\n        require red in my.hand, else "no red"'),
    "what the body requires behind a name": taking(':\n        let n = count of red in my.hand\n        require n > 0, else "no red"'),
    "what a procedure in the body requires": taking(": show"),
    "what is chosen in the body": taking(":\n        choose g in my.hand where g is red: move g to my.open"),
    "what is paid in the body": taking(":\n        me pays 1 coin to bank"),
    "a condition on the way to a requirement": taking(
        ':\n        if red in my.hand: nothing\n        else: require round > 0, else "too early"'
    ),
    "how many lie in an uncounted zone": taking(" when my.vault is not empty: nothing"),
    "an offer that hangs on a hand": 'may extra "More?" when red in my.hand: nothing',
}  # fmt: skip

RULES = """\
guard many(s: seat) "not many": count of s.hand > 2
guard has_red(s: seat) "no red": red in s.hand
procedure offer(n: number):
    menu taking:
        option take when n > 0: nothing
        option rest: nothing
procedure reds -> n: number: give count of red in my.hand
procedure show: require red in my.hand, else "no red"
"""


@pytest.mark.parametrize("what", OPEN_TO_ALL)
def test_what_hangs_on_what_all_may_see_is_skipped(what: str, tmp_path: Path) -> None:
    assert first_question(tmp_path, OPEN_TO_ALL[what], RULES) == ["go", "stay"]


@pytest.mark.parametrize("what", TELLS)
def test_what_hangs_on_what_others_may_not_see_is_asked(what: str, tmp_path: Path) -> None:
    assert first_question(tmp_path, TELLS[what], RULES) in (["rest"], ["extra/decline"])


@pytest.mark.parametrize("what", TELLS)
def test_only_with_a_choice_it_is_skipped_even_so(what: str, tmp_path: Path) -> None:
    play = TELLS[what].replace("menu taking:", "menu taking, only with a choice:").replace('"More?" when', '"More?", only with a choice when')
    rules = RULES.replace("menu taking:", "menu taking, only with a choice:")
    assert first_question(tmp_path, play, rules) == ["go", "stay"]


def test_with_two_answers_it_is_asked_whatever_it_says(tmp_path: Path) -> None:
    play = taking(" when green in my.hand: nothing", ", only with a choice")
    assert first_question(tmp_path, play) == ["take", "rest"]


def test_uncounted_is_said_of_hidden_zones_only(tmp_path: Path) -> None:
    check(tmp_path, """
seat:
    zone box of gem, hidden from others, uncounted
    zone till of gem, face down, uncounted
    zone shelf of gem, uncounted                        ### E302: hidden from others, uncounted
    counter fame: 0 .. 9, hidden from others, uncounted ### E508: cannot be `uncounted`
""")  # fmt: skip


def test_how_many_lie_in_an_uncounted_zone_nobody_else_sees(tmp_path: Path) -> None:
    text = GAME.format(play=" " * 10 + "move 2 green from box to my.vault\n" + " " * 10 + "move 1 green from box to seat(2).vault", rules="")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    table = ichiba.load(tmp_path, trust=True).start(seed=1)
    vaults = {seat: [table.view(seat)["seats"][str(owner)]["vault"] for owner in (1, 2)] for seat in (None, 1, 2)}  # type: ignore[index]
    assert vaults == {None: ["hidden", "hidden"], 1: [{"green": 2}, "hidden"], 2: ["hidden", {"green": 1}]}
    imagined = table.imagine(1, 3)
    assert imagined.view(1) == table.view(1)


def test_how_many_lie_in_an_uncounted_zone_may_not_be_asked_for(tmp_path: Path) -> None:
    text = GAME.format(play=_indented(taking(" when count of seat(2).vault > 0: nothing"), 10), rules="")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ichiba.RulesetFaults, match="E521"):
        ichiba.load(tmp_path, trust=True)
