"""What was measured, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.lab.bench.drivers import ByHandInC
from ichiba.lab.bench.lines import Line
from ichiba.lab.bench.measuring import Loading
from ichiba.lab.bench.other_engines import Catanatron

HEADINGS = (
    "", "seats", "games/s", "slowest..fastest", "decisions/game", "µs/decision", "set-up µs", "last µs",
    "copy", "by hand", "in C", "catanatron",
)  # fmt: skip
EXPLAINED = """\
decisions/game  decisions with at least two options; of whole games all answers
set-up, last    of the microseconds of a game: before the first decision; the last answer with the scoring
copy            a copy costs as much as so many decisions
by hand         a decision takes so many times as long as the same game's, written by hand in Python
in C            a game takes so many times as long as one of those by hand in C, for as many seats
catanatron      a decision is so many times as fast as catanatron's"""


def report(lines: Sequence[Line]) -> list[str]:
    """The table."""
    by_hand = {(line.ruleset, line.seats): line for line in lines if line.twin and not line.fault}
    in_c = {line.seats: line for line in lines if isinstance(line.driver, ByHandInC) and not line.fault}
    mark = next((line for line in lines if isinstance(line.driver, Catanatron) and not line.fault), None)
    rows = [list(HEADINGS)]
    for line in lines:
        seats = str(line.seats or "")
        if line.fault:
            rows.append([line.what, seats, line.fault.splitlines()[0][:60], *[""] * (len(HEADINGS) - 3)])
            continue
        twin = by_hand.get((line.ruleset, line.seats)) if not line.twin else None
        quickest = in_c.get(line.seats)
        rates = [1 / run.per_game for run in line.runs]
        rows.append([
            line.what, seats, short(1 / line.per_game), f"{short(min(rates))}..{short(max(rates))}",
            f"{line.decisions:.1f}", micro(line.per_decision), micro(line.setup), micro(line.end),
            times(line.copy, line.per_decision, ""),
            times(line.per_decision, twin.per_decision if twin else None),
            times(line.per_game, quickest.per_game if quickest and quickest is not line else None),
            times(mark.per_decision if mark and line is not mark else None, line.per_decision),
        ])  # fmt: skip
    return aligned(rows)


def micro(seconds: float | None) -> str:
    return "" if seconds is None else short(seconds * 1e6)


def times(one: float | None, other: float | None, sign: str = "x") -> str:
    return "" if one is None or other is None else short(one / other) + sign


def report_loading(found: Sequence[Loading]) -> list[str]:
    headings = ["until it can be played", "seats", "reading ms", "compiling ms", "together ms", "places"]
    rows = [[*headings, "lines of Python", "machine code s"]]
    for one in found:
        parts = (one.reading, one.compiling, one.reading + one.compiling)
        cells = [short(part * 1e3) for part in parts]
        code = "" if one.machine_code is None else short(one.machine_code)
        rows.append([one.name, str(one.seats), *cells, str(one.places), str(one.lines), code])
    return aligned(rows)


def short(number: float) -> str:
    """Three figures, no more."""
    if number >= 100_000:
        return f"{number / 1000:.0f}k"
    if number >= 10_000:
        return f"{number / 1000:.1f}k"
    return f"{number:.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    made = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        made.append("  ".join([row[0].ljust(widths[0]), *cells[1:]]).rstrip())
    return made
