"""Where the variables of rules that ask live: in the state, or in one piece only."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.analysis.variables import free_variables, variables_in
from ichiba.interpreter.flow.flow import Site
from ichiba.interpreter.flow.mentions import variables_of, variables_of_end
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.course.secret_places import secret_variables


def place_variables(c: Context) -> None:
    """A variable of a deciding rule lives in the state unless only one piece knows it."""
    seen: dict[ir.Var, set[object]] = {}
    for piece in c.flow.pieces:
        for var in variables_of(piece):
            seen.setdefault(var, set()).add(piece)
        for var in variables_of_end(piece.end):
            seen.setdefault(var, set()).add(piece)
    for site in c.flow.sites:
        _variables_of_question(c, site, seen)
    for procedure, var in c.flow.returns.items():
        if procedure not in c.flow.sole_calls:
            seen.setdefault(var, set()).update((procedure, "always"))
        for param in (*procedure.params, *procedure.results):
            seen.setdefault(param, set()).update((procedure, "always"))
    for call, _, _ in c.flow.calls:
        for result in call.perform.results:
            seen.setdefault(result, set()).update((call, "always"))
    needed = [var for var, homes in seen.items() if len(homes) > 1 or var.per_seat or var.width > 1]
    for secret in c.flow.secrets:
        mine = set(needed)
        for var in secret_variables(c, secret):
            if var in mine:
                c.layout.slot(var)
    for var, homes in seen.items():
        if len(homes) > 1 or var.per_seat or var.width > 1:
            c.layout.slot(var, "")
        else:
            c.names[var] = p.Name(new_name(c, var.name))


def _variables_of_question(c: Context, site: Site, seen: dict[ir.Var, set[object]]) -> None:
    decide = site.decide
    if isinstance(decide, ir.Secret):
        seen.setdefault(decide.me, set()).update((site, "always"))
        return
    if isinstance(decide, ir.ChooseSome):
        for var in variables_in(
            [
                decide.set,
                decide.seat,
                decide.least,
                decide.most,
                decide.step,
                decide.worth_least,
                decide.worth_most,
                decide.prompt,
                *decide.worth_args,
            ]
        ):
            seen.setdefault(var, set()).update((site, "always"))
        seen.setdefault(decide.bag, set()).update((site, "always"))
        seen.setdefault(site.bag_at, set()).update((site, "always"))  # type: ignore[arg-type]
        return
    own = {bind.var for option in decide.options for bind in option.binds}
    for var in free_variables(
        [
            decide.seat,
            decide.prompt,
            *((o.tests, o.label, o.keys, [b.set for b in o.binds], [b.test for b in o.binds]) for o in decide.options),
        ]
    ):
        if var not in own:
            seen.setdefault(var, set()).add(site)
    for number, found in site.foreseen.items():
        mine = {bind.var for bind in decide.options[number].binds}
        for foreseen in (found, *site.by_value.get(number, {}).values()):
            for var in free_variables([foreseen.tests, foreseen.sure]):
                if var not in mine:
                    seen.setdefault(var, set()).add(site)
    for number, option in enumerate(decide.options):
        body = site.bodies[number]
        deep = any(
            site in [s for s, n in other.inside if n == number]
            for other in c.flow.sites
            if other is not site and site in [s for s, _ in other.inside]
        )
        for bind in option.binds:
            seen.setdefault(bind.var, set()).add(body)
            if deep or bind.var.per_seat or _is_called_inside(c, site, number):
                seen[bind.var].add("always")


def _is_called_inside(c: Context, site: Site, number: int) -> bool:
    """Whether a deciding procedure is performed within an option: then its path must be known."""
    return any((site, number) in inside for _, _, inside in c.flow.calls)
