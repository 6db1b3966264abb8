"""What an option costs, in words, for whoever is about to take it: `¥500`, `1 ap or ¥100`. What one has of it stands on the table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ichiba.dsl.rules import ir
from ichiba.dsl.statements.costs import price_in

if TYPE_CHECKING:
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.game import Game


def price_of(decision: Decision, code: int) -> str:
    """Nothing where it costs nothing, or where it is not said of what, or not in this language."""
    decide = decision.site.decide
    if not isinstance(decide, ir.Decide) or decide.paying:
        return ""
    game, state = decision.table.game, decision.table.state_for(decision.seat_index)
    number, values = game.explainer.decode(decision.site, code)
    option, told = decide.options[number], []
    for demand in option.tests:
        if demand.name != "cost":
            continue
        reason, binds, own = demand.reason, option.binds, values
        if reason is None:
            function, own = game.explainer.called(demand.test, option.binds, state, values)
            if function is None or function.reason is None:
                continue
            reason, binds = function.reason, tuple(ir.Bind(one, ir.Listed((), one.kind), None) for one in function.params)
        price = _in_words(game, reason)
        if price is not None:
            told.append(game.explainer.words(("price", id(reason)), price, binds, state, own))
    return game.words.own(" and ").join(one for one in told if re.search("[1-9]", one) and not one.isdigit())


def _in_words(game: Game, reason: ir.Label) -> ir.Label | None:
    """The price in a reason; where that has words, in English only."""
    parts = price_in(reason)
    own = game.words.own
    if not parts or game.lang != "en" and any(isinstance(part, str) and part.strip() and own(part) == part for part in parts):
        return None
    return ir.Label(parts)


__all__ = ["price_of"]
