"""Statements of a plan, in C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.walk import expressions, statements
from ichiba.interpreter.to_c.expressions.lists import collected, key
from ichiba.interpreter.to_c.expressions.loops import loops
from ichiba.interpreter.to_c.expressions.ordering import as_kind, may_be_packed, place_of
from ichiba.interpreter.to_c.expressions.sorting import laid_out
from ichiba.interpreter.to_c.expressions.values import calculated, literal, nearby, unsupported
from ichiba.interpreter.to_c.known.kinds import element_of, kind_of
from ichiba.interpreter.to_c.known.program import Kind, Unsupported, names_of
from ichiba.interpreter.to_c.known.scope import C_TYPES, NEAR, Range, Scope, Value, hull

NOTHING_OF = {"I": "NONE", "L": "(L){-1, 0, NULL}", "LL": "(LL){-1, 0, NULL}"}  # by what it is in C


def block(w: Scope, these: Sequence[p.Stm]) -> str:
    return "\n".join(statement(w, one) for one in these)


def statement(w: Scope, s: p.Stm) -> str:
    match s:
        case p.Set(targets=(target,), value=value):
            return _set(w, target, value)
        case p.Set(targets=targets, value=value):
            return _set_all(w, targets, value)
        case p.Change(target=target, op=op, value=value):
            return _change(w, target, op, value)
        case p.Do(what=what):
            return _do(w, what)
        case p.If():
            return _if(w, s)
        case p.For():
            return _for(w, s)
        case p.Return(value=value):
            return _return(w, value)
        case p.Raise(what=what):
            return _raise(w, what)
        case p.Jump(word="break"):
            return f"{{ {w.broken[-1]} break; }}"
        case p.Jump(word="continue"):
            return "continue;"
        case p.Jump(word="pass"):
            return ";"
        case p.Try():
            return _try(w, s)
        case p.Jump() | p.Function():
            raise Unsupported("a function within a function")
        case _:
            assert_never(s)


# ------------------------------------------------------------------------------------------------------ ways through


def _if(w: Scope, s: p.If) -> str:
    """What a condition says of names is known in either branch; after it, what is known in both."""
    asked = w.truth(s.test)
    before = dict(w.known)
    w.learn(s.test, True)
    yes, after_yes = block(w, s.yes), w.known
    w.known = before
    w.learn(s.test, False)
    no, after_no = block(w, s.no), w.known
    if _leaves(s.yes):
        w.known = after_no
    elif _leaves(s.no):
        w.known = after_yes
    else:
        w.known = {name: hull([after_yes[name], after_no[name]]) for name in after_yes if name in after_no}
    return f"if ({asked}) {{\n{yes}\n}}" + (f" else {{\n{no}\n}}" if s.no else "")


def _leaves(these: Sequence[p.Stm]) -> bool:
    """Whether nothing after this block follows on it."""
    match these:
        case [*_, p.Return() | p.Raise() | p.Jump(word="break" | "continue")]:
            return True
        case [*_, p.If(yes=yes, no=no)]:
            return _leaves(yes) and _leaves(no)
        case _:
            return False


def _body(w: Scope, s: p.For, broken: str, lies: Range) -> str:
    """A body of a loop: what it changes is not known when it begins again, nor after it."""
    w.forget(w.changed(s.body))
    w.forget(target.name for target in s.targets)
    before = dict(w.known)
    if len(s.targets) == 1:
        w.know(s.targets[0].name, lies)
    w.broken.append(broken)
    text = block(w, s.body)
    w.broken.pop()
    w.known = before
    return text


def _for(w: Scope, s: p.For) -> str:
    """The values are worked out before the first pass: what is done on the way does not change them."""
    if (parts := _one_after_the_other(w, s)) is not None:
        return "\n".join(_for(w, part) for part in parts)
    own = w.new()
    broken = f"{own} = 0;" if s.otherwise else ""
    loop = _for_one(w, s, own, broken) if len(s.targets) == 1 else _for_rows(w, s, own, broken)
    if not s.otherwise:
        return loop
    return f"{{ I {own} = 1;\n{loop}\nif ({own}) {{\n{block(w, s.otherwise)}\n}} }}"


def _for_one(w: Scope, s: p.For, own: str, broken: str) -> str:
    name = s.targets[0].name
    match s.source:
        case p.Call(function=p.Name(name="range"), args=args) if len(args) < 3:
            ends = [w.number(arg) for arg in args]
            low, high = (Value("0", 0, 0), ends[0]) if len(ends) == 1 else ends
            head = f"for (I i{own} = {low.text}, e{own} = {high.text}; i{own} < e{own}; i{own}++)"
            return f"{head} {{\nv_{name} = i{own};\n{_body(w, s, broken, (low.low, high.high - 1))}\n}}"
        case p.Comp(item=item, clauses=clauses) if _may_wait(w, s.source, s.body) and not _broken_off(s.body):
            items: list[Range] = []

            def leaf() -> str:
                value = w.number(item)
                items.append(value.range)
                return f"v_{name} = {value.text};\n{_body(w, s, broken, value.range)}\n"

            if element_of(w.program, w.function, s.source) == "number":
                return f"{{ {loops(w, clauses, leaf, _gives_something(s.body))} }}"
            return _for_list(w, s, own, broken)
        case _:
            return _for_list(w, s, own, broken)


def _for_list(w: Scope, s: p.For, own: str, broken: str) -> str:
    """A loop over a list that is worked out before."""
    name = s.targets[0].name
    kind = element_of(w.program, w.function, s.source)
    if kind not in ("number", "list"):
        raise unsupported(s.source, "what is gone through")
    items = w.packed(s.source) if w.kind(s.source) == "packed" else w.listed(s.source)
    return (
        f"{{ {'L' if kind == 'number' else 'LL'} l{own} = {items.text};\nfor (I i{own} = 0; i{own} < l{own}.n; i{own}++) {{\n"
        f"v_{name} = l{own}.p[i{own}];\n{_body(w, s, broken, items.range)}\n}} }}"
    )


def _one_after_the_other(w: Scope, s: p.For) -> list[p.For] | None:
    """A loop over some lists, one after the other, that goes through each: a loop over each, so that no list of lists is made."""
    match s:
        case p.For(
            targets=(p.Name(name=part),), source=p.Row(items=items), otherwise=(),
            body=(p.For(source=p.Name(name=source), otherwise=()) as inner,),
        ) if source == part and not any(isinstance(one, p.Spread) for one in items):  # fmt: skip
            used = any(isinstance(e, p.Name) and e.name == part for one in inner.body for e in expressions((one,)))
            if not used and all(w.kind(one) == "list" and _may_wait(w, one, s.body) for one in items):
                return [replace(inner, source=one) for one in items]
        case _:
            pass
    return None


def _may_wait(w: Scope, source: p.Exp, body: Sequence[p.Stm]) -> bool:
    """Whether a list comes to the same if it is worked out while a loop goes through it: nothing that it is made of changes."""
    return not w.function.writes and not w.has_side_effects(source) and not names_of(source) & set(w.changed(tuple(body)))


def _broken_off(body: Sequence[p.Stm]) -> bool:
    """Whether a loop with this body may be left by `break`."""
    return any(isinstance(one, p.Jump) and one.word == "break" for one in statements(tuple(body)))


def _gives_something(body: Sequence[p.Stm]) -> bool:
    """Whether the function may come to its end within a loop with this body."""
    return any(isinstance(one, p.Return) for one in statements(tuple(body)))


def _for_rows(w: Scope, s: p.For, own: str, broken: str) -> str:
    """A loop over the rows of a table, or over a list that is counted."""
    names = [target.name for target in s.targets]
    match s.source:
        case p.Call(function=p.Name(name="enumerate"), args=(items,)) if len(names) == 2:
            many, items_text = "L", w.listed(items).text
            taken = f"v_{names[0]} = i{own}; v_{names[1]} = l{own}.p[i{own}];"
        case _ if element_of(w.program, w.function, s.source) == "list":
            many, items_text = "LL", w.listed(s.source).text
            taken = " ".join(f"v_{name} = item(k, l{own}.p[i{own}], {n});" for n, name in enumerate(names))
        case _:
            raise unsupported(s.source, "what is gone through")
    return (
        f"{{ {many} l{own} = {items_text};\nfor (I i{own} = 0; i{own} < l{own}.n; i{own}++) {{\n"
        f"{taken}\n{_body(w, s, broken, (-NEAR, NEAR))}\n}} }}"
    )


def _return(w: Scope, value: p.Exp | None) -> str:
    gives = w.function.gives
    if w.function.nested and value is not None:
        own = w.new()
        return f"L {own} = {{0, 0, NULL}}; {laid_out(w, value, own)} return {own};"
    if gives in (None, "nothing"):
        return "return 0;"
    if value is None or isinstance(value, p.Nothing):
        return f"return {NOTHING_OF[C_TYPES[gives]]};"
    if gives == "number":
        return f"return {nearby(w.number(value)).text};"
    return f"return {as_kind(w, value, gives).text};"


def _raise(w: Scope, what: p.Exp) -> str:
    match what:
        case p.Name(name="Stop"):
            return "stop(k);"
        case p.Call(function=p.Name(name="Unmet"), args=(which,)):
            return f"unmet(k, {w.number(which).text});"
        case p.Name(name=name) if w.blocks.get(name):
            return f"goto {w.blocks[name][-1]};"
        case p.Name(name="LookupError") | p.Call(function=p.Name(name="RuleFault" | "TooLong" | "LookupError")):
            return "miss(k);"
        case _:
            raise unsupported(what, "what is raised")


def _try(w: Scope, s: p.Try) -> str:
    """A block that may be left from within."""
    out = w.new()
    w.blocks.setdefault(s.left, []).append(out)
    before = dict(w.known)
    body = block(w, s.body)
    w.blocks[s.left].pop()
    w.known = before
    w.forget(w.changed(s.body))
    then = block(w, s.then)
    w.forget(w.changed(s.then))
    return f"{{ {body}\nif (0) {{ {out}: ;\n{then}\n}} }}"


def _do(w: Scope, what: p.Exp) -> str:
    match what:
        case p.Call(function=p.Name(name=word), args=(one,)) if word in w.function.appends:
            return _append(w, w.function.appends[word], one)
        case p.Method(of=p.Name(name=name), name="append", args=(one,)):
            return _append(w, name, one)
        case p.Word():
            return ";"
        case p.Call() | p.Method():
            listed_ = kind_of(w.program, w.function, what) in ("list", "lists", "packed")
            return f"(void){(w.listed if listed_ else w.number)(what).text};"
        case _:
            raise unsupported(what, "something to do")


def _append(w: Scope, name: str, one: p.Exp) -> str:
    value = w.number(one)
    if name in w.known:
        w.know(name, hull([w.known[name], value.range]))
    return f"push(k, &v_{name}, {value.text});"


# ------------------------------------------------------------------------------------------------------------ places


def _set(w: Scope, target: p.Exp, value: p.Exp) -> str:
    match target:
        case p.Name(name=name):
            return _set_name(w, name, value)
        case p.Cell(at=at):
            return _set_place(w, at, value)
        case p.Slice(of=p.Name(name="S"), low=low, high=high) if low is not None and high is not None:
            return _set_slice(w, low, high, value)
        case p.Entry(of=p.Name(name=name), at=at) if w.function.kinds.get(name) == "keyed":
            kind = w.kind(value)
            made = as_kind(w, value, kind)
            part = "one" if kind == "number" else "list"
            return f"{{ {C_TYPES[kind]} made = {made.text}; entry_for(k, &v_{name}, {key(w, at)})->{part} = made; }}"
        case p.Entry(of=p.Name(name=name), at=at) if w.function.kinds.get(name) == "list":
            own = w.new()
            return f"{{ I {own} = {w.number(value).text}; *entry_of(k, v_{name}, {w.number(at).text}) = {own}; }}"
        case _:
            raise unsupported(target, "a place")


def _set_name(w: Scope, name: str, value: p.Exp) -> str:
    if name in w.function.appends:
        return ";"
    kind: Kind | None = w.function.kinds.get(name)
    match kind:
        case "keyed":
            if not isinstance(value, p.Pairs) or value.items:
                raise unsupported(value, "an empty dictionary")
            return f"v_{name} = (D){{0, 0, NULL}};"
        case "number" | "packed" | "list" | "lists":
            made = as_kind(w, value, kind)
            w.know(name, made.range)
            return f"v_{name} = {made.text};"
        case "deep" | "among" | "nothing" | None:
            raise Unsupported(f"a value of no known kind: {name}")
        case _:
            assert_never(kind)


def _set_place(w: Scope, at: p.Exp, value: p.Exp) -> str:
    wide = isinstance(at, p.Num) and (w.program.packed_places is None or at.value in w.program.packed_places)
    made, c_type, put = _taken(w, value, wide)
    place = place_of(w, at)
    if not w.has_side_effects(value) and not w.has_side_effects(at):
        return f"{put}(k, {place}, {made});"
    own = w.new()
    return f"{{ {c_type} {own} = {made}; {put}(k, {place}, {own}); }}"


def _taken(w: Scope, value: p.Exp, wide: bool) -> tuple[str, str, str]:
    """What is to lie at a place: in C, of which type, and the word that puts it there. `wide`: packed lists may lie there."""
    if w.kind(value) == "packed":
        return w.packed(value).text, "L", "set_packed"
    if wide and isinstance(value, p.Cell) and may_be_packed(w, w.number(value.at)):  # whatever lies there
        return f"k->s[{place_of(w, value.at)}]", "I", "put"
    made = w.number(value)
    if made.within(-NEAR, NEAR):
        return made.text, "I", "put"
    return made.text, "I", "set_wide" if wide else "set_place"


def _set_slice(w: Scope, low: p.Exp, high: p.Exp, value: p.Exp) -> str:
    a, b = w.number(low).text, w.number(high).text
    match value:
        case p.Slice(of=p.Name(name="S"), low=c, high=d) if c is not None and d is not None:
            return f"copy_places(k, {a}, {b}, {w.number(c).text}, {w.number(d).text});"
        case p.Name(name=name) if (same := _all_the_same(w.program.tables.get(name))) is not None and name not in w.function.kinds:
            return f"fill_same(k, {a}, {b}, {literal(same[0]).text}, {same[1]});"
        case p.Op(op="*", left=p.Row(items=(one,)), right=times):
            return f"fill_same(k, {a}, {b}, {w.number(one).text}, {w.number(times).text});"
        case _:
            values = w.listed(value)
            return f"{'fill_near' if values.within(-NEAR, NEAR) else 'fill'}(k, {a}, {b}, {values.text});"


def _all_the_same(table: object) -> tuple[int, int] | None:
    """The one number that a table has in all its places, and how many they are."""
    if isinstance(table, tuple | list) and table and all(value == table[0] for value in table) and isinstance(table[0], int):
        return int(table[0]), len(table)
    return None


def _set_all(w: Scope, targets: Sequence[p.Exp], value: p.Exp) -> str:
    """First all values, then all places."""
    if not isinstance(value, p.Row) or len(value.items) != len(targets):
        raise unsupported(value, "several values")
    before, after = [], []
    for target, one in zip(targets, value.items, strict=True):
        match target:
            case p.Cell(at=at):
                own = w.new()
                made, c_type, put = _taken(w, one, may_be_packed(w, w.number(at)))
                before.append(f"{c_type} {own} = {made};")
                after.append((at, put, own))
            case _:
                raise unsupported(target, "one of several places")
    lines = [f"{put}(k, {place_of(w, at)}, {own});" for at, put, own in after]
    return f"{{ {' '.join([*before, *lines])} }}"


def _change(w: Scope, target: p.Exp, op: str, value: p.Exp) -> str:
    sign = op.removesuffix("=")
    match target:
        case p.Name(name=name) if w.function.kinds.get(name) in ("list", "packed"):
            if sign != "+":
                raise unsupported(target, "a list that is changed")
            more = collected(w, value, into=f"v_{name}") if isinstance(value, p.Comp) else w.listed(value)
            if name in w.known:
                w.know(name, hull([w.known[name], more.range]))
            return more.text if isinstance(value, p.Comp) else f"extend(k, &v_{name}, {more.text});"
        case p.Name(name=name):
            made = calculated(sign, w.number(target), w.number(value))
            w.know(name, made.range)
            return f"v_{name} = {made.text};"
        case p.Cell(at=at) if sign == ">>" and value == p.Name("BITS") and may_be_packed(w, w.number(at)):
            return f"drop_first(k, {place_of(w, at)});"
        case p.Cell(at=at):
            place, own, more = place_of(w, at), w.new(), w.number(value)
            read = "at" if may_be_packed(w, w.number(at)) else "near_at"
            if not w.has_side_effects(value):
                made = calculated(sign, Value(f"{read}(k, {own})", -NEAR, NEAR), more)
                return f"{{ I {own} = {place}; set_place(k, {own}, {made.text}); }}"
            was = w.new()
            made = calculated(sign, Value(was, -NEAR, NEAR), more)
            return f"{{ I {own} = {place}, {was} = {read}(k, {own}); set_place(k, {own}, {made.text}); }}"
        case p.Entry(of=p.Name(name=name), at=at) if w.function.kinds.get(name) == "list":
            own, was = w.new(), w.new()
            made = calculated(sign, Value(was), w.number(value))
            return f"{{ I *{own} = entry_of(k, v_{name}, {w.number(at).text}), {was} = *{own}; *{own} = {made.text}; }}"
        case _:
            raise unsupported(target, "a place that is changed")
