"""Words are as wide as the table of letters says, wrapped and cut by it."""

from __future__ import annotations

import sys
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ichiba.table.markup.elements import walk, words_in
from ichiba.table.markup.writing import svg
from ichiba.table.scene.spelling import ink, words_of
from ichiba.table.svg.drawing import Panel, below, flowing, in_columns, line, parts_of_list, picture
from ichiba.table.svg.measure import cut, width, width_of, wrapped
from ichiba.table.svg.scenes import PHONE
from ichiba.table.svg.setting import set_apart
from tests.pictures.pinned import LARGEST, gallery, game, midgame

LETTERS = st.text(st.sampled_from("abc WmMi鰻鮪🐙 ,.\n"), max_size=60)


@given(LETTERS, st.sampled_from([30.0, 80.0, 200.0]))
def test_no_line_is_wider_than_the_room(text: str, room: float) -> None:
    lines = wrapped(ink(text, "red"), 12, room)
    assert all(width_of(one, 12) <= room + 0.01 for one in lines)


@given(st.lists(st.tuples(LETTERS, st.sampled_from(["", "red", "bold"])), max_size=6), st.sampled_from([30.0, 80.0, 200.0]))
def test_nor_is_one_of_several_colours_and_nothing_of_it_is_lost(cell: list[tuple[str, str]], room: float) -> None:
    lines = wrapped(tuple(cell), 12, room)
    assert all(width_of(one, 12) <= room + 0.01 for one in lines)
    assert "".join("".join(map(words_of, lines)).split()) == "".join("".join(words for words, _ in cell).split())


@given(LETTERS)
def test_nothing_is_lost_when_words_are_wrapped(text: str) -> None:
    told = "".join(words_of(one) for one in wrapped(ink(text), 12, 90))
    assert "".join(told.split()) == "".join(text.split())


@given(LETTERS, st.sampled_from([30.0, 80.0]))
def test_what_is_cut_fits(text: str, room: float) -> None:
    assert width(cut(text, 10, room), 10) <= max(room, width("…", 10))


def test_a_picture_is_wider_than_a_letter() -> None:
    assert width("🐙", 10) > width("鰻", 10) > width("m", 10) > width("i", 10) > 0


@pytest.mark.parametrize(("told", "parts"), [
    (((("2 plums"), ""), (", ", ""), ("apple", "red")), [(("2 plums", ""),), (("apple", "red"),)]),
    ((("eel", ""), (" (", ""), ("price ¥5", ""), (", ", ""), ("fresh", ""), (")", ""), (", ", ""), ("tuna", "")),
     [(("eel", ""), (" (", ""), ("price ¥5", ""), (", ", ""), ("fresh", ""), (")", "")), (("tuna", ""),)]),
])  # fmt: skip
def test_a_list_is_parted_where_the_scene_has_joined_it(told: tuple[tuple[str, str], ...], parts: list[tuple[tuple[str, str], ...]]) -> None:
    assert parts_of_list(told) == parts


def test_panels_are_as_large_as_what_they_hold() -> None:
    ones = [Panel(40, 10), Panel(30, 20), Panel(50, 5)]
    assert (below(ones, 5).width, below(ones, 5).height) == (50, 45)
    assert (flowing(ones, 80, 5).width, flowing(ones, 80, 5).height) == (75, 30)
    assert (in_columns(ones, 110, 10).width, in_columns(ones, 110, 10).height) == (110, 25)
    assert (below([]).width, flowing([], 10).height) == (0, 0)


def test_lines_of_two_scripts_are_parted_for_programs_that_need_it() -> None:
    apart = svg(set_apart(picture(Panel(90, 20, (line(ink("eel 鰻 x", "red"), 4, 12), line(ink("eel"), 4, 12))), "x")))
    assert '<tspan x="4"' in apart and apart.count("<tspan") == 3 and '<text x="4" y="12" class="ink">eel</text>' in apart


def test_drawing_the_largest_table_stays_cheap() -> None:
    """Under 50 ms of CPU on a slow machine. Counted, not timed: some 75,000 calls are 10 ms on a usual one."""
    table = midgame(game(*LARGEST), 120)
    draw = partial(gallery(table.game).table, table, 1, PHONE)
    svg(picture(draw().panel, "x"))  # what never changes is worked out once
    calls = 0

    def count(frame: object, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        svg(picture(draw().panel, "x"))
    finally:
        sys.setprofile(before)
    assert calls < 100_000


def test_no_line_begins_with_a_comma_or_a_closing_bracket() -> None:
    lamp = (*ink("great lamp ("), *ink("oil", "red"), *ink(")", "blue"), *ink(", "), *ink("bell"))
    for room in range(60, 140, 2):
        lines = [words_of(line) for line in wrapped(lamp, 12, room)]
        assert "".join("".join(lines).split()) == "greatlamp(oil),bell" and not any(line[:1] in ",)" for line in lines)


def test_a_blank_between_two_colours_is_not_lost_in_programs_that_drop_one_at_the_start() -> None:
    [text] = [one for one in walk(set_apart(line((*ink("clipper"), *ink(" (", "red"), *ink("5)")), 0, 0))) if one.tag == "text"]
    assert [words_in(child) for child in text.children] == ["clipper ", "(", "5)"]
    signs = set_apart(line((*ink("鰻"), *ink(" eel", "red")), 0, 0))
    assert [words_in(child) for child in signs.children] == ["鰻", "eel"]


BOLD_FACE = {"l": 34.3, "t": 47.8, "r": 49.3, "i": 34.3, "e": 67.8, "n": 71.2, "y": 65.2, "o": 68.7, "a": 67.5, "b": 71.6, "1": 69.6, " ": 34.8}


@pytest.mark.parametrize("words", ["entry 1 tin", "1 barrel", "lottery", "nineteen"])
def test_bold_words_are_as_wide_as_in_the_widest_face(words: str) -> None:
    """DejaVu Sans Bold, in hundredths of the size: narrow letters grow as much as wide ones."""
    face = sum(BOLD_FACE[letter] for letter in words) / 10
    assert face * 0.99 <= width(words, 10, True) <= face * 1.06


def test_the_legend_of_a_map_ends_no_line_between_a_sign_and_its_name() -> None:
    table = midgame(game("shinjuku"), 150)
    lines = [words_in(node) for node in walk(picture(gallery(table.game).table(table, 1, PHONE).panel, "")) if node.tag == "text"]
    assert any("─1─\u00a0seat\u00a01" in one for one in lines)


@given(st.lists(st.sampled_from(["worth", "1", "12", "R", "ap", "the", "marker", "and"]), max_size=20), st.integers(60, 200))
def test_a_number_stays_with_what_it_counts(words: list[str], room: int) -> None:
    """`1 R` is not parted, and no line is too wide for that."""
    lines = ["".join(part for part, _ in line).strip() for line in wrapped(((" ".join(words), ""),), 10, room)]
    assert " ".join(lines).split() == words
    for one, following in zip(lines, lines[1:], strict=False):
        assert not (one[-1:].isdigit() and following.split(" ")[0] in ("R", "ap"))
    assert all(width(line, 10) <= room for line in lines)


def test_no_line_ends_with_an_opening_bracket() -> None:
    boat = (*ink("Two-slot Ship 3", "green"), *ink(" ("), *ink("used", ""), *ink(", "), *ink("eel", "red"), *ink(")"))
    for room in range(60, 160, 2):
        lines = [words_of(line) for line in wrapped(boat, 12, room)]
        assert "".join("".join(lines).split()) == "Two-slotShip3(used,eel)" and not any(line.rstrip().endswith("(") for line in lines)


@pytest.mark.parametrize(("wide", "least"), [(PHONE, 9), (1200.0, 16)])
def test_what_stands_in_the_parts_of_a_map_stands_on_the_map_where_there_is_room(wide: float, least: int) -> None:
    """Of sixteen wards with customers; on a wide map there is more room between the places, so what is near them is further off."""
    table = midgame(game("shinjuku"), 150)
    drawn = walk(picture(gallery(table.game).table(table, 1, wide).panel, ""))
    assert sum(("class", "on line") in node.attributes for node in drawn) >= least
