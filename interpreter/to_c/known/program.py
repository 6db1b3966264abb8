"""A plan sorted by what its parts are for C: functions, tables, and the lists and cases of functions by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ichiba.interpreter.flow.horizons import Outlook
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.walk import below, expressions, statements

Kind = Literal["number", "list", "lists", "deep", "packed", "keyed", "among", "nothing"]
"""What a value is in C. `lists`: a list of lists. `deep`: a table with three indexes or more. `packed`: a list that Python
keeps in one number; here it is a list as well. `keyed`: what has been seen, by how it looks. `among`: a fixed set, of which
only is asked whether something is in it. `nothing`: None alone."""

HUGE = 1 << 62  # what is no number in C
PACKED = (1 << 40) + 1  # a fixed number from here on is a packed list: none of the rules is as large (`LARGEST`)
ONLY_PYTHON = {
    "invariants": "it gives texts and functions",
    "ranking": "it gives functions",
}
SWITCHES: dict[str, Kind] = {  # the lists of functions by number, and what these give
    "PIECES": "number", "OPTIONS": "list", "ANSWERS": "number", "EXISTS": "number", "SEATS": "number", "DONE": "number",
    "POLICIES": "list",
}  # fmt: skip
BY_HAND: dict[str, tuple[tuple[str, ...], bool, Kind]] = {  # in native/loop.c: what they take, whether they write, and what they give
    "to_question": (("n",), True, "number"), "step": (("n",), True, "list"), "run": (("n",), True, "list"),
    "dry_run": (("site", "code", "end"), False, "number"),
}  # fmt: skip


class Unsupported(Exception):
    """C has no words for this: the function stays in Python."""


@dataclass(slots=True)
class Function:
    """A function of the module, and what is found out about it."""

    name: str
    params: tuple[str, ...]  # but for the state and the context
    body: tuple[p.Stm, ...] | None  # None: it is said in C by hand
    looks_at_state: bool = True
    writes: bool = False  # it has the context, so it may write
    kinds: dict[str, Kind] = field(default_factory=dict)  # of its names
    entries: dict[str, Kind] = field(default_factory=dict)  # of what is kept under a key, by name
    gives: Kind | None = None
    why: str = ""  # it stays in Python, if not empty
    keys: set[str] = field(default_factory=set)  # names of how something looks
    nested: bool = False  # it gives lists within lists, which C lays out as one
    appends: dict[str, str] = field(default_factory=dict)  # `add = r.append`: the list that grows, by the word for it

    @property
    def in_c(self) -> bool:
        return not self.why


@dataclass(slots=True)
class Program:
    """All functions and tables of a game."""

    places: int  # so many numbers has the state
    functions: dict[str, Function] = field(default_factory=dict)
    tables: dict[str, object] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    switches: dict[str, list[str | None]] = field(default_factory=dict)
    cases: dict[str, tuple[dict[int, str], str | None]] = field(default_factory=dict)
    looks: dict[str, tuple[str, str]] = field(default_factory=dict)  # how a thing looks, and how what lies on it does
    stepped: bool = True  # from Python, too; if not, it only plays whole games
    counted: bool = False  # some loops count their passes
    ranking: list[tuple[str, bool]] = field(default_factory=list)  # what decides: a function of a seat, and if the highest wins
    wide_answers: frozenset[str] = frozenset()  # the functions whose answer can hold a whole list
    packed_places: frozenset[int] | None = None  # where packed lists may lie; None: anywhere
    outlooks: Mapping[int, Outlook] = field(default_factory=dict)  # by the end of a dry run

    def of_case(self, name: str) -> Function:
        """A function of these cases; they are all alike."""
        return self.alternatives(name)[0]

    def alternatives(self, name: str) -> list[Function]:
        cases, default = self.cases[name]
        return [self.functions[one] for one in dict.fromkeys([*cases.values(), *([default] if default else [])])]


def program_of(plan: Iterable[p.Stm], tables: Mapping[str, object], constants: Mapping[str, int]) -> Program:
    """What a module holds, by what it is for C."""
    program = Program(constants["PLACES"])
    for name, given in (*constants.items(), *tables.items()):
        if isinstance(given, int):
            program.constants[name] = int(given)
        else:
            program.tables[name] = given
    for name, (params, writes, kind) in BY_HAND.items():
        program.functions[name] = Function(name, params, None, writes=writes, kinds=dict.fromkeys(params, "number"), gives=kind)
    plan = tuple(plan)
    for s in plan:
        if isinstance(s, p.Function):
            program.functions[s.name] = _function(s)
            if s.name == "ranking":
                program.ranking = list(_ranking(s))
    for s in plan:
        if isinstance(s, p.Set) and isinstance(target := s.targets[0], p.Name):
            _define(program, target.name, s.value)
    program.counted = any(
        isinstance(e, p.Call) and isinstance(e.function, p.Name) and e.function.name in ("tick", "spend")
        for function in program.functions.values()
        for e in expressions(function.body or ())
    )
    return program


def _function(s: p.Function) -> Function:
    names = [param.name for param in s.params]
    made = Function(
        s.name, tuple(name for name in names if name not in ("S", "C")), s.body, "S" in names, "C" in names,
        kinds={param.name: "list" for param in s.params if param.kind == "list" and param.name != "S"}, why=ONLY_PYTHON.get(s.name, ""),
    )  # fmt: skip
    for one in statements(s.body):
        match one:
            case p.Set(targets=(p.Name(name=name),), value=p.Attribute(of=p.Name(name=grows), name="append")):
                made.appends[name] = grows
            case _:
                pass
    return made


def _ranking(s: p.Function) -> Iterator[tuple[str, bool]]:
    match s.body:
        case [p.Return(value=p.Row(items=items))]:
            for one in items:
                match one:
                    case p.Row(items=(p.Name(name=name), p.Truth(value=highest))):
                        yield name, highest
                    case _:
                        raise Unsupported("what the ranking is")
        case _:
            raise Unsupported("what the ranking is")


def _define(program: Program, name: str, value: p.Exp) -> None:
    """A name of the module."""
    match value:
        case p.Num(value=number):
            program.constants[name] = number
        case p.Row(form="list", items=items) if name in SWITCHES:
            row = [one.name if isinstance(one, p.Name) else None for one in items]
            program.switches[name] = row
            for function in filter(None, row):
                program.functions[function].gives = SWITCHES[name]
                if name == "POLICIES":
                    program.functions[function].kinds[program.functions[function].params[-1]] = "list"
        case p.Row(form="list", items=items):
            program.tables[name] = tuple(one.value for one in items if isinstance(one, p.Num))
        case p.Row(form="tuple", items=(p.Name(name=plain), deep)):
            deeper = deep.name if isinstance(deep, p.Name) else ""
            program.looks[name] = plain, deeper
            if deeper:
                program.functions[deeper].nested, program.functions[deeper].gives = True, "list"
        case p.Call(function=p.Name(name="Cases"), args=(p.Pairs(items=pairs), default)):
            found = {key.value: one.name for key, one in pairs if isinstance(key, p.Num) and isinstance(one, p.Name)}
            program.cases[name] = found, default.name if isinstance(default, p.Name) else None
        case _:
            raise Unsupported(f"what {name} is")


def functions_called(program: Program, called: p.Exp) -> Sequence[Function]:
    """The functions of the module that a call may go to."""
    match called:
        case p.Name(name=name) if name in program.functions:
            return [program.functions[name]]
        case p.Entry(of=p.Name(name=name)) if name in program.cases:
            return program.alternatives(name)
        case _:
            return ()


def is_context(e: p.Exp) -> bool:
    """The state and the context, which every function in C has anyway."""
    return isinstance(e, p.Name) and e.name in ("S", "C")


def passed(args: Sequence[p.Exp]) -> list[p.Exp]:
    return [arg for arg in args if not is_context(arg)]


def by_name(args: Sequence[p.Exp]) -> tuple[list[p.Exp], dict[str, p.Exp]]:
    """Arguments in their order, and those that are given by name."""
    return [a for a in args if not isinstance(a, p.Keyword)], {a.name: a.value for a in args if isinstance(a, p.Keyword)}


def names_of(e: p.Exp) -> set[str]:
    return {one.name for one in below(e) if isinstance(one, p.Name)}


def shape(e: p.Exp) -> str:
    """What an expression is, for who reads why a function stays in Python."""
    match e:
        case p.Name(name=name):
            return name
        case p.Call(function=function) | p.Method(of=function):
            return f"a call of {shape(function)}"
        case _:
            return type(e).__name__
