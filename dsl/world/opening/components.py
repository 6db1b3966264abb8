"""What else lies in the box: coins, boards to lay things on, a bag. No rule names it, and it is in no place of the state."""

from __future__ import annotations

from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.opening.pieces import amount_in_the_box
from ichiba.dsl.world.world import Component
from ichiba.dsl.yaml.declarations import ComponentDecl


def read_components(c: Opening) -> None:
    """Each under a name that no pieces have: two rows of one name would be read as two numbers of one thing."""
    for decl in c.box.components:
        if decl.name in c.world.families:
            c.faults.add("E206", decl.span, f"there are pieces called `{decl.name}` already", label="one of them needs another name")
        c.world.components.append(Component(decl.name, _sorts(c, decl), decl.per_seat))


def _sorts(c: Opening, decl: ComponentDecl) -> tuple[tuple[str, int], ...]:
    if decl.sorts:
        return tuple((name, amount_in_the_box(c, node)) for name, node in decl.sorts)
    return (("", 1 if decl.count is None else amount_in_the_box(c, decl.count)),)
