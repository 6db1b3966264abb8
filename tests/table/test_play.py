"""Sitting down to a game at the terminal: what is shown, what can be typed, and what becomes of the game."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest

import ichiba as engine
from ichiba.table import saves
from ichiba.table.scene.look import Look
from ichiba.table.terminal.screen import Screen
from ichiba.table.terminal.session import Session
from tests.table.door import Said, ichiba, pinned

GAME = "12\n2\n7\nhome\n3\nhome\n"  # one whole game of seat 1


def play(orchard: Path, typed: str, *words: str) -> Said:
    return ichiba("play", orchard, "--seats", "3", "--seed", "7", *words, typed=typed)


# screens


def test_a_game_from_its_beginning_to_its_end(orchard: Path) -> None:
    said = play(orchard, GAME)
    assert (said.code, said.err) == (0, "")
    pinned("play_orchard", said.out)


def test_the_first_screen_of_a_larger_game() -> None:
    said = ichiba("play", "tsukiji", "--seats", "3", "--bots", "random", "--seed", "7", typed="1\ncancel\n")
    pinned("play_tsukiji", said.out)


def test_everything_that_can_be_asked_for(orchard: Path) -> None:
    typed = (
        "?\n? 3\n? 99\n? stall 2\n? dry shed\n? seat 2\n? seat 9\n? pear\n? harvest\nv\nl\nr\nr harvest\nr pear\n.\nq\n"
    )
    pinned("asked_for", play(orchard, typed).out)


def test_no_line_is_wider_than_80_columns(orchard: Path) -> None:
    said = play(orchard, "v\nr\nl\n? stall 1\n" + GAME)
    assert max(len(line) for line in said.out.splitlines()) <= 80


def test_only_bots_play_by_themselves(orchard: Path) -> None:
    said = play(orchard, "", "--bots", "3")
    assert said.code == 0
    assert "seat 1: Buy at stall" in said.out and "The game is over: The frost came." in said.out
    assert ">" not in said.out


# answers


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("99", "`bid` goes from 0 to 15."),
        ("", "Type a number or a key from the list; ? explains."),
        ("pear", "`pear` is no answer to this question; there are: bid/0, bid/1,"),
        ("bid/99", "`bid` goes from 0 to 15."),
    ],
)
def test_what_is_no_answer_says_why_and_asks_again(orchard: Path, typed: str, words: str) -> None:
    said = play(orchard, f"{typed}\n")
    assert words in said.out and said.code == 0


def test_an_answer_that_was_possible_before_says_why_it_is_not_now(orchard: Path) -> None:
    said = play(orchard, "0\nbuy/1\n? buy/1\n")  # the others pick first
    why = "Stall 1 does not fit `buy`: it needs `t.goods is not empty`."
    assert f"> buy/1\n{why}\n> ? buy/1\n{why}\n" in said.out


def test_a_beginning_that_fits_several_lists_them(orchard: Path) -> None:
    said = play(orchard, "12\nbuy\n3\n")
    assert "`buy` could be one of these:\n 1  buy/1  Buy at stall 1\n" in said.out


def test_an_amount_is_asked_for_when_a_range_is_named(orchard: Path) -> None:
    said = play(orchard, "bid\n77\nbid\n12\n")
    assert "how many? (0 to 15) 77\n`77` is not among them.\n" in said.out
    assert "Buy at a stall, or go home?" in said.out


# taking back


def test_an_answer_can_be_taken_back_and_the_bots_do_the_same_again(orchard: Path) -> None:
    first = play(orchard, "12\n2\n").out
    again = play(orchard, "12\n2\nu\n2\n").out
    assert "Taken back: seat 1: Buy at stall 2" in again
    assert again.endswith(
        first[first.index("seat 2: Buy at stall 1") :].split("The game is kept")[0].rstrip("> \n")
        + "\n> \n"
        + again[again.rindex("The game is kept") :]
    )


def test_before_the_first_answer_there_is_nothing_to_take_back(orchard: Path) -> None:
    assert "There is nothing to take back yet." in play(orchard, "u\n").out


def test_among_several_people_the_answer_of_another_stays(orchard: Path) -> None:
    said = play(orchard, "\n12\n\nu\n", "--bots", "0")
    assert "The last answer was seat 1's; only that seat could take it back, on its own\nturn." in said.out


def test_among_several_people_what_was_shown_stays(orchard: Path) -> None:
    said = play(orchard, "\n3\n\n4\n\n12\nu\n", "--bots", "0")
    assert "seat 3> u\nSomething was drawn or shown since then; among several people that stays." in said.out


# several people


def test_the_screen_changes_hands_before_anything_is_shown(orchard: Path) -> None:
    said = play(orchard, "\n12\n\n3\n", "--bots", "1")
    assert "seat 1: a person, seat 2: a person, seat 3: thrifty bot." in said.out
    first, second = said.out.index("seat 1, press Enter"), said.out.index("seat 2, press Enter")
    assert said.out.index("seat 1 (you)") > first
    assert second < said.out.index("seat 2 (you)")


def test_nobody_sees_what_another_holds(orchard: Path) -> None:
    """Everybody buys; each hand-over cuts the transcript into what one seat saw."""
    typed = "\n12\n\n6\n\n3\n\n1\n\n2\n\n3\n\n1\n"
    said = play(orchard, typed, "--bots", "0").out
    parts = re.split(r"seat (\d), press Enter\n", said)
    for seat, part in zip(parts[1::2], parts[2::2]):
        for line in part.splitlines():
            other = re.match(r"  seat (\d)", line)
            if other and other[1] != seat and "basket" in line:
                assert re.search(r"basket \*?\d hidden", line)


def test_a_game_without_secrets_needs_no_handing_over(orchard: Path) -> None:
    rules = orchard / "orchard.rules"
    text = rules.read_text().replace(", hidden from others", "")
    start, end = text.index("    each s in seats secretly:"), text.index("procedure picking:")
    openly = """\
    for each s in seats:
        as s:
            choose bid from 0 to 15 "What do you bid?"
            set my.offered to bid

"""
    rules.write_text(text[:start] + openly + text[end:])
    said = play(orchard, "12\n3\n", "--bots", "0")
    assert "press Enter" not in said.out and "seat 2> 3" in said.out


# bots


@pytest.mark.parametrize(
    ("words", "seated"),
    [
        ([], "seat 1: you, seat 2: thrifty bot, seat 3: thrifty bot."),
        (["--bots", "1"], "seat 1: a person, seat 2: a person, seat 3: thrifty bot."),
        (["--bots", "random"], "seat 1: you, seat 2: random bot, seat 3: random bot."),
        (["--bots", "thrifty,random"], "seat 1: you, seat 2: thrifty bot, seat 3: random bot."),
        (["--bots", "random,"], "seat 1: a person, seat 2: a person, seat 3: random bot."),
    ],
)
def test_bots_take_the_last_seats(orchard: Path, words: list[str], seated: str) -> None:
    assert seated in play(orchard, "", *words).out.replace("\n", " ")


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        ("4", "ichiba play: --bots 4: there are 3 seats"),
        ("thrify", "ichiba: `orchard` has no policy `thrify`; did you mean `thrifty`?"),
        (
            "random,random,random,random",
            "ichiba play: --bots random,random,random,random: these are 4 bots for 3 seats",
        ),
    ],
)
def test_bots_that_cannot_be(orchard: Path, bots: str, sentence: str) -> None:
    said = play(orchard, "", "--bots", bots)
    assert (said.code, said.err) == (2, sentence + "\n")


# keeping


def test_a_game_that_is_left_is_kept_and_can_be_gone_on_with(orchard: Path, saves: Path) -> None:
    said = play(orchard, "12\n2\nq\n")
    assert said.code == 0
    name = re.search(r"ichiba play --resume (\S+)", said.out)
    assert name is not None
    again = ichiba("play", "--resume", name[1], typed="7\nhome\n3\nhome\n")
    whole = play(orchard, GAME)
    assert (
        again.out.split("the end")[1].split("The game is kept")[0]
        == whole.out.split("the end")[1].split("The game is kept")[0]
    )
    assert [path.stem for path in saves.glob("*.json")][0].startswith("orchard-")


def test_the_end_of_the_input_keeps_the_game(orchard: Path) -> None:
    said = play(orchard, "12\n")
    assert said.code == 0 and "The game is kept. To go on:\n  ichiba play --resume orchard-" in said.out


def test_a_game_in_which_nothing_was_answered_is_not_kept(orchard: Path, saves: Path) -> None:
    assert "kept" not in play(orchard, "").out
    assert not saves.exists()


def test_last_is_the_game_that_was_left_last(orchard: Path) -> None:
    play(orchard, "12\n")
    said = ichiba("play", "--resume", "last", typed="")
    assert "Buy at a stall, or go home?" in said.out
    assert "seat 2: thrifty bot" in said.out


def test_a_save_never_writes_over_another_game_unasked(orchard: Path, tmp_path: Path) -> None:
    path = tmp_path / "friday.json"
    play(orchard, f"12\ns {path}\n2\ns {path}\n")
    kept = path.read_text()
    assert len(json.loads(kept)["answers"]) >= 2
    said = ichiba("play", orchard, "--seats", "3", "--seed", "8", typed=f"12\ns {path}\nno\ns {path}\nyes\n")
    question = f"{path} holds another game (orchard, "
    assert said.out.count(question) == 2 and "Nothing was saved." in said.out
    assert json.loads(path.read_text())["seed"] == 8


def test_a_file_that_is_no_game_is_asked_about_too(orchard: Path, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all")
    said = play(orchard, f"12\ns {path}\nn\n")
    assert "holds something that is no saved game. Write over it?" in said.out
    assert path.read_text() == "Dear all"


def test_a_folder_that_cannot_be_written_to_is_told(orchard: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    said = play(orchard, f"12\ns {blocked}/game.json\n")
    assert "It could not be saved:" in said.out and said.code == 0


@pytest.mark.parametrize(
    ("game", "asked", "told"),
    [
        ("lantern_coast", "brazier", "brazier is a lamp; there is 1 in the game.\n  least 4 sh, burns 3, fuel peat, lights 2\n"),
        ("lantern_coast", "oil", "oil is a fuel; there are 15 in the game.\n"),
        ("shinjuku", "books2", "books (2) is a customer; there are 7 in the game.\n  good books, marks 2\n"),
        ("salt_flats", "plover", "Plover is a company.\n  dear 2 crowns\n"),
    ],
)
def test_what_a_piece_is_and_what_never_changes_of_it_is_told(game: str, asked: str, told: str) -> None:
    assert f"> ? {asked}\n{told}" in ichiba("play", game, "--plain", "--seed", "3", typed=f"? {asked}\nq\n").out


def test_a_kept_game_has_its_own_settings(orchard: Path) -> None:
    play(orchard, "12\n")
    said = ichiba("play", "--resume", "last", "--seats", "2", "--variant", "rich")
    assert (said.code, said.err) == (
        2,
        "ichiba play: a saved game has its own settings; leave out --seats, --variant\n",
    )
    said = ichiba("play", "tsukiji", "--resume", "last")
    assert said.code == 2 and "is a game of orchard, not of tsukiji" in said.err


def test_a_changed_ruleset_does_not_go_on_with_an_old_game(orchard: Path) -> None:
    play(orchard, "12\n")
    (orchard / "variants" / "x.yaml").unlink(missing_ok=True)
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text() + "\nvalue more -> number: 3\n")
    said = ichiba("play", "--resume", "last")
    assert said.code == 0 and "The rules have changed since. With them it is the same game so far." in said.out
    lid = orchard / "game.yaml"
    lid.write_text(lid.read_text().replace("first_money: {is: 20", "first_money: {is: 21"))
    said = ichiba("play", "--resume", "last")
    assert said.code == 1 and "was played with another version of `orchard`" in said.err


def test_a_name_that_nobody_kept_names_the_nearest(orchard: Path, saves: Path) -> None:
    play(orchard, "12\n")
    name = next(saves.glob("*.json")).stem
    said = ichiba("play", "--resume", name[:-1] + "x")
    assert said.code == 2 and f"did you mean {name}?" in said.err


def test_an_interruption_in_the_middle_of_a_rule_leaves_nothing_half_done(
    orchard: Path,
) -> None:
    table = engine.load(orchard, 3).start(7)
    session = Session(table, {2: "thrifty", 3: "thrifty"}, Screen(True), Look())
    table.play("bid/12", 1)
    table.state[20:40] = [99] * 20  # as far as the rule came
    name = session.keeper.keep()
    assert name is not None
    assert engine.resume(saves.find(name)).history == table.history


# a real terminal


class Terminal:
    """The command on a pseudo-terminal: what it shows, and what is typed."""

    def __init__(self, *words: str | Path):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ |= {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40"}
            os.environ.pop("NO_COLOR", None)
            os.execv(sys.executable, [sys.executable, "-m", "ichiba.table", *map(str, words)])
        self.shown = ""
        self.read = 0  # how much of it the test has looked at

    def until(self, words: str, seconds: float = 60) -> str:
        """Read until something is shown; what was shown since the last time, up to there."""
        start, end = self.read, time.monotonic() + seconds
        while words not in self.shown[start:]:
            if time.monotonic() > end:
                raise TimeoutError(f"no {words!r} in {self.shown[start:]!r}")
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    read = os.read(self.fd, 65536)
                except OSError:
                    read = b""
                assert read, f"it ended without {words!r}: {self.shown[start:]!r}"
                self.shown += read.decode(errors="replace")
        self.read = self.shown.index(words, start) + len(words)
        return self.shown[start : self.read]

    def type(self, words: str) -> None:
        os.write(self.fd, words.encode())

    def interrupt(self, until: str) -> str:
        """Ctrl-C, until it is answered. A key that comes between the prompt and the wait for a line, which is
        quicker than anybody's finger, is noticed by the C library only with the next key."""
        for _ in range(6):
            self.type("\x03")
            with contextlib.suppress(TimeoutError):
                return self.until(until, 10)
        raise TimeoutError(f"Ctrl-C is not answered with {until!r}")

    def end(self, seconds: float = 60) -> int:
        """Its exit code, once it has ended by itself."""
        end = time.monotonic() + seconds
        try:
            while not select.select([self.fd], [], [], 0.2)[0] or os.read(self.fd, 65536):
                if time.monotonic() > end:
                    os.kill(self.pid, signal.SIGKILL)
        except OSError:
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_on_a_terminal_there_are_colours_and_ctrl_c_keeps_the_game(orchard: Path) -> None:
    terminal = Terminal("play", orchard, "--seats", "3", "--seed", "7")
    assert "\x1b[1m" in terminal.until("> ")
    terminal.type("12\n")
    terminal.until("go home?")
    terminal.until("> ")
    terminal.interrupt("ichiba play --resume orchard-")
    assert terminal.end() == 130


def test_a_hand_is_wiped_from_the_terminal_before_it_changes_hands(orchard: Path) -> None:
    terminal = Terminal("play", orchard, "--seats", "2", "--bots", "0", "--seed", "7")
    shown = terminal.until("seat 1, press Enter")
    assert "\x1b[2J\x1b[3J" in shown and "cash" not in shown
    terminal.type("\n")
    terminal.until("seat 1> ")
    terminal.type("12\n")
    shown = terminal.until("seat 2, press Enter")
    assert "\x1b[2J\x1b[3J" in shown
    terminal.type("\x04")
    assert terminal.end() == 0


def test_a_terminal_that_is_closed_keeps_the_game(orchard: Path, saves: Path) -> None:
    terminal = Terminal("play", orchard, "--seats", "3", "--seed", "7")
    terminal.until("> ")
    terminal.type("12\n")
    terminal.until("go home?")
    terminal.until("> ")
    os.close(terminal.fd)
    assert os.waitstatus_to_exitcode(os.waitpid(terminal.pid, 0)[1]) in (0, 143)  # the signal or the end of input
    assert len(list(saves.glob("*.json"))) == 1


def test_plain_has_neither_colours_nor_frames_on_a_terminal(orchard: Path) -> None:
    terminal = Terminal("play", orchard, "--seats", "3", "--seed", "7", "--plain")
    shown = terminal.until("> ")
    assert "\x1b[1m" not in shown and "─" not in shown
    terminal.type("q\n")
    assert terminal.end() == 0
