"""The order of a turn: its start, the actions, its end, the Buyers, the next seat (3.1, 5.1, 5.2)."""

from collections.abc import Callable

from .boats import at_sea, distinct_barrels, distinct_boats, roomy_racks
from .free import add_free_actions
from .keys import BUY_OWN, END, FISH, FREEZER, GO_ON, SALT_BARREL, SHOP, THROW_BACK
from .names import (
    DEGRADED,
    FUGU,
    HIMONO,
    PIECE_PRICE,
    RENTALS,
    RICH,
    SMALL_FISH,
    STOCKED,
    T_FUGU,
    TAKOYAKI,
)  # fmt: skip
from .scoring import finish
from .shopping import offers, start
from .state import (
    ASK_PRICE,
    ASK_START,
    ASK_TURN,
    CALLERS,
    CONVERT,
    Frame,
    State,
    replaced,
    with_one,
    without,
)  # fmt: skip
from .visits import add_visits
from .worth import resources

TURN_AP = 2


def begin_turn(game: State) -> None:
    game.turn += 1
    game.ap = game.cart_ap = 0
    game.acted = False
    game.visited = 0
    if not game.trigger:
        check_end(game)
    game.stack[:] = [(ASK_TURN,), (ASK_START, 0), (CONVERT,)]


def check_end(game: State) -> None:
    """Rich and not the outright last in R, or well stocked and not the outright poorest (5.1)."""
    seat, cash = game.active, game.cash
    others = [other for other in range(1, game.seats + 1) if other != seat]
    mine = resources(game, seat)
    if cash[seat] >= RICH and any([resources(game, other) <= mine for other in others]):
        game.trigger, game.trigger_name = seat, "rich"
    elif mine >= STOCKED and any([cash[other] <= cash[seat] for other in others]):
        game.trigger, game.trigger_name = seat, "stocked"


# -------------------------------------------------------------------------------------- the start of a turn


def convert(game: State, frame: Frame) -> None:
    """Two items on a Himono licence become a Himono Barrel, as long as there are any (R-TTM-31)."""
    if game.barrels[HIMONO]:
        for rack in (1, 2, 3):
            if game.racks_of[rack] == game.active and len(game.rack[rack]) == 2:
                for item in game.rack[rack]:
                    game.item_home(item)
                game.rack = replaced(game.rack, rack, ())
                game.barrels[HIMONO] -= 1  # it leaves the board before its price is named (R-TTM-125)
                game.check(HIMONO)
                game.stack.append((ASK_PRICE, HIMONO, 0))
                return
    game.stack.pop()


def start_options(game: State, frame: Frame) -> list[int] | None:
    """Asked only if something besides going on is possible (R-TTM-97)."""
    seat = game.active
    options = []
    if game.freezers[seat] and not frame[1]:
        options += [FREEZER + uses for uses in sorted(set(game.freezers[seat]))]
    low = [cell for cell in game.harbor[seat] if cell & DEGRADED]
    if low:
        low = list(dict.fromkeys(low))
        if game.stock[T_FUGU]:
            cash = game.cash[seat]
            options += [
                BUY_OWN + (cell & PIECE_PRICE)
                for cell in low
                if cell >> 7 == FUGU and cell & PIECE_PRICE <= cash
            ]
        if HIMONO in game.licences[seat] and roomy_racks(game, seat):
            options += [SALT_BARREL + cell for cell in low if cell >> 7 in SMALL_FISH]
    if options:
        options.append(GO_ON)
        return options
    go_on(game, 0)
    return None


def use_freezer(game: State, uses: int) -> None:
    """Nothing degrades. At the second use it returns."""
    seat = game.active
    game.freezers[seat] = without(game.freezers[seat], uses)
    if uses > 1:
        game.freezers[seat] = with_one(game.freezers[seat], uses - 1)
    else:
        game.free_spaces[seat] += 1
        if not game.closed >> RENTALS & 1:
            game.freezers_left += 1
    start_actions(game)


def buy_own(game: State, price: int) -> None:
    """One's own degraded Fugu; no Freezer any more after that."""
    seat = game.active
    game.stack[-1] = (ASK_START, 1)
    game.cash[seat] -= price
    game.harbor[seat] = without(game.harbor[seat], FUGU << 7 | DEGRADED | price)
    game.barrel_home(FUGU)
    game.gain_token(seat, FUGU)


def go_on(game: State, _: int) -> None:
    """The lower row goes back unpaid, the upper row moves down; Takoyaki and Himono stay."""
    seat = game.active
    harbor = game.harbor[seat]
    if harbor:
        kept = []
        for cell in harbor:
            kind = cell >> 7
            if kind in (TAKOYAKI, HIMONO):
                kept.append(cell)
            elif cell & DEGRADED:
                game.barrel_home(kind)
            else:
                kept.append(cell | DEGRADED)
        game.harbor[seat] = tuple(kept)
    start_actions(game)


def start_actions(game: State) -> None:
    game.stack.pop()
    game.ap = TURN_AP


# ------------------------------------------------------------------------------------------- the actions


def turn_options(game: State, frame: Frame) -> list[int]:
    options = []
    if game.ap:
        options.append(FISH)
        if offers(game, game.active, only_one=True):
            options.append(SHOP)
    if game.ap or game.cart_ap:
        add_visits(game, options)
    if not game.acted:
        for boat in distinct_boats(game, at_sea(game, game.active)):
            options += [THROW_BACK + (boat << 7 | barrel) for barrel in distinct_barrels(game, boat)]
    add_free_actions(game, options)
    if not game.ap:
        options.append(END)
    return options


def throw_back(game: State, argument: int) -> None:
    boat, barrel = argument >> 7, argument & 127
    game.hold[boat] = without(game.hold[boat], barrel)
    game.barrel_home(barrel >> 3)


# ---------------------------------------------------------------------------------------- the end of a turn


def end(game: State, _: int) -> None:
    game.cart_ap = 0
    game.stack[:] = [(CALLERS,)]


def callers(game: State, frame: Frame) -> None:
    """Buyers lying here are served in order of assignment; then the next turn, if there is one."""
    host = game.active
    if game.callers[host]:
        start(game, game.callers[host][0], host)
        return
    following = host % game.seats + 1
    if following == game.trigger:
        finish(game, game.trigger_name)
    elif game.turn == game.clock:
        finish(game, "clock")
    else:
        game.active = following
        begin_turn(game)


ANSWERS: dict[int, Callable[[State, int], None]] = {
    FREEZER: use_freezer,
    BUY_OWN: buy_own,
    GO_ON: go_on,
    THROW_BACK: throw_back,
    END: end,
}
