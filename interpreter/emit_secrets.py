"""Secret blocks: every seat answers in its own time, and others see what was there before."""

from __future__ import annotations

from functools import cached_property

from ichiba.dsl import ir
from ichiba.dsl.effects import steps
from ichiba.dsl.world import Member
from ichiba.interpreter import layout as places
from ichiba.interpreter.emit_options import Options
from ichiba.interpreter.flow import (
    Secret,
)
from ichiba.interpreter.mentions import (
    plain_words,
    secret_members,
)


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
        members = secret_members(secret, self.flow)
        if not self._shown & {*members, *secret.exports}:  # no rule will reveal it: it is real when all have answered
            for member in members:
                self.line(f"S[{self.reveal_flags[member]}] = 0")
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

    def _open_with(self, key: object) -> list[tuple[Member, int]]:
        """What the same secret block has written is real again as well: open, or hidden as it is declared."""
        found: list[tuple[Member, int]] = []
        for secret in self.flow.secrets:
            members = secret_members(secret, self.flow)
            if key in secret.exports or key in members:
                hidden = {m for m in members if _hides(m)}
                found += [(m, 0 if m in hidden else 2) for m in members if m not in hidden & self._shown | {key}]
        return found

    def _status(self, s: ir.Show) -> int:
        """What a reveal makes of its member: open; when it is of one seat only, the others' stay as hidden as declared."""
        if s.member is None:
            return 1
        return 0 if s.at and _hides(s.member) else 2

    @cached_property
    def _shown(self) -> set[object]:
        """Whatever some rule reveals by its name."""
        shows = (s for p in self.program.procedures for s in steps(p.body) if isinstance(s, ir.Show))
        return {s.var if s.var is not None else s.member for s in shows}

    def show(self, s: ir.Show) -> None:
        key: object = s.var if s.var is not None else s.member
        if key in self.reveal_flags:
            self.line(f"S[{self.reveal_flags[key]}] = {self._status(s)}")
            for member, status in self._open_with(key):
                self.line(f"S[{self.reveal_flags[member]}] = {status}")
        elif not self.trace:
            self.line("pass")
        if self.trace:
            if s.var is not None:
                first, stride = self.secret_bases[s.var]
                values = f"[S[{first} + k * {stride}] for k in range({self.world.config.seats})]"
                self.line(f"C.reveal(S, {plain_words(s.var.name)!r}, {values}, {self.kind_ref(s.var.kind)})")
            else:
                assert s.member is not None
                base = self.place(s.member, s.at) if s.at else str(s.member.base)
                size = s.member.width if s.at else s.member.size
                self.line(f"C.reveal_member(S, {s.member.full_name!r}, {base}, {size})")


def _hides(member: Member) -> bool:
    """Whether a word of its own hides a member, be it only sometimes."""
    return not {"hidden", "screened", "face_down"}.isdisjoint(member.words)
