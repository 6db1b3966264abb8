"""Runs `ichiba` as a person would, inside this process, and keeps what it said; screens are pinned in `screens/`."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from ichiba.table.cli import main

SCREENS = Path(__file__).parent / "screens"
RENEW = "ICHIBA_RENEW"  # set, what is said now is what is pinned: ICHIBA_RENEW=1 python -m pytest tests/table


@dataclass(frozen=True)
class Said:
    """The exit code, and both streams."""

    code: int
    out: str
    err: str


def ichiba(*words: str | Path, typed: str = "") -> Said:
    """One command, with lines that somebody types."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(typed)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main([str(word) for word in words])
    finally:
        sys.stdin = before
    return Said(code, out.getvalue(), err.getvalue())


def pinned(name: str, said: str) -> None:
    """What is said is what the golden file has; what differs from run to run is left out of both."""
    said = re.sub(r"-\d{8}-\d{6}(-\d+)?", "-DATE", said).rstrip() + "\n"
    path = SCREENS / f"{name}.txt"
    if os.environ.get(RENEW):
        path.write_text(said, encoding="utf-8")
    assert said == path.read_text(encoding="utf-8")
