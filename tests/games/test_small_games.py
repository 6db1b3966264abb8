"""Known facts of the small games, through the public API."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ichiba
from ichiba.lab.enumerate import Chance, Counts, End, counts, positions


@cache
def game_of(
    name: str, seats: int, variants: tuple[str, ...] = (), options: tuple[tuple[str, object], ...] = ()
) -> ichiba.Game:
    return ichiba.load(name, seats=seats, variants=variants, options=dict(options))


def table(name: str, seats: int, *chance: str, variants: tuple[str, ...] = (), **options: object) -> ichiba.Table:
    """A new table whose first chance events are these."""
    return game_of(name, seats, variants, tuple(options.items())).start(seed=1, chance=chance)


def play(game: ichiba.Table, *keys: str) -> ichiba.Table:
    """The answers, each of whoever is asked, the lowest seat first."""
    for key in keys:
        game.play(key)
    return game


def seat_in(game: ichiba.Table, seat: int, viewer: int | None) -> dict[str, Any]:
    """What a viewer sees of a seat."""
    seats = game.view(viewer)["seats"]
    assert isinstance(seats, dict)
    seen = seats[str(seat)]
    assert isinstance(seen, dict)
    return seen


def log_keys(game: ichiba.Table, viewer: int | None, event: str) -> list[str]:
    log = game.view(viewer)["log"]
    assert isinstance(log, list)
    return [str(item["key"]) for item in log if item["event"] == event]


# First-price auction


def test_whoever_bids_most_pays_the_bid_and_has_the_lot() -> None:
    game = play(table("first_price_auction", 3, "9", "7", "5"), "bid/6", "bid/4", "bid/4")
    assert game.over
    assert game.scores == {1: 3, 2: 0, 3: 0}
    assert game.ranking == [[1], [2, 3]]


def test_equal_bids_draw_lots() -> None:
    game = play(table("first_price_auction", 3, "9", "7", "5", "3"), "bid/4", "bid/2", "bid/4")
    assert game.scores == {1: 0, 2: 0, 3: 1}


def test_nobody_bids_as_much_as_the_lot_is_worth_to_them() -> None:
    game = table("first_price_auction", 2, "4", "10")
    assert game.why_not("bid/4", seat=1) == "`bid` goes from 0 to 3"
    assert game.why_not("bid/4", seat=2) is None


def test_what_the_lot_is_worth_is_known_to_that_seat_only() -> None:
    game = table("first_price_auction", 2, "4", "10")
    assert seat_in(game, 1, viewer=1)["worth"] == 4
    for viewer in (2, None):
        assert seat_in(game, 1, viewer)["worth"] == "hidden"
        assert "draw/4" not in log_keys(game, viewer, "chance")


def test_a_bid_is_secret_until_all_have_bid() -> None:
    game = table("first_price_auction", 2, "4", "10")
    game.play("bid/5", seat=2)
    assert log_keys(game, 1, "decision") == []
    assert log_keys(game, 2, "decision") == ["bid/5"]
    game.play("bid/3", seat=1)
    reveal = next(item for item in game.log if item["event"] == "reveal")
    assert reveal["values"] == {"1": 3, "2": 5}


def test_a_lot_that_is_worth_one_leaves_one_bid_and_is_asked_all_the_same() -> None:
    game = table("first_price_auction", 2, "1", "10")
    assert [(decision.seat, decision.keys()) for decision in game.pending[:1]] == [(1, ["bid/0"])]


# Goofspiel


def test_the_highest_card_takes_the_prize_and_equals_leave_it() -> None:
    game = table("goofspiel", 2, "2", "3", "1", cards=3)
    play(game, "card/3", "card/2")
    assert seat_in(game, 1, None)["won"] == {"2": 1}
    play(game, "card/1", "card/1")
    assert game.ask("count of lost") == 1
    play(game, "card/2", "card/3")
    assert game.scores == {1: 12, 2: -12}


@pytest.mark.parametrize(
    ("variant", "scores"),
    [("total_points", {1: 3, 2: 1, 3: 2}), ("point_difference", {1: 3, 2: -3, 3: 0})],
)
def test_points_can_count_otherwise(variant: str, scores: dict[int, int]) -> None:
    game = table("goofspiel", 3, "3", "2", "1", variants=(variant,), cards=3)
    play(game, "card/3", "card/2", "card/2", "card/1", "card/1", "card/3", "card/2", "card/3", "card/1")
    assert {s: game.ask(f"points(seat({s}))") for s in (1, 2, 3)} == {1: 3, 2: 1, 3: 2}
    assert game.scores == scores


@pytest.mark.parametrize(("variant", "prizes"), [("ascending", [1, 2, 3]), ("descending", [3, 2, 1])])
def test_prizes_can_come_in_order(variant: str, prizes: list[int]) -> None:
    game = table("goofspiel", 2, variants=(variant,), cards=3)
    for prize in prizes:
        assert game.ask("prize_up") == str(prize)
        play(game, f"card/{prize}", f"card/{prize}")
    assert game.over
    assert game.scores == {1: 0, 2: 0}
    assert "chance" not in {item["event"] for item in game.log}


def test_prizes_come_in_one_order_only() -> None:
    with pytest.raises(ichiba.RulesetFaults, match="descending"):
        ichiba.load("goofspiel", seats=2, variants=["ascending", "descending"])


def test_a_card_that_is_laid_is_missing_from_the_hand_only_when_all_have_laid_one() -> None:
    game = table("goofspiel", 2, "2", cards=3)
    game.play("card/3", seat=2)
    assert seat_in(game, 2, viewer=1)["hand"] == {"1": 1, "2": 1, "3": 1}
    assert seat_in(game, 2, viewer=2)["hand"] == {"1": 1, "2": 1}
    game.play("card/1", seat=1)
    assert seat_in(game, 2, viewer=1)["hand"] == {"1": 1, "2": 1}


def test_a_card_is_played_once() -> None:
    game = play(table("goofspiel", 2, "2", cards=3), "card/3", "card/3")
    with pytest.raises(ichiba.IllegalMove, match="card/3"):
        game.play("card/3")
    assert [decision.keys() for decision in game.pending] == [["card/1", "card/2"]] * 2


def test_those_who_win_together_share_what_the_others_lose() -> None:
    game = table("goofspiel", 4, "2", "1", cards=2)
    play(game, "card/2", "card/1", "card/1", "card/1", "card/1", "card/2", "card/2", "card/2")
    assert game.scores == {1: 12, 2: -4, 3: -4, 4: -4}


# Oshi-Zumo


def test_the_wrestler_is_pushed_out_of_the_ring() -> None:
    game = play(table("oshi_zumo", 2, coins=10, size=1), "bid/3", "bid/2", "bid/3", "bid/0")
    assert game.ending == "pushed_out"
    assert game.scores == {1: 1, 2: -1}


def test_both_pay_and_equal_bids_push_nobody() -> None:
    game = play(table("oshi_zumo", 2, coins=10), "bid/4", "bid/4")
    assert (game.ask("wrestler"), game.ask("seat(1).wallet"), game.ask("seat(2).wallet")) == (4, 6, 6)


@pytest.mark.parametrize(("alesia", "scores"), [(False, {1: -1, 2: 1}), (True, {1: 0, 2: 0})])
def test_a_wrestler_on_the_other_side_wins_but_not_in_alesia(alesia: bool, scores: dict[int, int]) -> None:
    game = table("oshi_zumo", 2, coins=2, alesia=alesia)
    play(game, "bid/0", "bid/1", "bid/0", "bid/1", "bid/2", "bid/0")
    assert (game.ending, game.ask("wrestler"), game.scores) == ("spent", 3, scores)


def test_a_wrestler_in_the_middle_is_a_draw() -> None:
    game = play(table("oshi_zumo", 2, coins=2), "bid/1", "bid/2", "bid/1", "bid/0")
    assert (game.ending, game.ask("wrestler"), game.scores) == ("spent", 4, {1: 0, 2: 0})


def test_the_rounds_are_over_at_the_horizon() -> None:
    game = play(table("oshi_zumo", 2, horizon=2), "bid/0", "bid/0", "bid/0", "bid/0")
    assert game.ending == "horizon"
    assert game.ranking == [[1, 2]]


def test_nobody_bids_more_coins_than_they_have() -> None:
    game = play(table("oshi_zumo", 2, coins=4), "bid/4", "bid/1")
    assert game.why_not("bid/4", seat=2) == "`bid` goes from 0 coins to 3 coins"
    assert game.why_not("bid/1", seat=1) == "`bid` can only be 0 coins"


def test_who_has_less_than_the_lowest_bid_bids_it_all() -> None:
    game = play(table("oshi_zumo", 2, coins=5, least=3), "bid/4", "bid/3")
    assert [decision.keys() for decision in game.pending] == [["bid/1"], ["bid/2"]]


# Liar's dice


def test_a_true_bid_beats_who_does_not_believe_it() -> None:
    """The highest face counts as any."""
    game = play(table("liars_dice", 2, "3", "6"), "bid/2/3", "liar")
    assert game.scores == {1: 1, 2: -1}


def test_a_lie_loses() -> None:
    game = play(table("liars_dice", 2, "3", "5"), "bid/2/3", "liar")
    assert game.scores == {1: -1, 2: 1}


def test_a_bid_goes_up() -> None:
    game = table("liars_dice", 2, "3", "5")
    assert game.why_not("liar") == "nobody has bid yet"
    game.play("bid/1/4")
    assert game.why_not("bid/1/4") == "a bid must be higher than the last one"
    assert game.why_not("bid/3/1") == "`quantity` goes from 1 to 2"
    assert game.why_not("bid/2/1") is None


def test_after_the_highest_bid_the_call_is_forced() -> None:
    game = play(table("liars_dice", 2, "3", "5"), "bid/2/6")
    assert game.over
    assert game.scores == {1: -1, 2: 1}


def test_dice_are_known_to_their_seat_until_somebody_calls() -> None:
    game = play(table("liars_dice", 2, "3", "5"), "bid/1/5")
    assert seat_in(game, 1, viewer=1)["shows"]["3"] == 1
    for viewer in (2, None):
        assert set(seat_in(game, 1, viewer)["shows"].values()) == {"hidden"}
        assert "draw/3" not in log_keys(game, viewer, "chance")
    game.play("liar")
    shown = next(item for item in game.log if item["event"] == "reveal")
    assert shown["audience"] == "all"
    assert isinstance(shown["values"], dict) and (shown["values"]["1/3"], shown["values"]["2/5"]) == (1, 1)


def test_dice_fall_alike_and_apart() -> None:
    """Two dice are thrown one after the other, so each pair of faces is as likely as any other."""
    game = ichiba.load("liars_dice", seats=2, options={"dice": 2, "sides": 2})
    thrown = [p for p in positions(game) if isinstance(p, Chance)]
    assert {tuple(p.weights.items()) for p in thrown} == {(("1", 1), ("2", 1))}
    assert len(thrown) == 1 + 2 + 4 + 8


# Leduc poker


def test_leduc_poker_has_as_many_histories_as_is_known() -> None:
    game = game_of("leduc_poker", 2)
    assert counts(game) == counts(game, forced=False) == Counts(chance=157, decision=3780, terminal=5520)


def test_a_pair_with_the_open_card_wins() -> None:
    game = table("leduc_poker", 2, "jack_of_hearts", "king_of_spades", "jack_of_spades")
    play(game, "call", "call", "call", "call")
    assert game.ending == "showdown"
    assert game.scores == {1: 1, 2: -1}


def test_equal_ranks_share_the_pot() -> None:
    game = table("leduc_poker", 2, "jack_of_hearts", "jack_of_spades", "king_of_hearts")
    play(game, "raise", "call", "raise", "raise", "call")
    assert game.scores == {1: 0, 2: 0}


def test_who_folds_loses_what_was_put_in_and_shows_nothing() -> None:
    game = play(table("leduc_poker", 2, "king_of_hearts", "jack_of_spades"), "raise", "raise", "fold")
    assert game.ending == "fold"
    assert game.scores == {1: -3, 2: 3}
    assert seat_in(game, 2, viewer=1)["hand"] == {"hidden": 1}


def test_two_raises_a_round_and_no_fold_without_a_bet() -> None:
    game = table("leduc_poker", 2)
    assert game.why_not("fold") == "nobody has bet more than you"
    play(game, "raise", "raise")
    assert game.why_not("raise") == "there have been 2 raises in this round"
    with pytest.raises(ichiba.IllegalMove, match="there have been 2 raises in this round"):
        game.play("raise")


def test_a_hand_is_hidden_until_the_showdown() -> None:
    game = table("leduc_poker", 2, "king_of_hearts", "jack_of_spades", "jack_of_hearts")
    assert seat_in(game, 1, viewer=1)["hand"] == {"king_of_hearts": 1}
    for viewer in (2, None):
        assert seat_in(game, 1, viewer)["hand"] == {"hidden": 1}
        assert "draw/king_of_hearts" not in log_keys(game, viewer, "chance")
    play(game, "call", "call")
    assert log_keys(game, None, "chance") == ["draw/jack_of_hearts"]
    play(game, "call", "call")
    assert seat_in(game, 1, viewer=2)["shown"] == {"king_of_hearts": 1}


def test_no_chip_comes_or_goes() -> None:
    ends = [p for p in positions(game_of("leduc_poker", 2)) if isinstance(p, End)]
    assert {sum(end.scores.values()) for end in ends} == {0}
    assert {end.ending for end in ends} == {"fold", "showdown"}


# No Thanks!


def draws(*cards: int) -> list[str]:
    return [str(card) for card in cards]


def test_whoever_takes_a_card_takes_the_chips_on_it_and_is_asked_again() -> None:
    game = play(table("no_thanks", 3, *draws(30, 12), start_player=1), "pay", "pay", "take")
    assert game.ask("seat(3).chips") == 13
    assert seat_in(game, 3, None)["cards"] == {"30": 1}
    assert game.decision is not None and game.decision.seat == 3
    assert game.ask("offer") == "12"


def test_of_a_run_only_the_lowest_card_counts() -> None:
    """One seat takes everything: the odd ones out are 3 and 35."""
    cards = [*range(12, 35), 3]
    game = table("no_thanks", 3, *draws(*cards), start_player=2)
    play(game, *["take"] * 24)
    assert game.over
    assert game.scores == {1: -11, 2: 12 + 3 - 11, 3: -11}
    assert game.ranking == [[1, 3], [2]]


@pytest.mark.parametrize(("seats", "chips"), [(3, 11), (4, 11), (5, 11), (6, 9), (7, 7)])
def test_the_more_seats_the_fewer_chips(seats: int, chips: int) -> None:
    game = table("no_thanks", seats)
    assert {game.ask(f"seat({s}).chips") for s in range(1, seats + 1)} == {chips}


def test_chips_are_hidden_and_who_has_none_is_asked_all_the_same() -> None:
    game = play(table("no_thanks", 3, *draws(30), start_player=1), *["pay"] * 33)
    assert game.decision is not None and (game.decision.seat, game.decision.keys()) == (1, ["take"])
    assert game.why_not("pay") == "this costs 1 chip; you have 0 chips"
    assert seat_in(game, 1, viewer=1)["chips"] == 0
    for viewer in (2, None):
        assert seat_in(game, 1, viewer)["chips"] == "hidden"
    pending = game.view(2)["pending"]
    assert pending == [{"seat": 1, "path": ""}]


def test_nobody_knows_which_cards_are_left_out() -> None:
    game = table("no_thanks", 3, *draws(30), start_player=1)
    seen = game.view(1)["table"]
    assert isinstance(seen, dict) and seen["deck"] == {"hidden": 32}


# The library's sets


FRUIT = """
game: fruit
language: 2
seats: 2
uses: [sets]
tables:
  worth: [1, 3, 6, 10]
pieces:
  fruit: {count: 9, in: market, sorts: [apple, pear, plum, fig]}
rules: |
  seat:
      zone basket of fruit
  table:
      zone market of fruit

  value in_basket(s: seat, k: fruit) -> number: count of k in s.basket

  value face(k: fruit) -> number: 10 + position of k

  setup:
      move 3 apple from market to seat(1).basket
      move 1 pear from market to seat(1).basket
      move 2 fig from market to seat(1).basket

  play:
      take one turn each from seat(1):
          choose k in fruits
          move 1 k from market to my.basket

  scoring:
      score for each seat:
          score "Kinds" kinds_held(in_basket(me), fruits)
          score "Full" full_sets(in_basket(me), fruits)
          score "Different" different_sets(in_basket(me), fruits, worth)
          score "Alike" alike_sets(in_basket(me), fruits, worth)
          score "Pairs" paired_sets(in_basket(me), fruits, 2, 5)
          score "Runs" run_starts(in_basket(me), fruits, face)
"""


def test_the_library_scores_sets(tmp_path: Path) -> None:
    """Seat 1 has three apples, a pear, a plum and two figs, seat 2 a plum."""
    (tmp_path / "game.yaml").write_text(FRUIT)
    game = play(ichiba.load(tmp_path, seats=2).start(seed=1), "k/plum", "k/plum")
    scored = {(item["seat"], item["what"]): item["value"] for item in game.log if item["event"] == "score"}
    kinds = ("Kinds", "Full", "Different", "Alike", "Pairs", "Runs")
    assert [scored[1, kind] for kind in kinds] == [4, 1, 10 + 3 + 1, 6 + 1 + 1 + 3, 5 + 5, 11]
    assert [scored[2, kind] for kind in kinds] == [1, 0, 1, 1, 0, 13]


# All of them

SMALL = ["first_price_auction", "goofspiel", "leduc_poker", "liars_dice", "no_thanks", "oshi_zumo"]


@pytest.mark.parametrize("name", SMALL)
def test_a_ruleset_says_what_it_is(name: str) -> None:
    box = ichiba.load(name).box
    assert box.title["en"] and box.about["en"] and box.source


@pytest.mark.parametrize("name", SMALL)
def test_every_game_can_be_played_on_from_its_save(name: str, tmp_path: Path) -> None:
    game = ichiba.load(name).start(seed=5)
    while not game.over:
        game.save(tmp_path / "game.json")
        again = ichiba.resume(tmp_path / "game.json")
        assert [d.keys() for d in again.pending] == [d.keys() for d in game.pending]
        game.play(game.seed % len(game.legal()) if isinstance(game.seed, int) else 0)
    assert game.scores
