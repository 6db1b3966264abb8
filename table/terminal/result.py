"""How a game ended: what each seat scored for what, and who won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ichiba.table.scene.telling.story import Item, ending_words

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table
    from ichiba.table.terminal.screen import Screen


def tell(screen: Screen, table: Table, items: Sequence[Item], names: Mapping[int, str]) -> None:
    """The ending, the scores as a table, and the places."""
    screen.say(f"The game is over{ending_words(table.game, table.ending)}.")
    rows = scored(items)
    if rows:
        seats = range(1, table.game.seats + 1)
        told = [[what, *(f"{row[s]:,}" if s in row else "" for s in seats)] for what, row in rows.items()]
        total = ["total", *(f"{table.scores[s]:,}" for s in seats)]
        screen.table(["", *(f"seat {s}" for s in seats)], [*told, total])
    place = 1
    for seats_there in table.ranking:
        screen.say(f"{place}. " + ", ".join(_who(table, seat, names) for seat in seats_there))
        place += len(seats_there)


def scored(items: Sequence[Item]) -> dict[str, dict[int, int]]:
    """By what it was for, what each seat scored."""
    rows: dict[str, dict[int, int]] = {}
    for item in items:
        if item["event"] == "score":
            row = rows.setdefault(str(item["what"]), {})
            row[item["seat"]] = row.get(item["seat"], 0) + item["value"]
    return rows


def _who(table: Table, seat: int, names: Mapping[int, str]) -> str:
    name = f" ({names[seat]})" if names.get(seat) else ""
    return f"seat {seat}{name} with {table.scores[seat]:,}"
