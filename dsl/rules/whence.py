"""Which zones and purses an expression can stand for, or take a piece out of, followed back through names.

    procedure lay(s: seat):
        move first of s.hand to s.laid        # out of `hand`

    procedure give(c: card): move c to pile   # `give(c)` for each c in my.hand: out of `hand`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import effect_of
from ichiba.dsl.rules.walks import children, functions_of, procedures_of, walk
from ichiba.dsl.world.kinds import NUMBER
from ichiba.dsl.world.world import Member


@dataclass(frozen=True, slots=True)
class Home:
    """A zone or a purse that was come to. `at` is None where nothing can be said of whose: what is handed over in a call."""

    member: Member
    at: tuple[ir.Exp, ...] | None


class Whence:
    """Follows names back to what they were given, anywhere in a program."""

    def __init__(self, program: ir.Program):
        self.world = program.world
        self.given: dict[ir.Var, list[object]] = {}  # by the names of a rule itself
        self.handed: dict[ir.Var, list[object]] = {}  # parameters and results
        for procedure in program.procedures:
            for node in walk(procedure.body):
                effect = effect_of(node)
                for var, part in effect.given:
                    self.given.setdefault(var, []).append(part)
                if effect.calls is not None or effect.performs is not None:
                    for var, handed in _handings(node):
                        self.handed.setdefault(var, []).append(handed)

    def homes(self, *parts: object) -> set[Home]:
        """All that it can be; of a piece that is remembered somewhere nothing is said."""
        found: set[Home] = set()
        todo, seen = [(part, True) for part in parts], set[object]()
        while todo:
            node, here = todo.pop()
            match node:
                case ir.ZoneAt(member=member, at=at) | ir.PurseAt(member=member, at=at):
                    found.add(Home(member, at if here else None))
                case ir.Use(var=var) | ir.Kept(var=var) | ir.Chosen(bag=var) | ir.SecretOf(var=var):
                    if var not in seen:
                        seen.add(var)
                        todo += [(part, here) for part in self.given.get(var, ())]
                        todo += [(part, False) for part in self.handed.get(var, ())]
                case ir.CallValue(function=ref, args=args):
                    todo += [(arg, False) for arg in args]
                    for function in functions_of(ref):
                        if function not in seen:
                            seen.add(function)
                            todo.append((function.body, False))
                case _:  # any other: whatever it can be one of
                    todo += [(part, here) for part in _standing_for(node)]
        return found

    def of(self, *parts: object) -> set[Member]:
        """The members whose places it can be; of a piece that is remembered somewhere, any zone that can hold it."""
        found = {home.member for home in self.homes(*parts)}
        for read in (node for part in parts for node in walk(part) if isinstance(node, ir.Read)):
            sorts = set(self.world.categories.get(read.kind.name, ()))
            found |= {m for m in self.world.members() if m.form == "zone" and sorts & set(m.sorts)}
        return found

    def changed(self, s: ir.Move) -> tuple[frozenset[Member], tuple[object, ...]]:
        """What a statement changes at once, pieces and money where they come from as well, and what its change hangs on."""
        match s:
            case ir.Write(place=place, value=value):
                return frozenset((place.member,)), (value, *place.at)
            case ir.Pay(amount=amount, source=source, tail=tail):
                return frozenset(self.of(*places_of(s))), (amount, source if tail == "as_far" else None)
            case ir.MoveSome(amount=amount, sorts=sorts, sources=sources, notes=notes):
                many = ir.CountIn(sources, sorts, NUMBER) if amount is None else amount
                by: tuple[object, ...] = (many, sorts.one, *sources, *(value for _, value in notes))
                return frozenset(self.of(*places_of(s))).union(member for member, _ in notes), by
            case ir.MovePiece(notes=notes) | ir.MoveSet(notes=notes):
                what: object = s.piece if isinstance(s, ir.MovePiece) else s.set
                by = what, *(value for _, value in notes)
                return frozenset(self.of(*places_of(s))).union(member for member, _ in notes), by
            case (
                ir.Assign() | ir.KeepSet() | ir.Draw() | ir.Pick() | ir.Shuffle() | ir.Require() | ir.Block()
                | ir.If() | ir.For() | ir.Repeat() | ir.Turns() | ir.Perform() | ir.Named() | ir.Leave()
                | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch()
                | ir.Hush() | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret() | ir.Option()
            ):  # their parts do, or chance, or nothing
                return frozenset(), ()
            case _:
                assert_never(s)

    def written_in(self, block: ir.Block) -> frozenset[Member]:
        """The members that a block writes, procedures included; of pieces that are moved also where they lay."""
        found: set[Member] = set()
        todo: list[object] = [block]
        seen: set[ir.Procedure] = set()
        while todo:
            for node in walk(todo.pop()):
                effect = effect_of(node)
                found |= effect.writes
                if effect.performs is not None:
                    new = [callee for callee in procedures_of(effect.performs) if callee not in seen]
                    seen.update(new)
                    todo += [callee.body for callee in new]
                if isinstance(node, ir.Pay | ir.MoveSome | ir.MovePiece | ir.MoveSet):
                    found |= self.of(*places_of(node))
        return frozenset(found)


def places_of(s: ir.Pay | ir.MoveSome | ir.MovePiece | ir.MoveSet) -> tuple[object, ...]:
    """From where, and to where."""
    match s:
        case ir.Pay(source=source):
            return source, s.target
        case ir.MoveSome(sources=sources):
            return *sources, s.target
        case ir.MovePiece(piece=piece):
            return piece, s.target
        case ir.MoveSet():
            return s.set, s.target
        case _:
            assert_never(s)


def _standing_for(node: object) -> Iterable[object]:
    """The parts of an expression that it is one of: not its conditions, nor what it is ordered by."""
    match node:
        case ir.Filtered(set=inner) | ir.Ordered(set=inner) | ir.Best(set=inner) | ir.Combos(set=inner):
            return (inner,)
        case ir.Cond(yes=yes, no=no):
            return (yes, no)
        case ir.Pieces(zones=zones):
            return zones
        case ir.Op() | ir.CountIn() | ir.Contains() | ir.Const() | ir.Read() | None:
            return ()
        case _:  # any other: it may be any of its parts
            return children(node)


def _handings(node: ir.Node) -> Iterator[tuple[ir.Var, object]]:
    """What a parameter, or a result, stands for."""
    if isinstance(node, ir.CallValue):
        for function in functions_of(node.function):
            yield from zip(function.params, node.args, strict=False)
    elif isinstance(node, ir.Perform):
        for procedure in procedures_of(node.procedure):
            yield from zip(procedure.params, node.args, strict=False)
            for back in walk(procedure.body) if node.results else ():
                if isinstance(back, ir.GiveBack):
                    yield from zip(node.results, back.values, strict=False)


__all__ = ["Home", "Whence", "places_of"]
