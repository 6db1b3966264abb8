"""Ways from place to place: what hangs together, what the cheapest way costs, and the steps of the shortest."""

from __future__ import annotations

from typing import cast

from ichiba.dsl.meaning.arithmetic import fold, same_unit
from ichiba.dsl.meaning.wanted import as_set, cond, elements, exp, is_there
from ichiba.dsl.names.compatible import fits, mismatch
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.names.narrowing import narrow
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, Kind, set_of
from ichiba.dsl.world.nets import net_of

NODE, EDGE = Kind("thing", "node"), Kind("thing", "edge")


def connected(c: Context, node: t.Connected, env: Env) -> ir.Set | None:
    search = _search(c, node, node.sources, node.route, env)
    return None if search is None else ir.Connected(search, set_of(search.through.kind))


def way(c: Context, node: t.Way, env: Env) -> ir.Exp | None:
    search = _search(c, node, node.sources, node.route, env, node.how)
    end = exp(c, node.end, env, NODE)
    otherwise = exp(c, node.otherwise, env, search.cost.kind if search is not None and search.cost is not None else NUMBER)
    if search is None:
        return None
    kind = NUMBER if search.cost is None else search.cost.kind
    measured = ir.Const(0, kind)
    same_unit(c, node.route.by or node, measured, node.otherwise, otherwise)
    return ir.Way(search, end, otherwise, kind)


def steps(c: Context, node: t.Steps, env: Env) -> ir.Set | None:
    """With `over` the connections that are gone over, else the places that are come to."""
    search = _search(c, node, node.sources, node.route, env, node.how)
    end = exp(c, node.end, env, NODE)
    if search is None:
        return None
    over = node.route.over is not None
    return ir.Steps(search, end, over, set_of((search.over if over else search.through).kind))


def _search(c: Context, node: t.Expr, sources: t.Expr, route: t.Route, env: Env, how: str = "") -> ir.Search | None:
    """The names of a way, what it may go over, and what a step costs."""
    if not _is_measured(c, node, route, how):
        return None
    begin = as_set(c, c.meaning(c, sources, env, NODE), sources, NODE, True)
    if begin is None or begin.kind.of is None:
        return None
    is_there(c, sources, begin.kind.of)
    if not fits(c, begin.kind.of, NODE):
        mismatch(c, sources, begin.kind.of, NODE)
        return None
    net = net_of(c.world, route.over is not None)
    if route.over is not None and not net.steps:
        c.fault("E320", node, "there are no connections to go over", label="in a grid leave `over` out")
        return None
    over, through = ir.Var("over", _kind_of_connections(c)), ir.Var("through", _kind_reached(c, begin.kind.of))
    inside, tests = env.inner(), []
    for along, var, root in ((route.over, over, EDGE), (route.through, through, NODE)):
        if along is not None:
            var.name = along.name
            inside.names[along.name] = ir.Use(var, var.kind)
            if along.among is not None:
                tests.append(_among(c, along.among, var, root, env))
                inside.names[along.name] = ir.Use(var, var.kind)
    if route.where is not None:
        tests.append(cond(c, route.where, inside))
        narrow(c.world, route.where, inside)
    cost = None if route.by is None else exp(c, route.by, inside)
    if cost is not None and cost.kind.form != "number":
        c.fault("E301", cast(t.Expr, route.by), f"this is {cost.kind}", label="a number is needed")
        return None
    test = None if not tests else tests[0] if len(tests) == 1 else fold(c, ir.Op("and", tuple(tests), FLAG))
    return ir.Search(begin, net, over, through, test, cost, node.span)


def _is_measured(c: Context, node: t.Expr, route: t.Route, how: str) -> bool:
    if how == "cheapest" and route.by is None:
        c.fault("E203", node, "what a step costs stands behind `by`", label="like `by e.toll`; `shortest` counts steps")
    elif how == "shortest" and route.by is not None:
        c.fault("E203", route.by, "`shortest` counts steps", label="`cheapest` goes by what they cost")
    else:
        return True
    return False


def _among(c: Context, among: t.Expr, var: ir.Var, root: Kind, env: Env) -> ir.Exp:
    """`over e in rails`: whether it is one of these; in what follows it is of their kind."""
    inner = elements(c, among, env, root)
    if inner.kind.of is not None and fits(c, inner.kind.of, var.kind):
        found = ir.Use(var, var.kind)
        var.kind = inner.kind.of.plain
        return ir.Contains(inner, found, FLAG)
    if inner.kind.of is not None and fits(c, inner.kind.of, root):
        what = "connects these places" if root == EDGE else "is come to from there"
        c.fault("E320", among, f"no {inner.kind.of.name} {what}", label=f"{var.kind} is needed")
    return ir.Const(1, FLAG)


def _kind_of_connections(c: Context) -> Kind:
    kinds = {c.world.thing(edge).kind for edge in c.world.kinds["edge"].things}
    return Kind("thing", kinds.pop() if len(kinds) == 1 else "edge")


def _kind_reached(c: Context, begin: Kind) -> Kind:
    """What hangs together with places of a kind is of that kind, unless a step leads to others."""
    kind_of = {id: c.world.thing(id).kind for id in c.world.kinds["node"].things}
    leads: dict[str, set[str]] = {}
    for here, _over, there in net_of(c.world).steps:
        leads.setdefault(kind_of[here], set()).add(kind_of[there])
    reached: set[str] = set()
    fresh = {kind_of[id] for id in c.world.values(begin)}
    while fresh - reached:
        kind = min(fresh - reached)
        reached.add(kind)
        fresh |= leads.get(kind, set())
    if all(c.world.is_kind(kind, begin.name) for kind in reached):
        return begin.plain
    return Kind("thing", reached.pop() if len(reached) == 1 else "node")


