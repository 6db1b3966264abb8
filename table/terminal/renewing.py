"""`play --watch`: rules that are changed while they are being played. The game goes on with the new ones where it is the same game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ichiba.dsl.faults.fault import Faults, RulesetFaults, render_all
from ichiba.dsl.parts import elsewhere
from ichiba.interpreter.api import load
from ichiba.interpreter.saves.again import play_on
from ichiba.lab.policies import UnknownPolicy, policy
from ichiba.table.scene.look import look_of
from ichiba.table.watching import Watching

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table
    from ichiba.interpreter.saves.again import Again
    from ichiba.table.scene.look import Look
    from ichiba.table.terminal.screen import Screen


class Renewed(NamedTuple):
    """The table to go on at, and how it looks; whether it is still the same game."""

    table: Table
    look: Look
    same: bool


class Renewing:
    """Looks at a ruleset's files whenever somebody has typed something."""

    def __init__(self, game: Game, bots: Mapping[int, str], screen: Screen):
        self.bots, self.screen = tuple(bots.values()), screen
        homes = [game.folder] if game.folder is not None else []
        self.watching = Watching([*homes, *elsewhere(game.config.modules)])

    def look(self, table: Table) -> Renewed | None:
        """None when the game goes on at this table."""
        changed = self.watching.changed()
        if not changed:
            return None
        what = ", ".join(changed)
        try:
            game, look = _read_anew(table.game, self.bots)
        except RulesetFaults as faults:
            print(render_all(faults.faults, held=faults.held))
            self.screen.say(f"{what}: the game goes on with the rules as they were.")
            return None
        except UnknownPolicy as unknown:
            self.screen.say(f"{what}: {unknown}. The game goes on with the rules as they were.")
            return None
        again = play_on(game, table)
        if again.same:
            self.screen.say(f"{what}: the rules have changed, and it is the same game with them so far.")
        elif not self._wanted(again, what):
            return None
        return Renewed(again.table, look, again.same)

    def _wanted(self, again: Again, what: str) -> bool:
        """With the new rules it is another game: whether it shall be that one from now on."""
        self.screen.say(f"{what}: with these rules it is another game: {again.words}.")
        where = f"after {again.given} of {again.whole} answers" if again.given else "from its beginning"
        said = self.screen.ask(f"Go on with that one, {where}? (yes or no: the rules stay as they were) ")
        return said.lower() in ("y", "yes")


def _read_anew(game: Game, bots: Iterable[str]) -> tuple[Game, Look]:
    """The same setting with the rules as they are now."""
    assert game.folder is not None
    config, faults = game.config, Faults()
    new = load(
        game.folder, config.seats, modules=config.modules, variants=config.variants, options=dict(config.options),
        assumptions=dict(config.assumptions), lang=game.lang,
    )  # fmt: skip
    look = look_of(new, faults)
    faults.raise_if_errors()
    for name in bots:
        policy(new, name, "")
    return replace(new, configuration=game.configuration), look
