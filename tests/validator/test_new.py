"""Claims about `ichiba new`: what it makes is in order at once, and nothing is written over."""

import re
from pathlib import Path

import jsonschema
import pytest

from ichiba.interpreter.api import load, rulesets
from ichiba.lab.scenarios import run_scenarios
from ichiba.table.checking import check
from ichiba.table.cli import main
from ichiba.table.templates.templates import laid_out
from ichiba.validator.schema.schema import schemas
from tests.validator.test_schema import read, schema_of


def new(*words: str) -> None:
    assert main(["new", *words]) == 0


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["new", *words]) == 2
    return capsys.readouterr().err.strip()


@pytest.fixture(autouse=True)
def vouched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # no processes of their own


@pytest.fixture
def bazaar(tmp_path: Path) -> Path:
    new("game", "bazaar", "--in", str(tmp_path))
    return tmp_path / "bazaar"


def declarations(folder: Path) -> list[Path]:
    """The files that editors complete; how a game looks is none of them."""
    return [path for path in folder.rglob("*.yaml") if path.name != "look.yaml"]


def in_order(folder: Path) -> None:
    """It checks without a word, its scenarios hold, it can be played, and its files are as their schemas say."""
    assert [fault.message for fault in check(folder, jobs=1).faults] == []
    assert run_scenarios(folder).holds
    table = load(folder).playout(1, lambda table: 0)
    assert table.over
    made = schemas(folder)
    for path in declarations(folder):
        data = read(path)
        which = schema_of(path, folder, data)
        assert which is not None
        assert list(jsonschema.Draft7Validator(made[which]).iter_errors(data)) == []


def test_a_new_game_is_in_order(bazaar: Path) -> None:
    in_order(bazaar)


@pytest.mark.parametrize("like", ["bare", "cards", "map", "grid"])
def test_so_is_one_of_another_kind(like: str, tmp_path: Path) -> None:
    new("game", "ferries", f"--{like}", "--in", str(tmp_path))
    in_order(tmp_path / "ferries")
    for path in (tmp_path / "ferries").rglob("*"):
        if path.suffix in (".rules", ".yaml"):
            assert laid_out(path, text := path.read_text("utf-8")) == text, path


def test_only_games_are_of_another_kind(bazaar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "variant", "wet", "--map", "--in", str(bazaar)) == "ichiba new: `--map` is for games"


def test_a_scenario_of_a_module_lies_in_it_and_switches_it_on(bazaar: Path) -> None:
    new("module", "rain", "--in", str(bazaar))
    new("scenario", "wet", "--in", str(bazaar / "modules" / "rain"))
    assert main(["check", str(bazaar / "modules" / "rain")]) == 0, "a module of a game is looked at with that game"
    assert "modules: [rain]" in (bazaar / "modules" / "rain" / "scenarios" / "wet.scenario.yaml").read_text("utf-8")
    in_order(bazaar)


def test_so_it_is_with_a_new_board_scenario_variant_and_module(bazaar: Path) -> None:
    for what in ("board", "scenario", "variant", "module"):
        new(what, f"new_{what}", "--in", str(bazaar))
    new("board", "wet_stall", "--in", str(bazaar / "modules" / "new_module"))
    assert (bazaar / "modules" / "new_module" / "boards" / "wet_stall.yaml").is_file()
    in_order(bazaar)


def test_every_new_file_leads_an_editor_to_its_schema(bazaar: Path) -> None:
    new("module", "rain", "--in", str(bazaar))
    new("board", "wet_stall", "--in", str(bazaar / "modules" / "rain"))
    files = declarations(bazaar)
    assert len(files) == 7
    for path in files:
        found = re.match(r"# yaml-language-server: \$schema=(\S+)\n", path.read_text("utf-8"))
        assert found and (path.parent / found[1]).is_file(), path


def test_a_board_of_a_large_game_is_in_order_and_lies_with_its_like(tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "tokyo_tsukiji_market"
    shutil.copytree(rulesets()["tokyo_tsukiji_market"], folder)
    for kind in ("fish_market", "external_market", "shipyard"):
        new("board", f"a_{kind}", "--of", kind, "--in", str(folder))
    assert (folder / "boards" / "fish" / "a_fish_market.yaml").is_file()
    assert [fault.message for fault in check(folder, quick=True, jobs=1).faults if fault.severity == "error"] == []


def test_nothing_is_written_over(bazaar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in bazaar.rglob("*") if path.is_file()}
    place = str(bazaar)
    assert refused(capsys, "game", "bazaar", "--in", str(bazaar.parent)).endswith("is there already; nothing was written")
    assert refused(capsys, "board", "tea_stall", "--in", place) == "ichiba new: there is a board `tea_stall` already; nothing was written"
    assert refused(capsys, "scenario", "prices", "--in", place).endswith("prices.scenario.yaml is there already; nothing was written")
    assert {path: path.read_bytes() for path in bazaar.rglob("*") if path.is_file()} == before


def test_what_cannot_be_made_is_refused_in_a_sentence(bazaar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(bazaar)
    assert refused(capsys, "board", "Tea-Stall", "--in", place) == (
        "ichiba new: `Tea-Stall` is no name: names are written in small letters, digits and _, and begin with a letter"
    )
    assert refused(capsys, "board", "count", "--in", place) == "ichiba new: `count` is a word of the rule language; choose another name"
    assert refused(capsys, "board", "inn", "--of", "stal", "--in", place) == "ichiba new: bazaar has no kind of boards `stal`; did you mean `stall`?"
    (tmp_path / "elsewhere").mkdir()
    assert "`ichiba new game` makes one" in refused(capsys, "variant", "x", "--in", str(tmp_path / "elsewhere"))
    assert refused(capsys, "variant", "x", "--of", "stall", "--in", place) == "ichiba new: a variant is of no kind; `--of` is for boards"


# --- explain and schema


def test_every_code_can_be_explained(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["explain", "e203"]) == 0
    assert capsys.readouterr().out == """\
E203: a sentence that cannot go on like this

The grammar knows no sentence with this word at this place. The fault says what could
stand here. Often the slip is a little further left: a forgotten word, comma, colon or
bracket.

This is wrong:

    procedure turn:
        move 1 gem form bag to my.hand

This is right:

    procedure turn:
        move 1 gem from bag to my.hand
"""


def test_a_code_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "E2033"]) == 2
    assert capsys.readouterr().err == "ichiba explain: there is no fault `E2033`; did you mean `E203`?\n"


def test_schemas_are_written_where_one_wants_them(bazaar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", str(bazaar), "--out", str(tmp_path / "out")]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "board.schema.json", "game.schema.json", "look.schema.json", "module.schema.json", "scenario.schema.json",
        "stall.schema.json", "variant.schema.json",
    ]  # fmt: skip


def test_a_module_for_somebody_elses_game_gets_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    new("module", "tides", "--for", "no_thanks")
    assert capsys.readouterr().out.splitlines()[-1] == "ichiba play no_thanks --with ./tides    plays it"
    new("scenario", "wet", "--in", "tides")
    assert {path.relative_to(tmp_path).as_posix() for path in declarations(tmp_path)} == {
        "tides/module.yaml", "tides/scenarios/wet.scenario.yaml",
    }  # fmt: skip
    for path in declarations(tmp_path):
        found = re.match(r"# yaml-language-server: \$schema=(\S+)\n", path.read_text("utf-8"))
        assert found and (path.parent / found[1]).is_file(), path
    assert run_scenarios(tmp_path / "tides").holds
    assert load("no_thanks", modules=["./tides"]).playout(1, lambda table: 0).over


def test_a_board_of_such_a_module_is_of_the_games_kinds(tmp_path: Path, bazaar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    new("module", "tides", "--for", str(bazaar))
    new("board", "fish_stall", "--in", "tides")
    assert "trades: tea" in (tmp_path / "tides" / "boards" / "fish_stall.yaml").read_text("utf-8")
    assert [fault.message for fault in check(bazaar, jobs=1, elsewhere=(tmp_path / "tides",)).faults] == []


def test_a_ruleset_is_found_by_its_name_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "board", "x_ray", "--in", "no_thank") == (
        "ichiba new: there is no folder no_thank, and no ruleset of that name; did you mean `no_thanks`?"
    )
    assert "no_thanks has no boards" in refused(capsys, "board", "x_ray", "--in", "no_thanks")
    assert refused(capsys, "board", "x_ray", "--for", "no_thanks") == (
        "ichiba new: `--for` is for modules in folders of their own; a board lies `--in` its ruleset"
    )
