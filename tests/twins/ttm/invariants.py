"""What must hold at every decision of every game (section 9 of the sheet)."""

from . import names as n
from .state import ASK_BID, ASK_PRICE, ASK_UNLOAD, State


def check(game: State, starting_licences: int) -> None:
    """`starting_licences` were handed out at setup, one Mackerel licence each or none."""
    check_barrels(game)
    check_tokens(game)
    check_licences(game, starting_licences)
    check_seats(game)
    check_boats(game)
    check_boards(game)


def count_barrels(game: State, market: int) -> int:
    return (
        game.barrels[market]
        + game.box_barrels[market]
        + sum(barrel >> 3 == market for hold in game.hold for barrel in hold)
        + sum(cell >> 7 == market for harbor in game.harbor for cell in harbor)
        + sum(item == (market << 1 | n.BARREL_ITEM) for rack in game.rack for item in rack)
        + {n.CRAB: game.landed_crab, n.TUNA: game.landed_tuna, n.SWORDFISH: game.landed_swordfish}.get(
            market, 0
        )
        + (market == n.HIMONO and (ASK_PRICE, n.HIMONO) in [frame[:2] for frame in game.stack])  # converted, not yet priced
    )


def check_barrels(game: State) -> None:
    for market in n.ALL_FISH:
        total = 0
        if game.present >> market & 1:
            total = min(9, 2 * game.seats + 1) if market == n.NORI else n.BARRELS[market]
        assert count_barrels(game, market) == total, n.BOARDS[market]
        if game.over_fished >> market & 1:
            assert game.barrels[market] == 0
        elif total:
            assert game.barrels[market] > 0
            assert game.has_token(market) or (market == n.SARDINES and game.iwashi)


def count_tokens(game: State, sort: int) -> int:
    heaps = [*game.tanks, *game.gifts, *game.trades, *game.plates, game.stock, *game.tokens]
    total = sum(heap[sort] for heap in heaps if heap)
    market = n.MARKET_OF[sort]
    if n.TOKEN_OF[market] == sort and market in n.SMALL_FISH:
        total += sum(item == market << 1 for rack in game.rack for item in rack)
    if sort == n.T_TAKOYAKI:
        total += sum(cell >> 7 == n.TAKOYAKI for harbor in game.harbor for cell in harbor)
    elif sort == n.T_SARDINES:
        total += game.iwashi
    elif sort == n.T_SWORDFISH:
        total += game.box_swordfish
    if sort == game.prize:
        total += 1
    if game.group and game.bids:  # a lot at the Foreign Market belongs to nobody yet
        total += game.lot[sort]
    return total


def check_tokens(game: State) -> None:
    found = [count_tokens(game, sort) for sort in range(22)]
    found[n.T_SALMON] += found[n.T_SALMON_4]
    found[n.T_SALMON_4] = 0
    for sort, market in enumerate(n.MARKET_OF):
        assert found[sort] == (n.TOKENS[sort] if game.present >> market & 1 else 0), n.SORTS[sort]
    assert all(number >= 0 for tokens in [*game.tokens, game.stock] for number in tokens)


def check_licences(game: State, starting: int) -> None:
    for market in n.ALL_FISH:
        held = sum(licences.count(market) for licences in game.licences)
        total = 0
        if game.present >> market & 1:
            total = game.seats if market in (n.MACKEREL, n.JACK, n.NORI) else n.LICENCES[market]
            if market == n.MACKEREL and starting:
                total = starting + min(game.seats, 8 - game.seats)
        assert held + game.licences_left[market] == total, n.BOARDS[market]
        assert game.licences_left[market] >= 0
    for seat in range(1, game.seats + 1):
        assert game.racks_of.count(seat) == game.licences[seat].count(n.HIMONO)
        assert game.licences[seat].count(n.NORI) <= 1
    mine = game.licences[game.active]
    for market in set(game.used_licences):
        assert game.used_licences.count(market) <= mine.count(market), "more licences used than held"
    for rack in (1, 2, 3):
        fish = [barrel for hold in game.hold for barrel in hold if barrel & 7 == rack]
        assert len(fish) <= 2 and len(game.rack[rack]) <= 2
        if not game.racks_of[rack]:
            assert not fish and not game.rack[rack] and not game.used_racks >> rack & 1


def check_seats(game: State) -> None:
    for seat in range(1, game.seats + 1):
        papers = (
            len(game.licences[seat]) + len(game.freezers[seat]) + len(game.carts[seat]) + game.buyers[seat]
        )
        assert 0 <= papers == n.LICENCE_SPACES - game.free_spaces[seat] <= n.LICENCE_SPACES
        assert game.over or game.cash[seat] >= 0
        assert 1 <= game.ports[seat] <= 3
        assert not (game.loans[seat] and game.shares[seat])
        harbor = game.harbor[seat]
        assert harbor == tuple(sorted(harbor))
        for cell in harbor:
            assert 1 <= cell & n.PIECE_PRICE <= n.HIGHEST_PRICE
            assert cell >> 7 not in n.PER_AUCTION
            assert not (cell & n.DEGRADED and cell >> 7 in (n.TAKOYAKI, n.HIMONO))
        for cell in set(game.repriced):
            if seat == game.active:
                assert game.repriced.count(cell) <= harbor.count(cell)
    assert 1 <= game.eel <= n.LAST_STEP and 1 <= game.swordfish <= n.LAST_STEP
    assert 0 <= game.ap <= 2 and game.cart_ap >= 0


def check_boats(game: State) -> None:
    unloading = {frame[1] for frame in game.stack if frame[0] == ASK_UNLOAD}
    abroad = set(game.group) if game.stack[-1][0] == ASK_BID or game.bids else set()
    owned = [boat for fleet in game.fleet for boat in fleet]
    assert len(owned) == len(set(owned))
    for boat, place in enumerate(game.place):
        hold = game.hold[boat]
        assert (boat in owned) == (place >= n.LEFT), n.BOATS[boat]
        assert len(hold) <= n.SLOTS[boat] and hold == tuple(sorted(hold))
        assert hold.count(n.SALMON << 3) <= 1
        if place != n.SEA:
            assert not hold or boat in unloading or boat in abroad
        kinds = {barrel >> 3 for barrel in hold}
        if not n.IS_BARGE[boat] and boat != n.BLUE:
            assert len(kinds) <= 1 and (n.SALMON not in kinds or len(hold) == 1)
        if boat == n.BLUE:
            assert len(kinds) <= 2 and not game.rented[boat]
        assert not game.rented[boat] or boat in owned
    for fleet, ports in zip(game.fleet, game.ports):
        places = [game.place[boat] for boat in fleet]
        barges = [boat for boat in fleet if n.IS_BARGE[boat] and game.place[boat] < n.SEA]
        assert places.count(n.LEFT) <= 1 and places.count(n.CENTRAL) <= (ports >= 2)
        assert places.count(n.RIGHT) <= (2 if ports == 3 else 0)
        for barge in barges:
            assert game.place[barge] == n.RIGHT and places.count(n.RIGHT) == 1


def check_boards(game: State) -> None:
    fish = {board for board in game.in_play if board < 15}
    assert not fish & set(game.box_fish) and not set(game.in_play) & set(game.box_external)
    assert (
        game.in_play == tuple(sorted(game.in_play))
        and sum(1 << board for board in game.in_play) == game.present
    )
    if game.present >> n.BANK & 1:
        assert game.loans_left + sum(game.loans) == n.LOANS
        assert game.shares_left + sum(game.shares) == n.SHARES
    if game.present >> n.RENTALS & 1 and not game.closed >> n.RENTALS & 1:
        assert game.freezers_left + sum(map(len, game.freezers)) == n.FREEZERS
        assert game.carts_left + sum(map(len, game.carts)) == n.CARTS
    if game.present >> n.INFLUENCE & 1:
        assert game.buyers_left + sum(game.buyers) + sum(map(len, game.callers)) == n.BUYERS
        assert 0 <= game.expansions_left <= n.EXPANSIONS
    if game.present >> n.SHIP_RENTAL & 1 and not game.closed >> n.SHIP_RENTAL & 1:
        assert game.rentals_left + sum(map(bool, game.rented)) == n.RENTALS_LEFT
    assert game.crashing or not game.crashed
    for number, tanks in enumerate(n.TANKS.values()):
        for sorts, _, room in tanks:
            assert sum(game.tanks[number][sort] for sort in sorts) <= room
    assert sum(game.gifts[0]) <= n.GIFTS_300 and sum(game.gifts[1]) <= n.GIFTS_200
