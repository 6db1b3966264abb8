"""A ruleset from outside is read in a process of its own, with little memory and time: it cannot hurt anybody.

`python -m ichiba.interpreter.apart` is that process. It is told on its input what to do and with what, one piece of work
after the other, and tells on its output what came of each.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from ichiba.dsl.faults import Fault, Faults, RulesetFaults
from ichiba.dsl.ruleset import library_folder
from ichiba.dsl.world import Config

MEMORY = 512 * 2**20
SECONDS = 5  # of work, for each piece of work
PATIENCE = 10  # seconds until an answer, whatever it is waiting for
MOST_FILES = 2_000
MOST_BYTES = 64 * 2**20
LARGEST_ANSWER = 256 * 2**20
DEEPEST_ANSWER = 5_000  # steps inside of each other


class TooMuch(Exception):
    """The process was stopped, or stopped itself."""


def trusted(folder: Path) -> bool:
    """What lies in an installed package, or what somebody vouches for with ICHIBA_TRUST=1."""
    if os.environ.get("ICHIBA_TRUST") == "1" or folder.resolve().is_relative_to(library_folder().resolve().parent):
        return True
    from ichiba.interpreter.api import rulesets

    return folder.resolve() in {known.resolve() for known in rulesets().values()}


def too_costly(what: str) -> RulesetFaults:
    faults = Faults()
    faults.add(
        "E025", None, f"this ruleset takes {what} to read", label="with ICHIBA_TRUST=1 it is read without limits"
    )
    return RulesetFaults(faults.all)


def survey(folder: Path) -> None:
    """A look at the folder before anything in it is read: not too much of it, and all of it inside."""
    size = 0
    for count, path in enumerate(folder.rglob("*"), 1):
        with contextlib.suppress(OSError):
            size += path.lstat().st_size
        if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
            faults = Faults()
            name = path.relative_to(folder).as_posix()
            faults.add(
                "E001",
                None,
                f"`{name}` cannot be read: it leads out of the ruleset's folder",
                label="put the file itself there",
            )
            raise RulesetFaults(faults.all)
        if count > MOST_FILES or size > MOST_BYTES:
            raise too_costly("too many files" if count > MOST_FILES else "too many bytes")


def game_content(folder: Path, config: Config, lang: str) -> dict[str, Any] | tuple[Fault, ...]:
    """The game, so that it can be put away; or what is wrong with its ruleset."""
    from ichiba.interpreter.game import asleep, made

    try:
        return asleep(made(folder, config, lang))
    except RulesetFaults as faults:
        return faults.faults


def made_apart(folder: Path, config: Config, lang: str) -> Any:
    """The game of a ruleset that nobody vouches for."""
    from ichiba.interpreter.game import awake

    try:
        content = next(each(game_content, [(folder, config, lang)]))
    except TooMuch as stopped:
        raise too_costly(str(stopped)) from None
    if isinstance(content, tuple):
        raise RulesetFaults(content)
    return awake(content)


# --------------------------------------------------------------------------------------- this side of the pipe


def each(work: Callable[..., Any], arguments: Sequence[tuple[object, ...]]) -> Iterator[Any]:
    """What a function gives for each of these arguments, called in a process with limits. Raises `TooMuch`."""
    try:
        process = subprocess.Popen(
            [sys.executable, "-B", "-m", "ichiba.interpreter.apart"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=_environment(), close_fds=True,
        )  # fmt: skip
    except OSError:  # no process can be started here: then it is done here
        yield from (work(*given) for given in arguments)
        return
    assert process.stdin is not None and process.stdout is not None
    try:
        with contextlib.suppress(BrokenPipeError):
            pickle.dump((work.__module__, work.__qualname__, list(arguments)), process.stdin)
            process.stdin.close()
        for _ in arguments:
            yield _answer(process, process.stdout)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _environment() -> dict[str, str]:
    """The same Ichiba as here."""
    import ichiba

    home = str(Path(ichiba.__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}


def _answer(process: subprocess.Popen[bytes], pipe: IO[bytes]) -> Any:
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(PATIENCE, stop)
    timer.start()
    try:
        size = int.from_bytes(pipe.read(8), "big")
        raw = pipe.read(size) if 0 < size <= LARGEST_ANSWER else b""
    finally:
        timer.cancel()
    if late.is_set():
        raise TooMuch(f"more than {PATIENCE} seconds")
    if not raw or len(raw) < size:
        code = process.wait()
        raise TooMuch(
            f"more than {SECONDS} seconds of work" if code in _OUT_OF_TIME else f"more than {MEMORY >> 20} MB of memory"
        )
    kind, value = pickle.loads(raw)  # noqa: S301 our own process wrote it
    if kind == "memory":
        raise TooMuch(f"more than {MEMORY >> 20} MB of memory")
    if kind == "depth":
        raise TooMuch("too many steps inside of each other")
    if kind == "fault":
        raise RuntimeError(value)
    return value


_OUT_OF_TIME = (-24, 152)  # SIGXCPU, as Python and as a shell tell it


# -------------------------------------------------------------------------------------- that side of the pipe


def main() -> None:
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    module, name, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 whoever started us wrote it
    work = getattr(importlib.import_module(module), name)
    _limit_memory()
    for given in arguments:
        _limit_time()
        try:
            answer = ("done", work(*given))
            raw = _put_away(answer)
        except MemoryError:
            raw = pickle.dumps(("memory", None))
        except RecursionError:
            raw = pickle.dumps(("depth", None))
        except Exception as fault:
            raw = pickle.dumps(("fault", f"{type(fault).__name__}: {fault}"[:500]))
        out.write(len(raw).to_bytes(8, "big") + raw)
        out.flush()


def _put_away(answer: object) -> bytes:
    """The answer for the pipe. It may be nested more deeply than the rules that were read without trouble."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEPEST_ANSWER)
    try:
        return pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)
    finally:
        sys.setrecursionlimit(usual)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # a system without such limits: there is still the patience of whoever waits
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def _limit_time() -> None:
    """So many seconds from now on."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + SECONDS + 1, hard))


if __name__ == "__main__":
    main()
