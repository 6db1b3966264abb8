"""Dataclasses that never change, and are made as quickly as any.

`@dataclass(frozen=True)` of this module is, for the type checker, the one of Python: nobody can write into a field. While the
program runs nothing watches over that, since watching makes each object several times as slow to make, and trees are made of
very many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses

    def dataclass(*, frozen: bool = False, **more: bool) -> object:
        return dataclasses.dataclass(unsafe_hash=frozen, **more)


__all__ = ["dataclass"]
