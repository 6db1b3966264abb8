"""The whole report: what was played, then question after question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ichiba.interpreter.policies.players import RANDOM
from ichiba.table.html.page import page
from ichiba.table.markup.elements import Element, element, words_in
from ichiba.table.report import sections
from ichiba.table.report.auctions import auctions
from ichiba.table.report.beside import different
from ichiba.table.report.boards import boards
from ichiba.table.report.ends import endings, never
from ichiba.table.report.parts import STYLE, table
from ichiba.table.report.run import title_of

if TYPE_CHECKING:
    from ichiba.table.report.beside import Beside
    from ichiba.table.report.run import Ran


def report(ran: Ran, other: Beside | None = None) -> Element:
    """`other`: a run that it is shown beside."""
    found = [
        one
        for one in (
            sections.broken(ran), different(ran, other) if other is not None else None,
            sections.length(ran), sections.fairness(ran), sections.players(ran), sections.closeness(ran),
            sections.lead(ran), endings(ran),
            boards(ran), sections.points(ran), sections.money(ran), sections.recorded(ran), auctions(ran), never(ran),
        )
        if one is not None
    ]  # fmt: skip
    title = f"{title_of(ran)}: {ran.results.many:,} games"
    links = element("nav", element("ul", *(element("li", _link(one)) for one in found)), aria_label="Questions")
    foot = element("footer", element("p", "Intervals are of 95%: of twenty of them one misses the truth. ", _about(ran), class_="small soft"))
    body = element("main", element("h1", title), *_in_short(found), *_head(ran), links, *found, foot)
    return page(title, body, more_style=STYLE)


def _in_short(found: list[Element]) -> list[Element]:
    """What sections come to, before all else, each behind its question."""
    told = []
    for one in found:
        answers = [words_in(part) for part in one.children if isinstance(part, Element) and dict(part.attributes).get("class") == "answer"]
        if answers:
            told.append(element("li", _link(one), f" {' '.join(answers)}"))
    return [element("h2", "In short"), element("ul", *told)] if told else []


def _link(one: Element) -> Element:
    name = dict(one.attributes)["id"]
    return element("a", words_in(one.children[0]), href=f"#{name}")


def _head(ran: Ran) -> list[Element]:
    setting = ran.about["setting"]
    rows = sections.at_a_glance(ran.results)
    chosen = [*setting["modules"], *setting["variants"]]
    changed = [f"{name}: {_chosen(value)}" for name, value in (*setting["options"], *setting["assumptions"])]
    rows += [["modules and variants", ", ".join(map(str, chosen))]] if chosen else []
    rows += [["chosen", "; ".join(changed)]] if changed else []
    if ran.courses.games:
        rows.append(["games whose course was kept", f"{ran.courses.games:,}"])
    made = [table((), rows, "at a glance")]
    if set(ran.results.policies) == {RANDOM}:
        words = "All answers were given at random: what winners did more often says little about what is good."
        made.append(element("p", words, class_="note"))
    if ran.game is None:
        words = (
            f"The rules could not be read again ({ran.gone}): boards and options have no titles and pictures here. The figures are as "
            "they were. `--rules FOLDER` says where they lie."
        )
        made.append(element("p", words, class_="note"))
    return made


def _chosen(value: object) -> str:
    """As people write it."""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _about(ran: Ran) -> str:
    setting = ran.about["setting"]
    return f"Game {setting['game']}, {ran.results.seats} seats, seed {ran.about['seed']}: the same command plays the same games."


__all__ = ["report"]
