"""`ichiba simulate GAME`: many games by themselves, one line of results for each."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from ichiba.table import arguments
from ichiba.table.refusal import FAULT, STOPPED, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ichiba.interpreter.run.game import Game
    from ichiba.lab.results.reading import Columns
    from ichiba.table.arguments import Setting
    from ichiba.table.simulation.batch import Row, Run, Store

COURSES = 100  # games of which it is kept how they went
MOST_KEPT = 10  # games that broke off and are kept
UNNAMED = "end"  # how a game ends that has simply been played to its end
FEW = 3  # of them that are told one by one
NOTICED = 0.5  # seconds of making machine code from which on it is told
HELP = "play many games by themselves, and keep the results"
EXAMPLES = (
    "ichiba simulate my_game --games 1000",
    "ichiba simulate my_game --seats 4 --policy sensible,random,random,random",
    "ichiba simulate my_game --games 10000 --jobs 8 --out runs/base     typed again, it goes on",
    "ichiba simulate my_game --games 100 --out - | head                 one JSON line for each game",
    "ichiba simulate my_game --out runs/prices --records                what the rules `record`, too",
    "ichiba simulate my_game --policy searcher:300,sensible,sensible     players that think ahead (slowly)",
    "ichiba simulate my_game --rotate --policy greedy,sensible,sensible  nobody has the better seat",
    "ichiba simulate my_game --each seats=2,3,4 --each variant=-,short --out runs/all     six runs in one",
    "ichiba simulate my_game --games 100000 --on tcp://10.0.0.5:8786 --out runs/base      on a Dask cluster",
    "ichiba simulate my_game --check                                    invariants are looked at, too",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    parser.add_argument("--games", metavar="N", type=arguments.whole, default=100, help="how many (default: 100)")
    arguments.add_setting(parser)
    parser.add_argument(
        "--policy",
        metavar="NAMES",
        help="who plays: one policy for all seats, or one for each: a,b,c (default: the bots of --config; else the ruleset's own policy, "
        "or random where it has none)",
    )
    parser.add_argument(
        "--rotate", action="store_true", help="everybody moves on by a seat from game to game, so that no player has the better seats"
    )
    parser.add_argument(
        "--each",
        metavar="WHAT=A,B,…",
        action="append",
        default=[],
        help="a run for each of these, in folders of their own below --out: seats=2,3,4, policy=sensible,greedy+random (players of one "
        "game with +), config=NAMES, with=NAMES or variant=NAMES (- for none), an option or the ID of an assumption; again: all combined",
    )
    parser.add_argument(
        "--on", metavar="tcp://HOST:PORT", help="hand the games to a Dask cluster whose workers have Ichiba and the ruleset too"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=arguments.whole,
        help="processes (default: one for each processor); the results are the same",
    )
    parser.add_argument(
        "--seed", type=arguments.seed, help="where the seeds of the games come from (default: a random one, told)"
    )
    parser.add_argument(
        "--out", metavar="DIR|FILE", help="keep the results in a folder, in a file.jsonl, or print them (-)"
    )
    parser.add_argument(
        "--records", action="store_true", help="keep what the rules `record`, in records.jsonl beside the results (takes longer)"
    )
    parser.add_argument(
        "--courses",
        metavar="N",
        type=arguments.whole_or_none,
        default=COURSES,
        help=f"of how many games it is kept how they went, for `ichiba report` (default: {COURSES}; only with --out)",
    )
    parser.add_argument(
        "--check", action="store_true", help="stop where an `invariant` of the rules does not hold (takes longer)"
    )
    parser.add_argument(
        "--python",
        action="store_true",
        help="in Python alone; else many games are played in machine code, made by the C compiler if there is one "
        "(the results are the same)",
    )
    parser.add_argument("--force", action="store_true", help="replace another run that is there")


def run(args: argparse.Namespace) -> int:
    from ichiba.table.simulation.batch import Store

    if args.records and (not args.out or args.out == "-"):
        raise Refusal("ichiba simulate: --records needs a place to keep them: --out DIR")
    if args.each:
        return _each(args)
    setting = arguments.setting(args)
    game = setting.load()
    if not args.out or args.out == "-":
        return _run(args, setting, game, None)
    with Store.at(args.out).held() as store:
        return _run(args, setting, game, store)


def _each(args: argparse.Namespace) -> int:
    """A run for each combination. What cannot be set up is said before the first game."""
    from pathlib import Path

    from ichiba.table.simulation.batch import Store
    from ichiba.table.simulation.matrix import begun, cells
    from ichiba.table.simulation.progress import progress

    if not args.out or args.out == "-" or args.out.endswith(".jsonl"):
        raise Refusal("ichiba simulate: --each needs a folder to keep the runs in: --out DIR")
    runs = cells(args)
    ready = []
    for cell in runs:
        setting = arguments.setting(cell.args)
        game = setting.load()
        policies_of(game, cell.args.policy)
        ready.append((cell, setting, game))
    place, code = Path(args.out), 0
    seed = begun(place, args, runs)
    with progress("games", args.games * len(runs)) as advance:
        for number, (cell, setting, game) in enumerate(ready, 1):
            cell.args.seed, cell.args.out = seed, str(place / cell.name)
            print(f"{'' if number == 1 else chr(10)}{number} of {len(runs)}: {cell.name}")
            with Store.at(cell.args.out).held() as store:
                code = max(code, _run(cell.args, setting, game, store, advance))
            if code == STOPPED:
                break
    return code


def _run(
    args: argparse.Namespace, setting: Setting, game: Game, store: Store | None, watched: Callable[[int], object] | None = None
) -> int:
    from ichiba.interpreter.run.table import new_seed
    from ichiba.lab.results.reading import Columns
    from ichiba.table.simulation.batch import Run

    known = store.known() if store is not None and not args.force else None
    said = args.seed if args.seed is not None else game.configuration.choices.seed if game.configuration is not None else None
    seed = said if said is not None else known["seed"] if known else new_seed()
    courses = args.courses if store is not None else 0
    run = Run(setting, policies_of(game, args.policy), seed, args.check, args.records, courses, args.rotate)
    about = run.about(game)
    results = Columns.empty(about, game.seats)
    broken: list[Row] = []
    for row in _begun(store, about, args.force) if store is not None else ():
        results.add(row)
        broken += [row] if "broken" in row and len(broken) < FEW else []
    if store is not None:
        store.keep_only(results.many + results.broken)
    return _go(args, game, run, store, results, broken, watched)


def policies_of(game: Game, words: str | None, command: str = "simulate") -> tuple[str, ...]:
    """Whoever is named; else the bots of the configuration, and the ruleset's own policy in the place of people."""
    from ichiba.lab.policies import policies, policy

    if words is None:
        bots = game.configuration.policies(game.seats) if game.configuration is not None else {}
        names = [bots.get(seat, policies(game)[0]) for seat in range(1, game.seats + 1)]
    else:
        names = [name.strip() for name in words.split(",") if name.strip()]
    for name in names:
        policy(game, name, "")
    if len(names) == 1:
        names *= game.seats
    if len(names) != game.seats:
        raise Refusal(f"ichiba {command}: --policy {words}: one policy for all, or one for each of {game.seats} seats")
    return tuple(names)


def _begun(store: Store, about: Row, force: bool) -> Iterator[Row]:
    """The games of this very run that are there already. Another run is never written over unasked."""
    known = store.known()
    if not force and known == about:
        return store.done()
    if not force and store.exists():
        differ = [key for key in about if known is None or known.get(key) != about[key]]
        what = f"another run (it differs in {', '.join(differ)})" if known is not None else "something that is no run"
        raise Refusal(f"ichiba simulate: {store.place} holds {what}; --force replaces it")
    store.begin(about)
    return iter(())


def _go(
    args: argparse.Namespace, game: Game, run: Run, store: Store | None, results: Columns, broken: list[Row],
    watched: Callable[[int], object] | None,
) -> int:  # fmt: skip
    from ichiba.table.simulation.batch import Machine, play
    from ichiba.table.simulation.keeping import Keeper
    from ichiba.table.simulation.progress import progress

    jobs = args.jobs or os.cpu_count() or 1
    words = sys.stderr if args.out == "-" else sys.stdout
    before, machine = results.many + results.broken, Machine()
    print(f"{game.name}: {game.seats} seats, {', '.join(dict.fromkeys(run.policies))}, seed {run.seed}", file=words)
    if before:
        print(f"{before} games are there already", file=words)
    keeper = Keeper(store) if store is not None else None
    began = time.monotonic()
    code, played = 0, 0
    try:
        with progress("games", args.games, before) if watched is None else nullcontext(watched) as advance:
            if watched is not None:
                watched(min(before, args.games))
            for games in play(run, game, range(before + 1, args.games + 1), jobs, not args.python, machine, args.on):
                for at, (number, row) in enumerate(games.broken.items(), results.broken):
                    _keep_broken(row, game, store, at)
                    games.kept(number, row)
                    broken += [row] if len(broken) < FEW else []
                if keeper is not None:
                    keeper.add(games)
                elif args.out == "-":
                    print("".join(games.lines), end="")
                results.extend(games.figures)
                played += len(games)
                advance(len(games))
    except KeyboardInterrupt:
        code = STOPPED
    finally:
        if keeper is not None:
            keeper.write()
            keeper.store.settle()
    seconds = time.monotonic() - began - machine.seconds
    if results.many:
        _summary(game, run, results, words)
    if results.broken:
        _tell_broken(broken, results.broken)
        code = code or FAULT
    if played:
        speed = played / max(seconds, 0.001)
        made = f", in machine code{f' that was made in {machine.seconds:.1f} s' if machine.seconds > NOTICED else ''}"
        rate = f"{speed:,.{0 if speed > 10 else 1}f} a second{made if machine.native else ''}"
        print(f"{_counted(played)} in {seconds:.1f} s ({rate})", file=words)
    if code == STOPPED:
        print(
            "stopped" + (f"; what was played is in {args.out}: the same command goes on" if store is not None else ""),
            file=words,
        )
    return code


def _keep_broken(row: Row, game: Game, store: Store | None, before: int) -> None:
    """A game that broke off is kept, so that one can look at it; of very many only some."""
    content = row.pop("save", None)
    if content is None or before >= MOST_KEPT:
        return
    from ichiba.table import saves

    path = store.broken(row["game"]) if store is not None else saves.new_path(game.name, saves.BROKEN)
    saves.keep_broken(content, path)
    row["kept"] = str(path)


def _tell_broken(rows: list[Row], many: int) -> None:
    for row in rows:
        print(f"ichiba simulate: game {row['game']} (seed {row['seed']}) broke off: {row['broken']}", file=sys.stderr)
        if "kept" in row:
            print(f"  ichiba replay {row['kept']} --step   opens it at its last decision", file=sys.stderr)
    if many > len(rows):
        print(f"ichiba simulate: {many - len(rows):,} more games broke off", file=sys.stderr)


# ---------------------------------------------------------------------------------------------- summary


def _summary(game: Game, run: Run, results: Columns, words: Any) -> None:
    """Who won how often, and with what."""
    from ichiba.lab.results.statistics import mean
    from ichiba.table.terminal.screen import Screen

    if words is not sys.stdout:
        return
    table = [_seat_row(results, seat, run.policies[seat]) for seat in range(game.seats)]
    heads = ["", "policy", "wins", "between", "mean score", "deviation", "lowest", "highest"]
    if run.rotate and len(set(run.policies)) > 1:  # nobody has a seat of their own
        ahead = results.ahead_by_player()
        rows = [_player_row(name, wins, ahead[name]) for name, wins in results.wins_by_player().items()]
        Screen().table(["policy", "wins", "between", "points ahead", "between", "games"], rows)
    if run.rotate or len(set(run.policies)) == 1:
        heads, table = heads[:1] + heads[2:], [row[:1] + row[2:] for row in table]
    Screen().table(heads, table)
    told = [_counted(results.many), f"{mean(results.decisions):,.1f} decisions each"]
    if results.turns:
        told.append(f"{mean(results.turns):,.1f} turns each")
    endings = results.ends()
    if set(endings) != {UNNAMED}:
        told.append("endings: " + ", ".join(f"{name} {number / results.many:.0%}" for name, number in endings.most_common()))
    print("; ".join(told))


def _counted(games: int) -> str:
    return f"{games:,} game{'' if games == 1 else 's'}"


def _player_row(name: str, wins: Sequence[float], ahead: Sequence[float]) -> list[str]:
    """How often each seat of a player has won, and by how many points it was before the others at the table."""
    from ichiba.lab.results.statistics import moments

    points = moments(ahead).estimate()
    return [name, *_won(wins), f"{points.value:+,.2f}", f"{points.low:+,.2f} to {points.high:+,.2f}", f"{len(wins):,}"]


def _won(wins: Sequence[float]) -> list[str]:
    """How often, and between what that lies."""
    from ichiba.lab.results.statistics import share

    found = share(sum(wins), len(wins))
    return [f"{found.value:.1%}", f"{found.low:.1%} to {found.high:.1%}"]


def _seat_row(results: Columns, seat: int, policy: str) -> list[str]:
    """A shared first place counts as a share of a win."""
    from ichiba.lab.results.statistics import moments

    scores, won = moments(results.scores[seat]), _won(results.shares[seat])
    lowest, highest = min(results.scores[seat]), max(results.scores[seat])
    return [f"seat {seat + 1}", policy, *won, f"{scores.mean:,.1f}", f"{scores.deviation:,.1f}", f"{lowest:,.0f}", f"{highest:,.0f}"]
