"""Tokyo Tsukiji Market by hand: the worked checks of the sheet, its rulings, and what holds in every game."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from tests.depth import AFew
from tests.twins.base import IllegalAnswer, RandomChance, RecordedChance, ScriptedChance
from tests.twins.ttm import TokyoTsukijiMarket, invariants, names, visits
from tests.twins.ttm.keys import PAY_AP, SHIFT, VISIT
from tests.twins.ttm.lots import fee, highest_worth
from tests.twins.ttm.policy import sensible
from tests.twins.ttm.scoring import finish
from tests.twins.ttm.state import ASK_TURN, replaced, with_one
from tests.twins.ttm.turn import begin_turn
from tests.twins.ttm.worth import lot_worth, resources

Market = TokyoTsukijiMarket


# ----------------------------------------------------------------------------- setting up positions


def given(
    seats: int = 3,
    fish: Iterable[str] = (),
    external: Iterable[str] = (),
    chance: Iterable[str] = (),
    **more: Any,
) -> Market:
    """A game with Mackerel, Ships and these boards; chance as written, then at random."""
    script = ScriptedChance(chance, then=RandomChance(1))
    return Market(seats, script, fish=fish, external=external, **more)


def own(game: Market, seat: int, **tokens: int) -> None:
    """The seat takes tokens from their boards."""
    for name, number in tokens.items():
        sort = names.SORT_NUMBER[name]
        game.tokens[seat][sort] += number
        game.stock[names.T_SALMON if name == "salmon_degraded" else sort] -= number
    game.resume()


def licensed(game: Market, seat: int, *markets: str) -> None:
    """The seat holds these licences and no others."""
    for rack in (1, 2, 3):
        if game.racks_of[rack] == seat:
            game.give_back_rack(seat, rack)
    for market in game.licences[seat]:
        game.give_back_licence(seat, market)
    for name in markets:
        game.take_licence(seat, names.NUMBER[name])
    game.gave_back = 0
    game.resume()


def offering(game: Market, seat: int, *pieces: str) -> None:
    """Pieces like `eel/fresh/300` move from their boards to the harbor."""
    for piece in pieces:
        kind, row, price = piece.split("/")
        number = names.TYPES.index(kind)
        cell = number << 7 | names.ROWS.index(row) << 6 | int(price) // 100
        game.harbor[seat] = with_one(game.harbor[seat], cell)
        if kind == "takoyaki":
            game.stock[names.T_TAKOYAKI] -= 1
        else:
            game.barrels[number] -= 1
    game.resume()


def sailing(game: Market, seat: int, boat: str, *load: str, place: str = "sea") -> None:
    """The seat has the boat there, with Barrels from their boards; `mackerel/himono_1` names the licence."""
    number = names.BOAT_NUMBER[boat]
    if number not in game.fleet[seat]:
        game.fleet[seat] = with_one(game.fleet[seat], number)
    game.place[number] = names.PLACES.index(place)
    for barrel in load:
        market, _, caught = barrel.partition("/himono_")
        game.barrels[names.NUMBER[market]] -= 1
        game.hold[number] = with_one(game.hold[number], names.NUMBER[market] << 3 | int(caught or 0))
    game.resume()


def play(game: Market, *keys: str) -> None:
    """Answer, in as many words as one likes: what was the only answer and is taken already may be said."""
    taken: list[str] = []
    for answer in keys:
        if answer in taken:
            del taken[: taken.index(answer) + 1]
        else:
            before = len(game.forced)
            game.play(answer)
            taken = [forced for _, forced in game.forced[before:]]


def end_turn(game: Market) -> None:
    """Fish in vain until the turn is over."""
    seat, turn = game.active, game.turn
    while not game.over and game.turn == turn and game.active == seat:
        options = game.options()
        play(game, next(answer for answer in ("go_on", "end", "done", "fish") if answer in options))


def cash(game: Market, seat: int = 1) -> int:
    return game.cash[seat] * 100


def verbs(game: Market) -> set[str]:
    return {answer.partition("/")[0] for answer in game.options()}


# ----------------------------------------------------------------------------- setup


def test_the_three_player_example_of_the_rulebook() -> None:
    game = given(3, ["eel", "fugu", "salmon", "tuna"], ["rentals", "bank"])
    boards: Any = game.facts()["boards"]
    seen = {
        name: (board["barrels"], sum(board["tokens"].values()), board["licences"])
        for name, board in boards.items()
        if "barrels" in board
    }
    assert seen == {
        "mackerel": (15, 30, 3),
        "eel": (6, 13, 3),
        "fugu": (3, 7, 1),
        "salmon": (4, 10, 4),
        "tuna": (6, 5, 3),
    }
    assert boards["rentals"] == {"closed": False, "crashed": False, "freezers": 2, "carts": 2}
    on_ships = Counter(
        boat.rpartition("_")[0] for boat, place in zip(names.BOATS, game.place) if place == names.AT_SHIPS
    )
    assert on_ships == {"one_slot": 1, "two_slot": 3, "three_slot": 2, "four_slot": 1, "six_slot_barge": 1}


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_setup_by_number_of_players(seats: int) -> None:
    game = Market(seats, RandomChance(3))
    fish = [board for board in game.in_play if board < 15]
    assert len(fish) == 1 + {2: 3, 3: 4, 4: 4, 5: 5, 6: 5}[seats]
    assert len(game.in_play) - len(fish) == 1 + {2: 2, 3: 2, 4: 3, 5: 3, 6: 4}[seats]
    assert game.licences_left[names.MACKEREL] == {2: 2, 3: 3, 4: 4, 5: 3, 6: 2}[seats]
    assert game.licences[1:] == [(names.MACKEREL,)] * seats
    stock = [
        sum(names.BOAT_SORT[b] == sort and game.place[b] == names.AT_SHIPS for b in range(18))
        for sort in range(7)
    ]
    assert stock == [
        {6: 0}.get(seats, 1), min(seats, 4), min(seats - 1, 3), 1, 1, 0, 0,
    ]  # fmt: skip
    assert cash(game) == 2000 and game.seat == 1


@pytest.mark.parametrize(
    ("market", "barrels", "tokens", "licences"),
    [
        ("eel", 6, 13, 3), ("fugu", 3, 7, 1), ("mackerel", 15, 30, 4), ("octopus", 6, 20, 3),
        ("red_snapper", 8, 15, 4), ("salmon", 4, 10, 4), ("spider_crab", 8, 9, 3), ("squid", 7, 10, 4),
        ("tuna", 6, 5, 3), ("clams_oysters", 5, 12, 3), ("himono", 5, 8, 3), ("jack_mackerel", 6, 12, 4),
        ("nori", 9, 9, 4), ("sardines", 6, 16, 2), ("swordfish", 5, 8, 3),
    ],
)  # fmt: skip
def test_what_lies_on_each_fish_market(market: str, barrels: int, tokens: int, licences: int) -> None:
    board: Any = given(4, [market], expansion=True).facts()["boards"]
    on_board = board[market]
    assert (on_board["barrels"], sum(on_board["tokens"].values()), on_board["licences"]) == (
        barrels,
        tokens,
        licences,
    )


def test_the_tokens_that_differ_within_a_market() -> None:
    boards: Any = given(2, ["spider_crab", "tuna", "clams_oysters", "nori"], expansion=True).facts()["boards"]
    assert boards["spider_crab"]["tokens"] == {"crab_4": 3, "crab_6": 3, "crab_8": 3}
    assert boards["tuna"]["tokens"] == {"tuna_15": 2, "tuna_20": 2, "tuna_25": 1}
    assert boards["clams_oysters"]["tokens"] == {"clam": 6, "oyster": 6}
    assert boards["nori"]["barrels"] == 5 and boards["nori"]["licences"] == 2


def test_the_table_of_boats() -> None:
    table = {
        name.rpartition("_")[0]: tuple(
            column[boat]
            for column in (
                names.SLOTS, names.NEW_PRICE, names.NEW_SALE, names.OLD_PRICE, names.OLD_SALE, names.IS_BARGE
            )
        )
        for boat, name in enumerate(names.BOATS)
    }  # fmt: skip
    assert table == {
        "one_slot": (1, 5, 1, 3, 2, False),
        "two_slot": (2, 10, 1, 6, 4, False),
        "three_slot": (3, 15, 2, 9, 6, False),
        "four_slot": (4, 20, 2, 12, 8, False),
        "six_slot_barge": (6, 10, 1, 6, 4, True),
        "blue": (4, 20, 2, 12, 8, False),
        "four_slot_barge": (4, 10, 1, 6, 4, True),
    }
    assert len(names.BOATS) == 18


@pytest.mark.parametrize(
    ("sort", "worth"),
    [
        ("eel", 1), ("fugu", 1), ("mackerel", 1), ("octopus", 3), ("takoyaki", 5), ("red_snapper", 5),
        ("salmon_fresh", 1), ("salmon_degraded", 4), ("crab_4", 4), ("crab_6", 6), ("crab_8", 8),
        ("squid", 0),
        ("tuna_15", 15), ("tuna_20", 20), ("tuna_25", 25), ("clam", 3), ("oyster", 1), ("himono", 5),
        ("jack_mackerel", 1), ("nori", 0), ("sardines", 1), ("swordfish", 6),
    ],
)  # fmt: skip
def test_what_a_token_is_worth(sort: str, worth: int) -> None:
    number = names.SORT_NUMBER[sort]
    game = given(fish=[names.BOARDS[names.MARKET_OF[number]]], expansion=True)
    own(game, 1, **{sort: 1})
    assert resources(game, 1) == lot_worth(game, 1, number, 1) == worth


def test_the_aquariums_spaces() -> None:
    spaces = {
        names.BOARDS[board]: [
            ("+".join(names.SORTS[s] for s in sorts), price, room) for sorts, price, room in tanks
        ]
        for board, tanks in names.TANKS.items()
    }
    assert spaces == {
        "aquarium": [
            ("mackerel+jack_mackerel", 2, 3), ("octopus", 5, 2), ("red_snapper", 5, 2), ("eel", 7, 2),
            ("salmon_fresh+salmon_degraded", 7, 2), ("squid", 8, 1), ("fugu", 9, 1),
            ("crab_4+crab_6+crab_8", 9, 1), ("tuna_15+tuna_20+tuna_25", 20, 1),
        ],
        "new_aquarium": [
            ("sardines", 2, 3), ("mackerel+jack_mackerel", 2, 3), ("clam+oyster", 5, 2), ("himono", 7, 2),
            ("nori", 8, 1), ("swordfish", 9, 1), ("crab_4+crab_6+crab_8", 9, 1),
            ("tuna_15+tuna_20+tuna_25", 20, 1),
        ],
    }  # fmt: skip


def test_the_smaller_tables() -> None:
    assert [fee(worth) for worth in (1, 2, 4, 5, 9, 10, 99)] == [0, 2, 2, 3, 3, 5, 5]
    assert [highest_worth(money) for money in (1, 2, 3, 4, 5)] == [0, 4, 9, 9, 9999]
    assert names.TRADES == ((2, 3), (3, 5), (4, 7), (5, 9), (10, 18))
    assert names.SUSHI_PAYS == (1, 3, 7, 11, 16)
    shapes: dict[int, set[str]] = {}
    for sort, shape in zip(names.SORTS, names.SHAPE):
        shapes.setdefault(shape, set()).add(sort)
    assert sorted(map(sorted, (shape for shape in shapes.values() if len(shape) > 1))) == [
        ["clam", "oyster"],
        ["crab_4", "crab_6", "crab_8"],
        ["jack_mackerel", "mackerel"],
        ["salmon_degraded", "salmon_fresh"],
        ["tuna_15", "tuna_20", "tuna_25"],
    ]

    def boards(mask: int) -> set[str]:
        return {name for board, name in enumerate(names.BOARDS) if mask >> board & 1}

    assert boards(names.ONCE_A_TURN) == {"salmon", "jack_mackerel", "nori", "government", "rentals"}
    closing = {"aquarium", "new_aquarium", "bank", "government", "rentals", "ship_rental", "sushi_shop"}
    assert boards(names.CLOSING) == closing
    assert boards(names.CRASHING) == closing | {"ships", "trading", "influence"}
    assert given(2).clock == 200


def test_what_lies_on_the_external_markets() -> None:
    boards: Any = given(3, external=names.EXTERNAL_MARKETS, expansion=True).facts()["boards"]
    found = {
        name: {k: v for k, v in board.items() if isinstance(v, int) and v} for name, board in boards.items()
    }
    assert found["bank"] == {"loans": 3, "shares": 2}
    assert found["rentals"] == {"freezers": 2, "carts": 2}
    assert found["influence"] == {"buyers": 2, "expansions": 2}
    assert found["ship_rental"] == {"rentals": 6}


def test_nobody_has_a_licence_when_jack_mackerel_is_in_play() -> None:
    game = given(4, ["jack_mackerel", "mackerel"], expansion=True)
    assert game.licences[1:] == [()] * 4
    assert game.licences_left[names.MACKEREL] == 4 and game.licences_left[names.JACK] == 4


def test_the_aquariums_come_together() -> None:
    for seed in range(30):
        game = Market(4, RandomChance(seed), expansion=True)
        both = [game.present >> board & 1 for board in (names.AQUARIUM, names.NEW_AQUARIUM)]
        assert both[0] == both[1]
        assert sum(board >= 15 for board in game.in_play) == 4 + both[0]


def test_chance_at_setup_is_asked_in_order() -> None:
    chance = RecordedChance(RandomChance(5))
    game = Market(2, chance, start_player=0, open_knowledge=True)
    start, *drawn = chance.told
    assert game.active == int(start)
    fish, external = drawn[:3], drawn[3:5]
    assert set(fish) | set(external) | {"mackerel", "ships"} == {
        names.BOARDS[board] for board in game.in_play
    }
    queues = drawn[5:]
    assert [names.BOARDS[board] for board in (*game.box_fish, *game.box_external)] == queues
    assert "auction" not in chance.told and names.AUCTION not in game.box_external


def test_two_barges_and_a_blue_ship() -> None:
    game = given(3, expansion=True, barges="four_slot")
    at = dict(zip(names.BOATS, game.place))
    assert at["six_slot_barge_1"] == names.IN_BOX
    assert at["blue_1"] == at["four_slot_barge_1"] == at["four_slot_barge_2"] == names.AT_SHIPS
    assert given(3, expansion=True, blue_ship=False).place[names.BLUE] == names.IN_BOX


# ----------------------------------------------------------------------------- turn, action points


def test_fishing_in_vain_is_how_to_pass() -> None:
    game = given()
    assert "end" not in game.options()
    play(game, "fish", "done", "fish", "done")
    assert "fish" not in game.options() and "end" in game.options()
    play(game, "end")
    assert game.active == 2


def test_no_market_after_the_last_point_unless_with_a_cart() -> None:
    game = given(fish=["salmon"], external=["rentals"])
    play(game, "visit/rentals", "rent/cart", "done", "fish", "done", "fish", "done")
    assert not any(answer.startswith("visit") for answer in game.options())
    play(game, "cart/2")
    assert "visit/salmon" in game.options() and "fish" not in game.options()
    play(game, "visit/salmon", "licence", "done")
    assert game.licences[1] == (names.MACKEREL, names.SALMON)
    assert (game.ap, game.cart_ap) == (0, 1), "entering Salmon costs nothing"
    assert "visit/salmon" not in game.options(), "but once a turn"
    play(game, "end")
    assert game.carts[1] == (1,)


def test_a_cart_goes_back_after_its_second_use() -> None:
    game = given(external=["rentals"])
    play(game, "visit/rentals", "rent/cart", "done", "cart/2", "cart/1")
    assert game.carts[1] == () and game.carts_left == 2 and game.cart_ap == 2 and game.free_spaces[1] == 3


def test_cart_points_are_spent_first() -> None:
    game = given(external=["rentals", "bank"])
    play(game, "visit/rentals", "rent/cart", "done", "cart/2", "visit/bank", "pay/ap", "invest", "done")
    assert (game.ap, game.cart_ap) == (1, 0)
    assert cash(game) == 2000 - 200 - 300


def test_free_actions_wait_for_the_first_interaction() -> None:
    game = given(fish=["eel"])
    play(game, "visit/mackerel")
    assert game.forced[-1] == (1, "licence"), "the only thing to do"
    assert {"open_port", "return_licence", "done"} <= verbs(game)


def test_a_market_without_anything_to_do_cannot_be_entered() -> None:
    game = given(fish=["tuna", "red_snapper"])
    game.cash[1] = 2
    game.resume()
    assert "visit/tuna" not in game.options() and "visit/red_snapper" not in game.options()
    licensed(game, 1, "red_snapper")
    assert "visit/red_snapper" in game.options(), "the licence's own income pays the second one"


@pytest.mark.parametrize(
    ("price", "answer", "way"),
    [
        (500, "open_port", []),
        (200, "rent/freezer", ["visit/rentals", "rent/cart"]),
        (300, "invest", ["visit/bank", "pay/ap", "invest"]),
        (500, "licence", ["visit/eel", "sell/1"]),
        (1000, "buy/two_slot_1/central", ["visit/ships", "sell/one_slot_1"]),
        (600, "rent/six_slot_barge_1/right", ["visit/ship_rental", "rent/two_slot_1/left"]),
        (200, "hire", ["visit/influence", "expand/fish"]),
        (200, "expand/fish", ["visit/influence", "hire"]),
        (100, "foreign", ["fish"]),
        (300, "buy/2/mackerel/fresh/300", ["shop", "buy/2/mackerel/fresh/100"]),
    ],
)
def test_exact_money_is_enough(price: int, answer: str, way: list[str]) -> None:
    for money, enough in ((price, True), (price - 100, False)):
        external = ["rentals", "bank", "ship_rental", "influence", "foreign_market"]
        game = given(fish=["eel"], external=external, expansion=True)
        game.ports[1] = 3 if answer != "open_port" else 1
        game.place[0] = names.CENTRAL if "rent/" in answer else names.LEFT
        offering(game, 2, "mackerel/fresh/100", "mackerel/fresh/300")
        own(game, 1, eel=2)
        if answer == "foreign":
            sailing(game, 1, "one_slot_1")
        play(game, *way)
        game.cash[1] = money // 100
        game.resume()
        assert (answer in game.options()) == enough, (money, game.options())


def test_exact_money_is_enough_for_own_fugu() -> None:
    game = given(fish=["fugu"])
    offering(game, 1, "fugu/degraded/300", "fugu/degraded/400")
    game.cash[1] = 3
    start_again(game)
    assert game.options() == ["buy_own/300", "go_on"]


def test_ports_open_in_order_for_500_each() -> None:
    game = given()
    play(game, "open_port")
    play(game, "fish", "undock/one_slot_1", "done", "fish")
    assert {"dock/one_slot_1/left", "dock/one_slot_1/central"} <= set(game.options())
    assert "dock/one_slot_1/right" not in game.options()
    play(game, "open_port", "dock/one_slot_1/right")
    assert cash(game) == 1000 and game.ports[1] == 3


def test_barrels_are_thrown_back_only_before_the_first_action() -> None:
    game = given()
    sailing(game, 1, "one_slot_1", "mackerel")
    play(game, "open_port")
    assert "throw_back/one_slot_1/mackerel" in game.options()
    thrown = game.copy()
    play(thrown, "throw_back/one_slot_1/mackerel")
    assert thrown.barrels[names.MACKEREL] == 15 and not any(thrown.hold)
    play(game, "fish", "done")
    assert "throw_back" not in verbs(game)


# ----------------------------------------------------------------------------- start of turn


def start_again(game: Market) -> None:
    """The turn of the same seat begins anew."""
    begin_turn(game)
    game.resume()


def test_degradation() -> None:
    game = given(fish=["octopus", "eel"])
    offering(game, 1, "eel/fresh/700", "mackerel/degraded/100", "takoyaki/fresh/300")
    start_again(game)
    assert [names.piece_name(cell) for cell in game.harbor[1]] == ["eel/degraded/700", "takoyaki/fresh/300"]
    assert game.barrels[names.MACKEREL] == 15


def test_a_freezer_skips_degradation() -> None:
    game = given(fish=["fugu"], external=["rentals"])
    play(game, "visit/rentals", "rent/freezer", "done")
    offering(game, 1, "fugu/degraded/100")
    start_again(game)
    assert game.options() == ["freezer/2", "buy_own/100", "go_on"]
    game.play("freezer/2")
    assert game.freezers[1] == (1,) and len(game.harbor[1]) == 1 and game.ap == 2
    start_again(game)
    game.play("freezer/1")
    assert not game.freezers[1] and game.freezers_left == 2


def test_own_degraded_fugu_can_be_bought_from_the_supply() -> None:
    game = given(fish=["fugu"], external=["rentals"])
    play(game, "visit/rentals", "rent/freezer", "done")
    offering(game, 1, "fugu/degraded/700", "fugu/degraded/300", "fugu/fresh/100")
    start_again(game)
    assert game.options() == ["freezer/2", "buy_own/300", "buy_own/700", "go_on"]
    game.play("buy_own/300")
    assert game.options() == ["buy_own/700", "go_on"], "no Freezer after a purchase"
    assert cash(game) == 1800 - 300 and game.tokens[1][names.T_FUGU] == 1
    game.play("go_on")
    assert [names.piece_name(cell) for cell in game.harbor[1]] == ["fugu/degraded/100"]


# ----------------------------------------------------------------------------- fishing


def test_each_boat_does_one_thing_in_an_action() -> None:
    game = given()
    play(game, "fish", "undock/one_slot_1")
    assert not {"catch", "dock", "undock"} & verbs(game)
    play(game, "done", "fish", "catch/one_slot_1/mackerel")
    assert not {"catch", "dock", "undock"} & verbs(game)


def test_each_licence_is_used_once_in_an_action() -> None:
    game = given()
    licensed(game, 1, "mackerel", "mackerel")
    sailing(game, 1, "one_slot_1")
    sailing(game, 1, "two_slot_1")
    sailing(game, 1, "three_slot_1", "mackerel")
    play(game, "fish", "catch/three_slot_1/mackerel", "catch/one_slot_1/mackerel")
    assert "catch" not in verbs(game)


def test_an_empty_ship_needs_more_licences_than_ships_with_that_fish() -> None:
    game = given(fish=["eel"])
    licensed(game, 1, "mackerel", "eel")
    sailing(game, 1, "one_slot_1")
    sailing(game, 1, "two_slot_1", "mackerel")
    sailing(game, 1, "six_slot_barge_1", "eel", "eel")
    play(game, "fish")
    assert "catch/one_slot_1/mackerel" not in game.options()
    assert {"catch/one_slot_1/eel", "catch/two_slot_1/mackerel"} <= set(game.options()), "Barges do not count"
    assert "catch/two_slot_1/eel" not in game.options()


def test_a_licence_given_back_in_mid_action_goes_used_first() -> None:
    game = given()
    licensed(game, 1, "mackerel", "mackerel")
    sailing(game, 1, "two_slot_1", "mackerel")
    sailing(game, 1, "three_slot_1", "mackerel")
    play(game, "fish", "catch/two_slot_1/mackerel", "return_licence/mackerel")
    assert "catch/three_slot_1/mackerel" in game.options()


def test_docking_pays_100_for_every_two_barrels_of_an_action() -> None:
    game = given(fish=["eel"])
    sailing(game, 1, "one_slot_1", "eel")
    sailing(game, 1, "two_slot_1", "mackerel", "eel")
    game.ports[1] = 2
    game.resume()
    play(game, "fish", "dock/one_slot_1/left")
    assert cash(game) == 2000
    play(game, "price/300", "dock/two_slot_1/central")
    assert game.options() == ["unload/eel", "unload/mackerel"]
    play(game, "unload/mackerel")
    assert cash(game) == 2100, "paid at every second Barrel, before its price"
    play(game, "price/100", "price/300", "done")
    assert cash(game) == 2100, "a remainder is lost"
    assert game.eel == 3, "the marker rises for each Eel put up for sale"
    assert game.facts()["seats"]["1"]["harbor"] == {  # type: ignore[index]
        "eel/fresh/300": 2,
        "mackerel/fresh/100": 1,
    }


def test_alike_boats_are_offered_once() -> None:
    game = given()
    sailing(game, 1, "two_slot_2")
    sailing(game, 1, "two_slot_3")
    play(game, "fish")
    assert "catch/two_slot_2/mackerel" in game.options() and "catch/two_slot_3/mackerel" not in game.options()
    play(game, "catch/two_slot_2/mackerel")
    assert "dock/two_slot_3/left" not in game.options(), "the left port is taken"
    play(game, "open_port")
    assert "dock/two_slot_3/central" in game.options()


def test_prices_change_once_for_each_piece_and_never_the_row() -> None:
    game = given()
    offering(game, 1, "mackerel/fresh/300", "mackerel/fresh/300")
    play(game, "fish", "reprice/mackerel/fresh/300/100")
    assert "reprice/mackerel/fresh/100/200" not in game.options()
    assert "reprice/mackerel/fresh/300/300" not in game.options()
    play(game, "reprice/mackerel/fresh/300/5000")
    assert "reprice" not in verbs(game)
    play(game, "done", "fish")
    assert "reprice/mackerel/fresh/5000/100" in game.options()


def test_a_piece_priced_at_docking_may_be_repriced_in_the_same_action() -> None:
    game = given()
    sailing(game, 1, "one_slot_1", "mackerel")
    play(game, "fish", "dock/one_slot_1/left", "price/100")
    assert "reprice/mackerel/fresh/100/200" in game.options()


def test_the_fugu_licence_goes_back_at_docking() -> None:
    game = given(fish=["fugu"])
    licensed(game, 1, "fugu")
    sailing(game, 1, "one_slot_1", "fugu")
    play(game, "fish", "dock/one_slot_1/left")
    assert game.licences[1] == () and game.licences_left[names.FUGU] == 1
    play(game, "price/500")
    assert names.piece_name(game.harbor[1][0]) == "fugu/fresh/500"


def test_a_boat_takes_one_salmon_and_nothing_else() -> None:
    game = given(fish=["salmon"])
    licensed(game, 1, "salmon", "salmon", "mackerel")
    sailing(game, 1, "three_slot_1", "salmon")
    sailing(game, 1, "two_slot_1", "mackerel")
    play(game, "fish")
    assert [answer for answer in game.options() if answer.startswith("catch")] == [
        "catch/two_slot_1/mackerel"
    ]


def test_barrels_move_from_ships_to_barges_at_sea() -> None:
    game = given(fish=["salmon"])
    licensed(game, 1, "salmon")
    sailing(game, 1, "one_slot_1", "salmon")
    sailing(game, 1, "two_slot_1", "salmon")
    sailing(game, 1, "six_slot_barge_1")
    play(game, "transfer/salmon/one_slot_1/six_slot_barge_1")
    assert "transfer" not in verbs(game), "a Barge holds one Salmon"
    play(game, "fish")
    assert "catch/one_slot_1/salmon" not in game.options(), (
        "two_slot_1 still has one, and there is one licence"
    )
    assert "catch/six_slot_barge_1/salmon" not in game.options()


def test_ports_take_two_ships_or_a_barge_on_the_right() -> None:
    game = given()
    game.ports[1] = 3
    sailing(game, 1, "one_slot_1", place="right")
    sailing(game, 1, "two_slot_1")
    sailing(game, 1, "six_slot_barge_1")
    play(game, "fish")
    docks = [answer for answer in game.options() if answer.startswith("dock")]
    assert docks == ["dock/two_slot_1/left", "dock/two_slot_1/central", "dock/two_slot_1/right"]
    play(game, "undock/one_slot_1")
    assert "dock/six_slot_barge_1/right" in game.options()
    play(game, "dock/six_slot_barge_1/right")
    assert "dock/two_slot_1/right" not in game.options()


# ----------------------------------------------------------------------------- auctions at sea


def crab_boat(chance: Iterable[str] = (), seats: int = 3) -> Market:
    game = given(seats, ["spider_crab"], chance=chance)
    sailing(game, 1, "two_slot_1", "spider_crab", "spider_crab")
    game.place[0] = names.SEA
    game.resume()
    play(game, "fish", "dock/two_slot_1/left")
    return game


def test_two_spider_crabs_are_auctioned_and_others_pay_the_fisher() -> None:
    game = crab_boat(["crab_8"])
    assert game.seat == 1 and game.facts()["lot"] == {"crab_8": 1}
    assert game.barrels[names.CRAB] == 8 and cash(game) == 2100
    assert game.options()[0] == "bid/0" and game.options()[-1] == "bid/2100"
    play(game, "bid/300", "bid/500")
    assert game.seat == 3
    play(game, "bid/400")
    assert [cash(game, seat) for seat in (1, 2, 3)] == [2600, 1500, 2000]
    assert game.tokens[2][names.T_CRAB_8] == 1


def test_the_fisher_breaks_ties_and_pays_the_supply() -> None:
    game = crab_boat(["crab_4"])
    play(game, "bid/200", "bid/200", "bid/100")
    assert game.options() == ["tie/1", "tie/2"] and game.seat == 1
    play(game, "tie/1")
    assert [cash(game, seat) for seat in (1, 2, 3)] == [1900, 2000, 2000]
    assert game.tokens[1][names.T_CRAB_4] == 1


def test_a_single_crab_goes_back_unpaid() -> None:
    game = given(fish=["spider_crab"])
    sailing(game, 1, "one_slot_1", "spider_crab")
    play(game, "fish", "dock/one_slot_1/left")
    assert game.barrels[names.CRAB] == 7 and game.facts()["landed"] == {
        "spider_crab": 1,
        "tuna": 0,
        "swordfish": 0,
    }
    play(game, "done")
    assert game.barrels[names.CRAB] == 8


def test_the_last_token_overfishes_before_the_bids() -> None:
    game = given(fish=["spider_crab"], chance=["crab_6", "eel"])
    own(game, 2, crab_4=3, crab_6=2, crab_8=3)
    sailing(game, 1, "four_slot_1", "spider_crab", "spider_crab", "spider_crab", "spider_crab", place="sea")
    game.place[0] = names.SEA
    game.resume()
    play(game, "fish", "dock/four_slot_1/left")
    assert game.over_fished >> names.CRAB & 1 and names.EEL in game.in_play
    play(game, "bid/0", "bid/100", "bid/0")
    assert game.tokens[2][names.T_CRAB_6] == 3
    assert "bid" not in verbs(game), "the second pair finds no token"
    assert game.box_barrels[names.CRAB] == 8 and cash(game) == 2300, "docking income stands"


def test_three_tunas_from_two_boats_make_an_auction() -> None:
    game = given(fish=["tuna"], chance=["tuna_25"])
    game.ports[1] = 2
    sailing(game, 1, "one_slot_1", "tuna")
    sailing(game, 1, "two_slot_1", "tuna", "tuna")
    play(game, "fish", "dock/one_slot_1/left", "dock/two_slot_1/central")
    assert game.facts()["lot"] == {"tuna_25": 1}
    play(game, "bid/0", "bid/0", "bid/0", "tie/3")
    assert game.tokens[3][names.T_TUNA_25] == 1


@pytest.mark.parametrize(
    ("marker", "bid", "after"), [(6, 700, 8), (6, 600, 6), (6, 500, 4), (12, 1300, 13), (2, 0, 1)]
)
def test_a_swordfish_auction_moves_the_marker(marker: int, bid: int, after: int) -> None:
    game = given(fish=["swordfish"], expansion=True)
    game.swordfish = marker
    game.place[0] = names.SEA
    sailing(game, 1, "two_slot_1", "swordfish", "swordfish")
    play(game, "fish", "dock/two_slot_1/left", f"bid/{bid}", "bid/0", "bid/0")
    if not bid:
        play(game, "tie/1")
    assert game.swordfish == after and game.tokens[1][names.T_SWORDFISH] == 1


def test_the_swordfish_marker_counts_for_the_holder() -> None:
    game = given(fish=["swordfish"], expansion=True)
    own(game, 1, swordfish=3)
    assert resources(game, 1) == 18
    play(game, "visit/swordfish", "sell/2")
    assert cash(game) == 2000 + 1200 + 200 and game.swordfish == 4 and game.box_swordfish == 2
    play(game, "sell/1")
    assert cash(game) == 3400 + 400, "the bonus comes once a visit"


# ----------------------------------------------------------------------------- shopping


def test_a_purchase_pays_the_owner_and_brings_a_token() -> None:
    game = given(fish=["eel"])
    offering(game, 2, "eel/fresh/300", "mackerel/degraded/100")
    offering(game, 1, "eel/fresh/100")
    play(game, "shop")
    assert set(game.options()) == {"buy/2/eel/fresh/300", "buy/2/mackerel/degraded/100"}, "never from oneself"
    play(game, "buy/2/eel/fresh/300")
    assert cash(game, 1) == 1700 and cash(game, 2) == 2300
    assert game.tokens[1][names.T_EEL] == 1 and game.barrels[names.EEL] == 5
    assert "done" in game.options() and "open_port" in game.options()


def test_salmon_shows_the_row_it_was_bought_from() -> None:
    game = given(fish=["salmon"])
    offering(game, 2, "salmon/fresh/300", "salmon/degraded/100")
    own(game, 3, salmon_fresh=2)
    play(game, "shop", "buy/2/salmon/fresh/300", "buy/2/salmon/degraded/100")
    assert game.tokens[1][names.T_SALMON] == 1 and game.tokens[1][names.T_SALMON_4] == 1
    assert resources(game, 1) == 4 + 4 and resources(game, 3) == 8, "fresh: all that anybody owns"


def test_an_oyster_pays_its_buyer() -> None:
    game = given(fish=["clams_oysters"], expansion=True, chance=["oyster", "clam"])
    offering(game, 2, "clams_oysters/fresh/300", "clams_oysters/fresh/100")
    play(game, "shop", "buy/2/clams_oysters/fresh/300")
    assert cash(game) == 1900
    play(game, "buy/2/clams_oysters/fresh/100")
    assert cash(game) == 1800 and resources(game, 1) == 4


def test_takoyaki_move_to_the_buyer() -> None:
    game = given(fish=["octopus"])
    offering(game, 2, "takoyaki/fresh/300")
    play(game, "shop", "buy/2/takoyaki/fresh/300")
    assert game.tokens[1][names.T_TAKOYAKI] == 1 and resources(game, 1) == 5


def test_red_snapper_is_worth_a_third_of_what_is_left() -> None:
    game = given(fish=["red_snapper"], chance=["eel"])
    own(game, 2, red_snapper=1)
    assert resources(game, 2) == 5
    own(game, 2, red_snapper=11)
    assert resources(game, 2) == 12
    own(game, 2, red_snapper=2)
    offering(game, 3, "red_snapper/fresh/100")
    play(game, "shop", "buy/3/red_snapper/fresh/100")
    assert game.over_fished >> names.SNAPPER & 1 and resources(game, 2) == 28


def test_without_a_token_nothing_can_be_bought() -> None:
    game = given(fish=["squid"], chance=["eel"])
    own(game, 2, squid=9)
    offering(game, 3, "squid/fresh/100", "squid/fresh/100")
    play(game, "shop", "buy/3/squid/fresh/100")
    assert game.over_fished >> names.SQUID & 1 and game.box_barrels[names.SQUID] == 6
    assert "buy" not in verbs(game)
    play(game, "done", "visit/squid", "sell", "done")
    assert game.stock[names.T_SQUID] == 1 and cash(game) == 2000 - 100 + 600


# ----------------------------------------------------------------------------- Fish Markets


@pytest.mark.parametrize(
    ("market", "price"),
    [
        ("eel", 500), ("fugu", 0), ("mackerel", 100), ("octopus", 300), ("red_snapper", 300), ("salmon", 400),
        ("spider_crab", 800), ("squid", 300), ("tuna", 1000), ("himono", 400), ("jack_mackerel", 200),
        ("nori", 0),
        ("sardines", 500), ("swordfish", 600),
    ],
)  # fmt: skip
def test_what_a_licence_costs(market: str, price: int) -> None:
    game = given(fish=[market], expansion=True)
    licensed(game, 1)
    play(game, f"visit/{market}")
    assert cash(game) == 2000 - price and game.licences[1] == (names.NUMBER[market],)
    assert game.free_spaces[1] == 3
    assert game.ap == (2 if market == "salmon" else 1)


def test_everybody_takes_licence_income_on_entry() -> None:
    game = given(fish=["eel", "jack_mackerel"], expansion=True)
    licensed(game, 1, "eel", "jack_mackerel")
    licensed(game, 2, "eel", "eel", "jack_mackerel")
    own(game, 1, eel=2)
    play(game, "visit/eel")
    assert cash(game, 1) == 2100 and cash(game, 2) == 2200
    play(game, "sell/1", "done", "visit/jack_mackerel")
    assert cash(game, 2) == 2200, "none for Jack Mackerel"


def test_one_mackerel_licence_for_each_entry() -> None:
    game = given()
    play(game, "visit/mackerel")
    assert len(game.licences[1]) == 2 and "licence" not in game.options()
    play(game, "done", "visit/mackerel")
    assert len(game.licences[1]) == 3


def test_what_was_given_back_in_a_visit_cannot_be_taken_again_in_it() -> None:
    game = given(fish=["fugu"])
    play(game, "visit/fugu", "return_licence/fugu")
    assert "licence" not in game.options()
    play(game, "done")
    assert "visit/fugu" in game.options()


def test_eel_sells_at_the_marker_which_falls_by_two() -> None:
    game = given(fish=["eel"])
    own(game, 1, eel=3)
    game.eel = 6
    game.resume()
    assert resources(game, 1) == 18
    play(game, "visit/eel", "sell/2")
    assert cash(game) == 2000 + 1200 and game.eel == 2
    play(game, "sell/1")
    assert cash(game) == 3400 and game.eel == 1


def test_fugu_sells_at_the_square() -> None:
    game = given(fish=["fugu"])
    own(game, 1, fugu=5)
    assert resources(game, 1) == 25
    play(game, "visit/fugu", "sell/4")
    assert cash(game) == 2000 + 1600 and resources(game, 1) == 1


def test_mackerel_goes_back_in_pairs() -> None:
    game = given()
    own(game, 1, mackerel=1)
    offering(game, 1, "mackerel/fresh/300", "mackerel/degraded/100", "mackerel/degraded/100")
    play(game, "visit/mackerel")
    pairs = [answer for answer in game.options() if answer.startswith("sell")]
    assert pairs == [
        "sell/token/fresh/300", "sell/token/degraded/100", "sell/fresh/300/degraded/100",
        "sell/degraded/100/degraded/100",
    ]  # fmt: skip
    play(game, "sell/token/degraded/100", "sell/fresh/300/degraded/100")
    assert cash(game) == 2000 + 100 + 200 and game.barrels[names.MACKEREL] == 15
    assert game.harbor[1] == () and game.tokens[1][names.T_MACKEREL] == 0


def test_an_octopus_becomes_three_takoyaki() -> None:
    game = given(fish=["octopus"])
    own(game, 1, octopus=1)
    play(game, "visit/octopus", "grill", "price/300", "price/100", "price/300")
    assert game.facts()["seats"]["1"]["harbor"] == {  # type: ignore[index]
        "takoyaki/fresh/100": 1,
        "takoyaki/fresh/300": 2,
    }
    assert game.stock[names.T_OCTOPUS] == 8 and game.stock[names.T_TAKOYAKI] == 9 and resources(game, 1) == 0


def test_octopus_is_entered_for_a_takoyaki_too() -> None:
    game = given(fish=["octopus"])
    own(game, 1, takoyaki=9, octopus=1)
    offering(game, 1, "takoyaki/fresh/200")
    game.cash[1] = 0
    game.resume()
    assert game.stock[names.T_TAKOYAKI] == 2
    play(game, "visit/octopus")
    assert game.options() == ["pay/takoyaki", "pay/takoyaki/fresh/200"], (
        "only a Takoyaki makes the third to grill"
    )
    play(game, "pay/takoyaki")
    assert game.ap == 2 and game.options() == names_of_prices()


def names_of_prices() -> list[str]:
    return [f"price/{amount}" for amount in range(100, 5001, 100)]


def test_spider_crab_squid_and_tuna_sell_for_cash() -> None:
    game = given(fish=["spider_crab", "squid", "tuna"])
    own(game, 1, crab_6=1, crab_8=1, squid=1, tuna_20=1)
    assert resources(game, 1) == 6 + 8 + 0 + 20
    play(game, "visit/spider_crab", "sell/crab_8")
    assert cash(game) == 2000 + 1200 and game.stock[names.T_CRAB_8] == 3
    play(game, "done", "visit/tuna", "sell/tuna_20")
    assert cash(game) == 3200 + 2000


def test_clams_and_oysters() -> None:
    game = given(fish=["clams_oysters"], expansion=True)
    own(game, 1, clam=2, oyster=1)
    offering(game, 1, "clams_oysters/degraded/300")
    play(game, "visit/clams_oysters")
    assert game.options() == ["pay/ap", "pay/yen", "pay/clams_oysters/degraded/300"]
    other = game.copy()
    play(other, "pay/clams_oysters/degraded/300", "sell")
    assert other.ap == 2 and other.barrels[names.CLAMS] == 5 and cash(other) == 2800
    assert "sell" not in other.options()
    play(game, "pay/yen", "licence")
    assert cash(game) == 2000 - 200 - 500


def test_clams_and_oysters_can_be_entered_for_the_last_200() -> None:
    game = given(fish=["clams_oysters"], expansion=True)
    own(game, 1, clam=1, oyster=1)
    game.cash[1] = 2
    game.resume()
    play(game, "visit/clams_oysters", "pay/yen", "sell")
    assert cash(game) == 800
    game = given(fish=["clams_oysters"], expansion=True)
    own(game, 1, clam=1, oyster=1)
    game.cash[1] = 1
    game.resume()
    play(game, "visit/clams_oysters", "sell")
    assert game.ap == 1, "no choice, an action point"


def test_nori_counts_a_tenth_of_the_rest() -> None:
    game = given(fish=["nori", "tuna", "octopus"], expansion=True)
    own(game, 1, nori=2, tuna_20=1, tuna_15=1, octopus=1)
    assert resources(game, 1) == 38 + 2 * 3
    assert lot_worth(game, 1, names.T_NORI, 2) == 6
    own(game, 1, mackerel=2)
    assert resources(game, 1) == 40 + 2 * 4 and lot_worth(game, 1, names.T_NORI, 2) == 8


def test_sardines_bring_tokens_at_docking() -> None:
    game = given(fish=["sardines"], expansion=True)
    own(game, 2, sardines=13)
    sailing(game, 1, "two_slot_1", "sardines", "sardines")
    game.place[0] = names.SEA
    game.resume()
    play(game, "fish", "dock/two_slot_1/left", "price/100")
    assert (game.tokens[1][names.T_SARDINES], game.iwashi, game.stock[names.T_SARDINES]) == (1, 1, 1)
    play(game, "price/100")
    assert (game.tokens[1][names.T_SARDINES], game.iwashi, game.stock[names.T_SARDINES]) == (2, 1, 0)
    assert not game.over_fished >> names.SARDINES & 1, "Iwashi still lies on the board"
    play(game, "done")
    assert "visit/sardines" in game.options()
    play(game, "visit/sardines", "iwashi")
    assert game.over_fished >> names.SARDINES & 1


def test_the_second_sardines_licence_is_cheaper_and_holders_stay_out() -> None:
    game = given(fish=["sardines"], expansion=True)
    play(game, "visit/sardines", "licence", "licence")
    assert cash(game) == 2000 - 800 and game.licences_left[names.SARDINES] == 0
    play(game, "done")
    assert "visit/sardines" not in game.options()


# ----------------------------------------------------------------------------- Jack Mackerel, Blue Ship


def test_a_jack_mackerel_licence_catches_one_or_two_mackerel() -> None:
    game = given(fish=["jack_mackerel", "mackerel"], expansion=True)
    licensed(game, 1, "jack_mackerel")
    sailing(game, 1, "two_slot_1")
    play(game, "fish", "catch/two_slot_1/mackerel")
    assert game.options() == ["take/1", "take/2"]
    play(game, "take/2")
    assert game.hold[6] == (names.MACKEREL << 3,) * 2
    play(game, "done", "fish")
    assert "catch/one_slot_1/jack_mackerel" not in game.options()


def test_which_licence_catches_is_asked() -> None:
    game = given(fish=["jack_mackerel", "mackerel", "himono"], expansion=True)
    licensed(game, 1, "jack_mackerel", "mackerel", "himono", "himono")
    sailing(game, 1, "one_slot_1")
    play(game, "fish", "catch/one_slot_1/mackerel")
    assert game.options() == ["licence/mackerel", "licence/himono_1", "licence/jack_mackerel"]
    play(game, "licence/himono_1")
    assert names.barrel_name(game.hold[0][0]) == "mackerel/himono_1"


def test_the_blue_ship_uses_two_licences() -> None:
    game = given(fish=["eel", "salmon", "mackerel"], expansion=True)
    licensed(game, 1, "eel", "eel", "salmon", "mackerel")
    sailing(game, 1, "blue_1")
    play(game, "fish", "catch/blue_1/eel")
    assert game.options() == ["again/eel", "again/mackerel", "again/salmon", "enough"]
    play(game, "again/salmon", "done", "fish")
    assert [answer for answer in game.options() if "blue_1" in answer and "catch" in answer] == [
        "catch/blue_1/eel"
    ]
    play(game, "catch/blue_1/eel", "again/eel")
    assert len(game.hold[names.BLUE]) == 4


def test_the_blue_ship_counts_once_for_each_type_it_carries() -> None:
    game = given(fish=["eel"], expansion=True)
    licensed(game, 1, "eel", "mackerel")
    sailing(game, 1, "blue_1", "eel", "mackerel")
    sailing(game, 1, "one_slot_1")
    play(game, "fish")
    catches = [answer for answer in game.options() if answer.startswith("catch")]
    assert catches == ["catch/blue_1/eel", "catch/blue_1/mackerel"]


def test_mackerel_and_jack_mackerel_share_the_blue_ship_only_with_two_licences() -> None:
    game = given(fish=["jack_mackerel", "mackerel"], expansion=True)
    licensed(game, 1, "jack_mackerel")
    sailing(game, 1, "blue_1", "jack_mackerel")
    play(game, "fish")
    assert "catch/blue_1/mackerel" not in game.options()
    licensed(game, 1, "jack_mackerel", "jack_mackerel")
    assert "catch/blue_1/mackerel" in game.options()
    play(game, "catch/blue_1/mackerel", "take/2", "again/jack_mackerel")
    assert len(game.hold[names.BLUE]) == 4


def test_one_himono_licence_puts_one_type_on_the_blue_ship() -> None:
    game = given(fish=["mackerel", "sardines", "himono"], expansion=True)
    licensed(game, 1, "himono")
    sailing(game, 1, "blue_1", "mackerel/himono_1")
    play(game, "fish")
    assert "catch/blue_1/sardines" not in game.options() and "catch/blue_1/mackerel" in game.options()


# ----------------------------------------------------------------------------- Himono


def test_fish_caught_with_a_himono_licence_goes_on_it() -> None:
    game = given(fish=["himono"], expansion=True)
    licensed(game, 1, "himono")
    sailing(game, 1, "two_slot_1", "mackerel/himono_1", "mackerel/himono_1")
    game.place[0] = names.SEA
    game.resume()
    play(game, "fish")
    assert "catch" not in verbs(game), "two at sea: face down"
    play(game, "dock/two_slot_1/left")
    assert game.rack[1] == (names.MACKEREL << 1 | 1,) * 2 and cash(game) == 2100
    assert "catch/one_slot_1/mackerel" in game.options()
    start_again(game)
    assert game.options() == names_of_prices() and game.barrels[names.MACKEREL] == 15
    play(game, "price/500")
    assert game.barrels[names.HIMONO] == 4 and not game.rack[1] and not game.harbor[1][0] & names.DEGRADED
    start_again(game)
    assert names.piece_name(game.harbor[1][0]) == "himono/fresh/500", "it never degrades"


def test_the_last_himono_barrel_leaves_its_board_before_its_price_is_named() -> None:
    game = given(fish=["himono"], expansion=True, chance=["tuna"])
    licensed(game, 1, "himono")
    game.rack = replaced(game.rack, 1, (names.MACKEREL << 1, names.MACKEREL << 1))
    game.stock[names.T_MACKEREL] -= 2
    offering(game, 2, *["himono/fresh/100"] * 4)
    start_again(game)
    assert game.options() == names_of_prices() and game.over_fished >> names.HIMONO & 1 and names.TUNA in game.in_play
    assert game.barrels[names.HIMONO] == game.box_barrels[names.HIMONO] == 0
    play(game, "price/500")
    assert [names.piece_name(piece) for piece in game.harbor[1]] == ["himono/fresh/500"]


def test_while_it_is_unloaded_it_no_longer_matters_which_licence_caught_it() -> None:
    game = given(fish=["himono"], expansion=True)
    licensed(game, 1, "himono", "himono")
    sailing(game, 1, "two_slot_1", "mackerel/himono_2", "mackerel/himono_2")
    game.place[0] = names.SEA
    game.resume()
    play(game, "fish", "dock/two_slot_1/left")
    assert [len(items) for items in game.rack] == [0, 1, 0, 0], "the first is not asked for"
    assert game.options() == ["rack/himono_1", "rack/himono_2"]


def test_of_barrels_that_alike_licences_caught_one_is_offered() -> None:
    game = given(fish=["himono"], expansion=True)
    licensed(game, 1, "himono", "himono")
    sailing(game, 1, "two_slot_1", "mackerel/himono_1", "mackerel/himono_2")
    sailing(game, 1, "six_slot_barge_1")
    moves = {"throw_back/two_slot_1/mackerel/himono_{}", "transfer/mackerel/himono_{}/two_slot_1/six_slot_barge_1"}
    assert {move.format(1) for move in moves} <= set(game.options())
    assert not {move.format(2) for move in moves} & set(game.options())
    game.rack = replaced(game.rack, 1, (names.MACKEREL << 1,))
    game.stock[names.T_MACKEREL] -= 1
    game.resume()
    assert {move.format(2) for move in moves} <= set(game.options()), "the licences differ"


def test_small_fish_is_laid_on_himono_licences_at_any_time() -> None:
    game = given(fish=["himono"], expansion=True)
    licensed(game, 1, "himono", "himono")
    own(game, 1, mackerel=1)
    offering(game, 1, "mackerel/degraded/100", "mackerel/fresh/300")
    play(game, "salt/token/mackerel", "salt/barrel/mackerel/fresh/300")
    assert game.options() == ["rack/himono_1", "rack/himono_2"], "unlike ones are asked"
    play(game, "rack/himono_1")
    assert [names.item_name(item) for item in game.rack[1]] == ["token/mackerel", "barrel/mackerel"]
    play(game, "return_licence/himono_1")
    assert game.barrels[names.MACKEREL] == 14 and game.tokens[1][names.T_MACKEREL] == 0
    start_again(game)
    assert game.options() == ["salt/barrel/mackerel/degraded/100", "go_on"]
    play(game, "salt/barrel/mackerel/degraded/100")
    assert game.rack[2] == (names.MACKEREL << 1 | 1,) and game.ap == 2


def test_a_himono_licence_is_used_once_in_an_action_and_counts_for_every_small_fish() -> None:
    game = given(fish=["himono", "sardines"], expansion=True)
    licensed(game, 1, "himono")
    sailing(game, 1, "one_slot_1")
    sailing(game, 1, "two_slot_1", "mackerel/himono_1")
    play(game, "fish")
    catches = [answer for answer in game.options() if answer.startswith("catch")]
    assert catches == ["catch/one_slot_1/sardines", "catch/two_slot_1/mackerel"]
    play(game, "catch/one_slot_1/sardines")
    assert "catch" not in verbs(game)
    play(game, "done", "fish")
    assert "catch" not in verbs(game), "two of its Barrels are at sea"


def test_a_himono_licence_given_up_leaves_its_fish_at_sea() -> None:
    game = given(fish=["himono"], expansion=True)
    licensed(game, 1, "himono")
    sailing(game, 1, "one_slot_1", "mackerel/himono_1")
    play(game, "return_licence/himono_1")
    assert names.barrel_name(game.hold[0][0]) == "mackerel/himono"
    play(game, "fish", "dock/one_slot_1/left")
    assert game.harbor[1] == () and game.barrels[names.MACKEREL] == 15, "never for sale"


def test_himono_barrels_are_caught_only_when_no_small_fish_is_left() -> None:
    game = given(fish=["himono"], expansion=True)
    licensed(game, 1, "himono")
    sailing(game, 1, "one_slot_1")
    play(game, "fish")
    assert "catch/one_slot_1/himono" not in game.options()
    game.over_fished |= 1 << names.MACKEREL
    game.box_barrels[names.MACKEREL], game.barrels[names.MACKEREL] = 15, 0
    game.resume()
    play(game, "catch/one_slot_1/himono", "done", "fish", "dock/one_slot_1/left")
    assert game.rack[1] == (names.HIMONO << 1 | 1,), "it goes on the licence as well"


# ----------------------------------------------------------------------------- External Markets


def test_boats_are_bought_into_ports_and_sold_from_them() -> None:
    game = given(3)
    game.cash[1] = 40
    game.resume()
    play(game, "visit/ships")
    assert game.forced[-1] == (1, "sell/one_slot_1"), "the only open port is taken"
    play(game, "buy/three_slot_1/left")
    assert cash(game) == 4000 + 100 - 1500
    play(game, "sell/three_slot_1")
    assert cash(game) == 2600 + 200
    game.ports[1] = 3
    game.resume()
    assert (
        "buy/six_slot_barge_1/right" in game.options() and "buy/six_slot_barge_1/left" not in game.options()
    )


def test_used_ships() -> None:
    game = given(external=["used_ships"])
    play(game, "visit/used_ships", "done")
    assert cash(game) == 2200 and game.place[0] == names.AT_USED, (
        "selling the one boat was the only thing to do"
    )
    play(game, "visit/used_ships")
    assert cash(game) == 1900 and game.place[0] == names.LEFT
    game = given(external=["used_ships"])
    game.trigger = 2
    game.resume()
    assert "visit/used_ships" not in game.options(), "shut in the last turns"


def test_the_blue_ship_needs_a_trade_in() -> None:
    game = given(external=["used_ships"], expansion=True)
    game.cash[1] = 25
    game.resume()
    play(game, "visit/ships", "trade_in/one_slot_1/left")
    assert cash(game) == 500 and game.place[names.BLUE] == names.LEFT and game.place[0] == names.AT_USED


def test_a_rented_boat_goes_home_after_its_trip() -> None:
    game = given(external=["ship_rental"], expansion=True)
    game.ports[1] = 3
    game.resume()
    play(game, "visit/ship_rental", "rent/six_slot_barge_1/right", "done")
    assert cash(game) == 2000 - 100 - 600 and game.rentals_left == 5
    assert "sell/six_slot_barge_1" not in game.options()
    play(game, "fish", "undock/six_slot_barge_1", "undock/one_slot_1", "done")
    sailing(game, 1, "one_slot_1", "mackerel")
    play(
        game,
        "transfer/mackerel/one_slot_1/six_slot_barge_1",
        "fish",
        "dock/six_slot_barge_1/right",
        "price/100",
    )
    barge = names.BOAT_NUMBER["six_slot_barge_1"]
    assert game.place[barge] == names.AT_SHIPS and barge not in game.fleet[1] and game.rentals_left == 6


def test_the_aquarium_has_room_for_so_many() -> None:
    game = given(external=["aquarium"], fish=["squid", "tuna", "jack_mackerel", "mackerel"], expansion=True)
    own(game, 1, mackerel=3, jack_mackerel=1, squid=2, tuna_15=1)
    play(game, "visit/aquarium", "sell/squid")
    assert "sell/squid" not in game.options()
    play(game, "sell/tuna_15", "sell/mackerel", "sell/mackerel", "sell/jack_mackerel")
    assert cash(game) == 2000 + 800 + 2000 + 600 and "sell/mackerel" not in game.options()


def test_the_new_aquarium_is_entered_for_a_barrel() -> None:
    game = given(external=["new_aquarium"], fish=["clams_oysters"], expansion=True)
    own(game, 1, clam=2, oyster=2)
    offering(game, 1, "mackerel/degraded/100")
    play(game, "visit/new_aquarium", "sell/clam")
    assert {"sell/clam", "sell/oyster"} <= set(game.options())
    play(game, "sell/oyster")
    assert "sell" not in verbs(game), "there is room for two"
    assert cash(game) == 3000 and game.harbor[1] == () and game.ap == 2


@pytest.mark.parametrize("shell", ["clam", "oyster"])
def test_the_tank_of_clams_and_oysters_takes_two_of_one_kind(shell: str) -> None:
    game = given(external=["new_aquarium"], fish=["clams_oysters"], expansion=True)
    own(game, 1, **{shell: 3})
    offering(game, 1, "mackerel/degraded/100")
    play(game, "visit/new_aquarium", f"sell/{shell}", f"sell/{shell}")
    assert cash(game) == 3000 and "sell" not in verbs(game)


def test_the_auction_pays_the_seller_twice() -> None:
    game = given(external=["auction"], fish=["octopus"])
    own(game, 1, octopus=1)
    play(game, "visit/auction")
    assert game.seat == 2 and cash(game) == 1800, "the fee is paid, the others bid"
    play(game, "bid/300", "bid/100")
    assert cash(game) == 1800 + 600 and cash(game, 2) == 1700 and game.tokens[2][names.T_OCTOPUS] == 1


def test_a_lot_at_the_auction_keeps_to_the_fee_that_can_be_paid() -> None:
    game = given(external=["auction"], fish=["octopus", "squid"])
    own(game, 1, octopus=2, mackerel=3, squid=1)
    game.cash[1] = 2
    game.resume()
    play(game, "visit/auction")
    assert game.options() == ["lot/mackerel/0", "lot/mackerel/1", "lot/mackerel/2", "lot/mackerel/3"]
    play(game, "lot/mackerel/2")
    assert game.options() == ["lot/squid/0", "lot/squid/1"], "an Octopus would make 5 R"
    game = given(external=["auction"], fish=["squid"])
    own(game, 1, squid=3, mackerel=1)
    assert "visit/auction" not in game.options(), "1 R is not enough"


def test_barter_takes_any_offer_or_none() -> None:
    game = given(external=["barter"])
    own(game, 1, mackerel=2)
    play(game, "visit/barter")
    assert game.options() == ["lot/mackerel/1", "lot/mackerel/2"]
    play(game, "lot/mackerel/2", "bid/500", "bid/0")
    assert game.options() == ["accept/2", "accept/3", "decline"] and game.seat == 1
    refused = game.copy()
    play(refused, "decline")
    assert refused.tokens[1][names.T_MACKEREL] == 2
    play(game, "accept/3")
    assert game.tokens[3][names.T_MACKEREL] == 2 and cash(game) == 2000


def test_who_borrowed_cannot_invest() -> None:
    game = given(external=["bank"])
    play(game, "visit/bank", "pay/yen", "borrow")
    assert "invest" not in game.options() and "borrow" in game.options() and cash(game) == 2400
    play(game, "done", "visit/bank", "pay/ap")
    assert game.ap == 0


def test_the_last_100_pay_the_bank() -> None:
    game = given(external=["bank"])
    game.cash[1], game.ap = 1, 1
    game.resume()
    play(game, "visit/bank", "borrow")
    assert cash(game) == 500 and game.ap == 1


def test_government() -> None:
    game = given(external=["government"])
    own(game, 1, mackerel=15)
    play(game, "visit/government", *["give/300/mackerel"] * 3)
    assert "give/300/mackerel" not in game.options()
    play(game, *["give/200/mackerel"] * 10)
    assert cash(game) == 2000 + 900 + 2000 and game.ap == 2
    assert "visit/government" not in game.options()


def test_trading() -> None:
    game = given(external=["trading"], fish=["octopus"])
    own(game, 1, octopus=3, mackerel=3)
    play(game, "visit/trading", "trade/4")
    assert (
        game.options() == ["lot/mackerel/1", "lot/mackerel/2", "lot/mackerel/3"]
        or game.options()[0] == "lot/mackerel/0"
    )
    play(game, "lot/mackerel/1", "lot/octopus/1")
    assert cash(game) == 2700 and "swap/4" not in game.options(), "each space once a visit"
    play(game, "done", "visit/trading", "swap/4", "lot/mackerel/0")
    assert game.tokens[1][names.T_MACKEREL] == 3 and cash(game) == 2700


def test_the_sushi_shop_wants_different_shapes() -> None:
    game = given(external=["sushi_shop"], fish=["octopus", "squid", "jack_mackerel"], expansion=True)
    own(game, 1, octopus=1, takoyaki=1, squid=1, jack_mackerel=1)
    play(game, "visit/sushi_shop")
    assert {"serve/1", "serve/2", "serve/3", "serve/4"} <= set(
        game.options()
    ) and "serve/5" not in game.options()
    play(game, "serve/3", "lot/octopus/0")
    assert cash(game) == 2700 and sum(game.tokens[1]) == 1


def test_the_foreign_market_sells_a_lot() -> None:
    game = given(external=["foreign_market"], fish=["eel", "spider_crab"], expansion=True, chance=["crab_4"])
    sailing(game, 1, "one_slot_1", "eel")
    sailing(game, 1, "three_slot_1", "spider_crab", "spider_crab", "spider_crab")
    assert "visit/foreign_market" not in game.options()
    play(game, "fish", "foreign", "add/three_slot_1", "add/one_slot_1")
    assert game.facts()["lot"] == {"crab_4": 1} and game.eel == 2 and game.barrels[names.CRAB] == 8
    assert cash(game) == 1900, "no docking income"
    play(game, "bid/0", "bid/0", "bid/700")
    assert game.tokens[3][names.T_CRAB_4] == 1 and game.tokens[3][names.T_EEL] == 1 and cash(game) == 2600
    assert game.place[0] == names.ABROAD and game.barrels[names.EEL] == 6
    assert "undock" not in verbs(game), "docking there was what they did in this action"
    play(game, "done", "fish", "undock/one_slot_1")
    assert game.place[0] == names.SEA


def test_nothing_to_sell_abroad_means_no_bids() -> None:
    game = given(external=["foreign_market"], fish=["tuna"], expansion=True)
    sailing(game, 1, "one_slot_1", "tuna")
    play(game, "fish", "foreign")
    assert (
        cash(game) == 1900
        and game.barrels[names.TUNA] == 6
        and game.place[0] == names.ABROAD
        and not game.bids
    )


def test_a_buyer_shops_after_the_next_turn_of_its_host() -> None:
    game = given(external=["influence"], expansion=True)
    offering(game, 1, "mackerel/fresh/100")
    play(game, "visit/influence", "hire", "done")
    assert cash(game) == 1700 and game.free_spaces[1] == 2
    play(game, "buyer/2")
    assert game.free_spaces[1] == 3
    end_turn(game)
    offering(game, 2, "mackerel/fresh/300")
    play(game, "fish", "done", "fish", "done", "end")
    assert game.active == 2 and game.seat == 1 and game.options() == ["buy/2/mackerel/fresh/300", "done"]
    play(game, "buy/2/mackerel/fresh/300")
    assert game.active == 3 and game.buyers_left == 2 and game.tokens[1][names.T_MACKEREL] == 1


def test_a_buyer_whose_host_has_no_further_turn_stays() -> None:
    game = given(2, external=["influence"], expansion=True)
    play(game, "visit/influence", "hire", "done", "buyer/2")
    game.trigger, game.trigger_name = 2, "rich"
    end_turn(game)
    assert game.over and game.callers[2] == (1,)
    invariants.check(game, 2)


def test_the_buyers_of_the_last_turn_are_served() -> None:
    game = given(2, external=["influence"], expansion=True)
    play(game, "visit/influence", "hire", "done", "buyer/2")
    game.trigger, game.trigger_name = 1, "rich"
    end_turn(game)
    offering(game, 2, "mackerel/fresh/300")
    play(game, "fish", "done", "fish", "done", "end")
    assert not game.over and game.seat == 1
    play(game, "done")
    assert game.over and game.ending == "rich" and game.buyers_left == 2


def test_an_expansion_token_brings_a_board() -> None:
    game = given(external=["influence"], expansion=True, chance=["tuna", "aquarium"])
    play(game, "visit/influence", "expand/fish")
    assert names.TUNA in game.in_play and game.licences_left[names.TUNA] == 3
    play(game, "expand/external")
    assert {names.AQUARIUM, names.NEW_AQUARIUM} <= set(game.in_play), "both come"
    assert "expand" not in verbs(game) and cash(game) == 1500


# ----------------------------------------------------------------------------- overfishing, crashes


def test_the_last_barrel_caught_overfishes_for_good() -> None:
    game = given(fish=["fugu"], chance=["squid"])
    licensed(game, 1, "fugu")
    sailing(game, 2, "two_slot_1", "fugu", "fugu")
    sailing(game, 1, "one_slot_1")
    play(game, "fish", "catch/one_slot_1/fugu")
    assert game.over_fished >> names.FUGU & 1 and names.SQUID in game.in_play
    assert (game.barrels[names.SQUID], game.stock[names.T_SQUID], game.licences_left[names.SQUID]) == (
        7,
        10,
        4,
    )
    play(game, "done", "fish", "dock/one_slot_1/left", "price/100", "done")
    start_again(game)
    start_again(game)
    play(game, "go_on")
    assert game.box_barrels[names.FUGU] == 1 and game.barrels[names.FUGU] == 0
    assert "visit/fugu" in game.options(), "the board stays usable"


def test_overfished_jack_mackerel_pays_and_brings_mackerel() -> None:
    game = given(fish=[], main_mackerel="jack_mackerel", expansion=True, chance=["eel"])
    own(game, 2, jack_mackerel=3)
    own(game, 3, jack_mackerel=8)
    offering(game, 3, "jack_mackerel/fresh/100")
    play(game, "shop", "buy/3/jack_mackerel/fresh/100", "done")
    assert names.MACKEREL in game.in_play and names.EEL in game.in_play
    assert [cash(game, seat) for seat in (1, 2, 3)] == [2000 - 100 + 200, 2600, 2000 + 100 + 1600]
    assert game.licences_left[names.MACKEREL] == 3 and game.licences[1] == ()


def test_its_effects_wait_for_the_end_of_a_purchasing_action() -> None:
    game = given(fish=["nori"], expansion=True, chance=["eel"])
    own(game, 1, nori=8)
    offering(game, 2, "nori/fresh/100", "mackerel/fresh/100")
    play(game, "shop", "buy/2/nori/fresh/100")
    assert game.over_fished >> names.NORI & 1 and game.barrels[names.NORI] == 0
    assert names.EEL not in game.in_play and cash(game) == 1900
    game.cash[1] = 3
    game.resume()
    play(game, "buy/2/mackerel/fresh/100", "done")
    assert names.EEL in game.in_play and cash(game) == 0, "as far as the cash goes"


def test_a_closed_board_ends_the_visit() -> None:
    game = given(external=["sushi_shop"], expansion=True, crashing=True, chance=["barter"])
    own(game, 1, mackerel=2)
    game.plates = ((), *[names.NO_TOKENS] * 4)
    game.resume()
    play(game, "visit/sushi_shop")
    assert game.closed >> names.SUSHI & 1 and names.BARTER in game.in_play and cash(game) == 2100
    assert "fish" in game.options() and "visit/sushi_shop" not in game.options()


def test_what_returns_to_a_closed_board_goes_to_the_box() -> None:
    game = given(external=["rentals"], crashing=True, chance=["barter"])
    licensed(game, 1)
    play(game, "visit/rentals", "rent/cart", "rent/cart", "rent/freezer", "rent/freezer")
    assert game.closed >> names.RENTALS & 1 and game.free_spaces[1] == 0
    play(game, "cart/2", "cart/1")
    assert game.carts_left == 0 and game.free_spaces[1] == 1


def test_a_crashed_board_stays_open() -> None:
    game = given(external=["influence"], expansion=True, crashing=True, chance=["barter", "tuna", "salmon"])
    game.cash[1] = 60
    game.buyers_left, game.buyers[2], game.free_spaces[2] = 0, 2, 1
    game.resume()
    play(game, "visit/influence")
    game.chance.left = ["salmon", "barter", "tuna"]  # type: ignore[attr-defined]
    play(game, "expand/fish")
    assert names.TUNA in game.in_play and names.BARTER not in game.in_play
    play(game, "expand/fish")
    assert names.BARTER in game.in_play, "the crash comes before the draw"
    assert names.SALMON in game.in_play and game.crashed >> names.INFLUENCE & 1
    assert names.INFLUENCE in game.open_boards


def test_ships_emptied_by_renting_crashes() -> None:
    game = given(external=["ship_rental"], expansion=True, crashing=True, chance=["barter"])
    game.ports[1] = 3
    for boat, place in enumerate(game.place):
        if place == names.AT_SHIPS and boat != names.BOAT_NUMBER["two_slot_1"]:
            game.place[boat] = names.IN_BOX
    game.resume()
    play(game, "visit/ship_rental", "rent/two_slot_1/central")
    assert (
        game.crashed >> names.SHIPS & 1 and names.SHIPS in game.open_boards and names.BARTER in game.in_play
    )


def test_open_knowledge_draws_the_heads_of_the_queues() -> None:
    game = Market(3, RandomChance(2), open_knowledge=True)
    head = game.box_fish[0]
    game.draw_fish_market()
    assert head in game.in_play and head not in game.box_fish


# ----------------------------------------------------------------------------- the end


@pytest.mark.parametrize(
    ("money", "mackerel", "ending"),
    [
        ((5000, 0, 0), (0, 0, 1), "rich"),
        ((5000, 0, 0), (0, 1, 1), ""),
        ((4900, 0, 0), (1, 0, 0), ""),
    ],
)  # fmt: skip
def test_who_is_rich_and_not_the_outright_last_ends_the_game(
    money: tuple[int, int, int], mackerel: tuple[int, int, int], ending: str
) -> None:
    game = given(3)
    for seat in (1, 2, 3):
        game.cash[seat] = money[seat - 1] // 100
        own(game, seat, mackerel=mackerel[seat - 1])
    start_again(game)
    assert game.trigger_name == ending and game.trigger == bool(ending)


@pytest.mark.parametrize(("poorest", "ending"), [(2000, "stocked"), (1900, "stocked"), (2100, "")])
def test_who_is_stocked_and_not_the_outright_poorest_ends_the_game(poorest: int, ending: str) -> None:
    game = given(3, ["tuna"])
    own(game, 1, tuna_25=1, tuna_20=1, mackerel=5)
    game.cash[3] = game.cash[2] = poorest // 100
    start_again(game)
    assert game.trigger_name == ending


def test_everyone_else_has_one_more_turn() -> None:
    game = given(3)
    game.cash[1] = 60
    start_again(game)
    for seat in (1, 2, 3):
        assert game.active == seat and not game.over
        end_turn(game)
    assert game.over and game.ending == "rich" and game.seat == 0 and game.options() == []


def test_the_clock_strikes() -> None:
    game = given(2, clock_turns_per_seat=2)
    for _ in range(4):
        end_turn(game)
    assert game.over and game.ending == "clock" and game.turn == 4


def scored(game: Market) -> dict[int, int]:
    finish(game, "clock")
    return game.scores


def test_majorities_and_ties() -> None:
    game = given(3)
    own(game, 1, mackerel=3)
    own(game, 2, mackerel=3)
    assert scored(game) == {1: 2000 + 500 + 300, 2: 2800, 3: 2000 - 500}
    assert game.ranking == [[1, 2], [3]]
    assert scored(given(2)) == {1: 2200, 2: 2200}, "both are highest and lowest"
    game = given(3)
    own(game, 1, mackerel=1)
    assert scored(game) == {1: 3100, 2: 1700, 3: 1700}


def test_loans_and_shares_of_the_rulebook_example() -> None:
    game = given(4, external=["bank"])
    game.loans = [0, 2, 1, 0, 0]
    game.shares = [0, 0, 0, 1, 1]
    game.cash = [0, 0, 0, 0, 0]
    assert scored(game) == {1: -2000 + 200, 2: -1000 + 200, 3: 800 + 200, 4: 800 + 200}


def test_the_overfishing_board_counts_tokens_by_market() -> None:
    game = given(3, ["octopus", "squid"], ["overfishing"], expansion=True)
    own(game, 1, octopus=1, takoyaki=2, squid=1)
    game.over_fished |= 1 << names.OCTOPUS
    worth = 3 + 10
    assert scored(game)[1] == 2000 + 1000 - 300 + 100 + worth * 100
    assert "visit/overfishing" not in game.options()


# ----------------------------------------------------------------------------- every game


def some_game(seed: int, seats: int, expansion: bool) -> tuple[Market, Random]:
    """A configuration and some start money by seed."""
    dice = Random(seed * 10 + seats)
    config: dict[str, Any] = {"start_player": dice.randrange(seats + 1), "clock_turns_per_seat": 60}
    if dice.random() < 0.3:
        config |= {
            "crashing": True,
            "additional_external": dice.randrange(4),
            "additional_fish": dice.randrange(4),
        }
    config["open_knowledge"] = dice.random() < 0.3
    if expansion:
        config |= {
            "expansion": True,
            "main_mackerel": dice.choice(["mackerel", "jack_mackerel"]),
            "blue_ship": dice.random() < 0.8,
            "barges": dice.choice(["six_slot", "four_slot"]),
        }
    game = Market(seats, RandomChance(seed), **config)
    if dice.random() < 0.4:
        for seat in range(1, seats + 1):
            game.cash[seat] = 45
            game.ports[seat] = dice.randrange(1, 4)
        game.resume()
    return game, dice


def entries_agree(game: Market) -> None:
    """Exactly the boards are offered in which something can be done after paying."""
    if game.stack[-1][0] != ASK_TURN:
        return
    offered = {code - VISIT for code in game.now if code >> SHIFT == VISIT >> SHIFT}
    for board in game.open_boards if game.ap + game.cart_ap else ():
        inside = game.copy()
        if board in offered:
            inside.step(inside.now.index(VISIT + board))
        elif visits.COST[board] != visits.SPECIAL and not (game.visited & names.ONCE_A_TURN) >> board & 1:
            if board == names.SARDINES and board in game.licences[game.active]:
                continue
            if board == names.USED_SHIPS and game.trigger:
                continue
            visits.pay(inside, board, PAY_AP)
            assert not visits.visit_options(inside, inside.stack[-1]), names.BOARDS[board]


@pytest.mark.parametrize("expansion", [False, True], ids=["base", "expansion"])
@pytest.mark.parametrize("seats", range(2, 7))
def test_invariants_hold_in_random_games(seats: int, expansion: bool, a_few: AFew) -> None:
    for seed in a_few(range(30), 6):
        game, dice = some_game(seed, seats, expansion)
        starting = sum(licences.count(names.MACKEREL) for licences in game.licences)
        error = (0.1, 0.35, 0.7)[seed % 3]
        while not game.over:
            if seed < 10 or dice.random() < 0.25:
                invariants.check(game, starting)
            if dice.random() < 0.2:
                entries_agree(game)
                keys = game.options()
                assert len(keys) == len(set(keys)), keys
            game.step(sensible(game, dice.random, error))
        invariants.check(game, starting)
        assert game.ending in ("rich", "stocked", "clock") and len(game.scores) == seats
        assert game.turn <= game.clock


@pytest.mark.parametrize("expansion", [False, True], ids=["base", "expansion"])
@pytest.mark.parametrize("seats", range(2, 7))
def test_uniformly_random_games_end(seats: int, expansion: bool) -> None:
    for seed in range(5):
        game = Market(seats, RandomChance(seed), expansion=expansion)
        random = Random(seed).random
        while not game.over:
            game.step(int(random() * len(game.legal())))


def test_keys_and_places_lead_to_the_same_game() -> None:
    for seed in range(4):
        by_place, dice = some_game(seed, 4, True)
        by_key, _ = some_game(seed, 4, True)
        while not by_place.over:
            place = sensible(by_place, dice.random, 0.2)
            answer = by_place.options()[place]
            by_place.step(place)
            by_key.play(answer)
            assert by_place.now == by_key.now and by_place.seat == by_key.seat
        assert by_place.facts() == by_key.facts() and by_place.forced == by_key.forced


def test_what_chance_told_replays_the_game() -> None:
    chance = RecordedChance(RandomChance(9))
    dice = Random(9).random
    first = Market(4, chance, expansion=True, start_player=0)
    answers = []
    while not first.over:
        place = sensible(first, dice, 0.2)
        answers.append(first.options()[place])
        first.step(place)
    script = ScriptedChance(chance.told)
    again = Market(4, script, expansion=True, start_player=0)
    for answer in answers:
        again.play(answer)
    assert again.facts() == first.facts() and script.left == []


def test_copies_are_independent() -> None:
    for seed in range(3):
        game, dice = some_game(seed, 3, True)
        while not game.over and game.turn < 60:
            before = game.facts()
            other = game.copy()
            assert other.facts() == before and other.now == game.now
            if dice.random() < 0.2:
                for _ in range(30):
                    if not other.over:
                        other.step(sensible(other, dice.random, 0.5))
                assert game.facts() == before
            game.step(sensible(game, dice.random, 0.3))


def test_asking_forced_questions_changes_nothing_else() -> None:
    for seed in range(4):
        skipping = Market(3, RandomChance(seed), expansion=True)
        asking = Market(3, RandomChance(seed), expansion=True, skip_forced=False)
        dice = Random(seed).random
        forced = []
        while not skipping.over:
            while len(asking.now) == 1 and asking.now != skipping.now:
                forced.append((asking.seat, asking.options()[0]))
                asking.step(0)
            assert asking.now == skipping.now and asking.facts() == skipping.facts()
            place = sensible(skipping, dice, 0.3)
            skipping.step(place)
            asking.step(place)
        while not asking.over:
            forced.append((asking.seat, asking.options()[0]))
            asking.step(0)
        assert asking.facts() == skipping.facts() and forced == skipping.forced


def test_most_base_games_end_by_themselves_with_a_sensible_policy() -> None:
    endings: Counter[str] = Counter()
    for seats in range(2, 7):
        for seed in range(10):
            game = Market(seats, RandomChance(seed))
            dice = Random(seed).random
            while not game.over:
                game.step(sensible(game, dice))
            endings[game.ending] += 1
    assert endings["clock"] < 10, endings


def test_an_answer_that_is_not_offered_is_refused() -> None:
    with pytest.raises(IllegalAnswer, match="seat 1 cannot answer end"):
        given().play("end")
    with pytest.raises(ValueError, match="no such board here: tofu"):
        given(fish=["tofu"])
    with pytest.raises(ValueError, match="no such board here: himono"):
        given(fish=["himono"])
