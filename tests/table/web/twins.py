"""Two tables that a seat cannot tell apart, at the web: everything that its place, and whoever looks on, would be sent.

The tables lie in no store and at no port: what is compared is what the server would send, made by the very functions that make it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, cast

from starlette.responses import Response
from starlette.websockets import WebSocket

import ichiba
from ichiba.interpreter.run.race import is_race
from ichiba.table.sitting.course import Course
from ichiba.table.sitting.house import WATCH, House
from ichiba.table.sitting.live import Box, LiveTable
from ichiba.table.sitting.refused import Refused
from ichiba.table.sitting.secrets import sealed
from ichiba.table.sitting.setup import Setup
from ichiba.table.sitting.sight import Eyes
from ichiba.table.store.store import Place, Store, StoredTable
from ichiba.table.web.hub import Listener
from ichiba.table.web.server import Server
from ichiba.table.web.shown.words import Words
from ichiba.table.web.ways import Asked
from tests.properties.pairs import Pair, pairs_of, probes_of

Told = dict[str, object]  # by channel


class Nowhere:
    """A store that keeps nothing."""

    def entries(self, table: str, after: int) -> list[Any]:
        return []

    def asked_before(self, *given: object) -> None:
        return None

    def append(self, *given: object) -> None:
        pass


@dataclass
class Wire:
    """What goes over the socket of one window."""

    texts: list[str] = field(default_factory=list)

    async def send_text(self, text: str) -> None:
        self.texts.append(text)


def server() -> Server:
    return Server(House(cast(Store, Nowhere()), Path("/nowhere")), ())


def sat(game: ichiba.Game, table: ichiba.Table) -> LiveTable:
    """People at all seats of this table."""
    seats = range(1, game.seats + 1)
    places = [*(Place(str(seat), (seat,), sealed("")) for seat in seats), Place(WATCH, (), sealed(""))]
    setup = Setup(game.name, game.seats, 0, host="1")
    stored = StoredTable("table", setup.as_json(), "0" * 64, "0", tuple(places), 0)
    live = LiveTable(cast(Store, Nowhere()), stored, setup, box_of(game))
    live.course = Course(game, setup)
    live.course.table = table
    live.eyes = Eyes(live.name, live.course, live.director)
    return live


def _seat(seat: int) -> int:
    assert seat >= 0  # whoever answers is named
    return seat + 1


def again(game: ichiba.Game, table: ichiba.Table) -> Iterator[LiveTable]:
    """The same game from its beginning, answer by answer."""
    start = table.copy()
    start.undo(len(table.history))
    live = sat(game, start)
    yield live
    for seat, code in table.history:
        asked = next(one for one in live.course.table.pending if one.seat == _seat(seat))
        key = asked.options[list(asked.codes).index(code)].key
        live.eyes.before_answer(asked.seat)
        live.course.apply("answer", {"seat": asked.seat, "key": key})
        live.changes += 1
        yield live


# ------------------------------------------------------------------------------------------------ what a place is sent


def said(way: Callable[[Asked], Response], asked: Asked) -> object:
    try:
        return bytes(way(asked).body)
    except Refused as refused:
        return refused.status, refused.words, refused.more


def answers(server: Server, live: LiveTable, place: Place, probes: list[str]) -> Told:
    """What is said to whoever asks, at this moment."""
    ways, seat = server.ways, next(iter(place.seats), 0)

    def asked(body: dict[str, Any] | None = None, query: dict[str, str] | None = None, **path: str) -> Asked:
        return Asked({"seat": str(seat), **path}, query or {}, body or {}, Words("en"), False, live=live, place=place)

    steps = len(live.look(seat or None).steps)
    found: Told = {f"past/{step}": said(ways.past, asked(step=str(step))) for step in range(steps + 2)}
    found |= {f"story {before}": said(ways.story, asked(before=str(before))) for before in (0, 1, 10**5)}
    found["save"] = live.course.table.over or said(ways.save, asked())
    found["course"] = live.course.table.over or said(ways.course, asked())
    found["rules"] = said(ways.rules, asked()) if not live.course.given else b""
    if seat:
        found |= {f"why {key}": said(ways.why, asked(query={"key": key})) for key in probes}
        names = [one.name for one in [live.look(seat).question] if one is not None]
        wrong = [key for key in probes if live.course.table.why_not(key, seat) is not None] if names else probes
        for decision in ("0" * 32, *names):
            for key in wrong[:6]:
                body = {"request": "r", "decision": decision, "answer": key}
                found[f"answer {decision[:1]} {key}"] = said(ways.answer, asked(body))
        found["fork"] = live.course.table.over or said(ways.fork, asked({"step": 0}))
        found["vote"] = said(ways.vote, asked({"request": "r", "agrees": True}))
        found["undo"] = live.undo_of(place), said(ways.undo, asked({"request": "r"}))  # the last: it may be done
        found["after undo"] = server._parts(window(live, place)[0])
    return found


def window(live: LiveTable, place: Place) -> tuple[Listener, Wire]:
    wire = Wire()
    return Listener(cast(WebSocket, wire), live, place, next(iter(place.seats), None)), wire


def streams(server: Server, game: ichiba.Game, table: ichiba.Table, places: list[str]) -> dict[str, list[str]]:
    """All messages to these places, from the beginning of the game."""
    windows: dict[str, tuple[Listener, Wire]] = {}
    for live in again(game, table):
        for name in places:
            one, _ = windows.setdefault(name, window(live, live.places[name]))
            asyncio.run(one.send(server._parts(one)))
    return {f"messages to {name}": wire.texts for name, (_, wire) in windows.items()}


def noticed(game: ichiba.Game, table: ichiba.Table, seat: int) -> list[object]:
    """When who had handed in what they seal, and after which of the things that this seat knew of a race was still on: that everybody
    sees, and an imagined table does not keep to it."""
    found: list[object] = []
    for live in again(game, table):
        now = live.course.table
        left = tuple(one.seat for one in now.pending) if now.site is not None and now.site.secret is not None else ()
        known = [(len(now.story(one)), is_race(now.site)) for one in (seat, None)] if racing(game) else []
        if found[-1:] != [(left, known)]:
            found.append((left, known))
    return found


@cache
def box_of(game: ichiba.Game) -> Box:
    return Box.of(game)


def racing(game: ichiba.Game) -> bool:
    return any(is_race(site) for site in game.flow.sites)


def everything(
    server: Server, game: ichiba.Game, table: ichiba.Table, seat: int, probes: list[str], whole: bool
) -> Told:
    """What is sent to this seat and to whoever looks on: when they ask, and (`whole`) from the beginning until now."""
    found: Told = dict(streams(server, game, table, [str(seat), WATCH])) if whole else {}
    for name in (WATCH, str(seat)):
        *_, live = again(game, table)
        found |= {f"{what} ({name})": told for what, told in answers(server, live, live.places[name], probes).items()}
    return found


def told_apart(server: Server, pair: Pair, seat: int, random: Random, most: int = 60) -> list[str]:
    """The channels by which a seat can tell these tables from each other. Games with more answers than `most` are not gone
    through from their beginning."""
    game, probes = pair[0].game, probes_of(pair, seat, random)
    whole = max(len(table.history) for table in pair) <= most
    whole = whole and noticed(game, pair[0], seat) == noticed(game, pair[1], seat)
    one, other = (everything(server, game, table, seat, probes, whole) for table in pair)
    found = [channel for channel in sorted(one | other) if one.get(channel) != other.get(channel)]
    return [channel for channel in found if whole or not channel.startswith("past/")]


def canaries(table: ichiba.Table) -> list[str]:
    """What nobody may ever be sent before the end."""
    return [str(table.seed), json.dumps(table.history)]


__all__ = ["Told", "again", "answers", "canaries", "everything", "pairs_of", "sat", "server", "streams", "told_apart"]
