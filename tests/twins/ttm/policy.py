"""Somebody to play with: fishes, docks, prices low, buys what pays, sells what can be sold, may err.

`sensible(game, random)` is the place of the answer in `game.legal()`. Most base games end by themselves.
Worths are in ¥100, as everything in the twin; one AP is thought to be worth `AP_WORTH` of them.
"""

from collections.abc import Callable

from .keys import (
    ACCEPT,
    ADD,
    AGAIN,
    ARGUMENT,
    BID,
    BORROW,
    BUY,
    BUY_BOAT,
    BUY_OWN,
    BUYER,
    CART,
    CATCH,
    DECLINE,
    DOCK,
    END,
    ENOUGH,
    EXPAND_EXTERNAL,
    EXPAND_FISH,
    FILL_TANK,
    FISH,
    FISHING_DONE,
    FREEZER,
    GIVE_200,
    GIVE_300,
    GO,
    GO_ABROAD,
    GO_ON,
    GRILL,
    HIRE,
    HOLD,
    INVEST,
    IWASHI,
    LICENCE,
    LOT,
    OFFER,
    OPEN_PORT,
    PAY_AP,
    PRICE,
    RENT_BOAT,
    RENT_CART,
    RENT_FREEZER,
    REPRICE,
    RETURN,
    SALT_BARREL,
    SELL_BOAT,
    SELL_MANY,
    SELL_ONE,
    SELL_PAIR,
    SELL_SORT,
    SERVE,
    SHIFT,
    SHOP,
    SHOP_DONE,
    SWAP,
    TAKE,
    THROW_BACK,
    TRADE,
    TRADE_IN,
    TRANSFER,
    UNDOCK,
    VISIT,
    VISIT_DONE,
)  # fmt: skip
from .lots import FOR_AUCTION, FOR_SUSHI
from .names import (
    BARTER,
    CLAMS,
    CRAB,
    FUGU,
    HIGHEST_PRICE,
    IS_BARGE,
    MARKET_OF,
    PER_AUCTION,
    PIECE_PRICE,
    PRINTED,
    SALMON,
    SLOTS,
    SUSHI_PAYS,
    SWORDFISH,
    T_CLAM,
    T_FUGU,
    T_OCTOPUS,
    T_OYSTER,
    T_SALMON,
    T_SQUID,
    T_TAKOYAKI,
    TAKOYAKI,
    TANK_OF,
    TANKS,
    TOKEN_OF,
    TRADES,
    TUNA,
)  # fmt: skip
from .shopping import offers
from .state import State
from .visits import ways_to_pay
from .worth import lot_worth, resources, unit_worth

AP_WORTH = 1.2
RESERVE = 3  # money kept for entries and prices

Random = Callable[[], float]
Judge = Callable[[State, int], float]
NEVER = -99.0


def sensible(game: State, random: Random, error: float = 0.0) -> int:
    """The best-looking answer; with chance `error` any answer of any verb."""
    options = game.now
    if len(options) == 1:
        return 0
    if error and random() < error:
        return careless(options, random)
    best, place = -1e9, 0
    judged: dict[int, Judge] = JUDGES
    for number, code in enumerate(options):
        verb = code >> SHIFT
        worth = judged[verb](game, code & ARGUMENT) if verb in judged else NEVER
        if worth > NEVER:
            worth += random() * 0.5
        if worth > best:
            best, place = worth, number
    return place


def careless(options: list[int], random: Random) -> int:
    """A verb at random, seldom a destructive one; then one of its answers."""
    by_verb: dict[int, list[int]] = {}
    for number, code in enumerate(options):
        by_verb.setdefault(code >> SHIFT, []).append(number)
    groups = list(by_verb.items())
    verb, group = groups[int(random() * len(groups))]
    if verb in DESTRUCTIVE and random() < 0.8:
        verb, group = groups[int(random() * len(groups))]
    return group[int(random() * len(group))]


DESTRUCTIVE = {verb >> SHIFT for verb in (RETURN, SELL_BOAT, THROW_BACK)}


# --------------------------------------------------------------------------------- what things are worth


def token_worth(game: State, seat: int, sort: int) -> float:
    """To own one more; what can be sold well counts as what it brings."""
    if sort == T_FUGU:
        return 2 * game.tokens[seat][T_FUGU] + 1
    if sort == T_SQUID:
        return 5
    if sort == T_OCTOPUS:
        return 5
    if sort == T_SALMON:
        return max(unit_worth(game, seat, sort) + 2, 4)
    if sort in (T_CLAM, T_OYSTER):
        return 3
    return unit_worth(game, seat, sort) + (4 if MARKET_OF[sort] == CRAB else 0)


def piece_worth(game: State, seat: int, cell: int) -> float:
    kind = cell >> 7
    return token_worth(game, seat, T_TAKOYAKI if kind == TAKOYAKI else TOKEN_OF[kind])


def catch_worth(game: State, seat: int, market: int) -> float:
    """What a Barrel brings: some of its token's worth, a share of an auction, or a bonus."""
    if market in PER_AUCTION:
        return {CRAB: 4.0, TUNA: 5.0, SWORDFISH: 3.0}[market]
    return max(1.0, token_worth(game, seat, TOKEN_OF[market]) * 0.7)


def loss(game: State, seat: int, sort: int) -> float:
    """What giving one away costs in R."""
    if sort == T_FUGU:
        return 2 * game.tokens[seat][T_FUGU] - 1
    return unit_worth(game, seat, sort)


def cash_after(game: State, seat: int, price: float) -> float:
    return game.cash[seat] - price


# ------------------------------------------------------------------------------------------- turn


def judge_fish(game: State, _: int) -> float:
    """Better with more boats that have something to do."""
    seat = game.active
    live = [market for market in game.licences[seat] if game.barrels[market]]
    loaded = [boat for boat in game.fleet[seat] if game.hold[boat]]
    return 0.4 + 0.9 * min(len(game.fleet[seat]), max(len(live), len(loaded)))


def judge_shop(game: State, _: int) -> float:
    gains = [judge_buy(game, code & ARGUMENT, game.active) for code in offers(game, game.active)]
    return sum([gain for gain in gains if gain > 0])


def judge_visit(game: State, board: int) -> float:
    """The best that can be done there, as if already inside."""
    seat = game.active
    tokens = game.tokens[seat]
    free = PAY_AP not in ways_to_pay(game, board) or board in (SALMON,)
    cost = 0.5 if free else AP_WORTH
    if board < 15:
        worth = judge_licence_of(game, board)
        if board == CRAB:
            worth += 4 * sum([tokens[sort] for sort in PRINTED if PRINTED[sort] < 10])
        elif board == MARKET_OF[T_SQUID]:
            worth += 6 * tokens[T_SQUID]
        elif board == MARKET_OF[T_OCTOPUS]:
            worth += 6 * tokens[T_OCTOPUS] if game.stock[T_TAKOYAKI] >= 3 else 0
        elif board == CLAMS:
            worth += 4 * min(tokens[T_CLAM], tokens[T_OYSTER])
        elif board == SWORDFISH and tokens[-1]:
            worth += 1.5
    else:
        worth = EXTERNAL_WORTH.get(board, judge_nothing)(game, board)
    return worth - cost


def judge_nothing(game: State, _: int) -> float:
    return 0.0


def useful_licences(game: State, seat: int) -> int:
    slots = sum([SLOTS[boat] for boat in game.fleet[seat] if not IS_BARGE[boat]])
    return min(4, 2 + slots // 3)


def judge_licence_of(game: State, market: int) -> float:
    seat = game.active
    held = game.licences[seat]
    if not game.free_spaces[seat] or not game.licences_left[market] or not game.barrels[market]:
        return 0.0
    live = [other for other in held if game.barrels[other]]
    if len(live) >= useful_licences(game, seat) or held.count(market) >= 2:
        return 0.0
    slots = max([SLOTS[boat] for boat in game.fleet[seat]], default=0)
    if market in PER_AUCTION and slots < PER_AUCTION[market]:
        return 0.0
    price = {CRAB: 8, TUNA: 10}.get(market, 4)
    return 2.5 * catch_worth(game, seat, market) - 0.5 * price if cash_after(game, seat, price) >= 0 else 0.0


def judge_aquarium(game: State, board: int) -> float:
    worths = [judge_tank_of(game, board, sort) for sort in TANK_OF[board] if game.tokens[game.active][sort]]
    return max(worths, default=0.0)


def judge_tank_of(game: State, board: int, sort: int) -> float:
    return TANKS[board][TANK_OF[board][sort]][1] - loss(game, game.active, sort) - 0.5


def judge_ships(game: State, board: int) -> float:
    seat = game.active
    ships = [boat for boat in game.fleet[seat] if not IS_BARGE[boat]]
    return 4.0 if len(ships) < 3 and game.cash[seat] >= 10 + RESERVE else 0.0


def judge_trading(game: State, board: int) -> float:
    worth = resources(game, game.active)
    gains = [
        pays - least - 1 for (least, pays), heap in zip(TRADES, game.trades) if not heap and worth >= least
    ]
    return max(gains, default=0.0)


def judge_sushi(game: State, board: int) -> float:
    kinds = sum([1 for number in game.tokens[game.active] if number])
    return max([SUSHI_PAYS[n] - 2 * n - 2 for n in range(5) if not game.plates[n] and n < kinds], default=0.0)


def judge_government(game: State, board: int) -> float:
    worths = [
        3 - loss(game, game.active, sort) for sort, number in enumerate(game.tokens[game.active]) if number
    ]
    return max(worths, default=0.0)


EXTERNAL_WORTH: dict[int, Judge] = {
    15: judge_aquarium,
    16: lambda game, _: 2.5,
    17: lambda game, _: 1.0 if game.shares_left and game.cash[game.active] > 10 else 0.0,
    BARTER: lambda game, _: 0.0,
    19: judge_government,
    20: lambda game, _: 0.6 if game.cash[game.active] > 12 and game.free_spaces[game.active] > 1 else 0.0,
    21: judge_ships,
    22: judge_trading,
    23: judge_ships,
    25: lambda game, _: 0.7 if game.cash[game.active] > 15 else 0.0,
    26: judge_aquarium,
    28: judge_nothing,
    29: judge_sushi,
}


def judge_end(game: State, _: int) -> float:
    return 0.0


def judge_open_port(game: State, _: int) -> float:
    seat = game.active
    wanted = min(3, len(game.fleet[seat]) + 1)
    return 1.0 if game.ports[seat] < wanted and game.cash[seat] >= 12 else -1.0


def judge_freezer(game: State, _: int) -> float:
    return 1.0 if sum([1 for cell in game.harbor[game.active] if cell & 64]) >= 2 else -1.0


def judge_buy_own(game: State, price: int) -> float:
    return 2 * game.tokens[game.active][T_FUGU] + 1 - price


# ------------------------------------------------------------------------------------------- fishing


def judge_catch(game: State, argument: int) -> float:
    boat, market = argument >> 4, argument & 15
    seat = game.active
    if market in PER_AUCTION and SLOTS[boat] < PER_AUCTION[market]:
        return -1.0
    return 5.0 + catch_worth(game, seat, market)


def judge_dock(game: State, argument: int) -> float:
    """When full, or nothing more is to be caught."""
    boat = argument >> 3
    hold = game.hold[boat]
    if not hold:
        return -1.0
    market = hold[0] >> 3
    if len(hold) == SLOTS[boat] or market == SALMON or not game.barrels[market]:
        return 4.0
    if market in game.licences[game.active] or hold[0] & 7:
        return -1.0
    return 4.0


def judge_abroad(game: State, _: int) -> float:
    full = [b for b in game.fleet[game.active] if len(game.hold[b]) == SLOTS[b] and game.place[b] == 6]
    return 2.0 if full else NEVER + 1


def judge_reprice(game: State, argument: int) -> float:
    """Cheaper, when it would be thrown away next turn."""
    cell, new = argument >> 6, argument & PIECE_PRICE
    if not cell & 64:
        return -1.0
    good = max(1, int(piece_worth(game, game.active, cell) * 0.5))
    return 1.0 if new == good and cell & PIECE_PRICE > good else -1.0


def judge_price(game: State, price: int) -> float:
    kind = game.stack[-1][1]
    good = max(1, int(piece_worth(game, game.active, kind << 7) * 0.75))
    return -abs(price - min(good, HIGHEST_PRICE)) * 1.0


# ------------------------------------------------------------------------------------------- markets


def judge_buy(game: State, argument: int, seat: int = 0) -> float:
    seat = seat or game.shopping
    price = argument & PIECE_PRICE
    return piece_worth(game, seat, argument & 2047) - price + 0.6


def judge_bid(game: State, amount: int) -> float:
    """About two thirds of what it is worth."""
    seat = game.seat
    purpose = game.stack[-1][1]
    if game.prize >= 0:
        worth = token_worth(game, seat, game.prize)
    elif purpose == 1:
        worth = 1.5 * sum([len(game.hold[boat]) for boat in game.group]) + sum(game.lot)
    else:
        worth = sum([n * token_worth(game, seat, sort) for sort, n in enumerate(game.lot) if sort != T_FUGU])
    return -abs(amount - worth * 0.65)


def judge_accept(game: State, seat: int) -> float:
    worth = sum([lot_worth(game, game.active, sort, number) for sort, number in enumerate(game.lot)])
    return game.bids[seat] - worth


def judge_lot(game: State, argument: int) -> float:
    """As little as possible, but the whole of what is cheap."""
    sort, number = argument >> 6, argument & 63
    if game.stack[-1][1] == FOR_SUSHI:
        return number * (3 - loss(game, game.active, sort))
    worth = lot_worth(game, game.active, sort, number)
    if game.stack[-1][1] == FOR_AUCTION:
        return -abs(worth - 5)
    return -float(worth) - 0.1 * number


def judge_sell_many(game: State, number: int) -> float:
    if game.stack[-1][1] == FUGU:
        return -1.0
    return 0.6 if number == 1 else -0.5


def judge_sell_sort(game: State, sort: int) -> float:
    return 4.0 if MARKET_OF[sort] == CRAB else -0.5


def judge_buy_boat(game: State, argument: int) -> float:
    boat = argument >> 3
    seat = game.active
    if game.cash[seat] < 5 * SLOTS[boat] + RESERVE:
        return -1.0
    ships = [b for b in game.fleet[seat] if not IS_BARGE[b]]
    return float(SLOTS[boat]) if not IS_BARGE[boat] and len(ships) < 3 else -1.0


def judge_return(game: State, licence: int) -> float:
    """Away with what catches nothing any more."""
    return 1.0 if licence < 15 and not game.barrels[licence] else -1.0


JUDGES: dict[int, Judge] = {
    verb >> SHIFT: judge
    for verb, judge in {
        FREEZER: judge_freezer,
        BUY_OWN: judge_buy_own,
        GO_ON: judge_nothing,
        FISH: judge_fish,
        SHOP: judge_shop,
        VISIT: judge_visit,
        END: judge_end,
        OPEN_PORT: judge_open_port,
        RETURN: judge_return,
        CART: lambda game, _: -0.1,
        BUYER: lambda game, _: 0.2,
        SALT_BARREL: lambda game, cell: 0.2 if cell & 64 else -1.0,
        TRANSFER: lambda game, _: 0.4,
        UNDOCK: lambda game, _: 3.0,
        CATCH: judge_catch,
        DOCK: judge_dock,
        GO_ABROAD: judge_abroad,
        REPRICE: judge_reprice,
        FISHING_DONE: judge_nothing,
        TAKE: lambda game, number: float(number),
        AGAIN: lambda game, market: 1.0,
        ENOUGH: judge_nothing,
        ADD: lambda game, boat: float(len(game.hold[boat])),
        GO: lambda game, _: 0.6,
        PRICE: judge_price,
        BUY: judge_buy,
        SHOP_DONE: judge_nothing,
        BID: judge_bid,
        ACCEPT: judge_accept,
        DECLINE: judge_nothing,
        LOT: judge_lot,
        LICENCE: lambda game, _: judge_licence_of(game, game.stack[-1][1]) - 0.5,
        SELL_MANY: judge_sell_many,
        SELL_ONE: lambda game, _: 4.0,
        SELL_SORT: judge_sell_sort,
        SELL_PAIR: lambda game, argument: -0.5 if argument >> 7 == 0 else 0.4,
        GRILL: lambda game, _: 3.0,
        IWASHI: lambda game, _: 0.2,
        FILL_TANK: lambda game, sort: judge_tank_of(game, game.stack[-1][1], sort),
        HOLD: lambda game, _: 0.0,
        OFFER: lambda game, _: 0.0,
        BORROW: lambda game, _: -5.0,
        INVEST: lambda game, _: 0.3,
        GIVE_300: lambda game, sort: 2.5 - loss(game, game.active, sort),
        GIVE_200: lambda game, sort: 1.5 - loss(game, game.active, sort),
        RENT_FREEZER: lambda game, _: 0.1,
        RENT_CART: lambda game, _: 0.0,
        BUY_BOAT: judge_buy_boat,
        TRADE_IN: lambda game, _: 1.0 if game.cash[game.active] > 25 else -1.0,
        SELL_BOAT: lambda game, _: -1.0,
        TRADE: lambda game, space: TRADES[space][1] - TRADES[space][0] - 0.5,
        SWAP: lambda game, _: -1.0,
        HIRE: lambda game, _: 0.1,
        EXPAND_FISH: lambda game, _: 0.1,
        EXPAND_EXTERNAL: lambda game, _: 0.1,
        RENT_BOAT: lambda game, _: 0.1,
        SERVE: lambda game, space: SUSHI_PAYS[space] - 2.0 * space - 1,
        VISIT_DONE: judge_nothing,
    }.items()
}
