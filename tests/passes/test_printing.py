"""What a plan says and what is printed of it are the same, brackets apart."""

from __future__ import annotations

import ast

import pytest

import ichiba
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.reading import expression_of, statements_of
from ichiba.interpreter.run.game import traced
from ichiba.interpreter.to_python.loop import LOOP
from ichiba.interpreter.to_python.printer import lines_of, text_of
from tests.native.test_sentences import VALUES

S3 = p.Cell(p.Num(3))


@pytest.mark.parametrize("text", VALUES.values())
def test_an_expression_is_printed_as_it_was_read(text: str) -> None:
    assert ast.dump(ast.parse(text_of(expression_of(text)))) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (p.Op("*", p.Op("+", S3, p.Num(1)), p.Num(2)), "(S[3] + 1) * 2"),
        (p.Op("-", S3, p.Op("-", S3, p.Num(1))), "S[3] - (S[3] - 1)"),
        (p.Op("-", S3, p.Num(-1)), "S[3] - -1"),
        (p.Op("**", p.Num(-2), p.Num(2)), "(-2) ** 2"),
        (p.Unary("not", p.Compare(S3, (("==", p.Num(1)),))), "not S[3] == 1"),
        (p.Compare(p.Compare(S3, (("<", p.Num(1)),)), (("==", p.Num(0)),)), "(S[3] < 1) == 0"),
        (p.Logic("and", (p.Logic("or", (S3, p.Num(1))), S3)), "(S[3] or 1) and S[3]"),
        (p.Choice(p.Choice(S3, S3, S3), S3, p.Choice(S3, S3, S3)), "S[3] if (S[3] if S[3] else S[3]) else S[3] if S[3] else S[3]"),
        (p.Sum((p.Name("a"), p.Op("*", p.Name("b"), p.Num(2))), -5), "a + b * 2 - 5"),
        (p.Sum((p.Name("a"), p.Sum((p.Name("b"),), 1))), "a + (b + 1)"),
        (p.Cell(p.Sum((p.Name("a"),))), "S[a]"),
        (p.Op("*", p.Sum((p.Name("a"),), 1), p.Num(3)), "(a + 1) * 3"),
        (p.Call(p.Name("sum"), (p.Comp("stream", S3, (p.Each((p.Name("x"),), p.Name("R")),)),)), "sum(S[3] for x in R)"),
        (p.Row("tuple", (S3,)), "(S[3],)"),
        (p.Unary("-", p.Unary("-", S3)), "--S[3]"),
    ],
)
def test_brackets_stand_where_they_must(made: p.Exp, text: str) -> None:
    assert text_of(made) == text
    ast.parse(text)


def test_statements_are_printed_line_by_line() -> None:
    text = """\
def f(S, C, x):  # buying
    a, b = x, S[3]
    S[3] += 2
    for c in range(0, 3):
        if c == x:
            break
        elif c:
            continue
        else:
            pass
    else:
        raise Unmet(3)
    try:
        p_1(S, C)
    except Leave_0:
        pass
    return a
"""
    [function] = statements_of(text)
    assert isinstance(function, p.Function)
    noted = p.Function(function.name, function.params, function.body, "buying")
    assert "\n".join(lines_of([noted])) == text


OF_THE_LOOP = {node.name for node in ast.parse(LOOP).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("name", "seats"), [("no_thanks", 3), ("liars_dice", 2)])
def test_whole_modules_are_read_and_printed(name: str, seats: int) -> None:
    game = ichiba.load(name, seats=seats)
    for text in (game.emitted.text, traced(game)[0].text):
        read = 0
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign) or isinstance(node, ast.FunctionDef) and node.name not in OF_THE_LOOP:
                printed = "\n".join(lines_of(statements_of(ast.unparse(node))))
                assert ast.unparse(ast.parse(printed)) == ast.unparse(node)
                read += 1
        assert read > 20
