"""Machine code for a game: its plan said in C, compiled once and kept.

The numbers stay in the one list. What C cannot do, or should not say, the Python of the same name does (see `runtime.c`);
so it is the same game, told at another speed."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.resources import files
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from ichiba.dsl.files import disk_cache
from ichiba.dsl.rules import ir
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.policies.compiled import PREFIX
from ichiba.interpreter.policies.of_game import policies_of
from ichiba.interpreter.policies.players import RANDOM
from ichiba.interpreter.run.cache import engine
from ichiba.interpreter.run.code import Code
from ichiba.interpreter.run.game import noting as with_notes
from ichiba.interpreter.run.table import Table
from ichiba.interpreter.runtime import runtime
from ichiba.interpreter.runtime.chance import MOST_WORDS, Words
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.runtime.ways import Kept
from ichiba.interpreter.to_c.known.inference import infer
from ichiba.interpreter.to_c.known.packed_places import find_packed_places, find_wide_answers
from ichiba.interpreter.to_c.known.program import Program, Unsupported, program_of
from ichiba.interpreter.to_c.module import text_of
from ichiba.interpreter.to_python.printer import lines_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.to_plan.emitted import Emitted

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
# What takes the compiler long and makes no game quicker is left out. Where functions and loops begin makes up to 5%: not left to luck.
QUICK = ("-O2", "-fno-gcse", "-fno-schedule-insns2", "-falign-functions=32", "-falign-loops=32")
FLAGS = (*QUICK, "-shared", "-fPIC", "-fwrapv", "-fno-strict-aliasing", "-w")
ENDING = str(sysconfig.get_config_var("EXT_SUFFIX"))
RUNTIME = ("core", "state", "hashes", "python", "chance", "lots", "ways", "held")  # each leans only on those before it
_FROM_THE_RUNTIME = (runtime.Unmet, runtime.Stop, Words, runtime.Context)  # classes that the C knows
CONSTANTS = ("BITS", "MASK", "STEPS", "MOST_OPTIONS", "MOST_DECISIONS", "LARGEST", "MANY_WAYS", "FIRST_THING")


_LOG = logging.getLogger("ichiba")


class NoMachineCode(Exception):
    """Why there is none here."""


@in_turn
def compile_if_possible(game: Game) -> bool:
    """Machine code if it can be had. If not, one line says why, and the game goes on in Python as it always would."""
    try:
        compile_game(game)
    except NoMachineCode as reason:
        _LOG.warning("%s is played in Python: %s", game.name, " ".join(str(reason).split())[:WORDS])
    return game.native


@in_turn
def compile_game(game: Game) -> None:
    """From now on new tables of this game are played in machine code. Raises `NoMachineCode`; then all is as before."""
    if game.native:
        return
    if game.telling:
        raise NoMachineCode("what tells everything is Python's")
    try:
        made = loaded(game)
        code = _in_machine_code(made, game.code)
    except NoMachineCode:
        raise
    except Exception as fault:  # whatever stumbles on the way, the same game is there in Python
        raise NoMachineCode(f"making it failed, {type(fault).__name__}: {fault}") from fault
    game.forget_expressions()  # they call the Python that was there before
    game.worked_out.in_python, game.worked_out.in_c, game.worked_out.beginning = game.code, made, code.held(game.first)
    game.code = code


def _in_machine_code(made: ModuleType, python: Code) -> Code:
    """All that the generated module defines once more, with the functions in C in place of those in Python.

    What stays in Python calls what is in C: each of its functions is made again from the code that is there.
    """
    before: dict[str, Any] = python.module
    module: dict[str, Any] = {}
    in_c = made.begin(module, before, *_FROM_THE_RUNTIME, runtime.left)
    instead: dict[int, object] = {}
    for name, one in before.items():
        if isinstance(one, FunctionType) and one.__globals__ is before:
            again = FunctionType(one.__code__, module, one.__name__, one.__defaults__, one.__closure__)
            instead[id(one)] = in_c.get(name, again)
    module.update({name: _replaced(one, instead) for name, one in before.items()})
    stepped = type("Table", (Table,), {"__slots__": (), "__module__": Table.__module__, "__doc__": Table.__doc__})
    made.tables_of(stepped, module["step"])
    return Code.of(module, held=in_c["State"], rows=in_c["Rows"], tables=stepped)


def _replaced(one: object, instead: dict[int, object]) -> object:
    """A function, or a list or cases of functions, with others in their place. How things look Python has to compare."""
    if isinstance(one, list):
        return [instead.get(id(part), part) for part in one]
    if isinstance(one, dict) and hasattr(one, "default"):
        cases: Any = type(one)
        return cases({key: instead.get(id(part), part) for key, part in one.items()}, instead.get(id(one.default), one.default))
    return instead.get(id(one), one)


def seconds(game: Game, policies: Sequence[str] = (), records: bool = False) -> float:
    """About how long it takes to make it; with policies what plays whole games among them, with what rules record noted."""
    with_policies = records or not set(policies) <= {RANDOM}
    there = game.native and not with_policies or disk_cache.library(_key(game, with_policies, records), ENDING) is not None
    lines = game.emitted.text.count("\n") + (len(lines_of(policies_of(game).plan.plan)) if with_policies else 0)
    return 0.1 if there else 1 + lines / 1000


@dataclass(frozen=True, slots=True)
class Player:
    """What plays whole games: the module's own `games`, the state before the first, the numbers of the policies, what makes
    a state of it, and what its notes are of, where it makes any."""

    games: Callable[..., object]
    first: list[int]
    policies: tuple[int, ...]
    held: Callable[[list[int]], list[int]]
    records: tuple[ir.Record, ...] = ()


@in_turn
def player(game: Game, names: Sequence[str], records: bool = False) -> Player | None:
    """What plays whole games of a game in machine code among these policies; None: Python has to. `records`: what the rules record
    is noted."""
    if not {*names} <= {*game.program.policies, RANDOM}:
        return None
    row = policies_in_c(game) if set(names) != {RANDOM} else []
    if any(name != RANDOM and row[list(game.program.policies).index(name)] is None for name in names):
        return None
    numbers = tuple(0 if name == RANDOM else 1 + list(game.program.policies).index(name) for name in names)
    if records:
        noted = game.worked_out.in_c_with_records or _loaded_with_records(game)
        return None if noted is None else Player(noted[0].games, noted[1](game.first), numbers, *noted[1:])
    if row:
        found = game.worked_out.in_c_with_policies or _loaded_with_policies(game)
    else:
        plain = game.worked_out.in_c if compile_if_possible(game) else None
        found = (plain, game.code.held) if plain is not None else None
    if found is None:
        return None
    made, held = found
    return Player(made.games, held(game.first), numbers, held)


def _loaded_with_policies(game: Game) -> tuple[ModuleType, Callable[[list[int]], list[int]]] | None:
    """Once more, with the policies: it only plays whole games. And what makes its states."""
    try:
        made = loaded(game, with_policies=True)
        held = made.begin({}, {}, *_FROM_THE_RUNTIME, {})["State"]
    except Exception as reason:  # then Python plays them
        _LOG.warning("policies of %s are played in Python: %s", game.name, " ".join(str(reason).split())[:WORDS])
        return None
    game.worked_out.in_c_with_policies = made, held
    return made, held


def _loaded_with_records(game: Game) -> tuple[ModuleType, Callable[[list[int]], list[int]], tuple[ir.Record, ...]] | None:
    """The same from a plan in which what rules record is noted."""
    try:
        emitted = with_notes(game)
        made = loaded(game, with_policies=True, noting=emitted)
        held = made.begin({}, {}, *_FROM_THE_RUNTIME, {})["State"]
    except Exception as reason:  # then Python plays them
        _LOG.warning("%s is played in Python where its records are wanted: %s", game.name, " ".join(str(reason).split())[:WORDS])
        return None
    game.worked_out.in_c_with_records = made, held, tuple(emitted.records)
    return game.worked_out.in_c_with_records


def policies_in_c(game: Game) -> list[str | None]:
    """The function of each policy; None of one that must not see all, or goes by what keys are spelled like."""
    made = policies_of(game)
    names = enumerate(game.program.policies)
    return [f"{PREFIX}{number}" if made.plan.sure(name) and name not in made.masked else None for number, name in names]


def program(game: Game, with_policies: bool = False, noting: Emitted | None = None) -> Program:
    """What is to be said in C; `noting`: of the plan that notes what rules record."""
    emitted = noting or game.emitted
    plan, tables = emitted.plan, emitted.tables
    if with_policies:
        policies = policies_of(game).plan
        row = tuple(p.Nothing() if name is None else p.Name(name) for name in policies_in_c(game))
        plan = (*plan, *policies.plan, p.Set((p.Name("POLICIES"),), p.Row("list", row)))
        tables = {**tables, **policies.tables}
    constants = {name: int(getattr(runtime, name)) for name in CONSTANTS}
    constants |= {"PLACES": len(game.first), "FUEL": game.fuel, "MOST_WORDS": MOST_WORDS}
    found = program_of(plan, tables, constants)
    found.stepped = not with_policies
    found.outlooks = emitted.outlooks
    infer(found)
    found.wide_answers = find_wide_answers(found)
    found.packed_places = find_packed_places(found)
    return found


def source(found: Program) -> str:
    """The C of a game."""
    folder = files("ichiba.interpreter.native")

    def text(names: Iterable[str]) -> str:
        return "\n".join(folder.joinpath(f"{name}.c").read_text(encoding="utf-8") for name in names)

    searches = any(isinstance(given, Kept) for given in found.tables.values())
    runtime = [name for name in RUNTIME if name != "ways" or searches]
    return text_of(found, NAME, text(runtime), text(["loop"]), text(["stepping", "games", "tables"] if found.stepped else ["games"]))


def written(game: Game, with_policies: bool = False, noting: Emitted | None = None) -> str:
    """The C of a game, if it can be said."""
    try:
        return source(program(game, with_policies, noting))
    except Unsupported as reason:
        raise NoMachineCode(f"it cannot be said in C: {reason}") from None


def _key(game: Game, with_policies: bool = False, noting: bool = False) -> str:
    """Under what it is kept."""
    emitted = game.emitted
    tables = [(name, sorted(t) if isinstance(t, frozenset) else t) for name, t in sorted(emitted.tables.items())]
    policies = policies_of(game).plan if with_policies else None
    more = (lines_of(policies.plan), sorted(policies.tables), policies_in_c(game)) if policies is not None else ()
    whole = repr((engine(), FLAGS, len(game.first), emitted.text, tables, more, noting))
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


def loaded(game: Game, with_policies: bool = False, noting: Emitted | None = None) -> ModuleType:
    """The machine code of a game; made, unless it is kept."""
    key = _key(game, with_policies, noting is not None)
    before = disk_cache.library(key, ENDING)
    if before is not None:
        try:
            return _opened(before)
        except ImportError:  # of another machine: made again
            pass
    text = written(game, with_policies, noting)
    with tempfile.TemporaryDirectory(prefix="ichiba-") as place:
        made = compiled(text, Path(place) / f"{NAME}{ENDING}")
        disk_cache.keep_library(key, made.read_bytes(), ENDING, KEPT_FILES)
        try:
            return _opened(made)
        except ImportError as fault:
            raise NoMachineCode(f"what was made cannot be loaded: {fault}") from None


def _opened(path: Path) -> ModuleType:
    """A module of its own for each time, also of one library: Python, which knows them all by one name, would otherwise put what is in
    a library that it has seen before into whichever module had that name last."""
    loader = ExtensionFileLoader(NAME, str(path))
    spec = spec_from_loader(NAME, loader, origin=str(path))
    assert spec is not None
    sys.modules.pop(NAME, None)
    try:
        module = module_from_spec(spec)
        loader.exec_module(module)
    finally:
        sys.modules.pop(NAME, None)
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


def _told_by(run: subprocess.CompletedProcess[str]) -> str:
    """Why nothing was made. What was ended by a signal seldom has words of its own: then its limits are told as well."""
    said = run.stderr.strip()[-500:]
    if run.returncode > 128:
        limits = f"{SECONDS} s of the processor's time, {MEMORY >> 30} GB of memory, {LARGEST >> 20} MB to write"
        return f"the C compiler was ended, perhaps at its limits ({limits}){': ' if said else ''}{said}"
    return f"the C compiler says: {said or run.returncode}"


def compiled(text: str, made: Path, flags: tuple[str, ...] | None = None) -> Path:
    """C made into a module that Python can load."""
    if len(text) > MOST_TEXT:
        raise NoMachineCode(f"it comes to {len(text) >> 20} MB of C; {MOST_TEXT >> 20} are the most")
    command, include = _compiler(os.environ.get("CC"))
    written = made.with_name(f"{NAME}.c")
    written.write_text(text, encoding="utf-8")
    try:
        with _while_we_are_here() as until:
            run = subprocess.run(
                [*_limits(), command, *(FLAGS if flags is None else flags), "-I", include, str(written), "-o", str(made)], start_new_session=True,
                stdin=until, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False,
            )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise NoMachineCode(f"the C compiler did not finish: {fault}") from None
    if run.returncode:
        raise NoMachineCode(_told_by(run))
    return made
