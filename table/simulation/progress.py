"""A bar while something takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(words: str, total: int, done: int = 0) -> Iterator[Callable[[int], object]]:
    """On the error stream, where somebody watches: how many are done, how quickly, and how long the rest will take. What it gives
    is called when so many more are done."""
    if not sys.stderr.isatty():
        yield lambda more: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.speed or 0.0
            return Text(f"{speed:,.{0 if speed > 10 else 1}f} a second" if speed else "")

    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=total, completed=done)
        yield lambda more: bar.advance(task, more)
