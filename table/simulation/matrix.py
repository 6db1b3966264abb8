"""Several runs in one: each combination of what is typed with `--each`, in a folder of its own.

    --each seats=2,3 --each policy=sensible,greedy+random     four runs: seats=2_policy=sensible, …
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from ichiba.dsl.files.writing import make_folder, read_regular, write_text
from ichiba.interpreter.run.table import new_seed
from ichiba.table.arguments import named
from ichiba.table.refusal import Refusal

MOST_RUNS = 400
ABOUT, LARGEST = "matrix.json", 2**20
NONE = "-"
LISTS = {"with": "modules", "variant": "variants"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One of the runs: its name, and what is chosen in it."""

    name: str
    args: argparse.Namespace


def cells(args: argparse.Namespace) -> list[Cell]:
    """All combinations, in the order that was typed. Raises `Refusal` where they say nothing."""
    found = [_values(words) for words in args.each]
    many = 1
    for _, values in found:
        many *= len(values)
    if many > MOST_RUNS:
        raise Refusal(f"ichiba simulate: these are {many:,} runs; {MOST_RUNS} are the most")
    names = [name for name, _ in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Refusal(f"ichiba simulate: --each {twice}=… stands there twice")
    made = []
    for combined in product(*(values for _, values in found)):
        chosen = argparse.Namespace(**{**vars(args), "each": []})
        for name, value in zip(names, combined, strict=True):
            _choose(chosen, name, value)
        spelled = "_".join(f"{name}={value}" for name, value in zip(names, combined, strict=True))
        made.append(Cell(re.sub(r"[^\w.=+-]", "-", spelled), chosen))
    if len({cell.name for cell in made}) < len(made):
        raise Refusal("ichiba simulate: two of these runs would lie in one folder; is a value of --each typed twice?")
    return made


def _values(words: str) -> tuple[str, list[str]]:
    name, equals, rest = words.partition("=")
    values = [value.strip() for value in rest.split(",") if value.strip()]
    if not equals or not name.strip() or not values:
        raise Refusal(f"ichiba simulate: --each {words}: it is written --each seats=2,3 or --each variant=-,short")
    return name.strip(), values


def _choose(args: argparse.Namespace, name: str, value: str) -> None:
    """As if it had been typed for this run alone."""
    if name == "seats":
        if not re.fullmatch(r"[1-9]\d{0,8}", value):
            raise Refusal(f"ichiba simulate: --each seats={value}: that is no number of seats")
        args.seats = int(value)
    elif name == "policy":
        args.policy = value.replace("+", ",")
    elif name == "config":
        args.config = None if value == NONE else value
    elif name in LISTS:
        before: Sequence[str] = getattr(args, LISTS[name])
        setattr(args, LISTS[name], [*before, *(() if value == NONE else named([value.replace("+", ",")]))])
    elif name.startswith("A-"):
        args.assumptions = [*args.assumptions, f"{name}={value}"]
    else:
        args.options = [*args.options, f"{name}={value.replace('+', ',')}"]


def begun(place: Path, args: argparse.Namespace, runs: Sequence[Cell]) -> Any:
    """The seed that all of them share, so that their games can be compared. Another matrix is never written over unasked."""
    about = place / ABOUT
    names = [cell.name for cell in runs]
    known = None
    try:
        known = json.loads(read_regular(about, LARGEST))
        sound = known.get("ichiba") == "matrix" and type(known["seed"]) in (int, str) and isinstance(known["runs"], list)
    except FileNotFoundError:
        sound = False
    except (OSError, ValueError, LookupError, AttributeError, RecursionError):
        known, sound = {}, False
    if known is not None and not args.force:
        if not sound:
            raise Refusal(f"ichiba simulate: {about} is no matrix of runs; --force replaces it")
        if known["runs"] != names or args.seed not in (None, known["seed"]):
            raise Refusal(f"ichiba simulate: {place} holds another matrix of runs; --force replaces it")
        return known["seed"]
    seed = args.seed if args.seed is not None else new_seed()
    make_folder(place)
    write_text(about, json.dumps({"ichiba": "matrix", "seed": seed, "runs": names}, ensure_ascii=False, indent=1) + "\n")
    return seed


def runs_in(place: Path) -> list[str]:
    """The names of the runs of a matrix; none where there is no matrix."""
    try:
        known = json.loads(read_regular(place / ABOUT, LARGEST))
        names = known["runs"] if known["ichiba"] == "matrix" else []
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []
    return [name for name in names if isinstance(name, str) and re.fullmatch(r"[\w.=+-]+", name) and name not in (".", "..")]


__all__ = ["Cell", "begun", "cells", "runs_in"]
