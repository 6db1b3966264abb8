"""Tokyo Tsukiji Market refuses what makes no sense, with the exact reason and what is allowed instead."""

import shutil
from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.faults.fault import RulesetFaults
from tests.depth import AFew
from tests.table.door import ichiba as ichiba_says

HOME = Path(__file__).resolve().parents[2] / "rulesets" / "tokyo_tsukiji_market"
FISH = "eel, fugu, mackerel, octopus, red_snapper, salmon, spider_crab, squid, tuna"


def refusal(**chosen: object) -> str:
    with pytest.raises(RulesetFaults) as refused:
        ichiba.load("tokyo_tsukiji_market", **chosen)  # type: ignore[arg-type]
    return str(refused.value)


@pytest.mark.parametrize(
    ("seats", "options", "said"),
    [
        (
            3,
            {"fish": ["eels"]},
            f"`eels` in the option `fish` is no fish_market\n  = did you mean `eel`?\n  = there are: {FISH}",
        ),
        (3, {"fish": ["bank"]}, f"`bank` in the option `fish` is no fish_market\n  = there are: {FISH}"),
        (
            2,
            {"external": ["auction"]},
            "`auction` cannot be in the option `external`\n  = it needs more players\n"
            "  = there are: aquarium, bank, barter, government, rentals, ships, trading, used_ships",
        ),
        (3, {"fish": ["eel", "fugu", "eel"]}, "`eel` stands 2 times in the option `fish`\n  = there is one of it"),
        (3, {"fish": "eel"}, "the option `fish` cannot be 'eel'\n  = it is a list of names of fish_markets"),
        (3, {"start_player": 4}, "the option `start_player` cannot be 4\n  = it is a seat from 1 to 3, or random"),
        (3, {"closed_money": "yes"}, "the option `closed_money` cannot be 'yes'\n  = it is true or false"),
    ],
)
def test_an_impossible_selection_is_refused(seats: int, options: dict[str, object], said: str) -> None:
    assert refusal(seats=seats, options=options) == f"error[E402]: {said}\n\n1 error"


def test_more_boards_than_exist_are_refused() -> None:
    boards = FISH.split(", ")
    said = refusal(seats=3, options={"fish": [*boards, "himono", "nori"]})
    assert said.count("error[E402]") == 2
    assert "`himono` in the option `fish` is no fish_market" in said and f"= there are: {FISH}" in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"A-TTM-11": {"eel.entry": {"ap": 2}}}, "`entry` is a cost"),
        ({"A-TTM-11": {"eel.licence_price": 700}}, "A-TTM-11 does not cover `eel.licence_price`"),
        ({"A-TTM-14": {"foo": 7}}, "A-TTM-14 does not cover `foo`"),
    ],
)
def test_an_assumption_takes_only_what_it_is_about(given: dict[str, object], said: str) -> None:
    assert said in refusal(seats=3, assumptions=given)


def test_what_is_told_to_change_an_assumption_can_be_typed(a_few: AFew) -> None:
    told = ichiba_says("assumptions", "tokyo_tsukiji_market").out
    typed = [line.partition("--assume ")[2].strip("'") for line in told.splitlines() if "change it: --assume" in line]
    assert len(typed) > 10
    for words in a_few([words for words in typed if not words.endswith(("=VALUE", "of them"))], 3):
        done = ichiba_says("simulate", "tokyo_tsukiji_market", "--games", "1", "--jobs", "1", "--assume", words)
        assert done.code == 0, done.err
    assert "A-TTM-11=1 ap" in typed


def test_a_board_whose_entry_and_turns_are_assumed_takes_both_by_name() -> None:
    given = {"A-TTM-14": {"rentals.once_a_turn": False, "rentals.entry": "1 ap"}}
    game = ichiba.load("tokyo_tsukiji_market", seats=3, assumptions=given, options={"external": ["rentals"]})
    assert game.start(seed=1).ask("rentals.once_a_turn") is False


def test_an_assumption_that_is_not_made_is_refused() -> None:
    assert "there is no assumption `A-TTM-99`" in refusal(seats=3, assumptions={"A-TTM-99": 1})
    said = refusal(seats=3, assumptions={"A-TTM-01": {"octopus.barrels": 7, "octopus.licences_in_box": 2}})
    assert "A-TTM-01 does not cover `octopus.barrels`" in said
    assert "it covers: octopus.barrels_in_box, octopus.licences_in_box, octopus.pieces" in said


# Answers


def after(fish: list[str], turns: list[str]) -> ichiba.Table:
    """Seat 1 has had these turns, the others have passed."""
    options: dict[str, object] = {"start_player": 1, "fish": fish, "external": ["barter"]}
    table = ichiba.load("tokyo_tsukiji_market", seats=3, options=options).start(2)
    for number, turn in enumerate(turns):
        for key in turn.split():
            table.play(key)
        for key in ("fish", "done", "fish", "done", "end") * (2 if number < len(turns) - 1 else 0):
            table.play(key)
    return table


@pytest.mark.parametrize("price", [0, 50, 250, 5100])
def test_a_price_is_a_multiple_of_one_hundred(price: int) -> None:
    table = after(
        ["eel"],
        ["visit/eel done fish undock/one_slot_1 done end", "fish catch/one_slot_1/eel done fish dock/one_slot_1/left"],
    )
    assert table.why_not(f"price/{price}") == "`price` goes from ¥100 to ¥5,000 in steps of ¥100"
    with pytest.raises(ichiba.IllegalMove, match="goes from ¥100 to ¥5,000 in steps of ¥100"):
        table.play(f"price/{price}")
    table.play("price/300")
    assert table.ask("eel_barrel_1.price") == 300


def test_a_bid_is_within_ones_purse_and_a_multiple_of_one_hundred() -> None:
    table = after(
        ["spider_crab"],
        [
            "fish undock/one_slot_1 done visit/ships buy/two_slot_1/left done end",
            "visit/spider_crab done fish undock/two_slot_1 done end",
            "fish catch/two_slot_1/spider_crab done fish catch/two_slot_1/spider_crab done end",
            "fish dock/two_slot_1/left",
        ],
    )
    assert table.ask("seat(1).cash") == 300
    assert table.why_not("bid/400", 1) == "`bid` goes from ¥0 to ¥300 in steps of ¥100"
    assert table.why_not("bid/150", 1) == "`bid` goes from ¥0 to ¥300 in steps of ¥100"
    assert table.why_not("bid/2100", 2) == "`bid` goes from ¥0 to ¥2,000 in steps of ¥100"
    with pytest.raises(ichiba.IllegalMove, match="goes from ¥0 to ¥300"):
        table.play("bid/400", seat=1)
    table.play("bid/300", seat=1)


# Files of boards


def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> str:
    """What is said of a copy in which the file of Squid reads otherwise."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    home = tmp_path / "tokyo_tsukiji_market"
    shutil.copytree(HOME, home, ignore=shutil.ignore_patterns("modules", "variants", "scenarios", "texts", "look.yaml"))
    board = home / "boards" / "fish" / "squid.yaml"
    text = board.read_text(encoding="utf-8")
    assert text.count(old) == 1
    board.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RulesetFaults) as refused:
        ichiba.load(home, seats=3)
    return str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("barrels_in_box: 7\n", "", "error[E102]: `squid` has no `barrels_in_box`"),
        ("licence_price:", "licence_prize:", "error[E101]: the fish_market `squid` has no key `licence_prize`"),
        ("licence_price: ¥300", "licence_price: 300", "write the unit, such as `¥100` or `1 ap`"),
        ("kind: fish_market", "kind: fisch_market", "did you mean `fish_market`?"),
        ("entry: 1 ap", "entry: 1 app", "error[E205]: no unit or piece is called `app`"),
    ],
)
def test_a_board_with_a_missing_or_unknown_field_is_refused(
    old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = changed(tmp_path, monkeypatch, old, new)
    assert "tokyo_tsukiji_market/boards/fish/squid.yaml:" in text and said in text
