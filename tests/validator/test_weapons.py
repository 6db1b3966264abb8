"""Sixty designs that mean harm, in three sizes where size is the weapon: whatever is said of them is said by a limit that is
counted. What stands behind (time and memory of the process that reads, E025) is never reached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ichiba import RulesetFaults, UnknownRuleset, load
from ichiba.dsl.faults.fault import render_all
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.strangers import door
from ichiba.table.checking import check
from tests.conftest import Tally
from tests.validator.bombs import BOMBS
from tests.validator.further import FURTHER
from tests.validator.hostile import FOLDERS, boards, files, folders, made, rules, secrets_beside, variants
from tests.validator.latest import LATEST
from tests.validator.many import DESIGNS
from tests.validator.newest import NEWEST
from tests.validator.played import PLAYING
from tests.validator.small import ruleset
from tests.validator.test_counted import CHAINS, PLACES, SEAT
from tests.validator.test_schema import GROWING

Make = Callable[[Path], Path]


def written(files_: dict[str, str]) -> Make:
    return lambda folder: ruleset(folder, files_)


def folder_of(make: Callable[[Path, Path], None]) -> Make:
    def build(folder: Path) -> Path:
        root = ruleset(folder, {})
        make(root, secrets_beside(folder))
        return root

    return build


SIZED = {
    "boards": [boards(250, 36_000), boards(60, 9_000), boards(2_000, 200)],
    "rules files": [rules(12, 250_000), rules(2, 250_000), rules(60, 8_000), rules(1, 262_000), rules(33, 8_000)],
    "variants in a chain": [variants(1_200), variants(64), variants(30)],
    "folders in folders": [folders(60), folders(12), folders(13)],
    "files": [files(2_100), files(1_990), files(20_000)],
}
WEAPONS: dict[str, Make] = {hostile.name: (lambda folder, hostile=hostile: made(hostile, folder)[0]) for hostile in FOLDERS}  # type: ignore[misc]
WEAPONS |= {f"{name} {size}": folder_of(make) for name, makes in SIZED.items() for size, make in enumerate(makes)}
WEAPONS |= {f"{bomb.name} {size}": written(bomb.make(size)) for bomb in BOMBS for size in bomb.sizes if size < 10**6 or "loop" in bomb.name}
WEAPONS |= {f"{name} {size}": written({"play.rules": make(size)}) for name, make in CHAINS.items() for size in (18, 30, 60)}
WEAPONS |= {name: written({"play.rules": SEAT + text}) for name, text in PLACES.items()}
WEAPONS |= {f"{name} {size}": written(make(size)) for name, make in GROWING.items() for size in (700, 1_000, 1_900)}
WEAPONS |= {f"{many.name} {size}": written(many.make(size)) for many in DESIGNS for size in many.sizes}
WEAPONS |= {f"{latest.name} {size}": written(latest.make(size)) for latest in (*LATEST, *PLAYING, *NEWEST, *FURTHER) for size in latest.sizes}
SLICE = ("files 2", "four hooks before each 60", "kinds inside of each other 1900")


@pytest.fixture(autouse=True)
def nobody_vouches(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path_factory.getbasetemp() / "kept"))  # the grammar; no ruleset of these


def said_of(root: Path) -> list[str]:
    """By check, and by whoever plays it."""
    said = [render_all(check(root).faults)]
    try:
        table = load(root).start(1)
        for _ in range(200):
            if table.codes:
                table.step(0)
    except (RulesetFaults, UnknownRuleset, RuleFault) as fault:
        said.append(str(fault))
    return said


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in SLICE else pytest.mark.soak) for name in WEAPONS])
def test_what_is_counted_gives_the_verdict(name: str, tmp_path: Path, tally: Tally) -> None:
    for said in said_of(WEAPONS[name](tmp_path)):
        assert "E025" not in said and len(said) < 20_000, said
    tally(hostile_rulesets=1)


def test_as_much_text_as_may_be_is_read_and_no_byte_more(tmp_path: Path) -> None:
    """Scenarios have a limit of their own."""
    root = ruleset(tmp_path, {})
    there = sum(path.stat().st_size for path in root.iterdir())
    scenario = root / "scenarios" / "long.scenario.yaml"
    scenario.parent.mkdir()
    scenario.write_text("#" * 1_000)
    more = root / "more.rules"
    more.write_text("#" * (door.MOST_TEXT - there))
    assert not check(root).faults
    more.write_text("#" * (door.MOST_TEXT - there + 1))
    with pytest.raises(RulesetFaults, match="more than 192 KB of rules and declarations"):
        load(root)


def test_so_it_is_with_its_languages(tmp_path: Path) -> None:
    root = ruleset(tmp_path, {"texts/nl.yaml": "#" * door.MOST_TEXT, "modules/rain/texts/nl.yaml": "#" * (door.MOST_LANGUAGES - door.MOST_TEXT)})
    door.survey(root)
    (root / "modules" / "rain" / "texts" / "de.yaml").write_text("#")
    with pytest.raises(RulesetFaults, match="more than 256 KB of texts in its languages"):
        load(root)


@pytest.mark.parametrize("place", ["texts/more.rules", "boards/texts/eel.yaml", "boards/fish/texts/eel.yaml"])
def test_what_may_be_read_as_rules_is_counted_among_them(place: str, tmp_path: Path) -> None:
    root = ruleset(tmp_path, {place: "#" * door.MOST_TEXT})
    with pytest.raises(RulesetFaults, match="more than 192 KB of rules and declarations"):
        door.survey(root)


def test_there_are_enough_of_them() -> None:
    designs = [*FOLDERS, *SIZED, *BOMBS, *DESIGNS, *LATEST, *PLAYING, *NEWEST, *FURTHER, *CHAINS, *PLACES, *GROWING]
    assert len(designs) >= 60 and set(SLICE) <= set(WEAPONS)


def test_the_largest_of_each_are_those_with_the_largest_numbers() -> None:
    from tests.validator.weigh import largest

    assert largest(["a 9", "a 10", "a 200", "b", "c d 1"]) == {"a 10", "a 200", "b", "c d 1"}


def test_what_is_kept_of_a_design_that_was_weighed_is_read_back() -> None:
    from tests.validator.weigh import Weight

    one = Weight("check what is a link 900", 3.25, 77.0, 1, "error[E026]: this ruleset holds | more than 64 presets")
    assert Weight.read(str(one)) == one
