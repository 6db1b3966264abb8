"""Statements: what each one does, in the few moves that the engine knows."""

from __future__ import annotations

from typing import assert_never

from ichiba.dsl.meaning.binding import bind_name, ordered, range_of
from ichiba.dsl.meaning.labels import label_of
from ichiba.dsl.meaning.wanted import cond, elements, exp, zone_of
from ichiba.dsl.names.blocks import NO_BLOCK, write_block, write_body, write_loop
from ichiba.dsl.names.compatible import mismatch
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.emptiness import enter_loop
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.names.members import certain, me_here
from ichiba.dsl.names.narrowing import narrow
from ichiba.dsl.rules import ir
from ichiba.dsl.statements.assigning import let, let_best, local_flag, mark, pay, raise_by, remember, set_aside, set_to
from ichiba.dsl.statements.choosing import choose_number, choose_one, choose_some, may
from ichiba.dsl.statements.moving import draw, move
from ichiba.dsl.statements.options import open_menu, open_race
from ichiba.dsl.statements.procedures import procedure_call
from ichiba.dsl.statements.revealing import revealed
from ichiba.dsl.statements.telling import recorded, told
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import NUMBER, SEAT, maybe, set_of


def write_statement(c: Context, node: t.Statement, env: Env) -> list[ir.Stm]:
    c.box.memory.sentences_written += 1
    if c.setting.gives is not None and not isinstance(
        node,
        t.Let | t.Remember | t.Flag | t.SetTo | t.Raise | t.Mark | t.If | t.ForEach | t.Repeat | t.Give | t.Nothing,
    ):
        if not (isinstance(node, t.Do) and tells_unknown(c, node.call, env)):
            c.faults.add("E308", node.span, "a value only works something out; it changes nothing")
        return []
    match node:
        case t.Let():
            return let(c, node, env)
        case t.LetBest():
            return let_best(c, node, env)
        case t.SetTo():
            return set_to(c, node, env)
        case t.Raise():
            return raise_by(c, node, env)
        case t.Mark():
            return mark(c, node, env)
        case t.Pay():
            return pay(c, node, env)
        case t.SetAside():
            return set_aside(c, node, env)
        case t.Move():
            return move(c, node, env)
        case t.Draw():
            return draw(c, node, env)
        case t.Pick():
            return _pick(c, node, env)
        case t.Roll():
            return _roll(c, node, env)
        case t.Shuffle():
            zone = zone_of(c, node.zone, env)
            return [ir.Shuffle(zone, node.span)] if zone is not None else []
        case t.ChooseOne():
            return choose_one(c, node, env)
        case t.ChooseNumber():
            return choose_number(c, node, env)
        case t.ChooseSome():
            return choose_some(c, node, env)
        case t.Reveal():
            return revealed(c, node.place, env, node.span)
        case t.Require():
            return [requirement(c, node, env)]
        case t.Leave():
            return _leave(c, node)
        case t.Nothing():
            return []
        case t.Give():
            return _give(c, node, env)
        case t.Score():
            who = me_here(c, t.Name(node.span, "me"), env)
            value = exp(c, node.value, env)
            if value.kind.form != "number":
                mismatch(c, node.value, value.kind, NUMBER)
            return [ir.Score(who, label_of(c, node.label, env), value, node.span)]
        case t.Ending():
            return [ir.EndAs(ending_number(c, node.name), node.span)]
        case t.Tell():
            return told(c, node, env)
        case t.Record():
            return recorded(c, node, env)
        case t.Do():
            return _do(c, node, env)
        case t.If():
            return _if(c, node, env)
        case t.ForEach():
            return _for_each(c, node, env)
        case t.Repeat():
            return _repeat(c, node, env)
        case t.TakeTurns():
            return _take_turns(c, node, env)
        case t.OneTurnEach():
            me = ir.Var("me", SEAT)
            inside = env.inner(me=ir.Use(me, SEAT))
            body = write_loop(c, node.body, inside, enter_loop(inside))
            seats = ir.Const(c.world.config.seats, NUMBER)
            return [ir.Turns(me, exp(c, node.first, env, SEAT), None, seats, None, body, node.span)]
        case t.AsSeat():
            me = ir.Var("me", SEAT)
            inside = env.inner(me=ir.Use(me, SEAT))
            return [
                ir.Assign(me, certain(c, exp(c, node.seat, env, SEAT)), node.span),
                *write_body(c, node.body.body, inside).body,
            ]
        case t.Secretly():
            return _secretly(c, node, env)
        case t.Race():
            return open_race(c, node, env)
        case t.May():
            return may(c, node, env)
        case t.ScoreFor():
            me = ir.Var("me", SEAT)
            everyone = ir.Listed(tuple(ir.Const(s, SEAT) for s in range(c.world.config.seats)), set_of(SEAT))
            inside = env.inner(me=ir.Use(me, SEAT))
            return [ir.For(me, everyone, False, write_loop(c, node.body, inside, enter_loop(inside)), node.span)]
        case t.Menu():
            return open_menu(c, node, env)
        case t.Remember():
            return remember(c, node, env)
        case t.Flag():
            return local_flag(c, node, env)
        case _:
            assert_never(node)


def _pick(c: Context, node: t.Pick, env: Env) -> list[ir.Stm]:
    inner = elements(c, node.domain, env)
    var = ir.Var(node.name, maybe(inner.kind.of or NUMBER))
    env.names[node.name] = ir.Use(var, var.kind.plain)
    return [ir.Pick(var, inner, node.span)]


def _roll(c: Context, node: t.Roll, env: Env) -> list[ir.Stm]:
    inner = range_of(c, node.low, node.high, None, env)
    if isinstance(inner.low, ir.Const) and isinstance(inner.high, ir.Const) and inner.low.value > inner.high.value:
        c.fault("E106", node.high, "there is no number in between", label="the lowest comes first")
    var = ir.Var(node.name, inner.kind.of or NUMBER)
    env.names[node.name] = ir.Use(var, var.kind)
    return [ir.Pick(var, inner, node.span)]


def _secretly(c: Context, node: t.Secretly, env: Env) -> list[ir.Stm]:
    if env.secret:
        c.faults.add("E503", node.span, "secret blocks do not nest")
    seats = elements(c, node.seats, env, SEAT)
    me = ir.Var(node.name, SEAT)
    inside = env.inner(me=ir.Use(me, SEAT), secret=True)
    inside.names[node.name] = ir.Use(me, SEAT)
    before = dict(inside.names)
    body = write_body(c, node.body.body, inside)
    c.answering = frozenset()
    for name, bound in inside.names.items():
        if bound is not before.get(name) and isinstance(bound, ir.Use) and bound.var.per_seat:
            env.names[name] = ir.Use(bound.var, bound.var.kind)
    return [ir.Secret(node.name, me, seats, body, node.span)]


def requirement(c: Context, node: t.Require, env: Env) -> ir.Require:
    reason = label_of(c, node.reason, env) if node.reason is not None else None
    demand = ir.Require(cond(c, node.condition, env), reason, f"{c.setting.name}: require", node.span)
    narrow(c.world, node.condition, env)
    return demand


def _leave(c: Context, node: t.Leave) -> list[ir.Stm]:
    name = node.what
    if name not in c.setting.open_blocks:
        c.faults.add(
            "E212",
            node.span,
            f"`{name}` is not running here",
            notes=("running here: " + (", ".join(c.setting.open_blocks) or "nothing that can be left"),),
        )
        return []
    return [ir.Leave(name, node.span)]


def _give(c: Context, node: t.Give, env: Env) -> list[ir.Stm]:
    if c.setting.gives is not None:
        if len(node.values) != 1:
            c.faults.add("E211", node.span, "a value gives one thing")
        return [ir.GiveBack((exp(c, node.values[0], env, c.setting.gives),), node.span)]
    if len(node.values) != len(c.setting.results):
        c.faults.add(
            "E211",
            node.span,
            f"{len(c.setting.results)} values are given back here, not {len(node.values)}",
        )
        return []
    values = tuple(exp(c, v, env, r.kind) for v, r in zip(node.values, c.setting.results, strict=True))
    return [ir.GiveBack(values, node.span)]


def ending_number(c: Context, name: str) -> int:
    if name not in c.world.endings:
        c.world.endings = (*c.world.endings, name)
    return c.world.endings.index(name)


def _do(c: Context, node: t.Do, env: Env) -> list[ir.Stm]:
    if isinstance(node.call, t.Name) and node.call.name == "original" and isinstance(env.original, ir.Block):
        return list(env.original.body)
    ref, args = procedure_call(c, node.call, env)
    if ref is None:
        return []
    return [ir.Perform(ref, args, (), node.span)]


def tells_unknown(c: Context, node: t.Expr, env: Env) -> bool:
    """Whether a sentence is a name that is nowhere, such as `return`: then that is what is told."""
    what = node.what if isinstance(node, t.Call) else node
    if not isinstance(what, t.Name) or what.name in c.definitions or what.name in env.names:
        return False
    procedure_call(c, node, env)
    return True


def _if(c: Context, node: t.If, env: Env) -> list[ir.Stm]:
    after = env.inner()
    tests: list[tuple[ir.Exp, ir.Block, t.Expr]] = []
    for condition, block in node.branches:
        test = cond(c, condition, after)
        inside = after.inner()
        narrow(c.world, condition, inside)
        tests.append((test, write_body(c, block.body, inside), condition))
        narrow(c.world, condition, after, False)
    otherwise = write_block(c, node.otherwise, after) if node.otherwise is not None else NO_BLOCK
    for test, yes, condition in reversed(tests):
        if isinstance(test, ir.Const):
            otherwise = yes if test.value else otherwise
        else:
            otherwise = ir.Block((ir.If(test, yes, otherwise, condition.span),))
    if len(node.branches) == 1 and node.otherwise is None and tests and _leaves(tests[0][1]):
        narrow(c.world, node.branches[0][0], env, False)
    return list(otherwise.body)


def _for_each(c: Context, node: t.ForEach, env: Env) -> list[ir.Stm]:
    around = env.inner()
    again = enter_loop(around)
    var, domain, inside = bind_name(c, node.binder, around)
    if node.keys:
        domain = ordered(c, domain, var, node.keys, inside)
    body = write_loop(c, node.body, inside, again)
    return [ir.For(var, domain, node.random, body, node.span)]


def _repeat(c: Context, node: t.Repeat, env: Env) -> list[ir.Stm]:
    times = exp(c, node.times, env, NUMBER)
    inside = env.inner()
    again = enter_loop(inside)
    test = None
    if node.condition is not None:
        test = cond(c, node.condition, inside)
        narrow(c.world, node.condition, inside)
    return [ir.Repeat(times, test, write_loop(c, node.body, inside, again), node.span)]


def _take_turns(c: Context, node: t.TakeTurns, env: Env) -> list[ir.Stm]:
    me = ir.Var("me", SEAT)
    inside = env.inner(me=ir.Use(me, SEAT))
    again = enter_loop(inside)
    until = cond(c, node.until, inside)
    narrow(c.world, node.until, inside, False)
    ending = ending_number(c, node.ending) if node.ending else None
    most = exp(c, node.most, env, NUMBER)
    return [
        ir.Turns(
            me,
            exp(c, node.first, env, SEAT),
            until,
            most,
            ending,
            write_loop(c, node.body, inside, again),
            node.span,
        )
    ]


def _leaves(block: ir.Block) -> bool:
    return bool(block.body) and isinstance(block.body[-1], ir.GiveBack | ir.Leave)
