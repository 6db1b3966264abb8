"""All files of a ruleset merged by name: what is defined, added, replaced, restricted and removed, and by whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import assert_never

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.names.meanings import Definition
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.world import Memory, World
from ichiba.dsl.yaml.declarations import Box, RulesText
from ichiba.dsl.yaml.elsewhere import Elsewhere


@dataclass(frozen=True, slots=True)
class OptionEntry:
    """An option that some file puts into a menu or window."""

    option: t.Option
    home: str
    board: str


@dataclass(slots=True)
class WindowEntry:
    during: str | None
    when: t.Expr | None
    home: str
    options: list[OptionEntry] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Hook:
    """A trigger. Each is its own: whoever looks one up among thousands need not compare what they say."""

    rule: t.Rule
    home: str
    board: str


class Merged:
    """Reads every item once and files it under its name."""

    def __init__(self, box: Box, world: World, faults: Faults):
        self.box, self.world, self.faults = box, world, faults
        self.elsewhere = Elsewhere(box)
        self.definitions: dict[str, Definition] = {}
        self.members: dict[tuple[str, str], Definition] = {}
        self.menu_options: dict[str, list[OptionEntry]] = {}
        self.menu_docs: dict[str, t.Text] = {}  # by menu: its sentence, when it is written apart from the menu
        self.windows: dict[str, WindowEntry] = {}
        self.hooks: dict[str, list[Hook]] = {}
        self.whenevers: list[Hook] = []
        self.restricts: dict[str, list[tuple[t.Restrict, str, str]]] = {}
        self.replaced_options: dict[str, tuple[t.Option, str, str]] = {}
        self.removed: dict[tuple[str, str], Span] = {}
        self.used_removals: set[tuple[str, str]] = set()
        self.written: dict[str, None] = {}  # addresses of the options that came into some menu or window
        self.opened: set[str] = set()  # menus
        self.menu_spans: dict[str, Span] = {}
        self.scorings: list[tuple[t.Scoring, str, str]] = []
        self.ranking: tuple[t.Ranking, str] | None = None
        self.invariants: list[tuple[t.Invariant, str, str]] = []
        self.conserved: list[tuple[t.Conserve, str]] = []
        self.policies: dict[str, tuple[t.Policy, str]] = {}
        self.setups: Definition | None = None
        self.plays: Definition | None = None
        self.provenance: list[tuple[str, str, Span]] = []
        self.replaced_by: dict[str, tuple[str, Span]] = {}
        self.rule_names: dict[str, t.Rule] = {}
        self.seen: dict[str, Span] = {}  # what may be defined once only
        self._changes_in_yaml()
        self.provenance += box.used
        for text in box.rules:
            self._define(text)
        for text in box.rules:
            self._edit(text)
        self._order_hooks()
        self._remove_definitions()

    def _changes_in_yaml(self) -> None:
        """`change: {price: [3, 5]}` is told of like `change rounds to 5`, and clashes with it."""
        for change in self.box.changes:
            self.replaced_by[f"number {change.name}"] = (change.home, change.span)
            self.provenance.append((f"change {change.name}", change.home, change.span))

    # ------------------------------------------------------------------------------------ definitions

    def _define(self, text: RulesText) -> None:
        for item in text.items:
            match item:
                case t.Value() | t.Guard() | t.Procedure() | t.CostRule():
                    self._definition(item, text)
                case t.Kind() if item.added and item.name not in self.world.kinds:  # told where members are declared
                    continue
                case t.Kind():
                    self._note(f"{'add to ' if item.added else ''}kind {item.name}", text, item.span)
                    for member in item.members:
                        self._member(member, item.name, text)
                case t.Scope(what="board"):
                    self._note(f"board {text.board}", text, item.span)
                    for member in item.members:
                        self._board_member(member, text)
                case t.Scope():
                    self._note(f"{'add to ' if item.added else ''}{item.what}", text, item.span)
                    for member in item.members:
                        if isinstance(member, t.Value | t.Guard | t.Procedure):
                            self.faults.add(
                                "E203",
                                member.span,
                                "values and procedures of seats and the table stand by themselves, outside",
                            )
                case t.Window():
                    if item.added:
                        continue
                    self._once_only(f"window {item.name}", item.span)
                    entry = WindowEntry(item.during, item.when, text.home)
                    entry.options.extend(OptionEntry(o, text.home, text.board) for o in item.body.options)
                    self.windows[item.name] = entry
                    self._note(f"window {item.name}", text, item.span)
                case t.Policy():
                    self._once_only(f"policy {item.name}", item.span)
                    self.policies[item.name] = (item, text.home)
                    self._note(f"policy {item.name}", text, item.span)
                case (
                    t.ValueCase() | t.MenuItem() | t.Rule() | t.Scoring() | t.Ranking() | t.Replace()
                    | t.ReplaceOption() | t.Restrict() | t.Remove() | t.ChangeZone() | t.Change() | t.Invariant()
                    | t.Conserve() | t.Pattern() | t.Use()
                ):  # these change what is defined: `_edit`
                    pass
                case _:
                    assert_never(item)

    def _once_only(self, name: str, span: Span) -> None:
        seen = self.seen
        if name in seen:
            self.faults.add("E206", span, f"the {name} is defined twice", second=(seen[name], "first defined here"))
        seen[name] = span

    def _note(self, what: str, text: RulesText, span: Span) -> None:
        self.provenance.append((what, text.home, span))

    def _definition(self, item: t.Value | t.Guard | t.Procedure | t.CostRule, text: RulesText) -> None:
        what = {t.Value: "value", t.Guard: "guard", t.CostRule: "cost"}.get(type(item), "procedure")
        definition = Definition(item.name, what, item, text.home, text.board)
        if item.name in ("setup", "play") and isinstance(item, t.Procedure) and item.main:
            if item.name == "setup" and text.board:
                self._board_setup(item, text)
                return
            self._main(item, definition, text)
            return
        if item.name in self.definitions:
            self.faults.add(
                "E206",
                item.span,
                f"`{item.name}` is defined twice",
                label="one of them needs another name; a module says `replace`",
                second=(self.definitions[item.name].span, "first defined here"),
            )
            return
        if text.board and self._kind_member(text.board, item.name) is not None:
            self.faults.add(
                "E405",
                item.span,
                f"`{item.name}` is already a {what} of this kind of board",
                label=f"write `replace {what} {item.name}`",
            )
            return
        self.definitions[item.name] = definition
        self._note(f"{what} {item.name}", text, item.span)

    def _main(self, item: t.Procedure, definition: Definition, text: RulesText) -> None:
        current = self.setups if item.name == "setup" else self.plays
        if current is not None:
            self.faults.add(
                "E206",
                item.span,
                f"`{item.name}:` is defined twice",
                second=(current.span, "first defined here"),
            )
            return
        if item.name == "setup":
            self.setups = definition
        else:
            self.plays = definition
        self.definitions[item.name] = definition
        self._note(item.name, text, item.span)

    def _board_setup(self, item: t.Procedure, text: RulesText) -> None:
        member = self._kind_member(text.board, "setup")
        if member is None:
            kind = self._kind_of(text.board)
            nothing = t.Procedure(item.span, "setup", None, (), t.Block(item.span, None, ()), main=True)
            member = Definition("setup", "procedure", nothing, "", "", kind)
            self.members[(kind, "setup")] = member
        case = Definition("setup", "procedure", item, text.home, text.board, member.kind)
        case.original = _for_all(member)
        member.cases[text.board] = case
        self._note(f"setup of {text.board}", text, item.span)

    def _member(self, member: t.MemberItem, kind: str, text: RulesText) -> None:
        if not isinstance(member, t.Value | t.Guard | t.Procedure):
            return
        what = {t.Value: "value", t.Guard: "guard"}.get(type(member), "procedure")
        key = (kind, member.name)
        if key in self.members and self.members[key].what != "setup":
            self.faults.add(
                "E206",
                member.span,
                f"`{member.name}` is defined twice",
                second=(self.members[key].span, "first defined here"),
            )
            return
        self.members[key] = Definition(member.name, what, member, text.home, "", kind)
        self._note(f"{what} {kind}.{member.name}", text, member.span)

    def _board_member(self, member: t.MemberItem, text: RulesText) -> None:
        if isinstance(member, t.Procedure) and member.name == "setup":
            self._board_setup(member, text)
        elif isinstance(member, t.Value | t.Guard | t.Procedure):
            self._member(member, f"board {text.board}", text)

    def _kind_of(self, board: str) -> str:
        decl = next((b for b in self.box.boards if b.name == board), None)
        return decl.kind if decl is not None else "board"

    def _kind_member(self, board: str, name: str) -> Definition | None:
        kind = self._kind_of(board)
        while kind:
            if (kind, name) in self.members:
                return self.members[(kind, name)]
            kind = self.world.kinds[kind].parent if kind in self.world.kinds else ""
        return None

    # ------------------------------------------------------------------------------------------- edits

    def _edit(self, text: RulesText) -> None:
        for item in text.items:
            match item:
                case t.Replace():
                    self._replace(item, text)
                case t.ValueCase():
                    self._sort_case(item, text)
                case t.MenuItem():
                    self._menu_item(item, text)
                case t.Window() if item.added:
                    self._add_window(item, text)
                case t.Rule():
                    self._rule(item, text)
                case t.ReplaceOption():
                    self._clash(f"option {self._address(item.path, text)}", text, item.span)
                    self.replaced_options[self._address(item.path, text)] = (
                        item.option,
                        text.home,
                        text.board,
                    )
                    self._note(f"replace option {item.path}", text, item.span)
                case t.Restrict():
                    self.restricts.setdefault(self._address(item.path, text), []).append((item, text.home, text.board))
                    self._note(f"restrict option {item.path}", text, item.span)
                case t.Remove():
                    path = self._address(item.path, text) if item.what == "option" else item.path
                    self._clash(f"{item.what} {path}", text, item.span, again=True)
                    self.removed[(item.what, path)] = item.span
                    self._note(f"remove {item.what} {item.path}", text, item.span)
                case t.Change():
                    self._change(item, text)
                case t.ChangeZone():
                    self._change_zone(item, text)
                case t.Scoring():
                    self.scorings.append((item, text.home, text.board))
                    self._note("scoring", text, item.span)
                case t.Ranking():
                    if self.ranking is not None:
                        self.faults.add(
                            "E206",
                            item.span,
                            "the ranking is defined twice",
                            second=(self.ranking[0].span, "first defined here"),
                        )
                    else:
                        self.ranking = (item, text.home)
                    self._note("ranking", text, item.span)
                case t.Invariant():
                    self.invariants.append((item, text.home, text.board))
                    self._note(f"invariant {item.name}", text, item.span)
                case t.Conserve():
                    self.conserved.append((item, text.home))
                    self._note(f"conserve {item.sort}", text, item.span)
                case (
                    t.Kind() | t.Scope() | t.Value() | t.Guard() | t.Procedure() | t.CostRule() | t.Window()
                    | t.Policy() | t.Pattern() | t.Use()
                ):  # these define: `_define`
                    pass
                case _:
                    assert_never(item)

    def _replace(self, item: t.Replace, text: RulesText) -> None:
        new = item.item
        if isinstance(new, t.Ranking):
            self._clash("ranking", text, item.span)
            self.ranking = (new, text.home)
            self._note("replace ranking", text, item.span)
            return
        if isinstance(new, t.ValueCase):
            self._sort_case(new, text, replace=True)
            return
        what = {t.Value: "value", t.Guard: "guard", t.CostRule: "cost"}.get(type(new), "procedure")
        if text.board:
            member = self._kind_member(text.board, new.name)
            if member is not None and not self._fits(member, new, what):
                return
            if member is not None:
                case = Definition(new.name, what, new, text.home, text.board, member.kind)
                case.original = member.cases.get(text.board) or _for_all(member)
                member.cases[text.board] = case
                self._note(f"replace {what} {new.name} of {text.board}", text, item.span)
                return
        if new.name in self.definitions:
            old = self.definitions[new.name]
            if not self._fits(old, new, what):
                return
            self._clash(f"{what} {new.name}", text, item.span)
            definition = Definition(new.name, old.what, new, text.home, text.board, original=old)
            old.original_of = True
            definition.sort_cases = old.sort_cases
            self.definitions[new.name] = definition
            if self.setups is old:
                self.setups = definition
            self._note(f"replace {what} {new.name}", text, item.span)
            return
        owners = [key for key in self.members if key[1] == new.name]
        if len(owners) == 1:
            old = self.members[owners[0]]
            if not self._fits(old, new, what):
                return
            self._clash(f"{what} {owners[0][0]}.{new.name}", text, item.span)
            definition = Definition(new.name, what, new, text.home, "", old.kind, dict(old.cases), original=old)
            old.original_of = True
            self.members[owners[0]] = definition
            self._note(f"replace {what} {owners[0][0]}.{new.name}", text, item.span)
            return
        if self.elsewhere.brings("definition", new.name):
            return
        known = [*self.definitions, *(name for _, name in self.members)]
        hint = nearest(new.name, known)
        self.faults.add(
            "E406",
            new.span,
            f"there is no {what} `{new.name}` to replace",
            label=f"did you mean `{hint}`?" if hint else "",
        )

    def _fits(self, old: Definition, new: t.Value | t.Guard | t.Procedure | t.CostRule, what: str) -> bool:
        """A replacement is of the same sort of rule, and takes as many in brackets."""
        if old.what != what:
            self.faults.add(
                "E406",
                new.span,
                f"`{new.name}` is a {old.what}",
                label=f"write `replace {old.what} {new.name}`",
                second=(old.span, "defined here"),
            )
            return False
        declared, own = len(old.item.params or ()), len(new.params or ())
        if declared != own:
            self.faults.add(
                "E211",
                new.span,
                f"`{new.name}` takes {declared} in brackets, not {own}",
                second=(old.span, "defined here"),
            )
        return declared == own

    def _clash(self, what: str, text: RulesText, span: Span, again: bool = False) -> None:
        """Two modules that replace the same thing must say their order, by `needs` or `after`; one does it once, unless `again`."""
        first = self.replaced_by.get(what)
        if first is not None and first[0] == text.home and not again:
            self.faults.add("E206", span, f"the {what} is replaced twice", second=(first[1], "first replaced here"))
        if first is not None and first[0] != text.home and not self._comes_after(text.home, first[0]):
            self.faults.add(
                "E403",
                span,
                f"`{text.home}` and `{first[0] or 'the game'}` both replace the {what}",
                label=f"say their order: `after: [{first[0]}]`, or `needs: [{first[0]}]`; or that they never go together: `excludes: [{first[0]}]`",
                second=(first[1], "also replaced here"),
            )
        self.replaced_by[what] = (text.home, span)

    def _comes_after(self, home: str, other: str) -> bool:
        if not other:
            return True
        module = self.box.modules.get(home)
        return module is not None and module.comes_after(other)

    def _sort_case(self, item: t.ValueCase, text: RulesText, replace: bool = False) -> None:
        definition = self.definitions.get(item.name)
        if definition is None and self.elsewhere.brings("definition", item.name):
            return
        if definition is None:
            hint = nearest(item.name, self.definitions)
            self.faults.add(
                "E205",
                item.span,
                f"no value is called `{item.name}`",
                label=f"did you mean `{hint}`?" if hint else "",
            )
            return
        same = [c for c in definition.sort_cases if (c[0].sort, c[0].side) == (item.sort, item.side)]
        if same and not replace:
            self.faults.add(
                "E206",
                item.span,
                f"`{item.name} of {item.sort}` is defined twice",
                second=(same[0][0].span, "first defined here"),
            )
            return
        for case in same:
            definition.sort_cases.remove(case)
        definition.sort_cases.append((item, text.home, text.board))
        self._note(f"value {item.name} of {item.sort}", text, item.span)

    def _address(self, path: str, text: RulesText) -> str:
        """An option's address: the menu it stands in, and its name. In a board's file `visit.sell` is its own."""
        head = path.split(".")[0]
        if text.board and path.count(".") == 1 and self._has_menu(self._kind_of(text.board), head):
            return f"{text.board}.{path}"
        return path

    def _has_menu(self, kind: str, name: str) -> bool:
        while kind in self.world.kinds:
            if name in self.world.kinds[kind].menus:
                return True
            kind = self.world.kinds[kind].parent
        return False

    def _menu_item(self, item: t.MenuItem, text: RulesText) -> None:
        key = item.path
        if item.kind is not None:
            key = f"{item.kind}.{item.path}"
        elif text.board and "." not in item.path and self._has_menu(self._kind_of(text.board), item.path):
            key = f"{text.board}.{item.path}"
        elif "." in item.path:
            head = item.path.split(".")[0]
            boards = {b.name for b in self.box.boards}
            if head not in boards and head not in self.world.kinds and head not in self.world.known and not self.elsewhere.brings("kind", head):
                hint = nearest(head, boards)
                self.faults.add(
                    "E205",
                    item.span.at_word(head),
                    f"no board is called `{head}`",
                    label=f"did you mean `{hint}`?" if hint else "",
                )
        board = text.board if key == item.path else ""
        entries = self.menu_options.setdefault(key, [])
        self.menu_spans.setdefault(key, item.span)
        if item.body.doc is not None:
            self.menu_docs.setdefault(key, item.body.doc)
        for option in item.body.options:
            twin = next((e.option for e in entries if e.option.name == option.name), None)
            if twin is not None:
                self.faults.add(
                    "E206",
                    option.span,
                    f"the option `{option.name}` is defined twice",
                    second=(twin.span, "first defined here"),
                )
                continue
            entries.append(OptionEntry(option, text.home, board))
            self._note(f"option {key}.{option.name}", text, option.span)

    def _add_window(self, item: t.Window, text: RulesText) -> None:
        window = self.windows.get(item.name)
        if window is None and self.elsewhere.brings("window", item.name):
            return
        if window is None:
            hint = nearest(item.name, self.windows)
            self.faults.add(
                "E205",
                item.span,
                f"no window is called `{item.name}`",
                label=f"did you mean `{hint}`?" if hint else "",
            )
            return
        for option in item.body.options:
            twin = next((e.option for e in window.options if (e.option.name, e.board) == (option.name, text.board)), None)
            if twin is not None:
                second = (twin.span, "first defined here")
                self.faults.add("E206", option.span, f"the option `{option.name}` is defined twice", second=second)
            else:
                window.options.append(OptionEntry(option, text.home, text.board))
                self._note(f"option {item.name}.{option.name}", text, option.span)

    def _rule(self, item: t.Rule, text: RulesText) -> None:
        if item.name in self.rule_names:
            self.faults.add(
                "E206",
                item.span,
                f"the rule `{item.name}` is defined twice",
                second=(self.rule_names[item.name].span, "first defined here"),
            )
            return
        self.rule_names[item.name] = item
        self._note(f"rule {item.name}", text, item.span)
        hook = Hook(item, text.home, text.board)
        if item.moment.what == "whenever":
            self.whenevers.append(hook)
            return
        self._idle_words(item)
        path = item.moment.path or ""
        if item.moment.what == "instead_of" and not item.order:
            self._clash(f"course of `{path}`", text, item.span, again=True)
        head, _, last = path.rpartition(".")
        named = [*self.definitions.values(), *self.members.values()]
        names = {d.name for d in named if d.what == "procedure"} | {"scoring"}
        if path in names:
            self.hooks.setdefault(path, []).append(hook)
        elif (found := next((d for d in named if d.name == path), None)) is not None:
            self.faults.add(
                "E302",
                item.moment.span.at_word(path),
                f"`{path}` is a {found.what}, which nothing can stand around",
                label="a procedure or option is needed" + (f"; or `replace {found.what} {path}`" if found.home != text.home else ""),
                second=(found.span, "defined here"),
            )
        elif head and last:
            self.hooks.setdefault(self._address(path, text), []).append(hook)
        elif self.elsewhere.brings("definition", path):
            self._idle(item.span)
        elif path not in self.world.known:
            hint = nearest(path, names)
            self.faults.add(
                "E205",
                item.moment.span.at_word(path),
                f"no procedure or option is called `{path}`",
                label=f"did you mean `{hint}`?" if hint else "",
            )

    def _idle_words(self, rule: t.Rule) -> None:
        """What only rules with `whenever` can say: one that stands at a place happens there, each time that is passed."""
        where = f"a rule that stands {rule.moment.what.replace('_', ' ')} something"
        if rule.once is not None:
            label = "remember in a flag that it has happened: `when not done_already`, and `mark` it"
            self.faults.add("E507", rule.span, f"{where} happens each time, so `{rule.once.replace('_', ' ')}` has no meaning", label=label)
        if rule.at_end_of is not None:
            label = f"write `after {rule.at_end_of}`"
            self.faults.add("E507", rule.span, f"{where} does not wait for the end of `{rule.at_end_of}`", label=label)
        if rule.moment.what == "instead_of" and rule.binder is not None:
            label = "say `for each …` in its body"
            self.faults.add("E507", rule.span, f"{where} happens once, and not for each of several", label=label)

    def _change(self, item: t.Change, text: RulesText) -> None:
        """Numbers and options get another value: it was worked out when the box was opened."""
        name = item.path
        self._clash(f"number {name}", text, item.span)
        if name not in self.world.numbers and name not in self.world.options:
            if self.elsewhere.brings("fact", name):
                return
            hint = nearest(name, [*self.world.numbers, *self.world.options])
            label = f"did you mean `{hint}`?" if hint else ""
            if name in self.world.tables or name in self.world.enums:
                label = f"this is changed in the module's file: `change: {{{name}: …}}`"
            self.faults.add("E205", item.span.at_word(name), f"no number or option is called `{name}`", label=label)
            return
        self._note(f"change {name}", text, item.span)

    def _fixed(self, number: t.Expr) -> int | None:
        """A number that is known before the game."""
        from ichiba.dsl.world.constant import CannotWorkOut, evaluate, scope_of

        try:
            return evaluate(number, scope_of(self.world))
        except CannotWorkOut as fault:
            fault.tell(self.faults)
            return None

    def _change_zone(self, item: t.ChangeZone, text: RulesText) -> None:
        owner, _, name = item.path.rpartition(".")
        members = {"table": self.world.table, "": self.world.table, "seat": self.world.seat}.get(owner)
        if members is None and owner in self.world.kinds:
            members = self.world.kinds[owner].members
        member = members.get(name) if members is not None else None
        if member is None and self.elsewhere.brings("zone", f"{owner or 'table'}.{name}"):
            return
        if member is None or member.form != "zone":
            self.faults.add("E205", item.span, f"no zone is called `{item.path}`")
            return
        member.memory = member.memory.keeping(item.keeps)
        if item.forgets is not None and item.forgets.everything:
            member.memory = Memory(item.forgets.names, True)
        elif item.forgets is not None:
            member.memory = member.memory.forgetting(item.forgets.names)
        for word in item.words:
            member.words[word.what] = word
            if word.what == "at_most" and word.arg is not None:
                member.most, member.limit = word.arg, self._fixed(word.arg)
        self._note(f"change zone {item.path}", text, item.span)

    def _order_hooks(self) -> None:
        """`before rule` and `after rule` move a rule to its place; otherwise the order of the files holds."""
        layers: dict[str, str] = {}
        for hooks in (*self.hooks.values(), self.whenevers):
            called: defaultdict[str, list[Hook]] = defaultdict(list)
            for hook in hooks:
                called[hook.rule.name].append(hook)
            for hook in list(hooks):
                for where, other in hook.rule.order:
                    so_called = called.get(other, [])
                    target = so_called[0] if len(so_called) == 1 else next((h for h in hooks if h in so_called), None)
                    if target is None:
                        self._no_rule(hook.rule, other)
                        continue
                    hooks.remove(hook)
                    at = hooks.index(target)
                    hooks.insert(at if where == "order_before" else at + 1, hook)
            hooks[:] = [h for h in hooks if not self.is_removed("rule", h.rule.name)]
            layers |= _layers([h.rule.name for h in hooks if h.rule.moment.what == "instead_of"])
        self.provenance[:] = [(layers.get(what, what), home, span) for what, home, span in self.provenance]

    def _no_rule(self, rule: t.Rule, other: str) -> None:
        if other not in self.rule_names and other not in self.world.known:
            if self.elsewhere.brings("rule", other):
                return
            hint = nearest(other, self.rule_names)
            self.faults.add(
                "E406",
                rule.span,
                f"there is no rule `{other}`",
                label=f"did you mean `{hint}`?" if hint else "",
            )
        elif other in self.rule_names:
            message = f"`{rule.name}` and `{other}` stand at different places, so neither comes before the other"
            second = (self.rule_names[other].span, "this one stands here")
            self.faults.add("E406", rule.span, message, label="leave the order out", second=second)

    def _remove_definitions(self) -> None:
        """Values, windows and menus that a module does away with; who still uses them is told so."""
        for what, path in self.removed:
            if what == "value" and path in self.definitions and self.definitions[path].what == "value":
                del self.definitions[path]
                self.used_removals.add((what, path))
            elif what == "window" and path in self.windows:
                del self.windows[path]
                self.used_removals.add((what, path))
            elif what == "menu" and path in self.menu_options:
                del self.menu_options[path]
                self.used_removals.add((what, path))

    def _idle(self, *spans: Span) -> None:
        """What this would change belongs to a module that is off: it does nothing, and is none of the rules that hold."""
        self.provenance[:] = [one for one in self.provenance if one[2] not in spans]

    def is_removed(self, what: str, path: str) -> bool:
        if (what, path) in self.removed:
            self.used_removals.add((what, path))
            return True
        return False

    def unused_edits(self) -> None:
        """An edit that touches nothing is a slip."""
        known = {
            "option": list(self.written),
            "rule": list(self.rule_names),
            "window": list(self.windows),
            "value": list(self.definitions),
            "menu": [*self.menu_options, *sorted(self.opened)],
        }
        for (what, path), span in self.removed.items():
            if (what, path) not in self.used_removals:
                self._nothing_there(what, path, span, known[what], " to remove")
        for path, (option, _, _) in self.replaced_options.items():
            if path not in self.written:
                self._nothing_there("option", path, option.span, self.written, " to replace")
        for path, restricts in self.restricts.items():
            if path not in self.written:
                spans = [restrict.span for restrict, _, _ in restricts]
                self._nothing_there("option", path, spans[0], self.written, " to restrict", spans[1:])
        for path, hooks in self.hooks.items():
            if "." in path and path not in self.written:
                spans = [hook.rule.span for hook in hooks]
                self._nothing_there("option", path, spans[0], self.written, "", spans[1:])
        for path, span in self.menu_spans.items():
            owner, _, menu = path.rpartition(".")
            if menu not in self.opened and not (
                owner and any(menu in kind.menus for kind in self.world.kinds.values())
            ):
                options = [entry.option.span for entry in self.menu_options.get(path, ())]
                self._nothing_there("menu", path, span, self.opened, "", options)

    def _nothing_there(
        self, what: str, path: str, span: Span, known: Iterable[str], to_do: str, others: Iterable[Span] = ()
    ) -> None:
        """Told where the first stands that names it; if it is only off, none of them does anything."""
        if path.split(".")[0] in self.world.known or (to_do != " to remove" and ("option", path) in self.removed):
            return
        if self.elsewhere.brings("definition" if what == "value" else what, path):
            self._idle(span, *others)
            return
        hint = nearest(path, known)
        self.faults.add(
            "E406",
            span.at_word(path),
            f"there is no {what} `{path}`{to_do}",
            label=f"did you mean `{hint}`?" if hint else "",
        )


def _layers(rules: list[str]) -> dict[str, str]:
    """Of several that stand instead of one thing each is told around the one before it, which its `original` is."""
    return {f"rule {name}": f"rule {name}, around rule {inner}" for inner, name in pairwise(rules)}


def _for_all(member: Definition) -> Definition:
    """What a kind says for all of its boards: what `original` is to the one that has its own."""
    return Definition(
        member.name, member.what, member.item, member.home, "", member.kind, original=member.original, original_of=True
    )
