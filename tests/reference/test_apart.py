"""The reference interpreter is a reading of its own: what the engine and its front half know it must find out itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BESIDE = {"engine.py", "lockstep.py", "mutants.py"}  # the engine's side, and what holds both sides beside each other
READERS = {  # of the front half: from files to trees, no further
    "faults.fault", "faults.source", "syntax.parse", "syntax.tree", "yaml.declarations", "yaml.memory", "yaml.reading",
}  # fmt: skip
NAMES = {"ichiba.dsl.ruleset": {"read_box"}, "ichiba.dsl.parts": {"parts_of"}}


def its_own() -> list[Path]:
    return [path for path in sorted(HERE.glob("*.py")) if path.name not in BESIDE and not path.name.startswith("test_")]


def reached(path: Path) -> Iterator[tuple[str, str]]:
    """Each module that a file imports from, and the name that it takes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((name.name, "") for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", name.name) for name in node.names)


def is_its_own_business(module: str, name: str) -> bool:
    if module in NAMES:
        return name in NAMES[module]
    if module == "ichiba.dsl" or module.startswith("ichiba.dsl."):
        return bool(READERS & {module.removeprefix("ichiba.dsl."), f"{module}.{name}".removeprefix("ichiba.dsl.")})
    return not module.startswith("ichiba") and (not module.startswith("tests.") or module.startswith("tests.reference."))


@pytest.mark.parametrize("path", its_own(), ids=lambda path: path.name)
def test_it_shares_nothing_but_what_reads_files(path: Path) -> None:
    found = list(reached(path))
    beside = {f"tests.reference.{name.removesuffix('.py')}" for name in BESIDE}
    assert [(module, name) for module, name in found if not is_its_own_business(module, name) or module in beside] == []


def test_what_it_may_not_know_would_be_noticed() -> None:
    for module, name in (("ichiba.dsl.meaning.naming", "name_meaning"), ("ichiba.dsl.rules", "ir"), ("ichiba.interpreter.run.table", "Table")):
        assert not is_its_own_business(module, name)
    assert not is_its_own_business("ichiba.dsl.ruleset", "build")
    assert is_its_own_business("ichiba.dsl.syntax", "tree") and len(its_own()) > 10
