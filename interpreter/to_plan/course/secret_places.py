"""Where the answers of secret blocks stand."""

from __future__ import annotations

from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Member
from ichiba.interpreter.flow.mentions import secret_members, variables_of, variables_of_end
from ichiba.interpreter.flow.pieces import (
    Ask,
    Branch,
    Call,
    End,
    Enter,
    Finish,
    Goto,
    Piece,
    Return,
    Secret,
    SecretDone,
)
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.values.zones import possible_zones


def _open_singly(c: Context) -> None:
    """Where a rule reveals only some places of what a block writes, each place of the block opens by itself."""
    partly: set[Member] = set()
    for shown in c.facts.reveals:
        if shown.zone is not None:
            partly |= set(possible_zones(c, shown.zone))
        elif shown.member is not None and shown.places is not None:
            partly.add(shown.member)
    for secret in c.flow.secrets:
        members = secret_members(secret, c.flow)
        if partly & set(members):
            c.layout.singly |= set(members) - c.facts.hidden


def place_secrets(c: Context) -> None:
    """Room for the answers of every seat, for who has answered, and for what was there before."""
    seats, once = c.world.config.seats, c.layout.once
    _open_singly(c)
    for secret in c.flow.secrets:
        secret.variables = variables = [var for var in secret_variables(c, secret) if var in c.layout.slots]
        secret.exports = [var for var in variables if var.per_seat]
        secret.places = [c.layout.slot(var) + k for var in variables for k in range(var.width)]
        secret.waiting = once((secret, "waiting"), seats, "waiting in secret")
        secret.asked = once((secret, "asked"), 1, "asked in secret")
        secret.area = once((secret, "area"), seats * max(1, len(secret.places)), "secret answers")
        _note_answers(c, secret)
        for var in secret.exports:
            c.secrets.flags[var] = once(("revealed", var), 1, f"revealed {var.name}")
        for member in secret_members(secret, c.flow):
            if member not in c.secrets.flags:
                flags = member.size // (member.width or 1) if member in c.layout.singly else 1
                c.secrets.flags[member] = once(("revealed", member), flags, f"revealed {member.full_name}")
                c.secrets.snapshots[member] = once(("before", member), member.size, f"before {member.full_name}")
        c.layout.slot(secret.statement.me)


def find_secret_places(c: Context) -> None:
    """Where answers stand in a module that has been made."""
    for secret in c.flow.secrets:
        _note_answers(c, secret)


def _note_answers(c: Context, secret: Secret) -> None:
    at = 0
    for var in secret.variables:
        if var.per_seat:
            c.secrets.answers[var] = (secret.area + at, len(secret.places))
            c.secrets.asked[var] = secret.asked
            if _asks_all(c, secret):
                c.secrets.all_asked.add(var)
        at += var.width


def _asks_all(c: Context, secret: Secret) -> bool:
    """Whether it is plain that every seat goes through a secret block."""
    seats, everybody = secret.statement.seats, set(range(c.world.config.seats))
    return isinstance(seats, ir.Listed) and everybody <= {s.value for s in seats.items if isinstance(s, ir.Const)}


def secret_variables(c: Context, secret: Secret) -> list[ir.Var]:
    """Everything in the state that the body of a secret block works with, procedures included."""
    found: dict[ir.Var, None] = {}
    todo, seen = [secret.entry], set[Piece]()
    while todo:
        piece = todo.pop()
        if piece not in seen:
            seen.add(piece)
            after, brought = _after(c, piece.end)
            todo += after
            found.update(dict.fromkeys((*variables_of(piece), *variables_of_end(piece.end), *brought)))
    found.pop(secret.statement.me, None)
    return list(found)


def _after(c: Context, end: End | None) -> tuple[list[Piece], list[ir.Var]]:
    """The pieces that may follow, and the variables that are known on the way there."""
    match end:
        case Goto(piece=after):
            return [after], []
        case Branch(yes=yes, no=no):
            return [yes, no], []
        case Call(perform=perform, after=after):
            ways = (perform.procedure.default, *perform.procedure.cases.values())
            asking = [one for one in ways if one is not None and one in c.flow.entries]
            brought = [var for one in asking for var in (*one.params, *one.results, c.flow.returns[one])]
            return [after, *(c.flow.entries[one] for one in asking)], brought
        case Ask(site=site):
            options = site.decide.options if isinstance(site.decide, ir.Decide) else ()
            others = [one for one in (site.otherwise, site.after) if one is not None]
            return [*site.bodies, *others], [bind.var for option in options for bind in option.binds]
        case Return() | Enter() | SecretDone() | Finish() | None:
            return [], []
        case _:
            assert_never(end)
