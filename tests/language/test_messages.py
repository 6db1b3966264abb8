"""Claims about messages: what is read by somebody who ports a game or writes a board, for one mistake at a time."""

from pathlib import Path

import pytest

from tests.language.messages import Case, cases_of, pages

CASES = [pytest.param(case, id=f"{page.stem}: {case.title}") for page in pages() for case in cases_of(page)]


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_answered_as_it_is_written_down(case: Case, tmp_path: Path) -> None:
    assert case.answer(tmp_path) == case.said, "renew them and read the difference: python -m tests.language.messages"
