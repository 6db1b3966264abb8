"""Claims about `make count`: what it counts is the work between two marks and nothing else, and more work is told."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import counts
from tests.house.counts import HOUSE, change, figures, grown, measured, remembered, report, written_down

SCRIPT = f"""\
import sys
sys.path.insert(0, {str(Path(counts.__file__).parent)!r})
from counts import Counter

def work(n):
    for i in range(n):
        i * i

counter = Counter()
work(100)
with counter.counting("nothing: at all"):
    pass
for name, n in (("once", 3000), ("again", 3000), ("twice", 6000)):
    with counter.counting(name):
        work(n)
with counter.counting("of them one") as often:
    work(3000)
    often.append(3000)
"""


def test_what_lies_between_two_marks_is_counted_and_nothing_else(tmp_path: Path) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    found = measured(["-I", "-S", str(script)], HOUSE, tmp_path)
    assert abs(found["nothing: at all"]) < 5_000
    assert found["again"] == pytest.approx(found["once"], rel=0.01)
    assert found["twice"] == pytest.approx(2 * found["once"], rel=0.05)
    assert found["of them one"] == pytest.approx(found["once"] / 3000, rel=0.05)


@pytest.mark.soak
@pytest.mark.parametrize("name", counts.BENCHED)
def test_whoever_means_well_pays_hardly_anything_for_the_counting_of_steps(name: str) -> None:
    """In each of the games whose speed is measured; the figures hang on no machine's mood."""
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    found = counts.count([name + counts.COUNTED, name + counts.UNCOUNTED], HOUSE)
    for figure, now, without in counts.compared(found, name):
        assert now <= without * (1 + counts.STEPS_MAY_COST), figure


def test_the_cost_of_counting_is_taken_off() -> None:
    at = {1: 100, 2: 107, 3: 1000, 4: 3007}
    assert dict(figures("COUNT 1 2 3 4 10 a decision in it\nchatter\n", at.__getitem__)) == {"a decision in it": 200}


def test_the_file_is_read_as_it_was_written() -> None:
    known = {"a: reading": 12_345_678, "a: a decision": 7}
    assert remembered(written_down(known, "on some machine: 5")) == known


def test_only_what_has_grown_beyond_the_allowance_is_told() -> None:
    before = {"a": 1000, "b": 1000, "c": 1000}
    now = {"a": 1020, "b": 1021, "c": 10, "d": 5}
    assert grown(now, before) == ["b"]
    assert [change(now[name], before.get(name)) for name in now] == ["+2.0%", "+2.1%", "-99.0%", "new"]
    assert [line.split() for line in report(now, before)][2] == ["b", "1,021", "1,000", "+2.1%"]


def test_no_name_stands_for_two_ways_to_count() -> None:
    assert not counts.GAMES.keys() & counts.STEPS.keys()


@pytest.mark.parametrize(("lacking", "goes_on"), [("psycopg", True), ("ichiba.dsl.files.disk_cache", False)])
def test_extras_that_are_not_installed_are_not_needed(lacking: str, goes_on: bool) -> None:
    script = f"import sys; sys.modules[{lacking!r}] = None\nfrom tests.house.counts import imported\nimported()"
    run = subprocess.run([sys.executable, "-c", script], cwd=HOUSE, capture_output=True, text=True, check=False)
    assert (run.returncode == 0) == goes_on, run.stderr
