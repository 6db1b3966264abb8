"""Checks `sees:` of a scenario: what a seat's view shows, and what it hides. Only that view is looked at.

    sees:
      2: {my.hand: [tea, rice], seat(1).hand: {hidden: 2}, seat(1).cash: hidden, eel.marker: 13}
      spectator: {count of seat(1).hand: 2, bid of seat(2): ¥300}

On the left stands a place, or several, named as `reveal` names them (`my` is of the seat that looks); `count of` a zone;
or a secret answer, `bid of seat(2)`. On the right stands what is seen there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from ichiba.dsl.faults.fault import Fault, Faults, RulesetFaults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.meaning.wanted import exp
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps
from ichiba.dsl.statements.revealing import revealed
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_expression
from ichiba.dsl.world.kinds import SEAT, Kind
from ichiba.dsl.world.world import Member, indexes
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.sight.views import HIDDEN, pieces_in_view, value_in_view

SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Sight:
    """One line of `sees:`: of whom, what is looked at, and what is seen there."""

    seat: int | None  # None: a spectator
    place: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A line of `sees:` that does not hold, and why."""

    span: Span
    message: str
    expected: str = ""
    found: str = ""


@dataclass(slots=True)
class ViewChecker:
    """Checks lines of `sees:` against the view of one seat."""

    game: Game
    seat: int | None
    view: dict[str, Any]
    named: list[tuple[str, bool]] = field(default_factory=list)  # what was looked at, and whether it was seen

    def check(self, sight: Sight) -> Mismatch | None:
        """None where the line holds."""
        faults = Faults()
        try:
            node = parse_expression(sight.place.text, faults)
            faults.raise_if_errors()
            return self._check_place(cast(t.Expr, node), sight, faults)
        except RulesetFaults as found:
            wrong: Fault | None = next((f for f in found.faults if f.severity == "error"), None)
            message = "this is no place" if wrong is None else wrong.message + (f" ({wrong.label})" if wrong.label else "")
            return Mismatch((wrong.span if wrong is not None else None) or sight.place.span, message)

    def _check_place(self, node: t.Expr, sight: Sight, faults: Faults) -> Mismatch | None:
        if isinstance(node, t.Of) and node.name in secret_names(self.game):
            seat = self._constant(node.arg, faults, SEAT)
            return self._compare_values(sight, [(node.name, self._secret_answer(node.name, seat))], None)
        counted = isinstance(node, t.Aggregate) and node.how == "count"
        place = node.what if isinstance(node, t.Aggregate) and counted else node
        places = list(self.places(place, faults))
        if not places:
            return Mismatch(sight.place.span, "there is no such place in this game")
        try:
            seen = [(member.full_name, value_in_view(self.game, self.view, member, at)) for member, at in places]
        except KeyError:  # an unlimited supply
            return Mismatch(sight.place.span, "no view ever holds this")
        if counted:
            if any(member.form != "zone" for member, _ in places):
                return Mismatch(sight.place.span, "only what lies in zones is counted", "like `count of seat(1).hand`")
            sizes = [_seen_size(value) for _, value in seen]
            total = HIDDEN if None in sizes else sum(cast("list[int]", sizes))
            return self._compare_values(sight, [("count", total)], None)
        return self._compare_values(sight, seen, places[0][0])

    def places(self, node: t.Expr, faults: Faults) -> Iterator[tuple[Member, tuple[int, ...]]]:
        """The places that an expression names: `seat(1).hand` is one, `eel.marker` too, `my.hand` that of who looks."""
        c = self.game.context
        c.tell(faults)
        me = None if self.seat is None else ir.Const(self.seat - 1, SEAT)
        shown = revealed(c, node, Env({}, me, None), node.span)
        faults.raise_if_errors()
        for show in shown:
            if not isinstance(show, ir.Reveal) or show.member is None:
                faults.add("E302", node.span, "say which place is meant: none is worked out here")
                faults.raise_if_errors()
                return
            if show.places is None:
                yield from ((show.member, at) for at in indexes(show.member))
            for named in show.places or ():
                yield show.member, tuple(self._number(part, node, faults) for part in named)

    def _number(self, part: ir.Exp, node: t.Expr, faults: Faults) -> int:
        if not isinstance(part, ir.Const):
            faults.add("E302", node.span, "say whose place is meant: nothing is worked out here", label="like `seat(2).hand`")
            faults.raise_if_errors()
        return cast(ir.Const, part).value

    def _constant(self, node: t.Expr, faults: Faults, kind: Kind) -> int:
        c = self.game.context
        c.tell(faults)
        me = None if self.seat is None else ir.Const(self.seat - 1, SEAT)
        value = exp(c, node, Env({}, me, None), kind)
        faults.raise_if_errors()
        return self._number(value, node, faults)

    def _secret_answer(self, name: str, seat: int) -> object:
        """What the log of the view has shown last of a secret answer; the own one is known to who gave it."""
        value: object = HIDDEN
        for item in self.view["log"]:
            if item["event"] == "reveal" and item["what"] == name:
                value = item["values"].get(str(seat + 1), HIDDEN)
            elif item["event"] == "decision" and item["seat"] == seat + 1 and item["key"].startswith(f"{name}/"):
                value = _number_or_word(item["key"].removeprefix(f"{name}/"))
        return value

    # ------------------------------------------------------------------------------------------ comparing

    def _compare_values(self, sight: Sight, seen: list[tuple[str, object]], member: Member | None) -> Mismatch | None:
        """What was seen, by the name of its place, against what the line says: `hidden`, `{hidden: 2}`, or a value."""
        values = [value for _, value in seen]
        shut = [_is_hidden(value) for value in values]
        self.named += [(name, not hidden) for (name, _), hidden in zip(seen, shut, strict=True)]
        wanted = sight.value
        if isinstance(wanted, Scalar) and wanted.value == HIDDEN:
            return None if all(shut) else self._mismatch(sight, HIDDEN, values)
        if isinstance(wanted, Map) and wanted.keys() == [HIDDEN]:
            number = wanted.entries[0][1]
            sizes = [_seen_size(value) for value in values]
            right = all(shut) and None not in sizes and isinstance(number, Scalar)
            if right and cast(Scalar, number).value == sum(cast("list[int]", sizes)):
                return None
            in_all: list[object] = [{HIDDEN: sum(cast("list[int]", sizes))}] if all(shut) and None not in sizes else values
            return self._mismatch(sight, f"{cast(Any, number).value} that are hidden", in_all)
        if any(shut):
            return self._mismatch(sight, _node_as_text(wanted), values)
        if member is not None and member.form == "zone":
            return self._compare_pieces(sight, member, cast("list[dict[str, object]]", values))
        if not isinstance(wanted, Scalar):
            return Mismatch(wanted.span, "one value is seen there, no list")
        value = self._as_in_view(wanted, member)
        return None if all(v == value for v in values) else self._mismatch(sight, _node_as_text(wanted), values)

    def _as_in_view(self, wanted: Scalar, member: Member | None) -> object:
        """A value of the scenario as a view writes it: amounts as numbers, seats by their number, the rest by name."""
        if not isinstance(wanted.value, str):
            return wanted.value
        kind = member.kind if member is not None else None
        if wanted.value == "none":
            return None
        faults = Faults()
        node = parse_expression(wanted.text, faults)
        if node is not None and not faults.errors:
            c = self.game.context
            c.tell(faults)
            found = c.meaning(c, node, Env({}, None, None), kind)
            if isinstance(found, ir.EXP_CLASSES) and isinstance(found, ir.Const) and not faults.errors:
                return self.game.words.plain(found.value, found.kind)
        return wanted.value

    def _compare_pieces(self, sight: Sight, member: Member, seen: list[dict[str, object]]) -> Mismatch | None:
        """What lies in a zone, or in several together, against the line: each piece by its name, or by that of its sort."""
        wanted = _wanted_pieces(sight.value)
        if wanted is None:
            return Mismatch(sight.value.span, "say what lies there", "like `[tea, tea, rice]`, `{tea: 2}`, `[]` or `{hidden: 3}`")
        unknown = next((name for name in wanted if not self._is_piece(name, member)), None)
        if unknown is not None:
            known = [self.game.world.name_of(sort, Kind("sort")) for sort in member.sorts]
            hint = nearest(unknown, known)
            return Mismatch(sight.value.span, f"no {member.kind.name} is called `{unknown}`" + (f"; did you mean `{hint}`?" if hint else ""))
        left: Counter[str] = Counter()
        for content in seen:
            for name, number in content.items():
                if isinstance(number, int):
                    left[name] += number
                else:
                    sort = pieces_in_view(self.game)[name]
                    left[name if wanted[name] else sort] += 1
        if "ordered" in member.words and isinstance(sight.value, Seq) and len(seen) == 1:
            said = [str(cast(Scalar, item).value) for item in sight.value.items]
            if left == +wanted and said != [n if n in wanted else pieces_in_view(self.game)[n] for n in seen[0]]:
                return self._mismatch(sight, _node_as_text(sight.value), list(seen))
        return None if left == +wanted else self._mismatch(sight, _node_as_text(sight.value), list(seen))

    def _is_piece(self, name: str, member: Member) -> bool:
        sort = pieces_in_view(self.game).get(name, name).partition("/")[0]
        return any(self.game.world.name_of(s, Kind("sort")) == sort for s in member.sorts)

    def _mismatch(self, sight: Sight, expected: str, values: list[object]) -> Mismatch:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        place = " ".join(str(sight.place.value).split())
        found = ", ".join(dict.fromkeys(_value_as_text(value) for value in values))
        return Mismatch(sight.value.span, f"{who} sees something else", f"{place} = {expected}", f"{place} = {found}")


def secret_names(game: Game) -> set[str]:
    """What seats answer in secret and some rule reveals."""
    shows = (s for p in game.program.procedures for s in steps(p.body) if isinstance(s, ir.Reveal))
    return {s.var.name for s in shows if s.var is not None}


def _is_hidden(value: object) -> bool:
    return value == HIDDEN or isinstance(value, dict) and HIDDEN in value


def _seen_size(value: object) -> int | None:
    """How many pieces lie in a zone; None where that is not seen."""
    if not isinstance(value, dict):
        return None
    return sum(number if isinstance(number, int) else 1 for number in value.values())


def _wanted_pieces(node: Node) -> Counter[str] | None:
    """`[tea, tea, rice]`, `{tea: 2, rice: 1}` or `tea`."""
    match node:
        case Seq(items=items) if all(isinstance(item, Scalar) for item in items):
            return Counter(str(cast(Scalar, item).value) for item in items)
        case Map(entries=entries) if all(isinstance(v, Scalar) and type(v.value) is int for _, v in entries):
            return Counter({str(key.value): cast(int, cast(Scalar, value).value) for key, value in entries})
        case Scalar(value=str(word)):
            return Counter([word])
        case _:
            return None


def _number_or_word(text: str) -> object:
    return int(text) if text.lstrip("-").isdigit() else text


def _node_as_text(node: Node) -> str:
    match node:
        case Scalar(value=value):
            return _value_as_text(value)
        case Seq(items=items):
            return ", ".join(_node_as_text(item) for item in items) or "nothing"
        case Map(entries=entries):
            return ", ".join(f"{_node_as_text(value)} {key.value}" for key, value in entries) or "nothing"


def _value_as_text(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case {"hidden": number}:
            return f"{number} that are hidden"
        case dict():
            parts = (f"{number} {name}" if isinstance(number, int) else name for name, number in value.items())
            return ", ".join(parts) or "nothing"
        case _:
            return str(value)


__all__ = ["SPECTATOR", "Mismatch", "Sight", "ViewChecker", "secret_names"]
