"""Procedures and phases: called by name, each written once, with the rules around it."""

from __future__ import annotations

from typing import cast

from ichiba.dsl.meaning.values import (
    argument,
    bound_name,
    filled_in,
    home_env,
    is_template,
    own_board,
)
from ichiba.dsl.meaning.wanted import exp
from ichiba.dsl.names.arguments import in_order, param_kind, params_of
from ichiba.dsl.names.blocks import write_block
from ichiba.dsl.names.context import Context, Setting, Task
from ichiba.dsl.names.hints import unknown_call, wrong_number
from ichiba.dsl.names.meanings import Definition, Env, Meaning
from ichiba.dsl.names.members import certain, member_definition
from ichiba.dsl.rules import ir
from ichiba.dsl.statements.triggers import given_back, promises_in, resets_of, with_triggers
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import SEAT, Kind
from ichiba.dsl.world.opening.members import one_value


def proc_ref(c: Context, definition: Definition) -> ir.ProcRef:
    """The procedure of a definition, with the rules that come before, after and instead of it."""
    key = id(definition)
    if key in c.draft.wrapped:
        return c.draft.wrapped[key]
    inner = raw_ref(c, definition)
    c.draft.wrapped[key] = inner
    hooks = c.merged.hooks.get(definition.name, []) if not definition.original_of else []
    if hooks or definition.name in c.draft.phases or definition.name in c.draft.deferring:
        c.draft.wrapped[key] = with_triggers(c, definition, inner, hooks)
    return c.draft.wrapped[key]


def raw_ref(c: Context, definition: Definition) -> ir.ProcRef:
    if definition.procedure is not None:
        return definition.procedure
    default = _shell(c, definition, definition)
    ref = ir.ProcRef(definition.name, default, {}, 1 if definition.kind else None)
    definition.procedure = ref
    for board, case in definition.cases.items():
        const = c.names.things.get(board)
        if const is not None:
            ref.cases[const.value] = _shell(c, definition, case, board)
    return ref


def _shell(c: Context, base: Definition, version: Definition, board: str = "") -> ir.Procedure:
    item = cast(t.Procedure, version.item)
    params: list[ir.Var] = [ir.Var("me", SEAT)]
    if base.kind:
        params.append(ir.Var("board", Kind("thing", base.kind)))
    own, declared = params_of(c, version), params_of(c, base)
    if len(own) != len(declared):
        c.faults.add(
            "E211",
            version.span,
            f"`{base.name}` takes {len(declared)} in brackets",
            second=(base.span, "declared here"),
        )
    for param, like in zip(own, declared, strict=False):
        params.append(ir.Var(param.name, param_kind(c, param if param.type is not None else like)))
    results = _results(c, cast(t.Procedure, base.item))
    name = f"{base.kind}.{base.name}" if base.kind else base.name
    procedure = ir.Procedure(
        name + (f" of {board}" if board else ""), tuple(params), results, None, item.span, version.home
    )
    procedure.doc = item.body.doc.text if item.body.doc is not None else ""
    c.draft.procedures.append(procedure)
    c.draft.tasks.append(Task(procedure, version, base))
    return procedure


def _results(c: Context, item: t.Procedure) -> tuple[ir.Var, ...]:
    label = "one value each; a set is a value, `value …: (s in seats where …)`"
    kinds = [one_value(param_kind(c, r), r.span, "a procedure cannot give back", label, c.faults) for r in item.results]
    return tuple(ir.Var(r.name, kind) for r, kind in zip(item.results, kinds, strict=True))


def finish_tasks(c: Context) -> None:
    while c.draft.tasks:
        write_procedure(c, c.draft.tasks.pop(0))


def write_procedure(c: Context, task: Task) -> None:
    procedure, version, base = task.procedure, task.version, task.base
    names: dict[str, Meaning] = {}
    at = 2 if base.kind else 1
    for var in procedure.params[at:]:
        names[var.name] = bound_name(c, var)
    for var in procedure.results:
        names[var.name] = bound_name(c, var)
    env = home_env(c, version, names)
    env.me = ir.Use(procedure.params[0], SEAT)
    if base.kind and not version.board:
        board = procedure.params[1]
        env.board = ir.Use(board, board.kind)
    item = cast(t.Procedure, version.item)
    promises = promises_in(item.body, env)
    env.names.update(promises)
    with c.writing(procedure, Setting(procedure.name, procedure.results, None, [base.name])):
        body = write_block(c, item.body, env)
    resets = () if base.original_of else resets_of(c, base.name)  # where it is replaced, that begins it anew
    procedure.body = ir.Block((*resets, ir.Named(base.name, body)))
    given_back(c, procedure, promises)


def procedure_call(c: Context, node: t.Expr, env: Env) -> tuple[ir.ProcRef | None, tuple[ir.Exp, ...]]:
    args: tuple[t.Expr, ...] = ()
    what = node
    if isinstance(what, t.Call):
        args, what = what.args, what.what
    owner: ir.Exp | None = None
    definition: Definition | None = None
    if isinstance(what, t.Name):
        if what.name == "original" and isinstance(env.original, Definition):
            arranged = in_order(c, node, env.original, args)
            if arranged is None:
                return None, ()
            return _call_procedure(c, node, env.original, raw_ref(c, env.original), env.board, arranged, env)
        definition = c.definitions.get(what.name)
        if definition is None and env.board is not None:
            definition = member_definition(c, env.board.kind.name, what.name)
            owner = env.board
    elif isinstance(what, t.Member) and any(name == what.name for _, name in c.members):
        owner = certain(c, exp(c, what.of, env, Kind("thing")))
        definition = member_definition(c, owner.kind.name, what.name)
        name = what.name
    if definition is None or definition.what != "procedure":
        name = what.name if isinstance(what, t.Name | t.Member) else "this"
        if definition is not None:
            c.fault(
                "E302",
                node,
                f"`{name}` is a {definition.what}",
                label="a procedure is needed",
                second=(definition.span, "declared here"),
            )
            return None, ()
        known = [d.name for d in c.definitions.values() if d.what == "procedure"]
        known += [n for (_, n), d in c.members.items() if d.what == "procedure"]
        unknown_call(c, node, name, known, "no procedure")
        return None, ()
    arranged = in_order(c, node, definition, args)
    if arranged is None:
        return None, ()
    if any(is_template(c, p) for p in params_of(c, definition)):
        return _template_call(c, node, definition, arranged, env)
    return _call_procedure(c, node, definition, proc_ref(c, definition), owner, arranged, env)


def _call_procedure(
    c: Context,
    node: t.Expr,
    definition: Definition,
    ref: ir.ProcRef,
    owner: ir.Exp | None,
    args: tuple[t.Expr, ...],
    env: Env,
) -> tuple[ir.ProcRef | None, tuple[ir.Exp, ...]]:
    params = params_of(c, definition)
    if len(args) != len(params):
        wrong_number(c, node, definition, len(params), len(args))
        return None, ()
    values = [argument(c, arg, env, param_kind(c, p)) for arg, p in zip(args, params, strict=True)]
    me = env.me if env.me is not None else ir.Const(0, SEAT)
    full = [me]
    if definition.kind:
        full.append(owner if owner is not None else own_board(c, node, env))
    return ref, (*full, *values)


def _template_call(
    c: Context, node: t.Expr, definition: Definition, args: tuple[t.Expr, ...], env: Env
) -> tuple[ir.ProcRef | None, tuple[ir.Exp, ...]]:
    """A procedure with measures or tables among its parameters is written once for each use."""
    if definition in c.in_work:
        names = [d.name for d in c.in_work[c.in_work.index(definition) :]] + [definition.name]
        c.faults.add(
            "E505",
            definition.span,
            "this procedure performs itself: " + " → ".join(names),
            second=(node.span, "performed again here"),
        )
        return None, ()
    c.in_work.append(definition)
    try:
        return _write_template(c, node, definition, args, env)
    finally:
        c.in_work.pop()


def _write_template(
    c: Context, node: t.Expr, definition: Definition, args: tuple[t.Expr, ...], env: Env
) -> tuple[ir.ProcRef | None, tuple[ir.Exp, ...]]:
    params = params_of(c, definition)
    if len(args) != len(params):
        c.fault("E211", node, f"`{definition.name}` takes {len(params)} in brackets, {len(args)} are given")
        return None, ()
    me = ir.Var("me", SEAT)
    made = filled_in(c, params, args, env)
    if made is None:
        return None, ()
    names, variables = made.names, (me, *made.variables)
    values = (env.me if env.me is not None else ir.Const(0, SEAT), *made.values)
    item = cast(t.Procedure, definition.item)
    results = _results(c, item)
    for var in results:
        names[var.name] = bound_name(c, var)
    procedure = ir.Procedure(definition.name, variables, results, None, item.span, definition.home)
    c.draft.procedures.append(procedure)
    inside = home_env(c, definition, names)
    inside.me = ir.Use(me, SEAT)
    promises = promises_in(item.body, inside)
    inside.names.update(promises)
    with c.writing(procedure, Setting(definition.name, results, None, [definition.name])):
        body = ir.Named(definition.name, write_block(c, item.body, inside))
    procedure.body = ir.Block((*resets_of(c, definition.name), body))
    given_back(c, procedure, promises)
    ref = ir.ProcRef(definition.name, procedure)
    hooks = c.merged.hooks.get(definition.name, [])
    for hook in hooks:
        if hook.rule.moment.names:
            message = f"`{definition.name}` is written anew for each measure or table that it takes, so what it takes has no name here"
            c.faults.add("E211", hook.rule.moment.span, message, label="leave the brackets out")
    if hooks or definition.name in c.draft.phases or definition.name in c.draft.deferring:
        ref = with_triggers(c, definition, ref, [hook for hook in hooks if not hook.rule.moment.names])
    return ref, values
