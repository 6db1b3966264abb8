"""The fixed tables of a game in C, and the lists and cases of functions by number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ichiba.interpreter.runtime.ways import Kept
from ichiba.interpreter.to_c.known.kinds import depth, has_bits, kind_of_table
from ichiba.interpreter.to_c.known.program import HUGE, SWITCHES, Function, Kind, Program, Unsupported
from ichiba.interpreter.to_c.known.scope import C_TYPES


def table(name: str, given: object) -> str:
    """A table; nothing, where only Python looks into it."""
    if isinstance(given, Kept):
        rows = {part: row for part, row in (("first", given.first), ("to", given.to), ("which", given.which))}
        parts = ", ".join(f"(I *){name}_{part}_p" for part in rows)
        return "\n".join([*(_row(f"{name}_{part}", row) for part, row in rows.items()),
                          f"static __thread Kept {name} = {{{given.low}, {len(given.around)}, {len(given.to)}, {parts}}};"])  # fmt: skip
    kind = kind_of_table(given)
    if kind is None:
        return ""
    if isinstance(given, dict):
        return _keyed(name, given, rows=kind == "lists")
    if isinstance(given, frozenset):
        cases = " ".join(f"case {value}:" for value in sorted(given))
        return f"static int {name}_has(I at) {{ switch (at) {{ {cases} {'return 1;' if cases else ''} default: return 0; }} }}"
    assert isinstance(given, tuple | list)
    return _row(name, given) if kind == "list" else _rows(name, given, depth(given))


def _row(name: str, row: Sequence[Any]) -> str:
    if any(value is not None and abs(int(value)) >= HUGE for value in row):
        raise Unsupported("a number that is too large")
    values = ", ".join("NONE" if value is None else str(int(value)) for value in row)
    return (
        f"static const I {name}_p[] = {{{values or '0'}}};\n"
        f"static const L {name} __attribute__((unused)) = {{{len(row)}, 0, (I *){name}_p}};"
    )


def _rows(name: str, given: Sequence[Any], levels: int) -> str:
    """Rows of numbers as a list of lists; with more levels a function that finds such a list: `NAME_at(k, 2, 0)`."""
    if levels > 2:
        return _deep(name, given, levels)
    rows = [_row(f"{name}_{n}", row) for n, row in enumerate(given)]
    parts = ", ".join(f"{{{len(row)}, 0, (I *){name}_{n}_p}}" for n, row in enumerate(given))
    bits = ", ".join(f"{bits_of(row)}ULL" for row in given) if has_bits(given) else ""
    rows += [f"static const U {name}_bits[] __attribute__((unused)) = {{{bits}}};"] if bits else []
    return "\n".join([*rows, f"static const L {name}_p[] = {{{parts or '{0, 0, NULL}'}}};",
                      f"static const LL {name} __attribute__((unused)) = {{{len(given)}, 0, (L *){name}_p}};"])  # fmt: skip


def bits_of(row: Sequence[int]) -> int:
    """Small numbers as one, in which each of them is a bit."""
    made = 0
    for value in row:
        made |= 1 << value
    return made


def _deep(name: str, given: Sequence[Any], levels: int) -> str:
    rows = [_rows(f"{name}_{n}", row, levels - 1) for n, row in enumerate(given)]
    inner = [f"I a{n}" for n in range(1, levels - 2)]
    passed = f"_at(k, {', '.join(f'a{n}' for n in range(1, levels - 2))})" if inner else ""
    cases = " ".join(f"case {n}: return {name}_{n}{passed};" for n in range(len(given)))
    head = f"static LL {name}_at({', '.join(['K *k', 'I a0', *inner])})"
    return "\n".join([*rows, f"{head} {{ if (a0 < 0) a0 += {len(given)}; switch (a0) {{ {cases} default: miss(k); }} }}"])


def _keyed(name: str, given: dict[int, Any], rows: bool) -> str:
    """Looked up by switch; what is not there is None."""
    lines, cases = [], []
    seen: dict[object, int] = {}
    for key, value in given.items():
        if rows:
            row = tuple(value)
            if row not in seen:
                seen[row] = len(seen)
                lines.append(_row(f"{name}_{seen[row]}", row))
            cases.append(f"case {key}: return {name}_{seen[row]};")
        else:
            cases.append(f"case {key}: {'miss(k)' if value is None else f'return {int(value)}'};")
    none = "return (L){-1, 0, NULL};" if rows else "return NONE;"
    head = f"static {'L' if rows else 'I'} {name}_or(K *k, I at)"
    return "\n".join([*lines, f"{head} {{ (void)k; switch (at) {{ {' '.join(cases)} default: {none} }} }}"])


# --------------------------------------------------------------------------------------------- functions by number


MORE_TAKEN = {"ANSWERS": ("I code",), "POLICIES": ("I site", "I seat", "L options")}


def switch_head(name: str) -> str:
    return f"static {C_TYPES[SWITCHES[name]]} {name}({', '.join(['K *k', 'I at', *MORE_TAKEN.get(name, ())])})"


def switch(program: Program, name: str, row: Iterable[str | None]) -> str:
    passed = ", ".join(["k", *(one.split()[-1] for one in MORE_TAKEN.get(name, ()))])
    cases = " ".join(f"case {n}: return {one}({_near(program, name, one, passed)});" for n, one in enumerate(row) if one)
    return f"{switch_head(name)} {{ switch (at) {{ {cases} default: miss(k); }} }}"


def rankings(program: Program) -> list[str]:
    """What decides on the places of seats, first things first: whoever has more is better."""
    cases = " ".join(f"case {n}: return {'' if highest else '-'}{one}(k, seat);" for n, (one, highest) in enumerate(program.ranking))
    return [f"#define RANKINGS {len(program.ranking)}", f"static I RANKS(K *k, I at, I seat) {{ switch (at) {{ {cases} default: miss(k); }} }}"]


def outlooks(program: Program) -> list[str]:
    """By the end of a dry run: the questions of which every answer is tried, and those that may be another seat's."""
    deep = " ".join(_has(end, one.deep) for end, one in program.outlooks.items())
    others = " ".join(_has(end, one.others) for end, one in program.outlooks.items())
    return [f"static I {name}_has(K *k, I end, I pc) {{ switch (end) {{ {cases} default: miss(k); }} }}"
            for name, cases in (("deep", deep), ("others", others))]  # fmt: skip


def _has(end: int, these: frozenset[int]) -> str:
    rows = " ".join(f"case {one}:" for one in sorted(these))
    return f"case {end}: switch (pc) {{ {rows} {'return 1;' if rows else ''} default: return 0; }}"


def packed_places(program: Program) -> list[str]:
    """Whether a packed list may lie at a place, and the first at which one may."""
    if program.packed_places is None:
        return ["#define may_hold_list(at) 1", "#define FIRST_PACKED ((I)0)"]
    first = f"#define FIRST_PACKED ((I){min(sorted(program.packed_places), default=program.places)})"
    cases = " ".join(f"case {place}:" for place in sorted(program.packed_places))
    return [first, f"static int may_hold_list(I at) {{ switch (at) {{ {cases} {'return 1;' if cases else ''} default: return 0; }} }}"]


def forgetting(program: Program) -> list[str]:
    """What searches have found, let go of: by a thread that ends."""
    kept = [name for name, given in program.tables.items() if isinstance(given, Kept)]
    return [f"#define FORGET_ANSWERS() do {{ {' '.join(f'forget(&{name});' for name in kept)} }} while (0)"]


def _near(program: Program, name: str, one: str, passed: str) -> str:
    return passed.replace("code", "near(k, code)") if name == "ANSWERS" and one not in program.wide_answers else passed


def case_head(program: Program, name: str) -> str:
    like = program.of_case(name)
    given = [f"{C_TYPES[kind]} v_{n}" for n, kind in enumerate(kinds_taken(like))]
    return f"static {type_given(like)} {name}({', '.join(['K *k', 'I at', *given])})"


def case(program: Program, name: str) -> str:
    """The functions of a table of cases; they take and give the same."""
    cases, default = program.cases[name]
    like = program.of_case(name)
    for function in program.alternatives(name):
        if (kinds_taken(function), type_given(function)) != (kinds_taken(like), type_given(like)):
            raise Unsupported(f"cases that differ: {name}")
    passed = ", ".join(["k", *(f"v_{n}" for n in range(len(like.params)))])
    lines = " ".join(f"case {key}: return {one}({passed});" for key, one in cases.items())
    otherwise = f"return {default}({passed});" if default else "return 1;"
    return f"{case_head(program, name)} {{ switch (at) {{ {lines} default: {otherwise} }} }}"


def kinds_taken(function: Function) -> list[Kind]:
    return [function.kinds.get(name, "number") for name in function.params]


def type_given(function: Function) -> str:
    return C_TYPES.get(function.gives or "number", "I")
