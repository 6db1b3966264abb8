"""Values, procedures and triggers as functions."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter import layout as places
from ichiba.interpreter.analysis.busy import FEW_STEPS, MANY_STEPS, WATCH_STEPS, steps_of
from ichiba.interpreter.analysis.variables import variables_in
from ichiba.interpreter.to_plan.secrets import Secrets

FEW_WATCHERS = 8  # so many are asked one after the other


class Rules(Secrets):
    """Writes what asks nothing."""

    def _function(self, function: ir.Function) -> None:
        saved = self._own([*function.params, *variables_in([function.body])])
        params = ", ".join(["S", *(self.names[p] for p in function.params)])
        self.line(f"def {self.functions[function]}({params}):")
        self.homes[self.functions[function]] = (function.name, function.span)
        before = self.meter(function.body, most=FEW_STEPS if function in self.flow.busy else MANY_STEPS)
        self.depth += 1
        self._counted()
        beginning = len(self.out)
        if isinstance(function.body, ir.Block):
            self.extents.learn(function.body)
            self.block(function.body)
        else:
            self.line(f"return {self.ex(function.body)}")  # type: ignore[arg-type]
        self.said_once(beginning)
        self.metered = before
        self.depth -= 1
        self.line("")
        self._restore_all(saved)

    def _procedure(self, procedure: ir.Procedure) -> None:
        saved = self._own([*procedure.params, *procedure.results, *variables_in([procedure.body])])
        params = ", ".join(["S", "C", *(self.names[p] for p in procedure.params)])
        self.line(f"def {self.procedure_names[procedure]}({params}):  # {procedure.name}")
        self.homes[self.procedure_names[procedure]] = (procedure.name, procedure.span)
        before = self.meter(procedure.body, most=FEW_STEPS if procedure in self.flow.busy else MANY_STEPS)
        self.depth += 1
        self._counted()
        if self.trace:
            self.line(
                f"C.rule({self.program.procedures.index(procedure) if procedure in self.program.procedures else -1})"
            )
        for result in procedure.results:
            self.line(f"{self.names[result]} = 0")
        assert procedure.body is not None
        self.extents.learn(procedure.body, procedure.results)
        self.block(procedure.body)
        if procedure.results:
            self.line(f"return {', '.join(self.names[r] for r in procedure.results)}")
        self.metered = before
        self.depth -= 1
        self.line("")
        self._restore_all(saved)

    def _take_function(self) -> None:
        """Something that exists one by one goes to another zone."""
        if "place" not in self.world.places:
            return
        member, rank = self.world.places["place"], self.world.places.get("rank")
        here = member.base - member.dims[0][0]
        self.columns_table()
        sorts = self.table(tuple(t.sort for t in self.world.things), "sort_of_thing")
        ordered = frozenset(first for first, zone in self.layout.zones.items() if "ordered" in zone.words)
        self.line("def take(S, thing, zone):")
        self.depth += 1
        self.line(f"s = {sorts}[thing - {FIRST_THING}]")
        self.line(f"old = S[thing + {here}]" if here >= 0 else f"old = S[thing - {-here}]")
        place = f"thing - {-here}" if here < 0 else f"thing + {here}"
        kept = any(self.world.sorts[s].individual for member in self.layout.totals for s in member.sorts)
        total_at = self.late("TOTAL_AT")
        self.line("if old >= 0: S[old + COLUMNS[old][s]] -= 1" + (f"; S[{total_at}[old]] -= 1" if kept else ""))
        self.line("k = COLUMNS[zone][s]")
        self.line("if k < 0: raise RuleFault('this zone cannot hold such a piece')")
        self.line("S[zone + k] += 1" + (f"; S[{total_at}[zone]] += 1" if kept else ""))
        self.line(f"S[{place}] = zone")
        if ordered and rank is not None:
            low, size = member.dims[0]
            order = rank.base - low
            table = self.table(ordered, "ordered")
            own = f"thing - {-order}" if order < 0 else f"thing + {order}"
            self.line(f"if zone in {table}:")
            self.line(f"    S[{own}] = -1")
            self.line(
                f"    S[{own}] = max(S[{rank.base} + i] for i in range({size}) if S[{member.base} + i] == zone) + 1"
            )
        self.depth -= 1
        self.line("")

    def _watch_bits(self) -> None:
        self.bits = {name: 1 << n for n, name in enumerate(self.program.watchers)}

    def _watchers(self) -> None:
        """Triggers look when something they read was written; one that fires inside another waits its turn."""
        for name, watcher in self.program.watchers.items():
            self._watcher(name, watcher)
        done: set[tuple[str, ...]] = set()
        self._drain()  # what the triggers do may wake others
        while len(done) < len(self.watch_sets):
            for rules, called in list(self.watch_sets.items()):
                if rules in done:
                    continue
                done.add(rules)
                if rules[0].startswith("end of "):
                    self._deferred(rules[0].removeprefix("end of "), called)
                    continue
                bits = sum(self.bits[r] for r in rules if r in self.bits)
                self.line(f"def {called}(S, C): watch(S, C, {bits})")
                self.line("")
            self._drain()
        self.line("def watch(S, C, bits):")
        self.depth += 1
        self.line(f"S[{places.WAITING}] |= bits")
        self.line(f"if S[{places.BUSY}]: return")
        self.line(f"S[{places.BUSY}] = 1")
        self.line("for _ in range(STEPS):")
        self.depth += 1
        self.line(f"bits = S[{places.WAITING}]")
        self.line("if not bits: break")
        if self.program.watchers:
            self.line("tick()")
            self._first_of(0, len(self.program.watchers))
        self.depth -= 1
        self.line("else: raise RuleFault('the triggers do not come to rest')")
        self.line(f"S[{places.BUSY}] = 0")
        self.depth -= 1
        self.line("")

    def _first_of(self, low: int, high: int) -> None:
        """The first rule whose bit is set; of very many it is known after a few questions in which half it is."""
        if high - low > FEW_WATCHERS:
            middle = (low + high) // 2
            self.line(f"if bits & {(1 << middle) - (1 << low)}:")
            self.depth += 1
            self._first_of(low, middle)
            self.depth -= 1
            self.line("else:")
            self.depth += 1
            self._first_of(middle, high)
            self.depth -= 1
            return
        for number in range(low, high):
            self.line(f"{'if' if number == low else 'elif'} bits & {1 << number}:")
            self.line(f"    S[{places.WAITING}] &= ~{1 << number}")
            self.line(f"    check_{number}(S, C)")

    def _deferred(self, name: str, called: str) -> None:
        """What waited for the end of a procedure happens now, in the order in which it came about."""
        self.line(f"def {called}(S, C):")
        self.depth += 1
        self.line(f"for at in sorted([at for at in {self._waiting(name)} if S[at]], key=lambda x: S[x]):")
        self.depth += 1
        self.line("S[at] = 0")
        for watcher in self.program.watchers.values():
            if watcher.deferred != name or watcher.pending is None:
                continue
            body = self.procedure(watcher.procedure)
            base = watcher.pending.base
            if watcher.var is None:
                self.line(f"if at == {base}: {body}(S, C, 0)")
            else:
                low, size = watcher.pending.dims[0]
                self.line(f"if {base} <= at < {base + size}: {body}(S, C, 0, at - {base - low})")
        self.depth -= 2
        self.line("")

    def _waiting(self, name: str) -> tuple[int, ...]:
        """The places of all triggers that wait for the end of a procedure; each holds its place in the queue."""
        members = [w.pending for w in self.program.watchers.values() if w.deferred == name and w.pending is not None]
        return tuple(m.base + k for m in members for k in range(m.dims[0][1] if m.dims else 1))

    def _watcher(self, name: str, watcher: ir.Watcher) -> None:
        number = list(self.program.watchers).index(name)
        saved = self._own(
            [*([watcher.var] if watcher.var is not None else []), *variables_in([watcher.test, watcher.set])]
        )
        self.line(f"def check_{number}(S, C):  # {name}")
        self.depth += 1
        args = "S, C, 0"
        at: tuple[ir.Exp, ...] = ()
        if watcher.var is not None and watcher.set is not None:
            self.line(f"for {self.names[watcher.var]} in {self.listed(watcher.set)}:")
            self.depth += 1
            args += f", {self.names[watcher.var]}"
            at = (ir.Use(watcher.var, watcher.var.kind),)
        state = f"S[{self.place(watcher.state, at[: len(watcher.state.dims)])}]"
        body = self.procedure(watcher.procedure)
        before = self.metered
        self.metered = steps_of(self.extents, watcher) > WATCH_STEPS
        self._counted()
        if watcher.once:
            self.line(f"if not {state} and {self.ex(watcher.test)}:")
        else:
            self.line(f"now = 1 if {self.ex(watcher.test)} else 0")
            self.line(f"was, {state} = {state}, now")
            self.line("if now and not was:")
        self.depth += 1
        if watcher.once:
            self.line(f"{state} = 1")
        self.metered = before
        if watcher.deferred is not None and watcher.pending is not None:
            running = self.world.table[f"running {watcher.deferred}"]
            last = f"max(S[at] for at in {self._waiting(watcher.deferred)})"
            self.line(f"if S[{running.base}]: S[{self.place(watcher.pending, at)}] = {last} + 1")
            self.line(f"else: {body}({args})")
        else:
            self.line(f"{body}({args})")
        self.depth -= 1
        if watcher.var is not None:
            self.depth -= 1
        self.depth -= 1
        self.line("")
        self._restore_all(saved)

    def _drain(self) -> None:
        """Write everything that has been mentioned but not written."""
        while self.searches or self.piece_queue or self.function_queue or self.procedure_queue:
            if self.searches:
                self._search(*self.searches.pop(0))
            elif self.piece_queue:
                self._piece(self.piece_queue.pop(0))
            elif self.function_queue:
                self._function(self.function_queue.pop(0))
            else:
                self._procedure(self.procedure_queue.pop(0))
