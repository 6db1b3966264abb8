"""What a seat is asked, ready for a page: options with the things they are about, ranges, lots, and what is not possible and why."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.run.decisions import Decision
from ichiba.interpreter.run.table import FAULTS
from ichiba.interpreter.runtime.runtime import RuleFault, unpack
from ichiba.interpreter.saves.bundles import is_lot, sorts_asked
from ichiba.table.scene.spelling import key_of
from ichiba.table.scene.telling.prices import price_of
from ichiba.table.terminal.answers import Answers, Entry

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.table.sitting.course import Course

MOST_REASONS = 40  # of options that are told though they are not possible
MOST_TRIED = 12  # values of one that are tried


@dataclass(frozen=True, slots=True)
class Choice:
    """One option. `things`: what it is about, as pictures name it; `price`: what it costs, where its label does not say so."""

    key: str
    label: str
    things: tuple[str, ...] = ()
    price: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """A long row of numbers: the answer is `stem/number`."""

    stem: str
    low: int
    high: int
    step: int
    first: str  # the label of the lowest
    last: str


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that can be given in one answer, `name/2 wheat+1 rice`: the sorts that are still asked for, by key and in words."""

    name: str
    sorts: tuple[tuple[str, str], ...]
    most: int  # of the first


@dataclass(frozen=True, slots=True)
class Reason:
    """An option that is not possible now, and the first requirement that fails."""

    key: str
    label: str
    words: str
    things: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """`name`: of this decision, for whoever answers it."""

    name: str
    seat: int
    prompt: str
    path: str  # what has led to it, in words
    choices: tuple[Choice, ...]
    ranges: tuple[Range, ...]
    lot: Lot | None
    reasons: tuple[Reason, ...]


def name_of(table: str, course: Course, decision: Decision) -> str:
    """A name that nobody else's answer changes, and that is never given again. It is made of nothing that this seat does not know."""
    answered = sum(one.seat == decision.seat for one in course.given)
    about = [
        table,
        decision.seat,
        answered,
        course.undone[decision.seat],
        decision.question,
        decision.path,
        decision.keys(),
    ]
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()[:32]


def question_of(table: str, course: Course, decision: Decision) -> Question:
    answers = Answers.of(decision)
    keys = answers.keys
    choices = [_choice(decision, keys, entry) for entry in answers.entries if not entry.step]
    ranges = [_range(decision, entry) for entry in answers.entries if entry.step]
    reasons = tuple(_reasons(course.game, decision, set(keys)))
    return Question(
        name_of(table, course, decision),
        decision.seat,
        decision.prompt,
        _way(decision),
        tuple(choices),
        tuple(ranges),
        _lot(decision),
        reasons,
    )


@dataclass(frozen=True, slots=True)
class Called:
    """What the things and sorts of a game are called, by the words of its keys."""

    names: dict[str, str]

    @staticmethod
    def of(game: Game) -> Called:
        things = {thing.name: game.words.show(thing.id, Kind("thing", thing.kind)) for thing in game.world.things}
        sorts = {sort.key or sort.full_name: game.words.show(sort.id, Kind("sort")) for sort in game.world.sorts}
        return Called(sorts | things)


def _way(decision: Decision) -> str:
    """What has led to this question, in words: `visit › Eel`."""
    game = decision.table.game
    shown = game.keep(Called, lambda: Called.of(game)).names
    parts = [shown.get(part) or game.text(f"name.{part}") or part.replace("_", " ") for part in decision.path.split("/") if part]
    return " › ".join(part for at, part in enumerate(parts) if at == 0 or part != parts[at - 1])


def _choice(decision: Decision, keys: list[str], entry: Entry) -> Choice:
    code = decision.codes[entry.places[0]]
    label, price = decision.label_of(code), price_of(decision, code)
    return Choice(keys[entry.places[0]], label, things_of(decision, code), price if price not in label else "")


def _range(decision: Decision, entry: Entry) -> Range:
    first, last = (decision.label_of(decision.codes[entry.places[at]]) for at in (0, -1))
    return Range(entry.key.rpartition("/")[0], entry.low, entry.high, entry.step, first, last)


def things_of(decision: Decision, code: int) -> tuple[str, ...]:
    """The things and seats that an option names."""
    game = decision.table.game
    if not isinstance(decision.site.decide, ir.Decide):
        return ()
    number, values = game.explainer.decode(decision.site, code)
    binds = decision.site.decide.options[number].binds
    found = [name for bind, value in zip(binds, values, strict=True) for name in _named(game, bind, value)]
    return tuple(dict.fromkeys(found))


def _named(game: Game, bind: ir.Bind, value: int) -> Iterator[str]:
    kind = bind.var.kind
    several = isinstance(bind.set, ir.Combos)
    for one in unpack(value) if several else [value]:
        form = (kind.of or kind).form if several else kind.form
        if form == "thing" and one >= FIRST_THING:
            yield key_of(game.world.thing(one))
        elif form == "seat" and one >= 0:
            yield f"seat {one + 1}"


def _lot(decision: Decision) -> Lot | None:
    """Where only one sort is left, its numbers are options like all others."""
    if not is_lot(decision):
        return None
    game = decision.table.game
    known = sorts_asked(decision)
    now = game.explainer.bag_sort(decision.site, decision.table.state_for(decision.seat_index))
    left = known[known.index(now) :]
    words = {sort.key or sort.full_name: game.words.show(sort.id, Kind("sort")) for sort in game.world.sorts}
    return (
        Lot(decision.name, tuple((key, words[key]) for key in left), max(map(int, decision.codes)))
        if len(left) > 1
        else None
    )


# ------------------------------------------------------------------------------------------ what is not possible


def _reasons(game: Game, decision: Decision, possible: set[str]) -> Iterator[Reason]:
    """Options of a menu that cannot be taken; of one that asks for something, each thing or seat that it could be."""
    decide = decision.site.decide
    if not isinstance(decide, ir.Decide) or not decide.menu:
        return
    told = 0
    for number, option in enumerate(decide.options):
        for key, values, things in _could_be(game, option):
            if key in possible or told >= MOST_REASONS:
                continue
            words = decision.table.why_not(key, decision.seat)
            if words and not _goes_without_saying(words):
                told += 1
                yield Reason(key, _label(decision, number, values, key), words, things)


def _goes_without_saying(words: str) -> bool:
    """Where an author gives no reason, it speaks of code: it is an option for another time or another thing, and forty such lines help nobody."""
    return "`" in words


def _could_be(game: Game, option: ir.Option) -> Iterator[tuple[str, list[int], tuple[str, ...]]]:
    """Keys that an option could have, with the values in them and the things they are about."""
    if option.keys is not None or len(option.binds) > 1:
        return
    if not option.binds:
        yield option.key, [], ()
        return
    bind = option.binds[0]
    if bind.var.kind.form not in ("thing", "seat") or isinstance(bind.set, ir.Combos):
        return
    values = list(game.world.values(bind.var.kind))
    for value in values if len(values) <= MOST_TRIED else ():
        yield f"{option.key}/{game.words.key(value, bind.var.kind)}", [value], tuple(_named(game, bind, value))


def _label(decision: Decision, number: int, values: list[int], key: str) -> str:
    """As the option would be told; its key, where words in it cannot be worked out while it is not possible."""
    try:
        return decision.label_of(decision.table.game.code_of(decision.site, number, values))
    except (*FAULTS, RuleFault, KeyError, IndexError):
        return key.replace("_", " ").replace("/", " ")
