"""A saved game played again with other rules than it was played with: by the keys of its answers, and held to how things stood."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ichiba.dsl.faults.fault import LONG, echoed
from ichiba.interpreter.run.decisions import Decision, IllegalMove
from ichiba.interpreter.runtime.chance import Told
from ichiba.interpreter.runtime.runtime import RuleFault, Unmet
from ichiba.interpreter.saves.saved import Played, Saved, SaveFault

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

SHOWN = 3  # differences that are told
FAILING = (RuleFault, Unmet, Told, ArithmeticError, LookupError, TypeError, ValueError, RecursionError)

_Named = dict[str, object]


@dataclass(frozen=True, slots=True)
class Again:
    """How far a saved game could be played again, and how it stands there."""

    table: Table
    given: int  # so many answers
    whole: int  # of so many
    why: str = ""  # the next one could not be given
    offered: int = 0  # the first answer of which there were more or fewer to choose from; 0: none
    differs: tuple[str, ...] = ()  # what stands otherwise than it was saved

    @property
    def same(self) -> bool:
        return not self.why and not self.differs

    @property
    def words(self) -> str:
        """Why it is not the same game, in a sentence."""
        if self.why:
            return self.why
        more = len(self.differs) - SHOWN
        told = ", ".join(self.differs[:SHOWN]) + (f" and {more} more" if more > 0 else "")
        since = f" (from answer {self.offered} on other answers could be given)" if self.offered else ""
        return f"all {self.whole} answers can be given, but they lead elsewhere: {told}{since}"


def spelled(table: Table) -> Iterator[Played]:
    """The answers of a game in words: who, to which question, which, and of how many."""
    from ichiba.interpreter.saves.records import replayed

    new = replayed(table, [])
    for seat, code in table.history:
        decision = _asked(new, seat)
        yield Played(decision.seat, decision.question, decision.key_of(code), len(decision.codes))
        new.play(decision.key_of(code), decision.seat)


def _asked(table: Table, seat: int) -> Decision:
    pending = table.pending
    return next((one for one in pending if one.seat_index == seat), pending[0])


def facts_of(table: Table) -> dict[str, object]:
    """How everything stands, by name, hidden or not."""
    from ichiba.interpreter.sight.views import Everything

    view = Everything(table, None).view(log=False)
    found = {f"table.{name}": value for name, value in cast(_Named, view["table"]).items()}
    for part in ("seats", "things"):
        for owner, own in cast(_Named, view[part]).items():
            found |= {f"{part}.{owner}.{name}": value for name, value in cast(_Named, own).items()}
    return cast("dict[str, object]", json.loads(json.dumps(found)))


def play_again(game: Game, saved: Saved, name: str) -> Again:
    """As many of the answers as can be given, each by who gave it to the question it was an answer to. Raises `SaveFault` where it does
    not even begin as it is told."""
    try:
        table = game.start(saved.seed, saved.chance)
    except FAILING as fault:
        raise SaveFault(f"{name} cannot be begun again: {echoed(str(fault), 200)}") from None
    return _given_again(table, saved.played, saved.facts)


def play_on(game: Game, table: Table) -> Again:
    """The same of a game that is being played: `game` has the rules as they are now."""
    return _given_again(game.start(table.seed, table.script), tuple(spelled(table)), facts_of(table))


def _given_again(table: Table, played: Sequence[Played], facts: Mapping[str, object]) -> Again:
    offered = 0
    for number, one in enumerate(played, 1):
        try:
            decision = _same_question(table, one)
            if len(decision.codes) != one.offered and not offered:
                offered = number
            table.play(one.key, one.seat)
        except IllegalMove as refused:
            return Again(table, number - 1, len(played), f"at answer {number}, {echoed(str(refused), LONG)}", offered)
        except FAILING as fault:
            return Again(table, number - 1, len(played), f"at answer {number}, {echoed(str(fault), 200)}", offered)
    return Again(table, len(played), len(played), "", offered, tuple(_differences(facts, facts_of(table))))


def _same_question(table: Table, one: Played) -> Decision:
    """The question that is asked now. Raises `IllegalMove` if it is another one, or of somebody else."""
    pending = table.pending
    if not pending:
        raise IllegalMove("the game is over")
    mine = [decision for decision in pending if decision.seat == one.seat]
    if not mine:
        raise IllegalMove(f"seat {pending[0].seat} is asked (`{pending[0].question}`), where seat {one.seat} gave an answer")
    if mine[0].question != one.question:
        raise IllegalMove(f"seat {one.seat} is asked `{mine[0].question}`, where it answered `{one.question}`")
    return mine[0]


def _differences(was: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    """What both name, and stands otherwise. Where they name nothing in common nobody knows how it stood."""
    if not was.keys() & now.keys():
        yield "it does not say how anything stood that there is here"
    for name in (name for name in was if name in now and not _alike(was[name], now[name])):
        yield f"{echoed(name)} was {_shown(was[name])} and is {_shown(now[name])}"


def _alike(was: object, now: object) -> bool:
    """Of what is not there as much as of what is nothing."""
    if isinstance(was, dict) and isinstance(now, dict):
        return all(_alike(was.get(name), now.get(name)) for name in {*was, *now})
    return was == now or not was and not now


def _shown(value: object) -> str:
    return echoed("nothing" if not value and value != 0 else json.dumps(value, ensure_ascii=False))


__all__ = ["Again", "facts_of", "play_again", "play_on", "spelled"]
