"""Where steps are counted: in whatever could take very many of them, and in all that is reached from there.

What surely takes few steps is not counted at all, so that honest rules pay nothing for it. `dsl.extent` says how many it can
be at most: it is never too few, but may be too many, which costs a little time and no game.

Of a ruleset that nobody vouches for everything is counted (`World.closely`): very many parts, each of which takes few steps, come to
much as well. A step then is as much as stands in what is gone through once more, so that long sentences are no way round it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import effect_of
from ichiba.dsl.rules.extent import MANY, Extents
from ichiba.dsl.rules.walks import children, functions_of, procedures_of, steps, walk

MANY_STEPS = 10**7  # what could take more is counted while it runs
MANY_CANDIDATES = 10**6  # of one option, before anything narrows them
LIST_STEPS = 2 * 10**8  # of one option with all its candidates
FEW_STEPS = 100  # what takes no more is not counted anywhere
LATE_STEPS = 1_000  # labels, keys, reasons and policies are worked out for each of many options
WATCH_STEPS = 250  # rules with `whenever` look after each effect; each look is a step

AT_ONCE = 64  # parts of rules that count as one step, where everything is counted
RESET = 8  # parts that one place comes to which is set back
SMALL = 200  # what takes no more steps is counted together with what stands around it
ALL_PIECES = (ir.MoveSome, ir.MoveSet, ir.Draw, ir.Pick, ir.Shuffle, ir.Reveal, ir.KeepSet)
ALL_SORTS = (ir.Pieces, ir.CountIn, ir.Contains, ir.SortSet)

Called = ir.Function | ir.Procedure


def takes_long(extents: Extents, option: ir.Option) -> bool:
    """Whether making one option for all that it ranges over could take very long, or make a very long list."""
    if extents.world.closely or extents.options(option) > LIST_STEPS:
        return True
    many = 1
    for bind in option.binds:
        many = min(MANY, many * extents.size(bind.set)[1])
    return many > MANY_CANDIDATES and len(option.binds) > 1


def steps_of(extents: Extents, watcher: ir.Watcher) -> int:
    """How many steps one look of a rule with `whenever` can take."""
    many = extents.size(watcher.set)[1] if watcher.set is not None else 1
    return min(MANY, many * extents.steps(watcher.test))


def is_small(extents: Extents, *parts: ir.Node | None) -> bool:
    """Whether its steps count together with what stands around it, loops and calls included."""
    if sum(map(extents.steps, parts)) > SMALL:
        return False
    pieces = pieces_of(extents)
    return not any(_at_once(node, pieces) > SMALL for part in parts for node in walk(part))


def _together(node: object, pieces: int, sorts: int) -> int:
    return _at_once(node, pieces) + (sorts // AT_ONCE if isinstance(node, ALL_SORTS) else 0)


def _at_once(node: object, pieces: int) -> int:
    """What a single move goes through."""
    if isinstance(node, ir.Reset):
        return node.member.size * RESET
    return pieces if isinstance(node, ALL_PIECES) else 0


def pieces_of(extents: Extents) -> int:
    """What a single move may have to look at."""
    return len(extents.world.sorts) + sum(sort.number for sort in extents.world.sorts)


def worth(extents: Extents, *parts: ir.Node | None) -> int:
    """As how many steps it counts to go through these parts once, where everything is counted: by how much stands there, and by
    the pieces that one move may take along. Of what is not small, loops and what is called count themselves."""
    pieces, sorts = pieces_of(extents), len(extents.world.sorts)
    found, todo = 0, [part for part in parts if part is not None]
    while todo:
        node = todo.pop()
        steps = extents.steps(node)
        if steps <= SMALL:
            found += steps + sum(_together(inner, pieces, sorts) for inner in walk(node))
        else:
            found += 1 + _together(node, pieces, sorts)
            todo += children(node)
    return 1 + found // AT_ONCE


class Busy:
    """The functions and procedures of a program in which steps are counted: `reached` while a game goes on, `late` also where
    words, keys and policies are worked out. These are written apart, so that the rules do not pay for them."""

    def __init__(self, program: ir.Program, asking: Container[ir.Procedure]):
        self.extents = Extents(program.world)
        self.asking = asking
        self.reached: set[Called] = set()
        self.late: set[Called] = set()
        for procedure in program.procedures:
            if procedure.body is not None:
                self.extents.learn(procedure.body, procedure.results)
                self.extents.steps(procedure.body)  # by which its binders become known
                self._look(procedure.body)
        for watcher in program.watchers.values():
            if watcher.var is not None and watcher.set is not None:
                self.extents.note(watcher.var, watcher.set)
            if steps_of(self.extents, watcher) > WATCH_STEPS:
                _reach([watcher.test], self.reached)
            if self.extents.steps(watcher.procedure.body) > WATCH_STEPS:
                self.reached.add(watcher.procedure)
                _reach([watcher.procedure.body], self.reached)
        for preferences in program.policies.values():
            for preference in preferences:
                for part in (*(domain for _, domain in preference.binders), preference.when, preference.weight, preference.nearest):
                    self._worked_out_late(part)
        self.late |= self.reached

    def _look(self, node: ir.Node) -> None:
        """The largest parts in which nobody is asked: from question to question the steps are counted anew."""
        if isinstance(node, ir.Option):
            if takes_long(self.extents, node):
                _reach((*node.binds, *node.tests), self.reached)
            for part in (node.label, *(node.keys or ()), *(test.reason for test in node.tests)):
                self._worked_out_late(part)
            self._look(node.body)
        elif self._asks(node):
            for inner in children(node):
                self._look(inner)
        elif self.extents.steps(node) > MANY_STEPS:
            _reach([node], self.reached)

    def _worked_out_late(self, part: ir.Node | None) -> None:
        if part is not None and self.extents.steps(part) > LATE_STEPS:
            _reach([part], self.late)

    def _asks(self, node: ir.Node) -> bool:
        """Whether somebody answers in a part, or a block is left."""
        for effect in map(effect_of, steps(node)):
            if effect.asks or effect.leaves == "block":
                return True
            if effect.performs is not None and any(called in self.asking for called in procedures_of(effect.performs)):
                return True
        return False


def _reach(parts: Iterable[object], known: set[Called]) -> None:
    """Whatever these parts lead to becomes known."""
    todo = list(parts)
    while todo:
        for called in called_in(todo.pop()):
            if called not in known:
                known.add(called)
                if called.body is not None:
                    todo.append(called.body)


def called_in(node: object) -> Iterator[Called]:
    """The functions and procedures that a part calls directly."""
    for part in walk(node):
        effect = effect_of(part)
        if effect.calls is not None:
            yield from functions_of(effect.calls)
        if effect.performs is not None:
            yield from procedures_of(effect.performs)
