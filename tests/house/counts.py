"""How many instructions of the processor the engine needs: the figure that does not hang on the machine's mood.

    python -m tests.house.counts [--renew] [--of CHECKOUT] [NAME ...]
    python -m tests.house.counts --steps

Beside each figure stands what it was when `counts.txt` was last renewed, and by how much it has changed; what needs more than
it did, beyond a small allowance, is a fault. Names choose figures by their beginning. With `--steps` the decisions of the games
stand beside those of the same games in which no steps are counted: what the budget for a ruleset's work costs whoever means well.

Everything is done under `valgrind --tool=callgrind` by processes that have warmed up. Where counting begins and where it ends,
a process forks a child that ends at once: how many instructions that had behind it, valgrind tells. Nothing is done twice,
and no set-up is counted; where there is a C compiler, valgrind is told to look away from it, which takes a fraction of the
time. Hashes of texts are seeded, chance too; the caches are off, but for what the C compiler has made.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib
import os
import pkgutil
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

HOUSE = Path(__file__).resolve().parents[2]
COUNTS = Path(__file__).with_name("counts.txt")
KEPT = HOUSE / ".counts"  # what is made only once, from run to run: compiled Python, machine code
ALLOWED = 0.02  # so much more is no fault
SWITCH = """
#include <valgrind/callgrind.h>
void look(int on) { if (on) CALLGRIND_START_INSTRUMENTATION; else CALLGRIND_STOP_INSTRUMENTATION; }
"""
STEPS_MAY_COST = 0.03  # of a decision: what counting the steps of rules may take
COUNTED, UNCOUNTED = ", steps counted", ", no steps counted"
WARM = 1  # games played before any is counted
SEED = 1


# ------------------------------------------------------------------------- within a process that is counted


class Counter:
    """Prints what valgrind is to be asked for: a figure, the two processes between which it lies, and for how much it is."""

    def __init__(self) -> None:
        switch = os.environ.get("ICHIBA_COUNTS_SWITCH", "")
        self.look: Callable[[int], object] = ctypes.CDLL(switch).look if switch else lambda on: None
        self.look(1)
        self.cost = (self.mark(), self.mark())  # of counting itself
        self.look(0)

    @staticmethod
    def mark() -> int:
        child = os.fork()
        if not child:
            os._exit(0)
        os.waitpid(child, 0)
        return child

    @contextmanager
    def counting(self, figure: str) -> Iterator[list[int]]:
        """What is done within is counted; whoever does something often puts down how often."""
        often: list[int] = []
        gc.collect()
        self.look(1)
        began = self.mark()
        yield often
        ended = self.mark()
        self.look(0)
        print("COUNT", *self.cost, began, ended, sum(often) or 1, figure, flush=True)


def imported() -> None:
    """All that may be needed, so that no figure pays for it; what leans on a package that is not installed here is not."""
    import ichiba

    for room in ("dsl", "validator", "interpreter", "lab", "table"):
        package = importlib.import_module(f"{ichiba.__name__}.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith(("__main__", "pytest_plugin", "other_engines")):
                try:
                    importlib.import_module(found.name)
                except ModuleNotFoundError as missing:
                    if (missing.name or "").partition(".")[0] == ichiba.__name__:
                        raise


def without_steps() -> None:
    """From here on whoever writes rules as code is told that nothing can take long: no step is counted anywhere."""
    from ichiba.interpreter.plan import tree as p
    from ichiba.interpreter.plan.writing import Writing
    from ichiba.interpreter.to_plan.context.context import Context

    put, step = Writing.put, p.Do(p.Call(p.Name("tick")))
    Context.metered = property(lambda c: False, lambda c, may_take_long: None)  # type: ignore[assignment, misc]
    Writing.put = lambda out, statement: None if statement == step else put(out, statement)  # type: ignore[assignment, method-assign]


def game(counter: Counter, name: str, seats: int, games: int, native: bool, write: bool) -> None:
    """Loaded and compiled; whole games of random answers, in Python and in machine code; and the making of that."""
    from ichiba.dsl.faults.fault import Faults
    from ichiba.dsl.world.world import Config
    from ichiba.interpreter.api import folder_of
    from ichiba.interpreter.native.compiler import written
    from ichiba.interpreter.run.game import ready
    from ichiba.validator.judges.building import build

    folder, faults = folder_of(name), Faults()
    with counter.counting(f"{name}: reading"):
        box, world, program = build(folder, Config(seats), faults)
    faults.raise_if_errors()
    with counter.counting(f"{name}: compiling"):
        made = ready(box, world, program)
    if write:
        with counter.counting(f"{name}: machine code, but for the C compiler"):
            written(made)
    decisions(counter, made, name, games, native)


def decisions(counter: Counter, made: Game, name: str, games: int, native: bool) -> None:
    """Whole games of random answers, in Python and then in machine code."""
    from ichiba.interpreter.native.compiler import compile_game
    from ichiba.lab.bench.drivers import Ours

    for words in ("a decision", "a decision in machine code"):
        if words == "a decision" or native:
            driver = Ours(made)
            driver.play(WARM, SEED)
            with counter.counting(f"{name}: {words}") as often:
                often.append(driver.play(games, SEED + 1).decisions)
            if words == "a decision" and native:
                compile_game(made)


def steps(counter: Counter, name: str, games: int, counted: bool) -> None:
    """The decisions of a game, its steps counted or not."""
    from ichiba.dsl.faults.fault import Faults
    from ichiba.dsl.world.world import Config
    from ichiba.interpreter.api import folder_of
    from ichiba.interpreter.run.game import ready
    from ichiba.validator.judges.building import build

    if not counted:
        without_steps()
    made = ready(*build(folder_of(name), Config(3), Faults()))
    if not counted and "tick()" in made.emitted.text:
        raise AssertionError("steps are counted still")
    decisions(counter, made, name + (COUNTED if counted else UNCOUNTED), games, native=True)


def checked(counter: Counter, name: str) -> None:
    """`ichiba check`, every way to set it up."""
    from ichiba.interpreter.api import folder_of
    from ichiba.table.checking import check

    folder = folder_of(name)
    with counter.counting(f"{name}: check"):
        check(folder, jobs=1)


BENCHED = {"no_thanks": 10, "tsukiji": 2, "shinjuku": 2, "tokyo_tsukiji_market": 1}  # how many games of each
GAMES: dict[str, Callable[[Counter], None]] = {
    "no_thanks": partial(game, name="no_thanks", seats=3, games=10, native=True, write=False),
    "tsukiji": partial(game, name="tsukiji", seats=3, games=2, native=True, write=False),
    "shinjuku": partial(game, name="shinjuku", seats=3, games=2, native=True, write=False),
    "tokyo_tsukiji_market": partial(game, name="tokyo_tsukiji_market", seats=3, games=1, native=True, write=True),
    "tsukiji: check": partial(checked, name="tsukiji"),
    "tokyo_tsukiji_market: check": partial(checked, name="tokyo_tsukiji_market"),
}
STEPS: dict[str, Callable[[Counter], None]] = {
    name + words: partial(steps, name=name, games=games, counted=words == COUNTED)
    for name, games in BENCHED.items()
    for words in (COUNTED, UNCOUNTED)
}


def work(names: Iterable[str]) -> None:
    """What a process that is counted does."""
    from ichiba.interpreter.api import rulesets
    from ichiba.table.checking import check

    gc.set_threshold(10**6)  # when it comes by hangs on much that happened before
    imported()
    check(next(iter(rulesets().values())), jobs=1)
    counter = Counter()
    for name in names:
        (GAMES | STEPS)[name](counter)


# ---------------------------------------------------------------------------------------------- from outside


def switch_in(kept: Path) -> Path | None:
    """By what a process tells valgrind where to look; none where it cannot be compiled."""
    made, compiler = kept / "switch.so", shutil.which("gcc") or shutil.which("cc")
    if compiler and not made.is_file():
        kept.mkdir(exist_ok=True)
        own = made.with_name(f"switch-{threading.get_ident()}.so")
        command = [compiler, "-O1", "-shared", "-fPIC", "-x", "c", "-", "-o", str(own)]
        if subprocess.run(command, input=SWITCH, capture_output=True, text=True, check=False).returncode == 0:
            own.replace(made)
    return made if made.is_file() else None


def surroundings(checkout: Path, kept: Path) -> dict[str, str]:
    """The same for all that are counted."""
    return {
        "PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(checkout / "tests" / "_checkout"), "PYTHONHASHSEED": "0",
        "PYTHONPYCACHEPREFIX": str(kept / "pyc"), "ICHIBA_CACHE": str(kept / "cache"), "HOME": str(kept), "LC_ALL": "C.UTF-8",
    }  # fmt: skip


def measured(script: list[str], checkout: Path, kept: Path) -> dict[str, int]:
    """The figures of one process. It runs once without valgrind, for all that is made only once."""
    command, around = [sys.executable, *script], surroundings(checkout, kept)
    subprocess.run(command, env=around, cwd=checkout, check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory(prefix="ichiba-count-") as logs:
        valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={logs}/%p"]
        if (switch := switch_in(kept)) is not None:
            valgrind.append("--instr-atstart=no")
            around["ICHIBA_COUNTS_SWITCH"] = str(switch)
        run = subprocess.run([*valgrind, *command], env=around, cwd=checkout, check=True, stdout=subprocess.PIPE, text=True)
        return dict(figures(run.stdout, lambda process: collected((Path(logs) / str(process)).read_text(encoding="utf-8"))))


def collected(log: str) -> int:
    """How many instructions a process had behind it when it ended, its forebears' among them."""
    found = re.search(r"Collected : (\d+)", log)
    assert found is not None, log
    return int(found[1])


def figures(said: str, count: Callable[[int], int]) -> Iterator[tuple[str, int]]:
    for line in said.splitlines():
        if line.startswith("COUNT "):
            _, *numbers, figure = line.split(" ", 6)
            before, again, began, ended, often = map(int, numbers)
            yield figure, round((count(ended) - count(began) - (count(again) - count(before))) / often)


# --------------------------------------------------------------------------------------------------- the file


def machine() -> str:
    """What else the figures hang on."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    said = subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True, check=False).stdout if compiler else "?"
    return f"Python {platform.python_version()} made by {platform.python_compiler()}, {platform.machine()}; C compiler {said.strip()}"


def remembered(text: str) -> dict[str, int]:
    found = re.findall(r"^([^#\n]*?) +([\d,]+)$", text, re.MULTILINE)
    return {figure: int(number.replace(",", "")) for figure, number in found}


def written_down(counts: Mapping[str, int], on: str) -> str:
    head = "# Instructions, counted by `make count`; `make count ARGS=--renew` writes them anew.\n"
    return f"{head}# {on}\n" + "".join(f"{figure:<62} {count:>15,}\n" for figure, count in sorted(counts.items()))


def change(now: int, before: int | None) -> str:
    return "new" if before is None else f"{100 * (now - before) / before:+.1f}%"


def grown(counts: Mapping[str, int], before: Mapping[str, int]) -> list[str]:
    """What needs more instructions than are allowed."""
    return [figure for figure, now in counts.items() if figure in before and now > before[figure] * (1 + ALLOWED)]


def report(counts: Mapping[str, int], before: Mapping[str, int]) -> Iterator[str]:
    yield f"{'instructions':<62} {'now':>15} {'in the file':>15}"
    for figure, now in sorted(counts.items()):
        was = before.get(figure)
        yield f"{figure:<62} {now:>15,} {'' if was is None else f'{was:,}':>15} {change(now, was):>8}"


def count(chosen: list[str], checkout: Path) -> dict[str, int]:
    """What the processes of these names have counted; as many at once as there are cores, since nothing here is timed."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda name: measured([__file__, "--work", name], checkout, KEPT), chosen)
        return {figure: number for part in found for figure, number in part.items()}


def compared(counts: Mapping[str, int], name: str) -> Iterator[tuple[str, int, int]]:
    """Each figure of a game whose steps are counted, and what it is where none is."""
    for words in ("a decision", "a decision in machine code"):
        yield f"{name}: {words}", counts[f"{name}{COUNTED}: {words}"], counts[f"{name}{UNCOUNTED}: {words}"]


def told_of_steps(chosen: Iterable[str], checkout: Path) -> int:
    """The table of what counting costs; 1 where that is too much anywhere."""
    counts = count([name + words for name in chosen for words in (COUNTED, UNCOUNTED)], checkout)
    rows = [row for name in chosen for row in compared(counts, name)]
    print(f"{'instructions':<62} {'counted':>15} {'not counted':>15}")
    print("\n".join(f"{figure:<62} {now:>15,} {without:>15,} {change(now, without):>8}" for figure, now, without in rows))
    dear = [figure for figure, now, without in rows if now > without * (1 + STEPS_MAY_COST)]
    if dear:
        print(f"\nCounting takes more than {STEPS_MAY_COST:.0%}: " + ", ".join(dear))
    return 1 if dear else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.house.counts", description="How many instructions the engine needs.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these: " + ", ".join(f"`{name}`" for name in GAMES))
    parser.add_argument("--renew", action="store_true", help="write the figures down")
    parser.add_argument("--of", type=Path, default=HOUSE, metavar="CHECKOUT", help="count what stands in another checkout")
    parser.add_argument("--steps", action="store_true", help="what it costs that the steps of rules are counted")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.names)
        return 0
    known_names = list(BENCHED if given.steps else GAMES)
    if unknown := [name for name in given.names if name not in known_names]:
        parser.error(f"nothing is called `{unknown[0]}`; there are: {', '.join(known_names)}")
    if shutil.which("valgrind") is None:
        print("make count needs valgrind (on Debian: apt install valgrind)", file=sys.stderr)
        return 2
    if given.steps:
        return told_of_steps(given.names or known_names, given.of.resolve())
    known = COUNTS.read_text(encoding="utf-8") if COUNTS.is_file() else ""
    before, on = remembered(known), machine()
    counts = count(given.names or list(GAMES), given.of.resolve())
    print("\n".join(report(counts, before)))
    if given.renew:
        COUNTS.write_text(written_down({**before, **counts} if given.names else counts, on), encoding="utf-8")
        return 0
    if on not in known:
        print(f"\nThe file was made elsewhere; the figures hang on that a little. Here: {on}")
    more = grown(counts, before)
    if more:
        print(f"\nMore than {ALLOWED:.0%} more: " + ", ".join(more))
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
