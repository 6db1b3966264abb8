"""What a place is sent depends on nothing but what it may see: two tables that it cannot tell apart are the same to it, byte for byte,
and a leak that is planted in any channel is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.responses import JSONResponse

import ichiba
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.run.decisions import Decision
from ichiba.interpreter.sight.following import Follower
from ichiba.interpreter.sight.views import view_of
from ichiba.table.scene.telling.story import Story
from ichiba.table.sitting import live, questions, sight
from ichiba.table.sitting.course import Course
from ichiba.table.sitting.ears import Ears, Heard
from ichiba.table.sitting.refused import Refused
from ichiba.table.web import server as serving
from ichiba.table.web import ways
from tests.conftest import Tally
from tests.properties import outcry, whispers
from tests.properties.pairs import Pair
from tests.properties.tables import HEAVY, Setting, every, few, loaded, moments, paired, plain, slice_of
from tests.table.web.harness import Web
from tests.table.web.twins import pairs_of, server, told_apart

Found = list[tuple[int, Pair]]


def pairs_along(game: ichiba.Game, seed: int, every_nth: int, most: int = 10**9) -> Found:
    """Seats of a random game, and tables that they cannot tell apart."""
    random, seeds, found = Random(seed), count(seed * 1000), Found()
    for table in moments(game, seed, most):
        if random.random() * every_nth < 1:
            seat = random.randint(1, game.seats)
            found += [(seat, pair) for pair in pairs_of(table.copy(), seat, seeds, 1)]
    return found


def leaks(pairs: Found) -> list[str]:
    asked, random = server(), Random(1)
    return [f"{what}, seat {seat}" for seat, pair in pairs for what in told_apart(asked, pair, seat, random)]


LAST = {setting.ruleset: setting for setting in plain()}  # of each ruleset the largest table


@every([LAST[ruleset] for ruleset in rulesets()])
def test_a_place_is_sent_the_same_at_tables_it_cannot_tell_apart(setting: Setting, tally: Tally) -> None:
    heavy = setting.ruleset in HEAVY
    pairs = pairs_along(loaded(setting), 5, 12 if heavy else 6, slice_of(setting, 30))[: 1 if heavy else 3]
    assert leaks(pairs) == []
    tally(pairs_at_the_web=len(pairs))


WITH_CHOICES = [setting for ruleset in rulesets() for setting in few(ruleset) if setting.parts or setting.options]


@every(WITH_CHOICES)
def test_so_it_is_with_every_module_variant_and_option(setting: Setting, tally: Tally) -> None:
    """In these settings every single choice stands once."""
    pairs = pairs_along(loaded(setting), 11, 8, slice_of(setting, 24))[:1]
    assert leaks(pairs) == []
    tally(pairs_at_the_web=len(pairs), settings=1)


@pytest.mark.parametrize("make", [whispers.made, outcry.made], ids=["sealed_bids", "races"])
def test_neither_sealed_bids_nor_races_tell_anything(
    make: Callable[[Path], ichiba.Game], tmp_path: Path, tally: Tally
) -> None:
    game = make(tmp_path)
    pairs = [one for seed in range(2, 4) for one in pairs_along(game, seed, 5)]
    assert len(pairs) >= 4
    assert leaks(pairs) == []
    tally(pairs_at_the_web=len(pairs))


@pytest.mark.soak
@every(paired())
def test_so_it_is_where_any_two_choices_stand_together(setting: Setting, tally: Tally) -> None:
    pairs = [one for seed in (21, 22) for one in pairs_along(loaded(setting), seed, 10, 60)[:2]]
    assert leaks(pairs) == []
    tally(pairs_at_the_web=len(pairs), settings=1)


@pytest.mark.soak
@every(plain())
def test_nothing_leaks_in_many_games(setting: Setting, tally: Tally) -> None:
    pairs = [one for seed in range(6, 12) for one in pairs_along(loaded(setting), seed, 6)]
    assert leaks(pairs) == []
    tally(pairs_at_the_web=len(pairs))


# --------------------------------------------------------------------------------------------------- planted leaks


def hidden(table: ichiba.Table) -> str:
    """A digest of all hands."""
    return str(hash(tuple(table.state)) % 1_000_003)


Patch = pytest.MonkeyPatch


def another(table: ichiba.Table, seat: int | None) -> int:
    return 1 + (seat or 0) % table.game.seats


def plant_view(patch: Patch) -> None:
    """What goes along with the table looks from another seat."""
    patch.setattr(sight, "Follower", lambda table, seat: Follower(table, another(table, seat)))


def plant_notes(patch: Patch) -> None:
    """What one seat has seen of a piece is kept for the others."""
    kept, whole = Follower.__init__, dict[int, dict[int, dict[str, object]]]()

    def begin(self: Follower, table: ichiba.Table, seat: int | None) -> None:
        kept(self, table, another(table, seat))
        self.notes = whole.setdefault(id(table), {})

    patch.setattr(Follower, "__init__", begin)


def plant_view_of_the_past(patch: Patch) -> None:
    kept = view_of
    patch.setattr(sight, "view_of", lambda table, seat, log: kept(table, another(table, seat), log))


def plant_earlier(patch: Patch) -> None:
    """Earlier lines, as another seat was told them."""
    kept = Ears.earlier
    patch.setattr(Ears, "earlier", lambda self, seat, before: kept(self, another(self.table, seat), before))


def plant_number_of_lines(patch: Patch) -> None:
    """How many lines there were before, by what has happened, and not by what this seat has heard."""
    kept = Ears.lines

    def heard(self: Ears, seat: int | None) -> Heard:
        found = kept(self, seat)
        return replace(found, gone=found.gone + int(hidden(self.table)) % 7)

    patch.setattr(Ears, "lines", heard)


def plant_refusal(patch: Patch) -> None:
    """A refusal that says how much somebody else holds."""
    kept = ichiba.Table.why_not

    def why(self: ichiba.Table, key: str, seat: int | None = None) -> str | None:
        said = kept(self, key, seat)
        return None if said is None else f"{said} ({hidden(self)})"

    patch.setattr(ichiba.Table, "why_not", why)


def plant_options(patch: Patch) -> None:
    kept = questions._choice
    patch.setattr(questions, "_choice", lambda d, keys, entry: replace(kept(d, keys, entry), label=hidden(d.table)))


def plant_order_of_options(patch: Patch) -> None:
    kept = questions.question_of

    def asked(table: str, course: Any, decision: Decision) -> questions.Question:
        found = kept(table, course, decision)
        choices = list(found.choices)
        Random(hidden(decision.table)).shuffle(choices)
        return replace(found, choices=tuple(choices))

    patch.setattr(sight, "question_of", asked)


def plant_story(patch: Patch) -> None:
    kept = Story.items
    patch.setattr(Story, "items", lambda self, seat=None, everything=False, since=0: kept(self, seat, True, since))


def plant_undo(patch: Patch) -> None:
    patch.setattr(
        live.LiveTable, "undo_of", lambda self, place: ("", "ask", "free")[int(hidden(self.course.table)) % 3]
    )


def plant_error(patch: Patch) -> None:
    kept = live.LiveTable._asked

    def asked(self: live.LiveTable, place: Any, name: str) -> Decision:
        try:
            return kept(self, place, name)
        except Refused as refused:
            raise Refused(refused.status, refused.words, since=hidden(self.course.table)) from None

    patch.setattr(live.LiveTable, "_asked", asked)


def plant_why(patch: Patch) -> None:
    kept = ways.Ways.why

    def why(self: ways.Ways, asked: ways.Asked) -> Any:
        said = kept(self, asked)
        return type(said)(hidden(asked.at[0].course.table))

    patch.setattr(ways.Ways, "why", why)


def plant_past(patch: Patch) -> None:
    kept = sight.Eyes.look_back
    patch.setattr(
        sight.Eyes, "look_back", lambda self, seat, at: kept(self, 1 + (seat or 0) % self.course.game.seats, at)
    )


def plant_steps(patch: Patch) -> None:
    """Every answer is a moment that can be looked back to, sealed ones and waiting in a race too."""
    patch.setattr(sight.Eyes, "steps", lambda self, seat: tuple(range(1, len(self.course.given) + 1)))


def plant_count(patch: Patch) -> None:
    """A message whenever anything has happened."""
    kept = serving.Server._parts
    patch.setattr(
        serving.Server, "_parts", lambda self, one: {**kept(self, one), "now": str(len(one.live.course.given))}
    )


def plant_spectator(patch: Patch) -> None:
    kept = sight.Eyes.look
    patch.setattr(
        sight.Eyes, "look", lambda self, seat: replace(kept(self, 1), seat=None) if seat is None else kept(self, seat)
    )


def plant_name(patch: Patch) -> None:
    kept = questions.name_of
    for place in (questions, live):
        patch.setattr(place, "name_of", lambda table, course, decision: kept(hidden(course.table), course, decision))


def plant_waiting(patch: Patch) -> None:
    """Who in a race has left it to the others."""
    patch.setattr(sight, "waiting", lambda table: [decision.seat for decision in table.pending])


def plant_save(patch: Patch) -> None:
    patch.setattr(ways.Ways, "save", lambda self, asked: JSONResponse({"seed": asked.at[0].course.table.seed}))


def plant_wish(patch: Patch) -> None:
    """Undo as it was when it went by everybody's answers: one who leaves a race in secret changes it for the others."""
    patch.setattr(live, "is_race", lambda site: False)
    kept = Course.apply

    def apply(self: Course, kind: str, body: Any) -> None:
        kept(self, kind, body)
        self.given = [replace(one, sealed=False) for one in self.given]

    patch.setattr(Course, "apply", apply)


PLANTS = [
    plant_view, plant_notes, plant_view_of_the_past, plant_earlier, plant_number_of_lines, plant_refusal,
    plant_options, plant_order_of_options, plant_story, plant_undo, plant_error, plant_why, plant_past, plant_steps,
    plant_count, plant_spectator, plant_name, plant_waiting, plant_save, plant_wish,
]  # fmt: skip


@pytest.fixture(scope="module")
def twins_of_all_kinds(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """First those with races, then those with sealed bids."""
    games = [outcry.made(tmp_path_factory.mktemp("races")), whispers.made(tmp_path_factory.mktemp("bids"))]
    return [one for game in games for seed in (0, 2, 5) for one in pairs_along(game, seed, 4)]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_noticed(
    plant: Callable[[Patch], None], twins_of_all_kinds: Found, monkeypatch: Patch, tally: Tally
) -> None:
    plant(monkeypatch)
    assert any(leaks([one]) for one in twins_of_all_kinds)
    tally(planted_leaks_caught=1)


# --------------------------------------------------------------------------------------------------------- canaries


def test_neither_seed_nor_secret_nor_anothers_answer_is_sent_before_the_end(web: Web) -> None:
    opened = web.open("goofspiel", seats=2, sitting={"1": "person", "2": "person"})
    anna, eve, guest = (web.sit(opened, place) for place in ("1", "2", "watch"))
    with anna.listen() as first, eve.listen() as second, guest.listen() as looking:
        decision, _ = first.until_asked(), second.until_asked()
        looking.read()
        told = len(second.messages), len(looking.messages)
        assert anna.answer(decision, first.keys[-1]).status == 200
        second.until(lambda parts: "Waiting" not in parts["turn"])
        heard = [
            one.body.decode() for one in (eve.get("past/2/0"), guest.get("past/0/0"), eve.get("save"), eve.get("rules"))
        ]
        heard += [eve.post("undo", request="u").body.decode(), eve.post("fork", step=0).body.decode()]
        seed = str(web.live(opened).course.table.seed)
        canaries = [seed, *opened.places.values(), decision]
        assert not [one for one in canaries for text in heard + second.messages + looking.messages if one in text]
    assert told[0] >= 1


def test_one_who_leaves_a_race_in_secret_does_not_end_anothers_wish(tmp_path: Path) -> None:
    """The wish would be gone for all to see."""
    from ichiba.interpreter.run.race import is_race, waits
    from tests.table.web.twins import sat

    game = outcry.made(tmp_path)
    for table in moments(game, 1):
        if is_race(table.site) and len(table.pending) > 1:
            break
    at = sat(game, table.copy())
    asked = at.course.table.pending[0]
    key = next(one.key for one, code in zip(asked.options, asked.codes) if waits(game, asked.site, code))
    at.course.apply("ask", {"seat": 1, "to": 0})
    at.course.apply("answer", {"seat": asked.seat, "key": key})
    assert is_race(at.course.table.site) and at.course.wish is not None
    assert at.course.given[-1].sealed
