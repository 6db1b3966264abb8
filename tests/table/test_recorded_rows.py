"""What the rules tell and record, at the command line: the story on the screen, and rows beside the results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.table.door import Said, ichiba
from tests.table.orchard import FILES, write

PAID = "                    move all t.goods to my.basket\n"
TELLING = FILES["orchard.rules"].replace(
    PAID,
    '                    tell "{me} buys {first of t.goods} for {price(position of t)}"\n'
    '                    record "price" price(position of t) for t, first of t.goods\n' + PAID,
)


@pytest.fixture
def orchard(tmp_path: Path) -> Path:
    return write(tmp_path, orchard_rules=TELLING)


def simulate(orchard: Path, *words: str | Path) -> Said:
    return ichiba("simulate", orchard, "--seats", "3", "--seed", "5", *words)


def rows(place: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in place.read_text("utf-8").splitlines()]


def test_rows_stand_beside_the_results_in_however_many_processes(orchard: Path, tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        assert simulate(orchard, "--games", "20", "--jobs", jobs, "--records", "--out", tmp_path / jobs).code == 0
    assert simulate(orchard, "--games", "20", "--jobs", "1", "--out", tmp_path / "without").code == 0
    found = rows(tmp_path / "1" / "records.jsonl")
    assert found == rows(tmp_path / "2" / "records.jsonl") and {row["game"] for row in found} == set(range(1, 21))
    assert all(row["name"] == "price" and row["seat"] is None and row["turn"] == 0 for row in found)
    assert {tuple(row["of"]) for row in found} <= {(t, f) for t in "123" for f in ("apple", "plum")}  # type: ignore[arg-type]
    assert (tmp_path / "without" / "games.jsonl").read_text() == (tmp_path / "1" / "games.jsonl").read_text()
    assert not (tmp_path / "without" / "records.jsonl").exists()


def test_a_run_that_goes_on_has_each_row_once(orchard: Path, tmp_path: Path) -> None:
    """Rows of a game whose line was lost, and a row that was cut off, are written anew."""
    more = ("--jobs", "1", "--records", "--out")
    simulate(orchard, "--games", "6", *more, tmp_path / "whole")
    simulate(orchard, "--games", "4", *more, tmp_path / "parts")
    games, records = (tmp_path / "parts" / name for name in ("games.jsonl", "records.jsonl"))
    games.write_text("".join(games.read_text().splitlines(keepends=True)[:3]))
    records.write_text(records.read_text() + '{"game": 5, "se')
    assert simulate(orchard, "--games", "6", *more, tmp_path / "parts").code == 0
    assert records.read_text() == (tmp_path / "whole" / "records.jsonl").read_text()
    assert simulate(orchard, "--games", "2", "--jobs", "1", "--out", tmp_path / "parts").code == 2, "without rows it is another run"
    assert simulate(orchard, "--games", "2", *more, tmp_path / "parts", "--force").code == 0
    assert {row["game"] for row in rows(records)} <= {1, 2}


def test_rows_need_a_place(orchard: Path) -> None:
    said = simulate(orchard, "--records")
    assert (said.code, said.err) == (2, "ichiba simulate: --records needs a place to keep them: --out DIR\n")


def test_the_story_has_what_was_told_and_on_request_what_has_changed_hands(orchard: Path) -> None:
    typed = "0\nbuy/1\nl\nl effects\nq\n"
    said = ichiba("play", orchard, "--seats", "2", "--bots", "random", "--seed", "7", typed=typed)
    told = [line.strip() for line in said.out.splitlines()]
    assert "seat 1 buys plum for $3" in told or "seat 1 buys apple for $3" in told
    assert any(line.startswith("$3: seat 1's cash") for line in told)
    assert any(line in ("plum: stall 1's goods → seat 1's basket", "apple: stall 1's goods → seat 1's basket") for line in told)
    assert "seat 2's offered: 0 → 7" in told
