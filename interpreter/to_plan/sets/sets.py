"""Sets as lists and as clauses of comprehensions."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE, ONE, call, compare, place, row
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import name_of, new_name, restore, with_name
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.context.writing import a_step
from ichiba.interpreter.to_plan.sets.indexes import indexed_clauses, narrowed_set
from ichiba.interpreter.to_plan.sets.looks import look_of
from ichiba.interpreter.to_plan.sets.loops import Clauses, each, tested
from ichiba.interpreter.to_plan.sets.pieces import piece_clauses, those_present
from ichiba.interpreter.to_plan.sets.something import those_with_something
from ichiba.interpreter.to_plan.sets.ways import connected, steps
from ichiba.interpreter.to_plan.values.pieces import pieces_single
from ichiba.interpreter.to_plan.values.places import offset


def list_of(c: Context, inner: ir.Set, each: bool = False) -> p.Exp:
    """A list of the values; with `each`, counted pieces as often as they are there."""
    inner = narrowed_set(c, inner)
    match inner:
        case ir.Listed(items=items) if all(isinstance(i, ir.Const) for i in items):
            return p.Row("list", tuple(lower(c, i) for i in items))
        case ir.Kept(var=var):
            return c.names[var] if var in c.lists else call("unpack", name_of(c, var))
        case ir.Unpacked(packed=packed):
            return call("unpack", lower(c, packed))
        case ir.Ordered():
            return _ordered_list(c, inner, each)
        case ir.Best():
            return _best_list(c, inner, each)
        case ir.Combos():
            return _combos_list(c, inner)
        case ir.Connected():
            return connected(c, inner)
        case ir.Steps():
            return steps(c, inner)
        case _:  # any other: what its clauses go through
            return _gone_through(c, inner, each)


def _gone_through(c: Context, inner: ir.Set, each: bool) -> p.Exp:
    quick = None if each else those_present(c, inner)
    if quick is not None:
        return call("list", quick)
    name = new_name(c, "x")
    clauses = _clauses_each(c, inner, name) if each else clauses_of(c, inner, name)
    return p.Comp("list", p.Name(name), clauses)


def clauses_of(c: Context, inner: ir.Set, name: str) -> Clauses:
    """`for name in … if …`: the set as clauses of a comprehension. Where there may be very many, they are counted."""
    made = _clauses_as_said(c, inner, name)
    return tested(made, a_step(c)) if c.metered and not isinstance(inner, ir.Filtered | ir.Mapped) else made


def _clauses_as_said(c: Context, inner: ir.Set, name: str) -> Clauses:
    """The same without counting."""
    inner = narrowed_set(c, inner)
    match inner:
        case ir.Listed(items=items):
            values = [i.value for i in items if isinstance(i, ir.Const)]
            if len(values) == len(items) > 3 and values == list(range(values[0], values[0] + len(values))):
                return each(name, call("range", values[0], values[-1] + 1))
            return each(name, row(lower(c, i) for i in items))
        case ir.Span_(low=low, high=high, step=step):
            by = lower(c, step)
            ends = [lower(c, low), place([lower(c, high), 1])]
            return each(name, call("range", *ends, *([] if by == ONE else [by])))
        case ir.SeatsFrom(seat=seat, others=others):
            return each(name, p.Entry(p.Name(_seats_table(c, others)), lower(c, seat)))
        case ir.Pieces():
            return piece_clauses(c, inner, name)
        case ir.Rows():
            return each(name, rows_entry(c, inner))
        case ir.Filtered(set=outer, var=var, test=test):
            indexed = indexed_clauses(c, inner, name) if c.rewrites else None
            if indexed is not None:
                return indexed
            those = those_with_something(c, outer, var, name, test) if c.rewrites else None
            if those is not None:
                clauses, left = those
                return tested(clauses, *(with_name(c, var, p.Name(name), part) for part in left))
            first = clauses_of(c, outer, name)
            return tested(first, with_name(c, var, p.Name(name), test))
        case ir.Mapped(binders=binders, value=value):
            return _mapped_clauses(c, binders, value, name)
        case ir.FlatMapped(set=outer, var=var, inner=last):
            own = new_name(c, "y")
            first = _clauses_each(c, outer, own)
            saved = c.names.get(var)
            c.names[var] = p.Name(own)
            rest = clauses_of(c, last, name)
            restore(c, var, saved)
            return first + rest
        case ir.Joined(sets=sets):
            parts = row(list_of(c, s) for s in sets)
            whole = p.Name(new_name(c, "part"), "list")
            return (p.Each((whole,), parts), *each(name, whole))
        case ir.Chosen(bag=bag):
            cell = c.layout.slot(bag)
            return each(name, call("range", cell, cell + bag.width), p.Cell(p.Name(name)))
        case _:  # any other: its list, gone through
            return each(name, list_of(c, inner))


def _clauses_each(c: Context, inner: ir.Set, name: str) -> Clauses:
    """The set as clauses, with counted pieces as often as they are there: something follows from every one."""
    many = times_each(c, inner, name)
    again = () if many == ONE else each(new_name(c, "n"), call("range", many))
    return clauses_of(c, inner, name) + again


def _mapped_clauses(c: Context, binders: tuple[tuple[ir.Var, ir.Set], ...], value: ir.Exp, name: str) -> Clauses:
    """A value for each combination of what some names go through."""
    made: Clauses = ()
    saved: list[tuple[ir.Var, p.Exp | None]] = []
    for var, domain in binders:
        own = new_name(c, var.name)
        made += _clauses_each(c, domain, own)
        saved.append((var, c.names.get(var)))
        c.names[var] = p.Name(own)
    made += each(name, row([lower(c, value)]))
    for var, old in saved:
        restore(c, var, old)
    return made


def times_each(c: Context, inner: ir.Set, name: str) -> p.Exp:
    """How often a value of the set counts: pieces that are counted, as many times as there are."""
    element = inner.kind.of
    if element is None or element.form != "piece":
        return ONE
    counted = p.Cell(p.Name(name))
    either = p.Choice(compare(p.Name(name), "<", p.Num(FIRST_THING)), counted, ONE)
    match inner:
        case ir.Pieces():
            single = pieces_single(c, inner)
            return ONE if single is True else counted if single is False else either
        case ir.Filtered(set=outer) | ir.Best(set=outer) | ir.Ordered(set=outer):
            return times_each(c, outer, name)
        case ir.FlatMapped(inner=outer):
            return times_each(c, outer, name)
        case ir.Chosen():
            return counted
        case ir.Joined(sets=sets):
            found = {times_each(c, s, name) for s in sets}
            return found.pop() if len(found) == 1 else either
        case _:  # any other: its values are there once
            return ONE


def _ordered_list(c: Context, inner: ir.Ordered, each: bool) -> p.Exp:
    return call("sorted", list_of(c, inner.set, each), p.Keyword("key", order_key(c, inner)))


def order_key(c: Context, inner: ir.Ordered) -> p.Exp:
    """What a set is ordered by, as a function."""
    name = new_name(c, "x")
    keys = []
    for key, highest in inner.keys:
        made = with_name(c, inner.var, p.Name(name), key)
        keys.append(p.Unary("-", made) if highest else made)
    return p.Lambda((name,), keys[0] if len(keys) == 1 else row(keys))


def _best_list(c: Context, inner: ir.Best, each: bool) -> p.Exp:
    name = new_name(c, "x")
    key = with_name(c, inner.var, p.Name(name), inner.key)
    return call("best", list_of(c, inner.set, each), p.Lambda((name,), key), p.Truth(bool(inner.highest)))


def _combos_list(c: Context, inner: ir.Combos) -> p.Exp:
    """So many of a set at once, in every way; of ways that look alike only the first."""
    name = p.Name(new_name(c, "x"))
    many = times_each(c, inner.set, name.name)
    kinds = list_of(c, inner.set)
    look = look_of(c, inner.set)
    spread = p.Spread(p.Name(look))
    if isinstance(inner.amount, ir.Const) and inner.amount.value == 1:
        return say("[{} + 2 for {} in {}]", name, name, call("lowest", p.S, kinds, spread) if look else kinds)
    weights = NONE if many == p.Cell(name) else say("[{} for {} in {}]", many, name, kinds)
    found = call("combos", p.S, kinds, weights, lower(c, inner.amount))
    return call("unlike", p.S, found, spread) if look else found


def _seats_table(c: Context, others: bool) -> str:
    """By seat: all seats from there on, with or without itself."""
    n = c.world.config.seats
    first = 1 if others else 0
    rows = tuple(tuple((s + k) % n for k in range(first, n)) for s in range(n))
    return fixed_table(c, rows, "others_from" if others else "seats_from")


def rows_entry(c: Context, inner: ir.Rows) -> p.Exp:
    """The list that stands in a table of lists."""
    return p.Entry(p.Name(fixed_table(c, inner.rows, inner.name)), offset(c, inner.at, inner.low))
