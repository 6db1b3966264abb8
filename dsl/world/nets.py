"""Where one gets from each place: over connections to their other ends, and in a grid to what lies beside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from ichiba.dsl.world.world import Grid, Net, World

SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
CORNERS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
HEX = (((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)), ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)))
NO_CONNECTION = -1


def net_of(world: World, over: bool = False) -> Net:
    """All single steps, connection by connection in declared order, there and back; then place by place those in grids,
    unless only connections are gone `over`."""
    if over not in world.nets:
        steps = [*_over_connections(world), *(step for grid in world.grids if not over for step in _in_grid(grid))]
        nodes = world.kinds["node"].things
        world.nets[over] = Net(min(nodes, default=0), len(nodes), tuple(steps))
    return world.nets[over]


def beside(world: World) -> dict[int, tuple[int, ...]]:
    """By place: those next to it, in a grid first those of the grid."""
    found: dict[int, dict[int, None]] = {}
    for here, _over, there in sorted(net_of(world).steps, key=lambda step: step[1] != NO_CONNECTION):
        found.setdefault(here, {})[there] = None
    return {here: tuple(there) for here, there in found.items()}


def ends_of(world: World, edge: int) -> tuple[int, ...]:
    fields = world.kinds[world.thing(edge).kind].fields
    return tuple(cast(int, fields[end].values[edge]) for end in ("a", "b") if end in fields and edge in fields[end].values)


def _over_connections(world: World) -> Iterator[tuple[int, int, int]]:
    for edge in world.kinds["edge"].things:
        ends = ends_of(world, edge)
        if len(ends) == 2:
            yield ends[0], edge, ends[1]
            yield ends[1], edge, ends[0]


def _in_grid(grid: Grid) -> Iterator[tuple[int, int, int]]:
    for (row, column), here in grid.cells.items():
        for down, right in HEX[(row - 1) % 2] if grid.hex else CORNERS if grid.corners else SIDES:
            there = grid.cells.get((row + down, column + right))
            if there is not None:
                yield here, NO_CONNECTION, there
