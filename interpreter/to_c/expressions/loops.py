"""The loops within expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.expressions.ordering import as_kind
from ichiba.interpreter.to_c.expressions.values import literal, unsupported
from ichiba.interpreter.to_c.known.kinds import element_of
from ichiba.interpreter.to_c.known.program import (
    Unsupported,
)
from ichiba.interpreter.to_c.known.scope import C_TYPES, Range, Scope

FEW = 16  # of so few places each is looked at without a loop
MANY = 24  # of so many neighbouring places those where something lies are found first: most of them are empty, and none can be foreseen


def loops(w: Scope, clauses: Sequence[p.Each], leaf: Callable[[], str], leaves_early: bool = False) -> str:
    """The loops of a comprehension, one inside another; `leaves_early`: perhaps not to their ends."""
    if not clauses:
        return leaf()
    first, *others = clauses
    if len(first.targets) != 1:
        raise Unsupported("a comprehension over pairs")

    def body() -> str:
        asked = []
        for test in first.tests:
            asked.append(w.truth(test))
            w.learn(test, True)
        text = loops(w, others, leaf, leaves_early)
        for test_text in reversed(asked):
            text = f"if ({test_text}) {{ {text} }}"
        return text

    return each(w, first.targets[0].name, first.source, body, leaves_early)


def each(w: Scope, name: str, source: p.Exp, body: Callable[[], str], leaves_early: bool = False) -> str:
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
            low, high = [literal(0), w.number(args[0])] if len(args) == 1 else [w.number(one) for one in args]
            at, end = w.new(), w.new()
            text = inside((low.low, high.high - 1))
            return f"for (I {at} = {low.text}, {end} = {high.text}; {at} < {end}; {at}++) {{ I v_{name} = {at}; {text} }}"
        case p.Call(function=p.Name(name="compress"), args=(values, counts)):
            x = w.new()
            return compressed(w, values, counts, x, lambda lies: f"I v_{name} = {x}; {inside(lies)}", leaves_early=leaves_early)[0]
        case p.Row(items=(p.Sum(terms=terms), _, *_) as places) if all(isinstance(one, p.Sum) and one.terms == terms for one in places):
            base, own, i = w.number(p.Sum(terms)), w.new(), w.new()
            steps = [one.fixed for one in places if isinstance(one, p.Sum)]
            text = inside((base.low + min(steps), base.high + max(steps)))
            row = f"static const I {own}_p[] = {{{', '.join(map(str, steps))}}}; const I {own} = {base.text};"
            return f"{{ {row} for (I {i} = 0; {i} < {len(steps)}; {i}++) {{ I v_{name} = {own} + {own}_p[{i}]; {text} }} }}"
        case p.Row(items=(one,)) if not isinstance(one, p.Spread):
            value, own = as_kind(w, one, kind), w.new()
            return f"{{ {made} {own} = {value.text}; {made} v_{name} = {own}; {inside(value.range)} }}"
        case p.Comp(item=item, clauses=clauses):
            own = w.new()

            def leaf() -> str:
                value = as_kind(w, item, kind)
                return f"{made} {own} = {value.text}; {{ {made} v_{name} = {own}; {inside(value.range)} }}"

            return loops(w, clauses, leaf, leaves_early)
        case _:
            items, own, i = (w.packed if w.kind(source) == "packed" else w.listed)(source), w.new(), w.new()
            many = "LL" if kind == "list" else "L"
            text = inside(items.range)
            return f"{{ {many} {own} = {items.text}; for (I {i} = 0; {i} < {own}.n; {i}++) {{ {made} v_{name} = {own}.p[{i}]; {text} }} }}"


def _one_by_one(w: Scope, into: str, first: str, begin: str, many: int) -> str:
    """So few places that each has a line of its own: it is written behind the last that counts, and counts or not."""
    p, n, there = w.new(), w.new(), w.new()
    looks = " ".join(f"{p}[{n}] = {first} + {at}; {n} += {there}[{at}] != 0;" for at in range(many))
    room = f"{into} = empty_for(k, {many}); I *{p} = {into}.p, {n} = 0; const I *{there} = k->s + {begin};"
    return f"{room} {looks} {into}.n = {n};"


def _width(low: p.Exp, high: p.Exp) -> int | None:
    """How many places lie between two ends, where that is fixed."""
    match low, high:
        case p.Num(value=one), p.Num(value=other):
            return other - one
        case p.Sum(terms=one_terms, fixed=one), p.Sum(terms=other_terms, fixed=other) if one_terms == other_terms:
            return other - one
        case _, p.Sum(terms=(term,), fixed=fixed) if term == low:
            return fixed
        case _:
            return None


def compressed(
    w: Scope, values: p.Exp, counts: p.Exp, x: str, body: Callable[[Range], str], into: str = "", leaves_early: bool = False
) -> tuple[str, Range]:
    """`compress(range(a, b), counts)`: those of which there are some; and where they lie. `into`: a list that holds them all.
    A loop that may leave early looks at one after the other; any other finds them all first, which goes without a branch."""
    at, n = w.new(), w.new()
    ready = f"{into} = empty_for(k, {n}); " if into else ""
    match values, counts:
        case (
            p.Call(function=p.Name(name="range"), args=(low, high)),
            p.Slice(of=p.Name(name="S"), low=start, high=end),
        ) if start is not None and end is not None:
            one, other = w.number(low), w.number(high)
            first, begin, until, lies = w.new(), w.new(), w.new(), (one.low, other.high - 1)
            ends = (
                f"I {first} = {one.text}, {begin} = {w.number(start).text}, {until} = {w.number(end).text}, "
                f"{n} = min_({other.text} - {first}, whole(k, {begin}, {until})); "
            )
            wide, loop, asked = _width(start, end), f"for (I {at} = 0; {at} < {n}; {at}++)", f"k->s[{begin} + {at}]"
            if into and wide is not None and wide <= FEW and wide == _width(low, high):
                took = _one_by_one(w, into, first, begin, wide)
            elif into:  # no branch that is hard to foresee
                took = f"{ready}{loop} {into}.p[{into}.n] = {first} + {at}, {into}.n += {asked} != 0;"
            elif leaves_early or wide is None or wide < MANY:
                took = f"{loop} if ({asked}) {{ I {x} = {first} + {at}; {body(lies)} }}"
            else:
                these = w.new()
                took = (
                    f"L {these} = some_of(k, {first}, {begin}, {n}); "
                    f"for (I {at} = 0; {at} < {these}.n; {at}++) {{ I {x} = {these}.p[{at}]; {body(lies)} }}"
                )
            return f"{{ {ends}{took} }}", lies
        case _:
            many, flags = w.listed(values), w.listed(counts)
            these, those = w.new(), w.new()
            text = (
                f"{{ L {these} = {many.text}, {those} = {flags.text}; I {n} = min_({these}.n, {those}.n); {ready}"
                f"for (I {at} = 0; {at} < {n}; {at}++) "
                f"if ({those}.p[{at}]) {{ I {x} = {these}.p[{at}]; {body(many.range)} }} }}"
            )
            return text, many.range
