"""`ichiba explain`: what a fault means, and what to do about it."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from typing import TYPE_CHECKING

from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.dsl.faults.code import Code

HELP = "say what a fault means, with a wrong and a right example"
EXAMPLES = (
    "ichiba explain E203",
    "ichiba explain            all codes there are",
)
WIDTH = 88


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "codes", metavar="CODE", nargs="*", help="the code in brackets behind `error` or `warning`, such as E203"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people, or for programs")


def run(args: argparse.Namespace) -> int:
    from ichiba.dsl.faults.codes import ENTRIES

    found = [_entry(word) for word in args.codes] or list(ENTRIES)
    if args.format == "json":
        print(json.dumps([_as_json(entry) for entry in found], ensure_ascii=False, indent=1))
    elif not args.codes:
        print("\n".join(f"{entry.code}  {entry.title}" for entry in found))
    else:
        print("\n\n".join(map(explained, found)))
    return 0


def _entry(word: str) -> Code:
    from ichiba.dsl.faults.codes import CODES
    from ichiba.dsl.faults.fault import nearest

    code = word.strip("[]()`,.:").upper()
    if code in CODES:
        return CODES[code]
    hint = nearest(code, CODES)
    raise Refusal(
        f"ichiba explain: there is no fault `{word}`"
        + (f"; did you mean `{hint}`?" if hint else "; `ichiba explain` lists all")
    )


def explained(entry: Code) -> str:
    """A fault as one reads about it: what it is, why, and both examples."""
    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH)
    words = textwrap.fill(entry.explanation, width, break_on_hyphens=False)
    examples = [_example("This is wrong:", entry.wrong_example), _example("This is right:", entry.right_example)]
    return "\n\n".join([f"{entry.code}: {entry.title}", words, *examples])


def _example(heading: str, text: str) -> str:
    return heading + "\n\n" + textwrap.indent(text.rstrip("\n"), "    ")


def _as_json(entry: Code) -> dict[str, str]:
    return {
        "code": entry.code, "title": entry.title, "explanation": entry.explanation,
        "wrong": entry.wrong_example, "right": entry.right_example,
    }  # fmt: skip
