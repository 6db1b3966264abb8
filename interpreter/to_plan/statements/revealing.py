"""`reveal`: what a secret block has written becomes real for all."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of, steps
from ichiba.dsl.world.kinds import NUMBER
from ichiba.dsl.world.world import Member, indexes, owner_position
from ichiba.interpreter.flow.mentions import plain_words, secret_members
from ichiba.interpreter.flow.pieces import Secret
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.context.tables import kind_ref
from ichiba.interpreter.to_plan.values.places import member_place, place_from
from ichiba.interpreter.to_plan.values.zones import possible_zones


def reveal(c: Context, s: ir.Reveal) -> None:
    """`reveal`: what a block wrote there is real for all from now on, and the log says what lies there."""
    written = len(c.out.lines)
    if s.var is not None:
        _open_with_block(c, s.var, None, s)
        if c.trace:
            first, stride = c.secrets.answers[s.var]
            values = say("[S[{} + k * {}] for k in range({})]", first, stride, c.world.config.seats)
            told = [
                p.Word(plain_words(s.var.name)),
                values,
                kind_ref(c, s.var.kind),
                p.Cell(p.Num(c.secrets.asked[s.var])),
            ]
            c.out.line("C.reveal(S, {*})", told)
    elif s.zone is not None:
        _reveal_zone(c, s.zone, s)
    elif s.member is not None:
        _reveal_member(c, s.member, s)
    if len(c.out.lines) == written:
        c.out.line("pass")


def _reveal_member(c: Context, member: Member, s: ir.Reveal) -> None:
    """All places of a member, or those that are named."""
    for at in [None] if s.places is None or member not in c.secrets.flags else s.places:
        _open_member(c, member, at, s)
    if c.trace and s.places is None:
        there = say("range({}, {}, {})", member.base, member.base + member.size, member.width or 1)
        c.out.line("C.reveal_member(S, {}, {})", p.Word(member.full_name), there)
    elif c.trace:
        those = [member_place(c, member, at) for at in s.places or ()]
        c.out.line("C.reveal_member(S, {}, [{*}])", p.Word(member.full_name), those)


def _reveal_zone(c: Context, zone: ir.Exp, s: ir.Reveal) -> None:
    """A zone that is known only when it happens."""
    here = new_name(c, "zone")
    c.out.line("{} = {}", here, lower(c, zone))
    for member in dict.fromkeys(possible_zones(c, zone)):
        if member in c.secrets.flags:
            for at in indexes(member):
                with c.out.under("if {} == {}:", here, member.place(at)):
                    _open_member(c, member, tuple(ir.Const(value, NUMBER) for value in at), s)
    if c.trace:
        c.out.line("C.reveal_zone(S, {})", here)


def _open_member(c: Context, member: Member, at: tuple[ir.Exp, ...] | None, s: ir.Reveal) -> None:
    """One place of a member, or all of them."""
    if member not in c.secrets.flags:
        return
    if member not in c.facts.hidden:
        set_open(c, member, at, 2)
    elif not any(_is_within(s, secret) for secret in c.flow.secrets):
        set_open(c, member, None, 0)  # as hidden as declared; what is named the log shows until the next answer
    owner = owner_position(member)
    _open_with_block(c, member, None if at is None or owner is None else at[owner], s)


def _open_with_block(c: Context, key: object, owner: ir.Exp | None, s: ir.Reveal) -> None:
    """What the same block has written is real again as well, of that seat or of all: open, or hidden as declared.
    While the block is running only what is named is opened."""
    if isinstance(key, ir.Var) and key in c.secrets.flags:
        c.out.line("S[{}] = 1", c.secrets.flags[key])
    for secret in c.flow.secrets:
        members = secret_members(secret, c.flow)
        if (key in secret.exports or key in members) and not _is_within(s, secret):
            for member in members:
                if member in c.facts.hidden:
                    set_open(c, member, None, 0)
                else:
                    _set_open_of(c, member, owner)


def _is_within(s: ir.Reveal, secret: Secret) -> bool:
    """Whether this is done inside of a secret block."""
    todo, seen = [secret.statement.body], set[ir.Procedure]()
    while todo:
        for node in steps(todo.pop()):
            if node is s:
                return True
            if isinstance(node, ir.Perform):
                new = [one for one in procedures_of(node.procedure) if one not in seen and one.body is not None]
                seen.update(new)
                todo += [one.body for one in new if one.body is not None]
    return False


def set_open(c: Context, member: Member, at: tuple[ir.Exp, ...] | None, status: int) -> None:
    """Whether others see it as it is: 0 as declared, 1 as it was before, 2 open."""
    first = c.secrets.flags[member]
    if member not in c.layout.singly:
        c.out.line("S[{}] = {}", first, status)
    elif at is None:
        _set_all(c, member, status)
    else:
        c.out.line("S[{}] = {}", place_from(c, member, at, first, 1), status)


def _set_open_of(c: Context, member: Member, owner: ir.Exp | None) -> None:
    """All places of a member, or those of one seat."""
    position = owner_position(member)
    if owner is None or position is None or member not in c.layout.singly:
        set_open(c, member, None, 2)
    else:
        seat = new_name(c, "owner")
        c.out.line("{} = {}", seat, lower(c, owner))
        for at in indexes(member):
            c.out.line("if {} == {}: S[{}] = 2", seat, at[position], c.layout.open_flag(member, member.place(at)))


def _set_all(c: Context, member: Member, status: int) -> None:
    first = c.secrets.flags[member]
    for flag in range(first, first + member.size // (member.width or 1)):
        c.out.line("S[{}] = {}", flag, status)
