"""What can be typed to answer a question: numbers, keys, their beginnings and their ends.

Options that carry numbers of their own (`bid/300`, `buy/2`) go by these, and those beside them by name; otherwise they
are counted from 1. Long rows of numbers are told as a range and answered with the number itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ichiba.interpreter.run.decisions import Decision

LONG = 8  # rows of more numbers than this are told as a range
_AMOUNT = re.compile(r"[^\w\s-]?\s?(-?\d[\d,]*)(?:\s[A-Za-z]{1,9})?")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list: an option, or a range of them."""

    number: int | None
    keys: tuple[str, ...]
    places: tuple[int, ...]  # among the decision's options
    low: int = 0
    high: int = 0
    step: int = 0  # 0: this is no range

    @property
    def key(self) -> str:
        return self.keys[0]

    @property
    def words(self) -> str:
        """The key, or what a range goes from and to."""
        if not self.step:
            return self.key
        steps = f" in steps of {self.step}" if self.step != 1 else ""
        return f"{self.keys[0]} … {self.keys[-1]}{steps}"


@dataclass(frozen=True, slots=True)
class Found:
    """What was meant: the place of an option, several it could be, or a range that wants a number."""

    place: int | None = None
    several: tuple[str, ...] = ()
    range: Entry | None = None


@dataclass(slots=True)
class Answers:
    """The options of one question as they are listed and typed."""

    keys: list[str]
    entries: list[Entry] = field(default_factory=list)

    @staticmethod
    def of(decision: Decision) -> Answers:
        return Answers.from_keys(decision.keys())

    @staticmethod
    def from_keys(keys: list[str]) -> Answers:
        groups = _groups(keys)
        own = _own(keys, groups)
        rows = {key: entry for entry in map(_range, groups.values()) if entry is not None for key in entry.keys}
        made = Answers(keys)
        done: set[str] = set()
        for place, key in enumerate(keys):
            if key in done:
                continue
            row = rows.get(key)
            number = own.get(key) if own else len(made.entries) + 1
            if row is None:
                made.entries.append(Entry(number, (key,), (place,)))
            else:
                done.update(row.keys)
                places = tuple(keys.index(k) for k in row.keys)
                made.entries.append(replace(row, places=places, number=None if own else number))
        return made

    @property
    def amounts(self) -> Entry | None:
        """The range that a bare number answers, if it is the only one."""
        ranges = [entry for entry in self.entries if entry.step]
        return ranges[0] if len(ranges) == 1 and ranges[0].number is None else None

    def find(self, typed: str) -> Found:
        """What was typed, from the surest meaning to the vaguest."""
        words = typed.strip()
        folded = words.casefold()
        for place, key in enumerate(self.keys):
            if key.casefold() == folded:
                return Found(place)
        amount = amount_of(words)
        if amount is not None:
            return self._by_number(amount)
        first, _, rest = words.partition(" ")
        entry = next(
            (
                e
                for e in self.entries
                if e.step and rest and (first.isdigit() and e.number == int(first) or _stem(e.key) == first)
            ),
            None,
        )
        if entry is not None:
            more = amount_of(rest)
            return self._in_range(entry, more) if more is not None else Found(range=entry)
        return self._by_name(folded.replace(" ", "_"))

    def _by_number(self, amount: int) -> Found:
        if self.amounts is not None:
            return self._in_range(self.amounts, amount)
        for entry in self.entries:
            if entry.number == amount:
                return Found(range=entry) if entry.step else Found(entry.places[0])
        return Found()

    @staticmethod
    def _in_range(entry: Entry, amount: int) -> Found:
        for key, place in zip(entry.keys, entry.places, strict=True):
            if _tail(key) == amount:
                return Found(place)
        return Found()

    def _by_name(self, name: str) -> Found:
        """The end of one key, or the beginning of one; else of any part of one."""
        if not name:
            return Found()
        for fits in (
            lambda key: key.endswith("/" + name),
            lambda key: key.startswith(name + "/"),
            lambda key: key.startswith(name),
            lambda key: any(part.startswith(name) for part in re.split(r"[/+]", key)),
        ):  # fmt: skip
            hits = [place for place, key in enumerate(self.keys) if fits(key.casefold())]
            if len(hits) == 1:
                return Found(hits[0])
            if hits:
                ranges = [e for e in self.entries if e.step and set(hits) <= set(e.places)]
                return Found(range=ranges[0]) if ranges else Found(several=tuple(self.keys[place] for place in hits))
        return Found()


def amount_of(words: str) -> int | None:
    """`300`, `¥1,200`, `7 R`"""
    found = _AMOUNT.fullmatch(words.strip())
    return int(found[1].replace(",", "")) if found else None


def _tail(key: str) -> int | None:
    stem, slash, last = key.rpartition("/")
    return int(last) if slash and re.fullmatch(r"-?\d{1,12}", last) else None


def _stem(key: str) -> str:
    return key.rpartition("/")[0]


def _groups(keys: list[str]) -> dict[str, dict[str, int]]:
    """Keys that differ in a last number only, by what comes before it."""
    found: dict[str, dict[str, int]] = {}
    for key in keys:
        number = _tail(key)
        if number is not None:
            found.setdefault(_stem(key), {})[key] = number
    return found


def _own(keys: list[str], groups: dict[str, dict[str, int]]) -> dict[str, int]:
    """The numbers that options carry, where a bare number can mean nothing else: in one row of them only, and if they
    are what the question is about. The other options then go by their names, lest a number mean now this, now that."""
    if len(groups) != 1:
        return {}
    (group,) = groups.values()
    about_them = len({key.split("/")[0] for key in keys}) == 1 or len(group) > 1 and len(group) * 2 >= len(keys)
    return group if about_them else {}


def _range(group: dict[str, int]) -> Entry | None:
    """A long row of numbers with equal steps, as one entry."""
    numbers = list(group.values())
    step = numbers[1] - numbers[0] if len(numbers) > LONG else 0
    if step <= 0 or any(b - a != step for a, b in zip(numbers, numbers[1:], strict=False)):
        return None
    return Entry(None, tuple(group), (), numbers[0], numbers[-1], step)
