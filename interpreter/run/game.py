"""A ruleset made ready for so many seats: its program, its places and its Python, and nothing that changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from marshal import dumps, loads
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ichiba.dsl.faults.fault import Fault, Faults, RulesetFaults
from ichiba.dsl.faults.source import Embedded, Source, Span
from ichiba.dsl.meaning.wanted import as_set, cond, first_in
from ichiba.dsl.names.compatible import settle
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env, Lying, Meaning, Several, SortNames, Zones
from ichiba.dsl.names.sorts import all_sorts, holds_one
from ichiba.dsl.program.program import new_context
from ichiba.dsl.program.texts import labels_of, put_titles, read_texts, spoken
from ichiba.dsl.rules import ir
from ichiba.dsl.ruleset import too_deep
from ichiba.dsl.syntax.parse import parse_expression
from ichiba.dsl.syntax.tree import Expr
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.choosable import Choosable, choosable
from ichiba.dsl.world.constant import scope_of
from ichiba.dsl.world.world import Config, Member, World
from ichiba.dsl.yaml.configuration import Configuration
from ichiba.dsl.yaml.declarations import Box
from ichiba.dsl.yaml.memory import Memory
from ichiba.interpreter import layout as places
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.flow.marks import Marks
from ichiba.interpreter.flow.pieces import ANYWHERE, Secret, Site, horizon
from ichiba.interpreter.layout import Layout, initial, keep_totals, lay_out
from ichiba.interpreter.run.choices import blame_choices
from ichiba.interpreter.run.code import Code, Test, execute
from ichiba.interpreter.run.decisions import Explainer
from ichiba.interpreter.run.questions import names_of_questions
from ichiba.interpreter.run.table import Policy, Table, new_seed
from ichiba.interpreter.run.words import Words
from ichiba.interpreter.run.worked_out import Caller, Compiled, WorkedOut
from ichiba.interpreter.runtime.chance import Words as ChanceWords
from ichiba.interpreter.runtime.chance import words_of
from ichiba.interpreter.runtime.runtime import FINER, FUEL, NoEntry, RuleFault, Unmet
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.to_plan.emitted import Emitted
from ichiba.interpreter.to_plan.late import Late
from ichiba.interpreter.to_plan.module import emit
from ichiba.validator import judge
from ichiba.validator.judges.building import build

if TYPE_CHECKING:
    from ichiba.interpreter.batch.batch import Batch
    from ichiba.interpreter.batch.tables import Tables

T = TypeVar("T")


@dataclass(eq=False, repr=False)
class Game:
    """What `load` gives: everything about a game that is the same at every table."""

    name: str
    config: Config
    box: Box
    world: World
    program: ir.Program
    layout: Layout
    flow: Flow
    emitted: Emitted
    code: Code
    first: list[int]
    lang: str = "en"
    folder: Path | None = None
    texts: dict[str, str] = field(default_factory=dict)
    own_texts: frozenset[str] = frozenset()  # keys of those that are in the language of the game, and not in English for want of them
    configuration: Configuration | None = None  # what it was set up by
    telling: bool = False  # only the build that tells everything was made, and every table is played in it
    worked_out: WorkedOut = field(default_factory=WorkedOut)
    words: Words = field(init=False)
    explainer: Explainer = field(init=False)

    def __post_init__(self) -> None:
        self.words = Words(self)
        self.explainer = Explainer(self)

    def __repr__(self) -> str:
        chosen = " + ".join(self.config.parts)
        return f"Game({self.name!r}, {self.seats} seats{f', with {chosen}' if chosen else ''})"

    @property
    def seats(self) -> int:
        return self.config.seats

    @property
    def fuel(self) -> int:
        """How many steps of its rules are counted at most, from an answer to the next question."""
        return FUEL * FINER if self.world.closely else FUEL

    @property
    def options(self) -> dict[str, Choosable]:
        """What could be chosen before the game, and what was: types, defaults, choices."""
        return choosable(self.box, self.world, self.lang)

    @property
    def native(self) -> bool:
        """Whether it is played in machine code."""
        return self.worked_out.in_python is not None

    def ending_of(self, number: int) -> str:
        """The name of an ending, from what the state has of it."""
        return self.program.endings[number] if 0 <= number < len(self.program.endings) else "end"

    # ------------------------------------------------------------------------------------------ playing

    def start(self, seed: int | str | None = None, chance: tuple[str, ...] = ()) -> Table:
        """A new table. Without a seed that of the configuration is taken, or a random one (`table.seed`). `chance` scripts the first
        events."""
        if seed is None and self.configuration is not None:
            seed = self.configuration.choices.seed
        if seed is None:
            seed = new_seed()
        if chance:
            from ichiba.interpreter.saves.records import scripted

            return scripted(self, seed, tuple(chance))
        return Table(self, seed).begin()

    def playout(self, seed: int | str, policy: Policy) -> Table:
        """A whole game, every decision made by a policy."""
        table = self.start(seed)
        while table.codes:
            table.step(policy(table))
        return table

    def batch(
        self, seeds: Sequence[int | str], policies: str | Sequence[str] = "random", threads: int = 1, records: bool = False
    ) -> Batch:
        """A whole game for each seed, among policies of the ruleset or `random`: one name for all seats, or a list with one for
        each. In machine code (`native=True`) on so many threads; else in Python. The same games either way. `records`: what the rules
        record is kept on the way."""
        from ichiba.interpreter.batch.batch import batch

        return batch(self, seeds, policies, threads, records)

    def tables(self, begun: int | Sequence[int | str | Table], threads: int = 1) -> Tables:
        """Many tables that are stepped at once: so many, or one for each seed, or one in the position of each table."""
        from ichiba.interpreter.batch.tables import tables_of

        return tables_of(self, begun, threads)

    def chance_words(self, seed: int | str) -> ChanceWords:
        return words_of(seed)

    @in_turn
    def broken(self, state: list[int]) -> list[str]:
        """The invariants of the ruleset that do not hold here; that no zone holds more than it may is one too."""
        return [name for name, holds in self.code.invariants() if not holds(state)] + [
            promise for promise, span, full in self._limits if full(state)
        ]

    @property
    def _limits(self) -> list[tuple[str, Span | None, Test]]:
        """What zones `at most n` promise: how it is called, where it stands, and whether it is broken."""
        if self.worked_out.limits is None:
            self.worked_out.limits = [
                (f"{member.name} at most {member.limit}", member.span, _overfull(member))
                for member in self.world.members()
                if member.form == "zone" and member.limit is not None and member.width
            ]
        return self.worked_out.limits

    def held(self, state: list[int]) -> None:
        """Raises `RuleFault` where an invariant does not hold."""
        broken = self.broken(state)
        if broken:
            said = {f.name: f.span for f in self.program.invariants} | {name: span for name, span, _ in self._limits}
            span = said[broken[0]]
            place = f" ({span.source.path}:{span.line})" if span is not None else ""
            fault = RuleFault(f"the invariant `{broken[0]}` does not hold{place}")
            fault.explained = True
            raise fault

    # ------------------------------------------------------------------------------------------- looking

    @property
    @in_turn
    def late(self) -> Late:
        compiled = self.worked_out.compiled
        if compiled.late is None:
            compiled.late = Late(self.program, self.layout, self.flow, self.code.module)
        return compiled.late

    @in_turn
    def forget_expressions(self) -> None:
        """All that was compiled for questions, labels and policies is compiled anew when it is needed."""
        self.worked_out.compiled = Compiled()
        self.explainer.compiled.clear()

    @in_turn
    def compile_expression(self, e: ir.Exp, variables: list[ir.Var]) -> Callable[..., Any]:
        return cast("Callable[..., Any]", self.late.expression(e, variables))

    @in_turn
    def compile_set(self, e: ir.Set, variables: list[ir.Var]) -> Callable[..., Any]:
        return cast("Callable[..., Any]", self.late.expression(e, variables))

    @in_turn
    def seat_of(self, site: Site, state: list[int]) -> int:
        """Whose question it is."""
        decide = site.decide
        assert not isinstance(decide, ir.Secret)
        seats = self.worked_out.compiled.seats
        if site.number not in seats:
            seats[site.number] = self.compile_expression(decide.seat, [])
        return int(seats[site.number](state))

    def waiting_seats(self, state: list[int]) -> list[int]:
        """In a secret block: the seats that have still to answer."""
        secret = self._secret_of(state)
        if secret is None:
            return []
        loaded = state[places.LOADED] - 1
        return [s for s in range(self.seats) if s == loaded or state[secret.waiting + s]]

    def _secret_of(self, state: list[int]) -> Secret | None:
        if state[places.PC] < 0:
            return None
        return self.flow.sites[state[places.PC]].secret

    def lowest_waiting(self, state: list[int]) -> int | None:
        return next(iter(self.waiting_seats(state)), None)

    def take_up(self, code: Code, state: list[int], seat: int) -> int:
        """Loads this seat's secret answers; the number of its question."""
        secret = self._secret_of(state)
        assert secret is not None
        return int(code.module[f"load_{self.flow.secrets.index(secret)}"](state, seat))

    def name_of_question(self, site: Site) -> str:
        """The name of a question, for programs."""
        if self.worked_out.questions is None:
            self.worked_out.questions = names_of_questions(self.flow.sites)
        return self.worked_out.questions[site.number]

    def path_keys(self, site: Site, state: list[int]) -> list[str]:
        """The keys of the options we are inside of, outermost first."""
        return self._inside_keys(site.procedure, site.inside, state)

    def _inside_keys(
        self, procedure: ir.Procedure, inside: tuple[tuple[Site, int], ...], state: list[int]
    ) -> list[str]:
        caller = self._caller(procedure, state)
        outer = [] if caller is None else self._inside_keys(*caller, state)
        return [*outer, *(self._option_key(s, n, state) for s, n in inside)]

    def _caller(self, procedure: ir.Procedure, state: list[int]) -> Caller | None:
        """Which rule performs this one now, and inside of which options."""
        if procedure in self.flow.sole_callers:
            return self.flow.sole_callers[procedure]
        if procedure not in self.flow.returns:
            return None
        return self.callers.get(state[self.layout.slots[self.flow.returns[procedure]]])

    def end_of_trial(self, site: Site, number: int, state: list[int]) -> int:
        """How far a dry run of an option looks: to its end; for a way to pay to the end of what is paid for."""
        if not (isinstance(site.decide, ir.Decide) and site.decide.paying):
            return horizon(site, number)
        procedure, inside = site.procedure, site.inside
        while not inside:
            caller = self._caller(procedure, state)
            if caller is None:
                return ANYWHERE
            procedure, inside = caller
        return horizon(*inside[-1])

    @property
    def callers(self) -> dict[int, Caller]:
        """By the piece control returns to: which procedure called, and inside of which options."""
        if self.worked_out.callers is None:
            self.worked_out.callers = {number: (p, inside) for number, p, inside in self.emitted.landings}
        return self.worked_out.callers

    def _option_key(self, site: Site, number: int, state: list[int]) -> str:
        decide = site.decide
        assert isinstance(decide, ir.Decide)
        option = decide.options[number]
        values = [state[self.layout.slots[bind.var]] if bind.var in self.layout.slots else -1 for bind in option.binds]
        if option.keys is not None:
            spell = [
                self.words.key(
                    self.explainer.value(("key", site.number, number, at), key, option.binds, state, values),
                    key.kind,
                )
                for at, key in enumerate(option.keys)
            ]
        else:
            spell = [
                self.words.key(v, bind.var.kind)
                for bind, v in zip(option.binds, values, strict=True)
                if bind.var in self.layout.slots
            ]
        return "/".join([option.key, *spell])

    def code_of(self, site: Site, number: int, values: list[int]) -> int:
        """The number of an option, from its place and its values."""
        decide = site.decide
        assert isinstance(decide, ir.Decide)
        code = 0
        for digit in reversed(self.emitted.digits[(site.number, number)]):
            code = (
                code * digit.width + values[digit.bind] - digit.low if digit.width else values[digit.bind] - digit.low
            )
        count = len(decide.options)
        return number + count * code if count > 1 else code

    def unmet(self, number: int, state: list[int], option: ir.Option | None = None, values: list[int] | None = None) -> str:
        """The sentence of a requirement that was not met on the way, with what is known there of the names of the option."""
        demand = self.emitted.demands[number]
        if demand.reason is None:
            return f"it needs `{spelled(demand.span.text)}`" if demand.span else "a requirement is not met"
        binds, said = option.binds if option is not None else (), list[str]()
        for place, part in enumerate(self.translated(("unmet", number), demand.reason).parts):
            if isinstance(part, str):
                said.append(part)
                continue
            key = ("unmet", number, place, option.rule if option is not None else "")
            try:
                said.append(self.explainer.words(key, ir.Label((part,)), binds, state, values))
            except Exception:  # the names of the place where it failed are not known here
                said.append("…")
        return "".join(said).replace(": only … is there", "")

    def explain_fault(self, fault: Exception) -> RuleFault:
        """A fault of the running ruleset, with the place of the rule."""
        if isinstance(fault, RuleFault) and fault.explained:
            return fault
        number, rule, span = fault.where if isinstance(fault, RuleFault) else -1, "", None
        if isinstance(fault, Unmet):
            number, span = -1, self.emitted.demands[fault.number].span
        elif 0 <= number < len(self.emitted.faults):
            span = self.emitted.faults[number][1]
        if span is None:
            rule, span = self._rule_of(fault)
        place = f"{span.source.path}:{span.line}" if span is not None else ""
        where = ", ".join(filter(None, [f"in `{rule}`" if rule else "", place]))
        made = RuleFault(_told(fault) + (f" ({where})" if where else ""), number)
        made.explained = True
        return made

    def _rule_of(self, fault: Exception) -> tuple[str, Span | None]:
        """Which rule was running: the innermost generated function that belongs to one."""
        found = self.emitted.homes.get(fault.function) if isinstance(fault, RuleFault) else None
        trace = fault.__traceback__
        while found is None and trace is not None:
            name = trace.tb_frame.f_code.co_name
            trace = trace.tb_next
            inner = self.emitted.homes.get(name)
            if inner is not None and (trace is None or not self._known_within(trace)):
                found = inner
        return found or ("", None)

    def _known_within(self, trace: TracebackType) -> bool:
        inside: TracebackType | None = trace
        while inside is not None:
            if inside.tb_frame.f_code.co_name in self.emitted.homes:
                return True
            inside = inside.tb_next
        return False

    def text(self, key: str) -> str | None:
        """A text of the ruleset in the chosen language."""
        return self.texts.get(key)

    def translated(self, key: object, label: ir.Label) -> ir.Label:
        """The words of a label in the chosen language; where that has none for it, what is ours in it, and the rest in English."""
        if not self.texts:
            return self._in_our_words(label)
        if self.worked_out.keys_of_labels is None:
            self.worked_out.keys_of_labels = {id(known): name for name, known in labels_of(self.program)}
        words = self.texts.get(self.worked_out.keys_of_labels.get(id(label), ""))
        return (spoken(label, words) if words is not None else None) or self._in_our_words(label)

    def _in_our_words(self, label: ir.Label) -> ir.Label:
        """A reason of ours, such as what something costs."""
        if self.lang == "en":
            return label
        return ir.Label(tuple(self.words.own(part) if isinstance(part, str) else part for part in label.parts))

    # --------------------------------------------------------------------------------------------- asking

    @in_turn
    def ask(self, expression: str, state: list[int]) -> object:
        """The value of an expression of the rule language, against a state."""
        asked = self.worked_out.compiled.asked
        if expression not in asked:
            asked[expression] = self._ask(expression)
        return asked[expression](state)

    @property
    def context(self) -> Context:
        """Knows the names of the ruleset's rules, for questions that are asked later."""
        if self.worked_out.context is None:
            self.worked_out.context = new_context(self.box, self.world, Faults())
            self.worked_out.context.finished = True
        return self.worked_out.context

    @in_turn
    def keep(self, of: type[T], make: Callable[[], T]) -> T:
        """What a later room has worked out for this game, by its class; made when it is first asked for."""
        known = self.worked_out.compiled.of_later_rooms
        if of not in known:
            known[of] = make()
        found = known[of]
        assert isinstance(found, of)
        return found

    @in_turn
    def meaning(self, node: Expr, faults: Faults) -> tuple[Meaning, Context]:
        c = self.context
        c.tell(faults)
        found = c.meaning(c, node, Env({}, None, None))
        if isinstance(found, Several):
            found = settle(c, found, node, None) or found
        faults.raise_if_errors()
        if found is None:
            raise RulesetFaults(faults.all)
        return found, c

    def _ask(self, expression: str) -> Callable[[list[int]], object]:
        faults = Faults()
        node = parse_expression(Embedded.whole(Source("question", expression)), faults)
        faults.raise_if_errors()
        assert node is not None
        return self.question(node, faults)

    @in_turn
    def condition(self, node: Expr, faults: Faults) -> Callable[[list[int]], bool]:
        """Whether a written condition holds in a state. Raises `RulesetFaults`."""
        c = self.context
        c.tell(faults)
        test = cond(c, node, Env({}, None, None))
        faults.raise_if_errors()
        made = self.compile_expression(test, [])
        return lambda state: bool(made(state))

    @in_turn
    def question(self, node: Expr, faults: Faults) -> Callable[[list[int]], object]:
        """What a written expression is worth in a state, in plain words and numbers. Raises `RulesetFaults`."""
        found, c = self.meaning(node, faults)
        plain = self.words.plain
        if isinstance(found, Zones) and len(found.zones) == 1 and holds_one(c, found.zones[0]):
            found = first_in(
                ir.Pieces(
                    found.zones,
                    ir.SortSet(all_sorts(c, found.kind)),
                    _set_of(self.world, found.kind.name),
                )
            )
        if isinstance(found, Zones | Lying | SortNames):
            from ichiba.dsl.syntax.tree import Int

            found = as_set(c, found, Int(cast(Any, None), 0), None) or found
        if isinstance(found, ir.SET_CLASSES):
            made = cast("Callable[..., Any]", self.late.expression(found, [], each=True))
            element = found.kind.of
            return lambda state: [plain(int(v), element) for v in made(state)]  # type: ignore[arg-type]
        if isinstance(found, ir.EXP_CLASSES):
            value = found
            if value.kind.form == "zone":
                pieces = ir.Pieces(
                    (value,), ir.SortSet(all_sorts(c, value.kind)), _set_of(self.world, value.kind.name)
                )
                made = cast("Callable[..., Any]", self.late.expression(pieces, [], each=True))
                element = pieces.kind.of
                return lambda state: [plain(int(v), element) for v in made(state)]  # type: ignore[arg-type]
            made = self.compile_expression(value, [])

            def answer(state: list[int]) -> object:
                found = made(state)
                return None if found is None else plain(int(found), value.kind)  # a table has no such row

            return answer
        raise RulesetFaults(())


def _told(fault: Exception) -> str:
    """What went wrong, in words."""
    if isinstance(fault, RuleFault | NoEntry):
        return str(fault)
    if isinstance(fault, TypeError) and "NoneType" in str(fault):  # an entry that a table leaves out
        return _WORDS[LookupError]
    for kind, words in _WORDS.items():
        if isinstance(fault, kind):
            return words
    return f"something is not as it should be: {fault}"


_WORDS: dict[type[Exception], str] = {
    Unmet: "a requirement fails in the middle of a rule",
    ZeroDivisionError: "something is divided by nothing",
    LookupError: "a table or a place has no such entry",
    MemoryError: "there is no memory left",
    OverflowError: "a number becomes too large here",
    RecursionError: "rules lead on to each other too far",
}


def _set_of(world: World, category: str) -> Any:
    from ichiba.dsl.world.kinds import set_of

    return set_of(world.element(category))


def _overfull(member: Member) -> Test:
    """Whether one of a member's zones holds more pieces than it is promised to: asked at every decision, so first of all of them."""
    limit, width, end = member.limit or 0, member.width, member.base + member.size
    zones = [slice(first, first + width) for first in range(member.base, end, width)]
    whole = slice(member.base, end)

    def holds_more(state: list[int]) -> bool:
        return sum(state[whole]) > limit and any([sum(state[zone]) > limit for zone in zones])

    return holds_more


Preparation = Callable[[Box, World, ir.Program, str], Game]


def made(
    folder: Path,
    config: Config,
    lang: str = "en",
    *,
    memory: Memory | None = None,
    prepared: Preparation | None = None,
) -> Game:
    """A ruleset read, judged and made ready. Raises `RulesetFaults` with everything that is wrong. Who makes several games
    of one ruleset keeps in `memory` what has been read; `prepared` is for who wants another game of the same program."""
    memory = memory or Memory()
    try:
        box, world, program = _judged(folder, config, memory)
        game = (prepared or ready)(box, world, program, lang)
        _put_texts(game)
    except RulesetFaults as found:
        raise blame_choices(folder, config, found, lambda other: _errors(folder, other, memory)) from None
    except RecursionError:
        raise too_deep(Faults()) from None
    game.folder = folder
    return game


def made_again(game: Game, prepared: Preparation) -> Game:
    """Another game of the same program. None of its files is read once more."""
    again = prepared(game.box, game.world, game.program, game.lang)
    return replace(again, folder=game.folder, texts=game.texts, own_texts=game.own_texts)


def _put_texts(game: Game) -> None:
    """What its files say in English and in its language. Raises `RulesetFaults`."""
    box, faults = game.box, Faults()
    if box.path is not None:
        english, own = (read_texts(box.path, one, faults, box.memory, box.elsewhere) for one in ("en", game.lang))
        faults.raise_if_errors()
        texts = english | own
        put_titles(box, game.world, texts, game.lang)
        game.texts, game.own_texts = {key: text.words for key, text in texts.items()}, frozenset(own)


def _judged(folder: Path, config: Config, memory: Memory) -> tuple[Box, World, ir.Program]:
    faults = Faults()
    box, world, program = build(folder, config, faults, memory)
    judge(folder, box, world, program, faults)
    faults.raise_if_errors()
    return box, world, program


def _errors(folder: Path, config: Config, memory: Memory) -> tuple[Fault, ...]:
    """What is wrong with a ruleset when it is set up so, as far as that shows without making it ready to play."""
    faults = Faults()
    try:
        _, world, _ = _judged(folder, config, memory)
        lay_out(world, scope_of(world), faults)
    except RulesetFaults as found:
        return found.faults
    return faults.errors


def ready(
    box: Box,
    world: World,
    program: ir.Program,
    lang: str = "en",
    *,
    marks: Marks | None = None,
    telling: bool = False,
    closely: bool = False,
) -> Game:
    """Lay out, cut, write and compile. `marks`: points of the rules that are told when they are reached; `telling`: who wants
    everything told, and plays little, has it written only once, so that it is told; `closely`: nobody vouches for it, so every
    step of its rules is counted."""
    world.closely |= closely  # a world that came from a stranger stays one, whatever else is made of it
    layout = _laid_out(world, program)
    flow = Flow(program, marks)
    emitted = emit(program, layout, flow, telling)
    code = execute(emitted, f"<{box.name} traced>" if telling else f"<{box.name}>")
    game = Game(box.name, world.config, box, world, program, layout, flow, emitted, code, [], lang=lang, telling=telling)
    game.first = initial(layout, world)
    return game


def _laid_out(world: World, program: ir.Program) -> Layout:
    faults = Faults()
    layout = lay_out(world, scope_of(world), faults)
    faults.raise_if_errors()
    keep_totals(layout, program)
    return layout


@in_turn
def traced(game: Game) -> tuple[Emitted, Code]:
    """The same rules with everything told: for logs, scripts, coverage and enumeration."""
    if game.telling:
        return game.emitted, game.code
    made = game.worked_out
    if made.traced is None and made.traced_text is not None:
        emitted, raw = made.traced_text
        made.traced, made.traced_text = (emitted, execute(emitted, "", loads(raw))), None
    if made.traced is None:
        layout, flow = game.layout, game.flow
        if not flow.pieces:  # the game was kept: where questions lead is not
            layout, flow = _laid_out(game.world, game.program), Flow(game.program)
        emitted = emit(game.program, layout, flow, True)
        made.traced = emitted, execute(emitted, f"<{game.name} traced>")
        if made.keep is not None:
            made.keep(game)
    return made.traced


@in_turn
def noting(game: Game) -> Emitted:
    """The same rules with what they record noted: for whole games in machine code."""
    layout, flow = game.layout, game.flow
    if not flow.pieces:
        layout, flow = _laid_out(game.world, game.program), Flow(game.program)
    return emit(game.program, layout, flow, False, records=True)


@dataclass(slots=True)
class Dump:
    """A game as it can be written to a file: its modules written and compiled."""

    name: str
    config: Config
    box: Box
    world: World
    program: ir.Program
    layout: Layout
    flow: Flow
    emitted: Emitted
    first: list[int]
    lang: str
    folder: Path | None
    texts: dict[str, str]
    own_texts: frozenset[str]
    code: bytes
    telling: bool
    traced: tuple[Emitted, bytes] | None  # if it has been made


def dump(game: Game, *, whole: bool = False) -> Dump:
    """What is kept of a game between runs. `whole`: both its builds, although the one that tells may never be asked for."""
    if whole:
        traced(game)
    made = game.worked_out
    quick = made.in_python or game.code
    told = made.traced_text
    if made.traced is not None:
        emitted, code = made.traced
        told = emitted, dumps(code.compiled)
    return Dump(
        game.name,
        game.config,
        game.box,
        game.world,
        game.program,
        game.layout,
        game.flow,
        game.emitted,
        game.first,
        game.lang,
        game.folder,
        game.texts,
        game.own_texts,
        dumps(quick.compiled),
        game.telling,
        told,
    )


def undump(kept: Dump) -> Game:
    """A game that was written to a file, ready to play."""
    return Game(
        kept.name,
        kept.config,
        kept.box,
        kept.world,
        kept.program,
        kept.layout,
        kept.flow,
        kept.emitted,
        execute(kept.emitted, "", loads(kept.code)),
        kept.first,
        kept.lang,
        kept.folder,
        kept.texts,
        kept.own_texts,
        telling=kept.telling,
        worked_out=WorkedOut(traced_text=kept.traced),
    )
