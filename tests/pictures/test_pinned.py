"""Boards, maps and tables are drawn as they were when somebody looked at them."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ichiba.interpreter.api import rulesets
from ichiba.table.markup.elements import Element
from ichiba.table.markup.writing import svg
from ichiba.table.svg.drawing import picture
from ichiba.table.svg.gallery import Drawn
from ichiba.table.svg.scenes import PHONE
from tests.pictures.pinned import GOLDEN, LARGEST, MAPS, TABLES, gallery, game, midgame, same_as_pinned

DESKTOP = 1200.0


def drawn(one: Drawn) -> str:
    return svg(picture(one.panel, one.title))


def test_every_board_of_the_largest_game_is_drawn_as_it_was_looked_at() -> None:
    printed = gallery(game(*LARGEST)).printed()
    assert len(printed) == 30
    for one in printed:
        same_as_pinned(f"boards/{one.name}.svg", drawn(one))
    assert {path.stem for path in (GOLDEN / "boards").glob("*.svg")} == {one.name for one in printed}


@pytest.mark.parametrize("city", MAPS)
def test_every_map_is_drawn_as_it_was_looked_at(city: str) -> None:
    [one] = [one for one in gallery(game("shinjuku", 3, (), (("city", city),))).printed() if one.name == "station"]
    same_as_pinned(f"maps/{city}.svg", drawn(one))


def test_the_tables_of_all_games_are_looked_at() -> None:
    assert set(TABLES) == set(rulesets())


@pytest.mark.parametrize("name", TABLES)
def test_everything_is_drawn_soundly_on_a_wide_screen_too(name: str) -> None:
    table = midgame(game(name), TABLES[name])
    for one in [*gallery(table.game).printed(), gallery(table.game).table(table, 1, DESKTOP)]:
        root = ElementTree.fromstring(drawn(one))
        assert beyond(root, float(root.attrib["width"]), float(root.attrib["height"])) == []


@pytest.mark.parametrize("name", TABLES)
def test_the_table_of_every_game_in_mid_game_is_drawn_as_it_was_looked_at(name: str) -> None:
    table = midgame(game(name), TABLES[name])
    assert not table.over
    same_as_pinned(f"tables/{name}.svg", drawn(gallery(table.game).table(table, 1, PHONE)))


@pytest.mark.parametrize("path", sorted(GOLDEN.rglob("*.svg")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_picture_is_sound_and_nothing_in_it_leaves_its_paper(path: Path) -> None:
    """It can be parsed, asks for nothing from elsewhere, and every line of words ends before the edge does."""
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert not re.search(r"href|url\(|@import|<script|<image|<foreignObject", text)
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    assert root.attrib["viewBox"] == f"0 0 {wide:g} {high:g}"
    assert beyond(root, wide, high) == []


def beyond(root: ElementTree.Element, wide: float, high: float) -> list[str]:
    """Words and boxes that reach over the edge, by the places that are written in the picture."""
    from ichiba.table.svg.measure import width

    found = []

    def look(node: ElementTree.Element, left: float, top: float) -> None:
        turned = re.match(r"translate\(([-\d.e]+) ([-\d.e]+)\)", node.attrib.get("transform", ""))
        if turned:
            left, top = left + float(turned[1]), top + float(turned[2])
        if node.tag.endswith("}text"):
            size, words = float(node.attrib.get("font-size", 12)), "".join(node.itertext())
            long = width(words, size, "b" in node.attrib["class"].split())
            x = left + float(node.attrib["x"]) - {"middle": long / 2, "end": long}.get(node.attrib.get("text-anchor", ""), 0)
            if x < -1 or x + long > wide + 1 or top + float(node.attrib["y"]) > high:
                found.append(words)
        if node.tag.endswith("}rect"):
            right, bottom = (float(node.attrib[at]) + float(node.attrib[size]) for at, size in (("x", "width"), ("y", "height")))
            if left + right > wide + 1 or top + bottom > high + 1:
                found.append(str(node.attrib))
        for child in node:
            look(child, left, top)

    look(root, 0, 0)
    return found


def test_what_leaves_its_paper_is_seen() -> None:
    words = '<g transform="translate(90 0)"><text class="ink" x="0" y="5">Tuna</text></g>'
    far = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{words}</svg>')
    assert beyond(far, 100, 10) == ["Tuna"] and beyond(far, 200, 10) == []


def test_the_same_scene_gives_the_same_bytes() -> None:
    table = midgame(game("tsukiji"), TABLES["tsukiji"])
    made: list[Element] = [picture(gallery(table.game).table(table, 2, 800).panel, "x") for _ in range(2)]
    assert svg(made[0]) == svg(made[1])
