"""From the tree of an expression to what it means in the rules, with its kind checked: `2 + n` becomes an `ir.Op`."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never, cast

from ichiba.dsl.meaning.arithmetic import arithmetic_kind, fold, negate, same_unit, with_kind
from ichiba.dsl.meaning.binding import order_key, ordered, selection_of
from ichiba.dsl.meaning.builtins import built_in
from ichiba.dsl.meaning.identity import compared, is_it
from ichiba.dsl.meaning.naming import call_meaning, is_nothing, member_meaning, name_meaning, set_aside_of, sorts_of
from ichiba.dsl.meaning.sets import aggregate, each_of, is_empty, is_none, listed_set, many_of, those, within
from ichiba.dsl.meaning.wanted import as_exp, cond, elements, exp, set_of_two
from ichiba.dsl.meaning.ways import connected, steps, way
from ichiba.dsl.names.compatible import describe, fits, kind_of, widest
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import unknown_amount
from ichiba.dsl.names.meanings import AmountOf, Env, Lying, Meaning, Promised, Several, Zones
from ichiba.dsl.names.narrowing import narrow
from ichiba.dsl.names.sorts import family_link, family_links, sort_names
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.constant import LARGEST, no_such_way
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, UNKNOWN, Kind, maybe, number

COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}


def meaning_of(c: Context, node: t.Expr, env: Env, want: Kind | None = None) -> Meaning | None:
    """What an expression means; None after a fault. `want`: the kind that its place needs, where that helps to decide."""
    match node:
        case t.Int(value=value):
            return ir.Const(value, NUMBER)
        case t.Money() | t.Some(amount=t.Money(), what=t.Name()):
            return _money(c, node)
        case t.NoneWord():
            can_be_none = want is not None and want.form not in ("number", "flag", "set", "zone", "purse")
            return ir.Const(-1, maybe(want) if want is not None and can_be_none else Kind("none", optional=True))
        case t.Name(name=name):
            return name_meaning(c, node, name, env, want)
        case t.Member(of=of, name=name):
            return member_meaning(c, node, of, name, (), env)
        case t.Call(what=what, args=args):
            return call_meaning(c, node, what, args, env, want)
        case t.Of(name=name, arg=arg):
            return _of(c, node, name, arg, env)
        case t.Some(amount=amount, what=what):
            return _some(c, node, amount, what, env)
        case t.SomeOf(amount=count, what=what):
            return AmountOf(ir.Const(count, NUMBER), elements(c, what, env))
        case t.Within(what=what, where=where):
            return within(c, node, what, where, env)
        case t.Aggregate(how=how, what=what):
            return aggregate(c, node, how, what, env, want)
        case t.EachOf(value=inner, binders=binders):
            return each_of(c, inner, binders, env)
        case t.Those(selection=selection, condition=condition):
            return those(c, node, selection, condition, env)
        case t.BestOf(selection=selection, key=key):
            inner_set, var, inside = selection_of(c, selection, env)
            best = order_key(c, key, inside)
            return ir.Best(inner_set, var, best, key.direction == "highest", inner_set.kind)
        case t.Sorted(selection=selection, keys=keys):
            inner_set, var, inside = selection_of(c, selection, env)
            return ordered(c, inner_set, var, keys, inside)
        case t.SetOf(items=items):
            return listed_set(c, node, items, env, want)
        case t.Operation(op=op, args=args):
            return _operation(c, node, op, args, env, want)
        case t.IsA():
            return is_it(c, node, env)
        case t.IsEmpty(what=what, negated=negated):
            test = is_empty(c, node, what, env)
            return negate(c, test) if negated else test
        case t.IsNone(what=what, negated=negated):
            return is_none(c, what, negated, env)
        case t.Choice(condition=condition, yes=yes, no=no):
            return _choice(c, node, condition, yes, no, env, want)
        case t.Connected():
            return connected(c, node, env)
        case t.Way():
            return way(c, node, env)
        case t.Steps():
            return steps(c, node, env)
        case _:
            assert_never(node)


def _money(c: Context, node: t.Money | t.Some) -> ir.Exp | None:
    """`$5`, or with a word behind the amount `$5k`."""
    money = node if isinstance(node, t.Money) else cast(t.Money, node.amount)
    behind = "" if isinstance(node, t.Money) else cast(t.Name, node.what).name
    unit = c.world.written_with(money.sign, behind)
    if unit is None:
        message, label = no_such_way(c.world, money, behind)
        c.fault("E301", node, message, label=label)
        return None
    return ir.Const(money.value, number(unit))


def _some(c: Context, node: t.Some, amount: t.Expr, what: t.Expr, env: Env) -> Meaning | None:
    """`(n * n) coins`: a number with its unit; `3 octopus in my.tokens`, `n eel`: so many pieces."""
    if isinstance(what, t.Name) and (unit := c.world.unit_named(what.name)):
        value = exp(c, amount, env, NUMBER)
        return with_kind(c, value, number(unit))
    many = exp(c, amount, env, NUMBER)
    if isinstance(what, t.Name) and is_nothing(c, what.name, env):
        unknown_amount(c, what, what.name, env)
        return None
    found = meaning_of(c, what, env)
    if isinstance(found, Several):
        found = next((m for m in found.meanings if sort_names(c, m) is not None), found)
    if isinstance(found, Lying | Zones):
        return AmountOf(many, found)
    names = sort_names(c, found) if found is not None else None
    if names is not None:
        return AmountOf(many, names)
    if found is not None:
        c.fault(
            "E303",
            what,
            f"{describe(c, found)} cannot be counted out",
            label="a sort of piece or a unit is needed",
        )
    return None


def _of(c: Context, node: t.Of, name: str, arg: t.Expr, env: Env) -> Meaning | None:
    """`bid of s`: what a seat answered in secret; `n of my.hand`: so many out of it; `crate of m`: a sort of a family;
    `position of l`: built in; `cash of s`: a member."""
    bound = env.names.get(name)
    if isinstance(bound, ir.Use) and bound.var in c.answering:
        c.fault(
            "E210",
            node,
            f"`{name}` has a value for each seat only behind the block",
            label=f"in the block it is `{name}`",
        )
        return None
    if isinstance(bound, Promised):
        return set_aside_of(c, node, bound, exp(c, arg, env, SEAT))
    if isinstance(bound, ir.Use) and bound.var.per_seat:
        return ir.SecretOf(bound.var, exp(c, arg, env, SEAT), bound.var.kind)
    if isinstance(bound, ir.EXP_CLASSES) and kind_of(c, bound) == NUMBER:
        many = many_of(c, bound, arg, env)
        if many is not None:
            return many
    if name in c.world.categories and family_link(c, name) is not None:
        return sorts_of(c, node, name, arg, env)
    if name in c.world.categories and (links := family_links(c, name)):
        both = ", ".join(field for field, _ in links)
        some = f"`(x in {plural(name)} where x.{links[0][0]} is …)`"
        c.fault("E302", node, f"a sort of {name} is for several", label=f"`{name}({both})`, or {some}")
        return None
    if name in ("number", "position"):
        return built_in(c, node, name, (arg,), env)
    if name == "sort":
        piece = exp(c, arg, env, Kind("piece"))
        return ir.SortOf(piece, Kind("sort", piece.kind.name))
    return member_meaning(c, node, arg, name, (), env)


def _operation(c: Context, node: t.Operation, op: str, args: tuple[t.Expr, ...], env: Env, want: Kind | None) -> ir.Exp:
    """`a and b`, `not a`, `a < b`, `a + b`; what is fixed is worked out at once: `2 + 3` is 5."""
    if op in ("and", "or"):
        left = cond(c, args[0], env)
        inside = env.inner()
        narrow(c.world, args[0], inside, op == "and")
        return fold(c, ir.Op(op, (left, cond(c, args[1], inside)), FLAG))
    if op == "not":
        return negate(c, cond(c, args[0], env))
    if op in COMPARISONS:
        return compared(c, node, env)
    values = [exp(c, arg, env) for arg in args]
    for value, arg in zip(values, args, strict=True):
        if value.kind.form not in ("number",):
            c.fault("E301", arg, f"this is {value.kind}", label="a number is needed")
            return ir.Const(0, want or UNKNOWN)
    kind = arithmetic_kind(c, node, op, values, args)
    if op.startswith("/") and isinstance(values[1], ir.Const) and values[1].value == 0:
        c.fault("E305", args[1], "this divides by zero")
    made = fold(c, ir.Op(op, tuple(values), kind))
    if isinstance(made, ir.Const) and abs(made.value) > LARGEST:
        c.fault("E204", node, "this number is too large", label=f"at most {LARGEST:,}")
        return ir.Const(0, kind)
    return made


def _choice(
    c: Context, node: t.Choice, condition: t.Expr, yes: t.Expr, no: t.Expr, env: Env, want: Kind | None
) -> Meaning | None:
    """`if a then b else c`: one of two values, sets or zones, or the one alone where the condition is fixed."""
    test = cond(c, condition, env)
    inside = env.inner()
    narrow(c.world, condition, inside)
    otherwise = env.inner()
    narrow(c.world, condition, otherwise, False)
    first, second = meaning_of(c, yes, inside, want), meaning_of(c, no, otherwise, want)
    if isinstance(test, ir.Const):
        return first if test.value else second
    many = (*ir.SET_CLASSES, Lying, Zones)
    if isinstance(first, many) and isinstance(second, many) and (found := set_of_two(c, test, (first, yes), (second, no))) is not None:
        return found
    one = as_exp(c, first, yes, env, want)
    other = as_exp(c, second, no, env, want or (one.kind if one else None))
    if one is None or other is None:
        return None
    if isinstance(first, Several) and want is None:
        one = as_exp(c, first, yes, env, other.kind) or one
    if one.kind.form == "number" == other.kind.form:
        same_unit(c, yes, one, no, other)
    elif not (fits(c, one.kind, other.kind) or fits(c, other.kind, one.kind)):
        c.fault("E301", no, f"this is {other.kind}, but what stands after `then` is {one.kind}")
    kinds = [found.kind for found in (one, other) if found.kind.form != "none"]
    kind = widest(c, kinds) if kinds else one.kind
    optional = one.kind.optional or other.kind.optional
    unsure = one.kind.unsure or other.kind.unsure
    return ir.Cond(test, one, other, replace(kind, optional=kind.optional or optional, unsure=unsure))
