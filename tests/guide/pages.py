"""The pages of docs/guide, followed as they are read: files are written, commands typed, Python run.

Each page begins in an empty folder. A block is one of these:

    console     `$ ichiba …` and what it says; a line `> 2` below `ichiba play` is what somebody types there
    python      is run; what is called by a name stays known to the next block
    diff        its first line names a file; the others are an edit of it
    any other   its first line names a file, `# bazaar/boards/silk.yaml`; the others are what it holds

What a command says stands there as it is, or with `…` in place of lines that are left out. `python -m tests.guide.pages`
writes it anew; the difference is reviewed like code.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.house.test_pages import LEFT_OUT, missing
from tests.table.door import Said, ichiba

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ([\w./]+\.(?:yaml|rules))$")
OF_THE_DAY = (  # what is another one whenever somebody types it
    (r"-\d{8}-\d{6}(-\d+)?\b", "-20261119-200000"),
    (r"games in [\d,.]+ s \([\d,.]+ a second(, in machine code)?\)", "games in 0.5 s (400 a second)"),
)
PROMPT, TYPED = "$ ", re.compile(r"^(?:seat \d+)?> (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One block of a page."""

    page: str
    number: int
    form: str
    text: str

    def __str__(self) -> str:
        return f"{self.page} {self.number}: {self.text.partition(chr(10))[0]}"


@dataclass(frozen=True)
class Wrong:
    """What is otherwise than a page says."""

    what: str
    found: str = ""

    def __str__(self) -> str:
        return f"{self.what}\n{self.found}"


def blocks(page: Path) -> list[Block]:
    return [Block(page.name, n, found[1], found[2]) for n, found in enumerate(FENCE.finditer(page.read_text(encoding="utf-8")), 1)]


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command, and what stands below it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, said = part.partition("\n")
        yield command, said


def leaves_out(shown: str) -> bool:
    return LEFT_OUT in shown.splitlines()


class Reader:
    """Somebody who does what the pages say, in the folder where they stand now."""

    def __init__(self) -> None:
        self.names: dict[str, object] = {}

    def follow(self, block: Block) -> list[Wrong]:
        match block.form:
            case "console":
                return [wrong for command, said in commands(block) if (wrong := self._wrong(command, said)) is not None]
            case "python":
                exec(compile(block.text, str(block), "exec"), self.names)
                return []
            case _:
                return _write(block)

    def _wrong(self, command: str, shown: str) -> Wrong | None:
        whole = self.told(command, shown)
        alike = missing(shown, whole) == "" if leaves_out(shown) else shown.rstrip("\n") == whole
        return None if alike else Wrong(f"`{command}` says", whole)

    def told(self, command: str, shown: str) -> str:
        """What a command says to whoever types it, and what is shown to be typed."""
        said = _typed(shlex.split(command), "".join(f"{line}\n" for line in TYPED.findall(shown)))
        lines = (said.out + said.err).strip("\n").splitlines()
        whole = "\n".join(line.rstrip() for line in lines)
        for differing, always in OF_THE_DAY:
            whole = re.sub(differing, always, whole)
        return whole


def _typed(words: list[str], lines: str) -> Said:
    match words:
        case ["ichiba", *rest]:
            return ichiba(*rest, typed=lines)
        case ["cd", place]:
            os.chdir(place)
            return Said(0, "", "")
        case ["cp", "-r", source, target]:
            shutil.copytree(source, target)
            return Said(0, "", "")
        case ["cat", file]:
            return Said(0, Path(file).read_text(encoding="utf-8"), "")
        case _:
            raise ValueError(f"nobody knows how to type `{shlex.join(words)}`")


def _write(block: Block) -> list[Wrong]:
    first, _, rest = block.text.partition("\n")
    named = FILE.match(first)
    if named is None:
        return [Wrong("the block does not say of which file it is")]
    path = Path(named[1])
    if block.form != "diff":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rest, encoding="utf-8")
        return []
    text, was, now = path.read_text(encoding="utf-8"), *_sides(rest)
    if text.count(was) != 1:
        return [Wrong(f"{path} has these lines {text.count(was)} times", was)]
    path.write_text(text.replace(was, now), encoding="utf-8")
    return []


def _sides(edit: str) -> tuple[str, str]:
    """The lines before and after."""
    lines = edit.splitlines(keepends=True)
    return tuple("".join(line[1:] or "\n" for line in lines if line[0] != sign) for sign in "+-")  # type: ignore[return-value]


@contextmanager
def empty_folder() -> Iterator[None]:
    """Where nobody has been: games that are kept stay there, too."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        try:
            yield
        finally:
            os.chdir(before)


def renewed(page: Path) -> str:
    """The page with what its commands say now, but where lines are left out."""
    reader, of_page = Reader(), iter(blocks(page))

    def followed(found: re.Match[str]) -> str:
        block = next(of_page)
        if block.form == "console":
            return f"```console\n{''.join(_renewed(reader, block))}```"
        for wrong in reader.follow(block):
            print(f"{block}: {wrong}", file=sys.stderr)
        return found[0]

    return FENCE.sub(followed, page.read_text(encoding="utf-8"))


def _renewed(reader: Reader, block: Block) -> Iterator[str]:
    for command, said in commands(block):
        whole = reader.told(command, said)
        if not leaves_out(said):
            yield f"{PROMPT}{command}\n{whole}\n" if whole else f"{PROMPT}{command}\n"
            continue
        if lost := missing(said, whole):
            print(f"{block}: `{command}` does not say:\n{lost}\nbut:\n{whole}\n", file=sys.stderr)
        yield f"{PROMPT}{command}\n{said}"


def main(names: list[str]) -> None:
    os.environ["ICHIBA_TRUST"] = "1"
    for page in sorted(GUIDE.glob("*.md")):
        if not names or page.stem in names:
            with empty_folder():
                os.environ["ICHIBA_SAVES"] = str(Path("saves").absolute())
                text = renewed(page)
            page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
