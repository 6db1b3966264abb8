"""Expressions said in another way that comes to the same and is quicker to work out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import children, junction, walk
from ichiba.dsl.world.kinds import FLAG
from ichiba.interpreter.analysis.variables import renamed, variables_in

SMALL = 30  # parts of a function that is written where it is called
FEW_CASES = 2  # so many are asked for one by one
_SOME = {(">=", 1), (">", 0), ("!=", 0)}
_NONE = {("<", 1), ("<=", 0), ("=", 0)}


def simpler(e: ir.Exp) -> ir.Exp:
    """One step; the parts have their turn when they are written."""
    match e:
        case ir.CallValue():
            made = inlined(e)
            return _case_by_case(e) if made is e else made
        case ir.Op(op=op, args=(ir.Aggregate(how="count") as counted, ir.Const(value=n))) if counted.value is None:
            how = "any" if (op, n) in _SOME else "no" if (op, n) in _NONE else ""
            return ir.Aggregate(how, counted.set, counted.var, None, FLAG) if how else e
        case ir.Aggregate(how="any" | "no") if e.value is None or e.how == "any":
            return _either(e)
        case ir.Contains(set=ir.Listed(items=(only,)), item=item):
            return ir.Op("=", (item, only), FLAG)
        case ir.Op(op="not", args=(ir.Op(op="not", args=(same,)),)) if same.kind == FLAG:
            return same
        case _:  # any other: it stays as it is
            return e


def inlined(e: ir.CallValue, small: bool = True) -> ir.Exp:
    """What a function comes to, instead of a call, where that is easily said."""
    ref = e.function
    function = ref.default
    if ref.by is not None and ref.cases:
        chooser = e.args[ref.by]
        if not isinstance(chooser, ir.Const):
            return e
        function = ref.cases.get(chooser.value, ref.default)
    at_once = None if function is None else _at_once(function)
    if function is None or at_once is None or small and at_once.parts > SMALL:
        return e
    if at_once.names_sets:
        return e  # a set that has a name cannot be put in
    for param, arg in zip(function.params, e.args, strict=True):
        if small and not isinstance(arg, ir.Use | ir.Const) and at_once.uses[param] > 1 and not plain(arg):
            return e
    return renamed(at_once.body, dict(zip(function.params, e.args, strict=True)))


@dataclass(frozen=True, slots=True)
class _AtOnce:
    """What a function gives in one expression."""

    body: ir.Exp
    parts: int
    uses: Counter[ir.Var]  # how often each name is used
    names_sets: bool  # whether a parameter is a name that stands for a set


@lru_cache(1024)
def _at_once(function: ir.Function) -> _AtOnce | None:
    body = _said_at_once(function)
    if body is None:
        return None
    parts = list(walk(body))
    uses = Counter(part.var for part in parts if isinstance(part, ir.Use))
    others = set(variables_in([body])) - set(uses)
    return _AtOnce(body, len(parts), uses, not others.isdisjoint(function.params))


def _case_by_case(e: ir.CallValue) -> ir.Exp:
    """Where only a few give another answer than the others, it is asked whether it is one of them."""
    ref = e.function
    if ref.by is None or ref.default is None or not 0 < len(ref.cases) <= FEW_CASES or not plain(e.args[ref.by]):
        return e
    usual = as_usual(e)
    if usual is None:
        return e
    made, chooser = usual, e.args[ref.by]
    for value, function in ref.cases.items():
        it_is = ir.Op("=", (chooser, ir.Const(value, chooser.kind)), FLAG)
        own = ir.CallValue(ir.ValueRef(function.name, function), e.args, e.kind)
        match made:
            case ir.Const(value=1, kind=kind) if kind == FLAG:
                made = ir.Op("or", (ir.Op("not", (it_is,), FLAG), own), FLAG)
            case ir.Const(value=0, kind=kind) if kind == FLAG:
                made = ir.Op("and", (it_is, own), FLAG)
            case _:  # any other: what it comes to is only known in play
                made = ir.Cond(it_is, own, made, e.kind)
    return made


def as_usual(e: ir.CallValue) -> ir.Exp | None:
    """What a function comes to for all those who give no answer of their own, where that is easily said."""
    if e.function.default is None:
        return None
    call = ir.CallValue(ir.ValueRef(e.function.name, e.function.default), e.args, e.kind)
    made = inlined(call)
    return None if made is call else made


def _said_at_once(function: ir.Function | None) -> ir.Exp | None:
    """The one expression that a function gives."""
    body = None if function is None else function.body
    while isinstance(body, ir.Block) and len(body.body) == 1:
        (only,) = body.body
        if isinstance(only, ir.GiveBack):
            return only.values[0] if len(only.values) == 1 else None
        if not isinstance(only, ir.Block):
            return None
        body = only
    return None if isinstance(body, ir.Block) else cast("ir.Exp | None", body)


def plain(e: ir.Exp) -> bool:
    """Quickly worked out as often as one likes."""
    match e:
        case ir.Use(at=None) | ir.Const():
            return True
        case ir.Read(at=at):
            return all(isinstance(a, ir.Use | ir.Const) for a in at)
        case ir.Lookup(at=(ir.SortOf(piece=at) | at,)):
            return isinstance(at, ir.Use)
        case ir.CountIn(zones=(ir.ZoneAt(at=at),), sorts=sorts):
            one = len(sorts.sorts) == 1 or isinstance(sorts.one, ir.Use | ir.Const)
            return one and all(isinstance(a, ir.Use | ir.Const) for a in at)
        case _:  # any other: it takes its time
            return False


def parts_of(inner: ir.Set) -> tuple[ir.Set, list[tuple[ir.Var, ir.Exp]]]:
    """A set, and the conditions that its members must meet, outermost last."""
    tests: list[tuple[ir.Var, ir.Exp]] = []
    while isinstance(inner, ir.Filtered):
        tests[:0] = [(inner.var, part) for part in junction("and", (inner.test,))]
        inner = inner.set
    return inner, tests


def _ways(e: ir.Exp) -> list[ir.Exp]:
    """`x.colour in {a, b}` is `x.colour = a or x.colour = b`."""
    if isinstance(e, ir.Contains) and isinstance(e.set, ir.Listed) and 0 < len(e.set.items) <= 3:
        return [ir.Op("=", (e.item, item), FLAG) for item in e.set.items]
    return [e]


def _either(e: ir.Aggregate) -> ir.Exp:
    """`any (x where A or B)` is `any (x where A) or any (x where B)`: worth it where one of them is about less."""
    inner = e.set
    if not isinstance(inner, ir.Filtered):
        return e
    ways = [one for way in junction("or", (inner.test,)) for one in _ways(way)]
    if len(ways) == 1:
        return e
    names = [frozenset(variables_in([way])) for way in ways]
    if len(set(names)) == 1 and not all(index_of(way, inner.var) for way in ways):
        return e
    made: ir.Exp | None = None
    for way in ways:
        # each way gets a name of its own, so that nothing is taken for the other
        one = ir.Aggregate("any", ir.Filtered(inner.set, inner.var, way, inner.kind), e.var, e.value, FLAG)
        made = one if made is None else ir.Op("or", (made, one), FLAG)
    assert made is not None
    return made if e.how == "any" else ir.Op("not", (made,), FLAG)


_LOOPS = (
    ir.Aggregate, ir.CallValue, ir.Only, ir.Combos, ir.Best, ir.Ordered, ir.Filtered, ir.Mapped, ir.FlatMapped, ir.Joined,
    ir.Search,
)  # fmt: skip


def heavy(e: object, but: int = 0) -> bool:
    """Worth keeping once it is worked out; `but`: so many loops do not count."""
    return sum(isinstance(n, _LOOPS) for n in walk(e)) > but


def weight(e: object) -> int:
    """How much there is to say."""
    return sum(1 for _ in walk(e))


def depends_on(e: object, variables: tuple[ir.Var, ...]) -> bool:
    return any(var in variables for var in variables_in([e]))


def depends_only_on(e: ir.Exp, loop: list[ir.Var]) -> tuple[ir.Exp, ...] | None:
    """The fixed fields of some variables that an expression needs; None when it needs the variables themselves."""
    found: list[ir.Exp] = []
    todo: list[object] = [e]
    while todo:
        node = todo.pop()
        if isinstance(node, ir.CallValue):
            node = inlined(node, small=False)
        at = node.at[0] if isinstance(node, ir.Lookup) and len(node.at) == 1 else None
        at = at.piece if isinstance(at, ir.SortOf) else at
        if isinstance(node, ir.Lookup) and isinstance(at, ir.Use) and at.var in loop:
            if len(set(node.rows)) == len(node.rows):
                return None  # a key as fine as the variable
            if node not in found:
                found.append(node)
        elif isinstance(node, ir.Use | ir.Kept | ir.Chosen | ir.BagCount | ir.SecretOf) and any(
            var in loop for var in variables_in([node])
        ):
            return None
        else:
            todo.extend(children(node))
    return tuple(found)


def by_sort_only(e: object, variables: set[ir.Var]) -> bool:
    """Whether nothing matters of what these stand for but its sort."""
    todo: list[object] = [e]
    while todo:
        node = todo.pop()
        if isinstance(node, ir.CallValue):
            node = inlined(node, small=False)
        match node:
            case ir.SortOf(piece=ir.Use(var=var, at=None)) if var in variables:
                pass
            case ir.Use(var=var) | ir.Kept(var=var) | ir.SecretOf(var=var) if var in variables:
                return False
            case ir.Chosen(bag=bag) | ir.BagCount(bag=bag) if bag in variables:
                return False
            case None:
                pass
            case _:  # any other: its parts are looked at
                todo.extend(children(node))
    return True


def cheap(e: ir.Exp) -> bool:
    """Quickly worked out, and nothing can go wrong with it."""
    match e:
        case ir.Const():
            return True
        case ir.Use(at=at):
            return at is None
        case ir.Read(at=at) | ir.ZoneAt(at=at) | ir.PurseAt(at=at):
            return all(isinstance(a, ir.Use | ir.Const) for a in at)
        case ir.CountIn(zones=zones, sorts=sorts):
            return len(zones) == 1 and sorts.one is None and cheap(zones[0])
        case ir.Op(op=op, args=args):
            return op in ("+", "-", "=", "!=", "<", "<=", ">", ">=", "and", "or", "not") and all(map(cheap, args))
        case _:  # any other: it takes its time, or can go wrong
            return False


def index_of(test: ir.Exp, var: ir.Var) -> tuple[ir.Exp, ir.Exp] | None:
    """`x.colour = c`: what hangs on fixed fields of the variable only, and what it must be."""
    if not isinstance(test, ir.Op) or test.op != "=":
        return None
    for own, other in (test.args, tuple(reversed(test.args))):
        if _fixed_for(own, var) and var not in variables_in([other]):
            return own, other
    return None


def _fixed_for(e: ir.Exp, var: ir.Var) -> bool:
    """Whether an expression comes to the same whenever the variable has the same value."""
    match e:
        case ir.Lookup(at=(at,)):
            at = at.piece if isinstance(at, ir.SortOf) else at
            return isinstance(at, ir.Use) and at.var is var and at.at is None
        case ir.SortOf(piece=ir.Use(var=used, at=None)):
            return used is var
        case ir.Op(op="+" | "-" | "*", args=args):
            rest = [arg for arg in args if not isinstance(arg, ir.Const)]
            return len(rest) == 1 and _fixed_for(rest[0], var)
        case _:  # any other: it may hang on more
            return False
