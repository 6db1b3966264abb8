"""`ichiba games`: what there is to play."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.table.scene.cards import Card

HELP = "list the games there are, with seats, modules and variants"
EXAMPLES = (
    "ichiba games",
    "ichiba games ~/my_rulesets        those in a folder of yours",
    "ichiba games --format json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        help="a folder that holds rulesets (default: those of Ichiba and of installed packages)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people, or for programs")


def run(args: argparse.Namespace) -> int:
    from ichiba.interpreter.api import rulesets
    from ichiba.table.scene.cards import cards

    found = cards((place.name, place) for place in _inside(args.path)) if args.path else cards(rulesets().items())
    if args.format == "json":
        print(json.dumps([card.as_json() for card in found], ensure_ascii=False, indent=1))
    else:
        print_cards(found)
    return 0


def _inside(path: str) -> list[Path]:
    folder = Path(path)
    if not folder.is_dir():
        raise Refusal(f"ichiba games: there is no folder {path}")
    found = [folder] if (folder / "game.yaml").is_file() else sorted(p.parent for p in folder.glob("*/game.yaml"))
    if not found:
        raise Refusal(f"ichiba games: no ruleset lies in {path} (a ruleset is a folder with a game.yaml)")
    return [place.resolve() for place in found]


def print_cards(found: list[Card]) -> None:
    """One line for each game; on a terminal, long lines go on below themselves."""
    name = max(len(card.name) for card in found)
    seats = max(len(_seats(card)) for card in found)
    for card in found:
        parts = [card.line]
        parts += [
            f"{what}: {', '.join(names)}"
            for what, names in (("modules", card.modules), ("variants", card.variants), ("set up as", card.presets), ("shows", card.shows))
            if names
        ]
        line = f"{card.name:<{name}}  {_seats(card):<{seats}}  {' · '.join(filter(None, parts))}"
        if sys.stdout.isatty():
            width = shutil.get_terminal_size().columns
            line = textwrap.fill(
                line, max(width, 60), subsequent_indent=" " * (name + seats + 4), break_on_hyphens=False
            )
        print(line.rstrip())


def _seats(card: Card) -> str:
    if not card.seats:
        return "broken: `ichiba check` says why"
    return f"{card.seats} seat" + ("" if card.seats == "1" else "s")
