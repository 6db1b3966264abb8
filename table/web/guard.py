"""Who may come in: hosts that we are called by, requests that come from our own pages, secrets that fit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ichiba.table.sitting.refused import Refused
from ichiba.table.sitting.secrets import SECRET, fits, sealed
from ichiba.table.store.records import StoreFault

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from ichiba.table.sitting.house import House
    from ichiba.table.sitting.live import LiveTable
    from ichiba.table.store.store import Place

COOKIE = "ichiba"
SIGN_IN = "this seat has to be signed in to: open the link you were given"
NOTHING = "there is nothing here"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Guard:
    """`hosts`: the names under which this server may be called, without their ports; none: any, since it listens to others."""

    def __init__(self, hosts: Iterable[str]):
        self.hosts = frozenset(host.lower() for host in hosts)

    def host(self, connection: HTTPConnection) -> None:
        """A page of somebody else's that points its own name at us would be let in otherwise."""
        said = connection.headers.get("host", "")
        name = said.rpartition(":")[0] if re.search(r":\d+$", said) else said
        if self.hosts and name.lower() not in self.hosts:
            raise Refused(403, "this server is not called by that name; `ichiba serve --name NAME` adds one")

    def own_page(self, connection: HTTPConnection) -> None:
        """Whatever changes something, and every socket, comes from a page of ours."""
        origin, said = connection.headers.get("origin"), connection.headers.get("host", "")
        site = connection.headers.get("sec-fetch-site")
        if origin is None or not said or _place_of(origin) != said.lower() or site not in (None, "same-origin"):
            raise Refused(403, "this was asked from another site's page")


def _place_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def seated(house: House, table: str, place: str, secret: str | None) -> tuple[LiveTable, Place]:
    """Whoever has the secret of this place. What is not there and what is not theirs look the same."""
    if secret is None or not SECRET.fullmatch(secret):
        raise Refused(401, SIGN_IN)
    if not _NAME.fullmatch(table) or not _NAME.fullmatch(place):
        raise Refused(404, NOTHING)
    found = house.store.find_place(table, place)
    kept = found.secret if found is not None else sealed("")  # as much work where there is nothing
    if fits(secret, kept) and found is not None:
        return house.table(table), found
    if found is not None and _was_theirs(house, table, place, secret):
        raise Refused(401, SIGN_IN)
    raise Refused(404, NOTHING)


def _was_theirs(house: House, table: str, place: str, secret: str) -> bool:
    """Whether this was the secret of this place once. A table that cannot be set up any more tells nobody else that it is there."""
    try:
        return sealed(secret).hex() in house.table(table).course.worthless.get(place, ())
    except (Refused, StoreFault):
        return False
