"""What can be changed in the rules of a ruleset: one word or one sentence at a time, and always so that it can be read.

    raise upgrades by 1                          by 2, by 0, nothing
    if bag is empty and closer is none: …        is not empty; without either half; the other way round
    option buy for l in lots where free(l)       where true
    costs 1 card of my.hand or ¥100              either way alone
    move 1 good to my.hand                       to seat(2).hand
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import get_args

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Source, Span
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_items
from ichiba.dsl.yaml.reading import Map, Scalar, read_yaml

SAYING = t.Text | t.Ask | t.Tell | t.Record  # words for people
ADVICE = t.Policy | t.Invariant | t.Conserve | t.Kind | t.Scope | t.Use | t.Pattern  # no rules, or no course of them
STATEMENTS = get_args(t.Statement)
NEEDED = t.Nothing | t.Let | t.LetBest | t.Give | t.Remember | t.Flag | t.Tell | t.Record  # others lean on it, or nobody sees it
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "=", "+": "-", "-": "+"}
OTHER = {"any": "no", "no": "any", "highest": "lowest", "lowest": "highest"}
SOMEBODY_ELSE = "seat(2)"


@dataclass(frozen=True, slots=True)
class Change:
    """Other words in the place of some: in which file, from where to where, what sort of change, and in which rule."""

    path: Path
    start: int
    end: int
    words: str
    what: str
    line: int
    sentence: str  # its line, as it is written
    was: str
    rule: tuple[int, int]  # the lines of the whole rule

    @property
    def name(self) -> str:
        return f"{self.path.as_posix()}:{self.line} {self.what}"


def changes_in(folder: Path) -> list[Change]:
    """Every change that can be made, in the order of the files; those that the checker will refuse among them."""
    found: list[Change] = []
    for path in sorted(folder.rglob("*.rules")):
        found += _changes(path.relative_to(folder), Embedded.whole(_source(path)))
    for path in sorted(folder.rglob("*.yaml")):
        if path.name.endswith(".scenario.yaml"):
            continue
        node = read_yaml(_source(path), Faults())
        rules = node.get("rules") if isinstance(node, Map) else None
        if isinstance(rules, Scalar):
            found += _changes(path.relative_to(folder), rules.text)
    return found


def _source(path: Path) -> Source:
    return Source(path.name, path.read_text(encoding="utf-8"))


def _changes(path: Path, text: Embedded) -> Iterator[Change]:
    items = parse_items(text, Faults())
    if any(isinstance(item, t.Policy) for item in items):
        return  # what stands beside a policy is there for it
    for item in items:
        if isinstance(item, ADVICE):
            continue
        rule = item.span.line, item.span.end_line
        seen: set[tuple[int, int, str]] = set()
        for span, words, what in _inside(item):
            place = span.start, span.end, words
            if words != span.text and place not in seen:
                seen.add(place)
                sentence = " ".join(span.source.line_text(span.line).split())
                yield Change(path, span.start, span.end, words, what, span.line, sentence, span.text, rule)


Found = Iterator[tuple[Span, str, str]]


def _inside(node: t.Node) -> Found:
    """Changes of a sentence and of what it is made of, but for the words that people read."""
    if isinstance(node, SAYING):
        return
    if isinstance(node, STATEMENTS) and not isinstance(node, NEEDED):
        yield node.span, "nothing", "left out"
    for kinds, made in CHANGES.items():
        if isinstance(node, kinds):
            yield from made(node)
    if isinstance(node, t.Operation) and node.op in ("and", "or"):
        yield from _of_part(_chain(node, node.op))
        return
    for part in fields(node):
        if part.name != "span" and not (isinstance(node, t.TakeTurns) and part.name == "most"):
            yield from _of_part(getattr(node, part.name))


def _of_part(part: object) -> Found:
    if isinstance(part, tuple):
        for one in part:
            yield from _of_part(one)
    elif isinstance(part, t.Node):
        yield from _inside(part)


# ------------------------------------------------------------------------------------------------- what is changed


def _amount(node: t.Int | t.Money) -> Found:
    digits = re.search(r"\d[\d,]*", node.span.text)
    if digits is not None:
        place = Span(node.span.source, node.span.start + digits.start(), node.span.start + digits.end())
        yield place, str(node.value + 1), "one more"
        if node.value > 0:
            yield place, str(node.value - 1), "one less"


def _chain(node: t.Expr, op: str) -> tuple[t.Expr, ...]:
    """`a and b and c`, in its parts."""
    if isinstance(node, t.Operation) and node.op == op:
        return tuple(part for one in node.args for part in _chain(one, op))
    return (node,)


def _operation(node: t.Operation) -> Found:
    if node.op in ("and", "or"):
        parts = _chain(node, node.op)
        for at, left in enumerate(parts):
            rest = f" {node.op} ".join(f"({one.span.text})" for n, one in enumerate(parts) if n != at)
            yield node.span, f"({rest})", f"without `{' '.join(left.span.text.split())}`"
    elif node.op == "not":
        yield node.span, f"({node.args[0].span.text})", "the other way round"
    elif node.op in TURNED and len(node.args) == 2:
        between = Span(node.span.source, node.args[0].span.end, node.args[1].span.start)
        if between.text.strip(" ()") == node.op:
            yield between, between.text.replace(node.op, TURNED[node.op]), f"`{TURNED[node.op]}` for `{node.op}`"


def _is(node: t.IsA | t.IsEmpty | t.IsNone) -> Found:
    rest = Span(node.span.source, node.what.span.end, node.span.end)
    old, new = (r"\bis\s+not\b", "is") if node.negated else (r"\bis\b", "is not")
    yield rest, re.sub(old, new, rest.text, count=1), "the other way round"


def _first_word(node: t.Aggregate | t.OrderKey) -> Found:
    word = node.span.text.split()[0] if node.span.text.split() else ""
    if word in OTHER:
        yield Span(node.span.source, node.span.start, node.span.start + len(word)), OTHER[word], f"`{OTHER[word]}` for `{word}`"


def _condition(condition: t.Expr | None) -> Found:
    if condition is not None and condition.span.text != "true":
        yield condition.span, "true", "without the condition"


def _turned(condition: t.Expr) -> Found:
    yield condition.span, f"not ({condition.span.text})", "the other way round"


def _if(node: t.If) -> Found:
    for condition, _ in node.branches:
        yield from _turned(condition)


def _option(node: t.Option) -> Found:
    yield from _condition(node.when)
    head = Span(node.span.source, node.span.start, node.body.span.start)
    limit = re.search(r"\s+once per \w+", head.text)
    if node.once_per is not None and limit is not None:
        yield Span(head.source, head.start + limit.start(), head.start + limit.end()), "", "as often as one likes"
    if node.cost is not None:
        before = Span(head.source, head.start, node.cost.span.start)
        word = re.search(r"\s+costs\s+$", before.text)
        if word is not None:
            yield Span(head.source, before.start + word.start(), node.cost.span.end), "", "for nothing"


def _cost(node: t.Cost) -> Found:
    for at, way in enumerate(node.ways):
        if len(node.ways) > 1:
            rest = [one.span.text for n, one in enumerate(node.ways) if n != at]
            yield node.span, " or ".join(rest), f"without the way to pay `{' '.join(way.span.text.split())}`"


def _way(node: t.CostWay) -> Found:
    for at, item in enumerate(node.items):
        if len(node.items) > 1:
            first, last = node.items[0].span, node.items[-1].span
            rest = [one.span.text for n, one in enumerate(node.items) if n != at]
            yield Span.cover(first, last), " and ".join(rest), f"without paying `{item.span.text}`"


def _name(node: t.Name) -> Found:
    if node.span.text == "me":
        yield node.span, SOMEBODY_ELSE, "somebody else"
    elif node.span.text in ("seats", "others"):
        other = "others" if node.span.text == "seats" else "seats"
        yield node.span, other, f"`{other}` for `{node.span.text}`"


def _member(node: t.Member) -> Found:
    if node.span.text.startswith("my."):
        yield Span(node.span.source, node.span.start, node.span.start + 2), SOMEBODY_ELSE, "somebody else"


def _guard(node: t.Guard) -> Found:
    if not isinstance(node.body, t.Block):
        yield from _condition(node.body)


def _menu(node: t.Menu) -> Found:
    yield from _condition(node.done_when)
    yield from _condition(node.condition)


CHANGES: dict[tuple[type, ...], Callable[..., Found]] = {
    (t.Int, t.Money): _amount,
    (t.Operation,): _operation,
    (t.IsA, t.IsEmpty, t.IsNone): _is,
    (t.Aggregate, t.OrderKey): _first_word,
    (t.Binder,): lambda node: _condition(node.where),
    (t.Those, t.Repeat, t.Moment): lambda node: _condition(node.condition),
    (t.Menu,): _menu,
    (t.May, t.Window, t.Restrict): lambda node: _condition(node.when),
    (t.If,): _if,
    (t.Choice,): lambda node: _turned(node.condition),
    (t.Option,): _option,
    (t.Cost,): _cost,
    (t.CostWay,): _way,
    (t.Name,): _name,
    (t.Member,): _member,
    (t.Guard,): _guard,
}
