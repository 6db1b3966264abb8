"""Expressions and costs of the rules, as one would say them at the table.

    2 ap or 1 crate from my.hold by send_home      2 ap or 1 crate from your hold
    count of my.papers < licence_spaces            the number of your papers is below 4

What has no good phrase stays as it is written. `Known` says what the names of a rule stand for: `g` is the good, `s` the player.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import Kind, number
from ichiba.table.scene.spelling import Speller

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Known = Mapping[str, str]  # by the name in the rule: what it is called
INFIX = {
    "=": "is", "!=": "is not", "<": "is below", ">": "is above", "<=": "is at most", ">=": "is at least", "and": "and", "or": "or",
    "+": "+", "-": "−", "*": "×", "/up": "÷", "/down": "÷",
}  # fmt: skip
HEADS = {
    "count": "the number of", "sum": "the sum of", "highest": "the highest", "lowest": "the lowest", "any": "some", "no": "no",
    "first": "the first of",
}  # fmt: skip
SELF = ("my", "me")
HERE = {"me": "you", "board": "this board", "others": "the other players", "seats": "all players"}
IT = "it"
VERBS = ("has_", "may_", "can_", "is_")
HELD_BY = {"your": "you", "its": "it"}
_BRACES = re.compile(r"\{([^{}]*)\}")


class Phrases:
    """Says the rules of one game."""

    def __init__(self, game: Game, speller: Speller):
        self.game, self.world, self.speller = game, game.world, speller

    # ------------------------------------------------------------------------------------------- costs

    def cost(self, cost: t.Cost, known: Known | None = None) -> str:
        """Its ways, each of things that are paid together."""
        return " or ".join(" and ".join(self._cost_item(item, known or {}) for item in way.items) for way in cost.ways)

    def _cost_item(self, item: t.CostItem, known: Known) -> str:
        what = self.said(item.what, known)
        if item.source is not None:
            what += f" from {self._the(item.source, known)}"
        if item.target is None or item.source is not None or self._is_supply(item.target):
            return what
        return f"{what} to {self._the(item.target, known)}"

    def _is_supply(self, target: t.Expr) -> bool:
        member = self.world.table.get(target.name) if isinstance(target, t.Name) else None
        return member is not None and member.unlimited

    # ------------------------------------------------------------------------------------------- words with holes

    def words(self, text: t.Text, known: Known | None = None, other: str | None = None) -> str:
        """A label or a reason, with what its braces stand for: a name for the first time with `a`, then with `the`. `other` is
        the same in another language, with the same braces."""
        known, met = known or {}, set[str]()
        if other is not None:
            said = {" ".join(part.span.text.split()): self._held(part, known, met, other=True) for part in text.parts if not isinstance(part, str)}
            return _BRACES.sub(lambda hole: said.get(" ".join(hole[1].split()), hole[1]), other)
        return "".join(part if isinstance(part, str) else self._held(part, known, met) for part in text.parts)

    def _held(self, part: t.Expr, known: Known, met: set[str], other: bool = False) -> str:
        if isinstance(part, t.Of) and part.name == "position":
            return "…"  # a number that is another for each
        if not isinstance(part, t.Name) or part.name not in known:
            return self.said(part, known)
        called = known[part.name]
        if other or called[:1].isupper() or len(called) == 1 or part.name in SELF:
            return called
        words = f"the {called}" if called in met else with_article(called)
        met.add(called)
        return words

    # ------------------------------------------------------------------------------------------- expressions

    def said(self, exp: t.Expr, known: Known | None = None) -> str:
        """A phrase for an expression."""
        known = known or {}
        match exp:
            case t.Int(value=value):
                return f"{value:,}"
            case t.Money(sign=sign, value=value):
                unit = self.world.written_with(sign)
                return self.game.words.show(value, number(unit)) if unit else exp.span.text
            case t.Name(name=name):
                return self._name(name, known)
            case t.Member(of=of, name=name) if name.startswith(VERBS):  # a question that is answered by yes or no
                whose = self._whose(of, known)
                holder = HELD_BY.get(whose, whose.removesuffix("'s"))
                return f"{holder} {self.speller.name(name)}"
            case t.Member(of=of, name=name):
                return f"{self._whose(of, known)} {self.speller.name(name)}"
            case t.Some(amount=t.Int(value=value), what=t.Name(name=unit)) if (unit_name := self.world.unit_named(unit)) is not None:
                return self.game.words.show(value, number(unit_name))
            case t.Some(amount=amount, what=what):
                return f"{self.said(amount, known)} {self.said(what, known)}"
            case t.SomeOf(amount=value, what=what):
                return f"{value} of {self.said(what, known)}"
            case t.Of(name=name, arg=arg):
                return f"{self.speller.name(name)} of {self._the(arg, known)}"
            case t.Call(what=function, args=args):
                whom = " and ".join(self._the(arg, known) for arg in args)
                return f"{self.said(function, known)} of {whom}" if whom else self.said(function, known)
            case t.Within(what=what, where=where):
                between = "is in" if isinstance(what, t.Member) else "in"
                return f"{self.said(what, known)} {between} {self.said(where, known)}"
            case t.Aggregate(how=how, what=what) if how in HEADS:
                return f"{HEADS[how]} {self.said(what, known).removeprefix('the ')}"
            case t.Those(selection=t.Within(what=t.Name() as one, where=where), condition=t.IsA(what=same, kind=kind, negated=False)) if one == same:
                return f"{self.said(kind, known)} in {self.said(where, known)}"
            case t.Those(selection=t.Within(what=t.Name(name=one), where=where), condition=condition):
                return f"{self.said(where, known)} where {self.said(condition, {**known, one: IT})}"
            case t.Operation(op=op, args=(left, right)) if op in INFIX:
                return f"{self.said(left, known)} {INFIX[op]} {self.said(right, known)}"
            case t.Operation(op="not", args=(right,)):
                return f"not {self.said(right, known)}"
            case t.IsA(what=what, kind=kind, negated=negated):
                return f"{self._the(what, known)} is {'not ' if negated else ''}{self.said(kind, known)}"
            case t.IsEmpty(what=what, negated=negated):
                return f"{self.said(what, known)} is {'not ' if negated else ''}empty"
            case t.IsNone(what=what, negated=negated):
                return f"there is {'a' if negated else 'no'} {self.said(what, known)}"
            case t.Choice(condition=condition, yes=yes, no=no):
                return f"{self.said(yes, known)} if {self.said(condition, known)}, else {self.said(no, known)}"
            case t.SetOf(items=items):
                return ", ".join(self.said(item, known) for item in items)
            case _:
                return " ".join(exp.span.text.split())

    def _the(self, exp: t.Expr, known: Known) -> str:
        said = self.said(exp, known)
        if said == IT:
            return said
        return f"the {said}" if isinstance(exp, t.Name) and exp.name in known and exp.name not in SELF and not said[:1].isupper() else said

    def _whose(self, exp: t.Expr, known: Known) -> str:
        """`your`, `the market's`, `Eel's`."""
        if isinstance(exp, t.Name) and exp.name in SELF:
            return "your"
        if isinstance(exp, t.Name) and exp.name == "board" and "board" not in known:
            return "this board's"
        if isinstance(exp, t.Name) and known.get(exp.name) == IT:
            return "its"
        return f"{self._the(exp, known)}'s"

    def _name(self, name: str, known: Known) -> str:
        if name in known:
            return known[name]
        if name in self.world.numbers:
            value, kind = self.world.numbers[name]
            return self.game.words.show(value, kind)
        if name in HERE:
            return HERE[name]
        thing = next((thing for thing in self.world.things if thing.name == name), None)
        if thing is not None:
            return self.speller.thing_words(thing)
        sort = next((sort for sort in self.world.sorts if sort.full_name == name or sort.name == name), None)
        return self.game.words.show(sort.id, Kind("sort")) if sort is not None else self.speller.name(name)


def with_article(words: str) -> str:
    """`an eel`, `a licence`."""
    return f"{'an' if words[:1].lower() in 'aeio' else 'a'} {words}" if words else ""


__all__ = ["Known", "Phrases", "with_article"]
