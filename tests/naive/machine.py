"""A naive player of the IR: it walks the statements as they stand, and asks by yielding.

Everything the generated code is clever about is done here in the plainest way: an option is offered after its body
has been tried, list by list and answer by answer, on a copy; a secret block is one generator for each seat.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import chain, islice, product
from typing import Any, assert_never

from ichiba.dsl import ir
from ichiba.dsl.effects import procedures_of, walk
from ichiba.dsl.kinds import SEAT
from ichiba.dsl.world import FIRST_THING, Member
from ichiba.interpreter.chance import Words, key_of
from tests.naive.values import Bag, Env, Given, RulesetWrong, Values

MOST_TRIES = 50_000  # of ways through an option's body


class Unmet(Exception):
    """A requirement does not hold."""


class Further(Exception):
    """A trial has come to a chance event: it need not look further."""


class Left(Exception):
    """A named block is being left."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


@dataclass
class Choice:
    """One answer: its key, and what happens then."""

    key: str
    option: ir.Option | None
    env: Env
    number: int = 0


@dataclass
class Question:
    """A seat is asked."""

    name: str
    seat: int
    choices: list[Choice]
    skip: bool

    @property
    def keys(self) -> list[str]:
        return [choice.key for choice in self.choices]


Move = (
    ir.Assign | ir.KeepSet | ir.Write | ir.Transfer | ir.MoveSome | ir.MovePiece | ir.MoveSet | ir.DrawSome | ir.PickRandom
    | ir.ShuffleZone | ir.Demand | ir.ScoreLine | ir.EndAs | ir.Show | ir.Reset
)  # fmt: skip
Asking = dict[int, Question]  # by seat: several in a secret block
Answer = tuple[int, int]  # whose, and which of the options
Course = Generator[Asking, Answer, None]


class Machine(Values):
    """One running game."""

    def __init__(self, program: ir.Program, first: list[int], seed: int | str):
        size = max((m.base + m.size for m in program.world.members()), default=0)
        super().__init__(program, list(first[:size]))
        self.words = Words(key_of(seed))
        self.events = 0
        self.trying = False
        self.begun: tuple[ir.Decide, ir.Option, Env, list[int]] | None = None  # what was chosen last, and from where
        self.in_secret = False
        self.watching = False
        self.to_look_at: set[str] = set()
        self.safe: dict[int, bool] = {}
        self.used: dict[int, frozenset[ir.Var]] = {}
        self.procedures: dict[int, bool] = {}
        self.ending: int | None = None
        self.course = self.whole_game()
        self.asking: Asking = {}
        self.over = False
        self._on(lambda: next(self.course))

    # ---------------------------------------------------------------------------------- from outside

    def _on(self, move: Callable[[], Asking]) -> None:
        try:
            self.asking = move()
        except StopIteration:
            self.asking, self.over = {}, True

    def answer(self, seat: int, place: int) -> None:
        self._on(lambda: self.course.send((seat, place)))

    @property
    def scores(self) -> dict[int, int]:
        member = self.world.seat["score"]
        return {s + 1: self.cells[member.place((s,))] for s in range(self.seats)}

    @property
    def ranking(self) -> list[list[int]]:
        keys = {}
        for seat in range(self.seats):
            found = [(self.call(ir.ValueRef("", f), [seat]), highest) for f, highest in self.program.ranking]
            keys[seat + 1] = tuple(-v if highest else v for v, highest in found)
        return [[s for s in keys if keys[s] == key] for key in sorted(set(keys.values()))]

    def whole_game(self) -> Course:
        for procedure in (self.program.setup, self.program.play, self.program.scoring):
            yield from self.perform(procedure, [0] * len(procedure.params))

    # ---------------------------------------------------------------------------------------- chance

    def below(self, n: int) -> int:
        if self.trying:
            raise Further
        word = self.words.more(self.events)
        self.events += 1
        return word * n >> 32

    def drawn(self, items: list[tuple[int, int]]) -> int:
        """One of these, as likely as it counts."""
        r = self.below(sum(n for _, n in items))
        for value, n in items:
            if r < n:
                return value
            r -= n
        raise AssertionError

    def shuffled(self, values: list[int]) -> list[int]:
        made = list(values)
        for i in range(len(made) - 1):
            j = i + self.below(len(made) - i)
            made[i], made[j] = made[j], made[i]
        return made

    # -------------------------------------------------------------------------------------- the course

    def perform(self, procedure: ir.Procedure, args: list[Any]) -> Generator[Asking, Answer, list[Any]]:
        env: Env = dict(zip(procedure.params, args, strict=True))
        for result in procedure.results:
            env[result] = 0
        assert procedure.body is not None
        try:
            yield from self.run(procedure.body, env)
        except Given as given:
            return given.values
        return [env[result] for result in procedure.results]

    def run(self, block: ir.Block, env: Env) -> Course:
        for statement in block.body:
            yield from self.statement(statement, env)

    def statement(self, s: ir.Stm, env: Env) -> Course:
        match s:
            case ir.Block():
                yield from self.run(s, env)
            case ir.If(test=test, yes=yes, no=no):
                yield from self.run(yes if self.true(test, env) else no, env)
            case ir.For(var=var, set=inner, random=random, body=body):
                values = self.each(inner, env)
                for value in self.shuffled(values) if random else values:
                    env[var] = value
                    yield from self.run(body, env)
            case ir.Repeat(times=times, test=test_, body=body):
                for _ in range(self.value(times, env)):
                    if test_ is not None and not self.true(test_, env):
                        break
                    yield from self.run(body, env)
            case ir.Turns():
                yield from self.turns(s, env)
            case ir.Perform(procedure=ref, args=args, results=results):
                found = [self.argument(a, env) for a in args]
                procedure = ref.default if ref.by is None else ref.cases.get(found[ref.by], ref.default)
                if procedure is not None:
                    given = yield from self.perform(procedure, found)
                    env.update(zip(results, given, strict=bool(results)))
            case ir.Named(name=name, body=body):
                try:
                    yield from self.run(body, env)
                except Left as left:
                    if left.name != name:
                        raise
            case ir.LeaveTo(name=name):
                raise Left(name)
            case ir.GiveBack(values=values_):
                raise Given([self.argument(v, env) for v in values_])
            case ir.Decide():
                yield from self.decide(s, env)
            case ir.Offer():
                yield from self.offer(s, env)
            case ir.ChooseBag():
                yield from self.choose_bag(s, env)
            case ir.Secret():
                yield from self.secret(s, env)
            case ir.Watch(rules=rules):
                self.look(rules)
            case _:
                self.move(s, env)

    def turns(self, s: ir.Turns, env: Env) -> Course:
        env[s.me] = self.value(s.first, env)
        played = 0
        while s.until is None or not self.true(s.until, env):
            if played >= self.value(s.most, env):
                if s.ending is not None:
                    self.end_as(s.ending)
                return
            played += 1
            yield from self.run(s.body, env)
            env[s.me] = (env[s.me] + 1) % self.seats

    def end_as(self, ending: int) -> None:
        self.cells[self.world.table["ending"].base] = ending

    # ---------------------------------------------------------------------------- moves that ask nothing

    def move(self, s: Move, env: Env) -> None:
        match s:
            case ir.Assign(var=var, value=value, at=None):
                number = self.value(value, env)
                bag = var.kind.form == "set" and var.width > 1
                env[var] = Bag() if bag else [number] * var.width if var.index else number
            case ir.Assign(var=var, value=value, at=at):
                assert at is not None
                position = self.value(at, env)
                if not 0 <= position < var.width:
                    raise RulesetWrong(f"{var.name} has no place {position}")
                env[var][position] = self.value(value, env)
            case ir.KeepSet(var=var, value=inner):
                env[var] = self.each(inner, env)
            case ir.Write():
                self.write(s, env)
            case ir.Transfer():
                self.transfer(s, env)
            case ir.MoveSome():
                self.move_some(s, env)
            case ir.MovePiece(piece=piece, target=target, side=side, notes=notes):
                self.take(self.value(piece, env), self.value(target, env), side, self.notes(notes, env))
            case ir.MoveSet(set=inner, target=target, side=side, notes=notes):
                zone, written = self.value(target, env), self.notes(notes, env)
                for piece_ in self.each(inner, env):
                    self.take(piece_, zone, side, written)
            case ir.DrawSome():
                self.draw(s, env)
            case ir.PickRandom(var=var, set=inner):
                values = self.each(inner, env)
                if not values:
                    raise RulesetWrong("there is nothing to pick from")
                env[var] = values[self.below(len(values))]
            case ir.ShuffleZone(zone=zone_):
                things = [p for p, _ in self.lying(self.value(zone_, env), None)]
                for rank, thing in enumerate(self.shuffled(things)):
                    if "rank" in self.world.places:
                        self.cells[self.rank_cell(thing)] = rank
            case ir.Demand(test=test):
                if not self.true(test, env):
                    raise Unmet(s.name)
            case ir.ScoreLine(seat=seat, value=value):
                self.cells[self.world.seat["score"].place((self.value(seat, env),))] += self.value(value, env)
            case ir.EndAs(ending=ending):
                self.end_as(ending)
            case ir.Show():
                pass  # changes what is seen, not what is
            case ir.Reset(member=member):
                for place in range(member.base, member.base + member.size):
                    self.cells[place] = self.first_value(member)
            case _:
                assert_never(s)

    def first_value(self, member: Member) -> int:
        from ichiba.dsl.constant import Scope
        from ichiba.dsl.faults import Faults
        from ichiba.dsl.program import start_of

        scope = Scope(self.world, {"seats": self.seats} | {n: v for n, (v, _) in self.world.numbers.items()})
        for name, (value, kind) in self.world.options.items():
            if isinstance(value, int) and kind.form != "seat":
                scope.values[name] = value
        return start_of(member, scope, Faults())

    def write(self, s: ir.Write, env: Env) -> None:
        member = s.place.member
        value = self.value(s.value, env)
        if member.form == "counter" and member.low is not None and member.high is not None:
            if "stops" in member.words:
                value = max(member.low, min(member.high, value))
            elif not member.low <= value <= member.high:
                raise RulesetWrong(f"{member.name} would leave its range")
        self.cells[self.index(member, s.place.at, env)] = value

    def transfer(self, s: ir.Transfer, env: Env) -> None:
        source, target = self.purse(s.source, env), self.purse(s.target, env)
        amount = self.value(s.amount, env)
        if amount < 0:
            raise RulesetWrong("an amount below nothing is paid")
        if s.tail == "as_far" and source is not None:
            amount = max(0, min(amount, self.cells[source]))
        if source is not None:
            if s.tail != "into_debt" and self.cells[source] < amount:
                raise Unmet("not enough to pay")
            self.cells[source] -= amount
        if target is not None:
            self.cells[target] += amount

    def purse(self, purse: ir.Exp, env: Env) -> int | None:
        """Where the money lies; None for a supply without end."""
        if isinstance(purse, ir.Cond):
            return self.purse(purse.yes if self.true(purse.test, env) else purse.no, env)
        assert isinstance(purse, ir.PurseAt)
        return None if purse.member.unlimited else self.index(purse.member, purse.at, env)

    def notes(self, notes: tuple[tuple[Member, ir.Exp], ...], env: Env) -> dict[str, int]:
        return {member.name: self.value(e, env) for member, e in notes}

    def move_some(self, s: ir.MoveSome, env: Env) -> None:
        sources, target = [self.value(z, env) for z in s.sources], self.value(s.target, env)
        written = self.notes(s.notes, env)
        there = [p for p, n in self.pieces(sources, self.sorts(s.sorts, env)) for _ in range(n)]
        if s.amount is not None:
            amount = self.value(s.amount, env)
            if len(there) < amount:
                raise RulesetWrong("there are not enough pieces to move")
            there = there[: max(amount, 0)]
        for piece in there:
            self.take(piece, target, s.side, written)

    def take(self, piece: int, zone: int, side: int | None, notes: dict[str, int]) -> None:
        """One piece goes to a zone."""
        if piece < 0:
            raise RulesetWrong("there is no such piece to move")
        if piece < FIRST_THING:
            if self.cells[piece] < 1:
                raise RulesetWrong("this piece is gone")
            there = self.cell(zone, self.turned(self.sort_of_cell[piece], side))
            if there is None:
                raise RulesetWrong("this zone cannot hold such a piece")
            self.cells[piece] -= 1
            self.cells[there] += 1
            return
        sort = self.world.thing(piece).sort
        there = self.cell(zone, sort)
        if there is None:
            raise RulesetWrong("this zone cannot hold such a piece")
        old = self.place_of(piece)
        if old >= 0:
            here = self.cell(old, sort)
            assert here is not None
            self.cells[here] -= 1
        self.cells[there] += 1
        if "ordered" in self.zone_members[zone].words:
            others = [t.id for t in self.world.things if t.id != piece and self.place_of(t.id) == zone]
            self.cells[self.rank_cell(piece)] = max((self.cells[self.rank_cell(t)] for t in others), default=-1) + 1
        self.cells[self.place_cell(piece)] = zone
        self.note_down(piece, zone, notes)

    def note_down(self, thing: int, zone: int, notes: dict[str, int]) -> None:
        """What a piece remembers: what is written now, what its new zone keeps, else nothing."""
        for kind in self.world.kinds.values():
            for member in kind.members.values():
                if member.form != "note" or not member.size:
                    continue
                low, size = member.dims[0]
                if not low <= thing < low + size:
                    continue
                if member.name in notes:
                    self.cells[member.place((thing,))] = notes[member.name]
                elif member.name not in self.zone_members[zone].keeps:
                    self.cells[member.place((thing,))] = self.first_value(member)

    def turned(self, sort: int, side: int | None) -> int:
        """The same piece showing another side."""
        own = self.world.sorts[sort]
        if side is None or not own.side:
            return sort
        sides = list(dict.fromkeys(s.side for s in self.world.sorts if s.side))
        for other in self.world.sorts:
            if (other.name, other.family, other.owner, other.side) == (own.name, own.family, own.owner, sides[side]):
                return other.id
        return sort

    def draw(self, s: ir.DrawSome, env: Env) -> None:
        source, target = self.value(s.source, env), self.value(s.target, env)
        sorts = self.sorts(s.sorts, env)
        amount = self.value(s.amount, env)
        if s.var is not None:
            env[s.var] = -1
        for _ in range(amount):
            items = self.pieces([source], sorts)
            if not items and s.refill is not None:
                for piece, n in self.pieces([self.value(s.refill, env)], sorts):
                    for _ in range(n):
                        self.take(piece, source, None, {})
                items = self.pieces([source], sorts)
            if not items:
                return
            piece = items[0][0] if s.ordered else self.drawn(items)
            self.take(piece, target, None, {})
            if s.var is not None:
                there = piece if piece >= FIRST_THING else self.cell(target, self.sort_of_cell[piece])
                env[s.var] = there

    # -------------------------------------------------------------------------------------- triggers

    def look(self, rules: tuple[str, ...]) -> None:
        """After an effect: the triggers that read what was written, in declared order, one at a time."""
        if rules[0].startswith("end of "):
            self.at_end_of(rules[0].removeprefix("end of "))
            return
        self.to_look_at.update(r for r in rules if r in self.program.watchers)
        if self.watching:
            return
        self.watching = True
        for _ in range(100_000):
            waiting = [name for name in self.program.watchers if name in self.to_look_at]
            if not waiting:
                break
            self.to_look_at.discard(waiting[0])
            self.watcher(self.program.watchers[waiting[0]])
        else:
            raise RulesetWrong("the triggers do not come to rest")
        self.watching = False

    def watcher(self, w: ir.Watcher) -> None:
        env: Env = {}
        each = [None] if w.var is None or w.set is None else self.each(w.set, env)
        for value in each:
            at = () if value is None else (value,)
            if w.var is not None:
                env[w.var] = value
            seen = w.state.place(at[: len(w.state.dims)])
            if w.once:
                if self.cells[seen] or not self.true(w.test, env):
                    continue
                self.cells[seen] = 1
            else:
                now = int(self.true(w.test, env))
                before, self.cells[seen] = self.cells[seen], now
                if before or not now:
                    continue
            if (
                w.deferred is not None
                and w.pending is not None
                and self.cells[self.world.table[f"running {w.deferred}"].base]
            ):
                last = max(self.cells[place] for _, _, place in self.waiting_for(w.deferred))
                self.cells[w.pending.place(at)] = last + 1
            else:
                self.at_once(w.procedure, [0, *at])

    def at_end_of(self, name: str) -> None:
        """What waited happens in the order in which it came about."""
        waiting = [(w, at, place) for w, at, place in self.waiting_for(name) if self.cells[place]]
        for w, at, place in sorted(waiting, key=lambda found: self.cells[found[2]]):
            self.cells[place] = 0
            self.at_once(w.procedure, [0, *at])

    def waiting_for(self, name: str) -> list[tuple[ir.Watcher, tuple[int, ...], int]]:
        """The triggers put off to the end of a procedure, each with where its place in the queue is kept."""
        found: list[tuple[ir.Watcher, tuple[int, ...], int]] = []
        for w in self.program.watchers.values():
            if w.deferred == name and w.pending is not None:
                low, size = w.pending.dims[0] if w.var is not None else (0, 1)
                indexes = [(low + k,) for k in range(size)] if w.var is not None else [()]
                found += [(w, at, w.pending.place(at)) for at in indexes]
        return found

    def at_once(self, procedure: ir.Procedure, args: list[int]) -> None:
        for _ in self.perform(procedure, args):
            raise RulesetWrong("a trigger asks nobody")

    # ------------------------------------------------------------------------------------- questions

    def ask(self, question: Question) -> Generator[Asking, Answer, Choice]:
        """A single answer is taken, where that tells nobody anything."""
        if not self.trying:
            self.begun = None
        if len(question.choices) == 1 and question.skip and not self.in_secret:
            return question.choices[0]
        _, place = yield {question.seat: question}
        if place >= len(question.choices):
            raise NoSuchAnswer
        return question.choices[place]

    def try_one(self, s: ir.Decide, choices: Iterator[Choice], env: Env) -> Generator[Asking, Answer, Choice | None]:
        """In a trial answers are made one after another, as far as they are wanted."""
        first = next(choices, None)
        if first is None:
            return None
        seat = self.value(s.seat, env)
        _, place = yield {seat: Question(s.name, seat, [first], True)}
        found = next(islice(chain([first], choices), place, None), None)
        if found is None:
            raise NoSuchAnswer
        return found

    def decide(self, s: ir.Decide, env: Env, early: bool = False) -> Generator[Asking, Answer, Choice | None]:
        """A question; `early`: it is too early to be done."""
        options = [option for option in s.options if not (early and option.ends)]
        found = (choice for option in options for choice in self.choices(s, option, env))
        if self.trying:
            choice = yield from self.try_one(s, found, env)
        else:
            choices = list(found)
            if s.paying and self.begun is not None:
                choices = [choice for place, choice in enumerate(choices) if self.can_be_paid_so(place)]
            seat = self.value(s.seat, env)
            choice = (yield from self.ask(Question(s.name, seat, choices, not s.never_skip))) if choices else None
        if choice is None:
            if s.otherwise is None:
                raise NothingToChoose(s.name)
            yield from self.run(s.otherwise, env)
            return None
        assert choice.option is not None
        env.update(choice.env)
        if not self.trying:
            self.begun = s, choice.option, copied(env), list(self.cells)
        yield from self.run(choice.option.body, env)
        return choice

    def can_be_paid_so(self, place: int) -> bool:
        """Whether the option that has just been taken leads on when it is paid in this way."""
        assert self.begun is not None
        s, option, env, cells = self.begun
        now, self.cells[:] = list(self.cells), cells
        try:
            return self.leads_on(s, option, env, [place])
        finally:
            self.cells[:] = now

    def choices(self, s: ir.Decide, option: ir.Option, env: Env) -> Iterator[Choice]:
        own = {bind.var for bind in option.binds}
        tests = [t for t in option.tests if not self.mentions(t.test, own)]
        if not all(self.true(t.test, env) for t in tests):
            return
        for names in self.bound_names(option, env):
            inside = env | names
            if not all(self.true(t.test, inside) for t in option.tests):
                continue
            if self.harmless(option.body) or self.trying and s.otherwise is None or self.leads_on(s, option, inside):
                yield Choice(self.key(option, inside), option, names)

    def mentions(self, test: ir.Exp, own: set[ir.Var]) -> bool:
        if id(test) not in self.used:
            self.used[id(test)] = frozenset(n.var for n in walk(test) if isinstance(n, ir.Use | ir.Kept))
        return not own.isdisjoint(self.used[id(test)])

    def bound_names(self, option: ir.Option, env: Env) -> Iterator[Env]:
        """Every way to give the option's names a value."""

        def bind(at: int, names: Env) -> Iterator[Env]:
            if at == len(option.binds):
                yield dict(names)
                return
            b = option.binds[at]
            inside = env | names
            for value in self.offered(b.set, inside):
                if b.test is None or self.true(b.test, inside | {b.var: value}):
                    yield from bind(at + 1, names | {b.var: value})

        return bind(0, {})

    def offered(self, inner: ir.Set, env: Env) -> list[Any]:
        """What can be chosen: of pieces and ways that look alike the first."""
        first: dict[object, Any] = {}
        if isinstance(inner, ir.Combos):
            for way in self.combos(inner, env):
                first.setdefault(tuple(sorted(repr(self.look_of(piece)) for piece in way)), way)
        else:
            pieces = inner.kind.of is not None and inner.kind.of.form in ("thing", "piece")
            for value in self.values(inner, env):
                first.setdefault(self.look_of(value) if pieces else value, value)
        return list(first.values())

    def look_of(self, piece: int) -> object:
        """All that tells a piece from others; itself, when there is only one of its sort or they are counted."""
        if piece < FIRST_THING:
            return piece
        sort = self.sort_of(piece)
        if sort < 0 or self.world.sorts[sort].number < 2:
            return piece
        pointers = []
        for member in self.world.members():
            if member.form in ("note", "remember") and member.kind.form == "thing":
                for at in product(*(range(low, low + size) for low, size in member.dims)):
                    if self.cells[member.place(at)] == piece:
                        pointers.append((member.full_name, *(self.outside(value) for value in at)))
        zone = self.place_of(piece)
        queued = zone >= 0 and "ordered" in self.zone_members[zone].words
        rank = self.cells[self.rank_cell(piece)] if queued else 0
        return (zone, rank, self.inside(piece), tuple(sorted(pointers, key=repr)))

    def outside(self, owner: int) -> object:
        """A piece that points at something is known by its sort and place, anything else by itself."""
        sort = self.sort_of(owner) if owner >= FIRST_THING else -1
        return (self.place_of(owner), sort) if sort >= 0 and self.world.sorts[sort].number > 1 else owner

    def inside(self, thing: int) -> object:
        """Its sort, what it remembers and what lies on it."""
        found: list[object] = [self.sort_of(thing)]
        for member in self.world.members():
            if (
                member.form in ("place", "rank")
                or not member.dims
                or not member.dims[0][0] <= thing < sum(member.dims[0])
            ):
                continue
            for at in product(*(range(low, low + size) for low, size in member.dims[1:])):
                here = member.place((thing, *at))
                if member.form == "zone":
                    lies = self.lying(here, None) if member.width else []
                    looks = [(self.inside(p) if p >= FIRST_THING else self.sort_of(p), n) for p, n in lies]
                    found.append((member.full_name, at, tuple(sorted(looks, key=repr))))
                else:
                    found.append((member.full_name, at, self.cells[here]))
        return tuple(found)

    def key(self, option: ir.Option, env: Env) -> str:
        if option.keys is not None:
            return "/".join([option.key, *(self.spelled(self.value(k, env), k.kind) for k in option.keys)])
        parts = []
        for b in option.binds:
            kind = (b.set.kind.of or b.var.kind) if isinstance(b.set, ir.Combos) else b.var.kind
            parts.append(self.spelled(env[b.var], kind))
        return "/".join([option.key, *parts])

    def offer(self, s: ir.Offer, env: Env) -> Course:
        """A menu: again and again, until it is done or enough has been taken."""
        env[s.taken] = 0
        while s.condition is None or self.true(s.condition, env):
            limit = 1 if s.times == "once" else None if s.count is None else self.value(s.count, env)
            if limit is not None and env[s.taken] >= limit:
                return
            early = s.times == "at_least_once" and not env[s.taken]
            choice = yield from self.decide(s.decide, env, early)
            if choice is None or choice.option is None or choice.option.ends:
                return
            if choice.option.counts:
                env[s.taken] += 1

    # ----------------------------------------------------------------------- any number of these pieces

    def choose_bag(self, s: ir.ChooseBag, env: Env) -> Course:
        element = s.bag.kind.of
        assert element is not None
        bag = Bag()
        env[s.bag] = bag
        for at, sort in enumerate(self.world.categories.get(element.name, ())):
            there = self.items(s.set, env)
            bag.pieces = [piece for piece, _ in there]
            numbers = self.numbers(s, env, bag, at, there)
            if not numbers:
                if s.otherwise is None:
                    raise NothingToChoose(s.name)
                yield from self.run(s.otherwise, env)
                return
            name = self.world.sorts[sort].key or self.world.sorts[sort].full_name
            choices = [Choice(f"{s.name}/{name}/{n}", None, {}, n) for n in numbers]
            choice = yield from self.ask(Question(s.name, self.value(s.seat, env), choices, not s.never_skip))
            bag.counts[sort] = choice.number

    def numbers(self, s: ir.ChooseBag, env: Env, bag: Bag, at: int, there: list[tuple[int, int]]) -> list[int]:
        """How many of this sort still leave a bag that meets all conditions."""
        assert s.bag.kind.of is not None
        sorts = self.world.categories[s.bag.kind.of.name]
        have = [sum(n for p, n in there if self.sort_of(p) == sort) for sort in sorts]
        least, most = self.or_else(s.least, env, 0), self.or_else(s.most, env, 10**6)
        step = self.or_else(s.step, env, 1)
        low, high = self.or_else(s.worth_least, env, -(10**12)), self.or_else(s.worth_most, env, 10**12)
        known: dict[tuple[int, int, int, frozenset[int]], bool] = {}

        def taken(n: int, sort: int, state: tuple[int, int, frozenset[int]]) -> tuple[int, int, frozenset[int]] | None:
            count, worth, shapes = state
            if n and s.different is not None:
                shape = s.different[sort]
                if n > 1 or shape in shapes:
                    return None
                shapes = shapes | {shape}
            return count + n, worth + (self.worth(s, n, sort, env) if n and s.worth is not None else 0), shapes

        def completable(k: int, state: tuple[int, int, frozenset[int]]) -> bool:
            if (k, *state) not in known:
                if k == len(sorts):
                    count, worth, _ = state
                    known[(k, *state)] = least <= count <= most and count % step == 0 and low <= worth <= high
                else:
                    further = [taken(n, sorts[k], state) for n in range(have[k] + 1)]
                    known[(k, *state)] = any(completable(k + 1, f) for f in further if f is not None)
            return known[(k, *state)]

        state: tuple[int, int, frozenset[int]] | None = (0, 0, frozenset())
        for sort in sorts[:at]:
            assert state is not None
            state = taken(bag.counts[sort], sort, state)
        assert state is not None
        found = [(n, taken(n, sorts[at], state)) for n in range(have[at] + 1)]
        return [n for n, after in found if after is not None and completable(at + 1, after)]

    def or_else(self, e: ir.Exp | None, env: Env, otherwise: int) -> int:
        return otherwise if e is None else self.value(e, env)

    def worth(self, s: ir.ChooseBag, n: int, sort: int, env: Env) -> int:
        """What so many of a sort are worth: the value's first number and first sort are these, its seats are given."""
        assert s.worth is not None and s.worth.default is not None
        given = [self.value(a, env) for a in s.worth_args]
        args: list[int] = []
        left: list[int | None] = [n, sort]
        for param in s.worth.default.params:
            if param.kind.form == "number" and left[0] is not None:
                args.append(n)
                left[0] = None
            elif param.kind.form == "sort" and left[1] is not None:
                args.append(sort)
                left[1] = None
            else:
                assert param.kind == SEAT
                args.append(given.pop(0))
        return self.call(s.worth, args)

    # ------------------------------------------------------------------------------- in secret, all at once

    def secret(self, s: ir.Secret, env: Env) -> Course:
        if self.trying:
            raise Further  # others decide here too
        self.in_secret = True
        seats = self.values(s.seats, env)
        runs: dict[int, Course] = {}
        asked: Asking = {}
        envs: dict[int, Env] = {}

        def on(seat: int, move: Callable[[], Asking]) -> None:
            asked.pop(seat, None)
            try:
                (asked[seat],) = move().values()
            except StopIteration:
                for var, value in envs[seat].items():
                    if var.per_seat:
                        self.answers.setdefault(var, {})[seat] = value

        for seat in seats:
            envs[seat] = copied(env)
            envs[seat][s.me] = seat
            runs[seat] = self.run(s.body, envs[seat])
            run = runs[seat]
            on(seat, lambda run=run: next(run))  # type: ignore[misc]
        while asked:
            seat, place = yield dict(sorted(asked.items()))
            run = runs[seat]
            answer = (seat, place)
            on(seat, lambda run=run, answer=answer: run.send(answer))  # type: ignore[misc]
        self.in_secret = False

    # ------------------------------------------------------------------------------------- trying out

    def harmless(self, block: ir.Block) -> bool:
        """Whether a body has nothing in it that could fail or ask: it need not be tried."""
        if id(block) not in self.safe:
            self.safe[id(block)] = self._harmless(block, ())
        return self.safe[id(block)]

    def _harmless(self, block: ir.Block, above: tuple[ir.Procedure, ...]) -> bool:
        for node in walk(block):
            if isinstance(node, ir.Demand | ir.Decide | ir.Offer | ir.ChooseBag | ir.Secret):
                return False
            if isinstance(node, ir.Transfer) and node.tail in ("in_full", "paid"):
                return False
            if isinstance(node, ir.Perform):
                for p in procedures_of(node.procedure):
                    if p in above or p.body is not None and not self._harmless(p.body, (*above, p)):
                        return False
        return True

    def leads_on(self, s: ir.Decide, option: ir.Option, env: Env, begun: list[int] | None = None) -> bool:
        """Whether some way through the seat's own decisions, that begins so, comes to chance, another seat, or the
        body's end."""
        seat, begun = self.value(s.seat, env), begun or []
        ways: deque[list[int]] = deque([begun])  # the short ones first
        for _ in range(MOST_TRIES):
            if not ways:
                return False
            way = ways.popleft()
            came = self.tried(option.body, env, seat, way)
            if came == "on":
                return True
            if came == "asked":
                ways.append([*way, 0])
            if len(way) > len(begun) and came != "no such answer":
                ways.append([*way[:-1], way[-1] + 1])
        raise AssertionError("too many ways to try")

    def tried(self, body: ir.Block, env: Env, seat: int, way: list[int]) -> str:
        """Where a way leads: on, to a further question, to nothing; or it takes an answer that is not there."""
        saved = list(self.cells), self.trying, {v: dict(a) for v, a in self.answers.items()}
        triggers = self.watching, set(self.to_look_at)
        self.trying = True
        course = self.run(body, copied(env))
        try:
            asking = next(course)
            for place in way:
                asking = course.send((seat, place))
            (other,) = asking
            return "asked" if other == seat else "on"
        except (StopIteration, Further, Left, Given):
            return "on"
        except NoSuchAnswer:
            return "no such answer"
        except (Unmet, RulesetWrong):
            return "to nothing"
        finally:
            self.cells[:], self.trying, self.answers = saved
            self.watching, self.to_look_at = triggers


class NoSuchAnswer(Exception):
    """A trial has tried all answers."""


class NothingToChoose(RulesetWrong):
    """A question without an answer, and nothing that happens instead."""


def copied(env: Env) -> Env:
    made: Env = {}
    for var, value in env.items():
        made[var] = value.copy() if isinstance(value, Bag | list) else value
    return made
