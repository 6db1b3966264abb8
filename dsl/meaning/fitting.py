"""Which kinds of value fit where, and which of several meanings is the one that fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import Faults, quote
from ichiba.dsl.meaning.meaning import (
    AmountOf,
    CostRef,
    Definition,
    Lying,
    Meaning,
    Measure,
    MenuRef,
    Several,
    SortNames,
    TableRef,
    Zones,
)
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import Kind, set_of
from ichiba.dsl.world.world import KindDef, Thing, World
from ichiba.dsl.yaml.declarations import Box

if TYPE_CHECKING:
    from ichiba.dsl.faults.source import Span


class Fitting:
    """Knows kinds and tells what does not fit."""

    finished = False  # the rules are written: scenarios and questions may ask for what is not there

    def __init__(self, box: Box, world: World, faults: Faults):
        self.box, self.world, self.faults = box, world, faults
        self.definitions: dict[str, Definition] = {}
        self.members: dict[tuple[str, str], Definition] = {}  # by kind and name
        self.plurals = self._plurals()
        self.namesakes: dict[str, list[ir.Const]] = {}  # things of several kinds that share a name
        self.by_name = self._things_by_name()
        self.sort_by_name = self._sorts_by_name()
        self.lookups: dict[str, tuple[object, ...]] = {}

    def _plurals(self) -> dict[str, Meaning]:
        found: dict[str, Meaning] = {}
        for name, enum in self.world.enums.items():
            kind = Kind("enum", name)
            found[plural(name)] = ir.Listed(tuple(ir.Const(i, kind) for i in range(len(enum.values))), set_of(kind))
        for name, ids in self.world.categories.items():
            kind = Kind("sort", name)
            found[plural(name)] = ir.Listed(tuple(ir.Const(i, kind) for i in ids), set_of(kind))
        for name, kind_def in self.world.kinds.items():
            if kind_def.root != "piece" and " " not in name:
                kind = Kind("thing", name)
                found[plural(name)] = ir.Listed(tuple(ir.Const(i, kind) for i in kind_def.things), set_of(kind))
        return found

    def _things_by_name(self) -> dict[str, ir.Const]:
        found: dict[str, ir.Const] = {}
        for thing in self.world.things:
            kind_def = self.world.kinds[thing.kind]
            if thing.name.isdigit() or kind_def.root == "edge":
                continue
            const = ir.Const(thing.id, Kind("thing", thing.kind))
            name = self._name_in_rules(thing)
            if name in found and kind_def.root != "board":
                self.namesakes.setdefault(name, [found[name]]).append(const)
                continue
            found[name] = const
        for name in list(self.namesakes):
            if self.world.kinds[self.world.thing(found[name].value).kind].root == "board":
                del self.namesakes[name]
            else:
                del found[name]
        return found

    def _name_in_rules(self, thing: Thing) -> str:
        """A piece that is the only one of its sort is still `buyer_1`: `buyer` is the sort, however many there are."""
        sort = self.world.sorts[thing.sort] if thing.sort >= 0 else None
        root = self.world.kinds[thing.kind].root
        return f"{thing.name}_1" if root == "piece" and sort and sort.full_name == thing.name else thing.name

    def _sorts_by_name(self) -> dict[str, list[SortNames]]:
        """Sorts by their plain name; those that are `one for each` go by `crate of m` instead."""
        found: dict[str, dict[str, list[int]]] = {}
        linked = {p.name for p in self.box.pieces if p.sorts_for is not None and not p.board}
        shown_by_board = {p.name for p in self.box.pieces if p.board}
        boards = {
            s.family for s in self.world.sorts if self.world.kinds.get(s.family, KindDef("", "", "")).root == "board"
        }
        for sort in self.world.sorts:
            if sort.family in boards or (sort.family in linked and sort.family not in shown_by_board):
                continue
            for name in dict.fromkeys((sort.name, sort.full_name)):
                found.setdefault(name, {}).setdefault(sort.family, []).append(sort.id)
        for name, ids in self.world.categories.items():
            found[name] = {name: list(ids)}  # of boards too: `draw 1 market from box`
        return {
            name: [SortNames(ir.SortSet(tuple(ids)), Kind("sort", family)) for family, ids in families.items()]
            for name, families in found.items()
        }

    def only_piece(self, names: SortNames) -> ir.Const | None:
        """The piece of a sort of which there is one in the box. Elsewhere the name is that of the sort, as with many."""
        if names.sorts.one is not None or len(names.sorts.sorts) != 1:
            return None
        sort = self.world.sorts[names.sorts.sorts[0]]
        return self.by_name.get(f"{sort.full_name}_1") if sort.number == 1 and sort.kind else None

    def pieces_of(self, names: SortNames) -> list[str]:
        """The names of the pieces of one sort, where they exist one by one."""
        if names.sorts.one is not None or len(names.sorts.sorts) != 1 or not self.world.sorts[names.sorts.sorts[0]].kind:
            return []
        return [name for name, const in self.by_name.items() if self.world.thing(const.value).sort == names.sorts.sorts[0]]

    def kind_of(self, found: Meaning) -> Kind:
        if isinstance(found, ir.EXP_CLASSES):
            return found.kind
        if isinstance(found, ir.SET_CLASSES):
            return found.kind
        if isinstance(found, Zones | SortNames):
            return found.kind
        return Kind("nothing")

    def element_kind(self, found: Meaning) -> Kind:
        kind = self.kind_of(found)
        if isinstance(found, Zones):
            return self.world.element(kind.name)
        if isinstance(found, Lying):
            return self.world.element(found.zones.kind.name)
        return kind.of or kind

    def fits(self, actual: Kind, want: Kind) -> bool:
        if "broken" in (actual.form, want.form):
            return True
        if actual.form == "none":
            return want.optional or want.form in ("none", "thing", "piece", "seat", "sort", "enum")
        if want.form == "none":
            return actual.optional
        if want.form == "number":
            return actual.form == "number" and (actual.name == want.name)
        if want.form == "zone":
            return actual.form == "zone"
        if want.form in ("thing", "piece") and actual.form in ("thing", "piece"):
            return self._is_one_of(actual.name, want.name)
        if want.form == "sort" and actual.form == "sort":
            return self._is_one_of(actual.name, want.name)
        if want.form == "set" and actual.form == "set":
            return (
                want.of is None or actual.of is None or self.fits(actual.of, want.of) or self.fits(want.of, actual.of)
            )
        return actual.form == want.form and (actual.name == want.name or not want.name)

    def _is_one_of(self, narrow: str, wide: str) -> bool:
        """Whether whatever is the one is also the other: every inn is a spot, but not every spot an inn."""
        if not narrow or not wide or narrow == wide or wide in ("thing", "piece"):
            return True
        if narrow in self.world.kinds and self.world.is_kind(narrow, wide):
            return True
        first, second = self.sorts_named(narrow), self.sorts_named(wide)
        return first <= second if first else narrow in self.world.categories

    def sorts_of_kind(self, kind: Kind) -> set[int]:
        """The sorts that a piece of this kind can be of."""
        return set(range(len(self.world.sorts))) if kind.name in ("", "thing", "piece") else self.sorts_named(kind.name)

    def sorts_named(self, name: str) -> set[int]:
        """The sorts of a category, a family or a kind of piece."""
        if name in self.world.categories:
            return set(self.world.categories[name])
        return {sort.id for sort in self.world.sorts if sort.kind == name}

    def _related(self, a: str, b: str) -> bool:
        if not a or not b or a == b or b in ("thing", "piece") or a in ("thing", "piece"):
            return True
        if a in self.world.kinds and b in self.world.kinds and (self.world.is_kind(a, b) or self.world.is_kind(b, a)):
            return True
        first, second = self.sorts_named(a), self.sorts_named(b)
        return (
            bool(first & second)
            or a in self.world.categories
            and not first
            or b in self.world.categories
            and not second
        )

    def settle(self, several: Several, node: t.Expr, want: Kind | None) -> Meaning | None:
        """Choose the one meaning that fits what is wanted."""
        if want is not None:
            for meaning in several.meanings:
                kind = self.kind_of(meaning)
                if isinstance(meaning, SortNames) and want.form != "sort":
                    continue
                if self.fits(kind, want) or want.form == "set" and want.of is not None and self.fits(kind, want.of):
                    return meaning
        plain = [m for m in several.meanings if isinstance(m, ir.EXP_CLASSES)]
        if want is None and plain:
            return plain[0]
        kinds = " or ".join(str(self.kind_of(m)) for m in several.meanings)
        self.fault(
            "E302",
            node,
            f"`{several.name}` is {kinds}",
            label=f"{want} is needed" if want else "which one is meant?",
        )
        return None

    def settle_alike(self, found: list[Meaning], element: Kind | None) -> list[Meaning]:
        """In `{red, green}` every name means the same kind of thing."""
        if not any(isinstance(m, Several) for m in found):
            return found
        wanted = element or next((self.kind_of(m) for m in found if not isinstance(m, Several)), None)
        settled: list[Meaning] = []
        for meaning in found:
            if isinstance(meaning, Several):
                fitting = [m for m in meaning.meanings if wanted is not None and self.fits(self.kind_of(m), wanted)]
                settled.append(fitting[0] if fitting else meaning.meanings[0])
            else:
                settled.append(meaning)
        return settled

    def common(self, kinds: list[Kind], nodes: tuple[t.Expr, ...]) -> Kind:
        """The kind that covers all of these."""
        first = next((k for k in kinds if k.form != "none"), kinds[0])
        for kind, node in zip(kinds, nodes, strict=True):
            if not (self.fits(kind, first) or self.fits(first, kind)):
                self.fault("E301", node, f"this is {kind}, but what stands before it is {first}")
        if first.form in ("thing", "piece"):
            return Kind(first.form, self.common_category([k.name for k in kinds if k.form != "none"]))
        return first.plain

    def common_category(self, names: list[str]) -> str:
        """The nearest kind or category that holds all of these."""
        if len(set(names)) == 1:
            return names[0]
        chain: list[str] = []
        current = names[0]
        while current:
            chain.append(current)
            current = self.world.kinds[current].parent if current in self.world.kinds else ""
        for candidate in chain:
            if all(self.world.is_kind(n, candidate) for n in names):
                return candidate
        sorts = [set(self.world.categories.get(n, ())) for n in names]
        for category, ids in self.world.categories.items():
            if all(s <= set(ids) for s in sorts):
                return category
        self.world.categories.setdefault("thing", list(range(len(self.world.sorts))))
        return "thing"

    def describe(self, found: Meaning) -> str:
        match found:
            case SortNames(kind=kind):
                return str(kind)
            case Zones(kind=kind):
                return str(kind)
            case Lying(zones=zones):
                return f"what lies in {zones.kind}"
            case AmountOf():
                return "an amount of pieces"
            case TableRef(table=table):
                return f"the table `{table.name}`"
            case Measure(function=function):
                return f"the value `{function.name}`"
            case MenuRef(name=name):
                return f"the menu `{name}`"
            case CostRef(name=name):
                return f"the cost `{name}`"
            case Several(name=name):
                return f"`{name}`"
        return str(self.kind_of(found))

    def says(self, node: t.Expr, found: Meaning) -> str:
        """What an expression is, by its name if it has one: `bank` is a purse in coin."""
        what = self.describe(found)
        if isinstance(found, ir.Read) and found.member.form == "purse":
            what = f"a purse in {found.member.kind.name}"
        named = isinstance(node, t.Name) and f"`{node.name}`" not in what
        return f"{quote(node.span.text) if named else 'this'} is {what}"

    def fault(
        self,
        code: str,
        node: t.Expr,
        message: str,
        *,
        label: str = "",
        notes: tuple[str, ...] = (),
        second: tuple[Span, str] | None = None,
    ) -> None:
        self.faults.add(code, node.span, message, label=label, notes=notes, second=second)

    def mismatch(self, node: t.Expr, actual: Kind, want: Kind) -> None:
        label = f"{want} is needed"
        if actual.form == "piece" and want.form == "sort":
            label += f": {quote(f'sort of {node.span.text}')}"
        self.fault("E301", node, f"this is {actual}", label=label)
