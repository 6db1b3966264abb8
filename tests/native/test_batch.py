"""Whole games in machine code are those that Python plays, answer by answer: also where rules fail, in threads, and when stopped."""

from __future__ import annotations

import _thread
import re
import shutil
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from threading import get_ident
from typing import Any

import pytest

import ichiba
from ichiba.interpreter.batch.rows import DECISIONS, FIRST_RANK, NOT_PLAYED, PLAYED, STATUS
from ichiba.interpreter.layout import PC
from ichiba.interpreter.native import compiler as native
from ichiba.interpreter.policies.players import RANDOM, Preferring, UnknownPolicy, play_out, policy
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.runtime.runtime import Context, left
from ichiba.table.arguments import Setting as Asked
from ichiba.table.simulation import batch as simulation
from tests.conftest import Tally
from tests.native.conftest import GAME, RULES
from tests.native.test_machine_code import fewest, fullest
from tests.properties.tables import HEAVY, Setting, every, loaded, paired, plain

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


class InC:
    """Games of these seeds, played by the C: their rows, and every answer."""

    def __init__(self, game: Game, seeds: Sequence[int | str], names: Sequence[str] = (), stop: bytearray | None = None):
        native.compile_game(game)
        player = native.player(game, names or [RANDOM] * game.seats)
        assert player is not None
        self.games, self.first, self.policies = player.games, player.first, player.policies
        texts = [str(seed).encode() for seed in seeds]
        packed = native.program(game).packed_places or ()
        self.places = [place for place in range(len(game.first)) if place not in packed]
        self.width = FIRST_RANK + game.seats + len(self.places)
        self.rows = array("q", bytes(8 * self.width * len(texts)))
        self.given = b"".join(texts), array("q", accumulate(map(len, texts))), self.rows, stop or bytearray(1)

    def play(self) -> list[int]:
        answers: Any = self.games(self.first, *self.given, self.policies, tuple(self.places), 1)
        return array("q", answers).tolist()


def in_python(game: Game, seed: int | str, named: str = RANDOM) -> tuple[list[int], list[int]]:
    """Every answer of a game among players of one kind, and the state at its end."""
    code = game.worked_out.in_python
    assert code is not None
    state, context, answers = list(game.first), Context(game.chance_words(seed)), []
    draw = Random(f"{seed}/bots").random
    bots = [policy(game, named, f"{seed}/{seat + 1}") for seat in range(game.seats)]

    def place() -> int:
        if named == RANDOM:
            return int(draw() * len(codes))
        bot = bots[code.module["SEATS"][state[PC]](state)]
        assert isinstance(bot, Preferring)
        weigh = bot.weighs.get(state[PC])
        left[get_ident()] = game.fuel
        return bot.best(weigh(state, bots.index(bot), codes) if weigh is not None else [0] * len(codes))

    codes: Any = code.run(state, context, code.START)
    while codes:
        answers.append(codes[place()])
        codes = code.step(state, context, answers[-1])
    return answers, state


def same_games(game: Game, seeds: Sequence[str], tally: Tally, named: str = RANDOM) -> None:
    c = InC(game, seeds, [named] * game.seats)
    answers = c.play()
    for number, seed in enumerate(seeds):
        row = c.rows[number * c.width : (number + 1) * c.width]
        assert row[STATUS] == PLAYED, f"C gives up on {seed}"
        expected, state = in_python(game, seed, named)
        assert answers[: row[DECISIONS]] == expected, seed
        assert row[FIRST_RANK + game.seats :].tolist() == [state[place] for place in c.places], seed
        del answers[: row[DECISIONS]]
        tally(games=1, decisions=row[DECISIONS])
    assert not answers


@every([*fewest(), *fullest()])
def test_whole_games_are_the_same_answer_by_answer(setting: Setting, tally: Tally) -> None:
    same_games(loaded(setting), [f"whole/{n}" for n in range(3 if setting.ruleset in HEAVY else 20)], tally)


@pytest.mark.soak
@every(list(dict.fromkeys([*plain(), *paired()])))
def test_so_they_are_in_every_setting(setting: Setting, tally: Tally) -> None:
    same_games(loaded(setting), [f"soak/{n}" for n in range(40 if setting.ruleset in HEAVY else 400)], tally)


@every([setting for setting in fewest() if setting.ruleset not in HEAVY])
def test_games_of_policies_are_the_same_answer_by_answer(setting: Setting, tally: Tally) -> None:
    for named in loaded(setting).program.policies:
        same_games(loaded(setting), [f"keen/{n}" for n in range(8)], tally, named)


@pytest.mark.soak
@every(list(dict.fromkeys([*plain(), *paired()])))
def test_so_are_those_of_policies_in_every_setting(setting: Setting, tally: Tally) -> None:
    for named in loaded(setting).program.policies:
        same_games(loaded(setting), [f"keen/{n}" for n in range(15 if setting.ruleset in HEAVY else 150)], tally, named)


@every(fewest())
def test_a_batch_says_what_each_table_would_say(setting: Setting) -> None:
    """Also among policies, and whoever sits beside whom: dice of seats that draw are their own."""
    game = loaded(setting)
    native.compile_game(game)
    own, heavy = list(game.program.policies)[:2], setting.ruleset in HEAVY
    among_others = [[name, *[RANDOM] * (game.seats - 1)] for name in own]
    for names in ([RANDOM] * game.seats, *(among_others if not heavy else ()), *([name] * game.seats for name in own)):
        seeds = [f"table/{n}" for n in range(1 if heavy else 3)]
        found = game.batch(seeds, names)
        assert found.in_python == 0, "C gives up"
        for number, seed in enumerate(seeds):
            table = play_out(game, seed, names)
            assert {seat + 1: found.scores[number, seat] for seat in range(game.seats)} == table.scores
            ranks = {seat: rank for rank, seats in enumerate(table.ranking, 1) for seat in seats}
            assert {seat + 1: found.ranks[number, seat] for seat in range(game.seats)} == ranks
            assert (found.ending(number), found.decisions[number]) == (table.ending, len(table.history))


@every([setting for setting in fewest() if setting.ruleset not in HEAVY])
def test_what_rules_record_is_kept_on_the_way(setting: Setting) -> None:
    """The same rows, whose turn it was included, as a table tells that is played once more with somebody listening."""
    game = loaded(setting)
    native.compile_game(game)
    if not re.search(r"^\s*record ", "".join(path.read_text() for path in game.folder.glob("**/*.rules")), re.MULTILINE):  # type: ignore[union-attr]
        pytest.skip("nothing is recorded")
    seeds, names = [f"records/{n}" for n in range(6)], [*list(game.program.policies)[:1], RANDOM]
    for name in names:
        found = game.batch(seeds, name, threads=2, records=True)
        assert found.in_python == 0, "C gives up"
        for number, seed in enumerate(seeds):
            assert found.records(number) == play_out(game, seed, [name] * game.seats).records
        assert any(found.recorded.values())


def test_what_cannot_be_recorded_is_left_out_and_what_is_too_much_is_refused(tmp_path: Path) -> None:
    """A value that cannot be worked out is no fault of a game that nobody listens to; who asks for the rows is told of too many."""
    (tmp_path / "game.yaml").write_text(GAME)
    sound, told = RULES.replace("won(my.tries)", "won(1)").replace("x * x", "x"), list[list[object]]()
    for line in ('record "odd" won(my.tries + 1) for me', 'repeat 60000 times: record "many" my.tries'):
        (tmp_path / "play.rules").write_text(sound.replace("nothing", f"\n            {line}"))
        for wanted in (False, True):
            found = ichiba.load(tmp_path, trust=True, native=wanted).batch(range(4), records=True)
            told.append([found.recorded, found.faults, found.decisions.tolist()])
    assert told[0] == told[1] and told[2] == told[3]
    assert told[0][0] and not told[0][1] and "records more than 100,000 rows" in str(told[2][1])


@pytest.mark.parametrize("threads", [2, 5])
def test_any_number_of_threads_comes_to_the_same(threads: int) -> None:
    game = ichiba.load("lantern_coast", seats=3, native=True)
    alone, shared = (game.batch(range(60), threads=n) for n in (1, threads))
    for what in ("scores", "ranks", "endings", "decisions"):
        assert getattr(alone, what).tolist() == getattr(shared, what).tolist(), what


def test_a_library_that_is_opened_again_leaves_others_alone() -> None:
    """Python knows all of them by one name."""
    games = [ichiba.load(name, native=True) for name in ("no_thanks", "oshi_zumo", "no_thanks", "oshi_zumo")]
    expected = {game.name: ichiba.load(game.name).batch(range(3)).scores.tolist() for game in games}
    for game in games:
        found = game.batch(range(3))
        assert (found.scores.tolist(), found.in_python) == (expected[game.name], 0)


def test_without_machine_code_a_batch_is_the_same() -> None:
    games = [ichiba.load("no_thanks", seats=3, native=wanted) for wanted in (False, True)]
    one, other = (game.batch([1, "two", "3/4"], "sensible") for game in games)
    assert (one.scores.tolist(), one.ranks.tolist()) == (other.scores.tolist(), other.ranks.tolist())
    assert one.table(1).log == other.table(1).log
    assert other.in_python == 0


def test_a_batch_is_told_apart_from_what_cannot_be_played() -> None:
    game = ichiba.load("no_thanks", seats=3)
    with pytest.raises(UnknownPolicy, match="did you mean `sensible`"):
        game.batch([1], "sensibel")
    with pytest.raises(ValueError, match="3 seats need 3 policies; 2 are given"):
        game.batch([1], ["random", "random"])
    assert len(game.batch([])) == 0


def test_what_rules_fail_at_is_told_by_python(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "play.rules").write_text(RULES.replace("won(my.tries)", "won(my.tries + 1)"))
    seeds = range(30)
    told = []
    for wanted in (False, True):
        found = ichiba.load(tmp_path, trust=True, native=wanted).batch(seeds, threads=2)
        told.append((found.faults, found.scores.tolist(), found.decisions.tolist(), [found.ending(n) for n in seeds]))
    assert told[0] == told[1]
    assert 0 < len(told[0][0]) < 30


def test_who_is_told_to_leave_off_plays_no_further() -> None:
    c = InC(ichiba.load("no_thanks", seats=3), range(10), stop=bytearray(b"\1"))
    assert c.play() == []
    assert set(c.rows[STATUS :: c.width]) == {NOT_PLAYED}


def test_ctrl_c_breaks_a_batch_off() -> None:
    """While the interpreter's lock is free, from a thread that waits for the first game."""
    c = InC(ichiba.load("no_thanks", seats=3), range(100_000))

    def press() -> None:
        while not c.rows[DECISIONS]:
            pass
        _thread.interrupt_main()

    waiting = threading.Thread(target=press)
    waiting.start()
    with pytest.raises(KeyboardInterrupt):
        c.play()
    waiting.join()
    assert NOT_PLAYED in set(c.rows[STATUS :: c.width])


@pytest.mark.parametrize("policies", [("random",) * 3, ("sensible", "random", "sensible")])
def test_rows_of_a_simulation_are_the_same_whoever_plays_and_on_how_many(
    policies: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "WORTH", 0)
    run = simulation.Run(Asked("lantern_coast", 3), policies, "rows \"é\" %d")  # a seed may be any text
    game = run.setting.load()
    alone = simulation.Games.none(1, 3)
    for number in range(1, 31):
        alone.add(simulation.play_one(game, run, number))
    for jobs in (1, 2):
        machine = simulation.Machine()
        assert together(simulation.play(run, run.setting.load(), range(1, 31), jobs, True, machine)) == alone
        assert machine.native
    assert together(simulation.play(run, game, range(1, 31), 1)) == alone


def together(played: Iterable[simulation.Games]) -> simulation.Games:
    """As if they had been played at once."""
    games = simulation.Games.none(1, 3)
    for some in played:
        games.extend(some)
    return games


def test_players_that_know_no_game_play_in_a_batch_without_more_being_imported() -> None:
    """The engine fetches them when they sit down."""
    words = "import ichiba; b = ichiba.load('oshi_zumo').batch([1, 2], ['greedy', 'searcher:4']); print(len(b), b.faults)"
    told = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=False)
    assert (told.stdout, told.stderr, told.returncode) == ("2 {}\n", "", 0)


SETS = """\
seat:
    purse cash: coin start 9

table:
    purse bank: coin, unlimited

play:
    for each s in seats:
        as s:
            menu actions:
                option all: pay_all(seats, $2)
                option less: pay_all(seats, $1)

procedure pay_all(who: set of seat, much: coin):
    if me in who: gain $1 from bank
    for each s in who: s gains much from bank

scoring:
    score for each seat: score "Cash" my.cash

ranking: highest total else shared
"""


def test_a_fixed_set_of_three_is_handed_over_in_machine_code(tmp_path: Path) -> None:
    """Worked out beforehand it is a number that is too large for any other."""
    (tmp_path / "game.yaml").write_text(GAME.split("tables:")[0])
    (tmp_path / "play.rules").write_text(SETS)
    one, other = (ichiba.load(tmp_path, 3, trust=True, native=wanted).batch(range(6)) for wanted in (False, True))
    assert other.in_python == 0, "C gives up"
    assert one.scores.tolist() == other.scores.tolist()
