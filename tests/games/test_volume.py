"""Hours of play cut into slices: each is played once, a fault is told with its seed, and the others go on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.games.volume import MODS, Slice, go_on, slices


def test_all_ways_and_seats_have_their_share_before_any_has_more() -> None:
    todo = slices("random", "tokyo", 0, 249, 100)
    assert len(todo) == 3 * 66 and len({one.name for one in todo}) == len(todo)
    assert {(one.first, one.last) for one in todo[:66]} == {(0, 99)} and {(one.first, one.last) for one in todo[132:]} == {(200, 249)}
    assert {one.mods for one in todo} >= {MODS, ("kaiju",), ("hachiko", "thief")} and len({one.mods for one in todo}) == 22
    assert len(slices("random", "paris", 0, 49, 50)) == 7 * 3


def test_a_slice_is_played_once(tmp_path: Path) -> None:
    todo, kept = [Slice("random", "tokyo", 2, ("thief",), 3, 4), Slice("reference", "paris", 2, ("thief",), 1, 1)], tmp_path / "kept.jsonl"
    assert go_on(todo[:1], kept, 0) == []  # no time
    (first,) = go_on(todo[:1], kept, 10**9)
    assert first["games"] == 2 and first["decisions"] > 300 and "fault" not in first
    assert go_on(todo[:1], kept, 10**9) == []


def test_a_fault_is_told_with_its_seed_and_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(self: Slice) -> Iterator[int]:
        yield 7
        if not self.first:
            raise ValueError("the engine has 1, the reference 2")
        yield 8

    monkeypatch.setattr(Slice, "play", play)
    found = go_on(slices("reference", "tokyo", 0, 3, 2)[65:67], tmp_path / "kept.jsonl", 10**9)
    assert [(one["games"], one["decisions"]) for one in found] == [(1, 7), (2, 15)]
    assert (found[0]["seed"], found[0]["fault"]) == (1, "ValueError: the engine has 1, the reference 2")
