"""Which answers a `prefer` means, told before the game: never an option's, all of them, or those with certain values.

    "buy/*/{m}/*/{p}"  with  buy/1/tuna/fresh/300      m is the second value of the option, p the fourth
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase, translate
from typing import assert_never

from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.policies.keys import WHOLE, NotTold, Part, Spelling, Value, Ways, Word, is_number

BINDER = re.compile(r"\{(\w+)\}")
WILD = re.compile(r"[*?\[{]")  # it stands for more than itself
BEGINNING = re.compile(r"[^*?\[{]+\*")


@dataclass(frozen=True, slots=True)
class Same:
    """A name of the `prefer` stands for what is spelled in a part of the key."""

    name: str
    part: Part


@dataclass(frozen=True, slots=True)
class Is:
    """What is spelled in a part is this text."""

    part: Value
    text: str


@dataclass(frozen=True, slots=True)
class There:
    """There is something in this part at all."""

    part: Ways


Condition = Same | Is | There


@dataclass(frozen=True, slots=True)
class Fit:
    """When an answer of an option is meant. `number`: what has to be near, with `nearest`."""

    conditions: tuple[Condition, ...] = ()
    number: Part | None = None


def fit(pattern: str, key: Sequence[Part], near: bool, named: Mapping[str, Kind], spelling: Spelling) -> Fit | None:
    """When a key made of these parts fits the text of a `prefer`; None: never. `near`: what `*` stands for is a number;
    `named`: what its names stand for. Raises `NotTold` where only the spelled key tells."""
    if "{" in BINDER.sub("", pattern):
        return None  # no key holds a brace
    if not any(isinstance(part, Value | Ways) for part in key) and not BINDER.search(pattern):
        return _fixed(pattern, "/".join(part.text for part in key if isinstance(part, Word)), near)
    if _begins_otherwise(pattern, key):
        return None
    wanted = pattern.split("/")
    if not all(map(_is_whole, wanted[:-1])) or not (_is_whole(wanted[-1]) or BEGINNING.fullmatch(wanted[-1]) and not near):
        raise NotTold(f"`{pattern}` holds more than whole words, names and `*`")
    found = [one for one in _fits(wanted, key, near) if all(_possible(each, named, spelling) for each in one.conditions)]
    if len(found) > 1 and any(one.conditions for one in found):
        raise NotTold(f"`{pattern}` fits in several ways")
    return found[0] if found else None


def _is_whole(wanted: str) -> bool:
    """Whether a part of a text is a word, the name of a value, or `*`."""
    return wanted == "*" or bool(BINDER.fullmatch(wanted)) or not WILD.search(wanted)


def _fixed(pattern: str, text: str, near: bool) -> Fit | None:
    """A key without values."""
    if not near:
        return Fit() if re.match(translate(pattern), text) else None
    before, _, after = pattern.partition("*")
    number = re.fullmatch(rf"{re.escape(before)}(-?\d+){re.escape(after)}", text)
    return Fit((), Word(number[1])) if number and fnmatchcase(text, pattern) else None


def _begins_otherwise(pattern: str, key: Sequence[Part]) -> bool:
    """Whether a key can be seen not to fit by how it begins."""
    wild, begins = WILD.search(pattern), ""
    sure = pattern[: wild.start()] if wild else pattern
    for part in key:
        if not isinstance(part, Word):
            break
        begins += part.text + "/"
    return not (begins.startswith(sure) or sure.startswith(begins))


def _fits(wanted: Sequence[str], key: Sequence[Part], near: bool) -> Iterator[Fit]:
    """Every way in which the parts of a text can stand for those of a key: `*` stands for one or more."""
    if not wanted:
        if not key:
            yield Fit()
        elif all(isinstance(part, Ways) and not part.some for part in key):
            raise NotTold("there may be nothing to take")
        return
    if not key:
        return
    first, rest = wanted[0], wanted[1:]
    if first == "*" and near:
        if is_number(key[0]) or isinstance(key[0], Word) and WHOLE.fullmatch(key[0].text):
            yield from (Fit(one.conditions, key[0]) for one in _fits(rest, key[1:], near))
        elif not isinstance(key[0], Word):
            if any(True for _ in _fits(rest, key[1:], near)):
                raise NotTold("a number among names")
        return
    if first == "*":
        taken: tuple[Condition, ...] = ()
        for many in range(1, len(key) + 1):
            part = key[many - 1]
            if isinstance(part, Ways) and not part.some:
                taken = (*taken, There(part))
            yield from (Fit((*taken, *one.conditions), one.number) for one in _fits(rest, key[many:], near))
        return
    if not _is_whole(first):  # a word that begins so, and whatever stands behind it
        if not isinstance(key[0], Word):
            raise NotTold("names are told by how they begin")
        if key[0].text.startswith(first[:-1]):
            yield Fit()
        return
    condition = _condition(first, key[0])
    if condition is not False:
        own = () if condition is None else (condition,)
        yield from (Fit((*own, *one.conditions), one.number) for one in _fits(rest, key[1:], near))


def _condition(wanted: str, part: Part) -> Condition | None | bool:
    """Whether one part of a text stands for one part of a key; None: it does, False: it never does."""
    named = BINDER.fullmatch(wanted)
    if isinstance(part, Ways):
        raise NotTold("several pieces at once are spelled")
    if named:
        return Same(named[1], part)
    if isinstance(part, Word):
        return None if part.text == wanted else False
    return Is(part, wanted)


def _possible(condition: Condition, named: Mapping[str, Kind], spelling: Spelling) -> bool:
    """Whether a part can have the text that is wanted."""
    match condition:
        case There():
            return True
        case Is(part=part, text=text) if is_number(part):
            return bool(WHOLE.fullmatch(text)) and str(int(text)) == text
        case Is(part=part, text=text):
            return text in spelling.own(part).texts
        case Same(name=name, part=part):
            return _may_be_same(named[name], part, spelling)
        case _:
            assert_never(condition)


def _may_be_same(kind: Kind, part: Part, spelling: Spelling) -> bool:
    """Whether a value of a kind can have the text of a part."""
    if kind.form == "number":
        if is_number(part):
            return True
        texts = spelling.texts_of(part)
        if not any(map(WHOLE.fullmatch, texts)):
            return False
        if isinstance(part, Word):
            return str(int(part.text)) == part.text
        raise NotTold("a number stands for what could be spelled otherwise")
    own = spelling.texts_of(Value(p.Num(0), kind))
    if is_number(part):
        if any(map(WHOLE.fullmatch, own)):
            raise NotTold("a name could be spelled like a number")
        return False
    return not set(own).isdisjoint(spelling.texts_of(part))
