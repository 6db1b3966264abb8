"""The end of the game: bonus and malus, the Overfishing board, the Bank, ¥100 per R (5.3)."""

from .names import BANK, MARKET_OF, OVERFISHING
from .state import OVER, State
from .worth import resources


def finish(game: State, ending: str) -> None:
    game.over = True
    game.ending = ending
    game.stack[:] = [(OVER,)]
    seats = range(1, game.seats + 1)
    worth = {seat: resources(game, seat) for seat in seats}
    settle_majority(game, worth)
    if game.present >> OVERFISHING & 1:
        settle_overfishing(game)
    if game.present >> BANK & 1:
        settle_loans(game)
    game.scores = {seat: (game.cash[seat] + worth[seat]) * 100 for seat in seats}


def settle_majority(game: State, worth: dict[int, int]) -> None:
    """Most and least R; if tied, each gets or pays less. Cash may become negative (R-TTM-72, R-TTM-75)."""
    most = [seat for seat in worth if worth[seat] == max(worth.values())]
    least = [seat for seat in worth if worth[seat] == min(worth.values())]
    for seat in most:
        game.cash[seat] += 10 if len(most) == 1 else 5
    for seat in least:
        game.cash[seat] -= 5 if len(least) == 1 else 3


def settle_overfishing(game: State) -> None:
    for seat in range(1, game.seats + 1):
        for sort, number in enumerate(game.tokens[seat]):
            game.cash[seat] += -number if game.over_fished >> MARKET_OF[sort] & 1 else number


def settle_loans(game: State) -> None:
    """Each Loan costs ¥500 and ¥500 interest, which the holders of Shares divide, rounded up."""
    holders = [seat for seat in range(1, game.seats + 1) if game.shares[seat]]
    interest = 5 * sum(game.loans)
    for seat in range(1, game.seats + 1):
        game.cash[seat] -= 10 * game.loans[seat]
    for seat in holders:
        game.cash[seat] += -(-interest // len(holders))
