"""Lantern Coast by hand: `rulesets/lantern_coast/README.md`, read again and written down with nothing of the rules engine in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.twins.told import Asked, Course, Told, last

PATHS = {
    ("north_cape", "gull_rock"): 4, ("gull_rock", "mercy"): 5, ("mercy", "long_nose"): 7, ("north_cape", "anvil"): 5,
    ("gull_rock", "harbour"): 3, ("mercy", "chapel"): 4, ("long_nose", "seal_bay"): 5, ("long_nose", "chapel"): 6, ("anvil", "harbour"): 4,
    ("harbour", "chapel"): 2, ("chapel", "seal_bay"): 5, ("anvil", "west_end"): 6, ("harbour", "west_end"): 5, ("harbour", "sands"): 3,
    ("chapel", "sands"): 4, ("chapel", "widow"): 5, ("seal_bay", "widow"): 4, ("sands", "widow"): 4, ("seal_bay", "south_foot"): 6,
}  # fmt: skip
HEADLANDS = [
    "north_cape", "gull_rock", "mercy", "long_nose", "anvil", "harbour", "chapel", "seal_bay", "west_end", "sands", "widow", "south_foot",
]  # fmt: skip
FUELS = {
    "peat": [6, 5, 4, 3, 3, 2, 2, 1, 1],  # what the next one costs with one left, with two, …
    "tallow": [8, 7, 6, 5, 4, 4, 3, 2, 2],
    "oil": [12, 10, 9, 8, 7, 6, 5, 4, 3],
}
DELIVERED = {"peat": {2: 3, 3: 4, 4: 5}, "tallow": {2: 2, 3: 3, 4: 4}, "oil": {2: 2, 3: 2, 4: 3}}
DUES = [8, 16, 24, 31, 38, 44, 50, 55, 60]
STALL, SEASONS, STEP, FIRST_TOWER, SECOND_TOWER, TOWER_WORTH = 9, 5, 2, 7, 11, 8


@dataclass(frozen=True)
class Lamp:
    least: int
    burns: int
    fuel: str
    lights: int


LAMPS = {
    "cresset": Lamp(3, 2, "peat", 1), "brazier": Lamp(4, 3, "peat", 2), "candle_lamp": Lamp(5, 1, "tallow", 1),
    "spider_lamp": Lamp(6, 1, "oil", 1), "great_brazier": Lamp(8, 4, "peat", 3), "reflector": Lamp(9, 2, "tallow", 2),
    "argand_lamp": Lamp(11, 2, "oil", 2), "bell": Lamp(12, 0, "oil", 1), "great_reflector": Lamp(14, 3, "tallow", 3),
    "ring_lamp": Lamp(15, 3, "oil", 4), "lens": Lamp(18, 2, "oil", 4), "great_lens": Lamp(22, 3, "oil", 5),
}  # fmt: skip
CHEAPEST_FIRST = sorted(LAMPS, key=lambda lamp: LAMPS[lamp].least)


@dataclass
class Keeper:
    """What one player has."""

    money: int = 40
    lamps: list[str] = field(default_factory=list)
    shed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FUELS, 0))
    towers: set[str] = field(default_factory=set)
    lit: int = 0
    bought: bool = False

    def needs(self, fuel: str) -> int:
        return sum(LAMPS[lamp].burns for lamp in self.lamps if LAMPS[lamp].fuel == fuel)


class LanternCoast(Told):
    def set_up(self) -> None:
        self.keepers = {seat: Keeper() for seat in self.seats}
        self.standing = self.from_(self.start)  # the best first
        self.warehouse = list(CHEAPEST_FIRST)
        self.offer: list[str] = []
        self.stall = dict.fromkeys(FUELS, STALL)
        self.ships = dict.fromkeys(FUELS, 15 - STALL)
        self.season = 0
        self.new_lamps()

    def new_lamps(self) -> None:
        while len(self.offer) < 4 and self.warehouse:
            self.offer.append(self.warehouse.pop(0))

    def course(self) -> Course:
        for _ in range(SEASONS):
            self.season += 1
            self.standing.sort(key=lambda seat: -len(self.keepers[seat].towers))
            yield from self.bidding()
            for seat in reversed(self.standing):
                yield from self.provisions(seat, self.keepers[seat])
            for seat in reversed(self.standing):
                yield from self.building(seat, self.keepers[seat])
            for seat in self.standing:
                yield from self.watch(seat, self.keepers[seat])
            for fuel, by_seats in DELIVERED.items():
                comes = min(by_seats[len(self.seats)], self.ships[fuel], STALL - self.stall[fuel])
                self.ships[fuel] -= comes
                self.stall[fuel] += comes

    # lamps

    def bidding(self) -> Course:
        for keeper in self.keepers.values():
            keeper.bought = False
        for seat in self.standing:
            for _ in range(4):
                if self.keepers[seat].bought or not self.offer:
                    break
                can = [lamp for lamp in LAMPS if lamp in self.offer and LAMPS[lamp].least <= self.keepers[seat].money]
                key = yield Asked(seat, [*(f"put_up/{lamp}" for lamp in can), "done"])
                if key == "done":
                    break
                yield from self.auction(seat, last(key))

    def auction(self, starter: int, lamp: str) -> Course:
        still = [seat for seat in self.from_(starter) if not self.keepers[seat].bought]
        best, highest = 0, LAMPS[lamp].least - STEP
        while any(seat != best for seat in still):
            for seat in list(still):
                if seat == best:
                    continue
                keys = [f"bid/{bid}" for bid in range(highest + STEP, self.keepers[seat].money + 1, STEP)]
                key = yield Asked(seat, [*keys, "drop"])
                if key == "drop":
                    still.remove(seat)
                    continue
                if best:
                    self.keepers[best].money += highest
                best, highest = seat, int(last(key))
                self.keepers[best].money -= highest
        self.offer.remove(lamp)
        if best:
            yield from self.bought(best, lamp)
        self.new_lamps()

    def bought(self, seat: int, lamp: str) -> Course:
        keeper = self.keepers[seat]
        keeper.bought = True
        keeper.lamps.append(lamp)
        if len(keeper.lamps) > 2:
            old = yield Asked(seat, [f"scrap/{one}" for one in LAMPS if one in keeper.lamps and one != lamp])
            keeper.lamps.remove(last(old))

    # fuel

    def price(self, fuel: str) -> int:
        return FUELS[fuel][self.stall[fuel] - 1]

    def provisions(self, seat: int, keeper: Keeper) -> Course:
        while True:
            can = [
                fuel for fuel in FUELS
                if keeper.shed[fuel] < 2 * keeper.needs(fuel) and self.stall[fuel] and self.price(fuel) <= keeper.money
            ]  # fmt: skip
            key = yield Asked(seat, [*(f"buy/{fuel}" for fuel in can), "done"])
            if key == "done":
                return
            fuel = last(key)
            keeper.money -= self.price(fuel)
            self.stall[fuel] -= 1
            keeper.shed[fuel] += 1

    # towers

    def ways_from(self, places: set[str]) -> dict[str, int]:
        """What the cheapest way to each headland costs."""
        cost = {place: 0 for place in places}
        for _ in HEADLANDS:
            for (a, b), toll in PATHS.items():
                for here, there in ((a, b), (b, a)):
                    if here in cost and cost[here] + toll < cost.get(there, 10**6):
                        cost[there] = cost[here] + toll
        return cost

    def building(self, seat: int, keeper: Keeper) -> Course:
        for _ in range(2):
            ways = self.ways_from(keeper.towers) if keeper.towers else dict.fromkeys(HEADLANDS, 0)
            costs: dict[str, int] = {}
            for place in HEADLANDS:
                there = sum(place in other.towers for other in self.keepers.values())
                if there < 2 and place not in keeper.towers:
                    costs[place] = ways[place] + (SECOND_TOWER if there else FIRST_TOWER)
            key = yield Asked(seat, [*(f"build/{p}" for p, cost in costs.items() if cost <= keeper.money), "done"])
            if key == "done":
                return
            keeper.money -= costs[last(key)]
            keeper.towers.add(last(key))

    # the watch

    def watch(self, seat: int, keeper: Keeper) -> Course:
        dark, power = [lamp for lamp in LAMPS if lamp in keeper.lamps], 0
        while True:
            can = [lamp for lamp in dark if LAMPS[lamp].burns <= keeper.shed[LAMPS[lamp].fuel]]
            key = yield Asked(seat, [*(f"fire/{lamp}" for lamp in can), "done"])
            if key == "done":
                break
            lamp = last(key)
            dark.remove(lamp)
            power += LAMPS[lamp].lights
            keeper.shed[LAMPS[lamp].fuel] -= LAMPS[lamp].burns
            self.ships[LAMPS[lamp].fuel] += LAMPS[lamp].burns
        keeper.lit = min(power, len(keeper.towers))
        keeper.money += DUES[keeper.lit] if keeper.lit < len(DUES) else DUES[-1] + 4 * (keeper.lit - 8)

    def final_scores(self) -> dict[int, int]:
        return {seat: keeper.money + TOWER_WORTH * keeper.lit for seat, keeper in self.keepers.items()}

    def marks(self) -> dict[int, tuple[int, ...]]:
        return {seat: (score, len(self.keepers[seat].towers)) for seat, score in self.scores.items()}

    def facts(self) -> dict[str, object]:
        each = {str(seat): keeper for seat, keeper in self.keepers.items()}
        return {
            "season": self.season,
            "money": {seat: keeper.money for seat, keeper in each.items()},
            "lamps": {seat: sorted(keeper.lamps) for seat, keeper in each.items()},
            "shed": {seat: {fuel: n for fuel, n in keeper.shed.items() if n} for seat, keeper in each.items()},
            "towers": {seat: sorted(keeper.towers) for seat, keeper in each.items()},
            "lit": {seat: keeper.lit for seat, keeper in each.items()},
            "rank": {str(seat): self.standing.index(seat) + 1 for seat in self.seats},
            "offer": sorted(self.offer),
            "stall": {fuel: number for fuel, number in self.stall.items() if number},
            "ships": {fuel: number for fuel, number in self.ships.items() if number},
        }
