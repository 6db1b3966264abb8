"""What happened, as one would tell it: the log with the words people saw, put together line by line."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ichiba.dsl.program.hiding import Content, hidden_members
from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import FIRST_THING, Member
from ichiba.interpreter.layout import PC
from ichiba.interpreter.run.race import draw_instead, is_race
from ichiba.interpreter.runtime.chance import UNTOLD
from ichiba.interpreter.saves.records import Replay, Teller
from ichiba.interpreter.sight.views import index_of, member_called, visible
from ichiba.table.scene.cards import in_language
from ichiba.table.scene.telling.effects import effect_words

if TYPE_CHECKING:
    from ichiba.interpreter.flow.pieces import Site
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

Item = dict[str, Any]


class Narrator(Teller):
    """A teller that also keeps the words: labels of answers, names of what was drawn, and where to."""

    __slots__ = ()

    def draw(
        self,
        S: list[int],
        values: Sequence[int],
        weights: Sequence[int] | None,
        kind: Kind,
        what: str,
        target: int | None,
    ) -> int:
        index = super().draw(S, values, weights, kind, what, target)
        if target == UNTOLD:
            return index
        item = self.items[-1]
        item["words"] = self.game.words.show(values[index], kind)
        item["to"] = place_words(self.game, target) if target is not None else ""
        return index

    def forced(self, S: list[int], pc: int, code: int) -> int:
        words = answer_words(self.game, self.game.flow.sites[pc], code, S)
        at = len(self.items)
        next_pc = super().forced(S, pc, code)
        for item in self.items[at : at + 1]:  # nothing where somebody had to wait in a race
            item.update(words)
        return next_pc

    def reveal_member(self, S: list[int], name: str, places: Sequence[int]) -> None:
        super().reveal_member(S, name, places)
        self.items[-1]["words"] = _revealed(self.game, self.items[-1], name, places)


class Story:
    """The game so far. It follows its table: answers are told as they come, and taken back when they are."""

    def __init__(self, table: Table):
        self.table, self.game = table, table.game
        self._begin()

    def _begin(self) -> None:
        table = self.table
        self.told: list[tuple[int, int]] = []
        teller = Narrator(table.game, table.game.chance_words(table.seed), table.script)
        self.replay = Replay(table.game, table.seed, table.script, teller)
        for given in table.given:
            cast(Any, given)(self.replay)
        self.gone = 0  # events that are no longer held
        self.ends = array("Q", [self.happened])  # after each answer, how much had happened

    @property
    def happened(self) -> int:
        """How many events there have been."""
        return self.gone + len(self.replay.teller.items)

    def let_go(self) -> None:
        """What was told so far is not asked for again: it takes no more room."""
        self.gone = self.happened
        self.replay.teller.let_go()

    def catch_up(self) -> None:
        history = self.table.history
        if history[: len(self.told)] != self.told:
            self._begin()
        for answer in history[len(self.told) :]:
            self._answer(*answer)
            self.told.append(answer)
            self.ends.append(self.happened)

    def _answer(self, seat: int, code: int) -> None:
        asked, state = self._asked(seat)
        words = answer_words(self.game, asked, code, state)
        at = len(self.replay.teller.items)
        self.replay.answer(seat, code)
        next(item for item in self.replay.teller.items[at:] if item["event"] == "decision").update(words)

    def _asked(self, seat: int) -> tuple[Site, list[int]]:
        """The question that is being answered, and the state as that seat has it."""
        state, flow = self.replay.state, self.game.flow
        site = flow.sites[state[PC]]
        if not isinstance(site.decide, ir.Secret):
            if seat >= 0 and is_race(site):
                state = state[:]
                draw_instead(self.game, site, state, seat)
            return site, state
        secret = next(s for s in flow.secrets if s.site is site)
        if seat < 0:
            seat = next(s for s in range(self.game.seats) if state[secret.waiting + s])
        loaded = state[:]
        self.replay.code.module[f"load_{site.number}"](loaded, seat)
        return flow.sites[state[secret.waiting + seat] - 1], loaded

    def items(self, seat: int | None = None, everything: bool = False, since: int = 0) -> list[Item]:
        """What a seat may know of what happened behind event number `since`, numbered as in the log."""
        self.catch_up()
        assert since >= self.gone, "of this nothing is held any more"
        held = self.replay.teller.items[since - self.gone :]
        items: list[Item] = [{"number": number, **item} for number, item in enumerate(held, since + 1)]
        if self.table.over:
            items.append({"number": since + len(items) + 1, "event": "end", "ending": self.table.ending, "audience": "all"})
        items = [item for item in items if item.get("what") != ir.RACE]  # who was first is told by the answer
        heard = [item for item in items if everything or visible(item, None if seat is None else seat - 1)]
        return [_as_told(item, everything or item.get("seat") == seat) for item in heard]

    def told_by(self, answer: int) -> list[Item]:
        """All events of the answer with this place in the history, but who was first in a race."""
        first, last = (self.ends[at] - self.gone for at in (answer, answer + 1))
        return [item for item in self.replay.teller.items[first:last] if item.get("what") != ir.RACE]

    def happened_since(self, answers: int) -> int:
        """The number of the last event that belongs to the first so many answers."""
        self.catch_up()
        return self.ends[min(answers, len(self.ends) - 1)]


# ---------------------------------------------------------------------------------------------- words


def answer_words(game: Game, site: Site, code: int, state: list[int]) -> Item:
    """What people read when they gave an answer. Words in which something hidden stands are only theirs."""
    decide = site.decide
    words: Item = {"label": game.explainer.label(site, code, state)}
    own: set[str] = set()
    if isinstance(decide, ir.Decide):
        number, _ = game.explainer.decode(site, code)
        words["ends"], words["settled"] = decide.options[number].ends, decide.name == "tie"
        if _tells_hidden(game, decide.options[number].label):
            own.add("label")
        if decide.menu:
            return {**words, "own": own}
    if isinstance(decide, ir.ChooseSome):
        words["lot"] = code
    if not isinstance(decide, ir.Secret):
        words["prompt"] = game.explainer.words(("prompt", site.number), decide.prompt, (), state)
        if _tells_hidden(game, decide.prompt):
            own.add("prompt")
    return {**words, "own": own}


def _tells_hidden(game: Game, label: ir.Label) -> bool:
    """Whether words have something in braces that not everybody may see."""
    content = game.keep(Content, lambda: Content(game.program, hidden_members(game.world)))
    return content.tells(content.of([part for part in label.parts if not isinstance(part, str)]))


def _as_told(item: Item, to_itself: bool) -> Item:
    """An answer as it is told to others: by its key, where its words are for the one who gave it."""
    own = item.get("own", ())
    return {key: value for key, value in item.items() if key != "own" and (to_itself or key not in own)}


def place_words(game: Game, place: int) -> str:
    """The name of a zone: `seat 2's hand`, `stall 3's cards`, `discard`."""
    member = game.layout.zones.get(place)
    if member is None:
        return ""
    return _member_words(game, member, index_of(member, place))


def _member_words(game: Game, member: Member, at: tuple[int, ...]) -> str:
    words = [_owner_words(game, member, value, number) for number, value in enumerate(at)]
    name = game.text(f"name.{member.name}") or member.name.replace("_", " ")
    first = len(member.dims) - len(member.index)
    called = game.words.own("{owner}'s {what}", owner=words[0], what=name) if first else name
    index = " ".join(words[first:])
    return f"{called}{' · ' + index if index else ''}"


def _owner_words(game: Game, member: Member, value: int, number: int) -> str:
    first = len(member.dims) - len(member.index)
    if number >= first:
        return game.words.show(value, member.index[number - first])
    if member.owner == "seat":
        return f"{game.words.own('seat')} {value + 1}"
    if value < FIRST_THING:
        return str(value)
    thing = game.world.thing(value)
    shown = game.words.show(value, Kind("thing", thing.kind))
    return f"{thing.kind.replace('_', ' ')} {shown}" if shown.isdigit() else shown


def _revealed(game: Game, item: Item, name: str, places: Sequence[int]) -> str:
    """`stall 1: seat 1 two, seat 2 none; stall 2: …`"""
    member = member_called(game, name)
    told: dict[str, list[str]] = {}
    for place, content in zip(places, item["values"].values(), strict=False):
        words = [_owner_words(game, member, value, number) for number, value in enumerate(index_of(member, place))]
        shown = _content_words(game, member, place, content)
        if shown:
            told.setdefault(words[0] if len(words) > 1 else "", []).append(
                f"{shown} ({' '.join(words[-1:])})" if words else shown
            )
    return "; ".join(f"{head}: {', '.join(rest)}" if head else ", ".join(rest) for head, rest in told.items())


def _content_words(game: Game, member: Member, place: int, content: object) -> str:
    if not isinstance(content, dict):
        return str(content).replace("_", " ")
    shown = []
    for column in range(member.width):
        sort = game.layout.sort_at[place + column]
        name = game.world.name_of(sort, Kind("sort"))
        if name in content:
            number = content[name]
            shown.append(f"{number if number != 1 else ''} {game.words.show(sort, Kind('sort'))}".strip())
    return ", ".join(dict.fromkeys(shown))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the story, and the numbers of the events it tells of. `seat`: who has answered, where that is what it tells; `head`: how it
    begins then."""

    words: str
    first: int
    last: int
    seat: int = 0
    head: str = ""

    def by_name(self, names: Mapping[int, str]) -> str:
        """Who has a name is called by it."""
        name = names.get(self.seat)
        return f"{name}: {self.words.removeprefix(self.head)}" if name else self.words


def lines(game: Game, items: Sequence[Item], scores: bool = True) -> list[Line]:
    """Events in words; what belongs together stands in one line."""
    found: list[Line] = []
    at = 0
    while at < len(items):
        until = at + 1
        while until < len(items) and _together(items[at], items[until]):
            until += 1
        words = _words(game, items[at:until], scores)
        if words:
            seat = items[at]["seat"] if items[at]["event"] == "decision" else 0
            found.append(Line(words, items[at]["number"], items[until - 1]["number"], seat, _head(game, seat) if seat else ""))
        at = until
    return found


def _together(first: Item, item: Item) -> bool:
    if item["event"] != first["event"]:
        return False
    match first["event"]:
        case "decision":
            return bool(item["seat"] == first["seat"])
        case "chance":
            return (item["what"], item.get("to")) == (first["what"], first.get("to"))
        case "score":
            return bool(item["seat"] == first["seat"])
        case _:
            return False


def _head(game: Game, seat: int) -> str:
    return f"{game.words.own('seat')} {seat}: "


def only_possible(items: Sequence[Item], seat: int | None) -> list[str]:
    """What was done for a seat behind its last answer, since there was nothing else that it could do."""
    found: list[str] = []
    for item in reversed(items):
        if item["event"] == "decision":
            if item["seat"] != seat or not item.get("forced"):
                break
            if "prompt" not in item and (words := _answer(item)):
                found.append(words)
    return found[::-1]


def _words(game: Game, items: Sequence[Item], scores: bool) -> str:
    first = items[0]
    match first["event"]:
        case "decision":
            said = [words for words in map(_answer, _lots_whole(game, items)) if words]
            return _head(game, first["seat"]) + "; ".join(said) if said else ""
        case "chance":
            return _chance(game, first, _counted([str(item.get("words", item["key"].partition("/")[2])) for item in items]))
        case "reveal":
            shown = first.get("words") or ", ".join(f"{game.words.own('seat')} {seat} {value}" for seat, value in first["values"].items())
            what = str(first["what"]).split(".")[-1]
            return game.words.own("revealed {what}: {shown}", what=game.text(f"name.{what}") or what.replace("_", " "), shown=shown)
        case "score":
            told = ", ".join(f"{item['what']} {item['value']}" for item in items)
            return f"{game.words.own('seat')} {first['seat']} scores: {told}" if scores else ""
        case "tell":
            return str(first["words"])
        case "moved" | "paid" | "set":
            return effect_words(game, first)
        case "end":
            return game.words.own("the game is over") + ending_words(game, first["ending"])
        case _:
            return f"{first['event']}: {first.get('key', first.get('what', ''))}"


def ending_words(game: Game, ending: object) -> str:
    title = in_language(game.box.endings.get(str(ending), {}), game.lang)
    return f": {title}" if title else ""


def _answer(item: Item) -> str:
    """The label, after its question if it is no menu. Having had no choice but to stop says nothing, nor has a tie of one."""
    if item.get("forced") and (item.get("ends") or item.get("settled")):
        return ""
    label = str(item.get("label", item["key"]))
    return f"{item['prompt']} {label}" if item.get("prompt") else label


def _lots_whole(game: Game, items: Sequence[Item]) -> list[Item]:
    """What was answered sort by sort is told at once: `What do you give? 2 × tea, 1 × rice`."""
    found: list[Item] = []
    nothing = game.words.own("nothing")
    for item in items:
        before = found[-1] if found else {}
        if "lot" not in item or "prompt" not in item:
            found.append(item)
        elif item["prompt"] != before.get("prompt"):
            found.append(item if item["lot"] else {**item, "label": nothing})
        elif item["lot"]:
            earlier = "" if before["label"] == nothing else f"{before['label']}, "
            found[-1] = {**before, "label": earlier + item["label"]}
    return found


def _chance(game: Game, item: Item, words: str) -> str:
    what = game.words.own("drawn") if item["what"] == "draw" else game.text(f"name.{item['what']}") or str(item["what"]).replace("_", " ")
    return f"{what}: {words}" + (f" → {item['to']}" if item.get("to") else "")


def _counted(words: list[str]) -> str:
    """`2 reds, blue`: what comes several times is counted, in the order in which it came first."""
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return ", ".join(f"{number} × {word}" if number > 1 else word for word, number in counts.items())
