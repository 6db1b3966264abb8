"""Files that a command makes: none of them in place of one that is there, unless somebody says `--force`."""

from __future__ import annotations

import argparse
import errno
from collections.abc import Mapping
from pathlib import Path

from ichiba.dsl.files.writing import write_whole
from ichiba.table.refusal import Refusal


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="write over files that are there")


def write_all(files: Mapping[Path, bytes], force: bool, command: str) -> None:
    """All of them, or one sentence and nothing written."""
    for path in files:
        if path.is_dir():
            raise Refusal(f"ichiba {command}: {path} is a folder")
    there = sorted(str(path) for path in files if path.exists() or path.is_symlink())
    if there and not force:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise Refusal(f"ichiba {command}: {there[0]}{more} would be written over; `--force` does that")
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content, lasting=False)
    except OSError as fault:
        if fault.errno in (errno.EEXIST, errno.ENOTDIR):
            raise Refusal(f"ichiba {command}: {fault.filename} is no folder") from None
        raise
