"""Modules that lie in folders of their own: named by a path, or announced by an installed package.

`./tides` becomes the whole path of its folder; `tides` stays a name where the game has such a module, else it is what an installed
package announces under that name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ichiba.dsl.faults.fault import LONG, Faults, RulesetFaults, echoed, nearest, quote
from ichiba.dsl.files.folders import package_folder
from ichiba.dsl.parts import MODULE, is_module, parts_of
from ichiba.dsl.yaml.declarations import shown_folder
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, read_yaml
from ichiba.interpreter.strangers import door

GROUP = "ichiba.modules"


def is_path(module: str | os.PathLike[str]) -> bool:
    """Whether a module is named by where it lies: `./tides`, `/srv/modules/tides`, `~/tides`."""
    return not isinstance(module, str) or "/" in module or os.sep in module or module.startswith((".", "~"))


def chosen_modules(folder: Path, modules: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """How these modules of a ruleset are called from now on: by a name, or by a whole path. Raises `RulesetFaults`."""
    own = parts_of(folder)
    found: list[str] = []
    for module in modules:
        if is_path(module):
            found.append(_at(module, folder))
        elif str(module) in own:
            found.append(str(module))
        else:
            found.append(_announced(str(module), own))
    return tuple(found)


def module_folder(place: str | os.PathLike[str]) -> Path:
    """The folder of a module that is named by where it lies. Raises `RulesetFaults`."""
    path = Path(place).expanduser()
    try:
        if is_module(path):
            return path.resolve()
    except (OSError, RuntimeError, ValueError):  # links in a circle, a name that no file can have
        pass
    raise _no_module(path, os.fspath(place))


def _at(place: str | os.PathLike[str], folder: Path) -> str:
    home = module_folder(place)
    inside = home.parent == folder.resolve() / "modules"
    return home.name if inside else str(home)


def _no_module(path: Path, said: str) -> RulesetFaults:
    shown = echoed(said, LONG)
    if path.is_file():
        what = "it is a file; a module that lies elsewhere is a folder of its own"
    elif path.is_dir():
        what = f"it has no {MODULE}"
    else:
        what = "there is no such folder"
    near = _modules_in(path if path.is_dir() else path.parent)
    hint = nearest(path.name, near) or (next(iter(near)) if len(near) == 1 else "")
    home = path if path.is_dir() else path.parent
    label = f"did you mean `{echoed(_typed(home / hint), LONG)}`?" if hint else ""
    there = f"modules in `{echoed(_typed(home), LONG)}`: {', '.join(near) or 'none'}"
    faults = Faults()
    faults.add("E407", None, f"`{shown}` is no module: {what}", label=label, notes=(there,))
    return RulesetFaults(faults.all)


def _typed(path: Path) -> str:
    """A path as one types it, so that nobody takes it for a name."""
    return str(path) if path.is_absolute() or str(path).startswith("..") else f"./{path}".removesuffix("/.")


def _modules_in(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir() if path.name.isprintable() and is_module(path))
    except OSError:
        return []


def _announced(name: str, own: Iterable[str]) -> str:
    """What an installed package announces under a name; the name itself where none does: the faults will tell."""
    places = installed().get(name, ())
    if len(places) == 1:
        return str(places[0])
    if not places and not is_module(Path(name)):
        return name
    faults = Faults()
    if places:
        where = ", ".join(map(str, places))
        faults.add("E407", None, f"several installed packages announce a module `{name}`", label="name one by its path", notes=(where,))
    else:
        there = "there are: " + (", ".join(own) or "none")
        message = f"this game has no module or variant `{name}`"
        faults.add("E407", None, message, label=f"did you mean `./{name}`, the folder?", notes=(there,))
    raise RulesetFaults(faults.all)


def installed() -> dict[str, tuple[Path, ...]]:
    """The modules that installed packages announce, by name: a folder each, or a folder of such folders."""
    found: dict[str, dict[Path, None]] = {}
    for _, place in announced_by_packages(GROUP):
        try:
            folders = [place] if is_module(place) else sorted(path for path in place.iterdir() if is_module(path))
        except (FileNotFoundError, NotADirectoryError):
            continue
        for path in folders:
            found.setdefault(path.name, {})[path.resolve()] = None
    return {name: tuple(paths) for name, paths in sorted(found.items())}


def announced_by_packages(group: str) -> Iterator[tuple[str, Path]]:
    """The names under which installed packages announce something, and where those packages lie."""
    from importlib.metadata import entry_points  # it takes as long to load as a small game, and is rarely needed

    for point in entry_points(group=group):
        with suppress(ModuleNotFoundError):
            yield point.name, package_folder(point.value)


def kept_as(module: str) -> str:
    """How a save names a module: one that an installed package announces by its name, wherever that lies."""
    home = Path(module)
    return home.name if os.path.isabs(module) and installed().get(home.name) == (home,) else module


# ----------------------------------------------------------------------------------------- by itself


def home_of_module(place: Path) -> Path | None:
    """The folder of the module that a file or folder belongs to, where that belongs to no game's."""
    here = place.resolve()
    lines = (here, *here.parents)
    if any((folder / "game.yaml").is_file() for folder in lines):
        return None
    return next((folder for folder in lines if is_module(folder)), None)


@dataclass(frozen=True, slots=True)
class Lid:
    """What a module says of itself on the first look: which game it is for, and which modules it needs."""

    game: str = ""
    needs: tuple[str, ...] = ()


def lid_of(home: Path) -> Lid:
    """The lid of a module; a stranger's is read in a process with limits. What is wrong with it is told when it is read whole."""
    return door.read(home, read_lid, home)


def read_lid(home: Path) -> Lid:
    source = Memory().source(home / MODULE, f"{home.name}/{MODULE}", Faults())
    node = read_yaml(source, Faults()) if source is not None else None
    if not isinstance(node, Map):
        return Lid()
    game, needs = node.get("for"), node.get("needs")
    words = needs.items if isinstance(needs, Seq) else (needs,)
    return Lid(next(_words((game,)), ""), tuple(_words(words)))


def _words(nodes: Iterable[Node | None]) -> Iterator[str]:
    said = (node.value for node in nodes if isinstance(node, Scalar))
    return (word for word in said if isinstance(word, str) and re.fullmatch(r"[a-z]\w*", word, re.ASCII))


def needed(home: Path, folder: Path) -> tuple[Path, ...]:
    """A module and what it needs, as far as the game has not got it: looked for beside it, then among what is installed."""
    own, found = parts_of(folder), {home.name: home}
    todo = [home]
    while todo:
        here = todo.pop()
        for name in lid_of(here).needs:
            beside = [home.parent / name] if is_module(home.parent / name) else installed().get(name, ())
            if name not in own and name not in found and len(beside) == 1:
                found[name] = beside[0]
                todo.append(beside[0])
    return tuple(found.values())


def unknown_game(home: Path, game: str, known: Iterable[str]) -> RulesetFaults:
    """Where nobody knows the game that a module is for."""
    faults, known = Faults(), list(known)
    if not game:
        label = "write the name of the game, like `for: my_game`"
        faults.add("E102", None, f"{shown_folder(home / MODULE)} does not say which game it is for", label=label)
    else:
        hint = nearest(game, known)
        label = f"did you mean `{hint}`?" if hint else f"put the game's folder beside it, as {quote(_typed(Path(shown_folder(home.parent)) / game))}"
        message = f"the module `{home.name}` is for the game {quote(game)}, which is not installed, nor beside it"
        faults.add("E407", None, message, label=label, notes=("there are: " + (", ".join(known) or "none"),))
    return RulesetFaults(faults.all)
