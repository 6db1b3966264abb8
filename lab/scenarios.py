"""Scenarios: a ruleset's own tests. Each leads a game to a place, lets something happen, and says what must then hold.

    scenario: R-12 refusing pays ¥3
    config: {seats: 2, seed: 1, options: {start_player: 1}}
    given: |
      seat(1) pays ¥10 to bank
    play: [1: bid/2, 2: bid/3]
    chance: []
    when: [refuse]
    then:
      - cash of seat(1) = ¥41
    why_not: {buy/1: is bought}
    options: [buy/2, refuse]
    sees: {2: {seat(1).cash: hidden, round: 1}}

**The one rule of order: what a scenario does is done in the order in which it stands in the file.** `given`, `play`,
`chance` and `when` may come in any order, each once.

- `given` is done where the game stands then: before `play`, at the first question of the game; after it, at the
  question to which `play` has led. That question is then put anew.
- `chance` holds from where it stands: written first it begins with the setup, written after `play` with what happens
  then. Its events must come about in this order, none may be left over; what comes after them follows the seed.
- `play` and `when` are answers, by their keys: `buy/1`, or `2: bid/0` for the answer of a certain seat (in a
  secret block, or to say who must be asked). `{until: round = 7}` answers with the first option until that is true
  where a question is asked, `{until: the end}` until the game is over. `{holds: round = 7}` among the answers says what
  must be true at that place.

`then`, `why_not`, `options`, `sees`, `ranking` and `ending` are looked at when all is done. A file holds one scenario, or
several under `scenarios:`. What stands beside that word, a `config` or steps, holds for all of them: their own config
is added to it, their own steps come after.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

from ichiba.dsl.faults.fault import LONG, SHOWN_FAULTS, Edit, Fault, Faults, RulesetFaults, echoed, placed, render_all
from ichiba.dsl.faults.source import Span
from ichiba.dsl.parts import name_of
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_expression
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Scalar
from ichiba.interpreter.api import folder_of, load_to_tell, module_and_game
from ichiba.interpreter.elsewhere import home_of_module
from ichiba.interpreter.layout import PC
from ichiba.interpreter.run.decisions import IllegalMove
from ichiba.interpreter.run.game import Game, Preparation
from ichiba.interpreter.run.race import waits
from ichiba.interpreter.run.table import FAULTS, Table
from ichiba.interpreter.runtime.chance import Told
from ichiba.interpreter.runtime.work import Work
from ichiba.interpreter.saves.records import Teller, items_of_answer, scripted
from ichiba.interpreter.sight.views import Heard, view_of
from ichiba.interpreter.strangers import door
from ichiba.lab.given import CannotBeGiven, compile_given
from ichiba.lab.held import Held
from ichiba.lab.policies import policies, policy
from ichiba.lab.scenario_files import (
    Answer,
    Scenario,
    Setting,
    Step,
    home_of,
    presets_as_scenarios,
    scenario_files,
    sound_scenarios,
)
from ichiba.lab.seeing import ViewChecker

SOME = 3  # answers that are looked back
MOST_ANSWERS = 10_000  # of one `until`
MOST_PLAYED = 10  # as much as so many answers may take, in all scenarios of one setting
MOST_SETTINGS = 128  # in which the scenarios of a stranger's ruleset are played
MOST_MADE = 10_752 * 2**10  # bytes of rules and declarations, once for each of those


# -------------------------------------------------------------------------------------------------- judging


@dataclass(frozen=True, slots=True)
class Failure:
    """Something in a scenario that does not hold: where, what, and what was found instead."""

    span: Span
    message: str
    expected: str = ""
    found: str = ""
    repair: tuple[Edit, ...] = ()  # where it is a fault of the text that no other can have been meant

    def __str__(self) -> str:
        pad, lines = " " * len(str(self.span.line)), placed(self.span, echoed(self.message, LONG))
        if self.expected or self.found:
            lines += [f"{pad}= expected {echoed(self.expected, LONG)}", f"{pad}=      was {echoed(self.found, LONG)}"]
        return "\n".join(lines)


@dataclass(slots=True)
class Result:
    """How a scenario went."""

    scenario: Scenario
    failures: list[Failure] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return not self.failures

    def __str__(self) -> str:
        sign = "✓" if self.holds else "✗"
        shown = [str(failure) for failure in self.failures[:SHOWN_FAULTS]]
        more = len(self.failures) - len(shown)
        return "\n".join([f"{sign} {self.scenario.name}", *shown, *([f"... and {more} more"] if more else [])])


class Stopped(Exception):
    """A scenario cannot go on."""

    def __init__(self, failure: Failure):
        super().__init__(failure.message)
        self.failure = failure


GameOf = Callable[[Setting], Game]


class Games:
    """The games that scenarios are about, each made once."""

    def __init__(self, folder: Path, prepared: Preparation | None = None, elsewhere: Sequence[Path] = ()):
        self.folder = folder
        self.elsewhere = {home.name: home for home in elsewhere}  # modules in folders of their own, by the names that are used
        self.prepared = prepared
        self.memory = Memory()
        self.known: dict[str, Game] = {}
        self.at_fault: dict[str, RulesetFaults] = {}  # settings in which the ruleset cannot be played
        self.work: dict[str, Work] = {}  # by setting: what its scenarios may still take

    def __call__(self, setting: Setting) -> Game:
        if setting.key in self.at_fault:
            raise self.at_fault[setting.key]
        if setting.key not in self.known:
            try:
                made = self.known[setting.key] = self._made(setting)
                self.work[setting.key] = Work(made, MOST_PLAYED)
            except RulesetFaults as faults:
                self.at_fault[setting.key] = faults
                raise
        return self.known[setting.key]

    def _made(self, setting: Setting) -> Game:
        modules = tuple(self.elsewhere.get(name, name) for name in setting.modules)
        return load_to_tell(
            self.folder, setting.seats, modules=modules, variants=setting.variants, options=dict(setting.options),
            assumptions=dict(setting.assumptions), memory=self.memory, prepared=self.prepared,
        )  # fmt: skip

    def faults(self) -> dict[Fault, None]:
        """What is wrong with the files of the ruleset, so that some scenarios cannot be played."""
        return dict.fromkeys(fault for found in self.at_fault.values() for fault in found.faults if fault.span is not None)


def run(scenario: Scenario, game_of: GameOf) -> Result:
    """Play a scenario and look. Whatever goes wrong is this scenario's failure, and no other's."""
    result = Result(scenario)
    try:
        game = game_of(scenario.setting)
    except RulesetFaults as faults:
        of_itself = any(fault.span is not None for fault in faults.faults if fault.severity == "error")
        place = scenario.span if of_itself else _place_of(faults, scenario)
        result.failures.append(Failure(place, f"the ruleset cannot be played so: {_first(faults)}"))
        return result
    course: Course | None = None
    try:
        course = Course(scenario, game, game_of.work[scenario.setting.key] if isinstance(game_of, Games) else None)
        course.go()
        result.failures += course.judge()
    except Stopped as stopped:
        result.failures += [*(course.missed if course is not None else ()), stopped.failure]
    except Exception as fault:  # of the engine's own, perhaps: the other scenarios are played all the same
        result.failures.append(Failure(scenario.span, _broke_off(game, fault)))
    return result


def _broke_off(game: Game, fault: Exception) -> str:
    if isinstance(fault, FAULTS):
        return f"a rule fails: {game.explain_fault(fault)}"
    place, trace = "", fault.__traceback__
    while trace is not None:
        place, trace = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}", trace.tb_next
    words = ": ".join(filter(None, [type(fault).__name__, " ".join(str(fault).split())]))
    return f"something went wrong inside: {words} ({place})"


class Course:
    """A scenario being played."""

    def __init__(self, scenario: Scenario, game: Game, work: Work | None = None):
        """`work`: what it may take, if that is counted for several together."""
        self.scenario, self.game = scenario, game
        self.work = work or Work(game, MOST_PLAYED)
        self.steps = list(scenario.steps)
        self.script: tuple[tuple[str, Span], ...] = ()
        self.missed: list[Failure] = []  # what did not hold on the way
        self.since = 0  # how much the teller had told before the last answer
        self.looked: dict[int | None, list[tuple[str, bool]]] = {}  # by seat: what was looked at, and whether it was seen
        self.lately = deque([0], maxlen=SOME)  # how much the teller had told before each of the last answers
        script: list[str] = []
        if self.steps and self.steps[0].what == "chance":
            self.script = self.steps.pop(0).events
            script = [key for key, _ in self.script]
        self.table = self._guarded(scenario.span, lambda: scripted(game, scenario.setting.seed, tuple(script)))

    @property
    def teller(self) -> Teller:
        return cast(Teller, self.table.context)

    # ---------------------------------------------------------------------------------------- the course

    def go(self) -> None:
        for step in self.steps:
            match step.what:
                case "given":
                    self._given(step)
                case "chance":
                    self._no_event_left()
                    self.script = step.events
                    self.teller.script, self.teller.used = [key for key, _ in step.events], 0
                case "bots":
                    self._play_out(step)
                case _:
                    for answer in step.answers:
                        self._answer(answer)
        self._no_event_left()

    def _given(self, step: Step) -> None:
        if step.text is None:
            return
        table = self.table
        if table.over:
            raise Stopped(Failure(step.span, "the game is over, nothing can be given any more"))
        try:
            given = compile_given(self.game, step.text)
        except RulesetFaults as faults:
            raise Stopped(_as_failure(faults, step.span)) from None
        try:
            given(table.state, table.context)
        except CannotBeGiven as reason:
            raise Stopped(Failure(reason.span or step.span, str(reason))) from None
        except FAULTS as fault:
            raise Stopped(Failure(step.span, _broke_off(self.game, fault))) from None
        table.codes = self._guarded(step.span, lambda: table._run(table.state, table.context, table.state[0]))

    def _answer(self, answer: Answer) -> None:
        if answer.until is not None:
            self._until(answer.until)
            return
        if answer.holds is not None:
            failure = self._then(answer.holds)
            self.missed += [failure] if failure is not None else []
            return
        reason, told = "", len(self.teller.items)
        try:
            self._guarded(answer.span, lambda: self._heard(lambda: self.table.play(answer.key, answer.seat)))
        except IllegalMove as refusal:
            reason = str(refusal)
        taken = next(self._taken_already(answer), "") if reason else ""
        if taken:
            raise Stopped(Failure(answer.span, taken))
        if reason:
            pending = self.table.pending
            decision = next((one for one in pending if one.seat == answer.seat), pending[0] if pending else None)
            offered = f"seat {decision.seat} may answer {', '.join(decision.keys())}" if decision is not None else ""
            raise Stopped(Failure(answer.span, reason, f"`{answer.key}` to be possible" if offered else "", offered))
        self.lately.append(told)

    def _taken_already(self, answer: Answer) -> Iterator[str]:
        """An answer that was the only one has been given by itself: who writes it down is a step behind, perhaps since
        some answers ago."""
        for item in self.teller.items[self.lately[0] :]:
            if item.get("forced") and item["key"] == answer.key and answer.seat in (None, item["seat"]):
                over = ", and the game is over" if self.table.over else ""
                yield f"seat {item['seat']} has taken `{answer.key}` already, for it was the only answer{over}: leave it out"
                return

    def _play_out(self, step: Step) -> None:
        """To the end: bots answer, and in the place of people the ruleset's own policy."""
        assert step.bots is not None
        bots, usual, seed = step.bots.policies(self.game.seats), policies(self.game)[0], self.scenario.setting.seed
        seats = [policy(self.game, bots.get(seat, usual), f"{seed}/{seat}") for seat in range(1, self.game.seats + 1)]
        while (decision := self.table.decision) is not None:
            index = self._guarded(step.span, partial(seats[decision.seat_index].index, decision))
            self._guarded(step.span, partial(self.table.step, index))

    def _until(self, until: Scalar) -> None:
        """With the first option, until something is true where a question is asked."""
        to_the_end = until.text.text.strip() == "the end"
        test = (lambda state: False) if to_the_end else self._question(until)
        for _ in range(MOST_ANSWERS):
            if self.table.over:
                if to_the_end:
                    return
                break
            if self._holds_now(until, test):
                return
            self.lately = deque([len(self.teller.items)], maxlen=SOME)
            self._guarded(until.span, lambda: self._heard(lambda: self.table.step(0)))
        raise Stopped(Failure(until.span, "it never came to this"))

    def _heard(self, act: Callable[[], object]) -> None:
        """An answer is given, and written down where it was given: for the log of a view."""
        before, told = self.table.state[:], len(self.teller.items)
        act()
        seat, code = self.table.history[-1]
        if not waits(self.game, self.game.flow.sites[before[PC]], code):
            self.since = told
        self.teller.items[told:told] = items_of_answer(self.game, before, seat, code)

    def _holds_now(self, until: Scalar, test: Callable[[list[int]], object]) -> bool:
        try:
            with self._counted(until.span):
                return bool(test(self.table.state))
        except FAULTS as fault:
            raise Stopped(Failure(until.span, _broke_off(self.game, fault))) from None

    def _guarded(self, span: Span, act: Callable[[], Any]) -> Any:
        """What a rule does wrong, and chance that cannot be, ends the scenario."""
        try:
            with self._counted(span):
                found = act()
            self.work.answered()
            self.game.held((found if isinstance(found, Table) else self.table).state)
            return found
        except Told as told:
            raise Stopped(Failure(self.script[told.event - 1][1] if told.event else span, str(told))) from None
        except FAULTS as fault:
            raise Stopped(Failure(span, _broke_off(self.game, fault))) from None

    @contextmanager
    def _counted(self, span: Span) -> Iterator[None]:
        """What nobody vouches for is played and looked at only so long."""
        if self.work.over:
            message = f"the scenarios of this setting take more than {MOST_PLAYED} answers may take"
            raise Stopped(Failure(span, message, "a ruleset that is trusted, or fewer of them (-k)"))
        with self.work:
            yield

    def _no_event_left(self) -> None:
        if self.teller.used < len(self.script):
            left = [key for key, _ in self.script[self.teller.used :]]
            span = self.script[self.teller.used][1]
            raise Stopped(Failure(span, "this chance event never came about", "no event left over", ", ".join(left)))

    # ------------------------------------------------------------------------------------------- looking

    def judge(self) -> list[Failure]:
        """Everything that does not hold in the end."""
        made = list(self.missed)
        made += [failure for item in self.scenario.then if (failure := self._then(item)) is not None]
        for key, reason, span in self.scenario.why_not:
            try:
                with self._counted(span):
                    found = self.table.why_not(key)
            except FAULTS as fault:
                made.append(Failure(span, _broke_off(self.game, fault)))
                continue
            if found is None:
                made.append(Failure(span, f"`{key}` is possible", f"a refusal: {reason}", "no objection"))
            elif reason not in found:
                made.append(Failure(span, f"`{key}` is refused for another reason", reason, found))
        return [*made, *self._sees(), *self._options(), *self._end()]

    def _sees(self) -> Iterator[Failure]:
        """What the views hold of those who look."""
        seats = dict.fromkeys(sight.seat for sight in self.scenario.sees)
        for seat in seats:
            sights = [sight for sight in self.scenario.sees if sight.seat == seat]
            if seat is not None and not 1 <= seat <= self.game.seats:
                yield Failure(sights[0].place.span, f"there is no seat {seat}: {self.game.seats} play")
                continue
            checker = ViewChecker(self.game, seat, view_of(self.table, seat, heard=Heard(self.teller.items, self.since)))
            for sight in sights:
                mismatch = checker.check(sight)
                if mismatch is not None:
                    yield Failure(mismatch.span, mismatch.message, mismatch.expected, mismatch.found)
            self.looked[seat] = checker.named

    def _end(self) -> Iterator[Failure]:
        over = self.table.over
        if self.scenario.ranking is not None:
            ranking, span = self.scenario.ranking
            real = tuple(tuple(place) for place in self.table.ranking) if over else ()
            if real != ranking:
                yield Failure(span, "the ranking is another", _places(ranking), _places(real) or "a game that goes on")
        if self.scenario.ending is not None:
            ending, span = self.scenario.ending
            if self.table.ending != ending:
                yield Failure(span, "the game has not ended so", ending, self.table.ending or "a game that goes on")

    def _options(self) -> Iterator[Failure]:
        if self.scenario.options is None:
            return
        wanted, span = self.scenario.options
        decision = self.table.decision
        offered = decision.keys() if decision is not None else []
        if set(wanted) == set(offered) and len(wanted) == len(offered):
            return
        missing = [key for key in wanted if key not in offered]
        more = [key for key in offered if key not in wanted]
        notes = [f"{word} {', '.join(keys)}" for word, keys in (("without", missing), ("with", more)) if keys]
        message = "the options are others: " + "; ".join(notes or ["some stand twice"])
        yield Failure(span, message, ", ".join(wanted), ", ".join(offered) or "none")

    def _then(self, item: Scalar) -> Failure | None:
        faults = Faults()
        node = parse_expression(item.text, faults)
        try:
            faults.raise_if_errors()
            with self._counted(item.span):
                if self.game.condition(cast(t.Expr, node), faults)(self.table.state):
                    return None
            return self._explain(cast(t.Expr, node), item.span)
        except RulesetFaults as found:
            return _as_failure(found, item.span)
        except FAULTS as fault:
            return Failure(item.span, f"this cannot be worked out: {self.game.explain_fault(fault)}")

    def _explain(self, node: t.Expr, span: Span) -> Failure:
        """A comparison that fails shows both sides; of several conditions the first that fails."""
        if isinstance(node, t.Operation) and node.op == "and":
            failing = next((part for part in node.args if not self._holds(part)), None)
            if failing is not None:
                return self._explain(failing, failing.span)
        if isinstance(node, t.Operation) and node.op in ("=", "!=", "<", "<=", ">", ">="):
            left, right = (self._value(side) for side in node.args)
            a, b = (spelled(side.span.text) for side in node.args)
            wanted = f"{a} {node.op} {_said(right) if right is not _UNKNOWN else b}"
            shown = [f"{a} = {_said(left)}" if left is not _UNKNOWN else "something else"]
            if right is not _UNKNOWN and not isinstance(node.args[1], t.Int | t.Money | t.Name):
                shown.append(f"{b} = {_said(right)}")
            return Failure(span, "this does not hold", wanted, ", ".join(shown))
        if isinstance(node, t.IsA) and (left := self._value(node.what)) is not _UNKNOWN:
            a, b = spelled(node.what.span.text), spelled(node.kind.span.text)
            found = f"seat({left})" if b.startswith("seat(") and isinstance(left, int) else _said(left)
            return Failure(span, "this does not hold", f"{a} is {'not ' if node.negated else ''}{b}", f"{a} is {found}")
        return Failure(span, "this does not hold")

    def _value(self, node: t.Expr) -> object:
        try:
            return self.game.question(node, Faults())(self.table.state)
        except RulesetFaults:
            return _UNKNOWN

    def _holds(self, node: t.Expr) -> bool:
        try:
            return self.game.condition(node, Faults())(self.table.state)
        except RulesetFaults:
            return True

    def _question(self, item: Scalar) -> Callable[[list[int]], object]:
        faults = Faults()
        node = parse_expression(item.text, faults)
        try:
            faults.raise_if_errors()
            return self.game.condition(cast(t.Expr, node), faults)
        except RulesetFaults as found:
            raise Stopped(_as_failure(found, item.span)) from None


_UNKNOWN = object()


def _said(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list():
            return ", ".join(_said(v) for v in value) or "nothing"
        case _:
            return str(value)


def _places(ranking: Iterable[Iterable[int]]) -> str:
    return ", then ".join("seat " + " and ".join(str(seat) for seat in place) for place in ranking)


def _place_of(faults: RulesetFaults, scenario: Scenario) -> Span:
    """Where the config says what cannot be: the word that the fault names, else all of it."""
    named = re.findall(r"`(\w+)`", _first(faults))
    for word in named:
        for span in scenario.setting.written:
            found = re.search(rf"\b{re.escape(word)}\b", span.text)
            if found is not None:
                return Span(span.source, span.start + found.start(), span.start + found.end())
    return scenario.setting.written[0] if scenario.setting.written else scenario.span


def _first(faults: RulesetFaults) -> str:
    found: Fault = next((f for f in faults.faults if f.severity == "error"), faults.faults[0])
    return found.message + (f" ({found.label})" if found.label else "")


def _as_failure(faults: RulesetFaults, span: Span) -> Failure:
    found = next((f for f in faults.faults if f.severity == "error"), None)
    if found is None:
        return Failure(span, "this means nothing here")
    return Failure(found.span or span, _first(faults), repair=tuple(edit for fault in faults.faults for edit in fault.repair))


# ---------------------------------------------------------------------------------------------- many at once


@dataclass(slots=True)
class Report:
    """All scenarios of a ruleset, and how they went."""

    folder: Path
    results: list[Result]
    faults: tuple[Fault, ...]
    games: Games
    unchanged: int = 0  # not played, for they have held as they stand
    left: int = 0  # not played, for another has failed
    elsewhere: tuple[Path, ...] = ()  # a module in a folder of its own was tested, with what it needs from elsewhere

    @property
    def home(self) -> Path:
        """Where the scenarios lie."""
        return self.elsewhere[0] if self.elsewhere else self.folder

    @property
    def holds(self) -> bool:
        return not self.faults and all(result.holds for result in self.results)

    def __str__(self) -> str:
        parts = [render_all(self.faults)] if self.faults else []
        parts += self._failures()
        failed = sum(not result.holds for result in self.results)
        wrong = sum(fault.severity == "error" for fault in self.faults)
        verdicts = [_counted(len(self.results), "scenario")]
        if failed or self.results:
            verdicts.append(f"{failed} failed" if failed else "all hold")
        elif not wrong and not self.unchanged:
            verdicts.append("nothing to test")
        if self.left:
            verdicts.append(f"{self.left} not played after that")
        if self.unchanged:
            verdicts.append(f"{self.unchanged} unchanged since they held")
        if wrong:
            verdicts.append(f"{_counted(wrong, 'fault')} in the files")
        parts.append(f"{self.home.name}: {', '.join(verdicts)}")
        return "\n\n".join(parts)

    def _failures(self) -> Iterator[str]:
        """Those that do not hold; what is wrong with several at the same place is told with the first of them."""
        told: dict[tuple[Failure, ...], str] = {}
        for result in self.results:
            first = told.get(tuple(result.failures))
            if first is not None:
                yield f"✗ {result.scenario.name}\n  for the same reason as `{first}`"
            elif not result.holds:
                told[tuple(result.failures)] = result.scenario.name
                yield str(result)

    def as_json(self) -> dict[str, object]:
        return {
            "ruleset": self.folder.name,
            **({"module": self.home.name} if self.elsewhere else {}),
            "holds": self.holds,
            "faults": [fault.message for fault in self.faults],
            "scenarios": [_result_as_json(result) for result in self.results],
            **({"unchanged": self.unchanged} if self.unchanged else {}),
            **({"left": self.left} if self.left else {}),
        }


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _result_as_json(result: Result) -> dict[str, object]:
    span = result.scenario.span
    return {
        "scenario": result.scenario.name,
        "file": span.source.path,
        "line": span.line,
        "holds": result.holds,
        "failures": [_failure_as_json(failure) for failure in result.failures],
    }


def _failure_as_json(failure: Failure) -> dict[str, object]:
    span = failure.span
    return {
        "file": span.source.path,
        "line": span.line,
        "col": span.col,
        "message": failure.message,
        "expected": failure.expected,
        "found": failure.found,
    }


Places = tuple[Path, ...]  # the ruleset's folder, then those of modules from elsewhere
Sharing = Callable[[Places, list[Scenario]], Generator[tuple[list[Result], tuple[Fault, ...]], None, None]]


def run_scenarios(
    place: str | Path,
    only: str = "",
    prepared: Preparation | None = None,
    *,
    stop: bool = False,
    changed: bool = False,
    shared: Sharing | None = None,
) -> Report:
    """The scenarios of a ruleset, a folder or a file; `only` those whose name has these words in it.

    A scenario that cannot be read is told, and the others are played all the same. `stop`: the first that fails is the last.
    `changed`: only those that have not yet held as they stand, with the rules as they stand. `shared`: played by others,
    who give results, and what is wrong with the rules, in any order."""
    places, path = places_of(Path(place))
    folder, *more = places
    faults = Faults()
    found: list[Scenario] = []
    for scenarios, wrong in door.read_each(places, found_in, [(file,) for file in scenario_files(path)]):
        found += scenarios
        faults.all_of(wrong)
    if path.resolve() == folder.resolve():
        scenarios, wrong = door.read(folder, presets_in, folder)
        found += scenarios
        faults.all_of(wrong)
    _no_name_twice(found, faults)
    games = Games(folder, prepared, more)
    named = [scenario for scenario in found if only.lower() in scenario.name.lower()]
    held = Held(folder, more)
    chosen = [scenario for scenario in named if not (changed and scenario in held)]
    if not door.vouched_for(places):
        _few_settings(chosen, places)
    results, broken = _results(chosen, places, shared or _by_ourselves(games), stop)
    held.note((r.scenario for r in results if r.holds), (r.scenario for r in results if not r.holds))
    told = tuple(dict.fromkeys((*faults.all, *broken)))
    return Report(folder, results, told, games, len(named) - len(chosen), len(chosen) - len(results), tuple(more))


def _few_settings(scenarios: Iterable[Scenario], places: Places) -> None:
    """A game is made for each setting that is tested: of what nobody vouches for, so many and no more. Raises `RulesetFaults`."""
    settings = {scenario.setting.key: scenario.setting for scenario in scenarios}.values()
    if len(settings) > MOST_SETTINGS:
        raise door.too_large(f"scenarios in {len(settings):,} settings; {MOST_SETTINGS} are played (-k chooses some)")
    text = door.text_read(places)
    names = [[name_of(name) for name in (*setting.modules, *setting.variants)] for setting in settings]
    if (read := sum(map(text, names))) > MOST_MADE:
        what = f"scenarios in {len(settings):,} settings, in which {read / 1024:,.0f} KB of rules and declarations are read"
        raise door.too_large(f"{what}; {MOST_MADE // 2**10:,} KB are the most (-k chooses some)")


def places_of(path: Path) -> tuple[Places, Path]:
    """The ruleset that a path or a name stands for, or the one that a module from elsewhere is for, with that module; and where
    scenarios are looked for."""
    if path.exists():
        folder, module = home_of(path), home_of_module(path)
        if folder is not None:
            return (folder,), path
        if module is not None:
            game, more = module_and_game(module)
            return (game, *more), path
    folder = folder_of(str(path))
    return (folder,), folder


def _results(
    scenarios: list[Scenario], places: Places, played: Sharing, stop: bool
) -> tuple[list[Result], dict[Fault, None]]:
    """How they went, in their order."""
    found: dict[int, Result] = {}
    wrong: dict[Fault, None] = {}
    number = {id(scenario): at for at, scenario in enumerate(scenarios)}
    with closing(played(places, scenarios)) as coming:
        for results, faults in coming:
            for result in results:
                found[number[id(result.scenario)]] = result
            wrong |= dict.fromkeys(faults)
            if stop and not all(result.holds for result in results):
                break
    return [found[at] for at in sorted(found)], wrong


def _by_ourselves(games: Games) -> Sharing:
    def played(places: Places, scenarios: list[Scenario]) -> Generator[tuple[list[Result], tuple[Fault, ...]], None, None]:
        for scenario in scenarios:
            result = run(scenario, games)
            yield [result], tuple(games.faults())

    return played


def found_in(path: Path) -> tuple[list[Scenario], tuple[Fault, ...]]:
    """The scenarios of a file that can be played, and what is wrong with it."""
    faults = Faults()
    return sound_scenarios(path, faults), faults.all


def presets_in(folder: Path) -> tuple[list[Scenario], tuple[Fault, ...]]:
    """The configurations of a ruleset as scenarios, and what is wrong with them."""
    faults = Faults()
    return presets_as_scenarios(folder, faults), faults.all


def _no_name_twice(scenarios: Iterable[Scenario], faults: Faults) -> None:
    seen: dict[str, Span] = {}
    for scenario in scenarios:
        if scenario.name in seen:
            message = f"two scenarios are called `{scenario.name}`"
            faults.add("E206", scenario.span, message, second=(seen[scenario.name], "the first one"))
        seen.setdefault(scenario.name, scenario.span)


__all__ = ["Failure", "Games", "Places", "Report", "Result", "Scenario", "Setting", "home_of", "places_of", "run", "run_scenarios"]
