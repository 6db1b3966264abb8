"""`ichiba fmt`: what it writes, what it only tells, and what it leaves alone."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ichiba.dsl.faults.source import Embedded
from ichiba.dsl.files import writing
from ichiba.dsl.formatting import declared, rules
from ichiba.dsl.formatting.lines import Line
from ichiba.table import formatting
from tests.table.door import Said, ichiba

CROOKED = "play :\n  nothing"
STRAIGHT = "play:\n    nothing\n"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset with two files that are laid out as they should be, and three that are not."""
    folder = tmp_path / "mine"
    for name, text in {
        "game.yaml": "game: mine\nseats:   2\n",
        "mine.rules": CROOKED,
        "good.rules": STRAIGHT,
        "boards/b.yaml": "board: b\n",
        "scenarios/s.scenario.yaml": "scenario: s\nthen: [a=b]\n",
        ".git/hidden.rules": CROOKED,
        "README.md": "  not ours\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ICHIBA_TRUST", str(tmp_path))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_laid_out_with_all_that_lies_in_it(game: Path) -> None:
    before = contents(game)
    said = ichiba("fmt", "mine")
    assert said == Said(0, "mine/game.yaml\nmine/mine.rules\nmine/scenarios/s.scenario.yaml\n5 files, 3 laid out anew\n", "")
    assert contents(game) == before | {
        "game.yaml": b"game: mine\nseats: 2\n",
        "mine.rules": STRAIGHT.encode(),
        "scenarios/s.scenario.yaml": b"scenario: s\nthen: [a = b]\n",
    }
    assert ichiba("fmt", "mine") == Said(0, "5 files, 0 laid out anew\n", "")


def test_several_places_may_be_named(game: Path) -> None:
    said = ichiba("fmt", "mine/boards", game / "mine.rules", "mine/mine.rules")
    assert said == Said(0, "mine/mine.rules\n2 files, 1 laid out anew\n", "")
    assert (game / "game.yaml").read_text() == "game: mine\nseats:   2\n"


def test_check_names_what_would_change_and_writes_nothing(game: Path) -> None:
    before = contents(game)
    assert ichiba("fmt", "mine", "--check") == Said(1, "mine/game.yaml\nmine/mine.rules\nmine/scenarios/s.scenario.yaml\n", "")
    assert ichiba("fmt", "mine/good.rules", "--check") == Said(0, "", "")
    assert contents(game) == before


def test_diff_shows_what_would_change_and_writes_nothing(game: Path) -> None:
    before = contents(game)
    told = """\
--- mine/mine.rules
+++ mine/mine.rules
@@ -1,2 +1,2 @@
-play :
-  nothing
\\ No newline at end of file
+play:
+    nothing
"""
    assert ichiba("fmt", "mine/mine.rules", "--diff") == Said(0, told, "")
    assert ichiba("fmt", "mine/mine.rules", "--diff", "--check") == Said(1, told, "")
    assert contents(game) == before


def test_what_does_not_parse_is_told_and_left_alone_and_the_others_are_laid_out(game: Path) -> None:
    (game / "mine.rules").write_text("play :\n  nothing at\n")
    said = ichiba("fmt", "mine")
    assert said.code == 1
    assert said.out == "mine/game.yaml\nmine/scenarios/s.scenario.yaml\n5 files, 2 laid out anew\n"
    assert said.err.startswith("error[E203]: ") and "┌─ mine/mine.rules:2:11\n" in said.err
    assert (game / "mine.rules").read_text() == "play :\n  nothing at\n"
    assert ichiba("fmt", "mine", "--check") == Said(1, "", said.err)
    assert ichiba("fmt", "mine", "--diff").code == 1


def test_byte_order_mark_and_line_ends_are_kept(game: Path) -> None:
    (game / "mine.rules").write_bytes(b"\xef\xbb\xbfplay :\r\n  nothing")
    assert ichiba("fmt", "mine/mine.rules").code == 0
    assert (game / "mine.rules").read_bytes() == b"\xef\xbb\xbfplay:\r\n    nothing\r\n"
    assert ichiba("fmt", "mine/mine.rules", "--check") == Said(0, "", "")


def test_who_may_read_and_write_a_file_stays(game: Path) -> None:
    umask = os.umask(0o077)
    try:
        (game / "mine.rules").chmod(0o664)
        assert ichiba("fmt", "mine/mine.rules").code == 0
    finally:
        os.umask(umask)
    assert stat.S_IMODE((game / "mine.rules").stat().st_mode) == 0o664


class Full(writing.Disk):
    """A disk on which one file cannot be written."""

    def write(self, file: int, content: bytes) -> int:
        if content == STRAIGHT.encode():
            raise OSError(28, "No space left on device")
        return super().write(file, content)


def test_a_file_that_cannot_be_written_is_told_and_stays_and_the_others_are_written(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(game)
    monkeypatch.setattr(writing, "disk", Full())
    said = ichiba("fmt", "mine")
    assert said.code == 1
    assert said.err == "ichiba fmt: mine/mine.rules is left as it was: no space left on device\n"
    assert said.out == "mine/game.yaml\nmine/scenarios/s.scenario.yaml\n5 files, 2 laid out anew\n"
    after = contents(game)
    assert after.keys() == before.keys() and after["mine.rules"] == CROOKED.encode()


def test_a_file_that_may_not_be_written_is_told_and_stays(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # as nobody is told who may do everything
    said = ichiba("fmt", "mine/mine.rules")
    assert said == Said(1, "1 file, 0 laid out anew\n", "ichiba fmt: mine/mine.rules is left as it was: permission denied\n")
    assert (game / "mine.rules").read_text() == CROOKED


def test_a_link_in_a_folder_is_passed_over_and_one_that_is_named_stays_a_link(game: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.rules").write_text(CROOKED)
    (game / "linked.rules").symlink_to(tmp_path / "elsewhere.rules")
    assert ichiba("fmt", "mine").out.endswith("5 files, 3 laid out anew\n")
    assert (tmp_path / "elsewhere.rules").read_text() == CROOKED
    assert ichiba("fmt", "mine/linked.rules").out == "mine/linked.rules\n1 file, 1 laid out anew\n"
    assert (game / "linked.rules").is_symlink() and (tmp_path / "elsewhere.rules").read_text() == STRAIGHT


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["mine/README.md"], "ichiba fmt: mine/README.md is no folder and no file of rules (.rules) or of YAML (.yaml)"),
        (["mine/nothing"], "ichiba fmt: mine/nothing is no folder and no file of rules (.rules) or of YAML (.yaml)"),
        (["mine/.git/empty"], "ichiba fmt: mine/.git/empty holds no files of rules (.rules) or of YAML (.yaml)"),
        (["-"], "ichiba fmt: - stands alone, and wants to know what the text is: `ichiba fmt - --as my_game.rules`"),
        (["-", "mine", "--as", "x.rules"], "ichiba fmt: - stands alone, and wants to know what the text is: `ichiba fmt - --as my_game.rules`"),
        (["-", "--as", "x.md"], "ichiba fmt: `--as x.md` names no rules (.rules) and no YAML (.yaml)"),
        (["mine", "--as", "x.rules"], "ichiba fmt: --as goes with -, the standard input; a file has a name"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(game: Path, words: list[str], sentence: str) -> None:
    (game / ".git" / "empty").mkdir()
    assert ichiba("fmt", *words) == Said(2, "", sentence + "\n")


def test_a_file_that_is_not_there_is_told(game: Path) -> None:
    said = ichiba("fmt", "mine/nothing.rules")
    assert said.code == 1 and "`mine/nothing.rules` cannot be read: there is no such file" in said.err


# --- what should never happen


def wrong(text: Embedded, start: rules.Start, width: int = 0) -> list[Line]:
    return [Line(0, "play: something_else")]


def test_a_text_that_would_mean_something_else_is_not_written(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (game / "boards" / "b.yaml").write_text("board:  b\nrules: |\n  play :\n    nothing\n")
    before = contents(game)
    monkeypatch.setattr(rules, "laid_out", wrong)
    said = ichiba("fmt", "mine/mine.rules", "mine/boards/b.yaml")
    assert said.code == 1 and said.out == "2 files, 0 laid out anew\n"
    assert said.err.count("error[E027]: the text laid out anew would not mean the same") == 2
    assert "this is a mistake of `ichiba fmt`, please report it; the file is left as it is" in said.err
    assert contents(game) == before


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a: 1\nb:   2\n", ["a: 1"]),
        ("a: 1\nb:   2\n", ["b: 2", "a: 1"]),
        ("a:   1\n", ["a: '1'"]),
        ("a:   1\n", ["a: [1]"]),
        ("a:   [1]\n", ["a: []"]),
        ("a:   x\n", ["a: x y"]),
        ("a:   1\n", ["a: ["]),
        ("a:   1 # why\n", ["a: 1"]),
        ("a:   1 # why\n", ["a: 1  # why not"]),
    ],
)
def test_a_value_or_a_comment_that_would_get_lost_is_seen(
    game: Path, text: str, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (game / "boards" / "b.yaml").write_text(text)
    monkeypatch.setattr(declared, "laid_out", lambda source, found: [Line(0, line) for line in made])
    said = ichiba("fmt", "mine/boards/b.yaml")
    assert said.code == 1 and "error[E027]" in said.err
    assert (game / "boards" / "b.yaml").read_text() == text


# --- standard input


def piped(*words: str, typed: bytes) -> tuple[int, bytes, bytes]:
    done = subprocess.run([sys.executable, "-m", "ichiba.table", "fmt", "-", *words], input=typed, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def test_a_text_goes_through_byte_by_byte() -> None:
    assert piped("--as", "x.rules", typed=b"\xef\xbb\xbfplay :\r\n  nothing") == (0, b"\xef\xbb\xbfplay:\r\n    nothing\r\n", b"")
    assert piped("--as", "some/where.yaml", typed="a:   魚".encode()) == (0, "a: 魚\n".encode(), b"")


def test_of_a_text_with_faults_nothing_comes_out() -> None:
    code, out, err = piped("--as", "x.rules", typed=b"play\n")
    assert (code, out) == (1, b"") and err.startswith(b"error[E203]: ")
    assert piped("--as", "x.rules", typed=b"\xff")[:2] == (1, b"")
    assert piped("--as", "x.rules", typed=b"# " + b"x" * 300_000)[:2] == (1, b"")


def test_a_text_can_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(*words: str) -> Said:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CROOKED.encode())))
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        from ichiba.table.cli import main

        return Said(main(["fmt", "-", "--as", "x.rules", *words]), out.getvalue(), err.getvalue())

    assert said("--check") == Said(1, "x.rules\n", "")
    assert said("--diff").out.startswith("--- x.rules\n+++ x.rules\n@@ ")


# --- rulesets of strangers


def test_a_strangers_ruleset_is_laid_out_behind_the_door(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ICHIBA_TRUST")
    monkeypatch.setattr(formatting, "TOGETHER", 30)  # several portions, each in a process of its own
    assert ichiba("fmt", "mine").out.endswith("5 files, 3 laid out anew\n")
    assert (game / "mine.rules").read_text() == STRAIGHT


def test_a_ruleset_that_means_harm_is_told_and_left_alone_and_others_are_laid_out(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ICHIBA_TRUST")
    other = tmp_path / "other"
    other.mkdir()
    (other / "game.yaml").write_text("game:   other\n")
    (game / "out.rules").symlink_to("/etc/passwd")
    said = ichiba("fmt", "mine", "other")
    assert said.code == 1 and "out.rules" in said.err and "it leads out of the ruleset's folder" in said.err
    assert said.out == "other/game.yaml\n2 files, 1 laid out anew\n"
    assert (game / "mine.rules").read_text() == CROOKED


# --- what Ichiba writes itself


def test_what_new_makes_is_laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ICHIBA_TRUST", str(tmp_path))
    assert ichiba("new", "game", "my_game").code == 0
    for what in ("board", "module", "variant", "scenario"):
        assert ichiba("new", what, f"my_{what}", "--in", "my_game").code == 0, what
    assert ichiba("fmt", "my_game", "--diff", "--check") == Said(0, "", "")
