"""Shinjuku (version 2 r8), written by hand; the map is read from the file at `map_path`.

Marks like R-SHI-12 are the rulings of the rule sheet. Chance is asked for one piece at a time, since deck and
bag are bags:

    what            keys                        when
    start_player    "1" .. "4"                  setup, unless `start_player` is fixed
    card            ward ids                    a card leaves the deck
    customer        food, clothing2, ...        a customer leaves the bag

Draws of the setup: the starting player, four queue cards, four cards to each from there clockwise, two
customers. Decisions and their keys: `Shinjuku.key`. Options stand in the order of the map file. What must be
chosen is asked even with one option, unless `skip_forced` is set.

How the state is written down:

- Seats are 1-based; place 0 of per-seat lists is not used.
- Wards, stations, connections and kinds of customers are numbers, their places in the map file or in KINDS.
- Customers anywhere are one integer with five bits for the count of each kind: joining crowds is adding, and
  `crowd & WANTS[...]` is not zero when a store would take somebody.
- Sets of wards, stations and seats are bit masks.
- Tuples are replaced, never changed, so a copy may share them.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import yaml

from .base import Chance, RandomChance, Twin, places

GOODS = ("food", "clothing", "books", "electronics")
KINDS = ("food", "clothing", "clothing2", "books", "books2", "electronics2")
GOOD_OF = (0, 1, 1, 2, 2, 3)
WORTH = (1, 1, 2, 1, 2, 2)  # a "2" counts twice, in the final scoring only
CUSTOMERS = (20, 14, 3, 6, 7, 10)
ALL_CUSTOMERS = [kind for kind, number in enumerate(CUSTOMERS) for _ in range(number)]

ONE = tuple(1 << 5 * kind for kind in range(6))
ALL_OF = tuple(31 << 5 * kind for kind in range(6))
OF_GOOD = tuple(sum(ALL_OF[k] for k in range(6) if GOOD_OF[k] == good) for good in range(4))

# A building is owner * 8 + what it sells; 0 is an empty station. WANTS is indexed by `building & 7`.
DEPARTMENT_STORE = 5
WANTS = (0, *OF_GOOD, sum(ALL_OF))

STORES_EACH, DEPARTMENT_STORES, TRACK = 2, 3, 16
QUEUE_SPACES, HAND, FIRST_CUSTOMERS = 4, 4, 2
BONUS_STACKS = (3, 2, 2, 2, 1, 1)
PAY_THREE = 3

ACTIONS = ("open", "expand", "income", "move", "upgrade", "pass")
OPEN, EXPAND, INCOME, MOVE, UPGRADE, PASS = range(6)
ACTION, EXTEND, PAY, START, GIVE, TO, CUSTOMER, OFFER, OVER = range(6, 15)
DECISIONS = (
    "open", "expand", "income", "move", "upgrade", "pass", "action", "extend", "pay", "start", "give", "to",
    "customer", "income", "over",
)  # fmt: skip
STOP = SUPPLY = NO_CARD = -1
DID_OPEN, DID_EXPAND, DID_MOVE, DID_UPGRADE = (1 << action for action in (OPEN, EXPAND, MOVE, UPGRADE))
PLACES = list(range(1 << 13))  # more than any decision has options


# The map


class Map:
    """What a map file says, as numbers; shared by all games on it."""

    def __init__(self, text: str) -> None:
        data = yaml.safe_load(text)
        self.wards: list[str] = [ward["id"] for ward in data["wards"]]
        self.cards = [number for number, ward in enumerate(data["wards"]) for _ in range(ward["cards"])]
        self.ward_number = {name: number for number, name in enumerate(self.wards)}
        self.stations: list[str] = [station["id"] for station in data["stations"]]
        self.station_number = {name: number for number, name in enumerate(self.stations)}
        self.ward_of = [self.ward_number[station["ward"]] for station in data["stations"]]
        self.sakura = [bool(station["department_store"]) for station in data["stations"]]
        self.stations_in = [
            tuple(s for s, home in enumerate(self.ward_of) if home == ward) for ward in range(len(self.wards))
        ]
        self.lines = [self._ends(pair) for pair in data["connections"]]
        self.links = [self._ends(pair) for pair in data["permanent_links"]]
        self.line_keys = [f"{self.stations[a]}-{self.stations[b]}" for a, b in self.lines]
        self.every_ward = (1 << len(self.wards)) - 1
        self.end_wards = [1 << self.ward_of[a] | 1 << self.ward_of[b] for a, b in self.lines]
        self.near = [self._near(line) for line in range(len(self.lines))]
        self.link_ways: list[tuple[tuple[int, int], ...]] = [() for _ in self.stations]
        for a, b in self.links:
            self.link_ways[a] += ((b, 0),)
            self.link_ways[b] += ((a, 0),)
        pairs = [frozenset(pair) for pair in self.lines + self.links]
        if len(set(pairs)) < len(pairs) or len(set(self.stations)) < len(self.stations):
            raise ValueError("a station or a connection stands twice in the map")
        if not all(self.stations_in):
            raise ValueError("a ward without a station")

    def _ends(self, pair: list[str]) -> tuple[int, int]:
        return self.station_number[pair[0]], self.station_number[pair[1]]

    def _near(self, line: int) -> tuple[int, ...]:
        """The connections that may be laid second: at an end, or at the far end of its link (R-SHI-20)."""
        ends = set(self.lines[line])
        for a, b in self.links:
            if a in self.lines[line] or b in self.lines[line]:
                ends |= {a, b}
        return tuple(n for n, (a, b) in enumerate(self.lines) if n != line and (a in ends or b in ends))


@cache
def load_map(path: str) -> Map:
    return Map(Path(path).read_text(encoding="utf-8"))


# Crowds, hands, piles


def size(crowd: int) -> int:
    """How many customers a crowd is."""
    number = 0
    while crowd:
        number += crowd & 31
        crowd >>= 5
    return number


def kinds_in(crowd: int) -> list[int]:
    return [kind for kind in range(6) if crowd & ALL_OF[kind]]


def counts(crowd: int) -> dict[str, int]:
    """A crowd in words: `{"food": 2}`."""
    return {KINDS[kind]: crowd >> 5 * kind & 31 for kind in kinds_in(crowd)}


def crowd_of(named: dict[str, int]) -> int:
    """The inverse of `counts`."""
    return sum(ONE[KINDS.index(kind)] * number for kind, number in named.items())


def set_points(goods: Sequence[int], tokens: int) -> int:
    """Points for the best sets: tokens one by one to the scarcest good, then a + 2b + 3c + 4d (R-SHI-42)."""
    held = sorted(goods)
    for _ in range(tokens):
        held[0] += 1
        held.sort()
    d, c, b, a = held
    return a + 2 * b + 3 * c + 4 * d


def triples(hand: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every way to pay three cards of a sorted hand, each once, in the order of the map."""
    if len(hand) <= 8:
        return list(dict.fromkeys(combinations(hand, PAY_THREE)))
    wards = tuple(dict.fromkeys(hand))
    found = list(combinations(wards, 3))
    for ward in wards:
        copies = hand.count(ward)
        if copies >= 2:
            found += [(ward, ward, w) if ward < w else (w, ward, ward) for w in wards if w != ward]
        if copies >= 3:
            found.append((ward, ward, ward))
    return sorted(found)


def with_one(sorted_things: tuple[int, ...], thing: int) -> tuple[int, ...]:
    place = bisect(sorted_things, thing)
    return sorted_things[:place] + (thing,) + sorted_things[place:]


def without(things: tuple[int, ...], thing: int) -> tuple[int, ...]:
    place = things.index(thing)
    return things[:place] + things[place + 1 :]


def tally(pile: Sequence[int], names: Sequence[str]) -> dict[str, int]:
    """What is in a pile, by name."""
    counted = Counter(pile)
    return {names[piece]: counted[piece] for piece in sorted(counted)}


# The game


class Shinjuku(Twin):
    """One running game. All of the state is open to tests, which set up positions."""

    def __init__(
        self,
        seats: int,
        chance: Chance,
        *,
        map_path: str | Path,
        start_player: int = 0,
        skip_forced: bool = False,
    ) -> None:
        if not 2 <= seats <= 4:
            raise ValueError(f"2 to 4 players, not {seats}")
        if not 0 <= start_player <= seats:
            raise ValueError(f"no player {start_player}")
        board = self.map = load_map(str(map_path))
        self.seats = seats
        self.chance = chance
        self.random = chance.random.random if type(chance) is RandomChance else None
        self.skip_forced = skip_forced
        self.over = False
        self.scores: dict[int, int] = {}
        self.forced: list[tuple[int, str]] = []

        each = range(seats + 1)
        self.hands: list[tuple[int, ...]] = [() for _ in each]
        self.supply: list[tuple[int, ...]] = [(STORES_EACH,) * 4 for _ in each]
        self.shops: list[tuple[int, ...]] = [() for _ in each]  # stations with an ordinary store
        self.department_stores = [DEPARTMENT_STORES for _ in each]  # in supply
        self.tracks = [TRACK for _ in each]  # in supply
        self.earned = [0 for _ in each]
        self.bonus = [0 for _ in each]
        self.first_claim = [0 for _ in each]  # the upgrade that brought the first token, 1 to 6
        self.wild = [0 for _ in each]  # wards with a building of the seat

        self.building = [0 for _ in board.stations]
        self.rail = [0 for _ in board.lines]
        self.ways = list(board.link_ways)  # per station: (next station, track's owner or 0)
        self.empty = tuple(range(len(board.stations)))
        self.free = tuple(range(len(board.lines)))
        self.crowds = [0 for _ in board.wards]

        self.deck = list(board.cards)
        self.discards: list[int] = []
        self.bag = list(ALL_CUSTOMERS)
        self.gone = 0  # customers out of the game
        self.queue: tuple[int, ...] = ()  # cards on spaces 1, 2, ...
        self.loads: tuple[int, ...] = ()  # and the customers on them
        self.queued = 0  # customers in the queue
        self.upgrades = 0  # so far; also the department stores on the map

        self.group = 0  # travelling
        self.here = 0
        self.visited = 0
        self.track_used = 0
        self.offers: tuple[int, ...] = ()

        self.turn = 0
        self.used = 0  # the actions of this turn
        self.idle = 0  # turns in a row that began with a pass beside an empty queue
        self.last_turns = 0  # to be finished once the end is triggered; 0 before
        self.target: Any = None
        self.paying_for = 0
        self.kind = ACTION
        self.codes: Sequence[Any] = ()

        if not start_player:
            start_player = int(chance.pick("start_player", {str(seat): 1 for seat in range(1, seats + 1)}))
        self._refill_queue()
        for place in range(seats):
            seat = (start_player - 1 + place) % seats + 1
            self._draw_up(seat)
        self._draw_customers()
        self.seat = self.mover = start_player
        self._begin_turn()
        if skip_forced:
            self._skip()

    # What a twin offers

    @property
    def ranking(self) -> list[list[int]]:
        """Ties go to the earlier first token (R-SHI-43)."""
        return places({seat: (score, -(self.first_claim[seat] or 99)) for seat, score in self.scores.items()})

    @property
    def decision(self) -> str:
        return DECISIONS[self.kind]

    def options(self) -> list[str]:
        return [self.key(code) for code in self.codes]

    def legal(self) -> list[int]:
        return PLACES[: len(self.codes)]

    def step(self, index: int) -> None:
        TAKE[self.kind](self, self.codes[index])
        if self.skip_forced:
            self._skip()

    def copy(self) -> "Shinjuku":
        """An independent game in the same state; it asks the same `chance`."""
        twin = object.__new__(Shinjuku)
        twin.__dict__.update(self.__dict__)
        # What is changed in place must not be shared.
        twin.hands = self.hands[:]
        twin.supply = self.supply[:]
        twin.shops = self.shops[:]
        twin.department_stores = self.department_stores[:]
        twin.tracks = self.tracks[:]
        twin.earned = self.earned[:]
        twin.bonus = self.bonus[:]
        twin.first_claim = self.first_claim[:]
        twin.wild = self.wild[:]
        twin.building = self.building[:]
        twin.rail = self.rail[:]
        twin.ways = self.ways[:]
        twin.crowds = self.crowds[:]
        twin.deck = self.deck[:]
        twin.discards = self.discards[:]
        twin.bag = self.bag[:]
        twin.scores = self.scores.copy()
        twin.forced = self.forced[:]
        return twin

    def key(self, code: Any, of: int | None = None) -> str:
        """An option of the present decision, or of another kind, by its name."""
        kind = self.kind if of is None else of
        stations, wards = self.map.stations, self.map.wards
        if kind == ACTION:
            return ACTIONS[code]
        if kind == OPEN:
            (good, origin), station = code
            moved = "" if origin == SUPPLY else f"/from/{stations[origin]}"
            return f"open/{GOODS[good]}/{stations[station]}{moved}"
        if kind in (EXPAND, EXTEND):
            return "expand/stop" if code == STOP else f"expand/{self.map.line_keys[code]}"
        if kind == PAY:
            if isinstance(code, tuple):
                return "pay/three/" + "+".join([wards[card] for card in code])
            return f"pay/card/{wards[code]}"
        if kind == MOVE:
            return f"move/{wards[code]}"
        if kind == START:
            return f"move/start/{stations[code]}"
        if kind == GIVE:
            return f"move/give/{KINDS[code]}"
        if kind == TO:
            return "move/stop" if code == STOP else f"move/to/{stations[code[0]]}"
        if kind == UPGRADE:
            return f"upgrade/{stations[code]}"
        if kind == CUSTOMER:
            return f"upgrade/give/{KINDS[code]}"
        assert kind == OFFER
        return "income/take" if code else "income/decline"

    def facts(self) -> dict[str, object]:
        """The whole state, hidden things too, in names; only what is there is listed."""
        board = self.map
        seats = range(1, self.seats + 1)

        def cards(pile: Sequence[int]) -> dict[str, int]:
            return tally(pile, board.wards)

        def sells(building: int) -> str:
            return "department_store" if building & 7 == DEPARTMENT_STORE else GOODS[(building & 7) - 1]

        return {
            "turn": self.turn,
            "mover": self.mover,
            "seat": self.seat,
            "decision": self.decision,
            "actions": [name for action, name in enumerate(ACTIONS) if self.used >> action & 1],
            "queue": [
                {"card": board.wards[ward], "customers": counts(load)}
                for ward, load in zip(self.queue, self.loads)
            ],
            "wards": {board.wards[ward]: counts(crowd) for ward, crowd in enumerate(self.crowds) if crowd},
            "chosen": self._chosen(),
            "group": counts(self.group),
            "at": board.stations[self.here] if self.group else None,
            "visited": [
                name for n, name in enumerate(board.stations) if self.group and self.visited >> n & 1
            ],
            "track_used": [seat for seat in seats if self.kind in (GIVE, TO) and self.track_used >> seat & 1],
            "offers": list(self.offers),
            "stores": {
                board.stations[station]: {"owner": building >> 3, "sells": sells(building)}
                for station, building in enumerate(self.building)
                if building
            },
            "track": {board.line_keys[line]: owner for line, owner in enumerate(self.rail) if owner},
            "hands": {str(seat): cards(self.hands[seat]) for seat in seats},
            "customers": {str(seat): counts(self.earned[seat]) for seat in seats},
            "bonus": {str(seat): self.bonus[seat] for seat in seats},
            "first_claim": {str(seat): self.first_claim[seat] for seat in seats if self.first_claim[seat]},
            "supply": {
                str(seat): {
                    **dict(zip(GOODS, self.supply[seat])),
                    "department_store": self.department_stores[seat],
                    "track": self.tracks[seat],
                }
                for seat in seats
            },
            "bonus_stacks": list(BONUS_STACKS[self.upgrades :]),
            "deck": cards(self.deck),
            "discards": cards(self.discards),
            "bag": tally(self.bag, KINDS),
            "gone": counts(self.gone),
            "last_turns": self.last_turns,
            "over": self.over,
            "scores": {str(seat): score for seat, score in self.scores.items()},
            "ranking": self.ranking,
        }

    def _chosen(self) -> str | None:
        """What was chosen last, while it is not yet carried out."""
        of = {PAY: self.paying_for, EXTEND: EXPAND, START: MOVE, CUSTOMER: UPGRADE}.get(self.kind)
        return None if of is None else self.key(self.target, of)

    # Cards and customers

    def _draw(self, what: str, pile: list[int], names: Sequence[str]) -> int:
        """A piece leaves deck or bag, which one is chance."""
        if self.random:
            place = int(self.random() * len(pile))
        else:
            place = pile.index(names.index(self.chance.pick(what, tally(pile, names))))
        piece = pile[place]
        pile[place] = pile[-1]  # the order of a bag is nothing
        pile.pop()
        return piece

    def _draw_card(self) -> int:
        """A ward, or NO_CARD. An empty deck is refilled now, not before (R-SHI-04)."""
        if not self.deck:
            if not self.discards:
                return NO_CARD
            self.deck, self.discards = self.discards, []
        return self._draw("card", self.deck, self.map.wards)

    def _draw_up(self, seat: int) -> None:
        """INCOME: up to four cards, or one; as many as there are (R-SHI-05)."""
        for _ in range(max(1, HAND - len(self.hands[seat]))):
            card = self._draw_card()
            if card == NO_CARD:
                break
            self.hands[seat] = with_one(self.hands[seat], card)

    def _refill_queue(self) -> None:
        while len(self.queue) < QUEUE_SPACES:
            card = self._draw_card()
            if card == NO_CARD:
                break
            self.queue += (card,)
            self.loads += (0,)

    def _draw_customers(self) -> None:
        """Until the queue holds two and one per department store; nobody without a card (R-SHI-36, 37)."""
        if self.queue:
            while self.bag and self.queued < FIRST_CUSTOMERS + self.upgrades:
                self._join_queue(self._draw("customer", self.bag, KINDS))

    def _join_queue(self, kind: int) -> None:
        """To its own good, else to the first card without customers, else to the last card (R-SHI-35, 36)."""
        loads = self.loads
        good = OF_GOOD[GOOD_OF[kind]]
        for space in range(len(loads)):
            if loads[space] & good:
                break
        else:
            space = loads.index(0) if 0 in loads else len(loads) - 1
        self.loads = (*loads[:space], loads[space] + ONE[kind], *loads[space + 1 :])
        self.queued += 1

    # Turns

    def _begin_turn(self) -> None:
        seat = self.seat = self.mover
        self.turn += 1
        self.used = 0
        if self.queue:
            ward, load = self.queue[0], self.loads[0]
            if load:
                self.crowds[ward] += load
                self.queued -= size(load)
            self.hands[seat] = with_one(self.hands[seat], ward)
            self.queue, self.loads = self.queue[1:], self.loads[1:]
        self._refill_queue()
        self._draw_customers()
        if not self.last_turns and not self.bag and not self.queued:
            self.last_turns = self.seats  # this one included (R-SHI-38, 39)
        self._ask_action()

    def _end_turn(self) -> None:
        if self.last_turns == 1 or self.idle == self.seats:
            self._finish()
            return
        if self.last_turns:
            self.last_turns -= 1
        self.mover = self.mover % self.seats + 1
        self._begin_turn()

    def _ask_action(self) -> None:
        """What can be begun and finished (R-SHI-12), each action once a turn; else pass (R-SHI-08, 09)."""
        seat, used = self.seat, self.used
        payable = self._payable(seat)
        anywhere = payable == self.map.every_ward
        codes = []
        if not used & DID_OPEN and (self.shops[seat] or any(self.supply[seat])):
            if self.empty if anywhere else self._open_targets(payable):
                codes.append(OPEN)
        if not used & DID_EXPAND and self.tracks[seat] and self.free:
            codes.append(EXPAND)
        if self.deck or self.discards:  # it ends the turn, so it was not used yet
            codes.append(INCOME)
        if not used & DID_MOVE and any(self.crowds) and (anywhere or self._move_targets(payable)):
            codes.append(MOVE)
        if not used & DID_UPGRADE and self.earned[seat] and self._upgrade_targets(payable):
            codes.append(UPGRADE)
        self.codes = codes or (PASS,)
        self.kind = ACTION

    def _action(self, action: int) -> None:
        if action == PASS:
            self.idle = self.idle + 1 if not self.used and not self.queue else 0
            self._end_turn()
            return
        self.idle = 0
        self.used |= 1 << action
        seat = self.seat
        if action == INCOME:
            self._draw_up(seat)
            self._end_turn()
            return
        self.kind = action
        if action == EXPAND:
            self.codes = self.free
        elif action == OPEN:
            sources = [(good, SUPPLY) for good in range(4) if self.supply[seat][good]]
            sources += [((self.building[station] & 7) - 1, station) for station in self.shops[seat]]
            self.codes = list(product(sources, self._open_targets(self._payable(seat))))
        elif action == MOVE:
            self.codes = self._move_targets(self._payable(seat))
        else:
            self.codes = self._upgrade_targets(self._payable(seat))

    def _action_done(self) -> None:
        if self.used & self.used - 1:  # two bits: two actions
            self._end_turn()
        else:
            self._ask_action()

    # Payments

    def _payable(self, seat: int) -> int:
        """The wards for which the seat could pay a card (section 4)."""
        hand, wild = self.hands[seat], self.wild[seat]
        if len(hand) >= PAY_THREE:
            return self.map.every_ward
        payable = 0
        for card in hand:
            if wild >> card & 1:
                return self.map.every_ward
            payable |= 1 << card
        return payable

    def _ask_pay(self, paying_for: int, wards: int) -> None:
        """A card of one of these wards, a card of a store ward, or any three (R-SHI-13 to 15)."""
        hand = self.hands[self.seat]
        accepted = wards | self.wild[self.seat]
        codes: list[Any] = []
        before = -1
        for card in hand:
            if card != before and accepted >> card & 1:
                codes.append(card)
            before = card
        if len(hand) >= PAY_THREE:
            codes += triples(hand)
        self.kind = PAY
        self.codes = codes
        self.paying_for = paying_for

    def _pay(self, code: Any) -> None:
        hand = self.hands[self.seat]
        for card in code if isinstance(code, tuple) else (code,):
            hand = without(hand, card)
            self.discards.append(card)
        self.hands[self.seat] = hand
        PAID[self.paying_for](self)

    # OPEN

    def _open_targets(self, payable: int) -> Sequence[int]:
        if payable == self.map.every_ward:
            return self.empty
        ward_of = self.map.ward_of
        return [station for station in self.empty if payable >> ward_of[station] & 1]

    def _open(self, code: Any) -> None:
        self.target = code
        self._ask_pay(OPEN, 1 << self.map.ward_of[code[1]])

    def _opened(self) -> None:
        (good, origin), station = self.target
        seat, ward_of = self.seat, self.map.ward_of
        if origin == SUPPLY:
            self._change_supply(seat, good, -1)
            self.wild[seat] |= 1 << ward_of[station]
        else:
            self.building[origin] = 0
            self.shops[seat] = without(self.shops[seat], origin)
            self.empty = with_one(self.empty, origin)
        self.building[station] = seat << 3 | good + 1
        self.shops[seat] = with_one(self.shops[seat], station)
        self.empty = without(self.empty, station)
        if origin != SUPPLY:  # the ward left behind may be wild no more
            self.wild[seat] = 0
            for place, building in enumerate(self.building):
                if building >> 3 == seat:
                    self.wild[seat] |= 1 << ward_of[place]
        self._action_done()

    def _change_supply(self, seat: int, good: int, change: int) -> None:
        supply = self.supply[seat]
        self.supply[seat] = (*supply[:good], supply[good] + change, *supply[good + 1 :])

    # EXPAND

    def _expand(self, line: int) -> None:
        self._lay(line)
        seat, rail = self.seat, self.rail
        if self.tracks[seat] and self._payable(seat) & self.map.end_wards[line]:
            codes = [second for second in self.map.near[line] if not rail[second]]
            if codes:
                codes.append(STOP)
                self.kind = EXTEND
                self.codes = codes
                self.target = line
                return
        self._action_done()

    def _extend(self, line: int) -> None:
        if line == STOP:
            self._action_done()
            return
        first, self.target = self.target, line
        self._ask_pay(EXTEND, self.map.end_wards[first])

    def _extended(self) -> None:
        self._lay(self.target)
        self._action_done()

    def _lay(self, line: int) -> None:
        seat, ways = self.seat, self.ways
        self.tracks[seat] -= 1
        self.rail[line] = seat
        self.free = without(self.free, line)
        a, b = self.map.lines[line]
        ways[a] = tuple(sorted((*ways[a], (b, seat))))
        ways[b] = tuple(sorted((*ways[b], (a, seat))))

    # MOVE

    def _move_targets(self, payable: int) -> list[int]:
        if payable == self.map.every_ward:
            return [ward for ward, crowd in enumerate(self.crowds) if crowd]
        return [ward for ward, crowd in enumerate(self.crowds) if crowd and payable >> ward & 1]

    def _move(self, ward: int) -> None:
        self.target = ward
        self._ask_pay(MOVE, 1 << ward)

    def _moving(self) -> None:
        ward = self.target
        self.group = self.crowds[ward]
        self.crowds[ward] = 0
        self.visited = self.track_used = 0
        self.kind = START
        self.codes = self.map.stations_in[ward]

    def _visit(self, station: int) -> None:
        """Who is wanted here must be handed over, one of them (R-SHI-24)."""
        self.here = station
        self.visited |= 1 << station
        building = self.building[station]
        if building:
            wanted = self.group & WANTS[building & 7]
            if wanted:
                self.kind = GIVE
                self.codes = kinds_in(wanted)
                return
        self._ask_way()

    def _give(self, kind: int) -> None:
        self.group -= ONE[kind]
        self.earned[self.building[self.here] >> 3] += ONE[kind]
        self._ask_way()

    def _ask_way(self) -> None:
        """On to a station not yet visited, or stop; asked while there is somebody left and a way."""
        if self.group:
            visited = self.visited
            codes: list[Any] = [way for way in self.ways[self.here] if not visited >> way[0] & 1]
            if codes:
                codes.append(STOP)
                self.kind = TO
                self.codes = codes
                return
        self._arrive()

    def _to(self, code: Any) -> None:
        if code == STOP:
            self._arrive()
            return
        station, owner = code
        self.track_used |= 1 << owner  # bit 0: a permanent link, nobody's (R-SHI-27)
        self._visit(station)

    def _arrive(self) -> None:
        self.crowds[self.map.ward_of[self.here]] += self.group
        self.group = 0
        seats, mover, used = self.seats, self.mover, self.track_used
        if used:
            clockwise = [(mover - 1 + place) % seats + 1 for place in range(1, seats)]
            self.offers = tuple([seat for seat in clockwise if used >> seat & 1])
        self._ask_offer()

    def _ask_offer(self) -> None:
        """The free INCOMEs, while there is a card to draw (R-SHI-11, 29, 30); then the mover goes on."""
        if self.offers and (self.deck or self.discards):
            self.seat, self.offers = self.offers[0], self.offers[1:]
            self.kind = OFFER
            self.codes = (True, False)
            return
        self.offers = ()
        self.seat = self.mover
        self._action_done()

    def _offer(self, accepted: bool) -> None:
        if accepted:
            self._draw_up(self.seat)
        self._ask_offer()

    # UPGRADE

    def _upgrade_targets(self, payable: int) -> list[int]:
        """Own ordinary stores with the icon, a customer of their good, a department store left (R-SHI-31)."""
        seat = self.seat
        if not self.department_stores[seat]:
            return []
        board, building, earned = self.map, self.building, self.earned[seat]
        return [
            station
            for station in self.shops[seat]
            if board.sakura[station]
            and earned & WANTS[building[station] & 7]
            and payable >> board.ward_of[station] & 1
        ]

    def _upgrade(self, station: int) -> None:
        self.target = station
        self._ask_pay(UPGRADE, 1 << self.map.ward_of[station])

    def _upgrading(self) -> None:
        self.kind = CUSTOMER
        self.codes = kinds_in(self.earned[self.seat] & WANTS[self.building[self.target] & 7])

    def _upgraded(self, kind: int) -> None:
        seat, station = self.seat, self.target
        self._change_supply(seat, GOOD_OF[kind], 1)  # the customer is of the store's good
        self.shops[seat] = without(self.shops[seat], station)
        self.department_stores[seat] -= 1
        self.building[station] = seat << 3 | DEPARTMENT_STORE
        if self.upgrades < len(BONUS_STACKS):
            self.bonus[seat] += BONUS_STACKS[self.upgrades]
            self.first_claim[seat] = self.first_claim[seat] or self.upgrades + 1
        self.upgrades += 1
        self.earned[seat] -= ONE[kind]
        if self.last_turns or not self.queue:  # R-SHI-39, R-SHI-36
            self.gone += ONE[kind]
        else:
            self._join_queue(kind)
        self._action_done()

    # The end

    def _finish(self) -> None:
        self.over = True
        self.kind = OVER
        self.codes = ()
        self.seat = 0
        self.scores = {seat: self._score(seat) for seat in range(1, self.seats + 1)}

    def _score(self, seat: int) -> int:
        goods = [0, 0, 0, 0]
        for kind in range(6):
            goods[GOOD_OF[kind]] += (self.earned[seat] >> 5 * kind & 31) * WORTH[kind]
        return set_points(goods, self.bonus[seat])

    def _skip(self) -> None:
        """Decisions with one option are taken, not asked."""
        while len(self.codes) == 1:
            self.forced.append((self.seat, self.key(self.codes[0])))
            TAKE[self.kind](self, self.codes[0])

    def _never(self, code: Any) -> None:
        raise ValueError("the game is over")


TAKE: tuple[Callable[[Shinjuku, Any], None], ...] = (
    Shinjuku._open,
    Shinjuku._expand,
    Shinjuku._never,  # INCOME and PASS are over as soon as chosen
    Shinjuku._move,
    Shinjuku._upgrade,
    Shinjuku._never,
    Shinjuku._action,
    Shinjuku._extend,
    Shinjuku._pay,
    Shinjuku._visit,
    Shinjuku._give,
    Shinjuku._to,
    Shinjuku._upgraded,
    Shinjuku._offer,
    Shinjuku._never,
)

PAID: dict[int, Callable[[Shinjuku], None]] = {
    OPEN: Shinjuku._opened,
    EXTEND: Shinjuku._extended,
    MOVE: Shinjuku._moving,
    UPGRADE: Shinjuku._upgrading,
}
