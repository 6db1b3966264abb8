"""A program is written once, from its rules. Whoever makes a game of it reads it, and writes what he finds somewhere else."""

import pickle
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.world.constant import scope_of
from ichiba.dsl.world.world import Config
from ichiba.interpreter.api import folder_of
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.layout import keep_totals, lay_out
from ichiba.interpreter.to_plan.module import emit
from ichiba.validator.judges.building import build
from tests.language.tiny import ruleset

TURN = """\
play:
    as seat(1): turn

procedure turn:
    menu acts at least once:
        option look "Look": raise round by 1
    choose some lot from bag, at least 2 "Which?":
        move lot to my.hand
    repeat count of my.hand times:
        choose g in my.hand "Which one?": move g to bag
    each s in seats secretly:
        choose n from 1 to 3 "How many?"
"""


def stays(folder: Path, config: Config) -> None:
    faults = Faults()
    _, world, program = build(folder, config, faults)
    layout = lay_out(world, scope_of(world), faults)
    faults.raise_if_errors()
    before = pickle.dumps(program)
    keep_totals(layout, program)
    flow = Flow(program)
    for trace in (False, True):
        emit(program, layout, flow, trace)
    assert pickle.dumps(program) == before


def test_a_program_stays_as_it_was_written(tmp_path: Path) -> None:
    stays(ruleset(tmp_path, {"play.rules": TURN}), Config(2))


@pytest.mark.parametrize("name", ["goofspiel", "tsukiji"])
def test_so_does_that_of_a_whole_game(name: str) -> None:
    stays(folder_of(name), Config(3))
