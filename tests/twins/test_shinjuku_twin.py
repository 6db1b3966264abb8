"""The hand-written Shinjuku against the rule sheet: walkthrough, examples, rulings, random games."""

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.depth import AFew
from tests.twins.base import IllegalAnswer, RandomChance, RecordedChance, ScriptedChance
from tests.twins.shinjuku import (
    DEPARTMENT_STORE,
    EXPAND,
    GOODS,
    KINDS,
    MOVE,
    OPEN,
    STOP,
    SUPPLY,
    UPGRADE,
    WANTS,
    Shinjuku,
    crowd_of,
    load_map,
    set_points,
    triples,
)

MAPS = {
    name: Path(__file__).parent / "maps" / f"shinjuku_{name}.yaml"
    for name in ("tokyo", "paris", "london", "osaka")
}
BLUE, RED, GREEN = 1, 2, 3

Crowd = dict[str, int]


def play(game: Shinjuku, *keys: str) -> Shinjuku:
    for key in keys:
        game.play(key)
    return game


def position(
    seats: int = 3,
    *,
    board: str = "tokyo",
    mover: int = BLUE,
    hands: dict[int, str] | None = None,
    stores: str = "",
    track: str = "",
    wards: dict[str, Crowd] | None = None,
    customers: dict[int, Crowd] | None = None,
    queue: list[tuple[str, Crowd]] | None = None,
    bag: Crowd | None = None,
    deck: str | None = None,
    discards: str = "",
    draws: str = "",
    upgrades: int = 0,
    last_turns: int = 0,
) -> Shinjuku:
    """A game in its first turn, the mover about to act, with only this on the table.

    `stores` are `seat good station`, `track` is `seat A-B`, in lines or behind semicolons; `draws` is what
    chance will say. Cards not mentioned are in the deck, customers in the bag, unless these are given.
    """
    game = Shinjuku(seats, RandomChance(0), map_path=MAPS[board], start_player=mover)
    names = game.map
    ward = names.ward_number
    game.random, game.chance = None, ScriptedChance(draws.split())

    def cards(text: str) -> list[int]:
        return sorted(ward[name] for name in text.split())

    game.hands = [tuple(cards((hands or {}).get(seat, ""))) for seat in range(seats + 1)]
    game.crowds = [crowd_of((wards or {}).get(name, {})) for name in names.wards]
    game.earned = [crowd_of((customers or {}).get(seat, {})) for seat in range(seats + 1)]
    game.queue = tuple(ward[name] for name, _ in queue or [])
    game.loads = tuple(crowd_of(load) for _, load in queue or [])
    game.queued = sum(sum(load.values()) for _, load in queue or [])
    game.discards = cards(discards)
    placed = Counter(game.discards) + Counter(game.queue) + sum(map(Counter, game.hands), Counter[int]())
    game.deck = list((Counter(names.cards) - placed).elements()) if deck is None else cards(deck)
    if bag is None:
        seen = Counter[str]()
        for load in [
            *(wards or {}).values(),
            *(customers or {}).values(),
            *(load for _, load in queue or []),
        ]:
            seen.update(load)
        game.bag = [n for n, kind in enumerate(KINDS) for _ in range((20, 14, 3, 6, 7, 10)[n] - seen[kind])]
    else:
        game.bag = [KINDS.index(kind) for kind, number in bag.items() for _ in range(number)]
    for line in filter(None, (line.strip() for line in stores.replace(";", "\n").splitlines())):
        owner, sells, station = line.split()
        seat, place = int(owner), names.station_number[station]
        if sells == "department_store":
            game.building[place] = seat << 3 | DEPARTMENT_STORE
            game.department_stores[seat] -= 1
            game.upgrades += 1
        else:
            good = GOODS.index(sells)
            game.building[place] = seat << 3 | good + 1
            game.shops[seat] = tuple(sorted((*game.shops[seat], place)))
            game._change_supply(seat, good, -1)
        game.empty = tuple(n for n in game.empty if n != place)
        game.wild[seat] |= 1 << names.ward_of[place]
    for line in filter(None, (line.strip() for line in track.replace(";", "\n").splitlines())):
        owner, key = line.split()
        game.seat = int(owner)
        game._lay(names.line_keys.index(key))
    game.upgrades = max(game.upgrades, upgrades)
    game.last_turns = last_turns
    game.seat = game.mover = mover
    game._ask_action()
    return game


def facts(game: Shinjuku) -> Any:
    return game.facts()


def cards_in_hand(game: Shinjuku, seat: int) -> int:
    return len(game.hands[seat])


def queue(game: Shinjuku) -> list[tuple[str, Crowd]]:
    return [(space["card"], space["customers"]) for space in facts(game)["queue"]]


# The walkthrough

DECK = """
    minato shinjuku chuo taito
    katsushika nerima itabashi setagaya  edogawa shinagawa ota chiyoda
"""
SETUP_AND_TURNS = """
    books food
    bunkyo food
    nakano electronics2 food
    chuo clothing  chiyoda minato
    shibuya books2
    nakano books  suginami koto meguro nerima
    shinagawa clothing electronics2
    suginami books
"""
FOOD: Crowd = {"food": 1}
CLOTHING: Crowd = {"clothing": 1}
BOOKS: Crowd = {"books": 1}
BOOKS2: Crowd = {"books2": 1}
ELECTRONICS: Crowd = {"electronics2": 1}


def test_the_walkthrough() -> None:
    chance = ScriptedChance((DECK + SETUP_AND_TURNS).split())
    game = Shinjuku(2, chance, map_path=MAPS["tokyo"], start_player=BLUE)
    assert cards_in_hand(game, BLUE) == 5

    # Turn 1. Before it the queue was Minato: books, Shinjuku: food, Chuo, Taito.
    assert queue(game) == [("shinjuku", {"food": 2}), ("chuo", {}), ("taito", {}), ("bunkyo", {})]
    assert facts(game)["wards"] == {"minato": BOOKS}
    assert game.seat == BLUE
    play(game, "open", "open/books/shimbashi", "pay/card/minato")  # the card just taken (R-SHI-07)
    assert facts(game)["wards"] == {"minato": BOOKS}  # R-SHI-18
    play(game, "expand", "expand/tokyo-shimbashi")
    assert game.decision == "extend"  # Minato is wild, and three cards would do too
    play(game, "expand/stop")

    # Turn 2
    assert game.seat == RED
    assert queue(game) == [("chuo", ELECTRONICS), ("taito", FOOD), ("bunkyo", {}), ("nakano", {})]
    play(game, "open", "open/food/shinjuku", "pay/card/shinjuku")
    play(game, "expand", "expand/tokyo-yotsuya", "expand/shinjuku-yotsuya", "pay/card/chiyoda")

    # Turn 3
    assert queue(game) == [("taito", FOOD), ("bunkyo", CLOTHING), ("nakano", {}), ("chuo", {})]
    assert facts(game)["wards"] == {"chuo": ELECTRONICS, "minato": BOOKS, "shinjuku": {"food": 2}}
    play(game, "move", "move/minato", "pay/three/itabashi+nerima+katsushika")
    play(game, "move/start/shimbashi", "move/give/books", "income")
    assert facts(game)["hands"]["1"] == {"chiyoda": 1, "chuo": 1, "minato": 1, "setagaya": 1}

    # Turn 4
    assert queue(game) == [("bunkyo", CLOTHING), ("nakano", BOOKS2), ("chuo", {}), ("shibuya", {})]
    play(game, "open", "open/food/ueno", "pay/card/taito")
    play(
        game,
        "move",
        "move/shinjuku",
        "pay/three/shinagawa+ota+edogawa",
        "move/start/shinjuku",
        "move/give/food",
    )
    assert game.options() == ["move/to/yotsuya", "move/to/yoyogi", "move/stop"]
    play(game, "move/stop")

    # Turn 5
    assert queue(game) == [
        ("nakano", {"books2": 1, "books": 1}),
        ("chuo", {}),
        ("shibuya", {}),
        ("nakano", {}),
    ]
    play(game, "open", "open/food/tokyo", "pay/card/chiyoda")
    play(game, "move", "move/shinjuku")
    assert "pay/card/minato" in game.options()
    play(game, "pay/card/minato", "move/start/yotsuya", "move/to/tokyo", "move/give/food")  # R-SHI-47
    assert (game.seat, game.options()) == (RED, ["income/take", "income/decline"])
    assert cards_in_hand(game, RED) == 0
    play(game, "income/take")

    # Turn 6
    assert facts(game)["hands"]["2"] == {"koto": 1, "meguro": 1, "suginami": 1, "nerima": 1, "nakano": 1}
    assert queue(game) == [("chuo", CLOTHING), ("shibuya", ELECTRONICS), ("nakano", {}), ("shinagawa", {})]
    play(game, "upgrade", "upgrade/shinjuku", "pay/three/koto+meguro+nerima", "upgrade/give/food")
    assert queue(game) == [("chuo", CLOTHING), ("shibuya", ELECTRONICS), ("nakano", FOOD), ("shinagawa", {})]
    assert facts(game)["bonus"] == {"1": 0, "2": 3}
    play(game, "expand", "expand/shinjuku-nakano")
    assert facts(game)["hands"]["2"] == {"nakano": 1, "suginami": 1}  # R-SHI-48
    play(game, "expand/stop")

    # Turn 7
    assert queue(game) == [("shibuya", ELECTRONICS), ("nakano", FOOD), ("shinagawa", BOOKS), ("suginami", {})]
    play(game, "open", "open/clothing/hatchobori", "pay/card/chuo", "move", "move/nakano", "pay/card/chuo")
    play(game, "move/start/nakano", "move/to/shinjuku")
    assert game.options() == ["move/give/books", "move/give/books2"]
    play(game, "move/give/books", "move/to/yotsuya", "move/to/tokyo", "move/to/shimbashi", "move/give/books2")
    assert (game.seat, game.options()) == (RED, ["income/take", "income/decline"])
    assert chance.left == []

    assert facts(game)["customers"] == {"1": {"food": 1, "books": 1, "books2": 1}, "2": {"books": 1}}
    assert facts(game)["bonus"] == {"1": 0, "2": 3}
    assert facts(game)["wards"] == {
        "chuo": {"electronics2": 1, "clothing": 1},
        "taito": FOOD,
        "bunkyo": CLOTHING,
    }
    assert game.turn == 7


def test_the_queue_before_the_first_turn() -> None:
    chance = RecordedChance(ScriptedChance((DECK + SETUP_AND_TURNS).split()))
    Shinjuku(2, chance, map_path=MAPS["tokyo"], start_player=BLUE)
    assert chance.told == (DECK + "books food bunkyo food").split()


# Move Example 1


def move_example_1(mover: int) -> Shinjuku:
    return position(
        mover=mover,
        hands={BLUE: "ota ota ota", RED: "ota ota ota", GREEN: "ota ota ota"},
        deck="kita kita nerima nerima adachi adachi suginami suginami",
        draws="kita kita nerima nerima adachi adachi suginami suginami",
        stores="""
            2 food takadanobaba
            2 books shinjuku
            3 electronics iidabashi
            3 clothing tokyo
            1 food yotsuya
            1 books akihabara
        """,
        track="""
            2 shinjuku-takadanobaba
            3 iidabashi-takadanobaba
            1 shinjuku-yotsuya
            1 tokyo-yotsuya
        """,
        wards={"shinjuku": CLOTHING, "chiyoda": {"books": 1, "food": 1}},
    )


def start_moving(game: Shinjuku, ward: str, station: str) -> Shinjuku:
    game.play("move")
    game.play(f"move/{ward}")
    game.play(next(key for key in game.options() if key.startswith("pay/three/")))
    game.play(f"move/start/{station}")
    return game


def take_offers(game: Shinjuku) -> list[int]:
    """Who is offered a free INCOME, in that order; everybody takes it."""
    seats = []
    while game.decision == "income":
        seats.append(game.seat)
        game.play("income/take")
    return seats


def test_move_example_1_red_over_takadanobaba() -> None:
    game = start_moving(move_example_1(RED), "chiyoda", "iidabashi")
    assert game.options() == ["move/to/takadanobaba", "move/stop"]
    play(game, "move/to/takadanobaba")
    assert game.options() == ["move/give/food"]
    play(game, "move/give/food", "move/to/shinjuku", "move/give/books")
    assert facts(game)["customers"] == {"1": {}, "2": {"food": 1, "books": 1}, "3": {}}
    assert take_offers(game) == [GREEN]
    assert cards_in_hand(game, GREEN) == 4
    assert (game.seat, game.decision) == (RED, "action")


def test_move_example_1_red_over_yotsuya() -> None:
    game = start_moving(move_example_1(RED), "chiyoda", "tokyo")
    play(game, "move/to/yotsuya", "move/give/food", "move/to/shinjuku", "move/give/books")
    assert facts(game)["customers"] == {"1": {"food": 1}, "2": {"books": 1}, "3": {}}
    assert take_offers(game) == [BLUE]


@pytest.mark.parametrize(
    ("start", "way", "offers"),
    [
        ("yotsuya", ["tokyo"], [BLUE]),
        ("shinjuku", ["yotsuya", "tokyo"], [BLUE]),
        ("takadanobaba", ["shinjuku", "yotsuya", "tokyo"], [BLUE, RED]),
    ],
)
def test_move_example_1_green(start: str, way: list[str], offers: list[int]) -> None:
    game = start_moving(move_example_1(GREEN), "shinjuku", start)
    for station in way:
        game.play(f"move/to/{station}")
    game.play("move/give/clothing")
    assert facts(game)["customers"]["3"] == CLOTHING
    assert take_offers(game) == offers


def test_move_example_1_blue_stops_at_yotsuya() -> None:
    game = start_moving(move_example_1(BLUE), "chiyoda", "tokyo")
    play(game, "move/to/yotsuya", "move/give/food", "move/stop")
    assert facts(game)["customers"]["1"] == FOOD
    assert facts(game)["wards"] == {"shinjuku": {"clothing": 1, "books": 1}}
    assert (game.seat, game.decision) == (BLUE, "action")  # its own track: no INCOME


def test_move_example_1_blue_from_akihabara() -> None:
    game = start_moving(move_example_1(BLUE), "chiyoda", "akihabara")
    assert game.options() == ["move/give/books"]
    play(game, "move/give/books")
    assert game.decision == "action"  # no track leads on
    assert facts(game)["wards"]["chiyoda"] == FOOD


# Move Example 2


def move_example_2(mover: int = RED) -> Shinjuku:
    return position(
        mover=mover,
        hands={mover: "ota ota ota"},
        deck="kita kita nerima nerima nerima nerima adachi adachi",
        draws="kita kita nerima nerima nerima nerima adachi adachi",
        stores="1 department_store shimbashi; 3 clothing roppongi; 1 books shibuya; 2 food kachidoki",
        track="2 kachidoki-shimbashi; 1 shimbashi-roppongi; 3 roppongi-ebisu; 1 shibuya-ebisu",
        wards={"chuo": {"clothing": 1, "books": 1, "books2": 1}},
    )


@pytest.mark.parametrize(
    ("first", "blue"),
    [("clothing", {"clothing", "books"}), ("books", {"books", "books2"}), ("books2", {"books2", "books"})],
)
def test_move_example_2(first: str, blue: set[str]) -> None:
    game = start_moving(move_example_2(), "chuo", "kachidoki")
    play(game, "move/to/shimbashi")
    assert game.options() == ["move/give/clothing", "move/give/books", "move/give/books2"]  # R-SHI-25
    play(game, f"move/give/{first}", "move/to/roppongi")
    if first != "clothing":
        assert game.options() == ["move/give/clothing"]  # cannot be avoided (R-SHI-24)
        play(game, "move/give/clothing")
    play(game, "move/to/ebisu", "move/to/shibuya")
    book = "books" if first != "books" else "books2"
    play(game, f"move/give/{book}")
    assert set(facts(game)["customers"]["1"]) == blue
    assert take_offers(game) == [GREEN, BLUE]
    left = {"books2": 1} if first == "clothing" else {}
    assert facts(game)["wards"].get("shibuya", {}) == left


# Scoring


@pytest.mark.parametrize(
    ("goods", "tokens", "points"),
    [
        ((7, 5, 7, 4), 2, 59),  # Scoring A
        ((5, 3, 5, 4), 5, 53),  # Scoring B
        ((0, 0, 0, 0), 0, 0),
        ((0, 0, 0, 0), 1, 1),
        ((1, 1, 1, 1), 0, 10),
        ((4, 0, 0, 0), 1, 6),
        ((2, 2, 0, 0), 1, 9),
    ],
)
def test_set_points(goods: tuple[int, ...], tokens: int, points: int) -> None:
    assert set_points(goods, tokens) == points


@pytest.mark.parametrize(
    ("customers", "tokens", "points"),
    [
        ({"food": 7, "clothing": 3, "clothing2": 1, "books": 3, "books2": 2, "electronics2": 2}, 2, 59),
        ({"food": 5, "clothing": 3, "books": 1, "books2": 2, "electronics2": 2}, 5, 53),
        ({"electronics2": 1}, 0, 2),
    ],
)
def test_a_customer_marked_2_counts_twice(customers: Crowd, tokens: int, points: int) -> None:
    game = position(customers={BLUE: customers}, deck="", last_turns=1)
    game.bonus[BLUE] = tokens
    assert game.scores == {}
    assert game.ranking == []
    play(game, "pass") if "pass" in game.options() else play(game, "expand", "expand/tokyo-akihabara", "pass")
    assert game.over
    assert game.scores == {BLUE: points, RED: 0, GREEN: 0}


SET_VALUES = (0, 1, 3, 6, 10)


@cache
def best_sets(goods: tuple[int, ...]) -> int:
    """The most any division into sets is worth: try every set with one more of each good it holds."""
    best = 0
    for chosen in product((0, 1), repeat=4):
        if any(chosen) and all(have >= use for have, use in zip(goods, chosen)):
            rest = tuple(sorted(have - use for have, use in zip(goods, chosen)))
            best = max(best, SET_VALUES[sum(chosen)] + best_sets(rest))
    return best


def test_no_other_sets_and_no_other_tokens_are_worth_more() -> None:  # R-SHI-42
    for goods in combinations_with_replacement(range(5), 4):
        for tokens in range(5):
            best = max(
                best_sets(tuple(sorted(map(sum, zip(goods, extra)))))
                for extra in product(range(tokens + 1), repeat=4)
                if sum(extra) == tokens
            )
            assert set_points(goods, tokens) == best


def finished(scores: dict[int, int], first_claim: dict[int, int]) -> Shinjuku:
    game = position(4)
    for seat, claim in first_claim.items():
        game.first_claim[seat] = claim
    game.scores = scores
    return game


@pytest.mark.parametrize(
    ("scores", "first_claim", "ranking"),
    [
        ({1: 5, 2: 9, 3: 7, 4: 1}, {}, [[2], [3], [1], [4]]),
        ({1: 9, 2: 9, 3: 9, 4: 1}, {2: 3, 3: 1}, [[3], [2], [1], [4]]),
        ({1: 9, 2: 9, 3: 7, 4: 7}, {4: 6, 3: 2}, [[1, 2], [3], [4]]),
    ],
)
def test_ties(
    scores: dict[int, int], first_claim: dict[int, int], ranking: list[list[int]]
) -> None:  # R-SHI-43
    assert finished(scores, first_claim).ranking == ranking


# Setup and cards


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_order_of_dealing(seats: int) -> None:  # R-SHI-01, R-SHI-02
    class Watched(ScriptedChance):
        asked: list[str] = []

        def pick(self, what: str, weights: dict[str, int]) -> str:
            self.asked.append(what)
            return super().pick(what, weights)

    chance = Watched(["2"], then=RandomChance(1))
    chance.asked = []
    game = Shinjuku(seats, chance, map_path=MAPS["tokyo"])
    setup = ["start_player"] + ["card"] * (4 + 4 * seats) + ["customer"] * 2
    assert chance.asked[: len(setup)] == setup
    assert chance.asked[len(setup)] == "card"
    assert game.seat == 2
    assert [cards_in_hand(game, seat) for seat in range(1, seats + 1)] == [4, 5, 4, 4][:seats]


def test_hands_are_dealt_from_the_starting_player_on() -> None:  # R-SHI-01
    script = "ota ota ota ota  kita kita koto koto  adachi adachi adachi adachi  nerima nerima nerima nerima"
    chance = ScriptedChance(["2", *script.split()], then=RandomChance(1))
    game = Shinjuku(3, chance, map_path=MAPS["tokyo"])
    hands = facts(game)["hands"]
    assert hands == {"2": {"kita": 2, "koto": 2, "ota": 1}, "3": {"adachi": 4}, "1": {"nerima": 4}}


@pytest.mark.parametrize(("seats", "start"), [(1, 0), (5, 0), (2, 3), (2, -1)])
def test_numbers_of_players_that_are_not(seats: int, start: int) -> None:  # R-SHI-02
    with pytest.raises(ValueError, match="player"):
        Shinjuku(seats, RandomChance(1), map_path=MAPS["tokyo"], start_player=start)


def test_income_refills_to_four_or_draws_one_and_ends_the_turn() -> None:  # R-SHI-03
    game = position(hands={BLUE: "ota"}, deck="kita koto meguro", draws="koto meguro kita")
    play(game, "income")
    assert facts(game)["hands"]["1"] == {"ota": 1, "koto": 1, "meguro": 1, "kita": 1}
    assert game.mover == RED
    game = position(hands={BLUE: "ota ota ota ota"}, deck="kita koto", draws="koto kita", bag={})
    play(game, "income")
    assert cards_in_hand(game, BLUE) == 5


def test_an_empty_deck_is_refilled_when_a_card_is_drawn() -> None:  # R-SHI-04
    game = position(hands={BLUE: "ota koto kita"}, deck="", draws="ota")
    play(game, "open", "open/food/omori", "pay/card/ota")
    assert (facts(game)["deck"], facts(game)["discards"]) == ({}, {"ota": 1})
    play(game, "income")  # the card just paid is drawn again
    assert facts(game)["hands"]["1"] == {"ota": 1, "koto": 1, "kita": 1}


def test_income_draws_as_many_as_there_are() -> None:  # R-SHI-05
    game = position(hands={BLUE: "", RED: "chuo"}, deck="ota", discards="koto", draws="ota koto")
    play(game, "income")
    assert facts(game)["hands"] == {"1": {"ota": 1, "koto": 1}, "2": {"chuo": 1}, "3": {}}
    assert game.mover == RED
    assert queue(game) == []


def test_a_queue_short_of_cards_stays_without_gaps_and_fills_up_later() -> None:  # R-SHI-06, R-SHI-36
    game = position(
        hands={BLUE: "ota ota ota ota"},
        queue=[("chuo", {"food": 1}), ("koto", {"books": 1})],
        deck="",
        bag={"clothing": 3},
        draws="ota ota ota clothing  chuo clothing",
    )
    play(game, "expand", "expand/tokyo-akihabara", "expand/stop", "open", "open/food/omori")
    play(game, "pay/three/ota+ota+ota")  # red's turn: Chuo leaves, the discards come behind Koto
    assert queue(game) == [("koto", BOOKS), ("ota", CLOTHING), ("ota", {}), ("ota", {})]
    play(game, "expand", "expand/tokyo-iidabashi", "open", "open/food/hatchobori", "pay/card/chuo")
    assert queue(game) == [("ota", {"clothing": 2}), ("ota", {}), ("ota", {}), ("chuo", {})]


def test_a_turn_without_a_card_in_the_queue() -> None:  # R-SHI-06, R-SHI-36
    game = position(hands={BLUE: "ota", RED: "chuo"}, queue=[], deck="koto", bag={"food": 5}, draws="koto")
    play(game, "income")
    assert (game.mover, game.turn) == (RED, 2)
    assert (facts(game)["hands"]["2"], queue(game)) == ({"chuo": 1}, [])
    assert facts(game)["bag"] == {"food": 5}  # nobody comes without a card
    assert "income" not in game.options()  # R-SHI-11
    play(game, "open", "open/food/hatchobori", "pay/card/chuo")
    game.chance = ScriptedChance(["chuo", "food", "food"])
    assert game.options() == ["expand", "income"]
    play(game, "expand", "expand/tokyo-akihabara")
    assert game.mover == GREEN
    assert queue(game) == [("chuo", {"food": 2})]  # healed (R-SHI-37)


# The turn


def test_two_different_actions_and_no_pass_while_one_is_possible() -> None:  # R-SHI-08, R-SHI-10
    game = position(hands={BLUE: "ota ota ota ota"}, wards={"ota": {"food": 2}})
    assert game.options() == ["open", "expand", "income", "move"]
    play(game, "move", "move/ota", "pay/card/ota", "move/start/omori")
    assert game.options() == ["open", "expand", "income"]
    game.chance = RandomChance(1)
    play(game, "expand", "expand/tokyo-akihabara", "expand/stop")
    assert game.mover == RED


def test_pass_is_the_last_resort() -> None:  # R-SHI-09
    game = position(hands={}, deck="", queue=[("ota", {})], bag={"food": 1}, draws="food")
    play(game, "expand", "expand/tokyo-akihabara")
    assert game.options() == ["pass"]
    play(game, "pass")
    assert game.mover == RED
    assert not game.over


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_game_ends_when_nothing_can_change(seats: int) -> None:  # R-SHI-09
    game = position(seats, hands={}, deck="", queue=[])
    game.tracks = [0] * (seats + 1)
    game._ask_action()
    for _ in range(seats - 1):
        play(game, "pass")
        assert not game.over
    play(game, "pass")
    assert game.over
    assert game.turn == seats
    assert game.scores == dict.fromkeys(range(1, seats + 1), 0)


def test_a_pass_at_the_second_action_does_not_end_the_game() -> None:  # R-SHI-09
    game = position(2, hands={}, deck="", queue=[])
    for _ in range(32):
        assert game.options() == ["expand"]
        game.play("expand")
        game.step(0)
        if game.decision == "extend":
            game.play("expand/stop")
        game.play("pass")
    assert not game.over
    play(game, "pass", "pass")
    assert game.over


def test_no_income_without_a_card_to_draw() -> None:  # R-SHI-11
    game = position(hands={BLUE: "ota ota ota ota"}, deck="")
    assert "income" not in game.options()
    game = move_example_1(GREEN)
    game.deck = []
    start_moving(game, "shinjuku", "takadanobaba")
    assert len(game.discards) == 3  # so there is something to draw
    play(game, "move/to/shinjuku", "move/to/yotsuya", "move/to/tokyo")
    game.chance = ScriptedChance(["ota", "ota", "ota"])
    play(game, "move/give/clothing")
    game.hands[BLUE] = ()
    play(game, "income/take")  # blue takes all three, red is not asked
    assert cards_in_hand(game, BLUE) == 3
    assert (game.seat, game.decision) == (GREEN, "action")


def test_an_action_is_offered_only_if_it_can_be_finished() -> None:  # R-SHI-12, R-SHI-22
    game = position(hands={BLUE: "ota chuo"}, wards={"koto": FOOD}, stores="2 food omori; 2 food tamagawa")
    assert game.options() == ["open", "expand", "income"]
    play(game, "open")
    assert {key.split("/")[2] for key in game.options()} == {"hatchobori", "kachidoki"}  # Ota is full
    game = position(hands={BLUE: "ota chuo"}, wards={"chuo": FOOD})
    play(game, "move")
    assert game.options() == ["move/chuo"]


# Payments


def test_cards_of_own_store_wards_are_wild() -> None:  # R-SHI-13
    game = position(hands={BLUE: "ota koto"}, stores="1 food omori; 2 food shin_kiba", wards={"kita": FOOD})
    play(game, "move", "move/kita")
    assert game.options() == ["pay/card/ota"]
    play(game, "pay/card/ota")
    assert facts(game)["discards"] == {"ota": 1}  # R-SHI-15


def test_a_department_store_makes_wild_too() -> None:  # R-SHI-13
    game = position(hands={BLUE: "chiyoda"}, stores="1 department_store tokyo", wards={"kita": FOOD})
    play(game, "move", "move/kita")
    assert game.options() == ["pay/card/chiyoda"]


def test_a_store_does_not_pay_for_itself_and_a_moving_one_still_does() -> None:  # R-SHI-13
    game = position(hands={BLUE: "ota koto"}, stores="1 food omori")
    play(game, "open", "open/food/shin_kiba/from/omori")
    assert game.options() == ["pay/card/koto", "pay/card/ota"]
    play(game, "pay/card/ota")
    assert "move" not in game.options()
    game = position(hands={BLUE: "ota koto"})
    play(game, "open", "open/food/shin_kiba")
    assert game.options() == ["pay/card/koto"]


def test_any_three_cards_pay_also_where_one_would() -> None:  # R-SHI-14
    game = position(hands={BLUE: "ota ota ota koto"}, wards={"ota": FOOD})
    play(game, "move", "move/ota")
    assert game.options() == ["pay/card/ota", "pay/three/koto+ota+ota", "pay/three/ota+ota+ota"]
    play(game, "pay/three/ota+ota+ota")
    assert facts(game)["hands"]["1"] == {"koto": 1}
    assert facts(game)["discards"] == {"ota": 3}


def test_three_cards_or_a_wild_one_pay_for_the_second_track() -> None:  # R-SHI-13, R-SHI-14, R-SHI-15
    game = position(hands={BLUE: "ota koto kita nerima"}, stores="1 food omori")
    play(game, "expand", "expand/hatchobori-monzen_nakacho", "expand/tokyo-hatchobori")
    assert game.options() == [
        "pay/card/koto",
        "pay/card/ota",
        "pay/three/koto+ota+kita",
        "pay/three/koto+ota+nerima",
        "pay/three/koto+kita+nerima",
        "pay/three/ota+kita+nerima",
    ]


def test_every_triple_stands_once() -> None:
    random = Random(3)
    for size in [*range(3, 30)]:
        hand = tuple(sorted(random.randrange(23) // random.choice((1, 4)) for _ in range(size)))
        told = triples(hand)
        every = {
            three
            for three in combinations_with_replacement(sorted(set(hand)), 3)
            if all(hand.count(card) >= three.count(card) for card in three)
        }
        assert told == sorted(every)


# OPEN


def test_open_takes_from_the_supply_or_from_the_map() -> None:  # R-SHI-16, R-SHI-17
    game = position(
        hands={BLUE: "koto koto koto koto"},
        stores="1 food omori; 1 food tamagawa; 1 books shibuya; 1 department_store tokyo; 2 food shin_kiba",
    )
    play(game, "open")
    options = game.options()
    empty = len(game.empty)
    assert empty == 44 - 5
    assert len(options) == 6 * empty  # clothing, books, electronics from the supply; three stores on the map
    assert "open/food/monzen_nakacho" not in options  # both are on the map
    assert "open/food/monzen_nakacho/from/omori" in options
    assert "open/books/monzen_nakacho" in options
    assert not [key for key in options if "/shin_kiba" in key or "from/tokyo" in key]
    play(game, "open/food/monzen_nakacho/from/omori", "pay/card/koto")
    after = facts(game)
    assert "omori" not in after["stores"]
    assert after["stores"]["monzen_nakacho"] == {"owner": BLUE, "sells": "food"}
    assert after["supply"]["1"]["food"] == 0
    assert "open" not in game.options()  # R-SHI-10
    wild = {name for n, name in enumerate(game.map.wards) if game.wild[BLUE] >> n & 1}
    assert wild == {"ota", "shibuya", "chiyoda", "koto"}  # Tamagawa is in Ota too


def test_the_ward_left_behind_is_wild_no_more() -> None:  # R-SHI-17
    game = position(hands={BLUE: "koto ota"}, stores="1 food omori", wards={"kita": FOOD})
    assert "move" in game.options()
    play(game, "open", "open/food/shin_kiba/from/omori", "pay/card/koto")
    assert "move" not in game.options()
    assert game.map.station_number["omori"] in game.empty


def test_several_stores_of_a_good_in_a_ward() -> None:  # R-SHI-16
    game = position(hands={BLUE: "ota"}, stores="1 food omori")
    play(game, "open", "open/food/tamagawa", "pay/card/ota")
    assert facts(game)["supply"]["1"]["food"] == 0


# EXPAND


def test_track_comes_from_the_supply_and_lies_alone() -> None:  # R-SHI-19
    game = position(hands={BLUE: "ota ota ota"}, track="2 tokyo-akihabara")
    play(game, "expand")
    assert len(game.options()) == 66
    assert "expand/tokyo-akihabara" not in game.options()
    assert not [key for key in game.options() if key == "expand/shinjuku-yoyogi"]
    game = position(hands={BLUE: "ota ota ota"})
    game.tracks[BLUE] = 0
    game._ask_action()
    assert "expand" not in game.options()


def test_no_expand_without_an_empty_connection() -> None:  # R-SHI-19
    game = position(hands={BLUE: "ota ota ota"})
    game.free = ()
    game._ask_action()
    assert "expand" not in game.options()


SECOND_FROM_NAKANO_SHINJUKU_YOYOGI = {
    "iidabashi-shinjuku",
    "shinjuku-takadanobaba",
    "shinjuku-yotsuya",
    "shinjuku-meidai_mae",
    "takadanobaba-nakano",
    "nakano-koenji",
    "nakano-nerima",
    "roppongi-yoyogi",
    "shibuya-yoyogi",
}


@pytest.mark.parametrize("card", ["nakano", "shinjuku"])
def test_the_second_track_may_start_beyond_the_link(card: str) -> None:  # R-SHI-20
    game = position(hands={BLUE: f"{card} shibuya"})
    play(game, "expand", "expand/shinjuku-nakano")
    keys = {f"expand/{line}" for line in SECOND_FROM_NAKANO_SHINJUKU_YOYOGI}
    assert set(game.options()) == {*keys, "expand/stop"}
    play(game, "expand/shibuya-yoyogi")
    assert game.options() == [f"pay/card/{card}"]
    play(game, f"pay/card/{card}")
    assert facts(game)["track"] == {"shinjuku-nakano": BLUE, "shibuya-yoyogi": BLUE}


def test_a_card_of_the_far_end_does_not_pay() -> None:  # R-SHI-20
    game = position(hands={BLUE: "shibuya"})
    play(game, "expand", "expand/shinjuku-nakano")
    assert game.decision == "action"
    game = position(hands={BLUE: "shibuya"}, stores="1 food ebisu")
    play(game, "expand", "expand/shinjuku-nakano", "expand/shibuya-yoyogi", "pay/card/shibuya")


def test_the_card_may_match_either_end_whichever_is_built_on() -> None:  # R-SHI-20
    game = position(hands={BLUE: "chiyoda"})
    play(game, "expand", "expand/tokyo-hatchobori", "expand/hatchobori-monzen_nakacho", "pay/card/chiyoda")
    assert facts(game)["supply"]["1"]["track"] == 14
    game = position(hands={BLUE: "koto"})
    play(game, "expand", "expand/tokyo-hatchobori")
    assert game.decision == "action"  # Koto is only at the end of the second


def test_two_links_are_the_same_each() -> None:  # R-SHI-20
    game = position(board="paris", hands={BLUE: "louvre"})
    play(game, "expand", "expand/les_halles-gare_du_nord")
    seconds = set(game.options())
    assert {
        "expand/chatelet-hotel_de_ville",
        "expand/opera-gare_de_lest",
        "expand/les_halles-opera",
    } <= seconds
    assert "expand/saint_lazare-opera" not in seconds


def test_the_last_token_has_no_second() -> None:  # R-SHI-21
    game = position(hands={BLUE: "shinjuku ota"})
    game.tracks[BLUE] = 1
    play(game, "expand", "expand/shinjuku-nakano")
    assert game.decision == "action"
    assert game.tracks[BLUE] == 0


def test_the_second_track_may_be_left() -> None:  # R-SHI-21
    game = position(hands={BLUE: "shinjuku ota"})
    play(game, "expand", "expand/shinjuku-nakano", "expand/stop")
    assert cards_in_hand(game, BLUE) == 2
    assert game.decision == "action"


# MOVE


def test_a_move_may_be_useless() -> None:  # R-SHI-23, R-SHI-28
    game = position(hands={BLUE: "ota"}, wards={"ota": FOOD}, track="1 oimachi-omori")
    play(game, "move", "move/ota", "pay/card/ota")
    assert game.options() == ["move/start/omori", "move/start/tamagawa"]
    play(game, "move/start/omori", "move/stop")
    assert facts(game)["wards"] == {"ota": FOOD}


def test_a_start_without_a_way_on_ends_the_move() -> None:
    game = position(hands={BLUE: "ota"}, wards={"ota": FOOD}, track="1 oimachi-omori")
    play(game, "move", "move/ota", "pay/card/ota", "move/start/tamagawa")
    assert game.decision == "action"


def test_others_stores_are_served_too_also_at_the_start_and_a_single_customer() -> None:  # R-SHI-24
    game = position(hands={BLUE: "ota"}, wards={"ota": FOOD}, stores="2 food omori")
    play(game, "move", "move/ota", "pay/card/ota", "move/start/omori")
    assert (game.seat, game.options()) == (BLUE, ["move/give/food"])
    play(game, "move/give/food")
    assert facts(game)["customers"]["2"] == FOOD
    assert facts(game)["wards"] == {}


def test_one_customer_per_station_also_at_a_department_store() -> None:  # R-SHI-24
    game = position(
        hands={BLUE: "chiyoda"}, wards={"chiyoda": {"food": 3}}, stores="2 department_store tokyo"
    )
    play(game, "move", "move/chiyoda", "pay/card/chiyoda", "move/start/tokyo", "move/give/food")
    assert game.decision == "action"
    assert facts(game)["wards"] == {"chiyoda": {"food": 2}}


def test_no_station_twice_and_the_link_is_nobodys() -> None:  # R-SHI-26, R-SHI-27
    game = position(
        hands={BLUE: "shinjuku"},
        wards={"shinjuku": {"food": 3}},
        stores="2 food shinjuku; 3 food yoyogi",
        track="1 roppongi-yoyogi; 1 roppongi-yotsuya; 1 shinjuku-yotsuya",
    )
    play(game, "move", "move/shinjuku", "pay/card/shinjuku", "move/start/shinjuku", "move/give/food")
    assert game.options() == ["move/to/yotsuya", "move/to/yoyogi", "move/stop"]
    play(game, "move/to/yoyogi", "move/give/food", "move/to/roppongi", "move/to/yotsuya")
    assert game.decision == "action"  # back at Shinjuku is not allowed
    assert facts(game)["wards"] == {"shinjuku": FOOD}
    assert facts(game)["customers"] == {"1": {}, "2": FOOD, "3": FOOD}


@pytest.mark.parametrize("mover", [BLUE, RED, GREEN])
def test_the_way_over_the_link_brings_nobody_income(mover: int) -> None:  # R-SHI-27
    game = position(mover=mover, hands={mover: "shinjuku"}, wards={"shinjuku": FOOD})
    play(game, "move", "move/shinjuku", "pay/card/shinjuku", "move/start/shinjuku", "move/to/yoyogi")
    assert (game.seat, game.decision) == (mover, "action")
    assert facts(game)["wards"] == {"shibuya": FOOD}


def test_the_rest_joins_the_customers_of_the_last_ward() -> None:  # R-SHI-28
    game = position(
        hands={BLUE: "ota"},
        wards={"ota": {"food": 1, "books2": 1}, "shinagawa": {"books2": 2}},
        track="1 oimachi-omori",
    )
    play(game, "move", "move/ota", "pay/card/ota", "move/start/omori", "move/to/oimachi")
    assert facts(game)["wards"] == {"shinagawa": {"food": 1, "books2": 3}}


def long_way(mover: int) -> Shinjuku:
    """Four seats; the way Tokyo - Iidabashi - Ueno - Nishi Nippori - Oji is laid by 1, 4, 2, 4."""
    return position(
        4,
        mover=mover,
        hands={mover: "chiyoda", 2: "ota ota", 4: "ota ota ota ota"},
        wards={"chiyoda": FOOD},
        track="1 tokyo-iidabashi; 4 iidabashi-ueno; 2 ueno-nishi_nippori; 4 oji-nishi_nippori",
        draws="adachi adachi adachi adachi nerima nerima nerima nerima",
    )


@pytest.mark.parametrize(("mover", "offers"), [(1, [2, 4]), (2, [4, 1]), (3, [4, 1, 2]), (4, [1, 2])])
def test_everybody_elses_track_brings_income_once_clockwise(
    mover: int, offers: list[int]
) -> None:  # R-SHI-29, 30
    game = long_way(mover)
    game.hands[mover] = (game.map.ward_number["chiyoda"],)
    game._ask_action()
    play(game, "move", "move/chiyoda", "pay/card/chiyoda", "move/start/tokyo")
    play(game, "move/to/iidabashi", "move/to/ueno", "move/to/nishi_nippori", "move/to/oji")
    assert facts(game)["wards"] == {"kita": FOOD}  # nothing delivered
    before = {seat: cards_in_hand(game, seat) for seat in offers}
    assert take_offers(game) == offers
    for seat in offers:
        assert cards_in_hand(game, seat) == max(4, before[seat] + 1)
    assert (game.seat, game.mover, game.decision) == (mover, mover, "action")


def test_free_income_may_be_declined() -> None:  # R-SHI-30
    game = long_way(1)
    play(
        game,
        "move",
        "move/chiyoda",
        "pay/card/chiyoda",
        "move/start/tokyo",
        "move/to/iidabashi",
        "move/to/ueno",
    )
    play(game, "move/stop")
    assert (game.seat, game.options()) == (4, ["income/take", "income/decline"])
    play(game, "income/decline")
    assert cards_in_hand(game, 4) == 4
    assert "income" in game.options()  # the mover's own is still there (R-SHI-10)


# UPGRADE


def upgradable(**changes: Any) -> Shinjuku:
    settings: dict[str, Any] = {
        "hands": {BLUE: "chiyoda koto koto koto"},
        "stores": "1 books tokyo; 1 food iidabashi; 1 clothing akihabara; 2 books shibuya",
        "customers": {BLUE: {"books": 1, "books2": 1, "food": 1}, RED: {"books": 1}},
        "queue": [("ota", FOOD), ("kita", BOOKS), ("kita", {}), ("chuo", {})],
    }
    return position(**(settings | changes))


def test_what_can_be_upgraded() -> None:  # R-SHI-31, R-SHI-32
    game = upgradable()
    play(game, "upgrade")
    assert game.options() == ["upgrade/tokyo"]  # no icon, no customer, not one's own
    play(game, "upgrade/tokyo")
    assert game.options()[0] == "pay/card/chiyoda"
    play(game, "pay/card/chiyoda")
    assert game.options() == ["upgrade/give/books", "upgrade/give/books2"]


def test_three_department_stores_are_all() -> None:  # R-SHI-31
    stores = "1 books tokyo; 1 department_store shinjuku; 1 department_store ueno; 1 department_store meguro"
    assert "upgrade" not in upgradable(stores=stores).options()
    assert "upgrade" in upgradable(stores=stores.replace("1 department_store meguro", "")).options()
    stores = "1 department_store tokyo"
    assert "upgrade" not in upgradable(stores=stores).options()


def test_bonus_tokens_do_not_pay_for_an_upgrade() -> None:  # R-SHI-32
    game = upgradable(customers={})
    game.bonus[BLUE] = 3
    game._ask_action()
    assert "upgrade" not in game.options()


def test_after_an_upgrade() -> None:  # R-SHI-33
    game = upgradable()
    play(game, "upgrade", "upgrade/tokyo", "pay/card/chiyoda", "upgrade/give/books2")
    after = facts(game)
    assert after["stores"]["tokyo"] == {"owner": BLUE, "sells": "department_store"}
    assert after["supply"]["1"]["books"] == 2
    assert after["supply"]["1"]["department_store"] == 2
    assert after["customers"]["1"] == {"books": 1, "food": 1}
    assert queue(game)[1] == ("kita", {"books": 1, "books2": 1})
    assert after["discards"] == {"chiyoda": 1}
    play(game, "open")
    assert "open/books/shin_kiba" in game.options()
    assert not [key for key in game.options() if key.endswith("from/tokyo")]


@pytest.mark.parametrize(("before", "stack"), list(enumerate([3, 2, 2, 2, 1, 1, 0, 0])))
def test_bonus_stacks(before: int, stack: int) -> None:  # R-SHI-34
    game = upgradable(upgrades=before)
    play(game, "upgrade", "upgrade/tokyo", "pay/card/chiyoda", "upgrade/give/books")
    assert game.bonus[BLUE] == stack
    assert game.first_claim[BLUE] == (before + 1 if stack else 0)
    assert game.upgrades == before + 1


def test_one_upgrade_a_turn_and_the_first_claim_stays() -> None:  # R-SHI-10, R-SHI-43
    game = upgradable(
        stores="1 books tokyo; 1 books akihabara",
        upgrades=1,
        last_turns=5,
    )
    game.first_claim[BLUE] = 1
    play(game, "upgrade", "upgrade/akihabara", "pay/card/chiyoda", "upgrade/give/books")
    assert (game.bonus[BLUE], game.first_claim[BLUE]) == (2, 1)
    assert "upgrade" not in game.options()
    game.used = 0
    game._ask_action()
    assert "upgrade" in game.options()


def test_an_upgrade_without_a_card_in_the_queue() -> None:  # R-SHI-36
    game = upgradable(queue=[])
    play(game, "upgrade", "upgrade/tokyo", "pay/card/chiyoda", "upgrade/give/books2")
    assert facts(game)["gone"] == BOOKS2
    assert game.queued == 0


# The queue


def test_rbs_example_of_the_queue() -> None:  # R-SHI-35, R-SHI-37
    game = position(
        queue=[
            ("katsushika", {"food": 3}),
            ("chuo", BOOKS),
            ("nerima", {"electronics2": 2}),
            ("setagaya", {}),
        ],
        deck="ota ota ota ota minato",
        upgrades=4,
        draws="ota ota ota ota  minato food electronics2 clothing",
    )
    play(game, "income")
    assert facts(game)["wards"] == {"katsushika": {"food": 3}}
    assert queue(game) == [
        ("chuo", BOOKS),
        ("nerima", {"electronics2": 3}),
        ("setagaya", FOOD),
        ("minato", CLOTHING),
    ]


def test_a_short_queue_may_carry_two_goods_on_a_card() -> None:  # R-SHI-36
    game = position(
        hands={BLUE: "ota", RED: ""},
        queue=[("chuo", {"food": 1}), ("koto", {"books": 1})],
        deck="",
        bag={"clothing": 1, "clothing2": 1, "food": 1},
        upgrades=1,
        draws="clothing food",
    )
    play(game, "expand", "expand/meguro-ebisu", "open", "open/food/omori")
    game.chance = ScriptedChance(["ota", "clothing", "food"])
    play(game, "pay/card/ota")
    # Koto has books, Ota comes behind it; clothing to Ota. Then food finds no free card: the last one.
    assert queue(game) == [("koto", {"books": 1}), ("ota", {"clothing": 1, "food": 1})]
    game._join_queue(KINDS.index("clothing2"))
    assert queue(game)[1] == ("ota", {"clothing": 1, "clothing2": 1, "food": 1})


def test_the_bag_may_run_empty_in_the_middle() -> None:  # R-SHI-37
    game = position(
        queue=[("chuo", {"food": 2}), ("koto", {}), ("kita", {}), ("kita", {})],
        bag={"books": 1},
        deck="ota ota ota ota ota",
        draws="ota ota ota ota  ota books",
    )
    play(game, "income")
    assert queue(game)[0] == ("koto", BOOKS)
    assert game.last_turns == 0


# The end


def test_the_end_is_triggered_by_an_empty_bag_and_an_empty_queue() -> None:  # R-SHI-38, R-SHI-39
    game = position(
        3,
        queue=[("chuo", {"food": 2}), ("koto", {}), ("kita", {}), ("kita", {})],
        hands={RED: "chiyoda chiyoda ota"},
        stores="2 books tokyo",
        customers={RED: BOOKS},
        bag={},
        draws="ota",
    )
    game.chance = RandomChance(1)
    play(game, "income")
    assert game.mover == RED  # who has just placed the last two
    assert game.last_turns == 3
    play(game, "upgrade", "upgrade/tokyo", "pay/card/chiyoda", "upgrade/give/books")
    assert facts(game)["gone"] == BOOKS  # R-SHI-39
    assert not any(load for _, load in queue(game))
    assert game.bonus[RED] == 3
    for seat in (RED, GREEN, BLUE):
        assert not game.over
        assert game.mover == seat
        assert len(game.queue) == 4  # cards still come
        play(game, "income")
    assert game.over
    assert game.seat == 0
    assert not game.options() and not game.legal()


def test_an_upgrade_can_lengthen_the_game() -> None:  # R-SHI-40
    game = position(
        2,
        hands={BLUE: "chiyoda ota ota ota"},
        stores="1 books tokyo",
        customers={BLUE: BOOKS},
        queue=[("chuo", {"food": 1}), ("koto", {}), ("kita", {}), ("kita", {})],
        bag={},
    )
    game.chance = RandomChance(1)
    play(game, "upgrade", "upgrade/tokyo", "pay/card/chiyoda", "upgrade/give/books", "income")
    assert (game.mover, game.last_turns) == (RED, 0)  # red took the food; the books are on space 1 now
    play(game, "income")
    assert (game.mover, game.last_turns) == (BLUE, 2)


# Interface


def test_a_key_that_is_not_offered_is_refused() -> None:
    game = Shinjuku(2, RandomChance(1), map_path=MAPS["tokyo"])
    with pytest.raises(IllegalAnswer, match="cannot answer upgrade"):
        game.play("upgrade")


def test_forced_answers_are_taken_when_asked_for() -> None:
    asked, skipped = (
        Shinjuku(3, RandomChance(5), map_path=MAPS["tokyo"], skip_forced=skip) for skip in (False, True)
    )
    assert asked.forced == []
    random = Random(8)
    while not asked.over:
        keys = asked.options()
        if len(keys) > 1:
            assert (skipped.seat, skipped.options()) == (asked.seat, keys)
            key = random.choice(keys)
            skipped.play(key)
        else:
            key = keys[0]
            skipped_key = skipped.forced.pop(0)
            assert skipped_key == (asked.seat, key)
        asked.play(key)
    assert skipped.forced == []
    assert facts(skipped) == facts(asked)


def test_a_game_can_be_replayed_from_its_keys_and_draws() -> None:
    chance = RecordedChance(RandomChance(6))
    game = Shinjuku(4, chance, map_path=MAPS["london"])
    random = Random(9)
    keys = []
    while not game.over:
        keys.append(random.choice(game.options()))
        game.play(keys[-1])
    again = play(Shinjuku(4, ScriptedChance(chance.told), map_path=MAPS["london"]), *keys)
    assert facts(again) == facts(game)
    assert json.loads(json.dumps(facts(game))) == facts(game)


def test_a_copy_shares_nothing_that_changes() -> None:
    game = Shinjuku(3, RandomChance(3), map_path=MAPS["tokyo"])
    random = Random(3)
    while not game.over:
        copied = game.copy()
        before = facts(game)
        assert facts(copied) == before
        shared = {name for name, value in game.__dict__.items() if copied.__dict__[name] is value}
        assert not [
            name for name in shared if isinstance(game.__dict__[name], list | dict) and name != "codes"
        ]
        for _ in range(3):
            if not copied.over:
                copied.step(random.randrange(len(copied.legal())))
        assert facts(game) == before
        game.step(random.randrange(len(game.legal())))


# Whole games

Policy = Callable[[Shinjuku, Random], int]


def anything(game: Shinjuku, random: Random) -> int:
    return int(random.random() * len(game.legal()))


def hoard(game: Shinjuku, random: Random) -> int:
    keys = game.options()
    return keys.index("income") if "income" in keys else anything(game, random)


def upgrade_eagerly(game: Shinjuku, random: Random) -> int:
    """Stores where their customers are or will be, best under the icon; MOVE to deliver at once; UPGRADE."""
    keys, codes, board, seat = game.options(), game.codes, game.map, game.seat
    coming = list(game.crowds)
    for ward, load in zip(game.queue, game.loads):
        coming[ward] += load

    def served(place: int) -> bool:
        """Would an own store here take somebody of the group?"""
        building = game.building[place]
        return building >> 3 == seat and bool(
            WANTS[building & 7] & (game.group or game.crowds[board.ward_of[place]])
        )

    def worth(code: Any) -> int:
        match game.decision:
            case "action":
                delivers = any(served(place) for place in range(len(board.stations)))
                worths: dict[int, int] = {UPGRADE: 9, MOVE: 8 if delivers else 1, OPEN: 5, EXPAND: 2}
                rich = len(game.hands[seat]) >= 3
                return worths.get(code, 4 if rich else 7)
            case "open":
                (good, origin), place = code
                there = bool(coming[board.ward_of[place]] & WANTS[good + 1])
                new = bool(origin == SUPPLY)
                return 4 * there + 2 * bool(board.sakura[place]) + new
            case "move":
                return [served(place) for place in board.stations_in[code]].count(True)
            case "start":
                return int(served(code))
            case "to":
                return 0 if code == STOP else 1 if served(code[0]) else -1
        return 0

    best = max(map(worth, codes))
    return random.choice([n for n in range(len(keys)) if worth(codes[n]) == best])


def check_conservation(game: Shinjuku) -> None:
    table = facts(game)
    cards: Counter[str] = Counter(table["deck"]) + Counter(table["discards"])
    for hand in table["hands"].values():
        cards.update(hand)
    customers: Counter[str] = Counter(table["bag"]) + Counter(table["group"]) + Counter(table["gone"])
    for crowd in [*table["wards"].values(), *table["customers"].values()]:
        customers.update(crowd)
    for space in table["queue"]:
        cards[space["card"]] += 1
        customers.update(space["customers"])
    assert cards == Counter(game.map.wards[ward] for ward in game.map.cards)
    assert customers == dict(zip(KINDS, (20, 14, 3, 6, 7, 10)))
    department_stores = 0
    for seat, supply in table["supply"].items():
        owned = Counter(store["sells"] for store in table["stores"].values() if store["owner"] == int(seat))
        track = sum(owner == int(seat) for owner in table["track"].values())
        assert all(supply[good] + owned[good] == 2 for good in GOODS)
        assert supply["department_store"] + owned["department_store"] == 3
        assert supply["track"] + track == 16
        department_stores += owned["department_store"]
    assert game.upgrades == department_stores
    assert sum(table["bonus"].values()) + sum(table["bonus_stacks"]) == 11
    # What is kept twice.
    assert game.queued == sum(sum(space["customers"].values()) for space in table["queue"])
    assert set(table["stores"]) == {name for n, name in enumerate(game.map.stations) if n not in game.empty}
    assert set(table["track"]) == {key for n, key in enumerate(game.map.line_keys) if n not in game.free}
    for seat in range(1, game.seats + 1):
        places = [n for n, building in enumerate(game.building) if building >> 3 == seat]
        assert game.wild[seat] == sum({1 << game.map.ward_of[place] for place in places})
        assert game.shops[seat] == tuple(n for n in places if game.building[n] & 7 != DEPARTMENT_STORE)


def check_queue(game: Shinjuku, ever_short: bool) -> None:
    """At the start of a turn, after the Refresh."""
    assert len(game.queue) == 4 or not (game.deck or game.discards)
    if game.queue and not game.last_turns:
        target = 2 + game.upgrades
        assert game.queued == target if game.bag else game.queued <= target
    if not ever_short:
        occupied = [bool(load) for load in game.loads]
        assert occupied == sorted(occupied, reverse=True)
        goods = [{kind.rstrip("2") for kind in load} for _, load in queue(game)]
        assert all(len(here) <= 1 for here in goods)
        assert sum(map(len, goods)) == len(set().union(*goods))


def play_out(game: Shinjuku, policy: Policy, random: Random, *, thorough: bool) -> dict[str, Any]:
    """Play to the end, checking at each turn's start, or at each decision."""
    decisions, turn, trigger = 0, 0, None
    short_since = None
    taken: list[str] = []
    turns: Counter[int] = Counter()
    while not game.over:
        if game.turn != turn:
            turn, taken = game.turn, []
            turns[game.mover] += 1
            short_since = short_since or (turn if len(game.queue) < 4 else None)
            if trigger is None and not game.bag and not any(game.loads):
                trigger = turn
            check_queue(game, short_since is not None)
            check_conservation(game)
        elif thorough:
            check_conservation(game)
        if trigger is not None:
            assert not any(game.loads)
        assert game.codes
        if thorough:
            keys = game.options()
            assert len(set(keys)) == len(keys) == len(game.legal())
            assert ("pass" in keys) == (keys == ["pass"])
        index = policy(game, random)
        if game.decision == "action":
            action = game.key(game.codes[index])
            taken.append(action)
            assert len(set(taken)) == len(taken) <= 2  # R-SHI-10
        game.step(index)
        decisions += 1
        assert decisions < 3000
    check_conservation(game)
    if trigger is not None:
        assert game.turn == trigger + game.seats - 1  # R-SHI-39
    else:
        assert game.idle == game.seats  # R-SHI-09
    assert max(turns.values()) - min(turns.values()) <= 1  # R-SHI-41
    assert sorted(seat for place in game.ranking for seat in place) == list(range(1, game.seats + 1))
    for better, worse in zip(game.ranking, game.ranking[1:]):
        assert game.scores[better[0]] >= game.scores[worse[0]]
    return {"decisions": decisions, "turns": game.turn, "upgrades": game.upgrades, "short": short_since}


def average(games: list[dict[str, Any]], what: str) -> float:
    return sum(float(game[what]) for game in games) / len(games)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("board", MAPS)
def test_random_games_end_and_lose_nothing(board: str, seats: int, a_few: AFew) -> None:
    games = []
    for seed in a_few(range(100), 20):
        game = Shinjuku(seats, RandomChance(seed), map_path=MAPS[board])
        games.append(play_out(game, anything, Random(seed), thorough=seed < 5))
    if board == "tokyo":
        assert 45 < average(games, "turns") < 55
        assert 225 < average(games, "decisions") < 270


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_of_upgraders_end_and_lose_nothing(seats: int, a_few: AFew) -> None:
    games = []
    for seed in a_few(range(40), 10):
        game = Shinjuku(seats, RandomChance(seed), map_path=MAPS["tokyo"])
        games.append(play_out(game, upgrade_eagerly, Random(seed), thorough=seed < 5))
    assert average(games, "upgrades") > 3


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_of_hoarders_run_short_of_cards_and_end(seats: int) -> None:  # R-SHI-06
    for seed in range(10):
        game = Shinjuku(seats, RandomChance(seed), map_path=MAPS["tokyo"])
        told = play_out(game, hoard, Random(seed), thorough=False)
        assert told["short"] is not None
        assert 27 <= told["short"] <= 32


# The maps


@pytest.mark.parametrize(
    ("board", "wards", "stations", "lines", "links"),
    [("tokyo", 23, 44, 67, 1), ("paris", 20, 47, 79, 2), ("london", 18, 50, 78, 2), ("osaka", 24, 50, 64, 1)],
)
def test_maps(board: str, wards: int, stations: int, lines: int, links: int) -> None:
    read = load_map(str(MAPS[board]))
    sizes = len(read.wards), len(read.stations), len(read.lines), len(read.links)
    assert sizes == (wards, stations, lines, links)
    assert len(read.cards) == 72
    assert sum(read.sakura) == 12
