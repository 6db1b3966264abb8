"""Claims about mistakes at which the reader once stumbled: each is told as a fault, and nothing else happens."""

from pathlib import Path

import pytest

from tests.language.tiny import files_of, read

STUMBLES = {
    "a number of what no family makes": """\
# game.yaml
pieces: {}
# play.rules
value place(g: gem) in number: number of g
""",
}


@pytest.mark.parametrize("chunk", STUMBLES.values(), ids=STUMBLES)
def test_it_is_told(chunk: str, tmp_path: Path) -> None:
    assert any(fault.severity == "error" for fault in read(tmp_path, files_of(chunk)).faults)
