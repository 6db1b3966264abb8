"""A generated module as one C file: its tables, its functions, and how Python calls them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from ichiba.interpreter.to_c.kinds import (
    C_NAMES,
    FOR_PYTHON,
    LIST,
    LISTS,
    NOTHING,
    NUMBER,
    PACKED,
    Function,
    Looking,
    Module,
    Untold,
    depth,
    kind_of_table,
)
from ichiba.interpreter.to_c.statements import Statements

EMPTY = {kind: f"({kind}){{0, 0, NULL}}" for kind in ("L", "LL", "D")}  # by what it is in C


class Native(Statements):
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
        told = [function for function in functions.values() if not function.why]
        called = [function for function in functions.values() if function.why and function.looks_at_state]
        heads = [f"{self._head(function)};" for function in (*told, *called)]
        heads += [f"{self._switch_head(name)};" for name in self.module.switches]
        heads += [f"{self._case_head(name)};" for name in self.module.cases]
        lines = [*filter(None, tables), *heads, *bodies]
        lines += [self._from_python(function) for function in called]
        lines += [self._switch(name, row) for name, row in self.module.switches.items()]
        lines += [self._case(name) for name in self.module.cases]
        lines += [self._door(function) for function in told]
        text = "\n".join([*lines, _ending(name, [function.name for function in told])])
        if not text.isascii():
            raise Untold("a name that is not plain")
        return text

    def _bodies(self) -> list[str]:
        made: dict[str, str] = {}
        for function in self.module.functions.values():
            if not function.why:
                try:
                    made[function.name] = self._function(function)
                except Untold as reason:
                    function.why = str(reason) or "?"
        return list(made.values())

    # ------------------------------------------------------------------------------------------------------- functions

    def _params(self, function: Function) -> str:
        given = [f"{C_NAMES[function.kinds.get(name, NUMBER)]} v_{name}" for name in function.params]
        return ", ".join(["K *k", *given])

    def _head(self, function: Function) -> str:
        return f"static {function.c_type} {function.name}({self._params(function)})"

    def _function(self, function: Function) -> str:
        self.function, self.looking = function, Looking(self.module, function)
        body = self.block(function.node.body)
        lines = [f"{self._head(function)} {{"]
        for name in self._assigned(function.node):
            if name not in function.params:
                kind = function.kinds.get(name)
                if kind not in C_NAMES:
                    raise Untold(f"what is {name}?")
                lines.append(f"{C_NAMES[kind]} v_{name} = {'0' if kind == NUMBER else EMPTY[C_NAMES[kind]]};")
        lines += [body, f"return {EMPTY.get(function.c_type, '0')};", "}", ""]
        return "\n".join(lines)

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
        if function.c_type not in ("I", "L") or function.gives == PACKED:
            return f"{self._head(function)} {{ miss(k); }}"
        given = ["held(k->S)", *(["held(k->C)"] if function.writes else [])]
        for name in function.params:
            into = {NUMBER: "object", PACKED: "packed_object"}.get(function.kinds.get(name, NUMBER), "object_of")
            given.append(f"{into}(k, v_{name})")
        before = "before_python_writes(k); " if function.writes else ""
        made = f'call(k, "{function.name}", (O[]){{{", ".join(given)}}}, {len(given)})'
        out = "list_of" if function.gives == LIST else "number_of"
        return f"{self._head(function)} {{ {before}return {out}(k, {made}); }}"

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

    # --------------------------------------------------------------------------------------------- tables and switches

    def _table(self, name: str, table: object) -> str:
        kind = kind_of_table(table)
        if kind is None or name == "KINDS":
            return ""
        if isinstance(table, dict):
            return self._keyed_table(name, table, kind)
        if isinstance(table, frozenset):
            cases = " ".join(f"case {value}:" for value in sorted(table))
            return f"static int {name}_has(I at) {{ switch (at) {{ {cases} {'return 1;' if cases else ''} default: return 0; }} }}"
        assert isinstance(table, tuple | list)
        if kind == LIST:
            return self._row(name, table)
        return self._rows(name, table, depth(table))

    def _rows(self, name: str, table: Sequence[Sequence[object]], levels: int) -> str:
        """Rows of numbers as a list of lists; with more levels a function that finds such a list: `NAME_at(k, 2, 0)`."""
        if levels > 2:
            return self._deep(name, table, levels)
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

    def _deep(self, name: str, table: Sequence[Any], levels: int) -> str:
        rows = [self._rows(f"{name}_{n}", row, levels - 1) for n, row in enumerate(table)]
        inner = [f"I a{n}" for n in range(1, levels - 2)]
        passed = f"_at(k, {', '.join(f'a{n}' for n in range(1, levels - 2))})" if inner else ""
        cases = " ".join(f"case {n}: return {name}_{n}{passed};" for n in range(len(table)))
        head = f"static LL {name}_at({', '.join(['K *k', 'I a0', *inner])})"
        return "\n".join([*rows, f"{head} {{ if (a0 < 0) a0 += {len(table)}; switch (a0) {{ {cases} default: miss(k); }} }}"])

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
                cases.append(f"case {key}: {'miss(k)' if value is None else f'return {int(value)}'};")  # type: ignore[call-overload]
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
        return f"static {like.c_type} {name}({', '.join(['K *k', 'I at', *given])})"

    def _case(self, name: str) -> str:
        cases, default = self.module.cases[name]
        like = self.module.of_case(name)
        passed = ", ".join(["k", *(f"v_{n}" for n in range(len(like.params)))])
        for function in self.module.alternatives(name):
            if [function.kinds.get(p, NUMBER) for p in function.params] != [like.kinds.get(p, NUMBER) for p in like.params]:
                raise Untold(f"the cases of {name} differ")
            if function.c_type != like.c_type:
                raise Untold(f"the cases of {name} give different things")
        lines = " ".join(f"case {key}: return {one}({passed});" for key, one in cases.items())
        otherwise = f"return {default}({passed});" if default else "return 1;"
        return f"{self._case_head(name)} {{ switch (at) {{ {lines} default: {otherwise} }} }}"


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
