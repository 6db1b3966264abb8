"""Pieces: families, their sorts, and those that exist one by one."""

from __future__ import annotations

from collections.abc import Iterable

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.assumed import Given
from ichiba.dsl.world.constant import work_out
from ichiba.dsl.world.given import MOST_PIECES, ROOTS, Proto, key_span
from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.opening.families import Family, Wanted, categories_of, families, is_made, keep_few, sorts_wanted
from ichiba.dsl.world.opening.numbers import refuse_given
from ichiba.dsl.world.opening.sorts import MadeFor, note_fields
from ichiba.dsl.world.world import Component, KindDef, Sort
from ichiba.dsl.yaml.declarations import ComponentDecl, Items, PieceDecl, free_name, plain_name, sequence
from ichiba.dsl.yaml.reading import Node, Scalar


def read_board_sorts(c: Opening) -> None:
    """A board can lie in a zone, so each is a sort of its own."""
    for proto in sorted((p for p in c.protos if p.board is not None), key=lambda p: p.id):
        sort = _sort(c, proto.name, proto.kind, 1, True, proto.span)
        proto.sort = sort.id
        c.world.thing(proto.id).sort = sort.id
        name = proto.kind
        while name:
            c.world.categories.setdefault(name, []).append(sort.id)
            name = c.world.kinds[name].parent
        home = proto.kind
        while home and home not in c.box.board_homes:
            home = c.world.kinds[home].parent
        if home:
            c.world.starts[sort.id] = c.box.board_homes[home]


def _sort(c: Opening, name: str, family: str, number: int, individual: bool, span: Span) -> Sort:
    sort = Sort(len(c.world.sorts), name, family, number=number, individual=individual, span=span)
    c.world.sorts.append(sort)
    c.world.families.setdefault(family, []).append(sort.id)
    return sort


def read_pieces(c: Opening) -> None:
    found = families(c)
    first: set[str] = set()
    for decl in c.box.pieces:
        if decl.board or decl.name in first:
            _only_sorts(c, decl, found[decl.name].decl if decl.name in first else None)
        else:
            first.add(decl.name)
    extra: dict[str, list[PieceDecl]] = {}
    for decl in c.box.pieces:
        if decl.name not in found:
            extra.setdefault(decl.name, []).append(decl)
    for name, more in extra.items():
        no_such_pieces(c.faults, name, more[0].span, found)
        c.faults.lost.update(item.name for decl in more for item in decl.items or ())
    for name, family in found.items():
        before = len(c.faults.errors), c.faults.held
        _read_family(c, family)
        if before != (len(c.faults.errors), c.faults.held):
            c.faults.doubtful.add(name)


def _only_sorts(c: Opening, decl: PieceDecl, family: PieceDecl | None) -> None:
    """What is said of a whole family stands where it is declared; others add sorts to it."""
    for key, span in decl.says if family is not None else ():
        if key not in ("sorts", "title", "assumption"):
            message = f"the pieces `{decl.name}` are declared already: only sorts can be added to them"
            label = (
                f"`{key}` is said of each sort: `sorts: {{blue: {{count: 1}}}}`"
                if key == "count"
                else f"leave out `{key}`"
            )
            second = (family.span, "declared here") if family is not None else None
            c.faults.add("E403", span, message, label=label, second=second)


def _sorts_once(c: Opening, family: Family, wanted: list[Wanted]) -> None:
    """Two files that bring sorts of the same name would bring two sorts that nobody can tell apart."""
    first: dict[str, Wanted] = {}
    for sort in wanted:
        other = first.setdefault(sort.item.name, sort)
        if other is sort:
            continue
        message = f"the pieces `{family.decl.name}` have the sort `{sort.item.name}` twice"
        code, second, label = "E206", None, "their names are put together alike: say how, `named: …`"
        if not sort.words:
            code, second = ("E206" if other.home.home == sort.home.home else "E403"), (other.item.span, "also here")
            label = "one of them needs another name"
        c.faults.add(code, sort.item.span, message, label=label, second=second)


def _read_family(c: Opening, family: Family) -> None:
    world, decl = c.world, family.decl
    wanted = sorts_wanted(c, family)
    keep_few(c, decl, len(wanted))
    _sorts_once(c, family, wanted)
    for _, kind in decl.sorts_for:
        if is_made(c, kind):
            message = f"the sorts of {kind} are made by `sorts_for` themselves"
            c.faults.add("E205", decl.span, message, label="name what they are made for")
        elif kind not in world.enums and kind not in world.kinds and not world.categories.get(kind):
            hint = nearest(kind, [*world.enums, *world.kinds, *world.categories])
            label = f"did you mean `{hint}`?" if hint else ""
            c.faults.add("E205", decl.span, f"no kind is called `{kind}`", label=label)
    world.families.setdefault(decl.name, [])
    world.categories.setdefault(decl.name, [])
    if decl.category:
        world.categories.setdefault(decl.category, [])
    for sort in wanted:
        _sorts_of(c, decl, sort)


def _sorts_of(c: Opening, decl: PieceDecl, wanted: Wanted) -> None:
    item, home, world = wanted.item, wanted.home, c.world
    fors = _what_for(c, decl, wanted)
    owner = fors[0].owner if len(fors) == 1 else None
    fields = dict(item.fields)
    if (instead := fields.pop("number", None)) is not None:
        message = f"the sort `{item.name}` of {decl.name} has no key `number`"
        c.faults.add("E101", key_span("number", instead), message, label="how many there are is said by `count`")
    many = _how_many(c, decl, item, fields.pop("count", decl.number), home)
    c.scope.words = {}
    number = _in_the_box(c, item, many, decl.per_seat)
    fields.pop("is", None)
    key = fields.pop("key", None)
    sides = _sides(c, fields.pop("sides", None)) or decl.sides
    individual = decl.individual or _remembers(c, decl.name)
    category2 = wanted.category
    if category2:
        individual = individual or _remembers(c, category2)
    elif decl.category:
        individual = individual or _remembers(c, decl.category)
    seats = range(c.config.seats) if decl.per_seat else (None,)
    for seat in seats:
        for side in sides or ("",):
            sort = _sort(c, item.name, decl.name, number, individual, item.span)
            sort.owner, sort.side = seat, side
            sort.key = str(key.value) if isinstance(key, Scalar) else ""
            if owner is not None:
                sort.thing = owner.id
            if decl.place and (not side or side == sides[0]):
                world.starts[sort.id] = decl.place
            if side and side != sides[0]:
                sort.number = 0
            _categorise(c, sort, decl, category2)
            if individual:
                _individuals(c, sort, decl, category2)
            note_fields(c, sort, decl, fields, fors, category2)


def _what_for(c: Opening, decl: PieceDecl, wanted: Wanted) -> list[MadeFor]:
    """What a sort is made for. While it is counted out and its fields are read, these fields are known."""
    words = wanted.words
    if decl.sorts_for and not words and wanted.home.board:  # a board's own sorts are for it, where they are for boards
        field, kind = decl.sorts_for[0]
        words = ((field, kind, wanted.home.board),)
    found = []
    for field, kind, word in words:
        owner = next((p for p in c.protos if p.name == word and c.world.is_kind(p.kind, kind)), None)
        if owner is not None:
            c.current[field] = c.current[kind] = owner
        c.scope.words[field] = c.scope.words[kind] = word
        found.append(MadeFor(field, kind, word, owner))
    return found


def _sides(c: Opening, node: Node | None) -> tuple[str, ...]:
    items = sequence(node, c.faults, "sides")
    for item in items:
        free_name(item, c.faults)
    return tuple(plain_name(item, c.faults) for item in items)


def _how_many(c: Opening, decl: PieceDecl, item: Items, node: Node | None, home: PieceDecl) -> int:
    board = home.board
    ids = [id for b in c.box.boards if b.name == board for field, id in b.assumptions if field == "pieces"]
    for given in (
        c.assumed.instead((home.assumption, decl.assumption), decl.name, item.name), c.assumed.instead(ids, f"{board}.pieces"),
    ):  # fmt: skip
        if given is None:
            continue
        value = given.value.get(item.name, given.value) if isinstance(given.value, dict) else given.value
        if isinstance(value, dict) and (any(isinstance(key, str) for key in value) or c.config.seats not in value):
            continue  # for other sorts, or other numbers of seats
        instead = Given(given.id, value)
        if wanted := instead.unfit(node):
            refuse_given(c, instead, item.name, wanted, node)
        else:
            node = instead.node()
    return 1 if node is None else _counted(c, node)


def _counted(c: Opening, node: Node) -> int:
    """How many there are of a sort, as it is written."""
    count = work_out(node, c.scope, c.faults)
    if not 0 <= count <= 10_000:
        c.faults.add("E106", node.span, f"there cannot be {count} of a piece", label="from 0 to 10,000")
        return 0
    return count


def read_components(c: Opening) -> None:
    """Each under a name that no pieces have: two rows of one name would be read as two numbers of one thing."""
    for decl in c.box.components:
        if decl.name in c.world.families:
            c.faults.add("E206", decl.span, f"there are pieces called `{decl.name}` already", label="one of them needs another name")
        c.world.components.append(Component(decl.name, _component_sorts(c, decl), decl.per_seat))


def _component_sorts(c: Opening, decl: ComponentDecl) -> tuple[tuple[str, int], ...]:
    if decl.sorts:
        return tuple((name, _counted(c, node)) for name, node in decl.sorts)
    return (("", 1 if decl.count is None else _counted(c, decl.count)),)


def _in_the_box(c: Opening, item: Items, number: int, per_seat: bool) -> int:
    """So many pieces, as long as there are not too many of all."""
    before = c.pieces
    c.pieces += number * (c.config.seats if per_seat else 1)
    if c.pieces <= MOST_PIECES:
        return number
    if before <= MOST_PIECES:
        c.faults.add(
            "E529",
            item.span,
            f"there are more than {MOST_PIECES:,} pieces in this game",
            label=f"{number:,} more of `{item.name}` are too many",
        )
    return 0


def _remembers(c: Opening, kind: str) -> bool:
    """Pieces that remember something exist one by one."""
    stateful = (t.Counter, t.Flag, t.Zone, t.Note, t.Remember, t.Purse)
    for rules in c.box.rules:
        for item in rules.items:
            if isinstance(item, t.Kind) and item.name == kind and any(isinstance(m, stateful) for m in item.members):
                return True
    parent = c.world.kinds[kind].parent if kind in c.world.kinds else ""
    return bool(parent) and parent not in ROOTS and _remembers(c, parent)


def _categorise(c: Opening, sort: Sort, decl: PieceDecl, category2: str) -> None:
    for name in categories_of(c.world, decl, category2):
        ids = c.world.categories.setdefault(name, [])
        if not ids or ids[-1] != sort.id:  # sorts come one after the other
            ids.append(sort.id)


def _individuals(c: Opening, sort: Sort, decl: PieceDecl, category2: str) -> None:
    world = c.world
    sort.kind = kind = decl.name if not category2 else sort.name
    parent = category2 or decl.category or "piece"
    if kind not in world.kinds:
        world.kinds[kind] = KindDef(kind, _above(c, kind, parent, decl), "piece")
    elif kind == decl.name and decl.category and world.kinds[kind].parent == "piece" and decl.category != kind:
        world.kinds[kind].parent = _above(c, kind, decl.category, decl)
    while kind not in ROOTS:  # what it is a kind of may be known from the box alone
        kind = world.kinds[kind].parent
        world.kinds.setdefault(kind, KindDef(kind, "piece", "piece"))
    kind = sort.kind
    for n in range(1, sort.number + 1):
        name = sort.full_name if sort.number == 1 else f"{sort.full_name}_{n}"
        if len(decl.sorts_for) == 1 and kind == decl.name:
            name = f"{sort.name}_{decl.name}_{n}"
        if sort.owner is not None:
            name = f"{name}_of_{sort.owner + 1}"
        proto = Proto(name, kind, (), decl.span, decl.home, sort=sort.id)
        c.protos.append(proto)


def _above(c: Opening, kind: str, parent: str, decl: PieceDecl) -> str:
    """What pieces are a kind of, unless that is of their own kind: whoever goes upward must come to an end."""
    above, seen = parent, [kind, parent]
    while above != kind and above in c.world.kinds:
        above = c.world.kinds[above].parent
        seen.append(above)
    if above != kind:
        return parent
    c.faults.add("E207", decl.span, "these kinds are each other's kind: " + " is ".join(seen))
    return "piece"


def no_such_pieces(faults: Faults, name: str, span: Span, known: Iterable[str]) -> None:
    """Told once: what else is said of the name follows from this."""
    hint = nearest(name, known)
    where = "a family of pieces is declared under `pieces` in game.yaml or in a module's file"
    there = ", ".join(known)
    notes = (where + (f"; there are: {there}" if there else "; there is none yet"),)
    label = f"did you mean `{hint}`?" if hint else ""
    faults.add("E205", span, f"no pieces are called `{name}`", label=label, notes=notes)
    faults.lost.add(name)
