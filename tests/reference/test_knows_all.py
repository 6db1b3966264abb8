"""Each sentence of the language is read by the reference: a new class fails until it has a method there."""

from __future__ import annotations

from typing import get_args

import pytest

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_items
from tests.reference.generated import made
from tests.reference.play import Game


@pytest.mark.parametrize(("classes", "begins"), [(t.Statement, "do"), (t.Expr, "ev")])
def test_the_reference_has_a_method_for_each_sentence(classes: object, begins: str) -> None:
    assert [cls.__name__ for cls in get_args(classes) if not hasattr(Game, f"{begins}_{cls.__name__}")] == []


@pytest.mark.parametrize("classes", [t.Statement, t.Expr])
def test_each_sentence_stands_in_some_ruleset_that_is_made_by_chance(classes: object) -> None:
    written: set[type] = set()
    for seed in range(60):
        for name, text in made(seed).files.items():
            if name.endswith(".rules"):
                items = parse_items(Embedded.whole(Source(name, text)), Faults())
                written.update(type(node) for node in t.walk(items))
    assert [cls.__name__ for cls in get_args(classes) if cls not in written] == []
