"""Maps drawn from coordinates, tracks and columns: what lies where, in so many columns of a screen; the same in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

import ichiba as engine
from ichiba.dsl.faults.fault import Faults
from ichiba.interpreter.saves.records import scripted
from ichiba.table.scene.chart import Chart, Note, Spot, Way, drawn
from ichiba.table.scene.look import Look, read_look
from ichiba.table.scene.scene import Director
from ichiba.table.scene.spelling import ink, words_of
from ichiba.table.scene.track import Track, drawn_track, told_track
from ichiba.table.terminal.screen import Screen

FILES = {
    "game.yaml": """\
game: islands
language: 2
seats: 2
map: maps/north.yaml
pieces:
  hut: {per: seat, count: 3, in: supply}
  rope: {per: seat, count: 3, in: supply_of_rope}
  fish: {count: 9, in: sea, sorts: [cod, eel]}
things:
  isle: {from: isles}
  reef: {from: reefs}
  crossing: {edges: crossings}
  ford: {edges: fords}
""",
    "play.rules": """\
kind isle is thing:
    zone shoals of fish

kind reef is node:
    field isle: isle
    field harbour: flag
    zone huts of hut

kind crossing is edge:
    zone laid of rope, at most 1

kind ford is edge:
    "Always open."

seat:
    zone supply of hut
    zone supply_of_rope of rope

table:
    zone sea of fish

setup:
    move 1 hut from seat(2).supply to reef(2).huts
    move 2 hut from seat(1).supply to reef(2).huts
    move 1 rope from seat(1).supply_of_rope to crossing(1).laid
    move 2 cod from sea to isle(1).shoals

play:
    take one turn each from seat(1):
        menu rest:
            option wait "Wait": nothing
            option pray "Pray": nothing

scoring:
    score for each seat: score "Huts" count of my.supply
""",
    "maps/north.yaml": """\
map: {id: north, name: North}
isles: [{id: big, name: Big Isle}, {id: small, name: Small Isle}]
reefs:
  - {id: west, name: West Point, isle: big, harbour: true, x: 0, y: 0}
  - {id: east, name: East Point, isle: big, harbour: false, x: 100, y: 0}
  - {id: south, name: South Point, isle: small, harbour: false, x: 50, y: 60}
crossings: [[west, east], [west, south]]
fords: [[east, south]]
""",
    "look.yaml": """\
look: 1
glyphs:
  hut: {glyph: H}
  cod: {glyph: "><"}
seats: [red, blue]
sections:
  reef: {as: map, signs: {harbour: "#"}, within: isle}
  crossing: {as: hidden}
  ford: {as: hidden}
""",
}


def write(folder: Path, **changes: str) -> Path:
    """The little ruleset; `look_yaml` stands for look.yaml."""
    home = folder / "islands"
    for name, text in {**FILES, **{name.replace("_", ".", 1): text for name, text in changes.items()}}.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home


def look_of(game: engine.Game, faults: Faults | None = None) -> Look:
    return read_look(game.folder, game.world, faults or Faults())


def chart_of(game: engine.Game) -> Chart:
    sections = Director(game, look_of(game)).scene(game.start(1).view(1)).sections
    (chart,) = (section.chart for section in sections if section.chart is not None)
    return chart


def lines_of(chart: Chart, width: int) -> list[str]:
    return [words_of(line) for line in drawn(chart, width)]


def test_places_stand_where_their_coordinates_say_and_ways_between_them(tmp_path: Path) -> None:
    lines = lines_of(chart_of(engine.load(write(tmp_path), seats=2)), 64)
    west, south = lines[0].index("#"), lines[-1].index("○")
    assert re.fullmatch(" #─+1─+○", lines[0]) and lines[1].startswith("  West Point ")
    assert (west, lines[0].index("○"), south, len(lines)) == (1, 51, 26, 16)
    assert lines[-1].endswith("○South Point")


def test_what_lies_there_is_told_with_whose_it_is(tmp_path: Path) -> None:
    chart = chart_of(engine.load(write(tmp_path), seats=2))
    text = "\n".join(lines_of(chart, 64))
    assert "East Point 2H1 H2" in text
    assert "[Big Isle 2><]" in text and "Small Isle" not in text
    (built,) = (way for way in chart.ways if way.mark)
    assert (built.mark, built.colour, words_of(built.words)) == ("1", "red", "West Point – East Point: rope1")
    assert [way.always for way in chart.ways] == [False, False, True]
    assert words_of(chart.legend) == "# harbour · ··· crossing · ═══ ford · ─1─ seat 1"


BARE = """\
kind isle is thing:
    "Land."

kind reef is node:
    field isle: isle
    field harbour: flag

kind crossing is edge:
    "A boat goes there."

kind ford is edge:
    "Always open."

seat:
    zone supply of hut
    zone supply_of_rope of rope

table:
    zone sea of fish

play:
    take one turn each from seat(1):
        menu rest:
            option wait "Wait": nothing
            option pray "Pray": nothing

scoring:
    score for each seat: score "Fish" 0
"""


def test_a_map_is_drawn_though_its_places_have_nothing_that_could_change(tmp_path: Path) -> None:
    lines = lines_of(chart_of(engine.load(write(tmp_path, play_rules=BARE), seats=2)), 64)
    assert any("West Point" in line for line in lines) and lines[-1].endswith("○South Point")


def test_a_grid_is_drawn_though_its_places_have_nothing_that_could_change(tmp_path: Path) -> None:
    game = FILES["game.yaml"].replace("things:", "things:\n  pan: {grid: 2 x 3}")
    rules, look = BARE + '\nkind pan is node:\n    "Salt."\n', "look: 1\nsections: {pan: {as: grid}}\n"
    home = write(tmp_path, play_rules=rules, game_yaml=game, look_yaml=look)
    table = engine.load(home, seats=2)
    assert [s.name for s in Director(table, look_of(table)).scene(table.start(1).view(1)).sections if s.grid is not None] == ["pan"]


def test_the_plain_form_says_the_same_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = engine.load(write(tmp_path), seats=2)
    screen = Screen(plain=True)
    for section in Director(game, look_of(game), glyphs=False).scene(game.start(1).view(1)).sections:
        screen.section(section)
    said = capsys.readouterr().out
    assert "East Point: huts hut of seat 2, 2 hut of seat 1" in said or "East Point: huts 2 hut of seat 1, hut of seat 2" in said
    assert "West Point – East Point: rope1" in said
    assert not re.search("[○═─·]{3}", said)


def test_on_a_terminal_it_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = engine.load(write(tmp_path), seats=2)
    screen = Screen(width=64)
    screen.plain = False
    for section in Director(game, look_of(game)).scene(game.start(1).view(1)).sections:
        screen.section(section)
    said = capsys.readouterr().out
    for line in lines_of(chart_of(game), 64):
        assert line in said


def test_what_edges_cost_and_whose_they_are_is_written_on_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = 'kind ford is edge:\n    field toll: number = 7\n    remember holder: seat or none\n'
    rules = FILES["play.rules"].replace('kind ford is edge:\n    "Always open."\n', kinds)
    rules = rules.replace("kind crossing is edge:\n", "kind crossing is edge:\n    field toll: number\n")
    dear = "crossings: [{between: [west, east], toll: 3}, {between: [west, south], toll: 12}]"
    island = FILES["maps/north.yaml"].replace("crossings: [[west, east], [west, south]]", dear)
    look = FILES["look.yaml"].replace('within: isle}', "within: isle, costs: toll}")
    for holder, drawn_so in (("", ("12", "7")), ("\n    set ford(1).holder to seat(2)", ("12", "2"))):
        files = {**FILES, "play.rules": rules.replace("    move 2 cod", f"{holder}\n    move 2 cod".lstrip("\n")), "look.yaml": look}
        home = write(tmp_path / f"held{bool(holder)}")
        for name, text in {**files, "maps/north.yaml": island}.items():
            (home / name).write_text(text, encoding="utf-8")
        game = engine.load(home, seats=2)
        lines = lines_of(chart_of(game), 80)
        text = "\n".join(lines)
        assert all(re.search(rf"(?<!\d){cost}(?!\d)", text) for cost in drawn_so), text
        assert max(map(cell_len, lines)) <= 80
        screen = Screen(plain=True)
        for section in Director(game, look_of(game), glyphs=False).scene(game.start(1).view(1)).sections:
            screen.section(section)
        said = capsys.readouterr().out
        assert "West Point – South Point: toll 12" in said and "East Point – South Point: toll 7" + (", seat 2" if holder else "") in said, said


def test_an_edge_that_remembers_a_thing_bears_its_sign(tmp_path: Path) -> None:
    game = FILES["game.yaml"].replace("things:", "things:\n  company: {each: {ash: {}, north_line: {}}}")
    kinds = 'kind company is thing:\n    "A railway."\n\nkind ford is edge:\n    remember owner: company or none\n'
    rules = BARE.replace('kind ford is edge:\n    "Always open."\n', kinds)
    rules = rules.replace("play:\n", "setup: set ford(1).owner to company(2)\n\nplay:\n")
    for number, (glyphs, mark, colour) in enumerate((("", "n", ""), ("glyphs: {north_line: {glyph: N, colour: blue}}\n", "N", "blue"))):
        home = write(tmp_path / str(number), game_yaml=game, play_rules=rules)
        (home / "look.yaml").write_text(FILES["look.yaml"].replace("look: 1\n", f"look: 1\n{glyphs}", 1), encoding="utf-8")
        chart = chart_of(engine.load(home, seats=2))
        (way,) = (way for way in chart.ways if way.mark)
        assert (way.mark, way.colour) == (mark, colour or way.colour) and f"─{mark}─ north line" in words_of(chart.legend)


@pytest.mark.parametrize("width", [40, 80, 100, 120])
def test_no_line_is_wider_than_it_may_be(width: int) -> None:
    chart = chart_of(engine.load("shinjuku", seats=2))
    assert max(cell_len(line) for line in lines_of(chart, width)) <= width


@pytest.mark.parametrize("city", ["tokyo", "paris", "osaka"])
def test_every_name_of_a_large_map_is_there_in_full_at_100_columns(city: str) -> None:
    chart = chart_of(engine.load("shinjuku", seats=2, options={"city": city}))
    text = "\n".join(lines_of(chart, 100))
    assert [spot.name for spot in chart.spots if spot.name not in text] == []


def test_where_it_is_crowded_names_are_shortened_but_what_lies_there_stays() -> None:
    spots = [Spot(x, y, ink("o"), f"Longname{x}{y}", ink(f"<{x}{y}>")) for x in range(4) for y in range(4)]
    lines = lines_of(Chart(tuple(spots), (Way(0, 15),)), 30)
    assert "Longname00 <00>" in "\n".join(lines[:-4]) and "Longn. <" in "\n".join(lines[:-4])
    assert all("\n".join(lines).count(f"<{x}{y}>") == 1 for x in range(4) for y in range(4))
    assert re.fullmatch(r"Longname\d\d <\d\d>( · Longname\d\d <\d\d>)*", lines[-1])


def test_all_places_on_one_line_or_on_one_spot() -> None:
    row = Chart((Spot(0, 5, ink("o"), "A"), Spot(9, 5, ink("o"), "B")), (Way(0, 1, "2"),))
    (line,) = lines_of(row, 30)
    assert line.startswith(" oA─") and line.endswith("oB") and "─2─" in line
    assert lines_of(Chart((Spot(3, 3, ink("o"), "A"),), (), (Note(3, 3, ink("[x]")),)), 30)[0].startswith(" oA")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"look_yaml": "look: 1\nsections: {isle: {as: map}}\n"}, "`isle` cannot be drawn as a map"),
        ({"look_yaml": "look: 1\nsections: {reef: {as: map, signs: {harbor: x}}}\n"}, "no flag field is called `harbor`"),
        ({"look_yaml": "look: 1\nsections: {reef: {as: map, within: harbour}}\n"}, "no field of places is called `harbour`"),
        ({"look_yaml": "look: 1\nsections: {reef: {as: list, within: isle}}\n"}, "the section `reef` has no key `within`"),
        ({"maps/north_yaml": FILES["maps/north.yaml"].replace(", x: 50", "")}, "for a map every node needs `x` and `y`"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_a_fault(tmp_path: Path, changes: dict[str, str], words: str) -> None:
    game = engine.load(write(tmp_path, **changes), seats=2)
    faults = Faults()
    look_of(game, faults)
    assert [fault.message for fault in faults.all] == [words] or words in str([f.message for f in faults.all])


# tracks and columns


def rows(track: Track, width: int = 40) -> list[str]:
    return [words_of(line) for line in drawn_track(track, width)]


def test_who_came_later_stands_on_top_and_neighbours_do_not_touch() -> None:
    track = Track(((3, (ink("eel"),)), (4, (ink("cod"), ink("ray")))), 1, 21)
    assert rows(track) == [
        "        ray",
        "    eel cod",
        "────┴───┴───────────────────────────────",
        "    3   4",
    ]
    assert words_of(told_track(track)) == "3: eel; 4: ray over cod"


def test_at_the_end_of_a_track_nothing_leaves_the_screen() -> None:
    track = Track(tuple((space, (ink("🐟"),)) for space in (1, 57, 58, 59, 60)), 1, 60)
    for width in (30, 60, 80):
        lines = rows(track, width)
        assert max(cell_len(line) for line in lines) <= width
        assert lines[-1].split() == ["1", "57", "58", "59", "60"] and lines[0].count("🐟") == 5
    assert rows(Track((), 1, 60)) == []


def test_the_market_of_tsukiji_is_a_track_and_its_lots_are_columns(capsys: pytest.CaptureFixture[str]) -> None:
    game = engine.load("tsukiji", seats=2, options={"start_player": 1})
    markers = tuple(f"marker/{name}" for name in ("tako", "ebi", "sake", "fugu"))
    lots = ("ebi", "ebi", "maguro", "tako", "sake", "sake", "fugu", "yakuza", "hotategai")
    table = scripted(game, 1, markers + tuple(f"draw/{card}" for card in lots))
    director = Director(game, look_of(game))
    first = director.scene(table.view(1))
    for key in ("ticket/4", "ticket/0", "ticket/1", "ticket/4", "ticket/0", "ticket/1"):
        table.play(key)
    screen = Screen(width=80)
    screen.plain = False
    for section in director.scene(table.view(1), before=first.flat).sections:
        screen.section(section)
    said = capsys.readouterr().out
    assert max(cell_len(line) for line in said.splitlines()) <= 80
    lines = [line.rstrip() for line in said.splitlines()]
    market = lines.index("market")
    assert lines[market + 1 : market + 3] == ["🐠", "🐙     🐡 🐚 🦐"]
    assert lines[market + 3].startswith("┴──────┴──┴──┴──") and lines[market + 4] == "1      6  7  10"
    assert lines[market + 5] == "moved: 🦐 +8 · 🐚 +2 · 🐡 +2 · 🐠 -2"
    head = next(number for number, line in enumerate(lines) if "lot 1" in line)
    assert lines[head].split() == ["lot", "1", "lot", "2", "lot", "3"]
    assert lines[head + 2].split() == ["cards", "2", "🦐", "🐙", "🐚"]
    assert lines[head + 3].split() == ["🐟", "2", "🐠", "🐡"]
    assert next(line for line in lines if line.startswith("price")).split()[1::2] == ["¥12", "¥5", "¥9"]


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("as: track", "the section `marker` has no `at`"),
        ("as: track, at: spcae", "no counter is called `spcae`"),
        ("as: list, at: space", "the section `marker` has no key `at`"),
    ],
)
def test_what_cannot_be_a_track_is_a_fault(tmp_path: Path, section: str, words: str) -> None:
    home = tmp_path / "tsukiji"
    home.mkdir()
    (home / "look.yaml").write_text(f"look: 1\nsections: {{marker: {{{section}}}}}\n", encoding="utf-8")
    faults = Faults()
    read_look(home, engine.load("tsukiji", seats=2).world, faults)
    assert words in str([fault.message for fault in faults.all])
