"""Whether a text laid out anew means what it meant: the same trees but for places, the same values, the same comments."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Source, Span
from ichiba.dsl.formatting.embedded import rules_in
from ichiba.dsl.formatting.rules import Start
from ichiba.dsl.formatting.structure import comments_between
from ichiba.dsl.syntax.lexer import comments_of, tokens_of
from ichiba.dsl.syntax.parse import parse_expression, parse_items, parse_statements
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, read_yaml


def parsed(text: Embedded, start: Start, faults: Faults) -> object:
    """A text of rules, as what it is."""
    match start:
        case "start":
            return parse_items(text, faults)
        case "statements":
            return parse_statements(text, faults)
        case "expression":
            return parse_expression(text, faults)


def same_tree(one: object, other: object) -> bool:
    """Whether two trees are equal but for places in files."""
    todo = [(one, other)]
    while todo:
        a, b = todo.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, Span):
            continue
        if is_dataclass(a):
            todo += [(getattr(a, field.name), getattr(b, field.name)) for field in fields(a)]
        elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
            if len(a) != len(b):
                return False
            todo += zip(a, b, strict=True)
        elif a != b:
            return False
    return True


def same_rules(one: Embedded, other: Embedded, start: Start) -> bool:
    """Whether two texts say the same, in the same words, with the same comments."""
    faults = Faults()
    if not same_tree(parsed(one, start, faults), parsed(other, start, faults)) or faults.all:
        return False
    words = [[token.text for token in tokens_of(text.text)] for text in (one, other)]
    comments = [[text.text[begin:end] for begin, end in comments_of(text.text)] for text in (one, other)]
    return words[0] == words[1] and comments[0] == comments[1]


def same_declarations(one: Source, other: Source) -> bool:
    """Whether two YAML files hold the same values in the same order, but for the layout of rules, and the same comments."""
    faults = Faults()
    first, second = read_yaml(one, faults), read_yaml(other, faults)
    if first is None or second is None or faults.all:
        return False
    rules = [{scalar.span.start: start for scalar, start in rules_in(node, one.path)} for node in (first, second)]

    def same(a: Node, b: Node) -> bool:
        match a, b:
            case Map(entries=entries), Map(entries=others):
                pairs = zip(entries, others, strict=False)
                return len(entries) == len(others) and all(same(key, k) and same(value, v) for (key, value), (k, v) in pairs)
            case Seq(items=items), Seq(items=others):
                return len(items) == len(others) and all(map(same, items, others))
            case Scalar(), Scalar():
                start = rules[0].get(a.span.start)
                if start is None or start != rules[1].get(b.span.start):
                    return (a.value, type(a.value), a.style) == (b.value, type(b.value), b.style)
                return a.style == b.style and same_rules(a.text, b.text, start)
            case _:
                return False

    return same(first, second) and [*comments_between(one)] == [*comments_between(other)]
