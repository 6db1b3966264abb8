"""Keeps the game of one sitting: where somebody says, or under a name of its own; never over another game unasked."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import LONG, echoed
from ichiba.dsl.files.writing import make_folder, write_whole
from ichiba.interpreter.saves.saved import SaveFault
from ichiba.table import saves

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table
    from ichiba.table.terminal.screen import Screen


def reason(fault: Exception) -> str:
    """What went wrong, with the file's name, without our own words for it."""
    if isinstance(fault, OSError):
        return ": ".join(filter(None, [echoed(str(fault.filename or ""), LONG), (fault.strerror or str(fault)).lower()]))
    return echoed(str(fault), 200)


class Keeper:
    """Knows the file of a game, once it has one."""

    def __init__(self, table: Table, bots: Mapping[int, str], screen: Screen, path: Path | None = None):
        self.table, self.bots, self.screen, self.path = table, bots, screen, path

    @property
    def name(self) -> str:
        """What to type to get the game back."""
        assert self.path is not None
        return self.path.stem if self.path.parent == saves.home() else str(self.path)

    def save(self, words: str) -> None:
        """`s` and `s FILE`; whatever cannot be done is said, and play goes on."""
        try:
            self._save(words)
        except (OSError, ValueError, RuntimeError, SaveFault) as fault:  # ValueError, RuntimeError: no name of a file
            self.screen.say(f"It could not be saved: {reason(fault)}")

    def _save(self, words: str) -> None:
        path = Path(words).expanduser() if words else self.path or saves.new_path(self.table.game.name)
        if path.suffix != saves.SUFFIX and not path.exists():
            path = path.with_name(path.name + saves.SUFFIX)
        if path.exists() and not saves.is_same_game(path, self.table):
            if not path.is_file():
                self.screen.say(f"It could not be saved: {echoed(str(path), LONG)} is no file.")
                return
            answer = self.screen.ask(f"{echoed(str(path), LONG)} holds {saves.what_is_in(path)}. Write over it? (yes or no) ")
            if answer.lower() not in ("y", "yes"):
                self.screen.say("Nothing was saved.")
                return
        self._write(path)
        self.screen.say(f"Saved. To go on later: ichiba play --resume {self.name}")

    def keep_table(self, words: str) -> None:
        """`k NAME`, `k FILE`: how the table is set up and who sits there. Whatever cannot be done is said, and play goes on."""
        name, _, more = words.partition(" ")
        path = saves.path_of_table(name)
        if path is None or more not in ("", "seed"):
            self.screen.say("Say under which name it shall be kept, in small letters: `k friday`, or in which file: `k friday.yaml`.")
            return
        try:
            self._keep_table(path, self.table.seed if more else None)
        except (OSError, ValueError) as fault:
            self.screen.say(f"It could not be kept: {reason(fault)}")

    def _keep_table(self, path: Path, seed: int | str | None) -> None:
        from ichiba.interpreter.configurations import as_file

        if path.exists():
            answer = self.screen.ask(f"{echoed(str(path), LONG)} is there already. Write over it? (yes or no) ")
            if answer.lower() not in ("y", "yes"):
                self.screen.say("Nothing was kept.")
                return
        make_folder(path.parent)
        write_whole(path, as_file(self.table.game, self.bots, seed).encode())
        own = path.parent == saves.home_of_tables()
        self.screen.say(f"Kept. To play so again: ichiba play --config {path.stem if own else echoed(str(path), LONG)}")

    def keep(self) -> str | None:
        """The game is kept, and the name to find it by is given; None, said why, when that is not possible."""
        try:
            self._write(self.path or saves.new_path(self.table.game.name))
        except (OSError, SaveFault) as fault:
            with suppress(OSError):
                self.screen.say(f"The game could not be kept: {reason(fault)}")
            return None
        return self.name

    def _write(self, path: Path) -> None:
        self.table.undo(0)  # what an interruption left half done is done again from the answers
        saves.write(self.table, path, self.bots)
        self.path = path
