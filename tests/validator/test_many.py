"""Very many of one thing are no more work for each than some of them, or they are refused before they are."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest

from ichiba.dsl.faults.fault import MOST_BROKEN, MOST_ERRORS
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.names.narrowing import forget
from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import NUMBER
from ichiba.table.checking import check
from tests.conftest import Tally
from tests.validator.many import DESIGNS, Many
from tests.validator.small import ruleset

LINEAR = ("rules that watch", "rules that watch and do nothing", "rules before each other", "options added", "windows", "grids", "names")
FEW, MOST = 60, 3  # so many, and how much more work twice as many are: a square would be four times as much


@pytest.fixture(autouse=True)
def somebody_vouches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else another process would do the work, and we could not count it."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")


def calls(root: Path) -> int:
    """How many functions are called while a ruleset is checked: the same on every machine, whatever else it does."""
    count = 0

    def note(frame: FrameType, event: str, given: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        check(root, quick=True, jobs=1)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("design", [pytest.param(d, marks=() if d.name in LINEAR[:3] else pytest.mark.soak) for d in DESIGNS if d.name in LINEAR],
                         ids=lambda design: design.name)  # fmt: skip
def test_twice_as_many_are_twice_the_work(design: Many, tmp_path: Path) -> None:
    none, some, twice = (calls(ruleset(tmp_path / str(n), design.make(n))) for n in (1, FEW, 2 * FEW))
    assert twice - none < MOST * (some - none), (none, some, twice)


def test_a_memory_is_forgotten_without_a_look_at_all_others() -> None:
    known = {f"a{k}": ir.Use(ir.Var(f"a{k}", NUMBER), NUMBER) for k in range(2_000)}
    looks = 0

    def note(frame: FrameType, event: str, given: object) -> None:
        nonlocal looks
        looks += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        forget(Env(dict(known)), None)
    finally:
        sys.setprofile(before)
    assert looks < 200


BROKEN = {"broken sentences", "broken items", "odd characters", "odd indents", "missing colons", "broken options"}


@pytest.mark.parametrize("design", [d for d in DESIGNS if d.name in BROKEN], ids=lambda design: design.name)
def test_a_text_of_which_too_much_is_wrong_is_not_read_to_its_end(design: Many, tmp_path: Path) -> None:
    said = check(ruleset(tmp_path, design.make(design.sizes[0])), quick=True, jobs=1).faults
    assert "too much is wrong with small/play.rules: it was not read to its end" in [fault.message for fault in said]
    assert len(said) <= MOST_BROKEN + 5
    assert {fault.code for fault in said} <= {"E201", "E203", "E204"}


def test_some_broken_sentences_are_all_told(tmp_path: Path) -> None:
    broken = next(design for design in DESIGNS if design.name == "broken sentences")
    said = check(ruleset(tmp_path, broken.make(60)), quick=True, jobs=1).faults
    assert [fault.span.line for fault in said if fault.span is not None] == list(range(2, 62))


@pytest.mark.parametrize("name", ["unknown names", "names that are nearly right", "another kind than is needed", "keys that are not there"])
def test_no_more_than_two_hundred_faults_are_looked_for(name: str, tmp_path: Path) -> None:
    design = next(design for design in DESIGNS if design.name == name)
    said = check(ruleset(tmp_path, design.make(design.sizes[0])), quick=True, jobs=1).faults
    assert said[-1].message == "there are more than 200 faults in this ruleset"
    assert len(said) == MOST_ERRORS + 1


def test_designs_have_their_own_names(tally: Tally) -> None:
    assert len({design.name for design in DESIGNS}) == len(DESIGNS) > 40
    tally(designs_with_very_many=len(DESIGNS))
