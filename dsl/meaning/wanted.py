"""From what an expression means to what is wanted here: one value, a set, a zone."""

from __future__ import annotations

from dataclasses import replace

from ichiba.dsl.faults.fault import quote
from ichiba.dsl.meaning.arithmetic import negate
from ichiba.dsl.names.compatible import (
    common_category,
    common_kind,
    element_kind,
    fits,
    kind_of,
    mismatch,
    says,
    settle,
)
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.emptiness import Claim, may_be_empty, surely_some
from ichiba.dsl.names.hints import written
from ichiba.dsl.names.meanings import (
    AmountOf,
    CostRef,
    Env,
    Lying,
    Meaning,
    Measure,
    MenuRef,
    Promised,
    Several,
    SortNames,
    TableRef,
    Zones,
)
from ichiba.dsl.names.members import only_piece
from ichiba.dsl.names.narrowing import kind_at
from ichiba.dsl.names.sorts import all_sorts, element_of_sorts, holds_one, may_hold_more
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, UNKNOWN, Kind, maybe, set_of


def exp(c: Context, node: t.Expr, env: Env, want: Kind | None = None) -> ir.Exp:
    """A single value of the wanted kind."""
    found = c.meaning(c, node, env, want)
    value = as_exp(c, found, node, env, want)
    if value is None:
        return ir.Const(0, want or UNKNOWN)
    narrower = kind_at(c.world, node, value.kind, env)
    value = value if narrower is value.kind else replace(value, kind=narrower)
    if want is not None and not fits(c, value.kind, want):
        mismatch(c, node, value.kind, want)
        return ir.Const(0, want)
    if want is None or not want.optional:
        is_there(c, node, value.kind)
    return value


def a_number(c: Context, node: t.Expr, env: Env) -> ir.Exp:
    """A number, in whichever unit."""
    value = exp(c, node, env)
    if value.kind.form not in ("number", "broken"):
        mismatch(c, node, value.kind, NUMBER)
        return ir.Const(0, NUMBER)
    return value


def cond(c: Context, node: t.Expr, env: Env) -> ir.Exp:
    return exp(c, node, env, FLAG)


def is_there(c: Context, node: t.Expr, kind: Kind) -> None:
    """What is the first of a set that may be empty is no value yet."""
    if kind.unsure and not c.finished:
        may_be_empty(node, c.faults)


def as_exp(c: Context, found: Meaning | None, node: t.Expr, env: Env, want: Kind | None) -> ir.Exp | None:
    match found:
        case None:
            return None
        case Several():
            return as_exp(c, settle(c, found, node, want), node, env, want)
        case SortNames(sorts=sorts, kind=kind):
            if sorts.one is not None:
                return sorts.one
            if want is not None and want.form in ("thing", "piece") and (piece := only_piece(c, found)) is not None:
                return piece
            if len(sorts.sorts) == 1:
                return ir.Const(sorts.sorts[0], kind)
            c.fault("E302", node, "this names several sorts; one is needed")
            return None
        case Zones(zones=zones, kind=kind):
            return _zone_as_exp(c, zones, kind, node, want)
        case Lying(sorts=sorts, zones=zones_):
            counted = ir.CountIn(zones_.zones, sorts, NUMBER)
            if want is not None and want.form in ("thing", "piece"):
                pieces = ir.Pieces(zones_.zones, sorts, set_of(c.world.element(zones_.kind.name)))
                return first_of(c, pieces, node, env)
            return ir.Op(">", (counted, ir.Const(0, NUMBER)), FLAG)
        case AmountOf(amount=amount, what=Lying(sorts=sorts, zones=zones_)) if want == FLAG:
            return ir.Op(">=", (ir.CountIn(zones_.zones, sorts, NUMBER), amount), FLAG)
        case AmountOf() | TableRef() | Measure() | MenuRef() | CostRef() | Promised():
            c.fault("E302", node, says(c, node, found), label=_needed(c, found, want))
            return None
        case _ if isinstance(found, ir.SET_CLASSES):
            if want is not None and want.form == "set":
                c.fault("E302", node, "a set cannot stand here")
            else:
                c.fault(
                    "E302",
                    node,
                    f"this is {found.kind}",
                    label=f"{want} is needed" if want else "one value is needed",
                )
            return None
        case _:  # any other: it is a value already
            pass
    return found


def _needed(c: Context, found: Meaning, want: Kind | None) -> str:
    needed = f"{want or 'one value'} is needed"
    return f"{needed}: say of what, as in `{written(found.function)}`" if isinstance(found, Measure) else needed


def _zone_as_exp(c: Context, zones: tuple[ir.Exp, ...], kind: Kind, node: t.Expr, want: Kind | None) -> ir.Exp | None:
    if want is not None and want.form == "zone" or want is None:
        if len(zones) == 1:
            return zones[0]
        c.fault("E302", node, "these are several zones; one is needed")
        return None
    element = c.world.element(kind.name)
    if len(zones) == 1 and fits(c, element, want):
        if may_hold_more(c, zones[0]):
            label = f"which one? a zone `at most 1` is the piece in it; or {quote(f'first of {node.span.text}')}"
            c.fault("E302", node, "more than one may lie here", label=label)
            return None
        return ir.Only(zones[0], maybe(element))
    if want.form == "sort" and len(zones) == 1 and holds_one(c, zones[0]):
        return ir.SortOf(ir.Only(zones[0], maybe(element)), Kind("sort", kind.name))
    label = f"{want} is needed"
    if want.form == "number":
        label += f": {quote(f'count of {node.span.text}')}"
    c.fault("E302", node, f"this is a zone of {kind.name}", label=label)
    return None


def elements(c: Context, node: t.Expr, env: Env, want: Kind | None = None) -> ir.Set:
    """A set; zones stand for the pieces in them, a family for its sorts."""
    found = c.meaning(c, node, env, set_of(want) if want else None)
    made = as_set(c, found, node, want)
    if made is not None and want is not None and made.kind.of is not None and not fits(c, made.kind.of, want):
        mismatch(c, node, made.kind, set_of(want))
        made = None
    return made if made is not None else ir.Listed((), set_of(want or UNKNOWN))


def as_set(c: Context, found: Meaning | None, node: t.Expr, want: Kind | None, one_too: bool = False) -> ir.Set | None:
    """What can be taken for a set; with `one_too`, as inside braces, also a single thing."""
    match found:
        case None:
            return None
        case Several():
            choices = [m for m in found.meanings if as_set_quiet(c, m, one_too) is not None]
            fitting = [m for m in choices if want is None or fits(c, element_kind(c, m), want)]
            if choices:
                return as_set(c, (fitting or choices)[0], node, want, one_too)
        case Zones(zones=zones, kind=kind):
            element = c.world.element(kind.name)
            return ir.Pieces(zones, ir.SortSet(all_sorts(c, kind)), set_of(element))
        case Lying(sorts=sorts, zones=zones_):
            return ir.Pieces(zones_.zones, sorts, set_of(element_of_sorts(c, sorts, zones_.kind)))
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
                c.fault(
                    "E302",
                    node,
                    says(c, node, found),
                    label="a set is needed; a set of one stands in braces, `{…}`",
                )
                return None
        case _:  # any other: it is told below that it is no set
            pass
    label = "a set is needed"
    if isinstance(found, ir.EXP_CLASSES) and kind_of(c, found) == NUMBER:
        label += f": {quote(f'1 .. {node.span.text}')}"
    c.fault("E302", node, says(c, node, found), label=label)
    return None


def set_of_two(c: Context, test: ir.Exp, first: tuple[Meaning, t.Expr], second: tuple[Meaning, t.Expr]) -> Meaning | None:
    """One of two sets or zones, whichever a condition says."""
    (yes, yes_node), (no, no_node) = first, second
    if isinstance(yes, Zones) and isinstance(no, Zones):
        kind = Kind("zone", common_category(c, [yes.kind.name, no.kind.name]))
        if len(yes.zones) == len(no.zones) == 1:
            return Zones((ir.Cond(test, yes.zones[0], no.zones[0], kind),), kind)
    a, b = as_set(c, yes, yes_node, None), as_set(c, no, no_node, None)
    if a is None or b is None:
        return None
    kind = common_kind(c, [a.kind.of or NUMBER, b.kind.of or NUMBER], (yes_node, no_node))
    var = ir.Var("it", kind)
    return ir.Joined((ir.Filtered(a, var, test, a.kind), ir.Filtered(b, var, negate(c, test), b.kind)), set_of(kind))


def as_set_quiet(c: Context, found: Meaning, one_too: bool) -> Meaning | None:
    usable = isinstance(found, (*ir.SET_CLASSES, Zones, Lying, SortNames))
    one = one_too and isinstance(found, ir.EXP_CLASSES) and kind_of(c, found).form in ("thing", "sort", "enum")
    return found if usable or one else None


def zones_of(c: Context, node: t.Expr, env: Env) -> Zones | None:
    """One zone or several."""
    found = c.meaning(c, node, env, Kind("zone"))
    if isinstance(found, Several):
        found = next((m for m in found.meanings if isinstance(m, Zones)), found)
    if isinstance(found, Zones):
        return found
    if isinstance(found, ir.EXP_CLASSES) and kind_of(c, found).form == "zone":
        return Zones((found,), kind_of(c, found))
    if found is not None:
        c.fault("E302", node, says(c, node, found), label="a zone is needed")
    return None


def zone_of(c: Context, node: t.Expr, env: Env) -> ir.Exp | None:
    found = zones_of(c, node, env)
    if found is not None and len(found.zones) != 1:
        c.fault("E302", node, "these are several zones; one is needed")
        return None
    return found.zones[0] if found else None


def first_of(c: Context, inner: ir.Set, node: t.Expr, env: Env, want: Kind | None = None) -> ir.Exp:
    """The first; of a set that may be empty it may be none, and whoever uses it has to say what then."""
    element = inner.kind.of or NUMBER
    there = surely_some(node, inner, env)
    if isinstance(there, Claim):
        c.claims.append(there)
    first = first_in(inner, element if there else replace(maybe(element), unsure=True))
    if want is not None and want.form == "sort" and element.form in ("piece", "thing"):
        return ir.SortOf(first, replace(first.kind, form="sort"))
    return first


def first_in(inner: ir.Set, kind: Kind | None = None) -> ir.Aggregate:
    element = inner.kind.of or NUMBER
    return ir.Aggregate("first", inner, ir.Var("it", element), None, kind or maybe(element))
