"""The questions that a designer asks, each with its answer, a plot and the figures behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ichiba.lab.results.course import LOOKS
from ichiba.lab.results.statistics import Estimate, Moments, mean, moments, share
from ichiba.lab.results.subjects import recorded_titles
from ichiba.table.markup.elements import Element, element
from ichiba.table.plots.bars import Bar, bars
from ichiba.table.plots.histogram import classes_of, histogram
from ichiba.table.plots.lines import Course, lines
from ichiba.table.plots.scale import said
from ichiba.table.report.parts import and_list, answer, between, paragraph, plot, row_of, section, side_by_side
from ichiba.table.report.run import purse_of

if TYPE_CHECKING:
    from ichiba.lab.results.reading import Columns
    from ichiba.table.report.run import Ran

HEADS = ("", "mean", "between", "games")
MOST_RECORDED = 30  # of what is recorded under one name
WHOLE = 100.0


def length(ran: Ran) -> Element:
    results = ran.results
    figures = [_spread(results.decisions, "decisions", "decisions a game")]
    words = [f"{between(moments(results.decisions).estimate())} decisions a game"]
    if results.turns:
        figures.append(_spread(results.turns, "turns", "turns a game"))
        words.insert(0, f"{between(moments(results.turns).estimate())} turns")
    return section("length", "How long is a game?", paragraph(f"{', '.join(words)}."), side_by_side(*figures))


def _spread(values: Sequence[float], what: str, title: str) -> Element:
    rows = [[f"{said(low)} to under {said(high)}", f"{count:,}"] for low, high, count in classes_of(values) if count]
    return plot(histogram(values, title), title, (what, "games"), rows)


def fairness(ran: Ran) -> Element:
    """Whether it matters where one sits, and who one is."""
    results = ran.results
    same = len(set(results.policies)) == 1 or results.rotated
    names = [f"seat {seat + 1}" if same else f"seat {seat + 1}, {name}" for seat, name in enumerate(results.policies)]
    wins = [share(sum(column), len(column)) for column in results.shares]
    scores = [moments(column).estimate() for column in results.scores]
    even = 1 / results.seats
    off = [name for name, estimate in zip(names, wins, strict=True) if not estimate.low <= even <= estimate.high]
    more = [name for name in off if wins[names.index(name)].value > even]
    less = [name for name in off if name not in more]
    if off:
        clearly = [
            f"{and_list(some)} {'win' if len(some) > 1 else 'wins'} clearly {how} often than one game in {results.seats}"
            for some, how in ((more, "more"), (less, "less")) if some
        ]  # fmt: skip
        told = "; ".join(f"{name} {between(wins[names.index(name)], 'share')}" for name in off)
        words = f"{'; '.join(clearly)}: {told}."
        words = words[0].upper() + words[1:]
    else:
        margin = max(estimate.margin for estimate in wins)
        words = f"No seat stands out: an advantage of more than {said(margin, 'share')} would show in so many games."
    if not same:
        words += " The players are not the same at all seats, so this compares players as much as seats."
    figures = (
        plot(bars([Bar(n, w, n in off) for n, w in zip(names, wins, strict=True)], "share", even), "wins by seat", HEADS,
             [row_of(n, w, "share") for n, w in zip(names, wins, strict=True)]),
        plot(bars([Bar(n, s) for n, s in zip(names, scores, strict=True)]), "score by seat", HEADS,
             [row_of(n, s) for n, s in zip(names, scores, strict=True)]),
    )  # fmt: skip
    return section("fairness", "Does it matter where one sits?", answer(words) if off and same else paragraph(words), side_by_side(*figures))


def players(ran: Ran) -> Element | None:
    """Who is the better player, where everybody has sat at every seat as often."""
    results = ran.results
    if not results.rotated or len(set(results.policies)) < 2:
        return None
    even = 1 / results.seats
    found = sorted(((name, share(sum(wins), len(wins))) for name, wins in results.wins_by_player().items()), key=lambda pair: -pair[1].value)
    clear = [name for name, wins in found if not wins.low <= even <= wins.high]
    ahead = {name: moments(points).estimate() for name, points in results.ahead_by_player().items()}
    points = [(name, ahead[name]) for name, _ in found]
    best, wins = found[0]
    most, much = max(points, key=lambda pair: pair[1].value)
    who = best.capitalize() if best in clear else f"By wins nobody stands out: {best}"
    words = [f"{who} wins {between(wins, 'share')} of the games for each seat it has; by chance alone it would be {said(even, 'share')}."]
    if much.low > 0:
        words.append(f"By points {most} is the best: {between(much)} ahead of the others at the table, in the mean of all games.")
    else:
        words.append(f"By points nobody stands out: {most} is {between(much)} ahead of the others at the table.")
    told = answer if best in clear or much.low > 0 else paragraph
    figures = (
        plot(bars([Bar(name, wins, name in clear) for name, wins in found], "share", even), "wins for each seat", HEADS,
             [row_of(name, wins, "share") for name, wins in found]),
        plot(bars([Bar(name, points, not points.low <= 0 <= points.high) for name, points in points]), "points ahead of the others", HEADS,
             [row_of(name, points) for name, points in points]),
    )  # fmt: skip
    return section("players", "Who plays better?", told(" ".join(words)), side_by_side(*figures))


def closeness(ran: Ran) -> Element:
    gaps = ran.results.leads
    shared = share(sum(gap == 0 for gap in gaps), len(gaps))
    words = f"The winner is {between(moments(gaps).estimate())} points ahead; in {between(shared, 'share')} of the games the best two have as many."
    return section("closeness", "How close is it?", paragraph(words), side_by_side(_spread(gaps, "points ahead", "how far the winner is ahead")))


def lead(ran: Ran) -> Element | None:
    """Who is ahead on the way, and whether that decides it."""
    courses = ran.courses
    if not courses.foreseen:
        return None
    moments_told = [(LOOKS // 2, "half of a game"), (LOOKS * 9 // 10, "nine tenths of it")]
    parts = [f"who leads after {when} wins it in {between(_ahead(courses.ahead[at]), 'share')} of the cases"
             for at, when in moments_told if courses.ahead[at].many]  # fmt: skip
    told = ", ".join(parts) if parts else "how everybody stands cannot be told on the way"
    words = (
        f"{told[0].upper()}{told[1:]}. The lead changes {between(courses.changes.estimate())} times a game. "
        f"(From {courses.games:,} games whose course was kept.)"
    )
    ahead = _through("the leader wins in the end", courses.ahead)
    stands = [_through("who wins in the end", courses.winners), _through("the others", courses.others)]
    across = "of the game's answers"
    both = _rows(courses.winners, courses.others)
    figures = (
        plot(lines([ahead], across, "share", "share"), "how often the leader wins", ("of the game", "wins", "between", "games"),
             [row_of(said(look / LOOKS, "share"), _ahead(found), "share")
              for look, found in enumerate(courses.ahead) if look % 4 == 0 and found.many]),
        plot(lines(stands, across, "", "share"), "how they stand on the way", ("of the game", "winners", "others"), both),
    )  # fmt: skip
    return section("lead", "When is it decided?", paragraph(words), side_by_side(*figures))


def _ahead(leading: Moments) -> Estimate:
    """How often who was ahead has won: a share, which stays between never and always."""
    return share(leading.mean * leading.many, leading.many)


def _through(name: str, looks: Sequence[Moments]) -> Course:
    return Course(name, [(at / LOOKS, found.mean) for at, found in enumerate(looks) if found.many])


def _rows(first: Sequence[Moments], second: Sequence[Moments]) -> list[list[str]]:
    return [
        [said(at / LOOKS, "share"), between(first[at].estimate()), between(second[at].estimate())]
        for at in range(0, LOOKS + 1, 4) if first[at].many and second[at].many
    ]  # fmt: skip


def money(ran: Ran) -> Element | None:
    """What the seats have, from the beginning to the end."""
    courses = ran.courses
    if not courses.games:
        return None
    figures = []
    for name, winners in courses.winners_purses.items():
        others = courses.others_purses[name]
        if all(look.many and look.deviation == 0 and look.mean == winners[0].mean for look in (*winners, *others)):
            continue
        drawn = lines([_through("who wins in the end", winners), _through("the others", others)], "of the game's answers", "", "share")
        figures.append(plot(drawn, f"{purse_of(ran, name)} of a seat", ("of the game", "winners", "others"), _rows(winners, others)))
    return section("money", "How rich is one on the way?", side_by_side(*figures)) if figures else None


def points(ran: Ran) -> Element | None:
    """What scores are made of, and what winners have more of."""
    found = ran.courses.points
    if not found:
        return None
    apart = sorted(found.items(), key=lambda pair: -abs(pair[1][0].mean - pair[1][1].mean))
    label, (winners, others) = apart[0]
    words = (
        f"Most of all winners differ in {label}: {between(winners.estimate())} points, where the others have {between(others.estimate())}. "
        f"(From {ran.courses.games:,} games whose course was kept.)"
    )
    figures = [
        plot(bars([Bar(name, both[at].estimate()) for name, both in found.items()]), f"points of {whose}", ("line of scoring", *HEADS[1:]),
             [row_of(name, both[at].estimate()) for name, both in found.items()])
        for at, whose in enumerate(("who wins in the end", "the others"))
    ]  # fmt: skip
    return section("points", "What are points made of?", paragraph(words), side_by_side(*figures))


def recorded(ran: Ran) -> Element | None:
    """What the rules themselves count: prices, lots, whatever they `record`."""
    figures, titles = [], recorded_titles(ran.game) if ran.game is not None else {}
    for name, prices in ran.courses.records.items():
        most = sorted(prices.of.items(), key=lambda pair: -pair[1].many)[:MOST_RECORDED]
        rows = [(_told(of, titles) or name, found.estimate()) for of, found in sorted(most, key=lambda pair: -pair[1].mean)]
        drawn = bars([Bar(of, estimate) for of, estimate in rows])
        left = f", the {MOST_RECORDED} most frequent of {len(prices.of)}" if len(prices.of) > MOST_RECORDED else ""
        figures.append(plot(drawn, f"{name}{left}", ("of what", "mean", "between", "times"), [row_of(of, estimate) for of, estimate in rows]))
    return section("recorded", "What does it cost, what is it worth?", side_by_side(*figures)) if figures else None


def _told(of: str, titles: Mapping[str, str]) -> str:
    return ", ".join(titles.get(one, one) for one in of.split(", "))


def broken(ran: Ran) -> Element | None:
    if not ran.results.broken:
        return None
    words = (
        f"{ran.results.broken:,} games broke off: the rules failed. They are in no figure here. "
        "`ichiba replay FILE --step` opens those that were kept."
    )
    return section("broken", "What went wrong?", element("p", words, class_="note"))


def at_a_glance(results: Columns) -> list[list[str]]:
    """The head of a page."""
    means = [mean(scores) for scores in zip(*results.scores, strict=True)]
    return [
        ["games", f"{results.many:,}"],
        ["players", ", ".join(dict.fromkeys(results.policies))],
        ["decisions a game", between(moments(results.decisions).estimate())],
        ["score of the winner", between(moments(results.winning).estimate())],
        ["mean score", between(moments(means).estimate())],
    ]


__all__ = ["HEADS", "at_a_glance", "broken", "closeness", "fairness", "lead", "length", "money", "players", "points", "recorded"]
