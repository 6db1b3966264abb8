"""Claims about names: unknown ones are told with what was most likely meant, double ones with both places."""

from pathlib import Path

import pytest

from ichiba.dsl.world.world import Config
from tests.language.tiny import check, rules


def test_unknown_names_are_told_with_what_was_most_likely_meant(tmp_path: Path) -> None:
    check(tmp_path, """
value a: rond                             ### E205: did you mean `round`?
value b: count of stals                   ### E205: did you mean `stalls`?
value c(s: seat): s.csh                   ### E210: did you mean `cash`?
value d(o: stall): o.visit                ### E210: did you mean `visits`?
value e: prize(2)                         ### E205: did you mean `price`?
value f: mx(2, 3)                         ### E205: did you mean `max`?
value g: 3 our                            ### E205: did you mean `hour`?
value h: late + 1                         ### E205: nothing is called `late`
value i(o: stal): 3                       ### E205: did you mean `stall`?
value j -> coins: 3                       ### E205: did you mean `coin`?
""")  # fmt: skip


def test_in_rules_that_do_something_too(tmp_path: Path) -> None:
    check(tmp_path, """
seat:
    purse debt: coyn                    ### E205: did you mean `coin`?
    zone shelf of gen                     ### E205: did you mean `gem`?
    counter met(o: stal): 0 .. 3          ### E205: nothing that can be counted through

procedure turn:
    turm                                  ### E205: did you mean `turn`?
    if red in bagg: nothing               ### E205: did you mean `bag`?
    for each o in stalls: o.vist          ### E205: no procedure is called `vist`
    move 1 redd from bag to my.hand       ### E205: did you mean `red`?
    raise rund by 1                       ### E205: did you mean `round`?
    leave turn
    leave tur                             ### E212: running here: turn
    reveal my.hnd                         ### E210: did you mean `hand`?
""")  # fmt: skip


def test_a_name_of_one_letter_is_nobodys_neighbour(tmp_path: Path) -> None:
    assert "did you mean" not in rules(tmp_path, "value a: x\n").text


def test_members_that_are_there_are_listed(tmp_path: Path) -> None:
    tiny = check(
        tmp_path, "value a(s: seat): s.stamps          ### E210: a seat has: cash, time, hand, score\n"
    )
    assert "did you mean" not in tiny.text


def test_everything_is_defined_once(tmp_path: Path) -> None:
    check(tmp_path, """
value fee: 3
value fee: 4                              ### E206: first defined here
guard fee: round = 3                      ### E206: first defined here
procedure fee: nothing                    ### E206: first defined here

kind shed is thing:
    flag old
    counter old: 0 .. 3                   ### E206: first defined here

kind shed is thing:                       ### E206: the kind `shed` is defined twice
    flag full

table:
    flag round                            ### E206: first defined here

add to menu evening:
    option rest: nothing
    option rest: nothing                  ### E206: the option `rest` is defined twice

rule dusk, after turn:
    menu evening

rule wet, after turn: nothing
rule wet, before turn: nothing            ### E206: the rule `wet` is defined twice

play: turn
play: turn                                ### E206: `play:` is defined twice

ranking: highest total else shared
ranking: lowest total else shared         ### E206: the ranking is defined twice

value worth(n: number, g: gem) -> number: n
value worth of n red: 2 * n
value worth of n red: 3 * n               ### E206: `worth of red` is defined twice
""")  # fmt: skip


def test_in_several_files_as_well(tmp_path: Path) -> None:
    check(tmp_path, """
# a.rules
value fee: 3
# b.rules
value fee: 4                              ### E206: tiny/a.rules:1:7
# market.rules
kind market is board:
    menu visit
# boards/east/hall.yaml
board: hall
kind: market
# boards/west/hall.yaml
board: hall                               ### E206: `hall` is defined twice
kind: market
""")  # fmt: skip


def test_a_name_that_a_rule_gives_hides_others_of_that_name(tmp_path: Path) -> None:
    check(tmp_path, """
value fee: 3

procedure turn:
    let fee = $5
    gain fee from bank
    for each bag in stalls: raise bag.visits by 1
    for each board in stalls: raise board.visits by 1
""")  # fmt: skip


def test_a_name_ends_with_its_block(tmp_path: Path) -> None:
    check(tmp_path, """
procedure turn:
    if round = 1:
        let n = 3
        raise round by n
    raise round by n                      ### E205: nothing is called `n`
    for each o in stalls: nothing
    raise o.visits by 1                   ### E205: nothing is called `o`
    choose g in gems:
        move 1 g from bag to my.hand
    move 1 g from bag to my.hand          ### E205: nothing is called `g`
""")  # fmt: skip


def test_me_is_somebodys(tmp_path: Path) -> None:
    check(tmp_path, """
value rich: my.cash > $5
value all_rich: no (s in seats where s.cash < $5)

invariant solvent: my.cash >= $0          ### E209: nobody is `me` here
invariant all_solvent: no (s in seats where s.cash < $0)

rule bored, whenever my.cash > $9: nothing     ### E209: nobody is `me` here
rule told, whenever round = 9: gain $1 from bank
""")  # fmt: skip


def test_board_is_known_in_a_boards_own_file_and_in_its_kind(tmp_path: Path) -> None:
    check(tmp_path, """
# market.rules
kind market is board:
    counter heat: 0 .. 9
    menu visit
    value hot: board.heat > 5
    procedure cool: lower board.heat by 1

value heat_of(m: market): m.heat
value lukewarm: board.heat > 2            ### E209: `board` is known only in a board's file

board:                                    ### E208: stands in a board's own file
    flag open
# boards/hall.yaml
board: hall
kind: market
rules: |
  board:
      flag open
  add to menu visit:
      option heat when not board.open: raise board.heat by 1
  rule warm, after turn: board.cool
""")  # fmt: skip


def test_a_kind_is_not_its_own_kind(tmp_path: Path) -> None:
    check(tmp_path, """
kind inn is house:                        ### E207: these kinds are each other's kind: inn is house is inn
    flag full
kind house is inn:
    flag open
kind barn is bran:                        ### E205: no kind is called `bran`
    flag full
""")  # fmt: skip


IN_CIRCLES = {
    "two kinds of which one is a family": """
  cup: {is: ware, in: rack}
# play.rules
kind cup is mug:                          ### E207: these kinds are each other's kind: cup is mug is cup
    flag worn
kind mug is cup:
    flag washed
""",
    "a family and its own category": """
  cup: {is: ware, in: rack}               ### E207: these kinds are each other's kind: cup is ware is cup
# play.rules
kind ware is cup:
    flag worn
""",
    "a sort that is called like what it is": """
  cup: {sorts: {ware: {is: ware}}, in: rack}  ### E207: these kinds are each other's kind: ware is ware
# play.rules
kind cup is piece:
    flag worn
""",
}


@pytest.mark.parametrize("said", IN_CIRCLES.values(), ids=IN_CIRCLES)
def test_pieces_are_no_kind_of_themselves(said: str, tmp_path: Path) -> None:
    """Whoever looked upward for what they are a kind of would look for ever."""
    gems = "# game.yaml\npieces:\n  gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag}"
    check(tmp_path, gems + said + "table:\n    zone rack of cup\n")


def test_names_of_modules_that_are_off_may_be_mentioned(tmp_path: Path) -> None:
    chunk = """
# market.rules
kind market is board:
    menu visit

table:
    zone open of market, in play

value busy: hall in open
value full: hal in open                   ### E205: nothing is called `hal`
# modules/town/module.yaml
module: town
# modules/town/boards/hall.yaml
board: hall
kind: market
"""
    check(tmp_path, chunk.replace("###", "###", 1))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"quik": True},
            "error[E401]: there is no option `quik`\n  = did you mean `quick`?\n"
            "  = options: quick, pace, ends",
        ),
        ({"quick": "yes"}, "error[E402]: the option `quick` cannot be 'yes'\n  = it is true or false"),
        ({"pace": "fast"}, "error[E402]: the option `pace` cannot be 'fast'\n  = it is one of slow, brisk"),
        ({"ends": 6}, "error[E402]: the option `ends` cannot be 6\n  = it is a number from 2 to 5"),
        ({"ends": True}, "error[E402]: the option `ends` cannot be True\n  = it is a number from 2 to 5"),
    ],
)
def test_options_are_chosen_among_what_there_is(
    tmp_path: Path, options: dict[str, object], said: str
) -> None:
    yaml = "{quick: {flag: false}, pace: {one_of: [slow, brisk]}, ends: {from: 2, to: 5, otherwise: 3}}"
    tiny = rules(tmp_path, "", Config(2, options=tuple(options.items())), options=yaml)
    assert tiny.text == said + "\n\n1 error"


def test_values_in_circles_are_shown_whole(tmp_path: Path) -> None:
    check(tmp_path, """
value a: b + 1                            ### E501: this value depends on itself: a → b → c → a
value b: if round = 1 then c else 0
value c: sum of (a for s in seats)

value d: d                                ### E501: this value depends on itself: d → d
guard e: not f                            ### E501: this value depends on itself: e → f → e
guard f: e or round = 2

value sum_to(n: number): n + sum_to(n - 1)     ### E501: sum_to → sum_to
value near: (o in stalls where o in far)       ### E501: near → far → near
value far: (o in stalls where o in near)
""")  # fmt: skip


def test_procedures_in_circles_are_shown_whole(tmp_path: Path) -> None:
    check(tmp_path, """
procedure a: b                            ### E505: this procedure performs itself: a → b → c → a
procedure b:
    if round = 1: c
procedure c:
    menu ask:
        option again: a
        option stop: nothing

procedure d: d                            ### E505: this procedure performs itself: d → d
procedure e: nothing                      ### E505: this procedure performs itself: e → rule f → e
rule f, after e: e

procedure twice(m: measure): twice(m)     ### E505: this procedure performs itself: twice → twice
value one(n: number): n
rule g, before turn: twice(one)
""")  # fmt: skip


def test_triggers_wait_so_they_close_no_circle(tmp_path: Path) -> None:
    check(tmp_path, """
procedure dig: raise round by 1
rule deep, whenever round = 5: dig
rule deeper, whenever round = 7: dig
rule last, after turn: dig
""")  # fmt: skip


def test_a_procedure_may_be_performed_from_many_places(tmp_path: Path) -> None:
    check(tmp_path, """
procedure dig: nothing
procedure left: dig
procedure right: dig
procedure turn:
    left
    right
    dig
""")  # fmt: skip


def test_a_chain_of_values_too_long_for_python_is_told(tmp_path: Path) -> None:
    from ichiba.dsl.faults.fault import RulesetFaults

    chain = "".join(f"value v{n}: v{n + 1} + 1\n" for n in range(400)) + "value v400: 1\n"
    with pytest.raises(RulesetFaults, match="lead on to each other too far"):
        rules(tmp_path, chain)


@pytest.mark.parametrize(
    ("values", "reaches"),
    [
        ("{1: 2, 100000: 3}", None),
        ("{1: 2, 100001: 3}", "1 to 100,001"),
        ("{-999999999999: 2, 999999999999: 3}", "-999,999,999,999 to 999,999,999,999"),
        ("{999999999998: 2, 999999999999: 3}", None),
        ("{1: {0: 1, 999: 1}, 100: {5: 1}}", None),
        ("{0: {0: 1, 999: 1}, 100: {5: 1}}", "0 to 100, 0 to 999"),
        ("{1: {1: {1: 1}}, 300: {300: {300: 1}}}", "1 to 300, 1 to 300, 1 to 300"),
    ],
)
def test_a_table_has_so_many_places_and_no_more_filled_or_not(values: str, reaches: str | None, tmp_path: Path) -> None:
    depth = values.split("}")[0].count("{")
    at = ", ".join(["round"] * depth)
    chunk = f"procedure turn:\n    if round > 5 and round < 3: set round to far_off({at})\n"
    tiny = rules(tmp_path, chunk, tables=f"{{price: [2, 3, 5], far_off: {{values: {values}}}}}")
    told = [(fault.code, fault.label) for fault in tiny.faults if fault.code == "E108"]
    assert told == ([] if reaches is None else [("E108", f"its indexes go from {reaches}")]), tiny.text
