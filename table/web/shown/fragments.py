"""What a place is shown, as parts of its page by name. A part is sent again when it differs from what was sent before.

Everything here is made of a `Sight`, and of what everybody at the table knows: names, bots, who is there, who wants to take something back.
"""

from __future__ import annotations

from contextlib import suppress
from os.path import commonprefix
from typing import TYPE_CHECKING

from ichiba.table.markup.elements import Element, Node, element
from ichiba.table.markup.writing import html
from ichiba.table.scene.sections import Scene
from ichiba.table.sitting.questions import Choice, Lot, Range, Reason
from ichiba.table.sitting.sight import Sight, Told
from ichiba.table.web.shown.ending import ending
from ichiba.table.web.shown.scenes import Parts, Printed, Printer
from ichiba.table.web.shown.tools import Around, Named, Tools
from ichiba.table.web.shown.words import Words

if TYPE_CHECKING:
    from ichiba.table.store.store import Place

MOST_TOOLS = 200
MANY = 16  # options, beyond which there is a field to find one
BLANK = ("ask", "own", "scene", "story", "vote", "tools", "end")


class Fragments:
    """Prints what one language's places of one game are shown."""

    def __init__(self, words: Words):
        self.words, self.printer = words, Printer(words)
        self.tools: dict[object, str] = {}

    def parts(self, sight: Sight, place: Place, about: Around, last: dict[str, Printed] | None = None) -> Parts:
        """`last`: what was printed of the sections of this place's scene before."""
        named = Named(self.words, sight, place)
        tools = Tools(self.words, sight, place, named, about)
        return {
            **self._scene(sight.scene, sight.seat, named, last),
            "turn": html(self._turn(sight, named)),
            "ask": self._ask(sight, named),
            "story": html(self._story(sight.story, sight.earlier)),
            "vote": tools.vote(),
            "tools": self._tools(tools),
            "steps": str(len(sight.steps)),
            "end": html(ending(sight.ended, named.seats(), named, self.words)) if sight.ended is not None else "",
            "cover": "",
            "tab": self._tab(sight),
        }

    def _tools(self, tools: Tools) -> str:
        """The same at many tables and moments: printed once."""
        key = tools.made_of()
        found = self.tools.get(key)
        if found is None:
            found = self.tools[key] = tools.tools()
            while len(self.tools) > MOST_TOOLS:
                with suppress(KeyError):  # two threads may mean the same one
                    self.tools.pop(next(iter(self.tools)))
        return found

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

    def past(self, scene: Scene, story: tuple[Told, ...], earlier: int, sight: Sight, place: Place) -> Parts:
        """An earlier moment."""
        named = Named(self.words, sight, place)
        return {**self._scene(scene, sight.seat, named), "story": html(self._story(story, earlier))}

    def _scene(self, scene: Scene, seat: int | None, named: Named, last: dict[str, Printed] | None = None) -> Parts:
        return self.printer.parts(scene, {one: named.beside(one) for one in named.seats()}, seat, last)

    def _tab(self, sight: Sight) -> str:
        return f"● {self.words('your turn')} – {sight.title}" if sight.question is not None else sight.title

    # ------------------------------------------------------------------------------------------ whose turn

    def _turn(self, sight: Sight, named: Named) -> Element:
        w = self.words
        if sight.fault:
            return element("p", w("stopped", why=sight.fault), class_="warn")
        if sight.ended is not None:
            return element("p", w("over"))
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
            if sight.ended is not None or sight.fault or not sight.waiting:
                return ""
            waits = self.words("waiting for", names=", ".join(map(named, sight.waiting)))
            return html(element("p", f"{self.words('watching')} " if sight.seat is None else None, waits, class_="soft"))
        if question.seat in sight.bots:
            return html(element("p", self.words("bot plays for you")))
        w = self.words
        parts: list[Node] = [
            element(
                "h2",
                question.prompt,
                element("span", f" {question.path}", class_="soft small") if question.path else None,
            )
        ]
        if sight.only:
            parts.append(element("p", w("only possible", what="; ".join(sight.only)), class_="only"))
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
        price = element("span", f" {choice.price}", class_="price") if choice.price else None
        return element("li", element("button", choice.label, price, type="button", data_key=choice.key, data_things=things))

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
        head = element("p", from_to(one.first, one.last), element("span", steps, class_="soft small") if steps else None)
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

    def _story(self, story: tuple[Told, ...], earlier: int) -> Element:
        """Its last lines; those before them are asked for by the script."""
        w = self.words
        if not story:
            return element("p", w("nothing yet"), class_="soft")
        more = element("button", w("story before", number=earlier), type="button", data_earlier="yes") if earlier else None
        return element("div", more, element("ol", *(_line(one, w) for one in story), class_="lines", start=earlier + 1))


def from_to(first: str, last: str) -> str:
    """Two labels in one, what they have in common once: `Offer it for ¥200 … ¥500 today`."""
    one, other = first.split(" "), last.split(" ")
    front = len(commonprefix([one, other]))
    back = len(commonprefix([one[front:][::-1], other[front:][::-1]]))
    middle = [" ".join(words[front : len(words) - back]) for words in (one, other)]
    if first == last or not all(middle):
        return first if first == last else f"{first} … {last}"
    return " ".join([*one[:front], " … ".join(middle), *one[len(one) - back :]])


def _line(one: Told, words: Words) -> Element:
    mark = element("span", f" {words('fresh')}", class_="mark") if one.fresh else None
    return element("li", one.words, mark, class_="fresh" if one.fresh else None)


__all__ = ["Fragments"]
