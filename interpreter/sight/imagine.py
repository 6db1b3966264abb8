"""Other games that one seat could be sitting in: everything it has seen is the same, the rest is drawn anew.

The game is played again from its beginning with everything told. What the seat saw is forced: its own answers, those
given openly, and the chance events whose outcome it learned. What it did not see is sampled: hidden draws from their
distribution, secret answers of others among what they may say. So that a later sight is not made impossible, a
hidden draw looks ahead: pieces that the seat will see leave a zone must have come there before, pieces that it will
see drawn must still be there to be drawn. What this cannot foresee shows as a disagreement, and another try is made;
when none of them comes through, the true game is the start and hidden things change places two by two, each change
kept only if the seat could not have noticed. Chance gets another key in any case: no future is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.flow.pieces import ANYWHERE, Site
from ichiba.interpreter.layout import CHANCE
from ichiba.interpreter.run.decisions import is_number
from ichiba.interpreter.runtime.chance import UNTOLD, Words, key_of, told_seed
from ichiba.interpreter.runtime.runtime import RuleFault, Stop, Unmet
from ichiba.interpreter.runtime.ways import spend
from ichiba.interpreter.saves.records import Replay, Teller, replayed
from ichiba.interpreter.sight.racers import NoSuchRace, play_race, race_on
from ichiba.interpreter.sight.views import visible
from ichiba.interpreter.sight.witness import Answer, Item, Ledger, Shown, Witness, word_for

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table
    from ichiba.interpreter.runtime.work import Work

TRIES = 40
SWAPS = 60
MOST_ANSWERS = 1000  # of one seat in one secret block

Guess = tuple[str, int]  # `draw`, a piece by its token; or `say`, a code


class Disagreement(Exception):
    """This is not what the seat has seen."""


class Dice:
    """Chance of one's own."""

    def __init__(self, seed: int | str):
        self.words = Words(key_of(f"imagined {seed}"))
        self.used = 0

    def below(self, n: int) -> int:
        self.used += 1
        return self.words.more(self.used - 1) * n >> 32

    def weighted(self, weights: Sequence[int]) -> int:
        """One place, as likely as its weight says."""
        r = self.below(sum(weights))
        for index, weight in enumerate(weights):
            if r < weight:
                return index
            r -= weight
        raise AssertionError


class Heard(list[Item]):
    """A log that must agree with what the seat has heard, word by word."""

    def __init__(self, seat: int, expected: list[Item]):
        super().__init__()
        self.seat, self.expected, self.at = seat, expected, 0

    def append(self, item: Item) -> None:
        super().append(item)
        if visible(item, self.seat):
            if self.next != item:
                raise Disagreement(f"the log goes on otherwise: {item}")
            self.at += 1

    @property
    def next(self) -> Item | None:
        return self.expected[self.at] if self.at < len(self.expected) else None


class Guesser(Teller):
    """Decides chance events: as the seat saw them, or anew."""

    __slots__ = ("clock", "dice", "guessed", "past", "pinned", "told_words")

    def __init__(self, past: Witness, heard: Heard, dice: Dice, pinned: Sequence[Guess]):
        super().__init__(past.game, Words(b""))
        self.past, self.dice, self.pinned = past, dice, pinned
        self.items = heard
        self.guessed: list[Guess] = []
        self.told_words: list[int] = []
        self.clock = 0

    def effect(self, S: list[int], number: int) -> None:
        if not self.dry:
            self.clock += 1

    def draw(
        self,
        S: list[int],
        values: Sequence[int],
        weights: Sequence[int] | None,
        kind: Kind,
        what: str,
        target: int | None,
    ) -> int:
        if self.dry:
            raise Stop
        if self.game.world.closely:
            spend(1 + len(values))  # each of them is looked at
        likely = list(weights) if weights is not None else [1] * len(values)
        S[1] += 1
        if target == UNTOLD:
            return self._racer(len(values))
        seen = self._which_are_seen(S, values, kind, target)
        index = self._seen(values, kind, likely, seen, what)
        if index is None:
            known = frozenset(seen)
            unseen = [w if i not in known else 0 for i, w in enumerate(likely)] if seen else likely
            if not any(unseen):
                raise Disagreement("this would have been seen")
            index = self._unseen(S, values, unseen, kind, what, target)
        self.told_words.append(word_for(sum(likely[:index]) + self.dice.below(likely[index]), sum(likely)))
        self._happened(S, values[index], kind, what, target)
        return index

    def _racer(self, number: int) -> int:
        """Who is asked next in a race: anybody, since nobody learns it. Who has answered is put in that place later."""
        index = self.dice.below(number)
        self.told_words.append(word_for(index, number))
        return index

    def _which_are_seen(self, S: list[int], values: Sequence[int], kind: Kind, target: int | None) -> Sequence[int]:
        """Which of these outcomes the seat would learn of, each zone being looked at once."""
        sees: dict[int | None, bool] = {}
        seen = []
        for index, value in enumerate(values):
            zone = self._lies_in(S, value, kind) if target is None else target
            if zone not in sees:
                sees[zone] = visible({"audience": self._audience(S, zone)}, self.past.seat)
            if sees[zone]:
                seen.append(index)
        return seen

    def _seen(self, values: Sequence[int], kind: Kind, weights: list[int], seen: Sequence[int], what: str) -> int | None:
        """The outcome that the seat saw, if it saw one."""
        item = cast(Heard, self.items).next
        if not seen or item is None or item["event"] != "chance" or item["what"] != what:
            return None
        fitting = [i for i in seen if f"{what}/{self.game.words.key(values[i], kind)}" == item["key"]]
        if not fitting:
            return None
        return fitting[self.dice.weighted([weights[i] for i in fitting])]

    # ------------------------------------------------------------------------------- what is not seen

    def _unseen(
        self, S: list[int], values: Sequence[int], weights: list[int], kind: Kind, what: str, target: int | None
    ) -> int:
        tokens = [self.past.token(v) if kind.form in ("piece", "thing") else v for v in values]
        number = len(self.guessed)
        if number < len(self.pinned) and self.pinned[number][0] == "draw":
            wanted = self.pinned[number][1]
            found = [i for i, t in enumerate(tokens) if t == wanted and weights[i]]
            if not found:
                raise Disagreement("this piece is not there")
            index = found[0]
        else:
            likely = self._foreseeing(S, values, tokens, weights, kind, target)
            index = self.dice.weighted(likely if any(likely) else weights)
        self.guessed.append(("draw", tokens[index]))
        return index

    def _foreseeing(
        self, S: list[int], values: Sequence[int], tokens: list[int], weights: list[int], kind: Kind, target: int | None
    ) -> list[int]:
        """How likely each outcome is, seeing what will be known later."""
        source = self._lies_in(S, values[0], kind)
        past = self.past
        if source is not None and target is None and source in past.ledgers:
            return self._in_order(past.ledgers[source], len(values), tokens, weights, S, source)
        if source is None or target is None:
            return weights
        after = self.clock + 1  # what this very draw does is not yet to come
        own = past.ledgers.get(source, Ledger())
        kept = Counter(token for _, token in past_due(own, Counter(), after))
        there = [max(0, w - kept[t]) for w, t in zip(weights, tokens, strict=True)]
        comes: dict[int, int] = {}  # when more of the same is seen to come to where this is drawn from
        for when, token, change in own.known:
            if change > 0 and when > after:
                comes.setdefault(token, when)
        owed: list[tuple[int, int]] = []
        claims = Counter[int]()
        for zone, ledger in past.ledgers.items():
            if zone != source:
                due = past_due(ledger, contents(self.game, S, zone), after)
                claims.update(token for when, token in due if when < comes.get(token, 1 << 60))
                owed = due if zone == target else owed
        free = [max(0, w - claims[t]) for w, t in zip(there, tokens, strict=True)]
        if owed and self._serves(owed, past.ledgers[target].blind, after, any(free)):
            wanted = Counter(token for _, token in owed)
            wanted_here = [wanted[t] if w else 0 for w, t in zip(there, tokens, strict=True)]
            if any(wanted_here):
                return wanted_here
        return free if any(free) else there if any(there) else weights

    def _serves(self, owed: list[tuple[int, int]], blind: list[int], after: int, else_free: bool) -> bool:
        """Whether this draw brings something that is later seen to have come: it must when no other could."""
        most, of = 0, 1
        for number, (deadline, _) in enumerate(owed, 1):
            others = sum(after < when < deadline for when in blind)
            if number > others:
                del owed[number:]
                return True
            if number * of > most * (others + 1):
                most, of = number, others + 1
        return not else_free or self.dice.below(of) < most

    def _in_order(
        self, ledger: Ledger, left: int, tokens: list[int], weights: list[int], S: list[int], zone: int
    ) -> list[int]:
        """An order is being made: who is later seen to leave at some place in it stands there."""
        where = self.game.world.places["place"]
        low = where.dims[0][0]
        things = sum(S[where.base + t.id - low] == zone for t in self.game.world.things if t.sort >= 0)
        until = min((c for c in ledger.shuffled if c > self.clock), default=1 << 60)
        leaving = [thing for when, thing in ledger.order if self.clock < when <= until]
        at = things - left
        here = leaving[at] if at < len(leaving) else None
        if here in tokens:
            return [w if t == here else 0 for w, t in zip(weights, tokens, strict=True)]
        later = {thing for thing in leaving[at + 1 :] if thing is not None}
        return [0 if t in later else w for w, t in zip(weights, tokens, strict=True)]


def past_due(ledger: Ledger, stock: Counter[int], after: int) -> list[tuple[int, int]]:
    """What is seen to leave a zone later on and neither lies there now nor is seen to come before: when, and what."""
    left = Counter(stock)
    missing = []
    for when, token, change in ledger.known:
        if when <= after:
            continue
        if change > 0 or left[token] > 0:
            left[token] += change
        else:
            missing.append((when, token))
    return missing


def contents(game: Game, S: list[int], zone: int) -> Counter[int]:
    """What lies in a zone, by tokens."""
    layout, world = game.layout, game.world
    found: Counter[int] = Counter()
    single = False
    sorts = layout.sort_at
    for cell in (cell for cell in range(zone, zone + layout.zones[zone].width) if S[cell] and sorts[cell] >= 0):
        if world.sorts[sorts[cell]].individual:
            single = True
        else:
            found[sorts[cell]] += S[cell]
    if single:
        where = world.places["place"]
        first = where.base - where.dims[0][0]
        found.update(t.id for t in world.things if t.sort >= 0 and S[first + t.id] == zone)
    return found


# --------------------------------------------------------------------------------------- one whole try


@dataclass(slots=True)
class World:
    """A game that agrees with all the seat has seen."""

    words: list[int]
    history: list[tuple[int, int]]
    guesses: list[Guess]
    state: list[int]


class Try:
    """Plays the game once more, as far as it has come."""

    def __init__(self, table: Table, past: Witness, dice: Dice, pinned: Sequence[Guess], strict: bool, work: Work | None):
        self.strict, self.work = strict, work
        self.table, self.game, self.past, self.dice = table, table.game, past, dice
        self.heard = Heard(past.seat, past.seen)
        self.teller = Guesser(past, self.heard, dice, pinned)
        self.history: list[tuple[int, int]] = []
        self.block_over = False
        self.reveals: list[Shown] = []

    def play(self) -> World:
        try:
            self.replay = Replay(self.game, 0, (), self.teller)
            for given in self.table.given:
                cast(Any, given)(self.replay)
            self._look(0)
            answers = self.past.answers
            at = 0
            while at < len(answers):
                at = self._next(at)
                self._look(at)
            race_on(self)
        except (RuleFault, Unmet, Stop, IndexError, KeyError, NoSuchRace) as fault:
            raise Disagreement(str(fault)) from None
        if self.heard.next is not None:
            raise Disagreement("the seat has heard more")
        return World(self.teller.told_words, self.history, self.teller.guessed, self.replay.state)

    def _look(self, step: int) -> None:
        """The seat looks at the table after so many answers."""
        self.teller.clock = self.past.clocks[step + 1]
        asked = self.past.question(self.replay.state, self.replay.codes)
        if asked[:2] != self.past.questions[step][:2] or self.strict and asked != self.past.questions[step]:
            raise Disagreement(f"something else is asked after {step} answers")
        if self.past.glimpse.of(self.replay.state) != self.past.glimpses[step]:
            raise Disagreement(f"the table looks otherwise after {step} answers")

    def _next(self, at: int) -> int:
        """One answer, or all of a secret block or a race; which answer comes then."""
        answer = self.past.answers[at]
        if answer.site.secret is not None:
            return self._block(at)
        if answer.race:
            return play_race(self, at)
        self.answer(answer.seat, self.meant(answer, self.replay.codes, self.replay.state))  # everybody hears it
        return at + 1

    def meant(self, answer: Answer, codes: Iterable[int], state: list[int]) -> int:
        """The number of an answer here, where it may have another than in the true game."""
        if answer.code in codes:
            return answer.code
        same = [c for c in codes if self.game.explainer.key(answer.site, c, state) == answer.key]
        if not same:
            raise Disagreement(f"{answer.key} is not possible")
        return same[0]

    def answer(self, seat: int, code: int) -> None:
        self.history.append((seat, code))
        if self.work is None:
            self.replay.answer(seat, code)
            return
        self.work.go_on()  # another try may have failed at it
        before = self.teller.clock
        with self.work:
            self.replay.answer(seat, code)
        self.work.told(self.teller.clock - before)
        self.work.go_on()

    # ------------------------------------------------------------------------------------ in secret

    def _block(self, at: int) -> int:
        """A secret block, or as much of it as has been answered: in the order of the true game."""
        answers, past = self.past.answers, self.past
        end = at + 1
        while end < len(answers) and answers[end].site.secret is not None and not answers[end].first:
            end += 1
        self.block_over = False
        self.reveals = past.shown_after(at, end)
        for answer in answers[at:end]:
            if answer.seat == past.seat:
                self._own(answer)
            elif not self.block_over and answer.seat in self._waiting():
                self._say(answer.seat)
        still = past.still_waiting if end == len(answers) else []
        for _ in range(MOST_ANSWERS):
            others = [] if self.block_over else [s for s in self._waiting() if s not in still and s != past.seat]
            if not others:
                break
            self._say(others[0])
        if still and (self.block_over or self._waiting() != still):
            raise Disagreement("others have been quicker")
        return end

    def _waiting(self) -> list[int]:
        return self.game.waiting_seats(self.replay.state)

    def _taken_up(self, seat: int) -> tuple[list[int], Site, Any]:
        """The state with a seat's answers in work, its question, and what it may say."""
        state = self.replay.state[:]
        number = self.game.take_up(self.game.code, state, seat)
        return state, self.game.flow.sites[number], self.game.code.OPTIONS[number](state)

    def _in_block(self, seat: int, code: int) -> None:
        before = self._waiting()
        self.answer(seat, code)
        self.block_over = not set(self._waiting()) <= set(before) or not self._waiting()

    def _own(self, answer: Answer) -> None:
        if self.block_over or answer.seat not in self._waiting():
            raise Disagreement("the seat is not asked")
        _, site, options = self._taken_up(answer.seat)
        if site is not answer.site or answer.code not in options or self.strict and answer.options != tuple(options):
            raise Disagreement("the seat had other options")
        self._in_block(answer.seat, answer.code)

    def _say(self, seat: int) -> None:
        """Another seat says something that nobody hears."""
        state, site, options = self._taken_up(seat)
        teller = self.teller
        number = len(teller.guessed)
        if number < len(teller.pinned) and teller.pinned[number][0] == "say":
            code = teller.pinned[number][1]
            if code not in options:
                raise Disagreement("this cannot be said")
        else:
            code = self._fitting(state, seat, site, options)
        teller.guessed.append(("say", code))
        self._in_block(seat, code)

    def _fitting(self, state: list[int], seat: int, site: Site, options: Sequence[int]) -> int:
        """An answer that leads least away from what comes to light later; of several any."""
        if len(options) > 1:
            misfits = [self._misfit(state, seat, site, code) for code in options]
            least = min(misfits)
            options = [code for code, misfit in zip(options, misfits, strict=True) if misfit == least]
        return options[self.dice.below(len(options))]

    def _misfit(self, state: list[int], seat: int, site: Site, code: int) -> int:
        """How far an answer leads away from what is revealed afterwards, and from what is seen later."""
        if not self.reveals and not self.past.foreseen:
            return 0
        trial = state[:]
        module = self.game.code.module
        try:
            pc = module["ANSWERS"][site.number](trial, module["DRIES"][ANYWHERE], code)
            while pc >= module["FIRST"]:
                pc = module["PIECES"][pc](trial, module["DRIES"][ANYWHERE])
        except Stop:
            pass
        except Unmet:
            return 1 << 30
        misfit = 0
        for shown in self.reveals:
            if shown.base >= 0:
                there = trial[shown.base : shown.base + len(shown.values)]
                misfit += sum(abs(a - b) for a, b in zip(there, shown.values, strict=True))
            elif isinstance(site.decide, ir.Decide):
                for option in site.decide.options:
                    for bind in option.binds:
                        if bind.var.per_seat and bind.var.name == shown.name:
                            misfit += trial[self.game.layout.slots[bind.var]] != shown.values[seat]
        for zone in self.past.foreseen:
            width = self.game.layout.zones[zone].width
            if trial[zone : zone + width] != state[zone : zone + width]:
                due = past_due(self.past.ledgers[zone], contents(self.game, trial, zone), self.teller.clock)
                misfit += len(due)
        return misfit


# --------------------------------------------------------------------------------------------- together


class Imagination:
    """What one seat can imagine at one moment; asked again and again it need not look back again.

    Not `strict`: the options of the seat itself need not be the same. They are, unless the ruleset leaks. `work`: how much
    may be done for it; then comes `TooMuchWork`."""

    def __init__(self, table: Table, seat: int, strict: bool = True, work: Work | None = None):
        if not 1 <= seat <= table.game.seats:
            raise ValueError(f"there are seats 1 to {table.game.seats}; {seat} is none of them")
        self.original, self.seat, self.strict, self.work = table, seat, strict, work
        self.past = witnessed(table, seat - 1)
        self.failed = 0  # tries that disagreed with what the seat has seen
        self.swapped = 0  # tables that were made from the true one

    def table(self, seed: int | str) -> Table:
        return self._seated(self.world(seed), seed)

    def state(self, seed: int | str) -> list[int]:
        """What that table looks like, for those who want nothing else of it."""
        return self.world(seed).state

    def world(self, seed: int | str) -> World:
        """The same with the answers that lead there, and the words of chance."""
        dice = Dice(seed)
        for _ in range(TRIES):
            try:
                return self._tried(dice, ())
            except Disagreement:
                self.failed += 1
        self.swapped += 1
        return self._swapped(dice)

    def _swapped(self, dice: Dice) -> World:
        """From the true game: hidden things change places, and hidden answers are given anew, as long as it agrees."""
        world = self._tried(dice, self.past.truth)
        for _ in range(SWAPS):
            guesses = list(world.guesses)
            if not guesses:
                break
            i, j = dice.below(len(guesses)), dice.below(len(guesses))
            if guesses[i][0] == guesses[j][0] == "draw" and guesses[i] != guesses[j]:
                guesses[i], guesses[j] = guesses[j], guesses[i]
            else:
                guesses[i] = ("anything", 0)
            try:
                world = self._tried(dice, guesses)
            except Disagreement:
                continue
        return world

    def _tried(self, dice: Dice, pinned: Sequence[Guess]) -> World:
        return Try(self.original, self.past, dice, pinned, self.strict, self.work).play()

    def _seated(self, world: World, seed: int | str) -> Table:
        """The table at which that game is being played; its future is its own."""
        from ichiba.interpreter.run.table import Table as Made

        start = Made(self.original.game, told_seed(world.words, f"imagined {seed}"))
        start.given = self.original.given
        table = replayed(start, world.history)
        if table.state != world.state:
            raise AssertionError("an imagined game does not lead where it was imagined to lead")
        return table


def witnessed(table: Table, seat: int) -> Witness:
    """The true game once more, through the eyes of a seat."""
    past = Witness(table, seat)
    replay = Replay(table.game, table.seed, table.script, past)
    for given in table.given:
        cast(Any, given)(replay)
    past.answered(replay.state, replay.codes)
    for whose, code in table.history:
        past.asked(replay.state, replay.codes, whose, code)
        replay.answer(whose, code)
        past.answered(replay.state, replay.codes)
    past.finish(replay.state)
    return past


def imagined(table: Table, seat: int, seed: int | str | None = None) -> Table:
    """A table this seat could be sitting at: what it cannot know is drawn anew, to agree with all it has seen."""
    if not is_number(seat):
        raise TypeError(f"a seat is a whole number from 1, not {seat!r}")
    if seed is None:
        from ichiba.interpreter.run.table import new_seed

        seed = new_seed()
    return Imagination(table, seat).table(seed)


def rekey(table: Table, seed: int | str) -> None:
    """From now on chance goes another way; what has happened stays, and the log, undo and saves know both."""
    words = past_words(table)
    table.seed, table.script = told_seed(words, f"rekeyed {seed}"), ()
    table.become(replayed(table, table.history))


def past_words(table: Table) -> list[int]:
    """The words of all chance events so far; where they were scripted, words that lead to the same."""
    if not table.script:
        table.context.words.more(table.state[CHANCE])
        return table.context.words.words[: table.state[CHANCE]]
    past = witnessed(table, 0)
    return past.told_words


__all__ = ["Disagreement", "Imagination", "World", "imagined", "past_words", "rekey", "witnessed"]
