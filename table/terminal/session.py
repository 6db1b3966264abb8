"""A game at a terminal: people take turns before it, bots answer by themselves."""

from __future__ import annotations

import errno
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from ichiba.interpreter.run.decisions import IllegalMove
from ichiba.interpreter.run.race import is_race
from ichiba.interpreter.runtime.work import Work
from ichiba.lab.players.players import within
from ichiba.lab.policies import Policy, policy
from ichiba.table.refusal import STOPPED
from ichiba.table.scene.spelling import FAINT
from ichiba.table.scene.telling.story import lines
from ichiba.table.terminal import result
from ichiba.table.terminal.answers import Answers, Entry
from ichiba.table.terminal.asking import HELP, Asked, a_whole_lot, read
from ichiba.table.terminal.explaining import explain, refused
from ichiba.table.terminal.keeping import Keeper
from ichiba.table.terminal.screen import Screen
from ichiba.table.terminal.showing import Showing

if TYPE_CHECKING:
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.table import Table
    from ichiba.table.scene.look import Look
    from ichiba.table.terminal.renewing import Renewing

THINKING = 0.8  # seconds of the processor that a searcher has for an answer, unless it says otherwise
CLOSED = 143  # the terminal went away
A_LONG_TIME = 5  # as much work as so many answers may take, by bots and before anybody is asked
STILL = "Bots have played on for a long time. Enter goes on, q stops."


class Session:
    """One sitting."""

    def __init__(
        self, table: Table, bots: Mapping[int, str], screen: Screen, look: Look, path: Path | None = None, renewing: Renewing | None = None,
        wished: bool = True,
    ):  # fmt: skip
        """`wished`: whoever sits here has said who the bots are, and so how long they think. Otherwise that is counted as well."""
        self.renewing, self.named, self.wished = renewing, bots, wished
        self._sit_down(table, bots, screen, look, path)

    def _sit_down(self, table: Table, bots: Mapping[int, str], screen: Screen, look: Look, path: Path | None) -> None:
        self.table, self.game, self.screen = table, table.game, screen
        self.bots: dict[int, Policy] = {seat: policy(table.game, within(name, THINKING), "") for seat, name in bots.items()}
        self.showing = Showing(table, bots, screen, look)
        self.keeper = Keeper(table, bots, screen, path)
        self.alone = Work(table.game, A_LONG_TIME)  # of bots, since somebody was asked

    @property
    def people(self) -> list[int]:
        return self.showing.people

    # ------------------------------------------------------------------------------------------- the loop

    def run(self) -> int:
        """Until the game is over or somebody leaves; leaving keeps the game."""
        try:
            with _closing():
                self.showing.welcome()
                while not self.table.over:
                    if not self._one():
                        return self._leave(0)
                self._finish()
                return 0
        except EOFError:
            print()
            return self._leave(0)
        except KeyboardInterrupt:
            print()
            return self._leave(STOPPED)
        except SystemExit:
            return self._leave(CLOSED)
        except OSError as fault:
            if fault.errno != errno.EIO:
                raise
            return self._leave(CLOSED)  # nothing can be read from or written to the terminal any more
        except Exception:
            self._leave(1)
            raise

    def _one(self) -> bool:
        """One answer, from whoever's turn it is; False when somebody leaves."""
        decision = self._next()
        if decision.seat in self.bots:
            if self.alone.over and not self._is_to_go_on():
                return False
            self._bot(decision)
            return True
        left = not self._person(decision)
        self.alone = Work(self.game, A_LONG_TIME)
        return not left

    def _is_to_go_on(self) -> bool:
        """Rules that nobody vouches for could have bots play for ever."""
        self.screen.say(STILL)
        self.alone = Work(self.game, A_LONG_TIME)
        return self.screen.ask("> ").strip().lower() not in ("q", "quit")

    def _next(self) -> Decision:
        """Whom to ask where several may answer: in a race whoever was drawn, else bots first, then who sits there already."""
        pending = self.table.pending
        if is_race(self.table.site):
            return pending[0]
        for decision in pending:
            if decision.seat in self.bots:
                return decision
        return next((decision for decision in pending if decision.seat == self.showing.there), pending[0])

    def _bot(self, decision: Decision) -> None:
        bot = self.bots[decision.seat]
        given = sum(seat == decision.seat_index for seat, _ in self.table.history)
        bot.rng.seed(f"{self.table.seed}/{decision.seat}/{given}")  # the same after an undo or a resumption
        if self.wished:
            index = bot.index(decision)
        else:
            with self.alone:
                index = bot.index(decision)
        with self.alone:
            self.table.play(index, decision.seat)
        self.alone.answered()
        if not self.people:
            self.showing.watch()

    def _person(self, decision: Decision) -> bool:
        seat = decision.seat
        self.showing.hand_over(seat)
        self.showing.turn(seat)
        self.showing.question(decision)
        answers = Answers.of(decision)
        while True:
            asked = read(self.screen.ask("> " if self.showing.alone else f"seat {seat}> "), answers)
            if asked.command == "quit":
                return False
            if self._renewed():
                return True
            if asked.command is None:
                if self._answered(decision, answers, asked.words):
                    return True
            elif self._obey(asked, decision, answers):
                return True

    def _renewed(self) -> bool:
        """Whether the rules have changed while somebody thought, and the game goes on at a table with the new ones."""
        found = self.renewing.look(self.table) if self.renewing is not None else None
        if found is None:
            return False
        self._sit_down(found.table, self.named, self.screen, found.look, self.keeper.path if found.same else None)
        return True

    def _finish(self) -> None:
        """How it ended, and who won. What is told is what the one person may know, or what everybody may."""
        showing = self.showing
        seat = self.people[0] if showing.alone else None
        items = showing.story.items(seat)
        if showing.passing:
            self.screen.clear()  # the last hand that was shown
        self.screen.heading("the end")
        if seat is not None:
            since = [item for item in items if item["number"] > showing.heard[seat]]
            showing.happened(seat, [item for item in since if item["event"] not in ("score", "end")])
        showing.sections(showing.scene(seat))
        result.tell(self.screen, self.table, items, showing.names(seat))
        self.screen.say(f"The seed was {self.table.seed}.", FAINT)
        if self.people and self.keeper.keep() is not None:
            self.screen.say(f"The game is kept: ichiba replay {self.keeper.name}", FAINT)

    def _leave(self, code: int) -> int:
        """Keep the game, and say how to go on with it."""
        if self.showing.passing:
            with suppress(OSError):
                self.screen.clear()  # the last hand that was shown
        if not any(seat + 1 in self.people for seat, _ in self.table.history):
            return code  # nobody has answered anything
        name = self.keeper.keep()
        if name is None:
            return code or 1
        with suppress(OSError):
            self.screen.say("The game is kept. To go on:")
            print(f"  ichiba play --resume {name}", flush=True)
        return code

    # -------------------------------------------------------------------------------------------- answers

    def _answered(self, decision: Decision, answers: Answers, words: str) -> bool:
        """Try an answer; what cannot be is explained, and asked again."""
        whole = a_whole_lot(decision, words)
        if whole:
            return self._play(decision, whole)
        found = answers.find(words)
        if found.place is not None:
            return self._play(decision, answers.keys[found.place])
        if found.range is not None:
            return self._amount(decision, found.range)
        if found.several:
            self.screen.say(f"`{words}` could be one of these:")
            possible = [entry for entry in answers.entries if entry.key in found.several]
            self.showing.options(decision, answers, possible)
        elif words:
            self.screen.say(refused(self.table, decision, answers, words), indent=2)
        else:
            self.screen.say("Type a number or a key from the list; ? explains.")
        return False

    def _play(self, decision: Decision, key: str) -> bool:
        try:
            self.table.play(key, decision.seat)
        except IllegalMove as fault:
            self.screen.say(f"That is not possible: {fault}", indent=2)
            return False
        return True

    def _amount(self, decision: Decision, entry: Entry) -> bool:
        """A number out of a range."""
        steps = f" in steps of {entry.step}" if entry.step != 1 else ""
        line = self.screen.ask(f"how many? ({entry.low} to {entry.high}{steps}) ")
        found = Answers.from_keys(list(entry.keys)).find(line)
        if found.place is None:
            self.screen.say(f"`{line}` is not among them.")
            return False
        return self._play(decision, entry.keys[found.place])

    # ------------------------------------------------------------------------------------------- commands

    def _obey(self, asked: Asked, decision: Decision, answers: Answers) -> bool:
        """A command; True when the question has changed."""
        showing, seat = self.showing, decision.seat
        match asked.command:
            case "undo":
                return self._undo(seat)
            case "save":
                self.keeper.save(asked.words)
            case "keep":
                self.keeper.keep_table(asked.words)
            case "log":
                showing.log(seat, asked.words)
            case "seed":
                self._tell_seed(asked.words)
            case "view":
                showing.sections(showing.scene(seat, full=True))
            case "rules":
                showing.rules(asked.words)
            case "list":
                showing.sections(showing.scene(seat))
                showing.question(decision)
            case _ if asked.words:
                for cell, indent in explain(self.table, decision, answers, asked.words, showing.director):
                    self.screen.show(cell, indent)
            case _:
                print(HELP)
        return False

    def _tell_seed(self, words: str) -> None:
        if words.lower() in ("yes", "y"):
            self.screen.say(f"The seed is {self.table.seed}.")
        else:
            self.screen.say("Whoever knows the seed can work out all that is hidden. It is told when the game is over; `seed yes` tells it now.")

    def _undo(self, seat: int) -> bool:
        """Back to the last answer a person gave; that of somebody else stays, and so does what was seen together."""
        history, story = self.table.history, self.showing.story
        at = max((n for n, (s, _) in enumerate(history) if s + 1 in self.people), default=None)
        if at is None:
            self.screen.say("There is nothing to take back yet.")
            return False
        whose = history[at][0] + 1
        if whose != seat:
            self.screen.say(f"The last answer was seat {whose}'s; only that seat could take it back, on its own turn.")
            return False
        since = [item for item in story.items(everything=True) if item["number"] > story.happened_since(at)]
        if not self.showing.alone and any(item["event"] in ("chance", "reveal") for item in since[1:]):
            self.screen.say("Something was drawn or shown since then; among several people that stays.")
            return False
        words = next((line.words for line in lines(self.game, since[:1])), "the last answer")
        self.table.undo(len(history) - at)
        self.showing.forget(seat)
        self.screen.say(f"Taken back: {words}")
        return True


@contextmanager
def _closing() -> Iterator[None]:
    """A terminal that is closed is a way to leave: the game is kept."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(CLOSED)

    signals = [s for name in ("SIGTERM", "SIGHUP") if (s := getattr(signal, name, None)) is not None]
    earlier = {}
    with suppress(ValueError):  # not in the main thread: nobody sends signals here
        for s in signals:
            earlier[s] = signal.signal(s, leave)
    try:
        yield
    finally:
        for s, handler in earlier.items():
            signal.signal(s, handler)
