"""The plan: a game's functions as small syntax trees, from which both Python and C are printed.

    S[6] = S[3] + 1       Set((Cell(Num(6)),), Op("+", Cell(Num(3)), Num(1)))

The text of each class shows the Python that it is printed as. `S` is the list of all numbers of a game, `C` its context
(chance, and whoever listens). Values are whole numbers, lists of them, lists of such lists, and sets packed into one number.
A plan is made once, changed by passes (from trees to trees), and printed as Python or as C; nobody looks at what is printed.
"""

from __future__ import annotations

from typing import Literal, Union

from ichiba.dsl.frozen import dataclass

Kind = Literal["number", "list", "lists", "packed", "keyed", "other"]
"""What a name stands for. `lists`: a list of lists. `packed`: a set in the bits of one number. `keyed`: a dict
of the things that have been seen, by how they look. `other`: what only Python knows."""


# -------------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Num:
    """A whole number: `7`."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth:
    """`True` or `False`, as a condition."""

    value: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A text, for people or for keys: `"buy/3"`."""

    text: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """`None`"""


@dataclass(frozen=True, slots=True)
class Name:
    """A local name, a table or a function of the module, or a word of the runtime."""

    name: str
    kind: Kind = "number"


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of the state: `S[at]`."""

    at: Exp


@dataclass(frozen=True, slots=True)
class Sum:
    """Where something stands, what varies and what is fixed: `seat + 12`. There is at least one term."""

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
    """`a and b`, `a or b`: from left to right, as far as it takes."""

    op: str
    parts: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two, by a test: `yes if test else no`."""

    test: Exp
    yes: Exp
    no: Exp


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a table or a list: `of[at]`."""

    of: Exp
    at: Exp


@dataclass(frozen=True, slots=True)
class Slice:
    """Neighbouring entries, of the state too: `of[low:high]`."""

    of: Exp
    low: Exp | None
    high: Exp | None


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function of the module, of one in a table of cases, or of the runtime: `f(a, b)`, `cases[x](a)`."""

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
    """A list, a tuple or a set, entry by entry: `[a, b]`, `(a, b)`, `{a, b}`."""

    form: Literal["list", "tuple", "set"]
    items: tuple[Exp, ...] = ()


@dataclass(frozen=True, slots=True)
class Spread:
    """All entries of a list, within a row or among arguments: `*of`."""

    of: Exp


@dataclass(frozen=True, slots=True)
class Keyword:
    """An argument by its name: `default=0`."""

    name: str
    value: Exp


@dataclass(frozen=True, slots=True)
class Pairs:
    """A dict: `{1: a, 2: b}`."""

    items: tuple[tuple[Exp, Exp], ...] = ()


@dataclass(frozen=True, slots=True)
class Each:
    """A clause of a comprehension: `for x in source if test`."""

    targets: tuple[Name, ...]
    source: Exp
    tests: tuple[Exp, ...] = ()


@dataclass(frozen=True, slots=True)
class Comp:
    """A comprehension, as a list or one by one: `[x + 1 for x in a]`, `(x + 1 for x in a)`."""

    form: Literal["list", "stream"]
    item: Exp
    clauses: tuple[Each, ...]


@dataclass(frozen=True, slots=True)
class NamedExp:
    """A value that gets a name within an expression: `(name := value)`."""

    name: Name
    value: Exp


@dataclass(frozen=True, slots=True)
class Lambda:
    """A function without a name: `lambda x: body`."""

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
    Slice,
    Call,
    Method,
    Attribute,
    Row,
    Spread,
    Keyword,
    Pairs,
    Comp,
    NamedExp,
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
    Slice,
    Call,
    Method,
    Attribute,
    Row,
    Spread,
    Keyword,
    Pairs,
    Comp,
    NamedExp,
    Lambda,
)


# --------------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Set:
    """Places get values, all worked out before the first is set: `S[3] = 1`, `a, b = b, a`."""

    targets: tuple[Exp, ...]
    value: Exp


@dataclass(frozen=True, slots=True)
class Change:
    """A place is changed by an operation: `S[3] += 1`; also `-= |= //=`."""

    target: Exp
    op: str
    value: Exp


@dataclass(frozen=True, slots=True)
class Do:
    """An expression, for its effect alone: `found.append(x)`."""

    what: Exp


@dataclass(frozen=True, slots=True)
class If:
    test: Exp
    yes: tuple[Stm, ...]
    no: tuple[Stm, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """A loop. `otherwise` is done when no `break` has left it: the `else:` of Python's `for`."""

    targets: tuple[Name, ...]
    source: Exp
    body: tuple[Stm, ...]
    otherwise: tuple[Stm, ...] = ()


@dataclass(frozen=True, slots=True)
class Return:
    value: Exp | None = None


@dataclass(frozen=True, slots=True)
class Raise:
    """`raise what`: a fault of the rules, a requirement that is not met, or a block that is left."""

    what: Exp


@dataclass(frozen=True, slots=True)
class Jump:
    """`break`, `continue`, and `pass`, which goes nowhere."""

    word: Literal["break", "continue", "pass"]


@dataclass(frozen=True, slots=True)
class Try:
    """`try: body`, `except left: then`. `left` names the exception with which the block is left."""

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
