"""Dataclasses that never change, and are made as quickly as any.

`@dataclass(frozen=True)` of this module is, for the type checker, the one of Python: nobody can write into a field. While the
program runs nothing watches over that, since watching makes each object several times as slow to make, and trees are made of
very many. The classes are quick to make too: each shares with all others how it is compared and shown, where Python would write
and compile four functions for each of hundreds, whenever a command starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses
    from operator import attrgetter
    from reprlib import recursive_repr

    def dataclass(*, frozen: bool = False, eq: bool = True, repr: bool = True, **more: bool) -> object:
        if not frozen or not eq:
            return dataclasses.dataclass(eq=eq, repr=repr, unsafe_hash=frozen and eq, **more)

        def made(cls: type) -> type:
            plain = dataclasses.dataclass(eq=False, repr=False, **more)(cls)
            plain.__eq__, plain.__hash__ = _compared([field.name for field in dataclasses.fields(plain) if field.compare])
            if repr and "__repr__" not in vars(plain):
                plain.__repr__ = _shown
            return plain

        return made

    def _compared(names: list[str]) -> tuple[object, object]:
        """Two of one class are equal if these fields are."""
        key = attrgetter(*names) if names else lambda one: ()

        def equal(one: object, other: object) -> bool:
            return key(one) == key(other) if other.__class__ is one.__class__ else NotImplemented

        return equal, lambda one: hash(key(one))

    @recursive_repr()
    def _shown(one: object) -> str:
        """`Int(value=7)`"""
        said = [f"{field.name}={getattr(one, field.name)!r}" for field in dataclasses.fields(one) if field.repr]
        return f"{type(one).__qualname__}({', '.join(said)})"


__all__ = ["dataclass"]
