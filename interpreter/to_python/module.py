"""The whole plan as one Python module: readable, and with no word of an author in the code."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_python.loop import LOOP, REFUEL
from ichiba.interpreter.to_python.printer import lines_of

HEAD = '''"""Made by the engine from a ruleset; not to be edited."""
from ichiba.interpreter.runtime.runtime import (
    BITS, FUEL, MASK, MISTAKES, MOST_OPTIONS, STEPS, RuleFault, Stop, TooLong, Unmet, alike, all_but, apart, bag_choices, below, best,
    big, cells_any, combos, compress, count_any, distinct, dot, draw_many, entry_at, first_of, fitting, get_ident, lacking, left,
    lowest, lying, owed, pack, place_in, power, shuffled, tick, times, too_many, unlike, unpack, weighted,
)
from ichiba.interpreter.runtime.ways import (
    fare, flood, fresh_fuel, old_fuel, or_else, recalled, remembered, spend, steps_to, ways,
)
'''

FINELY = """
from ichiba.interpreter.runtime.runtime import FINER
FUEL *= FINER
"""

CASES = '''
class Cases(dict):
    def __init__(self, cases, default):
        super().__init__(cases)
        self.default = default

    def __missing__(self, key):
        return self.default

'''


def module_text(plan: Sequence[p.Stm], left: Sequence[str], has_steps: bool, closely: bool = False) -> str:
    """`left`: the names of the blocks that are left early; `has_steps`: whether steps are counted anywhere; `closely`: all are."""
    classes = [f"class {name}(Exception):\n    pass\n" for name in left]
    loop = LOOP if has_steps else LOOP.replace(REFUEL, "")
    head = HEAD + FINELY if closely else HEAD
    return "\n".join([head, *classes, CASES, *lines_of(plan), loop]) + "\n"
