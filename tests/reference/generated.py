"""Small rulesets made by chance, each well-formed and most of them sound: whatever may stand somewhere stands there sometime."""

from __future__ import annotations

from random import Random

BOX = """\
game: made
language: 1
title: Made
seats: 2 to 3
units: {coin: {write: "${}"}}
numbers: {rounds: 2}
tables: {worth: {index: n, from: 0, values: [0, 1, 3, 6], then: n * 2}}
pieces:
  gem: {sorts: {red: {face: 2}, green: {face: 3}}, number: 5, in: bag}
  boat: {individual: true, in: dock, sorts: {raft: {slots: 1, number: 2}, barge: {slots: 3, number: 1}}}
things: {stall: {each: {north: {}, south: {}}}, inn: {each: {bell: {}}}}
"""

HEAD = """\
kind spot is thing:
    counter price: 0 .. 20 start 2, stops at the ends
    flag closed
    zone shelf of gem

kind stall is spot:
    flag visited, resets each turn

kind inn is spot:
    counter beds: 0 .. 9 start 1, stops at the ends

kind boat is piece:
    note used: flag
    zone hold of gem

seat:
    purse cash in coin start 6
    zone hand of gem, hidden from others
    zone row(k: stall) of gem
    zone fleet of boat keeps used
    counter luck: 0 .. 50, stops at the ends

table:
    purse bank in coin, unlimited
    zone bag of gem, face down
    zone heap of gem
    zone dock of boat
    counter seen: 0 .. 9999, stops at the ends

setup:
    for each s in seats: draw 2 gem from bag to s.hand

play:
    repeat rounds times:
        take one turn each from seat(1): turn

value rated(n: number) in number: {rated}

guard lucky "no luck": {lucky}

procedure pay_out(who: seat, n: number):
{pay_out}

phase turn:
{turn}

{rules}
scoring:
    score for each seat:
        score "Cash" my.cash
        score "Rest" seen + my.luck + count of my.hand

ranking: highest total then highest rated({ranking}) else shared
"""


class Maker:
    """Writes one ruleset."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.names = 0
        self.seats = ["me"]  # what is known as a seat here
        self.spots: list[str] = []
        self.gems: list[str] = []

    def one(self, *choices: str) -> str:
        return self.random.choice(choices)

    def fresh(self) -> str:
        self.names += 1
        return f"x{self.names}"

    def text(self) -> str:
        self.seats = []
        rated = f"n + {self.number(1)}"
        self.seats = ["me"]
        lucky, ranking = self.flag(1), self.number(1)
        self.seats = ["who"]
        pay_out = self.block(2, 1, asks=False)
        self.seats = ["me"]
        turn = self.block(4, 1)
        self.seats = []
        rules = "".join(self.rule(n) for n in range(self.random.randrange(3)))
        parts = {"rated": rated, "lucky": lucky, "ranking": ranking, "pay_out": pay_out, "turn": turn, "rules": rules}
        made = HEAD
        for name, part in parts.items():
            made = made.replace("{" + name + "}", part)
        return made

    # --------------------------------------------------------------------------------------- expressions

    def seat(self) -> str:
        return self.one(*self.seats, "seat(1)", "seat(2)")

    def whose(self) -> str:
        return self.seat()

    def zone(self) -> str:
        own = [f"{self.whose()}.hand", f"{self.whose()}.row", f"{self.whose()}.row(north)", "heap", "bag", "spot.shelf"]
        return self.one(*own, *(f"{p}.shelf" for p in self.spots))

    def number(self, depth: int) -> str:
        plain = ["1", "2", "3", "seen", f"count of {self.zone()}", "rounds", f"{self.whose()}.luck"]
        plain += [f"number({self.whose()}.cash)", f"count of red in {self.zone()}", "count of dock", *(f"{p}.price" for p in self.spots)]
        plain += [f"{g}.face" for g in self.gems]
        if not depth:
            return self.one(*plain)
        s, p, g = self.fresh(), self.fresh(), self.fresh()
        match self.random.randrange(10):
            case 0:
                return f"({self.number(depth - 1)} + {self.number(depth - 1)})"
            case 1:
                return f"({self.number(depth - 1)} * 2 - {self.number(0)})"
            case 2:
                return f"min({self.number(depth - 1)}, {self.number(0)})"
            case 3:
                return f"(if {self.flag(depth - 1)} then {self.number(depth - 1)} else {self.number(0)})"
            case 4:
                self.seats.append(s)
                inner = self.number(depth - 1)
                self.seats.remove(s)
                return f"{self.one('sum', 'highest', 'lowest')} of ({inner} for {s} in seats)"
            case 5:
                self.spots.append(p)
                inner, test = self.number(depth - 1), self.flag(0)
                self.spots.remove(p)
                return f"sum of ({inner} for {p} in {self.one('spots', 'stalls', 'inns')} where {test})"
            case 6:
                zone = self.zone()
                self.gems.append(g)
                inner = self.number(0)
                self.gems.remove(g)
                return f"sum of ({inner} for {g} in {zone})"
            case 7:
                return f"worth(min({self.number(0)}, 3))"
            case _:
                return self.one(*plain)

    def flag(self, depth: int) -> str:
        s, p, g = self.fresh(), self.fresh(), self.fresh()
        match self.random.randrange(8 if depth else 4):
            case 0:
                return f"{self.number(0)} {self.one('<', '>', '>=', '<=', '=', '!=')} {self.number(0)}"
            case 1:
                return f"{self.zone()} is {self.one('', 'not ')}empty"
            case 2:
                return f"{self.one('red', 'green')} in {self.zone()}"
            case 3:
                return f"even({self.number(0)})"
            case 4:
                return f"({self.flag(depth - 1)} {self.one('and', 'or')} {self.flag(depth - 1)})"
            case 5:
                self.seats.append(s)
                inner = self.flag(depth - 1)
                self.seats.remove(s)
                return f"{self.one('any', 'no')} ({s} in seats where {inner})"
            case 6:
                self.spots.append(p)
                inner = self.one(f"{p}.closed", self.flag(depth - 1), f"{p} is inn")
                self.spots.remove(p)
                return f"{self.one('any', 'no')} ({p} in spots where {inner})"
            case _:
                return f"not {self.flag(depth - 1)}" if depth else f"any ({g} in heap where {g}.face > 2)"

    # ---------------------------------------------------------------------------------------- statements

    def block(self, many: int, depth: int, asks: bool = True) -> str:
        """So many sentences, indented so deep."""
        known = len(self.seats), len(self.spots), len(self.gems)
        lines = [self.statement(depth, asks) for _ in range(self.random.randint(1, many))]
        del self.seats[known[0] :], self.spots[known[1] :], self.gems[known[2] :]
        return "\n".join("    " * depth + line.replace("\n", "\n" + "    " * depth) for line in lines)

    def inner(self, depth: int, asks: bool) -> str:
        """A block behind a colon, to be indented with what stands around it."""
        made = self.block(2, 1, asks) if depth < 4 else "    nothing"
        return made

    def statement(self, depth: int, asks: bool) -> str:
        me = "me" in self.seats
        s, p, g, x = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        a, b = self.zone(), self.one(f"{self.whose()}.hand", "heap", f"{self.whose()}.row(south)")
        plain = [
            f"raise seen by {self.number(1)}",
            f"lower {self.whose()}.luck by {self.number(1)}",
            f"set {self.whose()}.luck to min(50, {self.number(0)})",
            f"{self.seat()} gains 1 coins * min(3, {self.number(0)})",
            f"{self.seat()} pays 2 coins to {self.one('bank', self.seat())} as far as it goes",
            f"if {a} is not empty: move first of {a} to {b}",
            f"move all {a} to {b}",
            f"for each {g} in ({g} in {a} where {g}.face > 2): move {g} to {b}",
            f"draw {self.one('1', '2')} gem from bag to {b}",
            f"for each {p} in spots where {p}.price < {self.number(0)}: {self.one('mark', 'clear')} {p}.closed",
            f"for each {p} in spots where {p} is inn: raise {p}.beds by 1",
            f"for each {p} in spots: raise {p}.price by {self.number(0)}",
            f"if dock is not empty: move first of dock to {self.whose()}.fleet noting used: {self.one('true', 'false')}",
            f"for each {x} in {self.whose()}.fleet: {self.one('mark', 'clear')} {x}.used",
            f"move all {self.whose()}.fleet to dock",
            f"raise seen by rated({self.number(0)})",
            f"reveal {self.whose()}.hand",
            f"roll {x} from 1 to 3",
        ]
        deep = self.random.random() < 0.5 and depth < 4
        if not deep:
            return self.one(*plain)
        match self.random.randrange(9 if asks and me else 4):
            case 0:
                return f"if {self.flag(2)}:\n{self.inner(depth + 1, asks)}\nelse:\n{self.inner(depth + 1, asks)}"
            case 1:
                self.seats.append(s)
                order = self.one("", f" by highest {self.number(0)} then lowest number of {s}", " at random")
                body = self.inner(depth + 1, False)
                self.seats.remove(s)
                return f"for each {s} in seats{order}:\n{body}"
            case 2:
                return f"repeat 2 times while {self.flag(1)}:\n{self.inner(depth + 1, asks)}"
            case 3:
                return f"pay_out({self.seat()}, {self.number(0)})" if me else "nothing"
            case 4:
                where = self.one("", f" where {g}.face > 2")
                first = f'choose {g} in {self.one("my.hand", "heap", "my.row(north)")}{where} "Which?":'
                return f"{first}\n    move {g} to {b}\n{self.inner(depth + 1, asks)}\notherwise:\n{self.inner(depth + 1, asks)}"
            case 5:
                return f'choose {x} from 0 to {self.one("2", "my.luck", "count of my.hand")} "How many?"\nraise seen by {x}'
            case 6:
                return self.menu(depth)
            case 7:
                bid = f"each {s} in seats secretly:\n    choose {x} from 0 to {self.one('2', f'count of {s}.hand')} \"Bid\""
                pick = f"\n    choose {g} in {s}.hand \"Lay\":\n        move {g} to {s}.row(north)\n    otherwise: nothing"
                more = self.one("", pick)
                return f"{bid}{more}\nreveal {x}\nfor each {s} in seats: raise {s}.luck by {x} of {s}"
            case _:
                cost = self.one("", " costs 2 coins", " costs 1 of my.hand to heap", " costs 1 coins or 1 red from my.hand to heap")
                return f'may {x} "Yes?" when {self.flag(1)}{cost}:\n{self.inner(depth + 1, asks)}\nelse:\n{self.inner(depth + 1, asks)}'

    def menu(self, depth: int) -> str:
        name, lines = self.fresh(), []
        for _ in range(self.random.randint(1, 3)):
            option, p, k = self.fresh(), self.fresh(), self.fresh()
            binder = self.one("", f" for {p} in spots where not {p}.closed", f" for {p} in my.hand", f" for {k} in 1 .. 3", f" for {k} in others")
            when = self.one("", f" when {self.flag(1)}", " when lucky")
            cost = self.one("", " costs 1 coins", " costs 2 coins or 1 of my.hand to heap as gem")
            require = self.one("", f"        require {self.flag(1)}\n")
            body = "    " + self.inner(depth + 1, True).replace("\n", "\n    ")
            lines.append(f'    option {option} "O"{binder}{when}{cost}:\n{require}{body}')
        times = self.one("", " up to 2 times", " exactly 2 times")
        return f"menu {name}{times}:\n" + "\n".join(lines) + f"\n    option {self.fresh()}: nothing"

    def rule(self, n: int) -> str:
        s = self.fresh()
        match self.random.randrange(5):
            case 0:
                self.seats.append(s)
                test = self.flag(1)
                self.seats.remove(s)
                once = self.one("", ", once", ", once each", ", at the end of turn")
                return f"rule r{n} for each {s} in seats, whenever {test}{once}: raise {s}.luck by 1\n\n"
            case 1:
                return f"rule r{n}, whenever {self.flag(1)}, once: raise seen by 5\n\n"
            case 2:
                return f"rule r{n}, {self.one('before', 'after')} pay_out(a, b) when b > 1: raise a.luck by b\n\n"
            case 3:
                return f"rule r{n}, instead of pay_out(a, b) when {self.flag(1)}:\n    original\n    raise seen by b\n\n"
            case _:
                return f"rule r{n}, {self.one('before', 'after')} turn: raise my.luck by 1\n\n"
