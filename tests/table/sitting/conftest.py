"""A house with a store of its own, and tables of the small market of the tests in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ichiba.table.sitting.house import House
from ichiba.table.sitting.live import LiveTable
from ichiba.table.sitting.setup import Setup
from ichiba.table.store.store import Place, Request, open_store


@dataclass(slots=True)
class Sitting:
    """A table and whoever plays there: each request has a name of its own, unless one is given."""

    house: House
    live: LiveTable
    asked: int = field(default=0)

    def place(self, name: str) -> Place:
        return self.live.places[name]

    def request(self, place: str, name: str = "") -> Request:
        self.asked += 1
        return Request(place, name or f"r{self.asked}", "d")

    def answer(self, place: str, key: str, request: str = "") -> dict[str, Any]:
        """Whatever this place is asked now."""
        held = self.place(place)
        names = [sight.question.name for seat in held.seats if (sight := self.live.look(seat)).question is not None]
        return self.live.answer(held, self.request(place, request), names[0] if names else "none", key)

    def undo(self, place: str, ask: bool = False) -> dict[str, Any]:
        return self.live.undo(self.place(place), self.request(place), ask)

    def vote(self, place: str, agrees: bool) -> dict[str, Any]:
        return self.live.vote(self.place(place), self.request(place), agrees)

    def bot(self, place: str, seat: int, name: str | None, away: bool = False) -> dict[str, Any]:
        return self.live.seat_bot(self.place(place), self.request(place), seat, name, away)

    def again(self) -> LiveTable:
        """The same table, as a server finds it that has just been started."""
        self.house = House(self.house.store, self.house.rules)
        return self.house.table(self.live.name)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    store = open_store(str(tmp_path / "tables.sqlite"))
    yield House(store, tmp_path / "rules")
    store.close()


def sit(house: House, game: Path, *places: tuple[int, ...], bots: dict[int, str] | None = None, seed: int = 7, **more: Any) -> Sitting:
    seats = max([seat for place in places for seat in place] + list(bots or {}))
    live, _ = house.open(Setup(str(game), seats, seed, bots=tuple(sorted((bots or {}).items())), **more), places)
    return Sitting(house, live)
