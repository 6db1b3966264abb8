"""Policies go by the numbers of the answers, and find the same as by their keys: in every game, for every text of a `prefer`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.native.compiler import compile_game
from ichiba.interpreter.policies import of_game
from ichiba.interpreter.policies import players as lab
from ichiba.interpreter.policies.remembered import worth_remembering
from ichiba.interpreter.policies.spelled import weights_by_keys
from ichiba.interpreter.run.table import FAULTS, Table
from ichiba.lab.policies import BrokenOff, Preferring, play_out, policy
from tests.conftest import Tally
from tests.depth import mostly_seldom, seldom
from tests.properties.tables import Setting, loaded, paired, sampled, slice_of
from tests.validator.small import ruleset

RULES = """\
add to seat:
    zone dock of boat
    zone stock of gem
    counter luck: 0 .. 9 start 4

table:
    purse bank: coin, unlimited
    zone heap of gem
    zone sea of boat
    counter round: 0 .. 9
    counter price(g: gem): 1 .. 9 start 3

setup:
    for each s in seats: move 2 boat from sea to s.dock
    for each s in seats: move 2 gem from heap to s.stock

procedure turn:
    menu actions up to 3 times:
        option sail "Sail {b} {n}" for b in my.dock, n in 1 .. 3: nothing
        option sell "Sell {g}" for g in my.stock: nothing
        option selling "Off" key "sell/off": nothing
        option trade "Trade {s} {g}" for s in others, g in gems keyed by s, price(g) + position of g: nothing
        option swap "Swap {s} {t} {d}" for s in others, t in seats, d in sides: nothing
        option rest: lower my.luck by 1
        option pay_up costs 2 of my.stock to heap as gem: nothing
    choose some spent from my.stock "Which?"
"""

PIECES = """\
sorts: {side: [left, right]}
pieces:
  gem: {sorts: [red, green, blue], count: 6, in: heap}
  boat: {individual: true, in: sea, sorts: {sloop: {}, brig: {}}, count: 3}
"""

TEXTS = [
    '"*"', '"rest"', '"re*"', '"r?st"', '"[rs]*"', '"*/*"', '"s*/red"', '"sail/*"', '"sail/*/2"',
    '"sail/{b}/*" for b in my.dock by 2', '"*/red"', '"sail/{b}/{n}" for b in boats, n in 1 .. 9 step 2 by n',
    '"*/{n}" for n in 2 .. 5 by n * my.luck', '"*/{s}/*" for s in seats',
    '"swap/{s}/{t}/{d}" for s in seats, t in others, d in sides by 5',
    '"swap/{s}/*/left" for s in {me, me, next_seat(me)} by my.luck', '"{g}" for g in gems',
    '"sell/{g}" for g in my.stock by 3', '"sell/{g}" for g in gems where price(g) > 2',
    '"sell/*" when my.luck > 3 by number(my.cash)', '"sail/2/*" nearest 2', '"sail/*" nearest 2', '"trade/*/*"',
    '"trade/{s}/*" for s in others by 4', '"trade/1/*" nearest my.luck',
    '"trade/{s}/{n}" for s in seats, n in 0 .. my.luck by n', '"spent/red/*" nearest 1',
    '"spent/{g}/{n}" for g in gems, n in 1 .. 2 by n', '"spent/red/1" by -1', '"swap/{n}/*" for n in 1 .. 2',
    '"pay_up"', '"pay/*" by 2', '"swap/{s}/{s}/*" for s in seats',
    '"swap/*/*/{d}" for d in sides when d is right by 7', '"*il/*"', '"sell/o*"',
    '"sail/{b}/{n}" for n in 1 .. 3, b in my.dock where n > 1',
    '"swap/{s}/*" for s in seats, t in others where t is not s by t.luck',
    '"rest" for g in my.stock by position of sort of g', '"rest" by -abs(my.luck - 7)', '"*/*/*/right" by 3',
]  # fmt: skip
FROM_KEYS = {  # of these no one can tell before the game which answers they mean: at some question at least
    '"[rs]*"', '"s*/red"', '"*/red"', '"*/{n}" for n in 2 .. 5 by n * my.luck', '"*/{s}/*" for s in seats', '"swap/{n}/*" for n in 1 .. 2',
    '"swap/{s}/{s}/*" for s in seats', '"*il/*"', '"sell/o*"',
}  # fmt: skip


def compare(table: Table, bot: Preferring) -> None:
    """Both find the same, and what they find is not told from the keys where it need not be."""
    decision = table.decision
    assert decision is not None
    found = weights_by_keys(table.game, bot.preferences, decision)
    weigh = bot.weighs.get(decision.site.number)
    if weigh is not None:
        assert list(weigh(table.state, decision.seat_index, decision.codes)) == found, decision.keys()
    assert bot.weights(decision) == found, decision.keys()
    assert len(found) == len(decision.codes)


def played(game: ichiba.Game, name: str, seed: int, most: int) -> int:
    """A game in which the policy often has its way, and chance otherwise; so many decisions of it at most."""
    table, random = game.start(seed), Random(seed)
    bots = [policy(game, name, f"{seed}/{seat}") for seat in range(1, game.seats + 1)]
    for number in range(most):
        decision = table.decision
        if decision is None:
            return number
        bot = bots[decision.seat_index]
        assert isinstance(bot, Preferring)
        compare(table, bot)
        try:
            table.step(bot.index(decision) if random.random() < 0.7 else random.randrange(len(decision.codes)))
        except FAULTS:
            return number
    return most


@pytest.mark.parametrize("setting", [*sampled(__name__, 3), *seldom(paired())], ids=str)
def test_every_game_is_played_as_by_its_keys(setting: Setting, tally: Tally, request: pytest.FixtureRequest) -> None:
    game = loaded(setting)
    most = 10**9 if request.node.get_closest_marker("soak") else slice_of(setting, 300)
    for name in game.program.policies:
        tally(decisions=played(game, name, 3, most))


def test_no_policy_of_ours_needs_its_keys() -> None:
    for name, folder in rulesets().items():
        game = ichiba.load(folder)
        for own in game.program.policies:
            bot = policy(game, own, 1)
            assert isinstance(bot, Preferring)
            assert (bot.spelled, bot.masked) == (frozenset(), False), name


@pytest.mark.parametrize("text", mostly_seldom(TEXTS, 8))
def test_whatever_a_preference_says_it_is_the_same(text: str, tmp_path: Path) -> None:
    game = made(tmp_path, f"    prefer {text}\n")
    assert played(game, "keen", 1, 40) > 12
    bot = policy(game, "keen", 1)
    assert isinstance(bot, Preferring)
    assert bool(bot.spelled) == (text in FROM_KEYS), bot.spelled


def test_all_of_them_together_are_the_same(tmp_path: Path) -> None:
    game = made(tmp_path, "".join(f"    prefer {text}\n" for text in TEXTS if text not in FROM_KEYS))
    assert played(game, "keen", 2, 40) > 12


def test_what_is_looked_at_under_a_condition_is_looked_at_again_without_it(tmp_path: Path) -> None:
    wishes = [
        '"spent/red/{n}" for n in 0 .. 2 by n', '"spent/{g}/*" for g in gems by position of g', '"spent/*/{n}" for n in 1 .. 2 by 3',
        '"trade/1/{n}" for n in 0 .. 9 by n', '"trade/*/{n}" for n in 0 .. 5 by 2', '"trade/2/*" nearest 4', '"trade/*/*" when my.luck > 2',
    ]  # fmt: skip
    game = made(tmp_path, "".join(f"    prefer {wish}\n" for wish in wishes))
    assert played(game, "keen", 4, 40) > 12


@pytest.mark.parametrize("seats", [2, 4])
def test_what_is_remembered_holds_for_one_question_alone(seats: int) -> None:
    """The same is asked for every answer; at the next question it may be worth something else, and others may weigh at the same time."""
    game = ichiba.load("tsukiji", seats)
    assert worth_remembering(of_game.policies_of(game).plan.plan)
    [named] = game.program.policies
    bot = policy(game, named, 1)
    assert isinstance(bot, Preferring)
    tables = [met for seed in range(6) for met in later(game.start(seed), Random(seed))]

    def weighed(those: list[Table]) -> list[list[int]]:
        return [bot.weights(decision) for table in those if (decision := table.decision) is not None]

    alone = [weights_by_keys(game, bot.preferences, decision) for table in tables if (decision := table.decision) is not None]
    assert weighed(tables) == alone == weighed(tables[::-1])[::-1]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(weighed, [tables] * 8)) == [alone] * 8


def later(table: Table, rng: Random) -> list[Table]:
    """Tables as they stand in the course of a game."""
    found = []
    while table.codes:
        table.step(rng.randrange(len(table.codes)))
        if rng.random() < 0.1:
            found.append(table.copy())
    return found


def test_what_goes_wrong_is_told_as_from_the_keys(tmp_path: Path) -> None:
    never = "/ (my.luck - my.luck) rounded down"
    game = made(tmp_path, f'    prefer "sell/*" by 8 {never}\n    prefer "sail/{{b}}/*" for b in boats when 1 {never} > 0\n')
    decision = game.start(1).decision
    assert decision is not None
    bot, said = policy(game, "keen", 1), set()
    assert isinstance(bot, Preferring) and not bot.spelled
    for find in (bot.index, lambda one: weights_by_keys(game, bot.preferences, one)):
        with pytest.raises(FAULTS) as caught:
            find(decision)
        said.add((type(caught.value), str(caught.value)))
    assert len(said) == 1


def test_two_answers_with_one_key_are_a_fault_for_a_policy(tmp_path: Path) -> None:
    twice = RULES.replace("keyed by s, price(g) + position of g", "keyed by s, price(g)")
    game = made(tmp_path, '    prefer "rest" by 2\n', twice)
    with pytest.raises(BrokenOff, match="two answers to .* have the same key `trade/2/3`"):
        play_out(game, 1, ["keen"] * 3)
    assert play_out(game, 1, ["random"] * 3).over  # who goes by the places of answers needs no keys


def test_a_policy_is_compiled_once_for_all_seats_and_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = made(tmp_path, '    prefer "sell/{g}" for g in gems by position of g\n')
    play_out(game, 1, ["keen"] * 3)
    monkeypatch.setattr(lab, "weights_by_keys", None)
    monkeypatch.setattr(of_game, "compiled", None)
    monkeypatch.setattr(ichiba.Game, "compile_expression", None)
    assert play_out(game, 2, ["keen"] * 3).over


WHOLE_GAMES = {
    "it fails": '"sell/*" by 8 / (my.luck - 2) rounded down\n    prefer "rest" by 9',
    "it takes too long": '"rest" by sum of (a + b + c for a in 1 .. 300 * my.luck, b in 1 .. 9, c in 1 .. 9)',
    "it goes by keys": '"[rs]*" by my.luck',
    "it is plain": '"sell/{g}" for g in my.stock by position of sort of g\n    prefer "trade/{s}/{n}" for s in others, n in 3 .. 5 by n',
}


@pytest.mark.parametrize("case", WHOLE_GAMES)
def test_whole_games_in_machine_code_are_those_of_python(case: str, tmp_path: Path) -> None:
    """What fails there fails here, with the same words; what goes by keys Python plays."""
    told = []
    game = made(tmp_path, f"    prefer {WHOLE_GAMES[case]}\n")
    for native in (False, True):
        if native:
            compile_game(game)
        found = game.batch(range(6), "keen")
        told.append((found.faults, found.scores.tolist(), found.decisions.tolist()))
    assert told[0] == told[1]
    assert bool(told[0][0]) == (case in ("it fails", "it takes too long"))
    assert (found.in_python == 0) == (case == "it is plain")


def made(folder: Path, wishes: str, rules: str = RULES) -> ichiba.Game:
    return ichiba.load(ruleset(folder, {"turn.rules": f"{rules}\npolicy keen:\n{wishes}", "game.yaml": PIECES}), 3, trust=True)
