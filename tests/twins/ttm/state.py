"""The state of one game, and the small moves everything else is made of.

- Seats are 1-based; place 0 of lists by seat is not used. Money counts in ¥100.
- Tuples are replaced, never changed, so that copies share them; sets of boards or boats are bit masks.
- `stack` holds the questions in progress, the innermost last: a kind (ASK_...) and what it needs to know.
  It is all the control state there is, so a copy can be made at any decision.
"""

from bisect import bisect_left
from typing import TypeVar

from ..base import Chance
from .names import (
    ABROAD,
    AQUARIUM,
    AT_SHIPS,
    BANK,
    BARRELS,
    BOARDS,
    BUYERS,
    CARTS,
    CENTRAL,
    CLAMS,
    CLOSING,
    CRAB,
    CRABS,
    CRASHING,
    EXPANSIONS,
    FISH_MARKETS,
    FREEZERS,
    GIFTS_200,
    GIFTS_300,
    GIVEN_UP,
    GOVERNMENT,
    HIMONO,
    INFLUENCE,
    IS_BARGE,
    JACK,
    LEFT,
    LICENCES,
    LOANS,
    MACKEREL,
    MARKET_OF,
    NEVER_ENTERED,
    NEW_AQUARIUM,
    NO_TOKENS,
    NORI,
    NUMBER,
    RENTALS,
    RENTALS_LEFT,
    RIGHT,
    ROOM,
    SALMON,
    SARDINES,
    SEA,
    SHARES,
    SHELLS,
    SHIP_RENTAL,
    SHIPS,
    SORT_NUMBER,
    SORTS,
    SUSHI,
    SWORDFISH_START,
    T_JACK,
    T_NORI,
    T_SALMON_4,
    TOKEN_OF,
    TOKENS,
    TRADING,
    TUNA,
    TUNAS,
)  # fmt: skip

Frame = tuple[int, ...]
Heap = tuple[int, ...]
Thing = TypeVar("Thing")
Forced = tuple[()] | tuple["Forced", int, int]  # the earlier ones, seat, code

(
    ASK_TURN, ASK_START, ASK_PAY, ASK_FISHING, ASK_LICENCE, ASK_TAKE, ASK_AGAIN, ASK_GROUP, ASK_UNLOAD,
    ASK_RACK, ASK_PRICE, ASK_BID, ASK_TIE, ASK_ACCEPT, ASK_LOT, ASK_SHOP, ASK_VISIT, CONVERT, CALLERS, OVER,
) = range(20)  # fmt: skip

# What a token comes from: the markets with a bag.
BAG: dict[int, tuple[int, ...]] = {CRAB: CRABS, TUNA: TUNAS, CLAMS: SHELLS}
OTHER_AQUARIUM = {AQUARIUM: NEW_AQUARIUM, NEW_AQUARIUM: AQUARIUM}


def with_one(things: tuple[int, ...], thing: int) -> tuple[int, ...]:
    """A sorted tuple and one more."""
    place = bisect_left(things, thing)
    return things[:place] + (thing,) + things[place:]


def without(things: tuple[int, ...], thing: int) -> tuple[int, ...]:
    place = things.index(thing)
    return things[:place] + things[place + 1 :]


def replaced(things: tuple[Thing, ...], place: int, thing: Thing) -> tuple[Thing, ...]:
    return things[:place] + (thing,) + things[place + 1 :]


def added(heap: Heap, sort: int, number: int = 1) -> Heap:
    """A heap of tokens (how many of each sort) and more of one sort."""
    return heap[:sort] + (heap[sort] + number,) + heap[sort + 1 :]


class State:
    __slots__ = (
        # Fixed for the game.
        "chance", "clock", "crashing", "expansion", "open_knowledge", "seats", "skip_forced", "start",
        # By seat.
        "buyers", "callers", "carts", "cash", "fleet", "free_spaces", "freezers", "harbor", "licences",
        "loans", "ports", "shares", "tokens",
        # By boat; by Himono licence (1 to 3).
        "hold", "place", "rented", "rack", "racks_of",
        # Boards: in play, to be entered, sets; by Fish Market; by sort of token; others' contents.
        "in_play", "open_boards", "present", "over_fished", "crashed", "closed", "box_fish", "box_external",
        "barrels", "box_barrels", "licences_left", "stock", "eel", "swordfish", "iwashi", "box_swordfish",
        "tanks", "gifts", "trades", "plates",
        "loans_left", "shares_left", "freezers_left", "carts_left", "buyers_left", "expansions_left",
        "rentals_left",
        # The turn.
        "active", "turn", "ap", "cart_ap", "acted", "visited", "trigger", "trigger_name", "over", "ending",
        "scores",
        # The Fishing action.
        "used_boats", "used_licences", "used_racks", "landed", "landed_crab", "landed_tuna",
        "landed_swordfish", "repriced", "group",
        # The visit; the purchase.
        "did_one", "bought", "gave_back", "bonus_paid", "traded", "shopping", "deferred",
        # The auction.
        "bids", "lot", "prize",
        # Control.
        "stack", "now", "seat", "_forced",
    )  # fmt: skip

    seats: int
    chance: Chance

    def __init__(self, seats: int, chance: Chance) -> None:
        each = range(seats + 1)
        self.seats = seats
        self.chance = chance
        self.clock = 0
        self.crashing = self.expansion = self.open_knowledge = False
        self.skip_forced = True
        self.start = 1

        self.cash = [0 for _ in each]
        self.ports = [1 for _ in each]
        self.free_spaces = [0 for _ in each]
        self.licences: list[tuple[int, ...]] = [() for _ in each]
        self.harbor: list[tuple[int, ...]] = [() for _ in each]
        self.fleet: list[tuple[int, ...]] = [() for _ in each]
        self.tokens = [list(NO_TOKENS) for _ in each]
        self.loans = [0 for _ in each]
        self.shares = [0 for _ in each]
        self.freezers: list[tuple[int, ...]] = [() for _ in each]  # uses left of each
        self.carts: list[tuple[int, ...]] = [() for _ in each]
        self.buyers = [0 for _ in each]  # held, not yet sent
        self.callers: list[tuple[int, ...]] = [() for _ in each]  # whose Buyers lie at this seat

        self.hold: list[tuple[int, ...]] = [() for _ in range(18)]
        self.place = [0] * 18
        self.rented: tuple[int, ...] = (0,) * 18  # the place it goes back to
        self.racks_of: tuple[int, ...] = (0, 0, 0, 0)  # who holds Himono licence 1, 2, 3
        self.rack: tuple[tuple[int, ...], ...] = ((), (), (), ())  # and the items on it

        self.in_play: tuple[int, ...] = ()
        self.open_boards: tuple[int, ...] = ()
        self.present = 0
        self.over_fished = 0
        self.crashed = 0
        self.closed = 0
        self.box_fish: tuple[int, ...] = ()
        self.box_external: tuple[int, ...] = ()
        self.barrels = [0] * 15
        self.box_barrels = [0] * 15
        self.licences_left = [0] * 15
        self.stock = [0] * 22
        self.eel = 1
        self.swordfish = SWORDFISH_START
        self.iwashi = 0
        self.box_swordfish = 0
        self.tanks: tuple[Heap, Heap] = (NO_TOKENS, NO_TOKENS)  # Aquarium, New Aquarium
        self.gifts: tuple[Heap, Heap] = (NO_TOKENS, NO_TOKENS)  # Government, ¥300 and ¥200
        self.trades: tuple[Heap, ...] = ((),) * 5
        self.plates: tuple[Heap, ...] = ((),) * 5
        self.loans_left = self.shares_left = self.freezers_left = self.carts_left = 0
        self.buyers_left = self.expansions_left = self.rentals_left = 0

        self.active = 1
        self.turn = self.ap = self.cart_ap = 0
        self.acted = False
        self.visited = 0
        self.trigger = 0
        self.trigger_name = ""
        self.over = False
        self.ending = ""
        self.scores: dict[int, int] = {}

        self.used_boats = 0
        self.used_licences: tuple[int, ...] = ()
        self.used_racks = 0
        self.landed = self.landed_crab = self.landed_tuna = self.landed_swordfish = 0
        self.repriced: tuple[int, ...] = ()
        self.group: tuple[int, ...] = ()

        self.did_one = False
        self.bought = 0
        self.gave_back = 0
        self.bonus_paid = False
        self.traded = 0
        self.shopping = 0
        self.deferred: tuple[int, ...] = ()

        self.bids: tuple[int, ...] = ()
        self.lot: Heap = ()
        self.prize = -1

        self.stack: list[Frame] = []
        self.now: list[int] = []
        self.seat = 0
        self._forced: Forced = ()

    # ------------------------------------------------------------------------------------------- Fish Markets

    def has_token(self, market: int) -> bool:
        """Is there a token to be gained from it? (Tokens on the Iwashi area are not: R-TTM-34.)"""
        stock = self.stock
        if market in BAG:
            return any([stock[sort] for sort in BAG[market]])
        return stock[TOKEN_OF[market]] > 0

    def check(self, market: int) -> None:
        """After a Barrel or a token has left a market: is it overfished?"""
        if self.over_fished >> market & 1:
            return
        if self.barrels[market] and (self.has_token(market) or (market == SARDINES and self.iwashi)):
            return
        self.over_fished |= 1 << market
        self.box_barrels[market] += self.barrels[market]
        self.barrels[market] = 0
        if self.shopping and (market in (JACK, NORI)):
            self.deferred += (market,)
        else:
            self.aftermath(market)

    def aftermath(self, market: int) -> None:
        """What overfishing brings: for all but two markets only a new one."""
        if market == JACK:
            for seat in range(1, self.seats + 1):
                self.cash[seat] += 2 * self.tokens[seat][T_JACK]
            if MACKEREL in self.box_fish:
                self.bring(MACKEREL)
        elif market == NORI:
            for seat in range(1, self.seats + 1):
                self.cash[seat] -= min(self.cash[seat], self.tokens[seat][T_NORI])
        self.draw_fish_market()

    def barrel_home(self, market: int) -> None:
        if self.over_fished >> market & 1:
            self.box_barrels[market] += 1
        else:
            self.barrels[market] += 1

    def gain_token(self, seat: int, market: int, *, degraded: bool = False) -> int:
        """The seat takes a token of the market, which has one. Which sort it was."""
        if market in BAG:
            sort = self.draw_token(market)
            self.tokens[seat][sort] += 1
            return sort
        sort = TOKEN_OF[market]
        self.stock[sort] -= 1
        if degraded and market == SALMON:
            sort = T_SALMON_4
        self.tokens[seat][sort] += 1
        self.check(market)
        return sort

    def draw_token(self, market: int) -> int:
        """A token leaves the bag; chance says which."""
        weights = {SORTS[sort]: self.stock[sort] for sort in BAG[market] if self.stock[sort]}
        sort = SORT_NUMBER[self.chance.pick(FISH_MARKETS[market], weights)]
        self.stock[sort] -= 1
        self.check(market)
        return sort

    # ------------------------------------------------------------------------------------------- licences

    def take_licence(self, seat: int, market: int) -> None:
        self.licences_left[market] -= 1
        self.licences[seat] = with_one(self.licences[seat], market)
        self.free_spaces[seat] -= 1
        if market == HIMONO:
            self.racks_of = replaced(self.racks_of, self.racks_of.index(0, 1), seat)

    def give_back_licence(self, seat: int, market: int) -> None:
        """A used one goes first (R-TTM-100). For Himono licences use `give_back_rack`."""
        self.licences_left[market] += 1
        self.licences[seat] = without(self.licences[seat], market)
        self.free_spaces[seat] += 1
        self.gave_back |= 1 << market
        if market in self.used_licences:
            self.used_licences = without(self.used_licences, market)

    def give_back_rack(self, seat: int, rack: int) -> None:
        """A Himono licence: its items return, its fish at sea stays, and belongs to no licence any more."""
        for item in self.rack[rack]:
            self.item_home(item)
        self.rack = replaced(self.rack, rack, ())
        self.racks_of = replaced(self.racks_of, rack, 0)
        for boat in self.fleet[seat]:
            hold = self.hold[boat]
            if any([barrel & 7 == rack for barrel in hold]):
                self.hold[boat] = tuple(
                    sorted([barrel & ~7 | GIVEN_UP if barrel & 7 == rack else barrel for barrel in hold])
                )
        self.used_racks &= ~(1 << rack)
        self.give_back_licence(seat, HIMONO)

    def item_home(self, item: int) -> None:
        if item & 1:
            self.barrel_home(item >> 1)
        else:
            self.stock[TOKEN_OF[item >> 1]] += 1

    # ------------------------------------------------------------------------------------------- boards

    def draw_fish_market(self) -> None:
        if self.box_fish:
            self.bring(self.draw_board("fish_market", self.box_fish))

    def draw_external_market(self) -> None:
        """In the expansion the two Aquariums come together (6.3, R-TTM-63)."""
        if self.box_external:
            board = self.draw_board("external_market", self.box_external)
            self.bring(board)
            other = OTHER_AQUARIUM.get(board)
            if other in self.box_external:
                self.bring(other)

    def draw_board(self, what: str, pile: tuple[int, ...]) -> int:
        if self.open_knowledge:
            return pile[0]
        return NUMBER[self.chance.pick(what, {BOARDS[board]: 1 for board in pile})]

    def bring(self, board: int) -> None:
        """A board comes into play, stocked as if nobody had a licence (R-TTM-67)."""
        self.in_play = with_one(self.in_play, board)
        self.present |= 1 << board
        if board not in NEVER_ENTERED:
            self.open_boards = with_one(self.open_boards, board)
        if board < 15:
            self.box_fish = without(self.box_fish, board)
            self.barrels[board] = min(9, 2 * self.seats + 1) if board == NORI else BARRELS[board]
            self.licences_left[board] = self.seats if board in (MACKEREL, JACK, NORI) else LICENCES[board]
            for sort, market in enumerate(MARKET_OF):
                if market == board:
                    self.stock[sort] = TOKENS[sort]
            return
        self.box_external = without(self.box_external, board)
        if board == BANK:
            self.loans_left, self.shares_left = LOANS, SHARES
        elif board == RENTALS:
            self.freezers_left, self.carts_left = FREEZERS, CARTS
        elif board == INFLUENCE:
            self.buyers_left, self.expansions_left = BUYERS, EXPANSIONS
        elif board == SHIP_RENTAL:
            self.rentals_left = RENTALS_LEFT

    def check_crash(self, board: int) -> None:
        """The variant of 6.3: an exhausted External Market brings another one, and some close for good."""
        bit = 1 << board
        if not self.crashing or self.crashed & bit or not CRASHING & bit or not self.exhausted(board):
            return
        self.crashed |= bit
        if CLOSING & bit:
            self.closed |= bit
            self.open_boards = without(self.open_boards, board)
        self.draw_external_market()

    def exhausted(self, board: int) -> bool:
        if board == SHIPS:
            return AT_SHIPS not in self.place
        if board in ROOM:
            return sum(self.tanks[board == NEW_AQUARIUM]) == ROOM[board]
        if board == GOVERNMENT:
            return (sum(self.gifts[0]), sum(self.gifts[1])) == (GIFTS_300, GIFTS_200)
        if board == TRADING:
            return () not in self.trades
        if board == SUSHI:
            return () not in self.plates
        if board == BANK:
            return not self.loans_left and not self.shares_left
        if board == RENTALS:
            return not self.freezers_left and not self.carts_left
        if board == SHIP_RENTAL:
            return not self.rentals_left
        assert board == INFLUENCE
        return not self.buyers_left and not self.expansions_left

    # ------------------------------------------------------------------------------------------- boats

    def free_ports(self, seat: int, boat: int, without_boat: int = -1) -> list[int]:
        """The ports of the seat where the boat fits, as if `without_boat` were not there."""
        left = central = True
        right = 2
        for other in self.fleet[seat]:
            place = self.place[other]
            if place in (SEA, ABROAD) or other == without_boat:
                continue
            if place == LEFT:
                left = False
            elif place == CENTRAL:
                central = False
            else:
                right -= 2 if IS_BARGE[other] else 1
        ports = self.ports[seat]
        if IS_BARGE[boat]:
            return [RIGHT] if ports == 3 and right == 2 else []
        fitting = [LEFT] if left else []
        if central and ports >= 2:
            fitting.append(CENTRAL)
        if right > 0 and ports == 3:
            fitting.append(RIGHT)
        return fitting

    def gain_boat(self, seat: int, boat: int, port: int) -> None:
        self.fleet[seat] = with_one(self.fleet[seat], boat)
        self.place[boat] = port

    def lose_boat(self, seat: int, boat: int, place: int) -> None:
        self.fleet[seat] = without(self.fleet[seat], boat)
        self.place[boat] = place

    # ------------------------------------------------------------------------------------------- copying

    def copy_into(self, new: "State") -> None:
        """Everything; what is changed in place is copied."""
        new.chance = self.chance
        new.clock = self.clock
        new.crashing = self.crashing
        new.expansion = self.expansion
        new.open_knowledge = self.open_knowledge
        new.seats = self.seats
        new.skip_forced = self.skip_forced
        new.start = self.start
        new.buyers = self.buyers[:]
        new.callers = self.callers[:]
        new.carts = self.carts[:]
        new.cash = self.cash[:]
        new.fleet = self.fleet[:]
        new.free_spaces = self.free_spaces[:]
        new.freezers = self.freezers[:]
        new.harbor = self.harbor[:]
        new.licences = self.licences[:]
        new.loans = self.loans[:]
        new.ports = self.ports[:]
        new.shares = self.shares[:]
        new.tokens = [tokens[:] for tokens in self.tokens]
        new.hold = self.hold[:]
        new.place = self.place[:]
        new.rented = self.rented
        new.racks_of = self.racks_of
        new.rack = self.rack
        new.in_play = self.in_play
        new.open_boards = self.open_boards
        new.present = self.present
        new.over_fished = self.over_fished
        new.crashed = self.crashed
        new.closed = self.closed
        new.box_fish = self.box_fish
        new.box_external = self.box_external
        new.barrels = self.barrels[:]
        new.box_barrels = self.box_barrels[:]
        new.licences_left = self.licences_left[:]
        new.stock = self.stock[:]
        new.eel = self.eel
        new.swordfish = self.swordfish
        new.iwashi = self.iwashi
        new.box_swordfish = self.box_swordfish
        new.tanks = self.tanks
        new.gifts = self.gifts
        new.trades = self.trades
        new.plates = self.plates
        new.loans_left = self.loans_left
        new.shares_left = self.shares_left
        new.freezers_left = self.freezers_left
        new.carts_left = self.carts_left
        new.buyers_left = self.buyers_left
        new.expansions_left = self.expansions_left
        new.rentals_left = self.rentals_left
        new.active = self.active
        new.turn = self.turn
        new.ap = self.ap
        new.cart_ap = self.cart_ap
        new.acted = self.acted
        new.visited = self.visited
        new.trigger = self.trigger
        new.trigger_name = self.trigger_name
        new.over = self.over
        new.ending = self.ending
        new.scores = self.scores  # replaced, never changed
        new.used_boats = self.used_boats
        new.used_licences = self.used_licences
        new.used_racks = self.used_racks
        new.landed = self.landed
        new.landed_crab = self.landed_crab
        new.landed_tuna = self.landed_tuna
        new.landed_swordfish = self.landed_swordfish
        new.repriced = self.repriced
        new.group = self.group
        new.did_one = self.did_one
        new.bought = self.bought
        new.gave_back = self.gave_back
        new.bonus_paid = self.bonus_paid
        new.traded = self.traded
        new.shopping = self.shopping
        new.deferred = self.deferred
        new.bids = self.bids
        new.lot = self.lot
        new.prize = self.prize
        new.stack = self.stack[:]
        new.now = self.now  # replaced, never changed
        new.seat = self.seat
        new._forced = self._forced
