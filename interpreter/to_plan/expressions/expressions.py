"""Every expression of the rules, as one of the plan."""

from __future__ import annotations

from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import FALSE, TRUE, call, compare, logic, place, row
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.runtime.runtime import pack
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import name_of, new_name, with_name
from ichiba.interpreter.to_plan.expressions.aggregates import aggregate
from ichiba.interpreter.to_plan.expressions.arithmetic import operation
from ichiba.interpreter.to_plan.expressions.calls import call_value
from ichiba.interpreter.to_plan.sets.pieces import ends_of
from ichiba.interpreter.to_plan.sets.sets import clauses_of, list_of, rows_entry
from ichiba.interpreter.to_plan.sets.ways import way
from ichiba.interpreter.to_plan.values.counting import count_in, kept_total, lot_count
from ichiba.interpreter.to_plan.values.in_secret import who_was_asked
from ichiba.interpreter.to_plan.values.lookups import lookup
from ichiba.interpreter.to_plan.values.pieces import sort_of_piece, zone_of_piece
from ichiba.interpreter.to_plan.values.places import member_place
from ichiba.interpreter.to_plan.values.simplest import simplest


def plan_with_marks(c: Context, e: ir.Exp) -> p.Exp:
    """The same where marks look at conditions."""
    assert c.marks is not None
    made, number = plan_of(c, e), c.marks.of_condition(e)
    return made if number is None else call("saw", number, made)


def plan_of(c: Context, e: ir.Exp) -> p.Exp:
    """An expression, in the form in which it is quickest."""
    match e:
        case ir.Const(value=value):
            return p.Num(value)
        case ir.Use():
            return _use_of_name(c, e)
        case _:  # any other: it may have a quicker form
            c.facts.note_one_more()
            return _plan_of_simplest(c, simplest(c, e))


def _plan_of_simplest(c: Context, e: ir.Exp) -> p.Exp:
    match e:
        case ir.Const(value=value):
            return p.Num(value)
        case ir.Use():
            return _use_of_name(c, e)
        case ir.Read(member=member, at=at):
            return p.Cell(member_place(c, member, at))
        case ir.ZoneAt(member=member, at=at) | ir.PurseAt(member=member, at=at):
            return member_place(c, member, at)
        case ir.Lookup():
            return lookup(c, e)
        case ir.SortOf(piece=piece):
            return sort_of_piece(c, piece)
        case ir.PlaceOf(piece=piece):
            return zone_of_piece(c, piece)
        case ir.Only(zone=zone, kind=kind):
            return _only_piece(c, zone, kind)
        case ir.Way():
            return way(c, e)
        case ir.Op(op=op, args=args):
            return operation(c, op, args)
        case ir.Cond(test=test, yes=yes, no=no):
            return p.Choice(lower(c, test), lower(c, yes), lower(c, no))
        case ir.CallValue():
            return call_value(c, e)
        case ir.Aggregate():
            return aggregate(c, e)
        case ir.CountIn(zones=zones, sorts=sorts):
            return count_in(c, zones, sorts)
        case ir.Contains(set=inner, item=item):
            return _contains(c, inner, item)
        case ir.BagCount(bag=bag, sorts=sorts):
            return lot_count(c, bag, sorts)
        case ir.SecretOf(var=var, seat=seat):
            first, stride = c.secrets.answers[var]
            whose = who_was_asked(c, var, seat)
            return p.Cell(place([first, p.Op("*", whose, p.Num(stride)) if stride != 1 else whose]))
        case (
            ir.Listed()
            | ir.Span_()
            | ir.SeatsFrom()
            | ir.Pieces()
            | ir.Rows()
            | ir.Filtered()
            | ir.Mapped()
            | ir.FlatMapped()
            | ir.Joined()
            | ir.Ordered()
            | ir.Best()
            | ir.Chosen()
            | ir.Combos()
            | ir.Unpacked()
            | ir.Connected()
            | ir.Steps()
        ):
            if isinstance(e, ir.Listed) and all(isinstance(i, ir.Const) for i in e.items):
                return p.Num(pack(i.value for i in e.items if isinstance(i, ir.Const)))
            return say("pack({})", list_of(c, e, each=True))
        case ir.Kept(var=var):
            return say("pack({})", c.names[var]) if var in c.lists else name_of(c, var)
        case _:
            assert_never(e)


def _only_piece(c: Context, zone: ir.Exp, kind: Kind) -> p.Exp:
    """The first piece of a zone; -1 when there is none."""
    pieces = ir.Pieces((zone,), ir.SortSet(tuple(c.world.categories.get(kind.name, ()))), kind)
    ends = ends_of(c, pieces)
    if ends is None:
        name = new_name(c, "only")
        return say("next({}, -1)", p.Comp("stream", p.Name(name), clauses_of(c, pieces, name)))
    total = kept_total(c, zone, pieces.sorts) if isinstance(zone, ir.ZoneAt) else None
    if total is None:
        return say("first_of(S, {*})", ends)
    return say("S.index(1, {*}) if {} == 1 else first_of(S, {*}) if {} else -1", ends, total, ends, total)


def _use_of_name(c: Context, e: ir.Use) -> p.Exp:
    """What a name stands for; one entry of it, where it has an index."""
    if e.at is None:
        return say("pack({})", c.names[e.var]) if e.var in c.lists else name_of(c, e.var)
    if e.var in c.names:
        return say("{}[{}]", c.names[e.var], lower(c, e.at))
    return p.Cell(place([c.layout.slot(e.var), lower(c, e.at)]))


def _contains(c: Context, inner: ir.Set, item: ir.Exp) -> p.Exp:
    """Whether a value is one of a set."""
    match inner:
        case ir.Listed(items=items):
            if not items:
                return FALSE
            if len(items) == 1:
                return compare(lower(c, item), "==", lower(c, items[0]))
            return compare(lower(c, item), "in", row(lower(c, i) for i in items))
        case ir.Filtered(set=outer, var=var, test=test) if isinstance(item, ir.Use | ir.Const):
            return logic("and", [_contains(c, outer, item), with_name(c, var, lower(c, item), test)])
        case ir.SeatsFrom(seat=seat, others=True):
            return compare(lower(c, item), "!=", lower(c, seat))
        case ir.SeatsFrom():
            return TRUE
        case ir.Rows():
            return compare(lower(c, item), "in", rows_entry(c, inner))
        case _:  # any other: its list says so
            return compare(lower(c, item), "in", list_of(c, inner))
