"""The free actions of one's own turn, which stand in every menu of it (R-TTM-96 to 98)."""

from collections.abc import Callable

from .boats import at_sea, distinct_barrels, distinct_boats, distinct_racks, has_room, racks, roomy_racks
from .keys import BUYER, CART, OPEN_PORT, RACK, RETURN, SALT_BARREL, SALT_TOKEN, TRANSFER
from .names import (
    BARREL_ITEM,
    FIRST_BARGE,
    HIMONO,
    IS_BARGE,
    PORT_PRICE,
    RENTALS,
    SARDINES,
    SMALL_FISH,
    TOKEN_OF,
)
from .state import ASK_RACK, Frame, State, replaced, with_one, without

# Why a Himono licence is chosen: for a token, a piece of the harbor, a Barrel being unloaded.
TOKEN, PIECE, LANDED = range(3)


def add_free_actions(game: State, options: list[int]) -> None:
    seat = game.active
    if game.ports[seat] < 3 and game.cash[seat] >= PORT_PRICE:
        options.append(OPEN_PORT)
    before = -1
    dries = False
    for market in game.licences[seat]:
        if market != before:
            before = market
            if market != HIMONO:
                options.append(RETURN + market)
            else:
                dries = True
                options += [RETURN + 14 + rack for rack in distinct_racks(game, seat, racks(game, seat))]
    fleet = game.fleet[seat]
    if fleet and fleet[-1] >= FIRST_BARGE:
        _add_transfers(game, options)
    if dries and roomy_racks(game, seat):
        tokens = game.tokens[seat]
        options += [SALT_TOKEN + market for market in SMALL_FISH if tokens[TOKEN_OF[market]]]
        options += [
            SALT_BARREL + cell for cell in dict.fromkeys(game.harbor[seat]) if cell >> 7 in SMALL_FISH
        ]
    if game.carts[seat]:
        options += [CART + uses for uses in sorted(set(game.carts[seat]))]
    if game.buyers[seat]:
        options += [BUYER + other for other in range(1, game.seats + 1) if other != seat]


def _add_transfers(game: State, options: list[int]) -> None:
    """From Ships at sea, not rented ones, to Barges at sea (R-TTM-55, R-TTM-107)."""
    boats = distinct_boats(game, at_sea(game, game.active))
    barges = [boat for boat in boats if IS_BARGE[boat]]
    if not barges:
        return
    ships = [boat for boat in boats if not IS_BARGE[boat] and not game.rented[boat]]
    holds = {ship: distinct_barrels(game, ship) for ship in ships}
    for barrel in sorted({barrel for hold in holds.values() for barrel in hold}):
        for ship in ships:
            if barrel in holds[ship]:
                for barge in barges:
                    if has_room(game, barge, barrel >> 3):
                        options.append(TRANSFER + (barrel << 10 | ship << 5 | barge))


def open_port(game: State, _: int) -> None:
    game.cash[game.active] -= PORT_PRICE
    game.ports[game.active] += 1


def return_licence(game: State, licence: int) -> None:
    if licence < 15:
        game.give_back_licence(game.active, licence)
    else:
        game.give_back_rack(game.active, licence - 14)


def transfer(game: State, argument: int) -> None:
    barrel, ship, barge = argument >> 10, argument >> 5 & 31, argument & 31
    game.hold[ship] = without(game.hold[ship], barrel)
    game.hold[barge] = with_one(game.hold[barge], barrel)


def use_cart(game: State, uses: int) -> None:
    seat = game.active
    game.carts[seat] = without(game.carts[seat], uses)
    game.cart_ap += 1
    if uses > 1:
        game.carts[seat] = with_one(game.carts[seat], uses - 1)
    else:
        game.free_spaces[seat] += 1
        if not game.closed >> RENTALS & 1:
            game.carts_left += 1


def send_buyer(game: State, seat: int) -> None:
    game.buyers[game.active] -= 1
    game.free_spaces[game.active] += 1
    game.callers[seat] += (game.active,)


# -------------------------------------------------------------------------- laying things on Himono licences


def salt_token(game: State, market: int) -> None:
    choose_rack(game, TOKEN, market)


def salt_barrel(game: State, cell: int) -> None:
    choose_rack(game, PIECE, cell)


def choose_rack(game: State, kind: int, what: int, boat: int = 0) -> None:
    """Asks only if licences with room differ; without any, a Barrel being unloaded goes home (4.11)."""
    room = roomy_racks(game, game.active)
    if len(room) > 1:
        game.stack.append((ASK_RACK, kind, what, boat))
    else:
        lay(game, room[0] if room else 0, kind, what, boat)


def rack_options(game: State, frame: Frame) -> list[int]:
    return [RACK + rack for rack in roomy_racks(game, game.active)]


def rack_chosen(game: State, rack: int) -> None:
    _, kind, what, boat = game.stack.pop()
    lay(game, rack, kind, what, boat)


def lay(game: State, rack: int, kind: int, what: int, boat: int) -> None:
    seat = game.active
    if kind == TOKEN:
        game.tokens[seat][TOKEN_OF[what]] -= 1
        item = what << 1
    elif kind == PIECE:
        game.harbor[seat] = without(game.harbor[seat], what)
        if what in game.repriced:  # that one goes first (R-TTM-122)
            game.repriced = without(game.repriced, what)
        item = what >> 7 << 1 | BARREL_ITEM
    else:
        game.hold[boat] = without(game.hold[boat], what)
        market = what >> 3
        item = market << 1 | BARREL_ITEM
        if not rack:
            game.barrel_home(market)
    if rack:
        game.rack = replaced(game.rack, rack, with_one(game.rack[rack], item))
    if kind == LANDED and item >> 1 == SARDINES:
        sardines_bonus(game, seat)


def sardines_bonus(game: State, seat: int) -> None:
    """Each Barrel unloaded brings a token for its owner and one for the Iwashi area, if there are any."""
    stock = game.stock
    sort = TOKEN_OF[SARDINES]
    if stock[sort]:
        stock[sort] -= 1
        game.tokens[seat][sort] += 1
        game.check(SARDINES)
    if stock[sort]:
        stock[sort] -= 1
        game.iwashi += 1


Answer = Callable[[State, int], None]
ANSWERS: dict[int, Answer] = {
    OPEN_PORT: open_port,
    RETURN: return_licence,
    TRANSFER: transfer,
    SALT_TOKEN: salt_token,
    SALT_BARREL: salt_barrel,
    CART: use_cart,
    BUYER: send_buyer,
    RACK: rack_chosen,
}
