"""Which boards are worth using: how often they are used, what they take and give, what goes with it, and what is out of line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from ichiba.dsl.syntax.plurals import plural
from ichiba.lab.results.comparing import ACCIDENT
from ichiba.lab.results.courses import GOT, PAID
from ichiba.lab.results.standing import POINTS, Standing, standing_of
from ichiba.lab.results.statistics import SURE, Estimate, normal_quantile, share
from ichiba.lab.results.subjects import ENOUGH, subjects_of, titles_of
from ichiba.table.markup.elements import Element, element
from ichiba.table.plots.bars import Bar, bars
from ichiba.table.plots.scale import said
from ichiba.table.report.parts import and_list, answer, between, paragraph, plot, row_of, section, side_by_side, table
from ichiba.table.report.run import purse_of
from ichiba.table.svg.drawing import Panel, picture

if TYPE_CHECKING:
    from ichiba.lab.results.courses import Courses
    from ichiba.lab.results.worth import AtTheEnd, Figure, OutOfLine
    from ichiba.table.report.run import Ran


@dataclass(frozen=True, slots=True)
class Known:
    """All that is known of what is used."""

    courses: Courses
    standing: Standing
    titles: dict[str, str]
    cards: dict[str, Panel]
    ran: Ran

    def purse(self, name: str) -> str:
        return purse_of(self.ran, name)

    def title(self, name: str) -> str:
        """What is only numbered is called by its kind."""
        title = self.titles.get(name, name)
        return f"{self.standing.kinds.get(name, '')} {title}".strip().replace("_", " ") if title.isdecimal() else title

    @property
    def kinds(self) -> list[str]:
        """Those of which the most is used first."""
        uses = {kind: 0.0 for kind in self.standing.kinds.values()}
        for name, kind in self.standing.kinds.items():
            uses[kind] += self.courses.boards[name].uses.mean
        return sorted(uses, key=lambda kind: -uses[kind])

    def of(self, kind: str) -> list[str]:
        """The most used first."""
        names = [name for name, its in self.standing.kinds.items() if its == kind]
        return sorted(names, key=lambda name: -self.courses.boards[name].uses.mean)


def boards(ran: Ran) -> Element | None:
    if not ran.courses.boards:
        return None
    cards, titles = _pictures(ran)
    kinds = subjects_of(ran.game) if ran.game is not None else {}
    known = Known(ran.courses, standing_of(ran.courses, kinds), titles, cards, ran)
    told = [element("article", *_one(known, name), class_="board") for kind in known.kinds for name in known.of(kind) if name in cards]
    return section(
        "boards", "Which boards are worth using?" if cards else "What is worth using?",
        *(answer(words) for words in _stands_out(known)), paragraph(_winners(known)),
        *(part for kind in known.kinds for part in _kind(known, kind)), *([side_by_side(*told)] if told else []),
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------------- in words


def _stands_out(known: Known) -> list[str]:
    """A sentence for each that stands apart, or surely first or last; else that none does."""
    found = [f"Out of line with its kind: {_apart(known, one)}" for one in known.standing.apart]
    found += [_at_the_end(known, one) for one in known.standing.ends]
    few = [f"the {len(known.of(kind))} {named(kind)}" for kind in known.kinds if 1 < len(known.of(kind)) < ENOUGH]
    unsaid = (
        [f"{and_list(few).capitalize()} are too few to be compared with each other ({ENOUGH} of a kind are enough)."]
        if few and len(few) < len(known.kinds) else []
    )  # fmt: skip
    if found:
        return found + unsaid
    large = [f"the {len(known.of(kind))} {named(kind)}" for kind in known.kinds if len(known.of(kind)) >= ENOUGH]
    if not large:
        return [f"There are too few of each kind to say what is out of line: {ENOUGH} would be enough."]
    if not known.standing.points:
        return ["Too few games: of more courses (--courses) it could be said which of them go with more points."]
    return [
        f"Nothing stands out: among {and_list(large)} none is clearly the best or the worst, and none brings far more or less than the "
        "others of its kind.",
        *unsaid,
    ]


def _apart(known: Known, one: OutOfLine) -> str:
    figure, title = one.figure, known.title(one.figure.name)
    sign = known.standing.sign if figure.what == POINTS else 1
    low, high = sorted((sign * one.low, sign * one.high))
    where = "above them all" if sign * figure.value > high else "below them all" if sign * figure.value < low else "unlike them all"
    others = f"The {one.many} other {named(figure.kind)} lie between {said(low)} and {said(high)}."
    if figure.what == POINTS:
        return f"{title}. Who uses it once more than the others at the table has {_more(figure, sign)}, far {where}. {others}"
    return f"{title}. A use brings {_between(figure, sign)} {known.purse(figure.what)} net of what it costs, far {where}. {others}"


def _at_the_end(known: Known, one: AtTheEnd) -> str:
    what, sign = "The strongest" if one.best else "The weakest", known.standing.sign
    return (
        f"{what} of the {one.many} {named(one.figure.kind)} is {known.title(one.figure.name)}. Who uses it once more than the others at the "
        f"table has {_more(one.figure, sign)}; with {known.title(one.next.name)}, which is next, {_more(one.next, sign)}, and in the middle "
        f"of the kind {said(abs(one.middle))} points {'less' if sign * one.middle < 0 else 'more'}."
    )


def _more(figure: Figure, sign: int) -> str:
    """How many points more or less go with it; where that is not sure, how many more."""
    less = _estimate(figure, -sign)
    return f"{between(less)} points less" if less.low > 0 else f"{_between(figure, sign)} points more"


def _between(figure: Figure, sign: int) -> str:
    return between(_estimate(figure, sign))


def _estimate(figure: Figure, sign: int) -> Estimate:
    margin, value = normal_quantile((1 + SURE) / 2) * figure.error, sign * figure.value
    return Estimate(value, value - margin, value + margin, 0)


def named(kind: str) -> str:
    return plural(kind).replace("_", " ") if kind else "things"


def _winners(known: Known) -> str:
    chances = known.courses.unlikely()
    clear = [name for name in known.standing.kinds if chances.get(name, 1.0) < ACCIDENT]
    more = [known.title(name) for name in clear if known.courses.boards[name].difference.value > 0]
    less = [known.title(name) for name in clear if known.courses.boards[name].difference.value < 0]
    said_first = f"Winners use {and_list(more)} clearly more often than the others. " if more else ""
    said_then = f"They use {and_list(less)} clearly less often. " if more and less else ""
    if less and not more:
        said_then = f"Winners use {and_list(less)} clearly less often than the others. "
    if not clear:
        said_first = "Nothing is used clearly more or less often by winners than by the others. "
    return (
        said_first + said_then + "So much is looked at that some would differ by accident; what is called clear (★) stands in spite of that. "
        "What goes with winning need not be what makes one win: who is ahead can afford more."
    )


# ------------------------------------------------------------------------------------------------- kind by kind


def _kind(known: Known, kind: str) -> list[Element]:
    names, courses = known.of(kind), known.courses
    figures = [_plot(known, "uses a game", "uses", [(name, courses.boards[name].uses.estimate()) for name in names], set())]
    points = [(name, known.standing.points[name].estimate()) for name in names if name in known.standing.points]
    figures.append(_plot(known, "points that go with a use more", "points", _highest(points), _named(known, POINTS)))
    for unit in sorted({unit for name in names for unit in courses.boards[name].units}):
        gains = [(name, courses.boards[name].of_a_use(unit).estimate()) for name in names if unit in courses.boards[name].units]
        figures.append(_plot(known, f"net {known.purse(unit)} of a use: got, minus paid", "a use", _highest(gains), _named(known, unit)))
    chances = courses.unlikely()
    more = [(name, courses.boards[name].difference.estimate()) for name in names if name in chances]
    clear = {name for name, chance in chances.items() if chance < ACCIDENT}
    figures.append(_plot(known, "more uses by winners than by others", "more", _highest(more), clear))
    head = element("h3", named(kind).capitalize() if kind else "All of it")
    return [head, side_by_side(*(figure for figure in figures if figure is not None))]


def _highest(rows: list[tuple[str, Estimate]]) -> list[tuple[str, Estimate]]:
    return sorted(rows, key=lambda row: -row[1].value)


def _named(known: Known, what: str) -> set[str]:
    return {figure.name for figure in known.standing.standing_out if figure.what == what}


def _plot(known: Known, title: str, head: str, rows: Sequence[tuple[str, Estimate]], marked: set[str]) -> Element | None:
    if not rows:
        return None
    drawn = bars([Bar(known.title(name), estimate, name in marked) for name, estimate in rows])
    figures = [row_of(known.title(name), estimate) for name, estimate in rows]
    return plot(drawn, title, ("", head, "between", "games"), figures)


# -------------------------------------------------------------------------------------------------- one by one


def _one(known: Known, name: str) -> list[Element]:
    board, card = known.courses.boards[name], known.cards.get(name)
    games, there = board.uses.many, known.courses.in_play
    rows = [["in play in", f"{between(share(there[name], games), 'share')} of the games"]] if there and there[name] < games else []
    rows += [
        ["used in", f"{between(share(board.games, games), 'share')} of the games"],
        ["uses a game", between(board.uses.estimate())],
        *([f"by {option.replace('_', ' ')}", f"{between(times.estimate())} a game"]
          for option, times in sorted(board.options.items(), key=lambda pair: -pair[1].mean)),
    ]  # fmt: skip
    if name in known.standing.points:
        found = known.standing.points[name].estimate()
        rows.append(["with a use more", f"{between(found)} points" if isfinite(found.low) else "–"])
    for unit in board.units if board.games else ():
        for side in (PAID, GOT):
            if not any(board.column(f"{side} {unit}", games)):
                continue
            rows.append([f"{known.purse(unit)} {side}", f"{between(board.of_a_use(f'{side} {unit}').estimate())} a use"])
    rows += [["stands out", "★"]] if any(figure.name == name for figure in known.standing.standing_out) else []
    drawn = element("figure", picture(card, known.title(name), styled=False)) if card is not None else None
    return [part for part in (element("h4", known.title(name)), drawn, table((), rows, named=known.title(name))) if part is not None]


def _pictures(ran: Ran) -> tuple[dict[str, Panel], dict[str, str]]:
    """How boards look, and what everything is called, if the ruleset is there."""
    if ran.game is None:
        return {}, {}
    from ichiba.table.svg.cards import board
    from ichiba.table.svg.gallery import Gallery

    cards = Gallery(ran.game).cards()
    return {card.name: board(card) for card in cards}, titles_of(ran.game) | {card.name: card.title for card in cards}


__all__ = ["boards", "named"]
