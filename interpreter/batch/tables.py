"""Many tables of one game, stepped at once: for programs that search or learn.

    tables = game.tables(1000)
    while any(tables.many):
        tables.step([many - 1 for many in tables.many])

In machine code where there is some; what that gives up on is done in Python, table by table, to the same end.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import RLock
from typing import TYPE_CHECKING, Any

from ichiba.interpreter.batch.in_python import Row, RowsInPython
from ichiba.interpreter.layout import CHANCE, PC
from ichiba.interpreter.run.decisions import Decision, IllegalMove
from ichiba.interpreter.runtime.chance import TOLD, Words, told_seed, words_of
from ichiba.interpreter.runtime.runtime import MOST_DECISIONS, Context
from ichiba.interpreter.sight.columns import columns_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

Seed = int | str
Which = Sequence[int] | None
NOT_OVER = -2  # in place of an ending
LEAST_SHARE = 64  # tables for a thread of its own


class _Past:
    """What a table has begun with, and from which answer on chance went another way."""

    __slots__ = ("begun", "told", "turns", "words")

    def __init__(self, begun: Seed | Table, words: Words, told: int = 0, turns: tuple[tuple[int, Seed], ...] = ()):
        self.begun, self.words, self.turns = begun, words, turns
        self.told = told  # so many of its words of chance come from no key

    @classmethod
    def from_seed(cls, seed: Seed) -> _Past:
        words = words_of(seed)
        return cls(seed, words, len(words.words))

    def rekeyed(self, drawn: int, answered: int, seed: Seed) -> _Past:
        """From the next word of chance on, as `Table.rekey` has it."""
        words = words_of(told_seed([0] * drawn, f"rekeyed {seed}"))
        return _Past(self.begun, words, drawn, (*self.turns, (answered, seed)))

    @property
    def key(self) -> bytes:
        """Of chance, and how many words stand before its first."""
        return self.words.key + bytes([self.told % 16])


class Tables:
    """So many tables of one game. Arrays are memoryviews of 64-bit numbers, by table from 0 and by seat from 0; `numpy.asarray`
    copies nothing. `seats`, `questions`, `many` and `decisions` are the same arrays all along, and change with each step."""

    def __init__(self, game: Game, rows: Any, pasts: list[_Past], told: array[int], faults: dict[int, str], threads: int):
        self.game, self.faults = game, faults
        self._rows, self._pasts, self._threads, self._lock = rows, pasts, threads, RLock()
        self._pool: ThreadPoolExecutor | None = None
        self._told, size = told, len(pasts)
        whole = memoryview(told)
        self.seats = whole[:size].toreadonly()  # whose answer is wanted; -1: the game is over
        self.questions = whole[size : 2 * size].toreadonly()  # the number of the question, or -1
        self.many = whole[2 * size : 3 * size].toreadonly()  # so many answers there are, or 0
        self.decisions = whole[3 * size :].toreadonly()  # so many were given

    def __len__(self) -> int:
        return len(self._pasts)

    def __repr__(self) -> str:
        return f"Tables({self.game.name!r}, {len(self):,} tables, {sum(map(bool, self.many)):,} go on)"

    # -------------------------------------------------------------------------------------- playing

    def step(self, places: Sequence[int]) -> None:
        """An answer for each table, by its place among those there are; -1: this one stays as it is. Tables that are over are passed
        over. Where one has no such answer `IllegalMove` says which, and none is moved."""
        wanted = _numbers(places)
        with self._lock:
            if len(wanted) != len(self):
                raise ValueError(f"{len(self):,} tables take so many answers; {len(wanted):,} are given")
            wrong = self._rows.unfit(wanted)
            if wrong >= 0:
                raise IllegalMove(f"table {wrong}: there are {self.many[wrong]:,} options; {wanted[wrong]} is none of them")
            for at in self._stepped(wanted):
                self._by_python(at, wanted[at])

    def _stepped(self, wanted: memoryview) -> list[int]:
        """By machine code, as far as it can; the others."""
        size = -(-len(self) // self._threads)
        if self._threads <= 1 or size < LEAST_SHARE:
            return array("q", self._rows.step(wanted, 0, len(self), self._told)).tolist()
        self._pool = self._pool or ThreadPoolExecutor(self._threads)
        shares = [(low, min(low + size, len(self))) for low in range(0, len(self), size)]
        parts = [self._pool.submit(self._rows.step, wanted, low, high, self._told) for low, high in shares]
        return [at for part in parts for at in array("q", part.result())]

    def _by_python(self, at: int, place: int) -> None:
        """One answer; -1: from the very beginning. A table whose rules fail stays as it was, and takes no more answers."""
        from ichiba.interpreter.run.table import FAULTS

        code, state, past = self.game.code, self._rows.state(at), self._pasts[at]
        seat = -1
        try:
            if place < 0:
                options = code.run(state, Context(past.words), code.START)
            else:
                options = code.step(state, Context(past.words), self._rows.options(at)[place])
            if self.decisions[at] + (place >= 0) >= MOST_DECISIONS:
                self.faults[at], options = f"a game has at most {MOST_DECISIONS:,} decisions", ()  # type: ignore[assignment]
            if options:
                seat = code.module["SEATS"][state[PC]](state)
        except FAULTS as fault:
            self.faults[at] = str(self.game.explain_fault(fault))
            state, options, place = self._rows.state(at), (), -1  # type: ignore[assignment]
        self._put(at, state, options, seat, place)

    def _put(self, at: int, state: list[int], options: Sequence[int], seat: int, place: int, begins: bool = False) -> None:
        past = self._pasts[at]
        self._rows.put(at, state, options, past.key if begins else None, place, past.told > state[CHANCE])
        size = len(self)
        self._told[at], self._told[2 * size + at] = seat, len(options)
        self._told[size + at] = state[PC] if options else -1
        self._told[3 * size + at] += place >= 0

    def reset(self, which: Which = None, seeds: Sequence[Seed] | None = None) -> None:
        """These tables, or all, begin anew: from seeds that are given, one for each, or from fresh ones."""
        from ichiba.interpreter.run.table import new_seed

        with self._lock:
            these = self._these(which)
            given = [new_seed() for _ in these] if seeds is None else list(seeds)
            if len(given) != len(these):
                raise ValueError(f"{len(these):,} tables begin anew with so many seeds; {len(given):,} are given")
            _seeds(given)
            for at, seed in zip(these, given, strict=True):
                self._pasts[at] = _Past.from_seed(seed)
                self.faults.pop(at, None)
                self._told[3 * len(self) + at] = 0
            plain = array("q", [at for at in these if not self._pasts[at].told])
            keys = b"".join(self._pasts[at].key for at in plain)
            first = self.game.code.held(self.game.first)
            left = array("q", self._rows.reset(first, plain, keys, self._told)).tolist()
            for at in [*left, *(at for at in these if self._pasts[at].told)]:
                self._put(at, first[:], (), -1, -1, True)
                self._by_python(at, -1)

    def copy(self, which: Which = None) -> Tables:
        """Independent tables in the same positions; `which` says of which tables and how often: `tables.copy([3] * 100)`."""
        with self._lock:
            these, size = self._these(which, twice=True), len(self)
            told = array("q", [self._told[part * size + at] for part in range(4) for at in these])
            faults = {number: self.faults[at] for number, at in enumerate(these) if at in self.faults}
            pasts = [self._pasts[at] for at in these]
            return Tables(self.game, self._rows.copy(these), pasts, told, faults, self._threads)

    def rekey(self, seeds: Sequence[Seed]) -> None:
        """From now on chance goes another way, a seed for each table; what has happened stays as it was."""
        with self._lock:
            given = list(seeds)
            if len(given) != len(self):
                raise ValueError(f"{len(self):,} tables take so many seeds; {len(given):,} are given")
            _seeds(given)
            drawn = self._read([CHANCE])
            for at, seed in enumerate(given):
                self._pasts[at] = self._pasts[at].rekeyed(drawn[at, 0], self.decisions[at], seed)
            self._rows.rekey(self._these(None), b"".join(past.key for past in self._pasts))

    # -------------------------------------------------------------------------------------- looking

    @property
    def columns(self) -> tuple[str, ...]:
        """What each column of an observation means."""
        return columns_of(self.game).names

    def observe(self, seat: int | None = None) -> memoryview:
        """By table and column: what a seat may see, from 0, or -1 for whoever looks on. Without one, of each table what the seat
        may see whose answer is wanted."""
        if seat is not None and not -1 <= seat < self.game.seats:
            raise ValueError(f"there are seats 0 to {self.game.seats - 1}, and -1 for whoever looks on; {seat} is none of them")
        with self._lock:
            whoever, columns = self.game.seats, columns_of(self.game)
            eyes = array("q", [whoever if eye < 0 else eye for eye in (self.seats if seat is None else [seat] * len(self))])
            out = array("q", bytes(8 * len(self) * len(columns.places)))
            self._rows.observe(columns, eyes, out)
            return _by_table(out, len(self), len(columns.places))

    @property
    def scores(self) -> memoryview:
        """By table and seat, as they stand."""
        first = self.game.world.seat["score"].base
        return self._read(range(first, first + self.game.seats))

    @property
    def ranks(self) -> memoryview:
        """By table and seat, from 1, as they stand: seats that tie share one."""
        with self._lock:
            seats = self.game.seats
            out = array("q", bytes(8 * len(self) * seats))
            left = array("q", self._rows.ranks(seats, out)).tolist()
            out = array("q", [rank + 1 for rank in out])
            for at in left:
                for rank, tied in enumerate(self._as_table(at).ranking, 1):
                    for seat in tied:
                        out[at * seats + seat - 1] = rank
            return _by_table(out, len(self), seats)

    @property
    def endings(self) -> memoryview:
        """By table: which of the game's endings, -1 for the usual end, -2 where the game goes on or broke off."""
        found = self._read([self.game.world.table["ending"].base])
        over = (not many and at not in self.faults for at, many in enumerate(self.many))
        return memoryview(array("q", [found[at, 0] if ended else NOT_OVER for at, ended in enumerate(over)])).toreadonly()

    def _read(self, places: Sequence[int]) -> memoryview:
        with self._lock:
            out = array("q", bytes(8 * len(self) * len(places)))
            self._rows.read(array("q", places), out)
            return _by_table(out, len(self), len(places))

    def options(self, at: int) -> list[int]:
        """A table's answers as they are kept, as `table.legal()` gives them."""
        with self._lock:
            found: list[int] = self._rows.options(self._place(at))
            return found

    def keys(self, at: int) -> list[str]:
        """The keys of a table's answers, in their order."""
        with self._lock:
            table = self._as_table(at)
            site = table.site
            return [] if not table.codes or site is None else Decision(table, site, self.seats[at], table.codes).keys()

    def table(self, at: int) -> Table:
        """A table of its own in the same position, with its log: its answers are given once more."""
        from ichiba.interpreter.run.table import Table as Whole

        with self._lock:
            past, answers = self._pasts[self._place(at)], array("H", self._rows.answers(self._place(at)))
            table = past.begun.copy() if isinstance(past.begun, Whole) else self.game.start(past.begun)
            turns = list(past.turns)
            for number, answer in enumerate([*answers, -1]):
                while turns and turns[0][0] == number:
                    table.rekey(turns.pop(0)[1])
                if answer >= 0:
                    table.step(answer)
            return table

    def _as_table(self, at: int) -> Table:
        """As it stands; how it came about is not known to it."""
        from ichiba.interpreter.run.table import Table as Whole

        found = Whole(self.game, 0)
        found.state, found.codes = self._rows.state(self._place(at)), self._rows.options(self._place(at))
        return found

    def _place(self, at: int) -> int:
        if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at < len(self):
            raise IndexError(f"there are tables 0 to {len(self) - 1:,}; {at!r} is none of them")
        return at

    def _these(self, which: Which, twice: bool = False) -> array[int]:
        if which is None:
            return array("q", range(len(self)))
        these = array("q", [self._place(at) for at in _numbers(which)])
        if not twice and len(set(these)) < len(these):
            raise ValueError("a table is named twice")
        return these


def tables_of(game: Game, begun: int | Sequence[Seed | Table], threads: int) -> Tables:
    """So many tables from random seeds, or one from each seed, or in the position of each table."""
    from ichiba.interpreter.run.table import Table as Whole
    from ichiba.interpreter.run.table import new_seed

    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads are a whole number from 1, not {threads!r}")
    if isinstance(begun, int):
        if isinstance(begun, bool) or begun < 0:
            raise ValueError(f"tables are a whole number from 0, or a seed for each; not {begun!r}")
        given: list[Seed | Table] = [new_seed() for _ in range(begun)]
    else:
        given = list(begun)
    seeds = _seeds([one for one in given if not isinstance(one, Whole)])
    for one in given:
        if isinstance(one, Whole) and (one.game is not game or one.script):
            raise ValueError("a table of another game" if one.game is not game else "a table whose chance is scripted")
    size, make = len(given), game.code.rows
    rows = RowsInPython([Row(game.first) for _ in range(size)]) if make is None else make(size)
    made = Tables(game, rows, [_Past.from_seed(0)] * size, array("q", [0]) * (4 * size), {}, threads)
    made.reset([at for at, one in enumerate(given) if not isinstance(one, Whole)], seeds)
    for at, one in enumerate(given):
        if isinstance(one, Whole):
            made._pasts[at] = _Past(one.copy(), one.context.words, _words_told(one.seed))
            options = () if one.fault is not None else one.codes
            seat = game.code.module["SEATS"][one.state[PC]](one.state) if options else -1
            if one.fault is not None:
                made.faults[at] = str(one.fault)
            made._put(at, game.code.held(one.state), options, seat, -1, True)
    return made


def _seeds(given: Sequence[object]) -> list[Seed]:
    for seed in given:
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise ValueError(f"a seed is a number or a text, not {seed!r}")
    return list(given)  # type: ignore[arg-type]


def _words_told(seed: Seed) -> int:
    """How many words of chance a seed tells itself."""
    return len(words_of(seed).words) if isinstance(seed, str) and seed.startswith(TOLD) else 0


def _numbers(given: Sequence[int]) -> memoryview:
    """As 64-bit numbers in one row; those that are so already are not copied."""
    try:
        view = memoryview(given)  # type: ignore[arg-type]
    except TypeError:
        view = memoryview(b"")
    if view.format in ("q", "l") and view.itemsize == 8 and view.ndim == 1 and view.c_contiguous:
        return view.cast("B").cast("q") if view.format == "l" and len(view) else view
    return memoryview(array("q", given))


def _by_table(found: array[int], tables: int, columns: int) -> memoryview:
    view = memoryview(found).toreadonly()
    return view.cast("B").cast("q", [tables, columns]) if found else view


__all__ = ["NOT_OVER", "Tables", "tables_of"]
