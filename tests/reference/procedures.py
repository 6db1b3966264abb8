"""Procedures and phases, with the rules before, after and instead of them; options have such rules too."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.arguments import in_order
from tests.reference.decisions import Left
from tests.reference.env import Env
from tests.reference.expressions import Given
from tests.reference.menus import Call
from tests.reference.modules import Definition, Hook
from tests.reference.pieces import Course
from tests.reference.statements import Statements
from tests.reference.values import Lying, Measure, Promised, RulesWrong, Several, Value, bare
from tests.reference.world import Member, Seat, Thing, Zone


class Procedures(Statements):
    """Performs what has a name."""

    # -------------------------------------------------------------------------------------- who is called

    def procedure_called(self, e: t.Expr, env: Env) -> Call | None:
        """Which procedure, of whom, with what; None if this is no procedure."""
        call = e
        e = e.what if isinstance(e, t.Call) else e
        owner: Thing | None = None
        definition: Definition | None = None
        if isinstance(e, t.Name):
            if e.name == "original" and isinstance(env.original, Definition):
                definition, owner = env.original, env.board
            elif not env.find(e.name)[0]:
                definition = self.rules.definitions.get(e.name)
                if definition is None and env.board is not None:
                    definition, owner = self.procedure_of(env.board, e.name), env.board
        elif isinstance(e, t.Member):
            found = self.procedure_name(e, env)
            if found is not None:
                definition, owner = found
        if definition is None or definition.what != "procedure":
            return None
        args = in_order(call, definition)
        if len(args) != len(definition.params):
            raise RulesWrong(f"`{definition.name}` takes {len(definition.params)} in brackets, {len(args)} are given")
        return definition, env, owner if definition.kind else None, tuple(self.handed_over(arg, env) for arg in args)

    def procedure_name(self, e: t.Member, env: Env) -> tuple[Definition, Thing] | None:
        if not any(name == e.name and d.what == "procedure" for (_, name), d in self.rules.members.items()):
            return None
        owner = self.ev(e.of, env)
        if isinstance(owner, Several):
            owner = next((m for m in owner.meanings if isinstance(m, Thing)), None)
        owner = self.one_piece(owner)
        definition = self.procedure_of(owner, e.name) if isinstance(owner, Thing) else None
        return None if definition is None or not isinstance(owner, Thing) else (definition, owner)

    def procedure_of(self, owner: Thing, name: str) -> Definition | None:
        for kind in self.lineage(owner):
            if (kind, name) in self.rules.members:
                return self.rules.members[kind, name]
        return None

    def handed_over(self, arg: t.Expr, env: Env) -> Value:
        """An argument as it stands: a list that is taken now, but a zone as itself."""
        if isinstance(arg, t.Name):
            definition = self.rules.definitions.get(arg.name)
            if definition is not None and definition.what in ("value", "guard") and definition.params:
                return Measure(definition)
        value = self.ev(arg, env)
        return self.items_of(value) if isinstance(value, Lying) and not isinstance(arg, t.Within) else value

    def perform_by(self, name: str, piece: Value, env: Env) -> Course:
        definition = self.rules.definitions[name]
        yield from self.perform(definition, env, None, (piece,))

    # --------------------------------------------------------------------------------------- performing

    def perform(
        self, definition: Definition, env: Env, owner: Thing | None, args: tuple[Value, ...]
    ) -> Generator[Any, Any, list[Value]]:
        """The rules before it, itself or what stands instead, the rules after it, last what has waited for its end."""
        name = definition.name
        hooks = [] if definition.replaced else self.hooks_of(definition)
        version = definition.boards.get(owner.name, definition) if owner is not None and owner.is_board else definition
        given = [self.argument(arg, param) for arg, param in zip(args, version.params, strict=True)]
        results: list[Value] = []

        def original() -> Course:
            results[:] = yield from self.performed(definition, version, env, owner, given)

        course: Callable[[], Course] = original
        for hook in hooks:
            if hook.rule.moment.what == "instead_of":
                course = self.instead(hook, self.hook_env(hook, env, owner, given), course)
        if definition.replaced:
            yield from course()
            return results
        before = self.begins(name, env)
        try:
            yield from self.around(hooks, "before", env, owner, given)
            yield from course()
        finally:
            self.ends(name, before)
        yield from self.around(hooks, "after", env, owner, given)
        self.done_running(name, before)
        wanted = definition.item.results
        return results or [self.no_result(param) for param in wanted]

    def hooks_of(self, definition: Definition) -> list[Hook]:
        return self.rules.hooks.get(definition.name, [])

    def no_result(self, param: t.Param) -> Value:
        assert param.type is not None
        return self.world.nothing_of(param.type)

    def performed(
        self, definition: Definition, version: Definition, env: Env, owner: Thing | None, given: list[Value]
    ) -> Generator[Any, Any, list[Value]]:
        """The text itself."""
        home = self.home_of(version)
        inside = env.elsewhere(owner if definition.kind else home, version.board)
        inside.original = version.original
        for param, value in zip(version.params, given):
            inside.names[param.name] = value
        for param in definition.item.results:
            inside.names[param.name] = self.no_result(param)
        if not definition.replaced:  # where it is replaced, what stands around it has begun it anew
            self.resets(definition.name)
        rule = f"{definition.kind}.{definition.name}" if definition.kind else definition.name
        rule += f" of {version.board}" if version is not definition else ""
        for name in self.set_aside_by_text(version.item.body):
            inside.names[name] = Promised(rule, name)
        promised = [value for value in inside.names.values() if isinstance(value, Promised)]
        try:
            yield from self.run(version.item.body, inside)
        except Left as left:
            if left.name != definition.name:
                raise
        except Given as back:
            results = [self.argument(v, p) for v, p in zip(back.values, definition.item.results, strict=True)]
            self.give_back(promised)
            return results
        results = [inside.names[param.name] for param in definition.item.results]
        self.give_back(promised)
        return results

    _aside: dict[int, list[str]]  # found before, for as long as the rules: a text is known by where it lies

    def set_aside_by_text(self, body: t.Block) -> list[str]:
        if id(body) not in self._aside:
            self._aside[id(body)] = self.set_aside_in(body)
        return self._aside[id(body)]

    def set_aside_in(self, node: object) -> list[str]:
        """The names under which a text sets money aside."""
        if isinstance(node, t.SetAside):
            return [node.name]
        inner = node if isinstance(node, tuple) else [getattr(node, slot) for slot in getattr(node, "__dataclass_fields__", ())]
        return list(dict.fromkeys(name for part in inner if isinstance(part, tuple | t.Node) for name in self.set_aside_in(part)))

    def give_back(self, promised: list[Promised]) -> None:
        """When the rule has ended, seat by seat what is left."""
        for promise in promised:
            for seat in self.world.seats if promise.purse is not None else ():
                left = self.state.get((promise.purse, seat, ()))
                if bare(left):
                    self.transfer((promise.purse, seat, ()), (promise.origin, seat, ()), left, "in_full")
                    self.effect()

    def resets(self, moment: str) -> None:
        """Counters and flags that begin anew with this procedure or menu."""
        for key, first in self.resetting.get(moment, ()):
            if self.state.cells.get(key) != first:
                self.state.set(key, first)
        if moment in self.resetting:
            self.effect()

    resetting: dict[str, list[tuple[Any, Value]]]

    # ------------------------------------------------------------------------------- before, after, instead

    def hook_env(self, hook: Hook, env: Env, owner: Thing | None, given: list[Value]) -> Env:
        """A rule knows the arguments by the names it gives them."""
        board = self.things_named[hook.board][0] if hook.board else owner
        inside = env.elsewhere(board, hook.board)
        names = hook.rule.moment.names
        if names and len(names) != len(given):
            raise RulesWrong(f"`{hook.rule.name}` names {len(names)} of {len(given)}")
        inside.names.update(zip(names, given))
        return inside

    def around(self, hooks: list[Hook], when: str, env: Env, owner: Thing | None, given: list[Value]) -> Course:
        for hook in hooks:
            if hook.rule.moment.what == when:
                yield from self.hooked(hook, self.hook_env(hook, env, owner, given))

    def hooked(self, hook: Hook, env: Env) -> Course:
        """For each that it is for, if its condition holds then."""
        rule = hook.rule
        values = [None] if rule.binder is None else self.binding(rule.binder, env).each()
        for value in values:
            inside = env.inner() if rule.binder is None else env.inner(**{rule.binder.name: value})
            if self.lives(hook, inside):
                yield from self.named(rule.name, rule.body, inside)

    def lives(self, hook: Hook, env: Env) -> bool:
        """A board's rules live while it is in play."""
        if hook.board and not self.in_play(hook.board):
            return False
        condition = hook.rule.moment.condition
        return condition is None or self.truth(condition, env)

    def named(self, name: str, block: t.Block, env: Env) -> Course:
        """What can be left by its name."""
        try:
            yield from self.run(block, env)
        except Left as left:
            if left.name != name:
                raise

    def instead(self, hook: Hook, env: Env, original: Callable[[], Course]) -> Callable[[], Course]:
        def course() -> Course:
            inside = env.inner()
            inside.original = original
            if self.lives(hook, inside):
                yield from self.named(hook.rule.name, hook.rule.body, inside)
            else:
                yield from original()

        return course

    def around_option(self, address: str, env: Env, own: Callable[[], Course]) -> Course:
        """An option's rules know its names; they stand behind the payment."""
        hooks = self.rules.hooks.get(address, [])
        course = self.leavable(address, own) if hooks else own
        for hook in hooks:
            if hook.rule.moment.what == "instead_of":
                course = self.instead(hook, self.at_home(hook, env), course)
        for hook in hooks:
            if hook.rule.moment.what == "before":
                yield from self.hooked(hook, self.at_home(hook, env))
        yield from course()
        for hook in hooks:
            if hook.rule.moment.what == "after":
                yield from self.hooked(hook, self.at_home(hook, env))

    def leavable(self, address: str, own: Callable[[], Course]) -> Callable[[], Course]:
        def course() -> Course:
            try:
                yield from own()
            except Left as left:
                if left.name != address:
                    raise

        return course

    def at_home(self, hook: Hook, env: Env) -> Env:
        inside = env.inner()
        if hook.board:
            inside.board, inside.board_name = self.things_named[hook.board][0], hook.board
        return inside

    # --------------------------------------------------------------------------------------------- phases

    def begins(self, name: str, env: Env) -> Any:
        """For windows: who performs a procedure as long as it runs. For what waits for its end: that it runs."""
        before = self.state.cells.get(("during", name))
        self.state.set(("during", name), env.me)
        running = self.state.cells.get(("running", name), 0)
        self.state.set(("running", name), running + 1)
        return before, running

    def ends(self, name: str, before: Any) -> None:
        self.state.set(("during", name), before[0])

    def done_running(self, name: str, before: Any) -> None:
        """What has waited for the end of it happens now."""
        self.state.set(("running", name), before[1])
        self.at_end_of(name)

    @abstractmethod
    def at_end_of(self, name: str) -> None:
        ...

    def performing(self, during: str) -> Seat | None:
        found: Seat | None = self.state.cells.get(("during", during))
        return found

    # --------------------------------------------------------------------------------------------- boards

    def in_play(self, board: str) -> bool:
        zone = self.place_of(self.things_named[board][0])
        there = [m for m in self.placed["table"].values() if m.form == "zone" and "in_play" in m.words]
        return not there or zone is not None and "in_play" in zone.member.words

    def perform_setup(self, board: Thing, env: Env) -> Course:
        """The setups of all that it is a kind of, in the order of the files; no trigger looks before they are done."""
        self.quiet += 1
        try:
            for (kind, name), definition in self.rules.members.items():
                if name == "setup" and self.world.is_kind(board.kind, kind):
                    yield from self.perform(definition, env.elsewhere(board), board, ())
        finally:
            self.quiet -= 1

    quiet = 0


__all__ = ["Member", "Procedures", "Zone"]
