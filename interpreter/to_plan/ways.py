"""Searches over the places of a map or grid, each a function that remembers what it has found for what it has read."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import PLACES, effect_of
from ichiba.dsl.rules.walks import functions_of, walk
from ichiba.dsl.world.world import Member
from ichiba.interpreter.analysis.busy import called_in
from ichiba.interpreter.analysis.variables import free_variables, variables_in
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ONE, call, row
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.runtime.ways import Kept
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name, own_names, restore_all
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.context.writing import define, end
from ichiba.interpreter.to_plan.sets.loops import Clauses, each
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.sets.ways import in_order

Range = tuple[int, int]
NEVER = p.Num(-1)


def write_ways(c: Context, name: str, word: str, search: ir.Search, params: tuple[ir.Var, ...]) -> None:
    """`word`: what is done with it, `flood` or `ways`."""
    saved = own_names(c, list(params)) | {var: c.names.get(var) for var in (search.over, search.through)}
    kept, low, laid = f"{name}_KEPT", search.net.low, in_order(search.net)
    metered, c.metered, in_value, c.in_value = c.metered, False, c.in_value, True
    define(c, name, [p.S, *(c.names[param] for param in params)])
    c.out.line("asked = {}", _asked_with(c, search, params))
    c.out.line("seen = {}", _read_by(c, search, params))
    c.out.line("known = recalled({}, asked, seen)", kept)
    c.out.line("if known is not None: return known")
    counts = _is_counted(c, search)
    if counts:
        c.out.line("before = fresh_fuel()")
    weights, which = _weights(c, search)
    first = _first([here for here, _, _ in laid], search)
    c.tables.rows[kept] = Kept(low, first, tuple(there - low for _, _, there in laid), which)
    c.out.line("weights = {}", weights)
    c.out.line("found = {}", call(word, kept, list_of(c, search.sources), "weights"))
    if counts:
        c.out.line("old_fuel(before)")
    c.out.line("return remembered({}, asked, seen, found)", kept)
    end(c)
    c.metered, c.in_value = metered, in_value
    restore_all(c, saved)


def _first(heres: list[int], search: ir.Search) -> tuple[int, ...]:
    """By place: so many steps lead from those before it."""
    times = [0] * (search.net.size + 1)
    for here in heres:
        times[here - search.net.low + 1] += 1
    for n in range(search.net.size):
        times[n + 1] += times[n]
    return tuple(times)


def _weights(c: Context, search: ir.Search) -> tuple[p.Exp, tuple[int, ...]]:
    """What steps cost, each said once for all of which it is the same; and by step which of them."""
    laid = in_order(search.net)
    named = variables_in([search.test, search.cost])
    by_over, by_through = search.over in named, search.through in named
    keys = [(over if by_over else 0, there if by_through else 0) for _, over, there in laid]
    different = sorted(set(keys)) if by_over != by_through else keys if by_over else [(0, 0)]
    clauses = _clauses(c, search, different, by_over, by_through)
    at = {key: n for n, key in enumerate(different)}
    which = tuple(range(len(laid))) if by_over and by_through else tuple(at[key] for key in keys)
    return p.Comp("list", _weight(c, search), clauses), which


def _clauses(c: Context, search: ir.Search, different: list[Range], by_over: bool, by_through: bool) -> Clauses:
    """The names of a search go through all that they can stand for."""
    made: Clauses = ()
    if by_over and by_through:
        step = new_name(c, "step")
        made = each(step, call("range", len(different)))
    for var, asked, values in (
        (search.over, by_over, tuple(key[0] for key in different)),
        (search.through, by_through, tuple(key[1] for key in different)),
    ):
        if asked:
            own = new_name(c, var.name)
            c.names[var] = p.Name(own)
            if made:
                made += each(own, row([p.Entry(p.Name(fixed_table(c, values, var.name)), p.Name(step))]))
            elif values and values == tuple(range(values[0], values[0] + len(values))):
                made = each(own, call("range", values[0], values[-1] + 1))
            else:
                made = each(own, p.Name(fixed_table(c, values, var.name)))
    return made or each(new_name(c, "x"), call("range", 1))


def _weight(c: Context, search: ir.Search) -> p.Exp:
    """What a step costs; -1 where nobody goes."""
    cost: p.Exp = ONE
    if search.cost is not None:
        cost = lower(c, search.cost)
        if c.extents.value(search.cost)[0] < 0:
            c.numbered.faults.append(("what a step of a way costs is less than nothing here", search.span))
            at = len(c.numbered.faults) - 1
            cost = say("fare({}, FAULTS[{}], {})", cost, at, at)
    return cost if search.test is None else p.Choice(lower(c, search.test), cost, NEVER)


# ------------------------------------------------------------------------------------------------- what it reads


def _asked_with(c: Context, search: ir.Search, params: tuple[ir.Var, ...]) -> p.Exp:
    """What the function of a search is called with, as a tuple."""
    items: list[p.Exp] = []
    sets = {node.var for node in walk(search) if isinstance(node, ir.Kept)}
    rows = {node.var for node in walk(search) if isinstance(node, ir.Use) and node.at is not None}
    for var in params:
        own = c.names[var]
        if var in sets:
            listed = own if var in c.lists else call("unpack", own)
            items += [call("len", listed), p.Spread(listed)]
        else:
            items.append(p.Spread(own) if var in rows else own)
    return p.Row("tuple", tuple(items))


def _read_by(c: Context, search: ir.Search, params: tuple[ir.Var, ...]) -> p.Exp:
    """The places of the state on which an answer hangs, as a list."""
    ranges: list[Range] = []
    for var in free_variables([search]):
        if var not in params:
            slot = c.layout.slot(var)
            ranges.append((slot, slot + max(1, var.width)))
    members, any_zone = _members_read(search)
    if any_zone:
        members |= {member for member in c.world.members() if member.form == "zone"}
    if PLACES in members or any_zone:
        members |= set(c.world.places.values())
    ranges += [(member.base, member.base + member.size) for member in members if member is not PLACES]
    if any(isinstance(node, ir.SecretOf) for node in walk(search)):  # they may stand anywhere
        ranges = [(0, c.layout.size)]
    parts = tuple(say("S[{}:{}]", low, high) for low, high in _joined(ranges))
    return parts[0] if len(parts) == 1 else p.Row("list", tuple(map(p.Spread, parts)))


def _members_read(search: ir.Search) -> tuple[set[Member], bool]:
    """The members that a search reads, functions included; and whether it looks into zones that are worked out."""
    found: set[Member] = set()
    any_zone = False
    todo: list[object] = [search]
    seen: set[ir.Function] = set()
    while todo:
        for node in walk(todo.pop()):
            effect = effect_of(node)
            found |= effect.reads
            any_zone = any_zone or isinstance(node, ir.Use | ir.PlaceOf) and node.kind.form == "zone"
            if effect.calls is not None:
                new = [function for function in functions_of(effect.calls) if function not in seen]
                seen.update(new)
                todo += [function.body for function in new if function.body is not None]
    return found, any_zone


def _joined(ranges: list[Range]) -> Iterator[Range]:
    """Neighbours become one."""
    last: Range | None = None
    for low, high in sorted(ranges):
        if last is not None and low <= last[1]:
            last = last[0], max(last[1], high)
            continue
        if last is not None and last[0] < last[1]:
            yield last
        last = low, high
    if last is not None and last[0] < last[1]:
        yield last


def _is_counted(c: Context, search: ir.Search) -> bool:
    """Whether something that it asks counts its steps: what is left of them must not hang on what is remembered."""
    todo: list[object] = [search]
    seen: set[object] = set()
    while todo:
        for called in called_in(todo.pop()):
            if called in c.flow.busy:
                return True
            if called not in seen and called.body is not None:
                seen.add(called)
                todo.append(called.body)
    return False
