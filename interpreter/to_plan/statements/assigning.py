"""Assignments to names, members and scores: `let x be 3` becomes the line `S[7] = 3`."""

from __future__ import annotations

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Member
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ONE, ZERO, call, place, plus
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import name_of
from ichiba.interpreter.to_plan.context.tables import fixed_table, kind_ref
from ichiba.interpreter.to_plan.context.writing import fault
from ichiba.interpreter.to_plan.expressions.arithmetic import too_large
from ichiba.interpreter.to_plan.sets.sets import list_of


def assign(c: Context, s: ir.Assign) -> None:
    """`let x be …`: into a name, a place of the state, or one or all entries of a row."""
    var = s.var
    if s.at is not None:
        c.out.line("{} = {}", lower(c, ir.Use(var, var.kind, s.at)), stored_value(c, s.value))
    elif var.width > 1:
        value = lower(c, s.value)
        if var in c.names:
            c.out.line("{} = [{}] * {}", c.names[var], value, var.width)
        else:
            first = c.layout.slot(var)
            c.out.line("S[{}:{}] = [{}] * {}", first, first + var.width, value, var.width)
    else:
        c.out.line("{} = {}", name_of(c, var), stored_value(c, s.value))


def stored_value(c: Context, e: ir.Exp) -> p.Exp:
    """A value as the state stores it: conditions as 0 or 1, sums that could be too large checked by `big`."""
    made = lower(c, e)
    if isinstance(e, ir.Op) and e.op in ("+", "-") and e.kind.form == "number" and too_large(c, e):
        if not any(isinstance(arg, ir.Const) and abs(arg.value) < 10**6 for arg in e.args):
            return call("big", made)
    if e.kind.form == "flag" and not isinstance(e, ir.Const | ir.Read | ir.Use | ir.Lookup):
        return p.Choice(made, ONE, ZERO)
    return made


def check_owners(c: Context, at: tuple[ir.Exp, ...], span: Span | None) -> None:
    """A fault in play where an owner is `none`: its number, -1, would lead to a place of somebody else."""
    for owner in at:
        if owner.kind.optional and owner.kind.form in ("seat", "thing", "piece") and not isinstance(owner, ir.Const):
            c.out.line("if {} < 0: {}", lower(c, owner), fault(c, "this is none, so it has nothing", span))


def write_member(c: Context, s: ir.Write) -> None:
    """A counter, a flag or a note gets a value. Beyond its range a counter that `stops` stays at the end; others are a fault."""
    check_owners(c, s.place.at, s.span)
    member = s.place.member
    there = lower(c, s.place)
    value = s.value
    low, high = member.low, member.high
    if (
        member.form != "counter"
        or low is not None
        and high is not None
        and low <= c.extents.value(value)[0]
        and c.extents.value(value)[1] <= high
    ):
        c.out.line("{} = {}", there, stored_value(c, value))
    elif "stops" in member.words:
        c.out.line("v = {}", lower(c, value))
        assert low is not None and high is not None
        c.out.line("{} = {} if v < {} else {} if v > {} else v", there, low, low, high, high)
    else:
        c.out.line("v = {}", lower(c, value))
        left = fault(c, f"`{member.name}` would leave its range of {low} to {high}", s.span)
        assert low is not None and high is not None
        c.out.line("if not {} <= v <= {}: {}", low, high, left)
        c.out.line("{} = v", there)
    tell_effect(c, f"{member.full_name}", s.span)


def reset_member(c: Context, member: Member) -> None:
    """A member gets back the value that it has at the start, for every owner."""
    first = dict(c.layout.starts).get(member.base, 0)
    if member.size == 1:
        c.out.line("S[{}] = {}", member.base, first)
    else:
        c.out.line(
            "S[{}:{}] = {}",
            member.base,
            member.base + member.size,
            fixed_table(c, tuple([first] * member.size), "reset"),
        )


def score(c: Context, s: ir.Score) -> None:
    """Points for a seat; who traces the game is given the label of the line as well."""
    member = c.world.seat["score"]
    seat, value = lower(c, s.seat), lower(c, s.value)
    if c.trace:  # before it counts: a line may be worked out from the lines above it
        c.out.line("C.score(S, {}, {}, {})", seat, _label_of(c, s.label), value)
    c.out.line("S[{}] += {}", place([seat, member.base]), value)


def tell_effect(c: Context, what: str, span: Span | None) -> None:
    """Where the game is traced: a line that reports an effect, as `move`, with its place in the rules."""
    if c.trace:
        c.numbered.effects.append((what, span))
        c.out.line("C.effect(S, {})", len(c.numbered.effects) - 1)


def _label_of(c: Context, label: ir.Label) -> p.Exp:
    """The text of a label, put together in play."""
    parts: list[p.Exp] = []
    for part in label.parts:
        if isinstance(part, str):
            parts.append(p.Word(part))
        elif isinstance(part, ir.Aggregate) and part.how == "list":
            element = part.set.kind.of or part.kind
            parts.append(say("C.names({}, {})", list_of(c, part.set, each=True), kind_ref(c, element)))
        else:
            parts.append(say("C.words_of({}, {})", lower(c, part), kind_ref(c, part.kind)))
    return plus(parts) if parts else p.Word("")
