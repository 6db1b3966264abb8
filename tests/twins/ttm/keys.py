"""Options as integers, `verb << 20 | argument`, and their keys, which never depend on the state."""

from collections.abc import Callable
from functools import cache

from .names import (
    BOARDS,
    BOATS,
    FISH_MARKETS,
    PLACES,
    ROWS,
    SORTS,
    TRADES,
    barrel_name,
    piece_name,
)  # fmt: skip

SHIFT = 20
ARGUMENT = (1 << SHIFT) - 1

Name = Callable[[int], str]
_names: list[Name] = []


def verb(name: Name) -> int:
    """The code of the verb with argument 0; adding the argument gives the option."""
    _names.append(name)
    return len(_names) - 1 << SHIFT


def fixed(key: str) -> int:
    return verb(lambda _: key)


@cache
def key(code: int) -> str:
    return _names[code >> SHIFT](code & ARGUMENT)


def verbs() -> int:
    return len(_names)


def licence_name(licence: int) -> str:
    """A market, or from 15 on Himono licence 1, 2, 3."""
    return FISH_MARKETS[licence] if licence < 15 else f"himono_{licence - 14}"


def _pair_piece(piece: int) -> str:
    """A Mackerel to be sold: a token, or row and price of a Barrel."""
    return f"{ROWS[piece >> 6 & 1]}/{(piece & 63) * 100}" if piece & 63 else "token"


# Start of turn, turn.
FREEZER = verb(lambda n: f"freezer/{n}")
BUY_OWN = verb(lambda price: f"buy_own/{price * 100}")
GO_ON = fixed("go_on")
FISH = fixed("fish")
SHOP = fixed("shop")
VISIT = verb(lambda board: f"visit/{BOARDS[board]}")
THROW_BACK = verb(lambda n: f"throw_back/{BOATS[n >> 7]}/{barrel_name(n & 127)}")
END = fixed("end")
PAY_AP = fixed("pay/ap")
PAY_YEN = fixed("pay/yen")
PAY_TAKOYAKI = fixed("pay/takoyaki")
PAY_PIECE = verb(lambda cell: f"pay/{piece_name(cell)}")

# Free actions.
OPEN_PORT = fixed("open_port")
RETURN = verb(lambda licence: f"return_licence/{licence_name(licence)}")
TRANSFER = verb(lambda n: f"transfer/{barrel_name(n >> 10)}/{BOATS[n >> 5 & 31]}/{BOATS[n & 31]}")
SALT_TOKEN = verb(lambda market: f"salt/token/{FISH_MARKETS[market]}")
SALT_BARREL = verb(lambda cell: f"salt/barrel/{piece_name(cell)}")
CART = verb(lambda uses: f"cart/{uses}")
BUYER = verb(lambda seat: f"buyer/{seat}")

# Fishing.
UNDOCK = verb(lambda boat: f"undock/{BOATS[boat]}")
CATCH = verb(lambda n: f"catch/{BOATS[n >> 4]}/{FISH_MARKETS[n & 15]}")
DOCK = verb(lambda n: f"dock/{BOATS[n >> 3]}/{PLACES[n & 7]}")
GO_ABROAD = fixed("foreign")
REPRICE = verb(lambda n: f"reprice/{piece_name(n >> 6)}/{(n & 63) * 100}")
FISHING_DONE = fixed("done")
USE_LICENCE = verb(lambda licence: f"licence/{licence_name(licence)}")
TAKE = verb(lambda n: f"take/{n}")
AGAIN = verb(lambda market: f"again/{FISH_MARKETS[market]}")
ENOUGH = fixed("enough")
ADD = verb(lambda boat: f"add/{BOATS[boat]}")
GO = fixed("go")
UNLOAD = verb(lambda n: f"unload/{FISH_MARKETS[n >> 1]}" + ("/himono" if n & 1 else ""))
RACK = verb(lambda licence: f"rack/himono_{licence}")
PRICE = verb(lambda price: f"price/{price * 100}")

# Auctions.
BID = verb(lambda amount: f"bid/{amount * 100}")
TIE = verb(lambda seat: f"tie/{seat}")
ACCEPT = verb(lambda seat: f"accept/{seat}")
DECLINE = fixed("decline")
LOT = verb(lambda n: f"lot/{SORTS[n >> 6]}/{n & 63}")

# Shopping.
BUY = verb(lambda n: f"buy/{n >> 11}/{piece_name(n & 2047)}")
SHOP_DONE = fixed("done")

# Visits.
LICENCE = fixed("licence")
SELL_MANY = verb(lambda n: f"sell/{n}")
SELL_PAIR = verb(lambda n: f"sell/{_pair_piece(n >> 7)}/{_pair_piece(n & 127)}")
SELL_ONE = fixed("sell")
SELL_SORT = verb(lambda sort: f"sell/{SORTS[sort]}")
GRILL = fixed("grill")
IWASHI = fixed("iwashi")
FILL_TANK = verb(lambda sort: f"sell/{SORTS[sort]}")
HOLD = fixed("hold")
BORROW = fixed("borrow")
INVEST = fixed("invest")
OFFER = fixed("offer")
GIVE_300 = verb(lambda sort: f"give/300/{SORTS[sort]}")
GIVE_200 = verb(lambda sort: f"give/200/{SORTS[sort]}")
RENT_FREEZER = fixed("rent/freezer")
RENT_CART = fixed("rent/cart")
BUY_BOAT = verb(lambda n: f"buy/{BOATS[n >> 3]}/{PLACES[n & 7]}")
TRADE_IN = verb(lambda n: f"trade_in/{BOATS[n >> 3]}/{PLACES[n & 7]}")
SELL_BOAT = verb(lambda boat: f"sell/{BOATS[boat]}")
TRADE = verb(lambda space: f"trade/{TRADES[space][0]}")
SWAP = verb(lambda space: f"swap/{TRADES[space][0]}")
HIRE = fixed("hire")
EXPAND_FISH = fixed("expand/fish")
EXPAND_EXTERNAL = fixed("expand/external")
RENT_BOAT = verb(lambda n: f"rent/{BOATS[n >> 3]}/{PLACES[n & 7]}")
SERVE = verb(lambda space: f"serve/{space + 1}")
VISIT_DONE = fixed("done")

PRICES = list(range(PRICE + 1, PRICE + 51))
