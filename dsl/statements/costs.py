"""Costs: when they can be paid, which ways there are, and the paying itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from ichiba.dsl.meaning.arithmetic import check_step, fold
from ichiba.dsl.meaning.expressions import meaning_of
from ichiba.dsl.meaning.labels import plain_label
from ichiba.dsl.meaning.values import home_env
from ichiba.dsl.meaning.wanted import as_exp, as_set, elements, exp, first_in, is_there, zone_of, zones_of
from ichiba.dsl.names.arguments import in_order, param_kind, params_of
from ichiba.dsl.names.compatible import describe, kind_of, mismatch, says
from ichiba.dsl.names.context import Asked, Context
from ichiba.dsl.names.meanings import AmountOf, CostRef, Definition, Env, Lying, Meaning, Several, SortNames, Zones
from ichiba.dsl.names.members import certain, me_here
from ichiba.dsl.names.sorts import element_of_sorts, sort_names
from ichiba.dsl.rules import ir
from ichiba.dsl.statements.noting import forgotten, note_members, sorts_meant
from ichiba.dsl.statements.procedures import procedure_call
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, set_of

Words = list[str | ir.Exp]
Payment = tuple[ir.Exp, list[ir.Stm], str]  # can it be paid, how, and what it is called in keys

THIS_COSTS, YOU_HAVE = "this costs ", "; you have "
CAN_PAY = "can pay "  # so begin the names of the functions that ask if a stated cost can be paid


@dataclass(frozen=True, slots=True)
class Heap:
    """Pieces that a part of a cost takes: so many of one sort, or (None) those that are chosen."""

    item: t.CostItem
    pieces: ir.Set
    amount: ir.Exp | None


class Way:
    """One way of paying."""

    __slots__ = ("binds", "body", "demand", "label", "name", "needs", "unnamed", "words")

    def __init__(
        self,
        name: str,
        label: ir.Label,
        demand: ir.Require,
        body: list[ir.Stm],
        binds: ir.Bind | None,
        words: list[str | ir.Exp],
        needs: dict[ir.Exp, ir.Exp],
        unnamed: bool,
    ):
        self.name, self.label, self.demand, self.body, self.binds = name, label, demand, body, binds
        self.words, self.needs = words, needs
        self.unnamed = unnamed  # all that is paid are pieces of one's choice, which have no names before


def cost_of(c: Context, cost: t.Cost, env: Env) -> tuple[list[ir.Require], ir.Block]:
    """The requirements that a cost brings, and the moves that pay it."""
    if len(cost.ways) == 1 and len(cost.ways[0].items) == 1:
        item = cost.ways[0].items[0]
        stated = stated_cost(c, item, env)
        if stated is not None:
            return stated
    expanded = expand_ways(c, cost, env)
    ways = [one_way(c, way, inside) for way, inside in expanded]
    reset = _reset_paid(c)
    if len(ways) == 1 and ways[0] is not None and ways[0].binds is None:
        way = ways[0]
        return [way.demand], ir.Block((*reset, *way.body))
    usable = [way for way in ways if way is not None]
    test: ir.Exp = ir.Const(0, FLAG)
    for way in usable:
        test = fold(c, ir.Op("or", (test, way.demand.test), FLAG))
    reason = _reason(c, [(way.words, way.needs) for way in usable])
    if len(usable) > 1 and all(way.unnamed for way in usable):  # which pieces would do it is what the ways differ in
        reason = plain_label(c, "none of the ways to pay is open to you")
    demand = ir.Require(test, reason, "cost", cost.span)
    options = []
    for way in usable:
        binds = () if way.binds is None else (way.binds,)
        key = "pay/" + way.name if way.name else "pay"
        label = way.label
        options.append(
            ir.Option(
                "pay",
                key,
                label,
                binds,
                (way.demand,),
                None,
                ir.Block(tuple(way.body)),
                "pay",
                span=cost.span,
            )
        )
    here = t.Name(cost.span, "me")
    decide = ir.Decide(
        "pay",
        me_here(c, here, env),
        plain_label(c, "How do you pay?"),
        options,
        None,
        env.secret,
        False,
        False,
        cost.span,
        paying=True,
    )
    c.draft.asked.append(Asked(decide, env.inner()))
    return [demand], ir.Block((*reset, decide))


def _reset_paid(c: Context) -> list[ir.Stm]:
    made: list[ir.Stm] = []
    for unit in c.paid_units:
        member = c.world.table[f"paid {unit}"]
        made.append(ir.Write(ir.Read(member, (), member.kind), ir.Const(0, member.kind), None))
    return made


def stated_cost(c: Context, item: t.CostItem, env: Env) -> tuple[list[ir.Require], ir.Block] | None:
    """`m.entry`: what the board's own file states."""
    if not isinstance(item.what, t.Member):
        return None
    found = meaning_of(c, item.what, env)
    if not isinstance(found, CostRef):
        return None
    if isinstance(found.owner, ir.Const):
        stated = c.world.costs.get((found.owner.value, found.name))
        if stated is None:
            return [], ir.Block(())
        return cost_of(c, stated, env.inner(board=found.owner))
    test, pay = _cost_of_any(c, found, env)
    me = me_here(c, item.what, env)
    # each thing's own cost says what it is and what one has
    demand = ir.Require(ir.CallValue(test, (me, found.owner), FLAG), None, "cost", item.span)
    return [demand], ir.Block((ir.Perform(pay, (me, found.owner), (), item.span),))


def _cost_of_any(c: Context, found: CostRef, env: Env) -> tuple[ir.ValueRef, ir.ProcRef]:
    """One function and one procedure for each thing that states this cost."""
    key = f"{found.owner.kind.name}.{found.name}"
    if key in c.costs_of:
        return c.costs_of[key]
    test, pay = (
        ir.ValueRef(CAN_PAY + found.name, None, {}, 1),
        ir.ProcRef(f"pay {found.name}", None, {}, 1),
    )
    c.costs_of[key] = (test, pay)
    for (thing, name), cost in c.world.costs.items():
        if name != found.name or not c.world.is_kind(c.world.thing(thing).kind, found.owner.kind.name):
            continue
        me, board = ir.Var("me", SEAT), ir.Var("board", found.owner.kind)
        own = ir.Const(thing, Kind("thing", c.world.thing(thing).kind))
        inside = Env({}, ir.Use(me, SEAT), own, {}, env.home, c.world.thing(thing).name)
        demands, block = cost_of(c, cost, inside)
        whole: ir.Exp = ir.Const(1, FLAG)
        for demand in demands:
            whole = fold(c, ir.Op("and", (whole, demand.test), FLAG))
        reason = demands[0].reason if demands else None
        test.cases[thing] = ir.Function(test.name, (me, board), FLAG, whole, cost.span, reason)
        me2, board2 = ir.Var("me", SEAT), ir.Var("board", found.owner.kind)
        inside = Env({}, ir.Use(me2, SEAT), own, {}, env.home, c.world.thing(thing).name)
        _, block = cost_of(c, cost, inside)
        pay.cases[thing] = ir.Procedure(
            f"pay {found.name} of {c.world.thing(thing).name}", (me2, board2), (), block, cost.span
        )
        c.draft.procedures.append(pay.cases[thing])
    return test, pay


def expand_ways(c: Context, cost: t.Cost, env: Env) -> list[tuple[t.CostWay, Env]]:
    """A named cost (`fare(w)`) stands for its own ways."""
    expanded: list[tuple[t.CostWay, Env]] = []
    for way in cost.ways:
        if len(way.items) == 1 and way.items[0].target is None and way.items[0].source is None:
            what = way.items[0].what
            name = (
                what.what.name
                if isinstance(what, t.Call) and isinstance(what.what, t.Name)
                else what.name
                if isinstance(what, t.Name)
                else ""
            )
            definition = c.definitions.get(name)
            if definition is not None and definition.what == "cost" and name not in env.names:
                expanded.extend(_ways_of(c, definition, what, env))
                continue
            if name == "original" and isinstance(env.original, Definition) and env.original.what == "cost":
                expanded.extend(_ways_of(c, env.original, what, env))
                continue
        expanded.append((way, env))
    return expanded


def _ways_of(c: Context, definition: Definition, call: t.Expr, env: Env) -> list[tuple[t.CostWay, Env]]:
    if definition in c.in_work:
        names = [d.name for d in c.in_work[c.in_work.index(definition) :]] + [definition.name]
        c.faults.add("E501", definition.span, "this cost depends on itself: " + " → ".join(names))
        return []
    args = in_order(c, call, definition, call.args if isinstance(call, t.Call) else ())
    if args is None:
        return []
    c.in_work.append(definition)
    try:
        return expand_ways(c, cast(t.CostRule, definition.item).cost, _cost_env(c, definition, call, args, env))
    finally:
        c.in_work.pop()


def _cost_env(c: Context, definition: Definition, call: t.Expr, args: tuple[t.Expr, ...], env: Env) -> Env:
    params = params_of(c, definition)
    if len(args) != len(params):
        c.fault("E211", call, f"`{definition.name}` takes {len(params)} in brackets, {len(args)} are given")
    names: dict[str, Meaning] = {}
    for param, arg in zip(params, args, strict=False):
        kind = param_kind(c, param)
        names[param.name] = elements(c, arg, env, kind.of) if kind.form == "set" else exp(c, arg, env, kind)
    inside = home_env(c, definition, names)
    inside.me, inside.me_used, inside.secret = env.me, env.me_used, env.secret
    inside.board = inside.board or env.board
    return inside


def one_way(c: Context, way: t.CostWay, env: Env) -> Way | None:
    """Everything that is paid together."""
    tests: list[ir.Exp] = []
    body: list[ir.Stm] = []
    needs: dict[ir.Exp, ir.Exp] = {}
    heaps: list[Heap] = []
    before: list[ir.Stm] = []  # how many pieces: all of it is worked out before any of it is paid
    binds: ir.Bind | None = None
    words: list[str | ir.Exp] = []
    priced: list[str | ir.Exp] = []  # as the reason says it: pieces that are chosen have no names before
    name, unnamed = way.name or "", True
    for item in way.items:
        found = meaning_of(c, item.what, env)
        if isinstance(found, Several):
            found = next((m for m in found.meanings if sort_names(c, m)), found)
        if found is None:
            return None
        words.append(" and " if words else "")
        priced.append(" and " if priced else "")
        if isinstance(found, ir.EXP_CLASSES) and kind_of(c, found).form == "number":
            amount = found
            unnamed = False
            made = _money_item(c, item, amount, env, needs)
            name = name or (amount.kind.name if len(way.items) == 1 else "")
            words.append(amount)
            priced.append(amount)
        else:
            made, bind, what, called = _piece_item(c, item, found, env, tests, heaps, before)
            if bind is not None:
                if binds is not None:
                    c.faults.add("E311", item.span, "only one part of a cost can leave a choice of pieces")
                binds = bind
                words.append(
                    ir.Aggregate(
                        "list",
                        ir.Unpacked(ir.Use(bind.var, bind.var.kind), bind.set.kind),
                        ir.Var("it", NUMBER),
                        None,
                        NUMBER,
                    )
                )
            else:
                words.extend(what)
            of_choice = bind is not None and isinstance(found, AmountOf)
            unnamed = unnamed and of_choice
            priced.extend(_so_many_pieces(found.amount) if isinstance(found, AmountOf) and of_choice else what)
            name = name or called
        body.extend(made)
    tests.extend(_pieces_together(c, heaps))
    for purse, amount in needs.items():
        tests.append(ir.Op(">=", (purse, amount), FLAG))
    test: ir.Exp = ir.Const(1, FLAG)
    for one in tests:
        test = fold(c, ir.Op("and", (test, one), FLAG))
    reason = _reason(c, [(priced, needs)])
    label = ir.Label(("Pay ", *words))
    return Way(name, label, ir.Require(test, reason, "cost", way.span), [*before, *body], binds, priced, needs, unnamed)


def _reason(c: Context, ways: list[tuple[list[str | ir.Exp], dict[ir.Exp, ir.Exp]]]) -> ir.Label:
    """What it costs, in each way; then what one has of it."""
    parts: list[str | ir.Exp] = []
    for words, _ in ways:
        parts.append(" or " if parts else THIS_COSTS)
        parts.extend(words)
    for number, purse in enumerate(dict.fromkeys(purse for _, needs in ways for purse in needs)):
        parts.extend([", " if number else YOU_HAVE, purse])
    return ir.Label(tuple(parts))


def price_in(reason: ir.Label) -> tuple[str | ir.Exp, ...]:
    """What it costs, out of the reason why it cannot be paid; nothing where that does not say it."""
    if reason.parts[:1] != (THIS_COSTS,):
        return ()
    last = reason.parts.index(YOU_HAVE) if YOU_HAVE in reason.parts else len(reason.parts)
    return tuple(part for part in reason.parts[1:last] if part != "")


def _money_item(c: Context, item: t.CostItem, amount: ir.Exp, env: Env, needs: dict[ir.Exp, ir.Exp]) -> list[ir.Stm]:
    unit = amount.kind.name
    if not unit:
        c.fault(
            "E301",
            item.what,
            "a plain number is no cost",
            label="write the unit, such as `¥100` or `1 ap`",
        )
        return []
    check_step(c, item.what, amount)
    here = t.Name(item.span, "me")
    source = purse_of(c, item.source or here, unit, env, item)
    target = purse_of(c, item.target, unit, env, item)
    if source is None or target is None or (isinstance(amount, ir.Const) and amount.value == 0):
        return []  # what is free is not paid
    if isinstance(source, ir.PurseAt):
        held: ir.Exp = ir.Read(source.member, source.at, source.member.kind)
        needs[held] = ir.Op("+", (needs[held], amount), amount.kind) if held in needs else amount
    made: list[ir.Stm] = [ir.Pay(source, target, amount, "paid", unit, item.span)]
    if unit in c.paid_units:
        member = c.world.table[f"paid {unit}"]
        place = ir.Read(member, (), member.kind)
        made.append(ir.Write(place, ir.Op("+", (place, amount), member.kind), None))
    return made


def _piece_item(
    c: Context, item: t.CostItem, found: Meaning, env: Env, tests: list[ir.Exp], heaps: list[Heap], first_of_all: list[ir.Stm]
) -> tuple[list[ir.Stm], ir.Bind | None, Words, str]:
    if not isinstance(found, AmountOf):
        c.fault(
            "E303",
            item.what,
            f"{describe(c, found)} is no cost",
            label="say how many of what, or an amount of money",
        )
        return [], None, [], ""
    if isinstance(found.amount, ir.Const) and found.amount.value < 0:
        c.fault("E303", item.what, "a cost in pieces is never below nothing")
        return [], None, [], ""
    owed = found.amount if isinstance(found.amount, ir.Const) else ir.Op("owed", (found.amount,), NUMBER)
    inner, what, called = _pieces_to_pay(c, item, found, env)
    if inner is None:
        return [], None, [], ""
    var = ir.Var("paid", NUMBER)
    combos = ir.Combos(owed, inner, Kind("set", "combo", of=inner.kind.of))
    bind = ir.Bind(var, combos, None)
    piece = ir.Var("piece", inner.kind.of or NUMBER)
    use = ir.Use(piece, piece.kind)
    paid = ir.Unpacked(ir.Use(var, NUMBER), inner.kind)
    body = _send(c, item, use, env)
    moves: list[ir.Stm] = [ir.For(piece, paid, False, ir.Block(tuple(body)), item.span)]
    if isinstance(found.what, SortNames | Lying) and _one_sort(c, found.what):
        sorts = found.what.sorts
        zones = _zones_paid_from(c, item, found, env)
        heaps.append(Heap(item, ir.Pieces(zones, sorts, inner.kind), found.amount))
        first = ir.Pieces(zones, sorts, inner.kind)
        fixed = ir.Assign(piece, first_in(first), item.span)
        many = ir.Var("owed", NUMBER)
        if not isinstance(owed, ir.Const):
            first_of_all.append(ir.Assign(many, owed, item.span))
        times = owed if isinstance(owed, ir.Const) else ir.Use(many, NUMBER)
        return [ir.Repeat(times, None, ir.Block((fixed, *body)), item.span)], None, what, called
    heaps.append(Heap(item, inner, None))
    tests.append(
        ir.Op(
            ">=",
            (
                ir.Aggregate("count", inner, ir.Var("it", inner.kind.of or NUMBER), None, NUMBER),
                found.amount,
            ),
            FLAG,
        )
    )
    return moves, bind, what, ""


def _pieces_together(c: Context, heaps: list[Heap]) -> list[ir.Exp]:
    """Parts of a way that take alike pieces need them together; where they only may, it cannot be said what is left."""
    wanted: dict[ir.Pieces, ir.Exp] = {}
    for number, heap in enumerate(heaps):
        for other in heaps[:number]:
            if (heap.amount is None or other.amount is None or heap.pieces != other.pieces) and _may_meet(
                c, heap, other
            ):
                c.faults.add(
                    "E311",
                    heap.item.span,
                    "two parts of this cost may take the same pieces",
                    label="name sorts or zones that have nothing to do with each other, or one part for both",
                    second=(other.item.span, "paid together with these"),
                )
        if heap.amount is not None and isinstance(heap.pieces, ir.Pieces):
            before = wanted.get(heap.pieces)
            wanted[heap.pieces] = heap.amount if before is None else ir.Op("+", (before, heap.amount), NUMBER)
    return [
        ir.Op(
            ">=",
            (ir.CountIn(pieces.zones, pieces.sorts, NUMBER), fold(c, amount) if isinstance(amount, ir.Op) else amount),
            FLAG,
        )
        for pieces, amount in wanted.items()
    ]


def _may_meet(c: Context, one: Heap, other: Heap) -> bool:
    """Whether some piece could be in both."""
    first, second = _pieces_of(one.pieces), _pieces_of(other.pieces)
    if first is None or second is None:
        return True
    if set(first.sorts.sorts).isdisjoint(second.sorts.sorts):
        return False
    return any(_may_be_one(a, b) for a in first.zones for b in second.zones)


def _one_sort(c: Context, what: SortNames | Lying) -> bool:
    ids = what.sorts.sorts
    return what.sorts.one is not None or len(ids) == 1 and not c.world.sorts[ids[0]].individual


def _zones_paid_from(c: Context, item: t.CostItem, found: AmountOf, env: Env) -> tuple[ir.Exp, ...]:
    if isinstance(found.what, Lying):
        return found.what.zones.zones
    source = zones_of(c, item.source, env) if item.source is not None else None
    return source.zones if source is not None else ()


def _pieces_to_pay(c: Context, item: t.CostItem, found: AmountOf, env: Env) -> tuple[ir.Set | None, Words, str]:
    """What can be taken for a part of a cost, how it is said, and how it is called in keys."""
    match found.what:
        case SortNames(sorts=sorts):
            if item.source is None:
                c.fault("E303", item.what, "it is not said from where these are paid", label="add `from …`")
                return None, [], ""
            zones = zones_of(c, item.source, env)
            if zones is None:
                return None, [], ""
            element = element_of_sorts(c, sorts, zones.kind)
            name = c.world.sorts[sorts.sorts[0]].name if len(sorts.sorts) == 1 else ""
            return ir.Pieces(zones.zones, sorts, set_of(element)), _so_many_of(found.amount, name, sorts), name
        case Lying() | Zones():
            return as_set(c, found.what, item.what, None), ["pieces"], ""
        case inner:
            return inner, _so_many(found.amount, "of them"), ""


def _so_many(amount: ir.Exp, what: str) -> Words:
    """`2 rice`, as people read it."""
    many: str | ir.Exp = str(amount.value) if isinstance(amount, ir.Const) else amount
    return [f"{many} {what}".strip()] if isinstance(many, str) else [many, f" {what}".rstrip()]


def _so_many_of(amount: ir.Exp, name: str, sorts: ir.SortSet) -> Words:
    if name:
        return _so_many(amount, name)
    return _so_many_pieces(amount) if sorts.one is None else [amount, " ", sorts.one]


def _so_many_pieces(amount: ir.Exp) -> Words:
    return [amount, " piece" if isinstance(amount, ir.Const) and amount.value == 1 else " pieces"]


def _send(c: Context, item: t.CostItem, piece: ir.Exp, env: Env) -> list[ir.Stm]:
    """Where paid pieces go: to a zone, or wherever a procedure sends them."""
    if item.target is not None:
        target = zone_of(c, item.target, env)
        if target is None:
            return []
        notes = forgotten(note_members(c, sorts_meant(c, piece)), [], target)
        return [ir.MovePiece(piece, target, None, notes, item.span)]
    if item.by is not None:
        inside = env.inner()
        inside.names["paid piece"] = piece
        call = t.Call(item.span, t.Name(item.span, item.by), (t.Name(item.span, "paid piece"),))
        ref, args = procedure_call(c, call, inside)
        return [ir.Perform(ref, args, (), item.span)] if ref is not None else []
    c.faults.add(
        "E303", item.span, "it is not said where these go", label="add `to ZONE`, such as `to box`, or `by PROCEDURE`"
    )
    return []


def purse_of(c: Context, node: t.Expr | None, unit: str, env: Env, at: t.Node) -> ir.Exp | None:
    """A seat's purse for this unit, a purse by name, or the supply of the table."""
    if node is None:
        supply = next(
            (m for m in c.world.table.values() if m.form == "purse" and m.kind.name == unit and m.unlimited),
            None,
        )
        if supply is None:
            c.faults.add(
                "E504",
                at.span,
                f"there is no supply of {unit}",
                label="say from or to whom, or declare an unlimited purse of the table",
            )
            return None
        return ir.PurseAt(supply, (), supply.kind)
    found = meaning_of(c, node, env)
    if isinstance(found, ir.Read) and found.member.form == "purse":
        if found.member.kind.name != unit:
            mismatch(c, node, found.member.kind, Kind("number", unit))
            return None
        return ir.PurseAt(found.member, found.at, found.member.kind)
    value = as_exp(c, found, node, env, None) if found is not None else None
    if value is None:
        return None
    if isinstance(value, ir.Cond):
        yes, no = _purse_of_exp(c, value.yes, unit), _purse_of_exp(c, value.no, unit)
        if yes is not None and no is not None:
            return ir.Cond(value.test, yes, no, Kind("purse", unit))
    is_there(c, node, value.kind)
    made = _purse_of_exp(c, certain(c, value), unit)
    if made is None:
        c.fault(
            "E302",
            node,
            says(c, node, value),
            label=f"a purse in {unit} is needed, or a seat that has one",
        )
    return made


def _purse_of_exp(c: Context, value: ir.Exp, unit: str) -> ir.Exp | None:
    if isinstance(value, ir.Read) and value.member.form == "purse" and value.member.kind.name == unit:
        return ir.PurseAt(value.member, value.at, value.member.kind)
    if value.kind.form == "seat":
        member = next((m for m in c.world.seat.values() if m.form == "purse" and m.kind.name == unit), None)
        return ir.PurseAt(member, (value,), member.kind) if member is not None else None
    if value.kind.form == "thing":
        kind = value.kind.name
        while kind in c.world.kinds:
            for member in c.world.kinds[kind].members.values():
                if member.form == "purse" and member.kind.name == unit:
                    return ir.PurseAt(member, (value,), member.kind)
            kind = c.world.kinds[kind].parent
    return None


def _pieces_of(inner: ir.Set) -> ir.Pieces | None:
    """The pieces that a set is taken from, where it is plain which."""
    while isinstance(inner, ir.Filtered | ir.Best | ir.Ordered):
        inner = inner.set
    return inner if isinstance(inner, ir.Pieces) else None


def _may_be_one(a: ir.Exp, b: ir.Exp) -> bool:
    """Whether two zones may be the same."""
    if not isinstance(a, ir.ZoneAt) or not isinstance(b, ir.ZoneAt):
        return True
    if a.member is not b.member:
        return False
    return all(
        not isinstance(x, ir.Const) or not isinstance(y, ir.Const) or x.value == y.value
        for x, y in zip(a.at, b.at, strict=True)
    )
