"""Tokyo Tsukiji Market, the base game: its scenarios reach every rule, its README tells the truth, its games end."""

import re
import shutil
from functools import cache
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.lab.coverage import cover
from ichiba.lab.policies import play_out, policy
from ichiba.lab.scenarios import run_scenarios
from ichiba.validator.judges.texts import judge_texts
from tests.depth import mostly_seldom, seldom
from tests.games.most_shared import failing, results_of_most

HOME = Path(__file__).resolve().parents[2] / "rulesets" / "tokyo_tsukiji_market"
SEATS = (2, 3, 4, 5, 6)
NEEDED = {"mackerel", "ships"}  # the rulebook itself says them by name
FOR_MORE = {  # in the base game nobody shops in somebody else's turn, and no External Market comes later
    "option shopping.done",
    "procedure new_external_market",
}
EXPANSION_ONLY = {  # rulings about what the base game does not have
    "28", "29", "30", "31", "32", "33", "34", "35", "40", "41", "43", "45", "52", "53", "54", "55", "56", "58", "61", "62",
    "63", "64", "65", "66", "68", "69", "70", "71", "76", "77", "83", "84", "85", "88", "89", "93", "95", "101", "102", "103",
    "105", "106", "107", "111", "112", "115", "117", "120",
}  # fmt: skip
VIEWS = {"94"}  # what is seen: below


@cache
def game_of(seats: int, **options: object) -> ichiba.Game:
    return ichiba.load("tokyo_tsukiji_market", seats=seats, options=options)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy without modules and variants."""
    copy = tmp_path_factory.mktemp("base") / "tokyo_tsukiji_market"
    shutil.copytree(HOME, copy, ignore=shutil.ignore_patterns("modules", "variants", "look.yaml"))
    for variant in ("additional_markets", "crashing_markets", "open_knowledge"):
        (copy / "scenarios" / f"{variant}.scenario.yaml").unlink(missing_ok=True)
    return copy


# Scenarios


def test_many_scenarios_of_the_base_game_hold_in_a_copy_of_it_alone(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # a copy of our own
    results = results_of_most(base, settings=2)
    assert len(results) > 60 and not failing(results), failing(results)


@pytest.mark.soak
def test_every_scenario_of_the_base_game_holds(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # a copy of our own
    report = run_scenarios(base)
    assert report.holds, str(report)
    assert len(report.results) > 150


@pytest.mark.soak
def test_scenarios_alone_reach_every_rule_of_the_base_game(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # a copy of our own
    tested, coverage = cover(base, playouts=0)
    assert tested.holds, str(tested)
    unreached = {f"{point.kind} {point.name}" for point in coverage.unreached}
    assert unreached == FOR_MORE


def test_every_ruling_about_the_base_game_has_a_scenario() -> None:
    names = "".join(path.read_text(encoding="utf-8") for path in sorted((HOME / "scenarios").glob("*.yaml")))
    shown = set(re.findall(r"R-TTM-(\d+)", names))
    assert {f"{number:02}" for number in range(1, 124)} - shown == EXPANSION_ONLY - shown | VIEWS


# Boards


BOARDS = sorted(path.stem for path in HOME.glob("boards/*/*.yaml") if path.stem not in NEEDED)


@pytest.mark.parametrize("board", mostly_seldom(BOARDS, 4))
def test_without_its_file_a_board_is_gone_and_nothing_breaks(
    board: str, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    copy = tmp_path / "tokyo_tsukiji_market"
    shutil.copytree(base, copy, ignore=shutil.ignore_patterns(f"{board}.yaml", "scenarios"))
    aquarium = copy / "boards" / "external" / "aquarium.yaml"
    if aquarium.exists():  # what the Aquarium pays for a fish is about both; it goes with either of them
        lines = aquarium.read_text(encoding="utf-8").splitlines(keepends=True)
        fish = {"spider_crab": "crab_4", "tuna": "tuna_15"}.get(board, board)
        aquarium.write_text("".join(line for line in lines if f"takes: [{fish}" not in line), encoding="utf-8")
    game = ichiba.load(copy, seats=3)
    table = game.start(1)
    assert board not in {thing.name for thing in game.world.things}
    assert table.ask("count of markets") == 8


def test_a_board_is_forty_lines_or_so() -> None:
    lines = {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in HOME.glob("boards/*/*.yaml")}
    assert len(lines) == 18
    assert {name for name, count in lines.items() if count > 45} == {"rentals"}
    assert sorted(lines.values())[len(lines) // 2] < 30


# What the README says


def asks() -> list[str]:
    readme = (HOME / "README.md").read_text(encoding="utf-8").split("## What `ask` can reach")[1].split("\n## ")[0]
    rows = [line.split("|")[2] for line in readme.splitlines() if line.startswith("| ") and "`" in line]
    return [found for row in rows for found in re.findall(r"`([^`]+)`", row)]


def all_boards(seats: int) -> ichiba.Game:
    fish = ("eel", "fugu", "octopus", "red_snapper", "salmon", "spider_crab", "squid", "tuna")
    external = ("aquarium", "auction", "bank", "barter", "government", "rentals", "trading", "used_ships")
    return ichiba.load("tokyo_tsukiji_market", seats=seats, options={"fish": list(fish), "external": list(external)})


def test_everything_the_readme_says_can_be_asked() -> None:
    assert len(asks()) > 55
    table = all_boards(3).start(1)
    for expression in asks():
        table.ask(expression)
    assert table.ask("count of markets") == 18
    assert table.ask("count of eel.barrels") == 6
    assert table.ask("deal(5).reward") == 1800
    assert table.ask("ships.refund(two_slot_1)") == 100
    assert table.ask("seat(1).berth(left)") == ["one_slot_1"]
    assert table.ask("(m in fish_markets where m.overfished)") == []


def test_the_lines_of_a_score_add_up() -> None:
    table = play_out(game_of(3), 4, ["sensible"] * 3)
    for seat in (1, 2, 3):
        lines = [item for item in table.log if item["event"] == "score" and item["seat"] == seat]
        assert {item["what"] for item in lines} >= {"Cash", "Most and fewest resources", "Resources"}
        values = [item["value"] for item in lines]
        assert sum(v for v in values if isinstance(v, int)) == table.scores[seat] == table.ask(f"seat({seat}).score")


def test_the_assumptions_of_the_readme_can_be_made() -> None:
    mine = {
        "A-TTM-01": {"octopus.barrels_in_box": 7, "octopus.pieces": {"takoyaki": 15}},
        "A-TTM-06": {"tuna.pieces": {"tuna_15": 3, "tuna_20": 1}},
        "A-TTM-13": {"salmon.entry": "1 ap", "salmon.once_a_turn": False},
        "A-TTM-17": [{"takes": ["squid"], "reward": 400, "room": 2}],
        "A-TTM-21": 50,
    }
    boards = {"fish": ["octopus", "tuna", "salmon"], "external": ["aquarium"]}
    table = ichiba.load("tokyo_tsukiji_market", seats=4, assumptions=mine, options=boards).start(1)
    assert table.ask("count of octopus.barrels") == 7
    assert (table.ask("count of octopus in octopus.stock"), table.ask("count of takoyaki in octopus.stock")) == (8, 15)
    assert [table.ask(f"count of tuna_{r} in tuna.stock") for r in (15, 20, 25)] == [3, 1, 1]
    assert (table.ask("count of tanks"), table.ask("tank(1).reward"), table.ask("tank(1).room")) == (1, 400, 2)
    by_seats = {"A-TTM-04": {"squid.barrels_in_box": {2: 5, 3: 7, 4: 9, 5: 9, 6: 9}}}
    table = ichiba.load("tokyo_tsukiji_market", seats=4, assumptions=by_seats, options={"fish": ["squid"]}).start(1)
    assert table.ask("count of squid.barrels") == 9


def test_texts_are_complete_for_the_base_game() -> None:
    faults = Faults()
    judge_texts(HOME, faults)
    lacking = [fault.message.split("`")[1] for fault in faults.all]
    base = ichiba.load("tokyo_tsukiji_market", seats=6)
    from ichiba.dsl.program.texts import wanted

    wants = set(wanted(base.box, base.world, base.program).english)
    assert [key for key in lacking if key in wants] == []


# What is seen (R-TTM-94)


def test_closed_money_hides_the_money_of_others_and_nothing_else() -> None:
    table = ichiba.load("tokyo_tsukiji_market", seats=3, options={"closed_money": True, "start_player": 1}).start(3)
    mine = table.view(1)["seats"]
    theirs = table.view(2)["seats"]
    assert isinstance(mine, dict) and isinstance(theirs, dict)
    assert (mine["1"]["cash"], theirs["1"]["cash"]) == (2000, "hidden")
    for seat in ("1", "2", "3"):
        assert {**mine[seat], "cash": 0} == {**theirs[seat], "cash": 0}


# The modest player


@pytest.mark.parametrize("seats", SEATS)
def test_sensible_games_end_by_themselves(seats: int) -> None:
    table = play_out(game_of(seats), seats, ["sensible"] * seats)
    assert table.over and table.ending in ("rich", "stocked")


def test_the_sensible_policy_clearly_beats_random_ones() -> None:
    won, games = 0.0, 6
    for seed in range(games):
        me = seed % 3 + 1
        first = play_out(game_of(3), seed, ["sensible" if seat == me else "random" for seat in (1, 2, 3)]).ranking[0]
        won += (me in first) / len(first)
    assert won > 0.8 * games


@pytest.mark.parametrize("seats", [2, 6])
def test_random_games_end(seats: int) -> None:
    table = game_of(seats).start(1)
    random = Random(1)
    while not table.over:
        table.step(random.randrange(len(table.codes)))
    assert table.ending in ("rich", "stocked", "clock")


@pytest.mark.parametrize("seats", [2, *seldom([4])])
def test_a_game_is_saved_and_resumed_in_an_auction_inside_a_docking(seats: int, tmp_path: Path) -> None:
    game = ichiba.load("tokyo_tsukiji_market", seats, options={"fish": ["spider_crab", "tuna"]})
    players = [policy(game, "sensible", f"docks/{seat}") for seat in range(seats)]
    saved = 0
    for seed in range(40):
        table = game.start(seed)
        while (decision := table.decision) is not None and not (decision.secret and decision.path.startswith("fish/dock")):
            table.step(players[decision.seat_index].index(decision))
        if decision is None:
            continue
        answer = decision.options[-1].key
        table.play(answer, decision.seat)  # one sealed bid has been given, the others have not
        table.save(tmp_path / "auction.json")
        again = ichiba.resume(tmp_path / "auction.json")
        assert [(d.seat, d.path, d.keys()) for d in again.pending] == [(d.seat, d.path, d.keys()) for d in table.pending]
        for running in (table, again):
            draw = Random(seed)
            while running.codes:
                running.step(draw.randrange(len(running.codes)))
        assert again.log == table.log
        saved += 1
        if saved == 3:
            break
    assert saved == 3
