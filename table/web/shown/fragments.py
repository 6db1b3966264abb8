"""What a place is shown, as parts of its page by name. A part is sent again when it differs from what was sent before.

Everything here is made of a `Sight`, and of what everybody at the table knows: names, bots, who is there, who wants to take something back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.table.markup.elements import Element, Node, element
from ichiba.table.markup.writing import html
from ichiba.table.scene.scene import Scene
from ichiba.table.sitting.questions import Choice, Lot, Range, Reason
from ichiba.table.sitting.sight import Ended, Sight, Told
from ichiba.table.web.shown.scenes import Parts, Printer
from ichiba.table.web.shown.words import Words

if TYPE_CHECKING:
    from ichiba.table.sitting.live import LiveTable
    from ichiba.table.store.store import Place

LINES = 30  # of the story that are shown before one asks for more
MANY = 16  # options, beyond which there is a field to find one
BLANK = ("ask", "scene", "story", "tools", "end")


@dataclass(frozen=True, slots=True)
class Around:
    """What is around the game: what taking back would be, who asks for it, who is not there."""

    undo: str = ""
    asking: int | None = None  # the seat that would like to take back, where this place has not said yet
    asked: bool = False  # this place asks
    away: tuple[int, ...] = ()
    bots: tuple[str, ...] = ()  # the policies there are


def around(live: LiveTable, place: Place, there: Collection[str]) -> Around:
    """`there`: the places at which somebody is."""
    wish = live.may_vote(place)
    own = live.course.wish
    seats = {seat for one in live.places.values() if one.name not in there for seat in one.seats}
    away = tuple(sorted(seats - set(place.seats) - set(live.course.bots)))
    return Around(
        live.undo_of(place),
        wish.seat if wish is not None else None,
        own is not None and own.seat in place.seats,
        away,
        tuple(live.policies()),
    )


class Fragments:
    """Prints what one language's places of one game are shown."""

    def __init__(self, words: Words):
        self.words, self.printer = words, Printer(words)

    def parts(self, sight: Sight, place: Place, about: Around) -> Parts:
        named = Named(self.words, sight, place)
        found = self.printer.parts(sight.scene, {seat: named.beside(seat) for seat in named.seats()})
        return {
            **found,
            "turn": html(self._turn(sight, named)),
            "ask": self._ask(sight, named),
            "story": html(self._story(sight.story)),
            "tools": html(self._tools(sight, place, named, about)),
            "end": html(self._end(sight.ended, named)) if sight.ended is not None else "",
            "cover": "",
            "tab": self._tab(sight),
        }

    def covered(self, sight: Sight, seat: int) -> Parts:
        """Between two people at one device: nobody's table is shown until the next one says so."""
        w = self.words
        cover = element(
            "div", element("h2", w("hand over", seat=seat)), element("p", w("hand over about")),
            element("button", w("show my table"), type="button", data_show=str(seat), class_="strong"), class_="cover",
        )  # fmt: skip
        return {
            **dict.fromkeys(BLANK, ""),
            "turn": html(element("p", w("hand over", seat=seat))),
            "cover": html(cover),
            "tab": sight.title,
        }

    def past(self, scene: Scene, story: tuple[Told, ...], sight: Sight, place: Place) -> Parts:
        """An earlier moment."""
        named = Named(self.words, sight, place)
        found = self.printer.parts(scene, {seat: named.beside(seat) for seat in named.seats()})
        return {**found, "story": html(self._story(story))}

    def _tab(self, sight: Sight) -> str:
        return f"● {self.words('your turn')} – {sight.title}" if sight.question is not None else sight.title

    # ------------------------------------------------------------------------------------------ whose turn

    def _turn(self, sight: Sight, named: Named) -> Element:
        w = self.words
        if sight.fault:
            return element("p", w("stopped", why=sight.fault), class_="warn")
        if sight.ended is not None:
            return element("p", w("over"), f": {sight.ended.words}" if sight.ended.words else "")
        if sight.question is not None:
            return element(
                "p",
                element(
                    "strong", w("your turn of", name=named(sight.question.seat)) if named.several else w("your turn")
                ),
                class_="mine",
            )
        return element("p", w("waiting for", names=", ".join(map(named, sight.waiting))), class_="theirs")

    # ------------------------------------------------------------------------------------------ the question

    def _ask(self, sight: Sight, named: Named) -> str:
        question = sight.question
        if question is None:
            return ""
        if question.seat in sight.bots:
            return html(element("p", self.words("bot plays for you")))
        w = self.words
        parts: list[Node] = [
            element(
                "h2",
                question.prompt,
                element("span", f" {_spoken(question.path)}", class_="soft small") if question.path else None,
            )
        ]
        if question.lot is not None:
            parts.append(self._lot(question.lot))
        parts += [self._range(one) for one in question.ranges]
        if len(question.choices) > MANY:
            parts.append(
                element(
                    "input",
                    type="search",
                    aria_label=w("find"),
                    placeholder=w("find"),
                    class_="find",
                    autocomplete="off",
                )
            )
        parts.append(element("ul", *map(self._choice, question.choices), class_="choices"))
        if question.reasons:
            told = map(self._reason, question.reasons)
            parts.append(
                element("details", element("summary", w("cannot")), element("ul", *told, class_="cannot"), id="cannot")
            )
        return html(element("div", *parts, class_="question", data_decision=question.name))

    def _choice(self, choice: Choice) -> Element:
        things = "|".join(choice.things) or None
        return element("li", element("button", choice.label, type="button", data_key=choice.key, data_things=things))

    def _reason(self, reason: Reason) -> Element:
        label = element("span", reason.label, class_="off")
        return element(
            "li",
            label,
            " ",
            element("span", reason.words, class_="soft"),
            title=reason.words,
            data_things="|".join(reason.things) or None,
        )

    def _range(self, one: Range) -> Element:
        w = self.words
        steps = f" {w('in steps', step=one.step)}" if one.step != 1 else ""
        name = w("how many", low=one.low, high=one.high) + steps
        slider = element(
            "input", type="range", min=one.low, max=one.high, step=one.step, value=one.low, aria_label=name
        )
        number = element(
            "input",
            type="number",
            min=one.low,
            max=one.high,
            step=one.step,
            value=one.low,
            aria_label=name,
            inputmode="numeric",
        )
        head = element("p", f"{one.first} … {one.last}", element("span", f" {name}", class_="soft small"))
        button = element("button", w("answer"), type="button", class_="strong")
        return element(
            "div", head, element("div", slider, number, button, class_="row"), class_="range", data_stem=one.stem
        )

    def _lot(self, lot: Lot) -> Element:
        """Each sort with a number: all of it is one answer."""
        w = self.words
        rows = []
        for number, (key, words) in enumerate(lot.sorts):
            most = lot.most if number == 0 else 99
            field = element(
                "input", type="number", min=0, max=most, value=0, data_sort=key, inputmode="numeric", id=f"lot-{number}"
            )
            rows.append(element("div", element("label", words, for_=f"lot-{number}"), field, class_="row"))
        button = element("button", w("answer"), type="button", class_="strong")
        return element(
            "div", element("p", w("together"), class_="soft"), *rows, button, class_="lot", data_stem=lot.name
        )

    # ------------------------------------------------------------------------------------------ the story

    def _story(self, story: tuple[Told, ...]) -> Element:
        w = self.words
        if not story:
            return element("p", w("nothing yet"), class_="soft")
        shown = [_line(one, w) for one in story[-LINES:]]
        before = [_line(one, w) for one in story[:-LINES]]
        more = (
            element(
                "details",
                element("summary", w("story before", number=len(before))),
                element("ol", *before),
                id="story-before",
            )
            if before
            else None
        )
        return element("div", more, element("ol", *shown, class_="lines"))

    # ------------------------------------------------------------------------------------------ around the game

    def _tools(self, sight: Sight, place: Place, named: Named, about: Around) -> Element:
        return element(
            "div",
            *self._going_back(named, about),
            *self._who_plays(sight, place, named, about),
            self._looking_back(sight),
        )

    def _going_back(self, named: Named, about: Around) -> Iterator[Element]:
        w = self.words
        if about.asking is not None:
            yes = element("button", w("agree"), type="button", data_vote="yes")
            no = element("button", w("disagree"), type="button", data_vote="no")
            yield element(
                "div", element("p", w("vote", name=named(about.asking))), yes, no, class_="vote", role="alert"
            )
        if about.asked:
            yield element("p", w("undo asked"), class_="soft")
        elif about.undo:
            yield element(
                "button", w("undo") if about.undo == "free" else w("undo ask"), type="button", data_undo=about.undo
            )

    def _who_plays(self, sight: Sight, place: Place, named: Named, about: Around) -> Iterator[Element]:
        w = self.words
        if sight.ended is not None or not place.seats:
            return
        mine = [seat for seat in place.seats if seat in sight.bots]
        for seat in mine:
            said = element("p", w("bot plays for you"))
            yield element(
                "div",
                said,
                element("button", w("take seat back"), type="button", data_bot=str(seat), class_="strong"),
                class_="vote",
            )
        for seat in about.away:
            told = w("let a bot play", name=named(seat))
            yield element("button", told, type="button", data_bot=str(seat), data_policy=about.bots[0])
        others = [seat for seat in place.seats if seat not in sight.bots]
        if others:
            yield element(
                "button", w("let a bot play for me"), type="button", data_bot=str(others[0]), data_policy=about.bots[0]
            )

    def _looking_back(self, sight: Sight) -> Element | None:
        w, steps = self.words, sight.steps
        if not steps:
            return None
        slider = element(
            "input", type="range", min=0, max=len(steps), value=len(steps), id="moment", aria_label=w("look back")
        )
        told = element("output", w("moment", step=len(steps), steps=len(steps)), for_="moment", id="moment-told")
        now = element("button", w("to now"), type="button", data_now="yes")
        fork = element("button", w("fork"), type="button", data_fork="yes")
        keep = element("a", w("keep"), href="save", class_="button") if sight.ended is not None else None
        inside = element(
            "div", slider, told, element("div", now, fork, keep, class_="row"), data_steps=" ".join(map(str, steps))
        )
        return element("details", element("summary", w("look back")), inside, id="looking-back")

    # ------------------------------------------------------------------------------------------ the end

    def _end(self, ended: Ended, named: Named) -> Element:
        """Row by row, as one reads scores out; the script shows one after the other."""
        w = self.words
        seats = named.seats()
        head = element("tr", element("td"), *(element("th", named(seat), scope="col") for seat in seats))
        rows = [_row(what, values) for what, values in ended.rows]
        total = element(
            "tr",
            element("th", w("total"), scope="row"),
            *(element("td", f"{one:,}") for one in ended.totals),
            class_="total",
        )
        table = element("table", element("thead", head), element("tbody", *rows, total), class_="scores")
        steps = element(
            "div",
            element("button", w("next line"), type="button", data_next="one"),
            element("button", w("all lines"), type="button", data_next="all"),
        )
        places, number = [], 1
        for who in ended.places:
            points = f"{ended.totals[who[0] - 1]:,}"
            places.append(element("li", w("place", place=number, names=", ".join(map(named, who)), points=points)))
            number += len(who)
        return element(
            "section", element("h2", w("final scores")),
            element("div", table, class_="scroll", tabindex=0, role="region", aria_label=w("final scores")),
            steps, element("ol", *places, class_="places"), aria_label=w("final scores"),
        )  # fmt: skip


class Named:
    """What seats are called, as told to one place."""

    def __init__(self, words: Words, sight: Sight, place: Place):
        self.words, self.sight, self.place = words, sight, place
        self.several = len(place.seats) > 1

    def seats(self) -> list[int]:
        return list(range(1, self.sight.seats + 1))

    def __call__(self, seat: int) -> str:
        """`Anna`, `seat 3`"""
        return self.sight.names.get(seat) or self.words("seat", seat=seat)

    def beside(self, seat: int) -> str:
        """What stands beside a seat's own head: its name, that it is you, that it is a bot."""
        told = [self.sight.names.get(seat, "")]
        told += [self.words("you")] if seat in self.place.seats and not self.several else []
        told += [self.words("bot", name=self.sight.bots[seat])] if seat in self.sight.bots else []
        return ", ".join(filter(None, told))


def _line(one: Told, words: Words) -> Element:
    mark = element("span", f" {words('fresh')}", class_="mark") if one.fresh else None
    return element("li", one.words, mark, class_="fresh" if one.fresh else None)


def _row(what: str, values: Iterable[int | None]) -> Element:
    return element(
        "tr",
        element("th", what, scope="row"),
        *(element("td", "" if one is None else f"{one:,}") for one in values),
        class_="score",
    )


def _spoken(path: str) -> str:
    return path.replace("_", " ").replace("/", " › ")


__all__ = ["Around", "Fragments", "around"]
