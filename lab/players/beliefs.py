"""How far to believe in an imagined world: what the others have done must fit what they would do there.

Each of them is taken for somebody who mostly follows the ruleset's own policy. In a world where that policy would have
answered as they did, their answers are likely; in another they were slips.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from ichiba.interpreter.layout import PC
from ichiba.interpreter.run.decisions import Decision
from ichiba.interpreter.run.race import ask_instead
from ichiba.interpreter.runtime.chance import told_seed
from ichiba.lab.players.worlds import FAULTS, Position, Worlds
from ichiba.lab.policies import Preferring

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table
    from ichiba.interpreter.sight.imagine import World
    from ichiba.lab.policies import Policy

SLIP = 0.25  # of their answers, that follow no policy
LONGEST = 80  # answers: behind more of them most has come to light, and looking back takes long


class Beliefs:
    """The worlds that a seat has imagined, each as likely to be thought of as what was done there."""

    def __init__(self, worlds: Worlds, base: Policy):
        self.worlds, self.base = worlds, base
        table = worlds.decision.table
        self.looks_back = isinstance(base, Preferring) and not table.given and len(table.history) <= LONGEST
        self.positions: list[Position] = []
        self.likely: list[float] = []

    def add(self) -> None:
        """One more of them."""
        position, world = self.worlds.drawn()
        self.positions.append(position)
        self.likely.append(1.0 if world is None or not self.looks_back else self._likelihood(world))

    def one(self, dice: Random) -> Position:
        if len(self.positions) == 1:
            return self.positions[0]
        return dice.choices(self.positions, self.likely)[0]

    def _likelihood(self, world: World) -> float:
        """Of all that the others have answered, if this were the game."""
        game, own = self.worlds.game, self.worlds.decision.seat_index
        table, found = game.start(told_seed(world.words, "believed")), 1.0
        work = self.worlds.work
        for seat, code in world.history:
            work.go_on()
            if seat >= 0:
                ask_instead(game, table.state, seat)
            if seat >= 0 and seat != own:
                with work:
                    found *= self._likely(table, seat, code)
            with work:
                table.codes = game.code.step(table.state, table.context, code)
        return found

    def _likely(self, table: Table, seat: int, code: int) -> float:
        game = self.worlds.game
        codes = list(game.code.OPTIONS[table.state[PC]](table.state))
        if len(codes) < 2 or code not in codes:
            return 1.0
        assert isinstance(self.base, Preferring)
        try:
            weights = self.base.weights(Decision(table, game.flow.sites[table.state[PC]], seat, codes))
        except FAULTS:
            return 1.0
        best = max(weights)
        liked = (1 - SLIP) / weights.count(best) if weights[codes.index(code)] == best else 0.0
        return liked + SLIP / len(codes)


__all__ = ["Beliefs"]
