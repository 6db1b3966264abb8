"""However a ruleset of version 1 is laid out, `ichiba fmt --upgrade` makes the same of it, and keeps every comment."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from ichiba.dsl.faults.fault import Faults, render_all
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.formatting.embedded import rules_in
from ichiba.dsl.formatting.formatting import ENDINGS
from ichiba.dsl.formatting.proof import parsed
from ichiba.dsl.formatting.structure import comments_between
from ichiba.dsl.formatting.upgrade.folder import upgraded
from ichiba.dsl.syntax.lexer import comments_of, tokens_of
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, read_yaml
from tests.conftest import Tally
from tests.formatting.strewn import Strewing
from tests.properties.respelled import Respacing
from tests.recorded.recording import texts

Files = dict[str, str]


@cache
def rulesets() -> dict[str, Files]:
    """By folder, as they stood in version 1."""
    found: dict[str, Files] = {}
    for path, text in texts().items():
        folder, name = "/".join(path.split("/")[:2]), "/".join(path.split("/")[2:])
        if name.endswith(ENDINGS):
            found.setdefault(folder, {})[name] = text.decode("utf-8")
    return found


OWN = sorted(folder for folder in rulesets() if folder.startswith("rulesets/"))
MADE = sorted(folder for folder in rulesets() if folder.startswith("generated/"))


def new(files: Files) -> Files:
    faults = Faults()
    made = upgraded({name: Source(name, text) for name, text in files.items()}, faults)
    assert made is not None, render_all(faults.all)
    return made.texts


def strewn(files: Files, random: Random) -> Files:
    rules, yaml = Respacing(random), Strewing(random)
    return {name: rules(text) if name.endswith(".rules") else yaml(text, name) for name, text in files.items()}


def words(text: str) -> list[str]:
    """Blanks in the braces of a text mean nothing."""
    return [re.sub(r"\{[^{}]*\}", lambda found: "".join(found[0].split()), token.text) for token in tokens_of(text)]


def comments(name: str, text: str) -> list[str]:
    if name.endswith(".rules"):
        return [text[begin:end] for begin, end in comments_of(text)]
    return [comment.strip() for comment in map(str, comments_between(Source(name, text))) if "#" in comment]


def same_yaml(name: str, one: str, other: str) -> bool:
    """The same values; of rules the same words."""
    first, second = (read_yaml(Source(name, text), Faults()) for text in (one, other))
    assert first is not None and second is not None
    rules = {scalar.span.start for scalar, _ in rules_in(first, name)}

    def same(a: Node, b: Node) -> bool:
        match a, b:
            case Map(), Map():
                pairs = zip(a.entries, b.entries, strict=False)
                return len(a.entries) == len(b.entries) and all(same(key, k) and same(value, v) for (key, value), (k, v) in pairs)
            case Seq(), Seq():
                return len(a.items) == len(b.items) and all(map(same, a.items, b.items))
            case Scalar(), Scalar():
                return words(a.text.text) == words(b.text.text) if a.span.start in rules else a.value == b.value
            case _:
                return False

    return same(first, second)


def held_to(folder: str, seed: int, tally: Tally) -> None:
    files, random = rulesets()[folder], Random(f"{folder} {seed}")
    before, other = new(files), strewn(files, random)
    after = new(other)
    assert after.keys() == before.keys()
    for name, text in after.items():
        assert comments(name, text) == comments(name, other[name]), name
        if name.endswith(".rules"):
            assert words(text) == words(before[name]), name
            parsed(Embedded.whole(Source(name, text)), "start", faults := Faults())
            assert not faults.errors, render_all(faults.all)
        else:
            assert same_yaml(name, text, before[name]), name
    tally(files=len(after))


@pytest.mark.parametrize("folder", [f for f in OWN if "market" not in f] + MADE[::50])
def test_a_strewn_ruleset_is_upgraded_to_the_same(folder: str, tally: Tally) -> None:
    held_to(folder, 1, tally)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("folder", OWN + MADE[::5])
def test_many_strewn_rulesets_are_upgraded_to_the_same(folder: str, seed: int, tally: Tally) -> None:
    held_to(folder, seed, tally)
