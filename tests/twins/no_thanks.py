"""No Thanks, written by hand for speed.

Cards 3 to 35, of which 24 are turned one after the other. The seat in turn pays one chip to pass the card
on, or takes it with the chips on it and decides about the next one too. A run of cards counts its lowest,
chips count against the points, fewest points win. Chips are hidden from the others, so a seat without chips
is still asked: `take` is then its only option, and taking it unasked would tell.

A hand is one integer with a bit for each card, bit 0 for card 3.
"""

from tests.twins.base import Chance, RandomChance, Twin, places, shuffled

LOWEST, HIGHEST = 3, 35
TURNED = HIGHEST - LOWEST + 1 - 9
CHIPS = {2: 11, 3: 11, 4: 11, 5: 11, 6: 9, 7: 7}

PAY, TAKE = 0, 1
KEYS = ["pay", "take"]
PAY_OR_TAKE = [PAY, TAKE]
TAKE_ONLY = [TAKE]
NOTHING: list[int] = []

CARDS = range(HIGHEST - LOWEST + 1)


def _sums(first: int, cards: int) -> list[int]:
    """For every set of these cards the sum of their numbers; `first` is the number of the lowest."""
    sums = [0]
    for number in range(first, first + cards):
        sums += [number + rest for rest in sums]
    return sums


THIRD = 11
LOW_THIRD, MIDDLE_THIRD, HIGH_THIRD = (_sums(LOWEST + THIRD * part, THIRD) for part in range(3))
PART = (1 << THIRD) - 1


def points(hand: int) -> int:
    """What the cards count, without chips: of each run its lowest."""
    lows = hand & ~(hand << 1)
    return LOW_THIRD[lows & PART] + MIDDLE_THIRD[lows >> THIRD & PART] + HIGH_THIRD[lows >> 2 * THIRD]


class NoThanks(Twin):
    __slots__ = (
        "_card", "_chance", "_chips", "_deck", "_hands", "_now", "_pot", "_rest", "_seats", "_turned",
        "forced", "over", "scores", "seat",
    )  # fmt: skip

    def __init__(self, seats: int, chance: Chance, *, start_player: int = 1) -> None:
        self._seats = seats
        self._chance = chance
        self._chips = [CHIPS[seats]] * (seats + 1)  # by seat; place 0 of these lists is not used
        self._hands = [0] * (seats + 1)
        self._pot = 0
        self._turned = 0
        self._deck: list[int] | None = (
            None  # the cards still to come, the next one last; None: each is asked for
        )
        self._rest: list[int] = []  # then: the cards not yet turned, the nine left out among them
        self.over = False
        self.scores: dict[int, int] = {}
        self.forced: list[tuple[int, str]] = []
        if type(chance) is RandomChance:
            random = chance.random.random
            self.seat = start_player or 1 + int(random() * seats)
            self._deck = shuffled(CARDS, random)[:TURNED]
        else:
            self.seat = start_player or int(
                chance.pick("start_player", {str(s): 1 for s in range(1, seats + 1)})
            )
            self._rest = list(CARDS)
        self._turn()

    def _turn(self) -> None:
        """Turn the next card; the seat stays. After the last one the game is over."""
        turned = self._turned
        if turned == TURNED:
            self._finish()
            return
        self._turned = turned + 1
        if self._deck is not None:
            self._card = self._deck.pop()
        else:
            self._card = (
                int(self._chance.pick("draw", {str(card + LOWEST): 1 for card in self._rest})) - LOWEST
            )
            self._rest.remove(self._card)
        self._now = PAY_OR_TAKE if self._chips[self.seat] else TAKE_ONLY

    def legal(self) -> list[int]:
        return self._now

    def step(self, index: int) -> None:
        seat = self.seat
        chips = self._chips
        if self._now[index] == PAY:
            chips[seat] -= 1
            self._pot += 1
            self.seat = seat = seat + 1 if seat < self._seats else 1
            self._now = PAY_OR_TAKE if chips[seat] else TAKE_ONLY
        else:
            self._hands[seat] |= 1 << self._card
            chips[seat] += self._pot
            self._pot = 0
            self._turn()

    def _finish(self) -> None:
        self.scores = {
            seat: points(self._hands[seat]) - self._chips[seat] for seat in range(1, self._seats + 1)
        }
        self.seat = 0
        self._now = NOTHING
        self.over = True

    @property
    def ranking(self) -> list[list[int]]:
        return places({seat: (-score,) for seat, score in self.scores.items()})

    def options(self) -> list[str]:
        return [KEYS[choice] for choice in self._now]

    def facts(self) -> dict[str, object]:
        """`card` is None when over; `to_come` counts the cards still to be turned, not the nine left out."""
        seats = range(1, self._seats + 1)
        return {
            "seat": self.seat,
            "over": self.over,
            "card": None if self.over else self._card + LOWEST,
            "pot": self._pot,
            "to_come": TURNED - self._turned,
            "chips": {str(seat): self._chips[seat] for seat in seats},
            "cards": {
                str(seat): [card + LOWEST for card in CARDS if self._hands[seat] >> card & 1]
                for seat in seats
            },
        }
