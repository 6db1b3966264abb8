"""Claims about `ichiba fmt --upgrade`: each sentence of version 1 in the words of version 2, and nothing else touched."""

from __future__ import annotations

import pytest

from ichiba.dsl.faults.fault import Faults, render_all
from ichiba.dsl.faults.source import Source
from ichiba.dsl.formatting.formatting import formatted
from ichiba.dsl.formatting.upgrade.folder import upgraded

GAME = "game: small\nlanguage: 1\nseats: 2\n"


def new(text: str, name: str = "play.rules") -> str:
    """A file of a ruleset of version 1, as it is in version 2."""
    faults = Faults()
    files = {"game.yaml": GAME, name: text}
    made = upgraded({path: Source(f"small/{path}", said) for path, said in files.items()}, faults)
    assert made is not None, render_all(faults.all)
    assert made.renamed == {}
    return made.texts[name]


@pytest.mark.parametrize(
    ("old", "now"),
    [
        ("phase turn: nothing\n", "procedure turn: nothing\n"),
        ("replace phase turn:\n    nothing\n", "replace procedure turn:\n    nothing\n"),
        ("menu act:\n    option a: nothing\n", "add to menu act:\n    option a: nothing\n"),
        ("menu m.visit of shop:\n    option a: nothing\n", "add to menu m.visit of shop:\n    option a: nothing\n"),
        ("add to menu act:\n    option a: nothing\n", "add to menu act:\n    option a: nothing\n"),
        ("kind shop is board:\n    menu visit\n", "kind shop is board:\n    menu visit\n"),
        ("seat:\n    zone sea of boat keeps used and paid, ordered\n", "seat:\n    zone sea of boat forgets everything but used and paid, ordered\n"),
        ("change zone seat.sea: keeps used\n", "change zone seat.sea: keeps used\n"),
        ("seat:\n    zone sea of boat, at most 3\n", "seat:\n    zone sea of boat, at most 3\n"),
        ("value v in number: 1\n", "value v -> number: 1\n"),
        ("value v(s: seat) in yen, by sort: ¥1\n", "value v(s: seat) -> yen, by sort: ¥1\n"),
        ("replace value v in flag: 1 in x\n", "replace value v -> flag: 1 in x\n"),
        ("seat:\n    purse cash in yen start ¥3, hidden\n", "seat:\n    purse cash: yen start ¥3, hidden\n"),
        ("seat:\n    purse cash # mine\n            in yen\n", "seat:\n    purse cash  # mine\n            : yen\n"),
        ("seat:\n    purse cash in  # mine\n            yen\n", "seat:\n    purse cash  # mine\n            : yen\n"),
        ("value v: not any (x in xs where x.a)\n", "value v: no (x in xs where x.a)\n"),
        ("value v: not (any (x in xs where x.a) or b)\n", "value v: not (any (x in xs where x.a) or b)\n"),
        ("value v: number of s + number(x)\n", "value v: position of s + number(x)\n"),
        ("value v: number(sort of x) * 2\n", "value v: position of sort of x * 2\n"),
        ("value v(number: number): number of s\n", "value v(number: number): number of s\n"),
        ('guard g(l: lot) "lot {number of l}, the number of it": a\n', 'guard g(l: lot) "lot {position of l}, the number of it": a\n'),
        (
            "phase turn:\n    s pay ¥3 to t\n    pay ¥3 to t\n    s pays ¥3 to t\n    s gain ¥3\n    s choose x in xs\n    choose x in xs\n",
            "procedure turn:\n    s pays ¥3 to t\n    pay ¥3 to t\n    s pays ¥3 to t\n    s gains ¥3\n    s chooses x in xs\n    choose x in xs\n",
        ),
        (
            "phase turn:\n    choose x in xs:\n        nothing\n    otherwise: nothing\n    menu m\n    otherwise:\n        nothing\n",
            "procedure turn:\n    choose x in xs:\n        nothing\n    else: nothing\n    menu m\n    else:\n        nothing\n",
        ),
    ],
)
def test_a_sentence_of_version_1_is_said_in_the_words_of_version_2(old: str, now: str) -> None:
    assert new(old) == now == formatted(Source("play.rules", now), Faults())


def test_comments_stay_and_so_do_words_that_only_look_like_old_ones() -> None:
    old = "# phase one\nphase turn: # otherwise\n    # number of all\n    score \"phase otherwise\" 1 # not any\n"
    assert new(old) == '# phase one\nprocedure turn:  # otherwise\n    # number of all\n    score "phase otherwise" 1  # not any\n'


def test_line_endings_stay() -> None:
    assert new("phase turn:\r\n    nothing\r\n") == "procedure turn:\r\n    nothing\r\n"


@pytest.mark.parametrize(
    ("name", "old", "now"),
    [
        ("game.yaml", GAME + "pieces:\n  a: {number: 3, sorts: {b: {number: 2, face: 1}}}\nthings: {c: {number: seats}}\n",
         "game: small\nlanguage: 2\nseats: 2\npieces:\n  a: {count: 3, sorts: {b: {count: 2, face: 1}}}\nthings: {c: {count: seats}}\n"),
        ("game.yaml", "game: small\nseats: 2\nthings: {c: {each: {d: {number: 4}}}}\n",
         "language: 2\ngame: small\nseats: 2\nthings: {c: {each: {d: {number: 4}}}}\n"),
        ("boards/eel.yaml", "board: eel\nkind: market\npieces: {token: {eel: {number: 13}}}\nrules: |\n  menu visit:\n      option a: nothing\n",
         "board: eel\nkind: market\npieces: {token: {eel: {count: 13}}}\nrules: |\n  add to menu visit:\n      option a: nothing\n"),
        ("s.scenario.yaml", "scenario: number of x\ngiven: |\n  s pay ¥3 to t\nthen: [number of s = 1, 'not any (x in xs where a)']\n",
         "scenario: number of x\ngiven: |\n  s pays ¥3 to t\nthen: [position of s = 1, 'no (x in xs where a)']\n"),
        ("texts/nl.yaml", "menu.act.buy: Koop kavel {number of l}\n", "menu.act.buy: Koop kavel {position of l}\n"),
    ],
)  # fmt: skip
def test_yaml_is_upgraded_where_it_counts_and_where_it_holds_rules(name: str, old: str, now: str) -> None:
    assert new(old, name) == now


def test_a_name_that_has_become_a_word_of_the_language_is_another_everywhere() -> None:
    rules = "procedure tell(n: number): nothing\n\nphase turn:\n    choose record from 1 to 3\n"
    rules += "    tell(record)\n    menu m:\n        option tell: nothing\n"
    files = {"game.yaml": GAME + "numbers: {position: 3}\n", "play.rules": rules, "more.rules": "value v: position + 1\n"}
    made = upgraded({path: Source(f"small/{path}", said) for path, said in files.items()}, Faults())
    assert made is not None and made.renamed == {"position": "the_position", "record": "the_record", "tell": "the_tell"}
    assert made.texts == {
        "game.yaml": "game: small\nlanguage: 2\nseats: 2\nnumbers: {the_position: 3}\n",
        "play.rules": "procedure the_tell(n: number): nothing\n\nprocedure turn:\n"
        '    choose the_record from 1 to 3 key "record"\n    the_tell(the_record)\n    menu m:\n        option tell: nothing\n',
        "more.rules": "value v: the_position + 1\n",
    }


def test_what_version_1_could_not_read_is_told_with_its_line() -> None:
    faults = Faults()
    files = {"game.yaml": GAME, "play.rules": "phase turn:\n    nothing\n\nvalue v: 1 +\n"}
    assert upgraded({path: Source(f"small/{path}", said) for path, said in files.items()}, faults) is None
    assert render_all(faults.all) == """\
error[E203]: version 1 could not read this either
  ┌─ small/play.rules:4:12
 4│ value v: 1 +
  │            ^ mend it first, then upgrade

1 error"""


def test_a_file_that_bears_such_a_name_is_told() -> None:
    faults = Faults()
    files = {"game.yaml": GAME, "boards/tell.yaml": "board: tell\nkind: market\n"}
    assert upgraded({path: Source(f"small/{path}", said) for path, said in files.items()}, faults) is None
    assert [(fault.message, fault.label) for fault in faults.all] == [
        ("`tell` has become a word of the language", "rename the file, such as to `the_tell`, and what mentions it, then upgrade")
    ]


def test_what_is_of_version_2_stays_as_it_is() -> None:
    files = {"game.yaml": GAME.replace("1", "2"), "play.rules": "procedure turn :\n  nothing"}
    made = upgraded({path: Source(f"small/{path}", said) for path, said in files.items()}, Faults())
    assert made is not None and made.texts == files


def test_a_zone_that_kept_nothing_forgets_everything_where_something_can_be_noted() -> None:
    files = {
        "game.yaml": GAME + "pieces: {eel: {is: good, sorts: [big]}, box: {sorts: [wide]}, sole: {is: ware, sorts: [flat]}}\n",
        "play.rules": "kind ware is piece:\n    flag old\n\nkind good is ware:\n    note price: yen\n",
        "boards/mill.yaml": "board: mill\nkind: market\nrules: |\n  board:\n"
        "      zone a of eel\n      zone b of ware of board\n      zone c of box\n",
        "seats.rules": "seat:\n    zone d of good # all\n    zone e of piece\n    zone f of thing, ordered\n    zone g of sole\n"
        "    zone h of good keeps price\n",
    }
    faults = Faults()
    made = upgraded({path: Source(f"small/{path}", said) for path, said in files.items()}, faults)
    assert made is not None, render_all(faults.all)
    zones = "".join(line for path in ("boards/mill.yaml", "seats.rules") for line in made.texts[path].splitlines(keepends=True) if "zone" in line)
    assert zones == """\
      zone a of eel forgets everything
      zone b of ware of board forgets everything
      zone c of box
    zone d of good forgets everything  # all
    zone e of piece forgets everything
    zone f of thing forgets everything, ordered
    zone g of sole
    zone h of good forgets everything but price
"""


def test_what_the_library_had_then_is_used_by_its_name_of_today() -> None:
    game = "game: small\nlanguage: 1\nseats: 2\nuses: [auctions, sets, ranks]\n"
    made = upgraded({"game.yaml": Source("small/game.yaml", game)}, Faults())
    assert made is not None
    assert made.texts["game.yaml"] == (
        "game: small\nlanguage: 2\nseats: 2\nuses: [version_1_auctions, sets, version_1_ranks]\n"
    )
