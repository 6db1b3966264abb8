"""Nothing that anybody sees hangs on the order of a set: neither on the seed of hashes nor on where things lie in memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from tests.house.orders import loops_in

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("dsl", "validator", "interpreter", "lab", "table")
# Where one may go through a set all the same, and why.
ALLOWED = {
    ("interpreter/runtime/runtime.py", "reached"): "from one set of lots another one is made; of it is only asked whether some lot fits",
    ("dsl/program/watching.py", "found - {PLACES}"): "each is a list of its own, to which places are added in the order of the rules",
    ("validator/waking.py", "woken"): "from one set of signs a set of rules is made, which is sorted",
}


def test_nobody_goes_through_a_set_in_an_order_that_could_be_seen() -> None:
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    found = {(loop.path, loop.text): f"{loop.path}:{loop.line}" for loop in loops_in(paths, ROOT)}
    assert [place for key, place in found.items() if key not in ALLOWED] == []
    assert set(ALLOWED) <= set(found)  # and what need not be allowed any more is not


LOOPS = """
class Shelf:
    marked: set[int]
    by_name: dict[str, frozenset[str]]
    def __init__(self) -> None:
        self.seen = set()
        self.said = words()
    def go(self, given: frozenset[str]) -> None:
        for one in given: pass
        many = [one for one in self.seen]
        more = [one for one in self.said]
        first = next(iter(self.marked))
        text = ", ".join({"a", "b"})
        named = [*given, *self.by_name["x"]]
        last = self.marked.pop()
        best = max(given, key=len)
        row = sorted(given, key=len)
        both = list(given | {"c"})
        made = dict.fromkeys(words())
def words() -> set[str]: return set()
"""
QUIET = """
class Shelf:
    marked: set[int]
    def go(self, given: frozenset[str]) -> None:
        for one in sorted(given): pass
        some = any(one for one in given) or len(given) > 1 or "a" in given
        others = {one + "x" for one in given} | set(one for one in given)
        least, total = min(self.marked), sum(number for number in self.marked)
        only = given.pop() if len(given) == 1 else ""
        others.update(given)
        rows = [one for one in [1, 2]]
"""


def test_the_finder_finds_what_it_is_for(tmp_path: Path) -> None:
    (tmp_path / "loops.py").write_text(LOOPS)
    (tmp_path / "quiet.py").write_text(QUIET)
    lines = LOOPS.splitlines()
    wanted = [n for n, line in enumerate(lines, 1) if line.startswith("        ") and not line.startswith("        self.s")]
    assert sorted({loop.line for loop in loops_in([tmp_path / "loops.py"], tmp_path)}) == wanted
    assert list(loops_in([tmp_path / "quiet.py"], tmp_path)) == []


# ------------------------------------------------------------------------------- the same in every process

GAME = """\
game: pockets
language: 2
seats: 2 to 3
pieces:
  coin: {sorts: [gold, silver, copper], count: 6, in: bag}
  hat: {individual: true, sorts: [red, blue], count: 2, in: bag}
"""
RULES = """\
seat:
    zone hand of coin, hidden from others
    zone pocket of coin, hidden from others
    zone shoe of coin, hidden from others
    zone head of hat, hidden from others
    counter shown: 0 .. 99
    counter kept: 0 .. 99, hidden from others

table:
    zone bag of thing, face down

setup:
    for each s in seats:
        draw 2 coin from bag to s.hand
        draw 1 coin from bag to s.pocket
        draw 1 coin from bag to s.shoe

play:
    repeat 3 times: round
    each s in seats secretly:
        choose c in my.hand where sort of c is not copper "Which one?":
            move c to my.shoe
        else: nothing
    reveal {seat.hand, seat.pocket, seat.shoe, seat.kept}

procedure round:
    take one turn each from seat(1): turn

procedure turn:
    menu actions:
        option show: reveal {my.hand, my.pocket, my.shoe}
        option swap for c in my.hand where sort of c in {gold, silver}:
            move c to my.pocket
            raise my.kept by 1
        option wait: nothing

rule full for each s in seats, whenever count of s.hand + count of s.pocket > 3: raise s.shown by 1
rule bare, whenever any (s in seats where s.hand is empty), once: nothing

scoring:
    score for each seat: score "Kept" my.kept + my.shown

ranking: highest total else shared
"""
PLAYED = """
import hashlib, json, random, sys
place, shift = sys.argv[1], int(sys.argv[2])
lying = [bytearray(shift * 37 % 911 + n) for n in range(shift * 100)]  # so that all else lies elsewhere
holes = lying[::2]
import ichiba
from ichiba.interpreter.run.game import traced
game = ichiba.load(place, int(sys.argv[3]), trust=True)
told = [hashlib.sha256(text.encode()).hexdigest() for text in (game.emitted.text, traced(game)[0].text)]
told.append(hashlib.sha256(repr(sorted(game.layout.slot_names.items())).encode()).hexdigest())
for seed in range(int(sys.argv[4])):
    rng, table = random.Random(seed), game.start(seed)
    while table.codes:
        table.step(rng.randrange(len(table.codes)))
    told.append(hashlib.sha256(json.dumps([table.log, table.view(1)], default=str).encode()).hexdigest())
print("\\n".join(told))
"""


def told_by(place: str, seats: int, games: int, run: int) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(run * 7919), "ICHIBA_CACHE": "off"}
    command = [sys.executable, "-c", PLAYED, place, str(run), str(seats), str(games)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def pockets(folder: Path) -> Path:
    (folder / "game.yaml").write_text(GAME)
    (folder / "play.rules").write_text(RULES)
    return folder


def test_what_is_revealed_is_logged_in_the_order_of_the_text(tmp_path: Path) -> None:
    table = ichiba.load(pockets(tmp_path), 2, trust=True).start(1)
    table.play("show")
    assert [item["what"] for item in table.log if item["event"] == "reveal"] == ["seat.hand", "seat.pocket", "seat.shoe"]


def test_what_is_revealed_is_logged_in_the_same_order_in_every_process(tmp_path: Path) -> None:
    place = str(pockets(tmp_path))
    assert len({told_by(place, 3, 5, run) for run in range(3)}) == 1


@pytest.mark.soak
def test_so_it_is_in_fifty_processes(tmp_path: Path) -> None:
    place = str(pockets(tmp_path))
    assert len({told_by(place, 3, 5, run) for run in range(50)}) == 1


@pytest.mark.soak
@pytest.mark.parametrize("game", sorted(rulesets()))
def test_so_is_every_ruleset(game: str) -> None:
    seats = 3 if game not in ("leduc_poker",) else 2
    assert len({told_by(game, seats, 1, run) for run in range(6)}) == 1
