"""What is known at a place in a rule: names, who `me` is, which board, and what is being replaced."""

from __future__ import annotations

from typing import Any

from tests.reference.values import Value
from tests.reference.world import Seat, Thing

_UNKNOWN = object()


class Env:
    """The names of a block, inside those of the block around it."""

    __slots__ = ("names", "outer", "me", "board", "board_name", "original", "path", "secret")

    def __init__(self, me: Seat | None = None, board: Thing | None = None, board_name: str = ""):
        self.names: dict[str, Value] = {}
        self.outer: Env | None = None
        self.me, self.board, self.board_name = me, board, board_name
        self.original: Any = None  # what `original` means here
        self.path: tuple[str, ...] = ()  # the keys of the options we are inside of
        self.secret = False

    def inner(self, **names: Value) -> Env:
        """A block of its own: what it names is known in it alone."""
        made = Env(self.me, self.board, self.board_name)
        made.outer, made.names = self, names
        made.original, made.path, made.secret = self.original, self.path, self.secret
        return made

    def elsewhere(self, board: Thing | None, board_name: str = "") -> Env:
        """The place where another definition stands: none of our names is known there, only who asks."""
        made = Env(self.me, board, board_name)
        made.path, made.secret = self.path, self.secret
        return made

    def find(self, name: str) -> tuple[bool, Value]:
        here: Env | None = self
        while here is not None:
            found = here.names.get(name, _UNKNOWN)
            if found is not _UNKNOWN:
                return True, found
            here = here.outer
        return False, None

    def where(self, name: str) -> dict[str, Value] | None:
        """The names among which this one is."""
        here: Env | None = self
        while here is not None and name not in here.names:
            here = here.outer
        return None if here is None else here.names
