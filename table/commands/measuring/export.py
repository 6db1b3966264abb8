"""`ichiba export DIR`: the rows of a run, for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ichiba.table.output import add_force
from ichiba.table.refusal import FAULT, Refusal

if TYPE_CHECKING:
    from ichiba.table.simulation.store import Store

Row = dict[str, Any]
TABLES = ("games", "seats", "records", "looks", "boards")
HELP = "the rows of a run as CSV, JSON lines or Parquet"
EXAMPLES = (
    "ichiba export runs/base --out games.csv                      a row for each game",
    "ichiba export runs/base --of seats --out seats.parquet       for each seat of a game: its score, its place",
    "ichiba export runs/base --of looks --out looks.jsonl         what everybody had on the way, where courses were kept",
    "ichiba export runs/all --of seats --out all.csv              of all runs of `simulate --each`, with their names",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="DIR", help="the folder of a run, or of several that `simulate --each` has made")
    parser.add_argument("--of", choices=TABLES, default="games", help="which rows (default: games)")
    parser.add_argument("--out", metavar="FILE", required=True, help="where they go: a file.csv, file.jsonl or file.parquet")
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    from ichiba.lab.results.reading import NoResults
    from ichiba.lab.results.tables import TABLES as KNOWN
    from ichiba.table.simulation.exporting import FORMS, write_rows
    from ichiba.table.simulation.matrix import runs_in

    path, place = Path(args.out), Path(args.place)
    if path.suffix not in FORMS:
        raise Refusal(f"ichiba export: --out {args.out}: its name should end with {', '.join(FORMS[:-1])} or {FORMS[-1]}")
    if path.exists() and not args.force:
        raise Refusal(f"ichiba export: {path} would be written over; `--force` does that")
    names = runs_in(place)
    stores = [(name, _store(place / name)) for name in names] or [("", _store(place))]
    columns = {**({"run": "text"} if names else {}), **KNOWN[args.of][2]}
    try:
        many = write_rows(path, columns, _rows(stores, args.of))
    except (NoResults, LookupError, TypeError, ValueError, AttributeError) as fault:
        why = str(fault) if isinstance(fault, NoResults) else "a line there is none that this version has written"
        raise Refusal(f"ichiba export: {args.place} cannot be read: {why}", FAULT) from None
    print(f"{path}: {many:,} rows")
    return 0


def _store(place: Path) -> Store:
    from ichiba.table.simulation.store import Store

    store = Store.at(str(place))
    store.read_by("export", str(place))
    return store


def _rows(stores: list[tuple[str, Store]], of: str) -> Iterator[Row]:
    from ichiba.lab.results.reading import lines
    from ichiba.lab.results.tables import TABLES as KNOWN

    source, rows_of, _ = KNOWN[of]
    for name, store in stores:
        path: Path = getattr(store, source)
        for line in lines(path) if path.exists() else ():
            for row in rows_of(line):
                yield {"run": name, **row} if name else row
