"""Claims about the layout of YAML: no value is touched, nothing is lost, and a second time changes nothing."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Source
from ichiba.dsl.formatting.formatting import formatted
from tests.formatting.found import RULESETS, laid_out, tree_of
from tests.formatting.strewn import Strewing

FILES = [path for path in RULESETS if path.suffix == ".yaml"]


def yaml_laid_out(text: str, name: str = "x.yaml") -> str:
    return laid_out(text, name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a:   1", "a: 1\n"),
        ("a : {b:   1,c: [ x,y ] , d: { } }", "a: {b: 1, c: [x, y], d: {}}\n"),
        ('a: {"b":1}', 'a: {"b": 1}\n'),
        ("a:\n    b:\n        c: 1\n    d: 2\n", "a:\n  b:\n    c: 1\n  d: 2\n"),
        ("a:\n- x\n-   y\n-\n  z\nb: 1\n", "a:\n  - x\n  - y\n  - z\nb: 1\n"),
        ("a:\n- b: 1\n  c: 2\n-  d:\n   - e\n", "a:\n  - b: 1\n    c: 2\n  - d:\n      - e\n"),
        ("a:\n  -\n  -\nb:\n- \nc:\n", "a:\n  -\n  -\nb:\n  -\nc:\n"),
        ("- - 1\n  - 2\n-\n  - 3\n", "- - 1\n  - 2\n-\n  - 3\n"),
        ("\n\na: 1\n\n\n\nb:\n\n    c: 1   \n\n", "a: 1\n\nb:\n  c: 1\n"),
        ("---\na: 1\n...\n", "---\na: 1\n...\n"),
        ("a:\n    a long text\n    goes on\nb: 1\n", "a:\n  a long text\n  goes on\nb: 1\n"),
        ('a: "one  \n\n\n      two \\\n   three"', 'a: "one\n\n\n  two \\\n  three"\n'),
        ("a:\n     {b: 1}\n", "a:\n  {b: 1}\n"),
        ("a: 'one \\ \n   \u3000two'", "a: 'one \\ \n  \u3000two'\n"),
        ('a: "one \\ \n   two"', 'a: "one \\ \n  two"\n'),
        ("a: one\n  \u3000\n  two\n", "a: one\n  \u3000\n  two\n"),
    ],
)
def test_indents_are_two_blanks_and_brackets_have_none_inside(before: str, after: str) -> None:
    assert yaml_laid_out(before) == after


def test_lines_in_brackets_stand_below_what_comes_first_in_them() -> None:
    assert yaml_laid_out("a: [x,\n y,\n   {b: 1,\n   c: 2},\n  z\n ]\n") == (
        "a: [x,\n    y,\n    {b: 1,\n     c: 2},\n    z\n   ]\n"
    )


def test_lines_below_a_bracket_are_indented_by_two() -> None:
    assert yaml_laid_out("a:\n    - b: [\n         x,\n      y\n      ]\n") == "a:\n  - b: [\n      x,\n      y\n    ]\n"
    assert yaml_laid_out("a:\n      [\n  x,\n   ]\n") == "a:\n  [\n    x,\n  ]\n"


def test_far_right_they_do_not_stand_below_each_other() -> None:
    key = "k" * 70
    assert yaml_laid_out(f"{key}: [x,\n y]\n") == f"{key}: [x,\n  y]\n"


def test_a_text_keeps_every_character() -> None:
    before = "a: |\n     one  \n\n       two\n   \n\n\nb:\n    c: |2+\n        three\n      four\n\n\nd: |-\n five"
    after = "a: |\n  one  \n\n    two\n\nb:\n  c: |2+\n      three\n    four\n\n\nd: |-\n  five\n"
    assert yaml_laid_out(before) == after
    assert yaml.safe_load(before) == yaml.safe_load(after)


def test_a_text_that_ends_the_file_without_a_line_break_still_has_none() -> None:
    assert yaml_laid_out("a: |\n  one") == "a: |-\n  one\n"
    assert yaml_laid_out("board: b\nrules: |\n  setup: one") == "board: b\nrules: |\n  setup: one\n"
    assert yaml_laid_out("a: |\n") == "a: |\n"


def test_comments_keep_their_places() -> None:
    before = """\
  # the game
game:  x# no comment
units:      # of money
     # above
   yen: {}      # one
   ap: {}       # two
   # the last unit

# of all
pieces: [a, # here
  # there
 b]
about: |     # a text
   # part of it
# behind
"""
    assert yaml_laid_out(before) == """\
# the game
game: x# no comment
units:  # of money
  # above
  yen: {}       # one
  ap: {}        # two
  # the last unit

# of all
pieces: [a,  # here
         # there
         b]
about: |  # a text
  # part of it
# behind
"""


def test_rules_are_laid_out_where_they_stand() -> None:
    before = "board: b\nrules: |\n     setup :\n       # why\n       raise a by(b+1)\n\n\n     value x:1\n\nentry:  1 ap\n"
    after = "board: b\nrules: |\n  setup:\n      # why\n      raise a by (b + 1)\n\n  value x: 1\n\nentry: 1 ap\n"
    assert yaml_laid_out(before) == after
    assert yaml_laid_out(before.replace("board", "other")).startswith("other: b\nrules: |\n  setup :\n    # why\n")


def test_rules_in_yaml_are_cut_at_the_same_column() -> None:
    name = "a" * 54
    fits = f"board: b\nrules: |\n  value x -> flag: {name} = 1 or {name[:35]} = 1\n"
    assert len(fits.split("\n")[2]) == 120
    assert yaml_laid_out(fits) == fits
    assert yaml_laid_out(fits.replace(name, name + "b")) == fits.replace(name, name + "b").replace(" or ", "\n          or ")


def test_single_expressions_are_laid_out_too() -> None:
    before = """\
scenario:  a=b
given: lower   a by(b+1)
when: [x, {until: a=1}, {holds: "a=  1"}, {until: the end}]
then: [a=b, 'c  = d', true, count of( x where y ) =1]
why_not: {x: a=b}
"""
    after = """\
scenario: a=b
given: lower a by (b + 1)
when: [x, {until: a = 1}, {holds: "a = 1"}, {until: the end}]
then: [a = b, 'c = d', true, count of (x where y) = 1]
why_not: {x: a=b}
"""
    assert yaml_laid_out(before, "x.scenario.yaml") == after
    assert yaml_laid_out(before, "x.yaml") != after
    assert yaml_laid_out("game: x\nrefuses: [{when: a  and b, because: a  and b}]\noptions: {o: {where: a.b<=  c}}\n") == (
        "game: x\nrefuses: [{when: a and b, because: a  and b}]\noptions: {o: {where: a.b <= c}}\n"
    )


def test_line_ends_stay_what_they_are() -> None:
    before = "board: b\r\nabout: |\r\n    one\r\n\r\n    two\r\nrules: |\r\n    setup: a\r\nx: 'y\r\n\r\n  z'\r\n"
    after = "board: b\r\nabout: |\r\n  one\r\n\r\n  two\r\nrules: |\r\n  setup: a\r\nx: 'y\r\n\r\n  z'\r\n"
    assert yaml_laid_out(before) == after


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: [\n", "E007"), ("a: &b 1\n", "E009"), ("", "E005"), ("a: 1\na: 2\n", "E008"), ("a: no\n", "E017"),
        ("board: b\nrules: |\n  setup\n", "E203"), ("game: g\nrefuses: [{when: a and}]\n", "E203"), ("a: >\n  x\n", "E022"),
    ],
)  # fmt: skip
def test_what_has_faults_is_not_laid_out(text: str, code: str) -> None:
    faults = Faults()
    assert formatted(Source("x.yaml", text), faults) is None
    assert {fault.code for fault in faults.all} == {code}


# --- whatever is written


def meaning(text: str, name: str) -> object:
    """What a file holds; of rules what they mean, or their words."""

    def of(value: object, key: str) -> object:
        match value:
            case dict():
                return [(k, of(v, k)) for k, v in value.items()]
            case list():
                return [of(item, key) for item in value]
            case str() if key == "rules":
                return tree_of(value)
            case str() if key == "given":
                return value.split()
            case _:
                return value

    return of(yaml.load(text, yaml.BaseLoader), name)


def bare(meant: object) -> str:
    """Without blanks, which were strewn in the braces of texts too."""
    return repr(meant).replace(" ", "")


def comments(text: str) -> Counter[str]:
    """What a comment could be: also in a text, where it does not change either."""
    return Counter(re.findall(r"(?:^|[ ,{\[])(#.*?) *\r?$", text, re.MULTILINE))


def hold(text: str, name: str) -> str:
    new = yaml_laid_out(text, name)
    assert yaml_laid_out(new, name) == new
    assert meaning(new, name) == meaning(text, name)
    assert comments(new) == comments(text)
    assert new.endswith("\n")
    return new


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_yaml_of_all_games(path: Path) -> None:
    hold(path.read_text(encoding="utf-8"), path.name)


def strewn(number: int, seed: int) -> None:
    path = FILES[number]
    text = path.read_text(encoding="utf-8")
    other = Strewing(Random(seed))(text, path.name)
    new = hold(other, path.name)
    assert bare(meaning(new, path.name)) == bare(meaning(text, path.name))
    assert hold(new.replace("\n", "\r\n"), path.name).replace("\r\n", "\n") == new


@settings(max_examples=30, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(FILES) - 1), st.integers(0, 2**32))
def test_however_it_is_written(number: int, seed: int) -> None:
    strewn(number, seed)


@pytest.mark.soak
@settings(max_examples=2_000, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(FILES) - 1), st.integers(0, 2**32))
def test_however_it_is_written_over_and_over(number: int, seed: int) -> None:
    strewn(number, seed)
