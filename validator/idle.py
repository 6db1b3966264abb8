"""What is written and never comes about: options nobody can take, money that never comes, numbers from nowhere."""

from __future__ import annotations

import re

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import reached_procedures, steps, walk
from ichiba.dsl.syntax.tree import name_of
from ichiba.dsl.syntax.wording import words_of
from ichiba.dsl.world.world import Member, World
from ichiba.dsl.yaml.declarations import Box, Fact
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq


def judge_options(program: ir.Program, world: World, box: Box, faults: Faults) -> None:
    """Options whose guard is false in every game, not only with these modules and choices."""
    settled = {*world.known, *world.options, *world.numbers, *world.tables, *box.modules, "seats"}
    settled |= {board.name for board in box.boards}
    for procedure in reached_procedures(program):
        for node in steps(procedure.body) if procedure.body is not None else ():
            for option in node.options if isinstance(node, ir.Decide) else ():
                for demand in option.tests:
                    if not isinstance(demand.test, ir.Const) or demand.test.value or demand.span is None:
                        continue
                    words = set(words_of(demand.span.text))
                    if words.isdisjoint(settled) and not _calls(words, program, box):
                        faults.add("W607", demand.span, f"the option `{option.name}` can never be taken", label="this never holds")


def _calls(words: set[str], program: ir.Program, box: Box) -> bool:
    """Whether values or guards are named, which a module may replace."""
    defined = {name_of(item) for rules in box.rules for item in rules.items}
    del program
    return not words.isdisjoint(defined)


def judge_money(program: ir.Program, world: World, faults: Faults) -> None:
    """Purses of seats that begin empty, are paid from, and into which nothing is ever paid."""
    filled: set[Member] = set()
    emptied: set[Member] = set()
    for procedure in program.procedures:
        for node in steps(procedure.body) if procedure.body is not None else ():
            if isinstance(node, ir.Pay):
                filled |= {n.member for n in walk(node.target) if isinstance(n, ir.PurseAt)}
                emptied |= {n.member for n in walk(node.source) if isinstance(n, ir.PurseAt)}
    for member in world.members():
        if member.form == "purse" and member.start is None and not member.unlimited and member in emptied - filled:
            faults.add("W611", member.span, f"no money ever comes into `{member.name}`", label="give it a `start`, or let something be gained")


def judge_sources(box: Box, faults: Faults) -> None:
    """In a game that cites, every number says where it comes from, or that it is assumed."""
    if not box.cites:
        return
    for fact in (*box.numbers, *box.tables):
        if not fact.source and not fact.assumption and _is_given(fact):
            faults.add("W610", fact.span, f"`{fact.name}` says neither where it comes from nor that it is assumed",
                       label="add `source:` or `assumption:`")  # fmt: skip


def judge_titles(box: Box, faults: Faults) -> None:
    """What people read first is there, and is there in English: that is shown where a language is missing."""
    for titled in box.titles:
        if not titled.title and titled.needed:
            faults.add("W613", titled.span, f"{titled.what} has no `title`", label="people see its name instead: `title: {en: …}`")
        elif titled.title and "en" not in titled.title:
            there = ", ".join(titled.title)
            message = f"the title of {titled.what} says nothing in `en`"
            faults.add("W613", titled.span, message, label=f"that is shown in languages that it lacks; it has {there}")


def judge_name(box: Box, faults: Faults) -> None:
    """A game is loaded by its folder's name, and called by its own: people take them for one."""
    if box.path is not None and box.path.name != box.name and box.named_at is not None:
        label = f"its folder is `{box.path.name}`"
        if re.fullmatch(r"[a-z][a-z0-9_]*", box.path.name):
            label += f": write `game: {box.path.name}`, or rename the folder"
        faults.add("W615", box.named_at, f"this game is called `{box.name}`", label=label)


def _is_given(fact: Fact) -> bool:
    """A number that is worked out from others needs no source of its own."""
    return any(isinstance(value, int) and not isinstance(value, bool) for value in _values(fact.value))


def _values(node: Node) -> list[object]:
    match node:
        case Scalar(value=value):
            return [value]
        case Seq(items=items):
            return [v for item in items for v in _values(item)]
        case Map(entries=entries):
            return [v for _, item in entries for v in _values(item)]
    return []


__all__ = ["judge_money", "judge_name", "judge_options", "judge_sources", "judge_titles"]
