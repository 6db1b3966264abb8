"""Boats and Himono licences, wherever they appear: which are alike, what they have room for."""

from .names import BOAT_SORT, GIVEN_UP, IS_BARGE, SALMON, SEA, SLOTS
from .state import State


def distinct_boats(game: State, boats: list[int]) -> list[int]:
    """Of boats that are alike only the lowest; they come in order."""
    before = -1
    for boat in boats:
        if BOAT_SORT[boat] == before:
            break
        before = BOAT_SORT[boat]
    else:  # no two of a sort
        return boats
    seen, kept = [], []
    for boat in boats:
        look = (
            BOAT_SORT[boat],
            game.place[boat],
            game.hold[boat],
            game.rented[boat],
            game.used_boats >> boat & 1,
        )
        if look not in seen:
            seen.append(look)
            kept.append(boat)
    return kept


def has_room(game: State, boat: int, market: int) -> bool:
    """A slot for a Barrel of this market; no boat ever holds two Salmon."""
    hold = game.hold[boat]
    return len(hold) < SLOTS[boat] and (market != SALMON or SALMON << 3 not in hold)


def at_sea(game: State, seat: int) -> list[int]:
    return [boat for boat in game.fleet[seat] if game.place[boat] == SEA]


def ships_with(game: State, seat: int, market: int) -> int:
    """The seat's Ships at sea with a Barrel of this market, Barges not counted."""
    count = 0
    for boat in game.fleet[seat]:
        if game.place[boat] == SEA and not IS_BARGE[boat]:
            for barrel in game.hold[boat]:
                if barrel >> 3 == market:
                    count += 1
                    break
    return count


# ---------------------------------------------------------------------------------------- Himono licences


def racks(game: State, seat: int) -> list[int]:
    """The seat's Himono licences."""
    return [rack for rack in (1, 2, 3) if game.racks_of[rack] == seat]


def catch_of(game: State, seat: int, rack: int) -> list[int]:
    """Its fish in holds, as boat and market in one number."""
    return [
        boat << 4 | barrel >> 3
        for boat in game.fleet[seat]
        for barrel in game.hold[boat]
        if barrel & 7 == rack
    ]


def distinct_racks(game: State, seat: int, among: list[int]) -> list[int]:
    """Of Himono licences that are alike only the lowest."""
    if len(among) < 2:
        return among
    seen, kept = [], []
    for rack in among:
        look = (game.rack[rack], game.used_racks >> rack & 1, catch_of(game, seat, rack))
        if look not in seen:
            seen.append(look)
            kept.append(rack)
    return kept


def distinct_barrels(game: State, boat: int) -> list[int]:
    """Of alike Barrels in a hold one, also where alike Himono licences caught them (R-TTM-127)."""
    barrels = list(dict.fromkeys(game.hold[boat]))
    if not any([barrel & 7 for barrel in barrels]):
        return barrels
    kept: list[int] = []
    for barrel in barrels:  # that of the lowest licence comes first
        before = [other & 7 for other in kept if other >> 3 == barrel >> 3 and caught(other) and caught(barrel)]
        if not any([len(distinct_racks(game, game.active, [rack, barrel & 7])) == 1 for rack in before]):
            kept.append(barrel)
    return kept


def caught(barrel: int) -> bool:
    """Whether a Himono licence that is still held has caught it."""
    return 0 < barrel & 7 < GIVEN_UP


def roomy_racks(game: State, seat: int) -> list[int]:
    """Himono licences with room for an item, unlike ones."""
    return distinct_racks(game, seat, [rack for rack in racks(game, seat) if len(game.rack[rack]) < 2])
