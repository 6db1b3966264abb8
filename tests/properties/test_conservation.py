"""Nothing appears and nothing vanishes: everything is counted again after every single effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from random import Random

import pytest

import ichiba
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.world import Member, indexes
from ichiba.interpreter.layout import PC
from ichiba.interpreter.saves.records import Replay, Teller
from tests.conftest import Tally
from tests.properties.tables import HEAVY, Setting, every, loaded, moments, sampled, slice_of, whole

Cells = Callable[[list[int]], Sequence[int]]


def picking(places: list[int]) -> Cells:
    return itemgetter(*places, *places[:1]) if places else lambda state: ()


class Count:
    """What must stay the same, and what must always hold, of one game."""

    def __init__(self, game: ichiba.Game):
        self.game, world = game, game.world
        members = [m for m in world.members() if m.size]
        self.first = game.first
        families: dict[object, list[int]] = {}
        for zone, member in game.layout.zones.items():
            for cell in range(zone, zone + member.width):
                sort = world.sorts[game.layout.sort_at[cell]]
                families.setdefault((sort.family, sort.name, sort.owner), []).append(cell)  # whatever side it shows
        self.pieces = {name: (cells, sum(game.first[c] for c in cells)) for name, cells in families.items()}
        self.zone_cells = [c for cells, _ in self.pieces.values() for c in cells]
        purses = [m for m in members if m.form == "purse"]
        endless = {m.kind.name for m in purses if m.unlimited}
        self.money: dict[str, list[int]] = {}
        for member in purses:
            if member.kind.name not in endless:
                self.money.setdefault(member.kind.name, []).extend(places_of(member))
        owing = {member for block in blocks_of(game) for member in into_debt(block)}
        self.purses = [p for m in purses if not m.unlimited and m not in owing for p in places_of(m)]
        self.counters = [(p, m) for m in members if m.form in ("counter", "flag") for p in places_of(m)]
        self.spoken = picking(self.zone_cells)
        self.paid = picking(self.purses)

    def check(self, state: list[int], where: str) -> None:
        assert min(self.spoken(state), default=0) >= 0, f"fewer than no pieces {where}"
        assert min(self.paid(state), default=0) >= 0, f"less than no money {where}"
        for name, (cells, total) in self.pieces.items():
            assert sum(state[c] for c in cells) == total, f"{name} {where}"
        for unit, places in self.money.items():
            assert sum(state[p] for p in places) == sum(self.first[p] for p in places), f"{unit} {where}"
        self.individuals(state, where)
        for member, first in self.game.layout.totals.items():
            for number in range(member.size // member.width):
                zone = member.base + number * member.width
                counted = sum(state[zone : zone + member.width])
                assert state[first + number] == counted, f"the kept total of {member.full_name} {where}"

    def individuals(self, state: list[int], where: str) -> None:
        """Where each thing says it lies, and what the zones count, are the same."""
        world, layout = self.game.world, self.game.layout
        if "place" not in world.places:
            return
        lie: dict[int, int] = {}
        for thing in world.things:
            if thing.sort >= 0:
                zone = state[world.places["place"].place((thing.id,))]
                if zone >= 0:
                    cell = zone + layout.columns_at(zone)[thing.sort]
                    lie[cell] = lie.get(cell, 0) + 1
        for cell in self.zone_cells:
            if world.sorts[layout.sort_at[cell]].individual:
                assert state[cell] == lie.get(cell, 0), f"{layout.zones[layout.zone_at[cell]].full_name} {where}"

    def ranges(self, state: list[int], where: str) -> None:
        for place, member in self.counters:
            low, high = (0, 1) if member.form == "flag" else (member.low, member.high)
            if low is not None and high is not None:
                assert low <= state[place] <= high, f"{member.full_name} {where}"


def places_of(member: Member) -> list[int]:
    return [place for at in indexes(member) for place in [member.place(at)]]


def blocks_of(game: ichiba.Game) -> list[ir.Block]:
    return [p.body for p in game.program.procedures if p.body is not None]


def into_debt(block: ir.Block) -> list[Member]:
    """The purses that some rule empties `even into debt`."""
    sources = [s.source for s in walk(block) if isinstance(s, ir.Pay) and s.tail == "into_debt"]
    return [p.member for source in sources for p in walk(source) if isinstance(p, ir.PurseAt)]


def counted_game(game: ichiba.Game, seed: int, most: int) -> int:
    """A random game, counted again after every effect; how many effects there were."""
    count, random = Count(game), Random(seed)
    teller = Teller(game, game.chance_words(seed))
    effects = 0

    def on_effect(state: list[int], number: int) -> None:
        nonlocal effects
        effects += 1
        count.check(state, f"after effect {effects}")

    teller.on_effect = on_effect
    replay = Replay(game, seed, teller=teller)
    for _ in range(most):
        count.ranges(replay.state, f"after effect {effects}")
        assert game.broken(replay.state) == []
        if replay.state[PC] < 0:
            break
        replay.answer(-1, random.choice(replay.codes))
    return effects


def counted_games(setting: Setting, seeds: Iterable[int], most: int, tally: Tally) -> None:
    for seed in seeds:
        tally(games=1, effects=counted_game(loaded(setting), seed, most))


@every(sampled("conservation"))
def test_pieces_and_money_are_conserved_by_every_effect(setting: Setting, tally: Tally) -> None:
    counted_games(setting, [1], slice_of(setting) * 2, tally)


@every(sampled("conserve"))
def test_what_a_ruleset_says_it_conserves_is_counted(setting: Setting) -> None:
    game = loaded(setting)
    counted = set(Count(game).pieces)
    named = [conserve.sort for conserve, _ in game.context.merged.conserved]
    sorts = [game.world.sorts[id] for name in named for id in game.world.categories[name]]
    assert counted.issuperset((sort.family, sort.name, sort.owner) for sort in sorts)
    assert named or not counted


@every(sampled("lost"))
def test_a_piece_or_a_coin_too_many_or_too_few_is_noticed(setting: Setting, tally: Tally) -> None:
    """Numbers that are counted are made wrong in turn."""
    game = loaded(setting)
    *_, table = moments(game, 2, slice_of(setting, 20))
    count = Count(game)
    count.check(table.state, "before")
    purses = [place for places in count.money.values() for place in places]
    totals = [first + n for member, first in game.layout.totals.items() for n in range(member.size // member.width)]
    places = sorted({*count.zone_cells, *purses, *totals})
    for place in Random(2).sample(places, min(200, len(places))):
        for change in (1, -1):
            wrong = table.state[:]
            wrong[place] += change
            with pytest.raises(AssertionError):
                count.check(wrong, "made wrong")
            tally(kills=1)


@pytest.mark.soak
@every(whole())
def test_whole_games_conserve_everything(setting: Setting, tally: Tally) -> None:
    counted_games(setting, range(100, 103 if setting.ruleset in HEAVY else 120), 10**9, tally)
