"""Questions that surely have an answer. As often as a zone holds pieces one of them is chosen, and nothing else leaves
it meanwhile:

    repeat count of my.hand times:
        choose c in my.hand: …
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import junction, procedures_of, steps, walk
from ichiba.dsl.world.kinds import FLAG
from ichiba.dsl.world.world import Member
from ichiba.interpreter.analysis.simplify import parts_of
from ichiba.interpreter.analysis.variables import variables_in

Homes = Mapping[ir.Var, frozenset[Member] | None]  # where the pieces lie that a name can stand for; None: anywhere


Assured = Mapping[ir.Decide, ir.Exp]  # by question: when it surely has an answer, looked at before the loop it stands in


def assured(program: ir.Program) -> Assured:
    """All of them; those that always have one, with a condition that is always true."""
    found: dict[ir.Decide, ir.Exp | None] = {}
    for procedure in program.procedures:
        for node in steps(procedure.body) if procedure.body is not None else ():
            if isinstance(node, ir.Repeat) and node.test is None and (asked := asked_first(node.body)) is not None:
                found[asked] = _surely(node, asked, program)
    return {asked: when for asked, when in found.items() if when is not None}


def asked_first(body: ir.Block) -> ir.Decide | None:
    """The question that a body begins with."""
    first = body.body[0] if body.body else None
    while isinstance(first, ir.Block) and first.body:
        first = first.body[0]
    return first if isinstance(first, ir.Decide) else None


def _surely(repeat: ir.Repeat, asked: ir.Decide, program: ir.Program) -> ir.Exp | None:
    """When there is one to choose each time; None where nothing can be said."""
    match repeat.times, asked.options:
        case ir.CountIn(zones=(ir.ZoneAt() as zone,), sorts=counted), [ir.Option(binds=(bind,), tests=())]:
            pass
        case _:
            return None
    among, tests = parts_of(bind.set)
    if not isinstance(among, ir.Pieces) or among.zones != (zone,) or bind.test is not None or asked.otherwise is not None:
        return None
    if counted.one is not None or among.sorts.one is not None or not set(counted.sorts) <= set(among.sorts.sorts):
        return None
    if not all(isinstance(at, ir.Use | ir.Const) for at in zone.at):
        return None
    owners = {at.var for at in zone.at if isinstance(at, ir.Use)}
    given = {s.var for s in steps(repeat.body) if isinstance(s, ir.Assign | ir.KeepSet | ir.Pick | ir.Draw)}
    if owners & given or any(owners & set(s.results) for s in steps(repeat.body) if isinstance(s, ir.Perform)):
        return None
    enough = [_of_itself(var, test) for var, test in tests]
    if None in enough:
        return None
    notes = frozenset(n.member for e in enough for n in walk(e) if isinstance(n, ir.Read))
    if not _Staying(zone.member, notes, program).stays(repeat.body, frozenset((bind.var,)), {}):
        return None
    if not tests:
        return ir.Const(1, FLAG)
    found: ir.Exp | None = None
    for (var, _), one in zip(tests, enough, strict=True):
        assert one is not None
        others = ir.Filtered(among, var, ir.Op("not", (one,), FLAG), among.kind)
        none = ir.Aggregate("no", others, var, None, FLAG)
        found = none if found is None else ir.Op("and", (found, none), FLAG)
    return found


def _of_itself(var: ir.Var, test: ir.Exp) -> ir.Exp | None:
    """A way to meet a condition that hangs on nothing but what is noted of the piece itself."""
    for way in junction("or", (test,)):
        reads = [n for n in walk(way) if isinstance(n, ir.Read)]
        of_it = all(n.member.form == "note" and n.at == (ir.Use(var, n.at[0].kind),) for n in reads)
        if of_it and variables_in([way]) == [var] and not any(isinstance(n, _LOOKING) for n in walk(way)):
            return way
    return None


_LOOKING = (ir.CallValue, ir.Aggregate, ir.CountIn, ir.Only, ir.PlaceOf, ir.Contains, ir.SecretOf, ir.BagCount, ir.Way)


class _Staying:
    """Whether nothing but the chosen piece leaves the zones of a member, and certain notes stay as they are."""

    def __init__(self, member: Member, notes: frozenset[Member], program: ir.Program):
        self.member, self.notes, self.program = member, notes, program
        self.known: dict[object, bool] = {}

    def stays(self, body: ir.Block, chosen: frozenset[ir.Var], homes: Homes) -> bool:
        homes = dict(homes) | dict(_homes(body))
        return all(self._fine(s, chosen, homes) for s in steps(body))

    def _fine(self, s: ir.Move, chosen: frozenset[ir.Var], homes: Homes) -> bool:
        match s:
            case ir.Write(place=place):
                return place.member not in self.notes
            case ir.Reset(member=member):
                return member not in self.notes
            case ir.MovePiece(piece=ir.Use(var=var, at=None)) if var in chosen:
                return True
            case ir.MovePiece(piece=piece):
                lies = homes.get(piece.var) if isinstance(piece, ir.Use) else None
                return not self._may_be(lies, self.program.world.categories.get(piece.kind.name))
            case ir.MoveSome(sources=sources, sorts=sorts):
                return not self._may_be(_members(sources) if sources else None, sorts.sorts)
            case ir.MoveSet(set=inner):
                kind = inner.kind.of
                return not self._may_be(_lying(inner), self.program.world.categories.get(kind.name) if kind is not None else None)
            case ir.Draw(source=source, refill=refill, sorts=sorts):
                return not self._may_be(_members((source, refill)), sorts.sorts)
            case ir.Perform(procedure=ref, args=args):
                return all(self._called(callee, args, chosen, homes) for callee in procedures_of(ref))
            case ir.Watch(rules=rules, end_of=end_of):
                woken = (self.program.watchers[rule].procedure for rule in rules if rule in self.program.watchers)
                return not end_of and all(self._called(procedure, (), frozenset(), {}) for procedure in woken)
            case (
                ir.Assign() | ir.KeepSet() | ir.Pay() | ir.Pick() | ir.Shuffle() | ir.Require() | ir.Block()
                | ir.If() | ir.For() | ir.Repeat() | ir.Turns() | ir.Named() | ir.Leave() | ir.GiveBack()
                | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal()
                | ir.Hush() | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret()
                | ir.Option()
            ):  # nothing leaves a zone
                return True
            case _:
                assert_never(s)

    def _may_be(self, lies: frozenset[Member] | None, sorts: object) -> bool:
        """Whether what lies there, of these sorts, can lie in the zone."""
        if isinstance(sorts, list | tuple) and not set(sorts) & set(self.member.sorts):
            return False
        return lies is None or self.member in lies

    def _called(self, callee: ir.Procedure, args: tuple[ir.Exp, ...], chosen: frozenset[ir.Var], homes: Homes) -> bool:
        if callee.body is None:
            return True
        passed: set[ir.Var] = set()
        inside: dict[ir.Var, frozenset[Member] | None] = {}
        for param, arg in zip(callee.params, args, strict=False):
            if isinstance(arg, ir.Use) and arg.at is None:
                if arg.var in chosen:
                    passed.add(param)
                inside[param] = homes.get(arg.var)
        key = callee, frozenset(passed), frozenset(inside.items())
        if key not in self.known:
            self.known[key] = True  # in case it comes round to itself
            self.known[key] = self.stays(callee.body, frozenset(passed), inside)
        return self.known[key]


def _homes(body: ir.Block) -> Iterator[tuple[ir.Var, frozenset[Member] | None]]:
    """The names that a body gives to pieces, and where these lie."""
    for s in steps(body):
        match s:
            case ir.For(var=var, set=inner):
                yield var, _lying(inner)
            case ir.Option(binds=binds):
                yield from ((bind.var, _lying(bind.set)) for bind in binds)
            case ir.Draw(var=ir.Var() as var, target=target):
                yield var, _members((target,))
            case (
                ir.Assign() | ir.KeepSet() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet()
                | ir.Draw() | ir.Pick() | ir.Shuffle() | ir.Require() | ir.Block() | ir.If() | ir.Repeat()
                | ir.Turns() | ir.Perform() | ir.Named() | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record()
                | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret()
            ):  # no piece gets a name
                pass
            case _:
                assert_never(s)


def _lying(inner: ir.Set) -> frozenset[Member] | None:
    """The zones that the pieces of a set lie in, where they are named."""
    while isinstance(inner, ir.Filtered | ir.Ordered | ir.Best):
        inner = inner.set
    if isinstance(inner, ir.Joined):
        parts = [_lying(part) for part in inner.sets]
        return None if None in parts else frozenset().union(*(part for part in parts if part is not None))
    return _members(inner.zones) if isinstance(inner, ir.Pieces) else None


def _members(zones: tuple[ir.Exp | None, ...]) -> frozenset[Member] | None:
    """The members that zones belong to; None where one is only worked out at run time."""
    found: set[Member] = set()
    for zone in zones:
        todo = [zone]
        while todo:
            part = todo.pop()
            match part:
                case None:
                    pass
                case ir.ZoneAt(member=member):
                    found.add(member)
                case ir.Cond(yes=yes, no=no):
                    todo += [yes, no]
                case _:  # any other: it may be any zone
                    return None
    return frozenset(found)
