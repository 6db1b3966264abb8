"""Claims about modules and variants: a game with a module is the game that says so itself, or a fault."""

from pathlib import Path

import pytest

from ichiba import RulesetFaults
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.world import Config
from tests.language.deletions import fingerprint
from tests.language.tiny import Tiny, check, files_of, read

BASE = """
value wage: 5
value worth(n: number, g: gem) -> number: n
value wealth(s: seat): sum of (worth(count of g in s.hand, g) for g in gems) + wage

guard early "it is late": round < 3

cost fare: $2 to bank

procedure dig:
    raise round by 1

procedure turn:
    dig
    repeat rounds times: dig
    menu actions:
        option work: gain $1 * wage from bank
        option ride "Ride away" when early costs fare: nothing
        option rest: nothing

window evening during turn:
    option sleep: nothing

rule tired, after turn: raise round by 1

scoring:
    score for each seat: score "Wealth" wealth(me)

ranking: highest total else shared
"""
OFF = Config(2)
RAIN = Config(2, modules=("rain",))
BOTH = Config(2, modules=("rain", "snow"))


def module(name: str, rules: str, says: str = "") -> str:
    """The files of a module, as parts of a chunk."""
    return f"\n# modules/{name}/module.yaml\nmodule: {name}\n{says}\n# modules/{name}/{name}.rules\n{rules}\n"


def plays_alike(one: Tiny, other: Tiny) -> bool:
    """Whether two games are the same, whoever said what in them."""
    but = ("home", "config", "known", "fixed_steps")
    return fingerprint(one.program, but) == fingerprint(other.program, but)


def with_rain(folder: Path, rules: str, says: str = "", config: Config = RAIN) -> Tiny:
    """The base with a module `rain`, held to the faults that stand beside its rules."""
    return check(folder / "module", BASE + module("rain", rules, says), config)


def written(folder: Path, *changes: tuple[str, str], more: str = "") -> Tiny:
    """The base with these words in place of those."""
    text = BASE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return check(folder / "written", text + more)


def test_a_module_that_is_off_changes_nothing(tmp_path: Path) -> None:
    rules = "replace value wage: 9\nremove option actions.rest\ntable:\n    flag wet\n"
    assert plays_alike(with_rain(tmp_path, rules, config=OFF), written(tmp_path))


WEALTH = "sum of (worth(count of g in s.hand, g) for g in gems) + wage"
TIRED = "rule tired, after turn: raise round by 1\n"
REST, SLEEP = "        option rest: nothing\n", "    option sleep: nothing\n"
SCORE = '    score for each seat: score "Wealth" wealth(me)\n'
RAINY = '    score for each seat: score "Rain" 1\n'


@pytest.mark.parametrize(
    ("rules", "old", "new"),
    [
        ("replace value wage: 9", "value wage: 5", "value wage: 9"),
        ('replace guard early "wet": round < 2', '"it is late": round < 3', '"wet": round < 2'),
        ("replace cost fare: $3 to bank", "cost fare: $2", "cost fare: $3"),
        ("replace procedure dig:\n    raise round by 2", "by 1\n\nprocedure", "by 2\n\nprocedure"),
        ("replace value wealth(s: seat): wage", WEALTH, "wage"),
        ("replace ranking: lowest total else shared", "ranking: highest", "ranking: lowest"),
        ("replace option actions.rest: dig", "option rest: nothing", "option rest: dig"),
        ("remove option actions.rest", REST, ""),
        ("remove option evening.sleep\nadd to window evening:\n    option nap: nothing", "sleep", "nap"),
        ("remove rule tired", TIRED, ""),
        ("remove window evening", "window evening during turn:\n" + SLEEP, ""),
        ("change rounds to 7", "repeat rounds times", "repeat 7 times"),
        ("add to menu actions:\n    option swim: dig", REST, REST + "        option swim: dig\n"),
        ("add to window evening:\n    option read: dig", SLEEP, SLEEP + "    option read: dig\n"),
        ("value worth of n red: 2 * n", "number: n\n", "number: n\nvalue worth of n red: 2 * n\n"),
        ("rule up, before turn: dig", TIRED, TIRED + "rule up, before turn: dig\n"),
        ("rule up, after dig: nothing", TIRED, TIRED + "rule up, after dig: nothing\n"),
        ("rule up, instead of dig: nothing", TIRED, TIRED + "rule up, instead of dig: nothing\n"),
        ("rule up, after turn, before rule tired: dig", TIRED, "rule up, after turn: dig\n" + TIRED),
        ("rule up, after turn, after rule tired: dig", TIRED, TIRED + "rule up, after turn: dig\n"),
        ("rule up, after actions.rest: dig", TIRED, TIRED + "rule up, after actions.rest: dig\n"),
        ("add to scoring:\n" + RAINY, SCORE, SCORE + RAINY),
    ],
)
def test_a_module_makes_the_game_that_says_so_itself(rules: str, old: str, new: str, tmp_path: Path) -> None:
    one, other = with_rain(tmp_path, rules + "\n"), written(tmp_path, (old, new))
    if rules.startswith("change"):
        one.world.numbers["rounds"] = other.world.numbers["rounds"]
    assert plays_alike(one, other)


def test_a_module_adds_members(tmp_path: Path) -> None:
    more = "\nseat:\n    flag wet\n\ntable:\n    counter depth: 0 .. 9\n"
    rules = "add to seat:\n    flag wet\ntable:\n    counter depth: 0 .. 9\n"
    rules += "add to kind stall:\n    counter mud: 0 .. 3\n"
    one, other = with_rain(tmp_path, rules), written(tmp_path, more=more)
    assert (list(one.world.seat), list(one.world.table)) == (list(other.world.seat), list(other.world.table))
    assert list(one.world.kinds["stall"].members) == ["shelf", "visits", "closed", "mud"]


def test_original_is_what_was_there_before(tmp_path: Path) -> None:
    tiny = with_rain(
        tmp_path, "replace value wage: original + 1\nreplace procedure dig:\n    original\n    original\n"
    )
    (wage,) = {
        function
        for function in functions(tiny)
        if function.name == "wage" and isinstance(function.body, ir.Op)
    }
    assert isinstance(wage.body, ir.Op) and wage.body.op == "+"
    before, one = wage.body.args
    assert isinstance(before, ir.CallValue) and before.function.default is not None
    assert before.function.default.body == ir.Const(5, one.kind)
    (dig,) = [p for p in tiny.program.procedures if p.name == "dig" and p.home == "rain"]
    assert [
        step.procedure.default.home
        for step in walk(dig.body)
        if isinstance(step, ir.Perform) and step.procedure.default
    ] == ["", ""]


def functions(tiny: Tiny) -> set[ir.Function]:
    """Every value that some rule asks for."""
    found: set[ir.Function] = set()
    todo = [procedure.body for procedure in tiny.program.procedures]
    while todo:
        calls = [
            node
            for node in walk(todo.pop())
            if isinstance(node, ir.CallValue) and node.function.default is not None
        ]
        new = {call.function.default for call in calls if call.function.default is not None} - found
        found |= new
        todo += [function.body for function in new]  # type: ignore[misc]
    return found


def test_a_module_restricts(tmp_path: Path) -> None:
    rules = 'restrict option actions.work:\n    require round < 5, else "it rains"\n    require round > 0\n'
    tiny = with_rain(tmp_path, rules)
    (work,) = [option for option in options(tiny) if option.rule == "actions.work"]
    assert [test.reason and test.reason.parts for test in work.tests] == [("it rains",), None]


def options(tiny: Tiny) -> list[ir.Option]:
    nodes = [node for procedure in tiny.program.procedures for node in walk(procedure.body)]
    return [node for node in nodes if isinstance(node, ir.Option)]


# --- slips


def test_an_edit_of_what_is_not_there_is_told(tmp_path: Path) -> None:
    with_rain(tmp_path, """
replace value wagge: 4                    ### E406: did you mean `wage`?
replace procedure digg: nothing           ### E406: there is no procedure `digg` to replace
replace option actions.work_hard: nothing      ### E406: there is no option `actions.work_hard` to replace
restrict option actions.ridee:            ### E406: did you mean `actions.ride`?
    require round < 3
remove option actions.resst               ### E406: there is no option `actions.resst` to remove
remove rule tird                          ### E406: did you mean `tired`?
remove window evenig                      ### E406: did you mean `evening`?
remove value wagge                        ### E406: did you mean `wage`?
change ronds to 4                         ### E205: did you mean `rounds`?
add to window evenning:                   ### E205: did you mean `evening`?
    option swim: nothing
add to menu acton:                        ### E406: there is no menu `acton`
    option swim: nothing
rule a, after digg: nothing               ### E205: did you mean `dig`?
rule b, after actions.wrk: nothing        ### E406: did you mean `actions.work`?
rule c, after turn, before rule trd: nothing   ### E406: there is no rule `trd`
value wages of n red: 3                   ### E205: no value is called `wages`
value wage of n red: 3                    ### E404: so it cannot have cases
value worth of n reed: 3                  ### E205: no sort is called `reed`
change zone seat.hnd: forgets price       ### E205: no zone is called `seat.hnd`
""")  # fmt: skip


def test_a_replacement_takes_as_many_in_brackets(tmp_path: Path) -> None:
    with_rain(tmp_path, """
replace value wealth: 4                   ### E211: `wealth` takes 1 in brackets, not 0
replace procedure dig(n: number): nothing ### E211: `dig` takes 0 in brackets, not 1
""")  # fmt: skip


def test_a_replacement_is_of_the_same_sort_of_rule(tmp_path: Path) -> None:
    with_rain(tmp_path, """
replace procedure wage: nothing           ### E406: write `replace value wage`
replace value dig: 3                      ### E406: write `replace procedure dig`
replace procedure turn: dig
""")  # fmt: skip


def test_what_a_module_defines_anew_must_not_be_there(tmp_path: Path) -> None:
    with_rain(tmp_path, """
value wage: 4                             ### E206: first defined here
rule tired, before turn: dig              ### E206: the rule `tired` is defined twice
add to seat:
    flag cash                             ### E206: first defined here
""")  # fmt: skip


# --- several modules


@pytest.mark.parametrize(
    ("rain", "snow"),
    [
        ("replace value wage: 4", "replace value wage: 3"),
        ("replace procedure dig: nothing", "replace procedure dig: raise round by 2"),
        ("replace option actions.rest: dig", "replace option actions.rest: nothing"),
        ("change rounds to 4", "change rounds to 5"),
        ("replace cost fare: $3", "replace cost fare: $4"),
        ("replace ranking: lowest total else shared", "replace ranking: lowest my.cash else shared"),
        ("rule a, instead of dig: nothing", "rule b, instead of dig: nothing"),
        ("remove option actions.rest", "replace option actions.rest: dig"),
    ],
)
def test_two_that_replace_the_same_thing_must_say_their_order(rain: str, snow: str, tmp_path: Path) -> None:
    files = files_of(BASE + module("rain", rain) + module("snow", snow))
    tiny = read(tmp_path / "a", files, BOTH)
    assert tiny.codes == {"E403"}, tiny.text
    assert "or that they never go together: `excludes: [rain]`" in tiny.text
    assert "`after: [rain]`, or `needs: [rain]`" in tiny.text and "tiny/modules/rain/rain.rules:1:" in tiny.text
    for says in ("needs", "after"):
        ordered = files_of(BASE + module("rain", rain) + module("snow", snow, f"{says}: [rain]"))
        assert read(tmp_path / says, ordered, BOTH).text == "no faults"


@pytest.mark.parametrize(
    ("rain", "snow"),
    [
        ("replace value wage: 4", "replace guard early: round < 2"),
        (
            "restrict option actions.rest:\n    require round < 2",
            "restrict option actions.rest:\n    require round > 0",
        ),
        ("add to menu actions:\n    option swim: nothing", "add to menu actions:\n    option skate: nothing"),
        ("rule a, after dig: nothing", "rule b, after dig: nothing"),
        ("value worth of n red: 2", "value worth of n blue: 3"),
        ("replace option actions.rest: dig", "restrict option actions.rest:\n    require round > 0"),
    ],
)
def test_edits_that_do_not_overlap_need_no_order(rain: str, snow: str, tmp_path: Path) -> None:
    check(tmp_path, BASE + module("rain", rain) + module("snow", snow), BOTH)


def test_the_order_of_the_config_means_nothing(tmp_path: Path) -> None:
    chunk = (
        BASE + module("rain", "rule a, after dig: nothing\n") + module("snow", "rule b, after dig: nothing\n")
    )
    one = check(tmp_path / "a", chunk, Config(2, modules=("rain", "snow")))
    other = check(tmp_path / "b", chunk, Config(2, modules=("snow", "rain")))
    assert plays_alike(one, other)


def test_who_needs_another_comes_after_it(tmp_path: Path) -> None:
    snow = module("snow", "replace value wage: original + 2\n")
    rain = module("rain", "replace value wage: original * 3\n", "needs: [snow]")
    check(tmp_path, BASE + rain + snow, BOTH)


def test_who_comes_after_another_does_not_need_it(tmp_path: Path) -> None:
    snow = module("snow", "replace value wage: original + 2\n")
    rain = module("rain", "replace value wage: original * 3\n", "after: [snow]")
    both = check(tmp_path / "both", BASE + rain + snow, BOTH)
    assert [home for what, home, _ in both.program.provenance if what == "replace value wage"] == ["snow", "rain"]
    alone = check(tmp_path / "alone", BASE + rain + snow, RAIN)
    assert [home for what, home, _ in alone.program.provenance if what == "replace value wage"] == ["rain"]


def test_what_comes_after_and_needs_each_other_is_told(tmp_path: Path) -> None:
    files = files_of(BASE + module("rain", "", "after: [snow]") + module("snow", "", "needs: [rain]"))
    assert read(tmp_path / "a", files, RAIN).text == "no faults"
    assert read(tmp_path / "b", files, BOTH).text == """\
error[E408]: these modules come after each other: rain → snow → rain
  ┌─ tiny/modules/snow/module.yaml:2:9
 2│ needs: [rain]
  │         ^^^^

1 error"""


BROUGHT = module("snow", """
value depth: 3
value depth_of(n: number, g: gem) -> number: n
procedure plough: nothing
kind sledge is thing:
    zone seats_of of gem
    menu visit
table:
    zone drift of gem
rule frozen, after dig: nothing
rule colder, after dig: nothing
window night during turn:
    option freeze: nothing
add to menu actions:
    option skate: nothing
procedure slide:
    menu slopes:
        option fall: nothing
""", "numbers: {flakes: 7}\ntables: {cold: {index: number, values: [1, 2]}}\noptions: {deep: {flag: true}}")  # fmt: skip
CHANGES_IT = """
replace value depth: 4
replace procedure plough: dig
value depth_of of n red: 3
change flakes to 9
change deep to false
change zone table.drift: ordered
change zone sledge.seats_of: ordered
add to kind sledge:
    counter speed: 0 .. 9
    value fast: speed_limit
add to window night:
    option shiver: nothing
add to menu slopes:
    option rise: nothing
add to menu visit of sledge:
    option ride: nothing
rule a, after plough: plough
rule b, before actions.skate: plough
rule c, instead of slopes.fall: plough
rule d, after dig, before rule frozen: nothing
rule e, after dig, after rule frozen, before rule colder: nothing
rule f, whenever round = 2, at the end of plough: nothing
replace option actions.skate: plough
restrict option slopes.fall:
    require depth > 3
remove option night.freeze
remove rule frozen
remove window night
remove value depth
"""


def test_what_a_module_that_is_off_brings_may_be_changed(tmp_path: Path) -> None:
    """Hooks, orders and edits of it do nothing."""
    chunk = BASE + BROUGHT + module("rain", CHANGES_IT, "change: {cold: [3, 4]}")
    tiny = check(tmp_path / "rain", chunk, RAIN)
    mine = [what for what, home, _ in tiny.program.provenance if home == "rain"]
    assert mine == ["rule d", "rule e", "rule f"], mine
    kept = "rule d, after dig: nothing\nrule e, after dig: nothing\nrule f, whenever round = 2: nothing\n"
    other = written(tmp_path, (TIRED, TIRED + kept))
    assert len(tiny.program.watchers) == len(other.program.watchers) == 1


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        ("rule a, after plogh: nothing", "no procedure or option is called `plogh`"),
        ("rule a, after dig, before rule frzen: nothing", "there is no rule `frzen`"),
        ("rule a, after actions.skte: nothing", "there is no option `actions.skte`"),
        ("replace value dept: 3", "there is no value `dept` to replace"),
        ("remove window nigt", "there is no window `nigt` to remove"),
        ("change flaks to 3", "no number or option is called `flaks`"),
        ("change zone table.drft: ordered", "no zone is called `table.drft`"),
        ("add to kind sledg:\n    flag used", "no kind is called `sledg`"),
        ("rule a, whenever round = 2, at the end of plogh: nothing", "no procedure is called `plogh`"),
    ],
)
def test_what_no_module_brings_is_told_all_the_same(rule: str, hint: str, tmp_path: Path) -> None:
    tiny = read(tmp_path, files_of(BASE + BROUGHT + module("rain", rule)), RAIN)
    assert len(tiny.faults) == 1 and hint in tiny.text, tiny.text


def test_needs_and_excludes_are_held_to(tmp_path: Path) -> None:
    fog = module("fog", "", "needs: [rain]")
    hail = module("hail", "", "excludes: [rain]")
    chunk = BASE + module("rain", "") + fog + hail
    with pytest.raises(RulesetFaults) as told:
        read(tmp_path / "a", files_of(chunk), Config(2, modules=("fog",)))
    assert str(told.value) == """\
error[E409]: `fog` needs `rain`, which is not switched on
  ┌─ tiny/modules/fog/module.yaml:1:9
 1│ module: fog
  │         ^^^

1 error"""
    with pytest.raises(RulesetFaults) as told:
        read(tmp_path / "b", files_of(chunk), Config(2, modules=("hail", "rain")))
    assert str(told.value) == """\
error[E409]: `hail` and `rain` do not go together
  ┌─ tiny/modules/hail/module.yaml:1:9
 1│ module: hail
  │         ^^^^

1 error"""
    assert read(tmp_path / "c", files_of(chunk), Config(2, modules=("rain", "fog"))).text == "no faults"


def test_needs_may_be_written_line_by_line(tmp_path: Path) -> None:
    rain = module("rain", "replace value wage: 4\n", "needs:\n  - snow\n")
    check(tmp_path, BASE + rain + module("snow", "replace value wage: 3\n"), BOTH)


def test_modules_that_are_not_there_are_told_with_the_nearest(tmp_path: Path) -> None:
    tiny = read(
        tmp_path, files_of(BASE + module("rain", "")), Config(2, modules=("rian",), variants=("calm",))
    )
    assert (
        tiny.text
        == """\
error[E407]: `tiny` has no module or variant `calm`
  = there are: rain

error[E407]: `tiny` has no module or variant `rian`
  = did you mean `rain`?
  = there are: rain

2 errors"""
    )


def test_a_module_may_narrow_the_seats(tmp_path: Path) -> None:
    files = files_of(BASE + module("rain", "", "seats: 3 to 4"))
    assert read(tmp_path / "a", files, RAIN).codes == {"E410"}
    assert read(tmp_path / "b", files, Config(3, modules=("rain",))).codes == set()
    assert read(tmp_path / "c", files, OFF).codes == set()


def test_a_variant_in_one_file_brings_yaml_and_rules(tmp_path: Path) -> None:
    variant = """
# variants/rich.yaml
variant: rich
numbers: {windfall: 7}
options: {generous: {flag: true}}
rules: |
  replace value wage: if generous then windfall else 5
"""
    check(tmp_path, BASE + variant, Config(2, variants=("rich",)))


def test_a_module_goes_by_the_name_of_its_folder(tmp_path: Path) -> None:
    files = files_of(BASE + "\n# modules/mine/module.yaml\nmodule: mein\n")
    assert read(tmp_path, files, Config(2, modules=("mine",))).text == """\
error[E413]: this module is called `mein`
  ┌─ tiny/modules/mine/module.yaml:1:9
 1│ module: mein
  │         ^^^^ its folder is `mine`: write `module: mine`, or rename the folder

1 error"""


@pytest.mark.parametrize(
    ("file", "says", "label"),
    [
        ("variants/short.yaml", "variant: shrt", "its file is `short.yaml`: write `variant: short`, or rename the file"),
        ("modules/rain.yaml", "module: snow", "its file is `rain.yaml`: write `module: rain`, or rename the file"),
        ("modules/rain.yaml", "module: rain\nfor: huge", "this game is `tiny`"),
        ("boards/mill.yaml", "board: mil\nkind: shop", "its file is `mill.yaml`: write `board: mill`, or rename the file"),
    ],
)
def test_whatever_is_found_by_the_name_of_its_file_has_that_name(
    file: str, says: str, label: str, tmp_path: Path
) -> None:
    folder, name = file.split("/")[0], file.split("/")[1].split(".")[0]
    config = Config(2, (name,) if folder == "modules" else (), (name,) if folder == "variants" else ())
    tiny = read(tmp_path, files_of(BASE + f"\nkind shop is board:\n    flag busy\n# {file}\n{says}\n"), config)
    assert [(fault.code, fault.label) for fault in tiny.faults] == [("E413", label)]


def test_two_parts_of_one_name_are_a_fault(tmp_path: Path) -> None:
    files = files_of(BASE + "\n# modules/rain.yaml\nmodule: rain\n# variants/rain.yaml\nvariant: rain\n")
    assert read(tmp_path, files).text == (
        "error[E206]: two parts of this game are called `rain`\n"
        "  = modules/rain.yaml and variants/rain.yaml: rename one\n\n1 error"
    )


@pytest.mark.parametrize(("key", "says"), [("needs", "needs"), ("after", "comes after"), ("excludes", "excludes")])
def test_a_module_that_names_what_is_nowhere_is_told_so(key: str, says: str, tmp_path: Path) -> None:
    files = files_of(BASE + module("expansion", "") + module("rain", "", f"{key}: [expnsion]"))
    at = len(key) + 4
    assert read(tmp_path, files, RAIN).text == f"""\
error[E407]: there is no module or variant `expnsion`
  ┌─ tiny/modules/rain/module.yaml:2:{at}
 2│ {key}: [expnsion]
  │ {" " * (at - 1)}^^^^^^^^ did you mean `expansion`?
  = this module {says} it; there are: expansion, rain

1 error"""
