"""Which payments can never fail, because the amount was bounded by the very purse it comes from."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.validator.tracing.meanings import Meanings, same


class Payments:
    def __init__(self, meanings: Meanings):
        self.meanings = meanings

    def safe(self, s: ir.Pay, tests: tuple[ir.Exp, ...] = ()) -> bool:
        """Whether the purse surely holds as much."""
        if s.tail != "in_full":
            return True
        return all(self.holds(purse, s.amount, tests) for purse in self.purses(s.source))

    def purses(self, source: ir.Exp) -> list[ir.PurseAt]:
        """Those purses with a bottom that the money may come from."""
        if isinstance(source, ir.Cond):
            return [*self.purses(source.yes), *self.purses(source.no)]
        return [source] if isinstance(source, ir.PurseAt) and not source.member.unlimited else []

    def holds(self, purse: ir.PurseAt, amount: ir.Exp, tests: tuple[ir.Exp, ...]) -> bool:
        traced = self.meanings.trace(amount)
        if any(self.asked(purse, amount, test) or self.asked(purse, traced, test) for test in tests):
            return True
        match traced:
            case ir.Const(value=value):
                return value <= 0
            case ir.Read(member=member, at=at):
                return member is purse.member and all(map(self.meanings.alike, at, purse.at))
            case ir.Op(op="min", args=args):
                return any(self.holds(purse, arg, tests) for arg in args)
            case ir.SecretOf(var=var, seat=seat):
                return self.answered(purse, var) and len(purse.at) == 1 and self.meanings.alike(seat, purse.at[0])
            case ir.Use(var=var):
                return self.answered(purse, var)
            case _:  # any other: it may be more than the purse holds
                return False

    def answered(self, purse: ir.PurseAt, var: ir.Var) -> bool:
        """`choose bid from ¥0 to my.cash`: nobody can answer more than they have."""
        high = self.meanings.answers.get(var)
        return isinstance(high, ir.Read) and high.member is purse.member

    def asked(self, purse: ir.PurseAt, amount: ir.Exp, test: ir.Exp) -> bool:
        """`if my.cash >= amount`"""
        if not isinstance(test, ir.Op) or test.op not in (">=", "<="):
            return False
        held, price = test.args if test.op == ">=" else (test.args[1], test.args[0])
        here = isinstance(held, ir.Read) and held.member is purse.member and all(map(self.meanings.alike, held.at, purse.at))
        return here and (same(price, amount) or same(self.meanings.trace(price), amount))


__all__ = ["Payments"]
