"""What goes by a name before it has a number: the sorts of each family, and the names that a table is asked with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.given import MOST_SORTS, ROOTS
from ichiba.dsl.world.kinds import SEAT, Kind
from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.world import World
from ichiba.dsl.yaml.declarations import Fact, Items, PieceDecl
from ichiba.dsl.yaml.reading import Scalar

Rows = dict[tuple[int, ...], int]  # of a table: by numbers, and by the places of names among their kind, from 1
FEW = 4  # missing entries of a table that are told


@dataclass(frozen=True, slots=True)
class Wanted:
    """A sort of a family before it has its number."""

    item: Items
    home: PieceDecl  # who says so: the family's own declaration, or what adds to it
    words: tuple[tuple[str, str, str], ...] = ()  # `sorts_for`: the field, its kind, and the one that it is for

    @property
    def category(self) -> str:
        """What it says that it is, apart from its family."""
        node = dict(self.item.fields).get("is")
        return str(node.value) if isinstance(node, Scalar) else ""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of pieces as all files together say it."""

    decl: PieceDecl
    more: tuple[PieceDecl, ...]  # other files that add sorts to it


def families(c: Opening) -> dict[str, Family]:
    found: dict[str, Family] = {}
    for decl in c.box.pieces:
        if not decl.board and decl.name not in found:
            found[decl.name] = Family(decl, ())
    for decl in c.box.pieces:
        family = found.get(decl.name)
        if family is not None and decl is not family.decl:
            found[decl.name] = Family(family.decl, (*family.more, decl))
    return found


def sorts_wanted(c: Opening, family: Family) -> list[Wanted]:
    """Those that are listed, one for each of what it is for, or one of the family's own name."""
    decl = family.decl
    wanted = [Wanted(item, by) for by in (decl, *family.more) for item in by.items or ()]
    if wanted or decl.items is not None and not decl.sorts_for:
        return wanted
    if not decl.sorts_for:
        return [Wanted(Items(decl.name, (), decl.span), decl)]
    parts = [[(field, kind, name) for name in _parts(c, kind)] for field, kind in decl.sorts_for]
    keep_few(c, decl, prod(map(len, parts)))
    return [Wanted(Items(_composed(decl, words), (), decl.span), decl, words) for words in product(*parts)]


def keep_few(c: Opening, decl: PieceDecl, more: int) -> None:
    """Told before they are made: each with each of several lists are soon thousands of millions."""
    if len(c.world.sorts) + more > MOST_SORTS:
        c.faults.add("E529", decl.span, f"there are more than {MOST_SORTS:,} sorts of pieces in this game", label=f"{more:,} of `{decl.name}`")
        c.faults.raise_if_errors()


def _composed(decl: PieceDecl, words: tuple[tuple[str, str, str], ...]) -> str:
    """`kiki_open`, or as `named` says: `{way}_{artist}`."""
    name = decl.pattern
    for field, _, word in words:
        name = name.replace("{" + field + "}", word)
    return name


def _parts(c: Opening, what: str) -> tuple[str, ...]:
    """What sorts are made for: words, things, or the sorts of a family that stand in its list."""
    return () if is_made(c, what) else names_of(c, what)


def is_made(c: Opening, what: str) -> bool:
    """Whether these are sorts that are themselves made for something."""
    return any(decl.sorts_for and what in (decl.name, decl.category) for decl in c.box.pieces) and what not in c.world.enums


def names_of(c: Opening, what: str) -> tuple[str, ...]:
    """The words of an enumeration, the things of a kind, or the sorts of a family or category, in order."""
    world = c.world
    if what in world.enums:
        return world.enums[what].values
    sorts = tuple(dict.fromkeys(_sorts_called(c, what)))
    if sorts or what not in world.kinds:
        return sorts
    return tuple(p.name for p in sorted(c.protos, key=lambda p: p.id) if world.is_kind(p.kind, what))


def _sorts_called(c: Opening, category: str) -> Iterator[str]:
    """The sorts of a family or category."""
    for family in families(c).values():
        starts = {family.decl.name, family.decl.category, *_said_of_sorts(family)}
        if any(start == category or c.world.is_kind(start, category) for start in starts):
            for sort in sorts_wanted(c, family):
                if category in categories_of(c.world, family.decl, sort.category):
                    yield sort.item.name


def _said_of_sorts(family: Family) -> set[str]:
    nodes = (dict(item.fields).get("is") for by in (family.decl, *family.more) for item in by.items or ())
    return {str(node.value) for node in nodes if isinstance(node, Scalar)}


def categories_of(world: World, decl: PieceDecl, category: str) -> list[str]:
    """The names by which a zone can hold a sort: its family, its categories, and what those are kinds of."""
    names = [decl.name]
    for start in (category, decl.category):
        name = start
        while name and name not in ROOTS:
            names.append(name)
            name = world.kinds[name].parent if name in world.kinds else ""
    return list(dict.fromkeys(names))


# ---------------------------------------------------------------------------------------- indexes of tables


@dataclass(frozen=True, slots=True)
class Index:
    """What one index of a table is: numbers, or the names of what there is."""

    label: str
    kind: Kind | None  # None: numbers
    names: tuple[str, ...]
    most_seats: int = 0

    def may_be_away(self, word: str) -> bool:
        """Seats that do not play have their entries too."""
        return word.isdigit() and 1 <= int(word) <= self.most_seats


def is_named(c: Opening, label: str) -> bool:
    return _kind_called(c, label) is not None


def index_of(c: Opening, label: str) -> Index:
    kind = _kind_called(c, label)
    if kind is None:
        return Index(label, None, ())
    if kind == SEAT:
        seats = tuple(str(n) for n in range(1, c.config.seats + 1))
        return Index(label, kind, seats, c.box.seats[1] if c.box.seats else c.config.seats)
    return Index(label, kind, names_of(c, label))


def _kind_called(c: Opening, label: str) -> Kind | None:
    """What a table's index is called like: of that kind is what it is asked with. Else it is a word for people."""
    if label == "seat":
        return SEAT
    if label in c.world.enums:
        return Kind("enum", label)
    for decl in c.box.pieces:
        if label in (decl.name, decl.category) or label in _said_of_sorts(Family(decl, ())):
            return Kind("sort", label)
    parents = {item.name: item.parent or "thing" for rules in c.box.rules for item in rules.items if isinstance(item, t.Kind) and not item.added}
    if label not in parents:
        return None
    above, seen = label, {""}
    while above not in seen and above not in ROOTS:
        seen.add(above)
        above = parents.get(above, "")
    return Kind("sort" if above == "piece" else "thing", label)


def meant_by(c: Opening, fact: Fact, word: object) -> str:
    """What an index was to be called, whose keys are no numbers: the kind of which the table says the plural, or the nearest."""
    named = ["seat", *c.world.enums, *(decl.name for decl in c.box.pieces), *(decl.category for decl in c.box.pieces if decl.category)]
    named += [item.name for rules in c.box.rules for item in rules.items if isinstance(item, t.Kind)]
    for label in fact.index:
        near = next((name for name in named if plural(name) == label), "") or nearest(label, named)
        if near and near != label:
            return f"to go by names, the index is called `{near}`, not `{label}`"
    whose = next((name for name in named if str(word) in names_of(c, name)), None)
    return f"to go by names, say of which: `index: {whose}`" if whose is not None else ""
