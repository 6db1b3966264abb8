"""What the names and expressions of a generated module are, for who writes them in C: numbers, lists, and little else."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NUMBER, LIST, LISTS, DEEP, PACKED, KEYED, AMONG, NOTHING = "I", "L", "LL", "T", "P", "D", "A", "N"
# DEEP: a table with three indexes or more. PACKED: a list that Python keeps in one number; here it is a list as well.
# KEYED: what has been seen, by how it looks. AMONG: a fixed set, of which only is asked whether something is in it.

C_NAMES = {LIST: "L", LISTS: "LL", PACKED: "L", KEYED: "D", NUMBER: "I"}
HUGE = 1 << 62
NUMBERS = frozenset({
    "sum", "any", "all", "len", "bool", "big", "times", "place_in", "fitting", "power", "first_of", "dot", "count_any",
    "below", "weighted", "tick", "alike", "apart", "too_many",
})  # fmt: skip
LISTS_OF_NUMBERS = frozenset({
    "list", "tuple", "sorted", "frozenset", "range", "compress", "lying", "unpack", "cells_any", "all_but", "draw_many",
    "shuffled", "combos", "best", "distinct", "lowest", "unlike", "bag_choices",
})  # fmt: skip
FOR_PYTHON = ("dry", "leads_on", "invariants", "ranking")  # what only Python calls, or only it can do
SWITCHES = frozenset({"PIECES", "OPTIONS", "ANSWERS", "EXISTS", "SEATS", "DONE"})  # the lists of functions by number


class Untold(Exception):
    """This is not said in C: the function stays in Python."""


@dataclass(slots=True)
class Function:
    """One function of the generated module."""

    name: str
    node: ast.FunctionDef
    params: list[str] = field(init=False)  # but for the state and the context
    writes: bool = field(init=False)  # it has the context, so it may write
    kinds: dict[str, str] = field(default_factory=dict)
    gives: str | None = None
    why: str = ""  # it stays in Python, if not empty
    given_once: frozenset[str] = field(init=False)  # names that one place in an expression gives, and others only need

    def __post_init__(self) -> None:
        names = [argument.arg for argument in self.node.args.args]
        self.params = [name for name in names if name not in ("S", "C")]
        self.writes = "C" in names
        given = {part.target.id for part in ast.walk(self.node) if isinstance(part, ast.NamedExpr)}
        asked = {
            part.test.left.id
            for part in ast.walk(self.node)
            if isinstance(part, ast.IfExp) and isinstance(part.test, ast.Compare) and isinstance(part.test.left, ast.Name)
        }
        self.given_once = frozenset(given - asked)  # the others are asked for first: `x if x is not None else (x := …)`

    @property
    def looks_at_state(self) -> bool:
        return any(argument.arg == "S" for argument in self.node.args.args)

    @property
    def c_type(self) -> str:
        """What it gives, as C calls it."""
        return C_NAMES.get(self.gives or NUMBER, "I")


class Module:
    """The functions, the tables and the cases of a generated module, and what they all are."""

    def __init__(self, text: str, tables: Mapping[str, object], constants: Mapping[str, int]):
        tree = ast.parse(text)
        self.tables: dict[str, object] = {name: table for name, table in tables.items() if not isinstance(table, int)}
        self.constants = {**constants, **{name: int(table) for name, table in tables.items() if isinstance(table, int)}}
        self.gaps = {name for name, table in tables.items() if "None" in repr(table)}  # tables that leave entries out
        self.functions = {node.name: Function(node.name, node) for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.switches: dict[str, list[str | None]] = {}
        self.cases: dict[str, tuple[dict[int, str], str | None]] = {}
        self.looks: dict[str, tuple[str, str]] = {}  # how a thing looks, and how what lies on it does
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self._given(node.targets[0].id, node.value)
        for name in ("dry", "to_question"):
            self.functions[name].gives = NUMBER
        self._settle()

    def _given(self, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Constant) and isinstance(value.value, int):
            self.constants[name] = value.value
        elif isinstance(value, ast.List):
            if name in SWITCHES:
                self.switches[name] = [one.id if isinstance(one, ast.Name) else None for one in value.elts]
                for one in filter(None, self.switches[name]):
                    self.functions[one].gives = LIST if name == "OPTIONS" else NUMBER
            else:
                self.tables[name] = tuple(ast.literal_eval(value))
        elif isinstance(value, ast.Tuple):
            plain, deep = (one.id if isinstance(one, ast.Name) else "" for one in value.elts)
            self.looks[name] = plain, deep
            if deep:
                self.functions[deep].why = "C does not look into it"
        elif isinstance(value, ast.Call) and ast.unparse(value.func) == "Cases":
            cases, default = value.args
            assert isinstance(cases, ast.Dict)
            found = {
                int(ast.literal_eval(key)): one.id
                for key, one in zip(cases.keys, cases.values, strict=True)
                if key is not None and isinstance(one, ast.Name)
            }
            self.cases[name] = found, default.id if isinstance(default, ast.Name) else None

    def _settle(self) -> None:
        """Look until nothing new is found out."""
        before = None
        while before != (seen := [(f.gives, sorted(f.kinds.items())) for f in self.functions.values()]):
            before = seen
            for function in self.functions.values():
                if not function.why:
                    try:
                        Looking(self, function).all()
                    except Untold as reason:
                        function.why = str(reason)

    def of_case(self, name: str) -> Function:
        """A function of these cases; they are all alike."""
        cases, default = self.cases[name]
        return self.functions[next(iter(cases.values()), default or "")]

    def alternatives(self, name: str) -> list[Function]:
        cases, default = self.cases[name]
        return [self.functions[one] for one in dict.fromkeys([*cases.values(), *([default] if default else [])])]


def merged(one: str | None, other: str | None) -> str | None:
    """What either of two can be."""
    if one == other or other is None or other == NOTHING:
        return one
    if one is None or one == NOTHING:
        return other
    if {one, other} == {NUMBER, PACKED}:
        return PACKED
    raise Untold(f"it is {one} and {other}")


class Looking:
    """Looks at one function: what its names are and what it gives."""

    def __init__(self, module: Module, function: Function):
        self.module, self.function = module, function
        self.kinds = function.kinds
        self.keys: set[str] = set()  # names of what things look like

    def all(self) -> None:
        for name in self.function.params:
            self.kinds.setdefault(name, NUMBER)
        for node in ast.walk(self.function.node):
            match node:
                case ast.Assign(targets=[target], value=value):
                    self._assign(target, value)
                case ast.Compare(left=ast.NamedExpr(target=ast.Name(id=name)), comparators=[ast.Name(id=seen)]) if (
                    self.kinds.get(seen) == KEYED
                ):
                    self.keys.add(name)
                    self._is(name, LIST)
                case ast.NamedExpr(target=ast.Name(id=name), value=value) if name not in self.keys:
                    self._is(name, self.kind(value))
                case ast.AugAssign(target=ast.Name(id=name), value=value):
                    self._is(name, self.kind(value))
                case ast.For(target=ast.Name(id=name), iter=source):
                    self._is(name, self.element(source))
                case ast.For(target=ast.Tuple(elts=targets)):
                    for target in targets:
                        if isinstance(target, ast.Name):
                            self._is(target.id, NUMBER)
                case ast.comprehension(target=ast.Name(id=name), iter=source):
                    self._is(name, self.element(source))
                case ast.Return(value=value):
                    given = NOTHING if value is None else self.kind(value)
                    self.function.gives = merged(self.function.gives, given)
                case ast.Call():
                    self._pass(node)
                case ast.Try() | ast.With() | ast.Yield() | ast.FunctionDef() if node is not self.function.node:
                    raise Untold(type(node).__name__)

    def _is(self, name: str, kind: str | None) -> None:
        found = merged(self.kinds.get(name), kind)
        if found is not None:
            self.kinds[name] = found

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                if not _is_append(value):
                    self._is(name, self.kind(value))
            case ast.Subscript(value=ast.Name(id=name)) if self.kinds.get(name) == KEYED:
                self._is(f"{name}[]", self.kind(value))

    def _pass(self, call: ast.Call) -> None:
        """What is passed on to a function of the module."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr="setdefault"):
                self._is(f"{name}[]", self.kind(call.args[1]))
                return
        for called in self.called(call):
            given = [arg for arg in call.args if not (isinstance(arg, ast.Name) and arg.id in ("S", "C"))]
            for name, arg in zip(called.params, given, strict=False):
                if self.kind(arg) == PACKED:
                    called.kinds[name] = PACKED
                    for other in self.called(call):
                        other.kinds[other.params[called.params.index(name)]] = PACKED

    def called(self, call: ast.Call) -> Sequence[Function]:
        match call.func:
            case ast.Name(id=name) if name in self.module.functions:
                return [self.module.functions[name]]
            case ast.Subscript(value=ast.Name(id=name)) if name in self.module.cases:
                return self.module.alternatives(name)
        return []

    # ------------------------------------------------------------------------------------------ expressions

    def kind(self, e: ast.expr) -> str | None:
        match e:
            case ast.Constant(value=None):
                return NOTHING
            case ast.Constant(value=int(value)):
                return PACKED if abs(value) >= HUGE else NUMBER
            case ast.Name(id=name):
                return self._of_name(name)
            case ast.BinOp(left=left):
                return LIST if isinstance(left, ast.List) else NUMBER
            case ast.UnaryOp() | ast.Compare() | ast.Attribute(value=ast.Name(id="C")):
                return NUMBER
            case ast.BoolOp(values=values):
                return self._any_of(values)
            case ast.IfExp(body=body, orelse=orelse):
                return merged(self.kind(body), self.kind(orelse))
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                return self.kinds.get(name) or self.kind(value)
            case ast.Subscript(value=value, slice=at):
                return LIST if isinstance(at, ast.Slice) else self._of_deep(e) or self._entry(value)
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt):
                return LISTS if self.kind(elt) == LIST else LIST
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return LISTS if any(not isinstance(one, ast.Starred) and self.kind(one) == LIST for one in elts) else LIST
            case ast.Dict():
                return KEYED
            case ast.Call():
                return self._of_call(e)
        return None

    def _of_name(self, name: str) -> str | None:
        if name in self.kinds:
            return self.kinds[name]
        if name in self.module.constants:
            return NUMBER
        return kind_of_table(self.module.tables[name]) if name in self.module.tables else None

    def _of_deep(self, e: ast.Subscript) -> str | None:
        """What is left of a table with many indexes, when some of them are given."""
        name, at = indexes(e)
        if name in self.kinds or (kind_of_table(table := self.module.tables.get(name)) != DEEP):
            return None
        left = depth(table) - len(at)
        return NUMBER if left == 0 else LIST if left == 1 else LISTS if left == 2 else DEEP if left > 2 else None

    def _any_of(self, values: Iterable[ast.expr]) -> str | None:
        found: str | None = None
        for value in values:
            found = merged(found, self.kind(value))
        return found

    def _entry(self, value: ast.expr) -> str | None:
        match value:
            case ast.Name(id="S"):
                return NUMBER
            case ast.Name(id=name) if self.kinds.get(name) == KEYED:
                return self.kinds.get(f"{name}[]")
        kind = self.kind(value)
        return NUMBER if kind == LIST else LIST if kind == LISTS else None

    def _of_call(self, call: ast.Call) -> str | None:
        match call.func:
            case ast.Name(id="pack"):
                return PACKED
            case ast.Name(id="min" | "max" | "next"):
                return NUMBER
            case ast.Name(id=name) if name in self.module.functions:
                return self.module.functions[name].gives
            case ast.Name(id=name):
                return NUMBER if name in NUMBERS else LIST if name in LISTS_OF_NUMBERS else None
            case ast.Attribute(value=ast.Name(id=name), attr="setdefault"):
                return self.kind(call.args[1])
            case ast.Attribute(attr="index" | "get"):
                return NUMBER
            case ast.Subscript(value=ast.Name(id=name)) if name in self.module.cases:
                return self._of_cases(name)
            case ast.Subscript(value=ast.Name(id=name)) if name in SWITCHES:
                return LIST if name == "OPTIONS" else NUMBER
        return None

    def _of_cases(self, name: str) -> str | None:
        found: str | None = None
        for function in self.module.alternatives(name):
            found = merged(found, function.gives)
        return found

    def element(self, source: ast.expr) -> str | None:
        """What goes through a loop."""
        match source:
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt):
                return self.kind(elt)
            case ast.Name(id="MANY"):
                return NUMBER
        kind = self.kind(source)
        return LIST if kind == LISTS else NUMBER if kind in (LIST, PACKED) else None


def depth(table: object) -> int:
    """How many indexes a table of rows of rows has."""
    return 1 + max(map(depth, table), default=0) if isinstance(table, tuple | list) else 0


def indexes(e: ast.expr) -> tuple[str, list[ast.expr]]:
    """`T[a][b]` as the name T and what stands in its brackets."""
    at: list[ast.expr] = []
    while isinstance(e, ast.Subscript):
        at.insert(0, e.slice)
        e = e.value
    return (e.id if isinstance(e, ast.Name) else ""), at


def kind_of_table(table: Any) -> str | None:
    """Of a table that never changes."""
    if isinstance(table, dict):
        deepest = max(map(depth, table.values()), default=0)
        return LIST if not deepest else LISTS if deepest == 1 else None
    if isinstance(table, frozenset):
        return AMONG
    if isinstance(table, tuple | list):
        if any(isinstance(value, str) for value in table):
            return None
        return {0: LIST, 1: LIST, 2: LISTS}.get(depth(table), DEEP)
    return None


def _is_append(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and value.attr == "append"
