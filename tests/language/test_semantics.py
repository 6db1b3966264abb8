"""Claims about docs/semantics.md: what it shows is written in the language, and it shows the whole of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import chain

import pytest

from ichiba.dsl.faults.fault import Faults, render_all
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.syntax import tree
from ichiba.dsl.syntax.parse import keywords, parse_cost, parse_expression, parse_items, parse_statements
from tests.language.test_documents import DOCS

PAGE = (DOCS / "semantics.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```rules\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PROSE = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
SENTENCES = list(dict.fromkeys(re.findall(r"`([^`\n]+)`", PROSE)))
CLASSES = {kind.__name__ for kind in vars(tree).values() if isinstance(kind, type) and issubclass(kind, tree.Node)} - {"Node"}


def written(rules: str) -> tuple[tuple[object, ...], Faults]:
    """Declarations, or statements without a heading; and what is wrong with them."""
    faults, others = Faults(), Faults()
    text = Embedded.whole(Source("semantics.md", rules))
    items = parse_items(text, faults)
    if not faults.all:
        return tuple(items), faults
    statements = parse_statements(text, others)
    return (statements, others) if len(others.all) < len(faults.all) else (tuple(items), faults)


def quoted(sentence: str) -> tuple[object, ...]:
    """What is quoted between other words: an expression, a cost, a statement or a declaration; or nothing of these."""
    text = Embedded.whole(Source("semantics.md", sentence))
    found: list[object] = []
    for parse in (parse_expression, parse_cost):
        faults = Faults()
        node = parse(text, faults)
        found += [node] if node is not None and not faults.all else []
    items, faults = written(sentence + "\n")
    return (*found, *(() if faults.all else items))


def nodes(value: object) -> Iterator[tree.Node]:
    """A sentence and all that it is made of."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from nodes(item)
    elif isinstance(value, tree.Node) and is_dataclass(value):
        yield value
        for field in fields(value):
            yield from nodes(getattr(value, field.name))


@pytest.mark.parametrize("rules", BLOCKS)
def test_the_rules_on_the_page_are_rules(rules: str) -> None:
    items, faults = written(rules)
    assert items and not faults.all, render_all(faults.all)


def test_every_sentence_of_the_language_stands_on_the_page() -> None:
    """A new class of the tree, or a new word of the grammar, fails until the page says what it means."""
    shown = {type(node).__name__ for node in nodes([written(block)[0] for block in BLOCKS])}
    shown |= {type(node).__name__ for node in nodes([quoted(sentence) for sentence in SENTENCES])}
    assert CLASSES - shown == set()


def test_every_class_of_sentences_is_spoken_of() -> None:
    """An example alone says nothing: the text names the class, so that the tree leads to the page and back."""
    named = set(re.findall(r"`([A-Z]\w+)`", PROSE))
    plain = {"Block", "Expr", "Statement"}  # words of the page for several of them
    assert CLASSES - named - plain == set()
    assert named - CLASSES - plain == set()


def test_every_word_of_the_language_is_used_on_the_page() -> None:
    words = set(chain.from_iterable(re.findall(r"[a-z_]+", text) for text in (*BLOCKS, *SENTENCES)))
    assert keywords() - words == set()
