"""Every code of the judge is what its examples say, in a small game with which nothing else is wrong."""

from pathlib import Path

import pytest

from ichiba.dsl.faults.codes import Code
from ichiba.dsl.faults.codes_judge import ENTRIES as ALL
from tests.validator.small import judged

ENTRIES = [entry for entry in ALL if entry.code not in ("E025", "E026")]  # of its own: see test_apart.py


def test_with_the_small_game_nothing_is_wrong(tmp_path: Path) -> None:
    assert judged(tmp_path, "").text == "no faults"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_the_wrong_example_gives_this_code_and_no_other(entry: Code, tmp_path: Path) -> None:
    small = judged(tmp_path, entry.wrong_example)
    assert small.codes == {entry.code}, small.text


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_the_right_example_gives_none(entry: Code, tmp_path: Path) -> None:
    small = judged(tmp_path, entry.right_example)
    assert small.codes == set(), small.text
