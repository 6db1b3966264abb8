"""`ichiba assumptions GAME`: the numbers that no source gives, and how to choose others."""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from typing import TYPE_CHECKING

from ichiba.table import arguments

if TYPE_CHECKING:
    from ichiba.dsl.yaml.declarations import BoardDecl, Box, PieceDecl
    from ichiba.interpreter.run.game import Game

HELP = "the numbers that no source gives, and how to change them"
EXAMPLES = (
    "ichiba assumptions my_game",
    "ichiba assumptions my_game --with expansion --seats 4",
    "ichiba play my_game --assume A-1=60     play with another value",
)

_LISTED = "as listed"
_OF_KIND = "as all of its kind"


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


def assumptions_of(game: Game) -> list[dict[str, object]]:
    """Every assumption with what it covers: `what`, `name`, the value as written, and where."""
    from ichiba.dsl.ruleset import assumption_ids

    return [
        {"id": id, "covers": _covers(game.box, id), "why": _why(game.box, id)}
        for id in sorted(assumption_ids(game.box))
    ]


def _covers(box: Box, id: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []

    def add(what: str, name: str, value: object, place: object) -> None:
        found.append({"what": what, "name": name, "value": str(value), "place": str(place)})

    for what, facts in (("number", box.numbers), ("table", box.tables)):
        for fact in facts:
            if fact.assumption == id:
                add(what, fact.name, _plain(fact.value.span.text), _place(fact.span))
    for piece in box.pieces:
        if piece.assumption == id:
            number = _plain(piece.number.span.text) if piece.number is not None else _by_sort(piece)
            add("pieces", piece.name, number, _place(piece.span))
    for thing in box.things:
        if thing.assumption == id:
            add(
                "things",
                thing.kind,
                _plain(thing.number.span.text) if thing.number is not None else _LISTED,
                _place(thing.span),
            )
    for board in box.boards:
        for field, own in board.assumptions:
            if own == id:
                add("board", f"{board.name}.{field}", _field(box, board, field), _place(board.span))
    return found


def _field(box: Box, board: BoardDecl, field: str) -> str:
    """What a board's file says of a field; its pieces are declarations of their own."""
    if field == "pieces":
        return ", ".join(_by_sort(piece) for piece in box.pieces if piece.board == board.name)
    return next((_plain(node.span.text) for name, node in board.fields if name == field), _OF_KIND)


def _by_sort(piece: PieceDecl) -> str:
    """How many there are of each sort: `4 red, 2 blue`."""
    numbers = []
    for item in piece.items or ():
        number = next((node.span.text for name, node in item.fields if name == "number"), "1")
        numbers.append(f"{_plain(number)} {item.name}")
    return ", ".join(numbers) or _LISTED


def _plain(text: str) -> str:
    """On one line, with single spaces."""
    return " ".join(text.split())


def _place(span: object) -> str:
    """`box.yaml:12`"""
    from ichiba.dsl.faults.source import Span

    return f"{span.source.path}:{span.line}" if isinstance(span, Span) else ""


def _why(box: Box, id: str) -> str:
    reasons = [fact.why for fact in (*box.numbers, *box.tables) if fact.assumption == id and fact.why]
    return "; ".join(dict.fromkeys(reasons))


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
    given = [one for one in covers if one["value"] not in (_LISTED, _OF_KIND)]
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
