"""Tables: fixed numbers, asked by numbers or by the names of what there is.

    tables: {price: {index: [fruit, side], values: {pear: {left: 3, right: 5}, plum: [4, 4]}}}

In a table each name stands for its place among its kind, from 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_expression
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.constant import MOST_PLACES, MOST_STEPS, work_out
from ichiba.dsl.world.given import in_shape
from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.opening.families import FEW, Index, Rows, index_of, is_named, meant_by
from ichiba.dsl.world.opening.numbers import (
    change_number,
    change_options,
    changed_numbers,
    hold_to_range,
    leaves,
    read_number,
    refuse_given,
    said_instead,
    unit_of_fact,
)
from ichiba.dsl.world.world import Table
from ichiba.dsl.yaml.declarations import Fact
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq

TABLE_TAIL = 200  # how far a table with `then` is worked out: to one less
OUT_OF_RANGE = ("E106", "E108", "E109")  # what may be wrong with a number or table only since another was changed


def read_numbers(c: Opening) -> None:
    """The numbers and the tables that are asked by numbers alone, in declared order, but each after what it needs."""
    tables = [fact for fact in c.box.tables if not any(is_named(c, label) for label in fact.index)]
    fixed = _Fixed(c, tables, {})
    fixed.read(c.box.numbers)
    if changed := changed_numbers(c):
        change_options(c, changed)
        c.world.tables.clear()
        fixed = _Fixed(c, tables, changed)
        told, c.faults = c.faults, Faults()
        fixed.read(c.box.numbers)
        told.all_of([fault for fault in c.faults.all if fault.code in OUT_OF_RANGE and fault not in told.all])
        c.faults = told
    fixed.read(tables)
    order = {fact.name: at for at, fact in reversed([*enumerate(tables)])}
    c.world.tables = dict(sorted(c.world.tables.items(), key=lambda item: order[item[0]]))


@dataclass(slots=True)
class _Fixed:
    """Works out numbers and tables, each after what it needs."""

    c: Opening
    tables: list[Fact]
    changed: Mapping[str, int]  # what rules say of a number
    busy: list[Fact] = field(default_factory=list)
    done: set[int] = field(default_factory=set)
    by_name: dict[str, list[tuple[int, Fact]]] = field(default_factory=dict)  # and the how many-th it is
    numbers: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.numbers = {id(fact) for fact in self.c.box.numbers}
        for at, fact in enumerate((*self.c.box.numbers, *self.tables)):
            self.by_name.setdefault(fact.name, []).append((at, fact))

    def read(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            self._read(fact)

    def _read(self, fact: Fact) -> None:
        if id(fact) in self.done:
            return
        if any(fact is other for other in self.busy):
            self._circle(fact)
            return
        self.busy.append(fact)
        is_number = id(fact) in self.numbers
        node = said_instead(self.c, (fact.assumption,), fact.name, fact.value) if is_number else fact.value
        for needed in self._needed(fact, node):
            self._read(needed)
        self.busy.pop()
        if id(fact) in self.done:  # a circle has been told
            return
        self.done.add(id(fact))
        if not is_number:
            read_table(self.c, fact, named=False)
            return
        read_number(self.c, fact, node)
        if fact.name in self.changed:
            change_number(self.c, fact, self.changed[fact.name])

    def _needed(self, fact: Fact, node: Node) -> list[Fact]:
        """What is named in a number or table. Of plain numbers nothing is."""
        said = [*leaves(node), *(more for more in (fact.then, fact.least, fact.most) if more is not None)]
        texts = [leaf.text for leaf in said if isinstance(leaf, Scalar) and isinstance(leaf.value, str)]
        if not texts:
            return []
        trees = [parse_expression(text, Faults()) for text in texts]
        names = {part.name for tree in trees if tree is not None for part in t.walk(tree) if isinstance(part, t.Name)}
        own = "n" if fact.then is not None else ""
        needed = {at: other for name in sorted(names - {own}) for at, other in self.by_name.get(name, ())}
        return [needed[at] for at in sorted(needed)]

    def _circle(self, fact: Fact) -> None:
        """Those that would wait for each other are 0, and it is told once."""
        first = next(at for at, one in enumerate(self.busy) if one is fact)
        waiting = self.busy[first:]
        names = " → ".join(one.name for one in (*waiting, fact))
        label = "one of them must be said by itself"
        self.c.faults.add("E331", fact.span, f"these are worked out from each other: {names}", label=label)
        for one in waiting:
            self.done.add(id(one))
            if id(one) in self.numbers:
                self.c.world.numbers[one.name] = (0, unit_of_fact(self.c, one))
                self.c.scope.values[one.name] = 0
            else:
                self.c.world.tables[one.name] = Table(one.name, unit_of_fact(self.c, one), {}, one.span, one.shape)
                self.c.scope.tables[one.name] = {}


def read_tables(c: Opening) -> None:
    """Those that go by names, once all there is has its name."""
    for fact in c.box.tables:
        if any(is_named(c, label) for label in fact.index):
            read_table(c, fact, named=True)


def read_table(c: Opening, fact: Fact, named: bool) -> None:
    unit = unit_of_fact(c, fact)
    indexes = tuple(index_of(c, label) for label in fact.index) if named else ()
    rows = _Reader(c, fact, indexes, unit.name).rows()
    kinds, names = tuple(index.kind for index in indexes), tuple(index.names for index in indexes)
    c.world.tables[fact.name] = Table(fact.name, unit, rows, fact.span, fact.shape, kinds, names)
    c.scope.tables[fact.name] = rows
    _hold_to_shape(c, fact, rows)
    hold_to_range(c, fact, rows.values())


@dataclass(slots=True)
class _Reader:
    """Reads what is said of one table, and what the config and modules say instead."""

    c: Opening
    fact: Fact
    indexes: tuple[Index, ...]  # empty, where all of them are numbers
    unit: str

    def rows(self) -> Rows:
        before = len(self.c.faults.errors)
        own = self.own(self.fact, self.c.faults)
        rows = self.given(own)
        if self.indexes and len(self.c.faults.errors) == before:
            self.must_be_whole(rows)
        elif not self.indexes:
            self.hold_to_entries(rows)
        return rows

    def own(self, fact: Fact, faults: Faults) -> Rows:
        """The entries of the files. By names, a module changes those that it names; otherwise all of them."""
        entries = self.entries(fact.value, fact, faults)
        if fact.was is not None and self.indexes and isinstance(fact.value, Map):
            return {**self.own(fact.was, Faults()), **entries}
        return entries

    def entries(self, node: Node, fact: Fact, faults: Faults) -> Rows:
        if not self.indexes:
            return _by_numbers(self.c, node, fact, faults, self.unit)
        if fact.then is not None:
            faults.add("E108", fact.then.span, "what follows the last entry is said of numbers, and this table goes by names")
        if fact.base != 1 and all(index.kind is not None for index in self.indexes):
            faults.add("E108", fact.span, "`from` says where numbers begin, and this table goes by names", label="leave it out")
        return _ByNames(self.c, self.indexes, fact.base, faults, self.unit).read(node)

    def given(self, own: Rows) -> Rows:
        """In place of a list the config gives a list; a map gives some, and the others stay."""
        c, fact = self.c, self.fact
        given = c.assumed.instead((fact.assumption,), fact.name)
        if given is None:
            return own
        if wanted := given.unfit(fact.value, table=True):
            refuse_given(c, given, fact.name, wanted, fact.value)
            return own
        rows = self.entries(given.node(), fact, c.faults)
        heads = {at[0] for at in rows} if not self.indexes else set()
        if isinstance(given.value, dict):
            rows = {**{at: value for at, value in own.items() if at[0] not in heads}, **rows}
        missing = [at for at in own if at not in rows]
        if missing or len({len(at) for at in rows}) > 1:
            lost = f"it needs an entry for {self.places(missing)}" if missing else "it has as many indexes everywhere"
            refuse_given(c, given, fact.name, lost, fact.value)
            return own
        return rows

    def hold_to_entries(self, rows: Rows) -> None:
        """A table that a module has changed has at least the entries that it had: rules ask for them."""
        fact = self.fact
        if fact.was is None or not rows:
            return
        before = _by_numbers(self.c, fact.was.value, fact.was, Faults(), self.unit)
        missing = [at for at in before if at not in rows]
        if missing:
            message = f"the table `{fact.name}` has no entry for {self.places(missing)} any more"
            self.c.faults.add("E108", fact.span, message, second=(fact.was.span, "declared with it here"))

    def must_be_whole(self, rows: Rows) -> None:
        """A table by names has an entry for each of them, and all its rows are of one length."""
        found = [{at[place] for at in rows} for place in range(len(self.indexes))]
        reaches = [
            range(1, len(index.names) + 1) if index.kind is not None else _reach(there)
            for index, there in zip(self.indexes, found, strict=True)
        ]
        if prod(map(len, reaches)) > MOST_PLACES:
            message = f"the table `{self.fact.name}` has more than {MOST_PLACES:,} places"
            self.c.faults.add("E108", self.fact.span, message, label=" × ".join(f"{len(reach):,}" for reach in reaches))
            return
        missing = [at for at in product(*reaches) if at not in rows]
        if missing:
            lost = [index.names[n - 1] for index, reach, there in zip(self.indexes, reaches, found, strict=True)
                    for n in reach if n not in there and index.kind is not None]  # fmt: skip
            said = ", ".join(f"`{name}`" for name in lost[:FEW]) + (", …" if len(lost) > FEW else "")
            message = f"the table `{self.fact.name}` has no entry for {said or self.places(missing)}"
            label = "a table that goes by names has an entry for each of them"
            if lost:
                label += f"; a module says it of what it brings: `change: {{{self.fact.name}: {{{lost[0]}: …}}}}`"
            self.c.faults.add("E108", self.fact.span, message, label=label)

    def places(self, missing: Sequence[tuple[int, ...]]) -> str:
        said = [self.place(at) for at in missing[:FEW]]
        return ", ".join(said) + (", …" if len(missing) > FEW else "")

    def place(self, at: tuple[int, ...]) -> str:
        """As one asks for it."""
        if not self.indexes:
            return " ".join(map(str, at))
        named = [index.names[n - 1] if index.kind is not None else str(n) for index, n in zip(self.indexes, at, strict=True)]
        return f"`{', '.join(named)}`"


def _reach(found: Iterable[int]) -> range:
    there = set(found)
    return range(min(there), max(there) + 1) if there else range(0)


@dataclass(slots=True)
class _ByNames:
    """Reads entries of a table in which some indexes are names."""

    c: Opening
    indexes: tuple[Index, ...]
    base: int
    faults: Faults
    unit: str

    def read(self, node: Node) -> Rows:
        rows: Rows = {}
        self.fill(rows, (), node)
        return rows

    def fill(self, rows: Rows, at: tuple[int, ...], here: Node) -> None:
        if len(at) == len(self.indexes):
            if isinstance(here, Map | Seq):
                self.wrong_depth(here)
            else:
                rows[at] = work_out(here, self.c.scope, self.faults, unit=self.unit)
            return
        index = self.indexes[len(at)]
        match here:
            case Map():
                for key, value in here.entries:
                    if (place := self.place(index, key)) is not None:
                        self.fill(rows, (*at, place), value)
            case Seq(items=items):
                self.must_be_as_long(index, here)
                names = len(index.names) if index.kind is not None else len(items)
                for place, item in enumerate(items[:names], 1 if index.kind is not None else self.base):
                    self.fill(rows, (*at, place), item)
            case _:
                self.wrong_depth(here)

    def wrong_depth(self, here: Node) -> None:
        labels = ", ".join(f"`{index.label}`" for index in self.indexes)
        message = f"this table has {len(self.indexes)} index{'es' if len(self.indexes) > 1 else ''}: {labels}"
        label = "an entry is a number" if isinstance(here, Map | Seq) else "an entry for each of them stands inside the next"
        self.faults.add("E108", here.span, message, label=label)

    def place(self, index: Index, key: Scalar) -> int | None:
        """The place that a key stands for; None if there is nothing of that name here."""
        if index.kind is None:
            if isinstance(key.value, int) and not isinstance(key.value, bool):
                return key.value
            self.faults.add("E108", key.span, f"`{index.label}` is a number here", label="and so are its keys")
            return None
        word = str(key.value)
        if word in index.names:
            return index.names.index(word) + 1
        if word in self.c.world.known or index.may_be_away(word):
            return None
        hint = nearest(word, index.names)
        there = ", ".join(index.names[:12]) + (", …" if len(index.names) > 12 else "")
        label = f"did you mean `{hint}`?" if hint else ""
        self.faults.add(
            "E205", key.span, f"no {index.label} is called `{word}`", label=label, notes=(f"there are: {there or 'none'}",)
        )
        return None

    def must_be_as_long(self, index: Index, here: Seq) -> None:
        wanted, there = len(index.names), len(here.items)
        if index.kind is None or there == wanted or index.kind.form == "seat" and there > wanted:
            return
        message = f"there are {wanted} {plural(index.label)}, and this list has {there}"
        label = "in order: " + ", ".join(index.names[:12]) + (", …" if wanted > 12 else "")
        self.faults.add("E108", here.span, message, label=label)


def _by_numbers(c: Opening, node: Node, fact: Fact, faults: Faults, unit: str) -> Rows:
    """A table by numbers, as a map from its indexes to its values; lists count from where it says."""
    rows: Rows = {}
    told = False

    def fill(at: tuple[int, ...], here: Node) -> None:
        nonlocal told
        if isinstance(here, Map):
            for key, value in here.entries:
                if isinstance(key.value, int):
                    fill((*at, key.value), value)
                elif not told:
                    label = meant_by(c, fact, key.value)
                    told = bool(label)  # it is meant of all keys
                    faults.add("E108", key.span, "the keys of a table are numbers", label=label)
        elif isinstance(here, Seq):
            for place, value in enumerate(here.items, fact.base):
                fill((*at, place), value)
        else:
            rows[at] = work_out(here, c.scope, faults, unit=unit)

    if isinstance(node, Scalar):
        faults.add("E103", node.span, "a table is a list of numbers, or a map from numbers to numbers")
        return {}
    fill((), node)
    depths = {len(at) for at in rows}
    if len(depths) > 1:
        faults.add("E108", node.span, "some entries of this table have more indexes than others")
        return {at: value for at, value in rows.items() if len(at) == max(depths)}
    if _too_wide(rows):
        reaches = ", ".join(f"{min(of):,} to {max(of):,}" for of in zip(*rows, strict=True))
        message = f"there are more than {MOST_PLACES:,} places from the lowest to the highest entry of this table"
        faults.add("E108", node.span, message, label=f"its indexes go from {reaches}")
        return {}
    if fact.then is not None and all(len(at) == 1 for at in rows):
        scope = replace(c.scope, values=dict(c.scope.values))
        for n in range(max((at[0] for at in rows), default=fact.base - 1) + 1, TABLE_TAIL):
            if c.world.fixed_steps > MOST_STEPS:  # that has been told
                break
            scope.values["n"] = n
            rows[(n,)] = work_out(fact.then, scope, faults, unit=unit)
    return rows


def _too_wide(rows: Rows) -> bool:
    """Whether a table has too many places, filled or not: it is kept whole, from its lowest to its highest indexes."""
    reaches: list[int] = [max(of) - min(of) + 1 for of in zip(*rows, strict=True)]
    return prod(reaches) > MOST_PLACES


def _hold_to_shape(c: Opening, fact: Fact, rows: Rows) -> None:
    if not fact.shape:
        return
    if fact.shape not in ("increasing", "decreasing", "rising", "falling"):
        c.faults.add(
            "E109",
            fact.span,
            f"a table cannot be `{fact.shape}`",
            label="increasing, decreasing, rising (or equal) or falling (or equal)",
        )
        return
    for at in sorted(rows):
        after = (*at[:-1], at[-1] + 1)
        if after in rows and not in_shape(fact.shape, rows[at], rows[after]):
            c.faults.add(
                "E109",
                fact.span,
                f"the table `{fact.name}` is said to be {fact.shape}",
                label=f"but {rows[after]} follows {rows[at]}",
            )
            return


