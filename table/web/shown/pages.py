"""The pages themselves: where one chooses a game, sets up a table, and the table, which a script of ours fills with what it is sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ichiba.table.markup.elements import Element, Node, Script, element
from ichiba.table.markup.writing import html
from ichiba.table.scene.cards import Card, in_language
from ichiba.table.web.shown.words import Words

if TYPE_CHECKING:
    from ichiba.dsl.yaml.configuration import Configuration
    from ichiba.table.web.shown.choosing import Choosing, OptionField, PartField

LANGUAGES = {"en": "English", "ja": "日本語", "es": "Español", "nl": "Nederlands", "de": "Deutsch"}


def page(title: str, script: str, words: Words, *body: Node, class_: str = "") -> str:
    """A page with a style sheet and a script of ours; the policy that goes with it allows nothing else."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("link", rel="stylesheet", href="/static/table.css"),
        element("link", rel="icon", href="/static/icon.svg"),
        Script(f"/static/{script}.js"),
    )
    return html(element("html", head, element("body", *body, class_=class_ or None), lang=words.lang))


def lobby(cards: Sequence[Card], words: Words) -> str:
    games = [_game(card, words) for card in cards if card.seats]
    mine = element("section", element("h2", words("my tables")), element("ul", id="mine"), id="my-tables", hidden=True)
    head = element(
        "header",
        element("h1", words("home"), " ", element("span", "市場", class_="soft", aria_hidden=True)),
        element("p", words("lobby about")),
    )
    body = element(
        "main", head, mine, element("h2", words("lobby")), element("div", *games, class_="games"), class_="lobby"
    )
    return page(words("home"), "lobby", words, body)


def _game(card: Card, words: Words) -> Element:
    title = in_language(card.title, words.lang) or card.name
    about = in_language(card.about, words.lang)
    shows = ", ".join((*card.modules, *card.variants)).replace("_", " ")
    inside: list[Node | None] = [
        element("h3", title),
        element("p", about) if about and about != title else None,
        element("p", words("seats of a game", seats=card.seats), class_="soft"),
    ]
    return element(
        "a",
        *inside,
        element("p", shows, class_="soft small") if shows else None,
        href=f"/new/{card.name}",
        class_="game",
    )


# ------------------------------------------------------------------------------------------------ setting up


def new_table(choosing: Choosing, words: Words) -> str:
    """One form: its author's ways to play first, everything else below, ready to be left alone."""
    title = choosing.title
    fields: list[Node | None] = [
        _presets(choosing.presets, words),
        _seats(choosing, words),
        *_parts("modules", choosing.modules, words),
        *_parts("variants", choosing.variants, words),
        _options(choosing.options, words),
        _language(choosing.languages, words),
    ]
    name = element(
        "p",
        element("label", words("your name"), for_="name"),
        element("input", id="name", type="text", maxlength=24, autocomplete="off"),
        class_="field",
    )
    go = element("p", element("button", words("open table"), type="submit", class_="strong"), class_="row")
    said = element("p", id="said", role="alert", class_="warn", hidden=True)
    form = element("form", name, *fields, said, go, id="setup", data_game=choosing.name)
    links = element("section", element("h2", words("links")), element("p", words("links about")), element("ul", id="links"), element(
        "p", element("a", words("play now alone"), id="play", class_="button strong", href="/"), class_="row"), id="opened", hidden=True)  # fmt: skip
    body = element(
        "main", element("p", element("a", words("back"), href="/")), element("h1", words("set up", game=title)),
        element("p", choosing.about, class_="soft") if choosing.about else None, form, links, class_="lobby",
        data_copy=words("copy"), data_copied=words("copied"), data_link=words("link of seat", seat="#"), data_watch=words("link of watch"),
        data_person=words("person"), data_bot=words("bot", name="#"), data_here=words("here too"), data_seat=words("seat", seat="#"),
        data_policies=" ".join(choosing.policies), data_least=str(choosing.least), data_most=str(choosing.most),
    )  # fmt: skip
    return page(words("set up", game=title), "lobby", words, body)


def _presets(presets: Iterable[Configuration], words: Words) -> Element | None:
    rows = [_preset(one, words) for one in presets]
    if not rows:
        return None
    own = element("strong", words("own choice"))
    none = element("label", element("input", type="radio", name="preset", value="", checked=True), " ", own, class_="choice")
    return element("fieldset", element("legend", words("as set up by its author")), none, *rows)


def _preset(one: Configuration, words: Words) -> Element:
    """It says what it chooses, so that the form can show that."""
    field = element(
        "input", type="radio", name="preset", value=one.name, data_seats=str(one.choices.seats or ""),
        data_parts=" ".join((*one.choices.modules, *one.choices.variants)),
    )  # fmt: skip
    because = element("span", f" {in_language(one.because, words.lang)}", class_="soft")
    return element("label", field, " ", element("strong", in_language(one.title, words.lang) or one.name), because, class_="choice")


def _seats(choosing: Choosing, words: Words) -> Element:
    """How many, and who: filled by the script, which knows how many there are."""
    possible = range(choosing.least, choosing.most + 1)
    numbers = [element("option", str(seats), value=str(seats), selected=seats == choosing.usual) for seats in possible]
    row = element("p", element("label", words("how many play"), for_="seats"), element("select", *numbers, id="seats"), class_="field")
    return element("fieldset", element("legend", words("who sits")), row, element("div", id="sitting"))


def _parts(name: str, parts: Sequence[PartField], words: Words) -> Iterator[Element]:
    if not parts:
        return
    rows = [
        element("label", element("input", type="checkbox", name=name, value=one.name), " ", element("strong", one.title),
                element("span", f" {one.about}", class_="soft") if one.about else None, class_="choice")
        for one in parts
    ]  # fmt: skip
    yield element("fieldset", element("legend", words(name)), *rows)


def _options(options: Sequence[OptionField], words: Words) -> Element | None:
    if not options:
        return None
    rows = [_field(one, f"option-{number}") for number, one in enumerate(options)]
    return element("details", element("summary", words("options")), *rows)


def _field(one: OptionField, id: str) -> Element:
    about = {"id": id, "data_option": one.name, "data_kind": one.kind}
    label = element("label", one.title, for_=id)
    if one.kind == "flag":
        box = element("input", type="checkbox", checked=one.default is True, **about)
        return element("p", element("label", box, " ", one.title, for_=id), class_="choice")
    if one.choices and one.kind == "list_of":
        return _several(one)
    if one.choices:
        made = [element("option", _spoken(choice), value=str(choice), selected=choice == one.default) for choice in one.choices]
        return element("p", label, element("select", *made, **about), class_="field")
    if one.kind == "list_of":
        return element("p", label, element("input", type="text", value=_listed(one.default), autocomplete="off", **about), class_="field")
    usual = one.default if isinstance(one.default, int) else None
    return element("p", label, element("input", type="number", min=one.least, max=one.most, value=usual, **about), class_="field")


def _several(one: OptionField) -> Element:
    """Any number of things out of some, each with a box."""
    usual = set(map(str, one.default)) if isinstance(one.default, list | tuple) else set()
    boxes = [
        element("label", element("input", type="checkbox", value=str(choice), checked=str(choice) in usual), " ", _spoken(choice), class_="choice")
        for choice in one.choices
    ]
    inside = element("fieldset", element("legend", one.title, class_="unseen"), *boxes, class_="several", data_several=one.name)
    return element("details", element("summary", one.title), inside)


def _spoken(choice: object) -> str:
    return str(choice).replace("_", " ")


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else ""


def _language(found: Sequence[str], words: Words) -> Element | None:
    if len(found) < 2:
        return None
    made = [element("option", LANGUAGES.get(lang, lang), value=lang, selected=lang == words.lang) for lang in found]
    return element("p", element("label", words("language"), for_="lang"), element("select", *made, id="lang"), class_="field")


# ------------------------------------------------------------------------------------------------ the table


def table(title: str, place: str, words: Words, seat: int | None, many: int) -> str:
    """The frame; what is in it comes by the socket."""

    def part(name: str, tag: str = "div", **attributes: str | int | bool | None) -> Element:
        return element(tag, id=f"part-{name}", **attributes)

    skip = element("a", words("skip"), class_="skip", href="#part-ask")
    head = element(
        "header", element("a", words("home"), href="/", class_="home"), element("h1", title),
        part("turn"), element("a", words("rules"), href="rules", class_="button", rel="noopener"),
    )  # fmt: skip
    lost = element("p", words("lost"), id="lost", role="alert", class_="warn", hidden=True)
    said = element("p", id="said", role="alert", class_="warn", hidden=True)
    ask = element("section", said, part("vote"), part("ask"), part("tools"), class_="ask", aria_label=words("choices"))
    own = element("section", part("own"), class_="own", tabindex=0, aria_label=words("own"))
    story = element("section", element("h2", words("story")), part("story", tabindex=0, role="region", aria_label=words("story")), class_="story")
    side = element("div", ask, own, story, class_="side")
    main = element(
        "main", part("cover"), part("end"), element("div", part("scene"), class_="scene"), side, class_="table",
        data_place=place, data_seat=str(seat) if seat is not None else None, data_many=str(many), data_moment=words("moment", step="#", steps="%"),
        data_before=words("story before", number="#"),
        data_declined=words("declined"), data_told=words("link told"), data_copy=words("copy"), data_copied=words("copied"),
    )  # fmt: skip
    heard = element("p", id="heard", class_="unseen", role="status", aria_live="polite")
    return page(
        title,
        "table",
        words,
        skip,
        head,
        lost,
        main,
        heard,
        element("div", id="near", role="dialog", aria_label=words("choices"), hidden=True),
        class_="playing",
    )


def signing_in(words: Words) -> str:
    """Shown to whoever has no place here, whether there is a table or not. The script takes the secret from the link."""
    said = element("p", words("no secret"), id="said")
    body = element(
        "main",
        element("h1", words("home")),
        said,
        element("p", element("a", words("back"), href="/")),
        class_="lobby",
        data_sit="yes",
    )
    return page(words("home"), "table", words, body)


def error(status: int, said: str, words: Words) -> str:
    body = element(
        "main",
        element("h1", str(status)),
        element("p", said, class_="refused"),
        element("p", element("a", words("back"), href="/")),
        class_="lobby",
    )
    return page(str(status), "lobby", words, body)


__all__ = ["error", "lobby", "new_table", "page", "signing_in", "table"]
