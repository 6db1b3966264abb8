"""What a saved game looks like: every word of the file is looked at before anything is done with it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ichiba.dsl.faults.fault import echoed
from ichiba.dsl.files.writing import NotRegularFile, read_regular
from ichiba.interpreter.runtime.chance import TOLD
from ichiba.interpreter.runtime.runtime import MOST_DECISIONS

FORMAT = 2
LATEST = 1_000  # whatever is beyond it is no number of a format
OLDER = (1,)  # without a seal over the whole
LARGEST = 16 * 2**20
DEEPEST = 8
LONGEST_TEXT = 4_096
SEAL = "whole"


class SaveFault(Exception):
    """A saved game that cannot be resumed, or not be written, and what to do."""


class Played(NamedTuple):
    """An answer in words: whose, to which question, which, and of how many."""

    seat: int
    question: str
    key: str
    offered: int


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved game as it was read: of the right form, which says nothing yet about whether it can be played."""

    game: str
    folder: str | None
    ruleset: str
    layout: str
    seats: int
    modules: tuple[str, ...]
    variants: tuple[str, ...]
    options: dict[str, Any]
    assumptions: dict[str, Any]
    lang: str
    seed: int | str
    chance: tuple[str, ...]
    answers: tuple[tuple[int, int], ...]
    state: str
    bots: dict[int, str]
    broken: tuple[str, str] | None = None  # why the game went no further, and at which answer
    older: bool = False  # of a format that is no longer written
    played: tuple[Played, ...] = ()  # the answers in words, and how everything stood: for other rules than these
    facts: dict[str, Any] = field(default_factory=dict)


def seal(content: dict[str, Any]) -> str:
    """All that a save says, as one word: whoever changes something by chance changes this too."""
    plain = {key: value for key, value in content.items() if key != SEAL}
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:32]


def written(content: dict[str, Any]) -> bytes:
    """The file of a saved game."""
    whole = {"ichiba": FORMAT, **content}
    return (json.dumps(whole | {SEAL: seal(whole)}, indent=1) + "\n").encode()


def read_save(path: Path) -> Saved:
    """A file that holds a saved game. Raises `SaveFault` with the file's name and what is wrong with it."""
    name = echoed(path.name)
    try:
        raw = read_regular(path, LARGEST)
    except (OSError, ValueError) as fault:
        raise SaveFault(f"{name} is no saved game: {_unread(fault)}") from None
    if len(raw) > LARGEST:
        raise SaveFault(f"{name} is no saved game: it has more than {LARGEST >> 20} MB")
    try:
        content = json.loads(raw.decode("utf-8"), object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except (ValueError, RecursionError) as fault:
        raise SaveFault(f"{name} is no saved game: {_unclear(fault)}") from None
    if isinstance(content, dict) and _is_whole(content.get("ichiba"), range(FORMAT + 1, LATEST)):
        one, other = f"a saved game of format {content['ichiba']}", f"{FORMAT} and {OLDER[0]}"
        raise SaveFault(f"{name} is {one}, and this Ichiba reads formats {other}: a newer Ichiba reads it")
    if not isinstance(content, dict) or not _is_whole(content.get("ichiba"), OLDER + (FORMAT,)):
        raise SaveFault(f"{name} is no saved game of this format (format {FORMAT}, or {OLDER[0]})")
    try:
        return _checked(content)
    except _Wrong as fault:
        raise SaveFault(f"{name} is damaged or has been edited: {fault}") from None


class _Wrong(Exception):
    """Something in the file is not as we write it."""


def _is_whole(value: object, among: Iterable[int]) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in among


def _unread(fault: Exception) -> str:
    match fault:
        case FileNotFoundError():
            return "there is no such file"
        case IsADirectoryError():
            return "it is a folder"
        case NotRegularFile():
            return "it is a pipe, a socket or a device"
        case OSError():
            return (fault.strerror or "it cannot be read").lower()
        case _:
            return "no file can have such a name"


def _unclear(fault: Exception) -> str:
    match fault:
        case UnicodeDecodeError():
            return "it is no text in UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case json.JSONDecodeError():
            return f"it is no JSON (line {fault.lineno}, column {fault.colno})"
        case _:
            return f"it is no JSON ({echoed(str(fault))})"


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"there is no number {word}")


# --------------------------------------------------------------------------------------------------- the form


def _checked(content: dict[str, Any]) -> Saved:
    known = {"ichiba", SEAL, *Saved.__dataclass_fields__}
    for key in content:
        if key not in known:
            raise _Wrong(f"nobody writes `{echoed(key)}`")

    def get(key: str, what: str, holds: Callable[[Any], bool]) -> Any:
        if key not in content:
            raise _Wrong(f"`{key}` is missing")
        if not holds(content[key]):
            raise _Wrong(f"`{key}` is not {what}, but {echoed(_json(content[key]))}")
        return content[key]

    found = Saved(
        get("game", "a game's name", _is_name),
        get("folder", "the whole path of a folder, or null", lambda v: v is None or _is_text(v) and os.path.isabs(v) and "\0" not in v),
        get("ruleset", "16 digits", _is_digest),
        get("layout", "16 digits", _is_digest),
        get("seats", "a number of seats", lambda v: _is_whole(v, range(1, 13))),
        tuple(get("modules", "a list of names, or of whole paths", _are_modules)),
        tuple(get("variants", "a list of names", _are_names)),
        get("options", "a map", lambda v: isinstance(v, dict) and _is_plain(v)),
        get("assumptions", "a map", lambda v: isinstance(v, dict) and _is_plain(v)),
        get("lang", "a language", lambda v: _is_text(v) and bool(re.fullmatch(r"[a-z]{2,3}(-[A-Za-z]{2,8})?", v))),
        get("seed", "a whole number or a text", _is_seed),
        tuple(get("chance", "a list of events", lambda v: isinstance(v, list) and all(map(_is_text, v)))),
        tuple((seat, code) for seat, code in get("answers", "a list of seats and answers", _are_answers)),
        get("state", "16 digits", _is_digest),
        {int(seat): name for seat, name in (get("bots", "a map from seats to bots", _are_bots) if "bots" in content else {}).items()},
        _broken(get("broken", "why it broke off, and at which answer", _is_broken)) if "broken" in content else None,
        content["ichiba"] in OLDER,
        played=tuple(Played(*one) for one in get("played", "a list of answers in words", _are_played)) if "played" in content else (),
        facts=get("facts", "a map", lambda v: isinstance(v, dict)) if "facts" in content else {},
    )
    if found.played and len(found.played) != len(found.answers):
        raise _Wrong(f"it has {len(found.answers)} answers, and {len(found.played)} in words")
    if content["ichiba"] == FORMAT and content.get(SEAL) != seal(content):
        raise _Wrong("what it says of itself does not fit the rest")
    return found


def _broken(value: dict[str, str]) -> tuple[str, str]:
    return value["why"], value["answer"]


def _is_broken(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"why", "answer"} and all(map(_is_text, value.values()))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)[:200]


def _is_text(value: object) -> bool:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT and not value.startswith(TOLD):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a character
        return False
    return True


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) < 200 and bool(re.fullmatch(r"[a-z][a-z0-9_]*|\d+", value))


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_name, value))


def _are_played(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and list(map(type, one)) == [int, str, str, int] and all(map(_is_text, one[1:3])) for one in value
    )


def _are_modules(value: object) -> bool:
    return isinstance(value, list) and all(_is_name(one) or _is_text(one) and os.path.isabs(one) and "\0" not in one for one in value)


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[0-9a-f]{16}", value))


def _is_plain(value: object, depth: int = 0) -> bool:
    """What can be said of an option or an assumption."""
    if depth > DEEPEST:
        return False
    match value:
        case dict():
            return all(_is_text(key) and _is_plain(item, depth + 1) for key, item in value.items())
        case list():
            return all(_is_plain(item, depth + 1) for item in value)
        case bool() | None:
            return True
        case int():
            return abs(value) <= 10**15
        case _:
            return _is_text(value)


def _is_seed(value: object) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return abs(value) < 1 << 256
    if not _is_text(value):
        return False
    told, _, _ = str(value).removeprefix(TOLD).partition(" ")
    return not str(value).startswith(TOLD) or bool(re.fullmatch(r"([0-9a-f]{8})*", told))


def _are_answers(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_DECISIONS
        and all(isinstance(one, list) and len(one) == 2 and type(one[0]) is int and type(one[1]) is int for one in value)
    )


def _are_bots(value: object) -> bool:
    return isinstance(value, dict) and all(
        bool(re.fullmatch(r"[1-9]|1[0-2]", seat)) and _is_text(name) for seat, name in value.items()
    )
