"""The rules as they are when everything switched on is merged, and where each comes from; and one rule by name."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ichiba.table.refusal import FAULT, Refusal

if TYPE_CHECKING:
    from ichiba.dsl.source import Span
    from ichiba.interpreter.game import Game


def merged(game: Game) -> str:
    """All rules, each with its file and line."""
    if find_spec("ichiba.dsl.provenance") is None:
        raise Refusal("ichiba info: this version cannot print merged rules yet (dsl/provenance.py is missing)", FAULT)
    return str(import_module("ichiba.dsl.provenance").printed(game.box, game.world, game.program))


def named_rules(game: Game) -> dict[str, Span]:
    """The rules one can ask for, by name, as they are written."""
    found: dict[str, Span] = {}
    for text in game.box.rules:
        for item in text.items:
            name = getattr(item, "name", None)
            if isinstance(name, str):
                found.setdefault(name, item.span)
    return found


def as_written(span: Span) -> str:
    """The whole rule that a span begins or names: its line, and what is indented below it."""
    source = span.source
    first = source.line_text(span.line)
    depth = len(first) - len(first.lstrip())
    lines = [first[depth:]]
    number = span.line + 1
    total = source.text.count("\n") + 1
    while number <= total:
        line = source.line_text(number)
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        lines.append(line[depth:])
        number += 1
    return "\n".join(lines).rstrip()


def sentences(game: Game) -> dict[str, str]:
    """What each procedure says of itself, in order of play."""
    return {procedure.name: procedure.doc for procedure in game.program.procedures if procedure.doc}
