"""Shinjuku's six mods: what their maps must say, what holds between two of them, and that switched off they cost nothing."""

import re
import shutil
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.lab.coverage import cover
from ichiba.lab.policies import play_out
from tests.reference.lockstep import LockStep

HOME = Path(__file__).resolve().parents[2] / "rulesets" / "shinjuku"
MODS = ("art_collector", "hachiko", "kaicho", "kaiju", "princess", "thief")


def loaded(*modules: str, seats: int = 2, **options: object) -> ichiba.Game:
    return ichiba.load("shinjuku", seats=seats, modules=list(modules), options=options)


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("princess", "does not say in which ward the Princess begins"),
        ("kaicho", "does not say which wards are neighbours"),
        ("kaiju", "does not say in which wards the Kaiju rises"),
        ("hachiko", "has no home for Hachiko"),
    ],
)
@pytest.mark.parametrize("city", ["paris", "london", "osaka"])
def test_a_map_without_what_a_mod_needs_is_refused_with_the_reason(module: str, reason: str, city: str) -> None:
    with pytest.raises(ichiba.RulesetFaults) as refused:
        loaded(module, city=city)
    assert reason in str(refused.value)


def test_the_other_mods_go_with_every_map() -> None:
    for city in ("paris", "london", "osaka"):
        loaded("thief", "art_collector", city=city)
    loaded("hachiko", "thief", city="paris", home="bastille")


def test_a_home_that_does_not_exist_is_told_with_the_nearest() -> None:
    with pytest.raises(ichiba.RulesetFaults, match="did you mean `ueno`?"):
        loaded("hachiko", home="uena")


def test_all_six_keep_apart_what_must_be_apart() -> None:
    for seed in range(2):
        table, random = loaded(*MODS, seats=3).start(seed), Random(seed)
        while not table.over:
            table.step(random.randrange(len(table.codes)))
            decision = table.decision
            if decision is not None and decision.name == "action":
                assert table.ask("no (w in wards where w.lair is not empty and (w.crowd is not empty or w.court is not empty))")
                assert table.ask("no (w in wards where w.lair is not empty and w.dog_house is not empty)")
                assert table.ask("no (h in hideout where among(h.good) is not empty)")


@pytest.mark.parametrize("modules", [*((one,) for one in MODS), MODS], ids=" ".join)
def test_they_are_played_as_their_rules_are_read(modules: tuple[str, ...]) -> None:
    LockStep(loaded(*modules, seats=2), 1).play(16, 8)


@pytest.mark.soak
@pytest.mark.parametrize("modules", [*combinations(MODS, 1), *combinations(MODS, 2), MODS], ids=" ".join)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_so_they_are_in_whole_games(modules: tuple[str, ...], seats: int) -> None:
    for seed in range(20):
        LockStep(loaded(*modules, seats=seats), seed).play(10**9, 20)


def test_switched_off_they_leave_the_same_code_behind(tmp_path: Path) -> None:
    alone = Path(shutil.copytree(HOME, tmp_path / "shinjuku", ignore=shutil.ignore_patterns("modules")))
    tokyo = alone / "maps" / "tokyo.yaml"
    text = tokyo.read_text(encoding="utf-8")
    tokyo.write_text(re.sub(r", (palace|bay|statue): true", "", text), encoding="utf-8")
    games = [ichiba.load(folder, seats=2, trust=True) for folder in ("shinjuku", alone)]
    assert games[0].emitted.text == games[1].emitted.text


@pytest.mark.parametrize("module", MODS)
def test_the_sensible_policy_goes_on_making_sense(module: str) -> None:
    game, games, won = loaded(module, seats=3), 9, 0.0
    for seed in range(games):
        me = seed % 3 + 1
        first = play_out(game, seed, ["sensible" if seat == me else "random" for seat in (1, 2, 3)]).ranking[0]
        won += (me in first) / len(first)
    assert won > 0.6 * games


def test_every_ruling_about_the_mods_has_a_scenario() -> None:
    names = re.findall(r"R-SHI-M\d\d", "".join(path.read_text(encoding="utf-8") for path in HOME.rglob("*.scenario.yaml")))
    without = {"R-SHI-M02", "R-SHI-M10"}  # maps, above; with half of the deck below it no pile can be empty
    assert {f"R-SHI-M{number:02}" for number in range(1, 25)} - set(names) == without


@pytest.mark.soak
def test_their_scenarios_reach_all_of_their_rules() -> None:
    report, coverage = cover("shinjuku", playouts=0)
    assert report.holds and [str(point) for point in coverage.unreached] == []
    assert [f"{point}: {how}" for point, how in coverage.one_way] == []
