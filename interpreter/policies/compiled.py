"""All policies of a game as functions of one plan, in the order in which the ruleset names them.

    policy_0(S, site, seat, options)      the places, among the options, of all answers that policy 0 likes best
    weigh_0_12(S, me, codes)              what speaks for each answer of question 12, by policy 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.layout import Layout
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.policies.answers import Line, grouped
from ichiba.interpreter.policies.fitting import Fit, fit
from ichiba.interpreter.policies.keys import NotTold, Part, Spelling, parts_of, parts_of_lot
from ichiba.interpreter.policies.weighing import Weighing, Wish
from ichiba.interpreter.to_plan.context.context import Context, Digit
from ichiba.interpreter.to_plan.context.tables import finished_tables
from ichiba.interpreter.to_plan.context.writing import define, end
from ichiba.interpreter.to_plan.course.secret_places import find_secret_places
from ichiba.interpreter.to_plan.drain import drain
from ichiba.interpreter.to_plan.module import new_context, write_case_tables
from ichiba.interpreter.to_plan.questions.alike import write_looks

PREFIX = "policy_"


@dataclass(slots=True)
class Policies:
    """What was made of the policies of a game."""

    plan: tuple[p.Stm, ...] = ()
    tables: dict[str, object] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)  # the words of what can go wrong, by number
    weighs: dict[tuple[str, int], str] = field(default_factory=dict)  # by policy and question: the function
    has_steps: bool = False  # somewhere steps are counted
    not_told: dict[tuple[str, int], str] = field(default_factory=dict)  # where answers can be told by their text alone: why

    def sure(self, policy: str) -> bool:
        """Whether a policy can answer every question from numbers."""
        return all(name != policy for name, _ in self.not_told)


def compiled(
    program: ir.Program,
    layout: Layout,
    flow: Flow,
    digits: Mapping[tuple[int, int], Sequence[Digit]],
    spell: Callable[[int, Kind], str],
    may_share: Callable[[Site], bool],
) -> Policies:
    """The plan of all policies. `digits`: how answers stand in their numbers; `spell`: a value in a key; `may_share`: whether
    two answers of a question could have the same key, which is a fault."""
    made = Policies()
    c = new_context(program, layout, flow, trace=False, prefix=PREFIX, late=True)
    find_secret_places(c)
    spelling = Spelling(program.world, layout, spell)
    for number, (name, preferences) in enumerate(program.policies.items()):
        for site in flow.sites:
            if isinstance(site.decide, ir.Decide | ir.ChooseSome):
                _question(c, spelling, site, name, number, preferences, digits, may_share(site), made)
        _write_chooser(c, number, {site: weigh for (policy, site), weigh in made.weighs.items() if policy == name})
    drain(c)
    write_case_tables(c)
    write_looks(c)
    made.plan, made.tables = c.out.finished(), finished_tables(c)
    made.has_steps = c.has_steps
    made.faults = [message for message, _ in c.numbered.faults]
    return made


def _question(
    c: Context, spelling: Spelling, site: Site, name: str, number: int, preferences: Iterable[ir.Preference],
    digits: Mapping[tuple[int, int], Sequence[Digit]], shares: bool, made: Policies,
) -> None:  # fmt: skip
    """The function of one question, if anything can speak for its answers."""
    beginning = len(c.out.lines)
    try:
        lines = _lines(spelling, site, digits)
        wishes = [wish for one in preferences if (wish := _wish(spelling, site, lines, one)) is not None]
        groups = grouped(lines, spelling, c.extents) if shares else []
        if not wishes and not groups and not any(line.faulty for line in lines):
            return
        weigh = f"weigh_{number}_{site.number}"
        Weighing(c, spelling, lines, wishes, groups).write(weigh)
        made.weighs[name, site.number] = weigh
    except NotTold as reason:
        del c.out.lines[beginning:]
        c.out.depth = 0
        made.not_told[name, site.number] = str(reason)


def _lines(spelling: Spelling, site: Site, digits: Mapping[tuple[int, int], Sequence[Digit]]) -> list[Line]:
    decide = site.decide
    if isinstance(decide, ir.ChooseSome):
        return [Line(parts_of_lot(site, spelling.world, spelling.layout))]
    assert isinstance(decide, ir.Decide)
    return [
        Line(parts_of(option), option.binds, digits[site.number, at], faulty=not all(map(_is_plain, option.keys or ())))
        for at, option in enumerate(decide.options)
    ]


def _is_plain(key: ir.Exp) -> bool:
    return isinstance(key, ir.Use) and key.at is None


def _wish(spelling: Spelling, site: Site, lines: Sequence[Line], preference: ir.Preference) -> Wish | None:
    """A preference at one question; None where it means none of its answers."""
    if preference.at is not None and preference.at is not site.decide:
        return None

    named, near = {var.name: var.kind for var, _ in preference.binders}, preference.nearest is not None

    def fits(parts: Sequence[Part]) -> Fit | None:
        return fit(preference.pattern, parts, near, named, spelling)

    found = {at: one for at, line in enumerate(lines) if (one := fits(line.parts)) is not None}
    return Wish(preference, found) if found else None


def _write_chooser(c: Context, number: int, weighs: Mapping[int, str]) -> None:
    """The places of the answers for which most speaks; of a question about which it has no wish, all."""
    site, seat, options = p.Name("site"), p.Name("seat"), p.Name("options", "list")
    define(c, f"{PREFIX}{number}", [p.S, site, seat, options])
    for at, weigh in weighs.items():
        with c.out.under("if site == {}:", at):
            c.out.line("sums = {}(S, seat, options)", weigh)
            c.out.line("best = max(sums)")
            c.out.line("return [place for place in range(len(sums)) if sums[place] == best]")
    c.out.line("return list(range(len(options)))")
    end(c)
