"""A ruleset from outside is read in a process of its own, with little memory and time: it cannot hurt anybody.

`python -m ichiba.interpreter.strangers.child` is that process. It is told on its input what to do and with what, one piece of work
after the other, and tells on its output what came of each. It reads nothing but the ruleset and Ichiba itself, writes
nothing, and starts nothing.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import subprocess
import sys
import sysconfig
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any

from ichiba.dsl.faults.fault import RulesetFaults
from ichiba.dsl.files.garbage import unhurried
from ichiba.dsl.files.pickling import pickled, unpickled

MEMORY = 512 * 2**20
SECONDS = 5  # of work, for each piece of work
ALL_SECONDS = 20  # of work, for all of them
PATIENCE = 20 * SECONDS  # in which it does nothing at all: a last resort, for a slow machine is no fault
LEAST = 0.1  # seconds of work in that time: then it waits for nothing but its turn, and its work has a limit of its own
LARGEST_ANSWER = 256 * 2**20
DEEPEST_ANSWER = 5_000  # steps inside of each other
_NO_MORE = object()


class TooMuch(Exception):
    """The process was stopped, or stopped itself."""


class NoProcess(Exception):
    """No process with limits can be had here, and why."""


# --------------------------------------------------------------------------------------- this side of the pipe


def each(
    work: Callable[..., Any], arguments: Sequence[tuple[object, ...]], reading: Sequence[Path] | None = None
) -> Iterator[Any]:
    """What a function gives for each of these arguments, called in a process with limits that reads these folders only; of one that
    yields, each thing that it yields, and each is a piece of work. Raises `TooMuch`, `NoProcess`, and the `RulesetFaults` that the
    function raises."""
    try:
        process = subprocess.Popen(
            [sys.executable, "-B", "-P", "-m", "ichiba.interpreter.strangers.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=_environment(), close_fds=True,
        )  # fmt: skip
    except OSError as reason:
        raise NoProcess((reason.strerror or "the system refuses to start one").lower()) from None
    assert process.stdin is not None and process.stdout is not None
    try:
        with contextlib.suppress(BrokenPipeError):
            raw = pickle.dumps((work.__module__, work.__qualname__, list(arguments), reading))
            process.stdin.write(len(raw).to_bytes(8, "big") + raw)
            process.stdin.flush()  # and left open: it ends when we let it go
        while (answer := _answer(process, process.stdout)) is not _NO_MORE:
            yield answer
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


def _environment() -> dict[str, str]:
    """The same Ichiba as here. Where we happen to stand no module is looked for (`-P`): it may be a stranger's folder."""
    import ichiba

    home = str(Path(ichiba.__file__).resolve().parent.parent)
    path = [home, *filter(os.path.isabs, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONHASHSEED": "0", "ICHIBA_TRUST": "1"}


def _answer(process: subprocess.Popen[bytes], pipe: IO[bytes]) -> Any:
    answered, late = threading.Event(), threading.Event()

    def wait() -> None:
        """Until it has answered, or has stood still for too long. On a busy machine it may have to wait for its turn."""
        worked = _worked(process.pid)
        while not answered.wait(PATIENCE):
            before, worked = worked, _worked(process.pid)
            if worked - before < LEAST:
                late.set()
                process.kill()
                return

    watch = threading.Thread(target=wait, daemon=True)
    watch.start()
    try:
        size = int.from_bytes(pipe.read(8), "big")
        raw = pipe.read(size) if 0 < size <= LARGEST_ANSWER else b""
    finally:
        answered.set()
        watch.join()
    if late.is_set():
        raise TooMuch(f"more than {PATIENCE} seconds")
    if size > LARGEST_ANSWER:
        raise TooMuch(f"more than {LARGEST_ANSWER >> 20} MB of memory")
    if not raw or len(raw) < size:
        code = process.wait()
        raise TooMuch(_DIED.get(code, f"more than {MEMORY >> 20} MB of memory"))
    kind, value = unpickled(raw)  # our own process wrote it
    match kind:
        case "no more":
            return _NO_MORE
        case "done":
            return value
        case "faults":
            raise RulesetFaults(value)
        case "memory":
            raise TooMuch(f"more than {MEMORY >> 20} MB of memory")
        case "depth":
            raise TooMuch("too many steps inside of each other")
        case "no limits":
            raise NoProcess(value)
        case _:
            raise RuntimeError(value)


def _worked(process: int) -> float:
    """How many seconds the processor has worked for a process, where the system tells that; else it is taken to have done nothing."""
    try:
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


# By exit code, as Python and as a shell tell it.
_DIED = {code: f"more than {SECONDS} seconds of work" for code in (-24, 152)} | {
    code: "more than the reader can bear" for code in (-11, 139)
}


# -------------------------------------------------------------------------------------- that side of the pipe


def main() -> None:
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    told = sys.stdin.buffer
    module, name, arguments, reading = pickle.loads(told.read(int.from_bytes(told.read(8), "big")))  # noqa: S301 whoever started us wrote it
    work = getattr(importlib.import_module(module), name)
    try:
        _limit_memory()
        limited = _Seconds()
        if reading is not None:
            _stay_inside(reading)
        _end_with_whoever_waits()
    except (ValueError, OSError) as reason:
        _tell(out, ("no limits", f"its limits cannot be set ({reason})"))
        return
    unhurried()
    todo = deque(partial(work, *given) for given in arguments)
    while todo:
        limited.begin()
        piece = todo.popleft()
        try:
            found = piece()
            if isinstance(found, Generator):
                todo.appendleft(partial(next, found, _NO_MORE))
                continue
            if found is _NO_MORE:
                continue
            if piece.func is next:  # of what else it yields
                todo.appendleft(piece)
            raw = put_away(("done", found))
        except RulesetFaults as faults:
            raw = put_away(("faults", faults.faults))
        except MemoryError:
            raw = pickle.dumps(("memory", None))
        except RecursionError:
            raw = pickle.dumps(("depth", None))
        except Exception as fault:
            raw = pickle.dumps(("fault", f"{type(fault).__name__}: {fault}"[:500]))
        out.write(len(raw).to_bytes(8, "big") + raw)
        out.flush()
    _tell(out, ("no more", None))


def _tell(out: IO[bytes], answer: object) -> None:
    raw = pickle.dumps(answer)
    out.write(len(raw).to_bytes(8, "big") + raw)
    out.flush()


def put_away(answer: object) -> bytes:
    """For the pipe. It may be nested more deeply than the rules that were read without trouble."""
    return pickled(answer, DEEPEST_ANSWER)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # a system without such limits: there is still the patience of whoever waits
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)):
        hard = resource.getrlimit(what)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (least, least))


def _end_with_whoever_waits() -> None:
    """Our input is held open by whoever began us. Linux tells us with SIGIO when that is let go, which ends us; elsewhere
    it is our limits that do."""
    try:
        import fcntl
        import select
    except ImportError:
        return
    if not hasattr(os, "O_ASYNC"):
        return
    told = sys.stdin.fileno()
    with contextlib.suppress(OSError):
        fcntl.fcntl(told, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(told, fcntl.F_SETFL, fcntl.fcntl(told, fcntl.F_GETFL) | os.O_ASYNC)
    there = select.poll()
    there.register(told, select.POLLIN)
    if there.poll(0):  # nobody waits any more
        os._exit(1)


class _Seconds:
    """The time that is left for work: so much for each piece, so much for all."""

    def __init__(self) -> None:
        self.end = self._used() + ALL_SECONDS

    @staticmethod
    def _used() -> float:
        try:
            import resource
        except ImportError:
            return 0
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime

    def begin(self) -> None:
        """So many seconds from now on."""
        try:
            import resource
        except ImportError:
            return
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        until = int(min(self._used() + SECONDS, self.end)) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (until if hard == resource.RLIM_INFINITY else min(until, hard), hard))


# What a reader of rulesets has no need of. Modules are looked for and opened as ever.
_NEVER = ("subprocess.", "socket.", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile", "os.system",
          "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown",
          "shutil.", "ctypes.", "urllib.", "ftplib.", "smtplib.", "webbrowser.", "pty.")  # fmt: skip


def _stay_inside(folders: Sequence[Path]) -> None:
    """From now on nothing is opened outside these folders, the engine and Python's own; nothing is written or started."""
    from ichiba.dsl.files import disk_cache

    homes = {*folders, Path(__file__).resolve().parents[2], disk_cache.place(), *(Path(p) for p in sys.path if os.path.isabs(p))}
    homes |= {Path(p) for p in (sys.prefix, sys.base_prefix, sysconfig.get_paths()["stdlib"])}
    roots = sorted(os.path.realpath(home) for home in homes if home is not None)
    inside = tuple(root.rstrip(os.sep) + os.sep for root in roots)

    def watch(event: str, given: tuple[object, ...]) -> None:
        if event in ("open", "os.listdir", "os.scandir"):
            path, flags = given[0], given[-1]
            if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR):
                raise PermissionError(None, "nothing is written here")
            if isinstance(path, str | bytes | os.PathLike):
                real = os.path.realpath(os.fsdecode(path))
                if real not in roots and not real.startswith(inside):
                    raise PermissionError(None, "it lies outside the ruleset")
        elif event.startswith(_NEVER):
            raise PermissionError(None, f"a reader does not need {event}")

    sys.addaudithook(watch)


if __name__ == "__main__":
    main()
