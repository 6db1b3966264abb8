"""Options as numbers: which one, and the values it is for."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place, steps
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, Digit
from ichiba.interpreter.to_plan.context.names import name_of
from ichiba.interpreter.to_plan.context.writing import write_mark
from ichiba.interpreter.to_plan.course.pieces import go_to

WIDE = 1 << 20


def _digits_of(c: Context, site: Site, number: int, option: ir.Option) -> list[Digit]:
    """How the values of an option stand in its number, each with the room it needs."""
    key = (site.number, number)
    if key in c.numbered.digits:
        return c.numbered.digits[key]
    narrow: list[Digit] = []
    pieces: list[Digit] = []
    wide: list[Digit] = []
    for at, bind in enumerate(option.binds):
        domain = c.world.domain(bind.var.kind)
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
    c.numbered.digits[key] = [*narrow, *pieces, *wide[1:], *wide[:1]]  # so that most numbers are small
    return c.numbered.digits[key]


def code_of(c: Context, site: Site, number: int, option: ir.Option, names: list[p.Exp]) -> p.Exp:
    """The number of an option: which one it is, and the values it was made for."""
    return place(code_parts(c, site, number, option, names))


def code_parts(c: Context, site: Site, at: int, option: ir.Option, names: list[p.Exp]) -> list[p.Exp]:
    """What the number of an option is the sum of."""
    step = len(site.decide.options)  # type: ignore[union-attr]
    parts: list[p.Exp] = [p.Num(at)]
    for digit in _digits_of(c, site, at, option):
        parts += steps(names[digit.bind], step, digit.low)
        step *= digit.width
    return parts


def write_answers(c: Context, site: Site, decide: ir.Decide) -> None:
    """One of the options: the values it is for, then what it does."""
    count = len(decide.options)
    single = count == 1
    if not single:
        c.out.line("o = code % {}", count)
        c.out.line("code //= {}", count)
    for number, option in enumerate(decide.options):
        if not single and number < count - 1:
            c.out.line("if o == {}:", number)
            c.out.depth += 1
        _write_values(c, _digits_of(c, site, number, option), option)
        if c.trace:
            c.out.line("C.option(S, {}, {})", site.number, number)
        go_to(c, site.bodies[number], ())
        if not single and number < count - 1:
            c.out.depth -= 1


def _write_values(c: Context, digits: list[Digit], option: ir.Option) -> None:
    """The binders of an option, out of its number."""
    for at, digit in enumerate(digits):
        target = name_of(c, option.binds[digit.bind].var)
        last = at == len(digits) - 1
        value: p.Exp = p.Name("code") if last else say("code % {}", digit.width)
        if digit.low:
            value = p.Op("+", value, p.Num(digit.low)) if digit.low > 0 else p.Op("-", value, p.Num(-digit.low))
        c.out.line("{} = {}", target, value)
        if not last:
            c.out.line("code //= {}", digit.width)
    if c.marks is not None:
        write_mark(c, c.marks.of_option(option))
