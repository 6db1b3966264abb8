"""Python as a plan: for what is still written as text, and for tests.

Only what the printer writes is understood; anything else is a `ValueError`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ichiba.interpreter.plan import tree as p

OPS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
}
SIGNS: dict[type[ast.unaryop], str] = {ast.Not: "not", ast.USub: "-", ast.Invert: "~"}
COMPARES: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}


def statements_of(text: str) -> tuple[p.Stm, ...]:
    """Lines of Python as statements."""
    return block(ast.parse(text).body)


def expression_of(text: str) -> p.Exp:
    return exp(ast.parse(text, mode="eval").body)


def block(nodes: Sequence[ast.stmt]) -> tuple[p.Stm, ...]:
    return tuple(stm(node) for node in nodes)


def stm(node: ast.stmt) -> p.Stm:
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
            return p.Set(tuple(exp(t) for t in targets), exp(value))
        case ast.Assign(targets=[target], value=value):
            return p.Set((exp(target),), exp(value))
        case ast.AugAssign(target=target, op=op, value=value):
            return p.Change(exp(target), OPS[type(op)] + "=", exp(value))
        case ast.Expr(value=value):
            return p.Do(exp(value))
        case ast.If(test=test, body=body, orelse=otherwise):
            return p.If(exp(test), block(body), block(otherwise))
        case ast.For(target=target, iter=source, body=body, orelse=otherwise):
            return p.For(names(target), exp(source), block(body), block(otherwise))
        case ast.Return(value=value):
            return p.Return(None if value is None else exp(value))
        case ast.Raise(exc=ast.expr() as what, cause=None):
            return p.Raise(exp(what))
        case ast.Break():
            return p.Jump("break")
        case ast.Continue():
            return p.Jump("continue")
        case ast.Pass():
            return p.Jump("pass")
        case ast.Try(body=body, handlers=[ast.ExceptHandler(type=ast.Name(id=left), name=None, body=then)], orelse=[], finalbody=[]):
            return p.Try(block(body), left, block(then))
        case ast.FunctionDef(name=name, args=args, body=body):
            return p.Function(name, tuple(p.Name(arg.arg) for arg in args.args), block(body))
        case _:
            raise ValueError(f"not in a plan: {ast.unparse(node)[:80]}")


def names(target: ast.expr) -> tuple[p.Name, ...]:
    match target:
        case ast.Name(id=name):
            return (p.Name(name),)
        case ast.Tuple(elts=elts):
            return tuple(p.Name(one.id) for one in elts if isinstance(one, ast.Name))
        case _:
            raise ValueError(f"not a name in a plan: {ast.unparse(target)[:80]}")


def exp(node: ast.expr) -> p.Exp:
    match node:
        case ast.Constant(value=bool(holds)):
            return p.Truth(holds)
        case ast.Constant(value=int(number)):
            return p.Num(number)
        case ast.Constant(value=str(text)):
            return p.Word(text)
        case ast.Constant(value=None):
            return p.Nothing()
        case ast.Name(id=name):
            return p.Name(name)
        case ast.Subscript(value=of, slice=ast.Slice(lower=low, upper=high, step=None)):
            return p.Slice(exp(of), None if low is None else exp(low), None if high is None else exp(high))
        case ast.Subscript(value=ast.Name(id="S"), slice=at):
            return p.Cell(exp(at))
        case ast.Subscript(value=of, slice=at):
            return p.Entry(exp(of), exp(at))
        case ast.BinOp(left=left, op=op, right=right):
            return p.Op(OPS[type(op)], exp(left), exp(right))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))) if not isinstance(number, bool):
            return p.Num(-number)
        case ast.UnaryOp(op=sign, operand=of):
            return p.Unary(SIGNS[type(sign)], exp(of))
        case ast.Compare(left=first, ops=ops, comparators=others):
            return p.Compare(exp(first), tuple((COMPARES[type(op)], exp(other)) for op, other in zip(ops, others, strict=True)))
        case ast.BoolOp(op=joined, values=values):
            return p.Logic("and" if isinstance(joined, ast.And) else "or", tuple(exp(value) for value in values))
        case ast.IfExp(test=test, body=yes, orelse=no):
            return p.Choice(exp(test), exp(yes), exp(no))
        case ast.Call(func=ast.Attribute(value=of, attr=name), args=args, keywords=more):
            return p.Method(exp(of), name, arguments(args, more))
        case ast.Call(func=function, args=args, keywords=more):
            return p.Call(exp(function), arguments(args, more))
        case ast.Attribute(value=of, attr=name):
            return p.Attribute(exp(of), name)
        case ast.List(elts=elts):
            return p.Row("list", tuple(exp(one) for one in elts))
        case ast.Tuple(elts=elts):
            return p.Row("tuple", tuple(exp(one) for one in elts))
        case ast.Set(elts=elts):
            return p.Row("set", tuple(exp(one) for one in elts))
        case ast.Starred(value=of):
            return p.Spread(exp(of))
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return p.Pairs(tuple((exp(key), exp(value)) for key, value in zip(keys, values, strict=True) if key is not None))
        case ast.ListComp(elt=item, generators=clauses):
            return p.Comp("list", exp(item), tuple(clause(one) for one in clauses))
        case ast.GeneratorExp(elt=item, generators=clauses):
            return p.Comp("stream", exp(item), tuple(clause(one) for one in clauses))
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            return p.NamedExp(p.Name(name), exp(value))
        case ast.Lambda(args=args, body=body):
            if args.defaults or args.kwonlyargs:
                raise ValueError(f"not in a plan: {ast.unparse(node)[:80]}")
            star = [f"*{args.vararg.arg}"] if args.vararg else []
            return p.Lambda(tuple([arg.arg for arg in args.args] + star), exp(body))
        case _:
            raise ValueError(f"not in a plan: {ast.unparse(node)[:80]}")


def clause(node: ast.comprehension) -> p.Each:
    return p.Each(names(node.target), exp(node.iter), tuple(exp(test) for test in node.ifs))


def arguments(args: Sequence[ast.expr], more: Sequence[ast.keyword]) -> tuple[p.Exp, ...]:
    return (*(exp(arg) for arg in args), *(p.Keyword(one.arg or "", exp(one.value)) for one in more))
