"""What each hostile design costs whoever checks it: `python -m tests.validator.weigh [WORD…]` prints a table, the dearest last.

Each is checked by `ichiba check` in a process of its own, as large as a stranger's text may be: the processor's time of the
command and of all that it starts, and the most memory one of these takes.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ichiba.interpreter.strangers import door
from tests.validator.many import DESIGNS
from tests.validator.small import GAME, RULES
from tests.validator.test_counted import CHAINS
from tests.validator.test_schema import GROWING
from tests.validator.test_weapons import WEAPONS, Make, written

MANY = 100_000
SECONDS, MEGABYTES = 5.0, 512


@dataclass(frozen=True)
class Weight:
    """One design, what it came to, and the first of what is said of it."""

    name: str
    seconds: float
    megabytes: float
    code: int
    said: str

    @property
    def too_much(self) -> bool:
        """Whether it is more than a stranger's ruleset may cost, or is answered with anything but a fault."""
        return self.seconds > SECONDS or self.megabytes > MEGABYTES or self.code not in (0, 1, 2) or "E025" in self.said

    def __str__(self) -> str:
        return f"{self.seconds:6.2f} s {self.megabytes:5.0f} MB  {self.name:50} {self.said}"


def weighed(name: str, root: Path, *words: str) -> Weight:
    """What `ichiba check` of this folder takes, or another command."""
    said = root.parent / "said.txt"
    command = [sys.executable, "-m", "ichiba.table", *(words or ("check", str(root)))]
    child = os.fork()
    if not child:
        with said.open("wb") as out, open(os.devnull, "rb") as nothing:
            for target, stream in ((0, nothing), (1, out), (2, out)):
                os.dup2(stream.fileno(), target)
        os.execv(command[0], command)
    _, status, used = os.wait4(child, 0)
    lines = said.read_text("utf-8", errors="replace").splitlines() or [""]
    first = "Traceback" if any("Traceback" in line for line in lines) else lines[0][:90]
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


def in_rules(make: Callable[[int], str]) -> Callable[[int], dict[str, str]]:
    return lambda n: {"play.rules": make(n)}


def main(words: list[str]) -> int:
    chosen = {name: make for name, make in designs().items() if not words or any(word in name for word in words)}
    os.environ["ICHIBA_TRUST"] = ""
    found = []
    for name, make in chosen.items():
        with tempfile.TemporaryDirectory() as folder:
            found.append(weighed(name, make(Path(folder))))
            print(found[-1], flush=True)
    print("\nthe dearest:", *sorted(found, key=lambda one: one.seconds)[-12:], sep="\n")
    over = [one for one in found if one.too_much]
    print(f"\n{len(found)} designs; too much: {len(over)}", *over, sep="\n")
    return bool(over)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
