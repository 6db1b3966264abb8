"""The small games against OpenSpiel's: the whole tree where it is small, and random games in lock-step."""

from random import Random
from typing import Any

import pytest

import ichiba
from ichiba.lab.enumerate import Chance, Choice, Counts, End, Forced, Position, counts, root
from tests.oracle.pairs import LARGE, SMALL, Pair, goofspiel, in_turn, leduc_poker

pytest.importorskip("pyspiel")
pytestmark = pytest.mark.oracle


# The whole tree


def compare_trees(pair: Pair, ours: Position, theirs: Any, gathered: tuple[int, ...] = ()) -> None:
    """Both stand at the same place. Where all decide at once, theirs waits until ours has all answers."""
    if theirs.is_terminal() and not isinstance(ours, End):
        assert pair.last_unasked and len(ours.edges) == 1
        compare_trees(pair, ours.after(ours.edges[0]), theirs)
    elif isinstance(ours, Chance):
        assert theirs.is_chance_node()
        whole = sum(ours.weights.values())
        mapped = {pair.outcome(f"{ours.what}/{key}"): weight / whole for key, weight in ours.weights.items()}
        assert mapped == pytest.approx(dict(theirs.chance_outcomes()))
        for key in ours.edges:
            compare_trees(pair, ours.after(key), theirs.child(pair.outcome(f"{ours.what}/{key}")))
    elif isinstance(ours, End):
        assert theirs.is_terminal()
        assert ours.scores == pytest.approx(pair.expected(theirs))
    else:
        assert isinstance(ours, Choice | Forced)
        compare_choices(pair, ours, theirs, gathered)


def compare_choices(pair: Pair, ours: Choice | Forced, theirs: Any, gathered: tuple[int, ...]) -> None:
    player = ours.seat - 1
    actions = {key: pair.action(key) for key in ours.edges}
    if not theirs.is_simultaneous_node():
        assert player == theirs.current_player()
        assert sorted(actions.values()) == theirs.legal_actions()
        for key, action in actions.items():
            compare_trees(pair, ours.after(key), theirs.child(action))
        return
    assert player == len(gathered)
    assert sorted(actions.values()) == theirs.legal_actions(player)
    for key, action in actions.items():
        answers = (*gathered, action)
        if len(answers) < pair.seats:
            compare_trees(pair, ours.after(key), theirs, answers)
        else:
            state = theirs.clone()
            state.apply_actions(list(answers))
            compare_trees(pair, ours.after(key), state)


@pytest.mark.parametrize("pair", SMALL, ids=str)
def test_the_whole_tree_is_the_same(pair: Pair) -> None:
    compare_trees(pair, root(pair.load()), pair.opponent().new_initial_state())


def their_counts(state: Any) -> Counts:
    if state.is_terminal():
        return Counts(terminal=1)
    below = [their_counts(state.child(action)) for action in state.legal_actions()]
    chance = int(state.is_chance_node())
    return Counts(
        chance + sum(c.chance for c in below),
        1 - chance + sum(c.decision for c in below),
        sum(c.terminal for c in below),
    )


def test_leduc_poker_has_as_many_histories() -> None:
    pair = leduc_poker()
    expected = Counts(chance=157, decision=3780, terminal=5520)
    assert counts(pair.load()) == expected
    assert their_counts(pair.opponent().new_initial_state()) == expected


@pytest.mark.parametrize("pair", [pair for pair in SMALL if not pair.last_unasked], ids=str)
def test_there_are_as_many_histories(pair: Pair) -> None:
    theirs = pair.opponent(one_by_one=True)
    assert counts(pair.load()) == their_counts(theirs.new_initial_state())


def test_goofspiel_has_as_many_histories_with_a_choice() -> None:
    """OpenSpiel plays the last card and the last prize without asking."""
    pair = goofspiel(2, 3)
    theirs = pair.opponent(one_by_one=True)
    assert counts(pair.load(), forced=False) == their_counts(theirs.new_initial_state())


# Random games

Moment = tuple[int, list[str]]  # the seat, and what it could answer


def played(game: ichiba.Game, seed: int) -> tuple[ichiba.Table, list[Moment]]:
    """A random game of ours. Seats that decide in secret do so in random order."""
    random = Random(seed)
    table = game.start(seed=seed)
    moments: list[Moment] = []
    while pending := table.pending:
        decision = random.choice(pending)
        keys = decision.keys()
        assert len(set(keys)) == len(keys)
        moments.append((decision.seat, keys))
        table.play(random.choice(keys), decision.seat)
    return table, moments


class Follower:
    """Their game, led along the log of ours."""

    def __init__(self, pair: Pair, moments: list[Moment]):
        self.pair, self.moments = pair, list(reversed(moments))
        self.state = pair.opponent().new_initial_state()
        self.waiting: dict[int, tuple[list[int], int]] = {}  # by player: the legal actions, and the answer

    def follow(self, log: list[dict[str, object]]) -> None:
        for item in log:
            if item["event"] == "chance":
                self.chance(str(item["key"]))
            elif item["event"] == "decision":
                self.decision(item)
        assert not self.moments and not self.waiting

    def chance(self, key: str) -> None:
        if self.state.is_terminal():
            assert self.pair.last_unasked
            return
        assert self.state.is_chance_node()
        outcome = self.pair.outcome(key)
        assert outcome in self.state.legal_actions()
        self.state.apply_action(outcome)

    def decision(self, item: dict[str, object]) -> None:
        key, seat = str(item["key"]), item["seat"]
        assert isinstance(seat, int)
        keys = [key] if item.get("forced") else self._moment(seat)
        if self.state.is_terminal():
            assert self.pair.last_unasked and len(keys) == 1
            return
        if item["audience"] == "all":  # not in secret, where ours may answer in any order
            assert self.state.current_player() == seat - 1
        self.waiting[seat - 1] = sorted(self.pair.action(k) for k in keys), self.pair.action(key)
        if self.state.is_simultaneous_node():
            if len(self.waiting) == self.pair.seats:
                self._all_at_once()
            return
        while (answer := self.waiting.pop(self.state.current_player(), None)) is not None:
            legal, action = answer
            assert legal == self.state.legal_actions()
            self.state.apply_action(action)

    def _moment(self, seat: int) -> list[str]:
        asked, keys = self.moments.pop()
        assert asked == seat
        return keys

    def _all_at_once(self) -> None:
        players = range(self.pair.seats)
        assert [self.waiting[p][0] for p in players] == [self.state.legal_actions(p) for p in players]
        self.state.apply_actions([self.waiting[p][1] for p in players])
        self.waiting.clear()


def lockstep(pair: Pair, seed: int) -> None:
    table, moments = played(pair.load(), seed)
    follower = Follower(pair, moments)
    follower.follow(table.log)
    assert follower.state.is_terminal()
    assert table.scores == pytest.approx(pair.expected(follower.state))


@pytest.mark.parametrize("name", LARGE)
def test_random_games_are_the_same(name: str) -> None:
    for pair, seed in in_turn(LARGE[name], 200):
        lockstep(pair, seed)


@pytest.mark.soak
@pytest.mark.parametrize("name", LARGE)
def test_ten_thousand_random_games_are_the_same(name: str) -> None:
    for pair, seed in in_turn(LARGE[name], 10_000):
        lockstep(pair, seed)
