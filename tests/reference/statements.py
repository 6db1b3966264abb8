"""Statements, each performed as it stands; whoever must be asked is asked by yielding."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.decisions import Choice, Further, Left, Question
from tests.reference.env import Env
from tests.reference.expressions import Given
from tests.reference.menus import Menus
from tests.reference.pieces import Course, Unmet
from tests.reference.values import (
    Amount,
    AmountOf,
    Bag,
    Indexed,
    Items,
    Lying,
    PerSeat,
    Piece,
    Promised,
    RulesWrong,
    Several,
    Sorts,
    Value,
    Word,
    Zones,
    bare,
    minus,
    plus,
    unit_of,
)
from tests.reference.world import Member, Seat, Sort, Thing, Zone


class Statements(Menus):
    """Performs blocks."""

    def run(self, block: t.Block, env: Env) -> Course:
        """A block has names of its own."""
        yield from self.body(block.body, env.inner())

    def body(self, statements: tuple[t.Statement, ...], env: Env) -> Course:
        for statement in statements:
            course = getattr(self, "do_" + type(statement).__name__)(statement, env)
            if course is not None:
                yield from course

    # --------------------------------------------------------------------------------------- local names

    def name_it(self, env: Env, name: str, value: Value) -> None:
        self.state.put(env.names, name, value)

    def do_Let(self, s: t.Let, env: Env) -> Course:
        """A name for a value or a set, taken now; a zone's name stands for the zone. Or for what a procedure gives."""
        call = self.procedure_called(s.value, env)
        if call is not None:
            given = yield from self.perform(*call)
            for name, value in zip(s.names, given, strict=True):
                self.name_it(env, name, value)
            return
        value = self.ev(s.value, env)
        if isinstance(value, Several):
            value = self.single(value)
        if isinstance(value, Lying) or isinstance(value, Zones) and len(value.zones) != 1:
            value = self.items_of(value)
        elif isinstance(value, Zones):
            (value,) = value.zones
        elif isinstance(value, Sorts):
            value = self.one_sort(value)
        self.name_it(env, s.names[0], value)

    @abstractmethod
    def best_tells(self, s: t.LetBest) -> bool:
        ...

    def do_LetBest(self, s: t.LetBest, env: Env) -> Course:
        """The one with the best value; of equals the first, one by chance, or whom a seat chooses."""
        best = self.best(s.key, s.binder, self.items(s.domain, env), env)
        if s.tie == "first":
            self.name_it(env, s.name, next((v for v, n in best.items if n), None))
            return
        if s.tie == "random":
            self.name_it(env, s.name, self.picked(best, s.name))
            return
        assert s.judge is not None
        seat = self.seat(s.judge, env)
        values = self.offered(best)
        question = Question("tie", seat, env.path, skip=not self.best_tells(s), secret=env.secret, env=env)
        key = s.ask.key or "tie" if s.ask is not None else "tie"
        choices = [Choice(f"{key}/{self.spelled(value)}", number=place) for place, value in enumerate(values)]
        choice = yield from self.decide(question, iter(choices), None)
        assert choice is not None
        self.name_it(env, s.name, values[choice.number])

    def do_Remember(self, s: t.Remember, env: Env) -> None:
        """A memory of this rule."""
        if s.default is not None:
            value = self.as_written(s.type, self.ev(s.default, env))
        else:
            value = self.world.nothing_of(s.type)
            value = self.world.word("_or_".join(s.type.values), s.type.values[0]) if s.type.values else value
        self.name_it(env, s.name, self.remembered(s, value))

    def remembered(self, s: t.Remember | t.Flag, value: Value) -> Value:
        if not s.index:
            return value
        return Indexed(s.name, value, tuple(self.param_type(param) for param in s.index))

    def do_Flag(self, s: t.Flag, env: Env) -> None:
        value = s.start is not None and self.truth(s.start, env)
        self.name_it(env, s.name, self.remembered(s, value))

    # --------------------------------------------------------------------------------- counters and memories

    def do_SetTo(self, s: t.SetTo, env: Env) -> None:
        value = self.ev(s.value, env)
        self.write(s.place, env, lambda old: self.like(old, value))

    def like(self, old: Value, value: Value) -> Value:
        """What is set is of the kind that was there before."""
        if isinstance(old, Word) and isinstance(value, Several):
            return next(m for m in value.meanings if isinstance(m, Word) and m.enum == old.enum)
        if isinstance(value, Several | Sorts):
            return value
        return self.single(value, "piece" if isinstance(value, Zone | Lying) else "")

    def do_Raise(self, s: t.Raise, env: Env) -> None:
        by = self.number(s.by, env)
        self.write(s.place, env, lambda old: minus(old, by) if s.down else plus(old, by))

    def do_Mark(self, s: t.Mark, env: Env) -> None:
        """A flag is set or cleared; what may be none is cleared to none."""

        def make(old: Value) -> Value:
            if isinstance(old, bool):
                return s.on
            if s.on:
                raise RulesWrong(f"{old} cannot be marked")
            return None

        self.write(s.place, env, make)

    # -------------------------------------------------------------------------------------------- money

    def do_Pay(self, s: t.Pay, env: Env) -> None:
        amount = self.number(s.amount, env)
        if not unit_of(amount) and bare(amount):
            raise RulesWrong("a plain number is no money")
        if unit_of(amount):
            source = self.paid_out_of(s, unit_of(amount), env)
            if source[0] is None and bare(amount):
                raise RulesWrong("nothing has been set aside yet")
            if source[0] is None:
                return
            target = self.purse_at(s.taker, unit_of(amount), env)
            if s.tail == "in_full" and source[0].promise and bare(self.state.get(source)) < bare(amount):
                raise RulesWrong(f"{amount} is more than was set aside")
            self.transfer(source, target, amount, s.tail)
            self.effect()

    def paid_out_of(self, s: t.Pay, unit: str, env: Env) -> tuple[Member, Any, tuple[Value, ...]]:
        """The payer's purse, another, or what the payer has set aside under a name."""
        if s.purse is None:
            return self.purse_at(s.payer, unit, env)
        promise = env.find(s.purse.name)[1] if isinstance(s.purse, t.Name) else None
        if isinstance(promise, Promised) and s.payer is not None:
            return promise.purse, self.seat(s.payer, env), ()
        return self.purse_at(s.purse, unit, env)

    def do_SetAside(self, s: t.SetAside, env: Env) -> None:
        """Out of a seat's purse, into the purse that the rule has for this seat: as visible, and as much a requirement."""
        amount = self.number(s.amount, env)
        source = self.purse_at(s.source or t.Name(s.span, "me"), unit_of(amount), env)
        promise = env.find(s.name)[1]
        promise.origin = source[0]
        promise.purse = self.purse_of_rule(promise, source[0])
        self.cover_set_aside(promise.purse)
        self.transfer(source, (promise.purse, source[1], ()), amount, "in_full")
        self.effect()

    def purse_of_rule(self, promise: Promised, origin: Member) -> Member:
        name = f"{promise.rule} {promise.name}"
        if name in self.placed["seat"] and self.placed["seat"][name].unit != origin.unit:
            name = f"{name} in {origin.unit}"
        if name not in self.placed["seat"]:
            made = Member(name, "seat", "purse", origin.decl, unit=origin.unit, words=origin.words, promise=True, aside=promise.name)
            self.placed["seat"][name] = made
        member = self.placed["seat"][name]
        for seat in self.world.seats:
            self.state.cells.setdefault((member, seat, ()), Amount(0, origin.unit))
        return member

    @abstractmethod
    def cover_new(self, member: Member, seats: list[Seat], before: Value) -> None:
        ...

    # -------------------------------------------------------------------------------------------- pieces

    def do_Move(self, s: t.Move, env: Env) -> Course:
        """Pieces go to a zone one after the other, each a single effect."""
        target = self.zone_of(s.target, env)
        source = Zones(self.zones_of(s.source, env)) if s.source is not None else None
        what = self.ev(s.what, env)
        notes = {name: self.single(self.ev(value, env)) for name, value in s.notes}
        if isinstance(what, Several):
            place = source or Zones((target,))
            what = next((m for m in what.meanings if self.can_lie(m, place)), what.meanings[0])
        if isinstance(what, Zone) and not s.every and self.holds_one(what):
            what = self.only(what)
        for piece in self.moved(what, s.every, source):
            yield from self.take(piece, target, s.side, notes, env)
            self.effect()

    def moved(self, what: Value, every: bool, source: Zones | None) -> list[Value]:
        """Which pieces go: so many of them, all, or this one."""
        if isinstance(what, Sort):
            what = Sorts((what,), what.family)
        if source is None and self.the_only(what) is not None:
            what = self.the_only(what)
        match what:
            case AmountOf(amount=amount, what=inner):
                there = self.there(inner, source).each()
                if len(there) < amount:
                    raise RulesWrong("there are not enough pieces to move")
                return there[: max(amount, 0)]
            case Sorts() if not every:
                return self.moved(AmountOf(1, what), False, source)
            case Sorts() | Lying() | Zone() | Zones() | Items() | Bag():
                return self.there(what, source).each()
        return [what]

    def there(self, what: Value, source: Zones | None) -> Items:
        if isinstance(what, Sorts):
            if source is None:
                raise RulesWrong("it is not said from where these are moved")
            return self.pieces(source.zones, what.sorts)
        return self.items_of(what)

    def do_Draw(self, s: t.Draw, env: Env) -> Course:
        """One by one at random; from an ordered zone the first. What is not there is not drawn."""
        source, target = self.zone_of(s.source, env), self.zone_of(s.target, env)
        what = self.ev(s.what, env)
        if not isinstance(what, AmountOf):
            raise RulesWrong(f"{what} cannot be drawn")
        sorts = what.what.sorts if isinstance(what.what, Sorts) else tuple(self.held(source))
        come: Value = None
        for _ in range(what.amount):
            there = self.pieces((source,), sorts).items
            if not there and "refills" in source.member.words:
                back = self.zone(self.placed["table"][source.member.words["refills"].name or ""], self.world.table, ())
                for piece in self.pieces((back,), sorts).each():
                    self.put(piece, source, None, {})
                there = self.pieces((source,), sorts).items
            if not there:
                break
            if "ordered" in source.member.words:
                piece = there[0][0]
            else:
                place = self.chance([v for v, _ in there], [n for _, n in there], "draw", target)
                piece = there[place][0]
            come = self.put(piece, target, None, {})
            if "in_play" in target.member.words and isinstance(piece, Thing):
                yield from self.perform_setup(piece, env)
            self.effect()
        if s.name is not None:
            self.name_it(env, s.name, come)

    def do_Pick(self, s: t.Pick, env: Env) -> None:
        self.name_it(env, s.name, self.picked(self.items(s.domain, env), s.name))

    def picked(self, items: Items, name: str) -> Value:
        values = items.each()
        if not values:
            raise RulesWrong("there is nothing to pick from")
        return values[self.chance(values, [1] * len(values), name, None)]

    def do_Roll(self, s: t.Roll, env: Env) -> None:
        self.name_it(env, s.name, self.picked(self.span(s.low, s.high, None, env), s.name))

    def do_Shuffle(self, s: t.Shuffle, env: Env) -> None:
        zone = self.zone_of(s.zone, env)
        values = self.shuffled(self.pieces((zone,)).different(), "order")
        for rank, value in enumerate(values):
            if isinstance(value, Thing):
                self.state.set((value, "rank"), rank)
        self.effect()

    def shuffled(self, values: list[Value], name: str) -> list[Value]:
        """In any order: the first of them by chance, then the next."""
        made = list(values)
        for i in range(len(made) - 1):
            j = i + self.chance(made[i:], [1] * (len(made) - i), name, None)
            made[i], made[j] = made[j], made[i]
        return made

    # --------------------------------------------------------------------------------------- small ones

    def do_Reveal(self, s: t.Reveal, env: Env) -> None:
        self.reveal(s.place, env)

    @abstractmethod
    def chance(self, values: Sequence[Value], weights: Sequence[int], what: str, target: Zone | None) -> int:
        """A chance event: which of these it was."""

    @abstractmethod
    def reveal(self, place: t.Expr, env: Env) -> None:
        ...

    def do_Require(self, s: t.Require, env: Env) -> None:
        if not self.truth(s.condition, env):
            raise Unmet(s.condition.span.text)

    def do_Leave(self, s: t.Leave, env: Env) -> None:
        raise Left(s.what)

    def do_Nothing(self, s: t.Nothing, env: Env) -> None:
        pass

    def do_Give(self, s: t.Give, env: Env) -> None:
        raise Given([self.given(self.ev(value, env)) for value in s.values])

    def given(self, value: Value) -> Value:
        return self.one_sort(value) if isinstance(value, Sorts) else value

    def do_Score(self, s: t.Score, env: Env) -> None:
        """A line of the score of whoever is `me`; the total is the sum of all."""
        seat, value = self.me(env), bare(self.number(s.value, env))
        self.log.append({"event": "score", "seat": seat.number, "value": value, "audience": "all"})
        self.state.set(("score", seat), int(self.state.get(("score", seat))) + value)

    def do_Ending(self, s: t.Ending, env: Env) -> None:
        self.state.set("ending", s.name)

    def do_Tell(self, s: t.Tell, env: Env) -> None:
        """A line of the log, for all or for some; nothing is told of what is only tried."""
        if self.state.trying:
            return
        audience: object = "all"
        if s.audience is not None:
            heard = [seat.number for seat in self.hearers(s.audience, env)]
            audience = heard[0] if len(heard) == 1 else heard or "nobody"
        said = {" ".join(part.span.text.split()): part for part in s.words.parts if not isinstance(part, str)}
        values = [self.told(part, env) for part in said.values()]
        self.log.append({"event": "tell", "values": values, "audience": audience})

    def hearers(self, audience: t.Expr, env: Env) -> list[Seat]:
        """One seat or several, each once."""
        value = self.ev(audience, env)
        if isinstance(value, Seat) or value is None:
            return [] if value is None else [value]
        return list(dict.fromkeys(seat for seat, _ in self.items_of(value).items if seat is not None))

    def told(self, part: t.Expr, env: Env) -> object:
        """A value as a program reads it; nothing where it cannot be worked out."""
        try:
            value = self.ev(part, env)
        except RulesWrong:
            return None
        if isinstance(value, Items | Lying | Zones | Bag):
            return [self.shown(one) for one in self.items_of(value).each()]
        return self.shown(value)

    @abstractmethod
    def shown(self, value: Value) -> Any:
        ...

    def do_Record(self, s: t.Record, env: Env) -> None:
        """Nobody at the table hears of it."""

    def do_Do(self, s: t.Do, env: Env) -> Course:
        if isinstance(s.call, t.Name) and s.call.name == "original" and callable(env.original):
            yield from env.original()
            return
        call = self.procedure_called(s.call, env)
        if call is None:
            raise RulesWrong(f"{s.call} is no procedure")
        yield from self.perform(*call)

    # -------------------------------------------------------------------------------------- the course

    def do_If(self, s: t.If, env: Env) -> Course:
        for condition, block in s.branches:
            if self.truth(condition, env):
                yield from self.run(block, env)
                return
        if s.otherwise is not None:
            yield from self.run(s.otherwise, env)

    def do_ForEach(self, s: t.ForEach, env: Env) -> Course:
        """The list is taken, and put in order, before the first pass."""
        items = self.binding(s.binder, env)
        if s.keys:
            items = self.ordered(s.keys, s.binder.name, items, env)
        values = self.shuffled(items.each(), s.binder.name) if s.random else items.each()
        for value in values:
            yield from self.run(s.body, env.inner(**{s.binder.name: value}))

    def do_Repeat(self, s: t.Repeat, env: Env) -> Course:
        for _ in range(self.plain(s.times, env)):
            if s.condition is not None and not self.truth(s.condition, env):
                break
            yield from self.run(s.body, env)

    def do_TakeTurns(self, s: t.TakeTurns, env: Env) -> Course:
        """Round the table until the condition holds, looked at before each turn for whose turn it would be."""
        inside, played = env.inner(), 0
        inside.me = self.seat(s.first, env)
        while not self.truth(s.until, inside):
            if played >= self.plain(s.most, env):
                if s.ending is not None:
                    self.state.set("ending", s.ending)
                return
            played += 1
            yield from self.run(s.body, inside)
            inside.me = (self.seats_from(inside.me) * 2)[1]

    def do_OneTurnEach(self, s: t.OneTurnEach, env: Env) -> Course:
        for seat in self.seats_from(self.seat(s.first, env)):
            yield from self.do_as(seat, s.body, env)

    def do_as(self, seat: Seat, block: t.Block, env: Env) -> Course:
        inside = env.inner()
        inside.me = seat
        yield from self.run(block, inside)

    def do_AsSeat(self, s: t.AsSeat, env: Env) -> Course:
        yield from self.do_as(self.seat(s.seat, env), s.body, env)

    def do_ScoreFor(self, s: t.ScoreFor, env: Env) -> Course:
        for seat in self.world.seats:
            yield from self.do_as(seat, s.body, env)

    # -------------------------------------------------------------------------------- in secret, all at once

    def do_Secretly(self, s: t.Secretly, env: Env) -> Course:
        """Every seat goes through the block by itself; each finds all as it was, but for what it has done itself."""
        if self.state.trying:
            raise Further  # others decide here too
        seats = [v for v, _ in self.items(s.seats, env).items]
        runs: dict[Seat, Any] = {}
        asked: dict[Seat, Question] = {}
        envs: dict[Seat, Env] = {}
        done: dict[Seat, dict[Any, Any]] = {seat: {} for seat in seats}
        self.secret_begins(s)
        self.quiet += 1

        def on(seat: Seat, move: Any) -> None:
            asked.pop(seat, None)
            self.state.take_up(done[seat])
            try:
                (asked[seat],) = move().values()
            except StopIteration:
                pass
            finally:
                done[seat] = self.state.lay_down()

        for seat in seats:
            inside = env.inner(**{s.name: seat})
            inside.me, inside.secret = seat, True
            envs[seat] = inside
            run = runs[seat] = self.body(s.body.body, inside)
            on(seat, lambda run=run: next(run))
        while asked:
            self.doing = done
            order = {seat: asked[seat] for seat in self.world.seats if seat in asked}
            seat, place = yield order
            run = runs[seat]
            on(seat, lambda run=run, seat=seat, place=place: run.send((seat, place)))
        self.doing = {}
        for seat in seats:
            for key, value in done[seat].items():
                self.state.set(key, value)
        for statement in s.body.body:
            if isinstance(statement, t.ChooseOne | t.ChooseNumber) and statement.body is None:
                found = {seat: envs[seat].names[statement.name] for seat in seats if statement.name in envs[seat].names}
                self.name_it(env, statement.name, PerSeat(statement.name, found, s))
        self.secret_ends(s)
        self.quiet -= 1
        self.effect()

    @abstractmethod
    def cover_set_aside(self, purse: Member) -> None:
        ...

    @abstractmethod
    def secret_begins(self, s: t.Secretly) -> None:
        ...

    @abstractmethod
    def secret_ends(self, s: t.Secretly) -> None:
        ...

    quiet: int  # in how many ways rules that watch must wait with their looks
    doing: dict[Seat, dict[Any, Any]]  # what each seat has done in the secret block that is running


__all__ = ["Amount", "Piece", "Statements", "Word"]
