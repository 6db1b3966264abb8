"""The sentences of the rules, by the keys under which other languages say them: `rule.turn`, `rule.eel.visit.sell`, `heading.turn`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from ichiba.dsl.syntax import tree as t
from ichiba.dsl.yaml.declarations import Box

LIBRARY = "library."  # pieces of the library go by their names alone, like those of the game

Told = t.Procedure | t.Rule | t.Value | t.ValueCase | t.Guard | t.CostRule | t.Option | t.Scoring | t.Ranking | t.Window


def key_of(item: Told, home: str = "", board: str = "", kind: str = "", path: str = "") -> str:
    """`rule.` with whose it is (a board's, or a module's), and its name; of a kind's setup and of options for a kind's menu with the
    kind, of an option with its menu."""
    whose = board or ("" if home.startswith(LIBRARY) else home)
    if kind and not board and (isinstance(item, t.Option) or isinstance(item, t.Procedure) and item.main):
        whose = ".".join(filter(None, (whose, kind)))
    menu = path.rpartition(".")[2] if isinstance(item, t.Option) else ""
    return ".".join(filter(None, ("rule", whose, menu, _name(item))))


def nested_key(key: str, number: int) -> str:
    """Of a sentence that stands further down in a rule: `rule.refresh.1` is the first of them."""
    return f"{key}.{number}"


def _name(item: Told) -> str:
    match item:
        case t.Scoring():
            return "scoring"
        case t.Ranking():
            return "ranking"
        case t.Procedure() | t.Rule() | t.Value() | t.ValueCase() | t.Guard() | t.CostRule() | t.Option() | t.Window():
            return item.name
        case _:
            assert_never(item)


def sentence_of(item: Told) -> t.Text | None:
    """What stands right below the heading."""
    match item:
        case t.Procedure(body=body) | t.Rule(body=body) | t.Option(body=body) | t.Scoring(body=body) | t.Window(body=body):
            return body.doc
        case t.Value(doc=doc) | t.ValueCase(doc=doc) | t.Guard(doc=doc):
            return doc
        case t.CostRule() | t.Ranking():
            return None
        case _:
            assert_never(item)


def nested_sentences(body: t.Block) -> list[t.Text]:
    """Those further down, in the order in which they stand; those of the options of a menu are the options' own."""
    inside = {id(node.body) for node in t.walk(body) if isinstance(node, t.Option)}
    blocks = [node for node in t.walk(body) if isinstance(node, t.Block) and node is not body and id(node) not in inside]
    return [node.doc for node in sorted(blocks, key=lambda node: node.span.start) if node.doc is not None]


def sentences(box: Box) -> Iterator[tuple[str, t.Text | None, str]]:
    """Every key that a language may say, with the sentence in English (None where the rule has none), and the rule's plain name."""
    for text in box.rules:
        if only_policies(text.items):
            continue
        for item in text.items:
            inner = item.item if isinstance(item, t.Replace) else item
            members = inner.members if isinstance(inner, t.Kind) else (inner,)
            for one in members:
                yield from _of_item(one, text.home, text.board, inner.name if isinstance(inner, t.Kind) else "")


def only_policies(items: Iterable[t.Item]) -> bool:
    """Whether a file holds no more than what players without a head ask themselves."""
    kinds = {type(item) for item in items}
    return t.Policy in kinds and kinds <= {t.Policy, t.Value, t.Guard}


def _of_item(item: object, home: str, board: str, kind: str) -> Iterator[tuple[str, t.Text | None, str]]:
    if isinstance(item, t.Procedure | t.Rule | t.Value | t.ValueCase | t.Guard | t.CostRule | t.Scoring | t.Ranking):
        yield from _with_nested(item, key_of(item, home, board, kind))
    if isinstance(item, t.Window) and not item.added:
        yield key_of(item, home, board), item.body.doc, item.name
    if isinstance(item, t.MenuItem | t.Window):
        path, of = (item.path, item.kind or "") if isinstance(item, t.MenuItem) else (item.name, "")
        yield from _of_options(path, item.body.options, home, board, of)
    elif isinstance(item, t.ReplaceOption):
        yield from _of_options(item.path.rpartition(".")[0], (item.option,), home, board)
    if isinstance(item, t.Node):
        for node in t.walk(item):
            if isinstance(node, t.Menu) and node.body is not None:
                yield from _of_options(node.path.name if isinstance(node.path, t.Name | t.Member) else "", node.body.options, home, board)
            elif isinstance(node, t.Race):
                yield from _of_options(node.menu, node.body.options, home, board)


def _of_options(path: str, options: tuple[t.Option, ...], home: str, board: str, kind: str = "") -> Iterator[tuple[str, t.Text | None, str]]:
    for option in options:
        yield from _with_nested(option, key_of(option, home, board, kind, path))


def _with_nested(item: Told, key: str) -> Iterator[tuple[str, t.Text | None, str]]:
    yield key, sentence_of(item), _name(item)
    if isinstance(item, t.Procedure | t.Rule | t.Option | t.Scoring):
        yield from ((nested_key(key, number), text, "") for number, text in enumerate(nested_sentences(item.body), 1))


__all__ = ["key_of", "nested_key", "nested_sentences", "only_policies", "sentence_of", "sentences"]
