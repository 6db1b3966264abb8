"""Two runs beside each other: what changed, what did not, and what so many games cannot say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ichiba.lab.results.statistics import Estimate
from ichiba.table.html.page import page
from ichiba.table.markup.elements import Element, element
from ichiba.table.plots.bars import Bar, bars
from ichiba.table.plots.scale import said
from ichiba.table.report.parts import STYLE, paragraph, plot, section, side_by_side, table
from ichiba.table.report.run import title_of

if TYPE_CHECKING:
    from ichiba.lab.results.comparing import Comparison, Effect
    from ichiba.table.report.run import Ran

HEADS = ("", "before", "after", "change", "between", "")


def verdict(effect: Effect) -> str:
    """What may be said of a figure."""
    if effect.sure:
        return "more" if effect.difference.value > 0 else "less"
    if effect.enough:
        return "no change worth knowing of"
    return f"not enough games to say: about {effect.wanted:,} would be"


def cells(effect: Effect) -> list[str]:
    low, high = effect.difference.interval()
    sign = "+" if effect.difference.value > 0 else ""
    change = sign + said(effect.difference.value, effect.unit)
    return [
        effect.name, said(effect.before, effect.unit), said(effect.after, effect.unit), change,
        f"{said(low, effect.unit)} to {said(high, effect.unit)}" if effect.difference.freedom > 0 else "–", verdict(effect),
    ]  # fmt: skip


def as_json(found: Comparison) -> dict[str, object]:
    rows = []
    for effect in found.effects:
        low, high = effect.difference.interval()
        rows.append({
            "name": effect.name, "before": effect.before, "after": effect.after, "change": effect.difference.value, "low": low, "high": high,
            "chance": effect.chance, "sure": effect.sure, "enough": effect.enough, "games_wanted": effect.wanted,
        })  # fmt: skip
    return {"pairs": found.pairs, "games": list(found.games), "effects": rows}


def how(found: Comparison) -> str:
    """How they were compared."""
    if found.pairs:
        return f"{found.pairs:,} games with the same seeds, pair by pair"
    return f"{found.games[0]:,} games against {found.games[1]:,} others: they have no seeds in common, so only larger changes show"


def comparison(before: Ran, after: Ran, found: Comparison) -> Element:
    title = f"{title_of(before)}: what changed"
    sure = [effect for effect in found.effects if effect.sure]
    unsure = [effect for effect in found.effects if not effect.enough]
    rest = [effect for effect in found.effects if not effect.sure and effect.enough]
    body = [
        element("h1", title),
        paragraph(f"Compared: {how(found)}. Of so many figures some would differ by accident; what is called a change here stands in spite of that."),
        table(("", "before", "after"), _settings(before, after), "the two runs"),
        section("changed", "What changed?", *_answers(sure, "Nothing that so many games could show.")),
        section("same", "What stayed as it was?", *_answers(rest, "Of nothing so many games can say that.")),
    ]  # fmt: skip
    if unsure:
        body.append(section("unknown", "What cannot be said yet?", *_answers(unsure, "")))
    return page(title, element("main", *body), more_style=STYLE)


def _answers(effects: list[Effect], else_: str) -> list[Element]:
    if not effects:
        return [paragraph(else_)]
    made = [table(HEADS, [cells(effect) for effect in effects])]
    shares = [effect for effect in effects if effect.unit == "share" and effect.difference.freedom > 0]
    if shares:
        drawn = bars([Bar(effect.name, _estimate(effect), effect.sure) for effect in shares], "share")
        made.append(side_by_side(plot(drawn, "changes of shares", HEADS[:1] + HEADS[3:5], [[row[0], row[3], row[4]] for row in map(cells, shares)])))
    return made


def _estimate(effect: Effect) -> Estimate:
    low, high = effect.difference.interval()
    return Estimate(effect.difference.value, low, high, effect.difference.many)


def _settings(before: Ran, after: Ran) -> list[list[str]]:
    rows = [
        ["games", f"{before.results.many:,}", f"{after.results.many:,}"],
        ["players", *(", ".join(ran.results.policies) for ran in (before, after))],
    ]
    for key in ("game", "modules", "variants", "options", "assumptions"):
        one, other = (_words(ran.about["setting"][key]) for ran in (before, after))
        if one or other:
            rows.append([key, one or "–", other or "–"])
    if before.about["ruleset"] != after.about["ruleset"] and before.about["setting"] == after.about["setting"]:
        rows.append(["rules", "as they were", "changed"])
    return rows


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(" = ".join(map(str, one)) if isinstance(one, list) else str(one) for one in value)
    return str(value)


__all__ = ["as_json", "cells", "comparison", "how", "verdict"]
