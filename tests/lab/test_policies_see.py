"""A policy sees what its seat sees: what it works out is the same whatever lies where its seat cannot look."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.rules import ir
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.run.game import dump, undump
from ichiba.interpreter.sight.masking import Mask
from ichiba.lab.policies import policy
from ichiba.table.scene.telling.story import Story
from tests.conftest import Tally

GAME = """\
game: peeking
language: 2
title: Peeking
seats: 2
units: {coin: {}}
pieces:
  gem: {in: box, sorts: {ruby: {}, opal: {}}, count: 20}
  boat: {individual: true, in: sea, sorts: {red: {}, blue: {}}}
rules: |
  seat:
      zone hand of gem, hidden from others
      zone vault of gem, hidden from others, uncounted
      zone laid of gem
      zone chest of gem
      zone cove of boat, hidden from others
      purse cash: coin, hidden from others
      counter fame: 2 .. 9 start 3, hidden from others
      flag spy, hidden from others
      remember friend: seat or none, hidden from others
  table:
      purse bank: coin, unlimited
      zone box of gem
      zone sea of boat
      zone deck of gem, face down
  setup:
      move 3 ruby from box to seat(2).hand
      move 1 opal from box to seat(2).vault
      move 1 opal from box to seat(1).hand
      move 2 opal from box to deck
      for each b in sea: move b to seat(2).cove
      for each s in seats: move 1 opal from box to s.chest
      seat(2) gains 7 coin from bank
      set seat(2).fame to 8
      mark seat(2).spy
      set seat(2).friend to seat(1)
  play:
      as seat(1):
          menu guessing:
              option guess "You hold {my.hand}. Guess {n}" for n in 0 .. 9: nothing
              option rest "Rest": nothing
      each s in seats secretly:
          choose g in {ruby, opal} "Which?"
          move 1 opal from s.chest to s.laid
      as seat(1): choose k from 0 to 1 "You hold {count of opal in my.hand} opal. Go on?"
  scoring:
      score for each seat: score "Fame" my.fame
"""


def game_of(folder: Path, game: str = GAME) -> ichiba.Game:
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    return ichiba.load(folder, trust=True)


def test_a_policy_that_guesses_by_what_others_hold_is_refused(tmp_path: Path) -> None:
    guessing = GAME + '  policy cheat:\n      prefer "guess/{n}" for n in 0 .. 9 when n = count of ruby in seat(2).hand\n'
    with pytest.raises(ichiba.RulesetFaults, match="the policy `cheat` reads `hand` of others, which its seat may not see"):
        game_of(tmp_path, guessing)


@pytest.mark.parametrize(
    ("expression", "seen"),
    [
        ("count of ruby in seat(2).hand", 3),
        ("count of seat(2).hand", 3),  # the first sort stands for all of them: how many there are is open
        ("count of opal in seat(2).hand", 0),
        ("count of seat(2).vault", 0),
        ("number(seat(2).cash)", 0),
        ("seat(2).fame", 2),
        ("if seat(2).spy then 1 else 0", 0),
        ("if seat(2).friend is none then 1 else 0", 1),
        ("count of (b in seat(2).cove where b is red)", 0),
        ("count of opal in my.hand", 1),
    ],
)
def test_what_a_seat_may_not_see_is_blank(expression: str, seen: int, tmp_path: Path) -> None:
    table = game_of(tmp_path).start(seed=1)
    blank = table.copy()
    blank.state = Mask(table.game, 0).of(table.state)
    assert blank.ask(expression.replace("my.", "seat(1).")) == seen
    assert Mask(table.game, 1).of(table.state) is not table.state


def test_what_others_have_done_in_secret_is_not_done_yet(tmp_path: Path) -> None:
    table = game_of(tmp_path).start(seed=1)
    table.play("rest")
    table.play("g/opal", seat=2)
    masked = table.copy()
    masked.state = Mask(table.game, 0).of(table.state)
    assert table.ask("count of seat(2).laid") == 1
    assert masked.ask("count of seat(2).laid") == 0


def test_the_words_of_others_who_see_more_are_not_in_the_story(tmp_path: Path) -> None:
    table = game_of(tmp_path).start(seed=1)
    for key, seat in (("guess/4", 1), ("g/ruby", 1), ("g/ruby", 2)):
        table.play(key, seat=seat)
    table.play("k/1")
    story = Story(table)
    own, other, spectator = (str(story.items(seat)) for seat in (1, 2, None))
    assert "You hold" in own and "opal. Go on?" in own
    assert "You hold" not in other + spectator and "guess/4" in other and "guess/4" in spectator
    assert "You hold" in str(story.items(2, everything=True))


@pytest.mark.parametrize("name", ["tsukiji", "shinjuku"])
def test_a_game_that_was_kept_still_has_its_policy(name: str) -> None:
    """What a policy works out is written when it is first asked for: also of a game that was put away and taken out."""
    game = ichiba.load(name)
    kept = undump(pickle.loads(pickle.dumps(dump(game))))  # noqa: S301 our own
    decision = kept.start(seed=1).decision
    assert decision is not None
    assert policy(kept, "sensible", 1).index(decision) in range(len(decision.codes))


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_policies_answer_as_before_whatever_is_blank(name: str, tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    """The policies of the rulesets read nothing that their seats may not see: masked or not they give the same answers."""
    game = ichiba.load(rulesets()[name])
    own = list(game.program.policies)
    answers = 0
    for way in own:
        table = game.start(seed=5)
        bots = [policy(game, way, seat) for seat in range(game.seats)]
        for _ in range(60):
            decision = table.decision
            if decision is None:
                break
            masked = bots[decision.seat_index].weights(decision)  # type: ignore[attr-defined]
            with monkeypatch.context() as patch:
                patch.setattr(Mask, "of", lambda self, state: state)
                assert bots[decision.seat_index].weights(decision) == masked  # type: ignore[attr-defined]
            table.step(masked.index(max(masked)))
            answers += 1
    tally(answers=answers)
    assert all(isinstance(p, ir.Preference) for ps in game.program.policies.values() for p in ps)
