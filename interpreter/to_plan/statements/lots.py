"""What was chosen as a lot: moved, or kept piece by piece."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import NUMBER
from ichiba.interpreter.analysis.variables import free_variables, shape
from ichiba.interpreter.layout import bag_sorts
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import call, place
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import name_of, new_name, own_names, restore_all, with_name
from ichiba.interpreter.to_plan.context.tables import fixed_table, late_table
from ichiba.interpreter.to_plan.context.writing import define, end, fault
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.statements.arriving import cell_there, target_column, totals_follow
from ichiba.interpreter.to_plan.statements.assigning import tell_effect
from ichiba.interpreter.to_plan.statements.taking import take_piece
from ichiba.interpreter.to_plan.values.zones import zone_columns


def move_lot(c: Context, s: ir.MoveSet, chosen: ir.Chosen, target: p.Exp) -> None:
    """What was chosen leaves the zones it was chosen from."""
    zones = c.facts.lot_zones.get(chosen.bag, ())
    first = c.layout.slot(chosen.bag)
    for column, sort in enumerate(bag_sorts(c.world, chosen.bag)):
        cells = [cell for zone in zones if (cell := _cell_of_lot(c, zone, sort))]
        to = target_column(c, s.target, p.Num(sort), s.side)
        if not cells:
            continue
        chosen_ = say("S[{}]", first + column)
        if to == p.Num(-1):
            c.out.line("if {}: {}", chosen_, fault(c, "this zone cannot hold such a piece", s.span))
            continue
        c.out.line("if {}:", chosen_)
        if c.world.sorts[sort].individual:
            _move_individuals_of_lot(c, s, zones, sort, chosen_, target)
            continue
        c.out.depth += 1
        if len(cells) == 1:
            c.out.line("if S[{}] < {}: {}", cells[0], chosen_, fault(c, "these pieces are gone", s.span))
            c.out.line("S[{}] -= {}", cells[0], chosen_)
        else:
            c.out.line("n = {}", chosen_)
            for cell in cells:
                c.out.line("k = min(n, S[{}]); S[{}] -= k; n -= k", cell, cell)
                if c.layout.totals:
                    c.out.line("S[{}[{}]] -= k", late_table(c, "TOTAL_AT"), cell)
            c.out.line("if n: {}", fault(c, "these pieces are gone", s.span))
        c.out.line("S[{}] += {}", place([target, to]), chosen_)
        totals_follow(c, zones[:1], cells[0], s.target, target, chosen_, one_source=len(cells) == 1)
        c.out.depth -= 1
    tell_effect(c, "move", s.span)


def _cell_of_lot(c: Context, zone: ir.Exp, sort: int) -> p.Exp | None:
    """Where pieces of a sort are counted in a zone; nothing where none can lie."""
    columns = zone_columns(c, zone)
    if columns is not None:
        return place([lower(c, zone), columns[sort]]) if columns[sort] >= 0 else None
    return cell_there(c, zone, p.Num(sort))


def _move_individuals_of_lot(
    c: Context, s: ir.MoveSet, zones: tuple[ir.Exp, ...], sort: int, many: p.Exp, target: p.Exp
) -> None:
    """So many things of a sort: which ones does not matter."""
    pieces = ir.Pieces(zones, ir.SortSet((sort,)), s.set.kind)
    name = new_name(c, "p")
    c.out.depth += 1
    c.out.line("for {} in {}[:{}]:", name, list_of(c, pieces), many)
    c.out.depth += 1
    take_piece(c, p.Name(name), target, s.target, s.notes, True, s.side, ())
    c.out.depth -= 2


def write_picking(c: Context, name: str, inner: ir.Set, sorts: tuple[int, ...], params: tuple[ir.Var, ...]) -> None:
    """The pieces of a lot, as a function of where its counts begin: many lots are chosen from the same pieces."""
    saved = own_names(c, list(params))
    first, made = p.Name(new_name(c, "first")), p.Name(new_name(c, "picked"), "list")
    define(c, name, [p.S, first, *(c.names[param] for param in params)])
    _pick(c, made, inner, sorts, first)
    c.out.line("return {}", made)
    end(c)
    restore_all(c, saved)


def _pick(c: Context, made: p.Name, inner: ir.Set, sorts: tuple[int, ...], first: p.Exp) -> None:
    """Of each sort so many as are counted, the first ones of what could be chosen, into a list."""
    pieces, cell = new_name(c, "there"), new_name(c, "c")
    c.out.line("{} = {}", pieces, list_of(c, inner, each=True))
    c.out.line("{} = []", made)
    piece, name = ir.Var("piece", inner.kind.of or NUMBER), new_name(c, "piece")
    sort = with_name(c, piece, p.Name(name), ir.SortOf(ir.Use(piece, piece.kind), NUMBER))
    high = place([first, len(sorts)])
    with c.out.under("for {} in compress(range({}, {}), S[{}:{}]):", cell, first, high, first, high):
        c.out.line("n = S[{}]", cell)
        own = p.Entry(p.Name(fixed_table(c, sorts, "sorts")), p.Op("-", p.Name(cell), first))
        with c.out.under("for {} in {}:", name, pieces), c.out.under("if {} == {}:", sort, own):
            c.out.line("{}.append({})", made, name)
            c.out.line("n -= 1")
            c.out.line("if not n: break")


def pick_out(c: Context, s: ir.KeepSet, chosen: ir.Chosen) -> None:
    """The pieces of a lot one by one, where somebody asks for them: of each sort the first ones of what could be chosen."""
    if s.var not in c.facts.listed_lots:
        c.out.line("pass")
        return
    inner = c.facts.lots[chosen.bag]
    sorts, first = bag_sorts(c.world, chosen.bag), p.Num(c.layout.slot(chosen.bag))
    made: p.Exp
    if not c.rewrites or c.metered or c.prefix:
        made = p.Name(new_name(c, "picked"), "list")
        _pick(c, made, inner, sorts, first)
    else:
        params = [var for var in free_variables([inner]) if var in c.names]
        said = shape(inner, params), sorts
        if said not in c.mentioned.picks:
            c.mentioned.picks[said] = new_name(c, "pick")
            c.queue.picks.append((c.mentioned.picks[said], inner, sorts, tuple(params)))
        made = call(c.mentioned.picks[said], p.S, first, *(c.names[param] for param in params))
    if s.var in c.names:
        c.lists.add(s.var)
        c.out.line("{} = {}", c.names[s.var], made)
    else:
        c.out.line("{} = pack({})", name_of(c, s.var), made)
