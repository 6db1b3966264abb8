"""Claims about typing slips: a word that gets lost from the rules of a real game is noticed, on its own line.

`surviving_deletions.txt` lists every loss that changes a game without being refused, by the reason why.
`python -m tests.language.deletions` renews it.
"""

import random
from collections import Counter
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import render_all
from tests.language.deletions import (
    GAMES,
    REASONS,
    SCRAMBLES,
    SURVIVORS,
    Outcome,
    Patient,
    Word,
    closely_watched,
    reason,
)

SAMPLE = {"tsukiji": 150, "shinjuku": 20, "tokyo_tsukiji_market": 10}


def lose(game: str, folder: Path, words: int) -> list[Outcome]:
    """What becomes of a game without one of so many of its words, drawn with a fixed seed."""
    patient = Patient(game, folder)
    return [patient.without(word) for word in random.Random(7).sample(patient.words, words)]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    folder = tmp_path_factory.mktemp("games")
    return [outcome for game, words in SAMPLE.items() for outcome in lose(game, folder, words)]


def said(outcomes: list[Outcome]) -> str:
    return "\n".join(str(outcome.word) for outcome in outcomes)


def test_every_lost_word_that_changes_a_game_unnoticed_has_a_good_reason(sample: list[Outcome]) -> None:
    unnoticed = [outcome for outcome in sample if outcome.changed and not outcome.faults]
    assert said([outcome for outcome in unnoticed if not reason(outcome)]) == ""


def test_lost_dots_names_and_commas_are_refused_at_their_line(sample: list[Outcome]) -> None:
    slips = closely_watched(sample)
    assert len(slips) > 80
    assert said([outcome for outcome in slips if outcome.changed and not reason(outcome)]) == ""
    refused = [outcome for outcome in slips if outcome.refused]
    assert sum(outcome.at_its_line for outcome in refused) >= 0.95 * len(refused)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_of_all_words_of_a_game_hardly_one_is_lost_unnoticed(game: str, tmp_path: Path) -> None:
    patient = Patient(game, tmp_path)
    outcomes = [patient.without(word) for word in patient.words]
    slips = [outcome for outcome in closely_watched(outcomes) if outcome.refused or outcome.changed]
    refused = [outcome for outcome in slips if outcome.refused]
    assert len(refused) >= 0.99 * len(slips), said([outcome for outcome in slips if outcome not in refused])
    elsewhere = [outcome for outcome in refused if not outcome.at_its_line]
    assert len(elsewhere) <= 0.05 * len(refused), said(elsewhere)
    found = Counter(f"{game}/{outcome.word.entry}" for outcome in outcomes if outcome.changed)
    assert found == listed(game), "renew the list: python -m tests.language.deletions"


@pytest.mark.parametrize("game", ["tsukiji", pytest.param("shinjuku", marks=pytest.mark.soak)])
def test_no_scramble_of_words_makes_the_reader_stumble(game: str, tmp_path: Path) -> None:
    patient, chance = Patient(game, tmp_path), random.Random(11)
    for _ in range(60 if game == "tsukiji" else 1_000):
        word, other, how = chance.choice(patient.words), chance.choice(patient.words), chance.choice(SCRAMBLES)
        assert render_all(patient.scrambled(word, other, how))


def listed(game: str) -> Counter[str]:
    lines = SURVIVORS.read_text(encoding="utf-8").splitlines()
    return Counter(line for line in lines if line.startswith(f"{game}/"))


def test_every_group_of_the_list_has_a_reason_that_is_known() -> None:
    headings = [line for line in SURVIVORS.read_text(encoding="utf-8").splitlines() if line.startswith("# ")]
    assert headings and {heading.removeprefix("# ") for heading in headings} <= set(REASONS)


def word(kind: str, text: str, before: str, after: str) -> Outcome:
    return Outcome(Word(Path("a.rules"), kind, text, 0, 0, 1, "", before, after), (), True)


@pytest.mark.parametrize(
    "outcome",
    [
        word("dot", ".", "l", "cards"),
        word("comma", ",", "a", "b"),
        word("in", "in", "x", "stalls"),
        word("where", "where", "stalls", "x"),
        word("name", "cards", ".", ""),
        word("sign", "-", "debts", "fees"),
        word("number", "3", "repeat", "times"),
        word("else", "else", "", ":"),
    ],
)
def test_most_losses_have_no_good_reason(outcome: Outcome) -> None:
    assert reason(outcome) == ""
