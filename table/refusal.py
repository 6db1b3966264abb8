"""How a command says no: one clear sentence, and the exit code that goes with it."""

from __future__ import annotations

USAGE = 2  # what was typed cannot be done
FAULT = 1  # something that was asked about is wrong
STOPPED = 130  # Ctrl-C


class Refusal(Exception):
    """Ends a command with a sentence on the error stream."""

    def __init__(self, sentence: str, code: int = USAGE):
        super().__init__(sentence)
        self.code = code

    def __reduce__(self) -> tuple[type[Refusal], tuple[str, int]]:
        return Refusal, (str(self), self.code)  # the code comes along from another process
