"""Everything in the box by name and number. Small integers stand for things, and 1 stands for ¥100."""

# Fish Markets and their Barrels and licences, in the order of section 4 of the sheet.
FISH_MARKETS = (
    "eel", "fugu", "mackerel", "octopus", "red_snapper", "salmon", "spider_crab", "squid", "tuna",
    "clams_oysters", "himono", "jack_mackerel", "nori", "sardines", "swordfish",
)  # fmt: skip
(
    EEL, FUGU, MACKEREL, OCTOPUS, SNAPPER, SALMON, CRAB, SQUID, TUNA,
    CLAMS, HIMONO, JACK, NORI, SARDINES, SWORDFISH,
) = range(15)  # fmt: skip
SMALL_FISH = (MACKEREL, JACK, SARDINES)  # what a Himono licence catches and takes

EXTERNAL_MARKETS = (
    "aquarium", "auction", "bank", "barter", "government", "rentals", "ships", "trading", "used_ships",
    "foreign_market", "influence", "new_aquarium", "overfishing", "ship_rental", "sushi_shop",
)  # fmt: skip
(
    AQUARIUM, AUCTION, BANK, BARTER, GOVERNMENT, RENTALS, SHIPS, TRADING, USED_SHIPS,
    FOREIGN, INFLUENCE, NEW_AQUARIUM, OVERFISHING, SHIP_RENTAL, SUSHI,
) = range(15, 30)  # fmt: skip

BOARDS = FISH_MARKETS + EXTERNAL_MARKETS
NUMBER = {name: number for number, name in enumerate(BOARDS)}
BASE_FISH, ALL_FISH = range(9), range(15)
BASE_EXTERNAL, ALL_EXTERNAL = range(15, 24), range(15, 30)
NEVER_ENTERED = (FOREIGN, OVERFISHING)
ONCE_A_TURN = 1 << SALMON | 1 << JACK | 1 << NORI | 1 << GOVERNMENT | 1 << RENTALS
CLOSING = (
    1 << AQUARIUM
    | 1 << NEW_AQUARIUM
    | 1 << BANK
    | 1 << GOVERNMENT
    | 1 << RENTALS
    | 1 << SHIP_RENTAL
    | 1 << SUSHI
)
CRASHING = CLOSING | 1 << SHIPS | 1 << TRADING | 1 << INFLUENCE

# Fish tokens, in the canonical order of lots (R-TTM-122).
SORTS = (
    "eel", "fugu", "mackerel", "octopus", "takoyaki", "red_snapper", "salmon_fresh", "salmon_degraded",
    "crab_4", "crab_6", "crab_8", "squid", "tuna_15", "tuna_20", "tuna_25", "clam", "oyster",
    "himono", "jack_mackerel", "nori", "sardines", "swordfish",
)  # fmt: skip
(
    T_EEL, T_FUGU, T_MACKEREL, T_OCTOPUS, T_TAKOYAKI, T_SNAPPER, T_SALMON, T_SALMON_4,
    T_CRAB_4, T_CRAB_6, T_CRAB_8, T_SQUID, T_TUNA_15, T_TUNA_20, T_TUNA_25, T_CLAM, T_OYSTER,
    T_HIMONO, T_JACK, T_NORI, T_SARDINES, T_SWORDFISH,
) = range(22)  # fmt: skip
SORT_NUMBER = {name: number for number, name in enumerate(SORTS)}
NO_TOKENS = (0,) * 22
CRABS = (T_CRAB_4, T_CRAB_6, T_CRAB_8)
TUNAS = (T_TUNA_15, T_TUNA_20, T_TUNA_25)
SHELLS = (T_CLAM, T_OYSTER)
SALMONS = (T_SALMON, T_SALMON_4)  # in stock they all count as the first

MARKET_OF = (
    EEL, FUGU, MACKEREL, OCTOPUS, OCTOPUS, SNAPPER, SALMON, SALMON, CRAB, CRAB, CRAB, SQUID, TUNA, TUNA, TUNA,
    CLAMS, CLAMS, HIMONO, JACK, NORI, SARDINES, SWORDFISH,
)  # fmt: skip
# The token that a purchase at a market brings; bags start with their first sort.
TOKEN_OF = tuple(MARKET_OF.index(market) for market in ALL_FISH)
# At the Sushi Shop tokens of one shape are alike: Mackerel and Jack Mackerel, Clam and Oyster, all faces.
SHAPE = (0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, 8, 9, 9, 9, 10, 10, 11, 2, 12, 13, 14)
PRINTED = {T_CRAB_4: 4, T_CRAB_6: 6, T_CRAB_8: 8, T_TUNA_15: 15, T_TUNA_20: 20, T_TUNA_25: 25}

BARRELS = (6, 3, 15, 6, 8, 4, 8, 7, 6, 5, 5, 6, 9, 6, 5)  # A-TTM-01 to 04
LICENCES = (3, 1, 8, 3, 4, 4, 3, 4, 3, 3, 3, 6, 6, 2, 3)
TOKENS = (13, 7, 30, 8, 12, 15, 10, 0, 3, 3, 3, 10, 2, 2, 1, 6, 6, 8, 12, 9, 16, 8)  # A-TTM-05 to 07
LICENCE_PRICE = (5, 0, 1, 3, 3, 4, 8, 3, 10, 5, 4, 2, 0, 5, 6)
SARDINES_LAST_PRICE = 3
ONE_LICENCE_A_VISIT = (MACKEREL, HIMONO)
PER_AUCTION = {CRAB: 2, TUNA: 3, SWORDFISH: 2}
SWORDFISH_START, LAST_STEP = 6, 13

# Setup, by number of players.
EXTRA_FISH = (0, 0, 3, 4, 4, 5, 5)
EXTRA_EXTERNAL = (0, 0, 2, 2, 3, 3, 4)

# Boats.
BOAT_SORTS = ("one_slot", "two_slot", "three_slot", "four_slot", "six_slot_barge", "blue", "four_slot_barge")
(ONE_SLOT, TWO_SLOT, THREE_SLOT, FOUR_SLOT, SIX_BARGE, BLUE_SORT, FOUR_BARGE) = range(7)
BOAT_COUNTS = (6, 4, 3, 1, 1, 1, 2)
BOAT_SORT = tuple(sort for sort, count in enumerate(BOAT_COUNTS) for _ in range(count))
BOATS = tuple(
    f"{BOAT_SORTS[sort]}_{n}" for sort, count in enumerate(BOAT_COUNTS) for n in range(1, count + 1)
)
FIRST_OF_SORT = tuple(BOAT_SORT.index(sort) for sort in range(7))
BOAT_NUMBER = {name: number for number, name in enumerate(BOATS)}
SLOTS = tuple((1, 2, 3, 4, 6, 4, 4)[sort] for sort in BOAT_SORT)
IS_BARGE = tuple(sort in (SIX_BARGE, FOUR_BARGE) for sort in BOAT_SORT)
FIRST_BARGE = BOAT_NUMBER["six_slot_barge_1"]  # boats below are ordinary Ships
BLUE = BOAT_NUMBER["blue_1"]
NEW_PRICE = tuple((5, 10, 15, 20, 10, 20, 10)[sort] for sort in BOAT_SORT)
NEW_SALE = tuple((1, 1, 2, 2, 1, 2, 1)[sort] for sort in BOAT_SORT)
OLD_PRICE = tuple((3, 6, 9, 12, 6, 12, 6)[sort] for sort in BOAT_SORT)
OLD_SALE = tuple((2, 4, 6, 8, 4, 8, 4)[sort] for sort in BOAT_SORT)

PLACES = ("box", "ships", "used_ships", "left", "central", "right", "sea", "foreign_market")
(IN_BOX, AT_SHIPS, AT_USED, LEFT, CENTRAL, RIGHT, SEA, ABROAD) = range(8)

# A Barrel in a hold: market * 8 + who caught it (0, a Himono licence 1 to 3, or one that no longer matters).
GIVEN_UP = 4
# An item on a Himono licence: market * 2, plus 1 for a Barrel.
BARREL_ITEM = 1
# A piece on a harbor: type * 128 + row * 64 + price.
TAKOYAKI = 15
PIECE_PRICE = 63
TYPES = (*FISH_MARKETS, "takoyaki")
FRESH, DEGRADED = 0, 64
ROWS = ("fresh", "degraded")
HIGHEST_PRICE = 50  # A-TTM-22

# Money, in ¥100.
FIRST_MONEY, PORT_PRICE, RICH, STOCKED = 20, 5, 50, 50
LICENCE_SPACES = 4
LOANS, SHARES, FREEZERS, CARTS, BUYERS, EXPANSIONS, RENTALS_LEFT = 3, 2, 2, 2, 2, 2, 6
TRADES = ((2, 3), (3, 5), (4, 7), (5, 9), (10, 18))  # least R, yen
GIFTS_300, GIFTS_200 = 3, 10
SUSHI_PAYS = (1, 3, 7, 11, 16)
AUCTION_FEES = ((10, 5), (5, 3), (2, 2))  # from R, fee

# Aquariums: sorts, price, room (A-TTM-17, A-TTM-18).
TANKS: dict[int, tuple[tuple[tuple[int, ...], int, int], ...]] = {
    AQUARIUM: (
        ((T_MACKEREL, T_JACK), 2, 3), ((T_OCTOPUS,), 5, 2), ((T_SNAPPER,), 5, 2), ((T_EEL,), 7, 2),
        (SALMONS, 7, 2), ((T_SQUID,), 8, 1), ((T_FUGU,), 9, 1), (CRABS, 9, 1), (TUNAS, 20, 1),
    ),
    NEW_AQUARIUM: (
        ((T_SARDINES,), 2, 3), ((T_MACKEREL, T_JACK), 2, 3), (SHELLS, 5, 2), ((T_HIMONO,), 7, 2),
        ((T_NORI,), 8, 1), ((T_SWORDFISH,), 9, 1), (CRABS, 9, 1), (TUNAS, 20, 1),
    ),
}  # fmt: skip
ROOM = {board: sum(room for _, _, room in tanks) for board, tanks in TANKS.items()}
TANK_OF = {
    board: {sort: number for number, (sorts, _, _) in enumerate(tanks) for sort in sorts}
    for board, tanks in TANKS.items()
}


def barrel_name(barrel: int) -> str:
    """`mackerel`, `mackerel/himono_2`, `mackerel/himono`."""
    name, caught = FISH_MARKETS[barrel >> 3], barrel & 7
    if caught == 0:
        return name
    return f"{name}/himono" if caught == GIVEN_UP else f"{name}/himono_{caught}"


def piece_name(cell: int) -> str:
    """`mackerel/fresh/300`."""
    return f"{TYPES[cell >> 7]}/{ROWS[cell >> 6 & 1]}/{(cell & 63) * 100}"


def item_name(item: int) -> str:
    return f"{'barrel' if item & 1 else 'token'}/{FISH_MARKETS[item >> 1]}"
