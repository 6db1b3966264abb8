# ruff: noqa: E501 -- each leak stands in a line
"""Every way in which a question tells something: what its reader may not see is a fault, wherever it would be told."""

from pathlib import Path

import pytest

from ichiba.dsl.world.world import Config
from tests.validator.small import judged

TURN = "procedure turn:\n    menu actions:\n"
REST = "        option rest: nothing\n"
RED = "value reds(s: seat) -> number: count of red in s.hand\n"
HOLDS = "guard holds(s: seat) \"{s} has {count of red in s.hand} red\": round > 2\n"

LEAKS = {
    "the question of a menu": ("E522", TURN + '        "The other has {count of red in seat(2).hand} red."\n' + REST),
    "the question of a choice": ("E522", 'procedure turn:\n    choose n from 1 to 2 "Red: {count of red in next_seat(me).hand}"\n'),
    "the question of a choice of several": ("E522", 'procedure turn:\n    choose some lot from my.hand "Bag: {count of red in bag}"\n'),
    "the question of an offer": ("E522", 'procedure turn:\n    may dig "Is there red? {count of red in bag}": nothing\n'),
    "the words of an option": ("E522", TURN + '        option rob "{s} has {reds(s)}" for s in others: nothing\n' + REST + RED),
    "the words of done": ("E522", 'procedure turn:\n    menu actions until done, done "Leave {count of red in bag}", while round < 2:\n' + REST),
    "the key of an option": ("E522", TURN + "        option rob for s in others keyed by count of red in s.hand: nothing\n" + REST),
    "a key by way of a value": ("E522", TURN + "        option rob for s in others keyed by reds(s): nothing\n" + REST + RED),
    "a key that tells others of one's own": ("E522", TURN + "        option show for n in 1 .. 2 keyed by n + count of red in my.hand: nothing\n" + REST),
    "the reason of a guard": ("E522", TURN + "        option rob for s in others when holds(s): nothing\n" + REST + HOLDS),
    "the reason of a requirement": ("E522", TURN + '        option rob for s in others:\n            require round > 2, else "{count of red in s.hand} red"\n' + REST),
    "the number in a reason": ("E522", TURN + '        option dig:\n            require round < 9, else "{highest of (reds(s) for s in others)} red"\n' + REST + RED),
    "the reason of a guard behind a guard": ("E522", TURN + "        option rob for s in others when may_rob(s): nothing\n" + REST + "guard may_rob(s: seat): holds(s) and round > 1\n" + HOLDS),
    "the reason of a guard of what it ranges over": ("E522", TURN + "        option rob for s in others where holds(s): nothing\n" + REST + HOLDS),
    "whether an option is there": ("E521", TURN + "        option rob for s in others when red in s.hand: nothing\n" + REST),
    "what an option ranges over": ("E521", TURN + "        option rob for g in next_seat(me).hand: nothing\n" + REST),
    "where `done` is there": ("E521", 'procedure turn:\n    menu actions until done, done "Leave" when red in bag, while round < 2:\n' + REST),
    "whether an offer is there": ("E521", 'procedure turn:\n    may dig "Dig?" when red in bag: nothing\n'),
    "what a cost comes to": ("E521", TURN + "        option dig costs (count of red in bag) * 1 coin: nothing\n" + REST),
    "how far a number goes": ("E521", 'procedure turn:\n    choose n from 0 to count of red in bag "How many?"\n'),
    "how many are taken": ("E521", 'procedure turn:\n    choose some lot from my.hand, at least count of red in bag "Which?"\n'),
    "what a lot is measured by": (
        "E521",
        'procedure turn:\n    choose some lot from my.hand, worth at least 1 by worth "Which?"\n'
        "value worth(n: number, g: gem) -> number: n * count of g in bag\n",
    ),
    "who is asked to break a tie": ("E521", "procedure turn:\n    let s = the s in seats with highest count of red in s.hand, tie: me chooses\n    set round to position of s\n"),
    "a window": ("E521", TURN + REST + "window free during turn:\n    option peek when red in bag: nothing\n"),
    "a restriction": ("E521", "# play.rules\n" + TURN + REST + "# modules/m/module.yaml\nmodule: m\n# modules/m/m.rules\nrestrict option actions.rest:\n    require red in bag, else \"no\"\n"),
    "a policy's `when`": ("E532", 'policy p:\n    prefer "rest" when red in next_seat(me).hand\n'),
    "a policy's weight": ("E532", 'policy p:\n    prefer "rest" by count of red in bag\n'),
    "a policy's binders": ("E532", 'policy p:\n    prefer "sell/{g}" for g in next_seat(me).hand\n'),
    "a policy's binders, filtered": ("E532", 'policy p:\n    prefer "{s}" for s in seats where red in s.hand\n'),
    "a policy's value": ("E532", 'policy p:\n    prefer "rest" by highest of (reds(s) for s in others)\n' + RED),
    "a policy's guard": ("E532", 'policy p:\n    prefer "rest" when holds(next_seat(me))\nguard holds(s: seat) "no": red in s.hand\n'),
    "a policy and others' purses": ("E532", 'add to seat:\n    purse till: coin, hidden from others\npolicy p:\n    prefer "rest" when seat(2).till > 3 coins\n'),
    "what others do in the same secret block": (
        "E521",
        "add to seat:\n    counter fame: 0 .. 9\nprocedure turn:\n    each s in seats secretly:\n        menu daring:\n"
        "            option raise when next_seat(s).fame = 0: raise s.fame by 1\n            option rest: nothing\n",
    ),
    "where others move in the same secret block": (
        "E521",
        "add to seat:\n    zone laid of gem\n    zone shelf of gem\nprocedure turn:\n    each s in seats secretly:\n"
        "        choose g in s.shelf where count of next_seat(s).shelf > 1 \"Which?\": move g to s.laid\n        else: nothing\n",
    ),
    "words about others in the same secret block": (
        "E522",
        "add to seat:\n    counter fame: 0 .. 9\nprocedure turn:\n    each s in seats secretly:\n"
        "        choose n from 0 to 3 \"The other has {next_seat(s).fame}\"\n        set s.fame to n\n",
    ),
    "what stands in the open": ("W602", "procedure turn:\n    set round to count of red in my.hand\n"),
}  # fmt: skip


@pytest.mark.parametrize("where", LEAKS)
def test_what_its_reader_may_not_see_is_a_fault(where: str, tmp_path: Path) -> None:
    code, chunk = LEAKS[where]
    config = Config(3, modules=("m",)) if "modules/m" in chunk else Config(3)
    game = judged(tmp_path, chunk, config)
    assert code in game.codes, game.text


SEEN = {
    "a policy and its own hand": 'policy p:\n    prefer "sell/{g}" for g in my.hand by reds(me)\n' + RED,
    "a policy and how many lie there": 'policy p:\n    prefer "rest" when count of next_seat(me).hand > 1 and bag is not empty\n',
    "a key of what is chosen": TURN + "        option show for g in my.hand keyed by g: nothing\n" + REST,
    "one's own doings in a secret block": (
        "add to seat:\n    counter fame: 0 .. 9\nprocedure turn:\n    each s in seats secretly:\n        menu daring:\n"
        "            option raise when s.fame = 0 and round < 9: raise s.fame by 1\n            option rest: nothing\n"
    ),
    "words of one's own hand": TURN + '        option show "You have {count of red in my.hand}": nothing\n' + REST,
}


@pytest.mark.parametrize("what", SEEN)
def test_what_its_reader_may_see_is_none(what: str, tmp_path: Path) -> None:
    game = judged(tmp_path, SEEN[what], Config(3))
    assert game.codes.isdisjoint({"E521", "E522", "E532"}), game.text
