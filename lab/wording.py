"""What is wrong with how scenarios are written, found by reading them: nothing is played.

Their sentences mean the same however many options are chosen, so those of one setting are read with one program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ichiba.dsl.faults.fault import Edit, Faults, RulesetFaults
from ichiba.dsl.meaning.wanted import cond
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.program.program import new_context, standing_alone
from ichiba.dsl.syntax.parse import parse_expression, parse_statements
from ichiba.dsl.world.world import Config
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Scalar
from ichiba.interpreter.elsewhere import chosen_modules
from ichiba.interpreter.strangers import door
from ichiba.lab.scenario_files import Scenario, Setting, scenario_files
from ichiba.lab.scenarios import found_in
from ichiba.validator.judges.building import build

Alike = tuple[int | None, tuple[str, ...], tuple[str, ...]]  # seats, modules and variants


Known = dict[Alike, Context]  # the settings that have been made, for whoever reads again


def repairs_in(folder: Path, known: Known) -> list[Edit]:
    """The repairs that are certain in the scenarios of a ruleset whose rules stay as they are."""
    alike: dict[Alike, list[Scenario]] = {}
    for scenarios, _ in door.read_each(folder, found_in, [(file,) for file in scenario_files(folder)]):
        for one in scenarios:
            alike.setdefault((one.setting.seats, one.setting.modules, one.setting.variants), []).append(one)
    memory = Memory()
    return [edit for setting, group in alike.items() for edit in door.read(folder, repairs_of, folder, setting, group, known, memory)]


def repairs_of(folder: Path, alike: Alike, scenarios: Sequence[Scenario], known: Known, memory: Memory) -> list[Edit]:
    """Those in scenarios that are set up alike, read with the first of their settings in which the ruleset is sound."""
    for setting in {scenario.setting.key: scenario.setting for scenario in scenarios}.values():
        c = known.get(alike) or _context(folder, setting, memory)
        if c is not None:
            known[alike] = c
            return [edit for scenario in scenarios for edit in _of_one(c, scenario)]
    return []


def _context(folder: Path, setting: Setting, memory: Memory) -> Context | None:
    faults = Faults()
    try:
        modules = chosen_modules(folder, setting.modules)
        config = Config(setting.seats or 1, modules, setting.variants, setting.options, setting.assumptions)
        box, world, _ = build(folder, config, faults, memory)
    except RulesetFaults:
        return None
    if any(fault.code != "E410" for fault in faults.errors):  # so few seats as can are meant where none are said
        return None
    c = new_context(box, world, Faults())
    c.finished = True
    return c


def _of_one(c: Context, scenario: Scenario) -> Iterator[Edit]:
    """What is wrong is told when it is played; here only what is certain to be meant otherwise."""
    answers = [answer for step in scenario.steps for answer in step.answers]
    for said in (*scenario.then, *(one for answer in answers for one in (answer.until, answer.holds) if one is not None)):
        yield from _of_condition(c, said)
    for step in scenario.steps:
        if step.text is not None:
            faults = Faults()
            statements = parse_statements(step.text, faults)
            c.tell(faults)
            if not faults.errors:
                standing_alone(c, statements)
            yield from (edit for fault in faults.all for edit in fault.repair)


def _of_condition(c: Context, said: Scalar) -> Iterator[Edit]:
    faults = Faults()
    node = parse_expression(said.text, faults)
    c.tell(faults)
    if node is not None and not faults.errors:
        cond(c, node, Env({}, None, None))
    yield from (edit for fault in faults.all for edit in fault.repair)


__all__ = ["repairs_in"]
