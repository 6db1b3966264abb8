"""Values and guards of the rules: called, and worked out once for all callers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from ichiba.dsl.meaning.labels import label_of
from ichiba.dsl.meaning.wanted import as_exp, as_set, elements, exp, is_there, set_of_two, zone_of
from ichiba.dsl.names.arguments import in_order, param_kind, params_of
from ichiba.dsl.names.blocks import write_value_block
from ichiba.dsl.names.compatible import describe, fits, kind_of, mismatch
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import wrong_number
from ichiba.dsl.names.meanings import Definition, Env, Lying, Meaning, Measure, Several, SortNames, TableRef, Zones
from ichiba.dsl.names.members import certain, me_here
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, UNKNOWN, Kind, set_of
from ichiba.dsl.world.opening.members import one_value, type_of


def is_template(c: Context, param: t.Param) -> bool:
    """Measures, tables and sets of anything are filled in where the value is used."""
    kind = param_kind(c, param)
    return kind.form in ("measure", "table") or kind.form == "set" and kind.of is None


def bound_name(c: Context, var: ir.Var) -> Meaning:
    """What the name of a parameter means inside."""
    if var.kind.form == "set":
        return ir.Kept(var, var.kind)
    if var.kind.form == "zone":
        return Zones((ir.Use(var, var.kind),), var.kind)
    return ir.Use(var, var.kind)


def argument(c: Context, node: t.Expr, env: Env, kind: Kind) -> ir.Exp:
    """What is handed over for a parameter: a value, a zone, or a whole set."""
    if kind.form == "set":
        return cast(ir.Exp, elements(c, node, env, kind.of))
    if kind.form == "zone":
        zone = zone_of(c, node, env)
        return zone if zone is not None else ir.Const(0, kind)
    value = exp(c, node, env, kind)
    return value if kind.optional else certain(c, value)


def argument_meaning(c: Context, node: t.Expr, env: Env, kind: Kind) -> Meaning:
    value = argument(c, node, env, kind)
    return Zones((value,), kind) if kind.form == "zone" else value


def value_meaning(c: Context, definition: Definition, owner: ir.Exp | None, env: Env) -> Meaning:
    if params_of(c, definition):
        return Measure(definition, ())
    made = call_value(c, definition.item, definition, owner, (), env)  # type: ignore[arg-type]
    return made if made is not None else ir.Const(0, UNKNOWN)


def call_value(
    c: Context,
    node: t.Expr,
    definition: Definition,
    owner: ir.Exp | None,
    args: tuple[t.Expr, ...],
    env: Env,
    given: tuple[ir.Exp, ...] = (),
) -> Meaning | None:
    params = params_of(c, definition)
    arranged = in_order(c, node, definition, args, len(given))
    if arranged is None:
        return None
    args = arranged
    if len(args) + len(given) != len(params):
        wrong_number(c, node, definition, len(params), len(args) + len(given))
        return None
    if any(is_template(c, param) for param in params):
        return _instance(c, node, definition, args, env)
    ref = value_ref(c, definition)
    if definition.circular:
        return None
    if ref is None:
        return _expand(c, node, definition, owner, args, env, given)
    values = [argument(c, arg, env, param_kind(c, p)) for arg, p in zip(args, params[len(given) :], strict=True)]
    return _call_function(c, node, definition, ref, owner, (*given, *values), env)


def _call_function(
    c: Context,
    node: t.Expr,
    definition: Definition,
    ref: ir.ValueRef,
    owner: ir.Exp | None,
    values: tuple[ir.Exp, ...],
    env: Env,
) -> ir.Exp:
    full: list[ir.Exp] = []
    if definition.kind:
        full.append(owner if owner is not None else own_board(c, node, env))
    if definition.needs_me:
        full.append(me_here(c, node, env))
    full.extend(values)
    return ir.CallValue(ref, tuple(full), definition.result or NUMBER)


def own_board(c: Context, node: t.Expr, env: Env) -> ir.Exp:
    if env.board is None:
        c.fault(
            "E209",
            node,
            "it is not said of which board",
            label="write `board.` or the board's name before it",
        )
        return ir.Const(ir.NONE, Kind("thing", "board"))
    return env.board


def call_original(c: Context, node: t.Expr, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
    original = cast(Definition, env.original)
    if not isinstance(original, Definition) or original.what not in ("value", "guard"):
        c.fault("E210", node, "`original` is no value here")
        return None
    owner = env.board if original.kind else None
    return call_value(c, node, original, owner, args, env)


def _expand(
    c: Context,
    node: t.Expr,
    definition: Definition,
    owner: ir.Exp | None,
    args: tuple[t.Expr, ...],
    env: Env,
    given: tuple[ir.Exp, ...],
) -> Meaning | None:
    """A value that is a set or zones stands for its text, with the arguments in place of the parameters."""
    names: dict[str, Meaning] = {}
    params = params_of(c, definition)
    for param, value in zip(params, given, strict=False):
        names[param.name] = value
    for param, arg in zip(params[len(given) :], args, strict=True):
        names[param.name] = argument_meaning(c, arg, env, param_kind(c, param))
    def text_of(chosen: Definition) -> Meaning | None:
        inside = home_env(c, chosen, dict(names))
        inside.me = env.me
        inside.me_used = env.me_used
        if owner is not None:
            inside.board = owner
        return c.meaning(c, _text(chosen), inside)

    if isinstance(owner, ir.Const) and owner.value >= ir.FIRST_THING:
        return text_of(definition.cases.get(c.world.thing(owner.value).name, definition))
    found = text_of(definition)
    for board, case in definition.cases.items() if owner is not None else ():
        const, own = c.names.things.get(board), text_of(case)
        if found is None or own is None or const is None:
            return None
        found = set_of_two(c, ir.Op("=", (cast(ir.Exp, owner), const), FLAG), (own, _text(case)), (found, _text(definition)))
    return found


def _text(definition: Definition) -> t.Expr:
    return cast(t.Expr, definition.item.body)  # type: ignore[union-attr]


def home_env(c: Context, definition: Definition, names: dict[str, Meaning]) -> Env:
    board = None
    if definition.board:
        board = c.names.things.get(definition.board)
    return Env(names, None, board, {}, definition.home, definition.board, definition.original, [])


def value_ref(c: Context, definition: Definition) -> ir.ValueRef | None:
    """The function of a definition; None when it stands for a set or zones, or depends on itself."""
    if definition.busy and definition.result is None:
        _cycle(c, definition)
        definition.result = NUMBER
    if definition.result is not None:
        return definition.value
    definition.busy = True
    c.in_work.append(definition)
    try:
        _work_out(c, definition)
    finally:
        c.in_work.pop()
        definition.busy = False
    return definition.value


def _cycle(c: Context, definition: Definition) -> None:
    start = c.in_work.index(definition)
    names = [d.name for d in c.in_work[start:]] + [definition.name]
    for one in c.in_work[start:]:
        one.circular = True
    c.faults.add("E501", definition.span, "this value depends on itself: " + " → ".join(names))


def _work_out(c: Context, definition: Definition) -> None:
    wanted = _declared_result(c, definition)
    function, used_me, kind = _function(c, definition, definition, wanted)
    if function is None:
        definition.result = kind or set_of(NUMBER)
        definition.value = None
        _work_out_many(c, definition, wanted)
        return
    if definition.result is not None:  # a cycle was found on the way
        return
    definition.result = kind
    definition.value = ref = ir.ValueRef(definition.name, function, {}, _case_by(c, definition))
    functions: list[tuple[int | None, ir.Function, bool]] = [(None, function, used_me)]
    for board, case in definition.cases.items():
        const = c.names.things.get(board)
        made, used, many = _function(c, definition, case, kind)
        if made is not None and const is not None:
            functions.append((const.value, made, used))
        elif many is not None:
            mismatch(c, _text(case), many, kind or NUMBER)
    if isinstance(definition.item, t.Value) and definition.item.by_sort and _case_by(c, definition) is None and not definition.sort_cases:
        c.faults.add("E404", definition.span, f"`{definition.name}` has no sort among its parameters", label="so it cannot have cases")
    for case_item, home, board in definition.sort_cases:
        functions.extend(_sort_case(c, definition, case_item, home, board, kind or NUMBER))
    definition.needs_me = any(used for _, _, used in functions)
    for value, made, _ in functions:
        if definition.needs_me:
            at = 1 if definition.kind else 0
            me = c.me_of[made]
            made.params = (*made.params[:at], me, *made.params[at:])
        if value is not None:
            ref.cases[value] = made
    if ref.by is not None and definition.sort_cases and definition.needs_me:
        ref.by += 1


def _work_out_many(c: Context, definition: Definition, wanted: Kind | None) -> None:
    """A board's own version of a set is one as well; by sort there is none."""
    for case in definition.cases.values():
        made, _, _ = _function(c, definition, case, wanted)
        if made is not None:
            mismatch(c, _text(case), made.kind, definition.result or set_of(NUMBER))
    for case_item, _, _ in definition.sort_cases:
        c.faults.add("E404", case_item.span, f"`{definition.name}` gives a set or a zone", label="so it cannot have cases by sort")


def _case_by(c: Context, definition: Definition) -> int | None:
    """Which argument says whose version it is: the owner, or the sort that cases are told apart by."""
    if definition.kind:
        return 0
    if definition.sort_cases or isinstance(definition.item, t.Value) and definition.item.by_sort:
        for number, param in enumerate(params_of(c, definition)):
            if param_kind(c, param).form == "sort":
                return number
    return None


def _declared_result(c: Context, definition: Definition) -> Kind | None:
    item = definition.item
    if isinstance(item, t.Guard):
        return FLAG
    gives = item.gives if isinstance(item, t.Value) else None
    if gives is None:
        return None
    kind = type_of(c.world, gives, c.faults)
    if isinstance(cast(t.Value, item).body, t.Block):
        label = f"say it in one expression: `value {definition.name} -> {gives.span.text}: (… in … where …)`"
        return one_value(kind, gives.span, "a value in several lines cannot give", label, c.faults)
    return kind if kind.form in ("set", "zone") else one_value(kind, gives.span, "a value cannot give", "one value, a set or a zone", c.faults)


def _function(
    c: Context, base: Definition, version: Definition, wanted: Kind | None
) -> tuple[ir.Function | None, bool, Kind | None]:
    names: dict[str, Meaning] = {}
    params: list[ir.Var] = []
    own = params_of(c, version)
    declared = params_of(c, base)
    if len(own) != len(declared):
        c.faults.add(
            "E211",
            version.span,
            f"`{base.name}` takes {len(declared)} in brackets",
            second=(base.span, "declared here"),
        )
    for param, like in zip(own, declared, strict=False):
        var = ir.Var(param.name, param_kind(c, param if param.type is not None else like))
        params.append(var)
        names[param.name] = bound_name(c, var)
    env = home_env(c, version, names)
    me = ir.Var("me", SEAT)
    env.me = ir.Use(me, SEAT)
    board = ir.Var("board", Kind("thing", base.kind))
    if base.kind and not version.board:
        env.board = ir.Use(board, board.kind)
    item = cast("t.Value | t.Guard", version.item)
    function = ir.Function(base.name, tuple(params), wanted or NUMBER, None, item.span, home=version.home)
    c.me_of[function] = me
    kind: Kind | None = wanted
    if isinstance(item.body, t.Block):
        if kind is None:
            c.faults.add(
                "E307",
                item.span,
                f"it is not said what `{base.name}` gives",
                label="add `-> number`, or the unit",
            )
            kind = NUMBER
        function.body = write_value_block(c, item.body, env, kind)
    else:
        found = c.meaning(c, item.body, env, wanted)
        if isinstance(found, Several) and wanted is not None and wanted.form == "set":
            found = as_set(c, found, item.body, wanted.of)
        if isinstance(found, MANY) and (wanted is None or wanted.form in ("set", "zone")):
            return None, bool(env.me_used), _kind_of_many(c, found, item.body, wanted)
        value = as_exp(c, found, item.body, env, wanted)
        if value is None:
            value = ir.Const(0, wanted or NUMBER)
        if wanted is not None and not fits(c, value.kind, wanted):
            mismatch(c, item.body, value.kind, wanted)
        if wanted is not None and not wanted.optional:
            is_there(c, item.body, value.kind)
        kind = wanted or value.kind
        function.body = value
    function.kind = kind
    if isinstance(item, t.Guard) and item.reason is not None:
        function.reason = label_of(c, item.reason, env)
    if base.kind:
        function.params = (board, *function.params)
    return function, bool(env.me_used), kind


MANY = (*ir.SET_CLASSES, Zones, Lying, SortNames)  # what stands for its text wherever it is asked for


def _kind_of_many(c: Context, found: Meaning, node: t.Expr, wanted: Kind | None) -> Kind:
    """What a value gives that is a set or zones: what is said of it holds for these too."""
    if wanted is None or wanted.form == "zone":
        if wanted is not None and not isinstance(found, Zones):
            mismatch(c, node, kind_of(c, found), wanted)
        return wanted or kind_of(c, found)
    made = as_set(c, found, node, wanted.of)
    if made is not None and not fits(c, made.kind, wanted):
        mismatch(c, node, made.kind, wanted)
    return wanted


def _sort_case(
    c: Context, definition: Definition, case: t.ValueCase, home: str, board: str, kind: Kind
) -> list[tuple[int | None, ir.Function, bool]]:
    """`value worth of n eel: …`: the first parameter is the number, the last a seat."""
    params = params_of(c, definition)
    chooser = _case_by(c, definition)
    if chooser is None:
        c.faults.add(
            "E404",
            case.span,
            f"`{case.name}` has no sort among its parameters",
            label="so it cannot have cases",
        )
        return []
    ids = [
        i
        for i in c.world.categories.get(param_kind(c, params[chooser]).name, ())
        if c.world.sorts[i].name == case.sort and (not case.side or c.world.sorts[i].side == case.side)
    ]
    if not ids:
        c.faults.add(
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
            var = ir.Var(param.name, param_kind(c, param))
            variables.append(var)
            if number == 0:
                names[case.number] = ir.Use(var, var.kind)
            if var.kind.form == "seat" and case.seat:
                names[case.seat] = ir.Use(var, var.kind)
            names.setdefault(param.name, ir.Use(var, var.kind))
        env = Env(names, None, c.names.things.get(board) if board else None, {}, home, board, None, [])
        me = ir.Var("me", SEAT)
        env.me = ir.Use(me, SEAT)
        function = ir.Function(f"{case.name} of {case.sort}", tuple(variables), kind, None, case.span, home=home)
        c.me_of[function] = me
        if isinstance(case.body, t.Block):
            function.body = write_value_block(c, case.body, env, kind)
        else:
            function.body = exp(c, case.body, env, kind)
        made.append((id, function, bool(env.me_used)))
    return made


def _instance(c: Context, node: t.Expr, definition: Definition, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
    """A value with measures or tables among its parameters is made once for each use."""
    if definition in c.in_work:
        _cycle(c, definition)
        return None
    c.in_work.append(definition)
    try:
        return _fill_in(c, node, definition, args, env)
    finally:
        c.in_work.pop()


def _fill_in(c: Context, node: t.Expr, definition: Definition, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
    made = filled_in(c, params_of(c, definition), args, env)
    if made is None:
        return None
    inside = home_env(c, definition, made.names)
    me = ir.Var("me", SEAT)
    inside.me = ir.Use(me, SEAT)
    kind = _declared_result(c, definition) or NUMBER
    item = cast("t.Value", definition.item)
    function = ir.Function(definition.name, tuple(made.variables), kind, None, item.span, home=definition.home)
    body = _given_at_once(item.body)
    if isinstance(body, t.Block):
        function.body = write_value_block(c, body, inside, kind)
    else:
        function.body = exp(c, body, inside, _declared_result(c, definition))
        function.kind = kind = function.body.kind
    if inside.me_used:
        function.params = (me, *function.params)
        made.values.insert(0, me_here(c, node, env))
    return ir.CallValue(ir.ValueRef(definition.name, function), tuple(made.values), kind)


def _given_at_once(body: t.Expr | t.Block) -> t.Expr | t.Block:
    """What a block gives that does nothing else: in whichever unit that is."""
    only = body.body[0] if isinstance(body, t.Block) and len(body.body) == 1 else None
    return only.values[0] if isinstance(only, t.Give) and len(only.values) == 1 else body


@dataclass(slots=True)
class FilledIn:
    """What stands for the parameters of something that is made once for each use."""

    names: dict[str, Meaning] = field(default_factory=dict)
    variables: list[ir.Var] = field(default_factory=list)
    values: list[ir.Exp] = field(default_factory=list)  # what the variables begin with

    def variable(self, name: str, value: ir.Exp, kind: Kind) -> ir.Var:
        var = ir.Var(name, kind)
        self.variables.append(var)
        self.values.append(value)
        return var


def filled_in(c: Context, params: tuple[t.Param, ...], args: tuple[t.Expr, ...], env: Env) -> FilledIn | None:
    """What the parameters of a value or a procedure come to where measures or tables are among them."""
    made = FilledIn()
    for param, arg in zip(params, args, strict=True):
        kind = param_kind(c, param)
        if not is_template(c, param):
            made.names[param.name] = bound_name(c, made.variable(param.name, argument(c, arg, env, kind), kind))
            continue
        found = _template_argument(c, param, arg, env)
        if found is None:
            return None
        if isinstance(found, Measure):
            name = f"{param.name}_given"
            kept = [ir.Use(made.variable(name, given, given.kind), given.kind) for given in found.given]
            found = Measure(found.function, tuple(kept))
        made.names[param.name] = found
    return made


def _template_argument(c: Context, param: t.Param, arg: t.Expr, env: Env) -> Meaning | None:
    kind = param_kind(c, param)
    if kind.form == "measure":
        found = c.meaning(c, arg, env, Kind("measure"))
        if isinstance(found, Measure):
            return found
    elif kind.form == "table":
        found = c.meaning(c, arg, env, kind)
        if isinstance(found, TableRef):
            return found
    else:
        return as_set(c, c.meaning(c, arg, env), arg, None)
    if found is not None:
        c.fault("E302", arg, f"{describe(c, found)} is no {kind.form}")
    return None
