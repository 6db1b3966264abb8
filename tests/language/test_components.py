"""What lies in the box and no rule names: how many there are, and what is wrong with saying it."""

from __future__ import annotations

from pathlib import Path

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.world.opening.opening import open_box
from ichiba.dsl.world.world import Component, Config
from ichiba.validator.judges.texts import judge_texts
from tests.table.orchard import write

PIECES = "pieces:\n  fruit: {sorts"


def box(tmp_path: Path, components: str, seats: int = 2) -> tuple[list[Component], list[str]]:
    folder = write(tmp_path)
    yaml = folder / "game.yaml"
    yaml.write_text(yaml.read_text(encoding="utf-8").replace(PIECES, f"components: {components}\n{PIECES}"), encoding="utf-8")
    faults = Faults()
    world = open_box(read_box(folder, (), faults), Config(seats), faults)
    return world.components, [f"{fault.code} {fault.message}" for fault in faults.all]


def test_they_are_counted_as_pieces_are(tmp_path: Path) -> None:
    found, faults = box(tmp_path, "{bag: 1, tile: {count: {2: 3, 3: 4}}, coin: {sorts: {$1: 14, large_coin: 2 * seats}}, screen: {per: seat}}", 3)
    assert found == [
        Component("bag", (("", 1),)), Component("tile", (("", 4),)), Component("coin", (("$1", 14), ("large_coin", 6))),
        Component("screen", (("", 1),), per_seat=True),
    ]  # fmt: skip
    assert faults == []


def test_one_that_is_called_as_pieces_are_is_a_fault(tmp_path: Path) -> None:
    assert box(tmp_path, "{fruit: 1}")[1] == ["E206 there are pieces called `fruit` already"]


def test_a_number_for_all_beside_numbers_for_each_sort_is_a_fault(tmp_path: Path) -> None:
    assert box(tmp_path, "{coin: {count: 9, sorts: {$1: 4, $5: 5}}}")[1] == ["E103 how many `coin` there are is said twice"]


def test_there_are_neither_less_than_none_nor_too_many_of_anything(tmp_path: Path) -> None:
    assert box(tmp_path, "{bag: -1}")[1] == ["E106 there cannot be -1 of a piece"]
    assert box(tmp_path / "more", "{bag: 10001}")[1] == ["E106 there cannot be 10001 of a piece"]


def test_other_words_than_per_seat_and_other_keys_are_told(tmp_path: Path) -> None:
    assert box(tmp_path, "{bag: {per: table, number: 2}}")[1] == [
        "E103 components are `per: seat`, or nothing is said", "E101 the component `bag` has no key `number`",
    ]  # fmt: skip


def test_texts_may_say_what_they_are_called_one_and_several(tmp_path: Path) -> None:
    box(tmp_path, "{coin: {sorts: {large_coin: 3}}}")
    folder = tmp_path / "orchard"
    texts = folder / "texts"
    texts.mkdir(exist_ok=True)
    (texts / "en.yaml").write_text("name.coin: disc\nmany.coin: discs\nname.large_coin: large\nmany.screen: screens\n", encoding="utf-8")
    faults = Faults()
    judge_texts(folder, faults)
    assert [fault.message for fault in faults.all if "many" in fault.message or "coin" in fault.message] == ["nothing here is called `many.screen`"]
