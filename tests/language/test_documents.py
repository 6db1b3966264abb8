"""Claims about the pages in docs/: what they show is written in the language."""

import re
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Faults, render_all
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.syntax.parse import parse_expression, parse_items, parse_statements
from ichiba.dsl.yaml.reading import read_yaml

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```(yaml)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = {name: (DOCS / name).read_text(encoding="utf-8") for name in ("modules.md", "language.md")}
BLOCKS = [(page, found[1], found[2]) for page, text in PAGES.items() for found in BLOCK.finditer(text)]
FOLDERS = ("modules/", "rulesets/")  # these blocks list files
RULES = [(page, text) for page, form, text in BLOCKS if not form and not text.startswith(FOLDERS)]
EXPRESSIONS = [
    code
    for row in re.findall(r"^\| (`.*?) \|", PAGES["language.md"].partition("\n## Expressions\n")[2], re.MULTILINE)
    for code in re.findall(r"`(.*?)`", row)
    if code != "1 .. 3"  # stands behind `for x in` only
]


@pytest.mark.parametrize(("page", "rules"), RULES)
def test_the_rules_on_a_page_are_rules(page: str, rules: str) -> None:
    """Declarations, or statements without a heading."""
    faults, others = Faults(), Faults()
    text = Embedded.whole(Source(page, rules))
    items = parse_items(text, faults)
    statements = parse_statements(text, others) if faults.all else ()
    assert items and not faults.all or statements and not others.all, render_all(faults.all + others.all)


@pytest.mark.parametrize(("page", "text"), [(page, text) for page, form, text in BLOCKS if form])
def test_the_yaml_on_a_page_is_yaml(page: str, text: str) -> None:
    faults = Faults()
    assert read_yaml(Source(page, text), faults) is not None
    assert not faults.all, render_all(faults.all)


@pytest.mark.parametrize("code", EXPRESSIONS)
def test_the_expressions_on_the_page_about_the_language_are_expressions(code: str) -> None:
    faults = Faults()
    assert parse_expression(Embedded.whole(Source("language.md", code)), faults) is not None
    assert not faults.all, render_all(faults.all)


def test_the_pages_show_something() -> None:
    assert len(RULES) >= 18 and len(EXPRESSIONS) >= 50
