"""Expressions, worked out as they stand. They change nothing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from typing import Any, cast

from ichiba.dsl.syntax import tree as t
from tests.reference.arguments import in_order
from tests.reference.env import Env
from tests.reference.modules import Definition
from tests.reference.recalling import Recalling, as_key
from tests.reference.trees import nodes
from tests.reference.values import (
    NOUGHT,
    ORDERED,
    Amount,
    AmountOf,
    Bag,
    Indexed,
    Items,
    Lying,
    Measure,
    PerSeat,
    Piece,
    Promised,
    RulesWrong,
    Several,
    Sorts,
    TableRef,
    Value,
    Word,
    Zones,
    bare,
    divided,
    is_number,
    listed,
    minus,
    plus,
    times,
    with_unit,
)
from tests.reference.world import Member, Seat, Sort, Thing, Zone, plural

STAND_FOR_THEMSELVES = frozenset((bool, int, Amount, Word, Seat, Thing, Piece, Sort, type(None)))
ONE_BY_ONE = frozenset((Seat, Thing))  # one of these is the same as itself, and as nothing else


class Given(Exception):
    """`give`: what a value or procedure gives back."""

    def __init__(self, values: list[Value]):
        super().__init__()
        self.values = values


class Expressions(Recalling):
    """Works out expressions."""

    methods: dict[type, Callable[[Any, Env], Value]]  # by the class of an expression what works it out
    _names_in: dict[tuple[int, ...], tuple[Any, tuple[str, ...]]]  # by where they stand: expressions, and the names in them
    _of_that_name: dict[str, frozenset[Sort]]  # the sorts that are called so, or show a side of that name

    # ------------------------------------------------------------------------------------ what is wanted

    def one(self, e: t.Expr, env: Env, wanted: str = "") -> Value:
        """A single value. `octopus in my.tokens` is a condition, but where a piece is wanted the first of them."""
        return self.single(self.ev(e, env), wanted)

    def single(self, value: Value, wanted: str = "") -> Value:
        if type(value) in STAND_FOR_THEMSELVES:
            return value
        match value:
            case Several(meanings=meanings):
                plain = [m for m in meanings if not isinstance(m, Items | Zones | Zone | Sorts)]
                return self.single((plain or meanings)[0], wanted)
            case Sorts():
                return self.one_sort(value)
            case Zones(zones=zones):
                if len(zones) != 1:
                    raise RulesWrong("these are several zones; one is needed")
                return self.single(zones[0], wanted)
            case Zone() if wanted:
                return self.only(value)
            case Lying() if wanted:
                return self.one_piece(value)
            case Lying() | AmountOf():
                return self.truth_of(value)
            case Items() | TableRef() | Measure():
                raise RulesWrong(f"{value} is not one value")
        return value

    def truth(self, e: t.Expr, env: Env) -> bool:
        return self.truth_of(self.ev(e, env))

    def truth_of(self, value: Value) -> bool:
        if value is True or value is False:
            return bool(value)
        match value:
            case Lying(sorts=sorts, zones=zones):
                return self.number_in(zones.zones, sorts.sorts) > 0
            case AmountOf(amount=amount, what=Lying(sorts=sorts, zones=zones)):
                return self.number_in(zones.zones, sorts.sorts) >= amount
        raise RulesWrong(f"{value} is no condition")

    def number(self, e: t.Expr, env: Env) -> Value:
        value = self.one(e, env)
        if not is_number(value):
            raise RulesWrong(f"{value} is no number")
        return value

    def plain(self, e: t.Expr, env: Env) -> int:
        """A number without a unit."""
        value = self.number(e, env)
        if isinstance(value, Amount):
            raise RulesWrong(f"{value} has a unit; a plain number is needed")
        return int(value)

    def seat(self, e: t.Expr, env: Env) -> Seat:
        value = self.one(e, env)
        if not isinstance(value, Seat):
            raise RulesWrong(f"{value} is no seat")
        return value

    def zones_of(self, e: t.Expr, env: Env) -> tuple[Zone, ...]:
        value = self.ev(e, env)
        if isinstance(value, Several):
            value = next((m for m in value.meanings if isinstance(m, Zone | Zones)), value)
        if isinstance(value, Zone):
            return (value,)
        if isinstance(value, Zones):
            return value.zones
        raise RulesWrong(f"{value} is no zone")

    def zone_of(self, e: t.Expr, env: Env) -> Zone:
        found = self.zones_of(e, env)
        if len(found) != 1:
            raise RulesWrong("these are several zones, or none; one is needed")
        return found[0]

    def items(self, e: t.Expr, env: Env) -> Items:
        return self.items_of(self.ev(e, env))

    def items_of(self, value: Value, one_too: bool = False) -> Items:
        """What can be taken for a set: zones stand for the pieces in them, a family for its sorts."""
        match value:
            case Items():
                return value
            case Several(meanings=meanings):
                for meaning in meanings:
                    if isinstance(meaning, Items | Zone | Zones | Lying | Sorts) or one_too:
                        return self.items_of(meaning, one_too)
            case Zone():
                return self.pieces((value,))
            case Zones(zones=zones):
                return self.pieces(zones)
            case Lying(sorts=sorts, zones=zones):
                return self.pieces(zones.zones, sorts.sorts)
            case Sorts(sorts=sorts):
                return listed(sorts)
            case Bag():
                return self.chosen(value)
            case _ if one_too and not isinstance(value, AmountOf | TableRef | Measure):
                return listed([value])
        raise RulesWrong(f"{value} is no set")

    def chosen(self, bag: Bag) -> Items:
        """A chosen lot: of each sort so many, from the first places where they lay."""
        found: list[tuple[Value, int]] = []
        for sort, wanted in bag.counts.items():
            left = wanted
            for value, there in bag.pieces:
                if left and self.sort_of(value) is sort:
                    n = min(left, there)
                    found.append((value, n))
                    left -= n
        return Items(found)

    # ------------------------------------------------------------------------------------------ by class

    def ev(self, e: t.Expr, env: Env) -> Value:
        how = self.methods.get(type(e))
        if how is None:
            how = self.methods[type(e)] = getattr(self, "ev_" + type(e).__name__)
        return how(e, env)

    def ev_Int(self, e: t.Int, env: Env) -> Value:
        return e.value

    def ev_Money(self, e: t.Money, env: Env) -> Value:
        return Amount(e.value, self.world.signs[e.sign])

    def ev_NoneWord(self, e: t.NoneWord, env: Env) -> Value:
        return None

    def ev_Name(self, e: t.Name, env: Env) -> Value:
        value = self.name(e.name, env)
        return self.set_aside_by(value, self.me(env)) if isinstance(value, Promised) else value

    def set_aside_by(self, promise: Promised, seat: Seat) -> Value:
        """What is left of it; of what nobody has set aside yet, nothing."""
        return NOUGHT if promise.purse is None else self.state.get((promise.purse, seat, ()))

    def ev_Member(self, e: t.Member, env: Env) -> Value:
        return self.member_at(e.of, e.name, None, env)

    def member_at(self, of: t.Expr, name: str, call: t.Expr | None, env: Env) -> Value:
        """`s.cash`; of a kind's name, `lot.laid`, that zone of all of them. A zone that holds one is the piece in it."""
        if isinstance(of, t.Name) and of.name == "table" and not env.find("table")[0]:
            return self.read(self.placed["table"][name], self.world.table, (), env)
        if isinstance(of, t.Name) and self.is_of_all(of.name, env):
            return self.member_of_all(of.name, name)
        return self.member_of(self.owner_at(of, name, env), name, call, env)

    def is_of_all(self, name: str, env: Env) -> bool:
        """`seat`, `lot`: the name of a kind, where nothing nearer is called so, stands for all of them."""
        kind = name in self.world.kinds and name not in self.things_named and name not in self.placed["table"]
        if kind and self.world.kinds[name].root == "piece" and len(self.world.kinds[name].things) == 1:
            return False  # it stands for that piece
        return (name == "seat" or kind) and name != "board" and not env.find(name)[0]

    def owner_at(self, of: t.Expr, name: str, env: Env) -> Value:
        """Whose `name` is asked for."""
        owner = self.ev(of, env)
        if isinstance(owner, Several):
            owner = next((m for m in owner.meanings if self.has(m, name)), owner.meanings[0])
        if isinstance(owner, Zones) and len(owner.zones) == 1:
            owner = owner.zones[0]
        if isinstance(owner, Zones) and not owner.zones:
            owner = None
        if isinstance(owner, Zone) and self.holds_one(owner) or isinstance(owner, Lying):
            owner = self.one_piece(owner)
        if isinstance(owner, Sorts):
            piece = self.the_only(owner)
            return piece if piece is not None and self.has(piece, name) else self.one_sort(owner)
        return owner

    def address(self, e: t.Expr, env: Env) -> tuple[Member, Any, tuple[Value, ...]] | None:
        """The place that an expression names: a counter, flag, purse, memory or zone; None if it names none."""
        args = e.args if isinstance(e, t.Call) else ()
        e = e.what if isinstance(e, t.Call) else e
        owner: Any = self.world.table
        match e:
            case t.Name(name=name) if not env.find(name)[0]:
                pass
            case t.Member(of=t.Name(name="table"), name=name):
                pass
            case t.Member(of=of, name=name) | t.Of(arg=of, name=name):
                if isinstance(of, t.Name) and self.is_of_all(of.name, env):
                    return None
                owner = self.owner_at(of, name, env)
            case _:
                return None
        member = self.member(owner, name) if isinstance(owner, Seat | Thing) or owner is self.world.table else None
        return None if member is None else (member, owner, self.index(member, args, env))

    def has(self, value: Value, name: str) -> bool:
        if isinstance(value, Sorts):
            return name in self.sort_field_values
        try:
            return isinstance(value, Thing | Seat) and (self.member(value, name) is not None or self.owns(value, name))
        except RulesWrong:
            return False

    def owns(self, value: Value, name: str) -> bool:
        if not isinstance(value, Thing):
            return False
        lineage = self.lineage(value)
        return (
            name in value.fields
            or (value, name) in self.world.costs
            or any((kind, name) in self.rules.members for kind in lineage)
            or any(kind in self.world.kinds and name in self.world.kinds[kind].menus for kind in lineage)
            or self.world.singular(name) is not None
        )

    def ev_Call(self, e: t.Call, env: Env) -> Value:
        """A member with an index, a value, a table, or one of the functions of the language."""
        if isinstance(e.what, t.Member):
            return self.member_at(e.what.of, e.what.name, e, env)
        assert isinstance(e.what, t.Name)
        name, args = e.what.name, e.args
        known, bound = env.find(name)
        if known:
            if isinstance(bound, Measure):
                args = in_order(e, bound.definition, len(bound.given) - bool(bound.definition.kind))
            return self.of_bound(bound, args, env)
        if name == "original" and isinstance(env.original, Definition):
            args = in_order(e, env.original)
            return self.value(env.original, env, env.board, tuple(self.ev(arg, env) for arg in args))
        definition = self.rules.definitions.get(name)
        if definition is not None and definition.what in ("value", "guard"):
            args = in_order(e, definition)
            given = tuple(self.ev(arg, env) for arg in args)
            if len(given) < len(definition.params):
                return Measure(definition, given)
            return self.value(definition, env, None, given)
        if name in self.world.tables:
            return self.entry(name, args, env)
        member = self.placed["table"].get(name)
        if member is not None:
            return self.read(member, self.world.table, self.index(member, args, env), env)
        links = next((p.sorts_for for p in self.world.box.pieces if p.name == name and len(p.sorts_for) > 1), ())
        if links:
            return self.sorts_for(name, [link for link, _ in links], args, env)
        if name in self.world.kinds and hasattr(self, "call_" + name) is False:
            return self.by_number(name, self.plain(args[0], env))
        return getattr(self, "call_" + name)(args, env)

    def of_bound(self, bound: Value, args: tuple[t.Expr, ...], env: Env) -> Value:
        if isinstance(bound, Measure):
            return self.value(bound.definition, env, None, (*bound.given, *(self.ev(arg, env) for arg in args)))
        if isinstance(bound, TableRef):
            return self.entry(bound.name, args, env)
        if isinstance(bound, Indexed):
            at = tuple(self.as_type(self.ev(arg, env), type) for arg, type in zip(args, bound.kinds, strict=True))
            return bound.values.get(at, bound.first)
        raise RulesWrong(f"{bound} takes nothing in brackets")

    def entry(self, table: str, args: tuple[t.Expr, ...], env: Env) -> Value:
        named = self.world.fixed.named[table] or [False] * len(args)
        at: tuple[Any, ...] = tuple(
            self.table_name(self.ev(arg, env)) if its else self.table_index(self.one(arg, env))
            for arg, its in zip(args, named, strict=True)
        )
        rows = self.world.tables[table]
        if at not in rows:
            raise RulesWrong(f"the table `{table}` has no entry for {at}")
        return rows[at]

    def table_name(self, value: Value) -> str:
        """A table that goes by names is asked with what has them; of a piece with its sort's."""
        value = self.single(value, "")
        match value:
            case Word() | Sort():
                return value.name
            case Seat(number=number):
                return str(number)
            case Thing() if value.is_board or value.sort is None:
                return value.name
        sort = self.sort_of(value)
        if sort is None:
            raise RulesWrong("a table is not asked with none")
        return sort.name

    def table_index(self, value: Value) -> int:
        return value.place if isinstance(value, Word) else bare(value)

    def by_number(self, kind: str, number: int) -> Thing:
        """`space(1)`: the first of them."""
        things = self.world.kinds[kind].things
        if not 1 <= number <= len(things):
            raise RulesWrong(f"there are {len(things)} {plural(kind)}; {number} is none of them")
        return things[number - 1]

    # ------------------------------------------------------------------------------------ built-in functions

    def call_min(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        return self.extreme([self.number(arg, env) for arg in args], "lowest")

    def call_max(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        return self.extreme([self.number(arg, env) for arg in args], "highest")

    def extreme(self, values: list[Value], how: str) -> Value:
        """The highest or the lowest; of nothing 0. All have one unit."""
        best = values[0] if values else NOUGHT
        for value in values[1:]:
            if ORDERED["<"](best, value) == (how == "highest") and bare(best) != bare(value):
                best = value
        return best

    def call_power(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        base, by = (self.plain(arg, env) for arg in args)
        return 0 if by < 0 else base**by

    def call_even(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        return bare(self.number(args[0], env)) % 2 == 0

    def call_abs(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        value = self.number(args[0], env)
        return with_unit(abs(bare(value)), value.unit) if isinstance(value, Amount) else abs(value)

    def call_number(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        """An amount without its unit."""
        return bare(self.number(args[0], env))

    def place_among(self, value: Value) -> int:
        """`position of l`: the place of a thing among its kind, of a sort in its family, of a word, of a seat; from 1."""
        if isinstance(value, Seat):
            return value.number
        if isinstance(value, Word | Thing):
            return value.place
        if isinstance(value, Sort):
            return [s for s in self.world.sorts if s.family == value.family].index(value) + 1
        raise RulesWrong(f"{value} has no position")

    def call_seats_from(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        return listed(self.seats_from(self.seat(args[0], env)))

    def call_others_from(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        return listed(self.seats_from(self.seat(args[0], env))[1:])

    def call_next_seat(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        return (self.seats_from(self.seat(args[0], env)) * 2)[1]

    def call_seat(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        number = self.plain(args[0], env)
        if not 1 <= number <= len(self.world.seats):
            raise RulesWrong(f"there is no seat {number}")
        return self.world.seats[number - 1]

    def call_paid(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        """How much of that unit was paid with the last cost that was paid."""
        (unit,) = args
        assert isinstance(unit, t.Name)
        return Amount(self.state.count(("paid", unit.name)), unit.name)

    def call_edges_at(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        node = self.one(args[0], env)
        return listed([e for e in self.world.kinds["edge"].things if node in (e.fields.get("a"), e.fields.get("b"))])

    def call_beside(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        """The places next to one: in a grid those around it, then those at the other ends of its connections."""
        node = self.one(args[0], env)
        if node is None:
            raise RulesWrong("nothing lies beside no place")
        ends = [(e.fields["a"], e.fields["b"]) for e in self.world.kinds["edge"].things]
        over = [b if a is node else a for a, b in ends if node in (a, b)]
        return listed(dict.fromkeys([*self.world.beside_in_grid.get(node, ()), *over]))

    def call_far(self, args: tuple[t.Expr, ...], env: Env) -> Value:
        """The other end of an edge."""
        edge, near = self.one(args[0], env), self.one(args[1], env)
        ends = edge.fields["a"], edge.fields["b"]
        if near not in ends:
            raise RulesWrong(f"{edge} does not lead from {near}")
        return ends[1] if near is ends[0] else ends[0]

    # ----------------------------------------------------------------------------------------- of, some

    def ev_Of(self, e: t.Of, env: Env) -> Value:
        known, bound = env.find(e.name)
        if known and isinstance(bound, Promised):
            return self.set_aside_by(bound, self.seat(e.arg, env))
        if known and isinstance(bound, PerSeat):
            return self.answer_of(bound, self.seat(e.arg, env))
        if known and type(bound) is int:
            many = self.ev(e.arg, env)
            if isinstance(many, Items | Zone | Zones | Lying):
                return AmountOf(bound, self.items_of(many))
        family = next((p for p in self.world.box.pieces if p.name == e.name and p.sorts_for), None)
        if family is not None and e.name in self.world.categories:
            return self.sorts_for(e.name, [family.sorts_for[0][0]], (e.arg,), env)
        if e.name == "position":
            value = self.ev(e.arg, env)
            return self.place_among(self.single(value, "piece" if isinstance(value, Zone | Lying) else ""))
        if e.name == "sort":
            return self.sort_of(self.one(e.arg, env, "piece"))
        return self.member_at(e.arg, e.name, None, env)

    def answer_of(self, answers: PerSeat, seat: Seat) -> Value:
        if seat not in answers.answers:
            raise RulesWrong(f"{seat} was not asked for `{answers.name}`")
        return answers.answers[seat]

    def sorts_for(self, family: str, links: list[str], args: tuple[t.Expr, ...], env: Env) -> Value:
        """`barrel of m`, `card(kiki, open)`: the sorts of a family that are for a thing or word, or for several together."""
        sorts = tuple(self.world.categories[family])
        for link, arg in zip(links, args, strict=True):
            value = self.ev(arg, env)
            if isinstance(value, Several):
                value = next((m for m in value.meanings if isinstance(m, Thing | Word)), value)
            value = self.only_sort(value)
            sorts = tuple(s for s in sorts if value is not None and s.fields.get(link) == value)
        return Sorts(sorts, family)

    def only_sort(self, value: Value) -> Value:
        """A sort by its name is that sort; anything else as where one value is wanted."""
        return value.sorts[0] if isinstance(value, Sorts) and len(value.sorts) == 1 else self.one_piece(value)

    def unit_named(self, name: str) -> str | None:
        return next((unit for unit in (name, name.removesuffix("s")) if unit in self.world.units), None)

    def ev_Some(self, e: t.Some, env: Env) -> Value:
        """`2 ap` is an amount; `3 octopus` so many pieces."""
        if isinstance(e.what, t.Name) and (unit := self.unit_named(e.what.name)):
            return Amount(self.plain(e.amount, env), unit)
        return AmountOf(self.plain(e.amount, env), self.as_sorts(self.ev(e.what, env)))

    def as_sorts(self, value: Value) -> Value:
        """`3 octopus`, `3 cards`: sorts, whichever way they are named, also none; anything else as it is."""
        if value is None:
            return Sorts(())
        if isinstance(value, Several):
            value = next((m for m in value.meanings if isinstance(m, Sorts | Sort)), value)
        if isinstance(value, Sort):
            return Sorts((value,), value.family)
        if isinstance(value, Items) and value.items and all(isinstance(v, Sort) for v, _ in value.items):
            return Sorts(tuple(v for v, _ in value.items))
        return value

    def ev_SomeOf(self, e: t.SomeOf, env: Env) -> Value:
        return AmountOf(e.amount, self.items(e.what, env))

    def ev_Within(self, e: t.Within, env: Env) -> Value:
        """What lies somewhere, or whether something is in a set."""
        place = self.ev(e.where, env)
        if isinstance(place, Several):
            place = next((m for m in place.meanings if isinstance(m, Zone | Zones | Items)), place.meanings[0])
        what = self.ev(e.what, env)
        if isinstance(place, Bag):
            return self.in_bag(what, place)
        if isinstance(place, Zone):
            place = Zones((place,))
        if isinstance(place, Zones):
            return self.lies_in(what, place)
        return self.is_among(what, self.items_of(place))

    def in_bag(self, what: Value, bag: Bag) -> int:
        """`count of t in lot`: how many of a sort have been chosen."""
        if isinstance(what, Several):
            what = next(m for m in what.meanings if isinstance(m, Sorts | Sort))
        sorts = what.sorts if isinstance(what, Sorts) else (self.sort_of(what),)
        return sum(bag.counts.get(sort, 0) for sort in sorts if sort is not None)

    def lies_in(self, what: Value, place: Zones) -> Value:
        if isinstance(what, Several):
            what = next((m for m in what.meanings if self.can_lie(m, place)), what.meanings[0])
        if isinstance(what, AmountOf):
            return AmountOf(what.amount, Lying(what.what, place)) if isinstance(what.what, Sorts) else what
        what = self.as_sorts(what)
        if isinstance(what, Sorts):
            return Lying(what, place)
        what = self.one_piece(what)
        if what is None:
            return Lying(Sorts(()), place)
        if isinstance(what, Piece):
            return what.zone in place.zones
        if isinstance(what, Thing) and what.sort is not None:
            return self.place_of(what) in place.zones
        raise RulesWrong(f"{what} cannot lie in a zone")

    def can_lie(self, value: Value, place: Zones) -> bool:
        sorts = value.sorts if isinstance(value, Sorts) else (value.sort,) if isinstance(value, Thing) else ()
        return any(sort in self.held(zone) for zone in place.zones for sort in sorts)

    def is_among(self, what: Value, items: Items) -> bool:
        if isinstance(what, Zone):
            what = self.one_piece(what)
        return any(self.same(what, value) for value, n in items.items if n)

    # ---------------------------------------------------------------------------------------- aggregates

    def ev_Aggregate(self, e: t.Aggregate, env: Env) -> Value:
        """How many, the sum, the highest; whether any. Alike pieces count one by one."""
        how = e.how
        if how in ("sum", "highest", "lowest") and isinstance(e.what, t.EachOf):
            inside = list(self.bound(e.what.binders, env))
            made = [(self.addend(self.single(self.ev(e.what.value, names), "")), n) for names, n in inside]
            return self.summary(how, made)
        found = self.ev(e.what, env)
        if isinstance(found, Several):
            found = next((m for m in found.meanings if isinstance(m, Items | Zone | Zones | Lying | Sorts)), found)
        if type(found) is int:  # of a chosen lot
            return found if how == "count" else (found > 0) == (how == "any")
        if isinstance(found, bool) and how in ("any", "no"):
            return found == (how == "any")
        items = self.items_of(found)
        match how:
            case "count":
                return sum(n for _, n in items.items)
            case "any" | "no":
                return any(n for _, n in items.items) == (how == "any")
            case "first":
                return next((value for value, n in items.items if n), None)
        return self.summary(how, items.items)

    def addend(self, value: Value) -> Value:
        return int(value) if isinstance(value, bool) else value

    def summary(self, how: str, found: list[tuple[Value, int]]) -> Value:
        if how != "sum":
            return self.extreme([value for value, n in found if n], how)
        total: Value = NOUGHT
        for value, n in found:
            total = plus(total, times(value, n))
        return total

    def bound(self, binders: tuple[t.Binder, ...], env: Env) -> Iterator[tuple[Env, int]]:
        """Every way to give the names behind `for` a value, the last one going round fastest; how often each counts."""
        if not binders:
            yield env, 1
            return
        first, *rest = binders
        for value, n in self.binding(first, env).items:
            inside = env.inner(**{first.name: value})
            for names, m in self.bound(tuple(rest), inside):
                yield names, n * m

    def binding(self, binder: t.Binder, env: Env) -> Items:
        """What a name behind `for` goes through."""
        if binder.top is not None:
            found = self.span(binder.domain, binder.top, binder.step, env)
        else:
            found = self.items(binder.domain, env)
        if binder.where is None:
            return found
        where = binder.where
        return Items([(v, n) for v, n in found.items if self.truth(where, env.inner(**{binder.name: v}))])

    def span(self, low: t.Expr, high: t.Expr, step: t.Expr | None, env: Env) -> Items:
        """`1 .. 3`, `¥0 .. ¥500 step ¥100`; amounts go by the step of their unit when none is said."""
        bottom, top = self.number(low, env), self.number(high, env)
        unit = (bottom if isinstance(bottom, Amount) else top).unit if Amount in (type(bottom), type(top)) else ""
        minus(top, bottom)  # of one unit
        by = max(1, bare(self.number(step, env))) if step is not None else self.world.units[unit].step if unit else 1
        return listed([with_unit(n, unit) for n in range(bare(bottom), bare(top) + 1, by)])

    def ev_EachOf(self, e: t.EachOf, env: Env) -> Value:
        """What follows from each, every piece counted; where that is a set or a zone, all of them one after the other."""
        found: list[tuple[Value, int]] = []
        for names, n in self.bound(e.binders, env):
            value = self.ev(e.value, names)
            if isinstance(value, Items | Zone | Zones | Lying):
                found += [(inner, n * m) for inner, m in self.items_of(value).items]
            else:
                found.append((self.single(value), n))
        return Items(found)

    def selection(self, e: t.Expr, env: Env) -> tuple[str, Items]:
        """`x in S` as the head of a selection."""
        assert isinstance(e, t.Within) and isinstance(e.what, t.Name)
        return e.what.name, self.items(e.where, env)

    def ev_Those(self, e: t.Those, env: Env) -> Value:
        return self.recalled(self.asked(env, e), lambda: self.those(e, env))

    def those(self, e: t.Those, env: Env) -> Items:
        name, items = self.selection(e.selection, env)
        return Items([(v, n) for v, n in items.items if self.truth(e.condition, env.inner(**{name: v}))])

    def asked(self, env: Env, *parts: Any) -> tuple[Any, ...]:
        """All that expressions hang on but the state: where they stand, who asks, and what their names have been given."""
        place = tuple(map(id, parts))
        if place not in self._names_in:
            self._names_in[place] = parts, tuple(dict.fromkeys(node.name for node in nodes(parts) if hasattr(node, "name")))
        names = self._names_in[place][1]
        return (place, env.me, env.board, id(env.original), *[as_key(env.find(name)[1]) for name in names])

    def rated(self, key: t.Expr, name: str, items: Items, env: Env) -> list[tuple[int, tuple[Value, int]]]:
        """Each with the number it is ordered by; a condition counts 0 or 1."""
        return [(bare(self.single(self.ev(key, env.inner(**{name: v})))), (v, n)) for v, n in items.items]

    def ev_BestOf(self, e: t.BestOf, env: Env) -> Value:
        name, items = self.selection(e.selection, env)
        return self.best(e.key, name, items, env)

    def best(self, key: t.OrderKey, name: str, items: Items, env: Env) -> Items:
        """All that share the best value."""
        rated = self.rated(key.key, name, items, env)
        top = (max if key.direction == "highest" else min)((k for k, _ in rated), default=0)
        return Items([item for k, item in rated if k == top])

    def ev_Sorted(self, e: t.Sorted, env: Env) -> Value:
        name, items = self.selection(e.selection, env)
        return self.ordered(e.keys, name, items, env)

    def ordered(self, keys: tuple[t.OrderKey, ...], name: str, items: Items, env: Env) -> Items:
        """By the first key, among equals by the next; who are equal in all stay in the order they had."""
        made = items.items
        for key in reversed(keys):
            sign = -1 if key.direction == "highest" else 1
            rated = self.rated(key.key, name, Items(made), env)
            made = [item for _, item in sorted(rated, key=lambda pair, sign=sign: sign * pair[0])]  # type: ignore[misc]
        return Items(made)

    def ev_SetOf(self, e: t.SetOf, env: Env) -> Value:
        """These, in this order; sets and zones inside are joined."""
        found = [self.ev(item, env) for item in e.items]
        if any(isinstance(value, Several) for value in found):
            kind = next((type(v) for v in found if not isinstance(v, Several) and v is not None), None)
            found = [self.settled(value, kind) for value in found]
        if all(isinstance(value, Zone | Zones) for value in found):
            return Zones(tuple(z for v in found for z in ((v,) if isinstance(v, Zone) else v.zones)))
        return Items([item for value in found for item in self.items_of(value, True).items])

    def settled(self, value: Value, kind: type | None) -> Value:
        """Of a name that means several things the one that is like the others in the set, else the likeliest."""
        if not isinstance(value, Several):
            return value
        like = (Sorts, Sort) if kind in (Sorts, Sort, Piece) else (kind or object,)
        return next((m for m in value.meanings if isinstance(m, like)), value.meanings[0])

    # ---------------------------------------------------------------------------------------- operations

    def ev_Operation(self, e: t.Operation, env: Env) -> Value:
        op, args = e.op, e.args
        match op:
            case "and":
                return self.truth(args[0], env) and self.truth(args[1], env)
            case "or":
                return self.truth(args[0], env) or self.truth(args[1], env)
            case "not":
                return not self.truth(args[0], env)
            case "=" | "!=":
                a, b = self.one(args[0], env), self.one(args[1], env)
                if not (is_number(a) and is_number(b)):
                    raise RulesWrong(f"`=` is for numbers, amounts and conditions, not for {a} and {b}")
                return self.same(a, b) == (op == "=")
        values = [self.number(arg, env) for arg in args]
        match op:
            case "+":
                return plus(*values)
            case "-":
                return minus(*values)
            case "*":
                return times(*values)
            case "neg":
                return times(values[0], -1)
            case "/down" | "/up":
                return divided(values[0], values[1], op[1:])
        return ORDERED[op](*values)

    def same(self, a: Value, b: Value) -> bool:
        """A piece is its sort where a sort stands beside it; a zone that holds one is the piece in it."""
        if type(a) is type(b) and type(a) in ONE_BY_ONE:
            return a is b
        if isinstance(a, Several) or isinstance(b, Several):
            firsts = a.meanings if isinstance(a, Several) else (a,)
            seconds = b.meanings if isinstance(b, Several) else (b,)
            return any(self.alike_in_kind(x, y) and self.same(x, y) for x in firsts for y in seconds)
        a, b = self.settle_single(a, b), self.settle_single(b, a)
        if isinstance(a, Sort) and isinstance(b, Piece | Thing) or isinstance(b, Sort) and isinstance(a, Piece | Thing):
            return self.sort_of(a) is self.sort_of(b)
        if is_number(a) and is_number(b):
            minus(a, b)
            return bare(a) == bare(b)
        if isinstance(a, Word) and isinstance(b, Word):
            return a.name == b.name
        if a is None or b is None:
            return a is b
        if type(a) is not type(b) and not {type(a), type(b)} <= {Piece, Thing}:
            raise RulesWrong(f"{a} is never {b}")
        return bool(a == b)

    def settle_single(self, value: Value, other: Value) -> Value:
        if isinstance(value, bool):
            return value
        wants_piece = not isinstance(other, Zone) and not isinstance(other, bool)
        return self.single(value, "piece" if wants_piece and isinstance(value, Zone | Zones | Lying) else "")

    def alike_in_kind(self, a: Value, b: Value) -> bool:
        sorts = (Sorts, Sort, Piece)
        if isinstance(a, sorts) and isinstance(b, sorts):
            return True
        return type(a) is type(b) or isinstance(a, Thing) and isinstance(b, Thing)

    def ev_Choice(self, e: t.Choice, env: Env) -> Value:
        return self.ev(e.yes if self.truth(e.condition, env) else e.no, env)

    # -------------------------------------------------------------------------------- is a, is empty, is none

    def ev_IsA(self, e: t.IsA, env: Env) -> Value:
        """Of that kind or sort, or with that property; a name of the rule and any other value: the same."""
        if isinstance(e.kind, t.Name) and e.kind.name not in ("me", "my", "board") and not env.find(e.kind.name)[0]:
            asked = self.is_named(self.one(e.what, env, "piece"), e.kind.name)
            if asked is not None:
                return asked != e.negated
        if isinstance(e.kind, t.Of) and isinstance(sorts := self.ev(e.kind, env), Sorts):
            item = self.one(e.what, env, "piece")
            return (item is not None and self.sort_of(item) in sorts.sorts) != e.negated
        a, b = self.ev(e.what, env), self.ev(e.kind, env)
        if is_number(a) or is_number(b):
            raise RulesWrong(f"numbers, amounts and conditions say `=`: {a}, {b}")
        return self.same(a, b) != e.negated

    def is_named(self, item: Value, name: str) -> bool | None:
        """`x is NAME`: a flag of its own, a kind, a property, a sort, a side, a word; None where the name is none of these."""
        if isinstance(item, Thing):
            member = self.member(item, name)
            if member is not None and member.form in ("flag", "note") and not member.index:
                return self.truth_of(self.state.get((member, item, ())))
            if isinstance(item.fields.get(name), bool):
                return bool(item.fields[name])
            kind = self.world.kinds.get(name)
            if kind is not None and (kind.things or name not in self.world.categories):
                return self.world.is_kind(item.kind, name)
        if isinstance(item, Seat):
            flag = self.placed["seat"].get(name)
            return None if flag is None or flag.form != "flag" else self.truth_of(self.state.get((flag, item, ())))
        if isinstance(item, Word):
            return item.name == name if name in self.world.words[item.enum] else None
        sort = self.sort_of(item)
        if isinstance(self.sort_field_values.get(name), bool):
            return bool(sort is not None and sort.fields.get(name))
        named = self.of_that_name(name)
        if not named and name not in self.absent and name not in self.world.kinds:
            if not any(self.world.fields_of(k).get(name) for k in self.world.kinds):
                return None
        if named and name in self.things_named and sort not in named:
            return None  # a thing of that name is meant
        return sort in named

    def of_that_name(self, name: str) -> frozenset[Sort]:
        if name not in self._of_that_name:
            sides = [sort for sort in self.world.sorts if sort.side == name]
            self._of_that_name[name] = frozenset([s for names in self.sorts_named.get(name, ()) for s in names.sorts] + sides)
        return self._of_that_name[name]

    def ev_IsEmpty(self, e: t.IsEmpty, env: Env) -> Value:
        found = self.ev(e.what, env)
        if isinstance(found, Several):
            found = next((m for m in found.meanings if isinstance(m, Items | Zone | Zones)), found)
        return (not any(n for _, n in self.items_of(found).items)) != e.negated

    def ev_IsNone(self, e: t.IsNone, env: Env) -> Value:
        found = self.ev(e.what, env)
        if isinstance(found, Zone | Zones):
            return (not self.items_of(found).items) != e.negated
        return (self.single(found) is None) != e.negated

    # ------------------------------------------------------------------------------------------- values

    def value(self, definition: Definition, env: Env, owner: Thing | None, args: tuple[Value, ...]) -> Value:
        asked = (definition.name, id(definition), env.me, owner, *map(as_key, args))
        return self.recalled(asked, lambda: self.value_anew(definition, env, owner, args))

    def value_anew(self, definition: Definition, env: Env, owner: Thing | None, args: tuple[Value, ...]) -> Value:
        """Of the versions of boards and sorts the one for this owner, this sort, holds."""
        if definition.kind and owner is None:
            owner, args = args[0], args[1:]
        if len(args) != len(definition.params):
            raise RulesWrong(f"`{definition.name}` takes {len(definition.params)} in brackets, {len(args)} are given")
        if owner is not None and owner.is_board:
            definition = definition.boards.get(owner.name, definition)
        item = definition.item
        case, board = self.case_for(definition, args)
        home = self.things_named[board][0] if board else self.home_of(definition)
        inside = env.elsewhere(owner if definition.kind else home, board or definition.board)
        inside.original = definition.original
        for param, arg in zip(item.params or (), args, strict=True):
            inside.names[param.name] = self.argument(arg, param)
            if case is not None and self.param_type(param) == "seat" and case.seat:
                inside.names[case.seat] = inside.names[param.name]
        if case is not None:
            inside.names[case.number] = inside.names[item.params[0].name]
            item = case
        return self.worked_out(definition, item.body, inside)

    def home_of(self, definition: Definition) -> Thing | None:
        return self.things_named[definition.board][0] if definition.board else None

    def case_for(self, definition: Definition, args: tuple[Value, ...]) -> tuple[t.ValueCase | None, str]:
        """`value worth of n eel`: what is said of this sort, rather of the side it shows than of the sort alone."""
        best: tuple[t.ValueCase | None, str] = None, ""
        for param, arg in zip(definition.params, args):
            if definition.sorts and self.form_of(self.param_type(param)) == "sort":
                sort = self.as_type(arg, self.param_type(param))
                for case, board in definition.sorts:
                    if case.sort == sort.name and case.side in (None, sort.side) and (best[0] is None or case.side):
                        best = case, board
                return best
        return best

    def worked_out(self, definition: Definition, body: t.Expr | t.Block, env: Env) -> Value:
        unit = getattr(definition.item, "unit", None)
        if isinstance(body, t.Block):
            try:
                for _ in self.run(body, env):
                    raise RulesWrong("a value asks nothing")
            except Given as given:
                return self.result(given.values[0], unit, definition)
            raise RulesWrong(f"`{definition.name}` gives nothing")
        return self.result(self.ev(body, env), unit, definition)

    def result(self, value: Value, unit: str | None, definition: Definition) -> Value:
        if definition.what == "guard":
            return self.truth_of(value)
        return value if unit is None else self.as_type(value, unit)

    def param_type(self, param: t.Param) -> str:
        """Without a type the name of a parameter is its type."""
        return param.type.name if param.type is not None else param.name

    def argument(self, value: Value, param: t.Param) -> Value:
        """What a parameter gets, as its type wants it."""
        type = param.type
        if type is not None and (type.values or type.name in ("measure", "table", "zone", "purse")):
            return self.word_of(value, type) if type.values else value
        if value is None:
            return None
        if type is not None and type.name == "piece":
            return self.one_piece(value)
        name = self.param_type(param)
        if type is not None and type.name in ("set", "bag", "sorts", "things"):
            return value if isinstance(value, Bag) else self.items_of(value)
        return self.as_type(value, name)

    def word_of(self, value: Value, type: t.Type) -> Value:
        """A word of `one of fresh or degraded`."""
        enum = "_or_".join(type.values)
        self.world.words.setdefault(enum, type.values)
        if isinstance(value, Several):
            value = next(m for m in value.meanings if isinstance(m, Word))
        if not isinstance(value, Word) or value.name not in type.values:
            raise RulesWrong(f"{value} is none of {', '.join(type.values)}")
        return self.world.word(enum, value.name)

    @abstractmethod
    def run(self, block: t.Block, env: Env) -> Generator[Any, Any, None]:
        ...


__all__ = ["Any", "Expressions", "Given", "cast"]
