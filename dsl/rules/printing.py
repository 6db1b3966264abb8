"""The rules as sentences: what is meant, with every name resolved and every word of the language made one of few moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from ichiba.dsl.faults.printing import Line
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import Reads
from ichiba.dsl.world.world import Member, World

FEW = 6  # so many sorts are named
INFIX = {"and": " and ", "or": " or ", "/up": " / up ", "/down": " / down "} | {
    op: f" {op} " for op in ("+", "-", "*", "=", "!=", "<", "<=", ">", ">=")
}
TAILS = {
    "in_full": "",
    "into_debt": ", even into debt",
    "as_far": ", as far as it goes",
    "paid": ", which is there",  # the option has required it
    "promised": ", which was set aside",
}
NUMBERED = ("seat", "thing")  # whose names may be mere numbers
SIMPLE = (
    ir.Const, ir.Use, ir.Read, ir.ZoneAt, ir.PurseAt, ir.Lookup, ir.CallValue, ir.BagCount,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentences:
    """Says rules in the names of one world."""

    world: World

    # -------------------------------------------------------------------------------------- whole rules

    def function(self, function: ir.Function) -> Iterator[Line]:
        head = f"value {function.name}{self._params(function.params)} gives {function.kind}"
        yield Line(0, f"{head}:", function.span)
        if isinstance(function.body, ir.Block):
            yield from self.block(function.body.body, 1)
        elif function.body is not None:
            yield Line(1, self.value(function.body))

    def procedure(self, procedure: ir.Procedure) -> Iterator[Line]:
        results = (
            f" -> {', '.join(f'{one.name}: {one.kind}' for one in procedure.results)}" if procedure.results else ""
        )
        yield Line(0, f"procedure {procedure.name}{self._params(procedure.params)}{results}:", procedure.span)
        yield from self.block(procedure.body.body if procedure.body is not None else (), 1)

    def watcher(self, watcher: ir.Watcher) -> Iterator[Line]:
        each = (
            f" for each {watcher.var.name} in {self.collection(watcher.set)}"
            if watcher.var is not None and watcher.set is not None
            else ""
        )
        how = "for the first time" if watcher.once else "each time it has become so"
        yield Line(
            0,
            f"whenever {self.exp(watcher.test)}{each}, {how}: perform {watcher.procedure.name}",
            watcher.procedure.span,
        )
        if watcher.deferred is not None:
            yield Line(1, f"while {watcher.deferred} is performed, at the end of that")
        reads = Reads().of(watcher.test) | Reads().of(watcher.set)
        yield Line(
            1, f"looked at whenever one of these is written: {', '.join(sorted(member.full_name for member in reads))}"
        )

    def preference(self, preference: ir.Preference) -> Iterator[Line]:
        binders = "".join(f" for {var.name} in {self.collection(source)}" for var, source in preference.binders)
        when = f" when {self.exp(preference.when)}" if preference.when is not None else ""
        near = f" nearest {self.exp(preference.nearest)}" if preference.nearest is not None else ""
        yield Line(0, f'prefer "{preference.pattern}"{binders}{near}{when} by {self.exp(preference.weight)}', preference.span)

    def _params(self, params: Iterable[ir.Var]) -> str:
        return f"({', '.join(f'{var.name}: {var.kind}' for var in params)})"

    # -------------------------------------------------------------------------------------------- moves

    def block(self, moves: Iterable[ir.Stm], depth: int = 0) -> Iterator[Line]:
        empty = True
        for move in moves:
            empty = False
            yield from self.move(move, depth)
        if empty:
            yield Line(depth, "nothing")

    def move(self, s: ir.Stm, depth: int = 0) -> Iterator[Line]:
        def line(text: str, span: Span | None = None) -> Line:
            return Line(depth, text, span)

        match s:
            case ir.Assign(var=var, value=value, span=span, at=at):
                yield line(f"let {var.name}{f'[{self.exp(at)}]' if at is not None else ''} be {self.exp(value)}", span)
            case ir.KeepSet(var=var, value=inner, span=span):
                yield line(f"let {var.name} be all of {self.collection(inner)}", span)
            case ir.Write(place=place, value=value, span=span):
                yield line(f"set {self.exp(place)} to {self.exp(value)}{self._range(place.member)}", span)
            case ir.Pay(source=source, target=target, amount=amount, tail=tail, unit=unit, span=span):
                yield line(
                    f"pay {self.exp(amount)} {unit} from {self.exp(source)} to {self.exp(target)}{TAILS[tail]}", span
                )
            case ir.MoveSome(
                amount=many, sorts=sorts, sources=sources, target=target, side=side, notes=notes, span=span
            ):
                how_many = "all" if many is None else self.exp(many)
                what = f"move {how_many} {self.sorts(sorts)} from {self._zones(sources)} to {self.exp(target)}"
                yield line(what + self._turned(side, notes), span)
            case ir.MovePiece(piece=piece, target=target, side=side, notes=notes, span=span):
                yield line(f"move {self.exp(piece)} to {self.exp(target)}{self._turned(side, notes)}", span)
            case ir.MoveSet(set=inner, target=target, side=side, notes=notes, span=span):
                yield line(
                    f"move each of {self.collection(inner)} to {self.exp(target)}{self._turned(side, notes)}", span
                )
            case ir.Draw():
                yield line(self._draw(s), s.span)
            case ir.Pick(var=var, set=inner, span=span, race=True):
                yield line(f"let {var.name} be one of {self.collection(inner)}, at random, unless another is quicker", span)
            case ir.Pick(var=var, set=inner, span=span):
                yield line(f"let {var.name} be one of {self.collection(inner)}, at random", span)
            case ir.Shuffle(zone=zone, span=span):
                yield line(f"shuffle {self.exp(zone)}", span)
            case ir.Require():
                yield line(self._require(s), s.span)
            case ir.Block(body=body):
                yield from self.block(body, depth)
            case ir.If(test=test, yes=yes, no=no, span=span):
                yield line(f"if {self.exp(test)}:", span)
                yield from self.block(yes.body, depth + 1)
                if no.body:
                    yield line("else:")
                    yield from self.block(no.body, depth + 1)
            case ir.For(var=var, set=inner, random=by_chance, body=ir.Block(body=body), span=span):
                yield line(
                    f"for each {var.name} in {self.collection(inner)}{', in random order' if by_chance else ''}:", span
                )
                yield from self.block(body, depth + 1)
            case ir.Repeat(times=times, test=while_, body=ir.Block(body=body), span=span):
                yield line(
                    f"repeat {self.exp(times)} times{f' while {self.exp(while_)}' if while_ is not None else ''}:", span
                )
                yield from self.block(body, depth + 1)
            case ir.Turns(
                me=me, first=first, until=until, most=most, ending=ending, body=ir.Block(body=body), span=span
            ):
                last = f" until {self.exp(until)}" if until is not None else ""
                ends = f", then end as {self.world.endings[ending]}" if ending is not None else ""
                yield line(f"turns of {me.name} from {self.exp(first)}{last}, at most {self.exp(most)}{ends}:", span)
                yield from self.block(body, depth + 1)
            case ir.Perform(procedure=called, args=args, results=results, span=span):
                given = f"let {', '.join(var.name for var in results)} be " if results else ""
                yield line(f"{given}perform {called.name}{self._cases(called)}({self._all(args)})", span)
            case ir.Named(name=name, body=ir.Block(body=body)):
                yield line(f"block {name}:")
                yield from self.block(body, depth + 1)
            case ir.Leave(name=name, span=span):
                yield line(f"leave {name}", span)
            case ir.GiveBack(values=values, span=span):
                yield line(f"give {self._all(values)}", span)
            case ir.Score(seat=seat, label=label, value=value, span=span):
                yield line(f"score {self.label(label)} {self.exp(value)} for {self.exp(seat)}", span)
            case ir.EndAs(ending=ending, span=span):
                yield line(f"end as {self.world.endings[ending]}", span)
            case ir.Tell(label=label, audience=audience, span=span):
                yield line(f"tell {self.label(label)}{'' if audience is None else f' to {self.collection(audience)}'}", span)
            case ir.Record(name=name, value=value, of=of, span=span):
                yield line(f"record {name} {self.exp(value)}{f' for {self._all(of)}' if of else ''}", span)
            case ir.Reveal():
                yield line(self._reveal(s), s.span)
            case ir.Reset(member=member):
                yield line(f"every {member.full_name} begins anew")
            case ir.Watch(end_of=end_of) if end_of:
                yield line(f"look at the rules that have waited for the end of {end_of}")
            case ir.Watch(rules=rules):
                yield line(f"look at the rules that watch: {', '.join(rules)}")
            case ir.Hush(by=by):
                yield line("the rules that watch wait" if by > 0 else "the rules that watch need not wait any longer")
            case ir.Decide():
                yield from self._decide(s, depth, "ask")
            case ir.Offer(decide=decide, times=times, count=count, condition=condition):
                how_often = times.replace("_", " ") + (f" {self.exp(count)}" if count is not None else "")
                going = f", while {self.exp(condition)}" if condition is not None else ""
                yield from self._decide(decide, depth, f"offer {how_often}{going}")
            case ir.ChooseSome():
                yield from self._choose_some(s, depth)
            case ir.Secret(name=name, me=me, seats=seats, body=ir.Block(body=body), span=span):
                yield line(f"secretly, each {me.name} of {self.collection(seats)} ({name}):", span)
                yield from self.block(body, depth + 1)
            case _:
                assert_never(s)

    def option(self, option: ir.Option, depth: int = 0) -> Iterator[Line]:
        """A line of a menu, with what it needs and does."""
        ends = ", and the menu is over" if option.ends else "" if option.counts else ", which counts for nothing"
        yield Line(
            depth, f"option {option.rule} {self.label(option.label)} key {self._key(option)}{ends}:", option.span
        )
        for bind in option.binds:
            where = f" where {self.exp(bind.test)}" if bind.test is not None else ""
            yield Line(depth + 1, f"for each {bind.var.name} in {self.collection(bind.set)}{where}", bind.span)
        for test in option.tests:
            yield Line(depth + 1, self._require(test), test.span)
        yield from self.block(option.body.body, depth + 1)

    def _key(self, option: ir.Option) -> str:
        if option.keys is None:
            return "/".join([option.key, *(f"{{{bind.var.name}}}" for bind in option.binds)])
        return "/".join([option.key, *(f"{{{self.exp(key)}}}" for key in option.keys)])

    def _decide(self, s: ir.Decide, depth: int, how: str) -> Iterator[Line]:
        words = [
            *(["how it is paid"] if s.paying else []), *(["in secret"] if s.secret else []),
            *(["asked even of one answer"] if s.never_skip else []),
            *(["asked only if there are two answers"] if s.only_choice else []),
        ]  # fmt: skip
        said = "".join(f", {word}" for word in words)
        yield Line(depth, f"{how}: {self.exp(s.seat)} chooses {s.name} {self.label(s.prompt)}{said}:", s.span)
        for option in s.options:
            yield from self.option(option, depth + 1)
        yield from self._otherwise(s.otherwise, depth)

    def _choose_some(self, s: ir.ChooseSome, depth: int) -> Iterator[Line]:
        limits = [(s.least, "at least"), (s.most, "at most"), (s.step, "in steps of")]
        said = "".join(f", {word} {self.exp(bound)}" for bound, word in limits if bound is not None)
        said += ", all different" if s.different is not None else ""
        for bound, word in ((s.worth_least, "at least"), (s.worth_most, "at most")):
            if bound is not None and s.worth is not None:
                said += f", worth {word} {self.exp(bound)} by {s.worth.name}"
        head = f"ask: {self.exp(s.seat)} chooses any number of {self.collection(s.set)} into {s.bag.name}"
        yield Line(depth, f"{head} {self.label(s.prompt)}{said}", s.span)
        yield from self._otherwise(s.otherwise, depth)

    def _otherwise(self, block: ir.Block | None, depth: int) -> Iterator[Line]:
        if block is not None:
            yield Line(depth, "if there is nothing to choose from:")
            yield from self.block(block.body, depth + 1)

    def _require(self, s: ir.Require) -> str:
        return f"require {self.exp(s.test)}" + (f", else {self.label(s.reason)}" if s.reason is not None else "")

    def _draw(self, s: ir.Draw) -> str:
        how = "from the top of" if s.ordered else "at random from"
        said = f"draw {self.exp(s.amount)} {self.sorts(s.sorts)} {how} {self.exp(s.source)} to {self.exp(s.target)}"
        said += f", refilled from {self.exp(s.refill)}" if s.refill is not None else ""
        return said + (f", as {s.var.name}" if s.var is not None else "") + self._turned(None, s.notes)

    def _reveal(self, s: ir.Reveal) -> str:
        if s.var is not None:
            return f"reveal what was answered for {s.var.name}"
        if s.zone is not None:
            return f"reveal {self.exp(s.zone)}"
        name = s.member.full_name if s.member is not None else "nothing"
        return f"reveal {name}" + ("" if s.places is None else " of " + "; ".join(map(self._all, s.places)))

    def _turned(self, side: int | None, notes: ir.Notes) -> str:
        said = f", on side {side}" if side is not None else ""
        for member, value in notes:
            forgotten = f", forgetting {member.name} unless it is kept there"
            said += forgotten if value is None else f", noting {member.name}: {self.exp(value)}"
        return said

    def _range(self, member: Member) -> str:
        if member.low is None or member.high is None or member.form == "flag":
            return ""
        stops = "stops at the ends of" if "stops" in member.words else "stays within"
        return f" ({stops} {member.low:,} .. {member.high:,})"

    def _cases(self, ref: ir.ValueRef | ir.ProcRef) -> str:
        return f" (each of {len(ref.cases)} has its own)" if ref.cases else ""

    # -------------------------------------------------------------------------------------- expressions

    def value(self, e: ir.Exp | ir.Set) -> str:
        return self.collection(e) if isinstance(e, ir.SET_CLASSES) else self.exp(e)

    def exp(self, e: ir.Exp) -> str:
        match e:
            case ir.Const(value=value, kind=kind):
                name = self.world.name_of(value, kind)
                bare = kind.form in NUMBERED and name.isdigit()
                return f"{kind.name or kind.form} {name}" if bare else name
            case ir.Use(var=var, at=at):
                return var.name + (f"[{self.exp(at)}]" if at is not None else "")
            case (
                ir.Read(member=member, at=several)
                | ir.ZoneAt(member=member, at=several)
                | ir.PurseAt(member=member, at=several)
            ):
                return self._member(member, several)
            case ir.Lookup(name=name, at=several):
                return f"{name or 'table'}[{self._all(several)}]"
            case ir.SortOf(piece=piece):
                return f"sort of {self._inner(piece)}"
            case ir.PlaceOf(piece=piece):
                return f"the zone of {self._inner(piece)}"
            case ir.Only(zone=zone):
                return f"the only piece in {self._inner(zone)}"
            case ir.Op(op="neg", args=(of,)):
                return f"-{self._inner(of)}"
            case ir.Op(op="not", args=(of,)):
                return f"not {self._inner(of)}"
            case ir.Op(op=op, args=args) if op in INFIX:
                return INFIX[op].join(map(self._inner, args))
            case ir.Op(op=op, args=args):
                return f"{op}({self._all(args)})"
            case ir.Cond(test=test, yes=yes, no=no):
                return f"if {self.exp(test)} then {self.exp(yes)} else {self.exp(no)}"
            case ir.CallValue(function=called, args=args):
                return f"{called.name}({self._all(args)})"
            case ir.Aggregate(how=how, set=inner, var=var, value=value):
                inside = self.collection(inner)
                return (
                    f"{how} of {inside}"
                    if value is None
                    else f"{how} of ({self.exp(value)} for {var.name} in {inside})"
                )
            case ir.CountIn(zones=zones, sorts=sorts):
                return f"count of {self.sorts(sorts)} in {self._zones(zones)}"
            case ir.Contains(set=inner, item=item):
                return f"{self._inner(item)} is in {self.collection(inner)}"
            case ir.BagCount(bag=bag, sorts=sorts):
                return f"count of {self.sorts(sorts)} in {bag.name}"
            case ir.SecretOf(var=var, seat=seat):
                return f"{var.name} of {self._inner(seat)}"
            case ir.Way(search=search, end=end, other=other):
                return f"what the way to {self._inner(end)} costs {self.search(search)}, else {self._inner(other)}"
            case _:
                assert_never(e)

    def collection(self, e: ir.Set) -> str:
        match e:
            case ir.Listed(items=items):
                return f"{{{self._all(items)}}}"
            case ir.Span_(low=low, high=high, step=step):
                steps = "" if isinstance(step, ir.Const) and step.value == 1 else f" step {self.exp(step)}"
                return f"{self._inner(low)} .. {self._inner(high)}{steps}"
            case ir.SeatsFrom(seat=seat, others=others):
                return f"seats {'behind' if others else 'from'} {self._inner(seat)} on"
            case ir.Pieces(zones=zones, sorts=sorts):
                return f"{self.sorts(sorts)} in {self._zones(zones)}"
            case ir.Rows(name=name, at=at):
                return f"{name or 'table'}[{self.exp(at)}]"
            case ir.Filtered(set=inner, var=var, test=test):
                return f"({var.name} in {self.collection(inner)} where {self.exp(test)})"
            case ir.Mapped(binders=binders, value=value):
                each = "".join(f" for {var.name} in {self.collection(one)}" for var, one in binders)
                return f"({self.exp(value)}{each})"
            case ir.FlatMapped(set=source, var=var, inner=made):
                return f"(all of {self.collection(made)} for {var.name} in {self.collection(source)})"
            case ir.Joined(sets=several):
                return f"{{{', then '.join(map(self.collection, several))}}}"
            case ir.Ordered(set=inner, var=var, keys=keys):
                by = " then ".join(f"{'highest' if highest else 'lowest'} {self.exp(key)}" for key, highest in keys)
                return f"({var.name} in {self.collection(inner)} by {by})"
            case ir.Best(set=inner, var=var, key=key, highest=highest):
                best = "highest" if highest else "lowest"
                return f"({var.name} in {self.collection(inner)} with {best} {self.exp(key)})"
            case ir.Chosen(bag=bag):
                return f"what is in {bag.name}"
            case ir.Kept(var=var):
                return var.name
            case ir.Combos(amount=amount, set=inner):
                return f"all ways to take {self.exp(amount)} of {self.collection(inner)}"
            case ir.Unpacked(packed=packed):
                return f"what is in {self._inner(packed)}"
            case ir.Connected(search=search):
                return f"all that is reached {self.search(search)}"
            case ir.Steps(search=search, end=end, over=over):
                return f"the {'connections' if over else 'places'} on the way to {self._inner(end)} {self.search(search)}"
            case _:
                assert_never(e)

    def search(self, search: ir.Search) -> str:
        """From where, over what, by what."""
        said = f"from {self.collection(search.sources)} over {search.over.name} through {search.through.name}"
        said += "" if search.cost is None else f" by {self._inner(search.cost)}"
        return said if search.test is None else f"{said} where {self._inner(search.test)}"

    def sorts(self, sorts: ir.SortSet) -> str:
        """Which pieces: `eel`, or the name of a family where it is all of them."""
        if sorts.one is not None:
            return f"({self.exp(sorts.one)})"
        whole = next((name for name, ids in self.world.categories.items() if set(ids) == set(sorts.sorts)), "")
        if whole:
            return whole
        names = [self.world.sorts[id].full_name for id in sorts.sorts]
        return " or ".join(names) if 0 < len(names) <= FEW else f"({len(names)} sorts)"

    def label(self, label: ir.Label) -> str:
        return '"' + "".join(part if isinstance(part, str) else f"{{{self.exp(part)}}}" for part in label.parts) + '"'

    def _member(self, member: Member, at: tuple[ir.Exp, ...]) -> str:
        owned = len(at) > len(member.index)
        name = f"{self._inner(at[0])}.{member.name}" if owned else member.name
        rest = at[1:] if owned else at
        return f"{name}[{self._all(rest)}]" if rest else name

    def _zones(self, zones: Iterable[ir.Exp]) -> str:
        return " and ".join(map(self.exp, zones))

    def _all(self, several: Iterable[ir.Exp]) -> str:
        return ", ".join(map(self.value, several))

    def _inner(self, e: ir.Exp) -> str:
        """An expression within another, in brackets if it is made of several."""
        said = self.exp(e)
        return said if isinstance(e, SIMPLE) else f"({said})"
