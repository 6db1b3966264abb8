"""Whoever listens while rules run: chance can be scripted, and everything that happens is written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from threading import get_ident
from typing import TYPE_CHECKING, Any

from ichiba.dsl.program.texts import score_key, tell_key
from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.run.race import is_race, waits
from ichiba.interpreter.run.table import FAULTS
from ichiba.interpreter.runtime.chance import UNTOLD, NeedChance, Told
from ichiba.interpreter.runtime.runtime import FUEL, Context, Stop, left

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game


Later = Callable[[], Any]  # a value that is worked out when somebody wants it

# Of one game. A log that is full ends with a line that says so, and the game goes on; whoever asks for more rows is refused.
MOST_LINES, MOST_LETTERS = 100_000, 16 * 2**20  # that rules tell
MOST_EFFECTS = 100_000
MOST_ROWS = 100_000
FULL = "(more is told than a log can hold: what rules tell from here on is left out)"


class Teller(Context):
    """Listens while rules run: chance can be scripted, and everything that happens is written down."""

    __slots__ = (
        "code",
        "covered",
        "emitted",
        "follows",
        "game",
        "effects_left",
        "items",
        "keys_of_lines",
        "letters_left",
        "lines_left",
        "on_effect",
        "options_taken",
        "path",
        "rows",
        "script",
        "scripted",
        "seat_scores",
        "shadow",
        "state",
        "strict",
        "turn_number",
        "turn_seat",
        "used",
    )

    def __init__(self, game: Game, words: Any, script: Sequence[str] = (), strict: bool = False):
        super().__init__(words)
        from ichiba.interpreter.run.game import traced

        self.game = game
        self.emitted, self.code = traced(game)
        self.tracing = True
        self.script = list(script)
        self.used = 0
        self.scripted = False  # what came last stood in the script
        self.strict = strict  # nothing is left to chance once the script is used up
        self.items: list[dict[str, object]] = []
        self.seat_scores: list[tuple[int, str, int]] = []
        self.covered: set[int] = set()
        self.options_taken: set[tuple[int, int]] = set()
        self.lines_left, self.letters_left, self.effects_left = MOST_LINES, MOST_LETTERS, MOST_EFFECTS
        self.keys_of_lines: dict[int, str] = {}  # by their numbers
        self.rows: list[dict[str, object]] = []  # what the rules record, for whoever counts
        self.turn_number, self.turn_seat = 0, -1  # how many turns have begun that stand in no other, and whose it is
        self.follows = False  # whether effects are written down too
        self.state: list[int] = []
        self.shadow = self.state  # as it was when it was last looked at; the same list where nobody follows
        self.path = ""  # of the last answer, its key included, if all have heard it
        self.on_effect: Callable[[list[int], int], None] | None = None

    def fork(self) -> Teller:
        """Another one that has come as far in the script: for a copy of the table."""
        new = Teller(self.game, self.words, self.script, self.strict)
        new.used, new.turn_number, new.turn_seat = self.used, self.turn_number, self.turn_seat
        new.lines_left, new.letters_left, new.effects_left = self.lines_left, self.letters_left, self.effects_left
        return new

    # what is written down

    def let_go(self) -> None:
        """What was written down so far is not needed any more."""
        for written in (self.items, self.rows, self.seat_scores):
            written.clear()

    def begin(self, state: list[int]) -> None:
        """The game begins in this state, which is the one that goes on."""
        self.state = state
        self.shadow = state[:] if self.follows else state

    def catch_up(self) -> None:
        """What has changed since it was last looked at is written down, if anybody follows the effects."""
        if self.shadow is self.state:
            return
        from ichiba.interpreter.sight.effects import effects_for

        effects = [item | {"path": self.path} for item in effects_for(self.game).effects(self.shadow, self.state)]
        self.items += effects
        self.shadow[:] = self.state
        self.effects_left -= len(effects)
        if self.effects_left <= 0:
            self.shadow, self.follows = self.state, False
            self.items.append(_full("effects"))

    def happens(self, item: dict[str, object]) -> None:
        """An event, behind what has happened before it."""
        self.catch_up()
        if item["event"] == "decision":
            self.path = "/".join(filter(None, [str(item["path"]), str(item["key"])])) if item["audience"] == "all" else ""
        elif self.follows:
            item["path"] = self.path
        self.items.append(item)

    # what the traced code calls

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
        counter = S[1]
        S[1] = counter + 1
        self.scripted = self.used < len(self.script) and self._is_meant(what, values, kind, target)
        if self.scripted:
            index = self._scripted(values, kind, what)
        elif self.strict:
            S[1] = counter
            raise NeedChance(values, [1] * len(values) if weights is None else weights, what, kind)
        else:
            made = self.words.words
            word = made[counter] if counter < len(made) else self.words.more(counter)
            index = word * len(values) >> 32 if weights is None else _weighted(word * sum(weights) >> 32, weights)
        self._happened(S, values[index], kind, what, target)
        return index

    def _happened(self, S: list[int], value: int, kind: Kind, what: str, target: int | None) -> None:
        """A chance event is written down. Only what was drawn is spelled: a pile that is shuffled is drawn from as often as there are
        pieces in it."""
        if target == UNTOLD:
            return
        key = self.game.words.key(value, kind)
        if target is None:
            target = self._lies_in(S, value, kind)
        self.happens(
            {"event": "chance", "what": what, "key": f"{what}/{key}", "audience": self._audience(S, target)}
        )

    def _lies_in(self, S: list[int], value: int, kind: Kind) -> int | None:
        """The zone of a piece that was picked where it lies: who may not look there does not learn which one."""
        if kind.form not in ("piece", "thing") or value < 0:
            return None
        if value < FIRST_THING:
            return self.game.layout.zone_at[value]
        member = self.game.world.places.get("place")
        zone = S[member.place((value,))] if member is not None and self.game.world.thing(value).sort >= 0 else -1
        return None if zone < 0 else zone

    def _is_meant(self, what: str, values: Sequence[int], kind: Kind, target: int | None) -> bool:
        """Who is drawn in a race may be left out of a script: it follows the seed, or somebody is quicker."""
        if target != UNTOLD or self.strict:
            return True
        return self.script[self.used] in [f"{what}/{self.game.words.key(value, kind)}" for value in values]

    def _scripted(self, values: Sequence[int], kind: Kind, what: str) -> int:
        wanted = self.script[self.used]
        self.used += 1
        name = wanted.split("/", 1)[1] if wanted.startswith(what + "/") else wanted
        for index, value in enumerate(values):
            if self.game.words.key(value, kind) == name:
                return index
        keys = dict.fromkeys(self.game.words.key(value, kind) for value in values)
        raise Told(f"chance event {self.used} cannot be `{wanted}`: here {what} gives " + ", ".join(keys), self.used)

    def _audience(self, S: list[int], target: int | None) -> object:
        """Who learns the outcome: everybody, unless it goes where only some may look."""
        if target is None:
            return "all"
        from ichiba.interpreter.sight.views import who_sees_zone

        return who_sees_zone(self.game, target)

    def shuffle(self, S: list[int], items: list[int], kind: Kind, what: str) -> list[int]:
        items = list(items)
        for i in range(len(items) - 1):
            j = i + self.draw(S, items[i:], None, kind, what, None)
            items[i], items[j] = items[j], items[i]
        return items

    def reveal(self, S: list[int], name: str, values: list[int], kind: Kind, asked: int) -> None:
        """The answers of those who were asked: a bit for each seat. The others have said nothing."""
        shown = {str(seat + 1): self.game.words.plain(v, kind) for seat, v in enumerate(values) if asked >> seat & 1}
        self.happens({"event": "reveal", "what": name, "values": shown, "audience": "all"})

    def reveal_member(self, S: list[int], name: str, places: Sequence[int]) -> None:
        from ichiba.interpreter.sight.views import describe_places

        self.happens(
            {
                "event": "reveal",
                "what": name,
                "values": describe_places(self.game, S, name, places),
                "audience": "all",
            }
        )

    def reveal_zone(self, S: list[int], place: int) -> None:
        """A zone that was worked out."""
        self.reveal_member(S, self.game.layout.zones[place].full_name, (place,))

    def score(self, S: list[int], seat: int, label: str, value: int) -> None:
        label = self.game.text(score_key(label)) or label
        self.seat_scores.append((seat, label, value))
        self.happens({"event": "score", "seat": seat + 1, "what": label, "value": value, "audience": "all"})

    def option(self, S: list[int], site: int, number: int) -> None:
        if not self.dry:
            self.options_taken.add((site, number))

    def rule(self, number: int) -> None:
        self.covered.add(number)

    def effect(self, S: list[int], number: int) -> None:
        if self.dry:
            return
        self.catch_up()
        if self.on_effect is not None:
            self.on_effect(S, number)

    def tell(self, number: int, values: Sequence[Later], audience: Callable[[], Sequence[int] | None]) -> None:
        """A line of the log. What of it cannot be worked out is left open: the game goes on in any case."""
        if self.dry or self.lines_left <= 0:
            return
        label = self.emitted.tells[number].label
        parts = [part for part in label.parts if not isinstance(part, str)]
        worked_out = [_worked_out(value) for value in values]
        heard = _worked_out(audience) if self.emitted.tells[number].audience is not None else None
        if heard is not None:
            heard = [int(seat) + 1 for seat in dict.fromkeys(heard) if seat >= 0]
        elif self.emitted.tells[number].audience is not None:
            heard = []
        given = list(zip(parts, worked_out, strict=True))
        if number not in self.keys_of_lines:
            self.keys_of_lines[number] = tell_key(label)
        words = self._said(label, given)
        self.lines_left, self.letters_left = self.lines_left - 1, self.letters_left - len(words)
        if self.lines_left <= 0 or self.letters_left <= 0:
            self.lines_left = 0
            self.happens(_full("lines"))
            return
        self.happens(
            {
                "event": "tell",
                "what": self.keys_of_lines[number],
                "words": words,
                "values": {name: self._plain(part, value) for name, (part, value) in zip(label.names, given, strict=True)},
                "audience": "all" if heard is None else heard[0] if len(heard) == 1 else heard or "nobody",
            }
        )

    def _said(self, label: ir.Label, given: list[tuple[ir.Exp, Any]]) -> str:
        """The sentence in the language of the game."""
        known = {id(part): value for part, value in given}
        return "".join(
            part if isinstance(part, str) else self._shown(part, known[id(part)])
            for part in self.game.translated(("told", id(label)), label).parts
        )

    def _shown(self, part: ir.Exp, value: Any) -> str:
        if value is None:
            return "…"
        kind = _kind_of(part)
        return ", ".join(map(partial(self.words_of, kind=kind), value if isinstance(value, list | tuple) else [value]))

    def _plain(self, part: ir.Exp, value: Any) -> object:
        if value is None:
            return None
        kind, plain = _kind_of(part), self.game.words.plain
        return [plain(int(one), kind) for one in value] if isinstance(value, list | tuple) else plain(int(value), kind)

    def record(self, number: int, values: Sequence[Later]) -> None:
        """A row for whoever counts, if it can be worked out."""
        if self.dry:
            return
        if len(self.rows) > MOST_ROWS:  # one too many: whoever asks for them is told
            return
        record, (amount, *of) = self.emitted.records[number], map(_worked_out, values)
        if amount is None or None in of:
            return
        seat = self.turn_seat + 1 if self.turn_seat >= 0 else None
        named = [self.game.words.key(int(one), part.kind) for one, part in zip(of, record.of, strict=True)]
        self.rows.append({"seat": seat, "turn": self.turn_number, "name": record.name, "amount": int(amount), "of": named})

    def turn(self, seat: int) -> None:
        """A turn begins that stands in no other; -1: it is nobody's turn any longer."""
        if not self.dry:
            self.turn_number += seat >= 0
            self.turn_seat = seat

    def words_of(self, value: int, kind: Kind) -> str:
        return self.game.words.show(int(value), kind)

    def names(self, values: list[int], kind: Kind) -> str:
        return ", ".join(self.game.words.show(v, kind) for v in values)

    def write_down(self, site: Any, seat: int, code: int, S: list[int], forced: bool = False) -> None:
        before = self.path
        for item in answer_items(self.game, site, seat, code, S, forced):
            self.happens(item)
        if waits(self.game, site, code):  # nobody hears of it, so what comes next comes behind the answer before
            self.path = before

    def forced(self, S: list[int], pc: int, code: int) -> int:
        site = self.game.flow.sites[pc]
        if is_race(site):  # nobody hears of it: it would tell that others have waited before
            self.used -= self.scripted and not self.strict
        else:
            self.write_down(site, self.game.seat_of(site, S), code, S, forced=True)
        return int(self.code.ANSWERS[pc](S, self, code))


def _weighted(drawn: int, weights: Sequence[int]) -> int:
    """Whose part of all the weights a number falls into."""
    for index, weight in enumerate(weights):
        if drawn < weight:
            return index
        drawn -= weight
    raise AssertionError("less is drawn than all weigh together")


def _full(of: str) -> dict[str, object]:
    """The last line of its kind. It is for everybody: who hears how much of what came before does not hang on it."""
    return {"event": "tell", "what": f"full.{of}", "words": FULL, "values": {}, "audience": "all"}


def _worked_out(value: Later) -> Any:
    """A value of a sentence, with steps of its own; None where the rules cannot say it."""
    me = get_ident()
    before, left[me] = left.get(me, FUEL), FUEL
    try:
        return value()
    except FAULTS:
        return None
    finally:
        left[me] = before


def _kind_of(part: ir.Exp) -> Kind:
    """Of which kind that is what a sentence shows there; of a set each of it."""
    return part.set.kind.of or part.kind if isinstance(part, ir.Aggregate) and part.how == "list" else part.kind


def decision_item(
    game: Game, site: Any, seat: int, code: int, state: list[int], forced: bool = False
) -> dict[str, object]:
    item: dict[str, object] = {
        "event": "decision",
        "seat": seat + 1,
        "path": "/".join(game.path_keys(site, state)),
        "key": game.explainer.key(site, code, state),
        "audience": seat + 1 if site.secret is not None or waits(game, site, code) else "all",
    }
    if forced:
        item["forced"] = True
    return item


def answer_items(
    game: Game, site: Any, seat: int, code: int, state: list[int], forced: bool = False
) -> list[dict[str, object]]:
    """An answer as it is written down. In a race it is only now that anybody learns who was drawn."""
    item = decision_item(game, site, seat, code, state, forced)
    if not is_race(site):
        return [item]
    what = site.decide.seat.var.name
    return [{"event": "chance", "what": what, "key": f"{what}/{seat + 1}", "audience": item["audience"]}, item]
