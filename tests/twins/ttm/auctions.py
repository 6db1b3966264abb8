"""Secret bids, ties, and what the winner gets: at sea, abroad, at the Auction, in Barter."""

from collections.abc import Callable

from .keys import ACCEPT, BID, DECLINE, TIE
from .names import (
    LAST_STEP,
    SWORDFISH,
    T_SWORDFISH,
)  # fmt: skip
from .state import ASK_ACCEPT, ASK_BID, ASK_TIE, Frame, State

SEA_AUCTION, FOREIGN_AUCTION, HOUSE_AUCTION, BARTERING = range(4)
WAITING, ABSENT = -1, -2


def draw_prize(game: State, market: int) -> int:
    """A token leaves a market to be auctioned; overfishing comes before the bids (R-TTM-17)."""
    if market != SWORDFISH:
        return game.draw_token(market)
    game.stock[T_SWORDFISH] -= 1
    game.check(SWORDFISH)
    return T_SWORDFISH


def open_bids(game: State, purpose: int) -> None:
    """Everybody bids; in the Auction and in Barter everybody else."""
    bids = [WAITING] * (game.seats + 1)
    bids[0] = ABSENT
    if purpose >= HOUSE_AUCTION:
        bids[game.active] = ABSENT
    game.bids = tuple(bids)
    game.stack.append((ASK_BID, purpose))


def bid_options(game: State, frame: Frame) -> list[int]:
    game.seat = seat = game.bids.index(WAITING)
    return list(range(BID, BID + game.cash[seat] + 1))


def bid(game: State, amount: int) -> None:
    bids, seat = game.bids, game.seat
    game.bids = bids = bids[:seat] + (amount,) + bids[seat + 1 :]
    if WAITING in bids:
        return
    purpose = game.stack.pop()[1]
    if purpose == BARTERING:
        game.stack.append((ASK_ACCEPT,))
        return
    highest = max(bids)
    if bids.count(highest) > 1:
        game.stack.append((ASK_TIE, purpose))
    else:
        award(game, purpose, bids.index(highest))


def tie_options(game: State, frame: Frame) -> list[int]:
    highest = max(game.bids)
    return [TIE + seat for seat, amount in enumerate(game.bids) if amount == highest]


def break_tie(game: State, seat: int) -> None:
    award(game, game.stack.pop()[1], seat)


def award(game: State, purpose: int, winner: int) -> None:
    """Others pay the active player, who pays the supply."""
    amount = game.bids[winner]
    active = game.active
    game.bids = ()
    game.cash[winner] -= amount
    if winner != active:
        game.cash[active] += amount
    if purpose == SEA_AUCTION:
        game.tokens[winner][game.prize] += 1
        if game.prize == T_SWORDFISH:
            swordfish_auctioned(game, amount)
        game.prize = -1
    elif purpose == FOREIGN_AUCTION:
        sold_abroad(game, winner, amount)
    else:
        game.cash[active] += amount  # the supply pays the same again
        hand_over_lot(game, winner)


def swordfish_auctioned(game: State, amount: int) -> None:
    """Step by step, surplus steps are ignored (R-TTM-51)."""
    if amount > game.swordfish:
        game.swordfish = min(game.swordfish + 2, LAST_STEP)
    elif amount < game.swordfish:
        game.swordfish = max(game.swordfish - 2, 1)


def hand_over_lot(game: State, winner: int) -> None:
    """The active player's tokens in the lot change hands."""
    mine, theirs = game.tokens[game.active], game.tokens[winner]
    for sort, number in enumerate(game.lot):
        mine[sort] -= number
        theirs[sort] += number
    game.lot = ()


def sold_abroad(game: State, winner: int, amount: int) -> None:
    """The winner gets the tokens drawn, then one for each other Barrel, if there is any (R-TTM-105)."""
    if game.lot[T_SWORDFISH]:
        swordfish_auctioned(game, amount)
    tokens = game.tokens[winner]
    for sort, number in enumerate(game.lot):
        tokens[sort] += number
    game.lot = ()
    for boat in game.group:
        hold, game.hold[boat] = game.hold[boat], ()
        for barrel in hold:
            game.barrel_home(barrel >> 3)
            if game.has_token(barrel >> 3):
                game.gain_token(winner, barrel >> 3)
    game.group = ()


# ------------------------------------------------------------------------------------------- Barter


def accept_options(game: State, frame: Frame) -> list[int]:
    return [*(ACCEPT + seat for seat, amount in enumerate(game.bids) if amount >= 0), DECLINE]


def accept(game: State, seat: int) -> None:
    game.stack.pop()
    game.cash[seat] -= game.bids[seat]
    game.cash[game.active] += game.bids[seat]
    game.bids = ()
    hand_over_lot(game, seat)


def decline(game: State, _: int) -> None:
    game.stack.pop()
    game.bids = ()
    game.lot = ()


ANSWERS: dict[int, Callable[[State, int], None]] = {
    BID: bid,
    TIE: break_tie,
    ACCEPT: accept,
    DECLINE: decline,
}
