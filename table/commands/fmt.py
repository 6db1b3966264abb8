"""`ichiba fmt`: rules and YAML in canonical layout."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ichiba.table.formatting import Sheet
    from ichiba.table.upgrading import Outcome

HELP = "lay out rules and YAML in the one way of the house"
EXAMPLES = (
    "ichiba fmt my_game                            every file of rules and of YAML in it, scenarios too",
    "ichiba fmt my_game/my_game.rules --diff       see what would change",
    "ichiba fmt my_game --check                    say which files would, and exit with 1 if any",
    "ichiba fmt - --as my_game.rules < my_game.rules",
    "ichiba fmt --upgrade my_game                  from version 1 of the language to version 2, all of it or nothing",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a file, a folder with all that lies in it, or - for standard input")
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that would change, exit with 1 if any")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change")
    parser.add_argument("--as", dest="name", metavar="NAME", help="with -: the name that the text would have as a file, such as x.rules")
    parser.add_argument("--upgrade", action="store_true", help="bring a whole ruleset from version 1 of the language to version 2")


def run(args: argparse.Namespace) -> int:
    """0 when all is done, 1 when a file has faults or cannot be written, or with `--check` when one would change."""
    from ichiba.table.refusal import Refusal

    if args.upgrade:
        if "-" in args.paths or args.name is not None:
            raise Refusal("ichiba fmt: --upgrade wants the folder of a ruleset: what its rules mean hangs on all of its files")
        return _upgraded(args)
    if "-" in args.paths:
        if len(args.paths) > 1 or args.name is None:
            raise Refusal("ichiba fmt: - stands alone, and wants to know what the text is: `ichiba fmt - --as my_game.rules`")
        return _stream(args)
    if args.name is not None:
        raise Refusal("ichiba fmt: --as goes with -, the standard input; a file has a name")
    return _files(args)


def _stream(args: argparse.Namespace) -> int:
    """The text goes through, to whatever comes behind; with faults nothing does."""
    from ichiba.dsl.formatting.formatting import ENDINGS
    from ichiba.dsl.yaml.reading import MAX_BYTES
    from ichiba.table.formatting import sheet_of
    from ichiba.table.refusal import FAULT, Refusal

    if not args.name.endswith(ENDINGS):
        raise Refusal(f"ichiba fmt: `--as {args.name}` names no rules (.rules) and no YAML (.yaml)")
    sheet = sheet_of(sys.stdin.buffer.read(MAX_BYTES + 1), args.name)
    if sheet.faults:
        _tell_faults([sheet])
        return FAULT
    if args.check or args.diff:
        return _would_change([sheet], args)
    sys.stdout.buffer.write(sheet.content)
    return 0


def _files(args: argparse.Namespace) -> int:
    from ichiba.table.formatting import files_at, sheets
    from ichiba.table.refusal import FAULT

    found = list(sheets(files_at(args.paths)))
    broken = [sheet for _, sheet in found if sheet.faults]
    if args.check or args.diff:
        code = _would_change([sheet for _, sheet in found], args)
    else:
        code = _write(found)
    _tell_faults(broken)
    return FAULT if broken else code


def _would_change(sheets: list[Sheet], args: argparse.Namespace) -> int:
    from ichiba.table.refusal import FAULT

    changed = [sheet for sheet in sheets if sheet.changed]
    for sheet in changed:
        print(sheet.difference(), end="") if args.diff else print(sheet.shown)
    return FAULT if args.check and changed else 0


def _write(found: list[tuple[Path, Sheet]]) -> int:
    from ichiba.dsl.files.writing import overwrite
    from ichiba.table.refusal import FAULT

    done, failed = 0, 0
    for path, sheet in found:
        if not sheet.changed:
            continue
        try:
            overwrite(path.resolve(), sheet.content)
        except OSError as fault:
            print(f"ichiba fmt: {sheet.shown} is left as it was: {(fault.strerror or 'it cannot be written').lower()}", file=sys.stderr)
            failed += 1
        else:
            print(sheet.shown)
            done += 1
    print(f"{len(found):,} file{'s' if len(found) > 1 else ''}, {done:,} laid out anew")
    return FAULT if failed else 0


def _tell_faults(sheets: list[Sheet]) -> None:
    from ichiba.dsl.faults.fault import render_all

    faults = [fault for sheet in sheets for fault in sheet.faults]
    if faults:
        sys.stdout.flush()
        print(render_all(faults, color=sys.stderr.isatty() and "NO_COLOR" not in os.environ), file=sys.stderr)


def _upgraded(args: argparse.Namespace) -> int:
    """Each ruleset by itself; one that cannot be upgraded stays as it is."""
    from ichiba.table.arguments import ruleset_folders
    from ichiba.table.formatting import Sheet
    from ichiba.table.refusal import FAULT
    from ichiba.table.upgrading import upgrade

    code = 0
    for folder in dict.fromkeys(folder for place in args.paths for folder in ruleset_folders(place)):
        outcome = upgrade(folder)
        for old, new in outcome.renamed.items():
            print(f"`{old}` has become a word of the language: it is called `{new}`")
        if outcome.faults:
            _tell_faults([*outcome.sheets.values(), Sheet(folder.name, faults=outcome.faults)])
            print(f"ichiba fmt: {folder.name} is left as it was", file=sys.stderr)
            code = FAULT
        elif args.check or args.diff:
            code = max(code, _would_change([*outcome.sheets.values()], args))
        else:
            code = max(code, _write_upgraded(outcome))
    return code


def _write_upgraded(outcome: Outcome) -> int:
    from ichiba.table.refusal import FAULT
    from ichiba.table.upgrading import write

    if not outcome.changed:
        print(f"{outcome.folder.name} is of version 2 already")
        return 0
    try:
        write(outcome)
    except OSError as fault:
        reason = (fault.strerror or "it cannot be written").lower()
        print(f"ichiba fmt: {outcome.folder.name} is left as it was: {fault.filename}: {reason}", file=sys.stderr)
        return FAULT
    for sheet in outcome.changed.values():
        print(sheet.shown)
    print(f"{outcome.folder.name} is of version 2 now: {len(outcome.changed):,} of {len(outcome.sheets):,} files are written anew")
    return 0
