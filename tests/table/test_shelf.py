"""Looking at the boxes: which games there are, what is in them, what they assume, what is wrong with them."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.dsl.parts import parts_of
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.world.choosable import Choosable, choosable
from ichiba.dsl.world.opening.opening import open_box
from ichiba.dsl.world.world import Config
from ichiba.dsl.yaml.declarations import Box
from ichiba.interpreter.api import folder_of, rulesets
from ichiba.table.checking import check
from tests.table.door import ichiba, pinned
from tests.table.orchard import write

# games


def test_games_in_a_folder_are_listed_with_what_they_are(orchard: Path) -> None:
    said = ichiba("games", orchard.parent)
    assert said.out == (
        "orchard  2-3 seats  Three harvests. Bid in secret for the first pick. · modules: nuts · variants: rich"
        " · shows: boards in files, hidden hands, answers in secret\n"
    )


def test_a_game_whose_lid_cannot_be_read_is_listed_all_the_same(tmp_path: Path) -> None:
    home = write(tmp_path, game_yaml="{")
    assert ichiba("games", home).out.startswith("orchard  broken: `ichiba check` says why")


def test_the_games_of_ichiba_are_listed() -> None:
    names = [card["name"] for card in json.loads(ichiba("games", "--format", "json").out)]
    assert "tsukiji" in names and names == sorted(names)


def test_a_folder_without_games_is_told(tmp_path: Path) -> None:
    said = ichiba("games", tmp_path)
    assert said.code == 2
    assert said.err == f"ichiba games: no ruleset lies in {tmp_path} (a ruleset is a folder with a game.yaml)\n"


# info


def test_info_tells_what_is_in_the_box(orchard: Path) -> None:
    said = ichiba("info", orchard)
    assert said.code == 0
    pinned("info_orchard", re.sub(rf"\s+{re.escape(str(orchard))}", "     HERE", said.out))  # a long path has its own line


def test_info_writes_one_of_a_unit_as_one() -> None:
    (line,) = (line for line in ichiba("info", "no_thanks").out.splitlines() if line.startswith("units"))
    assert line.split(maxsplit=1)[1] == "chip: 1 chip"


def test_info_tells_what_a_module_adds(orchard: Path) -> None:
    facts = json.loads(ichiba("info", orchard, "--with", "nuts", "--seats", "3", "--format", "json").out)
    assert facts["shown for"] == "3 seats, with nuts"
    shells = facts["options"]["nuts.shells"]
    assert (shells["type"], shells["chosen"], shells["least"], shells["most"]) == ("number", 2, 1, 4)


def test_what_is_chosen_is_what_info_shows(orchard: Path) -> None:
    words = ["--set", "season=spring", "--set", "generous=yes", "--set", "start_player=2"]
    options = json.loads(ichiba("info", orchard, "--format", "json", *words).out)["options"]
    assert [options[name]["chosen"] for name in ("start_player", "generous", "season")] == [2, True, "spring"]


@pytest.mark.parametrize("name", rulesets())
def test_what_is_said_of_options_is_what_can_be_chosen(name: str) -> None:
    """The default is what is chosen when nobody chooses; each choice can be chosen, and what lies outside cannot."""
    parts = parts_together(name)
    box = read_box(folder_of(name), parts, Faults())
    for option in (opened(box, parts, {}) or {}).values():
        assert option.chosen == option.default
        for choice in some_choices(option):
            again = opened(box, parts, {option.name: choice})
            assert again is None or again[option.name].chosen == choice
        for wrong in (option.least - 1, option.most + 1) if option.least is not None and option.most is not None else ("no such word",):
            assert opened(box, parts, {option.name: wrong}) is None


def parts_together(name: str) -> tuple[str, ...]:
    """As many modules and variants as go together, in their order."""
    chosen: tuple[str, ...] = ()
    for part in parts_of(folder_of(name)):
        with suppress(RulesetFaults):
            read_box(folder_of(name), (*chosen, part), Faults())
            chosen = (*chosen, part)
    return chosen


def some_choices(option: Choosable) -> list[object]:
    match option.kind:
        case "flag":
            return [True, False]
        case "number":
            return [option.least, option.most]
        case "list_of":
            return [list(option.choices[:1]), []]
        case "seat":
            return ["random", 1]
        case _:
            return list(option.choices)


def opened(box: Box, parts: tuple[str, ...], options: dict[str, object]) -> dict[str, Choosable] | None:
    """The options of a game with all its parts; None where these are refused, by themselves or together with others."""
    faults = Faults()
    world = open_box(box, Config(box.seats[1], parts, (), tuple(options.items())), faults)
    assert {fault.code for fault in faults.errors} <= {"E402", "E409", "E412"}
    return None if {"E402", "E412"} & {fault.code for fault in faults.errors} else choosable(box, world)


def test_the_merged_rules_say_where_each_comes_from(orchard: Path) -> None:
    said = ichiba("info", orchard, "--rules", "--variant", "rich")
    assert said.code == 0
    assert "orchard/orchard.rules:" in said.out and "orchard/variants/rich.yaml:" in said.out
    assert "change first_money to 30" in said.out


# assumptions


def test_assumptions_tell_what_they_cover_and_how_to_change_them(orchard: Path) -> None:
    assert ichiba("assumptions", orchard).out == (
        "A-ORC-1  nobody has counted the harvests\n"
        "  number rounds: 3  (orchard/game.yaml:8)\n"
        "  change it: --assume A-ORC-1=3\n\n"
        "A-ORC-2\n"
        "  table price: [3, 5, 8]  (orchard/game.yaml:11)\n"
        "  change it: --assume 'A-ORC-2=[3, 5, 8]'\n\n"
        "2 assumptions. From Python: ichiba.load('orchard', assumptions={...})\n"
    )


def test_what_assumptions_says_to_type_works(orchard: Path) -> None:
    said = ichiba(
        "simulate",
        orchard,
        "--games",
        "1",
        "--jobs",
        "1",
        "--assume",
        "A-ORC-1=1",
        "--assume",
        "A-ORC-2=[1, 1, 1]",
        "--out",
        "-",
    )
    assert json.loads(said.out)["decisions"] <= 4


# check


def test_a_sound_ruleset_has_no_faults_in_any_way_to_set_it_up(orchard: Path) -> None:
    said = ichiba("check", orchard)
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        "checked orchard: 2 to 3 seats; alone, nuts, rich, nuts + rich (8 ways)\n1 ruleset, no faults\n"
    )


def test_a_fault_is_told_once_however_many_ways_it_shows_in(orchard: Path) -> None:
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text().replace("raise round by 1", "raise rund by 1"))
    said = ichiba("check", orchard)
    assert said.code == 1
    assert said.out.count("error[E205]") == 1 and "\n1 error\n" in said.out
    assert "did you mean `round`?" in said.out


def test_a_fault_of_a_variant_says_with_what_it_was_found(orchard: Path) -> None:
    variant = orchard / "variants" / "rich.yaml"
    variant.write_text(variant.read_text().replace("first_money", "first_mony"))
    said = ichiba("check", orchard)
    assert said.code == 1 and "  = found with 2 seats with rich\n" in said.out


def test_parts_that_exclude_each_other_are_not_put_together(orchard: Path) -> None:
    (orchard / "variants" / "rich.yaml").write_text("variant: rich\ntitle: Rich\nexcludes: [nuts]\n")
    (orchard / "variants" / "late.yaml").write_text("variant: late\ntitle: Late\nneeds: [nuts]\nseats: 3\n")
    checked = check(orchard, jobs=1)
    assert checked.combinations == ((), ("nuts",), ("late", "nuts"), ("rich",))
    assert checked.ways == 2 + 2 + 1 + 2 and checked.faults == ()


def test_several_processes_find_the_same(orchard: Path) -> None:
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text().replace("raise round by 1", "raise rund by 1"))
    alone, shared = check(orchard, jobs=1), check(orchard, jobs=2)
    assert [fault.message for fault in alone.faults] == [fault.message for fault in shared.faults]


def test_a_file_stands_for_the_ruleset_it_belongs_to(orchard: Path) -> None:
    assert ichiba("check", "--quick", orchard / "boards" / "dry_shed.yaml").out.startswith("checked orchard: 2 seats")


def test_a_folder_stands_for_all_rulesets_in_it(orchard: Path) -> None:
    assert ichiba("check", "--quick", orchard.parent).out.endswith("\n1 ruleset, no faults\n")


def test_a_lid_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    said = ichiba("check", write(tmp_path, game_yaml="{"))
    assert said.code == 1
    assert "expected a value, found the end of the file" in said.out and "it cannot be set up at all" in said.out


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_programs_read_faults_too(orchard: Path, form: str) -> None:
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text().replace("raise round by 1", "raise rund by 1"))
    said = ichiba("check", orchard, "--format", form)
    content = json.loads(said.out)
    assert said.code == 1
    if form == "json":
        assert [fault["code"] for fault in content["faults"]] == ["E205"]
    else:
        assert [result["ruleId"] for result in content["runs"][0]["results"]] == ["E205"]


# look.yaml

LOOK = """\
look: 1
glyphs:
  apple: {glyph: A, colour: red}
  plum: ●
seats: [blue, "#ff8800"]
sections:
  seats: {as: list, hide: [offered]}
  stall: {as: line, title: {en: Stalls of fruit}, show: [goods]}
"""


def test_a_look_is_read_and_used(orchard: Path) -> None:
    (orchard / "look.yaml").write_text(LOOK)
    assert ichiba("check", "--quick", orchard).code == 0
    said = ichiba("play", orchard, "--seed", "7", typed="4\n")
    assert "Stalls of fruit (goods): stall 1: plum" in said.out  # a pipe is plain: no glyphs
    assert said.out.index("(you)") < said.out.index("Stalls of fruit")
    assert "offered 4" not in said.out


def test_a_look_with_mistakes_has_faults(orchard: Path) -> None:
    text = (
        LOOK.replace("apple", "aple").replace("blue", "blu").replace("as: line", "as: lin").replace("[goods]", "[gods]")
    )
    (orchard / "look.yaml").write_text(text + "sky: 3\n")
    said = ichiba("check", "--quick", orchard)
    assert said.code == 1
    for name in ("apple", "blue", "line", "goods"):
        assert f"did you mean `{name}`?" in said.out
    assert "has no key `sky`" in said.out
    assert "5 errors" in said.out
    assert ichiba("play", orchard).code == 1


# a stranger's ruleset


def test_a_ruleset_that_nobody_vouches_for_is_checked_and_played_too(
    orchard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ICHIBA_TRUST")
    assert ichiba("check", "--quick", orchard).code == 0
    said = ichiba("play", orchard, "--seed", "7", typed="4\n? 2\nr harvest\n")
    assert said.code == 0 and "Buy at stall 2" in said.out and "procedure harvest:" in said.out


def test_info_tells_which_choices_are_refused_and_why() -> None:
    facts = json.loads(ichiba("info", "tokyo_tsukiji_market", "--with", "expansion", "--format", "json").out)
    assert facts["refused"]["main_mackerel is mackerel and mackerel in excluded"] == "Mackerel is in play from the start"
