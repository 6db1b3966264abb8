"""Claims about fields of pieces: what a family says of its sorts is what the rules read, in the type that is declared."""

from pathlib import Path
from typing import Any

import pytest

import ichiba
from tests.language.tiny import check, files_of, ruleset

HEAD = """
# game.yaml
units: {coin: {write: "${}"}, hour: {}}
sorts: {colour: [warm, cold]}
things: {stall: {count: 3}}
pieces:
  gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag}
"""


def asked(folder: Path, chunk: str, *questions: str) -> list[Any]:
    table = ichiba.load(ruleset(folder, files_of(chunk)), seats=2, trust=True).start(seed=1)
    return [table.ask(question) for question in questions]


@pytest.mark.parametrize("individual", [True, False])
def test_a_sort_has_the_values_that_its_family_says(tmp_path: Path, individual: bool) -> None:
    chunk = HEAD.replace("{count: 3}}", "{count: 3}, cell: {each: {a1: {}, a2: {}}}}") + f"""\
  plant:
    individual: {str(individual).lower()}
    in: yard
    sorts:
      p3: {{price: $3, burns: 2, fuel: red, tint: cold, clean: true, home: a2, near: [a1, a2], takes: [red, blue], story: "A story"}}
      p4: {{price: $4, fuel: blue, home: a1}}
# play.rules
kind cell is thing:
    flag lit
kind plant is piece:
    field price: coin
    field burns: number = 1
    field fuel: gem
    field tint: colour = warm
    field clean: flag
    field home: cell
    field near: set of cell
    field takes: set of gem
    field rival: cell or none
    field story: text
table:
    zone yard of plant
"""
    assert asked(
        tmp_path, chunk,
        "sum of (p.price for p in yard)", "(p.burns for p in yard)", "(p.fuel for p in yard)", "(p.tint for p in yard)",
        "count of (p in yard where p.clean)", "(p.home for p in yard)", "(count of p.near for p in yard)",
        "count of (p in yard where blue in p.takes)", "no (p in yard where p.rival is not none)",
        "p3.price", "highest of (p.price for p in plants)",
    ) == [7, [2, 1], ["red", "blue"], ["cold", "warm"], 1, ["a2", "a1"], [2, 0], 1, True, 3, 4]  # fmt: skip


def test_texts_are_said_in_words(tmp_path: Path) -> None:
    chunk = """
# game.yaml
things: {stall: {count: 3}, inn: {each: {ox: {motto: "Come in", sign: {en: An ox, nl: Een os}}, cat: {sign: A cat}}}}
pieces: {gem: {in: bag, sorts: {ruby: {tale: "Red as wine"}, opal: {tale: "Milk and fire"}}}}
# play.rules
kind inn is thing:
    field motto: text
    field sign: text
kind gem is piece:
    field tale: text
play:
    as seat(1):
        menu visit:
            option stay "{i.sign}: {i.motto}" for i in inns: nothing
            option sell "{g.tale}" for g in bag: nothing
"""
    folder = ruleset(tmp_path, files_of(chunk))
    decision = ichiba.load(folder, seats=2, trust=True).start(seed=1).decision
    assert decision is not None
    assert [option.label for option in decision.options] == ["An ox: Come in", "A cat: ", "Red as wine", "Milk and fire"]
    in_dutch = ichiba.load(folder, seats=2, lang="nl", trust=True).start(seed=1).decision
    assert in_dutch is not None and in_dutch.options[0].label == "Een os: Come in"


def test_a_kind_without_state_has_fields_too(tmp_path: Path) -> None:
    chunk = """
# game.yaml
pieces: {gem: {individual: true, in: bag, sorts: {ruby: {weight: 3}, opal: {weight: 5, count: 2}}}}
# play.rules
kind gem is piece:
    field weight: number
"""
    assert asked(tmp_path, chunk, "sum of (g.weight for g in bag)", "opal_2.weight", "ruby.weight") == [13, 5, 3]


def test_fields_and_values_answer_each_other(tmp_path: Path) -> None:
    check(tmp_path, HEAD + """\
  plant:
    in: yard
    sorts:
      p3: {price: $3, burns: 2}
      p5: {price: $5, brns: 2}            ### E101: did you mean `burns`?
      p6: {burns: 2}                      ### E102: `p6` has no `price`
      p7: {price: $7, tint: hot}          ### E205: `hot` is not one of colour
      p8: {price: $8, clean: 1}           ### E103: true or false
# play.rules
kind cell is thing:
    flag lit
kind plant is piece:
    field price: coin
    field burns: number = 1
    field tint: colour = warm
    field clean: flag
table:
    zone yard of plant
""")  # fmt: skip


def test_a_thing_says_all_its_fields_too(tmp_path: Path) -> None:
    check(tmp_path, """
# game.yaml
sorts: {colour: [warm, cold]}
things:
  stall: {count: 3}
  cell: {each: {a1: {tint: cold, twin: a2, next: [a2]}, a2: {}}}
# play.rules
kind cell is thing:
    field tint: colour = warm
    field twin: cell or none
    field next: set of cell = {a1}
    field dull: colour = grey             ### E205: `grey` is not one of colour
    field size: one of small or large = large
value a: a1.tint is cold and a2.tint is warm and a1.twin is a2 and a2.twin is none and a1 in a2.next and a1.size is large
""")  # fmt: skip


def test_two_families_may_mean_different_things_by_a_field(tmp_path: Path) -> None:
    chunk = HEAD + """\
  die: {in: cup, sorts: {d4: {face: 4}, d6: {face: 6}}}
  bill: {in: till, sorts: {five: {face: $5}, ten: {face: $10}}}
  blank: {in: till, count: 3}
# play.rules
table:
    zone cup of die
    zone till of piece
value dice: sum of (d.face for d in cup)
value notes: sum of (n.face for n in till where n is bill)
"""
    check(tmp_path, chunk + """
value mixed: sum of (n.face for n in till)            ### E210: a piece has no `face`
value bare(b: blank): b.face                          ### E210
value more: dice + notes                              ### E301: different units
""")  # fmt: skip


def test_where_nothing_is_declared_what_is_said_of_one_is_said_of_all(tmp_path: Path) -> None:
    check(tmp_path, HEAD + """\
  fish:
    in: sea
    sorts:
      cod: {worth: 3, fresh: true}
      eel: {worth: 2}
      ray: {fresh: true}                  ### E102: `ray` has no `worth`, as `cod` has
# play.rules
table:
    zone sea of fish
value a: sum of (f.worth for f in sea where f is fresh)
""")  # fmt: skip
