"""Who sees what: which questions may be skipped, what is revealed, and the views of seats and of spectators.

`hidden from others`: a seat sees its own, nobody else does. `hidden`, `screened`: the same, and what belongs to no seat
is seen by nobody. `face down`: nobody sees it. How many pieces lie in a zone is open to everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ichiba.dsl import tree as t
from tests.reference.env import Env
from tests.reference.triggers import Triggers
from tests.reference.values import Amount, PerSeat, Piece, Value, Word, Zones
from tests.reference.world import Member, Seat, Sort, Thing, Zone

HIDDEN = "hidden"


def nodes(node: Any) -> Iterator[t.Node]:
    """A node of the tree and all that stands in it."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes(part)
    elif is_dataclass(node) and isinstance(node, t.Node):
        yield node
        for field in fields(node):
            if field.name not in ("span", "sort_span"):
                yield from nodes(getattr(node, field.name))


class Visibility(Triggers):
    """Knows what everybody sees."""

    # ------------------------------------------------------------------------------------ what is read

    def mentions(self, e: t.Expr, names: set[str]) -> bool:
        if id(e) not in self._named:
            self._named[id(e)] = frozenset(node.name for node in nodes(e) if isinstance(node, t.Name))
        return not names.isdisjoint(self._named[id(e)])

    _named: dict[int, frozenset[str]]

    def members_named(self, parts: Iterable[t.Node]) -> set[str]:
        """All names of members that stand in these, and in the values that they ask for."""
        found: set[str] = set()
        todo: list[t.Node] = list(parts)
        seen: set[str] = set()
        while todo:
            for node in nodes(todo.pop()):
                name = node.name if isinstance(node, t.Name | t.Member | t.Of) else None
                if isinstance(node, t.IsA) and isinstance(node.kind, t.Name):
                    found.add(node.kind.name)
                if name is None or name in seen:
                    continue
                seen.add(name)
                found.add(name)
                todo += self.texts_of(name)
        return found

    def texts_of(self, name: str) -> list[t.Node]:
        """What a value of that name says, whoever's it is."""
        todo = [d for key, d in self.rules.definitions.items() if key == name]
        todo += [d for (_, key), d in self.rules.members.items() if key == name]
        found: list[t.Node] = []
        seen: set[int] = set()
        while todo:
            definition = todo.pop()
            if id(definition) in seen:
                continue
            seen.add(id(definition))
            todo += [*definition.boards.values(), *filter(None, [definition.original])]
            if definition.what in ("value", "guard"):
                found.append(definition.item.body)
            elif definition.what == "cost":
                found.append(definition.item.cost)
            found += [case.body for case, _ in definition.sorts]
        return found

    def hidden_names(self) -> set[str]:
        """The names of members that some seat may not see."""
        found = set()
        for members in self.placed.values():
            found |= {member.name for member in members.values() if self.hiding(member) is not None}
        return found

    def tells(self, env: Env, *parts: t.Expr | None) -> bool:
        """Whether a set of options hangs on something hidden."""
        key = tuple(id(part) for part in parts)
        if key not in self._tells:
            self._tells[key] = bool(self.members_named([p for p in parts if p is not None]) & self._hidden)
        return self._tells[key]

    _tells: dict[Any, bool]
    _hidden: set[str]

    def tells_cost(self, cost: t.Cost, env: Env) -> bool:
        if id(cost) not in self._tells:
            self._tells[id(cost)] = bool(self.read_by_cost(cost) & self._hidden)
        return self._tells[id(cost)]

    def read_by_cost(self, cost: t.Cost) -> set[str]:
        """What a cost asks for: what it names, and the purses of seats that it is paid out of."""
        costs, names = [cost], self.members_named([cost])
        costs += [c for (_, field), c in self.world.costs.items() if field in names]
        names = self.members_named(costs)
        units = {unit for c in costs for unit in self.units_named(c, names)}
        return names | {m.name for m in self.placed["seat"].values() if m.form == "purse" and m.unit in units}

    def units_named(self, cost: t.Cost, names: set[str]) -> set[str]:
        """The units in which something in it is written, or declared."""
        found = {self.world.signs.get(node.sign, "") for node in nodes(cost) if isinstance(node, t.Money)}
        found |= {self.unit_named(name) or "" for name in names}
        for name in names:
            number = self.world.numbers.get(name)
            found |= {number.unit} if isinstance(number, Amount) else set()
            for members in self.placed.values():
                member = members.get(name)
                if member is not None:
                    found |= {member.unit, member.type.name if member.type is not None else ""}
            found |= {f.type.name for kind in self.world.kinds for n, f in self.world.fields_of(kind).items() if n == name}
            found |= {d.item.unit for key, d in self.rules.definitions.items() if key == name and d.what == "value"}
            found |= {d.item.unit for (_, key), d in self.rules.members.items() if key == name and d.what == "value"}
        return found & set(self.world.units)

    def offer_tells(self, s: t.May, env: Env) -> bool:
        """Whether a `may` that is not offered tells something: sizes are open."""
        if s.only_choice:
            return False
        when = None if s.when is None else self.without_sizes(s.when)
        return self.tells(env, when) or s.cost is not None and self.tells_cost(s.cost, env)

    def without_sizes(self, e: t.Expr) -> t.Expr:
        """A condition without what asks only whether something lies somewhere: that is open to everybody."""
        todo: list[t.Node] = [e]
        sized: set[str] = set()
        while todo:
            for node in nodes(todo.pop()):
                if isinstance(node, t.Name) and self.texts_of(node.name):
                    todo += self.texts_of(node.name)
                if isinstance(node, t.IsEmpty) and isinstance(node.what, t.Name):
                    sized.add(node.what.name)
        return t.SetOf(e.span, tuple(t.Name(e.span, n) for n in self.members_named([e]) - sized))

    def menu_tells(self, s: t.Menu, name: str, owner: Thing | None, env: Env) -> bool:
        key = (id(s), name, owner)
        if key not in self._tells:
            parts: list[t.Node] = [s.done_when] if s.done_when is not None else []
            names: set[str] = set()
            inside = [(entry, address) for entry, address, _ in self.entries(s, name, owner, env)]
            if s.windows != "none":
                for window, entry in self.rules.windows.items():
                    inside += [(e, f"{window}.{e.option.name}") for e in entry.options]
                    parts += [entry.when] if entry.when is not None else []
            for e, address in inside:
                written = self.written_option(e, address)
                if written is not None:
                    option = written[0]
                    parts += [*option.binders, *filter(None, [option.when])]
                    names |= self.read_by_cost(option.cost) if option.cost is not None else set()
                    parts += [restrict for restrict, _ in self.rules.restricts.get(address, ())]
            self._tells[key] = bool((names | self.members_named(parts)) & self._hidden)
        return self._tells[key]

    # ------------------------------------------------------------------------------------- who may see

    def hiding(self, member: Member) -> str | None:
        """The word that hides a member in this game."""
        for what in ("hidden", "screened"):
            word = member.words.get(what)
            if word is not None and (word.arg is None or self.world.fixed.of(word.arg)):
                return what
        return "face_down" if "face_down" in member.words else None

    def whose(self, member: Member, owner: Any, index: tuple[Value, ...]) -> Seat | None:
        """Whose a place is: the seat's that has it, else of the first seat among its indexes."""
        if isinstance(owner, Seat):
            return owner
        return next((value for value in index if isinstance(value, Seat)), None)

    def sees(self, seat: Seat | None, member: Member, owner: Any, index: tuple[Value, ...]) -> bool:
        word = self.hiding(member)
        if word is None:
            return True
        whose = self.whose(member, owner, index)
        return word != "face_down" and whose is not None and whose is seat

    def audience(self, zone: Zone | None) -> Any:
        """Who learns what goes into a zone."""
        if zone is None or self.hiding(zone.member) is None:
            return "all"
        whose = self.whose(zone.member, zone.owner, zone.index)
        return "nobody" if whose is None or self.hiding(zone.member) == "face_down" else whose.number

    # ----------------------------------------------------------------------------------------- revealing

    def reveal(self, place: t.Expr, env: Env) -> None:
        """What it names is opened: the log tells it to all, and views show it until the next answer."""
        if self.state.trying:
            return
        known, bound = env.find(place.name) if isinstance(place, t.Name) else (False, None)
        if known and isinstance(bound, PerSeat):
            values = {str(s.number): self.shown(bound.answers[s]) for s in self.world.seats if s in bound.answers}
            self.log.append({"event": "reveal", "what": bound.name, "values": values, "audience": "all"})
            self.open_block(bound.name)
            return
        by_member: dict[Member, list[Any]] = {}
        for found in self.places_named(place, env):
            by_member.setdefault(found[0], []).append(found)
        for member, places in by_member.items():
            self.tell_revealed(member, places)

    def places_named(self, e: t.Expr, env: Env) -> list[Any]:
        """The places an expression names: one, all of an index that is not said, or those of every lot."""
        if isinstance(e, t.Member) and isinstance(e.of, t.Name) and self.is_of_all(e.of.name, env):
            owners: list[Any] = list(self.world.seats if e.of.name == "seat" else self.world.kinds[e.of.name].things)
            its = [(self.member(owner, e.name), owner) for owner in owners]
            return [(member, owner, at) for member, owner in its if member for at in self.all_indexes(member)]
        found = self.address(e, env)
        if found is not None and found[0].form != "zone":
            return [found]
        value = self.ev(e, env)
        zones = value.zones if isinstance(value, Zones) else (value,)
        return [(zone.member, zone.owner, zone.index) for zone in zones]

    def tell_revealed(self, member: Member, places: list[Any]) -> None:
        values = {self.place_name(p): self.content(p) for p in places}
        self.log.append({"event": "reveal", "what": member.full_name, "values": values, "audience": "all"})
        self.open_block(member.name)
        for p in places:
            self.opened[p] = self.content(p)

    opened: dict[Any, Any]  # what the last answer has brought to light

    def place_name(self, place: Any) -> str:
        member, owner, index = place
        names = [] if owner is self.world.table else [self.spelled_owner(owner)]
        return "/".join([*names, *map(self.spelled, index)]) or member.name

    def spelled_owner(self, owner: Any) -> str:
        return str(owner.number) if isinstance(owner, Seat) else owner.name

    def content(self, place: Any) -> Any:
        member, owner, index = place
        if member.form != "zone":
            return self.shown(self.state.get(place))
        found: dict[str, int] = {}
        for value, n in self.pieces((self.zone(member, owner, index),)).items:
            name = value.sort.spelled
            found[name] = found.get(name, 0) + n
        return found

    def shown(self, value: Value) -> Any:
        """A value as programs get it."""
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, Seat):
            return value.number
        return self.number_or_name(value)

    def number_or_name(self, value: Value) -> Any:
        spelled = self.spelled(value)
        return spelled if isinstance(value, Word | Sort | Thing | Piece | Zone) else int(spelled)

    # -------------------------------------------------------------------------------------- in secret

    def secret_begins(self, s: t.Secretly) -> None:
        self.covered = None
        self.before = dict(self.state.cells)
        exported = {x.name for x in s.body.body if isinstance(x, t.ChooseOne | t.ChooseNumber) and x.body is None}
        self.block_names = exported

    def secret_ends(self, s: t.Secretly, written: set[Any]) -> None:
        """What was written stays covered for the others until something of the block is revealed, if it ever is."""
        names = {key[0].name for key in written if isinstance(key[0], Member)}
        names |= {key[0].member.name for key in written if isinstance(key[0], Zone)}
        self.block_names = self.block_names | names
        if self.block_names & self.ever_revealed:
            self.covered = written
            self.before_block = {key: self.before.get(key) for key in written}

    def open_block(self, name: str) -> None:
        if self.covered is not None and name in self.block_names:
            self.covered = None

    covered: set[Any] | None
    before_block: dict[Any, Any]
    block_names: set[str]
    ever_revealed: set[str]


__all__ = ["HIDDEN", "Visibility"]
