"""What is known of a piece: its sort, where it lies, whether it exists one by one."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.tables import fixed_table, late_table


def is_individual(c: Context, category: str) -> bool | None:
    """True when everything of a category exists one by one, False when nothing does, None when mixed."""
    ids = c.world.categories.get(category)
    if ids is None or not ids:
        return True if category in c.world.kinds else None
    single = [c.world.sorts[i].individual for i in ids]
    return True if all(single) else None if any(single) else False


def pieces_single(c: Context, inner: ir.Pieces) -> bool | None:
    """The same of the sorts of a set."""
    single = [c.world.sorts[i].individual for i in inner.sorts.sorts]
    return (True if all(single) else None if any(single) else False) if single else False


def sort_of_piece(c: Context, piece: ir.Exp) -> p.Exp:
    """The sort of a piece; nothing has none."""
    here = lower(c, piece)
    if isinstance(piece, ir.Const):
        return p.Num(c.world.thing(piece.value).sort if piece.value >= FIRST_THING else -1)
    single = True if piece.kind.form == "thing" else is_individual(c, piece.kind.name)
    things = fixed_table(c, tuple(t.sort for t in c.world.things), "sort_of_thing")
    at_place = late_table(c, "SORT_AT")
    guard = piece.kind.optional
    if single is True:
        made = say("{}[{} - {}]", things, here, FIRST_THING)
    elif single is False:
        made = say("{}[{}]", at_place, here)
    else:
        made = say("{}[{} - {}] if {} >= {} else {}[{}]", things, here, FIRST_THING, here, FIRST_THING, at_place, here)
    return say("{} if {} >= 0 else -1", made, here) if guard else made


def zone_of_piece(c: Context, piece: ir.Exp) -> p.Exp:
    """The zone in which a piece lies."""
    here = lower(c, piece)
    if isinstance(piece, ir.Const) and piece.value < 0:
        return p.Num(-1)
    single = True if piece.kind.form == "thing" else is_individual(c, piece.kind.name)
    if "place" not in c.world.places:
        return say("{}[{}]", late_table(c, "ZONE_AT"), here)
    member = c.world.places["place"]
    low = member.dims[0][0]
    made = p.Cell(place([here, member.base - low]))
    if single is True:
        return say("{} if {} >= 0 else -1", made, here) if piece.kind.optional else made
    other = say("{}[{}]", late_table(c, "ZONE_AT"), here)
    return other if single is False else say("{} if {} >= {} else {}", made, here, FIRST_THING, other)
