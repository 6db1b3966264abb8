"""`ichiba check`: every fault of a ruleset, before anybody plays it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ichiba.dsl.yaml.memory import Memory
    from ichiba.table.checking import Checked, Way

HELP = "find every fault of a ruleset, in every way to set it up"
EXAMPLES = (
    "ichiba check my_game",
    "ichiba check rulesets/my_game/boards/new_board.yaml    the ruleset it belongs to",
    "ichiba check rulesets                                  all that lie in a folder",
    "ichiba check ./my_module                               a module in a folder of its own, with the game it is for",
    "ichiba check my_game --fix                             write the repairs that are certain",
    "ichiba check my_game --watch                           again whenever you save a file, until Ctrl-C",
    "ichiba check my_game --format sarif > my_game.sarif    for editors and code review",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "places",
        metavar="PATH_OR_GAME",
        nargs="+",
        help="a game's name, a ruleset's folder, a file of it, a folder of rulesets, or a module in a folder of its own",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif"),
        default="text",
        help="for people, programs, or editors and code review",
    )
    parser.add_argument("--fix", action="store_true", help="write the repairs that are certain into the files, and check again")
    parser.add_argument("--all", action="store_true", help="look at all ways to set it up, however many there are (usually at 40)")
    parser.add_argument("--quick", action="store_true", help="with the fewest seats only")
    parser.add_argument("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")


def run(args: argparse.Namespace) -> int:
    """0 when there are no errors (warnings may be), 1 when there are."""
    from ichiba.dsl.files.garbage import unhurried
    from ichiba.dsl.yaml.memory import Memory
    from ichiba.table.arguments import rulesets_at
    from ichiba.table.refusal import Refusal

    if args.watch and (args.fix or args.format != "text"):
        raise Refusal("ichiba check: --watch tells people what is wrong, and changes nothing: it goes without --fix and --format")
    unhurried()
    wanted = list(dict.fromkeys(one for place in args.places for one in rulesets_at(place)))
    if args.watch:
        memory = Memory()
        _watch(wanted, lambda: _once(args, wanted, memory))
    return _once(args, wanted)


def _once(args: argparse.Namespace, wanted: list[tuple[Path, tuple[Path, ...]]], memory: Memory | None = None) -> int:
    from ichiba.table.checking import USUAL_WAYS, check

    found = [
        _repaired(folder, args.quick, more) if args.fix
        else check(folder, args.quick, tell=_told(), memory=memory, elsewhere=more, most=None if args.all else USUAL_WAYS)
        for folder, more in wanted
    ]
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    errors = any(fault.severity == "error" for checked in found for fault in checked.faults)
    _FORMATS[args.format](found)
    return 1 if errors else 0


def _watch(wanted: list[tuple[Path, tuple[Path, ...]]], look: Callable[[], int]) -> NoReturn:
    """Whenever a file is saved, what is wrong now; Ctrl-C ends it."""
    from ichiba.table.watching import Watching

    watching = Watching(dict.fromkeys(place for folder, more in wanted for place in (folder, *more)))
    while True:
        look()
        print("\nwatching; Ctrl-C ends it", flush=True)
        changed = watching.wait()
        if sys.stdout.isatty():
            print("\x1b[2J\x1b[H", end="")
        print(f"changed: {', '.join(changed[:5])}{' and more' if len(changed) > 5 else ''}\n")


def _repaired(folder: Path, quick: bool, elsewhere: tuple[Path, ...]) -> Checked:
    """What is wrong when all is repaired that can be for certain; what was repaired is told, beside what is for programs."""
    from ichiba.table.repairing import repair, tell_repaired

    checked, places = repair(folder, quick, elsewhere)
    tell_repaired(places)
    return checked


def _told() -> Callable[[Way], None] | None:
    """Where somebody watches, what is being looked at."""

    def tell(way: Way) -> None:
        print(f"\r\x1b[Kchecking {way.folder.name}: {way}"[:100], end="", file=sys.stderr, flush=True)

    return tell if sys.stderr.isatty() else None


def _text(found: list[Checked]) -> None:
    from ichiba.dsl.faults.fault import render_all

    faults = [fault for checked in found for fault in checked.faults]
    if faults:
        held = sum(checked.held for checked in found)
        print(render_all(faults, held=held, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
        if certain := sum(bool(fault.repair) for fault in faults):
            print(f"{certain} of them can be repaired for certain: `ichiba check --fix`")
        print()
    for checked in found:
        print(f"checked {checked.words}")
    if not faults:
        print(f"{len(found)} ruleset{'s' if len(found) > 1 else ''}, no faults")


def _json(found: list[Checked]) -> None:
    from ichiba.dsl.faults.fault import to_json

    faults = [fault for checked in found for fault in checked.faults]
    checked = [
        {"ruleset": c.folder.name, **({"module": c.elsewhere[0].name} if c.elsewhere else {}),
         "seats": list(c.seats), "combinations": [list(names) for names in c.combinations],
         "configurations": list(c.presets), "ways": c.ways, "left out": c.left_out}
        for c in found
    ]  # fmt: skip
    print(json.dumps({"faults": to_json(faults), "checked": checked}, ensure_ascii=False, indent=1))


def _sarif(found: list[Checked]) -> None:
    from ichiba.dsl.faults.fault import to_sarif

    print(json.dumps(to_sarif(fault for checked in found for fault in checked.faults), ensure_ascii=False, indent=1))


_FORMATS = {"text": _text, "json": _json, "sarif": _sarif}
