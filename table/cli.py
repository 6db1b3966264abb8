"""The door: finds the command that was typed, asks it, and turns whatever goes wrong into one sentence.

A command is a file in `table/commands/` or a folder of it: `HELP` says in a line what it does, `EXAMPLES` shows it, `add_arguments`
takes a parser, `run` does it and gives the exit code. Only the command that was typed is imported.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import NoReturn

from ichiba.table.refusal import FAULT, STOPPED, USAGE, Refusal

PROGRAM = "ichiba"
ABOUT = "Economic board games as data that runs: check them, play them, measure them."
FIRST = ("games", "info", "play", "replay", "check")  # of those that are there, in the overview
BROKEN_PIPE = 141
LONGEST_LINE = 600


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, and knows what was nearly meant."""

    def parse_args(self, args: Sequence[str] | None = None, namespace: object = None) -> argparse.Namespace:  # type: ignore[override]
        found, extra = self.parse_known_args(args)
        for word in extra:
            if word.startswith("-"):
                self.error(f"there is no option `{word}`" + self._nearly(word))
        if extra:
            self._more(found, extra)
        return found

    def _more(self, found: argparse.Namespace, words: list[str]) -> None:
        """Names that stand behind an option are names all the same: `draw GAME --seats 4 eel`."""
        any_number = next((action.dest for action in self._actions if action.nargs == "*" and not action.option_strings), None)
        if any_number is None:
            self.error(f"`{words[0]}` is one word too many")
        vars(found)[any_number] = [*vars(found)[any_number], *words]

    def _nearly(self, word: str) -> str:
        from ichiba.dsl.faults.fault import nearest

        hint = nearest(word.split("=")[0], self._option_string_actions)
        return f"; did you mean `{hint}`?" if hint else ""

    def error(self, message: str) -> NoReturn:
        raise Refusal(f"{self.prog}: {_plainly(message)} (`{self.prog} --help` shows how)")


def _plainly(message: str) -> str:
    """argparse's complaints, as one would say them."""
    if message.startswith("the following arguments are required: "):
        return "missing: " + message.split(": ", 1)[1]
    if message.startswith("argument ") and ": " in message:
        name, complaint = message.removeprefix("argument ").split(": ", 1)
        return f"{name}: {complaint}"
    return message


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 1 (a fault), 2 (it cannot be done like that) or 130 (Ctrl-C)."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return _nobody_listens()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return STOPPED
    except SystemExit as end:  # argparse after --help
        return end.code if isinstance(end.code, int) else 0
    except Exception as fault:
        if os.environ.get("ICHIBA_TRACEBACK"):
            raise
        sentence, code = _told(fault)
        print(_shown(sentence), file=sys.stderr)
        return code


def _shown(sentence: str) -> str:
    """What others have written, and what stands in it is repeated, moves no cursor and fills no screen."""
    from ichiba.dsl.faults.fault import echoed, printable

    return "\n".join(echoed(line, LONGEST_LINE) for line in printable(sentence).splitlines())


def _run(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        print(_overview())
        return 0
    if words[0] in ("-V", "--version"):
        print(f"{PROGRAM} {_version()}")
        return 0
    if words[0] == "help":
        words = [*words[1:2], "--help"]
        return _run(words)
    module = _command(words[0])
    args = parser_of(words[0], module).parse_args(words[1:])
    with _trust(args.trust):
        return int(module.run(args))


@contextmanager
def _trust(said: bool) -> Iterator[None]:
    """Whoever says `--trust` vouches for all that this command reads, in whichever process."""
    before = os.environ.get("ICHIBA_TRUST")
    if said:
        os.environ["ICHIBA_TRUST"] = "1"
    try:
        yield
    finally:
        if said and before is None:
            del os.environ["ICHIBA_TRUST"]
        elif said and before is not None:
            os.environ["ICHIBA_TRUST"] = before


def parser_of(name: str, module: ModuleType) -> Parser:
    """How one command reads what is typed behind it."""
    parser = Parser(
        prog=f"{PROGRAM} {name}", description=module.HELP, epilog=_examples(module.EXAMPLES), allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    module.add_arguments(parser)
    parser.set_defaults(command=name)
    parser.add_argument(
        "--trust", action="store_true", help="read this ruleset without limits: its author is you, or somebody you trust"
    )
    return parser


def _examples(examples: str | Iterable[str]) -> str:
    lines = examples.strip().splitlines() if isinstance(examples, str) else list(examples)
    return "examples:\n" + "\n".join(f"  {line.strip()}" for line in lines)


def commands() -> dict[str, str]:
    """The commands there are and what each does, read without importing any."""
    found = {name: _help_in(file.read_text(encoding="utf-8")) for name, (_, file) in _files().items()}
    known = [name for name in FIRST if name in found]
    return {name: found[name] for name in [*known, *sorted(set(found) - set(known))]}


def _files() -> dict[str, tuple[str, Traversable]]:
    """The file of each command, and how it is imported."""
    found: dict[str, tuple[str, Traversable]] = {}
    home = files("ichiba.table.commands")
    for package, folder in [("", home), *((f"{one.name}.", one) for one in home.iterdir() if one.is_dir() and not one.name.startswith("_"))]:
        for file in folder.iterdir():
            if file.name.endswith(".py") and not file.name.startswith("_"):
                module = file.name.removesuffix(".py")
                found[module.replace("_", "-")] = f"ichiba.table.commands.{package}{module}", file
    return found


def _help_in(text: str) -> str:
    for node in ast.parse(text).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="HELP")], value=value):
                return str(ast.literal_eval(value))
            case ast.AnnAssign(target=ast.Name(id="HELP"), value=ast.expr() as value):
                return str(ast.literal_eval(value))
    return ""


def _command(name: str) -> ModuleType:
    known = commands()
    if name in known:
        return import_module(_files()[name][0])
    from ichiba.dsl.faults.fault import nearest

    hint = nearest(name, known)
    what = (
        f"{PROGRAM}: there is no option `{name}`"
        if name.startswith("-")
        else f"{PROGRAM}: there is no command `{name}`"
    )
    raise Refusal(f"{what}; did you mean `{hint}`?" if hint else f"{what}; there are: " + ", ".join(known))


def _overview() -> str:
    known = commands()
    width = max(map(len, known), default=0)
    lines = [f"usage: {PROGRAM} COMMAND ...", "", ABOUT, "", "commands:"]
    lines += [f"  {name:<{width}}  {words}" for name, words in known.items()]
    lines += ["", _examples((
        f"{PROGRAM} games                  what there is to play",
        f"{PROGRAM} play my_game --bots 2  sit down to a game",
        f"{PROGRAM} play --help            everything a command understands",
    ))]  # fmt: skip
    return "\n".join(lines)


def _version() -> str:
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "(a checkout)"


def _told(fault: Exception) -> tuple[str, int]:
    """The sentence and the exit code for whatever went wrong."""
    if isinstance(fault, Refusal):
        return str(fault), fault.code
    from ichiba.dsl.faults.fault import RulesetFaults
    from ichiba.interpreter.api import UnknownRuleset
    from ichiba.interpreter.run.decisions import IllegalMove
    from ichiba.interpreter.runtime.runtime import RuleFault
    from ichiba.interpreter.saves.saved import SaveFault
    from ichiba.lab.policies import UnknownPolicy

    if isinstance(fault, RulesetFaults):
        return str(fault), FAULT
    if isinstance(fault, UnknownRuleset | UnknownPolicy):
        return f"{PROGRAM}: {fault}", USAGE
    if isinstance(fault, RuleFault):
        return f"{PROGRAM}: a rule of this ruleset does something impossible: {fault}", FAULT
    if isinstance(fault, IllegalMove | SaveFault):
        return f"{PROGRAM}: {fault}", FAULT
    if isinstance(fault, OSError) and (fault.filename is not None or fault.strerror):
        named = f"{fault.filename}: " if fault.filename is not None else ""  # what is written to us has no name
        return f"{PROGRAM}: {named}{(fault.strerror or 'it cannot be used').lower()}", FAULT
    words = ": ".join(filter(None, [type(fault).__name__, " ".join(str(fault).split())]))
    return f"{PROGRAM}: something went wrong inside: {words} (with ICHIBA_TRACEBACK=1 it says where)", FAULT


def _nobody_listens() -> int:
    """The reader of our output has gone, as `head` does; what is left goes nowhere."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
    return BROKEN_PIPE
