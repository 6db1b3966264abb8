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
from ichiba.table.rulebook.rules import merged
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


def test_the_refusal_of_a_map_names_both_places_and_what_to_do() -> None:
    with pytest.raises(ichiba.RulesetFaults) as refused:
        loaded("hachiko", "princess", city="osaka")
    assert str(refused.value) == """\
error[E412]: these options do not go together
  = the map of this city has no home for Hachiko (`statue`); choose a station with the option `home`
  = so says shinjuku/modules/hachiko/module.yaml:11, of shinjuku/maps/osaka.yaml
  = it follows from the option city: 'osaka'

error[E412]: these options do not go together
  = the map of this city does not say in which ward the Princess begins (`palace`)
  = so says shinjuku/modules/princess/module.yaml:8, of shinjuku/maps/osaka.yaml
  = it follows from the option city: 'osaka'

error[E412]: these options do not go together
  = the map of this city does not say which wards are neighbours (`adjacent`), and the Princess wanders to these
  = so says shinjuku/modules/princess/module.yaml:10, of shinjuku/maps/osaka.yaml
  = it follows from the option city: 'osaka'

3 errors"""


@pytest.mark.parametrize(
    ("sentence", "message", "place"),
    [
        ("replace procedure hand_over(v: piece of visitor, t: station):", "the procedure hand_over", "5:5"),
        ("rule {name}s, instead of hand_over(v, t):", "the course of `hand_over`", "5:10"),
    ],
)
def test_two_strangers_who_replace_the_hand_over_are_told_of_each_other(
    sentence: str, message: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    homes = [tmp_path / name for name in ("gift", "tax")]
    for home in homes:
        home.mkdir()
        rules = f"module: {home.name}\nfor: shinjuku\ntitle: {{en: One}}\nrules: |\n    {sentence.format(name=home.name)}\n        move v to gone\n"
        (home / "module.yaml").write_text(rules, encoding="utf-8")
    with pytest.raises(ichiba.RulesetFaults) as refused:
        ichiba.load("shinjuku", seats=2, modules=homes)
    said = str(refused.value)
    assert said.startswith(f"error[E403]: `tax` and `gift` both replace {message}\n  ┌─ tax/module.yaml:{place}\n")
    assert "say their order: `after: [gift]`, or `needs: [gift]`; or that they never go together: `excludes: [gift]`\n" in said
    assert f"  ┌─ gift/module.yaml:{place}\n" in said and said.endswith("also replaced here\n\n1 error")


def test_a_home_that_does_not_exist_is_told_with_the_nearest() -> None:
    with pytest.raises(ichiba.RulesetFaults) as refused:
        loaded("hachiko", home="uena")
    wrong = "error[E402]: the option `home` cannot be 'uena'\n  = it is one of the stations, or none; did you mean `ueno`?\n\n1 error"
    assert str(refused.value) == wrong


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


def test_who_knows_the_game_reads_what_is_new_in_sentences() -> None:
    news = [part.splitlines() for part in merged(loaded(*MODS)).split("\n\n")[: len(MODS)]]
    assert [part[0].split()[3] for part in news] == [f"{module}:" for module in MODS]
    for (module, *_), lines in zip(combinations(MODS, 1), news):
        told = [number for number, line in enumerate(lines) if re.match(r"#   \S", line)]
        silent = [lines[at] for at in told if not lines[at + 1 : at + 2] or not re.match(r"#       \S", lines[at + 1])]
        as_written = [line for line in lines if re.match(r"#       (replace|rule|restrict|value) ", line)]
        assert (module, silent, as_written) == (module, [], []) and len(told) > 1
    lines = "\n".join(line for part in news for line in part)
    assert "option moving.from: restricted\n#       Not if Hachiko is in w: only REUNITE moves its customers." in lines
    assert "option freely.wander: restricted\n#       Not if the Kaiju is in the ward." in lines


@pytest.mark.soak
def test_their_scenarios_reach_all_of_their_rules() -> None:
    report, coverage = cover("shinjuku", playouts=0)
    assert report.holds and [str(point) for point in coverage.unreached] == []
    assert [f"{point}: {how}" for point, how in coverage.one_way] == []
