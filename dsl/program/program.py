"""The whole ruleset put together: definitions, menus, windows, triggers and edits of all its files, as one program."""

from __future__ import annotations

from typing import cast

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.meaning.binding import bind_name, order_key
from ichiba.dsl.meaning.expressions import meaning_of
from ichiba.dsl.meaning.values import is_template, value_ref
from ichiba.dsl.meaning.wanted import cond
from ichiba.dsl.names.arguments import param_kind, params_of, takes_the_same
from ichiba.dsl.names.blocks import NO_BLOCK, write_block, write_body
from ichiba.dsl.names.context import Context, PhaseMark, Setting
from ichiba.dsl.names.known import names_of
from ichiba.dsl.names.meanings import Definition, Env
from ichiba.dsl.names.merging import Merged
from ichiba.dsl.program.hiding import mark_hiding_questions
from ichiba.dsl.program.policies import policy_of
from ichiba.dsl.program.watching import watch
from ichiba.dsl.program.windows import join_windows
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import Extents
from ichiba.dsl.statements.procedures import finish_tasks, proc_ref
from ichiba.dsl.statements.statements import write_statement
from ichiba.dsl.statements.triggers import and_in_play, hook_body, in_play, instead
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, set_of
from ichiba.dsl.world.world import Member, World
from ichiba.dsl.yaml.declarations import Box

MOST_WATCHING = 1_500  # rules with `whenever`: each of them is code of its own that looks, and code that happens
MOST_WATCHED = 5_000  # a rule keeps for each of them whether its condition was true

def new_context(box: Box, world: World, faults: Faults) -> Context:
    """What is known of a ruleset before its rules are read: its names, and what each file defines."""
    merged = Merged(box, world, faults)
    context = Context(
        box,
        world,
        faults,
        merged,
        names_of(box, world),
        meaning_of,
        write_statement,
        merged.definitions,
        merged.members,
        _paid_units(box, world),
    )
    context.draft.deferring = {hook.rule.at_end_of for hook in merged.whenevers if hook.rule.at_end_of}
    return context


def _paid_units(box: Box, world: World) -> tuple[str, ...]:
    """Only what some rule asks for with `paid(...)` is kept."""
    worth_reading = {source.path for source in box.sources if "paid" in source.text}  # the others have no such call
    written: list[object] = [*world.costs.values()]
    written += [item for text in box.rules if text.path in worth_reading for item in text.items]
    calls = (node for node in t.walk(written) if isinstance(node, t.Call) and node.what == t.Name(node.span, "paid"))
    asked = {arg.name for call in calls for arg in call.args if isinstance(arg, t.Name)}
    return tuple(unit for unit in world.units if unit in asked)


def write_program(c: Context) -> ir.Program:
    """All that the files say, as one program; `finish` makes it ready, once it is judged that nothing goes in circles."""
    _replacements_fit(c)
    _hidden_members(c)
    _options_once(c)
    merged = c.merged
    setup = _main(c, "setup", merged.setups, _prologue(c))
    play = _main(c, "play", merged.plays, ())
    finish_tasks(c)
    _whenever_rules(c)
    finish_tasks(c)
    _everything_else(c)
    join_windows(c)
    finish_tasks(c)
    scoring = _scoring(c)
    finish_tasks(c)
    ranking = _ranking(c)
    invariants = tuple(_invariant(c, item, home, board) for item, home, board in merged.invariants)
    program = ir.Program(
        c.world,
        [],
        c.draft.procedures,
        c.draft.watchers,
        setup,
        play,
        scoring,
        ranking,
        invariants,
        c.world.endings,
        provenance=merged.provenance,
    )
    program.policies = {name: policy_of(c, item, home) for name, (item, home) in merged.policies.items()}
    program.outlook = _outlook(c)
    merged.unused_edits()
    program.looks_up = c.looks_up
    return program


def finish(program: ir.Program) -> None:
    """Marks questions that must not be skipped, and puts looks at the triggers into the rules."""
    mark_hiding_questions(program)
    watch(program)


def _replacements_fit(c: Context) -> None:
    """Before anything is read that would ask for what no longer takes or gives the same."""
    before = len(c.faults.all)
    for definition in [*c.definitions.values(), *c.members.values()]:
        for version in (definition, *definition.cases.values()):
            takes_the_same(c, version)
    if len(c.faults.all) > before:
        c.faults.raise_if_errors()


def _options_once(c: Context) -> None:
    """A flag for each option that says `once per …`: whatever begins that anew can stand before it, or perform it."""
    worth_reading = {source.path for source in c.box.sources if "once" in source.text}
    written = [item for text in c.box.rules if text.path in worth_reading for item in text.items]
    found: dict[str, t.Option] = {}
    for menu in (node for node in t.walk(written) if isinstance(node, t.Menu | t.Race)):
        options = menu.body.options if menu.body is not None else ()
        path = menu.path if isinstance(menu, t.Menu) else t.Name(menu.span, menu.menu)
        name = path.name if isinstance(path, t.Name | t.Member) else ""
        found |= {f"{name}.{option.name}": option for option in options}
    for name, entries in (*c.merged.menu_options.items(), *((name, w.options) for name, w in c.merged.windows.items())):
        found |= {f"{name}.{entry.option.name}": entry.option for entry in entries}
    found |= {address: option for address, (option, _, _) in c.merged.replaced_options.items()}
    for address, option in found.items():
        if option.once_per is not None:
            words = {"resets": t.Word(option.span, "resets", None, option.once_per)}
            flag = Member(f"once {address}", "table", "flag", FLAG, (), low=0, high=1, words=words, internal="once")
            c.draft.once_flags[address] = c.world.table[flag.name] = flag


def standing_alone(c: Context, statements: tuple[t.Statement, ...]) -> tuple[ir.Block, list[ir.Procedure]]:
    """Statements outside any rule, as scenarios write them, and the procedures that they bring along."""
    known = len(c.draft.procedures)
    block = write_body(c, statements, Env({}, None, None))
    finish_tasks(c)
    return block, c.draft.procedures[known:]


def _hidden_members(c: Context) -> None:
    world = c.world
    low, high = -(10**9), 10**9
    seats = ((0, world.config.seats),)
    _own_member(
        c,
        world.seat,
        Member("score", "seat", "counter", NUMBER, seats, low=low, high=high),
        "every seat has its `score` already",
    )
    _own_member(
        c,
        world.table,
        Member("ending", "table", "remember", Kind("number", optional=True), ()),
        "the table has its `ending` already",
    )
    for name, (value, kind) in world.options.items():
        if kind.form == "seat" and value == -1:
            _own_member(c, world.table, Member(name, "table", "remember", SEAT, ()), "an option is called so")
    c.draft.phases = {}
    for name in sorted(c.draft.deferring):
        world.table[f"running {name}"] = Member(
            f"running {name}", "table", "flag", FLAG, (), low=0, high=1, internal="running"
        )
        if name not in c.definitions and not c.merged.elsewhere.brings("definition", name):
            c.faults.add(
                "E205",
                next(h.rule.span for h in c.merged.whenevers if h.rule.at_end_of == name),
                f"no procedure is called `{name}`",
            )
    for name, window in c.merged.windows.items():
        if window.during:
            if window.during not in c.draft.phases:
                member = Member(
                    f"during {window.during}", "table", "remember", Kind("seat", optional=True), (), internal="during"
                )
                world.table[member.name] = member
                c.draft.phases[window.during] = PhaseMark(member)
            c.draft.phases[window.during].windows.append(name)


def _own_member(c: Context, members: dict[str, Member], member: Member, why: str) -> None:
    """A place that every game has: what an author declares must be called otherwise."""
    if member.name in members and not c.faults.told(cast(Span, members[member.name].span)):
        label = f"{why}: choose another name"
        c.faults.add("E206", members[member.name].span, f"`{member.name}` is defined twice", label=label)
    members[member.name] = member


def _prologue(c: Context) -> tuple[ir.Stm, ...]:
    made: list[ir.Stm] = []
    seats = ir.Listed(tuple(ir.Const(s, SEAT) for s in range(c.world.config.seats)), set_of(SEAT))
    for name, (value, kind) in c.world.options.items():
        if kind.form == "seat" and value == -1:
            var = ir.Var(name, SEAT)
            made.append(ir.Pick(var, seats, None))
            made.append(ir.Write(ir.Read(c.world.table[name], (), SEAT), ir.Use(var, SEAT), None))
    return tuple(made)


def _main(c: Context, name: str, definition: Definition | None, prologue: tuple[ir.Stm, ...]) -> ir.Procedure:
    if definition is None:
        if name == "play":
            span = c.box.sources[0] if c.box.sources else None
            c.faults.add("E213", None, "this game has no `play:`", label="say what happens in a game")
            del span
        procedure = ir.Procedure(name, (), (), ir.Block(prologue))
        c.draft.procedures.append(procedure)
        return procedure
    ref = proc_ref(c, definition)
    inner = cast(ir.Procedure, ref.default)
    if not prologue:
        return inner
    procedure = ir.Procedure(
        name, inner.params, (), ir.Block((*prologue, ir.Perform(ref, (ir.Const(0, SEAT),), (), None)))
    )
    c.draft.procedures.append(procedure)
    return procedure


def _whenever_rules(c: Context) -> None:
    _keep_few_that_watch(c)
    for hook in c.merged.whenevers:
        rule = hook.rule
        if c.merged.is_removed("rule", rule.name):
            continue
        env = Env({}, None, c.names.things.get(hook.board) if hook.board else None, {}, hook.home, hook.board)
        var = domain = None
        params: tuple[ir.Var, ...] = (ir.Var("me", SEAT),)
        inside = env
        if rule.binder is not None:
            var, domain, inside = bind_name(c, rule.binder, env)
            params = (*params, ir.Var(var.name, var.kind))
        test = and_in_play(c, rule.moment.condition, inside)
        kind = var.kind if var is not None else None
        dims = () if kind is None or domain is None else (_watched_for(c, rule, kind, domain),)
        index = (kind,) if kind else ()
        each = (dims, index) if rule.once != "once" else ((), ())  # once in a game, whichever of them it is for
        state = Member(f"rule {rule.name}", "table", "flag", FLAG, *each, low=0, high=1, internal="rule")
        c.world.table[state.name] = state
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
            c.world.table[pending.name] = pending
        procedure = ir.Procedure(f"rule {rule.name}", params, (), None, rule.span, hook.home)
        c.draft.procedures.append(procedure)
        body_env = Env({}, ir.Use(params[0], SEAT), env.board, {}, hook.home, hook.board)
        if var is not None:
            body_env.names[var.name] = ir.Use(params[1], params[1].kind)
        with c.writing(procedure, Setting(procedure.name, (), None, [rule.name])):
            procedure.body = ir.Block((ir.Named(rule.name, write_block(c, rule.body, body_env)),))
        c.draft.watchers[rule.name] = ir.Watcher(
            rule.name, var, domain, test, rule.once is not None, state, procedure, rule.at_end_of, pending
        )


def _keep_few_that_watch(c: Context) -> None:
    """Told before any of them is written."""
    watching = c.merged.whenevers
    if len(watching) > MOST_WATCHING:
        c.faults.add("E529", watching[MOST_WATCHING].rule.span, f"{len(watching):,} rules have `whenever`; {MOST_WATCHING:,} are the most",
                     label="one rule `for each` of several watches for them all")  # fmt: skip
        c.faults.raise_if_errors()


def _watched_for(c: Context, rule: t.Rule, kind: Kind, domain: ir.Set) -> tuple[int, int]:
    """The lowest of those that a rule watches for, and how many there can be: what was true is kept for each."""
    fixed = c.world.domain(kind)
    if fixed is not None:
        return fixed
    low, high = Extents(c.world).element(domain)
    if high - low < MOST_WATCHED:
        return low, max(1, high - low + 1)
    c.faults.add("E507", rule.span, f"`{rule.name}` watches for each of more than {MOST_WATCHED:,}",
                 label="say for which, as in `for each n in 1 .. 9`")  # fmt: skip
    return 0, 1


def _everything_else(c: Context) -> None:
    """Also what nothing uses is checked."""
    for definition in [*c.definitions.values(), *c.members.values()]:
        if any(is_template(c, p) for p in params_of(c, definition)):
            continue
        if definition.what in ("value", "guard"):
            value_ref(c, definition)
        elif definition.what == "procedure" and definition.name != "setup":
            proc_ref(c, definition)


def _scoring(c: Context) -> ir.Procedure:
    me = ir.Var("me", SEAT)
    procedure = ir.Procedure("scoring", (me,), (), None)
    c.draft.procedures.append(procedure)
    made: list[ir.Stm] = []
    if not c.merged.scorings:
        c.faults.add("E214", None, "this game has no `scoring:`", label="say what each seat's score is made of")
    with c.writing(procedure, Setting("scoring", (), None, ["scoring"])):
        for item, home, board in c.merged.scorings:
            env = Env({}, None, c.names.things.get(board) if board else None, {}, home, board)
            body = write_block(c, item.body, env)
            if board:
                made.append(ir.If(in_play(c, board), body, NO_BLOCK, item.span))
            else:
                made.extend(body.body)
        current: list[ir.Stm] = [ir.Named("scoring", ir.Block(tuple(made)))]
        before: list[ir.Stm] = []
        after: list[ir.Stm] = []
        for hook in c.merged.hooks.get("scoring", []):
            env = Env(
                {},
                ir.Const(0, SEAT),
                c.names.things.get(hook.board) if hook.board else None,
                {},
                hook.home,
                hook.board,
            )
            if hook.rule.moment.what == "instead_of":
                current = instead(c, hook, env, current)
            else:
                (before if hook.rule.moment.what == "before" else after).extend(hook_body(c, hook, env))
    procedure.body = ir.Block((*before, *current, *after))
    return procedure


def _outlook(c: Context) -> bool:
    """Whether the rules say how well a seat stands: in a value of that name, which is an amount for one seat."""
    definition = c.definitions.get("outlook")
    if definition is None or definition.what != "value":
        return False
    kinds = [param_kind(c, param) for param in params_of(c, definition)]
    if kinds == [SEAT] and isinstance(definition.result, Kind) and definition.result.form == "number":
        return True
    said = f"it gives {definition.result}" if kinds == [SEAT] else f"it takes {_and(kinds)}"
    label = "write `value outlook(s: seat) -> …`, with a unit or `number`"
    c.faults.add("E318", definition.span, f"`outlook` says how well one seat stands, and {said}", label=label)
    return False


def _and(kinds: list[Kind]) -> str:
    """`nothing`, `a seat and a thing`."""
    return " and ".join(map(str, kinds)) or "nothing"


def _ranking(c: Context) -> tuple[tuple[ir.Function, bool], ...]:
    if c.merged.ranking is None:
        return ()
    item, home = c.merged.ranking
    made = []
    for key in item.keys:
        me = ir.Var("me", SEAT)
        score = c.world.seat["score"]
        env = Env({"total": ir.Read(score, (ir.Use(me, SEAT),), NUMBER)}, ir.Use(me, SEAT), None, {}, home)
        found = order_key(c, key, env)
        made.append((ir.Function("ranking", (me,), found.kind, found, key.span), key.direction == "highest"))
    return tuple(made)


def _invariant(c: Context, item: t.Invariant, home: str, board: str) -> ir.Function:
    env = Env({}, None, c.names.things.get(board) if board else None, {}, home, board)
    return ir.Function(item.name, (), FLAG, cond(c, item.condition, env), item.span, home=home)
