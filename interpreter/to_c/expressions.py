"""Expressions of a plan, in C: numbers, conditions, lists, and the loops within them.

One printer for each kind that a value can have; each is total. What C has no words for raises `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.kinds import element_of, indexes, kind_of_table
from ichiba.interpreter.to_c.program import (
    HUGE,
    Function,
    Kind,
    Unsupported,
    by_name,
    functions_called,
    is_context,
    passed,
    shape,
)
from ichiba.interpreter.to_c.scope import C_TYPES, MOST, NEAR, NO_NUMBERS, WIDE, Range, Scope, Value, hull
from ichiba.interpreter.to_c.words import IN_C, TAKES

NO_LIST = Value("(L){-1, 0, NULL}", *NO_NUMBERS)  # None, where a list could be
CHECKED = {"+": "add", "*": "mul", "//": "div_", "%": "mod_", "**": "power", "<<": "shl", ">>": "shr"}


def unsupported(e: p.Exp, wanted: str) -> Unsupported:
    return Unsupported(f"{shape(e)} as {wanted}")


def as_kind(w: Scope, e: p.Exp, kind: Kind) -> Value:
    """An expression as something of this kind."""
    match kind:
        case "number":
            return number(w, e)
        case "packed":
            return packed(w, e)
        case "list" | "lists":
            return listed(w, e)
        case "deep" | "keyed" | "among" | "nothing":
            raise unsupported(e, f"something {kind}")
        case _:
            assert_never(kind)


def in_order(w: Scope, these: Sequence[tuple[p.Exp, Kind]], say: Callable[[list[Value]], Value]) -> Value:
    """C works the parts of an expression out in any order. Where that counts, they are worked out before, in theirs."""
    values = [as_kind(w, e, kind) for e, kind in these]
    if len(values) < 2 or not any(w.touches(e) for e, _ in these):
        return say(values)
    names = [w.new() for _ in values]
    before = " ".join(f"{C_TYPES[kind]} {name} = {v.text};" for (_, kind), name, v in zip(these, names, values, strict=True))
    made = say([v._replace(text=name) for name, v in zip(names, values, strict=True)])
    return made._replace(text=f"({{ {before} {made.text}; }})")


# ----------------------------------------------------------------------------------------------------------- numbers


def number(w: Scope, e: p.Exp, may_be_none: bool = False) -> Value:
    match e:
        case p.Cell(at=at):
            return cell(w, at)
        case p.Name(name=name):
            return _number_named(w, name)
        case p.Num(value=value):
            return literal(value)
        case p.Truth(value=holds):
            return literal(int(holds))
        case p.Nothing():
            return Value("NONE", -MOST - 1, MOST)
        case p.Op(op=op, left=left, right=right):
            return in_order(w, [(left, "number"), (right, "number")], lambda both: calculated(op, *both))
        case p.Sum(terms=terms, fixed=fixed):
            return in_order(w, [(term, "number") for term in terms], lambda values: added([*values, literal(fixed)]))
        case p.Unary(op="not") | p.Compare():
            return Value(truth(w, e), 0, 1)
        case p.Unary(op=op, of=of):
            turned = number(w, of)
            low, high = (-turned.high, -turned.low) if op == "-" else (-turned.high - 1, -turned.low - 1)
            return Value(f"({op}{turned.text})", max(low, -MOST), min(high, MOST))
        case p.Logic(op=op, parts=parts):
            return _first(op, [number(w, part) for part in parts], "I", "", w)
        case p.Choice(test=p.Attribute(name="tracing"), no=no):
            return number(w, no)
        case p.Choice(test=test, yes=yes, no=no):
            return _chosen(w, test, yes, no, "number")
        case p.Keep(name=name, value=value):
            made = number(w, value)
            return made._replace(text=f"(v_{name.name} = {made.text})")
        case p.Entry():
            return _entry(w, e, may_be_none)
        case p.Attribute(of=p.Name(name="C"), name="dry"):
            return Value("dry_of(k)")
        case p.Call():
            return _number_called(w, e)
        case p.Method():
            return _number_of_method(w, e)
        case p.Word() | p.Part() | p.Attribute() | p.Row() | p.Spread() | p.Given() | p.Pairs() | p.Comp() | p.Lambda():
            raise unsupported(e, "a number")
        case _:
            assert_never(e)


def literal(value: int) -> Value:
    if abs(value) >= HUGE:
        raise Unsupported("a number that is too large")
    text = f"{value}LL" if abs(value) >= 1 << 31 else str(value)
    return Value(f"({text})" if value < 0 else text, value, value)


def _number_named(w: Scope, name: str) -> Value:
    kind = w.function.kinds.get(name)
    if kind == "number":
        return Value(f"v_{name}", *w.range(name))
    if kind is None and name in w.program.constants:
        return literal(w.program.constants[name])
    raise Unsupported(f"{name} as a number")


def cell(w: Scope, at: p.Exp) -> Value:
    """A number of the state."""
    there = number(w, at)
    return Value(f"{'at' if is_place(w, there) else 'rd'}(k, {there.text})", -NEAR, NEAR)


def is_place(w: Scope, there: Value) -> bool:
    """Whether it is sure that the state has this place."""
    return there.within(0, w.program.places - 1)


def added(values: Sequence[Value]) -> Value:
    made = values[0]
    for value in values[1:]:
        made = calculated("+", made, value)
    return made


def calculated(op: str, one: Value, other: Value) -> Value:
    """Two numbers put together; checked, where the outcome may be too large, or where there is none."""
    match op:
        case "+" | "-" | "*":
            return _checked(op, one, other)
        case "//" if other.low > 0:
            if other.range == (1, 1):
                return one
            low, high = one.low // (other.low if one.low < 0 else other.high), one.high // (other.low if one.high > 0 else other.high)
            return Value(f"({one.text} / {other.text})" if one.low >= 0 else f"div_(k, {one.text}, {other.text})", low, high)
        case "%" if other.low > 0:
            if other.range == (1, 1):
                return literal(0)
            most = min(other.high - 1, one.high) if one.low >= 0 else other.high - 1
            return Value(f"({one.text} % {other.text})" if one.low >= 0 else f"mod_(k, {one.text}, {other.text})", 0, most)
        case "&":
            ends = [value.high for value in (one, other) if value.low >= 0]
            return Value(f"({one.text} & {other.text})", *((0, min(ends)) if ends else (-MOST, MOST)))
        case "|":
            bits = max(one.high, other.high).bit_length()
            return Value(f"({one.text} | {other.text})", *((0, (1 << bits) - 1) if min(one.low, other.low) >= 0 else (-MOST, MOST)))
        case "//" | "%" | "**" | "<<" | ">>":
            return Value(f"{CHECKED[op]}(k, {one.text}, {other.text})", *((-NEAR, NEAR) if op == "**" else (-WIDE, WIDE)))
        case _:
            raise Unsupported(f"the sign {op}")


def _checked(op: str, one: Value, other: Value) -> Value:
    if op == "+":
        low, high = one.low + other.low, one.high + other.high
    elif op == "-":
        low, high = one.low - other.high, one.high - other.low
    else:
        ends = [a * b for a in one.range for b in other.range]
        low, high = min(ends), max(ends)
    if low >= -MOST and high <= MOST:
        return Value(f"({one.text} {op} {other.text})" if other.range != (0, 0) or op == "*" else one.text, low, high)
    name, turned = ("mul", other.text) if op == "*" else ("add", other.text if op == "+" else f"-({other.text})")
    return Value(f"{name}(k, {one.text}, {turned})", max(low, -WIDE), min(high, WIDE))


def _first(op: str, values: Sequence[Value], c_type: str, there: str, w: Scope) -> Value:
    """The value at which `and` or `or` stops; `there`: what of it says whether it counts as true."""
    text = values[-1].text
    for value in reversed(values[:-1]):
        name = w.new()
        then = f"{text} : {name}" if op == "and" else f"{name} : {text}"
        text = f"({{ {c_type} {name} = {value.text}; {name}{there} ? {then}; }})"
    return Value(text, *hull(value.range for value in values))


def _chosen(w: Scope, test: p.Exp, yes: p.Exp, no: p.Exp, kind: Kind) -> Value:
    asked = truth(w, test)
    with w.supposing(test):
        one = as_kind(w, yes, kind)
    with w.supposing(test, hold=False):
        other = as_kind(w, no, kind)
    return Value(f"({asked} ? {one.text} : {other.text})", *hull([one.range, other.range]))


def _entry(w: Scope, e: p.Entry, may_be_none: bool) -> Value:
    """A number out of a table or a list."""
    match e.of:
        case p.Name(name=name) if w.function.kinds.get(name) == "keyed":
            return Value(f"entry_there(k, &v_{name}, {key(w, e.at)})->one")
        case p.Name(name=name) if name not in w.function.kinds and isinstance(table := w.program.tables.get(name), dict):
            text = f"{name}_or(k, {number(w, e.at).text})"
            return Value(text if may_be_none else f"known(k, {text})", *numbers_of(table))
        case p.Name(name=name) if name not in w.function.kinds and isinstance(table := w.program.tables.get(name), tuple | list):
            at = number(w, e.at)
            made = _entry_of_table(name, table, at)
            return made if may_be_none or None not in table else made._replace(text=f"known(k, {made.text})")
        case _:
            name = indexes(e)[0]
            gaps = name in w.program.tables and name not in w.function.kinds and has_gaps(w.program.tables[name])
            made = in_order(w, [(e.of, "list"), (e.at, "number")], lambda v: Value(f"item(k, {v[0].text}, {v[1].text})", *v[0].range))
            return made if may_be_none or not gaps else made._replace(text=f"known(k, {made.text})")


def _entry_of_table(name: str, table: Sequence[object], at: Value) -> Value:
    if at.within(0, len(table) - 1):
        place = at.text
    else:
        place = f"{'upto' if at.low >= 0 else 'entry_at'}(k, {at.text}, {len(table)})"
    return Value(f"{name}_p[{place}]", *numbers_of(table))


def numbers_of(table: object) -> Range:
    """Between what the numbers of a table lie."""
    if isinstance(table, int):
        return int(table), int(table)
    if isinstance(table, dict):
        return hull(numbers_of(value) for value in table.values())
    return hull(numbers_of(value) for value in table) if isinstance(table, tuple | list) else NO_NUMBERS


def has_gaps(table: object) -> bool:
    """Whether an entry of a table may be missing."""
    return table is None or (isinstance(table, tuple | list) and any(has_gaps(value) for value in table))


# -------------------------------------------------------------------------------------------------------- conditions

SIGNS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def truth(w: Scope, e: p.Exp) -> str:
    """Whether it counts as true."""
    match e:
        case p.Logic(op=op, parts=parts):
            said = []
            before = dict(w.known)
            for part in parts:
                said.append(truth(w, part))
                w.learn(part, op == "and")
            w.known = before
            return "(" + (" && " if op == "and" else " || ").join(said) + ")"
        case p.Unary(op="not", of=of):
            return f"(!{truth(w, of)})"
        case p.Truth(value=holds):
            return str(int(holds))
        case p.Compare():
            return _compared(w, e)
        case p.Call(function=p.Name(name="tick")):
            return "(spend(k, 1), 1)"
        case p.Call(function=p.Name(name="any" | "all" as word), args=(one,)):
            return _whether(w, word, one)
        case p.Call(function=p.Name(name="bool"), args=(one,)):
            return truth(w, one)
        case p.Cell() | p.Num() | p.Sum() | p.Op() | p.Unary() | p.Attribute():
            return f"({number(w, e).text} != 0)"
        case p.Comp() | p.Row() | p.Part():
            return f"({listed(w, e).text}.n > 0)"
        case p.Nothing():
            return "0"
        case p.Name() | p.Choice() | p.Entry() | p.Call() | p.Method() | p.Keep():
            if w.kind(e) in ("list", "lists", "packed"):
                return f"({listed(w, e).text}.n > 0)"
            return f"({number(w, e).text} != 0)"
        case p.Word() | p.Spread() | p.Given() | p.Pairs() | p.Lambda():
            raise unsupported(e, "a condition")
        case _:
            assert_never(e)


def _compared(w: Scope, e: p.Compare) -> str:
    if len(e.rest) == 1:
        return _pair(w, e.first, *e.rest[0])
    kinds: list[tuple[p.Exp, Kind]] = [(one, "number") for one in (e.first, *(other for _, other in e.rest))]
    signs = [sign for sign, _ in e.rest]
    if any(sign not in SIGNS for sign in signs):
        raise unsupported(e, "a chain")

    def say(values: list[Value]) -> Value:
        names, before = [], []
        for at, value in enumerate(values):  # what stands in the middle is asked for twice
            name = value.text
            if 0 < at < len(values) - 1 and not isinstance(kinds[at][0], p.Num | p.Name):
                name = w.new()
                before.append(f"I {name} = {value.text};")
            names.append(name)
        asked = " && ".join(f"{one} {sign} {other}" for one, sign, other in zip(names, signs, names[1:], strict=False))
        return Value(f"({{ {' '.join(before)} {asked}; }})" if before else f"({asked})")

    return in_order(w, kinds, say).text


def _pair(w: Scope, left: p.Exp, sign: str, right: p.Exp) -> str:
    match sign:
        case "is" | "is not":
            if not isinstance(right, p.Nothing):
                raise unsupported(right, "what something is")
            turned = "!" if sign == "is not" else ""
            if w.kind(left) in ("list", "packed", "lists"):
                return f"({turned}({listed(w, left).text}.n < 0))"
            return f"({turned}({number(w, left, may_be_none=True).text} == NONE))"
        case "in" | "not in":
            text = _within(w, left, right)
            return f"(!{text})" if sign == "not in" else text
        case _:
            if "number" == w.kind(left) == w.kind(right):
                both = in_order(w, [(left, "number"), (right, "number")], lambda v: Value(f"({v[0].text} {sign} {v[1].text})"))
                return both.text
            if sign not in ("==", "!=") or not {w.kind(left), w.kind(right)} <= {"list", "packed"}:
                raise unsupported(left, "what is compared")
            same = in_order(w, [(left, "list"), (right, "list")], lambda v: Value(f"same({v[0].text}, {v[1].text})"))
            return f"(!{same.text})" if sign == "!=" else same.text


def _within(w: Scope, left: p.Exp, right: p.Exp) -> str:
    kind = w.kind(right)
    if kind == "keyed" and isinstance(right, p.Name):
        return f"(entry(&v_{right.name}, {key(w, left)}) != NULL)"
    if kind == "among" and isinstance(right, p.Name):
        return f"{right.name}_has({number(w, left).text})"
    if isinstance(right, p.Row) and all(not isinstance(one, p.Spread) and w.kind(one) == "number" for one in right.items):
        name = w.new()
        value = number(w, left)
        asked = " || ".join(f"{name} == {number(w, one).text}" for one in right.items) or "0"
        return f"({{ I {name} = {value.text}; {asked}; }})"
    return in_order(w, [(left, "number"), (right, "list")], lambda v: Value(f"holds({v[1].text}, {v[0].text})")).text


def key(w: Scope, e: p.Exp) -> str:
    """A number or a tuple of numbers, as a list."""
    return (_just(w, [e]) if w.kind(e) == "number" else listed(w, e)).text


def _whether(w: Scope, word: str, source: p.Exp) -> str:
    """`any` or `all` of what goes through a loop."""
    own, out = w.new(), w.new()
    wanted = "1" if word == "any" else "0"

    def leaf(asked: str) -> str:
        return f"if ({asked if word == 'any' else f'!{asked}'}) {{ {own} = {wanted}; goto {out}; }}"

    if isinstance(source, p.Comp):
        took = loops(w, source.clauses, lambda: leaf(truth(w, source.item)))
    else:
        took = each(w, "each", source, lambda: leaf("(v_each != 0)"))
    return f"({{ I {own} = !{wanted}; {took} {out}: {own}; }})"


# ------------------------------------------------------------------------------------------------------------- calls


def _number_called(w: Scope, e: p.Call) -> Value:
    match e.function:
        case p.Name(name=name) if name not in w.program.functions:
            return _word(w, name, e)
        case _:
            return own_function(w, e)


def _word(w: Scope, name: str, e: p.Call) -> Value:
    """A word of the runtime, or of Python, that gives a number."""
    args, told = by_name(e.args)
    match name, args:
        case "sum", [p.Comp() as found]:
            own = w.new()
            took = loops(w, found.clauses, lambda: f"{own} = add(k, {own}, {number(w, found.item).text});")
            return Value(f"({{ I {own} = 0; {took} {own}; }})")
        case "sum", [p.Part(of=p.Name(name="S"), low=low, high=high)] if low is not None and high is not None:
            return in_order(w, [(low, "number"), (high, "number")], lambda v: Value(f"sum_of(k, {v[0].text}, {v[1].text})"))
        case "sum", [one]:
            return Value(f"sum_list(k, {listed(w, one).text})")
        case "any" | "all" | "bool" | "tick", _:
            return Value(truth(w, e), 0, 1)
        case "len", [one]:
            return Value(f"{listed(w, one).text}.n", 0, 1 << 32)
        case "min" | "max", [one]:
            return _extreme(w, name, one, told)
        case "min" | "max", _ if not told:
            return in_order(w, [(arg, "number") for arg in args], lambda values: _extreme_of(name, values))
        case "next", [p.Comp() as found, otherwise]:
            return _next(w, found, otherwise)
        case "apart", [_, known, x, p.Name(name=deep)]:
            return Value(f'apart(k, {_that_grows(w, known)}, {number(w, x).text}, "{deep}")', 0, 1)
        case "alike", [_, p.Name(name=seen), x, p.Spread(of=p.Name(name=look))]:
            return Value(f"alike(k, &v_{seen}, {number(w, x).text}, {_looks(w, look)})", 0, 1)
        case "place_in", [place, first, *_]:  # what is above the last is seen where it is looked up
            below = in_order(w, [(place, "number"), (first, "number")], lambda v: calculated("-", *v))
            return Value(f"not_below(k, {below.text})", max(0, below.low), max(0, below.high))
        case "entry_at", [table, p.Row(items=at), p.Row(items=lows), *_]:  # what is missing is seen where it is looked up
            for place, low in zip(at, lows, strict=True):
                table = p.Entry(table, p.Call(p.Name("place_in"), (place, low)))
            return number(w, table)
        case "too_many", _:
            return Value("(miss(k), 0)")
        case _ if name in TAKES:
            return runtime(w, name, args)
        case _:
            raise Unsupported(f"the word {name}")


def _extreme_of(word: str, values: Sequence[Value]) -> Value:
    text = values[0].text
    for value in values[1:]:
        text = f"{word}_({text}, {value.text})"
    pick = min if word == "min" else max
    return Value(text, pick(v.low for v in values), pick(v.high for v in values))


def _extreme(w: Scope, word: str, source: p.Exp, told: dict[str, p.Exp]) -> Value:
    """The least or the greatest of many; by a key, if there is one, the first with it."""
    default, by = told.get("default"), told.get("key")
    best, mark, own = w.new(), w.new(), w.new()
    found: list[Range] = []

    def compare(value: str, marked: Value, lies: Range) -> str:
        found.append(lies)
        sign = "<" if word == "min" else ">"
        return f"I {own} = {marked.text}; if ({best} == NONE || {own} {sign} {mark}) {{ {mark} = {own}; {best} = {value}; }}"

    def leaf(item: p.Exp) -> str:
        value = number(w, item)
        return compare(own, value, value.range)

    match by:
        case None if isinstance(source, p.Comp):
            took = loops(w, source.clauses, lambda: leaf(source.item))
        case None:
            took = each(w, "each", source, lambda: compare("v_each", Value("v_each"), w.range("each")))
        case p.Lambda(params=(x,), body=body):
            took = each(w, x, source, lambda: compare(f"v_{x}", number(w, body), w.range(x)))
        case _:
            raise unsupported(by, "what is compared")
    otherwise = Value("(miss(k), (I)0)", *NO_NUMBERS) if default is None else number(w, default)
    text = f"({{ I {best} = NONE, {mark} = 0; {took} {best} == NONE ? {otherwise.text} : {best}; }})"
    return Value(text, *hull([*found, otherwise.range]))


def _next(w: Scope, found: p.Comp, otherwise: p.Exp) -> Value:
    own, out = w.new(), w.new()
    ranges: list[Range] = []

    def leaf() -> str:
        item = number(w, found.item)
        ranges.append(item.range)
        return f"{own} = {item.text}; goto {out};"

    last = number(w, otherwise)
    took = loops(w, found.clauses, leaf)
    return Value(f"({{ I {own} = {last.text}; {took} {out}: {own}; }})", *hull([*ranges, last.range]))


def _number_of_method(w: Scope, e: p.Method) -> Value:
    match e:
        case p.Method(of=p.Name(name="S"), name="index", args=(value, low, high)):

            def index(v: list[Value]) -> Value:
                first, last = max(v[1].low, 0), min(v[2].high - 1, w.program.places - 1)
                return Value(f"index_of(k, {', '.join(one.text for one in v)})", first, max(first, last))

            return in_order(w, [(value, "number"), (low, "number"), (high, "number")], index)
        case p.Method(of=p.Name(name=name), name="get", args=(at, otherwise)) if isinstance(w.program.tables.get(name), dict):
            own, last = w.new(), number(w, otherwise)
            text = f"({{ I {own} = {name}_or(k, {number(w, at).text}); {own} == NONE ? {last.text} : {own}; }})"
            return Value(text, *hull([numbers_of(w.program.tables[name]), last.range]))
        case p.Method(of=p.Name(name=name), name="setdefault", args=(at, value)):
            own = w.new()
            return Value(
                f"({{ Entry *{own} = entry_for(k, &v_{name}, {key(w, at)}); "
                f"if ({own}->one == NONE) {{ I made = {number(w, value).text}; {own}->one = made; }} {own}->one; }})"
            )
        case _:
            raise unsupported(e, f"a number: {e.name}")


def own_function(w: Scope, e: p.Call) -> Value:
    """A function of the module, one of some cases, or one of the lists by number."""
    args = passed(e.args)
    functions = functions_called(w.program, e.function)
    match e.function:
        case p.Name(name=name) if functions:
            return _calling(w, name, functions[0], [], args)
        case p.Entry(of=p.Name(name=name), at=at) if functions:
            return _calling(w, name, functions[0], [at], args)
        case p.Entry(of=p.Name(name=name), at=at) if name in w.program.switches:
            these: list[tuple[p.Exp, Kind]] = [(one, "number") for one in (at, *args)]
            return in_order(w, these, lambda values: _said_call(name, values, "list" if name == "OPTIONS" else "number"))
        case _:
            raise unsupported(e, "a function")


def _calling(w: Scope, name: str, function: Function, before: Sequence[p.Exp], args: Sequence[p.Exp]) -> Value:
    if len(args) != len(function.params):
        raise Unsupported(f"{name} takes {len(function.params)}")
    kinds: list[tuple[p.Exp, Kind]] = [(one, "number") for one in before]
    kinds += [(arg, function.kinds.get(param, "number")) for param, arg in zip(function.params, args, strict=True)]

    def say(values: list[Value]) -> Value:
        near = values if function.body is None else [nearby(v) if kind == "number" else v for v, (_, kind) in zip(values, kinds, strict=True)]
        return _said_call(name, near, function.gives)

    return in_order(w, kinds, say)


def nearby(value: Value) -> Value:
    """A number as functions take and give it."""
    return value if value.within(-NEAR, NEAR) else Value(f"near(k, {value.text})", max(value.low, -NEAR), min(value.high, NEAR))


def _said_call(name: str, values: Sequence[Value], gives: Kind | None) -> Value:
    near = (-NEAR, NEAR) if gives in ("number", None) else (-WIDE, WIDE)
    return Value(f"{name}({', '.join(['k', *(value.text for value in values)])})", *near)


def runtime(w: Scope, name: str, args: Sequence[p.Exp]) -> Value:
    """A function of `runtime.c`."""
    given = [arg for arg in args if not is_context(arg)]
    kinds: list[tuple[p.Exp, Kind]] = [
        (arg, "list" if kind == "L" else "number") for arg, kind in zip(given, TAKES[name], strict=True)
    ]

    def say(values: list[Value]) -> Value:
        text = f"{IN_C.get(name, name)}(k, {', '.join(value.text for value in values)})"
        return Value(text, *_outcome(w, name, values))

    return in_order(w, kinds, say)


def _outcome(w: Scope, name: str, v: Sequence[Value]) -> Range:
    """Between what numbers it lies that a word of the runtime gives, or what is in the list."""
    places = 0, w.program.places - 1
    match name:
        case "first_of":
            return -1, places[1]
        case "lying":  # places from the third on, below the fourth; the fifth is added
            return (v[2].low + v[4].low, v[3].high - 1 + v[4].high) if v[3].high < WIDE else (-WIDE, WIDE)
        case "all_but":
            return v[0].low, max(v[0].low, v[1].high - 1)
        case "below":
            return 0, 1 << 30
        case "weighted":
            return places
        case "draw_many":
            return max(v[0].low, 0), min(v[1].high - 1, places[1])
        case "shuffled" | "distinct":
            return v[0].range
        case "big" | "power":
            return -NEAR, NEAR
        case "times":
            return v[0].low, max(v[0].low, min(v[0].high, w.program.constants["STEPS"]))
        case "fitting":
            return max(0, v[0].low), max(0, v[0].high)
        case _:  # `dot`, `count_any`, `cells_any`, `combos`: anything
            return -WIDE, WIDE


# ------------------------------------------------------------------------------------------------------------- lists


def listed(w: Scope, e: p.Exp) -> Value:
    """A list of numbers, or of such lists."""
    match e:
        case p.Nothing():
            return NO_LIST
        case p.Name(name=name):
            return _list_named(w, name)
        case p.Row(items=items) if any(isinstance(one, p.Spread) for one in items):
            return _joined(w, items)
        case p.Row(items=items):
            return _just(w, items)
        case p.Comp():
            return collected(w, e)
        case p.Choice(test=test, yes=yes, no=no):
            return _chosen(w, test, yes, no, "list")
        case p.Logic(op=op, parts=parts):
            return _first(op, [listed(w, part) for part in parts], "L", ".n > 0", w)
        case p.Keep(name=name, value=value):
            return Value(f"(v_{name.name} = {key(w, value)})")
        case p.Part():
            return _part(w, e)
        case p.Entry():
            return _row(w, e)
        case p.Call():
            return _list_called(w, e)
        case p.Method(of=p.Name(name=name), name="setdefault", args=(at, value)):
            own = w.new()
            return Value(
                f"({{ Entry *{own} = entry_for(k, &v_{name}, {key(w, at)}); "
                f"if (!{own}->list.p) {own}->list = {listed(w, value).text}; {own}->list; }})"
            )
        case (
            p.Num() | p.Truth() | p.Word() | p.Cell() | p.Sum() | p.Op() | p.Unary() | p.Compare() | p.Method()
            | p.Attribute() | p.Spread() | p.Given() | p.Pairs() | p.Lambda()
        ):  # fmt: skip
            raise unsupported(e, "a list")
        case _:
            assert_never(e)


def packed(w: Scope, e: p.Exp) -> Value:
    """A list, from what Python keeps as one number."""
    match e:
        case p.Num(value=value):
            values = []
            while value > 0:
                values.append(p.Num((value & w.program.constants["MASK"]) - 2))
                value >>= w.program.constants["BITS"]
            return _just(w, values)
        case p.Cell(at=at):
            there = number(w, at)
            place = there.text if is_place(w, there) else f"place(k, {there.text})"
            return Value(f"unpack_object(k, k->s[{place}])")
        case p.Choice(test=test, yes=yes, no=no):
            return _chosen(w, test, yes, no, "packed")
        case p.Call(function=p.Name(name="pack"), args=(one,)):
            return listed(w, one)
        case _ if w.kind(e) == "packed":
            return listed(w, e)
        case _:
            return Value(f"unpack(k, {number(w, e).text})", -2, w.program.constants["MASK"] - 2)


def _list_named(w: Scope, name: str) -> Value:
    kind = w.function.kinds.get(name)
    if kind in ("list", "lists", "packed"):
        return Value(f"v_{name}", *w.range(name))
    table = w.program.tables.get(name)
    if kind is None and kind_of_table(table) in ("list", "lists") and not isinstance(table, dict):
        return Value(name, *((-MOST - 1, MOST) if has_gaps(table) else numbers_of(table)))
    raise Unsupported(f"{name} as a list")


def _just(w: Scope, items: Sequence[p.Exp]) -> Value:
    """A list of just these."""
    if not items:
        return Value("(L){0, 0, NULL}", *NO_NUMBERS)
    own, n = w.new(), len(items)
    if any(w.kind(one) == "list" for one in items):

        def rows(values: list[Value]) -> Value:
            fills = " ".join(f"{own}[{at}] = {value.text};" for at, value in enumerate(values))
            text = f"({{ L *{own} = room(k, {n} * (I)sizeof(L)); {fills} (LL){{{n}, 0, {own}}}; }})"
            return Value(text, *hull(value.range for value in values))

        return rows([listed(w, one) for one in items])
    values = [number(w, one) for one in items]
    fills = " ".join(f"{own}[{at}] = {value.text};" for at, value in enumerate(values))
    text = f"({{ I *{own} = room(k, {n} * (I)sizeof(I)); {fills} (L){{{n}, 0, {own}}}; }})"
    return Value(text, *hull(value.range for value in values))


def _joined(w: Scope, items: Sequence[p.Exp]) -> Value:
    own, found = w.new(), []
    lines = []
    for one in items:
        value = listed(w, one.of) if isinstance(one, p.Spread) else number(w, one)
        found.append(value.range)
        lines.append(f"{'extend' if isinstance(one, p.Spread) else 'push'}(k, &{own}, {value.text});")
    return Value(f"({{ L {own} = {{0, 0, NULL}}; {' '.join(lines)} {own}; }})", *hull(found))


def collected(w: Scope, e: p.Comp, into: str = "") -> Value:
    """A list comprehension; or its values, put into a list that is there."""
    own, found = into or w.new(), []
    lists = w.kind(e) == "lists"

    def leaf() -> str:
        value = listed(w, e.item) if lists else number(w, e.item)
        found.append(value.range)
        return f"{'push_list' if lists else 'push'}(k, &{own}, {value.text});"

    took = loops(w, e.clauses, leaf)
    made = took if into else f"({{ {'LL' if lists else 'L'} {own} = {{0, 0, NULL}}; {took} {own}; }})"
    return Value(made, *hull(found))


def _part(w: Scope, e: p.Part) -> Value:
    """Neighbouring entries."""
    if e.high is None:
        raise unsupported(e, "a list")
    low = p.Num(0) if e.low is None else e.low
    if isinstance(e.of, p.Name) and e.of.name == "S":
        return in_order(
            w, [(low, "number"), (e.high, "number")], lambda v: Value(f"slice(k, {v[0].text}, {v[1].text})", -NEAR, NEAR)
        )
    return in_order(
        w, [(e.of, "list"), (low, "number"), (e.high, "number")],
        lambda v: Value(f"part(k, {', '.join(one.text for one in v)})", *v[0].range),
    )  # fmt: skip


def _row(w: Scope, e: p.Entry) -> Value:
    """A list out of a list of lists, a table, or what is kept by key."""
    match e.of:
        case p.Name(name=name) if w.function.kinds.get(name) == "keyed":
            return Value(f"entry_there(k, &v_{name}, {key(w, e.at)})->list")
        case p.Name(name=name) if name not in w.function.kinds and isinstance(table := w.program.tables.get(name), dict):
            return Value(f"list_there(k, {name}_or(k, {number(w, e.at).text}))", *numbers_of(table))
        case _:
            pass
    name, places = indexes(e)
    table = w.program.tables.get(name) if name not in w.function.kinds else None
    if w.kind(e) == "lists" and kind_of_table(table) == "deep":
        deep: list[tuple[p.Exp, Kind]] = [(at, "number") for at in places]
        return in_order(w, deep, lambda v: Value(f"{name}_at({', '.join(['k', *(one.text for one in v)])})", *_unless_gaps(table)))
    if kind_of_table(table) == "lists" and isinstance(table, tuple | list) and len(places) == 1:
        at = number(w, e.at)
        place = at.text if at.within(0, len(table) - 1) else f"entry_at(k, {at.text}, {len(table)})"
        return Value(f"{name}_p[{place}]", *_unless_gaps(table))
    return in_order(w, [(e.of, "lists"), (e.at, "number")], lambda v: Value(f"row(k, {v[0].text}, {v[1].text})", *v[0].range))


def _unless_gaps(table: object) -> Range:
    return (-MOST - 1, MOST) if has_gaps(table) else numbers_of(table)


def _list_called(w: Scope, e: p.Call) -> Value:
    args, told = by_name(e.args)
    name = e.function.name if isinstance(e.function, p.Name) and e.function.name not in w.program.functions else ""
    match name, args:
        case "", _:
            return own_function(w, e)
        case "list" | "tuple" | "frozenset", [one]:
            return listed(w, one)
        case "pack", [one]:
            return listed(w, one)
        case "sorted", [one]:
            return _sorted(w, one, told.get("key"))
        case "best", [one, p.Lambda() as by, p.Num() | p.Truth() as highest]:
            items, keys, fill, found = _keys(w, one, by)
            return Value(f"({{ {fill} best_by(k, {items}, {keys}, {int(highest.value)}); }})", *found)
        case "range", _:
            return in_order(w, [(arg, "number") for arg in args], _counted)
        case "compress", [values, counts]:
            own, x = w.new(), w.new()
            took, lies = _compressed(w, values, counts, x, lambda _: f"push(k, &{own}, {x});")
            return Value(f"({{ L {own} = {{0, 0, NULL}}; {took} {own}; }})", *lies)
        case "unpack", [one]:
            return packed(w, one)
        case "lowest", [_, one, p.Spread(of=p.Name(name=look))]:
            value = listed(w, one)
            return Value(f"lowest(k, {value.text}, {_looks(w, look)})", *value.range)
        case "unlike", [_, one, p.Spread(of=p.Name(name=look))]:
            if w.program.looks[look][1]:
                raise Unsupported("choices of pieces that carry something")
            return Value(f"unlike(k, {listed(w, one).text}, {_plain(w, look)})")
        case "bag_choices", _:
            return _lots(w, args)
        case _ if name in TAKES:
            return runtime(w, name, args)
        case _:
            raise Unsupported(f"the word {name}")


def _counted(v: list[Value]) -> Value:
    """`range`, as a list."""
    low, high, step = (literal(0), v[0], literal(1)) if len(v) == 1 else (v[0], v[1], v[2] if len(v) > 2 else literal(1))
    ends = (low.low, high.high - 1) if step.low > 0 else (min(low.low, high.low), max(low.high, high.high))
    return Value(f"counted(k, {low.text}, {high.text}, {step.text})", *ends)


def _that_grows(w: Scope, e: p.Exp) -> str:
    """Where a list stands that something is put into."""
    match e:
        case p.Entry(of=p.Name(name=name), at=at) if w.function.kinds.get(name) == "keyed":
            return f"&entry_there(k, &v_{name}, {key(w, at)})->list"
        case p.Name(name=name) if name in w.function.kinds:
            return f"&v_{name}"
        case _:
            raise unsupported(e, "a list that grows")


def _sorted(w: Scope, source: p.Exp, by: p.Exp | None) -> Value:
    if by is None:
        value = listed(w, source)
        return Value(f"sorted_list(k, {value.text})", *value.range)
    if not isinstance(by, p.Lambda):
        raise unsupported(by, "what is sorted by")
    items, keys, fill, found = _keys(w, source, by)
    width = len(by.body.items) if isinstance(by.body, p.Row) else 1
    return Value(f"({{ {fill} sorted_by(k, {items}, {keys}, {width}); }})", *found)


def _keys(w: Scope, source: p.Exp, by: p.Lambda) -> tuple[str, str, str, Range]:
    """A list, what to sort it by, the lines that work both out, and between what its numbers lie."""
    items, keys, x = w.new(), w.new(), by.params[0]
    several = by.body.items if isinstance(by.body, p.Row) else (by.body,)
    value = listed(w, source)
    with w.bound(x, "number", value.range):
        fills = " ".join(f"{keys}[i{items} * {len(several)} + {n}] = {number(w, one).text};" for n, one in enumerate(several))
    fill = (
        f"L {items} = {value.text}; I *{keys} = room(k, ({items}.n + 1) * {len(several)} * (I)sizeof(I)); "
        f"for (I i{items} = 0; i{items} < {items}.n; i{items}++) {{ I v_{x} = {items}.p[i{items}]; {fills} }}"
    )
    return items, keys, fill, value.range


def _plain(w: Scope, look: str) -> str:
    """The function that says how a thing looks."""
    function = w.program.functions[w.program.looks[look][0]]
    if function.why or function.gives != "list":
        raise Unsupported(f"how a thing looks: {function.name}")
    return function.name


def _looks(w: Scope, look: str) -> str:
    """It, and by its name the one in Python for what lies on a thing, or none."""
    deep = w.program.looks[look][1]
    return f'{_plain(w, look)}, "{deep}"' if deep else f"{_plain(w, look)}, NULL"


def _lots(w: Scope, args: Sequence[p.Exp]) -> Value:
    """`bag_choices`: what so many of each sort are worth is worked out before, as far as it will be asked."""
    have, taken, at, least, most, step, shapes, worth, low, high = args
    h, t, a, known, row, top = (w.new() for _ in range(6))
    numbers = [number(w, one).text for one in (least, most, step)]
    limits = [number(w, one).text for one in (low, high)]
    match worth:
        case p.Lambda(params=(n, s), body=body):
            with w.bound(n, "number", (0, NEAR)), w.bound(s, "number", (0, NEAR)):
                value = number(w, body).text
            worths = (
                f"LL {known} = {{0, 0, NULL}}; int asked = !{a} || item(k, {h}, {a}); "
                f"for (I v_{s} = 0; v_{s} < {h}.n; v_{s}++) {{ "
                f"I {top} = v_{s} < {a} ? item(k, {t}, v_{s}) : {h}.p[v_{s}]; L {row} = {{0, 0, NULL}}; push(k, &{row}, 0); "
                f"for (I v_{n} = 1; asked && v_{n} <= {top}; v_{n}++) "
                f"push(k, &{row}, v_{s} < {a} && v_{n} < {top} ? 0 : {value}); push_list(k, &{known}, {row}); }}"
            )
        case p.Nothing():
            worths = f"LL {known} = {{-1, 0, NULL}};"
        case _:
            raise unsupported(worth, "what a lot is worth")
    return Value(
        f"({{ L {h} = {listed(w, have).text}, {t} = {listed(w, taken).text}; I {a} = {number(w, at).text}; {worths} "
        f"bag_choices(k, {h}, {t}, {a}, {', '.join(numbers)}, {listed(w, shapes).text}, {known}, {', '.join(limits)}); }})"
    )


# ------------------------------------------------------------------------------------------------------------- loops


def loops(w: Scope, clauses: Sequence[p.Each], leaf: Callable[[], str]) -> str:
    """The loops of a comprehension, one inside another."""
    if not clauses:
        return leaf()
    first, *others = clauses
    if len(first.targets) != 1:
        raise Unsupported("a comprehension over pairs")

    def body() -> str:
        asked = []
        for test in first.tests:
            asked.append(truth(w, test))
            w.learn(test, True)
        text = loops(w, others, leaf)
        for test_text in reversed(asked):
            text = f"if ({test_text}) {{ {text} }}"
        return text

    return each(w, first.targets[0].name, first.source, body)


def each(w: Scope, name: str, source: p.Exp, body: Callable[[], str]) -> str:
    """A loop within an expression, where nothing is written. Its body is said once, with the name known."""
    kind = element_of(w.program, w.function, source)
    if kind not in ("number", "list"):
        raise unsupported(source, "what is gone through")
    made = C_TYPES[kind]

    def inside(lies: Range) -> str:
        with w.bound(name, kind, lies):
            return body()

    match source:
        case p.Call(function=p.Name(name="range"), args=args) if len(args) < 3:
            low, high = [literal(0), number(w, args[0])] if len(args) == 1 else [number(w, one) for one in args]
            at, end = w.new(), w.new()
            text = inside((low.low, high.high - 1))
            return f"for (I {at} = {low.text}, {end} = {high.text}; {at} < {end}; {at}++) {{ I v_{name} = {at}; {text} }}"
        case p.Call(function=p.Name(name="compress"), args=(values, counts)):
            x = w.new()
            return _compressed(w, values, counts, x, lambda lies: f"I v_{name} = {x}; {inside(lies)}")[0]
        case p.Row(items=(one,)) if not isinstance(one, p.Spread):
            value, own = as_kind(w, one, kind), w.new()
            return f"{{ {made} {own} = {value.text}; {made} v_{name} = {own}; {inside(value.range)} }}"
        case p.Comp(item=item, clauses=clauses):
            own = w.new()

            def leaf() -> str:
                value = as_kind(w, item, kind)
                return f"{made} {own} = {value.text}; {{ {made} v_{name} = {own}; {inside(value.range)} }}"

            return loops(w, clauses, leaf)
        case _:
            items, own, i = (packed if w.kind(source) == "packed" else listed)(w, source), w.new(), w.new()
            many = "LL" if kind == "list" else "L"
            text = inside(items.range)
            return f"{{ {many} {own} = {items.text}; for (I {i} = 0; {i} < {own}.n; {i}++) {{ {made} v_{name} = {own}.p[{i}]; {text} }} }}"


def _compressed(w: Scope, values: p.Exp, counts: p.Exp, x: str, body: Callable[[Range], str]) -> tuple[str, Range]:
    """`compress(range(a, b), counts)`: those of which there are some; and where they lie."""
    at, n = w.new(), w.new()
    match values, counts:
        case (
            p.Call(function=p.Name(name="range"), args=(low, high)),
            p.Part(of=p.Name(name="S"), low=start, high=end),
        ) if start is not None and end is not None:
            one, other = number(w, low), number(w, high)
            first, begin, until, lies = w.new(), w.new(), w.new(), (one.low, other.high - 1)
            text = (
                f"{{ I {first} = {one.text}, {begin} = {number(w, start).text}, {until} = {number(w, end).text}, "
                f"{n} = min_({other.text} - {first}, whole(k, {begin}, {until})); "
                f"for (I {at} = 0; {at} < {n}; {at}++) if (at(k, {begin} + {at})) "
                f"{{ I {x} = {first} + {at}; {body(lies)} }} }}"
            )
            return text, lies
        case _:
            many, flags = listed(w, values), listed(w, counts)
            these, those = w.new(), w.new()
            text = (
                f"{{ L {these} = {many.text}, {those} = {flags.text}; "
                f"for (I {at} = 0; {at} < min_({these}.n, {those}.n); {at}++) "
                f"if ({those}.p[{at}]) {{ I {x} = {these}.p[{at}]; {body(many.range)} }} }}"
            )
            return text, many.range
