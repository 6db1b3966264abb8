"""How a table is set up: what is chosen before a game, and who sits where. As JSON it lies in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ichiba.dsl.parts import elsewhere
from ichiba.interpreter.api import load

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Chosen = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """`game` is a name, or the path of a folder. `bots`: the policy of each seat that a bot takes from the beginning."""

    game: str
    seats: int
    seed: int | str
    modules: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    options: Chosen = ()
    assumptions: Chosen = ()
    lang: str = "en"
    bots: tuple[tuple[int, str], ...] = ()
    names: tuple[tuple[int, str], ...] = ()
    host: str = ""  # the place of whoever has set it up

    def load(self) -> Game:
        """The game by the rules that are installed. Raises `RulesetFaults`, `UnknownRuleset`."""
        return self.load_from(self.game, self.modules)

    def load_from(self, game: str, modules: tuple[str, ...]) -> Game:
        """The game by rules that lie somewhere else."""
        return load(
            game, self.seats, modules=modules, variants=self.variants, options=dict(self.options), assumptions=dict(self.assumptions),
            lang=self.lang,
        )  # fmt: skip

    def choices(self) -> tuple[object, ...]:
        """All that makes it one game rather than another."""
        chosen = (self.options, self.assumptions)
        return self.game, self.seats, self.modules, self.variants, repr(chosen), self.lang

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game, "seats": self.seats, "seed": self.seed, "modules": list(self.modules), "variants": list(self.variants),
            "options": dict(self.options), "assumptions": dict(self.assumptions), "lang": self.lang,
            "bots": {str(seat): name for seat, name in self.bots},
            "names": {str(seat): name for seat, name in self.names}, "host": self.host,
        }  # fmt: skip

    @staticmethod
    def of_json(content: Mapping[str, Any]) -> Setup:
        return Setup(
            content["game"], content["seats"], content["seed"], tuple(content["modules"]), tuple(content["variants"]),
            tuple(sorted(content["options"].items())), tuple(sorted(content["assumptions"].items())), content["lang"],
            _by_seat(content["bots"]), _by_seat(content["names"]), content["host"],
        )  # fmt: skip


def folders_of(game: str, modules: tuple[str, ...]) -> dict[str, Path]:
    """The folders that rules come from, by where they lie when they are kept: the ruleset's, and modules that lie elsewhere. Each
    keeps its own name, by which the rules know it."""
    others = enumerate(elsewhere(modules))
    return {f"ruleset/{Path(game).name}": Path(game), **{f"module{number}/{path.name}": path for number, path in others}}


def _by_seat(content: Mapping[str, str]) -> tuple[tuple[int, str], ...]:
    return tuple(sorted((int(seat), name) for seat, name in content.items()))
