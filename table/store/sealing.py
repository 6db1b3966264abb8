"""How things are written down: JSON, and a seal for each row by which damage is seen that a database does not see."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ichiba.table.store.records import Body, StoreFault, Unfit, plain

LARGEST_FILE = 2**20
LARGEST_RULES = 2**24
MOST_FILES = 2_000
LONGEST_PATH = 200


def written(what: str, value: Body, most: int) -> str:
    """As JSON in ASCII, so that each database keeps every text, also what is half a character."""
    if not isinstance(value, dict) or not plain(value):
        raise Unfit(f"{what}: it is no JSON")
    text = json.dumps(value, separators=(",", ":"))
    if len(text) > most:
        raise Unfit(f"{what}: {len(text):,} bytes; at most {most:,}")
    return text


def read(text: str) -> Any:
    return json.loads(text)


def seal(*parts: str | int | bytes) -> bytes:
    """Of the parts in this order; of an entry the seal of the one before is a part, so that none can be missing between."""
    digest = hashlib.sha256()
    for part in parts:
        content = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.digest()[:16]


# ------------------------------------------------------------------------------------------------------------ rules


def hash_of(files: Mapping[str, bytes]) -> str:
    """Of paths and contents: the same files have the same, in whatever order they come."""
    digest = hashlib.sha256()
    for path in sorted(files):
        for part in (path.encode(), files[path]):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def fitting(files: Mapping[str, bytes]) -> None:
    """Files that could be put into a folder and lie nowhere else: `Unfit` for others."""
    if not files:
        raise Unfit("rules without a file")
    if len(files) > MOST_FILES:
        raise Unfit(f"{len(files):,} files; rules have at most {MOST_FILES:,}")
    for path, content in files.items():
        _fitting_path(path)
        if len(content) > LARGEST_FILE:
            raise Unfit(f"{path}: {len(content):,} bytes; a file of rules has at most {LARGEST_FILE:,}")
    if (size := sum(map(len, files.values()))) > LARGEST_RULES:
        raise Unfit(f"{size:,} bytes; rules have at most {LARGEST_RULES:,}")
    folders = {"/".join(path.split("/")[:end]) for path in files for end in range(1, path.count("/") + 1)}
    if both := sorted(folders & set(files)):
        raise Unfit(f"{both[0]} is a file and a folder")


def _fitting_path(path: str) -> None:
    parts = path.split("/")
    if not 1 <= len(path) <= LONGEST_PATH or any(part in ("", ".", "..") for part in parts):
        raise Unfit(f"{path[:80]!r} is no path inside a folder")
    if not path.isprintable() or any(char in '\\:*?"<>|' for char in path):
        raise Unfit(f"{path[:80]!r} is no path that every system knows")


def as_kept(hash: str, files: Mapping[str, bytes]) -> None:
    """What comes out of the store is what went in: `StoreFault` if not."""
    try:
        fitting(files)
    except Unfit as fault:
        raise StoreFault(f"the rules {hash[:12]} are damaged: {fault}") from None
    if hash_of(files) != hash:
        raise StoreFault(f"the rules {hash[:12]} are damaged: they are not those that were kept under this name")


__all__ = ["as_kept", "fitting", "hash_of", "read", "seal", "written"]
