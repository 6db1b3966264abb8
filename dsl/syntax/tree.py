"""What an author wrote: one frozen class per sentence of the language, each with its place in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, fields
from operator import attrgetter
from typing import Any, Union, cast, get_args

from ichiba.dsl.faults.source import Span
from ichiba.dsl.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """Anything written, and where."""

    span: Span = field(repr=False, compare=False)


# --------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Int(Node):
    """`7`"""

    value: int


@dataclass(frozen=True, slots=True)
class Money(Node):
    """`¥1,000`: an amount in the unit written with that sign."""

    sign: str
    value: int


@dataclass(frozen=True, slots=True)
class Name(Node):
    """`market`: whatever the nearest declaration of that name is."""

    name: str


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`my.cash`, `boat.hold`"""

    of: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Called(Node):
    """`judge` in `auction(lot, judge: me)`: which parameter an argument is for."""

    name: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`tile_price(2)`, `my.column(p)`, `space(1)`, `auction(lot, judge: me)`: the last `args` have the `names`"""

    what: Expr
    args: tuple[Expr, ...]
    names: tuple[Called, ...] = ()


@dataclass(frozen=True, slots=True)
class Of(Node):
    """`crate of m`, `bid of s`, `position of l`"""

    name: str
    arg: Expr


@dataclass(frozen=True, slots=True)
class Some(Node):
    """`3 octopus`, `n eel`, `(n * n) resources`: an amount beside what it is an amount of."""

    amount: Expr
    what: Expr


@dataclass(frozen=True, slots=True)
class SomeOf(Node):
    """`3 of my.hand`: so many out of a collection."""

    amount: int
    what: Expr


@dataclass(frozen=True, slots=True)
class Within(Node):
    """`octopus in my.tokens`: the pieces of a sort that lie there; as a condition, whether there are any."""

    what: Expr
    where: Expr


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`count of …`, `sum of …`, `highest of …`, `lowest of …`, `any …`, `no …`, `first of …`"""

    how: str
    what: Expr


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`b in my.sea where b is ship`, `n in 1 .. 5 step 2`"""

    name: str
    domain: Expr
    top: Expr | None
    step: Expr | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class EachOf(Node):
    """`(t.face for t in l.laid)`"""

    value: Expr
    binders: tuple[Binder, ...]


@dataclass(frozen=True, slots=True)
class Those(Node):
    """`(m in markets where m.closed)`"""

    selection: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class OrderKey(Node):
    """`highest worth(l)`"""

    direction: str
    key: Expr


@dataclass(frozen=True, slots=True)
class BestOf(Node):
    """`(s in seats with highest s.cash)`: all that share the best value."""

    selection: Expr
    key: OrderKey


@dataclass(frozen=True, slots=True)
class Sorted(Node):
    """`(m in markets by highest m.space then lowest m.arrived)`"""

    selection: Expr
    keys: tuple[OrderKey, ...]


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    """`{left, right}`: these, in this order; collections inside are joined."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Operation(Node):
    """`a + b`, `a and b`, `a < b`, `not a`, `-a`; division names its rounding as `/up` or `/down`."""

    op: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IsA(Node):
    """`t is plain`, `b is not barge`"""

    what: Expr
    kind: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IsEmpty(Node):
    """`boat.hold is empty`"""

    what: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IsNone(Node):
    """`closer is none`"""

    what: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class NoneWord(Node):
    """`none`: no seat, no thing, no piece."""


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """`if a then b else c`"""

    condition: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class Along(Node):
    """A name for what a way goes over, or comes to: `e`, `e in rails`"""

    name: str
    among: Expr | None


@dataclass(frozen=True, slots=True)
class Route(Node):
    """How a way may go: `over e through n by e.toll where n is not closed`"""

    over: Along | None
    through: Along | None
    by: Expr | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Connected(Node):
    """`connected to my.cells through n where n.owner is me`"""

    sources: Expr
    route: Route


@dataclass(frozen=True, slots=True)
class Way(Node):
    """`cheapest way from my.cities to c over e by e.toll else ¥999`, `shortest way from a to b else 99`"""

    how: str
    sources: Expr
    end: Expr
    route: Route
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Steps(Node):
    """`cheapest steps from my.cities to c over e by e.toll else none`"""

    how: str
    sources: Expr
    end: Expr
    route: Route


Expr = Union[
    Int,
    Money,
    Name,
    Member,
    Call,
    Of,
    Some,
    SomeOf,
    Within,
    Aggregate,
    EachOf,
    Those,
    BestOf,
    Sorted,
    SetOf,
    Operation,
    IsA,
    IsEmpty,
    IsNone,
    NoneWord,
    Choice,
    Connected,
    Way,
    Steps,
]


# ------------------------------------------------------------------------------------- types and members


@dataclass(frozen=True, slots=True)
class Type(Node):
    """`yen`, `set of token`, `one of fresh or degraded`, `seat or none`"""

    name: str
    of: str | None = None
    values: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Param(Node):
    """`m: market`; without a type the name is the type."""

    name: str
    type: Type | None


@dataclass(frozen=True, slots=True)
class Word(Node):
    """One property of a member: `at most 4`, `hidden from others when closed_money`, `refills from discards`."""

    what: str
    arg: Expr | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Field(Node):
    """`field entry: cost = ¥0`: a fixed property that the box states."""

    name: str
    type: Type
    default: Expr | None


@dataclass(frozen=True, slots=True)
class Counter(Node):
    """`counter marker: 1 .. 13 start 6, stops at the ends`"""

    name: str
    index: tuple[Param, ...]
    low: Expr
    high: Expr
    start: Expr | None
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Flag(Node):
    """`flag used, resets each go_fishing`"""

    name: str
    index: tuple[Param, ...]
    start: Expr | None
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Purse(Node):
    """`purse cash: yen start first_money`"""

    name: str
    unit: str
    start: Expr | None
    words: tuple[Word, ...]
    unit_span: Span | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Forgets(Node):
    """`forgets price and row`, `forgets everything`, `forgets everything but price`"""

    names: tuple[str, ...]  # of `everything` those that it keeps
    everything: bool


@dataclass(frozen=True, slots=True)
class Zone(Node):
    """`zone sold of good forgets price and row`"""

    name: str
    index: tuple[Param, ...]
    sort: str
    sort_span: Span = field(repr=False, compare=False)
    sort_of: str | None
    forgets: Forgets | None
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Note(Node):
    """`note price: yen`, `note used: flag, resets each turn`: what a piece remembers, but in zones that forget it."""

    name: str
    type: Type
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Remember(Node):
    """`remember closer: seat or none`"""

    name: str
    index: tuple[Param, ...]
    type: Type
    default: Expr | None
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class MenuMember(Node):
    """`menu visit`: a place in a kind where boards add their options."""

    name: str


# ---------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let winner, price = blind_auction(seats, me)`"""

    names: tuple[str, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class LetBest(Node):
    """`let w = the s in bidders with highest bid of s, tie: judge chooses "Who wins?" key "winner"`"""

    name: str
    binder: str
    domain: Expr
    key: OrderKey
    tie: str
    judge: Expr | None
    ask: Ask | None


@dataclass(frozen=True, slots=True)
class SetTo(Node):
    """`set closer to me`"""

    place: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Raise(Node):
    """`raise board.marker by 2`; lowering is raising by less than nothing."""

    place: Expr
    by: Expr
    down: bool


@dataclass(frozen=True, slots=True)
class Mark(Node):
    """`mark boat.used`, `clear b.caught_with`"""

    place: Expr
    on: bool


@dataclass(frozen=True, slots=True)
class Pay(Node):
    """`s pays ¥500 to bank even into debt`, `s pays ¥500 from stake to bank`, `gain ¥200 from bank`"""

    payer: Expr | None
    amount: Expr
    taker: Expr | None
    tail: str
    purse: Expr | None = None  # out of which the payer pays, where that is said


@dataclass(frozen=True, slots=True)
class SetAside(Node):
    """`set aside bid as stake`, `set aside ¥5 from s as deposit`"""

    amount: Expr
    source: Expr | None
    name: str


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move 1 crate of m from m.crates to boat.hold noting caught_with: l`"""

    what: Expr
    every: bool
    source: Expr | None
    target: Expr
    side: str | None
    notes: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class Draw(Node):
    """`draw 3 cards from deck to l.cards`, `draw 1 token from m.stock to m.lot as prize`"""

    what: Expr
    source: Expr
    target: Expr
    name: str | None


@dataclass(frozen=True, slots=True)
class Pick(Node):
    """`pick s in seats at random`"""

    name: str
    domain: Expr


@dataclass(frozen=True, slots=True)
class Roll(Node):
    """`roll face from 1 to 6`"""

    name: str
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    """`shuffle fish_box`"""

    zone: Expr


@dataclass(frozen=True, slots=True)
class ChooseOne(Node):
    """`choose b in boat.hold "Which crate?"`; with a block, `else:` says what happens when there is none."""

    chooser: Expr | None
    name: str
    domain: Expr
    where: Expr | None
    ask: Ask
    body: Block | None = None
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True)
class ChooseNumber(Node):
    """`choose bid from ¥0 to my.cash step ¥100 "Your bid"`"""

    chooser: Expr | None
    name: str
    low: Expr
    high: Expr
    step: Expr | None
    ask: Ask
    body: Block | None = None
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True)
class BagWord(Node):
    """`at least 2`, `in steps of 2`, `all different by shape`, `worth at least ¥5 by lot_worth`"""

    what: str
    arg: Expr | None
    by: str | None


@dataclass(frozen=True, slots=True)
class ChooseSome(Node):
    """`choose some lot from my.tokens, worth at least 2 resources by lot_worth "Which tokens?"`"""

    chooser: Expr | None
    name: str
    domain: Expr
    where: Expr | None
    words: tuple[BagWord, ...]
    ask: Ask
    body: Block | None = None
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True)
class Reveal(Node):
    """`reveal lot.laid`"""

    place: Expr


@dataclass(frozen=True, slots=True)
class Require(Node):
    """`require octopus in my.tokens, else "you have no octopus"`"""

    condition: Expr
    reason: Text | None


@dataclass(frozen=True, slots=True)
class Leave(Node):
    """`leave turn`"""

    what: str


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    """`nothing`"""


@dataclass(frozen=True, slots=True)
class Give(Node):
    """`give winner, price`"""

    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Score(Node):
    """`score "Cash" my.cash`"""

    label: Text
    value: Expr


@dataclass(frozen=True, slots=True)
class Ending(Node):
    """`end as rich`: the name under which the game will have ended."""

    name: str


@dataclass(frozen=True, slots=True)
class Tell(Node):
    """`tell "{winner} buys {lot} for {price}"`, `tell "Your card is {card}" to s`: a line of the log."""

    words: Text
    audience: Expr | None


@dataclass(frozen=True, slots=True)
class Record(Node):
    """`record "price" price for artist, way`: a row for whoever counts."""

    name: Text
    value: Expr
    of: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Do(Node):
    """`go_fishing`, `b.market.come_ashore(b)`: a procedure is performed."""

    call: Expr


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if …: … else if …: … else: …`"""

    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """`for each l in lots by highest worth(l): …`; the list is taken once, before the first pass."""

    binder: Binder
    keys: tuple[OrderKey, ...]
    random: bool
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """`repeat 3 times while bag is not empty: …`"""

    times: Expr
    condition: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class TakeTurns(Node):
    """`take turns from start_player until me = closer, at most 600 times then end as clock: turn`"""

    first: Expr
    until: Expr
    most: Expr
    ending: str | None
    body: Block


@dataclass(frozen=True, slots=True)
class OneTurnEach(Node):
    """`take one turn each from first_buyer: …`"""

    first: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class AsSeat(Node):
    """`as b.sender: …`"""

    seat: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Secretly(Node):
    """`each s in seats secretly: …`"""

    name: str
    seats: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Race(Node):
    """`first s in others where s.cash > ¥5 to answer outcry: …`, with `else:` for when all have waited"""

    binder: Binder
    menu: str
    body: MenuBlock
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True)
class May(Node):
    """`may freezer "Use a Freezer" when …: … else: …`"""

    name: str
    ask: Ask
    when: Expr | None
    cost: Cost | None
    body: Block
    otherwise: Block | None
    only_choice: bool = False


@dataclass(frozen=True, slots=True)
class ScoreFor(Node):
    """`score for each seat: …`"""

    body: Block


@dataclass(frozen=True, slots=True)
class Menu(Node):
    """`menu actions until done, done "End your turn" when …: …`, with `else:` for when nothing is possible"""

    path: Expr
    times: str
    count: Expr | None
    done: Ask | None
    done_when: Expr | None
    windows: str
    condition: Expr | None
    body: MenuBlock | None
    otherwise: Block | None = None
    only_choice: bool = False


Statement = Union[
    Let,
    LetBest,
    SetTo,
    Raise,
    Mark,
    Pay,
    SetAside,
    Move,
    Draw,
    Pick,
    Roll,
    Shuffle,
    ChooseOne,
    ChooseNumber,
    ChooseSome,
    Reveal,
    Require,
    Leave,
    Nothing,
    Give,
    Score,
    Ending,
    Tell,
    Record,
    Do,
    If,
    ForEach,
    Repeat,
    TakeTurns,
    OneTurnEach,
    AsSeat,
    Secretly,
    Race,
    May,
    ScoreFor,
    Menu,
    Remember,
    Flag,
]


@dataclass(frozen=True, slots=True)
class Text(Node):
    """`"Buy lot {l}"`: words with expressions of the language in braces."""

    text: str
    parts: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True)
class Ask(Node):
    """`"Ride to {s}" key "move/to"`: what people read, and how the keys of the answers are spelled."""

    words: Text | None
    key: str | None


@dataclass(frozen=True, slots=True)
class Block(Node):
    """Statements one after the other, with the sentence the rulebook uses for them."""

    doc: Text | None
    body: tuple[Statement, ...]


# -------------------------------------------------------------------------------------- costs and options


@dataclass(frozen=True, slots=True)
class CostItem(Node):
    """`1 ticket from my.hand by send_home`"""

    what: Expr
    source: Expr | None
    target: Expr | None
    by: str | None


@dataclass(frozen=True, slots=True)
class CostWay(Node):
    """`1 card and ¥100 as fare`: things paid together, and how this way is spelled in keys."""

    items: tuple[CostItem, ...]
    name: str | None


@dataclass(frozen=True, slots=True)
class Cost(Node):
    """`¥100 and 1 crate from my.hold or 2 ap`: alternatives, each of things paid together."""

    ways: tuple[CostWay, ...]


@dataclass(frozen=True, slots=True)
class Option(Node):
    """`option buy "Buy {b}" for b in shelf where … when … costs … once per turn: …`"""

    name: str
    ask: Ask
    binders: tuple[Binder, ...]
    when: Expr | None
    cost: Cost | None
    once_per: str | None
    keys: tuple[Expr, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class MenuBlock(Node):
    """The options of a menu or a window."""

    doc: Text | None
    options: tuple[Option, ...]


# -------------------------------------------------------------------------------------------------- items


@dataclass(frozen=True, slots=True)
class Kind(Node):
    """`kind fish_market is market: …`; with `add to`, more members for it."""

    name: str
    parent: str | None
    added: bool
    doc: Text | None
    members: tuple[MemberItem, ...]
    parent_span: Span | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Scope(Node):
    """`seat: …`, `table: …`, `board: …`"""

    what: str
    added: bool
    members: tuple[MemberItem, ...]


@dataclass(frozen=True, slots=True)
class Value(Node):
    """`value worth(l: lot) -> number: …`"""

    name: str
    params: tuple[Param, ...] | None
    gives: Type | None
    doc: Text | None
    body: Expr | Block
    by_sort: bool = False


@dataclass(frozen=True, slots=True)
class ValueCase(Node):
    """`value worth of n salmon showing fresh for s: …`: the value for one sort of piece."""

    name: str
    number: str
    sort: str
    side: str | None
    seat: str | None
    doc: Text | None
    body: Expr | Block


@dataclass(frozen=True, slots=True)
class Guard(Node):
    """`guard fits(boat: boat, side: side) "there is no room for {boat}": …`"""

    name: str
    params: tuple[Param, ...] | None
    reason: Text | None
    doc: Text | None
    body: Expr | Block


@dataclass(frozen=True, slots=True)
class Procedure(Node):
    """`procedure unload(boat: boat): …`; `-> winner: seat, price: yen` names what it gives back."""

    name: str
    params: tuple[Param, ...] | None
    results: tuple[Param, ...]
    body: Block
    main: bool = False  # `setup:` and `play:`


@dataclass(frozen=True, slots=True)
class CostRule(Node):
    """`cost fare(d: district): 1 of my.hand to discards or 3 of my.hand to discards`"""

    name: str
    params: tuple[Param, ...] | None
    cost: Cost


@dataclass(frozen=True, slots=True)
class MenuItem(Node):
    """`add to menu ships.visit: …`"""

    path: str
    kind: str | None
    body: MenuBlock


@dataclass(frozen=True, slots=True)
class Window(Node):
    """`window my_turn during turn: …`: options in every menu of a procedure."""

    name: str
    during: str | None
    when: Expr | None
    added: bool
    body: MenuBlock


@dataclass(frozen=True, slots=True)
class Moment(Node):
    """`whenever …`, `before visit(m) when …`, `after turn`, `instead of degrade`"""

    what: str
    condition: Expr | None
    path: str | None
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """`rule overfishing for each m in fish_markets, whenever m.crates is empty, once each: …`"""

    name: str
    binder: Binder | None
    moment: Moment
    once: str | None
    at_end_of: str | None
    order: tuple[tuple[str, str], ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Scoring(Node):
    """`scoring: …`"""

    added: bool
    body: Block


@dataclass(frozen=True, slots=True)
class Ranking(Node):
    """`ranking: highest total then lowest my.debts else shared`"""

    keys: tuple[OrderKey, ...]


@dataclass(frozen=True, slots=True)
class Replace(Node):
    """`replace value token_for(g: good): octopus`"""

    item: Value | ValueCase | Guard | Procedure | CostRule | Ranking


@dataclass(frozen=True, slots=True)
class ReplaceOption(Node):
    """`replace option fishing.dock …: …`"""

    path: str
    option: Option


@dataclass(frozen=True, slots=True)
class Restrict(Node):
    """`restrict option ships.visit.buy: require …`: one more requirement, which commutes with all others."""

    path: str
    when: Expr | None
    requires: tuple[Require, ...]


@dataclass(frozen=True, slots=True)
class Remove(Node):
    """`remove option visit.swap`"""

    what: str
    path: str


@dataclass(frozen=True, slots=True)
class ChangeZone(Node):
    """`change zone boat.hold: forgets dried and caught_with`, `change zone seat.sea: keeps rented_from`"""

    path: str
    keeps: tuple[str, ...]
    forgets: Forgets | None
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Change(Node):
    """`change rounds to 5`"""

    path: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Invariant(Node):
    """`invariant enough_tickets: …`"""

    name: str
    condition: Expr


@dataclass(frozen=True, slots=True)
class Conserve(Node):
    """`conserve card`"""

    sort: str
    sort_of: str | None


@dataclass(frozen=True, slots=True)
class Preference(Node):
    """`prefer "buy/{l}" for l in lots when my.cash > ¥20 by worth(l)`, `prefer "bid/*" nearest fair_bid`"""

    pattern: str
    binders: tuple[Binder, ...]
    when: Expr | None
    weight: Expr | None
    nearest: Expr | None


@dataclass(frozen=True, slots=True)
class Policy(Node):
    """`policy sensible: …`: what a modest player would rather do. A `let` holds for what stands behind it."""

    name: str
    lines: tuple[Let | Preference, ...]


@dataclass(frozen=True, slots=True)
class Given(Node):
    """`purse: purse of seat in coin`, `step: coin = 1 coin`: what a pattern leaves open."""

    name: str
    type: Type
    unit: str | None
    default: Expr | None


@dataclass(frozen=True, slots=True)
class Pattern(Node):
    """`pattern english(purse: purse of seat in coin): …`: rules in which names are left open."""

    name: str
    given: tuple[Given, ...]
    doc: Text | None
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class UseArg(Node):
    """`purse: cash`"""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Use(Node):
    """`use auctions.english(purse: cash, step: ¥100) as fish_auction`"""

    path: str
    args: tuple[UseArg, ...]
    name: str | None


MemberItem = Union[Field, Counter, Flag, Purse, Zone, Note, Remember, MenuMember, Value, Procedure, Guard]
Item = Union[
    Kind,
    Scope,
    Value,
    ValueCase,
    Guard,
    Procedure,
    CostRule,
    MenuItem,
    Window,
    Rule,
    Scoring,
    Ranking,
    Replace,
    ReplaceOption,
    Restrict,
    Remove,
    ChangeZone,
    Change,
    Invariant,
    Conserve,
    Policy,
    Pattern,
    Use,
]
_NAMED = tuple(kind for kind in get_args(Item) if "name" in {field.name for field in fields(kind)})


def name_of(item: Item) -> str:
    """The name that an item defines; none where it only adds to something."""
    return cast(Value, item).name if isinstance(item, _NAMED) else ""


_PARTS: dict[type, Callable[[Any], tuple[object, ...]] | None] = {}  # by class: what a sentence is made of; None: of nothing


def _parts(kind: type) -> Callable[[Any], tuple[object, ...]] | None:
    """Gives what sentences of a class are made of. Their place is no sentence, but with it there are always several."""
    names = [part.name for part in fields(kind) if part.compare] if issubclass(kind, Node) else []
    return attrgetter(*names, "span") if names else None


def walk(written: object) -> Iterator[Node]:
    """Everything that is written there, sentences and their parts."""
    todo = [written]
    while todo:
        here = todo.pop()
        kind = type(here)
        if kind is tuple or kind is list:
            todo.extend(cast("Iterable[object]", here))
            continue
        if kind not in _PARTS:
            _PARTS[kind] = _parts(kind)
        parts = _PARTS[kind]
        if isinstance(here, Node):
            yield here
        if parts is not None:
            todo.extend(parts(here))
