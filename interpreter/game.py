"""A ruleset made ready to be played by so many seats: its program, its places and its Python, and nothing that changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from ichiba.dsl import ir
from ichiba.dsl.box import Box
from ichiba.dsl.constant import Scope
from ichiba.dsl.faults import Faults
from ichiba.dsl.world import Config, World
from ichiba.interpreter import layout as places
from ichiba.interpreter.emit import Emitted, Emitter
from ichiba.interpreter.flow import Flow
from ichiba.interpreter.layout import Layout, initial, lay_out
from ichiba.interpreter.runtime import Context
from ichiba.interpreter.chance import Words


@dataclass(eq=False)
class Game:
    """What `load` gives: everything about a game that is the same at every table."""

    name: str
    config: Config
    box: Box
    world: World
    program: ir.Program
    layout: Layout
    flow: Flow
    emitted: Emitted
    code: SimpleNamespace
    first: list[int]
    traced: tuple[Emitted, SimpleNamespace] | None = None
    lang: str = "en"
    cache: dict[str, Any] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        return self.config.seats


def ready(box: Box, world: World, program: ir.Program, lang: str = "en") -> Game:
    """Lay out, cut, write and compile."""
    faults = Faults()
    scope = Scope({"seats": world.config.seats} | {n: v for n, (v, _) in world.numbers.items()})
    for name, (value, kind) in world.options.items():
        if isinstance(value, int) and kind.form != "seat":
            scope.values[name] = value
    layout = lay_out(world, scope, faults)
    faults.raise_if_errors()
    flow = Flow(program)
    emitted = Emitter(program, layout, flow, trace=False).emit()
    code = execute(emitted, f"<{box.name}>")
    places.finish(layout)
    game = Game(box.name, world.config, box, world, program, layout, flow, emitted, code, [], lang=lang)
    game.first = initial(layout, world)
    return game


def execute(emitted: Emitted, name: str) -> SimpleNamespace:
    """Run the generated module."""
    module: dict[str, Any] = {}
    exec(compile(emitted.text, name, "exec"), module)  # noqa: S102
    module.update(emitted.tables)
    dry = Context(Words(b"dry"))
    dry.dry = True
    module["DRY"] = dry
    module["DEEP"] = [1] * emitted.first_piece
    return SimpleNamespace(**{k: v for k, v in module.items() if not k.startswith("__")}, module=module)
