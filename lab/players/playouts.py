"""From a position to the end of the game, by the ruleset's own policy: in machine code where there is some, else in Python.

Both play the same: chance comes from the playout's seed, and the dice of each seat from that. Machine code is made only
when Python has taken longer over playouts than it would; who must answer soon takes it where it is there already.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from time import process_time
from typing import TYPE_CHECKING

from ichiba.interpreter.batch.rows import DECISIONS, FIRST_RANK, PLAYED, STATUS
from ichiba.interpreter.layout import PC
from ichiba.interpreter.native import compiler
from ichiba.interpreter.policies.players import RANDOM, Preferring, policy
from ichiba.interpreter.run.decisions import Decision
from ichiba.interpreter.runtime.work import Work
from ichiba.lab.players.worlds import FAULTS, Position

if TYPE_CHECKING:
    from ichiba.interpreter.native.compiler import Player
    from ichiba.interpreter.run.game import Game

FORESIGHT = 2000  # answers that a playout goes on for, before it is valued as it stands
PLAYOUT = 2  # as much as so many answers may take, of rules that nobody vouches for: machine code gives up there (`games.c`) as well
THOUSAND = 1000
THERE = 0.5  # seconds: what takes less is there already


@dataclass(frozen=True, slots=True)
class Ended:
    """How a playout has come to its end: by seat its place, from 0, and its score; and after how many answers."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    answers: int = 0


class Playouts:
    """Of one game, by one policy at all seats."""

    def __init__(self, game: Game, name: str, patient: bool = True):
        self.game, self.name, self.patient = game, name, patient
        self.names = (name,) * game.seats
        self.player: Player | None = None
        self.wanted, self.spent = True, 0.0  # whether there may be machine code; seconds that Python has taken

    def to_end(self, position: Position, seed: str, slips: int = 0, work: Work | None = None) -> Ended | None:
        """None where it does not end in good time, or with as much `work`: then the position stands there. `slips`: so many of a
        thousand answers are any. Raises what the rules raise."""
        slips = slips if self.name != RANDOM else 0
        if self._in_machine_code():
            found = self._fast(position, seed, slips)
            if found is not None:
                return found
        began = process_time()
        try:
            return self._slowly(position, seed, slips, work or Work(self.game, PLAYOUT))
        finally:
            self.spent += process_time() - began

    def _in_machine_code(self) -> bool:
        if self.player is None and self.wanted:
            seconds = compiler.seconds(self.game, self.names) if self.spent == 0 or self.patient else 0.0
            if seconds < THERE or self.patient and self.spent > seconds:
                self.player = compiler.player(self.game, self.names)
                self.wanted = False
            elif not self.patient:
                self.wanted = False
        return self.player is not None

    def _fast(self, position: Position, seed: str, slips: int) -> Ended | None:
        """None where machine code gives up."""
        assert self.player is not None
        player, seats, score = self.player, self.game.seats, self.game.world.seat["score"].base
        row = array("q", bytes(8 * (FIRST_RANK + 2 * seats)))
        text = seed.encode()
        player.games(
            player.held(position.state), text, array("q", accumulate([len(text)])), row, bytearray(1), player.policies,
            tuple(range(score, score + seats)), False, True, slips, FORESIGHT,
        )  # fmt: skip
        if row[STATUS] != PLAYED:
            return None
        return Ended(tuple(row[FIRST_RANK : FIRST_RANK + seats]), tuple(row[FIRST_RANK + seats :]), row[DECISIONS])

    def _slowly(self, position: Position, seed: str, slips: int, work: Work) -> Ended | None:
        game = self.game
        position.chance_from(seed)
        if self.name == RANDOM:
            draw = Random(f"{seed}/bots").random
            for answers in range(FORESIGHT):
                if not position.codes:
                    return ended(position, answers)
                with work:
                    position.answer(position.codes[int(draw() * len(position.codes))])
                if work.over:
                    return None
            return None if position.codes else ended(position, FORESIGHT)
        bots = [policy(game, self.name, f"{seed}/{seat}") for seat in range(1, game.seats + 1)]
        table, whose = position.table(), game.code.module["SEATS"]
        for answers in range(FORESIGHT):
            if not position.codes:
                return ended(position, answers)
            question = position.state[PC]
            seat = whose[question](position.state)
            bot = bots[seat]
            table.codes = position.codes
            with work:
                if slips and bot.rng.randrange(THOUSAND) < slips:
                    place = bot.rng.randrange(len(position.codes))
                elif isinstance(bot, Preferring) and not bot.masked and question in bot.weighs:
                    place = bot.place(table, question, seat)
                else:
                    place = bot.index(Decision(table, position.site, seat, position.codes))
            with work:
                position.answer(position.codes[place])
            if work.over:
                return None
        return None if position.codes else ended(position, FORESIGHT)


def ended(position: Position, answers: int = 0) -> Ended:
    """Of a game that is over."""
    table = position.table()
    places = {seat: place for place, seats in enumerate(table.ranking) for seat in seats}
    seats = range(1, position.game.seats + 1)
    return Ended(tuple(places[seat] for seat in seats), tuple(table.scores[seat] for seat in seats), answers)


__all__ = ["FAULTS", "FORESIGHT", "PLAYOUT", "Ended", "Playouts", "ended"]
