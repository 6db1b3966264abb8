"""Many tables at once: nobody is refused, nobody waits for ever, memory stays flat. `load.py` is the tool; soak plays a hundred tables."""

from __future__ import annotations

import pytest

from tests.table.web.load import loaded, summary


def test_a_few_tables_are_played_in_many_windows_without_an_error() -> None:
    seen = loaded("no_thanks", tables=4, rate=20, seconds=6)
    assert seen.errors == [], summary(seen)
    assert len(seen.acknowledged) > 5 and seen.messages > 4 * 4


@pytest.mark.soak
def test_a_hundred_tables_are_played_for_ten_minutes_without_an_error() -> None:
    seen = loaded("tokyo_tsukiji_market", tables=100, rate=25, seconds=600)
    assert seen.errors == [], summary(seen)
    assert seen.memory[-1] < 1.05 * seen.memory[len(seen.memory) // 2]  # by then the last lines of every story are there
