"""The few moves the engine knows. Every name is resolved, every value is an integer, every place has an owner.

What is what at run time:
- a number, a condition (0 or 1), a seat (from 0), a value of an enumeration (from 0), a sort (its number);
- a thing that exists one by one: its number, from `FIRST_THING` up;
- a counted piece: the place in the state of the count it belongs to, so it knows its sort and its zone;
- a zone: the place in the state of its first count; a purse: its place in the state; none: -1.

The engine makes Python of these classes; the reference interpreter in the tests knows nothing of them.
"""

from __future__ import annotations

from dataclasses import field
from typing import Union

from ichiba.dsl.faults.source import Span
from ichiba.dsl.frozen import dataclass
from ichiba.dsl.world.kinds import NUMBER, Kind
from ichiba.dsl.world.world import Member, Net, World

FIRST_THING = 100_000
NONE = -1
SUPPLY = -2  # a purse without a bottom
RACE = "first"  # what chance is called that draws whom a race asks next; it is a word, so nothing else is called so

Entry = object  # of a fixed table: a number, or with several indexes a row of them


@dataclass(eq=False, slots=True)
class Var:
    """A name for a value inside one rule: a parameter, a binder, a `let`. A bag is a row of counts by sort."""

    name: str
    kind: Kind
    width: int = 1  # more than one: a bag, or an indexed local, one place for each index value
    index: tuple[Kind, ...] = ()
    per_seat: bool = False  # answered secretly: one value for each seat


# --------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Const:
    value: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Use:
    """The value of a variable; `at` for indexed ones (the position, already computed)."""

    var: Var
    kind: Kind
    at: Exp | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """What stands in a member of a thing, a seat or the table. `at` are the owner (if any) and the index values."""

    member: Member
    at: tuple[Exp, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class ZoneAt:
    """A zone as a value: the place of its first count."""

    member: Member
    at: tuple[Exp, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class PurseAt:
    """A purse as a value: its place."""

    member: Member
    at: tuple[Exp, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Lookup:
    """A fixed table: `rows` is indexed by the values of `at`, each less its `low`; outside it gives `other`."""

    name: str
    rows: tuple[Entry, ...]
    at: tuple[Exp, ...]
    low: tuple[int, ...]
    other: int
    kind: Kind
    span: Span | None = field(default=None, compare=False, repr=False)  # where it is asked, of a table or by a number


@dataclass(frozen=True, slots=True)
class SortOf:
    """The sort of a piece, counted or not."""

    piece: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """The zone in which a piece lies (NONE if nowhere)."""

    piece: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class Only:
    """The piece in a zone that holds at most one; NONE when it is empty."""

    zone: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class Op:
    """`+ - * neg = != < <= > >= and or not /up /down min max power even abs`, and `owed`: so many, never below nothing"""

    op: str
    args: tuple[Exp, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Cond:
    """If `test` then `yes` else `no`."""

    test: Exp
    yes: Exp
    no: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class CallValue:
    """A value worked out by a function without side effects. With `by`, the function depends on that argument."""

    function: ValueRef
    args: tuple[Exp, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`count`, `sum`, `highest`, `lowest`, `any`, `no`, `first` over a set; `value` uses `var`. In texts, `list`."""

    how: str
    set: Set
    var: Var
    value: Exp | None
    kind: Kind


@dataclass(frozen=True, slots=True)
class CountIn:
    """How many pieces of these sorts lie in these zones."""

    zones: tuple[Exp, ...]
    sorts: SortSet
    kind: Kind


@dataclass(frozen=True, slots=True)
class Contains:
    """Whether a value is in a set."""

    set: Set
    item: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class BagCount:
    """How many pieces of these sorts were chosen into a bag."""

    bag: Var
    sorts: SortSet
    kind: Kind


@dataclass(frozen=True, slots=True)
class SecretOf:
    """What a seat answered in a secret block."""

    var: Var
    seat: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class Search:
    """All ways from some places: over which steps of the net they may go, and what each costs. It answers for every end.

    `over` is the connection one goes over (NONE in a grid), `through` the place one comes to."""

    sources: Set
    net: Net
    over: Var
    through: Var
    test: Exp | None
    cost: Exp | None  # None: every step counts 1
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Way:
    """What the best way to a place costs; `other` where there is none."""

    search: Search
    end: Exp
    other: Exp
    kind: Kind


Exp = Union[
    Const,
    Use,
    Read,
    ZoneAt,
    PurseAt,
    Lookup,
    SortOf,
    PlaceOf,
    Only,
    Op,
    Cond,
    CallValue,
    Aggregate,
    CountIn,
    Contains,
    BagCount,
    SecretOf,
    Way,
]


# ----------------------------------------------------------------------------------- sorts, sets of things


@dataclass(frozen=True, slots=True)
class SortSet:
    """Sorts of pieces: fixed ones, or one that is worked out; `test` (of `var`) narrows them further."""

    sorts: tuple[int, ...]
    one: Exp | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """These values, in this order."""

    items: tuple[Exp, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Span_:
    """Numbers from low to high by steps."""

    low: Exp
    high: Exp
    step: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class SeatsFrom:
    """All seats in turn order from one on; without it when `others`."""

    seat: Exp
    others: bool
    kind: Kind


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces in zones, of these sorts. As a list each piece counts; to choose from, alike ones are one."""

    zones: tuple[Exp, ...]
    sorts: SortSet
    kind: Kind


@dataclass(frozen=True, slots=True)
class Rows:
    """A fixed table whose entries are lists (edges at a node): `rows[at - low]`."""

    name: str
    rows: tuple[tuple[int, ...], ...]
    at: Exp
    low: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Filtered:
    """Those of a set for which a condition holds."""

    set: Set
    var: Var
    test: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class Mapped:
    """The values of an expression for all combinations of binders."""

    binders: tuple[tuple[Var, Set], ...]
    value: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class FlatMapped:
    """For each of a set, another set; all joined."""

    set: Set
    var: Var
    inner: Set
    kind: Kind


@dataclass(frozen=True, slots=True)
class Joined:
    """One set after another."""

    sets: tuple[Set, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Ordered:
    """A set sorted by keys; `True` marks a key whose highest value comes first. Ties keep their order."""

    set: Set
    var: Var
    keys: tuple[tuple[Exp, bool], ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Best:
    """All of a set that share the best value of a key."""

    set: Set
    var: Var
    key: Exp
    highest: bool
    kind: Kind


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pieces of a bag. `picked`: a name for the list of them, where somebody wants it."""

    bag: Var
    kind: Kind
    picked: Var


@dataclass(frozen=True, slots=True)
class Kept:
    """A set that a `let` holds: packed into one number."""

    var: Var
    kind: Kind


@dataclass(frozen=True, slots=True)
class Combos:
    """Every way to take so many pieces out of a set, alike ones not told apart; each way packed into a number."""

    amount: Exp
    set: Set
    kind: Kind


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The pieces of a packed way."""

    packed: Exp
    kind: Kind


@dataclass(frozen=True, slots=True)
class Connected:
    """The places that a search comes to, those with which it begins among them, in the order of their numbers."""

    search: Search
    kind: Kind


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of the best way to a place: the connections it goes `over`, or the places it comes to."""

    search: Search
    end: Exp
    over: bool
    kind: Kind


Set = Union[
    Listed,
    Span_,
    SeatsFrom,
    Pieces,
    Rows,
    Filtered,
    Mapped,
    FlatMapped,
    Joined,
    Ordered,
    Best,
    Chosen,
    Kept,
    Combos,
    Unpacked,
    Connected,
    Steps,
]
SET_CLASSES = (
    Listed,
    Span_,
    SeatsFrom,
    Pieces,
    Rows,
    Filtered,
    Mapped,
    FlatMapped,
    Joined,
    Ordered,
    Best,
    Chosen,
    Kept,
    Combos,
    Unpacked,
    Connected,
    Steps,
)
EXP_CLASSES = (
    Const,
    Use,
    Read,
    ZoneAt,
    PurseAt,
    Lookup,
    SortOf,
    PlaceOf,
    Only,
    Op,
    Cond,
    CallValue,
    Aggregate,
    CountIn,
    Contains,
    BagCount,
    SecretOf,
    Way,
)


# ---------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Assign:
    """A variable gets a value."""

    var: Var
    value: Exp
    span: Span | None
    at: Exp | None = None


@dataclass(frozen=True, slots=True)
class KeepSet:
    """A variable holds a set from now on, taken once."""

    var: Var
    value: Set
    span: Span | None


@dataclass(frozen=True, slots=True)
class Write:
    """A counter, flag or memory gets a value. With `low` and `high` it stops there, else leaving them is a fault."""

    place: Read
    value: Exp
    span: Span | None


@dataclass(frozen=True, slots=True)
class Pay:
    """Money goes from one purse to another. `tail`: in_full (guarded), into_debt, as_far, paid (what leads here has required it),
    promised (it was set aside: more than that is a fault in play)."""

    source: Exp
    target: Exp
    amount: Exp
    tail: str
    unit: str
    span: Span | None


# What notes of pieces become when they move; None: as at the beginning, unless the new zone keeps it.
Notes = tuple[tuple[Member, Union[Exp, None]], ...]


@dataclass(frozen=True, slots=True)
class MoveSome:
    """So many pieces of these sorts, out of these zones in order, into a zone. `as_far` moves what there is."""

    amount: Exp | None  # None: all
    sorts: SortSet
    sources: tuple[Exp, ...]
    target: Exp
    side: int | None
    notes: Notes
    span: Span | None


@dataclass(frozen=True, slots=True)
class MovePiece:
    """One piece goes to a zone."""

    piece: Exp
    target: Exp
    side: int | None
    notes: Notes
    span: Span | None


@dataclass(frozen=True, slots=True)
class MoveSet:
    """Every piece of a set goes to a zone; the set is taken once."""

    set: Set
    target: Exp
    side: int | None
    notes: Notes
    span: Span | None


@dataclass(frozen=True, slots=True)
class Draw:
    """Pieces of these sorts are drawn by chance (or from the head of an ordered zone) into a zone."""

    amount: Exp
    sorts: SortSet
    source: Exp
    target: Exp
    refill: Exp | None
    ordered: bool
    var: Var | None
    notes: Notes
    span: Span | None


@dataclass(frozen=True, slots=True)
class Pick:
    """One of a set, each alike likely. `race`: a seat that is asked next, which nobody learns before it has answered."""

    var: Var
    set: Set
    span: Span | None
    race: bool = False


@dataclass(frozen=True, slots=True)
class Shuffle:
    """An ordered zone gets a random order."""

    zone: Exp
    span: Span | None


@dataclass(frozen=True, slots=True)
class Require:
    """A requirement; inside an option it decides whether the option is offered."""

    test: Exp
    reason: Label | None
    name: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Block:
    body: tuple[Stm, ...]


@dataclass(frozen=True, slots=True)
class If:
    test: Exp
    yes: Block
    no: Block
    span: Span | None


@dataclass(frozen=True, slots=True)
class For:
    """For each of a set, taken once before the first pass; `random`: in random order."""

    var: Var
    set: Set
    random: bool
    body: Block
    span: Span | None


@dataclass(frozen=True, slots=True)
class Repeat:
    """So many times, while a condition (looked at before each pass) holds."""

    times: Exp
    test: Exp | None
    body: Block
    span: Span | None


@dataclass(frozen=True, slots=True)
class Turns:
    """Seats in turn. `me` is the seat about to play when `until` is looked at; `most` turns, then `ending`."""

    me: Var
    first: Exp
    until: Exp | None
    most: Exp
    ending: int | None
    body: Block
    span: Span | None


@dataclass(frozen=True, slots=True)
class Perform:
    """A procedure is performed; its results go to variables."""

    procedure: ProcRef
    args: tuple[Exp, ...]
    results: tuple[Var, ...]
    span: Span | None


@dataclass(frozen=True, slots=True)
class Named:
    """A block that can be left by its name."""

    name: str
    body: Block


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the innermost running block of that name."""

    name: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class GiveBack:
    values: tuple[Exp, ...]
    span: Span | None


@dataclass(frozen=True, slots=True)
class Score:
    """A line of a seat's score."""

    seat: Exp
    label: Label
    value: Exp
    span: Span | None


@dataclass(frozen=True, slots=True)
class EndAs:
    """The name the game's ending has; the last one said counts."""

    ending: int
    span: Span | None


@dataclass(frozen=True, slots=True)
class Tell:
    """A line of the log: for all, or for these seats. Whether it can be worked out or not, the game goes on."""

    label: Label
    audience: Set | None
    span: Span | None


@dataclass(frozen=True, slots=True)
class Record:
    """A row for whoever counts: an amount under a name, and of what it is. The game goes on in any case."""

    name: str
    value: Exp
    of: tuple[Exp, ...]
    span: Span | None


@dataclass(frozen=True, slots=True)
class Reveal:
    """Something hidden becomes known: all or some of the places of a member, a zone that is worked out, secret answers."""

    member: Member | None
    places: tuple[tuple[Exp, ...], ...] | None  # of the member, those that are named; None: all
    zone: Exp | None  # whichever it is when it happens
    var: Var | None
    span: Span | None


@dataclass(frozen=True, slots=True)
class Reset:
    """All places of a member get their first value again."""

    member: Member


@dataclass(frozen=True, slots=True)
class Watch:
    """After an effect: run the `whenever` rules that read what was written. `end_of`: instead those that have waited for the
    end of this procedure."""

    rules: tuple[str, ...]
    end_of: str = ""


@dataclass(frozen=True, slots=True)
class Hush:
    """From here on (1) the `whenever` rules wait with their looks; or (-1) they need not wait for this any longer."""

    by: int


@dataclass(frozen=True, slots=True)
class Label:
    """Words for people: texts and values in turn. `names` are the values as they were written, for other languages."""

    parts: tuple[str | Exp, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bind:
    """A name of an option ranges over a set, if `test` holds."""

    var: Var
    set: Set
    test: Exp | None
    span: Span | None = None  # where the test is written


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a menu. `tests` are guards with names for `why_not`, in written order."""

    name: str
    key: str
    label: Label
    binds: tuple[Bind, ...]
    tests: tuple[Require, ...]
    keys: tuple[Exp, ...] | None  # None: the binders' own
    body: Block
    rule: str  # the address of the option, for coverage and provenance
    counts: bool = True  # free actions do not count for `at least once`
    ends: bool = False  # `done`
    span: Span | None = None


@dataclass(eq=False, slots=True, repr=False)
class Decide:
    """A seat answers. Options are tried in order; with none left `otherwise` runs."""

    name: str
    seat: Exp
    prompt: Label
    options: list[Option]  # free actions are added when all menus are known
    otherwise: Block | None
    secret: bool
    never_skip: bool
    menu: bool
    span: Span | None
    paying: bool = False  # asks in which way a cost is paid
    only_choice: bool = False  # asked only when there are two answers, whatever that tells
    left: Var | None = None  # of a race, whose last option is to wait: by seat, 1 who is still to answer, 2 who has waited

    def __repr__(self) -> str:
        return f"Decide({self.name!r})"


@dataclass(eq=False, slots=True, repr=False)
class Offer:
    """A menu: its options again and again until done, left, or so many were taken, while a condition holds."""

    name: str
    decide: Decide
    times: str  # once, until_done, at_least_once, up_to, exactly
    count: Exp | None
    taken: Var
    windows: str  # always, after_first, none: when free actions are among the options
    condition: Exp | None

    def __repr__(self) -> str:
        return f"Offer({self.name!r})"


@dataclass(eq=False, slots=True, repr=False)
class ChooseSome:
    """Any number of pieces of a set, one question for each sort, in canonical order; conditions always met."""

    name: str
    seat: Exp
    prompt: Label
    bag: Var
    set: Set
    least: Exp | None
    most: Exp | None
    step: Exp | None
    different: tuple[int, ...] | None  # shape of each sort
    worth: ValueRef | None
    worth_args: tuple[Exp, ...]
    worth_least: Exp | None
    worth_most: Exp | None
    otherwise: Block | None
    never_skip: bool
    span: Span | None

    def worth_of(self, count: Exp, sort: Exp) -> Exp:
        """What so many of a sort are worth."""
        assert self.worth is not None
        default, extra = self.worth.default, self.worth_args
        with_seat = default is not None and len(default.params) == len(extra) + 2 and default.params[0].name == "me"
        args = (extra[0], count, sort, *extra[1:]) if len(extra) == 2 or with_seat else (count, sort, *extra)
        return CallValue(self.worth, args, NUMBER)

    def __repr__(self) -> str:
        return f"ChooseSome({self.name!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """Every seat of a set performs the body in any order, unseen by the others until it is revealed."""

    name: str
    me: Var
    seats: Set
    body: Block
    span: Span | None

    def __repr__(self) -> str:
        return f"Secret({self.name!r})"


Stm = Union[
    Assign,
    KeepSet,
    Write,
    Pay,
    MoveSome,
    MovePiece,
    MoveSet,
    Draw,
    Pick,
    Shuffle,
    Require,
    Block,
    If,
    For,
    Repeat,
    Turns,
    Perform,
    Named,
    Leave,
    GiveBack,
    Score,
    EndAs,
    Tell,
    Record,
    Reveal,
    Reset,
    Watch,
    Hush,
    Decide,
    Offer,
    ChooseSome,
    Secret,
]

Move = Union[Stm, Option]  # what `walks.steps` comes by
Node = Union[Exp, Set, SortSet, Search, Stm, Label, Bind, Option]  # what `walks.walk` comes by


# ------------------------------------------------------------------------------------------ whole rulesets


@dataclass(eq=False, slots=True, repr=False)
class Function:
    """A value or a guard: parameters, then an expression or statements that give one."""

    name: str
    params: tuple[Var, ...]
    kind: Kind
    body: Exp | Block | Set | None = None
    span: Span | None = None
    reason: Label | None = None
    home: str = ""

    def __repr__(self) -> str:
        return f"Function({self.name!r})"


@dataclass(eq=False, slots=True, repr=False)
class Procedure:
    """A rule that does something."""

    name: str
    params: tuple[Var, ...]
    results: tuple[Var, ...]
    body: Block | None = None
    span: Span | None = None
    home: str = ""
    doc: str = ""

    def __repr__(self) -> str:
        return f"Procedure({self.name!r})"


@dataclass(eq=False, slots=True)
class ValueRef:
    """A function, or one for each owner: `cases[owner]`, else `default`."""

    name: str
    default: Function | None
    cases: dict[int, Function] = field(default_factory=dict)
    by: int | None = None  # which argument chooses the case


@dataclass(eq=False, slots=True)
class ProcRef:
    """A procedure, or one for each owner."""

    name: str
    default: Procedure | None
    cases: dict[int, Procedure] = field(default_factory=dict)
    by: int | None = None


@dataclass(eq=False, slots=True)
class Watcher:
    """`whenever`: when `test` has become true, `body` runs, once or each time; once for each of `var`'s values."""

    name: str
    var: Var | None
    set: Set | None
    test: Exp
    once: bool
    state: Member  # what was seen last, or that it has happened
    procedure: Procedure
    deferred: str | None  # runs at the end of that procedure when it is running
    pending: Member | None


@dataclass(frozen=True, slots=True)
class Preference:
    """What a policy would rather answer: keys of a pattern, when something holds for the seat, how much rather.

    `{l}` in the pattern stands for the key of a binder's value, `*` for anything; where the number that stands there is to be
    near to another, only the nearest have all of the weight. `at`: only of this question, where a procedure's names are known."""

    pattern: str
    me: Var
    binders: tuple[tuple[Var, Set], ...]
    when: Exp | None
    weight: Exp
    span: Span | None = None
    nearest: Exp | None = None
    at: Decide | ChooseSome | None = None


@dataclass(eq=False, slots=True, repr=False)
class Program:
    """Everything the engine needs to play."""

    world: World
    functions: list[Function]
    procedures: list[Procedure]
    watchers: dict[str, Watcher]
    setup: Procedure
    play: Procedure
    scoring: Procedure
    ranking: tuple[tuple[Function, bool], ...]
    invariants: tuple[Function, ...]
    endings: tuple[str, ...]
    policies: dict[str, tuple[Preference, ...]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)  # by address, in the chosen language
    outlook: bool = False  # whether the rules say themselves how well a seat stands
    looks_up: bool = False  # whether a table, a seat or a thing is asked for by a number that is worked out
    provenance: list[tuple[str, str, Span]] = field(default_factory=list)  # what, whose, where

    def __repr__(self) -> str:
        return f"Program({len(self.procedures)} procedures)"
