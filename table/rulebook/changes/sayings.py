"""What each rule says in words, by where it is written: the sentences that the rulebook tells, with labels and reasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ichiba.dsl.syntax import tree as t
from ichiba.table.rulebook.blocks import told
from ichiba.table.rulebook.gathered import Gathered, Own, gathered
from ichiba.table.rulebook.options import Options
from ichiba.table.scene.phrases import Known
from ichiba.table.scene.spelling import Cell, Speller, ink, joined, words_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Place = tuple[str, int]  # a file and a line


def sayings(game: Game, speller: Speller) -> dict[Place, str]:
    """Only those that have words."""
    rules = gathered(game)
    options = Options(game, speller, rules)
    found: dict[Place, str] = {}
    for own in _all(rules):
        words = words_of(_words(options, own))
        if words:
            found.setdefault(_place(own.item), words)
    for path, listed in rules.restricted.items():
        known = _known(options, rules, path)
        for restrict, _ in listed:
            limits = [limit for one in restrict.requires for limit in options.required(one, known)]
            found.setdefault(_place(restrict), words_of(joined(options.together(limits), " ")))
    return {place: words for place, words in found.items() if words}


def _known(options: Options, rules: Gathered, path: str) -> Known:
    """What the names of the option stand for that a rule restricts."""
    menu, _, name = path.rpartition(".")
    listed = (own.item for own in rules.menus.get(menu.rpartition(".")[2], ()))
    return next((options.binders.of_option(item) for item in listed if isinstance(item, t.Option) and item.name == name), {})


def _all(rules: Gathered) -> Iterator[Own]:
    for named in (rules.procedures, rules.values, rules.guards):
        yield from named.values()
    for listed in (*rules.menus.values(), *rules.moments.values(), *rules.of_board.values()):
        yield from listed
    yield from rules.triggers
    yield from (own for _, own in rules.setups)
    yield from rules.scoring
    if rules.ranking is not None:
        yield rules.ranking
    yield from (Own(window, path=name) for name, window in rules.windows.items())


def _words(options: Options, own: Own) -> Cell:
    match own.item:
        case t.Option() as option:
            known = options.binders.of_option(option)
            return joined([cell for cell in (told(options.label(option, own, known)), options.sentence(own, known)) if cell], " ")
        case t.Guard(params=params, reason=reason) as guard if reason is not None and options.sentence(own) == ():
            silent = options.text(own.key) == ""
            known = options.binders.of_params(params)
            words = options.phrases.words(reason, known, options.game.text(f"guard.{guard.name}"))
            return () if silent else (*ink(options.frame("Refused:") + " "), *told(words))
        case t.Procedure(params=params) | t.Guard(params=params) | t.Value(params=params):
            return options.sentence(own, options.binders.of_params(params))
        case _:
            return options.sentence(own)


def _place(item: t.Node) -> Place:
    return item.span.source.path, item.span.line


__all__ = ["sayings"]
