"""Generated Python with one small fault in it: would anybody notice?"""

from __future__ import annotations

import ast
import copy
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from types import FrameType
from typing import Any

import ichiba
from ichiba.interpreter.run.code import execute
from ichiba.interpreter.run.game import traced
from ichiba.interpreter.run.worked_out import WorkedOut

OTHER: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.And: ast.Or, ast.Or: ast.And, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
LIMITS = ("FUEL", "left[", "MOST_", "too_many", "n += 1", "raise RuleFault", "raise TooLong")  # for rulesets that are not sound
MOST_SECONDS = 10  # of the processor, for one mutant: some run in circles


class Spoil(ast.NodeTransformer):
    """Makes the fault at one place, by its number among all places of the lines that are reached."""

    def __init__(self, reached: set[int], wanted: int):
        self.reached, self.wanted, self.seen = reached, wanted, 0
        self.what = ""

    def here(self, node: ast.AST, what: str) -> bool:
        line = getattr(node, "lineno", 0)
        self.seen += line in self.reached
        if line not in self.reached or self.seen - 1 != self.wanted:
            return False
        self.what = f"{what} in line {line}: {ast.unparse(node)[:100]}"
        return True

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if type(node.ops[0]) in OTHER and self.here(node, "another comparison"):
            node.ops[0] = OTHER[type(node.ops[0])]()
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if type(node.op) in OTHER and self.here(node, "another sign"):
            node.op = OTHER[type(node.op)]()
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        if self.here(node, "and for or"):
            node.op = OTHER[type(node.op)]()
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self.here(node, "one more"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        if self.here(node.test, "the other way round"):
            node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        return self.generic_visit(node)

    def statement(self, node: ast.stmt) -> ast.AST:
        if self.here(node, "left out"):
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)

    visit_Assign = visit_AugAssign = visit_Expr = statement


def reached_lines(game: ichiba.Game, seeds: range) -> set[int]:
    """The lines inside the generated functions that some random games come through."""
    functions = [f.__code__ for f in game.code.module.values() if hasattr(f, "__code__")]
    files = {code.co_filename for code in functions if code.co_name in game.code.module}
    names = {name for name in files if name.startswith(f"<{game.name}")}
    found: set[int] = set()

    def look(frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code.co_filename not in names:
            return None
        found.add(frame.f_lineno)
        return look

    for seed in seeds:
        table, random = game.start(seed=seed), Random(seed)
        before = sys.gettrace()
        sys.settrace(look)
        try:
            while not table.over and len(table.history) < 200:
                table.step(random.randrange(len(table.codes)))
        finally:
            sys.settrace(before)
    lines = game.emitted.text.splitlines()
    return {line for line in found if not any(word in lines[line - 1] for word in LIMITS)}


def mutants(game: ichiba.Game, many: int, seed: int) -> Iterator[tuple[str, ichiba.Game]]:
    """So many faults, each in a game of its own, and what they are."""
    tree = ast.parse(game.emitted.text)
    reached = reached_lines(game, range(3))
    count = Spoil(reached, -1)
    count.visit(copy.deepcopy(tree))
    for wanted in sorted(Random(seed).sample(range(count.seen), min(many, count.seen))):
        spoil = Spoil(reached, wanted)
        spoiled = ast.fix_missing_locations(spoil.visit(copy.deepcopy(tree)))
        code = compile(spoiled, f"<{game.name} spoiled>", "exec")
        yield spoil.what, replace(game, code=execute(game.emitted, "", code), worked_out=WorkedOut(traced=traced(game)))


@contextmanager
def in_time() -> Iterator[None]:
    """What runs in circles is stopped."""

    def stop(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
