"""Claims about configurations: kept, sent and loaded elsewhere they are the identical game; whatever is wrong with one is told in it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ichiba import Game, RulesetFaults, load
from ichiba.dsl.parts import parts_of
from ichiba.dsl.world.choosable import Choosable
from ichiba.dsl.yaml.configuration import Configuration
from ichiba.interpreter.api import folder_of, rulesets
from ichiba.interpreter.configurations import as_file, presets
from ichiba.lab.policies import policies
from ichiba.table.checking import check
from tests.depth import mostly_seldom
from tests.table.door import ichiba
from tests.validator.small import ruleset

LARGE = ("tokyo_tsukiji_market", "shinjuku")  # they take seconds to be made


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tables are kept."""
    monkeypatch.setenv("ICHIBA_SAVES", str(tmp_path / "saves"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "tables"


# --- round trips


def some_setting(name: str, dice: Random) -> Game | None:
    """A game in a random setting; None where it refuses that."""
    chosen = [part for part in parts_of(folder_of(name)).values() if dice.random() < 0.4]
    modules = [part.name for part in chosen if part.what == "module"]
    variants = [part.name for part in chosen if part.what == "variant"]
    try:
        usual = load(name, modules=modules, variants=variants)
        low, high = usual.box.seats
        options = {one.name: some_choice(one, dice) for one in usual.options.values() if dice.random() < 0.5}
        return load(name, dice.randint(low, high), modules=modules, variants=variants, options=options)
    except RulesetFaults as refused:
        assert {fault.code for fault in refused.faults} <= {"E402", "E403", "E409", "E410", "E412"}, str(refused)
        return None


def some_choice(option: Choosable, dice: Random) -> object:
    match option.kind:
        case "flag":
            return dice.random() < 0.5
        case "number":
            assert option.least is not None and option.most is not None
            return dice.randint(option.least, option.most)
        case "list_of":
            return dice.sample(option.choices, min(2, len(option.choices)))
        case "seat":
            return dice.choice([1, 2, "random"])
        case _:
            return dice.choice(option.choices)


@pytest.mark.parametrize("number", mostly_seldom(range(200), 20))
def test_what_is_kept_and_loaded_elsewhere_is_the_identical_game(number: int, tmp_path: Path) -> None:
    dice = Random(number)
    small = [name for name in rulesets() if name not in LARGE]
    name = dice.choice(small if number % 12 else list(LARGE))
    game = some_setting(name, dice)
    if game is None:
        return
    bots = {seat: policies(game)[0] for seat in range(2, game.seats + 1)}
    path = tmp_path / "friday.yaml"
    path.write_text(as_file(game, bots, number))
    again = load(config=path)
    assert again.configuration is not None and again.configuration.policies(game.seats) == bots
    assert (again.name, again.config) == (game.name, game.config)
    one, other = game.start(number), again.start()
    while one.codes and len(one.history) < 20:
        index = dice.randrange(len(one.legal()))
        one.step(index)
        other.step(index)
    assert (one.state, one.view(1)) == (other.state, other.view(1))


def test_every_preset_says_why_and_can_be_loaded() -> None:
    found = [(name, preset) for name, folder in rulesets().items() for preset in presets(folder).items()]
    assert len(found) >= 8
    for game, (name, preset) in found:
        assert preset.title["en"] and preset.because["en"] and as_it_is(load(game, config=name).configuration) == as_it_is(preset)


def as_it_is(found: Configuration | None) -> tuple[object, ...]:
    return () if found is None else (found.path, found.choices, found.title, found.because, found.bots)


# --- what goes over what


def test_what_is_said_beside_it_goes_over_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("configuration: 1\ngame: goofspiel\nseats: 3\nvariants: [ascending]\nseed: 5\n")
    assert load(config=path).seats == 3 and load(config=path).start().seed == 5
    game = load(config=path, seats=2, variants=["point_difference"])
    assert (game.seats, game.config.variants) == (2, ("ascending", "point_difference"))
    assert game.start(6).seed == 6


def test_a_game_and_its_modules_may_lie_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    monkeypatch.chdir(tmp_path)
    ichiba("new", "game", "bazaar")
    away = tmp_path / "bazaar_rain"
    away.mkdir()
    (away / "module.yaml").write_text("module: bazaar_rain\nfor: bazaar\nrules: |\n  value wet: 1\n")
    (tmp_path / "friday.yaml").write_text("configuration: 1\ngame: bazaar\nmodules: [./bazaar_rain]\n")
    monkeypatch.chdir(tmp_path.parent)
    game = load(config=tmp_path / "friday.yaml")
    assert game.name == "bazaar" and game.config.modules == (str(away),)


# --- at the table


def test_a_table_is_kept_in_play_and_set_up_so_again(tables: Path) -> None:
    said = ichiba("play", "no_thanks", "--seats", "4", "--bots", "3", "--plain", typed="k friday\nq\n")
    assert "Kept. To play so again: ichiba play --config friday" in said.out
    assert (tables / "friday.yaml").read_text() == "configuration: 1\ngame: no_thanks\nseats: 4\nbots: {2: random, 3: random, 4: random}\n".replace(
        "random", policies(load("no_thanks", 4))[0]
    )
    again = ichiba("play", "--config", "friday", "--plain", typed="q\n")
    assert again.code == 0 and "4 seats" in again.out and "seat 1: you, seat 2: " in again.out


def test_a_kept_table_is_written_over_only_when_that_is_wanted(tables: Path) -> None:
    ichiba("play", "no_thanks", "--plain", typed="k friday\nq\n")
    said = ichiba("play", "no_thanks", "--seats", "5", "--plain", typed="k friday\nno\nk friday seed\nyes\nq\n")
    assert "Nothing was kept." in said.out
    assert "seats: 5" in (tables / "friday.yaml").read_text() and "seed: " in (tables / "friday.yaml").read_text()


@pytest.mark.parametrize("words", ["k", "k Friday", "k friday night", "k ../", "k friday.txt"])
def test_a_table_is_kept_under_a_name_or_in_a_file(tables: Path, words: str) -> None:
    said = ichiba("play", "no_thanks", "--plain", typed=f"{words}\nq\n")
    assert said.code == 0 and not list(tables.parent.rglob("*.yaml"))
    assert "Say under which name it shall be kept" in said.out or "It could not be kept" in said.out


def test_simulations_follow_a_configuration(tables: Path) -> None:
    bots = "bots: {1: random, 2: random, 3: random, 4: random}"
    (tables.parent / "three.yaml").write_text(f"configuration: 1\ngame: no_thanks\nseats: 4\n{bots}\nseed: 9\n")
    said = ichiba("simulate", "--config", "three.yaml", "--games", "2", "--jobs", "1")
    assert said.out.startswith("no_thanks: 4 seats, random, seed 9\n")
    said = ichiba("simulate", "--config", "three.yaml", "--seats", "3", "--seed", "2", "--games", "2", "--jobs", "1")
    assert said.out.startswith("no_thanks: 3 seats, random, seed 2\n")


def test_a_saved_game_has_its_own_settings(tables: Path) -> None:
    ichiba("play", "no_thanks", "--plain", typed="q\n")
    said = ichiba("play", "--resume", "last", "--config", "friday")
    assert said.code == 2 and "leave out --config" in said.err


# --- what is wrong


WRONG = {
    "configuration: 2\nseatz: 3\n": "this is a configuration of version 2, and this Ichiba reads version 1",
    "seats: 3\n": "a configuration has no `configuration`",
    "- 1\n": "`mine.yaml` holds no configuration",
    "configuration: 1\nplayers: 3\n": "did you mean `seats`?",
    "configuration: 1\nbots: 3\n": "`bots` is one policy for all seats but the first, or a map",
    "configuration: 1\nbots: {two: random}\n": "`bots` says of seats which policy plays them",
    "configuration: 1\nseed: [1]\n": "`seed` must be a number or a word",
    "configuration: 1\noptions: [1]\n": "`options` must be a map",
    "configuration: 1\ngame: tsukiji\n": "this configuration is for `tsukiji`, not for `goofspiel`",
    "configuration: 1\nseats: 12\n": "12 seats cannot play this",
    "configuration: 1\nvariants: [ascendin]\n": "did you mean `ascending`?",
    "configuration: 1\noptions: {quick: true}\n": "there is no option `quick`",
    "configuration: 1\nmodules: [./nowhere]\n": "there is no such folder",
}


@pytest.mark.parametrize(("text", "says"), WRONG.items())
def test_what_is_wrong_is_told(text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(text)
    with pytest.raises(RulesetFaults) as told:
        load("goofspiel", config="mine.yaml")
    assert says in str(told.value)
    said = ichiba("info", "goofspiel", "--config", "mine.yaml")
    assert said.code in (1, 2) and says in said.err and "Traceback" not in said.err


def test_a_choice_that_cannot_be_is_shown_where_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("configuration: 1\ngame: goofspiel\nseats: 12\nvariants: [ascendin]\n")
    with pytest.raises(RulesetFaults) as told:
        load(config=path)
    places = {fault.code: fault.span.line for fault in told.value.faults if fault.span is not None}
    assert places == {"E410": 3, "E407": 4}


@pytest.mark.parametrize("name", ["frist_game", "first"])
def test_a_preset_that_is_not_there_names_the_nearest_and_what_there_is(name: str) -> None:
    said = ichiba("play", "tsukiji", "--config", name)
    assert said.code == 2 and f"`tsukiji` has no configuration `{name}`" in said.err and "first_game" in said.err


def test_a_configuration_without_a_game_asks_for_it(tables: Path) -> None:
    said = ichiba("play", "--config", "first_game")
    assert said.code == 2 and "`first_game` is a configuration of which game?" in said.err
    (tables.parent / "mine.yaml").write_text("configuration: 1\n")
    said = ichiba("play", "--config", "mine.yaml")
    assert said.code in (1, 2) and "does not say which game it is for" in said.err


def test_a_file_that_means_harm_is_read_in_a_process_with_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ICHIBA_TRUST")
    path = tmp_path / "mine.yaml"
    for text in ("a: &a [" + "1," * 100 + "]\n" + "b: *a\n", "[" * 40_000, "configuration: !!python/object/apply:os.system [ls]\n", "x" * 300_000):
        path.write_text(text)
        with pytest.raises(RulesetFaults):
            load("goofspiel", config=path)


def test_a_preset_with_a_bot_that_is_not_there_is_a_fault_of_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    monkeypatch.chdir(tmp_path)
    ichiba("new", "game", "bazaar")
    home = tmp_path / "bazaar" / "configs"
    home.mkdir()
    (home / "first.yaml").write_text("configuration: 1\nbots: sensibel\n")
    (home / "second.yaml").write_text("configuration: 1\nseats: 9\n")
    (home / "third.yaml").write_text("configuration: 1\nseats: 3\n")
    said = ichiba("check", "bazaar")
    assert said.code == 1 and "as first, second, third" in said.out
    assert "bazaar/configs/first.yaml:2:7" in said.out and "has no policy `sensibel`" in said.out
    assert "bazaar/configs/second.yaml:2:8" in said.out and "9 seats cannot play this" in said.out
    (home / "first.yaml").unlink()
    (home / "second.yaml").unlink()
    assert ichiba("check", "bazaar").code == 0
    assert "4 scenarios, all hold" in ichiba("test", "bazaar").out


# --- what goes together


def test_combinations_are_told() -> None:
    said = ichiba("info", "goofspiel", "--combos")
    assert said.out == "ascending and descending do not go together\npoint_difference and total_points do not go together\n"
    assert ichiba("info", "no_thanks", "--combos").out == "no_thanks has no modules and no variants\n"


def test_check_looks_at_two_together_and_says_what_it_leaves_out() -> None:
    folder = folder_of("goofspiel")
    found = check(folder, jobs=1)
    assert ("ascending", "point_difference") in found.combinations and ("ascending", "descending") not in found.combinations
    few = check(folder, jobs=1, most=3)
    assert few.ways == 3 and few.left_out == found.ways - 3 and f"{few.left_out} more ways were left out (--all)" in few.words


def test_a_file_that_is_a_link_out_of_where_it_lies_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    (tmp_path / "secret").write_text("swordfish: 1\n")
    (tmp_path / "theirs").mkdir()
    path = tmp_path / "theirs" / "friday.yaml"
    path.symlink_to(tmp_path / "secret")
    said = ichiba("info", "--config", path)
    assert said.code == 1 and "swordfish" not in said.err
    assert said.err.startswith("error[E001]: `friday.yaml` cannot be read: it leads out of the folder that it lies in\n")


@pytest.mark.parametrize(("bots", "code"), [("greedy", 0), ("searcher:20", 0), ("random", 0), ("thrifty", 1)])
def test_a_preset_may_seat_whoever_plays(bots: str, code: int, tmp_path: Path) -> None:
    root = ruleset(tmp_path, {"configs/c.yaml": f"configuration: 1\ntitle: C\nseats: 2\nbots: '{bots}'\n"})
    told = ichiba("check", str(root))
    assert told.code == code, told.out + told.err
    if code:
        assert "there are: random, greedy, searcher" in told.out + told.err
