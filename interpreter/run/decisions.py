"""What a seat may choose: options with keys and labels, made only when somebody looks; and why not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from threading import get_ident
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.kinds import NUMBER, Kind
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.layout import bag_sorts
from ichiba.interpreter.run.distinct import held_apart, may_share
from ichiba.interpreter.runtime.runtime import left
from ichiba.interpreter.runtime.sharing import in_turn, turn

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

MOST_SPELLED = 50_000  # keys that are remembered


class IllegalMove(Exception):
    """An answer that the rules do not allow; the message says which requirement fails."""


def is_number(value: object) -> bool:
    """A whole number, and nothing that only equals one: True does, and 1.0."""
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Option:
    """One answer. The key is for programs and logs, the label for people."""

    decision: Decision
    index: int
    code: int

    @property
    def key(self) -> str:
        return self.decision.key_of(self.code)

    @property
    def label(self) -> str:
        return self.decision.label_of(self.code)

    def __repr__(self) -> str:
        return f"Option({self.key!r})"


Rest = ParamSpec("Rest")
Found = TypeVar("Found")


def once_counted(work: Callable[Concatenate[Decision, Rest], Found]) -> Callable[Concatenate[Decision, Rest], Found]:
    """All words and keys of one decision together may take so many steps as one answer."""

    @wraps(work)
    def counted(decision: Decision, /, *given: Rest.args, **named: Rest.kwargs) -> Found:
        with turn.lock:
            if decision.counting:
                return work(decision, *given, **named)
            me = get_ident()
            before, left[me], decision.counting = left.get(me, decision.table.game.fuel), decision.left, True
            try:
                return work(decision, *given, **named)
            finally:
                decision.left, left[me], decision.counting = left[me], before, False

    return counted


class Decision:
    """A question that one seat has to answer."""

    __slots__ = ("_options", "codes", "counting", "left", "seat_index", "site", "table")

    def __init__(self, table: Table, site: Site, seat_index: int, codes: Any):
        self.table, self.site, self.seat_index, self.codes = table, site, seat_index, codes
        self._options: list[Option] | None = None
        self.left, self.counting = table.game.fuel, False  # the steps that are left for its words

    @property
    def seat(self) -> int:
        return self.seat_index + 1

    @property
    def secret(self) -> bool:
        return self.site.secret is not None

    @property
    def name(self) -> str:
        return self.site.decide.name

    @property
    def question(self) -> str:
        """Which question of the rules this is: `turn.action`, the menu `action` of the procedure `turn`; whatever variables are called."""
        return self.table.game.name_of_question(self.site)

    @property
    def options(self) -> list[Option]:
        if self._options is None:
            if may_share(self.table.game, self.site):
                self.keys()
            self._options = [Option(self, index, code) for index, code in enumerate(self.codes)]
        return self._options

    @property
    @once_counted
    def prompt(self) -> str:
        decide = self.site.decide
        assert not isinstance(decide, ir.Secret)
        return self.table.game.explainer.words(
            ("prompt", self.site.number), decide.prompt, (), self.table.state_for(self.seat_index)
        )

    @property
    @once_counted
    def path(self) -> str:
        return self.table.path_of(self.site, self.table.state_for(self.seat_index))

    @once_counted
    def key_of(self, code: int) -> str:
        return self.table.game.explainer.key(self.site, code, self.table.state_for(self.seat_index))

    @once_counted
    def label_of(self, code: int) -> str:
        return self.table.game.explainer.label(self.site, code, self.table.state_for(self.seat_index))

    @once_counted
    def keys(self) -> list[str]:
        state = self.table.state_for(self.seat_index)
        keys = [self.table.game.explainer.key(self.site, code, state) for code in self.codes]
        if may_share(self.table.game, self.site):
            held_apart(self.table.game, self.site, self.codes, keys, state)
        return keys

    def __repr__(self) -> str:
        return f"Decision(seat={self.seat}, {self.name!r}, {len(self.codes)} options)"


class Explainer:
    """Spells options and reasons: Python for them is written when first asked for."""

    def __init__(self, game: Game):
        self.game = game
        self.compiled: dict[object, Any] = {}
        self.spelled: dict[tuple[int, int], str] = {}

    # --------------------------------------------------------------------------------------- decoding

    def decode(self, site: Site, code: int) -> tuple[int, list[int]]:
        """Which option, and the values of its binders."""
        decide = site.decide
        assert isinstance(decide, ir.Decide)
        count = len(decide.options)
        number, rest = (code % count, code // count) if count > 1 else (0, code)
        option = decide.options[number]
        values = [0] * len(option.binds)
        digits = self.game.emitted.digits[(site.number, number)]
        for place, digit in enumerate(digits):
            if place == len(digits) - 1:
                values[digit.bind] = rest + digit.low
            else:
                values[digit.bind] = rest % digit.width + digit.low
                rest //= digit.width
        return number, values

    def key(self, site: Site, code: int, state: list[int]) -> str:
        decide = site.decide
        if isinstance(decide, ir.ChooseSome):
            return f"{decide.name}/{self.bag_sort(site, state)}/{code}"
        known = self.spelled.get((site.number, code))
        if known is not None:
            return known
        assert isinstance(decide, ir.Decide)
        number, values = self.decode(site, code)
        option = decide.options[number]
        if option.keys is not None:  # worked out anew: it may hang on the state
            spell = self.game.words.key
            parts = []
            for at, key in enumerate(option.keys):
                value = self.value(("key", site.number, number, at), key, option.binds, state, values)
                parts.append(spell(value, key.kind))
            return "/".join([option.key, *parts])
        own = "/".join([option.key, *filter(None, map(self._bind_key, option.binds, values))])
        if len(self.spelled) >= MOST_SPELLED:
            self.spelled.clear()
        self.spelled[site.number, code] = own
        return own

    def _bind_key(self, bind: ir.Bind, value: int) -> str:
        kind = bind.var.kind
        if isinstance(bind.set, ir.Combos):
            from ichiba.interpreter.runtime.runtime import unpack

            return "+".join(self.game.words.key(v, bind.set.kind.of or kind) for v in unpack(value))
        return self.game.words.key(value, kind)

    def label(self, site: Site, code: int, state: list[int]) -> str:
        decide = site.decide
        if isinstance(decide, ir.ChooseSome):
            return f"{code} × {self.game.words.show(self._bag_sort_number(site, state), Kind('sort'))}"
        assert isinstance(decide, ir.Decide)
        number, values = self.decode(site, code)
        option = decide.options[number]
        return self.words(("label", site.number, number), option.label, option.binds, state, values)

    def bag_sort(self, site: Site, state: list[int]) -> str:
        sort = self.game.world.sorts[self._bag_sort_number(site, state)]
        return sort.key or sort.full_name

    def _bag_sort_number(self, site: Site, state: list[int]) -> int:
        decide = site.decide
        assert isinstance(decide, ir.ChooseSome) and site.bag_at is not None
        return bag_sorts(self.game.world, decide.bag)[state[self.game.layout.slots[site.bag_at]]]

    # ----------------------------------------------------------------------------- values at run time

    @in_turn
    def value(self, key: object, e: ir.Exp, binds: tuple[ir.Bind, ...], state: list[int], values: list[int]) -> int:
        made = self.compiled.get(key)
        if made is None:
            made = self.compiled[key] = self.game.compile_expression(e, [bind.var for bind in binds])
        return int(made(state, *values))

    @in_turn
    def words(
        self,
        key: object,
        label: ir.Label,
        binds: tuple[ir.Bind, ...],
        state: list[int],
        values: list[int] | None = None,
    ) -> str:
        made = self.compiled.get(key)
        if made is None:
            parts: list[tuple[Any, Any]] = []
            for part in self.game.translated(key, label).parts:
                if isinstance(part, str):
                    parts.append((part, None))
                else:
                    parts.append((self.game.compile_expression(part, [bind.var for bind in binds]), part))
            made = self.compiled[key] = parts
        out = []
        for part, kind in made:
            if kind is None:
                out.append(part)
                continue
            value = part(state, *(values or ()))
            if isinstance(value, list | tuple):
                element = kind.set.kind.of or kind.kind
                out.append(", ".join(self.game.words.show(v, element) for v in value))
            else:
                out.append(self.game.words.show(int(value), kind.kind))
        return "".join(out)

    # ------------------------------------------------------------------------------------------ why not

    @in_turn
    def find(self, site: Site, key: str, state: list[int]) -> list[tuple[int, list[int]]]:
        """All options, legal or not, that a key could mean: the product of the declared domains."""
        decide = site.decide
        assert isinstance(decide, ir.Decide)
        found: list[tuple[int, list[int]]] = []
        for number, option in enumerate(decide.options):
            if key == option.key or key.startswith(option.key + "/"):
                rest = key[len(option.key) + 1 :].split("/") if key != option.key else []
                found.extend((number, values) for values in self._values(site, number, option, rest, state))
        return found

    def _values(
        self, site: Site, number: int, option: ir.Option, rest: list[str], state: list[int], upto: int | None = None
    ) -> list[list[int]]:
        """What the binders stand for, or the first ones of them."""
        partial: list[list[int]] = [[]]
        for at, bind in enumerate(option.binds[:upto]):
            further: list[list[int]] = []
            for values in partial:
                for value in self._candidates(bind, option, at, rest, state, values):
                    if option.keys is None and at < len(rest) and self._bind_key(bind, value) != rest[at]:
                        continue
                    further.append([*values, value])
            partial = further[:5000]
        if option.keys is None:
            return partial if upto is not None or len(rest) == len(option.binds) else []
        spelled = "/".join([option.key, *rest])
        return [v for v in partial if self._spelled(site, number, option, v, state) == spelled]

    def _spelled(self, site: Site, number: int, option: ir.Option, values: list[int], state: list[int]) -> str | None:
        """The key of an option; None where these values have none, such as the far end of a line from elsewhere."""
        assert option.keys is not None
        parts = []
        for at, key in enumerate(option.keys):
            try:
                value = self.value(("key", site.number, number, at), key, option.binds, state, values)
                parts.append(self.game.words.key(value, key.kind))
            except (LookupError, TypeError):  # nothing is there, or a table has no such row
                return None
        return "/".join([option.key, *parts])

    def _candidates(
        self, bind: ir.Bind, option: ir.Option, at: int, rest: list[str], state: list[int], values: list[int]
    ) -> list[int]:
        """What a binder could stand for: a number as it is written, so that one out of its range is told why."""
        if bind.var.kind.form == "number" and isinstance(bind.set, ir.Span_) and option.keys is None and at < len(rest):
            return [int(rest[at])] if re.fullmatch(r"-?\d{1,9}", rest[at]) else []
        return self._domain(bind, option.binds[:at], state, values)

    def _domain(self, bind: ir.Bind, before: tuple[ir.Bind, ...], state: list[int], values: list[int]) -> list[int]:
        """Everything of the binder's kind where that is finite; else what its set gives."""
        whole = bind.set
        while isinstance(whole, ir.Filtered):
            whole = whole.set
        if bind.var.kind.form in ("seat", "enum", "sort", "thing") and not isinstance(whole, ir.Pieces):
            return list(self.game.world.values(bind.var.kind))
        made = self.compiled.get(("domain", id(bind)))
        if made is None:
            made = self.compiled[("domain", id(bind))] = self.game.compile_set(whole, [b.var for b in before])
        return list(made(state, *values))

    @in_turn
    def first_unmet(self, site: Site, number: int, values: list[int], state: list[int]) -> tuple[int, str] | None:
        """The first requirement, in written order, that an option does not meet, after how many that it does."""
        decide = site.decide
        assert isinstance(decide, ir.Decide)
        option = decide.options[number]
        for at, bind in enumerate(option.binds):
            before = option.binds[:at]
            made = self.compiled.get(("set", id(bind)))
            if made is None:
                made = self.compiled[("set", id(bind))] = self.game.compile_set(bind.set, [b.var for b in before])
            shown = self._told(values[at], bind.var.kind)
            domain = list(made(state, *values[:at]))
            if values[at] not in domain:
                if isinstance(bind.set, ir.Span_) and domain:
                    return at, self._range(bind, domain)
                return at, f"{shown} is not among what can be chosen for `{option.name}`"
            if bind.test is not None and not self.value(
                ("where", id(bind)), bind.test, option.binds[: at + 1], state, values[: at + 1]
            ):
                return at, self._reason(
                    bind.test,
                    bind.span,
                    f"{shown} does not fit `{option.name}`",
                    option.binds[: at + 1],
                    state,
                    values[: at + 1],
                )
        for at, demand in enumerate(option.tests):
            if not self.value(("test", site.number, number, at), demand.test, option.binds, state, values):
                reason = self.demand(("test", site.number, number, at), demand, option, state, values)
                return len(option.binds) + at, reason
        return None

    def _told(self, value: int, kind: Kind) -> str:
        """A value by its name; where that is a mere number, `lot 1`."""
        shown = self.game.words.show(value, kind)
        return f"{kind.name.replace('_', ' ')} {shown}" if kind.form == "thing" and shown.isdigit() else shown

    @in_turn
    def no_answer(self, site: Site, key: str, keys: list[str], state: list[int]) -> str:
        """What is wrong with a key that no option could ever have."""
        what = f"`{key}` is no answer to this question"
        unfit = self._unfit(site, key, state) if isinstance(site.decide, ir.Decide) else ""
        what += f": {unfit}" if unfit else ""
        hint = nearest(key, keys)
        if hint:
            return f"{what}; did you mean `{hint}`?"
        if unfit:
            return what
        if not (isinstance(site.decide, ir.Decide) and site.decide.paying) and key.split("/")[0] == "pay":
            what += ": nothing is to be paid here"
        return f"{what}; there are: {_few(keys)}"

    def _unfit(self, site: Site, key: str, state: list[int]) -> str:
        """Which part of a key stands for nothing, where an option goes by its beginning."""
        decide = site.decide
        assert isinstance(decide, ir.Decide)
        for number, option in enumerate(decide.options):
            if option.keys is not None or not (key == option.key or key.startswith(option.key + "/")):
                continue
            rest = key[len(option.key) + 1 :].split("/") if key != option.key else []
            for at, bind in enumerate(option.binds):
                found = self._values(site, number, option, rest[:at], state, upto=at + 1)
                known = list(dict.fromkeys(self._bind_key(bind, values[at]) for values in found))
                if at >= len(rest):
                    return f"`{option.key}` goes on after this" + (f": {_few(known)}" if known else "")
                if known and rest[at] not in known:
                    return f"`{rest[at]}` is not among {_few(known)}"
            if len(rest) > len(option.binds):
                return f"nothing follows after `{key.removesuffix('/' + '/'.join(rest[len(option.binds) :]))}`"
        return ""

    def _range(self, bind: ir.Bind, domain: list[int]) -> str:
        """What a number may be: `bid` goes from ¥0 to ¥500 in steps of ¥100."""
        low, high = (self.game.words.show(domain[at], bind.var.kind) for at in (0, -1))
        step = domain[1] - domain[0] if len(domain) > 1 else 1
        steps = f" in steps of {self.game.words.show(step, bind.var.kind)}" if step > 1 else ""
        return (
            f"`{bind.var.name}` goes from {low} to {high}{steps}"
            if low != high
            else f"`{bind.var.name}` can only be {low}"
        )

    @in_turn
    def demand(self, key: object, demand: ir.Require, option: ir.Option, state: list[int], values: list[int]) -> str:
        if demand.reason is not None:
            return self.words((key, "reason"), demand.reason, option.binds, state, values)
        return self._reason(demand.test, demand.span, f"`{option.name}` is not possible now", option.binds, state, values)

    def _reason(
        self,
        test: ir.Exp,
        span: Span | None,
        plain: str,
        binds: tuple[ir.Bind, ...],
        state: list[int],
        values: list[int],
    ) -> str:
        """The sentence of the guard that fails, or the words of the rule itself."""
        guard = self._failing_guard(test, binds, state, values)
        if guard is not None:
            function, own = guard
            assert function.reason is not None
            return self.words(("guard", id(function)), function.reason, _parameters(function), state, own)
        if span is not None:
            return f"{plain}: it needs `{_short(span.text)}`"
        return plain

    def _failing_guard(
        self, test: ir.Exp, binds: tuple[ir.Bind, ...], state: list[int], values: list[int]
    ) -> tuple[ir.Function, list[int]] | None:
        """The innermost guard that fails, and its arguments."""
        match test:
            case ir.Op(op="or", args=args):
                found = (self._failing_guard(arg, binds, state, values) for arg in args)
                return next((guard for guard in found if guard is not None), None)
            case ir.Op(op="and", args=args):
                for arg in args:
                    if not self.value(("part", id(arg)), arg, binds, state, values):
                        return self._failing_guard(arg, binds, state, values)
                return None
            case ir.CallValue():
                function, own = self.called(test, binds, state, values)
                if function is not None and function.reason is not None:
                    body = function.body
                    match body.body if isinstance(body, ir.Block) else (body,):
                        case (ir.Op() as said,) | (ir.GiveBack(values=(ir.Op() as said,)),):
                            inner = self._failing_guard(said, _parameters(function), state, own)
                        case _:
                            inner = None
                    return inner or (function, own)
                return None
            case _:  # any other: it is no guard
                return None

    @in_turn
    def called(
        self, test: ir.Exp, binds: tuple[ir.Bind, ...], state: list[int], values: list[int]
    ) -> tuple[ir.Function | None, list[int]]:
        """Which function a call means here, and its arguments."""
        if not isinstance(test, ir.CallValue):
            return None, []
        ref, args = test.function, test.args
        function = ref.default
        if ref.by is not None and ref.cases:
            function = ref.cases.get(self.value(("by", id(test)), args[ref.by], binds, state, values), ref.default)
        if function is None:
            return None, []
        return function, [self.value(("argument", id(test), n), arg, binds, state, values) for n, arg in enumerate(args)]


def _parameters(function: ir.Function) -> tuple[ir.Bind, ...]:
    return tuple(ir.Bind(p, ir.Listed((), NUMBER), None) for p in function.params)


def _few(keys: list[str]) -> str:
    return ", ".join(keys[:8]) + (", …" if len(keys) > 8 else "")


def _short(text: str) -> str:
    words = spelled(text)
    return words if len(words) <= 80 else words[:79] + "…"
