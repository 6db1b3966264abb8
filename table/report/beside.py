"""A run beside another of the same game: what is different, and at which board most of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.lab.results.subjects import titles_of
from ichiba.table.markup.elements import Element
from ichiba.table.plots.scale import said
from ichiba.table.report.comparison import HEADS, cells, how, verdict
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
    rows = [[_titled(effect, titles), *cells(effect)[1:]] for effect in sorted(sure, key=_plainly, reverse=True)]
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
    figures = "; ".join(f"{_titled(effect, titles)}: {_interval(effect)}" for effect in own)
    return f"Most of all {titles.get(most.of, most.of)} is different: {figures}."


def _titled(effect: Effect, titles: dict[str, str]) -> str:
    """A figure of a board, with the board called as people call it."""
    return effect.name.removesuffix(effect.of) + titles.get(effect.of, effect.of) if effect.of else effect.name


def _interval(effect: Effect) -> str:
    low, high = effect.difference.interval()
    much = f"{abs(effect.difference.value / effect.before):.0%} {verdict(effect)}, " if effect.before > 0 and effect.unit != "share" else ""
    sign = "+" if effect.difference.value > 0 else ""
    return f"{said(effect.before)} before, {said(effect.after)} now ({much}{sign}{said(effect.difference.value)}, {said(low)} to {said(high)})"


__all__ = ["Beside", "different"]
