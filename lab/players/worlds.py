"""The positions that a seat could be in, as far as it can know, to be played on from and thrown away."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from ichiba.interpreter.layout import LOADED, PC
from ichiba.interpreter.run.race import ask_instead
from ichiba.interpreter.run.table import FAULTS, whoever_listens
from ichiba.interpreter.runtime.chance import Words, key_of
from ichiba.interpreter.runtime.work import Work
from ichiba.interpreter.sight.imagine import Imagination, World
from ichiba.interpreter.sight.masking import Mask

if TYPE_CHECKING:
    from ichiba.interpreter.flow.pieces import Site
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

MUCH = 1_000_000  # as much as so many answers may take: whoever sets no limit means none


class Position:
    """A game that goes on from somewhere, without a history: what is answered here is not kept."""

    __slots__ = ("codes", "context", "game", "state")

    def __init__(self, game: Game, state: list[int], codes: Any, chance: str):
        self.game, self.state, self.codes = game, state, codes
        self.chance_from(chance)

    def fork(self, chance: str) -> Position:
        """The same position, from which chance goes its own way."""
        return Position(self.game, self.state[:], self.codes, chance)

    @property
    def site(self) -> Site:
        return self.game.flow.sites[self.state[PC]]

    @property
    def seat(self) -> int:
        """Who is asked, counted from 0."""
        site = self.site
        return self.state[LOADED] - 1 if site.secret is not None else self.game.seat_of(site, self.state)

    def chance_from(self, seed: str) -> None:
        self.context = whoever_listens(self.game, Words(key_of(seed)))

    def answer(self, code: int) -> None:
        """Raises what the rules raise."""
        self.codes = self.game.code.step(self.state, self.context, code)

    def table(self) -> Table:
        """As a table, for those who ask one: the rest of its history is not there."""
        from ichiba.interpreter.run.table import Table

        made = Table(self.game, 0)
        made.state, made.codes, made.context = self.state, self.codes, self.context
        return made


class Worlds:
    """What the seat of a decision can imagine. Where nothing is hidden from it, that is the table as it stands. `work`: how much may
    be done for it; then comes `TooMuchWork`."""

    def __init__(self, decision: Decision, dice: Random, work: Work | None = None):
        self.decision, self.dice = decision, dice
        self.game = decision.table.game
        self.work = work or Work(self.game, MUCH)
        self.open = nothing_hidden(self.game, decision.seat_index, decision.table.state)
        self.imagination = None if self.open else Imagination(decision.table, decision.seat, work=self.work)

    def draw(self) -> Position:
        """One of them, with this seat's question asked."""
        return self.drawn()[0]

    def drawn(self) -> tuple[Position, World | None]:
        """The same, with the game that leads there; None where that is the one at the table."""
        seed = f"{self.dice.getrandbits(64):x}"
        world = self.imagination.world(seed) if self.imagination is not None else None
        state = self.decision.table.state[:] if world is None else world.state
        ask_instead(self.game, state, self.decision.seat_index)
        return Position(self.game, state, self.game.code.OPTIONS[state[PC]](state), seed), world

    @property
    def tries(self) -> int:
        """How many did not agree with what the seat has seen."""
        return self.imagination.failed if self.imagination is not None else 0


def nothing_hidden(game: Game, seat: int, state: list[int]) -> bool:
    """Whether this seat knows all that stands in a state, by how things are declared and not by what they happen to be."""
    mask = Mask(game, seat)
    if mask.blank or mask.before:
        return False
    return all(counted and (width == 1 or not any(state[place : place + width])) for place, width, counted in mask.zones)


__all__ = ["FAULTS", "Position", "Worlds", "nothing_hidden"]
