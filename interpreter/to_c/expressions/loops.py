"""The loops within expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.expressions.ordering import as_kind
from ichiba.interpreter.to_c.expressions.sure import is_sure, sure_truth
from ichiba.interpreter.to_c.expressions.values import literal, unsupported
from ichiba.interpreter.to_c.known.kinds import element_of
from ichiba.interpreter.to_c.known.program import (
    Unsupported,
)
from ichiba.interpreter.to_c.known.scope import C_TYPES, Range, Scope

SOME = 4  # of so few numbers that are asked for something each is asked with a branch
FEW = 16  # of so few places each is looked at without a loop
MANY = 24  # of so many neighbouring places those where something lies are found first: most of them are empty, and none can be foreseen


def loops(w: Scope, clauses: Sequence[p.Each], leaf: Callable[[], str], leaves_early: bool = False) -> str:
    """The loops of a comprehension, one inside another; `leaves_early`: perhaps not to their ends."""
    if not clauses:
        return leaf()
    first, *others = clauses
    if len(first.targets) != 1:
        raise Unsupported("a comprehension over pairs")
    name, tests, many = first.targets[0].name, first.tests, w.new()
    is_wide = _width_of(first.source) >= (SOME if isinstance(first.source, p.Row) else MANY)
    row = _side_by_side(w, first, many) if is_wide and not leaves_early else None
    before = _sure_tests(w, first, row) if row is not None else []

    def body() -> str:
        asked = []
        for test in before:
            w.learn(test, True)
        for test in tests[len(before) :]:
            asked.append(w.truth(test))
            w.learn(test, True)
        text = loops(w, others, leaf, leaves_early)
        for test_text in reversed(asked):
            text = f"if ({test_text}) {{ {text} }}"
        return text

    if row is None or not before:  # of many those are found first for which the first tests hold
        return each(w, name, first.source, body, leaves_early, are_places=_are_places(first))
    these, at = w.new(), w.new()
    with w.bound(name, "number", row.lies):
        found, lies = _each_written(w, replace(first, tests=tuple(before)), p.Name(name), these, row, many)
    with w.bound(name, "number", lies):
        text = body()
    return f"{{ L {these} = {{0, 0, NULL}}; {found} for (I {at} = 0; {at} < {these}.n; {at}++) {{ I v_{name} = {these}.p[{at}]; {text} }} }}"


def _sure_tests(w: Scope, clause: p.Each, row: SideBySide) -> list[p.Exp]:
    """The first tests of a loop over numbers side by side, as far as they are sure: none of them knows what those before it say."""
    with w.bound(clause.targets[0].name, "number", row.lies):
        return list(takewhile(lambda test: is_sure(w, test), clause.tests))


def without_branch(w: Scope, clauses: Sequence[p.Each], item: p.Exp, into: str) -> tuple[str, Range] | None:
    """A comprehension put into a list that is there, if it is one loop over numbers side by side, and all that is worked out in it is
    sure: each is written behind the last that counts, and counts or not."""
    if len(clauses) != 1 or _width_of(clauses[0].source) < (SOME if clauses[0].tests else MANY) or w.kind(item) != "number":
        return None
    clause, many = clauses[0], w.new()
    row = _side_by_side(w, clause, many)
    if row is None:
        return None
    with w.bound(clause.targets[0].name, "number", row.lies):
        if not is_sure(w, item) or not all(is_sure(w, test) for test in clause.tests):
            return None
        return _each_written(w, clause, item, into, row, many)


def _each_written(w: Scope, clause: p.Each, item: p.Exp, into: str, row: SideBySide, many: str) -> tuple[str, Range]:
    n, p_, at, value = w.new(), w.new(), w.new(), w.number(item)
    counts = " & ".join([*row.counts(at), *(sure_truth(w, test) for test in clause.tests)]) or "1"
    text = (
        f"{{ {row.said} room_for(k, &{into}, {many}); I *{p_} = {into}.p, {n} = {into}.n; for (I {at} = 0; {at} < {many}; {at}++) "
        f"{{ I v_{clause.targets[0].name} = {row.number(at)}; {p_}[{n}] = {value.text}; {n} += {counts}; }} {into}.n = {n}; }}"
    )
    return text, value.range


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Numbers that a loop goes through, none of which has to be worked out: how that is said in C."""

    said: str  # before the loop
    lies: Range
    number: Callable[[str], str]  # by its place among them
    counts: Callable[[str], list[str]]  # what says whether it counts at all, apart from tests


def _side_by_side(w: Scope, clause: p.Each, many: str) -> SideBySide | None:
    """What a loop goes through, if it is a range, those of a range of which there are some, or places a fixed step apart; `many`: the
    name in C of how many they are."""
    first = w.new()
    match clause.source:
        case p.Call(function=p.Name(name="range"), args=(low, high)):
            one, other = w.number(low), w.number(high)
            said = f"I {first} = {one.text}, {many} = {other.text} - {first};"
            return SideBySide(said, (one.low, other.high - 1), lambda at: f"{first} + {at}", lambda _: [])
        case p.Call(
            function=p.Name(name="compress"),
            args=(p.Call(function=p.Name(name="range"), args=(low, high)), p.Slice(of=p.Name(name="S"), low=start, high=end)),
        ) if start is not None and end is not None:
            first, begin, said, lies = _ends_of(w, low, high, start, end, many)
            return SideBySide(said, lies, lambda at: f"{first} + {at}", lambda at: [f"(k->s[{begin} + {at}] != 0)"])
        case p.Row(items=(p.Sum(), _, *_) as places) if (steps := _steps(places)) is not None:
            said, lies = _row_said(w, places[0], steps, first, _are_places(clause))
            return SideBySide(f"{said} const I {many} = {len(steps)};", lies, lambda at: f"{first} + {first}_p[{at}]", lambda _: [])
        case _:
            return None


def _ends_of(w: Scope, low: p.Exp, high: p.Exp, start: p.Exp, end: p.Exp, many: str) -> tuple[str, str, str, Range]:
    """Of `compress(range(low, high), S[start:end])`: the names of the first number and of the first place, where they are said, and
    between what the numbers lie."""
    first, begin, until, one, other = w.new(), w.new(), w.new(), w.number(low), w.number(high)
    said = (
        f"I {first} = {one.text}, {begin} = {w.number(start).text}, {until} = {w.number(end).text}, "
        f"{many} = min_({other.text} - {first}, whole(k, {begin}, {until}));"
    )
    return first, begin, said, (one.low, other.high - 1)


def _steps(places: Sequence[p.Exp]) -> list[int] | None:
    """Of places that are one and the same but for something fixed: what is fixed of each."""
    sums = [one for one in places if isinstance(one, p.Sum)]
    return [one.fixed for one in sums] if len(sums) == len(places) and len({one.terms for one in sums}) == 1 else None


def _row_said(w: Scope, place: p.Exp, steps: Sequence[int], own: str, are_places: bool) -> tuple[str, Range]:
    """Where a row of such places begins, as `own`, and their steps. Whether all of them are there is asked once."""
    assert isinstance(place, p.Sum)
    base = w.number(p.Sum(place.terms))
    low, high, last = base.low + min(steps), base.high + max(steps), w.program.places - 1
    said = f"static const I {own}_p[] = {{{', '.join(map(str, steps))}}}; const I {own} = {base.text};"
    if not are_places or (low >= 0 and high <= last):
        return said, (low, high)
    return f"{said} (void)whole(k, {own} + {min(steps)}, {own} + {max(steps) + 1});", (max(low, 0), min(high, last))


def _are_places(clause: p.Each) -> bool:
    """Whether what a loop goes through are places of the state: the first thing that is asked of each is what lies there."""
    match clause.tests:
        case (p.Cell(at=at) | p.Unary(op="not", of=p.Cell(at=at)) | p.Compare(first=p.Cell(at=at)), *_):
            return at == clause.targets[0]
        case _:
            return False


def _width_of(source: p.Exp) -> int:
    """How many numbers a loop looks at, where that is fixed; else 0."""
    match source:
        case p.Call(function=p.Name(name="range"), args=(low, high)):
            return _width(low, high) or 0
        case p.Call(function=p.Name(name="compress"), args=(_, p.Slice(low=low, high=high))) if low is not None and high is not None:
            return _width(low, high) or 0
        case p.Row(items=(p.Sum(), _, *_) as places) if _steps(places) is not None:
            return len(places)
        case _:
            return 0


def each(
    w: Scope, name: str, source: p.Exp, body: Callable[[], str], leaves_early: bool = False, *, are_places: bool = False
) -> str:
    """A loop within an expression, where nothing is written. Its body is said once, with the name known. `are_places`: what it goes
    through are places of the state, each of which is read."""
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
        case p.Row(items=(p.Sum(), _, *_) as places) if (steps := _steps(places)) is not None:
            own, i = w.new(), w.new()
            said, lies = _row_said(w, places[0], steps, own, are_places)
            return f"{{ {said} for (I {i} = 0; {i} < {len(steps)}; {i}++) {{ I v_{name} = {own} + {own}_p[{i}]; {inside(lies)} }} }}"
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
            first, begin, said, lies = _ends_of(w, low, high, start, end, n)
            ends = f"{said} "
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
