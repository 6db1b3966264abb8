"""A run beside another of the same game: what is different, and at which board most of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.lab.results.subjects import titles_of
from ichiba.table.markup.elements import Element
from ichiba.table.plots.scale import said
from ichiba.table.report.comparison import HEADS, cells, how
from ichiba.table.report.parts import answer, paragraph, section, table

if TYPE_CHECKING:
    from ichiba.lab.results.comparing import Comparison, Effect
    from ichiba.table.report.run import Ran


@dataclass(frozen=True, slots=True)
class Beside:
    """How it was, and what has changed since."""

    before: Ran
    found: Comparison


def different(ran: Ran, other: Beside) -> Element:
    titles = titles_of(ran.game) if ran.game is not None else {}
    sure = [effect for effect in other.found.effects if effect.sure]
    told = _most_of_all([effect for effect in sure if effect.of], titles)
    if not told:
        told = "At no board anything is different that so many games could show." if sure else "Nothing is different that so many games could show."
    rows = [cells(effect) for effect in sorted(sure, key=_plainly, reverse=True)]
    words = paragraph(f"Compared with the run in {other.before.store.place.name}: {how(other.found)}.")
    return section("beside", "What is different from before?", answer(told), words, *([table(HEADS, rows)] if rows else []))


def _plainly(effect: Effect) -> float:
    """How many times as large as its error a difference is."""
    return abs(effect.difference.value) / (effect.difference.error or abs(effect.difference.value) or 1.0)


def _most_of_all(effects: list[Effect], titles: dict[str, str]) -> str:
    if not effects:
        return ""
    most = max(effects, key=_plainly)
    own = sorted((effect for effect in effects if effect.of == most.of), key=_plainly, reverse=True)
    figures = "; ".join(f"{effect.name.replace(most.of, titles.get(most.of, most.of))}: {_interval(effect)}" for effect in own)
    return f"Most of all {titles.get(most.of, most.of)} is different: {figures}."


def _interval(effect: Effect) -> str:
    low, high = effect.difference.interval()
    sign = "+" if effect.difference.value > 0 else ""
    return f"{said(effect.before)} before, {said(effect.after)} now ({sign}{said(effect.difference.value)}, {said(low)} to {said(high)})"


__all__ = ["Beside", "different"]
