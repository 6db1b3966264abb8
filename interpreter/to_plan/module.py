"""The whole program as one Python module: readable, and with no word of an author in the code."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter import layout as places
from ichiba.interpreter.analysis.busy import LATE_STEPS
from ichiba.interpreter.flow.flow import ANYWHERE, Flow, horizon
from ichiba.interpreter.flow.horizons import Horizons, Outlook
from ichiba.interpreter.layout import Layout
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.to_plan.emitted import Emitted
from ichiba.interpreter.to_plan.functions import Rules
from ichiba.interpreter.to_python.loop import LOOP, REFUEL

WIDE = 1 << 20
INLINE = 40  # moves that may be written again instead of jumping

HEAD = '''"""Made by the engine from a ruleset; not to be edited."""
from ichiba.interpreter.runtime.runtime import (
    BITS, FUEL, MASK, MOST_OPTIONS, STEPS, RuleFault, Stop, Unmet, alike, all_but, apart, bag_choices, below, best,
    big, cells_any, combos, compress, count_any, distinct, dot, draw_many, first_of, fitting, get_ident, left,
    lowest, lying, pack, place_in, power, shuffled, tick, times, too_many, unlike, unpack, weighted,
)
'''


class Emitter(Rules):
    """Writes the module."""

    def emit(self) -> Emitted:
        self._place_variables()
        self._place_secrets()
        self.out = [HEAD]
        self.depth = 0
        self._take_function()
        self._watch_bits()
        start = self.piece_number(self.flow.start)
        for site in self.flow.sites:
            self._site(site)
        for secret in self.flow.secrets:
            self._secret(secret)
        self.line(f"START = {start}")
        self._drain()
        self._watchers()
        self._drain()
        self._invariants_and_ranking()
        self._drain()
        self._lists()
        classes = [f"class {name}(Exception):\n    pass\n" for name in self.leave_classes.values()]
        text = "\n".join([self.out[0], *classes, *self.out[1:]]) + "\n"
        places.finish(self.layout)
        self.finished_tables()
        self.tables["SORT_AT"] = tuple(self.layout.sort_at)
        self.tables["ZONE_AT"] = tuple(self.layout.zone_at)
        self.tables["TOTAL_AT"] = tuple(self.layout.total_at)
        self.tables["FAULTS"] = tuple(message for message, _ in self.faults)
        self.tables["KINDS"] = tuple(self.kinds)
        return Emitted(
            text,
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
        names = []
        for function in self.program.invariants:
            names.append(f"({function.name!r}, {self.function(function)})")
        self.line(f"def invariants(): return [{', '.join(names)}]")
        keys = ", ".join(f"({self.function(f)}, {highest})" for f, highest in self.program.ranking)
        self.line("def ranking():")
        self.line(f"    return [{keys}]")

    def _lists(self) -> None:
        """Everything by number, and the loop that goes from piece to piece."""
        sites = self.flow.sites
        n = len(sites)
        blocks = ", ".join(["None"] * n + [f"b{i}" for i in range(n, n + len(self.numbers))])
        self.line(f"FIRST = {n}")
        self.line(f"PIECES = [{blocks}]")
        self.line(
            f"OPTIONS = [{', '.join('None' if isinstance(s.decide, ir.Secret) else f'o{s.number}' for s in sites)}]"
        )
        self.line(
            f"ANSWERS = [{', '.join('None' if isinstance(s.decide, ir.Secret) else f'a{s.number}' for s in sites)}]"
        )
        for name, letter in (("EXISTS", "e"), ("SEATS", "s")):
            rows = ", ".join("None" if isinstance(s.decide, ir.Secret) else f"{letter}{s.number}" for s in sites)
            self.line(f"{name} = [{rows}]")
        self.line(f"DONE = [{', '.join(f'done_{n}' for n in range(len(self.flow.secrets)))}]")
        skips = [
            0 if isinstance(s.decide, ir.Secret) or s.decide.never_skip or s.secret is not None else 1 for s in sites
        ]
        self.line(f"SKIPS = {skips}")
        otherwise = [-1 if s.otherwise is None else self.numbers[s.otherwise] for s in sites]
        self.line(f"OTHERWISE = {otherwise}")
        self._looks()
        metered = any("tick()" in text for text in self.out)
        self.out.append(LOOP if metered else LOOP.replace(REFUEL, ""))
        for name, ref in getattr(self, "case_tables", {}).items():
            self._case_table(name, ref)

    def _case_table(self, name: str, ref: ir.ValueRef | ir.ProcRef) -> None:
        known = self.functions if isinstance(ref, ir.ValueRef) else self.procedure_names
        own = dict(ref.cases)
        if ref.default is not None and ref.by is not None:  # who has no answer of its own gives the usual one
            everybody = self.world.values(ref.default.params[ref.by].kind)
            own = {value: ref.cases.get(value, ref.default) for value in (*everybody, *ref.cases)}
        cases = ", ".join(f"{value}: {known[f]}" for value, f in own.items())  # type: ignore[index]
        if ref.default is not None:
            self.line(f"{name} = Cases({{{cases}}}, {known[ref.default]})")  # type: ignore[index]
        else:
            missing = "lambda *_: True" if isinstance(ref, ir.ValueRef) else "lambda *_: None"
            self.line(f"{name} = Cases({{{cases}}}, {missing})")


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
        names = [self.new_name(var.name) for var in variables]
        saved = {var: self.names.get(var) for var in variables}
        self.names.update(zip(variables, names, strict=True))
        self.out, self.depth = [], 0
        before = self.meter(e, most=LATE_STEPS)
        if isinstance(e, ir.SET_CLASSES):
            text = self.listed(e, each=each)
        else:
            text = self.ex(e)
        own = self.new_name("late")
        counted, self.metered = self.metered, before
        self.line(f"def {self.prefix}{own}({', '.join(['S', *names])}): {'tick(); ' if counted else ''}return {text}")
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
        exec(compile("\n".join(self.out), "<late>", "exec"), self.module)  # noqa: S102
        made = self.module[f"{self.prefix}{own}"]
        return in_turn(made) if counted else made  # type: ignore[arg-type]
