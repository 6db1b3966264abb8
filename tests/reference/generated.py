"""Small rulesets made by chance, each well typed and most of them sound: whatever may stand somewhere stands there sometime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.reference.generated_doings import Doings, indented
from tests.reference.generated_frame import BOX, FISH, ISLE, QUICK, RAIN, RICE, RULES, SNOW


@dataclass(frozen=True)
class Made:
    """The files of one ruleset, by their paths, and what of it is switched on."""

    files: dict[str, str]
    modules: tuple[str, ...]
    variants: tuple[str, ...]
    options: dict[str, object]


def made(seed: int) -> Made:
    """The ruleset of a seed."""
    maker = Maker(seed)
    files = {"game.yaml": BOX, "maps/isle.yaml": ISLE, "play.rules": maker.game()}
    files["boards/fish.yaml"] = FISH.replace("{fields}", maker.fields()) + indented(maker.board("fish"))
    files["boards/rice.yaml"] = RICE
    files["variants/quickly.yaml"] = QUICK
    files["modules/rain/module.yaml"], files["modules/rain/rain.rules"] = RAIN, maker.module("rain")
    files["modules/snow/module.yaml"], files["modules/snow/snow.rules"] = SNOW, maker.module("snow")
    modules = ((), (), ("rain",), ("rain", "snow"))[seed // 2 % 4]
    choices: list[dict[str, object]] = [{}, {}, {"air": "wild"}, {"limit": 4, "quick": True}, {"limit": 0}, {"starts": 2}]
    options = maker.random.choice(choices)
    return Made(files, modules, ("quickly",) if seed % 7 == 0 else (), options)


class Maker(Doings):
    """Writes one ruleset."""

    # -------------------------------------------------------------------------------------- whole files

    def game(self) -> str:
        dock = self.one("", "", ", ordered")
        self.ordered = ("dock",) if dock else ()
        parts: dict[str, Callable[[], str]] = {
            "fee": lambda: self.valued("n", markets=("board",)), "trade": self.traded, "market_setup": self.market_setup,
            "welcome": lambda: self.seldom(markets=("board",)),
            "plenty": lambda: self.seldom(), "chest_words": lambda: self.one("screened", "hidden from others, uncounted", "hidden from others"),
            "used_words": lambda: self.one("", ", resets each turn"),
            "pile_words": lambda: self.one("", ", at most 40"), "fleet_words": lambda: self.one("", ", ordered"),
            "bag_words": lambda: self.one("", ", refills from heap"), "dock_words": lambda: dock, "shelf_words": lambda: self.one("", ", at most 40"),
            "setup": lambda: self.quietly(1), "between": lambda: self.quietly(2), "course": self.course,
            "rated": lambda: self.valued("n"), "low": lambda: self.one("0", "2", "3"),
            "gathered": lambda: self.valued("g.face", gems=("g",)),
            "prized": lambda: self.valued("n * g.face", seats=("s",)),
            "prized_for": lambda: self.one("", " for s"), "prized_green": lambda: self.valued("n * 2", seats=("s",)),
            "heap_of": lambda: f"n * {self.one('$1', '$2', 'g.face coins')}", "tuned": lambda: self.valued("k", "g.face"),
            "mates": lambda: self.mated(), "send_home": lambda: self.one("heap", "bag"),
            "lucky": lambda: self.said(seats=("me",)), "at_ease": self.eased, "fare": self.fare,
            "pay_out": lambda: self.procedure("who", "n"), "deal": lambda: self.procedure("who"),
            "given": lambda: self.valued("1", seats=("who",)), "spread": self.spreading,
            "turn": self.turn, "actions": self.actions, "window": self.window,
            "rules": lambda: "".join(self.rule(f"r{n}") for n in range(self.random.randrange(4))),
            "scoring": self.scored, "ranking": self.ranked, "policy": self.policy,
        }  # fmt: skip
        text = RULES
        for name, part in parts.items():
            text = text.replace("{" + name + "}", part())
        return text

    def seldom(self, **known: tuple[str, ...]) -> str:
        with self.inside(**known, guards=False, values=False), self.offered():
            return f"not ({self.flag(1)} and {self.flag(0)})"

    def mated(self) -> str:
        with self.inside(seats=("s",), values=False, guards=False), self.offered():
            return self.many_seats()

    def eased(self) -> str:
        with self.inside(seats=("s",), guards=False), self.offered():
            return self.flag(1)

    def spreading(self) -> str:
        with self.inside(numbers=("count of z",), asks=False):
            test = self.flag(1)
            return self.one(f"for each s in them where {test}: raise s.luck by 1", "move all some to heap", f"if {test}: raise seen by 2",
                            "if red in z: move 1 red from z to heap", "for each g in z where g.face > 2: move g to heap")  # fmt: skip

    def course(self) -> str:
        if self.chance(0.6):
            return "take one turn each from starts"
        with self.inside(seats=("me",), asks=False):
            until = self.flag(1)
        if self.chance(0.8):  # else half of these games are over before anybody was asked
            until = f"{self.one('seen > 9', 'my.luck > 2', 'my.cash < $4')} and {f'({until})' if ' ' in until else until}"
        return f"take turns from starts until {until}, at most {self.one('3', 'count of seats', 'limit')} times{self.one('', ' then end as late')}"

    def fields(self) -> str:
        gift = "entry: 1 of my.hand to heap as gift\nrank: 3\n"
        return self.one("", "entry: $1\n", "entry: 1 hour or $2\n", gift, "entry: 1 red from my.hand to board.goods\n")

    def board(self, name: str) -> str:
        """What stands in a board's file."""
        text = f'add to menu visit:\n    option {self.fresh()} "O"{self.when()}:\n'
        with self.inside(seats=("me",), markets=("board",)):
            text += indented(self.block(2, asks=False), 2) + "\n"
        if self.chance(0.5):
            text += f"setup:\n    raise board.sold by {self.random.randrange(4)}\n    original\n"
        if self.chance(0.5):
            text += f"replace value fee_for(k: number) -> number: original(k) + {self.valued('k', markets=('board',))}\n"
        if self.chance(0.3):
            text += "board:\n    counter stock: 0 .. 9 start 1, stops at the ends\n\n"
            text += f"rule {name}_stocks, after turn: raise board.stock by board.sold\n"
        if self.chance(0.3):
            text += "replace guard welcome \"no\": original and my.luck < 9\n"
        if self.chance(0.3):
            does = self.one("original(n + 1)", "raise board.sold by n", "original(1)")
            text += f"replace procedure trade(n: number):\n    {does}\n    raise seen by 1\n"
        if self.chance(0.3):
            text += f"value prized of n red for s: {self.valued('n', seats=('s',), markets=('board',))}\n"
        if self.chance(0.5):
            text += f"rule {name}_ends, whenever {self.said(markets=('board',))}, once: raise seen by 3\n"
        if self.chance(0.5):
            text += f"rule {name}_turn, {self.one('before', 'after')} turn: raise board.sold by 1\n"
        return text

    def module(self, name: str) -> str:
        """Changes by name, of different things in each module, and what it adds."""
        every: list[Callable[[], str]] = [
            lambda: f"replace value rated(n: number) -> number: original(n) + {self.valued('n')}\n",
            lambda: f'replace guard lucky "none today": original or {self.said(seats=("me",))}\n',
            lambda: f"replace procedure pay_out(who: seat, n: number):\n    original(who, n)\n{self.procedure('who', 'n')}\n",
            lambda: f"restrict option actions.deal{self.if_so()}:\n    require {self.offer(seats=('me',))}\n",
            lambda: 'replace option actions.rest "R":\n    raise my.luck by 2\n    leave actions\n',
            lambda: f"replace cost fare(k: number): original(k) or {self.one('k * 1 coins as more', '1 hour as extra')}\n",
            lambda: f"replace ranking: {self.way()} total then {self.ranked()} else shared\n",
            lambda: f"replace value mates(who: seat): ({self.fresh()} in original(who) where {self.offer(seats=('who',))})\n",
            lambda: f"replace value prized of k green for t: {self.valued('k', seats=('t',))}\n",
            lambda: f"replace procedure turn:\n    original\n    raise my.luck by {self.one('1', 'count of my.won')}\n",
            lambda: f"add to menu actions:\n{self.an_option(1)}\n",
            lambda: f"add to menu visit of market:\n{self.an_option(1, 'board')}\n",
            lambda: f"add to seat:\n    counter {name}y: 0 .. 9, stops at the ends\n\nrule {name}_grows, after turn: raise my.{name}y by 1\n",
            lambda: f"add to kind boat:\n    counter {name}y: 0 .. 9 start 2, stops at the ends\n",
            lambda: f'add to scoring:\n    score for each seat: score "More" {self.valued("1", seats=("me",))}\n',
            lambda: self.rule(f"{name}_rule"),
            lambda: "change zone seat.fleet: keeps left_at\n",
            lambda: f"change zone table.dock: forgets {self.one('used and paid_for', 'everything', 'everything but used')}\n",
            lambda: "change zone seat.pile: at most 44\n",
            lambda: "remove option market.visit.stay\n" + f"add to menu visit of market:\n    option {self.fresh()}: nothing\n",
            lambda: f"rule {name}_first, before turn, before rule {name}_last: raise seen by 1\n"
            f"rule {name}_last, before turn: set seen to seen * 2\n",
            lambda: f"window {name}y{self.one('', ' during turn')}{self.when()}:\n{self.an_option(1, once=True)}\n",
        ]  # fmt: skip
        mine = self.random.sample(every[:10], 2) if name == "rain" else [self.random.choice(every[:10])]
        mine += self.random.sample(every[10:], 2)
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
            times += self.one("", "", ", windows after the first", ", no windows", ", while my.luck < 9")
            deal = "        option deal \"Deal\" costs fare(1) once per turn:\n            let n, s = deal(me)\n            raise s.luck by n\n"
            ready = "        option ready \"Ready\" when not my.ready: mark my.ready\n"
            guarded = self.one("", " where m.welcome")
            visit = f"        option visit \"Visit {{m}}\" for m in square{guarded}{self.one('', ' costs m.entry')}:\n            menu m.visit\n"
            come = "        option come \"Come\" for m in closed: move m to square\n"
            leave = "        option rest: leave actions\n"
            own = "\n".join(self.an_option(2) for _ in range(self.random.randrange(2)))
            return f"    menu actions{times}:\n{deal}{ready}{visit}{come}{own}{leave}"

    def window(self) -> str:
        if self.chance(0.6):
            return ""
        with self.inside(seats=("me",)):
            return f"window free{self.one(' during turn', ' during turn', '')}{self.when()}:\n{self.an_option(1, once=True)}\n"

    def fare(self) -> str:
        return self.one("n * 1 coins", "1 of my.hand to heap as gem", "n * 2 coins or 1 red from my.hand to heap", "1 coins and 1 of my.hand to heap",
                        "n hours or n coins to pot", "1 of my.hand by send_home as gone or n coins")  # fmt: skip

    def scored(self) -> str:
        with self.inside(asks=False):
            return self.block(1) + "\n" if self.chance(0.3) else ""

    def ranked(self) -> str:
        mine = self.valued("1", seats=("me",))
        return self.one(f"highest rated({self.valued('1')})", "lowest number(my.cash)", "highest my.ready", f"lowest {mine}")

    def policy(self) -> str:
        """What somebody would rather do."""
        x, y = self.fresh(), self.fresh()
        with self.inside(seats=("me",)), self.offered():
            wishes = [
                f'"deal" when {self.flag(1)} by 3', f'"visit/{{{x}}}" for {x} in square by {x}.sold', '"x*"', '"*/red" by 2',
                f'"*/{{{x}}}" for {x} in my.hand where {x}.face > 2 by {self.number(1)}', f'"*{{{x}}}" for {x} in seats by {x}.luck',
                f'"*/{{{x}}}" for {x} in spots when {self.flag(1)} by {x}.price', f'"rest" by -{self.number(0)}', '"pay/*" by $2', '"*/take"',
                f'"*/{{{x}}}/{{{y}}}" for {x} in gems, {y} in sides by {x}.face',
                f'"x{self.random.randrange(1, 40)}/*" nearest {self.number(1)}', f'"pay/*" nearest fair by {self.number(0)}', '"*/take" by fair',
            ]  # fmt: skip
            fair = self.number(1)
        return f"    let fair = {fair}\n" + "".join(f"    prefer {wish}\n" for wish in self.random.sample(wishes, 4))

    def rule(self, name: str) -> str:
        s = self.fresh()
        match self.random.randrange(12):
            case 0 | 1:
                once = self.one("", ", once", ", once each", ", at the end of turn", ", once each, at the end of pay_out")
                who = self.one("seats", "seats", self.watched())
                return f"rule {name} for each {s} in {who}, whenever {self.said(seats=(s,))}{once}: {self.small((s,))}\n\n"
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
            case 7:
                around = self.one("before trade(k)", "after trade", "before actions.come", "after weigh")
                return f"rule {name}, {around}: raise seen by {self.one('1', 'rounds')}\n\n"
            case 8:
                once = self.one("", ", once each")
                return f"rule {name} for each {s} in gates, whenever {s}.crowd > {self.number(0)}{once}: raise {s}.crowd by 1\n\n"
            case 9:
                return f"rule {name}, {self.one('before', 'after')} scoring: {self.small(())}\n\n"
            case 10:
                test = self.said(seats=("me",))
                return f"rule {name}, instead of {self.one('turn', 'actions.ready')} when {test}:\n    original\n    raise seen by 3\n\n"
            case _:
                return f"rule {name}, {self.one('before', 'after')} turn{self.if_so()}: {self.small(('me',))}\n\n"

    def if_so(self) -> str:
        return self.one("", f" when {self.said(seats=('me',))}")

    def watched(self) -> str:
        with self.offered():
            return self.many_seats(1)

    def small(self, seats: tuple[str, ...]) -> str:
        """A block that asks nobody."""
        with self.inside(seats=seats, asks=False):
            return "\n" + indented(self.plainly())


__all__ = ["Made", "Maker", "made"]
