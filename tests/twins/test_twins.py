"""The twins against the rulebooks: worked checks, rulings, and what must hold in every game."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest

from tests.depth import AFew
from tests.twins import tsukiji
from tests.twins.base import (
    Chance,
    IllegalAnswer,
    ImpossibleOutcome,
    RandomChance,
    RecordedChance,
    ScriptedChance,
    Twin,
    places,
    playout,
)
from tests.twins.no_thanks import CHIPS, NoThanks, points
from tests.twins.tsukiji import (
    KINDS,
    MARKED,
    PRODUCTS,
    TICKETS,
    Tsukiji,
    final_values,
    lot_value,
    special_points,
)

GAMES = 300
Facts = Callable[[Twin], dict[str, Any]]
Make = Callable[[int, Chance], Twin]


def facts(game: Twin) -> dict[str, Any]:
    return dict(game.facts())


# Every twin.

TWINS: list[tuple[Make, int]] = [(Tsukiji, n) for n in (2, 3, 4)] + [(NoThanks, n) for n in range(2, 8)]
every_twin = pytest.mark.parametrize(("make", "seats"), TWINS)


def story(game: Twin, random: Random) -> list[object]:
    """A random game by its keys: all its facts and options."""
    told: list[object] = [game.facts()]
    while not game.over:
        keys = game.options()
        game.play(random.choice(keys))
        told += [keys, game.facts()]
    return [*told, game.scores, game.ranking, game.forced]


@every_twin
def test_the_same_seed_is_the_same_game(make: Make, seats: int) -> None:
    for seed in range(20):
        assert story(make(seats, RandomChance(seed)), Random(seed)) == story(
            make(seats, RandomChance(seed)), Random(seed)
        )
    assert story(make(seats, RandomChance(1)), Random(1)) != story(make(seats, RandomChance(2)), Random(1))


@every_twin
def test_a_recorded_game_can_be_played_again_from_its_script(make: Make, seats: int) -> None:
    for seed in range(20):
        chance = RecordedChance(RandomChance(seed))
        first = story(make(seats, chance), Random(seed))
        script = ScriptedChance(chance.told)
        assert story(make(seats, script), Random(seed)) == first
        assert not script.left


@every_twin
def test_facts_are_plain_json(make: Make, seats: int) -> None:
    game = make(seats, RandomChance(3))
    random = Random(3)
    while not game.over:
        assert json.loads(json.dumps(game.facts())) == game.facts()
        game.play(random.choice(game.options()))
    assert json.loads(json.dumps(game.facts())) == game.facts()


@every_twin
def test_steps_and_keys_are_the_same_answers(make: Make, seats: int) -> None:
    for seed in range(10):
        one, other, random = make(seats, RandomChance(seed)), make(seats, RandomChance(seed)), Random(seed)
        while not one.over:
            keys = one.options()
            assert len(keys) == len(set(keys)) == len(one.legal()) == len(other.legal()) > 0
            index = random.randrange(len(keys))
            one.play(keys[index])
            other.step(index)
            assert one.facts() == other.facts()
        assert (one.scores, one.ranking, one.forced) == (other.scores, other.ranking, other.forced)


@every_twin
def test_a_game_that_is_over_asks_nobody(make: Make, seats: int) -> None:
    game = make(seats, RandomChance(5))
    assert not game.over and game.scores == {} and game.ranking == []
    assert playout(game, Random(5).random) > 0
    assert game.over and game.seat == 0 and game.legal() == [] and game.options() == []
    assert list(game.scores) == list(range(1, seats + 1))
    assert sorted(seat for place in game.ranking for seat in place) == list(range(1, seats + 1))
    with pytest.raises(IllegalAnswer, match="seat 0 cannot answer take, only nothing"):
        game.play("take")


@every_twin
def test_a_random_start_seat_can_be_each_and_a_configured_one_is_kept(make: Any, seats: int) -> None:
    def first(start: int, chance: Chance) -> int:
        state = facts(make(seats, chance, start_player=start))
        return int(state.get("start", state["seat"]))

    everyone = set(range(1, seats + 1))
    assert {first(0, RandomChance(seed)) for seed in range(100)} == everyone
    assert {first(0, RecordedChance(RandomChance(seed))) for seed in range(100)} == everyone
    for start in everyone:
        assert first(start, RandomChance(1)) == first(start, RecordedChance(RandomChance(1))) == start
    assert first(0, ScriptedChance(["2"], then=RandomChance(1))) == 2


def test_places_are_shared_by_equals() -> None:
    assert places({1: (5, 0), 2: (7, 0), 3: (5, 0), 4: (5, 1)}) == [[2], [4], [1, 3]]


# Chance.


def test_a_script_refuses_what_cannot_happen() -> None:
    with pytest.raises(ImpossibleOutcome, match="draw cannot be crab, only ebi, tako"):
        ScriptedChance(["crab"]).pick("draw", {"ebi": 1, "tako": 2})
    with pytest.raises(ImpossibleOutcome, match="the script has run out at draw"):
        ScriptedChance([]).pick("draw", {"ebi": 1})


def test_a_script_can_grow_and_can_leave_out_what_is_certain() -> None:
    script = ScriptedChance(["ebi"], certain=False)
    script.add(["tako", "sake"])
    both = {"ebi": 1, "tako": 1, "sake": 1}
    assert [script.pick("draw", weights) for weights in (both, {"fugu": 2}, both, both)] == [
        "ebi", "fugu", "tako", "sake",
    ]  # fmt: skip


def test_random_picks_follow_the_weights() -> None:
    chance = RandomChance(1)
    seen = Counter(chance.pick("draw", {"ebi": 1, "fugu": 0, "tako": 3}) for _ in range(4000))
    assert set(seen) == {"ebi", "tako"}
    assert 900 < seen["ebi"] < 1100


@pytest.mark.parametrize("wrap", [RandomChance, lambda seed: RecordedChance(RandomChance(seed))])
def test_shuffling_and_single_draws_have_the_same_distribution(wrap: Callable[[int], Chance]) -> None:
    games, cards, first, turned = 3000, Counter[str](), Counter[str](), Counter[int]()
    for seed in range(games):
        state = facts(Tsukiji(4, wrap(seed)))
        cards.update(state["lots"][0]["cards"])
        first[state["market"][0]] += 1
        turned[facts(NoThanks(4, wrap(seed)))["card"]] += 1
    for kind, count in zip(KINDS, tsukiji.DECK[4]):
        assert abs(cards[kind] / games - 3 * count / 105) < 0.04
    assert all(abs(first[product] / games - 1 / 5) < 0.03 for product in MARKED)
    assert set(turned) == set(range(3, 36)) and all(abs(n / games - 1 / 33) < 0.012 for n in turned.values())


# Tsukiji: the value of a lot.


@pytest.mark.parametrize(
    ("tickets", "value"),
    [
        ("0 4 double", 8),
        ("double double", 0),
        ("3 double double", 12),
        ("4 cancel", 0),
        ("3 cancel", 5),
        ("plus6 minus1 double 4", 18),
        ("4 4 cancel 1", 5),  # R-TSU-01
        ("4 cancel cancel 1", 3),
        ("4 4 cancel cancel", 0),
        ("cancel cancel", 4),
        ("cancel double", 4),  # R-TSU-02
        ("cancel plus6", 8),
        ("1 double double double", 8),  # R-TSU-03
        ("double double double double", 0),
        ("plus6 cancel double", 16),
        ("0 double", 0),
        ("4 cancel double", 0),  # R-TSU-04
        ("minus1 0 double", -2),  # R-TSU-05
        ("minus1 minus1 minus1 minus1", -4),
    ],
)
def test_the_value_of_a_lot(tickets: str, value: int) -> None:
    heap = tickets.split()
    assert lot_value(heap) == value
    if len(heap) > 1:
        assert tsukiji.WORTH[sum(tsukiji.TICKET[ticket] for ticket in heap)] == 8 * value


# Tsukiji: scripted rounds.

DESCENDING = ["4", "3", "2", "1", "0"]
# Ebi goes to 5, onto Sake, and Hotategai to 5, onto both.
STACK = (
    "ebi maguro maguro | hotategai yakuza yakuza | hotategai maguro maguro | sake sake sake | fugu fugu tako"
)


def table(*rounds: str, seats: int = 2, start: int = 1, markers: Iterable[str] = MARKED) -> Tsukiji:
    """A game with these lots in its first rounds ("ebi ebi tako | ...": a round), then random ones."""
    cards = [card for lots in rounds for card in lots.replace("|", " ").split()]
    assert len(cards) == 3 * (seats + 1) * len(rounds)
    return Tsukiji(seats, ScriptedChance([*markers, *cards], then=RandomChance(1)), start_player=start)


def lay(game: Tsukiji, *rows: str) -> Tsukiji:
    """Every seat lays its row of tickets; without rows everyone makes the left lot the dearest, and so on."""
    seats = game._seats
    for row in [row.split() for row in rows] or [DESCENDING[: seats + 1]] * seats:
        for ticket in row:
            game.play(f"ticket/{ticket}")
    return game


def answer(game: Tsukiji, *keys: str) -> Tsukiji:
    for key in keys:
        game.play(key)
    return game


def prices(game: Tsukiji) -> list[int]:
    return [lot["price"] for lot in facts(game)["lots"]]


def columns(game: Tsukiji, seat: int) -> dict[str, tuple[int, int]]:
    """Product cards and Takusan by column."""
    return {product: (n["product"], n["takusan"]) for product, n in facts(game)["columns"][str(seat)].items()}


def test_of_two_lots_worth_9_the_left_one_costs_12() -> None:
    game = lay(Tsukiji(3, RandomChance(1)), "4 3 0 1", "4 plus6 0 1", "1 0 2 3")
    assert [lot["value"] for lot in facts(game)["lots"]] == [9, 9, 2, 5]
    assert prices(game) == [12, 9, 3, 6]
    assert [lot["modifier"] for lot in facts(game)["lots"]] == [4, 2, -1, 0]


def test_equal_lots_rank_from_left_to_right() -> None:  # R-TSU-06
    rows = ["0 1 2 3 4", "1 2 3 4 0", "4 3 2 1 0", "3 2 1 0 4"]
    game = lay(Tsukiji(4, RandomChance(1)), *rows)
    assert [lot["value"] for lot in facts(game)["lots"]] == [8] * 5
    assert prices(game) == [12, 9, 7, 5, 3]


def test_lots_below_zero_rank_below_zero() -> None:  # R-TSU-05
    game = lay(Tsukiji(2, RandomChance(1)), "minus1 0 1", "double 0 minus1")
    assert [lot["value"] for lot in facts(game)["lots"]] == [-2, 0, 0]
    assert prices(game) == [5, 12, 9]


def test_normal_tickets_return_and_specials_are_spent_even_for_nothing() -> None:  # R-TSU-07
    game = Tsukiji(2, RandomChance(1))
    answer(game, "ticket/cancel", "ticket/double")
    assert facts(game)["laid"] == {"1": ["cancel", "double"], "2": []}
    assert facts(game)["tickets"] == {"1": ["0", "1", "2", "3", "4", "minus1", "plus6"], "2": list(TICKETS)}
    assert game.options() == [f"ticket/{t}" for t in facts(game)["tickets"]["1"]]
    answer(game, "ticket/4")
    assert facts(game)["tickets"]["1"] == ["0", "1", "2", "3", "minus1", "plus6"]
    lay(game, "4 3 plus6")
    assert facts(game)["tickets"] == {
        "1": ["0", "1", "2", "3", "4", "minus1", "plus6"],
        "2": ["0", "1", "2", "3", "4", "cancel", "minus1", "double"],
    }
    assert facts(game)["laid"] == {"1": [], "2": []}


def test_the_last_ticket_of_a_seat_is_asked_for_though_it_is_certain() -> None:  # R-TSU-36
    game = Tsukiji(4, RandomChance(1))
    for seat in range(4):
        lay(game, "cancel minus1 plus6 double 0" if seat == 0 else "4 3 2 1 0")
    while facts(game)["round"] == 1:
        game.step(0)
    assert len(game.options()) == 5
    lay(game, "0 1 2 3")
    assert game.seat == 1 and game.options() == ["ticket/4"]


def test_money_follows_the_seats_from_the_start_seat() -> None:  # R-TSU-38
    assert facts(Tsukiji(4, RandomChance(1), start_player=3))["money"] == {"1": 54, "2": 57, "3": 48, "4": 51}
    assert facts(Tsukiji(2, RandomChance(1), start_player=1))["money"] == {"1": 48, "2": 51}


def test_the_market_example_of_the_rulebook() -> None:
    lots = "ebi tako sake | tako sake sake | hotategai hotategai maguro | fugu maguro yakuza"
    game = table(lots, seats=3)
    assert facts(game)["markers"] == {"ebi": 1, "hotategai": 2, "fugu": 3, "tako": 4, "sake": 5}
    lay(game)
    assert facts(game)["markers"] == {"ebi": 5, "hotategai": 2, "fugu": 2, "tako": 10, "sake": 13}
    assert facts(game)["market"] == ["sake", "tako", "ebi", "fugu", "hotategai"]


def test_a_marker_that_arrives_later_lies_on_top() -> None:  # R-TSU-10
    game = lay(table(STACK, seats=4))
    assert facts(game)["markers"] == {"ebi": 5, "hotategai": 5, "fugu": 1, "tako": 3, "sake": 5}
    assert facts(game)["market"] == ["hotategai", "ebi", "sake", "tako", "fugu"]


def test_those_above_a_marker_that_leaves_keep_their_order() -> None:  # R-TSU-10
    second = "ebi takusan takusan | tako tako tako | tako takusan takusan | sake sake sake | fugu fugu maguro"
    game = lay(table(STACK, second, seats=4))
    while facts(game)["round"] == 1:
        game.play("refuse")
    lay(game)
    # Ebi goes from the middle of the stack; Sake stays below Hotategai (three cards at 0).
    assert facts(game)["markers"] == {"ebi": 9, "hotategai": 5, "fugu": 1, "tako": 10, "sake": 5}
    assert facts(game)["market"] == ["tako", "ebi", "hotategai", "sake", "fugu"]


def test_a_marker_whose_steps_cancel_out_keeps_its_place() -> None:  # R-TSU-11, 32: fugu +2 -1 -1
    first = "ebi maguro maguro | fugu maguro maguro | fugu fugu maguro"
    game = lay(table(first, markers=["ebi", "hotategai", "tako", "sake", "fugu"]))
    # Ebi arrives on Fugu, which was not touched.
    assert facts(game)["markers"] == {"ebi": 5, "hotategai": 2, "tako": 3, "sake": 4, "fugu": 5}
    assert facts(game)["market"][:2] == ["ebi", "fugu"]


def test_markers_stop_on_space_1_and_go_on_top_there_only_if_they_move() -> None:  # R-TSU-12
    game = lay(table("maguro maguro maguro | maguro maguro yakuza | hotategai hotategai ebi"))
    # Ebi cannot move; Hotategai is stopped on space 1 and lies on it.
    assert facts(game)["markers"]["ebi"] == facts(game)["markers"]["hotategai"] == 1
    assert facts(game)["market"][3:] == ["hotategai", "ebi"]
    game = lay(table("maguro maguro maguro | maguro maguro yakuza | hotategai hotategai ebi", markers=[
        "hotategai", "ebi", "fugu", "tako", "sake"]))  # fmt: skip
    # Ebi moves first and lies on Hotategai, which cannot move and stays below.
    assert facts(game)["market"][3:] == ["ebi", "hotategai"]


def test_a_marker_stops_on_space_60() -> None:  # R-TSU-12: 5 + 5 * 12 = 65
    early = "ebi ebi ebi | maguro maguro maguro | takusan takusan fugu | tako tako tako | yakuza fugu fugu"
    late = "ebi ebi ebi | tako hotategai hotategai | sake sake sake | sake sake maguro | yakuza yakuza fugu"
    game = table(*[early] * 3, *[late] * 2, seats=4, markers=["tako", "sake", "fugu", "hotategai", "ebi"])
    seen = []
    for number in range(1, 6):
        lay(game)
        seen.append(facts(game)["markers"]["ebi"])
        while facts(game)["round"] == number:
            game.play("refuse")
    assert seen == [17, 29, 41, 53, 60]


def test_the_market_moves_before_anyone_buys_and_buying_moves_nothing() -> None:  # R-TSU-28, 31
    game = lay(table("ebi ebi ebi | tako tako tako | sake sake sake"))
    after = facts(game)["markers"]
    assert after == {"ebi": 13, "hotategai": 2, "fugu": 3, "tako": 10, "sake": 2}
    answer(game, "buy/1", "refuse")
    assert facts(game)["round"] == 2 and facts(game)["markers"] == after


# Tsukiji: purchases.


def test_a_buyer_pays_the_tile_and_a_refusal_brings_3() -> None:
    game = lay(table("ebi ebi tako | maguro maguro sake | fugu fugu yakuza"))
    assert (game.seat, game.options()) == (1, ["buy/1", "buy/2", "buy/3", "refuse"])
    answer(game, "buy/2")
    assert facts(game)["lots"][1]["cards"] == {} and facts(game)["money"] == {"1": 39, "2": 51}
    assert (game.seat, game.options()) == (2, ["buy/1", "buy/3", "refuse"])
    answer(game, "refuse")
    assert facts(game)["money"] == {"1": 39, "2": 54}
    assert columns(game, 1) == {"sake": (1, 0), "maguro": (2, 0)}
    # R-TSU-23: what nobody bought is gone.
    assert facts(game)["discard"] == dict.fromkeys(KINDS, 0) | {"ebi": 2, "tako": 1, "fugu": 2, "yakuza": 1}


def test_only_lots_that_can_be_paid_are_offered() -> None:  # R-TSU-14
    for cash, lots in [(5, [3]), (8, [3]), (9, [2, 3]), (11, [2, 3]), (12, [1, 2, 3])]:
        game = Tsukiji(2, RandomChance(1), start_player=1)
        game._cash[1] = cash
        lay(game)
        assert game.options() == [*(f"buy/{lot}" for lot in lots), "refuse"]
        game.play(f"buy/{lots[0]}")
        assert facts(game)["money"]["1"] == cash - prices(game)[lots[0] - 1]


def test_who_can_afford_nothing_refuses_unasked() -> None:  # R-TSU-14
    for cash, forced in [(0, True), (4, True), (5, False)]:
        game = Tsukiji(2, RandomChance(1), start_player=1)
        game._cash[1] = cash
        lay(game)
        assert game.forced == ([(1, "refuse")] if forced else [])
        assert game.seat == (2 if forced else 1)
        assert facts(game)["money"]["1"] == cash + 3 * forced


def test_nobody_having_money_ends_the_round_unasked() -> None:  # R-TSU-40
    game = Tsukiji(2, RandomChance(1), start_player=2)
    game._cash[1] = game._cash[2] = 0
    lay(game)
    assert game.forced == [(2, "refuse"), (1, "refuse")]
    assert facts(game)["round"] == 2 and facts(game)["start"] == 2 and facts(game)["phase"] == "tickets"


def test_the_buyer_of_the_clock_lot_starts_the_next_round() -> None:  # R-TSU-26, 27
    game = lay(Tsukiji(3, RandomChance(4), start_player=2))
    assert game.seat == 2
    answer(game, "refuse")
    assert game.seat == 3
    game.play("buy/1")
    while facts(game)["round"] == 1:
        game.play(game.options()[-1])
    assert facts(game)["start"] == 3
    lay(game)
    assert game.seat == 3


def test_the_start_seat_stays_if_nobody_bought_the_clock_lot() -> None:  # R-TSU-40
    game = answer(lay(Tsukiji(3, RandomChance(4), start_player=2)), "refuse", "refuse", "refuse")
    assert facts(game)["round"] == 2 and facts(game)["start"] == 2


def test_both_takusan_join_the_only_column() -> None:
    game = answer(lay(table("takusan takusan ebi | maguro maguro maguro | sake sake sake")), "buy/1")
    assert columns(game, 1) == {"ebi": (1, 2)}
    assert game.seat == 2 and game.forced == [(1, "takusan/ebi")] * 2


def test_takusan_without_a_column_and_yakuza_without_a_victim_are_discarded() -> None:  # R-TSU-15, 20
    game = answer(lay(table("takusan yakuza yakuza | maguro maguro maguro | sake sake sake")), "buy/1")
    assert columns(game, 1) == {} and game.forced == []
    assert facts(game)["yakuza_taken"] == {"1": 2, "2": 0}
    assert facts(game)["discard"] == dict.fromkeys(KINDS, 0) | {"takusan": 1, "yakuza": 2}


def test_a_column_of_a_takusan_remains_when_its_last_product_goes() -> None:  # R-TSU-16, 17, 18, 34
    first = "ebi takusan yakuza | maguro maguro maguro | sake sake sake"
    second = "takusan yakuza yakuza | maguro maguro maguro | sake sake sake"
    game = answer(lay(table(first, second)), "buy/1")
    assert columns(game, 1) == {"ebi": (0, 1)}
    assert game.forced == [(1, "takusan/ebi"), (1, "yakuza/ebi")]
    answer(game, "refuse")
    answer(lay(game), "buy/1")
    # The column of a Takusan takes another one and offers the Yakuza nothing.
    assert columns(game, 1) == {"ebi": (0, 2)} and facts(game)["yakuza_taken"]["1"] == 3


def test_a_column_without_cards_is_gone() -> None:  # R-TSU-35
    first = "ebi yakuza yakuza | maguro maguro maguro | sake sake sake"
    second = "takusan takusan yakuza | maguro maguro maguro | sake sake sake"
    game = answer(lay(table(first, second)), "buy/1", "refuse")
    answer(lay(game), "buy/1")
    assert columns(game, 1) == {} and game.forced == [(1, "yakuza/ebi")]


def test_each_takusan_and_each_yakuza_is_a_choice_of_its_own() -> None:  # R-TSU-16, 19, 33
    first = "sake fugu maguro | maguro maguro ebi | sake sake sake"
    second = "takusan takusan yakuza | maguro maguro maguro | sake sake sake"
    game = answer(lay(table(first, second)), "buy/1", "buy/2")
    answer(lay(game), "buy/1")
    assert game.options() == ["takusan/fugu", "takusan/sake", "takusan/maguro"]
    assert facts(game)["extras"] == {"takusan": 2, "yakuza": 1}
    assert not facts(game)["discard"]["takusan"] and not facts(game)["yakuza_taken"]["1"]
    answer(game, "takusan/maguro", "takusan/fugu")
    assert game.options() == ["yakuza/fugu", "yakuza/sake", "yakuza/maguro"] and game.seat == 1
    assert facts(game)["extras"] == {"takusan": 0, "yakuza": 0} and facts(game)["yakuza_taken"]["1"] == 1
    assert facts(game)["discard"]["yakuza"] == 1
    answer(game, "yakuza/maguro")
    assert columns(game, 1) == {"fugu": (1, 1), "sake": (1, 0), "maguro": (0, 1)}
    assert game.seat == 2


def test_yakuza_of_lots_nobody_bought_count_for_no_one() -> None:  # R-TSU-41
    game = answer(
        lay(table("yakuza yakuza yakuza | maguro maguro maguro | sake sake sake")), "refuse", "refuse"
    )
    assert facts(game)["yakuza_taken"] == {"1": 0, "2": 0}


# Tsukiji: scoring.


def test_the_final_order_of_the_rulebook() -> None:
    spaces = {"ebi": 30, "hotategai": 41, "fugu": 12, "tako": 29, "sake": 7}
    assert final_values([spaces[product] << 6 for product in MARKED]) == [7, 10, 3, 5, 1]
    assert final_values([8 << 6 | arrival for arrival in (1, 4, 3, 5, 2)]) == [1, 7, 5, 10, 3]


def test_maguro_pays_by_the_set() -> None:
    assert tsukiji.MAGURO[:11] == [0, 3, 7, 12, 18, 25, 33, 42, 52, 63, 75]


def test_a_tie_goes_to_the_most_unused_special_tickets() -> None:  # R-TSU-29
    game = Tsukiji(4, RandomChance(1))
    playout(game, Random(1).random)
    cancel, double = tsukiji.TICKET["cancel"], tsukiji.TICKET["double"]
    game.scores = {1: 70, 2: 80, 3: 80, 4: 80}
    game._hands = [0, *(tsukiji.NORMAL | specials for specials in (0, cancel, double, 0))]
    assert game.ranking == [[2, 3], [4], [1]]


def test_special_points() -> None:
    none = [0] * 6
    five = PRODUCTS.index("tako")
    popular = [[0, 0, 0, n, 0, 0] for n in (2, 2, 0, 0)]
    assert special_points(popular, [0] * 4, five) == [5, 5, 0, 0]
    assert special_points([none] * 4, [1, 3, 3, 0], five) == [0, 3, 3, 0]
    assert special_points([none] * 4, [0] * 4, five) == [0, 0, 0, 0]
    assert special_points([[3] * 6, [3, 3, 3, 3, 3, 2]], [0, 0], five) == [10 + 5, 5]
    assert special_points([[0, 0, 0, 0, 0, 8], [8, 7, 0, 0, 9, 0]], [0, 0], five) == [10, 10]


def test_special_points_are_added_before_the_winner_is_known() -> None:
    for seed in range(50):
        plain, special = (Tsukiji(3, RandomChance(seed), special_points=on) for on in (False, True))
        for game in (plain, special):
            playout(game, Random(seed).random)
        bonuses = facts(special)["bonuses"]
        assert facts(plain)["bonuses"] is None and len(set(bonuses.values())) > 1
        assert special.scores == {seat: score + bonuses[str(seat)] for seat, score in plain.scores.items()}


# Tsukiji: every game.


def expected_scores(state: dict[str, Any], special: bool) -> dict[int, int]:
    """By the rulebook, from the facts alone."""
    value = dict(zip(state["market"], (10, 7, 5, 3, 1)))
    held = {
        seat: {product: n["product"] + n["takusan"] for product, n in own.items()}
        for seat, own in state["columns"].items()
    }
    scores = {}
    for seat, own in held.items():
        n = own.get("maguro", 0)
        scores[int(seat)] = (
            state["money"][seat]
            + sum(value[product] * count for product, count in own.items() if product != "maguro")
            + n * (n + 5) // 2
        )
        if special:
            fifth = state["market"][-1]
            others = [cards.get(fifth, 0) for cards in held.values()]
            taken = state["yakuza_taken"]
            scores[int(seat)] += 10 if all(own.get(product, 0) >= 3 for product in PRODUCTS) else 0
            scores[int(seat)] += 10 if any(count >= 8 for count in own.values()) else 0
            scores[int(seat)] += 5 if 0 < own.get(fifth, 0) == max(others) else 0
            scores[int(seat)] += 3 if 0 < taken[seat] == max(taken.values()) else 0
    return scores


def in_columns(state: dict[str, Any]) -> int:
    return sum(sum(column.values()) for own in state["columns"].values() for column in own.values())


def check_always(state: dict[str, Any], seats: int) -> None:
    """What holds at every decision of Tsukiji."""
    cards = [sum(lot["cards"].values()) for lot in state["lots"]]
    assert sum(state["deck"].values()) == (7 - state["round"]) * 3 * (seats + 1)
    assert all(count >= 0 for count in [*state["deck"].values(), *state["discard"].values()])
    assert all(n in (0, 3) for n in cards)
    lying = sum(cards) + sum(state["extras"].values()) + sum(state["discard"].values()) + in_columns(state)
    assert lying == state["round"] * 3 * (seats + 1)
    assert all(money >= 0 for money in state["money"].values())
    assert all(1 <= space <= 60 for space in state["markers"].values())
    spaces = [state["markers"][product] for product in state["market"]]
    assert spaces == sorted(spaces, reverse=True) and sorted(state["market"]) == sorted(MARKED)
    for hand, laid in zip(state["tickets"].values(), state["laid"].values()):
        assert len({*hand, *laid}) == len(hand) + len(laid) and {*DESCENDING} <= {*hand, *laid}


def check_prices(before: dict[str, Any], last: str, state: dict[str, Any], seats: int) -> None:
    """The lots once the last ticket is laid, against the tickets themselves, and the moves of the market."""
    rows = [row + [last.removeprefix("ticket/")] * (len(row) <= seats) for row in before["laid"].values()]
    values = [lot_value(heap) for heap in zip(*rows)]
    assert [lot["value"] for lot in state["lots"]] == values
    order = sorted(range(seats + 1), key=lambda lot: (-values[lot], lot))
    assert [state["lots"][lot]["price"] for lot in order] == list(tsukiji.PRICES[seats])
    assert [state["lots"][lot]["modifier"] for lot in order] == list(tsukiji.MODIFIERS[seats])
    stacks: dict[int, list[str]] = {}
    for product in reversed(before["market"]):
        stacks.setdefault(before["markers"][product], []).append(product)
    for product in MARKED:
        steps = sum(lot["cards"].get(product, 0) * lot["modifier"] for lot in state["lots"])
        here = before["markers"][product]
        there = min(60, max(1, here + steps))
        if there != here:
            stacks[here].remove(product)
            stacks.setdefault(there, []).append(product)
    assert state["market"] == [
        product for space in sorted(stacks, reverse=True) for product in stacks[space][::-1]
    ]
    assert {product: space for space, stack in stacks.items() for product in stack} == state["markers"]


def check_purchase(
    before: dict[str, Any], key: str, state: dict[str, Any], seat: int, forced: list[str]
) -> None:
    """Money and cards of one purchase, with the forced answers of the same seat."""
    me = str(seat)
    if key == "refuse":
        assert state["money"][me] == before["money"][me] + 3 + 3 * forced.count("refuse")
        return
    lot = before["lots"][int(key.removeprefix("buy/")) - 1]
    assert state["money"][me] == before["money"][me] - lot["price"] + 3 * forced.count("refuse")
    if state["phase"] not in ("takusan", "yakuza"):
        expected = Counter({p: n["product"] for p, n in before["columns"][me].items() if n["product"]})
        expected.update({card: n for card, n in lot["cards"].items() if card in PRODUCTS})
        expected.subtract(answer.removeprefix("yakuza/") for answer in forced if answer.startswith("yakuza/"))
        assert {p: n["product"] for p, n in state["columns"][me].items() if n["product"]} == {
            p: n for p, n in expected.items() if n
        }
        assert state["yakuza_taken"][me] - before["yakuza_taken"][me] == lot["cards"].get("yakuza", 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_game_of_tsukiji_keeps_the_rules(seats: int, a_few: AFew) -> None:
    for seed in a_few(range(GAMES), 60):
        random = Random(seed)
        game = Tsukiji(seats, RandomChance(seed), special_points=seed % 2 == 1)
        before = facts(game)
        while not game.over:
            check_always(before, seats)
            keys, seat, asked = game.options(), game.seat, len(game.forced)
            assert len(keys) > 1 or before["phase"] == "tickets"
            if before["phase"] == "tickets":
                assert keys == [f"ticket/{ticket}" for ticket in before["tickets"][str(seat)]]
            elif before["phase"] == "buying":
                cash = before["money"][str(seat)]
                assert keys == [
                    *(
                        f"buy/{n}"
                        for n, lot in enumerate(before["lots"], 1)
                        if lot["cards"] and lot["price"] <= cash
                    ),
                    "refuse",
                ]
            else:
                own = before["columns"][str(seat)]
                allowed = [
                    p for p in PRODUCTS if p in own and (before["phase"] == "takusan" or own[p]["product"])
                ]
                assert keys == [f"{before['phase']}/{product}" for product in allowed]
            key = random.choice(keys)
            game.play(key)
            state = facts(game)
            forced = [answer for who, answer in game.forced[asked:] if who == seat]
            if (
                before["phase"] == "tickets"
                and state["phase"] == "buying"
                and state["round"] == before["round"]
            ):
                if not game.forced[asked:]:
                    check_prices(before, key, state, seats)
            elif before["phase"] == "buying":
                check_purchase(before, key, state, seat, forced)
            before = state
        check_always(before, seats)
        assert not any(before["deck"].values())
        assert in_columns(before) + sum(before["discard"].values()) == 21 * (seats + 1)
        assert game.scores == expected_scores(before, special=seed % 2 == 1)
        unused = {int(seat): len(hand) - 5 for seat, hand in before["tickets"].items()}
        best = max((game.scores[seat], unused[seat]) for seat in game.scores)
        assert game.ranking[0] == [seat for seat in game.scores if (game.scores[seat], unused[seat]) == best]


def dealt(state: dict[str, Any]) -> list[str]:
    """The cards of a round that has just begun, lot by lot."""
    return [kind for lot in state["lots"] for kind, n in lot["cards"].items() for _ in range(n)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_shuffled_deck_plays_like_the_same_cards_drawn_one_by_one(seats: int) -> None:
    for seed in range(30):
        fast, random = Tsukiji(seats, RandomChance(seed)), Random(seed)
        state = facts(fast)
        by_space = sorted(MARKED, key=state["markers"].__getitem__)
        script = ScriptedChance([str(state["start"]), *by_space])
        script.add(dealt(state))
        slow = Tsukiji(seats, script)
        while True:
            assert (slow.facts(), slow.options(), slow.forced) == (state, fast.options(), fast.forced)
            if fast.over:
                break
            key = random.choice(fast.options())
            fast.play(key)
            before, state = state, facts(fast)
            if state["round"] > before["round"]:
                script.add(dealt(state))
            slow.play(key)
        assert (slow.scores, slow.ranking) == (fast.scores, fast.ranking)
        assert not script.left


# No Thanks.


def hand(*cards: int) -> int:
    return sum(1 << card - 3 for card in cards)


def test_of_a_run_only_the_lowest_card_counts() -> None:
    assert points(hand()) == 0
    assert points(hand(3, 4, 5, 35)) == 38
    assert points(hand(12, 13, 14, 24, 25, 26)) == 36  # runs across the parts of the table
    assert points(hand(*range(3, 36))) == 3
    assert points(hand(*range(3, 36, 2))) == sum(range(3, 36, 2))


def test_who_takes_gets_card_and_chips_and_decides_again() -> None:
    game = NoThanks(3, ScriptedChance(["12", "35", "13"], then=RandomChance(1)))
    assert (game.seat, game.options(), facts(game)["card"]) == (1, ["pay", "take"], 12)
    game.play("pay")
    game.play("pay")
    assert facts(game)["chips"] == {"1": 10, "2": 10, "3": 11} and facts(game)["pot"] == 2
    game.play("take")
    assert facts(game)["chips"] == {"1": 10, "2": 10, "3": 13} and facts(game)["pot"] == 0
    assert (game.seat, facts(game)["card"], facts(game)["cards"]["3"]) == (3, 35, [12])
    game.play("pay")
    assert game.seat == 1 and facts(game)["card"] == 35


def test_a_seat_without_chips_is_asked_though_it_can_only_take() -> None:
    game = NoThanks(7, RandomChance(1))
    for _ in range(7 * CHIPS[7]):
        game.play("pay")
    assert (game.seat, game.options()) == (1, ["take"]) and game.forced == []
    with pytest.raises(IllegalAnswer, match="seat 1 cannot answer pay, only take"):
        game.play("pay")
    game.play("take")
    assert game.seat == 1 and game.options() == ["pay", "take"] and facts(game)["chips"]["1"] == 49


def test_the_fewest_points_win_and_equals_share() -> None:
    game = NoThanks(3, RandomChance(1))
    game.scores = {1: 20, 2: -3, 3: 20}
    assert game.ranking == [[2], [1, 3]]


@pytest.mark.parametrize(("seats", "chips"), [(2, 11), (3, 11), (4, 11), (5, 11), (6, 9), (7, 7)])
def test_every_game_of_no_thanks_keeps_the_rules(seats: int, chips: int, a_few: AFew) -> None:
    for seed in a_few(range(GAMES), 60):
        random = Random(seed)
        game = NoThanks(seats, RandomChance(seed))
        state = facts(game)
        assert set(state["chips"].values()) == {chips} and game.seat == 1
        while not game.over:
            assert sum(state["chips"].values()) + state["pot"] == seats * chips
            taken = [card for own in state["cards"].values() for card in own]
            assert len(taken) == len(set(taken)) == 23 - state["to_come"] and state["card"] not in taken
            assert game.options() == (["pay", "take"] if state["chips"][str(game.seat)] else ["take"])
            seat, key = game.seat, random.choice(game.options())
            game.play(key)
            state = facts(game)
            assert game.over or game.seat == (seat if key == "take" else seat % seats + 1)
        assert sum(len(own) for own in state["cards"].values()) == 24 and state["pot"] == 0
        assert game.scores == {
            int(seat): sum(card for card in own if card - 1 not in own) - state["chips"][seat]
            for seat, own in state["cards"].items()
        }
