"""One tree, three ways to use it: from the bare checkout, installed for editing, installed from a wheel."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHIM = ROOT / "tests" / "_checkout"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TARGETS: dict[str, Any] = PROJECT["tool"]["hatch"]["build"]["targets"]
ITSELF = "tests/_checkout/ichiba"  # what `import ichiba` finds, in a checkout and, moved, in a wheel
ROOMS: list[str] = sorted(set(TARGETS["wheel"]["only-include"]) - {ITSELF})


# The tables


def test_every_room_on_disk_is_in_the_wheel_tables() -> None:
    on_disk = sorted(init.parent.name for init in ROOT.glob("*/__init__.py") if init.parent.name != "tests")
    assert on_disk == ROOMS
    assert TARGETS["wheel"]["sources"] == {ITSELF: "ichiba"} | {room: f"ichiba/{room}" for room in ROOMS}


def test_every_room_goes_into_the_source_archive() -> None:
    included = TARGETS["sdist"]["only-include"]
    assert set(ROOMS) <= set(included)
    assert [name for name in included if not (ROOT / name).exists()] == []


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a checkout has the links")
def test_every_room_is_linked_for_the_type_checkers() -> None:
    links = {link.name: leads_to(link) for link in (ROOT / "typings" / "ichiba").iterdir()}
    rooms = {room: f"../../{room}" for room in ROOMS}
    assert links == {"__init__.py": f"../../{ITSELF}/__init__.py"} | rooms


def leads_to(link: Path) -> str:
    """Where a symbolic link leads; git writes it down in a plain file where a system has no links."""
    return os.readlink(link) if link.is_symlink() else link.read_text(encoding="utf-8")


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_it_is_for_and_is_typed(room: str) -> None:
    assert (ROOT / room / "__init__.py").read_text(encoding="utf-8").startswith('"""')
    assert (ROOT / room / "py.typed").exists()


def test_the_versions_promised_are_the_versions_tested() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    locked = {canonical(line) for line in lines if not line.startswith("#")}
    assert {canonical(line) for line in PROJECT["project"]["dependencies"]} <= locked
    tools = PROJECT["project"]["optional-dependencies"]["dev"]
    assert {canonical(tool) for tool in tools} <= {line.split("==")[0] for line in locked}


def canonical(requirement: str) -> str:
    """`types_PyYAML==6.0` is `types-pyyaml==6.0`."""
    name, exactly, version = requirement.partition("==")
    return re.sub(r"[-_.]+", "-", name).lower() + exactly + version


# The three ways


@dataclass(frozen=True)
class Elsewhere:
    """A Python in a folder of its own, which sees the libraries but only this Ichiba."""

    folder: Path
    ichiba: Path

    def says(self, code: str) -> str:
        libraries = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
        start = f"import site, sys; site.addsitedir({str(self.ichiba)!r}); sys.path += {libraries}\n"
        done = subprocess.run(
            [sys.executable, "-S", "-c", start + code],  # -S: this .pth file is read, and nobody else's
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.ichiba)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


def built(kind: str, into: Path) -> Path:
    """A wheel of this tree, made without network: `kind` is the build hook's name."""
    pytest.importorskip("hatchling")
    code = f"import hatchling.build; hatchling.build.{kind}({str(into)!r})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    [wheel] = into.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("build_wheel", tmp_path_factory.mktemp("wheel"))


def unpacked(wheel: Path, into: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(into)
    return into


@pytest.fixture(scope="module", params=["checkout", "editable", "wheel"])
def elsewhere(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    folder = tmp_path_factory.mktemp(request.param)
    site = tmp_path_factory.mktemp("site")
    match request.param:
        case "checkout":
            return Elsewhere(folder, SHIM)
        case "editable":
            return Elsewhere(folder, unpacked(built("build_editable", folder), site))
        case _:
            return Elsewhere(folder, unpacked(request.getfixturevalue("wheel"), site))


def test_every_room_is_imported_from_where_it_should_be(elsewhere: Elsewhere) -> None:
    names = [f"ichiba.{room}" for room in ROOMS]
    said = elsewhere.says(f"import importlib\nfor n in {names}: print(importlib.import_module(n).__file__)")
    rooms = elsewhere.ichiba / "ichiba" if (elsewhere.ichiba / "ichiba" / "dsl").exists() else ROOT
    assert said.splitlines() == [str(rooms / room / "__init__.py") for room in ROOMS]


def test_no_room_shows_up_under_its_bare_name(elsewhere: Elsewhere) -> None:
    code = f"from importlib.util import find_spec\nimport ichiba\nprint([n for n in {ROOMS} if find_spec(n)])"
    assert elsewhere.says(code) == "[]"


def test_importing_ichiba_loads_no_room(elsewhere: Elsewhere) -> None:
    code = "import sys, ichiba; print([name for name in sys.modules if name.startswith('ichiba.')])"
    assert elsewhere.says(code) == "[]"


def test_a_name_ichiba_does_not_have_is_refused_in_the_usual_words(elsewhere: Elsewhere) -> None:
    code = "import ichiba\ntry: ichiba.lode\nexcept AttributeError as fault: print(fault)"
    assert elsewhere.says(code) == "module 'ichiba' has no attribute 'lode'"


def test_every_public_name_is_there(elsewhere: Elsewhere) -> None:
    code = "import ichiba; print([n for n in ichiba.__all__ if getattr(ichiba, n).__name__ != n])"
    assert elsewhere.says(code) == "[]"


def test_a_game_can_be_loaded_and_started(elsewhere: Elsewhere) -> None:
    code = "import ichiba; print(ichiba.load('no_thanks', seats=3).start(seed=7).decision.seat in (1, 2, 3))"
    assert elsewhere.says(code) == "True"


def test_a_wheel_holds_the_whole_of_every_room_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (file.relative_to(ROOT) for room in ROOMS for file in (ROOT / room).rglob("*") if file.is_file())
    kept = {f"ichiba/{file.as_posix()}" for file in files if not passing(file)}
    assert held == kept | {"ichiba/__init__.py", "ichiba/py.typed"}


def passing(file: Path) -> bool:
    """Made by a tool, and gone tomorrow."""
    return file.suffix == ".pyc" or any(part.startswith((".", "__pycache__")) for part in file.parts)


def test_a_wheel_in_another_projects_folder_does_not_take_that_project_for_its_checkout(
    wheel: Path, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").touch()
    site = unpacked(wheel, tmp_path / "vendor" / "site")  # as deep as the checkout's own shim
    assert Elsewhere(tmp_path, site).says("import ichiba; print(*ichiba.__path__)") == str(site / "ichiba")


@pytest.mark.soak
@pytest.mark.parametrize("how", [["-e", str(ROOT)], [str(ROOT)]], ids=["editable", "plain"])
def test_pip_installs_it_into_a_new_environment(how: list[str], tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / "bin"
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(programs / "python", "-m", "pip", "install", "-q", *how)
    assert "no_thanks" in run(programs / "ichiba", "games")
