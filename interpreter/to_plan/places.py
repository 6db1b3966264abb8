"""Where the variables of rules that ask live: in the state, or in one piece only."""

from __future__ import annotations

from ichiba.dsl.program.hiding import hidden_members
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps
from ichiba.dsl.world.world import Member
from ichiba.interpreter.analysis.variables import free_variables, variables_in
from ichiba.interpreter.flow.flow import (
    Ask,
    Branch,
    Call,
    Flow,
    Goto,
    Piece,
    Secret,
    Site,
)
from ichiba.interpreter.flow.mentions import (
    bag_zones,
    secret_members,
    variables_of_end,
)
from ichiba.interpreter.layout import Layout
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_plan.emitted import Digit
from ichiba.interpreter.to_plan.statements import Statements


class Places(Statements):
    """Gives every variable its place before anything is written."""

    def __init__(self, program: ir.Program, layout: Layout, flow: Flow, trace: bool):
        super().__init__(program.world, layout)
        self.program, self.flow, self.trace = program, flow, trace
        self.prepare()
        self.numbers: dict[Piece, int] = {}
        self.searches: list[tuple[str, ir.Aggregate, tuple[ir.Var, ...]]] = []
        self.search_names: dict[object, str] = {}  # by shape
        self.kept: dict[object, str] = {}
        self.owners: dict[Piece, ir.Procedure] = {}
        self.piece_queue: list[Piece] = []
        self.digits: dict[tuple[int, int], list[Digit]] = {}
        self.looks: dict[tuple[int, ...], str] = {}
        self.bag_zones = {
            s.decide.bag: bag_zones(s.decide.set) for s in flow.sites if isinstance(s.decide, ir.ChooseSome)
        }
        self.bag_sets = {s.decide.bag: s.decide.set for s in flow.sites if isinstance(s.decide, ir.ChooseSome)}
        self.reveal_flags: dict[object, int] = {}
        self.snapshots: dict[Member, int] = {}
        self.rule_names: dict[ir.Var, str] = {}
        self.landings: list[tuple[int, ir.Procedure, tuple[tuple[Site, int], ...]]] = []
        self.calls = {id(call): (procedure, inside) for call, procedure, inside in flow.calls}

    def _own(self, variables: list[ir.Var]) -> dict[ir.Var, p.Exp | None]:
        saved: dict[ir.Var, p.Exp | None] = {}
        for var in variables:
            saved[var] = self.names.get(var)
            self.names[var] = p.Name(self.new_name(var.name))
        return saved

    def _restore_all(self, saved: dict[ir.Var, p.Exp | None]) -> None:
        for var, name in saved.items():
            if name is None:
                self.names.pop(var, None)
            else:
                self.names[var] = name

    def _place_variables(self) -> None:
        """A variable of a deciding rule lives in the state unless only one piece knows it."""
        seen: dict[ir.Var, set[object]] = {}
        for piece in self.flow.pieces:
            for var in variables_in(piece.moves):
                seen.setdefault(var, set()).add(piece)
            for var in variables_of_end(piece.end):
                seen.setdefault(var, set()).add(piece)
        for site in self.flow.sites:
            self._site_variables(site, seen)
        for procedure, var in self.flow.returns.items():
            if procedure not in self.flow.sole_calls:
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
                self.names[var] = p.Name(self.new_name(var.name))

    def _site_variables(self, site: Site, seen: dict[ir.Var, set[object]]) -> None:
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
                *(
                    (o.tests, o.label, o.keys, [b.set for b in o.binds], [b.test for b in o.binds])
                    for o in decide.options
                ),
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

    def _open_singly(self) -> None:
        """Where a rule reveals only some places of what a block writes, each place of the block opens by itself."""
        partly: set[Member] = set()
        for shown in (s for one in self.program.procedures for s in steps(one.body) if isinstance(s, ir.Reveal)):
            if shown.zone is not None:
                partly |= set(self.possible_zones(shown.zone))
            elif shown.member is not None and shown.places is not None:
                partly.add(shown.member)
        hidden = hidden_members(self.world)
        for secret in self.flow.secrets:
            members = secret_members(secret, self.flow)
            if partly & set(members):
                self.layout.singly |= set(members) - hidden

    def _place_secrets(self) -> None:
        seats = self.world.config.seats
        self._open_singly()
        for secret in self.flow.secrets:
            variables = [var for var in self._secret_variables(secret) if var in self.layout.slots]
            secret.variables = variables
            secret.exports = []
            secret.places = [self.layout.slot(v) + k for v in variables for k in range(v.width)]
            secret.waiting = self.layout.once((secret, "waiting"), seats, "waiting in secret")
            secret.asked = self.layout.once((secret, "asked"), 1, "asked in secret")
            secret.area = self.layout.once((secret, "area"), seats * max(1, len(secret.places)), "secret answers")
            at = 0
            for var in variables:
                if var.per_seat:
                    self.secret_bases[var] = (secret.area + at, len(secret.places))
                    self.asked_at[var] = secret.asked
                    self.all_asked |= {var} if self._asks_all(secret) else set()
                    secret.exports.append(var)
                    self.reveal_flags[var] = self.layout.once(("revealed", var), 1, f"revealed {var.name}")
                at += var.width
            for member in secret_members(secret, self.flow):
                if member not in self.reveal_flags:
                    flags = member.size // (member.width or 1) if member in self.layout.singly else 1
                    self.reveal_flags[member] = self.layout.once(
                        ("revealed", member), flags, f"revealed {member.full_name}"
                    )
                    self.snapshots[member] = self.layout.once(
                        ("before", member), member.size, f"before {member.full_name}"
                    )
            self.layout.slot(secret.statement.me)

    def _asks_all(self, secret: Secret) -> bool:
        """Whether it is plain that every seat goes through a secret block."""
        seats = secret.statement.seats
        return isinstance(seats, ir.Listed) and {s.value for s in seats.items if isinstance(s, ir.Const)} >= set(
            range(self.world.config.seats)
        )

    def _secret_variables(self, secret: Secret) -> list[ir.Var]:
        """Everything in the state that the body of a secret block works with, procedures included."""
        found: dict[ir.Var, None] = {}
        todo, seen = [secret.entry], set()
        while todo:
            piece = todo.pop()
            if piece in seen:
                continue
            seen.add(piece)
            for var in (*variables_in(piece.moves), *variables_of_end(piece.end)):
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
