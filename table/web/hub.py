"""Who is listening: the sockets of each place. When something has happened, each is sent the parts of its page that are different now."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio.to_thread
from anyio import CapacityLimiter
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ichiba.table.web.shown.scenes import Parts

if TYPE_CHECKING:
    from ichiba.table.sitting.live import LiveTable
    from ichiba.table.store.store import Place

MOST_OF_A_PLACE = 8  # windows in which one place is open
PRINTERS = 2  # threads in which pages are printed: who answers shall not wait for who is shown something
OUT = 4401  # as a status of 401 for a socket
SETTLING = 0.04  # seconds: what bots answer at once is shown together
SLOWEST = 60.0  # seconds that a window may take to read what it is sent
log = logging.getLogger("ichiba.table")


@dataclass(eq=False, slots=True)
class Listener:
    """One window. `shown`: the seat whose table it shows; `sent`: what it has been sent."""

    socket: WebSocket
    live: LiveTable
    place: Place
    shown: int | None
    sent: Parts = field(default_factory=dict)
    busy: bool = False  # it is being shown something
    again: bool = False  # and something has happened since
    out: asyncio.Event = field(default_factory=asyncio.Event)  # it was too slow, and has to come again

    async def send(self, parts: Parts) -> None:
        """What is new in them; nothing, if nothing is."""
        new = {name: text for name, text in parts.items() if self.sent.get(name) != text}
        if new:
            self.sent.update(new)
            await self.socket.send_text(json.dumps(new, ensure_ascii=False))


class Hub:
    """`parts`: what a place is shown now, printed in a thread."""

    def __init__(self, parts: Callable[[Listener], Parts]):
        self.parts = parts
        self.listeners: defaultdict[str, list[Listener]] = defaultdict(list)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.printers: CapacityLimiter | None = None
        self.tasks: set[asyncio.Task[None]] = set()

    def there(self, table: str) -> set[str]:
        """The places of a table at which somebody is."""
        return {one.place.name for one in list(self.listeners.get(table, ()))}

    def happened(self, table: str) -> None:
        """From any thread: everybody at this table is shown what is different. What happens meanwhile goes along with it."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._mark, table)

    def _mark(self, table: str) -> None:
        for one in self.listeners.get(table, ()):
            self.show_soon(one)

    def show_soon(self, one: Listener) -> None:
        """Each window is shown one thing after the other; one that reads slowly keeps nobody else waiting."""
        if one.busy:
            one.again = True
            return
        one.busy = True
        task = asyncio.get_running_loop().create_task(self._show(one))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _show(self, one: Listener) -> None:
        try:
            one.again = True
            while one.again:
                if one.sent:
                    await asyncio.sleep(SETTLING)
                one.again = False
                if self.printers is None:
                    self.printers = CapacityLimiter(PRINTERS)
                parts = await anyio.to_thread.run_sync(self.parts, one, limiter=self.printers)
                if one.socket.application_state is not WebSocketState.CONNECTED:
                    break
                if one.place.secret.hex() in one.live.course.worthless.get(one.place.name, ()):  # there is a new link
                    self.leave(one)
                    await one.socket.close(OUT)
                    break
                await asyncio.wait_for(one.send(parts), SLOWEST)
        except (WebSocketDisconnect, RuntimeError, ConnectionError, TimeoutError):
            self.leave(one)
            one.out.set()
        except Exception:
            log.exception("place %s of table %s… could not be shown", one.place.name, one.live.name[:6])
        finally:
            one.busy = False

    def come(self, one: Listener) -> bool:
        """False where this place is open in too many windows."""
        mine = self.listeners[one.live.name]
        if sum(other.place.name == one.place.name for other in mine) >= MOST_OF_A_PLACE:
            return False
        mine.append(one)
        return True

    def leave(self, one: Listener) -> None:
        mine = self.listeners.get(one.live.name, [])
        if one in mine:
            mine.remove(one)
        if not mine:
            self.listeners.pop(one.live.name, None)
        else:
            self._mark(one.live.name)
