"""What can be chosen before a game: its options, each with its type, what it is unless somebody chooses, and what it can be."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.world.constant import scope_of, work_out
from ichiba.dsl.world.kinds import Kind, unit_of
from ichiba.dsl.world.world import World
from ichiba.dsl.yaml.declarations import Box, OptionDecl
from ichiba.dsl.yaml.reading import Node, Scalar


@dataclass(frozen=True, slots=True)
class Choosable:
    """One option. `kind` is flag, one_of, thing, number, seat or list_of; `chosen` and `default` are as `load` takes them."""

    name: str  # a module's own with the module's name: `nuts.shells`
    kind: str
    chosen: object
    default: object
    choices: tuple[str, ...] = ()  # the words it can be, or the names that can be in the list
    least: int | None = None
    most: int | None = None
    title: str = ""
    source: str = ""

    def as_json(self) -> dict[str, object]:
        found: dict[str, object] = {"type": self.kind, "chosen": self.chosen, "default": self.default}
        found |= {"choices": list(self.choices)} if self.choices else {}
        found |= {"least": self.least, "most": self.most} if self.least is not None else {}
        return found | {key: words for key, words in (("title", self.title), ("source", self.source)) if words}


def choosable(box: Box, world: World, lang: str = "en") -> dict[str, Choosable]:
    """The options of a game as it is set up, by name."""
    found = [replace(_choosable(world, decl), title=decl.title.get(lang) or decl.title.get("en", "")) for decl in box.options]
    return {one.name: one for one in found}


def _choosable(world: World, decl: OptionDecl) -> Choosable:
    value, kind = world.options[decl.name]
    name = f"{decl.home}.{decl.name}" if decl.home else decl.name
    plain = decl.default.value if isinstance(decl.default, Scalar) else None
    made = Choosable(name, decl.form, value, plain, source=decl.source)
    match decl.form:
        case "flag":
            return replace(made, chosen=bool(value), default=bool(plain))
        case "one_of":
            chosen = decl.words[value] if isinstance(value, int) else decl.words[0]
            return replace(made, chosen=chosen, default=plain or decl.words[0], choices=decl.words)
        case "number":
            least, default, most = (_worked_out(world, node, kind) for node in (decl.low, decl.default or decl.low, decl.high))
            return replace(made, default=default, least=least, most=most)
        case "seat":
            seats = range(1, world.config.seats + 1)
            chosen_seat = value + 1 if isinstance(value, int) and value >= 0 else "random"
            return replace(made, chosen=chosen_seat, default=plain or "random", choices=("random", *map(str, seats)))
        case "thing":
            names = tuple(world.thing(id).name for id in world.kinds[decl.words[0]].things)
            chosen_thing = world.thing(value).name if isinstance(value, int) and value >= 0 else None
            return replace(made, chosen=chosen_thing, choices=names)
        case _:
            chosen_names = list(value) if isinstance(value, tuple) else []
            return replace(made, chosen=chosen_names, default=[], choices=world.choosable.get(decl.name, ()))


def _worked_out(world: World, node: Node | None, kind: Kind) -> int:
    """An end of a range, or what holds unless somebody chooses, for this number of seats."""
    if isinstance(node, Scalar) and isinstance(node.value, bool):
        return int(node.value)
    return 0 if node is None else work_out(node, scope_of(world), Faults(), unit=unit_of(kind))
