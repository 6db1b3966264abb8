"""What the reference does not work out again would come to the same, and would look at nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ichiba
from tests.reference.lockstep import LockStep
from tests.reference.recalling import Recalling, is_as_it_was
from tests.reference.values import Items

MODS = ["art_collector", "hachiko", "kaicho", "kaiju", "princess", "thief"]
GAMES: list[tuple[str, int, list[str], int]] = [  # a ruleset, seats, modules, decisions
    ("lantern_coast", 2, [], 60),
    ("no_thanks", 3, [], 40),
    ("salt_flats", 2, [], 40),
    ("shinjuku", 3, MODS, 25),
    ("tsukiji", 3, [], 60),
]


@pytest.mark.parametrize(("ruleset", "seats", "modules", "decisions"), GAMES, ids=lambda it: it if isinstance(it, str) else "")
def test_what_is_recalled_would_come_to_the_same(
    ruleset: str, seats: int, modules: list[str], decisions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, recalled = Recalling.recalled, []

    def looked_at_anew(self: Recalling, asked: Any, find: Callable[[], Any]) -> Any:
        for reads, known in kept(self, asked):
            if is_as_it_was(reads, self.state.cells):
                outer, self.state.reading = self.state.reading, {}
                found = find()
                assert plain_words(found) == plain_words(known) and self.state.reading.keys() <= reads.keys(), asked
                self.state.reading = outer
                recalled.append(asked)
                break
        return plain(self, asked, find)

    monkeypatch.setattr(Recalling, "recalled", looked_at_anew)
    LockStep(ichiba.load(ruleset, seats=seats, modules=modules), 5).play(decisions, 20)
    assert len(recalled) > 100


def kept(game: Recalling, asked: Any) -> list[tuple[dict[Any, Any], Any]]:
    try:
        return game.known.get(asked, [])
    except TypeError:
        return []


def plain_words(value: Any) -> tuple[type, Any]:
    return type(value), value.items if isinstance(value, Items) else value
