"""What became of one rule: its procedures, values, options, questions and triggers, found by where they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ichiba.dsl.meaning.values import is_template, value_ref
from ichiba.dsl.names.arguments import params_of
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import functions_of, walk
from ichiba.dsl.syntax import tree as t
from ichiba.interpreter.flow.mentions import pieces_within
from ichiba.interpreter.flow.pieces import Piece, Site
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.stages.names import Rule


@dataclass(slots=True)
class Parts:
    """The parts of a program that one rule has become."""

    procedures: list[ir.Procedure] = field(default_factory=list)
    functions: list[ir.Function] = field(default_factory=list)
    options: list[ir.Option] = field(default_factory=list)
    questions: list[ir.Stm] = field(default_factory=list)
    blocks: list[ir.Named] = field(
        default_factory=list
    )  # of a trigger that is written into whatever it stands before or after
    watchers: dict[int, ir.Watcher] = field(default_factory=dict)  # by number
    preferences: list[ir.Preference] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)  # its questions, or those that its options are answers to
    pieces: dict[ir.Procedure, list[Piece]] = field(default_factory=dict)  # by the rule that they are pieces of


def parts_of(game: Game, rule: Rule) -> Parts:
    spans = {node.span for node in rule.nodes}
    spans |= {key.span for node in rule.nodes if isinstance(node, t.Ranking) for key in node.keys}
    program, found = game.program, Parts()
    whole = rule.what in ("procedure", "scoring")  # what has its own beginning: the options, `scoring`
    for procedure in program.procedures:
        if procedure.span in spans or whole and procedure.span is None and procedure.name == rule.name:
            found.procedures.append(procedure)
    found.functions = [function for function in _functions(program) if function.span in spans]
    found.functions += [] if found.functions else _unused(game, rule)
    for node in (node for procedure in program.procedures for node in walk(procedure.body)):
        if rule.what == "option" and isinstance(node, ir.Option) and node.rule == rule.name:
            found.options.append(node)
        elif rule.what == "question" and isinstance(node, ir.Decide | ir.ChooseSome | ir.Secret) and node.span in spans:
            found.questions.append(node)
        elif rule.what == "rule" and not found.procedures and isinstance(node, ir.Named) and node.name == rule.name:
            found.blocks.append(node)
    if rule.what == "rule":
        found.watchers = {at: one for at, (name, one) in enumerate(program.watchers.items()) if name == rule.name}
    if rule.what == "policy":
        found.preferences = list(program.policies[rule.name])
    _find_course(game, rule, found)
    return found


def _find_course(game: Game, rule: Rule, found: Parts) -> None:
    """The questions and pieces of a rule, where it asks."""
    flow = game.flow
    for procedure in found.procedures:
        if procedure in flow.entries:
            found.pieces[procedure] = list(pieces_within(flow.entries[procedure], flow))
            found.sites += [site for site in flow.sites if site.procedure is procedure]
    for site in flow.sites:
        decide = site.decide
        if any(decide is question for question in found.questions):
            found.sites.append(site)
        for number, option in enumerate(decide.options if isinstance(decide, ir.Decide) else ()):
            if any(option is one for one in found.options):
                found.sites.append(site)
                within = pieces_within(flow.entries[site.procedure], flow)
                found.pieces.setdefault(site.procedure, []).extend(
                    piece for piece in within if (site, number) in piece.inside
                )


def _functions(program: ir.Program) -> dict[ir.Function, None]:
    """Every value and guard that some rule asks for."""
    found: dict[ir.Function, None] = dict.fromkeys([*program.invariants, *(one for one, _ in program.ranking)])
    todo: list[object] = [*(procedure.body for procedure in program.procedures), *(function.body for function in found)]
    for watcher in program.watchers.values():
        todo += [watcher.test, watcher.set]
    for preference in (one for policy in program.policies.values() for one in policy):
        todo += [preference.when, preference.weight, preference.nearest, *(source for _, source in preference.binders)]
    while todo:
        for function in _called(todo.pop()):
            if function not in found:
                found[function] = None
                todo.append(function.body)
    return found


def _called(body: object) -> Iterator[ir.Function]:
    for node in walk(body):
        if isinstance(node, ir.CallValue):
            yield from functions_of(node.function)
        elif isinstance(node, ir.ChooseSome) and node.worth is not None:
            yield from functions_of(node.worth)


def _unused(game: Game, rule: Rule) -> list[ir.Function]:
    """A value that no rule asks for: scenarios and pictures may. One that stands for many things is no function."""
    c = game.context
    definition = c.definitions.get(rule.name) if rule.what in ("value", "guard") else None
    if definition is None or any(is_template(c, param) for param in params_of(c, definition)):
        return []
    ref = value_ref(c, definition)
    return list(functions_of(ref)) if ref is not None else []
