"""Which things are alike: whoever chooses is offered only the lowest of them.

Things are alike when nothing in the state tells them apart: their sort, where they lie, what they remember, what lies
on them, and who points at them.
"""

from __future__ import annotations

from collections.abc import Callable

from ichiba.dsl import ir
from ichiba.dsl.world import FIRST_THING, Member, World


def individuals_of(inner: ir.Set, world: World) -> tuple[int, ...]:
    """The sorts of a set of pieces that exist one by one; none where no two could be alike."""
    while isinstance(inner, ir.Filtered):
        inner = inner.set
    if not isinstance(inner, ir.Pieces):
        return ()
    sorts = tuple(s for s in inner.sorts.sorts if world.sorts[s].individual)
    return sorts if any(world.sorts[s].number > 1 for s in sorts) else ()


def look_of(sorts: tuple[int, ...], world: World, sort_of: Callable[[str], str]) -> tuple[str, str]:
    """Python expressions for all that tells a thing `x` of these sorts from others: what stands in its own places, and,
    looked at only when that is the same, what lies on it and who points at it."""
    things = [t.id for t in world.things if t.sort in set(sorts)]
    low, high = min(things), max(things)
    plain = [_at(world.places["place"], "x", low, high), sort_of("x")]
    deep: list[str] = []
    for member in world.members():
        if member.form in ("counter", "flag", "note", "remember") and _owned(member, world, low, high):
            plain.append(_at(member, "x", low, high))
        elif member.form == "zone" and _owned(member, world, low, high):
            deep.append(_contents(member, world, low, high, sort_of))
        if member.form in ("note", "remember") and member.kind.form == "thing" and _points_at(member, world, things):
            deep.append(_pointers(member, world, sort_of))
    return f"({', '.join(plain)})", f"({', '.join(deep)},)" if deep else ""


def _owned(member: Member, world: World, low: int, high: int) -> bool:
    """Whether some of these things have this member."""
    if not member.dims or member.dims[0][0] < FIRST_THING:
        return False
    first, size = member.dims[0]
    return first <= high and low < first + size


def _at(member: Member, name: str, low: int, high: int) -> str:
    first, size = member.dims[0]
    place = f"S[{name} - {first - member.base}]" if first > member.base else f"S[{name} + {member.base - first}]"
    if len(member.dims) > 1:
        each = member.size // size
        place = (
            f"tuple(S[({name} - {first}) * {each} + {member.base}:({name} - {first}) * {each} + {member.base + each}])"
        )
    return place if first <= low and high < first + size else f"({place} if {first} <= {name} < {first + size} else 0)"


def _contents(member: Member, world: World, low: int, high: int, sort_of: Callable[[str], str]) -> str:
    """What lies in its zone, with the notes that are kept there."""
    first, size = member.dims[0]
    each = member.size // size
    zone = f"(x - {first}) * {each} + {member.base}"
    parts = [f"tuple(S[{zone}:{zone} + {each}])"]
    for note in world.members():
        if note.form != "note" or note.name not in member.keeps:
            continue
        start, many = note.dims[0]
        last = start + many - 1
        pair = f"({sort_of('y')}, {_at(note, 'y', start, last)})"
        lies = _at(world.places["place"], "y", start, last)
        pieces = f"[{pair} for y in range({start}, {start + many}) if {lies} == {zone}]"
        parts.append(f"any(S[{zone}:{zone} + {each}]) and tuple(sorted({pieces}))")
    text = ", ".join(parts)
    return text if first <= low and high < first + size else f"(({text}) if {first} <= x < {first + size} else 0)"


def _points_at(member: Member, world: World, things: list[int]) -> bool:
    kind = world.kinds.get(member.kind.name)
    return member.size > 0 and kind is not None and not set(kind.things).isdisjoint(things)


def _pointers(member: Member, world: World, sort_of: Callable[[str], str]) -> str:
    """Who remembers it."""
    if len(member.dims) == 1 and member.dims[0][0] >= FIRST_THING and world.is_kind(member.owner, "piece"):
        first, size = member.dims[0]
        last = first + size - 1
        pair = f"({_at(world.places['place'], 'y', first, last)}, {sort_of('y')})"
        return f"tuple(sorted([{pair} for y in range({first}, {last + 1}) if {_at(member, 'y', first, last)} == x]))"
    return f"tuple([y for y in range({member.base}, {member.base + member.size}) if S[y] == x])"
