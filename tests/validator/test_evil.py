"""No word of an author's stands in generated Python or C but as a number, a name the engine has made, or an escaped text."""

from __future__ import annotations

import ast
import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ichiba import RulesetFaults, load
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.native.compiler import NoMachineCode, written
from tests.validator.evil import MARK, changed
from tests.validator.hostile import kinds_of_gates, secrets_beside
from tests.validator.small import ruleset

Tally = Callable[..., None]
RUNTIME = ("ichiba.interpreter.runtime.runtime", "ichiba.interpreter.runtime.ways")  # what generated modules import


def strange_words(code: str) -> list[str]:
    """What of these words stands in a module as anything but a text or a comment."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name | ast.FunctionDef | ast.ClassDef | ast.Attribute | ast.arg | ast.alias):
            name = getattr(node, "id", None) or getattr(node, "name", None) or getattr(node, "attr", None) or getattr(node, "arg", "")
            if not str(name).replace(".", "").isidentifier() or MARK.search(str(name)):
                found.append(str(name))
        if isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "module", None) not in RUNTIME:
            found.append(ast.dump(node))
    return found


def judged(name: str, every: int, folder: Path) -> tuple[int, int]:
    """Every so manieth word changed; how many rulesets were refused, how many made."""
    home = folder / name
    shutil.copytree(rulesets()[name], home)
    refused = made = 0
    for path, text, _ in changed(home, every):
        before = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        try:
            game = load(home, trust=True)
        except RulesetFaults as faults:
            assert str(faults)
            refused += 1
        else:
            made += 1
            assert strange_words(game.emitted.text) == []
            assert not any(MARK.search(line.split("#")[0]) for line in game.emitted.text.splitlines() if "raise RuleFault" not in line)
            with contextlib.suppress(NoMachineCode):
                assert not MARK.search(written(game).split("/* the game */")[-1].replace("runtime.c", ""))
        path.write_text(before, encoding="utf-8")
    return refused, made


@pytest.mark.parametrize(("name", "every"), [("no_thanks", 4), ("liars_dice", 4)])
def test_no_word_of_an_author_becomes_code(name: str, every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))
    refused, made = judged(name, every, tmp_path)
    assert refused and made
    tally(evil_words=refused + made)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "every"), [("no_thanks", 1), ("leduc_poker", 1), ("goofspiel", 1), ("tsukiji", 3), ("shinjuku", 11)])
def test_nor_does_any_other(name: str, every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))
    tally(evil_words=sum(judged(name, every, tmp_path)))


@pytest.mark.parametrize("word", ["a'); import os #", "../x", "a b", "A", "1e3", ""])
def test_ids_of_map_files_are_names_like_all_others(word: str, tmp_path: Path) -> None:
    root = ruleset(tmp_path, {})
    kinds_of_gates('"' + word + '"')(root, secrets_beside(tmp_path))
    with pytest.raises(RulesetFaults, match=r"error\[E104\]"):
        load(root, trust=True)


INVISIBLE = ["\u200b", "\u200e", "\u200f", "\u061c", "\u2060", "\u00ad", "\u202e", "\u2066", "\ufeff", "\U000e0041", "\u180e", "\u3164"]


@pytest.mark.parametrize("char", INVISIBLE, ids=lambda char: f"U+{ord(char):04X}")
def test_marks_that_nobody_sees_are_refused_in_texts(char: str, tmp_path: Path) -> None:
    rules = f'procedure turn:\n    menu actions:\n        option go "Go{char} home": nothing\n        option rest: nothing\n'
    with pytest.raises(RulesetFaults, match=r"error\[E004\]") as caught:
        load(ruleset(tmp_path, {"play.rules": rules}), trust=True)
    assert char not in str(caught.value).splitlines()[0]


@pytest.mark.parametrize("char", ["\u200d", "\u200c", "é", "魚", "👨\u200d🌾"])
def test_letters_and_signs_of_any_script_are_not(char: str, tmp_path: Path) -> None:
    rules = f'procedure turn:\n    menu actions:\n        option go "Go {char} home": nothing\n        option rest: nothing\n'
    assert load(ruleset(tmp_path, {"play.rules": rules}), trust=True).start(1).codes
