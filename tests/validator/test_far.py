"""Claims about what fails far away: an option that leads there is not offered, however many rules lie between."""

from pathlib import Path

import pytest

from ichiba import load
from tests.validator.small import ruleset


@pytest.mark.parametrize("far", [1, 5, 9, 20])
def test_a_requirement_far_down_is_found_before_the_option_is_offered(far: int, tmp_path: Path) -> None:
    rules = """\
procedure turn:
    menu actions:
        option deep "Deep": step_0
        option rest "Rest": nothing
        option wait "Wait": nothing

"""
    rules += "".join(f"procedure step_{n}: step_{n + 1}\n" for n in range(far))
    rules += f'procedure step_{far}:\n    require round > 5, else "too early"\n    set round to 0\n'
    table = load(ruleset(tmp_path, {"play.rules": rules}), trust=True).start(1)
    assert table.why_not("deep") == "too early"
