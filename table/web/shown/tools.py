"""What stands around the game: taking back and the vote on it, who sits here and by which link, bots, looking back."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.table.markup.elements import Element, Node, element
from ichiba.table.markup.writing import html
from ichiba.table.sitting.course import LONGEST_NAME, voters
from ichiba.table.sitting.house import WATCH
from ichiba.table.sitting.sight import Sight
from ichiba.table.web.shown.words import Words

if TYPE_CHECKING:
    from ichiba.table.sitting.live import LiveTable
    from ichiba.table.store.store import Place


@dataclass(frozen=True, slots=True)
class Around:
    """What is around the game: what taking back would be, who asks for it, who is not there."""

    undo: str = ""
    asking: int | None = None  # the seat that would like to take back, where this place has not said yet
    asked: bool = False  # this place asks
    unsaid: tuple[int, ...] = ()  # the seats that have yet to say whether they agree
    away: tuple[int, ...] = ()
    bots: tuple[str, ...] = ()  # the policies there are
    forks: bool = False  # whether this place may play on from an earlier moment
    places: tuple[tuple[str, tuple[int, ...]], ...] = ()  # that this one gives new links to, with their seats


def around(live: LiveTable, place: Place, there: Collection[str]) -> Around:
    """`there`: the places at which somebody is."""
    wish = live.may_vote(place)
    own = live.course.wish
    places = list(live.places.values())
    seats = {seat for one in places if one.name not in there for seat in one.seats}
    away = tuple(sorted(seats - set(place.seats) - set(live.course.bots)))
    others = [(one.name, one.seats) for one in places if one.name != place.name]
    return Around(
        live.undo_of(place),
        wish.seat if wish is not None else None,
        own is not None and own.seat in place.seats,
        tuple(sorted(voters(live.course, own, [one.seats for one in places]))) if own is not None else (),
        away,
        tuple(live.policies()),
        bool(place.seats) and (live.course.table.over or not any(seats for _, seats in others)),
        tuple(sorted(others, key=lambda one: one[1] or (99,))) if place.name == live.setup.host else (),
    )


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


class Tools:
    """Prints them for one place."""

    def __init__(self, words: Words, sight: Sight, place: Place, named: Named, about: Around):
        self.words, self.sight, self.place, self.named, self.about = words, sight, place, named, about

    def vote(self) -> str:
        """What the others are asked, above everything else; and what whoever asks is waiting for."""
        w, about = self.words, self.about
        if about.asking is not None:
            yes = element("button", w("agree"), type="button", data_vote="yes", class_="strong")
            no = element("button", w("disagree"), type="button", data_vote="no")
            head = element("h2", w("vote", name=self.named(about.asking)))
            return html(element("div", head, element("p", w("vote about")), element("div", yes, no, class_="row"), class_="vote"))
        if about.asked:
            waits = w("vote waits", names=", ".join(map(self.named, about.unsaid)))
            return html(element("div", element("p", w("undo asked"), " ", waits), class_="vote asked"))
        return ""

    def made_of(self) -> tuple[object, ...]:
        """What hangs together with all that is printed here."""
        sight = self.sight
        return (
            self.place.name, self.place.seats, sight.seats, self.about, sight.waiting, sight.ended is None, bool(sight.steps),
            tuple(sight.names.items()), tuple(sight.bots.items()),
        )  # fmt: skip

    def tools(self) -> str:
        return html(element("div", self._going_back(), *self._bots_that_play(), self._people(), self._looking_back()))

    def _going_back(self) -> Element | None:
        undo = self.about.undo
        if self.about.asked or not undo:
            return None
        return element("button", self.words("undo" if undo == "free" else "undo ask"), type="button", data_undo=undo)

    def _bots_that_play(self) -> Iterator[Element]:
        """A bot at one's own seat is handed back by one click; so is a seat that is waited for and whose owner is away."""
        w, sight = self.words, self.sight
        if sight.ended is not None or not self.place.seats:
            return
        for seat in (seat for seat in self.place.seats if seat in sight.bots):
            back = element("button", w("take seat back"), type="button", data_bot=str(seat), class_="strong")
            yield element("div", element("p", w("bot plays for you")), back, class_="vote")
        for seat in (seat for seat in self.about.away if seat in sight.waiting):
            told = element("p", w("waited for", name=self.named(seat)))
            yield element("div", told, self._let_play(seat), class_="vote")

    def _let_play(self, seat: int) -> Element:
        """Which bot, and the button; the script puts the one into the other."""
        w = self.words
        mine = seat in self.place.seats
        called = w("let a bot play for me") if mine and not self.named.several else w("let a bot play", name=self.named(seat))
        which = element(
            "select", *(element("option", one, value=one) for one in self.about.bots), aria_label=w("which bot", name=self.named(seat)),
            id=f"bot-of-{seat}", class_="which",
        )  # fmt: skip
        button = element("button", called, type="button", data_bot=str(seat), data_policy=self.about.bots[0])
        return element("div", button, which, class_="row bot")

    # -------------------------------------------------------------------------------------------- who sits here

    def _people(self) -> Element:
        w = self.words
        rows = [self._person(seat) for seat in self.named.seats()]
        watch = next((name for name, seats in self.about.places if name == WATCH), None)
        if watch is not None:
            rows.append(element("li", element("strong", w("link of watch")), self._link(watch, w("who looks on"))))
        inside = element("ul", *rows, class_="people")
        return element("details", element("summary", w("people")), inside, element("p", id="new-link", hidden=True, role="status"), id="people")

    def _person(self, seat: int) -> Element:
        w, sight, named = self.words, self.sight, self.named
        called = element("strong", w("seat", seat=seat))
        told = ", ".join(filter(None, (named.beside(seat), w("away") if seat in self.about.away else "")))
        body: list[Node | None] = [called, f" · {told}" if told else None]
        if seat in self.place.seats:
            body.append(self._name(seat))
        going_on = sight.ended is None and seat not in sight.bots
        if going_on and (seat in self.place.seats or seat in self.about.away and seat not in sight.waiting):
            body.append(self._let_play(seat))
        link = next((name for name, seats in self.about.places if seats and seats[0] == seat), None)
        if link is not None:
            body.append(self._link(link, named(seat)))
        return element("li", *body)

    def _name(self, seat: int) -> Element:
        w = self.words
        given = element(
            "input", type="text", maxlength=LONGEST_NAME, value=self.sight.names.get(seat, ""), id=f"name-{seat}", autocomplete="off",
            aria_label=w("name of", seat=seat), placeholder=w("your name"),
        )  # fmt: skip
        return element("div", given, element("button", w("keep name"), type="button", data_name=str(seat)), class_="row")

    def _link(self, place: str, name: str) -> Element:
        button = element("button", self.words("new link for", name=name), type="button", data_link=place)
        return element("div", button, class_="row")

    # -------------------------------------------------------------------------------------------- looking back

    def _looking_back(self) -> Element | None:
        """How many moments there are is a part of its own: it changes with every answer."""
        w = self.words
        if not self.sight.steps:
            return None
        slider = element("input", type="range", min=0, max=0, value=0, id="moment", aria_label=w("look back"))
        told = element("output", for_="moment", id="moment-told")
        back = element("button", "◀", type="button", data_step="-1", aria_label=w("one back"))
        on = element("button", "▶", type="button", data_step="1", aria_label=w("one on"))
        now = element("button", w("to now"), type="button", data_now="yes")
        fork = element("button", w("fork"), type="button", data_fork="yes") if self.about.forks else None
        keep = element("a", w("keep"), href="save", class_="button") if self.sight.ended is not None else None
        inside = element(
            "div", element("div", back, slider, on, class_="row scrub"), told, element("div", now, fork, keep, class_="row"),
        )  # fmt: skip
        return element("details", element("summary", w("look back")), inside, id="looking-back")


__all__ = ["Around", "Named", "Tools", "around"]
