"""Other people's engines, driven like ours: whole games of uniformly random answers, to compare speed with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Any

STARTS = 10  # so many different deals are rolled out


@dataclass(frozen=True, slots=True)
class Run:
    """What so many whole games took: processor time, and the decisions in which there were at least two options."""

    seconds: float
    games: int
    decisions: int

    @property
    def per_game(self) -> float:
        return self.seconds / self.games

    @property
    def per_decision(self) -> float:
        return self.seconds / max(1, self.decisions)


def cost(work: Callable[[], object], times: int) -> float:
    """Seconds of processor time for one piece of work, set to work so many times."""
    began = process_time()
    for _ in range(times):
        work()
    return (process_time() - began) / times


class OpenSpiel:
    """A game of OpenSpiel's, through its Python API."""

    def __init__(self, name: str):
        import pyspiel

        if name.startswith("python_"):
            import open_spiel.python.games  # noqa: F401  makes them known

        self.game = pyspiel.load_game(name)
        self.players = range(self.game.num_players())

    def play(self, games: int, seed: int) -> Run:
        random = Random(seed).random
        decisions = 0
        began = process_time()
        for _ in range(games):
            state = self.game.new_initial_state()
            while not state.is_terminal():
                decisions += self._on(state, random)
            state.returns()
        return Run(process_time() - began, games, decisions)

    def _on(self, state: Any, random: Callable[[], float]) -> int:
        """Play the next chance event or answer; in simultaneous games the answers of all. Returns how many had a choice."""
        if state.is_chance_node():
            state.apply_action(_drawn(state.chance_outcomes(), random()))
            return 0
        if not state.is_simultaneous_node():
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
            return int(len(legal) > 1)
        all_legal = [state.legal_actions(player) for player in self.players]
        state.apply_actions([legal[int(random() * len(legal))] for legal in all_legal])
        return sum(len(legal) > 1 for legal in all_legal)

    def start(self, seed: int) -> object:
        return self.game.new_initial_state()

    def copying(self, times: int) -> float | None:
        """Seconds for a copy, in the middle of a game."""
        random = Random(1).random
        state = self.game.new_initial_state()
        for _ in range(max(1, self._length() // 2)):
            self._on(state, random)
        return cost(state.clone, times)

    def _length(self) -> int:
        random = Random(1).random
        state = self.game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            self._on(state, random)
            steps += 1
        return steps


class Rollouts:
    """Random games of OpenSpiel's played within C++, as its tree search evaluates a position: from the first decision, which
    is where chance leads at random, many in one call. How many decisions a game has is counted before, from Python."""

    def __init__(self, name: str):
        import pyspiel

        game = pyspiel.load_game(name)
        if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            name = f"turn_based_simultaneous_game(game={name if '(' in name else name + '()'})"
            game = pyspiel.load_game(name)
        self.game, self.evaluator, self.bot = game, pyspiel.RandomRolloutEvaluator, pyspiel.MCTSBot
        counted = OpenSpiel(name).play(200, 0)
        self.decisions = counted.decisions / counted.games

    def play(self, games: int, seed: int) -> Run:
        random, states = Random(seed).random, []
        for _ in range(STARTS):
            states.append(self.game.new_initial_state())
            while states[-1].is_chance_node():
                states[-1].apply_action(_drawn(states[-1].chance_outcomes(), random()))
        each = max(1, games // STARTS)
        bot = self.bot(self.game, self.evaluator(each, seed), 1.0, 1, 100, False, seed, False)
        began = process_time()
        for state in states:
            bot.mcts_search(state)  # one simulation: it only evaluates
        return Run(process_time() - began, each * STARTS, round(each * STARTS * self.decisions))

    def start(self, seed: int) -> object:
        return self.game.new_initial_state()

    def copying(self, times: int) -> float | None:
        return cost(self.game.new_initial_state().clone, times)


def _drawn(outcomes: list[tuple[int, float]], left: float) -> int:
    """The outcome at which that much of the probability is used up."""
    for outcome, probability in outcomes:
        left -= probability
        if left < 0:
            return outcome
    return outcomes[-1][0]


class Catanatron:
    """Catan between four random players, of catanatron's."""

    turns = 1000  # then a game is given up, as catanatron itself does

    def __init__(self) -> None:
        from catanatron import Color, Game, RandomPlayer

        def new(seed: int) -> Any:
            return Game([RandomPlayer(color) for color in Color], seed=seed)

        self.new = new

    def play(self, games: int, seed: int) -> Run:
        decisions = 0
        began = process_time()
        for number in range(games):
            game = self.new(1 + seed * 1_000_003 + number)
            while game.winning_color() is None and game.state.num_turns < self.turns:
                decisions += len(game.state.playable_actions) > 1
                game.play_tick()
        return Run(process_time() - began, games, decisions)

    def start(self, seed: int) -> object:
        return self.new(seed + 1)

    def copying(self, times: int) -> float | None:
        game = self.new(1)
        for _ in range(300):
            game.play_tick()
        return cost(game.copy, times)
