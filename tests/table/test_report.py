"""Reports, comparisons, ratings and tuning, as typed: what they say, and that nothing is written over."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ichiba.lab.results.courses import Bought
from ichiba.table.report.auctions import thirds
from tests.table.door import Said, ichiba


def simulated(place: Path, *words: str, game: str = "lantern_coast", games: int = 12, seats: int = 2) -> Path:
    said = ichiba("simulate", game, "--seats", str(seats), "--games", str(games), "--jobs", "1", "--python", "--out", place, *words)
    assert said.code == 0, said.err
    return place


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("runs") / "base", "--seed", "1", "--policy", "random")


@pytest.fixture(scope="module")
def sensible(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("runs") / "sensible", "--seed", "1", "--policy", "sensible")


@pytest.fixture(scope="module")
def page(base: Path) -> str:
    said = ichiba("report", base, "--force")
    assert (said.code, said.out) == (0, f"{base}/report.html\n"), said.err
    return (base / "report.html").read_text(encoding="utf-8")


# ----------------------------------------------------------------------------------------------- the report


def test_a_report_answers_the_questions_of_a_designer(page: str) -> None:
    heads = re.findall(r"<h2>([^<]*)</h2>", page)
    assert heads == [
        "In short",
        "How long is a game?", "Does it matter where one sits?", "How close is it?", "When is it decided?", "What is worth using?",
        "What are points made of?", "How rich is one on the way?",
        "What does it cost, what is it worth?", "Is it worth what is bid?", "What is never done?",
    ]  # fmt: skip
    assert "<h1>Lantern Coast: 12 games</h1>" in page


def test_a_board_of_its_own_name_is_called_by_it_and_what_is_only_numbered_by_its_kind(tmp_path: Path) -> None:
    place = simulated(tmp_path / "run", "--seed", "1", game="tsukiji", games=12, seats=3)
    assert ichiba("report", place).code == 0
    text = (place / "report.html").read_text(encoding="utf-8")
    assert "<h3>Lots</h3>" in text and ">lot 1<" in text and "<h3>Products</h3>" in text


def test_boards_that_are_never_in_play_are_none_of_what_is_never_done(tmp_path: Path) -> None:
    words = ("--seed", "1", "--config", "first_game")
    place = simulated(tmp_path / "run", *words, game="tokyo_tsukiji_market", games=2)
    assert ichiba("report", place).code == 0
    text = (place / "report.html").read_text(encoding="utf-8")
    told = re.search(r'<section id="never".*?</section>', text, re.DOTALL)
    assert told is not None
    left_out = re.search(r"<p>Never in play, and left out here: ([^<]*)[.]</p>", told[0])
    assert left_out is not None and {"Tuna", "Barter"} <= set(re.split(", | and ", left_out[1]))
    assert "boards/external/barter.yaml" not in told[0] and "boards/fish/tuna.yaml" not in told[0]
    assert "tokyo_tsukiji_market/turn.rules" in told[0], "what everybody may do is still told"
    assert "`" not in re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL) and "Somebody was well stocked" in text, "in people's words"
    assert "<th scope=\"row\">points (ap) paid</th>" in text, "a purse of points is none of the score"


def test_cheap_and_dear_purchases_of_one_thing_are_told_apart() -> None:
    def bought(of: str, *amounts: int) -> list[Bought]:
        return [Bought(number, of, amount, 0.0, 0.0) for number, amount in enumerate(amounts)]

    def amounts(parts: list[list[Bought]]) -> list[list[tuple[str, float]]]:
        return [sorted((one.of, one.amount) for one in part) for part in parts]

    both = thirds([*bought("barn", 10, 20, 30), *bought("shed", 1, 2, 3)])
    assert amounts(both) == [[("barn", 10), ("shed", 1)], [("barn", 20), ("shed", 2)], [("barn", 30), ("shed", 3)]]
    assert amounts(thirds(bought("barn", 5, 5, 5, 5))) == [[], [("barn", 5)] * 4, []], "what always costs the same is neither"
    cheap, _, dear = thirds(bought("barn", 1, 1, 1, 1, 9))
    assert {one.amount for one in cheap} == {1} and {one.amount for one in dear} == {9}


def test_what_was_bid_stands_beside_what_it_brought(tmp_path: Path) -> None:
    place = simulated(tmp_path / "run", "--seed", "1", "--courses", "40", games=40, seats=3)
    assert ichiba("report", place).code == 0
    text = (place / "report.html").read_text(encoding="utf-8")
    told = re.search(r'<section id="auctions".*?</section>', text, re.DOTALL)
    assert told is not None
    assert re.search(r"Lamp: who pays much does (neither clearly better nor clearly worse|better|worse) than who pays little", told[0])
    assert "points of who buys a lamp" in told[0] and "the dearest third" in told[0]


def test_behind_every_plot_there_is_a_table(page: str) -> None:
    figures = re.findall(r"<figure>.*?</figure>", page, re.DOTALL)
    assert len(figures) >= 9 and all("<svg" in one and "<table>" in one for one in figures)


def test_the_page_runs_nothing_and_asks_nobody_for_anything(page: str) -> None:
    assert "default-src &#39;none&#39;" in page and "<script" not in page
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)


def test_a_page_that_is_there_is_not_written_over(base: Path, page: str) -> None:
    said = ichiba("report", base)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"ichiba report: {base}/report.html would be written over; `--force` does that\n"


def test_boards_stand_there_with_their_pictures_and_figures(tmp_path: Path) -> None:
    place = simulated(tmp_path / "market", "--seed", "1", "--config", "first_game", game="tokyo_tsukiji_market", games=2, seats=3)
    assert ichiba("report", place).code == 0
    text = (place / "report.html").read_text(encoding="utf-8")
    told = re.search(r'<section id="boards".*?</section>', text, re.DOTALL)
    assert told is not None
    articles = re.findall(r"<article.*?</article>", told[0], re.DOTALL)
    assert len(articles) >= 5 and all("<svg" in one and "uses a game" in one for one in articles)
    assert "There are too few of each kind to say what is out of line: 4 would be enough." in told[0]
    assert "The clock (The clock ran out) has ended none of them." in text, "of so few games nothing more can be said"
    assert re.search(r"<caption>rules never reached: \d+</caption>", text)


def test_without_courses_it_says_what_is_missing(tmp_path: Path) -> None:
    place = simulated(tmp_path / "run", "--seed", "1", "--courses", "0", games=3)
    said = ichiba("report", place)
    assert said.out.splitlines()[0] == "How the games went was not kept (--courses 0), so the page says nothing of boards and of the way to the end."
    assert "When is it decided?" not in (place / "report.html").read_text(encoding="utf-8")


def test_where_the_rules_have_changed_the_figures_stay(tmp_path: Path) -> None:
    place = simulated(tmp_path / "run", "--seed", "1", games=3)
    about = json.loads((place / "run.json").read_text())
    (place / "run.json").write_text(json.dumps(about | {"ruleset": "another"}))
    assert ichiba("report", place).code == 0
    assert "The rules could not be read again (its rules have changed since)" in (place / "report.html").read_text(encoding="utf-8")


def test_a_strangers_words_are_only_words(tmp_path: Path, base: Path) -> None:
    """Names in results that mean harm are shown as they are."""
    place = tmp_path / "run"
    place.mkdir()
    bad = "<script>alert(1)</script>\u202e"
    for name in ("games.jsonl", "courses.jsonl", "run.json"):
        (place / name).write_text((base / name).read_text())
    about = json.loads((place / "run.json").read_text())
    (place / "run.json").write_text(json.dumps(about | {"policies": [bad, "random"], "ruleset": bad}))
    rows = [json.loads(line) for line in (place / "courses.jsonl").read_text().splitlines()]
    rows[0]["records"] = [{"name": bad, "amount": 3, "of": [bad]}]
    rows[0]["boards"] = {bad: {"1": {"uses": {bad: 2}, "paid": {bad: 1}, "got": {}}}}
    (place / "courses.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert ichiba("report", place).code == 0
    text = (place / "report.html").read_text(encoding="utf-8")
    assert "<script" not in text and "\u202e" not in text and "&lt;script&gt;" in text


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("games.jsonl", "{}\n", "line 1 is no game of this run: it should be game 1"),
        ("games.jsonl", "[]\n", "line 1 of games.jsonl is no row"),
        ("games.jsonl", "{\n", "line 1 of games.jsonl is no JSON, or holds numbers that no game comes to"),
        ("games.jsonl", "", "no game has come to its end there"),
        ("courses.jsonl", '{"game": 1}\n', "the course of game 1 cannot be read"),
        ("courses.jsonl", '{"game": 1, "taken": 5, "boards": 5}\n', "the course of game 1 cannot be read"),
    ],
)
def test_results_that_are_damaged_are_refused_by_name(tmp_path: Path, base: Path, file: str, content: str, sentence: str) -> None:
    place = tmp_path / "run"
    place.mkdir()
    for name in ("games.jsonl", "courses.jsonl", "run.json"):
        (place / name).write_text((base / name).read_text())
    (place / file).write_text(content)
    assert ichiba("report", place).err == f"ichiba report: {place} cannot be read: {sentence}\n"


@pytest.mark.parametrize("change", [{"setting": 5}, {"setting": {}}, {"policies": 5}, {"policies": [1, 2]}, {"policies": None}, {"ruleset": 4}])
def test_a_run_of_another_version_is_refused(tmp_path: Path, base: Path, change: dict[str, object]) -> None:
    place = tmp_path / "run"
    place.mkdir()
    (place / "games.jsonl").write_text((base / "games.jsonl").read_text())
    (place / "run.json").write_text(json.dumps(json.loads((base / "run.json").read_text()) | change))
    said = ichiba("report", place)
    assert said.err == f"ichiba report: {place} cannot be read: run.json says something else than a run of this version\n"


def test_where_there_are_no_results_it_says_how_to_make_some(tmp_path: Path) -> None:
    said = ichiba("report", tmp_path)
    assert said.err == f"ichiba report: in {tmp_path} there are no results; `ichiba simulate GAME --out {tmp_path}` makes some\n"


@pytest.mark.parametrize("command", [("report",), ("export", "--out", "rows.csv")])
def test_a_folder_of_another_version_is_not_called_empty(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "run.json").write_text('{"ichiba": "trial", "seed": 1}', encoding="utf-8")
    (tmp_path / "games.jsonl").write_text('{"game": 1}\n', encoding="utf-8")
    said = ichiba(command[0], tmp_path, *command[1:])
    assert said.code == 2
    assert said.err == (
        f"ichiba {command[0]}: {tmp_path} holds something that is no run of this version: run.json does not say what was played\n"
    )


# ------------------------------------------------------------------------------------------------ comparing


def test_two_runs_of_the_same_seed_are_compared_pair_by_pair(base: Path, sensible: Path) -> None:
    said = ichiba("compare", base, sensible)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("12 games with the same seeds, pair by pair.\n")
    assert re.search(r"^score of seat 1 .* more$", said.out, re.MULTILINE)


def test_a_run_compared_with_itself_shows_no_change(base: Path) -> None:
    found = json.loads(ichiba("compare", base, base, "--format", "json").out)
    assert found["pairs"] == 12 and found["effects"]
    assert all(one["change"] == 0 and not one["sure"] for one in found["effects"])


def test_a_comparison_is_a_page_too(base: Path, sensible: Path, tmp_path: Path) -> None:
    said = ichiba("compare", base, sensible, "--out", tmp_path / "both.html")
    assert said.code == 0 and said.out.endswith(f"{tmp_path}/both.html\n")
    text = (tmp_path / "both.html").read_text(encoding="utf-8")
    assert re.findall(r"<h2>([^<]*)</h2>", text)[:2] == ["What changed?", "What stayed as it was?"]
    assert ichiba("compare", base, sensible, "--out", tmp_path / "both.html").code == 2


def test_runs_for_other_seats_are_not_compared(base: Path, tmp_path: Path) -> None:
    other = simulated(tmp_path / "three", "--seed", "1", games=3, seats=3)
    said = ichiba("compare", base, other)
    assert said.err.endswith("cannot be compared: one has 2 seats, the other 3: their figures mean different things\n")


# ---------------------------------------------------------------------------------------- rating and tuning


def test_players_are_rated_the_strongest_first() -> None:
    said = ichiba("rate", "no_thanks", "--seats", "3", "--players", "random,sensible", "--games", "6", "--jobs", "1", "--format", "json")
    found = json.loads(said.out)
    assert [one["name"] for one in found] == ["sensible", "random"] and found[0]["points"] > found[1]["points"]
    assert all(one["low"] <= one["points"] <= one["high"] and one["games"] == 6 for one in found)
    better, worse = found
    assert better["ahead"] > 0 and better["ahead"] == -worse["ahead"], "in No Thanks! whoever has fewer points is ahead"
    assert better["ahead_low"] < better["ahead"] < better["ahead_high"]


def test_of_a_single_game_no_interval_is_told_to_programs() -> None:
    said = ichiba("rate", "leduc_poker", "--players", "random,sensible", "--games", "1", "--jobs", "1", "--format", "json")
    assert all(one["ahead_low"] is None and one["ahead_high"] is None for one in json.loads(said.out))


def test_the_same_ratings_come_from_any_number_of_processes() -> None:
    words = ("rate", "leduc_poker", "--players", "random,sensible", "--games", "6", "--format", "json")
    assert ichiba(*words, "--jobs", "1").out == ichiba(*words, "--jobs", "2").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--players", "random"), "at least two players are compared: --players a,b"),
        (("--players", "random,bold"), "`leduc_poker` has no policy `bold`; there are: sensible, random, greedy, searcher"),
    ],
)
def test_who_cannot_be_rated_is_said(words: tuple[str, ...], sentence: str) -> None:
    said = ichiba("rate", "leduc_poker", *words)
    assert said.code == 2 and said.err.endswith(f"{sentence}\n")


def tuned(*words: str) -> Said:
    return ichiba("tune", "goofspiel", "--games", "12", "--jobs", "1", "--policy", "random", *words)


def test_the_value_that_comes_nearest_is_found() -> None:
    said = tuned("--change", "cards", "--to", "3..6", "--want", "decisions=10", "--format", "json")
    found = json.loads(said.out)
    figures = {one["value"]: one["decisions"] for one in found["tried"]}
    assert list(figures) == ["3", "4", "5", "6"] and sorted(figures.values()) == list(figures.values())
    assert found["nearest"] == min(figures, key=lambda value: abs(figures[value] - 10))


def test_what_is_nearest_is_marked_and_what_is_not_told_apart_is_said() -> None:
    said = tuned("--change", "cards", "--to", "4,5", "--want", "fairness")
    assert said.code == 0 and said.out.count("← nearest") == 1
    assert "So many games do not tell" in said.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--change", "cards", "--to", "4", "--want", "turn=5"), "--want turn=5: did you mean `turns`?"),
        (("--change", "cards", "--to", "4", "--want", "decisions"), "--want decisions: how much? --want decisions=40"),
        (("--change", "cards", "--to", "1..x", "--want", "decisions=5"), "--to 1..x: a range is written 10..50 or 10..50/10"),
        (("--change", "cards", "--to", "5..1", "--want", "decisions=5"), "--to 5..1: these are 0 values; from 1 to 40 can be tried"),
        (("--change", "crads", "--to", "4", "--want", "decisions=5"), "there is no option `crads`; did you mean `cards`?"),
    ],
)
def test_what_cannot_be_tuned_is_said_before_anything_is_played(words: tuple[str, ...], sentence: str) -> None:
    said = tuned(*words)
    assert said.code == 2 and said.err.endswith(f"{sentence}\n"), said.err


# -------------------------------------------------------------------------------------------- while playing


def test_the_games_whose_course_is_kept_are_the_same_in_machine_code(tmp_path: Path) -> None:
    words = ("simulate", "lantern_coast", "--seats", "2", "--games", "40", "--seed", "1", "--courses", "5", "--jobs", "1", "--policy", "random")
    ichiba(*words, "--python", "--out", tmp_path / "python")
    ichiba(*words, "--out", tmp_path / "machine")
    for name in ("games.jsonl", "courses.jsonl"):
        assert (tmp_path / "python" / name).read_text() == (tmp_path / "machine" / name).read_text()
    assert len((tmp_path / "python" / "courses.jsonl").read_text().splitlines()) == 5


def test_a_player_that_thinks_ahead_plays_where_there_is_machine_code_too(tmp_path: Path) -> None:
    said = ichiba("simulate", "leduc_poker", "--policy", "searcher:3,random", "--games", "30", "--seed", "1", "--jobs", "1")
    assert said.code == 0, said.err


def test_a_run_that_goes_on_keeps_as_many_courses_as_one_that_was_not_broken_off(tmp_path: Path) -> None:
    words = ("simulate", "leduc_poker", "--seed", "1", "--courses", "6", "--jobs", "1", "--python")
    ichiba(*words, "--games", "8", "--out", tmp_path / "whole")
    ichiba(*words, "--games", "3", "--out", tmp_path / "parts")
    ichiba(*words, "--games", "8", "--out", tmp_path / "parts")
    for name in ("games.jsonl", "courses.jsonl"):
        assert (tmp_path / "whole" / name).read_text() == (tmp_path / "parts" / name).read_text()
