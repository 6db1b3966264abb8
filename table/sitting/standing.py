"""How the scores went over a game that is over: it is played again, and now and then everybody is asked how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table
    from ichiba.table.sitting.course import Given

MOST_LOOKS = 48

Stand = dict[int, int]


def standing(game: Game, seed: int | str, given: Sequence[Given]) -> list[tuple[int, Stand]]:
    """After so many answers, what each seat would have if the game ended there. Where the rules cannot foresee that, what it has scored so far."""
    looks = {round(len(given) * part / MOST_LOOKS) for part in range(MOST_LOOKS + 1)}
    table = game.start(seed)
    scored: list[tuple[int, Stand]] = []
    foreseen: list[tuple[int, Stand]] = []
    for number in range(len(given) + 1):
        if number in looks:
            scored.append((number, dict(table.scores)))
            foreseen += [(number, outlook)] if (outlook := _outlook(table)) is not None else []
        if number < len(given):
            table.play(given[number].key, given[number].seat)
    return foreseen if len(foreseen) > len(scored) // 2 else scored


def _outlook(table: Table) -> Stand | None:
    """Nothing where somebody's cannot be worked out."""
    found = {seat: amount for seat, amount in table.outlook.items() if amount is not None}
    return found if len(found) == table.game.seats else None


__all__ = ["standing"]
