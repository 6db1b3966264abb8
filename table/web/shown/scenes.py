"""A scene as parts of a page: boards, maps, grids and tracks as pictures, all else as text that a screen reader reads."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from threading import Lock

from ichiba.table.html.cells import inked
from ichiba.table.markup.colours import palette
from ichiba.table.markup.elements import Element, Node, classes_in, element, walk, words_in
from ichiba.table.markup.writing import html
from ichiba.table.scene.boards import BoardCard
from ichiba.table.scene.scene import Entity, Scene, Section, Value
from ichiba.table.scene.spelling import words_of
from ichiba.table.svg.cards import WIDE, board
from ichiba.table.svg.drawing import Panel, picture
from ichiba.table.svg.scenes import section_panel
from ichiba.table.web.shown.words import Words

ROOM = 358.0  # that pictures are drawn for: a phone's width; they grow with the page
WIDE_ROOM = 720.0  # for a map
MOST_KEPT = 3_000  # pictures

Parts = dict[str, str]


class Printer:
    """Prints the scenes of one game. What is drawn of a board that has not changed is drawn once."""

    def __init__(self, words: Words):
        self.words = words
        self.drawn: OrderedDict[Hashable, tuple[str, frozenset[str]]] = OrderedDict()
        self.lock = Lock()

    def parts(self, scene: Scene, names: Mapping[int, str], own: int | None = None) -> Parts:
        """`scene` is the whole, with empty places for the boards, which are parts of their own; `own` is what lies before that seat;
        `sheet` says what colours mean."""
        found: Parts = {"own": ""}
        classes: set[str] = set()
        mine, sections = f"seat {own}", list[Element]()
        for section in scene.sections:
            before = next((one for one in section.entities if one.thing == mine and _in_things(section)), None)
            if before is not None and (thing := self._thing(before, names)) is not None:
                found["own"] += html(thing)
                classes |= classes_in(thing)
                section = replace(section, entities=tuple(one for one in section.entities if one is not before))
                if not section.entities:
                    continue
            sections.append(self._section(section, names, found, classes))
        classes |= classes_in(*sections)
        found["scene"] = "".join(map(html, sections))
        found["sheet"] = sheet(classes)
        return found

    def _section(self, section: Section, names: Mapping[int, str], found: Parts, classes: set[str]) -> Element:
        title = section.title or self.words("table")
        head = element("h2", title, class_=None if section.title else "unseen")
        return element(
            "section",
            head,
            *self._body(section, names, found, classes),
            class_=f"section of-{_name(section.name)}",
            aria_label=title,
        )

    def _body(self, section: Section, names: Mapping[int, str], found: Parts, classes: set[str]) -> Iterator[Node]:
        if section.boards:
            places = [
                self._card(card, entity, found, classes)
                for card, entity in zip(section.boards, section.entities, strict=True)
            ]
            yield element("div", *places, class_="cards")
        elif section.chart is not None or section.grid is not None or section.track is not None:
            yield self._picture(section, found, classes)
        else:
            yield self._things(section, names)

    def _card(self, card: BoardCard, entity: Entity, found: Parts, classes: set[str]) -> Element:
        part = f"board-{_name(card.name)}"
        found[part], used = self._kept(card, lambda: board(card, WIDE), card.title)
        classes |= used
        changed = any(value.change for value in entity.values)
        return element("div", id=f"part-{part}", class_="card changed" if changed else "card", data_thing=card.thing)

    def _picture(self, section: Section, found: Parts, classes: set[str]) -> Element:
        part, room = f"picture-{_name(section.name)}", WIDE_ROOM if section.chart is not None else ROOM
        drawn = section.chart, section.grid, section.track, room
        found[part], used = self._kept(
            drawn, lambda: section_panel(section, room), section.title or self.words("table")
        )
        classes |= used
        if section.chart is None:
            return element("div", id=f"part-{part}", class_="picture")
        name = section.title or self.words("table")  # on a phone one moves it about in its frame
        return element("div", id=f"part-{part}", class_="map", tabindex=0, role="region", aria_label=name)

    def _kept(self, key: Hashable, draw: Callable[[], Panel], title: str) -> tuple[str, frozenset[str]]:
        """A picture, and the classes in it."""
        with self.lock:
            if (known := self.drawn.get(key)) is not None:
                self.drawn.move_to_end(key)
                return known
        made = described(draw(), title)
        known = html(made), frozenset(classes_in(made))
        with self.lock:
            self.drawn[key] = known
            while len(self.drawn) > MOST_KEPT:
                self.drawn.popitem(last=False)
        return known

    # ------------------------------------------------------------------------------------------ text

    def _things(self, section: Section, names: Mapping[int, str]) -> Element:
        if section.layout == "line" or section.name == "table":
            return element("dl", *(one for entity in section.entities for one in self._in_line(entity)), class_="line")
        made = [self._thing(entity, names) for entity in section.entities]
        return element("div", *(one for one in made if one is not None), class_="things")

    def _in_line(self, entity: Entity) -> Iterator[Element]:
        """What has a head of its own stays together behind it."""
        values = [self._value(value) for value in _telling(entity)]
        if not entity.head:
            yield from values
        elif values:
            told = [element("dd", *(node for part in value.children for node in _inside(part))) for value in values]
            new = any(value.change for value in entity.values)
            yield element("div", element("dt", *inked(entity.head)), *told, class_="new" if new else None)
        else:
            yield element("div", element("dt", *inked(entity.head)))

    def _thing(self, entity: Entity, names: Mapping[int, str]) -> Element | None:
        values = [self._value(value) for value in _telling(entity)]
        kind, _, number = entity.thing.partition(" ")
        called = names.get(int(number)) if kind == "seat" and number.isdigit() else None
        head = element("h3", *inked(entity.head), f" · {called}" if called else None)
        if not entity.head and not values:
            return None
        changed = any(value.change for value in entity.values)
        return element(
            "div",
            head,
            element("dl", *values) if values else None,
            class_="thing changed" if changed else "thing",
            data_thing=entity.thing or None,
        )

    def _value(self, value: Value) -> Element:
        label = element("dt", value.label)
        cell = list(inked(value.cell)) if words_of(value.cell) else ["–"]
        mark = (
            element(
                "span", f"({value.change})" if value.change != "*" else "✱", class_="mark", title=self.words("changed")
            )
            if value.change
            else None
        )
        return element(
            "div", label, element("dd", *cell, " " if mark else None, mark), class_="new" if value.change else None
        )


def described(panel: Panel, title: str) -> Element:
    """A picture with all its words as its description: who does not see it hears them."""
    texts = (" ".join(words_in(one).split()) for part in panel.parts for one in walk(part) if one.tag == "text")
    return picture(panel, title, "; ".join(filter(None, texts)), styled=False)


def sheet(classes: set[str]) -> str:
    """What the colours of these classes are by day and by night, for pictures and for words."""
    night = "@media screen and (prefers-color-scheme:dark){" + palette(classes, night=True) + "}"
    return re.sub(r"\{fill:(#\w{6})\}", r"{fill:\1;color:\1}", palette(classes) + night)


def _inside(part: Node) -> Iterator[Node]:
    """The words of a label or a value, as part of a sentence."""
    if isinstance(part, Element):
        yield element("span", *part.children, class_="soft" if part.tag == "dt" else None)
        yield " "


def _in_things(section: Section) -> bool:
    """Whether each of its entities is a card of words."""
    drawn = section.boards or section.chart is not None or section.grid is not None or section.track is not None
    return not drawn and section.layout != "line" and section.name != "table"


def _telling(entity: Entity) -> Iterator[Value]:
    return (value for value in entity.values if value.telling)


def _name(name: str) -> str:
    """As it can stand in an id."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name) or "x"


__all__ = ["Parts", "Printer", "described", "sheet"]
