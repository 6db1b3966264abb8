"""The book's own words are there in every language that it speaks, and a language that it lacks is told."""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from ichiba.interpreter.api import rulesets
from ichiba.table.rulebook.blocks import sentence, told
from ichiba.table.scene.frame import Frame, spoken
from ichiba.table.scene.spelling import ink, words_of
from tests.table.door import ichiba
from tests.table.orchard import write

ENTRIES = yaml.safe_load(files("ichiba.table.scene").joinpath("frame.yaml").read_text(encoding="utf-8"))
CODE = [*sorted(Path(str(files("ichiba.table.rulebook"))).rglob("*.py")), Path(str(files("ichiba.table.scene"))) / "phrases.py"]


@pytest.mark.parametrize("english", sorted(ENTRIES))
def test_every_entry_has_every_language_with_the_same_values(english: str) -> None:
    entry = ENTRIES[english]
    assert sorted(entry) == spoken()[1:]
    holes = set(re.findall(r"\{(\w+)\}", english))
    assert {lang: set(re.findall(r"\{(\w+)\}", words)) for lang, words in entry.items()} == dict.fromkeys(entry, holes)


def test_every_word_of_the_frame_in_the_code_has_an_entry() -> None:
    """Of calls with the words themselves; others take them out of the tables beside them."""
    said = set()
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name) and node.args:
                called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                if called == "frame":
                    said |= {one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    said -= {"module, switched on", ", switched on", "highest", "total"} - set(ENTRIES)
    assert len(said) > 50 and said - set(ENTRIES) == set()


def test_every_language_of_our_rulesets_has_the_frame() -> None:
    languages = {path.stem for folder in rulesets().values() for path in folder.glob("texts/*.yaml")}
    assert {lang for lang in languages if not Frame(lang).known} == set()


def test_a_language_without_the_frame_is_told_and_the_rest_is_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    folder = write(tmp_path / "game")
    (folder / "texts").mkdir(exist_ok=True)
    (folder / "texts" / "fi.yaml").write_text("title: Hedelmätarha\n", encoding="utf-8")
    said = ichiba("rulebook", folder, "--lang", "fi", "--out", tmp_path / "x.html")
    assert said.code == 0 and "ichiba rulebook: the book's own words are not there in `fi`; they are in English\n" in said.err
    assert "What is in the box" in (tmp_path / "x.html").read_text(encoding="utf-8")



def test_a_sentence_of_a_rule_is_told_in_another_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    folder = write(tmp_path / "game")
    rules = next(folder.glob("*.rules"))
    [name] = re.findall(r'procedure (\w+)[^:]*:\n +"Every stall gets one fruit."', rules.read_text(encoding="utf-8"))
    (folder / "texts").mkdir(exist_ok=True)
    (folder / "texts" / "fi.yaml").write_text(f'rule.{name}: "Jokainen koju saa hedelmän."\nheading.{name}: "Kasvu"\n', encoding="utf-8")
    assert ichiba("rulebook", folder, "--lang", "fi", "--out", tmp_path / "x.html").code == 0
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "Jokainen koju saa hedelmän." in page and "Kasvu" in page and "Every stall gets one fruit" not in page


@pytest.mark.parametrize(("text", "told"), [
    ('rule.harvst: "x"\n', "error[E101]: nothing here is called `rule.harvst`"),
    ('heading.harvest: "Sato"\n', ""),
])  # fmt: skip
def test_a_sentence_for_nothing_is_a_fault(text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    folder = write(tmp_path)
    (folder / "texts").mkdir(exist_ok=True)
    (folder / "texts" / "en.yaml").write_text(text, encoding="utf-8")
    errors = [line for line in ichiba("check", folder, "--quick").out.splitlines() if line.startswith("error")]
    assert errors == ([told] if told else [])


def test_a_language_that_says_some_sentences_of_the_rules_is_told_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    folder = write(tmp_path, **{})
    rules = next(folder.glob("*.rules"))
    rules.write_text(rules.read_text(encoding="utf-8") + '\n\nprocedure late:\n    "It is late."\n    raise round by 1\n', encoding="utf-8")
    (folder / "texts").mkdir(exist_ok=True)
    (folder / "texts" / "fi.yaml").write_text('rule.late: "On myöhä."\n', encoding="utf-8")
    said = [line for line in ichiba("check", folder, "--quick").out.splitlines() if "sentences of the rules" in line]
    assert len(said) == 1 and said[0].startswith("warning[E102]: texts/fi.yaml says 1 of ")


def test_a_sentence_ends_as_its_script_does() -> None:
    assert words_of(told(ink("店を開く"))) == "店を開く。" and sentence("店を開く") == "店を開く。"
    assert words_of(told(ink("open a store"))) == "Open a store."
