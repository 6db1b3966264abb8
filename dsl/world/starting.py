"""What a place holds before the setup."""

from __future__ import annotations

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.constant import CannotWorkOut, Scope, evaluate
from ichiba.dsl.world.given import named_values
from ichiba.dsl.world.kinds import unit_of
from ichiba.dsl.world.world import Member


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
    if isinstance(member.start, t.Name) and (named := named_values(scope.world, member.kind, member.start.name)):
        return named[0]
    try:
        return evaluate(member.start, scope, unit_of(member.kind))
    except CannotWorkOut as fault:
        fault.tell(faults)
        return 0
