"""A game in machine code is the game in Python, number for number: also where it fails, and where it is disturbed."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.native import compiler as native
from ichiba.interpreter.run.code import Code
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.runtime.runtime import RuleFault, Unmet
from ichiba.interpreter.to_c.known.program import ONLY_PYTHON, Program
from tests.conftest import Tally
from tests.native.conftest import GAME
from tests.properties.tables import HEAVY, Setting, box_of, every, few, loaded, paired, plain

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def fewest() -> list[Setting]:
    """Every ruleset for as few as can play."""
    found = []
    for ruleset in rulesets():
        box = box_of(ruleset)
        found.append(Setting(ruleset, box.seats[0] if box else 0))
    return found


def fullest() -> list[Setting]:
    """Of those with most to switch on, one with something switched on."""
    return [few(ruleset)[0] for ruleset in HEAVY]


def in_python(game: Game) -> Code:
    found = game.worked_out.in_python
    assert found is not None
    return found


def misses(game: Game) -> Callable[[], int]:
    """What C has left to Python."""
    assert game.worked_out.in_c is not None
    left: Callable[[], int] = game.worked_out.in_c.misses
    return left


class Both:
    """One game, played in Python and in C."""

    def __init__(self, game: Game, seed: int):
        native.compile_game(game)
        self.python, self.c = in_python(game), game.code
        self.context = ichiba.Table(game, seed).context
        self.one, self.other = game.first[:], game.first[:]
        self.random = Random(seed)
        self.codes = self.answers(self.python.run, self.one, self.python.START)
        self.same(self.answers(self.c.run, self.other, self.c.START), "the start")

    def answers(self, play: object, state: list[int], code: int) -> list[int]:
        return list(play(state, self.context, code))  # type: ignore[operator]

    def same(self, codes: list[int], after: str) -> None:
        assert codes == self.codes, f"other options after {after}"
        assert self.other == self.one, f"another state after {after}: {differ(self.one, self.other)}"

    def step(self, number: int) -> None:
        """Each plays on from where the other stands."""
        code = self.random.choice(self.codes)
        self.one, self.other = self.other[:], self.one[:]
        self.codes = self.answers(self.python.step, self.one, code)
        self.same(self.answers(self.c.step, self.other, code), f"decision {number}, {code}")

    def play(self, most: int) -> int:
        number = 0
        while self.codes and number < most:
            number += 1
            self.step(number)
            site = self.one[0]
            if site >= 0:
                for name in ("EXISTS", "SEATS", "OPTIONS"):
                    mine, theirs = (code.module[name][site](self.one) for code in (self.python, self.c))
                    assert (list(mine) == list(theirs)) if name == "OPTIONS" else (mine == theirs), f"{name} {number}"
        return number


def differ(one: list[int], other: list[int]) -> list[tuple[int, int, int]]:
    return [(at, a, b) for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b][:5]


@every([*fewest(), *fullest()])
def test_every_ruleset_is_the_same_in_machine_code(setting: Setting, tally: Tally) -> None:
    """And nothing on the way was left to Python."""
    native.compile_game(loaded(setting))
    left = misses(loaded(setting))
    before = left()
    for seed in range(4 if setting.ruleset in HEAVY else 40):
        tally(games=1, decisions=Both(loaded(setting), seed).play(1500))
    assert left() == before


@pytest.mark.soak
@every(list(dict.fromkeys([*plain(), *paired()])))
def test_so_is_every_setting(setting: Setting, tally: Tally) -> None:
    for seed in range(20 if setting.ruleset in HEAVY else 200):
        tally(games=1, decisions=Both(loaded(setting), seed).play(10**9))


@every([setting for ruleset in rulesets() for setting in few(ruleset)])
def test_nothing_stays_in_python_but_what_only_python_needs(setting: Setting) -> None:
    program = native.program(loaded(setting))
    native.source(program)
    stays = {name: function.why for name, function in program.functions.items() if function.why}
    assert set(stays) == set(ONLY_PYTHON), stays


@every(fewest())
def test_a_broken_state_comes_to_the_same_end(setting: Setting, tally: Tally) -> None:
    """What no rules lead to: C finds every place it must not touch, and leaves the rest to Python."""
    for seed in range(1 if setting.ruleset in HEAVY else 4):
        both = Both(loaded(setting), seed)
        for number in range(40):
            if not both.codes:
                break
            broken = both.one[:]
            for _ in range(both.random.choice([1, 1, 3])):
                broken[both.random.randrange(2, len(broken))] = both.random.choice([0, 1, 2, 7, 30, 300, 100_020])
            code = both.random.choice([*both.codes, 5, 10**6])
            ends = [ending(module, broken[:], both.context, code) for module in (both.python, both.c)]
            assert ends[0] == ends[1]
            tally(broken_states=1)
            both.step(number)


def ending(module: Code, state: list[int], context: object, code: int) -> object:
    try:
        return list(module.step(state, context, code)), state
    except Exception as fault:
        return type(fault), str(fault)


@every([s for s in fewest() if s.ruleset not in HEAVY])
def test_a_table_in_machine_code_saves_copies_and_undoes(setting: Setting, tmp_path: Path) -> None:
    game = loaded(setting)
    native.compile_game(game)
    table = game.start(seed=5)
    random = Random(5)
    while not table.over:
        copy = table.copy()
        table.step(random.randrange(len(table.codes)))
        if random.random() < 0.1:
            assert copy.state != table.state or copy.codes != table.codes
            table.save(tmp_path / "saved.json")
            assert ichiba.resume(tmp_path / "saved.json").state == table.state
            table.undo()
            assert table.state == copy.state
            table.step(random.randrange(len(table.codes)))
    again = ichiba.load(setting.ruleset, seats=setting.seats, options=dict(setting.options)).start(seed=5)
    for _, code in table.history:
        again.step(list(again.codes).index(code))
    assert (again.log, again.scores, again.ranking) == (table.log, table.scores, table.ranking)


def test_several_threads_may_play_at_once() -> None:
    game = ichiba.load("tsukiji", seats=3, native=True)
    assert game.native

    def play(seed: int) -> dict[int, int]:
        random = Random(seed)
        return game.playout(seed, lambda table: random.randrange(len(table.codes))).scores

    alone = [play(seed) for seed in range(40)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(play, range(40))) == alone
    finally:
        sys.setswitchinterval(before)


@pytest.mark.parametrize("ruleset", ["tsukiji", "shinjuku"])
def test_nothing_is_held_on_to(ruleset: str) -> None:
    game = ichiba.load(ruleset, native=True)

    def play(seed: int) -> None:
        random = Random(seed)
        game.playout(seed, lambda table: random.randrange(len(table.codes)))

    def held() -> tuple[int, int]:
        return sys.getallocatedblocks(), sys.getrefcount(77)

    for seed in range(3):
        play(seed)
    before = held()
    for seed in range(30):
        play(seed % 3)
    blocks, references = (now - then for now, then in zip(held(), before, strict=True))
    assert abs(blocks) < 500 and abs(references) < 500


# By what it is: something in the C, what it is changed to, and a game that notices.
PLANTS = {
    "the larger of two": ("return b > a ? b : a;", "return a;", "tsukiji"),
    "the smaller of two": ("return b < a ? b : a;", "return b;", "tsukiji"),
    "in order": ("one[d] < other[d]", "one[d] > other[d]", "tsukiji"),
    "a draw": ("if (r < (passed += k->s[c])) return c;", "if (r <= (passed += k->s[c])) return c;", "no_thanks"),
    "a draw from few places": ("c += r >= passed", "c += r > passed", "tsukiji"),
    "a list in one number": ("(packed & MASK) - 2", "(packed & MASK) - 1", "shinjuku"),
    "the best of them": ("if (keys[i] == top)", "if (keys[i] <= top)", "goofspiel"),
    "what is in a list": ("if (l.p[i] == value) return 1;", "if (l.p[i] == value) return 0;", "shinjuku"),
    "a sum": ("for (I i = low; i < high; i++) sum", "for (I i = low + 1; i < high; i++) sum", "no_thanks"),
    "places that are copied": ("memmove(k->s + low, k->s + from,", "memmove(k->s + low, k->s + from + (n > 1),", "tsukiji"),
    "places that are all alike": ("k->s[low + i] = near(k, value);", "k->s[low + i / 2] = near(k, value);", "tsukiji"),
    "words of chance": ("chance->word[at & 15]", "chance->word[at + 1 & 15]", "tsukiji"),
    "what is left over": ("I r = a % b;", "I r = a % b ? b - a % b : 0;", "tsukiji"),
    "a shuffle": ("made.p[i] = made.p[j], made.p[j] = kept;", "made.p[i] = made.p[j];", "tsukiji"),
    "what is drawn": ("set_place(k, low + c, k->s[low + c] - 1);", "set_place(k, low + c, k->s[low + c]);", "no_thanks"),
    "a place before those that pack": ("? k->s[there] : rd_far(k, there)", "? k->s[there] + 1 : rd_far(k, there)", "tsukiji"),
    "what lies in a wide zone": ("there[i + 2] != 0", "there[i + 1] != 0", "tsukiji"),
    "a round of dice": ("four(w + far) ^ twisted", "four(w + i) ^ twisted", "goofspiel"),
    "dice side by side": ("j[d] + 1 < n[d] ? j[d] + 1 : 0", "j[d] + 1", "goofspiel"),
}
QUICK = ("the larger of two", "a draw", "the best of them")


def planted(what: str, monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    """The comparison above finds what is wrong in the C."""
    right, wrong, ruleset = PLANTS[what]
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    written = native.source

    def source(program: Program) -> str:
        text = written(program)
        assert right in text
        return text.replace(right, wrong)

    monkeypatch.setattr(native, "source", source)
    game = ichiba.load(ruleset, seats=4)
    with pytest.raises(AssertionError, match="after"):
        for seed in range(20):
            Both(game, seed).play(1000)
        whole_games_are_the_same(game)
    tally(kills=1)


def whole_games_are_the_same(game: Game) -> None:
    """Those played without Python end as those do that dice of Python's have answered for."""
    batch = game.batch(range(8))
    for seed in range(8):
        table, random = game.start(seed), Random(f"{seed}/bots").random
        while codes := table.legal():
            table.step(int(random() * len(codes)))
        assert {seat: batch.scores[seed, seat - 1] for seat in table.scores} == table.scores, f"other scores after game {seed}"


@pytest.mark.parametrize("what", QUICK)
def test_an_error_in_the_c_is_noticed(what: str, monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    planted(what, monkeypatch, tally)


@pytest.mark.soak
@pytest.mark.parametrize("what", [what for what in PLANTS if what not in QUICK])
def test_any_error_in_the_c_is_noticed(what: str, monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    planted(what, monkeypatch, tally)


# ------------------------------------------------------------------------------------ what rules cannot do

@pytest.mark.parametrize("answers", [["look"] * 6, ["look", "rest", "look", "rest", "grow"]])
def test_a_fault_of_the_rules_is_told_as_python_tells_it(odd: Path, answers: list[str]) -> None:
    said = []
    for wanted in (False, True):
        table = ichiba.load(odd, trust=True, native=wanted).start(1)
        assert table.game.native == wanted
        before: list[int] = []
        with pytest.raises(RuleFault) as caught:
            for answer in answers:
                before = table.state[:]
                table.play(answer)
        assert table.state == before
        said.append((str(caught.value), table.log))
    assert said[0] == said[1]


def test_a_requirement_that_does_not_hold_is_named_as_in_python(odd: Path) -> None:
    """As dry runs need it: C says so itself, without a second look by Python."""
    game = ichiba.load(odd, trust=True, native=True)
    table = game.start(1)
    assert [option.key for option in table.decision.options] == ["look", "grow", "rest"]  # type: ignore[union-attr]
    ends = []
    for code in (in_python(game), game.code):
        with pytest.raises(Unmet) as caught:
            code.step(table.state[:], table.context, 3)
        ends.append(caught.value.number)
    assert ends[0] == ends[1]


DEEP = """\
kind stall is thing:
    counter left: 0 .. 9

seat:
    counter found: 0 .. 99

play:
    for each st in stalls: set st.left to refill(position of st, 2, 1)
    repeat 3 times: round

procedure round:
    raise days by 1
    take one turn each from seat(1): turn

procedure turn:
    menu actions:
        option take "Take at {st}" for st in stalls, n in 1 .. 2:
            raise my.found by refill(position of st, count of seats, n) + far(max(1, days), n, position of st, 3 - n)
        option ask for st in stalls when first_of_all(2) = 5: raise my.found by 1
        option stop: nothing

value first_of_all(n: number): refill(1, n, 1)

table:
    counter days: 0 .. 3

scoring:
    score for each seat: score "Found" my.found

ranking: highest total else shared
"""
DEEP_TABLES = """\
tables:
  refill: {index: [number, seats, number], values: {1: {2: [4, 5], 3: [5, 6]}, 2: {2: [1, 0], 3: [7, 8]}, 4: {2: [1, 1]}}}
  far: {index: [number, number, number, number], values: [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]],
        [[[1, 1], [2, 2]], [[3, 3], [4, 4]]], [[[9, 8], [7, 6]], [[5, 4], [3, 2]]]]}
things: {stall: {count: 2}}
"""


def test_a_table_may_have_as_many_indexes_as_it_likes(tmp_path: Path, tally: Tally) -> None:
    (tmp_path / "game.yaml").write_text(GAME.replace('tables: {prize: {index: number, values: [2, 3]}}\n', DEEP_TABLES))
    (tmp_path / "play.rules").write_text(DEEP)
    game = ichiba.load(tmp_path, 2, trust=True, native=True)
    left = misses(game)
    for seed in range(20):
        tally(games=1, decisions=Both(game, seed).play(100))
    assert left() == 0
    program = native.program(game)
    native.source(program)
    assert {name for name, function in program.functions.items() if function.why} == set(ONLY_PYTHON)


# -------------------------------------------------------------------------------------- where there is none


STAGES = [
    "ichiba.interpreter.native.compiler.program_of",
    "ichiba.interpreter.native.compiler.infer",
    "ichiba.interpreter.to_c.known.inference.kind_of",
    "ichiba.interpreter.to_c.known.scope.Scope.number",
    "ichiba.interpreter.to_c.known.scope.Scope.truth",
    "ichiba.interpreter.to_c.known.scope.Scope.listed",
    "ichiba.interpreter.to_c.module.block",
    "ichiba.interpreter.to_c.tables.table",
    "ichiba.interpreter.to_c.tables.switch",
    "ichiba.interpreter.to_c.module._door",
    "ichiba.interpreter.native.compiler.compiled",
    "ichiba.interpreter.native.compiler._opened",
    "ichiba.interpreter.native.compiler.disk_cache.keep_library",
]


@pytest.mark.parametrize("stage", STAGES)
def test_whatever_stumbles_while_it_is_made_the_game_goes_on_in_python(
    stage: str, odd: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(*given: object, **more: object) -> object:
        raise TypeError("object of type 'NoneType' has no len()")

    monkeypatch.setenv("ICHIBA_CACHE", "off")
    monkeypatch.setattr(stage, stumble)
    game = ichiba.load(odd, trust=True, native=True)
    assert not game.native
    (line,) = caplog.messages
    assert line == "odd is played in Python: making it failed, TypeError: object of type 'NoneType' has no len()"
    table = game.start(1)
    while table.codes:
        table.play("rest")
    assert table.over


def test_without_a_compiler_all_is_as_before(odd: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CC", "no_such_compiler")
    game = ichiba.load(odd, trust=True, native=True)
    assert not game.native
    with pytest.raises(native.NoMachineCode, match="there is no C compiler"):
        native.compile_game(game)
    assert game.start(1).decision is not None


def test_a_compiler_that_fails_is_quoted(odd: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CC", "false")
    with pytest.raises(native.NoMachineCode, match="the C compiler says: 1"):
        native.compile_game(ichiba.load(odd, trust=True))


def test_what_cannot_be_loaded_is_no_machine_code(
    odd: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As where files of programs may not lie in the folder for what is passing."""
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    monkeypatch.setattr(native, "compiled", lambda text, made: (made.write_text("no library"), made)[1])
    game = ichiba.load(odd, trust=True)
    with pytest.raises(native.NoMachineCode, match="what was made cannot be loaded"):
        native.compile_game(game)
    assert not game.native


def test_it_is_made_once_and_again_if_the_file_is_damaged(
    odd: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))
    first = ichiba.load(odd, trust=True)
    dear = native.seconds(first)
    native.compile_game(first)
    (made,) = (tmp_path / "cache").glob("*.so")
    whole = made.read_bytes()
    assert native.seconds(ichiba.load(odd, trust=True)) < 1 <= dear
    made.unlink()  # the first one is open
    made.write_bytes(whole[: len(whole) // 2])
    assert native.seconds(ichiba.load(odd, trust=True)) >= 1
    assert ichiba.load(odd, trust=True, native=True).native
    (again,) = (tmp_path / "cache").glob("*.so")
    assert len(again.read_bytes()) == len(whole)


def test_nothing_need_be_kept(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    assert ichiba.load(odd, trust=True, native=True).native


def test_questions_and_views_are_answered_as_in_python() -> None:
    tables = [ichiba.load("no_thanks", seats=3, native=wanted).start(seed=3) for wanted in (False, True)]
    for table in tables:
        for place in (0, 1, 0, 0, 1):
            table.step(place)
    one, other = tables
    for expression in ("chips of seat(1)", "pot", "points(seat(2))"):
        assert one.ask(expression) == other.ask(expression)
    assert one.view(2) == other.view(2)
    assert one.why_not("gain") == other.why_not("gain")
    assert [o.label for o in one.decision.options] == [o.label for o in other.decision.options]  # type: ignore[union-attr]


# --- the compiler is limited, too


def limits_of_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> str:
    """What is said of a compiler that does this."""
    script = tmp_path / "cc"
    script.write_text(f"#!/bin/sh\n{does}\n")
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    with pytest.raises(native.NoMachineCode) as caught:
        native.compiled("int x;", tmp_path / "made.so")
    return str(caught.value)


def test_the_compiler_has_limits_on_time_memory_and_what_it_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = limits_of_a_compiler(tmp_path, monkeypatch, "echo $(ulimit -t) $(ulimit -v) $(ulimit -c) >&2; exit 1")
    assert said == f"the C compiler says: {native.SECONDS} {native.MEMORY >> 10} 0"
    assert native.PATIENCE == 20 * native.SECONDS


def test_what_it_writes_without_end_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "_LIMITED", native._LIMITED.replace(f"ulimit -f {native.LARGEST >> 9}", "ulimit -f 8"))
    assert "the C compiler was ended" in limits_of_a_compiler(tmp_path, monkeypatch, f"head -c 1000000 /dev/zero > {tmp_path}/large")
    assert (tmp_path / "large").stat().st_size < 10_000


def test_very_much_c_is_not_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(native, "MOST_TEXT", 3)
    with pytest.raises(native.NoMachineCode, match="MB of C"):
        native.compiled("int x;", tmp_path / "made.so")


HARD = {  # what a compiler does, which of its limits is lowered to what, and what is said of it
    "it spins": ("while :; do :; done", ("-t", native.SECONDS, 1), "was ended, perhaps at its limits"),
    "what it begins spins": ("(while :; do :; done)\nexit 1", ("-t", native.SECONDS, 1), "the C compiler"),
    "it eats memory": (f'exec {sys.executable} -c "bytes(2 ** 31)"', ("-v", native.MEMORY >> 10, 2**19), "MemoryError"),
}


@pytest.mark.parametrize("does", HARD)
def test_a_compiler_at_its_limits_is_ended_and_the_game_goes_on_in_python(
    does: str, odd: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The limits are lowered; the way there is the usual one."""
    work, (letter, usual, lowered), why = HARD[does]
    cache, passing = tmp_path / "cache", tmp_path / "passing"
    passing.mkdir()
    script = tmp_path / "cc"
    script.write_text(f"#!/bin/sh\necho $PPID > {tmp_path}/session\n{work}\n")
    script.chmod(0o755)
    game = ichiba.load(odd, trust=True)
    assert f"ulimit {letter} {usual}" in native._LIMITED
    monkeypatch.setattr(native, "_LIMITED", native._LIMITED.replace(f"ulimit {letter} {usual}", f"ulimit {letter} {lowered}"))
    monkeypatch.setattr(tempfile, "tempdir", str(passing))
    monkeypatch.setenv("ICHIBA_CACHE", str(cache))
    monkeypatch.setenv("CC", str(script))
    assert not native.compile_if_possible(game) and not game.native
    (line,) = caplog.messages
    assert line.startswith("odd is played in Python: the C compiler") and why in line and "\n" not in line
    assert not list(cache.glob("*")) and not list(passing.iterdir()), "something is left behind"
    assert processes_of(int((tmp_path / "session").read_text())) == []
    table = game.start(1)
    while table.codes:
        table.play("rest")
    assert table.over


def processes_of(session: int) -> list[str]:
    """The processes of a session that still run, where the system tells of them. Whoever starts the compiler leads it."""
    states = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            states[place.parent.name] = place.read_text().rpartition(")")[2].split()
    return [process for process, (state, _, _, its, *_) in states.items() if int(its) == session and state != "Z"]
