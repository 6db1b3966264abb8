"""Values, procedures and triggers as functions."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter import layout as places
from ichiba.interpreter.analysis.busy import FEW_STEPS, MANY_STEPS, WATCH_STEPS, steps_of
from ichiba.interpreter.analysis.variables import variables_in
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place, row
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.secrets import Secrets

FEW_WATCHERS = 8  # so many are asked one after the other


class Rules(Secrets):
    """Writes what asks nothing."""

    def _function(self, function: ir.Function) -> None:
        saved = self._own([*function.params, *variables_in([function.body])])
        name = self.functions[function]
        self.homes[name] = (function.name, function.span)
        self.define(name, [p.S, *(self.names[param] for param in function.params)])
        before = self.meter(function.body, most=FEW_STEPS if function in self.flow.busy else MANY_STEPS)
        self._counted()
        self.beginning = len(self.out.lines)
        if isinstance(function.body, ir.Block):
            self.extents.learn(function.body)
            self.block(function.body)
        else:
            self.line("return {}", self.ex(function.body))  # type: ignore[arg-type]
        self.metered = before
        self.end(said_once=True)
        self._restore_all(saved)

    def _procedure(self, procedure: ir.Procedure) -> None:
        saved = self._own([*procedure.params, *procedure.results, *variables_in([procedure.body])])
        name = self.procedure_names[procedure]
        self.homes[name] = (procedure.name, procedure.span)
        self.define(name, [p.S, p.C, *(self.names[param] for param in procedure.params)], procedure.name)
        before = self.meter(procedure.body, most=FEW_STEPS if procedure in self.flow.busy else MANY_STEPS)
        self._counted()
        if self.trace:
            known = procedure in self.program.procedures
            self.line("C.rule({})", self.program.procedures.index(procedure) if known else -1)
        for result in procedure.results:
            self.line("{} = 0", self.names[result])
        assert procedure.body is not None
        self.extents.learn(procedure.body, procedure.results)
        self.block(procedure.body)
        if procedure.results:
            made = [self.names[result] for result in procedure.results]
            self.line("return {}", made[0] if len(made) == 1 else row(made))
        self.metered = before
        self.end()
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
        thing, zone = p.Name("thing"), p.Name("zone")
        lies = p.Cell(place([thing, here]))
        self.define("take", [p.S, thing, zone])
        self.line("s = {}[thing - {}]", sorts, FIRST_THING)
        self.line("old = {}", lies)
        kept = any(self.world.sorts[s].individual for member in self.layout.totals for s in member.sorts)
        total_at = self.late("TOTAL_AT")
        self.line("if old >= 0:")
        self.depth += 1
        self.line("S[old + COLUMNS[old][s]] -= 1")
        if kept:
            self.line("S[{}[old]] -= 1", total_at)
        self.depth -= 1
        self.line("k = COLUMNS[zone][s]")
        self.line("if k < 0: raise RuleFault('this zone cannot hold such a piece')")
        self.line("S[zone + k] += 1")
        if kept:
            self.line("S[{}[zone]] += 1", total_at)
        self.line("{} = zone", lies)
        if ordered and rank is not None:
            low, size = member.dims[0]
            own = p.Cell(place([thing, rank.base - low]))
            self.line("if zone in {}:", self.table(ordered, "ordered"))
            self.depth += 1
            self.line("{} = -1", own)
            self.line("{} = max(S[{} + i] for i in range({}) if S[{} + i] == zone) + 1", own, rank.base, size, member.base)
            self.depth -= 1
        self.end()

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
                self.define(called, [p.S, p.C])
                self.line("watch(S, C, {})", bits)
                self.end()
            self._drain()
        self.define("watch", [p.S, p.C, p.Name("bits")])
        self.line("S[{}] |= bits", places.WAITING)
        self.line("if S[{}]: return", places.BUSY)
        self.line("S[{}] = 1", places.BUSY)
        self.line("for _ in range(STEPS):")
        self.depth += 1
        self.line("bits = S[{}]", places.WAITING)
        self.line("if not bits: break")
        if self.program.watchers:
            self.line("tick()")
            self._first_of(0, len(self.program.watchers))
        self.depth -= 1
        self.line("else: raise RuleFault('the triggers do not come to rest')")
        self.line("S[{}] = 0", places.BUSY)
        self.end()

    def _first_of(self, low: int, high: int) -> None:
        """The first rule whose bit is set; of very many it is known after a few questions in which half it is."""
        if high - low > FEW_WATCHERS:
            middle = (low + high) // 2
            self.line("if bits & {}:", (1 << middle) - (1 << low))
            self.depth += 1
            self._first_of(low, middle)
            self.depth -= 1
            self.line("else:")
            self.depth += 1
            self._first_of(middle, high)
            self.depth -= 1
            return
        for number in range(low, high):
            self.line("if bits & {}:" if number == low else "elif bits & {}:", 1 << number)
            self.depth += 1
            self.line("S[{}] &= ~{}", places.WAITING, 1 << number)
            self.line("{}(S, C)", f"check_{number}")
            self.depth -= 1

    def _deferred(self, name: str, called: str) -> None:
        """What waited for the end of a procedure happens now, in the order in which it came about."""
        self.define(called, [p.S, p.C])
        waiting = row(self._waiting(name))
        self.line("for at in sorted([at for at in {} if S[at]], key=lambda x: S[x]):", waiting)
        self.depth += 1
        self.line("S[at] = 0")
        for watcher in self.program.watchers.values():
            if watcher.deferred != name or watcher.pending is None:
                continue
            body = self.procedure(watcher.procedure)
            base = watcher.pending.base
            if watcher.var is None:
                self.line("if at == {}: {}(S, C, 0)", base, body)
            else:
                low, size = watcher.pending.dims[0]
                self.line("if {} <= at < {}: {}(S, C, 0, at - {})", base, base + size, body, base - low)
        self.end()

    def _waiting(self, name: str) -> tuple[int, ...]:
        """The places of all triggers that wait for the end of a procedure; each holds its place in the queue."""
        members = [w.pending for w in self.program.watchers.values() if w.deferred == name and w.pending is not None]
        return tuple(m.base + k for m in members for k in range(m.dims[0][1] if m.dims else 1))

    def _watcher(self, name: str, watcher: ir.Watcher) -> None:
        number = list(self.program.watchers).index(name)
        saved = self._own(
            [*([watcher.var] if watcher.var is not None else []), *variables_in([watcher.test, watcher.set])]
        )
        self.define(f"check_{number}", [p.S, p.C], name)
        args: list[p.Exp] = [p.S, p.C, p.Num(0)]
        at: tuple[ir.Exp, ...] = ()
        if watcher.var is not None and watcher.set is not None:
            self.line("for {} in {}:", self.names[watcher.var], self.listed(watcher.set))
            self.depth += 1
            args.append(self.names[watcher.var])
            at = (ir.Use(watcher.var, watcher.var.kind),)
        state = p.Cell(self.place(watcher.state, at[: len(watcher.state.dims)]))
        body = self.procedure(watcher.procedure)
        before = self.metered
        self.metered = steps_of(self.extents, watcher) > WATCH_STEPS
        self._counted()
        if watcher.once:
            self.line("if not {} and {}:", state, self.ex(watcher.test))
        else:
            self.line("now = 1 if {} else 0", self.ex(watcher.test))
            self.line("was, {} = {}, now", state, state)
            self.line("if now and not was:")
        self.depth += 1
        if watcher.once:
            self.line("{} = 1", state)
        self.metered = before
        if watcher.deferred is not None and watcher.pending is not None:
            running = self.world.table[f"running {watcher.deferred}"]
            last = say("max(S[at] for at in {})", row(self._waiting(watcher.deferred)))
            self.line("if S[{}]: S[{}] = {} + 1", running.base, self.place(watcher.pending, at), last)
            self.line("else: {}({*})", body, args)
        else:
            self.line("{}({*})", body, args)
        self.end()
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
