"""What rules that ask are cut into: pieces without a question, questions, and where control goes between them."""

from __future__ import annotations

from dataclasses import dataclass, field

from ichiba.dsl.rules import ir
from ichiba.interpreter.ahead.path import Foreseen
from ichiba.interpreter.flow.between import Asked, Between


@dataclass(eq=False, slots=True, repr=False)
class Piece:
    """Moves without a question, and what comes after them."""

    moves: list[ir.Stm | Between] = field(default_factory=list)
    end: End | None = None
    home: str = ""
    head: bool = False  # control can come here from elsewhere
    inside: tuple[tuple[Site, int], ...] = ()  # the options of its procedure that it is part of
    stops: set[tuple[Site, int]] = field(default_factory=set)  # options that are over behind it
    may_want: bool = False  # a lot is chosen behind it, and perhaps there is none

    def __repr__(self) -> str:
        return f"Piece({len(self.moves)} moves of {self.home!r})"


@dataclass(eq=False, slots=True, repr=False)
class Site:
    """A question: the options, and the piece that each leads to."""

    decide: ir.Decide | ir.ChooseSome | ir.Secret
    procedure: ir.Procedure
    inside: tuple[tuple[Site, int], ...]  # the options we are inside of, outermost first
    bodies: list[Piece] = field(default_factory=list)
    otherwise: Piece | None = None
    after: Piece | None = None
    number: int = -1
    offer: ir.Offer | None = None
    bag_at: ir.Var | None = None
    secret: Secret | None = None  # the block it belongs to
    horizons: set[int] = field(default_factory=set)  # options whose body could fail: how far a dry run looks
    foreseen: dict[int, Foreseen] = field(default_factory=dict)  # what such a body will require
    by_value: dict[int, dict[int, Foreseen]] = field(
        default_factory=dict
    )  # the same, for each value of the first binder
    stop_after: set[int] = field(default_factory=set)  # options that need a dry run: not everything is foreseen
    taken: ir.Var | None = None
    paid_for: frozenset[tuple[Site, int]] = frozenset()  # of a question how to pay: the options that it decides about

    def __repr__(self) -> str:
        return f"Site({self.number}, {self.decide.name!r})"

    def differs_by_way(self, number: int) -> bool:
        """Whether one way to pay for an option may lead on, and another not."""
        found = (self.foreseen.get(number, Foreseen()), *self.by_value.get(number, {}).values())
        return number in self.stop_after or any(one.by_way for one in found)

    def __getstate__(self) -> dict[str, object]:
        """What is needed once the module is written: the question itself, not where it leads."""
        return {
            "decide": self.decide,
            "procedure": self.procedure,
            "inside": self.inside,
            "number": self.number,
            "offer": self.offer,
            "bag_at": self.bag_at,
            "secret": self.secret,
            "horizons": self.horizons,
            "foreseen": {},
            "by_value": {},
            "stop_after": self.stop_after,
            "taken": self.taken,
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        self.bodies, self.otherwise, self.after, self.paid_for = [], None, None, frozenset()
        for name, value in state.items():
            setattr(self, name, value)


@dataclass(eq=False, slots=True, repr=False)
class Secret:
    """A block that several seats perform at the same time."""

    statement: ir.Secret
    site: Site
    entry: Piece
    after: Piece
    sites: list[Site] = field(default_factory=list)
    variables: list[ir.Var] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    area: int = -1
    waiting: int = -1  # where each seat is: its question's number plus 1
    asked: int = -1  # who takes part, a bit for each seat
    exports: list[ir.Var] = field(default_factory=list)

    def __getstate__(self) -> dict[str, object]:
        return {
            "statement": self.statement,
            "site": self.site,
            "sites": self.sites,
            "variables": self.variables,
            "places": self.places,
            "area": self.area,
            "waiting": self.waiting,
            "asked": self.asked,
            "exports": self.exports,
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        self.entry = self.after = Piece()
        for name, value in state.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"Secret({self.statement.name!r})"


@dataclass(eq=False, slots=True)
class Goto:
    piece: Piece


@dataclass(eq=False, slots=True)
class Branch:
    test: ir.Exp | Asked
    yes: Piece
    no: Piece


@dataclass(eq=False, slots=True)
class Ask:
    site: Site


@dataclass(eq=False, slots=True)
class Call:
    perform: ir.Perform
    after: Piece
    landing: Piece | None = None  # where results are taken over, before what comes after


class Return:
    """Back to whoever performed this."""


@dataclass(eq=False, slots=True)
class Enter:
    secret: Secret


class SecretDone:
    """One seat has answered everything."""


class Finish:
    """The game is over."""


End = Goto | Branch | Ask | Call | Return | Enter | SecretDone | Finish


Inside = tuple[tuple[Site, int], ...]  # the options that something is inside of, outermost first
ANYWHERE = -1  # a dry run that ends with no option


def horizon(site: Site, number: int) -> int:
    """How the context of a dry run says which option it is for."""
    return (site.number << 10 | number) + 1
