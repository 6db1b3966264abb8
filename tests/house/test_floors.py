"""The floors of each room: few files to a folder, and imports that go one way."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.house.test_rooms import ORDER, ROOT, files, imports

MOST_FILES = 12  # in one folder, beside its __init__.py
LISTS = ("table/commands",)  # one file for each of what everybody knows by its name


def code() -> list[Path]:
    return [path.relative_to(ROOT) for path in files(".py", under=ORDER)]


def test_a_folder_can_be_taken_in_at_a_glance() -> None:
    folders: dict[Path, list[str]] = defaultdict(list)
    for path in code():
        if path.name != "__init__.py":
            folders[path.parent].append(path.name)
    assert {str(folder): names for folder, names in folders.items() if len(names) > MOST_FILES and str(folder) not in LISTS} == {}


def test_each_folder_says_what_it_holds() -> None:
    silent = []
    for folder in {path.parent for path in code()}:
        said = ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text(encoding="utf-8")))
        silent += [str(folder)] if not said else []
    assert silent == []


def module_of(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def at_load(path: Path) -> Iterable[str]:
    """The modules of ours that are imported when this one is."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    for _, name in imports(tree, ".".join(["ichiba", *path.parent.parts])):
        parts = name.split(".")[1:] if name.startswith("ichiba.") else []
        while parts and not ((ROOT / Path(*parts)).with_suffix(".py").is_file() or (ROOT / Path(*parts) / "__init__.py").is_file()):
            parts.pop()
        if parts:
            yield ".".join(parts)


def circle(edges: Mapping[str, set[str]]) -> list[str]:
    """A way along the edges that comes back to where it began; empty when there is none."""
    done: set[str] = set()

    def search(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        for other in sorted(edges.get(name, ())):
            if found := search(other, [*way, name]):
                return found
        done.add(name)
        return []

    for start in sorted(edges):
        if found := search(start, []):
            return found
    return []


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circle({module_of(path): {name for name in at_load(path) if name != module_of(path)} for path in code()}) == []


def test_no_folder_imports_itself_by_way_of_others() -> None:
    """A file that stands in a room itself is a floor of its own."""
    folder = {
        module_of(path): ".".join(path.parent.parts) if len(path.parts) > 2 else module_of(path) for path in code()
    }
    edges: dict[str, set[str]] = defaultdict(set)
    for path in code():
        here = folder[module_of(path)]
        edges[here] |= {folder[name] for name in at_load(path)} - {here}
    assert circle(edges) == []


@pytest.mark.parametrize(
    ("edges", "way"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, ["b", "c", "b"]),
        ({"a": {"a"}}, ["a", "a"]),
    ],
)
def test_circles_are_found(edges: dict[str, set[str]], way: list[str]) -> None:
    assert circle(edges) == way
