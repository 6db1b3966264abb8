"""Costs: which ways there are, whether they can be paid, and the paying itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.arguments import in_order
from tests.reference.decisions import Choice, Decisions, Question
from tests.reference.env import Env
from tests.reference.pieces import Course
from tests.reference.values import (
    Amount,
    AmountOf,
    CostRef,
    Items,
    Lying,
    RulesWrong,
    Several,
    Sorts,
    Value,
    bare,
    is_number,
)
from tests.reference.world import Sort


@dataclass
class Part:
    """One part of a way to pay: an amount of money from purse to purse, or so many out of some pieces."""

    item: t.CostItem
    money: Amount | None = None
    source: Any = None
    target: Any = None
    number: int = 0
    pieces: Items | None = None
    sort: Sort | None = None  # pieces of a single counted sort leave no choice


@dataclass
class Payment:
    """A way to pay, and where it leaves a choice of pieces these pieces."""

    key: str
    parts: list[Part]
    chosen: list[Value]


class Costs(Decisions):
    """Knows what something costs."""

    @abstractmethod
    def perform_by(self, name: str, piece: Value, env: Env) -> Course:
        ...

    # ------------------------------------------------------------------------------------------- the ways

    def ways(self, cost: t.Cost, env: Env) -> list[tuple[t.CostWay, Env]]:
        """A cost by its name, `fare(w)`, stands for its own ways; `m.entry` for what the thing's file states."""
        found: list[tuple[t.CostWay, Env]] = []
        for way in cost.ways:
            inner = self.named_cost(way, env) if len(way.items) == 1 else None
            found += [(way, env)] if inner is None else self.ways(*inner)
        return found

    def named_cost(self, way: t.CostWay, env: Env) -> tuple[t.Cost, Env] | None:
        (item,) = way.items
        what = item.what
        if isinstance(what, t.Member):
            found = self.ev(what, env)
            if isinstance(found, CostRef):
                return self.world.costs[found.owner, found.name], env.elsewhere(found.owner, found.owner.name)
        if item.source is not None or item.target is not None:
            return None
        name = what.what if isinstance(what, t.Call) else what
        if not isinstance(name, t.Name) or env.find(name.name)[0]:
            return None
        definition = self.rules.definitions.get(name.name)
        if name.name == "original" and getattr(env.original, "what", "") == "cost":
            definition = env.original
        if definition is None or definition.what != "cost":
            return None
        inside = env.elsewhere(self.home_of(definition) or env.board, definition.board)
        inside.original = definition.original
        for param, arg in zip(definition.params, in_order(what, definition), strict=True):
            inside.names[param.name] = self.argument(self.ev(arg, env), param)
        return definition.item.cost, inside

    def part(self, item: t.CostItem, env: Env) -> Part | None:
        """What one part asks for; None where it is free."""
        what = self.ev(item.what, env)
        if isinstance(what, Several):
            what = next((m for m in what.meanings if isinstance(m, Sorts)), what)
        if is_number(what):
            if not isinstance(what, Amount):
                if what:
                    raise RulesWrong("a plain number is no cost")
                return None
            if not what.value:
                return None
            payer = item.source or t.Name(item.span, "me")
            source = self.purse_at(payer, what.unit, env)
            return Part(item, what, source, self.purse_at(item.target, what.unit, env))
        if not isinstance(what, AmountOf):
            raise RulesWrong(f"{what} is no cost")
        sorts = what.what.sorts if isinstance(what.what, Lying) else what.what
        if isinstance(what.what, Sorts):
            assert item.source is not None
            pieces = self.pieces(self.zones_of(item.source, env), what.what.sorts)
        else:
            pieces = self.items_of(what.what)
        one = sorts.sorts[0] if isinstance(sorts, Sorts) and len(sorts.sorts) == 1 else None
        return Part(item, number=bare(what.amount), pieces=pieces, sort=None if one is None or one.individual else one)

    def parts(self, way: t.CostWay, env: Env) -> list[Part]:
        return [part for item in way.items if (part := self.part(item, env)) is not None]

    def can_pay(self, parts: list[Part]) -> bool:
        """Every purse has the sum of what goes out of it, and the pieces are there."""
        needs: dict[Any, int] = {}
        wanted: dict[Any, int] = {}
        for part in parts:
            if part.pieces is not None and part.sort is not None:
                for piece, there in part.pieces.items[:1]:  # of one sort in one place so many are needed in all
                    wanted[piece] = wanted.get(piece, 0) + part.number
                    if len(part.pieces.items) == 1 and wanted[piece] > there:
                        return False
            if part.money is not None and "unlimited" not in part.source[0].words:
                needs[part.source] = needs.get(part.source, 0) + part.money.value
            elif part.pieces is not None and sum(n for _, n in part.pieces.items) < part.number:
                return False
        return all(bare(self.state.get(purse)) >= amount for purse, amount in needs.items())

    def payable(self, cost: t.Cost | None, env: Env) -> bool:
        if cost is None:
            return True
        return self.recalled(
            ("payable", *self.asked(env, cost)),
            lambda: any(self.can_pay(self.parts(way, inside)) for way, inside in self.ways(cost, env)),
        )

    def leaves_choice(self, cost: t.Cost | None, env: Env) -> bool:
        """Whether somebody must say how this is paid."""
        if cost is None:
            return False

        def several() -> bool:
            ways = self.ways(cost, env)
            return len(ways) != 1 or any(p.pieces is not None and p.sort is None for p in self.parts(*ways[0]))

        return self.recalled(("several ways", *self.asked(env, cost)), several)

    def payments(self, cost: t.Cost, env: Env) -> Iterator[tuple[Payment, Env]]:
        """Each way that can be paid; where pieces are chosen each choice of them, alike ones once."""
        for way, inside in self.ways(cost, env):
            parts = self.parts(way, inside)
            if not self.can_pay(parts):
                continue
            name = self.way_name(way, parts, inside)
            key = f"pay/{name}" if name else "pay"
            free = [part for part in parts if part.pieces is not None and part.sort is None]
            if not free:
                yield Payment(key, parts, []), inside
                continue
            assert free[0].pieces is not None
            if free[0].number < 0:
                raise RulesWrong("a cost in pieces is below nothing")
            looks = {piece: repr(self.look_of(piece)) for piece, _ in free[0].pieces.items}
            seen: set[tuple[str, ...]] = set()
            for combo in combinations(free[0].pieces.items, free[0].number):
                look = tuple(sorted(looks[piece] for piece in combo))
                if look not in seen:
                    seen.add(look)
                    yield Payment(f"{key}/{'+'.join(map(self.spelled, combo))}".rstrip("/"), parts, combo), inside

    def way_name(self, way: t.CostWay, parts: list[Part], env: Env) -> str:
        """What `as` says, else the unit of money alone, else the sort if it is one."""
        if way.name:
            return way.name
        if len(way.items) == 1:
            what = self.ev(way.items[0].what, env)
            if isinstance(what, Amount):
                return what.unit
        named = [part.sort.name for part in parts if part.sort is not None and part.item.source is not None]
        return named[0] if named else ""

    # ------------------------------------------------------------------------------------------ the paying

    def pay(self, cost: t.Cost | None, env: Env, ways: tuple[int, ...]) -> Course:
        """One way without a choice is paid at once; else a decision comes first. `ways`: only these may be offered."""
        if cost is None:
            return
        if not self.leaves_choice(cost, env):
            ((way, inside),) = self.ways(cost, env)
            yield from self.pay_in(Payment("", self.parts(way, inside), []), inside)
            return
        found = (Choice(payment.key, self.paying(payment, inside)) for payment, inside in self.payments(cost, env))
        question = Question("pay", self.me(env), env.path, skip=not self.tells_cost(cost, env), secret=env.secret, env=env)
        if self.state.trying:
            choice = yield from self.try_one(question, found)
        else:
            payments = list(found)
            question.choices = [payments[place] for place in ways] if ways else payments
            choice = (yield from self.ask(question)) if payments else None
        if choice is None or choice.perform is None:
            raise RulesWrong("there is no way to pay")
        yield from choice.perform()

    @abstractmethod
    def tells_cost(self, cost: t.Cost, env: Env) -> bool:
        ...

    def paying(self, payment: Payment, env: Env) -> Callable[[], Course]:
        return lambda: self.pay_in(payment, env)

    def pay_in(self, payment: Payment, env: Env) -> Course:
        """Part after part, in the order of the text."""
        if any(part.number < 0 for part in payment.parts):
            raise RulesWrong("a cost in pieces is below nothing")
        for unit in self.world.units:
            self.state.set(("paid", unit), 0)
        for part in payment.parts:
            if part.money is not None:
                self.transfer(part.source, part.target, part.money, "in_full")
                self.state.set(("paid", part.money.unit), self.state.get(("paid", part.money.unit)) + part.money.value)
                self.effect()
                continue
            assert part.pieces is not None
            if part.sort is None:
                pieces = payment.chosen
            else:
                pieces = [v for v, n in part.pieces.items for _ in range(n)][: part.number]
            for piece in pieces:
                yield from self.send(part.item, piece, env)

    def send(self, item: t.CostItem, piece: Value, env: Env) -> Course:
        if item.by is not None:
            yield from self.perform_by(item.by, piece, env)
            return
        assert item.target is not None
        yield from self.take(piece, self.zone_of(item.target, env), None, {}, env)
        self.effect()


def combinations(items: list[tuple[Value, int]], number: int) -> Iterator[list[Value]]:
    """Every way to take so many; more of the earlier ones come later."""

    def ways(at: int, left: int) -> Iterator[list[Value]]:
        if not left:
            yield []
        elif sum(there for _, there in items[at:]) >= left:
            for k in range(at, len(items)):
                value, there = items[k]
                for used in range(1, min(left, there) + 1):
                    for rest in ways(k + 1, left - used):
                        yield [value] * used + rest

    return ways(0, number)
