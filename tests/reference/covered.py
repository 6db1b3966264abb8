"""What others do in secret is seen as it was before, until something of it is revealed.

Which members a block covers is told from its text, whichever way its `if`s go: otherwise it would tell who has changed what.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.arguments import argument_at
from tests.reference.env import Env
from tests.reference.modules import Definition
from tests.reference.telling import Telling
from tests.reference.trees import nodes
from tests.reference.values import Value
from tests.reference.world import Member, Seat, Zone

CONDITIONS = {"span", "sort_span", "where", "condition", "keys", "key", "test"}


def written_as(member: Member) -> str:
    """What the text calls a place: its name, or that of what is set aside."""
    return f"set aside as {member.aside}" if member.promise else member.name


class Covered(Telling):
    """Lays covers over what blocks write, and takes them away."""

    covered: dict[Any, Any]  # by the key of the state: what the others still see there
    laid_open: set[Any]  # places that the running block has revealed itself
    running_block: t.Secretly | None
    ever_revealed: set[str]
    _blocks: dict[int, tuple[t.Secretly, set[str], set[str]]]

    def blocks(self) -> dict[int, tuple[t.Secretly, set[str], set[str]]]:
        """Every secret block there is, the names of its answers, and of the members that it can write."""
        if not self._blocks:
            for rules in self.world.box.rules:
                for s in nodes(rules.items):
                    if isinstance(s, t.Secretly):
                        answers = {x.name for x in s.body.body if isinstance(x, t.ChooseOne | t.ChooseNumber) and x.body is None}
                        self._blocks[id(s)] = s, answers, self.written_in(s.body)
        return self._blocks

    # ---------------------------------------------------------------------------------- covering, uncovering

    def secret_begins(self, s: t.Secretly) -> None:
        _, _, members = self.blocks()[id(s)]
        self.running_block, self.laid_open = s, set()
        self.covered |= {key: self.state.cells.get(key) for key in self.keys_of(members)}

    def secret_ends(self, s: t.Secretly) -> None:
        """What no rule will ever reveal is real when all have answered."""
        _, answers, members = self.blocks()[id(s)]
        self.running_block = None
        if not (answers | members) & self.ever_revealed:
            self.uncover(members, None)

    def cover_set_aside(self, purse: Member) -> None:
        """The purse for what a rule sets aside is there once something is: in a block the others see it as it was before that."""
        if self.running_block is not None:
            for seat in self.world.seats:
                self.covered.setdefault((purse, seat, ()), self.state.cells.get((purse, seat, ())))

    def keys_of(self, names: set[str]) -> Iterator[Any]:
        for owners, members in self.owned():
            for member in (member for member in members.values() if written_as(member) in names):
                for owner in owners:
                    for at in self.all_indexes(member):
                        if member.form != "zone":
                            yield member, owner, at
                            continue
                        zone = self.zone(member, owner, at)
                        yield zone, "things"
                        yield from ((zone, sort) for sort in self.held(zone))

    @abstractmethod
    def owned(self) -> list[tuple[list[Any], dict[str, Member]]]:
        ...

    @abstractmethod
    def whose(self, member: Member, owner: Any, index: tuple[Value, ...]) -> Seat | None:
        ...

    @abstractmethod
    def hiding(self, member: Member) -> str | None:
        ...

    def open_blocks(self, name: str, seats: set[Seat | None] | None, env: Env, only: t.Secretly | None = None) -> None:
        """A `reveal` of this behind a block makes what it wrote real for all: all of it, or the open places of these seats
        alone. What is hidden is real with the first of them: no more than its size is seen."""
        for s, _, members in self.blocks().values():
            named = s is only if only is not None else name in members
            if named and not (env.secret and s is self.running_block):
                self.uncover(members, None if only is not None or seats is None or None in seats else seats)

    def uncover(self, members: set[str], seats: set[Seat | None] | None) -> None:
        for key in list(self.covered):
            member, whose = self.place_of_key(key)
            if written_as(member) in members and (seats is None or self.hiding(member) or whose is None or whose in seats):
                del self.covered[key]

    def place_of_key(self, key: Any) -> tuple[Member, Seat | None]:
        if isinstance(key[0], Zone):
            return key[0].member, self.whose(key[0].member, key[0].owner, key[0].index)
        return key[0], self.whose(*key)

    def lay_open(self, places: list[Any]) -> None:
        """A `reveal` in the block itself opens what it names and nothing else, and hidden places only in the log."""
        for place in places:
            if self.hiding(place[0]) is None:
                self.laid_open.add(place)
                self.covered = {key: old for key, old in self.covered.items() if self.full_place(key) != place}

    def full_place(self, key: Any) -> Any:
        return (key[0].member, key[0].owner, key[0].index) if isinstance(key[0], Zone) else key

    def cells_for(self, place: Any, seat: Seat | None) -> dict[Any, Any]:
        """The state as a seat may know it: its own secret doings are real for it, those of others not yet."""
        whose = self.whose(*place)
        if whose is not None and whose in self.doing and (whose is seat or place in self.laid_open):
            return {**self.state.cells, **self.doing[whose]}
        return self.state.cells if whose is not None and whose is seat or not self.covered else {**self.state.cells, **self.covered}

    # ---------------------------------------------------------------------------- what a body changes itself

    def stopped(self, block: t.Block | None, seen: frozenset[str] = frozenset()) -> set[str]:
        found = self.stops(block, seen)[0]
        if found and block is not None:
            self.go_through(block, set(), {}, found, set())
        return found

    def go_through(self, block: t.Block, on: set[str], changes: dict[str, set[str]], found: set[str], entered: set[Any]) -> None:
        """What stops it, in order, with what has been changed before; as far as something may be required behind it."""
        for s in block.body:
            inner = self.blocks_in(s)
            for body, when in inner:
                if any(self.can_stop(one) for one, _ in inner):
                    found |= self.by_changes(self.looked_into(when), changes)
                self.go_through(body, on | self.looked_into(when), changes, found, entered)
            call = s.call if isinstance(s, t.Do) else s.value if isinstance(s, t.Let) else None
            called = call.what if isinstance(call, t.Call) else call
            bodies = self.performed_by(called.name) if isinstance(called, t.Name | t.Member) else []
            for body in bodies:
                if (id(body), frozenset(on)) not in entered:
                    entered.add((id(body), frozenset(on)))
                    self.go_through(body, on, changes, found, entered)
            names, goes_on = self.stopped_by(s, frozenset())
            if not inner and not bodies:
                found |= self.by_changes(names, changes)
            changed, by = self.changed_by(s)
            for name in changed:
                changes[name] = changes.get(name, set()) | on | self.looked_into(by)
                entered.clear()
            if isinstance(s, t.ChooseOne | t.ChooseNumber | t.ChooseSome | t.Menu | t.May | t.Race) or not goes_on:
                return

    def by_changes(self, names: set[str], changes: dict[str, set[str]]) -> set[str]:
        found, todo = set(names), list(names)
        while todo:
            new = changes.get(todo.pop().removeprefix("size of "), set()) - found
            found |= new
            todo += new
        return found

    def changed_by(self, s: t.Statement) -> tuple[set[str], list[Any]]:
        """The names of the places that a statement changes, and what it says of how."""
        match s:
            case t.SetTo(place=place, value=value) | t.Raise(place=place, by=value):
                return self.named_place(place), [value, place.args if isinstance(place, t.Call) else ()]
            case t.Mark(place=place):
                return self.named_place(place), [place.args if isinstance(place, t.Call) else ()]
            case t.Pay(payer=payer, amount=amount, taker=taker, tail=tail, purse=purse):
                purses = self.purses_named(purse or payer, amount) | self.purses_named(taker, amount)
                return purses, [amount, purse or payer if tail == "as_far" else ()]
            case t.SetAside(source=source, amount=amount):
                return self.purses_named(source or t.Name(s.span, "me"), amount), [amount]
            case t.Move(what=what, source=source, target=target, notes=notes):
                zones = self.zones_behind(what) | self.zones_behind(source) | self.zones_behind(target)
                return zones | {name for name, _ in notes}, [what, source or (), [value for _, value in notes]]
        return set(), []

    def blocks_in(self, s: t.Statement) -> list[tuple[t.Block, Any]]:
        """The blocks of a statement in which no question stands between, and on what it hangs whether they are done."""
        match s:
            case t.If(branches=branches, otherwise=otherwise):
                when = [condition for condition, _ in branches]
                return [(block, when) for block in (*(block for _, block in branches), otherwise) if block is not None]
            case t.ForEach(binder=binder, keys=keys, body=body, random=False):
                return [(body, (binder.domain, binder.top, binder.where, keys))]
            case t.Repeat(times=times, condition=condition, body=body):
                return [(body, (times, condition))]
            case t.AsSeat(body=body):
                return [(body, ())]
        return []

    # -------------------------------------------------------------------------------------- what is written

    def written_in(self, block: t.Block) -> set[str]:
        """The names of the members that a block can write, with what it performs."""
        found: set[str] = set()
        todo: list[t.Block] = [block]
        seen: set[int] = set()
        while todo:
            here = todo.pop()
            if id(here) in seen:
                continue
            seen.add(id(here))
            for node in nodes(here):
                match node:
                    case t.SetTo(place=place) | t.Raise(place=place) | t.Mark(place=place):
                        found |= self.named_place(place)
                    case t.Pay(payer=payer, amount=amount, taker=taker):
                        found |= self.purses_named(payer, amount) | self.purses_named(taker, amount)
                    case t.SetAside(source=source, amount=amount, name=aside):
                        found |= self.purses_named(source or t.Name(node.span, "me"), amount) | {f"set aside as {aside}"}
                    case t.Move(what=what, source=source, target=target):
                        found |= self.zones_behind(what) | self.zones_behind(source) | self.zones_behind(target)
                    case t.CostItem(what=what, source=source, target=target, by=by):
                        found |= self.zones_behind(what) | self.zones_behind(source) | self.zones_behind(target)
                        found |= self.purses_named(source, what)
                        todo += self.performed_by(by) if by is not None else []
                    case t.Do(call=call) | t.Let(value=call):
                        name = call.what if isinstance(call, t.Call) else call
                        if isinstance(name, t.Name | t.Member):
                            todo += self.performed_by(name.name)
        return found

    def rules_of(self, item: Any) -> set[str]:
        """How a procedure is called in the name of a purse that it has."""
        found = set()
        for named in [*self.rules.definitions.values(), *self.rules.members.values()]:
            rule = f"{named.kind}.{named.name}" if named.kind else named.name
            definition: Definition | None = named
            while definition is not None:
                found |= {rule} if definition.item is item else set()
                found |= {f"{rule} of {board}" for board, version in definition.boards.items() if version.item is item}
                definition = definition.original
        return found

    def cover_new(self, member: Member, seats: list[Seat], before: Value) -> None:
        """A purse that begins in a secret block, when something is set aside there for the first time."""
        if self.running_block is not None and member.name in self.blocks()[id(self.running_block)][2]:
            self.covered |= {(member, seat, ()): before for seat in seats if (member, seat, ()) not in self.covered}

    def named_place(self, place: t.Expr) -> set[str]:
        name = place.what if isinstance(place, t.Call) else place
        return {name.name} if isinstance(name, t.Name | t.Member | t.Of) else set()

    def purses_named(self, purse: t.Expr | None, amount: t.Expr) -> set[str]:
        """`my.cash`, or the purse of a seat in that unit."""
        if isinstance(purse, t.Member | t.Of) and any(purse.name in members for members in self.placed.values()):
            return {purse.name}
        units = self.units_in(amount) or {unit for given in self.stands_for(amount) for unit in self.units_in(given)}
        return self.own_purses("seat", units)

    def stands_for(self, e: Any) -> Iterator[t.Node]:
        """What the names in an amount stand for: `bid`, of `choose bid from $0 to my.cash`."""
        for node in nodes(e):
            if isinstance(node, t.Name):
                item = self.item_of(node)
                yield from self.given_to(item, node.name)
                yield from (inner.high for inner in nodes(item) if isinstance(inner, t.ChooseNumber) and inner.name == node.name)

    def zones_behind(self, e: Any, seen: frozenset[Any] = frozenset()) -> set[str]:
        """The zones that an expression stands for, or that its pieces lie in, followed back through names."""
        found: set[str] = set()
        for node in self.of_what_it_is(e):
            name = node.name if isinstance(node, t.Name | t.Member | t.Of) else None
            if name is None:
                continue
            if any(name in members and members[name].form == "zone" for members in self.placed.values()):
                found.add(name)
            item = self.item_of(node)
            if (id(item), name) in seen:
                continue
            inside = seen | {(id(item), name)}
            found |= set().union(*(self.zones_behind(text, inside) for text in self.texts_of(name)))
            for given in self.given_to(item, name):
                found |= self.zones_behind(given, inside)
        return found

    def of_what_it_is(self, e: Any) -> Iterator[t.Node]:
        """The parts of an expression, but its conditions and what it is ordered by."""
        if isinstance(e, tuple):
            for part in e:
                yield from self.of_what_it_is(part)
        elif isinstance(e, t.Node):
            yield e
            for name in e.__dataclass_fields__:
                if name not in CONDITIONS or isinstance(e, t.Within):  # in which it says where they lie
                    yield from self.of_what_it_is(getattr(e, name))

    def given_to(self, item: Any, name: str) -> Iterator[t.Node]:
        """What a name of a rule stands for; a parameter for what is handed over wherever the procedure is performed."""
        for node in nodes(item) if item is not None else ():
            match node:
                case t.Let(names=names, value=value) if name in names:
                    yield value
                case t.Binder(name=given, domain=domain) | t.ChooseOne(name=given, domain=domain) if given == name:
                    yield domain
                case t.ChooseSome(name=given, domain=domain) | t.Pick(name=given, domain=domain) if given == name:
                    yield domain
        params = [param.name for param in getattr(item, "params", None) or ()]
        if name not in params:
            return
        at = params.index(name)
        for rules in self.world.box.rules:
            for node in nodes(rules.items):
                if isinstance(node, t.Call) and isinstance(node.what, t.Name | t.Member) and node.what.name == getattr(item, "name", ""):
                    yield from argument_at(node, at, name)


__all__ = ["Covered"]
