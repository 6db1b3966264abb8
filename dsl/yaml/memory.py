"""The files that have been read: one that is asked for again is read again only if it has changed."""

from __future__ import annotations

from pathlib import Path

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Source
from ichiba.dsl.yaml.reading import load_source


class Memory:
    """Of each file its text as it was read last, with all that was made of it: YAML, rules, expressions.

    Who reads a ruleset again, after a keystroke or in another setting, hands the same memory over: what has changed is
    parsed anew, and nothing else. Threads may share one; one that is sent to another process arrives empty.
    """

    def __init__(self) -> None:
        self._last: dict[tuple[Path, str], Source] = {}
        # Of whatever was read with it, also where that could not be read to its end:
        self.words_used = 0  # that came of `use`
        self.sentences_written = 0  # of rules, once for each program that they came into

    def __reduce__(self) -> tuple[type[Memory], tuple[()]]:
        return Memory, ()

    def source(self, path: Path, shown: str, faults: Faults) -> Source | None:
        """A text file, told of under the name `shown`; None, with faults, if it cannot be used."""
        found = load_source(path, shown, faults)
        if found is None:
            return None
        known = self._last.get((path, shown))
        if known is not None and known.text == found.text:
            return known
        self._last[path, shown] = found
        return found
