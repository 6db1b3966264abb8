"""Machine code for a game: its generated Python said in C, compiled once and kept.

The numbers stay in the one list. What C cannot do, or should not say, the Python of the same name does (see `runtime.c`);
so it is the same game, told at another speed."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.resources import files
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ichiba.dsl.files import disk_cache
from ichiba.interpreter.run.cache import engine
from ichiba.interpreter.run.code import Code, execute
from ichiba.interpreter.runtime import runtime
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.to_c.kinds import Module, Untold
from ichiba.interpreter.to_c.module import Native

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

NAME = "ichiba_native"
KEPT_FILES = 60
SECONDS = 300  # of the processor's time, for the compiler
MEMORY = 4 * 2**30
LARGEST = 256 * 2**20  # of what it writes
MOST_TEXT = 32 * 2**20  # of C
PATIENCE = 20 * SECONDS  # a last resort: a slow machine is no fault
# A shell sets the limits and starts the compiler. Some systems cannot limit memory; time can be limited everywhere.
# It ends the compiler and all that this has begun as soon as we are gone, however we have come to our end.
_LIMITED = f"ulimit -t {SECONDS} || exit 125; ulimit -v {MEMORY >> 10}; ulimit -f {LARGEST >> 9}; ulimit -c 0; " """\
exec 3<&0 </dev/null
"$@" 3<&- & compiler=$!
{ read -r over <&3; kill -9 0; } >/dev/null 2>&1 & watch=$!
wait $compiler; code=$?
kill $watch; wait $watch 2>/dev/null
exit $code
"""
WORDS = 300  # letters of what is told when there is none
FLAGS = ("-O1", "-shared", "-fPIC", "-fwrapv", "-fno-strict-aliasing", "-w")
ENDING = str(sysconfig.get_config_var("EXT_SUFFIX"))
CONSTANTS = ("BITS", "MASK", "STEPS", "FUEL", "MOST_OPTIONS", "LARGEST", "MANY_WAYS", "FIRST_THING")


_LOG = logging.getLogger("ichiba")


class NoMachineCode(Exception):
    """Why there is none here."""


@in_turn
def hastened(game: Game) -> bool:
    """Machine code if it can be had. If not, one line says why, and the game goes on in Python as it always would."""
    try:
        hasten(game)
    except NoMachineCode as reason:
        _LOG.warning("%s is played in Python: %s", game.name, " ".join(str(reason).split())[:WORDS])
    return game.native


@in_turn
def hasten(game: Game) -> None:
    """From now on new tables of this game are played in machine code. Raises `NoMachineCode`; then all is as before."""
    if game.native:
        return
    try:
        code, made = _in_machine_code(game)
    except NoMachineCode:
        raise
    except Exception as fault:  # whatever stumbles on the way, the same game is there in Python
        raise NoMachineCode(f"making it failed, {type(fault).__name__}: {fault}") from fault
    game.forget_expressions()  # they call the Python that was there before
    game.worked_out.in_python, game.worked_out.in_c = game.code, made
    game.code = code


def _in_machine_code(game: Game) -> tuple[Code, ModuleType]:
    """What the generated module defines, with the functions in C in place of those in Python; and where they come from."""
    made = loaded(game)
    module = execute(game.emitted, f"<{game.name}>").module
    made.begin(module, game.code.module, runtime.Unmet, runtime.Stop, runtime.left)
    told = {name: function for name in module if (function := getattr(made, name, None)) is not None}
    instead = {id(module[name]): function for name, function in told.items()}
    module.update(told)
    for table in module.values():  # the lists of functions by number, and the cases
        if isinstance(table, list):
            table[:] = [instead.get(id(one), one) for one in table]
        elif isinstance(table, dict) and table is not module:
            table.update({key: instead.get(id(one), one) for key, one in table.items()})
    return Code.of(module), made


def seconds(game: Game) -> float:
    """About how long `hasten` will take."""
    there = game.native or disk_cache.library(_key(game), ENDING) is not None
    return 0.1 if there else 1 + game.emitted.text.count("\n") / 500


def said(game: Game) -> Module:
    """What its Python says."""
    constants = {name: int(getattr(runtime, name)) for name in CONSTANTS} | {"PLACES": len(game.first)}
    return Module(game.emitted.text, game.emitted.tables, constants)


def source(module: Module) -> str:
    """The C of a game."""
    defined = [f"#define {name} {module.constants[name]}LL" for name in (*CONSTANTS, "PLACES")]
    runtime_text = files("ichiba.interpreter.native").joinpath("runtime.c").read_text(encoding="utf-8")
    return "\n".join([*defined, runtime_text, Native(module).text(NAME)])


def written(game: Game) -> str:
    """The C of a game, if it can be said."""
    try:
        return source(said(game))
    except Untold as reason:
        raise NoMachineCode(f"it cannot be said in C: {reason}") from None


def _key(game: Game) -> str:
    """Under what it is disk_cache."""
    emitted = game.emitted
    tables = [(name, sorted(t) if isinstance(t, frozenset) else t) for name, t in sorted(emitted.tables.items())]
    whole = repr((engine(), FLAGS, len(game.first), emitted.text, tables))
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


def loaded(game: Game) -> ModuleType:
    """The machine code of a game; made, unless it is disk_cache."""
    before = disk_cache.library(_key(game), ENDING)
    if before is not None:
        try:
            return _opened(before)
        except ImportError:  # of another machine: made again
            pass
    text = written(game)
    with tempfile.TemporaryDirectory(prefix="ichiba-") as place:
        made = compiled(text, Path(place) / f"{NAME}{ENDING}")
        disk_cache.keep_library(_key(game), made.read_bytes(), ENDING, KEPT_FILES)
        try:
            return _opened(made)
        except ImportError as fault:
            raise NoMachineCode(f"what was made cannot be loaded: {fault}") from None


def _opened(path: Path) -> ModuleType:
    loader = ExtensionFileLoader(NAME, str(path))
    spec = spec_from_loader(NAME, loader, origin=str(path))
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@cache
def _compiler(chosen: str | None) -> tuple[str, str]:
    """The C compiler, and where Python's own header files lie."""
    found = next(filter(None, (shutil.which(name) for name in ([chosen] if chosen else ["cc", "gcc", "clang"]))), None)
    if found is None:
        raise NoMachineCode("there is no C compiler (on Debian: apt install gcc)")
    include = sysconfig.get_paths()["include"]
    if not (Path(include) / "Python.h").is_file():
        raise NoMachineCode(f"Python's header files are not in {include} (on Debian: apt install python3-dev)")
    return found, include


def _limits() -> list[str]:
    """What stands before a command that is to keep to the limits; nothing where there is no such shell."""
    shell = shutil.which("sh") if os.name == "posix" else None
    return [] if shell is None else [shell, "-c", _LIMITED, "sh"]


@contextmanager
def _while_we_are_here() -> Iterator[int]:
    """A pipe in which nothing is ever written: whoever reads there comes to its end when this is over, or when we are."""
    theirs, ours = os.pipe()
    try:
        yield theirs
    finally:
        os.close(theirs)
        os.close(ours)


def compiled(text: str, made: Path, flags: tuple[str, ...] = FLAGS) -> Path:
    """C made into a module that Python can load."""
    if len(text) > MOST_TEXT:
        raise NoMachineCode(f"it comes to {len(text) >> 20} MB of C; {MOST_TEXT >> 20} are the most")
    command, include = _compiler(os.environ.get("CC"))
    written = made.with_name(f"{NAME}.c")
    written.write_text(text, encoding="utf-8")
    try:
        with _while_we_are_here() as until:
            run = subprocess.run(
                [*_limits(), command, *flags, "-I", include, str(written), "-o", str(made)], start_new_session=True,
                stdin=until, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False,
            )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise NoMachineCode(f"the C compiler did not finish: {fault}") from None
    if run.returncode:
        raise NoMachineCode(f"the C compiler says: {run.stderr.strip()[-500:] or run.returncode}")
    return made
