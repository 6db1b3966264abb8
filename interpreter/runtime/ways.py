"""Ways from place to place: all that hangs together, what the cheapest way to each place costs, and its steps.

Places are numbered one after the other from `low`. The single steps stand in order: those from the first place, then those
from the second …, from each in the order of connections. Of the steps from place `n` the first is `first[n]`; a step leads
to the place `to[step]`, and what it costs stands at `weights[which[step]]`, where -1 says that nobody goes there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from ichiba.interpreter.runtime.runtime import FUEL, LARGEST, RuleFault, TooLong, get_ident, left

MOST_ASKED = 64  # answers are kept for so many that are asked about
MOST_KEPT = 2  # and for each so many: one is tried out, then taken back

Answer = tuple[list[int], list[int]]  # what was read, and what was found


class Kept:
    """A net of places, and what a search over it has found by all that it has read. That is left out where it is copied."""

    __slots__ = ("around", "first", "answers", "low", "to", "which")

    def __init__(self, low: int, first: tuple[int, ...], to: tuple[int, ...], which: tuple[int, ...]) -> None:
        self.low, self.first, self.to, self.which = low, first, to, which
        self.around = tuple(
            tuple((to[step], which[step], step) for step in range(here, there)) for here, there in zip(first, first[1:], strict=False)
        )
        self.answers: dict[tuple[int, ...], tuple[Answer, ...]] = {}

    def __reduce__(self) -> tuple[type[Kept], tuple[object, ...]]:
        return Kept, (self.low, self.first, self.to, self.which)


def recalled(kept: Kept, asked: tuple[int, ...], seen: list[int]) -> list[int] | None:
    """What was found when the same was asked, and the same was read."""
    for before, found in kept.answers.get(asked, ()):
        if before == seen:
            return found
    return None


def remembered(kept: Kept, asked: tuple[int, ...], seen: list[int], found: list[int]) -> list[int]:
    """What is found is kept; of what was kept before, the latest."""
    known = kept.answers
    if len(known) >= MOST_ASKED and asked not in known:
        kept.answers = known = {}
    known[asked] = ((seen, found), *known.get(asked, ())[: MOST_KEPT - 1])
    return found


def fare(cost: int, told: str, where: int) -> int:
    """What a step costs, which cannot be less than nothing."""
    if cost < 0:
        raise RuleFault(told, where)
    return cost


def or_else(cost: int, other: int) -> int:
    """What a way costs, or something else where there is none."""
    return other if cost < 0 else cost


def flood(kept: Kept, starts: Iterable[int], weights: Sequence[int]) -> list[int]:
    """All places that are come to, those among them with which it begins, by their numbers."""
    around, low = kept.around, kept.low
    fresh = sorted({start - low for start in starts if start >= low})
    reached = set(fresh)
    for here in fresh:
        for there, which, _ in around[here]:
            if there not in reached and weights[which] >= 0:
                reached.add(there)
                fresh.append(there)
    return [here + low for here in sorted(reached)]


def ways(kept: Kept, starts: Iterable[int], weights: Sequence[int]) -> list[int]:
    """By place: what the best way there costs, -1 where there is none; then by place its last step, -1 where it has none.

    Of ways that cost the same that of fewer steps is the best, of these the one whose last step comes first, then the one
    before it …: so the answer hangs on nothing but the places and steps."""
    around, low = kept.around, kept.low
    size = len(around)
    none = (max(0, *weights) + 1) * size * size  # more than any way comes to
    best, last = [none] * size, [-1] * size
    made_by = [weight * size + 1 if weight >= 0 else none for weight in weights]  # cost and number of steps in one number
    todo = sorted({start - low for start in starts if start >= low})
    for here in todo:
        best[here] = 0
    while todo:
        first = heappop(todo)
        here, so_far = first % size, first // size
        if so_far == best[here]:
            for there, which, step in around[here]:
                made = so_far + made_by[which]
                if made <= best[there]:
                    if made < best[there]:
                        best[there], last[there] = made, step
                        heappush(todo, made * size + there)
                    elif made < none and step < last[there]:
                        last[there] = step
    costs = [one // size if one < none else -1 for one in best]
    if max(costs) > LARGEST:
        raise RuleFault(f"a way costs too much here; {LARGEST:,} is the most")
    return costs + last


def steps_to(found: Sequence[int], end: int, come_from: Sequence[int], names: Sequence[int]) -> list[int]:
    """The steps of the best way to a place, by their names: what is gone over, or where they lead."""
    size = len(found) // 2
    steps = []
    step = found[size + end]
    while step >= 0:
        steps.append(names[step])
        step = found[size + come_from[step]]
    return steps[::-1]


def spend(steps: int) -> bool:
    """So many passes at once, whether a search was made or remembered: what a game may do hangs on neither."""
    me = get_ident()
    left[me] = passes = left.get(me, FUEL) - steps
    if passes < 0:
        raise TooLong(f"this takes more than {FUEL:,} steps")
    return True


def fresh_fuel() -> int:
    """What a search does is counted by itself. Gives what may be done outside of it."""
    me = get_ident()
    before, left[me] = left.get(me, FUEL), FUEL
    return before


def old_fuel(before: int) -> bool:
    """The search is done."""
    left[get_ident()] = before
    return True
