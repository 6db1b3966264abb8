"""Claims about what is not there, has gone or comes from the future: the nearest is named, or what there is, and what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ichiba import IllegalMove, SaveFault, UnknownRuleset, load, resume
from tests.table.door import ichiba

CONFIGURATIONS = {
    "configuration: 9\ngame: goofspiel\n":
        "ichiba: this is a configuration of version 9, and this Ichiba reads version 1 (friday.yaml:1); a newer Ichiba reads it",
    "configuration: 1\ngame: goofspeil\n":
        "ichiba: friday.yaml:2 is for another game than there is here: there is no ruleset `goofspeil`; did you mean `goofspiel`?\n",
    "configuration: 1\ngame: ./goofspiel\n":
        "ichiba: friday.yaml:2 is for another game than there is here: no ruleset lies in `./goofspiel`: there is no such folder; "
        "a name without `/` is one of those that `ichiba games` lists",
    "configuration: 1\ngame: goofspiel\noptions: {crads: 9}\n": "ichiba: there is no option `crads` (friday.yaml:3); did you mean `cards`?",
    "configuration: 1\ngame: goofspiel\noptions: {blue: 9}\n": "ichiba: there is no option `blue` (friday.yaml:3); options: cards",
    "configuration: 1\ngame: goofspiel\noptions: {cards: 90}\n":
        "ichiba: the option `cards` cannot be 90 (friday.yaml:3); it is a number from 2 to 20",
    "configuration: 1\ngame: goofspiel\nvariants: [ascendign]\n":
        "ichiba: `goofspiel` has no module or variant `ascendign` (friday.yaml:3); did you mean `ascending`?",
    "configuration: 1\ngame: goofspiel\nassumptions: {A-9: 1}\n": "ichiba: there is no assumption `A-9` (friday.yaml:3)",
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), CONFIGURATIONS.items())
def test_a_configuration_that_does_not_fit(text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("friday.yaml").write_text(text)
    told = ichiba("play", "--config", "friday.yaml")
    assert (told.code in (1, 2), told.out) == (True, "")
    assert told.err.startswith(said)


def test_a_module_that_lies_beside_a_configuration_no_longer(tmp_path: Path) -> None:
    (tmp_path / "friday.yaml").write_text("configuration: 1\ngame: goofspiel\nmodules: [./tides]\n")
    told = ichiba("play", "--config", tmp_path / "friday.yaml")
    assert told.code == 2 and told.err.startswith(f"ichiba: `{tmp_path}/tides` is no module: there is no such folder; modules in ")


def test_a_game_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bazaar").mkdir()
    (tmp_path / "bazaar" / "game.yaml").write_text("game: bazaar\n")
    with pytest.raises(UnknownRuleset, match="there is no ruleset `bazar`; did you mean `bazaar`?"):
        load("bazar")
    with pytest.raises(UnknownRuleset, match="no ruleset lies in `./shed`: there is no such folder"):
        load("./shed")


def test_a_path_that_is_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shed").mkdir()
    (tmp_path / "tides").mkdir()
    (tmp_path / "tides" / "module.yaml").write_text("module: tides\nfor: goofspiel\n")
    told = ichiba("info", "goofspiel", "--with", "./shed")
    assert told.err == "ichiba: `./shed` is no module: it has no module.yaml; modules in `./shed`: none\n"
    told = ichiba("info", "goofspiel", "--with", "./tide")
    assert told.err == "ichiba: `./tide` is no module: there is no such folder; did you mean `./tides`?\n"


def test_two_modules_of_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for home in (tmp_path / "tides", tmp_path / "more" / "tides"):
        home.mkdir(parents=True)
        (home / "module.yaml").write_text("module: tides\nfor: goofspiel\n")
    told = ichiba("info", "goofspiel", "--with", "./tides,./more/tides")
    assert told.code == 1
    assert told.err == (
        "error[E206]: two parts of this game are called `tides`\n  = tides and more/tides: name one of them, or rename one\n\n1 error\n"
    )


def test_a_save_from_the_future(tmp_path: Path) -> None:
    path = tmp_path / "friday.json"
    load("goofspiel").start(1).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"ichiba": 9}))
    with pytest.raises(SaveFault) as told:
        resume(path)
    assert str(told.value) == "friday.json is a saved game of format 9, and this Ichiba reads formats 2 and 1: a newer Ichiba reads it"


def test_an_unknown_question() -> None:
    table = load("goofspiel").start(1)
    with pytest.raises(IllegalMove, match="the table waits for seat 1, seat 2"):
        table.play("card/1", seat=3)
    assert table.why_not("cards/1") == "`cards/1` is no answer to this question; did you mean `card/1`?"
    told = ichiba("info", "goofspiel", "--rule", "bidd")
    assert told.code == 2 and told.err == "ichiba: this game has no rule `bidd`; did you mean `bidding` or `bidding.s`?\n"
    told = ichiba("explain", "E2033")
    assert told.code == 2 and told.err == "ichiba explain: there is no fault `E2033`; did you mean `E203`?\n"
