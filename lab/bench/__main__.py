"""How fast the engine is, beside other engines, measured in one run on one core:

    python -m ichiba.lab.bench [--quick] [--python] [--seats N] [--with MODULE] [--set OPTION=VALUE] [NAME ...]

Whole games of uniformly random answers, with the options made at every decision, set-up and scoring included.
Only processor time counts. Every line is measured several times, the lines taking turns, so that a
disturbance does not fall on one of them; the table shows medians, and the slowest and fastest repetition. A
decision has at least two options; what is forced is done, but not counted. Games whose ruleset names a policy
are also played as that plays them. In a checkout the hand-written games of `tests/` are measured too, one of them in C.
With a module switched on, each game that has it is measured with it and without. Where there is a C compiler, each
game is measured in machine code too: stepped from Python, many tables at once, and whole games in one call.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence

from ichiba.interpreter.api import rulesets
from ichiba.lab.bench.drivers import Ours
from ichiba.lab.bench.lines import checkout, lines_for
from ichiba.lab.bench.measuring import QUICK, USUAL, Failing, loading, measure
from ichiba.lab.bench.telling import EXPLAINED, report, report_loading


def one_core() -> str:
    """Keep to one core where the system lets us."""
    if not hasattr(os, "sched_setaffinity"):
        return "not held to one core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"core {core}"


def main(arguments: Sequence[str] | None = None) -> int:
    about = "How fast the engine is, beside other engines."
    parser = argparse.ArgumentParser(prog="python -m ichiba.lab.bench", description=about)
    parser.add_argument("names", nargs="*", metavar="NAME", help="rulesets; without any, all of them")
    parser.add_argument("--quick", action="store_true", help="measure less")
    parser.add_argument("--python", action="store_true", help="leave machine code out")
    parser.add_argument("--with", dest="modules", metavar="MODULE", action="append", default=[], help="measure with it too")
    parser.add_argument(
        "--set", dest="options", metavar="OPTION=VALUE", action="append", default=[],
        help="choose an option; of a module: `expansion.with_boards=false`; a list: `fish=eel,tuna`",
    )  # fmt: skip
    parser.add_argument("--seats", metavar="N", type=int, action="append", default=[], help="for so many; else fewest and most")
    chosen = parser.parse_args(arguments)
    effort = QUICK if chosen.quick else USUAL
    unknown = [name for name in chosen.names if name not in rulesets()]
    if unknown:
        parser.error(f"there is no ruleset {unknown[0]}; there are: {', '.join(rulesets())}")
    marks = checkout()
    faults = [] if marks else ["what only a checkout has: games by hand, and our games in OpenSpiel"]
    options = dict(_option(parser, text) for text in chosen.options)
    native = not chosen.python
    lines = lines_for(chosen.names or list(rulesets()), marks, faults, chosen.modules, options, native, chosen.seats)
    machine = f"Python {platform.python_version()}, {platform.machine()}, {one_core()}"
    print(f"{machine}, {effort.repetitions} repetitions of {effort.seconds} s\n")
    measure(lines, effort, _tell)
    _tell("loading")
    print("\n".join([*report(lines), "", EXPLAINED, ""]))
    found = []
    for line in lines:
        if type(line.driver) is Ours and line.what == line.ruleset:
            with Failing(line):
                found.append(loading(line.ruleset, line.driver.game.seats, effort.loads, native))
    faults += [f"{line.what}: {line.fault}" for line in lines if line.fault]
    _tell("")
    print("\n".join(report_loading(found)))
    if faults:
        print("\nNot measured: " + "; ".join(faults))
    return 0


def _option(parser: argparse.ArgumentParser, text: str) -> tuple[str, object]:
    name, sign, value = text.partition("=")
    if not sign:
        parser.error(f"--set {text}: it is written OPTION=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:  # a word, or several
        return name, value.split(",") if "," in value else value


def _tell(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
