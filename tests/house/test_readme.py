"""What the README shows works as it is written."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", PYTHON, ids=range(len(PYTHON)))
def test_the_python_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {})


def test_there_is_some() -> None:
    assert len(PYTHON) >= 2
