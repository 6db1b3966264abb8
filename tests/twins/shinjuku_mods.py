"""Shinjuku with its six mods, written by hand as one plain story: slow, to be read beside the rulebooks.

Nothing here comes from the rules engine, and nothing from the other twin, which knows the game without mods and is fast.
A game is a generator: it yields who is asked among which keys, and is sent the answer. Where one key is left it is taken.

What lies about is counted by name: customers by their kind, `collector`, `food_thief`, `kaicho/2`. Marks like R-SHI-M12 are
rulings of the rule sheet.
"""

from collections import Counter
from collections.abc import Generator, Iterable
from itertools import combinations
from pathlib import Path

import yaml

from .base import Chance, places

Asked = Generator[tuple[int, list[str]], str, str]
Course = Generator[tuple[int, list[str]], str, None]
Pile = Counter[str]

GOODS = ("food", "clothing", "books", "electronics")
CUSTOMERS = {"food": 20, "clothing": 14, "clothing2": 3, "books": 6, "books2": 7, "electronics2": 10}
STACKS = (3, 2, 2, 2, 1, 1)


def good_of(who: str) -> str | None:
    """What somebody wants; Collectors and Kaichos want nothing in particular."""
    return next((good for good in GOODS if who.startswith(good)), None)


class Map:
    def __init__(self, path: Path) -> None:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        self.cards = Counter({ward["id"]: int(ward["cards"]) for ward in data["wards"]})
        self.wards = list(self.cards)
        self.neighbours: dict[str, list[str]] = {ward["id"]: ward.get("adjacent", []) for ward in data["wards"]}
        self.ward_of: dict[str, str] = {station["id"]: station["ward"] for station in data["stations"]}
        self.icons = {station["id"] for station in data["stations"] if station["department_store"]}
        self.lines: list[tuple[str, str]] = [tuple(line) for line in data["connections"]]
        self.links: list[tuple[str, str]] = [tuple(link) for link in data["permanent_links"]]


class Space:
    """A card of the queue and who waits on it."""

    def __init__(self, card: str) -> None:
        self.card = card
        self.waiting: Pile = Counter()

    def customers(self) -> Pile:
        return Counter({who: n for who, n in self.waiting.items() if who in CUSTOMERS})


class ShinjukuMods:
    def __init__(self, seats: int, chance: Chance, path: Path, mods: Iterable[str], home: str = "shibuya", start: int = 0):
        self.map, self.chance, self.mods = Map(path), chance, set(mods)
        self.seats = list(range(1, seats + 1))
        self.deck, self.discards, self.bag = self.map.cards.copy(), Counter[str](), Counter(CUSTOMERS)
        self.gone: Pile = Counter()
        self.queue: list[Space] = []
        self.crowds: dict[str, Pile] = {ward: Counter() for ward in self.map.wards}
        self.group: Pile = Counter()
        self.hands: dict[int, Pile] = {seat: Counter() for seat in self.seats}
        self.earned: dict[int, Pile] = {seat: Counter() for seat in self.seats}  # Collectors, too
        self.tokens = dict.fromkeys(self.seats, 0)
        self.first_claim: dict[int, int] = {}
        self.stores: dict[int, Pile] = {seat: Counter({good: 2 for good in GOODS}) for seat in self.seats}
        self.department_stores = dict.fromkeys(self.seats, 3)
        self.tracks = dict.fromkeys(self.seats, 16)
        self.buildings: dict[str, tuple[int, str]] = {}
        self.rails: dict[tuple[str, str], int] = {}
        self.upgrades = 0
        self.closer = 0
        self.idle = 0
        # The mods
        self.above_kaiju = sum(self.deck.values()) // 2 if "kaiju" in self.mods else -1  # cards over its own; -1: it is drawn
        self.found_by = 0
        self.kaiju = ""
        self.princess = "chiyoda" if "princess" in self.mods else ""
        self.dog = "queue" if "hachiko" in self.mods else ""
        self.home = home
        self.offices = set(self.seats) if "kaicho" in self.mods else set()
        self.hideout = [f"{good}_thief" for good in GOODS] if "thief" in self.mods else []
        self.studio = 11 if "art_collector" in self.mods else 0
        self.start = start or int(chance.pick("start_player", {str(seat): 1 for seat in self.seats}))

    # ------------------------------------------------------------------------------------------- the course of a game

    def game(self) -> Course:
        for _ in range(4):
            self.queue.append(Space(self.draw(0)))
        for seat in self.clockwise(self.start):
            for _ in range(4):
                self.hands[seat][self.draw(seat)] += 1
        self.draw_customers()
        me = self.start
        while me != self.closer and self.idle < len(self.seats):
            yield from self.turn(me)
            me = me % len(self.seats) + 1

    def clockwise(self, first: int) -> list[int]:
        return [(first - 1 + n) % len(self.seats) + 1 for n in range(len(self.seats))]

    def turn(self, me: int) -> Course:
        yield from self.place(me)
        self.refresh(me)
        yield from self.let_it_rise()
        done: set[str] = set()
        free: set[str] = set()
        for first in (True, False):
            yield from self.free_actions(me, free)
            actions = self.actions(me, done)
            if not actions:
                if first:
                    self.idle += not self.queue
                return
            self.idle = 0
            action = yield from self.ask(me, actions)
            done.add(action)
            yield from self.act(me, action)
            yield from self.let_it_rise()
            if action == "income":
                return

    def ask(self, seat: int, keys: list[str]) -> Asked:
        assert keys and len(set(keys)) == len(keys), keys
        if len(keys) == 1:
            return keys[0]
        answer = yield seat, keys
        return answer

    # -------------------------------------------------------------------------------------- the queue and the deck

    def place(self, me: int) -> Course:
        if not self.queue:
            return
        first = self.queue[0]
        sets_out = self.dog == "queue" and first.card != self.map.ward_of[self.home]
        if first.card == self.kaiju and (first.waiting or sets_out):  # R-SHI-M12
            yield from self.kaiju_goes(me, "make_way")
        if sets_out:
            self.dog = first.card
        self.crowds[first.card] += first.waiting
        self.hands[me][first.card] += 1
        del self.queue[0]

    def refresh(self, me: int) -> None:
        while len(self.queue) < 4 and self.cards_left():
            self.queue.append(Space(self.draw(me)))
        if self.dog == "queue" and not self.queue:  # R-SHI-M23
            self.dog = "gone"
        self.draw_customers()
        if not self.closer and not self.bag.total() and not any(space.waiting for space in self.queue):
            self.closer = me

    def draw_customers(self) -> None:
        """Two, and one more for each department store; Thieves and Collectors do not count (R-SHI-M13, R-SHI-M17)."""
        while self.queue and self.bag.total() and sum(s.customers().total() for s in self.queue) < 2 + self.upgrades:
            self.join_queue(self.pick(self.bag))

    def join_queue(self, who: str) -> None:
        same = [space for space in self.queue if any(good_of(one) == good_of(who) for one in space.customers())]
        free = [space for space in self.queue if not space.customers()]
        (same + free + self.queue[-1:])[0].waiting[who] += 1
        self.thieves_sneak_in()

    def thieves_sneak_in(self) -> None:
        for thief in list(self.hideout):
            for space in self.queue:
                if any(good_of(one) == good_of(thief) for one in space.customers()):
                    space.waiting[thief] += 1
                    self.hideout.remove(thief)
                    break

    def cards_left(self) -> bool:
        return self.deck.total() + self.discards.total() > 0

    def draw(self, seat: int) -> str:
        """The top card. The Kaiju's own is shown and taken away, and another drawn in its place."""
        if not self.deck.total():
            self.deck, self.discards = self.discards, Counter()
        if self.above_kaiju == 0:
            self.found_by = seat
        self.above_kaiju = max(-1, self.above_kaiju - 1)
        return self.pick(self.deck)

    def pick(self, pile: Pile) -> str:
        found = self.chance.pick("draw", {name: n for name, n in pile.items() if n})
        pile[found] -= 1
        return found

    # ------------------------------------------------------------------------------------------------ paying

    def wild(self, me: int) -> set[str]:
        wards = {self.map.ward_of[t] for t, (owner, _) in self.buildings.items() if owner == me}
        wards |= {ward for ward, crowd in self.crowds.items() if crowd[f"kaicho/{me}"]}
        return wards | {self.princess}

    def ways_to_pay(self, me: int, wards: set[str]) -> list[str]:
        hand = [ward for ward in self.map.wards for _ in range(self.hands[me][ward])]
        single = [f"pay/card/{ward}" for ward in dict.fromkeys(hand) if ward in wards | self.wild(me)]
        return single + [f"pay/three/{'+'.join(three)}" for three in dict.fromkeys(combinations(hand, 3))]

    def pay(self, me: int, *wards: str) -> Course:
        way = yield from self.ask(me, self.ways_to_pay(me, set(wards)))
        cards = Counter(way.split("/")[2].split("+"))
        self.hands[me] -= cards
        self.discards += cards

    # ----------------------------------------------------------------------------------------------- actions

    def actions(self, me: int, done: set[str]) -> list[str]:
        found = {
            "open": self.to_open(me),
            "expand": self.tracks[me] > 0 and len(self.rails) < len(self.map.lines),
            "income": self.cards_left(),
            "move": self.to_move(me),
            "upgrade": self.to_upgrade(me),
            "kaiju": self.kaiju and self.next_wards(),
        }
        keys = [action for action, possible in found.items() if possible and action not in done]
        if self.dog in self.map.wards and "reunite" not in done and self.origins():
            keys.append(f"reunite/{self.dog}")
        return keys

    def act(self, me: int, action: str) -> Course:
        match action.split("/")[0]:
            case "open":
                yield from self.open(me)
            case "expand":
                yield from self.expand(me)
            case "income":
                self.income(me)
            case "move":
                yield from self.move(me)
            case "upgrade":
                yield from self.upgrade(me)
            case "kaiju":
                yield from self.kaiju_goes(me, "kaiju")
            case _:
                yield from self.reunite(me)

    def to_open(self, me: int) -> dict[str, str]:
        """The ward to pay for, of each store that can be opened."""
        found: dict[str, str] = {}
        for t in self.map.ward_of:
            ward = self.map.ward_of[t]
            if t not in self.buildings and self.ways_to_pay(me, {ward}):
                found |= {f"open/{good}/{t}": ward for good in GOODS if self.stores[me][good]}
                found |= {f"open/from/{old}/{t}": ward for old in self.own_stores(me)}
        return found

    def own_stores(self, me: int) -> list[str]:
        return [t for t, (owner, sells) in self.buildings.items() if owner == me and sells in GOODS]

    def open(self, me: int) -> Course:
        targets = self.to_open(me)
        key = yield from self.ask(me, list(targets))
        yield from self.pay(me, targets[key])
        *_, what, t = key.split("/")
        if what in self.buildings:
            self.buildings[t] = self.buildings.pop(what)
        else:
            self.stores[me][what] -= 1
            self.buildings[t] = me, what

    def expand(self, me: int) -> Course:
        free = {f"expand/{a}-{b}": (a, b) for a, b in self.map.lines if (a, b) not in self.rails}
        first = free[(yield from self.ask(me, list(free)))]
        self.lay(me, first)
        ends = set(first) | {far for link in self.map.links for far in link if set(link) & set(first)}
        wards = {self.map.ward_of[t] for t in first}
        if self.tracks[me] and self.ways_to_pay(me, wards):
            more = {key: line for key, line in free.items() if set(line) & ends and line not in self.rails}
            if more and (key := (yield from self.ask(me, [*more, "expand/stop"]))) != "expand/stop":
                yield from self.pay(me, *wards)
                self.lay(me, more[key])

    def lay(self, me: int, line: tuple[str, str]) -> None:
        self.tracks[me] -= 1
        self.rails[line] = me

    def income(self, me: int) -> None:
        for _ in range(max(1, 4 - self.hands[me].total())):
            if self.cards_left():
                self.hands[me][self.draw(me)] += 1

    def to_upgrade(self, me: int) -> list[str]:
        return [
            f"upgrade/{t}"
            for t in self.own_stores(me)
            if self.department_stores[me] and t in self.map.icons
            and self.ways_to_pay(me, {self.map.ward_of[t]}) and self.who_can_pay(me, self.buildings[t][1])
        ]  # fmt: skip

    def who_can_pay(self, me: int, good: str) -> list[str]:
        return [f"upgrade/give/{kind}" for kind in CUSTOMERS if self.earned[me][kind] and good_of(kind) == good]

    def upgrade(self, me: int) -> Course:
        key = yield from self.ask(me, self.to_upgrade(me))
        t = key.split("/")[1]
        yield from self.pay(me, self.map.ward_of[t])
        good = self.buildings[t][1]
        given = (yield from self.ask(me, self.who_can_pay(me, good))).split("/")[2]
        self.earned[me][given] -= 1
        self.stores[me][good] += 1
        self.department_stores[me] -= 1
        self.buildings[t] = me, "department_store"
        self.upgrades += 1
        self.claim(me)
        if self.closer or not self.queue:
            self.gone[given] += 1
        else:
            self.join_queue(given)

    def claim(self, me: int) -> None:
        stack = STACKS[self.upgrades - 1] if self.upgrades <= len(STACKS) else 0
        if stack and me not in self.first_claim:
            self.first_claim[me] = self.upgrades
        if "art_collector" not in self.mods:
            self.tokens[me] += stack
        elif stack:
            self.studio -= stack
            self.earned[me]["collector"] += 1
            for _ in range(stack - 1):
                card = [space for space in self.queue if not space.waiting["collector"] and not self.closer]  # R-SHI-M14
                (card[0].waiting if card else self.gone)["collector"] += 1

    # ---------------------------------------------------------------------------------------- moving customers

    def to_move(self, me: int) -> list[str]:
        return [w for w in self.map.wards if self.crowds[w].total() and w != self.dog and self.ways_to_pay(me, {w})]

    def move(self, me: int) -> Course:
        ward = (yield from self.ask(me, [f"move/{ward}" for ward in self.to_move(me)])).split("/")[1]
        yield from self.pay(me, ward)
        stations = [t for t, home in self.map.ward_of.items() if home == ward]
        yield from self.ride(me, ward, stations, "")

    def origins(self) -> list[str]:
        stations = [t for t, ward in self.map.ward_of.items() if ward == self.dog]
        return [t for t in stations if self.leads(t, self.home, set())]

    def reunite(self, me: int) -> Course:
        yield from self.ride(me, self.dog, self.origins(), self.home)

    def ride(self, me: int, ward: str, origins: list[str], goal: str) -> Course:
        """A MOVE, or with a goal a REUNITE."""
        self.group, self.crowds[ward] = +self.crowds[ward], Counter()
        here = (yield from self.ask(me, [f"move/start/{t}" for t in origins])).split("/")[2]
        visited, used = {here}, set()
        yield from self.serve(me, here)
        while here != goal and (goal or self.group):
            ways = {t: owner for t, owner in self.ways(here).items() if t not in visited}
            if goal:
                ways = {t: owner for t, owner in ways.items() if self.leads(t, goal, visited)}
            if not ways:
                break
            to = yield from self.ask(me, [f"move/to/{t}" for t in ways] + ["move/stop"] * (not goal))
            if to == "move/stop":
                break
            here = to.split("/")[2]
            visited.add(here)
            used.add(ways[here])
            yield from self.serve(me, here)
        self.crowds[self.map.ward_of[here]] += self.group
        self.group = Counter()
        if goal:
            assert here == goal, "R-SHI-M20"
            self.dog = "queue" if any(space.waiting for space in self.queue) else "gone"
        for seat in self.clockwise(me)[1:]:
            if seat in used and self.cards_left():
                if (yield from self.ask(seat, ["income/take", "income/decline"])) == "income/take":
                    self.income(seat)

    def ways(self, here: str) -> dict[str, int]:
        """The stations one step away, and whose track leads there; a permanent link is nobody's."""
        steps = {**self.rails, **dict.fromkeys(self.map.links, 0)}
        found = {(set(line) - {here}).pop(): owner for line, owner in steps.items() if here in line}
        return {t: owner for t, owner in found.items() if self.map.ward_of[t] != self.kaiju}

    def leads(self, t: str, goal: str, visited: set[str]) -> bool:
        """Whether a way leads from a station to the goal, past none of these."""
        reached, todo = {t} | visited, [t]
        while todo:
            further = self.ways(todo.pop()).keys() - reached
            reached |= further
            todo.extend(further)
        return goal in reached - visited

    def serve(self, me: int, t: str) -> Course:
        """The store takes one; or any one Kaicho gets off in the place of whoever is due."""
        owner, sells = self.buildings.get(t, (0, ""))
        due = [w for w in self.group if self.group[w] and not w.startswith("kaicho") and sells in ("department_store", good_of(w))]
        if not due:
            return
        kaichos = [f"move/drop/{w.split('/')[1]}" for w in self.group if self.group[w] and w.startswith("kaicho")]
        key = yield from self.ask(me, [f"move/give/{who}" for who in due] + kaichos)
        _, how, who = key.split("/")
        if how == "drop":
            self.group[f"kaicho/{who}"] -= 1
            self.crowds[self.map.ward_of[t]][f"kaicho/{who}"] += 1
            return
        self.group[who] -= 1
        self.group = +self.group
        if who.endswith("_thief"):
            self.hideout.append(who)
            self.thieves_sneak_in()  # R-SHI-M18
        else:
            self.earned[owner][who] += 1

    # ------------------------------------------------------------------------------------------ free actions

    def free_actions(self, me: int, done: set[str]) -> Course:
        while True:
            keys = [] if "wander" in done or not self.princess else [f"wander/{w}" for w in self.map.neighbours[self.princess]]
            if "explore" not in done and "kaicho" in self.mods:
                at = [ward for ward, crowd in self.crowds.items() if crowd[f"kaicho/{me}"]]
                keys += [f"explore/{w}" for w in (self.map.neighbours[at[0]] if at else self.map.wards)]
            keys = [key for key in keys if key.split("/")[1] != self.kaiju]
            what, _, ward = (yield from self.ask(me, [*keys, "go_on"])).partition("/")
            if what == "go_on":
                return
            done.add(what)
            if what == "wander":
                self.princess = ward
            else:
                for crowd in self.crowds.values():
                    crowd[f"kaicho/{me}"] = 0
                self.offices.discard(me)
                self.crowds[ward][f"kaicho/{me}"] = 1

    # --------------------------------------------------------------------------------------------- the Kaiju

    def let_it_rise(self) -> Course:
        if self.found_by:
            seat, self.found_by = self.found_by, 0
            yield from self.enters(seat, [w for w in ("koto", "ota", "edogawa") if w != self.dog], "rise")

    def next_wards(self) -> list[str]:
        return [ward for ward in self.map.neighbours[self.kaiju] if ward != self.dog]

    def kaiju_goes(self, me: int, key: str) -> Course:
        yield from self.enters(me, self.next_wards(), key)

    def enters(self, me: int, wards: list[str], key: str) -> Course:
        """All who are in the ward flee together, the Princess by herself."""
        ward = (yield from self.ask(me, [f"{key}/{w}" for w in wards])).split("/")[1]
        if self.crowds[ward].total():
            refuge = (yield from self.ask(me, [f"flee/{w}" for w in self.map.neighbours[ward]])).split("/")[1]
            self.crowds[refuge] += self.crowds[ward]
            self.crowds[ward] = Counter()
        self.kaiju = ward
        if self.princess == ward:
            self.princess = (yield from self.ask(me, [f"princess_flees/{w}" for w in self.map.neighbours[ward]])).split("/")[1]

    # ------------------------------------------------------------------------------------- what can be looked at

    def facts(self) -> dict[str, object]:
        """The whole state, hidden things too, in names; only what is there is listed."""
        return {
            "queue": [(space.card, dict(+space.waiting)) for space in self.queue],
            "crowds": {ward: dict(+crowd) for ward, crowd in self.crowds.items() if crowd.total()},
            "group": dict(+self.group),
            "buildings": self.buildings,
            "rails": {f"{a}-{b}": owner for (a, b), owner in self.rails.items()},
            "hands": {seat: dict(+hand) for seat, hand in self.hands.items()},
            "earned": {seat: dict(+earned) for seat, earned in self.earned.items()},
            "first claims": self.first_claim,
            "piles": [dict(+pile) for pile in (self.deck, self.discards, self.bag, self.gone)],
            "tokens": self.tokens,
            "studio": self.studio,
            "hideout": sorted(self.hideout),
            "pawns": [self.kaiju, self.princess, self.dog, sorted(self.offices)],
            "closer": self.closer,
        }

    # ----------------------------------------------------------------------------------------------- scoring

    def score(self, seat: int) -> int:
        """The scarcest type counts most: five of them with Collectors, else tokens go to the scarcest one by one."""
        held = [0, 0, 0, 0]
        for kind, number in self.earned[seat].items():
            if kind in CUSTOMERS:
                held[GOODS.index(good_of(kind) or "")] += number * (2 if kind.endswith("2") else 1)
        for _ in range(self.tokens[seat]):
            held[held.index(min(held))] += 1
        if "art_collector" in self.mods:
            held.append(self.earned[seat]["collector"])
        return sum(place * number for place, number in enumerate(sorted(held, reverse=True), 1))

    @property
    def ranking(self) -> list[list[int]]:
        return places({seat: (self.score(seat), -self.first_claim.get(seat, 99)) for seat in self.seats})
