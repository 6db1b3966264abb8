"""The lists of rulings say the truth: the rules know every name in them, and scenarios of that id lie in those files."""

import re
from pathlib import Path

import pytest

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
ROW = re.compile(r"\| (R-[A-Z]+-M?\d+) \| (.*) \| (.*) \|")


@pytest.mark.parametrize(("game", "prefix", "number"), [("shinjuku", "R-SHI", 48), ("tsukiji", "R-TSU", 41)])
def test_every_ruling_is_kept_and_shown_where_the_list_says(game: str, prefix: str, number: int) -> None:
    home = RULESETS / game
    rows = [row for row in ROW.findall((home / "RULINGS.md").read_text(encoding="utf-8")) if "-M" not in row[0]]
    assert [id for id, _, _ in rows] == [f"{prefix}-{n:02}" for n in range(1, number + 1)]
    files = [path for path in home.rglob("*") if path.suffix in (".rules", ".yaml") and "scenario" not in path.name]
    words = "".join(path.read_text(encoding="utf-8") for path in [*files, RULESETS / "library" / "tracks.rules"])
    for id, kept, shown in rows:
        assert all(name in words for name in re.findall("`([^`]+)`", kept)), id
        scenarios = home / "scenarios"
        named = set(re.findall("`([^`]+)`", shown))
        having = {p.name.split(".")[0] for p in scenarios.iterdir() if id in p.read_text(encoding="utf-8")}
        assert named == having, id
        assert named or "views" in shown, id


def test_every_ruling_about_a_mod_is_kept_and_shown_where_the_list_says() -> None:
    home = RULESETS / "shinjuku"
    rows = [row for row in ROW.findall((home / "RULINGS.md").read_text(encoding="utf-8")) if "-M" in row[0]]
    assert [id for id, _, _ in rows] == [f"R-SHI-M{n:02}" for n in range(1, 25)]
    files = [path for path in home.rglob("*") if path.suffix in (".rules", ".yaml") and "scenario" not in path.name]
    words = "".join(path.read_text(encoding="utf-8") for path in files)
    for id, kept, shown in rows:
        assert all(name in words for name in re.findall("`([^`]+)`", kept)), id
        having = {p.name.split(".")[0] for p in home.glob("modules/*/scenarios/*") if id in p.read_text(encoding="utf-8")}
        assert set(re.findall("`([^`]+)`", shown)) == having, id
