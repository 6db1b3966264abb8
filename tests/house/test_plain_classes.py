"""Classes can be read where they stand: nothing is inherited from far, and what an object has is declared."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.house.test_floors import code, module_of
from tests.house.test_rooms import ROOT

DEEPEST = 2  # so many steps up
# Where it is asked of things that are not ours what they have.
HONEST = {
    ("dsl/files/pickling.py", "_given_to_constructor"): "what dataclasses have made of a class",
    ("dsl/syntax/parse.py", "on_menu_item"): "a part of lark's tree is a tree or a token",
    ("dsl/syntax/parse.py", "span"): "lark leaves out where an empty tree stands",
    ("interpreter/native/compiler.py", "_replaced"): "a dict that the generated module has made",
    ("lab/bench/drivers.py", "copying"): "engines of other people",
}
PLATFORM = ("os", "signal")  # what the system we run on does not have


def lineage(name: str, bases: Mapping[str, list[str]]) -> list[str]:
    """A class and, the longest way up, those of ours that it extends."""
    above = [lineage(base, bases) for base in bases[name] if base in bases and base != name]
    return [name, *max(above, key=len, default=[])]


def classes() -> dict[str, list[str]]:
    """By its full name: the full names of what it extends, as far as they are ours."""
    found: dict[str, list[str]] = {}
    for path in code():
        tree, module = ast.parse((ROOT / path).read_text(encoding="utf-8")), module_of(path)
        known = {node.name: f"{module}.{node.name}" for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ichiba."):
                for alias in node.names:
                    known[alias.asname or alias.name] = f"{str(node.module).removeprefix('ichiba.')}.{alias.name}"
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[f"{module}.{node.name}"] = [known[base] for base in map(ast.unparse, node.bases) if base in known]
    return found


def test_nothing_is_inherited_from_further_than_two_classes_up() -> None:
    bases = classes()
    deep = {name: lineage(name, bases) for name in bases}
    assert [way for way in deep.values() if len(way) - 1 > DEEPEST] == []


def test_the_longest_way_up_is_told() -> None:
    assert lineage("c", {"c": ["b", "x"], "b": ["a"], "a": [], "x": []}) == ["c", "b", "a"]


def unsure(source: str) -> Iterator[tuple[str, str]]:
    """Where an object is asked for what it may not have, or given what it does not declare: in which function, and how."""

    def look(node: ast.AST, home: str) -> Iterator[tuple[str, str]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Name):
                asks = child.func.id == "hasattr" or child.func.id == "getattr" and len(child.args) == 3
                if asks and ast.unparse(child.args[0]) not in PLATFORM:
                    yield home, ast.unparse(child)
            if isinstance(child, ast.Attribute) and child.attr == "__dict__":
                yield home, ast.unparse(child)
            yield from look(child, child.name if isinstance(child, ast.FunctionDef) else home)

    return look(ast.parse(source), "")


def test_nobody_asks_for_an_attribute_that_may_not_be_there() -> None:
    found = {
        (path.as_posix(), home): text
        for path in code()
        for home, text in unsure((ROOT / path).read_text(encoding="utf-8"))
    }
    assert {place: text for place, text in found.items() if place not in HONEST} == {}
    assert set(HONEST) - set(found) == set(), "these need not be excused any more"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(a): return getattr(a, 'b', 1)", [("f", "getattr(a, 'b', 1)")]),
        ("def f(a): return getattr(a, 'b')", []),
        ("def f(a): return hasattr(os, 'fork') or hasattr(a, 'b')", [("f", "hasattr(a, 'b')")]),
        ("def f(a): a.__dict__.setdefault('b', 1)", [("f", "a.__dict__")]),
    ],
)
def test_such_asking_is_seen(text: str, found: list[tuple[str, str]]) -> None:
    assert list(unsure(text)) == found


def test_the_list_names_files_that_exist() -> None:
    assert [name for name in (path for path, _ in HONEST) if not (ROOT / Path(name)).exists()] == []
