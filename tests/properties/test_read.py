"""Claims about what is read to set up a game."""

from __future__ import annotations

import pytest

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.parts import parts_of
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.world.world import Config
from ichiba.dsl.yaml.memory import Memory
from ichiba.interpreter.api import folder_of, rulesets
from ichiba.validator.judges.building import build

WITH_PARTS = [name for name in rulesets() if parts_of(folder_of(name)) and read_box(folder_of(name), (), Faults()).map_file is None]


@pytest.mark.parametrize("name", WITH_PARTS)
def test_nothing_is_read_of_what_is_switched_off(name: str) -> None:
    """Where nothing is wrong: a fault looks for who would bring what is missing. A map asks modules which fields are theirs."""
    folder, memory, faults = folder_of(name), Memory(), Faults()
    build(folder, Config(read_box(folder, (), Faults()).seats[1]), faults, memory)
    assert not faults.errors
    read = [path.relative_to(folder).as_posix() for path, _ in memory._last if path.is_relative_to(folder)]
    assert read and [path for path in read if path.startswith(("modules/", "variants/"))] == []
