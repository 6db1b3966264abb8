"""How an expression is said as each of the kinds that a value can have."""

from __future__ import annotations

from ichiba.interpreter.to_c.expressions.conditions import truth
from ichiba.interpreter.to_c.expressions.lists import listed, packed
from ichiba.interpreter.to_c.expressions.numbers import number
from ichiba.interpreter.to_c.known.scope import Sayings

SAYINGS = Sayings(number, truth, listed, packed)
