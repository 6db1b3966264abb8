"""What speaks for each answer of a question, as a function of the plan: it goes through the answers once, by their numbers.

    prefer "pass" by 3                              for code in codes:
    prefer "buy/{l}" for l in lots by worth(l)          x = 0
                                                        if code % 2 == 0: x += worth(S, code // 2)
                                                        else: x += 3
                                                        add(x)

What hangs on no answer is worked out when the first is met that it is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.analysis.busy import AT_ONCE, LATE_STEPS
from ichiba.interpreter.analysis.likeness import may_repeat
from ichiba.interpreter.analysis.variables import free_variables
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ZERO, compare, less, logic
from ichiba.interpreter.policies.answers import Answers, Group, Line
from ichiba.interpreter.policies.fitting import Fit, Is, Same, There
from ichiba.interpreter.policies.keys import NotTold, Part, Spelling, Value, Ways, Word, is_number
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.context.writing import a_step, count_passes, define, end, meter
from ichiba.interpreter.to_plan.sets.sets import list_of

NOTHING = -2  # in a table of values: none has this text
ME = p.Name("me")


@dataclass(frozen=True, slots=True)
class Wish:
    """One `prefer`, and by option when an answer of it is meant."""

    preference: ir.Preference
    fits: Mapping[int, Fit]

    @property
    def all_parts(self) -> Iterator[ir.Exp | ir.Set]:
        own = self.preference
        yield from (domain for _, domain in own.binders)
        yield from (part for part in (own.when, own.weight, own.nearest) if part is not None)


@dataclass(frozen=True, slots=True)
class _Near:
    """What is known of a wish for what is near: the numbers in the answers that are meant, and by value of its names what is
    wanted, how much, and how far the nearest is."""

    numbers: p.Name
    wanted: p.Name
    weights: p.Name
    far: p.Name


@dataclass(slots=True)
class Weighing:
    """The function of one question while it is written."""

    c: Context
    spelling: Spelling
    lines: Sequence[Line]
    wishes: Sequence[Wish]
    groups: Sequence[Group] = ()
    answers: Answers = field(init=False)
    start: int = 0  # where stands what is so from the beginning
    kept: dict[object, tuple[p.Name, p.Name]] = field(default_factory=dict)  # whether something is known, and what it is
    near: dict[int, _Near] = field(default_factory=dict)  # by wish

    def __post_init__(self) -> None:
        self.answers = Answers(self.c, self.spelling, self.lines)

    def write(self, name: str) -> None:
        """Raises `NotTold`."""
        c = self.c
        saved = dict(c.names)
        c.names.update({wish.preference.me: ME for wish in self.wishes})
        define(c, name, [p.S, ME, p.Name("codes", "list")])
        metered = meter(c, *(part for wish in self.wishes for part in wish.all_parts), most=LATE_STEPS)
        if c.metered:
            c.out.put(p.Do(a_step(c)))
        c.out.line("sums = []")
        c.out.line("add = sums.append")
        self.start = len(c.out.lines)
        self._look_for_the_nearest()
        self._weigh()
        c.out.line("return sums")
        c.metered = metered
        end(c)
        c.names = saved

    def _look_for_the_nearest(self) -> None:
        """Before the answers are weighed: the numbers in those that are meant, what is wanted, and how far the nearest is."""
        near = [wish for wish in self.wishes if wish.preference.nearest is not None]
        if not near:
            return
        for wish in near:
            self.near[id(wish)] = found = _Near(*(p.Name(new_name(self.c, word), "list") for word in ("numbers", "wanted", "weights", "far")))
            for name in (found.numbers, found.wanted, found.weights, found.far):
                self._at_the_start("{} = []", name)

        def look(number: int) -> None:
            own = [wish for wish in near if number in wish.fits]
            self._begin(number, own)
            for wish in own:
                numbers = self.near[id(wish)].numbers
                self._where_meant(wish, number, lambda: self.c.out.line("{}.append({})", numbers, self._near_number(wish, number)))  # noqa: B023

        with self.c.out.under("for code in codes:"):
            self.answers.go_through({number for wish in near for number in wish.fits}, look)
        for wish in near:
            self._how_far(wish)

    def _how_far(self, wish: Wish) -> None:
        """For each value of the names of a `prefer`: what is wanted, how much, and how far the nearest answer is from it."""
        c, own, found = self.c, wish.preference, self.near[id(wish)]
        saved, each = dict(c.names), p.Name(new_name(c, "number"))
        with c.out.under("if {}:", found.numbers):
            depth = c.out.depth
            for at, (var, domain) in enumerate(own.binders):
                self._bind(var, domain, [other for other, _ in own.binders[:at]], None)
            if own.when is not None:
                c.out.line("if {}:", lower(c, own.when))
                c.out.depth += 1
            c.out.line("{}.append({})", found.weights, lower(c, own.weight))
            wanted = p.Name(new_name(c, "want"))
            c.out.line("{} = {}", wanted, lower(c, own.nearest))  # type: ignore[arg-type]
            c.out.line("{}.append({})", found.wanted, wanted)
            if c.world.closely:
                c.out.line("spend(1 + len({}) // {})", found.numbers, p.Num(AT_ONCE))
            c.out.line("{}.append(min([abs({} - {}) for {} in {}]))", found.far, each, wanted, each, found.numbers)
            c.out.depth = depth
        c.names = saved

    def _weigh(self) -> None:
        c, lines = self.c, self.lines
        chosen = {number for wish in self.wishes for number in wish.fits}
        chosen |= {number for number, line in enumerate(lines) if line.group is not None or line.faulty}
        with c.out.under("for code in codes:"):
            if c.world.closely:
                count_passes(c)
            c.out.line("x = 0")
            self.answers.go_through(chosen, self._weigh_option)
            c.out.line("add(x)")
        if self.groups:
            self._at_the_start("keys = []")
            with c.out.under("if len(distinct(keys)) < len(keys):"):
                c.out.line("raise RuleFault('two answers have the same key')")

    def _weigh_option(self, number: int) -> None:
        own = [wish for wish in self.wishes if number in wish.fits]
        self._begin(number, own)
        if self.lines[number].group is not None:
            self.c.out.line("keys.append({})", self.answers.key_number(number, self.groups))
        for wish in own:
            self._where_meant(wish, number, lambda wish=wish: self._add(wish, number))  # type: ignore[misc]

    def _begin(self, number: int, wishes: Sequence[Wish]) -> None:
        """What has to be known of an answer of an option for these wishes, and for its key."""
        line = self.lines[number]
        parts: list[Part] = list(line.parts) if line.group is not None or line.faulty else []
        for fit in (wish.fits[number] for wish in wishes):
            parts += [one.part for one in fit.conditions]
            parts += [fit.number] if fit.number is not None else []
        self.answers.name(number, parts)
        self.answers.work_out(number)

    # ----------------------------------------------------------------------------------------- what is worked out once

    def _at_the_start(self, sentence: str, *holes: p.Name) -> None:
        self.c.out.before(self.start, 1, sentence, *holes)

    def _once(self, key: object, hint: str, empty: str, write: Callable[[p.Name], None], kind: str = "number") -> p.Name:
        """What hangs on no answer: worked out where it is first asked for."""
        c = self.c
        if key not in self.kept:
            known, name = p.Name(new_name(c, "known")), p.Name(new_name(c, hint), kind)  # type: ignore[arg-type]
            self.kept[key] = known, name
            self._at_the_start("{} = 0", known)
            self._at_the_start(f"{{}} = {empty}", name)
        known, name = self.kept[key]
        with c.out.under("if not {}:", known):
            c.out.line("{} = 1", known)
            write(name)
        return name

    def _fixed(self, e: ir.Exp, binders: Sequence[ir.Var]) -> p.Exp:
        """The value of an expression, worked out once where it hangs on no answer and takes any work."""
        made = lower(self.c, e)
        if isinstance(made, p.Num | p.Name | p.Truth | p.Cell) or not set(free_variables([e])).isdisjoint(binders):
            return made
        return self._once(("value", id(e)), "value", "0", lambda name: self.c.out.line("{} = {}", name, made))

    def _worked_out(self, e: ir.Exp, binders: Sequence[ir.Var]) -> p.Exp:
        """An expression whose parts that hang on no answer, and take some work, are worked out once."""
        found: list[tuple[ir.Var, ir.Exp]] = []

        def put(part: object) -> ir.Use | None:
            if not isinstance(part, ir.CallValue | ir.Aggregate) or part.kind.form != "number" or part.kind.optional:
                return None
            if not set(free_variables([part])).isdisjoint(binders):
                return None
            var = next((known for known, other in found if other == part), ir.Var("same", part.kind))
            found.append((var, part))
            return ir.Use(var, part.kind)

        made = _changed(e, put)
        for var, part in found:
            if var not in self.c.names:
                self.c.names[var] = self._fixed(part, ())
        return lower(self.c, made)

    # ------------------------------------------------------------------------------------------------ which are meant

    def _where_meant(self, wish: Wish, number: int, write: Callable[[], None]) -> None:
        """`write`, where the key of an answer fits, for each of the values that the names of the `prefer` stand for."""
        c, fit = self.c, wish.fits[number]
        depth, saved = c.out.depth, dict(c.names)
        bound: dict[str, Part] = {}
        for condition in fit.conditions:
            match condition:
                case There(part=part):
                    c.out.line("if {}:", compare(self.answers.value(part), "!=", ZERO))
                    c.out.depth += 1
                case Is(part=part, text=text):
                    c.out.line("if {}:", self._is(part, text))
                    c.out.depth += 1
                case Same(name=name, part=part):
                    if name in bound:
                        raise NotTold(f"`{{{name}}}` stands twice in the text")
                    bound[name] = part
        binders = wish.preference.binders if wish.preference.nearest is None else ()
        if bound and wish.preference.nearest is not None:
            raise NotTold("`nearest` for each value of a name in the text")
        if len({var.name for var, _ in binders}) < len(binders):
            raise NotTold("two names of a `prefer` are the same")
        for at, (var, domain) in enumerate(binders):
            self._bind(var, domain, [other for other, _ in binders[:at]], bound.get(var.name))
        write()
        c.out.depth, c.names = depth, saved

    def _is(self, part: Value, text: str) -> p.Exp:
        """Whether a part has this text."""
        if is_number(part):
            return compare(self.answers.value(part), "==", p.Num(int(text)))
        texts = self.spelling.own(part).texts
        at = [n for n, one in enumerate(texts) if one == text]
        which = self.answers.text_at(part)
        if len(at) == 1:
            return compare(which, "==", p.Num(at[0]))
        return compare(which, "in", p.Name(fixed_table(self.c, frozenset(at), "texts")))

    def _bind(self, var: ir.Var, domain: ir.Set, before: Sequence[ir.Var], part: Part | None) -> None:
        """A name of the `prefer` stands for what is spelled in a part; or for one after the other of its set."""
        c = self.c
        if part is None:
            name = self._loop(var, domain, before)
        else:
            tests, inner = _taken_apart(domain)
            told = self._by_value(var, inner, before, part)
            if told is None:
                tests = []
            name = told if told is not None else self._by_list(var, domain, before, part)
            for own, test in tests:
                c.names[own] = name
                c.out.line("if {}:", lower(c, test))
                c.out.depth += 1
        c.names[var] = name

    def _items(self, domain: ir.Set, before: Sequence[ir.Var]) -> p.Exp:
        """The list of a set, made once where it hangs on no other name."""
        c = self.c
        made = list_of(c, domain)
        if not set(free_variables([domain])).isdisjoint(before):
            return made
        listed = made if isinstance(made, p.Comp) else made if _is_call(made, "list") else p.Call(p.Name("list"), (made,))
        return self._once(("set", id(domain)), "those", "[]", lambda those: c.out.line("{} = {}", those, listed), "list")

    def _loop(self, var: ir.Var, domain: ir.Set, before: Sequence[ir.Var]) -> p.Exp:
        """One after the other of a set."""
        c = self.c
        name = p.Name(new_name(c, var.name))
        c.out.line("for {} in {}:", name, self._items(domain, before))
        c.out.depth += 1
        return name

    def _by_list(self, var: ir.Var, domain: ir.Set, before: Sequence[ir.Var], part: Part) -> p.Exp:
        """A name stands for whatever of its set is spelled like the part; for the very value, where that says the same."""
        c = self.c
        if isinstance(part, Value) and not may_repeat(domain) and self._tells_itself(var.kind, part):
            value = self.answers.value(part)
            c.out.line("if {}:", compare(value, "in", self._items(domain, before)))
            c.out.depth += 1
            return value
        name = self._loop(var, domain, before)
        c.out.line("if {}:", self._same_text(var, name, part))
        c.out.depth += 1
        return name

    def _tells_itself(self, kind: Kind, part: Value) -> bool:
        """Whether values of a kind have the text of a part only where they are what is spelled there."""
        if kind.form == "number":
            return is_number(part)
        if part.rows or part.kind.form != kind.form or part.kind.name != kind.name or kind.form == "piece":
            return False
        texts = self.spelling.among(kind)
        return len(set(texts)) == len(texts)

    def _by_value(self, var: ir.Var, domain: ir.Set, before: Sequence[ir.Var], part: Part) -> p.Exp | None:
        """What a name stands for, told from what is spelled; None where its set has to be gone through."""
        if isinstance(part, Ways):
            raise NotTold("several pieces at once are spelled")
        number = var.kind.form == "number"
        if number:
            return self._number_within(domain, before, part)
        if isinstance(domain, ir.Listed) and isinstance(part, Value) and all(isinstance(item, ir.Const) for item in domain.items):
            return self._in_table(var, [item.value for item in domain.items if isinstance(item, ir.Const)], part)
        return None

    def _number_within(self, domain: ir.Set, before: Sequence[ir.Var], part: Value | Word) -> p.Exp | None:
        c = self.c
        value = p.Num(int(part.text)) if isinstance(part, Word) else self.answers.value(part)
        if not isinstance(domain, ir.Span_):
            return None
        low, high, step = (self._fixed(e, before) for e in (domain.low, domain.high, domain.step))
        within: list[p.Exp] = [p.Compare(low, (("<=", value), ("<=", high)))]
        if step != p.Num(1):
            if not isinstance(step, p.Num) or step.value < 1:
                return None
            within.append(compare(p.Op("%", less(value, low.value) if isinstance(low, p.Num) else p.Op("-", value, low), step), "==", ZERO))
        c.out.line("if {}:", logic("and", within))
        c.out.depth += 1
        return value

    def _in_table(self, var: ir.Var, values: list[int], part: Value) -> p.Exp | None:
        """By the text that is spelled: the value of that text; a table that says the same of every value is none."""
        c, texts = self.c, self.spelling.own(part).texts
        by_text: dict[str, int] = {}
        for value in values:
            text = self.spelling.spell(value, var.kind)
            if text in by_text or value == NOTHING:
                return None
            by_text[text] = value
        sure = not part.kind.optional and not part.kind.unsure
        if sure and self._tells_itself(var.kind, part) and set(self.spelling.world.values(part.kind)) <= set(values):
            return self.answers.value(part)
        name = p.Name(new_name(c, var.name))
        row = self.answers.row(tuple(by_text.get(text, NOTHING) for text in texts), "of_text")
        c.out.line("{} = {}", name, p.Entry(row, self.answers.text_at(part)))
        c.out.line("if {}:", compare(name, "!=", p.Num(NOTHING)))
        c.out.depth += 1
        return name

    def _same_text(self, var: ir.Var, name: p.Exp, part: Part) -> p.Exp:
        assert isinstance(part, Value | Word)
        if var.kind.form == "number":
            return compare(name, "==", p.Num(int(part.text)) if isinstance(part, Word) else self.answers.value(part))
        return compare(self.answers.text_number_of(name, var.kind), "==", self.answers.text_number(part))

    # ---------------------------------------------------------------------------------------------------- how much

    def _add(self, wish: Wish, number: int) -> None:
        """An answer that is meant gets the weight."""
        c, own = self.c, wish.preference
        if own.nearest is not None:
            found, each, number_here = self.near[id(wish)], p.Name(new_name(c, "each")), self._near_number(wish, number)
            if c.world.closely:
                c.out.line("spend(1 + len({}) // {})", found.wanted, p.Num(AT_ONCE))
            with c.out.under("for {} in range(len({})):", each, found.wanted):
                c.out.line("x += {}[{}] - abs({} - {}[{}]) + {}[{}]", found.weights, each, number_here, found.wanted, each, found.far, each)
            return
        if own.binders or not self.lines[number].binds and self.lines[number].digits == ():
            if own.when is not None:
                c.out.line("if {}:", lower(c, own.when))
                c.out.depth += 1
            c.out.line("x += {}", self._worked_out(own.weight, [var for var, _ in own.binders]))
            return
        c.out.line("x += {}", self._weight(wish))

    def _weight(self, wish: Wish) -> p.Exp:
        """The weight of a wish without names, which is the same for all that it means; nothing where `when` does not hold."""
        c, own = self.c, wish.preference
        if own.when is None:
            made = lower(c, own.weight)
            if isinstance(made, p.Num):
                return made

        def work_out(name: p.Name) -> None:
            if own.when is None:
                c.out.line("{} = {}", name, lower(c, own.weight))
                return
            with c.out.under("if {}:", lower(c, own.when)):
                c.out.line("{} = {}", name, lower(c, own.weight))

        return self._once(("weight", id(own)), "weight", "0", work_out)

    def _near_number(self, wish: Wish, number: int) -> p.Exp:
        part = wish.fits[number].number
        if isinstance(part, Word):
            return p.Num(int(part.text))
        assert isinstance(part, Value)
        return self.answers.value(part)


def _taken_apart(domain: ir.Set) -> tuple[list[tuple[ir.Var, ir.Exp]], ir.Set]:
    """The conditions of a set, outermost last, and what they narrow."""
    tests: list[tuple[ir.Var, ir.Exp]] = []
    while isinstance(domain, ir.Filtered):
        tests.insert(0, (domain.var, domain.test))
        domain = domain.set
    return tests, domain


def _is_call(made: p.Exp, name: str) -> bool:
    return isinstance(made, p.Call) and made.function == p.Name(name)


def _changed(e: ir.Exp, put: Callable[[object], ir.Use | None]) -> ir.Exp:
    """The same with something put in for what is surely worked out: not where a condition could keep it from that."""
    found = put(e)
    if found is not None:
        return found
    if isinstance(e, ir.Op) and e.op not in ("and", "or"):
        return replace(e, args=tuple(_changed(arg, put) for arg in e.args))
    if isinstance(e, ir.Cond):
        return replace(e, test=_changed(e.test, put))
    return e
