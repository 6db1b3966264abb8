"""Numbers, tables and sorts that a module changes by name: `change: {price: [3, 5, 9], rounds: 5}`."""

from __future__ import annotations

from dataclasses import replace

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.yaml.declarations import Box, Change, Fact, Keys
from ichiba.dsl.yaml.elsewhere import Elsewhere
from ichiba.dsl.yaml.reading import Map, Node


def apply_changes(box: Box, faults: Faults) -> None:
    """What the switched-on modules change stands in place of what was declared, each change after those it comes after."""
    made: dict[str, Change] = {}
    elsewhere = Elsewhere(box)
    for change in list(box.changes):
        lists = (box.numbers, box.tables)
        rows = next((rows for rows in lists if _at(rows, change.name) is not None), None)
        if change.items is None and rows is None and elsewhere.brings("fact", change.name):
            box.changes.remove(change)
        elif change.items is None and rows is None:
            _nothing_of_that_name(change, box, faults)
        elif not _two_at_once(change, made.get(change.name), box, faults):
            made[change.name] = change
            if rows is None:
                items = change.items or ()
                box.sorts[:] = [replace(s, items=items) if s.name == change.name else s for s in box.sorts]
            elif (at := _at(rows, change.name)) is not None:
                rows[at] = _changed(rows[at], change, "is" if rows is box.numbers else "values", faults)


def _at(rows: list[Fact], name: str) -> int | None:
    return next((at for at, fact in enumerate(rows) if fact.name == name), None)


def _nothing_of_that_name(change: Change, box: Box, faults: Faults) -> None:
    known = [*(fact.name for fact in (*box.numbers, *box.tables)), *(decl.name for decl in box.sorts)]
    hint = nearest(change.name, known)
    label = f"did you mean `{hint}`?" if hint else ""
    notes = ("there are: " + (", ".join(known) or "none"),)
    faults.add("E205", change.span, f"no number, table or list of sorts is called `{change.name}`", label=label, notes=notes)


def _two_at_once(change: Change, other: Change | None, box: Box, faults: Faults) -> bool:
    """Two modules that change the same thing must say their order, by `needs` or `after`."""
    if other is None or _of_other_names(change, other):
        return False
    module = box.modules.get(change.home)
    if change.home != other.home and module is not None and module.comes_after(other.home):
        return False
    faults.add(
        "E403",
        change.span,
        f"`{change.home}` and `{other.home}` both change `{change.name}`",
        label=f"say their order: `after: [{other.home}]`, or `needs: [{other.home}]`; or that they never go together: `excludes: [{other.home}]`",
        second=(other.span, "also changed here"),
    )
    return True


def _of_other_names(change: Change, other: Change) -> bool:
    """Of a table by names one says this entry, the other that."""
    if not isinstance(change.node, Map) or not isinstance(other.node, Map):
        return False
    names = [{str(key.value) for key, _ in node.entries} for node in (change.node, other.node)]
    return names[0].isdisjoint(names[1]) and not any("values" in its or any(n.isdigit() for n in its) for its in names)


def _changed(fact: Fact, change: Change, value_key: str, faults: Faults) -> Fact:
    """The unit and the shape stay what they were; a value of its own source says so: `{is: 5, source: p. 3}`."""
    node: Node = change.node
    new = replace(fact, source="", assumption="", why="", was=fact, span=change.span, home=change.home)
    if not (isinstance(node, Map) and node.get(value_key) is not None):
        return replace(new, value=node)
    keys = Keys(node, faults, f"the change of `{fact.name}`")
    value = keys.node(value_key)
    assert value is not None
    new = replace(
        new, value=value, source=keys.text("source"), assumption=keys.text("assumption"), why=keys.text("why"),
        base=keys.whole("from", fact.base), then=keys.node("then") or fact.then,
    )  # fmt: skip
    keys.finish()
    return new
