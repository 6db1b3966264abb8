"""Notes: what is noted of a piece when it moves, and what is forgotten of it."""

from __future__ import annotations

from ichiba.dsl.meaning.wanted import exp
from ichiba.dsl.names.compatible import kind_of, sorts_of_kind
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import AmountOf, Env, Lying, Meaning, SortNames, Zones
from ichiba.dsl.names.members import kinds_upward
from ichiba.dsl.names.sorts import all_sorts
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.world import Member


def noted(c: Context, node: t.Move, found: Meaning, target: ir.Exp, env: Env) -> ir.Notes:
    """What `noting` says of the pieces that move; what else they have noted is forgotten."""
    keeping = note_members(c, sorts_meant(c, found))
    there = ", ".join(dict.fromkeys(member.name for member in keeping))
    made: list[tuple[Member, ir.Exp | None]] = []
    for name, value in node.notes:
        members = [member for member in keeping if member.name == name]
        if not members:
            label = f"there are: {there}" if there else "what moves here has no notes"
            c.faults.add("E210", node.span.at_word(name), f"no piece that moves here has a note `{name}`", label=label)
        made += [(member, exp(c, value, env, member.kind)) for member in members]
    return (*made, *forgotten(keeping, [name for name, _ in node.notes], target))


def forgotten(keeping: list[Member], noted: list[str], *targets: ir.Exp) -> ir.Notes:
    """The notes that a piece may lose by coming to one of these zones."""
    zones = [[n.member for n in walk(target) if isinstance(n, ir.ZoneAt)] for target in targets]
    return tuple(
        (member, None)
        for member in keeping
        if member.name not in noted and not all(there and all(m.memory.keeps(member.name) for m in there) for there in zones)
    )


def note_members(c: Context, sorts: set[int]) -> list[Member]:
    """The notes that pieces of these sorts have: those that exist one by one, boards too."""
    found: dict[Member, None] = {}
    for sort in (c.world.sorts[id] for id in sorted(sorts)):
        if sort.individual:
            own = f"board {sort.name}" if sort.family in c.world.kinds and c.world.kinds[sort.family].root == "board" else ""
            for kind in kinds_upward(c, own if own in c.world.kinds else sort.kind or sort.family):
                found |= dict.fromkeys(member for member in kind.members.values() if member.form == "note")
    return list(found)


def sorts_meant(c: Context, found: Meaning) -> set[int]:
    """The sorts of which pieces may move, where this is moved."""
    match found:
        case AmountOf(what=what):
            return sorts_meant(c, what)
        case SortNames(sorts=sorts) | Lying(sorts=sorts):
            return set(sorts.sorts)
        case Zones(kind=kind):
            return set(all_sorts(c, kind))
        case _:  # a piece, or a set of them
            kind = kind_of(c, found)
            return sorts_of_kind(c, kind.of or kind)
