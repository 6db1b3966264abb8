"""`ichiba diff GAME --variant NAME`: what a module, a variant or a choice changes in play; or what a new version of a game does."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.table import arguments
from ichiba.table.output import add_force, write_all
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.table.rulebook.changes.differences import Part

HELP = "what a variant, a module or a new version changes in play"
EXAMPLES = (
    "ichiba diff my_game --variant short                  what the variant changes",
    "ichiba diff my_game --with expansion --out changed    with pictures of the boards that are others",
    "ichiba diff my_game --set quick=yes --seats 4",
    "ichiba diff old/my_game new/my_game                   two versions of a folder, set up alike",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    parser.add_argument("other", metavar="OTHER", nargs="?", help="another version of the game: then both are set up as is said")
    arguments.add_setting(parser)
    parser.add_argument("--out", metavar="DIR", help="the folder for pictures of boards that come, go or are others")
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    from ichiba.table.rulebook.changes.differences import differences

    one, other = (arguments.speaking(game, "diff") for game in _both(args))
    parts = differences(one, other)
    print(_written(parts) or "Nothing changes in play.")
    if args.out is not None:
        files = _pictures(one, other, Path(args.out))
        write_all(files, args.force, "diff")
        for path in files:
            print(path)
    return 0


def _both(args: argparse.Namespace) -> tuple[Game, Game]:
    """The game as it is without what was typed, and with it; or both versions as was typed."""
    wanted = arguments.setting(args)
    if args.other is not None:
        return wanted.load(), replace(wanted, game=args.other).load()
    plain = replace(wanted, modules=(), variants=(), options=(), assumptions=(), configuration=None)
    if (plain.modules, plain.variants, plain.options, plain.assumptions) == (wanted.modules, wanted.variants, wanted.options, wanted.assumptions):
        raise Refusal("ichiba diff: say what is switched on (--with, --variant, --set, --assume, --config), or name another version of the game")
    return plain.load(), wanted.load()


def _written(parts: list[Part]) -> str:
    lines: list[str] = []
    for part in parts:
        lines += ["", part.title] if lines else [part.title]
        for line in part.lines:
            lines += textwrap.wrap(line, 100, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False, break_long_words=False)
    return "\n".join(lines)


def _pictures(one: Game, other: Game, out: Path) -> dict[Path, bytes]:
    """`eel.before.svg` and `eel.after.svg`, whichever there is."""
    from ichiba.table.markup.writing import svg
    from ichiba.table.rulebook.changes.differences import cards_of, changed_boards
    from ichiba.table.svg.cards import board
    from ichiba.table.svg.drawing import picture

    files: dict[Path, bytes] = {}
    before, after = cards_of(one), cards_of(other)
    for name in changed_boards(one, other):
        for when, cards in (("before", before), ("after", after)):
            if name in cards:
                files[out / f"{name}.{when}.svg"] = svg(picture(board(cards[name]), f"{cards[name].title}, {when}")).encode()
    return files
