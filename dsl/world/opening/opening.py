"""Opens the box for one table: numbers every sort, thing and member, and works out every fixed property."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.assumed import Assumed
from ichiba.dsl.world.constant import MOST_STEPS, Scope, work_out
from ichiba.dsl.world.given import Proto
from ichiba.dsl.world.kinds import Kind, set_of
from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.opening.fields import amount_of_thing, is_set_empty, number_fields
from ichiba.dsl.world.opening.grids import lay_grids
from ichiba.dsl.world.opening.maps import judge_islands
from ichiba.dsl.world.opening.members import Members
from ichiba.dsl.world.opening.numbers import read_enums, read_options, read_units, refuse
from ichiba.dsl.world.opening.pieces import read_board_sorts, read_components, read_pieces
from ichiba.dsl.world.opening.sorts import read_all_fields
from ichiba.dsl.world.opening.tables import read_numbers, read_tables
from ichiba.dsl.world.opening.things import check_names, number_things, read_board, read_kinds, read_things, take_map
from ichiba.dsl.world.world import Config, Field, Thing, World
from ichiba.dsl.yaml.declarations import Box, OptionDecl
from ichiba.dsl.yaml.reading import Scalar


def open_box(box: Box, config: Config, faults: Faults, absent: dict[str, str] | None = None) -> World:
    """The world of one table. Faults are gathered; the world is whole enough to go on checking."""
    world = World(config)
    world.known = absent or {}
    scope = Scope(world, {"seats": config.seats})
    opening = Opening(box, config, faults, world, scope, Assumed(box, config.assumptions))
    scope.members = partial(amount_of_thing, opening)
    return _open(opening)


def _open(c: Opening) -> World:
    read_units(c)
    read_enums(c)
    read_options(c)
    read_numbers(c)
    read_kinds(c)
    take_map(c)
    for board in tuple(c.box.boards):
        read_board(c, board)
    for things in c.box.things:
        read_things(c, things)
    check_names(c)
    number_things(c)
    read_tables(c)
    number_fields(c)
    read_board_sorts(c)
    read_pieces(c)
    read_components(c)
    c.scope.pieces = c.world.how_many
    number_things(c)  # once more: single pieces are things too
    lay_grids(c)
    read_all_fields(c)
    _judge_chosen(c)
    _join_edges(c)
    c.world.groups = {proto.id: proto.group for proto in c.protos if proto.group}
    Members(c.box, c.world, c.faults, c.scope).declare()
    return c.world


def _judge_chosen(c: Opening) -> None:
    _settle_things(c)
    _judge_lists(c)
    _judge_refusals(c)


def _settle_things(c: Opening) -> None:
    """Options that are one thing of a kind: which one it is, or none."""
    for decl in c.box.options:
        if decl.form != "thing":
            continue
        [kind] = decl.words
        if not _are_things(c, kind):
            hint = _no_such_kind(c, decl, "write a list of words, or a kind of things")
            c.world.options[decl.name] = (-1, Kind("thing", hint or "thing", optional=True))
            continue
        word, given = c.things_chosen[decl.name]
        there = {proto.name: proto for proto in c.protos if c.world.is_kind(proto.kind, kind)}
        found = there.get(word) if isinstance(word, str) else None
        if found is not None:
            c.world.options[decl.name] = (found.id, c.world.options[decl.name][1])
        elif word not in (None, "none"):
            _no_such_thing(c, decl, word, given, list(there))


def _are_things(c: Opening, kind: str) -> bool:
    return kind in c.world.kinds and c.world.kinds[kind].root != "piece"


def _no_such_kind(c: Opening, decl: OptionDecl, label: str) -> str | None:
    hint = nearest(decl.words[0], [name for name in c.world.kinds if _are_things(c, name)])
    c.faults.add("E205", decl.span, f"no kind of things is called `{decl.words[0]}`", label=f"did you mean `{hint}`?" if hint else label)
    return hint


def _no_such_thing(c: Opening, decl: OptionDecl, word: object, given: bool, there: list[str]) -> None:
    hint = nearest(str(word), there)
    allowed = f"one of the {plural(decl.words[0])}, or none" + (f"; did you mean `{hint}`?" if hint else "")
    if given:
        refuse(c, decl, word, allowed)
    else:
        c.faults.add("E106", decl.span, f"`{word}`, of the option `{decl.name}`, is not there", label=f"it is {allowed}")


def _judge_lists(c: Opening) -> None:
    """What was chosen for an option that is a list of boards: each once, and only those that it allows."""
    for decl in c.box.options:
        value, _ = c.world.options.get(decl.name, ((), None))
        if decl.form != "list_of" or not isinstance(value, tuple):
            continue
        [kind] = decl.words
        if not _are_things(c, kind):
            hint = _no_such_kind(c, decl, "write a kind of boards or things")
            c.world.options[decl.name] = ((), set_of(Kind("thing", hint or "thing")))
            continue
        there = [proto for proto in c.protos if c.world.is_kind(proto.kind, kind)]
        known = [proto.name for proto in there]
        allowed = c.world.choosable[decl.name] = tuple(proto.name for proto in there if _allows(c, decl, kind, proto))
        for name in dict.fromkeys(value):
            if value.count(name) > 1:
                message = f"`{name}` stands {value.count(name)} times in the option `{decl.name}`"
                c.faults.add("E402", None, message, label="there is one of it")
            if name not in known:
                hint = nearest(name, known)
                message, label = f"`{name}` in the option `{decl.name}` is no {kind}", f"did you mean `{hint}`?" if hint else ""
                c.faults.add("E402", None, message, label=label, notes=("there are: " + ", ".join(known),))
            elif name not in allowed:
                notes = ("there are: " + ", ".join(allowed),)
                message = f"`{name}` cannot be in the option `{decl.name}`"
                c.faults.add("E402", None, message, label=decl.refusal, notes=notes)


def _allows(c: Opening, decl: OptionDecl, kind: str, proto: Proto) -> bool:
    """`where: market.fewest_seats <= seats`, of this board."""
    if c.world.fixed_steps > MOST_STEPS:  # that has been told
        return False
    c.current[kind] = proto
    return decl.where is None or bool(work_out(decl.where, c.scope, c.faults))


def _judge_refusals(c: Opening) -> None:
    """Options that do not go together, and why."""
    names = {*(proto.name for proto in c.protos), *c.world.known}
    c.scope.things = lambda name: name if name in names else nearest(name, names)
    looked_at: list[str] = []
    c.scope.each = lambda name, plurals: _each(c, name, plurals, looked_at)
    c.scope.no_members = lambda owner, name: is_set_empty(c, owner, name)
    for refusal in c.box.refusals:
        looked_at.clear()
        if work_out(refusal.when, c.scope, c.faults):
            of_map = f", of {c.map.span.source.path}" if looked_at and c.map is not None else ""
            said = f"so says {refusal.span.source.path}:{refusal.span.line}{of_map}"
            c.faults.add("E412", None, "these options do not go together", label=refusal.because, notes=(said,))


def _each(c: Opening, name: str, plurals: str, looked_at: list[str]) -> Iterator[None] | None:
    """All things of a kind, one after the other under a name."""
    looked_at.append(plurals)
    kind = next((kind for kind in c.world.kinds if plural(kind) == plurals), None)
    return None if kind is None else _under(c, name, [proto for proto in c.protos if c.world.is_kind(proto.kind, kind)])


def _under(c: Opening, name: str, those: list[Proto]) -> Iterator[None]:
    before = c.current.get(name)
    for proto in those:
        c.current[name] = proto
        yield
    if before is None:
        c.current.pop(name, None)
    else:
        c.current[name] = before


def _join_edges(c: Opening) -> None:
    joined: list[tuple[int, int]] = []
    nodes = {c.world.thing(id).name: id for id in reversed(c.world.kinds["node"].things)}
    for proto in c.protos:
        if proto.ends is None:
            continue
        owner = c.world.kinds[proto.kind]
        ends: list[Thing] = []
        for name, node in zip(("a", "b"), proto.ends, strict=True):
            word = str(node.value) if isinstance(node, Scalar) else ""
            id = nodes.get(word)
            if id is None:
                hint = nearest(word, nodes)
                c.faults.add(
                    "E110",
                    node.span,
                    f"`{word}` is no place on this map",
                    label=f"did you mean `{hint}`?" if hint else "",
                )
                continue
            ends.append(c.world.thing(id))
            owner.fields.setdefault(name, Field(name, Kind("thing", ends[-1].kind))).values[proto.id] = id
        if len(ends) == 2:
            joined.append((ends[0].id, ends[1].id))
        if len(ends) == 2 and not c.world.thing(proto.id).title:
            both = [lang for lang in ends[0].title if lang in ends[1].title]
            c.world.thing(proto.id).title = {lang: f"{ends[0].title[lang]} – {ends[1].title[lang]}" for lang in both}
    if c.map is not None and joined:
        of_grids = {id for grid in c.world.grids for id in grid.cells.values()} - {end for ends in joined for end in ends}
        places = {id: c.world.thing(id).name for id in c.world.kinds["node"].things if id not in of_grids}
        judge_islands(c.map, places, joined, c.islands, c.faults)
