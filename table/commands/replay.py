"""`ichiba replay FILE`: a saved game from its beginning, at once, step by step, or only checked."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from ichiba.table import arguments
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ichiba.interpreter.run.table import Table
    from ichiba.table.scene.telling.story import Item

HELP = "a saved game again: at once, step by step, or checked"
EXAMPLES = (
    "ichiba replay last",
    "ichiba replay friday.json --step          Enter goes on, b goes back, q leaves",
    "ichiba replay friday.json --seat 2        what seat 2 knew",
    "ichiba replay friday.json --check         does it still lead to where it was saved?",
    "ichiba replay friday.json --upgrade       the rules have changed: keep as much of the game as can be played with them",
    "ichiba replay friday.json --format json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a saved game: a file, a kept game's name, or `last`")
    parser.add_argument("--step", action="store_true", help="stop after each answer and show the table")
    parser.add_argument(
        "--check", action="store_true", help="only say whether the game leads to the position it was saved in"
    )
    parser.add_argument(
        "--upgrade",
        action="store_true",
        help="play the answers again with the rules as they are now, and keep as many as can be given as a game of its own",
    )
    parser.add_argument("--out", metavar="FILE", help="where --upgrade keeps it (default: beside the old one)")
    parser.add_argument("--force", action="store_true", help="--upgrade writes over a file that is there")
    parser.add_argument(
        "--seat",
        metavar="N",
        type=arguments.whole,
        help="what this seat knew (default: everything when the game is over, else what everybody may see)",
    )
    parser.add_argument("--plain", action="store_true", help="no colours, no frames, one thing on each line")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: the log as programs read it")


def run(args: argparse.Namespace) -> int:
    from ichiba.interpreter.api import resume
    from ichiba.table import saves

    path = saves.find(args.file)
    if args.upgrade:
        print(_upgraded(path, args))
        return 0
    if args.out or args.force:
        raise Refusal("ichiba replay: --out and --force go with --upgrade")
    table = resume(path)
    if args.seat is not None and args.seat > table.game.seats:
        raise Refusal(f"ichiba replay: --seat {args.seat}: there are {table.game.seats} seats")
    if args.check:
        print(_checked(path, table))
    elif args.format == "json":
        items = table.log if args.seat is None and table.over else table.view(args.seat)["log"]
        print(json.dumps(items, ensure_ascii=False, indent=1))
    elif args.step:
        return _step(table, args, saves.broken(path))
    else:
        _tell(table, args, saves.broken(path))
    return 0


def _upgraded(path: Path, args: argparse.Namespace) -> str:
    """What can be kept of a game whose rules have changed becomes a game of its own; the old one stays."""
    from pathlib import Path

    from ichiba.dsl.faults.fault import echoed
    from ichiba.interpreter.api import load
    from ichiba.interpreter.saves.records import play_again_with_todays_rules
    from ichiba.table import saves

    again = play_again_with_todays_rules(path, load)
    if again.same:
        return f"{echoed(path.name)}: it goes on as it is ({again.whole} answers)"
    new = Path(args.out) if args.out else path.with_name(f"{path.stem}-upgraded{saves.SUFFIX}")
    if new.exists() and not args.force:
        raise Refusal(f"ichiba replay: {new} is there already: say --out FILE for another, or --force to write over it")
    saves.write(again.table, new, saves.bots_in(path))
    return f"{echoed(path.name)}: {again.given} of {again.whole} answers are kept in {echoed(new.name)}, a game of its own: {again.words}"


def _checked(path: Path, table: Table) -> str:
    from ichiba.dsl.faults.fault import echoed
    from ichiba.table import saves

    how = saves.broken(path) or (
        "over" + (f", {table.ending}" if table.ending and table.ending != "end" else "")
        if table.over
        else "still going on"
    )
    played = f"{table.game.name}, {len(table.history)} answers, {len(table.log)} events"
    return f"{echoed(path.name)}: {played}; it leads to the position it was saved in ({how})"


def _tell(table: Table, args: argparse.Namespace, broken: str) -> None:
    from ichiba.table.scene.telling.story import Story, lines
    from ichiba.table.terminal.screen import Screen

    screen = Screen(args.plain)
    items = Story(table).items(args.seat, everything=(table.over or bool(broken)) and args.seat is None)
    count = _counted(items)
    for line in lines(table.game, items):
        screen.say(f"{count[line.first]:>4}  {line.words}", indent=6)
    if table.over:
        screen.say("      " + ", ".join(f"seat {seat} {score:,}" for seat, score in table.scores.items()))
    if broken:
        screen.say(f"      {broken}")


def _counted(items: Iterable[Item]) -> dict[int, int]:
    """The number of each event among those that are told: a gap would count what was hidden."""
    return {item["number"]: number for number, item in enumerate(items, 1)}


def _step(table: Table, args: argparse.Namespace, broken: str) -> int:
    """Walk through the game, forwards and backwards; one that broke off is opened where it did."""
    from ichiba.dsl.faults.fault import Faults
    from ichiba.interpreter.saves.records import replayed
    from ichiba.interpreter.sight.figures import Figures
    from ichiba.interpreter.sight.views import view_of
    from ichiba.table.scene.look import look_of
    from ichiba.table.scene.scene import Director
    from ichiba.table.scene.sections import Flat
    from ichiba.table.scene.telling.story import Story, lines
    from ichiba.table.terminal.screen import Screen

    screen, game = Screen(args.plain), table.game
    look = look_of(game, Faults())
    director, story = Director(game, look, not screen.plain), Story(table)
    everything = (table.over or bool(broken)) and args.seat is None
    items = story.items(args.seat, everything)
    count = _counted(items)
    total = len(table.history)
    at = total if broken else 0
    before: Flat | None = None
    while True:
        past = story.happened_since(at - 1) if at else 0
        until = story.happened_since(at) if at < total else items[-1]["number"] if items else 0
        screen.heading(f"{at} of {total}")
        for line in lines(game, [item for item in items if past < item["number"] <= until]):
            screen.say(f"{count[line.first]:>4}  {line.words}", indent=6)
        now = replayed(table, table.history[:at])
        scene = director.scene(view_of(now, args.seat, log=False), before, figures=Figures(now, args.seat))
        for section in scene.sections:
            screen.section(section)
        before = scene.flat
        if broken and at == total:
            screen.say(broken)
        try:
            word = screen.ask("Enter: on, b: back, a number: go there, q: leave> ").lower()
        except EOFError:
            print()
            return 0
        if word in ("q", "quit") or not word and at == total:
            return 0
        if word.isdigit():
            at = min(int(word), total)
        else:
            at = max(0, at - 1) if word in ("b", "back") else min(total, at + 1)
