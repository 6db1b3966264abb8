"""A tree of what may happen, grown where it looks best: information-set Monte Carlo tree search.

Each playout begins in one of the worlds that the seat could be in, goes down the tree by what has turned out well for
whoever decides there, plays on from there by the ruleset's own policy, and tells all positions on its way how it ended. A
position of the tree stands for all worlds that look alike from the answers given: it counts how often an answer could be
given at all, since in some worlds it cannot (Cowling, Powley and Whitehouse, 2012).

The answers to the question itself are tried in rounds: each of those that are left once, in the same world and with the
same luck, so that they can be compared pair by pair. An answer that is clearly worse than the best is left out of the next
rounds. What the ruleset's policy would do is kept unless another answer has done better by more than luck explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, log, sqrt
from random import Random
from typing import TYPE_CHECKING

from ichiba.interpreter.run.decisions import Decision
from ichiba.interpreter.runtime.work import TooMuchWork, Work, all_is_done
from ichiba.lab.players.beliefs import Beliefs
from ichiba.lab.players.budget import USUAL, Budget, Clock
from ichiba.lab.players.playouts import FAULTS, PLAYOUT, THOUSAND, Playouts, ended
from ichiba.lab.players.value import Judge
from ichiba.lab.players.worlds import Position, Worlds
from ichiba.lab.policies import Preferring
from ichiba.lab.results.statistics import Moments

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.lab.policies import Policy

Answer = tuple[int, int]  # at which question, and its code
MOST_WORLDS, FOR_A_WORLD = 30, 4  # so many playouts for each
MOST_TRIES = 60  # worlds that could not be are imagined, before those that could have to do
IMAGINING = 0.4  # of the time, at most
IMAGINED, FOR_WORLDS = 6, 4  # as much as so many answers may take, and one more for so many playouts: of rules that nobody vouches for
CURIOSITY = 0.5  # of how far apart ends are: how much is tried that does not look best
GROWN = 8  # playouts from a position before its answers are told apart
FIRST_ANSWERS, MORE_ANSWERS = 3, 1.0  # how many of them are looked at: more with the root of the visits
ROUNDS = 6  # at least, for each answer that is looked at at all
CLEAR, BETTER = 2.0, 1.0  # how many standard errors worse is clearly worse, and better is better than luck
MOST_SLIPS = 50  # of a thousand answers in a playout; in a long one about a single answer is any, else luck hides what an answer is worth


@dataclass(slots=True)
class Node:
    """A position, or all of them that the same answers lead to."""

    visits: int = 0
    below: dict[Answer, Branch] = field(default_factory=dict)
    liked: list[Answer] = field(default_factory=list)  # answers, the more promising first


@dataclass(slots=True)
class Branch:
    """An answer that can be given there."""

    node: Node = field(default_factory=Node)
    tried: int = 0
    possible: int = 0  # how often it could have been
    total: float = 0.0  # what it was worth for whoever gives it


@dataclass(slots=True)
class Rival:
    """An answer to the question itself."""

    code: int
    place: int  # among all answers
    worth: list[float] = field(default_factory=list)  # round by round
    node: Node = field(default_factory=Node)

    def behind(self, other: Rival) -> Moments:
        """How much better the other one has done in the same rounds."""
        made = Moments()
        for own, its in zip(self.worth, other.worth, strict=False):
            made.add(its - own)
        return made


class Searcher:
    """Thinks about every decision anew. With the same dice and as many playouts it answers the same."""

    def __init__(self, game: Game, rng: Random, budget: Budget, name: str, base: Policy, judged: type[Judge] = Judge):
        self.game, self.rng, self.budget, self.base = game, rng, budget, base
        self.playouts = Playouts(game, name, patient=budget.seconds is None)
        self.judged, self.judge, self.lengths = judged, judged(game), Moments()

    def index(self, decision: Decision) -> int:
        codes = list(decision.codes)
        if len(codes) == 1:
            return 0
        clock = self.budget.clock()
        try:
            beliefs = self._imagined(decision, clock)
        except TooMuchWork:  # not even one world: what the ruleset's policy would do
            return self.base.index(decision)
        self.judge, self.lengths = self.judged(self.game), Moments()
        rivals = self._rivals(decision, codes)
        left, first = rivals, rivals[0]
        played = rounds = 0
        while clock.left(played) and len(left) > 1 and not all_is_done():
            world = beliefs.one(self.rng)
            luck = f"{self.rng.getrandbits(64):x}"
            for rival in left:
                rival.worth.append(self._playout(rival, world, luck, decision.seat_index))
                played += 1
                if not clock.left(played):
                    break
            else:
                rounds += 1
                left = _still(left, rounds)
        return _chosen(left, first).place

    def _rivals(self, decision: Decision, codes: list[int]) -> list[Rival]:
        """The answers that are looked at, the most promising first."""
        weights = self.base.weights(decision) if isinstance(self.base, Preferring) else [0] * len(codes)
        order = sorted(range(len(codes)), key=lambda place: (-weights[place], self.rng.random()))
        if self.budget.seconds is None:
            order = order[: max(2, self.budget.playouts // ROUNDS)]
        return [Rival(codes[place], place) for place in order]

    def _imagined(self, decision: Decision, clock: Clock) -> Beliefs:
        worlds = Worlds(decision, self.rng, Work(self.game, IMAGINED + min(self.budget.playouts, USUAL) // FOR_WORLDS))
        found = Beliefs(worlds, self.base)
        found.add()
        most = 1 if worlds.open else min(MOST_WORLDS, self.budget.playouts // FOR_A_WORLD)
        while len(found.positions) < most and worlds.tries < MOST_TRIES and clock.share() < IMAGINING:
            try:
                found.add()
            except TooMuchWork:
                break
        return found

    # ------------------------------------------------------------------------------------------ one playout

    def _playout(self, rival: Rival, world: Position, luck: str, own: int) -> float:
        """An answer, down the tree, on to an end, and back. What it was worth for whoever thinks."""
        position, work = world.fork(luck), Work(self.game, PLAYOUT)
        node, way = rival.node, list[tuple[Node, Branch, int]]()
        try:
            _answered(position, rival.code, work)
            while position.codes and node.visits >= GROWN and not work.over:
                if len(position.codes) == 1:
                    _answered(position, position.codes[0], work)
                    continue
                seat, branch, answer = self._choose(node, position)
                way.append((node, branch, seat))
                _answered(position, answer[1], work)
                node = branch.node
            values = self._valued(position, luck, work)
        except FAULTS:
            values = self.judge.broken_off()
        node.visits += 1
        for passed, branch, seat in way:
            passed.visits += 1
            branch.tried += 1
            branch.total += values[seat]
        return values[own]

    def _valued(self, position: Position, luck: str, work: Work) -> list[float]:
        if not position.codes:
            return self.judge.final(ended(position))
        found = self.playouts.to_end(position, luck, self._slips(), work) if not work.over else None
        if found is None:
            return self.judge.outlook(position)
        self.lengths.add(found.answers)
        return self.judge.final(found)

    def _slips(self) -> int:
        """None in the first playout, which tells how long one is."""
        return min(MOST_SLIPS, round(THOUSAND / max(1.0, self.lengths.mean))) if self.lengths.many else 0

    def _choose(self, node: Node, position: Position) -> tuple[int, Branch, Answer]:
        seat, site = position.seat, position.site.number
        shown = self._shown(node, position, seat, [(site, code) for code in position.codes])
        for answer in shown:
            node.below.setdefault(answer, Branch()).possible += 1
        curious = CURIOSITY * self.judge.reach
        best = max(shown, key=lambda answer: _promise(node.below[answer], curious))
        return seat, node.below[best], best

    def _shown(self, node: Node, position: Position, seat: int, answers: list[Answer]) -> list[Answer]:
        """The answers that are looked at so far, the more promising first."""
        known = set(node.liked)
        if any(answer not in known for answer in answers):
            new = [answer for answer in answers if answer not in known]
            node.liked += self._in_order_of_promise(position, seat, new)
        many = ceil(FIRST_ANSWERS + MORE_ANSWERS * sqrt(node.visits - GROWN))
        if len(answers) <= many:
            return answers
        possible = set(answers)
        return [answer for answer in node.liked if answer in possible][:many]

    def _in_order_of_promise(self, position: Position, seat: int, answers: list[Answer]) -> list[Answer]:
        """As the ruleset's policy would like them; what it does not tell apart in the order of the dice."""
        answers = answers[:]
        self.rng.shuffle(answers)
        if not isinstance(self.base, Preferring) or len(answers) == 1:
            return answers
        decision = Decision(position.table(), position.site, seat, [code for _, code in answers])
        liked = self.base.weights(decision)
        return [answer for _, answer in sorted(zip(liked, answers, strict=True), key=lambda pair: -pair[0])]


def _answered(position: Position, code: int, work: Work) -> None:
    with work:
        position.answer(code)


def _still(left: Sequence[Rival], rounds: int) -> list[Rival]:
    """Without those that are clearly worse than the best."""
    if rounds < ROUNDS:
        return list(left)
    best = max(left, key=lambda rival: sum(rival.worth))
    return [rival for rival in left if rival is best or not _surpassed(rival, best, CLEAR)]


def _surpassed(rival: Rival, by: Rival, errors: float) -> bool:
    much = rival.behind(by)
    return much.mean > 0 and much.mean > errors * much.error


def _chosen(left: Sequence[Rival], first: Rival) -> Rival:
    """The best; where what the ruleset's policy would do is still among them, only one that is better by more than luck."""
    best = max(left, key=lambda rival: sum(rival.worth) / max(1, len(rival.worth)))
    if first not in left or _surpassed(first, best, BETTER):
        return best
    return first


def _promise(branch: Branch, curious: float) -> float:
    if not branch.tried:
        return float("inf")
    return branch.total / branch.tried + curious * sqrt(log(branch.possible + 1) / branch.tried)


__all__ = ["Searcher"]
