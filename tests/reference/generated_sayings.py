"""Expressions made by chance: numbers, amounts, conditions and sets out of what is known at a place.

What may be asked of whom is kept to: whether something is offered never hangs on another's hand, and in a secret block a seat
reads only what is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random


@dataclass
class Here:
    """What is known where chance writes, by what it is."""

    seats: tuple[str, ...] = ()
    spots: tuple[str, ...] = ()
    gems: tuple[str, ...] = ()
    boats: tuple[str, ...] = ()
    gates: tuple[str, ...] = ()
    tickets: tuple[str, ...] = ()
    shells: tuple[str, ...] = ()
    markets: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    asks: bool = True  # somebody may be asked here
    own: str = ""  # in a secret block: the seat that goes through it
    turn: bool = False  # inside of the turn, not of another procedure
    values: bool = True  # values may be asked here: they do not ask each other
    guards: bool = True  # and guards


class Sayings:
    """Says something of what is known here."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.names = 0
        self.here = Here()
        self.offering = False  # what is written says whether something is offered

    def one(self, *choices: str) -> str:
        return self.random.choice(choices)

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def fresh(self) -> str:
        self.names += 1
        return f"x{self.names}"

    @contextmanager
    def inside(self, **known: object) -> Iterator[None]:
        """Where these names are known as well, or where it is otherwise than here."""
        before = self.here
        more = {k: (*getattr(before, k), *v) if isinstance(v, tuple) else v for k, v in known.items()}
        self.here = replace(before, **more)  # type: ignore[arg-type]
        yield
        self.here = before

    @contextmanager
    def offered(self) -> Iterator[None]:
        before, self.offering = self.offering, True
        yield
        self.offering = before

    def valued(self, *numbers: str, **known: tuple[str, ...]) -> str:
        with self.inside(**known, numbers=numbers, values=False, guards=False):
            if self.chance(0.1):
                return f"{numbers[0]} + {self.number(1)}"
            with self.offered():  # it may be asked whether something is offered
                return f"{numbers[0]} + {self.number(1)}"

    def said(self, **known: tuple[str, ...]) -> str:
        with self.inside(**known), self.offered():
            return self.flag(2)

    def offer(self, **known: tuple[str, ...]) -> str:
        """What an option hangs on."""
        with self.inside(**known), self.offered():
            return self.flag(1)

    # ------------------------------------------------------------------------------- seats, zones, things

    def seat(self) -> str:
        if self.here.own:
            return self.here.own
        more = ["next_seat(me)"] if "me" in self.here.seats else []
        return self.one(*self.here.seats, *more, "seat(1)", "seat(2)")

    def zone(self) -> str:
        """Some zone of gems, of which the size is asked."""
        s = self.seat()
        own = [f"{s}.hand", f"{s}.row", f"{s}.row(north)", f"{s}.pile(right)", f"{s}.pile({self.one('left', 'right')})"]
        own += [f"{b}.hold" for b in self.here.boats]
        if self.here.own:
            return self.one(*own)
        own += ["heap", "bag", "spot.shelf", "nook", "nook(north, right)"]
        own += [*(f"{p}.shelf" for p in self.here.spots), *(f"{m}.goods" for m in self.here.markets)]
        return self.one(*own)

    def lying(self) -> str:
        """Some zone of gems, of which it is asked what lies there. What is offered hangs on open ones."""
        if not self.offering:
            return self.zone()
        s = self.seat()
        found = [f"{s}.row", f"{s}.row(south)", f"{s}.pile(left)", *(f"{b}.hold" for b in self.here.boats)]
        found += [] if self.here.own else ["heap", *(f"{p}.shelf" for p in self.here.spots)]
        found += ["my.hand"] if self.mine() else []
        return self.one(*found)

    def beside(self, zone: str) -> str:
        """A zone that is surely another one."""
        s = self.seat()
        others = [f"{s}.row(south)", f"{s}.pile(left)", f"{s}.pile(right)"] + ([] if self.here.own else ["heap"])
        name = zone.rpartition(".")[2].partition("(")[0]
        return self.one(*(other for other in others if f".{name}" not in f".{other}"))

    def mine(self) -> bool:
        """Whether what `me` alone may see can be spoken of."""
        return "me" in self.here.seats and self.here.asks

    def secretive(self) -> str:
        """A seat of which something hidden may be asked here; or nothing."""
        if not self.offering:
            return self.seat()
        return "me" if self.mine() else ""

    def gate(self) -> str:
        s = self.seat()
        return self.one(*self.here.gates, f"{s}.where_at", f"{s}.where_at", "sun", "moon")

    def spot(self) -> str:
        return self.one(*self.here.spots, "north", "bell")

    def many_seats(self, depth: int = 1) -> str:
        """A set of seats."""
        s, x = self.seat(), self.fresh()
        plain = ["seats", "seats", f"others_from({s})", f"seats_from({s})", f"{{seat(2), {s}}}"]
        plain += ["others", "mates(me)"] if "me" in self.here.seats and self.here.values else []
        if depth <= 0 or self.chance(0.4):
            return self.one(*plain)
        domain = self.many_seats(depth - 1)
        with self.inside(seats=(x,)):
            match self.random.randrange(3):
                case 0:
                    return f"({x} in {domain} where {self.flag(0)})"
                case 1:
                    return f"({x} in {domain} with {self.way()} {self.number(0)})"
                case _:
                    return f"({x} in {domain} by {self.way()} {self.number(0)}{self.one('', f' then lowest position of {x}')})"

    def way(self) -> str:
        return self.one("highest", "lowest")

    def many_spots(self, depth: int = 1) -> str:
        """A set of spots."""
        x = self.fresh()
        if depth <= 0 or self.chance(0.4):
            return self.one("spots", "stalls", "inns", "{south, north}", "{bell}")
        domain, test = self.many_spots(depth - 1), self.flag(0)
        with self.inside(spots=(x,)):
            match self.random.randrange(4):
                case 0:
                    return f"({x} in {domain} where {self.flag(0)})"
                case 1:
                    return f"({x} in {domain} with {self.way()} {self.number(0)})"
                case 2:
                    return f"({x} in {domain} by {self.way()} {self.number(0)} then {self.way()} {x}.price)"
                case _:
                    return f"(if {test} then {domain} else stalls)"

    def many_gems(self, depth: int = 1) -> str:
        """A set of gems, or zones in which they lie."""
        x, zone = self.fresh(), self.lying()
        other = self.beside(zone)
        if depth <= 0 or self.chance(0.3):
            return self.one(zone, f"({self.one('red', 'green', 'gem')} in {zone})")
        with self.inside(gems=(x,)):
            test, key = self.flag(0), self.number(0)
        several = [f"{{{zone}, {other}}}", f"({x} in {{{zone}, {other}}} where {test})"]
        if not self.here.own:
            several += [f"({x}.row for {x} in {self.many_seats(0)})", f"lying_by({self.seat()})", f"({x}.shelf for {x} in {self.many_spots(0)})"]
        return self.one(
            f"({x} in {zone} where {test})",
            f"({x} in {zone} with {self.way()} {key})",
            f"({x} in {zone} by {self.way()} {key} then {self.way()} {x}.face)",
            f"(red in {{{zone}, {other}}})",
            *several,
        )

    def many_boats(self) -> str:
        """A set of boats."""
        x, s = self.fresh(), self.seat()
        domain = self.one(f"{s}.fleet", "dock", f"{{{s}.fleet, dock}}", f"(raft in {s}.fleet)")
        with self.inside(boats=(x,)):
            return self.one(
                domain, domain, f"({x} in {domain} where {self.flag(0)})", f"({x} in {domain} with {self.way()} {self.number(0)})",
                f"({x} in {domain} by {self.way()} {self.number(0)} then {self.way()} position of {x})",
            )  # fmt: skip

    # -------------------------------------------------------------------------------------------- numbers

    def number(self, depth: int) -> str:
        s = self.seat()
        plain = ["1", "2", "3", f"count of {self.zone()}", "rounds", f"{s}.luck", f"number({s}.cash)", f"count of red in {self.lying()}"]
        plain += [f"count of {s}.fleet", *self.here.numbers, *(f"{g}.face" for g in self.here.gems)]
        plain += [f"{b}.slots + {b}.worn" for b in self.here.boats] + [f"{m}.sold" for m in self.here.markets]
        plain += [f"position of sort of {g}" for g in self.here.gems]
        plain += [self.one(f"{g}.toll", f"{g}.crowd", f"position of {g}") for g in self.here.gates]
        plain += [f"{t}.price" for t in self.here.tickets] + [f"count of {s}.{self.one('won', 'tickets', 'net')}"]
        plain += ["limit", f"{s}.where_at.toll", f"position of {s}", f"{s}.tally(seat(2), left)"]
        if secret := self.secretive():
            plain += [f"{secret}.mood", f"number({secret}.hoard)", f"count of {secret}.chest"]
        if not self.here.own:
            plain += ["seen", "count of dock", "count of square", f"rated({self.one('1', *self.here.numbers)})" if self.here.values else "4"]
            plain += [f"{p}.{self.one('price', 'marks(left)')}" for p in self.here.spots] + ["(if quick then 1 else 2)"]
            plain += [self.one(f"number({p}.rate)", f"number({p}.fee)") for p in self.here.spots]
            plain += [f"by_sort({self.one('red', 'green', *(f'sort of {g}' for g in self.here.gems))})", "count of sea", "number(pot)"]
            plain += [f"{m}.rank" for m in self.here.markets]
        return self.deep_number(depth) if depth and self.chance(0.6) else self.one(*plain)

    def deep_number(self, depth: int) -> str:
        x, s, deeper = self.fresh(), self.seat(), depth - 1
        match self.random.randrange(29):
            case 0:
                return f"({self.number(deeper)} + {self.number(deeper)})"
            case 1:
                return f"({self.number(deeper)} * 2 - {self.number(0)})"
            case 2:
                return f"{self.one('min', 'max')}({self.number(deeper)}, {self.number(0)})"
            case 3:
                return f"(if {self.flag(deeper)} then {self.number(deeper)} else {self.number(0)})"
            case 4 if not self.here.own:
                domain = self.many_seats(deeper)
                with self.inside(seats=(x,)):
                    return f"{self.one('sum', 'highest', 'lowest')} of ({self.number(deeper)} for {x} in {domain})"
            case 5 if not self.here.own:
                domain = self.many_spots(deeper)
                with self.inside(spots=(x,)):
                    value, test = self.number(deeper), self.flag(0)
                return f"sum of ({value} for {x} in {domain} where {test})"
            case 6 | 7:
                domain = self.many_gems(deeper)
                with self.inside(gems=(x,)):
                    return f"{self.one('sum', 'sum', 'highest', 'lowest')} of ({self.number(0)} for {x} in {domain})"
            case 8:
                return self.one(f"worth(max(0, min({self.number(0)}, 3)))", f"bonus({self.flag(0)})") if not self.here.own else "2"
            case 9:
                return f"({self.number(0)} / {self.one('2', '3')} rounded {self.one('up', 'down')})"
            case 10 if not self.here.own:
                domain = self.many_boats()
                with self.inside(boats=(x,)):
                    return f"{self.one('highest', 'sum')} of ({self.number(0)} for {x} in {domain})"
            case 11 if self.here.values:
                return f"gathered({s})"
            case 12:
                return self.one(f"abs({self.number(deeper)})", f"(-min({self.number(deeper)}, 9))", f"power(2, min({self.number(0)}, 5))")
            case 13:
                return f"count of {self.many_gems(deeper)}"
            case 14:
                return f"number({self.amount(deeper)})"
            case 15 if self.here.values and not self.here.own:
                sort = self.one("red", "green", *(f"sort of {g}" for g in self.here.gems))
                prized = f"prized({self.number(0)}, ", f"s: {s}, g: {sort})", f"{sort}, {s})"
                return self.one(prized[0] + prized[1], prized[0] + prized[2], f"tuned({self.number(0)}, {sort})")
            case 16 | 27 | 28 if not self.here.own and self.chance(0.8):
                return self.over_roads()
            case 16 if not self.here.own:
                gate = self.gate()
                with self.inside(gates=(f"far({x}, {gate})",)):
                    return f"{self.one('sum', 'highest')} of ({self.one(f'{x}.used', self.number(0))} for {x} in edges_at({gate}))"
            case 17 if not self.here.own:
                return f"count of {self.one(self.many_seats(), self.many_spots(), self.many_boats())}"
            case 18:
                zone = self.lying()
                first = self.one(f"position of sort of (first of {zone})", f"(first of {zone}).face")
                return f"(if {zone} is not empty then {first} else {self.number(0)})"
            case 19:
                with self.inside(tickets=(x,)):
                    return f"sum of ({self.number(0)} for {x} in {s}.{self.one('won', 'tickets')} where {self.flag(0)})"
            case 20 if not self.here.own:
                y = self.fresh()
                first, second = self.many_seats(0), self.many_spots(0)
                with self.inside(seats=(x,), spots=(y,)):
                    if self.chance(0.4):
                        return f"count of ({x} in {first}, {y} in {second} where {self.flag(0)})"
                    return f"sum of ({self.number(0)} for {x} in {first}, {y} in {second} where {self.flag(0)})"
            case 21:
                numbers = self.one("1 .. 3", "0 .. 4 step 2", f"1 .. min(5, {self.number(0)})")
                with self.inside(numbers=(x,)):
                    return f"sum of ({self.number(0)} for {x} in {numbers})"
            case 22:
                with self.inside(shells=(x,)):
                    test = self.flag(0)
                if self.here.own or not self.here.values or self.chance(0.5):
                    return f"count of ({x} in {s}.net where {test})"
                return f"sum of (netted({self.number(0)}, sort of {x}) for {x} in {s}.net where {test})"
            case 23 if not self.here.own:
                gem = self.one("red", "green", *self.here.gems)
                return f"taste({gem}, {s}, max(1, min(2, {self.number(0)})))"
            case 24 if not self.here.own:
                return f"sum of (length({x}) for {x} in {self.many_boats()})"
            case 25:
                return f"count of {self.one('slip(red, left)', 'left_green', f'slip({self.gem_sort()}, right)')} in {s}.papers"
            case _:
                return self.number(0)
        return self.number(0)

    def gem_sort(self) -> str:
        return self.one("red", "green", *(f"sort of {g}" for g in self.here.gems))

    def over_roads(self) -> str:
        """Over the roads, with conditions and costs that hang on what is kept at the gates and roads."""
        here, there, e, n, x = self.gate(), self.gate(), self.fresh(), self.fresh(), self.fresh()
        begin = self.one(here, f"{{{here}, {self.gate()}}}", "gates", "(s.where_at for s in seats)")
        with self.inside(gates=(n,)):
            test, cost = self.flag(0), f"max(0, {self.number(0)})"
        where = self.one("", f" where {test}")
        match self.random.randrange(5):
            case 0:
                route = self.one("", f" over {e}", f" over {e} through {n}{where}", f" through {n} where {test}")
                return f"shortest way from {begin} to {there}{route} else min(9, {self.number(0)})"
            case 1:
                among = self.one("", " in roads")
                return f"cheapest way from {begin} to {there} over {e}{among} through {n} by {cost} + {e}.used{where} else {self.one('9', '(-1)')}"
            case 2:
                route = self.one("", f" through {n} where {test}", f" over {e} through {n} in gates where {e}.used < 2 or {test}")
                return f"count of (connected to {begin}{route})"
            case 3:
                return f"sum of ({x}.used + 1 for {x} in cheapest steps from {begin} to {there} over {e} by {e}.used else none)"
            case _:
                return f"sum of ({x}.crowd + 1 for {x} in shortest steps from {begin} to {there} through {n}{where} else none)"

    def amount(self, depth: int) -> str:
        """So many coins, perhaps less than none."""
        s, x = self.seat(), self.fresh()
        plain = ["$1", "$2", "3 coins", f"{s}.cash", f"({self.number(0)} + 1) coins", "dues", "rent(left, 2)"]
        plain += [f"{p}.fee" for p in self.here.spots] + [f"{b}.paid_for" for b in self.here.boats]
        if secret := self.secretive():
            plain += [f"{secret}.hoard"]
        if not self.here.own:
            plain += [f"{p}.rate" for p in self.here.spots] + ["pot"]
        if not depth or self.chance(0.4):
            return self.one(*plain)
        match self.random.randrange(7):
            case 0:
                return f"({self.amount(depth - 1)} {self.one('+', '-')} {self.amount(0)})"
            case 1:
                return f"{self.one('min', 'max')}({self.amount(depth - 1)}, {self.amount(0)})"
            case 2:
                return f"(if {self.flag(depth - 1)} then {self.amount(depth - 1)} else {self.amount(0)})"
            case 3 if not self.here.own:
                domain = self.many_seats(depth - 1)
                with self.inside(seats=(x,)):
                    return f"{self.one('sum', 'highest', 'lowest')} of ({self.amount(0)} for {x} in {domain})"
            case 4:
                return f"({self.amount(0)} * {self.one('2', '3')} / 2 rounded {self.one('up', 'down')})"
            case 5 if not self.here.own:
                side = self.one("left", "right")
                return self.one(f"rent({side}, max(1, min(3, {self.number(0)})))", f"sum of (rent({x}, 2) for {x} in sides)")
            case 6 if self.here.values and not self.here.own:
                return f"heap_of({self.one('g: red, n: ', 'g: green, n: ')}{self.number(0)})"
        return f"abs({self.amount(0)})"

    def paid(self, depth: int = 1) -> str:
        """An amount that is never below nothing."""
        return self.one("$1", "2 coins", f"max($0, {self.amount(depth)})", f"abs({self.amount(depth)})")

    # ----------------------------------------------------------------------------------------- conditions

    def flag(self, depth: int) -> str:
        x = self.fresh()
        match self.random.randrange(17 if depth else 8):
            case 0 | 1:
                return f"{self.number(0)} {self.one('<', '>', '>=', '<=', '=', '!=')} {self.number(0)}"
            case 2:
                return f"{self.zone()} is {self.one('', 'not ')}empty"
            case 3:
                return f"{self.one('red', 'green')} in {self.lying()}"
            case 4:
                return f"even({self.number(0)})"
            case 5:
                return f"{self.amount(0)} {self.one('<', '>', '>=', '<=', '=', '!=')} {self.amount(0)}"
            case 6 | 7:
                return self.one(*self.facts())
            case 8:
                return f"({self.flag(depth - 1)} {self.one('and', 'or')} {self.flag(depth - 1)})"
            case 9 if not self.here.own:
                domain = self.many_seats(depth - 1)
                with self.inside(seats=(x,)):
                    return f"{self.one('any', 'no')} ({x} in {domain} where {self.flag(depth - 1)})"
            case 10 if not self.here.own:
                domain = self.many_spots(0)
                if self.chance(0.3):
                    y, others = self.fresh(), self.many_seats(0)
                    with self.inside(spots=(x,), seats=(y,)):
                        return f"{self.one('any', 'no')} ({x} in {domain}, {y} in {others} where {self.flag(0)})"
                with self.inside(spots=(x,)):
                    return f"{self.one('any', 'no')} ({x} in {domain} where {self.one(f'{x}.closed', self.flag(depth - 1), f'{x} is inn')})"
            case 11:
                domain = self.many_gems(0)
                with self.inside(gems=(x,)):
                    return f"{self.one('any', 'no')} ({x} in {domain} where {self.flag(0)})"
            case 12:
                return f"{self.one('any', 'no')} {self.many_gems()}"
            case 13 if not self.here.own:
                domain = self.many_boats()
                with self.inside(boats=(x,)):
                    return f"any ({x} in {domain} where {self.flag(0)})"
            case 14 if not self.here.own:
                return self.one(f"{self.seat()} in {self.many_seats()}", f"{self.spot()} in {self.one('spots', '(p in spots where p.closed)')}")
            case 15 if self.here.guards and not self.here.own:
                return self.one(f"at_ease({self.seat()})", f"fits({self.seat()}, n: {self.number(0)})", "plenty" if self.here.values else "quick")
            case _:
                return self.none_of(self.flag(depth - 1)) if depth else "seen > 5" if not self.here.own else "true"

    def none_of(self, flag: str) -> str:
        return f"no {flag.removeprefix('any ')}" if flag.startswith("any ") else f"not {flag}"

    def facts(self) -> list[str]:
        """What is so of something that is known here."""
        here, s, other = self.here, self.seat(), self.seat()
        some = [f"{s}.ready", f"{s}.rival is {self.one('', 'not ')}none", f"{s}.rival is {other}", f"{s}.liked {self.one('is', 'is not')} bell"]
        some += [f"({s}.liked is not none and {s}.liked.fee > $1)", f"({s}.rival is none or {s}.rival is seat(1))", f"{s}.where_at is sun"]
        some += [self.one("air is wild", "air is calm", "quick", "limit > 1")]
        for p in here.spots:
            some += [f"{p} is {self.one('inn', 'stall', 'closed', 'dear', 'not inn')}", f"{p}.beside {self.one('is none', 'is bell')}"]
            some += [f"{p}.fond is red"] + ([] if here.own else [f"{p}.met({s})", f"({p} is inn and {p}.beds > 1)"])
        for b in here.boats:
            some += [f"{b}.used", f"{b}.left_at {self.one('is none', 'is bell', 'is not none')}", f"{b} is {self.one('barge', 'not raft')}"]
            some += [] if here.own else [f"{b} in {self.one('dock', f'{s}.fleet')}"]
        for g in here.gems:
            some += [f"{g} is {self.one('red', 'not green')}", f"{g} is red", f"sort of {g} is {self.one('green', 'red')}"]
        some += [f"{t}.owner is {s}" for t in here.tickets] + [f"{t} is {self.one('one', 'not two')}" for t in here.tickets]
        some += [f"{h} is {self.one('aged', 'fresh', 'conch', 'not clam')}" for h in here.shells]
        some += [f"{g} is {self.gate()}" for g in here.gates]
        if secret := self.secretive():
            some += [f"{secret}.wish is {self.one('red', 'none')}", f"conch in {secret}.chest"]
        if not here.own:
            some += ["last is none", f"last is {s}", "(last is none or last.cash > $1)", f"{self.one('conch', 'clam')} in sea"]
            some += ["crate of north in store", f"been({self.one('north', 'south')}, left)"]
        return some


__all__ = ["Here", "Sayings"]
