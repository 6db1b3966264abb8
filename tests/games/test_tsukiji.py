"""Tsukiji: what must hold in every game, what nobody may see, and that its scenarios notice when a rule is changed."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.lab.coverage import cover
from ichiba.lab.policies import play_out
from ichiba.lab.scenario_files import scenario_files, sound_scenarios
from ichiba.validator.judges.texts import judge_texts
from tests.depth import AFew, mostly_seldom
from tests.games.changes import copy_of, is_noticed
from tests.twins.tsukiji import MARKED

HOME = Path(__file__).resolve().parents[2] / "rulesets" / "tsukiji"
SEATS = (2, 3, 4)


@cache
def game_of(seats: int, *variants: str) -> ichiba.Game:
    return ichiba.load("tsukiji", seats=seats, variants=variants)


def numbers(table: ichiba.Table, expression: str) -> int:
    found = table.ask(expression)
    assert isinstance(found, int)
    return found


# What holds in every game


def cards(table: ichiba.Table) -> Counter[str]:
    """All cards, wherever they are."""
    seats, lots = range(1, table.game.seats + 1), range(1, table.game.seats + 2)
    products = ("ebi", "hotategai", "fugu", "tako", "sake", "maguro")
    places = ["deck", "discard", *(f"lot({n}).cards" for n in lots)]
    places += [f"seat({s}).column({p})" for s in seats for p in products]
    found: Counter[str] = Counter()
    for place in places:
        pieces = table.ask(place)
        assert isinstance(pieces, list)
        found.update(pieces)
    return found


def tickets(table: ichiba.Table) -> int:
    seats, lots = range(1, table.game.seats + 1), range(1, table.game.seats + 2)
    held = sum(numbers(table, f"count of seat({s}).tickets") for s in seats)
    laid = sum(numbers(table, f"count of lot({n}).laid(seat({s}))") for s in seats for n in lots)
    return held + laid + numbers(table, "count of spent")


def hold_to_the_rules(seats: int, seed: int) -> None:
    table = game_of(seats).start(seed)
    random = Random(seed)
    deck = cards(table)
    while not table.over:
        assert all(numbers(table, f"seat({s}).cash") >= 0 for s in range(1, seats + 1))
        table.step(random.randrange(len(table.codes)))
        if random.random() < 0.05:
            assert cards(table) == deck
            assert tickets(table) == 9 * seats
    assert cards(table) == deck and tickets(table) == 9 * seats
    assert numbers(table, "count of deck") == 0
    assert sum(deck.values()) == 21 * (seats + 1)
    for s in range(1, seats + 1):
        assert numbers(table, f"count of (t in seat({s}).tickets where t is plain)") == 5


@pytest.mark.parametrize("seats", SEATS)
def test_cards_tickets_and_money_are_conserved_and_the_deck_is_used_up(seats: int, a_few: AFew) -> None:
    for seed in a_few(range(40), 10):
        hold_to_the_rules(seats, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seats", SEATS)
def test_ten_thousand_random_games_keep_to_the_rules(seats: int) -> None:
    for seed in range(10_000):
        hold_to_the_rules(seats, seed)


@pytest.mark.parametrize("seats", SEATS)
def test_the_same_seed_and_answers_are_the_same_game(seats: int) -> None:
    def story(seed: int) -> list[dict[str, object]]:
        return play_out(game_of(seats, "special_points"), seed, ["random"] * seats).log

    assert story(5) == story(5)
    assert story(5) != story(6)


@pytest.mark.parametrize("variants", [(), ("special_points",)])
@pytest.mark.parametrize("seats", SEATS)
def test_the_sensible_policy_clearly_beats_random_ones(seats: int, variants: tuple[str, ...]) -> None:
    games, won = 30, 0.0
    for seed in range(games):
        me = seed % seats + 1
        names = ["sensible" if seat == me else "random" for seat in range(1, seats + 1)]
        first = play_out(game_of(seats, *variants), seed, names).ranking[0]
        won += (me in first) / len(first)
    assert won > 0.8 * games


# What nobody may see (R-TSU-39)


def laid_differently(seats: int, seed: int, answers: int) -> Iterator[tuple[ichiba.Table, ichiba.Table]]:
    """Two tables after so many tickets of seat 1 in the same round; its tickets are others."""
    table = game_of(seats).start(seed)
    random = Random(seed)
    for _ in range(7):
        one, other = table.copy(), table.copy()
        for _ in range(answers):
            one.play(0, seat=1)
            other.play(len(other.pending[0].codes) - 1, seat=1)
        yield one, other
        while table.decision is not None and table.decision.name == "ticket":
            table.step(random.randrange(len(table.codes)))
        while table.decision is not None and table.decision.name != "ticket":
            table.step(random.randrange(len(table.codes)))


@pytest.mark.parametrize("seats", SEATS)
def test_before_the_reveal_nobody_can_tell_the_tickets_of_another(seats: int) -> None:
    for seed in range(2):
        for answers in range(1, seats + 2):
            for one, other in laid_differently(seats, seed, answers):
                assert one.state != other.state
                for seat in (None, *range(2, seats + 1)):
                    assert one.view(seat) == other.view(seat)


def test_after_the_reveal_everybody_knows_them() -> None:
    table = game_of(3).start(1)
    for _ in range(12):
        table.step(0)
    reveal = next(item for item in table.log if item["event"] == "reveal")
    assert reveal["audience"] == "all"


def test_the_order_of_the_deck_is_hidden_and_everything_else_is_open() -> None:
    view: Any = game_of(2).start(1).view(2)
    assert view["table"]["deck"] == {"hidden": 54}
    assert view["seats"]["1"]["cash"] in (48, 51)
    assert sum(view["seats"]["1"]["tickets"].values()) == 9
    assert sum(view["things"]["lot 1"]["cards"].values()) == 3


# Scenarios, texts, assumptions


def test_every_scenario_holds_and_every_rule_is_reached() -> None:
    tested, coverage = cover("tsukiji", playouts=2)
    assert tested.holds, str(tested)
    assert coverage.unreached == []
    assert coverage.untested == [], "reached by random games only"
    assert coverage.one_way == []


def test_every_ruling_that_play_can_reach_has_a_scenario() -> None:
    scenarios = [scenario for path in scenario_files(HOME) for scenario in sound_scenarios(path, Faults())]
    names = " ".join(scenario.name for scenario in scenarios)  # that they hold is seen above
    missing = {f"R-TSU-{number:02}" for number in range(1, 42)} - {word for word in names.split() if "R-TSU" in word}
    assert missing == set()


def test_everything_the_readme_says_can_be_asked() -> None:
    readme = (HOME / "README.md").read_text(encoding="utf-8")
    table_of_asks = readme.split("## What `ask` can reach")[1]
    rows = [line.split("|")[2] for line in table_of_asks.splitlines() if line.startswith("| ") and "`" in line]
    expressions = [found for row in rows for found in re.findall(r"`([^`]+)`", row) if found != "table.scores"]
    assert len(expressions) > 25
    table = game_of(2, "special_points").start(2)
    while not table.over:
        for expression in expressions:
            table.ask(expression)
        for _ in range(9):
            if table.codes:
                table.step(len(table.codes) // 2)
    assert table.ask("seat(1).score") == table.scores[1]
    assert sorted(cast("list[str]", table.ask("(m in markers by lowest track_rank(m, markers))"))) == sorted(MARKED)


def test_texts_are_complete_in_every_language() -> None:
    faults = Faults()
    judge_texts(HOME, faults)
    assert faults.all == ()


def test_cards_and_prompts_are_said_in_dutch_and_spanish() -> None:
    said = {}
    for lang in ("en", "nl", "es"):
        table = ichiba.load("tsukiji", seats=2, options={"start_player": 1}, lang=lang).start(1)
        decision = table.decision
        assert decision is not None
        said[lang] = decision.prompt, decision.options[0].label, decision.options[5].label, decision.options[8].label
    assert said == {
        "en": ("Which ticket for lot 1?", "0", "cancel", "×2"),
        "nl": ("Welk biljet voor kavel 1?", "0", "annuleren", "×2"),
        "es": ("¿Qué ficha para el lote 1?", "0", "cancelación", "×2"),
    }


def test_whole_tables_of_an_assumption_can_be_overridden() -> None:
    prices = {"tile_price": {2: [13, 8, 4]}, "tile_modifier": {2: [5, 1, -2]}}
    table = ichiba.load("tsukiji", seats=2, assumptions={"A-TSU-02": prices}).start(1)
    assert [table.ask(f"tile_price(2, {rank})") for rank in (1, 2, 3)] == [13, 8, 4]
    assert [table.ask(f"tile_modifier(2, {rank})") for rank in (1, 2, 3)] == [5, 1, -2]
    table = ichiba.load("tsukiji", seats=2, assumptions={"A-TSU-03": [0, 1, 2, 4]}).start(1)
    assert [table.ask(f"maguro_set({n})") for n in range(5)] == [0, 1, 2, 4, 18]


# A rule that is changed is noticed

CHANGES = {
    "a Cancel too many counts 3": (
        "(if cancel_after_doubling then 0 else 2 * spare)", "(if cancel_after_doubling then 0 else 3 * spare)", "R-TSU-01",
    ),
    "doubling triples": ("power(2, count of double", "power(3, count of double", "R-TSU-03"),
    "ties go to the right": ("then lowest position of l", "then highest position of l", "R-TSU-06"),
    "special tickets come back": ("else: move t to spent", "else: move t to t.owner.tickets", "R-TSU-07"),
    "cards move the market once a lot": (
        "count of m.product in l.cards *", "min(1, count of m.product in l.cards) *", "R-TSU-28",
    ),
    "another lot makes the start player": ("if l.rank = 1:", "if l.rank = 2:", "R-TSU-26"),
    "lots left over stay": ("    for each l in lots: move all l.cards to discard\n", "", "R-TSU-23"),
    "a Takusan may begin a column": ("where my.column(onto) is not empty", "", "R-TSU-33"),
    "a Yakuza that finds nothing is not counted": (
        "        raise my.yakuza_taken by 1\n",
        "        if any (p in products where p in my.column(p)): raise my.yakuza_taken by 1\n",
        "R-TSU-15",
    ),
    "the Yakuza takes what is left of a column": (
        "-> flag: p in my.column(p) or", "-> flag: my.column(p) is not empty or", "R-TSU-16",
    ),
    "of equals nobody counts specials": (
        " then highest count of (t in my.tickets where t is not plain)", "", "R-TSU-29",
    ),
    "Maguro pays by the card": (
        "if p is maguro then maguro_set(count of s.column(p)) else", "if p is maguro then ¥3 else", "Maguro pays",
    ),
    "refusing pays twice": ("gain refusal from bank", "gain 2 * refusal from bank", "R-TSU-14"),
    "the market moves after the sale": (
        "        market\n        buying\n", "        buying\n        market\n", "R-TSU-31",
    ),
    "seat 1 always has least money": ("seats_from(start_seat)", "seats_from(seat(1))", "R-TSU-38"),
    "one Takusan of a lot is enough": (
        "repeat count of takusan in l.cards times", "repeat min(1, count of takusan in l.cards) times", "R-TSU-33",
    ),
    "a lot can be bought twice": ("where for_sale(l) costs", "costs", "R-TSU-25"),
    "the start player of before comes again": ("    set next_start_seat to start_seat\n", "", "R-TSU-40"),
    "¥47 to begin with": ("first_money: {is: 48", "first_money: {is: 47", "R-TSU-38"),
    "the track is one space shorter": ("last_space: {is: 60", "last_space: {is: 59", "R-TSU-12"),
    "a tile costs more": ("4: [12, 9, 7, 5, 3]", "4: [12, 9, 7, 6, 3]", "A-TSU-02"),
    "a Takusan less": ("{2: 4, 3: 6, 4: 7}", "{2: 4, 3: 5, 4: 7}", "R-TSU-09"),
    "six mornings": ("rounds: {is: 7", "rounds: {is: 6", "seventh morning"),
    "the dearest product is popular": ("with highest place_of(p)", "with lowest place_of(p)", "R-TSU-21"),
    "seven of a product are special": ("specialised: {is: 8", "specialised: {is: 7", "R-TSU-22"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "noticed"), mostly_seldom(list(CHANGES.values()), 8), ids=CHANGES)
def test_a_changed_rule_is_noticed_by_a_scenario(
    old: str, new: str, noticed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # a copy of our own
    assert is_noticed(copy_of(HOME, tmp_path), old, new, noticed)
