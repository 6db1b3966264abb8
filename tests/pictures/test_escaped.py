"""Nothing an author writes can become markup: it cannot be built, and what can be built is escaped where it is written."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ichiba.table.html.page import page
from ichiba.table.markup.colours import DAY, NAMED, NIGHT, READABLE, class_of, contrast, palette, readable
from ichiba.table.markup.elements import Style, element, walk, words_in
from ichiba.table.markup.writing import html, svg
from ichiba.table.scene.spelling import ink
from ichiba.table.svg.drawing import chip, line, paragraph, picture

HOSTILE = (
    "<script>alert(1)</script>", "</text></svg><script>alert(1)</script>", '" onload="alert(1)', "' onmouseover='alert(1)", "&lt;b&gt; &amp; &#60;",
    "]]><![CDATA[", "<!-- -->", "<?xml?>", "</style><style>*{display:none}",
    "javascript:alert(1)", "url(https://evil.example/x)", "\x1b[2J\x1b[31m", "\x00\x08\x7f",
    "abc\u202egnp.exe", "\u2066\u2069", "{{7*7}}", "${7*7}", "#{7*7}", "{% raw %}", "#import \"x\": *", "#read(\"/etc/passwd\")",
    "$ x^2 $", "*bold* _it_ `raw`",
    "\\u{202e}", "\ud800", "\ufffe", "a\nb\tc", "<img src=x onerror=alert(1)>", "@font-face{src:url(//evil.example)}",
)  # fmt: skip


@pytest.mark.parametrize("words", HOSTILE)
def test_words_stay_words_in_a_picture(words: str) -> None:
    panel = paragraph(ink(words, words), 200)
    text = svg(picture(panel, words, words))
    root = ElementTree.fromstring(text)
    tags = {node.tag.rpartition("}")[2] for node in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "g", "text", "tspan"}
    known = {"class", "viewBox", "width", "height", "role", "transform", "x", "y", "font-size"}
    assert {name for node in root.iter() for name in node.attrib} <= known
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text)
    assert "evil.example" not in "".join(node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}style"))


class Reader(HTMLParser):
    """What a browser would find in a page: elements, attributes, words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


def told(words: str) -> Reader:
    """A page on which these words stand wherever words can."""
    drawn = picture(chip(ink(words), 90), words, styled=False)
    return read(html(page(words, element("main", element("h1", words), element("p", words, title=words, aria_label=words), drawn))))


@pytest.mark.parametrize("words", HOSTILE)
def test_words_stay_words_on_a_page(words: str) -> None:
    found, plain = told(words), told("x")
    assert set(found.tags) == set(plain.tags)
    assert {name for name, _ in found.attributes} == {name for name, _ in plain.attributes}


@given(st.text())
def test_whatever_is_written_can_be_read_again(words: str) -> None:
    text = svg(element("svg", element("text", words, class_="ink"), element("title", words)))
    root = ElementTree.fromstring(text)
    told = [node.text or "" for node in root if node.tag.endswith("title")]
    assert len(root) <= 2 and all("<" not in word or "<" in words for word in told)


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ("script", {}), ("style", {}), ("foreignObject", {}), ("iframe", {}), ("p", {"onclick": "x"}), ("p", {"style": "color:red"}),
        ("a", {"href": "javascript:alert(1)"}), ("a", {"href": "https://evil.example"}),
        ("a", {"href": "//evil.example"}), ("a", {"href": "data:text/html,x"}),
        ("rect", {"x": "1;evil"}), ("rect", {"fill": "red"}), ("path", {"d": "M0 0 url(x)"}), ("g", {"transform": "rotate(1) url(x)"}),
        ("p", {"class_": 'a" onload="x'}), ("meta", {"http_equiv": "refresh"}), ("html", {"lang": "en\" x=\""}), ("input", {"type": "x y"}),
    ],
)  # fmt: skip
def test_what_could_do_harm_cannot_be_built(tag: str, attributes: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        element(tag, **attributes)


def test_a_style_sheet_cannot_be_left() -> None:
    with pytest.raises(ValueError, match="has no `<`"):
        Style("a{}</style><script>")


def test_an_element_knows_its_words_and_all_that_is_in_it() -> None:
    one = element("p", "a ", element("b", "bold", None, ""), " word", hidden=False, class_=None)
    assert words_in(one) == "a bold word"
    assert [each.tag for each in walk(one)] == ["p", "b"] and one.attributes == ()


# ------------------------------------------------------------------------------------------------- colours


@pytest.mark.parametrize("colour", ["javascript:x", "url(x)", "red;}", "#12345", "#1234567", "expression(1)", ""])
def test_what_is_no_colour_is_no_class(colour: str) -> None:
    assert class_of(colour) == ""
    assert "class=\"ink\"" in svg(line(ink("x", colour), 0, 0))


@given(st.integers(0, 0xFFFFFF), st.sampled_from([DAY, NIGHT]))
def test_every_colour_can_be_read_by_day_and_by_night(number: int, paper: str) -> None:
    assert contrast(readable(f"#{number:06x}", paper), paper) >= READABLE


@pytest.mark.parametrize("name", NAMED)
def test_every_named_colour_has_a_class_and_the_class_a_meaning(name: str) -> None:
    assert re.fullmatch(r"\.f-[0-9a-f]{6}\{fill:#[0-9a-f]{6}\}", palette([class_of(name)]))


def test_what_can_be_read_already_is_left_as_it_is() -> None:
    assert readable("#1e5bc6", DAY) == "#1e5bc6"


def test_a_page_asks_nobody_for_anything() -> None:
    import base64
    import hashlib

    text = html(page("Rules", element("main", "x"), lang="en"))
    css = re.search(r"<style>(.*)</style>", text)
    assert css is not None
    digest = base64.b64encode(hashlib.sha256(css[1].encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None and policy[1].replace("&#39;", "'") == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
