"""Shinjuku's six mods: what their maps must say, what holds between two of them, and that switched off they cost nothing."""

import re
import shutil
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.native.compiler import written
from ichiba.lab.coverage import cover
from ichiba.lab.policies import play_out
from ichiba.table.cli import main
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


def test_a_map_with_a_single_bay_is_refused_for_hachiko_may_wait_there(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(HOME, tmp_path / "shinjuku"))
    tokyo = folder / "maps" / "tokyo.yaml"
    wards = tokyo.read_text(encoding="utf-8").split("bay: true")
    tokyo.write_text("bay: false".join(wards[:-1]) + "bay: true" + wards[-1], encoding="utf-8")
    with pytest.raises(ichiba.RulesetFaults) as refused:
        ichiba.load(folder, seats=2, modules=["kaiju"], trust=True)
    assert str(refused.value) == """\
error[E412]: these options do not go together
  = the map of this city has a single ward in which the Kaiju rises (`bay`); give it two, since it cannot rise where Hachiko waits
  = so says shinjuku/modules/kaiju/module.yaml:10, of shinjuku/maps/tokyo.yaml

1 error"""


def test_the_princess_begins_where_the_map_says(tmp_path: Path) -> None:
    """In Tokyo that is the first ward of the map, so no scenario can tell it from that."""
    folder = Path(shutil.copytree(HOME, tmp_path / "shinjuku"))
    tokyo = folder / "maps" / "tokyo.yaml"
    text = tokyo.read_text(encoding="utf-8").replace(", palace: true", "").replace("bay: true", "bay: true, palace: true", 1)
    tokyo.write_text(text, encoding="utf-8")
    table = ichiba.load(folder, seats=2, modules=["princess"], trust=True).start(1)
    assert table.ask("princess in koto.court") and table.ask("carriage is empty")


@pytest.mark.parametrize(
    ("before", "marked", "behind", "message"),
    [
        ("", "replace procedure hand_over(v: piece of visitor, t: station):", "", "the procedure hand_over"),
        ("rule ", "{name}s", ", instead of hand_over(v, t):", "the course of `hand_over`"),
    ],
)
def test_two_strangers_who_replace_the_hand_over_are_told_of_each_other(
    before: str, marked: str, behind: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    homes = [tmp_path / name for name in ("gift", "tax")]
    for home in homes:
        home.mkdir()
        sentence = before + marked.format(name=home.name) + behind
        rules = f"module: {home.name}\nfor: shinjuku\ntitle: {{en: One}}\nrules: |\n    {sentence}\n        move v to gone\n"
        (home / "module.yaml").write_text(rules, encoding="utf-8")
    with pytest.raises(ichiba.RulesetFaults) as refused:
        ichiba.load("shinjuku", seats=2, modules=homes)
    tax, gift = (marked.format(name=home.name) for home in reversed(homes))
    column = 5 + len(before)
    assert str(refused.value) == f"""\
error[E403]: `tax` and `gift` both replace {message}
  ┌─ tax/module.yaml:5:{column}
 5│     {before}{tax}{behind}
  │     {" " * len(before)}{"^" * len(tax)} say their order: `after: [gift]`, or `needs: [gift]`; or that they never go together: `excludes: [gift]`
  ┌─ gift/module.yaml:5:{column}
 5│     {before}{gift}{behind}
  │     {" " * len(before)}{"-" * len(gift)} also replaced here

1 error"""


def test_a_home_that_does_not_exist_is_told_with_the_nearest() -> None:
    with pytest.raises(ichiba.RulesetFaults) as refused:
        loaded("hachiko", home="uena")
    assert str(refused.value) == """\
error[E402]: the option `home` cannot be 'uena'
  = it is one of the stations, or none; did you mean `ueno`?
  = it is declared in shinjuku/modules/hachiko/module.yaml:9

1 error"""


@pytest.mark.parametrize("name", ["home", "hachiko.home"])
def test_so_it_is_told_where_it_was_chosen(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = tmp_path / "ours.yaml"
    chosen.write_text(f"configuration: 1\ngame: shinjuku\nmodules: [hachiko]\noptions: {{{name}: uena}}\n", encoding="utf-8")
    assert main(["info", "--config", str(chosen)]) == 2
    wrong = "the option `home` cannot be 'uena'"
    assert capsys.readouterr().err == f"ichiba: {wrong} ({chosen}:4); it is one of the stations, or none; did you mean `ueno`?\n"


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


@pytest.mark.parametrize("there", [(), *((module,) for module in MODS)], ids=lambda there: there[0] if there else "none")
def test_switched_off_they_leave_the_same_code_behind(there: tuple[str, ...], tmp_path: Path) -> None:
    """In Python and in machine code: with all six in their folders, none, or one alone, and none switched on."""
    gone = shutil.ignore_patterns(*({*MODS} - {*there}), "configs")
    folder = Path(shutil.copytree(HOME, tmp_path / "shinjuku", ignore=gone))
    tokyo = folder / "maps" / "tokyo.yaml"
    text = tokyo.read_text(encoding="utf-8")
    tokyo.write_text(re.sub(r", (palace|bay|statue): true", "", text), encoding="utf-8")
    games = [ichiba.load(one, seats=2, trust=True) for one in ("shinjuku", folder)]
    assert games[0].emitted.text == games[1].emitted.text
    assert written(games[0]) == written(games[1])


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
    text = "\n".join(line for part in news for line in part)
    assert "option moving.from: restricted\n#       Not if Hachiko is in w: only REUNITE moves its customers." in text
    assert "option freely.wander: restricted\n#       Not if the Kaiju is in the ward." in text


@pytest.mark.soak
def test_their_scenarios_reach_all_of_their_rules() -> None:
    report, coverage = cover("shinjuku", playouts=0)
    assert report.holds and [str(point) for point in coverage.unreached] == []
    assert [f"{point}: {how}" for point, how in coverage.one_way] == []
