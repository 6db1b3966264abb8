"""What the files of a ruleset declare by name, before anything is worked out: whether a name can stand for what is wanted."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.syntax import tree as t
from ichiba.dsl.yaml.declarations import Box

FORMS = {"purse": t.Purse, "zone": t.Zone, "counter": t.Counter, "flag": t.Flag}


class Declared:
    """Asked anew for each name: a piece that is used brings names of its own."""

    def __init__(self, box: Box):
        self.box = box

    def items(self) -> Iterator[t.Item]:
        for rules in self.box.rules:
            yield from rules.items

    def members(self, owner: str, form: str) -> dict[str, t.MemberItem]:
        """The purses of seats, the zones of the table, the counters of a kind and of what it is a kind of."""
        found: dict[str, t.MemberItem] = {}
        parent: str | None = ""
        for item in self.items():
            if isinstance(item, t.Scope) and item.what == owner or isinstance(item, t.Kind) and item.name == owner:
                found |= {member.name: member for member in item.members if isinstance(member, FORMS[form])}
                parent = item.parent or parent if isinstance(item, t.Kind) else parent
        return self.members(parent, form) | found if parent else found

    def kinds(self) -> set[str]:
        """Whatever can be a type: kinds, families, categories, enumerations."""
        box = self.box
        found = {item.name for item in self.items() if isinstance(item, t.Kind)} | {decl.name for decl in box.sorts}
        found |= {option.name for option in box.options if option.form == "one_of"} | {things.kind for things in box.things}
        return found | {name for pieces in box.pieces for name in (pieces.name, pieces.category) if name} | {"seat"}

    def units(self) -> set[str]:
        return {unit.name for unit in self.box.units}

    def values(self) -> dict[str, str | None]:
        """Values, tables and numbers, each with its unit (`number` for none), or None where only its text would tell."""
        found: dict[str, str | None] = {fact.name: fact.unit or "number" for fact in (*self.box.tables, *self.box.numbers)}
        for item in self.items():
            if isinstance(item, t.Value):
                found[item.name] = item.gives.name if item.gives is not None else None
        return found

    def unit_of(self, value: t.Expr) -> str | None:
        """In which unit an amount is that is plainly written down (`number`: in none), or None."""
        match value:
            case t.Int():
                return "number"
            case t.Money(sign=sign):
                return next((unit.name for unit in self.box.units if unit.write.startswith(sign)), None)
            case t.Some(what=t.Name(name=name)) if name in self.units():
                return name
            case t.Name(name=name):
                return next((fact.unit or "number" for fact in self.box.numbers if fact.name == name), None)
            case _:  # any other: it is worked out, and whether it fits is seen where it is used
                return None
