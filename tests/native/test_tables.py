"""Many tables stepped at once are so many tables: in Python and in machine code, also where rules fail, copied, and begun anew."""

from __future__ import annotations

import shutil
from array import array
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ichiba
from ichiba.interpreter.batch.tables import NOT_OVER, Tables
from ichiba.interpreter.native import compiler as native
from ichiba.interpreter.run.decisions import IllegalMove
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.run.table import Table
from ichiba.interpreter.sight.columns import columns_of
from tests.native.conftest import GAME, RULES
from tests.native.test_machine_code import fewest
from tests.properties.tables import HEAVY, Setting, every, loaded, paired, plain

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def stands_as(tables: Tables, at: int, table: Table) -> None:
    """All that is told of one table is what the table itself says."""
    seats = range(table.game.seats)
    site = table.site if table.fault is None else None
    assert tables.many[at] == (len(table.legal()) if site is not None else 0)
    assert tables.questions[at] == (-1 if site is None else site.number)
    assert tables.decisions[at] == len(table.history)
    assert [tables.scores[at, seat] for seat in seats] == list(table.scores.values())
    places = {seat: rank for rank, tied in enumerate(table.ranking, 1) for seat in tied}
    assert [tables.ranks[at, seat] for seat in seats] == [places[seat + 1] for seat in seats]
    if site is None:
        assert tables.seats[at] == -1 and tables.keys(at) == []
        number = tables.endings[at]
        assert number == NOT_OVER if table.fault else table.game.ending_of(number) == table.ending
    else:
        assert tables.endings[at] == NOT_OVER
        decision = table.decision
        assert decision is not None and (site.secret is not None or tables.seats[at] == decision.seat_index)
        assert tables.keys(at) == decision.keys()


def rows(tables: Tables, seat: int | None = None) -> list[list[int]]:
    found: Any = tables.observe(seat).tolist()
    return list(found)


def in_lock_step(game: Game, seeds: list[str], steps: int) -> tuple[Tables, list[Table]]:
    """Tables among random answers, each looked at after some of them."""
    tables, alone, random = game.tables(seeds), [game.start(seed) for seed in seeds], Random("answers")
    columns = columns_of(game)
    for number in range(steps):
        places = [random.randrange(many) if many else 0 for many in tables.many]
        tables.step(places)
        for place, table in zip(places, alone, strict=True):
            if table.legal():
                table.step(place)
        at = number % len(seeds)
        stands_as(tables, at, alone[at])
        eye = tables.seats[at] if tables.seats[at] >= 0 else game.seats
        assert rows(tables)[at] == columns.of(list(alone[at].state), eye)
        if not any(tables.many):
            break
    for at, table in enumerate(alone):
        stands_as(tables, at, table)
        assert tables.table(at).key() == table.key()
    return tables, alone


@every([setting for setting in fewest() if setting.ruleset not in HEAVY])
def test_each_goes_as_if_it_were_alone(setting: Setting) -> None:
    game = loaded(setting)
    native.compile_game(game)
    in_lock_step(game, ["a", "told 0000000a7fffffff rest", "c"], 60)


@pytest.mark.soak
@every(list(dict.fromkeys([*plain(), *paired()])))
def test_so_it_does_in_every_setting(setting: Setting) -> None:
    game = loaded(setting)
    native.compile_game(game)
    in_lock_step(game, [f"soak/{n}" for n in range(8)], 3000)


@pytest.mark.parametrize("ruleset", ["leduc_poker", "lantern_coast", "no_thanks"])
def test_so_it_does_without_machine_code(ruleset: str) -> None:
    in_lock_step(ichiba.load(ruleset), ["a", "told 0000000a7fffffff rest", "c"], 400)


@every([setting for setting in fewest() if setting.ruleset not in HEAVY])
def test_what_is_observed_is_the_same_at_any_table_one_could_be_sitting_at(setting: Setting) -> None:
    """Of what a seat cannot know nothing shows: with other hidden cards, other secret answers, its columns are the same."""
    game, random = loaded(setting), Random(str(setting))
    for seed in range(3):
        table = game.start(seed)
        for _ in range(random.randrange(30)):
            if table.over:
                break
            table.play(random.randrange(len(table.legal())))
        for seat in range(1, game.seats + 1):
            tables = game.tables([table, *(table.imagine(seat, n) for n in range(3))])
            seen = rows(tables, seat - 1)
            assert all(row == seen[0] for row in seen), seat


def test_what_is_open_is_observed_and_what_is_hidden_is_blank() -> None:
    table = ichiba.load("leduc_poker").start(2)
    tables = table.game.tables([table])
    hands = {name: at for at, name in enumerate(tables.columns) if name.startswith("seat.hand/")}
    own, other = ([tables.observe(0)[0, at] for name, at in hands.items() if f"/{seat}/" in name] for seat in (1, 2))
    assert sum(own) == sum(other) == 1
    assert own == [table.ask(f"count of {name.rsplit('/', 1)[1]} in hand of seat(1)") for name in hands if "/1/" in name]
    assert other[0] == 1, "that there is a card, and not which"
    assert [tables.observe(-1)[0, at] for at in hands.values()] == [1, 0, 0] * 2 or len(own) != 3


@pytest.fixture(scope="module", params=[False, True], ids=["python", "machine code"])
def game(request: pytest.FixtureRequest) -> Game:
    return ichiba.load("lantern_coast", seats=3, native=request.param)


def played(tables: Tables, steps: int, seed: str = "on") -> Tables:
    random = Random(seed)
    for _ in range(steps):
        tables.step([random.randrange(many) if many else -1 for many in tables.many])
    return tables


def test_copies_go_their_own_way(game: Game) -> None:
    tables = played(game.tables(["a", "b", "c"]), 30)
    before = [tables.table(at).key() for at in range(3)]
    copies = tables.copy([2, 2, 0])
    played(copies, 20)
    assert [tables.table(at).key() for at in range(3)] == before
    assert [tables.table(at).key() for at in range(3)] == [played(game.tables(["a", "b", "c"]), 30).table(at).key() for at in range(3)]
    assert copies.table(0).seed == "c" and copies.table(2).seed == "a"
    again = played(tables.copy(), 20)
    assert played(tables, 20).observe().tolist() == again.observe().tolist()


def test_a_table_that_stays_stays(game: Game) -> None:
    tables = played(game.tables(["a", "b"]), 10)
    key, decisions = tables.table(0).key(), tables.decisions.tolist()
    tables.step([-1, 0])
    assert tables.table(0).key() == key and tables.decisions.tolist() == [decisions[0], decisions[1] + 1]


def test_begun_anew_they_are_what_fresh_ones_are(game: Game) -> None:
    tables, fresh = played(game.tables(["a", "b", "c"]), 40), game.tables(["x", "b", "y"])
    tables.reset([2, 0], ["y", "x"])
    for at in (0, 2):
        assert tables.table(at).key() == fresh.table(at).key()
        assert (tables.decisions[at], tables.many[at]) == (0, fresh.many[at])
    tables.reset()
    assert tables.decisions.tolist() == [0, 0, 0] and len({tables.table(at).seed for at in range(3)}) == 3


def test_rekeyed_they_go_as_a_rekeyed_table_does(game: Game) -> None:
    tables = played(game.tables(["a"]), 25).copy([0, 0])
    tables.rekey([1, 2])
    alone = [tables.table(at) for at in range(2)]
    assert alone[0].seed != alone[1].seed and alone[0].state == alone[1].state
    for _ in range(60):
        places = [0 if many else -1 for many in tables.many]
        tables.step(places)
        for table in alone:
            if table.legal():
                table.step(0)
    for at, table in enumerate(alone):
        stands_as(tables, at, played_on(table, tables.decisions[at]))
        assert tables.table(at).state == table.state


def played_on(table: Table, decisions: int) -> Table:
    assert len(table.history) == decisions
    return table


def test_they_begin_where_other_tables_stand(game: Game) -> None:
    table = game.start("a")
    while len(table.history) < 20:
        table.step(0)
    imagined = table.imagine(1, "other")
    tables = played(game.tables([table, "a", imagined]), 15)
    assert len(table.history) == 20
    random = Random("on")
    one, other, third = table, game.start("a"), imagined
    for _ in range(15):
        for each in (one, other, third):
            each.step(random.randrange(len(each.legal())))
    assert [tables.table(at).key() for at in range(3)] == [one.key(), other.key(), third.key()]


def test_rules_that_fail_stop_their_own_table_alone(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "play.rules").write_text(RULES.replace("won(my.tries)", "won(my.tries + 1)"))
    told = []
    for wanted in (False, True):
        game = ichiba.load(tmp_path, trust=True, native=wanted)
        tables = played(game.tables([f"s{n}" for n in range(30)]), 60)
        told.append((tables.faults, tables.decisions.tolist(), tables.scores.tolist(), tables.endings.tolist()))
        assert [at for at in range(30) if not tables.many[at] and tables.endings[at] == NOT_OVER] == sorted(tables.faults)
        copied = tables.copy([*tables.faults][:1])
        assert list(copied.faults.values()) == list(tables.faults.values())[:1]
        copied.reset()
        assert not copied.faults and copied.many[0]
    assert told[0] == told[1] and 0 < len(told[0][0]) < 30


def test_any_number_of_threads_comes_to_the_same(game: Game) -> None:
    alone, shared = (played(game.tables(range(200), threads), 12).observe().tobytes() for threads in (1, 3))
    assert alone == shared


def test_arrays_are_the_same_all_along_and_nobody_writes_there(game: Game) -> None:
    tables = game.tables(range(4))
    many, decisions = tables.many, tables.decisions
    tables.step(array("q", [0] * 4))
    assert decisions.tolist() == [1] * 4 and many is tables.many and many.format == "q"
    for view in (tables.seats, tables.questions, many, decisions, tables.scores, tables.endings):
        with pytest.raises(TypeError):
            view[0] = 5
    assert tables.observe().shape == (4, len(tables.columns))


def test_what_is_told_is_told_apart_from_what_cannot_be_done(game: Game) -> None:
    tables = game.tables(["a", "b"])
    with pytest.raises(IllegalMove, match=r"table 1: there are \d+ options; 4000 is none of them"):
        tables.step([0, 4000])
    assert tables.decisions.tolist() == [0, 0], "the first is not moved either"
    with pytest.raises(IllegalMove, match="table 0"):
        tables.step([-2, 0])
    for few in ([0], [0, 0, 0], array("q", [0] * 5)):
        with pytest.raises(ValueError, match="2 tables take so many answers"):
            tables.step(few)
    none: list[Any] = [["a", "b"], [0.5, 1], [None, 0]]
    for wrong in none:
        with pytest.raises(TypeError):
            tables.step(wrong)
    with pytest.raises(OverflowError):
        tables.step([2**70, 0])
    for at in (2, -1, True, "0"):
        with pytest.raises(IndexError, match="there are tables 0 to 1"):
            tables.table(at)  # type: ignore[arg-type]
    for which in ([2], [-1]):
        with pytest.raises(IndexError):
            tables.copy(which)
    with pytest.raises(ValueError, match="named twice"):
        tables.reset([0, 0], [1, 2])
    for seeds in ([1], [1, 2, 3]):
        with pytest.raises(ValueError, match="2 tables"):
            tables.reset(None, seeds)
        with pytest.raises(ValueError, match="2 tables"):
            tables.rekey(seeds)
    for seed in (None, True, 1.5, b"a"):
        with pytest.raises(ValueError, match="a seed is a number or a text"):
            game.tables([seed])  # type: ignore[list-item]
    for begun in (-1, True):
        with pytest.raises(ValueError, match="tables are a whole number"):
            game.tables(begun)
    for threads in (0, True, 1.5):
        with pytest.raises(ValueError, match="threads are a whole number"):
            game.tables(2, threads)  # type: ignore[arg-type]
    for seat in (3, -2):
        with pytest.raises(ValueError, match="there are seats 0 to 2"):
            tables.observe(seat)
    with pytest.raises(ValueError, match="another game"):
        game.tables([ichiba.load("no_thanks").start(1)])
    assert len(game.tables(0)) == 0 and game.tables(0).observe().tolist() == [] and not any(game.tables([]).many)
    tables.step(memoryview(array("l", [0, 0])))
    assert tables.decisions.tolist() == [1, 1]
