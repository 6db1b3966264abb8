"""The bench measures what it says; how fast anything is, no test asks."""

import shutil

import pytest

import ichiba
from ichiba.lab.bench.drivers import SETTLED, ByHand, ByHandInC, ManyTables, Ours, Settled
from ichiba.lab.bench.lines import Line, lines_for
from ichiba.lab.bench.measuring import Effort, loading, measure
from ichiba.lab.bench.other_engines import Catanatron, OpenSpiel, Rollouts, Run
from ichiba.lab.bench.telling import report, report_loading
from tests.oracle import marks
from tests.oracle.marks import TWINS, openspiel_name

LITTLE = Effort(repetitions=2, seconds=0.002, loads=1)


def silent(text: str) -> None:
    del text


class Broken:
    """A game that fails."""

    def play(self, games: int, seed: int) -> Run:
        raise ValueError("no such move")

    def start(self, seed: int) -> object:
        return None

    def copying(self, times: int) -> float | None:
        return None


def test_a_line_tells_how_a_game_compares_with_the_same_by_hand() -> None:
    ours = Line("no_thanks", 3, Ours(ichiba.load("no_thanks", seats=3)), "no_thanks")
    by_hand = Line("by hand", 3, ByHand(TWINS["no_thanks"], 3), "no_thanks", twin=True)
    measure([ours, by_hand], LITTLE, silent)
    assert [len(line.runs) for line in (ours, by_hand)] == [2, 2]
    assert 24 < ours.decisions < 100
    headings, first, second = (row.split() for row in report([ours, by_hand]))
    assert headings[0] == "seats"
    assert first[:2] == ["no_thanks", "3"] and first[-1].endswith("x")
    assert second[:3] == ["by", "hand", "3"] and not second[-1].endswith("x")


def test_a_module_is_measured_beside_the_game_without_it() -> None:
    options = {"fish": ["eel", "tuna"], "external": ["bank"], "expansion.with_boards": False}
    faults: list[str] = []
    lines = lines_for(["tokyo_tsukiji_market"], None, faults, ["expansion"], options, native=False)
    ours = {line.what: line.driver.game for line in lines if line.seats == 2 and type(line.driver) is Ours}
    assert {what: game.config.modules for what, game in ours.items()} == {
        "tokyo_tsukiji_market": (), "tokyo_tsukiji_market with expansion": ("expansion",)
    }  # fmt: skip
    others = lines_for(["no_thanks"], None, faults, ["expansion"], native=False)
    assert {line.what for line in others if line.ruleset and type(line.driver) is Ours} == {"no_thanks"}
    assert "no_thanks with expansion" in str(faults)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_game_is_measured_in_machine_code_beside_itself() -> None:
    lines = [line for line in lines_for(["leduc_poker"], None, []) if line.ruleset]
    ours = [line for line in lines if isinstance(line.driver, Ours)]
    assert [line.what for line in ours] == ["leduc_poker", "leduc_poker, machine code"]
    assert [line.driver.game.native for line in ours if isinstance(line.driver, Ours)] == [False, True]
    measure(ours, LITTLE, silent)
    assert report(ours)[2].startswith("leduc_poker, machine code")


def test_what_is_forced_is_not_counted() -> None:
    """The last card of a hand is forced: twelve decisions for each of two seats."""
    run = Ours(ichiba.load("goofspiel", seats=2)).play(3, 0)
    assert (run.games, run.decisions) == (3, 3 * 2 * 12)


def test_what_a_policy_answers_is_worked_out_before() -> None:
    settled = Settled(ichiba.load("tsukiji", seats=2), "sensible")
    run = settled.play(SETTLED + 1, 0)
    assert set(settled.known) == set(range(SETTLED))
    assert run.games == SETTLED + 1 and 40 * run.games < run.decisions < 80 * run.games
    assert settled.play(1, 5).decisions == settled.play(1, 6).decisions


def test_the_parts_of_a_game_are_measured_too() -> None:
    game = Ours(ichiba.load("leduc_poker", seats=2))
    before, last = game.at(1, 1.0)
    before.step(last)
    assert before.over
    assert min(game.ending(3), game.copying(3) or 0) > 0


def test_a_game_that_fails_says_so_and_the_others_are_measured() -> None:
    good = Line("good", 2, Ours(ichiba.load("liars_dice", seats=2)))
    bad = Line("bad", 2, Broken())
    measure([bad, good], LITTLE, silent)
    rows = report([bad, good])
    assert "ValueError: no such move" in rows[1]
    assert len(good.runs) == 2


def test_loading_is_measured_apart() -> None:
    found = loading("leduc_poker", 2, 1)
    assert found.reading > 0 and found.compiling > 0 and found.places > 50
    assert report_loading([found])[1].startswith("leduc_poker")
    assert (found.machine_code is None) == (shutil.which("cc") is None)


@pytest.mark.oracle
def test_openspiel_plays_with_the_same_number_of_decisions() -> None:
    pytest.importorskip("pyspiel")
    theirs = openspiel_name("goofspiel", 3)
    assert theirs is not None
    assert OpenSpiel(theirs).play(2, 0).decisions == 2 * 3 * 12
    assert openspiel_name("no_thanks", 3) is None


@pytest.mark.oracle
def test_catanatron_plays_to_the_end() -> None:
    pytest.importorskip("catanatron")
    run = Catanatron().play(1, 0)
    assert run.games == 1 and run.decisions > 20


@pytest.mark.oracle
@pytest.mark.parametrize(("ruleset", "seats", "decisions"), [("goofspiel", 2, 24), ("leduc_poker", 2, 3.7)])
def test_openspiel_rolls_the_same_games_out(ruleset: str, seats: int, decisions: float) -> None:
    pytest.importorskip("pyspiel")
    theirs = openspiel_name(ruleset, seats)
    assert theirs is not None
    run = Rollouts(theirs).play(50, 1)
    assert run.games == 50 and abs(run.decisions / 50 - decisions) < 1 and run.seconds > 0


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_by_hand_in_c_is_measured_beside_all_others() -> None:
    assert marks.in_c is not None
    ours = Line("tables", 2, ManyTables(ichiba.load("tsukiji", seats=2, native=True)), "tsukiji")
    in_c = Line("in C", 2, ByHandInC(marks.in_c["tsukiji"], 2), "tsukiji")
    measure([ours, in_c], LITTLE, silent)
    assert abs(ours.decisions - in_c.decisions) < 3
    headings, first, second = report([ours, in_c])
    assert "in C" in headings and first.split()[-1].endswith("x") and not second.split()[-1].endswith("x")


@pytest.mark.oracle
@pytest.mark.soak
def test_the_game_in_c_is_as_quick_as_by_hand_in_c_should_be() -> None:
    """Measured in one run with catanatron: a decision of that costs 1,400 of its."""
    pytest.importorskip("catanatron")
    assert marks.in_c is not None
    ours = ByHandInC(marks.in_c["tsukiji"], 4).play(20_000, 1)
    assert Catanatron().play(10, 1).per_decision / ours.per_decision >= 1400
