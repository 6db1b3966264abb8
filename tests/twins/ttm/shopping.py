"""The Purchasing action, a Buyer's too: Barrels and Takoyaki from others' harbors (3.5, 4.26)."""

from collections.abc import Callable

from .free import add_free_actions
from .keys import BUY, SHOP, SHOP_DONE
from .names import CLAMS, DEGRADED, PIECE_PRICE, T_OYSTER, T_TAKOYAKI, TAKOYAKI, TOKEN_OF
from .state import ASK_SHOP, Frame, State, without


def offers(game: State, shopper: int, *, only_one: bool = False) -> list[int]:
    """What the seat can buy; with `only_one` the first that is found."""
    cash, stock = game.cash[shopper], game.stock
    found: list[int] = []
    for seat in range(1, game.seats + 1):
        harbor = game.harbor[seat]
        if harbor and seat != shopper:
            before = -1
            for cell in harbor:
                if cell != before:
                    before = cell
                    if cell & PIECE_PRICE <= cash:
                        kind = cell >> 7
                        if kind == TAKOYAKI or stock[TOKEN_OF[kind]] or (kind == CLAMS and stock[T_OYSTER]):
                            found.append(BUY + (seat << 11 | cell))
                            if only_one:
                                return found
    return found


def go_shopping(game: State, _: int) -> None:
    game.ap -= 1
    game.acted = True
    start(game, game.active, 0)


def start(game: State, shopper: int, host: int) -> None:
    """`host` is the seat at which the shopper's Buyer lies, 0 in a Purchasing action."""
    game.did_one = False
    game.shopping = shopper
    game.stack.append((ASK_SHOP, host))


def shop_options(game: State, frame: Frame) -> list[int]:
    shopper = game.shopping
    options = offers(game, shopper)
    if frame[1]:
        game.seat = shopper
        options.append(SHOP_DONE)
    elif game.did_one:
        add_free_actions(game, options)
        options.append(SHOP_DONE)
    return options


def buy(game: State, argument: int) -> None:
    seat, cell = argument >> 11, argument & 2047
    shopper, kind, price = game.shopping, cell >> 7, cell & PIECE_PRICE
    game.did_one = True
    game.cash[shopper] -= price
    game.cash[seat] += price
    game.harbor[seat] = without(game.harbor[seat], cell)
    if kind == TAKOYAKI:
        game.tokens[shopper][T_TAKOYAKI] += 1
        return
    game.barrel_home(kind)
    if game.gain_token(shopper, kind, degraded=cell & DEGRADED > 0) == T_OYSTER:
        game.cash[shopper] += 2


def shop_done(game: State, _: int) -> None:
    """What overfished Jack Mackerel or Nori bring waits until now (R-TTM-40)."""
    host = game.stack.pop()[1]
    game.shopping = 0
    game.did_one = False
    if host:
        game.callers[host] = game.callers[host][1:]
        game.buyers_left += 1
    deferred, game.deferred = game.deferred, ()
    for market in deferred:
        game.aftermath(market)


ANSWERS: dict[int, Callable[[State, int], None]] = {SHOP: go_shopping, BUY: buy, SHOP_DONE: shop_done}
