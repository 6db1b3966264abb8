"""Which questions would tell something by being skipped: those whose set of options hangs on what others may not see.

How many pieces lie in a hidden zone is open to all (unless it is `uncounted`), so what hangs on a size alone tells nothing.
A set of options hangs on what its domains, guards and costs read, and on what can stop an option's body: that is looked
for before it is offered. What a name stands for is followed back to where the name came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never, get_args

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import effect_of
from ichiba.dsl.rules.walks import children, functions_of, procedures_of, steps
from ichiba.dsl.rules.whence import Whence
from ichiba.dsl.world.constant import CannotWorkOut, Scope, evaluate
from ichiba.dsl.world.world import Member, World

Reads = frozenset["Member | Size"]  # what something reads; of what lies somewhere perhaps only how many there are
_IDLE = (*get_args(ir.Exp), *get_args(ir.Set), ir.SortSet, ir.Search, ir.Label, ir.Bind)  # these stop nothing
NOTHING: Reads = frozenset()
NONE: frozenset[Member] = frozenset()
Changes = dict[Member, Reads]  # what has been changed, and what that hangs on
Event = tuple[Reads, frozenset[Member]]  # what it hangs on that something is changed, or where nothing is, that one is stopped


MOST_LOOKED_AT = 20_000  # sentences, each as often as it is come to: of what comes to more it is taken that it tells something


class TooMuchToSay(Exception):
    """What it hangs on is not looked for any further."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many pieces lie in a zone."""

    zone: Member


def hidden_members(world: World) -> frozenset[Member]:
    """Every member that some seat or all may not see, as things stand in this configuration."""
    scope = Scope(
        world,
        {name: value for name, (value, _) in world.options.items() if isinstance(value, int)}
        | {n: v for n, (v, _) in world.numbers.items()},
    )
    found = set()
    for member in world.members():
        for word in ("hidden", "screened", "face_down"):
            given = member.words.get(word)
            if given is None:
                continue
            if given.arg is not None:
                try:
                    if not evaluate(given.arg, scope):
                        continue
                except CannotWorkOut:  # a condition that is not fixed counts as hidden
                    pass
            found.add(member)
    return frozenset(found)


def counts_whole(zone: ir.Exp, sorts: ir.SortSet, world: World) -> bool:
    """Whether all that a zone can hold is counted, and that number is open even where the pieces are hidden."""
    if isinstance(zone, ir.ZoneAt) and "uncounted" in zone.member.words:
        return False
    held = zone.member.sorts if isinstance(zone, ir.ZoneAt) else world.categories.get(zone.kind.name, ())
    return sorts.one is None and set(held) <= set(sorts.sorts)


def mark_hiding_questions(program: ir.Program) -> None:
    """Marks the questions that are always asked, also when only one answer is left."""
    hidden = hidden_members(program.world)
    if not hidden:
        return
    content = Content(program, hidden)
    for procedure in program.procedures:
        for node in steps(procedure.body) if procedure.body is not None else ():
            if isinstance(node, ir.Decide):
                node.never_skip = not node.only_choice and any(content.tells(content.of_option(option)) for option in node.options)
            elif isinstance(node, ir.ChooseSome):
                node.never_skip = content.tells(content.of(_of_bag(node)))


def _followed(stops: Reads, changes: Changes) -> Reads:
    """What one is stopped by may have been changed before: then it hangs on what that change hangs on."""
    found, todo = set(stops), list(stops)
    while todo:
        one = todo.pop()
        new = changes.get(one.zone if isinstance(one, Size) else one, NOTHING) - found
        found |= new
        todo += new
    return frozenset(found)


def _of_bag(s: ir.ChooseSome) -> list[object]:
    return [s.set, s.least, s.most, s.step, s.worth_least, s.worth_most, *s.worth_args]


class Content:
    """What expressions, and bodies that are tried out, read of what is hidden."""

    def __init__(self, program: ir.Program, hidden: frozenset[Member]):
        self.world, self.hidden, self.whence, self.looked_at = program.world, hidden, Whence(program), 0
        self.functions: dict[ir.Function, Reads] = {}
        self.procedures: dict[ir.Procedure, tuple[Reads, bool]] = {}
        self.names: dict[ir.Var, Reads] = {}
        self.given: dict[ir.Procedure, list[tuple[ir.Exp, ...]]] = {}  # what procedures give back
        self.sources: dict[ir.Var, list[object]] = {}  # where a name has its value from
        for procedure in program.procedures:
            for node in steps(procedure.body) if procedure.body is not None else ():
                self._follow(node)

    def _follow(self, node: ir.Move) -> None:
        match node:
            case ir.Assign(var=var, value=value) | ir.KeepSet(var=var, value=value) | ir.For(var=var, set=value):
                self.sources.setdefault(var, []).append(value)
            case ir.Perform(procedure=ref, args=args, results=results):
                for callee in procedures_of(ref):
                    for param, arg in zip(callee.params, args, strict=False):
                        self.sources.setdefault(param, []).append(arg)
                    given = self._given_back(callee) if results else []
                    for at, var in enumerate(results):
                        self.sources.setdefault(var, []).extend(values[at] for values in given if at < len(values))
            case (
                ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet() | ir.Draw() | ir.Pick()
                | ir.Shuffle() | ir.Require() | ir.Block() | ir.If() | ir.Repeat() | ir.Turns() | ir.Named()
                | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush()
                | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret() | ir.Option()
            ):  # no name gets its value here, or by chance and from those who choose
                pass
            case _:
                assert_never(node)

    def _given_back(self, callee: ir.Procedure) -> list[tuple[ir.Exp, ...]]:
        """What it gives back, in all places: looked for once, however often it is performed."""
        if callee not in self.given:
            self.given[callee] = [node.values for node in steps(callee.body) if isinstance(node, ir.GiveBack)]
        return self.given[callee]

    # ------------------------------------------------------------------------------------------ expressions

    def of(self, node: object) -> Reads:
        """What an expression, or several, read."""
        found: set[Member | Size] = set()
        todo = list(node) if isinstance(node, list | tuple) else [node]
        while todo:
            part = todo.pop()
            match part:
                case None:
                    continue
                case ir.CountIn(zones=zones, sorts=sorts) | ir.Aggregate(
                    how="count" | "any" | "no", set=ir.Pieces(zones=zones, sorts=sorts), value=None
                ):
                    for zone in zones:
                        whole = isinstance(zone, ir.ZoneAt) and counts_whole(zone, sorts, self.world)
                        if whole and isinstance(zone, ir.ZoneAt):
                            found.add(Size(zone.member))
                        todo += zone.at if whole and isinstance(zone, ir.ZoneAt) else [zone]
                    todo.append(sorts.one)
                    continue
                case ir.Read(member=member) | ir.ZoneAt(member=member) | ir.PurseAt(member=member):
                    found.add(member)
                case ir.CallValue(function=ref):
                    for function in functions_of(ref):
                        found |= self._of_function(function)
                case ir.Use(var=var) | ir.Kept(var=var):
                    found |= self._of_name(var)
                case _:  # any other: its parts are looked at
                    pass
            todo.extend(children(part))
        return frozenset(found)

    def tells(self, reads: Reads) -> bool:
        """Whether something of it may not be seen by all: more than a size."""
        return not reads.isdisjoint(self.hidden)

    def _of_function(self, function: ir.Function) -> Reads:
        if function not in self.functions:
            self.functions[function] = NOTHING
            self.functions[function] = self.of(function.body)
        return self.functions[function]

    def _of_name(self, var: ir.Var) -> Reads:
        if var not in self.names:
            self.names[var] = NOTHING
            self.names[var] = self.of(self.sources.get(var, []))
        return self.names[var]

    # ---------------------------------------------------------------------------------- options, tried out

    def of_option(self, option: ir.Option) -> Reads:
        """What it hangs on whether, and how often, an option is offered; where that would take long to say, on all that is hidden."""
        try:
            return self._of_option(option)
        except TooMuchToSay:
            return frozenset(self.hidden)

    def look(self) -> None:
        self.looked_at += 1
        if self.looked_at > MOST_LOOKED_AT:
            raise TooMuchToSay

    def _of_option(self, option: ir.Option) -> Reads:
        changes: Changes = {}
        found = self.of([*option.tests, *option.binds]) | self._of_block(option.body)[0]
        seen = set[object]()
        for stops, changed in self.events(option.body, NOTHING, seen):
            for member in changed:
                before, changes[member] = changes.get(member), changes.get(member, NOTHING) | stops
                if before != changes[member]:
                    seen.clear()  # what is performed again may require what has been changed now
            if not changed:
                found |= _followed(stops, changes)
        return found

    def events(self, s: ir.Stm, on: Reads, seen: set[object]) -> Iterator[Event]:
        """What could stop a body, and what is changed in it, in order, as far as something may be required behind it: before
        chance and any answer. `on`: what it hangs on whether one comes here."""
        self.look()
        match s:
            case ir.Block(body=body):
                for one in body:
                    yield from self.events(one, on, seen)
                    if not self._goes_on(one):
                        return
            case ir.Named(body=block):
                yield from self.events(block, on, seen)
            case ir.If(test=test, yes=yes, no=no):
                yield self._if_stopped(NOTHING, (yes, no), [test]), NONE
                for way in (yes, no):
                    yield from self.events(way, on | self.of(test), seen)
            case ir.For(set=domain, body=block, random=False):
                yield self._if_stopped(NOTHING, (block,), [domain]), NONE
                yield from self.events(block, on | self.of(domain), seen)
            case ir.Repeat(times=times, test=test, body=block):
                yield self._if_stopped(NOTHING, (block,), [times, test]), NONE
                yield from self.events(block, on | self.of([times, test]), seen)
            case ir.Perform(procedure=ref):
                for callee in procedures_of(ref):
                    if callee.body is not None and (callee, on) not in seen:
                        seen.add((callee, on))
                        yield from self.events(callee.body, on, seen)
            case ir.Decide(paying=True):  # how it is paid is asked before anything is changed
                return
            case (
                ir.Assign() | ir.KeepSet() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet() | ir.Draw()
                | ir.Pick() | ir.Shuffle() | ir.Require() | ir.For() | ir.Turns() | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs()
                | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.Decide() | ir.Offer()
                | ir.ChooseSome() | ir.Secret()
            ):
                yield self._of_statement(s)[0], NONE
                members, by = self.whence.changed(s)
                if members:
                    yield on | self.of(by), members
            case _:
                assert_never(s)

    def _goes_on(self, s: ir.Stm) -> bool:
        asks = isinstance(s, ir.Offer | ir.ChooseSome) or isinstance(s, ir.Decide) and not s.paying
        return not asks and self._of_statement(s)[1]

    def _of_block(self, block: ir.Block | None) -> tuple[Reads, bool]:
        """What could stop a body, and whether it goes on behind it: no dry run looks beyond chance or other seats."""
        found: Reads = NOTHING
        for s in block.body if block is not None else ():
            stops, goes_on = self._of_statement(s)
            found |= stops
            if not goes_on:
                return found, False
        return found, True

    def _of_statement(self, s: ir.Stm) -> tuple[Reads, bool]:
        match s:
            case ir.Block():
                return self._of_block(s)
            case ir.Named(body=body):
                return self._of_block(body)
            case ir.Require(test=test):
                return self.of(test), True
            case ir.Pay(tail="in_full", source=ir.PurseAt(member=member) as source, amount=amount):
                return (NOTHING if member.unlimited else self.of([source, amount])), True
            case ir.If(test=test, yes=yes, no=no):
                ways = [self._of_block(yes), self._of_block(no)]
                stops = ways[0][0] | ways[1][0]
                return self._if_stopped(stops, (yes, no), [test]), ways[0][1] or ways[1][1]
            case ir.For(set=domain, body=body, random=by_chance):
                return (NOTHING, False) if by_chance else (self._if_stopped(self._of_block(body)[0], (body,), [domain]), True)
            case ir.Repeat(body=body, times=times, test=test):
                return self._if_stopped(self._of_block(body)[0], (body,), [times, test]), True
            case ir.Perform(procedure=ref):
                called = [self._of_procedure(callee) for callee in procedures_of(ref)]
                return NOTHING.union(*(stops for stops, _ in called)), any(goes_on for _, goes_on in called)
            case ir.Offer(decide=decide):
                return self._of_question(decide), True
            case ir.Decide():
                return self._of_question(s), True
            case ir.ChooseSome(otherwise=otherwise):
                return (self.of(_of_bag(s)) if otherwise is None else NOTHING), True
            case ir.Draw() | ir.Pick() | ir.Shuffle() | ir.Secret() | ir.Turns() | ir.Leave() | ir.GiveBack():
                return NOTHING, False
            case (
                ir.Assign() | ir.KeepSet() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet()
                | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush()
            ):  # these stop nothing
                return NOTHING, True
            case _:
                assert_never(s)

    def _of_question(self, s: ir.Decide) -> Reads:
        """A question stops what has no `otherwise` and nothing that can always be answered."""
        if s.otherwise is not None or any(self._is_always(option) for option in s.options):
            return NOTHING
        return NOTHING.union(*(self.of_option(option) for option in s.options))

    def _is_always(self, option: ir.Option) -> bool:
        return not option.tests and not option.binds and not self._can_stop(option.body, set())

    def _can_stop(self, block: ir.Block | None, seen: set[ir.Procedure]) -> bool:
        """Whether a body could meet something that stops it, hidden or not."""
        todo: list[ir.Node | None] = [block]
        while todo:
            node = todo.pop()
            if node is None:
                continue
            self.look()
            if isinstance(node, ir.Decide):
                if node.otherwise is None and not any(map(self._is_always, node.options)):
                    return True
                todo.append(node.otherwise)
                continue
            effect = effect_of(node)
            if effect.refuses and not (isinstance(node, ir.Pay) and not isinstance(node.source, ir.PurseAt)):
                return True
            if effect.performs is not None:
                new = [callee for callee in procedures_of(effect.performs) if callee not in seen]
                seen.update(new)
                todo += [callee.body for callee in new]
            todo += [part for part in children(node) if not isinstance(part, _IDLE)]
        return False

    def _of_procedure(self, procedure: ir.Procedure) -> tuple[Reads, bool]:
        if procedure not in self.procedures:
            self.procedures[procedure] = NOTHING, True
            self.procedures[procedure] = self._of_block(procedure.body)
        return self.procedures[procedure]

    def _if_stopped(self, stops: Reads, ways: tuple[ir.Block, ...], on: list[object]) -> Reads:
        """Where something can stop it, it also hangs on whether one comes there."""
        return stops | self.of(on) if any(self._can_stop(way, set()) for way in ways) else stops
