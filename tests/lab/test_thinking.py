"""Players that think ahead: what they are called, that the same dice play the same game, that they see what their seat sees."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import ichiba
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.run.table import Table
from ichiba.lab.players.budget import Budget
from ichiba.lab.players.players import within
from ichiba.lab.players.playouts import Ended
from ichiba.lab.players.rating import points_of, rated
from ichiba.lab.players.searcher import Searcher
from ichiba.lab.players.value import PointsJudge
from ichiba.lab.players.worlds import Worlds, nothing_hidden
from ichiba.lab.policies import UnknownPolicy, play_out, policy
from ichiba.lab.results.reading import seated
from ichiba.lab.results.statistics import Moments

HIDDEN = [("leduc_poker", 2), ("goofspiel", 3), ("liars_dice", 2), ("tsukiji", 3), ("lantern_coast", 2), ("caravan_yard", 3)]


def at_random(game: Game, seed: int) -> Iterator[Table]:
    """The tables of a game that is played at random, decision by decision."""
    table, dice = game.start(seed), Random(seed)
    while table.codes:
        yield table
        table.step(dice.randrange(len(table.codes)))


@pytest.mark.parametrize(
    ("words", "wanted"),
    [("500", Budget(500)), ("0.8s", Budget(1_000_000, 0.8)), ("2s", Budget(1_000_000, 2.0)), ("1", Budget(1))],
)
def test_a_budget_is_playouts_or_seconds(words: str, wanted: Budget) -> None:
    assert Budget.read(words) == wanted


@pytest.mark.parametrize("words", ["", "0", "0s", "-5", "1.5", "9999999999", "601s", "s", "3 s", "1e3"])
def test_anything_else_is_none(words: str) -> None:
    assert Budget.read(words) is None


@pytest.mark.parametrize(
    "name",
    ["searcher:", "searcher:much", "searcher:0", "greedy:5", "greedy:points", "searcher:0:points", "searcher:points:5", "searcher:5:points:5"],
)
def test_a_player_that_is_none_is_told_with_what_there_is(name: str) -> None:
    with pytest.raises(UnknownPolicy, match=r"`searcher:500` thinks for 500 playouts"):
        policy(ichiba.load("leduc_poker"), name, 1)


def test_at_a_table_a_searcher_gets_a_time_unless_it_has_a_budget_of_its_own() -> None:
    assert within("searcher", 0.8) == "searcher:0.8s"
    assert within("searcher:points", 0.8) == "searcher:0.8s:points"
    others = ["searcher:500", "searcher:500:points", "greedy", "random"]
    assert [within(name, 0.8) for name in others] == others


@pytest.mark.parametrize(("name", "seats"), [("leduc_poker", 2), ("goofspiel", 3)])
@pytest.mark.parametrize("player", ["greedy", "searcher:4", "searcher:4:points"])
def test_the_same_dice_play_the_same_game(name: str, seats: int, player: str) -> None:
    game = ichiba.load(name, seats=seats)
    first, again = (play_out(game, 3, [player, *["random"] * (seats - 1)]) for _ in range(2))
    assert first.history == again.history and first.over


@pytest.mark.parametrize(("name", "seats"), HIDDEN)
def test_a_searcher_answers_the_same_whatever_is_hidden_from_it(name: str, seats: int) -> None:
    """At a table that its seat could just as well be sitting at."""
    game = ichiba.load(name, seats=seats)
    looked = 0
    for number, table in enumerate(at_random(game, 2)):
        decision = table.decision
        assert decision is not None
        if number % 7 == 2 and len(decision.codes) > 1:
            other = table.imagine(decision.seat, seed=number)
            twin = next(one for one in other.pending if one.seat == decision.seat)
            for player in ("greedy", "searcher:3", "searcher:3:points"):
                assert policy(game, player, 5).index(decision) == policy(game, player, 5).index(twin)
            looked += 1
        if looked == 3:
            return
    assert looked


@pytest.mark.parametrize(("name", "seats"), HIDDEN)
def test_what_is_imagined_is_a_table_that_the_seat_could_sit_at(name: str, seats: int) -> None:
    game = ichiba.load(name, seats=seats)
    for number, table in enumerate(at_random(game, 4)):
        decision = table.decision
        assert decision is not None
        if number % 9 == 3:
            world = Worlds(decision, Random(number)).draw()
            assert list(world.codes) == list(decision.codes) and world.seat == decision.seat_index
        if number > 20:
            return


def test_what_a_seat_knows_by_accident_counts_as_hidden() -> None:
    """An empty hand that others may not see is one of many that they could think of."""
    game = ichiba.load("caravan_yard", seats=3)
    table = game.start(1)
    assert not nothing_hidden(game, 0, table.state)
    assert nothing_hidden(ichiba.load("oshi_zumo"), 0, ichiba.load("oshi_zumo").start(1).state)


@pytest.mark.parametrize(("name", "seats", "games"), [("leduc_poker", 2, 60), ("goofspiel", 2, 10)])
def test_who_searches_beats_who_plays_at_random(name: str, seats: int, games: int) -> None:
    game = ichiba.load(name, seats=seats)
    won = 0.0
    for number in range(games):
        seat = number % seats + 1
        names = ["searcher:30" if at == seat else "random" for at in range(1, seats + 1)]
        first = play_out(game, f"strength/{number}", names).ranking[0]
        won += first.count(seat) / len(first)
    assert won / games > 1 / seats + 0.1


KING, QUEEN, JACK = "draw/king_of_spades", "draw/queen_of_hearts", "draw/jack_of_hearts"


@pytest.mark.parametrize(
    ("dealt", "done", "best"),
    [
        ((QUEEN, KING, JACK), ["call", "call", "call", "raise"], "fold"),  # it wins sometimes, and costs more than it brings
        (("draw/king_of_hearts", KING, "draw/queen_of_spades"), ["call", "call"], "raise"),  # no win more, and chips for the same win
    ],
)
def test_who_plays_for_points_does_what_pays_and_who_plays_to_win_need_not(dealt: tuple[str, ...], done: list[str], best: str) -> None:
    game = ichiba.load("leduc_poker", seats=2)
    table = game.start(1, chance=dealt)
    for answer in done:
        asked = table.decision
        assert asked is not None
        table.step([option.key for option in asked.options].index(answer))
    decision = table.decision
    assert decision is not None

    def answers(player: str) -> list[str]:
        return [decision.options[policy(game, player, dice).index(decision)].key for dice in range(6)]

    assert answers("searcher:60:points") == [best] * 6
    assert set(answers("searcher:200")) > {best}


@pytest.mark.parametrize(("name", "sign"), [("leduc_poker", 1), ("no_thanks", -1)])
def test_for_points_an_end_is_worth_as_many_as_one_is_ahead(name: str, sign: int) -> None:
    judge = PointsJudge(ichiba.load(name, seats=3 if name == "no_thanks" else 2))
    scores = (7, 4, 6)[: len(judge.seats)]
    worths = judge.final(Ended(tuple(range(len(scores))), scores))
    assert worths == ([3.0, -3.0] if sign > 0 else [-3.0, 2.0, -2.0])
    assert judge.reach == 6 and max(judge.broken_off()) < min(worths)


@pytest.mark.soak
def test_for_chips_who_searches_beats_the_policy_greedy_and_chance_at_poker() -> None:
    game = ichiba.load("leduc_poker", seats=2)
    for other in ("sensible", "greedy", "random"):
        ahead = Moments()
        for number in range(1, 601):
            names = seated(("searcher:60:points", other), number)
            scores = play_out(game, f"chips/{number}", names).scores
            own = names.index("searcher:60:points") + 1
            ahead.add(scores[own] - scores[3 - own])
        assert ahead.estimate().low > 0, other


@pytest.mark.soak
@pytest.mark.parametrize(("name", "games"), [("tsukiji", 12), ("goofspiel", 20), ("oshi_zumo", 10)])
def test_who_searches_beats_the_rulesets_own_policy(name: str, games: int) -> None:
    game, players = ichiba.load(name, seats=2), ("searcher:30", "sensible")
    won = 0.0
    for number in range(1, games + 1):
        names = seated(players, number)
        first = play_out(game, f"s/{number}", names).ranking[0]
        won += (names.index("searcher:30") + 1 in first) / len(first)
    assert won / games > 0.6


def test_in_a_long_playout_about_one_answer_is_a_slip() -> None:
    """One of twenty would be thirty of the answers of a large game: luck that hides what an answer is worth."""
    game = ichiba.load("tsukiji", seats=2)
    searcher = policy(game, "searcher:30", 1)
    assert isinstance(searcher, Searcher) and searcher._slips() == 0, "the first playout tells how long one is"
    searcher.lengths.add(500)
    assert searcher._slips() == 2
    searcher.lengths = Moments(1, 4.0)
    assert searcher._slips() == 50, "of a thousand"


# ------------------------------------------------------------------------------------------------- ratings


def test_ten_wins_for_a_loss_are_400_points() -> None:
    games = [((0,), (1,))] * 1000 + [((1,), (0,))] * 100
    strong, weak = points_of(2, games)
    assert strong - weak == pytest.approx(400, abs=2)
    assert strong + weak == pytest.approx(3000)


def test_who_never_loses_has_a_rating_all_the_same() -> None:
    best, middle, last = points_of(3, [((0,), (1,), (2,))] * 50)
    assert 1500 < best < 3000 and best > middle > last


def test_ties_make_players_alike() -> None:
    assert points_of(2, [((0, 1),)] * 20) == pytest.approx([1500, 1500])


def test_the_strongest_comes_first_and_more_games_are_surer() -> None:
    dice = Random(2)
    games = [((0,), (1,)) if dice.random() < 0.7 else ((1,), (0,)) for _ in range(400)]
    few, many = rated(["a", "b"], games[:40]), rated(["a", "b"], games)
    assert [one.name for one in many] == ["a", "b"]
    assert many[0].points.margin < few[0].points.margin
    assert many[0].ahead.many == 0, "nobody said by how much"
    assert many[0].games == 400 and many[0].won / 400 == pytest.approx(0.7, abs=0.06)


def test_beside_wins_stands_by_how_many_points_one_was_ahead() -> None:
    """Who wins less often can be the better player: it wins much and loses little."""
    games, ahead = [((0,), (1,)), ((1,), (0,)), ((1,), (0,))] * 20, [{0: 9.0, 1: -9.0}, {0: -1.0, 1: 1.0}, {0: -2.0, 1: 2.0}] * 20
    often, well = rated(["a", "b"], games, ahead)
    assert (often.name, well.name) == ("b", "a")
    assert well.ahead.value == 2.0 and well.ahead.low > 0 and often.ahead.high < 0
