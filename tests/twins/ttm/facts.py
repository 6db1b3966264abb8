"""The whole state in names; see README.md for the form."""

from .names import (
    AQUARIUM,
    BANK,
    BOARDS,
    BOATS,
    EEL,
    FISH_MARKETS,
    GOVERNMENT,
    INFLUENCE,
    MARKET_OF,
    NEW_AQUARIUM,
    PLACES,
    RENTALS,
    SARDINES,
    SHIP_RENTAL,
    SORTS,
    SUSHI,
    SWORDFISH,
    TRADES,
    TRADING,
    barrel_name,
    item_name,
    piece_name,
)  # fmt: skip
from .state import State
from .worth import resources


def facts(game: State) -> dict[str, object]:
    names = [BOARDS[board] for board in game.in_play]
    return {
        "turn": game.turn,
        "active": game.active,
        "start_player": game.start,
        "ap": game.ap,
        "cart_ap": game.cart_ap,
        "trigger": {"seat": game.trigger, "ending": game.trigger_name},
        "over": game.over,
        "ending": game.ending,
        "in_play": names,
        "fish_box": [BOARDS[board] for board in game.box_fish],
        "external_box": [BOARDS[board] for board in game.box_external],
        "seats": {str(seat): seat_facts(game, seat) for seat in range(1, game.seats + 1)},
        "boats": {name: boat_facts(game, boat) for boat, name in enumerate(BOATS)},
        "boards": {
            BOARDS[board]: fish_facts(game, board) if board < 15 else external_facts(game, board)
            for board in game.in_play
        },
        "box": {
            "barrels": {FISH_MARKETS[m]: n for m, n in enumerate(game.box_barrels) if n},
            "tokens": {"swordfish": game.box_swordfish} if game.box_swordfish else {},
        },
        "landed": {
            "spider_crab": game.landed_crab,
            "tuna": game.landed_tuna,
            "swordfish": game.landed_swordfish,
        },
        "lot": lot_facts(game),
    }


def sorts(heap: tuple[int, ...] | list[int]) -> dict[str, int]:
    return {SORTS[sort]: number for sort, number in enumerate(heap) if number}


def lot_facts(game: State) -> dict[str, int]:
    """Tokens between board and winner; those of an Auction or a Barter are still their owner's."""
    if game.prize >= 0:
        return {SORTS[game.prize]: 1}
    return sorts(game.lot) if game.group and game.bids else {}


def seat_facts(game: State, seat: int) -> dict[str, object]:
    licences, harbor = game.licences[seat], game.harbor[seat]
    return {
        "cash": game.cash[seat] * 100,
        "resources": resources(game, seat),
        "open_ports": game.ports[seat],
        "free_spaces": game.free_spaces[seat],
        "licences": {FISH_MARKETS[market]: licences.count(market) for market in dict.fromkeys(licences)},
        "himono": {
            f"himono_{rack}": sorted([item_name(item) for item in game.rack[rack]])
            for rack in (1, 2, 3)
            if game.racks_of[rack] == seat
        },
        "freezers": list(game.freezers[seat]),
        "carts": list(game.carts[seat]),
        "buyers": game.buyers[seat],
        "callers": list(game.callers[seat]),
        "loans": game.loans[seat],
        "shares": game.shares[seat],
        "tokens": sorts(game.tokens[seat]),
        "harbor": {piece_name(cell): harbor.count(cell) for cell in dict.fromkeys(harbor)},
    }


def boat_facts(game: State, boat: int) -> dict[str, object]:
    owners = [seat for seat in range(1, game.seats + 1) if boat in game.fleet[seat]]
    return {
        "at": PLACES[game.place[boat]],
        "owner": owners[0] if owners else 0,
        "rented": PLACES[game.rented[boat]] if game.rented[boat] else "",
        "hold": [barrel_name(barrel) for barrel in game.hold[boat]],
    }


def fish_facts(game: State, market: int) -> dict[str, object]:
    found: dict[str, object] = {
        "barrels": game.barrels[market],
        "licences": game.licences_left[market],
        "tokens": sorts([n if MARKET_OF[sort] == market else 0 for sort, n in enumerate(game.stock)]),
        "overfished": bool(game.over_fished >> market & 1),
    }
    if market == EEL:
        found["marker"] = game.eel
    elif market == SWORDFISH:
        found["marker"] = game.swordfish
    elif market == SARDINES:
        found["iwashi"] = game.iwashi
    return found


def external_facts(game: State, board: int) -> dict[str, object]:
    found: dict[str, object] = {
        "closed": bool(game.closed >> board & 1),
        "crashed": bool(game.crashed >> board & 1),
    }
    if board in (AQUARIUM, NEW_AQUARIUM):
        found["tokens"] = sorts(game.tanks[board == NEW_AQUARIUM])
    elif board == GOVERNMENT:
        found["spaces"] = {"300": sorts(game.gifts[0]), "200": sorts(game.gifts[1])}
    elif board == TRADING:
        found["spaces"] = {str(least): sorts(heap) for (least, _), heap in zip(TRADES, game.trades)}
    elif board == SUSHI:
        found["spaces"] = {str(space + 1): sorts(heap) for space, heap in enumerate(game.plates)}
    elif board == BANK:
        found |= {"loans": game.loans_left, "shares": game.shares_left}
    elif board == RENTALS:
        found |= {"freezers": game.freezers_left, "carts": game.carts_left}
    elif board == INFLUENCE:
        found |= {"buyers": game.buyers_left, "expansions": game.expansions_left}
    elif board == SHIP_RENTAL:
        found["rentals"] = game.rentals_left
    return found
