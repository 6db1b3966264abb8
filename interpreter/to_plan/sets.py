"""Sets as Python: clauses of comprehensions, lists, and what is found in a table instead of looked for."""

from __future__ import annotations

import re
from collections.abc import Callable

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.analysis.indexes import Index
from ichiba.interpreter.analysis.simplify import folded, heavy, index_of, parts_of
from ichiba.interpreter.analysis.variables import renamed
from ichiba.interpreter.layout import MANY_THINGS, WIDE_ZONE
from ichiba.interpreter.to_plan.expressions import FEW, MANY_PLACES, Expressions, wrapped

# What a place says in a condition: that something is there.
_PLACE = r"((?:[^][()]|\[[^][()]*\])+)"
SOMETHING = re.compile(rf"\(S\[{_PLACE}\] > 0\)|\(not \(S\[{_PLACE}\] == 0\)\)|S\[{_PLACE}\]")
MOST_RELATED = 100  # so many values may stand on the other side of a condition


class Sets(Expressions):
    """Writes sets, and what is said of all their members."""

    def _aggregate(self, e: ir.Aggregate) -> str:
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
            return f"({self.listed(e.set)})"
        saved = self.names.get(e.var)
        self.names[e.var] = name
        many = self.each(e.set, name)
        match e.how:
            case "count":
                text = f"sum({many}{self.clauses(e.set, name)})"
            case "any":
                text = (
                    f"any(True{self.clauses(e.set, name)})"
                    if e.value is None
                    else f"any({self.ex(e.value)}{self.clauses(e.set, name)})"
                )
            case "no":
                text = f"(not any({'True' if e.value is None else self.ex(e.value)}{self.clauses(e.set, name)}))"
            case "sum":
                value = self.ex(e.value) if e.value is not None else name
                times = f" * {many}" if many != "1" else ""
                text = f"sum({wrapped(value) if times else value}{times}{self.clauses(e.set, name)})"
            case _:
                value = self.ex(e.value) if e.value is not None else name
                word = "max" if e.how == "highest" else "min"
                text = f"{word}(({value}{self.clauses(e.set, name)}), default=0)"
        if saved is None:
            del self.names[e.var]
        else:
            self.names[e.var] = saved
        return text

    def _first(self, inner: ir.Set, name: str) -> str:
        """The first of a set; -1 when it is empty."""
        if isinstance(inner, ir.Joined):
            return f"({' or '.join(self.listed(part) for part in inner.sets)} or (-1,))[0]"
        if isinstance(inner, ir.Ordered):
            return f"min({self.listed(inner.set)}, key={self._key(inner)}, default=-1)"
        return f"next(({name}{self.clauses(inner, name)}), -1)"

    def _contains(self, inner: ir.Set, item: ir.Exp) -> str:
        match inner:
            case ir.Listed(items=items):
                if not items:
                    return "False"
                if len(items) == 1:
                    return f"({self.ex(item)} == {self.ex(items[0])})"
                return f"({self.ex(item)} in ({', '.join(self.ex(i) for i in items)}))"
            case ir.Filtered(set=outer, var=var, test=test) if isinstance(item, ir.Use | ir.Const):
                return f"({self._contains(outer, item)} and {self.with_name(var, self.ex(item), test)})"
            case ir.SeatsFrom(seat=seat, others=True):
                return f"({self.ex(item)} != {self.ex(seat)})"
            case ir.SeatsFrom():
                return "True"
            case ir.Rows():
                return f"({self.ex(item)} in {self._rows(inner)})"
            case _:
                return f"({self.ex(item)} in {self.listed(inner)})"

    def listed(self, inner: ir.Set, each: bool = False) -> str:
        """A list of the values; with `each`, counted pieces as often as they are there."""
        inner = self.simple(inner)
        match inner:
            case ir.Listed(items=items) if all(isinstance(i, ir.Const) for i in items):
                return "[" + ", ".join(self.ex(i) for i in items) + "]"
            case ir.Kept(var=var):
                return self.names[var] if var in self.lists else f"unpack({self.var(var)})"
            case ir.Unpacked(packed=packed):
                return f"unpack({self.ex(packed)})"
            case ir.Ordered():
                return self._ordered(inner, each)
            case ir.Best():
                return self._best(inner, each)
            case ir.Combos():
                return self._combos(inner)
        quick = None if each else self.present(inner)
        if quick is not None:
            return f"list({quick})"
        name = self.new_name("x")
        many = self.each(inner, name) if each else "1"
        extra = f" for {self.new_name('n')} in range({many})" if many != "1" else ""
        return f"[{name}{self.clauses(inner, name)}{extra}]"

    def _ends(self, inner: ir.Set) -> tuple[str, str] | None:
        """Where counted pieces that lie next to each other in the state begin and end."""
        if not isinstance(inner, ir.Pieces) or self._pieces_single(inner) is not False or inner.sorts.one is not None:
            return None
        cells, dynamic = self._places(inner, list(inner.sorts.sorts))
        return None if dynamic or len(cells) < 2 else self.as_range(cells)

    def present(self, inner: ir.Set, line: Callable[[str], None] | None = None) -> str | None:
        """Counted pieces that lie next to each other in the state: which of them are there, to go through."""
        ends = self._ends(inner)
        if ends is None:
            return None
        low, high = ends
        if line is not None and not low.isdigit():
            base = self.new_name("base")
            line(f"{base} = {low}")
            width = self.sums.get(high, (high, 0))[1] - self.sums.get(low, (low, 0))[1]
            low, high = base, f"{base} + {width}"
        return f"compress(range({low}, {high}), S[{low}:{high}])"

    def _ordered(self, inner: ir.Ordered, each: bool) -> str:
        return f"sorted({self.listed(inner.set, each)}, key={self._key(inner)})"

    def _key(self, inner: ir.Ordered) -> str:
        """What a set is ordered by, as a function."""
        name = self.new_name("x")
        keys = []
        for key, highest in inner.keys:
            text = self.with_name(inner.var, name, key)
            keys.append(f"-({text})" if highest else text)
        body = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
        return f"lambda {name}: {body}"

    def _best(self, inner: ir.Best, each: bool) -> str:
        name = self.new_name("x")
        key = self.with_name(inner.var, name, inner.key)
        return f"best({self.listed(inner.set, each)}, lambda {name}: {key}, {inner.highest})"

    def _combos(self, inner: ir.Combos) -> str:
        name = self.new_name("x")
        many = self.each(inner.set, name)
        kinds = self.listed(inner.set)
        look = self.look(inner.set)
        if inner.amount == 1:
            return f"[{name} + 2 for {name} in {f'lowest(S, {kinds}, *{look})' if look else kinds}]"
        weights = "None" if many == f"S[{name}]" else f"[{many} for {name} in {kinds}]"
        found = f"combos(S, {kinds}, {weights}, {inner.amount})"
        return f"unlike(S, {found}, *{look})" if look else found

    def look(self, inner: ir.Set) -> str:
        """The functions that tell things apart; only where options are made."""
        return ""

    def each(self, inner: ir.Set, name: str) -> str:
        """How often a value of the set counts: pieces that are counted, as many times as there are."""
        element = inner.kind.of
        if element is None or element.form != "piece":
            return "1"
        match inner:
            case ir.Pieces():
                single = self._pieces_single(inner)
                return (
                    "1"
                    if single is True
                    else f"S[{name}]"
                    if single is False
                    else f"(S[{name}] if {name} < {FIRST_THING} else 1)"
                )
            case ir.Filtered(set=outer) | ir.Best(set=outer) | ir.Ordered(set=outer):
                return self.each(outer, name)
            case ir.FlatMapped(inner=outer):
                return self.each(outer, name)
            case ir.Chosen():
                return f"S[{name}]"
            case ir.Joined(sets=sets):
                texts = {self.each(s, name) for s in sets}
                return texts.pop() if len(texts) == 1 else f"(S[{name}] if {name} < {FIRST_THING} else 1)"
            case _:
                return "1"

    def _pieces_single(self, inner: ir.Pieces) -> bool | None:
        single = [self.world.sorts[i].individual for i in inner.sorts.sorts]
        return (True if all(single) else None if any(single) else False) if single else False

    def clauses(self, inner: ir.Set, name: str) -> str:
        """` for name in … if …`: the set as clauses of a comprehension. Where there may be very many, they are counted."""
        text = self._clauses(inner, name)
        return f"{text} if tick()" if self.metered and not isinstance(inner, ir.Filtered | ir.Mapped) else text

    def _clauses(self, inner: ir.Set, name: str) -> str:
        inner = self.simple(inner)
        match inner:
            case ir.Listed(items=items):
                if len(items) == 1:
                    return f" for {name} in ({self.ex(items[0])},)"
                values = [i.value for i in items if isinstance(i, ir.Const)]
                if len(values) == len(items) > 3 and values == list(range(values[0], values[0] + len(values))):
                    return f" for {name} in range({values[0]}, {values[-1] + 1})"
                return f" for {name} in ({', '.join(self.ex(i) for i in items)}{',' if items else ''})"
            case ir.Span_(low=low, high=high, step=step):
                by = self.ex(step)
                ends = f"{self.ex(low)}, {self.sum_of([self.ex(high), '1'])}"
                return f" for {name} in range({ends}{'' if by == '1' else ', ' + by})"
            case ir.SeatsFrom(seat=seat, others=others):
                return f" for {name} in {self._seats_table(others)}[{self.ex(seat)}]"
            case ir.Pieces():
                return self._pieces(inner, name)
            case ir.Rows():
                return f" for {name} in {self._rows(inner)}"
            case ir.Filtered(set=outer, var=var, test=test):
                indexed = self._indexed(inner, name) if self.clever else None
                if indexed is not None:
                    return indexed
                those = self.those_with_something(outer, var, name, test) if self.clever else None
                if those is not None:
                    clauses, left = those
                    return clauses + "".join(f" if {self.with_name(var, name, part)}" for part in left)
                first = self.clauses(outer, name)
                return f"{first} if {self.with_name(var, name, test)}"
            case ir.Mapped(binders=binders, value=value):
                return self._mapped(binders, value, name)
            case ir.FlatMapped(set=outer, var=var, inner=last):
                own = self.new_name("y")
                first = self._clauses_each(outer, own)
                saved = self.names.get(var)
                self.names[var] = own
                rest = self.clauses(last, name)
                self._restore(var, saved)
                return first + rest
            case ir.Joined(sets=sets):
                parts = ", ".join(self.listed(s) for s in sets)
                whole = self.new_name("part")
                return f" for {whole} in ({parts},) for {name} in {whole}"
            case ir.Chosen(bag=bag):
                cell = self.layout.slot(bag)
                return f" for {name} in range({cell}, {cell + bag.width}) if S[{name}]"
            case _:
                return f" for {name} in {self.listed(inner)}"

    def those_with_something(self, inner: ir.Set, var: ir.Var, name: str, test: ir.Exp) -> tuple[str, list[ir.Exp]] | None:
        """Fixed values that follow each other, of which a place each says whether they count: as clauses, with the rest
        of the condition."""
        inner = self.simple(inner)
        if not isinstance(inner, ir.Listed) or len(inner.items) < FEW or self.metered:
            return None
        values = [i.value for i in inner.items if isinstance(i, ir.Const)]
        if values != list(range(values[0], values[0] + len(inner.items))):
            return None
        parts = self.quick_first("and", (test,))
        for number, part in enumerate(parts):
            if var not in (n.var for n in walk(part) if isinstance(n, ir.Use)):
                continue
            found = SOMETHING.fullmatch(self.with_name(var, name, part))
            if found is not None and found[1] and not (isinstance(part, ir.Op) and self.extents.value(part.args[0])[0] >= 0):
                continue  # below nothing there would be something too
            place = next(filter(None, found.groups())) if found is not None else ""
            terms, fixed = self.sums.get(place, (place, 0))
            others = terms.split(" + ")
            if others.count(name) != 1:
                continue
            others.remove(name)
            low, high = (self.sum_of([*others, str(fixed + end)]) for end in (values[0], values[-1] + 1))
            if any(name in other for other in others):
                continue
            return f" for {name} in compress(range({values[0]}, {values[-1] + 1}), S[{low}:{high}])", parts[:number] + parts[number + 1 :]
        return None

    def _indexed(self, inner: ir.Filtered, name: str) -> str | None:
        """Those of a fixed set, or of counted pieces, with a certain entry in a fixed field: found, not looked for."""
        base, tests = parts_of(inner)
        for number, (var, test) in enumerate(tests):
            index = self._index(base, var, test)
            if index is not None:
                rest = tests[:number] + tests[number + 1 :]
                return self._found(index, name) + "".join(f" if {self.with_name(v, name, t)}" for v, t in rest)
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

    def _found(self, index: Index, name: str) -> str:
        """What an index finds, as clauses."""
        row = self._entry(index, {key: tuple(row) for key, row in index.by.items()}, (), "by")
        if index.zone is None:
            return f" for {name} in {row}"
        column = self.new_name("c")
        place = self.sum_of([self.ex(index.zone), column])
        return f" for {column} in {row} for {name} in ({place},) if S[{name}]"

    def _entry(self, index: Index, entries: dict[object, object], missing: object, hint: str) -> str:
        """The entry of a fixed table by the value that the field must have."""
        value, kind = index.value, index.value.kind
        domain = self.world.domain(kind)
        if domain is None or kind.optional and domain[0] > 0:
            name = self.table(tuple(entries.items()), f"{hint}_{index.field}")
            self.tables[name] = entries
            return f"{name}.get({self.ex(value)}, {missing!r})"
        low, size = domain  # a place more: nothing (-1) finds the last
        if isinstance(value, ir.Lookup) and len(value.at) == 1 and not value.at[0].kind.optional:
            step = self._fixed_entry(value)
            if step is None and all(isinstance(row, int) for row in value.rows):
                rows = tuple(entries.get(row, missing) for row in value.rows)
                steady = self._steady(rows, value.at[0], value.low[0])
                return steady or f"{self.table(rows, f'{hint}_{value.name}')}[{self._offset(value.at[0], value.low[0])}]"
        rows = tuple(entries.get(low + n, missing) for n in range(size)) + (missing,)
        steady = self._steady(rows[:-1], value, low)
        if steady is not None:
            return steady
        text = self._offset(value, low)
        if text.isdigit() and int(text) < size and not isinstance(rows[int(text)], tuple):
            return str(rows[int(text)])
        return f"{self.table(rows, f'{hint}_{index.field}')}[{text}]"

    def _looked_up(self, e: ir.Aggregate) -> str | None:
        """Whether, and how many: where an index knows it, nothing needs to be gone through."""
        if e.how not in ("any", "no", "count") or e.value is not None or not isinstance(e.set, ir.Filtered):
            return None
        base, tests = parts_of(self.simple(e.set))
        index = self._index(base, *tests[0], counted=True) if len(tests) == 1 and self.clever else None
        if index is None:
            return None
        if index.zone is None:
            counts: dict[object, object] = {key: len(row) for key, row in index.by.items()}
            count = self._entry(index, counts, 0, "how_many")
        elif index.most == 1:
            columns: dict[object, object] = {key: row[0] for key, row in index.by.items()}
            column = self._entry(index, columns, -1, "column")
            count = f"S[{self.sum_of([self.ex(index.zone), column])}]"
            if not self._all_there(index):
                count = f"({count} if {column} >= 0 else 0)"
        else:
            column = self.new_name("c")
            row = self._entry(index, {key: tuple(row) for key, row in index.by.items()}, (), "by")
            counts_ = f"([S[{self.sum_of([self.ex(index.zone), column])}] for {column} in {row}])"
            return f"sum{counts_}" if e.how == "count" else f"any{counts_}" if e.how == "any" else f"(not any{counts_})"
        return count if e.how == "count" else f"({count} {'>' if e.how == 'any' else '=='} 0)"

    def is_looked_up(self, e: ir.Exp) -> bool:
        """Whether an index knows it, and what it is asked for is known at once."""
        return isinstance(e, ir.Aggregate) and not heavy(e.set, 1) and self._looked_up(e) is not None

    def _all_there(self, index: Index) -> bool:
        """Whether every value that the field can be asked for is one of the index's."""
        domain = self.world.domain(index.value.kind)
        if domain is None or index.value.kind.optional:
            return False
        return all(n in index.by for n in range(domain[0], sum(domain)))

    def _restore(self, var: ir.Var, saved: str | None) -> None:
        if saved is None:
            self.names.pop(var, None)
        else:
            self.names[var] = saved

    def _clauses_each(self, inner: ir.Set, name: str) -> str:
        """The set as clauses, with counted pieces as often as they are there: something follows from every one."""
        many = self.each(inner, name)
        return self.clauses(inner, name) + (f" for {self.new_name('n')} in range({many})" if many != "1" else "")

    def _mapped(self, binders: tuple[tuple[ir.Var, ir.Set], ...], value: ir.Exp, name: str) -> str:
        text = ""
        saved: list[tuple[ir.Var, str | None]] = []
        for var, domain in binders:
            own = self.new_name(var.name)
            text += self._clauses_each(domain, own)
            saved.append((var, self.names.get(var)))
            self.names[var] = own
        text += f" for {name} in ({self.ex(value)},)"
        for var, old in saved:
            self._restore(var, old)
        return text

    def _seats_table(self, others: bool) -> str:
        n = self.world.config.seats
        first = 1 if others else 0
        rows = tuple(tuple((s + k) % n for k in range(first, n)) for s in range(n))
        return self.table(rows, "others_from" if others else "seats_from")

    def _rows(self, inner: ir.Rows) -> str:
        return f"{self.table(inner.rows, inner.name)}[{self._offset(inner.at, inner.low)}]"

    def _pieces(self, inner: ir.Pieces, name: str) -> str:
        single = self._pieces_single(inner)
        counted = [s for s in inner.sorts.sorts if not self.world.sorts[s].individual]
        alone = [s for s in inner.sorts.sorts if self.world.sorts[s].individual]
        if single is True:
            return self._individuals(inner, alone, name)
        if single is False:
            return self._cells(inner, counted, name)
        a, b, whole = self.new_name("x"), self.new_name("x"), self.new_name("part")
        first = f"[{a}{self._cells(inner, counted, a)}]"
        if inner.sorts.one is not None:
            single_sorts = self.table(tuple(s.individual for s in self.world.sorts), "individual")
            first = f"([] if {single_sorts}[{self.ex(inner.sorts.one)}] else {first})"
        second = f"[{b}{self._individuals(inner, alone, b)}]"
        return f" for {whole} in ({first}, {second}) for {name} in {whole}"

    def _cells(self, inner: ir.Pieces, sorts: list[int], name: str) -> str:
        """Those of the places of counted pieces with something in them, as clauses."""
        cells, dynamic = self._places(inner, sorts)
        if dynamic:
            rest = f"[{', '.join(cells)}]" if cells else ""
            return f" for {name} in {' + '.join([*([rest] if rest else []), *dynamic])} if S[{name}]"
        whole = self.as_range(cells)
        if whole is None and len(cells) > 1 and all(c.isdigit() for c in cells):
            table = self.table(tuple(int(c) for c in cells), "cells")
            return f" for {name} in {table} if S[{name}]"
        if whole is None or len(cells) == 1:
            return f" for {name} in ({', '.join(cells)}{',' if cells else ''}) if S[{name}]"
        if len(cells) < MANY_PLACES:
            return f" for {name} in range({whole[0]}, {whole[1]}) if S[{name}]"
        return f" for {name} in compress(range({whole[0]}, {whole[1]}), S[{whole[0]}:{whole[1]}])"

    def _places(self, inner: ir.Pieces, sorts: list[int]) -> tuple[list[str], list[str]]:
        """The places where pieces of a set are counted, and lists of places that only the running game knows."""
        cells: list[str] = []
        dynamic: list[str] = []
        for zone in inner.zones:
            columns = self.zone_columns(zone, inner.sorts)
            text = self.ex(zone)
            if columns is None:
                sorts_text = (
                    f"({self.ex(inner.sorts.one)},)"
                    if inner.sorts.one is not None
                    else self.table(tuple(sorts), "sorts")
                )
                dynamic.append(f"cells_any({text}, {self.columns_table()}[{text}], {sorts_text})")
            elif inner.sorts.one is not None and any(columns[sort] < 0 for sort in inner.sorts.sorts):
                dynamic.append(f"cells_any({text}, {self.table(columns, 'column')}, ({self.ex(inner.sorts.one)},))")
            elif inner.sorts.one is not None:
                table = self.table(columns, "column")
                one = self.ex(inner.sorts.one)
                cells.append(self.sum_of([text, str(columns[int(one)]) if one.isdigit() else f"{table}[{one}]"]))
            else:
                wanted = dict.fromkeys(columns[s] for s in sorts if columns[s] >= 0)
                cells.extend(self.sum_of([text, str(c)]) for c in wanted)
        return cells, dynamic

    def as_range(self, cells: list[str]) -> tuple[str, str] | None:
        """Neighbouring places: where they begin and end."""
        split = [self.sums.get(c, ("", int(c)) if c.isdigit() else (c, 0)) for c in cells]
        if not split or any(text != split[0][0] for text, _ in split):
            return None
        numbers = [n for _, n in split]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            return None
        first = split[0][0]
        low, high = (self.sum_of([first, str(n)]) if first else str(n) for n in (numbers[0], numbers[-1] + 1))
        return low, high

    def _anything(self, zones: tuple[ir.Exp, ...]) -> str | None:
        """Whether something lies in one of these zones, where that is quickly said."""
        found = []
        for zone in zones:
            if not isinstance(zone, ir.ZoneAt) or len(zones) > 4:
                return None
            if zone.member in self.layout.totals:
                found.append(f"S[{self.total_place(zone)}]")
            elif zone.member.width * len(zones) <= 4:
                found += [f"S[{self.sum_of([self.ex(zone), str(c)])}]" for c in range(zone.member.width)]
            else:
                return None
        return " or ".join(found) or None

    def _how_many(self, zone: ir.Exp) -> str | None:
        """How many pieces a zone holds in all, where that is quickly said."""
        if not isinstance(zone, ir.ZoneAt):
            return None
        if zone.member in self.layout.totals:
            return f"S[{self.total_place(zone)}]"
        if not 0 < zone.member.width < WIDE_ZONE:
            return None
        cells = [f"S[{self.sum_of([self.ex(zone), str(column)])}]" for column in range(zone.member.width)]
        return cells[0] if len(cells) == 1 else f"({' + '.join(cells)})"

    def _lying(self, inner: ir.Pieces, ids: list[int], offset: int) -> str | None:
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
            if self.ex(zone).isdigit():
                return None  # a zone of the table's or of a board's, where much may lie
            totals.append(many)
            among = f"{ids[0] + offset}, {ids[-1] + 1 + offset}, {-offset}"
            found.append(f"(lying(S, {self.ex(zone)}, {totals[-1]}, {among}) if {totals[-1]} else ())")
        if len(found) == 1:
            return found[0]
        return f"(sorted([{', '.join('*' + one for one in found)}]) if {' or '.join(totals)} else ())"

    def _individuals(self, inner: ir.Pieces, sorts: list[int], name: str) -> str:
        ids = [t.id for t in self.world.things if t.sort in set(sorts)]
        if not ids:
            return f" for {name} in ()"
        member = self.world.places["place"]
        offset = member.base - member.dims[0][0]
        if ids == list(range(ids[0], ids[0] + len(ids))):
            source = f"range({ids[0]}, {ids[-1] + 1})"
        else:
            source = self.table(tuple(ids), "things")
        here = f"S[{self.sum_of([name, str(offset)])}]"
        zones = [self.ex(z) for z in inner.zones]
        lying = self._lying(inner, ids, offset)
        if lying is not None:
            of_them = "" if source.startswith("range") else f" if {name} in {self.table(frozenset(ids), 'these')}"
            if inner.sorts.one is not None:
                things = self.table(tuple(t.sort for t in self.world.things), "sort_of_thing")
                of_them += f" if {things}[{name} - {FIRST_THING}] == {self.ex(inner.sorts.one)}"
            return f" for {name} in {lying}{of_them}"
        there = self._anything(inner.zones) if len(ids) >= MANY_THINGS else None
        if there is not None:
            source = f"({source} if {there} else ())"
        wanted, before = zones[0] if len(zones) == 1 else f"({', '.join(zones)})", ""
        if len(ids) >= MANY_THINGS and not all(zone.isdigit() for zone in zones):
            own = self.new_name("zone")  # worked out once
            wanted, before = own, f" for {own} in ({wanted},)"
        test = f"{here} {'==' if len(zones) == 1 else 'in'} {wanted}"
        if inner.sorts.one is not None:
            things = self.table(tuple(t.sort for t in self.world.things), "sort_of_thing")
            test += f" and {things}[{name} - {FIRST_THING}] == {self.ex(inner.sorts.one)}"
        if any(isinstance(z, ir.ZoneAt) and "ordered" in z.member.words for z in inner.zones):
            rank = self.world.places["rank"]
            by = f"S[{self.sum_of([name, str(rank.base - rank.dims[0][0])])}]"
            return f" for {name} in sorted([{name}{before} for {name} in {source} if {test}], key=lambda {name}: {by})"
        return f"{before} for {name} in {source} if {test}"
