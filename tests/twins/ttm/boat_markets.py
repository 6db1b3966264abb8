"""Ships, Used Ships and Ship Rental: boats bought, sold, traded in and rented (4.22, 4.24, 4.29)."""

from collections.abc import Callable

from .boats import distinct_boats
from .keys import BUY_BOAT, RENT_BOAT, SELL_BOAT, TRADE_IN
from .names import (
    ABROAD,
    AT_SHIPS,
    AT_USED,
    BLUE,
    IS_BARGE,
    NEW_PRICE,
    NEW_SALE,
    OLD_PRICE,
    OLD_SALE,
    SEA,
    SHIP_RENTAL,
    SHIPS,
    SLOTS,
    USED_SHIPS,
)  # fmt: skip
from .state import State, replaced

DOCK_OF = {SHIPS: AT_SHIPS, USED_SHIPS: AT_USED}
BUYING = {SHIPS: NEW_PRICE, USED_SHIPS: OLD_PRICE}
SELLING = {SHIPS: NEW_SALE, USED_SHIPS: OLD_SALE}


def stock(game: State, dock: int) -> list[int]:
    """The boats on a board, of each sort the lowest (R-TTM-114)."""
    return distinct_boats(game, [boat for boat, place in enumerate(game.place) if place == dock])


def own_in_port(game: State, seat: int) -> list[int]:
    """Boats that could be sold: in a port, not rented."""
    boats = [b for b in game.fleet[seat] if game.place[b] not in (SEA, ABROAD) and not game.rented[b]]
    return distinct_boats(game, boats)


def can_deal(game: State, board: int, cash: int) -> bool:
    """Is there any interaction? With a boat to sell there is."""
    place, rented = game.place, game.rented
    for boat in game.fleet[game.active]:
        if place[boat] < SEA and not rented[boat]:
            return True
    return bool(interactions(game, board, cash))


def interactions(game: State, board: int, cash: int) -> list[int]:
    """Ships and Used Ships."""
    seat = game.active
    prices, dock = BUYING[board], DOCK_OF[board]
    options = []
    mine = own_in_port(game, seat)
    for boat in stock(game, dock):
        if boat != BLUE and prices[boat] <= cash:
            buy = BUY_BOAT + (boat << 3)
            options += [buy + port for port in game.free_ports(seat, boat)]
    if game.place[BLUE] == dock and prices[BLUE] <= cash:
        for old in mine:
            if not IS_BARGE[old]:
                trade_in = TRADE_IN + (old << 3)
                options += [trade_in + port for port in game.free_ports(seat, BLUE, old)]
    options += [SELL_BOAT + boat for boat in mine]
    return options


def rentals(game: State, cash: int) -> list[int]:
    """Ship Rental lends what lies on Ships and Used Ships, but not the Blue Ship."""
    if not game.rentals_left:
        return []
    options = []
    for boat in sorted(stock(game, AT_SHIPS) + stock(game, AT_USED)):
        if boat != BLUE and SLOTS[boat] <= cash:
            rent = RENT_BOAT + (boat << 3)
            options += [rent + port for port in game.free_ports(game.active, boat)]
    return options


def buy_boat(game: State, argument: int) -> None:
    boat, port = argument >> 3, argument & 7
    board = game.stack[-1][1]
    game.did_one = True
    game.cash[game.active] -= BUYING[board][boat]
    game.gain_boat(game.active, boat, port)
    game.check_crash(board)


def trade_in(game: State, argument: int) -> None:
    """The old Ship goes to Used Ships if that board is in play (R-TTM-106: also in the last turns)."""
    old, port = argument >> 3, argument & 7
    board = game.stack[-1][1]
    game.did_one = True
    game.lose_boat(game.active, old, AT_USED if game.present >> USED_SHIPS & 1 else AT_SHIPS)
    game.cash[game.active] -= BUYING[board][BLUE]
    game.gain_boat(game.active, BLUE, port)
    game.check_crash(board)


def sell_boat(game: State, boat: int) -> None:
    board = game.stack[-1][1]
    game.did_one = True
    game.lose_boat(game.active, boat, DOCK_OF[board])
    game.cash[game.active] += SELLING[board][boat]


def rent_boat(game: State, argument: int) -> None:
    boat, port = argument >> 3, argument & 7
    game.did_one = True
    game.cash[game.active] -= SLOTS[boat]
    game.rented = replaced(game.rented, boat, game.place[boat])
    game.gain_boat(game.active, boat, port)
    game.rentals_left -= 1
    game.check_crash(SHIPS)
    game.check_crash(SHIP_RENTAL)


ANSWERS: dict[int, Callable[[State, int], None]] = {
    BUY_BOAT: buy_boat,
    TRADE_IN: trade_in,
    SELL_BOAT: sell_boat,
    RENT_BOAT: rent_boat,
}
