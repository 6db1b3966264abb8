"""A plan as one C file: its tables, its functions, and the doors through which Python calls them."""

from __future__ import annotations

from ichiba.interpreter.to_c import tables
from ichiba.interpreter.to_c.expressions.translators import TRANSLATORS
from ichiba.interpreter.to_c.known.program import Function, Program, Unsupported
from ichiba.interpreter.to_c.known.scope import C_TYPES, NEAR, Scope, names_set, names_set_inside
from ichiba.interpreter.to_c.statements import block
from ichiba.interpreter.to_c.tables import kinds_taken, type_given

EMPTY = {"I": "0", **{kind: f"({kind}){{0, 0, NULL}}" for kind in ("L", "LL", "D")}}  # by what it is in C
ONLY_HERE = frozenset({"KINDS"})  # tables that no function looks into


def text_of(program: Program, name: str, runtime: str, loop: str, games: str) -> str:
    """The C of a game, as a module of this name; `runtime`, `loop` and `games` are the same for all games."""
    said = bodies(program)
    in_c = [function for function in program.functions.values() if function.in_c]
    called = [function for function in program.functions.values() if not function.in_c and function.looks_at_state]
    lines = [f"#define {word} {value}LL" for word, value in program.constants.items() if word.isupper()]
    lines += ["#define COUNTED"] if program.counted else []
    lines += ["typedef long long I;", *tables.packed_places(program)]
    lines += [runtime, *(tables.table(word, given) for word, given in program.tables.items() if word not in ONLY_HERE)]
    lines += [f"{_head(function)};" for function in (*in_c, *called)]
    lines += [f"{tables.switch_head(word)};" for word in program.switches]
    lines += [f"{tables.case_head(program, word)};" for word in program.cases]
    lines += [*tables.outlooks(program), *tables.rankings(program), *tables.forgetting(program)]
    lines += ["#define HAS_POLICIES"] if program.switches.get("POLICIES") else []
    lines += [loop, games, *said.values(), *(_from_python(function) for function in called)]
    lines += [tables.switch(program, word, row) for word, row in program.switches.items()]
    lines += [tables.case(program, word) for word in program.cases]
    lines += _doors(program, in_c if program.stepped else [], name)
    text = "\n".join(filter(None, lines))
    if not text.isascii():
        raise Unsupported("a name that is not plain")
    return text


def bodies(program: Program) -> dict[str, str]:
    """By name: the functions that C can say; with the others it is noted why not."""
    made = {}
    for function in program.functions.values():
        if function.body is not None and function.in_c:
            try:
                made[function.name] = _function(program, function)
            except Unsupported as reason:
                function.why = str(reason)
    return made


def _params(function: Function) -> str:
    given = [f"{C_TYPES[kind]} v_{name}" for name, kind in zip(function.params, kinds_taken(function), strict=True)]
    return ", ".join(["K *k", *given])


def _head(function: Function) -> str:
    return f"static {type_given(function)} {function.name}({_params(function)})"


def _function(program: Program, function: Function) -> str:
    assert function.body is not None
    inside = names_set_inside(function.body)
    w = Scope(program, function, TRANSLATORS, set_inside=inside)
    for name in function.params:
        if function.kinds[name] == "number" and not takes_any(program, function):
            w.know(name, (-NEAR, NEAR))
    body = block(w, function.body)
    lines = [f"{_head(function)} {{"]
    for name in dict.fromkeys([*names_set(function.body, {}), *sorted(inside)]):
        if name not in function.params and name not in function.appends:
            kind = function.kinds.get(name)
            if kind not in C_TYPES:
                raise Unsupported(f"a value of no known kind: {name}")
            lines.append(f"{C_TYPES[kind]} v_{name} = {EMPTY[C_TYPES[kind]]};")
    lines += [body, f"return {EMPTY[type_given(function)]};", "}", ""]
    return "\n".join(lines)


def takes_any(program: Program, function: Function) -> bool:
    """Whether its numbers may be of any size: an option's number can hold a whole list."""
    return function.body is None or function.name in program.wide_answers


def _from_python(function: Function) -> str:
    """A call of a function that stays in Python: a miss where whole games are played, without it."""
    if function.gives not in (None, "nothing", "number", "list"):
        return f"{_head(function)} {{ miss(k); }}"
    given = ["held(k->S)", *(["held(k->C)"] if function.writes else [])]
    for name, kind in zip(function.params, kinds_taken(function), strict=True):
        given.append(f"{INTO_PYTHON.get(kind, 'object_of')}(k, v_{name})")
    before = "before_python_writes(k); " if function.writes else ""
    made = f'call(k, "{function.name}", (O[]){{{", ".join(given)}}}, {len(given)})'
    out = f"list_of(k, {made})" if function.gives == "list" else f"near(k, number_of(k, {made}))"
    return f"{_head(function)} {{ if (!k->S) miss(k); {before}return {out}; }}"


# ------------------------------------------------------------------------------------------------------------- doors

INTO_PYTHON = {"number": "object", "packed": "packed_object", "list": "object_of"}
FROM_PYTHON = {"N": "near(&k, num(&k, {}))", "W": "num(&k, {})", "P": "unpack_object(&k, {})", "L": "list_of(&k, held({}))"}
TAKEN = {"number": "N", "packed": "P", "list": "L"}  # W: a number of any size
GIVEN = {"number": "object", "packed": "packed_object", "list": "object_of", "nothing": "nothing_of", None: "nothing_of"}


def _doors(program: Program, functions: list[Function], name: str) -> list[str]:
    """How Python calls the functions: one door for all that take and give the same."""
    made: dict[str, str] = {}
    rows = []
    for function in functions:
        taken, gives = kinds_taken(function), function.gives
        if any(kind not in TAKEN for kind in taken) or gives not in GIVEN or function.nested:
            continue
        wide = takes_any(program, function)
        letters = "".join("W" if wide and kind == "number" else TAKEN[kind] for kind in taken)
        given = "codes_of" if function.body is None and gives == "list" else GIVEN[gives]  # `run` and `step` give options
        door = f"door_{'C' if function.writes else 'S'}{letters}_{given}"
        if door not in made:
            made[door] = _door(door, function, letters, given)
        called = f"(void (*)(void)){function.name}"
        rows.append(f'    {{"{function.name}", {called}, {{"{function.name}", (PyCFunction)(void (*)(void)){door}, METH_FASTCALL, NULL}}}},')
    return [DOOR, *made.values(), "static Door DOORS[] = {", *rows, "    {NULL, NULL, {NULL, NULL, 0, NULL}},", "};",
            _ending(program, name)]  # fmt: skip


def _ending(program: Program, name: str) -> str:
    """How the module begins; only one that is stepped has tables."""
    text = ENDING.replace("NAME", name)
    return text.replace("ROWS", ROWS if program.stepped else "").replace("STEPPED", STEPPED if program.stepped else "")


def _door(door: str, like: Function, letters: str, out: str) -> str:
    first = 2 if like.writes else 1
    taken = [FROM_PYTHON[letter].format(f"given[{at}]") for at, letter in enumerate(letters, first)]
    c_type, types = type_given(like), ", ".join(["K *", *(C_TYPES[kind] for kind in kinds_taken(like))])
    return (
        f"static O {door}(O self, O const *given, Py_ssize_t n) {{\n"
        f"    const Door *door = DOORS + PyLong_AsLong(self);\n    K k;\n"
        f"    if (n != {first + len(letters)} || !opened(&k, given[0], {'given[1]' if like.writes else 'NULL'})) "
        f"return fall_back(door->name, given, n);\n"
        f"    if (_setjmp(k.back)) return left(&k, door->name, given, n);\n"
        f"    {c_type} made = (({c_type} (*)({types}))door->function)({', '.join(['&k', *taken])});\n"
        f"    O found = {out}(&k, made);\n    closed(&k);\n    return found;\n}}"
    )


DOOR = """
typedef struct { const char *name; void (*function)(void); PyMethodDef method; } Door;
static Door DOORS[];
"""
ROWS = """if (functions && (PyType_Ready(&RowsType) || PyDict_SetItemString(functions, "Rows", (O)&RowsType))) Py_CLEAR(functions);"""
STEPPED = """{"tables_of", tables_of, METH_VARARGS, NULL},"""
ENDING = """
static O begin(O self, O names) { /* gives all functions by their names */
    O functions = set_up(names) ? NULL : PyDict_New();
    (void)self;
    if (functions && PyDict_SetItemString(functions, "State", (O)&StateType)) Py_CLEAR(functions);
    ROWS
    for (I at = 0; functions && DOORS[at].name; at++) {
        O number = PyLong_FromLongLong(at), made = number ? PyCFunction_NewEx(&DOORS[at].method, number, NULL) : NULL;
        if (!made || PyDict_SetItemString(functions, DOORS[at].name, made)) Py_CLEAR(functions);
        Py_XDECREF(number), Py_XDECREF(made);
    }
    return functions;
}
static O misses(O self, O none) { return PyLong_FromLongLong(MISSES); }
static PyMethodDef METHODS[] = {
    {"begin", begin, METH_VARARGS, NULL},
    {"misses", misses, METH_NOARGS, NULL},
    {"games", games, METH_VARARGS, NULL},
    STEPPED
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef DEFINED = {PyModuleDef_HEAD_INIT, "NAME", NULL, -1, METHODS, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_NAME(void) { return PyModule_Create(&DEFINED); }
"""
