"""The speed of the twins: whole games of uniformly random answers, set-up and scoring included.

    python tests/twins/bench_twins.py [GAMES]

Processor time of this one process, five repetitions of GAMES games (2000) after a warm-up; the median, and
the spread of games a second. Shuffling, choosing the answer and the loop count too; all games of a
repetition share one random generator, so that seeding it does not count.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script, this file does not know its package

from tests.twins.base import Chance, RandomChance, Twin, playout
from tests.twins.no_thanks import NoThanks
from tests.twins.tsukiji import Tsukiji

REPETITIONS = 5
TWINS: list[tuple[str, Callable[[int, Chance], Twin], list[int]]] = [
    ("Tsukiji", Tsukiji, [4, 3, 2]),
    ("No Thanks", NoThanks, [7, 5, 4, 3]),
]


def run(twin: Callable[[int, Chance], Twin], seats: int, games: int, seed: int) -> tuple[float, int]:
    """Seconds, and decisions made."""
    chance = RandomChance(seed)
    random = Random(seed).random
    decisions = 0
    began = process_time()
    for _ in range(games):
        decisions += playout(twin(seats, chance), random)
    return process_time() - began, decisions


def main(games: int) -> None:
    print("game       seats   games/s        min..max  decisions/game  us/decision")
    for name, twin, all_seats in TWINS:
        for seats in all_seats:
            run(twin, seats, games // 4 + 1, seed=0)
            runs = [run(twin, seats, games, seed) for seed in range(1, REPETITIONS + 1)]
            rates = [games / seconds for seconds, _ in runs]
            per_decision = median(seconds / decisions for seconds, decisions in runs) * 1e6
            per_game = sum(decisions for _, decisions in runs) / games / REPETITIONS
            spread = f"{min(rates):.0f}..{max(rates):.0f}"
            speed = f"{median(rates):>9.0f} {spread:>15}"
            print(f"{name:<10} {seats:>5} {speed} {per_game:>15.1f} {per_decision:>12.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
