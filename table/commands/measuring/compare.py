"""`ichiba compare A B`: what changed between two runs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.table.output import add_force, write_all
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.lab.results.comparing import Comparison

HELP = "what changed between two runs, and how sure that is"
EXAMPLES = (
    "ichiba simulate my_game --games 2000 --seed 1 --out runs/base",
    "ichiba simulate my_game --games 2000 --seed 1 --variant short --out runs/short    the same seed: pair by pair",
    "ichiba compare runs/base runs/short                                                in words",
    "ichiba compare runs/base runs/short --out short.html                               as a page",
    "ichiba compare runs/base runs/short --format json                                  for programs",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", metavar="A", help="the folder of a run")
    parser.add_argument("after", metavar="B", help="the folder of another")
    parser.add_argument("--out", metavar="FILE", help="a page of HTML too")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what is printed (default: text)")
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    from ichiba.lab.results.comparing import compared
    from ichiba.lab.results.reading import NoResults
    from ichiba.table.markup.writing import html
    from ichiba.table.report.comparison import as_json, comparison
    from ichiba.table.report.run import read_run

    before, after = read_run(args.before, "compare"), read_run(args.after, "compare")
    try:
        found = compared(before.results, after.results, (before.courses, after.courses))
    except NoResults as fault:
        raise Refusal(f"ichiba compare: {args.before} and {args.after} cannot be compared: {fault}") from None
    if args.out:
        write_all({Path(args.out): html(comparison(before, after, found)).encode()}, args.force, "compare")
    if args.format == "json":
        print(json.dumps(as_json(found), indent=1))
    else:
        _told(found)
        if args.out:
            print(args.out)
    return 0


def _told(found: Comparison) -> None:
    from ichiba.table.report.comparison import HEADS, cells, how
    from ichiba.table.terminal.screen import Screen

    print(f"{how(found)}.")
    Screen().table(list(HEADS), [cells(effect) for effect in found.effects])
