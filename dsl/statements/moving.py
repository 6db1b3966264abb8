"""Pieces that move or are drawn: from where, to where, and whether they can lie there."""

from __future__ import annotations

from ichiba.dsl.faults.fault import quote
from ichiba.dsl.faults.source import Span
from ichiba.dsl.meaning.expressions import meaning_of
from ichiba.dsl.meaning.wanted import is_there, zone_of, zones_of
from ichiba.dsl.names.blocks import NO_BLOCK
from ichiba.dsl.names.compatible import describe
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import called, never_there, takes_none
from ichiba.dsl.names.meanings import AmountOf, Env, Lying, Meaning, Several, SortNames, Zones
from ichiba.dsl.names.members import only_piece, pieces_of
from ichiba.dsl.names.sorts import all_sorts, can_lie, element_of_sorts, held_in, holds_one, may_hold, sort_names
from ichiba.dsl.rules import ir
from ichiba.dsl.statements.entering import entering, with_entry
from ichiba.dsl.statements.noting import forgotten, note_members, noted
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, maybe


def _side(c: Context, node: t.Move) -> int | None:
    if node.side is None:
        return None
    sides = [s.side for s in c.world.sorts if s.side]
    if node.side not in sides:
        c.faults.add("E205", node.span, f"no piece has a side `{node.side}`")
        return None
    names = list(dict.fromkeys(sides))
    return names.index(node.side)


def move(c: Context, node: t.Move, env: Env) -> list[ir.Stm]:
    target = zone_of(c, node.target, env)
    source = zones_of(c, node.source, env) if node.source is not None else None
    side = _side(c, node)
    found = meaning_of(c, node.what, env)
    if isinstance(found, Several):
        wanted = source or Zones((target,), target.kind) if target is not None else None
        found = next(
            (m for m in found.meanings if wanted is not None and can_lie(c, m, wanted)),
            found.meanings[0],
        )
    if target is None or found is None or source is None and node.source is not None:
        return []
    if isinstance(found, Zones) and not node.every:
        match found.zones:
            case (zone,) if holds_one(c, zone):
                found = ir.Only(zone, c.world.element(found.kind.name))
    made = _moved(c, node, found, source, target, side, noted(c, node, found, target, env))
    if source is not None and node.source is not None:
        check_source(c, node.source, found, source)
    check_target(c, node, found, target)
    return with_entry(c, made, target, env)


def _moved(
    c: Context,
    node: t.Move,
    found: Meaning,
    source: Zones | None,
    target: ir.Exp,
    side: int | None,
    notes: ir.Notes,
) -> list[ir.Stm]:
    every, span = node.every, node.span
    match found:
        case AmountOf(amount=amount, what=SortNames(sorts=sorts)) if source is not None:
            return [ir.MoveSome(amount, sorts, source.zones, target, side, notes, span)]
        case AmountOf(amount=amount, what=Lying(sorts=sorts, zones=zones)):
            return [ir.MoveSome(amount, sorts, zones.zones, target, side, notes, span)]
        case AmountOf(amount=amount, what=Zones(zones=zones_, kind=kind)):
            return [ir.MoveSome(amount, ir.SortSet(all_sorts(c, kind)), zones_, target, side, notes, span)]
        case AmountOf(amount=amount, what=ir.Pieces(zones=zones_, sorts=sorts)):
            return [ir.MoveSome(amount, sorts, zones_, target, side, notes, span)]
        case AmountOf(amount=amount, what=what) if isinstance(what, ir.SET_CLASSES):
            return _move_first(c, amount, what, target, side, notes, span)
        case Lying(sorts=sorts, zones=zones) if every:
            return [ir.MoveSome(None, sorts, zones.zones, target, side, notes, span)]
        case Zones(zones=zones_, kind=kind) if every:
            return [ir.MoveSome(None, ir.SortSet(all_sorts(c, kind)), zones_, target, side, notes, span)]
        case SortNames() if source is None and not every and (only := only_piece(c, found)) is not None:
            return [ir.MovePiece(only, target, side, notes, span)]
        case SortNames(sorts=sorts) if source is not None:
            amount_ = None if every else ir.Const(1, NUMBER)
            return [ir.MoveSome(amount_, sorts, source.zones, target, side, notes, span)]
        case ir.Chosen() if not _goes_at_once(c, found):
            return [ir.MoveSet(ir.Kept(found.picked, found.kind), target, side, notes, span)]
        case _ if isinstance(found, ir.SET_CLASSES):
            return [ir.MoveSet(found, target, side, notes, span)]
        case _ if isinstance(found, ir.EXP_CLASSES):
            piece = found
            if piece.kind.form in ("thing", "piece"):
                is_there(c, node.what, piece.kind)
                return [ir.MovePiece(piece, target, side, notes, span)]
            names = sort_names(c, piece)
            if names is not None and source is not None:
                amount_ = None if every else ir.Const(1, NUMBER)
                return [ir.MoveSome(amount_, names.sorts, source.zones, target, side, notes, span)]
        case _:  # any other: it is told below that it cannot be moved
            pass
    if isinstance(found, SortNames) and source is None and (pieces := pieces_of(c, found)):
        label = "name the piece: " + ", ".join(map(quote, pieces[:3])) + (", …" if len(pieces) > 3 else "")
        [sort] = found.sorts.sorts
        c.fault("E303", node.what, f"there are {len(pieces)} of the sort {c.world.sorts[sort].full_name}", label=label)
        return []
    c.fault(
        "E303",
        node.what,
        f"{describe(c, found)} cannot be moved",
        label="say how many, of which sort, and from where" if source is None else "pieces are needed",
    )
    return []


def _goes_at_once(c: Context, chosen: ir.Chosen) -> bool:
    """Whether a lot that was chosen is told by its counts: of pieces that are counted, whatever else is asked of them."""
    element = chosen.kind.of
    ids = c.world.categories.get(element.name, ()) if element is not None else ()
    return bool(ids) and not any(c.world.sorts[i].individual for i in ids)


def _move_first(
    c: Context,
    amount: ir.Exp,
    inner: ir.Set,
    target: ir.Exp,
    side: int | None,
    notes: ir.Notes,
    span: Span,
) -> list[ir.Stm]:
    """So many out of a set, which is taken once: as long as some are still to come. That too few are there is a
    fault, like that one is not there."""
    piece, left = ir.Var("piece", inner.kind.of or NUMBER), ir.Var("still to move", NUMBER)
    nobody = ir.Const(ir.NONE, maybe(piece.kind))
    more = ir.Op(">", (ir.Use(left, NUMBER), ir.Const(0, NUMBER)), FLAG)
    one_less = ir.Op("-", (ir.Use(left, NUMBER), ir.Const(1, NUMBER)), NUMBER)
    one = ir.Block(
        (ir.MovePiece(ir.Use(piece, piece.kind), target, side, notes, span), ir.Assign(left, one_less, span))
    )
    too_few = ir.Block((ir.MovePiece(nobody, target, side, (), span),))
    return [
        ir.Assign(left, amount, span),
        ir.For(piece, inner, False, ir.Block((ir.If(more, one, NO_BLOCK, span),)), span),
        ir.If(more, too_few, NO_BLOCK, span),
    ]


def check_source(c: Context, node: t.Expr, found: Meaning, source: Zones) -> None:
    what = found.what if isinstance(found, AmountOf) else found
    if isinstance(what, SortNames) and not may_hold(c, what.sorts, source):
        never_there(c, node, source, set(what.sorts.sorts), called(c, what))


def check_target(c: Context, node: t.Move | t.Draw, found: Meaning, target: ir.Exp) -> None:
    if isinstance(found, AmountOf) and isinstance(found.what, SortNames | Zones | Lying):
        found = found.what
    ids: set[int] = set()
    if isinstance(found, SortNames | Lying):
        ids = set(found.sorts.sorts)
    elif isinstance(found, ir.EXP_CLASSES):
        ids = set(c.world.categories.get(found.kind.name, ()))
    allowed = held_in(c, target)
    if ids and (allowed or isinstance(target, ir.ZoneAt) and target.member.own) and not ids & allowed:
        if not c.faults.told_within(node.span):
            takes_none(c, node.target, target, ids, called(c, found))


def draw(c: Context, node: t.Draw, env: Env) -> list[ir.Stm]:
    source, target = zone_of(c, node.source, env), zone_of(c, node.target, env)
    found = meaning_of(c, node.what, env)
    if source is None or target is None or found is None:
        return []
    if isinstance(found, AmountOf) and isinstance(found.what, SortNames):
        amount, sorts = found.amount, found.what.sorts
    elif isinstance(found, AmountOf) and isinstance(found.what, Zones | Lying):
        amount, sorts = found.amount, ir.SortSet(all_sorts(c, source.kind))
    else:
        c.fault("E303", node.what, f"{describe(c, found)} cannot be drawn", label="like `3 cards`")
        return []
    check_source(c, node.source, found, Zones((source,), source.kind))
    check_target(c, node, found, target)
    member = source.member if isinstance(source, ir.ZoneAt) else None
    var = None
    if node.name is not None:
        kind = maybe(element_of_sorts(c, sorts, target.kind))
        var = ir.Var(node.name, kind)
        env.names[node.name] = ir.Use(var, kind)  # none, where nothing was left
    refill = None
    if member is not None and "refills" in member.words:
        zone = c.world.table.get(member.words["refills"].name or "")
        refill = ir.ZoneAt(zone, (), zone.kind) if zone is not None else None
    ordered = member is not None and "ordered" in member.words
    homes = (target, source) if refill is not None else (target,)  # what is put back comes to where it is drawn from
    notes = forgotten(note_members(c, set(sorts.sorts)), [], *homes)
    made = ir.Draw(amount, sorts, source, target, refill, ordered, var, notes, node.span)
    if isinstance(target, ir.ZoneAt) and "in_play" in target.member.words:
        return entering(c, made, target, env)
    return [made]
