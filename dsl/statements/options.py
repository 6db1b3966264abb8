"""Menus and their options, with what other files add to them, restrict and take away."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from ichiba.dsl.meaning.arithmetic import negate
from ichiba.dsl.meaning.binding import bind_name, range_of
from ichiba.dsl.meaning.expressions import meaning_of
from ichiba.dsl.meaning.labels import label_of, plain_label
from ichiba.dsl.meaning.wanted import cond, elements, exp
from ichiba.dsl.names.blocks import NO_BLOCK, write_block
from ichiba.dsl.names.compatible import describe, fits
from ichiba.dsl.names.context import Asked, Context, Menus
from ichiba.dsl.names.emptiness import enter_loop
from ichiba.dsl.names.meanings import Env, MenuRef
from ichiba.dsl.names.members import me_here
from ichiba.dsl.names.narrowing import forget, narrow
from ichiba.dsl.names.sorts import kind_test
from ichiba.dsl.rules import ir
from ichiba.dsl.statements.choosing import decision_of
from ichiba.dsl.statements.costs import cost_of
from ichiba.dsl.statements.triggers import conditional, in_play, instead, resets_of
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, set_of

WAIT = "wait"  # in a race, the answer of whoever leaves it to others


def open_menu(c: Context, node: t.Menu, env: Env) -> list[ir.Stm]:
    name, ref = menu_path(c, node.path, env)
    if not name:
        return []
    seat = me_here(c, t.Name(node.span, "me"), env)
    c.setting.open_blocks.append(name)
    inside = env.inner()
    again = enter_loop(inside) if node.times != "once" else []
    forget(inside, node)
    condition = None
    if node.condition is not None:
        condition = cond(c, node.condition, inside)
        narrow(c.world, node.condition, inside)
    options = _menu_options(c, node.body, name, ref, inside)
    taken = ir.Var(f"{name}_taken", NUMBER)
    again.extend(move for option in options for move in option.body.body)
    c.setting.open_blocks.pop()
    times, count = node.times, exp(c, node.count, env, NUMBER) if node.count is not None else None
    if times in ("until_done", "at_least_once") and node.done is None:
        options.append(_done_option(c, name, t.Ask(node.span, None, None), None, times, taken, env))
    elif node.done is not None:
        options.append(_done_option(c, name, node.done, node.done_when, times, taken, env))
    prompt = _words_above(c, node.body, name, ref, env)
    if not options:
        c.faults.add("E312", node.span, f"the menu `{name}` has no options")
    otherwise = write_block(c, node.otherwise, env) if node.otherwise is not None else None
    decide = decision_of(c, name, seat, prompt, options, otherwise, env, node.span, menu=True)
    decide.only_choice = node.only_choice
    offer = ir.Offer(name, decide, times, count, taken, node.windows, condition)
    c.draft.menus.append((c.draft.current, Menus(offer, env)))
    return [*resets_of(c, name), ir.Named(name, ir.Block((offer,)))]


def _words_above(c: Context, body: t.MenuBlock | None, name: str, ref: MenuRef | None, env: Env) -> ir.Label:
    """The sentence that stands above its options: its own, or of whoever they belong to; else what it is called."""
    doc = body.doc if body is not None else c.merged.menu_docs.get(name)
    if doc is None and ref is not None:
        doc, env = _words_of_owner(c, name, ref), env.inner(board=ref.owner, board_name="")
    return label_of(c, doc, env) if doc is not None else plain_label(c, name.replace("_", " ").capitalize())


def _words_of_owner(c: Context, name: str, ref: MenuRef) -> t.Text | None:
    """That of a board where the rules say which one, else of its kind, or the nearest kind above that has one."""
    owner, kind = ref.owner, ref.owner.kind.name
    homes = [name for name, thing in c.names.things.items() if isinstance(owner, ir.Const) and thing == owner]
    while kind in c.world.kinds:
        homes.append(kind)
        kind = c.world.kinds[kind].parent
    return next((doc for home in homes if (doc := c.merged.menu_docs.get(f"{home}.{name}")) is not None), None)


def menu_path(c: Context, node: t.Expr, env: Env) -> tuple[str, MenuRef | None]:
    if isinstance(node, t.Name):
        return node.name, None
    found = meaning_of(c, node, env)
    if isinstance(found, MenuRef):
        return found.name, found
    if found is not None:
        c.fault("E302", node, f"{describe(c, found)} is no menu")
    return "", None


def _done_option(
    c: Context, name: str, ask: t.Ask, when: t.Expr | None, times: str, taken: ir.Var, env: Env
) -> ir.Option:
    tests: tuple[ir.Require, ...] = ()
    if times == "at_least_once":
        begun = ir.Op(">", (ir.Use(taken, NUMBER), ir.Const(0, NUMBER)), NUMBER)
        tests = (ir.Require(begun, ir.Label(("nothing has been done here yet",)), "", ask.span),)
    if when is not None:
        tests = (*tests, ir.Require(cond(c, when, env), None, f"{name}.done: when", when.span))
    label = label_of(c, ask.words, env) if ask.words is not None else plain_label(c, "Done")
    return ir.Option("done", ask.key or "done", label, (), tests, None, NO_BLOCK, f"{name}.done", False, True, ask.span)


def _menu_options(c: Context, body: t.MenuBlock | None, name: str, ref: MenuRef | None, env: Env) -> list[ir.Option]:
    """Its own options, those that other files add to it, and those of a kind or board."""
    c.merged.opened.add(name)
    options: list[ir.Option] = []
    if body is not None:
        for item in body.options:
            options.extend(write_options(c, item, name, env, env.home))
    for entry in c.merged.menu_options.get(name, ()):
        inside = env.inner(home=entry.home, board_name=entry.board)
        if entry.board:
            inside.board = c.names.things.get(entry.board)
        options.extend(write_options(c, entry.option, name, inside, entry.home))
    if ref is not None:
        options.extend(_board_options(c, name, ref, env))
    return options


def _board_options(c: Context, name: str, ref: MenuRef, env: Env) -> list[ir.Option]:
    """The options that kinds and boards have put into this menu of theirs."""
    made: list[ir.Option] = []
    owner = ref.owner
    for key, entries in c.merged.menu_options.items():
        home, _, menu = key.rpartition(".")
        if menu != name or not home:
            continue
        if home in c.world.kinds:
            test = (
                kind_test(c, owner, home)
                if c.world.is_kind(home, owner.kind.name) or c.world.is_kind(owner.kind.name, home)
                else None
            )
            kind = home if c.world.is_kind(home, owner.kind.name) else owner.kind.name
            board: ir.Exp = ir.Use(owner.var, Kind("thing", kind)) if isinstance(owner, ir.Use) else owner
        else:
            const = c.names.things.get(home)
            if const is None or not fits(c, const.kind, owner.kind):
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
            made.extend(write_options(c, entry.option, f"{home}.{name}", inside, entry.home, only))
    return made


def write_options(
    c: Context, item: t.Option, menu: str, env: Env, home: str, first: tuple[ir.Require, ...] = ()
) -> list[ir.Option]:
    address = f"{menu}.{item.name}"
    c.merged.written[address] = None
    replaced = c.merged.replaced_options.get(address)
    if replaced is not None:
        item, home, board = replaced
        env = env.inner(home=home, board_name=board)
    if c.merged.is_removed("option", address):
        return []
    inside = env.inner()
    tests: list[ir.Require] = list(first)
    if env.board_name:
        alive = in_play(c, env.board_name)
        if not isinstance(alive, ir.Const):
            tests.append(
                ir.Require(alive, plain_label(c, f"{env.board_name.replace('_', ' ')} is not in play"), "", item.span)
            )
    binds = []
    for binder in item.binders:
        binds.append(_option_binder(c, binder, inside))
    if item.when is not None:
        tests.append(ir.Require(cond(c, item.when, inside), None, f"{address}: when", item.when.span))
        narrow(c.world, item.when, inside)
    if item.once_per is not None:
        tests.append(_once_per(c, address, item))
    for restrict, restrict_home, restrict_board in c.merged.restricts.get(address, ()):
        tests.extend(_restrict(c, restrict, inside, restrict_home, restrict_board))
    body: list[ir.Stm] = []
    if item.once_per is not None:
        member = c.draft.once_flags[address]
        body.append(ir.Write(ir.Read(member, (), FLAG), ir.Const(1, FLAG), None))
    if item.cost is not None:
        demands, pay = cost_of(c, item.cost, inside)
        tests.extend(demands)
        body.extend(pay.body)
        inside.done.extend(pay.body)
    keys = tuple(exp(c, key, inside) for key in item.keys) or None
    label = (
        label_of(c, item.ask.words, inside)
        if item.ask.words is not None
        else plain_label(c, item.name.replace("_", " ").capitalize())
    )
    own = write_block(c, item.body, inside)
    body.extend(_option_hooks(c, address, own, inside))
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


def _option_binder(c: Context, binder: t.Binder, inside: Env) -> ir.Bind:
    if binder.top is not None:
        domain: ir.Set = range_of(c, binder.domain, binder.top, binder.step, inside)
    else:
        domain = elements(c, binder.domain, inside)
    var = ir.Var(binder.name, domain.kind.of or NUMBER)
    inside.names[binder.name] = ir.Use(var, var.kind)
    inside.found(var, domain)
    test = None
    if binder.where is not None:
        test = cond(c, binder.where, inside)
        narrow(c.world, binder.where, inside)
    return ir.Bind(var, domain, test, binder.where.span if binder.where is not None else None)


def _once_per(c: Context, address: str, item: t.Option) -> ir.Require:
    c.draft.moments[cast(str, item.once_per), item.span] = None
    test = negate(c, ir.Read(c.draft.once_flags[address], (), FLAG))
    return ir.Require(
        test,
        plain_label(c, f"only once per {cast(str, item.once_per).replace('_', ' ')}"),
        f"{address}: once",
        item.span,
    )


def _restrict(c: Context, restrict: t.Restrict, env: Env, home: str, board: str) -> list[ir.Require]:
    inside = env.inner(home=home, board_name=board)
    if board:
        inside.board = c.names.things.get(board)
    made: list[ir.Require] = []
    applies: ir.Exp = ir.Const(1, FLAG)
    if restrict.when is not None:
        applies = cond(c, restrict.when, inside)
        narrow(c.world, restrict.when, inside)
    for require in restrict.requires:
        test = cond(c, require.condition, inside)
        if not (isinstance(applies, ir.Const) and applies.value):
            test = ir.Op("or", (negate(c, applies), test), FLAG)
        reason = label_of(c, require.reason, inside) if require.reason is not None else None
        made.append(ir.Require(test, reason, f"restrict {restrict.path}", require.span))
    return made


def _option_hooks(c: Context, address: str, own: ir.Block, env: Env) -> list[ir.Stm]:
    hooks = c.merged.hooks.get(address, [])
    current: list[ir.Stm] = list(own.body)
    before: list[ir.Stm] = []
    after: list[ir.Stm] = []
    for hook in hooks:
        inside = env.inner(home=hook.home, board_name=hook.board)
        if hook.board:
            inside.board = c.names.things.get(hook.board)
        if hook.rule.moment.what == "instead_of":
            current = instead(c, hook, inside, current)
        else:
            (before if hook.rule.moment.what == "before" else after).extend(conditional(c, hook.rule, inside))
    if not hooks:
        return current
    return [*before, ir.Named(address, ir.Block(tuple(current))), *after]


# ------------------------------------------------------------------------------------------------- races


def open_race(c: Context, node: t.Race, env: Env) -> list[ir.Stm]:
    """Whoever answers first does what follows. Those who are asked are kept by seat; one after the other is drawn among
    those who are left, and asked."""
    left = ir.Var(f"left in {node.menu}", NUMBER, c.world.config.seats, (SEAT,))
    asked, domain, _ = bind_name(c, node.binder, env.inner())
    if domain.kind.of != SEAT:
        c.fault("E301", node.binder.domain, f"seats answer a question, not {domain.kind}")
        return []
    drawn = ir.Var(ir.RACE, SEAT)
    decide = _question(c, node, left, drawn, env)
    otherwise = write_block(c, node.otherwise, env).body if node.otherwise is not None else ()
    going = ir.Aggregate("any", _still_asked(c, left), ir.Var("s", SEAT), None, FLAG)
    one = ir.Block((ir.Pick(drawn, _still_asked(c, left), node.span, race=True), decide))
    race = (
        *resets_of(c, node.menu),
        ir.Assign(left, ir.Const(0, NUMBER), node.span),
        ir.For(asked, domain, False, ir.Block((ir.Assign(left, ir.Const(1, NUMBER), node.span, ir.Use(asked, SEAT)),)), node.span),
        ir.Repeat(ir.Const(c.world.config.seats, NUMBER), going, one, node.span),
        *otherwise,
    )
    return [ir.Named(node.menu, ir.Block(race))]


def _still_asked(c: Context, left: ir.Var) -> ir.Set:
    """The seats that have neither answered nor waited, from 1 up."""
    everyone = ir.Listed(tuple(ir.Const(s, SEAT) for s in range(c.world.config.seats)), set_of(SEAT))
    seat = ir.Var("s", SEAT)
    asked = ir.Op("=", (ir.Use(left, NUMBER, ir.Use(seat, SEAT)), ir.Const(1, NUMBER)), FLAG)
    return ir.Filtered(everyone, seat, asked, everyone.kind)


def _question(c: Context, node: t.Race, left: ir.Var, drawn: ir.Var, env: Env) -> ir.Decide:
    """What the drawn seat is asked: its options, each of which ends the race, and to wait."""
    name, me = node.menu, ir.Use(drawn, SEAT)
    inside = env.inner(me=me)
    inside.names[node.binder.name] = me
    c.setting.open_blocks.append(name)
    options = _menu_options(c, node.body, name, None, inside)
    doc = node.body.doc or c.merged.menu_docs.get(name)
    prompt = label_of(c, doc, inside) if doc is not None else plain_label(c, name.replace("_", " ").capitalize())
    c.setting.open_blocks.pop()
    if not options:
        c.faults.add("E312", node.span, f"nobody can answer `{name}`: it has no options")
    for option in options:
        if WAIT in (option.name, option.key):
            label = "every race has it by itself: give this one another name, and a `key` of its own"
            c.faults.add("E531", option.span, f"two answers to one question have the key `{WAIT}`", label=label)
    over = ir.Leave(name, node.span)
    ending = [replace(option, body=ir.Block((*option.body.body, over))) for option in options]
    waited = ir.Block((ir.Assign(left, ir.Const(2, NUMBER), node.span, me),))
    wait = ir.Option(WAIT, WAIT, plain_label(c, "Wait"), (), (), None, waited, f"{name}.{WAIT}", span=node.span)
    decide = ir.Decide(name, me, prompt, [*ending, wait], None, False, False, True, node.span, left=left)
    c.draft.asked.append(Asked(decide, env.inner()))
    return decide
