"""What a name means where it stands, and what a thing, a seat or a sort has under a name.

A name is first one that the rule itself has given (`let`, `for`, a parameter), then a word of the language (`me`,
`others`), then whatever has been declared: a member of the table, a number, an option, a table of numbers, a value, the
plural of a kind, a thing, a sort of piece, a word of an enumeration. What it means never hangs on how many there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.arguments import in_order
from tests.reference.box import World
from tests.reference.env import Env
from tests.reference.modules import Definition, Rules
from tests.reference.state import State
from tests.reference.values import (
    NOUGHT,
    Amount,
    Bag,
    CostRef,
    Items,
    Lying,
    Measure,
    MenuRef,
    Nought,
    Piece,
    RulesWrong,
    Several,
    Sorts,
    TableRef,
    Value,
    Word,
    Zones,
    is_number,
    listed,
    unit_of,
)
from tests.reference.world import Member, Seat, Sort, Thing, Zone

ABSENT = "absent"


class Places:
    """The state by its places: what lies where, and what is remembered."""

    def __init__(self, world: World, rules: Rules, absent: frozenset[str]):
        self.world, self.rules, self.absent = world, rules, absent
        self.state = State()
        self.zones: dict[tuple[Member, Any, tuple[Value, ...]], Zone] = {}
        self.placed: dict[str, dict[str, Member]] = world.members
        self._lineages: dict[tuple[bool, str, str], list[str]] = {}
        self._members: dict[tuple[Thing, str], Member | None] = {}
        self._counted: dict[tuple[Zone, tuple[Sort, ...] | None], list[tuple[Any, Piece]]] = {}
        self.sort_field_values: dict[str, Value] = {}
        for sort in world.sorts:
            for name, value in sort.fields.items():
                self.sort_field_values.setdefault(name, value)

    def lineage(self, thing: Thing) -> list[str]:
        key = (thing.is_board, thing.name if thing.is_board else "", thing.kind)
        if key not in self._lineages:
            self._lineages[key] = self.world.lineage(thing)
        return self._lineages[key]

    def member(self, owner: Any, name: str) -> Member | None:
        """What a seat, the table or a thing has under this name: the nearest of what its kind is a kind of."""
        if not isinstance(owner, Thing):
            return self.placed["seat" if isinstance(owner, Seat) else "table"].get(name)
        key = owner, name
        if key not in self._members:
            its = (self.placed.get(kind, {}).get(name) for kind in self.lineage(owner))
            self._members[key] = next((member for member in its if member is not None), None)
        return self._members[key]

    def zone(self, member: Member, owner: Any, index: tuple[Value, ...]) -> Zone:
        key = (member, owner, index)
        if key not in self.zones:
            self.zones[key] = Zone(member, owner, index)
        return self.zones[key]

    def all_indexes(self, member: Member) -> list[tuple[Value, ...]]:
        found: list[tuple[Value, ...]] = [()]
        for type in member.index:
            found = [(*at, value) for at in found for value in self.world.values_of(type)]
        return found

    # -------------------------------------------------------------------------------------------- pieces

    def held(self, zone: Zone) -> list[Sort]:
        """The sorts that can lie in a zone, in order; where it is `of ticket of me` only those of whom it belongs to."""
        decl: t.Zone = zone.member.decl
        everything = decl.sort in ("thing", "things", "piece")
        sorts = self.world.sorts if everything else self.world.categories.get(decl.sort, [])
        if decl.sort_of is None:
            return sorts
        whose = zone.owner
        for param, value in zip(decl.index, zone.index):
            whose = value if param.name == decl.sort_of else whose
        per_seat = any(sort.owner is not None for sort in sorts)
        return [sort for sort in sorts if (sort.owner if per_seat else sort.thing) is whose]

    def things_in(self, zone: Zone) -> tuple[Thing, ...]:
        found: tuple[Thing, ...] = self.state.look((zone, "things")) or ()
        return found

    def place_of(self, thing: Thing) -> Zone | None:
        found: Zone | None = self.state.look((thing, "place"))
        return found

    def pieces(self, zones: tuple[Zone, ...], sorts: tuple[Sort, ...] | None = None) -> Items:
        """Those that are counted, zone by zone and sort by sort; then those that exist one by one, in their order.

        Several zones together have one order: that of the things, or in zones with an order that of coming.
        """
        cells, reading = self.state.cells, self.state.reading
        found: list[tuple[Value, int]] = []
        for zone in zones:
            counted = self.counted_in(zone, sorts)
            found += [(piece, cells[key]) for key, piece in counted if cells.get(key)]
            if reading is not None:
                reading.update((key, cells.get(key)) for key, _ in counted)
        things = [x for zone in zones for x in self.things_in(zone) if sorts is None or x.sort in sorts]
        if len(things) > 1:
            things.sort(key=self.world.order.__getitem__)
            if any("ordered" in zone.member.words for zone in zones):
                things.sort(key=lambda x: int(self.state.get((x, "rank"))))
        return Items(found + [(x, 1) for x in dict.fromkeys(things)])

    def counted_in(self, zone: Zone, sorts: tuple[Sort, ...] | None) -> list[tuple[Any, Piece]]:
        """Of the sorts that can lie there, or of these, those that are counted: where the state has how many."""
        key = zone, sorts
        if key not in self._counted:
            its = self.held(zone) if sorts is None else sorts
            self._counted[key] = [((zone, sort), Piece(zone, sort)) for sort in its if not sort.individual]
        return self._counted[key]

    def number_in(self, zones: tuple[Zone, ...], sorts: tuple[Sort, ...] | None = None) -> int:
        """How many pieces lie there."""
        return sum(n for _, n in self.pieces(tuple(dict.fromkeys(zones)), sorts).items)

    def holds_one(self, zone: Zone) -> bool:
        """Declared with `at most 1`: it stands for the piece in it."""
        most = zone.member.words.get("at_most")
        return most is not None and isinstance(most.arg, t.Int) and most.arg.value == 1

    def only(self, zone: Zone) -> Value:
        """The first piece that lies there; none if nothing does."""
        return next((value for value, _ in self.pieces((zone,)).items), None)

    def sort_of(self, value: Value) -> Sort | None:
        if isinstance(value, Piece):
            return value.sort
        if isinstance(value, Thing):
            return value.sort
        if isinstance(value, Sort) or value is None:
            return value
        raise RulesWrong(f"{value} is no piece")


class Names(Places, ABC):
    """Finds what names mean."""

    def __init__(self, world: World, rules: Rules, absent: frozenset[str]):
        super().__init__(world, rules, absent)
        self.things_named = self._things_named()
        self.sorts_named = self._sorts_named()

    def _things_named(self) -> dict[str, tuple[Thing, ...]]:
        """Boards before all others of the same name; what is only numbered, and lines, are not called by name.

        The only piece of a sort is `buyer_1`: `buyer` is the sort, however many there are."""
        found: dict[str, tuple[Thing, ...]] = {}
        for thing in self.world.things:
            if not thing.name.isdigit() and self.world.kinds[thing.kind].root != "edge":
                single = thing.sort is not None and not thing.is_board and thing.sort.full_name == thing.name
                name = f"{thing.name}_1" if single else thing.name
                found[name] = (*found.get(name, ()), thing)
        boards = {name: tuple(x for x in things if x.is_board) for name, things in found.items()}
        return {name: boards[name] or things for name, things in found.items()}

    def _sorts_named(self) -> dict[str, tuple[Sorts, ...]]:
        """Sorts by their own name, and all of a family or category by its. One for each thing goes by `barrel of m`."""
        world = self.world
        linked = {p.name for p in world.box.pieces if len(p.sorts_for) == 1 and not p.board}
        linked -= {p.name for p in world.box.pieces if p.board}
        found: dict[str, dict[str, list[Sort]]] = {}
        for sort in world.sorts:
            if sort.family not in linked and not (sort.thing is None and self.is_board_kind(sort.family)):
                for name in dict.fromkeys((sort.name, sort.full_name)):
                    found.setdefault(name, {}).setdefault(sort.family, []).append(sort)
        for name, sorts in world.categories.items():
            found[name] = {name: list(sorts)}
        return {name: tuple(Sorts(tuple(s), f) for f, s in families.items()) for name, families in found.items()}

    def is_board_kind(self, name: str) -> bool:
        return name in self.world.kinds and self.world.kinds[name].root == "board"

    # --------------------------------------------------------------------------------------------- one name

    def name(self, name: str, env: Env) -> Value:
        known, value = env.find(name)
        if known:
            return value
        match name:
            case "me" | "my":
                return self.me(env)
            case "board":
                if env.board is None:
                    raise RulesWrong("no board is `board` here")
                return env.board
            case "true" | "yes":
                return True
            case "false":
                return False
            case "seats":
                return listed(self.world.seats)
            case "others":
                return listed(self.seats_from(self.me(env))[1:])
            case "original" if isinstance(env.original, Definition):
                return self.value(env.original, env, env.board, ())
        found = self.meanings(name, env)
        if not found and name in self.absent:
            return None
        if not found:
            raise RulesWrong(f"nothing is called `{name}`")
        return found[0] if len(found) == 1 else Several(name, tuple(found))

    def me(self, env: Env) -> Seat:
        if env.me is None:
            raise RulesWrong("nobody is `me` here")
        return env.me

    def seats_from(self, seat: Seat) -> list[Seat]:
        at = seat.number - 1
        return self.world.seats[at:] + self.world.seats[:at]

    def meanings(self, name: str, env: Env) -> list[Value]:
        world = self.world
        found: list[Value] = []
        member = self.placed["table"].get(name)
        if member is not None:
            found.append(self.read(member, world.table, (), env))
        if name in world.numbers:
            found.append(world.numbers[name])
        if name in world.options and world.options[name] != "random":
            value = world.options[name]
            found.append(listed([self.things_named[word][0] for word in value]) if isinstance(value, tuple) else value)
        elif name in world.options:
            found.append(self.state.get(("option", name)))
        if name in world.tables:
            found.append(TableRef(name))
        definition = self.rules.definitions.get(name)
        if definition is not None and definition.what in ("value", "guard"):
            found.append(Measure(definition) if definition.params else self.value(definition, env, None, ()))
        if not found and (all_of_them := world.all_called(name)) is not None:
            found.append(Items([(value, 1) for value in all_of_them]))
        found += self.things_named.get(name, ())
        found += self.sorts_named.get(name, ())
        if not any(isinstance(value, Word) for value in found):
            found += [world.word(enum, name) for enum, words in world.words.items() if name in words]
        return found

    # --------------------------------------------------------------------------------------------- members

    def read(self, member: Member, owner: Any, index: tuple[Value, ...], env: Env) -> Value:
        """What stands in a counter, flag, purse or memory; of a zone the zone itself, or all of them."""
        if member.form == "zone":
            if member.index and not index:
                return Zones(tuple(self.zone(member, owner, at) for at in self.all_indexes(member)))
            return self.zone(member, owner, index)
        return self.state.get((member, owner, index))

    def member_of(self, owner: Value, name: str, call: t.Expr | None, env: Env) -> Value:
        """`owner.name`, by what the owner is; of `owner.name(…)` the whole call."""
        args = call.args if isinstance(call, t.Call) else ()
        if owner is None:
            return self.of_nothing(name)
        if isinstance(owner, Seat):
            if name == "score":
                return self.state.get(("score", owner))
            member = self.member(owner, name)
            if member is not None:
                return self.read(member, owner, self.index(member, args, env), env)
        elif isinstance(owner, Thing):
            return self.of_thing(owner, name, call, env)
        elif isinstance(owner, Piece | Sort):
            sort = self.sort_of(owner)
            assert sort is not None
            if name in self.sort_field_values:
                return self.as_set(sort.fields[name]) if name in sort.fields else self.of_nothing(name)
        elif isinstance(owner, Word):
            fields = self.world.word_fields.get((owner.enum, owner.name), {})
            if name in fields or any(what == owner.enum and name in its for (what, _), its in self.world.word_fields.items()):
                return fields.get(name)
        raise RulesWrong(f"{owner} has no `{name}`")

    def index(self, member: Member, args: tuple[t.Expr, ...], env: Env) -> tuple[Value, ...]:
        if args and len(args) != len(member.index) or not args and member.index and member.form != "zone":
            raise RulesWrong(f"`{member.name}` takes {len(member.index)} in brackets")
        return tuple(self.as_type(self.ev(arg, env), type) for arg, type in zip(args, member.index))

    def of_thing(self, owner: Thing, name: str, call: t.Expr | None, env: Env) -> Value:
        args = call.args if isinstance(call, t.Call) else ()
        member = self.member(owner, name)
        if member is not None:
            return self.read(member, owner, self.index(member, args, env), env)
        if owner.sort is not None and name in owner.sort.fields:
            return self.as_set(owner.sort.fields[name])
        if name in owner.fields:
            return self.as_set(owner.fields[name])
        if (owner, name) in self.world.costs:
            return CostRef(owner, name)
        for kind in self.lineage(owner):
            if kind in self.world.kinds and name in self.world.kinds[kind].menus:
                return MenuRef(owner, name)
            definition = self.rules.members.get((kind, name))
            if definition is not None and definition.what in ("value", "guard"):
                if definition.params and not args:
                    return Measure(definition, (owner,))
                given = () if call is None else in_order(call, definition)
                return self.value(definition, env, owner, tuple(self.ev(arg, env) for arg in given))
        one = self.world.singular(name)
        if one is not None and owner.is_board:
            return listed([x for x in self.world.kinds[one].things if x.group == owner.name])
        if any(name in self.world.fields_of(kind) for kind in self.lineage(owner) if kind in self.world.kinds):
            return self.of_nothing(name)
        if name in self.sort_field_values or any((kind, name) in self.world.linked for kind in self.lineage(owner)):
            return self.of_nothing(name)
        raise RulesWrong(f"{owner} has no `{name}`")

    def of_nothing(self, name: str) -> Value:
        """A property of nothing is nothing: 0, no, none, or an empty set."""
        if any(m.form == "zone" for members in self.placed.values() for m in members.values() if m.name == name):
            return Zones(())
        if name in self.sort_field_values:
            value = self.sort_field_values[name]
            return NOUGHT if is_number(value) else False if isinstance(value, bool) else None
        for rules in self.world.box.rules:
            for item in rules.items:
                for m in getattr(item, "members", ()):
                    if isinstance(m, t.Flag) and m.name == name:
                        return False
                    if isinstance(m, t.Field) and m.name == name:
                        form = m.type.name
                        if form == "set":
                            return listed(())
                        return NOUGHT if form in ("number", *self.world.units) else False if form == "flag" else None
        return None

    def as_set(self, value: Value) -> Value:
        return listed(value) if isinstance(value, tuple) else value

    def member_of_all(self, owner: str, name: str) -> Value:
        """`lot.laid`: that zone of every lot."""
        owners: list[Any] = list(self.world.seats) if owner == "seat" else list(self.world.kinds[owner].things)
        zones: list[Zone] = []
        for one in owners:
            member = self.member(one, name)
            if member is None or member.form != "zone":
                raise RulesWrong(f"not every {owner} has a zone `{name}`")
            zones += [self.zone(member, one, at) for at in self.all_indexes(member)]
        return Zones(tuple(zones))

    # --------------------------------------------------------------------------------------------- types

    def form_of(self, type: str) -> str:
        """What a plain type name stands for."""
        if type in ("number", "flag", "seat", "text", "purse", "table", "measure", "zone", "set", "bag", "cost"):
            return type
        if type in self.world.units:
            return "unit"
        if type in self.world.words:
            return "word"
        if type in ("seats", "sorts", "things"):
            return "set"
        kind = self.world.kinds.get(type)
        if kind is not None and (kind.root != "piece" or type not in self.world.categories or kind.things):
            return "thing"
        if type in self.world.categories:
            return "sort"
        if self.world.singular(type) is not None:
            return "set"
        raise RulesWrong(f"no type is called `{type}`")

    def as_type(self, value: Value, type: str) -> Value:
        """A value where one of that type is wanted; of a name that means several things the one that fits."""
        form = self.form_of(type)
        if isinstance(value, Several):
            fitting = [m for m in value.meanings if self.fits(m, type, form)]
            value = fitting[0] if fitting else value.meanings[0]
        match form:
            case "number" | "unit":
                unit = type if form == "unit" else ""
                if isinstance(value, Nought):
                    return Amount(0, unit) if unit else 0
                if not is_number(value) or unit_of(value) != unit:
                    raise RulesWrong(f"{value} is no {type}")
                return value
            case "flag":
                return self.truth_of(value)
            case "thing":
                return self.one_piece(value)
            case "sort":
                value = self.one_piece(value) if isinstance(value, Zone | Lying) else value
                return self.one_sort(value)
            case "set":
                return value if isinstance(value, Bag) else self.items_of(value)
        return value

    def fits(self, value: Value, type: str, form: str) -> bool:
        match form:
            case "word":
                return isinstance(value, Word) and value.enum == type
            case "thing":
                return isinstance(value, Thing) and (type in ("thing", "piece") or self.world.is_kind(value.kind, type))
            case "sort":
                return isinstance(value, Sorts | Sort)
            case "set":
                return isinstance(value, Items | Zones | Zone)
            case "number" | "unit":
                return is_number(value)
        return not isinstance(value, Sorts)

    def one_sort(self, value: Value) -> Value:
        if isinstance(value, Sorts):
            if len(value.sorts) != 1:
                raise RulesWrong(f"{value} are several sorts, or none; one is needed")
            return value.sorts[0]
        return self.sort_of(value)

    def one_piece(self, value: Value) -> Value:
        """A zone stands for the piece in it, `octopus in my.tokens` for the first of them."""
        if isinstance(value, Zone):
            return self.only(value)
        if isinstance(value, Lying):
            return next((x for x, _ in self.items_of(value).items), None)
        return self.the_only(value) or value

    def the_only(self, value: Value) -> Thing | None:
        """Of a sort of which there is only one piece, and which exists one by one: that piece."""
        if not isinstance(value, Sorts) or len(value.sorts) != 1 or not value.sorts[0].individual:
            return None
        its = [thing for thing in self.world.things if thing.sort is value.sorts[0] and not thing.is_board]
        return its[0] if len(its) == 1 else None

    # ----------------------------------------------------------------------------- told in expressions.py

    @abstractmethod
    def ev(self, e: t.Expr, env: Env) -> Value:
        ...

    @abstractmethod
    def truth_of(self, value: Value) -> bool:
        ...

    @abstractmethod
    def items_of(self, value: Value, one_too: bool = False) -> Items:
        ...

    @abstractmethod
    def value(self, definition: Definition, env: Env, owner: Thing | None, args: tuple[Value, ...]) -> Value:
        ...
