"""Expressions and costs of the rules, as one would say them at the table; what has no good phrase is not said at all.

    2 ap or 1 crate from my.hold by send_home      2 ap or 1 crate from your hold
    count of my.papers < licence_spaces            the number of your papers is below 4
    no (b in my.sea where b.market is m)           nothing: an author's sentence has to say it

Only sentences that come out well are made: a name, what something has, a number of pieces, and one comparison or one membership
of these. `Known` says what the names of a rule stand for: `g` is the good, `s` the player.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.kinds import Kind, number
from ichiba.table.scene.spelling import HOLE, Cell, Ink, Speller, words_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Known = Mapping[str, str]  # by the name in the rule: what it is called
COMPARED = {"=": "is", "!=": "is not", "<": "is below", ">": "is above", "<=": "is at most", ">=": "is at least"}
RECKONED = {"+": "+", "-": "−", "*": "×", "/up": "÷", "/down": "÷"}
ROUNDED = {"/up": "rounded up", "/down": "rounded down"}
DEEPEST = 2  # `the stall's owner's cash` is nobody's English
SELF = ("my", "me")
HERE = {"me": "you", "board": "this board", "others": "the other players", "seats": "all players"}
OPEN = "…"
THIS_BOARDS = "this board's"
_BRACES = re.compile(r"\{([^{}]*)\}")


class Unsaid(Exception):
    """It has no good phrase."""


class Frame(Protocol):
    """Says the words of sentences in a language, by what they are in English."""

    def __call__(self, english: str, **values: object) -> str: ...


def in_english(english: str, **values: object) -> str:
    return english.format(**values) if values else english


class Phrases:
    """Says the rules of one game."""

    def __init__(self, game: Game, speller: Speller, frame: Frame = in_english):
        self.game, self.world, self.speller, self.frame = game, game.world, speller, frame

    # ------------------------------------------------------------------------------------------- costs

    def cost(self, cost: t.Cost, known: Known | None = None) -> str:
        """Its ways, each of things that are paid together; what cannot be said is `…`."""
        ways = [[self._item(item, known or {}) for item in way.items] for way in cost.ways]
        together, either = f" {self.frame('and')} ", f" {self.frame('or')} "
        return either.join(dict.fromkeys(together.join(item or OPEN for item in way) for way in ways))

    def whole_cost(self, cost: t.Cost, known: Known) -> str | None:
        """The same; None where a part of it cannot be said."""
        said = all(self._item(item, known) is not None for way in cost.ways for item in way.items)
        return self.cost(cost, known) if said else None

    def _item(self, item: t.CostItem, known: Known) -> str | None:
        try:
            what = self._noun(item.what, known)
            if item.source is not None:
                return f"{what} {self.frame('from')} {self._noun(item.source, known)}"
            if item.target is not None and not self._is_supply(item.target) and not isinstance(item.what, t.SomeOf):
                return f"{what} {self.frame('to')} {self._noun(item.target, known)}"
            return what
        except Unsaid:
            return None

    def _is_supply(self, target: t.Expr) -> bool:
        member = self.world.table.get(target.name) if isinstance(target, t.Name) else None
        return member is not None and member.unlimited

    # ------------------------------------------------------------------------------------------- words with holes

    def words(self, text: t.Text, known: Known | None = None, other: str | None = None) -> Cell:
        """A label, a reason, a sentence; what its braces stand for is set apart, so that it needs no article and no plural.
        `other` is the same in another language, with the same braces."""
        known = known or {}
        if other is None:
            return tuple(self._held(part, known) if not isinstance(part, str) else (part, "") for part in text.parts)
        held = {spelled(part.span.text): self._held(part, known) for part in text.parts if not isinstance(part, str)}
        found: list[Ink] = []
        at = 0
        for hole in _BRACES.finditer(other):
            found += [(other[at : hole.start()], ""), held.get(spelled(hole[1]), (OPEN, HOLE))]
            at = hole.end()
        return tuple(part for part in (*found, (other[at:], "")) if part[0])

    def plain_words(self, text: t.Text, known: Known | None = None, other: str | None = None) -> str:
        return words_of(self.words(text, known, other))

    def _held(self, part: t.Expr, known: Known) -> Ink:
        """`boat` of {boat}, `refund` of {board.refund(boat)}, `¥3` of {refusal}."""
        match part:
            case t.Name(name=name) if name in known:
                return known[name], HOLE
            case t.Member(name=name) if self._is_number(name):
                return OPEN, HOLE  # what stands on a thing, another for each
            case t.Member(name="a"):  # of a connection
                return self.frame("one end"), HOLE
            case t.Member(name="b"):
                return self.frame("the other end"), HOLE
            case t.Member(name="owner"):
                return self.frame("owner"), HOLE
            case t.Call(what=t.Name(name="far")) if (place := self._place()) is not None:
                return place, HOLE
            case t.Member(name=name) | t.Call(what=t.Member(name=name) | t.Name(name=name)):
                return self.speller.name(name), HOLE
            case t.Of(name="position") | t.Aggregate(how="count"):
                return OPEN, HOLE  # a number that is another for each
            case t.Of(name=name):
                return self.speller.name(name), HOLE
            case _:
                said = self.said(part, known)
                fixed = isinstance(part, t.Int | t.Money) or isinstance(part, t.Name) and said is not None
                return said or OPEN, "" if fixed else HOLE

    # ------------------------------------------------------------------------------------------- expressions

    def said(self, exp: t.Expr, known: Known | None = None) -> str | None:
        """What a value is; None where that cannot be said well."""
        try:
            return self._noun(exp, known or {})
        except Unsaid:
            return None

    def holds(self, exp: t.Expr, known: Known | None = None) -> str | None:
        """What is so when a condition holds; None where that cannot be said well."""
        try:
            return self._clause(exp, known or {})
        except Unsaid:
            return None

    def _noun(self, exp: t.Expr, known: Known, deep: int = 0) -> str:
        match exp:
            case t.Int(value=value):
                return f"{value:,}"
            case t.Operation(op="neg", args=(t.Int() as one,)):
                return f"−{self._noun(one, known)}"
            case t.Money(sign=sign, value=value):
                unit = self.world.written_with(sign)
                return self.game.words.show(value, number(unit)) if unit else exp.span.text
            case t.Name(name=name):
                return self._name(name, known)
            case t.Member(of=of, name=name) if deep < DEEPEST:
                return self._owned(of, self.speller.name(name), known, deep)
            case t.Call(what=t.Member(of=of, name=name), args=(t.Name(name=arg),), names=()) if arg in known:
                return f"{self._owned(of, self.speller.name(name), known, deep)} {self.frame('of')} {self._noun(t.Name(exp.span, arg), known)}"
            case t.Some(amount=t.Int(value=value), what=t.Name(name=unit)) if (unit_name := self.world.unit_named(unit)) is not None:
                return self.game.words.show(value, number(unit_name))
            case t.Some(amount=t.Int(value=value), what=t.Name(name=name)):
                return self._pieces(value, name)
            case t.Some(amount=t.Int(value=value), what=t.Of(name=name, arg=arg)):
                return f"{self._pieces(value, name)} {self.frame('of')} {self._noun(arg, known)}"
            case t.SomeOf(amount=value, what=t.Those(selection=t.Within(what=one, where=where), condition=t.IsA() as a)) if _just_a_kind(one, a):
                name = a.kind.name if isinstance(a.kind, t.Name) else ""
                return f"{self._pieces(value, name)} {self.frame('from')} {self._noun(where, known)}"
            case t.Choice(condition=condition, yes=yes, no=no):
                values = self._noun(yes, known), self._noun(no, known)
                return self.frame("{yes} if {condition}, else {no}", yes=values[0], no=values[1], condition=self._clause(condition, known))
            case t.SomeOf(amount=value, what=where):
                return f"{self._of_family(value, where)} {self.frame('from')} {self._noun(where, known)}"
            case t.Aggregate(how="count", what=t.Within(what=t.Name(name=name), where=where)):
                return f"{self.frame('the number of')} {self._several(name)} {self.frame('in')} {self._noun(where, known)}"
            case t.Aggregate(how="count", what=t.Name() | t.Member() as what):
                return f"{self.frame('the number of')} {self._noun(what, known).removeprefix('the ')}"
            case t.Operation(op=op, args=(left, right)) if op in RECKONED:
                both = f"{self._factor(left, op, known)} {RECKONED[op]} {self._factor(right, op, known)}"
                return f"{both} {self.frame(ROUNDED[op])}" if op in ROUNDED else both
            case _:
                raise Unsaid

    def _place(self) -> str | None:
        """What connections lead to, where that is one kind of places."""
        kinds = {thing.kind for thing in self.world.things if self.world.kinds[thing.kind].root == "node"}
        return self.speller.name(kinds.pop()) if len(kinds) == 1 else None

    def _is_number(self, name: str) -> bool:
        """Whether things have a number of that name, which is an amount of nothing by itself."""
        fields = [kind.fields[name] for kind in self.world.kinds.values() if name in kind.fields]
        return bool(fields) and all(field.kind.form == "number" and not field.kind.name for field in fields)

    def _factor(self, exp: t.Expr, op: str, known: Known) -> str:
        said = self._noun(exp, known)
        return f"({said})" if isinstance(exp, t.Operation) and op != "+" and exp.op != op else said

    def _owned(self, of: t.Expr, name: str, known: Known, deep: int) -> str:
        """`your hand`, `the boat's slots`, `this board's marker`."""
        match of:
            case t.Name(name=own) if own in SELF:
                return f"{_agreeing(self.frame('your'), name)} {name}"
            case t.Name(name="board") if "board" not in known:
                return f"{_agreeing(self.frame(THIS_BOARDS), name)} {name}"
            case t.Name() | t.Member():
                whose = self._noun(of, known, deep + 1)
                return f"{whose}'s {name}" if self.frame("the") == "the" else f"{name} {self.frame('of')} {whose}"
            case _:
                raise Unsaid

    def _clause(self, exp: t.Expr, known: Known) -> str:
        match exp:
            case t.Operation(op=op, args=(left, right)) if op in COMPARED:
                return f"{self._noun(left, known)} {self.frame(COMPARED[op])} {self._noun(right, known)}"
            case t.Operation(op="or", args=args):
                return f" {self.frame('or')} ".join(self._clause(arg, known) for arg in args)
            case t.Operation(op="not", args=(t.Within(what=t.Name(name=name) as what, where=where),)) if name in known:
                return f"{self._noun(what, known)} {self.frame('is not in')} {self._noun(where, known)}"
            case t.Within(what=t.Name(name=name) as what, where=where) if name in known or self._is_thing(name):
                return f"{self._noun(what, known)} {self.frame('is in')} {self._noun(where, known)}"
            case t.Within(what=t.Name(name=name), where=where):
                return f"{self.frame('there is')} {self._one(name, known)} {self.frame('in')} {self._noun(where, known)}"
            case t.Within(what=t.Of(name=name, arg=arg), where=where):
                one = f"{self._one(name, known)} {self.frame('of')} {self._noun(arg, known)}"
                return f"{self.frame('there is')} {one} {self.frame('in')} {self._noun(where, known)}"
            case t.IsA(what=what, kind=t.Name(name=name), negated=negated):
                return f"{self._noun(what, known)} {self.frame('is not' if negated else 'is')} {self._what(name, known)}"
            case t.IsEmpty(what=what, negated=negated):
                return self.frame("there is something in {place}" if negated else "there is nothing in {place}", place=self._noun(what, known))
            case _:
                raise Unsaid

    # ------------------------------------------------------------------------------------------- names

    def _name(self, name: str, known: Known) -> str:
        if name in known:
            called = known[name]
            return called if len(called) == 1 or called[:1].isupper() or called.startswith("the ") else f"{self.frame('the')} {called}".strip()
        if name in self.world.numbers:
            value, kind = self.world.numbers[name]
            return self.game.words.show(value, kind)
        if name in HERE:
            return self.frame(HERE[name])
        fixed = self._fixed(name)
        if fixed is not None:
            return fixed
        if name in self.world.table and name not in self.world.options:
            return f"{self.frame('the')} {self.speller.name(name)}".strip()
        raise Unsaid

    def _fixed(self, name: str) -> str | None:
        """A thing or a sort by its own name."""
        thing = next((thing for thing in self.world.things if thing.name == name), None)
        if thing is not None:
            return self.speller.thing_words(thing)
        sort = next((sort for sort in self.world.sorts if name in (sort.full_name, sort.name)), None)
        return self.game.words.show(sort.id, Kind("sort")) if sort is not None else None

    def _is_thing(self, name: str) -> bool:
        return any(thing.name == name for thing in self.world.things)

    def _one(self, name: str, known: Known) -> str:
        """`a licence`, `an eel`, `the ware` where the rule has named it; what has a name of its own goes without an article."""
        if name in known:
            return self._name(name, known)
        if len(name) == 1:
            raise Unsaid
        called = self._fixed(name) or self.speller.name(name)
        return called if called[:1].isupper() or self.frame("the") != "the" else with_article(called)

    def _what(self, name: str, known: Known) -> str:
        """`a barge`, `fresh`: a kind of things, or a word of an enumeration."""
        words = {word for enum in self.world.enums.values() for word in enum.values}
        return self.speller.name(name) if name in words else self._one(name, known)

    def _several(self, name: str) -> str:
        known = self.game.text(f"name.{plural(name)}")
        return known or (plural(self.speller.name(name)) if self.game.lang == "en" else self.speller.name(name))

    def _pieces(self, count: int, name: str) -> str:
        called = self._fixed(name) or self.speller.name(name)
        return f"{count} {called}" if count == 1 or self._fixed(name) is not None else f"{count} {self._several(name)}"

    def _of_family(self, count: int, where: t.Expr) -> str:
        """`3 cards` out of a hand that holds nothing else."""
        if not (isinstance(where, t.Member) and isinstance(where.of, t.Name) and where.of.name in SELF):
            raise Unsaid
        member = self.world.seat.get(where.name)
        families = sorted({self.world.sorts[sort].family for sort in member.sorts}) if member is not None else []
        if len(families) != 1:
            raise Unsaid
        return self._pieces(count, families[0])


def _agreeing(whose: str, name: str) -> str:
    """`tu/tus`: a language in which it bends says both; the second goes with names of several, which end in s there."""
    one, _, several = whose.partition("/")
    return several if several and name.split(" ")[0].endswith("s") else one


def _just_a_kind(one: t.Expr, test: t.IsA) -> bool:
    """`p in hand where p is card`"""
    return one == test.what and not test.negated and isinstance(test.kind, t.Name)


def with_article(words: str) -> str:
    """`an eel`, `a licence`."""
    return f"{'an' if words[:1].lower() in 'aeio' else 'a'} {words}" if words else ""


__all__ = ["OPEN", "Known", "Phrases", "with_article"]
