"""What a section is made of: plots with their tables, and figures in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from ichiba.lab.results.statistics import Estimate
from ichiba.table.markup.elements import Element, Given, element
from ichiba.table.plots.scale import said
from ichiba.table.svg.drawing import Panel, picture

Cells = Sequence[str]


def section(name: str, title: str, *body: Given) -> Element:
    return element("section", element("h2", title), *body, id=name, aria_label=title)


def paragraph(*words: Given) -> Element:
    return element("p", *words)


def answer(*words: Given) -> Element:
    """What a section comes to."""
    return element("p", *words, class_="answer")


def plot(panel: Panel, title: str, heads: Cells, rows: Sequence[Cells]) -> Element:
    """A picture with what it shows above it, and behind it the same in figures."""
    words = element("details", element("summary", f"{title}: the figures"), table(heads, rows, named=title))
    return element("figure", element("figcaption", title), picture(panel, title, styled=False), words)


def table(heads: Cells, rows: Sequence[Cells], caption: str = "", named: str = "") -> Element:
    """`heads`: one for each column, empty where nothing is to be said of it; none at all where each row says itself what it is. `named`:
    what it is called for those who cannot see where it stands, if it has no caption."""
    head = element("thead", element("tr", *(element("th", name, scope="col") if name else element("td") for name in heads))) if heads else None
    body = [element("tr", element("th", row[0], scope="row"), *(element("td", cell) for cell in row[1:])) for row in rows]
    made = element("table", element("caption", caption) if caption else None, head, element("tbody", *body))
    return element("div", made, class_="scroll", tabindex="0", role="group", aria_label=caption or named or "".join(heads[:1]) or "figures")


def side_by_side(*figures: Element) -> Element:
    return element("div", *figures, class_="plots")


def between(estimate: Estimate, unit: str = "") -> str:
    """`31% (28% to 34%)`."""
    if not (isfinite(estimate.low) and isfinite(estimate.high)):
        return f"{said(estimate.value, unit)} (one game says nothing of how sure that is)"
    margin = estimate.margin
    return f"{said(estimate.value, unit, margin)} ({said(estimate.low, unit, margin)} to {said(estimate.high, unit, margin)})"


def row_of(name: str, estimate: Estimate, unit: str = "") -> list[str]:
    sure = isfinite(estimate.low) and isfinite(estimate.high)
    margin = estimate.margin if sure else 0.0
    interval = f"{said(estimate.low, unit, margin)} to {said(estimate.high, unit, margin)}" if sure else "–"
    return [name, said(estimate.value, unit, margin), interval, f"{estimate.many:,}"]


def and_list(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


STYLE = (
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:1rem}"
    ".plots figure{margin:0}.plots>*{min-width:0}figcaption{font-weight:bold}summary{cursor:pointer}"
    ".answer{font-size:1.08rem;border-left:4px solid var(--line);padding-left:.8em}"
    "@media (max-width:26rem){.plots{grid-template-columns:1fr}}"
)
