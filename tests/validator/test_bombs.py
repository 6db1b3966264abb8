"""Bombs are refused with the right words, and this process lives on."""

from pathlib import Path
from unittest.mock import Mock

import pytest

from ichiba import RulesetFaults, load
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.table.checking import check
from tests.validator.bombs import BOMBS, Bomb
from tests.validator.small import ruleset


@pytest.fixture(autouse=True)
def nobody_vouches(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path_factory.getbasetemp() / "kept"))  # the grammar; no ruleset of these


def set_off(folder: Path, bomb: Bomb, size: int) -> str:
    """All that is said when it is loaded, and played by whoever always takes the first answer."""
    try:
        table = load(ruleset(folder, bomb.make(size))).start(1)
        while table.codes:
            table.step(0)
    except (RulesetFaults, RuleFault) as fault:
        return f"{fault} {'' if isinstance(fault, RulesetFaults) else 'in play'}"
    return "nothing is said"


def refused(folder: Path, bomb: Bomb, size: int) -> None:
    said = set_off(folder, bomb, size)
    assert any(words in said for words in bomb.words), said
    assert bomb.played == said.endswith("in play"), said


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.name)
def test_a_bomb_is_refused(bomb: Bomb, tmp_path: Path) -> None:
    refused(tmp_path, bomb, bomb.sizes[0])


@pytest.mark.soak
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.name)
def test_so_are_larger_ones(bomb: Bomb, size: int, tmp_path: Path) -> None:
    refused(tmp_path, bomb, bomb.sizes[size])


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.name)
def test_what_is_just_small_enough_is_played_to_its_end(bomb: Bomb, tmp_path: Path) -> None:
    assert set_off(tmp_path, bomb, bomb.allowed) == "nothing is said"


def test_a_long_menu_is_no_deep_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    options = "".join(f'        option go{n} "Go {n}": raise round by 0\n' for n in range(1_100))
    root = ruleset(tmp_path, {"play.rules": f"procedure turn:\n    menu actions:\n{options}        option rest: nothing\n"})
    assert check(root, quick=True, jobs=1).faults == ()
    assert len(load(root).start(1).codes) == 1_101


def test_what_leads_on_to_each_other_too_far_is_told_by_check_as_by_loading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    monkeypatch.setattr("ichiba.interpreter.run.game.ready", Mock(side_effect=RecursionError))
    root = ruleset(tmp_path, {})
    with pytest.raises(RulesetFaults, match=r"error\[E204\]: the definitions of this ruleset lead on to each other too far"):
        load(root)
    assert [fault.code for fault in check(root, jobs=1).faults] == ["E204"]
