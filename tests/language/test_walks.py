"""Claims about what rules are made of: how a class is declared says where its parts are, and none is passed over."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import get_args

import pytest

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir, walks
from ichiba.dsl.rules.walks import children, steps, walk
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Config, Member
from ichiba.interpreter.api import folder_of
from ichiba.validator.judges.building import build

LEAVES = (Member, Span, Kind, str, int, ir.Var, ir.ValueRef, ir.ProcRef)


def parts(value: object) -> Iterator[object]:
    """What stands in a field, whatever is declared there."""
    if isinstance(value, tuple | list):
        for one in value:
            yield from parts(one)
    elif is_dataclass(value) and not isinstance(value, LEAVES):
        yield value


@pytest.mark.parametrize(("name", "seats"), [("tokyo_tsukiji_market", 3), ("shinjuku", 2), ("liars_dice", 2)])
def test_each_class_gives_all_its_parts(name: str, seats: int) -> None:
    _, _, program = build(folder_of(name), Config(seats), Faults())
    seen: set[type] = set()
    for body in (*(one.body for one in program.procedures), *(watcher.test for watcher in program.watchers.values())):
        for node in walk(body):
            found = [part for field in fields(node) for part in parts(getattr(node, field.name))]
            assert [id(part) for part in children(node)] == [id(part) for part in found], node
            seen.add(type(node))
        for move in steps(body):
            assert isinstance(move, get_args(ir.Move)) or move is body, move
    assert len(seen) > 25


def test_steps_are_the_moves_and_no_requirements() -> None:
    flag = Kind("flag")
    demand = ir.Require(ir.Const(1, flag), None, "", None)
    leave, inner = ir.Leave("here", None), ir.Hush(1)
    block = ir.Block((demand, ir.If(ir.Const(1, flag), ir.Block((inner, demand)), ir.Block(()), None), leave))
    assert {type(move) for move in steps(block)} == {ir.Block, ir.If, ir.Hush, ir.Leave}
    assert [move for move in walk(block) if isinstance(move, ir.Require)] == [demand, demand]


def test_each_part_of_a_move_is_declared_in_words_that_tell_moves_from_what_does_nothing() -> None:
    """A type under a new name (`Notes`) would be looked into for moves, and its expressions be taken for some."""
    unknown = {
        f"{node.__name__}.{name}": said
        for node in get_args(ir.Node)
        for name, said in walks._declared(node)
        if not walks._words(said) <= walks._LEAF_WORDS | walks._PARTS | walks._IDLE
    }
    assert unknown == {}


def test_steps_of_rules_with_modules_are_moves() -> None:
    _, _, program = build(folder_of("tokyo_tsukiji_market"), Config(3, ("expansion",)), Faults())
    for procedure in program.procedures:
        assert {type(move) for move in steps(procedure.body)} <= {*get_args(ir.Move)}
