"""Places in rows and columns: `things: {cell: {grid: 9 x 12, without: [a1], each: {b2: {height: 3}}}}`.

A place is called by the letter of its row and the number of its column: `a1` … `i12`; behind row `z` come `aa`, `ab` …
"""

from __future__ import annotations

import re

from ichiba.dsl.faults.source import Span
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.constant import work_out
from ichiba.dsl.world.given import Proto
from ichiba.dsl.world.kinds import NUMBER
from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.world import Field, Grid, KindDef
from ichiba.dsl.yaml.declarations import GridDecl, Items, ThingDecl
from ichiba.dsl.yaml.reading import Node, Scalar

MOST_PLACES = 10_000
BUILT_IN = ("row", "column")
_TIMES = re.compile(r"\s[x×]\s|(?<=[0-9])\s*[x×]\s*(?=[0-9])")
FORM = "rows and columns, like `grid: 9 x 12`"


def kind_of_grid(c: Opening, decl: ThingDecl) -> bool:
    """The places of a grid are of a kind of nodes; of one that is not declared it is made."""
    kind = c.world.kinds.setdefault(decl.kind, KindDef(decl.kind, "node", "node", decl.span))
    if kind.root != "node":
        label = f"`kind {decl.kind} is node:`"
        c.faults.add("E114", decl.span, f"`{decl.kind}` is no kind of places", label=label, second=_declared(kind))
        return False
    for rules in c.box.rules:
        for item in rules.items:
            if isinstance(item, t.Kind) and c.world.is_kind(decl.kind, item.name):
                for member in item.members:
                    name = member.name
                    if name in BUILT_IN:
                        message = f"every place of a grid has its `{name}` already"
                        c.faults.add("E206", member.span, message, second=(decl.span, "laid out here"))
    return True


def _declared(kind: KindDef) -> tuple[Span, str] | None:
    return (kind.span, "declared here") if kind.span is not None else None


def places_of_grid(c: Opening, decl: ThingDecl, laid: GridDecl) -> list[Proto]:
    """Every place of a grid, row by row, with what is said of it."""
    sides = _sides(c, laid.size)
    if sides is None:
        return []
    rows, columns = sides
    names = {_name(row, column): (row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)}
    missing = {name for name, span in laid.without if _is_there(c, name, span, names, "left out")}
    said: dict[str, Items] = {}
    for item in decl.items:
        if _is_there(c, item.name, item.span, names, "described"):
            if item.name in missing:
                c.faults.add("E114", item.span, f"`{item.name}` is left out of this grid", label="say nothing of it, or keep it")
            said[item.name] = item
    grid = Grid(decl.kind, rows, columns, laid.hex, laid.corners)
    c.world.grids.append(grid)
    made = []
    for name, at in names.items():
        if name not in missing:
            own = said.get(name)
            proto = Proto(name, decl.kind, own.fields if own else (), own.span if own else decl.span, decl.home, group=decl.board)
            proto.cell = (grid, at)
            made.append(proto)
    return made


def _sides(c: Opening, size: Node) -> tuple[int, int] | None:
    """`9 x 12`, or what is worked out from numbers and options: `size x size`."""
    text = size.text if isinstance(size, Scalar) else None
    cut = list(_TIMES.finditer(text.text)) if text is not None else []
    if not isinstance(size, Scalar) or text is None or len(cut) != 1:
        c.faults.add("E114", size.span, "a grid is so many rows by so many columns", label=FORM)
        return None
    before = len(c.faults.all)
    ends = text.cut(0, cut[0].start()), text.cut(cut[0].end(), len(text.text))
    rows, columns = (
        work_out(Scalar(end.text.strip(), end.span(0, len(end.text)), end, size.style), c.scope, c.faults) for end in ends
    )
    if len(c.faults.all) > before:
        return None
    if rows < 1 or columns < 1:
        c.faults.add("E114", size.span, f"a grid of {rows} x {columns} has no places", label=FORM)
        return None
    there = sum(grid.rows * grid.columns for grid in c.world.grids)
    if there + rows * columns > MOST_PLACES:
        message = f"a grid of {rows:,} x {columns:,} has {rows * columns:,} places"
        label = f"{MOST_PLACES:,} are the most" + (f", and {there:,} are there already" if there else "")
        c.faults.add("E114", size.span, message, label=label)
        return None
    return rows, columns


def _is_there(c: Opening, name: str, span: Span, names: dict[str, tuple[int, int]], what: str) -> bool:
    if name in names:
        return True
    message = f"`{name}`, which is {what}, is no place of this grid"
    c.faults.add("E114", span, message, label=f"they go from `a1` to `{list(names)[-1]}`")
    return False


def _name(row: int, column: int) -> str:
    letters = ""
    while row:
        row, letter = divmod(row - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{column}"


def lay_grids(c: Opening) -> None:
    """The places have their numbers: what stands where, and the fields that every place of a grid has."""
    for proto in c.protos:
        if proto.cell is not None:
            grid, at = proto.cell
            grid.cells[at] = proto.id
            fields = c.world.kinds[proto.kind].fields
            for name, value in zip(BUILT_IN, at, strict=True):
                fields.setdefault(name, Field(name, NUMBER)).values[proto.id] = value
