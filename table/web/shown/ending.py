"""The end of a game: the scores row by row, the places, and how the scores went."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ichiba.table.markup.elements import Element, classes_in, element
from ichiba.table.markup.writing import html
from ichiba.table.plots.lines import Course, lines
from ichiba.table.sitting.sight import Ended
from ichiba.table.svg.drawing import picture
from ichiba.table.web.shown.scenes import sheet
from ichiba.table.web.shown.words import Words

Name = Callable[[int], str]


def ending(ended: Ended, seats: Sequence[int], named: Name, words: Words) -> Element:
    """Row by row, as one reads scores out; the script shows one after the other, and asks for the chart."""
    title = element("h2", words("final scores"))
    why = element("p", ended.words) if ended.words else None
    steps = element(
        "div",
        element("button", words("next line"), type="button", data_next="one", class_="strong"),
        element("button", words("all lines"), type="button", data_next="all"),
        class_="row",
    )
    places, number = [], 1
    for who in ended.places:
        points = f"{ended.totals[who[0] - 1]:,}"
        places.append(element("li", words("place", place=number, names=", ".join(map(named, who)), points=points)))
        number += len(who)
    table = element("div", _table(ended, seats, named, words), class_="scroll", tabindex=0, role="region", aria_label=words("final scores"))
    course = element("figure", element("figcaption", words("course of scores")), element("div", class_="course"), hidden=True, class_="went")
    others = element("a", words("back"), href="/", class_="button others")
    return element("section", title, why, table, steps, element("ol", *places, class_="places"), course, others, aria_label=words("final scores"))


def _table(ended: Ended, seats: Sequence[int], named: Name, words: Words) -> Element:
    head = element("tr", element("td"), *(element("th", named(seat), scope="col") for seat in seats))
    rows = [_row(what, values, "score") for what, values in ended.rows]
    total = _row(words("total"), ended.totals, "total")
    return element("table", element("thead", head), element("tbody", *rows, total), class_="scores")


def _row(what: str, values: Iterable[int | None], class_: str) -> Element:
    return element("tr", element("th", what, scope="row"), *(element("td", "" if one is None else f"{one:,}") for one in values), class_=class_)


def chart(moments: Sequence[tuple[int, Mapping[int, int]]], names: Mapping[int, str], words: Words) -> dict[str, str]:
    """How the scores went, as a picture and what its colours mean; for who does not see it, how each seat stood at quarters of the game."""
    courses = [Course(name, [(at, stand[seat]) for at, stand in moments]) for seat, name in names.items()]
    quarters = [moments[(len(moments) - 1) * part // 4] for part in range(5)]
    told = "; ".join(f"{name}: {', '.join(f'{stand[seat]:,}' for _, stand in quarters)}" for seat, name in names.items())
    made = picture(lines(courses, words("answers")), words("course of scores"), told, styled=False)
    return {"chart": html(made), "sheet": sheet(frozenset(classes_in(made)))}


__all__ = ["chart", "ending"]
