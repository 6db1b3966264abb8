"""How a question is listed, what a typed line asks for, and what is said about a key or a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ichiba.dsl import ir
from ichiba.dsl.faults import nearest
from ichiba.table.answers import Answers, Entry
from ichiba.table.cards import in_language
from ichiba.table.rules import named_rules
from ichiba.table.scene import Director
from ichiba.table.spelling import FAINT, Cell, ink, joined, words_of

if TYPE_CHECKING:
    from ichiba.dsl.world import Thing
    from ichiba.interpreter.decisions import Decision
    from ichiba.interpreter.table import Table

MANY = 40  # more entries than this are told by their first word
RULE_LINES = 14
WIDEST_KEY = 40

COMMANDS = {
    "?": "help", "h": "help", "help": "help", "u": "undo", "undo": "undo", "s": "save", "save": "save", "l": "log",
    "log": "log", "v": "view", "view": "view", "r": "rules", "rules": "rules", "q": "quit", "quit": "quit", ".": "list",
}  # fmt: skip

HELP = """\
To answer, type
  3            the number before an option; in a range, the number you mean
  buy/2        its key, or enough of it to be sure: b, or the end of it
Or
  ?            this
  ? KEY        what an option does, or why it is not possible now
  ? NAME       a seat, a board or another thing: how it stands
  .            the table and the question again
  v            everything you may see
  l, l all     what has happened
  r, r NAME    the rules; one rule as it is written
  u            take back your last answer
  s, s FILE    save
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


# ------------------------------------------------------------------------------------------------ options


def listed(decision: Decision, answers: Answers, entries: list[Entry]) -> Iterator[tuple[Cell, int]]:
    """The options, one on each line: what to type, the key, what it means. Very many are told by how they begin."""
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
        yield (*ink(start, "bold"), *ink(entry.words, "cyan"), *ink(gap + label if label else "")), len(start) + 4
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


# -------------------------------------------------------------------------------------------------- about


def about(
    table: Table, decision: Decision, answers: Answers, words: str, director: Director
) -> Iterator[tuple[Cell, int]]:
    """What there is to say about a key or a name."""
    found = answers.find(words)
    known = list(_things(table, words)) if words not in answers.keys else []
    if known or words.casefold().startswith("seat "):
        yield from _state(table, decision, known, words, director)
        if found.place is None or not known:
            return
    if found.place is not None:
        yield from _option(table, decision, answers.keys[found.place], found.place)
        return
    if found.several:
        yield ink("It could be " + ", ".join(found.several)), 2
        return
    yield from _impossible(table, decision, words)


def _option(table: Table, decision: Decision, key: str, place: int) -> Iterator[tuple[Cell, int]]:
    """The label, and the rule as it is written: it reads aloud."""
    yield (*ink(key, "cyan"), *ink(": " + decision.label_of(decision.codes[place]))), 4
    decide = decision.site.decide
    if isinstance(decide, ir.Decide):
        number, _ = table.game.explainer.decode(decision.site, decision.codes[place])
        span = decide.options[number].span
        if span is not None:
            yield ink(f"It is possible. The rule ({span.source.path}:{span.line}):", FAINT), 2
            text = span.text.rstrip().split("\n")
            for line in text[:RULE_LINES]:
                yield ink("  " + line), 0
            if len(text) > RULE_LINES:
                yield ink(f"  … {len(text) - RULE_LINES} more lines", FAINT), 0


def _impossible(table: Table, decision: Decision, words: str) -> Iterator[tuple[Cell, int]]:
    reason = table.why_not(words, decision.seat) or "it is possible"
    if "is no answer to this question" not in reason:
        yield (*ink(words, "cyan"), *ink(": " + reason)), 4
        return
    rules = named_rules(table.game)
    if words.replace(" ", "_") in rules:
        yield ink(f"`{words}` is a rule; r {words} shows it."), 2
        return
    yield ink(sentence(reason)), 2
    names = [thing.name for thing in table.game.world.things]
    hint = nearest(words, names)
    if hint:
        yield ink(f"There is something called `{hint}`."), 2


def sentence(words: str) -> str:
    """Begins large, ends with a full stop."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!", "…")) else ".")


def _things(table: Table, words: str) -> Iterator[Thing]:
    """Things of that name: `stall 2`, `stall/2`, `2` alone where only one kind has a 2; a title in any language."""
    wanted = words.casefold().replace("/", " ").replace("_", " ")
    for thing in table.game.world.things:
        if table.game.world.kinds[thing.kind].root == "piece":
            continue
        names = {thing.name, f"{thing.kind} {thing.name}", *thing.title.values()} - (
            {thing.name} if thing.name.isdigit() else set()
        )
        if wanted in (name.casefold().replace("_", " ") for name in names):
            yield thing


def _state(
    table: Table, decision: Decision, things: list[Thing], words: str, director: Director
) -> Iterator[tuple[Cell, int]]:
    view = table.view(decision.seat)
    for thing in things:
        board = next((board for board in table.game.box.boards if board.name == thing.name), None)
        said = board.about if board is not None else str(thing.look.get("about", ""))
        kind = director.speller.name(thing.kind)
        head = director.speller.thing(thing)
        yield (
            (*ink("".join(word for word, _ in head), "bold"), *ink(f" is a {kind}." + (f" {said}" if said else ""))),
            2,
        )
        for entity in director.thing_section(view, thing).entities:
            values = [(*ink(f"{value.label} "), *(value.cell or ink("nothing"))) for value in entity.values]
            if values:
                yield (*ink("  "), *joined(values, "; ")), 4
    number = words.split(" ")[-1]
    if not things and number.isdigit() and 1 <= int(number) <= table.game.seats:
        scene = director.scene(view, None, full=True)
        seats = next(section for section in scene.sections if section.name == "seats")
        entity = seats.entities[int(number) - 1]
        values = [(*ink(f"{value.label} "), *(value.cell or ink("nothing"))) for value in entity.values]
        yield (*entity.head, *ink(": "), *joined(values, "; ")), 4
    elif not things:
        yield ink(f"There are seats 1 to {table.game.seats}."), 0


__all__ = ["COMMANDS", "HELP", "Asked", "about", "in_language", "listed", "read", "sentence"]
