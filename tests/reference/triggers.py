"""Rules with `whenever`: looked at after every single effect, in declared order, one at a time."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.env import Env
from tests.reference.modules import Hook
from tests.reference.procedures import Procedures
from tests.reference.values import RulesWrong, TooLong, Value
from tests.reference.world import Member, Zone


class Triggers(Procedures):
    """Watches conditions."""

    waking: list[Hook]  # those that must be looked at again
    looked_at: dict[int, set[str]]  # the members that each of them reads
    looking = False

    def all_watched(self) -> dict[int, set[str]]:
        return {id(hook): self.read_by(hook) for hook in self.rules.watchers}

    def read_by(self, hook: Hook) -> set[str]:
        """The members that its condition, and what it is `for each`, ask for, by their names."""
        rule = hook.rule
        parts = [rule.moment.condition]
        if rule.binder is not None:
            parts += [rule.binder.domain, rule.binder.top, rule.binder.where]
        found = self.members_named([part for part in parts if part is not None])
        if hook.board:
            found |= {m.name for m in self.placed["table"].values() if "in_play" in m.words}
        return found

    def all_look(self) -> None:
        """When all is set up, what is true then is found by every rule."""
        self.waking = list(self.rules.watchers)
        self.effect()

    @abstractmethod
    def members_named(self, parts: list[t.Expr]) -> set[str]:
        ...

    def begin_trial(self) -> Any:
        return list(self.waking), self.looking, self.quiet

    def end_trial(self, watching: Any) -> None:
        self.waking, self.looking, self.quiet = watching

    def effect(self) -> None:
        """Something has changed. Who reads a member that was written looks, the first in declared order first."""
        if self.quiet:
            return
        names = set()
        for key in self.state.written:
            if isinstance(key, tuple) and isinstance(key[0], Member | Zone):
                names.add(key[0].name if isinstance(key[0], Member) else key[0].member.name)
        self.state.written.clear()
        for hook in self.rules.watchers:
            if hook not in self.waking and names & self.looked_at[id(hook)]:
                self.waking.append(hook)
        if self.looking or not self.waking:
            return
        self.looking = True
        for _ in range(100_000):
            if not self.waking:
                break
            hook = min(self.waking, key=self.rules.watchers.index)
            self.waking.remove(hook)
            self.look(hook)
        else:
            raise TooLong("the triggers do not come to rest")
        self.looking = False

    def look(self, hook: Hook) -> None:
        """For each that it is for: if the condition has become true, it fires. `once` is once in a game."""
        rule = hook.rule
        env = Env(None, self.things_named[hook.board][0] if hook.board else None, hook.board)
        values = [None] if rule.binder is None else self.binding(rule.binder, env).each()
        for value in values:
            inside = env.inner() if rule.binder is None else env.inner(**{rule.binder.name: value})
            key = ("seen", rule.name, None if rule.once == "once" else value)
            now, before = self.lives(hook, inside), bool(self.state.cells.get(key))
            if rule.once is None:
                self.state.set(key, now)
            elif now and not before:
                self.state.set(key, True)
            if now and not before:
                self.fire(hook, value)

    def fire(self, hook: Hook, value: Value) -> None:
        """At once, or when the procedure that is running has come to its end: then once, however often it came about."""
        rule = hook.rule
        if rule.at_end_of is not None and self.state.cells.get(("running", rule.at_end_of)):
            waiting = self.state.cells.get(("waiting", rule.at_end_of), ())
            others = tuple(one for one in waiting if one != (hook, value))
            self.state.set(("waiting", rule.at_end_of), (*others, (hook, value)))
        else:
            self.act(hook, value)

    def act(self, hook: Hook, value: Value) -> None:
        rule = hook.rule
        env = Env(None, self.things_named[hook.board][0] if hook.board else None, hook.board)
        if rule.binder is not None:
            env.names[rule.binder.name] = value
        for _ in self.named(rule.name, rule.body, env):
            raise RulesWrong("a trigger asks nobody")

    def at_end_of(self, name: str) -> None:
        """What waited happens in the order in which it came about."""
        waiting = self.state.cells.get(("waiting", name), ())
        if waiting:
            self.state.set(("waiting", name), ())
            for hook, value in waiting:
                self.act(hook, value)
