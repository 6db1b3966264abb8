"""Pickles that are read quickly: what never changes is made again by its constructor, and not by setting its fields one by
one; and while thousands of objects are made that all stay, none are looked for that
have become garbage."""

from __future__ import annotations

import dataclasses
import io
import pickle
import sys
from collections.abc import Hashable
from functools import cache
from typing import Any

from ichiba.dsl.files.garbage import not_sought


def pickled(content: object, deepest: int = 0) -> bytes:
    """`deepest`: so many steps inside of each other may be pickled, where that is more than usual."""
    written = io.BytesIO()
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, deepest))
    try:
        _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(content)
    finally:
        sys.setrecursionlimit(usual)
    return written.getvalue()


def unpickled(raw: bytes) -> Any:
    """What was pickled. Only of what nobody else can have written: a pickle does what it likes."""
    with not_sought():
        return pickle.loads(raw)  # noqa: S301


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        kind: type = type(obj)
        names = _given_to_constructor(kind)
        return NotImplemented if names is None else (kind, tuple([getattr(obj, name) for name in names]))


@cache
def _given_to_constructor(kind: Hashable) -> tuple[str, ...] | None:
    """The fields of a class that never changes, if the constructor takes them all, in this order, and does nothing else."""
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind) or "__slots__" not in vars(kind):
        return None
    if "__eq__" not in vars(kind) or vars(kind)["__hash__"] is None:  # it is only equal to itself, or may change
        return None
    fields = dataclasses.fields(kind)
    plain = not hasattr(kind, "__post_init__") and all(field.init and not field.kw_only for field in fields)
    return tuple(field.name for field in fields) if plain else None
