"""The whole program as one plan, with its tables and all that belongs to it."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import Extents
from ichiba.interpreter import layout as places
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.flow.horizons import Horizons, Outlook
from ichiba.interpreter.flow.marks import Marks
from ichiba.interpreter.flow.pieces import ANYWHERE, horizon
from ichiba.interpreter.layout import Layout
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE, TRUE, row
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.facts import Facts
from ichiba.interpreter.to_plan.context.tables import finished_tables
from ichiba.interpreter.to_plan.context.writing import define, end
from ichiba.interpreter.to_plan.course.pieces import piece_number
from ichiba.interpreter.to_plan.course.secret_places import place_secrets
from ichiba.interpreter.to_plan.course.variables import place_variables
from ichiba.interpreter.to_plan.drain import drain
from ichiba.interpreter.to_plan.emitted import Emitted
from ichiba.interpreter.to_plan.expressions.calls import function_name
from ichiba.interpreter.to_plan.expressions.expressions import plan_of, plan_with_marks
from ichiba.interpreter.to_plan.functions import write_take
from ichiba.interpreter.to_plan.questions.alike import write_looks
from ichiba.interpreter.to_plan.questions.questions import write_question
from ichiba.interpreter.to_plan.questions.secrets import write_secret
from ichiba.interpreter.to_plan.triggers import write_triggers
from ichiba.interpreter.to_python.module import module_text


def emit(program: ir.Program, layout: Layout, flow: Flow, trace: bool, records: bool = False) -> Emitted:
    """The plan of a game. `trace`: chance and effects are told; `records`: what rules record is noted, for whole games in machine
    code. Where the flow has marks, they are in the plan too."""
    c = new_context(program, layout, flow, trace, marks=flow.marks)
    c.records = records
    return emitted_by(c)


def emitted_by(c: Context) -> Emitted:
    """The plan of a game of which nothing is written yet."""
    place_variables(c)
    place_secrets(c)
    _write_all(c)
    plan = c.out.finished()
    places.finish(c.layout)
    _fill_tables(c)
    known = c.numbered
    return Emitted(
        plan,
        module_text(plan, tuple(c.mentioned.blocks.values()), c.has_steps, c.world.closely),
        c.tables.rows,
        known.faults,
        known.demands,
        known.effects,
        known.kinds,
        known.digits,
        known.landings,
        known.homes,
        known.tells,
        known.records,
        _outlooks(c.flow),
    )


def new_context(
    program: ir.Program,
    layout: Layout,
    flow: Flow,
    trace: bool,
    *,
    marks: Marks | None = None,
    prefix: str = "",
    late: bool = False,
) -> Context:
    """Everything is known, and nothing is written yet; `late`: words, keys and policies will be."""
    world = program.world
    lowering = plan_of if marks is None else plan_with_marks
    counted = flow.busy_late if late else flow.busy
    c = Context(program, world, layout, flow, trace, lowering, Facts(program, flow), Extents(world), counted, marks, prefix)
    if marks is not None:
        c.tables.rows["saw"] = marks.saw
    return c


def _write_all(c: Context) -> None:
    """Every function of the module, and its lists."""
    write_take(c)
    start = piece_number(c, c.flow.start)
    for site in c.flow.sites:
        write_question(c, site)
    for secret in c.flow.secrets:
        write_secret(c, secret)
    c.out.line("START = {}", start)
    drain(c)
    write_triggers(c)
    drain(c)
    _write_invariants_and_ranking(c)
    drain(c)
    _write_lists(c)


def _fill_tables(c: Context) -> None:
    """The tables that need all places, faults and kinds."""
    finished_tables(c)
    c.tables.rows["SORT_AT"] = tuple(c.layout.sort_at)
    c.tables.rows["ZONE_AT"] = tuple(c.layout.zone_at)
    c.tables.rows["TOTAL_AT"] = tuple(c.layout.total_at)
    c.tables.rows["FAULTS"] = tuple(message for message, _ in c.numbered.faults)
    c.tables.rows["KINDS"] = tuple(c.numbered.kinds)


def _outlooks(flow: Flow) -> dict[int, Outlook]:
    """By the end of a dry run: what is known of the questions on its way."""
    horizons = Horizons(flow)
    everywhere = frozenset(range(len(flow.sites)))
    found = {ANYWHERE: Outlook(everywhere, everywhere)}
    for site in flow.sites:
        for number in sorted(site.horizons):
            found[horizon(site, number)] = horizons.of(site, number)
    return found


def _write_invariants_and_ranking(c: Context) -> None:
    invariants = [row([p.Word(one.name), function_name(c, one)]) for one in c.program.invariants]
    ranking = [row([function_name(c, f), p.Truth(bool(highest))]) for f, highest in c.program.ranking]
    for name, found in (("invariants", invariants), ("ranking", ranking)):
        define(c, name, [])
        c.out.line("return [{*}]", found)
        end(c)


def _write_lists(c: Context) -> None:
    """Everything by number."""
    sites, n = c.flow.sites, len(c.flow.sites)

    def names(letter: str) -> list[p.Exp]:
        return [NONE if isinstance(s.decide, ir.Secret) else p.Name(f"{letter}{s.number}") for s in sites]

    c.out.line("FIRST = {}", n)
    c.out.line("PIECES = [{*}]", [*([NONE] * n), *(p.Name(f"b{at}") for at in range(n, n + len(c.mentioned.pieces)))])
    for name, letter in (("OPTIONS", "o"), ("ANSWERS", "a"), ("EXISTS", "e"), ("SEATS", "s")):
        c.out.line("{} = [{*}]", name, names(letter))
    c.out.line("DONE = [{*}]", [f"done_{at}" for at in range(len(c.flow.secrets))])
    skips = [0 if isinstance(s.decide, ir.Secret) or s.decide.never_skip or s.secret is not None else 1 for s in sites]
    c.out.line("SKIPS = [{*}]", skips)
    c.out.line("OTHERWISE = [{*}]", [-1 if s.otherwise is None else c.mentioned.pieces[s.otherwise] for s in sites])
    write_looks(c)
    write_case_tables(c)


def write_case_tables(c: Context) -> None:
    """Functions by owner."""
    for name, ref in c.tables.cases.items():
        _write_case_table(c, name, ref)


def _write_case_table(c: Context, name: str, ref: ir.ValueRef | ir.ProcRef) -> None:
    known = c.mentioned.functions if isinstance(ref, ir.ValueRef) else c.mentioned.procedures
    own = dict(ref.cases)
    if ref.default is not None and ref.by is not None:  # who has no answer of its own gives the usual one
        everybody = c.world.values(ref.default.params[ref.by].kind)
        own = {value: ref.cases.get(value, ref.default) for value in (*everybody, *ref.cases)}
    cases = p.Pairs(tuple((p.Num(value), p.Name(known[f])) for value, f in own.items()))  # type: ignore[index]
    if ref.default is not None:
        usual: p.Exp = p.Name(known[ref.default])  # type: ignore[index]
    else:
        usual = p.Lambda(("*_",), TRUE if isinstance(ref, ir.ValueRef) else NONE)
    c.out.line("{} = Cases({}, {})", name, cases, usual)
