"""Tables that go by names, and sorts that are made for one with another: what authors read about a mistake, whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.dsl.world.world import Config
from tests.language.tiny import check, files_of, read

SIDES = "# game.yaml\nsorts: {side: [left, right]}\n"
TURN = "# play.rules\nprocedure turn: nothing\n"


def told(folder: Path, chunk: str, config: Config | None = None) -> str:
    return read(folder, files_of(chunk), config).text


TABLES = {
    "a name that is not there": (
        "tables: {price: {index: [gem, side], values: {red: [1, 2], grean: [3, 4], blue: [5, 6]}}}",
        """\
error[E205]: no gem is called `grean`
  ┌─ tiny/game.yaml:2:60
 2│ tables: {price: {index: [gem, side], values: {red: [1, 2], grean: [3, 4], blue: [5, 6]}}}
  │                                                            ^^^^^ did you mean `green`?
  = there are: red, green, blue

1 error""",
    ),
    "a name without an entry": (
        "tables: {price: {index: [gem, side], values: {red: [1, 2], blue: {left: 5}}}}",
        """\
error[E108]: the table `price` has no entry for `green`
  ┌─ tiny/game.yaml:2:10
 2│ tables: {price: {index: [gem, side], values: {red: [1, 2], blue: {left: 5}}}}
  │          ^^^^^ a table that goes by names has an entry for each of them; a module says it of what it brings: `change: {price: {green: …}}`

1 error""",
    ),
    "an entry without its last name": (
        "tables: {price: {index: [gem, side], values: {red: [1, 2], green: {right: 1}, blue: [3, 4]}}}",
        """\
error[E108]: the table `price` has no entry for `green, left`
  ┌─ tiny/game.yaml:2:10
 2│ tables: {price: {index: [gem, side], values: {red: [1, 2], green: {right: 1}, blue: [3, 4]}}}
  │          ^^^^^ a table that goes by names has an entry for each of them

1 error""",
    ),
    "a list of another length": (
        "tables: {price: {index: gem, values: [1, 2, 3, 4]}}",
        """\
error[E108]: there are 3 gems, and this list has 4
  ┌─ tiny/game.yaml:2:38
 2│ tables: {price: {index: gem, values: [1, 2, 3, 4]}}
  │                                      ^^^^^^^^^^^^ in order: red, green, blue

1 error""",
    ),
    "rows of several lengths": (
        "tables: {price: {index: [gem, n], values: {red: [1, 2], green: [3, 4, 5], blue: [6, 7]}}}",
        """\
error[E108]: the table `price` has no entry for `red, 3`, `blue, 3`
  ┌─ tiny/game.yaml:2:10
 2│ tables: {price: {index: [gem, n], values: {red: [1, 2], green: [3, 4, 5], blue: [6, 7]}}}
  │          ^^^^^ a table that goes by names has an entry for each of them

1 error""",
    ),
    "too deep": (
        "tables: {price: {index: gem, values: {red: [1, 2], green: 1, blue: 1}}}",
        """\
error[E108]: this table has 1 index: `gem`
  ┌─ tiny/game.yaml:2:44
 2│ tables: {price: {index: gem, values: {red: [1, 2], green: 1, blue: 1}}}
  │                                            ^^^^^^ an entry is a number

1 error""",
    ),
    "not deep enough": (
        "tables: {price: {index: [gem, side], values: {red: 3, green: [1, 2], blue: [1, 2]}}}",
        """\
error[E108]: this table has 2 indexes: `gem`, `side`
  ┌─ tiny/game.yaml:2:52
 2│ tables: {price: {index: [gem, side], values: {red: 3, green: [1, 2], blue: [1, 2]}}}
  │                                                    ^ an entry for each of them stands inside the next

1 error""",
    ),
    "a name where a number counts": (
        "tables: {price: {index: [gem, n], values: {red: {left: 1}, green: {1: 2}, blue: {1: 2}}}}",
        """\
error[E108]: `n` is a number here
  ┌─ tiny/game.yaml:2:50
 2│ tables: {price: {index: [gem, n], values: {red: {left: 1}, green: {1: 2}, blue: {1: 2}}}}
  │                                                  ^^^^ and so are its keys

1 error""",
    ),
    "the plural of a family": (
        "tables: {price: {index: gems, values: {red: 1, green: 2, blue: 3}}}",
        """\
error[E108]: the keys of a table are numbers
  ┌─ tiny/game.yaml:2:40
 2│ tables: {price: {index: gems, values: {red: 1, green: 2, blue: 3}}}
  │                                        ^^^ to go by names, the index is called `gem`, not `gems`

1 error""",
    ),
    "a slip in the family": (
        "tables: {price: {index: [gen, n], values: {red: [1], green: [2], blue: [3]}}}",
        """\
error[E108]: the keys of a table are numbers
  ┌─ tiny/game.yaml:2:44
 2│ tables: {price: {index: [gen, n], values: {red: [1], green: [2], blue: [3]}}}
  │                                            ^^^ to go by names, the index is called `gem`, not `gen`

1 error""",
    ),
    "no index at all": (
        "tables: {price: {red: 1, green: 2, blue: 3}}",
        """\
error[E102]: `price` has no `values`
  ┌─ tiny/game.yaml:2:17
 2│ tables: {price: {red: 1, green: 2, blue: 3}}
  │                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^ for example `values: 7`

error[E101]: `price` has no key `red`
  ┌─ tiny/game.yaml:2:18
 2│ tables: {price: {red: 1, green: 2, blue: 3}}
  │                  ^^^
  = its keys: values, unit, source, assumption, why, from, then, shape, least, most, index, title

error[E108]: the keys of a table are numbers
  ┌─ tiny/game.yaml:2:18
 2│ tables: {price: {red: 1, green: 2, blue: 3}}
  │                  ^^^ to go by names, say of which: `index: gem`

error[E101]: `price` has no key `green`
  ┌─ tiny/game.yaml:2:26
 2│ tables: {price: {red: 1, green: 2, blue: 3}}
  │                          ^^^^^
  = its keys: values, unit, source, assumption, why, from, then, shape, least, most, index, title

error[E101]: `price` has no key `blue`
  ┌─ tiny/game.yaml:2:36
 2│ tables: {price: {red: 1, green: 2, blue: 3}}
  │                                    ^^^^
  = its keys: values, unit, source, assumption, why, from, then, shape, least, most, index, title

5 errors""",
    ),
    "what follows": (
        "tables: {price: {index: gem, values: [1, 2, 3], then: 4}}",
        """\
error[E108]: what follows the last entry is said of numbers, and this table goes by names
  ┌─ tiny/game.yaml:2:55
 2│ tables: {price: {index: gem, values: [1, 2, 3], then: 4}}
  │                                                       ^

1 error""",
    ),
    "where it begins": (
        "tables: {price: {index: gem, values: [1, 2, 3], from: 0}}",
        """\
error[E108]: `from` says where numbers begin, and this table goes by names
  ┌─ tiny/game.yaml:2:10
 2│ tables: {price: {index: gem, values: [1, 2, 3], from: 0}}
  │          ^^^^^ leave it out

1 error""",
    ),
    "a shape": (
        "tables: {price: {index: gem, values: {blue: 3, red: 1, green: 5}, shape: increasing}}",
        """\
error[E109]: the table `price` is said to be increasing
  ┌─ tiny/game.yaml:2:10
 2│ tables: {price: {index: gem, values: {blue: 3, red: 1, green: 5}, shape: increasing}}
  │          ^^^^^ but 3 follows 5

1 error""",
    ),
    "a bound": (
        "tables: {price: {index: gem, values: {blue: 3, red: 1, green: 5}, least: 2}}",
        """\
error[E106]: `price` cannot be 1
  ┌─ tiny/game.yaml:2:10
 2│ tables: {price: {index: gem, values: {blue: 3, red: 1, green: 5}, least: 2}}
  │          ^^^^^ it is at least 2

1 error""",
    ),
    "a seat too few": (
        "tables: {price: {index: seat, values: [3]}}",
        """\
error[E108]: there are 2 seats, and this list has 1
  ┌─ tiny/game.yaml:2:39
 2│ tables: {price: {index: seat, values: [3]}}
  │                                       ^^^ in order: 1, 2

1 error""",
    ),
}


RULES = {
    "asked with a number": (
        "value a -> number: worth(2)",
        """\
error[E301]: this is a number
  ┌─ tiny/play.rules:4:26
 4│ value a -> number: worth(2)
  │                          ^ a sort of gem is needed

1 error""",
    ),
    "asked with a word of another kind": (
        "value a -> number: worth(left)",
        """\
error[E301]: this is one of side
  ┌─ tiny/play.rules:4:26
 4│ value a -> number: worth(left)
  │                          ^^^^ a sort of gem is needed

1 error""",
    ),
    "asked with what may be none": (
        "value a(g: gem or none) -> number: worth(g)",
        """\
error[E301]: this is a sort of gem or none
  ┌─ tiny/play.rules:4:42
 4│ value a(g: gem or none) -> number: worth(g)
  │                                          ^ a sort of gem is needed: look at it first, `g is not none`

1 error""",
    ),
    "asked with all of them": (
        "value a -> number: worth(gems)",
        """\
error[E302]: this is a set of sorts of gem
  ┌─ tiny/play.rules:4:26
 4│ value a -> number: worth(gems)
  │                          ^^^^ a sort of gem is needed

1 error""",
    ),
    "too few are given": (
        "value a -> number: fee(red)",
        """\
error[E211]: the table `fee` has 2 indexes, 1 are given
  ┌─ tiny/play.rules:4:20
 4│ value a -> number: fee(red)
  │                    ^^^^^^^^

1 error""",
    ),
    "a number that is outside": (
        "value a -> number: fee(red, 7)",
        """\
error[E306]: the table `fee` has no entry for `red`, 7
  ┌─ tiny/play.rules:4:20
 4│ value a -> number: fee(red, 7)
  │                    ^^^^^^^^^^^

1 error""",
    ),
    "a sort for one of two": (
        "value a -> number: count of card of left in pile",
        """\
error[E302]: a sort of card is for several
  ┌─ tiny/play.rules:4:29
 4│ value a -> number: count of card of left in pile
  │                             ^^^^^^^^^^^^ `card(side, way)`, or `(x in cards where x.side is …)`

1 error""",
    ),
    "a sort with one word too few": (
        "value a -> number: count of card(left) in pile",
        """\
error[E211]: a sort of card is for 2, 1 are given
  ┌─ tiny/play.rules:4:29
 4│ value a -> number: count of card(left) in pile
  │                             ^^^^^^^^^^ `card(side, way)`

1 error""",
    ),
    "a sort with its words the wrong way round": (
        "value a -> number: count of card(open, left) in pile",
        """\
error[E301]: this is one of way
  ┌─ tiny/play.rules:4:34
 4│ value a -> number: count of card(open, left) in pile
  │                                  ^^^^ one of side is needed

error[E301]: this is one of side
  ┌─ tiny/play.rules:4:40
 4│ value a -> number: count of card(open, left) in pile
  │                                        ^^^^ one of way is needed

2 errors""",
    ),
}
GAME = """# game.yaml
sorts: {side: [left, right], way: [open, sealed]}
tables: {worth: {index: gem, values: [1, 2, 3]}, fee: {index: [gem, n], values: [[1, 2], [3, 4], [5, 6]]}}
pieces: {gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag}, card: {is: stone, sorts_for: {side: side, way: way}, in: pile}}
# play.rules
table:
    zone pile of card
procedure turn: nothing
"""

BOXES = {
    "a name that is not there, in a number": (
        "in: pile, count: worth(rad)",
        """\
error[E205]: `rad` is not a sort of gem
  ┌─ tiny/modules/more/module.yaml:2:49
 2│ pieces: {tag: {is: card, in: pile, count: worth(rad)}}
  │                                                 ^^^ did you mean `red`?

1 error""",
    ),
    "a number where a name is needed": (
        "in: pile, count: worth(2)",
        """\
error[E301]: a name is needed here
  ┌─ tiny/modules/more/module.yaml:2:49
 2│ pieces: {tag: {is: card, in: pile, count: worth(2)}}
  │                                                 ^ the table `worth` is asked with a sort of gem

1 error""",
    ),
    "a name too few": (
        "in: pile, count: fee(red)",
        """\
error[E211]: the table `fee` has 2 indexes, 1 are given
  ┌─ tiny/modules/more/module.yaml:2:43
 2│ pieces: {tag: {is: card, in: pile, count: fee(red)}}
  │                                           ^^^^^^^^

1 error""",
    ),
    "an entry outside": (
        "in: pile, count: 'fee(red, 3)'",
        """\
error[E205]: the table `fee` has no entry for red, 3
  ┌─ tiny/modules/more/module.yaml:2:44
 2│ pieces: {tag: {is: card, in: pile, count: 'fee(red, 3)'}}
  │                                            ^^^^^^^^^^^

1 error""",
    ),
    "names with something missing": (
        "sorts_for: {side: side, way: way}, in: pile, named: 'card_{way}'",
        """\
error[E103]: in the names of these sorts each field of `sorts_for` stands once
  ┌─ tiny/modules/more/module.yaml:2:78
 2│ pieces: {tag: {is: card, sorts_for: {side: side, way: way}, in: pile, named: 'card_{way}'}}
  │                                                                              ^^^^^^^^^^^^ `{side}` and `{way}`

1 error""",
    ),
    "names that are none": (
        "sorts_for: {side: side, way: way}, in: pile, named: '{way}-{side}'",
        """\
error[E103]: `{way}-{side}` makes no plain names
  ┌─ tiny/modules/more/module.yaml:2:78
 2│ pieces: {tag: {is: card, sorts_for: {side: side, way: way}, in: pile, named: '{way}-{side}'}}
  │                                                                              ^^^^^^^^^^^^^^ small letters, digits and `_` beside the fields

1 error""",
    ),
    "names for what is listed": (
        "in: pile, named: '{way}_{side}'",
        """\
error[E103]: only sorts that are made by `sorts_for` are named together
  ┌─ tiny/modules/more/module.yaml:2:43
 2│ pieces: {tag: {is: card, in: pile, named: '{way}_{side}'}}
  │                                           ^^^^^^^^^^^^^^ `sorts: {red: …}` names them one by one

1 error""",
    ),
    "sorts for sorts that are made": (
        "sorts_for: {card: card, way: way}, in: pile",
        """\
error[E205]: the sorts of card are made by `sorts_for` themselves
  ┌─ tiny/modules/more/module.yaml:2:10
 2│ pieces: {tag: {is: card, sorts_for: {card: card, way: way}, in: pile}}
  │          ^^^ name what they are made for

1 error""",
    ),
    "sorts for nothing that there is": (
        "sorts_for: {side: sidde, way: way}, in: pile",
        """\
error[E205]: no kind is called `sidde`
  ┌─ tiny/modules/more/module.yaml:2:10
 2│ pieces: {tag: {is: card, sorts_for: {side: sidde, way: way}, in: pile}}
  │          ^^^ did you mean `side`?

1 error""",
    ),
}


@pytest.mark.parametrize(("said", "text"), TABLES.values(), ids=TABLES)
def test_what_is_wrong_with_a_table_by_names_is_told(said: str, text: str, tmp_path: Path) -> None:
    assert told(tmp_path, SIDES + said + "\n" + TURN) == text


@pytest.mark.parametrize(("said", "text"), RULES.values(), ids=RULES)
def test_who_asks_otherwise_is_told_so(said: str, text: str, tmp_path: Path) -> None:
    assert told(tmp_path, GAME + said + "\n") == text


@pytest.mark.parametrize(("said", "text"), BOXES.values(), ids=BOXES)
def test_what_is_wrong_in_the_box_is_told(said: str, text: str, tmp_path: Path) -> None:
    module = f"# modules/more/module.yaml\nmodule: more\npieces: {{tag: {{is: card, {said}}}}}\n"
    assert told(tmp_path, GAME.replace("# play.rules", module + "# play.rules"), Config(2, modules=("more",))) == text


def test_two_modules_each_say_what_they_bring(tmp_path: Path) -> None:
    chunk = SIDES + "tables: {worth: {index: gem, values: [1, 2, 3]}}\n" + TURN
    for name, sort in ("cold", "white"), ("warm", "pink"):
        chunk += f"# variants/{name}.yaml\nvariant: {name}\npieces: {{gem: {{sorts: [{sort}]}}}}\nchange: {{worth: {{{sort}: 9, {{}}: 1}}}}\n"
    both = Config(2, variants=("cold", "warm"))
    assert check(tmp_path, chunk.replace(", {}: 1", ""), both).world.tables["worth"].names == (("red", "green", "blue", "white", "pink"),)
    assert "error[E403]: `warm` and `cold` both change `worth`" in told(tmp_path / "same", chunk.replace("{}", "red"), both)
