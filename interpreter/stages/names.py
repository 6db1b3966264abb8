"""The rules of a game that can be asked for by name: procedures, values, options, triggers, questions and the like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches

from ichiba.dsl.names.meanings import Definition
from ichiba.dsl.names.merging import Merged, OptionEntry
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.syntax import tree as t
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.stages.refusal import NoSuchRule

MOST = 8  # so many are listed
ASKING = (t.ChooseOne, t.ChooseNumber, t.ChooseSome, t.May, t.Menu, t.Race, t.Secretly)  # sentences that ask


@dataclass(slots=True)
class Rule:
    """One rule under one name, and every sentence that says it: first the one that holds, then what else is said."""

    what: str  # as it is called in the rules: procedure, value, guard, cost, option, rule; and question
    name: str
    nodes: dict[t.Node, str] = field(default_factory=dict)  # by sentence: whose it is, a module's or a board's

    def __str__(self) -> str:
        return f"{self.what} {self.name}" if self.name != self.what else self.what

    @property
    def place(self) -> str:
        span = next(iter(self.nodes)).span
        return f"{span.source.path}:{span.line}"


def find(game: Game, asked: str) -> Rule:
    """The rule that is meant: by its whole name (`fishing.catch`), its last part (`catch`), or with what it is
    (`option fishing.catch`). Raises `NoSuchRule`."""
    rules, words = rules_of(game), " ".join(asked.split())
    exact = [rule for rule in rules if words in (str(rule), rule.name)]
    found = exact or [
        rule for rule in rules if words.split()[-1:] == [rule.name.rpartition(".")[2]] and _is_called(rule, words)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        several = [f"{rule} ({rule.place})" for rule in found]
        raise NoSuchRule(
            f"`{asked}` stands for several rules: {_listed(several)}; say which, as in `--rule '{found[0]}'`"
        )
    near = _nearest(words, rules)
    there = f"; did you mean {_or(near)}?" if near else f"; there are: {_listed([str(rule) for rule in rules])}"
    raise NoSuchRule(f"this game has no rule `{asked}`{there}")


def _nearest(words: str, rules: list[Rule]) -> list[str]:
    """The names that are most like what was asked for, one for each rule."""
    names: dict[str, int] = {}
    for number, rule in enumerate(rules):
        for name in (rule.name, rule.name.rpartition(".")[2], str(rule)):
            names.setdefault(name, number)
    near = {names[name]: name for name in reversed(get_close_matches(words, names, MOST))}
    return [*reversed(near.values())][:3]


def _is_called(rule: Rule, words: str) -> bool:
    return words in (rule.name.rpartition(".")[2], f"{rule.what} {rule.name.rpartition('.')[2]}")


def _listed(several: list[str]) -> str:
    more = len(several) - MOST
    return ", ".join(several[:MOST]) + (f" and {more} more" if more > 0 else "")


def _or(several: list[str]) -> str:
    quoted = [f"`{one}`" for one in several]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def rules_of(game: Game) -> list[Rule]:
    """All rules of a game in this setting, those of its own files first."""
    found: dict[tuple[str, str], Rule] = {}
    for what, name, node, whose in _said(game, game.context.merged):
        found.setdefault((what, name), Rule(what, name)).nodes.setdefault(node, whose)
    return list(found.values())


def _said(game: Game, merged: Merged) -> Iterator[tuple[str, str, t.Node, str]]:
    for definition in merged.definitions.values():
        yield from _of_definition(definition, definition.name)
    for (kind, name), definition in merged.members.items():
        yield from _of_definition(definition, f"{kind.removeprefix('board ')}.{name}")
    for hook in dict.fromkeys([*(hook for hooks in merged.hooks.values() for hook in hooks), *merged.whenevers]):
        if not merged.is_removed("rule", hook.rule.name):
            yield "rule", hook.rule.name, hook.rule, hook.board or hook.home
    for scoring, home, board in merged.scorings:
        yield "scoring", "scoring", scoring, board or home
    if merged.ranking is not None:
        yield "ranking", "ranking", *merged.ranking
    for invariant, home, board in merged.invariants:
        yield "invariant", invariant.name, invariant, board or home
    for name, (policy, home) in merged.policies.items():
        yield "policy", name, policy, home
    yield from _options_and_questions(game, merged)


def _of_definition(definition: Definition, name: str) -> Iterator[tuple[str, str, t.Node, str]]:
    """A definition, what it has replaced, and what boards and sorts have of their own."""
    version: Definition | None = definition
    while version is not None:
        yield definition.what, name, version.item, version.board or version.home
        for board, case in version.cases.items():
            yield definition.what, name, case.item, board
        for of_sort, home, board in version.sort_cases:
            yield definition.what, name, of_sort, board or home
        version = version.original


def _options_and_questions(game: Game, merged: Merged) -> Iterator[tuple[str, str, t.Node, str]]:
    """Those that there are in the end, found in the rules; then what restricts an option, or was replaced."""
    written = {}
    for text in game.box.rules:
        for item in text.items:
            written.update(
                {node.span: (node, text.board or text.home) for node in t.walk(item) if isinstance(node, ASKING)}
            )
    options = {node.span: node for text in game.box.rules for node in t.walk(text.items) if isinstance(node, t.Option)}
    homes = {entry.option.span: entry.board or entry.home for several in _entries(merged) for entry in several}
    for procedure in game.program.procedures:
        for node in walk(procedure.body):
            if isinstance(node, ir.Option) and node.span in options:
                yield "option", node.rule, options[node.span], homes.get(node.span, procedure.home)
            elif isinstance(node, ir.Decide | ir.ChooseSome | ir.Secret) and node.span in written:
                name = procedure.name.removeprefix("rule ")
                yield "question", f"{name}.{node.name}", *written[node.span]
    for address, several in merged.restricts.items():
        for restrict, home, board in several:
            yield "option", address, restrict, board or home


def _entries(merged: Merged) -> Iterator[list[OptionEntry]]:
    yield from merged.menu_options.values()
    yield from (window.options for window in merged.windows.values())
