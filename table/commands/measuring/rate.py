"""`ichiba rate GAME`: how strong players are, from games between them."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from typing import TYPE_CHECKING, Any

from ichiba.table import arguments
from ichiba.table.refusal import STOPPED, Refusal

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.lab.players.rating import Order, Rating
    from ichiba.table.arguments import Setting
    from ichiba.table.simulation.batch import Row, Run

HELP = "how strong players are, from games between them"
EXAMPLES = (
    "ichiba rate my_game                                          all that can play it by themselves",
    "ichiba rate my_game --players sensible,greedy,searcher:200 --games 40",
    "ichiba rate my_game --seats 4 --format json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    arguments.add_setting(parser)
    parser.add_argument("--players", metavar="NAMES", help="a,b,c (default: the ruleset's policies, random, greedy)")
    parser.add_argument("--games", metavar="N", type=arguments.whole, default=20, help="how many times each pair meets (default: 20)")
    parser.add_argument("--jobs", metavar="N", type=arguments.whole, help="processes (default: one for each processor)")
    parser.add_argument("--seed", type=arguments.seed, default=1, help="where the seeds of the games come from (default: 1)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what is printed (default: text)")


def run(args: argparse.Namespace) -> int:
    from ichiba.lab.players.rating import rated
    from ichiba.lab.players.value import more_is_better

    setting = arguments.setting(args)
    game = setting.load()
    if game.seats < 2:
        raise Refusal("ichiba rate: players can only be compared in a game for two or more")
    names = _players(game, args.players)
    orders: list[Order] = []
    ahead: list[dict[int, float]] = []
    code = 0
    try:
        for row, meeting in _games(args, setting, game, names):
            orders.append(_order(row["ranking"], meeting))
            ahead.append(_ahead(row["scores"], meeting, 1 if more_is_better(game) else -1))
    except KeyboardInterrupt:
        code = STOPPED
    if orders:
        ratings = rated(names, orders, ahead)
        _told(ratings, args.format)
    if code:
        print(f"stopped after {len(orders):,} games", file=sys.stderr)
    return code


def _players(game: Game, words: str | None) -> list[str]:
    from ichiba.lab.policies import RANDOM, UnknownPolicy, policy

    if words is not None:
        names = list(dict.fromkeys(name.strip() for name in words.split(",") if name.strip()))
        for name in names:
            policy(game, name, "")
    else:
        names = [*game.program.policies, RANDOM]
        try:
            policy(game, "greedy", "")
            names.append("greedy")
        except UnknownPolicy:
            pass
    if len(names) < 2:
        raise Refusal("ichiba rate: at least two players are compared: --players a,b")
    return names


def _games(args: argparse.Namespace, setting: Setting, game: Game, names: list[str]) -> Iterator[tuple[Row, Meeting]]:
    """Each pair meets so often: by turns one of the first among others of the second and the other way round, in every seat."""
    from ichiba.table.simulation.batch import Run, play_one
    from ichiba.table.simulation.workers import Workers, told_of_death

    meetings = list(_meetings(len(names), game.seats, args.games))
    runs = [Run(setting, tuple(names[player] for player in one.players), f"{args.seed}/{one.name}") for one in meetings]
    jobs = min(args.jobs or os.cpu_count() or 1, len(runs))
    if jobs == 1:
        rows = (play_one(game, run, 1) for run in runs)
        yield from ((row, one) for row, one in zip(rows, meetings, strict=True) if "broken" not in row)
        return
    with told_of_death("ichiba rate", "nothing was kept"), Workers(jobs, _begin, (setting,)) as workers:
        for row, one in zip(workers.in_order(_play, runs, 2 * jobs), meetings, strict=True):
            if "broken" not in row:
                yield row, one


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game of two players: the one alone, the other everywhere else."""

    name: str
    alone: int
    rest: int
    seat: int
    players: tuple[int, ...]


def _meetings(many: int, seats: int, games: int) -> Iterator[Meeting]:
    for one, other in combinations(range(many), 2):
        for number in range(games):
            alone, rest = (one, other) if number % 2 == 0 else (other, one)
            seat = number // 2 % seats
            players = tuple(alone if at == seat else rest for at in range(seats))
            yield Meeting(f"{one}-{other}/{number // 2}", alone, rest, seat, players)


_AT_WORK: dict[str, Any] = {}


def _begin(setting: Setting) -> None:
    """A worker loads the game once. Ctrl-C is for the one who collects."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _AT_WORK["game"] = setting.load()


def _play(run: Run) -> Row:
    from ichiba.table.simulation.batch import play_one

    return play_one(_AT_WORK["game"], run, 1)


def _order(ranking: list[list[int]], meeting: Meeting) -> Order:
    """The one against the best of the others. Each is as often alone as among the others, so that how many there are evens out."""
    place = {number: at for at, group in enumerate(ranking) for number in group}
    alone, rest = meeting.alone, meeting.rest
    own = place[meeting.seat + 1]
    best = min(place[at + 1] for at in range(len(meeting.players)) if at != meeting.seat)
    return ((alone, rest),) if own == best else ((alone,), (rest,)) if own < best else ((rest,), (alone,))


def _ahead(scores: dict[str, int], meeting: Meeting, sign: int) -> dict[int, float]:
    """By how many points the one is before the best of the others, and what that is for them."""
    from ichiba.lab.players.value import before_the_others

    points = before_the_others([sign * scores[str(seat + 1)] for seat in range(len(meeting.players))], meeting.seat)
    return {meeting.alone: points, meeting.rest: -points}


def _told(ratings: list[Rating], form: str) -> None:
    from ichiba.table.terminal.screen import Screen

    if form == "json":
        print(json.dumps([
            {"name": one.name, "points": one.points.value, "low": one.points.low, "high": one.points.high, "games": one.games, "won": one.won,
             "ahead": one.ahead.value, "ahead_low": _finite(one.ahead.low), "ahead_high": _finite(one.ahead.high)}
            for one in ratings
        ], indent=1))  # fmt: skip
        return
    rows = []
    for one in ratings:
        between = f"{one.points.low:,.0f} to {one.points.high:,.0f}"
        won, ahead = f"{one.won / max(1, one.games):.0%}", f"{one.ahead.value:+,.2f}"
        surely = f"{one.ahead.low:+,.2f} to {one.ahead.high:+,.2f}"
        rows.append([one.name, f"{one.points.value:,.0f}", between, won, ahead, surely, f"{one.games:,}"])
    Screen().table(["player", "rating", "between", "won", "points ahead", "between", "games"], rows)


def _finite(value: float) -> float | None:
    """JSON has no word for what is without end."""
    return value if isfinite(value) else None
