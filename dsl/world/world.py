"""The box opened for one table: every sort, thing and member by number, for this many seats and these modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from ichiba.dsl.faults.source import Span
from ichiba.dsl.parts import name_of
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, number, set_of

FIRST_THING = 100_000


@dataclass(frozen=True, slots=True)
class Config:
    """What was chosen before the game. A module that lies elsewhere is chosen by the whole path of its folder."""

    seats: int
    modules: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, object], ...] = ()
    assumptions: tuple[tuple[str, object], ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of its modules and variants."""
        return tuple(map(name_of, (*self.modules, *self.variants)))


@dataclass(eq=False, slots=True)
class Enum:
    """An enumeration: its values are numbered from 0."""

    name: str
    values: tuple[str, ...]
    fields: dict[str, Field] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Field:
    """A fixed property of sorts, things or enumeration values. Sets are tuples of values."""

    name: str
    kind: Kind
    values: dict[int, int | tuple[int, ...]] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Sort:
    """What alike pieces have in common."""

    id: int
    name: str
    family: str
    owner: int | None = None
    side: str = ""
    number: int = 0
    individual: bool = False
    kind: str = ""  # of its pieces, where they exist one by one
    thing: int = -1  # the board or thing that this sort is for
    key: str = ""
    span: Span | None = None
    parts: tuple[tuple[int, Kind], ...] = ()  # what it is made for, where that is several
    named: tuple[str | int, ...] = ()  # how its name is put together: words, and parts by their place

    @property
    def full_name(self) -> str:
        return self.name + (f"_{self.side}" if self.side else "")


@dataclass(frozen=True, slots=True)
class Component:
    """What lies in the box and no rule names; its sorts, if it has any, and how many there are of each, or of it."""

    name: str
    sorts: tuple[tuple[str, int], ...]  # a single one without a name: there is one sort
    per_seat: bool = False


@dataclass(eq=False, slots=True)
class Thing:
    """Something that exists one by one: a board, a station, a boat."""

    id: int
    name: str
    kind: str
    sort: int = -1
    title: dict[str, str] = field(default_factory=dict)
    look: dict[str, object] = field(default_factory=dict)
    home: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """What pieces forget in a zone: these notes, or everything but these."""

    names: tuple[str, ...] = ()
    everything: bool = False

    def keeps(self, note: str) -> bool:
        return (note in self.names) == self.everything

    def keeping(self, notes: tuple[str, ...]) -> Memory:
        """With these kept from now on."""
        return self._with(notes) if self.everything else self._without(notes)

    def forgetting(self, notes: tuple[str, ...]) -> Memory:
        """With these forgotten from now on."""
        return self._without(notes) if self.everything else self._with(notes)

    def _with(self, notes: tuple[str, ...]) -> Memory:
        return Memory(tuple(dict.fromkeys((*self.names, *notes))), self.everything)

    def _without(self, notes: tuple[str, ...]) -> Memory:
        return Memory(tuple(name for name in self.names if name not in notes), self.everything)


@dataclass(eq=False, slots=True)
class Member:
    """A place in the state that belongs to the table, to each seat or to each thing of a kind.

    `dims` are the low value and the size of the owner (if any) and of each index."""

    name: str
    owner: str
    form: str  # counter, flag, purse, zone, remember, note, place
    kind: Kind
    dims: tuple[tuple[int, int], ...]
    index: tuple[Kind, ...] = ()
    low: int | None = None
    high: int | None = None
    start: t.Expr | None = None
    sorts: tuple[int, ...] = ()  # what can lie in a zone
    memory: Memory = Memory()  # what its pieces forget in a zone
    most: t.Expr | None = None
    limit: int | None = None  # how many pieces a zone is promised never to hold more of
    words: dict[str, t.Word] = field(default_factory=dict)
    span: Span | None = None
    home: str = ""
    internal: str = ""  # what the engine keeps it for; an author's own members have nothing here
    promise: str = ""  # of a purse into which a rule sets money aside: how the rule calls it
    base: int = -1  # given by the layout
    owner_at: int | None = None  # which index says whose sorts a zone holds
    own: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by that index: these sorts

    @property
    def full_name(self) -> str:
        return f"{self.owner}.{self.name}"

    @property
    def width(self) -> int:
        """How many numbers stand for one zone: one for each sort that can lie there."""
        if self.form != "zone":
            return 1
        return len(self.sorts) if self.owner_at is None else max(map(len, self.own.values()), default=0)

    @property
    def size(self) -> int:
        total = self.width
        for _, size in self.dims:
            total *= size
        return total

    @property
    def unlimited(self) -> bool:
        return "unlimited" in self.words

    def place(self, at: Iterable[int]) -> int:
        offset = 0
        for value, (low, size) in zip(at, self.dims, strict=True):
            if not 0 <= value - low < size:
                raise IndexError(f"{self.full_name} has no place {value}")
            offset = offset * size + value - low
        return self.base + offset * self.width


def owner_position(member: Member) -> int | None:
    """Which of a member's indexes says whose it is: its seat, or the first index that is a seat."""
    if member.owner == "seat":
        return 0
    first = len(member.dims) - len(member.index)
    for at, kind in enumerate(member.index):
        if kind.form == "seat":
            return first + at
    return None


def indexes(member: Member) -> Iterator[tuple[int, ...]]:
    """Every owner and index that a member has a place for."""
    return product(*(range(low, low + size) for low, size in member.dims))


@dataclass(eq=False, slots=True)
class KindDef:
    """A kind of thing and what it has. `things` are all of it, sub-kinds included, numbered without a gap."""

    name: str
    parent: str
    root: str  # thing, board, piece, node, edge
    span: Span | None = None
    things: list[int] = field(default_factory=list)  # one number after the other, those of narrower kinds too
    members: dict[str, Member] = field(default_factory=dict)
    fields: dict[str, Field] = field(default_factory=dict)
    menus: set[str] = field(default_factory=set)
    declared: bool = False


@dataclass(eq=False, slots=True)
class Table:
    """Fixed numbers by index."""

    name: str
    kind: Kind
    rows: dict[tuple[int, ...], int]
    span: Span
    shape: str = ""
    kinds: tuple[Kind | None, ...] = ()  # of its indexes, where some are names; None: numbers
    names: tuple[tuple[str, ...], ...] = ()  # by index: which name is the first, the second …


@dataclass(eq=False, slots=True)
class Grid:
    """Places of a kind in rows and columns, both counted from 1. In a `hex` one every second row stands half a place to the right."""

    kind: str
    rows: int
    columns: int
    hex: bool = False
    corners: bool = False  # what touches at a corner lies beside too
    cells: dict[tuple[int, int], int] = field(default_factory=dict)  # by row and column


@dataclass(eq=False, slots=True)
class Net:
    """All single steps from place to place: from where, over which connection (-1 in a grid), where to."""

    low: int  # the number of the first place
    size: int  # how many places there are; their numbers follow each other
    steps: tuple[tuple[int, int, int], ...]

    def __repr__(self) -> str:
        return f"Net({self.size} places, {len(self.steps)} steps)"


@dataclass(eq=False, slots=True, repr=False)
class World:
    """All of it, found by name."""

    config: Config
    units: dict[str, tuple[str, int]] = field(default_factory=dict)  # how it is written, step
    singles: dict[str, str] = field(default_factory=dict)  # how one of a unit is written
    written: dict[tuple[str, str], str] = field(default_factory=dict)  # ¥ and nothing behind it: yen
    numbers: dict[str, tuple[int, Kind]] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    options: dict[str, tuple[object, Kind]] = field(default_factory=dict)
    choosable: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of each option that is a list: what may be in it
    sorts: list[Sort] = field(default_factory=list)
    families: dict[str, list[int]] = field(default_factory=dict)
    categories: dict[str, list[int]] = field(default_factory=dict)  # families too
    sort_fields: dict[str, dict[str, Field]] = field(default_factory=dict)  # by name and family
    components: list[Component] = field(default_factory=list)
    kinds: dict[str, KindDef] = field(default_factory=dict)
    things: list[Thing] = field(default_factory=list)
    table: dict[str, Member] = field(default_factory=dict)
    seat: dict[str, Member] = field(default_factory=dict)
    places: dict[str, Member] = field(default_factory=dict)  # by family root: where each individual lies
    costs: dict[tuple[int, str], t.Cost] = field(default_factory=dict)
    starts: dict[int, str] = field(default_factory=dict)  # sort to the zone it begins in
    groups: dict[int, str] = field(default_factory=dict)  # thing to the board whose file declares it
    known: dict[str, str] = field(default_factory=dict)  # names of modules that are off
    endings: tuple[str, ...] = ()
    grids: list[Grid] = field(default_factory=list)
    nets: dict[bool, Net] = field(default_factory=dict)  # see `nets.py`: all steps, and those over connections
    texts: list[dict[str, str]] = field(default_factory=list)  # what fields of type `text` say, by language
    closely: bool = field(default=False, compare=False, repr=False)  # every step of its rules is counted: nobody vouches for it
    fixed_steps: int = field(default=0, compare=False, repr=False)  # so many have been taken to work out what is fixed before the game

    def __repr__(self) -> str:
        return f"World({len(self.kinds)} kinds, {len(self.things)} things, {len(self.sorts)} sorts)"

    def unit_named(self, name: str) -> str | None:
        """`ap`, `coins`, or the word that stands behind an amount as it is written."""
        if name in self.units:
            return name
        written = self.written.get(("", name))
        return written or next((unit for unit in self.units if name in (unit + "s", plural(unit))), None)

    def written_with(self, sign: str, behind: str = "") -> str | None:
        """The unit of which an amount is written like `$5`, or with a word behind it `$5k`."""
        return self.written.get((sign, behind))

    def how_many(self, name: str) -> int | None:
        """The pieces of a family, a category or a sort, wherever they lie."""
        ids = self.categories.get(name) or [sort.id for sort in self.sorts if sort.name == name]
        return sum(self.sorts[id].number for id in ids) if ids else None

    def thing(self, id: int) -> Thing:
        return self.things[id - FIRST_THING]

    def is_kind(self, name: str, ancestor: str) -> bool:
        while name:
            if name == ancestor:
                return True
            name = self.kinds[name].parent if name in self.kinds else ""
        return False

    def members(self) -> list[Member]:
        """Every place of the state, in the order of its declaration."""
        found = [*self.table.values(), *self.seat.values()]
        for kind in self.kinds.values():
            found.extend(kind.members.values())
        found.extend(self.places.values())
        return found

    def domain(self, kind: Kind) -> tuple[int, int] | None:
        """Lowest value and size of an index kind; None when it has no fixed extent."""
        match kind.form:
            case "seat":
                return 0, self.config.seats
            case "flag":
                return 0, 2
            case "enum":
                return 0, len(self.enums[kind.name].values)
            case "sort":
                ids = self.categories.get(kind.name, [])
                return (min(ids), max(ids) - min(ids) + 1) if ids else (0, 0)
            case "thing":
                ids = self.kinds[kind.name].things if kind.name in self.kinds else []
                return (min(ids), len(ids)) if ids else (FIRST_THING, 0)
            case _:
                return None

    def values(self, kind: Kind) -> tuple[int, ...]:
        """Every value of a finite kind, in order."""
        match kind.form:
            case "sort":
                return tuple(self.categories.get(kind.name, ()))
            case "thing":
                return tuple(self.kinds[kind.name].things) if kind.name in self.kinds else ()
            case _:
                domain = self.domain(kind)
                return tuple(range(domain[0], domain[0] + domain[1])) if domain else ()

    def element(self, category: str) -> Kind:
        """What one finds in a zone of this category: things one by one, or counted pieces."""
        ids = self.categories.get(category, [])
        if ids and all(self.sorts[i].individual for i in ids):
            return Kind("thing", category)
        return Kind("piece", category)

    def text(self, value: int, lang: str) -> str:
        """A field of type `text`, in a language."""
        texts = self.texts[value] if value >= 0 else {}
        return texts.get(lang) or texts.get("en") or next(iter(texts.values()), "")

    def name_of(self, value: int, kind: Kind) -> str:
        """How a value is spelled in keys and logs."""
        if value == -1 and (kind.optional or kind.form in ("thing", "seat", "enum", "sort", "piece")):
            return "none"
        match kind.form:
            case "seat":
                return str(value + 1)
            case "flag":
                return "yes" if value else "no"
            case "enum":
                return self.enums[kind.name].values[value]
            case "sort":
                return self.sorts[value].key or self.sorts[value].full_name
            case "thing" | "piece" if value >= FIRST_THING:
                return self.thing(value).name
            case "word":
                return self.text(value, "en")
            case _:
                return str(value)


def field_of_family(world: World, name: str, family: str, kind: Kind) -> Field:
    """The field that all sorts of a family have."""
    return world.sort_fields.setdefault(name, {}).setdefault(family, Field(name, kind))


def unit_kind(world: World, unit: str) -> Kind:
    return number(unit) if unit else NUMBER


def kind_named(world: World, name: str) -> Kind | None:
    """The type that a plain name stands for in a declaration."""
    if name == "number":
        return NUMBER
    if name == "flag":
        return FLAG
    if name == "seat":
        return SEAT
    if name == "seats":
        return set_of(SEAT)
    if name in world.units:
        return number(name)
    if name in world.enums:
        return Kind("enum", name)
    if name in world.kinds:
        kind = world.kinds[name]
        if kind.root != "piece" or name not in world.categories:
            return Kind("thing", name)
        if kind.things:
            return world.element(name)  # some of them may be counted
    if name in world.categories:
        return Kind("sort", name)
    if name in ("thing", "things"):
        return Kind("thing", "thing")
    return None
