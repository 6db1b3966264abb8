"""A game of any ruleset, played by reading its rules: set up, asked, answered, looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ichiba.dsl.parts import parts_of
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.yaml.memory import Memory
from tests.reference.box import World, read
from tests.reference.decisions import Asking, Choice, Further, Question
from tests.reference.env import Env
from tests.reference.modules import Rules
from tests.reference.settled import without_what_is_ruled_out
from tests.reference.trees import nodes
from tests.reference.values import Amount, Items, Piece, RulesWrong, Several, Sorts, Value, Zones, bare
from tests.reference.views import Views
from tests.reference.world import Member, Seat, Sort, Thing, Zone


@dataclass(frozen=True)
class Chance:
    """A chance event that has happened: which of these, each as often as it is likely."""

    what: str
    keys: tuple[str, ...]
    place: int


@dataclass(frozen=True)
class Setup:
    """What is the same in every game: all there is, all rules, and the names that modules would bring that are off."""

    world: World
    rules: Rules
    absent: frozenset[str]
    noted: dict[str, Any] = field(default_factory=dict)  # what was found out by reading the rules, for all games

    def once(self, what: str, find: Callable[[], Any]) -> Any:
        if what not in self.noted:
            self.noted[what] = find()
        return self.noted[what]


def set_up(
    folder: Path,
    seats: int,
    parts: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    assumptions: Mapping[str, Any] | None = None,
    memory: Memory | None = None,
) -> Setup:
    """A ruleset as it was chosen: these seats, modules and variants, options, and what is assumed otherwise."""
    world = World(read(folder, tuple(parts), memory), seats, options, assumptions)
    without_what_is_ruled_out(world)
    return Setup(world, Rules(world), absent_names(folder, parts))


class ChanceWrong(Exception):
    """A chance event that could not have happened, or not so."""


class NoChanceLeft(Exception):
    """The rules draw something, and nothing has been drawn."""


class Game(Views):
    """One running game. Chance is told to it: it says what could have happened, and draws nothing itself."""

    def __init__(self, setup: Setup):
        super().__init__(setup.world, setup.rules, setup.absent)
        self.setup = setup
        self.events: list[Chance] = []
        self.known = {}
        self.methods: dict[type, Callable[[Any, Env], Value]] = {}
        self._names_in = setup.once("names in", dict)
        self._of_that_name = setup.once("of that name", dict)
        self.log: list[dict[str, Any]] = []
        self.opened: dict[Any, Any] = {}
        self.covered, self.laid_open, self.running_block = {}, set(), None
        self.doing: dict[Seat, dict[Any, Any]] = {}
        self.asking: Asking = {}
        self.over = False
        self._tells, self._named = setup.once("tells", dict), setup.once("named", dict)
        self._whole, self._come_up = setup.once("whole", dict), setup.once("come up", dict)
        self._items, self._blocks = setup.once("items", dict), setup.once("blocks", dict)
        self._calls, self._aside = setup.once("calls", dict), setup.once("set aside", dict)
        self._hidden = setup.once("hidden", self.hidden_names)
        self.ever_revealed = setup.once("revealed", self.all_revealed)
        self.resetting = setup.once("resetting", self.all_resets)
        self.looked_at = setup.once("looked at", self.all_watched)
        self.waking = []
        self.lay_out()
        self.course = self.whole_game()

    # ------------------------------------------------------------------------------------- from outside

    def begin(self, events: Sequence[Chance]) -> None:
        self.on(lambda: next(self.course), events)

    def answer(self, seat: Seat, place: int, events: Sequence[Chance]) -> None:
        """A seat gives one of its answers, by its place; these chance events follow."""
        if not self.asking[seat].choices[place].waits:  # nobody hears of that
            self.opened = {}
        self.on(lambda: self.course.send((seat, place)), events)

    def on(self, move: Callable[[], Asking], events: Sequence[Chance]) -> None:
        self.events = list(events)
        try:
            self.asking = move()
        except StopIteration:
            self.asking, self.over = {}, True
        if self.events:
            raise ChanceWrong(f"nothing draws {self.events[0]}")

    def whole_game(self) -> Any:
        """What is drawn before the game, the setup, the game, and what it was worth."""
        for name, value in self.world.options.items():
            if value == "random":
                seat = self.world.seats[self.chance(self.world.seats, [1] * len(self.world.seats), name, None)]
                self.state.set(("option", name), seat)
        self.quiet += 1
        yield from self.main("setup")
        self.quiet -= 1
        self.all_look()
        yield from self.main("play")
        yield from self.scoring()

    def main(self, name: str) -> Any:
        definition = self.rules.definitions.get(name)
        if definition is not None:
            yield from self.perform(definition, Env(), None, ())

    def scoring(self) -> Any:
        """Every file's lines, a board's only while it is in play; rules before and after it."""
        hooks = self.rules.hooks.get("scoring", [])
        yield from self.around(hooks, "before", Env(), None, [])

        def lines() -> Any:
            for item, board in self.rules.scorings:
                if not board or self.in_play(board):
                    env = Env(None, self.things_named[board][0] if board else None, board)
                    yield from self.run(item.body, env)

        course: Callable[[], Any] = lines
        for hook in hooks:
            if hook.rule.moment.what == "instead_of":
                course = self.instead(hook, self.hook_env(hook, Env(), None, []), course)
        yield from course()
        yield from self.around(hooks, "after", Env(), None, [])

    # ------------------------------------------------------------------------------------------ at first

    def lay_out(self) -> None:
        """Every place has its first value, every piece lies where it begins."""
        cells = self.state.cells
        for owners, members in self.owned():
            for member in members.values():
                if member.form == "zone":
                    continue
                first = self.world.first_value(member)
                for owner in owners:
                    for at in self.all_indexes(member):
                        cells[member, owner, at] = first
        for seat in self.world.seats:
            cells["score", seat] = 0
        for unit in self.world.units:
            cells["paid", unit] = 0
        cells["ending"] = None
        for _, entry, address in self.all_options():
            if entry.once_per is not None:
                cells["once", address] = False
        for place, thing in enumerate(x for x in self.world.things if x.sort is not None):
            cells[thing, "place"], cells[thing, "rank"] = None, place
        for sort in self.world.sorts:
            zone = self.home(sort)
            if zone is None or not sort.number:
                continue
            if not sort.individual:
                cells[zone, sort] = sort.number
                continue
            for thing in self.world.things:
                if thing.sort is sort:
                    cells[thing, "place"] = zone
                    cells[zone, "things"] = (*cells.get((zone, "things"), ()), thing)

    def owned(self) -> list[tuple[list[Any], dict[str, Member]]]:
        """Who has which members."""
        found: list[tuple[list[Any], dict[str, Member]]] = []
        for owner, members in self.placed.items():
            if owner == "seat":
                found.append((list(self.world.seats), members))
            elif owner == "table":
                found.append(([self.world.table], members))
            elif owner.startswith("board "):
                found.append(([x for x in self.world.things if x.is_board and f"board {x.name}" == owner], members))
            elif owner in self.world.kinds:
                found.append((list(self.world.kinds[owner].things), members))
        return found

    def is_spent(self, member: Member, owner: Any) -> bool:
        """A purse of a rule with nothing in it."""
        return member.promise and not bare(self.state.cells.get((member, owner, ()), 0))

    def home(self, sort: Sort) -> Zone | None:
        """Where pieces of a sort begin: in the zone that is said, of their seat or the table, else in `box`."""
        name = self.world.starts.get(sort)
        if name is not None and sort.owner is not None and name in self.placed["seat"]:
            return self.zone(self.placed["seat"][name], sort.owner, ())
        for candidate in (name, "box"):
            member = self.placed["table"].get(candidate or "")
            if member is not None and member.form == "zone":
                zone = self.zone(member, self.world.table, ())
                if sort in self.held(zone):
                    return zone
        return None

    def all_options(self) -> list[tuple[str, t.Option, str]]:
        """Every option that is written anywhere, and its address."""
        found = []
        for name, entries in self.rules.menus.items():
            found += [(name, e.option, f"{name}.{e.option.name}") for e in entries]
        for name, window in self.rules.windows.items():
            found += [(name, e.option, f"{name}.{e.option.name}") for e in window.options]
        for rules in self.world.box.rules:
            for node in nodes(rules.items):
                if isinstance(node, t.Menu | t.Race) and node.body is not None:
                    path = node.path if isinstance(node, t.Menu) else node.menu
                    name = path if isinstance(path, str) else path.name if isinstance(path, t.Name | t.Member) else ""
                    found += [(name, option, f"{name}.{option.name}") for option in node.body.options]
        for address, (option, _) in self.rules.replaced_options.items():
            found.append((address, option, address))
        return found

    def all_resets(self) -> dict[str, list[tuple[Any, Value]]]:
        """By procedure or menu: the places that begin anew with it."""
        found: dict[str, list[tuple[Any, Value]]] = {}
        for owners, members in self.owned():
            for member in members.values():
                word = member.words.get("resets")
                if word is not None and word.name is not None:
                    first = self.world.first_value(member)
                    its = found.setdefault(word.name, [])
                    its += [((member, owner, at), first) for owner in owners for at in self.all_indexes(member)]
        for _, option, address in self.all_options():
            if option.once_per is not None:
                found.setdefault(option.once_per, []).append((("once", address), False))
        return found

    def all_revealed(self) -> set[str]:
        """The last words of all that some rule reveals."""
        found = set()
        for rules in self.world.box.rules:
            for node in nodes(rules.items):
                if isinstance(node, t.Reveal):
                    for inner in nodes(node.place):
                        if isinstance(inner, t.Name | t.Member | t.Of):
                            found.add(inner.name)
        return found

    # ------------------------------------------------------------------------------------------- chance

    def chance(self, values: Sequence[Value], weights: Sequence[int], what: str, target: Zone | None) -> int:
        """Which of these it was. It must have been possible, and as likely as the rules say."""
        if self.state.trying:
            raise Further
        if not self.events:
            raise NoChanceLeft(what)
        event = self.events.pop(0)
        keys = tuple(map(self.spelled, values))
        whole = [place for place, n in enumerate(weights) for _ in range(n)]
        if (event.what, event.keys) != (what, tuple(keys[place] for place in whole)):
            raise ChanceWrong(f"{event}, but the rules draw {what} of {list(zip(keys, weights))}")
        place = whole[event.place]
        if what == "first":  # who is asked next is told when it has answered
            return place
        if target is None:
            target = self.picked_from(values[place])
        self.log.append(
            {"event": "chance", "what": what, "key": f"{what}/{keys[place]}", "audience": self.audience(target)}
        )
        return place

    def picked_from(self, value: Value) -> Zone | None:
        """The zone of a piece that is picked where it lies."""
        if isinstance(value, Piece):
            return value.zone
        return self.place_of(value) if isinstance(value, Thing) and value.sort is not None else None

    # ---------------------------------------------------------------------------------------- the result

    @property
    def scores(self) -> dict[int, int]:
        return {seat.number: int(self.state.get(("score", seat))) for seat in self.world.seats}

    @property
    def ranking(self) -> list[list[int]]:
        """Places from the first; seats that tie share one."""
        if self.rules.ranking is None:
            return [[seat.number for seat in self.world.seats]]
        rated = {}
        for seat in self.world.seats:
            env = Env(seat)
            env.names["total"] = int(self.state.get(("score", seat)))
            values = [(bare(self.single(self.ev(k.key, env))), k.direction) for k in self.rules.ranking.keys]
            rated[seat.number] = tuple(-value if way == "highest" else value for value, way in values)
        return [[seat for seat in rated if rated[seat] == key] for key in sorted(set(rated.values()))]

    @property
    def ending(self) -> str | None:
        return (self.state.get("ending") or "end") if self.over else None


def absent_names(folder: Path, parts: Sequence[str]) -> frozenset[str]:
    """What modules that are switched off are called, and their boards."""
    found: set[str] = set()
    for name, part in parts_of(folder).items():
        if name not in parts:
            found |= {name, *(path.stem for path in (part.path.parent / "boards").rglob("*.yaml") if part.path.parent.name == name)}
    return frozenset(found)


__all__ = ["Amount", "Chance", "ChanceWrong", "Choice", "Game", "Items", "NoChanceLeft", "Question", "RulesWrong", "Several", "Sorts", "Zones"]
