"""Odd but legal uses of every sentence: each case in `odd/` is a small ruleset, and what docs/semantics.md says of it.

A case begins with `== its claim`. Then come files of the tiny game (see tiny.py: `# boards/mill.yaml` heads one), then steps:

    > seats 3 · > modules rain, snow · > config {"quick": true}     before the game
    > chance draw/red, pick/2      what chance brings, from the beginning
    > play buy/2, 2: bid/300       answers, of the seat that is asked or of that seat
    > back 2                       a seat takes back what it has said in secret
    > asks 2 · > over              who is asked; that nobody is
    > options buy/1, done          exactly these answers, in this order; `options 2: …` of that seat
    > refused buy/3: too dear      that answer is refused, for a reason with these words
    > path visit/mill              of the question
    > so round = 3                 an expression that is true
    > sees 2: seats.1.hand = {"hidden": 2}     what a view holds; seat 0 is a spectator
    > told 2: draw/red, may/take   the log as that seat hears it, by its keys
    > policy buy/2                 what the ruleset's policy `sensible` answers
    > holds small · > not_held small       an invariant
    > scores 3, 4 · > places [[2], [1]] · > ending rich
    > alone                        the reference does not read it so, and why
    > breaks too few pieces        the last step, or the beginning, is a fault in play
    > fault E301: units            a fault at check; nothing else
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import RulesetFaults
from ichiba.dsl.world.world import Config
from ichiba.interpreter.run.decisions import IllegalMove
from ichiba.interpreter.run.game import Game, made
from ichiba.interpreter.run.table import Table
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.lab.policies import policy
from tests.language.tiny import files_of, ruleset
from tests.reference.lockstep import LockStep

ODD = Path(__file__).parent / "odd"


@dataclass(frozen=True)
class Case:
    claim: str
    rules: str
    steps: tuple[tuple[str, str], ...]
    place: str

    def said(self, word: str) -> str:
        return next((rest for known, rest in self.steps if known == word), "")


def cases() -> list[Case]:
    found: list[Case] = []
    for path in sorted(ODD.glob("*.odd")):
        for part in re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            claim, _, rest = part.partition("\n")
            lines = rest.splitlines()
            steps = tuple(_step(line[2:]) for line in lines if line.startswith("> "))
            rules = "\n".join(line for line in lines if not line.startswith("> ")).strip("\n") + "\n"
            found.append(Case(claim.strip(), rules, steps, f"{path.stem}: {claim.strip()}"))
    return found


def _step(line: str) -> tuple[str, str]:
    word, _, rest = line.strip().partition(" ")
    return word, rest.strip()


CASES = cases()


def listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def of_seat(text: str) -> tuple[int | None, str]:
    found = re.match(r"(\d+): *(.*)", text)
    return (int(found[1]), found[2]) if found else (None, text)


def load(case: Case, folder: Path) -> Game:
    """The ruleset of a case, written into a folder."""
    ruleset(folder.parent, files_of(case.rules))
    config = Config(
        int(case.said("seats") or 2),
        tuple(listed(case.said("modules"))),
        (),
        tuple(json.loads(case.said("config") or "{}").items()),
        tuple(json.loads(case.said("assumptions") or "{}").items()),
    )
    return made(folder, config)


@dataclass
class Run:
    """One case being played."""

    game: Game
    chance: tuple[str, ...]
    table: Table = field(init=False)
    broken: str | None = None

    def __post_init__(self) -> None:
        try:
            self.table = self.game.start(7, self.chance)
        except RuleFault as fault:
            self.broken = str(fault)

    def play(self, text: str) -> None:
        for item in listed(text):
            seat, key = of_seat(item)
            try:
                self.table.play(key, seat)
            except RuleFault as fault:
                self.broken = str(fault)

    def step(self, word: str, rest: str) -> None:
        if self.broken is not None:
            assert word == "breaks", f"it breaks: {self.broken}"
        match word:
            case "seats" | "modules" | "config" | "assumptions" | "chance" | "alone":
                return
            case "play":
                self.play(rest)
            case "back":
                self.table.take_back(int(rest))
            case "breaks":
                assert self.broken is not None, "nothing breaks"
                assert rest in self.broken, self.broken
                self.broken = None
            case "refused":
                key, _, why = rest.partition(": ")
                with pytest.raises(IllegalMove, match=re.escape(why)):
                    self.table.play(key)
            case _:
                wanted, found = self.compared(word, rest)
                assert found == wanted, f"{word} {rest}\nfound: {found}"

    def compared(self, word: str, rest: str) -> tuple[object, object]:
        table = self.table
        seat, text = of_seat(rest)
        match word:
            case "asks":
                return [int(item) for item in listed(rest)], [decision.seat for decision in table.pending]
            case "over":
                return True, table.over
            case "options":
                asked = table.decision if seat is None else next(d for d in table.pending if d.seat == seat)
                return listed(text), asked.keys() if asked is not None else None
            case "labels":
                return listed(text), [option.label for option in table.decision.options] if table.decision else None
            case "path":
                return rest, table.decision.path if table.decision else None
            case "so":
                left, equals, right = rest.rpartition(" = ")
                equals = equals if left.count("(") == left.count(")") else ""
                return (table.ask(right), table.ask(left)) if equals else (True, bool(table.ask(rest)))
            case "policy":
                asked = table.decision
                assert asked is not None
                return rest, asked.keys()[policy(self.game, "sensible", 7).index(asked)]
            case "holds" | "not_held":
                return word == "holds", rest not in self.game.broken(table.state)
            case "sees":
                path, _, value = text.partition(" = ")
                found: object = table.view(seat or None)
                for name in path.split("."):
                    found = found[int(name)] if isinstance(found, list) else found[name]  # type: ignore[index]
                return json.loads(value), found
            case "told":
                heard = table.view(seat or None)["log"]
                assert isinstance(heard, list)
                happened = [item for item in heard if item["event"] not in ("score", "end")]
                return listed(text), [str(item.get("key", item.get("what"))) for item in happened]
            case "scores":
                return [int(item) for item in listed(rest)], list(table.scores.values())
            case "places":
                return json.loads(rest), table.ranking
            case "ending":
                return rest, table.ending
        raise AssertionError(f"there is no step `{word}`")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_the_engine_does_what_the_page_says(case: Case, tmp_path: Path) -> None:
    wanted = [rest for word, rest in case.steps if word == "fault"]
    try:
        game = load(case, tmp_path / "tiny")
    except RulesetFaults as faults:
        told = sorted(fault.code for fault in faults.faults if fault.code.startswith("E"))
        assert told == sorted(rest.partition(":")[0] for rest in wanted), str(faults)
        for rest in wanted:
            assert rest.partition(":")[2].strip() in str(faults), str(faults)
        return
    assert not wanted, "check says nothing"
    run = Run(game, tuple(listed(case.said("chance"))))
    for word, rest in case.steps:
        run.step(word, rest)
    assert run.broken is None, f"it breaks: {run.broken}"


APART = {"fault", "breaks", "alone"}  # no game to be played to its end, or one that the reference reads otherwise
SOUND = [case for case in CASES if APART.isdisjoint(word for word, _ in case.steps)]


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.place)
def test_the_reference_reads_it_as_it_is_played(case: Case, tmp_path: Path) -> None:
    """Any answers, not only those of the case: options, state, views, logs and scores are the same."""
    folder = tmp_path / "tiny"
    game = load(case, folder)
    for seed in range(3):
        steps = LockStep(game, seed)
        with suppress(RuleFault):  # what is a fault in play comes to the same in both, before anything is compared
            steps.play(40)
