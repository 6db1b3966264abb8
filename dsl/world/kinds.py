"""What a value can be: numbers with their unit, seats, things, sorts of pieces, pieces, zones and sets of them."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Literal

from ichiba.dsl.faults.fault import BROKEN
from ichiba.dsl.frozen import dataclass
from ichiba.dsl.syntax.plurals import plural

Form = Literal[
    "number",
    "flag",
    "seat",
    "enum",
    "sort",
    "thing",
    "piece",
    "zone",
    "set",
    "purse",
    "table",
    "measure",
    "cost",
    "word",
    "none",
    "nothing",
    "broken",
]


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a value. `name` is the unit, enumeration, family, category or kind that it belongs to.

    A `thing` is anything that exists one by one: boards, stations, boats. A `piece` is something that lies in a
    zone, counted or one by one. A `sort` is what alike pieces have in common.
    """

    form: Form
    name: str = ""
    of: Kind | None = None
    optional: bool = False
    unsure: bool = field(default=False, compare=False)  # none where there was nothing to take the first of

    def __str__(self) -> str:
        return _words(self) + (" or none" if self.optional and self.form != "none" else "")

    @property
    def plain(self) -> Kind:
        return replace(self, optional=False, unsure=False) if self.optional else self


NUMBER = Kind("number")
FLAG = Kind("flag")
SEAT = Kind("seat")
NONE = Kind("none", optional=True)
NOTHING = Kind("nothing")
UNKNOWN = Kind("broken")  # of what is wrong and told already: it fits everywhere


def number(unit: str = "") -> Kind:
    return Kind("number", unit)


def unit_of(kind: Kind) -> str:
    """The unit of an amount; nothing for what is none."""
    return kind.name if kind.form == "number" else ""


def set_of(kind: Kind) -> Kind:
    return Kind("set", of=kind.plain)


def maybe(kind: Kind) -> Kind:
    return replace(kind, optional=True)


def _words(kind: Kind) -> str:
    match kind.form:
        case "number":
            return f"an amount in {kind.name}" if kind.name else "a number"
        case "flag":
            return "a condition"
        case "seat":
            return "a seat"
        case "enum":
            return f"one of {kind.name}"
        case "sort":
            return f"a sort of {kind.name}"
        case "thing":
            return f"{_article(kind.name)} {kind.name}"
        case "piece":
            return f"a piece of {kind.name}"
        case "zone":
            return f"a zone of {kind.name}"
        case "set":
            return "a set of " + (_plural(kind.of) if kind.of else "things")
        case "purse":
            return f"a purse in {kind.name}" if kind.name else "a purse"
        case "table":
            return "a table"
        case "measure":
            return "a measure"
        case "cost":
            return "a cost"
        case "word":
            return f"the word `{kind.name}`"
        case "none":
            return "none"
        case "nothing":
            return "nothing"
        case "broken":
            return BROKEN


def _article(word: str) -> str:
    """`an external market`, but `a unit` and `a one-way street`: what counts is how it sounds."""
    return "an" if word[:1] in ("a", "e", "i", "o", "u") and not word.startswith(("eu", "one", "uni", "use")) else "a"


def _plural(kind: Kind) -> str:
    match kind.form:
        case "number":
            return f"amounts in {kind.name}" if kind.name else "numbers"
        case "seat":
            return "seats"
        case "sort":
            return f"sorts of {kind.name}"
        case "piece":
            return f"pieces of {kind.name}"
        case "thing":
            return plural(kind.name)
        case _:
            return str(kind)
