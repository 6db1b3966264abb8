"""Which kinds of value fit where, and which of several meanings is the one that fits."""

from __future__ import annotations

from dataclasses import replace

from ichiba.dsl.faults.fault import quote
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import (
    AmountOf,
    CostRef,
    Lying,
    Meaning,
    Measure,
    MenuRef,
    Promised,
    Several,
    SortNames,
    TableRef,
    Zones,
)
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import Kind


def kind_of(c: Context, found: Meaning) -> Kind:
    if isinstance(found, ir.EXP_CLASSES):
        return found.kind
    if isinstance(found, ir.SET_CLASSES):
        return found.kind
    if isinstance(found, Zones | SortNames):
        return found.kind
    return Kind("nothing")


def element_kind(c: Context, found: Meaning) -> Kind:
    kind = kind_of(c, found)
    if isinstance(found, Zones):
        return c.world.element(kind.name)
    if isinstance(found, Lying):
        return c.world.element(found.zones.kind.name)
    return kind.of or kind


def fits(c: Context, actual: Kind, want: Kind) -> bool:
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
        return _is_one_of(c, actual.name, want.name)
    if want.form == "sort" and actual.form == "sort":
        return _is_one_of(c, actual.name, want.name)
    if want.form == "set" and actual.form == "set":
        return want.of is None or actual.of is None or fits(c, actual.of, want.of)
    return actual.form == want.form and (actual.name == want.name or not want.name)


def _is_one_of(c: Context, narrow: str, wide: str) -> bool:
    """Whether whatever is the one is also the other: every inn is a spot, but not every spot an inn."""
    if not narrow or not wide or narrow == wide or wide in ("thing", "piece"):
        return True
    if narrow in c.world.kinds and c.world.is_kind(narrow, wide):
        return True
    first, second = sorts_named(c, narrow), sorts_named(c, wide)
    return first <= second if first else narrow in c.world.categories


def sorts_of_kind(c: Context, kind: Kind) -> set[int]:
    """The sorts that a piece of this kind can be of."""
    return set(range(len(c.world.sorts))) if kind.name in ("", "thing", "piece") else sorts_named(c, kind.name)


def sorts_named(c: Context, name: str) -> set[int]:
    """The sorts of a category, a family or a kind of piece."""
    if name in c.world.categories:
        return set(c.world.categories[name])
    return {sort.id for sort in c.world.sorts if sort.kind == name}


def related(c: Context, a: str, b: str) -> bool:
    """Whether some piece could be of both kinds."""
    first, second = sorts_of_kind(c, Kind("piece", a)), sorts_of_kind(c, Kind("piece", b))
    return bool(first & second) or a in c.world.categories and not first or b in c.world.categories and not second


def settle(c: Context, several: Several, node: t.Expr, want: Kind | None) -> Meaning | None:
    """Choose the one meaning that fits what is wanted."""
    if want is not None:
        for meaning in several.meanings:
            kind = kind_of(c, meaning)
            if isinstance(meaning, SortNames) and want.form != "sort":
                continue
            if fits(c, kind, want) or want.form == "set" and want.of is not None and fits(c, kind, want.of):
                return meaning
    plain = [m for m in several.meanings if isinstance(m, ir.EXP_CLASSES)]
    if want is None and plain:
        return plain[0]
    kinds = " or ".join(str(kind_of(c, m)) for m in several.meanings)
    c.fault(
        "E302",
        node,
        f"`{several.name}` is {kinds}",
        label=f"{want} is needed" if want else "which one is meant?",
    )
    return None


def settle_alike(c: Context, found: list[Meaning], element: Kind | None) -> list[Meaning]:
    """In `{red, green}` every name means the same kind of thing."""
    if not any(isinstance(m, Several) for m in found):
        return found
    wanted = element or next((kind_of(c, m) for m in found if not isinstance(m, Several)), None)
    settled: list[Meaning] = []
    for meaning in found:
        if isinstance(meaning, Several):
            fitting = [m for m in meaning.meanings if wanted is not None and fits(c, kind_of(c, m), wanted)]
            settled.append(fitting[0] if fitting else meaning.meanings[0])
        else:
            settled.append(meaning)
    return settled


def common_kind(c: Context, kinds: list[Kind], nodes: tuple[t.Expr, ...]) -> Kind:
    """The kind that covers all of these."""
    first = next((k for k in kinds if k.form != "none"), kinds[0])
    for kind, node in zip(kinds, nodes, strict=True):
        if not (fits(c, kind, first) or fits(c, first, kind)):
            c.fault("E301", node, f"this is {kind}, but what stands before it is {first}")
    return widest(c, [kind for kind in kinds if kind.form != "none"] or kinds)


def widest(c: Context, kinds: list[Kind]) -> Kind:
    """Of kinds that fit each other the one that covers all of them."""
    first = kinds[0].plain
    return replace(first, name=common_category(c, [kind.name for kind in kinds])) if first.form in ("thing", "piece", "sort") else first


def common_category(c: Context, names: list[str]) -> str:
    """The nearest kind or category that holds all of these."""
    if len(set(names)) == 1:
        return names[0]
    chain: list[str] = []
    current = names[0]
    while current:
        chain.append(current)
        current = c.world.kinds[current].parent if current in c.world.kinds else ""
    for candidate in chain:
        if all(c.world.is_kind(n, candidate) for n in names):
            return candidate
    sorts = [set(c.world.categories.get(n, ())) for n in names]
    for category, ids in c.world.categories.items():
        if all(s <= set(ids) for s in sorts):
            return category
    c.world.categories.setdefault("thing", list(range(len(c.world.sorts))))
    return "thing"


def describe(c: Context, found: Meaning) -> str:
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
        case Promised(name=name) | Several(name=name):
            return f"`{name}`"
    return str(kind_of(c, found))


def says(c: Context, node: t.Expr, found: Meaning) -> str:
    """What an expression is, by its name if it has one: `bank` is a purse in coin."""
    what = describe(c, found)
    if isinstance(found, ir.Read) and found.member.form == "purse":
        what = f"a purse in {found.member.kind.name}"
    named = isinstance(node, t.Name) and f"`{node.name}`" not in what
    return f"{quote(node.span.text) if named else 'this'} is {what}"


def mismatch(c: Context, node: t.Expr, actual: Kind, want: Kind) -> None:
    label = f"{want} is needed"
    if actual.form == "piece" and want.form == "sort":
        label += f": {quote(f'sort of {node.span.text}')}"
    if actual.of and want.of and (actual.of.form, want.of.form) == ("piece", "sort"):
        label += f": of pieces it is a `bag of {want.of.name}`"
    c.fault("E301", node, f"this is {actual}", label=label)
