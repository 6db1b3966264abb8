"""How one game went: how everybody stood on the way, what was done, and how each board was used, with what it took and gave.

It is told by a game that is over, played once more with everything told. The same seed gives the same course, however the
game was played.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from ichiba.dsl.rules import ir
from ichiba.interpreter.run.race import ask_instead
from ichiba.interpreter.saves.records import told

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

Row = dict[str, Any]
LOOKS = 40  # how often it is looked at, from the beginning to the end


def course_of(table: Table) -> Row:
    """All that is kept of a game's course, as data."""
    looks, marks = [], set(_marks(len(table.history)))
    for done, position in enumerate(_again(table)):
        if done in marks:
            looks.append(_stand(position))
    listened = told(table).teller
    return {
        "answers": sorted(marks),
        "stand": _by_seat(table.game, [look["stand"] for look in looks]),
        "purses": {name: _by_seat(table.game, [look["purses"][name] for look in looks]) for name in _purses(table.game)},
        "taken": [list(option) for option in sorted(listened.options_taken)],
        "records": listened.rows,
        "boards": _boards(table),
    }


def _marks(answers: int) -> list[int]:
    return [answers * look // LOOKS for look in range(LOOKS + 1)]


def _again(table: Table) -> Any:
    """The same game, answer by answer."""
    game = table.game
    made = game.start(table.seed, table.script)
    yield made
    for seat, code in table.history:
        if seat >= 0:
            ask_instead(game, made.state, seat)
        made.codes = game.code.step(made.state, made.context, code)
        yield made


def _stand(table: Table) -> Row:
    purses = _purses(table.game)
    seats = range(table.game.seats)
    return {
        "stand": list(table.outlook.values()),
        "purses": {name: [table.state[member.place((seat,))] for seat in seats] for name, member in purses.items()},
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
                    if kind.form == "thing" and at not in self.places[option.key] and boards.intersection(game.world.values(kind)):
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


def _boards(table: Table) -> Row:
    """By board and seat: how often it was used, by which option, and what was paid and got meanwhile."""
    uses = Uses(table.game)
    if not any(uses.places.values()):
        return {}
    found: dict[str, dict[str, Row]] = defaultdict(lambda: defaultdict(lambda: {"uses": Counter(), "paid": Counter(), "got": Counter()}))
    for event in table.events():
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
