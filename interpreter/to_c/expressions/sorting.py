"""Lists sorted by a key, told apart by how things look, chosen as lots."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.expressions.loops import loops
from ichiba.interpreter.to_c.expressions.values import unsupported
from ichiba.interpreter.to_c.known.program import (
    Unsupported,
)
from ichiba.interpreter.to_c.known.scope import NEAR, Range, Scope, Value


def sorted_by_key(w: Scope, source: p.Exp, by: p.Exp | None) -> Value:
    if by is None:
        value = w.listed(source)
        return Value(f"sorted_list(k, {value.text})", *value.range)
    if not isinstance(by, p.Lambda):
        raise unsupported(by, "what is sorted by")
    items, keys, fill, found = keys_of(w, source, by)
    width = len(by.body.items) if isinstance(by.body, p.Row) else 1
    return Value(f"({{ {fill} sorted_by(k, {items}, {keys}, {width}); }})", *found)


def keys_of(w: Scope, source: p.Exp, by: p.Lambda) -> tuple[str, str, str, Range]:
    """A list, what to sort it by, the lines that work both out, and between what its numbers lie."""
    items, keys, x = w.new(), w.new(), by.params[0]
    several = by.body.items if isinstance(by.body, p.Row) else (by.body,)
    value = w.listed(source)
    with w.bound(x, "number", value.range):
        fills = " ".join(f"{keys}[i{items} * {len(several)} + {n}] = {w.number(one).text};" for n, one in enumerate(several))
    fill = (
        f"L {items} = {value.text}; I *{keys} = room(k, ({items}.n + 1) * {len(several)} * (I)sizeof(I)); "
        f"for (I i{items} = 0; i{items} < {items}.n; i{items}++) {{ I v_{x} = {items}.p[i{items}]; {fills} }}"
    )
    return items, keys, fill, value.range


def look_of(w: Scope, look: str) -> str:
    """The function that says how a thing looks."""
    function = w.program.functions[w.program.looks[look][0]]
    if function.why or function.gives != "list":
        raise Unsupported(f"how a thing looks: {function.name}")
    return function.name


def looks_of(w: Scope, look: str) -> str:
    """It, and the function for what lies on a thing, or none."""
    deep = w.program.looks[look][1]
    return f"{look_of(w, look)}, {deep_look_of(w, deep) if deep else 'NULL'}"


def deep_look_of(w: Scope, name: str) -> str:
    if why := w.program.functions[name].why:
        raise Unsupported(f"what lies on a thing: {why}")
    return name


def laid_out(w: Scope, e: p.Exp, into: str) -> str:
    """Numbers, lists and lists within lists, one behind the other: equal if and only if they are.

    What is sorted may be sorted otherwise here than in Python, as long as it is the same order each time."""
    match e:
        case p.Row(items=items):
            return f"push(k, &{into}, {len(items)}); " + " ".join(laid_out(w, one, into) for one in items)
        case p.Logic(op="and", parts=(first, *others)):
            test, rest = w.number(first), others[0] if len(others) == 1 else p.Logic("and", tuple(others))
            return f"if ({test.text}) {{ {laid_out(w, rest, into)} }} else push(k, &{into}, NONE);"
        case p.Choice(test=test_, yes=yes, no=no):
            return f"if ({w.truth(test_)}) {{ {laid_out(w, yes, into)} }} else {{ {laid_out(w, no, into)} }}"
        case p.Call(function=p.Name(name="tuple"), args=(p.Call(function=p.Name(name="sorted"), args=(p.Comp(item=item) as found,)),)):
            rows, one, i = w.new(), w.new(), w.new()
            took = loops(w, found.clauses, lambda: f"L {one} = {{0, 0, NULL}}; {laid_out(w, item, one)} push_list(k, &{rows}, {one});")
            put = f"for (I {i} = 0; {i} < {rows}.n; {i}++) extend(k, &{into}, {rows}.p[{i}]);"
            return f"{{ LL {rows} = {{0, 0, NULL}}; {took} in_sequence({rows}); push(k, &{into}, {rows}.n); {put} }}"
        case p.Call(function=p.Name(name="tuple"), args=(one_,)):
            own = w.new()
            return f"{{ L {own} = {w.listed(one_).text}; push(k, &{into}, {own}.n); extend(k, &{into}, {own}); }}"
        case _:
            return f"push(k, &{into}, {w.number(e).text});"


def lots_of(w: Scope, args: Sequence[p.Exp]) -> Value:
    """`bag_choices`: what so many of each sort are worth is worked out before, as far as it will be asked."""
    have, taken, at, least, most, step, shapes, worth, low, high = args
    h, t, a, known, row, top = (w.new() for _ in range(6))
    numbers = [w.number(one).text for one in (least, most, step)]
    limits = [w.number(one).text for one in (low, high)]
    match worth:
        case p.Lambda(params=(n, s), body=body):
            with w.bound(n, "number", (0, NEAR)), w.bound(s, "number", (0, NEAR)):
                value = w.number(body).text
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
        f"({{ L {h} = {w.listed(have).text}, {t} = {w.listed(taken).text}; I {a} = {w.number(at).text}; {worths} "
        f"bag_choices(k, {h}, {t}, {a}, {', '.join(numbers)}, {w.listed(shapes).text}, {known}, {', '.join(limits)}); }})"
    )
