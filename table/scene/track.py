"""Draws a track: things that stand on numbered spaces, those that share one on top of each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len

from ichiba.dsl.world.world import Thing
from ichiba.table.scene.look import SectionLook
from ichiba.table.scene.spelling import FAINT, Cell, Speller, ink, joined, key_of, words_of

APART = 1  # columns between neighbours, at least


@dataclass(frozen=True, slots=True)
class Track:
    """The spaces on which something stands, in their order, each with what stands there from the bottom up."""

    stacks: tuple[tuple[int, tuple[Cell, ...]], ...]
    first: int
    last: int


def track_of(things: Sequence[Thing], view: Mapping[str, Any], look: SectionLook, speller: Speller) -> Track:
    """`look.at` names the member that says on which space a thing stands, `look.order` the one that says how high in a stack."""
    standing: dict[int, list[tuple[int, int, Cell]]] = {}
    for number, thing in enumerate(things):
        raw = view.get(key_of(thing), {})
        space, order = raw.get(look.at), raw.get(look.order)
        if isinstance(space, int):
            above = order if isinstance(order, int) else 0
            standing.setdefault(space, []).append((above, number, speller.thing(thing)))
    stacks = tuple(
        (space, tuple(cell for _, _, cell in sorted(standing[space], key=lambda one: one[:2]))) for space in sorted(standing)
    )
    spaces = [space for space, _ in stacks] or [0]
    first, last = look.span or (spaces[0], spaces[-1])
    return Track(stacks, min(first, spaces[0]), max(last, spaces[-1]))


def drawn_track(track: Track, width: int) -> list[Cell]:
    """Stacks over a line, numbers under it; stacks that would touch are moved apart."""
    if not track.stacks:
        return []
    wide = {
        space: max(cell_len(str(space)), *(cell_len(words_of(cell)) for cell in cells)) for space, cells in track.stacks
    }
    room = width - 1 - max(wide.values())
    step = room / max(1, track.last - track.first)
    at: dict[int, int] = {}
    free = 0
    for space, _ in track.stacks:
        at[space] = max(free, round((space - track.first) * step))
        free = at[space] + wide[space] + APART
    over = 0
    for space, _ in reversed(track.stacks):  # what now ends beyond the width is moved back
        limit = width - wide[space] - over
        at[space] = min(at[space], limit)
        over = width - at[space] + APART
    lines = []
    for height in range(max(len(cells) for _, cells in track.stacks), 0, -1):
        row: list[tuple[int, Cell]] = [
            (at[space], cells[height - 1]) for space, cells in track.stacks if len(cells) >= height
        ]
        lines.append(_row(row))
    rail = ["─"] * width
    for space, _ in track.stacks:
        rail[at[space]] = "┴"
    lines.append(ink("".join(rail), FAINT))
    lines.append(_row([(at[space], ink(str(space))) for space, _ in track.stacks]))
    return lines


def told_track(track: Track) -> Cell:
    """The same in words: `3: red; 11: green over blue`."""
    return joined(
        [(*ink(f"{space}: "), *joined(list(reversed(cells)), " over ")) for space, cells in track.stacks], "; "
    )


def _row(cells: Sequence[tuple[int, Cell]]) -> Cell:
    found: list[tuple[str, str]] = []
    column = 0
    for start, cell in cells:
        found += [*ink(" " * (start - column)), *cell]
        column = start + cell_len(words_of(cell))
    return tuple(found)
