"""What generated code leans on: chance, packed sets, and the faults of a running ruleset."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, compress
from operator import mul
from threading import get_ident
from typing import Any

from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.runtime.chance import Words

State = list[int]
BITS = 20
MASK = (1 << BITS) - 1
WIDE = 12  # from so many counts on, adding them up in one go is quicker than looking at one after the other
STEPS = 100_000  # between two decisions


LARGEST = 10**12  # numbers keep to this, on either side of nothing
MOST_OPTIONS = 5_000  # of one question
FEW_KINDS = 30  # of so many three can be taken in fewer ways than that
MOST_DECISIONS = 100_000  # of one game
FUEL = 100_000  # passes of the loops that are counted, between two decisions
FINER = 5  # so many count as one where every step is counted
left: dict[int, int] = {}  # by thread: how many of them it may still make


class RuleFault(Exception):
    """A rule did something impossible: the ruleset is at fault, not the player. `function` names generated code."""

    def __init__(self, message: str, where: int = -1, function: str = ""):
        super().__init__(message)
        self.where, self.function = where, function
        self.explained = False


class TooLong(RuleFault):
    """More is done than may be done between two decisions. It stops the game also where something is only tried: if that went
    on with the next trial, a question would cost its bound once for each of its answers."""


class Unmet(Exception):
    """A requirement does not hold; the number says which."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


class Stop(Exception):
    """A dry run has come as far as it may look."""


# A ruleset's mistakes that show in play. Of what is only tried they say nothing: they come when it is really done.
MISTAKES = (RuleFault, ArithmeticError, LookupError, TypeError, ValueError)


class Context:
    """What generated code needs besides the state: the words of chance. Tracing contexts overrule its methods."""

    __slots__ = ("dry", "tracing", "words")

    def __init__(self, words: Words):
        self.words = words
        self.dry = 0  # in a dry run: which option it is for
        self.tracing = False

    def fork(self) -> Context:
        """For a copy of the table; what counts chance events stands in the state."""
        return self


class Dry(Context):
    """For trying things out: chance is where it stops, and what traced code tells goes nowhere."""

    __slots__ = ("deep", "others")

    def __init__(self, words: Words, end: int, deep: frozenset[int], others: frozenset[int]):
        super().__init__(words)
        self.dry = end
        self.deep = deep  # questions of which every answer is tried in turn
        self.others = others  # questions that may be another seat's

    def draw(self, *_: object) -> int:
        raise Stop

    shuffle = draw

    def silent(self, *_: object) -> str:
        return ""

    effect = names = option = record = reveal = reveal_member = reveal_zone = rule = score = tell = turn = words_of = silent


def below(S: State, C: Context, n: int) -> int:
    """A number from 0 to n - 1, each alike likely; one word of chance is used up."""
    if C.dry:
        raise Stop
    i = S[1]
    S[1] = i + 1
    made = C.words.words
    return (made[i] if i < len(made) else C.words.more(i)) * n >> 32


def count_any(S: State, zone: int, columns: Sequence[int], sorts: Sequence[int]) -> int:
    """How many pieces of these sorts lie in a zone that only now is known."""
    return sum(S[zone + c] for c in {columns[s] for s in sorts} if c >= 0)


def cells_any(zone: int, columns: Sequence[int], sorts: Sequence[int]) -> list[int]:
    """The places of these sorts in a zone that only now is known."""
    return [zone + c for c in dict.fromkeys(columns[s] for s in sorts) if c >= 0]


def lying(S: State, zone: int, many: int, low: int, high: int, first: int) -> list[int]:
    """The things that lie in a zone, which holds so many pieces: their places stand from `low` to `high`, and a thing
    is `first` more than where its place stands."""
    found = []
    at = low
    try:
        while many > 0:
            at = S.index(zone, at, high) + 1
            found.append(at + first - 1)
            many -= 1
    except ValueError:  # the others are pieces of another kind
        pass
    return found


def all_but(low: int, high: int, step: int, but: int) -> list[int]:
    """Every so many from the lowest up to, but not including, the highest; without one."""
    after = low if but < low else low + ((but - low) // step + 1) * step
    return [*range(low, min(but, high), step), *range(after, high, step)]


def first_of(S: State, low: int, high: int) -> int:
    """The first of these places with something in it; -1 when all are empty."""
    return next(compress(range(low, high), S[low:high]), -1)


def dot(weights: Sequence[int], counts: Sequence[int]) -> int:
    """The sum of counts, each with its weight."""
    return sum(map(mul, weights, counts))


def weighted(S: State, C: Context, cells: Sequence[int], total: int) -> int:
    """One of these counts, as likely as it is high."""
    if C.dry:
        raise Stop
    i = S[1]
    S[1] = i + 1
    made = C.words.words
    r = (made[i] if i < len(made) else C.words.more(i)) * total >> 32
    for c in cells:
        r -= S[c]
        if r < 0:
            return c
    raise RuleFault("nothing to draw from")


def draw_many(S: State, C: Context, low: int, high: int, amount: int) -> list[int]:
    """So many drawn one by one from the counts of neighbouring places, as far as there are any: of none no chance has a say."""
    counts = S[low:high]
    total = sum(counts)
    if C.dry and total > 0 < amount:
        raise Stop
    made = C.words.words
    drawn = []
    i = S[1]
    if high - low > WIDE and amount == 1 and total:
        r = (made[i] if i < len(made) else C.words.more(i)) * total >> 32
        there = list(compress(range(low, high), counts))
        c = there[r] if len(there) == total else low + bisect_right(list(accumulate(counts)), r)
        S[c] -= 1
        S[1] = i + 1
        return [c]
    for _ in range(amount if amount < total else total):
        r = (made[i] if i < len(made) else C.words.more(i)) * total >> 32
        i += 1
        c = low
        n = S[c]
        while r >= n:
            r -= n
            c += 1
            n = S[c]
        S[c] = n - 1
        total -= 1
        drawn.append(c)
    S[1] = i
    return drawn


def shuffled(S: State, C: Context, values: Iterable[int]) -> list[int]:
    """A random order, made from the front."""
    items = list(values)
    for i in range(len(items) - 1):
        j = i + below(S, C, len(items) - i)
        items[i], items[j] = items[j], items[i]
    return items


def pack(values: Iterable[int]) -> int:
    """A list of values as one number: from the lowest digits, each one more than the value plus one."""
    packed = shift = 0
    for value in values:
        packed |= (value + 2) << shift
        shift += BITS
    return packed


@lru_cache(4096)
def unpack(packed: int) -> tuple[int, ...]:
    """The list that was packed."""
    values = []
    while packed:
        values.append((packed & MASK) - 2)
        packed >>= BITS
    return tuple(values)


def combos(S: State, kinds: Sequence[int], weights: Sequence[int] | None, amount: int) -> list[int]:
    """Every way to take so many of these kinds, of each no more than its weight (None: all are places of counts);
    packed, in order."""
    found: list[int] = []
    if weights is None:
        weights = [S[kind] for kind in kinds]
    if amount == 3 and len(kinds) <= FEW_KINDS:
        return _threes([kind + 2 for kind in kinds], weights)

    behind = [*accumulate(reversed(weights), initial=0)]  # how many there are from a kind on

    def take(at: int, left: int, packed: int, shift: int) -> None:
        if not left:
            found.append(packed)
            if len(found) > MOST_OPTIONS:
                raise RuleFault(f"there are more than {MOST_OPTIONS:,} ways to take {amount} of these pieces")
            return
        for k in range(at, len(kinds)):
            if behind[len(kinds) - k] < left:
                return
            value = (kinds[k] + 2) << shift
            more = packed | value
            top = min(left, weights[k])
            used = 1
            place = shift + BITS
            while used <= top:
                take(k + 1, left - used, more, place)
                more |= (kinds[k] + 2) << place
                place += BITS
                used += 1

    take(0, amount, 0, 0)
    return found


def _threes(kinds: Sequence[int], weights: Sequence[int]) -> list[int]:
    """The same for three, in the same order, without a call for each step."""
    found: list[int] = []
    n = len(kinds)
    last = [kind << 2 * BITS for kind in kinds]
    for i in range(n):
        one = kinds[i]
        for j in range(i + 1, n):
            two = one | kinds[j] << BITS
            found += [two | three for three in last[j + 1 :]]
            if weights[j] > 1:
                found.append(two | last[j])
        if weights[i] > 1:
            two = one | one << BITS
            found += [two | three for three in last[i + 1 :]]
            if weights[i] > 2:
                found.append(two | last[i])
    return found


Look = Callable[[State, int], object]


def alike(S: State, seen: dict[object, list[int]], x: int, plain: Look, deep: Look | None) -> bool:
    """Whether something like it has been seen; else it is remembered. What is counted is never like another."""
    if x < FIRST_THING:
        return False
    known = seen.setdefault(plain(S, x), [])
    if known:
        return deep is None or not apart(S, known, x, deep)
    known.append(x)
    return False


def distinct(values: Iterable[int]) -> list[int]:
    """Every value once, where it first stood."""
    return list(dict.fromkeys(values))


def apart(S: State, known: list[int], x: int, deep: Look) -> bool:
    """Whether something else lies on it, or points at it, than on all of these; then it joins them."""
    own = deep(S, x)
    for other in known:
        if deep(S, other) == own:
            return False
    known.append(x)
    return True


def lowest(S: State, values: Iterable[int], plain: Look, deep: Look | None) -> list[int]:
    """The first of all that are alike."""
    seen: dict[object, list[int]] = {}
    return [value for value in values if not alike(S, seen, value, plain, deep)]


def unlike(S: State, ways: Iterable[int], plain: Look, deep: Look | None) -> list[int]:
    """Of packed choices of alike pieces the first."""
    first: dict[object, int] = {}
    for way in ways:
        looks = [p if p < FIRST_THING else (plain(S, p), deep and deep(S, p)) for p in unpack(way)]
        first.setdefault(tuple(sorted(map(repr, looks))), way)
    return list(first.values())


def best(values: list[int], key: Callable[[int], int], highest: bool) -> list[int]:
    """All that share the best key, in order."""
    keys = [key(v) for v in values]
    if not keys:
        return []
    top = max(keys) if highest else min(keys)
    return [v for v, k in zip(values, keys, strict=True) if k == top]


def times(n: int) -> int:
    """How often a loop may run: what the rule says, up to the budget."""
    if n > STEPS:
        raise TooLong(f"a rule would be repeated {n} times; {STEPS} is the most")
    return n


def tick() -> bool:
    """One more pass of a loop that could have very many."""
    me = get_ident()
    left[me] = passes = left.get(me, FUEL) - 1
    if passes < 0:
        raise TooLong(f"this takes more than {FUEL:,} steps")
    return True


def big(n: int) -> int:
    """A number that could be too large, and is not."""
    if not -LARGEST <= n <= LARGEST:
        raise RuleFault(f"a number becomes too large here; {LARGEST:,} is the most")
    return n


def too_many(options: Sequence[int], site: int) -> None:
    raise RuleFault(f"this question has {len(options):,} answers; {MOST_OPTIONS:,} are the most", -1, f"o{site}")


class NoEntry(LookupError):
    """A table was asked for an entry that it does not have: the words say which."""


def place_in(index: int, first: int, least: int, most: int, told: str) -> int:
    """A place in a table whose rows begin with `first`, and whose entries go from `least` to `most`."""
    if least <= index <= most:
        return index - first
    raise NoEntry(told.format(index))


def lacking(told: str, wanted: int, there: int) -> str:
    """What is said where an amount is more than there is: both."""
    return told.format(f"{wanted:,}", f"{there:,}")


def entry_at(rows: Any, at: tuple[int, ...], low: tuple[int, ...], told: str) -> int:
    """An entry of a table in which some are missing: `at` is asked for, and each index counts from its `low`."""
    for index, first in zip(at, low, strict=True):
        rows = rows[index - first] if 0 <= index - first < len(rows) else None
        if rows is None:
            raise NoEntry(told.format(", ".join(map(str, at))))
    entry: int = rows
    return entry


def fitting(column: int) -> int:
    """A column of a zone that must be one which can hold the piece."""
    if column < 0:
        raise RuleFault("this zone cannot hold such a piece")
    return column


def owed(n: int) -> int:
    """So many pieces as a cost: never below nothing."""
    if n < 0:
        raise RuleFault(f"a cost of {n} pieces is below nothing")
    return n


def power(a: int, b: int) -> int:
    if b < 0:
        return 0
    if b > 40 and abs(a) > 1:  # it may come to so many digits that even to reckon them takes long
        raise RuleFault(f"{a} to the power of {b} is too large")
    return big(int(a**b))


MANY_WAYS = 50_000  # to go on choosing a lot


def bag_choices(
    have: Sequence[int],
    taken: Sequence[int],
    at: int,
    least: int,
    most: int,
    step: int,
    shapes: Sequence[int] | None,
    worth: Callable[[int, int], int] | None,
    worth_least: int,
    worth_most: int,
) -> list[int]:
    """How many of the sort at `at` may be taken so that the bag can still be completed.

    `have` and `taken` go by sort; of the sorts before `at` the choice is made, and such that there is a way on."""
    if at and not have[at]:
        return [0]
    count = sum(taken[:at])
    value = sum([worth(n, i) for i, n in enumerate(taken[:at]) if n]) if worth is not None else 0
    later = [i for i in range(at + 1, len(have)) if have[i]]
    worths = [[0, *(worth(n, i) for n in range(1, have[i] + 1))] if worth is not None else [0] * (have[i] + 1) for i in later]
    here = [0, *(worth(n, at) if worth is not None else 0 for n in range(1, have[at] + 1))]
    if shapes is None and step == 1 and most >= count + sum(have[at:]):
        rest = sum([row[-1] for row in worths])
        if worth_most >= value + max(here) + rest and all([row[-1] == max(row) for row in worths]):
            count += sum([have[i] for i in later])  # taking all that is left is best
            return [n for n, more in enumerate(here) if count + n >= least and value + more + rest >= worth_least]
    if shapes is None:
        shape, forms, used = 0, [0] * len(later), frozenset[int]()
    else:
        shape, forms, used = shapes[at], [shapes[i] for i in later], frozenset(shapes[i] for i in range(at) if taken[i])
    allowed = []
    for n, more in enumerate(here):
        if shapes is not None and n > (0 if shape in used else 1):
            break
        begun = count + n, value + more, used | {shape} if shapes is not None and n else used
        reached = _reached(begun, worths, forms, most, shapes is not None)
        if any(least <= c <= most and c % step == 0 and worth_least <= v <= worth_most for c, v, _ in reached):
            allowed.append(n)
    return allowed


Lot = tuple[int, int, frozenset[int]]  # how many, what they are worth, and their shapes


def _reached(begun: Lot, worths: Sequence[Sequence[int]], shapes: Sequence[int], most: int, apart: bool) -> set[Lot]:
    """What a lot can become: the conditions are sums over the sorts. `apart`: of each shape one at most."""
    reached = {begun}
    for row, shape in zip(worths, shapes, strict=True):
        further: set[Lot] = set()
        for count, value, used in reached:
            if apart and shape in used:
                continue
            for n in range(1, 2 if apart else len(row)):
                if count + n > most:
                    break
                further.add((count + n, value + row[n], used | {shape} if apart else used))
        reached |= further
        if len(reached) > MANY_WAYS:
            raise RuleFault(f"there are more than {MANY_WAYS:,} lots to choose from here")
    return reached


__all__ = [
    "BITS",
    "FUEL",
    "MASK",
    "MISTAKES",
    "MOST_OPTIONS",
    "STEPS",
    "Any",
    "Context",
    "RuleFault",
    "State",
    "Stop",
    "TooLong",
    "Unmet",
    "bag_choices",
    "below",
    "best",
    "big",
    "left",
    "tick",
    "times",
    "too_many",
    "cells_any",
    "combos",
    "distinct",
    "lowest",
    "unlike",
    "compress",
    "count_any",
    "dot",
    "draw_many",
    "get_ident",
    "place_in",
    "entry_at",
    "lacking",
    "pack",
    "owed",
    "power",
    "shuffled",
    "unpack",
    "weighted",
]
