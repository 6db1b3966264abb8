"""The merged rules, sorted by what readers look for: what stands for a name in the end, and what is added to it from where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ichiba.dsl.program.sentences import key_of, only_policies, sentences
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import Kind
from ichiba.table.scene.frame import ENGLISH
from ichiba.table.scene.spelling import Speller

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Said = t.Procedure | t.Value | t.ValueCase | t.Guard | t.CostRule


@dataclass(frozen=True, slots=True)
class Own:
    """A rule with whose it is: a module's, a board's, for a kind of things."""

    item: Said | t.Rule | t.Option | t.Scoring | t.Ranking | t.Window
    home: str = ""
    board: str = ""
    kind: str = ""
    replaced: bool = False  # it stands in place of the game's own
    path: str = ""  # of an option: its menu

    @property
    def key(self) -> str:
        """By which other languages say its sentence."""
        return key_of(self.item, self.home, self.board, self.kind, self.path)


@dataclass(slots=True)
class Gathered:
    """Everything there is, by name."""

    procedures: dict[str, Own] = field(default_factory=dict)
    values: dict[str, Own] = field(default_factory=dict)
    extended: dict[str, list[Own]] = field(default_factory=lambda: defaultdict(list))  # values that others only add to
    guards: dict[str, Own] = field(default_factory=dict)
    costs: dict[str, t.CostRule] = field(default_factory=dict)
    menus: dict[str, list[Own]] = field(default_factory=lambda: defaultdict(list))  # by the last name of their path
    prompts: dict[str, t.Text] = field(default_factory=dict)
    windows: dict[str, t.Window] = field(default_factory=dict)
    moments: dict[tuple[str, str], list[Own]] = field(default_factory=lambda: defaultdict(list))  # before, after, instead of what
    triggers: list[Own] = field(default_factory=list)  # whenever
    restricted: dict[str, list[tuple[t.Restrict, str]]] = field(default_factory=lambda: defaultdict(list))
    of_board: dict[str, list[Own]] = field(default_factory=lambda: defaultdict(list))
    setups: list[tuple[str, Own]] = field(default_factory=list)  # of kinds of things
    scoring: list[Own] = field(default_factory=list)
    ranking: Own | None = None
    asked: set[str] = field(default_factory=set)  # values and guards that rules ask for, not only players without a head
    removed: set[str] = field(default_factory=set)
    nested: dict[int, str] = field(default_factory=dict)  # keys of the sentences further down in rules, by these


def gathered(game: Game) -> Gathered:
    """All rules of a game as they are merged, without those about something that only a module which is off would bring."""
    found = Gathered()
    there = {(span.source.path, span.start) for _, _, span in game.program.provenance}
    for text in game.box.rules:
        for item in text.items if not only_policies(text.items) else ():
            if _comes(item, there):
                _sort_in(found, item, text.home, text.board)
    for key, sentence, _ in sentences(game.box):
        if sentence is not None:
            found.nested[id(sentence)] = key
    found.asked = _asked(game, there)
    for name in found.removed:
        for menu in found.menus.values():
            menu[:] = [own for own in menu if f"{own.path}.{_option(own).name}" != name and _option(own).name != name]
    return found


def _comes(item: t.Item, there: set[tuple[str, int]]) -> bool:
    """Whether the moment of a rule ever comes: before, after or instead of what is there."""
    return not isinstance(item, t.Rule) or (item.span.source.path, item.span.start) in there


def _asked(game: Game, there: set[tuple[str, int]]) -> set[str]:
    """The names that rules mention, and those that the values among them mention."""
    worked_out: dict[str, set[str]] = defaultdict(set)
    reached: set[str] = set()
    for text in game.box.rules:
        for item in text.items:
            if not _comes(item, there):
                continue
            inner = item.item if isinstance(item, t.Replace) else item
            for one in inner.members if isinstance(inner, t.Kind) else (inner,):
                if isinstance(one, t.Value | t.ValueCase | t.Guard):
                    worked_out[one.name] |= _mentioned(one)
                elif not isinstance(one, t.Policy):
                    reached |= _mentioned(one)
    waiting = reached
    while waiting:
        waiting = set().union(*(worked_out.get(name, ()) for name in sorted(waiting))) - reached
        reached |= waiting
    return reached


def _mentioned(item: object) -> set[str]:
    return {node.name for node in t.walk(item) if isinstance(node, t.Name | t.Member | t.Of)}


def _option(own: Own) -> t.Option:
    assert isinstance(own.item, t.Option)
    return own.item


def _sort_in(found: Gathered, item: t.Item, home: str, board: str) -> None:
    match item:
        case t.Replace(item=t.Ranking() as inner):
            found.ranking = Own(inner, home, board, replaced=True)
        case t.Replace(item=t.Procedure() | t.Value() | t.ValueCase() | t.Guard() | t.CostRule() as inner):
            _declared(found, inner, Own(inner, home, board, replaced=True))
        case t.Procedure() | t.Value() | t.ValueCase() | t.Guard() | t.CostRule():
            _declared(found, item, Own(item, home, board))
        case t.Kind(name=kind, members=members):
            for member in members:
                if isinstance(member, t.Procedure) and member.main:
                    found.setups.append((kind, Own(member, home, board, kind)))
                elif isinstance(member, t.Procedure | t.Value | t.Guard):
                    _declared(found, member, Own(member, home, board, kind))
        case t.MenuItem(path=path, kind=kind, body=body):
            _options(found, path, body, home, board, kind or "")
        case t.Window(name=name, body=body, added=added):
            if not added:
                found.windows[name] = item
            _options(found, name, body, home, board)
        case t.ReplaceOption(path=path, option=option):
            _replace_option(found, path, option, home, board)
        case t.Restrict(path=path):
            found.restricted[path].append((item, home))
        case t.Remove(path=path):
            found.removed.add(path)
        case t.Rule(moment=moment) if moment.path is not None:
            _menus_within(found, item, home, board)
            found.moments[moment.what, moment.path].append(Own(item, home, board))
        case t.Rule():
            _menus_within(found, item, home, board)
            found.triggers.append(Own(item, home, board))
        case t.Scoring():
            found.scoring.append(Own(item, home, board))
        case t.Ranking():
            found.ranking = Own(item, home, board)
        case _:
            pass  # what is declared, promised or preferred is no rule of play
    if board and isinstance(item, t.Rule | t.Procedure | t.Value | t.ValueCase):
        found.of_board[board].append(Own(item, home, board))
    elif board and isinstance(item, t.Replace) and not isinstance(item.item, t.Ranking):
        found.of_board[board].append(Own(item.item, home, board, replaced=True))


def _declared(found: Gathered, item: Said, own: Own) -> None:
    """What a board declares under a name that there is already is said for that board alone."""
    match item:
        case t.Procedure(name=name):
            place = found.procedures
        case t.Value(name=name) | t.ValueCase(name=name):
            place = found.values
        case t.Guard(name=name):
            place = found.guards
        case t.CostRule(name=name):
            found.costs[name] = item
            return
    if isinstance(item, t.Procedure) and item.main and own.board:
        return
    if name in place and place[name].replaced and not own.replaced:  # by a module that comes before the one whose it is
        if isinstance(item, t.Value) and not own.board and "original" in _mentioned(place[name].item):
            found.extended[name].append(own)
    elif name not in place or not own.board:
        if isinstance(item, t.Value) and own.replaced and name in found.values and "original" in _mentioned(item):
            found.extended[name].append(found.values[name])
        place[name] = own
    _menus_within(found, item, own.home, own.board)


def _menus_within(found: Gathered, item: t.Item, home: str, board: str) -> None:
    """Those that a rule asks in its own words."""
    for node in t.walk(item):
        if isinstance(node, t.Menu) and node.body is not None:
            _options(found, _path(node.path), node.body, home, board)


def _options(found: Gathered, path: str, body: t.MenuBlock, home: str, board: str, kind: str = "") -> None:
    name = path.rpartition(".")[2]
    if body.doc is not None:
        found.prompts.setdefault(name, body.doc)
    found.menus[name] += [Own(option, home, board, kind, path=path) for option in body.options]
    for option in body.options:
        for node in t.walk(option.body):
            if isinstance(node, t.Menu) and node.body is not None:
                _options(found, _path(node.path), node.body, home, board)


def _replace_option(found: Gathered, path: str, option: t.Option, home: str, board: str) -> None:
    menu, _, name = path.rpartition(".")
    listed = found.menus[menu.rpartition(".")[2]]
    for at, own in enumerate(listed):
        if _option(own).name == name:
            listed[at] = Own(option, home, board, replaced=True, path=own.path)
            return
    listed.append(Own(option, home, board, replaced=True, path=menu))


def _path(path: t.Expr) -> str:
    return path.name if isinstance(path, t.Name | t.Member) else " ".join(path.span.text.split())


def menu_name(menu: t.Menu) -> str:
    """By which its options are gathered."""
    return _path(menu.path).rpartition(".")[2]


class Binders:
    """What the names in an option range over, in words: `g` is the good, `s` the player."""

    def __init__(self, game: Game, speller: Speller):
        self.game, self.speller = game, speller
        self.kinds: dict[tuple[str, int], dict[str, Kind]] = {}
        self.tests: dict[tuple[str, int], set[tuple[str, int]]] = {}  # where all that an option requires is written
        self.player = "player" if game.lang == "en" else game.text("name.seat") or "player"
        self.singular = {plural(name): self.kind(name) for name in (*game.world.kinds, *game.world.categories)}
        for procedure in game.program.procedures:
            for step in steps(procedure.body) if procedure.body is not None else ():
                if isinstance(step, ir.Option) and step.span is not None:
                    place = step.span.source.path, step.span.line
                    self.kinds[place] = {bind.var.name: bind.var.kind for bind in step.binds}
                    self.tests.setdefault(place, set()).update((one.span.source.path, one.span.start) for one in step.tests if one.span is not None)

    def of_option(self, option: t.Option) -> dict[str, str]:
        kinds = self.kinds.get((option.span.source.path, option.span.line), {})
        return self._named({binder.name: self._narrowed(binder) or self._called(kinds.get(binder.name), binder) for binder in option.binders})

    def _narrowed(self, binder: t.Binder) -> str:
        """`licence`, of `p in my.papers where p is licence and …`."""
        where = binder.where
        for test in where.args if isinstance(where, t.Operation) and where.op == "and" else (where,):
            match test:
                case t.IsA(what=t.Name(name=what), kind=t.Name(name=kind), negated=False) if what == binder.name and kind in self.game.world.kinds:
                    return self.kind(kind)
        return ""

    def of_params(self, params: tuple[t.Param, ...] | None) -> dict[str, str]:
        kinds = ((one.name, one.type.name if one.type is not None else one.name) for one in params or ())
        return self._named({name: self.player if kind == "seat" else self.kind(kind) for name, kind in kinds})

    def of_binder(self, name: str, domain: t.Expr | None = None) -> dict[str, str]:
        if domain is not None and _is_seats(domain):
            return {name: self.player}
        named = domain.name if isinstance(domain, t.Name) else ""
        return {name: self.singular.get(named) or self._lying(domain) or name.replace("_", " ")}

    def _lying(self, domain: t.Expr | None) -> str:
        """What lies in one of everybody's zones, where that is all of one family."""
        zone = self.game.world.seat.get(domain.name) if isinstance(domain, t.Member) else None
        families = sorted({self.game.world.sorts[sort].family for sort in zone.sorts}) if zone is not None else []
        return self.kind(families[0]) if len(families) == 1 else ""

    def _called(self, kind: Kind | None, binder: t.Binder) -> str:
        if _is_seats(binder.domain) or kind is not None and kind.form == "seat":
            return self.player
        if kind is None and isinstance(binder.domain, t.Name) and binder.domain.name in self.singular:
            return self.singular[binder.domain.name]
        if kind is None or kind.form == "number":
            return binder.name if len(binder.name) == 1 else binder.name.replace("_", " ")
        return self.kind(kind.name) if kind.name else binder.name

    def kind(self, name: str) -> str:
        """One thing of a kind. In English its name in the rules: what a screen calls them is often said of several."""
        return name.replace("_", " ") if self.game.lang == "en" else self.speller.name(name)

    def _named(self, found: dict[str, str]) -> dict[str, str]:
        """Two of one kind go by their own names; those of them that have no more than a letter get it, but for one alone."""
        told = list(found.values())
        if self.game.lang != ENGLISH:  # names in the rules are English
            return {name: self.game.text(f"name.{name}") or words for name, words in found.items()}
        unnamed = [words for name, words in found.items() if len(name) <= 2]
        return {
            name: words if told.count(words) == 1 or len(name) <= 2 and unnamed.count(words) == 1
            else name.replace("_", " ") if len(name) > 2 else f"{words} {name.upper()}"
            for name, words in found.items()
        }  # fmt: skip


def _is_seats(domain: t.Expr) -> bool:
    return isinstance(domain, t.Name) and domain.name in ("others", "seats")


def own_rules(found: Gathered) -> Iterator[Own]:
    """Every rule with a moment of its own."""
    for rules in found.moments.values():
        yield from rules
    yield from found.triggers
