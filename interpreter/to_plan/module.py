"""The whole program as one plan, with its tables and all that belongs to it."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter import layout as places
from ichiba.interpreter.analysis.busy import LATE_STEPS
from ichiba.interpreter.flow.flow import ANYWHERE, Flow, horizon
from ichiba.interpreter.flow.horizons import Horizons, Outlook
from ichiba.interpreter.layout import Layout
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE, TRUE, row
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.to_plan.emitted import Emitted
from ichiba.interpreter.to_plan.functions import Rules
from ichiba.interpreter.to_python.module import module_text
from ichiba.interpreter.to_python.printer import lines_of

WIDE = 1 << 20
INLINE = 40  # moves that may be written again instead of jumping

class Emitter(Rules):
    """Makes the plan of a game."""

    def emit(self) -> Emitted:
        self._place_variables()
        self._place_secrets()
        self.prepare_lines()
        self._take_function()
        self._watch_bits()
        start = self.piece_number(self.flow.start)
        for site in self.flow.sites:
            self._site(site)
        for secret in self.flow.secrets:
            self._secret(secret)
        self.line("START = {}", start)
        self._drain()
        self._watchers()
        self._drain()
        self._invariants_and_ranking()
        self._drain()
        self._lists()
        plan = self.out.finished()
        places.finish(self.layout)
        self.finished_tables()
        self.tables["SORT_AT"] = tuple(self.layout.sort_at)
        self.tables["ZONE_AT"] = tuple(self.layout.zone_at)
        self.tables["TOTAL_AT"] = tuple(self.layout.total_at)
        self.tables["FAULTS"] = tuple(message for message, _ in self.faults)
        self.tables["KINDS"] = tuple(self.kinds)
        return Emitted(
            plan,
            module_text(plan, tuple(self.leave_classes.values())),
            self.tables,
            self.faults,
            self.demands,
            self.effects,
            self.kinds,
            len(self.flow.sites),
            self.digits,
            self.landings,
            self.homes,
            self._outlooks(),
        )

    def _outlooks(self) -> dict[int, Outlook]:
        """By the end of a dry run: what is known of the questions on its way."""
        horizons = Horizons(self.flow)
        everywhere = frozenset(range(len(self.flow.sites)))
        found = {ANYWHERE: Outlook(everywhere, everywhere)}
        for site in self.flow.sites:
            for number in sorted(site.horizons):
                found[horizon(site, number)] = horizons.of(site, number)
        return found

    def _invariants_and_ranking(self) -> None:
        invariants = [row([p.Word(one.name), self.function(one)]) for one in self.program.invariants]
        ranking = [row([self.function(f), p.Truth(bool(highest))]) for f, highest in self.program.ranking]
        for name, found in (("invariants", invariants), ("ranking", ranking)):
            self.define(name, [])
            self.line("return [{*}]", found)
            self.end()

    def _lists(self) -> None:
        """Everything by number."""
        sites, n = self.flow.sites, len(self.flow.sites)

        def names(letter: str) -> list[p.Exp]:
            return [NONE if isinstance(s.decide, ir.Secret) else p.Name(f"{letter}{s.number}") for s in sites]

        self.line("FIRST = {}", n)
        self.line("PIECES = [{*}]", [*([NONE] * n), *(p.Name(f"b{at}") for at in range(n, n + len(self.numbers)))])
        for name, letter in (("OPTIONS", "o"), ("ANSWERS", "a"), ("EXISTS", "e"), ("SEATS", "s")):
            self.line("{} = [{*}]", name, names(letter))
        self.line("DONE = [{*}]", [f"done_{at}" for at in range(len(self.flow.secrets))])
        skips = [
            0 if isinstance(s.decide, ir.Secret) or s.decide.never_skip or s.secret is not None else 1 for s in sites
        ]
        self.line("SKIPS = [{*}]", skips)
        self.line("OTHERWISE = [{*}]", [-1 if s.otherwise is None else self.numbers[s.otherwise] for s in sites])
        self._looks()
        for name, ref in self.case_tables.items():
            self._case_table(name, ref)

    def _case_table(self, name: str, ref: ir.ValueRef | ir.ProcRef) -> None:
        known = self.functions if isinstance(ref, ir.ValueRef) else self.procedure_names
        own = dict(ref.cases)
        if ref.default is not None and ref.by is not None:  # who has no answer of its own gives the usual one
            everybody = self.world.values(ref.default.params[ref.by].kind)
            own = {value: ref.cases.get(value, ref.default) for value in (*everybody, *ref.cases)}
        cases = p.Pairs(tuple((p.Num(value), p.Name(known[f])) for value, f in own.items()))  # type: ignore[index]
        if ref.default is not None:
            usual: p.Exp = p.Name(known[ref.default])  # type: ignore[index]
        else:
            usual = p.Lambda(("*_",), TRUE if isinstance(ref, ir.ValueRef) else NONE)
        self.line("{} = Cases({}, {})", name, cases, usual)


class Late(Emitter):
    """Writes single expressions after the module is made: for labels, reasons, questions and views."""

    prefix = "late_"

    def __init__(self, program: ir.Program, layout: Layout, flow: Flow, module: dict[str, object]):
        super().__init__(program, layout, flow, False)
        self.module = dict(module)
        self.secret_bases, self.asked_at, self.all_asked = {}, {}, set()
        for secret in flow.secrets:
            at = 0
            for var in secret.variables:
                if var.per_seat:
                    self.secret_bases[var] = (secret.area + at, len(secret.places))
                    self.asked_at[var] = secret.asked
                    self.all_asked |= {var} if self._asks_all(secret) else set()
                at += var.width

    def expression(self, e: ir.Exp | ir.Set, variables: list[ir.Var], each: bool = False) -> object:
        """A function of the state and these variables."""
        names = [p.Name(self.new_name(var.name)) for var in variables]
        saved = {var: self.names.get(var) for var in variables}
        self.names.update(zip(variables, names, strict=True))
        self.prepare_lines()
        before = self.meter(e, most=LATE_STEPS)
        made = self.listed(e, each=each) if isinstance(e, ir.SET_CLASSES) else self.ex(e)
        own = self.prefix + self.new_name("late")
        counted, self.metered = self.metered, before
        self.define(own, [p.S, *names])
        if counted:
            self.line("tick()")
        self.line("return {}", made)
        self.end()
        self._restore_all(saved)
        self._drain()
        tables = self.case_tables
        self.case_tables = {}
        for name, ref in tables.items():
            self._case_table(name, ref)
        self._looks()
        self.looks = {}
        self.module.update(self.finished_tables())
        self.module["FAULTS"] = tuple(message for message, _ in self.faults)
        exec(compile("\n".join(lines_of(self.out.finished())), "<late>", "exec"), self.module)  # noqa: S102
        found = self.module[own]
        return in_turn(found) if counted else found  # type: ignore[arg-type]
