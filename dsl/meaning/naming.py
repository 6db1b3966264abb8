"""Names: which declaration a name, a member or a call means, and the kinds that go with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.meaning.meaning import (
    CostRef,
    Definition,
    Env,
    Lying,
    Meaning,
    Measure,
    MenuRef,
    Several,
    SortNames,
    TableRef,
    Zones,
)
from ichiba.dsl.meaning.narrowing import kind_at
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, maybe, number, set_of
from ichiba.dsl.world.world import FIRST_THING, Field, KindDef, Member, Table

if TYPE_CHECKING:
    pass


from ichiba.dsl.meaning.hints import Hints, meant

NOWHERE = -(10**7)  # lies before every place of the state, so that whoever looks there is stopped
BUILT_IN = (
    "min",
    "max",
    "power",
    "even",
    "abs",
    "number",
    "seats_from",
    "others_from",
    "next_seat",
    "edges_at",
    "far",
    "paid",
    "seat",
)
_SPECIAL = ("me", "my", "board", "true", "yes", "false", "seats", "others", "original")


class Naming(Hints):
    """Finds what names mean in a world, with the definitions of its rules."""

    looks_up = False  # whether something is asked for by a number that is worked out

    # ---------------------------------------------------------------------------------------- one name

    def name(self, node: t.Expr, name: str, env: Env, want: Kind | None = None) -> Meaning | None:
        if name in env.names:
            return env.names[name]
        if name == "board" and env.board is None:
            self.fault("E209", node, "`board` is known only in a board's file and in a kind of board")
            return None
        special = self._special(node, name, env)
        if special is not None:
            return special
        found = self._meanings_of(name, env)
        definition = self.definitions.get(name)
        if definition is not None and definition.circular:
            return None  # told already
        if len(found) == 1:
            return found[0]
        if found:
            return Several(name, tuple(found))
        if name in self.world.known and not self.finished:
            return ir.Const(ir.NONE, Kind("none", optional=True))
        self.unknown(node, name, env, want)
        return None

    def is_nothing(self, name: str, env: Env) -> bool:
        """Whether a name means nothing here, without saying so."""
        if name in env.names or name in self.definitions or name in self.world.kinds or name in self.world.known:
            return False
        return name not in BUILT_IN and name not in _SPECIAL and not self._meanings_of(name, env)

    def _special(self, node: t.Expr, name: str, env: Env) -> Meaning | None:
        match name:
            case "me" | "my":
                return self.me(node, env)
            case "board":
                return env.board
            case "true" | "yes":
                return ir.Const(1, FLAG)
            case "false":
                return ir.Const(0, FLAG)
            case "seats":
                return ir.Listed(tuple(ir.Const(s, SEAT) for s in range(self.world.config.seats)), set_of(SEAT))
            case "others":
                return ir.SeatsFrom(self.me(node, env), True, set_of(SEAT))
            case "original" if env.original is not None:
                return self.call_original(node, (), env)
        return None

    def me(self, node: t.Expr, env: Env) -> ir.Exp:
        if env.me is None:
            self.fault("E209", node, "nobody is `me` here", label="say which seat is meant")
            return ir.Const(0, SEAT)
        env.me_used.append(True)
        return env.me

    def _meanings_of(self, name: str, env: Env) -> list[Meaning]:
        world = self.world
        found: list[Meaning] = []
        if name in world.table:
            found.append(self.member_value(world.table[name], (), None))
        if name in world.numbers:
            found.append(ir.Const(*world.numbers[name]))
        if name in world.options:
            found.append(self._option(name))
        if name in world.tables:
            found.append(TableRef(world.tables[name]))
        definition = self.definitions.get(name)
        if definition is not None and definition.what in ("value", "guard"):
            found.append(self.value_meaning(definition, None, env))
        if name in self.plurals and not found:
            found.append(self.plurals[name])
        if name in self.by_name:
            found.append(self.by_name[name])
        found.extend(self.namesakes.get(name, ()))
        found.extend(self.sort_by_name.get(name, ()))
        if not found or not any(isinstance(m, ir.Const) and m.kind.form == "enum" for m in found):
            for enum in world.enums.values():
                if name in enum.values:
                    found.append(ir.Const(enum.values.index(name), Kind("enum", enum.name)))
        return found

    def _option(self, name: str) -> Meaning:
        value, kind = self.world.options[name]
        if isinstance(value, tuple):
            consts = []
            for word in value:
                const = self.by_name.get(word)
                if const is None or not self.fits(const.kind, kind.of or NUMBER):
                    allowed = [self.world.thing(i).name for i in self.world.values(kind.of or NUMBER)]
                    hint = nearest(word, allowed)
                    self.faults.add(
                        "E402",
                        None,
                        f"`{word}` in the option `{name}` is no {kind.of.name if kind.of else 'thing'}",
                        label=f"did you mean `{hint}`?" if hint else "",
                        notes=("there are: " + ", ".join(allowed),),
                    )
                    continue
                consts.append(const)
            return ir.Listed(tuple(consts), kind)
        return ir.Const(cast(int, value), maybe(kind) if kind.form == "seat" else kind)

    # ----------------------------------------------------------------------------------------- members

    def member(self, node: t.Expr, of: t.Expr, name: str, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
        if isinstance(of, t.Name) and of.name not in env.names and of.name != "board":
            if of.name in ("table", "seat"):
                return self._member_of_all(node, of.name, name)
            of_all = of.name in self.world.kinds and of.name not in self.by_name and of.name not in self.world.table
            if of_all and not self._belongs_to_the_only_one(of.name, name):
                return self._member_of_all(node, of.name, name)
        owner = self.meaning(of, env)
        if isinstance(owner, Several):
            with_member = [m for m in owner.meanings if self.has_member(m, name)]
            owner = with_member[0] if with_member else owner.meanings[0]
        if owner is None:
            return None
        if isinstance(owner, Zones) and len(owner.zones) == 1 and self.holds_one(owner.zones[0]):
            owner = ir.Only(owner.zones[0], maybe(self.world.element(owner.kind.name)))
        if isinstance(owner, Zones | Lying) and not isinstance(owner, SortNames):
            inner = self.as_set(owner, of, None)
            if isinstance(owner, Lying) and inner is not None:
                owner = self.first_of(inner, of, env)
        if isinstance(owner, SortNames) and len(owner.sorts.sorts) == 1:
            piece = self.only_piece(owner)
            fields = piece is None or self._field_of_sort(piece, name) is not None
            owner = ir.Const(owner.sorts.sorts[0], owner.kind) if fields or piece is None else piece
        if not isinstance(owner, ir.EXP_CLASSES):
            self.fault("E210", node, f"{self.describe(owner)} has no `{name}`")
            return None
        self.is_there(of, owner.kind)
        narrower = kind_at(self.world, of, owner.kind, env)
        owner = owner if narrower is owner.kind else replace(owner, kind=narrower)
        return self.member_of(node, owner, name, args, env)

    def member_of(self, node: t.Expr, owner: ir.Exp, name: str, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
        kind = owner.kind
        if isinstance(owner, ir.Const) and owner.value == ir.NONE and kind.form == "none":
            return ir.Const(0, FLAG) if self._is_a_flag(name) else Zones((), Kind("zone", "thing"))
        if kind.form == "seat":
            found = self.world.seat.get(name)
            if found is not None:
                return self.indexed(node, found, (self.certain(owner),), args, env)
        elif kind.form == "thing":
            meaning = self._member_of_thing(node, owner, name, args, env)
            if meaning is not None:
                return meaning
        elif kind.form in ("piece", "sort"):
            meaning = self._field_of_sort(owner, name)
            if meaning is not None:
                return meaning
        elif kind.form == "enum":
            field = self.world.enums[kind.name].fields.get(name)
            if field is not None:
                return self.field_value(f"{kind.name}.{name}", field, owner)
        self.no_member(node, kind, name)
        return None

    def _is_a_flag(self, name: str) -> bool:
        """Whether some kind has a flag of that name: what belongs to a board that is not there is not so."""
        kinds = self.world.kinds.values()
        return any(
            name in kind.members and kind.members[name].form == "flag" or name in kind.fields and kind.fields[name].kind == FLAG
            for kind in kinds
        )

    def _member_of_thing(
        self, node: t.Expr, owner: ir.Exp, name: str, args: tuple[t.Expr, ...], env: Env
    ) -> Meaning | None:
        member = self.member_named(owner, name)
        if member is not None:
            return self.indexed(node, member, (self.certain(owner),), args, env)
        for kind in self._lineage(owner):
            if name in kind.fields:
                field = kind.fields[name]
                if field.kind.form == "cost":
                    return CostRef(owner, name)
                return self.field_value(f"{kind.name}.{name}", field, owner)
            if name in kind.menus:
                return MenuRef(owner, name)
        definition = self.member_definition(owner.kind.name, name)
        if definition is not None and definition.what in ("value", "guard"):
            owner = self.certain(owner)
            if args or definition.item.params:
                return self.call_value(node, definition, owner, args, env)
            return self.value_meaning(definition, owner, env)
        meaning = self._field_of_sort(owner, name)
        if meaning is not None:
            return meaning
        if name in self.world.kinds and isinstance(owner, ir.Const) or name in self.plurals:
            group = self._group_of(owner, name)
            if group is not None:
                return group
        return None

    def _group_of(self, owner: ir.Exp, name: str) -> Meaning | None:
        """`board.tanks`: the things that this board's file declares."""
        kind = next((k for k in self.world.kinds if plural(k) == name), "")
        boards = self.world.kinds["board"].things
        if not kind or not boards or isinstance(owner, ir.Const) and owner.value < FIRST_THING:
            return None
        low = min(boards)
        rows = tuple(self._grouped(kind, self.world.thing(i).name) for i in range(low, max(boards) + 1))
        element = Kind("thing", kind)
        if not any(rows):
            return None
        if isinstance(owner, ir.Const):
            ids = rows[owner.value - low]
            return ir.Listed(tuple(ir.Const(i, element) for i in ids), set_of(element)) if ids else None
        return ir.Rows(f"board.{name}", rows, owner, low, set_of(element))

    def _grouped(self, kind: str, home: str) -> tuple[int, ...]:
        return tuple(i for i in self.world.kinds[kind].things if self.world.groups.get(i) == home)

    def member_named(self, owner: ir.Exp, name: str) -> Member | None:
        for kind in self._lineage(owner):
            if name in kind.members:
                return kind.members[name]
        return None

    def _lineage(self, owner: ir.Exp) -> list[KindDef]:
        kinds: list[KindDef] = []
        name = owner.kind.name
        if isinstance(owner, ir.Const) and owner.value >= FIRST_THING:
            thing = self.world.thing(owner.value)
            name = thing.kind
            if f"board {thing.name}" in self.world.kinds:
                kinds.append(self.world.kinds[f"board {thing.name}"])
        while name in self.world.kinds:
            kinds.append(self.world.kinds[name])
            name = self.world.kinds[name].parent
        return kinds

    def member_definition(self, kind: str, name: str) -> Definition | None:
        while kind:
            found = self.members.get((kind, name))
            if found is not None:
                return found
            kind = self.world.kinds[kind].parent if kind in self.world.kinds else ""
        return None

    def _belongs_to_the_only_one(self, kind: str, name: str) -> bool:
        """`buyer.busy`, where there is one buyer; a zone of it is the zone of all of them anyway."""
        member = self.world.kinds[kind].members.get(name)
        names = self.sort_by_name.get(kind, [])
        return (member is None or member.form != "zone") and len(names) == 1 and self.only_piece(names[0]) is not None

    def _member_of_all(self, node: t.Expr, owner: str, name: str) -> Meaning | None:
        """`lot.laid`: that member of every one of them."""
        if owner == "table":
            if name in self.world.table:
                return self.member_value(self.world.table[name], (), None)
            self.no_member(node, Kind("word", "table"), name)
            return None
        members = self.world.seat if owner == "seat" else self.world.kinds[owner].members
        member = members.get(name)
        kind = SEAT if owner == "seat" else Kind("thing", owner)
        if member is None or member.form != "zone":
            if not self.no_one_of(node, kind, member, name):
                self.no_member(node, kind, name)
            return None
        values = self.world.values(kind)
        zones: list[ir.Exp] = []
        for value in values:
            zones.extend(self._all_indexes(member, (ir.Const(value, kind),)))
        return Zones(tuple(zones), member.kind)

    def _all_indexes(self, member: Member, at: tuple[ir.Exp, ...]) -> list[ir.Exp]:
        partial = [at]
        for kind in member.index:
            partial = [(*p, ir.Const(v, kind)) for p in partial for v in self.world.values(kind)]
        return [ir.ZoneAt(member, p, member.kind) for p in partial]

    def indexed(
        self, node: t.Expr, member: Member, owner: tuple[ir.Exp, ...], args: tuple[t.Expr, ...], env: Env
    ) -> Meaning | None:
        if not args and member.index:
            if member.form == "zone":
                return Zones(tuple(self._all_indexes(member, owner)), member.kind)
            self.fault(
                "E211",
                node,
                f"`{member.name}` needs {len(member.index)} index",
                label="like " + member.name + "(…)",
            )
            return None
        if len(args) != len(member.index):
            self.fault(
                "E211",
                node,
                f"`{member.name}` takes {len(member.index)} in brackets, {len(args)} are given",
                second=(member.span, "declared here") if member.span else None,
            )
            return None
        at = [self.exp(arg, env, kind) for arg, kind in zip(args, member.index, strict=True)]
        return self.member_value(member, (*owner, *at), None)

    def member_value(self, member: Member, at: tuple[ir.Exp, ...], kind: Kind | None) -> Meaning:
        if member.form == "zone":
            if len(at) < len(member.dims):
                return Zones(tuple(self._all_indexes(member, at)), member.kind)
            return Zones((ir.ZoneAt(member, at, member.kind),), member.kind)
        return ir.Read(member, at, kind or member.kind)

    def _field_of_sort(self, owner: ir.Exp, name: str) -> Meaning | None:
        field = self.sort_field(owner, name)
        if field is None:
            return None
        sort = owner
        if owner.kind.form in ("piece", "thing"):
            sort = ir.SortOf(owner, Kind("sort", owner.kind.name, optional=owner.kind.optional))
        return self.field_value(f"sort.{name}", field, sort)

    def certain(self, value: ir.Exp) -> ir.Exp:
        """Whose place is asked for: where that is nobody (`closer.cash`), the game stops, and no other place is read."""
        there = self.world.values(value.kind.plain) if value.kind.optional and value.kind.form in ("seat", "thing") else ()
        if isinstance(value, ir.Const) or not there:
            return value
        low, high = min(there), max(there)
        return ir.Lookup("certain", tuple(range(low, high + 1)), (value,), (low,), NOWHERE, value.kind.plain)

    def sort_field(self, owner: ir.Exp, name: str) -> Field | None:
        """The field that all sorts have which this can be, of one type in all their families."""
        families = self.world.sort_fields.get(name)
        if families is None:
            return None
        fixed = isinstance(owner, ir.Const) and owner.kind.form == "sort" and owner.value >= 0
        ids = {cast(ir.Const, owner).value} if fixed else self.sorts_of_kind(owner.kind)
        if not ids:
            return next((field for family, field in families.items() if family == owner.kind.name), None)
        found = [families.get(family) for family in dict.fromkeys(self.world.sorts[id].family for id in sorted(ids))]
        fields = [field for field in found if field is not None]
        some = self.finished and bool(fields)  # a question may be about what only some have
        if len(fields) < len(found) and not some or any(field.kind != fields[0].kind for field in fields):
            return None
        if len(fields) == 1:
            return fields[0]
        return Field(name, fields[0].kind, {id: value for field in fields for id, value in field.values.items()})

    def field_value(self, name: str, field: Field, at: ir.Exp) -> Meaning:
        """A fixed property, looked up; at once when it is known whose."""
        if field.kind.form == "set":
            rows, low = self._rows(field, (), at.kind)
            if isinstance(at, ir.Const):
                values = field.values.get(at.value, ())
                element = field.kind.of or NUMBER
                return ir.Listed(tuple(ir.Const(v, element) for v in cast("tuple[int, ...]", values)), field.kind)
            return ir.Rows(name, cast("tuple[tuple[int, ...], ...]", rows), at, low, field.kind)
        other = 0 if field.kind.form in ("number", "flag") else -1
        if isinstance(at, ir.Const):
            return ir.Const(cast(int, field.values.get(at.value, other)), field.kind)
        rows, low = self._rows(field, other, at.kind)
        present = all(i in field.values for i in self.world.values(at.kind)) and bool(self.world.values(at.kind))
        kind = (
            field.kind
            if present and not at.kind.optional or field.kind.form in ("number", "flag")
            else maybe(field.kind)
        )
        return ir.Lookup(name, rows, (at,), (low,), other, kind)

    def _rows(self, field: Field, other: object, kind: Kind) -> tuple[tuple[object, ...], int]:
        """The values of everything that can be asked for, `other` where nothing is said."""
        asked = self.world.values(kind) or (tuple(range(len(self.world.sorts))) if kind.form == "sort" else ())
        numbers = [*field.values, *asked]
        if not numbers:
            return (), 0
        low, high = min(numbers), max(numbers)
        return tuple(field.values.get(i, other) for i in range(low, high + 1)), low

    def has_member(self, meaning: Meaning, name: str) -> bool:
        if isinstance(meaning, ir.EXP_CLASSES):
            kind = self.kind_of(meaning)
            if kind.form == "thing":
                owner = meaning
                return (
                    self.member_named(owner, name) is not None
                    or any(name in k.fields or name in k.menus for k in self._lineage(owner))
                    or self.member_definition(kind.name, name) is not None
                    or name in self.plurals
                )
            return kind.form == "seat" and name in self.world.seat
        return isinstance(meaning, SortNames) and not self.sorts_of_kind(meaning.kind).isdisjoint(
            id for field in self.world.sort_fields.get(name, {}).values() for id in field.values
        )

    # ------------------------------------------------------------------------------------------- calls

    def call(self, node: t.Expr, what: t.Expr, args: tuple[t.Expr, ...], env: Env, want: Kind | None) -> Meaning | None:
        if isinstance(what, t.Member):
            return self.member(node, what.of, what.name, args, env)
        if not isinstance(what, t.Name):
            self.fault("E203", node, "this cannot be called")
            return None
        name = what.name
        bound = env.names.get(name)
        if isinstance(bound, Measure):
            return self.call_value(node, bound.function, None, args, env, bound.given)
        if isinstance(bound, TableRef):
            return self._table(node, bound.table, args, env)
        if isinstance(bound, ir.Use) and bound.var.index:
            return self.indexed_local(node, bound.var, args, env)
        if name == "original" and env.original is not None:
            return self.call_original(node, args, env)
        if name in self.definitions:
            definition = self.definitions[name]
            if definition.what in ("value", "guard"):
                if want is not None and want.form == "measure" or len(args) < len(definition.item.params or ()):
                    return Measure(definition, tuple(self.exp(arg, env) for arg in args))
                return self.call_value(node, definition, None, args, env)
            self.fault("E210", node, f"`{name}` is a {definition.what}; it has no value")
            return None
        if name in self.world.tables:
            return self._table(node, self.world.tables[name], args, env)
        if name in self.world.table:
            return self.indexed(node, self.world.table[name], (), args, env)
        if name in self.world.kinds and len(args) == 1:
            return self._by_number(node, name, args[0], env)
        if name in BUILT_IN:
            return self._built_in(node, name, args, env)
        self.unknown_call(node, name, [*self.definitions, *self.world.tables, *BUILT_IN, *env.names])
        return None

    def indexed_local(self, node: t.Expr, var: ir.Var, args: tuple[t.Expr, ...], env: Env) -> ir.Exp | None:
        if len(args) != len(var.index):
            self.fault("E211", node, f"`{var.name}` takes {len(var.index)} in brackets")
            return None
        position: ir.Exp = ir.Const(0, NUMBER)
        for arg, kind in zip(args, var.index, strict=True):
            extent = self.world.domain(kind)
            if extent is None:
                return None  # told where it is declared
            low, size = extent
            value = self.exp(arg, env, kind)
            offset = ir.Op("-", (value, ir.Const(low, NUMBER)), NUMBER) if low else value
            scaled = ir.Op("*", (position, ir.Const(size, NUMBER)), NUMBER)
            position = offset if isinstance(position, ir.Const) else ir.Op("+", (scaled, offset), NUMBER)
        return ir.Use(var, var.kind, position)

    def _table(self, node: t.Expr, table: Table, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
        depth = len(next(iter(table.rows), ()))
        if len(args) != depth:
            self.fault(
                "E211",
                node,
                f"the table `{table.name}` has {depth} index{'es' if depth != 1 else ''}, {len(args)} are given",
            )
            return None
        at = tuple(self.exp(arg, env, None) for arg in args)
        for arg, value in zip(args, at, strict=True):
            if value.kind.form not in ("number", "enum", "flag"):
                self.fault("E301", arg, f"this is {value.kind}", label="a number is needed")
                return ir.Const(0, table.kind)
        fixed: list[ir.Exp] = list(at)
        rows = dict(table.rows)
        if all(isinstance(a, ir.Const) for a in fixed):
            key = tuple(cast(ir.Const, a).value for a in fixed)
            if key not in rows:
                self.fault("E306", node, f"the table `{table.name}` has no entry for {', '.join(map(str, key))}")
                return ir.Const(0, table.kind)
            return ir.Const(rows[key], table.kind)
        while fixed and isinstance(fixed[0], ir.Const):
            first = cast(ir.Const, fixed.pop(0)).value
            rows = {key[1:]: value for key, value in rows.items() if key[0] == first}
        if not rows:
            self.fault("E306", node, f"the table `{table.name}` has no such entry")
            return ir.Const(0, table.kind)
        lows = tuple(_first_index(min(key[i] for key in rows)) for i in range(len(fixed)))
        self.looks_up = True
        return ir.Lookup(table.name, nest(rows, lows), tuple(fixed), lows, 0, table.kind, node.span)

    def _by_number(self, node: t.Expr, kind: str, arg: t.Expr, env: Env) -> Meaning | None:
        """`space(1)`: the first of them."""
        ids = self.world.kinds[kind].things
        value = self.exp(arg, env, NUMBER)
        if not ids:
            self.fault("E205", node, f"there is no {kind}")
            return None
        element = Kind("thing", kind)
        if isinstance(value, ir.Const):
            if not 1 <= value.value <= len(ids):
                self.fault("E306", node, f"there are {len(ids)} {plural(kind)}")
                return None
            return ir.Const(ids[value.value - 1], element)
        self.looks_up = True
        return ir.Lookup(kind, tuple(ids), (value,), (1,), 0, element, node.span)

    def _built_in(self, node: t.Expr, name: str, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
        counts = {
            "min": 0,
            "max": 0,
            "power": 2,
            "even": 1,
            "abs": 1,
            "number": 1,
            "seats_from": 1,
            "others_from": 1,
            "next_seat": 1,
            "edges_at": 1,
            "far": 2,
            "paid": 1,
            "seat": 1,
        }
        if name in ("min", "max") and len(args) < 2 or name not in ("min", "max") and len(args) != counts.get(name, 1):
            self.fault("E211", node, f"`{name}` takes {counts.get(name) or 'at least 2'} in brackets")
            return None
        match name:
            case "min" | "max":
                values = [self.exp(arg, env) for arg in args]
                for arg, value in zip(args[1:], values[1:], strict=True):
                    self.same_unit(args[0], values[0], arg, value)
                return ir.Op(name, tuple(values), values[0].kind)
            case "power":
                return ir.Op("power", (self.exp(args[0], env), self.exp(args[1], env, NUMBER)), NUMBER)
            case "even":
                return ir.Op("even", (self.exp(args[0], env),), FLAG)
            case "abs":
                value = self.exp(args[0], env)
                return ir.Op("abs", (value,), value.kind)
            case "number":
                value = self.exp(args[0], env)
                if value.kind.form == "number":
                    return self.with_kind(value, NUMBER)
                return self.ordinal(value, node)
            case "seats_from" | "others_from":
                return ir.SeatsFrom(self.exp(args[0], env, SEAT), name == "others_from", set_of(SEAT))
            case "next_seat":
                return ir.Op("next_seat", (self.exp(args[0], env, SEAT),), SEAT)
            case "seat":
                value = self.exp(args[0], env, NUMBER)
                seats = self.world.config.seats
                if isinstance(value, ir.Const):
                    if not 1 <= value.value <= seats:
                        self.fault("E306", node, f"there are {seats} seats", label=f"they go from 1 to {seats}")
                        return None
                    return ir.Const(value.value - 1, SEAT)
                self.looks_up = True
                return ir.Lookup("seat", tuple(range(seats)), (value,), (1,), 0, SEAT, node.span)
            case "paid":
                return self._paid(node, args[0])
            case "edges_at":
                return self._edges_at(self.exp(args[0], env, Kind("thing", "node")))
            case "far":
                return self._far(node, args, env)
        return None

    def _paid(self, node: t.Expr, unit: t.Expr) -> Meaning | None:
        name = unit.name if isinstance(unit, t.Name) else ""
        if name not in self.world.units:
            self.fault("E205", unit, f"no unit is called `{name}`")
            return None
        member = self.world.table[f"paid {name}"]
        return ir.Read(member, (), member.kind)

    def _edges_at(self, node: ir.Exp) -> Meaning:
        edges = self.world.kinds["edge"].things
        at: dict[int, list[int]] = {}
        for edge in edges:
            for end in self.ends(edge):
                at.setdefault(end, []).append(edge)
        nodes = self.world.kinds["node"].things
        kinds = {self.world.thing(e).kind for e in edges}
        kind = Kind("thing", kinds.pop() if len(kinds) == 1 else "edge")
        if not nodes:
            return ir.Listed((), set_of(kind))
        rows = tuple(tuple(at.get(n, ())) for n in range(min(nodes), max(nodes) + 1))
        if isinstance(node, ir.Const):
            return ir.Listed(tuple(ir.Const(e, kind) for e in at.get(node.value, ())), set_of(kind))
        return ir.Rows("edges_at", rows, node, min(nodes), set_of(kind))

    def ends(self, edge: int) -> tuple[int, ...]:
        fields = self.world.kinds[self.world.thing(edge).kind].fields
        return tuple(
            cast(int, fields[end].values[edge]) for end in ("a", "b") if end in fields and edge in fields[end].values
        )

    def _far(self, node: t.Expr, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
        """`far(e, n)`: the other end of an edge."""
        edge, near = (
            self.exp(args[0], env, Kind("thing", "edge")),
            self.exp(args[1], env, Kind("thing", "node")),
        )
        edges = self.world.kinds["edge"].things
        if not edges:
            return ir.Const(ir.NONE, Kind("thing", "node", optional=True))
        rows = tuple(sum(ends) if len(ends := self.ends(e)) == 2 else -1 for e in range(min(edges), max(edges) + 1))
        both = ir.Lookup("sum_of_ends", rows, (edge,), (min(edges),), -1, NUMBER)
        kinds = {self.world.thing(n).kind for e in edges for n in self.ends(e)}
        return ir.Op("-", (both, near), Kind("thing", kinds.pop() if len(kinds) == 1 else "node"))

    def ordinal(self, value: ir.Exp, node: t.Expr) -> ir.Exp:
        """`number of l`: the place of a thing among its kind, from 1."""
        match value.kind.form:
            case "seat":
                return ir.Op("+", (value, ir.Const(1, NUMBER)), NUMBER)
            case "enum":
                return ir.Op("+", (value, ir.Const(1, NUMBER)), NUMBER)
            case "thing":
                ids = self.world.kinds[value.kind.name].things if value.kind.name in self.world.kinds else []
                low = min(ids, default=FIRST_THING)
                return ir.Op("-", (value, ir.Const(low - 1, NUMBER)), NUMBER)
            case "sort":
                ids = self.world.categories.get(value.kind.name, [])
                return ir.Op("-", (value, ir.Const(min(ids, default=1) - 1, NUMBER)), NUMBER)
            case _:
                self.fault("E302", node, f"{value.kind} has no number")
                return ir.Const(0, NUMBER)

    # ------------------------------------------------------------------------------------ sorts, kinds

    def family_link(self, family: str) -> tuple[str, str] | None:
        decl = next((p for p in self.box.pieces if p.name == family and p.sorts_for is not None), None)
        return decl.sorts_for if decl else None

    def sorts_of(self, node: t.Of, family: str, arg: t.Expr, env: Env) -> Meaning | None:
        """`crate of m`: the sort of a family that belongs to a thing."""
        link = self.family_link(family)
        assert link is not None
        want = Kind("enum", link[1]) if link[1] in self.world.enums else Kind("thing", link[1])
        ids = self.world.categories[family]
        kind = Kind("sort", family)
        if isinstance(arg, t.Name) and arg.name in self.world.known and arg.name not in env.names:
            return SortNames(ir.SortSet(()), kind)
        value = self.exp(arg, env, want)
        linked = self.world.sort_fields.get(link[0], {}).get(family)
        by_thing: dict[int, list[int]] = {}
        for id in ids:
            if linked is not None and id in linked.values:
                by_thing.setdefault(cast(int, linked.values[id]), []).append(id)
        if isinstance(value, ir.Const):
            return SortNames(ir.SortSet(tuple(by_thing.get(value.value, ()))), kind)
        if any(len(found) > 1 for found in by_thing.values()):
            self.fault("E302", node, f"there are several sorts of {family} for one {link[1]}")
        if not by_thing:
            return SortNames(ir.SortSet(()), kind)
        low, high = min(by_thing), max(by_thing)
        rows = tuple(by_thing.get(i, [-1])[0] for i in range(low, high + 1))
        return SortNames(ir.SortSet(tuple(ids), ir.Lookup(f"{family}_of", rows, (value,), (low,), -1, kind)), kind)

    def sort_names(self, found: Meaning | None) -> SortNames | None:
        """Sorts, whichever way they were named."""
        if isinstance(found, SortNames):
            return found
        if isinstance(found, Several):
            return next((names for m in found.meanings if (names := self.sort_names(m)) is not None), None)
        if isinstance(found, ir.Listed) and found.kind.of is not None and found.kind.of.form == "sort":
            if all(isinstance(item, ir.Const) for item in found.items):
                return SortNames(ir.SortSet(tuple(cast(ir.Const, item).value for item in found.items)), found.kind.of)
        if isinstance(found, ir.EXP_CLASSES):
            value = found
            if value.kind.form == "sort":
                ids = tuple(self.world.categories.get(value.kind.name, ()))
                if isinstance(value, ir.Const):
                    return SortNames(ir.SortSet((value.value,)), value.kind)
                return SortNames(ir.SortSet(ids, value), value.kind)
        return None

    def all_sorts(self, zone_kind: Kind) -> tuple[int, ...]:
        return tuple(self.world.categories.get(zone_kind.name, ()))

    def element_of_sorts(self, sorts: ir.SortSet, zone_kind: Kind) -> Kind:
        """What lies in a zone, once it is known of which sorts."""
        kinds = {self.world.sorts[id].kind for id in sorts.sorts}
        if len(kinds) == 1 and (kind := kinds.pop()):
            return Kind("thing", kind)
        for category in (f for f in self.world.categories if f in self.world.families):
            if sorts.sorts and set(sorts.sorts) <= set(self.world.categories[category]):
                return self.world.element(category)
        return self.world.element(zone_kind.name)

    def can_lie(self, meaning: Meaning, place: Zones) -> bool:
        names = self.sort_names(meaning)
        if names is not None:
            return self.may_hold(names.sorts, place)
        if isinstance(meaning, ir.EXP_CLASSES):
            kind = self.kind_of(meaning)
            return kind.form in ("thing", "piece") and (
                kind.name in ("", "thing", "piece")
                or kind.name in self.world.categories and not self.world.categories[kind.name]
                or not self.sorts_named(kind.name).isdisjoint(self.all_sorts(place.kind))
            )
        return False

    def may_hold(self, sorts: ir.SortSet, place: Zones) -> bool:
        return not sorts.sorts or any(not self.held_in(zone).isdisjoint(sorts.sorts) for zone in place.zones)

    def held_in(self, zone: ir.Exp) -> set[int]:
        """What can lie in a zone: where it holds the sorts of whom it belongs to, these, if that is known."""
        if not isinstance(zone, ir.ZoneAt) or zone.member.owner_at is None:
            return set(self.all_sorts(zone.kind))
        owner = zone.at[zone.member.owner_at]
        return set(zone.member.own.get(owner.value, ()) if isinstance(owner, ir.Const) else zone.member.sorts)

    def holds_one(self, zone: ir.Exp) -> bool:
        return isinstance(zone, ir.ZoneAt) and isinstance(zone.member.most, t.Int) and zone.member.most.value == 1

    def is_named(self, node: t.IsA, item: ir.Exp, name: str, env: Env) -> ir.Exp:
        """`x is NAME`: a kind, a family, a sort, a side, a property or a mark."""
        world = self.world
        if item.kind.form == "thing":
            member = self.member_named(item, name)
            if member is not None and member.kind == FLAG and not member.index:
                return ir.Read(member, (item,), FLAG)
            for kind in self._lineage(item):
                if name in kind.fields and kind.fields[name].kind == FLAG:
                    return cast(ir.Exp, self.field_value(f"{kind.name}.{name}", kind.fields[name], item))
            if name in world.kinds and (world.kinds[name].things or name not in world.categories):
                return self._kind_test(item, name)
        flag_field = self._flag_of_sorts(item, name)
        if flag_field is not None:
            return flag_field
        if item.kind.form in ("thing", "piece", "sort"):
            ids = [s for names in self.sort_by_name.get(name, ()) for s in names.sorts.sorts]
            ids += [s.id for s in world.sorts if s.side == name]
            if ids:
                return self.sort_test(item, ir.SortSet(tuple(dict.fromkeys(ids))), node.kind)
            if name in world.known and not self.finished:
                return ir.Const(0, FLAG)
        if item.kind.form == "seat":
            flag = world.seat.get(name)
            if flag is not None and flag.kind == FLAG:
                return ir.Read(flag, (item,), FLAG)
        if item.kind.form == "enum" and name in world.enums[item.kind.name].values:
            return ir.Op("=", (item, ir.Const(world.enums[item.kind.name].values.index(name), item.kind)), FLAG)
        known = [
            *world.kinds,
            *world.categories,
            *self.sort_by_name,
            *(n for n, its in world.sort_fields.items() if any(field.kind == FLAG for field in its.values())),
        ]
        label = self._brought(name) or meant(nearest(name, known))
        self.fault("E205", node.kind, f"nothing can be `{name}`", label=label)
        return ir.Const(0, FLAG)

    def _flag_of_sorts(self, item: ir.Exp, name: str) -> ir.Exp | None:
        """`b is barge`, where a family says `barge: true` of a sort; what has no such flag is none."""
        flags = [field for field in self.world.sort_fields.get(name, {}).values() if field.kind == FLAG]
        if not flags or item.kind.form not in ("piece", "thing", "sort"):
            return None
        if self.sorts_of_kind(item.kind).isdisjoint(id for field in flags for id in field.values):
            return None
        together = Field(name, FLAG, {id: value for field in flags for id, value in field.values.items()})
        sort = item if item.kind.form == "sort" else ir.SortOf(item, replace(item.kind, form="sort"))
        return cast(ir.Exp, self.field_value(f"sort.{name}", together, sort))

    def _kind_test(self, item: ir.Exp, name: str) -> ir.Exp:
        ids = self.world.kinds[name].things
        if self.world.is_kind(item.kind.name, name) and not item.kind.optional:
            return ir.Const(1, FLAG)
        if not ids:
            return ir.Const(0, FLAG)
        if isinstance(item, ir.Const):
            return ir.Const(int(item.value in ids), FLAG)
        low = ir.Op(">=", (item, ir.Const(min(ids), NUMBER)), FLAG)
        high = ir.Op("<=", (item, ir.Const(max(ids), NUMBER)), FLAG)
        return ir.Op("and", (low, high), FLAG)

    def sort_test(self, item: ir.Exp, sorts: ir.SortSet, node: t.Expr) -> ir.Exp:
        """Whether a piece or a sort is one of these sorts."""
        kind = Kind("sort", item.kind.name, optional=item.kind.optional)
        sort = item if item.kind.form == "sort" else ir.SortOf(item, kind)
        if sorts.one is not None:
            return ir.Op("=", (sort, sorts.one), FLAG)
        if len(sorts.sorts) == 1:
            return ir.Op("=", (sort, ir.Const(sorts.sorts[0], kind)), FLAG)
        inside = set(sorts.sorts)
        if set(self.world.categories.get(item.kind.name, (-1,))) <= inside:
            return ir.Const(1, FLAG)
        rows = tuple(int(i in inside) for i in range(len(self.world.sorts)))
        name = "is_" + "_".join(str(s) for s in sorts.sorts[:6]) + f"_{len(sorts.sorts)}"
        return ir.Lookup(name, rows, (sort,), (0,), 0, FLAG)

    # ----------------------------------------------------- worked out elsewhere (expressions, values)

    def exp(self, node: t.Expr, env: Env, want: Kind | None = None) -> ir.Exp:
        raise AssertionError

    def meaning(self, node: t.Expr, env: Env, want: Kind | None = None) -> Meaning | None:
        raise AssertionError

    def as_set(self, found: Meaning | None, node: t.Expr, want: Kind | None) -> ir.Set | None:
        raise AssertionError

    def first_of(self, inner: ir.Set, node: t.Expr, env: Env, want: Kind | None = None) -> ir.Exp:
        raise AssertionError

    def is_there(self, node: t.Expr, kind: Kind) -> None:
        raise AssertionError

    def same_unit(self, a: t.Expr, left: ir.Exp, b: t.Expr, right: ir.Exp) -> None:
        raise AssertionError

    def with_kind(self, value: ir.Exp, kind: Kind) -> ir.Exp:
        raise AssertionError

    def value_meaning(self, definition: Definition, owner: ir.Exp | None, env: Env) -> Meaning:
        raise AssertionError

    def call_value(
        self,
        node: t.Expr,
        definition: Definition,
        owner: ir.Exp | None,
        args: tuple[t.Expr, ...],
        env: Env,
        given: tuple[ir.Exp, ...] = (),
    ) -> Meaning | None:
        raise AssertionError

    def call_original(self, node: t.Expr, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
        raise AssertionError


def _first_index(low: int) -> int:
    """Tables that begin a little above 0 are kept from 0 on: nothing then has to be taken off an index."""
    return 0 if 0 < low <= 4 else low


def nest(rows: dict[tuple[int, ...], int], lows: tuple[int, ...]) -> tuple[object, ...]:
    """A table as tuples of tuples, each index counted from its low; holes are None."""
    if len(lows) == 1:
        high = max(key[0] for key in rows)
        return tuple(rows.get((i,)) for i in range(lows[0], high + 1))
    high = max(key[0] for key in rows)
    parts = []
    for i in range(lows[0], high + 1):
        inner = {key[1:]: value for key, value in rows.items() if key[0] == i}
        parts.append(nest(inner, lows[1:]) if inner else ())
    return tuple(parts)


__all__ = ["BUILT_IN", "Naming", "maybe", "nest", "number"]
