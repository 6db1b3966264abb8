"""The rules as they are when everything switched on is merged, and where each comes from; and one rule by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ichiba.dsl.program.provenance import merged_rules, news_of, passage_of
from ichiba.dsl.program.sentences import sentences as spoken
from ichiba.dsl.syntax import tree as t
from ichiba.table.scene.cards import in_language

if TYPE_CHECKING:
    from ichiba.dsl.faults.source import Span
    from ichiba.interpreter.run.game import Game

SHORT = 110  # letters of a rule without a sentence that is told as it is written
_BRACES = re.compile(r"\{([^{}]*)\}")


def merged(game: Game) -> str:
    """All rules, each with its file and line; before them what is new with the modules and variants that are on."""
    provenance, files = game.program.provenance, game.box.modules
    about = {name: " · ".join(filter(None, (in_language(f.title, game.lang), in_language(f.about, game.lang)))) for name, f in files.items()}
    return news_of(provenance, game.config.parts, about, in_words(game)) + merged_rules(provenance).rstrip()


def in_words(game: Game) -> Callable[[str, str, Span], str | None]:
    """What a rule of a module says: its sentence in the language of the game; what restricts, its reasons; else how it begins. None where
    the texts say that it is not told."""
    docs = {key: sentence.text for key, sentence, _ in spoken(game.box) if sentence is not None}
    reasons = _reasons(game)

    def words(what: str, home: str, span: Span) -> str | None:
        name = what.split(",")[0].split()[-1]
        keys = [f"rule.{home}.{name}"] + ([f"rule.{name}"] if what.startswith("option ") else [])  # of a board its own name
        if any(game.texts.get(key) == "" for key in keys):
            return None
        found = next((words for key in keys if (words := game.text(key) or docs.get(key))), "")
        found = _BRACES.sub(r"\1", found or reasons.get((span.source.path, span.line), "")).strip()
        if not found and not what.startswith(("option ", "procedure ")):
            written = " ".join(passage_of(span).text.split())
            found = written if len(written) <= SHORT else ""
        return found

    return words


def _reasons(game: Game) -> dict[tuple[str, int], str]:
    """Of each `restrict`, when the option is not there."""
    guards = {node.name: node for text in game.box.rules for node in t.walk(text.items) if isinstance(node, t.Guard)}
    found = {}
    for text in game.box.rules:
        for item in text.items:
            if isinstance(item, t.Restrict):
                told = [words for require in item.requires if (words := _reason(require, guards))]
                found[item.span.source.path, item.span.line] = "".join(f"Not if {words}. " for words in told)
    return found


def _reason(require: t.Require, guards: dict[str, t.Guard]) -> str:
    """Its own, else that of the guard which it asks, with kinds in place of names."""
    asked = require.condition.what if isinstance(require.condition, t.Call) else require.condition
    guard = guards.get(asked.name) if isinstance(asked, t.Name) else None
    if require.reason is not None or guard is None or guard.reason is None:
        return require.reason.text if require.reason is not None else ""
    kinds = {param.name: param.type.name for param in guard.params or () if param.type is not None}
    return _BRACES.sub(lambda hole: f"the {kinds[hole[1]]}" if hole[1] in kinds else hole[0], guard.reason.text)


def named_rules(game: Game) -> dict[str, Span]:
    """The rules one can ask for, by name."""
    found: dict[str, Span] = {}
    for text in game.box.rules:
        for item in text.items:
            name = t.name_of(item)
            if name:
                found.setdefault(name, item.span)
    return found


def as_written(span: Span) -> str:
    """The whole rule that a span begins or names, with the comments above it."""
    return passage_of(span).text


def sentences(game: Game) -> dict[str, str]:
    """What each procedure says of itself, in order of play."""
    return {procedure.name: procedure.doc for procedure in game.program.procedures if procedure.doc}
