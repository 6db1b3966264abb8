"""Small rulesets made by chance, each well typed and most of them sound: whatever may stand somewhere stands there sometime.

What may be asked of whom is kept to: whether something is offered never hangs on another's hand, and in a secret block a seat
reads and changes only what is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random

from tests.reference.generated_frame import BOX, FISH, QUICK, RAIN, RICE, RULES, SNOW

DEEPEST = 4


@dataclass(frozen=True)
class Made:
    """The files of one ruleset, by their paths, and what of it is switched on."""

    files: dict[str, str]
    modules: tuple[str, ...]
    variants: tuple[str, ...]


@dataclass
class Here:
    """What is known where chance writes, by what it is."""

    seats: tuple[str, ...] = ()
    spots: tuple[str, ...] = ()
    gems: tuple[str, ...] = ()
    boats: tuple[str, ...] = ()
    markets: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    asks: bool = True  # somebody may be asked here
    own: str = ""  # in a secret block: the seat that goes through it
    turn: bool = False  # inside of the phase, not of a procedure
    values: bool = True  # values may be asked here: they do not ask each other


def made(seed: int) -> Made:
    """The ruleset of a seed."""
    maker = Maker(seed)
    files = {"game.yaml": BOX, "play.rules": maker.game()}
    files["boards/fish.yaml"] = FISH + indented(maker.board("fish"))
    files["boards/rice.yaml"] = RICE
    files["variants/quickly.yaml"] = QUICK
    files["modules/rain/module.yaml"], files["modules/rain/rain.rules"] = RAIN, maker.module("rain")
    files["modules/snow/module.yaml"], files["modules/snow/snow.rules"] = SNOW, maker.module("snow")
    modules = ((), (), ("rain",), ("rain", "snow"))[seed // 2 % 4]
    return Made(files, modules, ("quickly",) if seed % 7 == 0 else ())


def indented(text: str, depth: int = 1) -> str:
    return "".join("    " * depth + line if line.strip() else line for line in text.splitlines(keepends=True))


class Maker:
    """Writes one ruleset."""

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

    # -------------------------------------------------------------------------------------- whole files

    def game(self) -> str:
        parts: dict[str, Callable[[], str]] = {
            "fee": lambda: self.valued("n", markets=("board",)), "trade": self.traded, "market_setup": self.market_setup,
            "pile_words": lambda: self.one("", ", at most 40"), "fleet_words": lambda: self.one("", ", ordered"),
            "bag_words": lambda: self.one("", ", refills from heap"),
            "setup": lambda: self.quietly(1), "between": lambda: self.quietly(2),
            "rated": lambda: self.valued("n"), "low": lambda: self.one("0", "2", "3"),
            "gathered": lambda: self.valued("g.face", gems=("g",)),
            "lucky": lambda: self.said(seats=("me",)), "fare": self.fare,
            "pay_out": lambda: self.procedure("who", "n"), "deal": lambda: self.procedure("who"),
            "given": lambda: self.valued("1", seats=("who",)),
            "turn": self.turn, "actions": self.actions, "window": self.window,
            "rules": lambda: "".join(self.rule(f"r{n}") for n in range(self.random.randrange(4))),
            "ranking": lambda: self.valued("1"),
        }  # fmt: skip
        text = RULES
        for name, part in parts.items():
            text = text.replace("{" + name + "}", part())
        return text

    def board(self, name: str) -> str:
        """What stands in a board's file."""
        text = f'add to menu visit:\n    option {self.fresh()} "O"{self.when()}:\n'
        with self.inside(seats=("me",), markets=("board",)):
            text += indented(self.block(2, asks=False), 2) + "\n"
        if self.chance(0.5):
            text += f"setup:\n    raise board.sold by {self.random.randrange(4)}\n    original\n"
        if self.chance(0.5):
            text += f"replace value fee(k: number) in number: original(k) + {self.valued('k', markets=('board',))}\n"
        if self.chance(0.5):
            text += f"rule {name}_ends, whenever {self.said(markets=('board',))}, once: raise seen by 3\n"
        if self.chance(0.5):
            text += f"rule {name}_turn, {self.one('before', 'after')} turn: raise board.sold by 1\n"
        return text

    def module(self, name: str) -> str:
        """Changes by name, of different things in each module, and what it adds."""
        every: list[Callable[[], str]] = [
            lambda: f"replace value rated(n: number) in number: original(n) + {self.valued('n')}\n",
            lambda: f'replace guard lucky "none today": original or {self.said(seats=("me",))}\n',
            lambda: f"replace procedure pay_out(who: seat, n: number):\n    original(who, n)\n{self.procedure('who', 'n')}\n",
            lambda: f"restrict option actions.deal when {self.offer(seats=('me',))}:\n    require {self.offer(seats=('me',))}\n",
            lambda: 'replace option actions.rest "R":\n    raise my.luck by 2\n    leave actions\n',
            lambda: f"replace cost fare(k: number): original(k) or {self.one('k * 1 coins as more', '1 of my.hand to heap as extra')}\n",
            lambda: f"add to menu actions:\n{self.an_option(1)}\n",
            lambda: f"add to menu visit of market:\n{self.an_option(1, 'board')}\n",
            lambda: f"add to seat:\n    counter {name}y: 0 .. 9, stops at the ends\n\nrule {name}_grows, after turn: raise my.{name}y by 1\n",
            lambda: f"add to kind boat:\n    counter {name}y: 0 .. 9 start 2, stops at the ends\n",
            lambda: f'add to scoring:\n    score for each seat: score "More" {self.valued("1", seats=("me",))}\n',
            lambda: self.rule(f"{name}_rule"),
            lambda: "change zone seat.fleet: keeps left_at\n",
        ]  # fmt: skip
        mine = self.random.sample(every[:6], 2) if name == "rain" else [self.random.choice(every[:6])]
        mine += self.random.sample(every[6:], 2)
        return "\n".join(part() for part in mine)

    def quietly(self, many: int) -> str:
        """A part of the setup, or between two turns: nobody is `me`."""
        with self.inside(asks=False):
            return self.block(many) if self.chance(0.5) else "    nothing"

    def procedure(self, who: str, number: str = "") -> str:
        with self.inside(seats=(who, "me"), numbers=(number,) if number else (), asks=self.chance(0.3)):
            return self.block(2)

    def traded(self) -> str:
        with self.inside(seats=("me",), numbers=("n",), markets=("board",), asks=False):
            return "\n" + indented(self.block(2))

    def market_setup(self) -> str:
        some = "if heap is not empty: move first of heap to board.goods"
        return self.one("nothing", "raise board.sold by 2", "draw 1 gem from bag to board.goods", some)

    def turn(self) -> str:
        with self.inside(seats=("me",), turn=True):
            return self.block(3)

    def actions(self) -> str:
        with self.inside(seats=("me",), turn=True):
            times = self.one("", " up to 2 times", " exactly 2 times", " until done, done \"End\"", " at least once, done \"End\"")
            if "until" in times or "least" in times:
                times += " when my.ready"
            deal = "        option deal \"Deal\" costs fare(1) once per turn:\n            let n, s = deal(me)\n            raise s.luck by n\n"
            ready = "        option ready \"Ready\" when not my.ready: mark my.ready\n"
            visit = "        option visit \"Visit {m}\" for m in square:\n            menu m.visit\n"
            come = "        option come \"Come\" for m in closed: move m to square\n"
            leave = "        option rest: leave actions\n"
            own = "\n".join(self.an_option(2) for _ in range(self.random.randrange(2)))
            return f"    menu actions{times}:\n{deal}{ready}{visit}{come}{own}{leave}"

    def window(self) -> str:
        if self.chance(0.6):
            return ""
        with self.inside(seats=("me",)):
            return f"window free during turn{self.when()}:\n{self.an_option(1, once=True)}\n"

    def fare(self) -> str:
        return self.one("n * 1 coins", "1 of my.hand to heap as gem", "n * 2 coins or 1 red from my.hand to heap", "1 coins and 1 of my.hand to heap")

    def rule(self, name: str) -> str:
        s = self.fresh()
        match self.random.randrange(8):
            case 0 | 1:
                once = self.one("", ", once", ", once each", ", at the end of turn", ", once each, at the end of pay_out")
                return f"rule {name} for each {s} in seats, whenever {self.said(seats=(s,))}{once}: {self.small((s,))}\n\n"
            case 2:
                once = self.one("", ", once", ", at the end of turn")
                return f"rule {name}, whenever {self.said()}{once}: {self.small(())}\n\n"
            case 3:
                return f"rule {name}, {self.one('before', 'after')} pay_out(a, b) when b > 1: raise a.luck by b\n\n"
            case 4:
                test = self.said(seats=("me",))
                return f"rule {name}, instead of pay_out(a, b) when {test}:\n    original\n    raise seen by b\n\n"
            case 5:
                return f"rule {name}, {self.one('before', 'after')} actions.deal: raise my.luck by 1\n\n"
            case 6:
                s = self.fresh()
                return f"rule {name} for each {s} in spots, whenever {self.said(spots=(s,))}, once each: raise {s}.price by 1\n\n"
            case _:
                return f"rule {name}, {self.one('before', 'after')} turn: {self.small(('me',))}\n\n"

    def small(self, seats: tuple[str, ...]) -> str:
        """A block that asks nobody."""
        with self.inside(seats=seats, asks=False):
            return "\n" + indented(self.plainly())

    # ---------------------------------------------------------------------------- expressions as a whole

    def valued(self, *numbers: str, **known: tuple[str, ...]) -> str:
        with self.inside(**known, numbers=numbers, values=False):
            return f"{numbers[0]} + {self.number(1)}"

    def said(self, **known: tuple[str, ...]) -> str:
        with self.inside(**known), self.offered():
            return self.flag(2)

    def offer(self, **known: tuple[str, ...]) -> str:
        """What an option hangs on."""
        with self.inside(**known), self.offered():
            return self.flag(1)

    def when(self) -> str:
        return self.one("", f" when {self.offer(seats=('me',))}", " when lucky")

    # --------------------------------------------------------------------------------------- expressions

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
        own += ["heap", "bag", "spot.shelf", *(f"{p}.shelf" for p in self.here.spots), *(f"{m}.goods" for m in self.here.markets)]
        return self.one(*own)

    def lying(self) -> str:
        """Some zone of gems, of which it is asked what lies there. What is offered hangs on open ones."""
        if not self.offering:
            return self.zone()
        s = self.seat()
        found = [f"{s}.row", f"{s}.row(south)", f"{s}.pile(left)", *(f"{b}.hold" for b in self.here.boats)]
        found += [] if self.here.own else ["heap", *(f"{p}.shelf" for p in self.here.spots)]
        found += ["my.hand"] if "me" in self.here.seats and self.here.asks else []
        return self.one(*found)

    def number(self, depth: int) -> str:
        s = self.seat()
        plain = ["1", "2", "3", f"count of {self.zone()}", "rounds", f"{s}.luck", f"number({s}.cash)", f"count of red in {self.lying()}"]
        plain += [f"count of {s}.fleet", *self.here.numbers, *(f"{g}.face" for g in self.here.gems)]
        plain += [f"{b}.slots + {b}.worn" for b in self.here.boats] + [f"{m}.sold" for m in self.here.markets]
        if not self.here.own:
            plain += ["seen", "count of dock", "count of square", f"rated({self.one('1', *self.here.numbers)})" if self.here.values else "4"]
            plain += [f"{p}.{self.one('price', 'marks(left)')}" for p in self.here.spots] + ["(if quick then 1 else 2)"]
        return self.deep_number(depth) if depth and self.chance(0.6) else self.one(*plain)

    def deep_number(self, depth: int) -> str:
        x = self.fresh()
        match self.random.randrange(11):
            case 0:
                return f"({self.number(depth - 1)} + {self.number(depth - 1)})"
            case 1:
                return f"({self.number(depth - 1)} * 2 - {self.number(0)})"
            case 2:
                return f"{self.one('min', 'max')}({self.number(depth - 1)}, {self.number(0)})"
            case 3:
                return f"(if {self.flag(depth - 1)} then {self.number(depth - 1)} else {self.number(0)})"
            case 4 if not self.here.own:
                with self.inside(seats=(x,)):
                    return f"{self.one('sum', 'highest', 'lowest')} of ({self.number(depth - 1)} for {x} in seats)"
            case 5 if not self.here.own:
                with self.inside(spots=(x,)):
                    value, test = self.number(depth - 1), self.flag(0)
                return f"sum of ({value} for {x} in {self.one('spots', 'stalls', 'inns')} where {test})"
            case 6:
                zone = self.lying()
                with self.inside(gems=(x,)):
                    return f"sum of ({self.number(0)} for {x} in {zone})"
            case 7:
                return f"worth(min({self.number(0)}, 3))" if not self.here.own else "2"
            case 8:
                return f"({self.number(0)} / {self.one('2', '3')} rounded {self.one('up', 'down')})"
            case 9 if not self.here.own:
                fleet = self.one(f"{self.seat()}.fleet", "dock")
                with self.inside(boats=(x,)):
                    return f"{self.one('highest', 'sum')} of ({self.number(0)} for {x} in {fleet})"
            case 10 if self.here.values:
                return f"gathered({self.seat()})"
            case _:
                return self.number(0)

    def flag(self, depth: int) -> str:
        x = self.fresh()
        match self.random.randrange(10 if depth else 5):
            case 0:
                return f"{self.number(0)} {self.one('<', '>', '>=', '<=', '=', '!=')} {self.number(0)}"
            case 1:
                return f"{self.zone()} is {self.one('', 'not ')}empty"
            case 2:
                return f"{self.one('red', 'green')} in {self.lying()}"
            case 3:
                return f"even({self.number(0)})"
            case 4:
                s = self.seat()
                some = [f"{s}.ready", *(f"{p} is {self.one('inn', 'stall', 'closed')}" for p in self.here.spots)]
                some += [f"{s}.rival is {self.one('', 'not ')}none", *(f"{b}.used" for b in self.here.boats)]
                return self.one(*some)
            case 5:
                return f"({self.flag(depth - 1)} {self.one('and', 'or')} {self.flag(depth - 1)})"
            case 6 if not self.here.own:
                with self.inside(seats=(x,)):
                    return f"{self.one('any', 'no')} ({x} in seats where {self.flag(depth - 1)})"
            case 7 if not self.here.own:
                with self.inside(spots=(x,)):
                    return f"{self.one('any', 'no')} ({x} in spots where {self.one(f'{x}.closed', self.flag(depth - 1), f'{x} is inn')})"
            case 8:
                zone = self.lying()
                with self.inside(gems=(x,)):
                    return f"any ({x} in {zone} where {self.flag(0)})"
            case _:
                return f"not {self.flag(depth - 1)}" if depth else "seen > 5" if not self.here.own else "true"

    # ---------------------------------------------------------------------------------------- statements

    def block(self, many: int, asks: bool = True, depth: int = 1) -> str:
        """So many sentences; what one of them names is known to those behind it."""
        with self.inside(asks=self.here.asks and asks):
            return "\n".join(indented(self.statement(depth)) for _ in range(self.random.randint(1, many)))

    def inner(self, depth: int) -> str:
        """A block behind a colon, to be indented with what stands around it."""
        return self.block(2, depth=depth + 1) if depth < DEEPEST else "    nothing"

    def target(self) -> str:
        s = self.seat()
        own = [f"{s}.hand", f"{s}.row(south)", f"{s}.pile(left)"]
        return self.one(*own) if self.here.own else self.one(*own, "heap", *(f"{p}.shelf" for p in self.here.spots))

    def plainly(self) -> str:
        s, x, a, b, k = self.seat(), self.fresh(), self.zone(), self.target(), self.number(0)
        own = [
            f"raise {s}.luck by {self.number(1)}",
            f"lower {s}.luck by {self.number(1)}",
            f"set {s}.luck to min(50, {k})",
            f"{self.one('mark', 'clear')} {s}.ready",
            f"raise {s}.vow(seat(2)) by 1",
            f"if {a} is not empty: move first of {a} to {b}",
            f"move all {a} to {b}",
            f"for each {x} in ({x} in {a} where {x}.face > 2): move {x} to {b}",
            f"move all red in {a} to {b}",
            f"let {x} = {a}\nif count of {a} > 1: move 2 of {a} to {b}",
            f"set {s}.liked to {self.one('north', 'bell', 'none')}",
        ]
        if self.here.own:
            return self.one(*own)
        own += [
            f"raise seen by {self.number(1)}",
            f"raise {s}.strict by {self.one('1', '2', k)}",
            f"{s} gains 1 coins * min(3, {k})",
            f"{s} pays 2 coins to {self.one('bank', self.seat())} as far as it goes",
            f"draw {self.one('1', '2')} gem from bag to {b}",
            f"draw 1 gem from bag to {b} as {x}\nif {x} is not none: raise seen by {x}.face",
            f"for each {x} in spots where {x}.price < {k}: {self.one('mark', 'clear')} {x}.closed",
            f"for each {x} in spots where {x} is inn: raise {x}.beds by 1",
            f"for each {x} in spots: raise {x}.{self.one('price', 'marks(right)')} by {k}",
            f"if dock is not empty: move first of dock to {s}.fleet noting used: {self.one('true', 'false')}, left_at: {self.one('bell', 'none')}",
            f"for each {x} in {s}.fleet: {self.one('mark', 'clear')} {x}.used",
            f"for each {x} in {s}.fleet by highest {x}.slots then lowest number of {x}:\n    raise {x}.worn by 1\n"
            f"    if {a} is not empty: move first of {a} to {x}.hold",
            f"move all {s}.fleet to {self.one('dock', self.seat() + '.fleet')}",
            f"if {s}.fleet is not empty: move first of {s}.fleet to dock",
            f"raise seen by rated({k})",
            f"reveal {s}.{self.one('hand', 'row', 'pile', 'luck')}",
            f"roll {x} from 1 to 3\nraise seen by {x}",
            f"if {a} is not empty:\n    pick {x} in {a} at random\n    raise seen by {x}.face",
            f"set {s}.rival to {self.one('none', self.seat(), self.seat())}",
            f"let {x} = the s in seats with {self.one('highest', 'lowest')} s.luck, tie: {self.one('first', 'random')}\nraise {x}.luck by 1",
            f"for each {x} in square: raise {x}.sold by 1",
            "if closed is not empty: move first of closed to square",
            "if square is not empty: move first of square to closed",
            *(f"{m}.trade({k})" for m in self.here.markets if m != "board"),
        ]  # fmt: skip
        return self.one(*own)

    def statement(self, depth: int) -> str:
        if depth >= DEEPEST or self.chance(0.5):
            return self.plainly()
        x, me = self.fresh(), "me" in self.here.seats
        match self.random.randrange(15 if self.here.asks and me else 6):
            case 0:
                return f"if {self.flag(2)}:\n{self.inner(depth)}\nelse:\n{self.inner(depth)}"
            case 1 if not self.here.own:
                order = self.one("", f" by highest {self.number(0)} then lowest number of {x}", " at random")
                with self.inside(seats=(x,), asks=False):
                    return f"for each {x} in seats{order}:\n{self.inner(depth)}"
            case 2:
                return f"repeat 2 times while {self.flag(1)}:\n{self.inner(depth)}"
            case 3:
                first = f"let {x} = {self.number(1)}\n"
                with self.inside(numbers=(x,)):
                    return first + self.plainly()
            case 4 if me and self.here.turn:
                return f"pay_out({self.seat()}, {self.number(0)})"
            case 5 if me and not self.here.own:
                with self.inside(asks=self.here.asks):
                    return f"as {self.seat()}:\n{self.inner(depth)}"
            case 6 | 7:
                return self.choice(depth, x)
            case 8:
                most = self.one("2", "my.luck", "count of my.hand")
                with self.inside(numbers=(x,)):
                    return f'choose {x} from 0 to {most} "How many?"\n' + self.plainly()
            case 9 | 10:
                return self.menu(depth)
            case 11 if not self.here.own:
                return self.secretly(depth)
            case 12 if not self.here.own:
                words = self.one("", ", at least 1", ", at most 2", ", in steps of 2", ", all different by face")
                return f'choose some {x} from my.hand{words} "Which?":\n    move {x} to {self.target()}\notherwise: nothing'
            case 13 if self.here.turn:
                return f"if {self.flag(1)}: leave turn"
            case 14 if not self.here.own:
                cost = self.one("", " costs 2 coins", " costs 1 of my.hand to heap", " costs fare(2)")
                with self.offered():
                    when = self.flag(1)
                return f'may {x} "Yes?" when {when}{cost}:\n{self.inner(depth)}\nelse:\n{self.inner(depth)}'
            case _:
                return self.plainly()

    def choice(self, depth: int, x: str) -> str:
        """One of a set."""
        if self.here.own or self.chance(0.6):
            zone = self.one("my.hand", "my.row(north)") if self.here.own else self.one("my.hand", "heap", "my.row(north)", "my.row")
            where = self.one("", f" where {x}.face > 2")
            block = f"    move {x} to {self.target()}\n"
            with self.inside(gems=() if self.here.own else ()):
                block += self.inner(depth)
            return f'choose {x} in {zone}{where} "Which?":\n{block}\notherwise:\n{self.inner(depth)}'
        domain = self.one("spots", "others")
        if domain == "spots":
            with self.inside(spots=(x,)), self.offered():
                where = self.one("", f" where {self.flag(0)}")
            with self.inside(spots=(x,)):
                block = self.inner(depth)
        else:
            where = ""
            with self.inside(seats=(x,)):
                block = self.inner(depth)
        return f'choose {x} in {domain}{where} "Which?":\n{block}\notherwise: nothing'

    def secretly(self, depth: int) -> str:
        """Each seat by itself; behind the block it is revealed, or only a part of it, or only later."""
        s, bid, g = self.fresh(), self.fresh(), self.fresh()
        with self.inside(own=s, seats=(), turn=False):
            self.here = replace(self.here, seats=(s, "me"), spots=(), boats=(), markets=(), numbers=(), gems=())
            lines = [f"choose {bid} from 0 to {self.one('2', f'count of {s}.hand')} \"Bid\""]
            lines += [self.statement(max(depth, 3)) for _ in range(self.random.randrange(3))]
            pick = f'choose {g} in {s}.hand "Lay":\n    move {g} to {s}.{self.one("row(north)", "pile(left)")}\notherwise: nothing'
            lines += [pick] if self.chance(0.5) else []
            body = indented("\n".join(lines))
        bids, part = f"reveal {bid}", "reveal seat(1).row(north)"
        shown = self.one(bids, bids, bids, part, f"reveal seat.row\n{bids}", "reveal my.hand", "nothing")
        return f"each {s} in seats secretly:\n{body}\n{shown}\nfor each {s} in seats: raise {s}.luck by {bid} of {s}"

    def an_option(self, depth: int, of: str = "", once: bool = False) -> str:
        """An option of a menu in some file, indented once."""
        with self.inside(seats=("me",), markets=(of,) if of else (), turn=False):
            return indented(self.option(DEEPEST - 1, once), depth)

    def option(self, depth: int, once: bool = False) -> str:
        x = self.fresh()
        binder, known = self.random.choice(
            [("", {}), (f" for {x} in spots where not {x}.closed", {"spots": (x,)}), (f" for {x} in my.hand", {}),
             (f" for {x} in 1 .. 3", {"numbers": (x,)}), (f" for {x} in others", {"seats": (x,)})]
        )  # fmt: skip
        with self.inside(**known):
            when = self.one("", f" when {self.offer()}", " when lucky")
            cost = self.one("", " costs 1 coins", " costs 2 coins or 1 of my.hand to heap as gem", " costs fare(1)")
            cost = "" if self.here.own else cost
            need = self.one("", f"    require {self.offer()}\n") if cost in ("", " costs 1 coins") and not self.here.own else ""
            per = " once per turn" if once else ""
            return f'option {self.fresh()} "O"{binder}{when}{cost}{per}:\n{need}{self.inner(depth)}\n'

    def menu(self, depth: int) -> str:
        name = self.fresh()
        lines = "".join(indented(self.option(depth)) for _ in range(self.random.randint(1, 3)))
        times = self.one("", " up to 2 times", " exactly 2 times")
        return f"menu {name}{times}:\n{lines}    option {self.fresh()}: nothing"


__all__ = ["Made", "Maker", "made"]
