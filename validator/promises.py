"""What an option promises is kept: nothing can fail once it can no longer be taken back."""

from __future__ import annotations

from typing import assert_never

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.rules import ir
from ichiba.validator.tracing.course import Here
from ichiba.validator.tracing.meanings import Meanings
from ichiba.validator.tracing.payments import Payments

_INSTEAD = "say `if` instead, and what happens otherwise"
_ASIDE = "set it aside before that, or say `if`"
_PAY = "set it aside before that, or say `if`, `as far as it goes` or `even into debt`"


class Promises:
    """Judges every requirement and payment by where it comes."""

    def __init__(self, meanings: Meanings, faults: Faults):
        self.faults, self.payments = faults, Payments(meanings)

    def asks(self, s: ir.Decide | ir.ChooseSome, here: Here) -> None:
        """Guards of options are looked at when these are offered, and in time."""

    def meets(self, s: ir.Stm, here: Here) -> None:
        match s:
            case ir.Require():
                self.demand(s, here)
            case ir.Pay(tail="in_full", span=span) if here.option is not None and here.late is not None:
                if not self.payments.safe(s, here.tests):
                    late = here.late
                    aside = isinstance(s.target, ir.PurseAt) and s.target.member.promise
                    self.faults.add(
                        "E523", span, f"this payment may fail after {late.why}, when nothing can be taken back",
                        label=_ASIDE if aside else _PAY,
                        second=(late.span, "from here on") if late.span is not None else None,
                    )  # fmt: skip
            case (
                ir.Assign() | ir.KeepSet() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet()
                | ir.Draw() | ir.Pick() | ir.Shuffle() | ir.Block() | ir.If() | ir.For() | ir.Repeat() | ir.Turns()
                | ir.Perform() | ir.Named() | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal()
                | ir.Reset() | ir.Watch() | ir.Hush() | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret()
            ):  # these cannot be refused
                pass
            case _:
                assert_never(s)

    def demand(self, s: ir.Require, here: Here) -> None:
        late = here.late or here.chosen
        if here.option is None:
            where = "in a rule that watches" if here.trigger else "where nobody has taken an option"
            self.faults.add("E523", s.span, f"a requirement {where} can refuse nothing", label=_INSTEAD)
        elif late is not None:
            self.faults.add(
                "E523", s.span, f"this requirement may fail after {late.why}, when nothing can be taken back", label=_INSTEAD,
                second=(late.span, "from here on") if late.span is not None else None,
            )  # fmt: skip


__all__ = ["Promises"]
