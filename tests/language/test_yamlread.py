"""Claims about reading YAML: what is accepted, what is refused in which words, where everything stands."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ichiba.dsl.faults.codes import CODES
from ichiba.dsl.faults.fault import Faults, render_all
from ichiba.dsl.faults.source import Source
from ichiba.dsl.yaml import reading as yamlread
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, Value, load_source, read_yaml
from tests.depth import seldom


def read(text: str) -> Node:
    """A text that must be without fault."""
    faults = Faults()
    node = read_yaml(Source("a.yaml", text), faults)
    assert faults.all == (), render_all(faults.all)
    assert node is not None
    return node


def told(text: str) -> str:
    """Everything that is told of a text."""
    faults = Faults()
    read_yaml(Source("a.yaml", text), faults)
    return render_all(faults.all)


def codes(text: str) -> list[str]:
    faults = Faults()
    read_yaml(Source("a.yaml", text), faults)
    return [fault.code for fault in faults.all]


def data(node: Node | None) -> object:
    """A node as plain Python; a map as pairs, since `1` and `True` would be one key of a dict."""
    match node:
        case Map():
            return [(key.value, data(value)) for key, value in node.entries]
        case Seq():
            return [data(item) for item in node.items]
        case Scalar():
            return node.value
        case None:
            return "no tree"


def scalar(text: str, key: str = "rules") -> Scalar:
    node = read(text)
    assert isinstance(node, Map)
    found = node.get(key)
    assert isinstance(found, Scalar)
    return found


# --- values


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("null", None),
        ("~", None),
        ("", None),
        ("true", True),
        ("false", False),
        ("0", 0),
        ("-0", 0),
        ("42", 42),
        ("-7", -7),
        ("1000000000000", 10**12),
        ("-1000000000000", -(10**12)),
        ("eel", "eel"),
        ("¥500 to bank", "¥500 to bank"),
        ("築地", "築地"),
        ("1 ap", "1 ap"),
        ("1..4", "1..4"),
        ("1.2.3", "1.2.3"),
        ("-", [None]),
        ("y", "y"),
        ("nothing", "nothing"),
        ("2 to 4", "2 to 4"),
        ("A-TTM-19", "A-TTM-19"),
        ("'no'", "no"),
        ('"12:30"', "12:30"),
        ("'007'", "007"),
        ("''", ""),
        ('"null"', "null"),
        ("'it''s'", "it's"),
        (r'"a\tb\\\"\x41\u7bC9\U0001F41F"', 'a\tb\\"A築🐟'),
        ("[]", []),
        ("{}", []),
        ("[1, {a: b}, [c]]", [1, [("a", "b")], ["c"]]),
        ("{a: , b: ~}", [("a", None), ("b", None)]),
    ],
)
def test_a_value_is_what_newer_yaml_says(written: str, value: object) -> None:
    assert data(read(f"- {written}\n")) == [value]


def test_maps_lists_and_blocks_are_read_as_written() -> None:
    text = "board: eel\nslots:\n- 1\n- {a: 2}\ntext: |\n  one\n  two\n2: [3]\ntrue: x\n"
    assert data(read(text)) == [
        ("board", "eel"),
        ("slots", [1, [("a", 2)]]),
        ("text", "one\ntwo\n"),
        (2, [3]),
        (True, "x"),
    ]


def test_texts_over_several_lines_are_folded_in_quotes_and_without() -> None:
    text = "a: one\n  two\n\n  three\nb: 'one  \n  two'\nc: \"one\\\n   two\n\n\n  three\"\n"
    assert data(read(text)) == [("a", "one two\nthree"), ("b", "one two"), ("c", "onetwo\n\nthree")]


def test_a_first_document_may_begin_and_end_with_its_signs() -> None:
    assert data(read("# eel\n---\nboard: eel\n...\n")) == [("board", "eel")]


def test_a_map_finds_its_values_by_key() -> None:
    node = read("seats: 4\n1: one\n")
    assert isinstance(node, Map)
    assert node.keys() == ["seats", 1]
    assert data(node.get("seats")) == 4
    assert data(node.get(1)) == "one"
    assert node.get(True) is None
    assert node.get("1") is None


def test_styles_are_kept() -> None:
    node = read("[a, 'b', \"c\"]")
    assert isinstance(node, Seq)
    assert [item.style for item in node.items if isinstance(item, Scalar)] == ["plain", "single", "double"]
    assert scalar("rules: |\n  x\n").style == "block"


# --- places


def test_every_node_knows_its_place() -> None:
    node = read("a: [1, 22] # list\nb:\n  - x\n  - y z\n\n# end\n")
    assert isinstance(node, Map)
    spans = [(key.span.text, value.span.text) for key, value in node.entries]
    assert spans == [("a", "[1, 22]"), ("b", "- x\n  - y z")]
    assert node.span.text == "a: [1, 22] # list\nb:\n  - x\n  - y z"
    assert (node.entries[1][1].span.line, node.entries[1][1].span.col) == (3, 3)


def test_an_empty_value_stands_behind_its_colon() -> None:
    node = read("a:\nb: 1\n")
    assert isinstance(node, Map)
    assert (node.entries[0][1].span.line, node.entries[0][1].span.col) == (1, 3)


def test_a_pair_in_a_list_ends_where_it_is_written() -> None:
    node = read("[a: b , c]")
    assert isinstance(node, Seq)
    assert node.items[0].span.text.rstrip() == "a: b"


@pytest.mark.parametrize(
    ("text", "word", "line", "col"),
    [
        ("rules: move eel\n", "eel", 1, 13),
        ("rules: 'move eel'\n", "eel", 1, 14),
        ("rules: 'it''s an eel'\n", "eel", 1, 18),
        ('rules: "\\u7bc9\\t\\"eel"\n', "eel", 1, 19),
        ("rules: move\n  the   eel\n", "eel", 2, 9),
        ('rules: "move \\\n    the\n  eel"\n', "eel", 3, 3),
        ("築地: 1\nrules: 築地 eel\n", "eel", 2, 11),
        ("築地: 1\r\nrules: 'a\r\n  eel'\r\n", "eel", 3, 3),
        ("{rules: [eel]}", "eel", 1, 10),
    ],
)
def test_a_word_in_a_scalar_is_found_in_its_file(text: str, word: str, line: int, col: int) -> None:
    node = read(text)
    assert isinstance(node, Map)
    found = node.get("rules")
    if isinstance(found, Seq):
        found = found.items[0]
    assert isinstance(found, Scalar)
    start = found.text.text.index(word)
    span = found.text.span(start, start + len(word))
    assert (span.text, span.line, span.col) == (word, line, col)


BLOCKS = {
    "as usual": ("rules: |\n  move\n    markt\n", "move\n  markt\n", 3, 5),
    "without a last line break": ("rules: |\n  move\n  markt", "move\nmarkt", 3, 3),
    "followed by a key": ("rules: |\n  move\n  markt\nseats: 4\n", "move\nmarkt\n", 3, 3),
    "followed by comments": (
        "rules: |\n  move\n  markt\n# one\n  # two\nseats: 4 # three\n",
        "move\nmarkt\n",
        3,
        3,
    ),
    "with a comment in its head": ("rules: | # says\n  markt\n", "markt\n", 2, 3),
    "with a comment of its own": ("rules: |\n  # not YAML's\n  markt\n", "# not YAML's\nmarkt\n", 3, 3),
    "with an indentation indicator": ("rules: |2\n    move\n  markt\n", "  move\nmarkt\n", 3, 3),
    "indicated in a list": ("- rules: |1\n     move\n   markt\n", "  move\nmarkt\n", 3, 4),
    "stripped": ("rules: |-\n  move\n  markt\n\n\n", "move\nmarkt", 3, 3),
    "kept": ("rules: |+\n  move\n  markt\n\n\nseats: 4\n", "move\nmarkt\n\n\n", 3, 3),
    "kept and indicated": ("rules: |+1\n  move\n markt\n   \n\n", " move\nmarkt\n  \n\n", 3, 2),
    "with blank lines": ("rules: |\n\n \n  move\n\n     \n  markt\n", "\n\nmove\n\n   \nmarkt\n", 7, 3),
    "with blanks at line ends": ("rules: |\n  move  \n  markt \n", "move  \nmarkt \n", 3, 3),
    "in wide letters": ("築: 1\nrules: |\n  築地市場\n  築 markt\n", "築地市場\n築 markt\n", 4, 5),
    "in a list item": ("- |\n  move\n  markt\n- b\n", "move\nmarkt\n", 3, 3),
    "deep inside": ("a:\n  - b:\n      rules: |\n        markt\n    c: 1\n", "markt\n", 4, 9),
}


def first_block(node: Node) -> Scalar | None:
    match node:
        case Scalar():
            return node if node.style == "block" else None
        case Seq():
            inner = list(node.items)
        case Map():
            inner = [value for _, value in node.entries]
    return next((block for block in map(first_block, inner) if block), None)


@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", BLOCKS)
def test_a_word_in_a_block_is_found_in_its_file(name: str, line_break: str) -> None:
    text, value, line, col = BLOCKS[name]
    block = first_block(read(text.replace("\n", line_break)))
    assert block is not None
    assert block.value == block.text.text == value
    start = value.index("markt")
    span = block.text.span(start, start + 5)
    assert (span.text, span.line, span.col) == ("markt", line, col)
    assert len(block.text.offsets) == len(value) + 1


def test_a_fault_inside_a_block_is_shown_in_the_file() -> None:
    source = Source("play.yaml", "築地: 1\r\nrules: |2-\r\n    move 鮪 to markt\r\n# end")
    faults = Faults()
    node = read_yaml(source, faults)
    assert isinstance(node, Map)
    block = node.get("rules")
    assert isinstance(block, Scalar)
    start = block.text.text.index("markt")
    faults.add(
        "E007", block.text.span(start, start + 5), "unknown zone `markt`", label="did you mean `market`?"
    )
    assert render_all(faults.all) == (
        "error[E007]: unknown zone `markt`\n"
        "  ┌─ play.yaml:3:15\n"
        " 3│     move 鮪 to markt\n"
        "  │                ^^^^^ did you mean `market`?\n"
        "\n"
        "1 error"
    )


def test_a_block_spans_from_its_sign_to_its_last_letter() -> None:
    assert scalar("rules: |\n  one\n  two\n\n\nb: 1\n").span.text == "|\n  one\n  two"
    assert scalar("rules: |\n").span.text == "|"
    assert scalar("rules: |+\n\n\n").span.text == "|"


def test_the_end_of_a_block_is_not_in_the_next_key() -> None:
    block = scalar("rules: |\n  one\nseats: 4\n")
    end = len(block.text.text)
    assert (block.text.span(end, end).line, block.text.span(end, end).col) == (3, 1)


def test_an_empty_block_is_an_empty_text() -> None:
    assert scalar("rules: |\n").value == ""
    assert scalar("rules: |\nseats: 4\n").value == ""
    assert scalar("rules: |").value == ""


# --- the mistakes, in their whole words


def test_a_word_older_yaml_takes_for_a_truth_value_is_refused() -> None:
    assert told("perishable: no\nclosed: Off\n") == (
        "error[E017]: `no` is false to some readers of YAML and a text to others\n"
        "  ┌─ a.yaml:1:13\n"
        " 1│ perishable: no\n"
        "  │             ^^ write true or false, or quote it\n"
        "\n"
        "error[E017]: `Off` is false to some readers of YAML and a text to others\n"
        "  ┌─ a.yaml:2:9\n"
        " 2│ closed: Off\n"
        "  │         ^^^ write true or false, or quote it\n"
        "\n"
        "2 errors"
    )


def test_such_a_word_as_a_key_should_be_quoted() -> None:
    assert told("title: {no: Fisk}\n") == (
        "error[E017]: `no` is false to some readers of YAML and a text to others\n"
        "  ┌─ a.yaml:1:9\n"
        " 1│ title: {no: Fisk}\n"
        "  │         ^^ quote it\n"
        "\n"
        "1 error"
    )


@pytest.mark.parametrize(
    "word", ["yes", "Yes", "YES", "no", "NO", "on", "On", "off", "True", "FALSE", "Null"]
)
def test_every_spelling_that_readers_disagree_about_is_refused(word: str) -> None:
    assert codes(f"a: {word}\n") == ["E017"]
    assert codes(f"{word}: a\n") == ["E017"]
    assert codes(f"a: '{word}'\n") == []


def test_a_time_is_refused() -> None:
    assert told("opens: 12:30\n") == (
        "error[E018]: `12:30` is a time to some readers of YAML and a text to others\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ opens: 12:30\n"
        "  │        ^^^^^ quote it\n"
        "\n"
        "1 error"
    )


def test_a_date_is_refused() -> None:
    assert told("opens: 2024-01-31\n") == (
        "error[E018]: `2024-01-31` is a date to some readers of YAML and a text to others\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ opens: 2024-01-31\n"
        "  │        ^^^^^^^^^^ quote it\n"
        "\n"
        "1 error"
    )


def test_a_fraction_is_refused() -> None:
    assert told("interest: 1.5\n") == (
        "error[E019]: `1.5` is no integer\n"
        "  ┌─ a.yaml:1:11\n"
        " 1│ interest: 1.5\n"
        "  │           ^^^ integers only\n"
        "  = use a smaller unit, or a fraction of two integers in a rule; quote it if it is a text\n"
        "\n"
        "1 error"
    )


def test_an_odd_integer_is_refused() -> None:
    assert told("price: 010\n") == (
        "error[E020]: `010` is read in different ways\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ price: 010\n"
        "  │        ^^^ write a plain decimal integer, or quote it\n"
        "\n"
        "1 error"
    )


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("1:2:3", "E018"),
        ("-190:20:30", "E018"),
        ("2024-1-2 10:00:00", "E018"),
        ("2001-12-14t21:59:43.10-05:00", "E018"),
        (".5", "E019"),
        ("5.", "E019"),
        ("-0.5", "E019"),
        ("1e3", "E019"),
        ("1E+3", "E019"),
        ("1.5e-3", "E019"),
        ("1_000.5", "E019"),
        (".inf", "E019"),
        ("-.INF", "E019"),
        (".nan", "E019"),
        ("-010", "E020"),
        ("00", "E020"),
        ("+5", "E020"),
        ("1_000", "E020"),
        ("1,000", "E020"),
        ("0x1F", "E020"),
        ("0o17", "E020"),
        ("0b11", "E020"),
        ("１２", "E020"),
        ("1000000000001", "E021"),
        ("-1000000000001", "E021"),
    ],
)
def test_whatever_is_not_plainly_an_integer_is_refused(word: str, code: str) -> None:
    assert codes(f"a: {word}\n") == [code]
    assert codes(f"a: '{word}'\n") == []


def test_a_refused_number_stands_for_some_number_so_that_nothing_else_complains() -> None:
    faults = Faults()
    node = read_yaml(Source("a", "a: 1.5\nb: 0x10\nc: no\nd: 99999999999999\n"), faults)
    assert isinstance(node, Map)
    kinds: list[Value] = [value.value for _, value in node.entries if isinstance(value, Scalar)]
    assert [type(kind) for kind in kinds] == [int, int, bool, int]


def test_an_integer_out_of_range_is_refused() -> None:
    assert told("money: 1000000000001\n") == (
        "error[E021]: the integer `1000000000001` is out of range\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ money: 1000000000001\n"
        "  │        ^^^^^^^^^^^^^ at most 1,000,000,000,000\n"
        "\n"
        "1 error"
    )
    assert "at least -1,000,000,000,000" in told("money: -1000000000001\n")


def test_a_key_that_stands_twice_is_shown_with_both_places() -> None:
    assert told("seats: 2\nboard: eel\nseats: 4\n") == (
        "error[E008]: the key `seats` stands twice\n"
        "  ┌─ a.yaml:3:1\n"
        " 3│ seats: 4\n"
        "  │ ^^^^^ again here\n"
        "  ┌─ a.yaml:1:1\n"
        " 1│ seats: 2\n"
        "  │ ----- first here\n"
        "\n"
        "1 error"
    )


def test_of_two_equal_keys_the_first_is_kept() -> None:
    node = read_yaml(Source("a", "{a: 1, a: 2}"), Faults())
    assert data(node) == [("a", 1)]


def test_a_number_and_the_same_in_quotes_are_one_key() -> None:
    assert codes('{2: a, "2": b}') == ["E008"]
    assert codes("[{a: 1}, {a: 1}]") == []


def test_anchors_and_aliases_are_refused() -> None:
    assert told("small: &price 100\nlarge: *price\n") == (
        "error[E009]: anchors are not allowed\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ small: &price 100\n"
        "  │        ^^^^^^ remove it\n"
        "\n"
        "error[E009]: aliases are not allowed\n"
        "  ┌─ a.yaml:2:8\n"
        " 2│ large: *price\n"
        "  │        ^^^^^^ write the value out\n"
        "\n"
        "2 errors"
    )


def test_a_text_that_looks_like_an_alias_should_be_quoted() -> None:
    assert told("title: *** \n") == (
        "error[E009]: anchors and aliases are not allowed\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ title: ***\n"
        "  │        ^ quote it if it is a text\n"
        "\n"
        "1 error"
    )


def test_merge_keys_are_refused() -> None:
    assert told("boat: {<<: {slots: 4}, count: 2}\n") == (
        "error[E010]: merge keys are not allowed\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ boat: {<<: {slots: 4}, count: 2}\n"
        "  │        ^^ write the keys out\n"
        "\n"
        "1 error"
    )
    assert codes("'<<': 1\n") == []


def test_tags_are_refused() -> None:
    assert told("- !!python/object/apply:os.system [ls]\n- &x !t 12:30\n- ! a\n") == (
        "error[E011]: tags are not allowed\n"
        "  ┌─ a.yaml:1:3\n"
        " 1│ - !!python/object/apply:os.system [ls]\n"
        "  │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ remove it\n"
        "\n"
        "error[E009]: anchors are not allowed\n"
        "  ┌─ a.yaml:2:3\n"
        " 2│ - &x !t 12:30\n"
        "  │   ^^ remove it\n"
        "\n"
        "error[E011]: tags are not allowed\n"
        "  ┌─ a.yaml:2:6\n"
        " 2│ - &x !t 12:30\n"
        "  │      ^^ remove it\n"
        "\n"
        "error[E011]: tags are not allowed\n"
        "  ┌─ a.yaml:3:3\n"
        " 3│ - ! a\n"
        "  │   ^ remove it\n"
        "\n"
        "4 errors"
    )


@pytest.mark.parametrize("text", ["a: &x 1\n", "a: !!int 1\n", "a: >\n  b\n", "a: {<<: {b: 1}}\n"])
def test_a_tree_that_says_something_else_than_its_text_is_not_given_out(text: str) -> None:
    assert read_yaml(Source("a", text), Faults()) is None


def test_a_second_document_is_refused() -> None:
    assert told("board: eel\n---\nboard: tuna\n") == (
        "error[E012]: a second document begins here\n"
        "  ┌─ a.yaml:2:1\n"
        " 2│ ---\n"
        "  │ ^^^ a file holds one only\n"
        "\n"
        "1 error"
    )


def test_directives_are_refused() -> None:
    assert told("%YAML 1.1\n---\nboard: eel\n") == (
        "error[E013]: directives are not allowed\n"
        "  ┌─ a.yaml:1:1\n"
        " 1│ %YAML 1.1\n"
        "  │ ^^^^^^^^^ remove this line\n"
        "\n"
        "1 error"
    )


@pytest.mark.parametrize(
    "text",
    [
        "%FOO bar\n---\na\n",
        "%FOO\n",
        "%YAML 2.0\n---\na",
        f"%YAML {'9' * 5000}.1\n---\na",
        "%TAG ! x\n---\na",
        "%TAG ! x\n%TAG ! y\n---\na",
    ],
)
def test_every_directive_is_refused(text: str) -> None:
    assert codes(text) == ["E013"]


def test_a_folded_text_is_refused() -> None:
    assert told("rules: >\n  move 1 barrel\n") == (
        "error[E022]: folded texts are not allowed\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ rules: >\n"
        "  │        ^ use `|`, which keeps the lines\n"
        "\n"
        "1 error"
    )


def test_a_key_must_be_a_word_or_a_number_in_one_line() -> None:
    assert told("[eel, tuna]: 4\n") == (
        "error[E023]: a key is a word or a number, in one line\n"
        "  ┌─ a.yaml:1:1\n"
        " 1│ [eel, tuna]: 4\n"
        "  │ ^^^^^^^^^^^\n"
        "\n"
        "1 error"
    )


def test_a_key_must_be_there() -> None:
    assert told("a: {? : 1}\nnull: 2\n") == (
        "error[E023]: a key is missing here\n"
        "  ┌─ a.yaml:1:6\n"
        " 1│ a: {? : 1}\n"
        "  │      ^\n"
        "\n"
        "error[E023]: a key cannot be null\n"
        "  ┌─ a.yaml:2:1\n"
        " 2│ null: 2\n"
        "  │ ^^^^ quote it if it is a text\n"
        "\n"
        "2 errors"
    )


@pytest.mark.parametrize("text", ["? {a: b}\n: c\n", "? |\n  a\n: c\n", "{? [a] : b}", "? 'a\n  b'\n: c\n"])
def test_other_keys_of_several_parts_are_refused(text: str) -> None:
    assert codes(text) == ["E023"]


def test_a_missing_space_after_a_colon_is_told_inside_brackets() -> None:
    assert told("prices: {eel:4, tuna: 5, 2:5}\n") == (
        "error[E024]: a space is missing after the colon\n"
        "  ┌─ a.yaml:1:13\n"
        " 1│ prices: {eel:4, tuna: 5, 2:5}\n"
        "  │             ^ write `eel: 4`\n"
        "\n"
        "error[E024]: a space is missing after the colon\n"
        "  ┌─ a.yaml:1:27\n"
        " 1│ prices: {eel:4, tuna: 5, 2:5}\n"
        "  │                           ^ write `2: 5`\n"
        "\n"
        "2 errors"
    )


def test_tabs_in_the_indentation_are_told_once() -> None:
    assert told("pieces:\n\tboat: 4\n  \tship: 5\n") == (
        "error[E006]: line 2 is indented with a tab\n"
        "  ┌─ a.yaml:2:1\n"
        " 2│     boat: 4\n"
        "  │ ^^^^ use spaces\n"
        "  = 1 more line is indented with tabs\n"
        "\n"
        "1 error"
    )


def test_a_tab_in_the_indentation_of_a_block_is_refused() -> None:
    assert codes("rules: |\n  move\n  \tmarkt\n") == ["E006"]


def test_a_tab_between_words_is_refused_where_yaml_counts_spaces() -> None:
    assert told("seats:\t4\n") == (
        "error[E006]: a tab stands here\n  ┌─ a.yaml:1:7\n 1│ seats:  4\n  │       ^^ use spaces\n\n1 error"
    )
    assert data(read("rules: |\n  a\tb\nb: 'a\tb'\n")) == [("rules", "a\tb\n"), ("b", "a\tb")]


def test_an_empty_file_is_refused() -> None:
    assert told("") == "error[E005]: the file is empty\n  ┌─ a.yaml:1:1\n\n1 error"
    for text in ("\n\n", "# eel\n", "---\n", "---\n...\n"):
        assert codes(text) == ["E005"], text


def test_a_character_nobody_can_see_is_refused() -> None:
    assert told("title: a\0b\0\nbell: \x07\n") == (
        "error[E004]: the character NUL (U+0000) cannot stand in a file\n"
        "  ┌─ a.yaml:1:9\n"
        " 1│ title: a�b�\n"
        "  │         ^ remove it\n"
        "\n"
        "error[E004]: the character (U+0007) cannot stand in a file\n"
        "  ┌─ a.yaml:2:7\n"
        " 2│ bell: �\n"
        "  │       ^ remove it\n"
        "\n"
        "2 errors"
    )


@pytest.mark.parametrize(
    "char", ["\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\u2066", "\ufeff", "\ufffe", "\r", "\ud800"]
)
def test_every_such_character_is_refused(char: str) -> None:
    assert codes(f"a: x{char}y\n") == ["E004"]


@pytest.mark.parametrize("char", ["築", "🐟", "e\u0301", "\u00a0", "\u200d", "¥"])
def test_other_characters_are_accepted(char: str) -> None:
    assert data(read(f"a: x{char}y\n")) == [("a", f"x{char}y")]


def test_an_escape_cannot_smuggle_one_in() -> None:
    assert told('title: "Fish\\0"\n') == (
        "error[E004]: this escape makes the character NUL (U+0000)\n"
        "  ┌─ a.yaml:1:13\n"
        ' 1│ title: "Fish\\0"\n'
        "  │             ^^ remove it\n"
        "\n"
        "1 error"
    )
    assert codes('a: "\\ud83d\\udc1f"\n') == ["E004", "E004"]
    assert codes('a: "\\r\\n"\n') == ["E004"]
    assert codes('a: "\\n\\t"\n') == []


@pytest.mark.parametrize("code", [code for code in CODES if code.startswith("E0")])
def test_the_examples_of_each_code_are_wrong_and_right(code: str) -> None:
    entry = CODES[code]
    if code in ("E001", "E002", "E003", "E014", "E015", "E016", "E025", "E026", "E027"):  # told in words: too long, or ours
        return
    assert code in codes(entry.wrong_example)
    assert codes(entry.right_example) == []


def test_as_many_mistakes_as_possible_are_told_in_one_run() -> None:
    text = "a: no\na: 1.5\nb: 010\nc: {d:1}\ne: [12:30, *x]\nf: ]\ng: no\n"
    assert codes(text) == ["E017", "E019", "E008", "E020", "E024", "E018", "E009", "E007"]


# --- broken YAML, in plain words


def broken(text: str) -> str:
    """What is told of a text that is not YAML, without its first line's code and without the count."""
    return told(text).removeprefix("error[E007]: ").removesuffix("\n\n1 error")


def test_a_bracket_that_is_not_closed_is_told_with_its_beginning() -> None:
    assert broken("sorts: [eel,\n  tuna\nseats: 4\n") == (
        "expected `,` or `]`, found `:`\n"
        "  ┌─ a.yaml:3:6\n"
        " 3│ seats: 4\n"
        "  │      ^\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ sorts: [eel,\n"
        "  │        - opened here"
    )


def test_a_bracket_open_at_the_end_of_the_file_is_told_at_the_last_word() -> None:
    assert broken("sorts: {eel: 1\n\n\n") == (
        "expected `,` or `}`, found the end of the file\n"
        "  ┌─ a.yaml:1:14\n"
        " 1│ sorts: {eel: 1\n"
        "  │              ^"
    )


def test_a_quote_that_is_not_closed_is_told_where_it_opens() -> None:
    assert broken('a: 1\ntitle: "Eel\nseats: 4\n') == (
        'this quote is never closed\n  ┌─ a.yaml:2:8\n 2│ title: "Eel\n  │        ^'
    )


def test_a_key_indented_differently_is_told_with_its_neighbours() -> None:
    assert broken("pieces:\n  boat: 4\n ship: 5\n") == (
        "expected the next key, found a key further right\n"
        "  ┌─ a.yaml:3:2\n"
        " 3│  ship: 5\n"
        "  │  ^^^^\n"
        "  ┌─ a.yaml:1:1\n"
        " 1│ pieces:\n"
        "  │ ------ the keys begin here\n"
        "  = check the indentation of this line, and the quotes and brackets of the one before"
    )


def test_a_key_among_list_items_is_told_with_the_list() -> None:
    assert broken("- eel\nseats: 4\n") == (
        "expected the next `- `, found a key\n"
        "  ┌─ a.yaml:2:1\n"
        " 2│ seats: 4\n"
        "  │ ^^^^^\n"
        "  ┌─ a.yaml:1:1\n"
        " 1│ - eel\n"
        "  │ - the list begins here\n"
        "  = check the indentation of this line, and the quotes and brackets of the one before"
    )


def test_a_second_colon_in_a_line_is_told() -> None:
    assert broken("title: Eel: the game\n") == (
        "a text with a colon in it needs quotes\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ title: Eel: the game\n"
        '  │        ^^^^^^^^^^^^^ write `title: "Eel: the game"`'
    )


def test_a_missing_space_after_a_colon_is_told_there() -> None:
    assert broken("seats:4\nboard: eel\n") == (
        "a space is missing after the colon\n"
        "  ┌─ a.yaml:1:6\n"
        " 1│ seats:4\n"
        "  │      ^ write `seats: 4`"
    )


def test_a_line_that_is_no_key_is_told() -> None:
    assert broken("seats: 4\nboard eel\n") == (
        "expected a key, a colon and a space\n"
        "  ┌─ a.yaml:2:1\n"
        " 2│ board eel\n"
        "  │ ^^^^^ no colon and space follow"
    )


def test_a_list_beside_its_key_is_told() -> None:
    assert broken("sorts: - eel\n") == (
        "a list cannot begin here\n"
        "  ┌─ a.yaml:1:8\n"
        " 1│ sorts: - eel\n"
        "  │        ^ begin it on the next line, or write [a, b]"
    )


def test_a_question_mark_inside_brackets_is_told() -> None:
    assert broken("title: {en: Who pays?, ja: 誰}\n") == (
        "expected `,` or `}`, found `?`\n"
        "  ┌─ a.yaml:1:21\n"
        " 1│ title: {en: Who pays?, ja: 誰}\n"
        "  │                     ^\n"
        "  = inside brackets, quote a text with `?` in it"
    )


def test_an_unknown_escape_is_told() -> None:
    assert broken('title: "\\d"\n') == (
        "there is no escape `\\d`\n"
        "  ┌─ a.yaml:1:9\n"
        ' 1│ title: "\\d"\n'
        "  │         ^^ write `\\\\` for a backslash, or use single quotes"
    )


def test_the_head_of_a_block_holds_nothing_else() -> None:
    assert broken("rules: | move\n") == (
        "the line should end after `|`\n"
        "  ┌─ a.yaml:1:10\n"
        " 1│ rules: | move\n"
        "  │          ^^^^ the text begins on the next line"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: @x\n", "a text cannot begin with `@`"),
        ("a: %x\n", "a text cannot begin with `%`"),
        ("a: [|, b]\n", "a block of text cannot stand inside brackets"),
        ("a: ]\n", "expected a value, found `]`"),
        ("a: [1,,2]\n", "expected a value, found `,`"),
        ("a: [- b]\n", "expected a value, found a list item"),
        ("a: 1\n- b\n", "expected the next key, found a list item"),
        ("a: 'it's'\n", "expected the next key, found a text"),
        ("- - a\n - b\n", "expected the next `- `, found a list further right"),
        ("[a] b\n", "nothing can follow here: what began above has ended"),
        ("  a: 1\nb: 2\n", "nothing can follow here: what began above has ended"),
        ("a: ? b\n", "a key cannot begin here"),
        ('a: "\\xZZ"\n', "an escape of 2 hexadecimal digits is expected here"),
        ('a: "\\\'"\n', "there is no escape `\\'`"),
        ('a: "\\UFFFFFFFF"\n', "there is no character with this number"),
        ('a: "x\n---\ny"\n', "this quote is never closed"),
    ],
)
def test_other_breaks_are_told_in_plain_words(text: str, message: str) -> None:
    assert told(text).startswith(f"error[E007]: {message}\n")


@pytest.mark.parametrize("text", ["a: !x! b\n", "a: !<b\n", "a: !u!v b\n"])
def test_a_broken_tag_is_told_as_a_tag(text: str) -> None:
    assert codes(text) == ["E011"]


def test_a_text_of_blanks_only_still_has_a_place() -> None:
    assert codes("\u00a0\t") == ["E006"]


def test_nothing_after_a_break_is_read_but_all_before_it_is_told() -> None:
    assert codes("a: no\nb: ]\nc: no\n") == ["E017", "E007"]


# --- limits


def test_a_file_of_256_kilobytes_is_read_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    head = "a: 1 #"
    path = tmp_path / "a.yaml"
    for extra in (0, 1):
        text = head + "x" * (256 * 1024 - len(head) + extra)
        path.write_text(text)
        loading, reading = Faults(), Faults()
        loaded = load_source(path, "a.yaml", loading)
        node = read_yaml(Source("a.yaml", text), reading)
        if extra == 0:
            assert (loading.all, reading.all, data(node)) == ((), (), [("a", 1)])
            continue
        assert (loaded, node) == (None, None)
        message = "error[E002]: the file has 262,145 bytes; at most 262,144 are read"
        assert render_all(loading.all).startswith(message)
        assert render_all(reading.all).startswith(message)


def test_the_size_of_a_file_is_counted_in_bytes() -> None:
    assert codes("a: |\n " + "築" * 60_000) == []
    assert codes("# " + "築" * 90_000 + "\na: 1\n") == ["E002"]


NESTS: dict[str, Callable[[int], str]] = {
    "lists": lambda depth: "[" * depth + "]" * depth,
    "maps": lambda depth: "{a: " * depth + "}" * depth,
    "block lists": lambda depth: "- " * (depth - 1) + "-\n",
    "block maps": lambda depth: "".join(" " * level + "a:\n" for level in range(depth)),
    "keys": lambda depth: "? " * (depth - 1) + "? a\n",
}


@pytest.mark.parametrize("kind", ["lists", "maps", "block lists", "block maps"])
def test_thirty_two_levels_are_read(kind: str) -> None:
    assert codes(NESTS[kind](32)) == []


@pytest.mark.parametrize("depth", [33, 1_000, 60_000])
@pytest.mark.parametrize("kind", NESTS)
def test_deeper_nesting_is_refused(kind: str, depth: int) -> None:
    text = NESTS[kind](min(depth, 700) if kind == "block maps" else depth)
    assert told(text[: 256 * 1024]).startswith(
        "error[E014]: lists and maps stand 33 deep in each other; at most 32 are read\n"
    )


def test_the_thirty_third_level_is_shown() -> None:
    assert told("[" * 33 + "]" * 33) == (
        "error[E014]: lists and maps stand 33 deep in each other; at most 32 are read\n"
        "  ┌─ a.yaml:1:33\n"
        " 1│ " + "[" * 33 + "]" * 33 + "\n"
        "  │ " + " " * 32 + "^\n"
        "\n"
        "1 error"
    )


def test_twenty_thousand_values_are_read() -> None:
    assert codes("[" + "a," * 19_999 + "]") == []
    assert codes("".join(f"a{n}: {n}\n" for n in range(9_999)) + "b: []\n") == ["E015"]
    assert codes("".join(f"a{n}: {n}\n" for n in range(9_999))) == []


WIDE: dict[str, Callable[[int], str]] = {
    "list": lambda count: "[" + "a," * count + "]",
    "block list": lambda count: "-\n" * count,
    "map": lambda count: "{" + ",".join(f"{n:x}z" for n in range(count // 2)) + "}",
    "lists": lambda count: "[" + "[]," * (count // 2) + "]",
}


@pytest.mark.parametrize("count", [45_000, *seldom([60_000, 80_000])])
@pytest.mark.parametrize("kind", WIDE)
def test_more_values_are_refused(kind: str, count: int) -> None:
    faults = Faults()
    assert read_yaml(Source("a.yaml", WIDE[kind](count)), faults) is None
    assert faults.all[-1].code == "E015"
    assert faults.all[-1].message == "the file holds more than 20,000 values"


def test_a_file_of_which_too_much_is_wrong_is_not_read_to_its_end() -> None:
    said = told("[" + "*a," * 22_500 + "]")
    assert said.startswith(
        "error[E204]: too much is wrong with a.yaml: it was not read to its end\n"
        "  = mend what is told of it first\n"
    )
    assert said.endswith("... and 82 more\n\n102 errors")


@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_a_text_of_4096_characters_is_read_and_a_longer_one_refused(quote: str) -> None:
    assert codes(f"a: {quote}{'x' * 4096}{quote}\n") == []
    for length in (4_097, 50_000, 250_000):
        assert told(f"a: {quote}{'x' * length}{quote}\n").startswith(
            f"error[E016]: a text of {length:,} characters; at most 4,096 are allowed; "
            "a `|` block may have 65,536\n"
        )


def test_a_block_of_65536_characters_is_read_and_a_longer_one_refused() -> None:
    assert codes("a: |\n " + "x" * 65_536) == []
    for length in (65_537, 130_000, 250_000):
        assert told("a: |\n " + "x" * length) == (
            f"error[E016]: a text of {length:,} characters; at most 65,536 are allowed\n"
            "  ┌─ a.yaml:1:4\n"
            " 1│ a: |\n"
            "  │    ^\n"
            "\n"
            "1 error"
        )


@pytest.mark.parametrize("digits", [14, 5_000, 250_000])
@pytest.mark.parametrize("form", ["{}", "-{}", "0x{}", "{}:0", "{}.5"])
def test_a_big_number_is_never_converted(form: str, digits: int) -> None:
    found = codes("a: " + form.format("9" * digits) + "\n")
    assert found[-1] == {"{}": "E021", "-{}": "E021", "0x{}": "E020", "{}:0": "E018", "{}.5": "E019"}[form]
    assert found[:-1] == (["E016"] if digits > 4096 else [])


def test_a_big_number_is_told_in_short() -> None:
    line = told("a: " + "9" * 4000 + "\n").split("\n")[0]
    assert line == "error[E021]: the integer `" + "9" * 79 + "…` is out of range"


@pytest.mark.parametrize("levels", [10, 100, 1_000])
def test_alias_bombs_are_refused(levels: int) -> None:
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    faults = Faults()
    assert read_yaml(Source("a.yaml", "\n".join(lines)), faults) is None
    assert {fault.code for fault in faults.all} <= {"E009", "E015", "E204"}
    assert faults.all[0].message == "anchors are not allowed"


@pytest.mark.parametrize("levels", [10, 40, 1_000])
def test_merge_bombs_are_refused(levels: int) -> None:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, levels)]
    faults = Faults()
    assert read_yaml(Source("a.yaml", "\n".join(lines)), faults) is None
    assert {fault.code for fault in faults.all} - {"E204"} == {"E009", "E010"}


@pytest.mark.parametrize("size", [1_000, 60_000, 250_000])
@pytest.mark.parametrize(
    "text", ["a: '{}'", 'a: "{}"', "a: {}b", "{}a: 1", "a: |\n {}x", "a:{}# b", '"\\{}"']
)
def test_long_runs_of_blanks_are_read_in_one_go(text: str, size: int) -> None:
    assert set(codes(text.format(" " * size))) <= {"E016", "E007"}


# --- files


def write(folder: Path, content: bytes) -> tuple[Source | None, str]:
    path = folder / "secret_name.yaml"
    path.write_bytes(content)
    faults = Faults()
    source = load_source(path, "game.yaml", faults)
    return source, render_all(faults.all)


def test_a_file_is_read_with_its_line_breaks(tmp_path: Path) -> None:
    source, faults = write(tmp_path, "築: 1\r\nb: 2\r\n".encode())
    assert faults == "no faults"
    assert source is not None
    assert (source.path, source.text) == ("game.yaml", "築: 1\r\nb: 2\r\n")


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    source, _ = write(tmp_path, b"\xef\xbb\xbfa: 1\n")
    assert source is not None
    assert source.text == "a: 1\n"


def test_a_file_that_is_not_utf_8_is_told_by_its_first_wrong_byte(tmp_path: Path) -> None:
    source, faults = write(tmp_path, "築: 1\nb: é\n".encode() + b"c: caf\xe9 x\n")
    assert source is None
    assert faults == (
        "error[E003]: the file is not UTF-8: byte 19 is 0xe9\n"
        "  ┌─ game.yaml:3:7\n"
        " 3│ c: caf� x\n"
        "  │       ^ save the file as UTF-8\n"
        "\n"
        "1 error"
    )


def test_a_file_in_utf_16_is_recognised(tmp_path: Path) -> None:
    _, faults = write(tmp_path, "a: 1\n".encode("utf-16"))
    assert faults.startswith("error[E003]: the file is not UTF-8: byte 0 is 0x")
    assert "this looks like UTF-16; save it as UTF-8" in faults


def test_a_file_with_control_characters_is_refused(tmp_path: Path) -> None:
    source, faults = write(tmp_path, b"a: 1\rb: 2\n")
    assert source is None
    assert faults.startswith("error[E004]: a carriage return without a line feed cannot stand in a file\n")


def test_a_missing_file_is_told_under_its_shown_name(tmp_path: Path) -> None:
    faults = Faults()
    assert load_source(tmp_path / "tokio.yaml", "maps/tokio.yaml", faults) is None
    assert render_all(faults.all) == (
        "error[E001]: `maps/tokio.yaml` cannot be read: there is no such file\n"
        "  ┌─ maps/tokio.yaml:1:1\n"
        "\n"
        "1 error"
    )


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "file/inside"])
def test_names_no_file_can_have_are_told_without_the_path(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("a: 1\n")
    faults = Faults()
    assert load_source(tmp_path / name, "game.yaml", faults) is None
    assert [fault.code for fault in faults.all] == ["E001"]
    assert str(tmp_path) not in render_all(faults.all)


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    faults = Faults()
    assert load_source(tmp_path, "boards", faults) is None
    assert faults.all[0].message == "`boards` cannot be read: it is a folder"


def test_no_more_of_a_large_file_is_read_than_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlread, "MAX_BYTES", 10)
    _, faults = write(tmp_path, b"a: 12345678901234567890\n")
    assert faults.startswith("error[E002]: the file has 24 bytes; at most 10 are read\n")


# --- properties


SNIPPETS = st.sampled_from(
    [
        "a",
        "b: ",
        "- ",
        "\n",
        "\n  ",
        "\n    ",
        " ",
        "|\n",
        "|-\n  ",
        "|+\n ",
        ">",
        "'",
        '"',
        "[",
        "]",
        "{",
        "}",
        ", ",
    ]
    + [
        ": ",
        "? ",
        "#",
        " # c",
        "\\",
        "\\n",
        "\\x41",
        "&x ",
        "*x",
        "!t ",
        "---\n",
        "%Y",
        "\t",
        "\r\n",
        "築",
        "''",
        "1.5",
    ]
    + [
        "no",
        "<<: ",
        "12:30",
        "~",
        "@",
        "\ud800",
        "\0",
        "key: value\n",
        "- item\n",
        "  x: |2\n     t\n",
        "...\n",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(SNIPPETS, max_size=25).map("".join))
def test_any_text_is_read_or_told_and_never_raises(text: str) -> None:
    faults = Faults()
    node = read_yaml(Source("a.yaml", text), faults)
    assert node is not None or faults.errors
    assert render_all(faults.all)
    for inner in scalars(node):
        assert len(inner.text.offsets) == len(inner.text.text) + 1
        assert list(inner.text.offsets) == sorted(inner.text.offsets)


LINES = st.lists(st.text("ab 築:#'\"-\\", max_size=6), min_size=1, max_size=5)
BREAKS = st.sampled_from(["\n", "\r\n"])


@settings(max_examples=300, deadline=None)
@given(LINES, st.integers(1, 4), st.sampled_from(["", "-", "+"]), BREAKS, st.booleans())
def test_every_letter_of_a_block_stands_where_it_says(
    lines: list[str], indent: int, chomp: str, line_break: str, ends: bool
) -> None:
    body = line_break.join(" " * indent + line for line in lines)
    text = f"k:{line_break}  r: |{indent}{chomp}{line_break}"
    text += line_break.join("  " + line for line in body.split(line_break)) + (line_break if ends else "")
    block = first_block(read(text))
    assert block is not None
    for char, offset in zip(block.text.text, block.text.offsets):
        assert text.startswith(line_break if char == "\n" else char, offset)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(["a", " ", "  ", "\n", "\n  ", "''", '\\"', "\\ ", "\\\n ", "築", "\t", "\\t"]),
        max_size=12,
    )
)
def test_quoted_texts_mean_what_yaml_says(parts: list[str]) -> None:
    for sign, raw in (("'", "".join(parts)), ('"', "".join(parts).replace("'", ""))):
        text = f"- {sign}{raw}{sign}\n"
        if re.search(r"^ *\t", text, re.MULTILINE):
            continue  # refused, also where YAML would not mind
        node = read(text)
        assert isinstance(node, Seq)
        assert data(node) == yaml.safe_load(text)
        assert all(isinstance(item, Scalar) and list(item.text.offsets) for item in node.items)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.text("ab 築-:", min_size=1, max_size=6).filter(lambda line: line.strip()), min_size=1, max_size=4
    )
)
def test_plain_texts_mean_what_yaml_says(lines: list[str]) -> None:
    text = "- x" + "\n   ".join(lines) + "\n"
    faults = Faults()
    node = read_yaml(Source("a.yaml", text), faults)
    if not faults.all:
        expected = [data_of(value) for value in yaml.safe_load(text)]
        assert data(node) == expected


def data_of(value: object) -> object:
    """What PyYAML makes of a text, in the form of `data`."""
    if isinstance(value, dict):
        return [(key, data_of(inner)) for key, inner in value.items()]
    return [data_of(inner) for inner in value] if isinstance(value, list) else value


def scalars(node: Node | None) -> list[Scalar]:
    match node:
        case None:
            return []
        case Scalar():
            return [node]
        case Seq():
            return [found for item in node.items for found in scalars(item)]
        case Map():
            keys = [key for key, _ in node.entries]
            return keys + [found for _, value in node.entries for found in scalars(value)]
