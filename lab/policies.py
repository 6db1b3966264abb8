"""Who answers when nobody sits there: at random, or as a policy of the ruleset would rather.

    policy sensible:
        prefer "buy/{l}" for l in lots when my.cash > ¥20 by worth(l)
        prefer "pass"

Every preference that fits an answer adds its weight to it; the answer with the highest sum is given, and among
equals the policy's own dice decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from random import Random
from re import Match
from typing import TYPE_CHECKING, Protocol

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.rules import ir
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.sight.masking import Mask

if TYPE_CHECKING:
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

RANDOM = "random"
WILD = re.compile(r"[*?\[{]")  # it stands for more than itself
MOST_KEPT = 10_000


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


class Preferring:
    """What a ruleset's own policy would rather do."""

    def __init__(self, game: Game, preferences: Sequence[ir.Preference], rng: Random):
        self.game, self.rng = game, rng
        self.wishes: list[_Wish] = compiled(game, preferences)

    @in_turn  # all that it works out for one decision
    def index(self, decision: Decision) -> int:
        sums = self.weights(decision)
        best = max(sums)
        chosen = [index for index, weight in enumerate(sums) if weight == best]
        return chosen[0] if len(chosen) == 1 else self.rng.choice(chosen)

    def weights(self, decision: Decision) -> list[int]:
        """The sum of what speaks for each answer."""
        state = mask_of(self.game, decision.seat_index).of(decision.table.state_for(decision.seat_index))
        keys = decision.keys()
        here = decision.site.decide
        places = {key: index for index, key in enumerate(keys)}
        names = {key.partition("/")[0] for key in keys}
        sums = [0] * len(keys)
        for wish in self.wishes:
            if (wish.name in names or wish.name is None) and (wish.at is None or wish.at is here):
                for index, weight in wish.among(places, state, decision.seat_index):
                    sums[index] += weight
        return sums


def mask_of(game: Game, seat: int) -> Mask:
    """What a seat may not see is not there for its policy either."""
    masks = game.keep(_Compiled, _Compiled).masks
    if seat not in masks:
        masks[seat] = Mask(game, seat)
    return masks[seat]


def compiled(game: Game, preferences: Sequence[ir.Preference]) -> list[_Wish]:
    """The same for all seats, and for all games."""
    wishes = game.keep(_Compiled, _Compiled).wishes
    if id(preferences) not in wishes:
        wishes[id(preferences)] = preferences, [_Wish(game, preference) for preference in preferences]
    return wishes[id(preferences)][1]


@dataclass(eq=False, slots=True)
class _Compiled:
    """What policies have compiled for one game."""

    masks: dict[int, Mask] = field(default_factory=dict)  # by seat
    wishes: dict[int, tuple[Sequence[ir.Preference], list[_Wish]]] = field(default_factory=dict)  # by the preferences


class _Wish:
    """One preference, compiled."""

    def __init__(self, game: Game, preference: ir.Preference):
        self.words, self.pattern = game.words, preference.pattern
        self.names = [(var.name, var.kind) for var, _ in preference.binders]
        known = [preference.me]
        self.sets: list[Callable[..., list[int]]] = []
        for var, domain in preference.binders:
            self.sets.append(game.compile_set(domain, known))
            known = [*known, var]
        self.when = game.compile_expression(preference.when, known) if preference.when is not None else None
        self.weight = game.compile_expression(preference.weight, known)
        self.nearest = game.compile_expression(preference.nearest, known) if preference.nearest is not None else None
        self.at = preference.at
        self.may_fit = re.compile(translate(re.sub(r"\{\w+\}", "*", self.pattern))).match
        first = self.pattern.partition("/")[0]
        self.name = None if WILD.search(first) else first  # of the options that can fit, if it says so
        self.fitting: dict[tuple[int, ...], str | Callable[[str], Match[str] | None]] = {}  # by values: a key, or what tells keys

    def among(self, places: dict[str, int], state: list[int], seat: int) -> Iterator[tuple[int, int]]:
        """The places of keys that are preferred, and how much. What fits no key is left alone: it may mean nothing."""
        if not any(map(self.may_fit, places)):
            return
        try:
            for values in self._values(state, [seat], 0):
                found = self._found(self._fits(tuple(values[1:])), places)
                if found and (self.when is None or self.when(state, *values)):
                    weight = int(self.weight(state, *values))
                    if self.nearest is None:
                        yield from ((index, weight) for index, _ in found)
                    else:
                        wanted = int(self.nearest(state, *values))
                        least = min(abs(number - wanted) for _, number in found)
                        yield from ((index, weight - abs(number - wanted) + least) for index, number in found)
        except (TypeError, IndexError, KeyError) as fault:
            raise RuleFault(f'the policy\'s `prefer "{self.pattern}"` cannot be worked out ({fault})') from None

    def _found(self, fits: str | Callable[[str], Match[str] | None], places: dict[str, int]) -> list[tuple[int, int]]:
        """The places of the keys that are meant, and the number in each, where that matters."""
        if isinstance(fits, str):
            return [(places[fits], 0)] if fits in places else []
        made = ((index, fits(key)) for key, index in places.items())
        if self.nearest is None:
            return [(index, 0) for index, match in made if match]
        return [(index, int(match[1])) for index, match in made if match]

    def _values(self, state: list[int], values: list[int], at: int) -> Iterator[list[int]]:
        if at == len(self.sets):
            yield values
            return
        for value in list(self.sets[at](state, *values)):
            yield from self._values(state, [*values, value], at + 1)

    def _fits(self, values: tuple[int, ...]) -> str | Callable[[str], Match[str] | None]:
        """The key that is meant, or what tells whether a key is."""
        if values not in self.fitting:
            keys = {name: self.words.key(value, kind) for (name, kind), value in zip(self.names, values, strict=True)}
            pattern = re.sub(r"\{(\w+)\}", lambda found: keys.get(found[1], found[0]), self.pattern)
            if len(self.fitting) >= MOST_KEPT:
                self.fitting.clear()
            if self.nearest is not None:
                before, _, after = pattern.partition("*")
                self.fitting[values] = re.compile(rf"{re.escape(before)}(-?\d+){re.escape(after)}").fullmatch
            else:
                self.fitting[values] = re.compile(translate(pattern)).match if WILD.search(pattern) else pattern
        return self.fitting[values]


def policies(game: Game) -> list[str]:
    """The names a bot of this game can have; the one it has unless something is said comes first."""
    return [*game.program.policies, RANDOM]


def policy(game: Game, name: str, seed: object) -> Policy:
    """The policy of that name, with dice of its own."""
    rng = Random(str(seed))
    if name in game.program.policies:
        return Preferring(game, game.program.policies[name], rng)
    if name == RANDOM:
        return AtRandom(rng)
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
        if all(name == RANDOM for name in names) and not check:
            draw = Random(f"{seed}/bots").random
            while table.codes:
                index = int(draw() * len(table.codes))
                table.step(index)
            return table
        seats = [policy(game, name, f"{seed}/{seat}") for seat, name in enumerate(names, 1)]
        while (decision := table.decision) is not None:
            index = -1
            index = seats[decision.seat_index].index(decision)
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
