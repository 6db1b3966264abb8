"""`ichiba play GAME`: sit down to a game at the terminal."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING

from ichiba.table import arguments
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from pathlib import Path

    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

HELP = "sit down to a game: people at one terminal, and bots"
EXAMPLES = (
    "ichiba play my_game                         you at seat 1, bots everywhere else",
    "ichiba play my_game --seats 4 --bots 2      two people and two bots",
    "ichiba play my_game --seats 3 --bots 0      three people at one terminal",
    "ichiba play my_game --bots sensible,random  bots that follow these policies",
    "ichiba play my_game --with expansion --variant short --set city=osaka --seed 7",
    "ichiba play my_game --config first_game     as its author has set it up for a first game",
    "ichiba play --config ./friday.yaml          as a file says, which names the game too",
    "ichiba play --resume last                   go on with the game you left",
    "ichiba play my_game --watch                 while you write its rules: play goes on with what you have saved",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    arguments.add_setting(parser)
    parser.add_argument(
        "--bots",
        metavar="K|NAMES",
        help="how many seats bots take, or who they are: a,b for the last two, a alone for all but seat 1 "
        "(default: all but seat 1)",
    )
    parser.add_argument(
        "--seed",
        type=arguments.seed,
        help="the same seed and the same answers make the same game (default: a random one)",
    )
    parser.add_argument(
        "--resume", metavar="FILE", help="go on with a saved game: a file, a kept game's name, or `last`"
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help="when a file of the ruleset has changed, go on with the new rules, if it is the same game with them; else you are asked",
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help="no colours, no frames, one thing on each line: for screen readers and pipes",
    )


def run(args: argparse.Namespace) -> int:
    from ichiba.dsl.faults.fault import Faults
    from ichiba.table.scene.look import look_of
    from ichiba.table.terminal.renewing import Renewing
    from ichiba.table.terminal.screen import Screen
    from ichiba.table.terminal.session import Session

    if args.resume:
        table, bots, path = _resumed(args)
    else:
        game = arguments.setting(args).load()
        bots, path = seated(game, args.bots), None
        table = game.start(args.seed)
    _edit_lines()
    faults = Faults()
    look = look_of(table.game, faults)
    faults.raise_if_errors()
    screen = Screen(args.plain)
    renewing = Renewing(table.game, bots, screen) if args.watch else None
    return Session(table, bots, screen, look, path, renewing, wished=args.bots is not None).run()


def seated(game: Game, words: str | None) -> dict[int, str]:
    """Which seats bots take, and which policy each follows: the ruleset's first one unless something is said."""
    from ichiba.lab.policies import policies, policy

    usual = policies(game)[0]
    if words is None and game.configuration is not None and game.configuration.bots is not None:
        return bots_of(game)
    if words is None:
        names = [usual] * (game.seats - 1)
    elif words.strip().lstrip("-").isdigit():
        if not 0 <= int(words) <= game.seats:
            raise Refusal(f"ichiba play: --bots {words}: there are {game.seats} seats")
        names = [usual] * int(words)
    else:
        names = list(filter(None, (name.strip() for name in words.split(","))))
        if len(names) == 1 and "," not in words:
            names *= max(1, game.seats - 1)
        if len(names) > game.seats:
            raise Refusal(f"ichiba play: --bots {words}: these are {len(names)} bots for {game.seats} seats")
    for name in names:
        policy(game, name, "")
    first = game.seats - len(names) + 1
    return {first + number: name for number, name in enumerate(names)}


def bots_of(game: Game) -> dict[int, str]:
    """Who sits where, as the configuration of a game says."""
    from ichiba.lab.policies import policy

    assert game.configuration is not None
    found = game.configuration.policies(game.seats)
    for name in found.values():
        policy(game, name, "")
    return found


def _resumed(args: argparse.Namespace) -> tuple[Table, dict[int, str], Path]:
    from ichiba.interpreter.api import resume
    from ichiba.table import saves

    settings = {
        "seats": args.seats, "seed": args.seed, "with": args.modules, "variant": args.variants, "set": args.options,
        "assume": args.assumptions, "config": args.config,
    }  # fmt: skip
    given = [f"--{name}" for name, value in settings.items() if value not in (None, [])]
    if given:
        raise Refusal(f"ichiba play: a saved game has its own settings; leave out {', '.join(given)}")
    path = saves.find(args.resume)
    table = resume(path)
    if args.game is not None and args.game != table.game.name:
        raise Refusal(f"ichiba play: {path} is a game of {table.game.name}, not of {args.game}")
    if saves.rules_have_changed(path, table):
        print("The rules have changed since. With them it is the same game so far.")
    return table, seated(table.game, args.bots) if args.bots is not None else saves.bots_in(path), path


def _edit_lines() -> None:
    """Arrow keys and earlier lines, where the system offers them."""
    import sys

    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401
