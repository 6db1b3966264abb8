"""What was paid for it, against what it brought: whether those who paid little did better than those who paid much.

Worth is not asked of the rules, since few of them know it. Of each sort of thing the cheaper and the dearer purchases are set side by
side: where prices are right, whoever paid much has won as often, and ends with as many points, as whoever paid little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ichiba.lab.results.statistics import Difference, held_back, moments, share, unpaired
from ichiba.table.markup.elements import Element
from ichiba.table.plots.bars import Bar, bars
from ichiba.table.report.parts import answer, between, paragraph, plot, row_of, section, side_by_side

if TYPE_CHECKING:
    from ichiba.lab.results.courses import Bought
    from ichiba.table.report.run import Ran

THIRDS = ("the cheapest third", "the middle", "the dearest third")
FEWEST = 30  # purchases, or nothing is said
SURE = 0.05


def auctions(ran: Ran) -> Element | None:
    found = {name: thirds(prices.bought) for name, prices in ran.courses.records.items() if len(prices.bought) >= FEWEST}
    found = {name: parts for name, parts in found.items() if all(len(part) > 1 for part in parts)}
    if not found:
        return None
    differences = [_dearer(parts) for parts in found.values()]
    chances = held_back([one.chance for one in differences])
    words = [_words(name, one, chance) for name, one, chance in zip(found, differences, chances, strict=True)]
    figures = [figure for name, parts in found.items() for figure in _plots(name, parts)]
    how = paragraph(
        "Every purchase is compared with others of the same thing. Points are those at the end, above the mean of the table; they are "
        "taken game by game."
    )
    return section("auctions", "Is it worth what is bid?", *(answer(one) for one in words), how, side_by_side(*figures))


def thirds(bought: Sequence[Bought]) -> list[list[Bought]]:
    """The cheaper, the middle and the dearer purchases of each thing; what has the same price stands together."""
    by_thing: dict[str, list[Bought]] = defaultdict(list)
    for one in bought:
        by_thing[one.of].append(one)
    made: list[list[Bought]] = [[], [], []]
    for some in by_thing.values():
        order = sorted(one.amount for one in some)
        third = (len(order) - 1) // 3
        low, high = order[third], order[-1 - third]
        for one in some:
            cheap, dear = one.amount <= low and one.amount < order[-1], one.amount >= high and one.amount > order[0]
            made[0 if cheap else 2 if dear else 1].append(one)
    return made


def _by_game(part: Sequence[Bought]) -> list[float]:
    """The mean of each game: purchases of one game are not independent of each other."""
    games: dict[int, list[float]] = defaultdict(list)
    for one in part:
        games[one.game].append(one.score)
    return [sum(scores) / len(scores) for scores in games.values()]


def _dearer(parts: list[list[Bought]]) -> Difference:
    return unpaired(_by_game(parts[0]), _by_game(parts[2]))


def _words(name: str, found: Difference, chance: float) -> str:
    estimate = found.estimate()
    if chance >= SURE:
        return f"{name.capitalize()}: who pays much does neither clearly better nor clearly worse than who pays little ({between(estimate)} points)."
    better, how = ("better", "cheap for what it brings") if found.value > 0 else ("worse", "too dear for what it brings")
    return f"{name.capitalize()}: who pays much does {better} than who pays little, by {between(estimate)} points: it is {how}."


def _plots(name: str, parts: list[list[Bought]]) -> list[Element]:
    told = list(zip(THIRDS, parts, strict=True))  # what they cost is not said: a dear thing's cheapest third may cost more than a cheap one's dearest
    points = [(words, moments(_by_game(part)).estimate()) for words, part in told]
    wins = [(words, share(sum(one.share for one in part), len(part))) for words, part in told]
    return [
        plot(bars([Bar(words, found) for words, found in points]), f"points of who buys a {name}", ("paid", "points", "between", "games"),
             [row_of(words, found) for words, found in points]),
        plot(bars([Bar(words, found) for words, found in wins], "share"), f"wins of who buys a {name}", ("paid", "wins", "between", "times"),
             [row_of(words, found, "share") for words, found in wins]),
    ]  # fmt: skip


__all__ = ["auctions", "thirds"]
