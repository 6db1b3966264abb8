"""How one game went: how everybody stood on the way, what was done, and how each board was used, with what it took and gave.

It is told by a game that is over, played once more with everything told. The same seed gives the same course, however the
game was played.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.interpreter.run.outlook import Outlooks
from ichiba.interpreter.saves.records import Replay
from ichiba.interpreter.saves.teller import Teller
from ichiba.lab.coverage import marked, marks_of
from ichiba.lab.results.subjects import names_of, subjects_of

if TYPE_CHECKING:
    from ichiba.dsl.world.kinds import Kind
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

Row = dict[str, Any]
LOOKS = 40  # how often it is looked at, from the beginning to the end


def course_of(table: Table) -> Row:
    """All that is kept of a game's course, as data."""
    game, history = table.game.keep(Marked, lambda: Marked(marked(table.game))).game, table.history
    uses, marks = Uses(game), marks_of(game)
    marks.seen.clear()
    replay = _begun(game, table, bool(uses.places))
    teller, looks, when, there = replay.teller, [], _marks(len(history)), set[str]()
    for done in range(len(history) + 1):
        if done in when:
            looks.append(_stand(game, replay.state))
            there |= in_play(game, replay.state)
        if done < len(history):
            replay.answer(*history[done])
            teller.catch_up()
    return {
        "answers": sorted(set(when)),
        "stand": _by_seat(game, [look["stand"] for look in looks]),
        "purses": {name: _by_seat(game, [look["purses"][name] for look in looks]) for name in _purses(game)},
        "taken": [list(option) for option in sorted(teller.options_taken)],
        "reached": sorted({number for number, _ in marks.seen}),
        "points": _points(teller.seat_scores),
        "records": _with_buyers(game, teller.rows),
        "boards": _used(uses, teller.items) if uses.places else {},
        "in play": sorted(there),
    }


@dataclass(frozen=True, slots=True)
class Marked:
    """The same game with marks, made once for all its courses."""

    game: Game


def _begun(game: Game, table: Table, effects: bool) -> Replay:
    """The game from its beginning, with everything told."""
    teller = Teller(game, game.chance_words(table.seed), table.script)
    teller.follows = effects
    replay = Replay(game, table.seed, table.script, teller)
    for given in table.given:
        cast(Any, given)(replay)
    teller.catch_up()
    return replay


def _with_buyers(game: Game, rows: Sequence[Row]) -> list[Row]:
    """What was recorded, and of what is recorded of a seat whose it is: `record "price" price for lot, winner`."""
    made = game.keep(Buyers, lambda: Buyers(game))
    return [row | {"whose": whose} if (whose := made.of(row)) is not None else row for row in rows]


class Buyers:
    """Where in what is recorded the seat stands that it is recorded of."""

    def __init__(self, game: Game):
        self.places: dict[str, int] = {}
        for procedure in game.program.procedures:
            for node in walk(procedure.body):
                if isinstance(node, ir.Record):
                    seats = [at for at, part in enumerate(node.of) if part.kind.form == "seat"]
                    if len(seats) == 1:
                        self.places[node.name] = seats[0]

    def of(self, row: Row) -> int | None:
        at = self.places.get(row["name"])
        found = str(row["of"][at]) if at is not None and at < len(row["of"]) else ""
        return int(found) if found.isdecimal() else None


def _points(lines: Sequence[tuple[int, str, int]]) -> Row:
    """The lines of scoring, by what they are called and seat."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for seat, label, value in lines:
        found[label][str(seat + 1)] += value
    return {label: dict(points) for label, points in found.items()}


def _marks(answers: int) -> list[int]:
    return [answers * look // LOOKS for look in range(LOOKS + 1)]


def _stand(game: Game, state: list[int]) -> Row:
    purses, seats = _purses(game), range(game.seats)
    return {
        "stand": list(game.keep(Outlooks, lambda: Outlooks(game)).of(state).values()),
        "purses": {name: [state[member.place((seat,))] for seat in seats] for name, member in purses.items()},
    }


def _purses(game: Game) -> dict[str, Any]:
    """What every seat has one of."""
    return {
        name: member for name, member in game.world.seat.items()
        if member.form == "purse" and len(member.dims) == 1 and not member.internal
    }  # fmt: skip


def in_play(game: Game, state: Sequence[int]) -> set[str]:
    """The boards that are; all of them where no zone is for that."""
    boards = {board.name for board in game.box.boards}
    zones = [member.place(()) for member in game.world.table.values() if member.form == "zone" and "in_play" in member.words]
    if not zones:
        return boards
    where = game.world.places["place"]
    return {thing.name for thing in game.world.things if thing.name in boards and thing.sort >= 0 and state[where.place((thing.id,))] in zones}


def _by_seat(game: Game, looks: list[list[Any]]) -> dict[str, list[Any]]:
    return {str(seat + 1): [look[seat] for look in looks] for seat in range(game.seats)}


# ---------------------------------------------------------------------------------------------- what is used


class Uses:
    """Which answers use a board: options that range over boards, such as `visit/{board}`; what only has the same name does not count.
    Where a game has no boards, they are of what else its options range over: ports, companies, sorts of wares."""

    def __init__(self, game: Game):
        self.names = subjects_of(game)
        self.places: dict[str, list[int]] = defaultdict(list)  # by option: how far behind its name one of them stands
        for site in game.flow.sites:
            for option in site.decide.options if isinstance(site.decide, ir.Decide) else ():
                kinds = [key.kind for key in option.keys] if option.keys is not None else [bind.var.kind for bind in option.binds]
                for at, kind in enumerate(kinds, 1):
                    if at not in self.places.get(option.key, ()) and self._meant(game, kind):
                        self.places[option.key].append(at)

    def _meant(self, game: Game, kind: Kind) -> bool:
        """Whether a kind holds some of them; a sort of pieces called like a board is another thing."""
        same = [name for name in names_of(game, kind) if name in self.names]
        return any(kind.name == self.names[name] or kind.form == "thing" and kind.name in game.world.kinds for name in same)

    def of(self, path: str) -> dict[str, str]:
        """What a path uses, outermost first, each with its option."""
        parts = path.split("/")
        found: dict[str, str] = {}
        for at, part in enumerate(parts):
            for behind in self.places.get(part, ()):
                if at + behind < len(parts) and parts[at + behind] in self.names:
                    found.setdefault(parts[at + behind], part)
        return found


def _used(uses: Uses, events: Sequence[dict[str, object]]) -> Row:
    """By board, or whatever it is, and by seat: how often it was used, by which option, and what was paid and got meanwhile."""
    found: dict[str, dict[str, Row]] = defaultdict(lambda: defaultdict(lambda: {"uses": Counter(), "paid": Counter(), "got": Counter()}))
    for event in events:
        if event["event"] == "decision":
            for board, option in uses.of(str(event["key"])).items():
                found[board][str(event["seat"])]["uses"][option] += 1
        elif event["event"] == "paid":
            for board in uses.of(str(event["path"])):
                _pay(found[board], event)
    return {board: {seat: dict(row) for seat, row in rows.items()} for board, rows in found.items()}


def _pay(rows: dict[str, Row], event: dict[str, Any]) -> None:
    for side, kept in (("from", "paid"), ("to", "got")):
        owner, _, seat = str(event.get(side, "")).partition("/")
        if owner.startswith("seat."):
            rows[seat][kept][owner.removeprefix("seat.")] += int(event["amount"])


__all__ = ["LOOKS", "course_of"]
