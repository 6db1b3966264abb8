"""What the values that a policy goes by come to, remembered while one question is weighed.

    x += worth(S, me, code)        ->     x += worth_known(me, code)

Nothing changes meanwhile, and what is asked about fixed things is asked again for each answer: what a product will pay, for each lot
that it lies in. Only Python remembers; machine code works a value out more quickly than it would find it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.parts import changed, parts_of

SEVERAL = 3  # places in which fixed things are asked about: of fewer, remembering costs as much as it saves
MOST = 10_000  # so many values of one kind are remembered at a time
NUMBERS = frozenset({"number", "packed"})
KNOWN = "{}_known"

Weigh = Callable[[Any, int, Any], list[int]]
"""Gives what speaks for each answer, from the state, a seat and the numbers of the answers."""


def worth_remembering(plan: Sequence[p.Stm]) -> frozenset[str]:
    """The functions that go through a loop, and are asked about fixed numbers in several places: about the same for each answer."""
    asked = Counter(name for part in parts_of(tuple(plan)) if (name := _asked_about_fixed(part)) is not None)
    return frozenset(
        one.name for one in plan
        if isinstance(one, p.Function) and asked[one.name] >= SEVERAL
        and all(param.kind in NUMBERS for param in one.params[1:])
        and any(isinstance(part, p.Comp | p.For) for part in parts_of(one.body))
    )  # fmt: skip


def _asked_about_fixed(part: Any) -> str | None:
    match part:
        case p.Call(function=p.Name(name=name), args=(p.Name(name="S"), *args)) if all(isinstance(arg, p.Num) for arg in args):
            return name
        case _:
            return None


def with_memory(plan: tuple[p.Stm, ...], those: frozenset[str]) -> tuple[p.Stm, ...]:
    """The same plan, in which these functions are asked for what they may know already."""

    def ask(part: Any) -> Any:
        match part:
            case p.Call(function=p.Name(name=name), args=(p.Name(name="S"), *args)) if name in those:
                return p.Call(p.Name(KNOWN.format(name)), tuple(changed(arg, ask) for arg in args))
            case _:
                return None

    return tuple(changed(one, ask) for one in plan)


class Memory:
    """What is known of one state: that of the question which is weighed now. Who weighs has the turn, so there is one."""

    def __init__(self, module: dict[str, Any], those: Iterable[str]):
        """Puts the functions that remember into the module of those that work it out."""
        self.state: Any = None
        known = {KNOWN.format(name): self._remembering(module[name]) for name in those}
        module.update(known)
        self.known = list(known.values())

    def _remembering(self, work_out: Callable[..., Any]) -> Any:
        return lru_cache(MOST)(lambda *asked: work_out(self.state, *asked))

    def weighing(self, weigh: Weigh) -> Weigh:
        """The same, with a memory of its own for each question."""
        if not self.known:
            return weigh

        def weighed(state: Any, seat: int, codes: Any) -> list[int]:
            before, self.state = self.state, state
            try:
                return weigh(state, seat, codes)
            finally:
                self.state = before
                for one in self.known:
                    one.cache_clear()

        return weighed


__all__ = ["Memory", "Weigh", "with_memory", "worth_remembering"]
