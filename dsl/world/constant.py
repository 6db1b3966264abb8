"""Works out what is fixed before the game: numbers and tables of the box, for this many seats and these options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ichiba.dsl.faults.fault import Edit, Faults, nearest
from ichiba.dsl.faults.signs import said_otherwise
from ichiba.dsl.faults.source import Span
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.habits import NUMBERS
from ichiba.dsl.syntax.parse import parse_expression
from ichiba.dsl.world.kinds import number, unit_of
from ichiba.dsl.world.world import Table, World
from ichiba.dsl.yaml.reading import Map, Node, Scalar

LARGEST = 10**12
MOST_PLACES = 100_000  # of a table
MOST_STEPS = 100_000  # to work out numbers, tables, conditions and the like before a game: of all together
Amount = tuple[int, str]  # a number, and its unit if it has one


class CannotWorkOut(Exception):
    """An expression of the box that has no fixed value."""

    def __init__(self, code: str, span: Span | None, message: str, label: str = "", repair: tuple[Edit, ...] = ()):
        super().__init__(message)
        self.code, self.span, self.message, self.label, self.repair = code, span, message, label, repair

    def tell(self, faults: Faults) -> None:
        if not self.code:  # it has been told
            return
        faults.add(self.code, self.span, self.message, label=self.label, repair=self.repair)


@dataclass(slots=True)
class Scope:
    """The names a fixed expression may use, and the units of those that are amounts."""

    world: World
    values: dict[str, int] = field(default_factory=dict)
    tables: dict[str, dict[tuple[int, ...], int]] = field(default_factory=dict)
    members: Callable[[str, str], Amount | None] = lambda owner, name: None
    chosen: dict[str, tuple[str, tuple[str, ...]]] = field(
        default_factory=dict
    )  # an option's word, and all it could be
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what stands in an option that is a list
    things: Callable[[str], str | None] = lambda name: name  # the same name, if anything has it, or the nearest
    each: Callable[[str, str], Iterator[None] | None] = lambda name, plurals: None  # things of a kind, each under that name
    no_members: Callable[[str, str], bool | None] = lambda owner, name: None  # of a field that is a set: whether it is empty
    words: dict[str, str] = field(default_factory=dict)  # of the sort that is counted out: what it is for, by its fields
    pieces: Callable[[str], int | None] = lambda name: None  # how many there are of a family, a category or a sort

    def amount(self, name: str) -> Amount:
        """The value of a name, and its unit."""
        known = self.world.numbers.get(name) or self.world.options.get(name)
        return self.values[name], unit_of(known[1]) if known is not None else ""


def scope_of(world: World) -> Scope:
    """What is known of a world before the game: its numbers, tables and options."""
    known = {"seats": world.config.seats} | {name: value for name, (value, _) in world.numbers.items()}
    known |= {n: v for n, (v, kind) in world.options.items() if isinstance(v, int) and kind.form not in ("seat", "thing")}
    return Scope(world, known, {name: table.rows for name, table in world.tables.items()}, pieces=world.how_many)


def work_out(node: Node, scope: Scope, faults: Faults, default: int = 0, unit: str = "") -> int:
    """The whole number that a YAML value stands for: `7`, or an expression such as `min(seats, 4)`.

    Where a unit is declared, a plain number is an amount in it; amounts in other units are faults."""
    value, own = amount_of(node, scope, faults, (default, unit))
    if own and own != unit:
        message, label = _other_unit(own, unit)
        faults.add("E301", node.span, message, label=label)
        return default
    return value


def amount_of(node: Node, scope: Scope, faults: Faults, default: Amount = (0, "")) -> Amount:
    """The number that a YAML value stands for, and its unit if it says one: `$3`, `2 hour`."""
    if isinstance(node, Scalar):
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            return node.value, ""
        if isinstance(node.value, str):
            if faults.told(node.span):
                return default
            expr = parse_expression(node.text, faults)
            if expr is None:
                return default
            try:
                return fixed_amount(expr, scope)
            except CannotWorkOut as fault:
                fault.tell(faults)
                return default
    if isinstance(node, Map):
        return by_seats(node, scope, faults, default)
    faults.add("E103", node.span, "a number is expected here")
    return default


def _other_unit(unit: str, wanted: str) -> tuple[str, str]:
    """What is wrong with an amount, and what is needed instead."""
    return f"this is {number(unit)}", f"{number(wanted)} is needed"


def by_seats(node: Map, scope: Scope, faults: Faults, default: Amount = (0, "")) -> Amount:
    """`{2: 9, 3: 12, 4: 15}`: a number for each number of seats."""
    for key, value in node.entries:
        if key.value == scope.values.get("seats"):
            return amount_of(value, scope, faults, default)
    faults.add("E107", node.span, f"nothing is said for {scope.values.get('seats')} seats")
    return default


def evaluate(expr: t.Expr, scope: Scope, unit: str = "") -> int:
    """A fixed number; where a unit is declared, an amount in it. A plain number is in whatever unit is declared."""
    value, own = fixed_amount(expr, scope)
    if own and own != unit:
        raise CannotWorkOut("E301", expr.span, *_other_unit(own, unit))
    return value


def fixed_amount(expr: t.Expr, scope: Scope) -> Amount:
    """A fixed number and its unit. All that is fixed before a game shares one bound: it is as much for each way to set it up."""
    scope.world.fixed_steps += 1
    if scope.world.fixed_steps > MOST_STEPS:
        first = scope.world.fixed_steps == MOST_STEPS + 1
        message = f"what is worked out before the game takes more than {MOST_STEPS:,} steps"
        raise CannotWorkOut("E204" if first else "", expr.span, message, "each with each of many things, or long tables with `then`")
    value, unit = _evaluate(expr, scope)
    if abs(value) > LARGEST:
        raise CannotWorkOut("E204", expr.span, "this number is too large", f"at most {LARGEST:,}")
    return value, unit


def _evaluate(expr: t.Expr, scope: Scope) -> Amount:
    match expr:
        case t.Int(value=value):
            return value, ""
        case t.Money():
            return expr.value, _unit_of_sign(expr, "", scope)
        case t.Some(amount=t.Money() as money, what=t.Name(name=behind)):
            return money.value, _unit_of_sign(money, behind, scope)
        case t.Some(amount=amount, what=t.Name(name=name) as what):
            return evaluate(amount, scope), _unit_named(what, name, scope)
        case t.Name(name=name):
            return _name(expr, name, scope)
        case t.Member(of=t.Name(name=owner), name=name):
            found = scope.members(owner, name)
            if found is None:
                raise CannotWorkOut("E205", expr.span, f"`{owner}.{name}` is not known before the game")
            return found
        case t.Choice(condition=condition, yes=yes, no=no):
            return fixed_amount(yes if evaluate(condition, scope) else no, scope)
        case t.Aggregate(how="count", what=t.Name(name="seats")):
            return scope.values["seats"], ""
        case t.Aggregate(how="count", what=t.Name(name=name)) if (many := scope.pieces(name)) is not None:
            return many, ""
        case t.Call(what=t.Name(name=name), names=(called, *_)):
            label = "leave the names out; what stands in its brackets goes by its order"
            raise CannotWorkOut("E330", called.span, f"`{name}` takes nothing by its name", label)
        case t.Call(what=t.Name(name="number"), args=(arg,)):
            return fixed_amount(arg, scope)[0], ""
        case t.Call(what=t.Name(name=name), args=args):
            return _call(expr, name, args, scope)
        case t.IsA(what=t.Name(name=option), kind=t.Name(name=word) as kind, negated=negated) if option in scope.chosen:
            chosen, words = scope.chosen[option]
            if word not in words:
                label = "it is one of " + ", ".join(words)
                raise CannotWorkOut("E205", kind.span, f"`{option}` is never `{word}`", label)
            return int((chosen == word) != negated), ""
        case t.Operation(op="=" | "!=" as op, args=(t.Name(name=option) as one, other)) if option in scope.chosen:
            raise CannotWorkOut("E319", *said_otherwise(op, one.span, other.span))
        case t.IsA(what=one, kind=other, negated=negated):
            raise CannotWorkOut("E319", *said_otherwise("is not" if negated else "is", one.span, other.span))
        case t.Within(what=t.Name(name=name), where=t.Name(name=option)) if option in scope.lists:
            nearest_name = scope.things(name)
            if nearest_name != name:
                hint = f"did you mean `{nearest_name}`?" if nearest_name else ""
                raise CannotWorkOut("E205", expr.span, f"nothing is called `{name}`", hint)
            return int(name in scope.lists[option]), ""
        case t.IsEmpty(what=t.Name(name=option), negated=negated) if option in scope.lists:
            return int(bool(scope.lists[option]) == negated), ""
        case t.IsEmpty(what=t.Member(of=t.Name(name=owner), name=name), negated=negated) if (
            bare := scope.no_members(owner, name)
        ) is not None:
            return int(bare != negated), ""
        case t.IsNone(what=t.Name(name=option), negated=negated) if option in scope.world.options:
            return int(_is_none(option, expr, scope) != negated), ""
        case t.Aggregate(
            how="any" | "no" | "count" as how,
            what=t.Those(selection=t.Within(what=t.Name(name=name), where=t.Name(name=plurals)), condition=condition),
        ) if (those := scope.each(name, plurals)) is not None:
            there = sum(1 for _ in those if evaluate(condition, scope))
            return there if how == "count" else int((there > 0) == (how == "any")), ""
        case t.Operation(op=op, args=args):
            worked_out = [fixed_amount(arg, scope) for arg in args]
            unit = _unit_of(op, [unit for _, unit in worked_out], args)
            return operate(op, [value for value, _ in worked_out], expr.span), unit
        case _:
            raise CannotWorkOut("E205", expr.span, "this is not known before the game")


def _is_none(option: str, expr: t.Expr, scope: Scope) -> bool:
    value, kind = scope.world.options[option]
    if kind.form != "thing":
        raise CannotWorkOut("E205", expr.span, f"`{option}` is never none")
    return value == -1


def _unit_of_sign(money: t.Money, behind: str, scope: Scope) -> str:
    unit = scope.world.written_with(money.sign, behind)
    if unit is None:
        raise CannotWorkOut("E301", money.span, *no_such_way(scope.world, money, behind))
    return unit


def no_such_way(world: World, money: t.Money, behind: str) -> tuple[str, str]:
    """No unit is written so: what is wrong, and how amounts are written, above all those that begin alike."""
    all_ways = [write.replace("{}", "5") for write, _ in world.units.values()]
    ways = [way for way in all_ways if way.startswith(money.sign)] or all_ways
    label = "amounts are written " + ", ".join(f"`{way}`" for way in ways) if ways else ""
    return f"no unit is written like `{money.sign}{money.value:,}{behind}`", label


def _unit_named(node: t.Expr, name: str, scope: Scope) -> str:
    unit = scope.world.unit_named(name)
    if unit is None:
        hint = nearest(name, scope.world.units)
        raise CannotWorkOut("E205", node.span, f"no unit is called `{name}`", f"did you mean `{hint}`?" if hint else "")
    return unit


def _unit_of(op: str, units: list[str], args: tuple[t.Expr, ...]) -> str:
    """The unit of what comes out; units that do not go together are faults."""
    left, right = units[0], units[1] if len(units) > 1 else units[0]
    match op:
        case "neg":
            return left
        case "*" if not (left and right):
            return left or right
        case "/up" | "/down" if right in ("", left):
            return "" if right else left
        case "*" | "/up" | "/down":
            raise CannotWorkOut("E301", args[1].span, *_other_unit(right, ""))
        case "and" | "or" | "not":
            return ""
    if left != right:
        raise CannotWorkOut("E301", args[1].span, *_other_unit(right, left))
    return left if op in ("+", "-") else ""


def _name(expr: t.Expr, name: str, scope: Scope) -> Amount:
    if name in scope.values:
        return scope.amount(name)
    hint = nearest(name, scope.values)
    raise CannotWorkOut(
        "E205",
        expr.span,
        f"no number or option is called `{name}`",
        NUMBERS.get(name) or (f"did you mean `{hint}`?" if hint else ""),
    )


def _call(expr: t.Expr, name: str, args: tuple[t.Expr, ...], scope: Scope) -> Amount:
    if name in ("min", "max") and args:
        amounts = [fixed_amount(arg, scope) for arg in args]
        for arg, (_, unit) in zip(args, amounts, strict=True):
            if unit != amounts[0][1]:
                raise CannotWorkOut("E301", arg.span, *_other_unit(unit, amounts[0][1]))
        values = [value for value, _ in amounts]
        return min(values) if name == "min" else max(values), amounts[0][1]
    rows = scope.tables.get(name)
    if rows is None:
        raise CannotWorkOut("E205", expr.span, f"no table is called `{name}`")
    table = scope.world.tables[name]
    if table.kinds and len(args) != len(table.kinds):
        raise CannotWorkOut("E211", expr.span, f"the table `{name}` has {len(table.kinds)} indexes, {len(args)} are given")
    at = tuple(_index(arg, table, place, scope) for place, arg in enumerate(args))
    if at not in rows:
        said = ", ".join(_said(arg, n, scope) for arg, n in zip(args, at, strict=True))
        raise CannotWorkOut("E205", expr.span, f"the table `{name}` has no entry for {said}")
    return rows[at], table.kind.name


def _index(arg: t.Expr, table: Table, place: int, scope: Scope) -> int:
    """A number; or where a table goes by names, the place of this one among its kind."""
    kind = table.kinds[place] if table.kinds else None
    if kind is None:
        return evaluate(arg, scope)
    match arg:
        case t.Name(name=name):
            word = scope.words.get(name) or scope.chosen.get(name, (name,))[0]
        case t.Call(what=t.Name(name="seat"), args=(number,)) if kind.form == "seat":
            word = str(evaluate(number, scope))
        case _:
            raise CannotWorkOut("E301", arg.span, "a name is needed here", f"the table `{table.name}` is asked with {kind}")
    names = table.names[place]
    if word not in names:
        hint = nearest(word, names)
        raise CannotWorkOut("E205", arg.span, f"`{word}` is not {kind}", f"did you mean `{hint}`?" if hint else "")
    return names.index(word) + 1


def _said(arg: t.Expr, number: int, scope: Scope) -> str:
    return scope.words.get(arg.name, arg.name) if isinstance(arg, t.Name) and arg.name not in scope.values else str(number)


OPERATIONS = frozenset(
    ("+", "-", "*", "neg", "/up", "/down", "=", "!=", "<", "<=", ">", ">=", "and", "or", "not", "min", "max", "abs", "even")
)  # the others hang on more than numbers, or may be too large


def operate(op: str, args: list[int], span: Span | None) -> int:
    """Arithmetic and conditions as the whole language understands them: any of `OPERATIONS`."""
    a, b = args[0], args[1] if len(args) > 1 else 0
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "neg":
            return -a
        case "/up" | "/down":
            if b == 0:
                raise CannotWorkOut("E305", span, "this divides by zero")
            return -(-a // b) if op == "/up" else a // b
        case "=":
            return int(a == b)
        case "!=":
            return int(a != b)
        case "<":
            return int(a < b)
        case "<=":
            return int(a <= b)
        case ">":
            return int(a > b)
        case ">=":
            return int(a >= b)
        case "and":
            return int(all(args))
        case "or":
            return int(any(args))
        case "not":
            return int(not a)
        case "min":
            return min(args)
        case "max":
            return max(args)
        case "abs":
            return abs(a)
        case "even":
            return int(a % 2 == 0)
        case _:
            raise AssertionError(op)
