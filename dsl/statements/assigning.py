"""Names for what was worked out; counters, flags and memories that are set; money that is paid or set aside."""

from __future__ import annotations

from ichiba.dsl.faults.fault import quote
from ichiba.dsl.meaning.arithmetic import check_step, fold, same_unit
from ichiba.dsl.meaning.binding import order_key
from ichiba.dsl.meaning.expressions import meaning_of
from ichiba.dsl.meaning.labels import label_of, plain_label
from ichiba.dsl.meaning.naming import set_aside_of
from ichiba.dsl.meaning.wanted import a_number, as_exp, as_set, elements, exp, first_of
from ichiba.dsl.names.arguments import param_kind
from ichiba.dsl.names.blocks import NO_BLOCK
from ichiba.dsl.names.compatible import describe, mismatch, settle
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import so_many
from ichiba.dsl.names.meanings import Env, Lying, Promised, Several, Zones
from ichiba.dsl.rules import ir
from ichiba.dsl.statements.choosing import decision_of
from ichiba.dsl.statements.costs import purse_of
from ichiba.dsl.statements.procedures import procedure_call
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, UNKNOWN, Kind, maybe, number
from ichiba.dsl.world.opening.members import HOLDS_ONE, one_value, type_of
from ichiba.dsl.world.world import Member


def let(c: Context, node: t.Let, env: Env) -> list[ir.Stm]:
    if len(node.names) > 1 or _is_procedure_call(c, node.value, env):
        return _let_results(c, node, env)
    (name,) = node.names
    found = meaning_of(c, node.value, env)
    if isinstance(found, Several):
        found = settle(c, found, node.value, None)
    if isinstance(found, (*ir.SET_CLASSES, Lying)) or isinstance(found, Zones) and len(found.zones) > 1:
        made = as_set(c, found, node.value, None)
        if made is None:
            env.names[name] = ir.Const(0, UNKNOWN)
            return []
        if isinstance(made, ir.Listed) and all(isinstance(i, ir.Const) for i in made.items):
            env.names[name] = made
            return []
        var = ir.Var(name, made.kind)
        env.names[name] = ir.Kept(var, made.kind)
        return [ir.KeepSet(var, made, node.span)]
    value = as_exp(c, found, node.value, env, None)
    if value is None:
        env.names[name] = ir.Const(0, UNKNOWN)
        return []
    if isinstance(found, Zones) and value.kind.form == "zone":
        var = ir.Var(name, value.kind)
        env.names[name] = Zones((ir.Use(var, value.kind),), value.kind)
        return [ir.Assign(var, value, node.span)]
    var = ir.Var(name, value.kind)
    env.names[name] = ir.Use(var, value.kind)
    return [ir.Assign(var, value, node.span)]


def _is_procedure_call(c: Context, node: t.Expr, env: Env) -> bool:
    name = node.what if isinstance(node, t.Call) else node
    return (
        isinstance(name, t.Name)
        and name.name not in env.names
        and (name.name in c.definitions and c.definitions[name.name].what == "procedure")
    )


def _let_results(c: Context, node: t.Let, env: Env) -> list[ir.Stm]:
    ref, args = procedure_call(c, node.value, env)
    if ref is None:  # told already: what is made of it is no news
        env.names.update({name: ir.Const(0, UNKNOWN) for name in node.names})
        return []
    assert ref.default is not None
    results = ref.default.results
    if len(results) != len(node.names):
        c.faults.add(
            "E211",
            node.span,
            f"`{ref.name}` gives {so_many(len(results))} back, {_names_are(len(node.names))} here",
            label="" if results else f"it stands by itself: {quote(node.value.span.text)}",
        )
        return []
    made: list[ir.Var] = []
    for name, result in zip(node.names, results, strict=True):
        var = ir.Var(name, result.kind)
        made.append(var)
        env.names[name] = ir.Use(var, result.kind)
    return [ir.Perform(ref, args, tuple(made), node.span)]


def let_best(c: Context, node: t.LetBest, env: Env) -> list[ir.Stm]:
    inner = elements(c, node.domain, env)
    var = ir.Var(node.binder, inner.kind.of or NUMBER)
    inside = env.with_names(**{node.binder: ir.Use(var, var.kind)})
    best = ir.Best(inner, var, order_key(c, node.key, inside), node.key.direction == "highest", inner.kind)
    chosen = ir.Var(node.name, maybe(var.kind) if node.tie == "first" else var.kind)
    first = first_of(c, best, node.domain, env) if node.tie == "first" else None
    judge = exp(c, node.judge, env, SEAT) if node.judge is not None else None
    env.names[node.name] = ir.Use(chosen, chosen.kind)
    if first is not None:
        return [ir.Assign(chosen, first, node.span)]
    if judge is None:
        return [ir.Pick(chosen, best, node.span)]
    words = node.ask.words if node.ask is not None else None
    prompt = label_of(c, words, env) if words is not None else plain_label(c, f"Which {node.name}?")
    option = ir.Option(
        "tie",
        node.ask.key or "tie" if node.ask is not None else "tie",
        ir.Label((ir.Use(chosen, chosen.kind),)),
        (ir.Bind(chosen, best, None),),
        (),
        None,
        NO_BLOCK,
        f"{c.setting.name}.{node.name}",
        span=node.span,
    )
    return [decision_of(c, "tie", judge, prompt, [option], None, env, node.span)]


def remember(c: Context, node: t.Remember, env: Env) -> list[ir.Stm]:
    kind = one_value(type_of(c.world, node.type, c.faults), node.type.span, "a memory cannot hold", HOLDS_ONE, c.faults)
    var = _indexed_var(c, node.name, kind, node.index)
    if node.default is not None:
        value = exp(c, node.default, env, kind)
    else:
        value = ir.Const(-1 if kind.optional or kind.form in ("thing", "piece", "seat", "sort", "enum") else 0, kind)
    env.names[node.name] = ir.Use(var, kind)
    return [ir.Assign(var, value, node.span)]


def local_flag(c: Context, node: t.Flag, env: Env) -> list[ir.Stm]:
    var = _indexed_var(c, node.name, FLAG, node.index)
    value = exp(c, node.start, env, FLAG) if node.start is not None else ir.Const(0, FLAG)
    env.names[node.name] = ir.Use(var, FLAG)
    return [ir.Assign(var, value, node.span)]


def _indexed_var(c: Context, name: str, kind: Kind, index: tuple[t.Param, ...]) -> ir.Var:
    kinds = tuple(param_kind(c, param) for param in index)
    width = 1
    for param, of in zip(index, kinds, strict=True):
        domain = c.world.domain(of)
        if domain is None:
            c.faults.add("E205", param.span, f"{of} cannot be counted through")
            continue
        width *= domain[1]
    return ir.Var(name, kind, width, kinds)


def place_of(c: Context, node: t.Expr, env: Env) -> ir.Use | ir.Read | None:
    """What can be set: a memory, a counter, a flag."""
    found = meaning_of(c, node, env)
    if isinstance(found, Several):
        found = next((m for m in found.meanings if isinstance(m, ir.Read | ir.Use)), found)
    if isinstance(found, ir.Read):
        if c.setting.gives is not None:
            c.fault(
                "E308",
                node,
                "a value only works something out; it changes nothing",
                label="only its own `remember` can be set",
            )
            return None
        if found.member.form == "purse":
            c.fault("E502", node, "nobody sets the money in a purse", label="use `gain` or `pay`")
            return None
        return found
    if isinstance(found, ir.Use):
        return found
    if found is not None:
        c.fault(
            "E309",
            node,
            f"{describe(c, found)} cannot be changed",
            label="a counter, a flag or a memory is needed",
        )
    return None


def _assign(c: Context, place: ir.Use | ir.Read, value: ir.Exp, node: t.Statement) -> list[ir.Stm]:
    if isinstance(place, ir.Use):
        return [ir.Assign(place.var, value, node.span, place.at)]
    return [ir.Write(place, value, node.span)]


def set_to(c: Context, node: t.SetTo, env: Env) -> list[ir.Stm]:
    place = place_of(c, node.place, env)
    if place is None:
        return []
    kind = place.var.kind if isinstance(place, ir.Use) else place.member.kind
    return _assign(c, place, exp(c, node.value, env, kind), node)


def raise_by(c: Context, node: t.Raise, env: Env) -> list[ir.Stm]:
    place = place_of(c, node.place, env)
    if place is None:
        return []
    by = a_number(c, node.by, env)
    if place.kind.form != "number":
        c.fault("E309", node.place, f"{place.kind} cannot be raised or lowered")
        return []
    same_unit(c, node.place, place, node.by, by)
    return _assign(c, place, fold(c, ir.Op("-" if node.down else "+", (place, by), place.kind)), node)


def mark(c: Context, node: t.Mark, env: Env) -> list[ir.Stm]:
    place = place_of(c, node.place, env)
    if place is None:
        return []
    if place.kind.form == "flag":
        return _assign(c, place, ir.Const(int(node.on), FLAG), node)
    if node.on or not place.kind.optional:
        c.fault("E309", node.place, f"{place.kind} cannot be {'marked' if node.on else 'cleared'}")
        return []
    return _assign(c, place, ir.Const(ir.NONE, place.kind), node)


def _names_are(number: int) -> str:
    return "1 name is" if number == 1 else f"{number} names are"


def pay(c: Context, node: t.Pay, env: Env) -> list[ir.Stm]:
    money = _money(c, node.amount, env)
    if money is None:
        return []
    unit = money.kind.name
    source = _paid_out_of(c, node, unit, env)
    target = purse_of(c, node.taker, unit, env, node)
    if source is None or target is None:
        return []
    tail = node.tail
    if tail == "in_full" and isinstance(source, ir.PurseAt) and source.member.promise:
        tail = "promised"
    return [ir.Pay(source, target, money, tail, unit, node.span)]


def _money(c: Context, node: t.Expr, env: Env) -> ir.Exp | None:
    amount = exp(c, node, env)
    if amount.kind.form != "number":
        mismatch(c, node, amount.kind, number("money"))
    elif not amount.kind.name:
        c.fault("E301", node, "a plain number is no money", label="write its unit, such as `¥5` or `2 ap`")
    else:
        check_step(c, node, amount)
        return amount
    return None


def _paid_out_of(c: Context, node: t.Pay, unit: str, env: Env) -> ir.Exp | None:
    """`winner pays ¥5 from stake`: what the winner has set aside; any other purse is that purse."""
    if node.purse is None:
        return purse_of(c, node.payer, unit, env, node)
    promise = env.names.get(node.purse.name) if isinstance(node.purse, t.Name) else None
    if not isinstance(promise, Promised) or node.payer is None:
        return purse_of(c, node.purse, unit, env, node)
    held = set_aside_of(c, node.purse, promise, exp(c, node.payer, env, SEAT))
    if held is None:
        return None
    if held.kind.name != unit:
        mismatch(c, node.purse, held.kind, number(unit))
        return None
    return ir.PurseAt(held.member, held.at, held.kind)


def set_aside(c: Context, node: t.SetAside, env: Env) -> list[ir.Stm]:
    """Out of a seat's purse into one that this rule has for each seat."""
    promise = env.names.get(node.name)
    if not isinstance(promise, Promised):
        if promise is not None:
            c.faults.add("E206", node.span, f"`{node.name}` is something else here", label="choose another name")
        else:
            label = "say it in a procedure, and perform that"
            c.faults.add("E210", node.span, "money is set aside in a procedure, and comes back when that ends", label=label)
        return []
    amount = _money(c, node.amount, env)
    if amount is None:
        return []
    unit = amount.kind.name
    source = purse_of(c, node.source or t.Name(node.span, "me"), unit, env, node)
    if source is None:
        return []
    if not isinstance(source, ir.PurseAt) or source.member.owner != "seat" or source.member.index or source.member.promise:
        c.faults.add("E302", node.span, "what is set aside comes out of a seat's own purse", label="`from s`, or nothing for my own")
        return []
    if promise.origin is None:
        promise.origin, promise.span = source.member, node.span
        promise.purse = _purse_for(c, promise, source.member)
    elif promise.origin is not source.member:
        message = f"`{node.name}` holds what comes out of `{promise.origin.name}`"
        second = (promise.span, "set aside here first") if promise.span is not None else None
        c.faults.add("E302", node.span, message, label=f"for `{source.member.name}` choose another name", second=second)
        return []
    assert promise.purse is not None
    return [ir.Pay(source, ir.PurseAt(promise.purse, source.at, promise.purse.kind), amount, "in_full", unit, node.span)]


def _purse_for(c: Context, promise: Promised, origin: Member) -> Member:
    """As visible as the purse that it is for. A rule that is written several times has one of each kind."""
    rule = c.setting.name
    name = f"{rule} {promise.name}"
    known = c.world.seat.get(name)
    if known is not None and known.kind != origin.kind:
        name = f"{name} in {origin.kind.name}"
        known = c.world.seat.get(name)
    if known is None:
        known = Member(name, "seat", "purse", origin.kind, origin.dims, words=dict(origin.words), span=promise.span, promise=promise.name)
        c.world.seat[name] = known
    return known
