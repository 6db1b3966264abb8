"""Claims about docs/api.md: its blocks run, and it names every public name, or says that it is the engine's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ichiba

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

# What these objects also show belongs to the engine: rooms of the house use it among themselves.
OF_THE_ENGINE = {
    ichiba.Game: {
        "box", "broken", "callers", "chance_words", "code", "code_of", "compile_expression", "compile_set", "condition", "context", "emitted",
        "end_of_trial", "explain_fault", "explainer", "first", "flow", "forget_expressions", "held", "keep", "late", "layout", "lowest_waiting",
        "meaning", "ending_of", "name_of_question", "own_texts", "path_keys", "program", "question", "seat_of", "take_up", "telling", "text", "texts",
        "translated", "unmet", "waiting_seats", "words", "worked_out", "world",
    },
    ichiba.Table: {
        "become", "begin", "chronicle", "codes", "context", "freeze", "given", "history", "listen", "path_of", "script", "site", "state",
        "state_for",
    },
    ichiba.Decision: {"codes", "counting", "key_of", "label_of", "left", "seat_index", "site", "table"},
    ichiba.Option: {"code", "decision"},
}  # fmt: skip


def test_its_blocks_run_one_after_the_other() -> None:
    names: dict[str, object] = {}
    assert len(BLOCKS) >= 5
    for block in BLOCKS:
        exec(compile(block, "docs/api.md", "exec"), names)


def test_it_names_all_that_the_package_offers() -> None:
    assert [name for name in ichiba.__all__ if not re.search(rf"\b{name}\b", PAGE)] == []
    assert all(getattr(ichiba, name).__doc__ for name in ichiba.__all__)


@pytest.mark.parametrize("kind", OF_THE_ENGINE, ids=lambda kind: kind.__name__)
def test_it_names_all_that_an_object_offers(kind: type) -> None:
    offered = {name for name in (*dir(kind), *getattr(kind, "__dataclass_fields__", ())) if not name.startswith("_")}
    page = set(re.findall(rf"(?:{kind.__name__.lower()}|`)\.(\w+)", PAGE)) | set(re.findall(r"`\.(\w+)`", PAGE))
    assert offered - page == OF_THE_ENGINE[kind]


@pytest.mark.parametrize("kind", OF_THE_ENGINE, ids=lambda kind: kind.__name__)
def test_what_it_names_is_there_and_says_what_it_is(kind: type) -> None:
    named = set(re.findall(rf"`{kind.__name__.lower()}\.(\w+)", PAGE))
    assert [name for name in named if not hasattr(kind, name) and name not in getattr(kind, "__dataclass_fields__", ())] == []
