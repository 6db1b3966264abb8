"""Opens the box for one table: every sort, thing, zone and member there is, with these seats, modules and options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Source, Span
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_cost
from ichiba.dsl.yaml.declarations import Box, Fact, GridDecl, Items, OptionDecl, PieceDecl, ThingDecl
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, load_source, read_yaml
from tests.reference.fixed import Fixed
from tests.reference.values import Amount, RulesWrong, Value, Word, bare
from tests.reference.world import ROOTS, Kind, Member, Seat, Sort, Table, Thing, plural

LOOK = re.compile(r"(name|name_[a-z]+|title|x|y|aliases|colour|glyph|look|about)\Z")  # what only people look at


def read(folder: Path, chosen: tuple[str, ...], memory: Memory | None = None) -> Box:
    """The declarations of a ruleset with these modules and variants, as they are written. What somebody else keeps of its
    files in `memory` is not parsed once more: the tree is what is read anew."""
    faults = Faults()
    box = read_box(folder, chosen, faults, memory)
    if faults.errors:
        raise RulesWrong(faults.errors[0].message)
    return box


class World:
    """All there is, by name. Nothing of it changes during a game; what changes is in `state.State`."""

    def __init__(
        self, box: Box, seats: int, options: Mapping[str, Any] | None = None, assumptions: Mapping[str, Any] | None = None
    ):
        self.box = box
        self.table = Table()
        self.seats = [Seat(n) for n in range(1, seats + 1)]
        self.assumptions = dict(assumptions or {})
        self.fixed = Fixed({"seats": seats})
        self.units = {unit.name: unit for unit in box.units}
        self.signs = {unit.write[0]: unit.name for unit in box.units if unit.write[:1] in "¥$€£₩" and unit.write}
        self.fixed.signs, self.fixed.units = self.signs, tuple(self.units)
        self.words: dict[str, tuple[str, ...]] = {}
        self.options: dict[str, Value] = {}
        self.things_chosen: dict[str, tuple[str, Any]] = {}
        self.numbers: dict[str, Value] = {}
        self.tables: dict[str, dict[tuple[Any, ...], Value]] = {}
        self.kinds: dict[str, Kind] = {}
        self.things: list[Thing] = []
        self.sorts: list[Sort] = []
        self.categories: dict[str, list[Sort]] = {}
        self.starts: dict[Sort, str] = {}
        self.costs: dict[tuple[Thing, str], t.Cost] = {}
        self.members: dict[str, dict[str, Member]] = {"seat": {}, "table": {}}
        self.word_fields: dict[tuple[str, str], dict[str, Value]] = {}  # what is `one_for` a word, by that word
        self.order: dict[Thing, int] = {}
        self.fields_known: dict[str, dict[str, t.Field]] = {}
        self.current: dict[str, Thing] = {}
        self.fixed.member = lambda owner, name: self.current[owner].fields[name]
        self.fixed.pieces = self.how_many_pieces
        self.beside_in_grid: dict[Thing, list[Thing]] = {}
        self.links: list[tuple[Thing, str, str]] = []
        self.linked: set[tuple[str, str]] = set()  # a kind, and what there is `one_for` some of it
        self.said: list[tuple[Sort, PieceDecl, dict[str, Node], dict[str, Thing]]] = []
        self.raw: dict[Thing, tuple[tuple[str, Node], ...]] = {}
        self.open(dict(options or {}))

    def open(self, options: dict[str, Any]) -> None:
        self.open_words()
        for decl in self.box.options:
            key = f"{decl.home}.{decl.name}" if decl.home else decl.name
            self.open_option(decl, options.get(key, options.get(decl.name)))
        self.open_numbers()
        self.open_kinds()
        self.open_boards()
        for things in self.box.things:
            self.open_things(things)
        self.in_order()
        self.open_tables([fact for fact in self.box.tables if self.goes_by_names(fact)])
        self.number_fields()
        self.board_sorts()
        self.open_pieces()
        self.in_order()
        for sort, family, fields, current in self.said:  # what is said of a sort may be any other
            self.current |= current
            self.said_of_sort(sort, family, fields)
        self.all_fields()
        for name, (kind, chosen) in self.things_chosen.items():
            self.options[name] = next((thing for thing in self.things if self.is_kind(thing.kind, kind) and thing.name == chosen), None)
        self.open_members()

    # ------------------------------------------------------------------------------------ words and numbers

    def open_words(self) -> None:
        """Enumerations: those of the YAML, and `one of fresh or degraded` wherever a type is written."""
        for decl in self.box.sorts:
            self.words[decl.name] = tuple(item.name for item in decl.items)
        for rules in self.box.rules:
            for item in rules.items:
                for member in getattr(item, "members", ()):
                    written = getattr(member, "type", None)
                    if isinstance(written, t.Type) and written.values:
                        self.words.setdefault("_or_".join(written.values), written.values)

    def word(self, enum: str, name: str) -> Word:
        return Word(enum, name, self.words[enum].index(name) + 1)

    def open_option(self, decl: OptionDecl, given: Any) -> None:
        """What was chosen before the game, or what stands there `otherwise`."""
        match decl.form:
            case "flag":
                value = given if given is not None else bool(decl.default is not None and self.fixed.number(decl.default))
                self.options[decl.name] = self.fixed.values[decl.name] = value
            case "one_of":
                self.words.setdefault(decl.name, decl.words)
                default = decl.default.value if isinstance(decl.default, Scalar) else decl.words[0]
                word = str(given if given is not None else default)
                self.options[decl.name] = self.word(decl.name, word)
                self.fixed.words[decl.name] = word
            case "number":
                lowest = decl.default or decl.low
                value = given if given is not None else self.fixed.number(lowest) if lowest is not None else 0
                self.options[decl.name] = self.fixed.values[decl.name] = value
            case "seat":
                said = given if given is not None else getattr(decl.default, "value", "random")
                self.options[decl.name] = "random" if said == "random" else self.seats[int(str(said)) - 1]
            case "thing":
                self.things_chosen[decl.name] = (decl.words[0], given if given is not None else getattr(decl.default, "value", None))
            case _:
                self.options[decl.name] = self.fixed.lists[decl.name] = tuple(given or ())

    def instead(self, ids: Iterable[str], *names: str) -> Any:
        """What the config says for an assumption, as a whole or by a name that the assumption covers."""
        for id in ids:
            given = self.assumptions.get(id)
            if isinstance(given, Mapping) and any(key in self.covered(id) for key in given):
                found = next((given[name] for name in names if name in given), None)
            else:
                found = given
            if found is not None:
                return found
        return None

    def covered(self, id: str) -> set[str]:
        box = self.box
        found = {fact.name for fact in (*box.numbers, *box.tables) if fact.assumption == id}
        for pieces in box.pieces:
            if pieces.assumption == id:
                found |= {pieces.name, *(item.name for item in pieces.items or ())}
        found |= {things.kind for things in box.things if things.assumption == id}
        return found | {f"{b.name}.{field}" for b in box.boards for field, its in b.assumptions if its == id}

    def or_instead(self, ids: Iterable[str], name: str, node: Node) -> Node:
        """What the config says for an assumption. A map says some entries of a map; the others stay."""
        given = self.instead(ids, name)
        if isinstance(given, Mapping) and isinstance(node, Map):
            entries = {str(key.value): (key, value) for key, value in node.entries}
            for key, value in given.items():
                entries[str(key)] = (as_scalar(int(key), node.span), as_node(value, node.span))
            return Map(tuple(entries.values()), node.span)
        return node if given is None else as_node(given, node.span)

    def open_numbers(self) -> None:
        """A number, or the values of a table, may be worked out from options and from numbers before it."""
        self.work_out_numbers({})
        changes = [item for rules in self.box.rules for item in rules.items if isinstance(item, t.Change)]
        changed = {item.path: self.fixed.of(item.value) for item in changes if item.path in {*self.numbers, *self.options}}
        for name in changed:
            if name in self.options and not isinstance(self.options[name], tuple | Word):
                self.options[name] = self.fixed.values[name] = changed[name]
        self.work_out_numbers(changed)
        self.open_tables([fact for fact in self.box.tables if not self.goes_by_names(fact)])

    def open_tables(self, facts: Iterable[Fact]) -> None:
        """Those that go by names come later: when it is known what there is."""
        for fact in facts:
            given = self.instead((fact.assumption,), fact.name)
            whole = as_node(given, fact.span) if isinstance(given, list | tuple) else fact.value
            names = [self.names_for(label) for label in fact.index] if self.goes_by_names(fact) else []
            rows: dict[Any, Any] = {}
            was: Fact | None = fact.was if names and isinstance(whole, Map) else None
            while was is not None:  # what modules have changed, name by name
                rows = self.fixed.table(was.value, was.base, was.then, names) | rows
                was = was.was if isinstance(was.value, Map) else None
            rows |= self.fixed.table(whole, fact.base, fact.then, names)
            if isinstance(given, Mapping):
                rows |= self.fixed.table(as_node(given, fact.span), fact.base, None, names) if names else entries_of(given)
            self.tables[fact.name] = {at: Amount(n, fact.unit) if fact.unit else n for at, n in rows.items()}
            self.fixed.tables[fact.name] = self.tables[fact.name]
            self.fixed.named[fact.name] = [its is not None for its in names]

    def goes_by_names(self, fact: Fact) -> bool:
        return any(self.names_for(label) is not None for label in fact.index)

    def names_for(self, label: str) -> list[str] | None:
        """What an index of that name is asked with; None where it is a number and the name is a word for people."""
        if label == "seat":
            return [str(seat.number) for seat in self.seats]
        if label in self.words:
            return list(self.words[label])
        if any(label in (decl.name, decl.category, *narrower_in(decl)) for decl in self.box.pieces):
            return self.sorts_called(label)
        declared = any(isinstance(item, t.Kind) and item.name == label for rules in self.box.rules for item in rules.items)
        return self.names_of(label) if declared else None

    def sorts_called(self, category: str) -> list[str]:
        """The sorts of a family or category by name, each once, before there are any pieces."""
        found = []
        for name, decl in {decl.name: decl for decl in reversed(self.box.pieces) if not decl.board}.items():
            items = [item for other in self.box.pieces if other.name == name for item in other.items or ()]
            if not items and category not in self.categories_of(decl, ""):
                continue
            made = [word for word, _ in self.combined(decl)] if decl.sorts_for and not items else []
            made = made or [item.name for item in items] or ([name] if decl.items is None else [])
            narrower = {item.name: getattr(dict(item.fields).get("is"), "value", "") for item in items}
            found.append([word for word in made if category in self.categories_of(decl, str(narrower.get(word, "")))])
        return list(dict.fromkeys(word for words in reversed(found) for word in words))

    def combined(self, decl: PieceDecl) -> list[tuple[str, list[tuple[str, str, str]]]]:
        """The sorts that are made for something, or for each of one with each of others: their names, and for what."""
        pattern = decl.named or "_".join(f"<{field}>" for field, _ in decl.sorts_for)
        made: list[tuple[str, list[tuple[str, str, str]]]] = [(pattern.replace("{", "<").replace("}", ">"), [])]
        for field, kind in decl.sorts_for:
            made = [
                (name.replace(f"<{field}>", word), [*fors, (field, kind, word)])
                for name, fors in made
                for word in self.names_for(kind) or self.names_of(kind)
            ]
        return made

    def work_out_numbers(self, changed: Mapping[str, Value]) -> None:
        """In declared order, but what a number asks comes before it; what rules change has its other value from the beginning."""
        done: set[str] = set()
        for fact in self.box.numbers:
            self.work_out_number(fact, changed, done)

    def work_out_number(self, fact: Fact, changed: Mapping[str, Value], done: set[str]) -> None:
        if fact.name in done:
            return
        done.add(fact.name)
        node = self.or_instead((fact.assumption,), fact.name, fact.value)
        self.work_out_what_is_asked(node, changed, done)
        value = changed[fact.name] if fact.name in changed else self.fixed.number(node)
        if fact.unit:
            value = Amount(bare(value), fact.unit)
        self.numbers[fact.name] = self.fixed.values[fact.name] = value

    def work_out_what_is_asked(self, node: Any, changed: Mapping[str, Value], done: set[str]) -> None:
        """The numbers and tables that a number or table names."""
        names = self.fixed.named_in(node)
        for other in self.box.numbers:
            if other.name in names:
                self.work_out_number(other, changed, done)
        for table in self.box.tables:
            if table.name in names and f"table {table.name}" not in done:
                done.add(f"table {table.name}")
                self.work_out_what_is_asked((table.value, table.then), changed, done)
                self.open_tables([table])

    # ------------------------------------------------------------------------------------- kinds and things

    def open_kinds(self) -> None:
        """A kind is of the kind it says, else a thing; what its members are, all of its files say together."""
        for root in ROOTS:
            self.kinds[root] = Kind(root, "", root)
        for rules in self.box.rules:
            for item in rules.items:
                if isinstance(item, t.Kind) and not item.added:
                    self.kinds[item.name] = Kind(item.name, item.parent or "thing", declared=True)
        for kind in list(self.kinds.values()):
            kind.root = kind.root or self.root(kind.name)

    def root(self, name: str) -> str:
        kind = self.kinds.get(name)
        return "piece" if kind is None else kind.root or self.root(kind.parent)

    def is_kind(self, name: str, ancestor: str) -> bool:
        while name and name != ancestor:
            name = self.kinds[name].parent if name in self.kinds else ""
        return bool(name)

    def lineage(self, thing: Thing) -> list[str]:
        """A board's own members, those of its kind, of what that is a kind of, and so on."""
        found = [f"board {thing.name}"] if thing.is_board else []
        kind = thing.kind
        while kind:
            found.append(kind)
            kind = self.kinds[kind].parent if kind in self.kinds else ""
        return found

    def fields_of(self, kind: str) -> dict[str, t.Field]:
        """What can be stated of things of a kind."""
        if kind in self.fields_known:
            return self.fields_known[kind]
        found: dict[str, t.Field] = {}
        for rules in self.box.rules:
            for item in rules.items:
                if isinstance(item, t.Kind) and self.is_kind(kind, item.name):
                    found |= {m.name: m for m in item.members if isinstance(m, t.Field)}
        if kind in self.kinds:
            self.fields_known[kind] = found
        return found

    def open_boards(self) -> None:
        for decl in self.box.boards:
            fields = []
            for name, node in decl.fields:
                ids = [id for field, id in decl.assumptions if field == name]
                fields.append((name, self.or_instead(ids, f"{decl.name}.{name}", node)))
            board = Thing(decl.name, decl.kind, home=decl.home, is_board=True)
            self.things.append(board)
            self.raw[board] = tuple(fields)

    def open_things(self, decl: ThingDecl) -> None:
        """So many, one for each of something, those that are listed, or those of the map."""
        if decl.number is not None:
            count = bare(self.fixed.number(self.or_instead((decl.assumption,), decl.kind, decl.number)))
            for n in range(1, count + 1):
                self.add(decl, str(n), ())
        if decl.one_for is not None:
            what, node = decl.one_for
            for word in self.one_for(node):
                self.links.append((self.add(decl, word, ()), what, word))
        if decl.grid is not None:
            self.open_grid(decl, decl.grid)
            return
        for item in self.from_map(decl) if decl.start else self.listed(decl):
            thing = self.add(decl, item.name, item.fields)
            if decl.edges:
                first, _, second = item.name.partition("-")
                thing.ends = (first, second)

    def open_grid(self, decl: ThingDecl, grid: GridDecl) -> None:
        """Row `a` is the first; behind `z` comes `aa`. What lies beside what is said by steps down and to the right."""
        self.kinds.setdefault(decl.kind, Kind(decl.kind, "node", "node"))
        text = str(getattr(grid.size, "value", "")).replace("×", "x")
        rows, columns = (bare(self.fixed.of_text(side)) for side in re.split(r"\sx\s|(?<=[0-9])\s*x\s*(?=[0-9])", text))
        left_out, said = {name for name, _ in grid.without}, {item.name: item.fields for item in decl.items}
        laid: dict[tuple[int, int], Thing] = {}
        for row in range(1, rows + 1):
            first, second = divmod(row - 1, 26)
            letters = (chr(96 + first) if first else "") + chr(97 + second)
            for column in range(1, columns + 1):
                if f"{letters}{column}" not in left_out:
                    laid[row, column] = self.add(decl, f"{letters}{column}", said.get(f"{letters}{column}", ()))
                    laid[row, column].fields |= {"row": row, "column": column}
        for (row, column), here in laid.items():
            if grid.hex:
                slant = 0 if row % 2 == 0 else -1
                around = [(-1, slant), (-1, slant + 1), (0, -1), (0, 1), (1, slant), (1, slant + 1)]
            else:
                around = [(-1, 0), (0, -1), (0, 1), (1, 0)]
                if grid.corners:
                    around = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
            near = ((row + down, column + right) for down, right in around)
            self.beside_in_grid[here] = [laid[at] for at in near if at in laid]

    def add(self, decl: ThingDecl, name: str, fields: tuple[tuple[str, Node], ...]) -> Thing:
        thing = Thing(name, decl.kind, group=decl.board, home=decl.home)
        self.things.append(thing)
        self.raw[thing] = fields
        return thing

    def one_for(self, node: Node) -> list[str]:
        if isinstance(node, Scalar) and str(node.value) in self.words:
            return list(self.words[str(node.value)])
        items = node.items if isinstance(node, Seq) else (node,)
        return [str(item.value) for item in items if isinstance(item, Scalar)]

    def listed(self, decl: ThingDecl) -> tuple[Items, ...]:
        given = self.instead((decl.assumption,), decl.kind) if decl.items else None
        if given is None:
            return decl.items
        made = []
        for place, item in enumerate(given, 1):
            node = as_node(item, decl.span)
            assert isinstance(node, Map)
            made.append(Items(str(place), tuple((str(key.value), value) for key, value in node.entries), decl.span))
        return tuple(made)

    def from_map(self, decl: ThingDecl) -> tuple[Items, ...]:
        """Places have an `id` and fields; a connection is two of them, `[sun, moon]` or with fields `{between: [sun, moon], toll: 9}`,
        and is called `sun-moon`."""
        node = self.map_file().get(decl.start)
        found = []
        for item in node.items if isinstance(node, Seq) else ():
            pair = item.get("between") if isinstance(item, Map) else item
            if decl.edges and isinstance(pair, Seq):
                name = "-".join(str(end.value) for end in pair.items if isinstance(end, Scalar))
                entries = item.entries if isinstance(item, Map) else ()
                fields = tuple((str(key.value), value) for key, value in entries if key.value != "between")
                found.append(Items(name, fields, item.span))
            elif isinstance(item, Map):
                id = item.get("id")
                fields = tuple((str(key.value), value) for key, value in item.entries if key.value != "id")
                found.append(Items(str(getattr(id, "value", "")), fields, item.span))
        return tuple(found)

    def map_file(self) -> Map:
        """The file that the options choose: `maps/{city}.yaml`."""
        path = str(getattr(self.box.map_file, "value", ""))
        for name, word in self.fixed.words.items():
            path = path.replace("{" + name + "}", word)
        assert self.box.path is not None
        faults = Faults()
        source = load_source(self.box.path / path, path, faults)
        made = read_yaml(source, faults) if source is not None else None
        if not isinstance(made, Map):
            raise RulesWrong(f"{path} is no map file")
        return made

    def in_order(self) -> None:
        """Things stand kind by kind, those of a narrower kind after the others of theirs; boards and pieces last."""
        made: list[Thing] = []
        self.fields_known.clear()
        for kind in self.kinds.values():
            kind.things = []

        def visit(kind: str) -> None:
            for thing in self.things:
                if thing.kind == kind:
                    made.append(thing)
                    for name in self.lineage(thing):
                        if name in self.kinds:
                            self.kinds[name].things.append(thing)
            for child in self.kinds.values():
                if child.parent == kind:
                    visit(child.name)

        for root in ROOTS:
            visit(root)
        self.things = made
        for kind in self.kinds.values():
            for place, thing in enumerate([x for x in kind.things if x.kind == kind.name], 1):
                thing.place = place
        self.order = {thing: place for place, thing in enumerate(made)}

    # ----------------------------------------------------------------------------------------------- pieces

    def board_sorts(self) -> None:
        """A board can lie in a zone, so it is the only piece of a sort of its own."""
        for board in [thing for thing in self.things if thing.is_board]:
            board.sort = Sort(board.name, board.kind, len(self.sorts), 1, True)
            self.sorts.append(board.sort)
            homes = [kind for kind in self.lineage(board) if kind in self.box.board_homes]
            if homes:
                self.starts[board.sort] = self.box.board_homes[homes[0]]
            for kind in self.lineage(board)[1:]:
                self.categories.setdefault(kind, []).append(board.sort)

    def open_pieces(self) -> None:
        """Family by family in the order of the files; a module or board adds its sorts to those that are there."""
        families: dict[str, PieceDecl] = {}
        more: dict[str, list[PieceDecl]] = {}
        for decl in self.box.pieces:
            if decl.board or decl.name in families:
                more.setdefault(decl.name, []).append(decl)
            else:
                families[decl.name] = decl
        for name, decl in families.items():
            Wanted = tuple[Items, list[tuple[str, str, str]], PieceDecl]
            wanted: list[Wanted] = [(item, [], decl) for item in decl.items or ()]
            for addition in more.get(name, []):
                fors = [(*decl.sorts_for[0], addition.board)] if decl.sorts_for and addition.board else []
                wanted += [(item, fors, addition) for item in addition.items or ()]
            if not wanted and decl.sorts_for:
                wanted = [(Items(word, (), decl.span), fors, decl) for word, fors in self.combined(decl)]
            elif not wanted and decl.items is None:
                wanted = [(Items(name, (), decl.span), [], decl)]
            for category in filter(None, (name, decl.category)):
                self.categories.setdefault(category, [])
            for item, fors, home in wanted:
                self.open_sort(decl, item, fors, home)

    def names_of(self, kind: str) -> list[str]:
        if kind in self.words:
            return list(self.words[kind])
        return [thing.name for thing in self.things if self.is_kind(thing.kind, kind)]

    def open_sort(self, decl: PieceDecl, item: Items, fors: list[tuple[str, str, str]], home: PieceDecl) -> None:
        """One sort; for each seat one where the family is `per: seat`, and one for each side."""
        about: dict[str, Value] = {}
        for name, kind, word in fors:
            thing = next((x for x in self.things if x.name == word and self.is_kind(x.kind, kind)), None)
            if thing is not None:
                self.current[name] = self.current[kind] = thing
            about[name] = thing if thing is not None else self.named(kind, word)
            self.fixed.current |= {name: word, kind: word}
        thing = next((x for x in about.values() if isinstance(x, Thing)), None) if len(fors) == 1 else None
        fields = dict(item.fields)
        number = self.how_many(decl, item, fields.pop("count", decl.number), home.board)
        self.fixed.current = {}
        narrower = str(getattr(fields.pop("is", None), "value", ""))
        key = getattr(fields.pop("key", None), "value", "")
        said = fields.pop("sides", None)
        written = said.items if isinstance(said, Seq) else (said,) if said is not None else ()
        sides = tuple(str(getattr(side, "value", "")) for side in written) or decl.sides
        alone = decl.individual or self.remembers(decl.name) or self.remembers(narrower or decl.category)
        for seat in self.seats if decl.per_seat else [None]:
            for side in sides or ("",):
                first = not side or side == sides[0]
                sort = Sort(item.name, decl.name, len(self.sorts), number if first else 0, alone, seat, side, thing, str(key))
                self.sorts.append(sort)
                if decl.place and first:
                    self.starts[sort] = decl.place
                for category in self.categories_of(decl, narrower):
                    its = self.categories.setdefault(category, [])
                    if sort not in its:
                        its.append(sort)
                if alone:
                    self.one_by_one(sort, decl, narrower)
                self.sort_fields(sort, decl, fields, about)

    def how_many(self, decl: PieceDecl, item: Items, node: Node | None, board: str) -> int:
        """What is written, or what the config assumes instead."""
        ids = [id for b in self.box.boards if b.name == board for field, id in b.assumptions if field == "pieces"]
        for given in (self.instead((decl.assumption,), decl.name, item.name), self.instead(ids, f"{board}.pieces")):
            value = given.get(item.name, given) if isinstance(given, dict) else given
            if value is not None and not (isinstance(value, dict) and any(isinstance(key, str) for key in value)):
                node = as_node(value, item.span)
        return 1 if node is None else bare(self.fixed.number(node))

    def remembers(self, kind: str) -> bool:
        """Pieces whose kind has members exist one by one."""
        having = (t.Counter, t.Flag, t.Zone, t.Note, t.Remember, t.Purse)
        while kind and kind not in ROOTS:
            for rules in self.box.rules:
                for item in rules.items:
                    if isinstance(item, t.Kind) and item.name == kind and any(isinstance(m, having) for m in item.members):
                        return True
            kind = self.kinds[kind].parent if kind in self.kinds else ""
        return False

    def categories_of(self, decl: PieceDecl, narrower: str) -> list[str]:
        """The names by which a zone can hold it: its family, its categories, and what those are kinds of."""
        names = [decl.name]
        for name in (narrower, decl.category):
            while name and name not in ROOTS:
                names.append(name)
                name = self.kinds[name].parent if name in self.kinds else ""
        return list(dict.fromkeys(names))

    def one_by_one(self, sort: Sort, decl: PieceDecl, narrower: str) -> None:
        kind, parent = (sort.name, narrower) if narrower else (decl.name, decl.category or "piece")
        if parent not in self.kinds:
            self.kinds[parent] = Kind(parent, "piece", "piece")
        if kind not in self.kinds:
            self.kinds[kind] = Kind(kind, parent, "piece")
        elif not narrower and decl.category and self.kinds[kind].parent == "piece" and decl.category != kind:
            self.kinds[kind].parent = decl.category
        for n in range(1, sort.number + 1):
            name = sort.full_name if sort.number == 1 else f"{sort.full_name}_{n}"
            if len(decl.sorts_for) == 1 and not narrower:
                name = f"{sort.name}_{decl.name}_{n}"
            if sort.owner is not None:
                name = f"{name}_of_{sort.owner.number}"
            name = f"{kind}_{name}" if name.isdigit() else name
            piece = Thing(name, kind, sort=sort, home=decl.home)
            self.things.append(piece)
            self.raw[piece] = ()

    def how_many_pieces(self, name: str) -> int:
        """`0 .. count of barrel`: a range may follow the number of pieces of a family, category or sort."""
        sorts = self.categories.get(name) or [sort for sort in self.sorts if name in (sort.name, sort.full_name)]
        return sum(sort.number for sort in sorts)

    # ----------------------------------------------------------------------------------------------- fields

    def sort_fields(self, sort: Sort, decl: PieceDecl, fields: dict[str, Node], about: dict[str, Value]) -> None:
        if sort.owner is not None:
            sort.fields["owner"] = sort.owner
        sort.fields |= {name: value for name, value in about.items() if value is not None}
        self.said.append((sort, decl, fields, dict(self.current)))

    def said_of_sort(self, sort: Sort, decl: PieceDecl, fields: dict[str, Node]) -> None:
        declared = self.fields_of(decl.name)
        for name, node in fields.items():
            if name in declared and declared[name].type.name == "cost":
                for piece in self.things:
                    if piece.sort is sort:
                        self.raw[piece] = (*self.raw[piece], (name, node))
            elif name in declared:
                sort.fields[name] = self.stated(declared[name].type, node)
            elif not LOOK.match(name):
                sort.fields[name] = self.as_it_looks(name, node)

    def as_it_looks(self, name: str, node: Node) -> Value:
        """A field that no kind declares: a number, a flag, a word, or a thing or sort by its name."""
        value = getattr(node, "value", None)
        if isinstance(value, bool | int):
            return value
        its = [enum for enum, words in self.words.items() if value in words and (name == enum or enum not in self.options)]
        if its:
            return self.word(name if name in its else its[0], str(value))
        thing = next((x for x in self.things if x.name == value and x.sort is None or x.is_board and x.name == value), None)
        sort = next((sort for sort in self.sorts if sort.name == value), None)
        return thing if thing is not None else sort if sort is not None else self.fixed.number(node)

    def number_fields(self) -> None:
        """Fields that are numbers come first: the numbers of pieces may be worked out from them."""
        for thing in self.things:
            declared = self.fields_of(thing.kind)
            stated = dict(self.raw[thing])
            for name, decl in declared.items():
                if decl.type.name in ("number", *self.units):
                    if name in stated:
                        thing.fields[name] = self.stated(decl.type, stated[name])
                    elif isinstance(decl.default, t.Int | t.Money):
                        thing.fields[name] = self.typed(decl.type, self.fixed.of(decl.default))

    def all_fields(self) -> None:
        for thing, what, word in self.links:
            value = self.named(what, word)
            thing.fields[what] = value
            self.linked.add((what, thing.kind))
            if isinstance(value, Thing | Sort):
                value.fields.setdefault(thing.kind, thing)
            elif isinstance(value, Word):
                self.word_fields.setdefault((value.enum, value.name), {}).setdefault(thing.kind, thing)
        for thing in self.things:
            stated = dict(self.raw[thing])
            for name, decl in self.fields_of(thing.kind).items():
                if name in thing.fields:
                    continue
                if decl.type.name == "cost":
                    self.stated_cost(thing, name, decl, stated.get(name))
                elif name in stated:
                    thing.fields[name] = self.stated(decl.type, stated[name])
                elif decl.default is not None:
                    thing.fields[name] = self.typed(decl.type, self.fixed.of(decl.default))
                elif thing.sort is None or thing.is_board:
                    thing.fields[name] = () if decl.type.name == "set" else False if decl.type.name == "flag" else None
            for end, place in zip("ab", thing.ends or ()):
                thing.fields[end] = next(x for x in self.kinds["node"].things if x.name == place)

    def stated_cost(self, thing: Thing, name: str, decl: t.Field, node: Node | None) -> None:
        if isinstance(node, Scalar):
            cost = parse_cost(node.text, Faults())
            if cost is not None:
                self.costs[thing, name] = cost
        else:  # what neither it nor its kind says is free: nothing is paid
            items = () if decl.default is None else (t.CostItem(decl.span, decl.default, None, None, None),)
            self.costs[thing, name] = t.Cost(decl.span, (t.CostWay(decl.span, items, None),))

    def typed(self, type: t.Type, value: Value) -> Value:
        """A number as an amount of the declared unit."""
        return Amount(bare(value), type.name) if type.name in self.units else value

    def stated(self, type: t.Type, node: Node) -> Value:
        """What a file says for a field, as a value of the declared type."""
        if type.name == "set":
            found = [self.all_named(type.of or "", str(getattr(i, "value", ""))) for i in getattr(node, "items", (node,))]
            return tuple(dict.fromkeys(value for values in found for value in values))
        if type.name in ("number", "flag", *self.units):
            value = getattr(node, "value", None)
            return value if type.name == "flag" else self.typed(type, self.fixed.number(node))
        if type.name == "text":
            return str(getattr(node, "value", ""))
        if type.name == "seat":
            return self.seats[bare(self.fixed.number(node)) - 1]
        word = str(getattr(node, "value", ""))
        if type.values:
            return self.word("_or_".join(type.values), word)
        return self.named(type.name, word)

    def named(self, type: str, word: str) -> Value:
        found = self.all_named(type, word)
        return found[0] if found else None

    def all_named(self, type: str, word: str) -> list[Value]:
        """Everything of a type that goes by a word: one thing or word, or every sort of that name."""
        if type in self.words:
            return [self.word(type, word)] if word in self.words[type] else []
        if type in self.categories and not (type in self.kinds and self.kinds[type].root != "piece"):
            its = self.categories[type]
            inside = self.categories.get(word, [])
            return [s for s in its if word in (s.name, s.full_name)] or [s for s in its if s in inside]
        return [x for x in self.kinds[type].things if x.name == word] if type in self.kinds else []

    # ---------------------------------------------------------------------------------------------- members

    def open_members(self) -> None:
        """What seats, the table, kinds and single boards have; modules add to all of them."""
        for rules in self.box.rules:
            for item in rules.items:
                if isinstance(item, t.Kind):
                    self.open_members_of(item.name, item.members)
                    if item.name in self.kinds:
                        self.kinds[item.name].menus |= {m.name for m in item.members if isinstance(m, t.MenuMember)}
                elif isinstance(item, t.Scope):
                    owner = f"board {rules.board}" if item.what == "board" else item.what
                    self.open_members_of(owner, item.members)
        for rules in self.box.rules:
            for item in rules.items:
                if isinstance(item, t.ChangeZone):
                    owner, _, name = item.path.rpartition(".")
                    zone = self.members.get(owner or "table", {}).get(name)
                    if zone is None:  # a module that is off would bring it
                        continue
                    self.change_memory(zone, item)
                    zone.words |= {word.what: word for word in item.words}

    def open_members_of(self, owner: str, members: Iterable[t.MemberItem]) -> None:
        its = self.members.setdefault(owner, {})
        for decl in members:
            if isinstance(decl, t.Counter | t.Flag | t.Purse | t.Zone | t.Note | t.Remember):
                its[decl.name] = self.member(owner, decl)

    def member(self, owner: str, decl: t.Counter | t.Flag | t.Purse | t.Zone | t.Note | t.Remember) -> Member:
        made = Member(decl.name, owner, type(decl).__name__.lower(), decl)
        made.words = {word.what: word for word in decl.words}
        if not isinstance(decl, t.Note | t.Purse):
            made.index = tuple(param.type.name if param.type else param.name for param in decl.index)
        match decl:
            case t.Counter(low=low, high=high, start=start):
                bottom, top = self.fixed.of(low), self.fixed.of(high)
                made.low, made.high, made.start = bare(bottom), bare(top), start
                made.unit = getattr(top, "unit", "")
            case t.Flag(start=start):
                made.start = start
            case t.Purse(unit=unit, start=start):
                made.unit, made.start = unit, start
            case t.Zone(forgets=t.Forgets() as said):
                self.forgetting(made, said)
            case t.Zone():
                pass
            case t.Note(type=type_):
                made.type = type_
            case t.Remember(type=type_, default=default):
                made.type, made.start = type_, default
        return made

    def forgetting(self, zone: Member, said: t.Forgets) -> None:
        """What pieces forget when they come to a zone; of everything some things may be kept."""
        if said.everything:
            zone.forgets, zone.keeps = None, frozenset(said.names)
        elif zone.forgets is None:
            zone.keeps -= frozenset(said.names)
        else:
            zone.forgets |= frozenset(said.names)

    def change_memory(self, zone: Member, item: t.ChangeZone) -> None:
        if item.forgets is not None:
            self.forgetting(zone, item.forgets)
        elif zone.forgets is None:
            zone.keeps |= frozenset(item.keeps)
        else:
            zone.forgets -= frozenset(item.keeps)

    def first_value(self, member: Member) -> Value:
        """What stands in a place before the setup, and again when it `resets each` something."""
        match member.form:
            case "flag":
                return bool(member.start is not None and self.fixed.of(member.start))
            case "counter":
                low = 0 if member.low <= 0 <= member.high else member.low
                number = low if member.start is None else bare(self.fixed.of(member.start))
                return Amount(number, member.unit) if member.unit else number
            case "purse":
                return Amount(0 if member.start is None else bare(self.fixed.of(member.start)), member.unit)
        assert member.type is not None
        match member.start:
            case t.Call(what=t.Name(name=name), args=(nth,)) if name == member.type.name:  # `seat(1)`, `stall(2)`
                return self.values_of(name)[bare(self.fixed.of(nth)) - 1]
            case t.Name(name=name) if isinstance(chosen := self.options.get(name), Word | Thing) and not self.all_named(member.type.name, name):
                return chosen
        if isinstance(member.start, t.Name) and member.type.name not in ("number", "flag", "seat", *self.units):
            return self.stated(member.type, as_scalar(member.start.name, member.start.span))
        if member.start is not None and not isinstance(member.start, t.NoneWord):
            return self.typed(member.type, self.fixed.of(member.start))
        return self.nothing_of(member.type)

    def nothing_of(self, type: t.Type) -> Value:
        """What a memory without a value holds: 0, no, or none."""
        if type.optional:
            return None
        if type.name == "number":
            return 0
        if type.name == "flag":
            return False
        return Amount(0, type.name) if type.name in self.units else None

    # ----------------------------------------------------------------------------------------------- ranges

    def values_of(self, type: str) -> list[Value]:
        """Everything that an index or a `for each` of this type goes through, in order."""
        if type == "seat":
            return list(self.seats)
        if type == "flag":
            return [False, True]
        if type in self.words:
            return [self.word(type, name) for name in self.words[type]]
        kind = self.kinds.get(type)
        if kind is not None and (kind.root != "piece" or kind.things):
            return list(kind.things)
        return list(self.categories.get(type, ()))

    def singular(self, name: str) -> str | None:
        """`spaces` to `space`: the enumeration, family or kind whose plural this is."""
        for names in (self.kinds, self.categories, self.words):
            for one in names:
                if plural(one) == name and not (names is self.kinds and self.kinds[one].root == "piece"):
                    return one
        return None

    def all_called(self, name: str) -> list[Value] | None:
        """What a plural stands for; of pieces, also of those that exist one by one, their sorts."""
        one = self.singular(name)
        if one is None:
            return None
        pieces = one in self.categories and (one not in self.kinds or self.kinds[one].root == "piece")
        return list(self.categories[one]) if pieces else self.values_of(one)


def narrower_in(decl: PieceDecl) -> list[str]:
    """What single sorts say that they are."""
    return [str(getattr(dict(item.fields).get("is"), "value", "")) for item in decl.items or ()]


def entries_of(given: Any, at: tuple[int, ...] = ()) -> dict[tuple[int, ...], int]:
    """Some entries of a table, as the config gives them: maps, by keys that may be texts, and lists, which count from 1."""
    if not isinstance(given, Mapping | list | tuple):
        return {at: given}
    pairs = given.items() if isinstance(given, Mapping) else enumerate(given, 1)
    return {key: value for name, inner in pairs for key, value in entries_of(inner, (*at, int(name))).items()}


def as_node(value: Any, span: Span) -> Node:
    """What the config gives, as if it stood in the file."""
    if isinstance(value, Mapping):
        return Map(tuple((as_scalar(key, span), as_node(item, span)) for key, item in value.items()), span)
    if isinstance(value, list | tuple):
        return Seq(tuple(as_node(item, span) for item in value), span)
    return as_scalar(value, span)


def as_scalar(value: Any, span: Span) -> Scalar:
    inner = value if isinstance(value, int) or value is None else str(value)
    return Scalar(inner, span, Embedded.whole(Source("config", str(value))), "plain")
