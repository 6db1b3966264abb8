"""Lists of a generated module, in C: comprehensions, loops, what is sorted, and what has been seen."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ichiba.interpreter.to_c.expressions import TAKES, Expressions
from ichiba.interpreter.to_c.kinds import (
    C_NAMES,
    DEEP,
    KEYED,
    LIST,
    LISTS,
    NUMBER,
    PACKED,
    Untold,
    indexes,
    kind_of_table,
)


class Lists(Expressions):
    """Writes lists, and loops within expressions, where nothing is written."""

    def lst(self, e: ast.expr) -> str:
        match e:
            case ast.Constant(value=None):
                return "(L){-1, 0, NULL}"
            case ast.Name(id=name) if name in self.looking.kinds:
                if self.looking.kinds[name] not in (LIST, LISTS, PACKED):
                    raise Untold(f"{name} is {self.looking.kinds[name]}")
                return f"v_{name}"
            case ast.Name(id=name) if name in self.module.tables and self.kind(e) != DEEP:
                return name
            case ast.List(elts=[one]) | ast.Tuple(elts=[one]) if not isinstance(one, ast.Starred):
                return self.listed([one])
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return self.joined(elts) if any(isinstance(one, ast.Starred) for one in elts) else self.listed(elts)
            case ast.ListComp() | ast.GeneratorExp():
                return self.collected(e)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({self.truth(test)} ? {self.lst(body)} : {self.lst(orelse)})"
            case ast.BoolOp(op=op, values=values):
                return self.and_or(op, [self.lst(value) for value in values], "L", ".n > 0")
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                return f"(v_{name} = {self.key(value)})"
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Slice(lower=low, upper=high)) if low and high:
                return f"slice(k, {self.num(low)}, {self.num(high)})"
            case ast.Subscript(value=value, slice=ast.Slice(lower=low, upper=high)) if high:
                return f"part(k, {self.lst(value)}, {self.num(low) if low else '0'}, {self.num(high)})"
            case ast.Subscript(value=ast.Name(id=name), slice=at) if self.looking.kinds.get(name) == KEYED:
                return f"entry_there(k, &v_{name}, {self.key(at)})->list"
            case ast.Subscript(value=ast.Name(id=name), slice=at) if isinstance(self.module.tables.get(name), dict):
                own = self.new()
                return f"({{ L {own} = {name}_or(k, {self.num(at)}); if ({own}.n < 0) miss(k); {own}; }})"
            case ast.Subscript() if self.kind(e) == LISTS and kind_of_table(self.module.tables.get(indexes(e)[0])) == DEEP:
                name, places = indexes(e)
                self.in_any_order(*places)
                return f"{name}_at({', '.join(['k', *map(self.num, places)])})"
            case ast.Subscript(value=value, slice=at) if not isinstance(at, ast.Slice):
                self.in_any_order(*indexes(e)[1])
                return f"row(k, {self.lst(value)}, {self.num(at)})"
            case ast.Call():
                return self._list_called(e)
        raise Untold(ast.unparse(e)[:80])

    def listed(self, elts: Sequence[ast.expr]) -> str:
        if not elts:
            return "(L){0, 0, NULL}"
        own = self.new()
        if any(self.kind(one) == LIST for one in elts):
            parts = ", ".join(self.lst(one) for one in elts)
            return (
                f"({{ L *{own} = room(k, {len(elts)} * (I)sizeof(L)); L made[] = {{{parts}}}; "
                f"memcpy({own}, made, sizeof made); (LL){{{len(elts)}, 0, {own}}}; }})"
            )
        fills = " ".join(f"{own}[{i}] = {self.num(one)};" for i, one in enumerate(elts))
        return f"({{ I *{own} = room(k, {len(elts)} * (I)sizeof(I)); {fills} (L){{{len(elts)}, 0, {own}}}; }})"

    def joined(self, elts: Sequence[ast.expr]) -> str:
        own = self.new()
        parts = [
            f"extend(k, &{own}, {self.lst(one.value)});"
            if isinstance(one, ast.Starred)
            else f"push(k, &{own}, {self.num(one)});"
            for one in elts
        ]
        return f"({{ L {own} = {{0, 0, NULL}}; {' '.join(parts)} {own}; }})"

    def collected(self, e: ast.ListComp | ast.GeneratorExp, into: str = "") -> str:
        """A list comprehension; or its values, put into a list that is there."""
        own = into or self.new()
        if self.kind(e) == LISTS:
            took = self.loops(e.generators, lambda: f"push_list(k, &{own}, {self.lst(e.elt)});")
            return f"({{ LL {own} = {{0, 0, NULL}}; {took} {own}; }})"
        took = self.loops(e.generators, lambda: f"push(k, &{own}, {self.num(e.elt)});")
        return took if into else f"({{ L {own} = {{0, 0, NULL}}; {took} {own}; }})"

    def _list_called(self, e: ast.Call) -> str:
        self.in_any_order(*e.args)
        match e.func, e.args:
            case ast.Name(id="list" | "tuple" | "frozenset"), [one]:
                return self.lst(one)
            case ast.Name(id="pack"), [one]:
                return self.lst(one)
            case ast.Name(id="sorted"), [one]:
                return self.sorted(one, {keyword.arg: keyword.value for keyword in e.keywords})
            case ast.Name(id="best"), [one, ast.Lambda() as by, ast.Constant(value=highest)]:
                items, keys, fill = self.keys(one, by)
                return f"({{ {fill} best_by(k, {items}, {keys}, {int(bool(highest))}); }})"
            case ast.Name(id="range"), args:
                low, high, step = self.range(args)
                return f"counted(k, {low}, {high}, {step})"
            case ast.Name(id="compress"), _:
                own, x = self.new(), self.new()
                took = self.compressed(e, x, lambda: f"push(k, &{own}, {x});")
                return f"({{ L {own} = {{0, 0, NULL}}; {took} {own}; }})"
            case ast.Name(id="unpack"), [one]:
                return self.packed(one)
            case ast.Name(id="lowest"), [_, one, ast.Starred(value=ast.Name(id=look))]:
                plain, deep = self.looks(look)
                return f"lowest(k, {self.lst(one)}, {plain}, {deep})"
            case ast.Name(id="unlike"), [_, one, ast.Starred(value=ast.Name(id=look))]:
                plain, deep = self.looks(look)
                if deep != "NULL":
                    raise Untold("choices of pieces that carry something")
                return f"unlike(k, {self.lst(one)}, {plain})"
            case ast.Name(id="bag_choices"), args:
                return self.lots(args)
            case ast.Attribute(value=ast.Name(id=name), attr="setdefault"), [at, value]:
                found = self.new()
                return (
                    f"({{ Entry *{found} = entry_for(k, &v_{name}, {self.key(at)}); "
                    f"if (!{found}->list.p) {found}->list = {self.lst(value)}; {found}->list; }})"
                )
            case ast.Name(id=name), args if name in TAKES:
                return self.runtime(name, args)
        return self.own(e)

    # ------------------------------------------------------------------------------------------------ particular lists

    def packed(self, e: ast.expr) -> str:
        match e:
            case ast.Constant(value=int(value)):
                values = []
                while value > 0:
                    values.append((value & self.module.constants["MASK"]) - 2)
                    value >>= self.module.constants["BITS"]
                return self.listed([ast.Constant(one) for one in values])
            case ast.Subscript(value=ast.Name(id="S"), slice=at) if not isinstance(at, ast.Slice):
                return f"unpack_object(k, k->s[place(k, {self.num(at)})])"
        return self.lst(e) if self.kind(e) == PACKED else f"unpack(k, {self.num(e)})"

    def kept(self, e: ast.expr) -> str:
        match e:
            case ast.Subscript(value=ast.Name(id=name), slice=at) if self.looking.kinds.get(name) == KEYED:
                return f"&entry_there(k, &v_{name}, {self.key(at)})->list"
        return f"&{self.name(e)}"

    def sorted(self, source: ast.expr, told: dict[str | None, ast.expr]) -> str:
        by = told.pop("key", None)
        if told:
            raise Untold("sorted")
        if by is None:
            items = self.new()
            return f"({{ L {items} = {self.lst(source)}; sorted_by(k, {items}, {items}.p, 1); }})"
        if not isinstance(by, ast.Lambda):
            raise Untold("sorted")
        items, keys, fill = self.keys(source, by)
        width = len(by.body.elts) if isinstance(by.body, ast.Tuple) else 1
        return f"({{ {fill} sorted_by(k, {items}, {keys}, {width}); }})"

    def keys(self, source: ast.expr, by: ast.Lambda) -> tuple[str, str, str]:
        """A list, what to sort it by, and the lines that work both out."""
        items, keys, x = self.new(), self.new(), by.args.args[0].arg
        parts = by.body.elts if isinstance(by.body, ast.Tuple) else [by.body]
        source_text = self.lst(source)
        with self.bound(x, NUMBER):
            fills = " ".join(f"{keys}[i{items} * {len(parts)} + {n}] = {self.num(p)};" for n, p in enumerate(parts))
        return items, keys, (
            f"L {items} = {source_text}; I *{keys} = room(k, ({items}.n + 1) * {len(parts)} * (I)sizeof(I)); "
            f"for (I i{items} = 0; i{items} < {items}.n; i{items}++) {{ I v_{x} = {items}.p[i{items}]; {fills} }}"
        )  # fmt: skip

    def looks(self, name: str) -> tuple[str, str]:
        plain, deep = self.module.looks[name]
        function = self.module.functions[plain]
        if function.why or function.gives != LIST:
            raise Untold(f"{plain} stays in Python")
        return plain, f'"{deep}"' if deep else "NULL"

    def lots(self, args: Sequence[ast.expr]) -> str:
        """`bag_choices`: what so many of each sort are worth is worked out before, as far as it will be asked."""
        have, taken, at, least, most, step, shapes, worth, low, high = args
        h, t, a, w, row, top = (self.new() for _ in range(6))
        numbers = [self.num(one) for one in (least, most, step)]
        limits = [self.num(one) for one in (low, high)]
        known = f"LL {w} = {{-1, 0, NULL}};"
        if isinstance(worth, ast.Lambda):
            n, s = (argument.arg for argument in worth.args.args)
            with self.bound(n, NUMBER), self.bound(s, NUMBER):
                value = self.num(worth.body)
            known = (
                f"LL {w} = {{0, 0, NULL}}; int asked = !{a} || item(k, {h}, {a}); "
                f"for (I v_{s} = 0; v_{s} < {h}.n; v_{s}++) {{ "
                f"I {top} = v_{s} < {a} ? item(k, {t}, v_{s}) : {h}.p[v_{s}]; L {row} = {{0, 0, NULL}}; push(k, &{row}, 0); "
                f"for (I v_{n} = 1; asked && v_{n} <= {top}; v_{n}++) "
                f"push(k, &{row}, v_{s} < {a} && v_{n} < {top} ? 0 : {value}); push_list(k, &{w}, {row}); }}"
            )
        elif not isinstance(worth, ast.Constant):
            raise Untold("worth")
        return (
            f"({{ L {h} = {self.lst(have)}, {t} = {self.lst(taken)}; I {a} = {self.num(at)}; {known} "
            f"bag_choices(k, {h}, {t}, {a}, {', '.join(numbers)}, {self.lst(shapes)}, {w}, {', '.join(limits)}); }})"
        )

    # ----------------------------------------------------------------------------------------------------------- loops

    def loops(self, generators: Sequence[ast.comprehension], leaf: Callable[[], str]) -> str:
        if not generators:
            return leaf()
        first = generators[0]
        if not isinstance(first.target, ast.Name):
            raise Untold("a loop over pairs")

        def body() -> str:
            text = self.loops(generators[1:], leaf)
            for test in reversed(first.ifs):
                text = f"if ({self.truth(test)}) {{ {text} }}"
            return text

        return self.each(first.target.id, first.iter, body)

    @contextmanager
    def bound(self, name: str, kind: str) -> Iterator[None]:
        kinds = self.looking.kinds
        before = kinds.get(name)
        kinds[name] = kind
        try:
            yield
        finally:
            if before is None:
                del kinds[name]
            else:
                kinds[name] = before

    def each(self, name: str, source: ast.expr, body: Callable[[], str]) -> str:
        """A loop within an expression, where nothing is written."""
        kind = self.looking.element(source)
        if kind not in (NUMBER, LIST):
            raise Untold(f"a loop over {ast.unparse(source)[:60]}")
        own = C_NAMES[kind]

        def inside() -> str:
            with self.bound(name, kind):
                return body()

        match source:
            case ast.Call(func=ast.Name(id="range"), args=args):
                low, high, step = self.range(args)
                at, end = self.new(), self.new()
                if step != "1":
                    return self._through(self.lst(source), f"I v_{name}", inside())
                return f"for (I {at} = {low}, {end} = {high}; {at} < {end}; {at}++) {{ I v_{name} = {at}; {inside()} }}"
            case ast.Call(func=ast.Name(id="compress")):
                x = self.new()
                return self.compressed(source, x, lambda: f"I v_{name} = {x}; {inside()}")
            case ast.Tuple(elts=[one]) | ast.List(elts=[one]) if not isinstance(one, ast.Starred):
                value = self.new()
                text = self.num(one) if kind == NUMBER else self.lst(one)
                return f"{{ {own} {value} = {text}; {own} v_{name} = {value}; {inside()} }}"
            case ast.ListComp() | ast.GeneratorExp():
                value = self.new()

                def leaf() -> str:
                    text = self.num(source.elt) if kind == NUMBER else self.lst(source.elt)
                    return f"{own} {value} = {text}; {{ {own} v_{name} = {value}; {inside()} }}"

                return self.loops(source.generators, leaf)
        return self._through(self.lst(source), f"{own} v_{name}", inside())

    def _through(self, items: str, target: str, body: str) -> str:
        own, i = self.new(), self.new()
        kind = "LL" if target.startswith("L ") else "L"
        return f"{{ {kind} {own} = {items}; for (I {i} = 0; {i} < {own}.n; {i}++) {{ {target} = {own}.p[{i}]; {body} }} }}"

    def range(self, args: Sequence[ast.expr]) -> tuple[str, str, str]:
        texts = [self.num(arg) for arg in args]
        if len(texts) == 1:
            texts.insert(0, "0")
        return texts[0], texts[1], texts[2] if len(texts) > 2 else "1"

    def compressed(self, e: ast.Call, x: str, body: Callable[[], str]) -> str:
        """`compress(range(a, b), counts)`: those of which there are some."""
        values, counts = e.args
        at, n = self.new(), self.new()
        if not (isinstance(values, ast.Call) and isinstance(values.func, ast.Name) and values.func.id == "range"):
            one, other = self.new(), self.new()
            return (
                f"{{ L {one} = {self.lst(values)}, {other} = {self.lst(counts)}; "
                f"for (I {at} = 0; {at} < min_({one}.n, {other}.n); {at}++) "
                f"if ({other}.p[{at}]) {{ I {x} = {one}.p[{at}]; {body()} }} }}"
            )
        low, high, step = self.range(values.args)
        match counts:
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Slice(lower=ast.expr() as a, upper=ast.expr() as b)):
                pass
            case _:
                raise Untold(ast.unparse(e)[:60])
        first, start, end = self.new(), self.new(), self.new()
        return (
            f"{{ I {first} = {low}, {start} = {self.num(a)}, {end} = {self.num(b)}, "
            f"{n} = min_({step} == 1 ? {high} - {first} : counted(k, {first}, {high}, {step}).n, whole(k, {start}, {end})); "
            f"for (I {at} = 0; {at} < {n}; {at}++) if (num(k, k->s[{start} + {at}])) "
            f"{{ I {x} = {first} + {at} * {step}; {body()} }} }}"
        )
