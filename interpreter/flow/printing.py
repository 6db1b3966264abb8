"""The flow as sentences: the pieces of a rule that asks, what is done in each, and where it goes from there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from ichiba.dsl.faults.printing import Line
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.printing import Sentences
from ichiba.interpreter.ahead.path import Foreseen
from ichiba.interpreter.flow.between import (
    ASKED_CLASSES,
    BETWEEN_CLASSES,
    Add,
    Asked,
    Begin,
    Between,
    CountBelow,
    Mark,
    NewTurn,
    Next,
    NextSeat,
    PackUp,
    StillPacked,
    Stop,
    Unpack,
)
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.flow.pieces import Ask, Branch, Call, End, Enter, Finish, Goto, Piece, Return, SecretDone, Site


class Course:
    """Tells the way through one rule that asks. `only`: of its pieces; `note`: what else is known of a piece."""

    def __init__(
        self,
        flow: Flow,
        procedure: ir.Procedure,
        only: Iterable[Piece] | None = None,
        note: Mapping[Piece, str] | None = None,
    ):
        self.say = Sentences(flow.world)
        self.flow, self.procedure, self.note = flow, procedure, note or {}
        entry = flow.entries[procedure]
        self.numbers = {piece: number for number, piece in enumerate(_in_order(entry), 1)}
        chosen = None if only is None else set(only)
        self.pieces = [piece for piece in self.numbers if chosen is None or piece in chosen]

    def lines(self) -> Iterator[Line]:
        for piece in self.pieces:
            yield from self.piece(piece)

    def piece(self, piece: Piece) -> Iterator[Line]:
        options = ", ".join(_address(site, number) for site, number in piece.inside)
        said = [
            *(["the rule begins here"] if piece is _first(self.flow.entries[self.procedure]) else []),
            *([f"inside of {options}"] if options else []),
            *([self.note[piece]] if piece in self.note else []),
        ]  # fmt: skip
        yield Line(0, f"piece {self.numbers[piece]}" + (f" ({'; '.join(said)})" if said else ""))
        for move in piece.moves:
            if isinstance(move, BETWEEN_CLASSES):
                yield Line(1, self.between(move))
            else:
                yield from self.say.move(move, 1)
        yield from self.end(piece.end)

    def between(self, move: Between) -> str:
        """What no rule says: how a loop goes on after an answer, and the like."""
        match move:
            case Begin(count=count):
                return f"{count.name} begins with 0"
            case Add(count=count, by=by):
                return f"{count.name} is {by} more" if by >= 0 else f"{count.name} is {-by} less"
            case PackUp(rest=rest, set=through, random=by_chance):
                return f"take {self.say.collection(through)}{', in random order' if by_chance else ''}, as {rest.name}"
            case Unpack(var=var, rest=rest):
                return f"let {var.name} be the next of {rest.name}"
            case Next(var=var, count=count, values=values):
                names = ", ".join(self.say.exp(ir.Const(value, var.kind)) for value in values)
                return f"let {var.name} be the next of {{{names}}}, counted by {count.name}"
            case NextSeat(me=me):
                return f"let {me.name} be the next seat"
            case NewTurn(me=me):
                return "nobody's turn any longer" if me is None else f"the turn of {me.name} begins"
            case Stop(options=options):
                return f"who only tries {', '.join(_address(site, number) for site, number in options)} stops here"
            case Mark(number=number):
                return f"point {number} is told"
            case _:
                assert_never(move)

    def asked(self, test: Asked) -> str:
        match test:
            case StillPacked(rest=rest):
                return f"something is left of {rest.name}"
            case CountBelow(count=count, limit=limit):
                return f"{count.name} < {limit}"
            case _:
                assert_never(test)

    def end(self, end: End | None) -> Iterator[Line]:
        match end:
            case Goto(piece=after):
                yield self._to(after)
            case Branch(test=test, yes=yes, no=no):
                said = self.asked(test) if isinstance(test, ASKED_CLASSES) else self.say.exp(test)
                yield Line(1, f"if {said}: {self._name(yes)}, otherwise {self._name(no)}")
            case Ask(site=site):
                yield from self.question(site)
            case Call(perform=perform, after=after):
                yield from self.say.move(perform, 1)
                yield self._to(after)
            case Return() | None:
                caller = self.flow.sole_callers.get(self.procedure)
                yield Line(
                    1,
                    "back to whoever performed this" + (f": only {caller[0].name} does" if caller is not None else ""),
                )
            case Enter(secret=secret):
                statement = secret.statement
                seats = f"each {statement.me.name} of {self.say.collection(statement.seats)}"
                yield Line(1, f"secretly, {seats}: {self._name(secret.entry)}", statement.span)
                yield Line(1, f"when all have answered: {self._name(secret.after)}")
            case SecretDone():
                yield Line(1, "this seat has answered everything")
            case Finish():
                yield Line(1, "the game is over")
            case _:
                assert_never(end)

    def question(self, site: Site, depth: int = 1) -> Iterator[Line]:
        """Who is asked, where each answer leads, and what is known of it before it is given."""
        decide = site.decide
        if isinstance(decide, ir.Secret):
            yield Line(depth, f"secretly, each {decide.me.name} of {self.say.collection(decide.seats)}", decide.span)
            return
        yield Line(depth, f"question {site.number}: {self.say.exp(decide.seat)} chooses {decide.name}", decide.span)
        if isinstance(decide, ir.ChooseSome):
            yield Line(depth + 1, f"how many of this sort: {self._name(site.bodies[0])}")
        else:
            for number, option in enumerate(decide.options):
                yield Line(depth + 1, f"option {option.rule}: {self._name(site.bodies[number])}", option.span)
                yield from self._ahead(site, number, depth + 2)
        if site.otherwise is not None:
            yield Line(depth + 1, f"if there is nothing to choose from: {self._name(site.otherwise)}")

    def _ahead(self, site: Site, number: int, depth: int) -> Iterator[Line]:
        found = site.foreseen.get(number, Foreseen())
        for test in found.tests:
            yield Line(depth, f"foreseen: it requires {self.say.exp(test.test)}", test.span)
        if found.sure is not None:
            yield Line(depth, f"foreseen: it is possible if {self.say.exp(found.sure)}")
        if number in site.by_value:
            yield Line(depth, f"foreseen for each of {len(site.by_value[number])} values by itself")
        if number in site.stop_after:
            yield Line(depth, "it is tried on a copy before it is offered")

    def _to(self, piece: Piece) -> Line:
        return Line(1, f"then {self._name(piece)}")

    def _name(self, piece: Piece) -> str:
        piece = _first(piece)
        return f"piece {self.numbers[piece]}" if piece in self.numbers else f"a piece of {piece.home}"


def _address(site: Site, number: int) -> str:
    decide = site.decide
    return decide.options[number].rule if isinstance(decide, ir.Decide) else decide.name


def _in_order(entry: Piece) -> list[Piece]:
    """The pieces of a rule in which something is done, or that decide where it goes on; those that come first first."""
    found: dict[Piece, None] = {}
    todo = [entry]
    while todo:
        piece = _first(todo.pop(0))
        if piece not in found:
            found[piece] = None
            todo = [*(one for one in _after(piece.end) if one is not None), *todo]
    return list(found)


def _first(piece: Piece) -> Piece:
    """Where one comes to by way of pieces that only lead on."""
    seen: set[Piece] = set()
    while not piece.moves and isinstance(piece.end, Goto) and piece not in seen:
        seen.add(piece)
        piece = piece.end.piece
    return piece


def _after(end: End | None) -> list[Piece | None]:
    match end:
        case Goto(piece=after) | Call(after=after):
            return [after]
        case Branch(yes=yes, no=no):
            return [yes, no]
        case Ask(site=site):
            return [*site.bodies, site.otherwise]
        case Enter(secret=secret):
            return [secret.entry, secret.after]
        case Return() | SecretDone() | Finish() | None:
            return []
        case _:
            assert_never(end)
