# ruff: noqa: E501 -- messages are pinned as they are, however long
# fmt: off
"""Rulesets with one mistake each, and all that an author reads about it. The numbers are those of the quality plan."""

from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Faults, RulesetFaults, render_all
from ichiba.dsl.world.world import Config
from ichiba.validator.judges.building import build
from tests.language.test_codes import config_of
from tests.language.tiny import files_of, read, ruleset

# Where a mistake stands in a file of `tiny`, its place is told as `tiny/play.rules:9:18`.


def game(folder: Path, text: str) -> str:
    """What is said of the tiny game with this in its `game.yaml`."""
    return read(folder, {"game.yaml": text}).text


def play(folder: Path, text: str) -> str:
    """What is said of the tiny game with these rules."""
    return read(folder, {"play.rules": text}).text


def chunk(folder: Path, text: str) -> str:
    """What is said of the tiny game with these files, and the config that stands among them."""
    files = files_of(text)
    return read(folder, files, config_of(files)).text


def raw(folder: Path, data: bytes) -> str:
    """What is said of a ruleset whose `game.yaml` has these bytes."""
    (ruleset(folder, {}) / "game.yaml").write_bytes(data)
    faults = Faults()
    build(folder / "tiny", Config(2), faults)
    return render_all(faults.all)


def lacking(folder: Path, *items: str) -> str:
    """What is said of the tiny game without some of its rules."""
    return read(folder, {}, without=items).text


def test_of_many_faults_the_first_twenty_are_shown(tmp_path: Path) -> None:
    text = play(tmp_path, "".join(f"value v{n}: missing_{n}\n" for n in range(30)))
    assert text.count("error[E205]") == 20
    assert text.endswith("... and 10 more\n\n30 errors")


def test_01_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    assert raw(tmp_path, b"game: tiny\ntitle: Caf\xe9\n") == """\
error[E003]: the file is not UTF-8: byte 21 is 0xe9
  ┌─ tiny/game.yaml:2:11
 2│ title: Caf�
  │           ^ save the file as UTF-8

1 error
""".rstrip()


def test_02_an_empty_file(tmp_path: Path) -> None:
    assert raw(tmp_path, b"# soon\n") == """\
error[E005]: the file is empty
  ┌─ tiny/game.yaml:1:1
 1│ # soon
  │ ^

1 error
""".rstrip()


def test_03_a_file_too_large(tmp_path: Path) -> None:
    assert raw(tmp_path, b"# " + b"x" * 300_000) == """\
error[E002]: the file has 300,002 bytes; at most 262,144 are read
  ┌─ tiny/game.yaml:1:1

1 error
""".rstrip()


def test_04_tabs_for_indentation(tmp_path: Path) -> None:
    assert game(tmp_path, """\
things:
	stall: {count: 3}
	gate: {count: 2}
""") == """\
error[E006]: line 2 is indented with a tab
  ┌─ tiny/game.yaml:2:1
 2│     stall: {count: 3}
  │ ^^^^ use spaces
  = 1 more line is indented with tabs

1 error
""".rstrip()


def test_05_broken_yaml(tmp_path: Path) -> None:
    assert game(tmp_path, """\
things: {stall: {count: 3}
seats: 3
""") == """\
error[E007]: expected `,` or `}`, found a text
  ┌─ tiny/game.yaml:2:1
 2│ seats: 3
  │ ^^^^^
  ┌─ tiny/game.yaml:1:9
 1│ things: {stall: {count: 3}
  │         - opened here

1 error
""".rstrip()


def test_06_a_key_twice(tmp_path: Path) -> None:
    assert game(tmp_path, """\
title: One
seats: 3
title: Two
""") == """\
error[E410]: 2 seats cannot play this
  = 3 to 3 seats can

error[E008]: the key `title` stands twice
  ┌─ tiny/game.yaml:3:1
 3│ title: Two
  │ ^^^^^ again here
  ┌─ tiny/game.yaml:1:1
 1│ title: One
  │ ----- first here

2 errors
""".rstrip()


def test_07_anchors_aliases_and_merge_keys(tmp_path: Path) -> None:
    assert game(tmp_path, """\
numbers:
  small: &price 100
  large: *price
things:
  stall: {<<: {count: 3}}
""") == """\
error[E009]: anchors are not allowed
  ┌─ tiny/game.yaml:2:10
 2│   small: &price 100
  │          ^^^^^^ remove it

error[E009]: aliases are not allowed
  ┌─ tiny/game.yaml:3:10
 3│   large: *price
  │          ^^^^^^ write the value out

error[E010]: merge keys are not allowed
  ┌─ tiny/game.yaml:5:11
 5│   stall: {<<: {count: 3}}
  │           ^^ write the keys out

3 errors
""".rstrip()


def test_08_a_python_tag(tmp_path: Path) -> None:
    assert game(tmp_path, "title: !!python/object/apply:os.system [ls]\n") == """\
error[E011]: tags are not allowed
  ┌─ tiny/game.yaml:1:8
 1│ title: !!python/object/apply:os.system [ls]
  │        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ remove it

1 error
""".rstrip()


def test_09_two_documents(tmp_path: Path) -> None:
    assert game(tmp_path, """\
title: One
---
title: Two
""") == """\
error[E012]: a second document begins here
  ┌─ tiny/game.yaml:2:1
 2│ ---
  │ ^^^ a file holds one only

1 error
""".rstrip()


def test_10_nested_too_deep(tmp_path: Path) -> None:
    assert raw(tmp_path, b"title: " + b"[" * 33 + b"]" * 33) == """\
error[E014]: lists and maps stand 33 deep in each other; at most 32 are read
  ┌─ tiny/game.yaml:1:39
 1│ title: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
  │                                       ^

1 error
""".rstrip()


def test_11_too_many_values(tmp_path: Path) -> None:
    assert raw(tmp_path, b"- 1\n" * 20_000) == """\
error[E015]: the file holds more than 20,000 values
     ┌─ tiny/game.yaml:20000:3
20000│ - 1
     │   ^ the first too many

1 error
""".rstrip()


def test_12_words_times_and_dates_that_yaml_readers_disagree_about(tmp_path: Path) -> None:
    assert game(tmp_path, """\
options:
  quick: {flag: no}
numbers:
  opens: 12:30
  since: 2024-01-31
""") == """\
error[E017]: `no` is false to some readers of YAML and a text to others
  ┌─ tiny/game.yaml:2:17
 2│   quick: {flag: no}
  │                 ^^ write true or false, or quote it

error[E018]: `12:30` is a time to some readers of YAML and a text to others
  ┌─ tiny/game.yaml:4:10
 4│   opens: 12:30
  │          ^^^^^ quote it

error[E018]: `2024-01-31` is a date to some readers of YAML and a text to others
  ┌─ tiny/game.yaml:5:10
 5│   since: 2024-01-31
  │          ^^^^^^^^^^ quote it

3 errors
""".rstrip()


def test_13_a_number_with_a_fraction(tmp_path: Path) -> None:
    assert game(tmp_path, "numbers: {interest: 0.5}\n") == """\
error[E019]: `0.5` is no integer
  ┌─ tiny/game.yaml:1:21
 1│ numbers: {interest: 0.5}
  │                     ^^^ integers only
  = use a smaller unit, or a fraction of two integers in a rule; quote it if it is a text

1 error
""".rstrip()


def test_14_huge_and_odd_integers(tmp_path: Path) -> None:
    assert game(tmp_path, """\
numbers:
  many: 9999999999999
  odd: 0x1F
  old: 010
""") == """\
error[E021]: the integer `9999999999999` is out of range
  ┌─ tiny/game.yaml:2:9
 2│   many: 9999999999999
  │         ^^^^^^^^^^^^^ at most 1,000,000,000,000

error[E020]: `0x1F` is read in different ways
  ┌─ tiny/game.yaml:3:8
 3│   odd: 0x1F
  │        ^^^^ write a plain decimal integer, or quote it

error[E020]: `010` is read in different ways
  ┌─ tiny/game.yaml:4:8
 4│   old: 010
  │        ^^^ write a plain decimal integer, or quote it

3 errors
""".rstrip()


def test_14_huge_numbers_in_rules(tmp_path: Path) -> None:
    assert play(tmp_path, """\
value many: 1234567890123
value more: 999999999999 * 2
""") == """\
error[E204]: this number is too large
  ┌─ tiny/play.rules:1:13
 1│ value many: 1234567890123
  │             ^^^^^^^^^^^^^ at most 12 digits

error[E204]: this number is too large
  ┌─ tiny/play.rules:2:13
 2│ value more: 999999999999 * 2
  │             ^^^^^^^^^^^^^^^^ at most 1,000,000,000,000

2 errors
""".rstrip()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("language: 1\n", """\
error[E105]: this is version 1 of the language; version 2 is spoken here
  ┌─ tiny/game.yaml:2:11
 2│ language: 1
  │           ^ `ichiba fmt --upgrade …/tiny` makes version 2 of it
"""),
        ("language: 3\n", """\
error[E105]: this is version `3` of the language; version 2 is spoken here
  ┌─ tiny/game.yaml:2:11
 2│ language: 3
  │           ^ a newer Ichiba is needed
"""),
        ("", """\
error[E105]: it is not said in which version of the language this is written
  ┌─ tiny/game.yaml:1:1
 1│ game: tiny
  │ ^^^^^^^^^^ write `language: 2`; of version 1 `ichiba fmt --upgrade …/tiny` makes version 2 of it
"""),
    ],
)  # fmt: skip
def test_15_of_another_version_of_the_language_nothing_else_is_told(said: str, told: str, tmp_path: Path) -> None:
    folder = ruleset(tmp_path, {"play.rules": "phase turn:\n    nothing\n"})
    (folder / "game.yaml").write_text(f"game: tiny\n{said}seats: 2\nthings: {{stall: {{number: 3}}}}\n", encoding="utf-8")
    with pytest.raises(RulesetFaults) as stopped:
        build(folder, Config(2), Faults())
    assert str(stopped.value).replace(str(tmp_path), "…") == told + "\n1 error"


def test_16_unknown_keys(tmp_path: Path) -> None:
    assert game(tmp_path, """\
titel: Gems
things: {stall: {numbr: 3}}
""") == """\
error[E101]: game.yaml has no key `titel`
  ┌─ tiny/game.yaml:1:1
 1│ titel: Gems
  │ ^^^^^ did you mean `title`?
  = its keys: game, language, title, about, seats, source, uses, map, boards, endings, units, numbers, tables, sorts, pieces, components, things, options, refuses, rules

error[E101]: the things `stall` has no key `numbr`
  ┌─ tiny/game.yaml:2:18
 2│ things: {stall: {numbr: 3}}
  │                  ^^^^^
  = its keys: one_for, each, from, edges, kind, count, assumption, grid, hex, corners, without

2 errors
""".rstrip()


def test_17_missing_keys(tmp_path: Path) -> None:
    assert chunk(tmp_path, """\
# game.yaml
options: {quick: {title: A quick game}}
# boards/north.yaml
board: north
""") == """\
error[E102]: a board has no `kind`
  ┌─ tiny/boards/north.yaml:1:1
 1│ board: north
  │ ^^^^^^^^^^^^ for example `kind: market`

error[E102]: the option `quick` says nothing of what can be chosen
  ┌─ tiny/game.yaml:1:11
 1│ options: {quick: {title: A quick game}}
  │           ^^^^^ `flag: false`, `one_of: [...]`, `from: 0` with `to:`, `seat: random` or `list_of: …`

2 errors
""".rstrip()


def test_17_a_missing_property(tmp_path: Path) -> None:
    assert chunk(tmp_path, """\
# houses.rules
kind house is thing:
    field rent: coin
# game.yaml
things: {house: {each: {inn: {rent: 3}, mill: {}}}}
""") == """\
error[E102]: `mill` has no `rent`
  ┌─ tiny/game.yaml:1:41
 1│ things: {house: {each: {inn: {rent: 3}, mill: {}}}}
  │                                         ^^^^ an amount in coin is needed: write `rent: …`
  ┌─ tiny/houses.rules:2:11
 2│     field rent: coin
  │           ---- declared here

1 error
""".rstrip()


def test_18_values_of_the_wrong_type(tmp_path: Path) -> None:
    assert game(tmp_path, """\
things: {stall: {count: [3]}}
pieces: {gem: {sorts: [red], count: 3, in: bag, individual: maybe}}
rules: [play]
""") == """\
error[E103]: a number is expected here
  ┌─ tiny/game.yaml:1:25
 1│ things: {stall: {count: [3]}}
  │                         ^^^

error[E103]: `individual` must be true or false
  ┌─ tiny/game.yaml:2:61
 2│ pieces: {gem: {sorts: [red], count: 3, in: bag, individual: maybe}}
  │                                                             ^^^^^

error[E103]: `rules` must be a block of rules
  ┌─ tiny/game.yaml:3:1
 3│ rules: [play]
  │ ^^^^^ write `rules: |`, and the rules below it, indented

3 errors
""".rstrip()


def test_18_tables_without_a_shape(tmp_path: Path) -> None:
    assert game(tmp_path, "tables: {fee: {values: 3}, toll: {values: {1: 2, 2: [3, 4]}}, fare: {values: {one: 1}}}\n") == """\
error[E103]: a table is a list of numbers, or a map from numbers to numbers
  ┌─ tiny/game.yaml:1:24
 1│ tables: {fee: {values: 3}, toll: {values: {1: 2, 2: [3, 4]}}, fare: {values: {one: 1}}}
  │                        ^

error[E108]: some entries of this table have more indexes than others
  ┌─ tiny/game.yaml:1:43
 1│ tables: {fee: {values: 3}, toll: {values: {1: 2, 2: [3, 4]}}, fare: {values: {one: 1}}}
  │                                           ^^^^^^^^^^^^^^^^^

error[E108]: the keys of a table are numbers
  ┌─ tiny/game.yaml:1:79
 1│ tables: {fee: {values: 3}, toll: {values: {1: 2, 2: [3, 4]}}, fare: {values: {one: 1}}}
  │                                                                               ^^^

3 errors
""".rstrip()


def test_19_names_that_rules_could_not_use(tmp_path: Path) -> None:
    assert game(tmp_path, """\
numbers:
  Last-Round: 7
  count: 3
  2nd: 4
""") == """\
error[E104]: a name is written in small letters, digits and _
  ┌─ tiny/game.yaml:2:3
 2│   Last-Round: 7
  │   ^^^^^^^^^^ like `two_slot`

error[E104]: `count` is a word of the language
  ┌─ tiny/game.yaml:3:3
 3│   count: 3
  │   ^^^^^ choose another name, such as `the_count`

error[E104]: a name is written in small letters, digits and _
  ┌─ tiny/game.yaml:4:3
 4│   2nd: 4
  │   ^^^ like `two_slot`

3 errors
""".rstrip()


def test_19_names_in_rules_that_are_words_of_the_language(tmp_path: Path) -> None:
    assert play(tmp_path, """\
value count: 3

procedure turn:
    let where = 2
    for each of in stalls: nothing
""") == """\
error[E104]: `count` is a word of the language
  ┌─ tiny/play.rules:1:7
 1│ value count: 3
  │       ^^^^^ choose another name, such as `the_count`

error[E104]: `where` is a word of the language
  ┌─ tiny/play.rules:4:9
 4│     let where = 2
  │         ^^^^^ choose another name, such as `the_where`

error[E104]: `of` is a word of the language
  ┌─ tiny/play.rules:5:14
 5│     for each of in stalls: nothing
  │              ^^ choose another name, such as `the_of`

3 errors
""".rstrip()


def test_20_a_name_defined_twice(tmp_path: Path) -> None:
    assert chunk(tmp_path, """\
# a.rules
value wage: 5

kind stall is thing:
    counter visits: 0 .. 9
    counter visits: 0 .. 5
# b.rules
value wage: 6
""") == """\
error[E206]: `visits` is defined twice
  ┌─ tiny/a.rules:5:13
 5│     counter visits: 0 .. 5
  │             ^^^^^^
  ┌─ tiny/a.rules:4:13
 4│     counter visits: 0 .. 9
  │             ------ first defined here

error[E206]: `wage` is defined twice
  ┌─ tiny/b.rules:1:7
 1│ value wage: 6
  │       ^^^^ one of them needs another name; a module says `replace`
  ┌─ tiny/a.rules:1:7
 1│ value wage: 5
  │       ---- first defined here

2 errors
""".rstrip()


def test_21_undefined_references(tmp_path: Path) -> None:
    assert play(tmp_path, """\
value late: rond = 3
value rich(s: seat): s.csh > $5
value all_gems: count of gms in bag

procedure turn:
    dig
    move 1 red from bagg to my.hand
""") == """\
error[E205]: nothing is called `rond`
  ┌─ tiny/play.rules:1:13
 1│ value late: rond = 3
  │             ^^^^ did you mean `round`?

error[E210]: a seat has no `csh`
  ┌─ tiny/play.rules:2:24
 2│ value rich(s: seat): s.csh > $5
  │                        ^^^ did you mean `cash`?
  = a seat has: cash, time, hand, score

error[E205]: nothing is called `gms`
  ┌─ tiny/play.rules:3:26
 3│ value all_gems: count of gms in bag
  │                          ^^^ did you mean `gems`?

error[E205]: no procedure is called `dig`
  ┌─ tiny/play.rules:6:5
 6│     dig
  │     ^^^

error[E205]: nothing is called `bagg`
  ┌─ tiny/play.rules:7:21
 7│     move 1 red from bagg to my.hand
  │                     ^^^^ did you mean `bag`?

5 errors
""".rstrip()


def test_21_undefined_references_in_yaml(tmp_path: Path) -> None:
    assert game(tmp_path, """\
numbers: {wage: {is: 5, unit: coins}, fee: wag - 1}
pieces: {gem: {sorts: [red], count: 3, in: bagg}}
things: {stal: {count: 2}}
""") == """\
error[E205]: no unit is called `coins`
  ┌─ tiny/game.yaml:1:11
 1│ numbers: {wage: {is: 5, unit: coins}, fee: wag - 1}
  │           ^^^^
  = units: coin, hour

error[E205]: no number or option is called `wag`
  ┌─ tiny/game.yaml:1:44
 1│ numbers: {wage: {is: 5, unit: coins}, fee: wag - 1}
  │                                            ^^^ did you mean `wage`?

error[E205]: no zone is called `bagg`
  ┌─ tiny/game.yaml:2:44
 2│ pieces: {gem: {sorts: [red], count: 3, in: bagg}}
  │                                            ^^^^ did you mean `bag`?
  = zones: bag

error[E205]: no kind is called `stal`
  ┌─ tiny/game.yaml:3:10
 3│ things: {stal: {count: 2}}
  │          ^^^^ did you mean `stall`?

4 errors
""".rstrip()


def test_22_the_right_name_of_the_wrong_kind(tmp_path: Path) -> None:
    assert play(tmp_path, """\
procedure turn:
    move 1 red from bank to my.hand
    gain $3 from bag
    for each s in round: nothing
    move 1 red from bag to stall
    set bag to 3
    turn_over

value turn_over: 3
value broke: turn = 3
""") == """\
error[E302]: `bank` is a purse in coin
  ┌─ tiny/play.rules:2:21
 2│     move 1 red from bank to my.hand
  │                     ^^^^ a zone is needed

error[E302]: `bag` is a zone of gem
  ┌─ tiny/play.rules:3:18
 3│     gain $3 from bag
  │                  ^^^ a purse in coin is needed, or a seat that has one

error[E302]: `round` is a number
  ┌─ tiny/play.rules:4:19
 4│     for each s in round: nothing
  │                   ^^^^^ a set is needed: `1 .. round`

error[E302]: `stall` is a kind
  ┌─ tiny/play.rules:5:28
 5│     move 1 red from bag to stall
  │                            ^^^^^ one of them is needed, or `stalls` for all

error[E309]: a zone of gem cannot be changed
  ┌─ tiny/play.rules:6:9
 6│     set bag to 3
  │         ^^^ a counter, a flag or a memory is needed

error[E302]: `turn_over` is a value
  ┌─ tiny/play.rules:7:5
 7│     turn_over
  │     ^^^^^^^^^ a procedure is needed
  ┌─ tiny/play.rules:9:7
 9│ value turn_over: 3
  │       --------- declared here

error[E302]: `turn` is a procedure
  ┌─ tiny/play.rules:10:14
10│ value broke: turn = 3
  │              ^^^^ a value is needed
  ┌─ tiny/play.rules:1:11
 1│ procedure turn:
  │           ---- declared here

7 errors
""".rstrip()


def test_23_sentences_that_cannot_go_on(tmp_path: Path) -> None:
    assert play(tmp_path, """\
value a: 1 +
value b: (1 + 2
value c: 1 2
value d: count gems
value e: if round = 1 then 2
value f: round == 1
value g: 7 / 2
value h: round & 3
value i: "no end
value j: my.

procedure turn:
    if round = 1:
    nothing

procedure evening:
        nothing
    nothing

procedure night
    nothing
""") == """\
error[E203]: the line ends too early
  ┌─ tiny/play.rules:1:12
 1│ value a: 1 +
  │            ^
  = expected here: an expression

error[E203]: `(` is never closed
  ┌─ tiny/play.rules:2:10
 2│ value b: (1 + 2
  │          ^ `)` is missing
  = expected here: `by`, `for`, `where`, `with`, `)`

error[E203]: `2` cannot stand here
  ┌─ tiny/play.rules:3:12
 3│ value c: 1 2
  │            ^
  = expected here: a comparison, a name, the end of the line, `and`, `in`, `is`, `of`, `or`, `(`, `*`, `+`, `-`, `.`, `/`, …

error[E203]: `gems` cannot stand here
  ┌─ tiny/play.rules:4:16
 4│ value d: count gems
  │                ^^^^
  = expected here: `of`

error[E203]: the line ends too early
  ┌─ tiny/play.rules:5:28
 5│ value e: if round = 1 then 2
  │                            ^ `else …` is missing
  = expected here: `else`

error[E203]: there is no `==`
  ┌─ tiny/play.rules:6:16
 6│ value f: round == 1
  │                ^^ one `=` says that two values are equal

error[E203]: the line ends too early
  ┌─ tiny/play.rules:7:14
 7│ value g: 7 / 2
  │              ^ `rounded …` is missing
  = expected here: `rounded`

error[E201]: the rule language has no `&`
  ┌─ tiny/play.rules:8:16
 8│ value h: round & 3
  │                ^ write `and`

error[E201]: this text does not end on its line
  ┌─ tiny/play.rules:9:10
 9│ value i: "no end
  │          ^ write `"` at its end

error[E203]: nothing follows this dot
  ┌─ tiny/play.rules:10:10
10│ value j: my.
  │          ^^^ a member, as in `my.cash`; no full stop ends a sentence

error[E203]: nothing follows this colon
  ┌─ tiny/play.rules:13:17
13│     if round = 1:
  │                 ^ a sentence, or deeper lines below

error[E202]: this line is indented like no line above it
  ┌─ tiny/play.rules:18:5
18│     nothing
  │     ^^^^^^^ begin it in the column of `nothing` or of `procedure`

error[E203]: a colon is missing at the end of this line
  ┌─ tiny/play.rules:20:16
20│ procedure night
  │                ^

13 errors
""".rstrip()


def test_24_expressions_too_deep(tmp_path: Path) -> None:
    assert play(tmp_path, "value deep: " + "(" * 33 + "1 + 1" + ")" * 33) == """\
error[E204]: brackets are nested more than 32 deep
  ┌─ tiny/play.rules:1:45
 1│ value deep: (((((((((((((((((((((((((((((((((1 + 1)))))))))))))))))))))))))))))))))
  │                                             ^

1 error
""".rstrip()


def test_24_expressions_too_long(tmp_path: Path) -> None:
    assert play(tmp_path, "value long: 1" + " + 1" * 200) == """\
error[E204]: this is nested more than 100 steps deep: give a part of it a name
  ┌─ tiny/play.rules:1:433
 1│ … + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1…
  │                                         ^

1 error
""".rstrip()


def test_24_sentences_too_long(tmp_path: Path) -> None:
    assert play(tmp_path, "value long: max(1" + ", 1" * 1_000 + ")") == """\
error[E204]: this sentence has more than 2000 words
  ┌─ tiny/play.rules:1:3009
 1│ …1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
  │                                                                        ^

1 error
""".rstrip()


def test_25_kinds_and_units_that_do_not_go_together(tmp_path: Path) -> None:
    assert play(tmp_path, """\
value a(s: seat): s.cash + s.time
value b(s: seat): s.cash > 3 hours
value c(s: seat): s = red
value d: red < green
value e: if round = 1 then $3 else 4 hours
value f -> coin: 3
value g: (x in stalls by highest x)

procedure turn:
    set round to $3
    gain 3 from bank
    if my.cash: nothing
""") == """\
error[E301]: an amount in coin and an amount in hour are different units
  ┌─ tiny/play.rules:1:28
 1│ value a(s: seat): s.cash + s.time
  │                            ^^^^^^ this is an amount in hour
  ┌─ tiny/play.rules:1:19
 1│ value a(s: seat): s.cash + s.time
  │                   ------ this is an amount in coin

error[E301]: an amount in coin and an amount in hour are different units
  ┌─ tiny/play.rules:2:28
 2│ value b(s: seat): s.cash > 3 hours
  │                            ^^^^^^^ this is an amount in hour
  ┌─ tiny/play.rules:2:19
 2│ value b(s: seat): s.cash > 3 hours
  │                   ------ this is an amount in coin

error[E301]: a seat is never a sort of gem
  ┌─ tiny/play.rules:3:19
 3│ value c(s: seat): s = red
  │                   ^^^^^^^ these cannot be compared

error[E301]: a sort of gem has no order
  ┌─ tiny/play.rules:4:10
 4│ value d: red < green
  │          ^^^^^^^^^^^ only numbers can be more or less

error[E301]: an amount in coin and an amount in hour are different units
  ┌─ tiny/play.rules:5:36
 5│ value e: if round = 1 then $3 else 4 hours
  │                                    ^^^^^^^ this is an amount in hour
  ┌─ tiny/play.rules:5:28
 5│ value e: if round = 1 then $3 else 4 hours
  │                            -- this is an amount in coin

error[E301]: this is a number
  ┌─ tiny/play.rules:6:18
 6│ value f -> coin: 3
  │                  ^ an amount in coin is needed

error[E301]: a stall has no order
  ┌─ tiny/play.rules:7:34
 7│ value g: (x in stalls by highest x)
  │                                  ^ a number is needed

error[E301]: this is an amount in coin
  ┌─ tiny/play.rules:10:18
10│     set round to $3
  │                  ^^ a number is needed

error[E301]: a plain number is no money
  ┌─ tiny/play.rules:11:10
11│     gain 3 from bank
  │          ^ write its unit, such as `¥5` or `2 ap`

error[E301]: this is an amount in coin
  ┌─ tiny/play.rules:12:8
12│     if my.cash: nothing
  │        ^^^^^^^ a condition is needed

10 errors
""".rstrip()


def test_26_a_division_by_zero(tmp_path: Path) -> None:
    assert chunk(tmp_path, """\
# game.yaml
numbers: {half: 5 / 0 rounded down}
# play.rules
value share(n: number): n / (3 - 3) rounded up
""") == """\
error[E305]: this divides by zero
  ┌─ tiny/game.yaml:1:17
 1│ numbers: {half: 5 / 0 rounded down}
  │                 ^^^^^^^^^^^^^^^^^^

error[E305]: this divides by zero
  ┌─ tiny/play.rules:1:30
 1│ value share(n: number): n / (3 - 3) rounded up
  │                              ^^^^^

2 errors
""".rstrip()


def test_27_values_that_depend_on_each_other(tmp_path: Path) -> None:
    assert play(tmp_path, """\
value wage: 2 * fee
value fee: toll + 1
value toll -> number:
    let w = wage
    give w - 1
""") == """\
error[E501]: this value depends on itself: wage → fee → toll → wage
  ┌─ tiny/play.rules:1:7
 1│ value wage: 2 * fee
  │       ^^^^

1 error
""".rstrip()


def test_27_a_cost_that_depends_on_itself(tmp_path: Path) -> None:
    assert play(tmp_path, """\
cost fare: toll or $3
cost toll: fare or $4

procedure turn:
    menu actions:
        option ride costs fare: nothing
""") == """\
error[E501]: this cost depends on itself: fare → toll → fare
  ┌─ tiny/play.rules:1:6
 1│ cost fare: toll or $3
  │      ^^^^

1 error
""".rstrip()


def test_28_procedures_that_perform_each_other(tmp_path: Path) -> None:
    assert play(tmp_path, """\
procedure dig: fill

procedure fill:
    if round = 1: haul

procedure haul: dig

rule again, after turn: turn
""") == """\
error[E505]: this procedure performs itself: turn → rule again → turn
  ┌─ tiny/base.rules:19:11
19│ procedure turn: nothing
  │           ^^^^
  ┌─ tiny/play.rules:8:25
 8│ rule again, after turn: turn
  │                         ---- performed again here

error[E505]: this procedure performs itself: dig → fill → haul → dig
  ┌─ tiny/play.rules:1:11
 1│ procedure dig: fill
  │           ^^^
  ┌─ tiny/play.rules:6:17
 6│ procedure haul: dig
  │                 --- performed again here

2 errors
""".rstrip()


def test_29_modules_that_need_each_other(tmp_path: Path) -> None:
    assert chunk(tmp_path, """\
# modules/fog.yaml
module: fog
needs: [snow]
# modules/rain.yaml
module: rain
needs: [fog]
# modules/snow.yaml
module: snow
needs: [rain]
# config
modules: [fog, rain, snow]
""") == """\
error[E408]: these modules come after each other: fog → snow → rain → fog
  ┌─ tiny/modules/rain.yaml:2:9
 2│ needs: [fog]
  │         ^^^

1 error
""".rstrip()


def test_30_a_file_outside_of_the_ruleset(tmp_path: Path) -> None:
    assert game(tmp_path, "map: ../other/map.yaml\n") == """\
error[E001]: a map file lies inside its ruleset's folder
  ┌─ tiny/game.yaml:1:6
 1│ map: ../other/map.yaml
  │      ^^^^^^^^^^^^^^^^^

1 error
""".rstrip()


def test_30_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert game(tmp_path, "map: maps/nort.yaml\n") == """\
error[E001]: `maps/nort.yaml` cannot be read: there is no such file
  ┌─ tiny/game.yaml:1:6
 1│ map: maps/nort.yaml
  │      ^^^^^^^^^^^^^^

1 error
""".rstrip()


def test_33_a_game_that_never_begins(tmp_path: Path) -> None:
    assert lacking(tmp_path, "play", "procedure turn") == """\
error[E213]: this game has no `play:`
  = say what happens in a game

1 error
""".rstrip()


def test_34_a_game_without_scoring(tmp_path: Path) -> None:
    assert lacking(tmp_path, "scoring") == """\
error[E214]: this game has no `scoring:`
  = say what each seat's score is made of

1 error
""".rstrip()


def test_35_a_range_of_seats_without_seats(tmp_path: Path) -> None:
    assert game(tmp_path, "seats: 4 to 2\n") == """\
error[E106]: the number of seats is written `2 to 4` or `3`
  ┌─ tiny/game.yaml:1:8
 1│ seats: 4 to 2
  │        ^^^^^^ between 1 and 12

1 error
""".rstrip()


def test_35_a_number_of_seats_that_cannot_play(tmp_path: Path) -> None:
    assert chunk(tmp_path, """\
# game.yaml
seats: 2 to 4
# config
seats: 5
""") == """\
error[E410]: 5 seats cannot play this
  = 2 to 4 seats can

1 error
""".rstrip()


def test_37_pieces_that_begin_nowhere(tmp_path: Path) -> None:
    assert game(tmp_path, "pieces: {gem: {sorts: [red], count: 3}}\n") == """\
error[E111]: it is not said where `gem` begins
  ┌─ tiny/game.yaml:1:10
 1│ pieces: {gem: {sorts: [red], count: 3}}
  │          ^^^ add `in:` and the zone

1 error
""".rstrip()


def test_38_money_from_nowhere(tmp_path: Path) -> None:
    assert play(tmp_path, """\
procedure turn:
    set my.cash to $5
    menu actions:
        option work costs 2 hours: nothing
""") == """\
error[E502]: nobody sets the money in a purse
  ┌─ tiny/play.rules:2:9
 2│     set my.cash to $5
  │         ^^^^^^^ use `gain` or `pay`

error[E504]: there is no supply of hour
  ┌─ tiny/play.rules:4:27
 4│         option work costs 2 hours: nothing
  │                           ^^^^^^^ say from or to whom, or declare an unlimited purse of the table

2 errors
""".rstrip()


def test_a_file_with_five_faults_shows_all_five(tmp_path: Path) -> None:
    assert play(tmp_path, """\
value late: round = 3 +
value rich(s: seat): s.cash > 5
value poor(s: seat): s.csh < $5
value late: round > 3

procedure turn:
    menu actions:
        option dig "Dig {n} deep" for n in 1 .. 3: raise round by m
        option rest: raise round to 3
""") == """\
error[E203]: the line ends too early
  ┌─ tiny/play.rules:1:23
 1│ value late: round = 3 +
  │                       ^
  = expected here: an expression

error[E203]: `to` cannot stand here
  ┌─ tiny/play.rules:9:34
 9│         option rest: raise round to 3
  │                                  ^^ `by …` is missing before it
  = expected here: `by`

error[E301]: an amount in coin and a number are different units
  ┌─ tiny/play.rules:2:31
 2│ value rich(s: seat): s.cash > 5
  │                               ^ this is a number
  ┌─ tiny/play.rules:2:22
 2│ value rich(s: seat): s.cash > 5
  │                      ------ this is an amount in coin

error[E210]: a seat has no `csh`
  ┌─ tiny/play.rules:3:24
 3│ value poor(s: seat): s.csh < $5
  │                        ^^^ did you mean `cash`?
  = a seat has: cash, time, hand, score

error[E205]: nothing is called `m`
  ┌─ tiny/play.rules:8:67
 8│         option dig "Dig {n} deep" for n in 1 .. 3: raise round by m
  │                                                                   ^ did you mean `me`?

5 errors
""".rstrip()


def test_faults_inside_a_text_stand_at_their_own_place(tmp_path: Path) -> None:
    assert play(tmp_path, """\
procedure turn:
    menu actions:
        option dig "Dig {n +} of {depth}" for n in 1 .. 3: nothing
""") == """\
error[E203]: the line ends too early
  ┌─ tiny/play.rules:3:28
 3│         option dig "Dig {n +} of {depth}" for n in 1 .. 3: nothing
  │                            ^
  = expected here: an expression

error[E205]: nothing is called `depth`
  ┌─ tiny/play.rules:3:35
 3│         option dig "Dig {n +} of {depth}" for n in 1 .. 3: nothing
  │                                   ^^^^^

2 errors
""".rstrip()


def test_faults_in_rules_inside_yaml_stand_at_their_line_and_column(tmp_path: Path) -> None:
    assert chunk(tmp_path, """\
# market.rules
kind market is board:
    menu visit
# boards/north.yaml
board: north
title: {en: The North, ja: 北}
kind: market
rules: |
    # what one can do here
    add to menu visit:
        option dig costs $1 to banc: nothing
        option 北: nothing

    value depth: rond + 1
""") == """\
error[E201]: the rule language has no `北`
  ┌─ tiny/boards/north.yaml:8:16
 8│         option 北: nothing
  │                ^^

error[E205]: nothing is called `rond`
  ┌─ tiny/boards/north.yaml:10:18
10│     value depth: rond + 1
  │                  ^^^^ did you mean `round`?

2 errors
""".rstrip()


def test_several_broken_sentences_of_one_phase_are_all_shown(tmp_path: Path) -> None:
    assert play(tmp_path, """\
procedure turn:
    if round = :
        raise round by 1
    else: nothing
    menu actions:
        option dig costs 1 our to bank: nothing
        option fill costs
        option rest: raise rond by 1
    move 1 red form bag to my.hand

kind house is thing:
    counter age 0 .. 9
    zone yard of gem,
    flag old

value cold(h: house): h.old and h.yard is emty
""") == """\
error[E203]: `:` cannot stand here
  ┌─ tiny/play.rules:2:16
 2│     if round = :
  │                ^
  = expected here: an expression

error[E203]: the line ends too early
  ┌─ tiny/play.rules:7:25
 7│         option fill costs
  │                         ^
  = expected here: an expression

error[E203]: `form` cannot stand here
  ┌─ tiny/play.rules:9:16
 9│     move 1 red form bag to my.hand
  │                ^^^^ did you mean `from`?
  = expected here: `from`, `in`, `of`, `to`, `(`, `*`, `+`, `-`, `.`, `/`

error[E203]: `0` cannot stand here
  ┌─ tiny/play.rules:12:17
12│     counter age 0 .. 9
  │                 ^
  = expected here: `(`, `:`

error[E203]: the line ends too early
  ┌─ tiny/play.rules:13:21
13│     zone yard of gem,
  │                     ^
  = expected here: `at`, `face`, `hidden`, `in`, `ordered`, `refills`, `resets`, `screened`, `stops`, `uncounted`, `unlimited`

error[E205]: no unit or piece is called `our`
  ┌─ tiny/play.rules:6:28
 6│         option dig costs 1 our to bank: nothing
  │                            ^^^ did you mean `hour`?
  = units: coin, hour; pieces: gem

error[E205]: nothing is called `rond`
  ┌─ tiny/play.rules:8:28
 8│         option rest: raise rond by 1
  │                            ^^^^ did you mean `round`?

7 errors
""".rstrip()


def test_a_broken_item_hides_no_other_and_is_not_missed(tmp_path: Path) -> None:
    assert play(tmp_path, """\
procedure turn:
    dig(1

procedure dig(n: number):
    raise round bye n

procedure evening: dig(2)

value late: rnd = 3

play:
    turn
    evening
""") == """\
error[E203]: `(` is never closed
  ┌─ tiny/play.rules:2:8
 2│     dig(1
  │        ^ `)` is missing
  = expected here: `)`, `,`

error[E203]: `bye` cannot stand here
  ┌─ tiny/play.rules:5:17
 5│     raise round bye n
  │                 ^^^ did you mean `by`?
  = expected here: `by`, `(`, `.`

error[E205]: nothing is called `rnd`
  ┌─ tiny/play.rules:9:13
 9│ value late: rnd = 3
  │             ^^^ did you mean `red`?

3 errors
""".rstrip()
