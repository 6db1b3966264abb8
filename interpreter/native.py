"""Machine code for a game: its Python said in C, compiled once and kept. Where that cannot be, Python goes on alone.

The numbers stay where they are, in the one list; whatever C cannot do, or should not say, the Python of the same name does
(see `native.c`). So the two are the same game, told at another speed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ichiba.dsl import kept
from ichiba.interpreter import runtime
from ichiba.interpreter.native_kinds import FOR_PYTHON, Module
from ichiba.interpreter.native_stm import Native

if TYPE_CHECKING:
    from ichiba.interpreter.game import Game

NAME = "ichiba_native"
KEPT_FILES = 60
PATIENCE = 300  # seconds for the compiler
FLAGS = ("-O1", "-shared", "-fPIC", "-fwrapv", "-fno-strict-aliasing", "-w")
CONSTANTS = ("BITS", "MASK", "STEPS", "FUEL", "MOST_OPTIONS", "LARGEST")


class NoMachineCode(Exception):
    """Why there is none here."""


def hasten(game: Game) -> None:
    """From now on new tables of this game are played in machine code. Raises `NoMachineCode`; then all is as before."""
    if "native" in game.cache:
        return
    from ichiba.interpreter.game import execute

    names = loaded(game)
    code = execute(game.emitted, f"<{game.name}>")
    module = code.module
    names.begin(module, game.code.module, runtime.Unmet, runtime.Stop, runtime.left)
    told = {name: function for name in module if (function := getattr(names, name, None)) and name != "begin"}
    replaced = {id(module[name]): function for name, function in told.items()}
    module.update(told)
    for table in module.values():  # the lists of functions by number, and the cases
        if isinstance(table, list):
            table[:] = [replaced.get(id(one), one) for one in table]
        elif isinstance(table, dict) and table is not module:
            table.update({key: replaced.get(id(one), one) for key, one in table.items()})
    vars(code).update({name: value for name, value in module.items() if not name.startswith("__")})
    game.cache["native"] = game.code  # the Python it stands for
    game.code = code
    game.cache.pop("late", None)


def source(game: Game) -> str:
    """The C of a game."""
    constants = {name: int(getattr(runtime, name)) for name in CONSTANTS} | {"PLACES": len(game.first)}
    defined = [f"#define {name} {number}LL" for name, number in constants.items()]
    text = Native(Module(game.emitted.text, game.emitted.tables, constants)).text(NAME)
    return "\n".join([*defined, (Path(__file__).with_suffix(".c")).read_text(encoding="utf-8"), text])


def loaded(game: Game) -> ModuleType:
    """The machine code of a game; made, unless it is kept."""
    if os.environ.get("ICHIBA_NATIVE") == "off":
        raise NoMachineCode("it is switched off (ICHIBA_NATIVE=off)")
    if not game.emitted.text.isascii():
        raise NoMachineCode("the generated Python is not plain")
    text = source(game)
    whole = "\n".join([sys.version, *FLAGS, text, game.emitted.text, repr(sorted(game.emitted.tables.items()))])
    name = f"{hashlib.sha256(whole.encode()).hexdigest()[:32]}{sysconfig.get_config_var('EXT_SUFFIX')}"
    folder = kept.place()
    if folder is not None and (folder / name).is_file():
        try:
            return opened(folder / name)
        except ImportError:  # half of it, or of another machine: made again
            pass
    with tempfile.TemporaryDirectory(prefix="ichiba-") as place:
        made = compiled(text, Path(place), name)
        kept.keep(name, made.read_bytes(), KEPT_FILES)
        return opened(made)


def opened(path: Path) -> ModuleType:
    loader = ExtensionFileLoader(NAME, str(path))
    spec = spec_from_loader(NAME, loader, origin=str(path))
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@cache
def compiler() -> tuple[str, str]:
    """The C compiler, and where Python's own header files lie."""
    for name in filter(None, [os.environ.get("CC"), "cc", "gcc", "clang"]):
        if found := shutil.which(name):
            break
    else:
        raise NoMachineCode("there is no C compiler (on Debian: apt install gcc)")
    include = sysconfig.get_paths()["include"]
    if not (Path(include) / "Python.h").is_file():
        raise NoMachineCode(f"Python's header files are not in {include} (on Debian: apt install python3-dev)")
    return found, include


def compiled(text: str, place: Path, name: str) -> Path:
    command, include = compiler()
    written, made = place / f"{NAME}.c", place / name
    written.write_text(text, encoding="utf-8")
    try:
        run = subprocess.run(
            [command, *FLAGS, "-I", include, str(written), "-o", str(made)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise NoMachineCode(f"the C compiler did not finish: {fault}") from None
    if run.returncode:
        raise NoMachineCode(f"the C compiler says: {run.stderr.strip()[-500:] or run.returncode}")
    return made


def stays_in_python(game: Game) -> dict[str, str]:
    """The functions that C does not take over, and why."""
    constants = {name: int(getattr(runtime, name)) for name in CONSTANTS} | {"PLACES": len(game.first)}
    module = Module(game.emitted.text, game.emitted.tables, constants)
    Native(module).text(NAME)
    return {f.name: f.why for f in module.functions.values() if f.why and f.name not in FOR_PYTHON}
