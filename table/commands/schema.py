"""`ichiba schema`: JSON Schemas of a ruleset's files, so that an editor completes and checks them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ichiba.table.refusal import Refusal

HELP = "write JSON Schemas of a ruleset's YAML files, for editors"
EXAMPLES = (
    "ichiba schema                              the schemas that hold for every ruleset",
    "ichiba schema my_game                      with one for each of its kinds of boards",
    "ichiba schema my_game --out my_game/.schemas",
    "ichiba schema my_game --only market",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help="a game's name, or a ruleset's folder")
    parser.add_argument(
        "--out", metavar="DIR", help="write one file for each schema into this folder; those that are there are renewed"
    )
    parser.add_argument(
        "--only",
        metavar="NAME",
        help="print this one alone: game, module, variant, scenario, look, board, or a kind of boards",
    )


def run(args: argparse.Namespace) -> int:
    from ichiba.dsl.files.writing import write_text
    from ichiba.interpreter.api import folder_of
    from ichiba.interpreter.strangers import door
    from ichiba.validator.schema.schema import file_name, general, schemas, written

    folder = folder_of(args.game) if args.game else None
    found = door.read(folder, schemas, folder) if folder is not None else general()
    if args.only is not None:
        if args.only not in found:
            raise Refusal(f"ichiba schema: there is no schema `{args.only}`; there are: " + ", ".join(found))
        found = {args.only: found[args.only]}
    if args.out is None:
        shown = found[args.only] if args.only else {file_name(name): schema for name, schema in found.items()}
        print(json.dumps(shown, ensure_ascii=False, indent=1))
        return 0
    into = Path(args.out)
    into.mkdir(parents=True, exist_ok=True)
    for name, schema in found.items():
        write_text(into / file_name(name), written(schema))
        print(into / file_name(name))
    first = file_name("board" if "board" in found else next(iter(found)))
    print(
        f"An editor with yaml-language-server uses one where a file begins with\n  # yaml-language-server: $schema=PATH/{first}"
    )
    return 0
