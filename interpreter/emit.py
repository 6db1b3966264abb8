"""The whole program as one Python module: readable, and with no word of an author in the code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from ichiba.dsl import ir
from ichiba.dsl.effects import walk
from ichiba.dsl.kinds import NUMBER
from ichiba.dsl.source import Span
from ichiba.dsl.world import FIRST_THING, Member
from ichiba.interpreter import layout as places
from ichiba.interpreter.emit_stm import Statements
from ichiba.interpreter.flow import (
    Ask,
    Branch,
    Call,
    Enter,
    Finish,
    Flow,
    Goto,
    Piece,
    Return,
    Secret,
    SecretDone,
    Site,
)
from ichiba.interpreter.layout import Layout, bag_sorts
from ichiba.interpreter.likeness import individuals_of, look_of
from ichiba.interpreter.raw import Raw

WIDE = 1 << 20
INLINE = 40  # moves that may be written again instead of jumping

HEAD = '''"""Made by the engine from a ruleset; not to be edited."""
from ichiba.interpreter.runtime import (
    BITS, MASK, STEPS, RuleFault, Stop, Unmet, alike, bag_choices, below, best, cells_any, combos, compress, count_any, dot,
    draw_many, lowest, pack, power, shuffled, times, unlike, unpack, weighted,
)
'''


@dataclass(slots=True)
class Digit:
    """How a binder's value stands in an option's number."""

    bind: int
    low: int
    width: int


@dataclass(slots=True)
class Emitted:
    """The text of the module, and what belongs to it."""

    text: str
    tables: dict[str, object]
    faults: list[tuple[str, Span | None]]
    demands: list[ir.Demand]
    effects: list[tuple[str, Span | None]]
    kinds: list[object]
    first_piece: int
    digits: dict[tuple[int, int], list[Digit]]
    landings: list[tuple[int, ir.Procedure, tuple[tuple[Site, int], ...]]] = field(default_factory=list)
    lines: dict[int, tuple[str, Span | None]] = field(default_factory=dict)


class Emitter(Statements):
    """Writes the module."""

    def __init__(self, program: ir.Program, layout: Layout, flow: Flow, trace: bool):
        super().__init__(program.world, layout)
        self.program, self.flow, self.trace = program, flow, trace
        self.prepare()
        self.kinds: list[object] = []
        self.numbers: dict[Piece, int] = {}
        self.piece_queue: list[Piece] = []
        self.digits: dict[tuple[int, int], list[Digit]] = {}
        self.looks: dict[tuple[int, ...], str] = {}
        self.bag_zones = {
            s.decide.bag: _bag_zones(s.decide.set) for s in flow.sites if isinstance(s.decide, ir.ChooseBag)
        }
        self.reveal_flags: dict[object, int] = {}
        self.snapshots: dict[Member, int] = {}
        self.rule_names: dict[ir.Var, str] = {}
        self.case_tables: dict[str, ir.ValueRef | ir.ProcRef] = {}
        self.landings: list[tuple[int, ir.Procedure, tuple[tuple[Site, int], ...]]] = []
        self.calls = {id(call): (procedure, inside) for call, procedure, inside in flow.calls}

    # ------------------------------------------------------------------------------------- the module

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
        )

    def _drain(self) -> None:
        """Write everything that has been mentioned but not written."""
        while self.piece_queue or self.function_queue or self.procedure_queue:
            if self.piece_queue:
                self._piece(self.piece_queue.pop(0))
            elif self.function_queue:
                self._function(self.function_queue.pop(0))
            else:
                self._procedure(self.procedure_queue.pop(0))

    # --------------------------------------------------------------------------- where variables live

    def _place_variables(self) -> None:
        """A variable of a deciding rule lives in the state unless only one piece knows it."""
        seen: dict[ir.Var, set[object]] = {}
        for piece in self.flow.pieces:
            for var in _variables(piece.moves):
                seen.setdefault(var, set()).add(piece)
            for var in _end_variables(piece.end):
                seen.setdefault(var, set()).add(piece)
        for site in self.flow.sites:
            self._site_variables(site, seen)
        for procedure, var in self.flow.returns.items():
            seen.setdefault(var, set()).update((procedure, "always"))
            for param in (*procedure.params, *procedure.results):
                seen.setdefault(param, set()).update((procedure, "always"))
        for call, _, _ in self.flow.calls:
            for result in call.perform.results:
                seen.setdefault(result, set()).update((call, "always"))
        needed = [var for var, homes in seen.items() if len(homes) > 1 or var.per_seat or var.width > 1]
        for secret in self.flow.secrets:
            mine = set(needed)
            for var in self._secret_variables(secret):
                if var in mine:
                    self.layout.slot(var)
        for var, homes in seen.items():
            if len(homes) > 1 or var.per_seat or var.width > 1:
                self.layout.slot(var, "")
            else:
                self.names[var] = self.new_name(var.name)

    def _site_variables(self, site: Site, seen: dict[ir.Var, set[object]]) -> None:
        decide = site.decide
        if isinstance(decide, ir.Secret):
            seen.setdefault(decide.me, set()).update((site, "always"))
            return
        if isinstance(decide, ir.ChooseBag):
            for var in _variables(
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
        for var in _variables(
            [
                decide.seat,
                decide.prompt,
                *(
                    (o.tests, o.label, o.keys, [b.set for b in o.binds], [b.test for b in o.binds])
                    for o in decide.options
                ),
            ]
        ):
            if var not in own and not _bound_inside(var, decide):
                seen.setdefault(var, set()).add(site)
        for number, option in enumerate(decide.options):
            body = site.bodies[number]
            deep = any(
                site in [s for s, n in other.inside if n == number]
                for other in self.flow.sites
                if other is not site and site in [s for s, _ in other.inside]
            )
            for bind in option.binds:
                seen.setdefault(bind.var, set()).add(body)
                if deep or bind.var.per_seat or self._called_inside(site, number):
                    seen[bind.var].add("always")

    def _called_inside(self, site: Site, number: int) -> bool:
        """Whether a deciding procedure is performed within an option: then its path must be known."""
        return any((site, number) in inside for _, _, inside in self.flow.calls)

    def _place_secrets(self) -> None:
        seats = self.world.config.seats
        for secret in self.flow.secrets:
            variables = [var for var in self._secret_variables(secret) if var in self.layout.slots]
            secret.variables = variables
            secret.exports = []
            secret.places = [self.layout.slot(v) + k for v in variables for k in range(v.width)]
            secret.waiting = self.layout.once((secret, "waiting"), seats, "waiting in secret")
            secret.area = self.layout.once((secret, "area"), seats * max(1, len(secret.places)), "secret answers")
            at = 0
            for var in variables:
                if var.per_seat:
                    self.secret_bases[var] = (secret.area + at, len(secret.places))
                    secret.exports.append(var)
                    self.reveal_flags[var] = self.layout.once(("revealed", var), 1, f"revealed {var.name}")
                at += var.width
            for member in secret_members(secret, self.flow):
                if member not in self.reveal_flags:
                    self.reveal_flags[member] = self.layout.once(
                        ("revealed", member), 1, f"revealed {member.full_name}"
                    )
                    self.snapshots[member] = self.layout.once(
                        ("before", member), member.size, f"before {member.full_name}"
                    )
            self.layout.slot(secret.statement.me)

    def _secret_variables(self, secret: Secret) -> list[ir.Var]:
        """Everything in the state that the body of a secret block works with, procedures included."""
        found: dict[ir.Var, None] = {}
        todo, seen = [secret.entry], set()
        while todo:
            piece = todo.pop()
            if piece in seen:
                continue
            seen.add(piece)
            for var in (*_variables(piece.moves), *_end_variables(piece.end)):
                found[var] = None
            match piece.end:
                case Goto(piece=after):
                    todo.append(after)
                case Branch(yes=yes, no=no):
                    todo += [yes, no]
                case Call(perform=perform, after=after):
                    todo.append(after)
                    for procedure in (perform.procedure.default, *perform.procedure.cases.values()):
                        if procedure is not None and procedure in self.flow.entries:
                            todo.append(self.flow.entries[procedure])
                            for var in (*procedure.params, *procedure.results, self.flow.returns[procedure]):
                                found[var] = None
                case Ask(site=site):
                    todo += site.bodies
                    for option in getattr(site.decide, "options", ()):
                        for bind in option.binds:
                            found[bind.var] = None
                    if site.otherwise is not None:
                        todo.append(site.otherwise)
                    if site.after is not None:
                        todo.append(site.after)
                case _:
                    pass
        found.pop(secret.statement.me, None)
        return list(found)

    # ------------------------------------------------------------------------------------------ pieces

    def piece_number(self, piece: Piece) -> int:
        """The number of a piece that control can come to."""
        if piece not in self.numbers:
            self.numbers[piece] = len(self.flow.sites) + len(self.numbers)
            self.piece_queue.append(piece)
        return self.numbers[piece]

    def _piece(self, piece: Piece) -> None:
        self.line(f"def b{self.numbers[piece]}(S, C):  # {piece.home}")
        self.depth += 1
        self._chain(piece, ())
        self.depth -= 1
        self.line("")

    def _chain(self, piece: Piece, path: tuple[Piece, ...]) -> None:
        """A piece and what follows, written out as long as it is short and does not come round."""
        for move in piece.moves:
            self.statement(cast("ir.Stm | Raw", move))
        path = (*path, piece)
        match piece.end:
            case Goto(piece=after):
                self._go(after, path)
            case Branch(test=test, yes=yes, no=no):
                text = test.make(self)[0] if isinstance(test, Raw) else self.ex(test)
                self.line(f"if {text}:")
                self.depth += 1
                self._go(yes, path)
                self.depth -= 1
                self._go(no, path)
            case Ask(site=site):
                self.line(f"return {site.number}")
            case Call():
                self._call_piece(piece.end, path)
            case Return() | None:
                self.line(f"return S[{self.layout.slot(self._return_of(piece))}]")
            case Enter(secret=secret):
                self.line(f"return enter_{secret.site.number}(S, C)")
            case SecretDone():
                self.line(f"return {places.SECRET_END}")
            case Finish():
                self.line(f"return {places.OVER}")

    def _return_of(self, piece: Piece) -> ir.Var:
        return next(
            var
            for procedure, var in self.flow.returns.items()
            if procedure.name == piece.home and self._owns(procedure, piece)
        )

    def _owns(self, procedure: ir.Procedure, piece: Piece) -> bool:
        if not hasattr(self, "_owners"):
            self._owners: dict[Piece, ir.Procedure] = {}
            for owner, entry in self.flow.entries.items():
                for found in _within(entry, self.flow):
                    self._owners[found] = owner
        return self._owners.get(piece) is procedure

    def _go(self, piece: Piece, path: tuple[Piece, ...]) -> None:
        moves = sum(len(p.moves) for p in path)
        if (
            piece in path
            or piece.head
            and moves > 4
            or moves + len(piece.moves) > INLINE
            or len(path) > 12
            or self.depth > 14
        ):
            self.line(f"return {self.piece_number(piece)}")
        else:
            self._chain(piece, path)

    def _call_piece(self, call: Call, path: tuple[Piece, ...]) -> None:
        """Hand over the arguments, say where to come back to, and go."""
        perform = call.perform
        ref = perform.procedure
        back = self._landing(call)
        if ref.by is not None and ref.cases:
            chooser = perform.args[ref.by]
            if isinstance(chooser, ir.Const):
                procedure = ref.cases.get(chooser.value, ref.default)
                self._enter(perform, procedure, back, path)  # type: ignore[arg-type]
                return
            text = self.ex(chooser)
            for value, procedure in ref.cases.items():
                self.line(f"if {text} == {value}:")
                self.depth += 1
                self._enter(perform, procedure, back, path)
                self.depth -= 1
            if ref.default is not None:
                self._enter(perform, ref.default, back, path)
            else:
                self.line(f"return {back}")
            return
        assert ref.default is not None
        self._enter(perform, ref.default, back, path)

    def _landing(self, call: Call) -> int:
        """Where control comes back to: first the results are taken over."""
        perform = call.perform
        if not perform.results:
            number = self.piece_number(call.after)
            self.landings.append((number, *self.calls[id(call)]))
            return number
        landing = Piece(home=call.after.home)
        source = next(iter(p for p in (perform.procedure.default, *perform.procedure.cases.values()) if p is not None))
        for mine, theirs in zip(perform.results, source.results, strict=True):
            landing.moves.append(ir.Assign(mine, ir.Use(theirs, theirs.kind), perform.span))
        landing.end = Goto(call.after)
        number = self.piece_number(landing)
        self.landings.append((number, *self.calls[id(call)]))
        return number

    def _enter(self, perform: ir.Perform, procedure: ir.Procedure, back: int, path: tuple[Piece, ...]) -> None:
        targets, values = [], []
        for param, arg in zip(procedure.params, perform.args, strict=True):
            targets.append(self.var(param))
            values.append(self.number(arg))
        if targets:
            pairs = [(a, b) for a, b in zip(targets, values, strict=True) if a != b]
            if pairs:
                self.line(
                    f"{', '.join(a for a, _ in pairs)} = {', '.join(f'({b})' if ' if ' in b else b for _, b in pairs)}"
                )
        self.line(f"S[{self.layout.slot(self.flow.returns[procedure])}] = {back}")
        self._go(self.flow.entries[procedure], path)

    # ----------------------------------------------------------------------------------------- options

    def _site(self, site: Site) -> None:
        if isinstance(site.decide, ir.Secret):
            return
        if site.otherwise is not None:
            self.piece_number(site.otherwise)
        self.line(f"def o{site.number}(S):  # {site.procedure.name}: {_plain(site.decide.name)}")
        self.depth += 1
        if isinstance(site.decide, ir.ChooseBag):
            self._bag_options(site, site.decide)
        else:
            self._options(site, site.decide)
        self.depth -= 1
        self.line("")
        self.line(f"def a{site.number}(S, C, code):")
        self.depth += 1
        if isinstance(site.decide, ir.ChooseBag):
            at = self.var(site.bag_at)  # type: ignore[arg-type]
            self.line(f"S[{self.sum_of([str(self.layout.slot(site.decide.bag)), at])}] = code")
            self._go(site.bodies[0], ())
        else:
            self._answers(site, site.decide)
        self.depth -= 1
        self.line("")

    def _digits(self, site: Site, number: int, option: ir.Option) -> list[Digit]:
        key = (site.number, number)
        if key in self.digits:
            return self.digits[key]
        narrow: list[Digit] = []
        wide: list[Digit] = []
        for at, bind in enumerate(option.binds):
            domain = self.world.domain(bind.var.kind)
            if isinstance(bind.set, ir.Combos):
                wide.append(Digit(at, 0, 0))
            elif domain is not None:
                narrow.append(Digit(at, domain[0], max(domain[1], 1)))
            elif bind.var.kind.form == "number":
                wide.append(Digit(at, 0, 0))
            else:
                narrow.append(Digit(at, 0, WIDE))
        for digit in wide[1:]:
            digit.low, digit.width = -(1 << 31), 1 << 32
        self.digits[key] = [*narrow, *wide[1:], *wide[:1]]
        return self.digits[key]

    def _code(self, site: Site, number: int, option: ir.Option, names: list[str]) -> str:
        """The number of an option: which one it is, and the values it was made for."""
        text = ""
        for digit in reversed(self._digits(site, number, option)):
            value = names[digit.bind]
            part = self.sum_of([value, str(-digit.low)]) if digit.low else value
            text = part if not text else f"({part} + {digit.width} * {_bracket(text)})"
        count = len(site.decide.options)  # type: ignore[union-attr]
        if count == 1:
            return text or "0"
        if not text:
            return str(number)
        return f"{number} + {count} * {_bracket(text)}"

    def _options(self, site: Site, decide: ir.Decide) -> None:
        if (
            len(decide.options) == 1
            and not decide.options[0].tests
            and len(decide.options[0].binds) == 1
            and not site.stop_after
            and not self.look(decide.options[0].binds[0].set)
        ):
            self._one_binder(site, decide.options[0])
            return
        self.line("r = []")
        self.line("add = r.append")
        number = 0
        while number < len(decide.options):
            number = self._option_group(site, decide, number)
        self.line("return r")

    def look(self, inner: ir.Set) -> str:
        """The functions that say how a thing of this set looks, if two of them could look alike."""
        sorts = individuals_of(inner, self.world)
        if not sorts:
            return ""
        if sorts not in self.looks:
            self.looks[sorts] = self.new_name("look")
        return self.looks[sorts]

    def _looks(self) -> None:
        things = self.table(tuple(t.sort for t in self.world.things), "sort_of_thing")
        for sorts, name in self.looks.items():
            plain, deep = look_of(sorts, self.world, lambda x: f"{things}[{x} - {FIRST_THING}]")
            self.line(f"def {name}_plain(S, x): return {plain}")
            if deep:
                self.line(f"def {name}_deep(S, x): return {deep}")
            self.line(f"{name} = {name}_plain, {f'{name}_deep' if deep else None}")
            self.line("")

    def _one_binder(self, site: Site, option: ir.Option) -> None:
        bind = option.binds[0]
        name = self.new_name(bind.var.name)
        inner = bind.set
        if isinstance(inner, ir.Span_) and bind.test is None:
            by = self.ex(inner.step)
            self.line(
                f"return range({self.ex(inner.low)}, {self.sum_of([self.ex(inner.high), '1'])}"
                f"{'' if by == '1' else ', ' + by})"
            )
            return
        code = self._code(site, 0, option, [name])
        if bind.test is not None:
            test = self.with_name(bind.var, name, bind.test)
            self.line(f"return [{code}{self.clauses(inner, name)} if {test}]")
        elif code == name:
            present = self._present(inner, self.line)
            self.line(f"return {present or self.listed(inner)}")
        else:
            self.line(f"return [{code}{self.clauses(inner, name)}]")

    def _option_group(self, site: Site, decide: ir.Decide, number: int) -> int:
        """Options that share their first tests are written under one `if`."""
        option = decide.options[number]
        shared = option.tests[:1]
        last = number
        if shared and not _depends(shared[0].test, option):
            while last + 1 < len(decide.options) and _same_first(decide.options[last + 1], shared[0]):
                last += 1
        if last == number:
            self._option(site, number, option, 0)
            return number + 1
        self.line(f"if {self.ex(shared[0].test)}:")
        self.depth += 1
        for n in range(number, last + 1):
            self._option(site, n, decide.options[n], 1)
        self.depth -= 1
        return last + 1

    def _option(self, site: Site, number: int, option: ir.Option, skip: int) -> None:
        depth = self.depth
        left = list(option.tests[skip:])
        known: set[ir.Var] = set()
        later = {bind.var for bind in option.binds}
        self._tests(left, later)
        names: list[str] = []
        for bind in option.binds:
            name = self.new_name(bind.var.name)
            names.append(name)
            look = self.look(bind.set)
            if look:
                self.line(f"seen_{name} = {{}}")
            self.clauses_as_lines(bind.set, name)
            self.names[bind.var] = name
            known.add(bind.var)
            later.discard(bind.var)
            if bind.test is not None:
                self.line(f"if {self.ex(bind.test)}:")
                self.depth += 1
            if look:
                self.line(f"if alike(S, seen_{name}, {name}, *{look}): continue")
            self._tests(left, later)
        code = self._code(site, number, option, names)
        if number in site.stop_after:
            self.line(f"c = {code}")
            self.line(f"if dry(S, {site.number}, c): add(c)")
        else:
            self.line(f"add({code})")
        for bind in option.binds:
            self._forget(bind.var)
        self.depth = depth

    def _forget(self, var: ir.Var) -> None:
        """After its options are made a binder is again what its rule knows."""
        if var in self.layout.slots:
            self.names.pop(var, None)
        else:
            self.names[var] = self.rule_names.setdefault(var, self.new_name(var.name))

    def clauses_as_lines(self, inner: ir.Set, name: str) -> None:
        """`for name in …:` and what follows, as statements."""
        for part in _split_clauses(self.clauses(inner, name).strip()):
            self.line(part + ":")
            self.depth += 1

    def _tests(self, left: list[ir.Demand], later: set[ir.Var]) -> None:
        """Every test is made as soon as all its names are known."""
        for demand in list(left):
            if any(var in later for var in _variables([demand.test])):
                continue
            left.remove(demand)
            if isinstance(demand.test, ir.Const) and demand.test.value:
                continue
            self.line(f"if {self.ex(demand.test)}:")
            self.depth += 1

    def _answers(self, site: Site, decide: ir.Decide) -> None:
        count = len(decide.options)
        single = count == 1
        if not single:
            self.line(f"o = code % {count}")
            self.line(f"code //= {count}")
        for number, option in enumerate(decide.options):
            if not single and number < count - 1:
                self.line(f"if o == {number}:  # {_plain(option.rule)}")
                self.depth += 1
            self._decode(self._digits(site, number, option), option)
            if self.trace:
                self.line(f"C.option(S, {site.number}, {number})")
            self._go(site.bodies[number], ())
            if not single and number < count - 1:
                self.depth -= 1

    def _decode(self, digits: list[Digit], option: ir.Option) -> None:
        for place, digit in enumerate(digits):
            target = self.var(option.binds[digit.bind].var)
            last = place == len(digits) - 1
            value = "code" if last else f"code % {digit.width}"
            if digit.low:
                value = f"{value} + {digit.low}" if digit.low > 0 else f"{value} - {-digit.low}"
            self.line(f"{target} = {value}")
            if not last:
                self.line(f"code //= {digit.width}")

    def _bag_options(self, site: Site, s: ir.ChooseBag) -> None:
        sorts = bag_sorts(self.world, s.bag)
        first = self.layout.slot(s.bag)
        name = self.new_name("x")
        many = self.each(s.set, name)
        column = self.table(self.layout.column_of(sorts), "column")
        self.line(f"have = [0] * {len(sorts)}")
        piece = ir.Var("piece", s.set.kind.of or NUMBER)
        sort = self.with_name(piece, name, ir.SortOf(ir.Use(piece, piece.kind), piece.kind))
        self.line(f"for {name} in {self.listed(s.set)}: have[{column}[{sort}]] += {many}")
        worth = "None"
        if s.worth is not None:
            sort_name, count = self.new_name("s"), self.new_name("n")
            table = self.table(sorts, "sorts")
            var_n, var_s = ir.Var("n", NUMBER), ir.Var("s", NUMBER)
            self.names[var_n], self.names[var_s] = count, f"{table}[{sort_name}]"
            values: tuple[ir.Exp, ...] = (ir.Use(var_n, NUMBER), ir.Use(var_s, NUMBER))
            extra = s.worth_args
            if (
                len(extra) == 2
                or s.worth.default is not None
                and len(s.worth.default.params) == len(extra) + 2
                and s.worth.default.params
                and s.worth.default.params[0].name == "me"
            ):
                values = (extra[0], *values, *extra[1:])
            else:
                values = (*values, *extra)
            worth = f"lambda {count}, {sort_name}: {self.ex(ir.CallValue(s.worth, values, NUMBER))}"
        at = self.var(site.bag_at)  # type: ignore[arg-type]
        least = self.ex(s.least) if s.least is not None else "0"
        most = self.ex(s.most) if s.most is not None else "1000000"
        step = self.ex(s.step) if s.step is not None else "1"
        shapes = "None"
        if s.different is not None:
            shapes = self.table(tuple(s.different[i] for i in sorts), "shapes")
        low = self.ex(s.worth_least) if s.worth_least is not None else "-10**12"
        high = self.ex(s.worth_most) if s.worth_most is not None else "10**12"
        self.line(
            f"return bag_choices(have, S[{first}:{first + len(sorts)}], {at}, {least}, {most}, {step}, {shapes}, "
            f"{worth}, {low}, {high})"
        )

    # ------------------------------------------------------------------------------------------ secrets

    def _secret(self, secret: Secret) -> None:
        """Every seat goes to its first question; then they are asked from the lowest on."""
        number, n = self.flow.secrets.index(secret), self.world.config.seats
        me = self.layout.slot(secret.statement.me)
        self.line(f"def enter_{secret.site.number}(S, C):")
        self.depth += 1
        for member in secret_members(secret, self.flow):
            self.line(
                f"S[{self.snapshots[member]}:{self.snapshots[member] + member.size}] = "
                f"S[{member.base}:{member.base + member.size}]"
            )
            self.line(f"S[{self.reveal_flags[member]}] = 1")
        for var in secret.exports:
            self.line(f"S[{self.reveal_flags[var]}] = 0")
        self.line(f"S[{places.SECRET}] = {number}")
        self.line(f"S[{secret.waiting}:{secret.waiting + n}] = {self.table(tuple([0] * n), 'nobody')}")
        seats = self.new_name("seat")
        self.line(f"for {seats} in {self.listed(secret.statement.seats)}:")
        self.depth += 1
        self.line(f"S[{me}] = {seats}")
        self.line(
            f"S[{self.sum_of([seats, str(secret.waiting)])}] = "
            f"max(0, to_question(S, C, {self.piece_number(secret.entry)}) + 1)"
        )
        self._lay_back(secret, seats)
        self.depth -= 1
        self.line(f"S[{places.LOADED}] = 0")
        self.line(f"return next_{number}(S)")
        self.depth -= 1
        self.line("")
        self._secret_next(secret, number, n)
        self._secret_load(secret, number, me)

    def _secret_next(self, secret: Secret, number: int, n: int) -> None:
        """The lowest seat that has still to answer, or on when all have."""
        self.line(f"def next_{number}(S):")
        self.depth += 1
        self.line(f"for seat in range({n}):")
        self.line(f"    if S[{secret.waiting} + seat]: return load_{number}(S, seat)")
        self.line(f"return {self.piece_number(secret.after)}")
        self.depth -= 1
        self.line("")
        self.line(f"def done_{number}(S):")
        self.depth += 1
        self.line(f"seat = S[{places.LOADED}] - 1")
        self._lay_back(secret, "seat")
        self.line(f"S[{secret.waiting} + seat] = 0")
        self.line(f"S[{places.LOADED}] = 0")
        self.line(f"return next_{number}(S)")
        self.depth -= 1
        self.line("")

    def _secret_load(self, secret: Secret, number: int, me: int) -> None:
        """The answers of one seat are taken into work; those of the seat before are laid back first."""
        self.line(f"def load_{number}(S, seat):")
        self.depth += 1
        self.line(f"old = S[{places.LOADED}] - 1")
        self.line(f"if old == seat: return S[{places.PC}]")
        self.line("if old >= 0:")
        self.depth += 1
        self.line(f"S[{secret.waiting} + old] = S[{places.PC}] + 1")
        self._lay_back(secret, "old")
        self.depth -= 1
        self.line(f"S[{places.LOADED}] = seat + 1")
        self.line(f"S[{me}] = seat")
        size = len(secret.places)
        if size and self._contiguous(secret.places):
            self.line(f"a = {self._area(secret, 'seat')}")
            self.line(f"S[{secret.places[0]}:{secret.places[0] + size}] = S[a:a + {size}]")
        elif size:
            self.line(f"a = {self._area(secret, 'seat')}")
            self.line(f"for k, p in enumerate({self.table(tuple(secret.places), 'secret_places')}): S[p] = S[a + k]")
        self.line(f"S[{places.PC}] = S[{secret.waiting} + seat] - 1")
        self.line(f"return S[{places.PC}]")
        self.depth -= 1
        self.line("")

    def _contiguous(self, found: list[int]) -> bool:
        return bool(found) and found == list(range(found[0], found[0] + len(found)))

    def _area(self, secret: Secret, seat: str) -> str:
        size = len(secret.places)
        return self.sum_of([str(secret.area), f"{seat} * {size}" if size > 1 else seat])

    def _lay_back(self, secret: Secret, seat: str) -> None:
        """The answers in work go back to where this seat's answers lie."""
        size = len(secret.places)
        if size and self._contiguous(secret.places):
            self.line(f"a = {self._area(secret, seat)}")
            self.line(f"S[a:a + {size}] = S[{secret.places[0]}:{secret.places[0] + size}]")
        elif size:
            self.line(f"a = {self._area(secret, seat)}")
            self.line(f"for k, p in enumerate({self.table(tuple(secret.places), 'secret_places')}): S[a + k] = S[p]")
        else:
            self.line("pass")

    def _open_with(self, key: object) -> list[Member]:
        """What the same secret block has written and no word of its own hides: it is real again as well."""
        found: list[Member] = []
        for secret in self.flow.secrets:
            members = secret_members(secret, self.flow)
            if key in secret.exports or key in members:
                found += [m for m in members if m is not key and not {"hidden", "screened", "face_down"} & set(m.words)]
        return found

    def show(self, s: ir.Show) -> None:
        key: object = s.var if s.var is not None else s.member
        if key in self.reveal_flags:
            self.line(f"S[{self.reveal_flags[key]}] = {1 if s.var is not None else 2}")
            for member in self._open_with(key):
                self.line(f"S[{self.reveal_flags[member]}] = 2")
        elif not self.trace:
            self.line("pass")
        if self.trace:
            if s.var is not None:
                first, stride = self.secret_bases[s.var]
                values = f"[S[{first} + k * {stride}] for k in range({self.world.config.seats})]"
                self.line(f"C.reveal(S, {_plain(s.var.name)!r}, {values}, {self.kind_ref(s.var.kind)})")
            else:
                assert s.member is not None
                base = self.place(s.member, s.at) if s.at else str(s.member.base)
                size = s.member.width if s.at else s.member.size
                self.line(f"C.reveal_member(S, {s.member.full_name!r}, {base}, {size})")

    # ------------------------------------------------------------- functions, procedures and triggers

    def _own(self, variables: list[ir.Var]) -> dict[ir.Var, str | None]:
        saved: dict[ir.Var, str | None] = {}
        for var in variables:
            saved[var] = self.names.get(var)
            self.names[var] = self.new_name(var.name)
        return saved

    def _function(self, function: ir.Function) -> None:
        saved = self._own([*function.params, *_variables([function.body])])
        params = ", ".join(["S", *(self.names[p] for p in function.params)])
        self.line(f"def {self.functions[function]}({params}):")
        self.depth += 1
        if isinstance(function.body, ir.Block):
            self.block(function.body)
        else:
            self.line(f"return {self.ex(function.body)}")  # type: ignore[arg-type]
        self.depth -= 1
        self.line("")
        self._restore_all(saved)

    def _restore_all(self, saved: dict[ir.Var, str | None]) -> None:
        for var, name in saved.items():
            if name is None:
                self.names.pop(var, None)
            else:
                self.names[var] = name

    def _procedure(self, procedure: ir.Procedure) -> None:
        saved = self._own([*procedure.params, *procedure.results, *_variables([procedure.body])])
        params = ", ".join(["S", "C", *(self.names[p] for p in procedure.params)])
        self.line(f"def {self.procedure_names[procedure]}({params}):  # {procedure.name}")
        self.depth += 1
        if self.trace:
            self.line(
                f"C.rule({self.program.procedures.index(procedure) if procedure in self.program.procedures else -1})"
            )
        for result in procedure.results:
            self.line(f"{self.names[result]} = 0")
        assert procedure.body is not None
        self.block(procedure.body)
        if procedure.results:
            self.line(f"return {', '.join(self.names[r] for r in procedure.results)}")
        self.depth -= 1
        self.line("")
        self._restore_all(saved)

    def _take_function(self) -> None:
        """Something that exists one by one goes to another zone."""
        if "place" not in self.world.places:
            return
        member, rank = self.world.places["place"], self.world.places["rank"]
        here, order = member.base - member.dims[0][0], rank.base - rank.dims[0][0]
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
        if ordered:
            low, size = member.dims[0]
            table = self.table(ordered, "ordered")
            own = f"thing - {-order}" if order < 0 else f"thing + {order}"
            self.line(f"if zone in {table}:")
            self.line(f"    S[{own}] = -1")
            self.line(
                f"    S[{own}] = max(S[{rank.base} + i] for i in range({size}) if S[{member.base} + i] == zone) + 1"
            )
            del low
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
        for number, name in enumerate(self.program.watchers):
            word = "if" if number == 0 else "elif"
            self.line(f"{word} bits & {self.bits[name]}:")
            self.line(f"    S[{places.WAITING}] &= ~{self.bits[name]}")
            self.line(f"    check_{number}(S, C)")
        self.depth -= 1
        self.line("else: raise RuleFault('the triggers do not come to rest')")
        self.line(f"S[{places.BUSY}] = 0")
        self.depth -= 1
        self.line("")

    def _deferred(self, name: str, called: str) -> None:
        """What waited for the end of a procedure happens now."""
        self.line(f"def {called}(S, C):")
        self.depth += 1
        self.line("pass")
        for watcher in self.program.watchers.values():
            if watcher.deferred != name or watcher.pending is None:
                continue
            body = self.procedure(watcher.procedure)
            member = watcher.pending
            if watcher.var is None:
                self.line(f"if S[{member.base}]: S[{member.base}] = 0; {body}(S, C, 0)")
            else:
                low, size = member.dims[0]
                self.line(f"for k in range({size}):")
                self.line(f"    if S[{member.base} + k]: S[{member.base} + k] = 0; {body}(S, C, 0, k + {low})")
        self.depth -= 1
        self.line("")

    def _watcher(self, name: str, watcher: ir.Watcher) -> None:
        number = list(self.program.watchers).index(name)
        saved = self._own(
            [*([watcher.var] if watcher.var is not None else []), *_variables([watcher.test, watcher.set])]
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
        state = f"S[{self.place(watcher.state, at)}]"
        body = self.procedure(watcher.procedure)
        if watcher.once:
            self.line(f"if not {state} and {self.ex(watcher.test)}:")
        else:
            self.line(f"now = 1 if {self.ex(watcher.test)} else 0")
            self.line(f"was, {state} = {state}, now")
            self.line("if now and not was:")
        self.depth += 1
        if watcher.once:
            self.line(f"{state} = 1")
        if watcher.deferred is not None and watcher.pending is not None:
            running = self.world.table[f"running {watcher.deferred}"]
            self.line(f"if S[{running.base}]: S[{self.place(watcher.pending, at)}] = 1")
            self.line(f"else: {body}({args})")
        else:
            self.line(f"{body}({args})")
        self.depth -= 1
        if watcher.var is not None:
            self.depth -= 1
        self.depth -= 1
        self.line("")
        self._restore_all(saved)

    def _invariants_and_ranking(self) -> None:
        names = []
        for function in self.program.invariants:
            names.append(f"({function.name!r}, {self.function(function)})")
        self.line(f"INVARIANTS = [{', '.join(names)}]" if not names else "def invariants():")
        if names:
            self.line(f"    return [{', '.join(names)}]")
        else:
            self.line("def invariants(): return INVARIANTS")
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
        self.line(f"DONE = [{', '.join(f'done_{n}' for n in range(len(self.flow.secrets)))}]")
        skips = [
            0 if isinstance(s.decide, ir.Secret) or s.decide.never_skip or s.secret is not None else 1 for s in sites
        ]
        self.line(f"SKIPS = {skips}")
        otherwise = [-1 if s.otherwise is None else self.numbers[s.otherwise] for s in sites]
        self.line(f"OTHERWISE = {otherwise}")
        self._looks()
        self.out.append(_LOOP)
        for name, ref in getattr(self, "case_tables", {}).items():
            self._case_table(name, ref)

    def _case_table(self, name: str, ref: ir.ValueRef | ir.ProcRef) -> None:
        known = self.functions if isinstance(ref, ir.ValueRef) else self.procedure_names
        cases = ", ".join(f"{value}: {known[f]}" for value, f in ref.cases.items())  # type: ignore[index]
        if ref.default is not None:
            self.line(f"{name} = Cases({{{cases}}}, {known[ref.default]})")  # type: ignore[index]
        else:
            missing = "lambda *_: True" if isinstance(ref, ir.ValueRef) else "lambda *_: None"
            self.line(f"{name} = Cases({{{cases}}}, {missing})")


_LOOP = '''
MANY = range(STEPS)

class Cases(dict):
    def __init__(self, cases, default):
        super().__init__(cases)
        self.default = default

    def __missing__(self, key):
        return self.default


def to_question(S, C, pc):
    """Within a secret block: on to the next question that has an answer."""
    while True:
        n = 0
        while pc >= FIRST:
            pc = PIECES[pc](S, C)
            n += 1
            if n > STEPS: raise RuleFault('this rule does not come to an end', pc)
        if pc < 0: return pc
        if OPTIONS[pc](S): return pc
        if OTHERWISE[pc] < 0: raise RuleFault('there is nothing to choose from', pc)
        pc = OTHERWISE[pc]


def run(S, C, pc):
    """On to the next question; its options. A single answer is taken, where that tells nobody anything."""
    if 0 <= pc < FIRST:
        r = OPTIONS[pc](S)
        if len(r) > 1:
            S[0] = pc
            return r
    for _ in MANY:
        if pc >= FIRST:
            pc = PIECES[pc](S, C)
        elif pc < 0:
            if pc == -2:
                pc = DONE[S[5]](S)
                continue
            S[0] = pc
            return ()
        else:
            r = OPTIONS[pc](S)
            if not r:
                if OTHERWISE[pc] < 0: raise RuleFault('there is nothing to choose from', pc)
                pc = OTHERWISE[pc]
            elif SKIPS[pc] and len(r) == 1:
                S[0] = pc
                pc = C.forced(S, pc, r[0]) if C.tracing else ANSWERS[pc](S, C, r[0])
            else:
                S[0] = pc
                return r
    raise RuleFault('this rule does not come to an end', pc)


def dry(S, site, code):
    """Whether an answer leads on: tried on a copy, up to chance, another seat's question or the end of the option."""
    T = S[:]
    try:
        pc = ANSWERS[site](T, DRY, code)
        return leads_on(T, pc, 0)
    except Unmet:
        return False
    except Stop:
        return True


def leads_on(T, pc, depth):
    try:
        for _ in range(1000):
            while pc >= FIRST:
                pc = PIECES[pc](T, DRY)
            if pc < 0: return True
            r = OPTIONS[pc](T)
            if r:
                if depth > 3 or not DEEP[pc]: return True
                for code in r:
                    U = T[:]
                    try:
                        if leads_on(U, ANSWERS[pc](U, DRY, code), depth + 1): return True
                    except Unmet:
                        pass
                return False
            pc = OTHERWISE[pc]
            if pc < 0: return False
    except Unmet:
        return False
    except Stop:
        return True
    return True
'''


class Late(Emitter):
    """Writes single expressions after the module is made: for labels, reasons, questions and views."""

    prefix = "late_"

    def __init__(self, program: ir.Program, layout: Layout, flow: Flow, module: dict[str, object]):
        super().__init__(program, layout, flow, False)
        self.module = dict(module)
        self.secret_bases = {}
        for secret in flow.secrets:
            at = 0
            for var in secret.variables:
                if var.per_seat:
                    self.secret_bases[var] = (secret.area + at, len(secret.places))
                at += var.width

    def expression(self, e: ir.Exp | ir.Set, variables: list[ir.Var], each: bool = False) -> object:
        """A function of the state and these variables."""
        names = [self.new_name(var.name) for var in variables]
        saved = {var: self.names.get(var) for var in variables}
        self.names.update(zip(variables, names, strict=True))
        self.out, self.depth = [], 0
        if isinstance(e, SETS):
            text = self.listed(e, each=each)
        else:
            text = self.ex(e)
        own = self.new_name("late")
        self.line(f"def {self.prefix}{own}({', '.join(['S', *names])}): return {text}")
        self._restore_all(saved)
        self._drain()
        tables = self.case_tables
        self.case_tables = {}
        for name, ref in tables.items():
            self._case_table(name, ref)
        self.module.update({k: v for k, v in self.tables.items() if v is not None})
        exec(compile("\n".join(self.out), "<late>", "exec"), self.module)  # noqa: S102
        return self.module[f"{self.prefix}{own}"]


SETS = (
    ir.Listed,
    ir.Span_,
    ir.SeatsFrom,
    ir.Pieces,
    ir.Rows,
    ir.Filtered,
    ir.Mapped,
    ir.FlatMapped,
    ir.Joined,
    ir.Ordered,
    ir.Best,
    ir.Chosen,
    ir.Kept,
    ir.Combos,
    ir.Unpacked,
)


# ------------------------------------------------------------------------------------------------ helpers


def _variables(nodes: object) -> list[ir.Var]:
    """All variables that are mentioned."""
    found: dict[ir.Var, None] = {}
    todo: list[object] = [nodes]
    while todo:
        node = todo.pop()
        if isinstance(node, list | tuple):
            todo.extend(node)
        elif isinstance(node, ir.Var):
            found[node] = None
        elif isinstance(node, Raw):
            todo.extend(node.variables)
            todo.extend(node.parts)
        elif node is not None:
            for part in walk(node):
                for name in ("var", "bag", "me", "taken"):
                    value = getattr(part, name, None)
                    if isinstance(value, ir.Var):
                        found[value] = None
                for name in ("results", "binders"):
                    for value in getattr(part, name, ()) or ():
                        value = value[0] if isinstance(value, tuple) else value
                        if isinstance(value, ir.Var):
                            found[value] = None
    return list(found)


def _bound_inside(var: ir.Var, decide: ir.Decide) -> bool:
    """Whether a variable is bound by an expression of the options themselves, such as a `where` or an aggregate."""
    for option in decide.options:
        for node in walk(
            _Bundle(
                tuple(t.test for t in option.tests),
                tuple(b.set for b in option.binds),
                tuple(b.test for b in option.binds if b.test is not None),
                option.label,
                option.keys or (),
            )
        ):
            if isinstance(node, ir.Filtered | ir.Best | ir.Ordered | ir.Aggregate | ir.FlatMapped) and node.var is var:
                return True
            if isinstance(node, ir.Mapped) and any(b[0] is var for b in node.binders):
                return True
    for node in walk(_Bundle((decide.seat,), (), (), decide.prompt, ())):
        if isinstance(node, ir.Filtered | ir.Best | ir.Ordered | ir.Aggregate | ir.FlatMapped) and node.var is var:
            return True
    return False


@dataclass(frozen=True)
class _Bundle:
    a: tuple[object, ...]
    b: tuple[object, ...]
    c: tuple[object, ...]
    d: object
    e: tuple[object, ...]


def _end_variables(end: object) -> list[ir.Var]:
    match end:
        case Branch(test=test):
            return _variables([test])
        case Call(perform=perform):
            return _variables([perform])
        case Enter(secret=secret):
            return _variables([secret.statement.seats])
        case _:
            return []


def _within(entry: Piece, flow: Flow) -> set[Piece]:
    """The pieces of one procedure."""
    found: set[Piece] = set()
    todo: list[Piece | None] = [entry]
    while todo:
        piece = todo.pop()
        if piece is None or piece in found:
            continue
        found.add(piece)
        match piece.end:
            case Goto(piece=after):
                todo.append(after)
            case Branch(yes=yes, no=no):
                todo += [yes, no]
            case Call(after=after):
                todo.append(after)
            case Ask(site=site):
                todo += [*site.bodies, site.otherwise, site.after]
            case Enter(secret=secret):
                todo += [secret.entry, secret.after]
            case _:
                pass
    return found


def secret_members(secret: Secret, flow: Flow) -> list[Member]:
    """What the body of a secret block writes: until it is revealed the others see it as it was."""
    from ichiba.dsl.effects import ANY_ZONE, PLACES, procedures_of, writes_of

    found: dict[Member, None] = {}
    todo: list[object] = [secret.statement.body]
    seen: set[int] = set()
    while todo:
        block = todo.pop()
        for node in walk(block):
            if isinstance(node, ir.Perform):
                for procedure in procedures_of(node.procedure):
                    if id(procedure) not in seen:
                        seen.add(id(procedure))
                        todo.append(procedure.body)
            elif isinstance(node, ir.MovePiece):
                for member in _zones_a_piece_leaves(node, secret):
                    found[member] = None
            if isinstance(node, ir.Write | ir.Transfer | ir.MoveSome | ir.MovePiece | ir.MoveSet | ir.DrawSome):
                for member in writes_of(node):
                    if member not in (ANY_ZONE, PLACES):
                        found[member] = None
    return list(found)


def _zones_a_piece_leaves(move: ir.MovePiece, secret: Secret) -> list[Member]:
    """Where the chosen piece came from."""
    if not isinstance(move.piece, ir.Use):
        return []
    for node in walk(secret.statement.body):
        if isinstance(node, ir.Bind) and node.var is move.piece.var:
            return [z.member for z in walk(node.set) if isinstance(z, ir.ZoneAt)]
        if isinstance(node, ir.For) and node.var is move.piece.var:
            return [z.member for z in walk(node.set) if isinstance(z, ir.ZoneAt)]
    return []


def _bag_zones(inner: ir.Set) -> tuple[ir.Exp, ...]:
    while isinstance(inner, ir.Filtered):
        inner = inner.set
    return inner.zones if isinstance(inner, ir.Pieces) else ()


def _depends(test: ir.Exp, option: ir.Option) -> bool:
    own = {bind.var for bind in option.binds}
    return any(var in own for var in _variables([test]))


def _same_first(option: ir.Option, demand: ir.Demand) -> bool:
    return bool(option.tests) and option.tests[0].test == demand.test and not _depends(option.tests[0].test, option)


def _split_clauses(text: str) -> list[str]:
    """`for a in x for b in y if c` into its clauses, brackets left alone."""
    parts: list[str] = []
    depth = start = 0
    words = ("for ", "if ")
    place = 0
    conditional = 0
    while place < len(text):
        char = text[place]
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and place and text[place - 1] == " ":
            if text.startswith(" else ", place - 1):
                conditional -= 1
            if any(text.startswith(word, place) for word in words):
                parts.append(text[start:place].strip())
                start = place
        place += 1
    parts.append(text[start:].strip())
    del conditional
    return [p for p in parts if p]


def _bracket(text: str) -> str:
    return text if text.replace("_", "").isalnum() or text.startswith("(") else f"({text})"


def _plain(text: str) -> str:
    return "".join(c if c.isalnum() or c in "_. " else "_" for c in text)
