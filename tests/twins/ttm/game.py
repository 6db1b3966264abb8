"""The running game: asks the innermost question, takes the answer, goes on to the next."""

from collections.abc import Callable, Iterable

from ..base import Chance, Twin, places
from . import (
    auctions,
    boat_markets,
    external_markets,
    facts,
    fish_markets,
    fishing,
    free,
    lots,
    setup,
    shopping,
    turn,
    visits,
)  # fmt: skip
from .keys import ARGUMENT, SHIFT, key, verbs
from .state import (
    ASK_ACCEPT,
    ASK_AGAIN,
    ASK_BID,
    ASK_FISHING,
    ASK_GROUP,
    ASK_LICENCE,
    ASK_LOT,
    ASK_PAY,
    ASK_PRICE,
    ASK_RACK,
    ASK_SHOP,
    ASK_START,
    ASK_TAKE,
    ASK_TIE,
    ASK_TURN,
    ASK_UNLOAD,
    ASK_VISIT,
    CALLERS,
    CONVERT,
    OVER,
    Frame,
    State,
)  # fmt: skip

# The options of a question; None if it went on by itself.
QUESTIONS: dict[int, Callable[[State, Frame], list[int] | None]] = {
    ASK_TURN: turn.turn_options,
    ASK_START: turn.start_options,
    ASK_PAY: visits.pay_options,
    ASK_FISHING: fishing.fishing_options,
    ASK_LICENCE: fishing.licence_options,
    ASK_TAKE: fishing.take_options,
    ASK_AGAIN: fishing.again_options,
    ASK_GROUP: fishing.group_options,
    ASK_UNLOAD: fishing.unload_options,
    ASK_RACK: free.rack_options,
    ASK_PRICE: fishing.price_options,
    ASK_BID: auctions.bid_options,
    ASK_TIE: auctions.tie_options,
    ASK_ACCEPT: auctions.accept_options,
    ASK_LOT: lots.lot_options,
    ASK_SHOP: shopping.shop_options,
    ASK_VISIT: visits.visit_options,
    CONVERT: turn.convert,
    CALLERS: turn.callers,
    OVER: lambda game, frame: [],
}
OPTIONS = [QUESTIONS[kind] for kind in range(len(QUESTIONS))]
ANSWERS = {
    **turn.ANSWERS, **free.ANSWERS, **fishing.ANSWERS, **auctions.ANSWERS, **lots.ANSWERS, **shopping.ANSWERS,
    **visits.ANSWERS, **fish_markets.ANSWERS, **external_markets.ANSWERS, **boat_markets.ANSWERS,
}  # fmt: skip
APPLY = [ANSWERS[number << SHIFT] for number in range(verbs())]


class TokyoTsukijiMarket(State, Twin):
    """One running game. All of the state is open to tests, which set up positions and then `resume`."""

    __slots__ = ()

    def __init__(
        self,
        seats: int,
        chance: Chance,
        *,
        fish: Iterable[str] | None = None,
        external: Iterable[str] | None = None,
        exclude: Iterable[str] = (),
        expansion: bool = False,
        main_mackerel: str = "mackerel",
        blue_ship: bool = True,
        barges: str = "six_slot",
        additional_fish: int = 0,
        additional_external: int = 0,
        crashing: bool = False,
        open_knowledge: bool = False,
        start_player: int = 1,
        clock_turns_per_seat: int = 100,
        skip_forced: bool = True,
    ) -> None:
        if not 2 <= seats <= 6:
            raise ValueError(f"2 to 6 players, not {seats}")
        if not 0 <= start_player <= seats:
            raise ValueError(f"no player {start_player}")
        super().__init__(seats, chance)
        self.expansion = expansion
        self.crashing = crashing
        self.open_knowledge = open_knowledge
        self.skip_forced = skip_forced
        self.clock = clock_turns_per_seat * seats
        setup.set_up(
            self,
            fish=fish,
            external=external,
            exclude=exclude,
            main_mackerel=main_mackerel,
            blue_ship=blue_ship,
            barges=barges,
            additional_fish=additional_fish,
            additional_external=additional_external,
            start_player=start_player,
        )
        turn.begin_turn(self)
        self.resume()

    def resume(self) -> None:
        """On to the next decision."""
        stack = self.stack
        while True:
            self.seat = self.active
            frame = stack[-1]
            options = OPTIONS[frame[0]](self, frame)
            if options is None:
                continue
            if len(options) == 1 and self.skip_forced and frame[0] != ASK_BID:
                code = options[0]
                self._forced = (self._forced, self.seat, code)
                APPLY[code >> SHIFT](self, code & ARGUMENT)
                continue
            self.now = options
            if not options:
                self.seat = 0
                assert self.over, "a question without an answer"
            return

    def legal(self) -> list[int]:
        return self.now

    def step(self, index: int) -> None:
        code = self.now[index]
        APPLY[code >> SHIFT](self, code & ARGUMENT)
        self.resume()

    def options(self) -> list[str]:
        return [key(code) for code in self.now]

    @property
    def forced(self) -> list[tuple[int, str]]:  # type: ignore[override]
        found: list[tuple[int, str]] = []
        link = self._forced
        while link:
            link, seat, code = link
            found.append((seat, key(code)))
        return found[::-1]

    @property
    def ranking(self) -> list[list[int]]:
        return places({seat: (score,) for seat, score in self.scores.items()})

    def facts(self) -> dict[str, object]:
        return facts.facts(self)

    def copy(self) -> "TokyoTsukijiMarket":
        """An independent game in the same state; it asks the same `chance`."""
        new = object.__new__(TokyoTsukijiMarket)
        self.copy_into(new)
        return new
