"""The Markets action: who may enter which board, what it costs, and the menu of a visit (3.6)."""

from collections.abc import Callable

from . import boat_markets, external_markets, fish_markets
from .free import add_free_actions
from .keys import PAY_AP, PAY_PIECE, PAY_TAKOYAKI, PAY_YEN, VISIT, VISIT_DONE
from .names import (
    BANK,
    CLAMS,
    GOVERNMENT,
    INFLUENCE,
    JACK,
    NEW_AQUARIUM,
    OCTOPUS,
    ONCE_A_TURN,
    RENTALS,
    SALMON,
    SARDINES,
    SHIP_RENTAL,
    SHIPS,
    T_OCTOPUS,
    T_TAKOYAKI,
    TAKOYAKI,
    USED_SHIPS,
)  # fmt: skip
from .state import ASK_PAY, ASK_VISIT, Frame, State, without

ONE_AP, NOTHING, SPECIAL = range(3)
COST = [ONE_AP] * 30
for _board in (SALMON, GOVERNMENT, RENTALS):  # A-TTM-13, A-TTM-14
    COST[_board] = NOTHING
for _board in (OCTOPUS, CLAMS, BANK, INFLUENCE, SHIP_RENTAL, NEW_AQUARIUM):
    COST[_board] = SPECIAL


def add_visits(game: State, options: list[int]) -> None:
    """All boards that may be entered; there are action points left."""
    shut = game.visited & ONCE_A_TURN
    for board in game.open_boards:
        if shut >> board & 1:
            continue
        if (
            ways_to_pay(game, board)
            if COST[board] == SPECIAL
            else leads_on(game, board, game.cash[game.active])
        ):
            options.append(VISIT + board)


def leads_on(game: State, board: int, cash: int) -> bool:
    """Can something be done there, with this much money before one's own licence income?"""
    seat = game.active
    if board < 15:
        if board == SARDINES and SARDINES in game.licences[seat]:
            return False
        if board != JACK:
            cash += game.licences[seat].count(board)
        if fish_markets.can_buy_licence(game, seat, board, cash) or fish_markets.can_sell(game, seat, board):
            return True
        return board == SARDINES and game.iwashi > 0 and cash > 0
    if board in (SHIPS, USED_SHIPS):
        if board == USED_SHIPS and game.trigger:
            return False
        return boat_markets.can_deal(game, board, cash)
    if board == SHIP_RENTAL:
        return bool(boat_markets.rentals(game, cash))
    return bool(external_markets.interactions(game, board, cash))


def ways_to_pay(game: State, board: int) -> list[int]:
    """The costs that can be paid and lead on. Where there is no choice in the rules, the one cost."""
    seat = game.active
    cash = game.cash[seat]
    cost = COST[board]
    if cost != SPECIAL:
        return [PAY_AP] if leads_on(game, board, cash) else []
    if board == OCTOPUS:
        return octopus_ways(game, seat)
    ways: list[int] = []
    if board == CLAMS:
        if leads_on(game, board, cash):
            ways.append(PAY_AP)
            pieces = [cell for cell in dict.fromkeys(game.harbor[seat]) if cell >> 7 == CLAMS]
            if cash >= 2 and leads_on(game, board, cash - 2):
                ways.append(PAY_YEN)
            ways += [PAY_PIECE + cell for cell in pieces]
    elif board == BANK:
        if game.ap + game.cart_ap >= 2 and leads_on(game, board, cash):
            ways.append(PAY_AP)
        if cash >= 1 and leads_on(game, board, cash - 1):
            ways.append(PAY_YEN)
    elif board == NEW_AQUARIUM:
        pieces = [cell for cell in dict.fromkeys(game.harbor[seat]) if cell >> 7 != TAKOYAKI]
        if pieces and leads_on(game, board, cash):
            ways += [PAY_PIECE + cell for cell in pieces]
    elif cash >= 1 and leads_on(game, board, cash - 1):  # Influence, Ship Rental
        ways.append(PAY_YEN)
    return ways


def octopus_ways(game: State, seat: int) -> list[int]:
    """A Takoyaki paid may be the third that grilling needs."""
    cash = game.cash[seat]
    by_ap = leads_on(game, OCTOPUS, cash)
    ways = [PAY_AP] if by_ap else []
    if by_ap or (game.tokens[seat][T_OCTOPUS] and game.stock[T_TAKOYAKI] >= 2):
        if game.tokens[seat][T_TAKOYAKI]:
            ways.append(PAY_TAKOYAKI)
        ways += [PAY_PIECE + cell for cell in dict.fromkeys(game.harbor[seat]) if cell >> 7 == TAKOYAKI]
    return ways


def visit(game: State, board: int) -> None:
    game.acted = True
    ways = ways_to_pay(game, board)
    if len(ways) == 1:
        pay(game, board, ways[0])
    else:
        game.stack.append((ASK_PAY, board))


def pay_options(game: State, frame: Frame) -> list[int]:
    return ways_to_pay(game, frame[1])


def pay_ap(game: State, _: int) -> None:
    pay(game, game.stack.pop()[1], PAY_AP)


def pay_yen(game: State, _: int) -> None:
    pay(game, game.stack.pop()[1], PAY_YEN)


def pay_takoyaki(game: State, _: int) -> None:
    pay(game, game.stack.pop()[1], PAY_TAKOYAKI)


def pay_piece(game: State, cell: int) -> None:
    pay(game, game.stack.pop()[1], PAY_PIECE + cell)


def pay(game: State, board: int, way: int) -> None:
    """The cost; then everybody's licence income; then the visit."""
    seat = game.active
    if way == PAY_AP:
        if COST[board] != NOTHING:
            spend(game, 2 if board == BANK else 1)
    elif way == PAY_YEN:
        game.cash[seat] -= 2 if board == CLAMS else 1
    elif way == PAY_TAKOYAKI:
        game.tokens[seat][T_TAKOYAKI] -= 1
        game.stock[T_TAKOYAKI] += 1
    else:
        cell = way - PAY_PIECE
        game.harbor[seat] = without(game.harbor[seat], cell)
        if cell >> 7 == TAKOYAKI:
            game.stock[T_TAKOYAKI] += 1
        else:
            game.barrel_home(cell >> 7)
    if board < 15 and board != JACK:
        for other in range(1, game.seats + 1):
            game.cash[other] += game.licences[other].count(board)
    game.visited |= 1 << board
    game.did_one = game.bonus_paid = False
    game.bought = game.gave_back = game.traded = 0
    game.stack.append((ASK_VISIT, board))


def spend(game: State, points: int) -> None:
    """Cart points first (R-TTM-04)."""
    from_carts = min(points, game.cart_ap)
    game.cart_ap -= from_carts
    game.ap -= points - from_carts


def visit_options(game: State, frame: Frame) -> list[int] | None:
    board = frame[1]
    if game.closed >> board & 1:  # the visit ends at once (R-TTM-66)
        leave(game, 0)
        return None
    if board < 15:
        options = fish_markets.interactions(game, board)
    elif board in (SHIPS, USED_SHIPS):
        options = boat_markets.interactions(game, board, game.cash[game.active])
    elif board == SHIP_RENTAL:
        options = boat_markets.rentals(game, game.cash[game.active])
    else:
        options = external_markets.interactions(game, board, game.cash[game.active])
    if game.did_one:
        add_free_actions(game, options)
        options.append(VISIT_DONE)
    return options


def leave(game: State, _: int) -> None:
    game.stack.pop()
    game.did_one = False
    game.traded = 0


ANSWERS: dict[int, Callable[[State, int], None]] = {
    VISIT: visit,
    PAY_AP: pay_ap,
    PAY_YEN: pay_yen,
    PAY_TAKOYAKI: pay_takoyaki,
    PAY_PIECE: pay_piece,
    VISIT_DONE: leave,
}
