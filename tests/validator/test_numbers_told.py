"""Every limit stands in one table, in docs/strangers.md, with the number that the code has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ichiba.dsl.faults import fault
from ichiba.dsl.faults.codes import CODES
from ichiba.dsl.patterns import using
from ichiba.dsl.program import program, windows
from ichiba.dsl.statements import triggers
from ichiba.dsl.syntax import parse
from ichiba.dsl.world import constant, given
from ichiba.dsl.yaml import declarations, reading
from ichiba.interpreter.analysis import busy
from ichiba.interpreter.native import compiler
from ichiba.interpreter.run import cache
from ichiba.interpreter.runtime import chance, runtime
from ichiba.interpreter.saves import saved, teller
from ichiba.interpreter.strangers import child, door
from ichiba.interpreter.to_plan.context import facts
from ichiba.lab import scenarios
from ichiba.lab.players import greedy, playouts, searcher
from ichiba.lab.players.budget import USUAL
from ichiba.lab.results import courses
from ichiba.lab.results import reading as lines
from ichiba.table import checking
from ichiba.table.terminal import session
from ichiba.validator import amounts, keys
from ichiba.validator.schema import schema
from ichiba.validator.tracing import followed

PAGE = Path(__file__).parents[2] / "docs" / "strangers.md"


def size(bytes_: int) -> str:
    for unit, name in ((2**30, "GB"), (2**20, "MB"), (2**10, "KB")):
        if bytes_ >= unit and not bytes_ % unit:
            return f"{bytes_ // unit:,} {name}"
    raise AssertionError(f"{bytes_} is told in no unit")


def power(number: int) -> str:
    exponent = len(str(number)) - 1
    assert number == 10**exponent
    return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(exponent))


IN_PLAY = "a fault in play"
STEPS = f"{runtime.FUEL:,}"
LIMITS = {
    "files in a folder": (f"{door.MOST_FILES:,}", "E026"),
    "all files together": (size(door.MOST_BYTES), "E026"),
    "rules and declarations together": (size(door.MOST_TEXT), "E026"),
    "texts in its languages, together": (size(door.MOST_LANGUAGES), "E026"),
    "scenarios together": (size(door.MOST_SCENARIOS), "E026"),
    "folders inside each other": (f"{door.MOST_DEEP}", "E026"),
    "modules and variants; presets": (f"{door.MOST_PARTS}; {door.MOST_PRESETS}", "E026"),
    "ways to set it up, for `check`": (f"{checking.MOST_WAYS}", "E026"),
    "rules and declarations, once for each of those in which they are read, and what is as much work": (
        size(checking.MOST_READ), "the other ways are left out, which is said",
    ),
    "the same with `--all`": (size(checking.MOST_READ_OF_ALL), "E026"),
    "texts that are looked for, in all languages together": (f"{checking.MOST_SAID:,}", "E026"),
    "words of a ruleset in the schemas of all its files": (size(schema.MOST_LETTERS), "E026"),
    "the name of a file": (f"{door.LONGEST_NAME} characters", "E001"),
    "one file": (size(reading.MAX_BYTES), "E002"),
    "YAML: depth, nodes, a text, a block": (
        f"{reading.MAX_DEPTH}, {reading.MAX_NODES:,}, {size(reading.MAX_TEXT)}, {size(reading.MAX_BLOCK)}", "E014 to E016",
    ),
    "faults that are looked for; of one text, what cannot be read in it; words read again for those": (
        f"{fault.MOST_ERRORS}; {fault.MOST_BROKEN}; {parse.MOST_REREAD:,}", "E204",
    ),
    "one sentence of rules: words, brackets, depth": (f"{parse.MOST_TOKENS:,}, {parse.MOST_DEPTH}, {parse.MOST_NESTED}", "E204"),
    "a name; a text in rules": (f"{parse.LONGEST_WORD} characters; {size(parse.LONGEST_TEXT)}", "E104, E204"),
    "words of rules that come of all that `use` takes": (f"{using.MOST_WORDS:,}", "E204"),
    "braces `{…}` in all files of one game": (f"{declarations.MOST_BRACES:,}", "E204"),
    "places of a table, from its lowest to its highest indexes": (f"{constant.MOST_PLACES:,}", "E108"),
    "pieces; numbers of the state": (f"{given.MOST_PIECES:,}; {amounts.PLACES:,}", "E529"),
    f"questions in the rules, a race counted as {amounts.RACE}, one in secret as {amounts.SECRET}; options in them": (
        f"{amounts.QUESTIONS:,}; {amounts.OFFERED:,}", "E529",
    ),
    "expressions that the code of a game is made of": (f"{facts.MOST_WRITTEN:,}", "E529"),
    "sentences of rules, each once for every condition on which it is performed": (f"{followed.MOST_FOLLOWED:,}", "E533"),
    "sorts of pieces; sorts that rules go through, in all places where they do": (
        f"{given.MOST_SORTS:,}; {amounts.LOOKED_AT:,}", "E529",
    ),
    "sentences that windows bring to menus; sentences around an `original`": (
        f"{windows.MOST_BROUGHT:,}; {triggers.MOST_REPEATED:,}", "E529, E533",
    ),
    "things of one kind, numbered": (f"{given.MOST_THINGS:,}", "E106"),
    "rules with `whenever`": (f"{program.MOST_WATCHING:,}", "E529"),
    "those that one rule watches for": (f"{program.MOST_WATCHED:,}", "E507"),
    "passes of a loop that surely come about before a question": (f"{amounts.STEPS:,}", "E528"),
    "answers to one question": (f"{runtime.MOST_OPTIONS:,}", "E530, or in play"),
    "ways to take pieces; lots to choose from": (f"{runtime.MOST_OPTIONS:,}; {runtime.MANY_WAYS:,}", IN_PLAY),
    "rules and values called where one is called, loops counted once": (f"{amounts.STEPS:,}", "E533"),
    "steps of one answer, up to the next question": (STEPS, IN_PLAY),
    "steps of all words and keys of one decision together": (STEPS, IN_PLAY),
    "steps of one expression that is asked, of a policy's choice": (STEPS, IN_PLAY),
    "steps from piece to piece of the rules, up to the next question": (f"{runtime.STEPS:,}", IN_PLAY),
    "steps to work out what is fixed before a game: numbers, tables, conditions of options, of all together": (
        f"{constant.MOST_STEPS:,}", "E204",
    ),
    "numbers": (f"{power(runtime.LARGEST)} on either side", "E204, or in play"),
    "decisions of one game": (f"{runtime.MOST_DECISIONS:,}", IN_PLAY),
    "how often chance is asked in one game": (f"{chance.MOST_WORDS:,}", IN_PLAY),
    "of one game: lines that rules tell, and their characters; effects in its story": (
        f"{teller.MOST_LINES:,}, {size(teller.MOST_LETTERS)}; {teller.MOST_EFFECTS:,}", "a last line says so",
    ),
    "rows that the rules of one game record": (f"{teller.MOST_ROWS:,}", "a fault for whoever asks for them"),
    "settings in which `test` plays scenarios; rules and declarations, once for each of those in which they are read": (
        f"{scenarios.MOST_SETTINGS}; {size(scenarios.MOST_MADE)}", "E026",
    ),
    "what all scenarios of one of those may take": (f"as much as {scenarios.MOST_PLAYED} answers", "a failure"),
    "answers of one `until` of a scenario": (f"{scenarios.MOST_ANSWERS:,}", "a failure"),
    "a saved game": (size(saved.LARGEST), "`SaveFault`"),
    "a line of results; digits of a number in it; names of which courses tell": (
        f"{lines.MOST_LINE:,} bytes; {lines.LONGEST_NUMBER}; {courses.MOST_NAMES:,}", "refused by name",
    ),
    "behind all this: the processor's time of one piece of reading, of all of it": (f"{child.SECONDS} s, {child.ALL_SECONDS} s", "E025"),
    "memory of the reading process; what it answers": (f"{size(child.MEMORY)}; {size(child.LARGEST_ANSWER)}", "E025"),
    "waiting for it while it does nothing": (f"{child.PATIENCE} s", "E025"),
    "the C compiler: the processor's time, memory, waiting": (
        f"{compiler.SECONDS} s, {size(compiler.MEMORY)}, {compiler.PATIENCE:,} s", "played in Python",
    ),
    "the C of a game; what the compiler writes": (f"{size(compiler.MOST_TEXT)}; {size(compiler.LARGEST)}", "played in Python"),
    "games and machine code that are kept": (f"{cache.KEPT_FILES}; {compiler.KEPT_FILES}", "the oldest go"),
}  # fmt: skip


def rows() -> dict[str, tuple[str, str]]:
    table = PAGE.read_text(encoding="utf-8").partition("## The numbers\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", table, re.MULTILINE)
    assert found[0] == ("what", "at most", "beyond it")
    return {what: (most, beyond) for what, most, beyond in found[1:]}


@pytest.mark.parametrize("what", LIMITS)
def test_the_table_has_each_limit_with_its_number(what: str) -> None:
    assert rows()[what] == LIMITS[what]


def test_and_no_other() -> None:
    assert set(rows()) == set(LIMITS)


def test_every_code_of_the_table_is_one() -> None:
    for _, beyond in LIMITS.values():
        assert set(re.findall(r"E\d{3}", beyond)) <= set(CODES), beyond


def test_whoever_has_the_same_limit_has_the_same_number() -> None:
    """What is refused at check is what would be a fault in play."""
    assert amounts.STEPS == runtime.STEPS == runtime.FUEL
    assert amounts.OPTIONS == keys.MOST == runtime.MOST_OPTIONS
    assert constant.LARGEST == reading.MAX_INTEGER == runtime.LARGEST
    assert child.PATIENCE == 20 * child.SECONDS and compiler.PATIENCE == 20 * compiler.SECONDS


def test_where_steps_are_counted_is_told_with_its_numbers() -> None:
    words = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert (busy.MANY_STEPS, busy.MANY_CANDIDATES, busy.LATE_STEPS) == (10**7, 10**6, 10**3)
    assert f"those of one that could take more than {busy.WATCH_STEPS} are counted" in words
    assert "rules that could take more than ten million" in words
    assert f"{busy.AT_ONCE} parts of rules for one, and five of these make one of the {runtime.FUEL:,}" in words and runtime.FINER == 5
    assert (session.A_LONG_TIME, greedy.MOST_WORK) == (5, 4)
    assert (playouts.PLAYOUT, searcher.IMAGINED, searcher.FOR_WORLDS, USUAL) == (2, 6, 4, 200)
    assert "questions that could look at more than a million candidates, in words and policies that could take more than a thousand" in words
