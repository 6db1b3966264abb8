"""The server: every request goes through one door, which looks at the host, the origin, the secret, the size and the rate.

Server(house).app()         an ASGI application
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route as HttpRoute
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from ichiba.dsl.faults.fault import echoed
from ichiba.table.sitting.bots import Bots
from ichiba.table.sitting.refused import Refused
from ichiba.table.store.store import StoreFault
from ichiba.table.terminal.showing import keeps_secrets
from ichiba.table.web.guard import COOKIE, Guard, seated
from ichiba.table.web.hub import Hub, Listener
from ichiba.table.web.rates import Rate, Rates
from ichiba.table.web.reading import LARGEST, body_of, number_of
from ichiba.table.web.routes import ROUTES, Route, Who
from ichiba.table.web.shown import pages
from ichiba.table.web.shown.fragments import Fragments
from ichiba.table.web.shown.scenes import Parts, Printed
from ichiba.table.web.shown.tools import around
from ichiba.table.web.shown.words import Words, languages
from ichiba.table.web.ways import Asked, Ways

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request
    from starlette.websockets import WebSocket

    from ichiba.table.sitting.house import House
    from ichiba.table.sitting.live import LiveTable
    from ichiba.table.store.store import Place

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY, "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin", "cache-control": "no-store",
}  # fmt: skip
A_PLACE = Rate(60, 20)  # requests of one place
OPENED = Rate(20, 0.2)  # tables that one address opens
SITTING_DOWN = Rate(60, 2)  # secrets that one address tries
SOCKETS = Rate(40, 4)  # that one place opens
SLOWEST_BODY = 20.0  # seconds in which a body has to be there
WOKEN, MOST_WOKEN = 1.0, 50  # tables that were touched within a day are set up when a server starts, since bots may have to go on
MOST_PRINTED = 500
KEPT = {"shown", "sheet"}  # what stays of a page that is covered
LOOK_ROUND = 5.0  # seconds between looks for people who stay away

Shown = tuple[str, str, int | None]  # table, place, seat

log = logging.getLogger("ichiba.table")


class Server:
    """`hosts`: what it is called; `named`: rulesets besides the installed ones; `patience`: seconds after which a bot takes the seat of
    somebody who is waited for and not there (0: never)."""

    def __init__(
        self, house: House, hosts: Iterable[str], named: Mapping[str, Path] | None = None, patience: float = 0,
        clock: Callable[[], float] = time.monotonic,
    ):  # fmt: skip
        self.house, self.guard, self.ways = house, Guard(hosts), Ways(house, named or {})
        self.patience, self.clock = patience, clock
        self.rates, self.bots, self.hub = Rates(clock), Bots(), Hub(self._parts)
        self.printers: dict[str, Fragments] = {}
        self.printed: OrderedDict[Shown, tuple[object, Parts, dict[str, Printed]]] = OrderedDict()  # what each place was shown last
        self.printing = Lock()
        self.missed: dict[tuple[str, int], float] = {}  # since when somebody is waited for who is not there
        house.in_use = lambda name: bool(self.hub.there(name))
        house.woken = self._woken

    def app(self) -> Starlette:
        http = [
            HttpRoute(one.path, self._endpoint(one), methods=[one.method]) for one in ROUTES if one.method != "SOCKET"
        ]
        sockets = [WebSocketRoute(one.path, self._socket) for one in ROUTES if one.method == "SOCKET"]
        app = Starlette(
            routes=[*http, *sockets],
            lifespan=self._lifespan,
            exception_handlers={404: self._nothing, 405: self._nothing},
        )
        app.router.redirect_slashes = False  # a way in that stands in no table of routes
        return app

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.hub.loop = asyncio.get_running_loop()
        working = [asyncio.create_task(self._look_round()), asyncio.create_task(self._wake())]
        yield
        for task in working:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self.bots.close()

    async def _wake(self) -> None:
        """Where a server was stopped in the middle of a game, bots play on before anybody has come back."""
        try:
            names = await run_in_threadpool(self.house.store.recent, WOKEN)
        except StoreFault as fault:
            log.error("the store: %s", fault)
            return
        for name in names[:MOST_WOKEN]:
            try:
                await run_in_threadpool(self.house.table, name)
            except (Refused, StoreFault) as fault:
                log.warning("table %s… cannot be set up: %s", name[:6], fault)
            except Exception:  # which must not keep others from it
                log.exception("table %s… cannot be set up", name[:6])

    def _woken(self, live: LiveTable) -> None:
        """A table was set up: from now on whoever is there hears of what happens, bots first."""
        live.changed += [lambda: self.bots.wake(live), lambda: self.hub.happened(live.name)]
        self.bots.wake(live)

    # ------------------------------------------------------------------------------------------------ requests

    def _endpoint(self, route: Route) -> Callable[[Request], object]:
        does = getattr(self.ways, route.does)

        async def endpoint(request: Request) -> Response:
            words = Words(_language(request))
            try:
                asked = await self._asked(route, request, words)
                words = Words(asked.live.game.lang) if asked.live is not None else words
                said: Response = await run_in_threadpool(does, asked)
            except Refused as refused:
                said = _told(refused, request, words)
            except ClientDisconnect:
                said = Response(status_code=400)  # which nobody hears
            except StoreFault as fault:
                log.error("the store: %s", fault)
                said = _told(Refused(503, f"the table could not be written or read: {fault}"), request, words)
            except Exception:
                log.exception("%s has failed", route.does)
                said = _told(Refused(500, "something is wrong with this server; its log says more"), request, words)
            for name, value in HEADERS.items():
                if name != "content-security-policy" or route.does != "rules":  # which brings a stricter one of its own
                    said.headers.setdefault(name, value)
            return said

        return endpoint

    async def _asked(self, route: Route, request: Request, words: Words) -> Asked:
        self.guard.host(request)
        asked = Asked(request.path_params, request.query_params, {}, words, request.url.scheme == "https")
        if route.method == "POST":
            self._own_page(request)
            if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                raise Refused(415, "what is sent is JSON")
        if route.does in ("open", "sit"):
            self.rates.take(route.does, _address(request), OPENED if route.does == "open" else SITTING_DOWN)
        if route.who is not Who.ANYBODY:
            path = request.path_params
            live, place = await run_in_threadpool(
                seated, self.house, path["table"], path["place"], request.cookies.get(COOKIE)
            )
            self.rates.take(live.name, place.name, A_PLACE)
            asked.live, asked.place, asked.there = live, place, frozenset(self.hub.there(live.name))
            if route.who is Who.SEATED and not place.seats:
                raise Refused(403, "you look on: only who has a seat can do that")
        if route.method == "POST":
            asked.body = body_of(await _in_time(_raw(request)), route.fields, route.optional)
        return asked

    def _own_page(self, connection: HTTPConnection) -> None:
        try:
            self.guard.own_page(connection)
        except Refused:
            log.warning("refused what another site's page asked for: %s", echoed(connection.headers.get("origin", "")))
            raise

    async def _nothing(self, request: Request, fault: Exception) -> Response:
        said = _told(Refused(404, "there is nothing here"), request, Words(_language(request)))
        said.headers.update(HEADERS)
        return said

    # ------------------------------------------------------------------------------------------------ sockets

    async def _socket(self, socket: WebSocket) -> None:
        """It only tells. Whatever is said to it ends it."""
        try:
            self.guard.host(socket)
            self._own_page(socket)
            path = socket.path_params
            live, place = await run_in_threadpool(
                seated, self.house, path["table"], path["place"], socket.cookies.get(COOKIE)
            )
            self.rates.take(f"socket {live.name}", place.name, SOCKETS)
            shown = _shown(socket, place)
        except (Refused, StoreFault) as refused:
            log.info("a socket was refused: %s", refused)
            await socket.close(1008)  # before it is accepted: the browser sees a 403
            return
        await socket.accept()
        one = Listener(socket, live, place, shown)
        if not self.hub.come(one):
            await socket.close(4429)
            return
        self.hub.happened(live.name)  # the others see that somebody is there
        self.hub.show_soon(one)
        try:
            if await _says_anything(one):
                await socket.close(1008)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self.hub.leave(one)

    def _parts(self, one: Listener) -> Parts:
        """What a window is shown now."""
        live, place = one.live, one.place
        fragments = self._fragments(live.game.lang)
        if place.seats:
            asked = live.next_seat(place, one.shown)
            if asked != one.shown and asked is not None:
                if keeps_secrets(live.game):
                    return {**{name: "" for name in one.sent if name not in KEPT}, **fragments.covered(live.look(None), asked)}
                one.shown = asked
        there = frozenset(self.hub.there(live.name))
        key = live.name, place.name, one.shown
        with live.lock:
            stamp = live, live.changes, there
            known = self.printed.get(key)
            if known is not None and known[0] == stamp:  # another window of the same place has been shown it
                return known[1]
            sight, about = live.look(one.shown), around(live, place, there)
        last = dict(known[2]) if known is not None else {}
        parts = {**fragments.parts(sight, place, about, last), "shown": str(one.shown or 0)}
        with self.printing:
            self.printed[key] = stamp, parts, last
            self.printed.move_to_end(key)
            while len(self.printed) > MOST_PRINTED:
                self.printed.popitem(last=False)
        return parts

    def _fragments(self, lang: str) -> Fragments:
        """One for each language: what is drawn once is drawn for all tables."""
        return self.printers.setdefault(lang, Fragments(Words(lang)))

    # ------------------------------------------------------------------------------------------------ who stays away

    async def _look_round(self) -> None:
        while True:
            await asyncio.sleep(LOOK_ROUND)
            try:
                await run_in_threadpool(self.look_round)
            except Exception:  # the next look may go well
                log.exception("a look for who stays away has failed")

    def look_round(self) -> None:
        """What another server on this store has written is shown here, too; what nobody looks at takes no room; and who stays away does not
        hold up the others."""
        for name, live in list(self.house.live.items()):
            if self.hub.there(name):
                live.catch_up()
        self.house.let_go_of_idle()
        with self.printing:
            for key in [key for key in self.printed if key[0] not in self.house.live]:
                del self.printed[key]
        if self.patience:
            self.take_over_from_the_absent()

    def take_over_from_the_absent(self) -> None:
        """Where somebody is waited for and has long not been there, while others are, a bot plays on."""
        now, missed = self.clock(), {}
        for name, live in list(self.house.live.items()):
            there = self.hub.there(name)
            if not there:
                continue
            for seat in live.waited_for():
                if not any(seat in place.seats and place.name in there for place in live.places.values()):
                    since = missed[name, seat] = self.missed.get((name, seat), now)
                    if now - since >= self.patience:
                        live.take_over(seat, live.policies()[0])
        self.missed = missed


async def _says_anything(one: Listener) -> bool:
    """Waits until a window is gone, or was too slow; True if it said anything instead."""
    said, out = asyncio.create_task(one.socket.receive()), asyncio.create_task(one.out.wait())
    try:
        await asyncio.wait((said, out), return_when=asyncio.FIRST_COMPLETED)
        return said.done() and said.result()["type"] != "websocket.disconnect"
    finally:
        for task in (said, out):
            task.cancel()


def _shown(socket: WebSocket, place: Place) -> int | None:
    """The seat whose table this window shows: the first of its place, unless it says another one of them."""
    said = number_of(socket.query_params.get("seat", ""))
    if said in place.seats:
        return said
    return next(iter(place.seats), None)


async def _in_time(body: Awaitable[bytes]) -> bytes:
    """Whoever sends a body drop by drop holds a place that others need."""
    try:
        return await asyncio.wait_for(body, SLOWEST_BODY)
    except TimeoutError:
        raise Refused(408, "what was sent did not arrive in time") from None


async def _raw(request: Request) -> bytes:
    """The body, not a byte more than allowed."""
    found = b""
    async for piece in request.stream():
        found += piece
        if len(found) > LARGEST:
            raise Refused(413, f"a request has at most {LARGEST:,} bytes")
    return found


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client is not None else ""


def _language(connection: HTTPConnection) -> str:
    """The first of those that a browser asks for that we speak."""
    for one in connection.headers.get("accept-language", "").split(",")[:10]:
        lang = one.partition(";")[0].strip().partition("-")[0].lower()
        if lang in languages():
            return lang
    return "en"


def _told(refused: Refused, request: Request, words: Words) -> Response:
    """For a page that was asked for, a page; else a word for the script."""
    headers = {"retry-after": str(refused.more["retry_after"])} if "retry_after" in refused.more else None
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        if refused.status in (401, 404) and request.path_params.get("place"):  # whether there is such a table is nobody's business
            return HTMLResponse(pages.signing_in(words), refused.status, headers)
        return HTMLResponse(pages.error(refused.status, words.refusal(refused.words), words), refused.status, headers)
    return JSONResponse({"error": words.refusal(refused.words), **refused.more}, refused.status, headers)


__all__ = ["Server"]
