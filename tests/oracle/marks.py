"""What the bench compares our games with: the same games by hand, and OpenSpiel's names for them."""

from collections.abc import Callable
from pathlib import Path

from tests.oracle.pairs import Pair, auction, goofspiel, leduc_poker, liars_dice, oshi_zumo
from tests.twins import in_c as c
from tests.twins.base import RandomChance, Twin
from tests.twins.no_thanks import NoThanks
from tests.twins.shinjuku import Shinjuku
from tests.twins.tsukiji import Tsukiji
from tests.twins.ttm import TokyoTsukijiMarket

TOKYO = Path(__file__).resolve().parents[2] / "rulesets" / "shinjuku" / "maps" / "tokyo.yaml"

TWINS: dict[str, Callable[[int, int], Twin]] = {
    "no_thanks": lambda seats, seed: NoThanks(seats, RandomChance(seed), start_player=0),
    "shinjuku": lambda seats, seed: Shinjuku(seats, RandomChance(seed), map_path=TOKYO, start_player=0),
    "tokyo_tsukiji_market": lambda seats, seed: TokyoTsukijiMarket(seats, RandomChance(seed), start_player=0),
    "tsukiji": lambda seats, seed: Tsukiji(seats, RandomChance(seed), start_player=0),
}
"""By ruleset: a new game for so many seats, from a seed."""

in_c: dict[str, Callable[[int, int, int], tuple[int, int]]] | None = {"tsukiji": c.play} if c.library() is not None else None
"""By ruleset: so many random games for so many seats from a seed, by hand in C; how many decisions they had, and all scores together."""

PAIRS: dict[str, Callable[[int], Pair]] = {
    "first_price_auction": lambda seats: auction(seats, 10),
    "goofspiel": lambda seats: goofspiel(seats, 13),
    "leduc_poker": lambda seats: leduc_poker(),
    "liars_dice": lambda seats: liars_dice(1),
    "oshi_zumo": lambda seats: oshi_zumo(50, 3, 1000),
}
"""By ruleset: the same game, with the options that are usual with us."""


def openspiel_name(ruleset: str, seats: int) -> str | None:
    return PAIRS[ruleset](seats).theirs if ruleset in PAIRS else None
