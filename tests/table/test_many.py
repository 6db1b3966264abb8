"""Games again and games in numbers: replay, simulate, and the policies that play."""

from __future__ import annotations

import json
import pickle
import shutil
from collections import Counter
from pathlib import Path

import pytest

import ichiba as engine
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.lab.policies import Preferring, UnknownPolicy, play_out, policies, policy
from ichiba.table.arguments import Setting
from ichiba.table.refusal import FAULT, Refusal
from ichiba.table.simulation import batch
from tests.language.tiny import ruleset
from tests.table.door import Said, ichiba, pinned
from tests.table.orchard import FILES, write

# replay


@pytest.fixture
def friday(orchard: Path, tmp_path: Path) -> Path:
    """A finished game."""
    ichiba("play", orchard, "--seats", "3", "--seed", "7", typed=f"12\ns {tmp_path}/friday.json\n2\n7\nhome\n3\nhome\n")
    return tmp_path / "friday.json"


def test_a_replay_tells_everything_that_happened(friday: Path) -> None:
    said = ichiba("replay", friday)
    assert said.code == 0
    pinned("replay_orchard", said.out)


def test_a_replay_can_be_walked_through(friday: Path) -> None:
    said = ichiba("replay", friday, "--step", typed="\n\nb\n6\nq\n")
    assert [line for line in said.out.splitlines() if line.endswith(" of 18")] == [
        f"{n} of 18" for n in (0, 1, 2, 1, 6)
    ]


def test_a_seat_is_told_what_it_knew(friday: Path) -> None:
    said = ichiba("replay", friday, "--seat", "2", "--format", "json")
    items = json.loads(said.out)
    assert all(item["audience"] in ("all", 2) for item in items)
    assert ichiba("replay", friday, "--seat", "4").code == 2


def test_a_replay_can_be_checked(friday: Path) -> None:
    said = ichiba("replay", friday, "--check")
    assert said.code == 0
    assert said.out.startswith("friday.json: orchard, 18 answers, ")
    assert said.out.endswith("; it leads to the position it was saved in (over, frost)\n")


def test_a_replay_that_was_tampered_with_is_found_out(friday: Path) -> None:
    content = json.loads(friday.read_text())
    del content["answers"][-1]
    friday.write_text(json.dumps(content))
    said = ichiba("replay", friday, "--check")
    assert (said.code, said.out) == (1, "")


def test_a_game_that_goes_on_keeps_its_secrets_in_a_replay(orchard: Path, tmp_path: Path) -> None:
    path = tmp_path / "half.json"
    ichiba("play", orchard, "--seats", "3", "--bots", "0", "--seed", "7", typed=f"\n12\n\ns {path}\n")
    assert "12" not in ichiba("replay", path).out


# simulate


def simulate(orchard: Path, *words: str | Path) -> Said:
    return ichiba("simulate", orchard, "--seats", "3", "--seed", "5", *words)


def test_games_are_the_same_in_however_many_processes(orchard: Path, tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        assert simulate(orchard, "--games", "30", "--jobs", jobs, "--out", tmp_path / jobs).code == 0
    assert (tmp_path / "1" / "games.jsonl").read_bytes() == (tmp_path / "2" / "games.jsonl").read_bytes()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_many_games_are_played_in_machine_code_and_are_the_same(
    orchard: Path, tmp_path: Path, jobs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "WORTH", 0)
    more = ("--games", "30", "--jobs", jobs, "--out")
    assert "a second, in machine code" in simulate(orchard, *more, tmp_path / "quick").out
    assert "a second)" in simulate(orchard, "--python", *more, tmp_path / "python").out
    assert (tmp_path / "quick" / "games.jsonl").read_bytes() == (tmp_path / "python" / "games.jsonl").read_bytes()


def test_a_few_games_are_not_worth_machine_code(orchard: Path) -> None:
    assert "machine code" not in simulate(orchard, "--games", "30", "--jobs", "1").out


def test_each_game_is_one_line(orchard: Path) -> None:
    said = simulate(orchard, "--games", "2", "--jobs", "1", "--out", "-", "--policy", "thrifty,random,random")
    rows = [json.loads(line) for line in said.out.splitlines()]
    assert [row["game"] for row in rows] == [1, 2] and [row["seed"] for row in rows] == ["5/1", "5/2"]
    assert list(rows[0]) == ["game", "seed", "seats", "policies", "scores", "ranking", "ending", "decisions"]
    assert rows[0]["policies"] == ["thrifty", "random", "random"] and rows[0]["ending"] == "frost"


def test_one_game_of_many_can_be_played_again(orchard: Path) -> None:
    row = json.loads(simulate(orchard, "--games", "3", "--jobs", "1", "--out", "-").out.splitlines()[2])
    table = play_out(engine.load(orchard, 3), row["seed"], ["thrifty"] * 3)
    assert row["policies"] == ["thrifty"] * 3, "the ruleset's first policy plays unless another is named"
    assert {str(seat): score for seat, score in table.scores.items()} == row["scores"]


def test_a_run_stops_where_an_invariant_does_not_hold(tmp_path: Path) -> None:
    rules = FILES["orchard.rules"] + "\ninvariant never: no (s in seats where position of s > 1)\n"
    folder = write(tmp_path, orchard_rules=rules)
    assert ichiba("simulate", folder, "--games", "2", "--seed", "1").code == 0
    said = ichiba("simulate", folder, "--games", "2", "--seed", "1", "--check")
    assert said.code == FAULT
    assert "the invariant `never` does not hold" in said.err


def test_with_invariants_looked_at_they_are_the_same_games(orchard: Path) -> None:
    for player in ("random", "thrifty"):
        more = ("--games", "4", "--jobs", "1", "--policy", player, "--out", "-")
        assert simulate(orchard, *more, "--check").out == simulate(orchard, *more).out


def test_a_summary_says_who_won_how_often(orchard: Path) -> None:
    said = simulate(orchard, "--games", "20", "--jobs", "1", "--policy", "thrifty,random,random")
    lines = said.out.splitlines()
    assert lines[0] == "orchard: 3 seats, thrifty, random, seed 5"
    assert " ".join(lines[1].split()) == "policy wins between mean score deviation lowest highest"
    assert [line.split()[:3] for line in lines[2:5]] == [
        ["seat", "1", "thrifty"],
        ["seat", "2", "random"],
        ["seat", "3", "random"],
    ]
    assert lines[5].startswith("20 games; ") and lines[5].endswith("; endings: frost 100%")


def test_a_summary_says_how_the_games_ended() -> None:
    said = ichiba("simulate", "shinjuku", "--games", "4", "--jobs", "1", "--seed", "2", "--policy", "random")
    rows = ichiba("simulate", "shinjuku", "--games", "4", "--jobs", "1", "--seed", "2", "--policy", "random", "--out", "-")
    often = Counter(json.loads(line)["ending"] for line in rows.out.splitlines())
    shares = [f"{name} {number / 4:.0%}" for name, number in often.most_common()]
    assert f"endings: {', '.join(shares)}" in said.out
    unnamed = ichiba("simulate", "no_thanks", "--games", "2", "--jobs", "1", "--seed", "2")
    assert "endings" not in unnamed.out


def test_a_run_goes_on_where_it_was_stopped(orchard: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    whole = tmp_path / "whole.jsonl"
    simulate(orchard, "--games", "10", "--jobs", "1", "--out", out)
    with (out / "games.jsonl").open("a") as file:
        file.write('{"game": 11, "see')  # torn off in the middle of a line
    said = ichiba(
        "simulate", orchard, "--seats", "3", "--games", "25", "--jobs", "1", "--out", out
    )  # the seed is known
    assert "10 games are there already" in said.out
    simulate(orchard, "--games", "25", "--jobs", "1", "--out", whole)
    assert (out / "games.jsonl").read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("words", [["--seed", "6"], ["--policy", "random"], ["--variant", "rich"], ["--seats", "2"]])
def test_another_run_is_never_written_over_unasked(orchard: Path, tmp_path: Path, words: list[str]) -> None:
    out = tmp_path / "run"
    simulate(orchard, "--games", "3", "--jobs", "1", "--out", out)
    before = (out / "games.jsonl").read_bytes()
    said = simulate(orchard, "--games", "5", "--jobs", "1", "--out", out, *words)
    assert said.code == 2 and f"ichiba simulate: {out} holds another run (it differs in " in said.err
    assert (out / "games.jsonl").read_bytes() == before
    assert simulate(orchard, "--games", "2", "--jobs", "1", "--out", out, "--force", *words).code == 0
    assert len((out / "games.jsonl").read_text().splitlines()) == 2


def test_a_changed_ruleset_is_another_run(orchard: Path, tmp_path: Path) -> None:
    simulate(orchard, "--games", "3", "--jobs", "1", "--out", tmp_path / "run")
    write(tmp_path, game_yaml=FILES["game.yaml"].replace("first_money: {is: 20", "first_money: {is: 21"))
    said = simulate(orchard, "--games", "3", "--jobs", "1", "--out", tmp_path / "run")
    assert said.code == 2 and "it differs in ruleset" in said.err


def test_a_folder_of_something_else_is_left_alone(orchard: Path, tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text("mine\n")
    said = simulate(orchard, "--games", "1", "--out", tmp_path)
    assert said.code == 2 and "holds something that is no run; --force replaces it" in said.err
    assert (tmp_path / "games.jsonl").read_text() == "mine\n"


def test_ctrl_c_keeps_what_was_played(orchard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = batch.play_one

    def interrupted(game: object, run: object, number: int) -> object:
        if number == 4:
            raise KeyboardInterrupt
        return one(game, run, number)  # type: ignore[arg-type]

    monkeypatch.setattr(batch, "play_one", interrupted)
    said = simulate(orchard, "--games", "9", "--jobs", "1", "--out", tmp_path / "run")
    assert said.code == 130 and "the same command goes on" in said.out
    assert len((tmp_path / "run" / "games.jsonl").read_text().splitlines()) == 3


def breaking(folder: Path) -> Path:
    """The orchard with a counter that has no room when somebody buys at the third stall in the third harvest."""
    sold = "move all t.goods to my.basket\n"
    once_more = sold + " " * 20 + "if round = 3 and position of t = 3: raise round by 1\n"
    rules = FILES["orchard.rules"].replace(sold, once_more)
    return write(folder, orchard_rules=rules)


def test_a_game_that_breaks_off_names_its_seed_and_the_others_are_played(orchard: Path, tmp_path: Path) -> None:
    home = breaking(tmp_path)
    for jobs in ("1", "2"):
        said = simulate(home, "--games", "20", "--jobs", jobs, "--out", tmp_path / f"run{jobs}")
        rows = [json.loads(line) for line in (tmp_path / f"run{jobs}" / "games.jsonl").read_text().splitlines()]
        broken, whole = [row for row in rows if "broken" in row], [row for row in rows if "broken" not in row]
        assert len(rows) == 20 and broken and whole and said.code == 1
        first = broken[0]
        assert first["broken"].startswith("`round` would leave its range of 0 to 3") and "save" not in first
        assert f"ichiba simulate: game {first['game']} (seed 5/{first['game']}) broke off: {first['broken']}" in said.err
        assert f"{len(whole)} games; " in said.out
    assert [row | {"kept": ""} for row in rows] == [
        json.loads(line) | {"kept": ""} for line in (tmp_path / "run1" / "games.jsonl").read_text().splitlines()
    ]


def test_a_game_that_broke_off_is_opened_at_its_last_decision(orchard: Path, tmp_path: Path) -> None:
    simulate(breaking(tmp_path), "--games", "20", "--jobs", "1", "--out", tmp_path / "run")
    rows = [json.loads(line) for line in (tmp_path / "run" / "games.jsonl").read_text().splitlines()]
    row = next(row for row in rows if "broken" in row)
    kept = Path(row["kept"])
    assert kept.name == f"broken-{row['game']}.json"
    table = engine.resume(kept)
    assert table.decision is not None and len(table.history) == row["decisions"]
    told = ichiba("replay", kept, "--step", "--plain", typed="q\n")
    assert [line for line in told.out.splitlines() if " of " in line][0] == f"{row['decisions']} of {row['decisions']}"
    said = " ".join(told.out.split())
    assert f"it broke off at the answer `buy/3`: {row['broken']}" in said and "round 3" in said
    with pytest.raises(RuleFault, match="would leave its range"):
        table.play(json.loads(kept.read_text())["broken"]["answer"])
    assert "it broke off" in ichiba("replay", kept, "--check").out and "it broke off" in ichiba("replay", kept).out


def test_without_a_folder_for_the_run_it_is_kept_among_the_games(
    orchard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_SAVES", str(tmp_path / "saves"))
    said = simulate(breaking(tmp_path), "--games", "20", "--jobs", "1")
    kept = sorted((tmp_path / "saves" / "broken").glob("orchard-*.json"))
    assert kept and any(f"ichiba replay {place} --step" in said.err for place in kept)
    assert not list((tmp_path / "saves").glob("*.json"))


def test_a_refusal_comes_back_from_another_process_whole() -> None:
    refusal = pickle.loads(pickle.dumps(Refusal("no", FAULT)))
    assert (str(refusal), refusal.code) == ("no", FAULT)


def test_a_random_seed_is_told(orchard: Path) -> None:
    said = ichiba("simulate", orchard, "--games", "1", "--jobs", "1")
    seed = said.out.splitlines()[0].rpartition(" ")[2]
    assert seed.isdigit() and f"{seed}" not in ("5", "")


# policies


def test_a_ruleset_says_how_a_modest_player_would_play(orchard: Path) -> None:
    game = engine.load(orchard, 3)
    assert policies(game) == ["thrifty", "random", "greedy", "searcher"]
    table = game.start(7)
    for seat in (1, 2, 3):
        table.play("bid/5", seat)
    decision = table.decision
    assert decision is not None
    thrifty = policy(game, "thrifty", 1)
    assert isinstance(thrifty, Preferring)
    weights = dict(zip(decision.keys(), thrifty.weights(decision)))
    assert weights == {"buy/1": 9, "buy/2": 8, "buy/3": 7, "home": 1}
    assert decision.keys()[thrifty.index(decision)] == "buy/1"


def test_among_equals_a_policy_throws_its_own_dice(orchard: Path) -> None:
    game = engine.load(orchard, 3)
    decision = game.start(7).decision
    assert decision is not None
    assert len({policy(game, "thrifty", seed).index(decision) for seed in range(30)}) > 5
    assert policy(game, "thrifty", 3).index(decision) == policy(game, "thrifty", 3).index(decision)


def test_an_unknown_policy_names_the_nearest(orchard: Path) -> None:
    with pytest.raises(UnknownPolicy, match="has no policy `randm`; did you mean `random`?"):
        policy(engine.load(orchard, 3), "randm", 1)


@pytest.mark.parametrize(
    ("play", "turns"),
    [
        ("take one turn each from seat(1): act", 2),
        ("take one turn each from seat(1): act\n    take one turn each from seat(1): act", None),
        ("repeat 3 times:\n        take one turn each from seat(1): act", None),
    ],
)
def test_turns_are_counted_only_where_all_are_of_one_run(play: str, turns: int | None, tmp_path: Path) -> None:
    rules = (
        f"add to seat:\n    counter luck: 0 .. 9\n\nplay:\n    {play}\n\n"
        'procedure act:\n    menu actions:\n        "What now?"\n        option rest "Rest": nothing\n'
        '        option hope "Hope": raise my.luck by 1\n\n'
        'scoring:\n    score for each seat: score "Luck" my.luck\n\nranking: highest total else shared\n'
    )
    game = engine.load(ruleset(tmp_path, {"play.rules": rules}), seats=2, trust=True)
    run = batch.Run(Setting("tiny", 2), ("random", "random"), 1)
    assert batch.play_one(game, run, 0).get("turns") == turns


def test_of_one_game_and_of_none_won_it_is_not_sure_that_none_is_won(orchard: Path) -> None:
    said = simulate(orchard, "--games", "1", "--jobs", "1", "--policy", "thrifty,random,random")
    shares = [line.split()[3:7] for line in said.out.splitlines()[2:5]]
    assert sorted(shares) == [["0.0%", "0.0%", "to", "79.3%"]] * 2 + [["100.0%", "20.7%", "to", "100.0%"]]
    assert "\n1 game; " in said.out and "\n1 game in " in said.out
