"""The whole ruleset put together: definitions, menus, windows, triggers and edits of all its files, as one program."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import cast

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.meaning.emptiness import check_claims, enter_loop
from ichiba.dsl.meaning.meaning import Definition, Env, Meaning, Measure, MenuRef
from ichiba.dsl.meaning.narrowing import forget, narrow
from ichiba.dsl.meaning.statements import NO_BLOCK, Setting, Statements
from ichiba.dsl.program.idle_words import check_words
from ichiba.dsl.program.merging import Hook, Merged, WindowEntry
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.constant import CannotWorkOut, Scope, evaluate
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, set_of, unit_of
from ichiba.dsl.world.world import Member, World
from ichiba.dsl.yaml.declarations import Box, RulesText


@dataclass(slots=True)
class Task:
    """A procedure whose body is still to be written."""

    procedure: ir.Procedure
    version: Definition
    base: Definition


@dataclass(slots=True)
class Menus:
    """Where a menu was opened, so that windows can join it later."""

    offer: ir.Offer
    env: Env
    home: str = ""


@dataclass(slots=True)
class PhaseMark:
    member: Member
    windows: list[str] = field(default_factory=list)


class Writer(Statements):
    """Writes the program of one table."""

    def __init__(self, box: Box, world: World, faults: Faults):
        super().__init__(box, world, faults)
        self.in_work = []
        self._me_of = {}
        self.costs_of = {}
        self.setting = Setting("")
        self.tasks: list[Task] = []
        self.procedures: list[ir.Procedure] = []
        self.menus: list[tuple[ir.Procedure | None, Menus]] = []
        self.current: ir.Procedure | None = None
        self.wrapped: dict[int, ir.ProcRef] = {}
        self.watchers: dict[str, ir.Watcher] = {}
        self.once_flags: dict[str, Member] = {}
        self.moments: list[tuple[str, Span]] = []  # what options say to be `once per`
        self.phases: dict[str, PhaseMark] = {}
        self.claims = []
        self.merged = Merged(box, world, faults)
        self.definitions = self.merged.definitions
        self.members = self.merged.members
        self.paid_units = self._paid_units()
        self.deferring = {hook.rule.at_end_of for hook in self.merged.whenevers if hook.rule.at_end_of}

    def _paid_units(self) -> tuple[str, ...]:
        """Only what some rule asks for with `paid(…)` is kept."""
        worth_reading = {source.path for source in self.box.sources if "paid" in source.text}  # the others have no such call
        written: list[object] = [*self.world.costs.values()]
        written += [item for text in self.box.rules if text.path in worth_reading for item in text.items]
        calls = (node for node in t.walk(written) if isinstance(node, t.Call) and node.what == t.Name(node.span, "paid"))
        asked = {arg.name for call in calls for arg in call.args if isinstance(arg, t.Name)}
        return tuple(unit for unit in self.world.units if unit in asked)

    def write(self) -> ir.Program:
        self._hidden_members()
        merged = self.merged
        setup = self._main("setup", merged.setups, self._prologue())
        play = self._main("play", merged.plays, ())
        self._finish_tasks()
        self._whenever_rules()
        self._finish_tasks()
        self._everything_else()
        self._windows()
        self._finish_tasks()
        scoring = self._scoring()
        self._finish_tasks()
        ranking = self._ranking()
        invariants = tuple(self._invariant(item, home, board) for item, home, board in merged.invariants)
        program = ir.Program(
            self.world,
            [],
            self.procedures,
            self.watchers,
            setup,
            play,
            scoring,
            ranking,
            invariants,
            self.world.endings,
            provenance=merged.provenance,
        )
        program.policies = {name: self._policy(item, home) for name, (item, home) in merged.policies.items()}
        merged.unused_edits()
        check_words(merged, self.world, self.moments, self.faults)
        check_claims(self.claims, self.faults)
        self.finished = True
        program.looks_up = self.looks_up
        return program

    def standing_alone(self, statements: tuple[t.Statement, ...]) -> tuple[ir.Block, list[ir.Procedure]]:
        """Statements outside any rule, as scenarios write them, and the procedures that they bring along."""
        known = len(self.procedures)
        block = self.body(statements, Env({}, None, None))
        self._finish_tasks()
        return block, self.procedures[known:]

    # ------------------------------------------------------------------------------------ hidden places

    def _hidden_members(self) -> None:
        world = self.world
        low, high = -(10**9), 10**9
        seats = ((0, world.config.seats),)
        self._own_member(
            world.seat,
            Member("score", "seat", "counter", NUMBER, seats, low=low, high=high),
            "every seat has its `score` already",
        )
        self._own_member(
            world.table,
            Member("ending", "table", "remember", Kind("number", optional=True), ()),
            "the table has its `ending` already",
        )
        for name, (value, kind) in world.options.items():
            if kind.form == "seat" and value == -1:
                self._own_member(world.table, Member(name, "table", "remember", SEAT, ()), "an option is called so")
        self.phases = {}
        for name in sorted(self.deferring):
            world.table[f"running {name}"] = Member(
                f"running {name}", "table", "flag", FLAG, (), low=0, high=1, internal="running"
            )
            if name not in self.definitions:
                self.faults.add(
                    "E205",
                    next(h.rule.span for h in self.merged.whenevers if h.rule.at_end_of == name),
                    f"no procedure is called `{name}`",
                )
        for name, window in self.merged.windows.items():
            if window.during:
                if window.during not in self.phases:
                    member = Member(
                        f"during {window.during}", "table", "remember", Kind("seat", optional=True), (), internal="during"
                    )
                    world.table[member.name] = member
                    self.phases[window.during] = PhaseMark(member)
                self.phases[window.during].windows.append(name)

    def _own_member(self, members: dict[str, Member], member: Member, why: str) -> None:
        """A place that every game has: what an author declares must be called otherwise."""
        if member.name in members and not self.faults.told(cast(Span, members[member.name].span)):
            label = f"{why}: choose another name"
            self.faults.add("E206", members[member.name].span, f"`{member.name}` is defined twice", label=label)
        members[member.name] = member

    def _prologue(self) -> tuple[ir.Stm, ...]:
        made: list[ir.Stm] = []
        seats = ir.Listed(tuple(ir.Const(s, SEAT) for s in range(self.world.config.seats)), set_of(SEAT))
        for name, (value, kind) in self.world.options.items():
            if kind.form == "seat" and value == -1:
                var = ir.Var(name, SEAT)
                made.append(ir.Pick(var, seats, None))
                made.append(ir.Write(ir.Read(self.world.table[name], (), SEAT), ir.Use(var, SEAT), None))
        return tuple(made)

    # --------------------------------------------------------------------------------------- procedures

    def _main(self, name: str, definition: Definition | None, prologue: tuple[ir.Stm, ...]) -> ir.Procedure:
        if definition is None:
            if name == "play":
                span = self.box.sources[0] if self.box.sources else None
                self.faults.add("E213", None, "this game has no `play:`", label="say what happens in a game")
                del span
            procedure = ir.Procedure(name, (), (), ir.Block(prologue))
            self.procedures.append(procedure)
            return procedure
        ref = self.proc_ref(definition)
        inner = cast(ir.Procedure, ref.default)
        if not prologue:
            return inner
        procedure = ir.Procedure(
            name, inner.params, (), ir.Block((*prologue, ir.Perform(ref, (ir.Const(0, SEAT),), (), None)))
        )
        self.procedures.append(procedure)
        return procedure

    def proc_ref(self, definition: Definition) -> ir.ProcRef:
        """The procedure of a definition, with the rules that come before, after and instead of it."""
        key = id(definition)
        if key in self.wrapped:
            return self.wrapped[key]
        inner = self.raw_ref(definition)
        self.wrapped[key] = inner
        hooks = self.merged.hooks.get(definition.name, []) if not definition.original_of else []
        if hooks or definition.name in self.phases or definition.name in self.deferring:
            self.wrapped[key] = self._wrap(definition, inner, hooks)
        return self.wrapped[key]

    def raw_ref(self, definition: Definition) -> ir.ProcRef:
        if definition.procedure is not None:
            return definition.procedure
        default = self._shell(definition, definition)
        ref = ir.ProcRef(definition.name, default, {}, 1 if definition.kind else None)
        definition.procedure = ref
        for board, case in definition.cases.items():
            const = self.by_name.get(board)
            if const is not None:
                ref.cases[const.value] = self._shell(definition, case, board)
        return ref

    def _shell(self, base: Definition, version: Definition, board: str = "") -> ir.Procedure:
        item = cast(t.Procedure, version.item)
        params: list[ir.Var] = [ir.Var("me", SEAT)]
        if base.kind:
            params.append(ir.Var("board", Kind("thing", base.kind)))
        own, declared = self.params_of(version), self.params_of(base)
        if len(own) != len(declared):
            self.faults.add(
                "E211",
                version.span,
                f"`{base.name}` takes {len(declared)} in brackets",
                second=(base.span, "declared here"),
            )
        for param, like in zip(own, declared, strict=False):
            params.append(ir.Var(param.name, self.param_kind(param if param.type is not None else like)))
        results = tuple(ir.Var(r.name, self.param_kind(r)) for r in cast(t.Procedure, base.item).results)
        name = f"{base.kind}.{base.name}" if base.kind else base.name
        procedure = ir.Procedure(
            name + (f" of {board}" if board else ""), tuple(params), results, None, item.span, version.home
        )
        procedure.doc = item.body.doc.text if item.body.doc is not None else ""
        procedure.phase = item.phase
        self.procedures.append(procedure)
        self.tasks.append(Task(procedure, version, base))
        return procedure

    def _finish_tasks(self) -> None:
        while self.tasks:
            self._write_body(self.tasks.pop(0))

    def _write_body(self, task: Task) -> None:
        procedure, version, base = task.procedure, task.version, task.base
        names: dict[str, Meaning] = {}
        at = 2 if base.kind else 1
        for var in procedure.params[at:]:
            names[var.name] = self.bound(var)
        for var in procedure.results:
            names[var.name] = self.bound(var)
        env = self.home_env(version, names)
        env.me = ir.Use(procedure.params[0], SEAT)
        if base.kind and not version.board:
            board = procedure.params[1]
            env.board = ir.Use(board, board.kind)
        item = cast(t.Procedure, version.item)
        with _Writing(self, procedure, Setting(procedure.name, procedure.results, None, [base.name])):
            body = self.block(item.body, env)
        resets = () if base.original_of else self._resets(base.name)  # where it is replaced, that begins it anew
        procedure.body = ir.Block((*resets, ir.Named(base.name, body)))

    def _resets(self, moment: str) -> tuple[ir.Stm, ...]:
        """Counters and flags that begin anew with this procedure or menu."""
        members = [m for m in self.world.members() if "resets" in m.words and m.words["resets"].name == moment]
        members += [m for m in self.once_flags.values() if m.words.get("resets") and m.words["resets"].name == moment]
        return tuple(ir.Reset(m) for m in dict.fromkeys(members))

    def _wrap(self, definition: Definition, inner: ir.ProcRef, hooks: list[Hook]) -> ir.ProcRef:
        shell = cast(ir.Procedure, inner.default)
        params = tuple(ir.Var(p.name, p.kind) for p in shell.params)
        results = tuple(ir.Var(r.name, r.kind) for r in shell.results)
        procedure = ir.Procedure(f"{shell.name}", params, results, None, shell.span, shell.home, shell.doc, shell.phase)
        ref = ir.ProcRef(definition.name, procedure, {}, None)
        self.wrapped[id(definition)] = ref
        self.procedures.append(procedure)
        args = tuple(cast(ir.Exp, self.bound(p)) if p.kind.form != "zone" else ir.Use(p, p.kind) for p in params)
        original: ir.Stm = ir.Perform(inner, args, results, shell.span)
        self._write_wrapper(definition, procedure, hooks, original, args)
        return ref

    def _write_wrapper(
        self,
        definition: Definition,
        procedure: ir.Procedure,
        hooks: list[Hook],
        original: ir.Stm,
        args: tuple[ir.Exp, ...],
    ) -> None:
        mark = self.phases.get(definition.name)
        me = args[0]
        start: list[ir.Stm] = []
        end: list[ir.Stm] = []
        if mark is not None:
            place = ir.Read(mark.member, (), mark.member.kind)
            start.append(ir.Write(place, me, None))
            end.append(ir.Write(place, ir.Const(-1, mark.member.kind), None))
        last: list[ir.Stm] = []
        if definition.name in self.deferring:
            running = ir.Read(self.world.table[f"running {definition.name}"], (), FLAG)
            start.append(ir.Write(running, ir.Const(1, FLAG), None))
            last.append(ir.Write(running, ir.Const(0, FLAG), None))
            last.append(ir.Watch((f"end of {definition.name}",)))
        before: list[ir.Stm] = []
        after: list[ir.Stm] = []
        current: list[ir.Stm] = [original]
        with _Writing(self, procedure, Setting(procedure.name)):
            for hook in hooks:
                env = self._hook_env(hook, definition, args, me)
                if hook.rule.moment.what == "instead_of":
                    current = self._instead(hook, env, current)
                else:
                    made = self._hook_body(hook, env)
                    (before if hook.rule.moment.what == "before" else after).extend(made)
        tail: list[ir.Stm] = []
        if procedure.results:
            tail.append(ir.GiveBack(tuple(ir.Use(r, r.kind) for r in procedure.results), None))
        procedure.body = ir.Block((*start, *before, *current, *end, *after, *last, *tail))

    def _hook_env(self, hook: Hook, definition: Definition, args: tuple[ir.Exp, ...], me: ir.Exp) -> Env:
        found = hook
        names: dict[str, Meaning] = {}
        at = 2 if definition.kind else 1
        own = args[at:]
        given = found.rule.moment.names
        if given and len(given) != len(own):
            self.faults.add(
                "E211",
                found.rule.span,
                f"`{definition.name}` takes {len(own)} in brackets, {len(given)} are named",
                second=(definition.span, "declared here"),
            )
        for name, arg in zip(given, own, strict=False):
            names[name] = arg
        board = self.by_name.get(found.board) if found.board else args[1] if definition.kind else None
        return Env(names, me, board, {}, found.home, found.board)

    def _hook_body(self, hook: Hook, env: Env) -> list[ir.Stm]:
        rule = hook.rule
        procedure = ir.Procedure(f"rule {rule.name}", (), (), None, rule.span, hook.home)
        self.procedures.append(procedure)
        outer = list(_uses(env))
        params: list[ir.Var] = []
        renamed: dict[str, Meaning] = {}
        for name, value in outer:
            var = ir.Var(name, value.kind)
            params.append(var)
            renamed[name] = self.bound(var)
        me = ir.Var("me", SEAT)
        inside = Env(renamed, ir.Use(me, SEAT), env.board, {}, env.home, env.board_name)
        board_arg: list[ir.Exp] = []
        board_param: list[ir.Var] = []
        if env.board is not None and not isinstance(env.board, ir.Const):
            board = ir.Var("board", env.board.kind)
            board_param, board_arg = [board], [env.board]
            inside.board = ir.Use(board, board.kind)
        procedure.params = (me, *board_param, *params)
        with _Writing(self, procedure, Setting(f"rule {rule.name}", (), None, [rule.name])):
            body = self._conditional(rule, inside)
        procedure.body = ir.Block(tuple(body))
        ref = ir.ProcRef(procedure.name, procedure)
        return [
            ir.Perform(ref, (env.me or ir.Const(0, SEAT), *board_arg, *(value for _, value in outer)), (), rule.span)
        ]

    def _conditional(self, rule: t.Rule, env: Env) -> list[ir.Stm]:
        """The body of a before or after rule, for each of its binder, when its condition holds."""
        layers: list[tuple[ir.Var, ir.Set]] = []
        if rule.binder is not None:
            var, domain, env = self.bind(rule.binder, env)
            layers.append((var, domain))
        test = self._and_in_play(rule.moment.condition, env)
        body = ir.Named(rule.name, self.block(rule.body, env))
        made: list[ir.Stm] = [body]
        if not (isinstance(test, ir.Const) and test.value):
            made = [ir.If(test, ir.Block((body,)), NO_BLOCK, rule.span)]
        for var, domain in layers:
            made = [ir.For(var, domain, False, ir.Block(tuple(made)), rule.span)]
        return made

    def _and_in_play(self, condition: t.Expr | None, env: Env) -> ir.Exp:
        """A board's rules live while it is in play."""
        test: ir.Exp = ir.Const(1, FLAG)
        if env.board_name:
            test = self.in_play(env.board_name)
        if condition is not None:
            own = self.cond(condition, env)
            narrow(self.world, condition, env)
            test = own if isinstance(test, ir.Const) and test.value else ir.Op("and", (test, own), FLAG)
        return test

    def in_play(self, board: str) -> ir.Exp:
        const = self.by_name.get(board)
        zones = [m for m in self.world.table.values() if m.form == "zone" and "in_play" in m.words]
        if const is None or not zones:
            return ir.Const(1, FLAG)
        here = tuple(ir.ZoneAt(m, (), m.kind) for m in zones)
        return ir.Contains(ir.Listed(here, set_of(Kind("zone"))), ir.PlaceOf(const, Kind("zone")), FLAG)

    def _instead(self, hook: Hook, env: Env, current: list[ir.Stm]) -> list[ir.Stm]:
        rule = hook.rule
        inner = ir.Block(tuple(current))
        env.original = inner
        test = self._and_in_play(rule.moment.condition, env)
        self.setting.open_blocks.append(rule.name)
        body = ir.Named(rule.name, self.block(rule.body, env))
        self.setting.open_blocks.pop()
        if isinstance(test, ir.Const):
            return [body] if test.value else current
        return [ir.If(test, ir.Block((body,)), inner, rule.span)]

    def procedure_call(self, node: t.Expr, env: Env) -> tuple[ir.ProcRef | None, tuple[ir.Exp, ...]]:
        args: tuple[t.Expr, ...] = ()
        what = node
        if isinstance(what, t.Call):
            args, what = what.args, what.what
        owner: ir.Exp | None = None
        definition: Definition | None = None
        if isinstance(what, t.Name):
            if what.name == "original" and isinstance(env.original, Definition):
                return self._call_procedure(node, env.original, self.raw_ref(env.original), env.board, args, env)
            definition = self.definitions.get(what.name)
            if definition is None and env.board is not None:
                definition = self.member_definition(env.board.kind.name, what.name)
                owner = env.board
        elif isinstance(what, t.Member):
            owner = self.certain(self.exp(what.of, env, Kind("thing")))
            definition = self.member_definition(owner.kind.name, what.name)
            name = what.name
        if definition is None or definition.what not in ("procedure", "phase"):
            name = what.name if isinstance(what, t.Name | t.Member) else "this"
            if definition is not None:
                self.fault(
                    "E302",
                    node,
                    f"`{name}` is a {definition.what}",
                    label="a procedure or phase is needed",
                    second=(definition.span, "declared here"),
                )
                return None, ()
            known = [d.name for d in self.definitions.values() if d.what in ("procedure", "phase")]
            known += [n for (_, n), d in self.members.items() if d.what == "procedure"]
            self.unknown_call(node, name, known, "no procedure")
            return None, ()
        if any(self.is_template(p) for p in self.params_of(definition)):
            return self._template_call(node, definition, args, env)
        return self._call_procedure(node, definition, self.proc_ref(definition), owner, args, env)

    def _call_procedure(
        self,
        node: t.Expr,
        definition: Definition,
        ref: ir.ProcRef,
        owner: ir.Exp | None,
        args: tuple[t.Expr, ...],
        env: Env,
    ) -> tuple[ir.ProcRef | None, tuple[ir.Exp, ...]]:
        params = self.params_of(definition)
        if len(args) != len(params):
            self.wrong_number(node, definition, len(params), len(args))
            return None, ()
        values = [self.argument(arg, env, self.param_kind(p)) for arg, p in zip(args, params, strict=True)]
        me = env.me if env.me is not None else ir.Const(0, SEAT)
        full = [me]
        if definition.kind:
            full.append(owner if owner is not None else self._own_board(node, env))
        return ref, (*full, *values)

    def _template_call(
        self, node: t.Expr, definition: Definition, args: tuple[t.Expr, ...], env: Env
    ) -> tuple[ir.ProcRef | None, tuple[ir.Exp, ...]]:
        """A procedure with measures or tables among its parameters is written once for each use."""
        if definition in self.in_work:
            names = [d.name for d in self.in_work[self.in_work.index(definition) :]] + [definition.name]
            self.faults.add(
                "E505",
                definition.span,
                "this procedure performs itself: " + " → ".join(names),
                second=(node.span, "performed again here"),
            )
            return None, ()
        self.in_work.append(definition)
        try:
            return self._write_template(node, definition, args, env)
        finally:
            self.in_work.pop()

    def _write_template(
        self, node: t.Expr, definition: Definition, args: tuple[t.Expr, ...], env: Env
    ) -> tuple[ir.ProcRef | None, tuple[ir.Exp, ...]]:
        params = self.params_of(definition)
        if len(args) != len(params):
            self.fault("E211", node, f"`{definition.name}` takes {len(params)} in brackets, {len(args)} are given")
            return None, ()
        names: dict[str, Meaning] = {}
        me = ir.Var("me", SEAT)
        variables: list[ir.Var] = [me]
        values: list[ir.Exp] = [env.me if env.me is not None else ir.Const(0, SEAT)]
        for param, arg in zip(params, args, strict=True):
            if self.is_template(param):
                found = self.template_argument(param, arg, env)
                if found is None:
                    return None, ()
                if isinstance(found, Measure):
                    kept: list[ir.Exp] = []
                    for given in found.given:
                        var = ir.Var(f"{param.name}_given", given.kind)
                        variables.append(var)
                        values.append(given)
                        kept.append(ir.Use(var, given.kind))
                    found = Measure(found.function, tuple(kept))
                names[param.name] = found
            else:
                kind = self.param_kind(param)
                var = ir.Var(param.name, kind)
                variables.append(var)
                values.append(self.argument(arg, env, kind))
                names[param.name] = self.bound(var)
        item = cast(t.Procedure, definition.item)
        results = tuple(ir.Var(r.name, self.param_kind(r)) for r in item.results)
        for var in results:
            names[var.name] = self.bound(var)
        procedure = ir.Procedure(definition.name, tuple(variables), results, None, item.span, definition.home)
        self.procedures.append(procedure)
        inside = self.home_env(definition, names)
        inside.me = ir.Use(me, SEAT)
        with _Writing(self, procedure, Setting(definition.name, results, None, [definition.name])):
            body = ir.Named(definition.name, self.block(item.body, inside))
        procedure.body = ir.Block((*self._resets(definition.name), body))
        ref = ir.ProcRef(definition.name, procedure)
        hooks = self.merged.hooks.get(definition.name, [])
        for hook in hooks:
            if hook.rule.moment.names:
                message = f"`{definition.name}` is written anew for each measure or table that it takes, so what it takes has no name here"
                self.faults.add("E211", hook.rule.moment.span, message, label="leave the brackets out")
        if hooks or definition.name in self.phases or definition.name in self.deferring:
            ref = self._wrap(definition, ref, [hook for hook in hooks if not hook.rule.moment.names])
        return ref, tuple(values)

    def _do(self, node: t.Do, env: Env) -> list[ir.Stm]:
        if isinstance(node.call, t.Name) and node.call.name == "original" and isinstance(env.original, ir.Block):
            return list(env.original.body)
        return super()._do(node, env)

    def set_up(self, board: ir.Exp, env: Env) -> list[ir.Stm]:
        definition = self.member_definition(board.kind.name, "setup")
        if definition is None:
            definition = next(
                (
                    d
                    for (kind, name), d in self.members.items()
                    if name == "setup" and self.world.is_kind(kind, board.kind.name)
                ),
                None,
            )
        made: list[ir.Stm] = []
        me = env.me if env.me is not None else ir.Const(0, SEAT)
        for (kind, name), found in self.members.items():
            if name != "setup" or not self.world.kinds.get(kind):
                continue
            if self.world.is_kind(board.kind.name, kind):
                made.append(ir.Perform(self.proc_ref(found), (me, board), (), None))
            elif self.world.is_kind(kind, board.kind.name):
                test = self._kind_test(board, kind)
                narrowed = ir.Use(board.var, Kind("thing", kind)) if isinstance(board, ir.Use) else board
                perform = ir.Perform(self.proc_ref(found), (me, narrowed), (), None)
                if not isinstance(test, ir.Const):
                    made.append(ir.If(test, ir.Block((perform,)), NO_BLOCK, None))
                elif test.value:
                    made.append(perform)
        return made

    # -------------------------------------------------------------------------------------------- menus

    def menu(self, node: t.Menu, env: Env) -> list[ir.Stm]:
        name, ref = self.menu_path(node.path, env)
        if not name:
            return []
        seat = self.me(t.Name(node.span, "me"), env)
        self.setting.open_blocks.append(name)
        inside = env.inner()
        again = enter_loop(inside) if node.times != "once" else []
        forget(inside, node)
        condition = None
        if node.condition is not None:
            condition = self.cond(node.condition, inside)
            narrow(self.world, node.condition, inside)
        options = self._menu_options(node, name, ref, inside)
        again.extend(move for option in options for move in option.body.body)
        self.setting.open_blocks.pop()
        times, count = node.times, self.exp(node.count, env, NUMBER) if node.count is not None else None
        if times in ("until_done", "at_least_once") and node.done is None:
            options.append(self._done_option(name, t.Ask(node.span, None, None), None, env))
        elif node.done is not None:
            options.append(self._done_option(name, node.done, node.done_when, env))
        doc = node.body.doc if node.body is not None else self.merged.menu_docs.get(name)
        prompt = self.label(doc, env) if doc is not None else self.words(name.replace("_", " ").capitalize())
        if not options:
            self.faults.add("E312", node.span, f"the menu `{name}` has no options")
        otherwise = self.block(node.otherwise, env) if node.otherwise is not None else None
        decide = self.decide(name, seat, prompt, options, otherwise, env, node.span, menu=True)
        decide.only_choice = node.only_choice
        taken = ir.Var(f"{name}_taken", NUMBER)
        offer = ir.Offer(name, decide, times, count, taken, node.windows, condition)
        self.menus.append((self.current, Menus(offer, env)))
        return [*self._resets(name), ir.Named(name, ir.Block((offer,)))]

    def _done_option(self, name: str, ask: t.Ask, when: t.Expr | None, env: Env) -> ir.Option:
        tests = () if when is None else (ir.Require(self.cond(when, env), None, f"{name}.done: when", when.span),)
        label = self.label(ask.words, env) if ask.words is not None else self.words("Done")
        return ir.Option(
            "done", ask.key or "done", label, (), tests, None, NO_BLOCK, f"{name}.done", False, True, ask.span
        )

    def _menu_options(self, node: t.Menu, name: str, ref: MenuRef | None, env: Env) -> list[ir.Option]:
        self.merged.opened.add(name)
        options: list[ir.Option] = []
        if node.body is not None:
            for item in node.body.options:
                options.extend(self.option(item, name, env, env.home))
        for entry in self.merged.menu_options.get(name, ()):
            inside = env.inner(home=entry.home, board_name=entry.board)
            if entry.board:
                inside.board = self.by_name.get(entry.board)
            options.extend(self.option(entry.option, name, inside, entry.home))
        if ref is not None:
            options.extend(self._board_options(name, ref, env))
        return options

    def _board_options(self, name: str, ref: MenuRef, env: Env) -> list[ir.Option]:
        """The options that kinds and boards have put into this menu of theirs."""
        made: list[ir.Option] = []
        owner = ref.owner
        for key, entries in self.merged.menu_options.items():
            home, _, menu = key.rpartition(".")
            if menu != name or not home:
                continue
            if home in self.world.kinds:
                test = (
                    self._kind_test(owner, home)
                    if self.world.is_kind(home, owner.kind.name) or self.world.is_kind(owner.kind.name, home)
                    else None
                )
                kind = home if self.world.is_kind(home, owner.kind.name) else owner.kind.name
                board: ir.Exp = ir.Use(owner.var, Kind("thing", kind)) if isinstance(owner, ir.Use) else owner
            else:
                const = self.by_name.get(home)
                if const is None or not self.fits(const.kind, owner.kind):
                    continue
                if isinstance(owner, ir.Const):
                    test = ir.Const(int(owner.value == const.value), FLAG)
                else:
                    test = ir.Op("=", (owner, const), FLAG)
                board = const
            if test is None or isinstance(test, ir.Const) and not test.value:
                continue
            for entry in entries:
                inside = env.inner(home=entry.home, board=board, board_name="")
                only = () if isinstance(test, ir.Const) else (ir.Require(test, None, "", None),)
                made.extend(self.option(entry.option, f"{home}.{name}", inside, entry.home, only))
        return made

    def option(
        self, item: t.Option, menu: str, env: Env, home: str, first: tuple[ir.Require, ...] = ()
    ) -> list[ir.Option]:
        address = f"{menu}.{item.name}"
        self.merged.written[address] = None
        replaced = self.merged.replaced_options.get(address)
        if replaced is not None:
            item, home, board = replaced
            env = env.inner(home=home, board_name=board)
        if self.merged.is_removed("option", address):
            return []
        inside = env.inner()
        tests: list[ir.Require] = list(first)
        if env.board_name:
            alive = self.in_play(env.board_name)
            if not isinstance(alive, ir.Const):
                tests.append(
                    ir.Require(alive, self.words(f"{env.board_name.replace('_', ' ')} is not in play"), "", item.span)
                )
        binds = []
        for binder in item.binders:
            binds.append(self._option_binder(binder, inside))
        if item.when is not None:
            tests.append(ir.Require(self.cond(item.when, inside), None, f"{address}: when", item.when.span))
            narrow(self.world, item.when, inside)
        if item.once_per is not None:
            tests.append(self._once(address, item))
        for restrict, restrict_home, restrict_board in self.merged.restricts.get(address, ()):
            tests.extend(self._restrict(restrict, inside, restrict_home, restrict_board))
        body: list[ir.Stm] = []
        if item.once_per is not None:
            member = self.once_flags[address]
            body.append(ir.Write(ir.Read(member, (), FLAG), ir.Const(1, FLAG), None))
        if item.cost is not None:
            demands, pay = self.cost(item.cost, inside)
            tests.extend(demands)
            body.extend(pay.body)
            inside.done.extend(pay.body)
        keys = tuple(self.exp(key, inside) for key in item.keys) or None
        label = (
            self.label(item.ask.words, inside)
            if item.ask.words is not None
            else self.words(item.name.replace("_", " ").capitalize())
        )
        own = self.block(item.body, inside)
        body.extend(self._option_hooks(address, own, inside))
        return [
            ir.Option(
                item.name,
                item.ask.key or item.name,
                label,
                tuple(binds),
                tuple(tests),
                keys,
                ir.Block(tuple(body)),
                address,
                span=item.span,
            )
        ]

    def _option_binder(self, binder: t.Binder, inside: Env) -> ir.Bind:
        if binder.top is not None:
            domain: ir.Set = self.span(binder.domain, binder.top, binder.step, inside)
        else:
            domain = self.set(binder.domain, inside)
        var = ir.Var(binder.name, domain.kind.of or NUMBER)
        inside.names[binder.name] = ir.Use(var, var.kind)
        test = None
        if binder.where is not None:
            test = self.cond(binder.where, inside)
            narrow(self.world, binder.where, inside)
        return ir.Bind(var, domain, test, binder.where.span if binder.where is not None else None)

    def _once(self, address: str, item: t.Option) -> ir.Require:
        member = self.once_flags.get(address)
        if member is None:
            self.moments.append((cast(str, item.once_per), item.span))
            word = t.Word(item.span, "resets", None, item.once_per)
            member = Member(
                f"once {address}", "table", "flag", FLAG, (), low=0, high=1, words={"resets": word}, internal="once"
            )
            self.once_flags[address] = member
            self.world.table[member.name] = member
        test = self.negate(ir.Read(member, (), FLAG))
        return ir.Require(
            test,
            self.words(f"only once per {cast(str, item.once_per).replace('_', ' ')}"),
            f"{address}: once",
            item.span,
        )

    def _restrict(self, restrict: t.Restrict, env: Env, home: str, board: str) -> list[ir.Require]:
        inside = env.inner(home=home, board_name=board)
        if board:
            inside.board = self.by_name.get(board)
        made: list[ir.Require] = []
        applies: ir.Exp = ir.Const(1, FLAG)
        if restrict.when is not None:
            applies = self.cond(restrict.when, inside)
            narrow(self.world, restrict.when, inside)
        for require in restrict.requires:
            test = self.cond(require.condition, inside)
            if not (isinstance(applies, ir.Const) and applies.value):
                test = ir.Op("or", (self.negate(applies), test), FLAG)
            reason = self.label(require.reason, inside) if require.reason is not None else None
            made.append(ir.Require(test, reason, f"restrict {restrict.path}", require.span))
        return made

    def _option_hooks(self, address: str, own: ir.Block, env: Env) -> list[ir.Stm]:
        hooks = self.merged.hooks.get(address, [])
        current: list[ir.Stm] = list(own.body)
        before: list[ir.Stm] = []
        after: list[ir.Stm] = []
        for hook in hooks:
            inside = env.inner(home=hook.home, board_name=hook.board)
            if hook.board:
                inside.board = self.by_name.get(hook.board)
            if hook.rule.moment.what == "instead_of":
                current = self._instead(hook, inside, current)
            else:
                (before if hook.rule.moment.what == "before" else after).extend(self._conditional(hook.rule, inside))
        if not hooks:
            return current
        return [*before, ir.Named(address, ir.Block(tuple(current))), *after]

    # ------------------------------------------------------------------------------------------ windows

    def _windows(self) -> None:
        """Free actions join every menu of the phase in which they are open; not those that they open themselves."""
        menus = list(self.menus)
        for name, window in self.merged.windows.items():
            reachable = self._reachable(window.during)
            for procedure, menu in menus:
                if menu.offer.windows == "none" or window.during and procedure not in reachable:
                    continue
                self._join(name, window, procedure, menu)

    def _join(self, name: str, window: WindowEntry, procedure: ir.Procedure | None, menu: Menus) -> None:
        found = window
        seat = menu.offer.decide.seat
        tests: list[ir.Require] = []
        mark = self.phases.get(found.during) if found.during else None
        if mark is not None:
            place = ir.Read(mark.member, (), mark.member.kind)
            tests.append(ir.Require(ir.Op("=", (place, seat), FLAG), self.words("only in your own turn"), "", None))
        if menu.offer.windows == "after_first":
            first = ir.Op(">", (ir.Use(menu.offer.taken, NUMBER), ir.Const(0, NUMBER)), FLAG)
            tests.append(ir.Require(first, self.words("only after the first option here"), "", None))
        base = Env({}, seat, None, {}, found.home)
        if found.when is not None:
            tests.append(ir.Require(self.cond(found.when, base), None, f"{name}: when", found.when.span))
        ends = [o for o in menu.offer.decide.options if o.ends]
        options = [o for o in menu.offer.decide.options if not o.ends]
        with _Writing(self, cast(ir.Procedure, procedure), Setting(name)):
            for entry in found.options:
                inside = base.inner(home=entry.home, board_name=entry.board)
                if entry.board:
                    inside.board = self.by_name.get(entry.board)
                for option in self.option(entry.option, name, inside, entry.home, tuple(tests)):
                    options.append(self._as_free(option))
        menu.offer.decide.options[:] = [*options, *ends]

    def _as_free(self, option: ir.Option) -> ir.Option:
        return ir.Option(
            option.name,
            option.key,
            option.label,
            option.binds,
            option.tests,
            option.keys,
            option.body,
            option.rule,
            False,
            False,
            option.span,
        )

    def _reachable(self, phase: str | None) -> set[ir.Procedure]:
        from ichiba.dsl.rules.walks import performed

        if phase is None:
            return set(self.procedures)
        definition = self.definitions.get(phase)
        if definition is None:
            return set()
        todo = [cast(ir.Procedure, self.proc_ref(definition).default)]
        found: set[ir.Procedure] = set()
        while todo:
            procedure = todo.pop()
            if procedure in found:
                continue
            found.add(procedure)
            if procedure.body is not None:
                for ref in performed(procedure.body):
                    todo.extend(p for p in (ref.default, *ref.cases.values()) if p is not None)
        return found

    # ----------------------------------------------------------------------------------- whenever rules

    def _whenever_rules(self) -> None:
        for hook in self.merged.whenevers:
            rule = hook.rule
            if self.merged.is_removed("rule", rule.name):
                continue
            env = Env({}, None, self.by_name.get(hook.board) if hook.board else None, {}, hook.home, hook.board)
            var = domain = None
            params: tuple[ir.Var, ...] = (ir.Var("me", SEAT),)
            inside = env
            if rule.binder is not None:
                var, domain, inside = self.bind(rule.binder, env)
                params = (*params, ir.Var(var.name, var.kind))
            test = self._and_in_play(rule.moment.condition, inside)
            kind = var.kind if var is not None else None
            dims = () if kind is None else (self.world.domain(kind) or (0, 1),)
            index = (kind,) if kind else ()
            each = (dims, index) if rule.once != "once" else ((), ())  # once in a game, whichever of them it is for
            state = Member(f"rule {rule.name}", "table", "flag", FLAG, *each, low=0, high=1, internal="rule")
            self.world.table[state.name] = state
            pending = None
            if rule.at_end_of is not None:
                pending = Member(  # its place in the queue
                    f"waiting {rule.name}",
                    "table",
                    "counter",
                    NUMBER,
                    dims,
                    index,
                    low=0,
                    high=10**9,
                    internal="waiting",
                )
                self.world.table[pending.name] = pending
            procedure = ir.Procedure(f"rule {rule.name}", params, (), None, rule.span, hook.home)
            self.procedures.append(procedure)
            body_env = Env({}, ir.Use(params[0], SEAT), env.board, {}, hook.home, hook.board)
            if var is not None:
                body_env.names[var.name] = ir.Use(params[1], params[1].kind)
            with _Writing(self, procedure, Setting(procedure.name, (), None, [rule.name])):
                procedure.body = ir.Block((ir.Named(rule.name, self.block(rule.body, body_env)),))
            self.watchers[rule.name] = ir.Watcher(
                rule.name, var, domain, test, rule.once is not None, state, procedure, rule.at_end_of, pending
            )

    # ------------------------------------------------------------------------------- scoring and the rest

    def _everything_else(self) -> None:
        """Also what nothing uses is checked."""
        for definition in [*self.definitions.values(), *self.members.values()]:
            if any(self.is_template(p) for p in self.params_of(definition)):
                continue
            if definition.what in ("value", "guard"):
                self.value_ref(definition)
            elif definition.what in ("procedure", "phase") and definition.name != "setup":
                self.proc_ref(definition)

    def _scoring(self) -> ir.Procedure:
        me = ir.Var("me", SEAT)
        procedure = ir.Procedure("scoring", (me,), (), None)
        self.procedures.append(procedure)
        made: list[ir.Stm] = []
        if not self.merged.scorings:
            self.faults.add("E214", None, "this game has no `scoring:`", label="say what each seat's score is made of")
        with _Writing(self, procedure, Setting("scoring", (), None, ["scoring"])):
            for item, home, board in self.merged.scorings:
                env = Env({}, None, self.by_name.get(board) if board else None, {}, home, board)
                body = self.block(item.body, env)
                if board:
                    made.append(ir.If(self.in_play(board), body, NO_BLOCK, item.span))
                else:
                    made.extend(body.body)
            current: list[ir.Stm] = [ir.Named("scoring", ir.Block(tuple(made)))]
            before: list[ir.Stm] = []
            after: list[ir.Stm] = []
            for hook in self.merged.hooks.get("scoring", []):
                env = Env(
                    {},
                    ir.Const(0, SEAT),
                    self.by_name.get(hook.board) if hook.board else None,
                    {},
                    hook.home,
                    hook.board,
                )
                if hook.rule.moment.what == "instead_of":
                    current = self._instead(hook, env, current)
                else:
                    (before if hook.rule.moment.what == "before" else after).extend(self._hook_body(hook, env))
        procedure.body = ir.Block((*before, *current, *after))
        return procedure

    def _ranking(self) -> tuple[tuple[ir.Function, bool], ...]:
        if self.merged.ranking is None:
            return ()
        item, home = self.merged.ranking
        made = []
        for key in item.keys:
            me = ir.Var("me", SEAT)
            score = self.world.seat["score"]
            env = Env({"total": ir.Read(score, (ir.Use(me, SEAT),), NUMBER)}, ir.Use(me, SEAT), None, {}, home)
            found = self.key(key, env)
            made.append((ir.Function("ranking", (me,), found.kind, found, key.span), key.direction == "highest"))
        return tuple(made)

    def _invariant(self, item: t.Invariant, home: str, board: str) -> ir.Function:
        env = Env({}, None, self.by_name.get(board) if board else None, {}, home, board)
        return ir.Function(item.name, (), FLAG, self.cond(item.condition, env), item.span, home=home)

    def _policy(self, item: t.Policy, home: str) -> tuple[ir.Preference, ...]:
        made = []
        for preference in item.preferences:
            me = ir.Var("me", SEAT)
            env = Env({}, ir.Use(me, SEAT), None, {}, home)
            binders = []
            for binder in preference.binders:
                var, domain, env = self.bind(binder, env)
                binders.append((var, domain))
            self._check_pattern(preference)
            when = None
            if preference.when is not None:
                when = self.cond(preference.when, env)
                narrow(self.world, preference.when, env)
            weight = self.exp(preference.weight, env) if preference.weight is not None else ir.Const(1, NUMBER)
            made.append(ir.Preference(preference.pattern, me, tuple(binders), when, weight, preference.span))
        return tuple(made)

    def _check_pattern(self, preference: t.Preference) -> None:
        """The names in braces are those that the `for` behind the pattern binds."""
        bound = [binder.name for binder in preference.binders]
        written = re.findall(r"\{(\w*)\}", preference.pattern)
        for name in written:
            if name not in bound:
                hint = nearest(name, bound)
                self.faults.add(
                    "E205",
                    preference.span,
                    f"nothing is called `{name}` in `{preference.pattern}`",
                    label=f"did you mean `{hint}`?" if hint else f"say `for {name} in …` behind it",
                )


class _Writing:
    """While a procedure is being written, what is opened belongs to it."""

    def __init__(self, writer: Writer, procedure: ir.Procedure, setting: Setting):
        self.writer, self.procedure, self.setting = writer, procedure, setting

    def __enter__(self) -> None:
        self.outer = self.writer.current, self.writer.setting
        self.writer.current, self.writer.setting = self.procedure, self.setting

    def __exit__(self, *exc: object) -> None:
        self.writer.current, self.writer.setting = self.outer


def _uses(env: Env) -> list[tuple[str, ir.Exp]]:
    return [(name, cast(ir.Exp, value)) for name, value in env.names.items()]


def start_of(member: Member, scope: Scope, faults: Faults) -> int:
    """The value a place has before the setup."""
    if member.start is None:
        if member.form == "counter" and member.low is not None:
            return max(member.low, 0) if member.low <= 0 <= (member.high or 0) else member.low
        return (
            -1
            if member.form in ("remember", "note")
            and (member.kind.optional or member.kind.form in ("thing", "seat", "piece", "sort", "enum"))
            else 0
        )
    if isinstance(member.start, t.NoneWord):
        return -1
    if isinstance(member.start, t.Name) and member.start.name in ("true", "false", "yes"):
        return int(member.start.name != "false")
    try:
        return evaluate(member.start, scope, unit_of(member.kind))
    except CannotWorkOut as fault:
        faults.add(fault.code, fault.span, fault.message, label=fault.label)
        return 0


__all__ = ["RulesText", "Writer", "start_of"]
