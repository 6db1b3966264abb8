"""Claims about the layout of rules: one way for each sentence, nothing lost, and a second time changes nothing."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Source
from ichiba.dsl.formatting import sentences
from ichiba.dsl.formatting.formatting import formatted
from ichiba.dsl.syntax.parse import keywords
from tests.formatting.found import RULESETS, chunks, comments_in, items, laid_out, tree_of
from tests.properties.respelled import Respacing
from tests.reference.generated import made

LONG = "a_name_of_forty_characters_or_thereabouts"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("play :nothing", "play: nothing\n"),
        ("play:\n  nothing", "play:\n    nothing\n"),
        ("play:\n  if a:b( x ,y )\n  else :c", "play:\n    if a: b(x, y)\n    else: c\n"),
        ("value x(s:seat)->number:s.a+2*( - 3 )-1", "value x(s: seat) -> number: s.a + 2 * (-3) - 1\n"),
        ("value x: a / 2 rounded down-1", "value x: a / 2 rounded down - 1\n"),
        ("value x: count of( a where b )", "value x: count of (a where b)\n"),
        ("value x: not( a or b )", "value x: not (a or b)\n"),
        ("value x: {a ,b}", "value x: {a, b}\n"),
        ("value x: a!=b and c<=¥1,000", "value x: a != b and c <= ¥1,000\n"),
        ("setup:\n  for each s in seats:as s :deal( me )", "setup:\n    for each s in seats: as s: deal(me)\n"),
        ("value x: price( l , least :¥5,whom:{ a })", "value x: price(l, least: ¥5, whom: {a})\n"),
        ("value x: lot ( 1 ) . price", "value x: lot(1).price\n"),
        ("seat:\n counter a:0..9 start 3,stops at the ends", "seat:\n    counter a: 0 .. 9 start 3, stops at the ends\n"),
        ("procedure p->a:yen:\n  give 1", "procedure p -> a: yen:\n    give 1\n"),
        ('scoring:\n  score "Lost"-1', 'scoring:\n    score "Lost" -1\n'),
        ("policy sensible:\n  prefer \"a\" by-f( - 1 )", 'policy sensible:\n    prefer "a" by -f(-1)\n'),
    ],
)  # fmt: skip
def test_there_is_one_blank_or_none_between_two_words(before: str, after: str) -> None:
    assert laid_out(before) == after


def test_blank_lines_stay_one_by_one_and_none_begins_a_block() -> None:
    before = "\n\n\nkind a is thing:\n\n    flag x\n\n\n    flag y\nkind b is thing:\n    flag x\n\n\n\n"
    assert laid_out(before) == "kind a is thing:\n    flag x\n\n    flag y\nkind b is thing:\n    flag x\n"


def test_a_statement_too_long_for_its_line_stands_below_each_colon_before_it() -> None:
    long = " + ".join([LONG] * 4)
    text = laid_out(f"play:\n    for each s in seats: as s: raise my.luck by {long}\n")
    assert text == f"""\
play:
    for each s in seats:
        as s:
            raise my.luck
                    by {" + ".join([LONG] * 2)}
                    + {" + ".join([LONG] * 2)}
"""
    assert laid_out(text) == text


def test_a_comment_alone_stands_as_deep_as_the_block_it_was_written_in() -> None:
    before = """\
  # the first
kind a is thing:
          # above x
  flag x
  # the last of a

  flag y
 # of nobody
# b
kind b is thing:
# thrown out
  flag x
  # the end
"""
    assert laid_out(before) == """\
# the first
kind a is thing:
    # above x
    flag x
    # the last of a

    flag y
# of nobody
# b
kind b is thing:
    # thrown out
    flag x
    # the end
"""


def test_a_comment_behind_code_follows_two_blanks_behind_it() -> None:
    assert laid_out("play:   # now\n    nothing# here   \n") == "play:  # now\n    nothing  # here\n"


def test_comments_in_one_column_stay_in_one_column() -> None:
    before = """\
seat:
  flag acted          # one
                      # and more of it
  flag a              # two

  flag b    # by itself
"""
    assert laid_out(before) == """\
seat:
    flag acted        # one
                      # and more of it
    flag a            # two

    flag b  # by itself
"""


def test_code_that_runs_into_them_pushes_them_all() -> None:
    before = "seat:\n flag a_long_name # one\n flag b           # two\n"
    assert laid_out(before) == "seat:\n    flag a_long_name  # one\n    flag b            # two\n"


def test_a_statement_stays_behind_its_colon_where_all_fits_in_a_line() -> None:
    short = "play:\n    if ready: begin\n    if ready:\n        begin\n"
    assert laid_out(short) == short
    assert laid_out(f"play:\n    if {LONG}.{LONG}: set {LONG} to 1  # why\n") == (
        f"play:\n    if {LONG}.{LONG}:\n        set {LONG} to 1  # why\n"
    )


def test_a_long_sentence_is_cut_where_it_holds_together_least() -> None:
    assert laid_out(f"value x -> flag: {LONG} is empty or {LONG} is empty and {LONG} is empty\n") == (
        f"value x -> flag: {LONG} is empty\n        or {LONG} is empty and {LONG} is empty\n"
    )
    assert laid_out(f"value x: count of (a in {LONG} where a.x = 1) + count of (a in {LONG} where a.y = 2 and a.z = 3)\n") == (
        f"value x: count of (a in {LONG} where a.x = 1)\n        + count of (a in {LONG} where a.y = 2 and a.z = 3)\n"
    )
    assert laid_out(f"play:\n    choose a in {LONG} where a.b = {LONG} \"Which of all these do you take?\" key \"x\"\n") == (
        f"play:\n    choose a in {LONG} where a.b = {LONG}\n            \"Which of all these do you take?\" key \"x\"\n"
    )
    assert laid_out(f"value x: if {LONG} = 1 then {LONG} else if {LONG} = 2 then 3 else 4\n") == (
        f"value x: if {LONG} = 1 then {LONG}\n        else if {LONG} = 2 then 3 else 4\n"
    )


def test_in_brackets_that_a_further_line_has_opened_lines_stand_further_right() -> None:
    before = f"value x:\n    give a\n     and (if {LONG} then {LONG}\n     else {LONG})\n"
    assert laid_out(before) == f"value x:\n    give a\n            and (if {LONG} then {LONG}\n                else {LONG})\n"


def test_an_author_may_begin_a_line_with_a_clause_and_nowhere_else() -> None:
    assert laid_out("value x: a\n   or b") == "value x: a\n        or b\n"
    assert laid_out("value x: a or\n   b") == "value x: a\n        or b\n"
    assert laid_out("value x: a =\n   b") == "value x: a = b\n"
    assert laid_out("play:\n    draw 1 card from\n        deck to\n\n        hand") == (
        "play:\n    draw 1 card\n            from deck\n            to hand\n"
    )
    assert laid_out("value x: count of (a\n in b)") == "value x: count of (a in b)\n"


def test_a_comment_in_a_sentence_keeps_its_place() -> None:
    before = "value x: a  # one\n  # two\n  = b      # three\n  or c # four\n"
    assert laid_out(before) == "value x: a  # one\n        # two\n        = b  # three\n        or c  # four\n"


def test_a_text_that_is_too_long_is_as_it_was_written() -> None:
    long = f'guard g(a: seat, b: seat) "{"x" * 120}": true\n'
    assert laid_out(long) == long
    doc = f'procedure p:\n    "{"a  b " * 40}"\n    nothing\n'
    assert laid_out(doc) == doc


def test_signs_of_east_asia_take_two_columns() -> None:
    wide = f'play:\n    choose a in {LONG} where a.b "{"魚" * 20}" key "x"\n'
    assert laid_out(wide) == wide
    wider = wide.replace("魚", "魚" * 2)
    assert laid_out(wider) == wider.replace(' "魚', '\n            "魚')


@pytest.mark.parametrize("text", ["", "\n\n", "# only this", "# only this\n\n\n# and that\n\n"])
def test_a_text_without_rules_keeps_its_comments(text: str) -> None:
    assert laid_out(text) == {"": "", "\n\n": "", "# only this": "# only this\n"}.get(text, "# only this\n\n# and that\n")


def test_line_ends_stay_what_they_are() -> None:
    assert laid_out("play:\r\n  nothing") == "play:\r\n    nothing\r\n"
    assert laid_out("play:\n  nothing") == "play:\n    nothing\n"
    assert laid_out("play:\r\n  a\r\n  b\n  c\r\n") == "play:\r\n    a\r\n    b\r\n    c\r\n"


@pytest.mark.parametrize("text", ["play:\n\tnothing\n", "play nothing\n", "play:\n    a\n  b\n", 'play: score "a\n', "value x: (a)\n"])
def test_what_has_faults_is_not_laid_out(text: str) -> None:
    faults = Faults()
    assert formatted(Source("x.rules", text), faults) is None and faults.all


def test_every_word_that_may_begin_a_line_is_a_word_of_the_language() -> None:
    assert keywords() >= sentences.CLAUSES | {word for pair in sentences.NO_CLAUSES for word in pair}


# --- whatever is written


def hold(text: str) -> str:
    """What holds for each text of rules; what comes out."""
    new = laid_out(text)
    assert laid_out(new) == new
    assert tree_of(new) == tree_of(text)
    assert comments_in(new) == comments_in(text)
    assert new.endswith("\n") and not new.startswith("\n") and "\n\n\n" not in new and " \n" not in new
    return new


@pytest.mark.parametrize("path", [path for path in RULESETS if path.suffix == ".rules"], ids=lambda path: path.name)
def test_the_rules_of_all_games(path: Path) -> None:
    hold(path.read_text(encoding="utf-8"))


def test_all_that_is_written_in_the_tests_and_on_the_pages() -> None:
    assert len(chunks()) > 300
    for text in chunks():
        hold(text)


def rules_made_by_chance(seed: int) -> None:
    for name, text in made(seed).files.items():
        if name.endswith(".rules"):
            hold(text)


@pytest.mark.parametrize("seed", range(0, 500, 125))
def test_the_rules_of_a_game_made_by_chance(seed: int) -> None:
    rules_made_by_chance(seed)


@pytest.mark.soak
def test_the_rules_of_five_hundred_games_made_by_chance() -> None:
    for seed in range(500):
        rules_made_by_chance(seed)


def mangled(text: str, seed: int) -> None:
    """However blanks, breaks and comments are strewn."""
    new = hold(Respacing(Random(seed))(text))
    assert hold(new.replace("\n", "\r\n")).replace("\r\n", "\n") == new


@settings(max_examples=150, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(items()) - 1), st.integers(0, 2**32))
def test_however_it_is_written(number: int, seed: int) -> None:
    mangled(items()[number], seed)


@pytest.mark.soak
@settings(max_examples=20_000, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(items()) - 1), st.integers(0, 2**32))
def test_however_it_is_written_over_and_over(number: int, seed: int) -> None:
    mangled(items()[number], seed)
