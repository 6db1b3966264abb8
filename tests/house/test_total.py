"""A class that is new in the syntax or in the rules is silently passed over nowhere: each `match` names them all, or says
why it need not.

A `match` over moves, statements or declarations ends in `assert_never` (or raises), so that strict mypy names every place that
has to learn of a new one. Of expressions and sets one may ask whether they are of a certain shape; then the last case says
in a comment, `# any other: …`, why its answer is right for those that are still to come.
"""

import ast
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import get_args

import pytest

from ichiba.dsl.rules import effects, ir
from ichiba.dsl.syntax import tree

from .test_rooms import ROOT, files

HOMES = {"ichiba.dsl.rules.ir": ir, "ichiba.dsl.syntax.tree": tree}
WRITTEN_ANEW = ("interpreter/to_python/", "interpreter/to_c/", "interpreter/plan/")
DOING = {*get_args(ir.Stm), ir.Option, *get_args(tree.Statement), *get_args(tree.Item), *get_args(tree.MemberItem)}
WHY = "# any other: "


def names_of_classes(module: ast.Module) -> dict[str, type]:
    """What a file calls the classes of rules and syntax: `ir.Write`, `t.Raise`, or by their bare names."""
    known: dict[str, type] = {}
    for node in ast.walk(module):
        for one in node.names if isinstance(node, ast.ImportFrom) else ():
            assert isinstance(node, ast.ImportFrom)
            if (home := HOMES.get(f"{node.module}.{one.name}")) is not None:
                known |= {f"{one.asname or one.name}.{name}": cls for name, cls in classes_of(home)}
            elif (home := HOMES.get(node.module or "")) is not None:
                known |= {one.asname or name: cls for name, cls in classes_of(home) if name == one.name}
    return known


def classes_of(home: object) -> list[tuple[str, type]]:
    return [(name, cls) for name, cls in vars(home).items() if isinstance(cls, type) and is_dataclass(cls)]


def asked_for(pattern: ast.pattern) -> Iterator[str]:
    """The classes of which the subject itself may be."""
    match pattern:
        case ast.MatchClass(cls=cls):
            yield ast.unparse(cls)
        case ast.MatchOr(patterns=several):
            for one in several:
                yield from asked_for(one)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            yield from asked_for(inner)


def silent(text: str) -> Iterator[str]:
    """The matches of a file that pass over what they do not know."""
    lines = text.splitlines()
    module = ast.parse(text)
    known = names_of_classes(module)
    for node in ast.walk(module):
        if not isinstance(node, ast.Match):
            continue
        said = {known[name] for case in node.cases for name in asked_for(case.pattern) if name in known}
        if not said:
            continue
        last = node.cases[-1]
        everything = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
        where = f"{node.lineno}: match {ast.unparse(node.subject)}"
        if not everything:
            yield f"{where}: no last case"
        elif isinstance(last.body[0], ast.Raise) or ast.unparse(last.body[0]).startswith("assert_never("):
            continue
        elif said & DOING:
            yield f"{where}: whatever is done otherwise is passed over"
        elif WHY not in lines[last.pattern.lineno - 1]:
            yield f"{where}: any other is passed over, and it is not said why"


JUDGED = [
    path for path in files(".py", under=["dsl", "validator", "interpreter"])
    if not path.relative_to(ROOT).as_posix().startswith(WRITTEN_ANEW)
]  # fmt: skip


@pytest.mark.parametrize("path", JUDGED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_match_passes_over_what_it_does_not_know(path: Path) -> None:
    assert list(silent(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("cases", "fault"),
    [
        ("case ir.Write(): pass", "no last case"),
        ("case ir.Write(): pass\n    case _: pass", "whatever is done otherwise"),
        ("case ir.Write() | ir.Pay() as s: pass\n    case _:  # any other: does nothing\n        pass", "whatever is done otherwise"),
        ("case ir.Const(value=1): pass\n    case _: pass", "it is not said why"),
        ("case t.Raise(): pass\n    case _: pass", "whatever is done otherwise"),
        ("case ir.Const(value=1): pass\n    case _:  # any other: may be anything\n        pass", ""),
        ("case ir.Write(): pass\n    case _: assert_never(s)", ""),
        ("case ir.Write(): pass\n    case _: raise NobodyKnows", ""),
        ("case (ir.Write(),): pass\n    case _: pass", ""),  # how many there are of what
        ("case str(): pass", ""),
    ],
)
def test_a_silent_match_is_found(cases: str, fault: str) -> None:
    text = f"from ichiba.dsl.rules import ir\nfrom ichiba.dsl.syntax import tree as t\nmatch s:\n    {cases}\n"
    found = list(silent(text))
    assert len(found) == bool(fault) and all(fault in one for one in found)


def test_the_table_of_effects_has_a_line_for_each_class() -> None:
    """What mypy sees of the table, seen once more: each class of the rules stands in it."""
    text = (ROOT / "dsl/rules/effects.py").read_text(encoding="utf-8")
    table = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == effects._line.__name__)
    (match,) = [n for n in table.body if isinstance(n, ast.Match)]
    said = [name for case in match.cases for name in asked_for(case.pattern)]
    assert sorted(said) == sorted(f"ir.{cls.__name__}" for cls in get_args(ir.Node))
