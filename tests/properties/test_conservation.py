"""Nothing appears and nothing vanishes: everything is counted again after every single effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from random import Random

import pytest

import ichiba
from ichiba.dsl import ir
from ichiba.dsl.effects import walk
from ichiba.dsl.world import Member
from ichiba.interpreter.layout import PC
from ichiba.interpreter.records import Replay, Teller
from ichiba.interpreter.witness import indexes
from tests.properties.tables import Setting, every, loaded, paired, plain, slice_of

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
                    cell = zone + layout.columns_of(layout.zones[zone])[thing.sort]
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
    sources = [s.source for s in walk(block) if isinstance(s, ir.Transfer) and s.tail == "into_debt"]
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
        if replay.state[PC] < 0:
            break
        replay.answer(-1, random.choice(replay.codes))
    return effects


@every(plain())
def test_pieces_and_money_are_conserved_by_every_effect(setting: Setting) -> None:
    for seed in range(2):
        assert counted_game(loaded(setting), seed, slice_of(setting) * 2) > 0


@pytest.mark.soak
@every(plain())
def test_whole_games_conserve_everything(setting: Setting) -> None:
    for seed in range(100, 110):
        counted_game(loaded(setting), seed, 10**9)


@pytest.mark.soak
@every(paired())
def test_nothing_that_can_be_switched_on_breaks_conservation(setting: Setting) -> None:
    for seed in range(2):
        counted_game(loaded(setting), seed, 10**9)
