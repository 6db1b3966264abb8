"""The members of a fixed set by their entry in a fixed field: `card where colour = c` is a row of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ichiba.dsl.rules import ir


@dataclass(frozen=True, slots=True)
class Index:
    """By entry: the values that have it; or, of the pieces of a zone, their columns."""

    field: str
    by: dict[object, list[int]]
    zone: ir.Exp | None  # None: they are values, not columns of a zone
    value: ir.Exp  # what the entry must be

    @classmethod
    def of(
        cls,
        field: str,
        entries: Mapping[int, object],
        zone: ir.Exp | None,
        value: ir.Exp,
        columns: Sequence[int] | None = None,
    ) -> Index:
        """From the entry of each value, or sort."""
        by: dict[object, list[int]] = {}
        for n, entry in entries.items():
            found = n if columns is None else columns[n]
            if found >= 0 and found not in by.setdefault(entry, []):
                by[entry].append(found)
        return cls(field, by, zone, value)

    @property
    def width(self) -> int:
        return sum(map(len, self.by.values()))

    @property
    def most(self) -> int:
        """How many share an entry, at most."""
        return max(map(len, self.by.values()), default=0)

    @property
    def is_plain(self) -> bool:
        """Whether each column stands for one entry."""
        return self.width == len({n for row in self.by.values() for n in row})
