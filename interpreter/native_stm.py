"""The functions of a generated module, in C, and the module around them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from ichiba.interpreter.native_exp import C_NAMES, Expressions
from ichiba.interpreter.native_kinds import (
    FOR_PYTHON,
    KEYED,
    LIST,
    LISTS,
    NOTHING,
    NUMBER,
    PACKED,
    Function,
    Looking,
    Module,
    Untold,
    kind_of_table,
)


class Native(Expressions):
    """Writes one module of C for one generated module of Python."""

    def __init__(self, module: Module):
        self.module = module
        self.fresh = 0
        self.broken: list[str] = []  # by open loop: what is set where it is left early

    def text(self, name: str) -> str:
        """The whole of it, but for the runtime."""
        functions = self.module.functions
        for special in FOR_PYTHON:
            functions[special].why = "only Python needs it"
        bodies = self._bodies()
        tables = [self._table(name, table) for name, table in self.module.tables.items()]
        tables += [f"static const I {name}[] = {{{', '.join(map(str, row)) or '0'}}};" for name, row in self.module.rows.items()]
        heads = [f"{self._head(function)};" for function in functions.values()]
        heads += [f"{self._switch_head(name)};" for name in self.module.switches]
        heads += [f"{self._case_head(name)};" for name in self.module.cases]
        lines = [*filter(None, tables), *heads, *bodies]
        lines += [self._from_python(function) for function in functions.values() if function.why]
        lines += [self._switch(name, row) for name, row in self.module.switches.items()]
        lines += [self._case(name) for name in self.module.cases]
        told = [function for function in functions.values() if not function.why]
        lines += [self._door(function) for function in told]
        lines.append(_ending(name, [function.name for function in told]))
        return "\n".join(lines)

    def _bodies(self) -> list[str]:
        made: dict[str, str] = {}
        for function in self.module.functions.values():
            if not function.why:
                try:
                    made[function.name] = self._function(function)
                except Untold as reason:
                    function.why = str(reason) or "?"
        return list(made.values())

    # -------------------------------------------------------------------------------------------- functions

    def _gives(self, function: Function) -> str:
        return C_NAMES.get(function.gives or NUMBER, "I")

    def _params(self, function: Function) -> str:
        given = [f"{C_NAMES[function.kinds.get(name, NUMBER)]} v_{name}" for name in function.params]
        return ", ".join(["K *k", *given])

    def _head(self, function: Function) -> str:
        return f"static {self._gives(function)} {function.name}({self._params(function)})"

    def _function(self, function: Function) -> str:
        self.function, self.looking = function, Looking(self.module, function)
        kinds = dict(function.kinds)
        own = [name for name in self._assigned(function.node) if name not in function.params]
        body = self.block(function.node.body)
        function.kinds.clear()
        function.kinds.update(kinds)
        declared = []
        for name in own:
            kind = kinds.get(name)
            if kind in (LIST, PACKED, LISTS, KEYED):
                declared.append(f"    {C_NAMES[kind]} v_{name} = {{0, 0, NULL}};")
            elif kind == NUMBER:
                declared.append(f"    I v_{name} = 0;")
            elif kind is None or kind == NOTHING:
                raise Untold(f"what is {name}?")
        last = "" if self._gives(function) == "I" else f"    return ({self._gives(function)}){{0, 0, NULL}};\n"
        last = last or "    return 0;\n"
        return f"{self._head(function)} {{\n" + "\n".join(declared) + f"\n{body}\n{last}}}\n"

    def _assigned(self, node: ast.FunctionDef) -> list[str]:
        """The names of the whole function: all but those of comprehensions and lambdas."""
        found: dict[str, None] = {}
        inner = {
            id(target)
            for part in ast.walk(node)
            if isinstance(part, ast.comprehension)
            for target in ast.walk(part.target)
        }
        appends = {
            part.targets[0].id
            for part in ast.walk(node)
            if isinstance(part, ast.Assign)
            and isinstance(part.targets[0], ast.Name)
            and isinstance(part.value, ast.Attribute)
        }
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and id(part) not in inner:
                if part.id not in appends:
                    found[part.id] = None
        return list(found)

    def _from_python(self, function: Function) -> str:
        """A call of a function that stays in Python."""
        given = ["held(k->S)", *(["held(k->C)"] if function.writes else [])]
        for name in function.params:
            kind = function.kinds.get(name, NUMBER)
            given.append(
                f"object(k, v_{name})" if kind == NUMBER
                else f"packed_object(k, v_{name})" if kind == PACKED else f"object_of(k, v_{name})"
            )  # fmt: skip
        before = "    before_python_writes(k);\n" if function.writes else ""
        if function.name == "dry" or not function.writes and "S" not in [a.arg for a in function.node.args.args]:
            given = given if function.name == "dry" else given[1:]
        made = f'call(k, "{function.name}", (O[]){{{", ".join(given)}}}, {len(given)})' if given else "NULL"
        out = "list_of" if function.gives == LIST else "number_of"
        if self._gives(function) not in ("I", "L") or function.gives == PACKED:
            return f"{self._head(function)} {{ miss(k); }}"
        return f"{self._head(function)} {{\n{before}    return {out}(k, {made});\n}}"

    def _door(self, function: Function) -> str:
        """How Python calls it."""
        first = 2 if function.writes else 1
        n = first + len(function.params)
        reads, passed = [], ["&k"]
        for at, name in enumerate(function.params, first):
            kind = function.kinds.get(name, NUMBER)
            if kind == NUMBER:
                passed.append(f"num(&k, given[{at}])")
            elif kind == PACKED:
                passed.append(f"unpack_object(&k, given[{at}])")
            else:
                reads.append(f"Py_INCREF(given[{at}]);")
                passed.append(f"list_of(&k, given[{at}])")
        made = f"{function.name}({', '.join(passed)})"
        if function.gives == LIST:
            out = f"L made = {made};\n    O found = object_of(&k, made);"
        elif function.gives == PACKED:
            out = f"L made = {made};\n    O found = packed_object(&k, made);"
        elif function.gives in (None, NOTHING):
            out = f"{made};\n    O found = held(Py_None);"
        elif function.gives == NUMBER:
            out = f"I made = {made};\n    O found = object(&k, made);"
        else:
            out = "O found = NULL; miss(&k);"
        context = "given[1]" if function.writes else "NULL"
        return (
            f"static O py_{function.name}(O self, O const *given, Py_ssize_t n) {{\n"
            f"    K k;\n    (void)self;\n"
            f'    if (n != {n} || !opened(&k, given[0], {context})) return fall_back("{function.name}", given, n);\n'
            f'    if (_setjmp(k.back)) return left(&k, "{function.name}", given, n);\n'
            f"    {' '.join(reads)}\n    {out}\n    closed(&k);\n    return found;\n}}"
        )

    # --------------------------------------------------------------------------------- tables and switches

    def _table(self, name: str, table: object) -> str:
        kind = kind_of_table(table)
        if kind is None or name == "KINDS":
            return ""
        if isinstance(table, dict):
            return self._keyed_table(name, table, kind)
        if isinstance(table, frozenset):
            cases = " ".join(f"case {value}:" for value in sorted(table))
            return f"static int {name}_has(I at) {{ switch (at) {{ {cases} {'return 1;' if cases else ''} default: return 0; }} }}"
        if kind == NUMBER:
            self.module.constants[name] = int(table)  # type: ignore[call-overload]
            return ""
        assert isinstance(table, tuple | list)
        if kind == LIST:
            return self._row(name, table)
        rows = [self._row(f"{name}_{n}", row) for n, row in enumerate(table)]
        parts = ", ".join(f"{{{len(row)}, 0, (I *){name}_{n}_p}}" for n, row in enumerate(table))
        return "\n".join([*rows, f"static L {name}_p[] = {{{parts or '{0, 0, NULL}'}}};",
                          f"static LL {name} = {{{len(table)}, 0, {name}_p}};"])  # fmt: skip

    def _row(self, name: str, row: Sequence[object]) -> str:
        values = ", ".join("NONE" if value is None else str(int(value)) for value in row)  # type: ignore[call-overload]
        if any(value is not None and abs(int(value)) >= 1 << 62 for value in row):  # type: ignore[call-overload]
            raise Untold("a number that is too large")
        return (
            f"static const I {name}_p[] = {{{values or '0'}}};\n"
            f"static L {name} __attribute__((unused)) = {{{len(row)}, 0, (I *){name}_p}};"
        )

    def _keyed_table(self, name: str, table: dict[int, object], kind: str) -> str:
        """Looked up by switch; what is not there is None."""
        rows, cases = [], []
        seen: dict[object, int] = {}
        for key, value in table.items():
            if kind == LISTS:
                assert isinstance(value, tuple | list)
                row = tuple(value)
                if row not in seen:
                    seen[row] = len(seen)
                    rows.append(self._row(f"{name}_{seen[row]}", row))
                cases.append(f"case {key}: return {name}_{seen[row]};")
            else:
                cases.append(f"case {key}: return {'NONE' if value is None else int(value)};")  # type: ignore[call-overload]
        none = "return (L){-1, 0, NULL};" if kind == LISTS else "return NONE;"
        head = f"static {'L' if kind == LISTS else 'I'} {name}_or(K *k, I at)"
        return "\n".join([*rows, f"{head} {{ (void)k; switch (at) {{ {' '.join(cases)} default: {none} }} }}"])

    def _switch_head(self, name: str) -> str:
        result = "L" if name == "OPTIONS" else "I"
        return f"static {result} {name}(K *k, I at{', I code' if name == 'ANSWERS' else ''})"

    def _switch(self, name: str, row: Iterable[str | None]) -> str:
        code = ", code" if name == "ANSWERS" else ""
        cases = " ".join(f"case {n}: return {one}(k{code});" for n, one in enumerate(row) if one)
        return f"{self._switch_head(name)} {{ switch (at) {{ {cases} default: miss(k); }} }}"

    def _case_head(self, name: str) -> str:
        like = self.module.of_case(name)
        given = [f"{C_NAMES[like.kinds.get(p, NUMBER)]} v_{n}" for n, p in enumerate(like.params)]
        return f"static {self._gives(like)} {name}({', '.join(['K *k', 'I at', *given])})"

    def _case(self, name: str) -> str:
        cases, default = self.module.cases[name]
        like = self.module.of_case(name)
        passed = ", ".join(["k", *(f"v_{n}" for n in range(len(like.params)))])
        for function in self.module.alternatives(name):
            if [function.kinds.get(p, NUMBER) for p in function.params] != [like.kinds.get(p, NUMBER) for p in like.params]:
                raise Untold(f"the cases of {name} differ")
            if self._gives(function) != self._gives(like):
                raise Untold(f"the cases of {name} give different things")
        lines = " ".join(f"case {key}: return {one}({passed});" for key, one in cases.items())
        otherwise = f"return {default}({passed});" if default else "return 1;"
        return f"{self._case_head(name)} {{ switch (at) {{ {lines} default: {otherwise} }} }}"

    # ------------------------------------------------------------------------------------------- statements

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
            return "return 0;" if self._gives(self.function) == "I" else "return (L){-1, 0, NULL};"
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


def _ending(name: str, functions: Sequence[str]) -> str:
    methods = "\n".join(f'    {{"{one}", (PyCFunction)(void (*)(void))py_{one}, METH_FASTCALL, NULL}},' for one in functions)
    return f"""
static O begin(O self, O names) {{
    if (set_up(self, names)) return NULL;
    Py_RETURN_NONE;
}}
static O misses(O self, O none) {{ return PyLong_FromLongLong(MISSES); }}
static PyMethodDef METHODS[] = {{
{methods}
    {{"begin", begin, METH_VARARGS, NULL}},
    {{"misses", misses, METH_NOARGS, NULL}},
    {{NULL, NULL, 0, NULL}},
}};
static struct PyModuleDef DEFINED = {{PyModuleDef_HEAD_INIT, "{name}", NULL, -1, METHODS, NULL, NULL, NULL, NULL}};
PyMODINIT_FUNC PyInit_{name}(void) {{ return PyModule_Create(&DEFINED); }}
"""
