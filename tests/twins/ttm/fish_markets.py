"""What can be done at the Fish Markets: licences, sales, Takoyaki, Iwashi (4.1 to 4.15)."""

from collections.abc import Callable

from .keys import GRILL, IWASHI, LICENCE, SELL_MANY, SELL_ONE, SELL_PAIR, SELL_SORT
from .names import (
    CLAMS,
    CRAB,
    CRABS,
    EEL,
    FUGU,
    LICENCE_PRICE,
    MACKEREL,
    NORI,
    OCTOPUS,
    ONE_LICENCE_A_VISIT,
    PRINTED,
    SARDINES,
    SARDINES_LAST_PRICE,
    SQUID,
    SWORDFISH,
    T_CLAM,
    T_EEL,
    T_FUGU,
    T_MACKEREL,
    T_OCTOPUS,
    T_OYSTER,
    T_SARDINES,
    T_SQUID,
    T_SWORDFISH,
    T_TAKOYAKI,
    TAKOYAKI,
    TUNA,
    TUNAS,
)  # fmt: skip
from .state import ASK_PRICE, State, without

PAIR_PIECE = 127  # of a Mackerel for sale: 0 for a token, or row and price


def licence_price(game: State, market: int) -> int:
    if market == SARDINES and game.licences_left[market] == 1:
        return SARDINES_LAST_PRICE
    return LICENCE_PRICE[market]


def can_buy_licence(game: State, seat: int, market: int, cash: int) -> bool:
    """On entry."""
    return (
        game.licences_left[market] > 0
        and game.free_spaces[seat] > 0
        and licence_price(game, market) <= cash
        and (market != NORI or NORI not in game.licences[seat])
    )


def can_sell(game: State, seat: int, market: int) -> bool:
    """On entry."""
    tokens = game.tokens[seat]
    if market == EEL:
        return tokens[T_EEL] > 0
    if market == FUGU:
        return tokens[T_FUGU] > 0
    if market == MACKEREL:
        barrels = [cell for cell in game.harbor[seat] if cell >> 7 == MACKEREL]
        return tokens[T_MACKEREL] + len(barrels) >= 2
    if market == OCTOPUS:
        return tokens[T_OCTOPUS] > 0 and game.stock[T_TAKOYAKI] >= 3
    if market == CRAB:
        return any([tokens[sort] for sort in CRABS])
    if market == SQUID:
        return tokens[T_SQUID] > 0
    if market == TUNA:
        return any([tokens[sort] for sort in TUNAS])
    if market == CLAMS:
        return tokens[T_CLAM] > 0 and tokens[T_OYSTER] > 0
    if market == SWORDFISH:
        return tokens[T_SWORDFISH] > 0
    return False


def interactions(game: State, market: int) -> list[int]:
    """During the visit. What was given back in it cannot be taken again (R-TTM-121)."""
    seat = game.active
    tokens = game.tokens[seat]
    options = []
    if not game.gave_back >> market & 1 and not (game.bought and market in ONE_LICENCE_A_VISIT):
        if can_buy_licence(game, seat, market, game.cash[seat]):
            options.append(LICENCE)
    if market == EEL:
        options += range(SELL_MANY + 1, SELL_MANY + tokens[T_EEL] + 1)
    elif market == FUGU:
        options += range(SELL_MANY + 1, SELL_MANY + tokens[T_FUGU] + 1)
    elif market == SWORDFISH:
        options += range(SELL_MANY + 1, SELL_MANY + tokens[T_SWORDFISH] + 1)
    elif market == MACKEREL:
        options += mackerel_pairs(game, seat)
    elif market == OCTOPUS:
        if can_sell(game, seat, market):
            options.append(GRILL)
    elif market in (CRAB, TUNA):
        options += [SELL_SORT + sort for sort in (CRABS if market == CRAB else TUNAS) if tokens[sort]]
    elif market in (SQUID, CLAMS):
        if can_sell(game, seat, market):
            options.append(SELL_ONE)
    elif market == SARDINES:
        if game.iwashi and game.cash[seat]:
            options.append(IWASHI)
    return options


def mackerel_pairs(game: State, seat: int) -> list[int]:
    """Any two Mackerel, tokens or Barrels of either row (R-TTM-49)."""
    pieces = [0] * game.tokens[seat][T_MACKEREL]
    pieces += [cell & PAIR_PIECE for cell in game.harbor[seat] if cell >> 7 == MACKEREL]
    kinds = list(dict.fromkeys(pieces))
    options = []
    for place, first in enumerate(kinds):
        if pieces.count(first) > 1:
            options.append(SELL_PAIR + (first << 7 | first))
        options += [SELL_PAIR + (first << 7 | second) for second in kinds[place + 1 :]]
    return options


def buy_licence(game: State, _: int) -> None:
    market = game.stack[-1][1]
    game.did_one = True
    game.bought += 1
    game.cash[game.active] -= licence_price(game, market)
    game.take_licence(game.active, market)


def sell_many(game: State, number: int) -> None:
    """One batch: Eel and Swordfish at the marker, which falls afterwards; Fugu at the square."""
    seat, market = game.active, game.stack[-1][1]
    game.did_one = True
    tokens = game.tokens[seat]
    if market == EEL:
        tokens[T_EEL] -= number
        game.stock[T_EEL] += number
        game.cash[seat] += number * game.eel
        game.eel = max(game.eel - 2 * number, 1)
    elif market == FUGU:
        tokens[T_FUGU] -= number
        game.stock[T_FUGU] += number
        game.cash[seat] += number * number
    else:
        tokens[T_SWORDFISH] -= number
        game.box_swordfish += number
        game.cash[seat] += number * game.swordfish + (0 if game.bonus_paid else 2)
        game.bonus_paid = True
        game.swordfish = max(game.swordfish - number, 1)


def sell_pair(game: State, argument: int) -> None:
    seat = game.active
    game.did_one = True
    game.cash[seat] += 1
    for piece in (argument >> 7, argument & PAIR_PIECE):
        if piece:
            game.harbor[seat] = without(game.harbor[seat], MACKEREL << 7 | piece)
            game.barrel_home(MACKEREL)
        else:
            game.tokens[seat][T_MACKEREL] -= 1
            game.stock[T_MACKEREL] += 1


def sell_one(game: State, _: int) -> None:
    seat, market = game.active, game.stack[-1][1]
    game.did_one = True
    tokens, stock = game.tokens[seat], game.stock
    if market == SQUID:
        tokens[T_SQUID] -= 1
        stock[T_SQUID] += 1
        game.cash[seat] += 6
    else:
        for sort in (T_CLAM, T_OYSTER):
            tokens[sort] -= 1
            stock[sort] += 1
        game.cash[seat] += 8


def sell_sort(game: State, sort: int) -> None:
    """A Spider Crab or a Tuna, back to the bag."""
    seat, market = game.active, game.stack[-1][1]
    game.did_one = True
    game.tokens[seat][sort] -= 1
    game.stock[sort] += 1
    game.cash[seat] += PRINTED[sort] + (4 if market == CRAB else 0)


def grill(game: State, _: int) -> None:
    """An Octopus for three Takoyaki, each for sale at a price."""
    game.did_one = True
    game.tokens[game.active][T_OCTOPUS] -= 1
    game.stock[T_OCTOPUS] += 1
    game.stack += [(ASK_PRICE, TAKOYAKI, 0)] * 3


def buy_iwashi(game: State, _: int) -> None:
    game.did_one = True
    game.cash[game.active] -= 1
    game.iwashi -= 1
    game.tokens[game.active][T_SARDINES] += 1
    game.check(SARDINES)


ANSWERS: dict[int, Callable[[State, int], None]] = {
    LICENCE: buy_licence,
    SELL_MANY: sell_many,
    SELL_PAIR: sell_pair,
    SELL_ONE: sell_one,
    SELL_SORT: sell_sort,
    GRILL: grill,
    IWASHI: buy_iwashi,
}
