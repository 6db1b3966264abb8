"""Triggers: they look when something they read was written."""

from __future__ import annotations

from collections.abc import Iterable

from ichiba.dsl.rules import ir
from ichiba.interpreter import layout as places
from ichiba.interpreter.analysis.busy import WATCH_STEPS, steps_of, worth
from ichiba.interpreter.analysis.variables import variables_in
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import row
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import own_names, restore_all
from ichiba.interpreter.to_plan.context.writing import a_step, count_passes, define, end
from ichiba.interpreter.to_plan.drain import drain
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.statements.statements import procedure_name
from ichiba.interpreter.to_plan.values.places import member_place

FEW_WATCHERS = 8  # so many are asked one after the other
BITS_OF_A_PLACE = 40  # what machine code hands from function to function is no larger


def write_triggers(c: Context) -> None:
    """Triggers look when something they read was written; one that fires inside another waits its turn."""
    for name, watcher in c.program.watchers.items():
        _write_trigger(c, name, watcher)
    drain(c)  # what the triggers do may wake others
    written: set[ir.Watch] = set()
    while len(written) < len(c.mentioned.watches):
        for watch, called in [one for one in c.mentioned.watches.items() if one[0] not in written]:
            written.add(watch)
            _write_watch(c, watch, called)
        drain(c)
    _write_look(c)


def _write_watch(c: Context, watch: ir.Watch, called: str) -> None:
    """After an effect some triggers look; at the end of a procedure those that waited for it."""
    if watch.end_of:
        _write_deferred(c, watch.end_of, called)
        return
    define(c, called, [p.S, p.C])
    put_waiting(c, watch.rules)
    end(c)


def put_waiting(c: Context, rules: Iterable[str]) -> None:
    """These triggers wait, and look unless another is running."""
    words = _words_waiting(c)
    bits = [0] * len(words)
    for number in (c.facts.trigger_numbers[rule] for rule in rules if rule in c.facts.trigger_numbers):
        bits[number // BITS_OF_A_PLACE] |= 1 << number % BITS_OF_A_PLACE
    for place, these in zip(words[1:], bits[1:], strict=True):
        if these:
            c.out.line("S[{}] |= {}", place, these)
    c.out.line("watch(S, C, {})", bits[0])


def _words_waiting(c: Context) -> list[int]:
    """The places whose bits say which triggers wait: a number of the state holds so many, and no more."""
    more = max(0, len(c.program.watchers) - 1) // BITS_OF_A_PLACE
    first = c.layout.once(("waiting",), more, "triggers_wait") if more else 0
    return [places.WAITING, *range(first, first + more)]


def _write_look(c: Context) -> None:
    """Triggers look one after the other until none is left; meanwhile others wait."""
    define(c, "watch", [p.S, p.C, p.Name("bits")])
    c.out.line("S[{}] |= bits", places.WAITING)
    c.out.line("if S[{}]: return", places.BUSY)
    c.out.line("S[{}] = 1", places.BUSY)
    with c.out.under("for _ in range(STEPS):"):
        _look_once(c, _words_waiting(c))
    c.out.line("else: raise TooLong('the triggers do not come to rest')")
    c.out.line("S[{}] = 0", places.BUSY)
    end(c)


def _look_once(c: Context, words: list[int]) -> None:
    """The first trigger that waits looks; where none is left, that is the end."""
    if len(words) == 1:
        c.out.line("bits = S[{}]", words[0])
        c.out.line("if not bits: break")
        if c.program.watchers:
            _one_of_a_place(c, words[0], 0)
        return
    for number, place in enumerate(words):
        with c.out.under("elif S[{}]:" if number else "if S[{}]:", place):
            c.out.line("bits = S[{}]", place)
            _one_of_a_place(c, place, number * BITS_OF_A_PLACE)
    c.out.line("else: break")


def _one_of_a_place(c: Context, place: int, first: int) -> None:
    c.out.put(p.Do(a_step(c)))
    _first_of_bits(c, place, first, first, min(first + BITS_OF_A_PLACE, len(c.program.watchers)))


def _first_of_bits(c: Context, place: int, first: int, low: int, high: int) -> None:
    """The first trigger whose bit is set, of those from `low` on; of very many it is known after a few questions in which half it is.
    The bits of the place begin with that of the trigger `first`."""
    if high - low > FEW_WATCHERS:
        middle = (low + high) // 2
        with c.out.under("if bits & {}:", (1 << middle - first) - (1 << low - first)):
            _first_of_bits(c, place, first, low, middle)
        with c.out.under("else:"):
            _first_of_bits(c, place, first, middle, high)
        return
    for number in range(low, high):
        bit = 1 << number - first
        with c.out.under("if bits & {}:" if number == low else "elif bits & {}:", bit):
            c.out.line("S[{}] &= ~{}", place, bit)
            c.out.line("{}(S, C)", f"check_{number}")


def _write_deferred(c: Context, name: str, called: str) -> None:
    """What waited for the end of a procedure happens now, in the order in which it came about."""
    define(c, called, [p.S, p.C])
    waiting = row(_places_waiting(c, name))
    c.out.line("for at in sorted([at for at in {} if S[at]], key=lambda x: S[x]):", waiting)
    c.out.depth += 1
    c.out.line("S[at] = 0")
    for watcher in c.program.watchers.values():
        if watcher.deferred != name or watcher.pending is None:
            continue
        body = procedure_name(c, watcher.procedure)
        base = watcher.pending.base
        if watcher.var is None:
            c.out.line("if at == {}: {}(S, C, 0)", base, body)
        else:
            low, size = watcher.pending.dims[0]
            c.out.line("if {} <= at < {}: {}(S, C, 0, at - {})", base, base + size, body, base - low)
    end(c)


def _places_waiting(c: Context, name: str) -> tuple[int, ...]:
    """The places of all triggers that wait for the end of a procedure; each holds its place in the queue."""
    members = [w.pending for w in c.program.watchers.values() if w.deferred == name and w.pending is not None]
    return tuple(m.base + k for m in members for k in range(m.dims[0][1] if m.dims else 1))


def _write_trigger(c: Context, name: str, watcher: ir.Watcher) -> None:
    """The look of one trigger: whether what it waits for has become true, for each of what it is for."""
    number = c.facts.trigger_numbers[name]
    var = watcher.var
    saved = own_names(c, [*([var] if var is not None else []), *variables_in([watcher.test, watcher.set])])
    define(c, f"check_{number}", [p.S, p.C], name)
    at: tuple[ir.Exp, ...] = ()
    if var is not None and watcher.set is not None:
        c.out.line("for {} in {}:", c.names[var], list_of(c, watcher.set))
        c.out.depth += 1
        at = (ir.Use(var, var.kind),)
    state = p.Cell(member_place(c, watcher.state, at[: len(watcher.state.dims)]))
    body = procedure_name(c, watcher.procedure)
    before = c.metered
    if c.world.closely:
        c.metered = worth(c.extents, watcher.test)
    else:
        c.metered = steps_of(c.extents, watcher) > WATCH_STEPS
    count_passes(c)
    if watcher.once:
        c.out.line("if not {} and {}:", state, lower(c, watcher.test))
        c.out.depth += 1
        c.out.line("{} = 1", state)
    else:
        c.out.line("now = 1 if {} else 0", lower(c, watcher.test))
        c.out.line("was = {}", state)
        c.out.line("{} = now", state)
        c.out.line("if now and not was:")
        c.out.depth += 1
    c.metered = before
    _write_happening(c, watcher, body, at)
    end(c)
    restore_all(c, saved)


def _write_happening(c: Context, watcher: ir.Watcher, body: str, at: tuple[ir.Exp, ...]) -> None:
    """What a trigger does happens now; or, where it waits for the end of a procedure, it takes its place in the queue."""
    args = [p.S, p.C, p.Num(0), *(lower(c, one) for one in at)]
    if watcher.deferred is None or watcher.pending is None:
        c.out.line("{}({*})", body, args)
        return
    running = c.world.table[f"running {watcher.deferred}"]
    last = say("max(S[at] for at in {})", row(_places_waiting(c, watcher.deferred)))
    c.out.line("if S[{}]: S[{}] = {} + 1", running.base, member_place(c, watcher.pending, at), last)
    c.out.line("else: {}({*})", body, args)
