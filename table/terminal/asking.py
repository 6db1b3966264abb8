"""How a question is listed, and what a typed line asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ichiba.interpreter.saves.bundles import NOTHING, is_lot, reads_as_bundle
from ichiba.table.scene.spelling import FAINT, Cell, ink
from ichiba.table.terminal.answers import Answers, Entry

if TYPE_CHECKING:
    from ichiba.interpreter.run.decisions import Decision

MANY = 40  # more entries than this are told by their first word
WIDEST_KEY = 40

COMMANDS = {
    "?": "help", "h": "help", "help": "help", "u": "undo", "undo": "undo", "s": "save", "save": "save", "l": "log",
    "log": "log", "v": "view", "view": "view", "r": "rules", "rules": "rules", "q": "quit", "quit": "quit", ".": "list",
    "seed": "seed", "k": "keep", "keep": "keep",
}  # fmt: skip

HELP = """\
To answer, type
  3            the number before an option; in a range, the number you mean
  buy/2        its key, or enough of it to be sure: its beginning or its end
  2 tea+1 rice where a lot is asked for piece by piece: all of it at once; `none` is nothing
Or
  ?            this
  ? KEY        what an option does, or why it is not possible now
  ? NAME       a seat, a board or another thing: how it stands; a piece: what it is
  .            the table and the question again
  v            everything you may see
  l, l all     what has happened; l effects: and what has changed hands
  r, r NAME    the rules; one rule, or the file of a board, as it is written
  u            take back your last answer
  s, s FILE    save
  k NAME       keep how this table is set up and who sits there, to play so again
               (`k friday seed`: with what chance comes from, for the very same game)
  seed         the number that chance comes from (it tells what is hidden)
  q            leave; the game is kept (also after Ctrl-C)"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A typed line: a command with its words, or (without a command) an answer."""

    command: str | None
    words: str


def read(line: str, answers: Answers) -> Asked:
    """A key that is typed in full is an answer, whatever it is called."""
    if line.casefold() in (key.casefold() for key in answers.keys):
        return Asked(None, line)
    if line.startswith("?"):
        return Asked("help", line[1:].strip())
    first, _, rest = line.partition(" ")
    command = COMMANDS.get(first.casefold())
    if command is None or rest and command in ("undo", "quit", "view", "list"):
        return Asked(None, line)
    return Asked(command, rest.strip())


def a_whole_lot(decision: Decision, words: str) -> str:
    """`2 wheat, 1 rice` answers all questions of a lot at once; nothing where that was not typed."""
    if not is_lot(decision):
        return ""
    said = words.strip().removeprefix(f"{decision.name}/")
    bundle = re.sub(r"\s*(?:,|\band\b)\s*", "+", said)
    return f"{decision.name}/{bundle}" if said == NOTHING or reads_as_bundle(decision, bundle) else ""


# ------------------------------------------------------------------------------------------------ options


def listed(
    decision: Decision, answers: Answers, entries: list[Entry], beside: Callable[[int], Cell]
) -> Iterator[tuple[Cell, int]]:
    """The options, one on each line: what to type, the key, what it means, and what stands beside it. Very many are told by
    how they begin."""
    groups = _beginnings(entries) if len(entries) > MANY else {}
    if groups:
        width = max(map(cell_len, groups))
        for first, count in groups.items():
            options = f"{count} option{'s' if count > 1 else ''}"
            yield (*ink(f" {first}{' ' * (width - cell_len(first))}", "cyan"), *ink(f"  {options}")), 4
        yield ink(" type the beginning of a key to see which", FAINT), 0
        return
    digits = max((len(str(entry.number)) for entry in entries if entry.number is not None), default=0)
    keys = min(max((cell_len(entry.words) for entry in entries), default=0), WIDEST_KEY)
    for entry in entries:
        number = "" if entry.number is None else str(entry.number)
        label = _label(decision, entry)
        start = f" {number:>{digits}}  " if digits else " "
        gap = " " * max(1, keys - cell_len(entry.words) + 2)
        more = beside(decision.codes[entry.places[0]]) if not entry.step else ()
        yield (*ink(start, "bold"), *ink(entry.words, "cyan"), *ink(gap + label if label else ""), *more), len(start) + 4
    if answers.amounts is not None and answers.amounts in entries:
        yield ink(" type the number", FAINT), 0


def _label(decision: Decision, entry: Entry) -> str:
    label = decision.label_of(decision.codes[entry.places[0]])
    if entry.step:
        return f"{label} … {decision.label_of(decision.codes[entry.places[-1]])}"
    return label


def _beginnings(entries: list[Entry]) -> dict[str, int]:
    """How many options begin alike; nothing when that would be no shorter."""
    deepest = max(entry.key.count("/") for entry in entries)
    for depth in range(1, deepest + 1):
        groups: dict[str, int] = {}
        for entry in entries:
            first = "/".join(entry.key.split("/")[:depth])
            groups[first] = groups.get(first, 0) + len(entry.keys)
        if len(groups) > 1:
            return groups if len(groups) <= len(entries) // 2 else {}
    return {}


def sentence(words: str) -> str:
    """Begins large, ends with a full stop."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!", "…")) else ".")
