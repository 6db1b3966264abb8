"""Statements of a generated module, in C."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ichiba.interpreter.to_c.kinds import KEYED, LIST, LISTS, NOTHING, NUMBER, PACKED, Untold
from ichiba.interpreter.to_c.sets import Lists


class Statements(Lists):
    """Writes statements."""

    broken: list[str]  # by open loop: what is set where it is left early

    def block(self, statements: Sequence[ast.stmt]) -> str:
        return "\n".join(self.statement(one) for one in statements)

    def statement(self, s: ast.stmt) -> str:
        match s:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return ";"
            case ast.Continue():
                return "continue;"
            case ast.Break():
                return f"{{ {self.broken[-1]} break; }}"
            case ast.Return(value=value):
                return self._return(value)
            case ast.Raise(exc=exc):
                return self._raise(exc)
            case ast.If(test=test, body=body, orelse=orelse):
                other = f" else {{\n{self.block(orelse)}\n}}" if orelse else ""
                return f"if ({self.truth(test)}) {{\n{self.block(body)}\n}}{other}"
            case ast.While(test=test, body=body, orelse=[]):
                return f"while ({self.truth(test)}) {{\n{self._inside('', body)}\n}}"
            case ast.For():
                return self._for(s)
            case ast.Expr(value=value):
                return self._done(value)
            case ast.Assign(targets=[target], value=value):
                return self._assign(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                return self._change(target, op, value)
        raise Untold(type(s).__name__)

    def _inside(self, broken: str, body: Sequence[ast.stmt]) -> str:
        self.broken.append(broken)
        text = self.block(body)
        self.broken.pop()
        return text

    def _return(self, value: ast.expr | None) -> str:
        gives = self.function.gives
        if value is None or gives in (None, NOTHING):
            return "return 0;" if self.function.c_type == "I" else "return (L){-1, 0, NULL};"
        if gives == NUMBER:
            return f"return {self.num(value)};"
        return f"return {self.packed(value) if gives == PACKED else self.lst(value)};"

    def _raise(self, exc: ast.expr | None) -> str:
        match exc:
            case ast.Name(id="Stop"):
                return "stop(k);"
            case ast.Name(id="LookupError") | ast.Call(func=ast.Name(id="RuleFault" | "LookupError")):
                return "miss(k);"
            case ast.Call(func=ast.Name(id="Unmet"), args=[number]):
                return f"unmet(k, {self.num(number)});"
        raise Untold("raise")

    def _for(self, s: ast.For) -> str:
        """The values are worked out before the first pass: what is done on the way does not change them."""
        if isinstance(s.target, ast.Tuple):
            return self._for_rows(s, s.target)
        if not isinstance(s.target, ast.Name):
            raise Untold("a loop")
        name, own = s.target.id, self.new()
        broken = f"{own} = 0;" if s.orelse else ""
        kind = self.looking.element(s.iter)
        body = self._inside(broken, s.body)
        match s.iter:
            case ast.Call(func=ast.Name(id="range"), args=args) if len(args) < 3:
                low, high, _ = self.range(args)
                head = f"for (I i{own} = {low}, e{own} = {high}; i{own} < e{own}; i{own}++)"
                loop = f"{head} {{\nv_{name} = i{own};\n{body}\n}}"
            case ast.Name(id="MANY"):
                loop = f"for (I i{own} = 0; i{own} < {self.module.constants['STEPS']}; i{own}++) {{\nv_{name} = i{own};\n{body}\n}}"
            case _ if kind in (NUMBER, LIST):
                many = "L" if kind == NUMBER else "LL"
                items = self.packed(s.iter) if self.kind(s.iter) == PACKED else self.lst(s.iter)
                loop = (
                    f"{{ {many} l{own} = {items};\nfor (I i{own} = 0; i{own} < l{own}.n; i{own}++) {{\n"
                    f"v_{name} = l{own}.p[i{own}];\n{body}\n}} }}"
                )
            case _:
                raise Untold(f"a loop over {ast.unparse(s.iter)[:60]}")
        if not s.orelse:
            return loop
        return f"{{ I {own} = 1;\n{loop}\nif ({own}) {{\n{self.block(s.orelse)}\n}} }}"

    def _for_rows(self, s: ast.For, target: ast.Tuple) -> str:
        """A loop over the rows of a table, or over a list that is counted."""
        own = self.new()
        names = [part.id for part in target.elts if isinstance(part, ast.Name)]
        match s.iter:
            case ast.Call(func=ast.Name(id="enumerate"), args=[items]) if not s.orelse and len(names) == 2:
                many, items_text = "L", self.lst(items)
                taken = f"v_{names[0]} = i{own}; v_{names[1]} = l{own}.p[i{own}];"
            case _ if not s.orelse and self.looking.element(s.iter) == LIST:
                many, items_text = "LL", self.lst(s.iter)
                taken = " ".join(f"v_{name} = item(k, l{own}.p[i{own}], {n});" for n, name in enumerate(names))
            case _:
                raise Untold("a loop over pairs")
        return (
            f"{{ {many} l{own} = {items_text};\nfor (I i{own} = 0; i{own} < l{own}.n; i{own}++) {{\n"
            f"{taken}\n{self._inside('', s.body)}\n}} }}"
        )

    def _done(self, value: ast.expr) -> str:
        match value:
            case ast.Call(func=ast.Name(id="add"), args=[one]):
                return f"push(k, &v_r, {self.num(one)});"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[one]):
                return f"push(k, &{self.name(ast.Name(name))}, {self.num(one)});"
            case ast.Call():
                return f"(void){self.num(value) if self.looking.kind(value) in (NUMBER, NOTHING, None) else self.lst(value)};"
        raise Untold(ast.unparse(value)[:60])

    def _assign(self, target: ast.expr, value: ast.expr) -> str:
        match target:
            case ast.Name(id=name):
                return self._set(name, value)
            case ast.Subscript(value=ast.Name(id="left")):
                return "refuel(k);"
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Slice(lower=ast.expr() as low, upper=ast.expr() as high)):
                return self._set_slice(low, high, value)
            case ast.Subscript(value=ast.Name(id="S"), slice=at):
                return self._set_place(at, value)
            case ast.Subscript(value=ast.Name(id=name), slice=at) if self.looking.kinds.get(name) == KEYED:
                text = self.num(value) if self.kind(value) == NUMBER else self.lst(value)
                part = "one" if self.kind(value) == NUMBER else "list"
                made = "I" if part == "one" else "L"
                return f"{{ {made} made = {text}; entry_for(k, &v_{name}, {self.key(at)})->{part} = made; }}"
            case ast.Tuple(elts=targets) if isinstance(value, ast.Tuple) and len(value.elts) == len(targets):
                return self._set_all(targets, value.elts)
        raise Untold(ast.unparse(target)[:60])

    def _set(self, name: str, value: ast.expr) -> str:
        if isinstance(value, ast.Attribute) and value.attr == "append":
            return ";"
        kind = self.looking.kinds.get(name)
        if kind == KEYED:
            if not isinstance(value, ast.Dict) or value.keys:
                raise Untold("a dictionary with something in it")
            return f"v_{name} = (D){{0, 0, NULL}};"
        if kind == PACKED:
            return f"v_{name} = {self.packed(value)};"
        if kind in (LIST, LISTS):
            return f"v_{name} = {self.lst(value)};"
        return f"v_{name} = {self.num(value)};"

    def _set_place(self, at: ast.expr, value: ast.expr) -> str:
        own, kind = self.new(), self.kind(value)
        if kind == PACKED:
            return f"{{ L {own} = {self.packed(value)}; wr_packed(k, {self.num(at)}, {own}); }}"
        match value:
            case ast.Subscript(value=ast.Name(id="S"), slice=there) if not isinstance(there, ast.Slice):
                return f"{{ I {own} = {self.num(there)}; copy_place(k, {self.num(at)}, {own}); }}"
        return f"{{ I {own} = {self.num(value)}; wr(k, {self.num(at)}, {own}); }}"

    def _set_slice(self, low: ast.expr, high: ast.expr, value: ast.expr) -> str:
        a, b = self.num(low), self.num(high)
        match value:
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Slice(lower=ast.expr() as c, upper=ast.expr() as d)):
                return f"copy_places(k, {a}, {b}, {self.num(c)}, {self.num(d)});"
            case ast.BinOp(left=ast.List(elts=[one]), op=ast.Mult(), right=times):
                return f"fill_same(k, {a}, {b}, {self.num(one)}, {self.num(times)});"
        return f"fill(k, {a}, {b}, {self.lst(value)});"

    def _set_all(self, targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> str:
        """First all values, then all places."""
        names = [self.new() for _ in values]
        lines = []
        for name, value in zip(names, values, strict=True):
            packed = self.kind(value) == PACKED
            lines.append(f"L {name} = {self.packed(value)};" if packed else f"O {name} = {self._taken(value)};")
        for name, target, value in zip(names, targets, values, strict=True):
            match target:
                case ast.Subscript(value=ast.Name(id="S"), slice=at) if not isinstance(at, ast.Slice):
                    own = self.new()
                    if self.kind(value) == PACKED:
                        lines.append(f"wr_packed(k, {self.num(at)}, {name});")
                    else:
                        lines.append(f"I {own} = place(k, {self.num(at)}); put(k, {own}, {name});")
                case _:
                    raise Untold("several names at once")
        return f"{{ {' '.join(lines)} }}"

    def _taken(self, value: ast.expr) -> str:
        """An object of its own: whatever lies at a place, or a number."""
        match value:
            case ast.Subscript(value=ast.Name(id="S"), slice=there) if not isinstance(there, ast.Slice):
                return f"held(k->s[place(k, {self.num(there)})])"
        return f"object(k, {self.num(value)})"

    def _change(self, target: ast.expr, op: ast.operator, value: ast.expr) -> str:
        match target:
            case ast.Name(id=name) if self.looking.kinds.get(name) in (LIST, PACKED):
                if not isinstance(op, ast.Add):
                    raise Untold("a list, changed")
                if isinstance(value, ast.ListComp):
                    return self.collected(value, into=f"v_{name}")
                return f"extend(k, &v_{name}, {self.lst(value)});"
            case ast.Name(id=name):
                return f"v_{name} = {self.num(ast.BinOp(ast.Name(name), op, value))};"
            case ast.Subscript(value=ast.Name(id="S"), slice=at) if not isinstance(at, ast.Slice):
                where, was = self.new(), self.new()
                self.looking.kinds[was] = NUMBER
                changed = self.num(ast.BinOp(ast.Name(was), op, value))
                del self.looking.kinds[was]
                return (
                    f"{{ I {where} = place(k, {self.num(at)}), v_{was} = num(k, k->s[{where}]); "
                    f"wr(k, {where}, {changed}); }}"
                )
        raise Untold(ast.unparse(target)[:60])
