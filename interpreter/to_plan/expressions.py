"""Expressions of the plan: constants folded, places computed, small fixed sets written out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import assert_never, cast

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import LARGEST, Extents, bounds, no_entry
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.constant import operate
from ichiba.dsl.world.kinds import FLAG, NUMBER, Kind
from ichiba.dsl.world.world import FIRST_THING, Member, World
from ichiba.interpreter.analysis.busy import MANY_STEPS
from ichiba.interpreter.analysis.simplify import as_usual, cheap, folded, inlined, plain, simpler
from ichiba.interpreter.analysis.variables import renamed
from ichiba.interpreter.layout import Layout, bag_sorts, counts_all
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    call,
    compare,
    logic,
    natural,
    place,
    plus,
    row,
    split,
    value_of,
)
from ichiba.interpreter.plan.parts import parts_of
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.runtime.runtime import pack

UNROLL = 8
UNROLL_APART = 40  # where the rules say something else for each of them
FEW = 4  # so many are looked through sooner than found in a table
MANY_PLACES = 8  # so many neighbours are looked through in one go
COMPARES = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}  # and how the plan says it
PLAIN = {"+", "-", "*", *COMPARES, "and", "or", "not", "neg"}
Clauses = tuple[p.Each, ...]


class Expressions(ABC):
    """Writes expressions. `names` says what a variable is called in Python; others live in the state."""

    prefix = ""  # of the names of tables and functions, where two modules share their names
    clever = True  # whether expressions may be said in another way

    def __init__(self, world: World, layout: Layout):
        self.world = world
        self.layout = layout
        self.tables: dict[str, object] = {}
        self.table_names: dict[object, str] = {}
        self.names: dict[ir.Var, p.Exp] = {}
        self.functions: dict[ir.Function, str] = {}
        self.function_queue: list[ir.Function] = []
        self.lists: set[ir.Var] = set()  # names that stand for a list, where others stand for a packed one
        self.secret_bases: dict[ir.Var, tuple[int, int]] = {}  # first place and stride of the answers of all seats
        self.all_asked: set[ir.Var] = set()  # what every seat has answered, in every game
        self.asked_at: dict[ir.Var, int] = {}  # where it stands who has answered
        self.fresh = 0
        self.faults: list[tuple[str, Span | None]] = []
        self.extents = Extents(world)
        self.metered = False  # whether what is being written could take very many steps
        self.homes: dict[str, tuple[str, Span | None]] = {}  # by generated function: which rule it is, and where
        self.simple_forms: dict[int, tuple[ir.Exp, ir.Exp]] = {}
        self.kinds: list[object] = []
        self.case_tables: dict[str, ir.ValueRef | ir.ProcRef] = {}  # functions by owner, to be written after them
        self.by_place: dict[str, tuple[tuple[object, ...], int, int]] = {}  # tables that are filled in when places are known

    # ---------------------------------------------------------------------------------------- names

    def new_name(self, hint: str = "v") -> str:
        self.fresh += 1
        clean = "".join(c if c.isalnum() and c.isascii() else "_" for c in hint)
        return f"{clean}_{self.fresh}"

    def table(self, rows: object, hint: str) -> str:
        """A fixed table of the generated module."""
        key = (hint, rows)
        if key not in self.table_names:
            clean = "".join(c if c.isalnum() and c.isascii() else "_" for c in hint).upper()
            name = f"{self.prefix}T{len(self.table_names)}_{clean}"
            self.table_names[key] = name
            self.tables[name] = rows
        return self.table_names[key]

    def var(self, var: ir.Var) -> p.Exp:
        return self.names[var] if var in self.names else p.Cell(p.Num(self.layout.slot(var)))

    # ---------------------------------------------------------------------------------- single values

    def simpler(self, e: ir.Exp) -> ir.Exp:
        """The same expression in the form in which it is quickest."""
        if not self.clever:
            return e
        known = self.simple_forms.get(id(e))
        if known is None:
            made = e
            for _ in range(8):
                before, made = made, self._as_counts(simpler(made))
                if made is before:
                    break
            known = self.simple_forms[id(e)] = (made, e)  # kept, so that no other takes its place
        return known[0]

    def _within(self, op: str, args: tuple[ir.Exp, ...]) -> p.Exp | None:
        """`x >= 3 and x <= 5` looks at x once."""
        match op, args:
            case "and", (
                ir.Op(op=">=", args=(one, ir.Const(value=low))),
                ir.Op(op="<=", args=(other, ir.Const(value=high))),
            ) if one == other:
                return say("{} == {}", self.ex(one), low) if low == high else say("{} <= {} <= {}", low, self.ex(one), high)
        return None

    def _counts_too(self, inner: ir.Pieces) -> bool:
        """Things that exist one by one are counted in their zones too."""
        if inner.sorts.one is not None or not inner.sorts.sorts:
            return False
        for zone in inner.zones:
            columns = self.zone_columns(zone, inner.sorts)
            if columns is None or any(columns[sort] < 0 for sort in inner.sorts.sorts):
                return False
        return True

    def quick_first(self, op: str, args: tuple[ir.Exp, ...]) -> list[ir.Exp]:
        """What `and` or `or` joins: what is quick may spare the rest."""
        parts: list[ir.Exp] = []
        todo = list(args)
        while todo:
            part = self.simpler(todo.pop(0))
            if isinstance(part, ir.Op) and part.op == op:
                todo[:0] = part.args
            else:
                parts.append(part)
        return sorted(parts, key=lambda part: not (cheap(self._counted_args(part)) or self.is_looked_up(part)))

    def _counted_args(self, e: ir.Exp) -> ir.Exp:
        """A comparison with its sides in their simplest form."""
        if isinstance(e, ir.Op):
            args = tuple(self._counted_args(self.simpler(arg)) for arg in e.args)
            return ir.Op(e.op, args, e.kind)
        return e

    def _as_counts(self, e: ir.Exp) -> ir.Exp:
        """How many counted pieces there are need not be found out one by one."""
        match e:
            case ir.Aggregate(how="any" | "no", value=ir.Op() | ir.Lookup() | ir.Contains() as test) if not isinstance(e.set, ir.Filtered):
                return ir.Aggregate(e.how, ir.Filtered(e.set, e.var, test, e.set.kind), e.var, None, e.kind)
            case ir.Aggregate(how="count", value=None, set=ir.Pieces(zones=zones, sorts=sorts) as inner):
                if self._pieces_single(inner) is False or self._counts_too(inner):
                    return ir.CountIn(zones, sorts, e.kind)
            case ir.Aggregate(how="any" | "no", value=None, set=ir.Pieces(zones=zones, sorts=sorts) as inner):
                if self._counts_too(inner):
                    count = ir.CountIn(zones, sorts, NUMBER)
                    return ir.Op(">" if e.how == "any" else "=", (count, ir.Const(0, NUMBER)), FLAG)
            case ir.Op(op=">=", args=(ir.CountIn() | ir.Aggregate(how="count"), ir.Const(value=0))):
                return ir.Const(1, FLAG)
        return e

    def ex(self, e: ir.Exp) -> p.Exp:
        e = self.simpler(e)
        match e:
            case ir.Const(value=value):
                return p.Num(value)
            case ir.Use():
                return self._use(e)
            case ir.Read(member=member, at=at):
                return p.Cell(self.place(member, at))
            case ir.ZoneAt(member=member, at=at) | ir.PurseAt(member=member, at=at):
                return self.place(member, at)
            case ir.Lookup():
                return self._lookup(e)
            case ir.SortOf(piece=piece):
                return self._sort_of(piece)
            case ir.PlaceOf(piece=piece):
                return self._place_of(piece)
            case ir.Only(zone=zone, kind=kind):
                return self._only(zone, kind)
            case ir.Op(op=op, args=args):
                return self._op(op, args)
            case ir.Cond(test=test, yes=yes, no=no):
                return p.Choice(self.test(test), self.ex(yes), self.ex(no))
            case ir.CallValue():
                return self._call(e)
            case ir.Aggregate():
                return self._aggregate(e)
            case ir.CountIn(zones=zones, sorts=sorts):
                return self._count_in(zones, sorts)
            case ir.Contains(set=inner, item=item):
                return self._contains(inner, item)
            case ir.BagCount(bag=bag, sorts=sorts):
                return self._bag_count(bag, sorts)
            case ir.SecretOf(var=var, seat=seat):
                first, stride = self.secret_bases[var]
                whose = self._who_was_asked(var, seat)
                return p.Cell(place([first, p.Op("*", whose, p.Num(stride)) if stride != 1 else whose]))
            case (
                ir.Listed()
                | ir.Span_()
                | ir.SeatsFrom()
                | ir.Pieces()
                | ir.Rows()
                | ir.Filtered()
                | ir.Mapped()
                | ir.FlatMapped()
                | ir.Joined()
                | ir.Ordered()
                | ir.Best()
                | ir.Chosen()
                | ir.Combos()
                | ir.Unpacked()
            ):
                if isinstance(e, ir.Listed) and all(isinstance(i, ir.Const) for i in e.items):
                    return p.Num(pack(i.value for i in e.items if isinstance(i, ir.Const)))
                return say("pack({})", self.listed(e, each=True))
            case ir.Kept(var=var):
                return say("pack({})", self.names[var]) if var in self.lists else self.var(var)
            case _:
                assert_never(e)

    def _only(self, zone: ir.Exp, kind: Kind) -> p.Exp:
        """The first piece of a zone; -1 when there is none."""
        pieces = ir.Pieces((zone,), ir.SortSet(tuple(self.world.categories.get(kind.name, ()))), kind)
        ends = self._ends(pieces)
        if ends is None:
            name = self.new_name("only")
            return say("next({}, -1)", p.Comp("stream", p.Name(name), self.clauses(pieces, name)))
        total = self._kept_total(zone, pieces.sorts) if isinstance(zone, ir.ZoneAt) else None
        if total is None:
            return say("first_of(S, {*})", ends)
        return say("S.index(1, {*}) if {} == 1 else first_of(S, {*}) if {} else -1", ends, total, ends, total)

    def condition(self, e: ir.Exp) -> p.Exp:
        """A part of a condition."""
        return self.ex(e)

    def test(self, e: ir.Exp) -> p.Exp:
        return self.ex(e)

    def place(self, member: Member, at: tuple[ir.Exp, ...]) -> p.Exp:
        """The place of a member: its base, and a step for each index."""
        return self._place(member, at, member.base, member.width)

    def _place(self, member: Member, at: tuple[ir.Exp, ...], base: int, stride: int) -> p.Exp:
        parts: list[p.Exp] = [p.Num(base)]
        for value, (low, size) in reversed(list(zip(at, member.dims, strict=True))):
            made = self.ex(value)
            if (fixed := value_of(made)) is not None:
                parts.append(p.Num((fixed - low) * stride))
            else:
                parts += [p.Num(-low * stride), p.Op("*", made, p.Num(stride)) if stride != 1 else made]
            stride *= size
        return place(parts)

    def _use(self, e: ir.Use) -> p.Exp:
        if e.at is None:
            return say("pack({})", self.names[e.var]) if e.var in self.lists else self.var(e.var)
        if e.var in self.names:
            return say("{}[{}]", self.names[e.var], self.ex(e.at))
        return p.Cell(place([self.layout.slot(e.var), self.ex(e.at)]))

    def _lookup(self, e: ir.Lookup) -> p.Exp:
        fixed = self._fixed_entry(e)
        if fixed is not None:
            return fixed
        if len(e.at) == 1 and isinstance(e.at[0], ir.SortOf) and self._is_count(e.at[0].piece):
            # a place knows its sort: one table is enough; nothing (-1) finds the last entry
            return say("{}[{}]", self.table_at(e.rows, e.name, e.low[0], e.other), self.ex(e.at[0].piece))
        if len(e.at) == 1:
            steady = self._steady(e.rows, e.at[0], e.low[0])
            if steady is not None:
                return steady
        if self._is_row(e) and len(e.at) == 1 and self.extents.inside(e):
            return place([self.ex(e.at[0]), cast(int, e.rows[0]) - e.low[0]])
        entry: p.Exp = p.Name(self.table(e.rows, e.name))
        for position, (value, low) in enumerate(zip(e.at, e.low, strict=True)):
            entry = p.Entry(entry, self._place_in(e, position, value, low))
        optional = any(v.kind.optional for v in e.at)
        if optional and len(e.at) == 1:
            first = self.ex(e.at[0])
            return say("{} if {} >= {} else {}", entry, first, e.low[0], e.other)
        return entry

    def _place_in(self, e: ir.Lookup, position: int, value: ir.Exp, low: int) -> p.Exp:
        """Where an entry stands; a number that may lie outside of the table is looked at first."""
        at = self._offset(value, low)
        if value.kind.form != "number" or natural(at) or self.extents.inside(e, position):
            return at
        least, most = bounds(e, position)
        told = no_entry(e, position), None
        if told not in self.faults:
            self.faults.append(told)
        return say("place_in({}, {}, {}, {}, FAULTS[{}])", self.ex(value), low, least, most, self.faults.index(told))

    def _who_was_asked(self, var: ir.Var, seat: ir.Exp) -> p.Exp:
        """The seat whose answer in secret is looked at; where others were asked or it may be nobody, that is a fault."""
        whose = self.ex(seat)
        if var in self.all_asked and not seat.kind.optional:
            return whose
        told = f"this seat was not asked for `{var.name}`", None
        if told not in self.faults:
            self.faults.append(told)
        there = [compare(whose, ">=", ZERO)] if seat.kind.optional else []
        asked = logic("and", [*there, say("S[{}] >> {} & 1", self.asked_at[var], whose)])
        last = self.world.config.seats - 1
        return say("place_in({} if {} else -1, 0, 0, {}, FAULTS[{}])", whose, asked, last, self.faults.index(told))

    def _is_row(self, e: ir.Lookup) -> bool:
        """Whether it stands for the seats, or the things of a kind, by their number."""
        return e.kind.form in ("seat", "thing") and e.at[0].kind.form == "number" and isinstance(e.rows[0], int)

    def _steady(self, rows: tuple[object, ...], at: ir.Exp, low: int) -> p.Exp | None:
        """A table whose entries follow each other needs no looking up."""
        if at.kind.form not in ("thing", "sort", "seat", "enum") or at.kind.optional or len(rows) < 2:
            return None
        first = rows[0]
        if not isinstance(first, int) or first < 0 or rows != tuple(range(first, first + len(rows))):
            return None
        return place([self.ex(at), first - low])

    def _is_count(self, piece: ir.Exp) -> bool:
        """Whether a piece is the place of a count."""
        return piece.kind.form == "piece" and self._is_individual(piece.kind.name) is False and not isinstance(piece, ir.Const)

    def table_at(self, rows: tuple[object, ...], hint: str, low: int = 0, other: int = -1) -> str:
        """A fixed table by the sort of a piece, as a table by the piece's place."""
        key = ("by place", hint, rows, low, other)
        if key not in self.table_names:
            clean = "".join(c if c.isalnum() and c.isascii() else "_" for c in hint).upper()
            name = f"{self.prefix}T{len(self.table_names)}_{clean}_AT"
            self.table_names[key] = name
            self.tables[name] = None
            self.by_place[name] = rows, low, other
        return self.table_names[key]

    def finished_tables(self) -> dict[str, object]:
        """The fixed tables, when all places are known; without those that somebody else fills in."""
        for name, (rows, low, other) in self.by_place.items():
            self.tables[name] = tuple(
                rows[sort - low] if 0 <= sort - low < len(rows) and sort >= 0 else other for sort in (*self.layout.sort_at, -1)
            )
        return {name: rows for name, rows in self.tables.items() if rows is not None}

    def _fixed_entry(self, e: ir.Lookup) -> p.Exp | None:
        """An entry whose indexes are known is looked up now."""
        found: object = e.rows
        for value, low in zip(e.at, e.low, strict=True):
            at = value_of(self.ex(value))
            if at is None or not isinstance(found, tuple):
                return None
            if not 0 <= at - low < len(found):
                return None if value.kind.form == "number" else p.Num(e.other)  # what a table lacks is told in play
            found = found[at - low]
        return p.Num(found) if isinstance(found, int) else None

    def _offset(self, value: ir.Exp, low: int) -> p.Exp:
        made = self.ex(value)
        if (fixed := value_of(made)) is not None:
            return p.Num(fixed - low)
        if not low:
            return made
        return p.Op("-", made, p.Num(low)) if low > 0 else p.Op("+", made, p.Num(-low))

    def _is_individual(self, category: str) -> bool | None:
        """True when everything of a category exists one by one, False when nothing does, None when mixed."""
        ids = self.world.categories.get(category)
        if ids is None or not ids:
            return True if category in self.world.kinds else None
        single = [self.world.sorts[i].individual for i in ids]
        return True if all(single) else None if any(single) else False

    def _sort_of(self, piece: ir.Exp) -> p.Exp:
        here = self.ex(piece)
        if isinstance(piece, ir.Const):
            return p.Num(self.world.thing(piece.value).sort if piece.value >= FIRST_THING else -1)
        single = True if piece.kind.form == "thing" else self._is_individual(piece.kind.name)
        things = self.table(tuple(t.sort for t in self.world.things), "sort_of_thing")
        at_place = self.late("SORT_AT")
        guard = piece.kind.optional
        if single is True:
            made = say("{}[{} - {}]", things, here, FIRST_THING)
        elif single is False:
            made = say("{}[{}]", at_place, here)
        else:
            made = say("{}[{} - {}] if {} >= {} else {}[{}]", things, here, FIRST_THING, here, FIRST_THING, at_place, here)
        return say("{} if {} >= 0 else -1", made, here) if guard else made

    def late(self, name: str) -> str:
        """A table that is filled in when all places are known."""
        self.tables.setdefault(name, None)
        return name

    def _place_of(self, piece: ir.Exp) -> p.Exp:
        here = self.ex(piece)
        if isinstance(piece, ir.Const) and piece.value < 0:
            return p.Num(-1)
        single = True if piece.kind.form == "thing" else self._is_individual(piece.kind.name)
        if "place" not in self.world.places:
            return say("{}[{}]", self.late("ZONE_AT"), here)
        member = self.world.places["place"]
        low = member.dims[0][0]
        made = p.Cell(place([here, member.base - low]))
        if single is True:
            return say("{} if {} >= 0 else -1", made, here) if piece.kind.optional else made
        other = say("{}[{}]", self.late("ZONE_AT"), here)
        return other if single is False else say("{} if {} >= {} else {}", made, here, FIRST_THING, other)

    def _op(self, op: str, args: tuple[ir.Exp, ...]) -> p.Exp:
        if self.clever and op in ("and", "or"):
            within = self._within(op, args)
            if within is not None:
                return within
            decides = int(op == "or")
            open_ = [part for part in self.quick_first(op, args) if part != ir.Const(1 - decides, FLAG)]
            if ir.Const(decides, FLAG) in open_ or not open_:
                return p.Num(decides if open_ else 1 - decides)
            return logic(op, [self.condition(part) for part in open_])
        if self.clever and op in ("+", "-", "*"):
            known = self._by_place(ir.Op(op, args, NUMBER))
            if known is not None:
                return known
        made = [self.ex(a) for a in args]
        match op:
            case "not":
                return p.Unary("not", made[0])
            case "neg":
                return p.Unary("-", made[0])
            case "/down":
                return p.Op("//", made[0], made[1])
            case "/up":
                return say("-(-{} // {})", made[0], made[1])
            case "min" | "max":
                return call(op, *made)
            case "power" if args[0] == ir.Const(2, args[0].kind) and self._few(args[1]):
                return p.Op("<<", ONE, made[1])
            case "power":
                return call("power", *made)
            case "*" if self.too_large(ir.Op(op, args, args[0].kind)):
                return say("big({} * {})", made[0], made[1])
            case "even":
                return say("{} % 2 == 0", made[0])
            case "abs":
                return call("abs", made[0])
            case "next_seat":
                return say("({} + 1) % {}", made[0], self.world.config.seats)
            case "+" | "*" if self.clever and all(natural(one) for one in made):
                return p.Num(operate(op, [value_of(one) or 0 for one in made], None))
            case "*" if ZERO in made:
                return ZERO
            case "+" if made[0] == ZERO:
                return made[1]
            case "+" if made[1] == ZERO:
                return made[0]
            case "*" if made[1] == ONE:
                return made[0]
        if op in COMPARES:
            return p.Compare(made[0], ((COMPARES[op], made[1]),))
        return logic(op, made) if op in ("and", "or") else p.Op(op, made[0], made[1])

    def _by_place(self, e: ir.Op) -> p.Exp | None:
        """What hangs on nothing but the sort of a counted piece stands in a table by its place."""
        e = ir.Op(e.op, tuple(self._counted_args(self.simpler(arg)) for arg in e.args), e.kind)
        nodes = list(walk(e))
        pieces = {n.var for n in nodes if isinstance(n, ir.Use)}
        if len(pieces) != 1 or not any(isinstance(n, ir.SortOf) for n in nodes):
            return None
        (piece,) = pieces
        if piece.kind.form != "piece" or piece.kind.optional or self._is_individual(piece.kind.name) is not False:
            return None
        values = {sort: self.by_sort(e, piece, sort) for sort in self.world.categories[piece.kind.name]}
        rows = [0 if (value := values.get(sort, 0)) is None else value for sort in range(len(self.world.sorts))]
        if None in values.values():
            return None
        return p.Entry(p.Name(self.table_at(tuple(rows), "worked_out", 0, 0)), self.var(piece))

    def _few(self, e: ir.Exp) -> bool:
        """Whether a power with this exponent surely is a number that may be."""
        low, high = self.extents.value(e)
        return low >= 0 and 2**min(high, 60) <= LARGEST

    def meter(self, *parts: ir.Node | None, most: int = MANY_STEPS) -> bool:
        """Whether the steps of what is now written must be counted while it runs. Gives what was said before."""
        before = self.metered
        self.metered = sum(self.extents.steps(part) for part in parts) > most
        return before

    def too_large(self, e: ir.Exp) -> bool:
        """Whether a number could leave the range that numbers keep to."""
        low, high = self.extents.value(e)
        return low < -LARGEST or high > LARGEST

    def _call(self, e: ir.CallValue) -> p.Exp:
        ref = e.function
        args = [p.S, *(self.ex(a) for a in e.args)]
        if ref.by is not None and ref.cases:
            chooser = e.args[ref.by]
            if isinstance(chooser, ir.Const):
                function = ref.cases.get(chooser.value, ref.default)
                return self._called(function, e.args, args) if function is not None else ZERO
            which, table = self.ex(chooser), self._cases(ref)
            called = p.Call(p.Entry(p.Name(table), which), tuple(args))
            usual = as_usual(e) if self.clever and _is_short(which) else None
            if usual is None:
                return called
            return say("{} if {} in {} else {}", called, which, self.table(frozenset(ref.cases), f"with_own_{ref.name}"), self.ex(usual))
        if ref.default is None:
            return ONE
        return self._called(ref.default, e.args, args)

    def _called(self, function: ir.Function, args: tuple[ir.Exp, ...], made: list[p.Exp]) -> p.Exp:
        called = call(self.function(function), *made)
        nothing = next((arg for arg in args if self.clever and self._nothing_for_none(function, args, arg)), None)
        return called if nothing is None else say("{} if {} else 0", called, self.ex(nothing))

    def _nothing_for_none(self, function: ir.Function, args: tuple[ir.Exp, ...], arg: ir.Exp) -> bool:
        """Whether a value is so many times something, and how many there are is quickly said: often there are none."""
        if not isinstance(arg, ir.CountIn) or not plain(arg):
            return False
        times = function.params[args.index(arg)]
        match function.body:
            case ir.Block(body=(*_, ir.GiveBack(values=(value,)))):
                pass
            case value:
                pass
        while isinstance(value, ir.Op) and value.op == "+" and value.args[1:] == (ir.Const(0, value.args[1].kind),):
            value = value.args[0]  # only its unit is another
        factors = value.args if isinstance(value, ir.Op) and value.op == "*" else ()
        return any(isinstance(factor, ir.Use) and factor.var is times for factor in factors)

    def _cases(self, ref: ir.ValueRef) -> str:
        """A table of functions by owner, written after them."""
        key = ("cases", id(ref))
        if key not in self.table_names:
            self.table_names[key] = f"{self.prefix}CASES_{len(self.table_names)}"
            self.case_tables[self.table_names[key]] = ref
            for function in [ref.default, *ref.cases.values()]:
                if function is not None:
                    self.function(function)
        return self.table_names[key]

    def function(self, function: ir.Function) -> str:
        if function not in self.functions:
            self.functions[function] = self.prefix + self.new_name("f_" + function.name)
            self.function_queue.append(function)
        return self.functions[function]

    # ------------------------------------------------------------------------------- what sets say of it

    @abstractmethod
    def listed(self, inner: ir.Set, each: bool = False) -> p.Exp:
        """A list of the values of a set; with `each`, counted pieces as often as they are there."""

    @abstractmethod
    def clauses(self, inner: ir.Set, name: str) -> Clauses:
        """`for name in … if …`: the set as clauses of a comprehension."""

    @abstractmethod
    def is_looked_up(self, e: ir.Exp) -> bool:
        """Whether an index knows it, and what it is asked for is known at once."""

    @abstractmethod
    def _aggregate(self, e: ir.Aggregate) -> p.Exp: ...

    @abstractmethod
    def _contains(self, inner: ir.Set, item: ir.Exp) -> p.Exp: ...

    @abstractmethod
    def _ends(self, inner: ir.Set) -> tuple[p.Exp, p.Exp] | None: ...

    @abstractmethod
    def _pieces_single(self, inner: ir.Pieces) -> bool | None: ...

    # ------------------------------------------------------------------------------------- aggregates

    def simple(self, inner: ir.Set) -> ir.Set:
        """A filter that hangs on nothing but the sort is worked out now: fewer sorts are left."""
        if not isinstance(inner, ir.Filtered):
            return inner
        outer = self.simple(inner.set)
        if isinstance(outer, ir.Pieces) and outer.sorts.one is None:
            open_ = []
            for part in self.quick_first("and", (inner.test,)) if self.clever else [inner.test]:
                values = {sort: self.by_sort(part, inner.var, sort) for sort in outer.sorts.sorts}
                if None in values.values():
                    open_.append(part)
                else:
                    kept = tuple(sort for sort, value in values.items() if value)
                    outer = ir.Pieces(outer.zones, ir.SortSet(kept), outer.kind)
            if outer.sorts != getattr(inner.set, "sorts", None) or not open_:
                left: ir.Set = outer
                for part in open_:
                    left = ir.Filtered(left, inner.var, part, inner.kind)
                return left
        if self.clever and isinstance(outer, ir.Listed) and len(outer.items) >= FEW:
            fitting = self._fitting(outer, inner.var, inner.test)
            if fitting is not None:
                return ir.Listed(fitting, outer.kind)
        return inner if outer is inner.set else ir.Filtered(outer, inner.var, inner.test, inner.kind)

    def _fitting(self, inner: ir.Listed, var: ir.Var, test: ir.Exp) -> tuple[ir.Exp, ...] | None:
        """Which of fixed values meet a condition that hangs on fixed fields only."""
        kept: list[ir.Exp] = []
        for item in inner.items:
            found = folded(renamed(test, {var: item})) if isinstance(item, ir.Const) else test
            if not isinstance(found, ir.Const):
                return None
            if found.value:
                kept.append(item)
        return tuple(kept)

    def by_sort(self, e: ir.Exp, var: ir.Var, sort: int) -> int | None:
        """What an expression comes to for a piece of a sort, if that is all it needs to know."""
        match e:
            case ir.Const(value=value):
                return value
            case ir.SortOf(piece=ir.Use(var=used)) if used is var:
                return sort
            case ir.Lookup(rows=rows, at=(at,), low=(low,), other=other):
                index = self.by_sort(at, var, sort)
                if index is None:
                    return None
                entry = rows[index - low] if 0 <= index - low < len(rows) else other
                return entry if isinstance(entry, int) else None
            case ir.Op(op="=" | "!=" | "<" | "<=" | ">" | ">=" as op, args=(ir.Use(var=used, at=None), ir.Const(value=limit))) if used is var:
                found = {operate(op, [t.id, limit], None) for t in self.world.things if t.sort == sort}
                return found.pop() if len(found) == 1 and self.world.sorts[sort].individual else None
            case ir.Op(op=op, args=args) if op in PLAIN:
                values = [self.by_sort(a, var, sort) for a in args]
                if any(v is None for v in values):
                    return None
                return operate(op, [v for v in values if v is not None], None)
            case ir.Contains(set=ir.Listed(items=items), item=item) if all(isinstance(i, ir.Const) for i in items):
                found_ = self.by_sort(item, var, sort)
                return None if found_ is None else int(any(i.value == found_ for i in items if isinstance(i, ir.Const)))
            case ir.CallValue(function=ref, args=args):
                chooser = None if ref.by is None else self.by_sort(args[ref.by], var, sort)
                function = ref.default if ref.by is None else ref.cases.get(chooser, ref.default) if chooser is not None else None
                call = None if function is None else ir.CallValue(ir.ValueRef(ref.name, function), args, e.kind)
                body = None if call is None else inlined(call, small=False)
                return None if body is None or body is call else self.by_sort(body, var, sort)
            case ir.Cond(test=test, yes=yes, no=no):
                first = self.by_sort(test, var, sort)
                return None if first is None else self.by_sort(yes if first else no, var, sort)
            case _:
                return None

    def _of_counts(self, e: ir.Aggregate, inner: ir.Pieces) -> p.Exp | None:
        """Counting and weighing counted pieces needs no loop."""
        if e.how in ("count", "any", "no") and e.value is None:
            count = self._count_in(inner.zones, inner.sorts)
            return count if e.how == "count" else compare(count, ">" if e.how == "any" else "==", ZERO)
        if e.how != "sum" or e.value is None or inner.sorts.one is not None:
            return None
        values: dict[int, int] = {}
        for sort in inner.sorts.sorts:
            value = self.by_sort(e.value, e.var, sort)
            if value is None:
                return None
            values[sort] = value
        parts: list[p.Exp] = []
        runs: list[tuple[Split, list[int]]] = []
        for zone in inner.zones:
            columns = self.zone_columns(zone)
            if columns is None:
                return None
            weights: dict[int, int] = {}
            for sort, value in values.items():
                if columns[sort] >= 0 and weights.setdefault(columns[sort], value) != value:
                    return None
            if weights:
                low, high = min(weights), max(weights)
                runs.append((split(place([self.ex(zone), low])), [weights.get(c, 0) for c in range(low, high + 1)]))
        for (terms, first), weighed in _neighbours(runs):
            ends = [place([*terms, n]) for n in (first, first + len(weighed))]
            parts.append(say("dot({}, S[{}:{}])", self.table(tuple(weighed), "weights"), *ends))
        return plus(parts)

    def _unrolled(self, e: ir.Aggregate) -> p.Exp | None:
        """Over a few fixed values, write every term out."""
        inner, tests = self._fixed_set(e.set)
        if inner is None or e.how not in ("count", "any", "no", "sum"):
            return None
        apart = self.clever and self._told_apart(e)
        if len(inner) > (UNROLL_APART if apart else UNROLL) or self._weight(e) * len(inner) > (1_000 if apart else 120):
            return None
        terms: list[p.Exp] = []
        for value in inner:
            conditions = [self.with_value(var, value, test) for var, test in tests]
            if e.how in ("any", "no", "count") and e.value is not None:
                conditions.append(self.with_value(e.var, value, e.value))
            if any(c in (ZERO, FALSE) for c in conditions):
                continue
            conditions = [c for c in conditions if c != ONE]
            if e.how in ("any", "no", "count"):
                terms.append(logic("and", conditions) if conditions else TRUE)
            else:
                known = {e.var: ir.Const(value, e.var.kind)} if apart else {}
                term = self.with_value(e.var, value, renamed(e.value, known)) if e.value is not None else p.Num(value)
                terms.append(p.Choice(logic("and", conditions), term, ZERO) if conditions else term)
        if e.how == "sum":
            return plus([term for term in terms if term != ZERO])
        if e.how == "count":
            return plus([ONE if term == TRUE else say("1 if {} else 0", term) for term in terms])
        joined = logic("or", terms) if terms else FALSE
        return joined if e.how == "any" else p.Unary("not", joined)

    def _told_apart(self, e: ir.Aggregate) -> bool:
        """Whether another function answers for each value: then every one is called, or put in, by itself."""
        value = e.value
        if not isinstance(value, ir.CallValue) or value.function.by is None or not value.function.cases:
            return False
        chooser = value.args[value.function.by]
        return isinstance(chooser, ir.Use) and chooser.var is e.var

    def _weight(self, e: object) -> int:
        return sum(1 for _ in walk(e))

    def _fixed_set(self, inner: ir.Set) -> tuple[list[int] | None, list[tuple[ir.Var, ir.Exp]]]:
        tests: list[tuple[ir.Var, ir.Exp]] = []
        while isinstance(inner, ir.Filtered):
            tests.append((inner.var, inner.test))
            inner = inner.set
        if isinstance(inner, ir.Listed) and all(isinstance(i, ir.Const) for i in inner.items):
            return [i.value for i in inner.items if isinstance(i, ir.Const)], tests
        if isinstance(inner, ir.Span_) and all(isinstance(x, ir.Const) for x in (inner.low, inner.high, inner.step)):
            low, high, step = (x.value for x in (inner.low, inner.high, inner.step) if isinstance(x, ir.Const))
            return list(range(low, high + 1, step)), tests
        return None, tests

    def with_value(self, var: ir.Var, value: int, e: ir.Exp) -> p.Exp:
        return self.with_name(var, p.Num(value), e)

    def with_name(self, var: ir.Var, name: p.Exp, e: ir.Exp) -> p.Exp:
        saved = self.names.get(var)
        self.names[var] = name
        made = self.ex(e)
        if saved is None:
            del self.names[var]
        else:
            self.names[var] = saved
        return made

    def _count_in(self, zones: tuple[ir.Exp, ...], sorts: ir.SortSet) -> p.Exp:
        parts = []
        for zone in zones:
            total = self._kept_total(zone, sorts)
            parts.append(total or self._count_one(self.ex(zone), self.zone_columns(zone, sorts), sorts))
        return plus([part for part in parts if part != ZERO])

    def zone_sorts(self, zone: ir.Exp) -> tuple[int, ...]:
        if isinstance(zone, ir.ZoneAt):
            return zone.member.sorts
        return tuple(self.world.categories.get(zone.kind.name, ()))

    def _kept_total(self, zone: ir.Exp, sorts: ir.SortSet) -> p.Exp | None:
        """How many pieces a zone holds in all, where that is kept."""
        if not isinstance(zone, ir.ZoneAt) or sorts.one is not None or zone.member not in self.layout.totals:
            return None
        if not counts_all(self.layout, zone.member, sorts.sorts):
            return None
        return p.Cell(self.total_place(zone))

    def total_place(self, zone: ir.ZoneAt) -> p.Exp:
        """Where the total of a zone is kept."""
        member = zone.member
        return self._place(member, zone.at, self.layout.totals[member], 1)

    def zone_columns(self, zone: ir.Exp, of: ir.SortSet | None = None) -> tuple[int, ...] | None:
        """By sort: its column in a zone; None when it depends on which zone it is. `of`: only these are asked for."""
        members = self.possible_zones(zone)
        found = {self.layout.columns_of(m) if m.owner_at is None else self._own_columns(m, zone, of) for m in members}
        return found.pop() if len(found) == 1 else None

    def _own_columns(self, member: Member, zone: ir.Exp, of: ir.SortSet | None) -> tuple[int, ...] | None:
        """The same for a zone that holds its owner's sorts only."""
        if not isinstance(zone, ir.ZoneAt) or member.owner_at is None:
            return None
        owner = zone.at[member.owner_at]
        fixed = value_of(self.ex(owner))
        if fixed is not None and fixed >= 0:
            return self.layout.column_of(self.layout.sorts_in(member, fixed))
        if of is None:
            return None
        everything = of.one is None and set(member.sorts) <= set(of.sorts)
        return self.layout.columns_of(member) if everything or self._its_own(member, owner, of.one) else None

    def _its_own(self, member: Member, owner: ir.Exp, sort: ir.Exp | None) -> bool:
        """Whether a sort surely is one of the owner's: `card of m` in a zone of m's."""
        match sort:
            case ir.Lookup(rows=rows, at=(at,), low=(low,)) if at == owner:
                return all(isinstance(row, int) and row in member.own.get(low + n, ()) for n, row in enumerate(rows))
            case _:
                return False

    def holds_own(self, zone: ir.Exp) -> bool:
        """Whether a zone may turn out to be one that holds its owner's sorts only."""
        return any(member.owner_at is not None for member in self.possible_zones(zone))

    def possible_zones(self, zone: ir.Exp) -> list[Member]:
        """The members that a zone worked out at run time can be."""
        match zone:
            case ir.ZoneAt(member=member):
                return [member]
            case ir.Cond(yes=yes, no=no):
                return [*self.possible_zones(yes), *self.possible_zones(no)]
        wanted = set(self.world.categories.get(zone.kind.name, ()))
        return [m for m in self.world.members() if m.form == "zone" and (not wanted or wanted & set(m.sorts))]

    def columns_table(self) -> str:
        """By zone: the columns of all sorts."""
        if self.tables.get("COLUMNS") is None:
            self.tables["COLUMNS"] = {first: self.layout.columns_at(first) for first in self.layout.zones}
        return "COLUMNS"

    def _count_one(self, zone: p.Exp, columns: tuple[int, ...] | None, sorts: ir.SortSet) -> p.Exp:
        if columns is None:
            those = row([self.ex(sorts.one)]) if sorts.one is not None else p.Name(self.table(sorts.sorts, "sorts"))
            return say("count_any(S, {}, {}[{}], {})", zone, self.columns_table(), zone, those)
        if sorts.one is not None:
            value = self.ex(sorts.one)
            if (fixed := value_of(value)) is not None and fixed >= 0:
                return p.Cell(place([zone, columns[fixed]])) if columns[fixed] >= 0 else ZERO
            column = self._column_by(columns, sorts.one, value)
            if all(columns[s] >= 0 for s in sorts.sorts):
                return p.Cell(place([zone, column]))
            return say("S[{} + {}] if {} >= 0 else 0", zone, column, column)
        wanted = sorted({columns[s] for s in sorts.sorts if columns[s] >= 0})
        if len(wanted) > 2 and wanted == list(range(wanted[0], wanted[-1] + 1)):
            return say("sum(S[{}:{}])", place([zone, wanted[0]]), place([zone, wanted[-1] + 1]))
        return plus([p.Cell(place([zone, column])) for column in wanted])

    def _column_by(self, columns: tuple[int, ...], sort: ir.Exp, made: p.Exp) -> p.Exp:
        """The column of a sort that is known at run time."""
        if isinstance(sort, ir.Lookup) and len(sort.at) == 1 and not sort.at[0].kind.optional and self._fixed_entry(sort) is None:
            rows = [row for row in sort.rows if isinstance(row, int) and row < len(columns)]
            if len(rows) == len(sort.rows):  # two tables are one
                found = tuple(columns[row] for row in rows)
                steady = self._steady(found, sort.at[0], sort.low[0])
                if steady is not None:
                    return steady
                table = self.table(found, f"column_of_{sort.name}")
                return p.Entry(p.Name(table), self._offset(sort.at[0], sort.low[0]))
        return p.Entry(p.Name(self.table(columns, "column")), made)

    def _bag_count(self, bag: ir.Var, sorts: ir.SortSet) -> p.Exp:
        return self._count_one(p.Num(self.layout.slot(bag)), self.layout.column_of(bag_sorts(self.world, bag)), sorts)


Split = tuple[tuple[p.Exp, ...], int]  # what varies of a place, and what is fixed


def _neighbours(runs: list[tuple[Split, list[int]]]) -> list[tuple[Split, list[int]]]:
    """Runs of places that follow each other become one."""
    joined: list[tuple[Split, list[int]]] = []
    for (terms, first), weights in runs:
        if joined:
            (last, start), before = joined[-1]
            if last == terms and start + len(before) == first:
                before.extend(weights)
                continue
        joined.append(((terms, first), list(weights)))
    return joined


def _is_short(e: p.Exp) -> bool:
    """Whether it may be said twice: no table and no place within a place is looked up for it."""
    match e:
        case p.Num() | p.Name() | p.Choice() | p.Op() | p.Unary() | p.Compare() | p.Logic():
            return True
        case p.Cell(at=p.Num() | p.Name()):
            return True
        case p.Cell(at=p.Sum(terms=terms)):
            return not any(_looks_up(term) for term in terms)
        case _:
            return False


def _looks_up(e: p.Exp) -> bool:
    return any(isinstance(part, p.Cell | p.Entry | p.Part) for part in parts_of(e))
