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
from ichiba.interpreter.to_plan.options import Options


class Secrets(Options):
    """Writes what opens, changes hands and closes in a secret block."""

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
            self._set_open(member, None, 1)
        for var in secret.exports:
            self.line(f"S[{self.reveal_flags[var]}] = 0")
        self.line(f"S[{places.SECRET}] = {number}")
        self.line(f"S[{secret.waiting}:{secret.waiting + n}] = {self.table(tuple([0] * n), 'nobody')}")
        seats = self.new_name("seat")
        self.line(f"S[{secret.asked}] = 0")
        self.line(f"for {seats} in {self.listed(secret.statement.seats)}:")
        self.depth += 1
        self.line(f"S[{secret.asked}] |= 1 << {seats}")
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
        members = secret_members(secret, self.flow)
        if not self._shown & {*members, *secret.exports}:  # no rule will reveal it: it is real when all have answered
            for member in members:
                self._set_open(member, None, 0)
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

    # ------------------------------------------------------------------------------------------------ reveal

    @cached_property
    def _shown(self) -> set[object]:
        """Whatever some rule reveals by its name."""
        found: set[object] = set()
        for s in (s for p in self.program.procedures for s in steps(p.body) if isinstance(s, ir.Reveal)):
            found |= set(self.possible_zones(s.zone)) if s.zone is not None else {s.var or s.member}
        return found

    @cached_property
    def _hidden(self) -> frozenset[Member]:
        return hidden_members(self.world)

    def show(self, s: ir.Reveal) -> None:
        """`reveal`: what a block wrote there is real for all from now on, and the log says what lies there."""
        written = len(self.out)
        if s.var is not None:
            self._open_with(s.var, None, s)
            if self.trace:
                first, stride = self.secret_bases[s.var]
                values = f"[S[{first} + k * {stride}] for k in range({self.world.config.seats})]"
                asked = f"S[{self.asked_at[s.var]}]"
                self.line(f"C.reveal(S, {plain_words(s.var.name)!r}, {values}, {self.kind_ref(s.var.kind)}, {asked})")
        elif s.zone is not None:
            self._show_zone(s.zone, s)
        elif s.member is not None:
            self._show_member(s.member, s)
        if len(self.out) == written:
            self.line("pass")

    def _show_member(self, member: Member, s: ir.Reveal) -> None:
        for at in [None] if s.places is None or member not in self.reveal_flags else s.places:
            self._open(member, at, s)
        if self.trace and s.places is None:
            places = f"range({member.base}, {member.base + member.size}, {member.width or 1})"
            self.line(f"C.reveal_member(S, {member.full_name!r}, {places})")
        elif self.trace:
            places = ", ".join(self.place(member, at) for at in s.places or ())
            self.line(f"C.reveal_member(S, {member.full_name!r}, [{places}])")

    def _show_zone(self, zone: ir.Exp, s: ir.Reveal) -> None:
        """A zone that is known only when it happens."""
        place = self.new_name("zone")
        self.line(f"{place} = {self.ex(zone)}")
        for member in dict.fromkeys(self.possible_zones(zone)):
            if member in self.reveal_flags:
                for at in indexes(member):
                    self.line(f"if {place} == {member.place(at)}:")
                    self.depth += 1
                    self._open(member, tuple(ir.Const(value, NUMBER) for value in at), s)
                    self.depth -= 1
        if self.trace:
            self.line(f"C.reveal_zone(S, {place})")

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
            self.line(f"S[{self.reveal_flags[key]}] = 1")
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
                    new = [p for p in procedures_of(node.procedure) if p not in seen and p.body is not None]
                    seen.update(new)
                    todo += [p.body for p in new if p.body is not None]
        return False

    def _set_open(self, member: Member, at: tuple[ir.Exp, ...] | None, status: int) -> None:
        first = self.reveal_flags[member]
        if member not in self.layout.singly:
            self.line(f"S[{first}] = {status}")
        elif at is None:
            self._set_all(member, status)
        else:
            self.line(f"S[{self._place(member, at, first, 1)}] = {status}")

    def _set_open_of(self, member: Member, owner: ir.Exp | None) -> None:
        """All places of a member, or those of one seat."""
        position = owner_position(member)
        if owner is None or position is None or member not in self.layout.singly:
            self._set_open(member, None, 2)
        else:
            seat = self.new_name("owner")
            self.line(f"{seat} = {self.ex(owner)}")
            for at in indexes(member):
                self.line(f"if {seat} == {at[position]}: S[{self.layout.open_flag(member, member.place(at))}] = 2")

    def _set_all(self, member: Member, status: int) -> None:
        first = self.reveal_flags[member]
        for place in range(first, first + member.size // (member.width or 1)):
            self.line(f"S[{place}] = {status}")
