"""All that has happened at a table, effects included. It follows its table answer by answer, so nothing is played twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.saves.records import Replay, ending
from ichiba.interpreter.saves.teller import MOST_ROWS, Teller
from ichiba.interpreter.sight.views import visible

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table


class Chronicle:
    """What has happened so far. Where answers were taken back, it begins anew."""

    def __init__(self, table: Table, effects: bool):
        self.game, self.effects = table.game, effects
        self._begin(table)

    def _begin(self, table: Table) -> None:
        self.begun_with = (table.seed, table.script, table.given)
        teller = Teller(table.game, table.game.chance_words(table.seed), table.script)
        teller.follows = self.effects
        self.replay = Replay(table.game, table.seed, table.script, teller)
        for given in table.given:
            cast(Any, given)(self.replay)
        teller.catch_up()
        self.told: list[tuple[int, int]] = []

    def catch_up(self, table: Table) -> Teller:
        """The table is listened to up to now."""
        if self.begun_with != (table.seed, table.script, table.given) or table.history[: len(self.told)] != self.told:
            self._begin(table)
        for seat, code in table.history[len(self.told) :]:
            self.replay.answer(seat, code)
            self.replay.teller.catch_up()
            self.told.append((seat, code))
        return self.replay.teller


def events_of(table: Table, since: int) -> list[dict[str, object]]:
    """Everything that has happened, behind the first so many events."""
    items = _happened(table)
    return [{"number": number, **_fresh(item)} for number, item in enumerate(items[since:], since + 1)]


def story_of(table: Table, seat: int | None, since: int) -> list[dict[str, object]]:
    """The same as a seat may know it, or whoever looks on: numbered as they come to it, since a gap would tell."""
    heard = [item for item in _happened(table) if visible(item, None if seat is None else seat - 1)]
    told = ({name: value for name, value in item.items() if name != "audience"} for item in heard[since:])
    return [{"number": number, **_fresh(item)} for number, item in enumerate(told, since + 1)]


def records_of(table: Table) -> list[dict[str, object]]:
    """The rows that the rules have recorded so far."""
    rows = _listened(table, False).rows
    if len(rows) > MOST_ROWS:
        fault = RuleFault(f"this game records more than {MOST_ROWS:,} rows")
        fault.explained = True
        raise fault
    return [_fresh(row) for row in rows]


def turn_of(table: Table) -> int:
    """How many turns have begun that stand in no other."""
    return _listened(table, False).turn_number


def referee_of(table: Table) -> dict[str, object]:
    """All there is to know of a table, for whoever runs it."""
    from ichiba.interpreter.sight.views import Everything

    teller = _listened(table, False)
    stand = {str(seat): amount for seat, amount in table.outlook.items()}
    more = {"seed": table.seed, "turn": teller.turn_number, "records": records_of(table), "outlook": stand}
    return {**Everything(table, None).view(), **more}


def _happened(table: Table) -> list[dict[str, object]]:
    items = _listened(table, True).items
    return [*items, ending(table)] if table.over else items


def _listened(table: Table, effects: bool) -> Teller:
    """Whoever has listened to the table so far; to its effects as well, where they are asked for."""
    if table.chronicle is None or effects and not table.chronicle.effects:
        table.chronicle = Chronicle(table, effects)
    return table.chronicle.catch_up(table)


def _fresh(item: dict[str, object]) -> dict[str, object]:
    """Whoever gets it may do with it what they like."""
    return {name: dict(value) if isinstance(value, dict) else list(value) if isinstance(value, list) else value for name, value in item.items()}
