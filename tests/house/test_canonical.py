"""The rulesets are laid out as `ichiba fmt` lays them out."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.table.formatting import files_at, sheet_in
from tests.house.test_rooms import ROOT

FOLDERS = sorted(path for path in (ROOT / "rulesets").iterdir() if path.is_dir() and path.name != "__pycache__")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_ruleset_is_laid_out(folder: Path) -> None:
    """If not: `ichiba fmt rulesets`."""
    sheets = [sheet_in(path, shown) for path, shown in files_at([str(folder)]).items()]
    assert not [sheet.faults for sheet in sheets if sheet.faults]
    assert "".join(sheet.difference() for sheet in sheets if sheet.changed) == ""
