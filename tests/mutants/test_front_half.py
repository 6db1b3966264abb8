"""Few faults of the front half go unnoticed: `python -m tests.mutants.front_half` makes them, one at a time.

`survivors.txt` lists those that nobody notices, by the reason why; the command renews it.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Tally
from tests.mutants.front_half import FILES, SORTS, listed
from tests.mutants.sites import HOUSE, Spoil, sites_of

QUICK = ("tests/language/test_kinds.py", "tests/language/test_names.py", "tests/language/test_maps.py")


def made(folder: Path, *words: str) -> dict[str, Any]:
    """What became of the faults: those that were noticed, with the test that did, and those that were not."""
    report = folder / "report.json"
    command = [sys.executable, "-m", "tests.mutants.front_half", "--report", str(report), *words]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, check=False)
    assert report.exists(), done.stdout[-2000:] + done.stderr[-2000:]
    told: dict[str, Any] = json.loads(report.read_text())
    return told


def test_some_faults_are_made_and_noticed_even_by_three_files_of_tests(tmp_path: Path, tally: Tally) -> None:
    told = made(tmp_path, "--of-each", "4", "--reached", "6", "--jobs", "1", *QUICK)
    noticed, unseen = told["noticed"], told["unseen"]
    tally(mutants=len(noticed) + len(unseen), kills=len(noticed))
    assert len(noticed) + len(unseen) == 6 and len(noticed) >= 2, told
    assert all(test.startswith(QUICK) for test in noticed.values()), "it is the tests that have noticed them"


@pytest.mark.soak
def test_of_two_hundred_faults_hardly_one_is_unseen_and_each_of_those_is_explained(
    tmp_path: Path, tally: Tally
) -> None:
    told = made(tmp_path)
    noticed, unseen = told["noticed"], told["unseen"]
    tally(mutants=len(noticed) + len(unseen), kills=len(noticed))
    assert len(noticed) >= 0.95 * (len(noticed) + len(unseen)), "\n".join(unseen)
    explained = {entry for why, entries in listed().items() if "?" not in why for entry in entries}
    assert not set(unseen) - explained, "renew the list: python -m tests.mutants.front_half"


def spoiled(source: str) -> set[str]:
    """Everything that can become of a function with this body."""
    whole = f"def f(a, b, x):\n    {source}"
    found = set()
    counting = Spoil("f.py")
    counting.visit(ast.parse(whole))
    for site in counting.sites:
        assert site.function == "f" and site.what in SORTS
        tree = Spoil("f.py", site.number).visit(ast.parse(whole))
        found.add(" ".join(ast.unparse(tree).split("\n", 1)[1].split()))
    return found


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("x = a < b", {"x = a <= b"}),
        ("x = a is b", {"x = a is not b"}),
        ("x = a and b", {"x = a or b"}),
        ("x = a + 2", {"x = a - 2", "x = a + 3", "x = a + 1"}),
        ("x = a if b else False", {"x = a if not b else False", "x = a if b else True"}),
        ("x = [y for y in a if y]", {"x = [y for y in a if not y]"}),
        ("x = a[-1]", {"x = a[0]"}),
        ("if len(a) == b: x = a[0]", {"if not len(a) == b: x = a[0]", "if len(a) != b: x = a[0]"}),
        ("x = zip(a, b, strict=True)", set()),
        ("self.fault(a, b, 'no such ' + x if a else b)", {"pass"}),
        ("x = max(a)", {"x = min(a)"}),
        ("x = f(a, b)", {"x = f(b, a)"}),
        ("return (a, b)", {"return (b, a)"}),
        ("return f(a)", {"return a"}),
        ("return a.b", {"return None"}),
        ("a.append(b)", {"pass"}),
        ("a.b = x", {"pass"}),
        ("if a: self.fault(b); return 3", {"if not a: self.fault(b) return 3", "if a: pass return 3"}),
        ("return str(a)", {"return None"}),
        ("assert a", set()),
        ("return None", set()),
    ],
)
def test_each_sort_of_fault_is_what_it_says(source: str, faults: set[str]) -> None:
    assert spoiled(source) == faults


def test_every_file_of_the_front_half_offers_faults() -> None:
    assert [path for path in FILES if not sites_of(path)] == []


def test_a_fault_is_called_the_same_wherever_its_file_stands_and_no_two_alike() -> None:
    names = [str(site) for path in FILES for site in sites_of(path)]
    assert len(set(names)) == len(names)
    assert not [path for path in FILES if any(path in name for name in names)]


def test_what_stands_outside_of_functions_is_left_alone() -> None:
    spoil = Spoil("f.py")
    spoil.visit(ast.parse("LIMIT = 3 if a < b else 4\nclass C:\n    size = 2"))
    assert spoil.sites == []
