"""One running game: ask, answer, look, copy, undo, save."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ichiba.dsl.rules import ir
from ichiba.interpreter.flow.pieces import ANYWHERE, Site
from ichiba.interpreter.layout import LOADED, PC
from ichiba.interpreter.run.decisions import Decision, IllegalMove, Option, is_number
from ichiba.interpreter.run.distinct import may_share
from ichiba.interpreter.run.race import draw_instead, is_race, may_answer, seats_of
from ichiba.interpreter.runtime.runtime import MISTAKES, MOST_DECISIONS, Context, RuleFault, Unmet
from ichiba.interpreter.runtime.sharing import in_turn

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.runtime.chance import Words
    from ichiba.interpreter.saves.records import Teller
    from ichiba.interpreter.sight.chronicle import Chronicle

Policy = Callable[["Table"], int]
MOST_ALIKE = 8_192  # answers that are one object at all tables
# What rules that are not sound come to when they are played.
FAULTS = (*MISTAKES, Unmet, MemoryError, RecursionError)


def whoever_listens(game: Game, words: Words) -> Context:
    """What the rules run with: a game whose only build tells everything needs somebody to tell it to."""
    if not game.telling:
        return Context(words)
    from ichiba.interpreter.saves.records import Teller

    return Teller(game, words)


@lru_cache(MOST_ALIKE)
def as_given(seat: int, code: int) -> tuple[int, int]:
    """An answer, as a history has it. People give the same ones again and again, at all tables: so it takes hardly any room."""
    return seat, code


class Frozen:
    """Stands where answers were taken, and refuses them all."""

    def __init__(self, fault: RuleFault):
        self.fault = fault

    def __call__(self, state: list[int], context: Context, code: int) -> NoReturn:
        raise self.fault


class Table:
    """A game in progress. Everything that changes is in `state`; `history` is how it came about."""

    __slots__ = (
        "_run",
        "_step",
        "chronicle",
        "codes",
        "context",
        "fault",
        "game",
        "given",
        "history",
        "script",
        "seed",
        "state",
    )

    def __new__(cls, game: Game | None = None, *_: object) -> Table:
        """A table in machine code is of a class that steps by itself; `copy.copy` makes one of no game."""
        return object.__new__(cls if game is None else game.code.tables or cls)

    def __init__(self, game: Game, seed: int | str, script: tuple[str, ...] = ()):
        self.game = game
        self.seed = seed
        self.script = script
        self.given: tuple[object, ...] = ()
        self.context = whoever_listens(game, game.chance_words(seed))
        self.state = (game.worked_out.beginning or game.first)[:]
        self.history: list[tuple[int, int]] = []  # seat (-1: the lowest that is asked), code
        self._run = game.code.run
        self._step = game.code.step
        self.codes: Any = ()
        self.fault: RuleFault | None = None  # why it can no longer go on
        self.chronicle: Chronicle | None = None  # all that has happened, once somebody has asked

    def __repr__(self) -> str:
        site = self.site
        now = "over" if site is None else f"at {site.decide.name!r}"
        return f"Table({self.game.name!r}, seed={self.seed!r}, {len(self.history)} answers, {now})"

    @in_turn
    def begin(self) -> Table:
        try:
            self.codes = self._run(self.state, self.context, self.game.code.START)
        except FAULTS as fault:
            raise self.game.explain_fault(fault) from None
        return self

    # --------------------------------------------------------------------------------- the fast path

    def legal(self) -> Any:
        """The options of the lowest pending seat, as numbers; empty when the game is over."""
        return self.codes

    def step(self, index: int) -> None:
        """Answer with the option of that place."""
        code = self.codes[index]
        history = self.history
        history.append((-1, code))
        try:
            self.codes = self._step(self.state, self.context, code)
        except FAULTS as fault:
            explained = self.game.explain_fault(fault)
            self.undo()
            raise self.freeze(explained) from None
        if len(history) >= MOST_DECISIONS:
            self.freeze(RuleFault(f"a game has at most {MOST_DECISIONS:,} decisions"))

    def freeze(self, fault: RuleFault) -> RuleFault:
        """The rules have failed: the table stays as it was before, with its log, and takes no more answers."""
        fault.explained, self.fault = True, fault
        self._step = Frozen(fault)
        return fault

    # -------------------------------------------------------------------------------------- questions

    @property
    def over(self) -> bool:
        return self.state[PC] < 0

    @property
    def site(self) -> Site | None:
        return None if self.state[PC] < 0 else self.game.flow.sites[self.state[PC]]

    @property
    def decision(self) -> Decision | None:
        """The next question; None when the game is over."""
        pending = self.pending
        return pending[0] if pending else None

    @property
    @in_turn
    def pending(self) -> list[Decision]:
        """All that may be answered now; several in a secret block, and in a race, where the drawn seat comes first."""
        site = self.site
        if site is None:
            return []
        if is_race(site):
            return [Decision(self, site, seat, codes) for seat, codes in may_answer(self.game, site, self.state, self.codes)]
        if site.secret is None:
            seat = self.game.seat_of(site, self.state)
            return [Decision(self, site, seat, self.codes)]
        found = []
        for seat in self.game.waiting_seats(self.state):
            state = self.state_for(seat)
            number = state[PC]
            found.append(Decision(self, self.game.flow.sites[number], seat, self.game.code.OPTIONS[number](state)))
        return found

    @in_turn
    def state_for(self, seat: int) -> list[int]:
        """The state with a seat's secret answers in work; in a race as if this seat had been drawn."""
        site = self.site
        if site is not None and is_race(site):
            state = self.state[:]
            draw_instead(self.game, site, state, seat)
            return state
        if site is None or site.secret is None or self.state[LOADED] == seat + 1:
            return self.state
        state = self.state[:]
        self.game.take_up(self.game.code, state, seat)
        return state

    def _decision_of(self, seat: int | None) -> Decision:
        pending = self.pending
        if not pending:
            raise IllegalMove("the game is over")
        if seat is None:
            return pending[0]
        if not is_number(seat):
            raise IllegalMove(f"a seat is a whole number from 1, not {seat!r}")
        for decision in pending:
            if decision.seat == seat:
                return decision
        site = self.site
        assert site is not None
        asked = seats_of(self.game, site, self.state) if is_race(site) else [d.seat_index for d in pending]
        if seat - 1 in asked:
            raise IllegalMove(f"seat {seat} has left it to the others")
        waiting = ", ".join(f"seat {other + 1}" for other in asked)
        raise IllegalMove(f"seat {seat} has nothing to decide now; the table waits for {waiting}")

    @in_turn
    def play(self, answer: str | int | Option, seat: int | None = None) -> None:
        """Answer by key, by option or by place; a whole lot in one, `give/2 wheat+1 rice`. An illegal answer changes nothing and
        says why."""
        decision = self._decision_of(seat)
        if isinstance(answer, str) and (steps := self._steps_of_bundle(decision, answer)) is not None:
            for one in steps:
                self._answer(self._decision_of(decision.seat), one)
        else:
            self._answer(decision, self._code_of(decision, answer))

    def _steps_of_bundle(self, decision: Decision, answer: str) -> list[int] | None:
        """The single answers of a whole lot, `give/2 wheat+1 rice`; None for any other answer."""
        if not isinstance(decision.site.decide, ir.ChooseSome):
            return None
        from ichiba.interpreter.saves.bundles import steps_of

        return steps_of(self, decision, answer)

    def _answer(self, decision: Decision, code: int) -> None:
        site = self.site
        before = self.state[:]
        if site is not None and site.secret is not None:
            self.game.take_up(self.game.code, self.state, decision.seat_index)
        elif site is not None and is_race(site):
            draw_instead(self.game, site, self.state, decision.seat_index)
        try:
            codes = self._step(self.state, self.context, code)
        except FAULTS as fault:
            self.state[:] = before
            raise self.freeze(self.game.explain_fault(fault)) from None
        self.history.append(as_given(decision.seat_index, code))
        self.codes = codes
        self._lowest_first()
        if len(self.history) >= MOST_DECISIONS:
            self.freeze(RuleFault(f"a game has at most {MOST_DECISIONS:,} decisions"))

    def _lowest_first(self) -> None:
        """In a secret block the lowest waiting seat's answers are the ones in work."""
        lowest = self.game.lowest_waiting(self.state)
        if lowest is not None and lowest != self.state[LOADED] - 1:
            self.codes = self.game.code.OPTIONS[self.game.take_up(self.game.code, self.state, lowest)](self.state)

    def _code_of(self, decision: Decision, answer: str | int | Option) -> int:
        if isinstance(answer, Option):
            answer = answer.key
        if isinstance(answer, bool) or not isinstance(answer, int | str):
            raise IllegalMove(f"an answer is a key, an option or a number, not {answer!r}")
        if isinstance(answer, int):
            if not 0 <= answer < len(decision.codes):
                raise IllegalMove(f"there are {len(decision.codes)} options; {answer} is none of them")
            return int(decision.codes[answer])
        if may_share(self.game, decision.site):
            decision.keys()
        for code in decision.codes:
            if decision.key_of(code) == answer:
                return int(code)
        reason = self._why_not(decision, answer)
        raise IllegalMove(f"{answer}: {reason}" if reason else f"`{answer}` is not possible")

    @in_turn
    def why_not(self, key: str, seat: int | None = None) -> str | None:
        """Why a key cannot be played now; None when it can."""
        try:
            decision = self._decision_of(seat)
        except IllegalMove as fault:
            return str(fault)
        return self._why_not(decision, key)

    def _why_not(self, decision: Decision, key: str) -> str | None:
        keys = decision.keys()
        if key in keys:
            return None
        try:
            if self._steps_of_bundle(decision, key) is not None:
                return None
        except IllegalMove as refused:
            return str(refused)
        site, explainer = decision.site, self.game.explainer
        state = self.state_for(decision.seat_index)
        if isinstance(site.decide, ir.Decide):
            reasons: list[tuple[int, str]] = []
            for number, values in explainer.find(site, key, state):
                unmet = explainer.first_unmet(site, number, values, state)
                reasons.append(unmet or (99, self._dry_reason(site, number, values, state, decision.seat_index)))
            if reasons:  # boards may have options of the same name; the one that came furthest is the one that is meant
                return max(reasons, key=lambda reason: reason[0])[1]
        return explainer.no_answer(site, key, keys, state)

    def _dry_reason(self, site: Site, number: int, values: list[int], state: list[int], seat: int) -> str:
        """Every test holds, but it leads nowhere: the requirement met on the way."""
        code = self.game.code_of(site, number, values)
        trial, module = state[:], self.game.code.module
        dry = module["DRIES"].get(self.game.end_of_trial(site, number, state), module["DRIES"][ANYWHERE])
        try:
            pc = module["ANSWERS"][site.number](trial, dry, code)
            if not module["leads_on"](trial, dry, pc, seat, 0):
                return self.game.words.own("this would leave nothing to choose afterwards")
        except Unmet as unmet:
            decide = site.decide
            option = decide.options[number] if isinstance(decide, ir.Decide) else None
            return self.game.unmet(unmet.number, trial, option, values)
        except Exception:  # a dry run stops where it may not look further
            pass
        return self.game.words.own("this leads nowhere")

    # ------------------------------------------------------------------------------------------ looking

    @in_turn
    def ask(self, expression: str) -> object:
        """The value of an expression of the rule language."""
        return self.game.ask(expression, self.state)

    @in_turn
    def path_of(self, site: Site, state: list[int]) -> str:
        return "/".join(self.game.path_keys(site, state))

    @property
    def scores(self) -> dict[int, int]:
        member = self.game.world.seat["score"]
        return {s + 1: self.state[member.base + s] for s in range(self.game.seats)}

    @property
    @in_turn
    def ranking(self) -> list[list[int]]:
        """Places from the first; seats that tie share one."""
        keys = {}
        for seat in range(self.game.seats):
            values = [(f(self.state, seat), highest) for f, highest in self.game.code.ranking()]
            keys[seat + 1] = tuple(-v if highest else v for v, highest in values)
        order = sorted(set(keys.values()))
        return [[seat for seat in keys if keys[seat] == key] for key in order]

    @property
    def ending(self) -> str | None:
        """The name of the game's ending; None while it goes on."""
        if not self.over:
            return None
        return self.game.ending_of(self.state[self.game.world.table["ending"].base])

    @property
    @in_turn
    def log(self) -> list[dict[str, object]]:
        """Everything that happened: decisions and chance, each with path, key and audience."""
        from ichiba.interpreter.saves.records import log_of

        return log_of(self)

    @in_turn
    def events(self, since: int = 0) -> list[dict[str, object]]:
        """Everything that has happened behind the first so many events, effects included: each with its number, path and
        audience. For whoever runs the table: what a seat may know of it is its `story`."""
        from ichiba.interpreter.sight.chronicle import events_of

        return events_of(self, since)

    @in_turn
    def story(self, seat: int | None = None, since: int = 0) -> list[dict[str, object]]:
        """The events as a seat may know them, behind the first so many of its own; None: whoever looks on."""
        from ichiba.interpreter.sight.chronicle import story_of

        return story_of(self, seat, since)

    @property
    @in_turn
    def outlook(self) -> dict[int, int | None]:
        """How well each seat stands now, all that is hidden reckoned in; None where the rules cannot say it."""
        from ichiba.interpreter.run.outlook import Outlooks

        return self.game.keep(Outlooks, lambda: Outlooks(self.game)).of(self.state)

    @property
    @in_turn
    def records(self) -> list[dict[str, object]]:
        """What the rules have recorded for whoever counts: whose turn it was, which, a name, an amount, and of what."""
        from ichiba.interpreter.sight.chronicle import records_of

        return records_of(self)

    @property
    @in_turn
    def turn(self) -> int:
        """How many turns have begun that stand in no other."""
        from ichiba.interpreter.sight.chronicle import turn_of

        return turn_of(self)

    @in_turn
    def referee(self) -> dict[str, object]:
        """Everything, the log and what is hidden included, for whoever runs the table: no seat may see it."""
        from ichiba.interpreter.sight.chronicle import referee_of

        return referee_of(self)

    @in_turn
    def view(self, seat: int | None = None) -> dict[str, object]:
        """What a seat may see, its log included; None: a spectator."""
        from ichiba.interpreter.sight.views import view_of

        return view_of(self, seat)

    @in_turn
    def imagine(self, seat: int, seed: int | str | None = None) -> Table:
        """A table this seat could be sitting at: what it cannot know is drawn anew, to agree with all it has seen."""
        from ichiba.interpreter.sight.imagine import imagined

        return imagined(self, seat, seed)

    # ---------------------------------------------------------------------------------- copies, undo, saves

    def copy(self) -> Table:
        """An independent table in the same position."""
        new: Table = object.__new__(type(self))
        new.game, new.seed, new.script, new.given = self.game, self.seed, self.script, self.given
        new.context = self.context.fork()
        new.state = self.state[:]
        new.history = self.history[:]
        new._run, new._step, new.codes, new.fault = self._run, self._step, self.codes, self.fault
        new.chronicle = None
        return new

    @in_turn
    def rekey(self, seed: int | str) -> None:
        """From now on chance goes another way; what has happened stays as it was."""
        from ichiba.interpreter.sight.imagine import rekey

        rekey(self, seed)

    def listen(self, teller: Teller) -> None:
        """From now on everything is told, and chance may be scripted."""
        self.context = teller
        self._run, self._step = teller.code.run, teller.code.step

    def become(self, other: Table) -> None:
        """Stand where another table of the same game stands."""
        self.state, self.history, self.codes, self.context = other.state, other.history, other.codes, other.context
        self._run, self._step, self.fault = other._run, other._step, other.fault

    @in_turn
    def take_back(self, seat: int) -> None:
        """In a secret block: a seat that has not given its last answer takes back what it has said in it."""
        if not is_number(seat):
            raise IllegalMove(f"a seat is a whole number from 1, not {seat!r}")
        if seat - 1 not in self.game.waiting_seats(self.state):
            raise IllegalMove(f"seat {seat} has nothing to take back")
        from ichiba.interpreter.saves.records import without_secret_answers

        self.become(without_secret_answers(self, seat - 1))

    @in_turn
    def undo(self, steps: int = 1) -> None:
        """Take back the last answers, by playing the earlier ones again."""
        if steps > len(self.history):
            raise IllegalMove(f"only {len(self.history)} answers have been given")
        from ichiba.interpreter.saves.records import replayed

        self.become(replayed(self, self.history[: len(self.history) - steps]))

    @in_turn
    def save(self, path: str | Path) -> None:
        """Write everything that is needed to go on, never half of it."""
        from ichiba.interpreter.saves.records import save

        save(self, Path(path))

    def key(self) -> tuple[int, ...]:
        """Equal positions have equal keys; alike pieces may stand for each other."""
        from ichiba.interpreter.saves.records import canonical

        return canonical(self)


def new_seed() -> int:
    """As hard to guess as a key: whoever knows it knows all that is hidden."""
    return secrets.randbits(128)
