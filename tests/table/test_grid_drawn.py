"""Claims about grids on the screen: each place in its row and column, and nothing that lies there is lost."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from rich.cells import cell_len

import ichiba as engine
from ichiba.dsl.faults.fault import Faults
from ichiba.table.scene.grid import GridPicture, drawn_grid
from ichiba.table.scene.look import Look, look_of, read_look
from ichiba.table.scene.scene import Director
from ichiba.table.scene.spelling import words_of
from tests.table.door import ichiba

FILES = {
    "game.yaml": """\
game: pastures
language: 2
seats: 2
pieces:
  sheep: {per: seat, count: 4, in: fold}
  tree: {sorts: [oak, elm], count: 9, in: nursery}
things:
  meadow: {grid: 3 x 4, hex: true}
""",
    "play.rules": """\
kind meadow is node:
    zone stock of sheep
    zone trees of tree
    zone burrow of tree, hidden from others
    counter hay: 0 .. 99
    flag fenced
    remember shepherd: seat or none

seat:
    zone fold of sheep

table:
    zone nursery of tree

setup:
    move 1 sheep from seat(1).fold to b3.stock
    move 1 sheep from seat(2).fold to b3.stock
    move 2 elm from nursery to a1.trees
    move 3 oak from nursery to b1.burrow
    set c4.hay to 12
    mark a4.fenced
    set c1.shepherd to seat(2)
    mark c1.fenced

play: as seat(1): turn

procedure turn:
    menu turning:
        option stay "Stay": nothing
        option go "Go": nothing

scoring:
    score for each seat: score "Sheep" count of my.fold
""",
    "look.yaml": "look: 1\nglyphs: {elm: ♣}\nsections: {meadow: {as: grid}}\n",
}


def write(tmp_path: Path) -> Path:
    folder = tmp_path / "pastures"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def picture(folder: Path) -> GridPicture:
    game = engine.load(folder)
    look = look_of(game, Faults())
    scene = Director(game, look, False).scene(game.start(1).view(1), None)
    return next(section.grid for section in scene.sections if section.grid is not None)


def test_each_place_has_its_sign_and_all_that_lies_there_is_told(tmp_path: Path) -> None:
    found = picture(write(tmp_path))
    assert [words_of(line) for line in drawn_grid(found)] == [
        "  1   2   3   4",
        "a ♣   ·   ·   #",
        "b   ?   ·   Sh1 ·",
        "c 2   ·   ·   12",
    ]
    assert [words_of(cell) for cell in found.more()] == ["a1: 2 elm", "b1: 3 hidden", "b3: sheep of seat 1, sheep of seat 2"]
    assert words_of(found.signs()) == "# fenced · 2 seat 2 · ? hidden · Sh1 sheep of seat 1 · ♣ elm"


@pytest.mark.parametrize("plain", [["--plain"], []])
def test_it_is_on_the_screen_with_and_without_colour(tmp_path: Path, plain: list[str]) -> None:
    said = ichiba("play", write(tmp_path), "--bots", "0", *plain, typed="\nq\n").out
    assert "Sh1 ·" in said and "# fenced" in said and "b3: sheep of seat 1, sheep of seat 2" in said
    assert max(map(cell_len, said.splitlines())) <= 80


def test_salt_flats_reads_at_80_columns_whatever_is_dug() -> None:
    game, dice = engine.load("salt_flats", 4), Random(1)
    table, director = game.start(1), Director(game, look_of(game, Faults()), True)
    while not table.over:
        table.step(dice.randrange(len(table.legal())))
        [found] = [section.grid for section in director.scene(table.view(1), None).sections if section.grid is not None]
        lines = [words_of(line) for line in drawn_grid(found)]
        assert len(lines) == 7 and max(map(cell_len, lines)) <= 80
    assert "Avocet" in words_of(found.signs())


def test_what_is_no_grid_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "look.yaml").write_text("look: 1\nsections: {seats: {as: grid}}\n")
    faults, game = Faults(), engine.load("no_thanks", 3)
    read_look(folder, game.world, faults)
    assert [(fault.code, fault.message) for fault in faults.all] == [("E106", "`seats` is no grid")]
    assert isinstance(look_of(game, Faults()), Look)
