"""A folder of the user's own where work that is always the same is kept. Anything odd means: do it again.

Nobody else may write there, and everything is sealed with a key of ours that lies beside it: what somebody has changed,
what the disk has damaged, and what stood under another name counts as not being there.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path

from ichiba.dsl.files.writing import read_regular, write_whole

KEY = "key"
LARGEST = 256 * 2**20
_SEAL = 32  # bytes


def place() -> Path | None:
    """The folder; None when it is switched off with ICHIBA_CACHE=off, or said in a way that hangs on where we are."""
    chosen = os.environ.get("ICHIBA_CACHE")
    if chosen == "off":
        return None
    if chosen:
        return _absolute(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or ""
    if not os.path.isabs(home):  # as the specification of that variable says
        home = os.path.join(os.path.expanduser("~"), ".cache")
    return _absolute(os.path.join(home, "ichiba"))


def _absolute(name: str) -> Path | None:
    return Path(name) if os.path.isabs(name) else None


def ours() -> Path | None:
    """The folder, if it is there, is the user's own, and nobody else may write in it."""
    folder = place()
    try:
        return folder if folder is not None and _mine(os.lstat(folder), stat.S_ISDIR) else None
    except (OSError, ValueError):
        return None


def _mine(found: os.stat_result, wanted: Callable[[int], bool]) -> bool:
    """Whether it is what it should be and belongs to the user alone. Where users have no numbers, nothing more is asked."""
    if not wanted(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return bool(found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _made() -> Path | None:
    """The folder, made if need be, for the user alone."""
    folder = place()
    if folder is None:
        return None
    missing = [above for above in (folder, *folder.parents) if not above.exists()]
    for above in reversed(missing):
        above.mkdir(mode=0o700, exist_ok=True)
    return ours()


# ------------------------------------------------------------------------------------------------- the seal


def _key(folder: Path) -> bytes | None:
    """The key of this folder: only its owner can read it."""
    path = folder / KEY
    try:
        found = os.lstat(path)
        if not _mine(found, stat.S_ISREG) or hasattr(os, "geteuid") and found.st_mode & 0o077:
            return None
        key = read_regular(path, _SEAL, follow_links=False)
    except OSError:
        return None
    return key if len(key) == _SEAL else None


def _key_made(folder: Path) -> bytes | None:
    """The same; made when there is none that is any good. Of several who make one at once, one wins."""
    known = _key(folder)
    if known is not None:
        return known
    path, mine = folder / KEY, folder / f".{KEY}.{secrets.token_hex(8)}.part"
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
    try:
        write_whole(mine, secrets.token_bytes(_SEAL), mode=0o600)
        with contextlib.suppress(FileExistsError):
            os.link(mine, path)
    except OSError:  # a disk without links
        with contextlib.suppress(OSError):
            os.replace(mine, path)
    finally:
        with contextlib.suppress(OSError):
            mine.unlink(missing_ok=True)
    return _key(folder)


def _sealed(key: bytes, name: str, content: bytes) -> bytes:
    return hmac.new(key, name.encode() + b"\0" + content, hashlib.sha256).digest()


# ----------------------------------------------------------------------------------------------- what is kept


def fetch(name: str) -> bytes | None:
    """What was put away under this name, if it is there as it was."""
    folder = ours()
    key = _key(folder) if folder is not None else None
    if folder is None or key is None:
        return None
    path = folder / name
    try:
        raw = read_regular(path, LARGEST, follow_links=False)
        if len(raw) > LARGEST or not hmac.compare_digest(raw[:_SEAL], _sealed(key, name, raw[_SEAL:])):
            return None
        os.utime(path)
    except OSError:
        return None
    return raw[_SEAL:]


def keep(name: str, content: bytes, most: int) -> None:
    """Put something away, whole or not at all; of its kind (the ending of its name) only so many stay."""
    with contextlib.suppress(OSError):
        folder = _made()
        key = _key_made(folder) if folder is not None else None
        if folder is None or key is None:
            return
        write_whole(folder / name, _sealed(key, name, content) + content, mode=0o600, lasting=False)
        _thin_out(folder, Path(name).suffix, most)


def library(name: str, ending: str) -> Path | None:
    """A file for the system's loader, which was put away under this name, if it is there as it was: a library that
    somebody has changed would not fail to load, it would do what it likes."""
    folder = ours()
    key = _key(folder) if folder is not None else None
    if folder is None or key is None:
        return None
    try:
        for path in sorted(folder.glob(f"{name}-*{ending}")):
            content = read_regular(path, LARGEST, follow_links=False)
            if _mine(os.lstat(path), stat.S_ISREG) and hmac.compare_digest(path.name, _library(key, name, content, ending)):
                os.utime(path)
                return path
    except (OSError, TypeError):  # TypeError: a name that is no plain text
        pass
    return None


def keep_library(name: str, content: bytes, ending: str, most: int) -> None:
    """Put such a file away. Its seal stands in its name, since the loader wants the file as it is."""
    with contextlib.suppress(OSError):
        folder = _made()
        key = _key_made(folder) if folder is not None else None
        if folder is None or key is None:
            return
        for path in folder.glob(f"{name}-*{ending}"):
            path.unlink(missing_ok=True)
        write_whole(folder / _library(key, name, content, ending), content, mode=0o600, lasting=False)
        _thin_out(folder, ending, most)


def _library(key: bytes, name: str, content: bytes, ending: str) -> str:
    return f"{name}-{_sealed(key, name, content).hex()}{ending}"


def _thin_out(folder: Path, ending: str, most: int) -> None:
    alike = [path for path in folder.glob(f"*{ending}") if path.name.endswith(ending)]
    times = {}
    for path in alike:
        with contextlib.suppress(OSError):
            times[path] = path.stat().st_mtime
    for path in sorted(times, key=lambda path: times[path], reverse=True)[most:]:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
