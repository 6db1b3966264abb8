"""Claims about what is told to whom, and when: a seat is asked for by its number, numbers do not count what is hidden, the
seed is told when the game is over, and no hand stays on the screen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ichiba as engine
from ichiba.interpreter.run.table import new_seed
from tests.table.door import ichiba
from tests.table.orchard import FILES, write
from tests.table.test_play import GAME, Terminal

# --- a seat is asked for by its number

CALLS: dict[str, Callable[[engine.Table, object], object]] = {
    "view": lambda table, seat: table.view(seat),  # type: ignore[arg-type]
    "imagine": lambda table, seat: table.imagine(seat),  # type: ignore[arg-type]
    "take_back": lambda table, seat: table.take_back(seat),  # type: ignore[arg-type]
    "play": lambda table, seat: table.play(0, seat),  # type: ignore[arg-type]
    "why_not": lambda table, seat: table.why_not("card/1", seat),  # type: ignore[arg-type]
}


def refusal(call: Callable[[engine.Table, object], object], seat: object) -> str:
    """What is said of a seat at a table at which two answer in secret; it stays as it was."""
    table = engine.load("goofspiel", 2).start(3)
    before = table.state[:], table.history[:]
    try:
        said = call(table, seat)
    except (TypeError, ValueError, engine.IllegalMove) as fault:
        said = str(fault)
    assert (table.state, table.history) == before
    assert isinstance(said, str)
    return said


@pytest.mark.parametrize("seat", [True, False, 1.0, "1", b"1", (1,), 1j], ids=repr)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_only_equals_a_number_is_no_seat(call: Callable[[engine.Table, object], object], seat: object) -> None:
    said = refusal(call, seat)
    assert said.startswith("a seat is a whole number from 1") and said.endswith(f"not {seat!r}")


@pytest.mark.parametrize("seat", [0, 3, -1, 2**70])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_seat_that_is_not_there_is_told(call: Callable[[engine.Table, object], object], seat: object) -> None:
    assert str(seat) in refusal(call, seat)


def test_faults_of_names_and_files_are_public() -> None:
    with pytest.raises(engine.UnknownRuleset):
        engine.load("nowhere_at_all")
    with pytest.raises(engine.SaveFault):
        engine.resume("nowhere_at_all.json")


# --- numbers do not count what is hidden


@pytest.fixture
def half(orchard: Path, tmp_path: Path) -> Path:
    """A game in the middle: others have bid and bought out of sight."""
    path = tmp_path / "half.json"
    ichiba("play", orchard, "--seats", "3", "--seed", "7", typed=f"12\n2\n7\ns {path}\n")
    return path


def numbers(said: str) -> list[int]:
    return [int(number) for number in re.findall(r"^ {0,3}(\d+)  ", said, re.MULTILINE)]


@pytest.mark.parametrize("words", [(), ("--seat", "1"), ("--seat", "2"), ("--seat", "3")])
def test_a_replay_counts_only_what_that_seat_knows(words: tuple[str, ...], half: Path) -> None:
    table = engine.resume(half)
    known = table.view(int(words[1]) if words else None)["log"]
    assert isinstance(known, list) and len(known) < len(table.log)
    walked = ichiba("replay", half, "--step", *words, typed="\n" * 40).out
    for told in (numbers(ichiba("replay", half, *words).out), numbers(walked)):
        assert told[0] == 1 and told == sorted(set(told)) and told[-1] <= len(known)
    items = json.loads(ichiba("replay", half, "--format", "json", *words).out)
    assert [item["number"] for item in items] == list(range(1, len(known) + 1))


# --- the seed is told when the game is over


def test_a_seed_that_is_chosen_by_itself_cannot_be_guessed() -> None:
    seeds = [new_seed() for _ in range(200)]
    assert len(set(seeds)) == 200 and all(0 <= seed < 2**128 for seed in seeds)
    assert max(seeds) >= 2**120 and {seed & 1 for seed in seeds} == {0, 1}
    assert engine.load("no_thanks", 3).start().seed >= 2**64  # type: ignore[operator]


def with_seed_unknown(orchard: Path, tmp_path: Path, typed: str) -> tuple[str, str]:
    """What was said, and which seed it was."""
    path = tmp_path / "kept.json"
    said = ichiba("play", orchard, "--seats", "3", typed=f"s {path}\n{typed}")
    return said.out, str(json.loads(path.read_text())["seed"])


@pytest.mark.parametrize("typed", ["q\n", "12\nl all\nv\n?\n.\nr\nq\n", "seed\nq\n", "seed no\nq\n", "12\nseed please\n"])
def test_the_seed_is_not_told_while_the_game_goes_on(typed: str, orchard: Path, tmp_path: Path) -> None:
    said, seed = with_seed_unknown(orchard, tmp_path, typed)
    assert seed not in said and len(seed) > 18
    if "seed" in typed:
        assert "Whoever knows the seed can work out all that is hidden." in " ".join(said.split())


@pytest.mark.parametrize("typed", ["seed yes\nq\n", "12\nseed YES\n"])
def test_but_it_is_on_request(typed: str, orchard: Path, tmp_path: Path) -> None:
    said, seed = with_seed_unknown(orchard, tmp_path, typed)
    assert f"The seed is {seed}." in said


def test_and_when_the_game_is_over(orchard: Path) -> None:
    said = ichiba("play", orchard, "--seats", "3", "--seed", "7", typed=GAME).out
    assert said.index("The seed was 7.") > said.index("the end")


# --- no hand stays on the screen

WIPED = "\x1b[2J\x1b[3J"


@pytest.mark.parametrize("leaves", ["q\n", "\x04", "\x03"], ids=["q", "the end of the input", "an interruption"])
def test_whoever_leaves_a_game_at_one_terminal_leaves_no_hand_there(leaves: str, orchard: Path) -> None:
    terminal = Terminal("play", orchard, "--seats", "2", "--bots", "0", "--seed", "7")
    terminal.until("seat 1, press Enter")
    terminal.type("\n")
    terminal.until("seat 1> ")
    terminal.type("12\n")
    terminal.until("seat 2, press Enter")
    terminal.type("\n")
    shown = terminal.until("seat 2> ")
    assert "cash" in shown
    if leaves == "\x03":
        shown = terminal.interrupt("The game is kept")
    else:
        terminal.type(leaves)
        shown = terminal.until("The game is kept")
    assert WIPED in shown and "cash" not in shown.partition(WIPED)[2]
    terminal.until("ichiba play --resume orchard-")
    terminal.end()


def test_nor_does_one_stay_when_the_game_is_over(tmp_path: Path) -> None:
    """What was shown to the last of them is wiped before all are told how it ended."""
    short = write(tmp_path, game_yaml=FILES["game.yaml"].replace("rounds: {is: 3", "rounds: {is: 1"))
    terminal = Terminal("play", short, "--seats", "2", "--bots", "0", "--seed", "7")
    for answer in ("12", "3", "home", "home"):
        terminal.until("press Enter")
        terminal.type("\n")
        terminal.until("> ")
        terminal.type(f"{answer}\n")
    shown = terminal.until("the end")
    assert WIPED in shown and "cash" not in shown.partition(WIPED)[2]
    terminal.until("The seed was")
    terminal.end()
