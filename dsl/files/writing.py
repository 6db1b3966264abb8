"""Files are written atomically and durably, and read without ever waiting for a pipe or a device.

Whoever looks sees the old content or all of the new; once `write_whole` has returned, the new outlasts a power cut.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)  # a pipe or a device is not waited for
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class Disk:
    """The few things that are done to a disk, one by one: tests put one in its place that fails or forgets."""

    def create(self, path: Path, mode: int) -> int:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), mode)

    def set_mode(self, file: int, mode: int) -> None:
        if set_mode := getattr(os, "fchmod", None):  # Windows has no such modes
            set_mode(file, mode)

    def write(self, file: int, content: bytes) -> int:
        return os.write(file, content)

    def shorten(self, file: int, size: int) -> None:
        os.ftruncate(file, size)

    def sync(self, file: int) -> None:
        os.fsync(file)

    def close(self, file: int) -> None:
        os.close(file)

    def replace(self, old: Path, new: Path) -> None:
        os.replace(old, new)

    def sync_folder(self, folder: Path) -> None:
        """A new name lasts only when its folder is on the disk as well."""
        try:
            file = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        except OSError:  # a system on which folders cannot be opened keeps names by itself
            return
        try:
            os.fsync(file)
        except OSError:
            pass
        finally:
            os.close(file)

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)


disk = Disk()


def write_whole(path: Path, content: bytes, *, mode: int = 0o666, exact_mode: bool = False, lasting: bool = True) -> None:
    """Put a file there, or leave everything as it was and raise `OSError`. `mode`: as for `open`, less what the umask
    takes away, unless `exact_mode`. Without `lasting` a power cut may take the file away again, as it may with what
    can be made anew."""
    unfinished = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        file = disk.create(unfinished, mode)
        try:
            if exact_mode:
                disk.set_mode(file, mode)
            left = memoryview(content)
            while left:
                left = left[disk.write(file, bytes(left[: 1 << 20])) :]
            if lasting:
                disk.sync(file)
        finally:
            disk.close(file)
        disk.replace(unfinished, path)
    except BaseException as fault:
        with contextlib.suppress(OSError):
            disk.remove(unfinished)
        if isinstance(fault, OSError):  # the system does not say which file, or speaks of one that nobody knows
            fault.filename, fault.filename2 = str(path), None
        raise
    if lasting:
        disk.sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, as far as they are not there; their names outlast a power cut."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        disk.sync_folder(one.parent)
    folder.mkdir(exist_ok=True)  # says so where something else stands there


def write_text(path: Path, text: str) -> None:
    """The same for a text, as UTF-8."""
    write_whole(path, text.encode("utf-8"))


def overwrite(path: Path, content: bytes) -> None:
    """New content for a file that is there, with its old mode. `PermissionError` for one that may not be written."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    write_whole(path, content, mode=mode, exact_mode=True)


class NotRegularFile(OSError):
    """Something stands there that is no file to be read: a folder, a pipe, a device."""


def read_regular(path: Path, most: int, *, follow_links: bool = True) -> bytes:
    """What a file holds, cut off behind `most + 1` bytes, so that who asks sees what is too large. Pipes and devices are
    refused, not waited for."""
    file = os.open(path, os.O_RDONLY | _NEVER_WAIT | (0 if follow_links else _NO_LINK))
    try:
        found = os.fstat(file)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(f"{path.name} is a folder")
        if not stat.S_ISREG(found.st_mode):
            raise NotRegularFile(None, "it is no regular file", str(path))
        parts, left = [], most + 1
        while left and (part := os.read(file, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    finally:
        os.close(file)
