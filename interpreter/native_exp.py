"""Expressions of a generated module, in C."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ichiba.interpreter.native_kinds import (
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
)

CHECKED = {ast.Add: "add", ast.Mult: "mul", ast.FloorDiv: "div_", ast.Mod: "mod_", ast.Pow: "power",
           ast.LShift: "shl", ast.RShift: "shr"}  # fmt: skip
COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
PLAIN = {"big": "big", "times": "times", "from_first": "not_below", "fitting": "not_below", "power": "power"}
# By name: what the runtime's functions in C take, but for `k`.
TAKES = {"first_of": "II", "lying": "IIIII", "count_any": "ILL", "cells_any": "ILL", "all_but": "IIII", "below": "I",
         "weighted": "LI", "draw_many": "III", "shuffled": "L", "combos": "LLI", "dot": "LL"}  # fmt: skip
C_NAMES = {LIST: "L", LISTS: "LL", PACKED: "L", KEYED: "D", NUMBER: "I"}
NEAR = 1 << 40  # so much more or less cannot be too much


class Expressions:
    """Writes expressions. Where a word of Python has no counterpart here, `Untold` is raised."""

    module: Module
    function: Function
    looking: Looking
    fresh: int

    def new(self) -> str:
        self.fresh += 1
        return f"t{self.fresh}"

    def kind(self, e: ast.expr) -> str:
        found = self.looking.kind(e)
        if found is None:
            raise Untold(f"what is `{ast.unparse(e)[:60]}`?")
        return found

    # -------------------------------------------------------------------------------------------- conditions

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

    # ---------------------------------------------------------------------------------------------- numbers

    def num(self, e: ast.expr, open_: bool = False) -> str:
        """`open_`: it may be None."""
        match e:
            case ast.Constant(value=None):
                return "NONE"
            case ast.Constant(value=int(value)) if abs(value) < HUGE:
                return f"{int(value)}LL" if abs(value) >= 1 << 31 else str(int(value))
            case ast.Name(id=name):
                return self._name(name, open_)
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

    def _name(self, name: str, open_: bool) -> str:
        if name in self.looking.kinds:
            if self.looking.kinds[name] != NUMBER:
                raise Untold(f"{name} is {self.looking.kinds[name]}")
            return f"v_{name}"
        if name in self.module.constants:
            return str(self.module.constants[name])
        raise Untold(name)

    def _calculated(self, left: ast.expr, op: ast.operator, right: ast.expr) -> str:
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
        text = self.num(values[-1])
        for value in reversed(values[:-1]):
            name = self.new()
            then = f"{text} : {name}" if isinstance(op, ast.And) else f"{name} : {text}"
            text = f"({{ I {name} = {self.num(value)}; {name} ? {then}; }})"
        return text

    def _entry(self, value: ast.expr, at: ast.expr, open_: bool) -> str:
        match value:
            case ast.Name(id="S"):
                if isinstance(at, ast.Constant) and isinstance(at.value, int) and 0 <= at.value < self.module.constants["PLACES"]:
                    return f"num(k, k->s[{at.value}])"
                return f"rd(k, {self.num(at)})"
            case ast.Name(id=name) if self.looking.kinds.get(name) == KEYED:
                return f"entry_there(k, &v_{name}, {self.key(at)})->one"
            case ast.Name(id=name) if name in self.module.rows:
                return f"{name}[{self.num(at)}]"
        text = f"item(k, {self.lst(value)}, {self.num(at)})"
        return text if open_ or not self._leaves_out(value) else f"known(k, {text})"

    def _leaves_out(self, value: ast.expr) -> bool:
        """Whether an entry of this table may be missing."""
        while isinstance(value, ast.Subscript):
            value = value.value
        table = self.module.tables.get(value.id) if isinstance(value, ast.Name) else None
        return table is not None and "None" in repr(table)

    def _called(self, e: ast.Call) -> str:
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
        given = [arg for arg in e.args if not (isinstance(arg, ast.Name) and arg.id in ("S", "C"))]
        match e.func:
            case ast.Name(id=name) if name in self.module.functions:
                function = self.module.functions[name]
                if function.why and function.writes is False and any(isinstance(a, ast.Name) and a.id == "C" for a in e.args):
                    raise Untold(name)
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
        args = [arg for arg in args if not (isinstance(arg, ast.Name) and arg.id in ("S", "C"))]
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

    # ------------------------------------------------------------------------------------------------ lists

    def name(self, e: ast.expr) -> str:
        if isinstance(e, ast.Name) and e.id in self.looking.kinds:
            return f"v_{e.id}"
        raise Untold(ast.unparse(e)[:40])

    def lst(self, e: ast.expr) -> str:
        match e:
            case ast.Constant(value=None):
                return "(L){-1, 0, NULL}"
            case ast.Name(id=name) if name in self.looking.kinds:
                if self.looking.kinds[name] not in (LIST, LISTS, PACKED):
                    raise Untold(f"{name} is {self.looking.kinds[name]}")
                return f"v_{name}"
            case ast.Name(id=name) if name in self.module.tables:
                return name
            case ast.List(elts=[one]) | ast.Tuple(elts=[one]) if not isinstance(one, ast.Starred):
                return self.listed([one])
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return self.joined(elts) if any(isinstance(one, ast.Starred) for one in elts) else self.listed(elts)
            case ast.ListComp() | ast.GeneratorExp():
                return self.collected(e)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({self.truth(test)} ? {self.lst(body)} : {self.lst(orelse)})"
            case ast.BoolOp(op=op, values=values):
                text = self.lst(values[-1])
                for value in reversed(values[:-1]):
                    name = self.new()
                    then = f"{text} : {name}" if isinstance(op, ast.And) else f"{name} : {text}"
                    text = f"({{ L {name} = {self.lst(value)}; {name}.n > 0 ? {then}; }})"
                return text
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                return f"(v_{name} = {self.key(value)})"
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Slice(lower=low, upper=high)) if low and high:
                return f"slice(k, {self.num(low)}, {self.num(high)})"
            case ast.Subscript(value=value, slice=ast.Slice(lower=low, upper=high)) if high:
                return f"part(k, {self.lst(value)}, {self.num(low) if low else '0'}, {self.num(high)})"
            case ast.Subscript(value=ast.Name(id=name), slice=at) if self.looking.kinds.get(name) == KEYED:
                return f"entry_there(k, &v_{name}, {self.key(at)})->list"
            case ast.Subscript(value=ast.Name(id=name), slice=at) if isinstance(self.module.tables.get(name), dict):
                own = self.new()
                return f"({{ L {own} = {name}_or(k, {self.num(at)}); if ({own}.n < 0) miss(k); {own}; }})"
            case ast.Subscript(value=value, slice=at) if not isinstance(at, ast.Slice):
                return f"row(k, {self.lst(value)}, {self.num(at)})"
            case ast.Call():
                return self._list_called(e)
        raise Untold(ast.unparse(e)[:80])

    def listed(self, elts: Sequence[ast.expr]) -> str:
        if not elts:
            return "(L){0, 0, NULL}"
        own = self.new()
        if any(self.kind(one) == LIST for one in elts):
            parts = ", ".join(self.lst(one) for one in elts)
            return (
                f"({{ L *{own} = room(k, {len(elts)} * (I)sizeof(L)); L made[] = {{{parts}}}; "
                f"memcpy({own}, made, sizeof made); (LL){{{len(elts)}, 0, {own}}}; }})"
            )
        fills = " ".join(f"{own}[{i}] = {self.num(one)};" for i, one in enumerate(elts))
        return f"({{ I *{own} = room(k, {len(elts)} * (I)sizeof(I)); {fills} (L){{{len(elts)}, 0, {own}}}; }})"

    def joined(self, elts: Sequence[ast.expr]) -> str:
        own = self.new()
        parts = [
            f"extend(k, &{own}, {self.lst(one.value)});"
            if isinstance(one, ast.Starred)
            else f"push(k, &{own}, {self.num(one)});"
            for one in elts
        ]
        return f"({{ L {own} = {{0, 0, NULL}}; {' '.join(parts)} {own}; }})"

    def collected(self, e: ast.ListComp | ast.GeneratorExp, into: str = "") -> str:
        """A list comprehension; or its values, put into a list that is there."""
        own = into or self.new()
        if self.kind(e) == LISTS:
            took = self.loops(e.generators, lambda: f"push_list(k, &{own}, {self.lst(e.elt)});")
            return f"({{ LL {own} = {{0, 0, NULL}}; {took} {own}; }})"
        took = self.loops(e.generators, lambda: f"push(k, &{own}, {self.num(e.elt)});")
        return took if into else f"({{ L {own} = {{0, 0, NULL}}; {took} {own}; }})"

    def _list_called(self, e: ast.Call) -> str:
        match e.func, e.args:
            case ast.Name(id="list" | "tuple" | "frozenset"), [one]:
                return self.lst(one)
            case ast.Name(id="pack"), [one]:
                return self.lst(one)
            case ast.Name(id="sorted"), [one]:
                return self.sorted(one, {keyword.arg: keyword.value for keyword in e.keywords})
            case ast.Name(id="best"), [one, ast.Lambda() as by, ast.Constant(value=highest)]:
                items, keys, fill = self.keys(one, by)
                return f"({{ {fill} best_by(k, {items}, {keys}, {int(bool(highest))}); }})"
            case ast.Name(id="range"), args:
                low, high, step = self.range(args)
                return f"counted(k, {low}, {high}, {step})"
            case ast.Name(id="compress"), _:
                own, x = self.new(), self.new()
                took = self.compressed(e, x, lambda: f"push(k, &{own}, {x});")
                return f"({{ L {own} = {{0, 0, NULL}}; {took} {own}; }})"
            case ast.Name(id="unpack"), [one]:
                return self.packed(one)
            case ast.Name(id="lowest"), [_, one, ast.Starred(value=ast.Name(id=look))]:
                plain, deep = self.looks(look)
                return f"lowest(k, {self.lst(one)}, {plain}, {deep})"
            case ast.Name(id="unlike"), [_, one, ast.Starred(value=ast.Name(id=look))]:
                plain, deep = self.looks(look)
                if deep != "NULL":
                    raise Untold("choices of pieces that carry something")
                return f"unlike(k, {self.lst(one)}, {plain})"
            case ast.Name(id="bag_choices"), args:
                return self.lots(args)
            case ast.Attribute(value=ast.Name(id=name), attr="setdefault"), [at, value]:
                found = self.new()
                return (
                    f"({{ Entry *{found} = entry_for(k, &v_{name}, {self.key(at)}); "
                    f"if (!{found}->list.p) {found}->list = {self.lst(value)}; {found}->list; }})"
                )
            case ast.Name(id=name), args if name in TAKES:
                return self.runtime(name, args)
        return self.own(e)

    def packed(self, e: ast.expr) -> str:
        """A list, from what Python keeps as one number."""
        match e:
            case ast.Constant(value=int(value)):
                values = []
                while value > 0:
                    values.append((value & self.module.constants["MASK"]) - 2)
                    value >>= self.module.constants["BITS"]
                return self.listed([ast.Constant(one) for one in values])
            case ast.Subscript(value=ast.Name(id="S"), slice=at) if not isinstance(at, ast.Slice):
                return f"unpack_object(k, k->s[place(k, {self.num(at)})])"
        return self.lst(e) if self.kind(e) == PACKED else f"unpack(k, {self.num(e)})"

    def looks(self, name: str) -> tuple[str, str]:
        """The functions that say how a thing looks: one in C, and one in Python for what lies on it, or none."""
        plain, deep = self.module.looks[name]
        function = self.module.functions[plain]
        if function.why or function.gives != LIST:
            raise Untold(f"{plain} stays in Python")
        return plain, f'"{deep}"' if deep else "NULL"

    def lots(self, args: Sequence[ast.expr]) -> str:
        """`bag_choices`: what so many of each sort are worth is worked out before, as far as it will be asked."""
        have, taken, at, least, most, step, shapes, worth, low, high = args
        h, t, a, w, row, top = (self.new() for _ in range(6))
        numbers = [self.num(one) for one in (least, most, step)]
        limits = [self.num(one) for one in (low, high)]
        known = f"LL {w} = {{-1, 0, NULL}};"
        if isinstance(worth, ast.Lambda):
            n, s = (argument.arg for argument in worth.args.args)
            with self.bound(n, NUMBER), self.bound(s, NUMBER):
                value = self.num(worth.body)
            known = (
                f"LL {w} = {{0, 0, NULL}}; int asked = !{a} || item(k, {h}, {a}); "
                f"for (I v_{s} = 0; v_{s} < {h}.n; v_{s}++) {{ "
                f"I {top} = v_{s} < {a} ? item(k, {t}, v_{s}) : {h}.p[v_{s}]; L {row} = {{0, 0, NULL}}; push(k, &{row}, 0); "
                f"for (I v_{n} = 1; asked && v_{n} <= {top}; v_{n}++) "
                f"push(k, &{row}, v_{s} < {a} && v_{n} < {top} ? 0 : {value}); push_list(k, &{w}, {row}); }}"
            )
        elif not isinstance(worth, ast.Constant):
            raise Untold("worth")
        return (
            f"({{ L {h} = {self.lst(have)}, {t} = {self.lst(taken)}; I {a} = {self.num(at)}; {known} "
            f"bag_choices(k, {h}, {t}, {a}, {', '.join(numbers)}, {self.lst(shapes)}, {w}, {', '.join(limits)}); }})"
        )

    def kept(self, e: ast.expr) -> str:
        """The place of a list that grows."""
        match e:
            case ast.Subscript(value=ast.Name(id=name), slice=at) if self.looking.kinds.get(name) == KEYED:
                return f"&entry_there(k, &v_{name}, {self.key(at)})->list"
        return f"&{self.name(e)}"

    def sorted(self, source: ast.expr, told: dict[str | None, ast.expr]) -> str:
        by = told.pop("key", None)
        if told:
            raise Untold("sorted")
        if by is None:
            items = self.new()
            return f"({{ L {items} = {self.lst(source)}; sorted_by(k, {items}, {items}.p, 1); }})"
        if not isinstance(by, ast.Lambda):
            raise Untold("sorted")
        items, keys, fill = self.keys(source, by)
        width = len(by.body.elts) if isinstance(by.body, ast.Tuple) else 1
        return f"({{ {fill} sorted_by(k, {items}, {keys}, {width}); }})"

    def keys(self, source: ast.expr, by: ast.Lambda) -> tuple[str, str, str]:
        """A list, what to sort it by, and the lines that work both out."""
        items, keys, x = self.new(), self.new(), by.args.args[0].arg
        parts = by.body.elts if isinstance(by.body, ast.Tuple) else [by.body]
        source_text = self.lst(source)
        with self.bound(x, NUMBER):
            fills = " ".join(f"{keys}[i{items} * {len(parts)} + {n}] = {self.num(p)};" for n, p in enumerate(parts))
        return items, keys, (
            f"L {items} = {source_text}; I *{keys} = room(k, ({items}.n + 1) * {len(parts)} * (I)sizeof(I)); "
            f"for (I i{items} = 0; i{items} < {items}.n; i{items}++) {{ I v_{x} = {items}.p[i{items}]; {fills} }}"
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------ loops

    @contextmanager
    def bound(self, name: str, kind: str) -> Iterator[None]:
        """Within, a name of a loop or a lambda is of this kind."""
        kinds = self.looking.kinds
        before = kinds.get(name)
        kinds[name] = kind
        try:
            yield
        finally:
            if before is None:
                del kinds[name]
            else:
                kinds[name] = before

    def loops(self, generators: Sequence[ast.comprehension], leaf: Callable[[], str]) -> str:
        """The loops of a comprehension, one inside another."""
        if not generators:
            return leaf()
        first = generators[0]
        if not isinstance(first.target, ast.Name):
            raise Untold("a loop over pairs")

        def body() -> str:
            text = self.loops(generators[1:], leaf)
            for test in reversed(first.ifs):
                text = f"if ({self.truth(test)}) {{ {text} }}"
            return text

        return self.each(first.target.id, first.iter, body)

    def each(self, name: str, source: ast.expr, body: Callable[[], str]) -> str:
        """A loop within an expression, where nothing is written."""
        kind = self.looking.element(source)
        if kind not in (NUMBER, LIST):
            raise Untold(f"a loop over {ast.unparse(source)[:60]}")
        own = C_NAMES[kind]

        def inside() -> str:
            with self.bound(name, kind):
                return body()

        match source:
            case ast.Call(func=ast.Name(id="range"), args=args):
                low, high, step = self.range(args)
                at, end = self.new(), self.new()
                if step != "1":
                    return self._through(self.lst(source), f"I v_{name}", inside())
                return f"for (I {at} = {low}, {end} = {high}; {at} < {end}; {at}++) {{ I v_{name} = {at}; {inside()} }}"
            case ast.Call(func=ast.Name(id="compress")):
                x = self.new()
                return self.compressed(source, x, lambda: f"I v_{name} = {x}; {inside()}")
            case ast.Tuple(elts=[one]) | ast.List(elts=[one]) if not isinstance(one, ast.Starred):
                value = self.new()
                text = self.num(one) if kind == NUMBER else self.lst(one)
                return f"{{ {own} {value} = {text}; {own} v_{name} = {value}; {inside()} }}"
            case ast.ListComp() | ast.GeneratorExp():
                value = self.new()

                def leaf() -> str:
                    text = self.num(source.elt) if kind == NUMBER else self.lst(source.elt)
                    return f"{own} {value} = {text}; {{ {own} v_{name} = {value}; {inside()} }}"

                return self.loops(source.generators, leaf)
        return self._through(self.lst(source), f"{own} v_{name}", inside())

    def _through(self, items: str, target: str, body: str) -> str:
        own, i = self.new(), self.new()
        kind = "LL" if target.startswith("L ") else "L"
        return f"{{ {kind} {own} = {items}; for (I {i} = 0; {i} < {own}.n; {i}++) {{ {target} = {own}.p[{i}]; {body} }} }}"

    def range(self, args: Sequence[ast.expr]) -> tuple[str, str, str]:
        texts = [self.num(arg) for arg in args]
        if len(texts) == 1:
            texts.insert(0, "0")
        return texts[0], texts[1], texts[2] if len(texts) > 2 else "1"

    def compressed(self, e: ast.Call, x: str, body: Callable[[], str]) -> str:
        """`compress(range(a, b), counts)`: those of which there are some."""
        values, counts = e.args
        at, n = self.new(), self.new()
        if not (isinstance(values, ast.Call) and isinstance(values.func, ast.Name) and values.func.id == "range"):
            one, other = self.new(), self.new()
            return (
                f"{{ L {one} = {self.lst(values)}, {other} = {self.lst(counts)}; "
                f"for (I {at} = 0; {at} < min_({one}.n, {other}.n); {at}++) "
                f"if ({other}.p[{at}]) {{ I {x} = {one}.p[{at}]; {body()} }} }}"
            )
        low, high, step = self.range(values.args)
        match counts:
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Slice(lower=ast.expr() as a, upper=ast.expr() as b)):
                pass
            case _:
                raise Untold(ast.unparse(e)[:60])
        first, start, end = self.new(), self.new(), self.new()
        return (
            f"{{ I {first} = {low}, {start} = {self.num(a)}, {end} = {self.num(b)}, "
            f"{n} = min_({step} == 1 ? {high} - {first} : counted(k, {first}, {high}, {step}).n, whole(k, {start}, {end})); "
            f"for (I {at} = 0; {at} < {n}; {at}++) if (num(k, k->s[{start} + {at}])) "
            f"{{ I {x} = {first} + {at} * {step}; {body()} }} }}"
        )
