"""Declares every place of the state: the members of the table, of seats and of kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.constant import Amount, CannotWorkOut, Scope, fixed_amount
from ichiba.dsl.world.kinds import FLAG, NUMBER, UNKNOWN, Kind, number, set_of
from ichiba.dsl.world.opening.pieces import no_such_pieces
from ichiba.dsl.world.starting import of_kind
from ichiba.dsl.world.world import (
    FIRST_THING,
    Enum,
    KindDef,
    Member,
    Memory,
    World,
    kind_named,
)
from ichiba.dsl.yaml.declarations import (
    Box,
    RulesText,
)
from ichiba.dsl.yaml.elsewhere import Elsewhere


class Members:
    """Declares every place of the state."""

    def __init__(self, box: Box, world: World, faults: Faults, scope: Scope):
        self.box, self.world, self.faults, self.scope = box, world, faults, scope

    def declare(self) -> None:
        for rules, item in self._items():
            if isinstance(item, t.Kind):
                kind = self.world.kinds.get(item.name)
                if kind is None and item.added and Elsewhere(self.box).brings("kind", item.name):
                    continue
                if kind is None:
                    hint = nearest(item.name, self.world.kinds)
                    self.faults.add(
                        "E205",
                        item.span,
                        f"no kind is called `{item.name}`",
                        label=f"did you mean `{hint}`?" if hint else "",
                    )
                    continue
                for member in item.members:
                    self._member(member, item.name, kind.members, self._owner_dims(item.name), rules.home)
                    if isinstance(member, t.MenuMember):
                        kind.menus.add(member.name)
            elif isinstance(item, t.Scope):
                self._scope(item, rules.board, rules.home)
        for unit in self.world.units:
            paid = Member(f"paid {unit}", "table", "counter", Kind("number", unit), (), low=0, high=10**9, internal="paid")
            self.world.table[paid.name] = paid
        self._places()

    def _items(self) -> Iterator[tuple[RulesText, t.Item]]:
        for rules in self.box.rules:
            for item in rules.items:
                yield rules, item

    def _scope(self, item: t.Scope, board: str, home: str) -> None:
        members: dict[str, Member]
        dims: tuple[tuple[int, int], ...]
        if item.what == "seat":
            members, dims, owner = self.world.seat, ((0, self.world.config.seats),), "seat"
        elif item.what == "table":
            members, dims, owner = self.world.table, (), "table"
        else:
            if not board:
                self.faults.add("E208", item.span, "`board:` stands in a board's own file")
                return
            thing = next((x for x in self.world.things if x.name == board), None)
            if thing is None:
                return
            kind = self.world.kinds.setdefault(f"board {board}", KindDef(f"board {board}", thing.kind, "board"))
            kind.things = [thing.id]
            members, dims, owner = kind.members, ((thing.id, 1),), f"board {board}"
        for member in item.members:
            self._member(member, owner, members, dims, home)

    def _owner_dims(self, kind: str) -> tuple[tuple[int, int], ...]:
        ids = self.world.kinds[kind].things
        return ((min(ids), len(ids)),) if ids else ((FIRST_THING, 0),)

    def _member(
        self,
        decl: t.MemberItem,
        owner: str,
        members: dict[str, Member],
        dims: tuple[tuple[int, int], ...],
        home: str,
    ) -> None:
        if not self._can_be_here(decl, owner) or not isinstance(decl, t.Counter | t.Flag | t.Purse | t.Zone | t.Note | t.Remember):
            return
        index: tuple[Kind, ...] = ()
        if not isinstance(decl, t.Purse | t.Note):
            index = tuple(kind for param in decl.index if (kind := self._index(param)) is not None)
        extents = [self.world.domain(kind) or (0, 0) for kind in index]
        member = Member(
            decl.name,
            owner,
            type(decl).__name__.lower(),
            FLAG,
            (*dims, *extents),
            index,
            span=decl.span,
            home=home,
        )
        member.words = {word.what: word for word in decl.words}
        self._uncounted(member)
        self._hidden_when(member)
        if decl.name in members:
            first = members[decl.name].span
            self.faults.add(
                "E206",
                decl.span,
                f"`{decl.name}` is defined twice",
                second=(first, "first defined here") if first else None,
            )
            return
        self._details(decl, member)
        members[decl.name] = member

    def _hidden_when(self, member: Member) -> None:
        """`hidden from others when closed_money`: an option, or what else is known before the game."""
        for word in member.words.values():
            if word.what in ("hidden", "screened", "face_down") and word.arg is not None:
                try:
                    of_kind(word.arg, FLAG, self.scope)
                except CannotWorkOut as fault:
                    fault.tell(self.faults)

    def _can_be_here(self, decl: t.MemberItem, owner: str) -> bool:
        """Fields are stated in the box, of seats and the table nothing is; only pieces have notes."""
        whose = {"seat": "a seat", "table": "the table"}.get(owner, "")
        kind = self.world.kinds.get(owner)
        if isinstance(decl, t.Field) and whose:
            label = "a number that never changes stands under `numbers:`; what changes is a counter, a flag or a memory"
            self.faults.add("E302", decl.span, f"{whose} has no fields", label=label)
        elif isinstance(decl, t.Note) and (whose or kind is not None and kind.root not in ("piece", "board")):
            label = f"write `flag {decl.name}`, or `remember {decl.name}: …`"
            self.faults.add("E302", decl.span, f"only pieces have notes; this is {whose or f'a {owner}'}", label=label)
        else:
            return True
        return False

    def _uncounted(self, member: Member) -> None:
        """Only of what is hidden it can be hidden how much it is."""
        word = member.words.get("uncounted")
        if word is not None and member.form == "zone" and member.words.keys().isdisjoint(("hidden", "screened", "face_down")):
            label = "like `zone earned of card, hidden from others, uncounted`"
            self.faults.add("E302", word.span, "`uncounted` is said of a zone that is hidden, screened or face down", label=label)

    def _index(self, param: t.Param) -> Kind | None:
        name = param.type.name if param.type else param.name
        kind = kind_named(self.world, name)
        if kind is None or self.world.domain(kind) is None:
            self.faults.add(
                "E205",
                param.span,
                f"`{name}` is nothing that can be counted through",
                label="seat, a kind, an enumeration or a sort",
            )
            return None
        return kind

    def _details(self, decl: t.MemberItem, member: Member) -> None:
        match decl:
            case t.Counter():
                (member.low, unit), (member.high, other) = self._amount(decl.low), self._amount(decl.high)
                if unit and other and unit != other:
                    label = f"this is {number(other)}"
                    second = (decl.low.span, f"this is {number(unit)}")
                    self.faults.add("E301", decl.high.span, "a counter counts in one unit", label=label, second=second)
                member.kind = number(unit or other)
                self._start(decl.start, member)
                if member.low > member.high:
                    self.faults.add("E106", decl.span, f"a counter from {member.low} to {member.high} has no values")
                elif decl.start is not None and not member.low <= (begins := self._amount(decl.start)[0]) <= member.high:
                    label = f"this is {begins}, and it goes from {member.low} to {member.high}"
                    self.faults.add("E106", decl.start.span, f"`{decl.name}` begins outside of its range", label=label)
            case t.Flag():
                member.low, member.high, member.start = 0, 1, decl.start
            case t.Purse():
                if decl.unit not in self.world.units:
                    hint = nearest(decl.unit, self.world.units)
                    self.faults.add(
                        "E205",
                        decl.unit_span or decl.span,
                        f"no unit is called `{decl.unit}`",
                        label=f"did you mean `{hint}`?" if hint else "",
                        notes=("units: " + ", ".join(self.world.units),),
                    )
                member.kind = number(decl.unit)
                self._start(decl.start, member)
                if decl.start is not None and self._amount(decl.start)[0] < 0:
                    self.faults.add("E106", decl.start.span, "a purse never begins with less than nothing")
            case t.Zone():
                self._zone(decl, member)
            case t.Note() | t.Remember():
                kept = type_of(self.world, decl.type, self.faults)
                holder = "a memory" if isinstance(decl, t.Remember) else "a note"
                member.kind = one_value(kept, decl.type.span, f"{holder} cannot hold", HOLDS_ONE, self.faults)
                if isinstance(decl, t.Remember) and member.kind.form == "number":
                    self._start(decl.default, member)
                elif isinstance(decl, t.Remember):
                    member.start = decl.default
            case (
                t.Field() | t.MenuMember() | t.Value() | t.Procedure() | t.Guard()
            ):  # what they are made of is told elsewhere
                pass
            case _:
                assert_never(decl)

    def _start(self, start: t.Expr | None, member: Member) -> None:
        """What it begins with: a plain number is an amount in its own unit."""
        member.start = start
        if start is None:
            return
        amount, unit = self._amount(start)
        if unit and unit != member.kind.name:
            self.faults.add("E301", start.span, f"this is {number(unit)}", label=f"{member.kind} is needed")
            member.start = None

    def _amount(self, expr: t.Expr) -> Amount:
        try:
            return fixed_amount(expr, self.scope)
        except CannotWorkOut as fault:
            fault.tell(self.faults)
            return 0, ""

    def _zone(self, decl: t.Zone, member: Member) -> None:
        world = self.world
        name = decl.sort
        if name in ("thing", "things", "piece"):
            member.kind, member.sorts = Kind("zone", "thing"), tuple(range(len(world.sorts)))
            world.categories.setdefault("thing", list(member.sorts))
        elif name in world.categories:
            member.kind, member.sorts = Kind("zone", name), tuple(world.categories[name])
        elif name in world.kinds and world.kinds[name].root in ("piece", "board"):
            world.categories.setdefault(name, [])
            member.kind, member.sorts = Kind("zone", name), tuple(world.categories[name])
        else:
            no_such_pieces(self.faults, name, decl.sort_span, world.categories)
            member.kind = Kind("zone", name)
        if decl.sort_of is not None:
            self._own_sorts(decl, member)
        member.memory = Memory(decl.forgets.names, decl.forgets.everything) if decl.forgets is not None else Memory()
        most = member.words.get("at_most")
        member.most = most.arg if most else None
        member.limit = self._amount(most.arg)[0] if most and most.arg is not None else None
        if member.most is not None and (unit := self._amount(member.most)[1]):
            self.faults.add("E301", member.most.span, f"this is {number(unit)}", label="a number is needed")
        elif member.most is not None and (member.limit or 0) < isinstance(member.most, t.Int):
            self.faults.add("E106", member.most.span, "nothing could ever lie there", label="`at most 1` or more")

    def _own_sorts(self, decl: t.Zone, member: Member) -> None:
        """`of ticket of me`, `of crate of board`: each such zone holds only the sorts of whom it belongs to."""
        if len(member.index) != len(decl.index):
            return  # an index that cannot be one, which has been told
        world, of = self.world, decl.sort_of
        first = len(member.dims) - len(member.index)
        position = 0 if of in ("me", "board") and first else None
        for at, param in enumerate(decl.index):
            if param.name == of:
                position = first + at
        ids = world.categories.get(decl.sort, [])
        per_seat = any(world.sorts[i].owner is not None for i in ids)
        if position is None or not (per_seat or any(world.sorts[i].thing >= 0 for i in ids)):
            self.faults.add(
                "E205",
                decl.span,
                f"`{of}` is no owner of {decl.sort}",
                label="`me`, `board` or an index of this zone",
            )
            return
        member.owner_at = position
        low, size = member.dims[position]
        for owner in range(low, low + size):
            member.own[owner] = tuple(
                i for i in ids if (world.sorts[i].owner if per_seat else world.sorts[i].thing) == owner
            )
        member.sorts = tuple(sorted(i for sorts in member.own.values() for i in sorts))

    def _places(self) -> None:
        """Where each individual lies, and its rank there when the zone is ordered."""
        ids = [thing.id for thing in self.world.things if thing.sort >= 0]
        if ids:
            dims = ((min(ids), max(ids) - min(ids) + 1),)
            self.world.places["place"] = Member("place", "piece", "place", Kind("zone"), dims)
            self.world.places["rank"] = Member("rank", "piece", "rank", NUMBER, dims)


HOLDS_ONE = "it holds one value: for many, a flag of each, `flag chosen(s: seat)`, or pieces in a zone"


def one_value(kind: Kind, span: Span, cannot: str, label: str, faults: Faults) -> Kind:
    """What is kept or given back is one value: no set, no place and nothing that only stands for a text."""
    if kind.form not in ("set", "zone", "purse", "measure", "table"):
        return kind
    faults.add("E302", span, f"{cannot} {kind}", label=label)
    return UNKNOWN


def type_of(world: World, written: t.Type, faults: Faults) -> Kind:
    """The kind that a written type means."""
    if written.values:
        name = "_or_".join(written.values)
        world.enums.setdefault(name, Enum(name, written.values))
        return Kind("enum", name)
    if written.name == "zone" and written.of:
        return Kind("zone", written.of, optional=written.optional)
    if written.name == "piece" and written.of:
        return world.element(written.of)
    if written.name == "set" and written.of:
        inner = kind_named(world, written.of)
        if inner is not None:
            return set_of(inner)
    if written.name == "bag" and written.of:
        return Kind("set", "bag", of=Kind("piece", written.of))
    if written.name == "measure":
        return Kind("measure", written.of or "")
    if written.name in ("table", "things", "sorts"):
        return Kind("table" if written.name == "table" else "set")
    if written.name == "purse":
        return Kind("purse")
    found = kind_named(world, written.name)
    if found is None:
        for kind in world.kinds:
            if plural(kind) == written.name:
                return set_of(kind_named(world, kind) or Kind("thing", kind))
        for family in world.categories:
            if plural(family) == written.name:
                return set_of(Kind("sort", family))
        known = ["number", "flag", "seat", *world.units, *world.enums, *world.kinds, *world.categories]
        hint = nearest(written.name, known)
        faults.add(
            "E205",
            written.span,
            f"no type is called `{written.name}`",
            label=f"did you mean `{hint}`?" if hint else "",
        )
        return UNKNOWN
    return Kind(found.form, found.name, found.of, optional=written.optional)
