"""Claims about mistakes at which the reader once stumbled: each is told as a fault, and nothing else happens."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ichiba import RulesetFaults, load
from tests.language.tiny import files_of, read
from tests.validator import small
from tests.validator.bombs import Files, cycle, procedures

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


@pytest.mark.parametrize("longest", [100, 300])
@pytest.mark.parametrize("chain", [procedures, cycle])
def test_definitions_that_lead_on_too_far_are_told_of(chain: Callable[[int], Files], longest: int, tmp_path: Path) -> None:
    with pytest.raises(RulesetFaults, match="the definitions of this ruleset lead on to each other too far"):
        load(small.ruleset(tmp_path, chain(-longest)), trust=True)
