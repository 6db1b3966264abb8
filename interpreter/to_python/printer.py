"""A plan as Python: as few brackets as the language needs, one line for each statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

from ichiba.interpreter.plan import tree as p

# How tightly an operator binds; what binds less tightly than its place asks for stands in brackets.
LOOSE, KEEP, LAMBDA, CHOICE, OR, AND, NOT, COMPARE = 0, 1, 2, 3, 4, 5, 6, 7
BINDS = {"|": 8, "&": 9, "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "//": 12, "%": 12, "**": 14}
SIGN, POWER, TIGHT = 13, 14, 15


def text_of(e: p.Exp, place: int = LOOSE) -> str:
    """An expression, in brackets where its place asks for something that binds more tightly."""
    if isinstance(e, p.Name):
        return e.name
    binds, text = _said(e)
    return f"({text})" if binds < place else text


def _said(e: p.Exp) -> tuple[int, str]:
    match e:
        case p.Num(value=value):
            return (TIGHT if value >= 0 else SIGN), str(value)
        case p.Truth(value=holds):
            return TIGHT, str(holds)
        case p.Word(text=text):
            return TIGHT, repr(text)
        case p.Nothing():
            return TIGHT, "None"
        case p.Name(name=name):
            return TIGHT, name
        case p.Cell(at=at):
            return TIGHT, f"S[{text_of(at)}]"
        case p.Sum(terms=terms, fixed=fixed):
            return _sum(terms, fixed)
        case p.Op(op=op, left=left, right=right):
            binds = BINDS[op]
            if op == "**":
                return binds, f"{text_of(left, TIGHT)} ** {text_of(right, SIGN)}"
            return binds, f"{text_of(left, binds)} {op} {text_of(right, binds + 1)}"
        case p.Unary(op="not", of=of):
            return NOT, f"not {text_of(of, NOT)}"
        case p.Unary(op=op, of=of):
            return SIGN, f"{op}{text_of(of, SIGN)}"
        case p.Compare(first=first, rest=rest):
            return COMPARE, text_of(first, COMPARE + 1) + "".join(f" {op} {text_of(x, COMPARE + 1)}" for op, x in rest)
        case p.Logic(op=op, parts=parts):
            binds = AND if op == "and" else OR
            return binds, f" {op} ".join([text_of(part, binds + 1) for part in parts])
        case p.Choice(test=test, yes=yes, no=no):
            return CHOICE, f"{text_of(yes, OR)} if {text_of(test, OR)} else {text_of(no, CHOICE)}"
        case p.Entry(of=of, at=at):
            return TIGHT, f"{text_of(of, TIGHT)}[{text_of(at)}]"
        case p.Slice(of=of, low=low, high=high):
            ends = ["" if end is None else text_of(end) for end in (low, high)]
            return TIGHT, f"{text_of(of, TIGHT)}[{ends[0]}:{ends[1]}]"
        case p.Call(function=function, args=args):
            return TIGHT, f"{text_of(function, TIGHT)}({_args(args)})"
        case p.Method(of=of, name=name, args=args):
            return TIGHT, f"{text_of(of, TIGHT)}.{name}({_args(args)})"
        case p.Attribute(of=of, name=name):
            return TIGHT, f"{text_of(of, TIGHT)}.{name}"
        case p.Row(form=form, items=items):
            inner = ", ".join([text_of(item, LAMBDA) for item in items])
            if form == "list":
                return TIGHT, f"[{inner}]"
            return TIGHT, f"({inner}{',' if len(items) == 1 else ''})" if form == "tuple" else f"{{{inner}}}"
        case p.Spread(of=of):
            return LAMBDA, f"*{text_of(of, BINDS['|'])}"
        case p.Keyword(name=name, value=value):
            return LAMBDA, f"{name}={text_of(value, LAMBDA)}"
        case p.Pairs(items=items):
            return TIGHT, f"{{{', '.join(f'{text_of(key, LAMBDA)}: {text_of(value, LAMBDA)}' for key, value in items)}}}"
        case p.Comp(form=form, item=item, clauses=clauses):
            inner = text_of(item, KEEP) + "".join(map(_clause, clauses))
            return TIGHT, f"[{inner}]" if form == "list" else f"({inner})"
        case p.NamedExp(name=name, value=value):
            return KEEP, f"{name.name} := {text_of(value, LAMBDA)}"
        case p.Lambda(params=params, body=body):
            return LAMBDA, f"lambda {', '.join(params)}: {text_of(body, LAMBDA)}" if params else f"lambda: {text_of(body, LAMBDA)}"
        case _:
            assert_never(e)


def _sum(terms: Sequence[p.Exp], fixed: int) -> tuple[int, str]:
    text = " + ".join([text_of(term, BINDS["+"] + (at > 0)) for at, term in enumerate(terms)])
    if not fixed:
        return (_said(terms[0])[0] if len(terms) == 1 else BINDS["+"]), text
    return BINDS["+"], f"{text} + {fixed}" if fixed > 0 else f"{text} - {-fixed}"


def _args(args: Sequence[p.Exp]) -> str:
    if len(args) == 1 and isinstance(args[0], p.Comp) and args[0].form == "stream":
        return text_of(args[0])[1:-1]  # a stream that is the only argument has the call's brackets
    return ", ".join([text_of(arg, KEEP) for arg in args])


def _clause(clause: p.Each) -> str:
    tests = "".join(f" if {text_of(test, OR)}" for test in clause.tests)
    return f" for {_names(clause.targets)} in {text_of(clause.source, OR)}{tests}"


def _names(targets: Iterable[p.Name]) -> str:
    return ", ".join([name.name for name in targets])


def lines_of(statements: Iterable[p.Stm]) -> list[str]:
    """Statements, line by line."""
    lines: list[str] = []
    _print_all(statements, "", lines.append)
    return lines


Put = Callable[[str], object]  # takes the next line


def _print_all(statements: Iterable[p.Stm], pad: str, put: Put) -> None:
    for statement in statements:
        _print(statement, pad, put)


def _print(s: p.Stm, pad: str, put: Put) -> None:
    match s:
        case p.Set(targets=targets, value=value):
            bare = isinstance(value, p.Row) and value.form == "tuple" and len(value.items) > 1 and len(targets) > 1
            said = _args(value.items) if bare and isinstance(value, p.Row) else text_of(value, LAMBDA)
            put(f"{pad}{', '.join(map(text_of, targets))} = {said}")
        case p.Change(target=target, op=op, value=value):
            put(f"{pad}{text_of(target)} {op} {text_of(value, LAMBDA)}")
        case p.Do(what=what):
            put(pad + text_of(what, LAMBDA))
        case p.If():
            _print_if(s, pad, put, "if")
        case p.For(targets=targets, source=source, body=body, otherwise=otherwise):
            put(f"{pad}for {_names(targets)} in {text_of(source, LAMBDA)}:")
            _print_block(body, pad, put)
            if otherwise:
                put(f"{pad}else:")
                _print_block(otherwise, pad, put)
        case p.Return(value=None):
            put(f"{pad}return")
        case p.Return(value=value):
            put(f"{pad}return {text_of(value, LAMBDA)}")  # type: ignore[arg-type]
        case p.Raise(what=what):
            put(f"{pad}raise {text_of(what, LAMBDA)}")
        case p.Jump(word=word):
            put(pad + word)
        case p.Try(body=body, left=left, then=then):
            put(f"{pad}try:")
            _print_block(body, pad, put)
            put(f"{pad}except {left}:")
            _print_block(then, pad, put)
        case p.Function(name=name, params=params, body=body, note=note):
            put(f"{pad}def {name}({_names(params)}):" + (f"  # {note}" if note else ""))
            _print_block(body, pad, put)
            put("")
        case _:
            assert_never(s)


def _print_if(s: p.If, pad: str, put: Put, word: str) -> None:
    put(f"{pad}{word} {text_of(s.test, LAMBDA)}:")
    _print_block(s.yes, pad, put)
    match s.no:
        case ():
            pass
        case (p.If() as other,):
            _print_if(other, pad, put, "elif")
        case no:
            put(f"{pad}else:")
            _print_block(no, pad, put)


def _print_block(statements: Sequence[p.Stm], pad: str, put: Put) -> None:
    """What stands a step deeper; a block without statements says so."""
    _print_all(statements or (p.Jump("pass"),), pad + "    ", put)
