"""Which rules are told to lack the sentence that the rulebook prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.interpreter.api import rulesets
from tests.table.door import ichiba
from tests.table.orchard import write

SEVERAL = "\n\nprocedure late:\n    raise round by 1\n    move all crate to seat(1).basket\n"


def said_of(folder: Path, more: str) -> list[str]:
    path = folder / "orchard.rules"
    path.write_text(path.read_text(encoding="utf-8").replace("        harvest\n", "        harvest\n        late\n") + more, encoding="utf-8")
    return [line for line in ichiba("check", folder).out.splitlines() if "W617" in line]


@pytest.mark.parametrize(("more", "told"), [
    (SEVERAL, ["warning[W617]: `late` has no sentence for the rulebook"]),
    (SEVERAL.replace("late:\n", 'late:\n    "It is late."\n'), []),
    ("\n\nprocedure late:\n    raise round by 1\n", []),  # a single statement reads aloud by itself
])  # fmt: skip
def test_what_does_several_things_and_says_nothing_is_told(more: str, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    assert said_of(write(tmp_path), more) == told


@pytest.mark.parametrize("name", ["tsukiji", "shinjuku", "lantern_coast"])
def test_our_own_rulesets_have_their_sentences(name: str) -> None:
    assert "W617" not in ichiba("check", rulesets()[name]).out
