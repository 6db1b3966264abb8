"""`is` says what something is, `=` how much: what is told where one stands in the other's place, and the repair."""

from __future__ import annotations

import re

from ichiba.dsl.faults.fault import Edit, quote
from ichiba.dsl.faults.source import Span

_SIGNS = re.compile(r"#[^\n]*|(?P<sign>!=|=|\bis\s+not\b|\bis\b)")
_OTHER = {"=": "is", "!=": "is not", "is": "=", "is not": "!="}


def said_otherwise(sign: str, one: Span, other: Span) -> tuple[Span, str, str, tuple[Edit, ...]]:
    """The place of the sign between two sides, the message, its label and the repair."""
    place, better = _sign_between(one, other), _OTHER[sign]
    much = sign in ("=", "!=")
    message = f"`{sign}` compares how much" if much else f"`{sign}` says what something is"
    return place, message, f"write {quote(f'{one.text} {better} {other.text}')}", (Edit(place, better),)


def _sign_between(one: Span, other: Span) -> Span:
    """Brackets and comments may stand around it."""
    source = one.source
    found = next(found for found in _SIGNS.finditer(source.text, one.end, other.start) if found["sign"])
    return Span(source, found.start(), found.end())
