"""Menus and their options, `choose`, `choose some` and `may`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.costs import Costs
from tests.reference.decisions import Choice, KeyedNow, Left, NothingToChoose, Question
from tests.reference.env import Env
from tests.reference.modules import Definition, Entry
from tests.reference.pieces import Course
from tests.reference.values import Bag, Items, MenuRef, RulesWrong, Value, Zones, bare, with_unit
from tests.reference.world import Seat, Sort, Thing, Zone

Call = tuple[Definition, Env, "Thing | None", tuple[Value, ...]]


class Menus(Costs):
    """Offers options."""

    @abstractmethod
    def tells(self, env: Env, *parts: Any) -> bool:
        """Whether the set of options hangs on what another seat may not see: then the question is always asked."""

    @abstractmethod
    def procedure_called(self, e: t.Expr, env: Env) -> Call | None:
        ...

    @abstractmethod
    def perform(
        self, definition: Definition, env: Env, owner: Thing | None, args: tuple[Value, ...]
    ) -> Generator[Any, Any, list[Value]]:
        ...

    @abstractmethod
    def resets(self, moment: str) -> None:
        ...

    @abstractmethod
    def in_play(self, board: str) -> bool:
        ...

    @abstractmethod
    def around_option(self, address: str, env: Env, own: Callable[[], Course]) -> Course:
        ...

    @abstractmethod
    def performing(self, during: str) -> Seat | None:
        """Who performs a procedure now."""

    # --------------------------------------------------------------------------------------------- choose

    def do_ChooseOne(self, s: t.ChooseOne, env: Env) -> Course:
        binder = t.Binder(s.span, s.name, s.domain, None, None, s.where)
        yield from self.choose(s, binder, (s.domain, s.where, s.body), env)

    def do_ChooseNumber(self, s: t.ChooseNumber, env: Env) -> Course:
        binder = t.Binder(s.span, s.name, s.low, s.high, s.step, None)
        yield from self.choose(s, binder, (s.low, s.high, s.step, s.body), env)

    def choose(
        self, s: t.ChooseOne | t.ChooseNumber, binder: t.Binder, asks: tuple[Any, ...], env: Env
    ) -> Course:
        """Somebody chooses one of a set; the name holds in the block behind it, or else from here on."""
        seat = self.seat(s.chooser, env) if s.chooser is not None else self.me(env)
        question = Question(s.name, seat, env.path, skip=not self.tells(env, *asks), secret=env.secret, env=env)
        values: list[Value] = []

        def choices() -> Iterator[Choice]:
            for names in self.bindings((binder,), env):
                value = names.names[s.name]
                key = f"{s.ask.key or s.name}/{self.spelled(value)}"
                values.append(value)
                body = None if s.body is None else self.inside_of(s.body, names, key)
                yield Choice(key, body, number=len(values) - 1)

        choice = yield from self.decide(question, choices(), self.block(s.otherwise, env))
        if choice is not None and s.body is None:
            self.state.put(env.names, s.name, values[choice.number])

    def block(self, block: t.Block | None, env: Env) -> Callable[[], Course] | None:
        return None if block is None else lambda: self.run(block, env)

    def inside_of(self, block: t.Block, names: Env, key: str) -> Callable[[], Course]:
        """The block of an answer: what is asked in it has its key in the path."""

        def perform() -> Course:
            inside = names.inner()
            inside.path = (*inside.path, key)
            yield from self.run(block, inside)

        return perform

    # -------------------------------------------------------------------------------- any number of these

    def do_ChooseSome(self, s: t.ChooseSome, env: Env) -> Course:
        """For each sort the seat says how many: any number with which all conditions can still be met."""
        seat = self.seat(s.chooser, env) if s.chooser is not None else self.me(env)
        skip = not self.tells(env, s.domain, s.where, *(word.arg for word in s.words))
        bag = Bag()
        for at, sort in enumerate(self.sorts_to_choose(s.domain, env)):
            there = self.some_of(s, env)
            bag.pieces = there.items
            numbers = self.numbers(s, env, bag, at, there)
            if not numbers:
                if s.otherwise is None:
                    raise NothingToChoose(f"there is nothing to choose from at `{s.name}`")
                yield from self.run(s.otherwise, env)
                return
            name = s.ask.key or s.name
            choices = [Choice(f"{name}/{sort.spelled}/{n}", number=n) for n in numbers]
            question = Question(name, seat, env.path, choices, skip, env.secret, env=env)
            choice = yield from self.ask(question)
            bag.counts = bag.counts | {sort: choice.number}
        if s.body is not None:
            yield from self.run(s.body, env.inner(**{s.name: bag}))
        else:
            self.state.put(env.names, s.name, bag)

    def some_of(self, s: t.ChooseSome, env: Env) -> Items:
        return self.binding(t.Binder(s.span, s.name, s.domain, None, None, s.where), env)

    def sorts_to_choose(self, domain: t.Expr, env: Env) -> list[Sort]:
        """All sorts of the family or category that can lie where is chosen from, in order."""
        if isinstance(domain, t.Those | t.BestOf | t.Sorted):
            assert isinstance(domain.selection, t.Within)
            return self.sorts_to_choose(domain.selection.where, env)
        found = self.ev(domain, env)
        if isinstance(found, Zone | Zones):
            zones = found.zones if isinstance(found, Zones) else (found,)
            families = dict.fromkeys(zone.member.decl.sort for zone in zones)
            everything = any(name in ("thing", "things", "piece") for name in families)
            wanted = [s for name in families for s in self.world.categories.get(name, ())]
            return self.world.sorts if everything else sorted(set(wanted), key=lambda sort: sort.place)
        return sorted({s for v, _ in self.items_of(found).items if (s := self.sort_of(v))}, key=lambda sort: sort.place)

    def numbers(self, s: t.ChooseSome, env: Env, bag: Bag, at: int, there: Items) -> list[int]:
        """How many of this sort still leave a lot that meets all conditions."""
        sorts = self.sorts_to_choose(s.domain, env)
        have = [sum(n for v, n in there.items if self.sort_of(v) is sort) for sort in sorts]
        words = {word.what: word for word in s.words}
        limits = {what: bare(self.number(word.arg, env)) for what, word in words.items() if word.arg is not None}
        least, most = limits.get("least", 0), limits.get("most", 10**6)
        step = limits.get("steps", 1)
        low, high = limits.get("worth", -(10**12)), limits.get("worth_most", 10**12)
        measured = words.get("worth") or words.get("worth_most")
        known: dict[Any, bool] = {}

        def worth(n: int, sort: Sort) -> int:
            return bare(self.worth(measured.by or "", n, sort, env)) if measured is not None else 0

        def taken(n: int, sort: Sort, so_far: Any) -> Any:
            count, total, shapes = so_far
            if n and "different" in words:
                shape = sort.fields.get(words["different"].by or "", sort)
                if n > 1 or shape in shapes:
                    return None
                shapes = shapes | {shape}
            return count + n, total + (worth(n, sort) if n else 0), shapes

        def completable(k: int, so_far: Any) -> bool:
            if (k, so_far) not in known:
                if k == len(sorts):
                    count, total, _ = so_far
                    known[k, so_far] = least <= count <= most and count % step == 0 and low <= total <= high
                else:
                    further = [taken(n, sorts[k], so_far) for n in range(have[k] + 1)]
                    known[k, so_far] = any(completable(k + 1, f) for f in further if f is not None)
            return known[k, so_far]

        so_far: Any = (0, 0, frozenset())
        for sort in sorts[:at]:
            so_far = taken(bag.counts[sort], sort, so_far)
        found = [(n, taken(n, sorts[at], so_far)) for n in range(have[at] + 1)]
        return [n for n, after in found if after is not None and completable(at + 1, after)]

    def worth(self, name: str, number: int, sort: Sort, env: Env) -> Value:
        """What so many of a sort are worth: the value's number and sort are these, its seat is who chooses."""
        definition = self.rules.definitions[name]
        args: list[Value] = []
        for param in definition.params:
            type = self.param_type(param)
            form = self.form_of(type)
            args.append(with_unit(number, type if form == "unit" else "") if form in ("number", "unit") else sort)
            if form == "seat":
                args[-1] = self.me(env)
        return self.value(definition, env, None, tuple(args))

    # ---------------------------------------------------------------------------------------------- may

    def do_May(self, s: t.May, env: Env) -> Course:
        """Yes or no."""
        key = s.ask.key or s.name
        inside = env.inner()
        inside.path = (*inside.path, f"{key}/take")

        def take(ways: tuple[int, ...] = ()) -> Course:
            yield from self.pay(s.cost, inside, ways)
            yield from self.run(s.body, inside)

        def choices() -> Iterator[Choice]:
            if (s.when is None or self.truth(s.when, env)) and self.payable(s.cost, env):
                asks = take if self.leaves_choice(s.cost, env) else None
                yield Choice(f"{key}/take", take, asks_payment=asks)
            no = None if s.otherwise is None else self.inside_of(s.otherwise, env, f"{key}/decline")
            yield Choice(f"{key}/decline", no)

        tells = self.offer_tells(s, env)
        question = Question(s.name, self.me(env), env.path, skip=not tells, secret=env.secret, env=env)
        yield from self.decide(question, choices(), None)

    # -------------------------------------------------------------------------------------------- menus

    def do_Menu(self, s: t.Menu, env: Env) -> Course:
        """Again and again, until it is done or enough has been taken."""
        if isinstance(s.path, t.Name):
            name, owner = s.path.name, None
        else:
            found = self.ev(s.path, env)
            assert isinstance(found, MenuRef)
            name, owner = found.name, found.owner
        self.resets(name)
        try:
            yield from self.offer(s, name, owner, env)
        except Left as left:
            if left.name != name:
                raise

    def offer(self, s: t.Menu, name: str, owner: Thing | None, env: Env) -> Course:
        taken = 0
        while s.condition is None or self.truth(s.condition, env):
            limit = 1 if s.times == "once" else None if s.count is None else self.plain(s.count, env)
            if limit is not None and taken >= limit:
                return
            early = s.times == "at_least_once" and not taken
            found = self.options(s, name, owner, env, taken, early)
            question = Question(name, self.me(env), env.path, secret=env.secret, env=env)
            question.skip = s.only_choice or not self.menu_tells(s, name, owner, env)
            choice = yield from self.decide(question, found, self.block(s.otherwise, env))
            if choice is None or choice.ends:
                return
            taken += choice.counts

    # ------------------------------------------------------------------------------------------- a race

    def do_Race(self, s: t.Race, env: Env) -> Course:
        """All of them are asked, and whoever answers first goes on; when all have waited, something else happens."""
        self.resets(s.menu)
        asked = {value for value, _ in self.binding(s.binder, env).items}
        left = [seat for seat in self.world.seats if seat in asked]
        while left:
            seat, choice = yield from self.one_of(left, s, env)
            if not choice.waits:
                try:
                    yield from self.taken(choice, seat)
                except Left as away:
                    if away.name != s.menu:
                        raise
                return
            left.remove(seat)
        if s.otherwise is not None:
            yield from self.run(s.otherwise, env)

    def one_of(self, left: list[Seat], s: t.Race, env: Env) -> Generator[Any, Any, tuple[Seat, Choice]]:
        """One is drawn and asked, and any other may answer instead; but who could only wait has waited when it is drawn."""
        drawn = left[self.chance(left, [1] * len(left), "first", None)]
        questions = {seat: self.race_question(seat, s, env) for seat in (drawn, *(seat for seat in left if seat is not drawn))}
        asked = {seat: q for seat, q in questions.items() if len(q.choices) > 1 or not q.skip}
        forced = drawn not in asked
        seat, place = (drawn, 0) if forced else (yield asked)
        choice = questions[seat].choices[place]
        if not forced:
            self.tell_racer(questions[seat], choice)
        return seat, choice

    def race_question(self, seat: Seat, s: t.Race, env: Env) -> Question:
        inside = env.inner(**{s.binder.name: seat})
        inside.me = seat
        question = Question(s.menu, seat, env.path, skip=not self.race_tells(s, env), env=env)
        offered = (choice for entry, address, its in self.entries(s, s.menu, None, inside) for choice in self.option(entry, address, its))
        question.choices = [*(choice for choice in offered if self.leads_on(choice, seat)), Choice("wait", waits=True)]
        if len(set(question.keys)) < len(question.choices):
            raise RulesWrong(f"two answers have the same key: {question.keys}")
        return question

    @abstractmethod
    def chance(self, values: Sequence[Value], weights: Sequence[int], what: str, target: Zone | None) -> int:
        """A chance event: which of these it was."""

    @abstractmethod
    def race_tells(self, s: t.Race, env: Env) -> bool:
        ...

    # ------------------------------------------------------------------------------- what a menu offers

    def options(
        self, s: t.Menu, name: str, owner: Thing | None, env: Env, taken: int, early: bool
    ) -> Iterator[Choice]:
        """The menu's own options, those added to it, those of kinds and boards, those of windows; last, to be done."""
        if self.state.trying and not early:  # whoever only wants to know if there is a way does well to be done first
            yield from self.done(s, env)
        for entry, address, inside in self.entries(s, name, owner, env):
            yield from self.option(entry, address, inside)
        if s.windows != "none" and (s.windows != "after_first" or taken):
            for window, entry, inside in self.free_options(env):
                for choice in self.option(entry, window, inside):
                    yield self.freely(choice)
        if not self.state.trying and not early:
            yield from self.done(s, env)

    def freely(self, choice: Choice) -> Choice:
        """A free action does not count as taken, and the menus that it opens have no free actions."""

        def within(perform: Callable[..., Course], *given: Any) -> Course:
            self.in_free_action += 1
            try:
                yield from perform(*given)
            finally:
                self.in_free_action -= 1

        perform, asks = choice.perform, choice.asks_payment
        return replace(
            choice,
            counts=False,
            perform=None if perform is None else partial(within, perform),
            asks_payment=None if asks is None else partial(within, asks),
        )

    in_free_action = 0

    def done(self, s: t.Menu, env: Env) -> Iterator[Choice]:
        if s.done is not None or s.times in ("until_done", "at_least_once"):
            if s.done_when is None or self.truth(s.done_when, env):
                yield Choice((s.done.key if s.done is not None else None) or "done", None, ends=True, counts=False)

    def entries(
        self, s: t.Menu | t.Race, name: str, owner: Thing | None, env: Env
    ) -> Iterator[tuple[Entry, str, Env]]:
        for option in s.body.options if s.body is not None else ():
            yield Entry(option, ""), f"{name}.{option.name}", env
        for entry in self.rules.menus.get(name, ()):
            inside = env.inner()
            inside.board_name = entry.board
            inside.board = self.things_named[entry.board][0] if entry.board else env.board
            yield entry, f"{name}.{entry.option.name}", inside
        if owner is not None:
            for key, group in self.rules.menus.items():
                home, _, menu = key.rpartition(".")
                if menu == name and home and self.is_of(owner, home):
                    for entry in group:
                        inside = env.inner()
                        inside.board, inside.board_name = owner, ""
                        yield Entry(entry.option, ""), f"{key}.{entry.option.name}", inside

    def is_of(self, owner: Thing, home: str) -> bool:
        """Whether a kind's, or a board's, options are this one's."""
        return owner.name == home if owner.is_board and home not in self.world.kinds else self.world.is_kind(owner.kind, home)

    def free_options(self, env: Env) -> Iterator[tuple[str, Entry, Env]]:
        """What windows offer: to whoever performs the procedure in which they are open."""
        seat = self.me(env)
        for name, window in self.rules.windows.items() if not (self.in_free_action or env.secret) else ():
            if window.during is not None and self.performing(window.during) is not seat:
                continue
            base = Env(seat)
            base.path, base.secret = env.path, env.secret
            if window.when is not None and not self.truth(window.when, base):
                continue
            for entry in window.options:
                inside = base.inner()
                inside.board_name = entry.board
                inside.board = self.things_named[entry.board][0] if entry.board else None
                yield name, entry, inside

    def written_option(self, entry: Entry, address: str) -> tuple[t.Option, str] | None:
        """An option as it is after all edits; None if it is removed."""
        if ("option", address) in self.rules.removed:
            return None
        return self.rules.replaced_options.get(address, (entry.option, entry.board))

    def option(self, entry: Entry, menu: str, env: Env) -> Iterator[Choice]:
        """Every way to take an option: domain and `where`, then `when`, what restricts it, then the cost."""
        address = menu if "." in menu else f"{menu}.{entry.option.name}"
        written = self.written_option(entry, address)
        if written is None:
            return
        option, board = written
        inside = env.inner()
        if board:
            inside.board, inside.board_name = self.things_named[board][0], board
        if entry.board and not self.in_play(entry.board):
            return
        early = option.when is not None and not self.mentions(option.when, {b.name for b in option.binders})
        if early and option.when is not None and not self.truth(option.when, inside):
            return
        if option.once_per is not None and self.state.get(("once", address)):
            return
        for names in self.bindings(option.binders, inside):
            if option.when is not None and not early and not self.truth(option.when, names):
                continue
            if self.restricted(address, names) or not self.payable(option.cost, names):
                continue
            yield self.choice_of(option, address, names)

    @abstractmethod
    def mentions(self, e: t.Expr, names: set[str]) -> bool:
        ...

    def restricted(self, address: str, env: Env) -> bool:
        for restrict, board in self.rules.restricts.get(address, ()):
            inside = env.inner()
            if board:
                inside.board = self.things_named[board][0]
            if restrict.when is None or self.truth(restrict.when, inside):
                if not all(self.truth(require.condition, inside) for require in restrict.requires):
                    return True
        return False

    def choice_of(self, option: t.Option, address: str, env: Env) -> Choice:
        name = option.ask.key or option.name
        values = [self.key_value(e, env) for e in option.keys] or [env.find(b.name)[1] for b in option.binders]
        key = "/".join([name, *map(self.spelled, values)])
        if option.keys:
            key = KeyedNow(key, name, len(values))

        def perform(ways: tuple[int, ...] = ()) -> Course:
            inside = env.inner()
            if option.once_per is not None:
                self.state.set(("once", address), True)
            inside.path = (*inside.path, key)
            yield from self.pay(option.cost, inside, ways)
            yield from self.around_option(address, inside, lambda: self.run(option.body, inside))

        return Choice(key, perform, asks_payment=perform if self.leaves_choice(option.cost, env) else None)

    @abstractmethod
    def menu_tells(self, s: t.Menu, name: str, owner: Thing | None, env: Env) -> bool:
        ...

    @abstractmethod
    def offer_tells(self, s: t.May, env: Env) -> bool:
        ...


__all__ = ["Menus", "RulesWrong"]
