"""Decisions: what is offered, under which keys, and what is found out by trying.

An option is offered when a way through its body leads on. So it is tried: the body is performed, each question in it is
given one answer after another, and then all that was done is undone.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.env import Env
from tests.reference.expressions import Given
from tests.reference.pieces import Course, Pieces, Unmet
from tests.reference.values import Amount, Items, Piece, RulesWrong, TooLong, Value, Word
from tests.reference.world import Member, Seat, Sort, Thing, Zone

MOST_TRIES = 20_000  # of ways through one option's body


class Further(Exception):
    """A trial has come to a chance event, or to a secret block: it need not look further."""


class Left(Exception):
    """A running procedure, menu or rule is being left."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


class NoSuchAnswer(Exception):
    """A trial has given all answers there are."""


class NothingToChoose(Unmet):
    """A question without an answer, and nothing that happens instead."""


class KeyedNow(str):
    """The key of an option with `keyed by`: what it was keyed by may have changed since it was taken."""

    def __new__(cls, key: str, name: str, parts: int) -> KeyedNow:
        made = super().__new__(cls, key)
        made.loosely = re.escape(name) + "(/[^/]+)" * parts  # type: ignore[attr-defined]
        return made


@dataclass
class Choice:
    """One answer: its key, and what happens then. `counts`: for a menu's `at least once` and `up to n times`."""

    key: str
    perform: Callable[[], Course] | None = None  # None: nothing happens
    ends: bool = False
    counts: bool = True
    asks_payment: Callable[[tuple[int, ...]], Course] | None = None  # the same, with the ways to pay narrowed down
    number: int = 0
    waits: bool = False  # of a race: it is left to the others


@dataclass
class Question:
    """A seat is asked."""

    name: str
    seat: Seat
    path: tuple[str, ...]
    choices: list[Choice] = field(default_factory=list)
    skip: bool = True  # a single answer may be taken
    secret: bool = False
    env: Env | None = None  # the names that are known where it is asked

    @property
    def keys(self) -> list[str]:
        return [choice.key for choice in self.choices]


Asking = dict[Seat, Question]


class Decisions(Pieces):
    """Asks, and tries out."""

    log: list[dict[str, Any]]
    why: str = ""  # why the last trial led to nothing, for whoever looks for a fault

    # ----------------------------------------------------------------------------------------------- asking

    def ask(self, question: Question) -> Generator[Asking, tuple[Seat, int], Choice]:
        """A single answer is taken, where that tells nobody anything."""
        if len(set(question.keys)) < len(question.keys) and not self.state.trying:
            raise RulesWrong(f"two answers have the same key: {question.keys}")
        forced = len(question.choices) == 1 and question.skip and not question.secret
        place = 0
        if not forced:
            _, place = yield {question.seat: question}
        if place >= len(question.choices):
            raise NoSuchAnswer
        choice = question.choices[place]
        if not self.state.trying:
            self.tell_decision(question, choice, forced)
        return choice

    def tell_decision(self, question: Question, choice: Choice, forced: bool) -> None:
        """The log has every answer: for all, in a secret block for its seat."""
        item: dict[str, Any] = {
            "event": "decision",
            "seat": question.seat.number,
            "path": question.path,
            "key": str(choice.key),
            "audience": question.seat.number if question.secret else "all",
        }
        self.log.append(item | ({"forced": True} if forced else {}))

    def tell_racer(self, question: Question, choice: Choice) -> None:
        """In a race: who was drawn and what it answered, for all; that it waited, for that seat alone."""
        question.secret = choice.waits
        number = question.seat.number
        audience = number if choice.waits else "all"
        self.log.append({"event": "chance", "what": "first", "key": f"first/{number}", "audience": audience})
        self.tell_decision(question, choice, False)

    def try_one(
        self, question: Question, choices: Iterator[Choice]
    ) -> Generator[Asking, tuple[Seat, int], Choice | None]:
        """In a trial answers are made one after another, as far as they are wanted."""
        first = next(choices, None)
        if first is None:
            return None
        question.choices = [first]
        _, place = yield {question.seat: question}
        found = next(islice(chain([first], choices), place, None), None)
        if found is None:
            raise NoSuchAnswer
        return found

    def decide(
        self, question: Question, found: Iterator[Choice], otherwise: Callable[[], Course] | None
    ) -> Generator[Any, Any, Choice | None]:
        """Ask for one of the options that lead on, and do what follows from the answer; without any, `otherwise`."""
        if self.state.trying:
            # whatever fails is found out by going on, but where there is an `otherwise` it must be known now
            leading = found if otherwise is None else filter(lambda c: self.leads_on(c, question.seat), found)
            choice = yield from self.try_one(question, leading)
        else:
            question.choices = [choice for choice in found if self.leads_on(choice, question.seat)]
            choice = (yield from self.ask(question)) if question.choices else None
        if choice is None:
            if otherwise is None:
                raise NothingToChoose(f"there is nothing to choose from at `{question.name}`")
            yield from otherwise()
            return None
        yield from self.taken(choice, question.seat)
        return choice

    def taken(self, choice: Choice, seat: Seat) -> Course:
        """What follows from an answer. Of several ways to pay only those are offered with which it leads on."""
        if choice.asks_payment is not None and not self.state.trying:
            ask = choice.asks_payment
            ways = []
            for place in range(1_000):
                came = self.way_on(lambda: ask(()), seat, [place])
                if came is None:
                    break
                if came:
                    ways.append(place)
            yield from ask(tuple(ways))
        elif choice.perform is not None:
            yield from choice.perform()

    # ------------------------------------------------------------------------------------------ trying out

    def leads_on(self, choice: Choice, seat: Seat) -> bool:
        """Whether some way through the seat's own decisions comes to chance, another seat, or the body's end."""
        return choice.perform is None or bool(self.way_on(choice.perform, seat, []))

    def way_on(self, perform: Callable[[], Course], seat: Seat, begun: list[int]) -> bool | None:
        """The same for ways that begin with these answers; None if the last of them is not there."""
        ways = [begun]
        for _ in range(MOST_TRIES):
            if not ways:
                return False
            way = ways.pop()
            came = self.tried(perform, seat, way)
            if came == "on":
                return True
            if came == "no such answer" and way == begun and begun:
                return None
            if len(way) > len(begun) and came != "no such answer":
                ways.append([*way[:-1], way[-1] + 1])
            if came == "asked":
                ways.append([*way, 0])
        raise AssertionError("too many ways to try")

    def tried(self, perform: Callable[[], Course], seat: Seat, way: list[int]) -> str:
        """Where a way leads: on, to a further question, to nothing; or it gives an answer that is not there."""
        mark = self.state.begin()
        watching = self.begin_trial()
        course = perform()
        try:
            asking = next(course)
            for place in way:
                asking = course.send((seat, place))
            (other,) = asking
            return "asked" if other is seat else "on"
        except (StopIteration, Further, Left, Given):
            return "on"
        except NoSuchAnswer:
            return "no such answer"
        except Unmet as why:
            self.why = str(why)
            return "to nothing"
        except TooLong:
            raise
        except RulesWrong as why:  # no requirement: it is a fault in play, when it happens
            self.why = f"{why}!"
            return "on"
        finally:
            course.close()
            self.end_trial(watching)
            self.state.undo(mark)

    @abstractmethod
    def begin_trial(self) -> Any:
        ...

    @abstractmethod
    def end_trial(self, watching: Any) -> None:
        ...

    # ------------------------------------------------------------------------------------- what can be chosen

    def bindings(self, binders: tuple[t.Binder, ...], env: Env) -> Iterator[Env]:
        """Every way to give the names of an option a value: the first goes round slowest. Alike pieces are one."""
        if not binders:
            yield env
            return
        first, *rest = binders
        asked = self.asked(env, first.domain, first.top, first.step, first.where)
        for value in self.offered(self.recalled((first.name, *asked), lambda: self.fitting(first, env))):
            yield from self.bindings(tuple(rest), env.inner(**{first.name: value}))

    def fitting(self, binder: t.Binder, env: Env) -> Items:
        """What a name may stand for."""
        everything = self.binding(t.Binder(binder.span, binder.name, binder.domain, binder.top, binder.step, None), env)
        where = binder.where
        if where is None:
            return everything
        return Items([(v, n) for v, n in everything.items if self.truth(where, env.inner(**{binder.name: v}))])

    def offered(self, items: Items) -> list[Value]:
        """What can be told apart: of alike pieces the first that fits."""
        found: dict[Any, Value] = {}
        for value in items.different():
            found.setdefault(self.look_of(value), value)
        return list(found.values())

    def look_of(self, value: Value) -> Any:
        """All that tells a piece from others: the sort, where it lies, what is on it, and who points at it."""
        if not isinstance(value, Thing) or value.sort is None or value.is_board or value.sort.number < 2:
            return value
        zone = self.place_of(value)
        rank = self.state.get((value, "rank")) if zone is not None and "ordered" in zone.member.words else 0
        return ("piece", zone, rank, self.inside(value), self.pointers(value))

    def inside(self, thing: Thing) -> Any:
        """Its sort, what it remembers and what lies on it."""
        found: list[Any] = [thing.sort]
        for kind in self.lineage(thing):
            for member in self.placed.get(kind, {}).values():
                for at in self.all_indexes(member):
                    if member.form == "zone":
                        lying = self.pieces((self.zone(member, thing, at),)).items
                        looks = [(self.inside(v) if isinstance(v, Thing) else v.sort, n) for v, n in lying]
                        found.append((member, at, tuple(sorted(looks, key=repr))))
                    else:
                        found.append((member, at, self.state.get((member, thing, at))))
        return tuple(found)

    def pointers(self, thing: Thing) -> Any:
        """Who remembers it; of alike pieces it does not matter which."""
        if self._memories is None:
            self._memories = [key for key in self.state.cells if isinstance(key[0], Member)]
            self._memories = [key for key in self._memories if key[0].form in ("note", "remember")]
        found = [(key[0], self.outside(key[1]), key[2]) for key in self._memories if self.state.cells[key] is thing]
        return tuple(sorted(found, key=repr))

    _memories: list[Any] | None = None

    def outside(self, owner: Any) -> Any:
        many = isinstance(owner, Thing) and owner.sort is not None and owner.sort.number > 1
        return (self.place_of(owner), owner.sort) if many else owner

    # ------------------------------------------------------------------------------------------------ keys

    def spelled(self, value: Value) -> str:
        """A value as it stands in a key."""
        match value:
            case None:
                return "none"
            case bool():
                return "yes" if value else "no"
            case int():
                return str(int(value))
            case Amount(value=number):
                return str(number)
            case Seat(number=number):
                return str(number)
            case Word(name=name):
                return name
            case Sort():
                return value.spelled
            case Piece(sort=sort):
                return sort.spelled
            case Thing():
                return value.sort.key or value.name if value.sort is not None else value.name
            case Zone(member=member):
                return member.name
        raise RulesWrong(f"{value} cannot stand in a key")

    def key_value(self, e: t.Expr, env: Env) -> Value:
        value = self.ev(e, env)
        if isinstance(value, Zone):
            return value
        return self.single(value, "")
