"""A scene as parts of a page: boards, maps, grids and tracks as pictures, all else as text that a screen reader reads."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock

from ichiba.table.html.cells import inked
from ichiba.table.markup.colours import palette
from ichiba.table.markup.elements import Element, Node, classes_in, element, walk, words_in
from ichiba.table.markup.writing import html
from ichiba.table.scene.boards import BoardCard
from ichiba.table.scene.sections import Entity, Scene, Section, Value
from ichiba.table.scene.spelling import words_of
from ichiba.table.svg.cards import WIDE, board
from ichiba.table.svg.drawing import Panel, picture
from ichiba.table.svg.scenes import section_panel
from ichiba.table.web.shown.words import Words

ROOM = 358.0  # that pictures are drawn for: a phone's width; they grow with the page
WIDE_ROOM = 720.0  # for a map
MOST_KEPT = 300  # pictures

Parts = dict[str, str]
Seen = tuple[str, frozenset[str]]  # a part, and the classes in it
Put = Callable[[str, object, Callable[[], Seen]], None]  # a part: its name, what it is made of, and how


@dataclass(frozen=True, slots=True)
class Printed:
    """A section, and what was printed of it: its parts by name, each with what it was made of."""

    section: Section
    names: Mapping[int, str]
    parts: Mapping[str, tuple[object, Seen]]

    def known(self, part: str, made_of: object) -> Seen | None:
        """What it was, if it is the same."""
        found = self.parts.get(part)
        return found[1] if found is not None and found[0] == made_of else None


class Printer:
    """Prints the scenes of one game. What is drawn of a board that has not changed is drawn once."""

    def __init__(self, words: Words):
        self.words = words
        self.drawn: OrderedDict[Hashable, Seen] = OrderedDict()
        self.lock = Lock()

    def parts(self, scene: Scene, names: Mapping[int, str], own: int | None = None, last: dict[str, Printed] | None = None) -> Parts:
        """`scene` is the whole, with empty places for its sections, and these with empty places for what is in them: each is a part of its
        own; `own` is what lies before that seat; `sheet` says what colours mean. `last`: what was printed for this place before."""
        found: Parts = {"scene": "", "own": ""}
        classes: set[str] = set()
        last = last if last is not None else {}
        for section in scene.sections:
            known = last.get(section.name)
            if known is None or known.section != section or known.names != names:
                known = last[section.name] = Printed(section, names, self._printed(section, names, f"seat {own}", known))
            for part, (_, (text, used)) in known.parts.items():
                found[part] = text
                classes |= used
            if (part := _part(section)) in found:
                found["scene"] += html(self._place(section, part))
        found["sheet"] = sheet(frozenset(classes))
        return found

    def _printed(self, section: Section, names: Mapping[int, str], mine: str, last: Printed | None) -> dict[str, tuple[object, Seen]]:
        found: dict[str, tuple[object, Seen]] = {}

        def put(part: str, made_of: object, make: Callable[[], Seen]) -> None:
            found[part] = made_of, (last.known(part, made_of) if last is not None else None) or make()

        before = next((one for one in section.entities if one.thing == mine and _in_things(section)), None)
        if before is not None and (before.head or before.telling):
            put("own", (before, self._called(before, names)), lambda: _seen(self._thing(before, names)))
            section = replace(section, entities=tuple(one for one in section.entities if one is not before))
        if section.entities or not found:
            title = section.title or self.words("table")
            head = element("h2", title, class_=None if section.title else "unseen")
            body = list(self._body(section, names, put))
            found[_part(section)] = None, _seen(head, *body)
        return found

    def _place(self, section: Section, part: str) -> Element:
        title = section.title or self.words("table")
        return element("section", id=f"part-{part}", class_=f"section of-{_name(section.name)}", aria_label=title)

    def _body(self, section: Section, names: Mapping[int, str], put: Put) -> Iterator[Node]:
        if section.boards:
            places = [self._card(card, entity, put) for card, entity in zip(section.boards, section.entities, strict=True)]
            yield element("div", *places, class_="cards")
        elif section.chart is not None or section.grid is not None or section.track is not None:
            yield self._picture(section, put)
        else:
            yield self._things(section, names, put)

    def _card(self, card: BoardCard, entity: Entity, put: Put) -> Element:
        part = f"board-{_name(card.name)}"
        put(part, card, lambda: self._kept(card, lambda: board(card, WIDE), card.title))
        changed = any(value.change for value in entity.values)
        return element("div", id=f"part-{part}", class_="card changed" if changed else "card", data_thing=card.thing)

    def _picture(self, section: Section, put: Put) -> Element:
        part, room = f"picture-{_name(section.name)}", WIDE_ROOM if section.chart is not None else ROOM
        drawn = section.chart, section.grid, section.track, room
        name = section.title or self.words("table")
        put(part, drawn, lambda: self._kept(drawn, lambda: section_panel(section, room), name))
        if section.chart is None:
            return element("div", id=f"part-{part}", class_="picture")
        return element("div", id=f"part-{part}", class_="map", tabindex=0, role="region", aria_label=name)  # on a phone one moves it about

    def _kept(self, key: Hashable, draw: Callable[[], Panel], title: str) -> Seen:
        """A picture, and the classes in it."""
        with self.lock:
            if (known := self.drawn.get(key)) is not None:
                self.drawn.move_to_end(key)
                return known
        made = described(draw(), title)
        known = _seen(made)
        with self.lock:
            self.drawn[key] = known
            while len(self.drawn) > MOST_KEPT:
                self.drawn.popitem(last=False)
        return known

    # ------------------------------------------------------------------------------------------ text

    def _things(self, section: Section, names: Mapping[int, str], put: Put) -> Element:
        if section.layout == "line" or section.name == "table":
            return element("dl", *(one for entity in section.entities for one in self._in_line(entity)), class_="line")
        return element("div", *(self._place_of(entity, names, put) for entity in section.entities if entity.head or entity.telling), class_="things")

    def _place_of(self, entity: Entity, names: Mapping[int, str], put: Put) -> Element:
        """An empty place for a thing that has a name, which is a part of its own."""
        if not entity.thing:
            return self._thing(entity, names)
        part = f"thing-{_name(entity.thing)}"
        put(part, (entity, self._called(entity, names)), lambda: _seen(*self._inside(entity, names)))
        return element("div", id=f"part-{part}", class_=_class(entity), data_thing=entity.thing)

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

    def _thing(self, entity: Entity, names: Mapping[int, str]) -> Element:
        return element("div", *self._inside(entity, names), class_=_class(entity), data_thing=entity.thing or None)

    def _inside(self, entity: Entity, names: Mapping[int, str]) -> tuple[Element | None, Element | None]:
        called = self._called(entity, names)
        values = [self._value(value) for value in _telling(entity)]
        return element("h3", *inked(entity.head), f" · {called}" if called else None), element("dl", *values) if values else None

    def _called(self, entity: Entity, names: Mapping[int, str]) -> str:
        """What is told of a seat beside its own head."""
        kind, _, number = entity.thing.partition(" ")
        return names.get(int(number), "") if kind == "seat" and number.isdigit() else ""

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


@lru_cache(maxsize=256)
def sheet(classes: frozenset[str]) -> str:
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


def _seen(*made: Node | None) -> Seen:
    there = [one for one in made if one is not None]
    return "".join(map(html, there)), frozenset(classes_in(*there))


def _class(entity: Entity) -> str:
    return "thing changed" if any(value.change for value in entity.values) else "thing"


def _telling(entity: Entity) -> Iterator[Value]:
    return (value for value in entity.values if value.telling)


def _part(section: Section) -> str:
    return f"section-{_name(section.name)}"


def _name(name: str) -> str:
    """As it can stand in an id: two things have two."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", name) or "x"


__all__ = ["Parts", "Printed", "Printer", "described", "sheet"]
