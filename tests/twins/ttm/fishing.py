"""The Fishing action: boats undock, catch and dock, prices change (3.3, 3.7, 4.11, 4.25)."""

from collections.abc import Callable

from .auctions import FOREIGN_AUCTION, SEA_AUCTION, draw_prize, open_bids
from .boats import at_sea, catch_of, distinct_boats, distinct_racks, has_room, racks, ships_with
from .free import LANDED, add_free_actions, choose_rack, sardines_bonus
from .keys import (
    ADD,
    AGAIN,
    CATCH,
    DOCK,
    ENOUGH,
    FISH,
    FISHING_DONE,
    GO,
    GO_ABROAD,
    PRICE,
    PRICES,
    REPRICE,
    TAKE,
    UNDOCK,
    UNLOAD,
    USE_LICENCE,
)  # fmt: skip
from .names import (
    ABROAD,
    BLUE,
    CRAB,
    EEL,
    FIRST_BARGE,
    FOREIGN,
    FUGU,
    GIVEN_UP,
    HIGHEST_PRICE,
    HIMONO,
    JACK,
    LAST_STEP,
    MACKEREL,
    PER_AUCTION,
    PIECE_PRICE,
    SALMON,
    SARDINES,
    SEA,
    SHIP_RENTAL,
    SLOTS,
    SMALL_FISH,
    SWORDFISH,
    T_TAKOYAKI,
    TAKOYAKI,
    TUNA,
)  # fmt: skip
from .state import (
    ASK_AGAIN,
    ASK_FISHING,
    ASK_GROUP,
    ASK_LICENCE,
    ASK_PRICE,
    ASK_TAKE,
    ASK_UNLOAD,
    Frame,
    State,
    replaced,
    with_one,
    without,
)  # fmt: skip

FIRST_RACK = 14  # licences are markets, Himono licence n is 14 + n


def go_fishing(game: State, _: int) -> None:
    game.ap -= 1
    game.acted = True
    game.stack.append((ASK_FISHING,))


def fishing_options(game: State, frame: Frame) -> list[int]:
    seat = game.active
    place, used = game.place, game.used_boats
    moored: list[int] = []
    unused: list[int] = []
    for boat in game.fleet[seat]:
        if not used >> boat & 1:
            (unused if place[boat] == SEA else moored).append(boat)
    options = [UNDOCK + boat for boat in distinct_boats(game, moored)]
    if unused:
        unused = distinct_boats(game, unused)
        if game.licences[seat]:
            add_catches(game, seat, unused, options)
        for boat in unused:
            dock = DOCK + (boat << 3)
            options += [dock + port for port in game.free_ports(seat, boat)]
        if game.present >> FOREIGN & 1 and game.cash[seat]:
            options.append(GO_ABROAD)
    if game.harbor[seat]:
        add_prices(game, seat, options)
    add_free_actions(game, options)
    options.append(FISHING_DONE)
    return options


def fishing_done(game: State, _: int) -> None:
    """What was not enough for an auction goes back unpaid."""
    for market, left in (
        (CRAB, game.landed_crab),
        (TUNA, game.landed_tuna),
        (SWORDFISH, game.landed_swordfish),
    ):
        for _ in range(left):
            game.barrel_home(market)
    game.landed = game.landed_crab = game.landed_tuna = game.landed_swordfish = 0
    game.used_boats = game.used_racks = 0
    game.used_licences = game.repriced = ()
    game.stack.pop()


def undock(game: State, boat: int) -> None:
    game.used_boats |= 1 << boat
    game.place[boat] = SEA


# ------------------------------------------------------------------------------------------- catching


def catchable(game: State, seat: int) -> list[int]:
    """Markets with Barrels (so in play and not overfished) that an unused licence can catch."""
    barrels, held, used = game.barrels, game.licences[seat], game.used_licences
    if held[-1] < HIMONO:
        if not used:
            return [market for market in dict.fromkeys(held) if barrels[market]]
        return [m for m in dict.fromkeys(held) if barrels[m] and held.count(m) > used.count(m)]
    found = set()
    for market in dict.fromkeys(held):
        if market == HIMONO:
            if usable_racks(game, seat):
                found |= set(small_fish(game) or [HIMONO])
        elif held.count(market) > used.count(market):
            found.add(market)
            if market == JACK:
                found.add(MACKEREL)
    return [market for market in sorted(found) if barrels[market]]


def small_fish(game: State) -> list[int]:
    """What keeps Himono licences from catching Himono Barrels."""
    return [market for market in SMALL_FISH if game.barrels[market]]


def usable_racks(game: State, seat: int) -> list[int]:
    """Himono licences not used yet in this action and with fewer than two Barrels at sea."""
    return [
        rack
        for rack in racks(game, seat)
        if not game.used_racks >> rack & 1 and len(catch_of(game, seat, rack)) < 2
    ]


def licences_for(game: State, seat: int, market: int) -> int:
    """All licences that can catch it now, used ones and face-down ones too (R-TTM-20, R-TTM-101)."""
    held = game.licences[seat]
    count = held.count(market)
    if market == MACKEREL:
        return count + held.count(JACK) + held.count(HIMONO)
    if market in (JACK, SARDINES):
        return count + held.count(HIMONO)
    return count


def add_catches(game: State, seat: int, boats: list[int], options: list[int]) -> None:
    markets: list[int] | None = None
    for boat in boats:
        if boat >= FIRST_BARGE and boat != BLUE:
            continue
        hold = game.hold[boat]
        if len(hold) == SLOTS[boat]:
            continue
        if markets is None:
            markets = catchable(game, seat)
            loadable = [m for m in markets if licences_for(game, seat, m) > ships_with(game, seat, m)]
        catch = CATCH + (boat << 4)
        if boat == BLUE:
            options += [catch + market for market in markets if blue_may_load(game, seat, market)]
        elif not hold:
            options += [catch + market for market in loadable]
        elif hold[0] >> 3 != SALMON and hold[0] >> 3 in markets:
            options.append(catch + (hold[0] >> 3))


def blue_may_load(game: State, seat: int, market: int) -> bool:
    """Up to two types; a new one needs more licences than Ships at sea with it (R-TTM-28, 29, 103)."""
    if not has_room(game, BLUE, market):
        return False
    aboard = {barrel >> 3 for barrel in game.hold[BLUE]}
    if market not in aboard:
        if len(aboard) == 2 or licences_for(game, seat, market) <= ships_with(game, seat, market):
            return False
        other = MACKEREL + JACK - market if market in (MACKEREL, JACK) else -1
        if other in aboard and licences_for_either(game, seat) < 2:
            return False
    return bool(usable_licences(game, seat, BLUE, market))


def licences_for_either(game: State, seat: int) -> int:
    """How many can catch Mackerel or Jack Mackerel now; those of an overfished market cannot (R-TTM-120)."""
    held, barrels = game.licences[seat], game.barrels
    count = held.count(MACKEREL) if barrels[MACKEREL] else 0
    return count + (held.count(JACK) + held.count(HIMONO) if barrels[MACKEREL] or barrels[JACK] else 0)


def usable_licences(game: State, seat: int, boat: int, market: int) -> list[int]:
    """The different licences a Catch could use, in the order of the boards."""
    held, used = game.licences[seat], game.used_licences
    if held[-1] < HIMONO:
        return [market]
    found = []
    if market != HIMONO and held.count(market) > used.count(market):
        found.append(market)
    if market in SMALL_FISH or (market == HIMONO and not small_fish(game)):
        dryers = usable_racks(game, seat)
        if boat == BLUE:  # one Himono licence never puts two types on it (R-TTM-103)
            dryers = [r for r in dryers if all([b >> 3 == market for b in game.hold[BLUE] if b & 7 == r])]
        found += [FIRST_RACK + rack for rack in distinct_racks(game, seat, dryers)]
    if market == MACKEREL and held.count(JACK) > used.count(JACK):
        found.append(JACK)
    return sorted(found, key=lambda licence: (HIMONO if licence > FIRST_RACK else licence, licence))


def catch(game: State, argument: int) -> None:
    boat, market = argument >> 4, argument & 15
    game.used_boats |= 1 << boat
    if boat == BLUE:
        game.stack.append((ASK_AGAIN, boat))
    choose_licence(game, boat, market)


def choose_licence(game: State, boat: int, market: int) -> None:
    licences = usable_licences(game, game.active, boat, market)
    if len(licences) == 1:
        use_licence(game, boat, market, licences[0])
    else:
        game.stack.append((ASK_LICENCE, boat, market))


def licence_options(game: State, frame: Frame) -> list[int]:
    return [USE_LICENCE + licence for licence in usable_licences(game, game.active, frame[1], frame[2])]


def licence_chosen(game: State, licence: int) -> None:
    _, boat, market = game.stack.pop()
    use_licence(game, boat, market, licence)


def use_licence(game: State, boat: int, market: int, licence: int) -> None:
    if licence > FIRST_RACK:
        game.used_racks |= 1 << licence - FIRST_RACK
        load(game, boat, market, licence - FIRST_RACK)
        return
    game.used_licences += (licence,)
    if licence == JACK and market == MACKEREL:
        if len(game.hold[boat]) + 2 <= SLOTS[boat] and game.barrels[MACKEREL] >= 2:
            game.stack.append((ASK_TAKE, boat))
            return
    load(game, boat, market, 0)


def take_options(game: State, frame: Frame) -> list[int]:
    return [TAKE + 1, TAKE + 2]


def take(game: State, number: int) -> None:
    boat = game.stack.pop()[1]
    for _ in range(number):
        load(game, boat, MACKEREL, 0)


def load(game: State, boat: int, market: int, caught: int) -> None:
    game.barrels[market] -= 1
    game.hold[boat] = with_one(game.hold[boat], market << 3 | caught)
    if not game.barrels[market]:
        game.check(market)


def again_options(game: State, frame: Frame) -> list[int] | None:
    """The Blue Ship's second licence."""
    seat = game.active
    options = [AGAIN + market for market in catchable(game, seat) if blue_may_load(game, seat, market)]
    if not options:
        game.stack.pop()
        return None
    return [*options, ENOUGH]


def again(game: State, market: int) -> None:
    game.stack.pop()
    choose_licence(game, BLUE, market)


def enough(game: State, _: int) -> None:
    game.stack.pop()


# ------------------------------------------------------------------------------------------- docking


def dock(game: State, argument: int) -> None:
    boat, port = argument >> 3, argument & 7
    game.used_boats |= 1 << boat
    game.place[boat] = port
    game.hold[boat] = caught_by_nobody(game.hold[boat])
    game.stack.append((ASK_UNLOAD, boat))


def caught_by_nobody(hold: tuple[int, ...]) -> tuple[int, ...]:
    """What is unloaded no longer tells which Himono licence caught it (R-TTM-127)."""
    return tuple(sorted([barrel & ~7 | GIVEN_UP if barrel & 7 else barrel for barrel in hold]))


def unload_options(game: State, frame: Frame) -> list[int] | None:
    """Barrels come ashore one by one; the order is asked only if they differ (R-TTM-110)."""
    boat = frame[1]
    hold = game.hold[boat]
    if not hold:
        game.stack.pop()
        if game.rented[boat]:
            trip_over(game, boat)
        return None
    if hold[0] != hold[-1]:
        kinds = {barrel >> 3 << 1 | (barrel & 7 > 0) for barrel in hold}
        if len(kinds) > 1:
            return [UNLOAD + kind for kind in sorted(kinds)]
    come_ashore(game, boat, hold[0])
    return None


def unload(game: State, kind: int) -> None:
    boat = game.stack[-1][1]
    for barrel in game.hold[boat]:
        if barrel >> 3 << 1 | (barrel & 7 > 0) == kind:
            come_ashore(game, boat, barrel)
            return


def come_ashore(game: State, boat: int, barrel: int) -> None:
    seat = game.active
    game.landed += 1
    if not game.landed & 1:
        game.cash[seat] += 1
    market = barrel >> 3
    if barrel & 7:
        choose_rack(game, LANDED, barrel, boat)
        return
    if market in PER_AUCTION:
        game.hold[boat] = without(game.hold[boat], barrel)
        land_for_auction(game, market)
        return
    if market == FUGU and FUGU in game.licences[seat]:
        game.give_back_licence(seat, FUGU)
    game.stack.append((ASK_PRICE, market, boat))


def land_for_auction(game: State, market: int) -> None:
    """Enough of them in one action go back for one token, auctioned at once (3.4)."""
    if market == CRAB:
        waiting = game.landed_crab = (game.landed_crab + 1) % 2
    elif market == TUNA:
        waiting = game.landed_tuna = (game.landed_tuna + 1) % 3
    else:
        waiting = game.landed_swordfish = (game.landed_swordfish + 1) % 2
    if waiting:
        return
    for _ in range(PER_AUCTION[market]):
        game.barrel_home(market)
    if game.has_token(market):
        game.prize = draw_prize(game, market)
        open_bids(game, SEA_AUCTION)


def trip_over(game: State, boat: int) -> None:
    """A rented boat and its token go back where they came from (4.29)."""
    game.lose_boat(game.active, boat, game.rented[boat])
    game.rented = replaced(game.rented, boat, 0)
    if not game.closed >> SHIP_RENTAL & 1:
        game.rentals_left += 1


# ------------------------------------------------------------------------------------------- prices


def price_options(game: State, frame: Frame) -> list[int]:
    return PRICES


def price(game: State, amount: int) -> None:
    """A Barrel that was docked, a Takoyaki or a Himono Barrel goes up for sale in the upper row."""
    _, kind, boat = game.stack.pop()
    seat = game.active
    game.harbor[seat] = with_one(game.harbor[seat], kind << 7 | amount)
    if kind == TAKOYAKI:
        game.stock[T_TAKOYAKI] -= 1
    elif kind != HIMONO:  # which was converted, and has left its board: those that were caught go on licences
        game.hold[boat] = without(game.hold[boat], kind << 3)
        if kind == EEL:
            eel_up(game)
        elif kind == SARDINES:
            sardines_bonus(game, seat)


def eel_up(game: State) -> None:
    if game.eel < LAST_STEP:
        game.eel += 1


# By piece, the options of giving it another price.
REPRICED = [
    [REPRICE + (cell << 6 | amount) for amount in range(1, HIGHEST_PRICE + 1) if amount != cell & PIECE_PRICE]
    for cell in range(TAKOYAKI + 1 << 7)
]


def add_prices(game: State, seat: int, options: list[int]) -> None:
    """Each piece at most once in an action (R-TTM-104)."""
    harbor, repriced = game.harbor[seat], game.repriced
    before = -1
    for cell in harbor:
        if cell != before:
            before = cell
            if cell not in repriced or repriced.count(cell) < harbor.count(cell):
                options += REPRICED[cell]


def reprice(game: State, argument: int) -> None:
    seat = game.active
    old = argument >> 6
    new = old & ~PIECE_PRICE | argument & PIECE_PRICE
    game.harbor[seat] = with_one(without(game.harbor[seat], old), new)
    game.repriced = with_one(game.repriced, new)


# --------------------------------------------------------------------------------------- the Foreign Market


def go_abroad(game: State, _: int) -> None:
    game.cash[game.active] -= 1
    game.group = ()
    game.stack.append((ASK_GROUP,))


def group_options(game: State, frame: Frame) -> list[int]:
    waiting = [b for b in at_sea(game, game.active) if not game.used_boats >> b & 1 and b not in game.group]
    options = [ADD + boat for boat in distinct_boats(game, waiting)]
    if game.group:
        options.append(GO)
    return options


def add_to_group(game: State, boat: int) -> None:
    game.group += (boat,)


def dock_abroad(game: State, _: int) -> None:
    """The Barrels of the group form one lot, in the order of R-TTM-105."""
    game.stack.pop()
    returned = {CRAB: 0, TUNA: 0, SWORDFISH: 0}
    others = False
    for boat in game.group:
        game.used_boats |= 1 << boat
        game.place[boat] = ABROAD
        for barrel in game.hold[boat]:
            market = barrel >> 3
            if market in returned:
                returned[market] += 1
                game.barrel_home(market)
            else:
                others = True
                if market == EEL:
                    eel_up(game)
        game.hold[boat] = tuple([barrel for barrel in game.hold[boat] if barrel >> 3 not in returned])
    lot = [0] * 22
    for market, count in returned.items():
        for _ in range(count // PER_AUCTION[market]):
            if game.has_token(market):
                lot[draw_prize(game, market)] += 1
    if others or any(lot):
        game.lot = tuple(lot)
        open_bids(game, FOREIGN_AUCTION)
    else:
        game.group = ()


ANSWERS: dict[int, Callable[[State, int], None]] = {
    FISH: go_fishing,
    UNDOCK: undock,
    CATCH: catch,
    DOCK: dock,
    GO_ABROAD: go_abroad,
    REPRICE: reprice,
    FISHING_DONE: fishing_done,
    USE_LICENCE: licence_chosen,
    TAKE: take,
    AGAIN: again,
    ENOUGH: enough,
    ADD: add_to_group,
    GO: dock_abroad,
    UNLOAD: unload,
    PRICE: price,
}
