"""Where the variables of rules that ask live: in the state, or in one piece only."""

from __future__ import annotations

from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.interpreter.analysis.variables import free_variables, variables_in
from ichiba.interpreter.flow.mentions import variables_of, variables_of_end
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.course.secret_places import secret_variables

Homes = dict[ir.Var, set[object]]  # who knows a variable


def place_variables(c: Context) -> None:
    """A variable of a deciding rule lives in the state unless only one piece knows it."""
    homes = _homes(c)
    lasting = {var for var, known in homes.items() if len(known) > 1 or var.per_seat or var.width > 1}
    for secret in c.flow.secrets:
        for var in secret_variables(c, secret):
            if var in lasting:
                c.layout.slot(var)
    for var in homes:
        if var in lasting:
            c.layout.slot(var)
        else:
            c.names[var] = p.Name(new_name(c, var.name))


def _homes(c: Context) -> Homes:
    """By variable: which pieces, questions and procedures know it; several where it must outlive them."""
    homes: Homes = {}
    for piece in c.flow.pieces:
        for var in (*variables_of(piece), *variables_of_end(piece.end)):
            homes.setdefault(var, set()).add(piece)
    for site in c.flow.sites:
        match site.decide:
            case ir.Secret(me=me):
                _outlives(homes, me, site)
            case ir.ChooseSome() as lot:
                _add_lot(homes, site, lot)
            case ir.Decide() as decide:
                _add_question(homes, site, decide)
                _add_binders(c, homes, site, decide)
            case _:
                assert_never(site.decide)
    for procedure, var in c.flow.returns.items():
        if procedure not in c.flow.sole_calls:
            _outlives(homes, var, procedure)
        for param in (*procedure.params, *procedure.results):
            _outlives(homes, param, procedure)
    _add_policies(c, homes)
    for call, _, _ in c.flow.calls:
        for result in call.perform.results:
            _outlives(homes, result, call)
    return homes


def _add_policies(c: Context, homes: Homes) -> None:
    """What a policy goes by where a question stands must last until it is asked."""
    for wish in (wish for wishes in c.program.policies.values() for wish in wishes if wish.at is not None):
        for var in free_variables([[domain for _, domain in wish.binders], wish.when, wish.weight, wish.nearest]):
            if var in homes:
                _outlives(homes, var, wish.at)


def _outlives(homes: Homes, var: ir.Var, home: object) -> None:
    """A variable must outlive whoever knows it."""
    homes.setdefault(var, set()).update((home, "always"))


def _add_lot(homes: Homes, site: Site, lot: ir.ChooseSome) -> None:
    """The question comes again and again, for each sort: what it looks at must last."""
    asked = [
        lot.set,
        lot.seat,
        lot.least,
        lot.most,
        lot.step,
        lot.worth_least,
        lot.worth_most,
        lot.prompt,
        *lot.worth_args,
    ]
    assert site.bag_at is not None
    for var in (*variables_in(asked), lot.bag, site.bag_at):
        _outlives(homes, var, site)


def _add_question(homes: Homes, site: Site, decide: ir.Decide) -> None:
    """What options look at, and what is foreseen of them; but for their own binders."""
    own = {bind.var for option in decide.options for bind in option.binds}
    looked_at = [
        (o.tests, o.label, o.keys, [b.set for b in o.binds], [b.test for b in o.binds]) for o in decide.options
    ]
    for var in free_variables([decide.seat, decide.prompt, *looked_at]):
        if var not in own:
            homes.setdefault(var, set()).add(site)
    for number, found in site.foreseen.items():
        mine = {bind.var for bind in decide.options[number].binds}
        for foreseen in (found, *site.by_value.get(number, {}).values()):
            for var in free_variables([foreseen.tests, foreseen.sure]):
                if var not in mine:
                    homes.setdefault(var, set()).add(site)


def _add_binders(c: Context, homes: Homes, site: Site, decide: ir.Decide) -> None:
    """What an option is for is known to its body; where others are asked in it, it must last."""
    inner = [other.inside for other in c.flow.sites if other is not site and site in [s for s, _ in other.inside]]
    for number, option in enumerate(decide.options):
        deep = any((site, number) in inside for inside in inner)
        for bind in option.binds:
            homes.setdefault(bind.var, set()).add(site.bodies[number])
            if deep or bind.var.per_seat or _is_called_inside(c, site, number):
                homes[bind.var].add("always")


def _is_called_inside(c: Context, site: Site, number: int) -> bool:
    """Whether a deciding procedure is performed within an option: then its path must be known."""
    return any((site, number) in inside for _, _, inside in c.flow.calls)
