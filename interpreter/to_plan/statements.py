"""Statements that ask nothing, as Python."""

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
from ichiba.interpreter.runtime.runtime import STEPS
from ichiba.interpreter.to_plan.expressions import wrapped
from ichiba.interpreter.to_plan.once import Once
from ichiba.interpreter.to_plan.sets import Sets

MANY_TIMES = 1_000  # a loop of more passes is counted while it runs
LARGE_AMOUNT = 10**6  # smaller ones never add up to too much
UNROLL_WEIGHT = 200  # how many parts a loop may have when it is written out


class Statements(Sets):
    """Writes moves. With `trace`, chance and effects are told to the context."""

    trace = False
    program: ir.Program

    def prepare(self) -> None:
        self.out: list[str] = []
        self.depth = 1
        self.demands: list[ir.Require] = []
        self.effects: list[tuple[str, Span | None]] = []
        self.leaves: list[str] = []
        self.procedure_names: dict[ir.Procedure, str] = {}
        self.procedure_queue: list[ir.Procedure] = []
        self.watch_sets: dict[tuple[str, ...], str] = {}
        self.leave_classes: dict[str, str] = {}

    def said_once(self, beginning: int) -> None:
        """In the function that has just been written, which changes nothing."""
        Once(self.out, beginning, self.new_name).everything()

    def line(self, text: str) -> None:
        self.out.append("    " * self.depth + text)

    def fault(self, message: str, span: Span | None) -> str:
        self.faults.append((message, span))
        return f"raise RuleFault(FAULTS[{len(self.faults) - 1}], {len(self.faults) - 1})"

    def block(self, block: ir.Block) -> None:
        if not block.body:
            self.line("pass")
        for statement in block.body:
            self.statement(statement)

    def statement(self, s: ir.Stm | Raw) -> None:
        match s:
            case Raw():
                for text in s.make(self):
                    self.line(text)
            case ir.Assign():
                self._assign(s)
            case ir.KeepSet(value=ir.Chosen() as chosen):
                self._pick_out(s, chosen)
            case ir.KeepSet(var=var, value=value):
                if var in self.names:  # nobody else sees it: it stays a list
                    self.lists.add(var)
                    self.line(f"{self.names[var]} = {self.listed(value, each=True)}")
                else:
                    self.line(f"{self.var(var)} = pack({self.listed(value, each=True)})")
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
                self.line(f"if not {self._tested(s.test)}: raise Unmet({len(self.demands) - 1})")
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
                self.line(f"raise {self._leave_class(name)}")
            case ir.GiveBack(values=values):
                texts = [self.ex(v) for v in values]
                self.line(f"return {texts[0] if len(texts) == 1 else '(' + ', '.join(texts) + ')'}")
            case ir.Score():
                self._score(s)
            case ir.EndAs(ending=ending):
                self.line(f"S[{self.world.table['ending'].base}] = {ending}")
            case ir.Reveal():
                self.show(s)
            case ir.Reset(member=member):
                self._reset(member)
            case ir.Watch(rules=rules):
                self.line(f"{self.watch(rules)}(S, C)")
            case ir.Hush(by=by):
                self.line(f"S[{places.BUSY}] += {by}" if by > 0 else f"S[{places.BUSY}] -= {-by}")
            case ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret():
                raise AssertionError("questions are cut out before")
            case _:
                assert_never(s)

    def _tested(self, test: ir.Exp) -> str:
        text = self.ex(test)
        return text if text.startswith("(") else f"({text})"

    # ---------------------------------------------------------------------------------- values, places

    def _assign(self, s: ir.Assign) -> None:
        var = s.var
        if s.at is not None:
            self.line(f"{self.ex(ir.Use(var, var.kind, s.at))} = {self.number(s.value)}")
        elif var.width > 1:
            value = self.ex(s.value)
            if var in self.names:
                self.line(f"{self.names[var]} = [{value}] * {var.width}")
            else:
                place = self.layout.slot(var)
                self.line(f"S[{place}:{place + var.width}] = [{value}] * {var.width}")
        else:
            self.line(f"{self.var(var)} = {self.number(s.value)}")

    def number(self, e: ir.Exp) -> str:
        """A value as it is kept: conditions as 0 or 1, numbers not too large."""
        text = self.ex(e)
        if isinstance(e, ir.Op) and e.op in ("+", "-") and e.kind.form == "number" and self.too_large(e):
            if not any(isinstance(arg, ir.Const) and abs(arg.value) < 10**6 for arg in e.args):
                return f"big({text})"
        if e.kind.form == "flag" and not isinstance(e, ir.Const | ir.Read | ir.Use | ir.Lookup):
            return f"1 if {text} else 0"
        return text

    def _somebody(self, at: tuple[ir.Exp, ...], span: Span | None) -> None:
        """What belongs to nobody cannot be changed: with `none` for an owner it would be some other place."""
        for owner in at:
            if owner.kind.optional and owner.kind.form in ("seat", "thing", "piece") and not isinstance(owner, ir.Const):
                self.line(f"if {self.ex(owner)} < 0: {self.fault('this is none, so it has nothing', span)}")

    def _write(self, s: ir.Write) -> None:
        self._somebody(s.place.at, s.span)
        member = s.place.member
        place = self.ex(s.place)
        value = s.value
        low, high = member.low, member.high
        if (
            member.form != "counter"
            or low is not None
            and high is not None
            and low <= self.extents.value(value)[0]
            and self.extents.value(value)[1] <= high
        ):
            self.line(f"{place} = {self.number(value)}")
        elif "stops" in member.words:
            self.line(f"v = {self.ex(value)}")
            self.line(f"{place} = {low} if v < {low} else {high} if v > {high} else v")
        else:
            self.line(f"v = {self.ex(value)}")
            self.line(
                f"if not {low} <= v <= {high}: "
                + self.fault(f"`{member.name}` would leave its range of {low} to {high}", s.span)
            )
            self.line(f"{place} = v")
        self.effect(f"{member.full_name}", s.span)

    def effect(self, what: str, span: Span | None) -> None:
        if self.trace:
            self.effects.append((what, span))
            self.line(f"C.effect(S, {len(self.effects) - 1})")

    def _reset(self, member: Member) -> None:
        first = dict(self.layout.starts).get(member.base, 0)
        if member.size == 1:
            self.line(f"S[{member.base}] = {first}")
        else:
            self.line(
                f"S[{member.base}:{member.base + member.size}] = {self.table(tuple([first] * member.size), 'reset')}"
            )

    def _score(self, s: ir.Score) -> None:
        member = self.world.seat["score"]
        seat, value = self.ex(s.seat), self.ex(s.value)
        if self.trace:  # before it counts: a line may be worked out from the lines above it
            self.line(f"C.score(S, {seat}, {self.label(s.label)}, {value})")
        self.line(f"S[{self.sum_of([seat, str(member.base)])}] += {value}")

    def label(self, label: ir.Label) -> str:
        """Words as a Python expression."""
        parts = []
        for part in label.parts:
            if isinstance(part, str):
                parts.append(repr(part))
            elif isinstance(part, ir.Aggregate) and part.how == "list":
                element = part.set.kind.of or part.kind
                parts.append(f"C.names({self.listed(part.set, each=True)}, {self.kind_ref(element)})")
            else:
                parts.append(f"C.words_of({self.ex(part)}, {self.kind_ref(part.kind)})")
        return " + ".join(parts) if parts else "''"

    def kind_ref(self, kind: object) -> str:
        kinds = self.__dict__.setdefault("kinds", [])
        if kind not in kinds:
            kinds.append(kind)
        return f"KINDS[{kinds.index(kind)}]"

    # ------------------------------------------------------------------------------------------- money

    def _transfer(self, s: ir.Pay) -> None:
        for purse in (s.source, s.target):
            if isinstance(purse, ir.PurseAt):
                self._somebody(purse.at, s.span)
        source, target = self._limited(s.source), self._limited(s.target)
        amount = self.ex(s.amount)
        simple = amount.isdigit() or empties(s)
        owing = not self._indebted.isdisjoint(n.member for n in walk(s.source) if isinstance(n, ir.PurseAt))
        if not simple or empties(s):
            self.line(f"v = {amount}")
            if not empties(s) or owing:
                self.line(f"if v < 0: {self.fault('an amount below nothing is paid', s.span)}")
            amount = "v"
        if source is not None:
            if s.tail == "as_far":
                goes = f"min({amount}, S[{source}])"
                self.line(f"v = max(0, {goes})" if owing else f"v = {goes}")
                amount = "v"
            elif s.tail == "in_full" and not empties(s):
                self.line(f"if S[{source}] < {amount}: {self._too_poor(s)}")
            self.line(f"S[{source}] -= {amount}")
        if target is not None:
            self.line(f"S[{target}] += {amount}")
            if self.extents.value(s.amount)[1] > LARGE_AMOUNT:
                self.line(f"big(S[{target}])")
        self.effect(f"money:{s.unit}", s.span)

    @cached_property
    def _indebted(self) -> set[Member]:
        """The purses out of which somebody may pay what is not there."""
        moves = (s for p in self.program.procedures for s in steps(p.body) if isinstance(s, ir.Pay))
        purses = (n for s in moves if s.tail == "into_debt" for n in walk(s.source))
        return {purse.member for purse in purses if isinstance(purse, ir.PurseAt)}

    def _too_poor(self, s: ir.Pay) -> str:
        test = ir.Op(">=", (ir.Const(0, s.amount.kind), s.amount), s.amount.kind)
        self.demands.append(ir.Require(test, ir.Label(("there is not enough to pay ", s.amount)), "derived", s.span))
        return f"raise Unmet({len(self.demands) - 1})"

    def _limited(self, purse: ir.Exp) -> str | None:
        """The place of a purse; None for a supply without end."""
        if isinstance(purse, ir.PurseAt):
            return None if purse.member.unlimited else self.ex(purse)
        if isinstance(purse, ir.Cond) and any(
            isinstance(p, ir.PurseAt) and p.member.unlimited for p in (purse.yes, purse.no)
        ):
            spare = self.layout.once("no purse", 1, "no purse")
            yes = self._limited(purse.yes) or str(spare)
            no = self._limited(purse.no) or str(spare)
            return f"({yes} if {self.ex(purse.test)} else {no})"
        return self.ex(purse)

    # ------------------------------------------------------------------------------------------ pieces

    def _target(self, target: ir.Exp) -> str:
        text = self.ex(target)
        if text.isdigit() or text.isidentifier():
            return text
        name = self.new_name("z")
        self.line(f"{name} = {text}")
        return name

    def totals(
        self,
        sources: tuple[ir.Exp, ...],
        cell: str,
        target: ir.Exp,
        to: str,
        amount: str,
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
            self._total(members, sources[0] if len(sources) == 1 else None, cell, f"-= {amount}")
        self._total(self.possible_zones(target), target, to, f"+= {amount}")

    def _total(self, members: list[Member], zone: ir.Exp | None, at: str, change: str) -> None:
        if not any(m in self.layout.totals for m in members):
            return
        if isinstance(zone, ir.ZoneAt) and not any(heavy(owner) for owner in zone.at):
            self.line(f"S[{self.total_place(zone)}] {change}")
        else:
            self.line(f"S[{self.late('TOTAL_AT')}[{at}]] {change}")

    def _target_column(self, target: ir.Exp, sort: str, side: int | None) -> str:
        """The column of a sort in the target zone, turned to a side if that is said."""
        columns = self.zone_columns(target)
        if side is not None:
            turned = self.table(self._turned(side), f"side_{side}")
            if sort.isdigit():
                sort = str(self._turned(side)[int(sort)])
            else:
                sort = f"{turned}[{sort}]"
        if columns is None:
            return self._column_there(target, sort)
        column = str(columns[int(sort)]) if sort.isdigit() else f"{self.table(columns, 'column')}[{sort}]"
        return f"fitting({column})" if not column.isdigit() and self.holds_own(target) else column

    def _column_there(self, zone: ir.Exp, sort: str) -> str:
        """The column of a sort in a zone that only now is known."""
        column = f"{self.columns_table()}[{self.ex(zone)}][{sort}]"
        return f"fitting({column})" if self.holds_own(zone) else column

    def _arrival(
        self, name: str, zone: ir.Exp, target: str, side: int | None, sources: tuple[ir.Exp, ...] = ()
    ) -> str:
        """Where a counted piece that lies in a place comes to lie in another zone."""
        columns = self.zone_columns(zone)
        if columns is None or side is not None or self.holds_own(zone):
            column = self._target_column(zone, f"{self.late('SORT_AT')}[{name}]", side)
            return self.sum_of([target, column])
        before = self.zone_columns(sources[0]) if len(sources) == 1 else None
        steps = set() if before is None else {to - at for at, to in zip(before, columns, strict=True) if at >= 0}
        if len(steps) == 1:  # the same columns: all go equally far
            source = self.ex(sources[0])
            if source.isdigit():
                return self.sum_of([name, target, str(steps.pop() - int(source))])
            far = self.new_name("far")
            self.line(f"{far} = {self.sum_of([target, str(steps.pop())])} - {wrapped(source)}")
            return f"{name} + {far}"
        return self.sum_of([target, f"{self.table_at(columns, 'column')}[{name}]"])

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
            sort = self.ex(s.sorts.one) if s.sorts.one is not None else str(sorts[0])
            if columns is None or self.holds_own(s.sources[0]) and any(columns[one] < 0 for one in sorts):
                cell = self._cell_there(s.sources[0], sort)
            else:
                column = f"{self.table(columns, 'column')}[{sort}]" if not sort.isdigit() else str(columns[int(sort)])
                cell = self.sum_of([self.ex(s.sources[0]), column])
            if not cell.isdigit():
                self.line(f"c = {cell}")
                cell = "c"
            to = self.sum_of([target, self._target_column(s.target, sort, s.side)])
            self._shift(s, cell, to)
            return
        name = self.new_name("c")
        pieces = ir.Pieces(s.sources, s.sorts, ir.Const(0, s.target.kind).kind)
        pieces = ir.Pieces(s.sources, s.sorts, _set_kind(self.world.element(s.target.kind.name)))
        to = self._arrival(name, s.target, target, s.side, s.sources)
        if s.amount is None:
            depth = self.depth
            total = self._kept_total(s.sources[0], s.sorts) if len(s.sources) == 1 else None
            if total is not None:
                self.line(f"if {total}:")
                self.depth += 1
            self.line(f"for {name} in {self.present(pieces, self.line) or self.listed(pieces)}:")
            self.line(f"    k = S[{name}]")
            self.line(f"    S[{name}] = 0")
            self.line(f"    S[{to}] += k")
            self.depth += 1
            self.totals(s.sources, name, s.target, target, "k")
            self.depth = depth
            return
        self.line(f"n = {self._no_less_than_none(s.amount)}")
        self.line(f"for {name} in [{name}{self.clauses(pieces, name)}]:")
        self.line(f"    k = S[{name}] if S[{name}] < n else n")
        self.line(f"    S[{name}] -= k")
        self.line(f"    S[{to}] += k")
        self.depth += 1
        self.totals(s.sources, name, s.target, target, "k")
        self.depth -= 1
        self.line("    n -= k")
        self.line("    if not n: break")
        self.line(f"if n: {self.fault('there are not enough pieces to move', s.span)}")

    def _shift(self, s: ir.MoveSome, cell: str, to: str) -> None:
        if s.amount is None:
            self.line(f"k = S[{cell}]")
            self.line("if k:")  # where there are none it does not matter whether they could lie there
            self.depth += 1
            self.line(f"S[{cell}] = 0")
            self.line(f"S[{to}] += k")
            self.totals(s.sources, cell, s.target, to, "k")
            self.depth -= 1
            return
        amount = self._no_less_than_none(s.amount)
        if not amount.isdigit():
            self.line(f"n = {amount}")
            amount = "n"
        self.line(f"if S[{cell}] < {amount}: {self.fault('there are not enough pieces to move', s.span)}")
        self.line(f"S[{cell}] -= {amount}")
        self.line(f"S[{to}] += {amount}")
        self.totals(s.sources, cell, s.target, to, amount)

    def _no_less_than_none(self, amount: ir.Exp) -> str:
        """To move less than nothing moves nothing."""
        text = self.ex(amount)
        return text if text.isdigit() or self.extents.value(amount)[0] >= 0 else f"max(0, {text})"

    def _move_individuals(self, s: ir.MoveSome) -> None:
        name = self.new_name("p")
        pieces = ir.Pieces(s.sources, s.sorts, _set_kind(self.world.element(s.target.kind.name)))
        target = self._target(s.target)
        listed = self.listed(pieces, each=True)
        if s.amount is not None:
            self.line(f"n = {self._no_less_than_none(s.amount)}")
            self.line(f"m = {listed}[:n]")
            self.line(f"if len(m) < n: {self.fault('there are not enough pieces to move', s.span)}")
            listed = "m"
        self.line(f"for {name} in {listed}:")
        self.depth += 1
        self._take(name, target, s.target, s.notes, self._pieces_single(pieces), s.side)
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
        if not name.isidentifier() and not name.isdigit():
            own = self.new_name("p")
            self.line(f"{own} = {name}")
            name = own
        if piece.kind.optional or not isinstance(piece, ir.Use | ir.Const):
            self.line(f"if {name} < 0: {self.fault('there is no such piece to move', span)}")
        single = True if piece.kind.form == "thing" else self._is_individual(piece.kind.name)
        self._take(name, self._target(target), target, notes, single, side, span)
        self.effect("move", span)

    def _take(
        self,
        name: str,
        target: str,
        zone: ir.Exp,
        notes: tuple[tuple[Member, ir.Exp], ...],
        single: bool | None,
        side: int | None,
        span: Span | None = None,
    ) -> None:
        """One piece goes to a zone; `single`: whether it exists one by one (None: either)."""
        if single is None:
            self.line(f"if {name} >= {FIRST_THING}:")
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

    def _take_counted(self, name: str, target: str, zone: ir.Exp, side: int | None, span: Span | None) -> None:
        """One of a count goes; since it was named, it may have gone already."""
        self.line(f"if S[{name}] < 1: {self.fault('this piece is gone', span)}")
        self.line(f"S[{name}] -= 1")
        self.line(f"S[{self._arrival(name, zone, target, side)}] += 1")
        self.totals((), name, zone, target, "1")

    def _take_thing(self, name: str, target: str, zone: ir.Exp, notes: tuple[tuple[Member, ir.Exp], ...]) -> None:
        values = [(member, self.ex(value)) for member, value in notes]
        self.line(f"take(S, {name}, {target})")
        given = {member for member, _ in notes}
        for member, value in values:
            self.line(f"S[{self.sum_of([name, str(member.base - member.dims[0][0])])}] = {value}")
        for member in self._note_members():
            if member in given:
                continue
            keeps = self._keeps(zone, member)
            first = dict(self.layout.starts).get(member.base, 0)
            here = self.sum_of([name, str(member.base - member.dims[0][0])])
            low, size = member.dims[0]
            within = f"{low} <= {name} < {low + size}"
            if keeps is False:
                self.line(f"if {within}: S[{here}] = {first}")
            elif keeps is None:
                table = self.table(
                    frozenset(place for place, m in self.layout.zones.items() if member.name in m.keeps),
                    f"keeps_{member.name}",
                )
                self.line(f"if {within} and {target} not in {table}: S[{here}] = {first}")

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
        self.line(f"for {name} in {self.listed(s.set, each=True)}:")
        self.depth += 1
        element = s.set.kind.of
        single = True if element is None or element.form == "thing" else self._is_individual(element.name)
        self._take(name, target, s.target, s.notes, single, s.side, s.span)
        self.depth -= 1
        self.effect("move", s.span)

    def _move_bag(self, s: ir.MoveSet, chosen: ir.Chosen, target: str) -> None:
        """What was chosen leaves the zones it was chosen from."""
        zones = self.bag_zones.get(chosen.bag, ())
        first = self.layout.slot(chosen.bag)
        for column, sort in enumerate(bag_sorts(self.world, chosen.bag)):
            cells = [cell for zone in zones if (cell := self._cell_of_bag(zone, sort))]
            to = self._target_column(s.target, str(sort), s.side)
            if not cells:
                continue
            chosen_ = f"S[{first + column}]"
            if to == "-1":
                self.line(f"if {chosen_}: {self.fault('this zone cannot hold such a piece', s.span)}")
                continue
            self.line(f"if {chosen_}:")
            if self.world.sorts[sort].individual:
                self._move_individuals_of_bag(s, zones, sort, chosen_, target)
                continue
            self.depth += 1
            if len(cells) == 1:
                self.line(f"if S[{cells[0]}] < {chosen_}: {self.fault('these pieces are gone', s.span)}")
                self.line(f"S[{cells[0]}] -= {chosen_}")
            else:
                self.line(f"n = {chosen_}")
                for cell in cells:
                    self.line(f"k = min(n, S[{cell}]); S[{cell}] -= k; n -= k")
                    if self.layout.totals:
                        self.line(f"S[{self.late('TOTAL_AT')}[{cell}]] -= k")
                self.line(f"if n: {self.fault('these pieces are gone', s.span)}")
            self.line(f"S[{self.sum_of([target, to])}] += {chosen_}")
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
        self.line(f"{pieces} = {self.listed(inner, each=True)}")
        self.line(f"{made} = []")
        piece = ir.Var("piece", inner.kind.of or NUMBER)
        name = self.new_name("piece")
        sort = self.with_name(piece, name, ir.SortOf(ir.Use(piece, piece.kind), NUMBER))
        first = self.layout.slot(chosen.bag)
        for column, own in enumerate(bag_sorts(self.world, chosen.bag)):
            left = self.new_name("n")
            self.line(f"{left} = S[{first + column}]")
            self.line(f"if {left}:")
            self.depth += 1
            self.line(f"for {name} in {pieces}:")
            self.line(f"    if {left} > 0 and {sort} == {own}:")
            self.line(f"        {made}.append({name})")
            self.line(f"        {left} -= 1")
            self.depth -= 1
        if s.var in self.names:
            self.lists.add(s.var)
            self.line(f"{self.names[s.var]} = {made}")
        else:
            self.line(f"{self.var(s.var)} = pack({made})")

    @cached_property
    def _listed_lots(self) -> set[ir.Var]:
        """The lots of which some rule asks for the pieces themselves."""
        return {node.var for p in self.program.procedures for node in walk(p.body) if isinstance(node, ir.Kept)}

    bag_sets: dict[ir.Var, ir.Set]

    def _cell_of_bag(self, zone: ir.Exp, sort: int) -> str:
        """Where pieces of a sort are counted in a zone; nothing where none can lie."""
        columns = self.zone_columns(zone)
        if columns is not None:
            return self.sum_of([self.ex(zone), str(columns[sort])]) if columns[sort] >= 0 else ""
        return self._cell_there(zone, str(sort))

    def _cell_there(self, zone: ir.Exp, sort: str) -> str:
        """The same in a zone that only now is known: one that cannot hold them finds the place that is always empty."""
        at, column = self.ex(zone), f"{self.columns_table()}[{self.ex(zone)}][{sort}]"
        if not self.holds_own(zone):
            return f"{at} + {column}"
        empty = self.layout.once("nothing lies here", 1, "nothing lies here")
        return f"{at} + {column} if {column} >= 0 else {empty}"

    def _move_individuals_of_bag(
        self, s: ir.MoveSet, zones: tuple[ir.Exp, ...], sort: int, many: str, target: str
    ) -> None:
        pieces = ir.Pieces(zones, ir.SortSet((sort,)), s.set.kind)
        name = self.new_name("p")
        self.depth += 1
        self.line(f"for {name} in {self.listed(pieces)}[:{many}]:")
        self.depth += 1
        self._take(name, target, s.target, s.notes, True, s.side)
        self.depth -= 2

    bag_zones: dict[ir.Var, tuple[ir.Exp, ...]]

    # ------------------------------------------------------------------------------------------ chance

    def chance(
        self, result: str, values: str, weights: str | None, kind: object, what: str, hidden: str = "None"
    ) -> None:
        """One value by chance, told to the context when tracing."""
        if self.trace:
            self.line(
                f"{result} = {values}[C.draw(S, {values}, {weights or 'None'}, {self.kind_ref(kind)}, "
                f"{what!r}, {hidden})]"
            )
        elif weights is None:
            self.line(f"{result} = {values}[below(S, C, len({values}))]")
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
            self.line(f"{self.var(s.var)} = -1")
        loop = amount != "1"
        if loop:
            self.line(f"for _ in range({amount}):")
            self.depth += 1
        if either:
            self._draw_either(s, sorts, source, target, loop)
        elif single:
            self._draw_thing(s, sorts, source, target, loop)
        else:
            self._draw_counted(s, sorts, source, target, loop)
        if loop:
            self.depth -= 1

    def _draw_many(self, s: ir.Draw, sorts: tuple[int, ...], source: str, target: str, amount: str) -> bool:
        """Several draws from neighbouring counts at once."""
        columns = self.zone_columns(s.source, s.sorts)
        if columns is None or any(columns[i] < 0 for i in sorts):
            return False
        wanted = sorted({columns[i] for i in sorts})
        if not wanted or wanted != list(range(wanted[0], wanted[-1] + 1)):
            return False
        low, high = self.sum_of([source, str(wanted[0])]), self.sum_of([source, str(wanted[-1] + 1)])
        to = self._arrival("c", s.target, target, None, (s.source,))
        self.line(f"for c in draw_many(S, C, {low}, {high}, {amount}):")
        self.line(f"    S[{to}] += 1")
        self.depth += 1
        self.totals((s.source,), "c", s.target, target, "1")
        self.depth -= 1
        return True

    def _draw_counted(self, s: ir.Draw, sorts: tuple[int, ...], source: str, target: str, loop: bool) -> None:
        columns = self.zone_columns(s.source, s.sorts)
        wanted = sorted({columns[i] for i in sorts} - {-1}) if columns is not None else []
        if columns is None:
            cells = self.new_name("cells")
            self.line(f"{cells} = cells_any({source}, {self.columns_table()}[{source}], {self.table(sorts, 'sorts')})")
            total = f"sum([S[c] for c in {cells}])"
        elif wanted and wanted == list(range(wanted[0], wanted[-1] + 1)):
            low, high = self.sum_of([source, str(wanted[0])]), self.sum_of([source, str(wanted[-1] + 1)])
            cells, total = f"range({low}, {high})", f"sum(S[{low}:{high}])"
        else:
            listed = ", ".join(self.sum_of([source, str(c)]) for c in wanted)
            cells, total = f"({listed},)" if listed else "()", " + ".join(f"S[{self.sum_of([source, str(c)])}]" for c in wanted) or "0"
        total = self._kept_total(s.source, ir.SortSet(sorts)) or total
        self.line(f"t = {total}")
        if s.refill is not None:
            refill = self.ex(s.refill)
            self.line("if not t:")
            back = self.zone_columns(s.refill, s.sorts)
            if columns is None or back is None or self.holds_own(s.source):
                self._refill_one_by_one(s, sorts, source, refill)
            else:
                for sort in sorts:
                    if back[sort] >= 0:
                        here, there = self.sum_of([source, str(columns[sort])]), self.sum_of([refill, str(back[sort])])
                        self.depth += 1
                        self.totals((s.refill,), there, s.source, here, f"S[{there}]")
                        self.depth -= 1
                        self.line(f"    S[{here}] += S[{there}]; S[{there}] = 0")
            self.line(f"    t = {total}")
        self.line("if t:")
        self.depth += 1
        if self.trace:
            self.line(f"c = [c for c in {cells} if S[c]]")
            kind = self.kind_ref(_piece_kind(s.source.kind.name))
            self.line(f"c = c[C.draw(S, c, [S[x] for x in c], {kind}, 'draw', {target})]")
        else:
            self.line(f"c = weighted(S, C, {cells}, t)")
        to = self._arrival("c", s.target, target, None, (s.source,))
        self.line("S[c] -= 1")
        self.line(f"S[{to}] += 1")
        self.totals((s.source,), "c", s.target, to, "1")
        if s.var is not None:
            self.line(f"{self.var(s.var)} = {to}")
        self.effect("move", s.span)
        self.depth -= 1
        if loop:
            self.line("else: break")

    def _refill_one_by_one(self, s: ir.Draw, sorts: tuple[int, ...], source: str, refill: str) -> None:
        """Each sort into its own column of a zone that only now is known; what cannot lie there is a fault."""
        assert s.refill is not None
        there, sort = self.new_name("there"), self.new_name("sort")
        self.line(f"    for {sort} in {self.table(sorts, 'sorts')}:")
        self.depth += 2
        self.line(f"for {there} in cells_any({refill}, {self.columns_table()}[{refill}], ({sort},)):")
        self.line(f"    if not S[{there}]: continue")
        self.line(f"    c = {source} + fitting({self.columns_table()}[{source}][{sort}])")
        self.depth += 1
        self.totals((s.refill,), there, s.source, "c", f"S[{there}]")
        self.line(f"S[c] += S[{there}]; S[{there}] = 0")
        self.depth -= 3

    def _draw_thing(self, s: ir.Draw, sorts: tuple[int, ...], source: str, target: str, loop: bool) -> None:
        pieces = ir.Pieces(
            (s.source,), ir.SortSet(sorts, s.sorts.one), _set_kind(self.world.element(s.source.kind.name))
        )
        self.line(f"m = {self.listed(pieces)}")
        if s.refill is not None:
            back = ir.Pieces((s.refill,), ir.SortSet(sorts), pieces.kind)
            name = self.new_name("p")
            self.line("if not m:")
            self.line(f"    for {name} in {self.listed(back)}: take(S, {name}, {source})")
            self.line(f"    m = {self.listed(pieces)}")
        self.line("if m:")
        self.depth += 1
        own = self.new_name("p")
        if s.ordered:
            self.line(f"{own} = m[0]")
        else:
            self.chance(own, "m", None, self.world.element(s.source.kind.name), "draw", target)
        self._take_thing(own, target, s.target, ())
        if s.var is not None:
            self.line(f"{self.var(s.var)} = {own}")
        self.effect("move", s.span)
        self.depth -= 1
        if loop:
            self.line("else: break")

    def _draw_either(self, s: ir.Draw, sorts: tuple[int, ...], source: str, target: str, loop: bool) -> None:
        """Some of the pieces are counted, others exist one by one: each of them is as likely as any other."""
        element = self.world.element(s.source.kind.name)
        pieces = ir.Pieces((s.source,), ir.SortSet(sorts, s.sorts.one), _set_kind(element))
        self.line(f"m = {self.listed(pieces, each=True)}")
        if s.refill is not None:
            back = ir.Pieces((s.refill,), ir.SortSet(sorts, s.sorts.one), pieces.kind)
            name = self.new_name("p")
            self.line("if not m:")
            self.depth += 1
            self.line(f"for {name} in {self.listed(back, each=True)}:")
            self.depth += 1
            self._take(name, source, s.source, (), None, None, s.span)
            self.depth -= 1
            self.line(f"m = {self.listed(pieces, each=True)}")
            self.depth -= 1
        self.line("if m:")
        self.depth += 1
        own = self.new_name("p")
        if s.ordered:
            self.line(f"{own} = m[0]")
        else:
            self.chance(own, "m", None, element, "draw", target)
        if s.var is not None:
            there = self._arrival(own, s.target, target, None)
            self.line(f"{self.var(s.var)} = {own} if {own} >= {FIRST_THING} else {there}")
        self._take(own, target, s.target, (), None, None, s.span)
        self.effect("move", s.span)
        self.depth -= 1
        if loop:
            self.line("else: break")

    def _pick(self, s: ir.Pick) -> None:
        self.line(f"m = {self.listed(s.set, each=True)}")
        self.line(f"if not m: {self.fault('there is nothing to pick from', s.span)}")
        self.chance("q", "m", None, s.set.kind.of, s.var.name)
        self.line(f"{self.var(s.var)} = q")

    def shuffled(self, listed: str, kind: object, what: str) -> str:
        if self.trace:
            return f"C.shuffle(S, {listed}, {self.kind_ref(kind)}, {what!r})"
        return f"shuffled(S, C, {listed})"

    def _shuffle(self, s: ir.Shuffle) -> None:
        sorts = self.zone_sorts(s.zone)
        pieces = ir.Pieces((s.zone,), ir.SortSet(sorts), _set_kind(self.world.element(s.zone.kind.name)))
        shuffled = self.shuffled(self.listed(pieces), self.world.element(s.zone.kind.name), "order")
        rank = self.world.places.get("rank")
        if rank is None:  # nobody keeps the order, but it is chance all the same
            self.line(shuffled)
            return
        self.line(f"for k, p in enumerate({shuffled}):")
        self.line(f"    S[{self.sum_of(['p', str(rank.base - rank.dims[0][0])])}] = k")

    # ------------------------------------------------------------------------------------- the course

    def _if(self, s: ir.If) -> None:
        self.line(f"if {self.ex(s.test)}:")
        self.depth += 1
        self.block(s.yes)
        self.depth -= 1
        if s.no.body:
            self.line("else:")
            self.depth += 1
            self.block(s.no)
            self.depth -= 1

    def local(self, var: ir.Var) -> str:
        """A Python name for a variable of straight-line code, unless it lives in the state."""
        if var not in self.names and var not in self.layout.slots:
            self.names[var] = self.new_name(var.name)
        return self.var(var)

    def _for(self, s: ir.For) -> None:
        if self._written_out(s):
            return
        name = self.local(s.var)
        listed = self.listed(s.set, each=True)
        if s.random:
            listed = self.shuffled(listed, s.set.kind.of, s.var.name)
        if name.startswith("S["):
            inner = self.new_name("x")
            self.line(f"for {inner} in {listed}:")
            self.line(f"    {name} = {inner}")
        else:
            self.line(f"for {name} in {listed}:")
        self.depth += 1
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
            self.names[s.var] = str(value) if value >= 0 else f"({value})"
            self.block(s.body)
        self._restore(s.var, saved)
        return True

    def _repeat(self, s: ir.Repeat) -> None:
        times = self.ex(s.times)
        if not times.isdigit() or int(times) > MANY_TIMES:
            times = f"times({times})"
        self.line(f"for {self.new_name('i')} in range({times}):")
        self.depth += 1
        self._counted()
        if s.test is not None:
            self.line(f"if not ({self.ex(s.test)}): break")
        self.block(s.body)
        self.depth -= 1

    def _turns(self, s: ir.Turns) -> None:
        me = self.local(s.me)
        count = self.new_name("turns")
        self.line(f"{me} = {self.ex(s.first)}")
        most = self.ex(s.most)
        self.line(f"for {count} in range({int(most) + 1 if most.isdigit() else STEPS + 1}):")
        self.depth += 1
        self._counted()
        if s.until is not None:
            self.line(f"if {self.ex(s.until)}: break")
        self.line(f"if {count} >= {most if most.isdigit() else f'times({most})'}:")  # it may change from turn to turn
        if s.ending is not None:
            self.line(f"    S[{self.world.table['ending'].base}] = {s.ending}")
        self.line("    break")
        self.block(s.body)
        self.line(f"{me} = ({me} + 1) % {self.world.config.seats}")
        self.depth -= 1

    def _perform(self, s: ir.Perform) -> None:
        args = ", ".join(["S", "C", *(self.ex(a) for a in s.args)])
        ref = s.procedure
        results = ", ".join(
            self.var(r) if r in self.names or r in self.layout.slots else self.local(r) for r in s.results
        )
        into = f"{results} = " if results else ""
        if ref.by is not None and ref.cases:
            chooser = s.args[ref.by]
            if isinstance(chooser, ir.Const):
                procedure = ref.cases.get(chooser.value, ref.default)
                if procedure is not None:
                    self.line(f"{into}{self.procedure(procedure)}({args})")
                return
            self.line(f"{into}{self._proc_cases(ref)}[{self.ex(chooser)}]({args})")
        elif ref.default is not None:
            self.line(f"{into}{self.procedure(ref.default)}({args})")

    def _proc_cases(self, ref: ir.ProcRef) -> str:
        key = ("procedures", id(ref))
        if key not in self.table_names:
            self.table_names[key] = f"{self.prefix}CASES_{len(self.table_names)}"
            self.case_tables = getattr(self, "case_tables", {})
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
        self.line(f"except {self._leave_class(s.name)}: pass")

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
