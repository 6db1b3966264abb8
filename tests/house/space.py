"""What a search over a map or a grid costs, in instructions, beside the same said with `repeat … while any`.

    python -m tests.house.space

On a map of 60 places the cheapest ways from one of them, on a grid of 9 x 12 what hangs together. Before every search something is
written that it reads, and once more it is asked when nothing has changed. In Python and in machine code.
"""

from __future__ import annotations

import argparse
import gc
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import hypot
from pathlib import Path
from random import Random

from ichiba.interpreter.plan.tree import Function
from tests.house.counts import HOUSE, KEPT, Counter, imported, measured

AT_MOST = 0.1  # so much of what it costs by hand
TIMES = 40
WARM = 6
PLACES, NEAREST = 60, 3
FIGURES = [f"{what}{where}" for what in ("ways", "flood") for where in ("", " in machine code")]
KINDS = ("by hand", "a search", "nothing has changed")
DONE = (("wander", "by_hand"), ("wander", "by_search"), ("wander", "idle"), ("by_search",), ("idle",))

FRAME = """\
language: 2
title: Space
seats: 2
units: {coin: {write: "${}"}}
"""
PLAY = """\
table:
    counter found: 0 .. 999
    counter turns: 0 .. 97

play:
    take turns from seat(1) until false, at most 9000 times: turn

procedure turn:
    menu go:
        option on "On":
            wander
            by_hand
            by_search
            idle
        option off "Off": nothing

scoring:
    score for each seat: score "Found" found
"""
ON = """
procedure on:
    if turns = 97: set turns to 0
    else: raise turns by 1

procedure idle:
    set found to 1
"""
WAYS = """
kind place is node:
    counter far: 0 .. 9999

kind road is edge:
    field toll: number
    flag closed

procedure wander:
    on
    let e = road(turns + 1)
    if e.closed: clear e.closed
    else: mark e.closed

procedure by_hand:
    for each p in places: set p.far to 9999
    set p1.far to 0
    repeat 60 times while any (p in places where any (e in edges_at(p) where not e.closed and far(e, p).far + e.toll < p.far)):
        for each p in places:
            for each e in edges_at(p) where not e.closed and far(e, p).far + e.toll < p.far: set p.far to far(e, p).far + e.toll
    set found to count of (p in places where p.far <= 20)

procedure by_search:
    set found to count of (p in places where 20 >= cheapest way from p1 to p over e by e.toll where not e.closed else 9999)
"""
FLOOD = """
kind cell is node:
    remember owner: seat or none
    flag reached

kind side is edge:
    flag shut

procedure wander:
    on
    let c = cell(turns + 2)
    if c.owner is seat(1): set c.owner to none
    else: set c.owner to seat(1)

value is_next(c: cell) -> flag: c.owner is not seat(1) and not c.reached and any (e in edges_at(c) where far(e, c).reached)

procedure by_hand:
    for each c in cells: clear c.reached
    mark a1.reached
    repeat 108 times while any (c in cells where is_next(c)):
        for each c in cells where is_next(c): mark c.reached
    set found to count of (c in cells where c.reached)

procedure by_search:
    set found to count of (connected to a1 through c where c.owner is not seat(1))
"""


def roads(random: Random) -> list[tuple[int, int, int]]:
    """Each place is connected with those nearest to it, and with one that stands before it; in no order."""
    at = {n: (random.uniform(0, 10), random.uniform(0, 6)) for n in range(1, PLACES + 1)}

    def apart(a: int, b: int) -> float:
        return hypot(at[a][0] - at[b][0], at[a][1] - at[b][1])

    pairs = {tuple(sorted((n, min(range(1, n), key=lambda m: apart(n, m))))) for n in range(2, PLACES + 1)}
    for n in at:
        pairs |= {(min(n, m), max(n, m)) for m in sorted(set(at) - {n}, key=lambda m: apart(n, m))[:NEAREST]}
    found = [(a, b, 1 + round(3 * apart(a, b))) for a, b in sorted(pairs)]
    random.shuffle(found)
    return found


def written(folder: Path, what: str) -> Path:
    """The ruleset of a figure. The map is made by chance, always the same."""
    root = folder / what
    root.mkdir(parents=True)
    if what == "ways":
        kinds, rules = ("place", "road"), WAYS
        places = [f"p{n}" for n in range(1, PLACES + 1)]
        listed = [f"{{between: [p{a}, p{b}], toll: {toll}}}" for a, b, toll in roads(Random(1))]
    else:  # as a grid was said before there were grids
        kinds, rules = ("cell", "side"), FLOOD
        places = [f"{row}{column}" for row in "abcdefghi" for column in range(1, 13)]
        listed = [f"[{row}{column}, {row}{column + 1}]" for row in "abcdefghi" for column in range(1, 12)]
        listed += [f"[{row}{column}, {below}{column}]" for row, below in pairwise("abcdefghi") for column in range(1, 13)]
    game = f"game: {what}\n{FRAME}map: map.yaml\nthings: {{{kinds[0]}: {{from: places}}, {kinds[1]}: {{edges: roads}}}}\n"
    lines = ["places:", *(f"  - {{id: {name}}}" for name in places), "roads:", *(f"  - {one}" for one in listed)]
    (root / "map.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (root / "game.yaml").write_text(game, encoding="utf-8")
    (root / "space.rules").write_text(PLAY + ON + rules, encoding="utf-8")
    return root


def work(figure: str) -> None:
    """What a process that is counted does: each way to find the same out, so many times."""
    import ichiba
    from ichiba.interpreter.native.compiler import compile_game

    gc.disable()  # when it comes by hangs on much that happened before
    imported()
    what, _, native = figure.partition(" ")
    with tempfile.TemporaryDirectory() as folder:
        game = ichiba.load(written(Path(folder), what), 2, trust=True)
        if native:
            compile_game(game)
        named = {rule: game.code.module[function] for function, (rule, _) in game.emitted.homes.items()}  # by name
        homes, functions = game.emitted.homes, [one for one in game.emitted.plan if isinstance(one, Function)]
        asks = {homes[one.name][0]: len(one.params) - 2 for one in functions if one.name in homes}  # some ask whose turn it is
        counter = Counter()
        found: list[list[object]] = []
        for rules in DONE:
            table = game.start(seed=1)
            state, context = table.state, table.context
            doing = [partial(named[rule], state, context, *([0] * asks[rule])) for rule in rules]
            for _ in range(WARM):
                for do in doing:
                    do()
            with counter.counting(f"{figure}: {' '.join(rules)}") as often:
                for _ in range(TIMES):
                    for do in doing:
                        do()
                often.append(TIMES)
            found.append([table.ask("found"), table.ask("turns")])
        if found[0] != found[1]:
            raise AssertionError(f"what is found by hand is something else: {found}")


def counted(figure: str) -> dict[str, int]:
    """Instructions by how it is done, without those of what both do: something is written, and a rule is called from Python."""
    found = measured(["-m", "tests.house.space", "--work", figure], HOUSE, KEPT)
    by_hand, by_search, wandering, again, called = (found[f"{figure}: {' '.join(rules)}"] for rules in DONE)
    return dict(zip(KINDS, (by_hand - wandering, by_search - wandering, again - called), strict=True))


def report() -> Iterator[str]:
    yield f"{'instructions':<28}" + "".join(f"{kind:>22}" for kind in KINDS)
    for figure in FIGURES:
        found = counted(figure)
        yield f"{figure:<28}" + "".join(f"{found[kind]:>14,} ({found[kind] / found['by hand']:>5.1%})" for kind in KINDS)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.house.space", description="What searches over maps and grids cost.")
    parser.add_argument("--work", choices=FIGURES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.work)
        return 0
    if shutil.which("valgrind") is None:
        print("this needs valgrind (on Debian: apt install valgrind)", file=sys.stderr)
        return 2
    for line in report():
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
