"""Rule coverage: which rules a set of scenarios and playouts has reached, and which conditions were seen both ways.

A game is built once more from the same program, with marks in it: at the beginning of every procedure, trigger,
option and ending, and around every guard, `when`, cost and `if`. It plays exactly as the other does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ichiba.dsl import ir
from ichiba.dsl.constant import Scope
from ichiba.dsl.effects import walk
from ichiba.dsl.faults import Faults, RulesetFaults
from ichiba.dsl.reach import reached_procedures
from ichiba.dsl.ruleset import parts_of, read_box
from ichiba.dsl.source import Span
from ichiba.interpreter.emit import Digit, Emitter
from ichiba.interpreter.flow import Flow
from ichiba.interpreter.game import Game, execute
from ichiba.interpreter.layout import initial, lay_out
from ichiba.interpreter.raw import Raw
from ichiba.lab.scenarios import Games, Setting, Tested

REACHED = ("phase", "procedure", "rule", "option", "otherwise", "ending")  # reached or not
BOTH_WAYS = ("guard", "when", "cost", "require", "if")  # seen true, seen false
