"""What one file declares another cannot declare again: it changes it by name, or it is a fault with both places."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.dsl.world.world import Config
from tests.language.tiny import Tiny, check, files_of, read

# What a file can declare, each beside what the tiny game or the other file has; with the words of the way out.
AGAIN = {
    "units: {hour: {}}": "one of them needs another name",
    "units: {shell: {}}": "one of them needs another name",
    "numbers: {rounds: 5}": "to change it write `change: {rounds: …}`",
    "numbers: {days: 5}": "to change it write `change: {days: …}`",
    "tables: {price: {values: [2, 3, 9]}}": "to change it write `change: {price: …}`",
    "tables: {wage: [1, 2]}": "to change it write `change: {wage: …}`",
    "sorts: {side: [left, right]}": "to change it write `change: {side: …}`",
    "options: {quick: {flag: false}}": "one of them needs another name",
    "endings: {rich: Rich}": "one of them needs another name",
    "pieces: {gem: {sorts: [red]}}": "one of them needs another name",
    "pieces: {gem: {sorts: [pink]}}": "one of them needs another name",
    "pieces: {gem: {in: bag}}": "leave out `in`",
    "pieces: {gem: {count: 7}}": "`count` is said of each sort: `sorts: {blue: {count: 1}}`",
    "things: {stall: {count: 2}}": "number all of them in one place, or name each",
    "things: {oven: {each: {hot: {heat: 1}}}}": "one of them needs another name",
}
KIND = "kind oven is thing:\n    field heat: number\n"


def module(name: str, says: str, what: str = "variant") -> str:
    return f"# {what}s/{name}.yaml\n{what}: {name}\n{says}\n"


def with_parts(folder: Path, chunk: str, *variants: str) -> Tiny:
    return read(folder, files_of(chunk), Config(2, variants=variants))


@pytest.mark.parametrize(("said", "way_out"), AGAIN.items())
def test_two_variants_that_declare_the_same_are_told_so_with_both_places(
    said: str, way_out: str, tmp_path: Path
) -> None:
    tiny = with_parts(tmp_path, KIND + module("a", said) + module("b", said), "a", "b")
    assert {fault.code for fault in tiny.faults} == {"E403"}
    for fault in tiny.faults:
        assert fault.label == way_out and fault.second is not None and fault.span is not None
        assert fault.span.source.path in ("tiny/variants/a.yaml", "tiny/variants/b.yaml")
        assert fault.second[0].source.path != fault.span.source.path


@pytest.mark.parametrize("said", [said for said in AGAIN if "days" in said or "wage" in said or "shell" in said])
def test_two_boards_that_declare_the_same_are_told_so(said: str, tmp_path: Path) -> None:
    boards = "".join(f"# boards/{name}.yaml\nboard: {name}\nkind: shop\n{said}\n" for name in ("mill", "inn"))
    tiny = read(tmp_path, files_of("kind shop is board:\n    flag busy\n" + boards))
    assert [fault.code for fault in tiny.faults] == ["E206"]


def test_two_variants_that_redeclare_a_table(tmp_path: Path) -> None:
    said = "tables: {price: {index: number, values: [2, 3, 9]}}"
    assert with_parts(tmp_path, module("dear", said), "dear").text == """\
error[E403]: `dear` and the game both declare the table `price`
  ┌─ tiny/variants/dear.yaml:2:10
 2│ tables: {price: {index: number, values: [2, 3, 9]}}
  │          ^^^^^ to change it write `change: {price: …}`
  ┌─ tiny/game.yaml:6:10
 6│ tables: {price: {index: number, values: [2, 3, 5]}}
  │          ----- also here

1 error"""


# --------------------------------------------------------------------------------------- changing by name


def test_a_table_is_changed_by_its_name(tmp_path: Path) -> None:
    game = "# game.yaml\ntables: {price: {values: [2, 3, 5], unit: coin, shape: increasing}}\n"
    tiny = check(tmp_path, game + module("dear", "change: {price: [4, 6, 10, 12]}"), Config(2, variants=("dear",)))
    table = tiny.world.tables["price"]
    assert [table.rows[(n,)] for n in (1, 2, 3, 4)] == [4, 6, 10, 12]
    assert table.kind.name == "coin"


def test_numbers_and_words_are_changed_too_and_what_follows_from_them_follows(tmp_path: Path) -> None:
    game = "# game.yaml\nnumbers: {rounds: 3, last: rounds - 1}\nsorts: {side: [left, right]}\n"
    counter = "add to table:\n    counter day: 0 .. last\n"
    for change in ("change: {rounds: 9, side: [left, middle, right]}", "change: {rounds: {is: 9, why: longer}}"):
        folder = tmp_path / str(len(change))
        tiny = check(folder, counter + game + module("long", change), Config(2, variants=("long",)))
        assert {name: value for name, (value, _) in tiny.world.numbers.items()} == {"rounds": 9, "last": 8}
        assert tiny.world.table["day"].high == 8
    rules = module("long", "rules: |\n  change rounds to 9")
    tiny = check(tmp_path / "rules", counter + game + rules, Config(2, variants=("long",)))
    assert tiny.world.numbers["last"][0] == 8 and tiny.world.table["day"].high == 8


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("change: {price: [9, 9, 9]}", "E109 the table `price` is said to be increasing"),
        ("change: {price: [4, 6]}", "E108 the table `price` has no entry for 3 any more"),
        ("change: {price: {1: [4, 6, 8], 2: [4, 6, 8]}}", "E108 the table `price` has no entry for 1, 2, 3 any more"),
        ("change: {price: {values: [4, 6, 8], unit: hour}}", "E101 the change of `price` has no key `unit`"),
        ("change: {price: 5}", "E103 a table is a list of numbers, or a map from numbers to numbers"),
        ("change: {prise: [4, 6, 8]}", "E205 no number, table or list of sorts is called `prise`"),
        ("rules: |\n  change price to 5", "E205 no number or option is called `price`"),
    ],
)
def test_a_changed_table_is_held_to_what_the_table_is(change: str, said: str, tmp_path: Path) -> None:
    game = "# game.yaml\ntables: {price: {values: [2, 3, 5], shape: increasing}}\n"
    tiny = with_parts(tmp_path, game + module("dear", change), "dear")
    assert [f"{fault.code} {fault.message}" for fault in tiny.faults] == [said]


def test_two_that_change_the_same_say_their_order(tmp_path: Path) -> None:
    dear, cheap = module("dear", "change: {price: [4, 6, 8]}"), module("cheap", "change: {price: [1, 2, 3]}")
    tiny = with_parts(tmp_path, dear + cheap, "dear", "cheap")
    assert [(fault.code, fault.message) for fault in tiny.faults] == [("E403", "`dear` and `cheap` both change `price`")]
    tiny = with_parts(tmp_path / "in order", dear + cheap + "needs: [dear]\n", "dear", "cheap")
    assert tiny.faults == () and tiny.world.tables["price"].rows[(1,)] == 1


def test_a_number_changed_in_yaml_and_in_rules_is_changed_twice(tmp_path: Path) -> None:
    tiny = with_parts(tmp_path, module("long", "change: {rounds: 5}\nrules: |\n  change rounds to 7"), "long")
    assert [(fault.code, fault.message) for fault in tiny.faults] == [("E206", "the number rounds is replaced twice")]


# --------------------------------------------------------------------------------------- in the rules


@pytest.mark.parametrize(
    "twice",
    [
        "policy calm:\n    prefer \"rest\"\n",
        "kind stall is thing:\n    field rent: number = 1\n",
        "value fee: 3\n",
        "add to window free:\n    option rest: nothing\n",
        "replace value wage: 4\n",
    ],
)
def test_nothing_that_rules_define_holds_twice(twice: str, tmp_path: Path) -> None:
    base = "window free during turn:\n    option nap: nothing\nvalue wage: 5\n"
    again = twice.replace("kind stall is thing", "add to kind stall")
    tiny = read(tmp_path, files_of(f"{base}\n{twice}\n# z.rules\n{again}"))
    assert [fault.code for fault in tiny.faults] == ["E206"], tiny.text
    assert tiny.faults[0].second is not None


def test_what_two_boards_replace_for_themselves_does_not_clash(tmp_path: Path) -> None:
    base = "kind shop is board:\n    menu visit\n\nprocedure turn:\n    for each m in shops:\n        menu m.visit\n"
    board = "# boards/{0}.yaml\nboard: {0}\nkind: shop\nrules: |\n  add to menu visit:\n      option rest: nothing\n"
    board += "  replace option visit.rest: nothing\n"
    tiny = read(tmp_path, files_of(base + board.format("mill") + board.format("inn")))
    assert tiny.faults == (), tiny.text
