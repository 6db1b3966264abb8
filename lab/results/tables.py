"""What a run keeps, as flat tables: one row for a game, for a seat of it, for what was recorded, for a look on the way, for a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Row = dict[str, Any]


def games(row: Row) -> Iterator[Row]:
    made = {key: row.get(key) for key in ("game", "seed", "seats", "ending", "decisions", "turns", "broken")}
    made["seed"] = str(row["seed"])
    made["winners"] = "+".join(map(str, row["ranking"][0])) if "ranking" in row else None
    yield made


def seats(row: Row) -> Iterator[Row]:
    """A seat of a game that broke off has no score."""
    places = {seat: at for at, group in enumerate(row.get("ranking", ()), 1) for seat in group}
    for seat, policy in enumerate(row["policies"], 1):
        first = row["ranking"][0] if "ranking" in row else []
        won = (1 / len(first) if seat in first else 0.0) if first else None
        yield {
            "game": row["game"], "seat": seat, "policy": policy, "score": row.get("scores", {}).get(str(seat)), "place": places.get(seat),
            "won": won,
        }  # fmt: skip


def records(row: Row) -> Iterator[Row]:
    """What the rules `record`, and of what."""
    made = {key: row.get(key) for key in ("game", "seat", "turn", "name", "amount")}
    yield made | {"of": "/".join(map(str, row.get("of", ())))}


def looks(row: Row) -> Iterator[Row]:
    """What each seat has, look by look: how it stands, and its purses."""
    named = [("stand", row["stand"]), *row["purses"].items()]
    for name, by_seat in named:
        for seat, amounts in by_seat.items():
            for look, (answers, amount) in enumerate(zip(row["answers"], amounts, strict=True)):
                yield {"game": row["game"], "seat": int(seat), "look": look, "answers": answers, "name": name, "amount": amount}


def boards(row: Row) -> Iterator[Row]:
    """How often each board was used by which option, and what was paid and got there."""
    for board, by_seat in row["boards"].items():
        for seat, found in by_seat.items():
            for what in ("uses", "paid", "got"):
                for name, amount in found[what].items():
                    yield {"game": row["game"], "board": board, "seat": int(seat), "what": what, "name": name, "amount": amount}


TABLES: dict[str, tuple[str, Callable[[Row], Iterator[Row]], dict[str, str]]] = {
    "games": ("rows", games, {
        "game": "int", "seed": "text", "seats": "int", "ending": "text", "decisions": "int", "turns": "int", "broken": "text", "winners": "text",
    }),
    "seats": ("rows", seats, {"game": "int", "seat": "int", "policy": "text", "score": "int", "place": "int", "won": "number"}),
    "records": ("records", records, {
        "game": "int", "seat": "int", "turn": "int", "name": "text", "amount": "int", "of": "text",
    }),
    "looks": ("courses", looks, {"game": "int", "seat": "int", "look": "int", "answers": "int", "name": "text", "amount": "int"}),
    "boards": ("courses", boards, {"game": "int", "board": "text", "seat": "int", "what": "text", "name": "text", "amount": "int"}),
}  # fmt: skip

__all__ = ["TABLES"]
