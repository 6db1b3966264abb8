"""Many games at scale: everybody at every seat, several runs in one, and the rows for other programs."""

from __future__ import annotations

import csv
import json
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ichiba as engine
from ichiba.interpreter.batch.rows import rows_of
from ichiba.lab.results.reading import seated
from ichiba.table.refusal import FAULT
from ichiba.table.simulation import batch
from tests.table.door import Said, ichiba


def simulate(orchard: Path, *words: str | Path, seats: int = 3) -> Said:
    return ichiba("simulate", orchard, "--seats", str(seats), "--seed", "5", "--jobs", "1", *words)


def rows(place: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (place / "games.jsonl").read_text().splitlines()]


# ------------------------------------------------------------------------------------------ everybody at every seat


def test_everybody_moves_on_by_a_seat() -> None:
    assert [seated(("a", "b", "c"), game) for game in (1, 2, 3, 4)] == [("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a"), ("a", "b", "c")]


@pytest.mark.parametrize("jobs", ["1", "2", "7"])
def test_rows_are_the_same_for_any_number_of_processes_also_when_seats_change(orchard: Path, tmp_path: Path, jobs: str) -> None:
    more = ("--games", "20", "--rotate", "--policy", "thrifty,random,random", "--courses", "3", "--out")
    assert simulate(orchard, *more, tmp_path / "one").code == 0
    assert ichiba("simulate", orchard, "--seats", "3", "--seed", "5", "--jobs", jobs, *more, tmp_path / "many").code == 0
    for name in ("games.jsonl", "courses.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "many" / name).read_bytes()
    assert [row["policies"].index("thrifty") for row in rows(tmp_path / "one")[:4]] == [0, 1, 2, 0]


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_in_machine_code_everybody_sits_where_they_sit_in_python(orchard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "WORTH", 0)
    more = ("--games", "23", "--rotate", "--policy", "thrifty,random,random", "--courses", "2", "--out")
    assert "in machine code" in simulate(orchard, *more, tmp_path / "quick").out
    assert simulate(orchard, "--python", *more, tmp_path / "python").code == 0
    assert rows(tmp_path / "quick") == rows(tmp_path / "python")


def test_where_everybody_moves_on_wins_are_told_by_player_and_never_by_a_seat_of_theirs(orchard: Path, tmp_path: Path) -> None:
    said = simulate(orchard, "--games", "30", "--rotate", "--policy", "thrifty,random,random", "--out", tmp_path / "run").out
    wins = {name: float(share) for name, share in re.findall(r"^(thrifty|random) +([\d.]+)% +[\d.]+% to [\d.]+% .* 30$", said, re.MULTILINE)}
    points = r"^(thrifty|random) .*% +([+-][\d.]+) +[+-][\d.]+ to [+-][\d.]+ +30$"
    ahead = {name: float(one) for name, one in re.findall(points, said, re.MULTILINE)}
    assert ahead["thrifty"] > 0 and ahead["random"] < 0
    assert wins["thrifty"] + 2 * wins["random"] == pytest.approx(100, abs=0.2) and wins["thrifty"] > 33.3
    assert re.search(r"^seat 1 +[\d.]+%", said, re.MULTILINE)


def test_the_report_says_who_plays_better_and_not_only_where_one_sits(orchard: Path, tmp_path: Path) -> None:
    simulate(orchard, "--games", "30", "--rotate", "--policy", "thrifty,random,random", "--out", tmp_path / "run")
    assert ichiba("report", tmp_path / "run").code == 0
    page = (tmp_path / "run" / "report.html").read_text()
    assert all(words in page for words in ("Who plays better?", "wins for each seat", "points ahead of the others"))
    assert "The players are not the same at all seats" not in page
    better = r"Thrifty wins \d+% \([\d.% to]+\) of the games for each seat it has; by chance alone it would be 33%\. By points thrifty is the best: "
    assert re.search(rf'<p class="answer">{better}', page), "where it is clear"
    assert re.search(rf'<a href="#players">Who plays better\?</a> {better}', page), "on the first screen"
    assert "wins of thrifty" in ichiba("compare", tmp_path / "run", tmp_path / "run").out


def test_where_nobody_is_clearly_better_the_report_says_that(orchard: Path, tmp_path: Path) -> None:
    simulate(orchard, "--games", "2", "--rotate", "--policy", "thrifty,random,random", "--out", tmp_path / "run")
    assert ichiba("report", tmp_path / "run").code == 0
    page = (tmp_path / "run" / "report.html").read_text()
    assert re.search(r"<p>By wins nobody stands out: \w+ wins .* By points nobody stands out: ", page)


# ---------------------------------------------------------------------------------------------- several runs in one


def test_every_combination_is_a_run_of_its_own_and_goes_on(orchard: Path, tmp_path: Path) -> None:
    words = ("--each", "seats=2,3", "--each", "policy=thrifty,random", "--out", tmp_path / "all")
    first = ichiba("simulate", orchard, "--jobs", "1", "--games", "3", *words)
    assert first.code == 0, first.err
    assert "4 of 4: seats=3_policy=random" in first.out
    again = ichiba("simulate", orchard, "--jobs", "1", "--games", "5", *words)
    assert again.code == 0 and again.out.count("3 games are there already") == 4
    runs = sorted(path for path in (tmp_path / "all").iterdir() if path.is_dir())
    assert [path.name for path in runs] == [
        "seats=2_policy=random", "seats=2_policy=thrifty", "seats=3_policy=random", "seats=3_policy=thrifty",
    ]  # fmt: skip
    assert all(len(rows(path)) == 5 for path in runs)
    assert len({rows(path)[0]["seed"] for path in runs}) == 1, "their games can be compared pair by pair"
    assert ichiba("compare", runs[0], runs[1]).out.startswith("5 games with the same seeds")
    for command, more in (("report", ()), ("compare", (runs[0],))):
        said = ichiba(command, tmp_path / "all", *more)
        assert said.code == 2 and re.search(r"in .*all there are 4 runs; say which: .*seats=2_policy=thrifty", said.err)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["--each", "seats"], "--each seats: it is written --each seats=2,3 or --each variant=-,short"),
        (["--each", "seats=two"], "--each seats=two: that is no number of seats"),
        (["--each", "seats=2", "--each", "seats=3"], "--each seats=… stands there twice"),
        (["--each", "policy=thrifty,thrifty"], "two of these runs would lie in one folder"),
        (["--each", "policy=thrift"], "did you mean `thrifty`?"),
        (["--each", "colour=red"], "there is no option `colour`"),
    ],
)
def test_combinations_that_cannot_be_are_told_before_anything_is_played(orchard: Path, tmp_path: Path, words: list[str], wrong: str) -> None:
    said = ichiba("simulate", orchard, *words, "--out", tmp_path / "all")
    assert said.code != 0 and wrong in said.err, said.err
    assert not (tmp_path / "all").exists()


def test_another_matrix_is_not_written_over(orchard: Path, tmp_path: Path) -> None:
    assert "needs a folder" in ichiba("simulate", orchard, "--each", "seats=2,3").err
    ichiba("simulate", orchard, "--jobs", "1", "--games", "1", "--each", "seats=2", "--out", tmp_path)
    said = ichiba("simulate", orchard, "--jobs", "1", "--games", "1", "--each", "seats=3", "--out", tmp_path)
    assert said.code == 2 and "holds another matrix of runs; --force replaces it" in said.err


# ------------------------------------------------------------------------------------------ rows for other programs


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("kept")
    said = ichiba("simulate", "lantern_coast", "--seats", "2", "--seed", "3", "--games", "4", "--jobs", "1", "--records", "--out", place)
    assert said.code == 0, said.err
    return place


@pytest.mark.parametrize(("of", "many"), [("games", 4), ("seats", 8), ("looks", 4 * 2 * 41 * 3)])
def test_the_forms_have_the_same_rows(kept: Path, tmp_path: Path, of: str, many: int) -> None:
    for form in ("csv", "jsonl"):
        said = ichiba("export", kept, "--of", of, "--out", tmp_path / f"rows.{form}")
        assert (said.code, said.out) == (0, f"{tmp_path}/rows.{form}: {many:,} rows\n"), said.err
    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    with open(tmp_path / "rows.csv", newline="") as file:
        assert [dict(row) for row in csv.DictReader(file)] == [
            {name: "" if value is None else str(value) for name, value in line.items()} for line in lines
        ]


def test_parquet_has_them_too(kept: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'ichiba[lab]'")
    for of in ("games", "seats", "records", "looks", "boards"):
        assert ichiba("export", kept, "--of", of, "--out", tmp_path / f"{of}.parquet").code == 0
        assert ichiba("export", kept, "--of", of, "--out", tmp_path / f"{of}.jsonl").code == 0
        lines = [json.loads(line) for line in (tmp_path / f"{of}.jsonl").read_text().splitlines()]
        assert parquet.read_table(tmp_path / f"{of}.parquet").to_pylist() == lines


def test_without_pyarrow_one_line_says_how_to_get_it(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    said = ichiba("export", kept, "--out", tmp_path / "games.parquet")
    assert (said.code, said.err) == (2, "ichiba export: Parquet needs pyarrow: pip install 'ichiba[lab]'\n")
    assert not list(tmp_path.iterdir())


def test_runs_of_a_matrix_are_exported_together(orchard: Path, tmp_path: Path) -> None:
    ichiba("simulate", orchard, "--jobs", "1", "--games", "2", "--each", "seats=2,3", "--out", tmp_path / "all")
    assert ichiba("export", tmp_path / "all", "--of", "seats", "--out", tmp_path / "all.csv").code == 0
    head, *lines = (tmp_path / "all.csv").read_text().splitlines()
    assert head == "run,game,seat,policy,score,place,won" and len(lines) == 2 * 2 + 2 * 3
    assert {line.split(",")[0] for line in lines} == {"seats=2", "seats=3"}


def test_what_cannot_be_exported_is_said_and_nothing_is_written_over(kept: Path, tmp_path: Path) -> None:
    assert "its name should end with .csv, .jsonl or .parquet" in ichiba("export", kept, "--out", tmp_path / "rows.xls").err
    assert "there are no results" in ichiba("export", tmp_path, "--out", tmp_path / "rows.csv").err
    (tmp_path / "rows.csv").write_text("mine")
    assert "would be written over" in ichiba("export", kept, "--out", tmp_path / "rows.csv").err
    assert (tmp_path / "rows.csv").read_text() == "mine"
    other = tmp_path / "other"
    shutil.copytree(kept, other)
    (other / "games.jsonl").write_text('{"game": 1, "of": "another version"}\n')
    said = ichiba("export", other, "--out", tmp_path / "more.csv")
    assert said.code == FAULT and "cannot be read" in said.err and not (tmp_path / "more.csv").exists()


# ---------------------------------------------------------------------------------------------- what it costs


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_keeping_what_games_say_costs_less_than_a_fifth_of_playing_them(tmp_path: Path) -> None:
    """The processor's time of an ordinary run of quick games, starting included, against that of the same games as bare rows."""
    game, policies, games = engine.load("tsukiji", seats=3), ("sensible",) * 3, 100_000

    def bare() -> None:
        for first in range(1, games + 1, 1000):
            rows_of(game, [f"1/{number}" for number in range(first, first + 1000)], policies, native=True)

    def kept() -> None:
        words = ("--seats", "3", "--games", str(games), "--courses", "0", "--seed", "1", "--jobs", "1", "--force", "--out")
        assert ichiba("simulate", "tsukiji", *words, tmp_path / "run").code == 0

    def took(work: Callable[[], None]) -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    bare()
    kept()
    turns = [(took(kept), took(bare)) for _ in range(5)]
    assert min(one for one, _ in turns) < 1.2 * min(other for _, other in turns)
