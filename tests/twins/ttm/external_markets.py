"""What can be done at the External Markets without boats (4.16 to 4.30)."""

from collections.abc import Callable

from .keys import (
    BORROW,
    EXPAND_EXTERNAL,
    EXPAND_FISH,
    FILL_TANK,
    GIVE_200,
    GIVE_300,
    HIRE,
    HOLD,
    INVEST,
    OFFER,
    RENT_CART,
    RENT_FREEZER,
    SERVE,
    SWAP,
    TRADE,
)  # fmt: skip
from .lots import FOR_AUCTION, FOR_BARTER, FOR_SUSHI, FOR_TRADE, can_auction, start_lot
from .names import (
    AQUARIUM,
    AUCTION,
    BANK,
    BARTER,
    GIFTS_200,
    GIFTS_300,
    GOVERNMENT,
    INFLUENCE,
    NEW_AQUARIUM,
    RENTALS,
    SHAPE,
    SUSHI,
    TANK_OF,
    TANKS,
    TRADES,
    TRADING,
)  # fmt: skip
from .state import State, added, with_one
from .worth import resources


def interactions(game: State, board: int, cash: int) -> list[int]:
    """With this much money; during a visit that is the cash."""
    return INTERACTIONS[board](game, board, game.active, cash)


# ------------------------------------------------------------------------------------------- Aquariums


def for_aquarium(game: State, board: int, seat: int, cash: int) -> list[int]:
    tank_of = TANK_OF[board]
    return [
        FILL_TANK + sort
        for sort, number in enumerate(game.tokens[seat])
        if number and sort in tank_of and tank_takes(game, board, sort)
    ]


def tank_takes(game: State, board: int, sort: int) -> bool:
    """Room for one more; Clams and Oysters share a tank, any two of them (R-TTM-124)."""
    fish = game.tanks[board == NEW_AQUARIUM]
    sorts, _, room = TANKS[board][TANK_OF[board][sort]]
    return sum([fish[s] for s in sorts]) < room


def fill_tank(game: State, sort: int) -> None:
    board = game.stack[-1][1]
    which = int(board == NEW_AQUARIUM)
    game.did_one = True
    game.tokens[game.active][sort] -= 1
    fish = added(game.tanks[which], sort)
    game.tanks = (game.tanks[0], fish) if which else (fish, game.tanks[1])
    game.cash[game.active] += TANKS[board][TANK_OF[board][sort]][1]
    game.check_crash(board)


# ------------------------------------------------------------------------------------------- Auction, Barter


def for_auction(game: State, board: int, seat: int, cash: int) -> list[int]:
    return [HOLD] if not game.did_one and can_auction(game, seat) else []


def hold(game: State, _: int) -> None:
    game.did_one = True
    start_lot(game, FOR_AUCTION)


def for_barter(game: State, board: int, seat: int, cash: int) -> list[int]:
    return [OFFER] if not game.did_one and any(game.tokens[seat]) else []


def offer(game: State, _: int) -> None:
    game.did_one = True
    start_lot(game, FOR_BARTER)


# ------------------------------------------------------------------------------------------- Bank


def for_bank(game: State, board: int, seat: int, cash: int) -> list[int]:
    """Who has ever taken one kind can never take the other."""
    options = [BORROW] if game.loans_left and not game.shares[seat] else []
    if game.shares_left and not game.loans[seat] and cash >= 3:
        options.append(INVEST)
    return options


def borrow(game: State, _: int) -> None:
    game.did_one = True
    game.loans_left -= 1
    game.loans[game.active] += 1
    game.cash[game.active] += 5
    game.check_crash(BANK)


def invest(game: State, _: int) -> None:
    game.did_one = True
    game.shares_left -= 1
    game.shares[game.active] += 1
    game.cash[game.active] -= 3
    game.check_crash(BANK)


# ------------------------------------------------------------------------------------------- Government


def for_government(game: State, board: int, seat: int, cash: int) -> list[int]:
    owned = [sort for sort, number in enumerate(game.tokens[seat]) if number]
    options = []
    if owned:
        if sum(game.gifts[0]) < GIFTS_300:
            options += [GIVE_300 + sort for sort in owned]
        if sum(game.gifts[1]) < GIFTS_200:
            options += [GIVE_200 + sort for sort in owned]
    return options


def give_300(game: State, sort: int) -> None:
    game.gifts = (added(game.gifts[0], sort), game.gifts[1])
    given(game, sort, 3)


def give_200(game: State, sort: int) -> None:
    game.gifts = (game.gifts[0], added(game.gifts[1], sort))
    given(game, sort, 2)


def given(game: State, sort: int, amount: int) -> None:
    game.did_one = True
    game.tokens[game.active][sort] -= 1
    game.cash[game.active] += amount
    game.check_crash(GOVERNMENT)


# ------------------------------------------------------------------------------------------- Rentals


def for_rentals(game: State, board: int, seat: int, cash: int) -> list[int]:
    options = []
    if game.free_spaces[seat] and cash >= 2:
        if game.freezers_left:
            options.append(RENT_FREEZER)
        if game.carts_left:
            options.append(RENT_CART)
    return options


def rent_freezer(game: State, _: int) -> None:
    game.freezers_left -= 1
    game.freezers[game.active] = with_one(game.freezers[game.active], 2)
    rented(game)


def rent_cart(game: State, _: int) -> None:
    game.carts_left -= 1
    game.carts[game.active] = with_one(game.carts[game.active], 2)
    rented(game)


def rented(game: State) -> None:
    game.did_one = True
    game.cash[game.active] -= 2
    game.free_spaces[game.active] -= 1
    game.check_crash(RENTALS)


# --------------------------------------------------------------------------------------- Trading, Sushi Shop


def for_trading(game: State, board: int, seat: int, cash: int) -> list[int]:
    """Each space at most once a visit (R-TTM-121)."""
    worth = resources(game, seat)
    return [
        (SWAP if game.trades[space] else TRADE) + space
        for space, (least, _) in enumerate(TRADES)
        if worth >= least and not game.traded >> space & 1
    ]


def trade(game: State, space: int) -> None:
    game.did_one = True
    game.traded |= 1 << space
    start_lot(game, FOR_TRADE, space)


def for_sushi(game: State, board: int, seat: int, cash: int) -> list[int]:
    shapes = {SHAPE[sort] for sort, number in enumerate(game.tokens[seat]) if number}
    return [SERVE + space for space, plate in enumerate(game.plates) if not plate and space < len(shapes)]


def serve(game: State, space: int) -> None:
    game.did_one = True
    start_lot(game, FOR_SUSHI, space)


# ------------------------------------------------------------------------------------------- Influence


def for_influence(game: State, board: int, seat: int, cash: int) -> list[int]:
    if cash < 2:
        return []
    options = [HIRE] if game.buyers_left and game.free_spaces[seat] else []
    if game.expansions_left:
        if game.box_fish:
            options.append(EXPAND_FISH)
        if game.box_external:
            options.append(EXPAND_EXTERNAL)
    return options


def hire(game: State, _: int) -> None:
    game.did_one = True
    game.cash[game.active] -= 2
    game.buyers_left -= 1
    game.buyers[game.active] += 1
    game.free_spaces[game.active] -= 1
    game.check_crash(INFLUENCE)


def expand_fish(game: State, _: int) -> None:
    expand(game)
    game.draw_fish_market()


def expand_external(game: State, _: int) -> None:
    expand(game)
    game.draw_external_market()


def expand(game: State) -> None:
    """The token goes to the box first, which may crash the board."""
    game.did_one = True
    game.cash[game.active] -= 2
    game.expansions_left -= 1
    game.check_crash(INFLUENCE)


INTERACTIONS: dict[int, Callable[[State, int, int, int], list[int]]] = {
    AQUARIUM: for_aquarium,
    NEW_AQUARIUM: for_aquarium,
    AUCTION: for_auction,
    BARTER: for_barter,
    BANK: for_bank,
    GOVERNMENT: for_government,
    RENTALS: for_rentals,
    TRADING: for_trading,
    SUSHI: for_sushi,
    INFLUENCE: for_influence,
}

ANSWERS: dict[int, Callable[[State, int], None]] = {
    FILL_TANK: fill_tank,
    HOLD: hold,
    OFFER: offer,
    BORROW: borrow,
    INVEST: invest,
    GIVE_300: give_300,
    GIVE_200: give_200,
    RENT_FREEZER: rent_freezer,
    RENT_CART: rent_cart,
    TRADE: trade,
    SWAP: trade,
    SERVE: serve,
    HIRE: hire,
    EXPAND_FISH: expand_fish,
    EXPAND_EXTERNAL: expand_external,
}
