"""Rule coverage: which rules scenarios and random games have reached, and which conditions they saw both ways.

A game is written once more from the same program, with marks in it: at the beginning of every procedure, trigger,
option and ending, and around every guard, `when`, cost, `require` and `if`. It plays exactly as the other does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.names.merging import Merged
from ichiba.dsl.parts import parts_of
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import functions_of, reached_procedures, walk
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.world import World
from ichiba.dsl.yaml.declarations import Box
from ichiba.interpreter.run.game import Game, made_again, ready
from ichiba.interpreter.strangers import door
from ichiba.lab.scenarios import Report, Setting, run_scenarios

RULES = ("procedure", "trigger", "option", "otherwise", "value", "ending")  # reached or not
CONDITIONS = ("guard", "when", "cost", "require", "if")  # seen true, seen false
MOST_STEPS = 20_000  # of one random game


@dataclass(frozen=True, slots=True)
class Point:
    """Something in the rules that can be reached, or be true and false."""

    kind: str
    name: str
    home: str
    place: str  # file:line:column

    @property
    def is_condition(self) -> bool:
        return self.kind in CONDITIONS

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" + (f" ({self.place})" if self.place else "")


def _place(span: Span | None) -> str:
    return f"{span.source.path}:{span.line}:{span.col}" if span is not None else ""


def _short(span: Span | None) -> str:
    text = spelled(span.text) if span is not None else ""
    return f"`{text if len(text) <= 60 else text[:59] + '…'}`"


# ---------------------------------------------------------------------------------------------- the marks


class Marks:
    """Every point of a program by its number, and where in the program it is."""

    def __init__(self, program: ir.Program, triggers: Mapping[str, Span]):
        self.points: list[Point] = []
        self.numbers: dict[Point, int] = {}
        self.seen: set[tuple[int, bool]] = set()
        self.blocks: dict[int, int] = {}  # by the block's id: where a mark stands at its beginning
        self.options: dict[tuple[int, str, str], int] = {}  # a `done` that must wait is another option with the same of these
        self.conditions: dict[int, int] = {}  # by the expression's id
        self.endings: dict[int, int] = {}
        self.lots: dict[int, int] = {}
        self.triggers = triggers  # by name: where they are written
        self.program = program
        self._functions: set[int] = set()
        reached = reached_procedures(program)
        for procedure in program.procedures:
            if procedure.body is not None and (procedure in reached or not procedure.home.startswith("library.")):
                self._procedure(procedure, procedure.body)

    def saw(self, number: int, value: object) -> object:
        self.seen.add((number, bool(value)))
        return value

    def of_condition(self, e: ir.Exp) -> int | None:
        return self.conditions.get(id(e))

    def of_block(self, block: ir.Block) -> int | None:
        return self.blocks.get(id(block))

    def of_lot(self, lot: ir.ChooseSome) -> int | None:
        return self.lots.get(id(lot))

    def of_option(self, option: ir.Option) -> int | None:
        return self.options.get(_known_by(option))

    def of_ending(self, ending: int) -> int | None:
        return self.endings.get(ending)

    def point(self, kind: str, name: str, home: str, span: Span | None) -> int:
        point = Point(kind, name, home, _place(span))
        if point not in self.numbers:
            self.numbers[point] = len(self.points)
            self.points.append(point)
        return self.numbers[point]

    def _block(self, block: ir.Block | None, kind: str, name: str, home: str, span: Span | None) -> None:
        if block is not None and block.body:
            self.blocks[id(block)] = self.point(kind, name, home, span)

    def _condition(self, test: object, kind: str, name: str, home: str, span: Span | None) -> None:
        if not isinstance(test, ir.Const):
            self.conditions[id(test)] = self.point(kind, name, home, span)

    def _procedure(self, procedure: ir.Procedure, body: ir.Block) -> None:
        name, home = procedure.name, procedure.home
        kind = "procedure"
        if name.startswith("rule "):
            kind, name = "trigger", name.removeprefix("rule ")
        pays_nothing = name.startswith("pay ") and all(isinstance(s, ir.Write) for s in body.body)
        if (procedure.span is not None or name == "scoring") and not pays_nothing:
            self._block(body, kind, name, home, procedure.span)
        self._inside(body, name, home)

    def _inside(self, body: object, name: str, home: str) -> None:
        for node in walk(body):
            match node:
                case ir.Decide(options=options, otherwise=otherwise):
                    for option in options:
                        self._option(option, home)
                    self._block(otherwise, "otherwise", f"of {node.name} in {name}", home, node.span)
                case ir.ChooseSome(otherwise=otherwise):
                    self.lots[id(node)] = self.point("option", f"{name}.{node.name}", home, node.span)
                    self._block(otherwise, "otherwise", f"of {node.name} in {name}", home, node.span)
                case ir.If(test=test, span=span) if span is not None:
                    self._condition(test, "if", _short(span), home, span)
                case ir.Require(test=test, name="derived" | "") if test is not None:
                    pass
                case ir.Require(test=test, span=span) if id(test) not in self.conditions:
                    self._condition(test, "require", _short(span), home, span)
                case ir.Named(name=called, body=block) if called in self.triggers:
                    self._block(block, "trigger", called, home, self.triggers[called])
                case ir.EndAs(ending=ending):
                    self.endings[ending] = self.point("ending", self.program.endings[ending], home, None)
                case ir.CallValue(function=ref):
                    for function in functions_of(ref):
                        self._function(function)
                case _:
                    pass

    def _option(self, option: ir.Option, home: str) -> None:
        name = option.rule if option.rule != "pay" else option.key
        self.options[_known_by(option)] = self.point("option", name, home, option.span)
        for demand in option.tests:
            kind = "cost" if demand.name == "cost" else "when" if demand.name else ""
            if kind:
                self._condition(demand.test, kind, name, home, demand.span)

    def _function(self, function: ir.Function) -> None:
        if id(function) in self._functions:
            return
        self._functions.add(id(function))
        if isinstance(function.body, ir.Block):
            self._block(function.body, "value", function.name, function.home, function.span)
        else:
            kind = "guard" if function.reason is not None else "value"
            self._condition(function.body, kind, function.name, function.home, function.span)
        self._inside(function.body, function.name, function.home)


def _known_by(option: ir.Option) -> tuple[int, str, str]:
    """The body alone will not do: options without a block share an empty one."""
    return id(option.body), option.rule, option.key


def marked(game: Game) -> Game:
    """The same game, with marks: what it reaches stands in `marks_of(it).seen`."""
    return made_again(game, with_marks)


def with_marks(box: Box, world: World, program: ir.Program, lang: str = "en") -> Game:
    """A program made ready with marks, in the one build that tells everything: in games that are told all are reached."""
    merged = Merged(box, world, Faults())
    marks = Marks(program, {name: rule.span for name, rule in merged.rule_names.items()})
    return ready(box, world, program, lang, marks=marks, telling=True)


def marks_of(game: Game) -> Marks:
    assert isinstance(game.flow.marks, Marks)
    return game.flow.marks


# ---------------------------------------------------------------------------------------------- the report


@dataclass(slots=True)
class Seen:
    """By whom a point was reached; of a condition, which ways it was seen."""

    scenarios: set[bool] = field(default_factory=set)
    games: set[bool] = field(default_factory=set)

    @property
    def ways(self) -> set[bool]:
        return self.scenarios | self.games


@dataclass(slots=True)
class Coverage:
    """What was reached, over all the games of a ruleset."""

    ruleset: str
    points: dict[Point, Seen] = field(default_factory=dict)
    scenarios: int = 0
    games: int = 0

    def take(self, game: Game, scenarios: bool) -> None:
        """Write down what a game has reached, and forget it there."""
        marks = marks_of(game)
        for point in marks.points:
            self.points.setdefault(point, Seen())
        for number, way in marks.seen:
            seen = self.points[marks.points[number]]
            (seen.scenarios if scenarios else seen.games).add(way)
        marks.seen.clear()

    def of(self, *kinds: str) -> Iterator[tuple[Point, Seen]]:
        for point, seen in self.points.items():
            if point.kind in kinds:
                yield point, seen

    @property
    def unreached(self) -> list[Point]:
        """Rules that nothing has ever reached."""
        return [point for point, seen in self.of(*RULES) if not seen.ways]

    @property
    def untested(self) -> list[Point]:
        """Rules that only random games have reached."""
        return [point for point, seen in self.of(*RULES) if seen.games and not seen.scenarios]

    @property
    def one_way(self) -> list[tuple[Point, str]]:
        """Conditions that were never seen both true and false."""
        words = {(): "never looked at", (True,): "never false", (False,): "never true"}
        return [(point, words[tuple(seen.ways)]) for point, seen in self.of(*CONDITIONS) if len(seen.ways) < 2]

    @property
    def whole(self) -> bool:
        return not self.unreached

    def __str__(self) -> str:
        total, reached = self._count(RULES, 1)
        lines = [f"Coverage of {self.ruleset} by {self.scenarios} scenarios and {self.games} random games", ""]
        percent = 100 * reached // total if total else 100
        lines.append(f"  {percent:3}% of rules reached ({reached} of {total}): " + self._kinds(RULES, 1))
        total, reached = self._count(CONDITIONS, 2)
        percent = 100 * reached // total if total else 100
        kinds = self._kinds(CONDITIONS, 2)
        lines.append(f"  {percent:3}% of conditions seen true and false ({reached} of {total}): {kinds}")
        for title, points in (
            ("Never reached", [str(point) for point in self.unreached]),
            ("Reached by random games only", [str(point) for point in self.untested]),
            ("Conditions seen one way only", [f"{point}: {how}" for point, how in self.one_way]),
        ):
            if points:
                lines += ["", f"  {title}:", *(f"    {text}" for text in points)]
        return "\n".join(lines)

    def _count(self, kinds: tuple[str, ...], ways: int) -> tuple[int, int]:
        found = [seen for _, seen in self.of(*kinds)]
        return len(found), sum(len(seen.ways) >= ways for seen in found)

    def _kinds(self, kinds: tuple[str, ...], ways: int) -> str:
        parts = []
        for kind in kinds:
            total, reached = self._count((kind,), ways)
            if total:
                parts.append(f"{kind} {reached}/{total}")
        return ", ".join(parts)

    def as_json(self) -> dict[str, object]:
        return {
            "ruleset": self.ruleset,
            "scenarios": self.scenarios,
            "games": self.games,
            "unreached": [str(point) for point in self.unreached],
            "points": [
                {
                    "kind": point.kind, "name": point.name, "module": point.home, "place": point.place,
                    "scenarios": _ways(point, seen.scenarios), "games": _ways(point, seen.games),
                }
                for point, seen in self.points.items()
            ],
        }  # fmt: skip


def _ways(point: Point, ways: set[bool]) -> object:
    return {"true": True in ways, "false": False in ways} if point.is_condition else bool(ways)


# ------------------------------------------------------------------------------------------------ measuring


def cover(place: str | Path, only: str = "", playouts: int = 20) -> tuple[Report, Coverage]:
    """Run the scenarios of a ruleset, then so many random games for each way of setting it up."""
    tested = run_scenarios(place, only, prepared=with_marks)
    coverage = Coverage(tested.home.name, scenarios=len(tested.results))
    for game in tested.games.known.values():
        coverage.take(game, scenarios=True)
    for setting in door.read((tested.folder, *tested.elsewhere), settings_in, tested.folder, tested.elsewhere):
        try:
            game = tested.games(setting)
        except RulesetFaults:
            if not setting.modules and not setting.variants:
                raise
            continue  # a part that needs others
        for seed in range(playouts):
            play_at_random(game, seed)
            coverage.games += 1
        coverage.take(game, scenarios=False)
    return tested, coverage


def settings_of(folder: Path, elsewhere: tuple[Path, ...] = ()) -> Iterator[Setting]:
    """The plain game at every number of seats; each module and variant at the fewest and the most. Of a module from elsewhere
    the game with that and with what it needs."""
    low, high = read_box(folder, (), Faults()).seats
    if elsewhere:
        yield from (Setting(seats, tuple(home.name for home in elsewhere)) for seats in dict.fromkeys((low, high)))
        return
    for seats in range(low, high + 1):
        yield Setting(seats)
    for part in parts_of(folder).values():
        for seats in dict.fromkeys((low, high)):
            yield Setting(seats, (part.name,)) if part.what == "module" else Setting(seats, variants=(part.name,))


def settings_in(folder: Path, elsewhere: tuple[Path, ...] = ()) -> list[Setting]:
    return list(settings_of(folder, elsewhere))


def play_at_random(game: Game, seed: int) -> None:
    random = Random(seed)
    table = game.start(seed)
    for _ in range(MOST_STEPS):
        if not table.codes:
            return
        table.step(random.randrange(len(table.codes)))


__all__ = ["CONDITIONS", "RULES", "Coverage", "Marks", "Point", "Seen", "cover", "marked", "marks_of", "settings_of"]
