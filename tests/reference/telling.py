"""Which questions would tell something by being skipped: those whose set of options hangs on what is hidden.

It hangs on what domains, `where`, `when` and costs read, and on what can stop a body that is tried out. How many pieces
lie somewhere is open to everybody, so what asks only for a size tells nothing. What a name stands for is followed back
to where it came from. All this is told from the text of the rules, by names: whose member it is does not matter.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.arguments import argument_at
from tests.reference.bodies import says_original
from tests.reference.env import Env
from tests.reference.modules import Definition, Entry
from tests.reference.trees import nodes, parts_of_node
from tests.reference.values import Amount
from tests.reference.windows import Windows
from tests.reference.world import Thing

Found = tuple[set[str], bool]  # what could stop it hangs on these members; whether it goes on behind it


class Telling(Windows):
    """Reads what questions hang on."""

    _tells: dict[Any, bool]
    _hidden: set[str]
    _named: dict[int, frozenset[str]]
    _items: dict[int, t.Item]
    _calls: dict[str, list[t.Call]]

    # ------------------------------------------------------------------------------- for whatever reason

    def mentions(self, e: t.Expr, names: set[str]) -> bool:
        if id(e) not in self._named:
            self._named[id(e)] = frozenset(node.name for node in nodes(e) if isinstance(node, t.Name))
        return not names.isdisjoint(self._named[id(e)])

    def members_named(self, parts: Iterable[t.Node]) -> set[str]:
        """All names of members that stand in these, and in the values that they ask for, sizes too."""
        found: set[str] = set()
        todo: list[t.Node] = list(parts)
        seen: set[str] = set()
        while todo:
            for node in nodes(todo.pop()):
                name = node.name if isinstance(node, t.Name | t.Member | t.Of) else None
                if isinstance(node, t.IsA) and isinstance(node.kind, t.Name):
                    found.add(node.kind.name)
                if name is None or name in seen:
                    continue
                seen.add(name)
                found.add(name)
                todo += self.texts_of(name)
        return found

    def called(self, name: str, *whats: str) -> list[Definition]:
        """Every version of what has this name, whoever's it is."""
        todo = [d for key, d in self.rules.definitions.items() if key == name]
        todo += [d for (_, key), d in self.rules.members.items() if key == name]
        found: list[Definition] = []
        while todo:
            definition = todo.pop()
            if definition not in found and definition.what in whats:
                found.append(definition)
                todo += definition.boards.values()
                if definition.original is not None and says_original(definition.item):
                    todo.append(definition.original)
        return found

    def performed_by(self, name: str) -> list[t.Block]:
        """Whatever may be done where a procedure of that name is performed: itself, what stands instead, and around it."""
        hooks = self.rules.hooks.get(name, [])
        return [self.whole_body(d.item.body, hooks) for d in self.called(name, "procedure")]

    def texts_of(self, name: str) -> list[t.Node]:
        """What a value or a cost of that name says, whoever's it is."""
        found: list[t.Node] = []
        for definition in self.called(name, "value", "guard", "cost"):
            found.append(definition.item.cost if definition.what == "cost" else definition.item.body)
            found += [case.body for case, _ in definition.sorts]
        return found

    # ------------------------------------------------------------------------- more than how many there are

    def looked_into(self, node: Any, seen: frozenset[Any] = frozenset()) -> set[str]:
        """The members of which an expression reads more than the size."""
        if isinstance(node, tuple | list):
            return set().union(*(self.looked_into(part, seen) for part in node)) if node else set()
        if not isinstance(node, t.Node):
            return set()
        match node:
            case t.IsEmpty(what=what) | t.IsNone(what=what) | t.Aggregate(how="count" | "any" | "no", what=what):
                return self.beside_size(what, seen)
            case t.Name(name=name):
                return {name} | self.followed(node, name, seen)
            case t.Member(of=of, name=name) | t.Of(arg=of, name=name):
                return {name} | self.looked_into(of, seen) | self.texts(name, seen)
            case t.IsA(what=what, kind=t.Name(name=name)):
                return {name} | self.looked_into(what, seen)
        return self.looked_into(parts_of_node(node), seen)

    def texts(self, name: str, seen: frozenset[Any]) -> set[str]:
        """What the values of that name read."""
        return set() if name in seen else self.looked_into(self.texts_of(name), seen | {name})

    def beside_size(self, what: Any, seen: frozenset[Any]) -> set[str]:
        """What is read when only the size of this is asked for."""
        match what:
            case t.Call(what=called, args=args):
                return self.beside_size(called, seen) | self.looked_into(args, seen)
            case t.Name(name=name) | t.Member(name=name) | t.Of(name=name) if self.is_zone_name(name):
                size = {f"size of {name}"}
                return size if isinstance(what, t.Name) else size | self.looked_into(parts_of_node(what), seen)
            case t.Name(name=name) if name not in seen and self.called(name, "value"):
                return set().union(*(self.beside_size(text, seen | {name}) for text in self.texts_of(name)))
            case t.SetOf(items=items):
                return set().union(*(self.beside_size(item, seen) for item in items))
            case t.Within(what=t.Name(name=sorts), where=where) if self.are_all(sorts, where):
                return self.beside_size(where, seen)
        return self.looked_into(what, seen)

    def are_all(self, sorts: str, where: t.Expr) -> bool:
        """Whether nothing else can lie in a zone than pieces of this family."""
        place = where.what if isinstance(where, t.Call) else where
        name = place.name if isinstance(place, t.Name | t.Member | t.Of) else ""
        its = [members[name] for members in self.placed.values() if name in members and self.is_zone_name(name)]
        among, held = set(self.world.categories.get(sorts, ())), [set(self.world.categories.get(m.decl.sort, self.world.sorts)) for m in its]
        return bool(its) and all(each <= among for each in held)

    def is_zone_name(self, name: str) -> bool:
        its = [members[name] for members in self.placed.values() if name in members]
        return bool(its) and all(member.form == "zone" and "uncounted" not in member.words for member in its)

    def followed(self, node: t.Node, name: str, seen: frozenset[Any]) -> set[str]:
        """A name of the rule itself: what it was given; else the value of that name."""
        item = self.item_of(node)
        if (id(item), name) in seen:
            return set()
        inside = seen | {(id(item), name)}
        found = self.texts(name, seen)
        kept = any(isinstance(inner, t.Remember) and inner.name == name for inner in nodes(item))
        for inner in nodes(item) if item is not None else ():
            match inner:
                case t.Remember(name=given, default=value) if given == name:
                    found |= self.looked_into(value, inside)
                case t.Raise(place=t.Name(name=given), by=value) if given == name and kept:
                    found |= self.looked_into(value, inside)
                case t.Let(names=names, value=value) if name in names:
                    found |= self.looked_into(value, inside) | self.given_back(value, inside)
                case t.LetBest(name=given, domain=domain, key=key) if given == name and inner.tie == "first":
                    found |= self.looked_into((domain, key), inside)
                case t.ForEach(binder=binder, keys=keys) if binder.name == name:
                    found |= self.looked_into((binder.domain, binder.top, binder.where, keys), inside)
                case t.SetTo(place=t.Name(name=given), value=value) if given == name and kept:
                    found |= self.looked_into(value, inside)
        return found | self.handed_in(item, name, inside)

    def given_back(self, value: t.Expr, seen: frozenset[Any]) -> set[str]:
        """What a procedure gives back under a name."""
        call = value.what if isinstance(value, t.Call) else value
        if not isinstance(call, t.Name | t.Member):
            return set()
        bodies = [d.item.body for d in self.called(call.name, "procedure")]
        return self.looked_into([give.values for body in bodies for give in nodes(body) if isinstance(give, t.Give)], seen)

    def handed_in(self, item: Any, name: str, seen: frozenset[Any]) -> set[str]:
        """What a procedure is performed with."""
        params = [param.name for param in getattr(item, "params", None) or ()]
        if not isinstance(item, t.Procedure) or name not in params:
            return set()
        at, found = params.index(name), set()
        for call in self.calls_of(item.name):
            found |= self.looked_into(argument_at(call, at, name), seen)
        return found

    def calls_of(self, name: str) -> list[t.Call]:
        """Everywhere in the rules where a procedure of that name is performed."""
        if not self._calls:
            for rules in self.world.box.rules:
                for node in nodes(rules.items):
                    call = node.call if isinstance(node, t.Do) else node.value if isinstance(node, t.Let) else None
                    if isinstance(call, t.Call) and isinstance(call.what, t.Name | t.Member):
                        self._calls.setdefault(call.what.name, []).append(call)
        return self._calls.get(name, [])

    def item_of(self, node: t.Node) -> t.Item | None:
        """The definition or rule in which something stands."""
        if not self._items:
            for rules in self.world.box.rules:
                for item in rules.items:
                    outer = item.item if isinstance(item, t.Replace) else item
                    self._items.update((id(inner), outer) for inner in nodes(item))
        return self._items.get(id(node))

    # ------------------------------------------------------------------------------- what can stop a body

    def stops(self, block: t.Block | None, seen: frozenset[str] = frozenset()) -> Found:
        """What could stop a body, as far as a dry run looks."""
        found: set[str] = set()
        for s in block.body if block is not None else ():
            names, goes_on = self.stopped_by(s, seen)
            found |= names
            if not goes_on:
                return found, False
        return found, True

    def stopped_by(self, s: t.Statement, seen: frozenset[str]) -> Found:
        match s:
            case t.Require(condition=condition):
                return self.looked_into(condition), True
            case t.SetAside(amount=amount, source=source):
                return self.of_payment(source or t.Name(s.span, "me"), amount), True
            case t.Pay(tail="in_full", payer=payer, amount=amount, purse=purse) if purse is not None:
                return self.of_payment(purse, amount), True
            case t.Pay(tail="in_full", payer=payer, amount=amount) if payer is not None:
                return self.of_payment(payer, amount), True
            case t.If(branches=((t.Name(name="true"), block),)):  # this was known before the game
                return self.stops(block, seen)
            case t.If(branches=branches, otherwise=otherwise):
                ways = [self.stops(block, seen) for block in (*(b for _, b in branches), otherwise)]
                on = self.looked_into([c for c, _ in branches]) if any(self.can_stop(b) for _, b in branches) else set()
                on |= self.looked_into([c for c, _ in branches]) if self.can_stop(otherwise) else set()
                return on.union(*(names for names, _ in ways)), any(goes_on for _, goes_on in ways)
            case t.ForEach(random=True):
                return set(), False
            case t.ForEach(binder=binder, keys=keys, body=body):
                on = self.looked_into((binder.domain, binder.top, binder.where, keys)) if self.can_stop(body) else set()
                return on | self.stops(body, seen)[0], True
            case t.Repeat(times=times, condition=condition, body=body):
                on = self.looked_into((times, condition)) if self.can_stop(body) else set()
                return on | self.stops(body, seen)[0], True
            case t.AsSeat(body=body) | t.ScoreFor(body=body):
                return self.stops(body, seen)
            case t.Do(call=call) | t.Let(value=call):
                return self.of_call(call, seen)
            case t.ChooseOne() | t.ChooseNumber() | t.ChooseSome() | t.Menu() | t.May():
                return self.of_question(s, seen), True
            case t.Race(otherwise=otherwise):  # somebody is drawn first; only where nobody is asked it goes on at once
                return self.stops(otherwise, seen)
            case t.LetBest(tie="chosen"):
                return self.of_the_best(s), True
            case t.Draw() | t.Pick() | t.Roll() | t.Shuffle() | t.Secretly() | t.TakeTurns() | t.OneTurnEach():
                return set(), False
            case t.Leave() | t.Give() | t.LetBest(tie="random"):
                return set(), False
        return set(), True

    def of_payment(self, payer: t.Expr, amount: t.Expr) -> set[str]:
        """The purse it goes out of, and how much goes."""
        if isinstance(payer, t.Name):
            member = self.placed["table"].get(payer.name)
            if member is not None and "unlimited" in member.words:
                return set()
        units = self.units_in(amount)
        purses = set().union(*(self.own_purses(owner, units) for owner in self.placed))
        return self.looked_into((payer, amount)) | (purses if not isinstance(payer, t.Member) else set())

    def own_purses(self, owner: str, units: set[str]) -> set[str]:
        """Out of which purses a seat, or a thing of a kind, pays: the first one of each unit is its own."""
        own: dict[str, str] = {}
        for member in self.placed[owner].values():
            if member.form == "purse" and member.unit in units:
                own.setdefault(member.unit, member.name)
        return set(own.values())

    def of_call(self, call: t.Expr, seen: frozenset[str]) -> Found:
        name = call.what if isinstance(call, t.Call) else call
        if not isinstance(name, t.Name | t.Member) or name.name in seen:
            return set(), True
        found = [self.stops(body, seen | {name.name}) for body in self.performed_by(name.name)]
        return set().union(*(names for names, _ in found)), not found or any(goes_on for _, goes_on in found)

    def of_question(self, s: Any, seen: frozenset[str]) -> set[str]:
        """A question stops what has no `otherwise` and nothing that can always be answered."""
        match s:
            case t.ChooseOne(otherwise=None):
                return self.looked_into((s.domain, s.where)) | self.stopped(s.body, seen)
            case t.ChooseNumber(otherwise=None):
                return self.looked_into((s.low, s.high, s.step)) | self.stops(s.body, seen)[0]
            case t.ChooseSome(otherwise=None):
                return self.looked_into((s.domain, s.where, *(word.arg for word in s.words)))
            case t.May() if self.can_stop(s.otherwise):
                cost = self.of_cost(s.cost) if s.cost is not None else set()
                ways = self.stopped(s.body, seen) | self.stopped(s.otherwise, seen)
                return self.looked_into(s.when) | cost | ways
            case t.Menu(otherwise=None) if not self.has_way_out(s):
                free, when = self.free_in(s)
                return self.looked_into(when).union(*(self.of_option(option, seen) for option in [*self.options_of_menu(s), *free]))
        return set()

    def free_in(self, s: t.Menu) -> tuple[list[t.Option], list[t.Expr]]:
        """The free actions of a menu, and on what it hangs whether their windows are open."""
        windows = self.windows_of(s)
        written = [(self.written_option(e, at), at) for name, window in windows for e in window.options for at in (f"{name}.{e.option.name}",)]
        return [self.whole_option(one[0], at) for one, at in written if one], [w.when for _, w in windows if w.when is not None]

    def has_way_out(self, s: t.Menu) -> bool:
        """Whether there is an option that is always open."""
        if s.times == "until_done" and s.done_when is None or s.done is not None and s.done_when is None:
            return s.times != "at_least_once"
        free = [e for _, w in self.windows_of(s) if w.during is None and w.when is None and s.windows != "after_first" for e in w.options]
        always = [e.option for e in free if not e.board]
        return any(self.is_always(option) for option in [*self.options_of_menu(s, certain=True), *always])

    def options_of_menu(self, s: t.Menu, certain: bool = False) -> list[t.Option]:
        """Those of a menu, wherever they stand: of any kind or board that has a menu of this name, unless it is said which.
        For certain there: those that are not of a board alone, or of a narrower kind."""
        name = s.path.name if isinstance(s.path, t.Name | t.Member) else ""
        of = s.path.of.name if isinstance(s.path, t.Member) and isinstance(s.path.of, t.Name) else ""
        found = [(Entry(option, ""), f"{name}.{option.name}") for option in (s.body.options if s.body is not None else ())]
        for key, group in self.rules.menus.items():
            home, _, menu = key.rpartition(".")
            if menu == name and (not home if isinstance(s.path, t.Name) else self.may_be_of(of, home)):
                wide = not home or of in self.things_named or home in self.world.kinds and name in self.world.kinds[home].menus
                found += [(entry, f"{key}.{entry.option.name}") for entry in group if not certain or wide and not entry.board]
        written = [(self.written_option(*one), one[1]) for one in found]
        return [self.whole_option(option[0], address) for option, address in written if option is not None]

    def may_be_of(self, thing: str, home: str) -> bool:
        """Whether options that were put there for a kind or board may be this one's, if it is said which."""
        if thing not in self.things_named:
            return bool(home)
        one = self.things_named[thing][0]
        return one.name == home or home in self.world.kinds and self.world.is_kind(one.kind, home)

    def is_always(self, option: t.Option) -> bool:
        plain = not option.binders and option.when is None and option.cost is None and option.once_per is None
        return plain and not self.can_stop(option.body)

    def of_option(self, option: t.Option, seen: frozenset[str] = frozenset()) -> set[str]:
        """What it hangs on whether, and how often, an option is offered."""
        asked = [(b.domain, b.top, b.step, b.where) for b in option.binders]
        cost = self.of_cost(option.cost) if option.cost is not None else set()
        return self.looked_into([*asked, option.when]) | cost | self.stopped(option.body, seen)

    @abstractmethod
    def stopped(self, block: t.Block | None, seen: frozenset[str] = frozenset()) -> set[str]:
        """What it hangs on whether a body is stopped, also by way of what it has changed itself."""

    def can_stop(self, block: t.Block | None) -> bool:
        """Whether a body could meet something that stops it, hidden or not. A question that can always be answered does not."""
        todo: list[Any] = [block]
        seen: set[str] = set()
        while todo:
            node = todo.pop()
            match node:
                case t.Require() | t.LetBest(tie="chosen"):
                    return True
                case t.ChooseOne() | t.ChooseNumber() | t.ChooseSome():
                    if node.otherwise is None:
                        return True
                    todo.append(node.otherwise)
                case t.May(otherwise=otherwise):
                    taken = node.when is None and node.cost is None and not self.can_stop(node.body)
                    if not taken and self.can_stop(otherwise):
                        return True
                case t.Race(otherwise=otherwise):  # whoever is asked can wait
                    todo.append(otherwise)
                case t.Menu(otherwise=otherwise):
                    if otherwise is None and not self.has_way_out(node):
                        return True
                    todo.append(otherwise)
                case t.Pay(tail="in_full", payer=payer) if payer is not None and self.of_payment(payer, node.amount):
                    return True
                case t.Do(call=call) | t.Let(value=call):
                    name = call.what if isinstance(call, t.Call) else call
                    if isinstance(name, t.Name | t.Member) and name.name not in seen:
                        seen.add(name.name)
                        todo += self.performed_by(name.name)
                case t.Node():
                    todo += parts_of_node(node)
                case tuple():
                    todo += node
        return False

    # --------------------------------------------------------------------------------------------- costs

    def of_cost(self, cost: t.Cost) -> set[str]:
        """What a cost asks for: what it names, and the purses of seats that it is paid out of."""
        names = self.members_named([cost])
        costs = [cost, *(c for (_, field), c in self.world.costs.items() if field in names)]
        units = {unit for c in costs for unit in self.units_in(c)}
        return self.looked_into(costs) | self.own_purses("seat", units)

    def units_in(self, node: t.Node) -> set[str]:
        """The units in which something in it is written, or declared."""
        names = self.members_named([node])
        found = {self.world.signs.get(inner.sign, "") for inner in nodes(node) if isinstance(inner, t.Money)}
        found |= {self.unit_named(name) or "" for name in names}
        for name in names:
            number = self.world.numbers.get(name)
            found |= {number.unit} if isinstance(number, Amount) else set()
            for members in self.placed.values():
                member = members.get(name)
                if member is not None:
                    found |= {member.unit, member.type.name if member.type is not None else ""}
            found |= {f.type.name for kind in self.world.kinds for n, f in self.world.fields_of(kind).items() if n == name}
            found |= {d.item.gives.name for d in self.called(name, "value") if d.item.gives is not None}
        return found & set(self.world.units)

    # ------------------------------------------------------------------------------------------ questions

    @abstractmethod
    def hidden_names(self) -> set[str]:
        """The names of members that some seat may not see."""

    def tells(self, env: Env, *parts: Any) -> bool:
        """Whether a set of options hangs on something hidden."""
        key = tuple(id(part) for part in parts)
        if key not in self._tells:
            found = self.looked_into([part for part in parts if not isinstance(part, t.Block)])
            for block in parts:
                found |= self.stopped(block) if isinstance(block, t.Block) else set()
            self._tells[key] = bool(found & self._hidden)
        return self._tells[key]

    def of_the_best(self, s: t.LetBest) -> set[str]:
        """Its own name for each of them is nothing else that is called so elsewhere in the rule."""
        return self.looked_into(s.domain) | self.looked_into(s.key, frozenset({(id(self.item_of(s)), s.binder)}))

    def best_tells(self, s: t.LetBest) -> bool:
        if id(s) not in self._tells:
            self._tells[id(s)] = bool(self.of_the_best(s) & self._hidden)
        return self._tells[id(s)]

    def tells_cost(self, cost: t.Cost, env: Env) -> bool:
        if id(cost) not in self._tells:
            self._tells[id(cost)] = bool(self.of_cost(cost) & self._hidden)
        return self._tells[id(cost)]

    def offer_tells(self, s: t.May, env: Env) -> bool:
        """Whether a `may` that is not offered tells something."""
        if s.only_choice:
            return False
        return self.tells(env, s.when, s.body, s.otherwise) or s.cost is not None and self.tells_cost(s.cost, env)

    def says_which(self, path: t.Expr, env: Env) -> bool:
        """`fish.visit`, and in a board's file `board.visit`: whose menu it is stands in the rules."""
        of = path.of.name if isinstance(path, t.Member) and isinstance(path.of, t.Name) else ""
        return of == "board" and bool(env.board_name) or of in self.things_named and not env.find(of)[0]

    def of_any(self, name: str, owner: Thing) -> list[tuple[Entry, str]]:
        """The options that any kind or board which has this menu has put into it."""
        kinds = {kind for kind in self.world.kinds if name in self.world.kinds[kind].menus and self.world.is_kind(owner.kind, kind)}
        found = []
        for key, group in self.rules.menus.items():
            home, _, menu = key.rpartition(".")
            of = home if home in self.world.kinds else self.things_named[home][0].kind if home in self.things_named else ""
            if menu == name and any(self.world.is_kind(of, kind) or self.world.is_kind(kind, of) for kind in kinds):
                found += [(Entry(entry.option, entry.board), f"{key}.{entry.option.name}") for entry in group]
        return found

    def menu_tells(self, s: t.Menu, name: str, owner: Thing | None, env: Env) -> bool:
        key = (id(s), name, owner)
        if key not in self._tells:
            found = self.looked_into(s.done_when)
            inside = [(entry, address) for entry, address, _ in self.entries(s, name, owner, env)]
            if owner is not None and not self.says_which(s.path, env):
                inside += self.of_any(name, owner)
            for window, entry in self.windows_of(s):
                inside += [(e, f"{window}.{e.option.name}") for e in entry.options]
                found |= self.looked_into(entry.when)
            found |= self.of_entries(inside)
            self._tells[key] = bool(found & self._hidden)
        return self._tells[key]

    def of_entries(self, entries: list[tuple[Entry, str]]) -> set[str]:
        """What it hangs on which of these options are offered, with all that was edited and put around them."""
        found: set[str] = set()
        for e, address in entries:
            written = self.written_option(e, address)
            if written is not None:
                found |= self.of_option(self.whole_option(written[0], address))
        return found

    def race_tells(self, s: t.Race, env: Env) -> bool:
        if id(s) not in self._tells:
            entries = [(entry, address) for entry, address, _ in self.entries(s, s.menu, None, env)]
            self._tells[id(s)] = bool(self.of_entries(entries) & self._hidden)
        return self._tells[id(s)]
