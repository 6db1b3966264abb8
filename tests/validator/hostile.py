"""Folders that mean harm: links, pipes, odd names, too much of everything. None may be read from outside, or for long."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.validator.small import GAME, ruleset

SECRET = "swordfish-4711"


@dataclass(frozen=True)
class Hostile:
    """What it is called, how it is made beside a folder with secrets, and one of the words it is refused with. Without
    words it is harmless where it is only read, and may be accepted."""

    name: str
    make: Callable[[Path, Path], None]
    words: tuple[str, ...] = ()
    read: bool = False  # only who reads it sees what is wrong with it, in a process of its own: that takes longer


def secrets_beside(folder: Path) -> Path:
    """A folder with things that no ruleset may see."""
    outside = folder / "outside"
    (outside / "boards").mkdir(parents=True)
    for name in ("secret.yaml", "passwd", "boards/secret.yaml", "game.yaml", "secret.rules"):
        (outside / name).write_text(f"{SECRET}: {SECRET}\nboard: {SECRET}\n", encoding="utf-8")
    return outside


def made(hostile: Hostile, folder: Path) -> tuple[Path, Path]:
    """The ruleset's folder, and the one beside it that it may not look into."""
    outside = secrets_beside(folder)
    root = ruleset(folder, {})
    hostile.make(root, outside)
    return root, outside


def link(name: str, target: str, absolute: bool = True) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(outside / target if absolute else Path("..", "..", "outside", target))

    return make


def linked(name: str, target: str) -> Callable[[Path, Path], None]:
    """A link to somewhere that is not beside it."""

    def make(root: Path, outside: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    return make


def pipe(name: str) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    return make


def plug(root: Path, outside: Path) -> None:
    """A socket; its name may be short only."""
    (root / "boards").mkdir()
    before = os.getcwd()
    os.chdir(root / "boards")
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind("s.yaml")
    finally:
        os.chdir(before)


def file(name: str | bytes, text: str) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        path = Path(os.fsdecode(os.path.join(os.fsencode(root), os.fsencode(name))))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return make


def more(extra: str, **files: str) -> Callable[[Path, Path], None]:
    """Keys for `game.yaml`, and other files."""

    def make(root: Path, outside: Path) -> None:
        (root / "game.yaml").write_text(GAME + extra, encoding="utf-8")
        for name, text in files.items():
            path = root / name.replace("__", "/").replace("_DOT_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    return make


def boards(number: int, size: int) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        (root / "boards").mkdir()
        item = "  - {a: 1, b: [1, 2, 3]}\n"
        for n in range(number):
            text = f"board: b{n}\nkind: stall\nlist:\n" + item * (size // len(item))
            (root / "boards" / f"b{n}.yaml").write_text(text)

    return make


def rules(number: int, size: int) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        for n in range(number):
            line = f"value v{n}_%d: 1 + 2 * 3\n"
            (root / f"r{n}.rules").write_text("".join(line % k for k in range(size // 26)))

    return make


def variants(number: int) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        (root / "variants").mkdir()
        for n in range(number):
            needs = f"needs: [v{n - 1}]\n" if n else ""
            (root / "variants" / f"v{n}.yaml").write_text(f"variant: v{n}\ntitle: V\n{needs}")

    return make


def presets(number: int) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        (root / "configs").mkdir()
        for n in range(number):
            (root / "configs" / f"c{n}.yaml").write_text("configuration: 1\n")

    return make


def folders(depth: int) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        path = root / "boards"
        for _ in range(depth):
            path = path / "x"
        path.mkdir(parents=True)

    return make


def files(number: int) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        (root / "boards").mkdir()
        for n in range(number):
            (root / "boards" / f"{n}.txt").write_text("")

    return make


def kinds_of_gates(id: str) -> Callable[[Path, Path], None]:
    extra = "map: maps/m.yaml\nthings: {gate: {from: gates}}\n"
    return more(extra, maps__m_DOT_yaml=f"map: {{id: m}}\ngates: [{{id: {id}}}]\n", g_DOT_rules="kind gate:\n    counter open: 0 .. 1\n")


def board(name: str) -> Callable[[Path, Path], None]:
    kind = "kind stall is board:\n    counter open: 0 .. 1\n"
    text = f'board: "{name}"\nkind: stall\n'
    return more("", boards__a_DOT_yaml="board: a\nkind: stall\n", boards__b_DOT_yaml=text, g_DOT_rules=kind)


FOLDERS = (
    Hostile("game.yaml is a link to a secret", link("game.yaml", "passwd"), ("it leads out",)),
    Hostile("a relative link to a secret", link("boards/b.yaml", "secret.yaml", absolute=False), ("it leads out",)),
    Hostile("a board is a link to a secret", link("boards/b.yaml", "secret.yaml"), ("it leads out",)),
    Hostile("a scenario is a link to a secret", link("scenarios/s.scenario.yaml", "passwd"), ("it leads out",)),
    Hostile("a text is a link to a secret", link("texts/de.yaml", "secret.yaml"), ("it leads out",)),
    Hostile("the look is a link to a secret", link("look.yaml", "secret.yaml"), ("it leads out",)),
    Hostile("a variant is a link to a secret", link("variants/v.yaml", "secret.yaml"), ("it leads out",)),
    Hostile("rules are a link to a secret", link("more.rules", "secret.rules"), ("it leads out",)),
    Hostile("a folder is a link to others' boards", link("boards", "boards"), ("it leads out",)),
    Hostile("a hidden folder is a link to elsewhere", link(".schemas", "boards"), ("it leads out",)),
    Hostile("a hidden file is a link to a secret", link(".more.rules", "secret.rules"), ("it leads out",)),
    Hostile("a link to the system's files", linked("boards/b.yaml", "/proc/self/environ"), ("it leads out",)),
    Hostile("a link to a device that never ends", linked("boards/b.yaml", "/dev/zero"), ("it leads out",)),
    Hostile("a link to itself", linked("boards/b.yaml", "b.yaml"), ("nowhere, or in a circle",)),
    Hostile("a link to nothing", linked("boards/b.yaml", "nothing.yaml"), ("nowhere, or in a circle",)),
    Hostile("a folder that leads round", linked("boards/round", ".."), ("a link to a folder",)),
    Hostile("game.yaml is a pipe", pipe("game.yaml"), ("there is no ruleset", "no ruleset lies in", "a pipe, a socket or a device")),
    Hostile("a board is a pipe", pipe("boards/b.yaml"), ("a pipe, a socket or a device",)),
    Hostile("a module is a pipe", pipe("modules/m.yaml"), ("a pipe, a socket or a device",)),
    Hostile("a module's file is a pipe", pipe("modules/m/module.yaml"), ("a pipe, a socket or a device",)),
    Hostile("a scenario is a pipe", pipe("scenarios/s.scenario.yaml"), ("a pipe, a socket or a device",)),
    Hostile("a preset is a link to a secret", link("configs/preset.yaml", "secret.yaml"), ("it leads out",)),
    Hostile("a preset is a pipe", pipe("configs/preset.yaml"), ("a pipe, a socket or a device",)),
    Hostile("more presets than anybody reads", presets(70), ("E026",)),
    Hostile("a text is a pipe", pipe("texts/de.yaml"), ("a pipe, a socket or a device",)),
    Hostile("the look is a pipe", pipe("look.yaml"), ("a pipe, a socket or a device",)),
    Hostile("a board is a socket", plug, ("a pipe, a socket or a device",)),
    Hostile("a name that is no text", file(b"boards/\xff\xfe.yaml", "board: b\n"), ("its name is not UTF-8",)),
    Hostile("a name that moves the cursor", file("boards/\x1b[2J\n.yaml", "board: b\n"), ("characters that nobody can see",)),
    Hostile("a name that is turned around", file("boards/\u202eymal.yaml", "board: b\n"), ("characters that nobody can see",)),
    Hostile("a name without end", file("x" * 200 + ".rules", ""), ("its name has more than",)),
    Hostile("250 boards of 36 KB", boards(250, 36_000), ("E026",)),
    Hostile("12 rules files of 250 KB", rules(12, 250_000), ("E026",)),
    Hostile("1,200 variants in a chain", variants(1_200), ("E026",)),
    Hostile("folders in folders", folders(60), ("E026",)),
    Hostile("thousands of files", files(2_100), ("E026",)),
    Hostile("a choice among others' files", more('options: {m: {one_of: "../*/*.yaml"}}\nmap: "{m}"\n'), ("E103", "lists words"), read=True),
    Hostile("a map that lies elsewhere", more("map: ../outside/secret.yaml\n"), ("E001",), read=True),
    Hostile("a map in a hidden folder", more("map: .hidden/secret.yaml\n"), ("E001",), read=True),
    Hostile("a name that is a program", kinds_of_gates("\"a'); import os; os.abort() #\""), ("E104",), read=True),
    Hostile("a name that is a path", kinds_of_gates('"../../etc/passwd"'), ("E104",), read=True),
    Hostile("a name with blanks", kinds_of_gates('"a b"'), ("E104",), read=True),
    Hostile("a board that is called like a path", board("/etc/*"), ("E104", "E413"), read=True),
    Hostile("aliases of aliases", more("numbers2: [&a [1], *a]\n"), ("E009",), read=True),
)  # fmt: skip
