"""The engine and the reference interpreter side by side: the same answers, and all that can be seen compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import zip_longest
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

import ichiba
from ichiba.interpreter.run.decisions import Decision
from ichiba.interpreter.run.table import FAULTS
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.saves.records import log_of
from ichiba.lab.policies import Preferring, policy
from tests.reference.engine import Ear, heard, state_of
from tests.reference.pieces import Unmet
from tests.reference.play import Game, Setup, set_up
from tests.reference.values import RulesWrong, Word
from tests.reference.wishes import weights
from tests.reference.world import Member, Seat, Sort, Thing

FIRST_THING = 100_000  # where the engine begins to number things
PASSED_OVER = ("prompt", "options")  # words for people: labels and questions


READ: WeakKeyDictionary[ichiba.Game, Setup] = WeakKeyDictionary()


def second_reading(game: ichiba.Game) -> Game:
    """The same ruleset, set up in the same way, but read anew."""
    if game not in READ:
        config, folder = game.config, game.box.path
        assert folder is not None
        parts = (*config.modules, *config.variants)
        READ[game] = set_up(folder, game.seats, parts, dict(config.options), dict(config.assumptions), game.box.memory)
    return Game(READ[game])


class LockStep:
    """One game twice: as generated Python, and as its rules are read."""

    def __init__(self, game: ichiba.Game, seed: int, player: str | None = None):
        """Answers are given at random, or as one of the ruleset's own policies would rather."""
        self.game, self.random = game, Random(seed)
        self.player = None if player is None else policy(game, player, seed)
        self.policy = player
        self.slow, self.ear = second_reading(game), Ear(game, game.chance_words(seed))
        self.last = "the start"
        self.views = self.compared = 0
        self.since = 0  # where in the log the last answer stands that others heard of
        try:
            self.fast = game.start(seed=seed)
            self.spell()
        except RuleFault as fault:
            self.breaks_too(fault, lambda: heard(game, seed, self.ear), lambda: self.slow.begin(self.ear.take()))
            raise
        self.told = heard(game, seed, self.ear)
        self.slow.begin(self.ear.take())

    def spell(self) -> None:
        """Two answers with the same key are found by the engine when the keys are asked for."""
        for decision in self.fast.pending:
            decision.keys()

    def breaks_too(self, fault: RuleFault, engine: Callable[[], object], reference: Callable[[], None]) -> None:
        """What is a fault in play is one for both. The engine is heard once more, for the chance events before it."""
        with suppress(*FAULTS):
            engine()
        with suppress(RulesWrong, Unmet):
            reference()
            raise AssertionError(f"the reference goes on after {self.last}; the engine breaks off: {fault}")

    def compare(self, views: bool = True) -> None:
        """Everything that both sides know, at this moment."""
        fast, slow = self.fast, self.slow
        mine, theirs = state_of(self.game, fast.state), state_of_reference(slow)
        if not slow.doing:  # in a secret block what seats do is kept apart
            self.same(mine, theirs, "state")
        self.same([d.seat for d in fast.pending], [seat.number for seat in slow.asking], "who is asked")
        for decision in fast.pending:
            question = slow.asking[slow.world.seats[decision.seat_index]]
            keys = decision.keys()
            self.same((decision.name, keys), (question.name, question.keys), f"options ({slow.why})")
            self.same_path(decision.path, question.path)
        self.same(list(fast.codes), list(self.told.codes), "the options of the traced build")
        assert list(fast.state) == list(self.told.state), f"the traced build after {self.last}"
        self.compare_logs()
        if views:
            self.compare_views()

    def same(self, engine: Any, reference: Any, what: str) -> None:
        """Both sides hold the same for true."""
        if isinstance(engine, dict):
            engine, reference = different(engine, reference), {}
        assert engine == reference, f"{what} after {self.last}: the engine has {engine}, the reference {reference}"

    def same_path(self, engine: str, reference: tuple[str, ...]) -> None:
        """The keys of the options we are in. What is `keyed by` something that changes is told by the engine as it is
        now, by the reference as it was when it was chosen: there only the option must be the same."""
        loosely = "/".join(getattr(key, "loosely", re.escape(key)) for key in reference)
        if not re.fullmatch(loosely, engine):
            self.same(engine, "/".join(reference), "path")

    def compare_logs(self) -> None:
        """What has happened since it was last compared."""
        heard = heard_by_engine(self.told.teller.items[self.compared :])
        for mine, theirs in zip_longest(heard, self.slow.log[self.compared :]):
            if mine and theirs and theirs["event"] == "decision":
                self.same_path(mine["path"], theirs["path"])
                theirs = theirs | {"path": mine["path"]}
            self.same(mine, theirs, "log")
        self.compared += len(heard)

    def compare_views(self) -> None:
        for number in [None, *range(1, self.game.seats + 1)]:
            seat = None if number is None else self.slow.world.seats[number - 1]
            seen = self.seen_by_engine(number)
            made = self.slow.view(seat)
            for part in ("table", "seats", "things"):
                self.same(seen[part], made[part], f"{part} seen by {seat or 'a spectator'}")
            self.views += 1

    def seen_by_engine(self, seat: int | None) -> dict[str, Any]:
        """Of spectators as of a table that nobody has followed, so that it is played again; of seats as of one that was."""
        from ichiba.interpreter.sight.views import Heard, view_of

        seen = view_of(self.fast, seat, False, None if seat is None else Heard(self.told.teller.items, self.since))
        table = seen["table"]
        assert isinstance(table, dict)
        for name in ("ending", *self.game.world.options):
            table.pop(name, None)
        seats = seen["seats"]
        assert isinstance(seats, dict)
        for its in seats.values():
            its.pop("score", None)
        return seen

    def step(self) -> None:
        decision = self.random.choice(self.fast.pending)
        place = self.random.randrange(len(decision.codes)) if self.player is None else self.rather(decision)
        seat, code = decision.seat_index, decision.codes[place]
        self.last = f"decision {len(self.fast.history) + 1}, seat {seat + 1}, {decision.path}: {decision.key_of(code)}"

        since = self.since if self.slow.asking[self.slow.world.seats[seat]].choices[place].waits else len(self.told.teller.items)

        def reference() -> None:
            self.slow.answer(self.slow.world.seats[seat], place, self.ear.take())

        try:
            self.fast.play(place, seat=decision.seat)
            self.spell()
        except RuleFault as fault:
            self.breaks_too(fault, lambda: self.told.answer(seat, code), reference)
            raise
        self.told.answer(seat, code)
        self.since = since
        reference()

    def rather(self, decision: Decision) -> int:
        """What the policy answers; both sides find that the same speaks for each answer."""
        assert isinstance(self.player, Preferring) and self.policy is not None
        seat = self.slow.world.seats[decision.seat_index]
        self.same(self.player.weights(decision), weights(self.slow, self.policy, seat, decision.keys()), "what speaks for each answer")
        return self.player.index(decision)

    def play(self, most: int, views_every: int = 1) -> int:
        """So many decisions, or all; how many there were."""
        self.compare()
        played = 0
        while not self.fast.over and played < most:
            self.step()
            played += 1
            self.compare(played % views_every == 0)
        if self.fast.over:
            assert self.slow.over
            assert (self.fast.scores, self.fast.ranking) == (self.slow.scores, self.slow.ranking)
            assert self.fast.ending == self.slow.ending
        return played

    def whole_log(self) -> list[dict[str, object]]:
        return log_of(self.fast)


def heard_by_engine(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The log without the words of score lines, and of what is told only the values."""
    return [
        {k: v for k, v in item.items() if k != "what"}
        if item["event"] == "score"
        else {"event": "tell", "values": [*item["values"].values()], "audience": item["audience"]}
        if item["event"] == "tell"
        else item
        for item in items
    ]


def different(a: Any, b: Any) -> dict[str, Any]:
    """Where two maps differ, and how."""
    if not (isinstance(a, dict) and isinstance(b, dict)):
        return {} if a == b else {"": (a, b)}
    found: dict[str, Any] = {}
    for name in [*a, *(n for n in b if n not in a)]:
        if name not in a or name not in b:
            found[name] = (a.get(name, "nothing"), b.get(name, "nothing"))
        elif isinstance(a[name], dict):
            inner = different(a[name], b[name])
            if inner:
                found[name] = inner
        elif a[name] != b[name] or type(a[name]) is not type(b[name]):
            found[name] = (a[name], b[name])
    return found


# ------------------------------------------------------------------------------- the reference's own state


def state_of_reference(game: Game) -> dict[str, Any]:
    """Every place by its name, with what stands there in plain words."""
    found: dict[str, Any] = {}
    for seat in game.world.seats:
        found[f"seat.score/{seat.number - 1}"] = game.state.get(("score", seat))
    found |= {name: value for name, value in options_drawn(game).items()}
    found["table.ending"] = game.state.get("ending")
    many = len(game.placed["seat"])  # purses of rules come in the course of the game
    for name, member, owner, at in game.setup.once(f"places of {many}", lambda: places_by_name(game)):
        if not game.is_spent(member, owner):
            found[name] = place_content(game, member, owner, at)
    return found


def places_by_name(game: Game) -> list[tuple[str, Member, Any, tuple[Any, ...]]]:
    return [
        (place_name(game, member, owner, at), member, owner, at)
        for owners, members in game.owned()
        for member in members.values()
        for owner in owners
        for at in game.all_indexes(member)
    ]


def options_drawn(game: Game) -> dict[str, Any]:
    return {
        f"table.{key[1]}": seat.number
        for key, seat in game.state.cells.items()
        if isinstance(key, tuple) and key[0] == "option"
    }


def place_name(game: Game, member: Member, owner: Any, at: tuple[Any, ...]) -> str:
    whose = [] if owner is game.world.table else [owner]
    parts = [index_name(game, value, type) for value, type in zip((*whose, *at), (*([""] * len(whose)), *member.index))]
    return "/".join([member.full_name, *parts])


def index_name(game: Game, value: Any, type: str) -> str:
    if isinstance(value, Seat):
        return str(value.number - 1)
    if isinstance(value, Thing):
        return str(FIRST_THING + game.world.order[value])
    if isinstance(value, Sort):
        return str(value.place - min(sort.place for sort in game.world.categories[type]))
    return str(value.place - 1) if isinstance(value, Word) else str(int(value))


def place_content(game: Game, member: Member, owner: Any, at: tuple[Any, ...]) -> Any:
    if member.form != "zone":
        return game.shown(game.state.get((member, owner, at)))
    zone = game.zone(member, owner, at)
    counts: dict[str, int] = {}
    things: list[str] = []
    for value, n in game.pieces((zone,)).items:
        if isinstance(value, Thing):
            things.append(value.name)
        else:
            sort = value.sort
            counts[f"{sort.family}.{sort.full_name}" + (f"/{sort.owner.number}" if sort.owner is not None else "")] = n
    return counts, things
