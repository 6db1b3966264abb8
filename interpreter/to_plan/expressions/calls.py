"""Values of the rules, called."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.analysis.simplify import as_usual, plain
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ONE, ZERO, call
from ichiba.interpreter.plan.parts import parts_of
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.context.tables import fixed_table


def call_value(c: Context, e: ir.CallValue) -> p.Exp:
    """A value with its arguments; where owners answer for themselves, that of the owner."""
    ref = e.function
    args = [p.S, *(lower(c, a) for a in e.args)]
    if ref.by is not None and ref.cases:
        chooser = e.args[ref.by]
        if isinstance(chooser, ir.Const):
            function = ref.cases.get(chooser.value, ref.default)
            return _called_function(c, function, e.args, args) if function is not None else ZERO
        which, table = lower(c, chooser), _table_of_cases(c, ref)
        called = p.Call(p.Entry(p.Name(table), which), tuple(args))
        usual = as_usual(e) if c.rewrites and _is_short(which) else None
        if usual is None:
            return called
        return say(
            "{} if {} in {} else {}",
            called,
            which,
            fixed_table(c, frozenset(ref.cases), f"with_own_{ref.name}"),
            lower(c, usual),
        )
    if ref.default is None:
        return ONE
    return _called_function(c, ref.default, e.args, args)


def _called_function(c: Context, function: ir.Function, args: tuple[ir.Exp, ...], made: list[p.Exp]) -> p.Exp:
    called = call(function_name(c, function), *made)
    nothing = next((arg for arg in args if c.rewrites and _nothing_for_none(function, args, arg)), None)
    return called if nothing is None else say("{} if {} else 0", called, lower(c, nothing))


def _nothing_for_none(function: ir.Function, args: tuple[ir.Exp, ...], arg: ir.Exp) -> bool:
    """Whether a value is so many times something, and how many there are is quickly said: often there are none."""
    if not isinstance(arg, ir.CountIn) or not plain(arg):
        return False
    times = function.params[args.index(arg)]
    value: object = function.body
    if (
        isinstance(value, ir.Block)
        and value.body
        and isinstance(last := value.body[-1], ir.GiveBack)
        and len(last.values) == 1
    ):
        (value,) = last.values
    while isinstance(value, ir.Op) and value.op == "+" and value.args[1:] == (ir.Const(0, value.args[1].kind),):
        value = value.args[0]  # only its unit is another
    factors = value.args if isinstance(value, ir.Op) and value.op == "*" else ()
    return any(isinstance(factor, ir.Use) and factor.var is times for factor in factors)


def _table_of_cases(c: Context, ref: ir.ValueRef) -> str:
    """A table of functions by owner, written after them."""
    key = ("cases", id(ref))
    if key not in c.tables.names:
        c.tables.names[key] = f"{c.prefix}CASES_{len(c.tables.names)}"
        c.tables.cases[c.tables.names[key]] = ref
        for function in [ref.default, *ref.cases.values()]:
            if function is not None:
                function_name(c, function)
    return c.tables.names[key]


def function_name(c: Context, function: ir.Function) -> str:
    """What a value is called; from now on it is to be written."""
    if function not in c.mentioned.functions:
        c.mentioned.functions[function] = c.prefix + new_name(c, "f_" + function.name)
        c.queue.functions.append(function)
    return c.mentioned.functions[function]


def _is_short(e: p.Exp) -> bool:
    """Whether it may be said twice: no table and no place within a place is looked up for it."""
    match e:
        case p.Num() | p.Name() | p.Choice() | p.Op() | p.Unary() | p.Compare() | p.Logic():
            return True
        case p.Cell(at=p.Num() | p.Name()):
            return True
        case p.Cell(at=p.Sum(terms=terms)):
            return not any(_looks_up(term) for term in terms)
        case _:
            return False


def _looks_up(e: p.Exp) -> bool:
    return any(isinstance(part, p.Cell | p.Entry | p.Slice) for part in parts_of(e))
