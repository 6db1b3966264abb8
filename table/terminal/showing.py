"""What those before the screen are shown: what happened, how things stand, what is asked; nobody another's hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.rules import ir
from ichiba.interpreter.saves.bundles import example, is_lot
from ichiba.interpreter.sight.figures import Figures
from ichiba.interpreter.sight.views import hiding_word, owner_who_sees, view_of
from ichiba.table.rulebook.rules import as_written, named_rules, sentences
from ichiba.table.scene.cards import in_language
from ichiba.table.scene.scene import Director
from ichiba.table.scene.sections import Flat, Scene
from ichiba.table.scene.spelling import FAINT, Cell, ink, joined
from ichiba.table.scene.telling.story import Item, Story, lines
from ichiba.table.terminal.answers import Answers, Entry
from ichiba.table.terminal.asking import listed
from ichiba.table.terminal.screen import Screen, told

if TYPE_CHECKING:
    from ichiba.dsl.yaml.declarations import BoardDecl
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table
    from ichiba.table.scene.look import Look

MOST_LINES = 12  # of what happened, before it is cut
LOG_LINES = 20
MOST_EFFECTS = 60
MOST_CHANGES = 8


class Showing:
    """One screen and the people before it. It remembers what each seat has been shown."""

    def __init__(self, table: Table, bots: Mapping[int, str], screen: Screen, look: Look):
        self.table, self.game, self.screen, self.bots = table, table.game, screen, bots
        self.people = [seat for seat in range(1, table.game.seats + 1) if seat not in bots]
        self.alone = len(self.people) == 1
        self.director = Director(table.game, look, glyphs=not screen.plain)
        self.story = Story(table)
        self.there: int | None = None  # who sits before the screen
        self.stood: dict[int, Flat] = {}  # how things stood when a seat last looked
        self.heard = {seat: self.known_by(seat) for seat in self.people}  # the number of the last event that was told
        self.watched = 0
        self.passing = not self.alone and keeps_secrets(table.game)

    def names(self, seat: int | None = None) -> dict[int, str]:
        """Who sits where, as told to a seat."""
        mine = {seat: "you"} if seat is not None and (self.alone or seat == self.there) else {}
        return {**self.bots, **mine}

    def scene(self, seat: int | None, full: bool = False) -> Scene:
        before = self.stood.get(seat) if seat is not None else None
        return self.director.scene(view_of(self.table, seat, log=False), before, full, self.names(seat), Figures(self.table, seat))

    def known_by(self, seat: int) -> int:
        """The number of the last event before this seat's last answer."""
        at = max((n for n, (s, _) in enumerate(self.table.history) if s + 1 == seat), default=None)
        return 0 if at is None else self.story.happened_since(at)

    # --------------------------------------------------------------------------------------------- a turn

    def welcome(self) -> None:
        game = self.game
        on = game.config.parts
        title = in_language(game.box.title, game.lang) or game.name
        title += f" with {', '.join(on)}" if on else ""
        self.screen.heading(f"{title} · {game.seats} seats")  # the seed tells what is hidden
        said = in_language(game.box.about, game.lang)
        if said:
            self.screen.say(said)
        who = ", ".join(f"seat {seat}: {self._sitting(seat)}" for seat in range(1, game.seats + 1))
        self.screen.say(f"{who}." + (" Type ? for help." if self.people else ""))
        board = self._first_board() if self.people else None
        if board is not None:
            shown = in_language(board.title, game.lang) or board.name
            self.screen.say(f"Each board is a file: r {board.name} shows that of {shown}, with its rules.")
        legend = self.director.speller.legend()
        if legend:
            self.screen.show(legend, 2)

    def _first_board(self) -> BoardDecl | None:
        """One that is in play, if the game has any."""
        view = view_of(self.table, None, log=False)
        there = (one for one in self.game.world.things if self.game.world.kinds[one.kind].root == "board" and self.director.has_come(one, view))
        first = next(there, None)
        return next((board for board in self.game.box.boards if first is not None and board.name == first.name), None)

    def _sitting(self, seat: int) -> str:
        if seat in self.bots:
            return f"{self.bots[seat]} bot"
        return "you" if self.alone else "a person"

    def hand_over(self, seat: int) -> None:
        """Nobody sees another's hand: the screen is wiped before it changes hands, and filled when that seat sits."""
        if self.there == seat:
            return
        if self.passing:
            self.screen.clear()
            self.screen.ask(f"seat {seat}, press Enter")
            self.screen.clear()
        self.there = seat

    def turn(self, seat: int) -> None:
        """What happened, and how things stand. After an answer of one's own and nothing else, only what changed."""
        items = [item for item in self.story.items(seat) if item["number"] > self.heard[seat]]
        scene = self.scene(seat)
        if seat not in self.stood or any(item["event"] != "decision" or item["seat"] != seat for item in items):
            self.screen.heading("your turn" if self.alone else f"seat {seat}")
            self.happened(seat, items)
            self.sections(scene)
        else:
            self._changes(scene)
        self.stood[seat] = scene.flat
        self.heard[seat] = max([self.heard[seat], *(item["number"] for item in items)])

    def happened(self, seat: int, items: Sequence[Item]) -> None:
        """What others did and chance brought; of one's own answers only those that were forced."""
        theirs = [item for item in items if item["event"] != "decision" or item["seat"] != seat or item.get("forced")]
        self._cut(theirs, MOST_LINES, "l shows the log")

    def _cut(self, items: Sequence[Item], most: int, more: str) -> None:
        found = lines(self.game, items)
        if len(found) > most:
            self.screen.say(f"… {len(found) - most} lines before this ({more})", FAINT)
        for line in found[-most:]:
            self.screen.say(line.words, indent=4)

    def _changes(self, scene: Scene) -> None:
        changed = [
            (*entity.head, *ink(" " if entity.head else ""), *told(value, star=False))
            for entity, value in scene.changed()
        ]
        if changed:
            more = (
                f"; and {len(changed) - MOST_CHANGES} more (. shows the table)" if len(changed) > MOST_CHANGES else ""
            )
            self.screen.show((*ink("now: ", FAINT), *joined(changed[:MOST_CHANGES], "; "), *ink(more)), 4)

    def question(self, decision: Decision) -> None:
        where = f" [{decision.path}]" if decision.path else ""
        who = "" if self.alone else f"seat {decision.seat}: "
        self.screen.say()
        self.screen.show((*ink(f"{who}{decision.prompt}", "bold"), *ink(where, FAINT)), 2)
        answers = Answers.of(decision)
        self.options(decision, answers, answers.entries)
        if is_lot(decision) and (whole := example(decision)):
            self.screen.show(ink(f" or all of it at once, as in {whole}", FAINT))

    def options(self, decision: Decision, answers: Answers, entries: list[Entry]) -> None:
        for cell, indent in listed(decision, answers, entries, self._beside(decision)):
            self.screen.show(cell, indent)

    def _beside(self, decision: Decision) -> Callable[[int], Cell]:
        """Of a thing that is chosen by its name alone, what the look shows of it; a menu says in its words what it is about."""
        decide, figures = decision.site.decide, Figures(self.table, decision.seat)

        def told(code: int) -> Cell:
            if not isinstance(decide, ir.Decide) or decide.menu:
                return ()
            number, values = self.game.explainer.decode(decision.site, code)
            binds = decide.options[number].binds
            return self.director.beside(binds[0].var.kind, values[0], figures) if len(binds) == 1 else ()

        return told

    # ------------------------------------------------------------------------------------- when asked for

    def sections(self, scene: Scene) -> None:
        for section in scene.sections:
            if scene.full:
                self.screen.full(section)
            else:
                self.screen.section(section)

    def log(self, seat: int, words: str) -> None:
        """The last lines, or all; or what has changed hands as well, as far as this seat may know."""
        items = self.table.story(seat) if words == "effects" else self.story.items(seat)
        self._cut(items, 10**9 if words == "all" else MOST_EFFECTS if words == "effects" else LOG_LINES, "l all")

    def rules(self, words: str) -> None:
        """What each rule says of itself; one rule, or the file of a board, as it is written."""
        written = named_rules(self.game)
        name = words.replace(" ", "_")
        if name in written:
            self.screen.say(f"{written[name].source.path}:{written[name].line}", FAINT)
            print(as_written(written[name]))
            return
        board = next((one for one in self.game.box.boards if name in (one.name, *map(str.casefold, one.title.values()))), None)
        if board is not None:
            self.screen.say(board.path, FAINT)
            print(board.span.source.text.rstrip())
            return
        if words:
            hint = nearest(name, [*written, *(one.name for one in self.game.box.boards)])
            self.screen.say(f"No rule and no board is called `{words}`{f'; did you mean `{hint}`?' if hint else ''}. (r lists them)")
            return
        for rule, said in sentences(self.game).items():
            self.screen.show((*ink(f"{rule.replace('_', ' ')}: ", "bold"), *ink(said)), 4)
        self.screen.say("As written (r NAME): " + ", ".join(sorted(written)), indent=4)

    def watch(self) -> None:
        """Where only bots play, everything is told as it happens."""
        items = [item for item in self.story.items() if item["number"] > self.watched and item["event"] != "score"]
        for line in lines(self.game, items):
            self.screen.say(line.words, indent=4)
            self.watched = line.last

    def forget(self, seat: int) -> None:
        """After something was taken back: the seat is told and shown anew."""
        self.heard[seat] = min(self.heard[seat], self.known_by(seat))
        self.stood.pop(seat, None)


def keeps_secrets(game: Game) -> bool:
    """Whether seats see different things, or answer in secret."""
    if any(site.secret is not None for site in game.flow.sites):
        return True
    hidden = ((member, word) for member in game.world.members() if (word := hiding_word(game, member)) is not None)
    return any(owner_who_sees(member, word) is not None for member, word in hidden)
