"""The public door: load a ruleset, start a table, resume a saved game."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from ichiba.dsl.faults.fault import Faults, RulesetFaults, echoed, nearest
from ichiba.dsl.files.folders import package_folder
from ichiba.dsl.files.garbage import not_sought
from ichiba.dsl.files.pickling import unpickled
from ichiba.dsl.parts import elsewhere
from ichiba.dsl.ruleset import library_folder
from ichiba.dsl.world.world import Config
from ichiba.dsl.yaml.configuration import Choices
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Map, Scalar, read_yaml
from ichiba.interpreter.configurations import configuration_of, game_of, over, told_where
from ichiba.interpreter.elsewhere import announced_by_packages, chosen_modules, is_path, lid_of, needed, unknown_game
from ichiba.interpreter.run import cache
from ichiba.interpreter.run.decisions import Decision, IllegalMove, Option
from ichiba.interpreter.run.game import Game, Preparation, dump, made, made_again, ready, undump
from ichiba.interpreter.run.table import Table
from ichiba.interpreter.stages.refusal import NoSuchRule
from ichiba.interpreter.strangers import door
from ichiba.interpreter.strangers.child import put_away

__all__ = [
    "Decision",
    "Game",
    "IllegalMove",
    "NoSuchRule",
    "Option",
    "RulesetFaults",
    "Table",
    "UnknownRuleset",
    "folder_of",
    "load",
    "resume",
    "rulesets",
    "show_rule",
]

MOST_HERE = 200  # rulesets in the folder one stands in, among which the nearest name is looked for


class UnknownRuleset(LookupError):
    """No ruleset of that name or at that path."""


def rulesets() -> dict[str, Path]:
    """All rulesets that can be loaded by name: the project's own and those of installed packages."""
    found = _own()
    for announced, place in announced_by_packages("ichiba.rulesets"):
        try:
            folders = [place] if (place / "game.yaml").is_file() else sorted(p for p in place.iterdir() if p.is_dir())
        except (FileNotFoundError, NotADirectoryError):
            continue
        for path in folders:
            if (path / "game.yaml").is_file():
                found.setdefault(announced if path == place else path.name, path)
    return found


def _own() -> dict[str, Path]:
    """Those that Ichiba brings along."""
    home = package_folder("ichiba.rulesets")
    return {path.name: path for path in sorted(home.iterdir()) if (path / "game.yaml").is_file()}


def folder_of(name: str | os.PathLike[str]) -> Path:
    """The folder of a ruleset given by name or path."""
    path = Path(name)
    if (path / "game.yaml").is_file():
        return path.resolve()
    own = _own()
    if str(name) in own:  # what other packages announce need not be looked for then
        return own[str(name)]
    known = rulesets()
    if str(name) in known:
        return known[str(name)]
    if is_path(str(name)):
        what = "it has no game.yaml" if path.is_dir() else "there is no such folder"
        raise UnknownRuleset(f"no ruleset lies in `{echoed(str(name))}`: {what}; a name without `/` is one of those that `ichiba games` lists")
    here = [place.parent.name for place in islice(Path().glob("*/game.yaml"), MOST_HERE)]
    hint = nearest(str(name), [*here, *known])
    message = f"there is no ruleset `{echoed(str(name))}`"
    message += f"; did you mean `{hint}`?" if hint else "; there are: " + ", ".join(known)
    raise UnknownRuleset(message)


def module_and_game(home: Path) -> tuple[Path, tuple[Path, ...]]:
    """The folder of the game that a module from elsewhere is for, which lies beside it or is installed; and the module with
    what it needs besides. Raises `RulesetFaults`."""
    game, known = lid_of(home).game, rulesets()
    beside = home.parent / game
    if game and (beside / "game.yaml").is_file():
        folder = beside.resolve()
    elif game in known:
        folder = known[game]
    else:
        raise unknown_game(home, game, known)
    return folder, needed(home, folder)


def load(
    name: str | os.PathLike[str] | None = None,
    seats: int | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    modules: Iterable[str | os.PathLike[str]] = (),
    variants: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
    assumptions: Mapping[str, object] | None = None,
    lang: str = "en",
    trust: bool = False,
    native: bool = False,
) -> Game:
    """A ruleset, checked and made ready for so many seats. Raises `RulesetFaults` with everything that is wrong.

    What comes from outside of the installed packages is read in a process of its own, with little memory and time,
    unless it is trusted (or ICHIBA_TRUST=1 says so). A module is named, or where it lies is: `modules=["./tides"]`. `native`:
    play in machine code, made by the C compiler of this machine, once, and kept. Where that cannot be had it is played in
    Python, as always, and the log has a line that says why; `game.native` says which. `config`: a preset of the ruleset, or a file
    that says how the game is set up; what else is said goes over it. Such a file names its game, so `name` may be left out.
    """
    if config is not None:
        game = _loaded_by(config, name, chosen(seats, modules, variants, options, assumptions), lang, trust)
    elif name is not None:
        game = _loaded(name, seats, modules, variants, options, assumptions, lang, trust)
    else:
        raise UnknownRuleset("which ruleset? `load` takes its name, or a `config` that says it")
    if native:
        from ichiba.interpreter.native.compiler import compile_if_possible

        compile_if_possible(game)
    return game


def chosen(
    seats: int | None = None,
    modules: Iterable[str | os.PathLike[str]] = (),
    variants: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
    assumptions: Mapping[str, object] | None = None,
) -> Choices:
    """What is chosen before a game."""
    where = tuple(one if isinstance(one, str) else str(Path(one).absolute()) for one in modules)
    return Choices(seats, where, tuple(variants), tuple((options or {}).items()), tuple((assumptions or {}).items()))


def _loaded_by(
    config: str | os.PathLike[str], name: str | os.PathLike[str] | None, choices: Choices, lang: str, trust: bool
) -> Game:
    found = configuration_of(config, folder_of(name) if name is not None else None)
    all_ = over(found, choices)
    with told_where(found):
        game = _loaded(
            game_of(found, name), all_.seats, all_.modules, all_.variants, dict(all_.options), dict(all_.assumptions), lang, trust
        )
    return replace(game, configuration=found)


@not_sought()
def _loaded(
    name: str | os.PathLike[str],
    seats: int | None,
    modules: Iterable[str | os.PathLike[str]],
    variants: Iterable[str],
    options: Mapping[str, object] | None,
    assumptions: Mapping[str, object] | None,
    lang: str,
    trust: bool,
) -> Game:
    folder = folder_of(name)
    if not trust:
        door.look_over([folder])
    asked = _asked(seats, chosen_modules(folder, modules), variants, options, assumptions)
    folders = (folder, *elsewhere(asked[1]))
    vouched = trust or door.vouched_for(folders)
    if not vouched:
        door.look_over(folders[1:])
    key = cache.key_of(folders, library_folder(), (asked, lang) if vouched else ("a stranger's", asked, lang))
    kept = cache.fetch(key)
    if kept is not None:
        return kept
    if vouched:
        game = _made(folder, asked, lang)
        cache.keep(key, game)
    else:
        raw = door.read(folders, made_apart, folder, asked, lang)
        game = undump(unpickled(raw))  # our own process wrote it
        cache.keep(key, game, raw)
    return game


@not_sought()
def load_to_tell(
    folder: Path,
    seats: int | None,
    *,
    modules: Iterable[str | os.PathLike[str]] = (),
    variants: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
    assumptions: Mapping[str, object] | None = None,
    memory: Memory,
    prepared: Preparation | None = None,
) -> Game:
    """A game of a ruleset, for those who make one of it in many ways, play each a little and want everything told: of its two
    builds only the one that tells is made. What was read of one that is vouched for is remembered from one to the next.
    `prepared`: in another way than usual, and not kept."""
    asked = _asked(seats, chosen_modules(folder, modules), variants, options, assumptions)
    folders = (folder, *elsewhere(asked[1]))
    vouched = door.vouched_for(folders)
    if vouched and prepared is not None:
        return _made(folder, asked, "en", memory, prepared)
    door.look_over(folders)
    for told in (asked, ("to tell", asked)):  # one that tells both ways does as well
        kept = cache.fetch(key := cache.key_of(folders, library_folder(), (told, "en") if vouched else ("a stranger's", told, "en")))
        if kept is not None:
            break
    else:
        kept = _made_to_tell(folder, asked, memory) if vouched else undump(unpickled(door.read(folders, made_to_tell_apart, folder, asked)))
        cache.keep(key, kept)
    return kept if prepared is None else made_again(kept, prepared)


def _made_to_tell(folder: Path, asked: _Asked, memory: Memory | None = None, closely: bool = False) -> Game:
    return _made(folder, asked, "en", memory, partial(ready, telling=True, closely=closely))


def made_to_tell_apart(folder: Path, asked: _Asked) -> bytes:
    """The same where strangers' rulesets are read, as it comes through the pipe."""
    return put_away(dump(_made_to_tell(folder, asked, closely=True)))


_Asked = tuple[int | None, tuple[str, ...], tuple[str, ...], tuple[tuple[str, object], ...], tuple[tuple[str, object], ...]]


def _asked(
    seats: int | None,
    modules: tuple[str, ...],
    variants: Iterable[str],
    options: Mapping[str, object] | None,
    assumptions: Mapping[str, object] | None,
) -> _Asked:
    return (
        None if seats is None else int(seats),
        modules,
        tuple(variants),
        tuple(sorted((options or {}).items())),
        tuple(sorted((assumptions or {}).items())),
    )


def _made(
    folder: Path, asked: _Asked, lang: str, memory: Memory | None = None, prepared: Preparation | None = None
) -> Game:
    seats, modules, variants, options, assumptions = asked
    memory = memory or Memory()
    seats = _fewest_seats(folder, memory) if seats is None else seats
    return made(folder, Config(seats, modules, variants, options, assumptions), lang, memory=memory, prepared=prepared)


def show_rule(
    name: str | os.PathLike[str],
    rule: str,
    stage: str,
    seats: int | None = None,
    *,
    modules: Iterable[str | os.PathLike[str]] = (),
    variants: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
    assumptions: Mapping[str, object] | None = None,
) -> str:
    """One rule of a ruleset at one stage of compiling: text, tree, rules, flow, plan, python or c. Raises `NoSuchRule`, which
    says what there is, and `RulesetFaults`."""
    folder = folder_of(name)
    asked = _asked(seats, chosen_modules(folder, modules), variants, options, assumptions)
    shown, refusal = door.read((folder, *elsewhere(asked[1])), shown_rule, folder, asked, rule, stage)
    if refusal:
        raise NoSuchRule(refusal)
    return shown


def shown_rule(folder: Path, asked: _Asked, rule: str, stage: str) -> tuple[str, str]:
    """The rule, or else why there is none: both come through the pipe from where strangers' rulesets are read."""
    from ichiba.interpreter.stages.stages import show_rule

    try:
        return show_rule(_made(folder, asked, "en"), rule, stage), ""
    except NoSuchRule as refusal:
        return "", str(refusal)


def made_apart(folder: Path, asked: _Asked, lang: str) -> bytes:
    """A game as it comes through the pipe from where strangers' rulesets are read, and as it is kept: whatever is made of it is made
    there, once."""
    return put_away(dump(_made(folder, asked, lang, prepared=partial(ready, closely=True)), whole=True))


def _fewest_seats(folder: Path, memory: Memory) -> int:
    """What `game.yaml` says; if that is broken, the faults will tell."""
    faults = Faults()
    source = memory.source(folder / "game.yaml", f"{folder.name}/game.yaml", faults)
    node = read_yaml(source, faults) if source is not None else None
    seats = node.get("seats") if isinstance(node, Map) else None
    found = re.match(r"\d{1,2}", str(seats.value)) if isinstance(seats, Scalar) else None
    return int(found[0]) if found else 1


def resume(path: str | os.PathLike[str]) -> Table:
    """A saved game, exactly where it was."""
    from ichiba.interpreter.saves.records import load_save

    return load_save(Path(path), load)
