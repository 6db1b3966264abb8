"""The pieces of the library, as the pages of `docs/shelf/` show them: what stands there runs, and its scenarios hold."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from tests.reference.lockstep import LockStep
from tests.table.door import ichiba as door

PAGES = Path(__file__).resolve().parents[2] / "docs" / "shelf"
BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def written(page: Path, into: Path) -> list[Path]:
    """The games of a page, each with the scenarios that stand behind it."""
    games: list[Path] = []
    for number, block in enumerate(BLOCK.findall(page.read_text(encoding="utf-8"))):
        if block.startswith("game: "):
            games.append(into / block.split()[1])
            (games[-1] / "scenarios").mkdir(parents=True)
            (games[-1] / "game.yaml").write_text(block, encoding="utf-8")
        elif block.startswith("map: "):
            (games[-1] / "maps").mkdir()
            (games[-1] / "maps" / "land.yaml").write_text(block, encoding="utf-8")
        else:
            (games[-1] / "scenarios" / f"{number}.scenario.yaml").write_text(block, encoding="utf-8")
    return games


@pytest.fixture(params=sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def games(request: pytest.FixtureRequest, tmp_path: Path) -> list[Path]:
    return written(request.param, tmp_path)


def test_what_a_page_shows_has_no_faults_and_its_scenarios_hold(games: list[Path]) -> None:
    for game in games:
        checked, tested = door("check", game), door("test", game)
        assert (checked.code, checked.out.splitlines()[-1]) == (0, "1 ruleset, no faults"), checked.out
        assert tested.code == 0 and "never reached" not in tested.out, tested.out


def test_it_can_be_played_at_random(games: list[Path]) -> None:
    for game in games:
        said = door("simulate", game, "--games", "60", "--check", "--jobs", "1", "--seed", "5")
        assert said.code == 0, said.out + said.err


def test_the_reference_plays_the_same(games: list[Path]) -> None:
    for game in games:
        for seats in (2, 3):
            loaded = ichiba.load(game, seats=seats, trust=True)
            assert sum(LockStep(loaded, seed).play(60) for seed in range(2)) >= 4


LIBRARY = PAGES.parents[1] / "rulesets" / "library"
PATTERNS = {
    f"{path.stem}.{name}"
    for path in LIBRARY.glob("*.rules")
    for name in re.findall(r"^pattern (\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
}
USE = re.compile(r"^ *use (\w+\.\w+)\(", re.MULTILINE)


def test_every_pattern_of_the_library_stands_on_a_page() -> None:
    assert set(USE.findall("\n".join(page.read_text(encoding="utf-8") for page in PAGES.glob("*.md")))) == PATTERNS


def test_every_pattern_of_the_library_is_used_by_a_game() -> None:
    """By a game that is played for its own sake, or by a variant of one: a piece that nobody needs is not on the shelf."""
    rules = [path for folder in rulesets().values() for kind in ("*.rules", "*.yaml") for path in folder.rglob(kind)]
    assert PATTERNS - {use for path in rules for use in USE.findall(path.read_text(encoding="utf-8"))} == set()


def test_the_list_of_games_says_where_each_piece_is_seen() -> None:
    cards = json.loads(door("games", "--format", "json").out)
    shown = {card["name"]: set(card["shows"]) for card in cards}
    assert set.union(*shown.values()) >= PATTERNS
    assert {"a map", "networks.connection"} <= shown["lantern_coast"] and "a grid" in shown["salt_flats"]
    assert "boards in files" in shown["tokyo_tsukiji_market"] and "answers in secret" in shown["goofspiel"]
    assert "shows: hidden hands, auctions.dutch, auctions.once_around, drafts.passing" in door("games").out
