"""Values, guards and costs: definitions with all that replaces them, worked out when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ichiba.dsl.meaning.expressions import Expressions
from ichiba.dsl.meaning.meaning import (
    Definition,
    Env,
    Lying,
    Meaning,
    Measure,
    SortNames,
    TableRef,
    Zones,
)
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, UNKNOWN, Kind, maybe, set_of
from ichiba.dsl.world.opening.members import type_of
from ichiba.dsl.world.world import kind_named

if TYPE_CHECKING:
    pass


class Values(Expressions):
    """Calls of values, and their bodies."""

    in_work: list[Definition]

    def params_of(self, definition: Definition) -> tuple[t.Param, ...]:
        return getattr(definition.item, "params", None) or ()

    def param_kind(self, param: t.Param) -> Kind:
        """Without a type, the name of a parameter is its type, or the singular of a set's."""
        if param.type is not None:
            return type_of(self.world, param.type, self.faults)
        found = kind_named(self.world, param.name)
        if found is not None:
            return found
        return type_of(self.world, t.Type(param.span, param.name), self.faults)

    def is_template(self, param: t.Param) -> bool:
        """Measures, tables and sets of anything are filled in where the value is used."""
        kind = self.param_kind(param)
        return kind.form in ("measure", "table") or kind.form == "set" and kind.of is None

    def bound(self, var: ir.Var) -> Meaning:
        """What the name of a parameter means inside."""
        if var.kind.form == "set":
            return ir.Kept(var, var.kind)
        if var.kind.form == "zone":
            return Zones((ir.Use(var, var.kind),), var.kind)
        return ir.Use(var, var.kind)

    def argument(self, node: t.Expr, env: Env, kind: Kind) -> ir.Exp:
        """What is handed over for a parameter: a value, a zone, or a whole set."""
        if kind.form == "set":
            return cast(ir.Exp, self.set(node, env, kind.of))
        if kind.form == "zone":
            zone = self.zone(node, env)
            return zone if zone is not None else ir.Const(0, kind)
        value = self.exp(node, env, kind)
        return value if kind.optional else self.certain(value)

    def argument_meaning(self, node: t.Expr, env: Env, kind: Kind) -> Meaning:
        value = self.argument(node, env, kind)
        return Zones((value,), kind) if kind.form == "zone" else value

    # ---------------------------------------------------------------------------------------- calling

    def value_meaning(self, definition: Definition, owner: ir.Exp | None, env: Env) -> Meaning:
        if self.params_of(definition):
            return Measure(definition, ())
        made = self.call_value(definition.item, definition, owner, (), env)  # type: ignore[arg-type]
        return made if made is not None else ir.Const(0, UNKNOWN)

    def call_value(
        self,
        node: t.Expr,
        definition: Definition,
        owner: ir.Exp | None,
        args: tuple[t.Expr, ...],
        env: Env,
        given: tuple[ir.Exp, ...] = (),
    ) -> Meaning | None:
        params = self.params_of(definition)
        if len(args) + len(given) != len(params):
            self.wrong_number(node, definition, len(params), len(args) + len(given))
            return None
        if any(self.is_template(param) for param in params):
            return self._instance(node, definition, args, env)
        ref = self.value_ref(definition)
        if definition.circular:
            return None
        if ref is None:
            return self._expand(node, definition, owner, args, env, given)
        values = [
            self.argument(arg, env, self.param_kind(p)) for arg, p in zip(args, params[len(given) :], strict=True)
        ]
        return self._call(node, definition, ref, owner, (*given, *values), env)

    def _call(
        self,
        node: t.Expr,
        definition: Definition,
        ref: ir.ValueRef,
        owner: ir.Exp | None,
        values: tuple[ir.Exp, ...],
        env: Env,
    ) -> ir.Exp:
        full: list[ir.Exp] = []
        if definition.kind:
            full.append(owner if owner is not None else self._own_board(node, env))
        if definition.needs_me:
            full.append(self.me(node, env))
        full.extend(values)
        return ir.CallValue(ref, tuple(full), definition.result or NUMBER)

    def _own_board(self, node: t.Expr, env: Env) -> ir.Exp:
        if env.board is None:
            self.fault(
                "E209",
                node,
                "it is not said of which board",
                label="write `board.` or the board's name before it",
            )
            return ir.Const(ir.NONE, Kind("thing", "board"))
        return env.board

    def call_original(self, node: t.Expr, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
        original = cast(Definition, env.original)
        if not isinstance(original, Definition) or original.what not in ("value", "guard"):
            self.fault("E210", node, "`original` is no value here")
            return None
        owner = env.board if original.kind else None
        return self.call_value(node, original, owner, args, env)

    def _expand(
        self,
        node: t.Expr,
        definition: Definition,
        owner: ir.Exp | None,
        args: tuple[t.Expr, ...],
        env: Env,
        given: tuple[ir.Exp, ...],
    ) -> Meaning | None:
        """A value that is a set or zones stands for its text, with the arguments in place of the parameters."""
        names: dict[str, Meaning] = {}
        params = self.params_of(definition)
        for param, value in zip(params, given, strict=False):
            names[param.name] = value
        for param, arg in zip(params[len(given) :], args, strict=True):
            names[param.name] = self.argument_meaning(arg, env, self.param_kind(param))
        chosen = definition
        if owner is not None and isinstance(owner, ir.Const) and owner.value >= ir.FIRST_THING:
            chosen = definition.cases.get(self.world.thing(owner.value).name, definition)
        inside = self.home_env(chosen, names)
        inside.me = env.me
        inside.me_used = env.me_used
        if owner is not None:
            inside.board = owner
        return self.meaning(cast(t.Expr, chosen.item.body), inside)  # type: ignore[union-attr]

    def home_env(self, definition: Definition, names: dict[str, Meaning]) -> Env:
        board = None
        if definition.board:
            board = self.by_name.get(definition.board)
        return Env(names, None, board, {}, definition.home, definition.board, definition.original, [])

    # -------------------------------------------------------------------------------------- working out

    def value_ref(self, definition: Definition) -> ir.ValueRef | None:
        """The function of a definition; None when it stands for a set or zones."""
        if definition.result is not None:
            return definition.value
        if definition.busy:
            self._cycle(definition)
            definition.result = NUMBER
            definition.value = ir.ValueRef(
                definition.name, ir.Function(definition.name, (), NUMBER, ir.Const(0, NUMBER))
            )
            return definition.value
        definition.busy = True
        self.in_work.append(definition)
        try:
            self._work_out(definition)
        finally:
            self.in_work.pop()
            definition.busy = False
        return definition.value

    def _cycle(self, definition: Definition) -> None:
        start = self.in_work.index(definition)
        names = [d.name for d in self.in_work[start:]] + [definition.name]
        for one in self.in_work[start:]:
            one.circular = True
        self.faults.add("E501", definition.span, "this value depends on itself: " + " → ".join(names))

    def _work_out(self, definition: Definition) -> None:
        wanted = self._declared_result(definition)
        function, used_me, kind = self._function(definition, definition, wanted)
        if function is None:
            definition.result = kind or set_of(NUMBER)
            definition.value = None
            return
        if definition.result is not None:  # a cycle was found on the way
            return
        definition.result = kind
        definition.value = ref = ir.ValueRef(definition.name, function, {}, self._case_by(definition))
        functions: list[tuple[int | None, ir.Function, bool]] = [(None, function, used_me)]
        for board, case in definition.cases.items():
            const = self.by_name.get(board)
            made, used, _ = self._function(definition, case, kind)
            if made is not None and const is not None:
                functions.append((const.value, made, used))
        for case_item, home, board in definition.sort_cases:
            functions.extend(self._sort_case(definition, case_item, home, board, kind or NUMBER))
        definition.needs_me = any(used for _, _, used in functions)
        for value, made, _ in functions:
            if definition.needs_me:
                at = 1 if definition.kind else 0
                me = getattr(made, "me_var", None) or self._me_of[made]
                made.params = (*made.params[:at], me, *made.params[at:])
            if value is not None:
                ref.cases[value] = made
        if ref.by is not None and definition.sort_cases and definition.needs_me:
            ref.by += 1

    _me_of: dict[ir.Function, ir.Var]

    def _case_by(self, definition: Definition) -> int | None:
        """Which argument says whose version it is: the owner, or the sort that cases are told apart by."""
        if definition.kind:
            return 0
        if definition.sort_cases or getattr(definition.item, "by_sort", False):
            for number, param in enumerate(self.params_of(definition)):
                if self.param_kind(param).form == "sort":
                    return number
        return None

    def _declared_result(self, definition: Definition) -> Kind | None:
        item = definition.item
        if isinstance(item, t.Guard):
            return FLAG
        unit = getattr(item, "unit", None)
        if not unit:
            return None
        found = kind_named(self.world, unit)
        if found is None:
            return type_of(self.world, t.Type(item.span, unit), self.faults)
        return found

    def _function(
        self, base: Definition, version: Definition, wanted: Kind | None
    ) -> tuple[ir.Function | None, bool, Kind | None]:
        names: dict[str, Meaning] = {}
        params: list[ir.Var] = []
        own = self.params_of(version)
        declared = self.params_of(base)
        if len(own) != len(declared):
            self.faults.add(
                "E211",
                version.span,
                f"`{base.name}` takes {len(declared)} in brackets",
                second=(base.span, "declared here"),
            )
        for param, like in zip(own, declared, strict=False):
            var = ir.Var(param.name, self.param_kind(param if param.type is not None else like))
            params.append(var)
            names[param.name] = self.bound(var)
        env = self.home_env(version, names)
        me = ir.Var("me", SEAT)
        env.me = ir.Use(me, SEAT)
        board = ir.Var("board", Kind("thing", base.kind))
        if base.kind and not version.board:
            env.board = ir.Use(board, board.kind)
        item = cast("t.Value | t.Guard", version.item)
        function = ir.Function(base.name, tuple(params), wanted or NUMBER, None, item.span, home=version.home)
        self._me_of[function] = me
        kind: Kind | None = wanted
        if isinstance(item.body, t.Block):
            if kind is None:
                self.faults.add(
                    "E307",
                    item.span,
                    f"it is not said what `{base.name}` gives",
                    label="add `in number`, or the unit",
                )
                kind = NUMBER
            function.body = self.value_block(item.body, env, kind)
        else:
            found = self.meaning(item.body, env, wanted)
            setlike = isinstance(found, (*ir.SET_CLASSES, Zones, Lying, SortNames)) and not (
                isinstance(found, Lying | SortNames) and wanted is not None and wanted.form in ("flag", "sort")
            )
            if setlike and not (isinstance(found, SortNames) and wanted is not None):
                return None, bool(env.me_used), self.kind_of(cast(Meaning, found))
            value = self.as_exp(found, item.body, env, wanted)
            if value is None:
                value = ir.Const(0, wanted or NUMBER)
            if wanted is not None and not self.fits(value.kind, wanted):
                self.mismatch(item.body, value.kind, wanted)
            if wanted is not None and not wanted.optional:
                self.is_there(item.body, value.kind)
            kind = wanted or value.kind
            function.body = value
        function.kind = kind
        if isinstance(item, t.Guard) and item.reason is not None:
            function.reason = self.label(item.reason, env)
        if base.kind:
            function.params = (board, *function.params)
        return function, bool(env.me_used), kind

    def _sort_case(
        self, definition: Definition, case: t.ValueCase, home: str, board: str, kind: Kind
    ) -> list[tuple[int | None, ir.Function, bool]]:
        """`value worth of n eel: …`: the first parameter is the number, the last a seat."""
        params = self.params_of(definition)
        chooser = self._case_by(definition)
        if chooser is None:
            self.faults.add(
                "E404",
                case.span,
                f"`{case.name}` has no sort among its parameters",
                label="so it cannot have cases",
            )
            return []
        ids = [
            i
            for i in self.world.categories.get(self.param_kind(params[chooser]).name, ())
            if self.world.sorts[i].name == case.sort and (not case.side or self.world.sorts[i].side == case.side)
        ]
        if not ids:
            self.faults.add(
                "E205",
                case.span,
                f"no sort is called `{case.sort}`" + (f" showing {case.side}" if case.side else ""),
            )
            return []
        made: list[tuple[int | None, ir.Function, bool]] = []
        for id in ids:
            names: dict[str, Meaning] = {}
            variables: list[ir.Var] = []
            for number, param in enumerate(params):
                var = ir.Var(param.name, self.param_kind(param))
                variables.append(var)
                if number == 0:
                    names[case.number] = ir.Use(var, var.kind)
                if var.kind.form == "seat" and case.seat:
                    names[case.seat] = ir.Use(var, var.kind)
                names.setdefault(param.name, ir.Use(var, var.kind))
            env = Env(names, None, self.by_name.get(board) if board else None, {}, home, board, None, [])
            me = ir.Var("me", SEAT)
            env.me = ir.Use(me, SEAT)
            function = ir.Function(f"{case.name} of {case.sort}", tuple(variables), kind, None, case.span, home=home)
            self._me_of[function] = me
            if isinstance(case.body, t.Block):
                function.body = self.value_block(case.body, env, kind)
            else:
                function.body = self.exp(case.body, env, kind)
            made.append((id, function, bool(env.me_used)))
        return made

    # -------------------------------------------------------------------------------------- templates

    def _instance(self, node: t.Expr, definition: Definition, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
        """A value with measures or tables among its parameters is made once for each use."""
        if definition in self.in_work:
            self._cycle(definition)
            return None
        self.in_work.append(definition)
        try:
            return self._fill_in(node, definition, args, env)
        finally:
            self.in_work.pop()

    def _fill_in(self, node: t.Expr, definition: Definition, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
        params = self.params_of(definition)
        names: dict[str, Meaning] = {}
        variables: list[ir.Var] = []
        values: list[ir.Exp] = []
        for param, arg in zip(params, args, strict=True):
            if self.is_template(param):
                found = self.template_argument(param, arg, env)
                if found is None:
                    return None
                if isinstance(found, Measure):
                    kept: list[ir.Exp] = []
                    for given in found.given:
                        var = ir.Var(f"{param.name}_given", given.kind)
                        variables.append(var)
                        values.append(given)
                        kept.append(ir.Use(var, given.kind))
                    found = Measure(found.function, tuple(kept))
                names[param.name] = found
            else:
                kind = self.param_kind(param)
                var = ir.Var(param.name, kind)
                variables.append(var)
                values.append(self.argument(arg, env, kind))
                names[param.name] = self.bound(var)
        inside = self.home_env(definition, names)
        me = ir.Var("me", SEAT)
        inside.me = ir.Use(me, SEAT)
        kind = self._declared_result(definition) or NUMBER
        item = cast("t.Value", definition.item)
        function = ir.Function(definition.name, tuple(variables), kind, None, item.span, home=definition.home)
        if isinstance(item.body, t.Block):
            function.body = self.value_block(item.body, inside, kind)
        else:
            function.body = self.exp(item.body, inside, self._declared_result(definition))
            function.kind = kind = function.body.kind
        if inside.me_used:
            function.params = (me, *function.params)
            values.insert(0, self.me(node, env))
        return ir.CallValue(ir.ValueRef(definition.name, function), tuple(values), kind)

    def template_argument(self, param: t.Param, arg: t.Expr, env: Env) -> Meaning | None:
        kind = self.param_kind(param)
        if kind.form == "measure":
            found = self.meaning(arg, env, Kind("measure"))
            if isinstance(found, Measure):
                return found
        elif kind.form == "table":
            found = self.meaning(arg, env, kind)
            if isinstance(found, TableRef):
                return found
        else:
            return self.as_set(self.meaning(arg, env), arg, None)
        if found is not None:
            self.fault("E302", arg, f"{self.describe(found)} is no {kind.form}")
        return None

    # -------------------------------------------------------------------------------------------- words

    def label(self, text: t.Text, env: Env) -> ir.Label:
        """Words with values in them."""
        parts: list[str | ir.Exp] = []
        names: list[str] = []
        for part in text.parts:
            if isinstance(part, str):
                parts.append(part)
                continue
            value = self._shown(part, env)
            if value is not None:
                parts.append(value)
                names.append(spelled(part.span.text))
        return ir.Label(tuple(parts), tuple(names))

    def _shown(self, part: t.Expr, env: Env) -> ir.Exp | None:
        """A value in a text; of a set all its members."""
        found = self.meaning(part, env)
        if isinstance(found, Zones) and len(found.zones) == 1 and self.holds_one(found.zones[0]):
            return ir.Only(found.zones[0], maybe(self.world.element(found.kind.name)))
        if isinstance(found, ir.SET_CLASSES):
            return ir.Aggregate("list", found, ir.Var("it", NUMBER), None, found.kind)
        return self.as_exp(found, part, env, None)

    def words(self, text: str) -> ir.Label:
        return ir.Label((text,))

    def value_block(self, block: t.Block, env: Env, kind: Kind) -> ir.Block:
        raise AssertionError

    def is_exp(self, found: object) -> bool:
        return isinstance(found, ir.EXP_CLASSES)
