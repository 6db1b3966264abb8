"""The generated code against the naive player: the same questions, the same answers, the same state, all the way."""

from __future__ import annotations

from random import Random

import pytest

import ichiba
from ichiba.dsl.world import Member
from ichiba.interpreter.layout import CHANCE
from ichiba.interpreter.records import Replay
from tests.conftest import Tally
from tests.naive.machine import Machine
from tests.properties.tables import HEAVY, Setting, every, loaded, paired, plain, sampled, slice_of


def members_of(game: ichiba.Game) -> list[Member]:
    return [member for member in game.world.members() if member.size]


class LockStep:
    """One game three times: the fast build, the traced build and the naive player."""

    def __init__(self, game: ichiba.Game, seed: int):
        self.game, self.random = game, Random(seed)
        self.fast = game.start(seed=seed)
        self.told = Replay(game, seed)
        self.naive = Machine(game.program, game.first, seed)
        self.last = "the start"

    def compare(self) -> None:
        """Everything that both sides know, at this moment."""
        fast, naive = self.fast, self.naive
        for member in members_of(self.game):
            mine = fast.state[member.base : member.base + member.size]
            theirs = naive.cells[member.base : member.base + member.size]
            assert mine == theirs, f"{member.full_name} after {self.last}"
        assert fast.state[CHANCE] == naive.events, f"chance events after {self.last}"
        assert [d.seat_index for d in fast.pending] == list(naive.asking), f"seats after {self.last}"
        for decision in fast.pending:
            question = naive.asking[decision.seat_index]
            assert (decision.name, decision.keys()) == (question.name, question.keys), f"options after {self.last}"
        assert self.told.state == fast.state, f"the traced build after {self.last}"
        assert list(self.told.codes) == list(fast.codes), f"the options of the traced build after {self.last}"

    def step(self) -> None:
        decision = self.random.choice(self.fast.pending)
        place = self.random.randrange(len(decision.codes))
        seat, code = decision.seat_index, decision.codes[place]
        self.last = f"decision {len(self.fast.history) + 1}, seat {seat + 1}, {decision.path}: {decision.key_of(code)}"
        self.fast.play(place, seat=decision.seat)
        self.told.answer(seat, code)
        self.naive.answer(seat, place)

    def play(self, most: int) -> int:
        """So many decisions, or all; how many there were."""
        self.compare()
        played = 0
        while not self.fast.over and played < most:
            self.step()
            self.compare()
            played += 1
        if self.fast.over:
            assert self.naive.over
            assert (self.fast.scores, self.fast.ranking) == (self.naive.scores, self.naive.ranking)
        return played


LARGEST = "tokyo_tsukiji_market"
SLOW = 10  # decisions of the largest game: the naive player tries every way through every option


@every(sampled("lock-step"))
def test_the_generated_code_plays_as_the_naive_player_does(setting: Setting, tally: Tally) -> None:
    for seed in range(1 if setting.ruleset in HEAVY else 2):
        most = SLOW if setting.ruleset == LARGEST else slice_of(setting)
        tally(games=1, decisions=LockStep(loaded(setting), seed).play(most))


@pytest.mark.soak
@every(plain())
def test_whole_games_are_the_same(setting: Setting, tally: Tally) -> None:
    for seed in range(100, 102 if setting.ruleset in HEAVY else 140):
        tally(games=1, decisions=LockStep(loaded(setting), seed).play(10**9))


@pytest.mark.soak
@every(paired())
def test_with_anything_switched_on_the_game_is_the_same(setting: Setting, tally: Tally) -> None:
    for seed in range(200, 201 if setting.ruleset in HEAVY else 220):
        tally(games=1, decisions=LockStep(loaded(setting), seed).play(80 if setting.ruleset in HEAVY else 10**9))
