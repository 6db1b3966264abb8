"""What a policy reads that may have to be blank for it: what is hidden, or done in secret, and is not its own seat's.

Who reads nothing of the kind goes by the state as it is. A seat's own places are the same in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import children, functions_of
from ichiba.dsl.world.world import Member, owner_position
from ichiba.interpreter.analysis.variables import free_variables

ANYWHERE = ("zone", "set", "piece")  # names of such kinds could lead to any zone


@dataclass(slots=True)
class Reads:
    """The members of which others' places may be read."""

    members: set[Member] = field(default_factory=set)
    places: bool = False  # where things lie
    anything: bool = False  # a name of the rules leads to who knows what
    called: set[tuple[object, ...]] = field(default_factory=set)

    def note(self, node: object, mine: frozenset[ir.Var]) -> None:
        """`mine`: the names that stand for the policy's own seat."""
        match node:
            case ir.Read(member=member, at=at) | ir.ZoneAt(member=member, at=at) | ir.PurseAt(member=member, at=at):
                owner = owner_position(member)
                if owner is None or not _is_mine(at[owner], mine):
                    self.members.add(member)
            case ir.PlaceOf():
                self.places = True
            case ir.CallValue(function=called, args=args):
                for function in functions_of(called):
                    self._call(function, [_is_mine(arg, mine) for arg in args])
            case _:  # any other: its parts are looked at
                pass
        for part in children(node):
            self.note(part, mine)

    def _call(self, function: ir.Function, own: Sequence[bool]) -> None:
        if (function, *own) not in self.called:
            self.called.add((function, *own))
            self.note(function.body, frozenset(var for var, is_own in zip(function.params, own, strict=False) if is_own))


def _is_mine(e: ir.Exp, mine: frozenset[ir.Var]) -> bool:
    return isinstance(e, ir.Use) and e.var in mine


def parts(preference: ir.Preference) -> Iterator[ir.Exp | ir.Set]:
    """All that is worked out for a preference."""
    yield from (domain for _, domain in preference.binders)
    yield from (part for part in (preference.when, preference.weight, preference.nearest) if part is not None)


def reads_of(preferences: Sequence[ir.Preference]) -> Reads:
    found = Reads()
    for preference in preferences:
        mine = frozenset({preference.me})
        if preference.at is not None and isinstance(preference.at.seat, ir.Use):
            mine |= {preference.at.seat.var}
        own = {preference.me, *(var for var, _ in preference.binders)}
        for part in parts(preference):
            found.note(part, mine)
            found.anything |= any(var not in own and var.kind.form in ANYWHERE for var in free_variables([part]))
    return found
