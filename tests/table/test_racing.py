"""A race at a terminal: people are asked one after the other as they are drawn, and bots answer in between."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from ichiba.table.cli import main
from tests.lab.test_racing import RULES
from tests.language.tiny import ruleset


def played(folder: Path, answers: str, bots: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers.split())))
    main(["play", str(folder), "--seats", "3", "--bots", bots, "--seed", "4", "--plain", "--trust"])
    return capsys.readouterr().out


def test_people_are_asked_as_they_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ruleset(tmp_path, {"play.rules": RULES})
    said = played(folder, "wait wait wait one one one", "0", monkeypatch, capsys)
    assert said.count("Who pays?") == 3
    assert sorted(re.findall(r"seat (\d)> ", said)[:3]) == ["1", "2", "3"]
    assert "the end" in said


def test_bots_answer_when_they_are_drawn_and_nobody_is_told_that_one_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ruleset(tmp_path, {"play.rules": RULES})
    said = played(folder, "wait one one", "shy,eager", monkeypatch, capsys)
    assert "seat 3: Take it" in said
    assert not re.search(r"seat 2: .*Wait", said)
