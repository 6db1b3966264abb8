"""Lines in which a stage of compiling shows a rule, each with the place in the file that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ichiba.dsl.faults.source import Span

STEP = "  "
COLUMN = 76  # where the places stand, if there is room


class Line(NamedTuple):
    """One line; `span`: what it says is written there."""

    depth: int
    text: str
    span: Span | None = None


def text_of(lines: Iterable[Line]) -> str:
    """The lines below each other. Behind the first that comes from a line of a file stands which it is."""
    return "\n".join(_numbered(lines))


def _numbered(lines: Iterable[Line]) -> Iterator[str]:
    path, number = "", 0
    for depth, text, span in lines:
        said = STEP * depth + text
        if span is not None and (span.source.path, span.line) != (path, number):
            place = f"{span.line}" if span.source.path == path else f"{span.source.path}:{span.line}"
            path, number = span.source.path, span.line
            said = f"{said:<{COLUMN}}  # {place}"
        yield said.rstrip()
