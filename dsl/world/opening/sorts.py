"""The fields of pieces: what a family says of its sorts, typed as the kind declares it.

    kind plant is piece:                      pieces: {plant: {sorts: {p3: {price: $3}, p4: {price: $4}}}}
        field price: dollar

A family without declared fields declares them by what it says: then it says them of all its sorts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_cost
from ichiba.dsl.world.constant import amount_of
from ichiba.dsl.world.given import LOOK, Proto, key_span
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, number
from ichiba.dsl.world.opening.fields import Fields
from ichiba.dsl.world.world import Field, Sort, field_of_family
from ichiba.dsl.yaml.declarations import PieceDecl, unknown_key
from ichiba.dsl.yaml.reading import Node, Scalar


@dataclass(slots=True)
class Said:
    """What a file says of one sort."""

    sort: Sort
    item: str
    span: Span
    kinds: tuple[str, ...]  # whose fields it has, the nearest first
    fields: dict[str, Node]
    about: dict[str, Proto]  # whose it is: `inn.beds` are those of that inn


class SortFields(Fields):
    """Works out the fields of sorts. They may name other sorts, so all sorts are numbered before."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.said: list[Said] = []
        self.told: set[tuple[str, str, str]] = set()  # family, sort and field

    def _say_fields(
        self, sort: Sort, decl: PieceDecl, fields: dict[str, Node], owner: Proto | None, for_name: str, also: str
    ) -> None:
        world, about = self.world, {}
        if decl.per_seat and sort.owner is not None:
            field_of_family(world, "owner", sort.family, SEAT).values[sort.id] = sort.owner
        if decl.sorts_for is not None:
            name, kind = decl.sorts_for
            if owner is not None:
                about = {name: owner, kind: owner}
                field_of_family(world, name, sort.family, Kind("thing", kind)).values[sort.id] = owner.id
            elif kind in world.enums and for_name in world.enums[kind].values:
                value = world.enums[kind].values.index(for_name)
                field_of_family(world, name, sort.family, Kind("enum", kind)).values[sort.id] = value
        kinds = self._kinds_of(sort, decl, also)
        self.said.append(Said(sort, sort.name, sort.span or decl.span, kinds, fields, about))

    def _kinds_of(self, sort: Sort, decl: PieceDecl, also: str) -> tuple[str, ...]:
        found: list[str] = []
        for start in (sort.kind or sort.name, decl.name, also, decl.category):
            name = start
            while name in self.world.kinds:
                found.append(name)
                name = self.world.kinds[name].parent
        return tuple(dict.fromkeys(found))

    def _fields_of_sorts(self) -> None:
        families: dict[str, list[Said]] = {family: [] for family in self.world.families}
        for said in self.said:
            families[said.sort.family].append(said)
        for family, sorts in families.items():
            kinds = tuple(dict.fromkeys(kind for said in sorts for kind in said.kinds)) or (family,)
            declared = {name: decl for kind in reversed(kinds) for name, decl in self._declared_in(kind).items()}
            for said in sorts:
                self._check_keys(said)
            for name, decl in declared.items():
                self._declared_field(family, name, decl, sorts)
            self._implied_fields(family, [said for said in sorts if not self._declares(said)])

    def _declared_in(self, kind: str) -> dict[str, t.Field]:
        return {name: decl for (owner, name), decl in self.field_decls.items() if owner == kind}

    def _declares(self, said: Said) -> bool:
        return any(self._declared_in(kind) for kind in said.kinds)

    def _check_keys(self, said: Said) -> None:
        """Where fields are declared, nothing else can be said."""
        known = [name for kind in said.kinds for name in self._declared_in(kind)]
        if not known:
            return
        for name, node in said.fields.items():
            if name not in known and not LOOK.match(name) and self._first(said, name):
                what = f"the sort `{said.item}` of {said.sort.family}"
                unknown_key(name, key_span(name, node), [*known, "number", "is", "key", "sides"], what, self.faults)

    def _first(self, said: Said, name: str) -> bool:
        """A sort of several sides or seats is told of once."""
        mark = (said.sort.family, said.item, name)
        first = mark not in self.told
        self.told.add(mark)
        return first

    def _declared_field(self, family: str, name: str, decl: t.Field, sorts: list[Said]) -> None:
        kind = self._field_kind(decl.type)
        field_ = field_of_family(self.world, name, family, kind)
        for said in sorts:
            if not any(self.field_decls.get((its, name)) is decl for its in said.kinds):
                continue
            node = said.fields.get(name)
            if kind.form == "cost":
                self._cost_of_sort(said, name, decl, node)
            elif node is not None:
                self.current.update(said.about)
                field_.values[said.sort.id] = self.value_of(kind, node)
            else:
                self._default_of_sort(field_, decl, said)

    def _default_of_sort(self, field_: Field, decl: t.Field, said: Said) -> None:
        value = self.default_value(field_.kind, decl)
        if value is not None:
            field_.values[said.sort.id] = value
        elif self._first(said, field_.name):
            message = f"`{said.item}` has no `{field_.name}`"
            label = f"{field_.kind} is needed"
            self.faults.add("E102", said.span, message, label=label, second=(decl.span, "declared here"))

    def _cost_of_sort(self, said: Said, name: str, decl: t.Field, node: Node | None) -> None:
        """A cost is what one piece says: only pieces that exist one by one can say it."""
        cost = parse_cost(node.text, self.faults) if isinstance(node, Scalar) else None
        if node is not None and not isinstance(node, Scalar):
            self.faults.add("E103", node.span, f"`{name}` is a cost", label="it is written like `1 ap` or `¥200`")
        if not said.sort.kind:
            if self._first(said, name):
                label = "say `individual: true`, or declare an amount: `field price: yen`"
                self.faults.add("E103", said.span, f"pieces of {said.sort.family} are counted and cannot state a cost", label=label)
            return
        owner = next(kind for kind in said.kinds if (kind, name) in self.field_decls)
        self.world.kinds[owner].fields.setdefault(name, Field(name, Kind("cost")))
        for thing in self.world.things:
            if thing.sort == said.sort.id:
                if cost is not None:
                    self.world.costs[(thing.id, name)] = cost
                self._default_cost(decl, name, thing.id)

    def _implied_fields(self, family: str, sorts: list[Said]) -> None:
        """A family of a kind without fields: what is said of one sort is said of all, in the same type."""
        first: dict[str, tuple[Kind, Said]] = {}
        for said in sorts:
            for name, node in said.fields.items():
                if not LOOK.match(name) and name not in first:
                    first[name] = self._guess(name, node), said
        for name, (kind, where) in first.items():
            field_ = field_of_family(self.world, name, family, kind)
            for said in sorts:
                if name in said.fields:
                    self.current.update(said.about)
                    field_.values[said.sort.id] = self.value_of(kind, said.fields[name])
                elif kind == FLAG:
                    field_.values[said.sort.id] = 0
                elif self._first(said, name):
                    notes = (f"say it for each sort, or declare it with a default: `field {name}: … = …` in `kind {family} is piece:`",)
                    message = f"`{said.item}` has no `{name}`, as `{where.item}` has"
                    self.faults.add("E102", said.span, message, label=f"{kind} is needed", notes=notes)

    def _guess(self, name: str, node: Node) -> Kind:
        if not isinstance(node, Scalar):
            return NUMBER
        if isinstance(node.value, bool):
            return FLAG
        if isinstance(node.value, int):
            return NUMBER
        if unit := amount_of(node, self.scope, Faults())[1]:
            return number(unit)
        for enum in self.world.enums.values():
            if node.value in enum.values and (name == enum.name or enum.name not in self.world.options):
                return Kind("enum", enum.name)
        for proto in self.protos:
            if proto.name == node.value:
                return Kind("thing", proto.kind)
        for sort in self.world.sorts:
            if sort.name == node.value:
                return Kind("sort", sort.family)
        return NUMBER
