"""How one game went: how everybody stood on the way, what was done, and how each board was used, with what it took and gave.

It is told by a game that is over, played once more with everything told. The same seed gives the same course, however the
game was played.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ichiba.dsl.rules import ir
from ichiba.interpreter.run.outlook import Outlooks
from ichiba.interpreter.sight.chronicle import Chronicle

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

Row = dict[str, Any]
LOOKS = 40  # how often it is looked at, from the beginning to the end


def course_of(table: Table) -> Row:
    """All that is kept of a game's course, as data."""
    game, history = table.game, table.history
    uses = Uses(game)
    chronicle = Chronicle(table, effects=bool(uses.places))
    teller, looks, marks = chronicle.replay.teller, [], _marks(len(history))
    for done in range(len(history) + 1):
        if done in marks:
            looks.append(_stand(game, chronicle.replay.state))
        if done < len(history):
            chronicle.replay.answer(*history[done])
            teller.catch_up()
    return {
        "answers": sorted(set(marks)),
        "stand": _by_seat(game, [look["stand"] for look in looks]),
        "purses": {name: _by_seat(game, [look["purses"][name] for look in looks]) for name in _purses(game)},
        "taken": [list(option) for option in sorted(teller.options_taken)],
        "points": _points(teller.seat_scores),
        "records": teller.rows,
        "boards": _boards(uses, teller.items) if uses.places else {},
    }


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


def _by_seat(game: Game, looks: list[list[Any]]) -> dict[str, list[Any]]:
    return {str(seat + 1): [look[seat] for look in looks] for seat in range(game.seats)}


# --------------------------------------------------------------------------------------------------- boards


def board_names(game: Game) -> frozenset[str]:
    """The boards of the game, as they stand in keys."""
    return frozenset(board.name for board in game.box.boards) & {thing.name for thing in game.world.things}


class Uses:
    """Which answers use a board: options that range over boards, such as `visit/{board}`; what only has the same name does not count."""

    def __init__(self, game: Game):
        self.names = board_names(game)
        boards = {thing.id for thing in game.world.things if thing.name in self.names}
        self.places: dict[str, list[int]] = defaultdict(list)  # by option: how far behind its name a board stands
        for site in game.flow.sites:
            for option in site.decide.options if isinstance(site.decide, ir.Decide) else ():
                kinds = [key.kind for key in option.keys] if option.keys is not None else [bind.var.kind for bind in option.binds]
                for at, kind in enumerate(kinds, 1):
                    if kind.form == "thing" and at not in self.places.get(option.key, ()) and boards.intersection(game.world.values(kind)):
                        self.places[option.key].append(at)

    def of(self, path: str) -> dict[str, str]:
        """The boards that a path uses, outermost first, each with its option."""
        parts = path.split("/")
        found: dict[str, str] = {}
        for at, part in enumerate(parts):
            for behind in self.places.get(part, ()):
                if at + behind < len(parts) and parts[at + behind] in self.names:
                    found.setdefault(parts[at + behind], part)
        return found


def _boards(uses: Uses, events: Sequence[dict[str, object]]) -> Row:
    """By board and seat: how often it was used, by which option, and what was paid and got meanwhile."""
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


__all__ = ["LOOKS", "board_names", "course_of"]
