"""The runtime's words in C: what each takes but for the state, and what it gives."""

from __future__ import annotations

from ichiba.interpreter.to_c.known.program import Kind

# I: a number. L: a list of numbers.
TAKES = {"first_of": "II", "lying": "IIIII", "count_any": "ILL", "cells_any": "ILL", "all_but": "IIII", "below": "I",
         "weighted": "LI", "draw_many": "III", "shuffled": "L", "combos": "LLI", "distinct": "L", "dot": "LL",
         "big": "I", "times": "I", "fitting": "I", "owed": "I", "power": "II", "steps_to": "LILL",
         "or_else": "II", "noted": "IL", "turn_begins": "I", "fresh_fuel": "", "old_fuel": "I"}  # fmt: skip
IN_C = {"fitting": "not_below", "owed": "not_below"}  # the others have the same name there

GIVES: dict[str, Kind] = {
    **dict.fromkeys(
        ("abs", "sum", "any", "all", "len", "bool", "min", "max", "next", "big", "times", "place_in", "entry_at", "fitting", "owed", "power",
         "first_of", "dot", "count_any", "below", "weighted", "tick", "spend", "alike", "apart", "too_many",
         "fare", "or_else", "noted", "turn_begins", "fresh_fuel", "old_fuel"), "number"),
    **dict.fromkeys(
        ("list", "tuple", "sorted", "frozenset", "range", "compress", "lying", "unpack", "cells_any", "all_but",
         "draw_many", "shuffled", "combos", "best", "distinct", "lowest", "unlike", "bag_choices", "flood", "ways", "steps_to",
         "recalled", "remembered"), "list"),
    "pack": "packed",
}  # fmt: skip
