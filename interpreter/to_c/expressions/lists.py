"""Expressions as lists of numbers, or lists of such lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.walk import statements
from ichiba.interpreter.to_c.expressions.calls import own_function, runtime
from ichiba.interpreter.to_c.expressions.loops import compressed, loops, without_branch
from ichiba.interpreter.to_c.expressions.ordering import chosen, first_that_counts, in_order, place_of
from ichiba.interpreter.to_c.expressions.sorting import keys_of, look_of, looks_of, lots_of, sorted_by_key
from ichiba.interpreter.to_c.expressions.values import (
    NO_LIST,
    calculated,
    entry_of_table,
    has_gaps,
    literal,
    numbers_of,
    unsupported,
)
from ichiba.interpreter.to_c.known.kinds import indexes, kind_of_table
from ichiba.interpreter.to_c.known.program import (
    Kind,
    Unsupported,
    by_name,
)
from ichiba.interpreter.to_c.known.scope import MOST, NEAR, NO_NUMBERS, Range, Scope, Value, hull
from ichiba.interpreter.to_c.known.words import TAKES


def listed(w: Scope, e: p.Exp) -> Value:
    """A list of numbers, or of such lists."""
    match e:
        case p.Nothing():
            return NO_LIST
        case p.Name(name=name):
            return _list_named(w, name)
        case p.Row(items=items) if any(isinstance(one, p.Spread) for one in items):
            return _joined(w, items)
        case p.Row(items=items):
            return _just(w, items)
        case p.Comp():
            return collected(w, e)
        case p.Choice(test=test, yes=yes, no=no):
            return chosen(w, test, yes, no, "list")
        case p.Logic(op=op, parts=parts):
            return first_that_counts(op, [w.listed(part) for part in parts], "L", ".n > 0", w)
        case p.NamedExp(name=name, value=value):
            return Value(f"(v_{name.name} = {key(w, value)})")
        case p.Slice():
            return _part(w, e)
        case p.Entry():
            return _row(w, e)
        case p.Call():
            return _list_called(w, e)
        case p.Op(op="*", left=p.Row(items=(one,)), right=times):
            return Value(f"repeated(k, {w.number(one).text}, {w.number(times).text})")  # of any range: its entries may be written
        case p.Method(of=p.Name(name=name), name="setdefault", args=(at, value)):
            own = w.new()
            return Value(
                f"({{ Entry *{own} = entry_for(k, &v_{name}, {key(w, at)}); "
                f"if (!{own}->list.p) {own}->list = {w.listed(value).text}; {own}->list; }})"
            )
        case (
            p.Num() | p.Truth() | p.Word() | p.Cell() | p.Sum() | p.Op() | p.Unary() | p.Compare() | p.Method()
            | p.Attribute() | p.Spread() | p.Keyword() | p.Pairs() | p.Lambda()
        ):  # fmt: skip
            raise unsupported(e, "a list")
        case _:
            assert_never(e)


def packed(w: Scope, e: p.Exp) -> Value:
    """A list, from what Python keeps as one number."""
    match e:
        case p.Num(value=value):
            values = []
            while value > 0:
                values.append(p.Num((value & w.program.constants["MASK"]) - 2))
                value >>= w.program.constants["BITS"]
            return _just(w, values)
        case p.Cell(at=at):
            return Value(f"unpack_place(k, {place_of(w, at)})", -2, w.program.constants["MASK"] - 2)
        case p.Choice(test=test, yes=yes, no=no):
            return chosen(w, test, yes, no, "packed")
        case p.Call(function=p.Name(name="pack"), args=(one,)):
            return w.listed(one)
        case _ if w.kind(e) == "packed":
            return w.listed(e)
        case _:
            return Value(f"unpack(k, {w.number(e).text})", -2, w.program.constants["MASK"] - 2)


def key(w: Scope, e: p.Exp) -> str:
    """A number or a tuple of numbers, as a list."""
    return (_just(w, [e]) if w.kind(e) == "number" else w.listed(e)).text


def _list_named(w: Scope, name: str) -> Value:
    kind = w.function.kinds.get(name)
    if kind in ("list", "lists", "packed"):
        return Value(f"v_{name}", *w.range(name))
    table = w.program.tables.get(name)
    if kind is None and kind_of_table(table) in ("list", "lists") and not isinstance(table, dict):
        return Value(name, *((-MOST - 1, MOST) if has_gaps(table) else numbers_of(table)))
    raise Unsupported(f"{name} as a list")


def _just(w: Scope, items: Sequence[p.Exp]) -> Value:
    """A list of just these."""
    if not items:
        return Value("(L){0, 0, NULL}", *NO_NUMBERS)
    own, n = w.new(), len(items)
    if any(w.kind(one) == "list" for one in items):

        def rows(values: list[Value]) -> Value:
            fills = " ".join(f"{own}[{at}] = {value.text};" for at, value in enumerate(values))
            text = f"({{ L *{own} = room(k, {n} * (I)sizeof(L)); {fills} (LL){{{n}, 0, {own}}}; }})"
            return Value(text, *hull(value.range for value in values))

        return rows([w.listed(one) for one in items])
    values = [w.number(one) for one in items]
    lies = hull(value.range for value in values)
    if all(isinstance(one, p.Num) for one in items) and not writes_entries(w):
        fixed = f"static const I {own}[] = {{{', '.join(value.text for value in values)}}};"
        return Value(f"({{ {fixed} (L){{{n}, 0, (I *){own}}}; }})", *lies)
    fills = " ".join(f"{own}[{at}] = {value.text};" for at, value in enumerate(values))
    text = f"({{ I *{own} = room(k, {n} * (I)sizeof(I)); {fills} (L){{{n}, 0, {own}}}; }})"
    return Value(text, *lies)


def writes_entries(w: Scope) -> bool:
    """Whether the function writes into lists: then none of its own may be fixed."""
    return any(
        isinstance(target, p.Entry)
        for s in statements(w.function.body or ())
        for target in (s.targets if isinstance(s, p.Set) else (s.target,) if isinstance(s, p.Change) else ())
    )


def _joined(w: Scope, items: Sequence[p.Exp]) -> Value:
    own, found = w.new(), []
    lines = []
    for one in items:
        value = w.listed(one.of) if isinstance(one, p.Spread) else w.number(one)
        found.append(value.range)
        lines.append(f"{'extend' if isinstance(one, p.Spread) else 'push'}(k, &{own}, {value.text});")
    return Value(f"({{ L {own} = {{0, 0, NULL}}; {' '.join(lines)} {own}; }})", *hull(found))


def collected(w: Scope, e: p.Comp, into: str = "") -> Value:
    """A list comprehension; or its values, put into a list that is there."""
    own, found = into or w.new(), []
    if (straight := without_branch(w, e.clauses, e.item, own)) is not None:
        took, lies = straight
        return Value(took if into else f"({{ L {own} = {{0, 0, NULL}}; {took} {own}; }})", *lies)
    lists = w.kind(e) == "lists"
    most = None if lists else _most_of(w, e.clauses)

    def leaf() -> str:
        value = w.listed(e.item) if lists else w.number(e.item)
        found.append(value.range)
        if most is not None:  # there is room for all
            one = w.new()
            return f"I {one} = {value.text}; {own}.p[{own}.n++] = {one};"
        return f"{'push_list' if lists else 'push'}(k, &{own}, {value.text});"

    took = loops(w, e.clauses, leaf)
    if most is not None:
        took = f"room_for(k, &{own}, {most}); {took}"
    made = took if into else f"({{ {'LL' if lists else 'L'} {own} = {{0, 0, NULL}}; {took} {own}; }})"
    return Value(made, *hull(found))


def _most_of(w: Scope, clauses: Sequence[p.Each]) -> str | None:
    """At most so many values come out of one loop over a range, if nothing is done in working its ends out."""
    match clauses:
        case (p.Each(source=p.Call(function=p.Name(name="range"), args=args)),) if len(args) < 3:
            if any(w.has_side_effects(arg) for arg in args):
                return None
            ends = [w.number(arg) for arg in args]
            return ends[0].text if len(ends) == 1 else calculated("-", ends[1], ends[0]).text
        case _:
            return None


def _part(w: Scope, e: p.Slice) -> Value:
    """Neighbouring entries."""
    if e.high is None:
        raise unsupported(e, "a list")
    low = p.Num(0) if e.low is None else e.low
    if isinstance(e.of, p.Name) and e.of.name == "S":

        def part_of_state(v: list[Value]) -> Value:
            return Value(f"slice(k, {v[0].text}, {v[1].text})", -NEAR, NEAR)

        return in_order(w, [(low, "number"), (e.high, "number")], part_of_state)
    return in_order(
        w, [(e.of, "list"), (low, "number"), (e.high, "number")],
        lambda v: Value(f"part(k, {', '.join(one.text for one in v)})", *v[0].range),
    )  # fmt: skip


def _row(w: Scope, e: p.Entry) -> Value:
    """A list out of a list of lists, a table, or what is kept by key."""
    match e.of:
        case p.Name(name=name) if w.function.kinds.get(name) == "keyed":
            return Value(f"entry_there(k, &v_{name}, {key(w, e.at)})->list")
        case p.Name(name=name) if name not in w.function.kinds and isinstance(table := w.program.tables.get(name), dict):
            return Value(f"list_there(k, {name}_or(k, {w.number(e.at).text}))", *numbers_of(table))
        case _:
            pass
    name, places = indexes(e)
    table = w.program.tables.get(name) if name not in w.function.kinds else None
    if w.kind(e) == "lists" and kind_of_table(table) == "deep":
        deep: list[tuple[p.Exp, Kind]] = [(at, "number") for at in places]
        return in_order(w, deep, lambda v: Value(f"{name}_at({', '.join(['k', *(one.text for one in v)])})", *_unless_gaps(table)))
    if kind_of_table(table) == "lists" and isinstance(table, tuple | list) and len(places) == 1:
        return Value(f"{name}_p[{entry_of_table(w.number(e.at), len(table))}]", *_unless_gaps(table))
    return in_order(w, [(e.of, "lists"), (e.at, "number")], lambda v: Value(f"row(k, {v[0].text}, {v[1].text})", *v[0].range))


def _unless_gaps(table: object) -> Range:
    return (-MOST - 1, MOST) if has_gaps(table) else numbers_of(table)


def _list_called(w: Scope, e: p.Call) -> Value:
    args, told = by_name(e.args)
    name = e.function.name if isinstance(e.function, p.Name) and e.function.name not in w.program.functions else ""
    match name, args:
        case "", _:
            return own_function(w, e)
        case "list" | "tuple" | "frozenset", [one]:
            return w.listed(one)
        case "pack", [one]:
            return w.listed(one)
        case "sorted", [one]:
            return sorted_by_key(w, one, told.get("key"))
        case "best", [one, p.Lambda() as by, p.Num() | p.Truth() as highest]:
            items, keys, fill, found = keys_of(w, one, by)
            return Value(f"({{ {fill} best_by(k, {items}, {keys}, {int(highest.value)}); }})", *found)
        case "range", _:
            return in_order(w, [(arg, "number") for arg in args], _counted)
        case "compress", [values, counts]:
            own, x = w.new(), w.new()
            took, lies = compressed(w, values, counts, x, lambda _: f"{own}.p[{own}.n++] = {x};", into=own)
            return Value(f"({{ L {own}; {took} {own}; }})", *lies)
        case "unpack", [one]:
            return w.packed(one)
        case "lowest", [_, one, p.Spread(of=p.Name(name=look))]:
            value = w.listed(one)
            return Value(f"lowest(k, {value.text}, {looks_of(w, look)})", *value.range)
        case "unlike", [_, one, p.Spread(of=p.Name(name=look))]:
            if w.program.looks[look][1]:
                raise Unsupported("choices of pieces that carry something")
            return Value(f"unlike(k, {w.listed(one).text}, {look_of(w, look)})")
        case "bag_choices", _:
            return lots_of(w, args)
        case "recalled" | "remembered" | "flood" | "ways", [p.Name(name=kept), *given]:
            lists: list[tuple[p.Exp, Kind]] = [(one, "list") for one in given]
            return in_order(w, lists, lambda v: Value(f"{name}(k, &{kept}, {', '.join(one.text for one in v)})"))
        case _ if name in TAKES:
            return runtime(w, name, args)
        case _:
            raise Unsupported(f"the word {name}")


def _counted(v: list[Value]) -> Value:
    """`range`, as a list."""
    low, high, step = (literal(0), v[0], literal(1)) if len(v) == 1 else (v[0], v[1], v[2] if len(v) > 2 else literal(1))
    ends = (low.low, high.high - 1) if step.low > 0 else (min(low.low, high.low), max(low.high, high.high))
    return Value(f"counted(k, {low.text}, {high.text}, {step.text})", *ends)


def that_grows(w: Scope, e: p.Exp) -> str:
    """Where a list stands that something is put into."""
    match e:
        case p.Entry(of=p.Name(name=name), at=at) if w.function.kinds.get(name) == "keyed":
            return f"&entry_there(k, &v_{name}, {key(w, at)})->list"
        case p.Name(name=name) if name in w.function.kinds:
            return f"&v_{name}"
        case _:
            raise unsupported(e, "a list that grows")
