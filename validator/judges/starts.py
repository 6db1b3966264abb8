"""Every piece begins somewhere: in a zone that exists and can hold it."""

from __future__ import annotations

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.world.world import Member, Sort, World
from ichiba.dsl.yaml.declarations import Box, PieceDecl
from ichiba.dsl.yaml.elsewhere import part_with

ANYWHERE = "box"  # where pieces begin of which nothing is said, if there is such a zone


def check_starts(box: Box, world: World, faults: Faults) -> None:
    """One fault for each family of pieces whose beginning is not said, or said wrongly."""
    _check_homes(box, world, faults)
    families = {decl.name: decl for decl in reversed(box.pieces) if not decl.board}
    told: set[str] = set()
    for sort in world.sorts:
        decl = families.get(sort.family)
        if decl is None or not sort.number or decl.name in told:
            continue
        if not _begins(decl, sort, world, faults):
            told.add(decl.name)


def _check_homes(box: Box, world: World, faults: Faults) -> None:
    """`boards: {market: stack}`: a kind of board, and a zone of the table. What a module that is off brings may be meant."""
    kinds = [kind.name for kind in world.kinds.values() if kind.root == "board"]
    zones = [member.name for member in world.table.values() if member.form == "zone" and not member.index]
    for kind, (kind_span, zone_span) in box.board_home_spans.items():
        for what, name, span, known in (("kind of board", kind, kind_span, kinds), ("zone", box.board_homes[kind], zone_span, zones)):
            if name not in known and part_with(name, box) is None:
                hint = nearest(name, known)
                notes = (f"there are: {', '.join(known) or 'none'}",)
                faults.add("E205", span, f"no {what} is called `{name}`", label=f"did you mean `{hint}`?" if hint else "", notes=notes)


def _begins(decl: PieceDecl, sort: Sort, world: World, faults: Faults) -> bool:
    place = decl.place or ANYWHERE
    span = decl.place_span or decl.span
    zone = _zones(decl, world).get(place)
    if zone is not None and (sort.id in zone.sorts or any(_alike(world.sorts[other], sort) for other in zone.sorts)):
        return True
    if zone is not None:
        faults.add("E304", span, f"{zone.kind} is no place for `{sort.name}`", label="these pieces never lie there")
    elif decl.place:
        zones = _zones(decl, world)
        hint = nearest(place, zones)
        label = f"did you mean `{hint}`?" if hint else ""
        notes = ("zones: " + (", ".join(zones) or "none"),)
        faults.add("E205", span, f"no zone is called `{place}`", label=label, notes=notes)
    else:
        faults.add("E111", span, f"it is not said where `{decl.name}` begins", label="add `in:` and the zone")
    return False


def _alike(one: Sort, other: Sort) -> bool:
    """Of another owner: in a zone of its owner's sorts the sorts of the first stand for all."""
    return one.family == other.family and (one.owner, one.thing) != (other.owner, other.thing)


def _zones(decl: PieceDecl, world: World) -> dict[str, Member]:
    """The zones in which pieces can begin: the table's; for pieces that every seat has, its own too."""
    owners = [world.table, world.seat] if decl.per_seat else [world.table]
    zones = [member for members in owners for member in members.values() if member.form == "zone"]
    return {member.name: member for member in zones if not member.index}
