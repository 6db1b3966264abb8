"""The merged rules of a ruleset, each item with the file it came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType

from ichiba.dsl.faults.source import Source, Span

WIDTH = 110  # of what is told in sentences
Words = Callable[[str, str, Span], str | None]  # what a rule says in a sentence, by what it is, whose it is and where it stands

_MOMENT = re.compile(r"\Arule \w+[^:]*?,\s+(before|after|instead of)\s+(?!rule )([a-z][\w.]*)")
_LABEL = re.compile(r'\Aoption \w+ ("[^"]*")')


@dataclass(frozen=True, slots=True)
class Passage:
    """Whole lines of a file: an item from its first line to its last, and the comments right above it."""

    source: Source
    comments: int
    first: int
    last: int

    def holds(self, other: Passage) -> bool:
        return self.source is other.source and self.first <= other.first and other.last <= self.last

    @property
    def place(self) -> str:
        return f"{self.source.path}:{self.first}"

    @property
    def text(self) -> str:
        """The lines, moved left as far as the first one goes."""
        lines = [self.source.line_text(number) for number in range(self.comments, self.last + 1)]
        margin = _indent(lines[0])
        return "\n".join(line[margin:] if line.strip() else "" for line in lines)


def merged_rules(provenance: Sequence[tuple[str, str, Span]]) -> str:
    """What every rule says in the end, and who says so, given what, whose and where; and who changes it:

    # value wage   base   tiny/play.rules:4
    #   replaced   rain   tiny/modules/rain.yaml:4
    value wage: 5
    """
    parts: list[str] = []
    shown = _shown(provenance)
    changes = changes_of(provenance)
    for what, home, span in provenance:
        passage = passage_of(span)
        if passage in shown:
            shown.remove(passage)
            told = [line for change in changes if (line := change.told_of(passage)) is not None]
            parts.append("\n".join([f"# {what}   {home or 'base'}   {passage.place}", *told, f"{passage.text}\n"]))
    return "\n".join(parts)


def news_of(
    provenance: Sequence[tuple[str, str, Span]],
    homes: Sequence[str],
    about: Mapping[str, str] = MappingProxyType({}),
    words: Words = lambda what, home, span: "",
) -> str:
    """What modules and variants bring, for who knows the game without them: options, what happens by itself, what is changed.
    `about` says of each of them what it is, `words` of a rule; None: that it is not told.

    # New with rain: Rain falls
    #   option actions.swim "Swim"
    #   value wage: replaced
    #       Who works in the rain gets more.
    """
    said = _said(provenance)
    found: dict[str, list[tuple[int, list[str]]]] = {home: [] for home in homes}
    for what, home, span in provenance:
        if home not in found:
            continue
        sentence = words(what, home, span)
        if sentence is None:
            continue
        own, below = passage_of(span), _below(sentence)
        change, (word, *_) = _change(what, own), what.split()
        if change is not None:
            how, target = change
            name, _ = said.get(target, (f"option {target.removeprefix('option ')}" if "." in target else target, own))
            found[home].append((2, [f"#   {name}: {how}", *below]))
        elif word in ("option", "change", "rule", "remove"):
            label = _LABEL.match(own.text)
            found[home].append((2 if word == "rule" else 0, [f"#   {what}{f' {label[1]}' if label else ''}", *below]))
        elif word == "procedure" and below:
            found[home].append((1, [f"#   {what}", *below]))
    parts = []
    for home, told in found.items():
        if told:
            heading = wrap(f"New with {home}" + (f": {about[home]}" if about.get(home) else ""), WIDTH)
            lines = [line for _, lines in sorted(told, key=lambda one: one[0]) for line in lines]
            parts.append([*(f"# {line}" for line in heading), *lines])
    return "".join("\n".join(lines) + "\n\n" for lines in parts)


def _below(words: str) -> list[str]:
    return [f"#       {line}" for line in wrap(words, WIDTH)]


@dataclass(frozen=True, slots=True)
class Change:
    """A rule that replaces or restricts another, or stands before, after or around it: what it changes, as part of which passage that
    is shown whole, and what it is."""

    passage: Passage
    whole: Passage
    name: str
    words: str

    def told_of(self, passage: Passage, name: str = "") -> str | None:
        """The line that tells it above a passage, which says the rule of this name; None above others."""
        if self.whole == passage:
            return f"#   {self.name}, {self.words}" if self.name else f"#   {self.words}"
        return f"#   {self.words}" if self.passage == passage or name and self.name.endswith(name) else None


def _shown(provenance: Sequence[tuple[str, str, Span]]) -> list[Passage]:
    """The passages that lie in no other."""
    shown: list[Passage] = []
    for passage in sorted((passage_of(span) for _, _, span in provenance), key=_size, reverse=True):
        if not any(whole.holds(passage) for whole in shown):
            shown.append(passage)
    return shown


def _said(provenance: Sequence[tuple[str, str, Span]]) -> dict[str, tuple[str, Passage]]:
    """What is said first under each name: `procedure turn` and `turn`."""
    said: dict[str, tuple[str, Passage]] = {}
    for what, _, span in provenance:
        said.setdefault(what, (what, passage_of(span)))
        said.setdefault(what.split(",")[0].split()[-1], (what, passage_of(span)))
    return said


def changes_of(provenance: Sequence[tuple[str, str, Span]]) -> list[Change]:
    """All that changes something else."""
    shown, said = _shown(provenance), _said(provenance)
    found: list[Change] = []
    for what, home, span in provenance:
        own = passage_of(span)
        change = _change(what, own)
        if change is None:
            continue
        how, target = change
        changed = said.get(target) or next((("", p) for p in shown if _declares(p, target)), None)
        if changed is None:
            continue
        name, passage = changed
        whole = next((p for p in shown if p.holds(passage)), passage)
        inside = (name or target.removeprefix("option ")) if whole != passage or not name else ""
        found.append(Change(passage, whole, inside, f"{how}   {home or 'base'}   {own.place}"))
    return found


def _change(what: str, passage: Passage) -> tuple[str, str] | None:
    """How a rule changes which other one; what a board replaces for itself changes nothing for the rest."""
    word, _, rest = what.partition(" ")
    if word in ("replace", "restrict") and " of " not in rest:
        return ("replaced" if word == "replace" else "restricted"), rest
    if word == "rule" and (moment := _MOMENT.search(passage.text)):
        return f"{moment[1]} it {what}", moment[2]
    return None


def _declares(passage: Passage, name: str) -> bool:
    """Whether a passage has a procedure of this name in it, or an option of this address: `fishing.catch`."""
    *menus, last = name.removeprefix("option ").split(".")
    opening = rf"\b(?:menu|window) {re.escape(menus[-1])}\b" if menus else ""
    word = "option" if menus else "procedure"
    return all(re.search(p, passage.text, re.MULTILINE) for p in (opening, rf"^ +{word} {re.escape(last)}\b"))


def passage_of(span: Span) -> Passage:
    """The item that begins on the line of a span: that line, and all deeper ones below it."""
    source, first = span.source, span.line
    indent = _indent(source.line_text(first))
    last = number = first
    lines = source.text.count("\n") + 1
    while number < lines:
        number += 1
        line = source.line_text(number)
        if line.strip() and _indent(line) <= indent:
            break
        if line.strip():
            last = number
    comments = first
    while (above := source.line_text(comments - 1)).strip().startswith("#") and _indent(above) == indent:
        comments -= 1
    return Passage(source, comments, first, last)


def _size(passage: Passage) -> int:
    return passage.last - passage.first


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
