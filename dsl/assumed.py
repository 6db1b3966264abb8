"""What the config says instead of what a ruleset assumes: `A-1: 60`, or by the names that the assumption covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ichiba.dsl.box import Box


def covered(box: Box) -> dict[str, set[str]]:
    """What each assumption covers: `wage`, `price`, `token`, `lot`, of a board `mill.rent` and `mill.pieces`."""
    found: dict[str, set[str]] = {}

    def add(id: str, *names: str) -> None:
        if id:
            found.setdefault(id, set()).update(names)

    for fact in (*box.numbers, *box.tables):
        add(fact.assumption, fact.name)
    for pieces in box.pieces:
        add(pieces.assumption, pieces.name, *(item.name for item in pieces.items or ()))
    for things in box.things:
        add(things.assumption, things.kind)
    for board in box.boards:
        for field, id in board.assumptions:
            add(id, f"{board.name}.{field}")
    return found


def may_be_a_map(box: Box, id: str) -> bool:
    """Whether an assumption covers something that is itself written as a map: a table, numbers of pieces."""
    return (
        any(table.assumption == id for table in box.tables)
        or any(pieces.assumption == id for pieces in box.pieces)
        or any(("pieces", id) in board.assumptions for board in box.boards)
    )


class Assumed:
    """Finds what was given for a name that an assumption covers."""

    def __init__(self, box: Box, given: Iterable[tuple[str, object]]):
        self.given = dict(given)
        self.covered = covered(box) if self.given else {}

    def instead(self, ids: Iterable[str], *names: str) -> object | None:
        """The value given for the whole assumption, or for one of these names; None if nothing was given."""
        for id in ids:
            value = self.given.get(id)
            if not self.by_name(id, value):
                if value is not None:
                    return value
                continue
            assert isinstance(value, Mapping)
            for name in names:
                if name in value:
                    found: object = value[name]
                    return found
        return None

    def by_name(self, id: str, value: object) -> bool:
        """A map of names that the assumption covers; a table may be a map too."""
        return isinstance(value, Mapping) and any(key in self.covered.get(id, ()) for key in value)
