"""`ichiba tune GAME --change …`: which value of an option, number or assumption comes nearest to what is wanted."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.table import arguments
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ichiba.lab.results.reading import Columns
    from ichiba.lab.results.statistics import Estimate
    from ichiba.table.arguments import Setting

HELP = "which value of an option or assumption brings a figure nearest to what is wanted"
EXAMPLES = (
    "ichiba tune my_game --change rounds --to 5,6,7,8 --want decisions=150",
    "ichiba tune my_game --change A-MY-03 --to 10..50/10 --want turns=40",
    "ichiba tune my_game --change start_cash --to 5..15 --want fairness      every seat wins as often",
)
MOST_VALUES = 40
FIGURES = ("decisions", "turns", "fairness", "lead", "highest")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    arguments.add_setting(parser)
    parser.add_argument("--change", metavar="NAME", required=True, help="an option of the game, or the id of an assumption")
    parser.add_argument("--to", metavar="VALUES", required=True, help="which values are tried: 5,6,7 or 10..50/10 (from 10 to 50 in steps of 10)")
    parser.add_argument(
        "--want", metavar="FIGURE[=N]", required=True,
        help="decisions=N, turns=N, lead=N (of the winner), highest=N (score of the winner), or fairness (every seat wins as often)",
    )  # fmt: skip
    parser.add_argument("--games", metavar="N", type=arguments.whole, default=200, help="for each value (default: 200)")
    parser.add_argument("--policy", metavar="NAMES", help="who plays: one policy for all seats, or one for each: a,b,c")
    parser.add_argument("--jobs", metavar="N", type=arguments.whole, help="processes (default: one for each processor)")
    parser.add_argument("--seed", type=arguments.seed, default=1, help="where the seeds of the games come from (default: 1)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what is printed (default: text)")


@dataclass(frozen=True, slots=True)
class Tried:
    """One value, and what came of it."""

    value: str
    figure: Estimate
    off: float  # how far from what is wanted


def run(args: argparse.Namespace) -> int:
    values, (figure, wanted) = _values(args.to), _wanted(args.want)
    settings = [_changed(args, value) for value in values]  # what cannot be is said before anything is played
    for one in settings:
        one.load()
    tried = []
    for value, one in zip(values, settings, strict=True):
        found = _figure(_played(args, one), figure)
        tried.append(Tried(value, found, abs(found.value - wanted)))
    best = min(tried, key=lambda one: one.off)
    _told(args, tried, best, figure, wanted)
    return 0


def _values(words: str) -> list[str]:
    """`5,6,7` or `10..50/10`."""
    low, dots, rest = words.partition("..")
    values: Sequence[str | int]
    if not dots:
        values = [value.strip() for value in words.split(",") if value.strip()]
    else:
        high, _, step = rest.partition("/")
        try:
            values = range(int(low), int(high) + 1, int(step or 1))
            len(values)  # of more than can be counted nothing can be made
        except (ValueError, OverflowError):
            raise Refusal(f"ichiba tune: --to {words}: a range is written 10..50 or 10..50/10") from None
    if not 1 <= (many := len(values)) <= MOST_VALUES:
        raise Refusal(f"ichiba tune: --to {words}: these are {many:,} values; from 1 to {MOST_VALUES} can be tried")
    return list(map(str, values))


def _wanted(words: str) -> tuple[str, float]:
    from ichiba.dsl.faults.fault import nearest

    figure, equals, number = words.partition("=")
    if figure not in FIGURES:
        hint = nearest(figure, FIGURES)
        raise Refusal(f"ichiba tune: --want {words}: " + (f"did you mean `{hint}`?" if hint else f"there are: {', '.join(FIGURES)}"))
    if figure == "fairness":
        return figure, 0.0
    try:
        return figure, float(number if equals else "nothing")
    except ValueError:
        raise Refusal(f"ichiba tune: --want {words}: how much? --want {figure}=40") from None


def _changed(args: argparse.Namespace, value: str) -> Setting:
    """With one choice made otherwise; a name such as A-MY-03 is an assumption's."""
    key = "assumptions" if args.change.startswith("A-") else "options"
    words = [*vars(args)[key], f"{args.change}={value}"]
    return arguments.setting(argparse.Namespace(**{**vars(args), key: words}))


def _played(args: argparse.Namespace, setting: Setting) -> Columns:
    from ichiba.lab.results.reading import Columns
    from ichiba.table.commands.simulate import policies_of
    from ichiba.table.simulation.batch import Run, play

    game = setting.load()
    run = Run(setting, policies_of(game, args.policy, "tune"), args.seed)
    results = Columns.empty(run.about(game), game.seats)
    for games in play(run, game, range(1, args.games + 1), args.jobs or os.cpu_count() or 1, True):
        results.extend(games.figures)
    if not results.many:
        raise Refusal("ichiba tune: no game came to its end; `ichiba simulate` shows why")
    return results


def _figure(results: Columns, figure: str) -> Estimate:
    from ichiba.lab.results.statistics import moments

    if figure == "fairness":
        return _unfairness(results)
    if figure == "turns" and not results.turns:
        raise Refusal("ichiba tune: this game has no turns that are counted; --want decisions=N counts answers")
    columns: dict[str, Sequence[float]] = {
        "decisions": results.decisions, "turns": results.turns, "lead": results.leads, "highest": results.winning,
    }  # fmt: skip
    return moments(columns[figure]).estimate()


def _unfairness(results: Columns) -> Estimate:
    """How far apart the luckiest and the unluckiest seat are, in shares of wins; how much of it accident would give is in its interval."""
    from ichiba.lab.results.statistics import Estimate, moments

    wins = [moments(column).estimate() for column in results.shares]
    first, last = max(wins, key=lambda one: one.value), min(wins, key=lambda one: one.value)
    margin = (first.margin**2 + last.margin**2) ** 0.5
    apart = first.value - last.value
    return Estimate(apart, max(0.0, apart - margin), apart + margin, results.many)


def _told(args: argparse.Namespace, tried: list[Tried], best: Tried, figure: str, wanted: float) -> None:
    from ichiba.table.plots.scale import said
    from ichiba.table.terminal.screen import Screen

    unit = "share" if figure == "fairness" else ""
    if args.format == "json":
        rows = [{"value": one.value, figure: one.figure.value, "low": one.figure.low, "high": one.figure.high} for one in tried]
        print(json.dumps({"change": args.change, "want": {figure: wanted}, "tried": rows, "nearest": best.value}, indent=1))
        return
    heads = [args.change, "apart" if figure == "fairness" else figure, "between", ""]
    lines = []
    for one in tried:
        between = f"{said(one.figure.low, unit)} to {said(one.figure.high, unit)}"
        lines.append([one.value, said(one.figure.value, unit), between, "← nearest" if one is best else ""])
    Screen().table(heads, lines)
    rivals = [one.value for one in tried if one is not best and one.figure.low <= best.figure.high and best.figure.low <= one.figure.high]
    if rivals:
        print(f"So many games do not tell {best.value} from {', '.join(rivals)}: more (--games) might.")
