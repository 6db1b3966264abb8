"""Who answers when nobody sits there: at random, or as a policy of the ruleset would rather. And whole games among them.

    policy sensible:
        prefer "buy/{l}" for l in lots when my.cash > ¥20 by worth(l)
        prefer "pass"

Every preference that fits an answer adds its weight to it; the answer with the highest sum is given, and among
equals the policy's own dice decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Protocol

import ichiba
from ichiba.dsl.faults.fault import nearest
from ichiba.interpreter.layout import PC
from ichiba.interpreter.policies.of_game import policies_of
from ichiba.interpreter.policies.spelled import mask_of, weights_by_keys
from ichiba.interpreter.run.table import FAULTS
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.runtime.sharing import in_turn, turn
from ichiba.interpreter.runtime.work import counted_apart

if TYPE_CHECKING:
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

RANDOM = "random"


class UnknownPolicy(LookupError):
    """No policy of that name."""


class Policy(Protocol):
    """Answers the decisions of one seat. `rng` is its own, so that one seat's dice never move another's."""

    rng: Random

    def index(self, decision: Decision) -> int: ...


class AtRandom:
    """Any answer, each alike likely."""

    def __init__(self, rng: Random):
        self.rng = rng

    def index(self, decision: Decision) -> int:
        return self.rng.randrange(len(decision.codes))

    def place(self, table: Table, question: int, seat: int) -> int:
        del question, seat
        return self.rng.randrange(len(table.codes))


class Preferring:
    """What a ruleset's own policy would rather do. It goes by the numbers of the answers; their keys are spelled only where
    they alone tell which are meant, and where something goes wrong."""

    def __init__(self, game: Game, name: str, rng: Random):
        self.game, self.rng = game, rng
        self.preferences = game.program.policies[name]
        made = policies_of(game)
        self.weighs, self.masked = made.weighs[name], name in made.masked
        self.spelled = frozenset(site for policy, site in made.plan.not_told if policy == name)

    def index(self, decision: Decision) -> int:
        return self.best(self.weights(decision))

    def place(self, table: Table, question: int, seat: int) -> int:
        """The same for whoever is asked first at a table, without all that is made for who looks at a decision."""
        weigh = self.weighs.get(question)
        if weigh is not None and not self.masked:
            try:
                with turn:
                    sums = weigh(table.state, seat, table.codes)
                return self.best(sums)
            except FAULTS:  # it is told from the keys
                pass
        decision = table.decision
        assert decision is not None
        return self.index(decision)

    def best(self, sums: list[int]) -> int:
        """The place of the answer for which most speaks; among equals its own dice decide."""
        best = max(sums)
        if sums.count(best) == 1:
            return sums.index(best)
        return self.rng.choice([index for index, weight in enumerate(sums) if weight == best])

    @in_turn  # all that it works out for one decision
    def weights(self, decision: Decision) -> list[int]:
        """The sum of what speaks for each answer."""
        number = decision.site.number
        weigh = self.weighs.get(number)
        if weigh is None and number not in self.spelled:
            return [0] * len(decision.codes)
        if weigh is not None:
            with counted_apart(self.game):
                state = decision.table.state_for(decision.seat_index)
                if self.masked:
                    state = mask_of(self.game, decision.seat_index).of(state)
                with suppress(*FAULTS):  # what exactly is wrong is told from the keys
                    return weigh(state, decision.seat_index, decision.codes)
        with counted_apart(self.game):
            return weights_by_keys(self.game, self.preferences, decision)


def policies(game: Game) -> list[str]:
    """The names a bot of this game can have; the one it has unless something is said comes first."""
    return [*game.program.policies, RANDOM, *ichiba.PLAYERS]


def policy(game: Game, name: str, seed: object) -> Policy:
    """The policy of that name, with dice of its own."""
    rng = Random(str(seed))
    if name in game.program.policies:
        return Preferring(game, name, rng)
    if name == RANDOM:
        return AtRandom(rng)
    home = ichiba.PLAYERS.get(name.partition(":")[0])
    if home is not None:
        made: Policy = import_module(home).thinking(game, name, rng)
        return made
    hint = nearest(name, policies(game))
    message = f"`{game.name}` has no policy `{name}`"
    message += f"; did you mean `{hint}`?" if hint else "; there are: " + ", ".join(policies(game))
    raise UnknownPolicy(message)


class BrokenOff(RuleFault):
    """A game that could not go on: its table as it stood at the last decision, the answer that broke it, and why."""

    def __init__(self, table: Table, answer: str, words: str):
        super().__init__(words)
        self.table, self.answer = table, answer
        self.explained = True


def play_out(game: Game, seed: int | str, names: Sequence[str], check: bool = False) -> Table:
    """A whole game among these policies, one for each seat; with `check` the invariants must hold at each decision.
    Raises `BrokenOff` where the rules fail."""
    from ichiba.interpreter.run.table import FAULTS, Table

    table, index = Table(game, seed), -1
    try:
        table.begin()
        if check:
            game.held(table.state)
        if all(name == RANDOM for name in names):
            draw = Random(f"{seed}/bots").random
            while table.codes:
                index = int(draw() * len(table.codes))
                table.step(index)
                if check:
                    game.held(table.state)
            return table
        seats = [policy(game, name, f"{seed}/{seat}") for seat, name in enumerate(names, 1)]
        whose = game.code.module["SEATS"]
        while table.codes:
            index, question = -1, table.state[PC]
            seat = whose[question](table.state)  # whose answers are in work, in secret and in a race too
            bot = seats[seat]
            if isinstance(bot, Preferring | AtRandom):
                index = bot.place(table, question, seat)
            elif (decision := table.decision) is not None:
                index = bot.index(decision)
            table.step(index)
            if check:
                game.held(table.state)
        return table
    except FAULTS as fault:
        raise BrokenOff(table, _answer(table, index), str(game.explain_fault(fault))) from fault


def _answer(table: Table, index: int) -> str:
    """The answer that the rules failed at; none where they failed before it, or after it."""
    if table.fault is None or not 0 <= index < len(table.codes):
        return ""
    try:
        decision = table.decision
        return decision.options[index].key if decision is not None else ""
    except Exception:  # the question itself is what is wrong
        return ""
