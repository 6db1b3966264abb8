"""Windows: options that are free to take in every menu of a procedure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ichiba.dsl.meaning.labels import plain_label
from ichiba.dsl.meaning.wanted import cond
from ichiba.dsl.names.context import Context, Menus, Setting
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.names.merging import WindowEntry
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import performed, procedures_of, steps
from ichiba.dsl.statements.options import write_options
from ichiba.dsl.statements.procedures import proc_ref
from ichiba.dsl.world.kinds import FLAG, NUMBER

MOST_BROUGHT = 20_000


def join_windows(c: Context) -> None:
    """Free actions join every menu of the procedure in which they are open; not those that they open themselves, nor in secret."""
    menus = [(procedure, menu) for procedure, menu in c.draft.menus if menu.offer.windows != "none" and not menu.env.secret]
    in_secret = _performed_in_secret(c)
    brought = 0
    during: dict[str | None, set[ir.Procedure]] = {}
    for name, window in c.merged.windows.items():
        if window.during not in during:
            during[window.during] = _reachable(c, window.during)
        reachable = during[window.during]
        for procedure, menu in menus:
            if window.during and procedure not in reachable:
                continue
            if procedure in in_secret:
                menu_name = menu.offer.name
                c.faults.add(
                    "E524", menu.offer.decide.span, f"free actions of `{name}` could be taken in secret, where `{menu_name}` is opened",
                    label=f"`menu {menu_name}, no windows`",
                )  # fmt: skip
            else:
                for option in _join(c, name, window, procedure, menu):
                    brought += sum(1 for _ in steps(option))
                if brought > MOST_BROUGHT:
                    message = f"windows bring more than {MOST_BROUGHT:,} sentences to menus"
                    label = "say where it is open: `during`, or `menu …, no windows`"
                    c.faults.add("E529", menu.offer.decide.span, message, label=label)
                    c.faults.raise_if_errors()


def _performed_in_secret(c: Context) -> set[ir.Procedure]:
    """What secret blocks perform."""
    blocks = [s.body for p in c.draft.procedures if p.body is not None for s in steps(p.body) if isinstance(s, ir.Secret)]
    return _all_performed(p for block in blocks for ref in performed(block) for p in procedures_of(ref))


def _join(c: Context, name: str, window: WindowEntry, procedure: ir.Procedure | None, menu: Menus) -> list[ir.Option]:
    """The options that it has brought to a menu."""
    found = window
    seat = menu.offer.decide.seat
    tests: list[ir.Require] = []
    mark = c.draft.phases.get(found.during) if found.during else None
    if mark is not None:
        place = ir.Read(mark.member, (), mark.member.kind)
        tests.append(ir.Require(ir.Op("=", (place, seat), FLAG), plain_label(c, "only in your own turn"), "", None))
    if menu.offer.windows == "after_first":
        first = ir.Op(">", (ir.Use(menu.offer.taken, NUMBER), ir.Const(0, NUMBER)), FLAG)
        tests.append(ir.Require(first, plain_label(c, "only after the first option here"), "", None))
    base = Env({}, seat, None, {}, found.home)
    if found.when is not None:
        tests.append(ir.Require(cond(c, found.when, base), None, f"{name}: when", found.when.span))
    ends = [o for o in menu.offer.decide.options if o.ends]
    own = [o for o in menu.offer.decide.options if not o.ends]
    brought: list[ir.Option] = []
    with c.writing(cast(ir.Procedure, procedure), Setting(name)):
        for entry in found.options:
            inside = base.inner(home=entry.home, board_name=entry.board)
            if entry.board:
                inside.board = c.names.things.get(entry.board)
            for option in write_options(c, entry.option, name, inside, entry.home, tuple(tests)):
                brought.append(_as_free(c, option))
    menu.offer.decide.options[:] = [*own, *brought, *ends]
    return brought


def _as_free(c: Context, option: ir.Option) -> ir.Option:
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


def _reachable(c: Context, during: str | None) -> set[ir.Procedure]:
    if during is None:
        return set(c.draft.procedures)
    definition = c.definitions.get(during)
    if definition is None:
        return set()
    return _all_performed([cast(ir.Procedure, proc_ref(c, definition).default)])


def _all_performed(procedures: Iterable[ir.Procedure]) -> set[ir.Procedure]:
    """These, and what they perform."""
    todo, found = list(procedures), set[ir.Procedure]()
    while todo:
        procedure = todo.pop()
        if procedure in found:
            continue
        found.add(procedure)
        if procedure.body is not None:
            for ref in performed(procedure.body):
                todo.extend(procedures_of(ref))
    return found
