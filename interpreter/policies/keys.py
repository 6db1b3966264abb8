"""What the keys of a question's answers are made of: fixed words, and values of which each has its text.

    option buy for s in others, g in s.selling keyed by s, g.price        Word("buy"), Value(s), Value(g.price)

Nothing is spelled while a game goes on: the texts of all values that there can be are known beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Union

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import NUMBER, Kind
from ichiba.dsl.world.world import FIRST_THING, World
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.layout import Layout, bag_sorts
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ZERO, compare, less, place

PLAIN = re.compile(r"[^/*?\[\]{}]+")  # a text that stands for itself, and for one part of a key
WHOLE = re.compile(r"-?\d+")
MOST_TEXTS = 1 << 12


class NotTold(Exception):
    """Which answers are meant can be told from their text alone: the reason."""


@dataclass(frozen=True, slots=True)
class Word:
    """A fixed text."""

    text: str


@dataclass(frozen=True, slots=True)
class Value:
    """What is spelled here, by the names of its option; or where it stands."""

    of: ir.Exp | p.Exp
    kind: Kind
    rows: tuple[str, ...] = ()  # of a kind of its own: the texts by number


@dataclass(frozen=True, slots=True)
class Ways:
    """Several pieces at once, packed into one number: any text, and none where there are none. `some`: there always are."""

    of: ir.Exp
    some: bool = False


Part = Union[Word, Value, Ways]


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of the values of a kind, by number: `low` is that of the first; what is none comes before all."""

    texts: tuple[str, ...]
    low: int = 0
    none: bool = False
    counted: int = 0  # pieces: so many of the texts are those of sorts, by which counted pieces go

    def number(self, value: p.Exp) -> p.Exp:
        """Which of the texts that of a value is."""
        if self.counted:
            sort, thing = p.Entry(p.Name("SORT_AT", "list"), value), place([value, self.counted - FIRST_THING])
            return sort if self.counted == len(self.texts) else p.Choice(compare(value, "<", p.Num(FIRST_THING)), sort, thing)
        if self.none:
            return p.Choice(compare(value, "<", ZERO), ZERO, place([value, 1 - self.low]))
        return less(value, self.low)


@dataclass(slots=True)
class Spelling:
    """The texts of all kinds of one game, each worked out once. `spell`: how a value is spelled in a key."""

    world: World
    layout: Layout
    spell: Callable[[int, Kind], str]
    known: dict[Kind, Texts] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)  # of texts, whatever they stand for

    def number_of(self, text: str) -> int:
        """A number that every text has for itself."""
        if len(self.numbers) == MOST_TEXTS:
            raise NotTold(f"there are more than {MOST_TEXTS:,} texts in keys")
        return self.numbers.setdefault(text, len(self.numbers))

    def numbers_of(self, texts: Texts) -> tuple[int, ...]:
        return tuple(map(self.number_of, texts.texts))

    def texts(self, kind: Kind) -> Texts:
        if kind not in self.known:
            self.known[kind] = self._texts(kind)
        return self.known[kind]

    def _texts(self, kind: Kind) -> Texts:
        world = self.world
        sorts = tuple(world.name_of(sort, Kind("sort")) for sort in range(len(world.sorts)))
        things = tuple(self.spell(thing.id, Kind("thing")) for thing in world.things)
        match kind.form:
            case "piece" if not (kind.optional or kind.unsure):
                own = world.categories.get(kind.name, range(len(world.sorts)))
                alone = [world.sorts[sort].individual for sort in own]
                found = Texts(sorts if not any(alone) else sorts + things, counted=len(sorts))
            case "thing":
                found = Texts(things, FIRST_THING)
            case "sort":
                found = Texts(sorts)
            case "seat" | "enum" | "flag":
                found = Texts(tuple(self.spell(value, kind.plain) for value in world.values(kind)))
            case _:
                raise NotTold(f"{kind} is spelled")
        if kind.optional or kind.unsure:
            found = Texts(("none", *found.texts), found.low, True)
        if not all(map(PLAIN.fullmatch, found.texts)):
            raise NotTold(f"a name of {kind} is no plain word")
        return found

    def own(self, part: Value) -> Texts:
        """The texts of a part of a key that is no number."""
        return Texts(part.rows) if part.rows else self.texts(part.kind)

    def texts_of(self, part: Part) -> tuple[str, ...]:
        """The texts that a part of a key can have, which is no number."""
        if isinstance(part, Word):
            return (part.text,)
        if isinstance(part, Ways):
            raise NotTold("several pieces at once are spelled")
        return part.rows or self.among(part.kind)

    def among(self, kind: Kind) -> tuple[str, ...]:
        """The texts that values of a kind do have."""
        world = self.world
        if kind.form != "piece":
            none = ["none"] if kind.optional or kind.unsure else []
            return (*none, *(self.spell(value, kind.plain) for value in world.values(kind)))
        sorts = world.categories.get(kind.name, range(len(world.sorts)))
        counted = [world.name_of(sort, Kind("sort")) for sort in sorts if not world.sorts[sort].individual]
        return (*counted, *(self.spell(t.id, kind) for t in world.things if t.sort in sorts and world.sorts[t.sort].individual))


def words(text: str) -> list[Part]:
    return [Word(part) for part in text.split("/")]


def is_number(part: Part) -> bool:
    return isinstance(part, Value) and part.kind.form == "number" and not part.rows


def parts_of(option: ir.Option) -> list[Part]:
    """The parts of an option's key."""
    if option.keys is not None:
        return [*words(option.key), *(_spelled(key, key.kind) for key in option.keys)]
    return [*words(option.key), *(_of_binder(bind) for bind in option.binds)]


def _of_binder(bind: ir.Bind) -> Part:
    use = ir.Use(bind.var, bind.var.kind)
    if isinstance(bind.set, ir.Combos):
        return Ways(use, isinstance(bind.set.amount, ir.Const) and bind.set.amount.value > 0)
    return _spelled(use, bind.var.kind)


def _spelled(value: ir.Exp, kind: Kind) -> Part:
    if kind.form == "set" or kind.name == "combo":
        return Ways(value)
    return Value(value, kind)


def parts_of_lot(site: Site, world: World, layout: Layout) -> list[Part]:
    """The parts of the key of so many of a sort."""
    decide = site.decide
    assert isinstance(decide, ir.ChooseSome) and site.bag_at is not None
    sorts = [world.sorts[sort] for sort in bag_sorts(world, decide.bag)]
    names = tuple(sort.key or sort.full_name for sort in sorts)
    which = Value(p.Cell(p.Num(layout.slots[site.bag_at])), Kind("sort"), names)
    return [*words(decide.name), which, Value(p.Name("code"), NUMBER)]
