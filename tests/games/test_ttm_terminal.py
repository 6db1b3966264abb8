"""Tokyo Tsukiji Market at a terminal: a newcomer finds out whose turn it is, what is for sale, and why not."""

import subprocess
import sys
from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.files import disk_cache
from ichiba.table.scene.look import read_look
from ichiba.table.scene.spelling import Speller, words_of

ROOT = Path(__file__).resolve().parents[2]
BOARDS = ["--set", "fish=eel,octopus", "--set", "external=bank,rentals", "--set", "start_player=1"]


def play(*answers: str, lang: str = "en") -> str:
    """The screen of seat 1, at 100 columns, with these answers typed."""
    command = [sys.executable, "-m", "ichiba.table", "play", "tokyo_tsukiji_market", "--seats", "3", "--bots", "2"]
    done = subprocess.run(
        [*command, "--seed", "3", *BOARDS, "--lang", lang], cwd=ROOT, input="\n".join([*answers, "q"]) + "\n",
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are left are kept somewhere else."""
    monkeypatch.setenv("ICHIBA_CACHE", str(disk_cache.place() or "off"))  # but not what all tests share
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_the_first_screen_says_whose_turn_it_is_and_what_is_for_sale_where() -> None:
    said = play()
    assert "your turn" in said
    assert "Eel: barrels 6 Eel Barrel; tokens 13 Eel; licences 3 Eel licence" in said
    assert "Ships: boats One-slot Ship 4, 3 Two-slot Ship, 2 Three-slot Ship, Four-slot Ship, Six-slot Barge" in said
    assert "Bank: contracts 3 Loan, 2 Share" in said and "Rentals: for rent 2 Freezer, 2 Cart" in said
    assert "seat 1 (you): cash ¥2,000; action points 2 ap; Port · left One-slot Ship 1" in said
    assert "visited no" not in said and "landed" not in said


def test_what_a_board_does_is_told_when_asked() -> None:
    said = play("? eel", "? bank", "? tuna")
    assert "Eel is a fish market. Enter for 1 action point. Licences cost ¥500." in said
    assert "Bank is an external market. Enter for 2 action points or ¥100." in said
    assert "sells for ¥100 times that. It is not in play." in said


def test_why_not_is_told_when_asked() -> None:
    said = play("? visit/tuna", "? end", "fish", "undock/one_slot_1", "? dock/one_slot_1/left", "done", "fish",
                "? catch/one_slot_1/eel", "? catch/one_slot_1/tuna")  # fmt: skip
    assert "First spend your action points." in said
    assert "One-slot Ship 1 has done its one thing in this action." in said
    assert "One-slot Ship 1 cannot take Eel: empty, it needs more licences than ships at sea with it" in said
    assert "Tuna has nothing left to catch." in said


def test_in_spanish_too() -> None:
    said = play("? eel", lang="es")
    assert "¿Qué haces?" in said and "Visitar Anguila" in said
    assert "Se entra por 1 punto de acción. Las licencias cuestan ¥500." in said
    assert "Anguila: barriles 6 barril de anguila; fichas 13 Anguila; licencias 3 licencia de anguila" in said


def test_boards_keep_their_names_beside_their_glyphs_and_fish_go_by_theirs() -> None:
    game = ichiba.load("tokyo_tsukiji_market", seats=2, options={"fish": ["eel"], "external": ["bank"]})
    faults = Faults()
    look = read_look(game.box.path, game.world, faults)
    assert faults.all == ()
    speller = Speller(game, look)
    things = {thing.name: thing for thing in game.world.things}
    assert words_of(speller.thing(things["eel"])) == "鰻 Eel"
    assert words_of(speller.thing(things["two_slot_1"])) == "Two-slot Ship 1"
    barrels = game.world.kinds["fish_market"].members["barrels"]
    view = game.start(1).view(1)["things"]
    assert isinstance(view, dict)
    assert words_of(speller.value(barrels, view["fish_market eel"]["barrels"])) == "6 鰻"
