"""Claims about whatever may be wrong with a ruleset: it is answered with faults, and never with anything else."""

import itertools
import random
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.syntax import parse
from tests.depth import seldom
from tests.validator.fuzzing import Mutator, Sentences, hunt, told


@pytest.mark.parametrize(
    ("seed", "cases"),
    [(1, 60), *seldom([(1, 300), *((seed, 2_000) for seed in range(100, 106))])],
)
def test_only_faults_are_found(seed: int, cases: int, tmp_path: Path) -> None:
    tried, case, trace = hunt(tmp_path, itertools.islice(Mutator(seed).cases(), cases))
    assert case is None, f"{told(case)}\n{trace}"
    assert tried == cases


def test_what_is_drawn_from_the_grammar_is_mostly_understood() -> None:
    sentences = Sentences(random.Random(5), ["lot", "market", "price"])
    understood = 0
    for _ in range(60):
        faults = Faults()
        parse.parse_items(Embedded.whole(Source("drawn.rules", sentences.sentence("item", 0))), faults)
        understood += not faults.errors
    assert understood > 40


def test_what_goes_wrong_otherwise_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise KeyError("nobody")

    monkeypatch.setattr("tests.validator.fuzzing.judge", stumble)
    tried, case, trace = hunt(tmp_path, itertools.islice(Mutator(1).cases(), 200))
    assert case is not None and tried < 200 and "KeyError: 'nobody'" in trace
