"""`ichiba report DIR`: what a run says about the game, as one page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.table.output import add_force, write_all
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.table.report.beside import Beside
    from ichiba.table.report.run import Ran

HELP = "what many games say about a game, as one page that opens offline"
EXAMPLES = (
    "ichiba simulate my_game --games 2000 --out runs/base    first the games",
    "ichiba report runs/base                                 writes runs/base/report.html",
    "ichiba report runs/base --out base.html --force         somewhere else, in place of what is there",
    "ichiba report runs/dearer --beside runs/base            and what is different from how it was",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="DIR", help="the folder of a run, as `ichiba simulate --out` makes it")
    parser.add_argument("--out", metavar="FILE", help="where the page goes (default: report.html in that folder)")
    parser.add_argument(
        "--beside", metavar="DIR", help="another run of the game, such as the one before a change: the page begins with what is different"
    )
    parser.add_argument("--rules", metavar="FOLDER", help="where the rules lie, for titles and pictures (default: the game of that name)")
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    from ichiba.table.markup.writing import html
    from ichiba.table.report.page import report
    from ichiba.table.report.run import read_run

    ran = read_run(args.place, "report", args.rules)
    other = _beside(ran, args) if args.beside else None
    path = Path(args.out) if args.out else ran.store.rows.with_name("report.html")
    write_all({path: html(report(ran, other)).encode()}, args.force, "report")
    if not ran.courses.games:
        print("How the games went was not kept (--courses 0), so the page says nothing of boards and of the way to the end.")
    print(path)
    return 0


def _beside(ran: Ran, args: argparse.Namespace) -> Beside:
    from ichiba.lab.results.comparing import compared
    from ichiba.lab.results.reading import NoResults
    from ichiba.table.report.beside import Beside
    from ichiba.table.report.run import read_run

    before = read_run(args.beside, "report")
    try:
        found = compared(before.results, ran.results, (before.courses, ran.courses))
    except NoResults as fault:
        raise Refusal(f"ichiba report: {args.place} cannot stand beside {args.beside}: {fault}") from None
    return Beside(before, found)
