"""Patterns: what `use` makes of them is what somebody would have written by hand, and what is wrong is told where it is used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.patterns.declared import Declared
from ichiba.dsl.patterns.filling import Filling, declared_in
from ichiba.dsl.patterns.giving import Giving
from ichiba.dsl.ruleset import library_folder
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_items
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.yaml.declarations import Box
from tests.language.tiny import check, rules

LIBRARY = sorted(library_folder().glob("*.rules"))


def items_of(text: str) -> tuple[t.Item, ...]:
    faults = Faults()
    items = parse_items(Embedded.whole(Source("x.rules", text)), faults)
    assert not faults.all
    return items


def pattern_texts() -> list[tuple[str, str]]:
    """Every pattern of the library, as text."""
    found = []
    for path in LIBRARY:
        for text in re.split(r"^(?=pattern )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            found.append((f"{path.stem}.{text.split('(')[0].split()[1]}", text.split("\n#")[0]))
    return found


def in_other_words(text: str, words: dict[str, str]) -> str:
    """Each word for the other one, but for what is a key or stands for people: of a text only what is in braces."""

    def other(found: re.Match[str]) -> str:
        if found[0].startswith('"'):
            return re.sub(r"\{.*?\}", lambda inner: re.sub(r"\w+", lambda word: words.get(word[0], word[0]), inner[0]), found[0])
        return words.get(found[0], found[0])

    return re.sub(r"\"[^\"]*\"|#.*|(?<!option )\b\w+", other, text)


@pytest.mark.parametrize("text", [text for _, text in pattern_texts()], ids=[name for name, _ in pattern_texts()])
def test_a_piece_reads_as_if_its_words_had_been_written_by_hand(text: str) -> None:
    """Other words by a search in the text, not in the tree."""
    (pattern,) = items_of(text)
    assert isinstance(pattern, t.Pattern)
    words = {name: "mine" if name == pattern.name else f"mine_{name}" for name in declared_in(pattern.items)}
    for given in pattern.given:
        words |= {given.name: f"my_{given.name}", given.unit or "": "dollar"}
        if given.type.name == "kind":
            words[plural(given.name)] = f"my_{plural(given.name)}"
    head, _, body = text.partition("):\n")
    by_hand = in_other_words("\n".join(line[4:] for line in body.splitlines()), words)
    use = t.Use(pattern.span, "x.pattern", (), "mine")
    left_open = {name for given in pattern.given for name in (given.name, plural(given.name), given.unit)}
    assert Giving(pattern, use, Declared(Box())).within.isdisjoint(left_open)
    assert left_open.isdisjoint(declared_in(pattern.items))
    assert Filling(words, {}, pattern.span.source).of(pattern.items) == items_of(by_hand) and head


OWN = """pattern toll(purse: purse of seat in coin, supply: purse of table in coin, fee: coin = 2 coin):
    seat:
        counter toll: 0 .. 9
    procedure toll(n: number):
        raise my.toll by n
        pay n * fee from my.purse to supply
    value paid_so_far(s: seat) -> coin: s.toll * fee
use toll(purse: cash, supply: bank) as bridge
use toll(purse: cash, supply: bank, fee: $1 + $2) as ferry

"""


def test_a_pattern_of_ones_own_is_used_twice(tmp_path: Path) -> None:
    check(tmp_path, OWN + """procedure turn:
    bridge(2)
    ferry(n: 1)
    tell "{bridge_paid_so_far(me)} and {ferry_paid_so_far(me)}, {my.bridge} and {my.ferry}"
    toll(1)          ### E205: no procedure is called
""")


def test_what_is_missing_or_wrong_is_one_fault_where_it_is_used(tmp_path: Path) -> None:
    turn = "procedure turn:\n    let w, p = gem_sale(seats, me, $1, none)\n    pay p to bank\n"
    tiny = rules(tmp_path, f"use auctions.english(purse: csh, stepp: $2) as gem_sale\n\n{turn}")
    assert tiny.text == """\
error[E350]: `auctions.english` is not used as it can be: it takes no `stepp` (did you mean `steps`?); \
`purse` must be the name of a purse that every seat has, `csh` is none (did you mean `cash`?); `supply`, `steps` are missing
  ┌─ tiny/play.rules:1:1
 1│ use auctions.english(purse: csh, stepp: $2) as gem_sale
  │ ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ write `use auctions.english(purse: …, supply: …, steps: …) as gem_sale`
  = purse: the name of a purse that every seat has (there is: cash, time)
  = supply: the name of a purse of the table (there is: bank)
  = steps: an amount in coin

1 error"""


@pytest.mark.parametrize("name", [name for name, _ in pattern_texts()])
def test_a_piece_without_its_parameters_names_them_all_in_one_fault(name: str, tmp_path: Path) -> None:
    text = next(text for one, text in pattern_texts() if one == name)
    (pattern,) = items_of(text)
    assert isinstance(pattern, t.Pattern)
    brought = ["piece" if one == pattern.name else f"piece_{one}" for one in declared_in(pattern.items)]
    body = "".join(f"    {one}(me)\n    let x_{one} = my.{one} + {one}(me, 3)\n" for one in brought)
    tiny = rules(tmp_path, f"use {name} as piece\n\nprocedure turn:\n{body}")
    (fault,) = tiny.faults
    assert (fault.code, fault.span and fault.span.source.path) == ("E350", "tiny/play.rules")
    wanted = [f"`{given.name}`" for given in pattern.given if given.default is None]
    assert fault.message == f"`{name}` is not used as it can be: {', '.join(wanted)} {'are' if len(wanted) > 1 else 'is'} missing"
    assert len(fault.notes) == len(pattern.given)


def test_what_is_wrong_inside_is_told_where_it_is_used(tmp_path: Path) -> None:
    tiny = rules(tmp_path, "use trades.offers(ware: stall, goods: hand, most: 3) as barter\n")
    assert tiny.text == """\
error[E351]: `trades.offers` does not go with what it is given here: a stall never lies in a zone of gem
  ┌─ tiny/play.rules:1:1
 1│ use trades.offers(ware: stall, goods: hand, most: 3) as barter
  │ ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = trades.rules:12: option accept "Give {amount} {wish} for {lot}" when amount <= count of wish in my.goods:

1 error"""


@pytest.mark.parametrize(("use", "words"), [
    ("use auctions.english(purse: cash, supply: bank, steps: 2) as x", "`steps` is a plain number, an amount in coin is needed"),
    ("use auctions.english(purse: time, supply: bank, steps: $2) as x",
     "`supply` is in coin, hour is needed; `steps` is in coin, an amount in hour is needed"),
    ("use auctions.english(purse: cash, purse: cash, supply: bank, steps: $2) as x", "`purse` is given twice"),
    ("use auctions.english(purse: cash, supply: bank, steps: high) as x", "`steps`: `high` means something else in this piece; call yours otherwise"),
    ("use auctions.english(purse: $2, supply: bank, steps: $2) as x", "`purse` must be the name of a purse that every seat has, `$2` is none"),
    ("use auctions.english(purse: cash, supply: bank, steps: coin) as x", "`steps` is a unit, an amount in coin is needed"),
    ("use trades.offers(ware: gems, goods: hand, most: 3) as x",
     "`ware` must be the name of a kind, family or enumeration, `gems` is none (did you mean `gem`?)"),
])  # fmt: skip
def test_what_does_not_fit_is_told(use: str, words: str, tmp_path: Path) -> None:
    (fault,) = rules(tmp_path, use + "\n").faults
    assert (fault.code, fault.message.partition(" can be: ")[2]) == ("E350", words)


@pytest.mark.parametrize(("use", "code", "words"), [
    ("use auctions.englsh(purse: cash)", "E205", "the library's `auctions` has no `englsh`"),
    ("use auction.english(purse: cash)", "E205", "the library has no `auction`"),
    ("use english(purse: cash)", "E205", "there is no pattern `english`"),
    ("pattern a(n: number):\n    value n: 3", "E206", "`n` is left open in this pattern, and declared in it"),
    ("pattern a(n: number):\n    use a(n: 1)", "E352", "in a pattern no pattern is declared or used"),
])  # fmt: skip
def test_a_piece_that_is_not_there_is_told(use: str, code: str, words: str, tmp_path: Path) -> None:
    (fault,) = rules(tmp_path, use + "\n").faults
    assert (fault.code, fault.message) == (code, words)


def test_patterns_come_to_so_much_and_no_more(tmp_path: Path) -> None:
    """A short text cannot stand for an endless one."""
    body = "    procedure p:\n" + "        raise round by 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1\n" * 60
    tiny = rules(tmp_path, f"pattern p(n: number):\n{body}" + "".join(f"use p(n: 1) as p{k}\n" for k in range(200)))
    assert {fault.code for fault in tiny.faults} == {"E204"}


def test_what_is_given_counts_as_often_as_it_stands_there(tmp_path: Path) -> None:
    body = "    procedure p:\n" + "        raise round by n + n + n + n + n + n + n + n + n + n\n" * 60
    tiny = rules(tmp_path, f"pattern p(n: number):\n{body}use p(n: {' + '.join('1' * 90)}) as p1\n")
    assert {fault.code for fault in tiny.faults} == {"E204"}


def test_an_argument_stands_in_brackets_and_may_be_worked_out(tmp_path: Path) -> None:
    text = "pattern p(n: number):\n    value p -> number: 10 - n * 2\nuse p(n: 1 + 2) as four\ninvariant right: four = 4\n"
    assert not rules(tmp_path, text).faults


def test_a_default_may_use_what_is_given(tmp_path: Path) -> None:
    text = "pattern p(least: coin, more: coin = least + $1):\n    procedure p: gain more from bank\nuse p(least: $2) as q\n\nprocedure turn: q\n"
    assert not rules(tmp_path, text).faults
