"""Values, fields and flags under `show` in `look.yaml`: as they stand now, for whoever looks, in the scene that every screen draws."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.interpreter.sight.figures import Figures
from ichiba.table.scene.look import look_of
from ichiba.table.scene.scene import Director
from ichiba.table.scene.sections import Scene, Section
from ichiba.table.scene.spelling import words_of
from ichiba.table.terminal.screen import Screen
from ichiba.table.terminal.showing import Showing
from tests.table.door import ichiba as door

GAME = """
game: mills
language: 2
title: Mills
seats: 2
units: {thaler: {write: "{} Th"}}
tables: {price: {index: n, from: 0, values: [1, 3, 6], then: 9, unit: thaler}}
things: {mill: {each: {wind: {cost: 4 thaler, tiled: true}, water: {cost: 7 thaler, tiled: false}}}}
pieces:
  sack: {sorts: [rye, oats], count: 9, in: barn}
  wheel: {sorts: {large: {turns: 2, grain: rye}, small: {turns: 5, grain: oats}}, in: shed}
rules: |
  kind mill is thing:
      field cost: thaler
      field tiled: flag
      flag grinds
      flag visited(s: seat)
  kind wheel is piece:
      field turns: number
      field grain: sack

  seat:
      purse cash: thaler start 5 thaler
      zone cellar of sack, hidden from others

  table:
      purse bank: thaler, unlimited
      zone barn of sack
      zone shed of wheel
      zone mills_own of sack

  value worth(m: mill) -> thaler: price(count of mills_own) + m.cost
  value sacks(s: seat) -> number: count of rye in s.cellar
  value wealth(s: seat) -> thaler: s.cash * 2
  value left(k: sack) -> number: count of k in barn
  value busy: (m in mills where m.grinds)
  value guests(m: mill): (x in seats where m.visited(x))
  guard cheap(m: mill) "it is dear": m.cost < 5 thaler

  play:
      take turns from seat(1) until false, at most 6 times then end as evening:
          menu turn:
              option fill "Take rye": move 1 rye from barn to my.cellar
              option grind "Start {m}" for m in mills where not m.grinds:
                  mark m.grinds
                  mark m.visited(me)
                  move 1 oats from barn to mills_own
              option sell "Sell for {worth(wind)}": gain worth(wind) from bank

  scoring:
      score for each seat: score "Cash" my.cash
  ranking: highest total else shared
endings: {evening: {en: Evening}}
"""
LOOK = """look: 1
sections:
  table: {show: [busy, left, shed]}
  mill: {as: table, show: [worth, cost, tiled, grinds, visited, guests, cheap]}
  wheel: {show: [turns, grain]}
  seats: {as: table, show: [cash, wealth, sacks]}
"""


def written(tmp_path: Path, look: str = LOOK) -> Path:
    folder = tmp_path / "mills"
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    (folder / "look.yaml").write_text(look, encoding="utf-8")
    return folder


def seen(table: ichiba.Table, seat: int | None, before: Scene | None = None) -> Scene:
    faults = Faults()
    look = look_of(table.game, faults)
    faults.raise_if_errors()
    view = table.view(seat)
    return Director(table.game, look, False).scene(view, before.flat if before else None, figures=Figures(table, seat))


def told(scene: Scene, section: str) -> list[str]:
    found = next(one for one in scene.sections if one.name == section)
    return [_told(found, number) for number in range(len(found.entities))]


def _told(section: Section, number: int) -> str:
    entity = section.entities[number]
    head = f"{words_of(entity.head)}: " if entity.head else ""
    return head + "; ".join(f"{value.label} {words_of(value.cell)}{value.change and f' ({value.change})'}" for value in entity.values)


def test_values_fields_and_flags_stand_where_the_look_names_them(tmp_path: Path) -> None:
    table = ichiba.load(written(tmp_path), trust=True).start(seed=1)
    first = seen(table, 1)
    assert told(first, "mill") == [
        "wind: worth 5 Th; cost 4 Th; tiled yes; grinds no; visited ; guests none; cheap yes",
        "water: worth 8 Th; cost 7 Th; tiled no; grinds no; visited ; guests none; cheap no",
    ]
    assert told(first, "table") == ["busy none; left rye 9, oats 9; shed large (turns 2, rye), small (turns 5, oats)"]
    table.play("grind/water")
    later = seen(table, 1, first)
    assert told(later, "mill") == [
        "wind: worth 7 Th (+2); cost 4 Th; tiled yes; grinds no; visited ; guests none; cheap yes",
        "water: worth 10 Th (+2); cost 7 Th; tiled no; grinds yes (*); visited seat 1: yes (*); guests seat 1 (*); cheap no",
    ]
    assert told(later, "table") == ["busy water (*); left rye 9, oats 8 (*); shed large (turns 2, rye), small (turns 5, oats)"]


def test_what_is_worked_out_from_something_hidden_is_hidden_from_all(tmp_path: Path) -> None:
    """Also where it is one's own: a screen does not guess whose figure it is."""
    table = ichiba.load(written(tmp_path), trust=True).start(seed=1)
    for key in ("fill", "fill"):
        table.play(key)
    for seat in (1, 2, None):
        assert told(seen(table, seat), "seats") == [
            "seat 1: cash 5 Th; wealth 10 Th; sacks hidden", "seat 2: cash 5 Th; wealth 10 Th; sacks hidden",
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("section", "show", "hint"),
    [
        ("mill", "wrth", "did you mean `worth`?"),
        ("mill", "wealth", ""),  # it is asked of seats
        ("seats", "worth", ""),
        ("table", "price", "did you mean `rice`?"),
    ],
)
def test_what_cannot_be_asked_there_is_a_fault_of_the_look(tmp_path: Path, section: str, show: str, hint: str) -> None:
    said = door("check", written(tmp_path, f"look: 1\nsections: {{{section}: {{show: [{show}]}}}}\n"))
    assert said.code == 1 and f"error[E205]: nothing there is called `{show}`" in said.out
    assert "mills/look.yaml:2:" in said.out


def test_the_screen_has_them(tmp_path: Path) -> None:
    said = door("play", written(tmp_path), "--trust", "--bots", "0", "--plain", typed="\nq\n")
    assert "wind: worth 5 Th; cost 4 Th" in said.out
    assert "left rye 9, oats 9" in said.out


def test_others_hear_what_an_answer_said_unless_it_told_something_hidden(tmp_path: Path) -> None:
    """`Sell for {worth(wind)}` reads what everybody sees."""
    said = door("play", written(tmp_path), "--trust", "--bots", "0", "--plain", typed="\nsell\n\nl\nq\n")
    assert "seat 1: Sell for 5 Th" in said.out


def test_a_question_that_asks_for_a_thing_shows_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Which company is founded: what its shares cost and how large it is stands behind its name."""
    game = ichiba.load("salt_flats", seats=2, options={"start_player": 1})
    hands = ("c1", "c3", "c6", "f6", "c2", "a1", "a6", "f1")
    table = game.start(seed=1, chance=tuple(f"draw/{plot}" for plot in hands))
    table.play("dig/c1")
    table.play("dig/c2")
    decision = table.decision
    assert decision is not None
    Showing(table, {}, Screen(plain=True), look_of(game, Faults())).question(decision)
    assert "found/heron   Heron (price 3 crowns, size 0)" in capsys.readouterr().out
