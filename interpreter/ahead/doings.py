"""What parts of rules may do: the members that are written, the sorts of which pieces change places, the blocks that are left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import ANY_ZONE, PLACES, effect_of, moved_sorts
from ichiba.dsl.rules.walks import procedures_of, steps, walk
from ichiba.dsl.world.world import Member
from ichiba.interpreter.ahead.path import Path

Found = TypeVar("Found")


@dataclass
class Done:
    """What statements may do to the state."""

    written: set[Member] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)  # sorts of which pieces change places

    def add(self, other: Done) -> None:
        self.written |= other.written
        self.moved |= other.moved


class Doings:
    """What parts of a program may do, each looked at once."""

    def __init__(self, program: ir.Program):
        self.program, self.world = program, program.world
        self.done: dict[ir.Procedure, Done] = {}
        self.found: dict[tuple[str, int], tuple[object, object]] = {}

    def once(self, what: str, node: Any, look: Callable[[Any], Found]) -> Found:
        """What is found out about a part of the rules, which stays as it is."""
        key = what, id(node)
        if key not in self.found:
            self.found[key] = look(node), node  # kept, so that no other takes its place
        return cast(Found, self.found[key][0])

    def note(self, s: object, path: Path) -> None:
        """All of this has perhaps happened."""
        done, changed = self.once("done", s, self._effects)
        path.write(done.written)
        path.moved |= done.moved
        path.lost |= changed

    def _effects(self, s: object) -> tuple[Done, set[ir.Var]]:
        """What is done to the state, and the variables that get another value."""
        changed: set[ir.Var] = set()
        for node in walk(s):
            changed.update(effect_of(node).names)
        return self._writes(s), changed

    def left_by(self, body: ir.Block) -> frozenset[str]:
        """The names of the blocks that are left somewhere in this one; `""`: a rule is."""
        return frozenset(
            n.name if isinstance(n, ir.Leave) else "" for n in steps(body) if isinstance(n, ir.Leave | ir.GiveBack)
        )

    def _writes(self, s: object) -> Done:
        """Members that are written, and sorts that are moved; procedures and triggers entered."""
        done = Done()
        for node in steps(s):
            effect = effect_of(node)
            for procedure in procedures_of(effect.performs) if effect.performs is not None else ():
                done.add(self._writes_of(procedure))
            watchers = self.program.watchers
            for known in watchers.values() if effect.wakes_at_end else [watchers[name] for name in effect.wakes]:
                done.add(self._writes_of(known.procedure))
                done.written.add(known.state)
                if known.pending is not None:
                    done.written.add(known.pending)
            done.written |= effect.written_in(self.world) - {PLACES, ANY_ZONE}
            if effect.moves is not None:
                done.moved |= set(range(len(self.world.sorts))) if effect.turns else moved_sorts(node, self.world)
        return done

    def _writes_of(self, procedure: ir.Procedure) -> Done:
        if procedure not in self.done:
            self.done[procedure] = Done()  # nothing performs itself
            if procedure.body is not None:
                self.done[procedure] = self._writes(procedure.body)
        return self.done[procedure]


def comes_back_early(body: ir.Block) -> bool:
    """Whether something is given back elsewhere than at the very end."""
    *before, last = body.body or (None,)
    if any(isinstance(n, ir.GiveBack) for s in before for n in steps(s)):
        return True
    if isinstance(last, ir.Block):
        return comes_back_early(last)
    if isinstance(last, ir.Named):
        return comes_back_early(last.body)
    return not isinstance(last, ir.GiveBack) and any(isinstance(n, ir.GiveBack) for n in steps(last))
