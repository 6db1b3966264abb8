"""Points of the rules that are told when they are reached."""

from __future__ import annotations

from typing import Protocol

from ichiba.dsl.rules import ir


class Marks(Protocol):
    """Who is told. Each point has a number; None: nobody asks about this one."""

    def of_condition(self, e: ir.Exp) -> int | None: ...

    def of_block(self, block: ir.Block) -> int | None: ...

    def of_lot(self, lot: ir.ChooseSome) -> int | None: ...

    def of_option(self, option: ir.Option) -> int | None: ...

    def of_ending(self, ending: int) -> int | None: ...

    def saw(self, number: int, value: object) -> object:
        """It was reached, and came to this."""
        ...
