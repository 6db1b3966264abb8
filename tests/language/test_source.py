"""Claims about places in texts."""

import pytest

from ichiba.dsl.faults.source import Embedded, Source, Span


def test_lines_and_columns_count_from_one() -> None:
    source = Source("a.rules", "one\ntwo\n")
    assert [source.line_col(at) for at in (0, 2, 3, 4, 7)] == [(1, 1), (1, 3), (1, 4), (2, 1), (2, 4)]


def test_the_end_of_a_text_has_a_place_with_or_without_a_last_line_break() -> None:
    assert Source("a", "one\n").line_col(4) == (2, 1)
    assert Source("a", "one").line_col(3) == (1, 4)
    assert Source("a", "").line_col(0) == (1, 1)


def test_an_offset_outside_the_text_counts_as_its_nearest_end() -> None:
    source = Source("a", "one\ntwo")
    assert source.line_col(-5) == (1, 1)
    assert source.line_col(99) == (2, 4)


def test_a_line_comes_without_its_line_break_of_either_kind() -> None:
    source = Source("a", "one\r\ntwo\nthree")
    assert [source.line_text(line) for line in (1, 2, 3)] == ["one", "two", "three"]


def test_a_line_that_does_not_exist_is_empty() -> None:
    source = Source("a", "one")
    assert (source.line_text(0), source.line_text(2)) == ("", "")


def test_a_span_knows_where_it_begins_and_ends() -> None:
    span = Span(Source("a", "one\ntwo three"), 2, 7)
    assert (span.line, span.col, span.end_line, span.end_col) == (1, 3, 2, 4)
    assert span.text == "e\ntwo"


def test_two_spans_are_covered_by_the_smallest_that_holds_both() -> None:
    source = Source("a", "one two three")
    first, last = Span(source, 0, 3), Span(source, 8, 13)
    assert Span.cover(last, first) == Span(source, 0, 13)


def test_spans_of_two_files_cannot_be_covered() -> None:
    with pytest.raises(ValueError, match="no span covers both a and b"):
        Span.cover(Span(Source("a", ""), 0, 0), Span(Source("b", ""), 0, 0))


def test_a_whole_file_is_embedded_in_itself() -> None:
    source = Source("a.rules", "move eel")
    assert Embedded.whole(source).span(5, 8) == Span(source, 5, 8)
    assert Embedded.whole(source).span(8, 8) == Span(source, 8, 8)


def test_an_embedded_text_points_into_its_file() -> None:
    source = Source("a.yaml", "rules: |\n  move\n  eel\n")
    block = Embedded(source, "move\neel\n", [11, 12, 13, 14, 15, 18, 19, 20, 21, 22])
    assert block.span(5, 8).text == "eel"
    assert block.span(0, 4).text == "move"


def test_a_part_of_an_embedded_text_still_knows_its_place() -> None:
    source = Source("a.yaml", 'price: "¥{n} each"')
    label = Embedded(source, "¥{n} each", range(8, 18))
    part = label.cut(2, 3)
    assert part.text == "n"
    assert part.span(0, 1).text == "n"


def test_a_place_behind_an_embedded_text_is_its_end() -> None:
    source = Source("a", "one two")
    assert Embedded(source, "one", range(0, 4)).span(3, 9) == Span(source, 3, 3)
