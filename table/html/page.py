"""A page of HTML in one file: its own style sheet, a policy that lets it ask nobody for anything, pictures within it.

    page("Rules", element("main", element("h1", "Rules"), picture(panel, "a board", styled=False)), lang="en")
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from ichiba.table.markup.elements import Element, Node, Style, classes_in, element
from ichiba.table.svg.drawing import sheet


def page(title: str, *body: Node, lang: str = "en", more_style: str = "") -> Element:
    """A whole page. Pictures within it come without style sheets of their own: this one has what they all need."""
    css = _own() + more_style + _of_pictures(*body)
    policy = f"default-src 'none'; style-src '{_digest(css)}'; img-src data:; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        Style(css),
    )
    return element("html", head, element("body", *body), lang=lang)


@cache
def _own() -> str:
    """The style of every page, without what only its readers need."""
    return files("ichiba.table.html").joinpath("page.css").read_text(encoding="utf-8").replace("\n", "")


def _of_pictures(*body: Node) -> str:
    """The style of pictures, where there are any."""
    return sheet(*body).text if "pic" in classes_in(*body) else ""


def _digest(css: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
