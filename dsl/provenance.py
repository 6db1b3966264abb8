"""The merged rules of a ruleset, each item with the file it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ichiba.dsl.source import Source, Span


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
    def text(self) -> str:
        """The lines, moved left as far as the first one goes."""
        lines = [self.source.line_text(number) for number in range(self.comments, self.last + 1)]
        margin = _indent(lines[0])
        return "\n".join(line[margin:] if line.strip() else "" for line in lines)


def merged_rules(provenance: Sequence[tuple[str, str, Span]]) -> str:
    """What every rule says in the end, and who says so, given what, whose and where:

    # value wage   rain   tiny/modules/rain.yaml:4
    replace value wage: 4
    """
    parts: list[str] = []
    shown: list[Passage] = []
    for passage in sorted((passage_of(span) for _, _, span in provenance), key=_size, reverse=True):
        if not any(whole.holds(passage) for whole in shown):
            shown.append(passage)
    for what, home, span in provenance:
        passage = passage_of(span)
        if passage in shown:
            shown.remove(passage)
            place = f"{span.source.path}:{passage.first}"
            parts.append(f"# {what}   {home or 'base'}   {place}\n{passage.text}\n")
    return "\n".join(parts)


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
