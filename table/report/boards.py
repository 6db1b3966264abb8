"""Which boards are worth using: how often they are used, what they take and give, and whether winners use them more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ichiba.lab.results.comparing import ACCIDENT
from ichiba.lab.results.statistics import Estimate, share
from ichiba.table.markup.elements import Element, element
from ichiba.table.plots.bars import Bar, bars
from ichiba.table.plots.scale import said
from ichiba.table.report.parts import and_list, between, paragraph, plot, row_of, section, side_by_side, table
from ichiba.table.svg.drawing import Panel, picture

if TYPE_CHECKING:
    from ichiba.lab.results.courses import BoardFigures
    from ichiba.table.report.run import Ran


def boards(ran: Ran) -> Element | None:
    found = ran.courses.boards
    if not found:
        return None
    titles, cards = _pictures(ran)
    order = sorted(found, key=lambda name: -found[name].uses.mean)
    chances = ran.courses.unlikely()
    strong = [name for name in order if chances.get(name, 1.0) < ACCIDENT and found[name].difference.value > 0]
    weak = [name for name in order if chances.get(name, 1.0) < ACCIDENT and found[name].difference.value < 0]
    visits = [Bar(titles.get(name, name), found[name].uses.estimate()) for name in order]
    more = [Bar(titles.get(name, name), _more(found[name]), name in strong) for name in order if name in chances]
    figures = [plot(bars(visits), "uses a game", ("board", "uses", "between", "games"), [row_of(bar.name, bar.estimate) for bar in visits])]
    if more:
        figures.append(plot(bars(more), "more uses by winners than by others", ("board", "more", "between", "games"),
                            [row_of(bar.name, bar.estimate) for bar in more]))  # fmt: skip
    for unit in sorted({unit for name in order for unit in found[name].units}):
        gains = [(titles.get(name, name), found[name].gain(unit).estimate()) for name in order if unit in found[name].units and found[name].times]
        gains.sort(key=lambda pair: -pair[1].value)
        drawn = bars([Bar(name, gain) for name, gain in gains])
        heads = ("board", "a use", "between", "games")
        figures.append(plot(drawn, f"{unit} got less paid, for each use", heads, [row_of(name, gain) for name, gain in gains]))
    told = [element("article", *_one(titles.get(name, name), found[name], cards.get(name)), class_="board") for name in order]
    return section(
        "boards", "Which boards are worth using?", paragraph(_words([titles.get(name, name) for name in strong],
                                                                      [titles.get(name, name) for name in weak])),
        side_by_side(*figures), side_by_side(*told),
    )  # fmt: skip


def _words(strong: list[str], weak: list[str]) -> str:
    said_first = f"Winners use {and_list(strong)} clearly more often than the others. " if strong else ""
    said_then = f"They use {and_list(weak)} clearly less often. " if weak else ""
    if not strong and not weak:
        said_first = "No board is used clearly more or less often by winners than by the others. "
    return said_first + said_then + "Many boards are looked at, so only what stands out in spite of that is called clear (★)."


def _more(board: BoardFigures) -> Estimate:
    difference = board.difference
    low, high = difference.interval()
    return Estimate(difference.value, low, high, difference.many)


def _one(title: str, board: BoardFigures, card: Panel | None) -> list[Element]:
    games = board.uses.many
    rows = [
        ["used in", f"{between(share(board.games, games), 'share')} of the games"],
        ["uses a game", between(board.uses.estimate())],
        *([f"by `{option}`", f"{said(times / games)} a game"] for option, times in board.options.most_common()),
    ]
    for unit in sorted({*board.paid, *board.got}):
        if board.times:
            rows.append([f"{unit} paid", f"{said(board.paid[unit] / board.times)} a use"])
            rows.append([f"{unit} got", f"{said(board.got[unit] / board.times)} a use"])
    drawn = element("figure", picture(card, title, styled=False)) if card is not None else None
    return [part for part in (element("h3", title), drawn, table(("", "figure"), rows, title)) if part is not None]


def _pictures(ran: Ran) -> tuple[dict[str, str], dict[str, Panel]]:
    """The titles of boards, and how they look, if the ruleset is there."""
    if ran.game is None:
        return {}, {}
    from ichiba.table.svg.cards import board
    from ichiba.table.svg.gallery import Gallery

    cards = Gallery(ran.game).cards()
    return {card.name: card.title for card in cards}, {card.name: board(card) for card in cards}


__all__ = ["boards"]
