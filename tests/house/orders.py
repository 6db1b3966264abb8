"""Finds where Python code goes through a set: its order hangs on hashes, of texts on a seed, of objects on addresses.

What is a set is told by annotations and by how it is made. Attributes and functions are known by their names alone, in
all rooms together: that finds too much rather than too little. Where the order is lost again it is no matter: in
`sorted`, `any`, `all`, `len`, `sum`, in another set, or in a test whether something is in it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SETS = {"set", "frozenset", "Set", "AbstractSet", "MutableSet"}
KEEP_NO_ORDER = {"sorted", "any", "all", "len", "sum", "set", "frozenset", "bool", "Counter", "isinstance"}
OF_SETS = {"union", "intersection", "difference", "symmetric_difference", "copy"}
TAKES_SETS = {"update", "intersection_update", "difference_update", "issubset", "issuperset", "isdisjoint", *OF_SETS}
IN_ORDER = {"list", "tuple", "next", "iter", "enumerate", "zip", "map", "filter", "fromkeys", "extend", "join", "chain", "dict",
            "reversed", "deque", "from_iterable", "max", "min"}  # fmt: skip


@dataclass(frozen=True)
class Loop:
    """A place that goes through a set."""

    path: str
    line: int
    text: str


@dataclass
class Known:
    """Names that stand for sets, wherever they are declared; what stands for something else too is told by its class."""

    attributes: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    own: dict[str, set[str]] = field(default_factory=dict)  # by class
    others: dict[str, set[str]] = field(default_factory=dict)  # by class: attributes that are something else
    shelves: set[str] = field(default_factory=set)  # attributes that are maps to sets


def known_in(trees: Sequence[ast.Module]) -> Known:
    found = Known()
    others: set[str] = set()
    other_functions: set[str] = set()
    for tree in trees:
        for node in ast.walk(tree):
            match node:
                case ast.AnnAssign(target=ast.Attribute(attr=name), annotation=kind) if _is_shelf(kind):
                    found.shelves.add(name)
                case ast.FunctionDef(name=name, returns=returns):
                    (found.functions if _is_set_type(returns) else other_functions).add(name)
                case ast.ClassDef(name=owner, body=body):
                    found.shelves |= {ast.unparse(p.target) for p in body if isinstance(p, ast.AnnAssign) and _is_shelf(p.annotation)}
                    for name, is_set in _attributes(node):
                        (found.attributes if is_set else others).add(name)
                        if is_set:
                            found.own.setdefault(owner, set()).add(name)
    found.attributes -= others
    found.functions -= other_functions
    for one_class in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for node in ast.walk(one_class):
            match node:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=ast.Call(func=ast.Name(id=made))):
                    which = found.own if made in found.functions else found.others
                    which.setdefault(one_class.name, set()).add(name)
    return found


def _attributes(owner: ast.ClassDef) -> Iterator[tuple[str, bool]]:
    """What a class says of its attributes: whether they are sets."""
    for part in owner.body:
        if isinstance(part, ast.AnnAssign):
            yield ast.unparse(part.target), _is_set_type(part.annotation)
        if isinstance(part, ast.FunctionDef) and any(ast.unparse(one) == "property" for one in part.decorator_list):
            yield part.name, _is_set_type(part.returns)
    for node in ast.walk(owner):
        match node:
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name), annotation=annotation):
                yield name, _is_set_type(annotation)
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value) if _made(value):
                yield name, True


def _is_set_type(annotation: ast.expr | None) -> bool:
    match annotation:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return name in SETS
        case ast.BinOp(left=left, right=right):
            return _is_set_type(left) or _is_set_type(right)
        case _:
            return False


def _is_shelf(annotation: ast.expr) -> bool:
    match annotation:
        case ast.Subscript(value=ast.Name(id="dict" | "defaultdict" | "Mapping"), slice=ast.Tuple(elts=[_, kind])):
            return _is_set_type(kind)
        case _:
            return False


def _made(value: ast.expr) -> bool:
    match value:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in ("set", "frozenset")
        case _:
            return False


class Finder(ast.NodeVisitor):
    """Goes through one file, a function at a time."""

    def __init__(self, path: str, known: Known):
        self.path, self.known = path, known
        self.scopes: list[set[str]] = [set()]
        self.shelves: list[set[str]] = [set()]
        self.loops: list[Loop] = []
        self.free: set[int] = set()  # generators whose order is lost again
        self.owner = ""
        self.function = ""

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        before, self.owner = self.owner, node.name
        self.generic_visit(node)
        self.owner = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        own = {arg.arg for arg in (*node.args.args, *node.args.kwonlyargs) if _is_set_type(arg.annotation)}
        self.scopes.append(own)
        self.shelves.append({arg.arg for arg in node.args.args if arg.annotation is not None and _is_shelf(arg.annotation)})
        outer, self.function = self.function, ast.unparse(node)
        for part in ast.walk(node):
            match part:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if self.is_set(value):
                    own.add(name)
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_set_type(annotation):
                    own.add(name)
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_shelf(annotation):
                    self.shelves[-1].add(name)
                case ast.NamedExpr(target=ast.Name(id=name), value=value) if self.is_set(value):
                    own.add(name)
        self.generic_visit(node)
        self.scopes.pop()
        self.shelves.pop()
        self.function = outer

    def is_set(self, e: ast.expr) -> bool:
        match e:
            case ast.Name(id=name):
                return any(name in scope for scope in self.scopes)
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if name in self.known.own.get(self.owner, ()):
                return True
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if name in self.known.others.get(self.owner, ()):
                return False
            case ast.Attribute(attr=name):
                return name in self.known.attributes
            case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
                return self.is_set(left) or self.is_set(right)
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_set(body) or self.is_set(orelse)
            case ast.BoolOp(values=values):
                return any(map(self.is_set, values))
            case ast.Call(func=ast.Name(id=name)):
                return name in self.known.functions or _made(e)
            case ast.Call(func=ast.Attribute(attr="setdefault"), args=[_, otherwise]):
                return self.is_set(otherwise)
            case ast.Subscript(slice=ast.Slice()):
                return False
            case ast.Subscript(value=of) | ast.Call(func=ast.Attribute(value=of, attr="get")) if self.is_shelf(of):
                return True
            case ast.Call(func=ast.Attribute(value=of, attr=name)):
                return name in self.known.functions or name in OF_SETS and self.is_set(of)
            case _:
                return _made(e)

    def is_shelf(self, e: ast.expr) -> bool:
        if isinstance(e, ast.Name):
            return any(e.id in scope for scope in self.shelves)
        return isinstance(e, ast.Attribute) and e.attr in self.known.shelves

    def goes_through(self, e: ast.expr) -> None:
        if self.is_set(e):
            self.loops.append(Loop(self.path, e.lineno, ast.unparse(e)))

    def visit_For(self, node: ast.For) -> None:
        self.goes_through(node.iter)
        self.generic_visit(node)

    def visit_Starred(self, node: ast.Starred) -> None:
        if id(node) not in self.free:
            self.goes_through(node.value)
        self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> None:
        self.free.update(map(id, node.elts))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
        by_key = any(word.arg == "key" for word in node.keywords)  # of equals the first one comes first
        if name in KEEP_NO_ORDER and not by_key or name in TAKES_SETS:
            self.free.update(map(id, node.args))
            self.free.update(id(arg.value) for arg in node.args if isinstance(arg, ast.Starred))
        elif name == "sorted" or name in IN_ORDER and not (name in ("max", "min") and not node.keywords):
            for arg in node.args:
                self.goes_through(arg)
        elif name == "pop" and not node.args and isinstance(node.func, ast.Attribute):
            if f"len({ast.unparse(node.func.value)}) == 1" not in self.function:  # of one there is only one order
                self.goes_through(node.func.value)
        self.generic_visit(node)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.DictComp) -> None:
        if id(node) not in self.free:
            for part in node.generators:
                self.goes_through(part.iter)
        self.generic_visit(node)

    visit_ListComp = visit_GeneratorExp = visit_DictComp = _comprehension  # a set of what a set has is a set again


def loops_in(paths: Iterable[Path], root: Path) -> Iterator[Loop]:
    """Every place in these files that goes through a set in an order that somebody could see."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    known = known_in(list(trees.values()))
    for path, tree in trees.items():
        finder = Finder(path.relative_to(root).as_posix(), known)
        finder.visit(tree)
        yield from finder.loops
