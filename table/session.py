"""A game at a terminal: people take turns before it, bots answer by themselves."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from ichiba.interpreter.decisions import IllegalMove
from ichiba.interpreter.records import SaveFault
from ichiba.interpreter.views import hidden_from_everyone, hiding_word
from ichiba.lab.policies import Policy, policy
from ichiba.table import saves
from ichiba.table.answers import Answers, Entry
from ichiba.table.asking import HELP, Asked, about, listed, read
from ichiba.table.cards import in_language
from ichiba.table.refusal import STOPPED
from ichiba.table.rules import as_written, named_rules, sentences
from ichiba.table.scene import Director, Flat, Scene, ink, joined, words_of
from ichiba.table.screen import FAINT, Screen
from ichiba.table.story import Item, Story, ending_words, lines

if TYPE_CHECKING:
    from ichiba.interpreter.decisions import Decision
    from ichiba.interpreter.game import Game
    from ichiba.interpreter.table import Table
    from ichiba.table.look import Look

MOST_LINES = 12  # of what happened, before it is cut
LOG_LINES = 20
MOST_CHANGES = 8
CLOSED = 143  # the terminal went away


class Session:
    """One sitting."""

    def __init__(self, table: Table, bots: Mapping[int, str], screen: Screen, look: Look, path: Path | None = None):
        self.table, self.game, self.screen = table, table.game, screen
        self.bots: dict[int, Policy] = {seat: policy(table.game, name, "") for seat, name in bots.items()}
        self.names = dict(bots)
        self.people = [seat for seat in range(1, table.game.seats + 1) if seat not in bots]
        self.director = Director(table.game, look, glyphs=not screen.plain)
        self.story = Story(table)
        self.path = path
        self.saved = len(table.history) if path is not None else 0
        self.before: int | None = None  # the seat that sits before the screen
        self.seen: dict[int, Flat] = {}
        self.told: dict[int, int] = {seat: self._known_by(seat) for seat in self.people}
        self.watched = 0
        self.handing_over = len(self.people) > 1 and keeps_secrets(table.game)

    # ------------------------------------------------------------------------------------------- playing

    def run(self) -> int:
        """Until the game is over or somebody leaves; leaving keeps the game."""
        try:
            with _closing():
                self._welcome()
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
        except Exception:
            self._leave(1)
            raise

    def _one(self) -> bool:
        """One answer, from whoever's turn it is; False when somebody leaves."""
        decision = self._next()
        if decision.seat in self.bots:
            self._bot(decision)
            return True
        return self._person(decision)

    def _next(self) -> Decision:
        """Whom to ask where several may answer: bots first, then whoever sits there already."""
        pending = self.table.pending
        for decision in pending:
            if decision.seat in self.bots:
                return decision
        return next((decision for decision in pending if decision.seat == self.before), pending[0])

    def _bot(self, decision: Decision) -> None:
        bot = self.bots[decision.seat]
        given = sum(seat == decision.seat_index for seat, _ in self.table.history)
        bot.rng.seed(f"{self.table.seed}/{decision.seat}/{given}")  # the same after an undo or a resumption
        self.table.play(bot.index(decision), decision.seat)
        if not self.people:
            self._watch()

    def _watch(self) -> None:
        """Where only bots play, everything is told as it happens."""
        items = [item for item in self.story.items() if item["number"] > self.watched]
        for line in lines(self.game, items, scores=False):
            self.screen.say(line.words, indent=4)
            self.watched = line.last

    def _person(self, decision: Decision) -> bool:
        seat = decision.seat
        if self.before != seat:
            self._hand_over(seat)
        self._show(seat)
        self._question(decision)
        answers = Answers.of(decision)
        while True:
            line = self.screen.ask(f"seat {seat}> " if len(self.people) > 1 else "> ")
            asked = read(line, answers)
            if asked.command == "quit":
                return False
            if asked.command is None:
                if self._answered(decision, answers, asked):
                    return True
            elif self._obey(asked, decision, answers):
                return True

    def _answered(self, decision: Decision, answers: Answers, asked: Asked) -> bool:
        """Try an answer; what cannot be is explained, and asked again."""
        found = answers.find(asked.words)
        if found.place is not None:
            return self._play(decision, answers.keys[found.place])
        if found.range is not None:
            return self._amount(decision, found.range)
        if found.several:
            self.screen.say(f"`{asked.words}` could be one of these:")
            self._list(decision, answers, [entry for entry in answers.entries if entry.key in found.several])
        elif asked.words:
            self.screen.say(self._refused(decision, answers, asked.words), indent=2)
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
        steps = f" in steps of {entry.step}" if entry.step != 1 else ""
        line = self.screen.ask(f"how many? ({entry.low} to {entry.high}{steps}) ")
        found = Answers(list(entry.keys), [Entry(None, entry.keys, tuple(range(len(entry.keys))), entry.low, entry.high, entry.step)]).find(line)
        if found.place is None:
            self.screen.say(f"`{line}` is not among them.")
            return False
        return self._play(decision, entry.keys[found.place])

    def _refused(self, decision: Decision, answers: Answers, words: str) -> str:
        """Why something that was typed is no answer."""
        key = words.replace(" ", "_")
        if answers.amounts is not None and words.lstrip("-").isdigit():
            key = f"{answers.amounts.key.rpartition('/')[0]}/{words}"
        reason = self.table.why_not(key, decision.seat) or "it is not possible"
        if words.isdigit() and answers.amounts is None:
            numbers = [entry.number for entry in answers.entries if entry.number is not None]
            reason = f"there is no number {words} in the list" + (f" ({min(numbers)} to {max(numbers)})" if numbers else "")
        return reason[:1].upper() + reason[1:] + "."

    # --------------------------------------------------------------------------------------------- showing

    def _welcome(self) -> None:
        game, screen = self.game, self.screen
        title = in_language(game.box.title, game.lang) or game.name
        on = [*game.config.modules, *game.config.variants]
        screen.heading(f"{title}{' with ' + ', '.join(on) if on else ''} · {game.seats} seats · seed {self.table.seed}")
        about_it = in_language(game.box.about, game.lang)
        if about_it:
            screen.say(about_it)
        who = [f"seat {seat}: {'you' if self.people == [seat] else 'a person' if seat in self.people else self.names[seat] + ' bot'}" for seat in range(1, game.seats + 1)]
        screen.say(", ".join(who) + "." + (" Type ? for help." if self.people else ""))

    def _hand_over(self, seat: int) -> None:
        """Nobody sees another seat's hand: the screen is wiped before it changes hands, and shown when that seat is ready."""
        if self.handing_over:
            self.screen.clear()
            self.screen.ask(f"seat {seat}, press Enter")
            self.screen.clear()
        self.before = seat

    def _show(self, seat: int) -> None:
        """What happened, and how things stand; after an answer of one's own that nobody came between, only what changed."""
        items = [item for item in self.story.items(seat) if item["number"] > self.told[seat]]
        news = [item for item in items if not (item["event"] == "decision" and item["seat"] == seat)]
        scene = self._scene(seat)
        if news or seat not in self.seen:
            others = self.people != [seat]
            self.screen.heading(f"seat {seat}" if others else "your turn")
            self._happened(seat, items)
            for section in scene.sections:
                self.screen.section(section)
        else:
            self._changes(scene)
        self.seen[seat] = scene.flat
        self.told[seat] = max([self.told[seat], *(item["number"] for item in items)])

    def _scene(self, seat: int | None, full: bool = False) -> Scene:
        before = self.seen.get(seat) if seat is not None else None
        names = {s: "you" if s == seat else self.names.get(s, "") for s in range(1, self.game.seats + 1)}
        return self.director.scene(self.table.view(seat), before, full, names)

    def _happened(self, seat: int, items: list[Item]) -> None:
        """Since this seat was last asked, its own answers left out."""
        theirs = [item for item in items if item["event"] != "decision" or item["seat"] != seat or item.get("forced")]
        told = lines(self.game, theirs)
        if len(told) > MOST_LINES:
            self.screen.say(f"… {len(told) - MOST_LINES} lines before this (l shows the log)", FAINT)
        for line in told[-MOST_LINES:]:
            self.screen.say(line.words, indent=4)

    def _changes(self, scene: Scene) -> None:
        told = []
        for section in scene.sections:
            for entity in section.entities:
                for value in entity.values:
                    if value.change:
                        mark = f" ({value.change})" if value.change != "*" else ""
                        head = (*entity.head, *ink(" ")) if entity.head else ()
                        told.append((*head, *ink(f"{value.label} "), *(value.cell or ink("nothing")), *ink(mark)))
        if told:
            more = ink(f"; and {len(told) - MOST_CHANGES} more (v shows all)") if len(told) > MOST_CHANGES else ()
            self.screen.show((*ink("now: ", FAINT), *joined(told[:MOST_CHANGES], "; "), *more), 4)

    def _question(self, decision: Decision) -> None:
        where = f" [{decision.path}]" if decision.path else ""
        who = f"seat {decision.seat}: " if len(self.people) > 1 else ""
        self.screen.say()
        self.screen.show((*ink(f"{who}{decision.prompt}", "bold"), *ink(where, FAINT)), 2)
        answers = Answers.of(decision)
        self._list(decision, answers, answers.entries)

    def _list(self, decision: Decision, answers: Answers, entries: list[Entry]) -> None:
        for cell, indent in listed(decision, answers, entries, self.screen.width):
            self.screen.show(cell, indent)

    def _finish(self) -> None:
        """How it ended, and who won."""
        game, table, screen = self.game, self.table, self.screen
        seat = self.people[0] if len(self.people) == 1 else None
        items = self.story.items(seat)
        if self.people:
            since = [item for item in items if item["number"] > (self.told[seat] if seat else 0) and item["event"] != "score"]
            told = lines(game, since[-60:], scores=False)[-MOST_LINES:]
            screen.heading("the end")
            for line in told[:-1]:
                screen.say(line.words, indent=4)
        else:
            screen.heading("the end")
        for section in self._scene(seat).sections:
            screen.section(section)
        screen.say(f"The game is over{ending_words(game, table.ending)}.")
        self._scores(items)
        for place, seats in enumerate(table.ranking, 1):
            shared = sum(map(len, table.ranking[: place - 1])) + 1
            screen.say(f"{shared}. " + ", ".join(self._who(s, items) for s in seats))
        if self.people:
            path = self._keep()
            screen.say(f"The game is kept: ichiba replay {path.stem if path.parent == saves.home() else path}", FAINT)

    def _who(self, seat: int, items: list[Item]) -> str:
        name = "you" if self.people == [seat] else self.names.get(seat, "")
        return f"seat {seat}{f' ({name})' if name else ''} with {self.table.scores[seat]:,}"

    def _scores(self, items: list[Item]) -> None:
        """What each seat scored for what."""
        rows: dict[str, dict[int, int]] = {}
        for item in items:
            if item["event"] == "score":
                row = rows.setdefault(str(item["what"]), {})
                row[item["seat"]] = row.get(item["seat"], 0) + item["value"]
        if rows:
            seats = range(1, self.game.seats + 1)
            told = [[what, *(f"{row[s]:,}" if s in row else "" for s in seats)] for what, row in rows.items()]
            total = ["total", *(f"{self.table.scores[s]:,}" for s in seats)]
            self.screen.table(["", *(f"seat {s}" for s in seats)], [*told, total])

    # ------------------------------------------------------------------------------------------- commands

    def _obey(self, asked: Asked, decision: Decision, answers: Answers) -> bool:
        """A command; True when the question has changed."""
        match asked.command:
            case "undo":
                return self._undo(decision.seat)
            case "save":
                self._save(asked.words)
            case "log":
                self._log(decision.seat, asked.words)
            case "view":
                for section in self._scene(decision.seat, full=True).sections:
                    self.screen.full(section)
            case "rules":
                self._rules(asked.words)
            case "list":
                self._show_again(decision)
            case _:
                self._explain(asked.words, decision, answers)
        return False

    def _show_again(self, decision: Decision) -> None:
        for section in self._scene(decision.seat).sections:
            self.screen.section(section)
        self._question(decision)

    def _explain(self, words: str, decision: Decision, answers: Answers) -> None:
        if not words:
            print(HELP)
            return
        for cell, indent in about(self.table, decision, answers, words, self.director):
            self.screen.show(cell, indent)

    def _undo(self, seat: int) -> bool:
        """Back to the last answer a person gave; that of somebody else stays, and so does what was seen together."""
        history = self.table.history
        at = max((n for n, (s, _) in enumerate(history) if s + 1 in self.people), default=None)
        if at is None:
            self.screen.say("There is nothing to take back yet.")
            return False
        whose = history[at][0] + 1
        if whose != seat:
            self.screen.say(f"The last answer was seat {whose}'s; only that seat could take it back, on its own turn.")
            return False
        first, last = self.story.happened_since(at), self.story.happened_since(at + 1)
        items = [item for item in self.story.items(everything=True) if item["number"] > first]
        if len(self.people) > 1 and any(item["event"] in ("chance", "reveal") for item in items[1:] if item["number"] <= last or item["event"] == "reveal"):
            self.screen.say("Something was drawn or shown since then; among several people that stays.")
            return False
        words = next((line.words for line in lines(self.game, items[:1])), "the last answer")
        self.table.undo(len(history) - at)
        self.told[seat] = min(self.told[seat], self._known_by(seat))
        self.seen.pop(seat, None)
        self.screen.say(f"Taken back: {words}")
        return True

    def _known_by(self, seat: int) -> int:
        """The number of the last event before this seat's last answer."""
        history = self.table.history
        at = max((n for n, (s, _) in enumerate(history) if s + 1 == seat), default=None)
        return 0 if at is None else self.story.happened_since(at)

    def _log(self, seat: int, words: str) -> None:
        told = lines(self.game, self.story.items(seat))
        if words != "all" and len(told) > LOG_LINES:
            self.screen.say(f"… {len(told) - LOG_LINES} lines before this (l all)", FAINT)
            told = told[-LOG_LINES:]
        for line in told:
            self.screen.say(line.words, indent=4)

    def _rules(self, words: str) -> None:
        """What each rule says of itself; one rule as it is written."""
        written = named_rules(self.game)
        name = words.replace(" ", "_")
        if name in written:
            span = written[name]
            self.screen.say(f"{span.source.path}:{span.line}", FAINT)
            print(as_written(span))
            return
        if words:
            self.screen.say(f"No rule is called `{words}`.")
        for rule, sentence in sentences(self.game).items():
            self.screen.show((*ink(f"{rule.replace('_', ' ')}: ", "bold"), *ink(sentence)), 4)
        self.screen.say("As written (r NAME): " + ", ".join(sorted(written)), indent=4)

    # ---------------------------------------------------------------------------------------------- saving

    def _save(self, words: str) -> None:
        path = Path(words).expanduser() if words else self.path or saves.new_path(self.game.name)
        if path.suffix != saves.SUFFIX and not path.exists():
            path = path.with_name(path.name + saves.SUFFIX)
        if path.exists() and not saves.is_same_game(path, self.table):
            answer = self.screen.ask(f"{path} holds {saves.what_is_in(path)}. Write over it? (yes or no) ")
            if answer.lower() not in ("y", "yes"):
                self.screen.say("Nothing was saved.")
                return
        try:
            self._write(path)
        except (OSError, SaveFault) as fault:
            self.screen.say(f"It could not be saved: {fault}")
            return
        self.path = path
        self.screen.say(f"Saved. To go on later: ichiba play --resume {path}")

    def _write(self, path: Path) -> None:
        self.table.undo(0)  # what an interruption left half done is done again from the answers
        saves.write(self.table, path, self.names)
        self.saved = len(self.table.history)

    def _keep(self) -> Path:
        path = self.path or saves.new_path(self.game.name)
        self._write(path)
        self.path = path
        return path

    def _leave(self, code: int) -> int:
        """Keep the game, and say how to go on with it."""
        if not self.table.history or not self.people:
            return code
        try:
            path = self._keep()
        except (OSError, SaveFault) as fault:
            self.screen.say(f"The game could not be kept: {fault}")
            return code or 1
        self.screen.say("The game is kept. To go on:")
        print(f"  ichiba play --resume {path.stem if path.parent == saves.home() else path}")
        return code


def keeps_secrets(game: Game) -> bool:
    """Whether seats see different things, or answer in secret."""
    if any(site.secret is not None for site in game.flow.sites):
        return True
    return any(hiding_word(game, member) is not None and not hidden_from_everyone(game, member) for member in game.world.members())


@contextmanager
def _closing() -> Iterator[None]:
    """A terminal that is closed is a way to leave: the game is kept."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(CLOSED)

    signals = [s for name in ("SIGTERM", "SIGHUP") if (s := getattr(signal, name, None)) is not None]
    earlier = {}
    try:
        for s in signals:
            earlier[s] = signal.signal(s, leave)
    except ValueError:  # not in the main thread: nobody sends signals here
        pass
    try:
        yield
    finally:
        for s, handler in earlier.items():
            signal.signal(s, handler)


__all__ = ["Session", "keeps_secrets", "words_of"]
