"""What is known of the names of one function while it is translated to C: their kinds and ranges (interval analysis).

Every value in C comes with the least and the greatest that it can be. Where these show that a place is there, or that a sum
is not too large, nothing is checked. They come from the ends of ranges and fixed tables, from conditions that hold and
from checks that have passed. They are forgotten as soon as the name may have got another value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.walk import below, parts, statements, within
from ichiba.interpreter.to_c.known.kinds import kind_of
from ichiba.interpreter.to_c.known.program import Function, Kind, Program, Unsupported, shape

WIDE = 1 << 62  # what is checked in C keeps to this
NEAR = 1 << 40  # what the state holds, and what functions take and give, keeps to this
MOST = (1 << 63) - 1  # of what C can count

C_TYPES: dict[Kind, str] = {"number": "I", "list": "L", "lists": "LL", "packed": "L", "keyed": "D"}

Range = tuple[int, int]
NO_NUMBERS: Range = (1, 0)  # of an empty list


class Value(NamedTuple):
    """An expression in C and its range; of a list the range of its numbers, also of those in lists within."""

    text: str
    low: int = -WIDE
    high: int = WIDE

    @property
    def range(self) -> Range:
        return self.low, self.high

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high


def hull(ranges: Iterable[Range]) -> Range:
    """The smallest range that holds all of these."""
    there = [one for one in ranges if one[0] <= one[1]]
    return (min(low for low, _ in there), max(high for _, high in there)) if there else NO_NUMBERS


def overlap(one: Range, other: Range) -> Range:
    """The numbers that lie in both; `one` where there are none."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else one


@dataclass(frozen=True, slots=True)
class Translators:
    """The functions that translate an expression to C as each kind of value. They import this file, so `Scope` is given them."""

    number: Callable[[Scope, p.Exp, bool], Value]
    truth: Callable[[Scope, p.Exp], str]
    listed: Callable[[Scope, p.Exp], Value]
    packed: Callable[[Scope, p.Exp], Value]


@dataclass(slots=True)
class Scope:
    """What is known at one point of a function, while it is translated statement by statement."""

    program: Program
    function: Function
    translators: Translators
    known: dict[str, Range] = field(default_factory=dict)  # the ranges of names, as far as they are known
    fresh: int = 0
    broken: list[str] = field(default_factory=list)  # by open loop: what is set where it is left early
    blocks: dict[str, list[str]] = field(default_factory=dict)  # by the name of a block: where it is left for
    side_effects: dict[int, tuple[p.Exp, bool]] = field(default_factory=dict)  # by expression: the answer of `has_side_effects`
    set_inside: frozenset[str] = frozenset()  # names set within expressions (`:=`): their ranges are never known

    def number(self, e: p.Exp, may_be_none: bool = False) -> Value:
        return self.translators.number(self, e, may_be_none)

    def truth(self, e: p.Exp) -> str:
        """Whether it counts as true."""
        return self.translators.truth(self, e)

    def listed(self, e: p.Exp) -> Value:
        """A list of numbers, or of such lists."""
        return self.translators.listed(self, e)

    def packed(self, e: p.Exp) -> Value:
        """A list, from what Python keeps as one number."""
        return self.translators.packed(self, e)

    def new(self) -> str:
        """A new name for a temporary: `t1`, `t2` …"""
        self.fresh += 1
        return f"t{self.fresh}"

    def kind(self, e: p.Exp) -> Kind:
        found = kind_of(self.program, self.function, e)
        if found is None:
            raise Unsupported(f"a value of no known kind: {shape(e)}")
        return found

    def know(self, name: str, found: Range) -> None:
        """From here on a name has this range."""
        if name not in self.set_inside:
            self.known[name] = found

    def range(self, name: str) -> Range:
        return self.known.get(name, (-WIDE, WIDE))

    def forget(self, names: Iterable[str]) -> None:
        for name in names:
            self.known.pop(name, None)

    @contextmanager
    def bound(self, name: str, kind: Kind, found: Range) -> Iterator[None]:
        """Within, a name of a loop or a lambda has this kind and this range."""
        kinds, known = self.function.kinds, self.known
        before, knew = kinds.get(name), dict(known)
        kinds[name] = kind
        self.know(name, found)
        try:
            yield
        finally:
            self.known = knew
            if before is None:
                del kinds[name]
            else:
                kinds[name] = before

    @contextmanager
    def supposing(self, *tests: p.Exp, hold: bool = True) -> Iterator[None]:
        """Within, these conditions hold (or do not)."""
        before = dict(self.known)
        for test in tests:
            self.learn(test, hold)
        try:
            yield
        finally:
            self.known = before

    def learn(self, test: p.Exp, holds: bool) -> None:
        """Narrow the ranges of names by a condition that holds, or does not: after `n < 5` the greatest is 4."""
        match test:
            case p.Unary(op="not", of=of):
                self.learn(of, not holds)
            case p.Logic(op=op, parts=parts) if (op == "and") == holds:
                for part in parts:
                    self.learn(part, holds)
            case p.Compare(first=first, rest=rest) if holds or len(rest) == 1:
                left = first
                for sign, right in rest:
                    self._compare(left, sign if holds else OPPOSITE.get(sign, ""), right)
                    left = right
            case _:  # says nothing that is of use here
                return

    def _compare(self, left: p.Exp, sign: str, right: p.Exp) -> None:
        for one, is_, other in ((left, sign, right), (right, TURNED.get(sign, ""), left)):
            found = self._known_range(other)
            if found is None or is_ not in TURNED or not isinstance(one, p.Name) or self.function.kinds.get(one.name) != "number":
                continue
            low, high = found
            there = {"<": (-MOST, high - 1), "<=": (-MOST, high), ">": (low + 1, MOST), ">=": (low, MOST), "==": found}[is_]
            self.know(one.name, overlap(self.range(one.name), there))

    def _known_range(self, e: p.Exp) -> Range | None:
        match e:
            case p.Num(value=value):
                return value, value
            case p.Name(name=name) if name in self.program.constants and name not in self.function.kinds:
                return self.program.constants[name], self.program.constants[name]
            case p.Name(name=name):
                return self.known.get(name)
            case _:
                return None

    def has_side_effects(self, e: p.Exp) -> bool:
        """Whether working it out gives a name its value or may change the state: then it must stay in its order."""
        known = self.side_effects.get(id(e))
        if known is None:
            found = isinstance(e, p.NamedExp) or any(self.has_side_effects(part) for part in parts(e))
            if isinstance(e, p.Call | p.Method):
                found = found or any(isinstance(arg, p.Name) and arg.name == "C" for arg in e.args)
            known = self.side_effects[id(e)] = e, found
        return known[1]

    def changed(self, block: tuple[p.Stm, ...]) -> Iterable[str]:
        """The names that get other values somewhere in a block."""
        return names_set(block, self.function.appends)


OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=="}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


def names_set(block: Iterable[p.Stm], appends: dict[str, str]) -> Iterator[str]:
    """Names that statements give a value, and lists that they append to."""
    for s in statements(block):
        match s:
            case p.Set(targets=targets):
                yield from (target.name for target in targets if isinstance(target, p.Name))
            case p.Change(target=p.Name(name=name)):
                yield name
            case p.For(targets=targets):
                yield from (target.name for target in targets)
            case _:
                pass
        for e in within(s):
            for part in below(e):
                match part:
                    case p.Call(function=p.Name(name=name)) if name in appends:
                        yield appends[name]
                    case p.Method(of=p.Name(name=name), name="append"):
                        yield name
                    case _:
                        pass


def names_set_inside(block: Iterable[p.Stm]) -> frozenset[str]:
    """Names that get a value within expressions: `n` in `if (n := S[3]) > 2`."""
    return frozenset(
        part.name.name for s in statements(block) for e in within(s) for part in below(e) if isinstance(part, p.NamedExp)
    )
