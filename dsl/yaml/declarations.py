"""What is in the box: the YAML of a ruleset, read into declarations. Nothing is worked out here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ichiba.dsl.faults.fault import Faults, RulesetFaults, nearest, quote
from ichiba.dsl.faults.source import Embedded, Source, Span
from ichiba.dsl.files.folders import files_below, is_hidden
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.lexer import word_fault
from ichiba.dsl.syntax.parse import LONGEST_WORD, parse_items, taken_words
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, read_yaml

LANGUAGE = 2
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,8})?\Z")
Title = dict[str, str]


@dataclass(frozen=True, slots=True)
class Fact:
    """A number, table or property: its value as written, and where it comes from."""

    name: str
    value: Node
    span: Span
    home: str
    unit: str = ""
    source: str = ""
    assumption: str = ""
    why: str = ""
    base: int = 1
    then: Node | None = None
    shape: str = ""
    least: Node | None = None  # what a number, or an entry of a table, is at least, however it is overridden
    most: Node | None = None
    was: Fact | None = None  # what a module has changed it from
    index: tuple[str, ...] = ()  # of a table: what each index is called; a kind, a family, or words for people


@dataclass(frozen=True, slots=True)
class Unit:
    name: str
    write: str
    one: str  # how a single one is written
    step: int
    span: Span


@dataclass(frozen=True, slots=True)
class Change:
    """`change: {price: [3, 5]}` in a module: a number, a table or a list of sorts that is declared elsewhere is another."""

    name: str
    node: Node
    span: Span
    home: str
    items: tuple[Items, ...] | None  # of a list of sorts


@dataclass(frozen=True, slots=True)
class OptionDecl:
    """A choice made before the game: a flag, one of some words or things, a number in a range, a seat, a list of boards."""

    name: str
    form: str  # flag, one_of, thing, number, seat, list_of
    words: tuple[str, ...]
    low: Node | None
    high: Node | None
    default: Node | None
    span: Span
    home: str
    title: Title
    source: str = ""
    where: Node | None = None  # of a list: which boards may be in it
    refusal: str = ""  # and why others may not


@dataclass(frozen=True, slots=True)
class Items:
    """Individuals or sorts with their fields: `{name: {field: value}}`, already in order."""

    name: str
    fields: tuple[tuple[str, Node], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SortDecl:
    """An enumeration: `sorts: {side: [left, right]}`."""

    name: str
    items: tuple[Items, ...]
    span: Span
    home: str


@dataclass(frozen=True, slots=True)
class PieceDecl:
    """A family of pieces and its sorts."""

    name: str
    category: str
    items: tuple[Items, ...] | None
    number: Node | None
    sorts_for: tuple[tuple[str, str], ...]  # field and kind: one sort for each; of several, for each of one with each of the others
    place: str
    per_seat: bool
    individual: bool
    sides: tuple[str, ...]
    key: str
    assumption: str
    span: Span
    home: str
    board: str = ""
    place_span: Span | None = None
    named: str = ""  # how sorts that are made by `sorts_for` are called
    says: tuple[tuple[str, Span], ...] = ()  # its keys: where a family is there already only sorts are added to it

    @property
    def pattern(self) -> str:
        """How these sorts are called, with their fields in braces."""
        return self.named or "_".join("{" + field + "}" for field, _ in self.sorts_for)


@dataclass(frozen=True, slots=True)
class ComponentDecl:
    """What lies in the box and no rule names: `screen: {count: 1, per: seat}`, `coin: {sorts: {¥1: 14, ¥5: 9}}`, `bag: 1`."""

    name: str
    count: Node | None
    sorts: tuple[tuple[str, Node], ...]  # what people call each sort, or its name in the texts; and how many there are
    per_seat: bool
    span: Span
    home: str


@dataclass(frozen=True, slots=True)
class GridDecl:
    """`grid: 9 x 12`: places in rows and columns."""

    size: Node
    hex: bool
    corners: bool
    without: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True)
class ThingDecl:
    """Individuals of a kind: so many, one for each of something, listed, in a grid, or taken from a map file."""

    kind: str
    number: Node | None
    one_for: tuple[str, Node] | None
    items: tuple[Items, ...]
    start: str  # a key of the map file
    edges: bool
    span: Span
    home: str
    board: str = ""
    assumption: str = ""
    grid: GridDecl | None = None


@dataclass(frozen=True, slots=True)
class BoardDecl:
    """One board file."""

    name: str
    kind: str
    title: Title
    fields: tuple[tuple[str, Node], ...]
    assumptions: tuple[tuple[str, str], ...]
    source: str
    span: Span
    home: str
    path: str
    about: str = ""
    kind_span: Span | None = None
    keys: tuple[str, ...] = ()  # what every board may say, besides the fields of its kind


@dataclass(frozen=True, slots=True)
class RulesText:
    """The rules of one file, and whose they are: a module's, a board's."""

    items: tuple[t.Item, ...]
    home: str
    board: str
    path: str


@dataclass(slots=True, repr=False)
class Box:
    """Everything a ruleset with its switched-on modules declares."""

    name: str = ""
    named_at: Span | None = None
    path: Path | None = None
    title: Title = field(default_factory=dict)
    about: Title = field(default_factory=dict)
    seats: tuple[int, int] = (1, 1)
    source: str = ""
    cites: bool = False
    uses: dict[str, Span] = field(default_factory=dict)  # files of the library, and where it is said
    map_file: Node | None = None
    units: list[Unit] = field(default_factory=list)
    numbers: list[Fact] = field(default_factory=list)
    tables: list[Fact] = field(default_factory=list)
    sorts: list[SortDecl] = field(default_factory=list)
    pieces: list[PieceDecl] = field(default_factory=list)
    components: list[ComponentDecl] = field(default_factory=list)
    things: list[ThingDecl] = field(default_factory=list)
    absent_things: list[ThingDecl] = field(default_factory=list)  # of modules that are off, but may read the map too
    absent_fields: set[tuple[str, str]] = field(default_factory=set)  # by kind: those that such modules add
    boards: list[BoardDecl] = field(default_factory=list)
    board_homes: dict[str, str] = field(default_factory=dict)
    board_home_spans: dict[str, tuple[Span, Span]] = field(default_factory=dict)  # of the kind and of the zone
    options: list[OptionDecl] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    rules: list[RulesText] = field(default_factory=list)
    used: list[tuple[str, str, Span]] = field(default_factory=list)  # patterns that are used: as what, by whom, and where
    modules: dict[str, ModuleFile] = field(default_factory=dict)
    endings: dict[str, Title] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    titles: list[Titled] = field(default_factory=list)
    off: dict[str, tuple[str, Path]] = field(default_factory=dict)  # modules and variants that are not switched on
    memory: Memory = field(default_factory=Memory)  # the files as they were read
    elsewhere: tuple[Path, ...] = ()  # the folders of modules that do not lie in the game's

    def __repr__(self) -> str:
        return f"Box({self.name!r}, {len(self.sources)} files)"


@dataclass(frozen=True, slots=True)
class Titled:
    """Something with a title, or without one that it should have."""

    what: str
    title: Title
    span: Span
    needed: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """Options that do not go together: `{when: snow and rain, because: it is warm or cold}`."""

    when: Node
    because: str
    span: Span


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """What a module or variant says of itself."""

    name: str
    what: str  # module or variant
    title: Title
    about: Title
    needs: tuple[str, ...]
    after: tuple[str, ...]  # what it comes behind, if that is switched on
    excludes: tuple[str, ...]
    seats: tuple[int, int] | None
    path: Path
    span: Span
    named_at: Mapping[str, Span]  # where it says that it needs another, comes after it, or never goes together with it

    def comes_after(self, other: str) -> bool:
        """Whether it says so of the other one."""
        return other in self.needs or other in self.after


class Keys:
    """Reads the keys of one YAML map; what nobody asked for is a fault in the end."""

    def __init__(self, node: Node | None, faults: Faults, what: str):
        self.faults = faults
        self.what = what
        self.meant: dict[str, str] = {}  # what others call it: the key that it is here
        self.asked: list[str] = []
        self.span: Span | None = node.span if node is not None else None
        self.entries: dict[str, tuple[Scalar, Node]] = {}
        if isinstance(node, Map):
            for key, value in node.entries:
                self.entries[str(key.value)] = (key, value)
        elif node is not None:
            faults.add("E103", node.span, f"{what} must be a map of keys and values")

    def node(self, key: str) -> Node | None:
        self.asked.append(key)
        found = self.entries.get(key)
        return found[1] if found else None

    def key_span(self, key: str) -> Span:
        return self.entries[key][0].span

    def value_span(self, key: str) -> Span:
        """The place of a value, or of the whole map when it is not there."""
        assert self.span is not None
        return self.entries[key][1].span if key in self.entries else self.span

    def need(self, key: str, example: str) -> Node | None:
        node = self.node(key)
        if node is None and self.span is not None:
            self.faults.add("E102", self.span, f"{self.what} has no `{key}`", label=f"for example `{key}: {example}`")
        return node

    def text(self, key: str, default: str = "") -> str:
        node = self.node(key)
        if node is None:
            return default
        if isinstance(node, Scalar) and node.value is not None and not isinstance(node.value, bool):
            return str(node.value)
        self.faults.add("E103", node.span, f"`{key}` must be a text")
        return default

    def name(self, key: str, default: str = "") -> str:
        node = self.node(key)
        if node is None:
            return default
        return plain_name(node, self.faults)

    def flag(self, key: str, default: bool = False) -> bool:
        node = self.node(key)
        if node is None:
            return default
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self.faults.add("E103", node.span, f"`{key}` must be true or false")
        return default

    def whole(self, key: str, default: int) -> int:
        node = self.node(key)
        if node is None:
            return default
        if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
            return node.value
        self.faults.add("E103", node.span, f"`{key}` must be a whole number")
        return default

    def names(self, key: str) -> tuple[str, ...]:
        return tuple(name for name, _ in self.names_at(key))

    def names_at(self, key: str) -> list[tuple[str, Span]]:
        """Names of a list, each with its place."""
        node = self.node(key)
        return [(plain_name(item, self.faults), item.span) for item in sequence(node, self.faults, key)]

    def free_names(self, key: str) -> tuple[str, ...]:
        """Names that rules mention by themselves."""
        for item in sequence(self.node(key), self.faults, key):
            free_name(item, self.faults)
        return self.names(key)

    def title(self, key: str) -> Title:
        return title_of(self.node(key), self.faults)

    def pairs(self, key: str) -> list[tuple[Scalar, Node]]:
        """A map, whatever its keys are."""
        node = self.node(key)
        if node is None:
            return []
        if not isinstance(node, Map):
            self.faults.add("E103", node.span, f"`{key}` must be a map of names")
            return []
        return list(node.entries)

    def map(self, key: str) -> list[tuple[Scalar, Node]]:
        entries = self.pairs(key)
        for name, _ in entries:
            plain_name(name, self.faults)
        return entries

    def named(self, key: str, types: bool = False) -> list[tuple[Scalar, Node]]:
        """A map whose keys are names that rules will mention, some of them as types: `luck: one of here or there`."""
        entries = self.map(key)
        for name, _ in entries:
            free_name(name, self.faults, frozenset({"one"}) if types else frozenset())
        return entries

    def rest(self) -> Iterator[tuple[str, Node]]:
        """The keys nobody has asked for yet."""
        for key, (_, node) in self.entries.items():
            if key not in self.asked:
                yield key, node

    def finish(self) -> None:
        for key in self.entries:
            if key not in self.asked:
                unknown_key(key, self.key_span(key), self.asked, self.what, self.faults, self.meant.get(key))


def unknown_key(
    key: str, span: Span, known: Iterable[str], what: str, faults: Faults, meant: str | None = None
) -> None:
    known = list(dict.fromkeys(known))
    hint = meant or nearest(key, known)
    label = f"did you mean `{hint}`?" if hint else ""
    faults.add("E101", span, f"{what} has no key `{key}`", label=label, notes=("its keys: " + ", ".join(known),))


def shown_folder(folder: Path) -> str:
    """A folder as one types it where one is."""
    here = Path.cwd()
    return str(folder.relative_to(here)) if folder.is_relative_to(here) and folder != here else str(folder)


def plain_name(node: Node, faults: Faults) -> str:
    if isinstance(node, Scalar) and isinstance(node.value, str) and _NAME.match(node.value):
        if len(node.value) > LONGEST_WORD:
            label = f"this one has {len(node.value):,}"
            faults.add("E104", node.span, f"a name has at most {LONGEST_WORD} characters", label=label)
        return node.value
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    faults.add("E104", node.span, "a name is written in small letters, digits and _", label="like `two_slot`")
    return str(value or "")


def free_name(node: Node, faults: Faults, more: frozenset[str] = frozenset()) -> None:
    """A name that rules mention by itself cannot be one of the language's own words."""
    if isinstance(node, Scalar) and node.value in taken_words() | more:
        message, label = word_fault(str(node.value))
        faults.add("E104", node.span, message, label=label)


def sequence(node: Node | None, faults: Faults, what: str) -> tuple[Node, ...]:
    if node is None:
        return ()
    if isinstance(node, Seq):
        return node.items
    if isinstance(node, Scalar):
        return (node,)
    faults.add("E103", node.span, f"`{what}` must be a list")
    return ()


def title_of(node: Node | None, faults: Faults) -> Title:
    if node is None:
        return {}
    if isinstance(node, Scalar):
        return {"en": str(node.value)}
    if isinstance(node, Map):
        return {str(key.value): _title_in(key, value, faults) for key, value in node.entries}
    faults.add("E103", node.span, "a title is a text, or a map from languages to texts")
    return {}


def _title_in(language: Scalar, node: Node, faults: Faults) -> str:
    """`{en: Fish, fresh}` says two things: that is how a comma without quotes shows."""
    if not _LANGUAGE.match(str(language.value)):
        faults.add("E103", language.span, f"{quote(str(language.value))} is no language", label="a text with a comma in it needs quotes")
    elif not isinstance(node, Scalar) or node.value is None:
        faults.add("E103", node.span, f"the words in `{language.value}` must be a text")
    return str(node.value) if isinstance(node, Scalar) else ""


# ---------------------------------------------------------------------------------------------- the files


MOST_BRACES = 15_000  # in all files of one game; our largest have some 400


class Reader:
    """Reads the files of one ruleset, its library and its modules."""

    def __init__(self, faults: Faults, memory: Memory | None = None, folder: Path | None = None):
        self.faults = faults
        self.box = Box(path=folder, memory=memory or Memory())
        self.first: dict[tuple[str, str], tuple[Span, str]] = {}  # what is declared under a name: where, and by whom
        self.braces = 0

    def yaml(self, path: Path) -> Node | None:
        source = self._source(path)
        node = read_yaml(source, self.faults) if source is not None else None
        self.faults.unread |= node is None
        return node

    def _source(self, path: Path) -> Source | None:
        """The text of a file, if it can be read and all files together do not come to too much."""
        source = self.box.memory.source(path, self.shown(path), self.faults)
        if source is None or source in self.box.sources:
            return source
        self.box.sources.append(source)
        had, self.braces = self.braces, self.braces + source.text.count("{")
        if had <= MOST_BRACES < self.braces:
            message = f"with this file there are {self.braces:,} braces `{{…}}` in the rules and declarations; {MOST_BRACES:,} are the most"
            self.faults.add("E204", Embedded.whole(source).span(0, 1), message, label="what stands in each is read as a sentence of its own")
        return source if self.braces <= MOST_BRACES else None

    def shown(self, path: Path) -> str:
        roots = (*self.box.elsewhere, *(() if self.box.path is None else (self.box.path.parent,)))
        for root in roots:
            if path.is_relative_to(root):
                return path.relative_to(root.parent if root in self.box.elsewhere else root).as_posix()
        return path.name

    def game(self, folder: Path) -> None:
        box = self.box
        box.path = folder
        keys = Keys(self.yaml(folder / "game.yaml"), self.faults, "game.yaml")
        if keys.span is None:
            return
        box.name, box.named_at = keys.name("game", folder.name), keys.value_span("game")
        self._language(keys)
        box.title, box.about = self._title(keys, "the game", "game"), keys.title("about")
        box.seats = self._seats(keys.need("seats", "2 to 4")) or (1, 12)
        box.source = keys.text("source")
        box.cites = bool(box.source)
        box.uses = dict(keys.names_at("uses"))
        box.map_file = keys.node("map")
        for name, node in keys.map("boards"):
            box.board_homes[str(name.value)] = plain_name(node, self.faults)
            box.board_home_spans[str(name.value)] = (name.span, node.span)
        self._endings(keys, "")
        self._declarations(keys, "", "")
        keys.finish()
        self._rules_files(folder, "")
        self._board_files(folder, "")

    def _language(self, keys: Keys) -> None:
        """What is written in another version is not read: every sentence might be wrong, or mean something else."""
        node = keys.node("language")
        if isinstance(node, Scalar) and node.value == LANGUAGE:
            return
        upgrade = f"`ichiba fmt --upgrade {shown_folder(self.box.path or Path())}` makes version {LANGUAGE} of it"
        if node is None:
            message = "it is not said in which version of the language this is written"
            label = f"write `language: {LANGUAGE}`; of version 1 {upgrade}"
        elif isinstance(node, Scalar) and node.value == 1:
            message, label = f"this is version 1 of the language; version {LANGUAGE} is spoken here", upgrade
        else:
            said = quote(node.span.text)
            message, label = f"this is version {said} of the language; version {LANGUAGE} is spoken here", "a newer Ichiba is needed"
        self.faults.add("E105", node.span if node is not None else keys.span, message, label=label)
        raise RulesetFaults(self.faults.all)

    def _seats(self, node: Node | None) -> tuple[int, int] | None:
        if node is None:
            return None
        text = str(node.value) if isinstance(node, Scalar) else ""
        found = re.fullmatch(r"(\d{1,2})(?: to (\d{1,2}))?", text)
        if found:
            low, high = int(found[1]), int(found[2] or found[1])
            if 1 <= low <= high <= 12:
                return low, high
        parts = re.findall(r"\d+", text)
        label = f"write `{parts[0]} to {parts[1]}`" if len(parts) == 2 and int(parts[0]) <= int(parts[1]) else "between 1 and 12"
        self.faults.add("E106", node.span, "the number of seats is written `2 to 4` or `3`", label=label)
        return None

    def module(self, path: Path, what: str) -> None:
        """A module's folder, a variant's file or folder."""
        folder = path.parent if path.name in ("module.yaml", "variant.yaml") else None
        keys = Keys(self.yaml(path), self.faults, path.name)
        if keys.span is None:
            return
        name = self._named_like(keys, what, path if folder is None else folder)
        self._for_this_game(keys)
        needs, after, excludes = (dict(keys.names_at(key)) for key in ("needs", "after", "excludes"))
        self.box.modules[name] = ModuleFile(
            name,
            what,
            self._title(keys, f"the {what} `{name}`", what),
            keys.title("about"),
            tuple(needs),
            tuple(after),
            tuple(excludes),
            self._seats(keys.node("seats")),
            path,
            keys.value_span(what),
            needs | after | excludes,
        )
        self._endings(keys, name)
        self._declarations(keys, name, "")
        for changed, node in keys.map("change"):
            of_sorts = any(decl.name == changed.value for decl in self.box.sorts)
            items = self._items(node, "a sort") if of_sorts else None
            self.box.changes.append(Change(str(changed.value), node, changed.span, name, items))
        keys.finish()
        if folder is not None:
            self._rules_files(folder, name)
            self._board_files(folder, name)

    def _title(self, keys: Keys, what: str, key: str = "") -> Title:
        """A title; `key`: by which other key it is known, where a title must not be missing."""
        title = keys.title("title")
        if keys.span is not None:
            span = keys.value_span("title") if "title" in keys.entries else keys.value_span(key)
            self.box.titles.append(Titled(what, title, span, bool(key)))
        return title

    def _endings(self, keys: Keys, home: str) -> None:
        for name, node in keys.map("endings"):
            if self._declared_first("ending", name, home):
                title = self.box.endings[str(name.value)] = title_of(node, self.faults)
                self.box.titles.append(Titled(f"the ending `{name.value}`", title, name.span, False))

    def _declared_first(self, what: str, name: Scalar, home: str) -> bool:
        """Whether this is the first declaration of a name. A second one is a fault: which of them would hold?"""
        first, other = self.first.setdefault((what, str(name.value)), (name.span, home))
        if first is name.span:
            return True
        can_change = what in ("number", "table", "list of sorts") and home
        label = f"to change it write `change: {{{name.value}: …}}`" if can_change else "one of them needs another name"
        if home == other:
            self.faults.add(
                "E206", name.span, f"the {what} `{name.value}` is declared twice", label=label, second=(first, "first here")
            )
        else:
            both = f"`{home}` and {f'`{other}`' if other else 'the game'}"
            self.faults.add(
                "E403", name.span, f"{both} both declare the {what} `{name.value}`", label=label, second=(first, "also here")
            )
        return False

    def _named_like(self, keys: Keys, what: str, place: Path) -> str:
        """What a module, a variant or a board is called: like its file or folder, for by that name it is found."""
        kind, own = ("file", place.stem) if place.suffix == ".yaml" else ("folder", place.name)
        name = keys.name(what, own)
        if name != own:
            label = f"its {kind} is `{place.name}`: write `{what}: {own}`, or rename the {kind}"
            self.faults.add("E413", keys.value_span(what), f"this {what} is called `{name}`", label=label)
        return own

    def _is_copy(self, keys: Keys, path: Path) -> bool:
        """Whether this is another board's file copied, its name and all: whatever it says is then said already."""
        node = keys.entries["board"][1] if "board" in keys.entries else None
        named = str(node.value) if isinstance(node, Scalar) else path.stem
        first = next((board for board in self.box.boards if board.name == named), None)
        boards = next(folder for folder in path.parents if folder.name == "boards")
        if named == path.stem or first is None and not any(file.stem == named for file in files_below(boards, ".yaml")):
            return False
        self.faults.add(
            "E413",
            keys.value_span("board"),
            f"there is a board `{named}` already",
            label=f"this file is `{path.name}`: write `board: {path.stem}`, and other names for what it brings",
            second=(first.span, "here") if first is not None else None,
        )
        self.faults.lost.add(path.stem)
        return True

    def _for_this_game(self, keys: Keys) -> None:
        """`for: my_game` in a module: so that nobody looks for its rules in another game."""
        game = keys.name("for", self.box.name)
        if self.box.name and game != self.box.name:
            label = f"this game is `{self.box.name}`"
            self.faults.add("E413", keys.value_span("for"), f"this is said to be for the game `{game}`", label=label)

    def library(self, path: Path) -> None:
        self._rules_file(path, f"library.{path.stem}")

    def shelf(self, path: Path) -> RulesText | None:
        """A file of the library of which patterns are used; read once, whoever uses it."""
        source = self._source(path)
        if source is None:
            return None
        return RulesText(parse_items(Embedded.whole(source), self.faults), f"library.{path.stem}", "", source.path)

    def _rules_files(self, folder: Path, home: str) -> None:
        for path in sorted(folder.glob("*.rules")):
            self._rules_file(path, home)

    def _rules_file(self, path: Path, home: str) -> None:
        source = self._source(path)
        if source is None:
            self.faults.unread = True
        else:
            items = parse_items(Embedded.whole(source), self.faults)
            self.box.rules.append(RulesText(items, home, "", source.path))

    def _board_files(self, folder: Path, home: str) -> None:
        for path in files_below(folder / "boards", ".yaml"):
            self._board(path, home)

    def _board(self, path: Path, home: str) -> None:
        keys = Keys(self.yaml(path), self.faults, "a board")
        if keys.span is None:
            return
        if self._is_copy(keys, path):
            return
        name = self._named_like(keys, "board", path)
        if "board" in keys.entries:
            free_name(keys.entries["board"][1], self.faults)
        keys.need("board", path.stem)
        kind_node = keys.need("kind", "market")
        kind = plain_name(kind_node, self.faults) if kind_node is not None else ""
        title = self._title(keys, f"the board `{name}`")
        assumptions = tuple(
            (str(key.value), plain_id) for key, node in keys.map("assumptions") for plain_id in _ids(node)
        )
        source, about = keys.text("source"), keys.text("about")
        self._declarations(keys, home, name)
        keys.node("look")
        fields = tuple(keys.rest())
        self.box.boards.append(
            BoardDecl(
                name,
                kind,
                title,
                fields,
                assumptions,
                source,
                keys.value_span("board"),
                home,
                self.shown(path),
                about,
                keys.value_span("kind"),
                tuple(dict.fromkeys(keys.asked)),
            )
        )

    # ------------------------------------------------------------------------------- declarations of a file

    def _declarations(self, keys: Keys, home: str, board: str) -> None:
        faults, box = self.faults, self.box
        for name, node in keys.named("units", types=True):
            if not self._declared_first("unit", name, home):
                continue
            unit = Keys(node, faults, "a unit")
            write = unit.text("write", "{} " + str(name.value))
            step = unit.whole("step", 1)
            if step < 1:
                faults.add("E106", unit.key_span("step"), "with such steps one never arrives", label="a step is at least 1")
            box.units.append(
                Unit(
                    str(name.value),
                    write,
                    unit.text("one", write),
                    max(1, step),
                    name.span,
                )
            )
            unit.finish()
        for name, node in keys.named("numbers"):
            if self._declared_first("number", name, home):
                box.numbers.append(self._fact(name, node, home, "is"))
        for name, node in keys.named("tables"):
            if self._declared_first("table", name, home):
                box.tables.append(self._fact(name, node, home, "values"))
        for name, node in keys.named("sorts", types=True):
            if isinstance(node, Scalar) and node.value is None:
                label = f"if it belongs to the list before it: `[…, {name.value}]`"
                faults.add("E103", name.span, f"`{name.value}` has no sorts", label=label)
            elif self._declared_first("list of sorts", name, home):
                box.sorts.append(SortDecl(str(name.value), self._items(node, "a sort"), name.span, home))
        for name, node in keys.named("pieces", types=True):
            box.pieces.append(self._pieces(name, node, home, board))
        for name, node in keys.map("components"):
            if self._declared_first("component", name, home):
                box.components.append(self._component(name, node, home))
        for name, node in keys.named("things"):
            box.things.append(self._things(name, node, home, board))
        for name, node in keys.named("options"):
            if self._declared_first("option", name, home):
                box.options.append(self._option(name, node, home))
        for node in sequence(keys.node("refuses"), faults, "refuses"):
            box.refusals.extend(self._refusal(node))
        rules = keys.node("rules")
        if isinstance(rules, Scalar) and isinstance(rules.value, str):
            items = parse_items(rules.text, faults)
            box.rules.append(RulesText(items, home, board, rules.span.source.path))
        elif rules is not None:
            label = "write `rules: |`, and the rules below it, indented"
            faults.add("E103", keys.key_span("rules"), "`rules` must be a block of rules", label=label)

    def _refusal(self, node: Node) -> Iterator[Refusal]:
        keys = Keys(node, self.faults, "a refusal")
        when = keys.need("when", "snow and rain")
        keys.need("because", "it is warm or cold")
        because = keys.text("because")
        keys.finish()
        if when is not None and because:
            yield Refusal(when, because, node.span)

    def _fact(self, name: Scalar, node: Node, home: str, value_key: str) -> Fact:
        if not isinstance(node, Map):
            return Fact(str(name.value), node, name.span, home)
        keys = Keys(node, self.faults, f"`{name.value}`")
        value = keys.need(value_key, "7")
        fact = Fact(
            str(name.value),
            value if value is not None else node,
            name.span,
            home,
            keys.text("unit"),
            keys.text("source"),
            keys.text("assumption"),
            keys.text("why"),
            keys.whole("from", 1),
            keys.node("then"),
            keys.text("shape"),
            keys.node("least"),
            keys.node("most"),
            index=tuple(_ids(index)) if (index := keys.node("index")) is not None else (),
        )
        keys.title("title")
        keys.finish()
        return fact

    def _items(self, node: Node, what: str) -> tuple[Items, ...]:
        if isinstance(node, Map):
            items = []
            for name, fields in node.entries:
                plain_name(name, self.faults)
                free_name(name, self.faults)
                items.append(Items(str(name.value), self._fields(fields), name.span))
            return tuple(items)
        found = []
        for number, item in enumerate(sequence(node, self.faults, what), 1):
            if isinstance(item, Map):
                name_node = item.get("id")
                name_text = plain_name(name_node, self.faults) if name_node is not None else str(number)
                if name_node is not None:
                    free_name(name_node, self.faults)
                own = tuple((str(key.value), value) for key, value in item.entries if key.value != "id")
                found.append(Items(name_text, own, item.span))
            else:
                free_name(item, self.faults)
                found.append(Items(plain_name(item, self.faults), (), item.span))
        return tuple(found)

    def _fields(self, node: Node) -> tuple[tuple[str, Node], ...]:
        if isinstance(node, Map):
            return tuple((str(key.value), value) for key, value in node.entries)
        if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
            return (("count", node),)
        if not (isinstance(node, Scalar) and node.value is None):
            self.faults.add("E103", node.span, "the fields of an item are a map: `{price: 5}`")
        return ()

    def _pieces(self, name: Scalar, node: Node, home: str, board: str) -> PieceDecl:
        if not isinstance(node, Map) or board:
            items = self._items(node, "a sort")
            return PieceDecl(
                str(name.value), "", items, None, (), "", False, False, (), "", "", name.span, home, board
            )
        keys = Keys(node, self.faults, f"the pieces `{name.value}`")
        keys.meant["number"] = "count"
        sorts = keys.node("sorts")
        place = keys.text("in")
        per = keys.text("per")
        sorts_for = self._sorts_for(keys)
        if per not in ("", "seat"):
            self.faults.add("E103", keys.key_span("per"), "pieces are `per: seat`, or nothing is said")
        decl = PieceDecl(
            str(name.value),
            keys.name("is"),
            None if sorts is None else self._items(sorts, "a sort"),
            keys.node("count"),
            sorts_for,
            place,
            per == "seat",
            keys.flag("individual"),
            keys.free_names("sides"),
            keys.text("key"),
            keys.text("assumption"),
            name.span,
            home,
            place_span=keys.entries["in"][1].span if place else None,
            says=tuple((name, key.span) for name, (key, _) in keys.entries.items()),
            named=self._named(keys, sorts_for),
        )
        keys.title("title")
        keys.finish()
        return decl

    def _component(self, name: Scalar, node: Node, home: str) -> ComponentDecl:
        if not isinstance(node, Map):
            return ComponentDecl(str(name.value), node, (), False, name.span, home)
        keys = Keys(node, self.faults, f"the component `{name.value}`")
        keys.meant["number"] = "count"
        sorts = tuple((str(sort.value), count) for sort, count in keys.pairs("sorts"))
        per = keys.text("per")
        if per not in ("", "seat"):
            self.faults.add("E103", keys.key_span("per"), "components are `per: seat`, or nothing is said")
        if sorts and "count" in keys.entries:
            label = "leave this out: each sort has its own number"
            self.faults.add("E103", keys.key_span("count"), f"how many `{name.value}` there are is said twice", label=label)
        decl = ComponentDecl(str(name.value), keys.node("count"), sorts, per == "seat", name.span, home)
        keys.finish()
        return decl

    def _sorts_for(self, keys: Keys) -> tuple[tuple[str, str], ...]:
        """`{market: market}`, one sort for each; `{artist: artist, way: way}`, one for each way of each artist."""
        pairs = []
        for name, node in keys.map("sorts_for"):
            pairs.append((str(name.value), plain_name(node, self.faults)))
        return tuple(pairs)

    def _named(self, keys: Keys, sorts_for: tuple[tuple[str, str], ...]) -> str:
        """How each of these sorts is called: `"{way}_{artist}"`. Each field stands in it, or two would be called alike."""
        said = keys.text("named")
        if not said:
            return ""
        fields = re.findall(r"\{(\w*)\}", said)
        wanted = [name for name, _ in sorts_for]
        label = " and ".join(f"`{{{name}}}`" for name in wanted)
        if not sorts_for:
            label = "`sorts: {red: …}` names them one by one"
            self.faults.add("E103", keys.value_span("named"), "only sorts that are made by `sorts_for` are named together", label=label)
        elif sorted(fields) != sorted(wanted):
            message = "in the names of these sorts each field of `sorts_for` stands once"
            self.faults.add("E103", keys.value_span("named"), message, label=label)
        elif not re.fullmatch(r"[a-z][a-z0-9_]*", re.sub(r"\{\w*\}", "a", said)):
            label = "small letters, digits and `_` beside the fields"
            self.faults.add("E103", keys.value_span("named"), f"`{said}` makes no plain names", label=label)
        else:
            return said
        return ""

    def _things(self, name: Scalar, node: Node, home: str, board: str) -> ThingDecl:
        keys = Keys(node, self.faults, f"the things `{name.value}`")
        keys.meant["number"] = "count"
        one_for = keys.map("one_for")
        each = keys.node("each")
        start = keys.name("from")
        edges = keys.name("edges")
        decl = ThingDecl(
            keys.name("kind", str(name.value)),
            keys.node("count"),
            (str(one_for[0][0].value), one_for[0][1]) if one_for else None,
            self._items(each, "a thing") if each is not None else (),
            start or edges,
            bool(edges),
            name.span,
            home,
            board,
            keys.text("assumption"),
            self._grid(keys),
        )
        keys.finish()
        return decl

    def _grid(self, keys: Keys) -> GridDecl | None:
        """What is said of a grid, if it is one."""
        size = keys.node("grid")
        hexes, corners, without = keys.flag("hex"), keys.flag("corners"), keys.names_at("without")
        for key in ("hex", "corners", "without") if size is None else ("count", "one_for", "from", "edges", "assumption"):
            if key in keys.entries:
                label = "write `grid: 9 x 12` too, or leave this out" if size is None else "leave this out"
                message = f"`{key}` is said of a grid" if size is None else "a grid says itself which places there are"
                self.faults.add("E114", keys.key_span(key), message, label=label)
        if hexes and corners:
            self.faults.add("E114", keys.key_span("corners"), "in a hex grid nothing touches at a corner alone", label="leave this out")
        return None if size is None else GridDecl(size, hexes, corners, tuple(without))

    def _option(self, name: Scalar, node: Node, home: str) -> OptionDecl:
        keys = Keys(node, self.faults, f"the option `{name.value}`")
        default = keys.node("otherwise")
        words: tuple[str, ...] = ()
        form = "flag"
        if "one_of" in keys.entries:
            form, words = self._choice(keys)
        elif "seat" in keys.entries:
            form, default = "seat", keys.node("seat")
        elif "list_of" in keys.entries:
            form, words = "list_of", (keys.name("list_of"),)
        elif "from" in keys.entries:
            form = "number"
        elif "flag" in keys.entries:
            default = keys.node("flag")
        else:
            self.faults.add(
                "E102",
                name.span,
                f"the option `{name.value}` says nothing of what can be chosen",
                label="`flag: false`, `one_of: [...]`, `from: 0` with `to:`, `seat: random` or `list_of: …`",
            )
        decl = OptionDecl(
            str(name.value),
            form,
            words,
            keys.node("from"),
            keys.node("to"),
            default,
            name.span,
            home,
            self._title(keys, f"the option `{name.value}`"),
            keys.text("source"),
            keys.node("where") if form == "list_of" else None,
            keys.text("else") if form == "list_of" else "",
        )
        keys.text("ruling")
        keys.finish()
        return decl


    def _choice(self, keys: Keys) -> tuple[str, tuple[str, ...]]:
        """Words, the names of all files of a kind: `maps/*.yaml`, or a kind of things: `station`."""
        node = keys.node("one_of")
        if isinstance(node, Scalar) and re.fullmatch(r"[a-z][a-z0-9_]*", str(node.value)):
            return "thing", (keys.name("one_of"),)
        return "one_of", self._words_of_choice(keys, node)

    def _words_of_choice(self, keys: Keys, node: Node | None) -> tuple[str, ...]:
        if not isinstance(node, Scalar) or "*" not in str(node.value) or self.box.path is None:
            return keys.free_names("one_of")
        folder, _, kind = str(node.value).rpartition("/")
        if kind != "*.yaml" or not folder or ".." in folder or is_hidden(self.box.path / folder, self.box.path):
            label = "like `[a, b]`, or `maps/*.yaml` for the names of these files"
            self.faults.add("E103", node.span, "`one_of` lists words, or says which files", label=label)
            return ()
        names = sorted(path.stem for path in (self.box.path / folder).glob(kind))
        wrong = [name for name in names if not re.fullmatch(r"[a-z][a-z0-9_]*", name)]
        for name in wrong:
            self.faults.add("E106", node.span, f"`{name}.yaml` cannot be chosen: its name is not a plain word")
        if not names:
            self.faults.add("E001", node.span, f"there is no file in `{folder}`")
        return tuple(name for name in names if name not in wrong)


def _ids(node: Node) -> Sequence[str]:
    if isinstance(node, Seq):
        return [str(item.value) for item in node.items if isinstance(item, Scalar)]
    return [str(node.value)] if isinstance(node, Scalar) else []
