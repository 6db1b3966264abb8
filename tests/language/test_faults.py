"""Claims about how faults read, for people and for programs."""

import json
import pickle

import pytest

from ichiba.dsl.faults.codes import ENTRIES, Code
from ichiba.dsl.faults.fault import (
    CODES,
    Fault,
    Faults,
    RulesetFaults,
    nearest,
    quote,
    render,
    render_all,
    to_json,
    to_sarif,
)
from ichiba.dsl.faults.source import Source, Span

PLAY = Source("play.rules", "\n" * 8 + "  move good from markt to hand\n")


def at(source: Source, word: str) -> Span:
    start = source.text.index(word)
    return Span(source, start, start + len(word))


def shown(text: str, word: str, label: str = "here") -> str:
    """The echoed line and the carets under it."""
    fault = Fault("E007", at(Source("a", text), word), "wrong", label)
    return "\n".join(render(fault).split("\n")[2:])


# --- one fault, for people


def test_a_fault_reads_as_in_the_house_style() -> None:
    notes = ("zones here: market (board.rules:3), hand (board.rules:4)",)
    fault = Fault("E203", at(PLAY, "markt"), "unknown zone `markt`", "did you mean `market`?", notes)
    assert render(fault) == (
        "error[E203]: unknown zone `markt`\n"
        "  ┌─ play.rules:9:18\n"
        " 9│   move good from markt to hand\n"
        "  │                  ^^^^^ did you mean `market`?\n"
        "  = zones here: market (board.rules:3), hand (board.rules:4)"
    )


def test_a_warning_says_so() -> None:
    fault = Fault("W606", None, "the rule `rest` is never used", severity="warning")
    assert render(fault) == "warning[W606]: the rule `rest` is never used"


def test_a_second_place_follows_the_first() -> None:
    source = Source("game.yaml", "seats: 2\nseats: 4\n")
    first, again = Span(source, 0, 5), Span(source, 9, 14)
    fault = Fault("E008", again, "the key `seats` stands twice", "again here", (), (first, "first here"))
    assert render(fault) == (
        "error[E008]: the key `seats` stands twice\n"
        "  ┌─ game.yaml:2:1\n"
        " 2│ seats: 4\n"
        "  │ ^^^^^ again here\n"
        "  ┌─ game.yaml:1:1\n"
        " 1│ seats: 2\n"
        "  │ ----- first here"
    )


def test_the_frame_is_as_wide_as_the_longest_line_number() -> None:
    source = Source("long.rules", "one\n" * 998 + "two\n")
    fault = Fault("E008", at(source, "two"), "twice", "again", ("a note",), (Span(source, 0, 3), "first"))
    assert render(fault) == (
        "error[E008]: twice\n"
        "   ┌─ long.rules:999:1\n"
        "999│ two\n"
        "   │ ^^^ again\n"
        "   ┌─ long.rules:1:1\n"
        "  1│ one\n"
        "   │ --- first\n"
        "   = a note"
    )


def test_wide_letters_take_two_columns() -> None:
    assert shown("title: 築地 市場 x", "市場") == " 1│ title: 築地 市場 x\n  │             ^^^^ here"


def test_half_width_and_narrow_letters_take_one_column() -> None:
    assert shown("ｱｲ ñ ¥ x", "x") == " 1│ ｱｲ ñ ¥ x\n  │        ^ here"


def test_combining_marks_take_no_column() -> None:
    assert shown("cafe\u0301 x", "x") == " 1│ cafe\u0301 x\n  │      ^ here"


def test_tabs_are_expanded() -> None:
    assert shown("\ta\tx", "x") == " 1│     a   x\n  │         ^ here"
    assert shown("\tx", "\t") == " 1│     x\n  │ ^^^^ here"


def test_a_span_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    assert shown("say one\ntwo", "one\ntwo") == " 1│ say one\n  │     ^^^ here"


def test_a_span_of_no_width_has_one_caret() -> None:
    source = Source("a", "seats:")
    assert render(Fault("E007", Span(source, 6, 6), "wrong")).endswith(" 1│ seats:\n  │       ^")


def test_a_place_at_the_end_of_the_file_is_shown_on_an_empty_line() -> None:
    source = Source("a", "seats:\n")
    assert render(Fault("E007", Span(source, 7, 7), "wrong", "here")) == (
        "error[E007]: wrong\n  ┌─ a:2:1\n 2│\n  │ ^ here"
    )


def test_a_line_of_160_characters_is_shown_whole() -> None:
    text = "a" * 159 + "x"
    assert shown(text, "x").startswith(f" 1│ {text}\n")


def test_a_longer_line_is_cut_to_80_characters_around_the_place() -> None:
    text = "a" * 300 + "WRONG" + "b" * 300
    echo, marks = shown(text, "WRONG").split("\n")
    assert echo == " 1│ …" + "a" * 37 + "WRONG" + "b" * 38 + "…"
    assert marks == "  │ " + " " * 38 + "^^^^^ here"


def test_a_long_line_is_cut_at_one_side_when_the_place_is_near_the_other() -> None:
    assert shown("WRONG" + "b" * 200, "WRONG") == " 1│ WRONG" + "b" * 75 + "…\n  │ ^^^^^ here"
    assert shown("a" * 200 + "WRONG", "WRONG") == (
        " 1│ …" + "a" * 75 + "WRONG\n  │ " + " " * 76 + "^^^^^ here"
    )


def test_a_place_longer_than_the_cut_is_marked_as_far_as_it_is_shown() -> None:
    assert shown("a" * 100 + "b" * 300, "b" * 300) == " 1│ …" + "b" * 80 + "…\n  │  " + "^" * 80 + " here"


def test_a_file_without_text_shows_its_place_only() -> None:
    fault = Fault("E005", Span(Source("game.yaml", ""), 0, 0), "the file is empty", "sections are needed")
    assert render(fault) == ("error[E005]: the file is empty\n  ┌─ game.yaml:1:1\n  = sections are needed")


def test_control_characters_never_reach_the_terminal() -> None:
    source = Source("a\x1b[2J.yaml", "x\x1b[31my\u202ez")
    fault = Fault(
        "E007", at(source, "z"), "bad \x1b[0m", "la\x07bel", ("no\x00te",), (at(source, "x"), "\x9b")
    )
    assert render(fault) == (
        "error[E007]: bad �[0m\n"
        "  ┌─ a�[2J.yaml:1:9\n"
        " 1│ x�[31my�z\n"
        "  │         ^ la�bel\n"
        "  ┌─ a�[2J.yaml:1:1\n"
        " 1│ x�[31my�z\n"
        "  │ - �\n"
        "  = no�te"
    )


def test_a_note_of_several_lines_keeps_its_margin() -> None:
    assert render(Fault("E007", None, "wrong", notes=("one\ntwo",))) == "error[E007]: wrong\n  = one\n    two"


def test_colour_changes_nothing_but_colour() -> None:
    fault = Fault("E203", at(PLAY, "markt"), "unknown zone", "here", ("note",), (at(PLAY, "good"), "there"))
    coloured = render(fault, color=True)
    plain = coloured
    for code in ("\x1b[1;31m", "\x1b[1m", "\x1b[34m", "\x1b[0m"):
        assert code in coloured
        plain = plain.replace(code, "")
    assert plain == render(fault)


# --- many faults


def test_faults_are_sorted_by_file_and_place() -> None:
    a, b = Source("a.yaml", "one two"), Source("b.yaml", "three")
    faults = [
        Fault("E007", at(b, "three"), "third"),
        Fault("E007", at(a, "two"), "second"),
        Fault("E007", None, "none"),
        Fault("E007", at(a, "one"), "first"),
    ]
    lines = render_all(faults).split("\n")
    assert [line[13:] for line in lines if line.startswith("error")] == ["none", "first", "second", "third"]


def test_all_faults_are_separated_by_blank_lines_and_counted() -> None:
    faults = [
        Fault("E007", None, "a"),
        Fault("E007", None, "b"),
        Fault("W606", None, "c", severity="warning"),
    ]
    assert render_all(faults) == "error[E007]: a\n\nerror[E007]: b\n\nwarning[W606]: c\n\n2 errors, 1 warning"


def test_a_count_leaves_out_what_there_is_none_of() -> None:
    assert render_all([Fault("E007", None, "a")]).endswith("\n\n1 error")
    assert render_all([Fault("W606", None, "a", severity="warning")]).endswith("\n\n1 warning")
    assert render_all([]) == "no faults"


def test_twenty_faults_are_shown_and_the_others_counted() -> None:
    source = Source("a", "x" * 30)
    faults = [Fault("E007", Span(source, n, n + 1), f"number {n}") for n in range(23)]
    text = render_all(faults)
    assert text.count("error[E007]") == 20
    assert text.endswith("\n\n... and 3 more\n\n23 errors")
    assert "more" not in render_all(faults[:20])


def test_warnings_do_not_crowd_out_an_error() -> None:
    source = Source("a", "x" * 30)
    faults = [Fault("W606", Span(source, n, n), "so so", severity="warning") for n in range(25)]
    text = render_all([*faults, Fault("E007", Span(source, 29, 30), "wrong")])
    assert "error[E007]: wrong" in text
    assert text.endswith("\n\n... and 6 more\n\n1 error, 25 warnings")


# --- the collector


def test_a_collector_drops_exact_repetitions() -> None:
    faults = Faults()
    for _ in range(2):
        faults.add("E007", at(PLAY, "good"), "wrong", notes=["a note"])
    faults.add("E007", at(PLAY, "good"), "wrong")
    assert faults.all == (
        Fault("E007", at(PLAY, "good"), "wrong", notes=("a note",)),
        Fault("E007", at(PLAY, "good"), "wrong"),
    )


def test_an_unknown_code_is_a_mistake_in_the_program() -> None:
    with pytest.raises(KeyError, match="E999"):
        Faults().add("E999", None, "wrong")


def test_a_code_that_begins_with_w_is_a_warning_unless_said_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(CODES, "W699", Code("W699", "a", "b", "c", "d"))
    faults = Faults()
    faults.add("W699", None, "so so")
    faults.add("W699", None, "wrong", severity="error")
    assert [fault.severity for fault in faults.all] == ["warning", "error"]


def test_warnings_alone_raise_nothing() -> None:
    faults = Faults()
    faults.add("E007", None, "so so", severity="warning")
    faults.raise_if_errors()
    assert faults.errors == ()


def test_errors_raise_everything_found() -> None:
    faults = Faults()
    faults.add("E007", None, "so so", severity="warning")
    faults.add("E008", None, "wrong")
    with pytest.raises(RulesetFaults) as caught:
        faults.raise_if_errors()
    assert caught.value.faults == faults.all
    assert str(caught.value) == "warning[E007]: so so\n\nerror[E008]: wrong\n\n1 error, 1 warning"


def test_faults_survive_the_way_to_another_process() -> None:
    error = RulesetFaults([Fault("E203", at(PLAY, "markt"), "unknown zone", "here")])
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


# --- the register


def test_codes_are_registered_once_and_in_order() -> None:
    codes = [entry.code for entry in ENTRIES]
    assert codes == sorted(set(codes))
    assert list(CODES) == codes


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_every_code_is_explained_with_two_examples(entry: Code) -> None:
    assert CODES[entry.code] is entry
    assert all(text.strip() for text in (entry.title, entry.explanation))
    assert entry.wrong_example.strip() and entry.right_example.strip()


# --- words


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("markt", "market"),
        ("makret", "market"),
        ("markets", "market"),
        ("Market", "market"),
        ("habour", "harbour"),
        ("supply_pile", "supply_piles"),
        ("mai", "may"),
        ("東京駅", "東京都"),
    ],
)
def test_the_nearest_word_is_what_was_meant(word: str, meant: str) -> None:
    words = ["hand", "market", "harbour", "supply_piles", "may", "東京都", "鰻"]
    assert nearest(word, words) == meant


@pytest.mark.parametrize("word", ["port", "hnad_over_fist", "鮪", "", "x" * 5000])
def test_a_word_unlike_all_others_has_no_nearest(word: str) -> None:
    assert nearest(word, ["hand", "market", "harbour", "鰻"]) is None


def test_of_two_equally_near_words_the_first_is_taken() -> None:
    assert nearest("bat", ["cat", "hat"]) == "cat"


def test_a_nearer_word_beats_an_earlier_one() -> None:
    assert nearest("harbors", ["harvest", "harbor"]) == "harbor"


def test_a_quoted_text_stays_on_one_line_and_is_cut_at_80_characters() -> None:
    assert quote("one\ntwo") == "`one\\ntwo`"
    assert quote("x" * 80) == "`" + "x" * 80 + "`"
    assert quote("x" * 81) == "`" + "x" * 79 + "…`"


# --- programs


SECOND = Fault("E008", at(PLAY, "markt"), "twice", "again", ("a note",), (at(PLAY, "good"), "first"))


def test_json_tells_everything_with_places_from_one() -> None:
    place = {"file": "play.rules", "line": 9, "col": 18, "end_line": 9, "end_col": 23}
    first = {"file": "play.rules", "line": 9, "col": 8, "end_line": 9, "end_col": 12}
    assert to_json([SECOND]) == [
        {
            "code": "E008",
            "severity": "error",
            "message": "twice",
            "label": "again",
            "notes": ["a note"],
            "place": place,
            "second": {"place": first, "label": "first"},
            "repair": [],
        }
    ]


def test_json_of_a_fault_without_a_place_says_null() -> None:
    (fault,) = json.loads(json.dumps(to_json([Fault("E007", None, "wrong")])))
    assert (fault["place"], fault["second"]) == (None, None)


def test_sarif_has_what_version_2_1_0_demands() -> None:
    faults = [SECOND, Fault("E007", None, "wrong", severity="warning")]
    sarif = json.loads(json.dumps(to_sarif(faults)))
    assert sarif["version"] == "2.1.0"
    (run,) = sarif["runs"]
    assert run["tool"]["driver"]["name"] == "ichiba"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["E007", "E008"]
    nowhere, twice = run["results"]
    assert nowhere == {"ruleId": "E007", "ruleIndex": 0, "level": "warning", "message": {"text": "wrong"}}
    region = {"startLine": 9, "startColumn": 18, "endLine": 9, "endColumn": 23}
    assert twice["message"] == {"text": "twice\nagain\na note"}
    assert twice["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "play.rules"}, "region": region}}
    ]
    assert twice["relatedLocations"][0]["message"] == {"text": "first"}


def test_a_sarif_file_name_is_a_uri() -> None:
    fault = Fault("E007", Span(Source("boards\\築 1.yaml", "x"), 0, 1), "wrong")
    assert '"uri": "boards/%E7%AF%89%201.yaml"' in json.dumps(to_sarif([fault]))


def test_sarif_of_no_faults_is_a_run_without_results() -> None:
    (run,) = json.loads(json.dumps(to_sarif([])))["runs"]
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


def test_of_several_words_as_near_the_same_is_named_whatever_their_order() -> None:
    near = [f"stal{letter}" for letter in "abcdefgh"]
    assert {nearest("stalx", set(near)), nearest("stalx", frozenset(reversed(near))), nearest("stalx", near)} == {"stala"}
