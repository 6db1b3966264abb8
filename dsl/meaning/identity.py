"""What something is, and how much: `is` for the one, `=` for the other.

    winner is me        p is maguro       m is not bank         of that kind or sort, with that property, or the same
    price = ¥5          n != 3            even(n) = even(m)     numbers, amounts and conditions
"""

from __future__ import annotations

from ichiba.dsl.faults.fault import quote
from ichiba.dsl.faults.signs import said_otherwise
from ichiba.dsl.meaning.arithmetic import FALSE, fold, negate, same_unit
from ichiba.dsl.meaning.naming import is_nothing, meanings_of, name_meaning
from ichiba.dsl.meaning.wanted import as_exp
from ichiba.dsl.names.compatible import fits, kind_of, related
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env, Meaning, Several, Zones
from ichiba.dsl.names.sorts import named_test, nothing_is, sort_names, sort_test
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, Kind

MUCH = ("number", "flag")  # kinds of which one says `=`


def compared(c: Context, node: t.Operation, env: Env) -> ir.Exp:
    """`a = b`, `a < b`: how much."""
    one, other = node.args
    both = _both(c, one, other, env)
    if both is None:
        return FALSE
    left, right = both
    if not _never(c, node, left, right):
        if node.op not in ("=", "!="):
            if left.kind.form != "number":
                c.fault("E301", node, f"{left.kind} has no order", label="only numbers can be more or less")
        elif not {left.kind.form, right.kind.form} & {*MUCH, "broken"}:
            _say_otherwise(c, node.op, one, other)
        same_unit(c, one, left, other, right)
    return fold(c, ir.Op(node.op, (left, right), FLAG))


def is_it(c: Context, node: t.IsA, env: Env) -> ir.Exp:
    """`x is y`: whether x is of that kind or sort, or has that property; else whether both are the same."""
    test = _test(c, node, env)
    if node.negated and isinstance(test, ir.Op) and test.op == "=":
        return fold(c, ir.Op("!=", test.args, FLAG))
    return negate(c, test) if node.negated else test


def _test(c: Context, node: t.IsA, env: Env) -> ir.Exp:
    if isinstance(node.kind, t.Name) and node.kind.name not in ("me", "my", "board"):
        test = _named(c, node, node.kind.name, env)
        if test is not None:
            return fold(c, test) if isinstance(test, ir.Op) else test
    else:
        found = c.meaning(c, node.kind, env) if isinstance(node.kind, t.Of) else None
        names = sort_names(c, found) if found is not None else None
        if names is not None:
            item = _item(c, node.what, env)
            return FALSE if item is None else sort_test(c, item, names.sorts, node.kind)
    both = _both(c, node.what, node.kind, env)
    if both is None:
        return FALSE
    left, right = both
    if not _never(c, node, left, right) and left.kind.form in MUCH:
        _say_otherwise(c, "is not" if node.negated else "is", node.what, node.kind)
    return fold(c, ir.Op("=", (left, right), FLAG))


def _named(c: Context, node: t.IsA, name: str, env: Env) -> ir.Exp | None:
    """What `x is NAME` asks where NAME is a property, a kind, a sort, a side or a word; nothing where it is a value."""
    item = _item(c, node.what, env)
    if item is None:
        return FALSE
    test = named_test(c, item, name, node.kind)
    if test is None:
        if name in env.names or not is_nothing(c, name, env):
            return None
        nothing_is(c, node.kind, name)
        return FALSE
    if isinstance(test, ir.Const) and name in env.names:
        return None
    if name in env.names or any(_same_again(c, meaning, item) for meaning in meanings_of(c, name, env)):
        what = "a name of this rule" if name in env.names else "something else of this game"
        c.fault(
            "E319", node.kind, f"{quote(name)} may be what something is, and is {what} too",
            label="call one of the two otherwise",
        )  # fmt: skip
    return test


def _same_again(c: Context, meaning: Meaning, item: ir.Exp) -> bool:
    """Whether it is a value that changes, with which `x is NAME` could compare as well."""
    return isinstance(meaning, ir.Read | ir.CallValue) and fits(c, meaning.kind, item.kind) and meaning.kind.form not in MUCH


def _item(c: Context, node: t.Expr, env: Env) -> ir.Exp | None:
    found = c.meaning(c, node, env)
    return as_exp(c, found, node, env, Kind("piece") if isinstance(found, Zones) else None)


def _both(c: Context, one: t.Expr, other: t.Expr, env: Env) -> tuple[ir.Exp, ir.Exp] | None:
    """Both sides: what the one is says which of several meanings the other has. Beside a sort a piece is its sort."""
    first = c.meaning(c, one, env)
    second = _beside(c, other, first, env)
    if first is None or second is None:
        return None
    if isinstance(first, Several) and not isinstance(second, Several):
        right = as_exp(c, second, other, env, None)
        left = as_exp(c, first, one, env, right.kind if right else None)
    else:
        left = as_exp(c, first, one, env, _hint(c, second))
        right = as_exp(c, second, other, env, left.kind if left else None)
    if left is None or right is None:
        return None
    return _as_sort(c, left, right), _as_sort(c, right, left)


def _beside(c: Context, node: t.Expr, other: Meaning | None, env: Env) -> Meaning | None:
    """The other side of a comparison: a name that is not there is one of what it is compared with."""
    if not isinstance(node, t.Name):
        return c.meaning(c, node, env)
    return name_meaning(c, node, node.name, env, kind_of(c, other) if isinstance(other, ir.EXP_CLASSES) else None)


def _hint(c: Context, found: Meaning) -> Kind | None:
    return kind_of(c, found) if isinstance(found, ir.EXP_CLASSES) and kind_of(c, found).form != "none" else None


def _as_sort(c: Context, value: ir.Exp, other: ir.Exp) -> ir.Exp:
    if value.kind.form in ("piece", "thing") and other.kind.form == "sort" and related(c, value.kind.name, other.kind.name):
        return ir.SortOf(value, other.kind)
    return value


def _never(c: Context, node: t.Expr, left: ir.Exp, right: ir.Exp) -> bool:
    """Whether the two can never be compared; then it is told."""
    if left.kind.form == "number" == right.kind.form or fits(c, left.kind, right.kind) or fits(c, right.kind, left.kind):
        return False
    c.fault("E301", node, f"{left.kind} is never {right.kind}", label="these cannot be compared")
    return True


def _say_otherwise(c: Context, sign: str, one: t.Expr, other: t.Expr) -> None:
    place, message, label, repair = said_otherwise(sign, one.span, other.span)
    c.faults.add("E319", place, message, label=label, repair=repair)
