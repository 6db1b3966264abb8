"""Each pass by itself: what a body says before it, and after it, in the cases of `cases/`.

A case is a sentence, what is known at the beginning (`given`), which functions go through much (`searches`) or over a map
(`ways`), the body, `->`, and the body as it comes out of the pass.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from ichiba.interpreter.passes.body import Body
from ichiba.interpreter.passes.reading import PASSES
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.parts import all_changed
from ichiba.interpreter.plan.reading import statements_of
from ichiba.interpreter.to_python.printer import lines_of

CASES = Path(__file__).with_name("cases")
Pass = Callable[[Body], None]


def name_of(one: Pass) -> str:
    """The name of the file that a pass stands in, which is that of its cases."""
    return one.__module__.rpartition(".")[2]


@dataclass(frozen=True)
class Case:
    """One case of a pass."""

    of: str
    title: str
    given: tuple[str, ...]
    searches: tuple[str, ...]
    ways: tuple[str, ...]
    before: str
    after: str


def read(of: str, text: str) -> Case:
    head, arrow, after = text.partition("\n->\n")
    assert arrow, f"{of}: a case without `->`: {text}"
    title, *lines = head.split("\n")
    told = {word: tuple(names) for word, *names in (line.split() for line in lines if not line.startswith(" "))}
    assert set(told) <= {"given", "searches", "ways"}, f"{of}: {title}"
    body = "\n".join(line for line in lines if line.startswith(" "))
    return Case(of, title, told.get("given", ()), told.get("searches", ()), told.get("ways", ()), dedent(body), dedent(after.rstrip()))


def cases() -> list[Case]:
    """All cases. They stand apart by empty lines."""
    return [
        read(path.stem, text)
        for path in sorted(CASES.glob("*.txt"))
        for text in path.read_text(encoding="utf-8").strip().split("\n\n")
    ]


def plan_of(text: str) -> tuple[p.Stm, ...]:
    """Lines of Python as a plan, with the state as plans have it."""
    return all_changed(statements_of(text), lambda part: p.S if part == p.Name("S") else None)


def passed(one: Pass, case: Case) -> str:
    numbers: Counter[str] = Counter()

    def new_name(hint: str) -> str:
        numbers[hint] += 1
        return f"{hint}_{numbers[hint]}"

    body = Body(plan_of(case.before), [p.Name(name) for name in case.given], case.searches, new_name, case.ways)
    one(body)
    return "\n".join(lines_of((*body.before, *body.statements)))


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.of}: {case.title}")
def test_a_pass_makes_of_a_body_what_the_case_says(case: Case) -> None:
    (one,) = [one for one in PASSES if name_of(one) == case.of]
    assert passed(one, case) == case.after


@pytest.mark.parametrize("one", PASSES, ids=name_of)
def test_each_pass_has_cases_where_it_works_and_where_it_must_not(one: Pass) -> None:
    own = [case for case in cases() if case.of == name_of(one)]
    assert any(case.before != case.after for case in own), f"no case in cases/{name_of(one)}.txt shows what it does"
    assert any(case.before == case.after for case in own) or len(own) > 2, "no case shows what it leaves alone"


@pytest.mark.parametrize("one", PASSES, ids=name_of)
def test_each_pass_shows_before_and_after_where_it_stands(one: Pass) -> None:
    assert "->" in (sys.modules[one.__module__].__doc__ or "")


def test_no_cases_are_left_without_a_pass() -> None:
    assert {path.stem for path in CASES.glob("*.txt")} == {name_of(one) for one in PASSES}


def test_a_case_is_read_as_it_is_written() -> None:
    found = read("x", "a title\ngiven a b\n    if a:\n        return b\n->\n    return a\n")
    assert found == Case("x", "a title", ("a", "b"), (), (), "if a:\n    return b", "return a")
