"""`ichiba test`: a ruleset's scenarios, and what of its rules they reach."""

from __future__ import annotations

import argparse
import json

HELP = "run the scenarios of a ruleset, and see which of its rules they reach"
EXAMPLES = """\
ichiba test my_game
ichiba test my_game -k auction
ichiba test my_game --changed -x      while you write: what has not yet held as it stands, up to the first that fails
ichiba test my_game --fix             write the repairs that are certain into the scenarios
ichiba test my_game --coverage --playouts 100
ichiba test my_game/scenarios/auction.scenario.yaml --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="PATH_OR_GAME", help="a ruleset by name or folder, or a file of scenarios")
    parser.add_argument("-k", dest="only", metavar="WORDS", default="", help="only those with these words in the name")
    parser.add_argument("-x", dest="stop", action="store_true", help="stop at the first that fails")
    parser.add_argument("--changed", action="store_true", help="leave out what has held as it stands, with the rules as they stand")
    parser.add_argument("--fix", action="store_true", help="write the repairs that are certain into the scenarios, and play them again")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="how many processes share the scenarios (1)")
    parser.add_argument("--coverage", action="store_true", help="say which rules were reached, which conditions seen")
    parser.add_argument("--playouts", metavar="N", type=int, default=20, help="random games for each set-up (20)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to tell it")


def run(args: argparse.Namespace) -> int:
    """0 when all scenarios hold, 1 when one fails or cannot be read (the others are played)."""
    from ichiba.dsl.files.garbage import unhurried
    from ichiba.lab.coverage import cover
    from ichiba.lab.scenarios import run_scenarios
    from ichiba.table.refusal import Refusal
    from ichiba.table.repairing import repair_scenarios, tell_repaired
    from ichiba.table.testing import shared_by

    if args.jobs < 1:
        raise Refusal(f"ichiba test: {args.jobs} processes cannot share the scenarios; it takes 1 or more")
    if args.coverage and (args.stop or args.changed or args.jobs > 1):
        raise Refusal("ichiba test: what is reached is told of all scenarios, in one process: --coverage goes without -x, --changed and --jobs")
    if args.fix and (args.coverage or args.stop or args.changed or args.jobs > 1):
        raise Refusal("ichiba test: repairs are made in all scenarios, by one process: --fix goes without -x, --changed, --jobs and --coverage")
    unhurried()
    if args.fix:
        report, places = repair_scenarios(args.place, args.only)
        tell_repaired(places)
        tested, coverage = report, None
    elif args.coverage:
        tested, coverage = cover(args.place, args.only, args.playouts)
    else:
        report = run_scenarios(args.place, args.only, stop=args.stop, changed=args.changed, shared=shared_by(args.jobs))
        tested, coverage = report, None
    if args.format == "json":
        told = tested.as_json() | ({} if coverage is None else {"coverage": coverage.as_json()})
        print(json.dumps(told, indent=1, ensure_ascii=False))
    else:
        print(tested if coverage is None else f"{tested}\n\n{coverage}")
    return 0 if tested.holds else 1
