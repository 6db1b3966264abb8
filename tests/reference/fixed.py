"""What is fixed before a game begins: the numbers and tables of the YAML files, for these seats and options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_expression
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq
from tests.reference.values import Amount, RulesWrong, Value, bare, unit_of, with_unit

TABLE_TAIL = 100  # how far a table with `then` is worked out


def parsed(node: Scalar) -> t.Expr:
    """A YAML text as an expression of the rules."""
    faults = Faults()
    found = parse_expression(node.text, faults)
    if found is None or faults.errors:
        raise RulesWrong(f"{node.value!r} is no expression")
    return found


@dataclass
class Fixed:
    """The names that are known before the game, and what expressions of them come to.

    A number keeps its unit; between two of which only one has a unit, that one holds.
    """

    values: dict[str, Value] = field(default_factory=dict)
    tables: dict[str, dict[tuple[Any, ...], Value]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)  # what was chosen for an option of words
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)  # and for one that is a list
    signs: dict[str, str] = field(default_factory=dict)
    units: tuple[str, ...] = ()
    named: dict[str, list[bool]] = field(default_factory=dict)  # of tables: which of the indexes are names
    current: dict[str, str] = field(default_factory=dict)  # what the sort that is counted out is for
    pieces: Callable[[str], int] | None = None  # how many there are of a family, category or sort
    member: Callable[[str, str], Value] | None = None  # `market.barrels`, while pieces are counted out

    # ---------------------------------------------------------------------------------------- YAML values

    def number(self, node: Node) -> Value:
        """`7`, `min(seats, 4)`, or one for each number of seats, `{2: 9, 3: 12}`."""
        if isinstance(node, Map):
            return self.number(next(value for key, value in node.entries if key.value == self.values["seats"]))
        if isinstance(node, Scalar) and isinstance(node.value, bool | int):
            return int(node.value)
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return self.of(parsed(node))
        raise RulesWrong(f"a number is expected at {node.span}")

    def named_in(self, node: Any) -> set[str]:
        """All names in a number or in the entries of a table."""
        if isinstance(node, tuple):
            return set().union(*map(self.named_in, node))
        if isinstance(node, Map):
            return self.named_in(tuple(value for _, value in node.entries))
        if isinstance(node, Seq):
            return self.named_in(tuple(node.items))
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return {part.name for part in t.walk(parsed(node)) if isinstance(part, t.Name)}
        return set()

    def of_text(self, text: str) -> Value:
        """A side of a grid, `9` or `size`."""
        found = parse_expression(Embedded.whole(Source("", text.strip())), Faults())
        if found is None:
            raise RulesWrong(f"{text!r} is no expression")
        return self.of(found)

    def table(
        self, node: Node, base: int, then: Node | None, names: Sequence[list[str] | None] = ()
    ) -> dict[tuple[Any, ...], int]:
        """Lists count from `base`, maps go by their keys; `then` works out what follows, as `n`. Of an index that goes by
        names both go by these, and what is not there is left out."""
        rows: dict[tuple[Any, ...], int] = {}

        def fill(at: tuple[Any, ...], here: Node) -> None:
            its = names[len(at)] if len(at) < len(names) else None
            if isinstance(here, Map):
                for key, value in here.entries:
                    if its is None or str(key.value) in its:
                        fill((*at, key.value if its is None else str(key.value)), value)
            elif isinstance(here, Seq) and its is not None:
                for name, value in zip(its, here.items, strict=False):
                    fill((*at, name), value)
            elif isinstance(here, Seq):
                for place, value in enumerate(here.items, base):
                    fill((*at, place), value)
            else:
                rows[at] = bare(self.number(here))

        fill((), node)
        if then is not None and all(len(at) == 1 for at in rows):
            for n in range(max((at[0] for at in rows), default=base - 1) + 1, TABLE_TAIL):
                self.values["n"] = n
                rows[(n,)] = bare(self.number(then))
            self.values.pop("n", None)
        return rows

    # ---------------------------------------------------------------------------------------- expressions

    def of(self, e: t.Expr) -> Value:
        match e:
            case t.Int(value=value):
                return value
            case t.Money(sign=sign, value=value):
                return with_unit(value, self.signs.get(sign, ""))
            case t.Name(name="true" | "yes"):
                return True
            case t.Name(name="false" | "no"):
                return False
            case t.Name(name=name) if name in self.values:
                return self.values[name]
            case t.Member(of=t.Name(name=owner), name=name) if self.member is not None:
                return self.member(owner, name)
            case t.Some(amount=amount, what=t.Name(name=name)):
                unit = next((u for u in (name, name.removesuffix("s")) if u in self.units), None)
                return self.of(amount) if unit is None else Amount(bare(self.of(amount)), unit)
            case t.Choice(condition=condition, yes=yes, no=no):
                return self.of(yes if self.of(condition) else no)
            case t.Aggregate(how="count", what=t.Name(name="seats")):
                return self.values["seats"]
            case t.Aggregate(how="count", what=t.Name(name=name)) if self.pieces is not None:
                return self.pieces(name)
            case t.Call(what=t.Name(name="number"), args=(arg,)):
                return bare(self.of(arg))
            case t.Call(what=t.Name(name=name), args=args) if any(self.named.get(name, ())):
                return self.tables[name][
                    tuple(self.name(arg) if its else bare(self.of(arg)) for arg, its in zip(args, self.named[name], strict=True))
                ]
            case t.Call(what=t.Name(name=name), args=args):
                return self.call(name, [self.of(arg) for arg in args])
            case t.IsA(what=t.Name(name=option), kind=t.Name(name=word), negated=negated) if option in self.words:
                return (self.words[option] == word) != negated
            case t.Within(what=t.Name(name=name), where=t.Name(name=option)) if option in self.lists:
                return name in self.lists[option]
            case t.IsEmpty(what=t.Name(name=option), negated=negated) if option in self.lists:
                return bool(self.lists[option]) == negated
            case t.Operation(op=op, args=args):
                return self.operation(op, [self.of(arg) for arg in args])
        raise RulesWrong(f"{e} is not known before the game")

    def name(self, e: t.Expr) -> str:
        """What a table is asked with: a name, or what stands behind it now."""
        if isinstance(e, t.Name):
            return self.current.get(e.name) or self.words.get(e.name) or e.name
        assert isinstance(e, t.Call)
        return str(bare(self.of(e.args[0])))  # seat(1)

    def call(self, name: str, args: list[Value]) -> Value:
        if name in ("min", "max"):
            return (min if name == "min" else max)(args, key=bare)
        return self.tables[name][tuple(bare(arg) for arg in args)]

    def operation(self, op: str, args: list[Value]) -> Value:
        unit = next((unit_of(arg) for arg in args if unit_of(arg)), "")
        a, b = bare(args[0]), bare(args[1]) if len(args) > 1 else 0
        conditions: dict[str, Callable[[], Any]] = {
            "=": lambda: a == b,
            "!=": lambda: a != b,
            "<": lambda: a < b,
            "<=": lambda: a <= b,
            ">": lambda: a > b,
            ">=": lambda: a >= b,
            "and": lambda: bool(a and b),
            "or": lambda: bool(a or b),
            "not": lambda: not a,
        }
        if op in conditions:
            return conditions[op]()
        numbers: dict[str, Callable[[], int]] = {
            "+": lambda: a + b,
            "-": lambda: a - b,
            "*": lambda: a * b,
            "neg": lambda: -a,
            "/up": lambda: -(-a // b),
            "/down": lambda: a // b,
        }
        return with_unit(numbers[op](), unit)
