"""How games end, which of them the clock has ended, and what is never done and never reached."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.lab.coverage import RULES, marked, marks_of
from ichiba.lab.results.statistics import share
from ichiba.table.markup.elements import Element
from ichiba.table.plots.bars import Bar, bars
from ichiba.table.report.parts import and_list, between, paragraph, plot, row_of, section, side_by_side, table
from ichiba.table.report.run import ending_of
from ichiba.table.scene.cards import in_language

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.lab.results.courses import Courses
    from ichiba.table.report.run import Ran

SO_FEW = 3.0  # games of which none has it: fewer than three of so many have it, 19 times of 20
OPTION = "option"  # these are told by themselves


def endings(ran: Ran) -> Element | None:
    results, clocks = ran.results, _clocks(ran.game) if ran.game is not None else []
    found = results.ends().most_common()
    if len(found) < 2 and not clocks:
        return None
    rows = [(ending_of(ran, name), share(count, results.many)) for name, count in found]
    words = f"Most often so: {rows[0][0]}, in {between(rows[0][1], 'share')} of the games."
    for name in clocks:
        hit = results.ends()[name]
        words += f" The clock ({ending_of(ran, name)}) has ended {between(share(hit, results.many), 'share') if hit else 'none'} of them"
        words += f": it ends fewer than one of {_rare(results.many):,}." if not hit and _rare(results.many) > 1 else "."
    drawn = bars([Bar(name, estimate) for name, estimate in rows], "share")
    figure = plot(drawn, "endings", ("ending", "share", "between", "games"), [row_of(name, estimate, "share") for name, estimate in rows])
    return section("endings", "How does it end?", paragraph(words), side_by_side(figure))


def _rare(games: int) -> int:
    """What none of so many games has, fewer than one of these has."""
    return ceil(games / SO_FEW)


def _clocks(game: Game) -> list[str]:
    """Endings of games that would go on for ever: `take turns …, at most … times then end as NAME`."""
    turns = [node for made in game.program.procedures for node in walk(made.body) if isinstance(node, ir.Turns)]
    return list(dict.fromkeys(game.program.endings[node.ending] for node in turns if node.ending is not None))


def never(ran: Ran) -> Element | None:
    """Options that nobody has ever taken and rules that nothing has reached, in the games whose course was kept."""
    if ran.game is None or not ran.courses.games:
        return None
    games, idle = ran.courses.games, _never_in_play(ran.game, ran.courses)
    missing = [row for row in _never_taken(ran.game, ran.courses.taken) if _file(row[-1]) not in idle]
    reached = ran.courses.reached
    unreached = [row for row in _never_reached(ran.game, reached) if _file(row[-1]) not in idle] if reached is not None else []
    body = [paragraph(f"In {games:,} games every option was taken at least once.")] if not missing else []
    if missing or unreached:
        seldom = f"in fewer than one of {_rare(games):,} games" if _rare(games) > 1 else "not in every game"
        body.append(paragraph(f"What happens {seldom} may simply not have come up in {games:,}."))
    if idle:
        body.append(paragraph(f"Never in play, and left out here: {and_list(sorted(idle.values()))}."))
    if missing:
        body.append(table(("option", "asked by", "rule"), missing, f"never taken by these players: {len(missing)}"))
    if unreached:
        body.append(table(("rule", "what it is", "where"), unreached, f"rules never reached: {len(unreached)}"))
    elif reached is not None:
        body.append(paragraph("Every rule was reached."))
    return section("never", "What is never done?", *body)


def _never_in_play(game: Game, courses: Courses) -> dict[str, str]:
    """Boards that were in none of the games, by the file in which they are written: how they are called."""
    if courses.in_play is None:
        return {}
    return {board.path: in_language(board.title) or board.name for board in game.box.boards if not courses.in_play[board.name]}


def _file(place: str) -> str:
    """Of `boards/quay.yaml:12:4`."""
    return place.split(":")[0]


def _never_taken(game: Game, taken: set[tuple[int, int]]) -> Iterator[list[str]]:
    found: dict[tuple[str, str, str], bool] = {}
    for site in game.flow.sites:
        if not isinstance(site.decide, ir.Decide) or site.decide.left is not None:
            continue
        for number, option in enumerate(site.decide.options):
            place = f"{option.span.source.path}:{option.span.line}" if option.span is not None else ""
            row = (option.key, game.name_of_question(site), place)
            found[row] = found.get(row, False) or (site.number, number) in taken
    for row, there in found.items():
        if not there:
            yield list(row)


def _never_reached(game: Game, reached: set[int]) -> Iterator[list[str]]:
    for number, point in enumerate(marks_of(marked(game)).points):
        if point.kind in RULES and point.kind != OPTION and number not in reached:
            yield [point.name, point.kind, point.place]


__all__ = ["endings", "never"]
