"""Whether a question with one answer is asked: what its options hang on is read alike by the engine and by the reference.

Of each: what the only option of a menu does, what stands beside it, and whether it hangs on the hidden hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from tests.reference.lockstep import LockStep
from tests.validator.small import RULES, ruleset

TURN = """\
procedure turn:
    menu actions, no windows:
        option go:
            {body}
    else: nothing
    choose x from 0 to 1 "?"

table:
    counter seen: 0 .. 9

"""
HANGS = "require red in my.hand or seen = 0"
SHUT = "require seen = 0"
FREE = "window free:\n    option tip for g in my.hand where g is red: gain $1\n"
FREE_ELSEWHERE = "procedure late:\n    menu n:\n        option b: nothing\n\n" + FREE.replace("free:", "free during late:")
FREE_WHEN = "window free when no red in my.hand:\n    option tip: gain $1\n"
WAYS = {
    "a rule before": ("p", f"procedure p: nothing\n\nrule r, before p: {HANGS}", True),
    "when a rule before holds": ("p", f"procedure p: nothing\n\nrule r, before p when red in my.hand: {SHUT}", True),
    "for whom a rule stands": ("p", f"procedure p: nothing\n\nrule r for each g in my.hand, after p: {SHUT}", True),
    "a rule instead": ("p", f"procedure p: nothing\n\nrule r, instead of p: {HANGS}", True),
    "a rule wholly instead": ("p", f"procedure p: {HANGS}\n\nrule r, instead of p: nothing", False),
    "a rule instead, sometimes": ("p", f"procedure p: {HANGS}\n\nrule r, instead of p when seen > 5: nothing", True),
    "when a rule stands instead": ("p", f"procedure p: {SHUT}\n\nrule r, instead of p when red in my.hand: nothing", True),
    "whether the original is done": ("p", f"procedure p: {SHUT}\n\nrule r, instead of p:\n    if red in my.hand: original", True),
    "what is replaced": ("p", f"procedure p: {HANGS}\n\nreplace procedure p: nothing", False),
    "what is replaced, and done": ("p", f"procedure p: {HANGS}\n\nreplace procedure p: original", True),
    "a value that is replaced": ("require v", "value v -> flag: red in my.hand\n\nreplace value v -> flag: seen = 0", False),
    "when a rule before the option holds": ("nothing", f"rule r, before actions.go when red in my.hand: {SHUT}", True),
    "for whom a rule after the option stands": ("nothing", f"rule r for each g in my.hand, after actions.go: {SHUT}", True),
    "when a rule stands instead of the option": (SHUT, "rule r, instead of actions.go when red in my.hand: nothing", True),
    "a rule wholly instead of the option": (HANGS, "rule r, instead of actions.go: nothing", False),
    "a rule instead of the option, and it": (HANGS, "rule r, instead of actions.go: original", True),
    "when a restriction holds": ("nothing", f'restrict option actions.go when red in my.hand:\n    {SHUT}, else "no"', True),
    "what a memory begins with": (f"remember k: number = count of (red in my.hand)\n            if k > 7: {SHUT}", "", True),
    "what a memory is set to": (f"remember k: number\n            set k to count of (red in my.hand)\n            if k > 7: {SHUT}", "", True),
    "what a memory is raised by": (f"remember k: number\n            raise k by count of (red in my.hand)\n            if k > 7: {SHUT}", "", True),
    "a memory of something else": (f"remember k: number = 2\n            raise k by count of my.hand\n            if k > 7: {SHUT}", "", False),
    "a menu elsewhere": ("menu m", "menu m:\n    option a when red in my.hand or seen = 0: nothing", True),
    "a menu elsewhere, restricted": ("menu m", f'menu m:\n    option a: nothing\n\nrestrict option m.a:\n    {HANGS}, else "no"', True),
    "a free action in a menu elsewhere": ("menu m", f"menu m:\n    option a costs $1: nothing\n\n{FREE}", True),
    "a free action in a menu without free actions": ("menu m, no windows", f"menu m:\n    option a costs $1: nothing\n\n{FREE}", False),
    "a free action of what is not running": ("menu m", f"menu m:\n    option a costs $1: nothing\n\n{FREE_ELSEWHERE}", False),
    "a free action while something holds": ("menu m", f"menu m:\n    option a costs $1: nothing\n\n{FREE_WHEN}", True),
}  # fmt: skip


@pytest.mark.parametrize(("body", "beside", "asked"), WAYS.values(), ids=WAYS)
def test_what_hangs_on_a_hidden_hand_is_asked(body: str, beside: str, asked: bool, tmp_path: Path) -> None:
    beside = beside.replace("menu m:\n", "add to menu m:\n")
    turn = TURN.format(body=body) + beside + "\n\n"
    rules = RULES[: RULES.index("procedure turn:\n")] + turn + RULES[RULES.index("scoring:") :]
    game = ichiba.load(ruleset(tmp_path, {"play.rules": rules}), trust=True)
    decision = game.start(seed=1).decision
    assert decision is not None and decision.keys() == (["go"] if asked else ["x/0", "x/1"])
    for seed in range(3):
        LockStep(game, seed).play(40)


@pytest.mark.parametrize(("many", "asked"), [("1", False), ("1 + count of red in my.hand * 0", True)])
def test_a_name_of_its_own_is_no_other_that_is_called_so(many: str, asked: bool, tmp_path: Path) -> None:
    """`s` is also what somebody is given back elsewhere in the rule, which hangs on the hand: so the reference always asked."""
    best = f"    let w = the s in (x in seats where x is me) with highest {many} + number(s.cash), tie: me chooses\n"
    turn = TURN.format(body="let s = next_of(me)\n            raise seen by position of s")
    turn = turn.replace("procedure turn:\n", "procedure turn:\n" + best)
    turn += "procedure next_of(who: seat) -> whom: seat:\n    if red in who.hand: give who\n    give next_seat(who)\n\n"
    rules = RULES[: RULES.index("procedure turn:\n")] + turn + RULES[RULES.index("scoring:") :]
    game = ichiba.load(ruleset(tmp_path, {"play.rules": rules}), trust=True)
    decision = game.start(seed=1).decision
    assert decision is not None and (decision.keys() == ["tie/1"]) == asked
    for seed in range(3):
        LockStep(game, seed).play(40)
