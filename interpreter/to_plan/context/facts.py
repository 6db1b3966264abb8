"""What is found out about a whole program when it is first asked for."""

from __future__ import annotations

from functools import cached_property

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.dsl.program.hiding import hidden_members
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps, walk
from ichiba.dsl.world.world import Member
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.flow.mentions import bag_zones, pieces_within
from ichiba.interpreter.flow.pieces import Piece, Site

MOST_WRITTEN = 15_000  # expressions that the code of a game which nobody vouches for is made of


class Facts:
    """Facts about the rules of one game, and how much code has been written of them."""

    def __init__(self, program: ir.Program, flow: Flow):
        self.program, self.flow, self.written = program, flow, 0

    def note_one_more(self) -> None:
        """One more expression: its code may stand in several places, and be far longer than what it says."""
        self.written += 1
        if self.written > MOST_WRITTEN and self.program.world.closely:
            faults = Faults()
            faults.add("E529", None, f"the code of these rules comes to more than {MOST_WRITTEN:,} expressions",
                       label="say in a value what is said again and again, and once `for` each what is alike")  # fmt: skip
            raise RulesetFaults(faults.all)

    @cached_property
    def lots(self) -> dict[ir.Var, ir.Set]:
        """By lot: what it is chosen from."""
        return {s.decide.bag: s.decide.set for s in self.flow.sites if isinstance(s.decide, ir.ChooseSome)}

    @cached_property
    def lot_zones(self) -> dict[ir.Var, tuple[ir.Exp, ...]]:
        """By lot: the zones it is chosen from."""
        return {lot: bag_zones(chosen_from) for lot, chosen_from in self.lots.items()}

    @cached_property
    def listed_lots(self) -> set[ir.Var]:
        """The lots of which some rule asks for the pieces themselves."""
        return {node.var for one in self.program.procedures for node in walk(one.body) if isinstance(node, ir.Kept)}

    @cached_property
    def indebted(self) -> set[Member]:
        """The purses out of which somebody may pay what is not there."""
        moves = (s for one in self.program.procedures for s in steps(one.body) if isinstance(s, ir.Pay))
        purses = (n for s in moves if s.tail == "into_debt" for n in walk(s.source))
        return {purse.member for purse in purses if isinstance(purse, ir.PurseAt)}

    @cached_property
    def hidden(self) -> frozenset[Member]:
        return hidden_members(self.program.world)

    @cached_property
    def reveals(self) -> list[ir.Reveal]:
        """Every `reveal` of the rules."""
        return [s for one in self.program.procedures for s in steps(one.body) if isinstance(s, ir.Reveal)]

    @cached_property
    def owners(self) -> dict[Piece, ir.Procedure]:
        """The rule that each piece is part of."""
        entries = self.flow.entries.items()
        return {piece: owner for owner, entry in entries for piece in pieces_within(entry, self.flow)}

    @cached_property
    def calls(self) -> dict[int, tuple[ir.Procedure, tuple[tuple[Site, int], ...]]]:
        """By the identity of a call: the rule it stands in, and inside of which options."""
        return {id(call): (procedure, inside) for call, procedure, inside in self.flow.calls}

    @cached_property
    def trigger_numbers(self) -> dict[str, int]:
        """By trigger: which it is, in their order."""
        return {name: number for number, name in enumerate(self.program.watchers)}
