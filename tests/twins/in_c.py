"""Tsukiji by hand in C, compiled where there is a compiler: to play whole games by the thousand, and to be looked into by the tests.

It packs its numbers as the twin in Python does. So after each answer they are read over, and whoever asks the twin asks those.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from ctypes import POINTER, byref, c_int, c_int32, c_longlong, c_uint8, c_uint16, c_uint64
from functools import cache
from pathlib import Path

from tests.twins.base import Chance
from tests.twins.tsukiji import (
    BUYING,
    CARD,
    DECK,
    KINDS,
    LAYING,
    MARKED,
    OVER,
    PRODUCTS,
    ROUNDS,
    TICKET,
    TICKETS,
    Tsukiji,
)

FLAGS = ("-O2", "-shared", "-fPIC", "-std=gnu11", "-Wall", "-Wextra", "-Werror")
SOURCE = Path(__file__).with_name("tsukiji.c")
BYTES = ("seats", "special_points", "phase", "seat", "to_lay", "turns", "start", "clock", "round", "unsold", "extras", "now", "priced", "arrivals")


class State(ctypes.Structure):
    """`Game` of `tsukiji.c`."""

    _fields_ = (
        ("columns", c_uint64 * 4), ("wild", c_uint64 * 4), ("offers", c_uint64 * 35),
        ("markers", c_int32 * 5), ("cash", c_int32 * 4), ("prices", c_int32 * 5), ("scores", c_int32 * 4), ("met", c_int32 * 4),
        ("hands", c_uint16 * 4), ("hand", c_uint16), ("laid", c_uint8 * 20), *((name, c_uint8) for name in BYTES),
    )  # fmt: skip


@cache
def library() -> ctypes.CDLL | None:
    """The C, compiled; None where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory(prefix="twin-") as place:
        made = Path(place) / "tsukiji.so"
        subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(made)], check=True)
        found = ctypes.CDLL(str(made))
    found.play.argtypes = (c_int, c_int, c_uint64, POINTER(c_longlong))
    found.play.restype = c_longlong
    found.size.restype = c_uint64
    found.begin.argtypes = (POINTER(State), c_int, c_int, c_int, POINTER(c_uint8), POINTER(c_uint8))
    found.options.argtypes = (POINTER(State), POINTER(c_uint8))
    found.step.argtypes = (POINTER(State), c_int)
    assert found.size() == ctypes.sizeof(State)
    return found


def play(seats: int, games: int, seed: int) -> tuple[int, int]:
    """So many random games: decisions with a choice, and the sum of all scores."""
    found = library()
    assert found is not None
    total = c_longlong()
    return found.play(seats, games, seed, byref(total)), total.value


class TsukijiInC(Tsukiji):
    """The same game for people: its state is read over from C after each answer. What was forced is not told."""

    __slots__ = ("_c", "_state")

    def __init__(self, seats: int, chance: Chance, *, start_player: int = 0, special_points: bool = False) -> None:
        found = library()
        assert found is not None
        self._c, self._state = found, State()
        start = start_player or int(chance.pick("start_player", {str(seat): 1 for seat in range(1, seats + 1)}))
        left = dict.fromkeys(MARKED, 1)
        markers = []
        for _ in MARKED:
            markers.append(chance.pick("marker", dict(left)))
            del left[markers[-1]]
        stock, cards = dict(zip(KINDS, DECK[seats], strict=True)), []
        for _ in range(ROUNDS * (seats + 1) * 3):
            cards.append(chance.pick("draw", {kind: many for kind, many in stock.items() if many}))
            stock[cards[-1]] -= 1
        order = (c_uint8 * 5)(*(MARKED.index(product) for product in markers))
        deck = (c_uint8 * len(cards))(*(KINDS.index(kind) for kind in cards))
        self._chance, self._stock, self._seats, self._special_points = chance, None, seats, special_points
        self.forced, self.scores = [], {}
        self._c.begin(byref(self._state), seats, special_points, start - 1, order, deck)
        self._offers = list(self._state.offers)[: len(cards) // 3]
        self._read()

    def step(self, index: int) -> None:
        self._c.step(byref(self._state), index)
        self._read()

    def _read(self) -> None:
        c, lots = self._state, self._seats + 1
        self._phase, self.over, self._round, self._arrivals = c.phase, c.phase == OVER, c.round, c.arrivals
        self.seat, self._start, self._clock = 0 if self.over else c.seat + 1, c.start + 1, c.clock + 1
        self._cash, self._columns, self._wild = ([0, *row][: lots] for row in (c.cash, c.columns, c.wild))
        self._met, self._markers = [0, *c.met][: lots], list(c.markers)
        self._hands, self._hand = [0, *map(_heap, c.hands)][: lots], _heap(c.hand)
        self._lots = self._offers[(c.round - 1) * lots : c.round * lots]
        laid = c.seat * lots + lots - c.to_lay if c.phase == LAYING else self._seats * lots
        self._laid = [TICKET[TICKETS[ticket]] for ticket in c.laid[:laid]]
        self._prices = tuple(c.prices[:lots]) if c.priced else ()
        self._unsold, self._extras = c.unsold, c.extras
        self._now = self._options()
        if self.over:
            self.scores = dict(enumerate(c.scores[: self._seats], 1))

    def _options(self) -> list[int]:
        found = (c_uint8 * 9)()
        many = self._c.options(byref(self._state), found)
        if self._phase == LAYING:
            return [TICKET[TICKETS[ticket]] for ticket in found[:many]]
        return list(found[:many]) if self._phase == BUYING else [CARD[PRODUCTS[place]] for place in found[:many]]


def _heap(hand: int) -> int:
    """A hand as the twin in Python packs it."""
    return sum(TICKET[name] for place, name in enumerate(TICKETS) if hand >> place & 1)
