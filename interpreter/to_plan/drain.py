"""Everything that has been mentioned is written."""

from __future__ import annotations

from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.course.pieces import write_piece
from ichiba.interpreter.to_plan.functions import write_function, write_procedure
from ichiba.interpreter.to_plan.searches import write_search
from ichiba.interpreter.to_plan.statements.lots import write_picking
from ichiba.interpreter.to_plan.ways import write_ways


def drain(c: Context) -> None:
    """Write everything that has been mentioned but not written."""
    while c.queue.searches or c.queue.ways or c.queue.picks or c.queue.pieces or c.queue.functions or c.queue.procedures:
        if c.queue.searches:
            write_search(c, *c.queue.searches.pop(0))
        elif c.queue.ways:
            write_ways(c, *c.queue.ways.pop(0))
        elif c.queue.picks:
            write_picking(c, *c.queue.picks.pop(0))
        elif c.queue.pieces:
            write_piece(c, c.queue.pieces.pop(0))
        elif c.queue.functions:
            write_function(c, c.queue.functions.pop(0))
        else:
            write_procedure(c, c.queue.procedures.pop(0))
