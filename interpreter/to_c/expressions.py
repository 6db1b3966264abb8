"""Numbers and conditions of a generated module, in C."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from ichiba.interpreter.to_c.kinds import (
    AMONG,
    HUGE,
    KEYED,
    LIST,
    LISTS,
    NUMBER,
    PACKED,
    SWITCHES,
    Function,
    Looking,
    Module,
    Untold,
    indexes,
)

CHECKED = {ast.Add: "add", ast.Mult: "mul", ast.FloorDiv: "div_", ast.Mod: "mod_", ast.Pow: "power",
           ast.LShift: "shl", ast.RShift: "shr"}  # fmt: skip
COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
PLAIN = {"big": "big", "times": "times", "fitting": "not_below", "power": "power"}
# By name: what the runtime's functions in C take, but for `k`.
TAKES = {"first_of": "II", "lying": "IIIII", "count_any": "ILL", "cells_any": "ILL", "all_but": "IIII", "below": "I",
         "weighted": "LI", "draw_many": "III", "shuffled": "L", "combos": "LLI", "distinct": "L", "dot": "LL"}  # fmt: skip
NEAR = 1 << 40  # so much more or less cannot be too much


class Expressions(ABC):
    """Writes expressions. Where a word of Python has no counterpart here, `Untold` is raised."""

    module: Module
    function: Function
    looking: Looking
    fresh: int

    @abstractmethod
    def lst(self, e: ast.expr) -> str:
        """A list of numbers."""

    @abstractmethod
    def packed(self, e: ast.expr) -> str:
        """A list, from what Python keeps as one number."""

    @abstractmethod
    def listed(self, elts: Sequence[ast.expr]) -> str:
        """A list of just these."""

    @abstractmethod
    def kept(self, e: ast.expr) -> str:
        """The place of a list that grows."""

    @abstractmethod
    def looks(self, name: str) -> tuple[str, str]:
        """The functions that say how a thing looks: one in C, and one in Python for what lies on it, or none."""

    @abstractmethod
    def loops(self, generators: Sequence[ast.comprehension], leaf: Callable[[], str]) -> str:
        """The loops of a comprehension, one inside another."""

    @abstractmethod
    def bound(self, name: str, kind: str) -> AbstractContextManager[None]:
        """Within, a name of a loop or a lambda is of this kind."""

    def new(self) -> str:
        self.fresh += 1
        return f"t{self.fresh}"

    def kind(self, e: ast.expr) -> str:
        found = self.looking.kind(e)
        if found is None:
            raise Untold(f"what is `{ast.unparse(e)[:60]}`?")
        return found

    def in_any_order(self, *parts: ast.expr) -> None:
        """C may work these out in any order. That is not said where one of them needs a name that another one gives, or
        does something."""
        if not self.function.given_once and not self.function.writes:
            return
        parts = tuple(part for part in parts if not isinstance(part, ast.Constant) and not _is_name(part, "S", "C"))
        for one in parts if len(parts) > 1 else ():
            for inner in ast.walk(one):
                if isinstance(inner, ast.NamedExpr) and inner.target.id in self.function.given_once:
                    name = inner.target.id
                    if any(_is_name(n, name) for part in parts if part is not one for n in ast.walk(part)):
                        raise Untold(f"{name} is given and needed at once")
                if isinstance(inner, ast.Call) and any(_is_name(arg, "C") for arg in inner.args):
                    raise Untold(f"`{ast.unparse(one)}` is worked out in its turn")

    def name(self, e: ast.expr) -> str:
        if isinstance(e, ast.Name) and e.id in self.looking.kinds:
            return f"v_{e.id}"
        raise Untold(ast.unparse(e)[:40])

    # ------------------------------------------------------------------------------------------------------ conditions

    def truth(self, e: ast.expr) -> str:
        match e:
            case ast.BoolOp(op=op, values=values):
                sign = " && " if isinstance(op, ast.And) else " || "
                return "(" + sign.join(self.truth(value) for value in values) + ")"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(!{self.truth(operand)})"
            case ast.Constant(value=value):
                return "1" if value else "0"
            case ast.Compare():
                return self.compared(e)
            case ast.Call(func=ast.Name(id="tick")):
                return "(spend(k, 1), 1)"
            case ast.Call(func=ast.Name(id="any" | "all" as name), args=[ast.GeneratorExp() | ast.ListComp() as found]):
                return self.whether(name, found)
            case ast.Call(func=ast.Name(id="any" | "all" as name), args=[one]):
                each = ast.comprehension(ast.Name("each"), one, [], 0)
                return self.whether(name, ast.GeneratorExp(ast.Name("each"), [each]))
            case ast.Call(func=ast.Name(id="bool"), args=[one]):
                return self.truth(one)
        if self.kind(e) in (LIST, LISTS, PACKED):
            return f"({self.lst(e)}.n > 0)"
        return f"(({self.num(e)}) != 0)"

    def compared(self, e: ast.Compare) -> str:
        if len(e.ops) == 1:
            return self.pair(e.left, e.ops[0], e.comparators[0])
        one, names, parts = e.left, [], []
        text = self.num(e.left)
        for op, other in zip(e.ops, e.comparators, strict=True):
            if type(op) not in COMPARED:
                raise Untold(ast.unparse(e))
            name = self.new()
            names.append(f"I {name} = {self.num(other)};" if not isinstance(other, ast.Constant) else "")
            right = name if names[-1] else self.num(other)
            if one is e.left and not isinstance(one, ast.Constant | ast.Name):
                first = self.new()
                names.insert(0, f"I {first} = {text};")
                text = first
            parts.append(f"{text} {COMPARED[type(op)]} {right}")
            one, text = other, right
        return f"({{ {' '.join(names)} {' && '.join(parts)}; }})"

    def pair(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        self.in_any_order(left, right)
        if isinstance(op, ast.Is | ast.IsNot):
            if not isinstance(right, ast.Constant) or right.value is not None:
                raise Untold("is")
            sign = "!" if isinstance(op, ast.IsNot) else ""
            if self.kind(left) in (LIST, PACKED, LISTS):
                return f"({sign}({self.lst(left)}.n < 0))"
            return f"({sign}({self.num(left, open_=True)} == NONE))"
        if isinstance(op, ast.In | ast.NotIn):
            text = self.within(left, right)
            return f"(!{text})" if isinstance(op, ast.NotIn) else text
        if self.kind(left) != NUMBER or self.kind(right) != NUMBER:
            if {self.kind(left), self.kind(right)} == {LIST} and isinstance(op, ast.Eq):
                return f"same({self.lst(left)}, {self.lst(right)})"
            raise Untold(f"compare {ast.unparse(left)[:40]}")
        return f"({self.num(left)} {COMPARED[type(op)]} {self.num(right)})"

    def within(self, left: ast.expr, right: ast.expr) -> str:
        if self.kind(right) == KEYED:
            return f"(entry(&{self.name(right)}, {self.key(left)}) != NULL)"
        if self.kind(right) == AMONG and isinstance(right, ast.Name):
            return f"{right.id}_has({self.num(left)})"
        if isinstance(right, ast.Tuple | ast.List) and all(self.kind(one) == NUMBER for one in right.elts):
            name = self.new()
            parts = " || ".join(f"{name} == {self.num(one)}" for one in right.elts) or "0"
            return f"({{ I {name} = {self.num(left)}; {parts}; }})"
        return f"holds({self.lst(right)}, {self.num(left)})"

    def key(self, e: ast.expr) -> str:
        """A number or a tuple of numbers, as a list."""
        return self.listed([e]) if self.kind(e) == NUMBER else self.lst(e)

    def whether(self, name: str, found: ast.GeneratorExp | ast.ListComp) -> str:
        own, out = self.new(), self.new()
        wanted = "1" if name == "any" else "0"

        def leaf() -> str:
            test = self.truth(found.elt) if name == "any" else f"!{self.truth(found.elt)}"
            return f"if ({test}) {{ {own} = {wanted}; goto {out}; }}"

        return f"({{ I {own} = !{wanted}; {self.loops(found.generators, leaf)} {out}: {own}; }})"

    # --------------------------------------------------------------------------------------------------------- numbers

    def num(self, e: ast.expr, open_: bool = False) -> str:
        """`open_`: it may be None."""
        match e:
            case ast.Constant(value=None):
                return "NONE"
            case ast.Constant(value=int(value)) if abs(value) < HUGE:
                return f"{int(value)}LL" if abs(value) >= 1 << 31 else str(int(value))
            case ast.Name(id=name):
                return self._name(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"(-{self.num(operand)})"
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return f"(~{self.num(operand)})"
            case ast.UnaryOp(op=ast.Not()) | ast.Compare():
                return self.truth(e)
            case ast.BinOp(left=left, op=op, right=right):
                return self._calculated(left, op, right)
            case ast.BoolOp(op=op, values=values):
                return self._first(op, values)
            case ast.IfExp(test=ast.Attribute(attr="tracing"), orelse=orelse):
                return self.num(orelse)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({self.truth(test)} ? {self.num(body)} : {self.num(orelse)})"
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                return f"(v_{name} = {self.num(value)})"
            case ast.Subscript(value=value, slice=at) if not isinstance(at, ast.Slice):
                return self._entry(value, at, open_)
            case ast.Attribute(value=ast.Name(id="C"), attr="dry"):
                return "dry_of(k)"
            case ast.Call():
                return self._called(e)
        raise Untold(ast.unparse(e)[:80])

    def _name(self, name: str) -> str:
        if name in self.looking.kinds:
            if self.looking.kinds[name] != NUMBER:
                raise Untold(f"{name} is {self.looking.kinds[name]}")
            return f"v_{name}"
        if name in self.module.constants:
            return str(self.module.constants[name])
        raise Untold(name)

    def _calculated(self, left: ast.expr, op: ast.operator, right: ast.expr) -> str:
        self.in_any_order(left, right)
        one, other = self.num(left), self.num(right)
        if isinstance(op, ast.Add | ast.Sub):
            sign = "+" if isinstance(op, ast.Add) else "-"
            if any(isinstance(side, ast.Constant) and abs(int(side.value)) < NEAR for side in (left, right)):  # type: ignore[arg-type]
                return f"({one} {sign} {other})"
            return f"add(k, {one}, {'-' if sign == '-' else ''}({other}))"
        if isinstance(op, ast.BitAnd | ast.BitOr):
            return f"({one} {'&' if isinstance(op, ast.BitAnd) else '|'} {other})"
        if type(op) not in CHECKED:
            raise Untold(type(op).__name__)
        if isinstance(op, ast.FloorDiv | ast.Mod) and isinstance(right, ast.Constant) and right.value == 1:
            return one if isinstance(op, ast.FloorDiv) else "0"
        return f"{CHECKED[type(op)]}(k, {one}, {other})"

    def _first(self, op: ast.boolop, values: Sequence[ast.expr]) -> str:
        if any(self.kind(value) != NUMBER for value in values):
            raise Untold("and, or")
        return self.and_or(op, [self.num(value) for value in values], "I", "")

    def and_or(self, op: ast.boolop, texts: Sequence[str], c_type: str, there: str) -> str:
        """The value at which `and` or `or` stops; `there`: what of it says whether it counts as true."""
        text = texts[-1]
        for value in reversed(texts[:-1]):
            name = self.new()
            then = f"{text} : {name}" if isinstance(op, ast.And) else f"{name} : {text}"
            text = f"({{ {c_type} {name} = {value}; {name}{there} ? {then}; }})"
        return text

    def _entry(self, value: ast.expr, at: ast.expr, open_: bool) -> str:
        match value:
            case ast.Name(id="S"):
                if isinstance(at, ast.Constant) and isinstance(at.value, int) and 0 <= at.value < self.module.constants["PLACES"]:
                    return f"num(k, k->s[{at.value}])"
                return f"rd(k, {self.num(at)})"
            case ast.Name(id=name) if self.looking.kinds.get(name) == KEYED:
                return f"entry_there(k, &v_{name}, {self.key(at)})->one"
        self.in_any_order(*indexes(value)[1], at)
        text = f"item(k, {self.lst(value)}, {self.num(at)})"
        return text if open_ or not self._may_be_missing(value) else f"known(k, {text})"

    # ----------------------------------------------------------------------------------------------------------- calls

    def _called(self, e: ast.Call) -> str:
        self.in_any_order(*e.args)
        match e.func, e.args:
            case ast.Name(id="sum"), [ast.GeneratorExp() as found]:
                return self.summed(found)
            case ast.Name(id="sum"), [ast.Subscript(value=ast.Name(id="S"), slice=ast.Slice(lower=low, upper=high))]:
                return f"sum_of(k, {self.num(low)}, {self.num(high)})"  # type: ignore[arg-type]
            case ast.Name(id="sum"), [one]:
                own, each = self.new(), self.new()
                return (
                    f"({{ I {own} = 0; L {each} = {self.lst(one)}; "
                    f"for (I i = 0; i < {each}.n; i++) {own} = add(k, {own}, {each}.p[i]); {own}; }})"
                )
            case ast.Name(id="any" | "all" | "bool" | "tick"), _:
                return self.truth(e)
            case ast.Name(id="len"), [one]:
                return f"{self.lst(one)}.n"
            case ast.Name(id="min" | "max" as name), args:
                return self.extreme(name, args, e.keywords)
            case ast.Name(id="next"), [ast.GeneratorExp() as found, otherwise]:
                own, out = self.new(), self.new()
                took = self.loops(found.generators, lambda: f"{own} = {self.num(found.elt)}; goto {out};")
                return f"({{ I {own} = {self.num(otherwise)}; {took} {out}: {own}; }})"
            case ast.Name(id="apart"), [_, known, x, ast.Name(id=deep)]:
                return f'apart(k, {self.kept(known)}, {self.num(x)}, "{deep}")'
            case ast.Name(id="alike"), [_, ast.Name(id=seen), x, ast.Starred(value=ast.Name(id=look))]:
                plain, deep = self.looks(look)
                return f"alike(k, &v_{seen}, {self.num(x)}, {plain}, {deep})"
            case ast.Name(id="place_in"), [place, first, *_]:  # what is above the last is seen where it is looked up
                return f"not_below(k, ({self.num(place)} - {self.num(first)}))"
            case ast.Name(id=name), args if name in PLAIN:
                return f"{PLAIN[name]}(k, {', '.join(self.num(arg) for arg in args)})"
            case ast.Name(id=name), args if name in TAKES:
                return self.runtime(name, args)
            case ast.Attribute(value=ast.Name(id="S"), attr="index"), args:
                return f"index_of(k, {', '.join(self.num(arg) for arg in args)})"
            case ast.Attribute(value=ast.Name(id=name), attr="get"), [at, otherwise] if name in self.module.tables:
                own = self.new()
                return (
                    f"({{ I {own} = {name}_or(k, {self.num(at)}); {own} == NONE ? {self.num(otherwise)} : {own}; }})"
                )
            case ast.Attribute(value=ast.Name(id=name), attr="setdefault"), [at, value]:
                found_ = self.new()
                return (
                    f"({{ Entry *{found_} = entry_for(k, &v_{name}, {self.key(at)}); "
                    f"if ({found_}->one == NONE) {{ I made = {self.num(value)}; {found_}->one = made; }} {found_}->one; }})"
                )
            case ast.Name(id="too_many"), _:
                return "(miss(k), 0)"
        return self.own(e)

    def own(self, e: ast.Call) -> str:
        """A function of the module's own."""
        given = [arg for arg in e.args if not _is_name(arg, "S", "C")]
        match e.func:
            case ast.Name(id=name) if name in self.module.functions:
                function = self.module.functions[name]
                return f"{name}({', '.join(['k', *self.passed(function, given)])})"
            case ast.Subscript(value=ast.Name(id=name), slice=at) if name in self.module.cases:
                passed = self.passed(self.module.of_case(name), given)
                return f"{name}({', '.join(['k', self.num(at), *passed])})"
            case ast.Subscript(value=ast.Name(id=name), slice=at) if name in SWITCHES:
                return f"{name}({', '.join(['k', self.num(at), *(self.num(arg) for arg in given)])})"
        raise Untold(f"{ast.unparse(e.func)}()")

    def passed(self, function: Function, given: Sequence[ast.expr]) -> list[str]:
        if len(given) != len(function.params):
            raise Untold(f"{function.name} takes {function.params}")
        return [self.as_(arg, function.kinds.get(name, NUMBER)) for name, arg in zip(function.params, given, strict=True)]

    def as_(self, e: ast.expr, kind: str) -> str:
        """An expression as something of this kind."""
        if kind == NUMBER:
            return self.num(e)
        if kind == PACKED:
            return self.packed(e)
        if kind in (LIST, LISTS):
            return self.lst(e)
        raise Untold(kind)

    def runtime(self, name: str, args: Sequence[ast.expr]) -> str:
        args = [arg for arg in args if not _is_name(arg, "S", "C")]
        parts = [self.lst(arg) if kind == "L" else self.num(arg) for arg, kind in zip(args, TAKES[name], strict=True)]
        return f"{name}({', '.join(['k', *parts])})"

    def summed(self, found: ast.GeneratorExp) -> str:
        own = self.new()
        took = self.loops(found.generators, lambda: f"{own} = add(k, {own}, {self.num(found.elt)});")
        return f"({{ I {own} = 0; {took} {own}; }})"

    def extreme(self, name: str, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> str:
        if len(args) > 1:
            if keywords:
                raise Untold(name)
            text = self.num(args[0])
            for arg in args[1:]:
                text = f"{name}_({text}, {self.num(arg)})"
            return text
        told = {keyword.arg: keyword.value for keyword in keywords}
        default = told.pop("default", None)
        by = told.pop("key", None)
        if told:
            raise Untold(name)
        otherwise = "(miss(k), (I)0)" if default is None else self.num(default)
        best, mark, key = self.new(), self.new(), self.new()
        sign = "<" if name == "min" else ">"

        def each(value: str, marked: str) -> str:
            return (
                f"I {key} = {marked}; if ({best} == NONE || {key} {sign} {mark}) {{ {mark} = {key}; {best} = {value}; }}"
            )

        source = args[0]
        if by is None and isinstance(source, ast.GeneratorExp):
            took = self.loops(source.generators, lambda: f"I value = {self.num(source.elt)}; {each('value', 'value')}")
        else:
            items = self.new()
            value = f"{items}.p[i{items}]"
            if by is None:
                inner = each(value, value)
            else:
                if not isinstance(by, ast.Lambda):
                    raise Untold("key")
                x = by.args.args[0].arg
                with self.bound(x, NUMBER):
                    inner = f"I v_{x} = {value}; {each(f'v_{x}', self.num(by.body))}"
            took = f"L {items} = {self.lst(source)}; for (I i{items} = 0; i{items} < {items}.n; i{items}++) {{ {inner} }}"
        return f"({{ I {best} = NONE, {mark} = 0; {took} {best} == NONE ? {otherwise} : {best}; }})"

    def _may_be_missing(self, value: ast.expr) -> bool:
        """Whether an entry of this table may be."""
        while isinstance(value, ast.Subscript):
            value = value.value
        return isinstance(value, ast.Name) and value.id in self.module.gaps


def _is_name(e: ast.AST, *names: str) -> bool:
    return isinstance(e, ast.Name) and e.id in names
