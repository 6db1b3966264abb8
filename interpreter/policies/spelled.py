"""What speaks for each answer, told from the keys of the answers as they are spelled.

So it is worked out where the text of a `prefer` does not say beforehand which answers it means, and where a policy fails: the
order in which everything is looked at is that in which it is written, and so is the fault that is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from re import Match
from typing import TYPE_CHECKING

from ichiba.dsl.rules import ir
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.runtime.ways import spend
from ichiba.interpreter.sight.masking import Mask

if TYPE_CHECKING:
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.game import Game

WILD = re.compile(r"[*?\[{]")  # it stands for more than itself
MOST_KEPT = 10_000
KEYS_AT_ONCE = 4  # that are looked at: so many count as one step, where every step is counted


def weights_by_keys(game: Game, preferences: Sequence[ir.Preference], decision: Decision) -> list[int]:
    """The sum of what speaks for each answer."""
    state = mask_of(game, decision.seat_index).of(decision.table.state_for(decision.seat_index))
    keys = decision.keys()
    here = decision.site.decide
    places = {key: index for index, key in enumerate(keys)}
    names = {key.partition("/")[0] for key in keys}
    sums = [0] * len(keys)
    glance = 1 + len(keys) // KEYS_AT_ONCE if game.world.closely else 0
    for wish in _wishes(game, preferences):
        if (wish.name in names or wish.name is None) and (wish.at is None or wish.at is here):
            for index, weight in wish.among(places, state, decision.seat_index, glance):
                sums[index] += weight
    return sums


def mask_of(game: Game, seat: int) -> Mask:
    """What a seat may not see is not there for its policy either."""
    masks = game.keep(_Known, _Known).masks
    if seat not in masks:
        masks[seat] = Mask(game, seat)
    return masks[seat]


def _wishes(game: Game, preferences: Sequence[ir.Preference]) -> list[_Wish]:
    """The same for all seats, and for all games."""
    wishes = game.keep(_Known, _Known).wishes
    if id(preferences) not in wishes:
        wishes[id(preferences)] = preferences, [_Wish(game, preference) for preference in preferences]
    return wishes[id(preferences)][1]


@dataclass(eq=False, slots=True)
class _Known:
    """What has been worked out for one game."""

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

    def among(self, places: dict[str, int], state: list[int], seat: int, glance: int) -> Iterator[tuple[int, int]]:
        """The places of keys that are preferred, and how much. What fits no key is left alone: it may mean nothing. `glance`: as
        how many steps it counts to look at all keys; 0: at all."""
        if glance:
            spend(glance)
        if not any(map(self.may_fit, places)):
            return
        try:
            for values in self._values(state, [seat], 0):
                fits = self._fits(tuple(values[1:]))
                if glance:
                    spend(1 if isinstance(fits, str) else glance)
                found = self._found(fits, places)
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
