"""What each hostile design costs whoever checks it, and whoever begins to play it: `python -m tests.validator.weigh [WORD…]` prints
a table, the dearest last.

Each is taken by `ichiba check`, by a short `ichiba play` and by what it is aimed at besides, in processes of their own, as large as a
stranger's text may be: the processor's time of the command and of all that it starts, and the most memory one of these takes. Ichiba's
own modules are compiled before, as they are where it is installed: else each process would do that anew. With `--kept FILE` what has been
weighed is kept there and not weighed again, so that a run which was broken off, or ends after `--seconds`, can be gone on with.
`--largest`: only the two largest sizes of each, since a limit may refuse the largest more cheaply than it reads the one before.
"""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterable
from compileall import compile_dir
from dataclasses import dataclass
from pathlib import Path

from ichiba.interpreter.strangers import door
from tests.validator.further import FURTHER
from tests.validator.latest import LATEST
from tests.validator.many import DESIGNS
from tests.validator.newest import NEWEST
from tests.validator.played import PLAYING
from tests.validator.small import GAME, RULES
from tests.validator.test_counted import CHAINS
from tests.validator.test_schema import GROWING
from tests.validator.test_weapons import WEAPONS, Make, written

MANY = 100_000
SECONDS, MEGABYTES = 5.0, 512
OURS = "went wrong inside"


@dataclass(frozen=True)
class Weight:
    """One command on one design, what it came to, and the first of what is said."""

    name: str
    seconds: float
    megabytes: float
    code: int
    said: str

    @property
    def too_much(self) -> bool:
        """Whether it is more than a stranger's ruleset may cost, or is answered with anything but a fault."""
        bad = self.code not in (0, 1, 2) or "E025" in self.said or self.said == "Traceback"
        return self.seconds > SECONDS or self.megabytes > MEGABYTES or bad

    def __str__(self) -> str:
        return f"{self.seconds:6.2f} s {self.megabytes:5.0f} MB {self.code:4}  {self.name:70} | {self.said}"

    @staticmethod
    def read(line: str) -> Weight:
        """From a line as it is printed."""
        seconds, _, megabytes, _, code, words = line.split(maxsplit=5)
        name, _, said = words.partition(" | ")
        return Weight(name.rstrip(), float(seconds), float(megabytes), int(code), said)


COMMANDS = {"check": ("check", "{}"), "play": ("play", "{}", "--bots", "1", "--seed", "1")}
TYPED = b"1\n1\n1\nq\n"


def weighed(name: str, root: Path, *words: str) -> Weight:
    """What a command takes on this folder, which is `{}` among its words."""
    said, typed = root.parent / "said.txt", root.parent / "typed.txt"
    typed.write_bytes(TYPED)
    command = [sys.executable, "-m", "ichiba.table", *(word.replace("{}", str(root)) for word in words)]
    child = os.fork()
    if not child:
        with said.open("wb") as out, typed.open("rb") as given:
            for target, stream in ((0, given), (1, out), (2, out)):
                os.dup2(stream.fileno(), target)
        os.execv(command[0], command)
    _, status, used = os.wait4(child, 0)
    lines = said.read_text("utf-8", errors="replace").splitlines() or [""]
    first = "Traceback" if any("Traceback" in line or OURS in line for line in lines) else lines[0][:90]
    return Weight(name, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), first)


def fullest(make: Callable[[int], dict[str, str]]) -> int:
    """How many of one thing a stranger's text has room for."""
    room = door.MOST_TEXT - len(GAME) - len(RULES)
    few, many = 1, 2
    while sum(map(len, make(many).values())) <= room and many < MANY:
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        if sum(map(len, make(middle).values())) <= room:
            few = middle
        else:
            many = middle
    return few


def designs() -> dict[str, Make]:
    """All of them in their sizes, and what grows with a number as large as a text may be besides: a limit that is counted may refuse
    that more cheaply than it reads what is smaller."""
    growing = {design.name: design.make for design in DESIGNS} | GROWING | {name: in_rules(make) for name, make in CHAINS.items()}
    return WEAPONS | {f"{name} {(most := fullest(make))}": written(make(most)) for name, make in growing.items()}


def largest(names: Iterable[str]) -> set[str]:
    """Of those that are called alike but for a number, the two with the largest."""
    by_word: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for name in names:
        word, _, number = name.rpartition(" ")
        by_word[word if number.isdecimal() else name].append((int(number) if number.isdecimal() else 0, name))
    return {name for sizes in by_word.values() for _, name in sorted(sizes)[-2:]}


def commands_of_their_own() -> dict[str, dict[str, tuple[str, ...]]]:
    """By design in a size: more commands that take it, by a word that tells them apart."""
    return {
        f"{design.name} {size}": {f"{words[0]} {number}": words for number, words in enumerate(design.words, 2)}
        for design in (*LATEST, *PLAYING, *NEWEST, *FURTHER)
        for size in design.sizes
    }


def in_rules(make: Callable[[int], str]) -> Callable[[int], dict[str, str]]:
    return lambda n: {"play.rules": make(n)}


def main(words: list[str]) -> int:
    reader = ArgumentParser(prog="weigh")
    reader.add_argument("words", nargs="*", help="of which designs")
    reader.add_argument("--kept", type=Path, help="a file of what has been weighed")
    reader.add_argument("--largest", action="store_true", help="the two largest sizes of each")
    reader.add_argument("--seconds", type=float, default=float("inf"), help="of the processor's time, after which it ends")
    asked = reader.parse_args(words)
    chosen = {name: make for name, make in designs().items() if not asked.words or any(word in name for word in asked.words)}
    if asked.largest:
        chosen = {name: make for name, make in chosen.items() if name in largest(chosen)}
    os.environ |= {"ICHIBA_TRUST": ""}
    for room in ("dsl", "interpreter", "lab", "table", "validator"):
        compile_dir(Path(__file__).parents[2] / room, quiet=1)
    own = commands_of_their_own()
    kept = asked.kept.read_text("utf-8").splitlines() if asked.kept and asked.kept.exists() else []
    found = {weight.name: weight for weight in map(Weight.read, kept)}
    spent = 0.0
    for name, make in chosen.items():
        for word, command in (COMMANDS | own.get(name, {})).items():
            if (whole := f"{word} {name}") in found or spent > asked.seconds:
                continue
            with tempfile.TemporaryDirectory() as folder:
                found[whole] = one = weighed(whole, make(Path(folder)), *command)
            spent += one.seconds
            print(one, flush=True)
            if asked.kept:
                with asked.kept.open("a", encoding="utf-8") as file:
                    print(one, file=file)
    weights = list(found.values())
    print("\nthe dearest:", *sorted(weights, key=lambda one: one.seconds)[-12:], sep="\n")
    print("\nthe largest:", *sorted(weights, key=lambda one: one.megabytes)[-3:], sep="\n")
    over = [one for one in weights if one.too_much]
    every = sum(len(COMMANDS | own.get(name, {})) for name in chosen)
    print(f"\n{len(weights)} of {every}; too much: {len(over)}", *over, sep="\n")
    return bool(over)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
