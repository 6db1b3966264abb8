"""Expressions: what each one means, of which kind it is, and whether it fits where it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from ichiba.dsl.faults.fault import quote
from ichiba.dsl.meaning.emptiness import Claim, may_be_empty, surely_some
from ichiba.dsl.meaning.hints import written
from ichiba.dsl.meaning.meaning import (
    AmountOf,
    CostRef,
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
from ichiba.dsl.meaning.naming import Naming
from ichiba.dsl.meaning.narrowing import kind_at, narrow
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.lexer import word_fault
from ichiba.dsl.syntax.parse import reserved_words
from ichiba.dsl.world.constant import LARGEST, no_such_way, operate
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, UNKNOWN, Kind, maybe, number, set_of
from ichiba.dsl.world.world import FIRST_THING

TRUE, FALSE = ir.Const(1, FLAG), ir.Const(0, FLAG)
COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}


def first_in(inner: ir.Set, kind: Kind | None = None) -> ir.Aggregate:
    element = inner.kind.of or NUMBER
    return ir.Aggregate("first", inner, ir.Var("it", element), None, kind or maybe(element))


class Expressions(Naming):
    """Works out expressions; every method returns something of the right class, also after a fault."""

    claims: list[Claim]
    answering: frozenset[ir.Var] = frozenset()  # what has been chosen in the secret block that is being read

    # ------------------------------------------------------------------------------------ what is wanted

    def exp(self, node: t.Expr, env: Env, want: Kind | None = None) -> ir.Exp:
        """A single value of the wanted kind."""
        found = self.meaning(node, env, want)
        value = self.as_exp(found, node, env, want)
        if value is None:
            return ir.Const(0, want or UNKNOWN)
        narrower = kind_at(self.world, node, value.kind, env)
        value = value if narrower is value.kind else replace(value, kind=narrower)
        if want is not None and not self.fits(value.kind, want):
            self.mismatch(node, value.kind, want)
            return ir.Const(0, want)
        if want is None or not want.optional:
            self.is_there(node, value.kind)
        return value

    def is_there(self, node: t.Expr, kind: Kind) -> None:
        """What is the first of a set that may be empty is no value yet."""
        if kind.unsure and not self.finished:
            may_be_empty(node, self.faults)

    def cond(self, node: t.Expr, env: Env) -> ir.Exp:
        return self.exp(node, env, FLAG)

    def as_exp(self, found: Meaning | None, node: t.Expr, env: Env, want: Kind | None) -> ir.Exp | None:
        match found:
            case None:
                return None
            case Several():
                return self.as_exp(self.settle(found, node, want), node, env, want)
            case SortNames(sorts=sorts, kind=kind):
                if sorts.one is not None:
                    return sorts.one
                if want is not None and want.form in ("thing", "piece") and (piece := self.only_piece(found)) is not None:
                    return piece
                if len(sorts.sorts) == 1:
                    return ir.Const(sorts.sorts[0], kind)
                self.fault("E302", node, "this names several sorts; one is needed")
                return None
            case Zones(zones=zones, kind=kind):
                return self._zone_as_exp(zones, kind, node, want)
            case Lying(sorts=sorts, zones=zones_):
                counted = ir.CountIn(zones_.zones, sorts, NUMBER)
                if want is not None and want.form in ("thing", "piece"):
                    pieces = ir.Pieces(zones_.zones, sorts, set_of(self.world.element(zones_.kind.name)))
                    return self.first_of(pieces, node, env)
                return ir.Op(">", (counted, ir.Const(0, NUMBER)), FLAG)
            case AmountOf(amount=amount, what=Lying(sorts=sorts, zones=zones_)) if want == FLAG:
                return ir.Op(">=", (ir.CountIn(zones_.zones, sorts, NUMBER), amount), FLAG)
            case AmountOf() | TableRef() | Measure() | MenuRef() | CostRef():
                self.fault("E302", node, self.says(node, found), label=self._needed(found, want))
                return None
            case _ if isinstance(found, ir.SET_CLASSES):
                if want is not None and want.form == "set":
                    self.fault("E302", node, "a set cannot stand here")
                else:
                    self.fault(
                        "E302",
                        node,
                        f"this is {found.kind}",
                        label=f"{want} is needed" if want else "one value is needed",
                    )
                return None
        return found

    def _needed(self, found: Meaning, want: Kind | None) -> str:
        needed = f"{want or 'one value'} is needed"
        return f"{needed}: say of what, as in `{written(found.function)}`" if isinstance(found, Measure) else needed

    def _zone_as_exp(self, zones: tuple[ir.Exp, ...], kind: Kind, node: t.Expr, want: Kind | None) -> ir.Exp | None:
        if want is not None and want.form == "zone" or want is None:
            if len(zones) == 1:
                return zones[0]
            self.fault("E302", node, "these are several zones; one is needed")
            return None
        element = self.world.element(kind.name)
        if len(zones) == 1 and self.fits(element, want):
            return ir.Only(zones[0], maybe(element))
        if want.form == "sort" and len(zones) == 1 and self.holds_one(zones[0]):
            return ir.SortOf(ir.Only(zones[0], maybe(element)), Kind("sort", kind.name))
        label = f"{want} is needed"
        if want.form == "number":
            label += f": {quote(f'count of {node.span.text}')}"
        self.fault("E302", node, f"this is a zone of {kind.name}", label=label)
        return None

    def set(self, node: t.Expr, env: Env, want: Kind | None = None) -> ir.Set:
        """A set; zones stand for the pieces in them, a family for its sorts."""
        found = self.meaning(node, env, set_of(want) if want else None)
        made = self.as_set(found, node, want)
        return made if made is not None else ir.Listed((), set_of(want or UNKNOWN))

    def as_set(self, found: Meaning | None, node: t.Expr, want: Kind | None, one_too: bool = False) -> ir.Set | None:
        """What can be taken for a set; with `one_too`, as inside braces, also a single thing."""
        match found:
            case None:
                return None
            case Several():
                choices = [m for m in found.meanings if self.as_set_quiet(m, one_too) is not None]
                fitting = [m for m in choices if want is None or self.fits(self.element_kind(m), want)]
                if choices:
                    return self.as_set((fitting or choices)[0], node, want, one_too)
            case Zones(zones=zones, kind=kind):
                element = self.world.element(kind.name)
                return ir.Pieces(zones, ir.SortSet(self.all_sorts(kind)), set_of(element))
            case Lying(sorts=sorts, zones=zones_):
                return ir.Pieces(zones_.zones, sorts, set_of(self.element_of_sorts(sorts, zones_.kind)))
            case SortNames(sorts=sorts, kind=kind) if sorts.one is None:
                return ir.Listed(tuple(ir.Const(s, kind) for s in sorts.sorts), set_of(kind))
            case ir.Chosen(picked=picked, kind=kind):
                return ir.Kept(picked, kind)
            case _ if isinstance(found, ir.SET_CLASSES):
                return found
            case _ if isinstance(found, ir.EXP_CLASSES):
                one = found
                if one.kind.form in ("seat", "thing", "sort", "enum", "piece"):
                    if one_too:
                        return ir.Listed((one,), set_of(one.kind))
                    self.fault(
                        "E302",
                        node,
                        self.says(node, found),
                        label="a set is needed; a set of one stands in braces, `{…}`",
                    )
                    return None
        label = "a set is needed"
        if isinstance(found, ir.EXP_CLASSES) and self.kind_of(found) == NUMBER:
            label += f": {quote(f'1 .. {node.span.text}')}"
        self.fault("E302", node, self.says(node, found), label=label)
        return None

    def as_set_quiet(self, found: Meaning, one_too: bool) -> Meaning | None:
        usable = isinstance(found, (*ir.SET_CLASSES, Zones, Lying, SortNames))
        one = one_too and isinstance(found, ir.EXP_CLASSES) and self.kind_of(found).form in ("thing", "sort", "enum")
        return found if usable or one else None

    def zones(self, node: t.Expr, env: Env) -> Zones | None:
        """One zone or several."""
        found = self.meaning(node, env, Kind("zone"))
        if isinstance(found, Several):
            found = next((m for m in found.meanings if isinstance(m, Zones)), found)
        if isinstance(found, Zones):
            return found
        if isinstance(found, ir.EXP_CLASSES) and self.kind_of(found).form == "zone":
            return Zones((found,), self.kind_of(found))
        if found is not None:
            self.fault("E302", node, self.says(node, found), label="a zone is needed")
        return None

    def zone(self, node: t.Expr, env: Env) -> ir.Exp | None:
        found = self.zones(node, env)
        if found is not None and len(found.zones) != 1:
            self.fault("E302", node, "these are several zones; one is needed")
            return None
        return found.zones[0] if found else None

    # ----------------------------------------------------------------------------------------- meanings

    def meaning(self, node: t.Expr, env: Env, want: Kind | None = None) -> Meaning | None:
        match node:
            case t.Int(value=value):
                return ir.Const(value, NUMBER)
            case t.Money() | t.Some(amount=t.Money(), what=t.Name()):
                return self._money(node)
            case t.NoneWord():
                return ir.Const(-1, maybe(want) if want is not None else Kind("none", optional=True))
            case t.Name(name=name):
                return self.name(node, name, env, want)
            case t.Member(of=of, name=name):
                return self.member(node, of, name, (), env)
            case t.Call(what=what, args=args):
                return self.call(node, what, args, env, want)
            case t.Of(name=name, arg=arg):
                return self._of(node, name, arg, env)
            case t.Some(amount=amount, what=what):
                return self._some(node, amount, what, env)
            case t.SomeOf(amount=count, what=what):
                return AmountOf(ir.Const(count, NUMBER), self.set(what, env))
            case t.Within(what=what, where=where):
                return self._within(node, what, where, env)
            case t.Aggregate(how=how, what=what):
                return self._aggregate(node, how, what, env, want)
            case t.EachOf(value=inner, binders=binders):
                return self._each_of(inner, binders, env)
            case t.Those(selection=selection, condition=condition):
                return self._those(node, selection, condition, env)
            case t.BestOf(selection=selection, key=key):
                inner_set, var, inside = self._selection(selection, env)
                best = self.key(key, inside)
                return ir.Best(inner_set, var, best, key.direction == "highest", inner_set.kind)
            case t.Sorted(selection=selection, keys=keys):
                inner_set, var, inside = self._selection(selection, env)
                return self.ordered(inner_set, var, keys, inside)
            case t.SetOf(items=items):
                return self._set_of(node, items, env, want)
            case t.Operation(op=op, args=args):
                return self._operation(node, op, args, env, want)
            case t.IsA(what=what, kind=kind, negated=negated):
                test = self._is_a(node, what, kind, env)
                return self.negate(test) if negated else test
            case t.IsEmpty(what=what, negated=negated):
                test = self._is_empty(node, what, env)
                return self.negate(test) if negated else test
            case t.IsNone(what=what, negated=negated):
                return self._is_none(what, negated, env)
            case t.Choice(condition=condition, yes=yes, no=no):
                return self._choice(node, condition, yes, no, env, want)

    def ordered(self, inner: ir.Set, var: ir.Var, keys: tuple[t.OrderKey, ...], env: Env) -> ir.Set:
        made = tuple((self.key(key, env), key.direction == "highest") for key in keys)
        return ir.Ordered(inner, var, made, inner.kind)

    def key(self, key: t.OrderKey, env: Env) -> ir.Exp:
        """What things are ordered by: a number, or a condition, where no is less than yes."""
        value = self.exp(key.key, env)
        if value.kind.form not in ("number", "flag"):
            self.fault("E301", key.key, f"{value.kind} has no order", label="a number is needed")
        return value

    def _money(self, node: t.Money | t.Some) -> ir.Exp | None:
        """`$5`, or with a word behind the amount `$5k`."""
        money = node if isinstance(node, t.Money) else cast(t.Money, node.amount)
        behind = "" if isinstance(node, t.Money) else cast(t.Name, node.what).name
        unit = self.world.written_with(money.sign, behind)
        if unit is None:
            message, label = no_such_way(self.world, money, behind)
            self.fault("E301", node, message, label=label)
            return None
        return ir.Const(money.value, number(unit))

    def _some(self, node: t.Some, amount: t.Expr, what: t.Expr, env: Env) -> Meaning | None:
        if isinstance(what, t.Name) and (unit := self.world.unit_named(what.name)):
            value = self.exp(amount, env, NUMBER)
            return self.with_kind(value, number(unit))
        many = self.exp(amount, env, NUMBER)
        if isinstance(what, t.Name) and self.is_nothing(what.name, env):
            self.unknown_amount(what, what.name, env)
            return None
        found = self.meaning(what, env)
        if isinstance(found, Several):
            found = next((m for m in found.meanings if self.sort_names(m) is not None), found)
        if isinstance(found, Lying | Zones):
            return AmountOf(many, found)
        names = self.sort_names(found) if found is not None else None
        if names is not None:
            return AmountOf(many, names)
        if found is not None:
            self.fault(
                "E303",
                what,
                f"{self.describe(found)} cannot be counted out",
                label="a sort of piece or a unit is needed",
            )
        return None

    def _of(self, node: t.Of, name: str, arg: t.Expr, env: Env) -> Meaning | None:
        bound = env.names.get(name)
        if isinstance(bound, ir.Use) and bound.var in self.answering:
            self.fault("E210", node, f"`{name}` has a value for each seat only behind the block", label=f"in the block it is `{name}`")
            return None
        if isinstance(bound, ir.Use) and bound.var.per_seat:
            return ir.SecretOf(bound.var, self.exp(arg, env, SEAT), bound.var.kind)
        if isinstance(bound, ir.EXP_CLASSES) and self.kind_of(bound) == NUMBER:
            many = self._many_of(bound, arg, env)
            if many is not None:
                return many
        if name in self.world.categories and self.family_link(name) is not None:
            return self.sorts_of(node, name, arg, env)
        if name == "number":
            return self.ordinal(self.exp(arg, env), node)
        if name == "sort":
            piece = self.exp(arg, env, Kind("piece"))
            return ir.SortOf(piece, Kind("sort", piece.kind.name))
        return self.member(node, arg, name, (), env)

    def _many_of(self, amount: ir.Exp, what: t.Expr, env: Env) -> Meaning | None:
        """`n of my.hand`: so many out of it, as `3 of my.hand` says; of a seat or a thing `n` would be a member."""
        found = self.meaning(what, env)
        if not isinstance(found, (Zones, Lying, *ir.SET_CLASSES)):
            return None
        inner = self.as_set(found, what, None)
        return AmountOf(amount, inner) if inner is not None else None

    def _within(self, node: t.Within, what: t.Expr, where: t.Expr, env: Env) -> Meaning | None:
        place = self.meaning(where, env)
        if isinstance(place, Several):
            place = next((m for m in place.meanings if isinstance(m, (Zones, *ir.SET_CLASSES))), place.meanings[0])
        if isinstance(place, ir.EXP_CLASSES) and self.kind_of(place).form == "zone":
            place = Zones((place,), self.kind_of(place))
        if isinstance(place, ir.Chosen):
            names = self.sort_names(self.meaning(what, env))
            if names is not None:
                return ir.BagCount(place.bag, names.sorts, NUMBER)
        if isinstance(place, Zones):
            return self._lies_in(node, what, place, env)
        if place is None:
            return None
        inside = self.as_set(place, where, None)
        if inside is None:
            return None
        item = self._comparable(what, env, inside.kind.of or NUMBER)
        return ir.Contains(inside, item, FLAG)

    def _comparable(self, node: t.Expr, env: Env, other: Kind) -> ir.Exp:
        """A value that may be equal to one of this kind."""
        value = self.as_exp(self.meaning(node, env, other), node, env, other)
        if value is None:
            return ir.Const(0, other)
        if not (self.fits(value.kind, other) or self.fits(other, value.kind)):
            self.mismatch(node, value.kind, other)
            return ir.Const(0, other)
        return value

    def _lies_in(self, node: t.Within, what: t.Expr, place: Zones, env: Env) -> Meaning | None:
        found = self.meaning(what, env)
        if isinstance(found, Several):
            found = next((m for m in found.meanings if self.can_lie(m, place)), found.meanings[0])
        if isinstance(found, AmountOf):
            names = found.what if isinstance(found.what, SortNames) else None
            return AmountOf(found.amount, Lying(names.sorts, place)) if names else found
        if found is None:
            return None
        if isinstance(found, ir.Const) and found.kind.form == "none":
            return FALSE
        if isinstance(found, ir.EXP_CLASSES) and self.kind_of(found).form in ("thing", "piece"):
            item = found
            here = ir.Listed(place.zones, set_of(place.kind))
            if isinstance(item, ir.Const) and item.value == ir.NONE:
                return FALSE
            if not self.can_lie(item, place):
                self._never_lies(node, what, item.kind, place)
                return FALSE
            return ir.Contains(here, ir.PlaceOf(item, place.kind), FLAG)
        names = self.sort_names(found)
        if names is None:
            self.fault("E303", what, f"{self.describe(found)} cannot lie in a zone")
            return None
        if not self.may_hold(names.sorts, place):
            self.never_there(node, place, set(names.sorts.sorts), self.called(names))
        return Lying(names.sorts, place)

    def _never_lies(self, node: t.Expr, what: t.Expr, kind: Kind, place: Zones) -> None:
        """What lies in a zone is a piece: a cell does not, but the tile of a cell may."""
        inside = set(self.all_sorts(place.kind))
        for family in self.world.families:
            link = self.family_link(family)
            if link is not None and self.world.is_kind(kind.name, link[1]) and inside & self.sorts_named(family):
                label = f"did you mean {quote(f'{family} of {what.span.text}')}?"
                break
        else:
            label = f"only {place.kind.name} lies there" if place.kind.name != "thing" else ""
        self.fault("E304", node, f"{kind.plain} never lies in {place.kind}", label=label)

    # --------------------------------------------------------------------------------------- aggregates

    def _aggregate(self, node: t.Aggregate, how: str, what: t.Expr, env: Env, want: Kind | None) -> Meaning | None:
        if how in ("sum", "highest", "lowest") and isinstance(what, t.EachOf):
            return self._summary(node, how, what, env)
        found = self.meaning(what, env)
        if isinstance(found, Several):
            usable = [m for m in found.meanings if isinstance(m, (*ir.SET_CLASSES, Zones, Lying, SortNames))]
            found = usable[0] if usable else found
        if isinstance(found, ir.Chosen) and how in ("count", "any", "no"):
            found = self._how_many_chosen(found)
        if isinstance(found, ir.BagCount):
            return (
                found if how == "count" else self.negate_if(how == "no", ir.Op(">", (found, ir.Const(0, NUMBER)), FLAG))
            )
        if how in ("count", "any", "no") and isinstance(found, Lying | Zones):
            return self._count_lying(how, found)
        if how in ("any", "no") and isinstance(found, ir.EXP_CLASSES) and self.kind_of(found) == FLAG:
            return self.negate_if(how == "no", cast(ir.Exp, found))
        inner = self.as_set(found, what, None) if found is not None else None
        if inner is None:
            return None
        if how == "first":
            return self.first_of(inner, what, env, want)
        var = ir.Var("it", inner.kind.of or NUMBER)
        if how == "count":
            if isinstance(inner, ir.Listed):
                return ir.Const(len(inner.items), NUMBER)
            return ir.Aggregate("count", inner, var, None, NUMBER)
        if how in ("any", "no"):
            return ir.Aggregate(how, inner, var, None, FLAG)
        element = inner.kind.of or NUMBER
        if element.form != "number":
            self.fault("E302", what, f"this is {inner.kind}", label="numbers are needed")
        return ir.Aggregate(how, inner, var, ir.Use(var, element), element)

    def _how_many_chosen(self, chosen: ir.Chosen) -> ir.BagCount:
        """All of a lot."""
        element = chosen.kind.of
        ids = self.world.categories.get(element.name, ()) if element is not None else ()
        return ir.BagCount(chosen.bag, ir.SortSet(tuple(ids)), NUMBER)

    def first_of(self, inner: ir.Set, node: t.Expr, env: Env, want: Kind | None = None) -> ir.Exp:
        """The first; of a set that may be empty it may be none, and whoever uses it has to say what then."""
        element = inner.kind.of or NUMBER
        there = surely_some(node, inner, env)
        if isinstance(there, Claim):
            self.claims.append(there)
        first = first_in(inner, element if there else replace(maybe(element), unsure=True))
        if want is not None and want.form == "sort" and element.form in ("piece", "thing"):
            return ir.SortOf(first, replace(first.kind, form="sort"))
        return first

    def _count_lying(self, how: str, found: Lying | Zones) -> ir.Exp:
        if isinstance(found, Lying):
            count = ir.CountIn(found.zones.zones, found.sorts, NUMBER)
        else:
            count = ir.CountIn(found.zones, ir.SortSet(self.all_sorts(found.kind)), NUMBER)
        if how == "count":
            return count
        return ir.Op("=" if how == "no" else ">", (count, ir.Const(0, NUMBER)), FLAG)

    def _summary(self, node: t.Aggregate, how: str, what: t.EachOf, env: Env) -> ir.Exp:
        """`sum of (a for x in X, y in Y)`: nested, so that nothing is listed."""
        inside = env
        layers: list[tuple[ir.Var, ir.Set]] = []
        for binder in what.binders:
            var, domain, inside = self.bind(binder, inside)
            layers.append((var, domain))
        value = self.exp(what.value, inside)
        if value.kind.form not in ("number", "flag"):
            self.fault("E302", what.value, f"this is {value.kind}", label="a number is needed")
        for var, domain in reversed(layers):
            value = ir.Aggregate(how, domain, var, value, value.kind if value.kind.form == "number" else NUMBER)
        return value

    def bind(self, binder: t.Binder, env: Env) -> tuple[ir.Var, ir.Set, Env]:
        """A binder with its `where`: the variable, its set, and the names known afterwards."""
        if binder.top is not None:
            domain: ir.Set = self.span(binder.domain, binder.top, binder.step, env)
        else:
            domain = self.set(binder.domain, env)
        var = ir.Var(binder.name, domain.kind.of or NUMBER)
        inside = env.with_names(**{binder.name: ir.Use(var, var.kind)})
        if binder.where is not None:
            test = self.cond(binder.where, inside)
            domain = ir.Filtered(domain, var, test, domain.kind)
            narrow(self.world, binder.where, inside)
        return var, domain, inside

    def span(self, low: t.Expr, high: t.Expr, step: t.Expr | None, env: Env) -> ir.Span_:
        bottom = self.exp(low, env)
        top = self.exp(high, env)
        self.same_unit(low, bottom, high, top)
        by = self.exp(step, env) if step is not None else ir.Const(self.step_of(top.kind), top.kind)
        if step is not None:
            self.same_unit(high, top, step, by)
        return ir.Span_(bottom, top, by, set_of(top.kind.plain))

    def step_of(self, kind: Kind) -> int:
        return self.world.units[kind.name][1] if kind.name in self.world.units else 1

    def in_steps(self, node: t.Expr, value: ir.Exp) -> None:
        """An amount that is paid or offered, when it is written down, is one that the unit's step reaches."""
        step = self.step_of(value.kind)
        sure = isinstance(node, t.Money | t.Some) or not self.faults.errors  # else it may only follow from another fault
        if isinstance(value, ir.Const) and value.value % step and sure:
            below = value.value - value.value % step
            self.fault(
                "E316",
                node,
                f"{self.amount(value.value, value.kind)} is no multiple of {self.amount(step, value.kind)}",
                label=f"the nearest are {self.amount(below, value.kind)} and {self.amount(below + step, value.kind)}",
            )

    def amount(self, value: int, kind: Kind) -> str:
        """How an amount is written: `¥1,000`."""
        return self.world.units[kind.name][0].replace("{}", f"{value:,}")

    def _each_of(self, value: t.Expr, binders: tuple[t.Binder, ...], env: Env) -> Meaning | None:
        inside = env
        layers: list[tuple[ir.Var, ir.Set]] = []
        for binder in binders:
            var, domain, inside = self.bind(binder, inside)
            layers.append((var, domain))
        found = self.meaning(value, inside)
        if isinstance(found, Zones | Lying):
            found = self.as_set(found, value, None)
        if isinstance(found, ir.SET_CLASSES):
            made = found
            for var, domain in reversed(layers):
                made = ir.FlatMapped(domain, var, made, made.kind)
            return made
        item = self.as_exp(found, value, inside, None)
        if item is None:
            return None
        return ir.Mapped(tuple(layers), item, set_of(item.kind.plain))

    def _selection(self, node: t.Expr, env: Env) -> tuple[ir.Set, ir.Var, Env]:
        """`x in S` as the head of a selection: the set, its variable, and the names with it."""
        if isinstance(node, t.Within) and isinstance(node.what, t.Name):
            inner = self.set(node.where, env)
            if node.what.name in reserved_words():
                message, label = word_fault(node.what.name)
                self.fault("E104", node.what, message, label=label)
            var = ir.Var(node.what.name, inner.kind.of or NUMBER)
            return inner, var, env.with_names(**{node.what.name: ir.Use(var, var.kind)})
        self.fault("E203", node, "a selection begins with a name", label="like `(x in markets where …)`")
        var = ir.Var("it", NUMBER)
        return ir.Listed((), set_of(NUMBER)), var, env

    def _those(self, node: t.Those, selection: t.Expr, condition: t.Expr, env: Env) -> Meaning | None:
        inner, var, inside = self._selection(selection, env)
        test = self.cond(condition, inside)
        narrow(self.world, condition, inside)
        return ir.Filtered(inner, var, test, self.kind_of_those(inner, inside.names.get(var.name)))

    def kind_of_those(self, inner: ir.Set, item: Meaning | None) -> Kind:
        """`(p in spots where p is inn)` is a set of inns."""
        narrower = item.kind if isinstance(item, ir.Use) else None
        return inner.kind if narrower is None or narrower == inner.kind.of else replace(inner.kind, of=narrower)

    def _set_of(self, node: t.SetOf, items: tuple[t.Expr, ...], env: Env, want: Kind | None) -> Meaning | None:
        element = want.of if want is not None and want.form == "set" else None
        found = [self.meaning(item, env, element) for item in items]
        if any(m is None for m in found):
            return None
        settled = self.settle_alike([cast(Meaning, m) for m in found], element)
        if all(isinstance(m, Zones) for m in settled):
            zones = cast("list[Zones]", settled)
            kind = Kind("zone", self.common_category([z.kind.name for z in zones]))
            return Zones(tuple(z for group in zones for z in group.zones), kind)
        if all(isinstance(m, ir.EXP_CLASSES) or isinstance(m, SortNames) and len(m.sorts.sorts) == 1 for m in settled):
            values = [cast(ir.Exp, self.as_exp(m, i, env, element)) for m, i in zip(settled, items, strict=True)]
            return ir.Listed(tuple(values), set_of(self.common([v.kind for v in values], items)))
        sets = [self.as_set(m, i, element, True) for m, i in zip(settled, items, strict=True)]
        made = tuple(s for s in sets if s is not None)
        if len(made) != len(items):
            return None
        return ir.Joined(made, set_of(self.common([s.kind.of or NUMBER for s in made], items)))

    # --------------------------------------------------------------------------------------- operations

    def _operation(self, node: t.Operation, op: str, args: tuple[t.Expr, ...], env: Env, want: Kind | None) -> ir.Exp:
        if op in ("and", "or"):
            left = self.cond(args[0], env)
            inside = env.inner()
            narrow(self.world, args[0], inside, op == "and")
            return self.fold(ir.Op(op, (left, self.cond(args[1], inside)), FLAG))
        if op == "not":
            return self.negate(self.cond(args[0], env))
        if op in COMPARISONS:
            return self._compare(node, op, args, env)
        values = [self.exp(arg, env) for arg in args]
        for value, arg in zip(values, args, strict=True):
            if value.kind.form not in ("number",):
                self.fault("E301", arg, f"this is {value.kind}", label="a number is needed")
                return ir.Const(0, want or UNKNOWN)
        kind = self._arithmetic_kind(node, op, values, args)
        if op.startswith("/") and isinstance(values[1], ir.Const) and values[1].value == 0:
            self.fault("E305", args[1], "this divides by zero")
        made = self.fold(ir.Op(op, tuple(values), kind))
        if isinstance(made, ir.Const) and abs(made.value) > LARGEST:
            self.fault("E204", node, "this number is too large", label=f"at most {LARGEST:,}")
            return ir.Const(0, kind)
        return made

    def _arithmetic_kind(self, node: t.Operation, op: str, values: list[ir.Exp], args: tuple[t.Expr, ...]) -> Kind:
        kinds = [value.kind.plain for value in values]
        if op == "neg":
            return kinds[0]
        left, right = kinds
        if op == "*":
            if left.name and right.name:
                self.fault("E301", node, f"{left} cannot be multiplied by {right}")
            return left if left.name else right
        if op.startswith("/"):
            if right.name and right.name != left.name:
                self.fault("E301", node, f"{left} cannot be divided by {right}")
            return NUMBER if right.name else left
        self.same_unit(args[0], values[0], args[1], values[1])
        return left

    def same_unit(self, a: t.Expr, left: ir.Exp, b: t.Expr, right: ir.Exp) -> None:
        if left.kind.form == "number" and right.kind.form == "number" and left.kind.name != right.kind.name:
            self.faults.add(
                "E301",
                b.span,
                f"{left.kind} and {right.kind} are different units",
                label=f"this is {right.kind}",
                second=(a.span, f"this is {left.kind}"),
            )

    def _compare(self, node: t.Operation, op: str, args: tuple[t.Expr, ...], env: Env) -> ir.Exp:
        first = self.meaning(args[0], env)
        second = self._beside(args[1], first, env)
        if first is None or second is None:
            return FALSE
        if isinstance(first, Several) and not isinstance(second, Several):
            second_value = self.as_exp(second, args[1], env, None)
            first_value = self.as_exp(first, args[0], env, second_value.kind if second_value else None)
        else:
            hint = self._compare_hint(second)
            first_value = self.as_exp(first, args[0], env, hint)
            second_value = self.as_exp(second, args[1], env, first_value.kind if first_value else None)
        if first_value is None or second_value is None:
            return FALSE
        left, right = first_value, second_value
        if (
            left.kind.form in ("piece", "thing")
            and right.kind.form == "sort"
            and self._related(left.kind.name, right.kind.name)
        ):
            left = ir.SortOf(left, right.kind)
        elif (
            right.kind.form in ("piece", "thing")
            and left.kind.form == "sort"
            and self._related(left.kind.name, right.kind.name)
        ):
            right = ir.SortOf(right, left.kind)
        if left.kind.form == "number" == right.kind.form:
            self.same_unit(args[0], left, args[1], right)
        elif not (self.fits(left.kind, right.kind) or self.fits(right.kind, left.kind)):
            self.fault("E301", node, f"{left.kind} is never {right.kind}", label="these cannot be compared")
        elif op not in ("=", "!=") and left.kind.form != "number":
            self.fault("E301", node, f"{left.kind} has no order", label="only numbers can be more or less")
        return self.fold(ir.Op(op, (left, right), FLAG))

    def _beside(self, node: t.Expr, other: Meaning | None, env: Env) -> Meaning | None:
        """The other side of a comparison: a name that is not there is one of what it is compared with."""
        if not isinstance(node, t.Name):
            return self.meaning(node, env)
        return self.name(node, node.name, env, self.kind_of(other) if isinstance(other, ir.EXP_CLASSES) else None)

    def _compare_hint(self, found: Meaning) -> Kind | None:
        return self.kind_of(found) if isinstance(found, ir.EXP_CLASSES) and self.kind_of(found).form != "none" else None

    def _choice(
        self, node: t.Choice, condition: t.Expr, yes: t.Expr, no: t.Expr, env: Env, want: Kind | None
    ) -> Meaning | None:
        test = self.cond(condition, env)
        inside = env.inner()
        narrow(self.world, condition, inside)
        otherwise = env.inner()
        narrow(self.world, condition, otherwise, False)
        first, second = self.meaning(yes, inside, want), self.meaning(no, otherwise, want)
        if isinstance(test, ir.Const):
            return first if test.value else second
        if isinstance(first, Zones) and isinstance(second, Zones):
            kind = Kind("zone", self.common_category([first.kind.name, second.kind.name]))
            if len(first.zones) == len(second.zones) == 1:
                return Zones((ir.Cond(test, first.zones[0], second.zones[0], kind),), kind)
        if isinstance(first, (*ir.SET_CLASSES, Lying)) and isinstance(second, (*ir.SET_CLASSES, Lying)):
            a, b = self.as_set(first, yes, None), self.as_set(second, no, None)
            if a is None or b is None:
                return None
            var = ir.Var("it", a.kind.of or NUMBER)
            return ir.Joined(
                (ir.Filtered(a, var, test, a.kind), ir.Filtered(b, var, self.negate(test), b.kind)), a.kind
            )
        one = self.as_exp(first, yes, env, want)
        other = self.as_exp(second, no, env, want or (one.kind if one else None))
        if one is None or other is None:
            return None
        if isinstance(first, Several) and want is None:
            one = self.as_exp(first, yes, env, other.kind) or one
        if one.kind.form == "number" == other.kind.form:
            self.same_unit(yes, one, no, other)
        elif not (self.fits(one.kind, other.kind) or self.fits(other.kind, one.kind)):
            self.fault("E301", no, f"this is {other.kind}, but what stands after `then` is {one.kind}")
        kind = one.kind if one.kind.form != "none" else other.kind
        optional = one.kind.optional or other.kind.optional
        unsure = one.kind.unsure or other.kind.unsure
        return ir.Cond(test, one, other, replace(kind, optional=kind.optional or optional, unsure=unsure))

    # -------------------------------------------------------------------------------------- is a, is empty

    def _is_a(self, node: t.IsA, what: t.Expr, kind: t.Expr, env: Env) -> ir.Exp:
        found = self.meaning(what, env)
        item = self.as_exp(found, what, env, Kind("piece") if isinstance(found, Zones) else None)
        if item is None:
            return FALSE
        if isinstance(kind, t.Name):
            return self.is_named(node, item, kind.name, env)
        other = self.meaning(kind, env)
        names = self.sort_names(other) if other is not None else None
        if names is not None:
            return self.sort_test(item, names.sorts, kind)
        if other is not None:
            self.fault("E302", kind, f"{self.describe(other)} is no kind of thing")
        return FALSE

    def _is_empty(self, node: t.IsEmpty, what: t.Expr, env: Env) -> ir.Exp:
        found = self.meaning(what, env)
        if isinstance(found, Several):
            found = next((m for m in found.meanings if isinstance(m, (Zones, *ir.SET_CLASSES))), found.meanings[0])
        if isinstance(found, ir.Chosen):
            return ir.Op("=", (self._how_many_chosen(found), ir.Const(0, NUMBER)), FLAG)
        if isinstance(found, Zones | Lying):
            return self._count_lying("no", found)
        if isinstance(found, ir.EXP_CLASSES) and self.kind_of(found).form == "zone":
            kind = self.kind_of(found)
            return self._count_lying("no", Zones((found,), kind))
        inner = self.as_set(found, what, None) if found is not None else None
        if inner is None:
            return FALSE
        if isinstance(inner, ir.Listed):
            return ir.Const(int(not inner.items), FLAG)
        return ir.Aggregate("no", inner, ir.Var("it", inner.kind.of or NUMBER), None, FLAG)

    def _is_none(self, what: t.Expr, negated: bool, env: Env) -> ir.Exp:
        found = self.meaning(what, env)
        if isinstance(found, Zones):
            return self.negate_if(negated, self._count_lying("no", found))
        item = self.as_exp(found, what, env, None)
        if item is None:
            return FALSE
        if not item.kind.optional and item.kind.form not in ("zone",):
            self.fault("E301", what, f"{item.kind} is never none")
        return ir.Op("!=" if negated else "=", (item, ir.Const(-1, item.kind)), FLAG)

    # ------------------------------------------------------------------------------------------- small

    def negate(self, test: ir.Exp) -> ir.Exp:
        if isinstance(test, ir.Const):
            return ir.Const(int(not test.value), FLAG)
        if isinstance(test, ir.Op) and test.op == "not":
            return test.args[0]
        return ir.Op("not", (test,), FLAG)

    def negate_if(self, yes: bool, test: ir.Exp) -> ir.Exp:
        return self.negate(test) if yes else test

    def with_kind(self, value: ir.Exp, kind: Kind) -> ir.Exp:
        """The same number in a unit."""
        if isinstance(value, ir.Const):
            return ir.Const(value.value, kind)
        return ir.Op("+", (value, ir.Const(0, kind)), kind)

    def fold(self, op: ir.Op) -> ir.Exp:
        """Work out at once what is fixed."""
        if all(isinstance(arg, ir.Const) for arg in op.args) and not (
            op.op.startswith("/") and cast(ir.Const, op.args[1]).value == 0
        ):
            return ir.Const(operate(op.op, [cast(ir.Const, arg).value for arg in op.args], None), op.kind)
        if op.op in ("and", "or"):
            settles = int(op.op == "or")
            if any(isinstance(arg, ir.Const) and bool(arg.value) == settles for arg in op.args):
                return ir.Const(settles, op.kind)
            left = tuple(arg for arg in op.args if not isinstance(arg, ir.Const))
            return left[0] if len(left) == 1 else ir.Op(op.op, left, op.kind)
        return op

    def is_thing(self, value: int) -> bool:
        return value >= FIRST_THING
