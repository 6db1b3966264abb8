"""Each sentence that a plan can hold means the same in Python and in C: in any state, and also where it goes wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ichiba.interpreter.native import compiler as native
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.reading import statements_of
from ichiba.interpreter.run.code import Code, execute
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.run.worked_out import WorkedOut
from ichiba.interpreter.runtime.chance import words_of
from ichiba.interpreter.runtime.runtime import FUEL, Context
from ichiba.interpreter.to_c.known.program import ONLY_PYTHON
from ichiba.interpreter.to_plan.emitted import Emitted
from ichiba.interpreter.to_python.module import module_text

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

PLACES = 60
TABLES: dict[str, object] = {
    "ROW": (3, 1, 4, 1, 5, 9, 2, 6, 5, 3),
    "GAPS": (3, None, 4, None, 7),
    "ROWS": ((1, 2), (), (3, 4, 5), (6,)),
    "PAIRS": ((1, 20), (3, 21), (5, 22)),
    "KEYED": {2: (7, 8), 5: (), 9: (1,)},
    "BY_KEY": {1: 10, 3: None, 4: 40},
    "AMONG": frozenset({1, 4, 9, 300}),
    "NOTHING": (),
    "ALIKE": (2, 2, 2, 2, 2),
    "BIG": 7,
}

VALUES = {
    "a place": "S[7]",
    "a place that is worked out": "S[S[3] + 20]",
    "a place from the end": "S[S[3] - 5]",
    "a place that is not there": "S[S[3] * 20]",
    "division": "(S[3] * 7 - 20) // 4",
    "what is left over": "(S[3] * 7 - 20) % 4",
    "division by what may be nothing": "9 // S[3] + 9 % (S[4] + 0)",
    "powers and shifts": "S[3] ** 2 + (1 << S[4]) + (S[5] >> 1)",
    "bits": "(S[3] & 5) | 8",
    "a number that is too large": "big((S[3] + 1) ** 9 * (S[4] + 1) ** 9)",
    "one far too large for C": "S[3] * 10**12 * 10**12",
    "and, or, as values": "(S[3] and S[4]) + (S[5] or S[6])",
    "a chain": "1 if 2 <= S[3] + S[4] <= 9 > S[5] else 0",
    "a condition": "S[3] == 4 or not S[4] > 2 and S[5] != 1",
    "in a tuple": "S[3] in (1, S[4], 7)",
    "not in a fixed set": "S[3] not in AMONG",
    "in a row": "S[3] in ROW",
    "a table": "ROW[S[3]] + ROW[-S[4] - 1]",
    "a table that is too short": "ROW[S[3] * 3]",
    "a table with gaps": "GAPS[S[3] % 5] + 1",
    "whether there is an entry": "GAPS[S[3] % 5] is None",
    "by a key": "BY_KEY.get(S[3], -1)",
    "a constant": "S[3] + BIG",
    "the largest": "max(S[3], S[4], 5) - min(S[5], 3)",
    "the largest of many": "max((S[x] * 2 for x in range(3, 9) if S[x] < 8), default=-4)",
    "the smallest, or a fault": "min(S[x] for x in range(3, 9) if S[x] > 8)",
    "the first with the least": "min([x for x in range(3, 12) if S[x]], key=lambda x: -S[x], default=-1)",
    "a sum": "sum(S[x] * ROW[x] for x in range(3, 9) if S[x] > 2)",
    "a sum of places": "sum(S[S[3]:20])",
    "a sum of a list": "sum([S[x] for x in (3, 4, 5)])",
    "so many": "sum(1 for x in compress(range(100, 110), S[10:20]) if x != 103)",
    "any": "any(S[x] == 3 for x in range(3, 9))",
    "any of a list": "any([S[x] > 8 for x in ROW])",
    "all": "all(S[x] < 9 for x in range(3, 9))",
    "the next": "next((x for x in range(3, 30) if S[x] == 7), -1)",
    "loops in loops": "sum(x * y for x in range(S[3]) for y in ROWS[x % 4] if y != S[4])",
    "loops through parts": "sum(x for part in ([y for y in (S[3],) if y], [z for z in range(S[4])]) for x in part)",
    "a name given on the way": "S[y + 3] if (y := S[3]) and S[y + 4] else -y",
    "an index": "S.index(S[3], 3, 50)",
    "an index that may be missing": "S.index(7, 3, 8)",
    "the first with something": "first_of(S, 12, 16)",
    "weights": "dot(ROW, S[3:13])",
    "those of some sorts": "count_any(S, 10, ROW, (0, 2, 5, 1))",
    "an entry that may be missing": "entry_at(GAPS, (S[3],), (1,), 'no {}') + entry_at(ROWS, (S[4], S[5]), (0, 1), 'no {}')",
    "limits": "times(S[3]) + place_in(S[4], 1, 1, 9, 'no {}') + fitting(S[5] - 1)",
    "power": "power(S[3], S[4])",
    "how many": "len([x for x in ROW if x > S[3]])",
    "a flag": "bool([x for x in ROW if x > S[3] + 3])",
    "in one number": "sum(unpack(120905995449268315285553776295))",
    "fuel": "sum(1 for x in range(9) if tick())",
}
LISTS = {
    "a list": "[S[3], 4, S[5]]",
    "none": "[]",
    "a slice": "S[S[3]:S[3] + 5]",
    "a part of a list": "[x for x in ROW if x > 2][:S[3]]",
    "joined": "[*ROWS[S[3] % 4], S[4], *(ROW if S[5] > 4 else ())]",
    "a choice": "ROWS[S[3]] if S[3] < 4 else NOTHING",
    "by key": "KEYED[S[3]]",
    "or": "[x for x in range(S[3] - 5)] or [y for y in ROW if y > S[4]] or [0]",
    "sorted": "sorted([S[3], S[4], S[5], S[3]])",
    "sorted by": "sorted([3, 4, 5, 6, 7], key=lambda x: (-S[x], x % 3))",
    "the best": "best([3, 4, 5, 6], lambda x: S[x], True)",
    "the worst": "best([3, 4, 5, 6], lambda x: S[x] // 2, False)",
    "a range": "range(S[3], 30, 4)",
    "a range downwards": "list(range(S[3], -9, -2))",
    "what there is": "list(compress(range(S[3], S[3] + 10), S[10:20]))",
    "what there is of a list": "list(compress(ROW, S[10:20]))",
    "things that lie": "lying(S, 3, S[4], 10, 50, 100)",
    "cells": "cells_any(5, ROW, (1, 3, 0, 3))",
    "all but": "all_but(4, 30, 5, S[3] * 5 + 4)",
    "ways": "combos(S, [12, 13, 14, 15], None, 2)",
    "ways by weights": "combos(S, [3, 4, 5], [S[3] + 1, S[4] + 1, 1], 3)",
    "a lot": "bag_choices(S[10:16], [1, 0, 0, 0, 0, 0], 1, 1, 9, 1, None, lambda n, s: n * ROW[s], 3, 30)",
    "a lot by pairs": "bag_choices(S[10:16], [2, 0, 0, 0, 0, 0], 1, 2, 6, 2, None, None, -10**12, 10**12)",
    "a lot of shapes": "bag_choices(S[10:16], [1, 0, 0, 0, 0, 0], 1, 1, 4, 1, (1, 2, 1, 3, 2, 4), None, -9, 9)",
    "of many those of which something holds": "[x * 2 for x in range(3, 33) if S[x] == 2]",
    "of those of which there are some": "[x - 1 for x in compress(range(100, 130), S[10:40]) if x != 103 and not S[x - 90] > 4 or S[3] < 2]",
    "a test that knows what the one before it says": "[x for x in range(3, 33) if x < 13 and ROW[x - 3] > 3 if ROW[x - 3] < S[x]]",
    "a test that comes after one that is sure": "[x for x in range(3, 33) if S[x] < 2 if S[S[x] + 59 * (S[4] > 8)] < 5]",
    "a test that an earlier one has named": "[x for x in range(3, 33) if S[x] < 5 if (last := S[x]) > 1 if S[x + 10] < last]",
    "an item that may be too large": "[S[x] * S[x + 1] * 10**11 for x in range(3, 33) if S[x] > 1]",
    "places a step apart": "[x for x in (S[3] + 5, S[3] + 9, S[3] + 7, S[3] + 40) if S[x] > 1]",
    "places of which only the first is there": "any(S[x] > 8 for x in (S[3] + 52, S[3] + 99, S[3] + 7, S[3] + 50) if S[x])",
    "nested comprehensions": "[x + y for x in [z * 2 for z in range(S[3])] for y in unpack(S[4] + 2 << 20 | 5)]",
}
BODIES = {
    "writing": "S[5] = S[6] + 1; S[7] += S[8]; S[S[3] + 20] -= 2",
    "writing far away": "S[9] = 4; S[S[3] * 20] = 1",
    "moving": "S[5], S[6] = S[6], S[5] + 1",
    "moving slices": "S[5:9] = S[7:11]; S[20:23] = [S[3]] * 3; S[30:40] = ROW",
    "a slice of another length": "S[5] = 1; S[10:20] = S[3:3 + S[4] + 3]",
    "a packed list": "S[50] = pack([x for x in ROW if x > S[3]]); S[6] = S[50]",
    "the entries of a packed list, one by one": "if S[50]:\n    S[5] = (S[50] & MASK) - 2\n    S[50] >>= BITS",
    "a loop": "for x in compress(range(10, 20), S[10:20]):\n    S[x] -= 1\n    S[x + 20] += 1",
    "a loop over places a step apart": "for x in [y for y in (S[3] + 5, S[3] + 9, S[3] + 7, S[3] + 11) if S[y]]: S[x] += 1",
    "a test that a later one names": "last = 0\nS[5] = len([x for x in range(3, 33) if S[x] > last if (last := S[x]) < 9])",
    "numbers that are all alike": "S[10:15] = ALIKE\nS[S[3] + 30:S[3] + 35] = ALIKE",
    "a loop that is left": "for x in range(S[3]):\n    if S[x + 10] > 8: break\n    S[x + 20] = x\nelse: S[5] = 99",
    "a loop over pairs": "for a, b in PAIRS:\n    if S[a + 2] > 4: continue\n    S[b] = a",
    "a loop that counts": "for n, x in enumerate(sorted([x for x in range(3, 9) if S[x]], key=lambda x: S[x])):\n    S[x + 30] = n",
    "a block that is left": (
        "try:\n    for x in range(S[3]):\n        if S[x + 10] > 8: raise Leave_0\n        S[x + 20] = x\nexcept Leave_0: S[5] = 99"
    ),
    "what a condition shows": (
        "x = S[3] + 10\nif 12 <= x < 16: S[x] += S[x + 1]\nelif x > 50 or not x != 17: S[x] = x\nelse: S[x + 2] = 1\nx = S[x]\nS[x * 3] = 2"
    ),
    "what is known before a loop": "x = 5\nfor y in ROW:\n    S[x] += y\n    x += S[y + 3] * 4\nS[x - 1] = 8",
    "a name given and needed at once": "S[5] = (y := S[3]) + y\nS[6] = max(y, (y := S[4]))",
    "chance before what it changes": "S[5] = below(S, C, 6) + S[1]\nS[6] = 1 if ROW[S[1]] < f_helper(S, below(S, C, 6)) else 0",
    "more of what is changed on the way": "S[20] += g_helper(S, C, 10)",
    "a fault": "S[5] = 1\nif S[3] > 4: raise RuleFault('no', 3)",
    "a requirement": "S[5] = 1\nif S[3] > 4: raise Unmet(2)",
    "the end of a dry run": "S[5] = 1\nif C.dry == 0 and S[3] > 4: raise Stop",
    "what was seen": (
        "seen = {}\nr = []\nadd = r.append\nfor x in range(3, 12):\n"
        "    if (k := (S[x], x % 2)) in seen: continue\n    seen[k] = x\n    add(seen[k])\n    r += [y for y in (x, S[x])]\n"
        "S[20] = len(r); S[21] = sum(r)"
    ),
    "what is known": (
        "known = {}\nfor x in range(3, 9):\n"
        "    S[x + 20] = known[k] if (k := S[x] % 3) in known else known.setdefault(k, ROW[S[x] % 3] + x)"
    ),
    "asked for once": "known = None\nfor x in range(3, 6):\n    S[x] += known if known is not None else (known := S[9])",
    "chance": "S[5] = below(S, C, 6)\nS[6] = ROW[below(S, C, 9)]\nfor x in draw_many(S, C, 10, 16, S[3]): S[x + 20] += 1",
    "a weighted draw": "t = sum(S[10:16])\nif t: S[5] = weighted(S, C, range(10, 16), t)",
    "a shuffle": "for n, x in enumerate(shuffled(S, C, ROW)): S[n + 20] = x",
    "calling": "p_helper(S, C, S[3])\nS[5] += f_helper(S, 3)\np_helper(S, C, 2)",
    "calling by case": "S[5] = CASES_1[S[3]](S, 7)",
    "one by one": "S[5] = sum(1 for x in unpack(S[50]) if x in unpack(S[50]))",
}
HELPERS = """
def f_helper(S, x): return S[x] + ROW[x]

def f_other(S, x):
    if S[x] > 4: return x
    return 0

def g_helper(S, C, x):
    S[x + 10] += 1
    return S[x + 10]

def p_helper(S, C, x):
    if x > 6: raise RuleFault('too much', 1)
    S[x + 10] += 1

def invariants(): return []
def ranking(): return []
START = 0
FIRST = 0
PIECES = []
OPTIONS = []
ANSWERS = []
EXISTS = []
SEATS = []
DONE = []
SKIPS = []
OTHERWISE = []
"""


@cache
def written(packs: bool = True) -> tuple[tuple[p.Stm, ...], dict[str, str]]:
    """One function for each sentence; and by its name, the sentence. `packs`: also those about lists in one number; without them no
    place can hold one, and less is checked."""
    names: dict[str, str] = {}
    text = []

    def left_out(sentence: str) -> bool:
        return not packs and ("pack" in sentence or "S[50]" in sentence)

    for kinds, letter in ((VALUES, "f_value"), (LISTS, "f_list")):
        for number, (name, sentence) in enumerate(kinds.items()):
            if not left_out(sentence):
                names[f"{letter}_{number}"] = name
                text.append(f"def {letter}_{number}(S): return {sentence}\n")
    for number, (name, sentence) in enumerate(BODIES.items()):
        if not left_out(sentence):
            names[f"p_body_{number}"] = name
            lines = "\n".join(f"    {line}" for line in sentence.split("\n"))
            text.append(f"def p_body_{number}(S, C):\n{lines}\n")
    plan = statements_of("\n".join([*text, HELPERS, "CASES_1 = Cases({2: f_helper, 3: f_other}, f_other)\n"]))
    return plan, names


def emitted_of(plan: tuple[p.Stm, ...]) -> Emitted:
    return Emitted(plan, module_text(plan, ("Leave_0",), has_steps=True), TABLES, [], [], [], [], {})


@cache
def both(packs: bool) -> tuple[Code, Code, Callable[[], int]]:
    """All sentences in Python and in C; and how often C has left one to Python."""
    emitted = emitted_of(written(packs)[0])
    python = execute(emitted, "<sentences>")
    game = SimpleNamespace(
        fuel=FUEL,
        emitted=emitted, first=[0] * PLACES, code=python, worked_out=WorkedOut(), name="sentences", native=False, telling=False,
        forget_expressions=lambda: None,
    )  # fmt: skip
    native.compile_game(cast(Game, game))
    return python, game.code, cast(Any, game.worked_out.in_c).misses


def outcome(function: Callable[..., Any], state: list[int], *more: object) -> tuple[object, list[int]]:
    """What comes of it: a value, or a fault; and the state."""
    try:
        found = function(state, *more)
    except Exception as fault:
        return (type(fault), str(fault)), state
    return list(found) if isinstance(found, range | tuple) else found, state


def states(seed: str, packs: bool) -> list[list[int]]:
    random = Random(seed)
    made = []
    for number in range(60):
        state = [random.randrange(number % 9 + 2) for _ in range(PLACES)]
        state[:3] = [0, 0, 0]
        if packs:
            state[50] = sum((random.randrange(9) + 2) << 20 * n for n in range(number % 6))  # a list in one number
        made.append(state)
    return made


FOR_PYTHON = ("one far too large for C", "a place from the end", "by a key", "a slice of another length")  # C leaves these alone, without a fault


@pytest.mark.parametrize(
    ("name", "packs"), [(name, packs) for packs in (True, False) for name in written(packs)[1]],
    ids=lambda told: written()[1][told] if isinstance(told, str) else "packed" if told else "plain",
)  # fmt: skip
def test_a_sentence_means_the_same(name: str, packs: bool) -> None:
    """And it is left to Python only where it fails."""
    more = (Context(words_of(5)),) if name.startswith("p_") else ()
    python, c, misses = both(packs)
    for state in states(name, packs):
        before = misses()
        ends = [outcome(code.module[name], state[:], *more) for code in (python, c)]
        assert ends[0] == ends[1]
        assert {type(number) for number in ends[1][1]} == {int}
        fault = isinstance(ends[0][0], tuple) and isinstance(ends[0][0][0], type)
        assert misses() == before or fault or written()[1][name] in FOR_PYTHON


@pytest.mark.parametrize("packs", [True, False])
def test_all_of_them_are_said_in_c(packs: bool) -> None:
    plan, names = written(packs)
    game = SimpleNamespace(emitted=emitted_of(plan), first=[0] * PLACES, fuel=FUEL)
    program = native.program(cast(Game, game))
    native.source(program)
    assert {names.get(f.name, f.name): f.why for f in program.functions.values() if f.why and f.name not in ONLY_PYTHON} == {}
    assert (program.packed_places == frozenset()) == (not packs)
