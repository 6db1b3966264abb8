"""`ichiba mutate`: rules changed a little, one change at a time, and which of them no scenario notices."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ichiba.table import arguments

if TYPE_CHECKING:
    from ichiba.lab.mutants.changes import Change
    from ichiba.lab.mutants.noticing import Copy, Outcome
    from ichiba.lab.scenario_files import Scenario

    Work = tuple[Change, list[Scenario]]

AHEAD = 4  # changes for each process, so that none waits for its next one
HELP = "change the rules a little, one change at a time: which changes no scenario notices"
EXAMPLES = """\
ichiba mutate my_game
ichiba mutate my_game --in modules/storm --most 300
ichiba mutate my_game --seed 7 --jobs 4 --format json
ichiba mutate my_game --least 95      fails when scenarios notice fewer than 95 of 100
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a name that `ichiba games` lists, or the path of a ruleset's folder")
    parser.add_argument("--in", dest="within", metavar="WORDS", default="", help="only in files with these words in their path")
    parser.add_argument("--most", metavar="N", type=arguments.whole, default=100, help="how many changes are made (100)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="which ones, where there are more (1)")
    parser.add_argument("--jobs", metavar="N", type=arguments.whole, default=1, help="how many processes share them (1)")
    parser.add_argument("--least", metavar="PERCENT", type=int, default=0, help="how many of 100 must be noticed (0)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to tell it")


def run(args: argparse.Namespace) -> int:
    """0, or 1 when fewer are noticed than must be; after Ctrl-C what was found until then is told."""
    from ichiba.interpreter.api import folder_of
    from ichiba.interpreter.strangers import door
    from ichiba.lab.mutants.noticing import Unready, chosen, courses_of, witnesses
    from ichiba.lab.mutants.told import Report
    from ichiba.table.refusal import STOPPED, Refusal
    from ichiba.table.simulation.progress import progress

    folder, code = folder_of(args.game).resolve(), 0
    changes, possible = door.read(folder, chosen, folder, args.within, args.most, args.seed)
    if not changes:
        where = f" in files with `{args.within}` in their path" if args.within else ""
        raise Refusal(f"ichiba mutate: {folder.name} has no rules{where} in which anything could be changed")
    found: list[Outcome] = []
    try:
        courses = courses_of(folder, changes)
        work = [(change, witnesses(change, courses)) for change in changes]
        with closing(_made(folder, work, args.jobs)) as coming, progress("changes", len(work)) as advance:
            for outcome in coming:
                found.append(outcome)
                advance(1)
    except Unready as reason:
        raise Refusal(f"ichiba mutate: {reason}") from None
    except KeyboardInterrupt:
        code = STOPPED
    report = Report(folder.name, found, len(changes), possible)
    print(json.dumps(report.as_json(), indent=1, ensure_ascii=False) if args.format == "json" else report)
    return code or int(report.share * 100 < args.least)


# ------------------------------------------------------------------------------------------------ by whom


@contextmanager
def _home(folder: Path) -> Iterator[Path]:
    """Where copies are made; who is trusted is trusted there, too."""
    from ichiba.interpreter.strangers import door

    said = os.environ.get("ICHIBA_TRUST")
    with TemporaryDirectory(prefix="ichiba-mutate-") as made:
        home = Path(made).resolve()
        if door.trusted(folder) and said != "1":
            os.environ["ICHIBA_TRUST"] = os.pathsep.join(filter(None, [said, str(home)]))
        try:
            yield home
        finally:
            os.environ.pop("ICHIBA_TRUST", None)
            if said is not None:
                os.environ["ICHIBA_TRUST"] = said


def _made(folder: Path, work: Sequence[Work], jobs: int) -> Generator[Outcome, None, None]:
    """What becomes of each change, in their order."""
    from ichiba.table.simulation.workers import Workers, told_of_death

    with _home(folder) as home:
        if jobs == 1:
            _begin(folder, home)
            yield from map(_outcome, work)
            return
        death = told_of_death("ichiba mutate", "the same command again makes the same changes (--jobs says how many share)")
        with death, Workers(min(jobs, len(work)), _begin, (folder, home)) as workers:
            yield from workers.in_order(_outcome, work, AHEAD * jobs)


_AT_WORK: list[Copy] = []  # what a process has: its own copy


def _begin(folder: Path, home: Path) -> None:
    from ichiba.dsl.files.garbage import unhurried
    from ichiba.lab.mutants.noticing import Copy

    unhurried()
    _AT_WORK[:] = [Copy(folder, home / str(os.getpid()))]


def _outcome(work: Work) -> Outcome:
    return _AT_WORK[0].outcome(*work)
