"""What the language itself can work out: `min(...)`, `next_seat(...)`, things by number."""

from __future__ import annotations

from ichiba.dsl.faults.fault import Edit, quote
from ichiba.dsl.meaning.arithmetic import fold, fold_power, same_unit, with_kind
from ichiba.dsl.meaning.wanted import a_number, exp
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env, Meaning
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, set_of
from ichiba.dsl.world.nets import beside, ends_of
from ichiba.dsl.world.world import FIRST_THING

ORDERED = ("seat", "enum", "thing", "sort")  # what has a place among its kind

BUILT_IN = (
    "min",
    "max",
    "power",
    "even",
    "abs",
    "number",
    "position",
    "seats_from",
    "others_from",
    "next_seat",
    "edges_at",
    "beside",
    "far",
    "paid",
    "seat",
)


def built_in(c: Context, node: t.Expr, name: str, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
    counts = {
        "min": 0,
        "max": 0,
        "power": 2,
        "even": 1,
        "abs": 1,
        "number": 1,
        "position": 1,
        "seats_from": 1,
        "others_from": 1,
        "next_seat": 1,
        "edges_at": 1,
        "beside": 1,
        "far": 2,
        "paid": 1,
        "seat": 1,
    }
    if name in ("min", "max") and len(args) < 2 or name not in ("min", "max") and len(args) != counts.get(name, 1):
        c.fault("E211", node, f"`{name}` takes {counts.get(name) or 'at least 2'} in brackets")
        return None
    match name:
        case "min" | "max":
            values = [a_number(c, arg, env) for arg in args]
            for arg, value in zip(args[1:], values[1:], strict=True):
                same_unit(c, args[0], values[0], arg, value)
            return fold(c, ir.Op(name, tuple(values), values[0].kind))
        case "power":
            return fold_power(ir.Op("power", (exp(c, args[0], env, NUMBER), exp(c, args[1], env, NUMBER)), NUMBER))
        case "even":
            return fold(c, ir.Op("even", (a_number(c, args[0], env),), FLAG))
        case "abs":
            value = a_number(c, args[0], env)
            return fold(c, ir.Op("abs", (value,), value.kind))
        case "number":
            return _without_unit(c, exp(c, args[0], env), args[0], node)
        case "position":
            return _position(c, exp(c, args[0], env), args[0], node)
        case "seats_from" | "others_from":
            return ir.SeatsFrom(exp(c, args[0], env, SEAT), name == "others_from", set_of(SEAT))
        case "next_seat":
            return ir.Op("next_seat", (exp(c, args[0], env, SEAT),), SEAT)
        case "seat":
            value = exp(c, args[0], env, NUMBER)
            seats = c.world.config.seats
            if isinstance(value, ir.Const):
                if not 1 <= value.value <= seats:
                    c.fault("E306", node, f"there are {seats} seats", label=f"they go from 1 to {seats}")
                    return None
                return ir.Const(value.value - 1, SEAT)
            c.looks_up = True
            return ir.Lookup("seat", tuple(range(seats)), (value,), (1,), 0, SEAT, node.span)
        case "paid":
            return _paid(c, node, args[0])
        case "edges_at":
            return _edges_at(c, exp(c, args[0], env, Kind("thing", "node")))
        case "beside":
            return _beside(c, exp(c, args[0], env, Kind("thing", "node")))
        case "far":
            return _far(c, node, args, env)
    return None


def _paid(c: Context, node: t.Expr, unit: t.Expr) -> Meaning | None:
    name = unit.name if isinstance(unit, t.Name) else ""
    if name not in c.world.units:
        c.fault("E205", unit, f"no unit is called `{name}`")
        return None
    member = c.world.table[f"paid {name}"]
    return ir.Read(member, (), member.kind)


def _edges_at(c: Context, node: ir.Exp) -> Meaning:
    edges = c.world.kinds["edge"].things
    at: dict[int, list[int]] = {}
    for edge in edges:
        for end in ends_of(c.world, edge):
            at.setdefault(end, []).append(edge)
    nodes = c.world.kinds["node"].things
    kinds = {c.world.thing(e).kind for e in edges}
    kind = Kind("thing", kinds.pop() if len(kinds) == 1 else "edge")
    if not nodes:
        return ir.Listed((), set_of(kind))
    rows = tuple(tuple(at.get(n, ())) for n in nodes)
    if isinstance(node, ir.Const):
        return ir.Listed(tuple(ir.Const(e, kind) for e in at.get(node.value, ())), set_of(kind))
    return ir.Rows("edges_at", rows, node, min(nodes), set_of(kind))


def _beside(c: Context, node: ir.Exp) -> Meaning:
    """The places next to one."""
    near = beside(c.world)
    nodes = c.world.kinds["node"].things
    asked = [node.value] if isinstance(node, ir.Const) else c.world.values(node.kind) or nodes
    kinds = {c.world.thing(there).kind for here in asked for there in near.get(here, ())}
    kind = Kind("thing", kinds.pop() if len(kinds) == 1 else "node")
    if isinstance(node, ir.Const) or not nodes:
        return ir.Listed(tuple(ir.Const(there, kind) for here in asked for there in near.get(here, ())), set_of(kind))
    return ir.Rows("beside", tuple(near.get(here, ()) for here in nodes), node, min(nodes), set_of(kind))


def _far(c: Context, node: t.Expr, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
    """`far(e, n)`: the other end of an edge."""
    edge, near = (
        exp(c, args[0], env, Kind("thing", "edge")),
        exp(c, args[1], env, Kind("thing", "node")),
    )
    edges = c.world.kinds["edge"].things
    if not edges:
        return ir.Const(ir.NONE, Kind("thing", "node", optional=True))
    ends = {e: ends_of(c.world, e) for e in edges}
    kinds = {c.world.thing(n).kind for pair in ends.values() for n in pair}
    kind = Kind("thing", kinds.pop() if len(kinds) == 1 else "node")
    if isinstance(edge, ir.Use) and env.leads.get(edge.var) == near:
        rows = tuple(sum(pair) for pair in ends.values())
        both = ir.Lookup("sum_of_ends", rows, (edge,), (min(edges),), -1, NUMBER)
        return ir.Op("-", (both, near), kind)
    others: dict[tuple[int, ...], int] = {(e, pair[n]): pair[1 - n] for e, pair in ends.items() if len(pair) == 2 for n in (0, 1)}
    lows = min(edges), min(c.world.kinds["node"].things)
    return ir.Lookup("far", nest(others, lows), (edge, near), lows, ir.NONE, kind, node.span)


def _without_unit(c: Context, value: ir.Exp, arg: t.Expr, node: t.Expr) -> ir.Exp:
    """`number(¥5)`: an amount as a plain number. What has a place among its kind has a position."""
    if value.kind.form in ORDERED:
        better = f"position of {operand(arg)}"
        label = f"its place among its kind is its position: write {quote(better)}"
        c.fault("E302", node, f"this is {value.kind}, and no amount", label=label, repair=(Edit(node.span, better),))
    elif value.kind.form != "number":
        c.fault("E302", node, f"{value.kind} has no number")
    elif isinstance(node, t.Of):
        better = f"number({bare(arg)})"
        c.fault("E302", node, "an amount stands in brackets here", label=f"write {quote(better)}", repair=(Edit(node.span, better),))
    return with_kind(c, value, NUMBER)


def _position(c: Context, value: ir.Exp, arg: t.Expr, node: t.Expr) -> ir.Exp:
    """`position of l`: which of its kind it is. What is counted has no position."""
    if value.kind.form == "number":
        label = f"without its unit it is {quote(f'number({bare(arg)})')}" if value.kind.name else "what is counted has none"
        c.fault("E302", node, f"this is {value.kind}, which has no position", label=label)
        return value
    if isinstance(node, t.Call) and value.kind.form in ORDERED:
        better = f"position of {operand(arg)}"
        c.fault("E302", node, "`position` writes `of`", label=f"write {quote(better)}", repair=(Edit(node.span, better),))
    return ordinal(c, value, node)


def bare(arg: t.Expr) -> str:
    """What stands in brackets, without them."""
    said = arg.span.text
    return said[1:-1] if said.startswith("(") and said.endswith(")") else said


def operand(arg: t.Expr) -> str:
    """What can stand behind `of` as it is written, else in brackets."""
    return arg.span.text if isinstance(arg, t.Name | t.Member | t.Call | t.Of | t.Int) else f"({arg.span.text})"


def ordinal(c: Context, value: ir.Exp, node: t.Expr) -> ir.Exp:
    """`position of l`: the place of a thing among its kind, from 1."""
    match value.kind.form:
        case "seat":
            return ir.Op("+", (value, ir.Const(1, NUMBER)), NUMBER)
        case "enum":
            return ir.Op("+", (value, ir.Const(1, NUMBER)), NUMBER)
        case "thing":
            ids = c.world.kinds[value.kind.name].things if value.kind.name in c.world.kinds else []
            low = min(ids, default=FIRST_THING)
            return ir.Op("-", (value, ir.Const(low - 1, NUMBER)), NUMBER)
        case "sort":
            ids = c.world.categories.get(value.kind.name, [])
            return ir.Op("-", (value, ir.Const(min(ids, default=1) - 1, NUMBER)), NUMBER)
        case _:
            c.fault("E302", node, f"{value.kind} has no position")
            return ir.Const(0, NUMBER)


def by_number(c: Context, node: t.Expr, kind: str, arg: t.Expr, env: Env) -> Meaning | None:
    """`space(1)`: the first of them."""
    ids = c.world.kinds[kind].things
    value = exp(c, arg, env, NUMBER)
    if not ids:
        c.fault("E205", node, f"there is no {kind}")
        return None
    element = Kind("thing", kind)
    if isinstance(value, ir.Const):
        if not 1 <= value.value <= len(ids):
            c.fault("E306", node, f"there are {len(ids)} {plural(kind)}")
            return None
        return ir.Const(ids[value.value - 1], element)
    c.looks_up = True
    return ir.Lookup(kind, tuple(ids), (value,), (1,), 0, element, node.span)


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
