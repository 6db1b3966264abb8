"""Claims about assumptions: each thing that one covers can be set by itself, in every game, and nothing else changes."""

from collections.abc import Iterator
from functools import cache

import pytest

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.parts import parts_of
from ichiba.dsl.ruleset import assumption_ids, read_box
from ichiba.dsl.world.opening.opening import open_box
from ichiba.dsl.world.world import Config, World
from ichiba.dsl.yaml.declarations import Box
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Node, plain
from ichiba.interpreter.api import rulesets
from tests.depth import mostly_seldom

READ = Memory()


@cache
def usual(game: str) -> tuple[Box, dict[tuple[str, ...], object]]:
    box, world = built(game)
    return box, everything(world)


def built(game: str, assumptions: tuple[tuple[str, object], ...] = ()) -> tuple[Box, World]:
    folder, faults = rulesets()[game], Faults()
    modules = tuple(name for name, part in parts_of(folder).items() if part.what == "module")
    seats = max(read_box(folder, (), faults).seats[0], 2)
    box = read_box(folder, modules, faults, READ)
    world = open_box(box, Config(seats, modules, (), (), assumptions), faults)
    assert [fault.message for fault in faults.errors] == []
    return box, world


def everything(world: World) -> dict[tuple[str, ...], object]:
    """All numbers of a world, by what they are of."""
    found: dict[tuple[str, ...], object] = {("number", name): value for name, (value, _) in world.numbers.items()}
    found |= {("table", name): table.rows for name, table in world.tables.items()}
    for sort in world.sorts:
        found["pieces", sort.family, sort.full_name, str(sort.owner)] = sort.number
    for kind in world.kinds.values():
        for field in kind.fields.values():
            for id, value in field.values.items():
                found["field", world.groups.get(id, ""), world.thing(id).name, field.name] = value
    for (id, name), cost in world.costs.items():
        found["field", world.groups.get(id, ""), world.thing(id).name, name] = cost.span.text
    return found


def other(node: Node) -> object:
    """Another value of the same form."""
    match plain(node):
        case bool(value):
            return not value
        case int(value):
            return value + 1
        case [*rows]:
            return [*rows[:-1], 77]
        case dict(rows):
            return {key: 7 if isinstance(value, int) else [value[0] + 1, *value[1:]] for key, value in rows.items()}
        case str(text):
            return "2 ap" if text != "2 ap" else "1 ap"
    raise AssertionError(node)


Covered = tuple[str, str, object, set[tuple[str, ...]]]  # game, id, the value given, what it changes


def covered(game: str) -> Iterator[Covered]:
    """Every assumption of a game with each thing that it covers."""
    box, there = usual(game)
    for fact, what in [*((n, "number") for n in box.numbers), *((t, "table") for t in box.tables)]:
        if fact.assumption:
            yield game, fact.assumption, {fact.name: other(fact.value)}, {(what, fact.name)}
    for decl in box.pieces:
        if decl.assumption:
            yield game, decl.assumption, {decl.name: 11}, {key for key in there if key[:2] == ("pieces", decl.name)}
    for things in box.things:
        if things.assumption:
            listed = [dict((name, plain(node)) for name, node in item.fields) for item in things.items]
            number = next(name for name, value in listed[0].items() if isinstance(value, int) and value is not True)
            listed[0][number] = 7
            yield game, things.assumption, listed, {("field", things.board, things.items[0].name, number)}
    for board in box.boards:
        for field, id in board.assumptions:
            if field != "pieces":
                node = next(node for name, node in board.fields if name == field)
                yield game, id, {f"{board.name}.{field}": other(node)}, {("field", "", board.name, field)}
                continue
            for decl in box.pieces:
                for item in decl.items or () if decl.board == board.name else ():
                    changed = {key for key, n in there.items() if key[:2] == ("pieces", decl.name) and n and _is(key[2], item.name)}
                    yield game, id, {f"{board.name}.pieces": {item.name: 11}}, changed


def _is(sort: str, name: str) -> bool:
    """`salmon_fresh` is salmon."""
    return sort == name or sort.startswith(f"{name}_")


CASES = [case for game in sorted(rulesets()) for case in covered(game)]


@pytest.mark.parametrize(("game", "id", "given", "what"), mostly_seldom(CASES, 18), ids=[f"{case[1]}-{n}" for n, case in enumerate(CASES)])
def test_it_is_set_by_itself(game: str, id: str, given: object, what: set[tuple[str, ...]]) -> None:
    before, after = usual(game)[1], everything(built(game, ((id, given),))[1])
    changed = {key for key in before if after.get(key) != before[key]}
    # what is worked out from it changes too: a barrel's number from its board's
    assert what <= changed
    assert changed - what <= {key for key in before if key[0] == "pieces"}
    assert not changed - what or next(iter(what))[-1].endswith("_in_box")


def test_every_assumption_of_every_game_is_among_these() -> None:
    ids = {(game, id) for game in rulesets() for id in assumption_ids(usual(game)[0])}
    assert ids == {(game, id) for game, id, _, _ in CASES}
