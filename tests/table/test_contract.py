"""What programs elsewhere lean on, line by line: each public name, what it takes, and what it gives back."""

from __future__ import annotations

import inspect
import json
import os
from pathlib import Path

import pytest

import ichiba as package
from ichiba import Decision, Game, IllegalMove, Option, Table, load, resume
from tests.table.door import ichiba


@pytest.fixture(scope="module")
def market() -> Game:
    os.environ["ICHIBA_TRUST"] = "1"
    return load(
        "tokyo_tsukiji_market", seats=4, modules=["expansion"], variants=["crashing_markets"], config="first_game",
        options={"fish": ["mackerel", "eel"], "closed_money": True, "expansion.barges": "four_slot"},
        assumptions={"A-TTM-21": 60}, lang="en", native=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def bids() -> Game:
    """Everybody answers in secret."""
    return load("goofspiel", seats=3)


def test_everything_public_is_exported() -> None:
    wanted = {"Decision", "Game", "IllegalMove", "Option", "RulesetFaults", "SaveFault", "Table", "UnknownRuleset", "load", "resume"}
    assert wanted <= set(package.__all__) <= set(dir(package))
    assert all(getattr(package, name) is not None for name in package.__all__)


def test_what_load_is_told_is_what_the_game_has(market: Game) -> None:
    assert (market.name, market.seats, market.lang, market.native) == ("tokyo_tsukiji_market", 4, "en", False)
    assert (market.config.modules, market.config.variants) == (("expansion",), ("crashing_markets",))
    chosen = {name: option.chosen for name, option in market.options.items()}
    assert (chosen["fish"], chosen["closed_money"], chosen["expansion.barges"]) == (["mackerel", "eel"], True, "four_slot")
    assert chosen["external"] == ["aquarium", "trading"], "what is not said is as the preset says"
    assert market.configuration is not None and market.configuration.name == "first_game"


def test_a_decision_says_who_where_and_what(market: Game) -> None:
    table = market.start(seed=7)
    decision = table.decision
    assert isinstance(decision, Decision) and table.pending[0].seat == decision.seat
    assert (decision.question, decision.path, decision.secret) == ("turn.actions", "", False)
    first = decision.options[0]
    assert isinstance(first, Option) and (first.key, first.label, first.index) == ("fish", "Go fishing", 0)
    assert decision.prompt == "What do you do?"
    table.play("fish")
    assert table.decision is not None and table.decision.path == "fish"


def test_an_answer_is_a_key_an_option_or_an_index(market: Game) -> None:
    states = []
    for number in range(3):
        table = market.start(seed=7)
        assert table.decision is not None
        table.play(("fish", table.decision.options[0], 0)[number])
        states.append(table.key())
    assert states[0] == states[1] == states[2]


def test_in_secret_each_answers_for_a_seat(bids: Game) -> None:
    table = bids.start(seed=7)
    assert [decision.seat for decision in table.pending] == [1, 2, 3] and table.pending[0].secret
    table.play("card/9", seat=3)
    table.play("card/1")
    assert [decision.seat for decision in table.pending] == [2]
    with pytest.raises(IllegalMove, match="seat 3 has nothing to decide now; the table waits for seat 2"):
        table.play("card/2", seat=3)


def test_what_cannot_be_answered_says_why_and_changes_nothing(market: Game) -> None:
    table = market.start(seed=7)
    before = table.key()
    for option in table.decision.options if table.decision is not None else ():
        assert table.why_not(option.key) is None
    with pytest.raises(IllegalMove) as refused:
        table.play("visit/bank")
    assert str(refused.value) == f"visit/bank: {table.why_not('visit/bank')}"
    assert table.key() == before


def test_an_expression_is_asked_and_the_game_looked_at(market: Game) -> None:
    table = market.start(seed=7)
    assert table.ask("cash of seat(1)") == 2000
    for seen in (table.view(seat=1), table.view(seat=None), table.view(), table.referee()):
        assert json.loads(json.dumps(seen))["game"]
    assert "log" in table.view(1) and "seed" not in table.view(1) and table.referee()["seed"] == 7
    assert set(table.outlook) == {1, 2, 3, 4} and table.turn == 1
    assert (table.over, table.ending, table.scores) == (False, None, dict.fromkeys((1, 2, 3, 4), 0))
    assert sorted(seat for place in table.ranking for seat in place) == [1, 2, 3, 4]


def test_what_has_happened_is_told_since_a_moment(market: Game) -> None:
    table = market.start(seed=7)
    before = len(table.events())
    table.play("fish")
    since = table.events(since=before)
    assert since == table.events()[before:] and [event["number"] for event in since] == list(range(before + 1, before + 1 + len(since)))
    assert since[0]["event"] == "decision" and since[0]["key"] == "fish"
    assert all({"path", "audience"} <= set(event) for event in since)
    drawn = next(event for event in table.events() if event["event"] == "moved")
    assert drawn["from"] and drawn["to"]
    assert [item["event"] for item in table.log if item["event"] not in ("chance", "decision")] == []


def test_imagined_copied_taken_back_saved(bids: Game, tmp_path: Path) -> None:
    table = bids.start(seed=7)
    table.play("card/9", seat=3)
    imagined = table.imagine(seat=1, seed=3)
    assert isinstance(imagined, Table) and imagined.view(1) == table.view(1)
    assert imagined.key() == table.imagine(seat=1, seed=3).key()
    other = table.copy()
    other.play("card/1", seat=1)
    assert other.key() != table.key()
    other.undo()
    assert other.key() == table.key()
    table.save(tmp_path / "kept.json")
    assert resume(tmp_path / "kept.json").key() == table.key()
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert {"ichiba", "ruleset", "layout", "seats", "modules", "options", "seed", "answers", "facts"} <= set(kept)


def test_the_quick_path_is_the_same_game(bids: Game) -> None:
    def last(table: Table) -> int:
        return len(table.legal()) - 1

    whole, stepped = bids.playout(7, last), bids.start(7)
    while stepped.legal():
        stepped.step(last(stepped))
    assert stepped.over and stepped.ending and stepped.key() == whole.key()
    places = stepped.ranking
    assert all(stepped.scores[place[0]] == stepped.scores[seat] for place in places for seat in place)


def test_a_seed_that_is_not_said_is_drawn_and_can_be_said_again(bids: Game) -> None:
    seeds = {bids.start().seed for _ in range(3)}
    assert len(seeds) == 3 and all(isinstance(seed, int) and seed.bit_length() <= 128 for seed in seeds)
    assert max(seed.bit_length() for seed in seeds if isinstance(seed, int)) > 100


SIGNATURES = {
    load: ("name", "seats", "config", "modules", "variants", "options", "assumptions", "lang", "native"),
    Table.play: ("answer", "seat"),
    Table.why_not: ("key",),
    Table.view: ("seat",),
    Table.imagine: ("seat", "seed"),
    Table.events: ("since",),
    Game.start: ("seed",),
    Game.playout: ("seed", "policy"),
}


@pytest.mark.parametrize("function", SIGNATURES, ids=lambda function: function.__qualname__)
def test_arguments_keep_their_names(function: object) -> None:
    assert callable(function)
    known = set(inspect.signature(function).parameters)
    assert set(SIGNATURES[function]) <= known  # type: ignore[index]


COMMANDS = {
    "games": ("--format",),
    "info": ("--rule", "--stage", "--combos", "--format"),
    "assumptions": (),
    "check": ("--format", "--fix", "--all", "--watch"),
    "test": ("--coverage", "--jobs", "--changed", "-x"),
    "fmt": ("--check", "--upgrade"),
    "schema": (),
    "new": ("--in", "--of", "--for"),
    "explain": (),
    "play": ("--seats", "--bots", "--with", "--variant", "--set", "--assume", "--seed", "--config", "--watch", "--resume"),
    "simulate": ("--games", "--out", "--config", "--policy"),
    "replay": ("--step", "--check", "--upgrade"),
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_understands_its_words(command: str) -> None:
    said = ichiba(command, "--help")
    assert said.code == 0 and "examples:" in said.out
    assert [word for word in COMMANDS[command] if word not in said.out] == []
