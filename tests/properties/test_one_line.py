"""Whatever somebody prints while looking for something is one line: nobody waits for the whole of a game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Source, Span
from ichiba.interpreter.run.decisions import IllegalMove
from ichiba.interpreter.runtime.runtime import RuleFault

LONGEST = 160


def things_near(found: object, name: str, steps: int) -> Iterator[tuple[str, object]]:
    """This, and what one comes to from here along plain attributes: all that is the project's own."""
    yield name, found
    slots = [slot for kind in type(found).__mro__ for slot in getattr(kind, "__slots__", ())]
    for attribute in dict.fromkeys((*getattr(found, "__dict__", ()), *slots)) if steps else ():
        part = getattr(found, attribute, None)
        if type(part).__module__.startswith("ichiba."):
            yield from things_near(part, f"{name}.{attribute}", steps - 1)


def named(game: ichiba.Game) -> Iterator[tuple[str, object]]:
    table = game.start(seed=1)
    decision = table.decision
    assert decision is not None
    faults = Faults()
    faults.add("E205", Span(Source("play.rules", "one\ntwo\n" * 50), 4, 7), "no zone\nis called so")
    whole = ichiba.RulesetFaults(faults.all)
    yield from things_near(game, "game", 2)
    yield from things_near(table, "table", 2)
    yield from things_near(decision, "decision", 2)
    yield from things_near(decision.options[0], "option", 1)
    yield from [("faults", whole), ("fault", faults.all[0]), ("illegal", IllegalMove("no")), ("rule", RuleFault("no"))]


@pytest.mark.parametrize("name", ["no_thanks", "tsukiji", "shinjuku", "tokyo_tsukiji_market"])
def test_what_is_printed_of_a_game_is_one_line(name: str) -> None:
    long = {place: repr(found) for place, found in named(ichiba.load(name, seats=3)) if not short(repr(found))}
    assert long == {}


def short(text: str) -> bool:
    return len(text) <= LONGEST and "\n" not in text


def test_it_says_what_it_is() -> None:
    game = ichiba.load("tokyo_tsukiji_market", seats=3, modules=["expansion"])
    table = ichiba.load("no_thanks", seats=3).start(seed=1)
    assert repr(game) == "Game('tokyo_tsukiji_market', 3 seats, with expansion)"
    assert repr(table) == "Table('no_thanks', seed=1, 0 answers, at 'answer')"
    while table.codes:
        table.step(0)
    assert repr(table).endswith(", over)")
