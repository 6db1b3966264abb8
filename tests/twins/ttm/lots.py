"""Lots of tokens, built sort by sort; only what can still become a legal lot is offered (R-TTM-113)."""

from collections.abc import Callable

from .auctions import BARTERING, HOUSE_AUCTION, open_bids
from .keys import LOT
from .names import AUCTION_FEES, SHAPE, SUSHI, SUSHI_PAYS, TRADES, TRADING
from .state import ASK_LOT, Frame, State, replaced
from .worth import lot_worth, resources

FOR_AUCTION, FOR_BARTER, FOR_TRADE, FOR_SUSHI = range(4)
ANY_WORTH = 9999


def start_lot(game: State, purpose: int, space: int = 0) -> None:
    game.lot = ()
    game.stack.append((ASK_LOT, purpose, space))


def fee(worth: int) -> int:
    """What the Auction costs, by the highest band reached; 0 below all bands."""
    for least, amount in AUCTION_FEES:
        if worth >= least:
            return amount
    return 0


def highest_worth(cash: int) -> int:
    """The most a lot at the Auction may be worth, for its fee to be payable."""
    return ANY_WORTH if cash >= 5 else 9 if cash >= 3 else 4 if cash >= 2 else 0


def can_auction(game: State, seat: int) -> bool:
    top = highest_worth(game.cash[seat])
    if top == ANY_WORTH:
        return resources(game, seat) >= 2
    return top > 0 and reachable(game, seat, 0, top) >> 2 > 0


def reachable(game: State, seat: int, first: int, top: int) -> int:
    """The worths up to `top` that lots of the sorts from `first` on can have, as a set of bits."""
    sums, mask = 1, (1 << top + 1) - 1
    tokens = game.tokens[seat]
    for sort in range(first, 22):
        if tokens[sort]:
            more = sums
            for number in range(1, tokens[sort] + 1):
                more |= sums << min(lot_worth(game, seat, sort, number), top + 1)
            sums = more & mask
    return sums


def lot_options(game: State, frame: Frame) -> list[int] | None:
    seat = game.active
    tokens = game.tokens[seat]
    sort = len(game.lot)
    while sort < 22 and not tokens[sort]:
        sort += 1
    game.lot += (0,) * (sort - len(game.lot))
    if sort == 22:
        game.stack.pop()
        COMPLETE[frame[1]](game, frame[2])
        return None
    numbers = FITTING[frame[1]](game, frame[2], sort)
    return [LOT + (sort << 6 | number) for number in numbers]


def lot_chosen(game: State, argument: int) -> None:
    game.lot += (argument & 63,)


def worth_so_far(game: State) -> int:
    return sum([lot_worth(game, game.active, sort, number) for sort, number in enumerate(game.lot) if number])


def highest_rest(game: State, first: int) -> int:
    seat = game.active
    return sum([lot_worth(game, seat, sort, game.tokens[seat][sort]) for sort in range(first, 22)])


# --------------------------------------------------------------------- how many of a sort may still be added


def for_auction(game: State, _: int, sort: int) -> list[int]:
    seat = game.active
    top = highest_worth(game.cash[seat])
    so_far = worth_so_far(game)
    numbers = range(game.tokens[seat][sort] + 1)
    if top == ANY_WORTH:
        rest = highest_rest(game, sort + 1)
        return [n for n in numbers if so_far + lot_worth(game, seat, sort, n) + rest >= 2]
    sums = reachable(game, seat, sort + 1, top)
    fitting = []
    for number in numbers:
        worth = so_far + lot_worth(game, seat, sort, number)
        if worth <= top and (sums << worth & (1 << top + 1) - 1) >> 2:
            fitting.append(number)
    return fitting


def for_barter(game: State, _: int, sort: int) -> list[int]:
    tokens = game.tokens[game.active]
    first = 0 if any(game.lot) or any(tokens[sort + 1 :]) else 1
    return list(range(first, tokens[sort] + 1))


def for_trade(game: State, space: int, sort: int) -> list[int]:
    seat = game.active
    needed = TRADES[space][0] - worth_so_far(game) - highest_rest(game, sort + 1)
    return [n for n in range(game.tokens[seat][sort] + 1) if lot_worth(game, seat, sort, n) >= needed]


def for_sushi(game: State, space: int, sort: int) -> list[int]:
    """Exactly as many as the space takes, all of different shapes."""
    tokens = game.tokens[game.active]
    on_plate = {SHAPE[s] for s, number in enumerate(game.lot) if number}
    missing = space + 1 - len(on_plate)
    later = {SHAPE[s] for s in range(sort + 1, 22) if tokens[s]} - on_plate
    fitting = [0] if len(later) >= missing else []
    if missing and SHAPE[sort] not in on_plate and len(later - {SHAPE[sort]}) >= missing - 1:
        fitting.append(1)
    return fitting


FITTING: tuple[Callable[[State, int, int], list[int]], ...] = (for_auction, for_barter, for_trade, for_sushi)


# ------------------------------------------------------------------------- the lot is complete


def auction(game: State, _: int) -> None:
    game.cash[game.active] -= fee(worth_so_far(game))
    open_bids(game, HOUSE_AUCTION)


def barter(game: State, _: int) -> None:
    open_bids(game, BARTERING)


def trade(game: State, space: int) -> None:
    """Into an empty space for its yen, or against all that lies there (R-TTM-82)."""
    tokens = game.tokens[game.active]
    lying = game.trades[space]
    if not lying:
        game.cash[game.active] += TRADES[space][1]
    put_away(game)
    for sort, number in enumerate(lying):
        tokens[sort] += number
    game.trades = replaced(game.trades, space, game.lot)
    game.lot = ()
    game.check_crash(TRADING)


def serve(game: State, space: int) -> None:
    put_away(game)
    game.cash[game.active] += SUSHI_PAYS[space]
    game.plates = replaced(game.plates, space, game.lot)
    game.lot = ()
    game.check_crash(SUSHI)


def put_away(game: State) -> None:
    tokens = game.tokens[game.active]
    for sort, number in enumerate(game.lot):
        tokens[sort] -= number


COMPLETE: tuple[Callable[[State, int], None], ...] = (auction, barter, trade, serve)
ANSWERS: dict[int, Callable[[State, int], None]] = {LOT: lot_chosen}
