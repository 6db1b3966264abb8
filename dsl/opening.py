"""Opens the box for one table: numbers every sort, thing and member, and works out every fixed property."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ichiba.dsl import tree as t
from ichiba.dsl.box import (
    BoardDecl,
    Box,
    Fact,
    Items,
    OptionDecl,
    PieceDecl,
    RulesText,
    ThingDecl,
    plain_name,
    sequence,
    unknown_key,
)
from ichiba.dsl.constant import CannotWorkOut, Scope, evaluate, table_of, work_out
from ichiba.dsl.faults import Faults, nearest, quote
from ichiba.dsl.kinds import FLAG, NUMBER, SEAT, Kind, maybe, plural, set_of
from ichiba.dsl.parse import parse_cost
from ichiba.dsl.source import Embedded, Source, Span
from ichiba.dsl.world import (
    FIRST_THING,
    Config,
    Enum,
    Field,
    KindDef,
    Member,
    Sort,
    Table,
    Thing,
    World,
    kind_named,
    unit_kind,
)
from ichiba.dsl.yamlread import Map, Node, Scalar, Seq

ROOTS = ("thing", "node", "edge", "board", "piece")  # pieces last: their coming changes no number
_LOOK = re.compile(r"(name|name_[a-z]+|title|x|y|aliases|colour|glyph|look|about)\Z")


@dataclass(slots=True)
class Proto:
    """A thing before it has its number."""

    name: str
    kind: str
    fields: tuple[tuple[str, Node], ...]
    span: Span
    home: str
    ordinal: int
    board: BoardDecl | None = None
    sort: int = -1
    links: dict[str, tuple[str, str]] = field(default_factory=dict)  # field to (name, kind) of what it is for
    ends: tuple[Node, Node] | None = None
    id: int = -1
    group: str = ""


def open_box(box: Box, config: Config, faults: Faults, absent: dict[str, str] | None = None) -> World:
    """The world of one table. Faults are gathered; the world is whole enough to go on checking."""
    opener = Opener(box, config, faults)
    opener.world.known = absent or {}
    return opener.open()


class Opener:
    def __init__(self, box: Box, config: Config, faults: Faults):
        self.box, self.config, self.faults = box, config, faults
        self.world = World(config)
        self.scope = Scope({"seats": config.seats})
        self.overrides = dict(config.assumptions)
        self.protos: list[Proto] = []
        self.by_name: dict[tuple[str, str], Proto] = {}
        self.map: Map | None = None
        self.current: dict[str, Proto] = {}
        self.scope.members = self._member_of

    def open(self) -> World:
        self._units()
        self._enums()
        self._options()
        self._numbers()
        self._tables()
        self._kinds()
        self._read_map()
        for board in self.box.boards:
            self._board(board)
        for things in self.box.things:
            self._things(things)
        self._check_names()
        self._number_things(individuals=False)
        self._number_fields()
        self._board_sorts()
        self._pieces()
        self._number_things(individuals=True)
        self._all_fields()
        self._edges()
        self._titles()
        Members(self.box, self.world, self.faults, self.scope).declare()
        return self.world

    # ------------------------------------------------------------------------------------ plain numbers

    def _units(self) -> None:
        for unit in self.box.units:
            self.world.units[unit.name] = (unit.write, unit.step)
            if unit.write[:1] in "¥$€£₩":
                self.world.signs[unit.write[0]] = unit.name

    def _enums(self) -> None:
        for decl in self.box.sorts:
            self.world.enums[decl.name] = Enum(decl.name, tuple(item.name for item in decl.items))
        for rules in self.box.rules:
            for item in rules.items:
                for member in getattr(item, "members", ()):
                    kind = getattr(member, "type", None)
                    if isinstance(kind, t.Type) and kind.values:
                        name = "_or_".join(kind.values)
                        self.world.enums.setdefault(name, Enum(name, kind.values))

    def _options(self) -> None:
        chosen = dict(self.config.options)
        for decl in self.box.options:
            key = f"{decl.home}.{decl.name}" if decl.home else decl.name
            given = chosen.pop(key, chosen.pop(decl.name, None))
            self._option(decl, given)
        for key in chosen:
            known = [o.name for o in self.box.options]
            hint = nearest(key, known)
            self.faults.add(
                "E401",
                None,
                f"there is no option `{key}`",
                label=f"did you mean `{hint}`?" if hint else "",
                notes=("options: " + (", ".join(known) or "none"),),
            )

    def _option(self, decl: OptionDecl, given: object) -> None:
        world, faults = self.world, self.faults
        if decl.form == "flag":
            value = bool(work_out(decl.default, self.scope, faults)) if decl.default is not None else False
            if given is not None:
                if not isinstance(given, bool):
                    self._refuse(decl, given, "true or false")
                value = bool(given)
            world.options[decl.name] = (int(value), FLAG)
            self.scope.values[decl.name] = int(value)
        elif decl.form == "one_of":
            world.enums.setdefault(decl.name, Enum(decl.name, decl.words))
            word = decl.default.value if isinstance(decl.default, Scalar) else decl.words[0] if decl.words else ""
            if given is not None:
                if given not in decl.words:
                    self._refuse(decl, given, "one of " + ", ".join(decl.words))
                else:
                    word = str(given)
            if word not in decl.words:
                faults.add("E106", decl.span, f"`{word}` is not among the words of the option `{decl.name}`")
                return
            world.options[decl.name] = (decl.words.index(str(word)), Kind("enum", decl.name))
        elif decl.form == "number":
            low = work_out(decl.low, self.scope, faults) if decl.low is not None else 0
            high = work_out(decl.high, self.scope, faults) if decl.high is not None else low
            value_ = work_out(decl.default, self.scope, faults) if decl.default is not None else low
            if given is not None:
                if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
                    self._refuse(decl, given, f"a number from {low} to {high}")
                else:
                    value_ = given
            world.options[decl.name] = (value_, NUMBER)
            self.scope.values[decl.name] = value_
        elif decl.form == "seat":
            word_ = decl.default.value if isinstance(decl.default, Scalar) else "random"
            if given is not None:
                word_ = given if isinstance(given, int | str) else str(given)
            if word_ != "random" and not (isinstance(word_, int) and 1 <= word_ <= self.config.seats):
                self._refuse(decl, word_, f"a seat from 1 to {self.config.seats}, or random")
                word_ = "random"
            world.options[decl.name] = (-1 if word_ == "random" else int(word_) - 1, SEAT)
        else:
            names = given if given is not None else []
            if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
                self._refuse(decl, given, f"a list of names of {plural(decl.words[0])}")
                names = []
            world.options[decl.name] = (tuple(names), set_of(Kind("thing", decl.words[0])))

    def _refuse(self, decl: OptionDecl, given: object, allowed: str) -> None:
        self.faults.add("E402", None, f"the option `{decl.name}` cannot be {given!r}", label=f"it is {allowed}")

    def _overridden(self, fact_assumption: str, name: str, node: Node) -> Node:
        if fact_assumption not in self.overrides:
            return node
        value = self.overrides[fact_assumption]
        if isinstance(value, dict) and name in value:
            value = value[name]
        return to_node(value, node.span)

    def _numbers(self) -> None:
        for fact in self.box.numbers:
            value = work_out(self._overridden(fact.assumption, fact.name, fact.value), self.scope, self.faults)
            self.world.numbers[fact.name] = (value, self._unit(fact))
            self.scope.values[fact.name] = value

    def _unit(self, fact: Fact) -> Kind:
        if fact.unit and fact.unit not in self.world.units:
            self.faults.add(
                "E205",
                fact.span,
                f"no unit is called `{fact.unit}`",
                notes=("units: " + ", ".join(self.world.units),),
            )
            return NUMBER
        return unit_kind(self.world, fact.unit)

    def _tables(self) -> None:
        for fact in self.box.tables:
            node = self._overridden(fact.assumption, fact.name, fact.value)
            rows = table_of(node, fact.base, fact.then, self.scope, self.faults)
            self.world.tables[fact.name] = Table(fact.name, self._unit(fact), rows, fact.span, fact.shape)
            self.scope.tables[fact.name] = rows
            self._hold_to_shape(fact, rows)

    def _hold_to_shape(self, fact: Fact, rows: dict[tuple[int, ...], int]) -> None:
        if not fact.shape:
            return
        if fact.shape not in ("increasing", "decreasing", "rising", "falling"):
            self.faults.add(
                "E109",
                fact.span,
                f"a table cannot be `{fact.shape}`",
                label="increasing, decreasing, rising (or equal) or falling (or equal)",
            )
            return
        for at in sorted(rows):
            after = (*at[:-1], at[-1] + 1)
            if after in rows and not _in_shape(fact.shape, rows[at], rows[after]):
                self.faults.add(
                    "E109",
                    fact.span,
                    f"the table `{fact.name}` is said to be {fact.shape}",
                    label=f"but {rows[after]} follows {rows[at]}",
                )
                return

    # -------------------------------------------------------------------------------------------- kinds

    def _kinds(self) -> None:
        world = self.world
        for root in ROOTS:
            world.kinds[root] = KindDef(root, "", root)
        declared: list[t.Kind] = []
        for rules in self.box.rules:
            declared.extend(item for item in rules.items if isinstance(item, t.Kind) and not item.added)
        names = (
            {item.name for item in declared} | {p.name for p in self.box.pieces} | {p.category for p in self.box.pieces}
        )
        for item in declared:
            if item.name in world.kinds and world.kinds[item.name].declared:
                first = world.kinds[item.name].span
                self.faults.add(
                    "E206",
                    item.span,
                    f"the kind `{item.name}` is defined twice",
                    second=(first, "first defined here") if first else None,
                )
                continue
            parent = item.parent or "thing"
            if parent not in names and parent not in ROOTS:
                hint = nearest(parent, [*names, *ROOTS])
                self.faults.add(
                    "E205", item.span, f"no kind is called `{parent}`", label=f"did you mean `{hint}`?" if hint else ""
                )
                parent = "thing"
            world.kinds[item.name] = KindDef(item.name, parent, "", item.span, declared=True)
        self._fields_of_kinds(declared)
        for kind in list(world.kinds.values()):
            kind.root = kind.root or self._root(kind.name, ())

    def _root(self, name: str, seen: tuple[str, ...]) -> str:
        kind = self.world.kinds.get(name)
        if name in seen and kind is not None:
            self.faults.add("E207", kind.span, "these kinds are each other's kind: " + " is ".join([*seen, name]))
            return "thing"
        if kind is None:
            return "piece"
        return kind.root or self._root(kind.parent, (*seen, name))

    def _fields_of_kinds(self, declared: Iterable[t.Kind]) -> None:
        self.field_decls: dict[tuple[str, str], t.Field] = {}
        for rules in self.box.rules:
            for item in rules.items:
                if isinstance(item, t.Kind):
                    for member in item.members:
                        if isinstance(member, t.Field):
                            self.field_decls[(item.name, member.name)] = member

    def _field_decl(self, kind: str, name: str) -> t.Field | None:
        while kind:
            found = self.field_decls.get((kind, name))
            if found is not None:
                return found
            kind = self.world.kinds[kind].parent if kind in self.world.kinds else ""
        return None

    # ------------------------------------------------------------------------------------------- things

    def _read_map(self) -> None:
        node = self.box.map_file
        if node is None or not isinstance(node, Scalar) or self.box.path is None:
            return
        path = str(node.value)
        for name, (value, kind) in self.world.options.items():
            if kind.form == "enum" and isinstance(value, int):
                path = path.replace("{" + name + "}", self.world.enums[name].values[value])
        file = self.box.path / path
        if ".." in path or path.startswith("/") or not file.is_relative_to(self.box.path):
            self.faults.add("E001", node.span, "a map file lies inside its ruleset's folder")
            return
        if not file.is_file():
            there = [found.relative_to(self.box.path).as_posix() for found in sorted(self.box.path.rglob("*.yaml"))]
            hint = nearest(path, there)
            self.faults.add(
                "E001",
                node.span,
                f"{quote(path)} cannot be read: there is no such file",
                label=f"did you mean `{hint}`?" if hint else "",
            )
            return
        from ichiba.dsl.yamlread import load_source, read_yaml

        source = load_source(file, f"{self.box.path.name}/{path}", self.faults)
        read = read_yaml(source, self.faults) if source is not None else None
        if isinstance(read, Map):
            self.map = read

    def _board(self, decl: BoardDecl) -> None:
        if decl.kind not in self.world.kinds or self.world.kinds[decl.kind].root != "board":
            if not decl.kind:
                return  # told already
            kinds = [k.name for k in self.world.kinds.values() if k.root == "board" and k.declared]
            hint = nearest(decl.kind, kinds)
            self.faults.add(
                "E205",
                decl.kind_span or decl.span,
                f"no kind of board is called `{decl.kind}`",
                label=f"did you mean `{hint}`?" if hint else "",
                notes=("kinds of boards: " + (", ".join(kinds) or "none"),),
            )
            return
        fields = []
        assumed = dict(decl.assumptions)
        for name, node in decl.fields:
            fields.append((name, self._overridden(assumed.get(name, ""), decl.name, node)))
        self._add(Proto(decl.name, decl.kind, tuple(fields), decl.span, decl.home, 0, board=decl))

    def _add(self, proto: Proto) -> Proto:
        proto.ordinal = 1 + sum(p.kind == proto.kind and p.group == proto.group for p in self.protos)
        self.protos.append(proto)
        key = (proto.kind, proto.group + proto.name)
        if key in self.by_name and proto.board is None:
            self.faults.add(
                "E206",
                proto.span,
                f"`{proto.name}` is defined twice",
                second=(self.by_name[key].span, "first defined here"),
            )
        self.by_name[key] = proto
        return proto

    def _things(self, decl: ThingDecl) -> None:
        kind = decl.kind
        if kind not in self.world.kinds:
            hint = nearest(kind, self.world.kinds)
            self.faults.add(
                "E205",
                decl.span,
                f"no kind is called `{kind}`",
                label=f"did you mean `{hint}`?" if hint else "",
            )
            return
        if decl.number is not None:
            count = work_out(self._overridden(decl.assumption, kind, decl.number), self.scope, self.faults)
            for n in range(1, min(count, 1000) + 1):
                self._add(Proto(str(n), kind, (), decl.span, decl.home, n, group=decl.board))
        if decl.one_for is not None:
            name, node = decl.one_for
            for word in self._words(node):
                proto = self._add(Proto(word, kind, (), decl.span, decl.home, 0, group=decl.board))
                proto.links[name] = (word, name)
        items = decl.items
        if decl.start:
            items = self._from_map(decl)
        for item in items:
            proto = self._add(Proto(item.name, kind, item.fields, item.span, decl.home, 0, group=decl.board))
            if decl.edges:
                proto.ends = self._ends.get(item.name)

    def _words(self, node: Node) -> list[str]:
        if isinstance(node, Scalar) and isinstance(node.value, str) and node.value in self.world.enums:
            return list(self.world.enums[node.value].values)
        items = node.items if isinstance(node, Seq) else (node,)
        return [str(item.value) for item in items if isinstance(item, Scalar)]

    _ends: dict[str, tuple[Node, Node]] = {}

    def _from_map(self, decl: ThingDecl) -> tuple[Items, ...]:
        node = self.map.get(decl.start) if self.map is not None else None
        if node is None:
            if self.map is not None:
                self.faults.add("E102", self.map.span, f"the map file has no `{decl.start}`")
            return ()
        found = []
        self._ends = {}
        for item in node.items if isinstance(node, Seq) else ():
            if decl.edges and isinstance(item, Seq) and len(item.items) == 2:
                name = "-".join(str(end.value) for end in item.items if isinstance(end, Scalar))
                found.append(Items(name, (), item.span))
                self._ends[name] = (item.items[0], item.items[1])
            elif isinstance(item, Map) and isinstance(item.get("id"), Scalar):
                fields = tuple((str(key.value), value) for key, value in item.entries if key.value != "id")
                found.append(Items(str(item.get("id").value), fields, item.span))  # type: ignore[union-attr]
            else:
                self.faults.add(
                    "E103", item.span, f"`{decl.start}` lists items with an `id`, or pairs that are connected"
                )
        return tuple(found)

    def _check_names(self) -> None:
        """Boards share one space of names."""
        seen: dict[str, Proto] = {}
        for proto in self.protos:
            if proto.board is None:
                continue
            if proto.name in seen:
                self.faults.add(
                    "E206",
                    proto.span,
                    f"the board `{proto.name}` is defined twice",
                    second=(seen[proto.name].span, "first defined here"),
                )
            seen[proto.name] = proto

    def _number_things(self, individuals: bool) -> None:
        """Number things so that each kind's are neighbours, sub-kinds within their kind."""
        world = self.world
        children: dict[str, list[str]] = {}
        for kind in world.kinds.values():
            children.setdefault(kind.parent, []).append(kind.name)
        if individuals:
            for root in ("board", "thing", "node", "edge"):
                del root
        world.things.clear()
        for kind in world.kinds.values():
            kind.things.clear()

        def visit(name: str) -> None:
            for proto in self.protos:
                if proto.kind == name:
                    proto.id = FIRST_THING + len(world.things)
                    world.things.append(self._thing(proto))
                    upward = name
                    while upward:
                        world.kinds[upward].things.append(proto.id)
                        upward = world.kinds[upward].parent
            for child in children.get(name, []):
                visit(child)

        for root in ROOTS:
            visit(root)

    def _thing(self, proto: Proto) -> Thing:
        title = proto.board.title if proto.board else {}
        look: dict[str, object] = {}
        for name, node in proto.fields:
            if _LOOK.match(name) and isinstance(node, Scalar) and not self._field_decl(proto.kind, name):
                look[name] = node.value
        if not title and "name" in look:
            title = {"en": str(look["name"])} | {
                k.removeprefix("name_"): str(v) for k, v in look.items() if k.startswith("name_")
            }
        name = proto.name
        if name.isdigit():
            name = f"{proto.kind}_{name}" if self.world.kinds[proto.kind].root == "piece" else name
        return Thing(proto.id, name, proto.kind, proto.ordinal, proto.sort, title, look, proto.home)

    # ------------------------------------------------------------------------------------------- fields

    def _number_fields(self) -> None:
        """The fields that are plain numbers come first: the numbers of pieces may be worked out from them."""
        for proto in self.protos:
            for name, node in proto.fields:
                decl = self._field_decl(proto.kind, name)
                if decl is not None and decl.type.name in ("number", *self.world.units):
                    self._field(proto.kind, name, decl).values[proto.id] = work_out(node, self.scope, self.faults)
        for (kind, name), decl in self.field_decls.items():
            if (
                decl.type.name in ("number", *self.world.units)
                and kind in self.world.kinds
                and isinstance(decl.default, t.Int | t.Money)
            ):
                field_ = self._field(kind, name, decl)
                for id in self.world.kinds[kind].things:
                    field_.values.setdefault(id, decl.default.value)

    def _field(self, kind: str, name: str, decl: t.Field) -> Field:
        owner = kind
        while (owner, name) not in self.field_decls:
            owner = self.world.kinds[owner].parent
        fields = self.world.kinds[owner].fields
        if name not in fields:
            fields[name] = Field(name, self._field_kind(decl.type))
        return fields[name]

    def _field_kind(self, written: t.Type) -> Kind:
        if written.name == "set" and written.of:
            inner = kind_named(self.world, written.of)
            return set_of(inner or NUMBER)
        if written.name in ("cost", "text"):
            return Kind("cost") if written.name == "cost" else Kind("word", "text")
        if written.values:
            return Kind("enum", "_or_".join(written.values))
        found = kind_named(self.world, written.name)
        if found is None:
            self._no_type(written)
            return NUMBER
        return maybe(found) if written.optional else found

    def _no_type(self, written: t.Type) -> None:
        known = [
            "number",
            "flag",
            "seat",
            "cost",
            "text",
            *self.world.units,
            *self.world.enums,
            *self.world.kinds,
            *self.world.categories,
        ]
        hint = nearest(written.name, known)
        self.faults.add(
            "E205", written.span, f"no type is called `{written.name}`", label=f"did you mean `{hint}`?" if hint else ""
        )

    def _member_of(self, owner: str, name: str) -> int | None:
        proto = self.current.get(owner)
        if proto is None:
            return None
        kind: str = proto.kind
        while kind:
            found = self.world.kinds[kind].fields.get(name)
            if found is not None and proto.id in found.values:
                value = found.values[proto.id]
                return value if isinstance(value, int) else None
            kind = self.world.kinds[kind].parent
        return None

    def _all_fields(self) -> None:
        for proto in self.protos:
            self._fields_of(proto)
        for (kind, name), decl in self.field_decls.items():
            if kind not in self.world.kinds:
                continue
            field_ = self._field(kind, name, decl)
            for id in self.world.kinds[kind].things:
                if id not in field_.values:
                    self._default(field_, decl, id)

    def _default(self, field_: Field, decl: t.Field, id: int) -> None:
        if field_.kind.form == "cost":
            if (
                decl.default is not None
                and not isinstance(decl.default, t.Cost)
                and (id, field_.name) not in self.world.costs
            ):
                item = t.CostItem(decl.span, decl.default, None, None, None)
                self.world.costs[(id, field_.name)] = t.Cost(decl.span, (t.CostWay(decl.span, (item,), None),))
            return
        if decl.default is None:
            if field_.kind.form == "flag" or field_.kind.form == "set" or decl.type.optional:
                field_.values[id] = () if field_.kind.form == "set" else -1 if decl.type.optional else 0
            elif self.world.kinds[self.world.thing(id).kind].root != "piece":
                proto = next(p for p in self.protos if p.id == id)
                self.faults.add(
                    "E102",
                    proto.span,
                    f"`{proto.name}` has no `{field_.name}`",
                    label=f"{field_.kind} is needed",
                    second=(decl.span, "declared here"),
                )
            return
        if isinstance(decl.default, t.Name) and decl.default.name in ("true", "false", "yes", "no"):
            field_.values[id] = int(decl.default.name in ("true", "yes"))
            return
        if isinstance(decl.default, t.Cost):
            return
        try:
            field_.values[id] = evaluate(decl.default, self.scope)
        except CannotWorkOut as fault:
            self.faults.add(fault.code, fault.span, fault.message, label=fault.label)

    def _fields_of(self, proto: Proto) -> None:
        kind = self.world.kinds[proto.kind]
        for name, node in proto.fields:
            decl = self._field_decl(proto.kind, name)
            if decl is None:
                if not _LOOK.match(name) and kind.root != "piece":
                    known = sorted({n for (k, n) in self.field_decls if self.world.is_kind(proto.kind, k)})
                    span = key_span(proto, node)
                    unknown_key(name, span, known, f"the {proto.kind} `{proto.name}`", self.faults)
                continue
            field_ = self._field(proto.kind, name, decl)
            if field_.kind.form == "cost":
                cost = parse_cost(node.text, self.faults) if isinstance(node, Scalar) else None
                if cost is not None:
                    self.world.costs[(proto.id, name)] = cost
            elif field_.kind != Kind("word", "text") and proto.id not in field_.values:
                field_.values[proto.id] = self.value_of(field_.kind, node)
        for name, (word, what) in proto.links.items():
            self._link(proto, name, word, what)

    def value_of(self, kind: Kind, node: Node) -> int | tuple[int, ...]:
        """The value of a field as the engine holds it."""
        world = self.world
        if kind.form == "set" and kind.of is not None:
            values: list[int] = []
            for item in node.items if isinstance(node, Seq) else (node,):
                values.extend(self._values_named(kind.of, item))
            return tuple(dict.fromkeys(values))
        if kind.form in ("number", "flag"):
            if kind.form == "flag" and not (isinstance(node, Scalar) and isinstance(node.value, bool)):
                self.faults.add("E103", node.span, "true or false is expected here")
                return 0
            return work_out(node, self.scope, self.faults)
        if kind.form == "seat":
            return work_out(node, self.scope, self.faults) - 1
        del world
        found = self._values_named(kind, node)
        return found[0] if found else -1

    def _values_named(self, kind: Kind, node: Node) -> list[int]:
        word = str(node.value) if isinstance(node, Scalar) else ""
        found = named_values(self.world, kind, word)
        if not found:
            if word in self.world.known or self._declared_elsewhere(word):
                return []
            names = [self.world.name_of(v, kind) for v in self.world.values(kind)]
            hint = nearest(word, names)
            self.faults.add(
                "E205", node.span, f"`{word}` is not {kind}", label=f"did you mean `{hint}`?" if hint else ""
            )
        return found

    def _declared_elsewhere(self, word: str) -> bool:
        return word in getattr(self.box, "absent", {})

    def _link(self, proto: Proto, name: str, word: str, what: str) -> None:
        """`one_for` ties a thing to what it is for, both ways."""
        kind = kind_named(self.world, what)
        values = named_values(self.world, kind, word) if kind else []
        if kind is None or not values:
            self.faults.add("E205", proto.span, f"`{word}` is not among the {plural(what)}")
            return
        owner = self.world.kinds[proto.kind]
        owner.fields.setdefault(name, Field(name, kind)).values[proto.id] = values[0]
        back = Field(proto.kind, Kind("thing", proto.kind, optional=True))
        if kind.form == "sort":
            self.world.sort_fields.setdefault(proto.kind, back).values[values[0]] = proto.id
        elif kind.form == "enum":
            self.world.enums[kind.name].fields.setdefault(proto.kind, back).values[values[0]] = proto.id
        elif kind.form == "thing":
            self.world.kinds[kind.name].fields.setdefault(proto.kind, back).values[values[0]] = proto.id

    # ------------------------------------------------------------------------------------------- pieces

    def _board_sorts(self) -> None:
        """A board can lie in a zone, so each is a sort of its own."""
        for proto in sorted((p for p in self.protos if p.board is not None), key=lambda p: p.id):
            sort = self._sort(proto.name, proto.kind, 1, True, proto.span)
            proto.sort = sort.id
            self.world.thing(proto.id).sort = sort.id
            name = proto.kind
            while name:
                self.world.categories.setdefault(name, []).append(sort.id)
                name = self.world.kinds[name].parent
            home = proto.kind
            while home and home not in self.box.board_homes:
                home = self.world.kinds[home].parent
            if home:
                self.world.starts[sort.id] = self.box.board_homes[home]

    def _sort(self, name: str, family: str, number: int, individual: bool, span: Span) -> Sort:
        sort = Sort(len(self.world.sorts), name, family, number=number, individual=individual, span=span)
        self.world.sorts.append(sort)
        self.world.families.setdefault(family, []).append(sort.id)
        return sort

    def _pieces(self) -> None:
        families: dict[str, PieceDecl] = {}
        extra: dict[str, list[PieceDecl]] = {}
        for decl in self.box.pieces:
            if decl.board or (decl.name in families):
                extra.setdefault(decl.name, []).append(decl)
            else:
                families[decl.name] = decl
        for name, more in extra.items():
            if name not in families:
                hint = nearest(name, families)
                self.faults.add(
                    "E205",
                    more[0].span,
                    f"no pieces are called `{name}`",
                    label=f"did you mean `{hint}`?" if hint else "",
                )
        for name, decl in families.items():
            self._family(decl, extra.get(name, []))

    def _family(self, decl: PieceDecl, more: list[PieceDecl]) -> None:
        world = self.world
        wanted: list[tuple[Items, str, PieceDecl]] = [(item, "", decl) for item in decl.items or ()]
        for addition in more:
            wanted.extend((item, addition.board, addition) for item in addition.items or ())
        if decl.sorts_for is not None and not wanted:
            kind = decl.sorts_for[1]
            if kind in world.enums:
                wanted = [(Items(v, (), decl.span), v, decl) for v in world.enums[kind].values]
            elif kind in world.kinds:
                wanted = [
                    (Items(p.name, (), decl.span), p.name, decl)
                    for p in sorted(self.protos, key=lambda p: p.id)
                    if world.is_kind(p.kind, kind)
                ]
            else:
                self.faults.add("E205", decl.span, f"no kind is called `{kind}`")
        elif decl.items is None and not wanted:
            wanted = [(Items(decl.name, (), decl.span), "", decl)]
        world.families.setdefault(decl.name, [])
        world.categories.setdefault(decl.name, [])
        for category in (decl.category,):
            if category:
                world.categories.setdefault(category, [])
        for item, for_name, home in wanted:
            self._sorts_of(decl, item, for_name, home)

    def _sorts_of(self, decl: PieceDecl, item: Items, for_name: str, home: PieceDecl) -> None:
        world = self.world
        owner = None
        if decl.sorts_for is not None and for_name:
            owner = next(
                (p for p in self.protos if p.name == for_name and world.is_kind(p.kind, decl.sorts_for[1])),
                None,
            )
            if owner is not None:
                self.current[decl.sorts_for[0]] = owner
                self.current[decl.sorts_for[1]] = owner
        fields = dict(item.fields)
        number = self._how_many(decl, item, fields.pop("number", decl.number))
        extra_category = fields.pop("is", None)
        key = fields.pop("key", None)
        sides = self._sides(fields.pop("sides", None)) or decl.sides
        individual = decl.individual or self._remembers(decl.name)
        category2 = str(extra_category.value) if isinstance(extra_category, Scalar) else ""
        if category2:
            individual = individual or self._remembers(category2)
        elif decl.category:
            individual = individual or self._remembers(decl.category)
        seats = range(self.config.seats) if decl.per_seat else (None,)
        for seat in seats:
            for side in sides or ("",):
                sort = self._sort(item.name, decl.name, number, individual, item.span)
                sort.owner, sort.side = seat, side
                sort.key = str(key.value) if isinstance(key, Scalar) else ""
                if owner is not None:
                    sort.thing = owner.id
                if decl.place and (not side or side == sides[0]):
                    world.starts[sort.id] = decl.place
                if side and side != sides[0]:
                    sort.number = 0
                self._categorise(sort, decl, category2)
                self._sort_fields(sort, decl, fields, owner, for_name)
                if individual:
                    self._individuals(sort, decl, category2)

    def _sides(self, node: Node | None) -> tuple[str, ...]:
        return tuple(plain_name(item, self.faults) for item in sequence(node, self.faults, "sides"))

    def _how_many(self, decl: PieceDecl, item: Items, node: Node | None) -> int:
        if decl.assumption in self.overrides:
            given = self.overrides[decl.assumption]
            if isinstance(given, dict):
                given = given.get(decl.name, given.get(item.name))
                if isinstance(given, dict):
                    given = given.get(item.name, given)
            if given is not None:
                node = to_node(given, item.span)
        if node is None:
            return 1
        count = work_out(node, self.scope, self.faults)
        if not 0 <= count <= 10_000:
            self.faults.add("E106", node.span, f"there cannot be {count} of a piece", label="from 0 to 10,000")
            return 0
        return count

    def _remembers(self, kind: str) -> bool:
        """Pieces that remember something exist one by one."""
        stateful = (t.Counter, t.Flag, t.Zone, t.Note, t.Remember, t.Purse)
        for rules in self.box.rules:
            for item in rules.items:
                if (
                    isinstance(item, t.Kind)
                    and item.name == kind
                    and any(isinstance(m, stateful) for m in item.members)
                ):
                    return True
        parent = self.world.kinds[kind].parent if kind in self.world.kinds else ""
        return bool(parent) and parent not in ROOTS and self._remembers(parent)

    def _categorise(self, sort: Sort, decl: PieceDecl, category2: str) -> None:
        names = [decl.name]
        for start in (category2, decl.category):
            name = start
            while name and name not in ROOTS:
                names.append(name)
                name = self.world.kinds[name].parent if name in self.world.kinds else ""
        for name in dict.fromkeys(names):
            ids = self.world.categories.setdefault(name, [])
            if sort.id not in ids:
                ids.append(sort.id)

    def _sort_fields(
        self, sort: Sort, decl: PieceDecl, fields: dict[str, Node], owner: Proto | None, for_name: str
    ) -> None:
        world = self.world
        if decl.per_seat and sort.owner is not None:
            world.sort_fields.setdefault("owner", Field("owner", SEAT)).values[sort.id] = sort.owner
        if decl.sorts_for is not None:
            name, kind = decl.sorts_for
            if owner is not None:
                world.sort_fields.setdefault(name, Field(name, Kind("thing", kind))).values[sort.id] = owner.id
            elif kind in world.enums and for_name in world.enums[kind].values:
                value = world.enums[kind].values.index(for_name)
                world.sort_fields.setdefault(name, Field(name, Kind("enum", kind))).values[sort.id] = value
        for name, node in fields.items():
            if _LOOK.match(name):
                continue
            known = world.sort_fields.get(name)
            kind_ = known.kind if known else self._guess(decl, name, node)
            field_ = world.sort_fields.setdefault(name, Field(name, kind_))
            field_.values[sort.id] = self.value_of(kind_, node)

    def _guess(self, decl: PieceDecl, name: str, node: Node) -> Kind:
        written = self._field_decl(decl.name, name)
        if written is not None:
            return self._field_kind(written.type)
        if isinstance(node, Scalar):
            if isinstance(node.value, bool):
                return FLAG
            if isinstance(node.value, int):
                return NUMBER
            for enum in self.world.enums.values():
                if node.value in enum.values and (name == enum.name or enum.name not in self.world.options):
                    return Kind("enum", enum.name)
            for proto in self.protos:
                if proto.name == node.value:
                    return Kind("thing", proto.kind)
            if isinstance(node.value, str) and node.value.startswith("¥"):
                return NUMBER
        return NUMBER

    def _individuals(self, sort: Sort, decl: PieceDecl, category2: str) -> None:
        world = self.world
        kind = decl.name if not category2 else sort.name
        parent = category2 or decl.category or "piece"
        if kind not in world.kinds:
            if parent not in world.kinds:
                world.kinds[parent] = KindDef(parent, "piece", "piece")
            world.kinds[kind] = KindDef(kind, parent, "piece")
        elif kind == decl.name and decl.category and world.kinds[kind].parent == "piece" and decl.category != kind:
            if decl.category not in world.kinds:
                world.kinds[decl.category] = KindDef(decl.category, "piece", "piece")
            world.kinds[kind].parent = decl.category
        for n in range(1, sort.number + 1):
            name = sort.full_name if sort.number == 1 else f"{sort.full_name}_{n}"
            if decl.sorts_for is not None and kind == decl.name:
                name = f"{sort.name}_{decl.name}_{n}"
            if sort.owner is not None:
                name = f"{name}_of_{sort.owner + 1}"
            proto = Proto(name, kind, (), decl.span, decl.home, n, sort=sort.id)
            self.protos.append(proto)

    # -------------------------------------------------------------------------------------- edges, titles

    def _edges(self) -> None:
        for proto in self.protos:
            if proto.ends is None:
                continue
            owner = self.world.kinds[proto.kind]
            ends: list[Thing] = []
            for name, node in zip(("a", "b"), proto.ends, strict=True):
                word = str(node.value) if isinstance(node, Scalar) else ""
                ids = [i for i in self.world.kinds["node"].things if self.world.thing(i).name == word]
                if not ids:
                    names = [self.world.thing(i).name for i in self.world.kinds["node"].things]
                    hint = nearest(word, names)
                    self.faults.add(
                        "E110",
                        node.span,
                        f"`{word}` is no place on this map",
                        label=f"did you mean `{hint}`?" if hint else "",
                    )
                    continue
                ends.append(self.world.thing(ids[0]))
                owner.fields.setdefault(name, Field(name, Kind("thing", ends[-1].kind))).values[proto.id] = ids[0]
            if len(ends) == 2 and not self.world.thing(proto.id).title:
                both = [lang for lang in ends[0].title if lang in ends[1].title]
                self.world.thing(proto.id).title = {
                    lang: f"{ends[0].title[lang]} – {ends[1].title[lang]}" for lang in both
                }

    def _titles(self) -> None:
        self.world.groups = {proto.id: proto.group for proto in self.protos if proto.group}
        for thing in self.world.things:
            if thing.title:
                self.world.titles[thing.name] = thing.title


def key_span(proto: Proto, node: Node) -> Span:
    """The place of a key is not kept with its value; the value's line will do."""
    return node.span


def _in_shape(shape: str, a: int, b: int) -> bool:
    return {"increasing": a < b, "decreasing": a > b, "rising": a <= b, "falling": a >= b}[shape]


def to_node(value: object, span: Span) -> Node:
    """A value given in the config, as if it had been written in the file."""
    if isinstance(value, dict):
        return Map(tuple((_scalar(key, span), to_node(item, span)) for key, item in value.items()), span)
    if isinstance(value, list | tuple):
        return Seq(tuple(to_node(item, span) for item in value), span)
    return _scalar(value, span)


def _scalar(value: object, span: Span) -> Scalar:
    text = str(value)
    inner = value if isinstance(value, int | bool) or value is None else text
    return Scalar(inner, span, Embedded.whole(Source("config", text)), "plain")


def named_values(world: World, kind: Kind, word: str) -> list[int]:
    """All values of a kind that go by a word: one thing, or every sort of that name."""
    match kind.form:
        case "enum":
            values = world.enums[kind.name].values
            return [values.index(word)] if word in values else []
        case "thing":
            return [i for i in world.values(kind) if world.thing(i).name == word]
        case "sort":
            ids = world.categories.get(kind.name, [])
            exact = [i for i in ids if world.sorts[i].name == word or world.sorts[i].full_name == word]
            inside = world.categories.get(word, [])
            return exact or [i for i in ids if i in inside]
        case _:
            return []


# ------------------------------------------------------------------------------------------------ members


class Members:
    """Declares every place of the state."""

    def __init__(self, box: Box, world: World, faults: Faults, scope: Scope):
        self.box, self.world, self.faults, self.scope = box, world, faults, scope

    def declare(self) -> None:
        for rules, item in self._items():
            if isinstance(item, t.Kind):
                kind = self.world.kinds.get(item.name)
                if kind is None:
                    hint = nearest(item.name, self.world.kinds)
                    self.faults.add(
                        "E205",
                        item.span,
                        f"no kind is called `{item.name}`",
                        label=f"did you mean `{hint}`?" if hint else "",
                    )
                    continue
                for member in item.members:
                    self._member(member, item.name, kind.members, self._owner_dims(item.name), rules.home)
                    if isinstance(member, t.MenuMember):
                        kind.menus.add(member.name)
            elif isinstance(item, t.Scope):
                self._scope(item, rules.board, rules.home)
        for unit in self.world.units:
            paid = Member(f"paid_{unit}", "table", "counter", Kind("number", unit), (), low=0, high=10**9)
            self.world.table[paid.name] = paid
        self._places()

    def _items(self) -> Iterator[tuple[RulesText, t.Item]]:
        for rules in self.box.rules:
            for item in rules.items:
                yield rules, item

    def _scope(self, item: t.Scope, board: str, home: str) -> None:
        members: dict[str, Member]
        dims: tuple[tuple[int, int], ...]
        if item.what == "seat":
            members, dims, owner = self.world.seat, ((0, self.world.config.seats),), "seat"
        elif item.what == "table":
            members, dims, owner = self.world.table, (), "table"
        else:
            if not board:
                self.faults.add("E208", item.span, "`board:` stands in a board's own file")
                return
            thing = next((x for x in self.world.things if x.name == board), None)
            if thing is None:
                return
            kind = self.world.kinds.setdefault(f"board {board}", KindDef(f"board {board}", thing.kind, "board"))
            kind.things = [thing.id]
            members, dims, owner = kind.members, ((thing.id, 1),), f"board {board}"
        for member in item.members:
            self._member(member, owner, members, dims, home)

    def _owner_dims(self, kind: str) -> tuple[tuple[int, int], ...]:
        ids = self.world.kinds[kind].things
        return ((min(ids), max(ids) - min(ids) + 1),) if ids else ((FIRST_THING, 0),)

    def _member(
        self,
        decl: t.MemberItem,
        owner: str,
        members: dict[str, Member],
        dims: tuple[tuple[int, int], ...],
        home: str,
    ) -> None:
        if not isinstance(decl, t.Counter | t.Flag | t.Purse | t.Zone | t.Note | t.Remember):
            return
        index: tuple[Kind, ...] = ()
        if not isinstance(decl, t.Purse | t.Note):
            index = tuple(kind for param in decl.index if (kind := self._index(param)) is not None)
        extents = [self.world.domain(kind) or (0, 0) for kind in index]
        member = Member(
            decl.name,
            owner,
            type(decl).__name__.lower(),
            FLAG,
            (*dims, *extents),
            index,
            span=decl.span,
            home=home,
        )
        if not isinstance(decl, t.Note):
            member.words = {word.what: word for word in decl.words}
        if decl.name in members:
            first = members[decl.name].span
            self.faults.add(
                "E206",
                decl.span,
                f"`{decl.name}` is defined twice",
                second=(first, "first defined here") if first else None,
            )
            return
        self._details(decl, member)
        members[decl.name] = member

    def _index(self, param: t.Param) -> Kind | None:
        name = param.type.name if param.type else param.name
        kind = kind_named(self.world, name)
        if kind is None or self.world.domain(kind) is None:
            self.faults.add(
                "E205",
                param.span,
                f"`{name}` is nothing that can be counted through",
                label="seat, a kind, an enumeration or a sort",
            )
            return None
        return kind

    def _details(self, decl: t.MemberItem, member: Member) -> None:
        match decl:
            case t.Counter():
                member.low, member.high = self._number(decl.low), self._number(decl.high)
                member.kind = self._counter_kind(decl)
                member.start = decl.start
                if member.low > member.high:
                    self.faults.add("E106", decl.span, f"a counter from {member.low} to {member.high} has no values")
            case t.Flag():
                member.low, member.high, member.start = 0, 1, decl.start
            case t.Purse():
                if decl.unit not in self.world.units:
                    hint = nearest(decl.unit, self.world.units)
                    self.faults.add(
                        "E205",
                        decl.span,
                        f"no unit is called `{decl.unit}`",
                        label=f"did you mean `{hint}`?" if hint else "",
                        notes=("units: " + ", ".join(self.world.units),),
                    )
                member.kind, member.start = Kind("number", decl.unit), decl.start
            case t.Zone():
                self._zone(decl, member)
            case t.Note() | t.Remember():
                member.kind = type_of(self.world, decl.type, self.faults)
                if isinstance(decl, t.Remember):
                    member.start = decl.default

    def _counter_kind(self, decl: t.Counter) -> Kind:
        if isinstance(decl.high, t.Money):
            return Kind("number", self.world.signs.get(decl.high.sign, ""))
        if isinstance(decl.high, t.Some) and isinstance(decl.high.what, t.Name):
            name = decl.high.what.name
            for unit in (name, name.removesuffix("s")):
                if unit in self.world.units:
                    return Kind("number", unit)
        if isinstance(decl.high, t.Name) and decl.high.name in self.world.numbers:
            return self.world.numbers[decl.high.name][1]
        return NUMBER

    def _number(self, expr: t.Expr) -> int:
        try:
            return evaluate(expr, self.scope)
        except CannotWorkOut as fault:
            self.faults.add(fault.code, fault.span, fault.message, label=fault.label)
            return 0

    def _zone(self, decl: t.Zone, member: Member) -> None:
        world = self.world
        name = decl.sort
        if name in ("thing", "things", "piece"):
            member.kind, member.sorts = Kind("zone", "thing"), tuple(range(len(world.sorts)))
            world.categories.setdefault("thing", list(member.sorts))
        elif name in world.categories:
            member.kind, member.sorts = Kind("zone", name), tuple(world.categories[name])
        elif name in world.kinds:
            world.categories.setdefault(name, [])
            member.kind, member.sorts = Kind("zone", name), tuple(world.categories[name])
        else:
            hint = nearest(name, world.categories)
            self.faults.add(
                "E205",
                decl.span,
                f"no pieces are called `{name}`",
                label=f"did you mean `{hint}`?" if hint else "",
                notes=("pieces: " + ", ".join(world.categories),),
            )
            member.kind = Kind("zone", name)
        if decl.sort_of is not None:
            self._own_sorts(decl, member)
        member.keeps = decl.keeps
        most = member.words.get("at_most")
        member.most = most.arg if most else None

    def _own_sorts(self, decl: t.Zone, member: Member) -> None:
        """`of ticket of me`, `of crate of board`: each such zone holds only the sorts of whom it belongs to, so one
        column serves all owners. The columns are named after the first owner's sorts."""
        world, of = self.world, decl.sort_of
        first = len(member.dims) - len(member.index)
        position = 0 if of in ("me", "board") and first else None
        for at, param in enumerate(decl.index):
            if param.name == of:
                position = first + at
        ids = world.categories.get(decl.sort, [])
        per_seat = any(world.sorts[i].owner is not None for i in ids)
        if position is None or not (per_seat or any(world.sorts[i].thing >= 0 for i in ids)):
            self.faults.add(
                "E205",
                decl.span,
                f"`{of}` is no owner of {decl.sort}",
                label="`me`, `board` or an index of this zone",
            )
            return
        member.owner_at = position
        groups: dict[tuple[str, str, str], int] = {}
        for i in ids:
            sort = world.sorts[i]
            groups.setdefault((sort.family, sort.side, sort.name if per_seat else ""), i)
        member.sorts = tuple(groups.values())

    def _places(self) -> None:
        """Where each individual lies, and its rank there when the zone is ordered."""
        ids = [thing.id for thing in self.world.things if thing.sort >= 0]
        if ids:
            dims = ((min(ids), max(ids) - min(ids) + 1),)
            self.world.places["place"] = Member("place", "piece", "place", Kind("zone"), dims)
            self.world.places["rank"] = Member("rank", "piece", "rank", NUMBER, dims)


def type_of(world: World, written: t.Type, faults: Faults) -> Kind:
    """The kind that a written type means."""
    if written.values:
        name = "_or_".join(written.values)
        world.enums.setdefault(name, Enum(name, written.values))
        return Kind("enum", name)
    if written.name == "zone" and written.of:
        return Kind("zone", written.of, optional=written.optional)
    if written.name == "piece" and written.of:
        return world.element(written.of)
    if written.name == "set" and written.of:
        inner = kind_named(world, written.of)
        if inner is not None:
            return set_of(inner)
    if written.name == "bag" and written.of:
        return Kind("set", "bag", of=Kind("piece", written.of))
    if written.name == "measure":
        return Kind("measure", written.of or "")
    if written.name in ("table", "things", "sorts"):
        return Kind("table" if written.name == "table" else "set")
    if written.name == "purse":
        return Kind("purse")
    found = kind_named(world, written.name)
    if found is None:
        for kind in world.kinds:
            if plural(kind) == written.name:
                return set_of(kind_named(world, kind) or Kind("thing", kind))
        for family in world.categories:
            if plural(family) == written.name:
                return set_of(Kind("sort", family))
        known = ["number", "flag", "seat", *world.units, *world.enums, *world.kinds, *world.categories]
        hint = nearest(written.name, known)
        faults.add(
            "E205",
            written.span,
            f"no type is called `{written.name}`",
            label=f"did you mean `{hint}`?" if hint else "",
        )
        return NUMBER
    return Kind(found.form, found.name, found.of, optional=written.optional)
