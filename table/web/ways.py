"""What each way in does. They run in threads, and know who asks only as a place at a table."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from ichiba.dsl.faults.fault import RulesetFaults
from ichiba.interpreter.api import UnknownRuleset, load, rulesets
from ichiba.interpreter.run.table import new_seed
from ichiba.table.markup.writing import html
from ichiba.table.rulebook.book import Book
from ichiba.table.rulebook.printing.to_html import rulebook_page
from ichiba.table.scene.cards import Card, in_language
from ichiba.table.sitting.course import LONGEST_NAME
from ichiba.table.sitting.live import digest
from ichiba.table.sitting.refused import Refused, Seats
from ichiba.table.sitting.refused import said as sentence
from ichiba.table.sitting.secrets import new_secret, sealed
from ichiba.table.sitting.setup import Setup
from ichiba.table.sitting.standing import standing
from ichiba.table.store.store import Request
from ichiba.table.web.guard import COOKIE, seated
from ichiba.table.web.reading import name_in, number_in, number_of
from ichiba.table.web.shown import pages
from ichiba.table.web.shown.choosing import choosing, chosen_options, games
from ichiba.table.web.shown.ending import chart
from ichiba.table.web.shown.fragments import Fragments
from ichiba.table.web.shown.words import Words

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.table.sitting.house import House
    from ichiba.table.sitting.live import LiveTable
    from ichiba.table.store.store import Place

A_YEAR = 365 * 24 * 3600
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(slots=True)
class Asked:
    """One request, as far as anything here wants to know it."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: dict[str, Any]
    words: Words
    secure: bool
    there: frozenset[str] = frozenset()  # the places of the table at which somebody is
    live: LiveTable | None = None
    place: Place | None = None

    @property
    def at(self) -> tuple[LiveTable, Place]:
        assert self.live is not None and self.place is not None
        return self.live, self.place

    def request(self) -> Request:
        """The name that its sender gave it, and what it asks for."""
        _, place = self.at
        about = {key: value for key, value in self.body.items() if key != "request"}
        return Request(place.name, name_in(self.body, "request"), digest(about))


@dataclass(slots=True)
class Ways:
    """`named`: rulesets besides the installed ones, by name."""

    house: House
    named: Mapping[str, Path] = field(default_factory=dict)
    cards: list[Card] | None = None

    # -------------------------------------------------------------------------------------- before there is a table

    def lobby(self, asked: Asked) -> Response:
        return HTMLResponse(pages.lobby(self._cards(), asked.words))

    def new(self, asked: Asked) -> Response:
        card = self._card(asked.path["game"])
        try:
            return HTMLResponse(pages.new_table(choosing(card, asked.words.lang), asked.words))
        except RulesetFaults as faults:
            raise Refused(
                422, f"{card.name} cannot be played: {faults.faults[0].message}; `ichiba check` says more"
            ) from None

    def static(self, asked: Asked) -> Response:
        found = _static(asked.path["file"])
        if found is None:
            raise Refused(404, "there is no such file")
        return Response(found, media_type=KINDS[Path(asked.path["file"]).suffix])

    def _cards(self) -> list[Card]:
        if self.cards is None:
            self.cards = games(self.named)
        return self.cards

    def _card(self, name: str) -> Card:
        for card in self._cards():
            if card.name == name and card.seats:
                return card
        raise Refused(404, "there is no such game")

    def open(self, asked: Asked) -> Response:
        body = asked.body
        card = self._card(str(body["game"]))
        game = self._chosen(card, body)
        sitting = _sitting(body.get("sitting"), game)
        places, bots = _places(sitting, game.seats)
        config = game.config
        own = rulesets().get(card.name) == card.folder
        setup = Setup(
            card.name if own else str(card.folder), game.seats, new_seed(), tuple(map(str, config.modules)), tuple(config.variants),
            tuple(config.options), tuple(config.assumptions), game.lang, bots, _names(body.get("names"), game.seats),
        )  # fmt: skip
        live, secrets = self.house.open(setup, places)
        return JSONResponse(
            {
                "table": live.name,
                "host": live.setup.host,
                "places": secrets,
                "title": in_language(game.box.title, game.lang),
            }
        )

    def _chosen(self, card: Card, body: Mapping[str, Any]) -> Game:
        """The game as it was chosen: a preset, and what is said beside it."""
        modules, variants = (_words_in(body.get(name, []), name) for name in ("modules", "variants"))
        lang, preset = body.get("lang", "en"), body.get("preset") or None
        if preset is not None and not preset.isidentifier():
            raise Refused(422, "there is no such preset", field="preset")
        try:
            game = load(card.folder, body.get("seats"), config=preset, modules=modules, variants=variants, lang=lang)
            if body.get("options"):
                options = chosen_options(game, body["options"])
                game = load(
                    card.folder, body.get("seats"), config=preset, modules=modules, variants=variants, options=options, lang=lang
                )  # fmt: skip
        except (RulesetFaults, UnknownRuleset) as fault:
            said = [one.message for one in fault.faults] if isinstance(fault, RulesetFaults) else [str(fault)]
            raise Refused(422, "; ".join(dict.fromkeys(said))[:500]) from None
        return game

    # ------------------------------------------------------------------------------------------------ sitting down

    def sit(self, asked: Asked) -> Response:
        table, place, secret = asked.path["table"], asked.path["place"], asked.body["secret"]
        seated(self.house, table, place, secret)
        said = JSONResponse({"place": place})
        said.set_cookie(
            COOKIE,
            secret,
            max_age=A_YEAR,
            path=f"/t/{table}/{place}",
            secure=asked.secure,
            httponly=True,
            samesite="strict",
        )
        return said

    def place(self, asked: Asked) -> Response:
        live, place = asked.at
        title = in_language(live.game.box.title, live.game.lang) or live.game.name
        first = next(iter(place.seats), None)
        return HTMLResponse(pages.table(title, place.name, Words(live.game.lang), first, len(place.seats)))

    # ------------------------------------------------------------------------------------------------ looking

    def past(self, asked: Asked) -> Response:
        live, place = asked.at
        seat = _own_seat(asked, place)
        step = number_in(asked.path["step"], "a moment")
        with live.lock:
            sight = live.look(seat)
            if not 0 <= step <= len(sight.steps):
                raise Refused(422, sentence("there are moments 0 to {steps}", steps=len(sight.steps)))
            scene, story, earlier = live.eyes.look_back(seat, ((0, *sight.steps))[step])
        return JSONResponse(Fragments(Words(live.game.lang)).past(scene, story, earlier, sight, place))

    def story(self, asked: Asked) -> Response:
        """Lines of the story in front of those that are shown."""
        live, place = asked.at
        seat, before = _own_seat(asked, place), number_in(asked.path["before"], "a line")
        with live.lock:
            first, told = live.eyes.ears.earlier(seat, before)
            names = dict(live.course.names)
        return JSONResponse({"first": first + 1, "lines": [line.by_name(names) for line in told]})

    def why(self, asked: Asked) -> Response:
        """Why an answer is not possible now; nothing if it is."""
        live, place = asked.at
        seat, key = _own_seat(asked, place), asked.query.get("key", "")
        if not 0 < len(key) <= 2_000 or seat is None:
            raise Refused(400, "`key` is the key of an answer", field="key")
        with live.lock:
            if not any(one.seat == seat for one in live.course.table.pending):
                raise Refused(409, "nothing is asked of this seat now")
            return JSONResponse({"why": live.course.table.why_not(key, seat)})

    def rules(self, asked: Asked) -> Response:
        live, _ = asked.at
        book = Book(live.game)
        return HTMLResponse(html(rulebook_page(book.title, book.blocks(), live.game.lang)))

    def course(self, asked: Asked) -> Response:
        """How the scores went. What somebody would have had at an earlier moment may hang on what was hidden then: so not before the end."""
        live, _ = asked.at
        with live.lock:
            if not live.course.table.over:
                raise Refused(409, "how the scores went is told when the game is over")
            given, names = list(live.course.given), dict(live.course.names)
        words = Words(live.game.lang)
        called = {seat: names.get(seat) or words("seat", seat=seat) for seat in range(1, live.game.seats + 1)}
        return JSONResponse(chart(standing(live.game, live.setup.seed, given), called, words))

    def save(self, asked: Asked) -> Response:
        """For `ichiba replay`. It has the seed in it, and with that all that was hidden: so not before the end."""
        live, _ = asked.at
        with live.lock, tempfile.TemporaryDirectory() as folder:
            if not live.course.table.over:
                raise Refused(409, "a game can be kept when it is over: who has it knows all that is hidden")
            path = Path(folder, "game.json")
            live.course.table.save(path)
            content = path.read_bytes()
        name = f"{live.game.name}.json"
        return Response(
            content, media_type="application/json", headers={"content-disposition": f'attachment; filename="{name}"'}
        )

    # ------------------------------------------------------------------------------------------------ playing

    def answer(self, asked: Asked) -> Response:
        live, place = asked.at
        return JSONResponse(live.answer(place, asked.request(), asked.body["decision"], asked.body["answer"]))

    def undo(self, asked: Asked) -> Response:
        live, place = asked.at
        return JSONResponse(live.undo(place, asked.request(), asked.body.get("ask", False)))

    def vote(self, asked: Asked) -> Response:
        live, place = asked.at
        return JSONResponse(live.vote(place, asked.request(), asked.body["agrees"]))

    def bot(self, asked: Asked) -> Response:
        """With a policy a bot plays from now on, without one the seat is handed back."""
        live, place = asked.at
        seat = asked.body["seat"]
        away = not any(seat in other.seats and other.name in asked.there for other in live.places.values())
        return JSONResponse(live.seat_bot(place, asked.request(), seat, asked.body.get("policy"), away))

    def name(self, asked: Asked) -> Response:
        live, place = asked.at
        return JSONResponse(live.call(place, asked.request(), asked.body["seat"], asked.body["name"]))

    def fork(self, asked: Asked) -> Response:
        """A table that goes on from an earlier moment. Where others have places, only when the game is over: whoever opens the new one has
        the links to all of them, also to that of somebody for whom a bot plays just now."""
        live, place = asked.at
        with live.lock:
            if not live.course.table.over and any(
                other.seats and other.name != place.name for other in live.places.values()
            ):
                raise Refused(409, "others sit here: from an earlier moment one plays on when the game is over")
            steps = (0, *live.eyes.steps(next(iter(place.seats), None)))
            step = asked.body["step"]
            if not 0 <= step < len(steps):
                raise Refused(422, sentence("there are moments 0 to {steps}", steps=len(steps) - 1))
            at = steps[step]
        new, secrets = self.house.fork(live, at)
        return JSONResponse(
            {
                "table": new.name,
                "host": new.setup.host,
                "places": secrets,
                "title": in_language(new.game.box.title, new.game.lang),
            }
        )

    def link(self, asked: Asked) -> Response:
        live, place = asked.at
        other, secret = name_in(asked.body, "place"), new_secret()
        live.new_secret(place, other, sealed(secret))
        return JSONResponse({"table": live.name, "places": {other: secret}})


def _own_seat(asked: Asked, place: Place) -> int | None:
    """The seat whose table is looked at: one of this place's, or 0 for whoever looks on."""
    seat = number_in(asked.path["seat"], "a seat")
    if seat == 0 and not place.seats:
        return None
    if seat not in place.seats:
        raise Refused(403, sentence("you hold {seats}", seats=Seats.of(place.seats)) if place.seats else "you hold no seat")
    return seat


def _words_in(given: object, name: str) -> list[str]:
    if (
        not isinstance(given, list)
        or not all(isinstance(one, str) and one.isidentifier() for one in given)
        or len(given) > 64
    ):
        raise Refused(422, f"`{name}` is a list of names", field=name)
    return [str(one) for one in given]


def _sitting(given: object, game: Game) -> dict[int, str]:
    """Who sits where: `person`, `here` (at the device of seat 1), or a bot's name. Who is not named is a bot, seat 1 a person."""
    usual = next(iter(game.program.policies), "random")
    sitting = {seat: "person" if seat == 1 else usual for seat in range(1, game.seats + 1)}
    if game.configuration is not None and game.configuration.bots is not None:
        sitting |= dict.fromkeys(sitting, "person") | game.configuration.policies(game.seats)
    if given is None:
        return sitting
    if not isinstance(given, dict) or not all(
        isinstance(who, str) and len(who) <= 100 for who in given.values()
    ):
        raise Refused(422, "`sitting` says of seats who sits there", field="sitting")
    for said, who in given.items():
        seat = number_of(said)
        if seat not in sitting:
            raise Refused(422, sentence("there are seats 1 to {seats}", seats=game.seats), field="sitting")
        sitting[seat] = who
    return sitting


def _places(sitting: Mapping[int, str], seats: int) -> tuple[list[tuple[int, ...]], tuple[tuple[int, str], ...]]:
    """The places of people, first that of the first person, and the bots."""
    people = [seat for seat in range(1, seats + 1) if sitting[seat] in ("person", "here")]
    if not people:
        return [], tuple(sorted(sitting.items()))
    first = (people[0], *(seat for seat in people[1:] if sitting[seat] == "here"))
    others = [(seat,) for seat in people if seat not in first]
    return [first, *others], tuple((seat, sitting[seat]) for seat in range(1, seats + 1) if seat not in people)


def _names(given: object, seats: int) -> tuple[tuple[int, str], ...]:
    if given is None:
        return ()
    if not isinstance(given, dict) or not all(
        1 <= (number_of(seat) or 0) <= seats and isinstance(name, str) for seat, name in given.items()
    ):
        raise Refused(422, "`names` says of seats what people are called", field="names")
    found = {int(seat): " ".join(name.split())[:LONGEST_NAME] for seat, name in given.items()}
    return tuple(sorted((seat, name) for seat, name in found.items() if name.isprintable() and name))


@cache
def _static(name: str) -> bytes | None:
    """Ours are few; nothing else is served."""
    home = files("ichiba.table.web.shown").joinpath("static")
    known = {one.name for one in home.iterdir() if Path(one.name).suffix in KINDS}
    if name not in known:
        return None
    content = home.joinpath(name).read_bytes()
    return content + pictures_style().encode() if name == "table.css" else content


@cache
def pictures_style() -> str:
    """What all pictures have in common."""
    from ichiba.table.markup.elements import element
    from ichiba.table.svg.drawing import sheet

    return sheet(element("g")).text


__all__ = ["Asked", "Ways"]
