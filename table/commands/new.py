"""`ichiba new`: files to start from. They check, test and play at once, and nothing that is there is written over."""

from __future__ import annotations

import argparse
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ichiba.table.refusal import Refusal

HELP = "make a file, or a whole game, to start from"
EXAMPLES = (
    "ichiba new game bazaar                          a small game of its own, in the folder bazaar",
    "ichiba new game ferries --map                   one on a map; also --cards, --grid, --bare",
    "ichiba new board spice_stall --in bazaar        a board of it",
    "ichiba new board eel_market --of fish_market    of this kind, where the game has several",
    "ichiba new scenario dearer --in bazaar          something that must hold",
    "ichiba new scenario wet --in bazaar/modules/rain    in a module, which it switches on",
    "ichiba new variant short --in bazaar            a small change of the rules",
    "ichiba new module rain --in bazaar              a folder with boards and rules of its own",
    "ichiba new module tides --for other_game        one in a folder of its own, for somebody else's game",
)
LIKE = {
    "bare": "the least there is, one question each turn",
    "cards": "hands, a deck, cards laid in secret",
    "map": "towns and roads with costs, out of a map file",
    "grid": "places in rows and columns, and what hangs together",
}
KINDS = ("game", "board", "scenario", "variant", "module")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=KINDS, metavar="WHAT", help="game, board, scenario, variant or module")
    parser.add_argument("name", metavar="NAME", help="its name: small letters, digits and _")
    parser.add_argument("--in", dest="place", metavar="RULESET", default=".",
                        help="the ruleset's folder or name, or the folder of one of its modules (default: that of this folder)")  # fmt: skip
    like = parser.add_mutually_exclusive_group()
    for word, about in LIKE.items():
        like.add_argument(f"--{word}", dest="like", action="store_const", const=word, help=f"of a game: {about}")
    parser.add_argument("--for", dest="game", metavar="GAME",
                        help="of a module: the game it is for; it gets a folder of its own, and that game is left as it is")  # fmt: skip
    parser.add_argument("--of", dest="kind", metavar="KIND", help="of a board: its kind")


def run(args: argparse.Namespace) -> int:
    from ichiba.interpreter.api import folder_of
    from ichiba.interpreter.strangers import door
    from ichiba.table.templates.templates import board, game, home_of_schemas, module, scenario, variant
    from ichiba.validator.schema.schema import FOLDER, schemas, write

    _judge_name(args.what, args.name)
    if args.kind is not None and args.what != "board":
        raise Refusal(f"ichiba new: a {args.what} is of no kind; `--of` is for boards")
    if args.like is not None and args.what != "game":
        raise Refusal(f"ichiba new: `--{args.like}` is for games")
    if args.game is not None and args.what != "module":
        raise Refusal(f"ichiba new: `--for` is for modules in folders of their own; a {args.what} lies `--in` its ruleset")
    if args.what == "game":
        home = part = Path(args.place) / args.name
        made = game(home, args.name, args.like)
    elif args.game is not None:
        home, part = folder_of(args.game), Path(args.place).resolve() / args.name
        made = module(home, part, args.name)
    else:
        home, part = _home(args.place)
        door.look_over(dict.fromkeys((home, part)))  # nothing is written where a stranger's links lead
        match args.what:
            case "board":
                made = board(home, part, args.name, args.kind)
            case "scenario":
                made = scenario(home, part, args.name)
            case "variant":
                made = variant(home, args.name)
            case _:
                made = module(home, home / "modules" / args.name, args.name)
    root = home_of_schemas(home, part)
    with _all_or_none(made) as written:
        _write(made, written)
        write(door.read(home, schemas, home), root / FOLDER)
    _tell(made, root, home)
    return 0


def _judge_name(what: str, name: str) -> None:
    from ichiba.dsl.syntax.parse import reserved_words

    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise Refusal(f"ichiba new: `{name}` is no name: names are written in small letters, digits and _, and begin with a letter")
    if what != "scenario" and name in reserved_words():
        raise Refusal(f"ichiba new: `{name}` is a word of the rule language; choose another name")


def _home(place: str) -> tuple[Path, Path]:
    """The ruleset, and the part of it (itself or a module) that this folder is in; a ruleset also by its name."""
    from ichiba.dsl.faults.fault import nearest
    from ichiba.interpreter.api import module_and_game, rulesets
    from ichiba.interpreter.elsewhere import home_of_module

    here = Path(place).resolve()
    if not here.is_dir():
        known = rulesets()
        if place not in known:
            hint = nearest(place, known)
            raise Refusal(f"ichiba new: there is no folder {place}, and no ruleset of that name" + (f"; did you mean `{hint}`?" if hint else ""))
        here = known[place]
    for folder in (here, *here.parents):
        if (folder / "game.yaml").is_file():
            parts = [p for p in (here, *here.parents) if (p / "module.yaml").is_file() and folder in p.parents]
            return folder, parts[0] if parts else folder
    away = home_of_module(here)
    if away is not None:
        return module_and_game(away)[0], away
    raise Refusal(f"ichiba new: no ruleset lies in {place}, nor does it belong to one; `--in` says where it is, `ichiba new game` makes one")


@contextmanager
def _all_or_none(files: dict[Path, str]) -> Iterator[list[Path]]:
    """What was written is taken away again when the rest cannot be, as on a full disk."""
    there = [path for path in files if path.exists()]
    if there:
        raise Refusal(f"ichiba new: {_near(there[0])} is there already; nothing was written")
    folders = {folder for path in files for folder in path.parents if not folder.exists()}
    written: list[Path] = []
    try:
        yield written
    except OSError:
        for path in written:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        for folder in sorted(folders):
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _write(files: dict[Path, str], written: list[Path]) -> None:
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x", encoding="utf-8") as file:
                written.append(path)
                file.write(text)
        except OSError as fault:
            fault.filename = str(path)
            raise


def _tell(files: dict[Path, str], made: Path, home: Path) -> None:
    for path in files:
        print(f"made {_near(path)}")
    place = _near(made)
    print(f"\nichiba check {place}    says whether everything is in order\nichiba test {place}     runs its scenarios")
    play = f"ichiba play {place} --bots 1" if made == home else f"ichiba play {home.name} --with ./{place}"
    print(f"{play}    plays it")


def _near(path: Path) -> str:
    """As one would write it from here."""
    near = os.path.relpath(path)
    return near if not near.startswith("..") else str(path)
