"""What lies in a run's folder, read. The ruleset is read too, if it is still there as it was: then things have their names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ichiba.dsl.faults.fault import LONG, RulesetFaults, echoed
from ichiba.lab.results.courses import Courses, courses_of
from ichiba.lab.results.reading import Columns, NoResults, columns_of, lines
from ichiba.table.arguments import Setting
from ichiba.table.refusal import FAULT, Refusal
from ichiba.table.scene.cards import in_language
from ichiba.table.simulation.matrix import runs_in
from ichiba.table.simulation.store import Row, Store, wrong_with

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ichiba.interpreter.run.game import Game


@dataclass(slots=True)
class Ran:
    """A run that has been read."""

    store: Store
    about: Row
    results: Columns
    courses: Courses
    game: Game | None  # None where the ruleset has changed since, or is gone
    gone: str = ""  # why there is none

    @property
    def name(self) -> str:
        return str(self.about["setting"]["game"])


def read_run(place: str, command: str, rules: str | None = None) -> Ran:
    """`rules`: where they lie, if not where a game of that name is looked for. Raises `Refusal` where no run lies there, or one
    that cannot be read."""
    store = Store.at(place)
    shown = echoed(place, LONG)
    several = runs_in(Path(place))
    if several:
        raise Refusal(f"ichiba {command}: in {shown} there are {len(several)} runs; say which: {echoed(str(Path(place) / several[0]), LONG)}, …")
    about = store.read_by(command, shown)
    try:
        if not all(isinstance(name, str) for name in (about["ruleset"], *about["policies"])):
            raise TypeError
        _setting(about)
        results = columns_of(about, _rows(store))
        courses = courses_of(results, lines(store.courses) if store.courses.exists() else iter(()))
    except (NoResults, LookupError, TypeError, ValueError, AttributeError) as fault:
        why = str(fault) if isinstance(fault, NoResults) else "run.json says something else than a run of this version"
        raise Refusal(f"ichiba {command}: {shown} cannot be read: {why}", FAULT) from None
    game, gone = _game(about, rules)
    return Ran(store, about, results, courses, game, gone)


def _rows(store: Store) -> Iterator[Row]:
    for number, row in enumerate(lines(store.rows), 1):
        wrong = wrong_with(row, number)
        if wrong:
            raise NoResults(f"line {number} is no game of this run: {wrong}")
        yield row


def _setting(about: Row) -> Setting:
    said: dict[str, Any] = about["setting"]
    return Setting(
        str(said["game"]), said["seats"], tuple(said["modules"]), tuple(said["variants"]), _pairs(said["options"]),
        _pairs(said["assumptions"]), str(said["lang"]),
    )  # fmt: skip


def _pairs(rows: list[list[Any]]) -> tuple[tuple[str, object], ...]:
    return tuple((str(name), value) for name, value in rows)


def _game(about: Row, rules: str | None) -> tuple[Game | None, str]:
    """The same game, for its names and pictures. Figures do not need it."""
    from ichiba.interpreter.saves.records import ruleset_hash

    try:
        setting = _setting(about)
        game = (setting if rules is None else replace(setting, game=rules)).load()
    except (Refusal, RulesetFaults) as fault:
        return None, str(fault).splitlines()[0]
    except (LookupError, TypeError, ValueError) as fault:
        return None, f"the setting of the run cannot be set up: {echoed(str(fault), LONG)}"
    if ruleset_hash(game) != about["ruleset"]:
        return None, "its rules have changed since"
    return game, ""


def title_of(ran: Ran) -> str:
    return in_language(ran.game.box.title) if ran.game is not None and ran.game.box.title else ran.name


def ending_of(ran: Ran, name: str) -> str:
    """As people call it."""
    title = ran.game.box.endings.get(name) if ran.game is not None else None
    return in_language(title) if title else name or "without a name"


def purse_of(ran: Ran, name: str) -> str:
    """With its unit, so that a purse called `points` is not taken for those of the score: `points (ap)`."""
    member = ran.game.world.seat.get(name) if ran.game is not None else None
    return f"{name} ({member.kind.name})" if member is not None and member.kind.name else name


__all__ = ["Ran", "ending_of", "purse_of", "read_run", "title_of"]
