"""How a table says no: with the status that the web has for it, and one sentence, which pages can say in their own language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class Sentence(str):
    """In English, with what was filled into it. `form` is the sentence with the names of what is filled in, in braces."""

    form: str
    named: Mapping[str, object]


def said(form: str, **named: object) -> Sentence:
    """`said("seat {seat} is not yours", seat=2)`"""
    made = Sentence(form.format(**named))
    made.form, made.named = form, named
    return made


class Seats(tuple[int, ...]):
    """`seat 1, seat 3`: whoever knows another language says it there."""

    def __str__(self) -> str:
        return ", ".join(f"seat {seat}" for seat in self)

    @staticmethod
    def of(seats: Iterable[int]) -> Seats:
        return Seats(seats)


class Refused(Exception):
    """Something that was asked for and cannot be. `more` is for programs."""

    def __init__(self, status: int, words: str, **more: Any):
        super().__init__(words)
        self.status, self.words, self.more = status, words, more
