"""Claims about options that a ruleset refuses to combine."""

from pathlib import Path

import pytest

from ichiba.dsl.world.world import Config
from tests.language.tiny import files_of, read

GAME = """
# game.yaml
things: {stall: {each: {corner: {}, gate: {}}}}
options:
  snow: {flag: false}
  sky: {one_of: [bright, grey], otherwise: bright}
  wind: {from: 0, to: 9}
  outside: {list_of: stall}
refuses:
"""
SNOW = "  - {when: snow and sky is bright, because: snow falls out of a grey sky}\n"
WIND = "  - {when: wind > seats, because: more wind than people}\n"
GATE = "  - {when: sky is not bright and gate in outside, because: the gate is shut under a grey sky}\n"
NOBODY = "  - {when: outside is empty and wind = 0, because: nobody is outside on a fine day}\n"


def said(folder: Path, refusals: str, seats: int = 2, **options: object) -> str:
    return read(folder, files_of(GAME + refusals), Config(seats, options=tuple(options.items()))).text


@pytest.mark.parametrize(
    ("refusal", "seats", "options", "refused"),
    [
        (SNOW, 2, {}, False),
        (SNOW, 2, {"snow": True}, True),
        (SNOW, 2, {"snow": True, "sky": "grey"}, False),
        (WIND, 2, {"wind": 3}, True),
        (WIND, 3, {"wind": 3}, False),
        (GATE, 2, {"sky": "grey", "outside": ["corner"]}, False),
        (GATE, 2, {"sky": "grey", "outside": ["corner", "gate"]}, True),
        (GATE, 2, {"outside": ["gate"]}, False),
        (NOBODY, 2, {}, True),
        (NOBODY, 2, {"outside": ["gate"]}, False),
        (NOBODY, 2, {"wind": 1}, False),
    ],
)
def test_options_that_do_not_go_together_are_refused_with_the_reason(
    tmp_path: Path, refusal: str, seats: int, options: dict[str, object], refused: bool
) -> None:
    because = refusal.rsplit("because: ", 1)[1].rstrip("}\n")
    text = f"error[E412]: these options do not go together\n  = {because}\n  = so says tiny/game.yaml:8\n\n1 error"
    assert said(tmp_path, refusal, seats, **options) == (text if refused else "no faults")


def test_everything_that_does_not_go_together_is_told_at_once(tmp_path: Path) -> None:
    text = said(tmp_path, SNOW + WIND, snow=True, wind=9)
    assert text.count("error[E412]") == 2


@pytest.mark.parametrize(
    ("refusal", "message"),
    [
        ("  - {when: sky is blue, because: never}", "`sky` is never `blue`\nit is one of bright, grey"),
        ("  - {when: gat in outside, because: never}", "nothing is called `gat`\ndid you mean `gate`?"),
        ("  - {when: rain, because: never}", "no number or option is called `rain`"),
        ("  - {when: snow}", "a refusal has no `because`"),
        ("  - {because: never}", "a refusal has no `when`"),
    ],
)
def test_a_refusal_that_cannot_be_understood_is_a_fault_of_the_ruleset(
    tmp_path: Path, refusal: str, message: str
) -> None:
    first, *rest = message.split("\n")
    text = said(tmp_path, refusal + "\n")
    assert first in text and all(line in text for line in rest)
    assert text.endswith("1 error")
