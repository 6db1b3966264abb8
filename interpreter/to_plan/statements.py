"""Statements that ask nothing, in the plan."""

from __future__ import annotations

from functools import cached_property
from typing import assert_never

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps, walk
from ichiba.dsl.world.kinds import NUMBER, Kind
from ichiba.dsl.world.world import FIRST_THING, Member
from ichiba.interpreter import layout as places
from ichiba.interpreter.ahead.failing import empties
from ichiba.interpreter.analysis.raw import Raw
from ichiba.interpreter.analysis.simplify import heavy
from ichiba.interpreter.layout import bag_sorts
from ichiba.interpreter.passes.reading import once
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE, ONE, ZERO, call, natural, one, place, plus, row, value_of
from ichiba.interpreter.plan.saying import Hole, do, say
from ichiba.interpreter.plan.writing import OPEN, Left, Writing
from ichiba.interpreter.runtime.runtime import STEPS
from ichiba.interpreter.to_plan.sets import Sets

MANY_TIMES = 1_000  # a loop of more passes is counted while it runs
LARGE_AMOUNT = 10**6  # smaller ones never add up to too much
LIST = p.Name("m", "list")  # what is drawn or picked from
UNROLL_WEIGHT = 200  # how many parts a loop may have when it is written out


class Statements(Sets):
    """Writes moves. With `trace`, chance and effects are told to the context."""

    trace = False
    program: ir.Program
    search_names: dict[object, str]

    def prepare_lines(self) -> None:
        """Nothing is written yet."""
        self.out = Writing()
        self.beginning = 0
        self.params: tuple[p.Name, ...] = ()

    def prepare(self) -> None:
        self.prepare_lines()
        self.demands: list[ir.Require] = []
        self.effects: list[tuple[str, Span | None]] = []
        self.leaves: list[str] = []
        self.procedure_names: dict[ir.Procedure, str] = {}
        self.procedure_queue: list[ir.Procedure] = []
        self.watch_sets: dict[tuple[str, ...], str] = {}
        self.leave_classes: dict[str, str] = {}

    @property
    def depth(self) -> int:
        return self.out.depth

    @depth.setter
    def depth(self, depth: int) -> None:
        self.out.depth = depth

    def line(self, sentence: str, *holes: Hole) -> None:
        self.out.line(sentence, *holes)

    def define(self, name: str, params: list[p.Exp], note: str = "") -> None:
        """What is written from here on, up to its `end`, is this function."""
        self.depth = 0
        self.params = tuple(param for param in params if isinstance(param, p.Name))
        self.out.put(p.Function(name, self.params, OPEN, note))
        self.beginning = len(self.out.lines)
        self.depth = 1

    def end(self, said_once: bool = False) -> None:
        """`said_once`: the function changes nothing, so what it says several times is worked out once."""
        if said_once and len(self.out.lines) > self.beginning:
            body = once(self.out.finished(self.beginning), self.params, self.search_names.values(), self.new_name)
            self.out.lines += [(1, statement) for statement in body]
        self.depth = 0

    def fault(self, message: str, span: Span | None) -> p.Stm:
        self.faults.append((message, span))
        at = len(self.faults) - 1
        return one(do("raise RuleFault(FAULTS[{}], {})", at, at))

    def block(self, block: ir.Block) -> None:
        if not block.body:
            self.line("pass")
        for statement in block.body:
            self.statement(statement)

    def statement(self, s: ir.Stm | Raw) -> None:
        match s:
            case Raw():
                for made in s.make(self):
                    self.out.put(made)
            case ir.Assign():
                self._assign(s)
            case ir.KeepSet(value=ir.Chosen() as chosen):
                self._pick_out(s, chosen)
            case ir.KeepSet(var=var, value=value):
                if var in self.names:  # nobody else sees it: it stays a list
                    self.lists.add(var)
                    self.line("{} = {}", self.names[var], self.listed(value, each=True))
                else:
                    self.line("{} = pack({})", self.var(var), self.listed(value, each=True))
            case ir.Write():
                self._write(s)
            case ir.Pay():
                self._transfer(s)
            case ir.MoveSome():
                self._move_some(s)
            case ir.MovePiece(piece=piece, target=target, side=side, notes=notes):
                self._move_piece(piece, target, side, notes, s.span)
            case ir.MoveSet():
                self._move_set(s)
            case ir.Draw():
                self._draw(s)
            case ir.Pick():
                self._pick(s)
            case ir.Shuffle():
                self._shuffle(s)
            case ir.Require():
                self.demands.append(s)
                self.line("if not {}: raise Unmet({})", self.ex(s.test), len(self.demands) - 1)
            case ir.Block():
                for inner in s.body:
                    self.statement(inner)
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
            case ir.Named():
                self._named(s)
            case ir.Leave(name=name):
                self.line("raise {}", self._leave_class(name))
            case ir.GiveBack(values=values):
                made_ = [self.ex(v) for v in values]
                self.line("return {}", made_[0] if len(made_) == 1 else row(made_))
            case ir.Score():
                self._score(s)
            case ir.EndAs(ending=ending):
                self.line("S[{}] = {}", self.world.table["ending"].base, ending)
            case ir.Reveal():
                self.show(s)
            case ir.Reset(member=member):
                self._reset(member)
            case ir.Watch(rules=rules):
                self.line("{}(S, C)", self.watch(rules))
            case ir.Hush(by=by):
                self.line("S[{}] += {}" if by > 0 else "S[{}] -= {}", places.BUSY, abs(by))
            case ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret():
                raise AssertionError("questions are cut out before")
            case _:
                assert_never(s)

    # ---------------------------------------------------------------------------------- values, places

    def _assign(self, s: ir.Assign) -> None:
        var = s.var
        if s.at is not None:
            self.line("{} = {}", self.ex(ir.Use(var, var.kind, s.at)), self.number(s.value))
        elif var.width > 1:
            value = self.ex(s.value)
            if var in self.names:
                self.line("{} = [{}] * {}", self.names[var], value, var.width)
            else:
                first = self.layout.slot(var)
                self.line("S[{}:{}] = [{}] * {}", first, first + var.width, value, var.width)
        else:
            self.line("{} = {}", self.var(var), self.number(s.value))

    def number(self, e: ir.Exp) -> p.Exp:
        """A value as it is kept: conditions as 0 or 1, numbers not too large."""
        made = self.ex(e)
        if isinstance(e, ir.Op) and e.op in ("+", "-") and e.kind.form == "number" and self.too_large(e):
            if not any(isinstance(arg, ir.Const) and abs(arg.value) < 10**6 for arg in e.args):
                return call("big", made)
        if e.kind.form == "flag" and not isinstance(e, ir.Const | ir.Read | ir.Use | ir.Lookup):
            return p.Choice(made, ONE, ZERO)
        return made

    def _somebody(self, at: tuple[ir.Exp, ...], span: Span | None) -> None:
        """What belongs to nobody cannot be changed: with `none` for an owner it would be some other place."""
        for owner in at:
            if owner.kind.optional and owner.kind.form in ("seat", "thing", "piece") and not isinstance(owner, ir.Const):
                self.line("if {} < 0: {}", self.ex(owner), self.fault("this is none, so it has nothing", span))

    def _write(self, s: ir.Write) -> None:
        self._somebody(s.place.at, s.span)
        member = s.place.member
        there = self.ex(s.place)
        value = s.value
        low, high = member.low, member.high
        if (
            member.form != "counter"
            or low is not None
            and high is not None
            and low <= self.extents.value(value)[0]
            and self.extents.value(value)[1] <= high
        ):
            self.line("{} = {}", there, self.number(value))
        elif "stops" in member.words:
            self.line("v = {}", self.ex(value))
            assert low is not None and high is not None
            self.line("{} = {} if v < {} else {} if v > {} else v", there, low, low, high, high)
        else:
            self.line("v = {}", self.ex(value))
            left = self.fault(f"`{member.name}` would leave its range of {low} to {high}", s.span)
            assert low is not None and high is not None
            self.line("if not {} <= v <= {}: {}", low, high, left)
            self.line("{} = v", there)
        self.effect(f"{member.full_name}", s.span)

    def effect(self, what: str, span: Span | None) -> None:
        if self.trace:
            self.effects.append((what, span))
            self.line("C.effect(S, {})", len(self.effects) - 1)

    def _reset(self, member: Member) -> None:
        first = dict(self.layout.starts).get(member.base, 0)
        if member.size == 1:
            self.line("S[{}] = {}", member.base, first)
        else:
            self.line("S[{}:{}] = {}", member.base, member.base + member.size, self.table(tuple([first] * member.size), "reset"))

    def _score(self, s: ir.Score) -> None:
        member = self.world.seat["score"]
        seat, value = self.ex(s.seat), self.ex(s.value)
        if self.trace:  # before it counts: a line may be worked out from the lines above it
            self.line("C.score(S, {}, {}, {})", seat, self.label(s.label), value)
        self.line("S[{}] += {}", place([seat, member.base]), value)

    def label(self, label: ir.Label) -> p.Exp:
        """Words, put together when they are needed."""
        parts: list[p.Exp] = []
        for part in label.parts:
            if isinstance(part, str):
                parts.append(p.Word(part))
            elif isinstance(part, ir.Aggregate) and part.how == "list":
                element = part.set.kind.of or part.kind
                parts.append(say("C.names({}, {})", self.listed(part.set, each=True), self.kind_ref(element)))
            else:
                parts.append(say("C.words_of({}, {})", self.ex(part), self.kind_ref(part.kind)))
        return plus(parts) if parts else p.Word("")

    def kind_ref(self, kind: object) -> p.Exp:
        if kind not in self.kinds:
            self.kinds.append(kind)
        return say("KINDS[{}]", self.kinds.index(kind))

    # ------------------------------------------------------------------------------------------- money

    def _transfer(self, s: ir.Pay) -> None:
        for purse in (s.source, s.target):
            if isinstance(purse, ir.PurseAt):
                self._somebody(purse.at, s.span)
        source, target = self._limited(s.source), self._limited(s.target)
        amount = self.ex(s.amount)
        simple = natural(amount) or empties(s)
        owing = not self._indebted.isdisjoint(n.member for n in walk(s.source) if isinstance(n, ir.PurseAt))
        if not simple or empties(s):
            self.line("v = {}", amount)
            if not empties(s) or owing:
                self.line("if v < 0: {}", self.fault("an amount below nothing is paid", s.span))
            amount = p.Name("v")
        if source is not None:
            if s.tail == "as_far":
                goes = say("min({}, S[{}])", amount, source)
                self.line("v = {}", call("max", 0, goes) if owing else goes)
                amount = p.Name("v")
            elif s.tail == "in_full" and not empties(s):
                self.line("if S[{}] < {}: {}", source, amount, self._too_poor(s))
            self.line("S[{}] -= {}", source, amount)
        if target is not None:
            self.line("S[{}] += {}", target, amount)
            if self.extents.value(s.amount)[1] > LARGE_AMOUNT:
                self.line("big(S[{}])", target)
        self.effect(f"money:{s.unit}", s.span)

    @cached_property
    def _indebted(self) -> set[Member]:
        """The purses out of which somebody may pay what is not there."""
        moves = (s for p in self.program.procedures for s in steps(p.body) if isinstance(s, ir.Pay))
        purses = (n for s in moves if s.tail == "into_debt" for n in walk(s.source))
        return {purse.member for purse in purses if isinstance(purse, ir.PurseAt)}

    def _too_poor(self, s: ir.Pay) -> p.Stm:
        test = ir.Op(">=", (ir.Const(0, s.amount.kind), s.amount), s.amount.kind)
        self.demands.append(ir.Require(test, ir.Label(("there is not enough to pay ", s.amount)), "derived", s.span))
        return one(do("raise Unmet({})", len(self.demands) - 1))

    def _limited(self, purse: ir.Exp) -> p.Exp | None:
        """The place of a purse; None for a supply without end."""
        if isinstance(purse, ir.PurseAt):
            return None if purse.member.unlimited else self.ex(purse)
        if isinstance(purse, ir.Cond) and any(
            isinstance(side, ir.PurseAt) and side.member.unlimited for side in (purse.yes, purse.no)
        ):
            spare = self.layout.once("no purse", 1, "no purse")
            yes = self._limited(purse.yes) or p.Num(spare)
            no = self._limited(purse.no) or p.Num(spare)
            return p.Choice(self.ex(purse.test), yes, no)
        return self.ex(purse)

    # ------------------------------------------------------------------------------------------ pieces

    def _target(self, target: ir.Exp) -> p.Exp:
        made = self.ex(target)
        if natural(made) or isinstance(made, p.Name):
            return made
        name = self.new_name("z")
        self.line("{} = {}", name, made)
        return p.Name(name)

    def totals(
        self,
        sources: tuple[ir.Exp, ...],
        cell: p.Exp,
        target: ir.Exp,
        to: p.Exp,
        amount: p.Exp,
        one_source: bool = True,
    ) -> None:
        """Where totals are kept, they follow the counts: out of the zone of a place, into another."""
        if not self.layout.totals:
            return
        if one_source:
            members = [m for zone in sources for m in self.possible_zones(zone)]
            if not sources:
                wanted = {s for m in self.possible_zones(target) for s in m.sorts}
                members = [m for m in self.layout.totals if wanted & set(m.sorts)]
            self._total(members, sources[0] if len(sources) == 1 else None, cell, "-=", amount)
        self._total(self.possible_zones(target), target, to, "+=", amount)

    def _total(self, members: list[Member], zone: ir.Exp | None, at: p.Exp, change: str, amount: p.Exp) -> None:
        if not any(m in self.layout.totals for m in members):
            return
        if isinstance(zone, ir.ZoneAt) and not any(heavy(owner) for owner in zone.at):
            total = p.Cell(self.total_place(zone))
        else:
            total = p.Cell(p.Entry(p.Name(self.late("TOTAL_AT")), at))
        self.out.put(p.Change(total, change, amount))

    def _target_column(self, target: ir.Exp, sort: p.Exp, side: int | None) -> p.Exp:
        """The column of a sort in the target zone, turned to a side if that is said."""
        columns = self.zone_columns(target)
        if side is not None:
            turned = self.table(self._turned(side), f"side_{side}")
            sort = p.Num(self._turned(side)[value_of(sort) or 0]) if natural(sort) else p.Entry(p.Name(turned), sort)
        if columns is None:
            return self._column_there(target, sort)
        column = p.Num(columns[value_of(sort) or 0]) if natural(sort) else p.Entry(p.Name(self.table(columns, "column")), sort)
        return call("fitting", column) if not natural(column) and self.holds_own(target) else column

    def _column_there(self, zone: ir.Exp, sort: p.Exp) -> p.Exp:
        """The column of a sort in a zone that only now is known."""
        column = say("{}[{}][{}]", self.columns_table(), self.ex(zone), sort)
        return call("fitting", column) if self.holds_own(zone) else column

    def _arrival(
        self, name: p.Exp, zone: ir.Exp, target: p.Exp, side: int | None, sources: tuple[ir.Exp, ...] = ()
    ) -> p.Exp:
        """Where a counted piece that lies in a place comes to lie in another zone."""
        columns = self.zone_columns(zone)
        if columns is None or side is not None or self.holds_own(zone):
            return place([target, self._target_column(zone, say("{}[{}]", self.late("SORT_AT"), name), side)])
        before = self.zone_columns(sources[0]) if len(sources) == 1 else None
        steps = set() if before is None else {to - at for at, to in zip(before, columns, strict=True) if at >= 0}
        if len(steps) == 1:  # the same columns: all go equally far
            source = self.ex(sources[0])
            if natural(source):
                return place([name, target, steps.pop() - (value_of(source) or 0)])
            far = self.new_name("far")
            self.line("{} = {} - {}", far, place([target, steps.pop()]), source)
            return place([name, far])
        return place([target, p.Entry(p.Name(self.table_at(columns, "column")), name)])

    def _turned(self, side: int) -> tuple[int, ...]:
        sides = list(dict.fromkeys(s.side for s in self.world.sorts if s.side))
        rows = []
        for sort in self.world.sorts:
            twin = next(
                (
                    o.id
                    for o in self.world.sorts
                    if sort.side
                    and (o.name, o.family, o.owner, o.side) == (sort.name, sort.family, sort.owner, sides[side])
                ),
                sort.id,
            )
            rows.append(twin)
        return tuple(rows)

    def _move_some(self, s: ir.MoveSome) -> None:
        counted = tuple(i for i in s.sorts.sorts if not self.world.sorts[i].individual)
        alone = tuple(i for i in s.sorts.sorts if self.world.sorts[i].individual)
        if counted and not alone:
            self._move_counted(s, counted)
        elif alone:
            self._move_individuals(s)
        self.effect("move", s.span)

    def _move_counted(self, s: ir.MoveSome, sorts: tuple[int, ...]) -> None:
        target = self._target(s.target)
        single = len(s.sources) == 1 and (len(sorts) == 1 or s.sorts.one is not None)
        if single:
            columns = self.zone_columns(s.sources[0], s.sorts)
            sort = self.ex(s.sorts.one) if s.sorts.one is not None else p.Num(sorts[0])
            if columns is None or self.holds_own(s.sources[0]) and any(columns[each] < 0 for each in sorts):
                cell = self._cell_there(s.sources[0], sort)
            else:
                column = p.Num(columns[value_of(sort) or 0]) if natural(sort) else p.Entry(p.Name(self.table(columns, "column")), sort)
                cell = place([self.ex(s.sources[0]), column])
            if not natural(cell):
                self.line("c = {}", cell)
                cell = p.Name("c")
            to = place([target, self._target_column(s.target, sort, s.side)])
            self._shift(s, cell, to)
            return
        name = self.new_name("c")
        pieces = ir.Pieces(s.sources, s.sorts, _set_kind(self.world.element(s.target.kind.name)))
        cell = p.Name(name)
        to = self._arrival(cell, s.target, target, s.side, s.sources)
        if s.amount is None:
            depth = self.depth
            total = self._kept_total(s.sources[0], s.sorts) if len(s.sources) == 1 else None
            if total is not None:
                self.line("if {}:", total)
                self.depth += 1
            self.line("for {} in {}:", name, self.present(pieces, self.line) or self.listed(pieces))
            self.depth += 1
            self.line("k = S[{}]", cell)
            self.line("S[{}] = 0", cell)
            self.line("S[{}] += k", to)
            self.totals(s.sources, cell, s.target, target, p.Name("k"))
            self.depth = depth
            return
        self.line("n = {}", self._no_less_than_none(s.amount))
        self.line("for {} in {}:", name, p.Comp("list", cell, self.clauses(pieces, name)))
        self.depth += 1
        self.line("k = S[{}] if S[{}] < n else n", cell, cell)
        self.line("S[{}] -= k", cell)
        self.line("S[{}] += k", to)
        self.totals(s.sources, cell, s.target, target, p.Name("k"))
        self.line("n -= k")
        self.line("if not n: break")
        self.depth -= 1
        self.line("if n: {}", self.fault("there are not enough pieces to move", s.span))

    def _shift(self, s: ir.MoveSome, cell: p.Exp, to: p.Exp) -> None:
        if s.amount is None:
            self.line("k = S[{}]", cell)
            self.line("if k:")  # where there are none it does not matter whether they could lie there
            self.depth += 1
            self.line("S[{}] = 0", cell)
            self.line("S[{}] += k", to)
            self.totals(s.sources, cell, s.target, to, p.Name("k"))
            self.depth -= 1
            return
        amount = self._no_less_than_none(s.amount)
        if not natural(amount):
            self.line("n = {}", amount)
            amount = p.Name("n")
        self.line("if S[{}] < {}: {}", cell, amount, self.fault("there are not enough pieces to move", s.span))
        self.line("S[{}] -= {}", cell, amount)
        self.line("S[{}] += {}", to, amount)
        self.totals(s.sources, cell, s.target, to, amount)

    def _no_less_than_none(self, amount: ir.Exp) -> p.Exp:
        """To move less than nothing moves nothing."""
        made = self.ex(amount)
        return made if natural(made) or self.extents.value(amount)[0] >= 0 else call("max", 0, made)

    def _move_individuals(self, s: ir.MoveSome) -> None:
        name = self.new_name("p")
        pieces = ir.Pieces(s.sources, s.sorts, _set_kind(self.world.element(s.target.kind.name)))
        target = self._target(s.target)
        listed = self.listed(pieces, each=True)
        if s.amount is not None:
            self.line("n = {}", self._no_less_than_none(s.amount))
            self.line("m = {}[:n]", listed)
            self.line("if len(m) < n: {}", self.fault("there are not enough pieces to move", s.span))
            listed = p.Name("m", "list")
        self.line("for {} in {}:", name, listed)
        self.depth += 1
        self._take(p.Name(name), target, s.target, s.notes, self._pieces_single(pieces), s.side)
        self.depth -= 1

    def _move_piece(
        self,
        piece: ir.Exp,
        target: ir.Exp,
        side: int | None,
        notes: tuple[tuple[Member, ir.Exp], ...],
        span: Span | None,
    ) -> None:
        name = self.ex(piece)
        if not isinstance(name, p.Name) and not natural(name):
            own = self.new_name("p")
            self.line("{} = {}", own, name)
            name = p.Name(own)
        if piece.kind.optional or not isinstance(piece, ir.Use | ir.Const):
            self.line("if {} < 0: {}", name, self.fault("there is no such piece to move", span))
        single = True if piece.kind.form == "thing" else self._is_individual(piece.kind.name)
        self._take(name, self._target(target), target, notes, single, side, span)
        self.effect("move", span)

    def _take(
        self,
        name: p.Exp,
        target: p.Exp,
        zone: ir.Exp,
        notes: tuple[tuple[Member, ir.Exp], ...],
        single: bool | None,
        side: int | None,
        span: Span | None = None,
    ) -> None:
        """One piece goes to a zone; `single`: whether it exists one by one (None: either)."""
        if single is None:
            self.line("if {} >= {}:", name, FIRST_THING)
            self.depth += 1
            self._take_thing(name, target, zone, notes)
            self.depth -= 1
            self.line("else:")
            self.depth += 1
            self._take_counted(name, target, zone, side, span)
            self.depth -= 1
        elif single:
            self._take_thing(name, target, zone, notes)
        else:
            self._take_counted(name, target, zone, side, span)

    def _take_counted(self, name: p.Exp, target: p.Exp, zone: ir.Exp, side: int | None, span: Span | None) -> None:
        """One of a count goes; since it was named, it may have gone already."""
        self.line("if S[{}] < 1: {}", name, self.fault("this piece is gone", span))
        self.line("S[{}] -= 1", name)
        self.line("S[{}] += 1", self._arrival(name, zone, target, side))
        self.totals((), name, zone, target, ONE)

    def _take_thing(self, name: p.Exp, target: p.Exp, zone: ir.Exp, notes: tuple[tuple[Member, ir.Exp], ...]) -> None:
        values = [(member, self.ex(value)) for member, value in notes]
        self.line("take(S, {}, {})", name, target)
        given = {member for member, _ in notes}
        for member, value in values:
            self.line("S[{}] = {}", place([name, member.base - member.dims[0][0]]), value)
        for member in self._note_members():
            if member in given:
                continue
            keeps = self._keeps(zone, member)
            first = dict(self.layout.starts).get(member.base, 0)
            here = place([name, member.base - member.dims[0][0]])
            low, size = member.dims[0]
            within = say("{} <= {} < {}", low, name, low + size)
            if keeps is False:
                self.line("if {}: S[{}] = {}", within, here, first)
            elif keeps is None:
                table = self.table(
                    frozenset(place for place, m in self.layout.zones.items() if member.name in m.keeps),
                    f"keeps_{member.name}",
                )
                self.line("if {} and {} not in {}: S[{}] = {}", within, target, table, here, first)

    def _note_members(self) -> list[Member]:
        return [m for kind in self.world.kinds.values() for m in kind.members.values() if m.form == "note" and m.size]

    def _keeps(self, zone: ir.Exp, member: Member) -> bool | None:
        members = {n.member for n in walk(zone) if isinstance(n, ir.ZoneAt)}
        if not members:
            return None
        keeps = {member.name in m.keeps for m in members}
        return keeps.pop() if len(keeps) == 1 else None

    def _move_set(self, s: ir.MoveSet) -> None:
        name = self.new_name("p")
        target = self._target(s.target)
        if isinstance(s.set, ir.Chosen):
            self._move_bag(s, s.set, target)
            return
        self.line("for {} in {}:", name, self.listed(s.set, each=True))
        self.depth += 1
        element = s.set.kind.of
        single = True if element is None or element.form == "thing" else self._is_individual(element.name)
        self._take(p.Name(name), target, s.target, s.notes, single, s.side, s.span)
        self.depth -= 1
        self.effect("move", s.span)

    def _move_bag(self, s: ir.MoveSet, chosen: ir.Chosen, target: p.Exp) -> None:
        """What was chosen leaves the zones it was chosen from."""
        zones = self.bag_zones.get(chosen.bag, ())
        first = self.layout.slot(chosen.bag)
        for column, sort in enumerate(bag_sorts(self.world, chosen.bag)):
            cells = [cell for zone in zones if (cell := self._cell_of_bag(zone, sort))]
            to = self._target_column(s.target, p.Num(sort), s.side)
            if not cells:
                continue
            chosen_ = say("S[{}]", first + column)
            if to == p.Num(-1):
                self.line("if {}: {}", chosen_, self.fault("this zone cannot hold such a piece", s.span))
                continue
            self.line("if {}:", chosen_)
            if self.world.sorts[sort].individual:
                self._move_individuals_of_bag(s, zones, sort, chosen_, target)
                continue
            self.depth += 1
            if len(cells) == 1:
                self.line("if S[{}] < {}: {}", cells[0], chosen_, self.fault("these pieces are gone", s.span))
                self.line("S[{}] -= {}", cells[0], chosen_)
            else:
                self.line("n = {}", chosen_)
                for cell in cells:
                    self.line("k = min(n, S[{}]); S[{}] -= k; n -= k", cell, cell)
                    if self.layout.totals:
                        self.line("S[{}[{}]] -= k", self.late("TOTAL_AT"), cell)
                self.line("if n: {}", self.fault("these pieces are gone", s.span))
            self.line("S[{}] += {}", place([target, to]), chosen_)
            self.totals(zones[:1], cells[0], s.target, target, chosen_, one_source=len(cells) == 1)
            self.depth -= 1
        self.effect("move", s.span)

    def _pick_out(self, s: ir.KeepSet, chosen: ir.Chosen) -> None:
        """The pieces of a lot one by one, where somebody asks for them: of each sort the first ones of what could be chosen."""
        if s.var not in self._listed_lots:
            self.line("pass")
            return
        inner = self.bag_sets[chosen.bag]
        pieces, made = self.new_name("there"), self.new_name("picked")
        self.line("{} = {}", pieces, self.listed(inner, each=True))
        self.line("{} = []", made)
        piece = ir.Var("piece", inner.kind.of or NUMBER)
        name = self.new_name("piece")
        sort = self.with_name(piece, p.Name(name), ir.SortOf(ir.Use(piece, piece.kind), NUMBER))
        first = self.layout.slot(chosen.bag)
        for column, own in enumerate(bag_sorts(self.world, chosen.bag)):
            left = self.new_name("n")
            self.line("{} = S[{}]", left, first + column)
            self.line("if {}:", left)
            self.depth += 1
            self.line("for {} in {}:", name, pieces)
            self.depth += 1
            self.line("if {} > 0 and {} == {}:", left, sort, own)
            self.depth += 1
            self.line("{}.append({})", made, name)
            self.line("{} -= 1", left)
            self.depth -= 3
        if s.var in self.names:
            self.lists.add(s.var)
            self.line("{} = {}", self.names[s.var], made)
        else:
            self.line("{} = pack({})", self.var(s.var), made)

    @cached_property
    def _listed_lots(self) -> set[ir.Var]:
        """The lots of which some rule asks for the pieces themselves."""
        return {node.var for p in self.program.procedures for node in walk(p.body) if isinstance(node, ir.Kept)}

    bag_sets: dict[ir.Var, ir.Set]

    def _cell_of_bag(self, zone: ir.Exp, sort: int) -> p.Exp | None:
        """Where pieces of a sort are counted in a zone; nothing where none can lie."""
        columns = self.zone_columns(zone)
        if columns is not None:
            return place([self.ex(zone), columns[sort]]) if columns[sort] >= 0 else None
        return self._cell_there(zone, p.Num(sort))

    def _cell_there(self, zone: ir.Exp, sort: p.Exp) -> p.Exp:
        """The same in a zone that only now is known: one that cannot hold them finds the place that is always empty."""
        at, column = self.ex(zone), say("{}[{}][{}]", self.columns_table(), self.ex(zone), sort)
        if not self.holds_own(zone):
            return say("{} + {}", at, column)
        empty = self.layout.once("nothing lies here", 1, "nothing lies here")
        return say("{} + {} if {} >= 0 else {}", at, column, column, empty)

    def _move_individuals_of_bag(
        self, s: ir.MoveSet, zones: tuple[ir.Exp, ...], sort: int, many: p.Exp, target: p.Exp
    ) -> None:
        pieces = ir.Pieces(zones, ir.SortSet((sort,)), s.set.kind)
        name = self.new_name("p")
        self.depth += 1
        self.line("for {} in {}[:{}]:", name, self.listed(pieces), many)
        self.depth += 1
        self._take(p.Name(name), target, s.target, s.notes, True, s.side)
        self.depth -= 2

    bag_zones: dict[ir.Var, tuple[ir.Exp, ...]]

    # ------------------------------------------------------------------------------------------ chance

    def chance(
        self, result: str, values: p.Exp, weights: p.Exp | None, kind: object, what: str, hidden: p.Exp = NONE
    ) -> None:
        """One value by chance, told to the context when tracing."""
        if self.trace:
            told = [values, weights or NONE, self.kind_ref(kind), p.Word(what), hidden]
            self.line("{} = {}[C.draw(S, {*})]", result, values, told)
        elif weights is None:
            self.line("{} = {}[below(S, C, len({}))]", result, values, values)
        else:
            raise AssertionError

    def _draw(self, s: ir.Draw) -> None:
        source, target = self._target(s.source), self._target(s.target)
        sorts = tuple(i for i in s.sorts.sorts if i in self.zone_sorts(s.source))
        alone = {self.world.sorts[i].individual for i in sorts}
        single, either = alone == {True}, len(alone) > 1
        amount = self.ex(s.amount)
        if (
            not single
            and not either
            and not self.trace
            and s.var is None
            and s.refill is None
            and self._draw_many(s, sorts, source, target, amount)
        ):
            return
        if s.var is not None:
            self.line("{} = -1", self.var(s.var))
        loop = amount != ONE
        if loop:
            self.line("for _ in range({}):", amount)
            self.depth += 1
        if either:
            self._draw_either(s, sorts, source, target, loop)
        elif single:
            self._draw_thing(s, sorts, source, target, loop)
        else:
            self._draw_counted(s, sorts, source, target, loop)
        if loop:
            self.depth -= 1

    def _draw_many(self, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, target: p.Exp, amount: p.Exp) -> bool:
        """Several draws from neighbouring counts at once."""
        columns = self.zone_columns(s.source, s.sorts)
        if columns is None or any(columns[i] < 0 for i in sorts):
            return False
        wanted = sorted({columns[i] for i in sorts})
        if not wanted or wanted != list(range(wanted[0], wanted[-1] + 1)):
            return False
        low, high = place([source, wanted[0]]), place([source, wanted[-1] + 1])
        to = self._arrival(p.Name("c"), s.target, target, None, (s.source,))
        self.line("for c in draw_many(S, C, {}, {}, {}):", low, high, amount)
        self.depth += 1
        self.line("S[{}] += 1", to)
        self.totals((s.source,), p.Name("c"), s.target, target, ONE)
        self.depth -= 1
        return True

    def _draw_counted(self, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, target: p.Exp, loop: bool) -> None:
        columns = self.zone_columns(s.source, s.sorts)
        cells, total = self._drawn_from(s, sorts, columns, source)
        self.line("t = {}", total)
        if s.refill is not None:
            self._refill(s, s.refill, sorts, columns, source)
            self.depth += 1
            self.line("t = {}", total)
            self.depth -= 1
        self.line("if t:")
        self.depth += 1
        if self.trace:
            self.line("c = [c for c in {} if S[c]]", cells)
            kind = self.kind_ref(_piece_kind(s.source.kind.name))
            self.line("c = c[C.draw(S, c, [S[x] for x in c], {}, 'draw', {})]", kind, target)
        else:
            self.line("c = weighted(S, C, {}, t)", cells)
        c = p.Name("c")
        to = self._arrival(c, s.target, target, None, (s.source,))
        self.line("S[c] -= 1")
        self.line("S[{}] += 1", to)
        self.totals((s.source,), c, s.target, to, ONE)
        if s.var is not None:
            self.line("{} = {}", self.var(s.var), to)
        self.effect("move", s.span)
        self.depth -= 1
        if loop:
            self.line("else: break")

    def _drawn_from(
        self, s: ir.Draw, sorts: tuple[int, ...], columns: tuple[int, ...] | None, source: p.Exp
    ) -> tuple[p.Exp, p.Exp]:
        """The places that are drawn from, and how many pieces lie there in all."""
        cells: p.Exp
        if columns is None:
            cells = p.Name(self.new_name("cells"), "list")
            self.line("{} = cells_any({}, {}[{}], {})", cells, source, self.columns_table(), source, self.table(sorts, "sorts"))
            total = say("sum([S[c] for c in {}])", cells)
        else:
            wanted = sorted({columns[i] for i in sorts} - {-1})
            if wanted and wanted == list(range(wanted[0], wanted[-1] + 1)):
                ends = place([source, wanted[0]]), place([source, wanted[-1] + 1])
                cells, total = call("range", *ends), say("sum(S[{}:{}])", *ends)
            else:
                those = [place([source, column]) for column in wanted]
                cells, total = row(those), plus([p.Cell(one) for one in those])
        return cells, self._kept_total(s.source, ir.SortSet(sorts)) or total

    def _refill(
        self, s: ir.Draw, back: ir.Exp, sorts: tuple[int, ...], columns: tuple[int, ...] | None, source: p.Exp
    ) -> None:
        """Where nothing is left, everything is put back first."""
        refill = self.ex(back)
        self.line("if not t:")
        there = self.zone_columns(back, s.sorts)
        self.depth += 1
        if columns is None or there is None or self.holds_own(s.source):
            self._refill_one_by_one(s, sorts, source, refill)
        else:
            for sort in sorts:
                if there[sort] >= 0:
                    to, come = place([source, columns[sort]]), place([refill, there[sort]])
                    self.totals((back,), come, s.source, to, p.Cell(come))
                    self.line("S[{}] += S[{}]; S[{}] = 0", to, come, come)
        self.depth -= 1

    def _refill_one_by_one(self, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, refill: p.Exp) -> None:
        """Each sort into its own column of a zone that only now is known; what cannot lie there is a fault."""
        assert s.refill is not None
        there, sort = p.Name(self.new_name("there")), self.new_name("sort")
        self.line("for {} in {}:", sort, self.table(sorts, "sorts"))
        self.depth += 1
        self.line("for {} in cells_any({}, {}[{}], ({},)):", there, refill, self.columns_table(), refill, sort)
        self.depth += 1
        self.line("if not S[{}]: continue", there)
        self.line("c = {} + fitting({}[{}][{}])", source, self.columns_table(), source, sort)
        self.totals((s.refill,), there, s.source, p.Name("c"), p.Cell(there))
        self.line("S[c] += S[{}]; S[{}] = 0", there, there)
        self.depth -= 2

    def _draw_thing(self, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, target: p.Exp, loop: bool) -> None:
        pieces = ir.Pieces(
            (s.source,), ir.SortSet(sorts, s.sorts.one), _set_kind(self.world.element(s.source.kind.name))
        )
        self.line("m = {}", self.listed(pieces))
        if s.refill is not None:
            back = ir.Pieces((s.refill,), ir.SortSet(sorts), pieces.kind)
            name = self.new_name("p")
            self.line("if not m:")
            self.depth += 1
            self.line("for {} in {}: take(S, {}, {})", name, self.listed(back), name, source)
            self.line("m = {}", self.listed(pieces))
            self.depth -= 1
        self.line("if m:")
        self.depth += 1
        own = p.Name(self.new_name("p"))
        if s.ordered:
            self.line("{} = m[0]", own)
        else:
            self.chance(own.name, LIST, None, self.world.element(s.source.kind.name), "draw", target)
        self._take_thing(own, target, s.target, ())
        if s.var is not None:
            self.line("{} = {}", self.var(s.var), own)
        self.effect("move", s.span)
        self.depth -= 1
        if loop:
            self.line("else: break")

    def _draw_either(self, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, target: p.Exp, loop: bool) -> None:
        """Some of the pieces are counted, others exist one by one: each of them is as likely as any other."""
        element = self.world.element(s.source.kind.name)
        pieces = ir.Pieces((s.source,), ir.SortSet(sorts, s.sorts.one), _set_kind(element))
        self.line("m = {}", self.listed(pieces, each=True))
        if s.refill is not None:
            back = ir.Pieces((s.refill,), ir.SortSet(sorts, s.sorts.one), pieces.kind)
            name = self.new_name("p")
            self.line("if not m:")
            self.depth += 1
            self.line("for {} in {}:", name, self.listed(back, each=True))
            self.depth += 1
            self._take(p.Name(name), source, s.source, (), None, None, s.span)
            self.depth -= 1
            self.line("m = {}", self.listed(pieces, each=True))
            self.depth -= 1
        self.line("if m:")
        self.depth += 1
        own = p.Name(self.new_name("p"))
        if s.ordered:
            self.line("{} = m[0]", own)
        else:
            self.chance(own.name, LIST, None, element, "draw", target)
        if s.var is not None:
            there = self._arrival(own, s.target, target, None)
            self.line("{} = {} if {} >= {} else {}", self.var(s.var), own, own, FIRST_THING, there)
        self._take(own, target, s.target, (), None, None, s.span)
        self.effect("move", s.span)
        self.depth -= 1
        if loop:
            self.line("else: break")

    def _pick(self, s: ir.Pick) -> None:
        self.line("m = {}", self.listed(s.set, each=True))
        self.line("if not m: {}", self.fault("there is nothing to pick from", s.span))
        self.chance("q", LIST, None, s.set.kind.of, s.var.name)
        self.line("{} = q", self.var(s.var))

    def shuffled(self, listed: p.Exp, kind: object, what: str) -> p.Exp:
        if self.trace:
            return say("C.shuffle(S, {}, {}, {})", listed, self.kind_ref(kind), p.Word(what))
        return say("shuffled(S, C, {})", listed)

    def _shuffle(self, s: ir.Shuffle) -> None:
        sorts = self.zone_sorts(s.zone)
        pieces = ir.Pieces((s.zone,), ir.SortSet(sorts), _set_kind(self.world.element(s.zone.kind.name)))
        shuffled = self.shuffled(self.listed(pieces), self.world.element(s.zone.kind.name), "order")
        rank = self.world.places.get("rank")
        if rank is None:  # nobody keeps the order, but it is chance all the same
            self.line("{}", shuffled)
            return
        self.line("for k, p in enumerate({}):", shuffled)
        self.depth += 1
        self.line("S[{}] = k", place(["p", rank.base - rank.dims[0][0]]))
        self.depth -= 1

    # ------------------------------------------------------------------------------------- the course

    def _if(self, s: ir.If) -> None:
        self.line("if {}:", self.ex(s.test))
        self.depth += 1
        self.block(s.yes)
        self.depth -= 1
        if s.no.body:
            self.line("else:")
            self.depth += 1
            self.block(s.no)
            self.depth -= 1

    def local(self, var: ir.Var) -> p.Exp:
        """A name for a variable of straight-line code, unless it lives in the state."""
        if var not in self.names and var not in self.layout.slots:
            self.names[var] = p.Name(self.new_name(var.name))
        return self.var(var)

    def _for(self, s: ir.For) -> None:
        if self._written_out(s):
            return
        name = self.local(s.var)
        listed = self.listed(s.set, each=True)
        if s.random:
            listed = self.shuffled(listed, s.set.kind.of, s.var.name)
        own = name if isinstance(name, p.Name) else p.Name(self.new_name("x"))
        self.line("for {} in {}:", own, listed)
        self.depth += 1
        if own is not name:
            self.line("{} = {}", name, own)
        self._counted()
        self.block(s.body)
        self.depth -= 1

    def _counted(self) -> None:
        """A pass of a loop, where there may be very many."""
        if self.metered:
            self.line("tick()")

    def _written_out(self, s: ir.For) -> bool:
        """A short loop over fixed values is written out, so that its places are fixed too."""
        values, tests = self._fixed_set(s.set)
        if (
            values is None
            or tests
            or s.random
            or s.var in self.layout.slots
            or len(values) * self._weight(s.body) > UNROLL_WEIGHT
        ):
            return False
        saved = self.names.get(s.var)
        for value in values:
            self.names[s.var] = p.Num(value)
            self.block(s.body)
        self._restore(s.var, saved)
        return True

    def _repeat(self, s: ir.Repeat) -> None:
        times = self.ex(s.times)
        if not natural(times) or (value_of(times) or 0) > MANY_TIMES:
            times = call("times", times)
        self.line("for {} in range({}):", self.new_name("i"), times)
        self.depth += 1
        self._counted()
        if s.test is not None:
            self.line("if not {}: break", self.ex(s.test))
        self.block(s.body)
        self.depth -= 1

    def _turns(self, s: ir.Turns) -> None:
        me = self.local(s.me)
        count = self.new_name("turns")
        self.line("{} = {}", me, self.ex(s.first))
        most = self.ex(s.most)
        fixed = value_of(most) if natural(most) else None
        self.line("for {} in range({}):", count, STEPS + 1 if fixed is None else fixed + 1)
        self.depth += 1
        self._counted()
        if s.until is not None:
            self.line("if {}: break", self.ex(s.until))
        self.line("if {} >= {}:", count, call("times", most) if fixed is None else most)  # it may change from turn to turn
        self.depth += 1
        if s.ending is not None:
            self.line("S[{}] = {}", self.world.table["ending"].base, s.ending)
        self.line("break")
        self.depth -= 1
        self.block(s.body)
        self.line("{} = ({} + 1) % {}", me, me, self.world.config.seats)
        self.depth -= 1

    def _perform(self, s: ir.Perform) -> None:
        args = [p.S, p.C, *(self.ex(a) for a in s.args)]
        ref = s.procedure
        results = tuple(self.local(result) for result in s.results)

        def perform(function: p.Exp) -> None:
            called = p.Call(function, tuple(args))
            self.out.put(p.Set(results, called) if results else p.Do(called))

        if ref.by is not None and ref.cases:
            chooser = s.args[ref.by]
            if isinstance(chooser, ir.Const):
                procedure = ref.cases.get(chooser.value, ref.default)
                if procedure is not None:
                    perform(p.Name(self.procedure(procedure)))
                return
            perform(p.Entry(p.Name(self._proc_cases(ref)), self.ex(chooser)))
        elif ref.default is not None:
            perform(p.Name(self.procedure(ref.default)))

    def _proc_cases(self, ref: ir.ProcRef) -> str:
        key = ("procedures", id(ref))
        if key not in self.table_names:
            self.table_names[key] = f"{self.prefix}CASES_{len(self.table_names)}"
            self.case_tables[self.table_names[key]] = ref
            for procedure in [ref.default, *ref.cases.values()]:
                if procedure is not None:
                    self.procedure(procedure)
        return self.table_names[key]

    def procedure(self, procedure: ir.Procedure) -> str:
        if procedure not in self.procedure_names:
            self.procedure_names[procedure] = self.new_name("p_" + procedure.name)
            self.procedure_queue.append(procedure)
        return self.procedure_names[procedure]

    def _leave_class(self, name: str) -> str:
        if name not in self.leave_classes:
            clean = "".join(c if c.isalnum() and c.isascii() else "_" for c in name)
            self.leave_classes[name] = f"Leave_{len(self.leave_classes)}_{clean}"
        return self.leave_classes[name]

    def _named(self, s: ir.Named) -> None:
        leaves = any(isinstance(n, ir.Leave) and n.name == s.name for n in walk(s.body))
        if not leaves:
            self.block(s.body)
            return
        self.line("try:")
        self.depth += 1
        self.block(s.body)
        self.depth -= 1
        self.out.put(Left(self._leave_class(s.name)))

    def show(self, s: ir.Reveal) -> None:
        raise AssertionError

    def watch(self, rules: tuple[str, ...]) -> str:
        if rules not in self.watch_sets:
            self.watch_sets[rules] = f"watch_{len(self.watch_sets)}"
        return self.watch_sets[rules]


def _set_kind(element: Kind) -> Kind:
    return Kind("set", of=element)


def _piece_kind(name: str) -> Kind:
    return Kind("piece", name)
