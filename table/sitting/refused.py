"""How a table says no: with the status that the web has for it, and one sentence."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """Something that was asked for and cannot be. `more` is for programs."""

    def __init__(self, status: int, words: str, **more: Any):
        super().__init__(words)
        self.status, self.words, self.more = status, words, more
