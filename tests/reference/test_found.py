"""What the second reading has found: each in the smallest ruleset that shows it."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.native.compiler import compile_game
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.lab.policies import Preferring
from tests.reference.lockstep import LockStep
from tests.validator.small import GAME, RULES, ruleset

TURN = RULES.index("procedure turn:\n"), RULES.index("scoring:")
SEEN = RULES.replace("    counter round: 0 .. 9\n", "    counter round: 0 .. 9\n    counter seen: 0 .. 99\n")


def loaded(folder: Path, rules: str, box: str = GAME, **files: str) -> ichiba.Game:
    return ichiba.load(ruleset(folder, {"play.rules": rules, "game.yaml": box} | files), trust=True)


def agrees(game: ichiba.Game) -> None:
    for seed in range(4):
        LockStep(game, seed).play(60)


def test_who_was_not_asked_has_no_answer_to_reveal(tmp_path: Path) -> None:
    turn = """\
procedure turn:
    each b in others secretly: choose bid from 1 coins to 3 coins step 1 coin "How much?"
    reveal bid

"""
    game = loaded(tmp_path, RULES[: TURN[0]] + turn + RULES[TURN[1] :])
    table = game.start(seed=1)
    while not table.over:
        table.step(0)
    revealed = [item["values"] for item in table.log if item["event"] == "reveal"]
    assert revealed == [{"2": 1}, {"1": 1}] * 3
    agrees(game)


def test_a_rule_instead_of_scoring_stands_instead_of_it(tmp_path: Path) -> None:
    rule = "rule nothing_counts, instead of scoring when round = 3: raise seen by 1\n"
    game = loaded(tmp_path, SEEN + rule)
    table = game.start(seed=1)
    while not table.over:
        table.step(0)
    assert (table.scores, table.ask("seen")) == ({1: 0, 2: 0}, 1)
    agrees(game)


def test_a_rule_instead_of_scoring_can_wrap_it(tmp_path: Path) -> None:
    rule = "rule more, instead of scoring:\n    raise seen by 1\n    original\n    raise seen by seen\n"
    game = loaded(tmp_path, SEEN + rule)
    table = game.start(seed=1)
    while not table.over:
        table.step(0)
    assert table.ask("seen") == 2 and min(table.scores.values()) > 0
    agrees(game)


WITHOUT_ME = {
    "setup": ("setup:\n", "setup:\n    gain 3 coins from bank\n"),
    "play": ("play:\n", "play:\n    gain 3 coins from bank\n"),
    "a rule that watches": ("play:\n", "rule rich, whenever round = 2: gain 3 coins from bank\n\nplay:\n"),
    "a rule around scoring": ("play:\n", "rule rich, before scoring: gain 3 coins from bank\n\nplay:\n"),
    "what setup performs": ("setup:\n", "procedure dole: gain 3 coins from bank\n\nsetup:\n    dole\n"),
    "what is performed on the way": (
        "setup:\n", "procedure dole: alms\n\nprocedure alms: gain 3 coins from bank\n\nsetup:\n    dole\n",
    ),
    "a value": ("setup:\n", "value rich -> flag: my.cash > 3 coins\n\nsetup:\n    if rich: raise round by 1\n"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), WITHOUT_ME.values(), ids=WITHOUT_ME)
def test_where_nobody_has_the_turn_nobody_is_me(old: str, new: str, tmp_path: Path) -> None:
    with pytest.raises(ichiba.RulesetFaults) as fault:
        loaded(tmp_path, RULES.replace(old, new, 1))
    assert {found.code for found in fault.value.faults} == {"E209"}


def test_who_acts_as_somebody_is_me_there(tmp_path: Path) -> None:
    procedure = "procedure dole: gain 3 coins from bank\n\nsetup:\n    for each s in seats:\n        as s: dole\n"
    agrees(loaded(tmp_path, RULES.replace("setup:\n", procedure, 1)))


BOARDS = {
    "boards/fish.yaml": "board: fish\nkind: market\ntitle: Fish\n",
    "boards/rice.yaml": "board: rice\nkind: market\ntitle: Rice\n",
}


def test_boards_are_drawn_by_their_kind_whether_or_not_it_has_narrower_ones(tmp_path: Path) -> None:
    box = GAME.replace("seats: 2 to 4\n", "seats: 2 to 4\nboards: {market: square}\n")
    zones = "    zone square of market\n    zone open of market, in play\n"
    rules = RULES.replace("    zone heap of gem\n", "    zone heap of gem\n" + zones)
    rules = rules.replace("setup:\n", "kind market is board:\n    flag shut\n\nsetup:\n    draw 1 market from square to open\n")
    agrees(loaded(tmp_path, rules, box, **BOARDS))


def test_out_of_a_zone_of_counted_and_single_pieces_each_is_as_likely_to_be_drawn(tmp_path: Path) -> None:
    sorts = "{red: {count: 5}, green: {count: 3, is: jewel}}"
    box = GAME.replace("{sorts: [red, green], count: 6, in: bag}", f"{{sorts: {sorts}, in: bag}}")
    turn = """\
procedure turn:
    draw 1 gem from bag to my.hand as come
    menu actions:
        option polish "Polish {g}" for g in my.hand where g is jewel: mark g.shiny
        option rest: nothing

kind jewel is piece:
    flag shiny

"""
    rules = RULES[: TURN[0]] + turn + RULES[TURN[1] :]
    agrees(loaded(tmp_path, rules, box.replace("count: 6, ", "")))
    refilling = rules.replace("zone bag of gem, face down", "zone bag of gem, face down, refills from heap")
    agrees(loaded(tmp_path / "again", refilling.replace("        option rest: nothing", "        option rest: move all my.hand to heap"), box))


def test_what_resets_with_a_procedure_does_so_whatever_that_is_given(tmp_path: Path) -> None:
    turn = """\
procedure turn:
    go(held)
    menu actions:
        option one: nothing
        option other: nothing

value held(s: seat) -> number: count of s.hand

procedure go(m: measure of seat):
    raise seen by 1 + m(me)

"""
    rules = SEEN.replace("counter seen: 0 .. 99", "counter seen: 0 .. 99, resets each go")
    at = rules.index("procedure turn:\n"), rules.index("scoring:")
    game = loaded(tmp_path, rules[: at[0]] + turn + rules[at[1] :])
    table = game.start(seed=1)
    table.step(0)
    assert table.ask("seen") == 3
    agrees(game)


def test_what_waits_for_an_end_waits_once_however_often_it_came_about(tmp_path: Path) -> None:
    turn = """\
procedure turn:
    menu actions until done, done "End":
        option sell "Sell {g}" for g in my.hand: move g to heap
        option fill "Draw" when bag is not empty: draw 1 gem from bag to my.hand

rule full for each s in seats, whenever count of s.hand > 2, at the end of turn: raise seen by position of s

"""
    at = SEEN.index("procedure turn:\n"), SEEN.index("scoring:")
    agrees(loaded(tmp_path, SEEN[: at[0]] + turn + SEEN[at[1] :]))


@pytest.mark.parametrize("change", ["lower me.luck by 3 * round", "raise me.luck by 60 * round", "set me.luck to round - 4"])
def test_what_is_foreseen_of_a_counter_stops_at_its_ends(change: str, tmp_path: Path) -> None:
    """`No` was not offered: it was thought that the luck would be below nothing."""
    turn = f"""\
procedure turn:
    may again "Again?": raise my.luck by 1
    else:
        {change}
        choose n from 0 to my.luck "How much?"
        choose m from my.luck to 50 "And how much?"

"""
    luck = "    counter luck: 0 .. 50 start 2, stops at the ends\n"
    rules = RULES[: TURN[0]] + turn + RULES[TURN[1] :]
    agrees(loaded(tmp_path, rules.replace("    zone hand of gem,", luck + "    zone hand of gem,")))


def test_nothing_stands_around_a_value(tmp_path: Path) -> None:
    rule = "value twice -> number: 2\n\nrule odd, before twice: raise seen by 1\n"
    with pytest.raises(ichiba.RulesetFaults, match="`twice` is a value, which nothing can stand around"):
        loaded(tmp_path, SEEN.replace('score "Cash" my.cash', 'score "Cash" twice') + rule)


MEASURED = """\
procedure turn:
    go(held)
    menu actions:
        option one: nothing
        option other: nothing

value held(s: seat) -> number: count of s.hand

procedure go(m: measure of seat) -> most: number:
    raise seen by m(me)
    give m(me)

"""
AROUND = """\
rule first, before go: raise seen by 1
rule last, after go when round < 3: raise seen by seen
rule other_way, instead of go when round = 2:
    original
    original
"""


def test_rules_stand_around_what_takes_a_measure_too(tmp_path: Path) -> None:
    at = SEEN.index("procedure turn:\n"), SEEN.index("scoring:")
    rules = SEEN.replace("0 .. 99\n", "0 .. 999\n")[: at[0] + 1] + MEASURED + SEEN[at[1] :] + AROUND
    game = loaded(tmp_path, rules)
    table = game.start(seed=1)
    assert table.ask("seen") == 6
    agrees(game)
    with pytest.raises(ichiba.RulesetFaults, match="leave the brackets out"):
        loaded(tmp_path / "named", rules + "rule named, after go(m): nothing\n")


def turning(turn: str, *changes: tuple[str, str], rules: str = SEEN) -> str:
    """The small game with this turn, and other words in it."""
    for old, new in changes:
        assert old in rules
        rules = rules.replace(old, new, 1)
    at = rules.index("procedure turn:\n"), rules.index("scoring:")
    return rules[: at[0]] + turn + "\n" + rules[at[1] :]


@pytest.mark.parametrize("named", ["remember much: number = twice(much)", "flag much start much", "remember much: number = much"])
def test_a_memory_is_not_known_in_its_own_beginning(named: str, tmp_path: Path) -> None:
    """It was what it had been the time before; at first there was nothing, and the engine fell down."""
    turn = f"procedure turn:\n    repeat 2 times:\n        {named}\n        raise seen by 1\n"
    with pytest.raises(ichiba.RulesetFaults, match="nothing is called `much`"):
        loaded(tmp_path, turning(turn) + "value twice(n: number) -> number: 2 * n\n")


def test_a_memory_begins_with_what_was_called_so_before(tmp_path: Path) -> None:
    turn = """\
procedure turn:
    let n = round
    repeat 2 times:
        remember n: number = n + 1
        raise n by 3
        raise seen by n
    let w = next_seat(me)
    let w = the s in seats with highest 1, tie: w chooses
    raise seen by position of w
"""
    game = loaded(tmp_path, turning(turn))
    table = game.start(seed=1)
    assert (table.ask("seen"), [decision.seat for decision in table.pending]) == (10, [2])
    agrees(game)


@pytest.mark.parametrize("red", ["red", "1 red"])
def test_without_a_number_one_of_a_sort_is_moved(red: str, tmp_path: Path) -> None:
    """`move red from …` was no sentence, though the page says it."""
    turn = f"procedure turn:\n    if red in bag: move {red} from bag to my.hand\n    raise seen by count of red in bag\n"
    game = loaded(tmp_path, turning(turn))
    agrees(game)
    table = game.start(seed=1)
    assert table.ask("count of bag + count of seat(1).hand + count of seat(2).hand") == 12
    assert table.ask("count of bag < 8")


TOLLS = "tables: {toll: {index: n, values: [3, 5]}}\nsorts: {side: [left, right]}\n"


def test_a_table_counts_words_from_the_first_one(tmp_path: Path) -> None:
    """`toll(right)` was 3, the first of the list; gone through, left was 5 and right 3."""
    turn = """\
procedure turn:
    for each d in sides: set seen to seen * 10 + toll(d)
    choose d in sides "Which?"
    set seen to seen * 10 + toll(d) + toll(right)
"""
    game = loaded(tmp_path, turning(turn, ("seen: 0 .. 99\n", "seen: 0 .. 99999999, stops at the ends\n")), GAME + TOLLS)
    table = game.start(seed=1)
    assert (table.ask("seen"), table.ask("toll(left) * 10 + toll(right)")) == (35, 35)
    table.play("d/left")
    assert table.ask("seen") == 35835
    agrees(game)


def test_a_table_that_begins_elsewhere_is_told_when_words_ask(tmp_path: Path) -> None:
    rules = turning("procedure turn: set seen to toll(right)\n")
    with pytest.raises(ichiba.RulesetFaults, match="no entry for 2(.|\n)*words count from 1: `right` is 2"):
        loaded(tmp_path, rules, GAME + TOLLS.replace("values", "from: 0, values"))
    with pytest.raises(ichiba.RulesetFaults, match="this index goes to 2|from 1 to 2, but the entries"):
        loaded(tmp_path / "each", turning("procedure turn:\n    for each d in sides: raise seen by toll(d)\n"), GAME + TOLLS.replace("[3, 5]", "[3]"))


def test_a_condition_is_one_or_nothing_to_a_table(tmp_path: Path) -> None:
    box = GAME + "tables: {toll: {index: rich, from: 0, values: [3, 5]}}\n"
    game = loaded(tmp_path, turning("procedure turn:\n    raise seen by toll(my.cash > 6 coins)\n    gain 2 coins from bank\n"), box)
    assert game.start(seed=1).ask("seen") == 3 + 3 + 5 + 5 + 5 + 5
    agrees(game)
    with pytest.raises(ichiba.RulesetFaults, match="from 0 to 1, but the entries of the table `toll` go from 1 to 2"):
        loaded(tmp_path / "list", turning("procedure turn: raise seen by toll(my.cash > 6 coins)\n"), box.replace("from: 0, ", ""))


GAPS = {"a map with gaps": ("n", "{1: 3, 5: 7}", "toll(n)"), "rows of other lengths": ("[m, n]", "{1: [1, 2, 3, 4, 5], 2: [6, 7]}", "toll(2, n)"),
        "rows that are asked for": ("[m, n]", "{1: [1, 2, 3, 4, 5], 2: [6, 7]}", "toll(min(2, round + 1), n)")}  # fmt: skip


@pytest.mark.parametrize(("index", "values", "asked"), GAPS.values(), ids=GAPS)
def test_an_entry_that_is_left_out_is_not_there(index: str, values: str, asked: str, tmp_path: Path) -> None:
    """It was nothing at all, and was kept so."""
    turn = f"procedure turn:\n    choose n from 1 to {'2' if asked == 'toll(2, n)' else '5'} \"?\"\n    set here to {asked}\n    raise seen by 1\n"
    box = GAME + f"tables: {{toll: {{index: {index}, values: {values}}}}}\n"
    memory = ("    zone heap of gem\n", "    zone heap of gem\n    remember here: number\n")
    game = loaded(tmp_path, turning(turn, memory, ("round by 1", "round by 1")), box)
    for seed in range(4):
        with suppress(RuleFault):
            LockStep(game, seed).play(60)
    if index == "n":
        with pytest.raises(RuleFault, match="the table `toll` has no entry for 3"):
            game.start(seed=1).play("n/3")
        table = game.start(seed=1)
        table.play("n/5")
        assert table.ask("here") == 7


MAP = "map: {id: isle, name: Isle}\ngates: [{id: sun}, {id: moon}, {id: star}]\nroads: [[sun, star], [moon, star]]\n"
KINDS = "kind gate is node:\n    flag seen\n\nkind road is edge:\n    flag used\n\n"


def test_a_connection_leads_only_from_its_ends(tmp_path: Path) -> None:
    """From somewhere else it led to what stands between: the places were reckoned with."""
    box = GAME + "map: maps/isle.yaml\nthings: {gate: {from: gates}, road: {edges: roads}}\n"
    turn = """\
procedure turn:
    for each e in edges_at(here): raise seen by position of far(e, here)
    choose e in roads "Which?"
    set here to far(e, here)
"""
    memory = ("    zone heap of gem\n", "    zone heap of gem\n    remember here: gate = moon\n")
    game = loaded(tmp_path, KINDS + turning(turn, memory), box, **{"maps/isle.yaml": MAP})
    table = game.start(seed=1)
    with pytest.raises(RuleFault, match="this connection does not lead from there"):
        table.play("e/sun-star")
    for seed in range(4):
        with suppress(RuleFault):
            LockStep(game, seed).play(60)


FREE = "window free during turn:\n    option dig once per turn: draw 1 gem from bag to my.hand\n\n"
IN_SECRET = """\
procedure turn:
    each s in seats secretly:
        MENU
            option wait: nothing
            option think: nothing
    menu actions:
        option rest: nothing
        option stop: nothing
"""


def test_no_free_action_is_taken_in_secret(tmp_path: Path) -> None:
    """The seat whose turn it was drew a gem in secret."""
    game = loaded(tmp_path, FREE + turning(IN_SECRET.replace("MENU", "menu hide:")))
    table = game.start(seed=1)
    assert [decision.keys() for decision in table.pending] == [["wait", "think"]] * 2
    for seat in (1, 2):
        table.play("wait", seat)
    assert table.decision is not None and table.decision.keys() == ["rest", "stop", "dig"]
    agrees(game)


@pytest.mark.parametrize("words", ["", ", no windows"])
def test_nor_by_way_of_a_procedure(words: str, tmp_path: Path) -> None:
    hide = f"procedure hide:\n    menu hidden{words}:\n        option wait: nothing\n        option think: nothing\n\n"
    asked = IN_SECRET[IN_SECRET.index("MENU") : IN_SECRET.index("    menu actions")]
    rules = FREE + hide + turning(IN_SECRET.replace(asked, "hide\n"))
    if words:
        agrees(loaded(tmp_path, rules))
        return
    with pytest.raises(ichiba.RulesetFaults, match="free actions of `free` could be taken in secret, where `hidden` is opened"):
        loaded(tmp_path, rules)


def test_what_lay_in_the_zones_of_a_set_is_covered_too(tmp_path: Path) -> None:
    """By the reference, which took `red in s.hand` for a condition."""
    turn = """\
procedure turn:
    each s in seats secretly:
        choose n from 0 to 2 "?"
        let mine = red in s.row
        for each c in mine: move c to s.hand
        choose c in s.hand "?":
            move c to s.row
        else: nothing
    reveal my.row
    choose k from 0 to 2 "?"
"""
    agrees(loaded(tmp_path, turning(turn) + "add to seat:\n    zone row of gem\n"))


def test_what_holds_for_some_seats_of_one_sort_is_counted_for_each(tmp_path: Path) -> None:
    """A table of columns by seat fell down over the seat for which nothing is counted."""
    turn = """\
procedure turn:
    raise seen by count of (c in (red in my.hand) where 2 != position of me)
    if any (c in (green in my.hand) where 2 = position of me): raise seen by 10
    if no (c in (green in my.hand) where position of sort of c < position of me): raise seen by 20
    menu actions:
        option draw_one "Draw" when bag is not empty: draw 1 gem from bag to my.hand
        option rest: nothing
"""
    game = loaded(tmp_path, turning(turn, ("seen: 0 .. 99\n", "seen: 0 .. 999\n")))
    agrees(game)


@pytest.mark.parametrize("twice", ["{bag, heap, bag}", "{open, heap}", "{my.hand, me.hand}"])
def test_a_zone_stands_in_a_set_once(twice: str, tmp_path: Path) -> None:
    """Its pieces were counted twice, gone through twice where they are counted, once where they are not, and moved once."""
    rules = turning(f"procedure turn: set seen to count of {twice}\n") + "value open: {heap, bag}\n"
    with pytest.raises(ichiba.RulesetFaults, match="what lies here is in this set already"):
        loaded(tmp_path, rules)


@pytest.mark.parametrize("dig", ["nothing", "draw 1 gem from heap to my.hand"])
def test_a_free_action_is_no_way_through_a_menu(dig: str, tmp_path: Path) -> None:
    """It was offered to go in, where there was nothing to do but a free action, and behind it nothing at all: so it still was
    where that action would have drawn out of an empty zone, which was taken for chance."""
    turn = f"""\
window free during turn:
    option dig costs 1 coin once per turn: {dig}

procedure turn:
    menu actions up to 2 times:
        option enter:
            menu inside:
                option buy "Buy" costs 4 coins: nothing
                option show "Show" when red in my.row: nothing
        option rest: nothing

add to seat:
    zone row of gem

"""
    game = loaded(tmp_path, turning(turn))
    table = game.start(seed=1)
    assert table.decision is not None and table.decision.keys() == ["enter", "rest", "dig"]
    for key in ("enter", "buy"):
        table.play(key)
    assert table.decision.keys() == ["rest", "dig"]
    agrees(game)
    if shutil.which("cc") is not None:
        compile_game(game)
        agrees(game)


@pytest.mark.parametrize("test", ["even(position of s)", "next_seat(s) is seat(1)", "min(position of s, 2, 3) = 2", "abs(position of s - 3) = 1",
                                  "power(2, position of s) = 4",
                                  "position of s > 1 and position of s < 3 and not even(position of s + 1)"])  # fmt: skip
def test_whether_a_fixed_set_is_empty_is_asked_of_whatever_can_stand_there(test: str, tmp_path: Path) -> None:
    """`check` fell down over all but sums and comparisons."""
    turn = f"""\
procedure turn:
    if any (s in {{seat(1), seat(2)}} where {test}):
        let w = first of (s in {{seat(1), seat(2)}} where {test})
        raise seen by position of w
    for each s in {{seat(2), seat(1)}} where {test}: raise seen by position of s
    if any (s in {{seat(1), seat(2)}} where {test}): raise seen by 1
"""
    game = loaded(tmp_path, turning(turn))
    assert game.start(seed=1).ask("seen") == 6 * (2 + 2 + 1)
    agrees(game)


def test_a_policy_counts_alike_pieces_once(tmp_path: Path) -> None:
    """The reference added the weight for each of them."""
    turn = """\
procedure turn:
    move 2 red from bag to my.hand
    move 2 green from bag to my.hand
    menu actions:
        option sell for g in my.hand: nothing
        option rest: nothing
"""
    keen = 'policy keen:\n    prefer "sell/{g}" for g in my.hand by position of sort of g\n    prefer "*/red" for s in {me, me}\n'
    game = loaded(tmp_path, turning(turn, ("draw 2 gem from bag to s.hand", "nothing"), ("repeat rounds", "repeat 1")) + keen)
    policy = Preferring(game, "keen", Random(1))
    decision = game.start(seed=1).decision
    assert decision is not None
    assert dict(zip(decision.keys(), policy.weights(decision), strict=True)) == {"sell/red": 1 + 2, "sell/green": 2, "rest": 0}
    LockStep(game, 1, "keen").play(2)


@pytest.mark.parametrize(("base", "times", "wanted"), [(1, 99, 1), (-1, 99, -1), (0, 99, 0), (0, 0, 1), (5_000_000, 1, 5_000_000),
                                                     (2, -1, 0), (2, 39, 2**39)])  # fmt: skip
def test_a_power_is_too_large_only_where_it_is(base: int, times: int, wanted: int, tmp_path: Path) -> None:
    """Beyond 60 times, and of more than a million, it was a fault whatever it came to."""
    turn = f"""\
procedure turn:
    choose n from {times} to {times} "?"
    choose b from {base} to {base} "?"
    if power(b, n) = power({base}, {times}) and power(b, n) = {wanted}: raise seen by 1
"""
    game = loaded(tmp_path, turning(turn))
    assert game.start(seed=1).ask("seen") == 6
    agrees(game)
