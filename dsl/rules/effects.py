"""What each kind of move, expression and set does by itself: the one table that everybody asks.

What it reads and writes is said by members. What the parts of a node do is told by their own lines: `If` reads nothing, its test
does. Procedures and functions are not entered; `performs`, `calls` and `wakes` say which they are.

A class that is new in `rules.ir` has no line here, and strict mypy says so (`assert_never`). It fills in its line, and
triggers, look-ahead, secrets, the judges and the flow know of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple, assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import functions_of, walk
from ichiba.dsl.world.kinds import NUMBER, Kind
from ichiba.dsl.world.world import Member, World

PLACES = Member("place", "piece", "place", NUMBER, ())  # where pieces lie
ANY_ZONE = Member("any zone", "piece", "zone", NUMBER, ())  # a zone that is only worked out in play
NOTHING: frozenset[Member] = frozenset()
_LIE = frozenset((PLACES,))


class Effect(NamedTuple):
    """A line of the table. A tuple with names, since very many are made."""

    reads: frozenset[Member] = NOTHING
    writes: frozenset[Member] = NOTHING
    moves: tuple[int, ...] | Kind | None = None  # pieces of these sorts, or of this kind, or out of zones of this kind
    amount: ir.Exp | None = None  # so much, or so many; never less than nothing
    turns: bool = False  # they may be another sort afterwards
    keeps: Literal["", "score", "ending"] = ""  # a member that the engine has itself, `score` or `ending`, gets another value
    names: tuple[ir.Var, ...] = ()  # of a move: they stand for something else from here on
    brings: tuple[ir.Var, ...] = ()  # of an expression or a set: its own names, for those it goes through
    given: tuple[tuple[ir.Var, ir.Exp | ir.Set], ...] = ()  # of those: a value, one of a set, or a piece in a zone
    uses: tuple[ir.Var, ...] = ()  # names that are looked at
    calls: ir.ValueRef | None = None
    performs: ir.ProcRef | None = None
    wakes: tuple[str, ...] = ()  # rules that watch are looked at
    wakes_at_end: str = ""  # so are those that have waited for the end of this procedure
    asks: bool = False  # somebody answers
    draws: bool = False  # chance has a say
    refuses: bool = False  # it may be impossible: then the option that leads to it is not offered
    faults: bool = False  # it may come to a fault of the rules in play: no such entry, too few pieces, out of its range
    leaves: Literal["", "block", "rule"] = ""  # what stands behind it there is not done
    loops: bool = False  # its parts are gone through again and again

    def written_in(self, world: World) -> frozenset[Member]:
        """All that is written, with what the engine has itself."""
        match self.keeps:
            case "":
                return self.writes
            case "score":
                return self.writes | {world.seat["score"]}
            case "ending":
                return self.writes | {world.table["ending"]}


_NONE = Effect()
_FAULTS = Effect(faults=True)
_MOST = 4096  # lines that hang on one name or member only are kept: they are asked for again and again


@lru_cache(_MOST)
def _uses(var: ir.Var) -> Effect:
    return Effect(uses=(var,))


@lru_cache(_MOST)
def _reads(member: Member) -> Effect:
    return Effect(reads=frozenset((member,)))


@lru_cache(_MOST)
def _calls(ref: ir.ValueRef) -> Effect:
    return Effect(calls=ref)


_always: dict[type, Effect] = {}  # the lines of classes in which nothing hangs on the node, once they have been looked up


def effect_of(node: ir.Node) -> Effect:
    """The line of a node. It is asked very often."""
    return _always.get(type(node)) or _line(node)


def _line(node: ir.Node) -> Effect:
    match node:
        # ------------------------------------------------------------------------------------- expressions
        case ir.Use(var=var):
            return _uses(var)
        case ir.Const() | ir.SortOf() | ir.Cond() | ir.Contains():
            return _always.setdefault(type(node), _NONE)
        case ir.Op(op=op):
            return _FAULTS if op in ("/up", "/down", "power", "owed") else _NONE
        case ir.Read(member=member) | ir.ZoneAt(member=member) | ir.PurseAt(member=member):
            return _reads(member)
        case ir.Lookup():
            return _always.setdefault(type(node), _FAULTS)
        case ir.CallValue(function=ref):
            return _calls(ref)
        case ir.PlaceOf() | ir.Only() | ir.CountIn():
            return _always.setdefault(type(node), Effect(reads=_LIE))
        case ir.Aggregate(var=var, set=inner):
            return Effect(brings=(var,), given=((var, inner),), loops=True)
        case ir.Search(over=over, through=through):
            return Effect(brings=(over, through), faults=True, loops=True)
        case ir.BagCount(bag=var) | ir.SecretOf(var=var):
            return _uses(var)
        # --------------------------------------------------------------------------------------------- sets
        case ir.Listed() | ir.Span_() | ir.SeatsFrom() | ir.Joined() | ir.Rows() | ir.Unpacked():
            return _always.setdefault(type(node), _NONE)
        case ir.Pieces():
            return _always.setdefault(type(node), Effect(reads=_LIE))
        case ir.Filtered(var=var, set=inner) | ir.FlatMapped(var=var, set=inner):
            return Effect(brings=(var,), given=((var, inner),), loops=True)
        case ir.Ordered(var=var, set=inner) | ir.Best(var=var, set=inner):
            return Effect(brings=(var,), given=((var, inner),), loops=True)
        case ir.Mapped(binders=binders):
            return Effect(brings=tuple(var for var, _ in binders), given=binders, loops=True)
        case ir.Chosen(bag=var) | ir.Kept(var=var):
            return _uses(var)
        case ir.Combos():
            return _always.setdefault(type(node), Effect(faults=True, loops=True))
        case ir.Way() | ir.Connected() | ir.Steps() | ir.SortSet() | ir.Label():
            return _always.setdefault(type(node), _NONE)
        # -------------------------------------------------------------------------------------------- moves
        case ir.Assign(var=var, value=value) | ir.KeepSet(var=var, value=value):
            return Effect(names=(var,), given=((var, value),))
        case ir.Write(place=place):
            return Effect(writes=frozenset((place.member,)), faults=True)
        case ir.Pay(source=source, target=target, amount=amount, tail=tail):
            refused = tail == "in_full" and _has_a_bottom(source)
            return Effect(writes=_purses(source) | _purses(target), amount=amount, refuses=refused, faults=True)
        case ir.MoveSome(amount=many, sorts=sorts, sources=sources, target=target, side=side, notes=notes):
            written = frozenset((PLACES, *(member for member, _ in notes))).union(*map(_zones, (*sources, target)))
            turned = side is not None
            return Effect(reads=_LIE, writes=written, moves=sorts.sorts, amount=many, turns=turned, faults=True)
        case ir.MovePiece(target=target, side=side, notes=notes) | ir.MoveSet(target=target, side=side, notes=notes):
            written = frozenset((PLACES, ANY_ZONE, *(member for member, _ in notes))) | _zones(target)
            kind = node.piece.kind if isinstance(node, ir.MovePiece) else node.set.kind.of or NUMBER
            return Effect(reads=_LIE, writes=written, moves=kind, turns=side is not None, faults=True)
        case ir.Draw(amount=amount, sorts=sorts, source=source, target=target, refill=refill, var=drawn, ordered=ordered, notes=notes):
            written = frozenset((PLACES, *(member for member, _ in notes)))
            written = written.union(*map(_zones, (source, target) if refill is None else (source, target, refill)))
            one = Effect(reads=_LIE, writes=written, moves=sorts.sorts, amount=amount, faults=True)
            by_chance = not ordered or refill is not None
            return one._replace(names=(drawn,) if drawn else (), given=((drawn, target),) if drawn else (), draws=by_chance)
        case ir.Pick(var=var, set=inner):
            return Effect(names=(var,), given=((var, inner),), draws=True)
        case ir.Shuffle(zone=zone):
            return Effect(writes=_zones(zone), moves=zone.kind, draws=True)
        case ir.Require():
            return _always.setdefault(type(node), Effect(refuses=True))
        case ir.Block() | ir.If() | ir.Named():
            return _always.setdefault(type(node), _NONE)
        case ir.For(var=var, set=inner, random=by_chance):
            return Effect(names=(var,), given=((var, inner),), draws=by_chance, loops=True)
        case ir.Repeat():
            return _always.setdefault(type(node), Effect(faults=True, loops=True))
        case ir.Turns(me=me, ending=ending):
            return Effect(names=(me,), keeps="" if ending is None else "ending", faults=True, loops=True)
        case ir.Perform(procedure=called, results=results):
            return Effect(names=results, performs=called)
        case ir.Leave():
            return _always.setdefault(type(node), Effect(leaves="block"))
        case ir.GiveBack():
            return _always.setdefault(type(node), Effect(leaves="rule"))
        case ir.Score():
            return _always.setdefault(type(node), Effect(keeps="score"))
        case ir.EndAs():
            return _always.setdefault(type(node), Effect(keeps="ending"))
        case ir.Tell() | ir.Record():  # whoever listens hears something, and the game is as it was
            return _always.setdefault(type(node), _NONE)
        case ir.Reveal(var=shown):
            return Effect(uses=() if shown is None else (shown,))
        case ir.Reset(member=member):
            return Effect(writes=frozenset((member,)))
        case ir.Watch(rules=rules, end_of=end_of):
            return Effect(wakes=rules, wakes_at_end=end_of, faults=True)
        case ir.Hush():
            return _NONE
        case ir.Decide(otherwise=otherwise):
            return Effect(asks=True, refuses=otherwise is None, faults=True)
        case ir.Offer(taken=taken):
            return Effect(names=(taken,), asks=True, loops=True)
        case ir.ChooseSome(bag=bag, set=inner, otherwise=otherwise):
            return Effect(names=(bag,), given=((bag, inner),), asks=True, refuses=otherwise is None, faults=True)
        case ir.Secret(me=me, seats=inner):
            return Effect(names=(me,), given=((me, inner),), asks=True)
        case ir.Option():
            return _always.setdefault(type(node), _NONE)
        case ir.Bind(var=var, set=inner):
            return Effect(names=(var,), given=((var, inner),), loops=True)
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
