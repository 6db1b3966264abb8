"""Tsukiji, written by hand for speed: everything that happens often is one operation on one packed integer.

- A heap of cards is one integer, seven bits for the count of each product in market order, above them two
  bits each for the Takusan and the Yakuza (only a lot has these, and only three cards). Adding heaps is
  adding integers.
- A heap of tickets is one integer, three bits for the count of each ticket. A hand has at most one of each,
  and the tickets on a lot are at most one of each per seat.
- A market marker is its space and, in the lower six bits, the number of its arrival: comparing them ranks
  them.
- What can be computed once is a table: the options of every hand, the worth of every heap of tickets on a
  lot, tiles and purchasable lots for every order of the lots.

Draws: the start seat (unless configured), the markers of spaces 1, 2, ..., then every round the lots from
the left, three cards each.
"""

from itertools import combinations_with_replacement, permutations
from operator import mul

from tests.twins.base import Chance, RandomChance, Twin, places, shuffled

ROUNDS = 7
PRODUCTS = ("ebi", "hotategai", "fugu", "tako", "sake", "maguro")  # market order; Maguro has no marker
MARKED = PRODUCTS[:5]
KINDS = (*PRODUCTS, "takusan", "yakuza")
TICKETS = ("0", "1", "2", "3", "4", "cancel", "minus1", "plus6", "double")

# By number of seats (A-TSU-01, A-TSU-02).
DECK = {2: (9,) * 6 + (4, 5), 3: (12,) * 6 + (6, 6), 4: (15,) * 6 + (7, 8)}
PRICES = {2: (12, 9, 5), 3: (12, 9, 6, 3), 4: (12, 9, 7, 5, 3)}
MODIFIERS = {2: (4, 2, -1), 3: (4, 2, 0, -1), 4: (4, 2, 1, 0, -1)}
DEAREST = 12  # the clock tile, and no other

FIRST_MONEY, SEAT_BONUS, REFUSAL = 48, 3, 3
LAST_SPACE = 60
FINAL_VALUES = (10, 7, 5, 3, 1)
MAGURO = [n * (n + 5) // 2 for n in range(DECK[4][5] + DECK[4][6] + 1)]  # A-TSU-03

# Heaps of cards.
FIELD = 7
COUNT = (1 << FIELD) - 1
CARD = {kind: 1 << FIELD * place for place, kind in enumerate(PRODUCTS)}
EXTRAS = FIELD * len(PRODUCTS)
CARD |= {"takusan": 1 << EXTRAS, "yakuza": 1 << EXTRAS + 2}
ANY_PRODUCT = (1 << EXTRAS) - 1
ONES = sum(CARD[product] for product in PRODUCTS)
BELOW, HALF = 63 * ONES, 64 * ONES  # a count plus 63 has the bit of 64 exactly if it is not 0 (and below 65)
LEVEL = 32  # is added to the steps of a marker while they are packed, since they may be negative
LEVELS = LEVEL * sum(CARD[product] for product in MARKED)
DECK_OF_CARDS = {
    seats: [CARD[kind] for kind, count in zip(KINDS, counts) for _ in range(count)]
    for seats, counts in DECK.items()
}

# The products of a heap as options, by its bits of 64. An option is the card itself.
PRODUCTS_IN = {
    sum(CARD[PRODUCTS[place]] * 64 for place in range(6) if bits >> place & 1): [
        CARD[PRODUCTS[place]] for place in range(6) if bits >> place & 1
    ]
    for bits in range(64)
}
TAKUSAN_KEY = {CARD[product]: f"takusan/{product}" for product in PRODUCTS}
YAKUZA_KEY = {CARD[product]: f"yakuza/{product}" for product in PRODUCTS}

# Heaps of tickets. An option is the ticket itself.
TICKET = {name: 1 << 3 * place for place, name in enumerate(TICKETS)}
TICKET_KEY = {ticket: f"ticket/{name}" for name, ticket in TICKET.items()}
NORMAL = sum(TICKET[name] for name in TICKETS[:5])
SPECIAL = sum(TICKET[name] for name in TICKETS[5:])
HAND = {
    hand: [ticket for ticket in TICKET.values() if hand & ticket]
    for hand in (sum(t for i, t in enumerate(TICKET.values()) if bits >> i & 1) for bits in range(512))
}


def lot_value(tickets: list[str] | tuple[str, ...]) -> int:
    """The value of a lot with these tickets: Cancels first, doubling last (R-TSU-01 to 05)."""
    fours, cancels = tickets.count("4"), tickets.count("cancel")
    cancelled = min(fours, cancels)
    plain = sum(number * tickets.count(str(number)) for number in range(4))
    total = plain + 4 * (fours - cancelled) + 2 * (cancels - cancelled)
    total += 6 * tickets.count("plus6") - tickets.count("minus1")
    return total << tickets.count("double")


# The value of every heap, times 8: the free low bits take the lot, for sorting.
WORTH = {
    sum(map(TICKET.__getitem__, heap)): 8 * lot_value(heap)
    for seats in DECK
    for heap in combinations_with_replacement(TICKETS, seats)
}

# Lots: options are their places from 0, and REFUSE. By the set of lots, the options of a buyer.
REFUSE = 7
BUY = [[lot for lot in range(5) if lots >> lot & 1] + [REFUSE] for lots in range(32)]

Tiles = tuple[tuple[int, ...], tuple[int, ...], list[int]]


def _tiles(order: tuple[int, ...]) -> Tiles:
    """Prices and modifiers by lot, and for every cash up to the dearest price the set of lots it pays."""
    seats = len(order) - 1
    rank = [order.index(lot) for lot in range(seats + 1)]
    prices = tuple(PRICES[seats][r] for r in rank)
    modifiers = tuple(MODIFIERS[seats][r] for r in rank)
    payable = [
        sum(1 << lot for lot, price in enumerate(prices) if price <= cash) for cash in range(DEAREST + 1)
    ]
    return prices, modifiers, payable


# By the lots in order of value, the highest first.
TILES = {order: _tiles(order) for seats in DECK for order in permutations(range(seats + 1))}

OPENING = list(permutations(space << 6 for space in range(1, 6)))  # the markers, arrival 0

# What is being asked.
LAYING, BUYING, TAKUSAN, YAKUZA, OVER = range(5)
PHASES = ("tickets", "buying", "takusan", "yakuza", "over")


class Tsukiji(Twin):
    __slots__ = (
        "_arrivals", "_cash", "_chance", "_clock", "_columns", "_extras", "_hand", "_hands", "_laid", "_lots",
        "_markers", "_met", "_now", "_offers", "_payable", "_phase", "_prices", "_round", "_seats",
        "_special_points", "_start", "_stock", "_to_lay", "_turns", "_unsold", "_wild",
        "forced", "over", "scores", "seat",
    )  # fmt: skip

    def __init__(
        self, seats: int, chance: Chance, *, start_player: int = 0, special_points: bool = False
    ) -> None:
        self._seats = seats
        self._chance = chance
        self._special_points = special_points
        self._stock: list[int] | None = None  # the deck by kind, where each card is asked for
        if type(chance) is RandomChance:
            random = chance.random.random
            start = start_player or 1 + int(random() * seats)
            self._markers = list(OPENING[int(random() * 120)])
            card = iter(shuffled(DECK_OF_CARDS[seats], random))
            self._offers = [one + two + three for one, two, three in zip(card, card, card)]
        else:
            start = start_player or int(chance.pick("start_player", {str(s): 1 for s in range(1, seats + 1)}))
            self._markers = self._pick_markers()
            self._offers = []  # the lots of all rounds, one after the other
            self._stock = list(DECK[seats])
        # Lists by seat; place 0 is not used.
        self._cash = [FIRST_MONEY + SEAT_BONUS * ((seat - start) % seats) for seat in range(seats + 1)]
        self._columns = [0] * (seats + 1)  # product cards
        self._wild = [0] * (seats + 1)  # Takusan, as the products they stand for
        self._met = [0] * (seats + 1)  # Yakuza cards taken
        self._hands = [NORMAL | SPECIAL] * (seats + 1)
        self._arrivals = 0
        self._start = start
        self._round = 0
        self._extras = 0
        self.over = False
        self.scores: dict[int, int] = {}
        self.forced: list[tuple[int, str]] = []
        self._next_round()

    def _pick_markers(self) -> list[int]:
        left = dict.fromkeys(MARKED, 1)
        space = {}
        for number in range(1, 6):
            product = self._chance.pick("marker", dict(left))
            del left[product]
            space[product] = number << 6
        return [space[product] for product in MARKED]

    # Offer and evaluation.

    def _next_round(self) -> None:
        if self._round == ROUNDS:
            self._finish()
            return
        lots = self._seats + 1
        if self._stock is not None:
            self._offers += [self._draw(self._stock) for _ in range(lots)]
        first = self._round * lots
        self._lots = self._offers[first : first + lots]
        self._round += 1
        self._laid: list[int] = []  # the tickets, seat after seat, each from the left lot to the right
        self._prices: tuple[int, ...] = ()
        self._phase = LAYING
        self._ask_hand(1)

    def _draw(self, stock: list[int]) -> int:
        """Three cards, each asked for."""
        lot = 0
        for _ in range(3):
            kind = self._chance.pick("draw", {kind: n for kind, n in zip(KINDS, stock) if n})
            stock[KINDS.index(kind)] -= 1
            lot += CARD[kind]
        return lot

    def _ask_hand(self, seat: int) -> None:
        self.seat = seat
        self._to_lay = self._seats + 1
        self._hand = hand = self._hands[seat]
        self._now = HAND[hand]

    def legal(self) -> list[int]:
        return self._now

    def step(self, index: int) -> None:
        choice = self._now[index]
        to_lay = self._to_lay
        if to_lay:
            self._laid.append(choice)
            self._to_lay = to_lay = to_lay - 1
            self._hand = hand = self._hand - choice
            if to_lay:
                self._now = HAND[hand]
                return
            seat = self.seat
            self._hands[seat] = hand & SPECIAL | NORMAL
            if seat < self._seats:
                self._ask_hand(seat + 1)
            else:
                self._set_prices()
            return
        phase = self._phase
        if phase == BUYING:
            self._buy(choice)
        elif phase == TAKUSAN:
            self._wild[self.seat] += choice
            self._lay_extras()
        else:
            self._columns[self.seat] -= choice
            self._lay_extras()

    # Pricing and market.

    def _set_prices(self) -> None:
        laid, lots = self._laid, self._seats + 1
        # Value times 8 minus the lot's place: of equal lots the further left ranks higher.
        ranked = sorted([WORTH[sum(laid[lot::lots])] - lot for lot in range(lots)], reverse=True)
        self._prices, modifiers, self._payable = TILES[tuple([-mark & 7 for mark in ranked])]
        self._move_markers(sum(map(mul, modifiers, self._lots), LEVELS))
        self._phase = BUYING
        self._unsold = (1 << lots) - 1
        self._turns = self._seats
        self._clock = self.seat = self._start
        self._ask_buyer()

    def _move_markers(self, steps: int) -> None:
        """In market order; who arrives is on top, who does not move keeps its place (R-TSU-10 to 12)."""
        markers = self._markers
        for product in range(5):
            step = (steps & COUNT) - LEVEL
            if step:
                here = markers[product] >> 6
                there = here + step
                if there < 1:
                    there = 1
                elif there > LAST_SPACE:
                    there = LAST_SPACE
                if there != here:
                    self._arrivals = arrival = self._arrivals + 1
                    markers[product] = there << 6 | arrival
            steps >>= FIELD

    # Purchase.

    def _ask_buyer(self) -> None:
        """Let the seat buy; those who cannot afford anything refuse unasked."""
        while True:
            cash = self._cash[self.seat]
            if cash >= DEAREST:
                self._now = BUY[self._unsold]
                return
            payable = self._unsold & self._payable[cash]
            if payable:
                self._now = BUY[payable]
                return
            self.forced.append((self.seat, "refuse"))
            self._cash[self.seat] = cash + REFUSAL
            if not self._pass_on():
                return

    def _pass_on(self) -> bool:
        """To the next buyer, if there is one; else to the next round."""
        self._turns = turns = self._turns - 1
        if turns:
            self.seat = self.seat % self._seats + 1
            return True
        self._start = self._clock
        self._next_round()
        return False

    def _buy(self, lot: int) -> None:
        seat = self.seat
        if lot == REFUSE:
            self._cash[seat] += REFUSAL
        else:
            price = self._prices[lot]
            self._cash[seat] -= price
            if price == DEAREST:
                self._clock = seat
            self._unsold ^= 1 << lot
            cards = self._lots[lot]
            self._columns[seat] += cards & ANY_PRODUCT
            extras = cards >> EXTRAS
            if extras:
                self._extras = extras
                self._lay_extras()
                return
        if self._pass_on():
            self._ask_buyer()

    def _lay_extras(self) -> None:
        """The Takusan, then the Yakuza just bought; asked only with a choice (R-TSU-15 to 18, 33 to 35)."""
        seat = self.seat
        extras = self._extras
        while extras & 3:
            extras -= 1
            columns = PRODUCTS_IN[(self._columns[seat] | self._wild[seat]) + BELOW & HALF]
            if len(columns) > 1:
                self._ask(TAKUSAN, columns, extras)
                return
            if columns:
                self.forced.append((seat, TAKUSAN_KEY[columns[0]]))
                self._wild[seat] += columns[0]
        while extras:
            extras -= 4
            self._met[seat] += 1
            victims = PRODUCTS_IN[self._columns[seat] + BELOW & HALF]
            if len(victims) > 1:
                self._ask(YAKUZA, victims, extras)
                return
            if victims:
                self.forced.append((seat, YAKUZA_KEY[victims[0]]))
                self._columns[seat] -= victims[0]
        self._extras = 0
        self._phase = BUYING
        if self._pass_on():
            self._ask_buyer()

    def _ask(self, phase: int, now: list[int], extras: int) -> None:
        self._phase = phase
        self._now = now
        self._extras = extras

    # Scoring.

    def _finish(self) -> None:
        self.seat = 0
        self._phase = OVER
        self._now = []
        self.over = True
        ebi, hotategai, fugu, tako, sake = final_values(self._markers)
        for seat in range(1, self._seats + 1):
            cards = self._columns[seat] + self._wild[seat]
            self.scores[seat] = (
                self._cash[seat]
                + ebi * (cards & COUNT)
                + hotategai * (cards >> FIELD & COUNT)
                + fugu * (cards >> 2 * FIELD & COUNT)
                + tako * (cards >> 3 * FIELD & COUNT)
                + sake * (cards >> 4 * FIELD & COUNT)
                + MAGURO[cards >> 5 * FIELD]
            )
        if self._special_points:
            for seat, bonus in self._bonuses().items():
                self.scores[seat] += bonus

    def _bonuses(self) -> dict[int, int]:
        seats = range(1, self._seats + 1)
        counts = [_counts(self._columns[seat] + self._wild[seat])[:6] for seat in seats]
        fifth = final_values(self._markers).index(FINAL_VALUES[4])
        return dict(zip(seats, special_points(counts, self._met[1:], fifth)))

    @property
    def ranking(self) -> list[list[int]]:
        """By score, then by special tickets left (R-TSU-29)."""
        return places({seat: (score, self._hands[seat].bit_count()) for seat, score in self.scores.items()})

    # For people.

    def options(self) -> list[str]:
        if self._phase == LAYING:
            return [TICKET_KEY[ticket] for ticket in self._now]
        if self._phase == TAKUSAN:
            return [TAKUSAN_KEY[card] for card in self._now]
        if self._phase == YAKUZA:
            return [YAKUZA_KEY[card] for card in self._now]
        return ["refuse" if lot == REFUSE else f"buy/{lot + 1}" for lot in self._now]

    def facts(self) -> dict[str, object]:
        """The whole state.

        - `tickets` are those in hand. Until all have laid, those `laid` lie at the lots, from the left;
          then the normal ones are back.
        - `lots` have value, price and modifier once all have laid, before that None; a bought lot has no
          cards.
        - `extras` are the cards the buyer has yet to lay, a Takusan being asked about among them; a Yakuza
          being asked about is discarded and in `yakuza_taken`.
        - `market` is the order of the markers, best first: on one space the upper one first.
        - `values` are what the products pay, as the market stands; `bonuses` are None without the variant.
        - `clock` is the seat that starts the next round, as far as bought; `start` started this one.
        """
        seats = range(1, self._seats + 1)
        return {
            "seat": self.seat,
            "over": self.over,
            "phase": PHASES[self._phase],
            "round": self._round,
            "start": self._start,
            "clock": self._clock if self._prices else self._start,
            "money": {str(seat): self._cash[seat] for seat in seats},
            "columns": {str(seat): self._column_facts(seat) for seat in seats},
            "yakuza_taken": {str(seat): self._met[seat] for seat in seats},
            "tickets": {str(seat): self._names(self._in_hand(seat)) for seat in seats},
            "laid": {str(seat): [self._names(ticket)[0] for ticket in self._laid_by(seat)] for seat in seats},
            "lots": self._lot_facts(),
            "extras": self._extra_facts(),
            "markers": {product: self._markers[place] >> 6 for place, product in enumerate(MARKED)},
            "market": [MARKED[place] for place in _market(self._markers)],
            "values": dict(zip(MARKED, final_values(self._markers))),
            "bonuses": {str(s): n for s, n in self._bonuses().items()} if self._special_points else None,
            "deck": self._deck_facts(),
            "discard": self._discard_facts(),
        }

    def _column_facts(self, seat: int) -> dict[str, dict[str, int]]:
        both = zip(PRODUCTS, _counts(self._columns[seat]), _counts(self._wild[seat]))
        return {
            product: {"product": cards, "takusan": wild} for product, cards, wild in both if cards or wild
        }

    def _laid_by(self, seat: int) -> list[int]:
        lots = self._seats + 1
        return self._laid[(seat - 1) * lots : seat * lots] if self._phase == LAYING else []

    def _in_hand(self, seat: int) -> int:
        if self._phase == LAYING and seat == self.seat:
            return self._hand
        return self._hands[seat] & ~(sum(self._laid_by(seat)) & NORMAL)

    @staticmethod
    def _names(tickets: int) -> list[str]:
        return [name for name, ticket in TICKET.items() if tickets & ticket]

    def _lot_facts(self) -> list[dict[str, object]]:
        if self.over:
            return []
        known = bool(self._prices)
        return [
            {
                "cards": _cards(self._lots_left()[lot]),
                "value": WORTH[sum(self._laid[lot :: self._seats + 1])] >> 3 if known else None,
                "price": price if known else None,
                "modifier": dict(zip(PRICES[self._seats], MODIFIERS[self._seats])).get(price),
            }
            for lot, price in enumerate(self._prices or (0,) * len(self._lots))
        ]

    def _extra_facts(self) -> dict[str, int]:
        return {"takusan": (self._extras & 3) + (self._phase == TAKUSAN), "yakuza": self._extras >> 2}

    def _lots_left(self) -> list[int]:
        """The cards in the lots; of bought ones none."""
        return [
            0 if self._prices and not self._unsold >> lot & 1 else cards
            for lot, cards in enumerate(self._lots)
        ]

    def _deck_facts(self) -> dict[str, int]:
        if self._stock is not None:
            return dict(zip(KINDS, self._stock))
        return dict(zip(KINDS, _counts_of_all(self._offers[self._round * (self._seats + 1) :])))

    def _discard_facts(self) -> dict[str, int]:
        """All that is nowhere else."""
        elsewhere = [self._columns[1:], [] if self.over else self._lots_left()]
        left = [total - deck for total, deck in zip(DECK[self._seats], self._deck_facts().values())]
        for heaps in elsewhere:
            left = [a - b for a, b in zip(left, _counts_of_all(heaps))]
        extras = self._extra_facts()
        left[6] -= sum(_counts_of_all(self._wild[1:])[:6]) + extras["takusan"]
        left[7] -= extras["yakuza"]
        return dict(zip(KINDS, left))


def _counts(cards: int) -> list[int]:
    """A heap by kind."""
    return [cards >> FIELD * place & COUNT for place in range(6)] + [cards >> EXTRAS & 3, cards >> EXTRAS + 2]


def _counts_of_all(heaps: list[int]) -> list[int]:
    return [sum(counts) for counts in zip([0] * len(KINDS), *map(_counts, heaps))]


def _cards(cards: int) -> dict[str, int]:
    return {kind: count for kind, count in zip(KINDS, _counts(cards)) if count}


def _market(markers: list[int]) -> list[int]:
    """The products with a marker, best first."""
    return sorted(range(5), key=markers.__getitem__, reverse=True)


def final_values(markers: list[int]) -> list[int]:
    """What a card of each product pays, by market order."""
    values = [0] * 5
    for place, product in enumerate(_market(markers)):
        values[product] = FINAL_VALUES[place]
    return values


def special_points(counts: list[list[int]], yakuza: list[int], fifth: int) -> list[int]:
    """The variant's points by seat: from all columns, the Yakuza taken and the product ranked fifth.

    Everyone tied for most gets all of it, nobody with none does (R-TSU-20 to 22).
    """
    popular = max(columns[fifth] for columns in counts)
    safe = max(yakuza)
    return [
        10 * (min(columns) >= 3)
        + 10 * (max(columns) >= 8)
        + 5 * (columns[fifth] == popular > 0)
        + 3 * (taken == safe > 0)
        for columns, taken in zip(counts, yakuza)
    ]
