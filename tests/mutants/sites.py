"""Python with one small fault in it: where a fault can be made, and the function that has it.

A fault is made in a function's body and exchanged while the program runs, so that nothing has to be imported anew.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

HOUSE = Path(__file__).resolve().parents[2]
OTHER: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
FIRST_AND_LAST = {"min": "max", "max": "min", "any": "all", "all": "any"}
NO_ORDER = ("isinstance", "cast", "zip", "add", "warn")  # whose arguments say by their type where they belong
TELLING = ("fault", "faults.add", "mismatch", "nearest", "unknown_key", "quote")  # how a fault is said, not whether
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Site:
    """A place where a fault can be made: which one of its file, where, and what it would be."""

    path: str
    number: int
    line: int
    end: int
    function: str  # the outermost one around it, `Naming.name` of a class
    what: str
    text: str
    sentence: str = ""  # its line, where the text says too little
    nth: int = 1  # of those that are called the same

    def __str__(self) -> str:
        """What it is, in whichever file it stands: files are moved and cut in two without another meaning."""
        within = f" in: {self.sentence}" if self.sentence else ""
        return f"{self.function}: {self.what}: {self.text}{within}" + (f" ({self.nth})" if self.nth > 1 else "")


class Spoil(ast.NodeTransformer):
    """Walks over the bodies of functions and makes the fault with a certain number; without one, lists all."""

    def __init__(self, path: str, wanted: int = -1, text: str = ""):
        self.path, self.wanted = path, wanted
        self.lines = text.splitlines()
        self.sites: list[Site] = []
        self.called: Counter[tuple[str, ...]] = Counter()
        self.homes: list[str] = []
        self.inside = 0  # how many functions are around us
        self.asked: set[str] = set()  # of what a function asks how many there are: where there is one, the first is the last

    def here(self, node: ast.AST, what: str, shown: ast.AST | None = None) -> bool:
        if not self.inside:
            return False
        line, end = node.lineno, node.end_lineno or node.lineno  # type: ignore[attr-defined]
        text = " ".join(ast.unparse(shown or node).split())
        sentence = self.lines[line - 1].strip() if isinstance(node, ast.Constant) and self.lines else ""
        function = ".".join(self.homes)
        self.called[function, what, text[:110], sentence] += 1
        nth = self.called[function, what, text[:110], sentence]
        self.sites.append(Site(self.path, len(self.sites), line, end, function, what, text[:110], sentence, nth))
        return len(self.sites) - 1 == self.wanted

    # ------------------------------------------------------------------------------------------ where we are

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        if self.inside:
            return node
        self.homes.append(node.name)
        self.generic_visit(node)
        self.homes.pop()
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """What is given back after a fault stands in for what is not there, and is never looked at."""
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if self.inside and isinstance(block, list) and len(block) > 1 and isinstance(block[-1], ast.Return):
                if isinstance(block[-2], ast.Expr) and isinstance(block[-2].value, ast.Call) and _tells(block[-2].value):
                    stand_in = block.pop()
                    super().generic_visit(node)
                    block.append(stand_in)
                    return node
        return super().generic_visit(node)

    def visit_FunctionDef(self, node: Function) -> ast.AST:
        if not self.inside:
            self.homes.append(node.name)
            self.asked = {ast.unparse(part) for part in ast.walk(node) if isinstance(part, ast.Call) and _called(part) == "len"}
        self.inside += 1
        start = 1 if ast.get_docstring(node) is not None else 0
        node.body[start:] = [self.visit(s) for s in node.body[start:]]
        self.inside -= 1
        if not self.inside:
            self.homes.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    # ------------------------------------------------------------------------------------------ what is left alone

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        """Lists that are walked together have one length: `strict` only says so."""
        return node if node.arg == "strict" else self.generic_visit(node)

    # ------------------------------------------------------------------------------------------ faults

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        for n, op in enumerate(node.ops):
            if type(op) in OTHER and self.here(node, "another comparison"):
                node.ops[n] = OTHER[type(op)]()
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if type(node.op) in OTHER and not _is_text(node) and self.here(node, "another sign"):
            node.op = OTHER[type(node.op)]()
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        if self.here(node, "and for or"):
            node.op = OTHER[type(node.op)]()
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return node if isinstance(node.operand, ast.Constant) else self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is bool and self.here(node, "the other flag"):
            return ast.copy_location(ast.Constant(not node.value), node)
        if type(node.value) is int:
            if self.here(node, "one more"):
                return ast.copy_location(ast.Constant(node.value + 1), node)
            if self.here(node, "one less"):
                return ast.copy_location(ast.Constant(node.value - 1), node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self._condition(node.test)
        return self.generic_visit(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self._condition(node.test)
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._condition(node.test)
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.ifs = [self._condition(test) for test in node.ifs]
        return self.generic_visit(node)

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        if node.guard is not None:
            node.guard = self._condition(node.guard)
        return self.generic_visit(node)

    def _condition(self, test: ast.expr) -> ast.expr:
        if self.here(test, "the other way round"):
            return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
        return test

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        at = ast.unparse(node.slice)
        if at in ("0", "-1") and f"len({ast.unparse(node.value)})" in self.asked:
            return node
        if at in ("0", "-1") and self.here(node, "first for last"):
            other = ast.parse("-1" if at == "0" else "0", mode="eval").body
            node.slice = ast.copy_location(other, node.slice)
            return node
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _called(node)
        if _tells(node):
            return node
        if isinstance(node.func, ast.Name) and name in FIRST_AND_LAST and self.here(node, "first for last"):
            node.func = ast.copy_location(ast.Name(FIRST_AND_LAST[name], ast.Load()), node.func)
        plain = not any(isinstance(a, ast.Starred) for a in node.args)
        first = 1 if node.args and ast.unparse(node.args[0]) == "c" else 0  # the context comes before what is said of it
        two = node.args[first : first + 2]
        if len(two) == 2 and plain and name not in NO_ORDER and ast.dump(two[0]) != ast.dump(two[1]):
            if self.here(node, "arguments in another order"):
                node.args[first : first + 2] = reversed(two)
        if name in ("assert_never", "cast"):
            return node
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
            if self.here(node, "a neighbour is given back"):
                node.value.elts.reverse()
        elif isinstance(node.value, ast.Call) and node.value.args and isinstance(node.value.args[0], ast.Name) and _called(node.value) != "str":
            if self.here(node, "a neighbour is given back"):
                node.value = node.value.args[0]
        elif node.value is not None and not isinstance(node.value, ast.Constant):
            if self.here(node, "nothing is given back"):
                node.value = ast.copy_location(ast.Constant(None), node.value)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Call) and _called(node.value) == "assert_never":
            return node
        return self._statement(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        return self._statement(node)

    def visit_Continue(self, node: ast.Continue) -> ast.AST:
        return self._statement(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """A name that is never given a value would be noticed by anybody."""
        if all(isinstance(target, ast.Name | ast.Tuple) for target in node.targets):
            return self.generic_visit(node)
        return self._statement(node)

    def _statement(self, node: ast.stmt) -> ast.AST:
        if self.here(node, "left out"):
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _tells(node: ast.Call) -> bool:
    return ast.unparse(node.func).endswith(TELLING)


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(isinstance(s, ast.JoinedStr) or isinstance(s, ast.Constant) and isinstance(s.value, str) for s in sides)


# ---------------------------------------------------------------------------------------------------- making it


def sites_of(path: str) -> list[Site]:
    """Every fault that can be made in a file, in the order of its text."""
    spoil = Spoil(path, text=_text(path))
    spoil.visit(_tree(path))
    return spoil.sites


def plant(site: Site) -> bool:
    """Make the fault in the running program. False where the function cannot be exchanged."""
    return _exchange(site, Spoil(site.path, site.number).visit(_tree(site.path)))


def watch(sites: Iterable[Site], came: Callable[[str], None]) -> None:
    """From now on tell by which of these places the program comes."""
    by_path: dict[str, list[Site]] = {}
    for site in sites:
        by_path.setdefault(site.path, []).append(site)
    for path, there in by_path.items():
        tree = _tree(path)
        for site in there:
            _mark(tree, site)
        vars(_module(path))["_came_"] = came
        for site in there:
            _exchange(site, tree)


def _mark(tree: ast.Module, site: Site) -> None:
    """A call before the sentence in which the place lies."""
    found: list[tuple[int, list[ast.stmt], ast.stmt]] = []
    for node in ast.walk(tree):
        blocks: list[Any] = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
        for block in blocks:
            for inner in block if isinstance(block, list) else []:
                last = inner.end_lineno or inner.lineno
                if inner.lineno <= site.line and site.end <= last and not _is_home(inner):
                    found.append((last - inner.lineno, block, inner))
    _, block, sentence = min(found, key=lambda one: one[0])
    call = ast.Expr(ast.Call(ast.Name("_came_", ast.Load()), [ast.Constant(str(site))], []))
    block.insert(block.index(sentence), ast.fix_missing_locations(ast.copy_location(call, sentence)))


def _is_home(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _exchange(site: Site, tree: ast.Module) -> bool:
    """Put the function in which the place lies, as it stands in this tree, into the running program."""
    whole = compile(ast.fix_missing_locations(tree), str(HOUSE / site.path), "exec")
    found = list(_functions(_module(site.path), site.function.split(".")))
    for function in found:
        other = _code_of(whole, function.__code__)
        if other is None or other.co_freevars != function.__code__.co_freevars:
            return False
        function.__code__ = other
    return bool(found)


def _tree(path: str) -> ast.Module:
    return ast.parse(_text(path))


@cache
def _text(path: str) -> str:
    """Read once: nobody may be disturbed by what is changed on disk meanwhile."""
    return (HOUSE / path).read_text(encoding="utf-8")


def _module(path: str) -> ModuleType:
    return sys.modules["ichiba." + path.removesuffix(".py").replace("/", ".")]


def _functions(home: object, names: list[str]) -> Iterator[FunctionType]:
    """The functions of that name; a property or a kept answer is looked into."""
    inner = vars(home).get(names[0])
    if len(names) > 1:
        if inner is not None:
            yield from _functions(inner, names[1:])
        return
    for one in (
        inner,
        getattr(inner, "fget", None),
        getattr(inner, "__func__", None),
        getattr(inner, "__wrapped__", None),
    ):
        if isinstance(one, FunctionType):
            while hasattr(one, "__wrapped__"):
                one = one.__wrapped__
            yield one
            return


def _code_of(whole: CodeType, like: CodeType) -> CodeType | None:
    for inner in whole.co_consts:
        if isinstance(inner, CodeType):
            if (inner.co_qualname, inner.co_firstlineno) == (like.co_qualname, like.co_firstlineno):
                return inner
            found = _code_of(inner, like)
            if found is not None:
                return found
    return None
