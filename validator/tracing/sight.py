"""What reading an expression tells: which hidden places it looks at, and by what way."""

from __future__ import annotations

from dataclasses import dataclass

from ichiba.dsl.faults.source import Span
from ichiba.dsl.program.hiding import counts_whole
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import children, functions_of, walk
from ichiba.dsl.world.world import Member, World, owner_position
from ichiba.validator.tracing.meanings import Meanings, names_of

Shown = frozenset[object]  # members, places of them and secret answers that have been revealed and not changed since
_COUNTS = ("count", "any", "no")


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """One place of a member that has been revealed: the others have not."""

    member: Member
    at: tuple[ir.Exp, ...]

    @property
    def named(self) -> frozenset[ir.Var]:
        """The names that say which place it is."""
        return frozenset(part.var for at in self.at for part in walk(at) if isinstance(part, ir.Use))

    def renamed(self, given: dict[ir.Var, ir.Exp]) -> ShownPlace:
        """The same place, as somebody calls it who knows the parameters by what was given for them."""
        return ShownPlace(self.member, tuple(given.get(a.var, a) if isinstance(a, ir.Use) else a for a in self.at))


@dataclass(frozen=True, slots=True)
class Covered:
    """A member that seats write in the secret block that is running: what others have done there nobody else knows yet."""

    member: Member


@dataclass(frozen=True, slots=True)
class Look:
    """A hidden place that is read, and the values and guards that lead there."""

    what: str
    place: Span | None
    way: tuple[str, ...]

    @property
    def path(self) -> str:
        return " → ".join([*self.way, self.what])


class Sight:
    """Knows what is hidden from whom. Places that are hidden only `when` an option says so count as hidden."""

    def __init__(self, world: World, meanings: Meanings):
        self.world, self.meanings = world, meanings
        self.hidden = {member: who for member in world.members() if (who := _hidden_from(member))}
        self.seen: dict[tuple[str, int, ir.Exp | None, Shown], tuple[object, list[Look]]] = {}

    def looks(self, node: object, seat: ir.Exp | None, shown: Shown = frozenset()) -> list[Look]:
        """What an expression reads that this seat may not see. When it is not known who the seat is, only what nobody sees."""
        return self._once("looks", node, seat, shown)

    def reasons(self, node: object, seat: ir.Exp | None, shown: Shown = frozenset()) -> list[Look]:
        """What the sentences of the guards that an expression asks tell, when they do not hold."""
        return self._once("reasons", node, seat, shown)

    def _once(self, what: str, node: object, seat: ir.Exp | None, shown: Shown) -> list[Look]:
        """A rule that is come to by several ways is looked at once for each that has been revealed by then."""
        key = (what, id(node), seat, shown)
        if key not in self.seen:
            looking = _Looking(self, seat, shown)
            (looking.at if what == "looks" else looking.sentences)(node, {}, ())
            self.seen[key] = node, looking.found  # with the node, so that its id stays its own
        return self.seen[key][1]


Env = dict[ir.Var, tuple[ir.Exp, "Env"]]


class _Looking:
    """One look through an expression and all that it calls."""

    def __init__(self, sight: Sight, seat: ir.Exp | None, shown: Shown):
        self.sight, self.seat, self.shown = sight, seat, shown
        self.found: list[Look] = []
        self.called: set[tuple[object, ...]] = set()
        self.names: set[ir.Var] = set()

    def at(self, node: object, env: Env, way: tuple[str, ...]) -> None:
        match node:
            case ir.Read(member=member, at=at):
                self.reads(member, at, env, way)
            case ir.CountIn(zones=zones, sorts=sorts):
                for zone in zones:
                    if not self.whole(zone, sorts):
                        self.zone(zone, env, way)
            case ir.Aggregate(how=how, set=ir.Pieces(zones=zones, sorts=sorts), value=None) if how in _COUNTS and all(
                self.whole(zone, sorts) for zone in zones
            ):
                return  # how many pieces lie somewhere is known to all
            case ir.Pieces(zones=zones):
                for zone in zones:
                    self.zone(zone, env, way)
            case ir.Only(zone=zone):
                self.zone(zone, env, way)
            case ir.SecretOf(var=var, seat=seat):
                if var not in self.shown and not self.own(seat, env):
                    self.found.append(Look(f"the secret answers `{var.name}`", None, way))
            case ir.CallValue():
                self.calls(node, env, way)
            case ir.Use(var=var) | ir.Kept(var=var):
                self.name(var, env, way)
            case _:  # any other: its parts are looked at
                pass
        for part in children(node):
            self.at(part, env, way)

    def calls(self, call: ir.CallValue, env: Env, way: tuple[str, ...]) -> None:
        for function in functions_of(call.function):
            key = (function, *(self.own(arg, env) for arg in call.args))
            if key in self.called:
                continue
            self.called.add(key)
            inside: Env = {p: (a, env) for p, a in zip(function.params, call.args, strict=False)}
            self.at(function.body, inside, (*way, function.name))

    def sentences(self, node: object, env: Env, way: tuple[str, ...]) -> None:
        """Of each guard that is asked, also by way of others: what stands in the braces of its sentence."""
        for part in walk(node):
            for function in functions_of(part.function) if isinstance(part, ir.CallValue) else ():
                args = part.args if isinstance(part, ir.CallValue) else ()
                key = ("sentence", function, *(self.own(arg, env) for arg in args))
                if key in self.called:
                    continue
                self.called.add(key)
                inside: Env = {p: (a, env) for p, a in zip(function.params, args, strict=False)}
                for told in names_of(function.reason) if function.reason is not None else ():
                    self.at(told, inside, (*way, function.name))
                self.sentences(function.body, inside, (*way, function.name))

    def name(self, var: ir.Var, env: Env, way: tuple[str, ...]) -> None:
        """A name tells what was put into it."""
        if var in env or var in self.names:
            return
        self.names.add(var)
        if var in self.sight.meanings.drawn:
            self.zone(self.sight.meanings.drawn[var], env, (*way, var.name))
        handed = self.sight.meanings.values.get(var, ())
        if var not in self.sight.meanings.assigned and len(handed) != 1:
            return  # handed over in several places, each with names of its own: of that nothing is said
        for value in self.sight.meanings.assigned.get(var, handed):
            self.at(value, env, (*way, var.name))

    def zone(self, zone: ir.Exp, env: Env, way: tuple[str, ...]) -> None:
        while isinstance(zone, ir.Use) and zone.var in env:
            zone, env = env[zone.var]
        if isinstance(zone, ir.ZoneAt):
            self.reads(zone.member, zone.at, env, way)
        elif isinstance(zone, ir.Cond):
            self.zone(zone.yes, env, way)
            self.zone(zone.no, env, way)

    def reads(self, member: Member, at: tuple[ir.Exp, ...], env: Env, way: tuple[str, ...]) -> None:
        who = self.sight.hidden.get(member)
        owner = owner_position(member)
        if Covered(member) in self.shown and owner is not None and not self.own(at[owner], env):
            self.found.append(Look(f"what others do in secret with `{member.name}`", member.span, way))
            return
        if who is None or member in self.shown or self.is_shown(member, at, env):
            return
        if who == "others":
            if self.seat is None or owner is None or self.own(at[owner], env):
                return
        whose = "" if who == "everyone" else " of others"
        self.found.append(Look(f"`{member.name}`{whose}", member.span, way))

    def is_shown(self, member: Member, at: tuple[ir.Exp, ...], env: Env) -> bool:
        """Whether this very place has been revealed."""
        alike = self.sight.meanings.alike
        for known in self.shown:
            if isinstance(known, ShownPlace) and known.member is member:
                if all(alike(_called(a, env), b) for a, b in zip(at, known.at, strict=False)):
                    return True
        return False

    def own(self, seat: ir.Exp, env: Env) -> bool:
        """Whether this is the very seat that decides."""
        return self.seat is not None and self.sight.meanings.alike(_called(seat, env), self.seat)

    def whole(self, zone: ir.Exp, sorts: ir.SortSet) -> bool:
        """Whether all that a zone can hold is counted: that number is open even where the pieces are hidden."""
        covered = isinstance(zone, ir.ZoneAt) and Covered(zone.member) in self.shown
        return not covered and counts_whole(zone, sorts, self.sight.world)


def _called(part: ir.Exp, env: Env) -> ir.Exp:
    """What stands for a parameter where the value was called."""
    while isinstance(part, ir.Use) and part.var in env:
        part, env = env[part.var]
    return part


def _hidden_from(member: Member) -> str:
    """`everyone`, `others`, or nothing. What is screened was seen by all who followed the game."""
    if "face_down" in member.words:
        return "everyone"
    word = member.words.get("hidden")
    if word is None:
        return ""
    if word.name in ("all", "everyone") or word.name != "others" and owner_position(member) is None:
        return "everyone"
    return "others"


__all__ = ["Look", "Shown", "Sight"]
