"""Expressions and statements written after the module is made: for labels, reasons, questions, views and scenarios."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.analysis.busy import LATE_STEPS
from ichiba.interpreter.analysis.variables import variables_in
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.layout import Layout
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.writing import Writing
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.to_plan.context.context import lower
from ichiba.interpreter.to_plan.context.names import new_name, own_names, restore_all
from ichiba.interpreter.to_plan.context.tables import finished_tables
from ichiba.interpreter.to_plan.context.writing import a_step, define, end, meter
from ichiba.interpreter.to_plan.course.secret_places import find_secret_places
from ichiba.interpreter.to_plan.drain import drain
from ichiba.interpreter.to_plan.module import new_context, write_case_tables
from ichiba.interpreter.to_plan.questions.alike import write_looks
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.statements.statements import write_block
from ichiba.interpreter.to_plan.triggers import put_waiting
from ichiba.interpreter.to_python.printer import lines_of


class Late:
    """What is written late, and the module that knows all that was written before. `prefix`: of its own names."""

    def __init__(
        self, program: ir.Program, layout: Layout, flow: Flow, module: dict[str, object], prefix: str = "late_"
    ):
        self.c = new_context(program, layout, flow, trace=False, prefix=prefix, late=True)
        self.module = dict(module)
        find_secret_places(self.c)

    def expression(self, e: ir.Exp | ir.Set, variables: list[ir.Var], each: bool = False) -> object:
        """A function of the state and these variables."""
        c = self.c
        names = [p.Name(new_name(c, var.name)) for var in variables]
        saved = {var: c.names.get(var) for var in variables}
        c.names.update(zip(variables, names, strict=True))
        c.out, c.beginning = Writing(), 0
        before = meter(c, e, most=LATE_STEPS)
        made = list_of(c, e, each=each) if isinstance(e, ir.SET_CLASSES) else lower(c, e)
        own = c.prefix + new_name(c, "late")
        counted, c.metered = c.metered, before
        define(c, own, [p.S, *names])
        if counted:
            c.out.put(p.Do(a_step(c)))
        c.out.line("return {}", made)
        end(c)
        restore_all(c, saved)
        found = self._run(own, "<late>")
        return in_turn(found) if counted else found  # type: ignore[arg-type]

    def statements(self, name: str, block: ir.Block) -> object:
        """A function of the state and who listens, called so. What it wakes looks at once."""
        c = self.c
        saved = own_names(c, [var for var in variables_in([block]) if var not in c.layout.slots])
        c.out, c.beginning = Writing(), 0
        define(c, name, [p.S, p.C])
        write_block(c, block)
        end(c)
        restore_all(c, saved)
        return self._run(name, f"<{name}>")

    def _run(self, name: str, place: str) -> object:
        """Everything that is written and not yet known to the module becomes so; the function of that name."""
        c = self.c
        drain(c)
        for watch, called in c.mentioned.watches.items():
            define(c, called, [p.S, p.C])
            put_waiting(c, watch.rules)
            end(c)
        write_case_tables(c)
        write_looks(c)
        c.mentioned.watches, c.tables.cases, c.mentioned.looks = {}, {}, {}
        self.module.update(finished_tables(c))
        self.module["FAULTS"] = tuple(message for message, _ in c.numbered.faults)
        exec(compile("\n".join(lines_of(c.out.finished())), place, "exec"), self.module)  # noqa: S102
        return self.module[name]
