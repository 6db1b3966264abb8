"""Statements: what each one does, in the few moves that the engine knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never, cast

from ichiba.dsl.faults.fault import quote
from ichiba.dsl.faults.source import Span
from ichiba.dsl.meaning.emptiness import enter_loop
from ichiba.dsl.meaning.expressions import first_in
from ichiba.dsl.meaning.hints import so_many
from ichiba.dsl.meaning.meaning import (
    AmountOf,
    Definition,
    Env,
    Lying,
    Meaning,
    MenuRef,
    Several,
    SortNames,
    Zones,
)
from ichiba.dsl.meaning.narrowing import forget, narrow
from ichiba.dsl.meaning.revealing import Revealing
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, UNKNOWN, Kind, maybe, number, set_of
from ichiba.dsl.world.opening.members import type_of
from ichiba.dsl.world.world import Member

NO_BLOCK = ir.Block(())
ENTRY = "the entry of a board"


@dataclass(slots=True)
class Setting:
    """The procedure that is being written: what it gives back, and which blocks can be left."""

    name: str
    results: tuple[ir.Var, ...] = ()
    gives: Kind | None = None  # of a value
    open_blocks: list[str] = field(default_factory=list)
    secret: bool = False


BagConditions = tuple[
    ir.Exp | None,
    ir.Exp | None,
    ir.Exp | None,
    tuple[int, ...] | None,
    ir.ValueRef | None,
    tuple[ir.Exp, ...],
    ir.Exp | None,
    ir.Exp | None,
]


def _names(number: int) -> str:
    return "1 name is" if number == 1 else f"{number} names are"


class Statements(Revealing):
    """Makes blocks of statements into blocks of moves."""

    setting: Setting

    def block(self, block: t.Block, env: Env) -> ir.Block:
        """A block has names of its own."""
        inside = env.inner()
        return self.body(block.body, inside)

    def body(self, statements: tuple[t.Statement, ...], env: Env) -> ir.Block:
        made: list[ir.Stm] = []
        for statement in statements:
            done = self.statement(statement, env)
            made.extend(done)
            env.done.extend(done)
            forget(env, statement)
        return ir.Block(tuple(made))

    def loop(self, block: t.Block, env: Env, again: list[ir.Stm]) -> ir.Block:
        """A block that may be done more than once."""
        forget(env, block)
        made = self.block(block, env)
        again.extend(made.body)
        return made

    def value_block(self, block: t.Block, env: Env, kind: Kind) -> ir.Block:
        outer = getattr(self, "setting", None)
        self.setting = Setting("a value", gives=kind)
        try:
            made = self.block(block, env)
        finally:
            if outer is not None:
                self.setting = outer
        if not _always_gives(made):
            self.faults.add(
                "E307",
                block.span,
                "this value does not give anything at its end",
                label="`give …` is missing",
            )
        return made

    def statement(self, node: t.Statement, env: Env) -> list[ir.Stm]:
        if self.setting.gives is not None and not isinstance(
            node,
            t.Let | t.Remember | t.Flag | t.SetTo | t.Raise | t.Mark | t.If | t.ForEach | t.Repeat | t.Give | t.Nothing,
        ):
            if not (isinstance(node, t.Do) and self.tells_unknown(node.call, env)):
                self.faults.add("E308", node.span, "a value only works something out; it changes nothing")
            return []
        match node:
            case t.Let():
                return self._let(node, env)
            case t.LetBest():
                return self._let_best(node, env)
            case t.SetTo():
                return self._set(node, env)
            case t.Raise():
                return self._raise(node, env)
            case t.Mark():
                return self._mark(node, env)
            case t.Pay():
                return self._pay(node, env)
            case t.Move():
                return self._move(node, env)
            case t.Draw():
                return self._draw(node, env)
            case t.Pick():
                return self._pick(node, env)
            case t.Roll():
                return self._roll(node, env)
            case t.Shuffle():
                zone = self.zone(node.zone, env)
                return [ir.Shuffle(zone, node.span)] if zone is not None else []
            case t.ChooseOne():
                return self._choose_one(node, env)
            case t.ChooseNumber():
                return self._choose_number(node, env)
            case t.ChooseSome():
                return self._choose_some(node, env)
            case t.Reveal():
                return self.revealed(node.place, env, node.span)
            case t.Require():
                return [self.demand(node, env)]
            case t.Leave():
                return self._leave(node)
            case t.Nothing():
                return []
            case t.Give():
                return self._give(node, env)
            case t.Score():
                who = self.me(t.Name(node.span, "me"), env)
                value = self.exp(node.value, env)
                if value.kind.form != "number":
                    self.mismatch(node.value, value.kind, NUMBER)
                return [ir.Score(who, self.label(node.label, env), value, node.span)]
            case t.Ending():
                return [ir.EndAs(self.ending(node.name), node.span)]
            case t.Do():
                return self._do(node, env)
            case t.If():
                return self._if(node, env)
            case t.ForEach():
                return self._for_each(node, env)
            case t.Repeat():
                return self._repeat(node, env)
            case t.TakeTurns():
                return self._take_turns(node, env)
            case t.OneTurnEach():
                me = ir.Var("me", SEAT)
                inside = env.inner(me=ir.Use(me, SEAT))
                body = self.loop(node.body, inside, enter_loop(inside))
                seats = ir.Const(self.world.config.seats, NUMBER)
                return [ir.Turns(me, self.exp(node.first, env, SEAT), None, seats, None, body, node.span)]
            case t.AsSeat():
                me = ir.Var("me", SEAT)
                inside = env.inner(me=ir.Use(me, SEAT))
                return [
                    ir.Assign(me, self.certain(self.exp(node.seat, env, SEAT)), node.span),
                    *self.body(node.body.body, inside).body,
                ]
            case t.Secretly():
                return self._secretly(node, env)
            case t.May():
                return self._may(node, env)
            case t.ScoreFor():
                me = ir.Var("me", SEAT)
                everyone = ir.Listed(tuple(ir.Const(s, SEAT) for s in range(self.world.config.seats)), set_of(SEAT))
                inside = env.inner(me=ir.Use(me, SEAT))
                return [ir.For(me, everyone, False, self.loop(node.body, inside, enter_loop(inside)), node.span)]
            case t.Menu():
                return self.menu(node, env)
            case t.Remember():
                return self._remember(node, env)
            case t.Flag():
                return self._local_flag(node, env)
            case _:
                assert_never(node)

    # -------------------------------------------------------------------------------------- local names

    def _let(self, node: t.Let, env: Env) -> list[ir.Stm]:
        if len(node.names) > 1 or self._is_procedure_call(node.value, env):
            return self._let_results(node, env)
        (name,) = node.names
        found = self.meaning(node.value, env)
        if isinstance(found, Several):
            found = self.settle(found, node.value, None)
        if isinstance(found, (*ir.SET_CLASSES, Lying)) or isinstance(found, Zones) and len(found.zones) > 1:
            made = self.as_set(found, node.value, None)
            if made is None:
                return []
            if isinstance(made, ir.Listed) and all(isinstance(i, ir.Const) for i in made.items):
                env.names[name] = made
                return []
            var = ir.Var(name, made.kind)
            env.names[name] = ir.Kept(var, made.kind)
            return [ir.KeepSet(var, made, node.span)]
        value = self.as_exp(found, node.value, env, None)
        if value is None:
            env.names[name] = ir.Const(0, UNKNOWN)
            return []
        if isinstance(found, Zones) and value.kind.form == "zone":
            var = ir.Var(name, value.kind)
            env.names[name] = Zones((ir.Use(var, value.kind),), value.kind)
            return [ir.Assign(var, value, node.span)]
        var = ir.Var(name, value.kind)
        env.names[name] = ir.Use(var, value.kind)
        return [ir.Assign(var, value, node.span)]

    def _is_procedure_call(self, node: t.Expr, env: Env) -> bool:
        name = node.what if isinstance(node, t.Call) else node
        return (
            isinstance(name, t.Name)
            and name.name not in env.names
            and (name.name in self.definitions and self.definitions[name.name].what in ("procedure", "phase"))
        )

    def _let_results(self, node: t.Let, env: Env) -> list[ir.Stm]:
        ref, args = self.procedure_call(node.value, env)
        if ref is None:
            return []
        assert ref.default is not None
        results = ref.default.results
        if len(results) != len(node.names):
            self.faults.add(
                "E211",
                node.span,
                f"`{ref.name}` gives {so_many(len(results))} back, {_names(len(node.names))} here",
                label="" if results else f"it stands by itself: {quote(node.value.span.text)}",
            )
            return []
        made: list[ir.Var] = []
        for name, result in zip(node.names, results, strict=True):
            var = ir.Var(name, result.kind)
            made.append(var)
            env.names[name] = ir.Use(var, result.kind)
        return [ir.Perform(ref, args, tuple(made), node.span)]

    def _let_best(self, node: t.LetBest, env: Env) -> list[ir.Stm]:
        inner = self.set(node.domain, env)
        var = ir.Var(node.binder, inner.kind.of or NUMBER)
        inside = env.with_names(**{node.binder: ir.Use(var, var.kind)})
        best = ir.Best(inner, var, self.key(node.key, inside), node.key.direction == "highest", inner.kind)
        chosen = ir.Var(node.name, maybe(var.kind) if node.tie == "first" else var.kind)
        env.names[node.name] = ir.Use(chosen, chosen.kind)
        if node.tie == "first":
            return [ir.Assign(chosen, self.first_of(best, node.domain, env), node.span)]
        if node.tie == "random":
            return [ir.Pick(chosen, best, node.span)]
        judge = self.exp(cast(t.Expr, node.judge), env, SEAT)
        prompt = self.words(f"Which {node.name}?")
        option = ir.Option(
            "tie",
            "tie",
            prompt,
            (ir.Bind(chosen, best, None),),
            (),
            None,
            NO_BLOCK,
            f"{self.setting.name}.{node.name}",
            span=node.span,
        )
        return [self.decide("tie", judge, prompt, [option], None, env, node.span)]

    def _remember(self, node: t.Remember, env: Env) -> list[ir.Stm]:
        kind = type_of(self.world, node.type, self.faults)
        var = self._indexed_var(node.name, kind, node.index)
        env.names[node.name] = ir.Use(var, kind)
        if node.default is not None:
            value = self.exp(node.default, env, kind)
        else:
            value = ir.Const(-1 if kind.optional or kind.form in ("thing", "piece", "seat", "sort") else 0, kind)
        return [ir.Assign(var, value, node.span)]

    def _local_flag(self, node: t.Flag, env: Env) -> list[ir.Stm]:
        var = self._indexed_var(node.name, FLAG, node.index)
        env.names[node.name] = ir.Use(var, FLAG)
        value = self.exp(node.start, env, FLAG) if node.start is not None else ir.Const(0, FLAG)
        return [ir.Assign(var, value, node.span)]

    def _indexed_var(self, name: str, kind: Kind, index: tuple[t.Param, ...]) -> ir.Var:
        kinds = tuple(self.param_kind(param) for param in index)
        width = 1
        for param, of in zip(index, kinds, strict=True):
            domain = self.world.domain(of)
            if domain is None:
                self.faults.add("E205", param.span, f"{of} cannot be counted through")
                continue
            width *= domain[1]
        return ir.Var(name, kind, width, kinds)

    # ------------------------------------------------------------------------------- counters and flags

    def place(self, node: t.Expr, env: Env) -> ir.Use | ir.Read | None:
        """What can be set: a memory, a counter, a flag."""
        found = self.meaning(node, env)
        if isinstance(found, Several):
            found = next((m for m in found.meanings if isinstance(m, ir.Read | ir.Use)), found)
        if isinstance(found, ir.Read):
            if self.setting.gives is not None:
                self.fault(
                    "E308",
                    node,
                    "a value only works something out; it changes nothing",
                    label="only its own `remember` can be set",
                )
                return None
            if found.member.form == "purse":
                self.fault("E502", node, "nobody sets the money in a purse", label="use `gain` or `pay`")
                return None
            return found
        if isinstance(found, ir.Use):
            return found
        if found is not None:
            self.fault(
                "E309",
                node,
                f"{self.describe(found)} cannot be changed",
                label="a counter, a flag or a memory is needed",
            )
        return None

    def _assign(self, place: ir.Use | ir.Read, value: ir.Exp, node: t.Statement) -> list[ir.Stm]:
        if isinstance(place, ir.Use):
            return [ir.Assign(place.var, value, node.span, place.at)]
        return [ir.Write(place, value, node.span)]

    def _set(self, node: t.SetTo, env: Env) -> list[ir.Stm]:
        place = self.place(node.place, env)
        if place is None:
            return []
        kind = place.var.kind if isinstance(place, ir.Use) else place.member.kind
        return self._assign(place, self.exp(node.value, env, kind), node)

    def _raise(self, node: t.Raise, env: Env) -> list[ir.Stm]:
        place = self.place(node.place, env)
        if place is None:
            return []
        by = self.exp(node.by, env)
        if place.kind.form != "number":
            self.fault("E309", node.place, f"{place.kind} cannot be raised or lowered")
            return []
        self.same_unit(node.place, place, node.by, by)
        return self._assign(place, self.fold(ir.Op("-" if node.down else "+", (place, by), place.kind)), node)

    def _mark(self, node: t.Mark, env: Env) -> list[ir.Stm]:
        place = self.place(node.place, env)
        if place is None:
            return []
        if place.kind.form == "flag":
            return self._assign(place, ir.Const(int(node.on), FLAG), node)
        if node.on or not place.kind.optional:
            self.fault("E309", node.place, f"{place.kind} cannot be {'marked' if node.on else 'cleared'}")
            return []
        return self._assign(place, ir.Const(ir.NONE, place.kind), node)

    # -------------------------------------------------------------------------------------------- money

    def _pay(self, node: t.Pay, env: Env) -> list[ir.Stm]:
        amount = self.exp(node.amount, env)
        if amount.kind.form != "number" or not amount.kind.name:
            if amount.kind.form == "number":
                self.fault(
                    "E301",
                    node.amount,
                    "a plain number is no money",
                    label="write its unit, such as `¥5` or `2 ap`",
                )
            else:
                self.mismatch(node.amount, amount.kind, number("money"))
            return []
        self.in_steps(node.amount, amount)
        unit = amount.kind.name
        source = self.purse(node.payer, unit, env, node)
        target = self.purse(node.taker, unit, env, node)
        if source is None or target is None:
            return []
        return [ir.Pay(source, target, amount, node.tail, unit, node.span)]

    # ------------------------------------------------------------------------------------------- pieces

    def _notes(self, node: t.Move, env: Env) -> tuple[tuple[Member, ir.Exp], ...]:
        made = []
        for name, value in node.notes:
            member = self.note_member(name)
            if member is None:
                self.faults.add("E210", node.span, f"no piece keeps a note `{name}`")
                continue
            made.append((member, self.exp(value, env, member.kind)))
        return tuple(made)

    def note_member(self, name: str) -> Member | None:
        for kind in self.world.kinds.values():
            member = kind.members.get(name)
            if member is not None and kind.root == "piece":
                return member
        return None

    def _side(self, node: t.Move) -> int | None:
        if node.side is None:
            return None
        sides = [s.side for s in self.world.sorts if s.side]
        if node.side not in sides:
            self.faults.add("E205", node.span, f"no piece has a side `{node.side}`")
            return None
        names = list(dict.fromkeys(sides))
        return names.index(node.side)

    def _move(self, node: t.Move, env: Env) -> list[ir.Stm]:
        target = self.zone(node.target, env)
        source = self.zones(node.source, env) if node.source is not None else None
        notes, side = self._notes(node, env), self._side(node)
        found = self.meaning(node.what, env)
        if isinstance(found, Several):
            wanted = source or Zones((target,), target.kind) if target is not None else None
            found = next(
                (m for m in found.meanings if wanted is not None and self.can_lie(m, wanted)),
                found.meanings[0],
            )
        if target is None or found is None or source is None and node.source is not None:
            return []
        if isinstance(found, Zones) and not node.every and self.holds_one(found.zones[0]):
            found = ir.Only(found.zones[0], self.world.element(found.kind.name))
        made = self._moved(node, found, source, target, side, notes, env)
        if source is not None and node.source is not None:
            self.check_source(node.source, found, source)
        self.check_target(node, found, target)
        return self.with_entry(made, target, env)

    def _moved(
        self,
        node: t.Move,
        found: Meaning,
        source: Zones | None,
        target: ir.Exp,
        side: int | None,
        notes: tuple[tuple[Member, ir.Exp], ...],
        env: Env,
    ) -> list[ir.Stm]:
        every, span = node.every, node.span
        match found:
            case AmountOf(amount=amount, what=SortNames(sorts=sorts)) if source is not None:
                return [ir.MoveSome(amount, sorts, source.zones, target, side, notes, span)]
            case AmountOf(amount=amount, what=Lying(sorts=sorts, zones=zones)):
                return [ir.MoveSome(amount, sorts, zones.zones, target, side, notes, span)]
            case AmountOf(amount=amount, what=Zones(zones=zones_, kind=kind)):
                return [ir.MoveSome(amount, ir.SortSet(self.all_sorts(kind)), zones_, target, side, notes, span)]
            case AmountOf(amount=amount, what=ir.Pieces(zones=zones_, sorts=sorts)):
                return [ir.MoveSome(amount, sorts, zones_, target, side, notes, span)]
            case AmountOf(amount=amount, what=what) if isinstance(what, ir.SET_CLASSES):
                return self._move_first(amount, what, target, side, notes, span)
            case Lying(sorts=sorts, zones=zones) if every:
                return [ir.MoveSome(None, sorts, zones.zones, target, side, notes, span)]
            case Zones(zones=zones_, kind=kind) if every:
                return [ir.MoveSome(None, ir.SortSet(self.all_sorts(kind)), zones_, target, side, notes, span)]
            case SortNames() if source is None and not every and (only := self.only_piece(found)) is not None:
                return [ir.MovePiece(only, target, side, notes, span)]
            case SortNames(sorts=sorts) if every and source is not None:
                return [ir.MoveSome(None, sorts, source.zones, target, side, notes, span)]
            case ir.Chosen() if not self._goes_at_once(found):
                return [ir.MoveSet(ir.Kept(found.picked, found.kind), target, side, notes, span)]
            case _ if isinstance(found, ir.SET_CLASSES):
                return [ir.MoveSet(found, target, side, notes, span)]
            case _ if isinstance(found, ir.EXP_CLASSES):
                piece = found
                if piece.kind.form in ("thing", "piece"):
                    self.is_there(node.what, piece.kind)
                    return [ir.MovePiece(piece, target, side, notes, span)]
                names = self.sort_names(piece)
                if names is not None and source is not None:
                    amount_ = None if every else ir.Const(1, NUMBER)
                    return [ir.MoveSome(amount_, names.sorts, source.zones, target, side, notes, span)]
        if isinstance(found, SortNames) and source is None and (pieces := self.pieces_of(found)):
            label = "name the piece: " + ", ".join(map(quote, pieces[:3])) + (", …" if len(pieces) > 3 else "")
            [sort] = found.sorts.sorts
            self.fault("E303", node.what, f"there are {len(pieces)} of the sort {self.world.sorts[sort].full_name}", label=label)
            return []
        self.fault(
            "E303",
            node.what,
            f"{self.describe(found)} cannot be moved",
            label="say how many, of which sort, and from where" if source is None else "pieces are needed",
        )
        return []

    def _goes_at_once(self, chosen: ir.Chosen) -> bool:
        """Whether a lot that was chosen is told by its counts: of pieces that are counted, whatever else is asked of them."""
        element = chosen.kind.of
        ids = self.world.categories.get(element.name, ()) if element is not None else ()
        return bool(ids) and not any(self.world.sorts[i].individual for i in ids)

    def _move_first(
        self,
        amount: ir.Exp,
        inner: ir.Set,
        target: ir.Exp,
        side: int | None,
        notes: tuple[tuple[Member, ir.Exp], ...],
        span: Span,
    ) -> list[ir.Stm]:
        """So many out of a set, which is taken once: as long as some are still to come. That too few are there is a
        fault, like that one is not there."""
        piece, left = ir.Var("piece", inner.kind.of or NUMBER), ir.Var("still to move", NUMBER)
        nobody = ir.Const(ir.NONE, maybe(piece.kind))
        more = ir.Op(">", (ir.Use(left, NUMBER), ir.Const(0, NUMBER)), FLAG)
        one_less = ir.Op("-", (ir.Use(left, NUMBER), ir.Const(1, NUMBER)), NUMBER)
        one = ir.Block((ir.MovePiece(ir.Use(piece, piece.kind), target, side, notes, span), ir.Assign(left, one_less, span)))
        too_few = ir.Block((ir.MovePiece(nobody, target, side, (), span),))
        return [
            ir.Assign(left, amount, span),
            ir.For(piece, inner, False, ir.Block((ir.If(more, one, NO_BLOCK, span),)), span),
            ir.If(more, too_few, NO_BLOCK, span),
        ]

    def check_source(self, node: t.Expr, found: Meaning, source: Zones) -> None:
        what = found.what if isinstance(found, AmountOf) else found
        if isinstance(what, SortNames) and not self.may_hold(what.sorts, source):
            self.never_there(node, source, set(what.sorts.sorts), self.called(what))

    def check_target(self, node: t.Move | t.Draw, found: Meaning, target: ir.Exp) -> None:
        if isinstance(found, AmountOf) and isinstance(found.what, SortNames | Zones | Lying):
            found = found.what
        ids: set[int] = set()
        if isinstance(found, SortNames | Lying):
            ids = set(found.sorts.sorts)
        elif isinstance(found, ir.EXP_CLASSES):
            ids = set(self.world.categories.get(found.kind.name, ()))
        allowed = self.held_in(target)
        if ids and (allowed or isinstance(target, ir.ZoneAt) and target.member.own) and not ids & allowed:
            if not self.faults.told_within(node.span):
                self.takes_none(node.target, target, ids, self.called(found))

    def with_entry(self, made: list[ir.Stm], target: ir.Exp, env: Env) -> list[ir.Stm]:
        """A board that comes into play is set up at once, as one effect."""
        if not isinstance(target, ir.ZoneAt) or "in_play" not in target.member.words:
            return made
        done: list[ir.Stm] = []
        for statement in made:
            done.extend(self.entering(statement, target, env))
        return done

    def entering(self, statement: ir.Stm, target: ir.ZoneAt, env: Env) -> list[ir.Stm]:
        kind = Kind("thing", target.kind.name)
        board = ir.Var("entering", kind)
        use = ir.Use(board, kind)
        match statement:
            case ir.MovePiece(piece=piece, span=span):
                return [
                    ir.Assign(board, piece, span),
                    entry(ir.MovePiece(use, target, None, (), span), *self.set_up(use, env)),
                ]
            case ir.MoveSet(set=inner, span=span):
                body = ir.Block((entry(ir.MovePiece(use, target, None, (), span), *self.set_up(use, env)),))
                return [ir.For(board, inner, False, body, span)]
            case ir.MoveSome(amount=amount, sorts=sorts, sources=sources, span=span):
                inner = ir.Pieces(sources, sorts, set_of(kind))
                body = ir.Block((entry(ir.MovePiece(use, target, None, (), span), *self.set_up(use, env)),))
                if amount is None:
                    return [ir.For(board, inner, False, body, span)]
                first = ir.Assign(board, first_in(inner), span)
                return [ir.Repeat(amount, None, ir.Block((first, *body.body)), span)]
            case ir.Draw(amount=amount, span=span):
                var = statement.var or board
                one = ir.Draw(
                    ir.Const(1, NUMBER),
                    statement.sorts,
                    statement.source,
                    target,
                    statement.refill,
                    statement.ordered,
                    var,
                    statement.hidden,
                    span,
                )
                came = ir.Op("!=", (ir.Use(var, maybe(kind)), ir.Const(-1, kind)), FLAG)
                setup = ir.If(came, ir.Block(tuple(self.set_up(ir.Use(var, kind), env))), NO_BLOCK, span)
                if isinstance(amount, ir.Const) and amount.value == 1:
                    return [entry(one, setup)]
                return [ir.Repeat(amount, None, ir.Block((entry(one, setup),)), span)]
        return [statement]

    def set_up(self, board: ir.Exp, env: Env) -> list[ir.Stm]:
        raise AssertionError

    def _draw(self, node: t.Draw, env: Env) -> list[ir.Stm]:
        source, target = self.zone(node.source, env), self.zone(node.target, env)
        found = self.meaning(node.what, env)
        if source is None or target is None or found is None:
            return []
        if isinstance(found, AmountOf) and isinstance(found.what, SortNames):
            amount, sorts = found.amount, found.what.sorts
        elif isinstance(found, AmountOf) and isinstance(found.what, Zones | Lying):
            amount, sorts = found.amount, ir.SortSet(self.all_sorts(source.kind))
        else:
            self.fault("E303", node.what, f"{self.describe(found)} cannot be drawn", label="like `3 cards`")
            return []
        self.check_source(node.source, found, Zones((source,), source.kind))
        self.check_target(node, found, target)
        member = source.member if isinstance(source, ir.ZoneAt) else None
        var = None
        if node.name is not None:
            kind = maybe(self.element_of_sorts(sorts, target.kind))
            var = ir.Var(node.name, kind)
            env.names[node.name] = ir.Use(var, kind)  # none, where nothing was left
        refill = None
        if member is not None and "refills" in member.words:
            zone = self.world.table.get(member.words["refills"].name or "")
            refill = ir.ZoneAt(zone, (), zone.kind) if zone is not None else None
        ordered = member is not None and "ordered" in member.words
        made = ir.Draw(amount, sorts, source, target, refill, ordered, var, False, node.span)
        if isinstance(target, ir.ZoneAt) and "in_play" in target.member.words:
            return self.entering(made, target, env)
        return [made]

    def _pick(self, node: t.Pick, env: Env) -> list[ir.Stm]:
        inner = self.set(node.domain, env)
        var = ir.Var(node.name, maybe(inner.kind.of or NUMBER))
        env.names[node.name] = ir.Use(var, var.kind.plain)
        return [ir.Pick(var, inner, node.span)]

    def _roll(self, node: t.Roll, env: Env) -> list[ir.Stm]:
        inner = self.span(node.low, node.high, None, env)
        var = ir.Var(node.name, inner.kind.of or NUMBER)
        env.names[node.name] = ir.Use(var, var.kind)
        return [ir.Pick(var, inner, node.span)]

    # ---------------------------------------------------------------------------------------- decisions

    def _chooser(self, chooser: t.Expr | None, node: t.Statement, env: Env) -> ir.Exp:
        return self.certain(self.exp(chooser, env, SEAT)) if chooser is not None else self.me(t.Name(node.span, "me"), env)

    def _prompt(self, ask: t.Ask, name: str, env: Env) -> ir.Label:
        return self.label(ask.words, env) if ask.words is not None else self.words(f"Choose: {name.replace('_', ' ')}")

    def decide(
        self,
        name: str,
        seat: ir.Exp,
        prompt: ir.Label,
        options: list[ir.Option],
        otherwise: ir.Block | None,
        env: Env,
        span: object,
        menu: bool = False,
    ) -> ir.Decide:
        return ir.Decide(name, seat, prompt, options, otherwise, env.secret, False, menu, cast("Span | None", span))

    def _choose_one(self, node: t.ChooseOne, env: Env) -> list[ir.Stm]:
        seat = self._chooser(node.chooser, node, env)
        inner = self.set(node.domain, env)
        return self._choose(node, seat, inner, env)

    def _choose_number(self, node: t.ChooseNumber, env: Env) -> list[ir.Stm]:
        seat = self._chooser(node.chooser, node, env)
        offered = self.span(node.low, node.high, node.step, env)
        if node.step is None:
            self.in_steps(node.low, offered.low)
            self.in_steps(node.high, offered.high)
        return self._choose(node, seat, offered, env)

    def _choose(self, node: t.ChooseOne | t.ChooseNumber, seat: ir.Exp, inner: ir.Set, env: Env) -> list[ir.Stm]:
        prompt = self._prompt(node.ask, node.name, env)
        var = ir.Var(node.name, inner.kind.of or NUMBER, per_seat=env.secret)
        self.answering |= {var} if env.secret else set()
        inside = env.inner() if node.body is not None else env
        inside.names[node.name] = ir.Use(var, var.kind)
        test, place = None, None
        if isinstance(node, t.ChooseOne) and node.where is not None:
            test, place = self.cond(node.where, inside), node.where.span
            narrow(self.world, node.where, inside)
        body = self.body(node.body.body, inside) if node.body is not None else NO_BLOCK
        otherwise = self.block(node.otherwise, env) if node.otherwise is not None else None
        label = ir.Label((ir.Use(var, var.kind),))
        option = ir.Option(
            node.name,
            node.ask.key or node.name,
            label,
            (ir.Bind(var, inner, test, place),),
            (),
            None,
            body,
            f"{self.setting.name}.{node.name}",
            span=node.span,
        )
        return [self.decide(node.name, seat, prompt, [option], otherwise, env, node.span)]

    def _choose_some(self, node: t.ChooseSome, env: Env) -> list[ir.Stm]:
        seat = self._chooser(node.chooser, node, env)
        inner = self.set(node.domain, env)
        prompt = self._prompt(node.ask, node.name, env)
        if node.where is not None:
            it = ir.Var(node.name, inner.kind.of or NUMBER)
            inside = env.with_names(**{node.name: ir.Use(it, it.kind)})
            test = self.cond(node.where, inside)
            narrow(self.world, node.where, inside)
            inner = ir.Filtered(inner, it, test, self.kind_of_those(inner, inside.names[node.name]))
        bag = ir.Var(node.name, inner.kind, width=len(self.world.sorts))
        parts = self.bag_words(node, bag, inner, env)
        inside = env.inner() if node.body is not None else env
        chosen = ir.Chosen(bag, inner.kind, ir.Var(f"{node.name} one by one", inner.kind))
        inside.names[node.name] = chosen
        body = self.body(node.body.body, inside) if node.body is not None else NO_BLOCK
        otherwise, over = None, f"choose {node.name}"
        if node.otherwise is not None:  # then what is done with the pieces is not done
            otherwise = ir.Block((*self.block(node.otherwise, env).body, ir.Leave(over, node.span)))
        key = node.ask.key or node.name
        choose = ir.ChooseSome(key, seat, prompt, bag, inner, *parts, otherwise, False, node.span)
        made = (choose, ir.KeepSet(chosen.picked, chosen, node.span), *body.body)
        return [ir.Named(over, ir.Block(made))] if otherwise is not None else list(made)

    def bag_words(self, node: t.ChooseSome, bag: ir.Var, inner: ir.Set, env: Env) -> BagConditions:
        """The closed list of conditions on a bag."""
        least = most = step = worth_least = worth_most = None
        different: tuple[int, ...] | None = None
        worth: ir.ValueRef | None = None
        worth_args: tuple[ir.Exp, ...] = ()
        for word in node.words:
            match word.what:
                case "least":
                    least = self.exp(cast(t.Expr, word.arg), env, NUMBER)
                case "most":
                    most = self.exp(cast(t.Expr, word.arg), env, NUMBER)
                case "steps":
                    step = self.exp(cast(t.Expr, word.arg), env, NUMBER)
                case "different":
                    different = self._shapes(word)
                case _:
                    worth, worth_args, kind = self._worth(word, inner, env)
                    limit = self.exp(cast(t.Expr, word.arg), env, kind)
                    if word.what == "worth":
                        worth_least = limit
                    else:
                        worth_most = limit
        return least, most, step, different, worth, worth_args, worth_least, worth_most

    def _shapes(self, word: t.BagWord) -> tuple[int, ...] | None:
        families = self.world.sort_fields.get(word.by or "")
        if families is None:
            self.faults.add("E210", word.span, f"no piece has a `{word.by}`")
            return None
        said = {id: value for field_ in families.values() for id, value in field_.values.items() if value != ir.NONE}
        return tuple(cast(int, said.get(s.id, -1 - s.id)) for s in self.world.sorts)

    def _worth(self, word: t.BagWord, inner: ir.Set, env: Env) -> tuple[ir.ValueRef | None, tuple[ir.Exp, ...], Kind]:
        """`by V`: V(n, sort, me) is what n pieces of a sort are worth; a lot is worth the sum over its sorts."""
        definition = self.definitions.get(word.by or "")
        if definition is None or definition.what != "value":
            self.faults.add("E205", word.span, f"no value is called `{word.by}`")
            return None, (), NUMBER
        forms = [self.param_kind(p).form for p in self.params_of(definition)]
        if forms[:2] != ["number", "sort"] or len(forms) > 3:
            self.faults.add(
                "E310",
                word.span,
                f"`{word.by}` cannot measure a lot",
                label="it must take a number, a sort and perhaps a seat",
                second=(definition.span, "declared here"),
            )
            return None, (), NUMBER
        ref = self.value_ref(definition)
        here = t.Name(word.span, "me")
        args: tuple[ir.Exp, ...] = (self.me(here, env),) if len(forms) == 3 else ()
        if definition.needs_me:
            args = (self.me(here, env), *args)
        return ref, args, definition.result or NUMBER

    def _may(self, node: t.May, env: Env) -> list[ir.Stm]:
        me = self.me(t.Name(node.span, "me"), env)
        prompt = self._prompt(node.ask, node.name, env)
        key = node.ask.key or node.name
        tests: list[ir.Require] = []
        if node.when is not None:
            tests.append(ir.Require(self.cond(node.when, env), None, f"{node.name}: when", node.when.span))
        before: ir.Block = NO_BLOCK
        if node.cost is not None:
            cost_tests, before = self.cost(node.cost, env)
            tests.extend(cost_tests)
        inside = env.inner()
        if node.when is not None:
            narrow(self.world, node.when, inside)
        inside.done.extend(before.body)
        body = ir.Block((*before.body, *self.body(node.body.body, inside).body))
        otherwise = self.block(node.otherwise, env) if node.otherwise is not None else NO_BLOCK
        rule = f"{self.setting.name}.{node.name}"
        take = ir.Option(node.name, f"{key}/take", prompt, (), tuple(tests), None, body, rule, span=node.span)
        decline = ir.Option(
            "decline",
            f"{key}/decline",
            self.words("No"),
            (),
            (),
            None,
            otherwise,
            f"{rule}.decline",
            span=node.span,
        )
        decide = self.decide(node.name, me, prompt, [take, decline], None, env, node.span)
        decide.only_choice = node.only_choice
        return [decide]

    def menu(self, node: t.Menu, env: Env) -> list[ir.Stm]:
        raise AssertionError

    def menu_path(self, node: t.Expr, env: Env) -> tuple[str, MenuRef | None]:
        if isinstance(node, t.Name):
            return node.name, None
        found = self.meaning(node, env)
        if isinstance(found, MenuRef):
            return found.name, found
        if found is not None:
            self.fault("E302", node, f"{self.describe(found)} is no menu")
        return "", None

    def _secretly(self, node: t.Secretly, env: Env) -> list[ir.Stm]:
        if env.secret:
            self.faults.add("E503", node.span, "secret blocks do not nest")
        seats = self.set(node.seats, env, SEAT)
        me = ir.Var(node.name, SEAT)
        inside = env.inner(me=ir.Use(me, SEAT), secret=True)
        inside.names[node.name] = ir.Use(me, SEAT)
        before = dict(inside.names)
        body = self.body(node.body.body, inside)
        self.answering = frozenset()
        for name, bound in inside.names.items():
            if bound is not before.get(name) and isinstance(bound, ir.Use) and bound.var.per_seat:
                env.names[name] = ir.Use(bound.var, bound.var.kind)
        return [ir.Secret(node.name, me, seats, body, node.span)]

    # ---------------------------------------------------------------------------------------- the course

    def demand(self, node: t.Require, env: Env) -> ir.Require:
        reason = self.label(node.reason, env) if node.reason is not None else None
        demand = ir.Require(self.cond(node.condition, env), reason, f"{self.setting.name}: require", node.span)
        narrow(self.world, node.condition, env)
        return demand

    def _leave(self, node: t.Leave) -> list[ir.Stm]:
        name = node.what
        if name not in self.setting.open_blocks:
            self.faults.add(
                "E212",
                node.span,
                f"`{name}` is not running here",
                notes=("running here: " + (", ".join(self.setting.open_blocks) or "nothing that can be left"),),
            )
            return []
        return [ir.Leave(name, node.span)]

    def _give(self, node: t.Give, env: Env) -> list[ir.Stm]:
        if self.setting.gives is not None:
            if len(node.values) != 1:
                self.faults.add("E211", node.span, "a value gives one thing")
            return [ir.GiveBack((self.exp(node.values[0], env, self.setting.gives),), node.span)]
        if len(node.values) != len(self.setting.results):
            self.faults.add(
                "E211",
                node.span,
                f"{len(self.setting.results)} values are given back here, not {len(node.values)}",
            )
            return []
        values = tuple(self.exp(v, env, r.kind) for v, r in zip(node.values, self.setting.results, strict=True))
        return [ir.GiveBack(values, node.span)]

    def ending(self, name: str) -> int:
        if name not in self.world.endings:
            self.world.endings = (*self.world.endings, name)
        return self.world.endings.index(name)

    def _do(self, node: t.Do, env: Env) -> list[ir.Stm]:
        ref, args = self.procedure_call(node.call, env)
        if ref is None:
            return []
        return [ir.Perform(ref, args, (), node.span)]

    def procedure_call(self, node: t.Expr, env: Env) -> tuple[ir.ProcRef | None, tuple[ir.Exp, ...]]:
        raise AssertionError

    def tells_unknown(self, node: t.Expr, env: Env) -> bool:
        """Whether a sentence is a name that is nowhere, such as `return`: then that is what is told."""
        what = node.what if isinstance(node, t.Call) else node
        if not isinstance(what, t.Name) or what.name in self.definitions or what.name in env.names:
            return False
        self.procedure_call(node, env)
        return True

    def _if(self, node: t.If, env: Env) -> list[ir.Stm]:
        after = env.inner()
        tests: list[tuple[ir.Exp, ir.Block, t.Expr]] = []
        for condition, block in node.branches:
            test = self.cond(condition, after)
            inside = after.inner()
            narrow(self.world, condition, inside)
            tests.append((test, self.body(block.body, inside), condition))
            narrow(self.world, condition, after, False)
        otherwise = self.block(node.otherwise, after) if node.otherwise is not None else NO_BLOCK
        for test, yes, condition in reversed(tests):
            if isinstance(test, ir.Const):
                otherwise = yes if test.value else otherwise
            else:
                otherwise = ir.Block((ir.If(test, yes, otherwise, condition.span),))
        if len(node.branches) == 1 and node.otherwise is None and tests and _leaves(tests[0][1]):
            narrow(self.world, node.branches[0][0], env, False)
        return list(otherwise.body)

    def _for_each(self, node: t.ForEach, env: Env) -> list[ir.Stm]:
        around = env.inner()
        again = enter_loop(around)
        var, domain, inside = self.bind(node.binder, around)
        if node.keys:
            domain = self.ordered(domain, var, node.keys, inside)
        body = self.loop(node.body, inside, again)
        return [ir.For(var, domain, node.random, body, node.span)]

    def _repeat(self, node: t.Repeat, env: Env) -> list[ir.Stm]:
        times = self.exp(node.times, env, NUMBER)
        inside = env.inner()
        again = enter_loop(inside)
        test = None
        if node.condition is not None:
            test = self.cond(node.condition, inside)
            narrow(self.world, node.condition, inside)
        return [ir.Repeat(times, test, self.loop(node.body, inside, again), node.span)]

    def _take_turns(self, node: t.TakeTurns, env: Env) -> list[ir.Stm]:
        me = ir.Var("me", SEAT)
        inside = env.inner(me=ir.Use(me, SEAT))
        again = enter_loop(inside)
        until = self.cond(node.until, inside)
        narrow(self.world, node.until, inside, False)
        ending = self.ending(node.ending) if node.ending else None
        most = self.exp(node.most, env, NUMBER)
        return [
            ir.Turns(
                me,
                self.exp(node.first, env, SEAT),
                until,
                most,
                ending,
                self.loop(node.body, inside, again),
                node.span,
            )
        ]


def entry(*moves: ir.Stm) -> ir.Named:
    """A board that comes into play, its setup included: one effect."""
    return ir.Named(ENTRY, ir.Block(moves))


def _always_gives(block: ir.Block) -> bool:
    for statement in block.body:
        if isinstance(statement, ir.GiveBack):
            return True
        if isinstance(statement, ir.If) and _always_gives(statement.yes) and _always_gives(statement.no):
            return True
    return False


def _leaves(block: ir.Block) -> bool:
    return bool(block.body) and isinstance(block.body[-1], ir.GiveBack | ir.Leave)


def defined(definition: Definition) -> str:
    return definition.name
