"""Whole games and single steps touch no memory that is not theirs: under the address and undefined-behaviour sanitizers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ichiba.interpreter.native import compiler as native
from tests.native.conftest import GAME, RULES

SANITIZED = ("-O1", "-g", "-shared", "-fPIC", "-fwrapv", "-fno-strict-aliasing", "-w", "-fno-omit-frame-pointer",
             "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")  # fmt: skip

PLAYS = """\
import os
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

del os.environ["LD_PRELOAD"]  # the compiler has limits on memory, which sanitizers do not keep to

import ichiba
from ichiba.interpreter.native import compiler

compiler.FLAGS = tuple(sys.argv[2].split())
made = compiler.compiled

def sanitized(text, path):
    found = made(text, path)
    assert b"__asan_report" in found.read_bytes(), "it is not sanitized"
    return found

compiler.compiled = sanitized
folder, games, steps = sys.argv[1], int(sys.argv[3]), int(sys.argv[4])
game = ichiba.load(Path(folder) if "/" in folder else folder, trust=True, native=True)
assert game.native
policies = [*list(game.program.policies)[:1], "random"]
for policy in policies:
    found = game.batch(range(games), policy, threads=2)
    print(policy, sum(found.decisions), len(found.faults))

def not_again(*given):
    raise LookupError("what C gives up on is not done again here: with such numbers Python fills all memory")

game.worked_out.in_python.module["step"] = not_again
random, table = Random(1), game.start(1)
for number in range(steps):
    state, code = table.state[:], random.choice([*table.legal(), 7, 10**6, 2**50])
    for _ in range(3):
        state[random.randrange(2, len(state))] = random.choice([0, 1, 2, 7, 300, 100_020, -1, 10**11])
    with suppress(Exception):  # what it comes to is another test's
        game.code.step(state, table.context, code)
    with suppress(Exception):
        table.step(random.randrange(len(table.legal())))
    if table.over or table.fault is not None:
        table = game.start(number)
tables = game.tables(["told 00000001 x", table, *range(70)], 2)
for number in range(steps):
    if number % 40 == 9:
        tables = tables.copy([random.randrange(72) for _ in range(72)])
        tables.rekey(range(72))
    if number % 50 == 20:
        tables.reset(range(7, 30, 3))
    tables.step([random.randrange(many) if many else 3 for many in tables.many])
    if number % 10 == 0:
        tables.observe(), tables.scores, tables.ranks, tables.endings, tables.table(1), tables.keys(2)
print("clean")
"""


def sanitizer() -> str | None:
    """The library that has to be there before all others; None where the compiler has none."""
    command = shutil.which("cc")
    if command is None:
        return None
    found = subprocess.run([command, "-print-file-name=libasan.so"], capture_output=True, text=True, check=False).stdout.strip()
    return found if Path(found).is_absolute() else None


def plays(folder: str, games: int, steps: int) -> None:
    library = sanitizer()
    if library is None:
        pytest.skip("the compiler has no sanitizers here")
    more = {"LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0", "ICHIBA_CACHE": "off"}
    run = subprocess.run(
        [sys.executable, "-c", PLAYS, folder, " ".join(SANITIZED), str(games), str(steps)],
        env={**os.environ, **more}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0 and run.stdout.endswith("clean\n"), run.stdout[-500:] + run.stderr[-4000:]


# Rules that mean harm, or are wrong: places that are not there, numbers beyond all bounds, loops without end, many answers.
HOSTILE = {
    "tables": RULES.replace("won(my.tries)", "won(my.tries * 7 - 3)"),
    "numbers": RULES.replace("set x to x * x", "set x to x * x + 99"),
    "loops": RULES.replace("repeat my.tries * 3 times: set x to x * x", "repeat my.tries * 40000 times: set x to x + 1"),
    "requirements": RULES.replace("option rest: nothing", "option rest: require my.tries > 5, else \"no rest\""),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_rules_that_mean_harm_touch_nothing_that_is_not_theirs(what: str, tmp_path: Path) -> None:
    assert HOSTILE[what] != RULES
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "play.rules").write_text(HOSTILE[what])
    plays(str(tmp_path), 60, 200)


def test_nor_does_a_game_that_packs_lists_searches_and_tries() -> None:
    plays("lantern_coast", 8, 150)


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", ["caravan_yard", "goofspiel", "no_thanks", "salt_flats", "shinjuku", "tokyo_tsukiji_market", "tsukiji"])
def test_nor_does_any_other(ruleset: str) -> None:
    plays(ruleset, 60, 2000)


def test_the_compiler_is_the_one_that_games_are_made_by() -> None:
    assert set(native.FLAGS) - set(native.QUICK) <= set(SANITIZED)
