"""The rules as they are when everything switched on is merged, and where each comes from; and one rule by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ichiba.dsl.program.provenance import merged_rules, news_of, passage_of
from ichiba.dsl.syntax.tree import name_of

if TYPE_CHECKING:
    from ichiba.dsl.faults.source import Span
    from ichiba.interpreter.run.game import Game


def merged(game: Game) -> str:
    """All rules, each with its file and line; before them what is new with the modules and variants that are on."""
    provenance = game.program.provenance
    return news_of(provenance, (*game.config.modules, *game.config.variants)) + merged_rules(provenance).rstrip()


def named_rules(game: Game) -> dict[str, Span]:
    """The rules one can ask for, by name."""
    found: dict[str, Span] = {}
    for text in game.box.rules:
        for item in text.items:
            name = name_of(item)
            if name:
                found.setdefault(name, item.span)
    return found


def as_written(span: Span) -> str:
    """The whole rule that a span begins or names, with the comments above it."""
    return passage_of(span).text


def sentences(game: Game) -> dict[str, str]:
    """What each procedure says of itself, in order of play."""
    return {procedure.name: procedure.doc for procedure in game.program.procedures if procedure.doc}
