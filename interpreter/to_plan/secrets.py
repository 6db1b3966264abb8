"""Secret blocks: every seat answers in its own time, and others see what was there before."""

from __future__ import annotations

from functools import cached_property

from ichiba.dsl.program.hiding import hidden_members
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of, steps
from ichiba.dsl.world.kinds import NUMBER
from ichiba.dsl.world.world import Member, indexes, owner_position
from ichiba.interpreter import layout as places
from ichiba.interpreter.flow.flow import (
    Secret,
)
from ichiba.interpreter.flow.mentions import (
    plain_words,
    secret_members,
)
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.options import Options


class Secrets(Options):
    """Writes what opens, changes hands and closes in a secret block."""

    def _secret(self, secret: Secret) -> None:
        """Every seat goes to its first question; then they are asked from the lowest on."""
        number, n = self.flow.secrets.index(secret), self.world.config.seats
        me = self.layout.slot(secret.statement.me)
        self.define(f"enter_{secret.site.number}", [p.S, p.C])
        for member in secret_members(secret, self.flow):
            kept, size = self.snapshots[member], member.size
            self.line("S[{}:{}] = S[{}:{}]", kept, kept + size, member.base, member.base + size)
            self._set_open(member, None, 1)
        for var in secret.exports:
            self.line("S[{}] = 0", self.reveal_flags[var])
        self.line("S[{}] = {}", places.SECRET, number)
        self.line("S[{}:{}] = {}", secret.waiting, secret.waiting + n, self.table(tuple([0] * n), "nobody"))
        seat = p.Name(self.new_name("seat"))
        self.line("S[{}] = 0", secret.asked)
        self.line("for {} in {}:", seat, self.listed(secret.statement.seats))
        self.depth += 1
        self.line("S[{}] |= 1 << {}", secret.asked, seat)
        self.line("S[{}] = {}", me, seat)
        first = self.piece_number(secret.entry)
        self.line("S[{}] = max(0, to_question(S, C, {}) + 1)", place([seat, secret.waiting]), first)
        self._lay_back(secret, seat)
        self.depth -= 1
        self.line("S[{}] = 0", places.LOADED)
        self.line("return {}(S)", f"next_{number}")
        self.end()
        self._secret_next(secret, number, n)
        self._secret_load(secret, number, me)

    def _secret_next(self, secret: Secret, number: int, n: int) -> None:
        """The lowest seat that has still to answer, or on when all have."""
        self.define(f"next_{number}", [p.S])
        self.line("for seat in range({}):", n)
        self.depth += 1
        self.line("if S[{} + seat]: return {}(S, seat)", secret.waiting, f"load_{number}")
        self.depth -= 1
        members = secret_members(secret, self.flow)
        if not self._shown & {*members, *secret.exports}:  # no rule will reveal it: it is real when all have answered
            for member in members:
                self._set_open(member, None, 0)
        self.line("return {}", self.piece_number(secret.after))
        self.end()
        self.define(f"done_{number}", [p.S])
        self.line("seat = S[{}] - 1", places.LOADED)
        self._lay_back(secret, p.Name("seat"))
        self.line("S[{} + seat] = 0", secret.waiting)
        self.line("S[{}] = 0", places.LOADED)
        self.line("return {}(S)", f"next_{number}")
        self.end()

    def _secret_load(self, secret: Secret, number: int, me: int) -> None:
        """Loads this seat's answers; those of the seat before are put back first."""
        seat = p.Name("seat")
        self.define(f"load_{number}", [p.S, seat])
        self.line("old = S[{}] - 1", places.LOADED)
        self.line("if old == seat: return S[{}]", places.PC)
        self.line("if old >= 0:")
        self.depth += 1
        self.line("S[{} + old] = S[{}] + 1", secret.waiting, places.PC)
        self._lay_back(secret, p.Name("old"))
        self.depth -= 1
        self.line("S[{}] = seat + 1", places.LOADED)
        self.line("S[{}] = seat", me)
        size = len(secret.places)
        if size:
            self.line("a = {}", self._area(secret, seat))
        if size and self._contiguous(secret.places):
            self.line("S[{}:{}] = S[a:a + {}]", secret.places[0], secret.places[0] + size, size)
        elif size:
            self.line("for k, p in enumerate({}): S[p] = S[a + k]", self.table(tuple(secret.places), "secret_places"))
        self.line("S[{}] = S[{} + seat] - 1", places.PC, secret.waiting)
        self.line("return S[{}]", places.PC)
        self.end()

    def _contiguous(self, found: list[int]) -> bool:
        return bool(found) and found == list(range(found[0], found[0] + len(found)))

    def _area(self, secret: Secret, seat: p.Exp) -> p.Exp:
        size = len(secret.places)
        return place([secret.area, p.Op("*", seat, p.Num(size)) if size > 1 else seat])

    def _lay_back(self, secret: Secret, seat: p.Exp) -> None:
        """The answers at work go back to where this seat's answers lie."""
        size = len(secret.places)
        if not size:
            self.line("pass")
            return
        self.line("a = {}", self._area(secret, seat))
        if self._contiguous(secret.places):
            self.line("S[a:a + {}] = S[{}:{}]", size, secret.places[0], secret.places[0] + size)
        else:
            self.line("for k, p in enumerate({}): S[a + k] = S[p]", self.table(tuple(secret.places), "secret_places"))

    # ------------------------------------------------------------------------------------------------ reveal

    @cached_property
    def _shown(self) -> set[object]:
        """Whatever some rule reveals by its name."""
        found: set[object] = set()
        for s in (s for one in self.program.procedures for s in steps(one.body) if isinstance(s, ir.Reveal)):
            found |= set(self.possible_zones(s.zone)) if s.zone is not None else {s.var or s.member}
        return found

    @cached_property
    def _hidden(self) -> frozenset[Member]:
        return hidden_members(self.world)

    def show(self, s: ir.Reveal) -> None:
        """`reveal`: what a block wrote there is real for all from now on, and the log says what lies there."""
        written = len(self.out.lines)
        if s.var is not None:
            self._open_with(s.var, None, s)
            if self.trace:
                first, stride = self.secret_bases[s.var]
                values = say("[S[{} + k * {}] for k in range({})]", first, stride, self.world.config.seats)
                told = [p.Word(plain_words(s.var.name)), values, self.kind_ref(s.var.kind), p.Cell(p.Num(self.asked_at[s.var]))]
                self.line("C.reveal(S, {*})", told)
        elif s.zone is not None:
            self._show_zone(s.zone, s)
        elif s.member is not None:
            self._show_member(s.member, s)
        if len(self.out.lines) == written:
            self.line("pass")

    def _show_member(self, member: Member, s: ir.Reveal) -> None:
        for at in [None] if s.places is None or member not in self.reveal_flags else s.places:
            self._open(member, at, s)
        if self.trace and s.places is None:
            there = say("range({}, {}, {})", member.base, member.base + member.size, member.width or 1)
            self.line("C.reveal_member(S, {}, {})", p.Word(member.full_name), there)
        elif self.trace:
            those = [self.place(member, at) for at in s.places or ()]
            self.line("C.reveal_member(S, {}, [{*}])", p.Word(member.full_name), those)

    def _show_zone(self, zone: ir.Exp, s: ir.Reveal) -> None:
        """A zone that is known only when it happens."""
        here = self.new_name("zone")
        self.line("{} = {}", here, self.ex(zone))
        for member in dict.fromkeys(self.possible_zones(zone)):
            if member in self.reveal_flags:
                for at in indexes(member):
                    self.line("if {} == {}:", here, member.place(at))
                    self.depth += 1
                    self._open(member, tuple(ir.Const(value, NUMBER) for value in at), s)
                    self.depth -= 1
        if self.trace:
            self.line("C.reveal_zone(S, {})", here)

    def _open(self, member: Member, at: tuple[ir.Exp, ...] | None, s: ir.Reveal) -> None:
        """One place of a member, or all of them."""
        if member not in self.reveal_flags:
            return
        if member not in self._hidden:
            self._set_open(member, at, 2)
        elif not any(self._is_within(s, secret) for secret in self.flow.secrets):
            self._set_open(member, None, 0)  # as hidden as declared; what is named the log shows until the next answer
        owner = owner_position(member)
        self._open_with(member, None if at is None or owner is None else at[owner], s)

    def _open_with(self, key: object, owner: ir.Exp | None, s: ir.Reveal) -> None:
        """What the same block has written is real again as well, of that seat or of all: open, or hidden as declared.
        While the block is running only what is named is opened."""
        if isinstance(key, ir.Var) and key in self.reveal_flags:
            self.line("S[{}] = 1", self.reveal_flags[key])
        for secret in self.flow.secrets:
            members = secret_members(secret, self.flow)
            if (key in secret.exports or key in members) and not self._is_within(s, secret):
                for member in members:
                    if member in self._hidden:
                        self._set_open(member, None, 0)
                    else:
                        self._set_open_of(member, owner)

    def _is_within(self, s: ir.Reveal, secret: Secret) -> bool:
        """Whether this is done inside of a secret block."""
        todo, seen = [secret.statement.body], set[ir.Procedure]()
        while todo:
            for node in steps(todo.pop()):
                if node is s:
                    return True
                if isinstance(node, ir.Perform):
                    new = [one for one in procedures_of(node.procedure) if one not in seen and one.body is not None]
                    seen.update(new)
                    todo += [one.body for one in new if one.body is not None]
        return False

    def _set_open(self, member: Member, at: tuple[ir.Exp, ...] | None, status: int) -> None:
        first = self.reveal_flags[member]
        if member not in self.layout.singly:
            self.line("S[{}] = {}", first, status)
        elif at is None:
            self._set_all(member, status)
        else:
            self.line("S[{}] = {}", self._place(member, at, first, 1), status)

    def _set_open_of(self, member: Member, owner: ir.Exp | None) -> None:
        """All places of a member, or those of one seat."""
        position = owner_position(member)
        if owner is None or position is None or member not in self.layout.singly:
            self._set_open(member, None, 2)
        else:
            seat = self.new_name("owner")
            self.line("{} = {}", seat, self.ex(owner))
            for at in indexes(member):
                self.line("if {} == {}: S[{}] = 2", seat, at[position], self.layout.open_flag(member, member.place(at)))

    def _set_all(self, member: Member, status: int) -> None:
        first = self.reveal_flags[member]
        for flag in range(first, first + member.size // (member.width or 1)):
            self.line("S[{}] = {}", flag, status)
