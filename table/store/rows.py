"""Rows of the store, one kind after the other: how each is written, read, and known to be as it was written."""

from __future__ import annotations

from collections.abc import Iterable

from ichiba.table.store.database import Run
from ichiba.table.store.records import Body, Place, Request, Reused, StoreFault
from ichiba.table.store.sealing import read, seal

SEALED = {  # by itself; entries are chained
    "table": "name, setup, rules, version, made, mark",
    "place": "of_table, name, seats, secret, changed",
    "request": "of_table, place, name, digest, answer, mark",
}


def start_of(name: str) -> bytes:
    """What stands where the seal of the entry before stands, for the first one."""
    return seal("start", name)


def sound(what: str, row: Iterable[object], sealed: object, which: object) -> None:
    """A row is as it was written."""
    parts = [part for part in row if isinstance(part, str | int | bytes)]
    if seal(what, *parts) != sealed:
        raise StoreFault(f"{what} {which} is damaged")


def mark_of(run: Run, name: str, number: int, request: Request | None) -> object:
    """By which piece of work a request was answered; where there is none, by which an entry was written."""
    if request:
        found = run(
            "SELECT mark FROM requests WHERE of_table = ? AND place = ? AND name = ?", name, request.place, request.name
        )
    else:
        found = run("SELECT mark FROM entries WHERE of_table = ? AND number = ?", name, number)
    return found[0][0] if found else None


def last_of(run: Run, name: str) -> tuple[int, bytes]:
    """How many entries there are, and the seal of the last one."""
    last = run("SELECT number, seal FROM entries WHERE of_table = ? ORDER BY number DESC LIMIT 1", name)
    match last:
        case []:
            return 0, start_of(name)
        case [(int(number), bytes(sealed))]:
            return number, sealed
        case _:
            raise StoreFault("the last entry is damaged")


def seats_of(place: Place) -> str:
    return " ".join(map(str, place.seats))


def add_place_to(run: Run, name: str, place: Place, now: int) -> None:
    row = (name, place.name, seats_of(place), place.secret, now)
    run(
        "INSERT INTO places (of_table, name, seats, secret, changed, seal) VALUES (?, ?, ?, ?, ?, ?)",
        *row, seal("place", *row),
    )  # fmt: skip


def places_of(run: Run, name: str, only: str | None = None) -> list[Place]:
    """Of a table, in the order of their names."""
    rows = run(
        f"SELECT {SEALED['place']}, seal FROM places WHERE of_table = ?"
        + ("" if only is None else " AND name = ?"),
        *([name] if only is None else [name, only]),
    )
    found = []
    for *row, sealed in rows:
        sound("place", row, sealed, row[1])
        found.append(Place(row[1], tuple(map(int, row[2].split())), row[3]))
    return sorted(found, key=lambda place: place.name)


def first_answer(run: Run, name: str, request: Request) -> Body | None:
    """What was answered to this request; None if nothing was."""
    found = run(
        f"SELECT {SEALED['request']}, seal FROM requests WHERE of_table = ? AND place = ? AND name = ?",
        name, request.place, request.name,
    )  # fmt: skip
    if not found:
        return None
    [(*row, sealed)] = found
    sound("request", row, sealed, request.name)
    digest, answer = row[3:5]
    if digest != request.digest:
        raise Reused(request.name)
    first: Body = read(answer)
    return first
