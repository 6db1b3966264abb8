"""Questions: a function that makes the options, and one that answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import junction
from ichiba.dsl.world.kinds import FLAG, NUMBER
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.ahead.foresee import Foreseen
from ichiba.interpreter.analysis.busy import takes_long
from ichiba.interpreter.analysis.likeness import Likeness, individuals_of, may_repeat
from ichiba.interpreter.analysis.simplify import (
    by_sort_only,
    depends_on,
    depends_only_on,
    folded,
    heavy,
    index_of,
    inlined,
    parts_of,
)
from ichiba.interpreter.analysis.variables import free_variables, renamed, replaced, shape, variables_in
from ichiba.interpreter.flow.flow import (
    Site,
    horizon_of,
)
from ichiba.interpreter.flow.mentions import (
    depends,
    plain_words,
    same_first,
)
from ichiba.interpreter.layout import bag_sorts
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import (
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
    value_of,
)
from ichiba.interpreter.plan.parts import parts_of as trees_in
from ichiba.interpreter.plan.saying import do, say
from ichiba.interpreter.plan.writing import OPEN
from ichiba.interpreter.to_plan.emitted import Digit
from ichiba.interpreter.to_plan.expressions import COMPARES, FEW
from ichiba.interpreter.to_plan.pieces import Pieces
from ichiba.interpreter.to_plan.sets import tested

FOUND = (p.Return(TRUE),)  # it is only asked if there is an option
WIDE = 1 << 20
_ANY = ir.Var("any", NUMBER)  # stands for whatever a loop runs over


class Options(Pieces):
    """Writes options as numbers: which one, and the values it is for."""

    any_will_do = False  # whether it is only asked if there is one
    kept: dict[object, str]  # what is worked out once, by what it is and in which function
    loops: tuple[ir.Var, ...] = ()  # the binders that the loops around what is written run over
    over: tuple[ir.Var, ...] = ()  # the same, while a condition is written that stands directly in them

    def condition(self, e: ir.Exp) -> p.Exp:
        """What is the same for many values of a binder is worked out once."""
        e = self.simpler(e)
        if isinstance(e, ir.Op) and e.op in ("and", "or"):
            return self.ex(e)
        over, self.over = self.over, ()
        try:
            return self._condition(e, over)
        finally:
            self.over = over

    def _condition(self, e: ir.Exp, over: tuple[ir.Var, ...]) -> p.Exp:
        if not over or not self.clever or self.metered or not heavy(self._counted_args(e)) or self.is_looked_up(e):
            return self.ex(e)
        if isinstance(e, ir.Contains) and not isinstance(e.set, ir.Filtered) and not depends_on(e.set, over):
            kept = self.new_name("known")
            among = call("frozenset", self.listed(e.set))
            self.out.before(self.beginning, 1, "{} = None", kept)
            return say("{} in ({} if {} is not None else ({} := {}))", self.ex(e.item), kept, kept, kept, among)
        keys = depends_only_on(e, list(over))
        if (keys is None or len(keys) > 1) and isinstance(e, ir.CallValue):
            inner = inlined(e, small=False)  # perhaps parts of it are the same for many
            if inner is not e:
                self.over = over
                return self.condition(inner)
        if keys is None and isinstance(e, ir.Op) and e.op in COMPARES:
            left, right = (self.condition_side(arg, over) for arg in e.args)
            return compare(left, COMPARES[e.op], right)
        if keys is None or len(keys) > 1:
            return self.ex(e)
        said = renamed(e, {var: ir.Use(_ANY, var.kind) for var in over}), self.beginning
        kept = self.kept.setdefault(said, "") or self.new_name("known")
        first, self.kept[said] = not self.kept[said], kept
        made, key = self.ex(e), self.ex(keys[0]) if keys else None
        if key is None:
            if first:
                self.out.before(self.beginning, 1, "{} = None", kept)
            return say("{} if {} is not None else ({} := {})", kept, kept, kept, made)
        at, seen = self.new_name("k"), p.Name(kept, "keyed")
        if first:
            self.out.before(self.beginning, 1, "{} = {{}}", seen)
        return say("{}[{}] if ({} := {}) in {} else {}.setdefault({}, {})", seen, at, at, key, seen, seen, at, made)

    def condition_side(self, e: ir.Exp, over: tuple[ir.Var, ...]) -> p.Exp:
        """A side of a comparison: worked out once, where it is the same for all values."""
        return self.ex(e) if depends_on(e, over) else self._condition(self.simpler(e), over)

    def _site(self, site: Site) -> None:
        if isinstance(site.decide, ir.Secret):
            return
        if site.otherwise is not None:
            self.piece_number(site.otherwise)
        home = (f"{site.procedure.name}: {site.decide.name}", site.decide.span)
        self.homes[f"o{site.number}"] = self.homes[f"a{site.number}"] = home
        self.define(f"o{site.number}", [p.S], f"{site.procedure.name}: {plain_words(site.decide.name)}")
        before = self.meter(site.decide.set if isinstance(site.decide, ir.ChooseSome) else None)
        if isinstance(site.decide, ir.ChooseSome):
            self._bag_options(site, site.decide)
        else:
            self._options(site, site.decide)
        self.metered = before
        self.end(said_once=True)
        self._exists(site)
        self.define(f"s{site.number}", [p.S])
        self.line("return {}", self.ex(site.decide.seat))
        self.end()
        self.define(f"a{site.number}", [p.S, p.C, p.Name("code")])
        if isinstance(site.decide, ir.ChooseSome):
            at = self.var(site.bag_at)  # type: ignore[arg-type]
            self.line("S[{}] = code", place([self.layout.slot(site.decide.bag), at]))
            self._go(site.bodies[0], ())
        else:
            self._answers(site, site.decide)
        self.end()

    def _digits(self, site: Site, number: int, option: ir.Option) -> list[Digit]:
        key = (site.number, number)
        if key in self.digits:
            return self.digits[key]
        narrow: list[Digit] = []
        pieces: list[Digit] = []
        wide: list[Digit] = []
        for at, bind in enumerate(option.binds):
            domain = self.world.domain(bind.var.kind)
            if isinstance(bind.set, ir.Combos):
                wide.append(Digit(at, 0, 0))
            elif domain is not None:
                narrow.append(Digit(at, domain[0], max(domain[1], 1)))
            elif bind.var.kind.form == "number":
                wide.append(Digit(at, 0, 0))
            else:
                pieces.append(Digit(at, 0, WIDE))
        for digit in wide[1:]:
            digit.low, digit.width = -(1 << 31), 1 << 32
        self.digits[key] = [*narrow, *pieces, *wide[1:], *wide[:1]]  # so that most numbers are small
        return self.digits[key]

    def _code(self, site: Site, number: int, option: ir.Option, names: list[p.Exp]) -> p.Exp:
        """The number of an option: which one it is, and the values it was made for."""
        return place(self._code_parts(site, number, option, names))

    def _code_parts(self, site: Site, at: int, option: ir.Option, names: list[p.Exp]) -> list[p.Exp]:
        """What the number of an option is the sum of."""
        step = len(site.decide.options)  # type: ignore[union-attr]
        parts: list[p.Exp] = [p.Num(at)]
        for digit in self._digits(site, at, option):
            value = names[digit.bind]
            if natural(value):
                parts.append(p.Num(((value_of(value) or 0) - digit.low) * step))
            else:
                parts += [value if step == 1 else p.Op("*", value, p.Num(step)), p.Num(-digit.low * step)]
            step *= digit.width
        return parts

    def _options(self, site: Site, decide: ir.Decide) -> None:
        if (
            len(decide.options) == 1
            and not decide.options[0].tests
            and not site.foreseen
            and len(decide.options[0].binds) == 1
            and not site.stop_after
            and not self.look(decide.options[0].binds[0].set)
            and not may_repeat(decide.options[0].binds[0].set)
        ):
            self._one_binder(site, decide.options[0])
            return
        if self._few_plain(site, decide):
            return
        self.line("r = []")
        self.line("add = r.append")
        number = 0
        while number < len(decide.options):
            number = self._option_group(site, decide, number)
        repeats = any(may_repeat(bind.set) for option in decide.options for bind in option.binds)
        self.line("return distinct(r)" if repeats else "return r")

    def _few_plain(self, site: Site, decide: ir.Decide) -> bool:
        """Options without binders of which only one or two can be missing: every list there can be is written down."""
        options = decide.options
        open_ = [n for n, o in enumerate(options) if o.tests or site.foreseen.get(n, Foreseen()).tests]
        if not self.clever or len(open_) > 2 or site.stop_after or any(option.binds for option in options):
            return False
        if any(self._takes_long(site, n, options[n]) for n in open_):
            return False

        def lists(at: int, there: list[int]) -> None:
            doubtful = next((n for n in open_ if n >= at), len(options))
            there = [*there, *range(at, doubtful)]
            if doubtful == len(options):
                self.line("return {}", row(self._code(site, n, options[n], []) for n in there))
            else:
                tests = [*options[doubtful].tests, *site.foreseen.get(doubtful, Foreseen()).tests]
                self.line("if {}:", logic("and", [self.ex(test.test) for test in tests]))
                self.depth += 1
                lists(doubtful + 1, [*there, doubtful])
                self.depth -= 1
                lists(doubtful + 1, there)

        lists(0, [])
        return True

    def _exists(self, site: Site) -> None:
        """Whether there is an option at all: the plain ones are looked at first."""
        self.define(f"e{site.number}", [p.S])
        if isinstance(site.decide, ir.ChooseSome):
            self.line("return bool({}(S))", f"o{site.number}")
        elif isinstance(site.decide, ir.Decide):
            options = site.decide.options
            self.any_will_do = True
            for number in sorted(
                range(len(options)),
                key=lambda n: (n in site.stop_after, bool(options[n].binds), self._weight(options[n].tests)),
            ):
                self._option(site, number, options[number], 0)
                if self.out.lines and self.out.lines[-1] == (1, p.Return(TRUE)):
                    break
            self.any_will_do = False
            self.line("return False")
        self.end(said_once=isinstance(site.decide, ir.Decide))

    def look(self, inner: ir.Set) -> str:
        """The functions that say how a thing of this set looks, if two of them could look alike."""
        sorts = individuals_of(inner, self.world)
        if not sorts:
            return ""
        if sorts not in self.looks:
            self.looks[sorts] = self.new_name("look")
        return self.looks[sorts]

    def _likeness(self) -> Likeness:
        things = self.table(tuple(t.sort for t in self.world.things), "sort_of_thing")
        ordered = frozenset(first for first, zone in self.layout.zones.items() if "ordered" in zone.words)
        table = self.table(ordered, "ordered") if ordered else ""
        return Likeness(self.world, lambda x: say("{}[{} - {}]", things, x, FIRST_THING), self.layout.totals, table)

    def _looks(self) -> None:
        likeness, x = self._likeness(), p.Name("x")
        for sorts, name in self.looks.items():
            deep = likeness.deep(sorts, x)
            self.define(f"{name}_plain", [p.S, x])
            self.line("return {}", row(likeness.plain(sorts, x)))
            self.end()
            if deep:
                self.define(f"{name}_deep", [p.S, x])
                self.line("return {}", row(deep))
                self.end()
            self.line("{} = {}, {}", name, f"{name}_plain", p.Name(f"{name}_deep") if deep else NONE)

    def _first_of_alike(self, inner: ir.Set, name: p.Name, look: str) -> None:
        """Of things that are alike only the first goes on from here."""
        sorts = individuals_of(inner, self.world)
        while isinstance(inner, ir.Filtered):
            inner = inner.set
        assert isinstance(inner, ir.Pieces)
        seen = p.Name(f"seen_{name.name}", "keyed")
        if len(sorts) < len(inner.sorts.sorts):  # some are counted, and never alike
            self.line("if alike(S, {}, {}, *{}): continue", seen, name, look)
            return
        zones = inner.zones
        zone = zones[0].member if len(zones) == 1 and isinstance(zones[0], ir.ZoneAt) else None
        likeness = self._likeness()
        parts = likeness.plain(sorts, name, zone)
        key = row(parts) if len(parts) > 1 else parts[0] if parts else ZERO
        if likeness.deep(sorts, name):
            self.line("if (k := {}) in {}:", key, seen)
            self.depth += 1
            self.line("if not apart(S, {}[k], {}, {}): continue", seen, name, f"{look}_deep")
            self.depth -= 1
            self.line("else: {}[k] = [{}]", seen, name)
        else:
            self.line("if (k := {}) in {}: continue", key, seen)
            self.line("{}[k] = {}", seen, name)

    def _one_binder(self, site: Site, option: ir.Option) -> None:
        self.metered = takes_long(self.extents, option)
        bind = option.binds[0]
        name = self.new_name(bind.var.name)
        inner = bind.set
        if isinstance(inner, ir.Span_) and bind.test is None:
            by = self.ex(inner.step)
            ends = [self.ex(inner.low), place([self.ex(inner.high), 1])]
            self.line("return range({*})", [*ends, *([] if by == ONE else [by])])
            return
        code = self._code(site, 0, option, [p.Name(name)])
        if bind.test is not None and self.clever:
            found = self._indexed(ir.Filtered(inner, bind.var, bind.test, inner.kind), name)
            if found is not None:
                self.line("return {}", p.Comp("list", code, found))
                return
        if bind.test is not None:
            test = self.with_name(bind.var, p.Name(name), bind.test)
            self.line("return {}", p.Comp("list", code, tested(self.clauses(inner, name), test)))
        elif code == p.Name(name):
            present = self.present(inner, self.line)
            self.line("return {}", call("list", present) if present else self.listed(inner))
        else:
            self.line("return {}", p.Comp("list", code, self.clauses(inner, name)))

    def _option_group(self, site: Site, decide: ir.Decide, number: int) -> int:
        """Options that share their first tests are written under one `if`."""
        option = decide.options[number]
        shared = option.tests[:1]
        last = number
        if shared and not depends(shared[0].test, option) and not self._takes_long(site, number, option):
            while last + 1 < len(decide.options) and same_first(decide.options[last + 1], shared[0]):
                last += 1
        if last == number:
            self._option(site, number, option, 0)
            return number + 1
        self.line("if {}:", self.ex(shared[0].test))
        self.depth += 1
        for n in range(number, last + 1):
            self._option(site, n, decide.options[n], 1)
        self.depth -= 1
        return last + 1

    def _option(self, site: Site, number: int, option: ir.Option, skip: int) -> None:
        before, self.metered = self.metered, self._takes_long(site, number, option)
        self._write_option(site, number, option, skip)
        self.metered = before

    def _takes_long(self, site: Site, number: int, option: ir.Option) -> bool:
        """Whether making an option, what is foreseen of it included, could take so many steps that they are counted."""
        for found in (site.foreseen.get(number, Foreseen()), *site.by_value.get(number, {}).values()):
            sure = (ir.Require(found.sure, None, "foreseen", None),) if found.sure is not None else ()
            if takes_long(self.extents, replace(option, tests=(*option.tests, *found.tests, *sure))):
                return True
        return False

    def _write_option(self, site: Site, number: int, option: ir.Option, skip: int) -> None:
        depth, foreseen = self.depth, site.foreseen.get(number, Foreseen())
        tried = number in site.stop_after  # by its number, so every value must be named
        if number in site.by_value and self.clever and not self.any_will_do:
            self._option_by_value(site, number, option, list(option.tests[skip:]))
            return
        left = [*option.tests[skip:], *foreseen.tests]
        if self.clever and any(isinstance(t := folded(d.test), ir.Const) and not t.value for d in left):
            return  # it is never possible here
        later = {bind.var for bind in option.binds}
        self._tests(left, later)
        names: list[p.Exp] = []
        for bind in option.binds:
            name = self.new_name(bind.var.name)
            own = p.Name(name)
            names.append(own)
            look = "" if self.any_will_do else self.look(bind.set)
            if self.any_will_do and not tried and self._some_way(bind, left):
                later.discard(bind.var)
                continue
            if not look and self._looked_up_before(option, bind, name, left):
                later.discard(bind.var)
                self.loops = (*self.loops, bind.var)
                self._tests(left, later)
                continue
            if look:
                self.line("{} = {{}}", f"seen_{name}")
            test, narrowed = bind.test, self._narrowed(bind, name)
            those = None
            if test is not None and narrowed is None and self.clever:
                those = self.those_with_something(bind.set, bind.var, name, test)
            if those is None:
                self.clauses_as_lines(bind.set if narrowed is None else narrowed, name)
            self.names[bind.var] = own
            self.loops = (*self.loops, bind.var)
            later.discard(bind.var)
            if those is not None:
                clauses, rest = those
                self._clauses_as_lines(clauses)
                for part in rest:
                    self._test(part)
            elif test is not None and narrowed is None:
                self._test(test)
            if look:
                self._first_of_alike(bind.set, own, look)
            self._tests(left, later)
        self.loops = ()
        self._add(site, number, self._code_parts(site, number, option, names), tried, foreseen)
        for bind in option.binds:
            self._forget(bind.var)
        self.depth = depth

    def _add(self, site: Site, number: int, parts: list[p.Exp], try_it: bool, foreseen: Foreseen) -> None:
        """Here is an option, if it leads on."""
        code = place(parts)
        if not try_it:
            if self.any_will_do:
                self.line("return True")
            elif not self._in_one_go(parts):
                self.line("add({})", code)
            return
        if foreseen.sure is not None:
            found = FOUND if self.any_will_do else do("add({})", code)
            self.line("if {}: {}", self.condition(foreseen.sure), found[0])
            self.line("else:")
            self.depth += 1
        found = FOUND if self.any_will_do else do("add(c)")
        self.line("c = {}", code)
        self.line("if dry(S, {}, c, {}): {}", site.number, horizon_of(site, number), found[0])

    def _in_one_go(self, parts: list[p.Exp]) -> bool:
        """The innermost loop as a list, where nothing else is done in it."""
        at = len(self.out.lines) - 1
        tests: list[p.Exp] = []
        while at >= 0 and self.out.lines[at][0] == self.depth - 1 - len(tests):
            match self.out.lines[at][1]:
                case p.If(test=test, yes=body) if body == OPEN:
                    tests.insert(0, test)
                case p.For(targets=targets, source=source, body=body) if body == OPEN:
                    del self.out.lines[at:]
                    deeper = 1 + len(tests)
                    self.depth -= deeper
                    if len(targets) > 1 or not self._by_steps(parts, targets[0], source, tests):
                        made = self._hoisted(parts, targets[0])
                        self.line("r += {}", p.Comp("list", made, (p.Each(targets, source, tuple(tests)),)))
                    self.depth += deeper
                    return True
                case _:
                    return False
            at -= 1
        return False

    def _by_steps(self, parts: list[p.Exp], running: p.Name, source: p.Exp, tests: list[p.Exp]) -> bool:
        """Numbers at the same distance from each other, of which one may be left out."""
        match source:
            case p.Call(function=p.Name(name="range"), args=(p.Num(value=low), p.Num(value=high), *more)):
                step = value_of(more[0]) if more else 1
            case _:
                return False
        moving = [(part, times) for part in parts if (times := _times(part, running))]
        if step is None or min(low, high, step) < 0 or len(moving) != 1 or len(tests) > 1:
            return False
        [(part, times)] = moving
        fixed = [other for other in parts if other is not part]
        ends = [*(place([*fixed, end * times]) for end in (low, high)), p.Num(step * times)]
        match tests:
            case []:
                self.line("r += range({*})", ends)
                return True
            case [p.Compare(first=first, rest=(("!=", but),))] if first == running and running not in trees_in(but):
                left_out = place([*fixed, p.Op("*", but, p.Num(times))])
                self.line("r += all_but({*}, {})", ends, left_out)
                return True
            case _:
                return False

    def _hoisted(self, parts: list[p.Exp], running: p.Name) -> p.Exp:
        """A sum of which only one part changes: the rest is worked out before."""
        moving = [part for part in parts if _times(part, running)]
        fixed = [part for part in parts if part not in moving]
        if all(isinstance(part, p.Num) for part in fixed) or len(moving) != 1:
            return place(parts)
        base = self.new_name("base")
        self.line("{} = {}", base, place(fixed))
        return place([base, *moving])

    def _option_by_value(self, site: Site, number: int, option: ir.Option, tests: list[ir.Require]) -> None:
        """An option that is something else for each value of its first binder: written out for each of them."""
        bind = option.binds[0]
        inner, wheres = parts_of(bind.set)
        assert isinstance(inner, ir.Pieces)
        depth = self.depth
        self._tests(tests, {b.var for b in option.binds})
        wheres = self._tested_before(bind.var, [*wheres, *([(bind.var, bind.test)] if bind.test is not None else [])])
        lies = self.world.places["place"]
        for value, foreseen in site.by_value[number].items():
            here, known = self.depth, {bind.var: ir.Const(value, bind.var.kind)}
            zones = [self.ex(z) for z in inner.zones]
            there = p.Cell(p.Num(lies.place((value,))))
            self.line("if {}:", compare(there, "==", zones[0]) if len(zones) == 1 else compare(there, "in", row(zones)))
            self.depth += 1
            self.names[bind.var] = p.Num(value)
            left = [folded(renamed(d, known)) for d in [*tests, *foreseen.tests]]
            left[:0] = [
                ir.Require(folded(renamed(test, {var: known[bind.var], **known})), None, "", None)
                for var, test in wheres
            ]
            left = _without_repeating(left)
            if any(isinstance(d.test, ir.Const) and not d.test.value for d in left):
                self.line("pass")
            else:
                later = {b.var for b in option.binds[1:]}
                self._tests(left, later)
                names: list[p.Exp] = [p.Num(value)]
                for other in option.binds[1:]:
                    name = self.new_name(other.var.name)
                    names.append(p.Name(name))
                    look = self.look(other.set)
                    if look:
                        self.line("{} = {{}}", f"seen_{name}")
                    self.clauses_as_lines(folded(renamed(other.set, known)), name)
                    self.names[other.var] = p.Name(name)
                    later.discard(other.var)
                    if other.test is not None:
                        self._test(folded(renamed(other.test, known)))
                    if look:
                        self._first_of_alike(other.set, p.Name(name), look)
                    self._tests(left, later)
                self._add(site, number, self._code_parts(site, number, option, names), not foreseen.whole, foreseen)
            self.depth = here
        for b in option.binds:
            self._forget(b.var)
        self.depth = depth

    def _tested_before(self, chosen: ir.Var, wheres: list[tuple[ir.Var, ir.Exp]]) -> list[tuple[ir.Var, ir.Exp]]:
        """What is the same for every value of a binder is asked once, before; the rest of its conditions."""
        left = []
        for var, test in wheres:
            for part in self.quick_first("and", (test,)):
                if {var, chosen}.isdisjoint(variables_in([part])):
                    self._test(part)
                else:
                    left.append((var, part))
        return left

    def _narrowed(self, bind: ir.Bind, name: str) -> ir.Set | None:
        """A binder's set with its condition, where that says in which table to look."""
        if bind.test is None or not self.clever:
            return None
        inner = ir.Filtered(bind.set, bind.var, bind.test, bind.set.kind)
        narrowed = self.simple(inner)
        if not isinstance(narrowed, ir.Filtered):
            return narrowed
        return inner if self._indexed(inner, name) is not None else None

    def _some_way(self, bind: ir.Bind, left: list[ir.Require]) -> bool:
        """Where it is only asked if so many can be taken, the ways need not be listed."""
        if not isinstance(bind.set, ir.Combos) or bind.test is not None:
            return False
        if any(bind.var in variables_in([demand.test]) for demand in left):
            return False
        inner = bind.set.set
        piece = ir.Var("piece", inner.kind.of or NUMBER)
        count = ir.Aggregate("count", inner, piece, None, NUMBER)
        self._test(ir.Op(">=", (count, ir.Const(bind.set.amount, NUMBER)), NUMBER))
        return True

    def _aggregate(self, e: ir.Aggregate) -> p.Exp:
        """A long search is a function of its own, in which what is the same for many is worked out once."""
        if e.how not in ("any", "no") or not self.clever or self.metered or self.prefix or not self._long_search(e):
            return super()._aggregate(e)
        looked_up = self._looked_up(e)
        if looked_up is not None:
            return looked_up
        params = [var for var in free_variables([e]) if var in self.names]
        said = shape(e, params)
        name = self.search_names.get(said)
        if name is None:
            name = self.search_names[said] = self.new_name("search")
            self.searches.append((name, e, tuple(params)))
        asked = call(name, p.S, *(self.names[param] for param in params))
        return asked if e.how == "any" else p.Unary("not", asked)

    def _long_search(self, e: ir.Aggregate) -> bool:
        inner, tests = parts_of(e.set)
        inside = [test for _, test in tests] + ([e.value] if e.value is not None else [])
        return any(map(heavy, inside)) and self.extents.size(inner)[1] > FEW

    def _search(self, name: str, e: ir.Aggregate, params: tuple[ir.Var, ...]) -> None:
        """`any (x where …)` as a loop."""
        saved = self._own(list(params))
        self.define(name, [p.S, *(self.names[param] for param in params)])
        inner, tests = parts_of(e.set)
        own = self.new_name(e.var.name)
        indexed = next((n for n, (v, t) in enumerate(tests) if index_of(t, v)), None)
        if indexed is not None:
            first = tests.pop(indexed)
            inner = ir.Filtered(inner, first[0], first[1], inner.kind)
        for one in list(tests):
            narrowed = self.simple(ir.Filtered(inner, one[0], one[1], inner.kind))
            if not isinstance(narrowed, ir.Filtered):
                inner = narrowed
                tests.remove(one)
        variables = tuple(dict.fromkeys((e.var, *(var for var, _ in tests))))
        if not self._sort_by_sort(inner, set(variables), [*(test for _, test in tests), e.value], own):
            self.clauses_as_lines(inner, own)
        saved |= {var: self.names.get(var) for var in variables}
        for var in variables:
            self.names[var] = p.Name(own)
        self.loops = variables
        parts = [test for _, test in tests] + ([e.value] if e.value is not None else [])
        for part in self.quick_first("and", tuple(parts)):
            self._test(part)
        self.loops = ()
        self.line("return True")
        self.depth = 1
        self.line("return False")
        self.end(said_once=True)
        self._restore_all(saved)

    def _sort_by_sort(self, inner: ir.Set, variables: set[ir.Var], parts: Sequence[ir.Exp | None], name: str) -> bool:
        """Things of which nothing but the sort matters: one of each sort that lies there stands for all."""
        if not isinstance(inner, ir.Pieces) or not self._pieces_single(inner) or len(inner.zones) != 1:
            return False
        columns = self.zone_columns(inner.zones[0])
        if columns is None or inner.sorts.one is not None or not all(by_sort_only(part, variables) for part in parts):
            return False
        first = {thing.sort: thing.id for thing in reversed(self.world.things) if thing.sort in inner.sorts.sorts}
        rows = tuple((columns[sort], first[sort]) for sort in inner.sorts.sorts if columns[sort] >= 0 and sort in first)
        cell = self.new_name("c")
        self.line("for {}, {} in {}:", cell, name, self.table(rows, "one_of_each"))
        self.depth += 1
        self.line("if S[{}]:", place([self.ex(inner.zones[0]), cell]))
        self.depth += 1
        return True

    def _looked_up_before(self, option: ir.Option, bind: ir.Bind, name: str, left: list[ir.Require]) -> bool:
        """A binder that has nothing to do with those before it: what it can be is found once, not for each of them."""
        before = {b.var for b in option.binds[: option.binds.index(bind)]}
        if not before or not self.clever or self.metered:
            return False
        if before.intersection(variables_in([bind.set, *([bind.test] if bind.test is not None else [])])):
            return False
        known = {*before, *(b.var for b in option.binds[option.binds.index(bind) + 1 :])}
        own = [d for d in left if bind.var in (v := variables_in([d.test])) and not known.intersection(v)]
        if not own and bind.test is None:
            return False
        tests = [*([bind.test] if bind.test is not None else []), *(d.test for d in own)]
        for demand in own:
            left.remove(demand)
        own_name = self.names[bind.var] = p.Name(name)
        said = shape((bind.set, *tests), (bind.var,)), self.beginning
        values = self.kept.get(said)
        if values is None:  # no other option goes through the same
            values = self.kept[said] = self.new_name(f"values_of_{bind.var.name}")
            self.out.before(self.beginning, 1, "{} = None", values)
        self.over = (bind.var,)
        made = [self.condition(t) for t in self.quick_first("and", tuple(tests))]
        self.over = ()
        found = p.Comp("list", own_name, tested(self.clauses(bind.set, name), *made))
        self.line("if {} is None: {} = {}", values, values, found)
        self.line("for {} in {}:", name, values)
        self.depth += 1
        return True

    def _forget(self, var: ir.Var) -> None:
        """After its options are made a binder is again what its rule knows."""
        if var in self.layout.slots:
            self.names.pop(var, None)
        else:
            self.names[var] = p.Name(self.rule_names.setdefault(var, self.new_name(var.name)))

    def clauses_as_lines(self, inner: ir.Set, name: str) -> None:
        """`for name in …:` and what follows, as statements."""
        self._clauses_as_lines(self.clauses(inner, name))

    def _clauses_as_lines(self, clauses: tuple[p.Each, ...]) -> None:
        for clause in clauses:
            self.out.put(p.For(clause.targets, clause.source, OPEN))
            self.depth += 1
            for test in clause.tests:
                self.line("if {}:", test)
                self.depth += 1

    def _tests(self, left: list[ir.Require], later: set[ir.Var]) -> None:
        """Every test is made as soon as all its names are known."""
        for demand in list(left):
            if any(var in later for var in variables_in([demand.test])):
                continue
            left.remove(demand)
            if isinstance(demand.test, ir.Const) and demand.test.value:
                continue
            self._test(demand.test)

    def _test(self, test: ir.Exp) -> None:
        self.over = self.loops
        self.line("if {}:", self.condition(test))
        self.over = ()
        self.depth += 1

    def _answers(self, site: Site, decide: ir.Decide) -> None:
        count = len(decide.options)
        single = count == 1
        if not single:
            self.line("o = code % {}", count)
            self.line("code //= {}", count)
        for number, option in enumerate(decide.options):
            if not single and number < count - 1:
                self.line("if o == {}:", number)
                self.depth += 1
            self._decode(self._digits(site, number, option), option)
            if self.trace:
                self.line("C.option(S, {}, {})", site.number, number)
            self._go(site.bodies[number], ())
            if not single and number < count - 1:
                self.depth -= 1

    def _decode(self, digits: list[Digit], option: ir.Option) -> None:
        for at, digit in enumerate(digits):
            target = self.var(option.binds[digit.bind].var)
            last = at == len(digits) - 1
            value: p.Exp = p.Name("code") if last else say("code % {}", digit.width)
            if digit.low:
                value = p.Op("+", value, p.Num(digit.low)) if digit.low > 0 else p.Op("-", value, p.Num(-digit.low))
            self.line("{} = {}", target, value)
            if not last:
                self.line("code //= {}", digit.width)

    def _bag_options(self, site: Site, s: ir.ChooseSome) -> None:
        sorts = bag_sorts(self.world, s.bag)
        first = self.layout.slot(s.bag)
        self._bag_contents(s.set, sorts)
        worth: p.Exp = NONE
        if s.worth is not None:
            which, count = self.new_name("s"), self.new_name("n")
            table = self.table(sorts, "sorts")
            var_n, var_s = ir.Var("n", NUMBER), ir.Var("s", NUMBER)
            self.names[var_n], self.names[var_s] = p.Name(count), say("{}[{}]", table, which)
            worth = p.Lambda((count, which), self.ex(s.worth_of(ir.Use(var_n, NUMBER), ir.Use(var_s, NUMBER))))
        at = self.var(site.bag_at)  # type: ignore[arg-type]
        least = self.ex(s.least) if s.least is not None else ZERO
        most = self.ex(s.most) if s.most is not None else p.Num(1_000_000)
        step = self.ex(s.step) if s.step is not None else ONE
        shapes = NONE if s.different is None else p.Name(self.table(tuple(s.different[i] for i in sorts), "shapes"))
        low = self.ex(s.worth_least) if s.worth_least is not None else p.Num(-(10**12))
        high = self.ex(s.worth_most) if s.worth_most is not None else p.Num(10**12)
        asked = [at, least, most, step, shapes, worth, low, high]
        self.line("return bag_choices(have, S[{}:{}], {*})", first, first + len(sorts), asked)

    def _bag_contents(self, inner: ir.Set, sorts: tuple[int, ...]) -> None:
        """How many of each sort there are to choose from."""
        cells = self._cells_by_sort(self.simple(inner), sorts)
        if cells is not None:
            whole = self.as_range([one[0] for one in cells]) if all(len(one) == 1 for one in cells) else None
            if whole is not None:
                self.line("have = S[{}:{}]", *whole)
            else:
                self.line("have = [{*}]", [plus([p.Cell(cell) for cell in one]) for one in cells])
            return
        name = self.new_name("x")
        many = self.each(inner, name)
        column = self.table(self.layout.column_of(sorts), "column")
        self.line("have = [0] * {}", len(sorts))
        piece = ir.Var("piece", inner.kind.of or NUMBER)
        sort = self.with_name(piece, p.Name(name), ir.SortOf(ir.Use(piece, piece.kind), piece.kind))
        self.line("for {} in {}: have[{}[{}]] += {}", name, self.listed(inner), column, sort, many)

    def _cells_by_sort(self, inner: ir.Set, sorts: tuple[int, ...]) -> list[list[p.Exp]] | None:
        """By sort: the places where pieces of it are counted; None where they must be gone through."""
        if not isinstance(inner, ir.Pieces) or inner.sorts.one is not None:
            return None
        found: list[list[p.Exp]] = [[] for _ in sorts]
        for zone in inner.zones:
            columns = self.zone_columns(zone)
            there = [sort for sort in sorts if sort in inner.sorts.sorts]
            if columns is None or len({columns[sort] for sort in there} - {-1}) < len(there):
                return None
            for sort in there:
                found[sorts.index(sort)].append(place([self.ex(zone), columns[sort]]))
        return found


def _times(part: p.Exp, running: p.Name) -> int:
    """How many times a part of a sum is what a loop runs over; 0 where it is something else."""
    match part:
        case p.Name():
            return int(part == running)
        case p.Op(op="*", left=left, right=p.Num(value=times)) if left == running:
            return times
        case _:
            return 0


def _without_repeating(demands: list[ir.Require]) -> list[ir.Require]:
    """What must hold all at once: a flag that one of them asks for is not asked for again by those after it."""
    known: list[ir.Exp] = []
    found = []

    def put(part: object) -> ir.Exp | None:
        if not isinstance(part, ir.Read) or part.kind != FLAG:
            return None
        if part in known:
            return ir.Const(1, FLAG)
        return ir.Const(0, FLAG) if ir.Op("not", (part,), FLAG) in known else None

    for demand in demands:
        test = folded(replaced(demand.test, put)) if known else demand.test
        found.append(demand if test is demand.test else replace(demand, test=test))
        known += junction("and", (test,))
    return found
