"""Secret blocks: every seat answers in its own time, and others see what was there before."""

from __future__ import annotations

from ichiba.interpreter import layout as places
from ichiba.interpreter.flow.mentions import secret_members
from ichiba.interpreter.flow.pieces import Secret
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.context.writing import define, end
from ichiba.interpreter.to_plan.course.pieces import piece_number
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.statements.revealing import set_open
from ichiba.interpreter.to_plan.values.zones import possible_zones


def write_secret(c: Context, secret: Secret) -> None:
    """Every seat goes to its first question; then they are asked from the lowest on."""
    number, n = c.flow.secrets.index(secret), c.world.config.seats
    me = c.layout.slot(secret.statement.me)
    define(c, f"enter_{secret.site.number}", [p.S, p.C])
    for member in secret_members(secret, c.flow):
        kept, size = c.secrets.snapshots[member], member.size
        c.out.line("S[{}:{}] = S[{}:{}]", kept, kept + size, member.base, member.base + size)
        set_open(c, member, None, 1)
    for var in secret.exports:
        c.out.line("S[{}] = 0", c.secrets.flags[var])
    c.out.line("S[{}] = {}", places.SECRET, number)
    c.out.line("S[{}:{}] = {}", secret.waiting, secret.waiting + n, fixed_table(c, tuple([0] * n), "nobody"))
    seat = p.Name(new_name(c, "seat"))
    c.out.line("S[{}] = 0", secret.asked)
    with c.out.under("for {} in {}:", seat, list_of(c, secret.statement.seats)):
        c.out.line("S[{}] |= 1 << {}", secret.asked, seat)
        c.out.line("S[{}] = {}", me, seat)
        first = piece_number(c, secret.entry)
        c.out.line("S[{}] = max(0, to_question(S, C, {}) + 1)", place([seat, secret.waiting]), first)
        _put_back(c, secret, seat)
    c.out.line("S[{}] = 0", places.LOADED)
    c.out.line("return {}(S)", f"next_{number}")
    end(c)
    _write_next_seat(c, secret, number, n)
    _write_load(c, secret, number, me)


def _write_next_seat(c: Context, secret: Secret, number: int, n: int) -> None:
    """The lowest seat that has still to answer, or on when all have."""
    define(c, f"next_{number}", [p.S])
    with c.out.under("for seat in range({}):", n):
        c.out.line("if S[{} + seat]: return {}(S, seat)", secret.waiting, f"load_{number}")
    members = secret_members(secret, c.flow)
    if not _revealed(c) & {*members, *secret.exports}:  # no rule will reveal it: it is real when all have answered
        for member in members:
            set_open(c, member, None, 0)
    c.out.line("return {}", piece_number(c, secret.after))
    end(c)
    define(c, f"done_{number}", [p.S])
    c.out.line("seat = S[{}] - 1", places.LOADED)
    _put_back(c, secret, p.Name("seat"))
    c.out.line("S[{} + seat] = 0", secret.waiting)
    c.out.line("S[{}] = 0", places.LOADED)
    c.out.line("return {}(S)", f"next_{number}")
    end(c)


def _revealed(c: Context) -> set[object]:
    """Whatever some rule reveals by its name."""
    found: set[object] = set()
    for s in c.facts.reveals:
        found |= set(possible_zones(c, s.zone)) if s.zone is not None else {s.var or s.member}
    return found


def _write_load(c: Context, secret: Secret, number: int, me: int) -> None:
    """Loads this seat's answers; those of the seat before are put back first."""
    seat = p.Name("seat")
    define(c, f"load_{number}", [p.S, seat])
    c.out.line("old = S[{}] - 1", places.LOADED)
    c.out.line("if old == seat: return S[{}]", places.PC)
    with c.out.under("if old >= 0:"):
        c.out.line("S[{} + old] = S[{}] + 1", secret.waiting, places.PC)
        _put_back(c, secret, p.Name("old"))
    c.out.line("S[{}] = seat + 1", places.LOADED)
    c.out.line("S[{}] = seat", me)
    size = len(secret.places)
    if size:
        c.out.line("a = {}", _answers_of_seat(secret, seat))
    if size and _is_contiguous(secret.places):
        c.out.line("S[{}:{}] = S[a:a + {}]", secret.places[0], secret.places[0] + size, size)
    elif size:
        c.out.line("for k, p in enumerate({}): S[p] = S[a + k]", fixed_table(c, tuple(secret.places), "secret_places"))
    c.out.line("S[{}] = S[{} + seat] - 1", places.PC, secret.waiting)
    c.out.line("return S[{}]", places.PC)
    end(c)


def _is_contiguous(found: list[int]) -> bool:
    return bool(found) and found == list(range(found[0], found[0] + len(found)))


def _answers_of_seat(secret: Secret, seat: p.Exp) -> p.Exp:
    size = len(secret.places)
    return place([secret.area, p.Op("*", seat, p.Num(size)) if size > 1 else seat])


def _put_back(c: Context, secret: Secret, seat: p.Exp) -> None:
    """The answers at work go back to where this seat's answers lie."""
    size = len(secret.places)
    if not size:
        c.out.line("pass")
        return
    c.out.line("a = {}", _answers_of_seat(secret, seat))
    if _is_contiguous(secret.places):
        c.out.line("S[a:a + {}] = S[{}:{}]", size, secret.places[0], secret.places[0] + size)
    else:
        c.out.line("for k, p in enumerate({}): S[a + k] = S[p]", fixed_table(c, tuple(secret.places), "secret_places"))
