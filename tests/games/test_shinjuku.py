"""Shinjuku: what must hold in every game, what nobody may see, and that its scenarios notice when a rule is changed."""

import re
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.interpreter.saves.records import scripted
from ichiba.lab.coverage import cover
from ichiba.lab.policies import play_out
from ichiba.table.checking import check
from ichiba.validator.judges.texts import judge_texts
from tests.depth import mostly_seldom
from tests.games.changes import copy_of, is_noticed
from tests.games.most_shared import failing, results_of_most

HOME = Path(__file__).resolve().parents[2] / "rulesets" / "shinjuku"
SEATS = (2, 3, 4)
CITIES = ("tokyo", "paris", "london", "osaka")


@cache
def game_of(seats: int, city: str = "tokyo") -> ichiba.Game:
    return ichiba.load("shinjuku", seats=seats, options={"city": city})


# What holds in every game


def pile(table: ichiba.Table, place: str) -> Counter[str]:
    found = table.ask(place)
    assert isinstance(found, list)
    return Counter(found)


def pieces(table: ichiba.Table) -> dict[str, Counter[str]]:
    """Every card, customer, store and token, wherever it is."""
    cards = pile(table, "deck") + pile(table, "discards") + pile(table, "seat.hand") + pile(table, "space.card")
    customers = pile(table, "bag") + pile(table, "gone") + pile(table, "travellers") + pile(table, "arriving")
    customers += pile(table, "space.waiting") + pile(table, "ward.crowd") + pile(table, "seat.earned")
    buildings = pile(table, "seat.supply") + pile(table, "station.building")
    others = pile(table, "seat.tracks") + pile(table, "line.rail") + pile(table, "seat.bonuses") + pile(table, "bonus_area")
    return {"cards": cards, "customers": customers, "buildings": buildings, "others": others}


def hold_to_the_rules(city: str, seats: int, seed: int) -> None:
    table, random = game_of(seats, city).start(seed), Random(seed)
    there = pieces(table)
    assert {name: sum(counted.values()) for name, counted in there.items()} == {
        "cards": 72, "customers": 60, "buildings": 11 * seats, "others": 16 * seats + 11,
    }  # fmt: skip
    while not table.over:
        table.step(random.randrange(len(table.codes)))
        if random.random() < 0.1:
            assert pieces(table) == there
            store_numbers = table.ask("upgrades"), table.ask("count of department_store in station.building")
            assert store_numbers[0] == store_numbers[1]
            assert table.ask("closer is none") is False or table.ask("bag is empty or count of space.waiting > 0")
    assert pieces(table) == there
    assert table.ending in ("last_customers", "standstill")


@pytest.mark.parametrize(("city", "seats"), mostly_seldom(list(product(CITIES, SEATS)), 6))
def test_nothing_comes_or_goes_and_every_game_ends(city: str, seats: int) -> None:
    for seed in range(2):
        hold_to_the_rules(city, seats, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seats", SEATS)
def test_five_thousand_random_games_keep_to_the_rules(seats: int) -> None:
    for seed in range(5_000):
        hold_to_the_rules(CITIES[seed % 4], seats, seed)


@pytest.mark.parametrize("seats", SEATS)
def test_the_same_seed_and_answers_are_the_same_game(seats: int) -> None:
    def story(seed: int) -> list[dict[str, object]]:
        return play_out(game_of(seats), seed, ["random"] * seats).log

    assert story(5) == story(5)
    assert story(5) != story(6)


@pytest.mark.parametrize("seats", SEATS)
def test_the_sensible_policy_clearly_beats_random_ones(seats: int) -> None:
    games, won = 12, 0.0
    for seed in range(games):
        me = seed % seats + 1
        names = ["sensible" if seat == me else "random" for seat in range(1, seats + 1)]
        first = play_out(game_of(seats), seed, names).ranking[0]
        won += (me in first) / len(first)
    assert won > 0.8 * games


# What nobody may see (R-SHI-45, R-SHI-46)


def test_hands_and_customers_of_others_are_hidden_and_everything_on_the_board_is_open() -> None:
    table = game_of(3).start(1)
    view: Any = table.view(2)
    mine, other = view["seats"]["2"], view["seats"]["1"]
    assert sum(mine["hand"].values()) >= 4 and set(other["hand"]) == {"hidden"}
    assert set(view["table"]["deck"]) == set(view["table"]["bag"]) == {"hidden"}
    assert sum(other["supply"].values()) == 11 and other["tracks"] == {"track": 16}
    assert view["things"]["space 1"]["card"] and len(view["things"]) == 23 + 44 + 67 + 4  # all but the link, which holds nothing


def test_customers_that_were_openly_taken_are_behind_a_screen_and_in_the_log() -> None:
    table = game_of(2).start(3)
    random = Random(3)
    while not any(table.ask(f"count of seat({s}).earned") for s in (1, 2)):
        table.step(random.randrange(len(table.codes)))
    owner = next(s for s in (1, 2) if table.ask(f"count of seat({s}).earned"))
    view: Any = table.view(3 - owner)
    assert view["seats"][str(owner)]["earned"] == "hidden"  # R-SHI-45: nor how many there are
    own: Any = table.view(owner)
    assert "hidden" not in own["seats"][str(owner)]["earned"]


def test_in_the_end_the_screens_are_lifted() -> None:
    table = play_out(game_of(2), 1, ["random", "random"])
    for seat in (1, 2):
        view: Any = table.view(3 - seat)
        assert view["seats"][str(seat)]["earned"] == dict(pile(table, f"seat({seat}).earned"))


QUEUE = ("minato", "shinjuku", "chuo", "taito")
THEIRS = ("koto", "koto", "shibuya", "adachi")
CUSTOMERS = ("books", "food", "bunkyo", "food")


def with_hand(*hand: str) -> ichiba.Table:
    """Seat 1 begins with this hand; everything else is always the same."""
    game = ichiba.load("shinjuku", seats=2, options={"start_player": 1})
    return scripted(game, 1, tuple(f"draw/{name}" for name in (*QUEUE, *hand, *THEIRS, *CUSTOMERS)))


def test_what_another_could_pay_with_is_not_told() -> None:
    """Two hands, one with a single way to pay and one with many: to the other seat they look the same, question by question."""
    one, other = with_hand("ota", "ota", "ota", "ota"), with_hand("kita", "minato", "nerima", "chuo")
    for key in ("open", "open/food/shimbashi", "pay/card/minato", "expand", "expand/tokyo-shimbashi", "expand/stop"):
        assert one.view(2) == other.view(2) and one.view(None) == other.view(None)
        assert one.view(1) != other.view(1)
        one.play(key)
        other.play(key)
    assert one.decision is not None and one.decision.seat == 2


# Scenarios, texts, cities


def test_most_scenarios_hold() -> None:
    results = results_of_most(HOME, settings=2)
    assert len(results) > 100 and not failing(results), failing(results)


@pytest.mark.soak
def test_every_scenario_holds_and_every_rule_is_reached_by_them() -> None:
    tested, coverage = cover("shinjuku", playouts=0)
    assert tested.holds, str(tested)
    assert [str(point) for point in coverage.unreached] == []
    assert [f"{point}: {how}" for point, how in coverage.one_way] == []


def test_every_ruling_has_a_scenario() -> None:
    names = re.findall(r"R-SHI-\d\d", "".join(path.read_text(encoding="utf-8") for path in HOME.rglob("*.scenario.yaml")))
    missing = {f"R-SHI-{number:02}" for number in range(1, 49)} - set(names)
    assert missing == set()


def test_texts_are_complete_in_every_language() -> None:
    faults = Faults()
    judge_texts(HOME, faults)
    assert faults.all == ()


def test_stations_and_wards_have_their_japanese_names() -> None:
    game = ichiba.load("shinjuku", seats=2, options={"start_player": 1}, lang="ja")
    table = game.start(1)
    assert game.world.things and all("ja" in t.title for t in game.world.things if t.kind in ("ward", "station"))
    table.play("expand")
    decision = table.decision
    assert decision is not None and decision.prompt == "どこに線路を敷きますか。"
    assert decision.options[0].label == "東京 – 秋葉原"


def test_everything_the_readme_says_can_be_asked() -> None:
    rows = (HOME / "README.md").read_text(encoding="utf-8").split("## Expressions for `ask`")[1].split("## ")[0]
    expressions = [e for line in rows.splitlines() if line.startswith("| `") for e in re.findall("`([^`]+)`", line.split("|")[1])]
    assert len(expressions) > 15
    table = game_of(2).start(2)
    random = Random(2)
    while not table.over:
        for expression in expressions:
            table.ask(expression)
        for _ in range(40):
            if table.codes:
                table.step(random.randrange(len(table.codes)))
    assert table.scores == {s: table.ask(f"set_score(seat({s}))") for s in (1, 2)}


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # a copy of our own
    return copy_of(HOME, tmp_path)


def town() -> str:
    return (HOME / "README.md").read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]


def test_the_town_of_the_readme_needs_nothing_but_its_map(copied: Path) -> None:
    (copied / "maps" / "harbour.yaml").write_text(town(), encoding="utf-8")
    assert check(copied, jobs=1).faults == ()
    for seats in SEATS:
        table = play_out(ichiba.load(copied, seats=seats, options={"city": "harbour"}), 1, ["random"] * seats)
        assert table.over and table.ending == "last_customers"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ward: hill, department_store: false", "ward: hills, department_store: false", "`hills` is not a ward"),
        ("[mill, gate]", "[mill, gaet]", "`gaet` is no place on this map"),
        ("Hill, cards: 8", "Hill, cards: 7", "the count of `wards.cards` is wrong"),
        ("  - [pier, chapel]\n  - [pier, square]\n", "", "this map falls apart into 2 islands"),
        ("  - [mill, gate]\n", "  - [mill, gate]\n  - [gate, mill]\n", "gate and mill are connected twice"),
    ],
)  # fmt: skip
def test_a_bad_map_is_told_of(copied: Path, old: str, new: str, message: str) -> None:
    made = town().replace(old, new)
    assert made != town()
    (copied / "maps" / "harbour.yaml").write_text(made, encoding="utf-8")
    with pytest.raises(ichiba.RulesetFaults, match=re.escape(message)):
        ichiba.load(copied, seats=2, options={"city": "harbour"})


# A rule that is changed is noticed

CHANGES = {
    "hands of five": ("hand_size: {is: 4", "hand_size: {is: 5", "R-SHI-01"),
    "stacks in another order": ("[3, 2, 2, 2, 1, 1]", "[3, 2, 2, 1, 2, 1]", "R-SHI-34"),
    "one book less counts twice": ("marks: 2, count: 7", "marks: 2, count: 6", "the customers are"),
    "customers on the card stay behind": ("        move all space(n + 1).waiting to space(n).waiting\n", "", "R-SHI-35"),
    "the queue does not grow": ("first_customers + upgrades", "first_customers", "R-SHI-37"),
    "a free card comes before the own good": ("{same, free, (n in", "{free, same, (n in", "R-SHI-35"),
    "a new good joins the first card": ("by highest position of n), spaces}", "by lowest position of n), spaces}", "R-SHI-36"),
    "others' stores make cards wild": ("t.ward is c.ward and t.building.owner is me", "t.ward is c.ward", "R-SHI-13"),
    "department stores may move": (
        "t.building is store and t.building.owner is me", "t.building.owner is me", "R-SHI-17",
    ),
    "the card matches the second track": ("costs fare({l.a.ward, l.b.ward})", "costs fare({n.a.ward, n.b.ward})", "R-SHI-20"),
    "INCOME draws up to four only": ("max(1, hand_size - ", "max(0, hand_size - ", "R-SHI-03"),
    "nobody is served where the way begins": ("    serve(here)\n    menu", "    menu", "R-SHI-24"),
    "a permanent link is closed": ("(e is link or e.rail is not empty)", "e is line and e.rail is not empty", "R-SHI-27"),
    "the rest gets off where it began": ("move all travellers to here.ward", "move all travellers to origin.ward", "R-SHI-28"),
    "INCOME goes round from seat 1": ("for each s in others where", "for each s in seats where s is not me and", "R-SHI-30"),
    "the icon does not matter": ("where icon(t) and my_store(t)", "where my_store(t)", "R-SHI-31"),
    "any customer pays": ("t.building is store and given.good is t.building.good", "t.building is store", "R-SHI-31"),
    "passes are counted on": ("    set idle to 0\n", "", "R-SHI-09"),
    "the last token lays two": (" when track_left\n                costs", "\n                costs", "R-SHI-21"),
    "the later claim wins": ("then lowest my.first_claim", "then highest my.first_claim", "R-SHI-43"),
    "a customer with a 2 is one": ("sum of (c.marks for c in", "count of (c for c in", "Scoring"),
    "the end begins with an empty bag": ("bag is empty and space.waiting is empty", "bag is empty", "R-SHI-38"),
    "an UPGRADE at the end fills the queue": ("if closer is none and space(1).card", "if space(1).card", "R-SHI-39"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "noticed"), mostly_seldom(list(CHANGES.values()), 8), ids=CHANGES)
def test_a_changed_rule_is_noticed_by_a_scenario(old: str, new: str, noticed: str, copied: Path) -> None:
    assert is_noticed(copied, old, new, noticed)
