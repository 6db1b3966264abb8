"""Questions: a function that makes the options, one that says if there are any, and one that answers."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.flow.mentions import plain_words
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import name_of
from ichiba.interpreter.to_plan.context.writing import count_closely, define, end, meter
from ichiba.interpreter.to_plan.course.pieces import go_to, piece_number
from ichiba.interpreter.to_plan.questions.codes import write_answers
from ichiba.interpreter.to_plan.questions.lots import lot_options
from ichiba.interpreter.to_plan.questions.options import looked_at, write_exists, write_options


def write_question(c: Context, site: Site) -> None:
    """Its options, whether there are any, whose it is, and what follows from an answer."""
    if isinstance(site.decide, ir.Secret):
        return
    if site.otherwise is not None:
        piece_number(c, site.otherwise)
    home = (f"{site.procedure.name}: {site.decide.name}", site.decide.span)
    c.numbered.homes[f"o{site.number}"] = c.numbered.homes[f"a{site.number}"] = home
    define(c, f"o{site.number}", [p.S], f"{site.procedure.name}: {plain_words(site.decide.name)}")
    count_closely(c, *looked_at(site.decide))
    before = meter(c, site.decide.set if isinstance(site.decide, ir.ChooseSome) else None)
    if isinstance(site.decide, ir.ChooseSome):
        lot_options(c, site, site.decide)
    else:
        write_options(c, site, site.decide)
    c.metered = before
    end(c, said_once=True)
    write_exists(c, site)
    define(c, f"s{site.number}", [p.S])
    c.out.line("return {}", lower(c, site.decide.seat))
    end(c)
    define(c, f"a{site.number}", [p.S, p.C, p.Name("code")])
    if isinstance(site.decide, ir.ChooseSome):
        at = name_of(c, site.bag_at)  # type: ignore[arg-type]
        c.out.line("S[{}] = code", place([c.layout.slot(site.decide.bag), at]))
        go_to(c, site.bodies[0], ())
    else:
        write_answers(c, site, site.decide)
    end(c)
