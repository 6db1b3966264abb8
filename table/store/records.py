"""What the store is given and gives back, the ways in which it says no, and how large anything may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]

LARGEST_BODY = 2**16  # of an entry or an answer, as JSON
LARGEST_SETUP = 2**18
MOST_ENTRIES = 1_000_000  # of a table
MOST_AT_ONCE = 1_000
MOST_PLACES = 100
DEEPEST = 32  # lists and maps in each other
WIDEST = 2**256  # of numbers
_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
_HASH = re.compile(r"[0-9a-f]{64}")


class StoreFault(Exception):
    """The store cannot do it, in a sentence. What was being written may be there or not: read it again."""


class NoSuchTable(StoreFault):
    """Nobody knows the table, or it was forgotten."""


class NameTaken(Exception):
    """A table or place of that name is there already."""


class Taken(Exception):
    """Somebody else has written that number: read the new entries and decide again."""

    def __init__(self, number: int):
        super().__init__(f"entry {number} is there already")
        self.number = number


class Repeated(Exception):
    """This request was answered before; nothing was written."""

    def __init__(self, answer: Body):
        super().__init__("this request was answered before")
        self.answer = answer


class Reused(Exception):
    """A request of this name asked for something else."""


class Unfit(ValueError):
    """What was given can never be kept: too large, or no JSON. It is the caller who has to see to that."""


REFUSALS = (NoSuchTable, NameTaken, Taken, Repeated, Reused, Unfit)  # nothing is wrong with the database


@dataclass(frozen=True, slots=True)
class Place:
    """Who may sit where: `seats` is () for who looks on, (1,) for a person, (1, 3) for a hot seat."""

    name: str  # short, public, in the address: "1", "2", "here", "watch"
    seats: tuple[int, ...]
    secret: bytes  # SHA-256 of the secret, which itself is kept nowhere

    def __post_init__(self) -> None:
        named("place", self.name)
        if len(self.seats) > MOST_PLACES or not all(type(seat) is int and 0 < seat < 1_000 for seat in self.seats):
            raise Unfit("seats are numbers from 1 on")
        if len(set(self.seats)) != len(self.seats):
            raise Unfit("a place has a seat once")
        hashed(self.secret)


@dataclass(frozen=True, slots=True)
class NewTable:
    """How a table begins."""

    name: str  # random, unguessable, in the address
    setup: Body
    rules: str  # under which the rules are kept
    version: str  # of the engine
    places: tuple[Place, ...]

    def __post_init__(self) -> None:
        named("table", self.name)
        short("version", self.version)
        if not is_hash(self.rules):
            raise Unfit("rules are named by their hash")
        if len(self.places) > MOST_PLACES:
            raise Unfit(f"{len(self.places)} places; a table has at most {MOST_PLACES}")
        if len({place.name for place in self.places}) != len(self.places):
            raise Unfit("two places have the same name")


@dataclass(frozen=True, slots=True)
class StoredTable(NewTable):
    """A table as it was set up, and who may sit there now."""

    made: int  # seconds since 1970


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was done."""

    number: int  # from 1, without gaps
    kind: str
    body: Body


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked by whom: senders make up names, so names count by place."""

    place: str
    name: str
    digest: str  # of what was asked

    def __post_init__(self) -> None:
        for what, text in (("place", self.place), ("request", self.name), ("digest", self.digest)):
            short(what, text)


def is_name(text: str) -> bool:
    """Whether a table or a place may be called that."""
    return _NAME.fullmatch(text) is not None


def is_hash(text: str) -> bool:
    return _HASH.fullmatch(text) is not None


def named(what: str, name: str) -> None:
    if not is_name(name):
        raise Unfit(f"the name of a {what} has 1 to 100 letters, digits, - and _")


def short(what: str, text: str) -> None:
    """Text of one line."""
    if not 1 <= len(text) <= 200 or not text.isprintable():
        raise Unfit(f"{what}: 1 to 200 characters that can be printed")


def hashed(secret: bytes) -> None:
    if len(secret) != 32:
        raise Unfit("of a secret its SHA-256 is kept: 32 bytes")


def plain(value: object, depth: int = DEEPEST) -> bool:
    """Whether it is JSON that is read as it was written: no tuples, no keys but texts, no number beyond all measure."""
    match value:
        case None | bool() | str():
            return True
        case int():
            return -WIDEST < value < WIDEST
        case float():
            return value - value == 0  # neither endless nor no number
        case list() | dict() if not depth:
            return False
        case list():
            return all(plain(one, depth - 1) for one in value)
        case Mapping():
            return all(isinstance(key, str) and plain(one, depth - 1) for key, one in value.items())
        case _:
            return False


__all__ = [
    "Body", "Entry", "NameTaken", "NewTable", "NoSuchTable", "Place", "Repeated", "Request", "Reused", "StoreFault",
    "StoredTable", "Taken", "Unfit",
]  # fmt: skip
