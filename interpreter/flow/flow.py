"""Rules that ask are cut at their questions: straight pieces, and where control goes between them."""

from __future__ import annotations

from functools import cached_property
from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of, steps
from ichiba.dsl.rules.whence import Whence
from ichiba.dsl.world.kinds import NUMBER, SEAT
from ichiba.dsl.world.world import Member, World
from ichiba.interpreter.ahead.assured import assured
from ichiba.interpreter.ahead.failing import Failing
from ichiba.interpreter.ahead.foresee import Foresight
from ichiba.interpreter.analysis.busy import Busy
from ichiba.interpreter.analysis.likeness import individuals_of
from ichiba.interpreter.analysis.simplify import parts_of
from ichiba.interpreter.analysis.turns import outermost_turns
from ichiba.interpreter.flow.between import (
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
from ichiba.interpreter.flow.links import claim, deciding, link_payments, sole_calls
from ichiba.interpreter.flow.marks import Marks
from ichiba.interpreter.flow.pieces import (
    Ask,
    Branch,
    Call,
    Enter,
    Finish,
    Goto,
    Inside,
    Piece,
    Return,
    Secret,
    SecretDone,
    Site,
)
from ichiba.interpreter.layout import bag_sorts

MANY_VALUES = 40  # so many are told apart


class Flow:
    """Cuts every deciding procedure of a program; `marks`: points of the rules that are told when they are reached."""

    def __init__(self, program: ir.Program, marks: Marks | None = None):
        self.program = program
        self.marks = marks
        self.world: World = program.world
        self.assured = assured(program)
        self.failing = Failing(self.assured)
        self.foresight = Foresight(program, self.assured)
        self.inside: Inside = ()
        self.asking = deciding(program)
        busy = Busy(program, self.asking)
        self.busy, self.busy_late = busy.reached, busy.late  # where steps are counted: in play, and in what is written late
        self.outermost_turns = outermost_turns(program)
        self.sites: list[Site] = []
        self.secrets: list[Secret] = []
        self.written_secretly: dict[Secret, list[Member]] = {}  # what the others see as it was, until it is revealed
        self.entries: dict[ir.Procedure, Piece] = {}
        self.returns: dict[ir.Procedure, ir.Var] = {}
        self.pieces: list[Piece] = []
        self.calls: list[tuple[Call, ir.Procedure, Inside]] = []
        for procedure in sorted((one for one in program.procedures if one in self.asking), key=lambda one: one.name):
            self.returns[procedure] = ir.Var(f"return of {procedure.name}", NUMBER)
            self.entries[procedure] = self._piece(procedure.name)
        for procedure in self.entries:
            self._cut(procedure)
        self.start = self._whole_game()
        for number, site in enumerate(self.sites):
            site.number = number
        link_payments(self.sites, self.calls)
        sole = sole_calls(self.calls)
        self.sole_calls = {procedure: call for procedure, (call, _, _) in sole.items()}
        self.sole_callers = {procedure: (caller, inside) for procedure, (_, caller, inside) in sole.items()}
        for secret in self.secrets:
            claim(secret, self.entries)

    @cached_property
    def whence(self) -> Whence:
        """What names stand for, followed back through the whole program."""
        return Whence(self.program)

    def __getstate__(self) -> dict[str, object]:
        return {
            "program": self.program,
            "world": self.world,
            "sites": self.sites,
            "secrets": self.secrets,
            "returns": self.returns,
            "sole_calls": {},
            "sole_callers": self.sole_callers,
            "asking": self.asking,
            "busy": self.busy,
            "busy_late": self.busy_late,  # what is asked later is written later
            "pieces": [],
            "calls": [],
            "entries": {},
        }

    def _piece(self, home: str = "") -> Piece:
        piece = Piece(home=home, inside=self.inside)
        self.pieces.append(piece)
        return piece

    def _whole_game(self) -> Piece:
        program = self.program
        game = ir.Procedure("the game", (), (), None)
        self._begin(game)
        self.current = start = self._piece("the game")
        start.head = True
        nobody = (ir.Const(0, SEAT),)
        for procedure in (program.setup, program.play, program.scoring):
            args = nobody[: len(procedure.params)]
            self._statement(ir.Perform(ir.ProcRef(procedure.name, procedure), args, (), None))
        self.current.end = Finish()
        return start

    def _begin(self, procedure: ir.Procedure) -> None:
        self.procedure = procedure
        self.named: list[tuple[str, Piece]] = []
        self.inside = ()
        self.secret: Secret | None = None

    def _cut(self, procedure: ir.Procedure) -> None:
        self._begin(procedure)
        self.current = self.entries[procedure]
        self.current.head = True
        if procedure.body is not None:
            self._statements(procedure.body)
        self.current.end = self.current.end or Return()

    # ---------------------------------------------------------------------------------------- statements

    def _asks(self, s: object) -> bool:
        """Whether a statement must be cut: it asks, or it jumps."""
        for node in steps(s):
            if isinstance(node, ir.Decide | ir.Offer | ir.ChooseSome | ir.Secret | ir.Leave | ir.GiveBack):
                return True
            if isinstance(node, ir.Perform) and any(p in self.asking for p in procedures_of(node.procedure)):
                return True
        return False

    def _statements(self, block: ir.Block) -> None:
        if self.marks is not None and self.current.end is None:
            self._mark(self.current, self.marks.of_block(block))
        for s in block.body:
            if self.current.end is not None:
                return  # nothing comes after a jump
            self._statement(s)

    def _mark(self, piece: Piece, number: int | None) -> None:
        if number is not None:
            piece.moves.append(Mark(number))

    def _statement(self, s: ir.Stm) -> None:
        if not self._asks(s):
            self.current.moves.append(s)
            return
        match s:
            case ir.Block():
                self._statements(s)
            case ir.Named(name=name, body=body):
                after = self._piece(self.procedure.name)
                self.named.append((name, after))
                self._statements(body)
                self.named.pop()
                self._goto(after)
            case ir.Leave(name=name):
                target = next(piece for known, piece in reversed(self.named) if known == name)
                self._stop(self.inside[len(target.inside) :])
                self.current.end = Goto(target)
            case ir.GiveBack(values=values):
                for var, value in zip(self.procedure.results, values, strict=True):
                    self.current.moves.append(ir.Assign(var, value, s.span))
                self._stop(self.inside)
                self.current.end = Return()
            case ir.If():
                self._if(s)
            case ir.For():
                self._for(s)
            case ir.Repeat():
                self._repeat(s)
            case ir.Turns():
                self._turns(s)
            case ir.Perform():
                self._perform(s)
            case ir.Decide():
                self._decide(s, None, None)
            case ir.Offer():
                self._offer(s)
            case ir.ChooseSome():
                self._bag(s)
            case ir.Secret():
                self._secret(s)
            case (
                ir.Assign()
                | ir.KeepSet()
                | ir.Write()
                | ir.Pay()
                | ir.MoveSome()
                | ir.MovePiece()
                | ir.MoveSet()
                | ir.Draw()
                | ir.Pick()
                | ir.Shuffle()
                | ir.Require()
                | ir.Score()
                | ir.EndAs()
                | ir.Tell()
                | ir.Record()
                | ir.Reveal()
                | ir.Reset()
                | ir.Watch()
                | ir.Hush()
            ):
                raise AssertionError("this asks nothing")
            case _:
                assert_never(s)

    def _goto(self, piece: Piece) -> None:
        if self.current.end is None:
            self.current.end = Goto(piece)
        self.current = piece

    def _branch(self, test: ir.Exp | Asked) -> tuple[Piece, Piece]:
        yes, no = self._piece(self.procedure.name), self._piece(self.procedure.name)
        self.current.end = Branch(test, yes, no)
        return yes, no

    def _if(self, s: ir.If) -> None:
        yes, no = self._branch(s.test)
        after = self._piece(self.procedure.name)
        for piece, block in ((yes, s.yes), (no, s.no)):
            self.current = piece
            self._statements(block)
            if self.current.end is None:
                self.current.end = Goto(after)
        self.current = after

    def _for(self, s: ir.For) -> None:
        """The list is taken once, packed into one number; a fixed list needs only a position."""
        fixed = not s.random and isinstance(s.set, ir.Listed) and all(isinstance(i, ir.Const) for i in s.set.items)
        head, after = self._piece(self.procedure.name), self._piece(self.procedure.name)
        rest = ir.Var(f"rest of {s.var.name}", NUMBER)
        if fixed:
            assert isinstance(s.set, ir.Listed)
            items = [i.value for i in s.set.items if isinstance(i, ir.Const)]
            self.current.moves.append(Begin(rest))
            step: Between = Next(s.var, rest, tuple(items))
            test: Asked = CountBelow(rest, len(items))
        else:
            self.current.moves.append(PackUp(rest, s.set, s.random, s.var.name))
            step, test = Unpack(s.var, rest), StillPacked(rest)
        self._goto(head)
        body, out = self._branch(test)
        self.current = body
        body.moves.append(step)
        self._statements(s.body)
        if self.current.end is None:
            self.current.end = Goto(head)
        self.current = out
        self._goto(after)

    def _repeat(self, s: ir.Repeat) -> None:
        left = ir.Var("times left", NUMBER)
        self.current.moves.append(ir.Assign(left, s.times, s.span))
        head = self._piece(self.procedure.name)
        self._goto(head)
        test: ir.Exp = ir.Op(">", (ir.Use(left, NUMBER), ir.Const(0, NUMBER)), NUMBER)
        if s.test is not None:
            test = ir.Op("and", (test, s.test), NUMBER)
        body, out = self._branch(test)
        self.current = body
        body.moves.append(Add(left, -1))
        self._statements(s.body)
        if self.current.end is None:
            self.current.end = Goto(head)
        self.current = out

    def _turns(self, s: ir.Turns) -> None:
        played = ir.Var("turns played", NUMBER)
        self.current.moves.append(ir.Assign(s.me, s.first, s.span))
        self.current.moves.append(ir.Assign(played, ir.Const(0, NUMBER), s.span))
        head, after = self._piece(self.procedure.name), self._piece(self.procedure.name)
        self._goto(head)
        if s.until is not None:
            done, going = self._branch(s.until)
            done.end = Goto(after)
            self.current = going
        within, struck = self._branch(ir.Op("<", (ir.Use(played, NUMBER), s.most), NUMBER))
        if s.ending is not None:
            struck.moves.append(ir.EndAs(s.ending, s.span))
        struck.end = Goto(after)
        self.current = within
        within.moves.append(Add(played, 1))
        outermost = id(s) in self.outermost_turns
        if outermost:
            within.moves.append(NewTurn(s.me))
        self._statements(s.body)
        if self.current.end is None:
            self.current.moves.append(NextSeat(s.me))
            self.current.end = Goto(head)
        self.current = after
        if outermost:
            after.moves.append(NewTurn(None))

    def _perform(self, s: ir.Perform) -> None:
        after = self._piece(self.procedure.name)
        after.head = True
        call = Call(s, after)
        self.calls.append((call, self.procedure, self.inside))
        self.current.end = call
        self.current = after

    # ----------------------------------------------------------------------------------------- questions

    def _site(self, decide: ir.Decide | ir.ChooseSome | ir.Secret) -> Site:
        site = Site(decide, self.procedure, self.inside, secret=self.secret)
        self.sites.append(site)
        if self.secret is not None:
            self.secret.sites.append(site)
        return site

    def _decide(self, s: ir.Decide, offer: ir.Offer | None, again: Piece | None) -> None:
        site = self._site(s)
        site.offer = offer
        after = self._piece(self.procedure.name)
        site.after = after
        self.current.end = Ask(site)
        outer = self.inside
        for number, option in enumerate(s.options):
            self._look_ahead(site, number, option)
            self.inside = (*outer, (site, number))
            body = self._piece(self.procedure.name)
            site.bodies.append(body)
            self.current = body
            self._statements(option.body)
            if self.current.end is None:
                if not s.paying:
                    self._stop(((site, number),))
                if offer is not None and option.counts:
                    self.current.moves.append(Add(offer.taken, 1))
                self.current.end = Goto(after if again is None or option.ends else again)
        self.inside = outer
        self._otherwise(s.otherwise, site, after)

    def _otherwise(self, body: ir.Block | None, site: Site, after: Piece) -> None:
        """What is done where nothing could be chosen; then it goes on as after an answer."""
        if body is not None:
            site.otherwise = self._piece(self.procedure.name)
            site.otherwise.head = True
            self.current = site.otherwise
            self._statements(body)
            if self.current.end is None:
                self.current.end = Goto(after)
        self.current = after

    def _look_ahead(self, site: Site, number: int, option: ir.Option) -> None:
        """Whether an option must be tried before it is offered."""
        assert isinstance(site.decide, ir.Decide)
        if not site.decide.paying and self.failing.may_fail(option.body):
            site.horizons.add(number)
            found = site.foreseen[number] = self.foresight.of(site.decide, option)
            if found.whole:
                return
            values = self._values_told_apart(option)
            if values:
                var = option.binds[0].var
                each = {v: self.foresight.of(site.decide, option, {var: ir.Const(v, var.kind)}) for v in values}
                if any(of_value.whole or of_value.sure for of_value in each.values()):
                    site.by_value[number] = each
            if not all(each.whole for each in site.by_value.get(number, {0: found}).values()):
                site.stop_after.add(number)

    def _values_told_apart(self, option: ir.Option) -> list[int]:
        """What the first binder can be, if the rules do something else for each."""
        if not option.binds:
            return []
        bind = option.binds[0]
        inner, _ = parts_of(bind.set)
        if bind.var.kind.form != "thing" or not isinstance(inner, ir.Pieces) or individuals_of(inner, self.world):
            return []
        apart = any(
            isinstance(n, ir.Perform)
            and n.procedure.by is not None
            and n.procedure.cases
            and isinstance(n.args[n.procedure.by], ir.Use)
            and n.args[n.procedure.by].var is bind.var  # type: ignore[union-attr]
            for n in steps(option.body)
        )
        things = [thing.id for thing in self.world.things if thing.sort in inner.sorts.sorts]
        return things if apart and len(things) <= MANY_VALUES else []

    def _stop(self, options: Inside) -> None:
        """A dry run of one of these options has come to its end here."""
        ended = tuple((site, number) for site, number in options if number in site.horizons)
        if ended:
            self.current.stops.update(ended)
            self.current.moves.append(Stop(ended))

    def _offer(self, s: ir.Offer) -> None:
        head, out = self._piece(self.procedure.name), self._piece(self.procedure.name)
        self.current.moves.append(ir.Assign(s.taken, ir.Const(0, NUMBER), s.decide.span))
        self._goto(head)
        taken = ir.Use(s.taken, NUMBER)
        if s.condition is not None:
            going, over = self._branch(s.condition)
            over.end = Goto(out)
            self.current = going
        limit = ir.Const(1, NUMBER) if s.times == "once" else s.count
        if limit is not None:
            going, over = self._branch(ir.Op("<", (taken, limit), NUMBER))
            over.end = Goto(out)
            self.current = going
        self._decide(s.decide, s, head)
        self._goto(out)

    def _bag(self, s: ir.ChooseSome) -> None:
        """One question for each sort, as far as there is a choice."""
        at = ir.Var(f"{s.name} at", NUMBER)
        width = len(bag_sorts(self.world, s.bag))
        self.current.moves.append(ir.Assign(s.bag, ir.Const(0, NUMBER), s.span))
        self.current.moves.append(Begin(at))
        self.current.may_want = s.otherwise is None
        head, after = self._piece(self.procedure.name), self._piece(self.procedure.name)
        head.head = True
        self._goto(head)
        going, over = self._branch(ir.Op("<", (ir.Use(at, NUMBER), ir.Const(width, NUMBER)), NUMBER))
        over.end = Goto(after)
        self.current = going
        site = self._site(s)
        site.bag_at, site.after = at, after
        going.end = Ask(site)
        body = self._piece(self.procedure.name)
        if self.marks is not None:
            self._mark(body, self.marks.of_lot(s))
        body.moves.append(Add(at, 1))
        body.end = Goto(head)
        site.bodies.append(body)
        self._otherwise(s.otherwise, site, after)

    def _secret(self, s: ir.Secret) -> None:
        site = self._site(s)
        entry, after = self._piece(self.procedure.name), self._piece(self.procedure.name)
        entry.head = after.head = True
        secret = Secret(s, site, entry, after)
        self.secrets.append(secret)
        site.after = after
        self.current.end = Enter(secret)
        outer, named = self.secret, self.named
        self.secret, self.named = secret, []
        self.current = entry
        self._statements(s.body)
        if self.current.end is None:
            self.current.end = SecretDone()
        self.secret, self.named = outer, named
        self.current = after
