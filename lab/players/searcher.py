"""A tree of what may happen, grown where it looks best: information-set Monte Carlo tree search.

Each playout begins in one of the worlds that the seat could be in, goes down the tree by what has turned out well for
whoever decides there, adds one position, plays on by the ruleset's own policy, and tells all positions on its way how it
ended. A position of the tree stands for all worlds that look alike from the answers given: it counts how often an answer
could be given at all, since in some worlds it cannot (Cowling, Powley and Whitehouse, 2012).

Where there are very many answers, those that the ruleset's policy likes best are tried first, and more of them the longer
it is thought about.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, log, sqrt
from random import Random
from typing import TYPE_CHECKING

from ichiba.interpreter.run.decisions import Decision
from ichiba.lab.players.budget import Budget
from ichiba.lab.players.value import Judge
from ichiba.lab.players.worlds import FAULTS, Position, Worlds
from ichiba.lab.policies import Preferring

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.lab.policies import Policy

Answer = tuple[int, int]  # at which question, and its code
MOST_WORLDS = 12
IMAGINING = 0.4  # of the time, at most
CURIOSITY = 0.6  # how much is tried that does not look best
FIRST_ANSWERS, MORE_ANSWERS = 3, 1.5  # how many answers are looked at: more with the root of the visits
FORESIGHT = 400  # answers that a playout goes on for, before it is valued as it stands


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


class Searcher:
    """Thinks about every decision anew. With the same dice and as many playouts it answers the same."""

    def __init__(self, game: Game, rng: Random, budget: Budget, base: Policy):
        self.game, self.rng, self.budget, self.base = game, rng, budget, base
        self.judge = Judge(game)

    def index(self, decision: Decision) -> int:
        codes = list(decision.codes)
        if len(codes) == 1:
            return 0
        clock, root, worlds = self.budget.clock(), Node(), Worlds(decision, self.rng)
        self.judge = Judge(self.game)
        here: list[Position] = []
        playouts = 0
        while clock.left(playouts):
            if not here or len(here) < MOST_WORLDS and len(here) * len(here) <= playouts and clock.share() < IMAGINING:
                here.append(worlds.draw())
            world = here[playouts % len(here)]
            self._playout(root, world.fork(f"{self.rng.getrandbits(64):x}"), codes)
            playouts += 1
        return max(range(len(codes)), key=lambda index: self._preferred(root, decision.site.number, codes[index], index))

    def _preferred(self, root: Node, site: int, code: int, index: int) -> tuple[float, float, int]:
        """Tried most often, then best, then first."""
        branch = root.below.get((site, code))
        if branch is None or not branch.tried:
            return (0.0, 0.0, -index)
        return (branch.tried, branch.total / branch.tried, -index)

    # ------------------------------------------------------------------------------------------ one playout

    def _playout(self, root: Node, position: Position, codes: list[int]) -> None:
        """Down the tree, one further, on to an end, and back."""
        node, way = root, list[tuple[Node, Branch, int]]()
        try:
            while position.codes:
                seat, branch, answer = self._choose(node, position, codes if node is root else list(position.codes))
                way.append((node, branch, seat))
                position.answer(answer[1])
                new, node = not branch.tried, branch.node
                if new:
                    break
            values = self._played_on(position)
        except FAULTS:  # the rules fail on this way: nobody should go there
            values = [0.0] * self.game.seats
        for passed, branch, seat in way:
            passed.visits += 1
            branch.tried += 1
            branch.total += values[seat]

    def _choose(self, node: Node, position: Position, codes: list[int]) -> tuple[int, Branch, Answer]:
        seat, site = position.seat, position.site.number
        answers = [(site, code) for code in codes]
        shown = self._shown(node, position, seat, answers)
        for answer in shown:
            node.below.setdefault(answer, Branch()).possible += 1
        best = max(shown, key=lambda answer: _promise(node.below[answer]))
        return seat, node.below[best], best

    def _shown(self, node: Node, position: Position, seat: int, answers: list[Answer]) -> list[Answer]:
        """The answers that are looked at so far, the more promising first."""
        known = set(node.liked)
        if any(answer not in known for answer in answers):
            new = [answer for answer in answers if answer not in known]
            node.liked += self._in_order_of_promise(position, seat, new)
        many = ceil(FIRST_ANSWERS + MORE_ANSWERS * sqrt(node.visits))
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

    def _played_on(self, position: Position) -> list[float]:
        """By the ruleset's policy, to the end or as far as it is looked."""
        for _ in range(FORESIGHT):
            codes = position.codes
            if not codes:
                return self.judge.final(position)
            if len(codes) == 1:
                position.answer(codes[0])
                continue
            decision = Decision(position.table(), position.site, position.seat, codes)
            position.answer(codes[self.base.index(decision)])
        return self.judge.outlook(position)


def _promise(branch: Branch) -> float:
    if not branch.tried:
        return float("inf")
    return branch.total / branch.tried + CURIOSITY * sqrt(log(branch.possible + 1) / branch.tried)


__all__ = ["Searcher"]
