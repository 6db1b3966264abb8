"""The functions that translate an expression to C, one for each kind that its value can have."""

from __future__ import annotations

from ichiba.interpreter.to_c.expressions.conditions import truth
from ichiba.interpreter.to_c.expressions.lists import listed, packed
from ichiba.interpreter.to_c.expressions.numbers import number
from ichiba.interpreter.to_c.known.scope import Translators

TRANSLATORS = Translators(number, truth, listed, packed)
