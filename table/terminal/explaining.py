"""What there is to say about a key or a name that somebody asks about: `? buy/2`, `? stall 3`, `? seat 2`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.sight.figures import Figures
from ichiba.interpreter.sight.views import view_of
from ichiba.table.rulebook.rules import as_written, named_rules
from ichiba.table.scene.scene import Director
from ichiba.table.scene.sections import Entity
from ichiba.table.scene.spelling import FAINT, Cell, ink, joined, words_of
from ichiba.table.terminal.answers import Answers
from ichiba.table.terminal.asking import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ichiba.dsl.world.world import Field, Sort, Thing, World
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.table import Table

RULE_LINES = 14
Paragraph = tuple[Cell, int]  # and how far its further lines are moved in


def explain(table: Table, decision: Decision, answers: Answers, words: str, director: Director) -> Iterator[Paragraph]:
    """A thing or a seat: how it stands. A piece: what it is. An option: its rule. Anything else: why it is not possible now."""
    seat = re.fullmatch(r"seat[ /_]?(\d{1,2})", words.casefold())
    things = list(_things(table, words))
    found = answers.find(words)
    if words in answers.keys and found.place is not None:
        yield from _option(table, decision, answers.keys[found.place], found.place)
    elif seat is not None:
        yield from _seat(table, decision, int(seat[1]), director)
    elif things:
        for thing in things:
            yield from _thing(table, decision, thing, director)
    elif sorts := list(_sorts(table, words)):
        for sort in sorts:
            yield from _sort(table, sort, director)
    elif found.place is not None:
        yield from _option(table, decision, answers.keys[found.place], found.place)
    elif found.several:
        yield ink("It could be " + ", ".join(found.several)), 2
    else:
        yield from _impossible(table, decision, answers, words)


def _option(table: Table, decision: Decision, key: str, place: int) -> Iterator[Paragraph]:
    """The label, and the rule as it is written: it reads aloud."""
    code = decision.codes[place]
    yield (*ink(key, "cyan"), *ink(": " + decision.label_of(code))), 4
    decide = decision.site.decide
    span = None
    if isinstance(decide, ir.Decide):
        span = decide.options[table.game.explainer.decode(decision.site, code)[0]].span
    if span is None:
        return
    yield ink(f"It is possible. The rule ({span.source.path}:{span.line}):", FAINT), 2
    lines = as_written(span).split("\n")
    for line in lines[:RULE_LINES]:
        yield ink("  " + line), 6
    if len(lines) > RULE_LINES:
        yield ink(f"  … {len(lines) - RULE_LINES} more lines", FAINT), 0


def refused(table: Table, decision: Decision, answers: Answers, words: str) -> str:
    """Why something that was typed is no answer."""
    if words.isdigit() and answers.amounts is None:
        numbers = [entry.number for entry in answers.entries if entry.number is not None]
        among = ", ".join(map(str, numbers)) if len(numbers) < 8 else f"{min(numbers)} to {max(numbers)}"
        return f"There is no number {words} in the list{f' ({among})' if numbers else ''}."
    key = words.replace(" ", "_")
    if answers.amounts is not None and words.lstrip("-").isdigit():
        key = f"{answers.amounts.key.rpartition('/')[0]}/{words}"
    return sentence(table.why_not(key, decision.seat) or "it is not possible")


def _impossible(table: Table, decision: Decision, answers: Answers, words: str) -> Iterator[Paragraph]:
    if words.replace(" ", "_") in named_rules(table.game):
        yield ink(f"`{words}` is a rule; r {words} shows it."), 2
        return
    reason = refused(table, decision, answers, words)
    yield ink(reason), 2
    if "is no answer to this question" in reason:
        hint = nearest(words, [thing.name for thing in table.game.world.things])
        if hint:
            yield ink(f"There is something called `{hint}`."), 2


# ---------------------------------------------------------------------------------------- how it stands


def _things(table: Table, words: str) -> Iterator[Thing]:
    """Things of that name: `stall 2`, `stall/2`, a title in any language."""
    wanted = words.casefold().replace("/", " ").replace("_", " ")
    world = table.game.world
    for thing in world.things:
        if world.kinds[thing.kind].root == "piece":
            continue
        names = [f"{thing.kind} {thing.name}", *thing.title.values(), *([] if thing.name.isdigit() else [thing.name])]
        if wanted in (name.casefold().replace("_", " ") for name in names):
            yield thing


def _thing(table: Table, decision: Decision, thing: Thing, director: Director) -> Iterator[Paragraph]:
    board = next((board for board in table.game.box.boards if board.name == thing.name), None)
    said = board.about if board is not None else str(thing.look.get("about", ""))
    said = " ".join((table.game.text(f"about.{thing.name}") or said).split())
    name = words_of(director.speller.thing(thing))
    view = view_of(table, decision.seat, log=False)
    absent = "" if director.has_come(thing, view) else " It is not in play."
    yield (*ink(name, "bold"), *ink(f" is {_a(director.speller.name(thing.kind))}.{' ' + said if said else ''}{absent}")), 2
    values = () if absent else _values(director.thing(view, thing))
    for told in (_fixed(table, _fields_of(table.game.world, thing.kind), thing.id, director), values):
        if told:
            yield (*ink("  "), *told), 4
    if board is not None:
        yield ink(f"  r {board.name} shows how it is written ({board.path})", FAINT), 4


def _fields_of(world: World, kind: str) -> dict[str, Field]:
    """What things of a kind have that never changes; the coordinates of a map and the ends of a connection are drawn."""
    found: dict[str, Field] = {}
    while kind:
        found = {name: field for name, field in world.kinds[kind].fields.items() if name not in ("a", "b")} | found
        kind = world.kinds[kind].parent
    return found


def _fixed(table: Table, fields: Mapping[str, Field], id: int, director: Director) -> Cell:
    """`burns 3, fuel peat`: what never changes of it."""
    told = []
    for name, field in fields.items():
        value = field.values.get(id)
        if value is None or value == () or field.kind.form == "flag" and not value or field.kind.optional and value == -1:
            continue
        several = (value, field.kind.of or field.kind) if isinstance(value, tuple) else ((value,), field.kind)
        shown = [table.game.words.show(one, several[1]) for one in several[0]]
        told.append(ink(f"{director.speller.name(name)} {', '.join(shown)}"))
    return joined(told, ", ")


def _sorts(table: Table, words: str) -> Iterator[Sort]:
    """Sorts of pieces of that name, each once, whoever they belong to; `lamp 3` is a piece of its own and goes by its sort."""
    wanted = re.sub(r" \d+\Z", "", words.casefold().replace("_", " ").replace("/", " "))
    seen: set[tuple[str, str]] = set()
    for sort in table.game.world.sorts:
        names = (sort.name, sort.full_name, table.game.words.show(sort.id, Kind("sort")))
        if wanted in [name.casefold().replace("_", " ") for name in names] and (sort.family, sort.name) not in seen:
            seen.add((sort.family, sort.name))
            yield sort


def _sort(table: Table, sort: Sort, director: Director) -> Iterator[Paragraph]:
    world = table.game.world
    name, family = table.game.words.show(sort.id, Kind("sort")), director.speller.name(sort.family)
    alike = sum(other.number for other in world.sorts if (other.family, other.name) == (sort.family, sort.name))
    many = f"there {'is' if alike == 1 else 'are'} {alike} in the game"
    yield (*ink(name, "bold"), *ink(f" is {_a(family)}; {many}." if family != name else f": {many}.")), 2
    fields = {said: own[sort.family] for said, own in world.sort_fields.items() if sort.family in own}
    pieces = [thing for thing in world.things if thing.sort == sort.id]
    told = [_fixed(table, fields, sort.id, director)]
    told += [_fixed(table, _fields_of(world, one.kind), one.id, director) for one in pieces[:1]]
    if any(told):
        yield (*ink("  "), *joined([one for one in told if one], ", ")), 4


def _a(words: str) -> str:
    return f"an {words}" if words[:1].lower() in "aeiou" else f"a {words}"


def _seat(table: Table, decision: Decision, seat: int, director: Director) -> Iterator[Paragraph]:
    if not 1 <= seat <= table.game.seats:
        yield ink(f"There are seats 1 to {table.game.seats}."), 0
        return
    scene = director.scene(view_of(table, decision.seat, log=False), full=True, figures=Figures(table, decision.seat))
    seats = next(section for section in scene.sections if section.name == "seats")
    entity = seats.entities[seat - 1]
    yield (*entity.head, *ink(": "), *_values(entity)), 4


def _values(entity: Entity) -> Cell:
    return joined([(*ink(f"{value.label} "), *(value.cell or ink("nothing"))) for value in entity.values], "; ")
