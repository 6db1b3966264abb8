"""What tokens are worth in Resources (R): of a seat, and in a lot."""

from .names import (
    SNAPPER,
    T_CLAM,
    T_CRAB_4,
    T_CRAB_6,
    T_CRAB_8,
    T_EEL,
    T_FUGU,
    T_HIMONO,
    T_JACK,
    T_MACKEREL,
    T_NORI,
    T_OCTOPUS,
    T_OYSTER,
    T_SALMON,
    T_SALMON_4,
    T_SARDINES,
    T_SNAPPER,
    T_SWORDFISH,
    T_TAKOYAKI,
    T_TUNA_15,
    T_TUNA_20,
    T_TUNA_25,
)  # fmt: skip
from .state import State


def snapper_value(game: State) -> int:
    """A third of what is left on the board, rounded up; 2 once overfished."""
    return 2 if game.over_fished >> SNAPPER & 1 else (game.stock[T_SNAPPER] + 2) // 3


def salmon_value(game: State) -> int:
    """Fresh Salmon: all Salmon tokens that anybody owns."""
    return sum([tokens[T_SALMON] + tokens[T_SALMON_4] for tokens in game.tokens])


def _without_nori(game: State, seat: int) -> int:
    t = game.tokens[seat]
    total = (
        t[T_EEL] * game.eel
        + t[T_FUGU] * t[T_FUGU]
        + t[T_MACKEREL]
        + t[T_OCTOPUS] * 3
        + t[T_TAKOYAKI] * 5
        + t[T_SALMON_4] * 4
        + t[T_CRAB_4] * 4
        + t[T_CRAB_6] * 6
        + t[T_CRAB_8] * 8
        + t[T_TUNA_15] * 15
        + t[T_TUNA_20] * 20
        + t[T_TUNA_25] * 25
        + t[T_CLAM] * 3
        + t[T_OYSTER]
        + t[T_HIMONO] * 5
        + t[T_JACK]
        + t[T_SARDINES]
        + t[T_SWORDFISH] * game.swordfish
    )
    if t[T_SNAPPER]:
        total += t[T_SNAPPER] * snapper_value(game)
    if t[T_SALMON]:
        total += t[T_SALMON] * salmon_value(game)
    return total


def resources(game: State, seat: int) -> int:
    """All tokens the seat owns; each Nori counts a tenth of the others."""
    total = _without_nori(game, seat)
    return total + game.tokens[seat][T_NORI] * (total // 10)


def unit_worth(game: State, seat: int, sort: int) -> int:
    """One token of this sort, in a lot of this seat (R-TTM-46). Not for Fugu."""
    if sort == T_EEL:
        return game.eel
    if sort == T_SNAPPER:
        return snapper_value(game)
    if sort == T_SALMON:
        return salmon_value(game)
    if sort == T_NORI:
        return _without_nori(game, seat) // 10
    if sort == T_SWORDFISH:
        return game.swordfish
    return FIXED[sort]


FIXED = [0] * 22
for _sort, _worth in {
    T_MACKEREL: 1, T_OCTOPUS: 3, T_TAKOYAKI: 5, T_SALMON_4: 4, T_CRAB_4: 4, T_CRAB_6: 6, T_CRAB_8: 8,
    T_TUNA_15: 15, T_TUNA_20: 20, T_TUNA_25: 25, T_CLAM: 3, T_OYSTER: 1, T_HIMONO: 5, T_JACK: 1,
    T_SARDINES: 1,
}.items():  # fmt: skip
    FIXED[_sort] = _worth


def lot_worth(game: State, seat: int, sort: int, number: int) -> int:
    """So many tokens of one sort in a lot. Fugu counts the square of those offered."""
    return number * number if sort == T_FUGU else number * unit_worth(game, seat, sort)
