"""The rules of all files put together by name: what is defined, added, replaced, restricted and removed, and by whom.

The game comes first, then its boards, then each module with its boards, then the library; whoever stands first is told
first. A replacement holds instead of what it replaces, and knows that as its `original`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ichiba.dsl.syntax import tree as t
from ichiba.dsl.yaml.declarations import RulesText
from tests.reference.box import World


@dataclass(eq=False)
class Definition:
    """A value, guard, procedure or cost by its name, with what single boards and sorts say instead."""

    name: str
    what: str
    item: Any
    board: str = ""  # in whose file it stands
    kind: str = ""  # the kind whose member it is
    boards: dict[str, Definition] = field(default_factory=dict)
    sorts: list[tuple[t.ValueCase, str]] = field(default_factory=list)
    original: Definition | None = None
    replaced: bool = False

    @property
    def params(self) -> tuple[t.Param, ...]:
        return self.item.params or ()


@dataclass(frozen=True)
class Entry:
    """An option in a menu or window, and the board in whose file it stands, if that must be in play for it."""

    option: t.Option
    board: str


@dataclass
class WindowEntry:
    during: str | None
    when: t.Expr | None
    options: list[Entry]


@dataclass(frozen=True)
class Hook:
    """A rule that watches, and the board in whose file it stands."""

    rule: t.Rule
    board: str


WHAT = {t.Value: "value", t.Guard: "guard", t.CostRule: "cost"}


def what_of(item: object) -> str:
    if isinstance(item, t.Procedure):
        return "procedure"
    return WHAT[type(item)]


class Rules:
    """Everything that the rules of a game say, by name."""

    def __init__(self, world: World):
        self.world = world
        self.definitions: dict[str, Definition] = {}
        self.members: dict[tuple[str, str], Definition] = {}  # by kind and name
        self.menus: dict[str, list[Entry]] = {}  # by `actions`, `fish_market.visit`, `eel.visit`
        self.docs: dict[str, t.Text] = {}
        self.windows: dict[str, WindowEntry] = {}
        self.hooks: dict[str, list[Hook]] = {}
        self.watchers: list[Hook] = []
        self.restricts: dict[str, list[tuple[t.Restrict, str]]] = {}
        self.replaced_options: dict[str, tuple[t.Option, str]] = {}
        self.removed: set[tuple[str, str]] = set()
        self.scorings: list[tuple[t.Scoring, str]] = []
        self.ranking: t.Ranking | None = None
        self.invariants: list[tuple[t.Invariant, str]] = []
        for text in world.box.rules:
            for item in text.items:
                self.define(item, text)
        for text in world.box.rules:
            for item in text.items:
                self.edit(item, text)
        self.order_hooks()
        for what, path in self.removed:
            places: dict[str, dict[str, Any]] = {"value": self.definitions, "window": self.windows, "menu": self.menus}
            if what in places:
                places[what].pop(path, None)
        self.watchers = [hook for hook in self.watchers if ("rule", hook.rule.name) not in self.removed]

    # ------------------------------------------------------------------------------------------- definitions

    def define(self, item: t.Item, text: RulesText) -> None:
        match item:
            case t.Procedure(name="setup") if text.board:
                self.board_setup(item, text.board)
            case t.Value() | t.Guard() | t.Procedure() | t.CostRule():
                self.definitions[item.name] = Definition(item.name, what_of(item), item, text.board)
            case t.Kind(name=kind, members=members):
                self.define_members(kind, members)
            case t.Scope(what="board", members=members):
                for member in members:
                    if isinstance(member, t.Procedure) and member.name == "setup":
                        self.board_setup(member, text.board)
                self.define_members(f"board {text.board}", members)
            case t.Window(added=False):
                entries = [Entry(option, text.board) for option in item.body.options]
                self.windows[item.name] = WindowEntry(item.during, item.when, entries)
            case _:
                pass

    def define_members(self, kind: str, members: tuple[t.MemberItem, ...]) -> None:
        for member in members:
            if isinstance(member, t.Value | t.Guard | t.Procedure) and not (
                kind.startswith("board ") and member.name == "setup"
            ):
                self.members[kind, member.name] = Definition(member.name, what_of(member), member, "", kind)

    def kind_of(self, board: str) -> str:
        return next(b.kind for b in self.world.box.boards if b.name == board)

    def member_of(self, kind: str, name: str) -> Definition | None:
        """What things of a kind have under a name: their own, or what they have from what they are a kind of."""
        while kind:
            if (kind, name) in self.members:
                return self.members[kind, name]
            kind = self.world.kinds[kind].parent if kind in self.world.kinds else ""
        return None

    def board_setup(self, item: t.Procedure, board: str) -> None:
        """A board's own `setup:` holds instead of what its kind says; that is its `original`."""
        member = self.member_of(self.kind_of(board), "setup")
        if member is None:
            nothing = t.Procedure(item.span, "setup", None, (), t.Block(item.span, None, ()), main=True)
            kind = self.kind_of(board)
            member = self.members[kind, "setup"] = Definition("setup", "procedure", nothing, "", kind)
        member.boards[board] = Definition("setup", "procedure", item, board, member.kind, original=for_all(member))

    # ------------------------------------------------------------------------------------------------- edits

    def edit(self, item: t.Item, text: RulesText) -> None:
        match item:
            case t.Replace():
                self.replace(item, text.board)
            case t.ValueCase():
                self.case_of(item, text.board, replace=False)
            case t.MenuItem():
                self.add_to_menu(item, text.board)
            case t.Window(added=True) if item.name in self.windows:
                self.windows[item.name].options.extend(Entry(option, text.board) for option in item.body.options)
            case t.Rule():
                self.rule(item, text.board)
            case t.ReplaceOption():
                self.replaced_options[self.address(item.path, text.board)] = (item.option, text.board)
            case t.Restrict():
                self.restricts.setdefault(self.address(item.path, text.board), []).append((item, text.board))
            case t.Remove():
                path = self.address(item.path, text.board) if item.what == "option" else item.path
                self.removed.add((item.what, path))
            case t.Scoring():
                self.scorings.append((item, text.board))
            case t.Ranking():
                self.ranking = item
            case t.Invariant():
                self.invariants.append((item, text.board))
            case _:
                pass

    def replace(self, edit: t.Replace, board: str) -> None:
        """In a board's file a member of its kind is replaced for that board alone."""
        new = edit.item
        if isinstance(new, t.Ranking):
            self.ranking = new
        elif isinstance(new, t.ValueCase):
            self.case_of(new, board, replace=True)
        else:
            member = self.member_of(self.kind_of(board), new.name) if board else None
            if member is not None:
                old = member.boards.get(board) or for_all(member)
                member.boards[board] = Definition(new.name, member.what, new, board, member.kind, original=old)
                return
            owner = next((key for key in self.members if key[1] == new.name), None)
            if new.name in self.definitions:
                old = self.definitions[new.name]
                made = Definition(new.name, old.what, new, board, sorts=old.sorts, original=old)
                self.definitions[new.name] = made
            elif owner is not None:
                old = self.members[owner]
                self.members[owner] = Definition(new.name, old.what, new, "", old.kind, dict(old.boards), original=old)
            else:  # a module that is off would bring it
                return
            old.replaced = True

    def case_of(self, item: t.ValueCase, board: str, replace: bool) -> None:
        """`value worth of n eel`: what holds for one sort, or for one side of it."""
        if item.name not in self.definitions:  # a module that is off would bring it
            return
        cases = self.definitions[item.name].sorts
        if replace:
            cases[:] = [case for case in cases if (case[0].sort, case[0].side) != (item.sort, item.side)]
        cases.append((item, board))

    def has_menu(self, kind: str, name: str) -> bool:
        return any(name in self.world.kinds[k].menus for k in self.world.kinds if self.world.is_kind(kind, k))

    def address(self, path: str, board: str) -> str:
        """The menu an option stands in, and its name. In a board's file `visit.sell` is the board's own."""
        head = path.split(".")[0]
        own = board and path.count(".") == 1 and self.has_menu(self.kind_of(board), head)
        return f"{board}.{path}" if own else path

    def add_to_menu(self, item: t.MenuItem, board: str) -> None:
        """`menu visit of shop:` for all shops, in a board's file `menu visit:` for this board, else by its name."""
        key = item.path
        if item.kind is not None:
            key = f"{item.kind}.{item.path}"
        elif board and "." not in item.path and self.has_menu(self.kind_of(board), item.path):
            key = f"{board}.{item.path}"
        entries = self.menus.setdefault(key, [])
        if item.body.doc is not None:
            self.docs.setdefault(key, item.body.doc)
        entries.extend(Entry(option, board if key == item.path else "") for option in item.body.options)

    def rule(self, rule: t.Rule, board: str) -> None:
        """Before, after or instead of what has a name, a procedure rather than an option; or watching a condition."""
        hook, path = Hook(rule, board), rule.moment.path or ""
        if rule.moment.what == "whenever":
            self.watchers.append(hook)
        elif path in self.definitions or any(name == path for _, name in self.members) or path == "scoring":
            self.hooks.setdefault(path, []).append(hook)
        elif "." in path:
            self.hooks.setdefault(self.address(path, board), []).append(hook)

    def order_hooks(self) -> None:
        """In the order of the files, but for those that say `before rule` or `after rule`."""
        for hooks in (*self.hooks.values(), self.watchers):
            for hook in list(hooks):
                for where, other in hook.rule.order:
                    there = next((h for h in hooks if h.rule.name == other), None)
                    if there is not None:
                        hooks.remove(hook)
                        hooks.insert(hooks.index(there) + (where != "order_before"), hook)
            hooks[:] = [hook for hook in hooks if ("rule", hook.rule.name) not in self.removed]


def for_all(member: Definition) -> Definition:
    """What a kind says for all of its boards, without what one of them says for itself."""
    return Definition(
        member.name, member.what, member.item, member.board, member.kind, {}, member.sorts, member.original, replaced=True
    )
