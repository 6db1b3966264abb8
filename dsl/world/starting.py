"""What a place holds before the setup: a value of its own kind, or it is a fault."""

from __future__ import annotations

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.constant import CannotWorkOut, Scope, evaluate
from ichiba.dsl.world.given import named_values
from ichiba.dsl.world.kinds import FLAG, SEAT, Kind, unit_of
from ichiba.dsl.world.world import Member

_NAMED = ("thing", "seat", "piece", "sort", "enum")  # nothing yet, as long as nothing is said
_DECIDED = ("<", "<=", ">", ">=", "=", "!=", "and", "or", "not")


def start_of(member: Member, scope: Scope, faults: Faults) -> int:
    """The value a place has before the setup."""
    start = member.start
    if start is None:
        if member.form == "counter" and member.low is not None:
            return max(member.low, 0) if member.low <= 0 <= (member.high or 0) else member.low
        named = member.form in ("remember", "note") and (member.kind.optional or member.kind.form in _NAMED)
        return -1 if named else 0
    try:
        return of_kind(start, FLAG if member.form == "flag" else member.kind, scope)
    except CannotWorkOut as fault:
        fault.tell(faults)
        return 0


def of_kind(start: t.Expr, kind: Kind, scope: Scope) -> int:
    """`$3`, `quick`, `none`, `left`, `moon`, `seat(1)`, `stall(2)`: what is known before the game, of this kind."""
    if kind.form not in ("flag", *_NAMED):
        return evaluate(start, scope, unit_of(kind))
    found = _condition(start, scope) if kind.form == "flag" else _named(start, kind, scope)
    if found is None and isinstance(start, t.Name) and kind.form != "flag":
        if kind.form == "seat" and start.name in scope.world.options and scope.world.options[start.name][1] == SEAT:
            label = f"begin with `seat(1)`, and say `set … to {start.name}` in `setup:`"
            raise CannotWorkOut("E205", start.span, f"`{start.name}` is chosen when the game begins, too late for this", label)
        values = scope.world.values(kind) if kind.form not in ("piece", "seat") else ()
        hint = nearest(start.name, [scope.world.name_of(value, kind) for value in values])
        label = f"did you mean `{hint}`?" if hint else f"{kind.plain} is needed" + _such_as(kind, scope)
        raise CannotWorkOut("E205", start.span, f"`{start.name}` is not {kind.plain}", label)
    if found is None:
        raise CannotWorkOut("E301", start.span, f"it cannot begin with `{start.span.text}`", f"{kind.plain} is needed" + _such_as(kind, scope))
    return found


def _condition(start: t.Expr, scope: Scope) -> int | None:
    match start:
        case t.Name(name="true" | "yes" | "false" as name):
            return int(name != "false")
        case t.Name(name=name) if name in scope.world.options and scope.world.options[name][1] == FLAG:
            return evaluate(start, scope)
        case t.Operation(op=op) if op in _DECIDED:
            return evaluate(start, scope)
        case t.IsA():
            return evaluate(start, scope)
        case _:  # any other: it is no condition
            return None


def _named(start: t.Expr, kind: Kind, scope: Scope) -> int | None:
    """A seat, a thing, a sort or a word; or what was chosen for an option of that kind."""
    world = scope.world
    match start:
        case t.NoneWord():
            return -1
        case t.Call(what=t.Name(name=name), args=(number,)) if name == kind.name or name == kind.form == "seat":
            values = world.values(kind)
            place = evaluate(number, scope)
            return values[place - 1] if 0 < place <= len(values) else None
        case t.Name(name=name):
            if named := named_values(world, kind, name):
                return named[0]
            chosen, of = world.options.get(name, (None, None))
            if isinstance(chosen, int) and of is not None and of.plain == kind.plain and kind.form != "seat":
                return chosen
        case _:  # any other: it names nothing
            pass
    return None


def _such_as(kind: Kind, scope: Scope) -> str:
    if kind.form == "seat":
        return ": `seat(1)`"
    values = scope.world.values(kind) if kind.form != "piece" else ()
    return f": `{scope.world.name_of(values[0], kind)}`" if values else ""
