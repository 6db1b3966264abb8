"""A table goes on with the rules it began with, whatever has become of the installed ones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ichiba.table.sitting.house import House
from ichiba.table.sitting.rules import laid_out, rules_in
from tests.table.sitting.conftest import sit


def test_when_the_rules_have_changed_an_old_table_goes_on_with_its_own(house: House, orchard: Path) -> None:
    table = sit(house, orchard, (1,), (2,))
    table.answer("1", "bid/3")
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text().replace("bid from 0 to 15", "bid from 4 to 15"))
    again = table.again()
    assert again.game.folder != orchard and again.game.name == "orchard"
    assert again.course.table.key() == table.live.course.table.key()
    table.live = again
    table.answer("2", "bid/2")
    new = sit(house, orchard, (1,), (2,))
    assert new.live.game.folder == orchard
    with pytest.raises(Exception, match="bid/2"):
        new.answer("1", "bid/2")


def test_when_the_ruleset_is_gone_an_old_table_goes_on(house: House, orchard: Path) -> None:
    table = sit(house, orchard, (1,), (2,))
    table.answer("1", "bid/3")
    shutil.rmtree(orchard)
    assert [one.key for one in table.again().course.given] == ["bid/3"]


def test_a_module_from_elsewhere_is_kept_with_the_rules(house: House, orchard: Path, tmp_path: Path) -> None:
    module = tmp_path / "rain"
    module.mkdir()
    (module / "module.yaml").write_text("module: rain\ntitle: {en: Rain}\nfor: orchard\nrules: |\n  change first_money to 30\n")
    table = sit(house, orchard, (1,), (2,), modules=(str(module),))
    assert table.live.course.table.ask("cash of seat(1)") == 30
    shutil.rmtree(module)
    assert table.again().course.table.ask("cash of seat(1)") == 30


def test_the_same_rules_are_kept_once(house: House, orchard: Path) -> None:
    first, second = (sit(house, orchard, (1,), (2,)) for _ in range(2))
    held = {table.rules for one in (first, second) if (table := house.store.table(one.live.name)) is not None}
    assert len(held) == 1


def test_rules_that_are_half_laid_out_are_never_seen(orchard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = rules_in(orchard, ())
    written = Path.write_bytes

    def fails(path: Path, content: bytes) -> int:
        if path.name == "orchard.rules":
            raise OSError(28, "No space left on device")
        return written(path, content)

    home = tmp_path / "laid" / "out"
    monkeypatch.setattr(Path, "write_bytes", fails)
    with pytest.raises(OSError, match="No space"):
        laid_out(files, home)
    assert list(home.parent.iterdir()) == []
    monkeypatch.undo()
    assert (laid_out(files, home) / "ruleset" / "orchard" / "orchard.rules").is_file()


def test_tables_that_are_set_up_alike_share_one_game(house: House, orchard: Path) -> None:
    first, second = (sit(house, orchard, (1,), (2,), seed=seed).live for seed in (1, 2))
    other = sit(house, orchard, (1,), (2,), variants=("rich",)).live
    assert first.game is second.game and first.game is not other.game
