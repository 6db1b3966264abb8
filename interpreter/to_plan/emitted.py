"""The plan of a game as it is printed for Python, and what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.interpreter.flow.horizons import Outlook
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_plan.context.context import Digit


@dataclass(slots=True, repr=False)
class Emitted:
    """The plan, the text of its Python module, and what belongs to it."""

    plan: tuple[p.Stm, ...]
    text: str
    tables: dict[str, object]
    faults: list[tuple[str, Span | None]]
    demands: list[ir.Require]
    effects: list[tuple[str, Span | None]]
    kinds: list[object]
    digits: dict[tuple[int, int], list[Digit]]
    landings: list[tuple[int, ir.Procedure, tuple[tuple[Site, int], ...]]] = field(default_factory=list)
    homes: dict[str, tuple[str, Span | None]] = field(default_factory=dict)  # by function: which rule it is, and where
    tells: list[ir.Tell] = field(default_factory=list)
    records: list[ir.Record] = field(default_factory=list)
    outlooks: dict[int, Outlook] = field(default_factory=dict)  # by the end of a dry run

    def __repr__(self) -> str:
        return f"Emitted({len(self.text):,} characters)"
