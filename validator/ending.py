"""Games end: menus use something up, turns have a clock, triggers come to rest; and somebody wins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import assert_never

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.files.folders import files_below
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import PLACES, Reads, effect_of, touched_by, touches, writes_of
from ichiba.dsl.rules.walks import procedures_of, reached_procedures
from ichiba.dsl.rules.walks import steps as moves
from ichiba.dsl.syntax.wording import words_of
from ichiba.dsl.world.world import Member, World
from ichiba.dsl.yaml.declarations import Box
from ichiba.validator.waking import Waking


class Endings:
    """Judges what goes round and round, and how it stops."""

    def __init__(self, folder: Path, box: Box, world: World, program: ir.Program, faults: Faults):
        self.folder, self.box, self.world, self.program, self.faults = folder, box, world, program, faults
        self.reads = Reads()
        self.known: dict[int, list[ir.Move]] = {}
        self.reached = reached_procedures(program)

    def judge(self) -> None:
        for procedure in self.program.procedures:
            if procedure.body is None or procedure not in self.reached:
                continue
            for node in self.steps(procedure.body):
                if isinstance(node, ir.Offer) and node.times in ("until_done", "at_least_once"):
                    self.menu(node)
                elif isinstance(node, ir.Turns) and node.until is not None and node.ending is None:
                    self.turns(node)
        self.triggers()
        self.endings()
        self.winner()
        self.never_performed()

    # ---------------------------------------------------------------------------------- menus and turns

    def menu(self, offer: ir.Offer) -> None:
        """Taking an option must have to do with whether it can be taken again."""
        for option in offer.decide.options:
            if option.ends or self.leaves(option.body):
                continue
            changed = frozenset(
                m for m in self.changes(option.body) if not _is_bookkeeping(m) and not m.unlimited
            )
            span = option.span or offer.decide.span
            if not changed:
                self.faults.add(
                    "E527", span, f"the option `{option.name}` changes nothing, and can be taken again and again",
                    label=f"let it use something up, or `leave {offer.name}`",
                )  # fmt: skip
                continue
            parts: list[object] = [d.test for d in option.tests] + [b.set for b in option.binds] + [b.test for b in option.binds]
            parts += [offer.condition, *self.requirements(option.body)]
            read = frozenset(m for part in parts if part is not None for m in self.reads.of(part))
            if not _meet(changed, read):
                self.faults.add(
                    "W604", span, f"nothing that the option `{option.name}` changes decides whether it can be taken again",
                    label="a cost, a limit such as `once per turn`, or a guard would end it",
                )  # fmt: skip

    def requirements(self, body: ir.Block) -> Iterator[object]:
        """What the dry run of a body looks at: requirements, purses, and the questions in it."""
        for node in self.deeply(body):
            match node:
                case ir.Require(test=test):
                    yield test
                case ir.Pay(tail="in_full", source=ir.PurseAt(member=member) as source) if not member.unlimited:
                    yield source
                case ir.Option(binds=binds, tests=tests):
                    yield from (part for bind in binds for part in (bind.set, bind.test))
                    yield from (demand.test for demand in tests)
                case ir.ChooseSome(set=inner):
                    yield inner
                case (
                    ir.Assign() | ir.KeepSet() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece()
                    | ir.MoveSet() | ir.Draw() | ir.Pick() | ir.Shuffle() | ir.Block() | ir.If() | ir.For()
                    | ir.Repeat() | ir.Turns() | ir.Perform() | ir.Named() | ir.Leave() | ir.GiveBack()
                    | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.Decide() | ir.Offer()
                    | ir.Secret()
                ):  # nothing is looked at beforehand
                    pass
                case _:
                    assert_never(node)

    def steps(self, body: ir.Block) -> list[ir.Move]:
        """The moves of a body, kept."""
        if id(body) not in self.known:
            found = list(moves(body))
            demands = [s for n in found if isinstance(n, ir.Block) for s in n.body if isinstance(s, ir.Require)]
            self.known[id(body)] = [*(n for n in found if not isinstance(n, ir.Block)), *demands]
        return self.known[id(body)]

    def deeply(self, body: ir.Block | None) -> Iterator[ir.Move]:
        """A body and all that it performs."""
        todo, seen = [body] if body is not None else [], set()
        while todo:
            for node in self.steps(todo.pop()):
                yield node
                if isinstance(node, ir.Perform):
                    new = [p for p in procedures_of(node.procedure) if p not in seen and p.body is not None]
                    seen.update(new)
                    todo += [p.body for p in new if p.body is not None]

    def changes(self, body: ir.Block | None) -> frozenset[Member]:
        found: set[Member] = set()
        for node in self.deeply(body):
            found |= effect_of(node).written_in(self.world)
        return frozenset(found)

    def leaves(self, body: ir.Block | None) -> bool:
        """Whether it ends something that is running, now or later."""
        inside = {n.name for n in self.deeply(body) if isinstance(n, ir.Named)}
        return any(isinstance(n, ir.Leave) and n.name not in inside for n in self.deeply(body))

    def turns(self, turns: ir.Turns) -> None:
        """Where a whole turn can pass without anything happening, only a clock ends the game."""
        passing = self.passes(turns.body)
        if passing is not None and turns.until is not None:
            self.faults.add(
                "W605", turns.span, "a turn can pass here without anything happening, and the clock has no name",
                label="`at most … times then end as clock`",
                second=(passing.span, "by this alone") if passing.span is not None else None,
            )  # fmt: skip

    def passes(self, body: ir.Block | None) -> ir.Option | None:
        """An option that can always be taken and changes nothing, in a turn that changes nothing else."""
        offers = [n for n in self.deeply(body) if isinstance(n, ir.Offer)]
        inner = {id(o) for offer in offers for option in offer.decide.options for o in self.deeply(option.body)}
        outer = [offer for offer in offers if id(offer) not in inner]
        if len(outer) != 1 or self.changes_outside(body, outer[0]):
            return None
        for option in outer[0].decide.options:
            if not option.tests and not option.binds and not self.changes(option.body):
                if outer[0].times != "at_least_once" or not option.ends:
                    return option
        return None

    def changes_outside(self, body: ir.Block | None, offer: ir.Offer) -> bool:
        """Whether a turn changes something whatever is answered."""
        all_of_it = [n for n in self.deeply(body) if writes_of(n)]
        within = {id(n) for option in offer.decide.options for n in self.deeply(option.body)}
        kept = [n for n in all_of_it if id(n) not in within]
        return any(not _is_bookkeeping(m) for n in kept if not isinstance(n, ir.Reset) for m in writes_of(n))

    # ------------------------------------------------------------------------------------------ triggers

    def triggers(self) -> None:
        """Rules with `whenever` that make each other true, for ever."""
        watchers = {name: w for name, w in self.program.watchers.items() if not w.once}
        reads = {name: self.reads.of(w.test) | (self.reads.of(w.set) if w.set is not None else frozenset()) for name, w in watchers.items()}
        waking = Waking(
            {name: self.changes(w.procedure.body) for name, w in watchers.items()},
            {name: touched_by(read) for name, read in reads.items()},
        )
        for circle in waking.circles():
            self.faults.add(
                "W603", watchers[circle[0]].procedure.span,
                "these rules may wake each other for ever: " + " → ".join([*circle, circle[0]]),
                label="`once`, or a condition that the other rule cannot make true again",
            )  # fmt: skip

    # ------------------------------------------------------------------------------------------- the end

    def endings(self) -> None:
        """Names of endings that no rule ever gives."""
        used = set()
        for procedure in self.reached:
            for node in self.steps(procedure.body) if procedure.body is not None else ():
                if isinstance(node, ir.EndAs | ir.Turns) and node.ending is not None:
                    used.add(self.program.endings[node.ending])
        for name in self.box.endings:
            if name not in used and not self._elsewhere(name):
                self.faults.add("W608", None, f"no game ends as `{name}`", label=f"nothing says `end as {name}`")

    def _elsewhere(self, name: str) -> bool:
        """Whether a module that is switched off says so."""
        read = {source.path for source in self.box.sources}
        said = ("end", "as", name)
        for path in files_below(self.folder, ".rules", ".yaml"):
            shown = path.relative_to(self.folder.parent).as_posix()
            if shown not in read and path.stat().st_size < 300_000 and _stands_in(said, _words_in(path.read_text("utf-8", "replace"))):
                return True
        return False

    def winner(self) -> None:
        lines = [n for n in self.deeply(self.program.scoring.body) if isinstance(n, ir.Score)]
        if not lines:
            self.faults.add("W609", self.program.scoring.span, "nobody ever scores anything", label="`score \"…\"` gives points")
        if not self.program.ranking:
            self.faults.add("W609", self.program.scoring.span, "nothing says who wins: all seats share the first place",
                            label="for example `ranking: highest total else shared`")  # fmt: skip

    # --------------------------------------------------------------------------------------------- reach

    def never_performed(self) -> None:
        """Procedures of the ruleset's own that nothing performs. Those of a library may wait for another game."""
        reached = {id(p.span) for p in self.reached} | {p.name.split(" of ")[0] for p in self.reached}
        mentioned: set[str] | None = None
        for procedure in self.program.procedures:
            if procedure in self.reached or procedure.span is None or procedure.home.startswith("library"):
                continue
            plain = procedure.name.split(" of ")[0].rpartition(".")[2]
            if procedure.name.split(" of ")[0] in reached or " " in procedure.name:
                continue
            mentioned = self._mentioned() if mentioned is None else mentioned
            if plain in mentioned:
                continue
            self.faults.add("W606", procedure.span, f"`{procedure.name}` is never performed",
                            label="perform it somewhere, or remove it")  # fmt: skip

    def _mentioned(self) -> set[str]:
        """Words that stand in rules of modules that are off, or in rules that could not be reached for another reason."""
        found: set[str] = set()
        read = {source.path for source in self.box.sources}
        for path in files_below(self.folder, ".rules", ".yaml"):
            shown = path.relative_to(self.folder.parent).as_posix()
            if shown not in read and path.stat().st_size < 300_000:
                found.update(_words_in(path.read_text("utf-8", "replace")))
        return found


@lru_cache(maxsize=500)  # checking reads the same files for every setting
def _words_in(text: str) -> tuple[str, ...]:
    return tuple(words_of(text))


def _stands_in(said: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether these words follow each other somewhere."""
    return any(words[at : at + len(said)] == said for at, word in enumerate(words) if word == said[0])


def _is_bookkeeping(member: Member) -> bool:
    """What the engine notes for itself. That an option was taken once is another matter: it uses something up."""
    return bool(member.internal) and member.internal != "once"


def _meet(changed: frozenset[Member], read: frozenset[Member]) -> bool:
    if changed & read - {PLACES}:
        return True
    return touches(changed, read)


__all__ = ["Endings"]
