"""Rules that come before, after or instead of a procedure, what begins anew with it, and the money that goes back at its end."""

from __future__ import annotations

from itertools import islice
from typing import cast

from ichiba.dsl.meaning.arithmetic import fold
from ichiba.dsl.meaning.binding import bind_name
from ichiba.dsl.meaning.values import bound_name
from ichiba.dsl.meaning.wanted import cond
from ichiba.dsl.names.blocks import NO_BLOCK, write_block
from ichiba.dsl.names.context import Context, Setting
from ichiba.dsl.names.meanings import Definition, Env, Meaning, Promised
from ichiba.dsl.names.merging import Hook
from ichiba.dsl.names.narrowing import narrow
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, SEAT, Kind, set_of


def resets_of(c: Context, moment: str) -> tuple[ir.Stm, ...]:
    """Counters and flags that begin anew with this procedure or menu."""
    members = [m for m in c.world.members() if "resets" in m.words and m.words["resets"].name == moment]
    members += [m for m in c.draft.once_flags.values() if m.words.get("resets") and m.words["resets"].name == moment]
    return tuple(ir.Reset(m) for m in dict.fromkeys(members))


def with_triggers(c: Context, definition: Definition, inner: ir.ProcRef, hooks: list[Hook]) -> ir.ProcRef:
    shell = cast(ir.Procedure, inner.default)
    params = tuple(ir.Var(p.name, p.kind) for p in shell.params)
    results = tuple(ir.Var(r.name, r.kind) for r in shell.results)
    procedure = ir.Procedure(f"{shell.name}", params, results, None, shell.span, shell.home, shell.doc)
    ref = ir.ProcRef(definition.name, procedure, {}, None)
    c.draft.wrapped[id(definition)] = ref
    c.draft.procedures.append(procedure)
    args = tuple(cast(ir.Exp, bound_name(c, p)) if p.kind.form != "zone" else ir.Use(p, p.kind) for p in params)
    original: ir.Stm = ir.Perform(inner, args, results, shell.span)
    _write_wrapper(c, definition, procedure, hooks, original, args)
    return ref


def _write_wrapper(
    c: Context,
    definition: Definition,
    procedure: ir.Procedure,
    hooks: list[Hook],
    original: ir.Stm,
    args: tuple[ir.Exp, ...],
) -> None:
    mark = c.draft.phases.get(definition.name)
    me = args[0]
    start: list[ir.Stm] = []
    end: list[ir.Stm] = []
    if mark is not None:
        place = ir.Read(mark.member, (), mark.member.kind)
        start.append(ir.Write(place, me, None))
        end.append(ir.Write(place, ir.Const(-1, mark.member.kind), None))
    last: list[ir.Stm] = []
    if definition.name in c.draft.deferring:
        running = ir.Read(c.world.table[f"running {definition.name}"], (), FLAG)
        start.append(ir.Write(running, ir.Const(1, FLAG), None))
        last.append(ir.Write(running, ir.Const(0, FLAG), None))
        last.append(ir.Watch((), definition.name))
    before: list[ir.Stm] = []
    after: list[ir.Stm] = []
    current: list[ir.Stm] = [original]
    with c.writing(procedure, Setting(procedure.name)):
        for hook in hooks:
            env = _hook_env(c, hook, definition, args, me)
            if hook.rule.moment.what == "instead_of":
                current = instead(c, hook, env, current)
            else:
                made = hook_body(c, hook, env)
                (before if hook.rule.moment.what == "before" else after).extend(made)
    tail: list[ir.Stm] = []
    if procedure.results:
        tail.append(ir.GiveBack(tuple(ir.Use(r, r.kind) for r in procedure.results), None))
    procedure.body = ir.Block((*start, *before, *current, *end, *after, *last, *tail))


def _hook_env(c: Context, hook: Hook, definition: Definition, args: tuple[ir.Exp, ...], me: ir.Exp) -> Env:
    found = hook
    names: dict[str, Meaning] = {}
    at = 2 if definition.kind else 1
    own = args[at:]
    given = found.rule.moment.names
    if given and len(given) != len(own):
        c.faults.add(
            "E211",
            found.rule.span,
            f"`{definition.name}` takes {len(own)} in brackets, {len(given)} are named",
            second=(definition.span, "declared here"),
        )
    for name, arg in zip(given, own, strict=False):
        names[name] = arg
    board = c.names.things.get(found.board) if found.board else args[1] if definition.kind else None
    return Env(names, me, board, {}, found.home, found.board)


def hook_body(c: Context, hook: Hook, env: Env) -> list[ir.Stm]:
    rule = hook.rule
    procedure = ir.Procedure(f"rule {rule.name}", (), (), None, rule.span, hook.home)
    c.draft.procedures.append(procedure)
    outer = list(_uses(env))
    params: list[ir.Var] = []
    renamed: dict[str, Meaning] = {}
    for name, value in outer:
        var = ir.Var(name, value.kind)
        params.append(var)
        renamed[name] = bound_name(c, var)
    me = ir.Var("me", SEAT)
    inside = Env(renamed, ir.Use(me, SEAT), env.board, {}, env.home, env.board_name)
    board_arg: list[ir.Exp] = []
    board_param: list[ir.Var] = []
    if env.board is not None and not isinstance(env.board, ir.Const):
        board = ir.Var("board", env.board.kind)
        board_param, board_arg = [board], [env.board]
        inside.board = ir.Use(board, board.kind)
    procedure.params = (me, *board_param, *params)
    with c.writing(procedure, Setting(f"rule {rule.name}", (), None, [rule.name])):
        body = conditional(c, rule, inside)
    procedure.body = ir.Block(tuple(body))
    ref = ir.ProcRef(procedure.name, procedure)
    return [ir.Perform(ref, (env.me or ir.Const(0, SEAT), *board_arg, *(value for _, value in outer)), (), rule.span)]


def conditional(c: Context, rule: t.Rule, env: Env) -> list[ir.Stm]:
    """The body of a before or after rule, for each of its binder, when its condition holds."""
    layers: list[tuple[ir.Var, ir.Set]] = []
    if rule.binder is not None:
        var, domain, env = bind_name(c, rule.binder, env)
        layers.append((var, domain))
    test = and_in_play(c, rule.moment.condition, env)
    body = ir.Named(rule.name, write_block(c, rule.body, env))
    made: list[ir.Stm] = [body]
    if isinstance(test, ir.Const) and not test.value:
        return []
    if not isinstance(test, ir.Const):
        made = [ir.If(test, ir.Block((body,)), NO_BLOCK, rule.span)]
    for var, domain in layers:
        made = [ir.For(var, domain, False, ir.Block(tuple(made)), rule.span)]
    return made


def and_in_play(c: Context, condition: t.Expr | None, env: Env) -> ir.Exp:
    """A board's rules live while it is in play."""
    test: ir.Exp = ir.Const(1, FLAG)
    if env.board_name:
        test = in_play(c, env.board_name)
    if condition is not None:
        own = cond(c, condition, env)
        narrow(c.world, condition, env)
        test = own if isinstance(test, ir.Const) and test.value else fold(c, ir.Op("and", (test, own), FLAG))
    return test


def in_play(c: Context, board: str) -> ir.Exp:
    const = c.names.things.get(board)
    zones = [m for m in c.world.table.values() if m.form == "zone" and "in_play" in m.words]
    if const is None or not zones:
        return ir.Const(1, FLAG)
    here = tuple(ir.ZoneAt(m, (), m.kind) for m in zones)
    return ir.Contains(ir.Listed(here, set_of(Kind("zone"))), ir.PlaceOf(const, Kind("zone")), FLAG)


def instead(c: Context, hook: Hook, env: Env, current: list[ir.Stm]) -> list[ir.Stm]:
    rule = hook.rule
    inner = ir.Block(tuple(current))
    env.original = inner
    test = and_in_play(c, rule.moment.condition, env)
    c.setting.open_blocks.append(rule.name)
    body = ir.Named(rule.name, write_block(c, rule.body, env))
    c.setting.open_blocks.pop()
    if isinstance(test, ir.Const):
        made: list[ir.Stm] = [body] if test.value else current
    else:
        made = [ir.If(test, ir.Block((body,)), inner, rule.span)]
    _keep_small(c, rule, made)
    return made


MOST_REPEATED = 20_000


def _keep_small(c: Context, rule: t.Rule, made: list[ir.Stm]) -> None:
    """What stands for `original` is written once for each: ten rules that say it twice would say it a thousand times."""
    if sum(1 for _ in islice(steps(ir.Block(tuple(made))), MOST_REPEATED)) < MOST_REPEATED:
        return
    message = f"with `{rule.name}` around the others, what it stands for comes to more than {MOST_REPEATED:,} sentences"
    label = "fewer rules that stand instead of it, or `original` in fewer places"
    c.faults.add("E533", rule.span, message, label=label)
    c.faults.raise_if_errors()


def _uses(env: Env) -> list[tuple[str, ir.Exp]]:
    return [(name, cast(ir.Exp, value)) for name, value in env.names.items()]


def promises_in(body: t.Block, env: Env) -> dict[str, Meaning]:
    """The names under which the text of a rule sets money aside: they are known in all of it."""
    names = (node.name for node in t.walk(body) if isinstance(node, t.SetAside))
    return {name: Promised(name) for name in names if name not in env.names}


def given_back(c: Context, procedure: ir.Procedure, promises: dict[str, Meaning]) -> None:
    """However the rule ends, what is left of the money goes back: the rule itself is performed by what does that."""
    made = [p for p in promises.values() if isinstance(p, Promised) and p.purse is not None]
    if not made:
        return
    inner = ir.Procedure(
        procedure.name, procedure.params, procedure.results, procedure.body, procedure.span, procedure.home, procedure.doc
    )
    c.draft.procedures.append(inner)
    procedure.params = tuple(ir.Var(p.name, p.kind) for p in inner.params)
    procedure.results = tuple(ir.Var(r.name, r.kind) for r in inner.results)
    args = tuple(ir.Use(p, p.kind) for p in procedure.params)
    body: list[ir.Stm] = [ir.Perform(ir.ProcRef(procedure.name, inner), args, procedure.results, procedure.span)]
    seats = ir.Listed(tuple(ir.Const(s, SEAT) for s in range(c.world.config.seats)), set_of(SEAT))
    for promise in made:
        assert promise.purse is not None and promise.origin is not None
        var = ir.Var("s", SEAT)
        at = (ir.Use(var, SEAT),)
        left = ir.Read(promise.purse, at, promise.purse.kind)
        back = ir.Pay(
            ir.PurseAt(promise.purse, at, left.kind), ir.PurseAt(promise.origin, at, left.kind), left, "paid", left.kind.name, promise.span
        )
        some = ir.Op(">", (left, ir.Const(0, left.kind)), FLAG)
        body.append(ir.For(var, seats, False, ir.Block((ir.If(some, ir.Block((back,)), ir.Block(()), None),)), promise.span))
    if procedure.results:
        body.append(ir.GiveBack(tuple(ir.Use(r, r.kind) for r in procedure.results), None))
    procedure.body = ir.Block(tuple(body))
