"""One answer after the other: which option it is, the values of its names, and what stands in the parts of its key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import Extents, Range
from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.analysis.variables import variables_in
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import arithmetic, less, place
from ichiba.interpreter.policies.keys import WHOLE, NotTold, Part, Spelling, Value, Ways, Word, is_number
from ichiba.interpreter.run.distinct import in_one_zone
from ichiba.interpreter.to_plan.context.context import Context, Digit, lower
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.context.tables import fixed_table

NEAR = 1 << 20
BEYOND = (-NEAR, NEAR)  # numbers in keys are told apart up to here; beyond, the spelled keys are compared
CODE = p.Name("code")


@dataclass(eq=False, slots=True)
class Line:
    """One option of a question: the parts of its key, and the digits in which its names stand."""

    parts: Sequence[Part]
    binds: Sequence[ir.Bind] = ()
    digits: Sequence[Digit] = ()
    group: int | None = None  # of the options one of whose answers could have the same key as another
    faulty: bool = False  # its key takes work, which could go wrong

    @property
    def spelled(self) -> list[Value | Ways]:
        return [part for part in self.parts if not isinstance(part, Word)]


@dataclass(slots=True)
class Answers:
    """The answers of one question, as they are gone through."""

    c: Context
    spelling: Spelling
    lines: Sequence[Line]
    values: dict[int, p.Exp] = field(default_factory=dict)  # parts of the key that have been worked out for this answer

    def go_through(self, chosen: Collection[int], write: Callable[[int], None]) -> None:
        """What is done for an answer of each of these options."""
        c, count = self.c, len(self.lines)
        if count > 1 and chosen:
            c.out.line("o = code % {}", count)
        word = "if"
        for number in sorted(chosen):
            self.values = {}
            if count == 1:
                write(number)
            else:
                with c.out.under(f"{word} o == {{}}:", number):
                    write(number)
            word = "elif"

    def name(self, number: int, parts: Iterable[Part]) -> None:
        """The names of an option that these parts need, out of the number of the answer."""
        line, step = self.lines[number], len(self.lines)
        own = [part.of for part in parts if isinstance(part, Value | Ways) and isinstance(part.of, ir.EXP_CLASSES)]
        needed = set(variables_in(own))
        for at, digit in enumerate(line.digits):
            var = line.binds[digit.bind].var
            if var in needed:
                left: p.Exp = CODE if step == 1 else p.Op("//", CODE, p.Num(step))
                value = left if at == len(line.digits) - 1 else p.Op("%", left, p.Num(digit.width))
                self.c.names[var] = self._named(var.name, less(value, -digit.low))
            step *= digit.width

    def _named(self, hint: str, made: p.Exp) -> p.Exp:
        if isinstance(made, p.Name | p.Num) or isinstance(made, p.Cell) and isinstance(made.at, p.Num):
            return made
        name = p.Name(new_name(self.c, hint))
        self.c.out.line("{} = {}", name, made)
        return name

    def value(self, part: Value | Ways) -> p.Exp:
        """What is spelled in a part of the key, worked out once for each answer."""
        if id(part) not in self.values:
            made = part.of if not isinstance(part.of, ir.EXP_CLASSES) else lower(self.c, part.of)
            self.values[id(part)] = self._named("part", made)
        return self.values[id(part)]

    def work_out(self, number: int) -> None:
        """All that is spelled in a key that could go wrong: before anything hangs on conditions."""
        if self.lines[number].faulty:
            for part in self.lines[number].spelled:
                self.value(part)

    def text_at(self, part: Value) -> p.Exp:
        """Which of the texts of its kind stands in a part."""
        return self.spelling.own(part).number(self.value(part))

    def row(self, rows: tuple[int, ...], hint: str) -> p.Name:
        return p.Name(fixed_table(self.c, rows, hint), "list")

    def text_number(self, part: Value | Word) -> p.Exp:
        """The number of the text that stands in a part."""
        if isinstance(part, Word):
            return p.Num(self.spelling.number_of(part.text))
        return p.Entry(self.row(self.spelling.numbers_of(self.spelling.own(part)), "text"), self.text_at(part))

    def text_number_of(self, value: p.Exp, kind: Kind) -> p.Exp:
        """The number of the text of a value."""
        texts = self.spelling.texts(kind)
        return p.Entry(self.row(self.spelling.numbers_of(texts), "text"), texts.number(value))

    def key_number(self, number: int, groups: Sequence[Group]) -> p.Exp:
        """A number that says what the key of an answer is, among all those that could be alike."""
        line, width = self.lines[number], len(groups)
        assert line.group is not None
        parts: list[p.Exp] = [p.Num(line.group)]
        group = groups[line.group]
        for part, texts, (low, high) in zip(line.parts, group.texts, group.numbers, strict=True):
            if is_number(part):
                assert isinstance(part, Value)
                value = self.value(part)
                if (low, high) == BEYOND:
                    self.c.out.line("if not {} <= {} <= {}: raise RuleFault('a large number in a key')", p.Num(low), value, p.Num(high))
                own, room = less(value, low), high - low + 1
            else:
                assert isinstance(part, Value | Word)
                own, room = self._among(part, texts), len(texts) + 1
            parts.append(arithmetic("*", own, p.Num(width)))
            width *= room
        return place(parts)

    def _among(self, part: Value | Word, texts: Mapping[str, int]) -> p.Exp:
        """Which of these texts stands in a part; whatever else stands there comes after them."""
        if isinstance(part, Word):
            return p.Num(texts[part.text])
        rows = tuple(texts.get(text, len(texts)) for text in self.spelling.own(part).texts)
        return p.Entry(self.row(rows, "which"), self.text_at(part))


@dataclass(frozen=True, slots=True)
class Group:
    """Options one of whose answers could have the same key as another: by part of the key a number for each text."""

    texts: tuple[dict[str, int], ...]
    numbers: tuple[Range, ...]  # between which numbers those lie that stand there; `BEYOND`: it has to be asked


def grouped(lines: Sequence[Line], spelling: Spelling, extents: Extents) -> list[Group]:
    """Puts such options into groups."""
    groups = 0
    for at, line in enumerate(lines):
        alike = [other for other in lines[:at] if _could_share(line, other, spelling)]
        if not alike and one_to_one(line, spelling):
            continue
        line.group = groups
        groups += 1
        before = [other.group for other in alike if other.group is not None]
        for other in lines[:at]:
            if other in alike or other.group in before:
                other.group = line.group
    numbers = {group: at for at, group in enumerate(sorted({line.group for line in lines if line.group is not None}))}
    for line in lines:
        line.group = None if line.group is None else numbers[line.group]
    return [_group([line for line in lines if line.group == at], spelling, extents) for at in range(len(numbers))]


def _group(lines: Sequence[Line], spelling: Spelling, extents: Extents) -> Group:
    if any(isinstance(part, Ways) for line in lines for part in line.parts):
        raise NotTold("several pieces at once could be spelled alike")
    texts: list[dict[str, int]] = []
    numbers: list[Range] = []
    for parts in zip(*(line.parts for line in lines), strict=True):
        own = [text for part in parts if not is_number(part) for text in spelling.texts_of(part)]
        texts.append({text: at for at, text in enumerate(dict.fromkeys(own))})
        numbers.append(_between([part for part in parts if isinstance(part, Value) and is_number(part)], extents))
    return Group(tuple(texts), tuple(numbers))


def _between(parts: Sequence[Value], extents: Extents) -> Range:
    """Between which numbers those lie that stand in these parts."""
    ends = [extents.value(part.of) if isinstance(part.of, ir.EXP_CLASSES) else BEYOND for part in parts]
    low, high = min((low for low, _ in ends), default=0), max((high for _, high in ends), default=0)
    return (low, high) if high - low < 2 * NEAR else BEYOND


def _could_share(one: Line, other: Line, spelling: Spelling) -> bool:
    """Whether a key of one option could be one of another."""
    if any(isinstance(part, Ways) for part in (*one.parts, *other.parts)):
        return _heads(one)[0] == _heads(other)[0]
    return len(one.parts) == len(other.parts) and all(_alike(a, b, spelling) for a, b in zip(one.parts, other.parts, strict=True))


def _heads(line: Line) -> list[str]:
    return [part.text for part in line.parts if isinstance(part, Word)]


def _alike(one: Part, other: Part, spelling: Spelling) -> bool:
    """Whether two parts of keys could have the same text."""
    if is_number(one) and is_number(other):
        return True
    if is_number(one) or is_number(other):
        texts = spelling.texts_of(other if is_number(one) else one)
        if any(map(WHOLE.fullmatch, texts)):
            raise NotTold("a number and a name could be the same text")
        return False
    return not set(spelling.texts_of(one)).isdisjoint(spelling.texts_of(other))


def one_to_one(line: Line, spelling: Spelling) -> bool:
    """Whether the key of an option says what each of its names stands for."""
    told = {part.of.var: part for part in line.parts if isinstance(part, Value) and isinstance(part.of, ir.Use) and part.of.at is None}
    return all(bind.var in told and _tells(told[bind.var], bind, spelling) for bind in line.binds)


def _tells(part: Value, bind: ir.Bind, spelling: Spelling) -> bool:
    if is_number(part):
        return True
    texts = spelling.among(part.kind)
    return len(set(texts)) == len(texts) and (part.kind.form != "piece" or in_one_zone(bind.set))
