"""Answers that share a key: with it only the first of them could be given. Told where they are always offered together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import FIRST_THING, World

MOST = 5_000  # answers of one question


def judge_keys(program: ir.Program, faults: Faults) -> None:
    for procedure in program.procedures:
        for node in steps(procedure.body) if procedure.body is not None else ():
            if isinstance(node, ir.Decide):
                _judge(node, program.world, faults)


def _judge(decide: ir.Decide, world: World, faults: Faults) -> None:
    first: dict[str, ir.Option] = {}
    for option in decide.options:
        for key in islice(_always(option, world), MOST):
            if key in first:
                _tell(key, option, first[key], faults)
                break
            first[key] = option


def _tell(key: str, option: ir.Option, other: ir.Option, faults: Faults) -> None:
    label = "one of them needs another name, or a `key` of its own"
    second = (other.span, "the other one") if other is not option and other.span is not None else None
    faults.add("E531", option.span, f"two answers to one question have the key `{key}`", label=label, second=second)


def _always(option: ir.Option, world: World) -> Iterator[str]:
    """The keys of an option that is offered whatever happens, for each of its values."""
    if option.tests or option.keys is not None or any(bind.test is not None for bind in option.binds):
        return
    rows: list[list[str]] = []
    for bind in option.binds:
        items = bind.set.items if isinstance(bind.set, ir.Listed) else ()
        values = dict.fromkeys(item.value for item in items if isinstance(item, ir.Const))
        if not values or len(values) != len(dict.fromkeys(items)):
            return
        rows.append([_spelled(value, item.kind, world) for value, item in zip(values, items, strict=False)])
    for words in product(*rows):
        yield "/".join([option.key, *words])


def _spelled(value: int, kind: Kind, world: World) -> str:
    """A value in a key."""
    if kind.form in ("thing", "piece") and value >= FIRST_THING:
        thing = world.thing(value)
        return (world.sorts[thing.sort].key if thing.sort >= 0 else "") or thing.name
    return world.name_of(value, kind)
