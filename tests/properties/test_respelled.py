"""What a ruleset means does not hang on how it is written: blanks, line breaks, comments, orders and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ichiba.dsl.faults.fault import Faults, render_all
from ichiba.dsl.meaning.builtins import BUILT_IN
from ichiba.dsl.parts import parts_of
from ichiba.dsl.rules import ir
from ichiba.dsl.ruleset import library_folder, read_box
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.lexer import tokens_of
from ichiba.dsl.syntax.parse import keywords, reserved_words
from ichiba.dsl.world.world import Config
from ichiba.dsl.yaml.declarations import Box
from ichiba.dsl.yaml.memory import Memory
from ichiba.interpreter.api import folder_of, rulesets
from ichiba.validator.judges.building import build
from tests.properties.dumps import Rename, dump, first_difference
from tests.properties.respelled import FREE, RULES_IN_YAML, Change, Renaming, Reordering, Respacing, rewritten

USED = re.compile(r"^ *use [^#]*? as (\w+)", re.MULTILINE)
ALWAYS = {"setup", "play", "board", "total", "original", "table", "seat", "sort", "owner", "a", "b"}  # the language has them itself


def configs(folder: Path) -> Iterator[Config]:
    """The plain game, and each of its parts by itself."""
    low, high = read_box(folder, (), Faults()).seats
    yield Config(high)
    for name, part in parts_of(folder).items():
        yield Config(low, *(((name,), ()) if part.what == "module" else ((), (name,))))


def program_of(folder: Path, config: Config, memory: Memory | None = None) -> tuple[ir.Program, Box]:
    faults = Faults()
    box, _, program = build(folder, config, faults, memory)
    assert not faults.errors, render_all(faults.all)
    return program, box


@cache
def originals(folder: Path) -> dict[Config, ir.Program]:
    """The programs of a ruleset as it is, made once."""
    memory = Memory()
    return {config: program_of(folder, config, memory)[0] for config in configs(folder)}


def assert_the_same(folder: Path, copy: Path, rename: Rename = str, words: bool = True) -> None:
    memory = Memory()
    for config, program in originals(folder).items():
        one = dump(program, rename, words)
        other = dump(program_of(copy, config, memory)[0], words=words)
        assert not (found := first_difference(one, other)), f"{config}\n{found}"


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("game", rulesets())
def test_blanks_breaks_and_comments_change_nothing(game: str, seed: int, tmp_path: Path) -> None:
    folder = folder_of(game)
    assert_the_same(folder, rewritten(folder, tmp_path, rules=Respacing(Random(f"{game} {seed}"))))


@pytest.mark.soak
@pytest.mark.parametrize("game", rulesets())
def test_blanks_breaks_and_comments_change_nothing_however_often(game: str, tmp_path: Path) -> None:
    for seed in range(1, 22):
        copy = rewritten(folder_of(game), tmp_path / str(seed), rules=Respacing(Random(f"{game} {seed}")))
        assert_the_same(folder_of(game), copy)


def test_the_property_sees_a_change(tmp_path: Path) -> None:
    folder = folder_of("tsukiji")

    def once(text: str, found: Change = lambda text: text.replace("by 1", "by 2", 1)) -> str:
        return found(text)

    with pytest.raises(AssertionError, match="Const"):
        assert_the_same(folder, rewritten(folder, tmp_path, rules=once))


@pytest.mark.parametrize("game", rulesets())
def test_the_order_of_files_on_disk_changes_nothing(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(game)
    before = [dump(program) for program in originals(folder).values()]
    memory, random = Memory(), Random(game)

    def shuffled(listing: Any) -> Any:
        return lambda *given: iter(random.sample(found := list(listing(*given)), len(found)))

    for name in ("glob", "rglob", "iterdir"):
        monkeypatch.setattr(Path, name, shuffled(getattr(Path, name)))
    for config, lines in zip(configs(folder), before):
        assert not (found := first_difference(lines, dump(program_of(folder, config, memory)[0]))), f"{config}\n{found}"


@pytest.mark.parametrize("game", rulesets())
def test_the_order_of_keys_that_means_nothing_changes_nothing(game: str, tmp_path: Path) -> None:
    folder = folder_of(game)
    assert_the_same(folder, rewritten(folder, tmp_path, yaml=Reordering(Random(game))))


@pytest.mark.parametrize("game", rulesets())
def test_other_names_change_only_names(game: str, tmp_path: Path) -> None:
    folder = folder_of(game)
    renaming = Renaming(own_names(folder))
    copy = rewritten(folder, tmp_path, rules=renaming)
    assert len(renaming.names) >= 2
    assert_the_same(folder, copy, renaming.everywhere, words=False)


def own_names(folder: Path) -> frozenset[str]:
    """What the author has named in rules, and is mentioned nowhere but there."""
    named: set[str] = set()
    spelled_out: set[str] = set()  # in keys
    for part in (None, *parts_of(folder)):
        for text in read_box(folder, () if part is None else (part,), Faults()).rules:
            for node in t.walk(text.items):
                named.update(names_in(node))
                if isinstance(node, t.Ask) and node.key is not None:
                    spelled_out.update(node.key.split("/"))
    taken = {*spelled_out, *ALWAYS, *BUILT_IN, *keywords(), *reserved_words()}
    for path in folder.rglob("*.yaml"):
        if "scenarios" not in path.parts and "texts" not in path.parts:
            taken.update(re.findall(r"[a-z_][a-z0-9_]*", RULES_IN_YAML.sub("", path.read_text("utf-8"))))
    for path in library_folder().glob("*.rules"):
        taken.update(token.text for token in tokens_of(path.read_text("utf-8")))
    texts = [path.read_text("utf-8") for path in folder.rglob("*") if path.suffix in (".rules", ".yaml")]
    used = {name for text in texts for name in USED.findall(text)}
    made = {name for name in named for piece in used if name == piece or name.startswith(f"{piece}_")}  # by the patterns of the shelf
    return frozenset(named - taken - made)


def names_in(node: t.Node) -> Iterator[str]:
    match node:
        case t.Let(names=names):
            yield from names
        case t.LetBest(name=name, binder=binder):
            yield from (name, binder)
        case t.Param(name=name, type=t.Type()):
            yield name
        case (
            t.Binder(name=name) | t.Pick(name=name) | t.Roll(name=name) | t.ChooseOne(name=name)
            | t.ChooseNumber(name=name) | t.ChooseSome(name=name) | t.Secretly(name=name) | t.May(name=name)
            | t.Counter(name=name) | t.Flag(name=name) | t.Purse(name=name) | t.Zone(name=name) | t.Note(name=name)
            | t.Remember(name=name) | t.MenuMember(name=name) | t.Option(name=name) | t.Value(name=name)
            | t.Guard(name=name) | t.Procedure(name=name) | t.CostRule(name=name) | t.Window(name=name)
            | t.Rule(name=name) | t.Invariant(name=name)
        ):  # fmt: skip
            yield name
        case _:
            pass


def test_the_page_tells_which_orders_mean_something() -> None:
    page = (Path(__file__).parents[2] / "docs" / "semantics.md").read_text("utf-8")
    said = re.search(r"declares things in order: the entries of (.*?)\.", page, re.DOTALL)
    assert said is not None
    ordered = set(re.findall(r"`(\w+)`", said[1]))
    assert ordered == {"pieces", "sorts", "things", "units", "options", "numbers", "tables", "endings"}
    assert ordered.isdisjoint(at[0] for at in FREE if len(at) == 1)
