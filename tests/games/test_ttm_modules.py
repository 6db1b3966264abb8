"""Tokyo Tsukiji Market with its expansion and variants: every way to put them together plays, or is refused.

What is played here is held to the game's own invariants and counted again at every decision.
"""

import re
import shutil
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.lab.coverage import cover
from ichiba.lab.policies import policy
from ichiba.lab.scenarios import run_scenarios
from ichiba.table.cli import main
from ichiba.table.scene.look import read_look
from ichiba.table.scene.scene import Director
from ichiba.table.scene.spelling import Cell
from tests.depth import mostly_seldom
from tests.games.most_shared import failing, results_of_most
from tests.properties.test_conservation import Count

HOME = Path(__file__).resolve().parents[2] / "rulesets" / "tokyo_tsukiji_market"
EXPANSION = ("expansion",)
VARIANTS = ("additional_markets", "crashing_markets", "open_knowledge")
SEATS = (2, 3, 4, 5, 6)


@cache
def game_of(
    seats: int, modules: tuple[str, ...], variants: tuple[str, ...], *options: tuple[str, object]
) -> ichiba.Game:
    return ichiba.load("tokyo_tsukiji_market", seats=seats, modules=modules, variants=variants, options=dict(options))


def play(game: ichiba.Game, seed: int, most: int = 10**9) -> ichiba.Table:
    """A game of which half the answers are sensible and half are not, counted at every decision."""
    table, random, count = game.start(seed), Random(seed), Count(game)
    sensible = [policy(game, "sensible", (seed, seat)) for seat in range(1, game.seats + 1)]
    invariants = game.code.module["invariants"]()
    for number in range(most):
        where = f"at decision {number} of game {seed}"
        count.check(table.state, where)
        count.ranges(table.state, where)
        assert all(holds(table.state) for _, holds in invariants), where
        decision = table.decision
        if decision is None:
            break
        chosen = (
            sensible[decision.seat - 1].index(decision) if random.random() < 0.5 else random.randrange(len(table.codes))
        )
        table.step(chosen)
    return table


def asked(table: ichiba.Table, expression: str) -> set[str]:
    found = table.ask(expression)
    assert isinstance(found, list)
    return set(found)


# ------------------------------------------------------------------------------------ variants and seat counts

COMBINATIONS = [chosen for number in range(4) for chosen in combinations(VARIANTS, number)]
EVERYTHING = list(product(SEATS, ((), EXPANSION), COMBINATIONS))
ADDITIONAL, CRASHING, OPEN = ((name,) for name in VARIANTS)
SLICE = [
    (2, (), ()), (2, EXPANSION, VARIANTS), (3, EXPANSION, OPEN), (3, (), ADDITIONAL + CRASHING),
    (4, (), ADDITIONAL + OPEN), (4, EXPANSION, CRASHING), (5, EXPANSION, VARIANTS), (5, (), ()),
    (6, (), ()), (6, EXPANSION, VARIANTS),
]  # a usual run plays every other  # fmt: skip
BOARDS = {2: 7, 3: 8, 4: 9, 5: 10, 6: 11}  # Ships and the mackerel board, and what the table draws


def choices(seats: int, modules: tuple[str, ...], variants: tuple[str, ...]) -> set[object]:
    parts = {(part, part in (*modules, *variants)) for part in (*EXPANSION, *VARIANTS)}
    return {*parts, ("seats", seats)}


def test_the_slice_has_every_two_choices_together() -> None:
    def pairs(rows: Iterable[tuple[int, tuple[str, ...], tuple[str, ...]]]) -> set[frozenset[object]]:
        return {frozenset(pair) for row in rows for pair in combinations(choices(*row), 2)}

    assert pairs(SLICE) == pairs(EVERYTHING)


@pytest.mark.parametrize(("seats", "modules", "variants"), mostly_seldom(SLICE, 5))
def test_modules_and_variants_play_together(seats: int, modules: tuple[str, ...], variants: tuple[str, ...]) -> None:
    game = game_of(seats, modules, variants)
    boards = asked(game.start(seats), "markets")
    both = bool(modules) and "aquarium" in boards
    assert len(boards) == BOARDS[seats] + 2 * ("additional_markets" in variants) + both
    assert both == ("new_aquarium" in boards)
    assert play(game, seats, most=60).decision is not None


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "modules", "variants"), EVERYTHING)
def test_whole_games_of_every_combination(seats: int, modules: tuple[str, ...], variants: tuple[str, ...]) -> None:
    for seed in range(3):
        assert play(game_of(seats, modules, variants), seed).ending in ("rich", "stocked", "clock")


# ---------------------------------------------------------------------------------------------------- all boards


def named(boards: Iterable[str]) -> tuple[tuple[str, object], ...]:
    """Options that put exactly these boards into play, besides Mackerel and Ships."""
    kinds = {board: kind for kind in ("fish", "external") for board in all_boards()[kind]}
    chosen = {kind: tuple(board for board in boards if kinds[board] == kind) for kind in ("fish", "external")}
    return tuple(chosen.items())


@cache
def all_boards() -> dict[str, tuple[str, ...]]:
    game = ichiba.load("tokyo_tsukiji_market", seats=3, modules=EXPANSION)
    found = {"fish": "fish_market", "external": "external_market"}
    world = game.world
    boards = {
        option: tuple(thing.name for thing in world.things if world.is_kind(thing.kind, kind))
        for option, kind in found.items()
    }
    return {option: tuple(b for b in names if b not in ("mackerel", "ships")) for option, names in boards.items()}


def sets_with_every_pair(size: int) -> list[list[str]]:
    """Few sets of boards in which any two boards stand together."""
    boards = [board for names in all_boards().values() for board in names]
    left = {frozenset(pair) for pair in combinations(boards, 2)}
    found = []
    while left:
        chosen = sorted(min(left, key=sorted))
        while len(chosen) < size:
            news = {b: sum(frozenset((b, c)) in left for c in chosen) for b in boards if b not in chosen}
            chosen.append(max(news, key=lambda board: news[board]))
        found.append(chosen)
        left -= {frozenset(pair) for pair in combinations(chosen, 2)}
    return found


def test_there_are_thirty_boards() -> None:
    assert {option: len(names) for option, names in all_boards().items()} == {"fish": 14, "external": 14}


def test_all_thirty_boards_lie_on_one_table() -> None:
    boards = [board for names in all_boards().values() for board in names]
    table = play(game_of(6, EXPANSION, CRASHING, *named(boards)), seed=1, most=200)
    assert len(asked(table, "markets")) == 30


@pytest.mark.soak
@pytest.mark.parametrize("boards", sets_with_every_pair(9), ids="-".join)
def test_every_two_boards_go_together(boards: Sequence[str]) -> None:
    for seats in SEATS[1:]:
        for seed in range(2):
            table = play(game_of(seats, EXPANSION, CRASHING, *named(boards)), seed)
            assert table.over and {*boards, "mackerel", "ships"} <= asked(table, "markets")


# --------------------------------------------------------------------------------------------- parts of the expansion

NO_BOARDS = ("expansion.with_boards", False)
JACK_FIRST = ("expansion.main_mackerel", "jack_mackerel")
NO_BLUE_SHIP = ("expansion.blue_ship", False)


def in_the_game(table: ichiba.Table) -> set[str]:
    """The boards of the expansion that are in play, or may still come."""
    return asked(table, "(m in {markets, fish_box, external_box} where m.added)")


PARTS: list[tuple[list[tuple[str, object]], set[str]]] = [
    ([NO_BOARDS, ("expansion.barges", "four_slot"), NO_BLUE_SHIP], set()),
    ([NO_BOARDS, NO_BLUE_SHIP, ("fish", ("eel", "himono"))], {"himono"}),
    ([("expansion.only_boards", ("nori", "sushi_shop")), NO_BLUE_SHIP], {"nori", "sushi_shop"}),
    ([JACK_FIRST, ("expansion.only_boards", ("jack_mackerel",))], {"jack_mackerel"}),
]


@pytest.mark.parametrize(("options", "boards"), mostly_seldom(PARTS, 2))
def test_parts_of_the_expansion_are_switched_on_one_by_one(
    options: Sequence[tuple[str, object]], boards: set[str]
) -> None:
    table = play(game_of(3, EXPANSION, (), *options), seed=1, most=60)
    assert in_the_game(table) == boards


ONE_BY_ONE = (
    "clams_oysters", "himono", "jack_mackerel", "nori", "sardines", "swordfish",
    "foreign_market", "influence", "new_aquarium", "overfishing", "ship_rental", "sushi_shop",
)  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("board", ONE_BY_ONE)
def test_each_board_of_the_expansion_comes_alone_into_a_base_game(board: str) -> None:
    options = (("expansion.only_boards", (board,)), NO_BLUE_SHIP)
    for seats in SEATS:
        table = play(game_of(seats, EXPANSION, VARIANTS, *options), seats)
        assert table.over and in_the_game(table) == {board}


NONSENSE: list[tuple[tuple[str, ...], list[tuple[str, object]], str]] = [
    ((), [JACK_FIRST, NO_BOARDS], "Jack Mackerel is one of the boards that stay in the box"),
    (
        (),
        [JACK_FIRST, ("expansion.only_boards", ("nori",))],
        "Jack Mackerel is one of the boards that stay in the box",
    ),
    ((), [JACK_FIRST, ("excluded", ("jack_mackerel",))], "Jack Mackerel is in play from the start"),
    ((), [("excluded", ("mackerel",))], "Mackerel is in play from the start"),
    ((), [NO_BOARDS, ("expansion.only_boards", ("nori",))], "without its boards none of them can be chosen"),
    ((), [NO_BOARDS, NO_BLUE_SHIP], "nothing of the expansion would be left"),
    ((), [("expansion.only_boards", ("eel",))], "it is no board of the expansion"),
    (
        ADDITIONAL,
        [("fish", ("eel",)), ("external", ("bank",))],
        "all boards are named, so none are drawn in addition",
    ),
]


@pytest.mark.parametrize(("variants", "options", "because"), mostly_seldom(NONSENSE, 4))
def test_what_makes_no_sense_is_refused_with_the_reason(
    variants: tuple[str, ...], options: Sequence[tuple[str, object]], because: str
) -> None:
    with pytest.raises(ichiba.RulesetFaults) as refused:
        game_of(3, EXPANSION, variants, *options)
    assert because in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"), [("expansion.blue_ship", False), ("fish", ("himono",)), ("external", ("sushi_shop",))]
)
def test_without_the_expansion_nothing_of_it_can_be_chosen(name: str, value: object) -> None:
    with pytest.raises(ichiba.RulesetFaults):
        game_of(3, (), (), (name, value))


# --------------------------------------------------------------------------------------------- without its folder


@pytest.fixture(scope="module")
def base_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the ruleset without the folder of the expansion."""
    home = tmp_path_factory.mktemp("base") / "tokyo_tsukiji_market"
    shutil.copytree(HOME, home, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(home / "modules" / "expansion")
    return home


def test_without_the_folder_of_the_expansion_the_base_game_checks_and_plays(base_alone: Path) -> None:
    game = ichiba.load(base_alone, seats=6, variants=VARIANTS, trust=True)
    assert play(game, seed=6, most=60).decision is not None


def test_without_the_folder_of_the_expansion_scenarios_of_the_base_game_hold(
    base_alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # a copy of our own
    results = results_of_most(base_alone, settings=1)
    assert len(results) > 30 and not failing(results), failing(results)


@pytest.mark.soak
def test_without_the_folder_of_the_expansion_all_scenarios_of_the_base_game_hold(base_alone: Path) -> None:
    report = run_scenarios(base_alone)
    assert len(report.results) > 150 and report.holds


# ------------------------------------------------------------------------------------------------- on the screen


def test_the_merged_rules_say_what_the_expansion_changes_and_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "tokyo_tsukiji_market", "--with", "expansion", "--rules"]) == 0
    said = capsys.readouterr().out
    assert re.search(
        r"^# guard can_load   base   \S+/fishing\.rules:\d+\n#   replaced   expansion   \S+/expansion\.rules:\d+\nguard can_load",
        said, re.MULTILINE,
    )  # fmt: skip
    assert re.search(
        r"^# replace guard can_load   expansion   \S+/expansion\.rules:\d+\nreplace guard", said, re.MULTILINE
    )
    for board in ONE_BY_ONE:
        assert f"   expansion   tokyo_tsukiji_market/modules/expansion/boards/{board}.yaml:" in said


def test_two_boards_with_a_marker_are_both_shown_with_their_own() -> None:
    game = game_of(3, EXPANSION, (), ("fish", ("eel", "swordfish", "himono")), ("external", ("overfishing",)))
    faults = Faults()
    director = Director(game, read_look(HOME, game.world, faults, EXPANSION), glyphs=False)
    scene = director.scene(dict(game.start(1).view(1)), full=True)
    (section,) = [section for section in scene.sections if section.name == "fish_market"]
    shown = {words(entity.head): entity.value("marker") for entity in section.entities}
    markers = {board: value and words(value.cell) for board, value in shown.items()}
    assert (markers["Eel"], markers["Swordfish"], markers["Himono"]) == ("1", "6", None)
    assert faults.all == ()


def words(cell: Cell) -> str:
    return "".join(part for part, _ in cell)


def test_most_scenarios_hold() -> None:
    results = results_of_most(HOME, settings=8)
    assert not failing(results), failing(results)
    assert len(results) > 200


@pytest.mark.soak
def test_the_scenarios_reach_every_rule_of_every_module_and_variant() -> None:
    tested, coverage = cover("tokyo_tsukiji_market", playouts=0)
    assert tested.holds, str(tested)
    assert {point.home for point in coverage.points} >= {"expansion", "crashing_markets", "open_knowledge"}
    assert [str(point) for point in coverage.unreached] == []
