"""Every `use` of a ruleset, one after the other: the rules that stand in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.faults.source import Source, Span
from ichiba.dsl.patterns.declared import Declared
from ichiba.dsl.patterns.filling import Filling, declared_in
from ichiba.dsl.patterns.giving import Giving
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.yaml.declarations import Box, RulesText

MOST_WORDS = 20_000  # of all that is used: a pattern may be used often, and many sentences come of one
Library = Callable[[str], "RulesText | None"]


def use_patterns(box: Box, library: Library, files: Iterable[str], faults: Faults) -> None:
    """What is used stands behind all other rules, in the order of the sentences that use it."""
    texts, uses = [], []
    own: dict[str, tuple[t.Pattern, RulesText]] = {}
    for text in box.rules:
        kept: list[t.Item] = []
        for item in text.items:
            if isinstance(item, t.Pattern):
                _declare(item, text, own, faults)
            elif isinstance(item, t.Use):
                uses.append((item, text))
            else:
                kept.append(item)
        texts.append(text if len(kept) == len(text.items) else replace(text, items=tuple(kept)))
    box.rules[:] = texts
    using = _Using(box, library, sorted(files), own, faults)
    for use, text in uses:
        using.use(use, text)


def _declare(pattern: t.Pattern, text: RulesText, own: dict[str, tuple[t.Pattern, RulesText]], faults: Faults) -> None:
    if text.home.startswith("library."):
        return
    nested = next((item for item in pattern.items if isinstance(item, t.Pattern | t.Use)), None)
    if text.board or nested is not None:
        where = "a board's file" if text.board else "a pattern"
        faults.add("E352", nested.span if nested else pattern.span, f"in {where} no pattern is declared or used", label=_ELSEWHERE)
    elif pattern.name in own:
        second = (own[pattern.name][0].span, "first here")
        faults.add("E206", pattern.span, f"the pattern `{pattern.name}` is declared twice", second=second)
    elif again := {name for one in pattern.given for name in (one.name, plural(one.name))} & set(declared_in(pattern.items)):
        message = f"`{min(again)}` is left open in this pattern, and declared in it"
        faults.add("E206", pattern.span, message, label="call one of them otherwise")
    else:
        own[pattern.name] = pattern, text


_ELSEWHERE = "write it in the rules of the game, or of a module"


class _Using:
    def __init__(
        self, box: Box, library: Library, files: list[str], own: dict[str, tuple[t.Pattern, RulesText]], faults: Faults
    ):
        self.box, self.library, self.files, self.own, self.faults = box, library, files, own, faults
        self.words = 0

    def use(self, use: t.Use, text: RulesText) -> None:
        if text.board:
            self.faults.add("E352", use.span, "in a board's file no pattern is declared or used", label=_ELSEWHERE)
            return
        found = self._find(use)
        if found is None:
            self.faults.lost |= {use.name or use.path.split(".")[-1]}
            return
        pattern, home = found
        if self.words > MOST_WORDS:  # told once; of none that follow the words are counted
            self.faults.lost |= {use.name or pattern.name}
            return
        words = _words(pattern, use)
        self.words += words
        self.box.memory.words_used += words
        if self.words > MOST_WORDS:
            self.faults.add("E204", use.span, "the patterns that are used come to more than can be read", label="use fewer of them")
            self.faults.lost |= {use.name or pattern.name}
            return
        called = {name: _called(name, pattern, use) for name in declared_in(pattern.items)}
        giving = Giving(pattern, use, Declared(self.box))
        if not giving.gather():
            giving.tell(use.path, self.faults)
            self.faults.lost |= set(called.values())
            return
        self.box.used.append((f"use {use.name or pattern.name}", text.home, use.span))
        source = self._source(pattern.span, use)
        items = Filling(called | giving.names, giving.values, source).of(pattern.items)
        self.box.rules.append(RulesText(items, home.home if home.home.startswith("library.") else text.home, "", home.path))

    def _source(self, span: Span, use: t.Use) -> Source:
        """The library's text as it is used here: what is wrong in it is told at the `use`."""
        text = span.source
        if use.path in self.own:
            return text
        return Source(text.path, text.text, use.span, use.path)

    def _find(self, use: t.Use) -> tuple[t.Pattern, RulesText] | None:
        file, _, name = use.path.rpartition(".")
        if not file:
            if name in self.own:
                return self.own[name]
            self._unknown(use, name, f"there is no pattern `{name}`", {*self.own, *self._all_of_library()})
            return None
        if file not in self.files:
            self._unknown(use, file, f"the library has no `{file}`", self.files)
            return None
        text = self.library(file)
        patterns = {item.name: item for item in text.items if isinstance(item, t.Pattern)} if text is not None else {}
        if text is None or name not in patterns:
            self._unknown(use, name, f"the library's `{file}` has no `{name}`", patterns)
            return None
        return patterns[name], text

    def _all_of_library(self) -> set[str]:
        found = set()
        for file in self.files:
            text = self.library(file)
            found |= {f"{file}.{item.name}" for item in text.items if isinstance(item, t.Pattern)} if text is not None else set()
        return found

    def _unknown(self, use: t.Use, word: str, message: str, known: Iterable[str]) -> None:
        whole = [name for name in known if name.split(".")[-1] == word]
        hint = whole[0] if whole else nearest(word, known)
        label = f"did you mean `{hint}`?" if hint else ""
        notes = (f"there are: {', '.join(sorted(known))}",) if known else ()
        self.faults.add("E205", use.span.at_word(word), message, label=label, notes=notes)


def _words(pattern: t.Pattern, use: t.Use) -> int:
    """How much comes of it: the pattern's own words, and what is given as often as its name stands there."""
    given = {arg.name: sum(1 for _ in t.walk(arg.value)) for arg in use.args}
    return sum(given.get(node.name, 1) if isinstance(node, t.Name) else 1 for node in t.walk(pattern.items))


def _called(name: str, pattern: t.Pattern, use: t.Use) -> str:
    """What the pattern calls by its own name has the user's; whatever else it declares stands behind that."""
    own = use.name or pattern.name
    return own if name == pattern.name else f"{own}_{name}"
