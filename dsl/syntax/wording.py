"""How rules are quoted to people: the words as they were written, but never the blanks, line breaks or comments."""

from __future__ import annotations

from functools import lru_cache

from ichiba.dsl.syntax.lexer import RawToken, tokens_of
from ichiba.dsl.syntax.parse import keywords

_OPENS, _CLOSES = ("(", "{"), (")", "}", ",", ":")
_CALLED = ("even", "seat")  # keywords that are also asked like values


@lru_cache(maxsize=4096)
def spelled(text: str) -> str:
    """`count  of my.cards#all` becomes `count of my.cards`: two ways to write the same are quoted alike."""
    made = ""
    before: RawToken | None = None
    beginning = True  # of a number or value: what follows a sign belongs to it
    for token in tokens_of(text):
        if before is not None and not _joined(before, token, beginning):
            made += " "
        made += token.text
        beginning = before is None or _awaits(before)
        before = token
    return made


def words_of(text: str) -> list[str]:
    """The words that stand in a text of rules, also inside of texts; comments say nothing."""
    found: list[str] = []
    for token in tokens_of(text):
        if token.type == "WORD":
            found.append(token.text)
        elif token.type == "STRING":
            found.extend(word.text for word in tokens_of(token.text[1:-1]) if word.type == "WORD")
    return found


def _joined(before: RawToken, token: RawToken, sign: bool) -> bool:
    """Whether nothing stands between two words."""
    if token.text in _CLOSES or "." in (before.text, token.text) or before.text in _OPENS:
        return True
    if before.text == "-" and sign:
        return True
    called = before.type == "WORD" and (before.text in _CALLED or before.text not in keywords())
    return token.text == "(" and called


def _awaits(before: RawToken) -> bool:
    """Whether a value is still to come after this, so that a minus would be its sign."""
    if before.type == "PUNCTUATION":
        return before.text not in (")", "}")
    return before.type == "WORD" and before.text in keywords()


__all__ = ["spelled", "words_of"]
