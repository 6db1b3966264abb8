"""Claims about slips of the hand: a word lost, written twice or another in its place, in the rules of real games."""

import random
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Fault, in_order
from ichiba.dsl.world.world import Config
from tests.language import deletions
from tests.language.deletions import Patient, Word

GAMES = {
    "tsukiji": (Config(4, variants=("special_points",)), 20),
    "shinjuku": (Config(4), 5),
    "no_thanks": (Config(3), 20),
    "leduc_poker": (Config(2), 20),
    "liars_dice": (Config(2), 15),
}
ALL = 10_000
SLIPS = ("lost", "twice", "another")


def slips(game: str, folder: Path, words: int, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Word, list[Fault]]]:
    """So many words of a game, each lost, written twice and replaced by another, and the errors that are then told."""
    monkeypatch.setitem(deletions.GAMES, game, GAMES[game][0])
    patient, chance = Patient(game, folder), random.Random(5)
    told = []
    for how in SLIPS:
        for word in chance.sample(patient.words, min(words, len(patient.words))):
            if how == "lost":
                faults = patient.without(word).faults
            elif how == "twice":
                faults = patient.scrambled(word, word, "after it")
            else:
                faults = patient.scrambled(word, chance.choice(patient.words), "in its place")
            told.append((word, in_order(fault for fault in faults if fault.severity == "error")))
    return [(word, errors) for word, errors in told if errors]


def is_near(fault: Fault, word: Word) -> bool:
    """On the line of the slip, or on the one before it, whose end may be what it is about."""
    span = fault.span
    return span is not None and span.source.path.endswith(word.path.as_posix()) and word.line - span.line in (0, 1)


def hold(told: list[tuple[Word, list[Fault]]]) -> None:
    elsewhere = [f"{word}: {errors[0].message}" for word, errors in told if not is_near(errors[0], word)]
    assert len(elsewhere) <= 0.05 * len(told), "\n".join(elsewhere)
    assert sum(len(errors) - 1 for _, errors in told) <= 1 * len(told)


def test_what_is_told_first_is_at_the_slip_and_little_else_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [slip for game, (_, words) in GAMES.items() for slip in slips(game, tmp_path, words, monkeypatch)]
    assert len(told) > 170
    hold(told)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_so_it_is_for_every_word_of_a_game(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hold(slips(game, tmp_path, ALL, monkeypatch))
