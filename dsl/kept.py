"""A folder of the user's own where work that is always the same is kept. Anything odd means: do it again."""

from __future__ import annotations

import os
from pathlib import Path


def place() -> Path | None:
    """The folder; None when it is switched off with ICHIBA_CACHE=off."""
    chosen = os.environ.get("ICHIBA_CACHE")
    if chosen == "off":
        return None
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "ichiba"


def fetch(name: str) -> bytes | None:
    """What was put away under this name, if it is there."""
    path = there(name)
    try:
        return path.read_bytes() if path is not None else None
    except OSError:
        return None


def there(name: str) -> Path | None:
    """The file that was put away under this name (it may hold a *), if there is one."""
    folder = place()
    try:
        for path in sorted(folder.glob(name)) if folder is not None else ():
            os.utime(path)
            return path
    except OSError:
        pass
    return None


def keep(name: str, content: bytes, most: int) -> None:
    """Put something away, whole or not at all; of its kind (the ending of its name) only so many stay."""
    folder = place()
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f"{name}.{os.getpid()}.part"
        unfinished.write_bytes(content)
        os.replace(unfinished, folder / name)
        alike = sorted(folder.glob(f"*{Path(name).suffix}"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in alike[most:]:
            path.unlink(missing_ok=True)
    except OSError:
        return
