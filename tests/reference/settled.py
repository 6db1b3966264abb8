"""What is known before the game is put in its place: what it rules out is as if it were not written.

    if even(3): reveal my.hand      # is nothing
    else: lower my.luck by 1        # is what is done
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.box import World
from tests.reference.trees import nodes, parts_of_node
from tests.reference.values import Amount, Value, Word, bare, unit_of, with_unit
from tests.reference.world import plural

COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
RECKONED: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/up": lambda a, b: -(-a // b), "/down": lambda a, b: a // b,
}  # fmt: skip
SAYING_WHO = (t.Let, t.LetBest, t.Remember, t.Flag, t.Binder, t.ChooseOne, t.ChooseNumber, t.ChooseSome, t.Pick, t.Roll, t.Draw)


class Unknown(Exception):
    """It hangs on what happens."""


class Settled:
    """One rule with what is known put in its place."""

    def __init__(self, world: World, item: t.Item):
        self.world = world
        self.its_own = {param.name for param in getattr(item, "params", None) or ()}
        for node in nodes(item):
            if isinstance(node, SAYING_WHO):
                self.its_own |= {getattr(node, "name", None), *getattr(node, "names", ())}

    # ------------------------------------------------------------------------------------- what is known

    def known(self, e: t.Expr) -> bool | None:
        """What a condition comes to in every game that is set up so."""
        try:
            value = self.of(e)
        except Unknown:
            return None
        return value if isinstance(value, bool) else None

    def of(self, e: t.Expr) -> Value:
        match e:
            case t.Int() | t.Money() | t.Name(name="true" | "false") | t.Aggregate(how="count", what=t.Name(name="seats")):
                return self.world.fixed.of(e)
            case t.Name(name=name) if name not in self.its_own:
                return self.named(name)
            case t.Some(amount=amount, what=t.Name(name=name)):
                unit = next((u for u in self.world.units if name in (u, plural(u))), None)
                if unit is not None:
                    return Amount(bare(self.of(amount)), unit)
            case t.Call(what=t.Name(name=name), args=args):
                return self.called(name, [self.of(arg) for arg in args])
            case t.Choice(condition=condition, yes=yes, no=no):
                return self.of(yes if self.of(condition) else no)
            case t.Operation(op="and" | "or" as op, args=args):
                return self.junction(op == "or", [self.known(arg) for arg in args])
            case t.Operation(op="=" | "!=" as op, args=(t.Name() as a, t.Name() as b)) if (same := self.same_word(a, b)) is not None:
                return same == (op == "=")
            case t.IsA(what=t.Name() as option, kind=t.Name() as word, negated=negated):
                if (same := self.same_word(option, word)) is not None:
                    return same != negated
            case t.Operation(op=op, args=args):
                return self.operation(op, [self.of(arg) for arg in args])
        raise Unknown

    def named(self, name: str) -> Value:
        """A number, or an option that is a number or a flag, or a seat that is not drawn."""
        value = self.world.numbers.get(name, self.world.options.get(name))
        if value is None or value == "random" or isinstance(value, tuple | Word):
            raise Unknown
        return value

    def same_word(self, one: t.Name, other: t.Name) -> bool | None:
        """Whether that word was chosen, where one of them is an option and the other a word of it."""
        for option, word in ((one.name, other.name), (other.name, one.name)):
            chosen = self.world.options.get(option)
            if isinstance(chosen, Word) and word in self.world.words[option] and not {option, word} & self.its_own:
                return chosen.name == word
        return None

    def called(self, name: str, args: list[Value]) -> Value:
        first = args[0] if args else 0
        match name:
            case "min" | "max":
                return (min if name == "min" else max)(args, key=bare)
            case "even":
                return bare(first) % 2 == 0
            case "abs":
                return with_unit(abs(bare(first)), unit_of(first))
            case "number" if isinstance(first, int | Amount):
                return bare(first)
            case "power":
                return 0 if bare(args[1]) < 0 else bare(first) ** bare(args[1])
        at = tuple(bare(arg) for arg in args)
        if name in self.its_own or at not in self.world.tables.get(name, {}):
            raise Unknown
        return self.world.tables[name][at]

    def junction(self, settles: bool, sides: list[bool | None]) -> bool:
        if settles in sides:
            return settles
        if None in sides:
            raise Unknown
        return not settles

    def operation(self, op: str, args: list[Value]) -> Value:
        if op == "not":
            return not args[0]
        if op == "neg":
            return with_unit(-bare(args[0]), unit_of(args[0]))
        if op in ("=", "!=") and not all(isinstance(arg, int | Amount) for arg in args):
            return COMPARED[op](*args)
        a, b = map(bare, args)
        if op in COMPARED:
            return COMPARED[op](a, b)
        unit = "" if op.startswith("/") and unit_of(args[1]) else unit_of(args[0]) or unit_of(args[1])
        return with_unit(RECKONED[op](a, b), unit)

    # ------------------------------------------------------------------------------ what is left of a rule

    def rest(self, node: Any) -> Any:
        """The same, without what is ruled out."""
        if isinstance(node, tuple):
            made = tuple(self.rest(part) for part in node)
            return node if all(a is b for a, b in zip(made, node, strict=True)) else made
        if not isinstance(node, t.Node):
            return node
        match node:
            case t.If():
                return self.rest_of_branches(node)
            case t.Choice(condition=condition, yes=yes, no=no) if (known := self.known(condition)) is not None:
                return self.rest(yes if known else no)
            case t.Operation(op="and" | "or", args=args):
                known = self.known(node)
                left = [arg for arg in args if self.known(arg) is None]
                if known is not None or len(left) < len(args):
                    return self.rest(left[0]) if known is None else t.Name(node.span, "true" if known else "false")
        names = [name for name in node.__dataclass_fields__ if name not in ("span", "sort_span")]
        changes = {name: self.rest(part) for name, part in zip(names, parts_of_node(node), strict=True)}
        changed = {name: part for name, part in changes.items() if part is not getattr(node, name)}
        return replace(node, **changed) if changed else node

    def rest_of_branches(self, s: t.If) -> t.Statement:
        left: list[Any] = []
        for condition, block in s.branches:
            known = self.known(condition)
            if known is None:
                left.append((self.rest(condition), self.rest(block)))
            elif known and left:
                return replace(s, branches=tuple(left), otherwise=self.rest(block))
            elif known:
                return replace(s, branches=((t.Name(condition.span, "true"), self.rest(block)),), otherwise=None)
        if left:
            return replace(s, branches=tuple(left), otherwise=self.rest(s.otherwise))
        if s.otherwise is None:
            return t.Nothing(s.span)
        return replace(s, branches=((t.Name(s.span, "true"), self.rest(s.otherwise)),), otherwise=None)


    def rest_of_item(self, item: t.Item) -> t.Item | None:
        """A rule around something whose `when` is known never to hold is none; where it is known to hold, nothing is asked."""
        if isinstance(item, t.Rule) and item.moment.what != "whenever" and item.moment.condition is not None:
            known = self.known(item.moment.condition)
            if known is False:
                return None
            if known:
                item = replace(item, moment=replace(item.moment, condition=None))
        rest: t.Item = self.rest(item)
        return rest


def without_what_is_ruled_out(world: World) -> None:
    """All rules of a box, with what is known of this setting in its place."""
    world.box.rules[:] = [
        replace(rules, items=tuple(filter(None, (Settled(world, item).rest_of_item(item) for item in rules.items))))
        for rules in world.box.rules
    ]
