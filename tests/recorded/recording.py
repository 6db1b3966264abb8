"""Games of version 1 of the language, written down: what was set up, every answer, and a digest of what there was to see.

`python -m tests.recorded.recording` makes `version_1.tar.xz` anew: the rulesets as they stood, five hundred small ones made by
chance, and games of all of them. It is made once and then left alone. Nothing in it hangs on how a state is laid out: a digest
is taken of what is asked, with all its answers, and of what seats and lookers-on see.
"""

from __future__ import annotations

import json
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random

import ichiba
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.sight.views import view_of
from tests.properties.tables import HEAVY, Setting, few, loaded, loads, plain
from tests.reference.generated import made

ARCHIVE = Path(__file__).with_name("version_1.tar.xz")
GAMES = "games.jsonl"
GENERATED = 500  # rulesets made by chance
LONGEST = 60  # decisions of a game of those
SEEN = ("table", "seats", "things", "over", "ending")  # of a view


@dataclass(frozen=True)
class Recorded:
    """One game: how it was set up, who answered what, and the digests before each answer and at the end."""

    folder: str  # in the archive
    seats: int
    modules: tuple[str, ...]
    variants: tuple[str, ...]
    options: tuple[tuple[str, object], ...]
    seed: int
    answers: tuple[tuple[int, str], ...]
    digests: tuple[str, ...]
    end: str  # `over`, `so far`, or what broke it off

    @property
    def name(self) -> str:
        return "-".join([self.folder.replace("/", "_"), str(self.seats), *self.modules, *self.variants, *(f"{k}={v}" for k, v in self.options)])


def digest(table: ichiba.Table, number: int) -> str:
    """Of what is asked, and of what one of the seats, or somebody who looks on, sees; each has its turn."""
    who = number % (table.game.seats + 1)
    asked = [[one.seat, one.path, [option.key for option in one.options]] for one in table.pending]
    view = view_of(table, who or None, log=False)
    seen = [asked, [view[part] for part in SEEN], table.scores, table.ranking if table.over else None]
    return sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:8]


def played(game: ichiba.Game, seed: int, longest: int) -> tuple[list[tuple[int, str]], list[str], str]:
    """A random game, written down, as far as its rules bear it."""
    table, random = game.start(seed=seed), Random(seed)
    answers: list[tuple[int, str]] = []
    digests: list[str] = []
    try:
        digests.append(digest(table, 0))
        while not table.over and len(answers) < longest:
            decision = random.choice(table.pending)
            key = random.choice(decision.options).key
            answers.append((decision.seat, key))
            table.play(key, seat=decision.seat)
            digests.append(digest(table, len(answers)))
    except RuleFault as fault:
        return answers, digests, str(fault)
    return answers, digests, "over" if table.over else "so far"


def played_again(game: ichiba.Game, recorded: Recorded) -> None:
    """The same answers lead to the same game."""
    table, number = game.start(seed=recorded.seed), 0
    try:
        assert digest(table, 0) == recorded.digests[0], "it begins otherwise"
        for number, (seat, key) in enumerate(recorded.answers, start=1):
            table.play(key, seat=seat)
            assert digest(table, number) == recorded.digests[number], f"it goes on otherwise after answer {number}, {key} of seat {seat}"
    except RuleFault as fault:
        assert number == len(recorded.digests) and str(fault) == recorded.end, f"it breaks off at answer {number}: {fault}"
        return
    assert recorded.end == ("over" if table.over else "so far")


# ---------------------------------------------------------------------------------------------- the archive


def games() -> list[Recorded]:
    """All games of the archive."""
    with tarfile.open(ARCHIVE) as archive:
        told = archive.extractfile(GAMES)
        assert told is not None
        return [_recorded(json.loads(line)) for line in told]


def _recorded(told: dict[str, object]) -> Recorded:
    def tuples(value: object) -> object:
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    return Recorded(**{name: tuples(value) for name, value in told.items()})  # type: ignore[arg-type]


def texts() -> dict[str, bytes]:
    """By their paths in the archive: the files of all its rulesets."""
    with tarfile.open(ARCHIVE) as archive:
        files = ((member.name, archive.extractfile(member)) for member in archive)
        return {name: file.read() for name, file in files if file is not None and name != GAMES}


def unpacked(folder: str, files: dict[str, bytes], into: Path) -> Path:
    """One of the rulesets on disk."""
    for path, text in files.items():
        if path.startswith(folder + "/"):
            (into / path).parent.mkdir(parents=True, exist_ok=True)
            (into / path).write_bytes(text)
    return into / folder


def settings() -> Iterator[Setting]:
    for ruleset in rulesets():
        yield from dict.fromkeys([*(one for one in plain() if one.ruleset == ruleset), *few(ruleset)])


def _own() -> Iterator[Recorded]:
    for setting in settings():
        if not loads(setting):
            continue
        game = loaded(setting)
        for seed in (1,) if setting.ruleset in HEAVY else (1, 2, 3):
            answers, digests, end = played(game, seed, 10**9)
            modules = tuple(part for part in setting.parts if part in game.config.modules)
            variants = tuple(part for part in setting.parts if part in game.config.variants)
            folder = f"rulesets/{setting.ruleset}"
            yield Recorded(folder, setting.seats, modules, variants, setting.options, seed, tuple(answers), tuple(digests), end)


def _generated(into: dict[str, str]) -> Iterator[Recorded]:
    """Of the first rulesets made by chance that can be played."""
    found = seed = 0
    while found < GENERATED:
        ruleset, seats = made(seed), 2 + seed % 2
        with tempfile.TemporaryDirectory() as place:
            for path, text in ruleset.files.items():
                (Path(place) / "made" / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(place) / "made" / path).write_text(text, encoding="utf-8")
            try:
                game = ichiba.load(Path(place) / "made", seats=seats, trust=True, modules=ruleset.modules, variants=ruleset.variants)
            except ichiba.RulesetFaults:
                game = None
        if game is not None:
            folder = f"generated/{seed}/made"
            into.update({f"{folder}/{path}": text for path, text in ruleset.files.items()})
            answers, digests, end = played(game, seed, LONGEST)
            yield Recorded(folder, seats, ruleset.modules, ruleset.variants, (), seed, tuple(answers), tuple(digests), end)
            found += 1
        seed += 1


def main() -> None:
    if ARCHIVE.exists():
        sys.exit(f"{ARCHIVE.name} is there: it is made once. Take it away first, if you mean it.")
    root = Path(__file__).parents[2]
    written = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((root / "rulesets").rglob("*"))
        if path.suffix in (".yaml", ".rules")
    }
    recorded = [*_own(), *_generated(written)]
    written[GAMES] = "".join(json.dumps(asdict(one)) + "\n" for one in recorded)
    with tarfile.open(ARCHIVE, "w:xz") as archive:
        for path, text in written.items():
            member = tarfile.TarInfo(path)
            member.size = len(text.encode())
            archive.addfile(member, BytesIO(text.encode()))
    print(f"{len(recorded)} games, {sum(len(one.answers) for one in recorded)} answers, {ARCHIVE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
