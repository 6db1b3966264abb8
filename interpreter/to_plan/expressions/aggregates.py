"""What is said of all members of a set: how many, whether any, the highest."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.analysis.folding import by_sort, fixed_set
from ichiba.interpreter.analysis.simplify import heavy, parts_of, weight
from ichiba.interpreter.analysis.variables import free_variables, renamed, shape
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import FALSE, ONE, TRUE, ZERO, call, compare, logic, place, plus, row, split
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name, restore, with_name
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.context.writing import meter_within
from ichiba.interpreter.to_plan.sets.indexes import found_by_index, narrowed_set
from ichiba.interpreter.to_plan.sets.loops import FEW
from ichiba.interpreter.to_plan.sets.sets import clauses_of, list_of, order_key, times_each
from ichiba.interpreter.to_plan.values.counting import count_in
from ichiba.interpreter.to_plan.values.pieces import pieces_single
from ichiba.interpreter.to_plan.values.zones import zone_columns

Split = tuple[tuple[p.Exp, ...], int]  # what varies of a place, and what is fixed
UNROLL = 8
UNROLL_APART = 40  # where the rules say something else for each of them


def aggregate(c: Context, e: ir.Aggregate) -> p.Exp:
    """A long search, or a long sum, is a function of its own, in which what is the same for many is worked out once. A step through
    it counts as much as stands in it, not as much as stands around it."""
    before = meter_within(c, e)
    made = _aggregate(c, e)
    c.metered = before
    return made


def _aggregate(c: Context, e: ir.Aggregate) -> p.Exp:
    if not c.rewrites or c.metered or c.prefix or not (_is_long_search(c, e) or _is_long_sum(e)):
        return aggregate_here(c, e)
    looked_up = found_by_index(c, e)
    if looked_up is not None:
        return looked_up
    params = [var for var in free_variables([e]) if var in c.names]
    said = shape(e, params)
    name = c.mentioned.searches.get(said)
    if name is None:
        name = c.mentioned.searches[said] = new_name(c, "total" if e.how == "sum" else "search")
        c.queue.searches.append((name, e, tuple(params)))
    asked = call(name, p.S, *(c.names[param] for param in params))
    return p.Unary("not", asked) if e.how == "no" else asked


def _is_long_search(c: Context, e: ir.Aggregate) -> bool:
    """Whether it asks something that takes time of more than a few."""
    if e.how not in ("any", "no"):
        return False
    inner, tests = parts_of(e.set)
    inside = [test for _, test in tests] + ([e.value] if e.value is not None else [])
    return any(map(heavy, inside)) and c.extents.size(inner)[1] > FEW


def _is_long_sum(e: ir.Aggregate) -> bool:
    """Whether it is written out for more than a few, each with what is said of it alone."""
    return e.how == "sum" and _is_told_apart(e) and len(fixed_set(e.set)[0] or ()) > UNROLL


def aggregate_here(c: Context, e: ir.Aggregate) -> p.Exp:
    """Found in a table, counted, written out, or gone through."""
    inner = narrowed_set(c, e.set)
    looked_up = found_by_index(c, e)
    if looked_up is not None:
        return looked_up
    if isinstance(inner, ir.Pieces) and pieces_single(c, inner) is False:
        quick = _of_counts(c, e, inner)
        if quick is not None:
            return quick
    if inner is not e.set:
        e = ir.Aggregate(e.how, inner, e.var, e.value, e.kind)
    unrolled = _written_out_terms(c, e)
    if unrolled is not None:
        return unrolled
    name = new_name(c, "x")
    if e.how == "first":
        return _first_of_set(c, e.set, name)
    if e.how == "list":
        return list_of(c, e.set)
    saved = c.names.get(e.var)
    c.names[e.var] = p.Name(name)
    made = _gone_through(c, e, name)
    restore(c, e.var, saved)
    return made


def _gone_through(c: Context, e: ir.Aggregate, name: str) -> p.Exp:
    """What is said of all members, found by going through them."""
    many = times_each(c, e.set, name)

    def stream(item: p.Exp) -> p.Exp:
        return p.Comp("stream", item, clauses_of(c, e.set, name))

    match e.how:
        case "count":
            return call("sum", stream(many))
        case "any":
            return call("any", stream(TRUE if e.value is None else lower(c, e.value)))
        case "no":
            return p.Unary("not", call("any", stream(TRUE if e.value is None else lower(c, e.value))))
        case "sum":
            value = lower(c, e.value) if e.value is not None else p.Name(name)
            return call("sum", stream(value if many == ONE else p.Op("*", value, many)))
        case _:
            value = lower(c, e.value) if e.value is not None else p.Name(name)
            return call("max" if e.how == "highest" else "min", stream(value), p.Keyword("default", ZERO))


def _first_of_set(c: Context, inner: ir.Set, name: str) -> p.Exp:
    """The first of a set; -1 when it is empty."""
    if isinstance(inner, ir.Joined):
        return p.Entry(logic("or", [*(list_of(c, part) for part in inner.sets), row([-1])]), ZERO)
    if isinstance(inner, ir.Ordered):
        return call("min", list_of(c, inner.set), p.Keyword("key", order_key(c, inner)), p.Keyword("default", p.Num(-1)))
    return say("next({}, -1)", p.Comp("stream", p.Name(name), clauses_of(c, inner, name)))


def _of_counts(c: Context, e: ir.Aggregate, inner: ir.Pieces) -> p.Exp | None:
    """Counting and weighing counted pieces needs no loop."""
    if e.how in ("count", "any", "no") and e.value is None:
        count = count_in(c, inner.zones, inner.sorts)
        return count if e.how == "count" else compare(count, ">" if e.how == "any" else "==", ZERO)
    if e.how != "sum" or e.value is None or inner.sorts.one is not None:
        return None
    values: dict[int, int] = {}
    for sort in inner.sorts.sorts:
        value = by_sort(c.world, e.value, e.var, sort)
        if value is None:
            return None
        values[sort] = value
    return _weighed(c, inner.zones, values)


def _weighed(c: Context, zones: tuple[ir.Exp, ...], values: dict[int, int]) -> p.Exp | None:
    """What lies in zones, each sort as often as it counts."""
    runs: list[tuple[Split, list[int]]] = []
    for zone in zones:
        columns = zone_columns(c, zone)
        if columns is None:
            return None
        weights: dict[int, int] = {}
        for sort, value in values.items():
            if columns[sort] >= 0 and weights.setdefault(columns[sort], value) != value:
                return None
        if weights:
            low, high = min(weights), max(weights)
            first = split(place([lower(c, zone), low]))
            runs.append((first, [weights.get(column, 0) for column in range(low, high + 1)]))
    parts: list[p.Exp] = []
    for (terms, start), weighed in _neighbours(runs):
        ends = [place([*terms, n]) for n in (start, start + len(weighed))]
        parts.append(say("dot({}, S[{}:{}])", fixed_table(c, tuple(weighed), "weights"), *ends))
    return plus(parts)


def _neighbours(runs: list[tuple[Split, list[int]]]) -> list[tuple[Split, list[int]]]:
    """Runs of places that follow each other become one."""
    joined: list[tuple[Split, list[int]]] = []
    for (terms, first), weights in runs:
        if joined:
            (last, start), before = joined[-1]
            if last == terms and start + len(before) == first:
                before.extend(weights)
                continue
        joined.append(((terms, first), list(weights)))
    return joined


def _written_out_terms(c: Context, e: ir.Aggregate) -> p.Exp | None:
    """Over a few fixed values, write every term out."""
    inner, tests = fixed_set(e.set)
    if inner is None or e.how not in ("count", "any", "no", "sum"):
        return None
    apart = c.rewrites and _is_told_apart(e)
    if len(inner) > (UNROLL_APART if apart else UNROLL) or weight(e) * len(inner) > (1_000 if apart else 120):
        return None
    terms: list[p.Exp] = []
    for value in inner:
        conditions = [with_name(c, var, p.Num(value), test) for var, test in tests]
        if e.how in ("any", "no", "count") and e.value is not None:
            conditions.append(with_name(c, e.var, p.Num(value), e.value))
        if any(test in (ZERO, FALSE) for test in conditions):
            continue
        conditions = [test for test in conditions if test != ONE]
        if e.how in ("any", "no", "count"):
            terms.append(logic("and", conditions) if conditions else TRUE)
        else:
            known = {e.var: ir.Const(value, e.var.kind)} if apart else {}
            term = with_name(c, e.var, p.Num(value), renamed(e.value, known)) if e.value is not None else p.Num(value)
            terms.append(p.Choice(logic("and", conditions), term, ZERO) if conditions else term)
    if e.how == "sum":
        return plus([term for term in terms if term != ZERO])
    if e.how == "count":
        return plus([ONE if term == TRUE else say("1 if {} else 0", term) for term in terms])
    joined = logic("or", terms) if terms else FALSE
    return joined if e.how == "any" else p.Unary("not", joined)


def _is_told_apart(e: ir.Aggregate) -> bool:
    """Whether another function answers for each value: then every one is called, or put in, by itself."""
    value = e.value
    if not isinstance(value, ir.CallValue) or value.function.by is None or not value.function.cases:
        return False
    chooser = value.args[value.function.by]
    return isinstance(chooser, ir.Use) and chooser.var is e.var
