"""The games that both we and OpenSpiel have: how to start them, and our words in their numbers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import ichiba

Number = Callable[[str], int]


def last(key: str) -> int:
    """`card/7`, `draw/7`: 7."""
    return int(key.split("/")[-1])


def from_one(key: str) -> int:
    """Ours counts from 1, theirs from 0."""
    return last(key) - 1


def no_chance(key: str) -> int:
    raise AssertionError(f"a game without chance has drawn {key}")


@dataclass(frozen=True)
class Pair:
    """One game in both engines. `action` and `outcome` turn our keys into their numbers."""

    name: str
    theirs: str
    action: Number
    outcome: Number = no_chance
    seats: int = 2
    options: dict[str, object] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    scale: int = 1  # our scores are so many times their returns
    last_unasked: bool = False  # theirs plays what is forced at the end without asking

    def __str__(self) -> str:
        named = ", ".join([*(f"{name} {value}" for name, value in self.options.items()), *self.variants])
        return f"{self.name} for {self.seats}" + (f", {named}" if named else "")

    def load(self) -> ichiba.Game:
        return _loaded(self.name, self.seats, tuple(self.options.items()), self.variants)

    def opponent(self, one_by_one: bool = False) -> Any:
        """Their game; with `one_by_one`, seats that decide at once do so one after the other."""
        import pyspiel

        game = pyspiel.load_game(self.theirs)
        simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        return pyspiel.convert_to_turn_based(game) if one_by_one and simultaneous else game

    def expected(self, state: Any) -> dict[int, float]:
        """Their returns in our scores."""
        returns = state.returns()
        return {seat: self.scale * returns[seat - 1] for seat in range(1, self.seats + 1)}


@cache
def _loaded(name: str, seats: int, options: tuple[tuple[str, object], ...], variants: tuple[str, ...]) -> ichiba.Game:
    return ichiba.load(name, seats=seats, options=dict(options), variants=variants)


def auction(seats: int, highest_value: int) -> Pair:
    theirs = f"first_sealed_auction(players={seats},max_value={highest_value})"
    options: dict[str, object] = {"highest_value": highest_value}

    def outcome(key: str) -> int:
        """A price tag, or the winner: theirs counts amounts from 1, but seats from 0."""
        return last(key) if key.startswith("draw/") else last(key) - 1

    return Pair("first_price_auction", theirs, last, outcome, seats, options)


RETURNS = ("win_loss", "total_points", "point_difference")


def goofspiel(seats: int, cards: int, order: str = "random", returns: str = "win_loss") -> Pair:
    theirs = f"goofspiel(players={seats},num_cards={cards},points_order={order},returns_type={returns})"
    variants = tuple(name for name in (order, returns) if name not in ("random", "win_loss"))
    scale = {"win_loss": 12, "total_points": 1, "point_difference": seats}[returns]
    options: dict[str, object] = {"cards": cards}
    return Pair("goofspiel", theirs, from_one, from_one, seats, options, variants, scale, last_unasked=True)


def oshi_zumo(coins: int, size: int, horizon: int, alesia: bool = False, least: int = 0) -> Pair:
    theirs = f"oshi_zumo(coins={coins},size={size},horizon={horizon},alesia={alesia},min_bid={least})"
    options: dict[str, object] = dict(coins=coins, size=size, horizon=horizon, alesia=alesia, least=least)
    return Pair("oshi_zumo", theirs, last, options=options)


def liars_dice(dice: int, sides: int = 6) -> Pair:
    def action(key: str) -> int:
        """Theirs numbers the bids in rising order, and after them the call."""
        if key == "liar":
            return 2 * dice * sides
        _, number, face = key.split("/")
        return (int(number) - 1) * sides + int(face) - 1

    theirs = f"liars_dice(numdice={dice},dice_sides={sides})"
    return Pair("liars_dice", theirs, action, from_one, options={"dice": dice, "sides": sides})


CARDS = [f"{rank}_of_{suit}" for rank in ("jack", "queen", "king") for suit in ("hearts", "spades")]


def leduc_poker() -> Pair:
    answers = ["fold", "call", "raise"]
    return Pair("leduc_poker", "leduc_poker", answers.index, lambda key: CARDS.index(key.split("/")[1]))


SMALL = [
    leduc_poker(),
    auction(2, 4),
    auction(3, 3),
    goofspiel(2, 3),
    goofspiel(2, 4, "ascending", "point_difference"),
    goofspiel(2, 4, "descending", "total_points"),
    goofspiel(3, 3, "descending"),
    oshi_zumo(3, 1, 3),
    oshi_zumo(5, 1, 6, least=2),
    oshi_zumo(3, 2, 3, alesia=True),
    liars_dice(1, 3),
    liars_dice(2, 2),
]
"""Small enough to compare the whole tree."""

LARGE = {
    "first_price_auction": [auction(seats, value) for seats in (2, 3, 5, 10) for value in (10, 100)],
    "goofspiel": [
        *(goofspiel(seats, cards) for seats in (2, 3, 4) for cards in (5, 13)),
        *(goofspiel(3, 6, order, returns) for order in ("ascending", "descending") for returns in RETURNS),
        *(goofspiel(4, 8, returns=returns) for returns in RETURNS),
    ],
    "leduc_poker": [leduc_poker()],
    "liars_dice": [liars_dice(dice, sides) for dice in (1, 2, 5) for sides in (4, 6)],
    "oshi_zumo": [
        oshi_zumo(50, 3, 1000),
        oshi_zumo(50, 3, 1000, alesia=True),
        oshi_zumo(20, 2, 8),
        oshi_zumo(20, 4, 8, alesia=True),
        oshi_zumo(30, 3, 100, least=3),
    ],
}  # fmt: skip
"""For random games."""


def in_turn(pairs: list[Pair], games: int) -> Iterator[tuple[Pair, int]]:
    """So many games of these, with their seeds."""
    for seed in range(games):
        yield pairs[seed % len(pairs)], seed
