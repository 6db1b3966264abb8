"""What is sent to us, read with suspicion: how large, of which form, which fields; every refusal says what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from ichiba.dsl.faults.fault import echoed
from ichiba.table.sitting.refused import Refused

LARGEST = 16 * 1024  # bytes of a body
DEEPEST = 6
LONGEST_KEY = 2_000  # an answer may be a whole lot
HALF = re.compile("[\ud800-\udfff]")  # what cannot be sent back
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def body_of(raw: bytes, fields: Mapping[str, type], optional: Mapping[str, type] | None = None) -> dict[str, Any]:
    """A map of exactly these fields. Raises `Refused`."""
    if len(raw) > LARGEST:
        raise Refused(413, f"a request has at most {LARGEST:,} bytes")
    if _depth(raw) > DEEPEST:
        raise Refused(400, f"lists and maps lie at most {DEEPEST} deep in each other")
    try:
        content = json.loads(
            raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number, parse_float=_no_number
        )
    except (ValueError, RecursionError) as fault:
        raise Refused(400, f"this is no JSON as we read it: {echoed(str(fault))}") from None
    if HALF.search(json.dumps(content, ensure_ascii=False)):
        raise Refused(400, "this is no JSON as we read it: half of a character")
    if not isinstance(content, dict):
        raise Refused(400, "a request is a map of fields")
    known = {**fields, **(optional or {})}
    for name in content:
        if name not in known:
            raise Refused(400, f"unknown field `{echoed(name)}`; known are {', '.join(known)}", field=echoed(name))
    for name, kind in known.items():
        if name not in content and name in fields:
            raise Refused(400, f"field `{name}` is missing", field=name)
        if name in content and not _is(content[name], kind):
            raise Refused(400, f"field `{name}` is {_called(kind)}", field=name)
    return content


def name_in(content: Mapping[str, Any], field: str) -> str:
    """Letters, digits, - and _."""
    value = content[field]
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise Refused(400, f"field `{field}` is 1 to 64 letters, digits, - and _", field=field)
    return value


def number_in(text: str | None, what: str) -> int:
    found = number_of(text or "")
    if found is None:
        raise Refused(400, f"{what} is a whole number")
    return found


def number_of(text: str) -> int | None:
    """What `isdigit` lets through is more than `int` can read."""
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else None


def _is(value: object, kind: type) -> bool:
    return (
        isinstance(value, kind)
        and not (kind is int and isinstance(value, bool))
        and not (isinstance(value, str) and len(value) > LONGEST_KEY)
    )


def _called(kind: type) -> str:
    return {
        str: f"a text of at most {LONGEST_KEY:,} characters",
        int: "a whole number",
        bool: "true or false",
        list: "a list",
        dict: "a map",
    }[kind]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in a map")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no whole number")


def _depth(raw: bytes) -> int:
    """How deep brackets lie in each other, told without reading it; what stands in texts does not count."""
    depth = deepest = 0
    for sign in re.sub(rb'"(?:[^"\\]|\\.)*"', b"", raw):
        if sign in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in b"]}":
            depth -= 1
    return deepest
