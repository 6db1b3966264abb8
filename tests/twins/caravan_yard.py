"""Caravan Yard by hand: `rulesets/caravan_yard/README.md`, read again and written down with nothing of the rules engine in it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from tests.twins.told import Asked, Course, Told, counted, last

WARES = ["silk", "pepper", "amber", "salt", "indigo"]
LETTERS = [f"{one}_{other}" for one, other in combinations(WARES, 2)]
BAZAAR = [4, 3, 2, 1]
EVENINGS, LOAD, CRIES, DEAREST, LARGEST, PAIR = 3, 4, 2, 6, 3, 7


class CaravanYard(Told):
    def set_up(self) -> None:
        self.money = dict.fromkeys(self.seats, 8)
        self.caravan = [ware for ware in WARES for _ in range(3 * len(self.seats))]
        self.pouch = LETTERS * 2
        self.store: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.letters = {seat: self.draw(self.pouch, 2) for seat in self.seats}
        self.bazaar: list[str] = []
        self.evening = 0

    def course(self) -> Course:
        for self.evening in range(1, EVENINGS + 1):
            for seat in self.seats:
                self.store[seat] += self.draw(self.caravan, LOAD)
            for seat in self.from_(self.start):
                yield from self.in_the_middle(seat)
            for seat in self.from_(self.start):
                yield from self.at_the_bazaar(seat)

    def has(self, seat: int, ware: str) -> int:
        return self.store[seat].count(ware)

    def give(self, giver: int, taker: int, *wares: str) -> None:
        for ware in wares:
            self.store[giver].remove(ware)
            self.store[taker].append(ware)

    # crying out

    def in_the_middle(self, seat: int) -> Course:
        for _ in range(CRIES):
            own = [ware for ware in WARES if self.has(seat, ware)]
            swaps = [f"swap/{ware}/{other}" for ware in own for other in WARES if other != ware]
            sales = [f"sell/{ware}/{price}" for ware in own for price in range(1, DEAREST + 1)]
            wishes = [f"buy/{ware}/{price}" for ware in WARES for price in range(1, min(DEAREST, self.money[seat]) + 1)]
            talks = [f"bargain/{other}" for other in self.from_(seat)[1:] if own]
            key = yield Asked(seat, [*swaps, *sales, *wishes, *talks, "done"], always=True)
            match key.split("/"):
                case ["swap", ware, other]:
                    yield from self.swapped(seat, ware, other)
                case ["sell", ware, price]:
                    yield from self.sold(seat, ware, int(price))
                case ["buy", ware, price]:
                    yield from self.bought(seat, ware, int(price))
                case ["bargain", partner]:
                    yield from self.bargain(seat, int(partner))
                case _:
                    return

    def first(self, crier: int, can: Callable[[int], bool], everybody: bool) -> Course:
        """The first of the others to take it; 0: nobody. `everybody` is asked where it must not be told who can."""
        left = {other for other in self.seats if other != crier and (everybody or can(other))}
        while left:
            seat = int(self.chance.pick("first", {str(other): 1 for other in sorted(left)}))
            left.remove(seat)
            if (yield Asked(seat, ["take", "wait"] if can(seat) else ["wait"], always=True)) == "take":
                return seat
        return 0

    def swapped(self, crier: int, ware: str, other: str) -> Course:
        taker = yield from self.first(crier, lambda seat: self.has(seat, other) > 0, everybody=True)
        if taker:
            self.give(taker, crier, other)
            self.give(crier, taker, ware)

    def sold(self, crier: int, ware: str, price: int) -> Course:
        taker = yield from self.first(crier, lambda seat: self.money[seat] >= price, everybody=False)
        if taker:
            self.pay(taker, crier, price)
            self.give(crier, taker, ware)

    def bought(self, crier: int, ware: str, price: int) -> Course:
        taker = yield from self.first(crier, lambda seat: self.has(seat, ware) > 0, everybody=True)
        if taker:
            self.pay(crier, taker, price)
            self.give(taker, crier, ware)

    def pay(self, payer: int, taker: int, price: int) -> None:
        self.money[payer] -= price
        self.money[taker] += price

    def bargain(self, crier: int, partner: int) -> Course:
        bundle: list[str] = []
        for place, ware in enumerate(WARES):
            later = sum(self.has(crier, other) for other in WARES[place + 1 :])
            most = min(self.has(crier, ware), LARGEST - len(bundle))
            keys = [f"bundle/{ware}/{n}" for n in range(most + 1) if len(bundle) + n + later >= 1]
            bundle += [ware] * int(last((yield Asked(crier, keys, always=True))))
        want = last((yield Asked(crier, [f"want/{ware}" for ware in WARES if ware not in bundle], always=True)))
        many = int(last((yield Asked(crier, [f"many/{n}" for n in range(1, LARGEST + 1)]))))
        can = ["agree"] if self.has(partner, want) >= many else []
        if (yield Asked(partner, [*can, "refuse"], always=True)) == "agree":
            self.give(partner, crier, *[want] * many)
            self.give(crier, partner, *bundle)

    # the bazaar

    def at_the_bazaar(self, seat: int) -> Course:
        while True:
            own = [ware for ware in WARES if self.has(seat, ware)]
            key = yield Asked(seat, [*(f"unload/{ware}" for ware in own), "done"], always=True)
            if key == "done":
                return
            ware = last(key)
            there = self.bazaar.count(ware)
            self.money[seat] += BAZAAR[there] if there < len(BAZAAR) else 0
            self.store[seat].remove(ware)
            self.bazaar.append(ware)

    def pairs(self, seat: int, letter: str) -> int:
        return min(self.has(seat, ware) for ware in letter.split("_"))

    def final_scores(self) -> dict[int, int]:
        return {seat: self.money[seat] + PAIR * sum(self.pairs(seat, one) for one in self.letters[seat]) for seat in self.seats}

    def facts(self) -> dict[str, object]:
        def each(what: dict[int, list[str]]) -> dict[str, object]:
            return {str(seat): counted(pile) for seat, pile in what.items()}

        return {
            "evening": self.evening,
            "money": {str(seat): self.money[seat] for seat in self.seats},
            "store": each(self.store),
            "letters": each(self.letters),
            "bazaar": counted(self.bazaar),
            "caravan": len(self.caravan),
        }
