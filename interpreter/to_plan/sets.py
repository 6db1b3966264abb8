"""Sets in the plan: clauses of comprehensions, lists, and what is found in a table instead of looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.analysis.indexes import Index
from ichiba.interpreter.analysis.simplify import folded, heavy, index_of, parts_of
from ichiba.interpreter.analysis.variables import renamed
from ichiba.interpreter.layout import MANY_THINGS, WIDE_ZONE
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import (
    FALSE,
    NONE,
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
from ichiba.interpreter.plan.parts import parts_of as trees_in
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.expressions import FEW, MANY_PLACES, Clauses, Expressions

MOST_RELATED = 100  # so many values may stand on the other side of a condition


class Sets(Expressions):
    """Writes sets, and what is said of all their members."""

    def _aggregate(self, e: ir.Aggregate) -> p.Exp:
        inner = self.simple(e.set)
        looked_up = self._looked_up(e)
        if looked_up is not None:
            return looked_up
        if isinstance(inner, ir.Pieces) and self._pieces_single(inner) is False:
            quick = self._of_counts(e, inner)
            if quick is not None:
                return quick
        if inner is not e.set:
            e = ir.Aggregate(e.how, inner, e.var, e.value, e.kind)
        unrolled = self._unrolled(e)
        if unrolled is not None:
            return unrolled
        name = self.new_name("x")
        if e.how == "first":
            return self._first(e.set, name)
        if e.how == "list":
            return self.listed(e.set)
        saved = self.names.get(e.var)
        self.names[e.var] = p.Name(name)
        made = self._gone_through(e, name)
        self._restore(e.var, saved)
        return made

    def _gone_through(self, e: ir.Aggregate, name: str) -> p.Exp:
        """What is said of all members, found by going through them."""
        many = self.each(e.set, name)

        def stream(item: p.Exp) -> p.Exp:
            return p.Comp("stream", item, self.clauses(e.set, name))

        match e.how:
            case "count":
                return call("sum", stream(many))
            case "any":
                return call("any", stream(TRUE if e.value is None else self.ex(e.value)))
            case "no":
                return p.Unary("not", call("any", stream(TRUE if e.value is None else self.ex(e.value))))
            case "sum":
                value = self.ex(e.value) if e.value is not None else p.Name(name)
                return call("sum", stream(value if many == ONE else p.Op("*", value, many)))
            case _:
                value = self.ex(e.value) if e.value is not None else p.Name(name)
                return call("max" if e.how == "highest" else "min", stream(value), p.Given("default", ZERO))

    def _first(self, inner: ir.Set, name: str) -> p.Exp:
        """The first of a set; -1 when it is empty."""
        if isinstance(inner, ir.Joined):
            return p.Entry(logic("or", [*(self.listed(part) for part in inner.sets), row([-1])]), ZERO)
        if isinstance(inner, ir.Ordered):
            return call("min", self.listed(inner.set), p.Given("key", self._key(inner)), p.Given("default", p.Num(-1)))
        return say("next({}, -1)", p.Comp("stream", p.Name(name), self.clauses(inner, name)))

    def _contains(self, inner: ir.Set, item: ir.Exp) -> p.Exp:
        match inner:
            case ir.Listed(items=items):
                if not items:
                    return FALSE
                if len(items) == 1:
                    return compare(self.ex(item), "==", self.ex(items[0]))
                return compare(self.ex(item), "in", row(self.ex(i) for i in items))
            case ir.Filtered(set=outer, var=var, test=test) if isinstance(item, ir.Use | ir.Const):
                return logic("and", [self._contains(outer, item), self.with_name(var, self.ex(item), test)])
            case ir.SeatsFrom(seat=seat, others=True):
                return compare(self.ex(item), "!=", self.ex(seat))
            case ir.SeatsFrom():
                return TRUE
            case ir.Rows():
                return compare(self.ex(item), "in", self._rows(inner))
            case _:
                return compare(self.ex(item), "in", self.listed(inner))

    def listed(self, inner: ir.Set, each: bool = False) -> p.Exp:
        """A list of the values; with `each`, counted pieces as often as they are there."""
        inner = self.simple(inner)
        match inner:
            case ir.Listed(items=items) if all(isinstance(i, ir.Const) for i in items):
                return p.Row("list", tuple(self.ex(i) for i in items))
            case ir.Kept(var=var):
                return self.names[var] if var in self.lists else call("unpack", self.var(var))
            case ir.Unpacked(packed=packed):
                return call("unpack", self.ex(packed))
            case ir.Ordered():
                return self._ordered(inner, each)
            case ir.Best():
                return self._best(inner, each)
            case ir.Combos():
                return self._combos(inner)
        quick = None if each else self.present(inner)
        if quick is not None:
            return call("list", quick)
        name = self.new_name("x")
        clauses = self._clauses_each(inner, name) if each else self.clauses(inner, name)
        return p.Comp("list", p.Name(name), clauses)

    def _ends(self, inner: ir.Set) -> tuple[p.Exp, p.Exp] | None:
        """Where counted pieces that lie next to each other in the state begin and end."""
        if not isinstance(inner, ir.Pieces) or self._pieces_single(inner) is not False or inner.sorts.one is not None:
            return None
        cells, dynamic = self._places(inner, list(inner.sorts.sorts))
        return None if dynamic or len(cells) < 2 else self.as_range(cells)

    def present(self, inner: ir.Set, line: Callable[..., None] | None = None) -> p.Exp | None:
        """Counted pieces that lie next to each other in the state: which of them are there, to go through."""
        ends = self._ends(inner)
        if ends is None:
            return None
        low, high = ends
        if line is not None and value_of(low) is None:
            base = self.new_name("base")
            line("{} = {}", base, low)
            low, high = p.Name(base), place([base, split(high)[1] - split(low)[1]])
        return say("compress(range({}, {}), S[{}:{}])", low, high, low, high)

    def _ordered(self, inner: ir.Ordered, each: bool) -> p.Exp:
        return call("sorted", self.listed(inner.set, each), p.Given("key", self._key(inner)))

    def _key(self, inner: ir.Ordered) -> p.Exp:
        """What a set is ordered by, as a function."""
        name = self.new_name("x")
        keys = []
        for key, highest in inner.keys:
            made = self.with_name(inner.var, p.Name(name), key)
            keys.append(p.Unary("-", made) if highest else made)
        return p.Lambda((name,), keys[0] if len(keys) == 1 else row(keys))

    def _best(self, inner: ir.Best, each: bool) -> p.Exp:
        name = self.new_name("x")
        key = self.with_name(inner.var, p.Name(name), inner.key)
        return call("best", self.listed(inner.set, each), p.Lambda((name,), key), p.Truth(bool(inner.highest)))

    def _combos(self, inner: ir.Combos) -> p.Exp:
        name = p.Name(self.new_name("x"))
        many = self.each(inner.set, name.name)
        kinds = self.listed(inner.set)
        look = self.look(inner.set)
        spread = p.Spread(p.Name(look))
        if inner.amount == 1:
            return say("[{} + 2 for {} in {}]", name, name, call("lowest", p.S, kinds, spread) if look else kinds)
        weights = NONE if many == p.Cell(name) else say("[{} for {} in {}]", many, name, kinds)
        found = call("combos", p.S, kinds, weights, inner.amount)
        return call("unlike", p.S, found, spread) if look else found

    def look(self, inner: ir.Set) -> str:
        """The functions that tell things apart; only where options are made."""
        return ""

    def each(self, inner: ir.Set, name: str) -> p.Exp:
        """How often a value of the set counts: pieces that are counted, as many times as there are."""
        element = inner.kind.of
        if element is None or element.form != "piece":
            return ONE
        counted = p.Cell(p.Name(name))
        either = p.Choice(compare(p.Name(name), "<", p.Num(FIRST_THING)), counted, ONE)
        match inner:
            case ir.Pieces():
                single = self._pieces_single(inner)
                return ONE if single is True else counted if single is False else either
            case ir.Filtered(set=outer) | ir.Best(set=outer) | ir.Ordered(set=outer):
                return self.each(outer, name)
            case ir.FlatMapped(inner=outer):
                return self.each(outer, name)
            case ir.Chosen():
                return counted
            case ir.Joined(sets=sets):
                found = {self.each(s, name) for s in sets}
                return found.pop() if len(found) == 1 else either
            case _:
                return ONE

    def _pieces_single(self, inner: ir.Pieces) -> bool | None:
        single = [self.world.sorts[i].individual for i in inner.sorts.sorts]
        return (True if all(single) else None if any(single) else False) if single else False

    def clauses(self, inner: ir.Set, name: str) -> Clauses:
        """`for name in … if …`: the set as clauses of a comprehension. Where there may be very many, they are counted."""
        made = self._clauses(inner, name)
        return tested(made, call("tick")) if self.metered and not isinstance(inner, ir.Filtered | ir.Mapped) else made

    def _clauses(self, inner: ir.Set, name: str) -> Clauses:
        inner = self.simple(inner)
        match inner:
            case ir.Listed(items=items):
                values = [i.value for i in items if isinstance(i, ir.Const)]
                if len(values) == len(items) > 3 and values == list(range(values[0], values[0] + len(values))):
                    return each(name, call("range", values[0], values[-1] + 1))
                return each(name, row(self.ex(i) for i in items))
            case ir.Span_(low=low, high=high, step=step):
                by = self.ex(step)
                ends = [self.ex(low), place([self.ex(high), 1])]
                return each(name, call("range", *ends, *([] if by == ONE else [by])))
            case ir.SeatsFrom(seat=seat, others=others):
                return each(name, p.Entry(p.Name(self._seats_table(others)), self.ex(seat)))
            case ir.Pieces():
                return self._pieces(inner, name)
            case ir.Rows():
                return each(name, self._rows(inner))
            case ir.Filtered(set=outer, var=var, test=test):
                indexed = self._indexed(inner, name) if self.clever else None
                if indexed is not None:
                    return indexed
                those = self.those_with_something(outer, var, name, test) if self.clever else None
                if those is not None:
                    clauses, left = those
                    return tested(clauses, *(self.with_name(var, p.Name(name), part) for part in left))
                first = self.clauses(outer, name)
                return tested(first, self.with_name(var, p.Name(name), test))
            case ir.Mapped(binders=binders, value=value):
                return self._mapped(binders, value, name)
            case ir.FlatMapped(set=outer, var=var, inner=last):
                own = self.new_name("y")
                first = self._clauses_each(outer, own)
                saved = self.names.get(var)
                self.names[var] = p.Name(own)
                rest = self.clauses(last, name)
                self._restore(var, saved)
                return first + rest
            case ir.Joined(sets=sets):
                parts = row(self.listed(s) for s in sets)
                whole = p.Name(self.new_name("part"), "list")
                return (p.Each((whole,), parts), *each(name, whole))
            case ir.Chosen(bag=bag):
                cell = self.layout.slot(bag)
                return each(name, call("range", cell, cell + bag.width), p.Cell(p.Name(name)))
            case _:
                return each(name, self.listed(inner))

    def those_with_something(self, inner: ir.Set, var: ir.Var, name: str, test: ir.Exp) -> tuple[Clauses, list[ir.Exp]] | None:
        """Fixed values that follow each other, of which a place each says whether they count: as clauses, with the rest
        of the condition."""
        inner = self.simple(inner)
        if not isinstance(inner, ir.Listed) or len(inner.items) < FEW or self.metered:
            return None
        values = [i.value for i in inner.items if isinstance(i, ir.Const)]
        if values != list(range(values[0], values[0] + len(inner.items))):
            return None
        parts = self.quick_first("and", (test,))
        own = p.Name(name)
        for at, part in enumerate(parts):
            if var not in (n.var for n in walk(part) if isinstance(n, ir.Use)):
                continue
            found = _something(self.with_name(var, own, part))
            if found is None or found[1] and not (isinstance(part, ir.Op) and self.extents.value(part.args[0])[0] >= 0):
                continue  # below nothing there would be something too
            terms, fixed = split(found[0])
            others = [term for term in terms if term != own]
            if len(others) != len(terms) - 1 or own in trees_in(tuple(others)):
                continue
            low, high = (place([*others, fixed + end]) for end in (values[0], values[-1] + 1))
            source = say("compress(range({}, {}), S[{}:{}])", values[0], values[-1] + 1, low, high)
            return each(name, source), parts[:at] + parts[at + 1 :]
        return None

    def _indexed(self, inner: ir.Filtered, name: str) -> Clauses | None:
        """Those of a fixed set, or of counted pieces, with a certain entry in a fixed field: found, not looked for."""
        base, tests = parts_of(inner)
        for at, (var, test) in enumerate(tests):
            index = self._index(base, var, test)
            if index is not None:
                rest = tests[:at] + tests[at + 1 :]
                return tested(self._found(index, name), *(self.with_name(v, p.Name(name), t) for v, t in rest))
        return None

    def _index(self, base: ir.Set, var: ir.Var, test: ir.Exp, counted: bool = False) -> Index | None:
        """The members of a set by their entry in a fixed field, where a condition says what that must be; `counted`:
        only how many there are matters."""
        found = index_of(self._counted_args(test), var)
        if found is None:
            return self._related(base, var, test) if counted else None
        own, value = found
        name = next((n.name for n in walk(own) if isinstance(n, ir.Lookup)), "sort")
        fixed, more = self._fixed_set(base)
        if fixed is not None and not more:
            made = {n: folded(renamed(own, {var: ir.Const(n, var.kind)})) for n in fixed}
            if len(fixed) < FEW or not all(isinstance(entry, ir.Const) for entry in made.values()):
                return None
            return Index.of(name, {n: entry.value for n, entry in made.items() if isinstance(entry, ir.Const)}, None, value)
        if not isinstance(base, ir.Pieces) or base.sorts.one is not None:
            return None
        if len(base.zones) != 1 or self._pieces_single(base) is not False and not (counted and self._counts_too(base)):
            return None
        columns = self.zone_columns(base.zones[0])
        entries = {sort: self.by_sort(own, var, sort) for sort in base.sorts.sorts}
        if columns is None or None in entries.values():
            return None
        index = Index.of(name, entries, base.zones[0], value, columns)
        return index if index.width >= FEW and index.is_plain else None

    def _related(self, base: ir.Set, var: ir.Var, test: ir.Exp) -> Index | None:
        """The sorts that meet a condition which hangs on nothing but the sort and one other value."""
        uses = {n.var: n for n in walk(test) if isinstance(n, ir.Use) and n.var is not var}
        if len(uses) != 1 or not isinstance(base, ir.Pieces) or base.sorts.one is not None or len(base.zones) != 1:
            return None
        ((other, use),) = uses.items()
        columns = self.zone_columns(base.zones[0])
        values = self.world.values(other.kind) if other.kind.form in ("thing", "sort", "seat", "enum") else ()
        if columns is None or not 0 < len(values) <= MOST_RELATED or use.at is not None or not self._counts_too(base):
            return None
        by: dict[object, list[int]] = {}
        for value in values:
            one = folded(renamed(test, {other: ir.Const(value, other.kind)}))
            met = {sort: self.by_sort(one, var, sort) for sort in base.sorts.sorts}
            if None in met.values():
                return None
            by[value] = sorted({columns[sort] for sort, yes in met.items() if yes})
        return Index(f"related_to_{other.name}", by, base.zones[0], use)

    def _found(self, index: Index, name: str) -> Clauses:
        """What an index finds, as clauses."""
        entries = self._entry(index, {key: tuple(found) for key, found in index.by.items()}, (), "by")
        if index.zone is None:
            return each(name, entries)
        column = self.new_name("c")
        at = place([self.ex(index.zone), column])
        return (*each(column, entries), *each(name, row([at]), p.Cell(p.Name(name))))

    def _entry(self, index: Index, entries: dict[object, object], missing: object, hint: str) -> p.Exp:
        """The entry of a fixed table by the value that the field must have."""
        value, kind = index.value, index.value.kind
        domain = self.world.domain(kind)
        if domain is None or kind.optional and domain[0] > 0:
            name = self.table(tuple(entries.items()), f"{hint}_{index.field}")
            self.tables[name] = entries
            return p.Method(p.Name(name), "get", (self.ex(value), literal(missing)))
        low, size = domain  # a place more: nothing (-1) finds the last
        if isinstance(value, ir.Lookup) and len(value.at) == 1 and not value.at[0].kind.optional:
            step = self._fixed_entry(value)
            if step is None and all(isinstance(entry, int) for entry in value.rows):
                rows = tuple(entries.get(entry, missing) for entry in value.rows)
                return self._entry_at(rows, value.at[0], value.low[0], f"{hint}_{value.name}")
        rows = tuple(entries.get(low + n, missing) for n in range(size)) + (missing,)
        steady = self._steady(rows[:-1], value, low)
        if steady is not None:
            return steady
        at = self._offset(value, low)
        if natural(at) and (value_of(at) or 0) < size and isinstance(fixed := rows[value_of(at) or 0], int):
            return p.Num(fixed)
        return p.Entry(p.Name(self.table(rows, f"{hint}_{index.field}")), at)

    def _entry_at(self, rows: tuple[object, ...], at: ir.Exp, low: int, hint: str) -> p.Exp:
        steady = self._steady(rows, at, low)
        return p.Entry(p.Name(self.table(rows, hint)), self._offset(at, low)) if steady is None else steady

    def _looked_up(self, e: ir.Aggregate) -> p.Exp | None:
        """Whether, and how many: where an index knows it, nothing needs to be gone through."""
        if e.how not in ("any", "no", "count") or e.value is not None or not isinstance(e.set, ir.Filtered):
            return None
        base, tests = parts_of(self.simple(e.set))
        index = self._index(base, *tests[0], counted=True) if len(tests) == 1 and self.clever else None
        if index is None:
            return None
        if index.zone is None:
            counts: dict[object, object] = {key: len(found) for key, found in index.by.items()}
            count = self._entry(index, counts, 0, "how_many")
        elif index.most == 1:
            columns: dict[object, object] = {key: found[0] for key, found in index.by.items()}
            column = self._entry(index, columns, -1, "column")
            count = p.Cell(place([self.ex(index.zone), column]))
            if not self._all_there(index):
                count = say("{} if {} >= 0 else 0", count, column)
        else:
            name = self.new_name("c")
            entries = self._entry(index, {key: tuple(found) for key, found in index.by.items()}, (), "by")
            counted = say("[S[{}] for {} in {}]", place([self.ex(index.zone), name]), name, entries)
            if e.how == "count":
                return call("sum", counted)
            return call("any", counted) if e.how == "any" else p.Unary("not", call("any", counted))
        return count if e.how == "count" else compare(count, ">" if e.how == "any" else "==", ZERO)

    def is_looked_up(self, e: ir.Exp) -> bool:
        """Whether an index knows it, and what it is asked for is known at once."""
        return isinstance(e, ir.Aggregate) and not heavy(e.set, 1) and self._looked_up(e) is not None

    def _all_there(self, index: Index) -> bool:
        """Whether every value that the field can be asked for is one of the index's."""
        domain = self.world.domain(index.value.kind)
        if domain is None or index.value.kind.optional:
            return False
        return all(n in index.by for n in range(domain[0], sum(domain)))

    def _restore(self, var: ir.Var, saved: p.Exp | None) -> None:
        if saved is None:
            self.names.pop(var, None)
        else:
            self.names[var] = saved

    def _clauses_each(self, inner: ir.Set, name: str) -> Clauses:
        """The set as clauses, with counted pieces as often as they are there: something follows from every one."""
        many = self.each(inner, name)
        again = () if many == ONE else each(self.new_name("n"), call("range", many))
        return self.clauses(inner, name) + again

    def _mapped(self, binders: tuple[tuple[ir.Var, ir.Set], ...], value: ir.Exp, name: str) -> Clauses:
        made: Clauses = ()
        saved: list[tuple[ir.Var, p.Exp | None]] = []
        for var, domain in binders:
            own = self.new_name(var.name)
            made += self._clauses_each(domain, own)
            saved.append((var, self.names.get(var)))
            self.names[var] = p.Name(own)
        made += each(name, row([self.ex(value)]))
        for var, old in saved:
            self._restore(var, old)
        return made

    def _seats_table(self, others: bool) -> str:
        n = self.world.config.seats
        first = 1 if others else 0
        rows = tuple(tuple((s + k) % n for k in range(first, n)) for s in range(n))
        return self.table(rows, "others_from" if others else "seats_from")

    def _rows(self, inner: ir.Rows) -> p.Exp:
        return p.Entry(p.Name(self.table(inner.rows, inner.name)), self._offset(inner.at, inner.low))

    def _pieces(self, inner: ir.Pieces, name: str) -> Clauses:
        single = self._pieces_single(inner)
        counted = [s for s in inner.sorts.sorts if not self.world.sorts[s].individual]
        alone = [s for s in inner.sorts.sorts if self.world.sorts[s].individual]
        if single is True:
            return self._individuals(inner, alone, name)
        if single is False:
            return self._cells(inner, counted, name)
        a, b, whole = self.new_name("x"), self.new_name("x"), p.Name(self.new_name("part"), "list")
        first: p.Exp = p.Comp("list", p.Name(a), self._cells(inner, counted, a))
        if inner.sorts.one is not None:
            single_sorts = self.table(tuple(s.individual for s in self.world.sorts), "individual")
            first = say("[] if {}[{}] else {}", single_sorts, self.ex(inner.sorts.one), first)
        second = p.Comp("list", p.Name(b), self._individuals(inner, alone, b))
        return (p.Each((whole,), row([first, second])), *each(name, whole))

    def _cells(self, inner: ir.Pieces, sorts: list[int], name: str) -> Clauses:
        """Those of the places of counted pieces with something in them, as clauses."""
        something = p.Cell(p.Name(name))
        cells, dynamic = self._places(inner, sorts)
        if dynamic:
            return each(name, plus([*([p.Row("list", tuple(cells))] if cells else []), *dynamic]), something)
        whole = self.as_range(cells)
        if whole is None and len(cells) > 1 and all(natural(cell) for cell in cells):
            table = self.table(tuple(value_of(cell) for cell in cells), "cells")
            return each(name, p.Name(table), something)
        if whole is None or len(cells) == 1:
            return each(name, row(cells), something)
        if len(cells) < MANY_PLACES:
            return each(name, call("range", *whole), something)
        return each(name, say("compress(range({}, {}), S[{}:{}])", *whole, *whole))

    def _places(self, inner: ir.Pieces, sorts: list[int]) -> tuple[list[p.Exp], list[p.Exp]]:
        """The places where pieces of a set are counted, and lists of places that only the running game knows."""
        cells: list[p.Exp] = []
        dynamic: list[p.Exp] = []
        for zone in inner.zones:
            columns = self.zone_columns(zone, inner.sorts)
            base = self.ex(zone)
            if columns is None:
                those = row([self.ex(inner.sorts.one)]) if inner.sorts.one is not None else p.Name(self.table(tuple(sorts), "sorts"))
                dynamic.append(say("cells_any({}, {}[{}], {})", base, self.columns_table(), base, those))
            elif inner.sorts.one is not None and any(columns[sort] < 0 for sort in inner.sorts.sorts):
                dynamic.append(say("cells_any({}, {}, ({},))", base, self.table(columns, "column"), self.ex(inner.sorts.one)))
            elif inner.sorts.one is not None:
                table = self.table(columns, "column")
                one = self.ex(inner.sorts.one)
                cells.append(place([base, columns[value_of(one) or 0] if natural(one) else p.Entry(p.Name(table), one)]))
            else:
                wanted = dict.fromkeys(columns[s] for s in sorts if columns[s] >= 0)
                cells.extend(place([base, column]) for column in wanted)
        return cells, dynamic

    def as_range(self, cells: Sequence[p.Exp]) -> tuple[p.Exp, p.Exp] | None:
        """Neighbouring places: where they begin and end."""
        apart = [split(cell) for cell in cells]
        if not apart or any(terms != apart[0][0] for terms, _ in apart):
            return None
        numbers = [fixed for _, fixed in apart]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            return None
        terms = apart[0][0]
        return place([*terms, numbers[0]]), place([*terms, numbers[-1] + 1])

    def _anything(self, zones: tuple[ir.Exp, ...]) -> p.Exp | None:
        """Whether something lies in one of these zones, where that is quickly said."""
        found: list[p.Exp] = []
        for zone in zones:
            if not isinstance(zone, ir.ZoneAt) or len(zones) > 4:
                return None
            if zone.member in self.layout.totals:
                found.append(p.Cell(self.total_place(zone)))
            elif zone.member.width * len(zones) <= 4:
                found += [p.Cell(place([self.ex(zone), column])) for column in range(zone.member.width)]
            else:
                return None
        return logic("or", found) if found else None

    def _how_many(self, zone: ir.Exp) -> p.Exp | None:
        """How many pieces a zone holds in all, where that is quickly said."""
        if not isinstance(zone, ir.ZoneAt):
            return None
        if zone.member in self.layout.totals:
            return p.Cell(self.total_place(zone))
        if not 0 < zone.member.width < WIDE_ZONE:
            return None
        return plus([p.Cell(place([self.ex(zone), column])) for column in range(zone.member.width)])

    def _lying(self, inner: ir.Pieces, ids: list[int], offset: int) -> p.Exp | None:
        """The things of zones that know how many they hold, found by the places of neighbouring things."""
        if len(ids) < MANY_THINGS or len(inner.zones) > 6:
            return None
        if ids[-1] - ids[0] + 1 > 3 * len(ids):
            return None
        found, totals = [], []
        for zone in inner.zones:
            many = self._how_many(zone)
            if many is None or "ordered" in zone.member.words:  # type: ignore[union-attr]
                return None
            if natural(self.ex(zone)):
                return None  # a zone of the table's or of a board's, where much may lie
            totals.append(many)
            among = [ids[0] + offset, ids[-1] + 1 + offset, -offset]
            found.append(say("lying(S, {}, {}, {*}) if {} else ()", self.ex(zone), many, among, many))
        if len(found) == 1:
            return found[0]
        return say("sorted([{*}]) if {} else ()", [p.Spread(one) for one in found], logic("or", totals))

    def _individuals(self, inner: ir.Pieces, sorts: list[int], name: str) -> Clauses:
        ids = [t.id for t in self.world.things if t.sort in set(sorts)]
        if not ids:
            return each(name, row([]))
        own = p.Name(name)
        member = self.world.places["place"]
        offset = member.base - member.dims[0][0]
        follow = ids == list(range(ids[0], ids[0] + len(ids)))
        source: p.Exp = call("range", ids[0], ids[-1] + 1) if follow else p.Name(self.table(tuple(ids), "things"))
        zones = [self.ex(z) for z in inner.zones]
        of_sort = []
        lying = self._lying(inner, ids, offset)
        if lying is not None and not follow:
            of_sort.append(compare(own, "in", p.Name(self.table(frozenset(ids), "these"))))
        if inner.sorts.one is not None:
            things = self.table(tuple(t.sort for t in self.world.things), "sort_of_thing")
            of_sort.append(say("{}[{} - {}] == {}", things, own, FIRST_THING, self.ex(inner.sorts.one)))
        if lying is not None:
            return each(name, lying, *of_sort)
        there = self._anything(inner.zones) if len(ids) >= MANY_THINGS else None
        if there is not None:
            source = say("{} if {} else ()", source, there)
        wanted: p.Exp = zones[0] if len(zones) == 1 else row(zones)
        before: Clauses = ()
        if len(ids) >= MANY_THINGS and not all(natural(zone) for zone in zones):
            worked_out = p.Name(self.new_name("zone"), "number" if len(zones) == 1 else "list")
            wanted, before = worked_out, (p.Each((worked_out,), row([wanted])),)
        test = compare(p.Cell(place([own, offset])), "==" if len(zones) == 1 else "in", wanted)
        those = (*before, *each(name, source, logic("and", [test, *of_sort])))
        if any(isinstance(z, ir.ZoneAt) and "ordered" in z.member.words for z in inner.zones):
            rank = self.world.places["rank"]
            by = p.Lambda((name,), p.Cell(place([own, rank.base - rank.dims[0][0]])))
            return each(name, call("sorted", p.Comp("list", own, those), p.Given("key", by)))
        return those


def each(name: str, source: p.Exp, *tests: p.Exp) -> Clauses:
    """`for name in source if …`"""
    return (p.Each((p.Name(name),), source, tests),)


def tested(clauses: Clauses, *tests: p.Exp) -> Clauses:
    """The same clauses with more tests at their end."""
    *first, last = clauses
    return (*first, replace(last, tests=last.tests + tests))


def literal(value: object) -> p.Exp:
    """A fixed number, or fixed numbers in a row."""
    if isinstance(value, tuple):
        return row(literal(one) for one in value)
    assert isinstance(value, int)
    return p.Num(value)


def _something(e: p.Exp) -> tuple[p.Exp, bool] | None:
    """A condition that says that there is something in a place: which place; and whether it says `more than nothing`."""
    match e:
        case p.Cell(at=at):
            return at, False
        case p.Compare(first=p.Cell(at=at), rest=((">", p.Num(value=0)),)):
            return at, True
        case p.Unary(op="not", of=p.Compare(first=p.Cell(at=at), rest=(("==", p.Num(value=0)),))):
            return at, False
        case _:
            return None
