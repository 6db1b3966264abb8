"""The plan: what a game does, function by function, in few words that Python and C both know.

`S` is the list of all numbers of a game, `C` its context (chance, and whoever listens). Values are whole numbers, lists of
them, lists of such lists, and sets packed into one number. A plan is made once, changed by passes (from trees to trees),
and printed as Python or as C; nobody looks at what is printed.
"""

from __future__ import annotations

from typing import Literal, Union

from ichiba.dsl.frozen import dataclass

Kind = Literal["number", "list", "lists", "packed", "keyed", "other"]
"""What a name stands for. `lists`: a list of lists. `packed`: a set in the bits of one number. `keyed`: what has been
seen, by how it looks. `other`: what only Python knows."""


# -------------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Num:
    """A whole number that is fixed."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false, where a condition is fixed."""

    value: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A text, for people or for keys."""

    text: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """Not there."""


@dataclass(frozen=True, slots=True)
class Name:
    """A local name, a table or a function of the module, or a word of the runtime."""

    name: str
    kind: Kind = "number"


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of the state."""

    at: Exp


@dataclass(frozen=True, slots=True)
class Sum:
    """Where something stands: what varies, and what is fixed. There is at least one term."""

    terms: tuple[Exp, ...]
    fixed: int = 0


@dataclass(frozen=True, slots=True)
class Op:
    """`+ - * // % ** << >> & |`"""

    op: str
    left: Exp
    right: Exp


@dataclass(frozen=True, slots=True)
class Unary:
    """`not`, `-`, `~`"""

    op: str
    of: Exp


@dataclass(frozen=True, slots=True)
class Compare:
    """`low <= x <= high`, `x == y`, `x in table`, `x is not None`"""

    first: Exp
    rest: tuple[tuple[str, Exp], ...]


@dataclass(frozen=True, slots=True)
class Logic:
    """`and`, `or`: from left to right, as far as it takes."""

    op: str
    parts: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two, by a test."""

    test: Exp
    yes: Exp
    no: Exp


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a table or a list."""

    of: Exp
    at: Exp


@dataclass(frozen=True, slots=True)
class Part:
    """Neighbouring entries; of the state too."""

    of: Exp
    low: Exp | None
    high: Exp | None


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the module, one of a table of cases, or a word of the runtime."""

    function: Exp
    args: tuple[Exp, ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """`C.effect(S, 3)`, `found.append(x)`, `S.index(1, a, b)`"""

    of: Exp
    name: str
    args: tuple[Exp, ...] = ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """`found.append` on its own, `C.tracing`"""

    of: Exp
    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """A list, a tuple or a set, entry by entry."""

    form: Literal["list", "tuple", "set"]
    items: tuple[Exp, ...] = ()


@dataclass(frozen=True, slots=True)
class Spread:
    """All entries of a list within a row."""

    of: Exp


@dataclass(frozen=True, slots=True)
class Given:
    """An argument by its name: `key=`, `default=`."""

    name: str
    value: Exp


@dataclass(frozen=True, slots=True)
class Pairs:
    """What belongs to which number."""

    items: tuple[tuple[Exp, Exp], ...] = ()


@dataclass(frozen=True, slots=True)
class Each:
    """A clause of a comprehension: a name (or several) goes through a list, if all tests hold."""

    targets: tuple[Name, ...]
    source: Exp
    tests: tuple[Exp, ...] = ()


@dataclass(frozen=True, slots=True)
class Comp:
    """A list, or what is gone through, made of others."""

    form: Literal["list", "stream"]
    item: Exp
    clauses: tuple[Each, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """A value that gets a name on the way."""

    name: Name
    value: Exp


@dataclass(frozen=True, slots=True)
class Lambda:
    """A function without a name."""

    params: tuple[str, ...]
    body: Exp


Exp = Union[
    Num,
    Truth,
    Word,
    Nothing,
    Name,
    Cell,
    Sum,
    Op,
    Unary,
    Compare,
    Logic,
    Choice,
    Entry,
    Part,
    Call,
    Method,
    Attribute,
    Row,
    Spread,
    Given,
    Pairs,
    Comp,
    Keep,
    Lambda,
]
EXP_CLASSES = (
    Num,
    Truth,
    Word,
    Nothing,
    Name,
    Cell,
    Sum,
    Op,
    Unary,
    Compare,
    Logic,
    Choice,
    Entry,
    Part,
    Call,
    Method,
    Attribute,
    Row,
    Spread,
    Given,
    Pairs,
    Comp,
    Keep,
    Lambda,
)


# --------------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Set:
    """Places get values, all worked out before the first is set."""

    targets: tuple[Exp, ...]
    value: Exp


@dataclass(frozen=True, slots=True)
class Change:
    """A place gets more, or less: `+= -= |= //=`"""

    target: Exp
    op: str
    value: Exp


@dataclass(frozen=True, slots=True)
class Do:
    """Something is done for its effect."""

    what: Exp


@dataclass(frozen=True, slots=True)
class If:
    test: Exp
    yes: tuple[Stm, ...]
    no: tuple[Stm, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """`otherwise`: when nobody has left the loop."""

    targets: tuple[Name, ...]
    source: Exp
    body: tuple[Stm, ...]
    otherwise: tuple[Stm, ...] = ()


@dataclass(frozen=True, slots=True)
class Return:
    value: Exp | None = None


@dataclass(frozen=True, slots=True)
class Raise:
    """A fault of the rules, a requirement that is not met, or a block that is left."""

    what: Exp


@dataclass(frozen=True, slots=True)
class Jump:
    """`break`, `continue`, and `pass`, which goes nowhere."""

    word: Literal["break", "continue", "pass"]


@dataclass(frozen=True, slots=True)
class Try:
    """What is done until the block of this name is left."""

    body: tuple[Stm, ...]
    left: str
    then: tuple[Stm, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the module. `note`: what it was in the rules, for who reads what is printed."""

    name: str
    params: tuple[Name, ...]
    body: tuple[Stm, ...]
    note: str = ""


Stm = Union[Set, Change, Do, If, For, Return, Raise, Jump, Try, Function]
STM_CLASSES = (Set, Change, Do, If, For, Return, Raise, Jump, Try, Function)
CLASSES = (*EXP_CLASSES, Each, *STM_CLASSES)

S = Name("S", "list")
C = Name("C", "other")
