"""The front half of the house with one small fault in it at a time: would anybody notice?

`python -m tests.mutants.front_half` makes 200 of them, 25 of each sort, and writes down which nobody has noticed.
First all tests run once, and it is written down by which of the places of these faults each of them comes; then each
fault is made in a process of its own, where the tests that come by it run until one of them fails.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from tests.mutants.sites import HOUSE, Site, plant, sites_of, watch

FILES = (
    *(f"dsl/names/{name}.py" for name in ("merging", "compatible", "members", "sorts")),
    *sorted(f"dsl/meaning/{path.name}" for path in (HOUSE / "dsl" / "meaning").glob("[a-z]*.py")),
    *sorted(f"dsl/statements/{path.name}" for path in (HOUSE / "dsl" / "statements").glob("[a-z]*.py")),
    *(f"dsl/program/{name}.py" for name in ("watching", "hiding")),
    "dsl/world/kinds.py",
    *sorted(f"dsl/world/opening/{path.name}" for path in (HOUSE / "dsl" / "world" / "opening").glob("[a-z]*.py") if path.name != "context.py"),
    "interpreter/sight/views.py",
)
SORTS = {  # of faults: as many of each
    "another comparison": "comparison", "another sign": "comparison", "the other way round": "condition",
    "one more": "constant", "one less": "constant", "the other flag": "constant", "and for or": "and/or",
    "nothing is given back": "answer", "a neighbour is given back": "answer",
    "arguments in another order": "order", "left out": "statement", "first for last": "first/last",
}  # fmt: skip
TESTS = (
    *(
        "tests/reference",
        "tests/language",
        "tests/lab",
        "tests/properties/test_sight.py",
        "tests/properties/test_leaks.py",
    ),
    *(f"tests/validator/test_{name}.py" for name in ("codes_of_the_judge", "judge_pinned", "limits_in_play")),
    *(f"tests/validator/test_{name}.py" for name in ("new", "schema", "why_not")),
    "tests/table/test_assumptions.py",
    *(f"tests/games/test_{name}.py" for name in ("small_games", "library", "seen", "tsukiji", "shinjuku")),
    *(
        f"rulesets/{name}/scenarios"
        for name in ("no_thanks", "goofspiel", "leduc_poker", "liars_dice", "oshi_zumo", "tsukiji", "shinjuku")
    ),
)
SEED = 13
LONG = 6.0  # seconds that a test may take to be of any use here
FIRST = 40
MOST = 60  # seconds for the tests of one fault
SURVIVORS = Path(__file__).with_name("survivors.txt")
NOTICED, UNSEEN, NEVER_MADE, STUMBLED = 0, 10, 11, 12


def chosen(seed: int, of_each: int) -> list[Site]:
    """So many places of each sort of fault; which, hangs on their own words, so most stay when other lines change."""
    places: dict[str, list[Site]] = {}
    for path in FILES:
        for site in sites_of(path):
            places.setdefault(SORTS[site.what], []).append(site)

    def lot(site: Site) -> str:
        return sha256(f"{seed} {site}".encode()).hexdigest()

    return [site for sort in sorted(places) for site in sorted(places[sort], key=lot)[:of_each]]


# --------------------------------------------------------------------------------- what each test comes by


@dataclass(slots=True)
class Way:
    """How a test went when nothing was wrong: how long it took, and by which of the places it came."""

    seconds: float
    sound: bool
    places: set[str]


class TooLong(BaseException):
    """A test that takes too much time to be of any use here."""


def _too_long(number: int, frame: object) -> None:
    raise TooLong


def with_the_next(names: list[str]) -> Iterator[tuple[str, str | None]]:
    yield from zip(names, [*names[1:], None], strict=False)


def in_a_process_of_its_own(act: Callable[[], object]) -> None:
    """Nothing that goes wrong in a child may unwind into what its parent does after it."""
    try:
        act()
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
        os._exit(STUMBLED)
    os._exit(0)


class Runner:
    """Runs in pytest's place, once all tests are collected; `mutants` one after the other, or several at a time."""

    def __init__(self, sites: Iterable[Site], jobs: int, kept: Path | None = None, reached: int | None = None):
        self.sites, self.jobs, self.kept, self.reached = list(sites), jobs, kept, reached
        self.unseen: list[Site] = []
        self.noticed: dict[Site, str] = {}  # and by which test
        self.never_made: list[Site] = []
        self.kills: Counter[str] = Counter()
        self.ways: dict[str, Way] = {}
        self.by_file: dict[str, list[str]] = {}
        self.cpu = 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        for path in FILES:
            importlib.import_module("ichiba." + path.removesuffix(".py").replace("/", "."))
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        with tempfile.TemporaryDirectory() as folder:
            self._walk(self.kept or Path(folder) / "ways")
            self._spoil(Path(folder))
        return True

    # ------------------------------------------------------------------------------------------ a sound run

    def _walk(self, kept: Path) -> None:
        """All tests once, each file of them in one of so many processes."""
        self._read(kept)
        files: dict[str, list[str]] = {}
        for name in self.items:
            if name not in self.ways:
                files.setdefault(name.split("::")[0], []).append(name)
        shares: list[list[str]] = [[] for _ in range(self.jobs)]
        for names in sorted(files.values(), key=len, reverse=True):
            min(shares, key=len).extend(names)
        children = []
        for share in shares:
            child = os.fork()
            if not child:
                in_a_process_of_its_own(partial(self._walk_some, share, kept))
            children.append(child)
        for child in children:
            os.waitpid(child, 0)
        self._read(kept)
        self.by_file = {}
        for name in self.ways:
            self.by_file.setdefault(name.split("::")[0], []).append(name)
        lost = [name for name, way in self.ways.items() if not way.sound]
        print(f"\n{len(self.ways)} tests, {len(lost)} of no use here: {', '.join(lost[:9])}", flush=True)

    def _read(self, kept: Path) -> None:
        for text in kept.read_text().splitlines() if kept.exists() else ():
            name, seconds, sound, places = json.loads(text)
            if name in self.items:
                self.ways[name] = Way(seconds, sound, set(places))

    def _walk_some(self, names: list[str], kept: Path) -> None:
        come: set[str] = set()
        watch(self.sites, come.add)
        signal.signal(signal.SIGVTALRM, _too_long)
        with kept.open("a") as out:
            for name, following in with_the_next(names):
                come.clear()
                before = time.process_time()
                signal.setitimer(signal.ITIMER_VIRTUAL, LONG)
                sound = self._holds(name, following)
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                out.write(json.dumps([name, time.process_time() - before, sound, sorted(come)]) + "\n")
                out.flush()

    def _holds(self, name: str, following: str | None) -> bool:
        from _pytest.runner import runtestprotocol

        item = self.items[name]
        reports = runtestprotocol(item, log=False, nextitem=self.items[following] if following else None)
        return not any(report.failed for report in reports)

    # ------------------------------------------------------------------------------------------ one fault each

    def _spoil(self, folder: Path) -> None:
        running: dict[int, Site] = {}
        waiting = list(self.sites)
        if self.reached is not None:
            waiting = sorted(waiting, key=lambda site: -len(self.aimed(site)))[: self.reached]
        while waiting or running:
            while waiting and len(running) < self.jobs:
                site = waiting.pop(0)
                child = os.fork()
                if not child:
                    in_a_process_of_its_own(partial(self._try, site, folder))
                running[child] = site
            child, status, used = os.wait3(0)
            self.cpu += used.ru_utime + used.ru_stime
            self._judge(running.pop(child), status, folder / str(child))

    def _judge(self, site: Site, status: int, place: Path) -> None:
        told = place.read_text().splitlines() if place.exists() else []
        place.unlink(missing_ok=True)
        code = os.waitstatus_to_exitcode(status)
        assert code != STUMBLED, f"not the fault but its maker has stumbled: {site}"
        if code == UNSEEN:
            self.unseen.append(site)
        elif code == NEVER_MADE:
            self.never_made.append(site)
        else:  # also one that has run in circles, or died
            self.noticed[site] = told[-1] if told else "as soon as it was made"
            self.kills[self.noticed[site]] += 1
        word = {UNSEEN: "UNSEEN", NEVER_MADE: "not made", NOTICED: "noticed"}.get(code, f"noticed ({code})")
        print(f"{word:12} {site.line:4} {site} | {len(told)} tests, {told[-1] if told else ''}", flush=True)

    def aimed(self, site: Site) -> list[str]:
        """The tests that come by it, the likeliest first; then file by file what shares a game with one of them.

        A game that is kept for the tests of a file is read by the first of them only, and tried by all."""
        by = [name for name, way in self.ways.items() if way.sound and str(site) in way.places]
        by.sort(key=lambda name: self.ways[name].seconds / (1 + self.kills[name]))
        first = set(by[:FIRST])
        files = dict.fromkeys(name.split("::")[0] for name in by)
        rest = {file: [n for n in self.by_file[file] if n not in first and self.ways[n].sound] for file in files}
        shares = sorted(rest.values(), key=lambda names: sum(self.ways[name].seconds for name in names))
        return by[:FIRST] + [name for names in shares for name in names]

    def _try(self, site: Site, folder: Path) -> None:
        """In a process of its own: make the fault, and run the tests it could be noticed by."""
        names = self.aimed(site)
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        sys.setrecursionlimit(3000)
        if not plant(site):
            os._exit(NEVER_MADE)
        spent = 0.0
        with (folder / str(os.getpid())).open("w") as out:
            for name, following in with_the_next(names):
                seconds = self.ways[name].seconds
                spent += seconds
                if spent > MOST:
                    break
                out.write(name + "\n")
                out.flush()
                limit = int(time.process_time() + 10 + 10 * seconds)
                resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
                if not self._holds(name, following):
                    os._exit(NOTICED)
        os._exit(UNSEEN)


def run(runner: Runner, tests: Iterable[str]) -> None:
    """Make these faults, and see whether these tests notice them."""
    os.environ |= {"ICHIBA_CACHE": "off", "ICHIBA_TRUST": "1"}  # nothing kept, nothing in another process
    there = [test for test in tests if (HOUSE / test.split("::")[0]).exists()]
    pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *there], plugins=[runner])


# ------------------------------------------------------------------------------------------- the list of survivors


def listed() -> dict[str, list[str]]:
    """The list as it stands: by reason, the faults that nobody notices for it."""
    groups: dict[str, list[str]] = {}
    for line in SURVIVORS.read_text(encoding="utf-8").splitlines() if SURVIVORS.exists() else ():
        if line.startswith("# "):
            groups[line.removeprefix("# ")] = []
        elif line:
            groups[list(groups)[-1]].append(line)
    return groups


def written(unseen: Iterable[Site]) -> Iterator[str]:
    """The list anew: what was explained stays where it was, what is new has no reason yet."""
    known = {entry: why for why, entries in listed().items() for entry in entries}
    groups: dict[str, list[str]] = {}
    for site in unseen:
        groups.setdefault(known.get(str(site), "NO REASON KNOWN"), []).append(str(site))
    for why in sorted(groups):
        yield f"# {why}\n" + "".join(f"{entry}\n" for entry in sorted(groups[why]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--of-each", type=int, default=25, help="so many of each sort")
    parser.add_argument("--reached", type=int, help="of these only so many: those that most tests come by")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="faults with these words in their names")
    parser.add_argument("--ways", type=Path, help="where to keep by which places each test comes, for another run")
    parser.add_argument("--report", type=Path, help="write down here what was noticed, and leave the list alone")
    parser.add_argument("tests", nargs="*", default=TESTS)
    given = parser.parse_args()
    sites = [site for site in chosen(given.seed, given.of_each) if given.only in str(site)]
    runner = Runner(sites, given.jobs, given.ways, given.reached)
    run(runner, given.tests)
    made = len(runner.noticed) + len(runner.unseen)
    print(f"{len(runner.noticed)} of {made} noticed; {len(runner.never_made)} never made; {runner.cpu:.0f} s of CPU")
    if given.report is not None:
        told = {
            "noticed": {str(site): test for site, test in runner.noticed.items()},
            "unseen": [*map(str, runner.unseen)],
        }
        given.report.write_text(json.dumps(told, indent=1), encoding="utf-8")
    elif not given.only and given.reached is None:
        SURVIVORS.write_text("\n".join(written(runner.unseen)), encoding="utf-8")


if __name__ == "__main__":
    main()
