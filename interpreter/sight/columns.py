"""What a seat may see of a state as a row of numbers, for programs that learn: one column for each place that views tell of.

A mask is a list of numbers, so that machine code can go by it as well (`native/tables.c`): one after the other the steps below,
each its number and what belongs to it. What is hidden is blank: 0, or -1 where that means nobody or nowhere; of a hidden zone
the first column says how many pieces lie there, unless that is not seen either.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member, indexes, owner_position
from ichiba.interpreter.sight.views import hiding_word, name_of_place, sees

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

NOWHERE = -1
COVERED, BLANK, ZONE, PIECE, NOTES = range(5)  # the steps of a mask
# COVERED place width was flag: while others answer in secret it is as it was
# BLANK place value flag: nobody but those who see it knows more, unless the flag says that it is revealed
# ZONE place width counted flag: the same for a zone
# PIECE at was nowhere: in which zone a piece lies, and lay before
# NOTES at place value: what a piece remembers, blank where it is not seen
LENGTHS = {COVERED: 4, BLANK: 3, ZONE: 4, PIECE: 3, NOTES: 3}


@dataclass(frozen=True, eq=False, slots=True)
class Columns:
    """What each column means, where it stands in the state, and what has to be blank for each seat; the last mask is for
    whoever looks on."""

    names: tuple[str, ...]
    places: array[int]
    masks: tuple[array[int], ...]

    def of(self, state: Sequence[int], eye: int) -> list[int]:
        """One row, as the mask of that number lets it be seen."""
        seen, covered, hidden = list(state), set[int](), set[int]()
        for step, one in _steps(self.masks[eye]):
            place = one[0]
            if step == COVERED:
                if state[one[3]] == 1:
                    covered.add(place)
                    seen[place : place + one[1]] = state[one[2] : one[2] + one[1]]
            elif step == BLANK:
                if not one[2] or state[one[2]] != 2:
                    seen[place] = one[1]
            elif step == ZONE:
                if not one[3] or state[one[3]] != 2:
                    hidden.add(place)
                    seen[place : place + one[1]] = [sum(seen[place : place + one[1]]) if one[2] else 0, *[0] * (one[1] - 1)]
            elif step == PIECE:
                if one[1] and state[place] in covered:
                    seen[place] = state[one[1]]
                if seen[place] in hidden:
                    seen[place] = one[2]
            elif seen[place] < 0:
                seen[one[1]] = one[2]
        return [seen[place] for place in self.places]


def _steps(mask: array[int]) -> Iterator[tuple[int, Sequence[int]]]:
    numbers = iter(mask)
    for step in numbers:
        yield step, list(islice(numbers, LENGTHS[step]))


def columns_of(game: Game) -> Columns:
    """Worked out once for each game."""
    return game.keep(Columns, lambda: _made(game))


def _made(game: Game) -> Columns:
    world = game.world
    shown = [m for m in world.members() if m.size and not m.internal and not m.unlimited and m is not world.places.get("rank")]
    columns = [column for member in shown for column in _columns(game, member)]
    masks = tuple(array("q", _mask(game, seat)) for seat in (*range(game.seats), None))
    return Columns(tuple(name for name, _ in columns), array("q", [place for _, place in columns]), masks)


def _columns(game: Game, member: Member) -> Iterator[tuple[str, int]]:
    """The columns of one member: of a zone one for each sort that can lie there."""
    world, sort_at = game.world, game.layout.sort_at
    for at in indexes(member):
        place, name = member.place(at), f"{member.full_name}/{name_of_place(game, member, at)}" if at else member.full_name
        if member.form != "zone":
            yield name, place
            continue
        for column in range(member.width):
            if sort_at[place + column] >= 0:
                yield f"{name}/{world.name_of(sort_at[place + column], Kind('sort'))}", place + column


def _mask(game: Game, seat: int | None) -> Iterator[int]:
    """What has to be hidden from one seat; None: from whoever looks on."""
    world, layout = game.world, game.layout
    shadows = {key[1]: place for key, place in layout.reserved.items() if isinstance(key, tuple) and key[0] == "before"}
    hiding: list[int] = []
    for member in world.members():
        owner = owner_position(member)
        for at in indexes(member) if member.size else ():
            place = member.place(at)
            flag = layout.open_flag(member, place) if member in shadows else 0
            if member in shadows and (owner is None or at[owner] != seat):
                yield from (COVERED, place, member.width, shadows[member] + place - member.base, flag)
            if hiding_word(game, member) is not None and not sees(game, member, at, seat):
                if member.form == "zone":
                    hiding += (ZONE, place, member.width, int("uncounted" not in member.words), flag)
                else:
                    hiding += (BLANK, place, _blank(member), flag)
    yield from hiding
    yield from _pieces(game, shadows)


def _pieces(game: Game, shadows: dict[Member, int]) -> Iterator[int]:
    """Pieces that exist one by one: those that lie where the seat cannot look are nowhere, and tell nothing of themselves."""
    world, where = game.world, game.world.places.get("place")
    if where is None:
        return
    rank, was, low = world.places.get("rank"), shadows.get(where, 0), where.dims[0][0]
    for thing in world.things:
        if thing.sort >= 0:
            at = where.place((thing.id,))
            yield from (PIECE, at, was + thing.id - low if was else 0, NOWHERE)
            if rank is not None:
                yield from (NOTES, at, rank.place((thing.id,)), NOWHERE)
            for place, value in _notes(game, thing.id, thing.kind):
                yield from (NOTES, at, place, value)


def _notes(game: Game, thing: int, kind: str) -> Iterator[tuple[int, int]]:
    """What a piece remembers: where, and what is told of it when nothing is."""
    while kind in game.world.kinds:
        for member in game.world.kinds[kind].members.values():
            for at in indexes(member) if member.size else ():
                if at[0] == thing:
                    yield from ((member.place(at) + column, _blank(member)) for column in range(member.width))
        kind = game.world.kinds[kind].parent


def _blank(member: Member) -> int:
    """What stands in place of what is hidden."""
    if member.form == "zone":
        return 0
    nothing = 0 if member.kind.form in ("number", "flag") else NOWHERE
    return max(nothing, member.low) if member.low is not None else nothing


__all__ = ["Columns", "columns_of"]
