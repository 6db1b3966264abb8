"""What each kind of move, expression and set does by itself: the one table that everybody asks.

What it reads and writes is said by members. What the parts of a node do is told by their own lines: `If` reads nothing, its test
does. Procedures and functions are not entered; `performs`, `calls` and `wakes` say which they are.

A class that is new in `rules.ir` has no line here, and strict mypy says so (`assert_never`). It fills in its line, and
triggers, look-ahead, secrets, the judges and the flow know of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import functions_of, walk
from ichiba.dsl.world.kinds import NUMBER, Kind
from ichiba.dsl.world.world import Member, World

PLACES = Member("place", "piece", "place", NUMBER, ())  # where pieces lie
ANY_ZONE = Member("any zone", "piece", "zone", NUMBER, ())  # a zone that is only worked out in play
NOTHING: frozenset[Member] = frozenset()
_LIE = frozenset((PLACES,))


@dataclass(frozen=True, slots=True)
class Effect:
    """A line of the table."""

    reads: frozenset[Member] = NOTHING
    writes: frozenset[Member] = NOTHING
    moves: tuple[int, ...] | Kind | None = None  # pieces of these sorts, or of this kind, or out of zones of this kind
    turns: bool = False  # they may be another sort afterwards
    keeps: str = ""  # a member that the engine has itself, `score` or `ending`, gets another value
    names: tuple[ir.Var, ...] = ()  # they stand for something else from here on, or within
    uses: tuple[ir.Var, ...] = ()  # names that are looked at
    calls: ir.ValueRef | None = None
    performs: ir.ProcRef | None = None
    wakes: tuple[str, ...] = ()  # rules that watch are looked at
    asks: bool = False  # somebody answers
    draws: bool = False  # chance has a say
    refuses: bool = False  # it may be impossible: then the option that leads to it is not offered
    faults: bool = False  # it may come to a fault of the rules in play: no such entry, too few pieces, out of its range
    leaves: bool = False  # what stands behind it is not done
    loops: bool = False  # its parts are gone through again and again


_NONE = Effect()
_FAULTS = Effect(faults=True)
_LEAVES = Effect(leaves=True)
_LOOPS = Effect(loops=True)


def effect_of(node: ir.Node) -> Effect:
    """The line of a node."""
    match node:
        # ------------------------------------------------------------------------------------- expressions
        case ir.Use(var=var):
            return Effect(uses=(var,))
        case ir.Const() | ir.SortOf() | ir.Cond() | ir.Contains():
            return _NONE
        case ir.Op(op=op):
            return _FAULTS if op in ("/up", "/down", "power") else _NONE
        case ir.Read(member=member) | ir.ZoneAt(member=member) | ir.PurseAt(member=member):
            return Effect(reads=frozenset((member,)))
        case ir.Lookup():
            return _FAULTS
        case ir.CallValue(function=ref):
            return Effect(calls=ref)
        case ir.PlaceOf() | ir.Only() | ir.CountIn():
            return Effect(reads=_LIE)
        case ir.Aggregate(var=var):
            return Effect(names=(var,), loops=True)
        case ir.BagCount(bag=var) | ir.SecretOf(var=var):
            return Effect(uses=(var,))
        # --------------------------------------------------------------------------------------------- sets
        case ir.Listed() | ir.SeatsFrom() | ir.Joined() | ir.Rows() | ir.Unpacked():
            return _NONE
        case ir.Span_():
            return _NONE
        case ir.Pieces():
            return Effect(reads=_LIE)
        case ir.Filtered(var=var) | ir.FlatMapped(var=var) | ir.Ordered(var=var) | ir.Best(var=var):
            return Effect(names=(var,), loops=True)
        case ir.Mapped(binders=binders):
            return Effect(names=tuple(var for var, _ in binders), loops=True)
        case ir.Chosen(bag=var) | ir.Kept(var=var):
            return Effect(uses=(var,))
        case ir.Combos():
            return Effect(faults=True, loops=True)
        case ir.SortSet() | ir.Label():
            return _NONE
        # -------------------------------------------------------------------------------------------- moves
        case ir.Assign(var=var) | ir.KeepSet(var=var):
            return Effect(names=(var,))
        case ir.Write(place=place):
            return Effect(writes=frozenset((place.member,)), faults=True)
        case ir.Pay(source=source, target=target, tail=tail):
            return Effect(writes=_purses(source) | _purses(target), refuses=tail == "in_full" and _has_a_bottom(source), faults=True)
        case ir.MoveSome(sorts=sorts, sources=sources, target=target, side=side, notes=notes):
            written = frozenset((PLACES, *(member for member, _ in notes))).union(*map(_zones, (*sources, target)))
            return Effect(reads=_LIE, writes=written, moves=sorts.sorts, turns=side is not None, faults=True)
        case ir.MovePiece(target=target, side=side, notes=notes) | ir.MoveSet(target=target, side=side, notes=notes):
            written = frozenset((PLACES, ANY_ZONE, *(member for member, _ in notes))) | _zones(target)
            kind = node.piece.kind if isinstance(node, ir.MovePiece) else node.set.kind.of or NUMBER
            return Effect(reads=_LIE, writes=written, moves=kind, turns=side is not None, faults=True)
        case ir.Draw(sorts=sorts, source=source, target=target, refill=refill, var=drawn, ordered=ordered):
            written = _LIE.union(*map(_zones, (source, target) if refill is None else (source, target, refill)))
            names = () if drawn is None else (drawn,)
            by_chance = not ordered or refill is not None
            return Effect(reads=_LIE, writes=written, moves=sorts.sorts, names=names, draws=by_chance, faults=True)
        case ir.Pick(var=var):
            return Effect(names=(var,), draws=True)
        case ir.Shuffle(zone=zone):
            return Effect(writes=_zones(zone), moves=zone.kind, draws=True)
        case ir.Require():
            return Effect(refuses=True)
        case ir.Block() | ir.If() | ir.Named():
            return _NONE
        case ir.For(var=var, random=by_chance):
            return Effect(names=(var,), draws=by_chance, loops=True)
        case ir.Repeat():
            return Effect(faults=True, loops=True)
        case ir.Turns(me=me, ending=ending):
            return Effect(names=(me,), keeps="" if ending is None else "ending", faults=True, loops=True)
        case ir.Perform(procedure=called, results=results):
            return Effect(names=results, performs=called)
        case ir.Leave() | ir.GiveBack():
            return _LEAVES
        case ir.Score():
            return Effect(keeps="score")
        case ir.EndAs():
            return Effect(keeps="ending")
        case ir.Reveal(var=shown):
            return Effect(uses=() if shown is None else (shown,))
        case ir.Reset(member=member):
            return Effect(writes=frozenset((member,)))
        case ir.Watch(rules=rules):
            return Effect(wakes=rules, faults=True)
        case ir.Hush():
            return _NONE
        case ir.Decide(otherwise=otherwise):
            return Effect(asks=True, refuses=otherwise is None, faults=True)
        case ir.Offer(taken=taken):
            return Effect(names=(taken,), asks=True, loops=True)
        case ir.ChooseSome(bag=bag, otherwise=otherwise):
            return Effect(names=(bag,), asks=True, refuses=otherwise is None, faults=True)
        case ir.Secret(me=me):
            return Effect(names=(me,), asks=True)
        case ir.Option():
            return _NONE
        case ir.Bind(var=var):
            return Effect(names=(var,), loops=True)
        case _:
            assert_never(node)


def _purses(exp: ir.Exp) -> frozenset[Member]:
    return frozenset(n.member for n in walk(exp) if isinstance(n, ir.PurseAt))


def _has_a_bottom(purse: ir.Exp) -> bool:
    """Whether there may be too little in a purse; of one that is worked out in play it is."""
    return not (isinstance(purse, ir.PurseAt) and purse.member.unlimited)


def _zones(exp: ir.Exp) -> frozenset[Member]:
    found = frozenset(n.member for n in walk(exp) if isinstance(n, ir.ZoneAt))
    return found or frozenset((ANY_ZONE,))


# ------------------------------------------------------------------------------------ what follows from it


def writes_of(statement: ir.Node) -> frozenset[Member]:
    """The members one statement writes by itself; procedures and inner blocks not counted."""
    return effect_of(statement).writes


def asks(node: ir.Node) -> bool:
    """Whether a node is a question."""
    return effect_of(node).asks


class Reads:
    """The members that expressions read, functions included; each function is looked at once."""

    def __init__(self) -> None:
        self.known: dict[ir.Function, frozenset[Member]] = {}

    def of(self, node: object) -> frozenset[Member]:
        found: set[Member] = set()
        for part in walk(node):
            effect = effect_of(part)
            found |= effect.reads
            if effect.calls is not None:
                for function in functions_of(effect.calls):
                    found |= self._of_function(function)
        return frozenset(found)

    def _of_function(self, function: ir.Function) -> frozenset[Member]:
        if function not in self.known:
            self.known[function] = frozenset()
            self.known[function] = self.of(function.body)
        return self.known[function]


def moved_sorts(statement: ir.Node, world: World) -> set[int]:
    """The sorts of which a move can take pieces with it."""
    moved = effect_of(statement).moves
    if moved is None or isinstance(moved, tuple):
        return set(moved or ())
    kind = world.element(moved.name) if moved.form == "zone" else moved
    return set(world.categories.get(kind.name, range(len(world.sorts))))  # all of them where nothing more is known


def touches(writes: frozenset[Member], reads: frozenset[Member]) -> bool:
    """Whether something written may be something read."""
    return not writes.isdisjoint(touched_by(reads))


def touched_by(reads: frozenset[Member]) -> frozenset[Member]:
    """What must be written for something of this to become another. A piece that leaves a zone unknown to us leaves any
    zone; that pieces lie elsewhere is of weight where nothing else is asked."""
    found = reads - {PLACES} or reads
    return found | {ANY_ZONE} if any(m.form == "zone" for m in reads) else found
