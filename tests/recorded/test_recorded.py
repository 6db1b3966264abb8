"""Games that were written down under version 1 of the language are played today as they were then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.table.upgrading import upgrade, write
from tests.conftest import Tally
from tests.properties.tables import HEAVY
from tests.recorded.recording import Recorded, games, played_again, texts, unpacked

OF_GENERATED = 25  # every so many of them in a quick run
# What no program can know: `barge is barge`, of a name of that rule, could ask for its kind or compare it with itself. And a text
# of a tie that has no words of its own any more.
BY_HAND = {
    "menu.blind_auction.best: ¿Quién gana de los que han empatado?\n": "",
    "{barge}": "{target}", "barge in my.sea where barge is barge": "target in my.sea where target is barge", "barge.hold": "target.hold",
    "barge.slots": "target.slots", "may_load(barge)": "may_load(target)", "ship, barge:": "ship, target:",
}  # fmt: skip
# What `check` has learnt to refuse since, of rulesets made by chance. The first are nevertheless played as they were; of the
# second the words mean nothing any more: what only another kind has, two kinds in one `if`, a memory that begins with itself.
LEAKS, RUNS_OUT = "E521", "E525"
REFUSED = {14: LEAKS, 80: RUNS_OUT, 173: LEAKS, 261: LEAKS, 373: LEAKS, 392: LEAKS, 416: RUNS_OUT}
MEANINGLESS = {202: "E210", 203: "E301", 248: "E210", 331: "E205"}
# Two ways to pay with one key are a fault in play since: up to there it is the same game.
BROKEN_OFF = {
    151: 'two answers to "How do you pay?" have the same key `pay/more`',
    495: 'two answers to "How do you pay?" have the same key `pay/extra`',
}


@cache
def by_ruleset() -> dict[str, list[Recorded]]:
    found: dict[str, list[Recorded]] = {}
    for one in games():
        found.setdefault(one.folder, []).append(one)
    return found


files = cache(texts)


@pytest.fixture(autouse=True)
def ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of these rulesets is a stranger's: nothing is judged by the clock."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")


OWN = sorted(folder for folder in by_ruleset() if folder.startswith("rulesets/"))
MADE = sorted((folder for folder in by_ruleset() if folder.startswith("generated/")), key=lambda folder: int(folder.split("/")[1]))


def prepare(folder: Path) -> None:
    """What its author is told to write otherwise."""
    for path in (folder / "turn.rules", *(folder / "texts").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        for old, new in BY_HAND.items():
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")


@contextmanager
def in_spite_of(code: str) -> Iterator[None]:
    """As if nobody had ever found this fault."""
    add = Faults.add

    def all_but(self: Faults, given: str, *args: Any, **named: Any) -> None:
        if given != code:
            add(self, given, *args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Faults, "add", all_but)
        yield


def again(of: list[Recorded], into: Path, tally: Tally) -> None:
    """From the texts of then, brought to version 2."""
    folder = unpacked(of[0].folder, files(), into)
    number = int(of[0].folder.split("/")[1]) if of[0].folder in MADE else -1
    if number in MEANINGLESS:
        assert {fault.code for fault in upgrade(folder).faults} == {MEANINGLESS[number]}
        tally(meaningless=1)
    elif number in REFUSED:
        assert {fault.code for fault in upgrade(folder).faults} == {REFUSED[number]}
        with in_spite_of(REFUSED[number]):
            upgraded_and_played(folder, of, tally)
    elif number in BROKEN_OFF:
        with pytest.raises(AssertionError, match="it breaks off at answer .*" + re.escape(BROKEN_OFF[number])):
            upgraded_and_played(folder, of, tally)
        tally(broken_off=1)
    else:
        if folder.name == "tokyo_tsukiji_market":
            assert [fault.code for fault in upgrade(folder).faults] == ["E319"]
            prepare(folder)
        upgraded_and_played(folder, of, tally)


def upgraded_and_played(folder: Path, of: list[Recorded], tally: Tally) -> None:
    outcome = upgrade(folder)
    assert not outcome.faults and outcome.changed
    write(outcome)
    assert not upgrade(folder).changed
    for one in of:
        game = ichiba.load(
            folder, seats=one.seats, modules=one.modules, variants=one.variants, options=dict(one.options), trust=True
        )
        played_again(game, one)
        tally(games=1, answers=len(one.answers))


@pytest.mark.parametrize("folder", OWN)
def test_a_game_of_ours_is_played_as_it_was(folder: str, tally: Tally) -> None:
    """From the texts of today."""
    name = folder.split("/")[-1]
    of = by_ruleset()[folder]
    for one in of[: 2 if name in HEAVY else 4]:
        game = ichiba.load(name, seats=one.seats, modules=one.modules, variants=one.variants, options=dict(one.options))
        played_again(game, one)
        tally(games=1, answers=len(one.answers))


@pytest.mark.parametrize("folder", MADE[::OF_GENERATED])
def test_a_game_made_by_chance_is_played_as_it_was(folder: str, tmp_path: Path, tally: Tally) -> None:
    again(by_ruleset()[folder], tmp_path, tally)


@pytest.mark.soak
@pytest.mark.parametrize("folder", OWN)
def test_all_games_of_ours_are_played_as_they_were_from_the_texts_of_then(folder: str, tmp_path: Path, tally: Tally) -> None:
    again(by_ruleset()[folder], tmp_path, tally)


@pytest.mark.soak
@pytest.mark.parametrize("folder", MADE)
def test_each_game_made_by_chance_is_played_as_it_was(folder: str, tmp_path: Path, tally: Tally) -> None:
    again(by_ruleset()[folder], tmp_path, tally)
