"""Planted changes are found where they were planted; where nothing was changed, alarms are as rare as is said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ichiba as engine
from ichiba.dsl.files.folders import package_folder
from ichiba.lab.results.comparing import compared
from ichiba.lab.results.courses import courses_of
from ichiba.lab.results.reading import Columns
from ichiba.table.arguments import Setting
from ichiba.table.simulation.batch import Run, play_several
from tests.table.door import ichiba

ABOUT = {"policies": ["a", "b"], "seed": 1}


def run(seed: int, toll: int) -> tuple[Columns, Any]:
    """Games in which everybody goes to two boards, of which one takes a toll."""
    results, rows, dice = Columns.empty(ABOUT, 2), [], Random(seed)
    for number in range(1, 61):
        scores = {str(seat): dice.randrange(40, 60) for seat in (1, 2)}
        order = sorted((1, 2), key=lambda seat: -scores[str(seat)])
        results.add({"game": number, "decisions": 10, "scores": scores, "ranking": [[seat] for seat in order], "ending": "end"})
        uses = {board: dice.randrange(1, 5) for board in ("mill", "quay")}
        boards = {
            board: {"1": {"uses": {"visit": many}, "paid": {"cash": many * (toll if board == "mill" else 5)}, "got": {"cash": many * 7}}}
            for board, many in uses.items()
        }
        empty = {"1": [0] * 41, "2": [0] * 41}
        rows.append({"game": number, "answers": list(range(41)), "taken": [], "stand": empty, "purses": {}, "records": [], "boards": boards})
    return results, courses_of(results, iter(rows))


def test_a_board_that_costs_more_is_named() -> None:
    (before, first), (after, second) = run(1, 5), run(1, 6)
    changed = [effect.name for effect in compared(before, after, (first, second)).effects if effect.sure]
    assert changed == ["cash paid for a use of mill"]
    gain = second.boards["mill"].of_a_use("cash").estimate()
    assert (gain.value, gain.many) == (1.0, 60) and second.boards["quay"].of_a_use("cash").value == 2.0


def test_what_a_use_brings_is_what_is_got_less_what_is_paid() -> None:
    """Also where what a game pays has nothing to do with how often the board is used."""
    results, rows = Columns.empty(ABOUT, 2), []
    for number, (uses, paid, got) in enumerate([(1, 9, 2), (4, 3, 20), (2, 5, 0)], 1):
        results.add({"game": number, "decisions": 9, "scores": {"1": 2, "2": 1}, "ranking": [[1], [2]], "ending": "end"})
        boards = {"mill": {"1": {"uses": {"visit": uses}, "paid": {"cash": paid}, "got": {"cash": got} if got else {}}}}
        empty = {"1": [0] * 41, "2": [0] * 41}
        rows.append({"game": number, "answers": list(range(41)), "taken": [], "stand": empty, "purses": {}, "records": [], "boards": boards})
    mill = courses_of(results, iter(rows)).boards["mill"]
    paid_and_got = mill.of_a_use("paid cash").value, mill.of_a_use("got cash").value
    assert paid_and_got == (17 / 7, 22 / 7) and mill.of_a_use("cash").value == pytest.approx(5 / 7)
    assert mill.units == ["cash"] and mill.options["visit"].mean == pytest.approx(7 / 3)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_with_nothing_changed_alarms_in_real_games_are_as_rare_as_is_said() -> None:
    """Two runs of other seeds, again and again: at most every twentieth comparison may call anything a change, and of the single
    intervals about every twentieth misses."""
    game, policies = engine.load("tsukiji", seats=3), ("sensible",) * 3

    def columns(seed: str) -> Columns:
        asked = Run(Setting("tsukiji", 3), policies, seed)
        made = Columns.empty(asked.about(game), 3)
        made.extend(play_several(game, asked, range(1, 41), True).figures)
        return made

    alarms = missed = figures = 0
    for number in range(60):
        effects = compared(columns(f"one {number}"), columns(f"other {number}")).effects
        alarms += any(effect.sure for effect in effects)
        missed += sum(effect.difference.chance < 0.05 for effect in effects)
        figures += len(effects)
    assert alarms <= 8  # of 60; 3 are to be expected at most
    assert 0.02 < missed / figures < 0.1


@pytest.mark.soak
def test_a_licence_twice_as_dear_is_found_at_its_board(tmp_path: Path) -> None:
    home = package_folder("ichiba.rulesets") / "tokyo_tsukiji_market"
    shutil.copytree(home, tmp_path / home.name)
    board = tmp_path / home.name / "boards" / "fish" / "squid.yaml"
    board.write_text(board.read_text().replace("¥300", "¥600"))
    for name, place in (("before", home), ("after", tmp_path / home.name)):
        words = ("--config", "first_game", "--games", "150", "--courses", "150", "--seed", "1", "--out", tmp_path / name)
        assert ichiba("simulate", place, *words).code == 0
    found = json.loads(ichiba("compare", tmp_path / "before", tmp_path / "after", "--format", "json").out)
    paid = [effect for effect in found["effects"] if effect["sure"] and effect["name"].startswith("cash paid for a use of")]
    clearest = max(paid, key=lambda effect: effect["change"] / (effect["high"] - effect["low"]))
    assert clearest["name"] == "cash paid for a use of squid" and clearest["change"] > 0
