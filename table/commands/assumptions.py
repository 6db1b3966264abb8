"""`ichiba assumptions GAME`: the numbers that no source gives, and how to choose others."""

from __future__ import annotations

import argparse
import json
import re
import textwrap

from ichiba.table import arguments
from ichiba.table.rulebook.assumed import LISTED, OF_KIND, assumptions_of

HELP = "the numbers that no source gives, and how to change them"
EXAMPLES = (
    "ichiba assumptions my_game",
    "ichiba assumptions my_game --with expansion --seats 4",
    "ichiba play my_game --assume A-1=60     play with another value",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    arguments.add_seats(parser, "for so many seats (default: as few as can)")
    arguments.add_parts(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people, or for programs")


def run(args: argparse.Namespace) -> int:
    game = arguments.setting(args).load()
    found = assumptions_of(game)
    if args.format == "json":
        print(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        print(_as_text(game.name, found))
    return 0


def _as_text(name: str, found: list[dict[str, object]]) -> str:
    if not found:
        return f"{name} assumes nothing: every number has a source."
    lines: list[str] = []
    for item in found:
        lines.append(f"{item['id']}" + (f"  {item['why']}" if item["why"] else ""))
        covers = item["covers"]
        assert isinstance(covers, list)
        for one in covers:
            lines += textwrap.wrap(
                f"  {one['what']} {one['name']}: {one['value']}  ({one['place']})", 80, subsequent_indent="      ",
                break_on_hyphens=False, break_long_words=False,
            )  # fmt: skip
        lines.append("  " + _how_to_change(str(item["id"]), covers))
        lines.append("")
    number = f"{len(found)} assumption{'s' if len(found) > 1 else ''}"
    lines.append(f"{number}. From Python: ichiba.load({name!r}, assumptions={{...}})")
    return "\n".join(lines)


def _how_to_change(id: str, covers: list[dict[str, str]]) -> str:
    """The option to type: `change it: --assume A-1=60`. Where an assumption covers different values, one of them is named."""
    given = [one for one in covers if one["value"] not in (LISTED, OF_KIND)]
    if not given:
        return f"change it: --assume {id}=[{{…}}, …], all of them"
    first = given[0]
    value = first["value"] if _typeable(first["value"]) else "VALUE"
    pieces = first["what"] == "pieces" or first["name"].endswith(".pieces")
    if pieces and re.match(r"\d+ \w+(,|\Z)", first["value"]):  # numbers of several sorts
        number, sort = first["value"].split(",")[0].split(" ")
        value = f"{{{first['name']}: {{{sort}: {number}}}}}"
    elif first["what"] == "pieces" or any(one["value"] != first["value"] for one in given):
        value = f"{{{first['name']}: {value}}}"
    return f"change it: --assume {id}={value}" if value.isalnum() else f"change it: --assume '{id}={value}'"


def _typeable(value: str) -> bool:
    """Whether a value can stand in that option as it is written: short and plain, or in brackets."""
    return value[:1] in "[{" or not any(char in value for char in ",:'") and len(value) < 30
