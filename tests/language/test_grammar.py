"""Claims about how rules are written: lines, words, limits, and a grammar that is never in two minds."""

import logging
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import pytest
from lark import Lark, logger
from lark.exceptions import GrammarError

from ichiba.dsl.faults.fault import Fault, Faults, render_all
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.syntax import parse
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.lexer import Words, logical_lines, with_blocks
from ichiba.dsl.syntax.parse import (
    keywords,
    parse_cost,
    parse_expression,
    parse_items,
    parse_statements,
    taken_words,
)

STARTS = ["start", "expression", "cost_value", "statements"]
KEYWORDS = sorted(keywords())


def items(text: str) -> tuple[tuple[t.Item, ...], str]:
    """The items of a rules text, and what is wrong with it."""
    faults = Faults()
    found = parse_items(Embedded.whole(Source("play.rules", text)), faults)
    return found, render_all(faults.all)


def said(text: str) -> list[str]:
    """What is wrong with a rules text: codes, places and sentences."""
    faults = Faults()
    parse_items(Embedded.whole(Source("play.rules", text)), faults)
    places = [(fault, fault.span) for fault in faults.all]
    return [f"{fault.code} {span.line}:{span.col} {_sentence(fault)}" for fault, span in places if span]


def _sentence(fault: Fault) -> str:
    return fault.message + (f" ({fault.label})" if fault.code == "E201" and fault.label else "")


def expression(text: str) -> t.Expr:
    faults = Faults()
    found = parse_expression(Embedded.whole(Source("x", text)), faults)
    assert found is not None, render_all(faults.all)
    return found


def one_item(text: str) -> t.Item:
    found, faults = items(text)
    assert faults == "no faults", faults
    (item,) = found
    return item


# --- the grammar


@pytest.fixture
def complaints(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """What Lark says while it builds a parser."""
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    level = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(handler)
    yield said
    logger.removeHandler(handler)
    logger.setLevel(level)


def build(grammar: str) -> None:
    Lark(grammar, parser="lalr", lexer=Words, start=STARTS, maybe_placeholders=False, debug=True)


def conflicts(said: list[str]) -> list[str]:
    return [line for line in said if "onflict" in line or "resolving" in line]


def test_the_grammar_has_no_conflicts(complaints: list[str]) -> None:
    build(files("ichiba.dsl.syntax").joinpath("grammar.lark").read_text(encoding="utf-8"))
    assert conflicts(complaints) == []


def test_a_conflict_would_be_seen(complaints: list[str]) -> None:
    grammar = files("ichiba.dsl.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    try:
        build(grammar.replace("?sum: leading", '?sum: leading | sum "+" sum', 1))
    except GrammarError as error:
        complaints.append(str(error).replace("Reduce/Reduce collision", "conflict"))
    assert conflicts(complaints) != []


# --- words: most keywords are names where only a name can stand


@pytest.mark.parametrize("word", sorted(keywords() - taken_words()))
def test_every_keyword_that_is_not_misread_can_be_the_name_of_a_member(word: str) -> None:
    scope = one_item(
        f"kind house is thing:\n    counter {word}: 0 .. 3\n    flag {word}\n    purse {word}: coin\n"
        f"    zone {word} of gem\n    note {word}: number\n    remember {word}: number\n"
        f"    field {word}: number\n"
        f"    menu {word}\n"
    )
    assert isinstance(scope, t.Kind)
    assert [member.name for member in scope.members] == [word] * 8
    assert expression(f"{word} of me") == t.Of(SPAN, word, t.Name(SPAN, "me"))
    assert expression(f"my.{word}") == t.Member(SPAN, t.Name(SPAN, "my"), word)
    assert expression(f"my.{word}.{word}(3) + count of my.{word}") is not None


@pytest.mark.parametrize("word", KEYWORDS)
def test_every_keyword_can_be_the_name_of_an_option(word: str) -> None:
    item = one_item(f'add to menu actions:\n    option {word}: nothing\n    option {word} "Yes" when a: nothing\n')
    assert isinstance(item, t.MenuItem)
    assert [option.name for option in item.body.options] == [word, word]


@pytest.mark.parametrize("word", sorted(taken_words()))
def test_no_word_that_could_be_misread_is_the_name_of_a_value(word: str) -> None:
    assert said(f"value {word}: 3\n") == [f"E104 1:7 `{word}` is a word of the language"]


@pytest.mark.parametrize("word", KEYWORDS)
def test_behind_a_dot_every_word_is_read_as_a_name(word: str) -> None:
    assert expression(f"my.{word}") == t.Member(SPAN, t.Name(SPAN, "my"), word)
    assert expression(f"my.{word}.{word}(3) + count of my.{word}") is not None


@pytest.mark.parametrize("word", sorted(keywords() - taken_words()))
def test_every_other_keyword_can_be_a_name_anywhere(word: str) -> None:
    assert said(f"value {word}({word}: number): {word} + {word}(2) * 3 in {word}\n") == []


SPAN = expression("a").span


# --- lines


def names_of(text: str) -> list[str]:
    found, faults = items(text)
    assert faults == "no faults", faults
    return [getattr(item, "name", "") for item in found]


def test_a_deeper_line_goes_on_with_its_sentence() -> None:
    assert one_item("value a:\n        1\n") != one_item("value a: 2\n")  # a block of one
    assert one_item("value a: 1\n    + 2\n        + 3\n") == one_item("value a: 1 + 2 + 3\n")


def test_a_line_that_ends_in_a_colon_opens_a_block() -> None:
    item = one_item("procedure turn:\n    if a:\n        b\n        c\n    d\n")
    assert isinstance(item, t.Procedure)
    assert [type(statement) for statement in item.body.body] == [t.If, t.Do]


def test_a_bracket_goes_on_over_a_colon_at_the_end_of_a_line() -> None:
    assert one_item("value a(b:\n    number): b\n") == one_item("value a(b: number): b\n")


def test_a_bracket_that_is_never_closed_spoils_its_own_sentence_only() -> None:
    text = "value a: (1 + 2\nvalue b: 3\nprocedure turn:\n    dig(1\n    fill\nvalue c: 4\n"
    assert said(text) == ["E203 1:10 `(` is never closed", "E203 4:8 `(` is never closed"]


@pytest.mark.parametrize("text", ["value a: 1", "value a: 1\n", "value a: 1\n\n\n", "\n\nvalue a: 1\n"])
def test_a_final_line_break_may_be_missing(text: str) -> None:
    assert one_item(text) == one_item("value a: 1\n")


@pytest.mark.parametrize("end", ["# the end", "# the end\n", "   # the end", '    # "the end', "#"])
def test_a_comment_may_end_the_file(end: str) -> None:
    assert one_item("procedure turn:\n    dig\n" + end) == one_item("procedure turn:\n    dig\n")
    assert one_item("value a: 1 " + end) == one_item("value a: 1")


def test_comments_and_empty_lines_say_nothing() -> None:
    text = "# one\nprocedure turn:   # two\n  # three\n\n    dig   # four\n# five\n      \n    fill\n"
    assert one_item(text) == one_item("procedure turn:\n    dig\n    fill\n")


def test_a_hash_inside_a_text_is_no_comment() -> None:
    item = one_item('add to menu actions:\n    option dig "Dig #1": nothing\n')
    assert isinstance(item, t.MenuItem)
    assert item.body.options[0].ask.words == t.Text(SPAN, "Dig #1", ("Dig #1",))


def test_a_file_of_comments_holds_no_items() -> None:
    assert items("# nothing\n  # at all") == ((), "no faults")
    assert items("") == ((), "no faults")


def test_windows_line_breaks_change_nothing() -> None:
    text = 'procedure turn:\n    "What happens."\n    dig\n        (1)\n\n    # so\n    fill(2,\n        3)\n'
    assert items(text.replace("\n", "\r\n")) == items(text)


def test_places_are_right_behind_windows_line_breaks() -> None:
    assert said("value a: 1\r\nvalue b: 2 2\r\n") == ["E203 2:12 `2` cannot stand here"]


def test_tabs_are_refused_where_they_stand() -> None:
    assert said("procedure turn:\n\tdig\n") == ["E201 2:1 a tab (indent with spaces)"]
    assert said("value a:\t1\nvalue b: 1 # a\tcomment\n") == ["E201 1:9 a tab (indent with spaces)"]


def test_a_line_between_two_depths_belongs_to_no_block() -> None:
    text = "procedure turn:\n    if a:\n        b\n      c\n    d\n"
    assert said(text) == ["E202 4:7 this line is indented like no line above it"]


def test_all_items_may_be_indented_alike() -> None:
    assert names_of("  value a: 1\n\n  value b:\n      give 2\n") == ["a", "b"]


def test_a_file_that_begins_too_far_right_is_told_so() -> None:
    assert said("    value a: 1\nvalue b: 2\n") == []
    assert said("  procedure a:\n    dig\nprocedure b:\n    fill\n") == []


def test_odd_characters_are_named_one_by_one() -> None:
    text = "value a: 1 ÷ 2\nvalue b: a & c\nvalue c: 'x'\nvalue d: \"x\n"
    text += "value e: 5 % 3\nvalue f: [1]\nvalue g: 1;\n"
    assert said(text) == [
        "E201 1:12 the rule language has no `÷` (write `/`, and how it rounds: `a / b rounded down`)",
        "E201 2:12 the rule language has no `&` (write `and`)",
        "E201 3:10 the rule language has no `'` (texts stand in double quotes)",
        'E201 4:10 this text does not end on its line (write `"` at its end)',
        "E201 5:12 the rule language has no `%` (there is no sign for the rest of a division; `even(n)` asks whether a number is even)",
        "E201 6:10 the rule language has no `[` (sets stand in braces: `{1}`)",
        "E201 7:11 the rule language has no `;` (a sentence ends with its line)",
    ]


# --- limits


def test_brackets_nest_32_deep_and_no_deeper() -> None:
    assert said("value a: " + "(" * 32 + "1 + 1" + ")" * 32) == []
    assert said("value a: " + "(" * 33 + "1 + 1" + ")" * 33) == [
        "E204 1:42 brackets are nested more than 32 deep"
    ]


@pytest.mark.parametrize("part", [" + 1", " and b", ".b", " - a.b(1)"])
@pytest.mark.parametrize("times", [100, 400, 2_500])
def test_chains_too_long_are_refused_before_python_gives_up(part: str, times: int) -> None:
    (fault,) = said("value a: b" + part * times)
    assert fault.startswith("E204 ")


@pytest.mark.parametrize("part", ["not ", "if a then b else ", "count of ", "a of ", "- "])
def test_prefixes_too_many_are_refused_as_well(part: str) -> None:
    assert said("value a: " + part * 200 + "b")[0][:4] in ("E204", "E203")


def test_a_chain_of_forty_is_fine() -> None:
    assert said("value a: 1" + " + 1" * 40) == []
    assert said("value a: b" + " or b" * 40) == []


def test_a_sentence_has_at_most_2000_words() -> None:
    assert said("value a: max(1" + ", 1" * 990 + ")") == []
    assert said("value a: max(1" + ", 1" * 1_000 + ")")[0].endswith("this sentence has more than 2000 words")


def test_blocks_too_deep_are_refused() -> None:
    ladder = "".join("    " * depth + "if a:\n" for depth in range(1, 60))
    (fault,) = said("procedure turn:\n" + ladder + "    " * 60 + "nothing\n")
    assert fault.startswith("E204 ") and "100 steps deep" in fault


@pytest.mark.parametrize("number", ["1234567890123", "9" * 90, "¥1,000,000,000,000"])
def test_numbers_have_at_most_twelve_digits(number: str) -> None:
    assert said(f"value a: {number}\n") == ["E204 1:10 this number is too large"]


@pytest.mark.parametrize("number", ["999999999999", "¥999,999,999,999", "0"])
def test_numbers_of_twelve_digits_are_fine(number: str) -> None:
    assert said(f"value a: {number}\n") == []


# --- single sentences, as YAML values and scenarios have them


@pytest.mark.parametrize("text", ["", "  ", "# nothing"])
def test_an_expression_that_is_not_there_is_told(text: str) -> None:
    faults = Faults()
    assert parse_expression(Embedded.whole(Source("x", text)), faults) is None
    assert [fault.message for fault in faults.all] == ["nothing is written here"]


def test_an_expression_ends_with_its_text() -> None:
    faults = Faults()
    assert parse_expression(Embedded.whole(Source("x", "1 + 2 3")), faults) is None
    assert [fault.message for fault in faults.all] == ["`3` cannot stand here"]


def test_costs_and_statements_stand_alone() -> None:
    faults = Faults()
    cost = parse_cost(Embedded.whole(Source("x", "1 card and ¥100 as fare or 2 ap")), faults)
    assert cost is not None and [way.name for way in cost.ways] == ["fare", None]
    statements = parse_statements(
        Embedded.whole(Source("x", "dig\nmove 1 gem from bag to my.hand\n")), faults
    )
    assert [type(statement) for statement in statements] == [t.Do, t.Move]
    assert render_all(faults.all) == "no faults"


# --- what reads alike means alike


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("-a + b", "(-a) + b"),
        ("-a / b rounded down", "(-a) / b rounded down"),
        ("a and b or c and d", "(a and b) or (c and d)"),
        ("not a and b", "(not a) and b"),
        ("not a = b", "not (a = b)"),
        ("a = b + c", "a = (b + c)"),
        ("count of a in b + 1", "(count of a in b) + 1"),
        ("3 gem in my.hand", "(3 gem) in my.hand"),
        ("a.b.c(d)", "(a.b).c(d)"),
        ("position of l.cards", "position of (l.cards + 0)"),
        ("if a then b else if c then d else e", "if a then b else (if c then d else e)"),
    ],
)
def test_what_binds_tighter(one: str, other: str) -> None:
    if "+ 0" in other:
        assert isinstance(expression(one), t.Of)
        return
    faults = Faults()
    bracketed = parse_expression(Embedded.whole(Source("x", other)), faults)
    assert expression(one) == bracketed


@pytest.mark.parametrize("text", ["a + -b", "a * -b", "a - - b", "- - a", "a / -b rounded up"])
def test_a_sign_stands_at_the_beginning_of_a_sum_only(text: str) -> None:
    assert "`-` cannot stand here" in said(f"value x: {text}\n")[0]


@pytest.mark.parametrize(
    "text", ["(a)", "(a.b)", "(3)", "a + (b)", "f((a))", "(¥5)", "(a) gem", "((a + b) + (c))"]
)
def test_brackets_around_a_single_name_are_refused(text: str) -> None:
    assert [fault[:4] for fault in said(f"value x: {text}\n")] == ["E203"]


@pytest.mark.parametrize("text", ["f()", "value x(): 3", "a.b()"])
def test_brackets_around_nothing_are_refused(text: str) -> None:
    assert "`)` cannot stand here" in said(text if text.startswith("value") else f"value x: {text}\n")[0]


def test_a_kept_grammar_is_the_same_and_a_broken_one_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "kept"))
    made = parse._lark.__wrapped__()
    (kept,) = (tmp_path / "kept").glob("*.grammar")
    again = parse._lark.__wrapped__()
    assert [t.name for t in again.terminals] == [t.name for t in made.terminals]
    tokens = with_blocks(logical_lines("1 + 2 * count of seats"))
    assert again.parse(cast(Any, tokens), start="expression") == made.parse(cast(Any, tokens), start="expression")
    kept.write_bytes(kept.read_bytes()[:1000])
    assert parse._lark.__wrapped__().terminals
    assert len(kept.read_bytes()) > 1000
