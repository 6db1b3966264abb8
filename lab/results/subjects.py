"""What answers are about, kind by kind: boards, or else things and sorts of pieces that options range over.

    visit/mill                  of a game with boards: `mill`, one of its `stalls`
    sell/salt/3                 of a game without: `salt`, one of its `wares`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ichiba.interpreter.run.game import Game

FEWEST, MOST = 2, 24  # of a kind: of cells of a grid nobody asks each by itself
ENOUGH = 4  # of a kind, that one of them can be out of line with the others


def subjects_of(game: Game) -> dict[str, str]:
    """By their names in keys: what each is one of."""
    boards = _boards(game)
    if boards:
        return boards
    found: dict[str, str] = {}
    for kind in _kinds(game):
        names = names_of(game, kind)
        if FEWEST <= len(names) <= MOST:
            for name in names:
                found.setdefault(name, kind.name)
    return found


def titles_of(game: Game) -> dict[str, str]:
    """How people call them, by their names in keys."""
    names = subjects_of(game)
    return {name: title for name, title in _shown(game, _kinds(game)).items() if name in names}


def recorded_titles(game: Game) -> dict[str, str]:
    """How people call what the rules `record` something of, by the names in the rows."""
    made = (node for procedure in game.program.procedures for node in walk(procedure.body) if isinstance(node, ir.Record))
    plain = dict.fromkeys(part.kind.plain for node in made for part in node.of)
    kinds = (Kind("sort", kind.name) if kind.form == "piece" else kind for kind in plain)
    return _shown(game, [kind for kind in kinds if kind.form in ("thing", "sort")])


def _shown(game: Game, kinds: Iterable[Kind]) -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in kinds:
        for value in game.world.values(kind):
            found.setdefault(game.words.key(value, kind), game.words.show(value, kind))
    return found


def names_of(game: Game, kind: Kind) -> list[str]:
    """All of a kind that stand in keys by a name of their own."""
    if kind.form not in ("thing", "sort"):
        return []
    return [game.words.key(value, kind) for value in game.world.values(kind)]


def _boards(game: Game) -> dict[str, str]:
    """Boards by the narrowest kind that enough of them are of."""
    names = {board.name for board in game.box.boards}
    own = {thing.name: thing.kind for thing in game.world.things if thing.name in names}
    return {name: next((one for one in _wider(game, kind) if _many(game, own, one) >= ENOUGH), kind) for name, kind in own.items()}


def _wider(game: Game, kind: str) -> Iterator[str]:
    while kind:
        yield kind
        kind = game.world.kinds[kind].parent if kind in game.world.kinds else ""


def _many(game: Game, own: dict[str, str], kind: str) -> int:
    return sum(game.world.is_kind(one, kind) for one in own.values())


def _kinds(game: Game) -> list[Kind]:
    """What options range over, in the order of the rules; pieces that are things, one by one, are none: their sort is meant."""
    found: list[Kind] = []
    for site in game.flow.sites:
        for option in site.decide.options if isinstance(site.decide, ir.Decide) else ():
            for kind in [key.kind for key in option.keys] if option.keys is not None else [bind.var.kind for bind in option.binds]:
                if kind.form in ("thing", "sort") and kind.plain not in found:
                    found.append(kind.plain)
    return found


__all__ = ["ENOUGH", "names_of", "recorded_titles", "subjects_of", "titles_of"]
