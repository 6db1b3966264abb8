"""A module in a folder of its own: named by its path or announced by a package, wherever a setting is named."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

import ichiba
from tests.table.door import ichiba as command
from tests.validator.small import ruleset

TIDES = {
    "module.yaml": """\
module: tides
for: small
title: Tides
options: {high: {flag: false, title: High tide}}
""",
    "tides.rules": """\
kind pier is board:
    counter boats: 0 .. 9

table:
    zone piers of pier, in play

add to menu actions:
    option wave "Take a wave":
        gain (if high then 7 else 3) coins from bank
""",
    "boards/quay.yaml": "board: quay\nkind: pier\ntitle: Quay\n",
    "scenarios/wave.scenario.yaml": """\
scenarios:
- scenario: a wave pays
  config: {seats: 2, modules: [tides]}
  when: [wave]
  then: [cash of seat(1) = $8]
- scenario: a high one pays more
  config: {seats: 2, modules: [tides], options: {tides.high: true}}
  when: [wave]
  then: [cash of seat(1) = $12]
""",
    "texts/de.yaml": "menu.actions.wave: Eine Welle nehmen\n",
    "look.yaml": "look: 1\nglyphs: {quay: Q}\n",
}


def module(place: Path, name: str = "tides", **changed: str) -> Path:
    """The module, under a name; `changed`: files that are others, by their first name."""
    for file, text in TIDES.items():
        own = changed.get(file.split(".")[0].split("/")[0], text.replace("tides", name))
        if own:
            path = place / name / file.replace("tides", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(own)
    return place / name


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game lies in one folder, the module in another, and one stands in a third; everything is a stranger's."""
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    monkeypatch.setenv("ICHIBA_SAVES", str(tmp_path / "saves"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    module(tmp_path / "here")
    return ruleset(tmp_path / "mine", {})


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(ichiba.RulesetFaults) as caught:
        call()
    return str(caught.value).removesuffix("\n\n1 error")


@pytest.mark.parametrize("way", ["text", "path", "whole"])
@pytest.mark.parametrize("trusted", [False, True])
def test_it_is_named_by_where_it_lies(game: Path, way: str, trusted: bool) -> None:
    ways: dict[str, str | Path] = {"text": "./tides", "path": Path("tides"), "whole": str(Path("tides").resolve())}
    named = ways[way]
    made = ichiba.load(game, 2, modules=[named], options={"tides.high": True}, trust=trusted)
    table = made.start(1)
    table.play("wave")
    assert table.ask("cash of seat(1)") == 12 and repr(made) == "Game('small', 2 seats, with tides)"


def test_an_installed_package_announces_it(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "announced_by_others"
    module(package)
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: [SimpleNamespace(name="all", value="announced_by_others")] if group == "ichiba.modules" else [],
    )
    table = ichiba.load(game, 2, modules=["tides"]).start(1)
    table.play("wave")
    assert table.ask("cash of seat(1)") == 8
    table.save(tmp_path / "kept.json")
    assert json.loads((tmp_path / "kept.json").read_text())["modules"] == ["tides"]  # wherever it will be installed then
    assert ichiba.resume(tmp_path / "kept.json").state == table.state
    facts = json.loads(command("info", game, "--format", "json").out)
    assert facts["modules"] == {"tides": "Tides"}  # what could be switched on


def test_what_the_game_has_itself_comes_first(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(game / "modules")
    monkeypatch.setattr("ichiba.interpreter.elsewhere.installed", lambda: {"tides": (tmp_path / "here" / "tides",)})
    assert ichiba.load(game, 2, modules=["tides"]).box.elsewhere == ()
    assert ichiba.load(game, 2, modules=[game / "modules" / "tides"]).config.modules == ("tides",)


# --- wherever a setting is named


def test_every_command_takes_it(game: Path) -> None:
    for words in (("info", game), ("info", game, "--rules"), ("info", game, "--rule", "option actions.wave", "--stage", "flow"),
                  ("simulate", game, "--games", "2", "--jobs", "1")):  # fmt: skip
        said = command(*words, "--with", "./tides", "--set", "tides.high=yes")
        assert said.code == 0, said
    assert command("assumptions", game, "--with", "./tides").code == 0
    assert "tides" in command("info", game, "--with", "./tides").out
    said = command("play", game, "--with", "./tides", "--bots", "1", "--seed", "1", "--plain", "--lang", "de", typed="q\n")
    assert said.code == 0 and "Eine Welle nehmen" in said.out and "tides" in said.out


def test_it_is_checked_with_the_game_that_it_is_for(game: Path, tmp_path: Path) -> None:
    shutil.copytree(game, "small")  # beside it
    said = command("check", "./tides")
    assert (said.code, said.out) == (0, "checked tides, for small: 2 to 4 seats; tides (3 ways)\n1 ruleset, no faults\n"), said
    Path("tides/tides.rules").write_text(TIDES["tides.rules"].replace("bank", "bnak"))
    said = command("check", "tides/boards")
    assert said.code == 1 and "tides/tides.rules:9:" in said.out and "did you mean `bank`?" in said.out


def test_it_brings_its_own_scenarios(game: Path) -> None:
    shutil.copytree(game, "small")
    said = command("test", "./tides")
    assert (said.code, said.out) == (0, "tides: 2 scenarios, all hold\n"), said
    assert command("test", "tides/scenarios/wave.scenario.yaml", "-k", "high").out == "tides: 1 scenario, all hold\n"
    assert command("test", "./tides", "--changed").out == "tides: 0 scenarios, 2 unchanged since they held\n"
    assert "tides: 2 scenarios, all hold" in command("test", "./tides", "--jobs", "2").out
    said = command("test", "./tides", "--coverage", "--playouts", "1")
    assert said.code == 0 and "option" in said.out


def test_what_it_needs_is_looked_for_beside_it(game: Path) -> None:
    shutil.copytree(game, "small")
    lid = TIDES["module.yaml"].replace("tides", "moons").replace("Tides", "Moons").replace("high", "dark")
    rules = "add to seat:\n    flag moonlit\n"
    module(Path.cwd(), "moons", module=lid + "needs: [tides]\n", tides=rules, scenarios="", boards="", texts="", look="")
    said = command("check", "./moons")
    assert said.code == 0 and "moons + tides" in said.out, said
    assert refused(lambda: ichiba.load(game, 2, modules=["./moons"])).startswith("error[E407]: there is no module or variant `tides`")


# --- saves


def kept(game: Path, place: Path) -> Path:
    table = ichiba.load(game, 2, modules=["./tides"]).start(1)
    table.play("wave")
    table.save(place / "kept.json")
    return place / "kept.json"


def not_resumed(path: Path) -> str:
    with pytest.raises(ichiba.SaveFault) as caught:
        ichiba.resume(path)
    return str(caught.value)


def test_a_save_names_it(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, home = kept(game, tmp_path), Path("tides").resolve()
    assert json.loads(path.read_text())["modules"] == [str(home)]
    monkeypatch.chdir(tmp_path)  # from wherever one stands
    assert ichiba.resume(path).ask("cash of seat(1)") == 8
    assert "Take a wave" in command("replay", path).out


def test_a_save_whose_module_is_another_or_gone_is_refused(game: Path, tmp_path: Path) -> None:
    path, rules = kept(game, tmp_path), Path("tides/tides.rules")
    rules.write_text(rules.read_text().replace("3)", "4)"))
    assert "tides/tides.rules" in (said := not_resumed(path)) or "another" in said, said
    home = rules.parent.resolve()
    shutil.rmtree("tides")
    assert not_resumed(path) == (
        f"kept.json is a game of `small`, which cannot be set up as it says: `{home}` is no module: there is no such folder"
    )


# --- what is wrong


def test_a_path_that_is_no_module_is_told(game: Path) -> None:
    Path("tidy").mkdir()
    Path("tides.rules").write_text("")
    for said, wanted in (
        ("./tide", "error[E407]: `./tide` is no module: there is no such folder\n  = did you mean `./tides`?\n  = modules in `.`: tides"),
        ("./tidy", "error[E407]: `./tidy` is no module: it has no module.yaml\n  = modules in `./tidy`: none"),
        ("./tides.rules", "error[E407]: `./tides.rules` is no module: it is a file; a module that lies elsewhere is a folder of its own\n"
         "  = did you mean `./tides`?\n  = modules in `.`: tides"),
        ("tides", "error[E407]: this game has no module or variant `tides`\n  = did you mean `./tides`, the folder?\n  = there are: none"),
        (".", "error[E407]: `.` is no module: it has no module.yaml\n  = did you mean `./tides`?\n  = modules in `.`: tides"),
    ):  # fmt: skip
        assert refused(partial(ichiba.load, game, 2, modules=[said])) == wanted
        assert "is no module" in command("info", game, "--with", said).err or said == "tides"


def test_two_of_one_name_are_told(game: Path) -> None:
    module(game / "modules")
    module(Path.cwd() / "other")
    said = refused(lambda: ichiba.load(game, 2, modules=["./tides"]))
    assert said.startswith("error[E206]: two parts of this game are called `tides`") and "name one of them" in said
    shutil.rmtree(game / "modules")
    said = refused(lambda: ichiba.load(game, 2, modules=["./tides", "other/tides"]))
    assert f"= tides and other{os.sep}tides: name one of them, or rename one" in said, said


def test_two_packages_that_announce_one_name_are_told(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = tuple(module(tmp_path / name) for name in ("one", "two"))
    monkeypatch.setattr("ichiba.interpreter.elsewhere.installed", lambda: {"tides": places})
    assert refused(lambda: ichiba.load(game, 2, modules=["tides"])) == (
        "error[E407]: several installed packages announce a module `tides`\n  = name one by its path\n"
        f"  = {places[0]}, {places[1]}"
    )


def test_a_module_for_another_game_is_told(game: Path) -> None:
    module(Path.cwd(), module=TIDES["module.yaml"].replace("small", "large"))
    assert refused(lambda: ichiba.load(game, 2, modules=["./tides"])) == """\
error[E413]: this is said to be for the game `large`
  ┌─ tides/module.yaml:2:6
 2│ for: large
  │      ^^^^^ this game is `small`"""
    said = command("check", "./tides")
    assert said.code and "the module `tides` is for the game `large`, which is not installed, nor beside it" in said.out + said.err
    module(Path.cwd(), module=TIDES["module.yaml"].replace("for: small\n", ""))
    assert "does not say which game it is for" in (said := command("test", "./tides")).out + said.err


# --- strangers


def test_one_stranger_among_them_and_all_is_read_as_a_strangers(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ichiba.interpreter.api.made", None)  # it would be called here
    monkeypatch.setenv("ICHIBA_TRUST", str(game))
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    assert ichiba.load(game, 2, modules=["./tides"]).start(1).codes
    monkeypatch.setenv("ICHIBA_TRUST", f"{game}{os.pathsep}{Path.cwd()}")
    with pytest.raises(TypeError):
        ichiba.load(game, 2, modules=["./tides"])


def test_a_module_that_leads_out_of_its_folder_is_refused(game: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text("money")
    (Path("tides") / "more.rules").symlink_to(tmp_path / "secret.rules")
    assert refused(lambda: ichiba.load(game, 2, modules=["./tides"])) == (
        "error[E001]: `more.rules` cannot be read: it leads out of the ruleset's folder\n  = put the file itself there"
    )
