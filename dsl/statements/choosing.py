"""Questions to a seat: one of several, a number, some of them, or whether at all."""

from __future__ import annotations

from typing import cast

from ichiba.dsl.faults.source import Span
from ichiba.dsl.meaning.arithmetic import check_step
from ichiba.dsl.meaning.binding import kind_of_those, range_of
from ichiba.dsl.meaning.labels import label_of, plain_label
from ichiba.dsl.meaning.values import value_ref
from ichiba.dsl.meaning.wanted import cond, elements, exp
from ichiba.dsl.names.arguments import param_kind, params_of
from ichiba.dsl.names.blocks import NO_BLOCK, write_block, write_body
from ichiba.dsl.names.context import Asked, Context
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.names.members import certain, me_here
from ichiba.dsl.names.narrowing import narrow
from ichiba.dsl.rules import ir
from ichiba.dsl.statements.costs import cost_of
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import NUMBER, SEAT, Kind

BagConditions = tuple[
    ir.Exp | None,
    ir.Exp | None,
    ir.Exp | None,
    tuple[int, ...] | None,
    ir.ValueRef | None,
    tuple[ir.Exp, ...],
    ir.Exp | None,
    ir.Exp | None,
]


def _chooser(c: Context, chooser: t.Expr | None, node: t.Statement, env: Env) -> ir.Exp:
    return certain(c, exp(c, chooser, env, SEAT)) if chooser is not None else me_here(c, t.Name(node.span, "me"), env)


def _prompt(c: Context, ask: t.Ask, name: str, env: Env) -> ir.Label:
    return label_of(c, ask.words, env) if ask.words is not None else plain_label(c, f"Choose: {name.replace('_', ' ')}")


def decision_of(
    c: Context,
    name: str,
    seat: ir.Exp,
    prompt: ir.Label,
    options: list[ir.Option],
    otherwise: ir.Block | None,
    env: Env,
    span: Span | None,
    menu: bool = False,
) -> ir.Decide:
    decide = ir.Decide(name, seat, prompt, options, otherwise, env.secret, False, menu, span)
    c.draft.asked.append(Asked(decide, env.inner()))
    return decide


def choose_one(c: Context, node: t.ChooseOne, env: Env) -> list[ir.Stm]:
    seat = _chooser(c, node.chooser, node, env)
    inner = elements(c, node.domain, env)
    return _choose(c, node, seat, inner, env)


def choose_number(c: Context, node: t.ChooseNumber, env: Env) -> list[ir.Stm]:
    seat = _chooser(c, node.chooser, node, env)
    offered = range_of(c, node.low, node.high, node.step, env)
    if node.step is None:
        check_step(c, node.low, offered.low)
        check_step(c, node.high, offered.high)
    return _choose(c, node, seat, offered, env)


def _choose(c: Context, node: t.ChooseOne | t.ChooseNumber, seat: ir.Exp, inner: ir.Set, env: Env) -> list[ir.Stm]:
    prompt = _prompt(c, node.ask, node.name, env)
    var = ir.Var(node.name, inner.kind.of or NUMBER, per_seat=env.secret)
    c.answering |= {var} if env.secret else set()
    inside = env.inner() if node.body is not None else env
    inside.names[node.name] = ir.Use(var, var.kind)
    test, place = None, None
    if isinstance(node, t.ChooseOne) and node.where is not None:
        test, place = cond(c, node.where, inside), node.where.span
        narrow(c.world, node.where, inside)
    body = write_body(c, node.body.body, inside) if node.body is not None else NO_BLOCK
    otherwise = write_block(c, node.otherwise, env) if node.otherwise is not None else None
    label = ir.Label((ir.Use(var, var.kind),))
    option = ir.Option(
        node.name,
        node.ask.key or node.name,
        label,
        (ir.Bind(var, inner, test, place),),
        (),
        None,
        body,
        f"{c.setting.name}.{node.name}",
        span=node.span,
    )
    return [decision_of(c, node.name, seat, prompt, [option], otherwise, env, node.span)]


def choose_some(c: Context, node: t.ChooseSome, env: Env) -> list[ir.Stm]:
    seat = _chooser(c, node.chooser, node, env)
    inner = elements(c, node.domain, env)
    prompt = _prompt(c, node.ask, node.name, env)
    if node.where is not None:
        it = ir.Var(node.name, inner.kind.of or NUMBER)
        inside = env.with_names(**{node.name: ir.Use(it, it.kind)})
        test = cond(c, node.where, inside)
        narrow(c.world, node.where, inside)
        inner = ir.Filtered(inner, it, test, kind_of_those(c, inner, inside.names[node.name]))
    sorts = () if inner.kind.of is None else c.world.categories.get(inner.kind.of.name, ())
    if not sorts and inner.kind.of is not None and inner.kind.of.form not in ("piece", "sort", "broken"):
        c.fault("E302", node.domain, f"this is {inner.kind}", label="`choose some` takes pieces; of others one is chosen, or each gets a `may`")
    bag = ir.Var(node.name, inner.kind, width=max(len(sorts), 2))  # of each sort so many; more than one, so it is a row
    parts = bag_words(c, node, bag, inner, env)
    inside = env.inner() if node.body is not None else env
    chosen = ir.Chosen(bag, inner.kind, ir.Var(f"{node.name} one by one", inner.kind))
    inside.names[node.name] = chosen
    body = write_body(c, node.body.body, inside) if node.body is not None else NO_BLOCK
    otherwise, over = None, f"choose {node.name}"
    if node.otherwise is not None:  # then what is done with the pieces is not done
        otherwise = ir.Block((*write_block(c, node.otherwise, env).body, ir.Leave(over, node.span)))
    key = node.ask.key or node.name
    choose = ir.ChooseSome(key, seat, prompt, bag, inner, *parts, otherwise, False, node.span)
    c.draft.asked.append(Asked(choose, env.inner()))
    made = (choose, ir.KeepSet(chosen.picked, chosen, node.span), *body.body)
    return [ir.Named(over, ir.Block(made))] if otherwise is not None else list(made)


def bag_words(c: Context, node: t.ChooseSome, bag: ir.Var, inner: ir.Set, env: Env) -> BagConditions:
    """The closed list of conditions on a bag."""
    least = most = step = worth_least = worth_most = None
    different: tuple[int, ...] | None = None
    worth: ir.ValueRef | None = None
    worth_args: tuple[ir.Exp, ...] = ()
    for word in node.words:
        match word.what:
            case "least":
                least = exp(c, cast(t.Expr, word.arg), env, NUMBER)
            case "most":
                most = exp(c, cast(t.Expr, word.arg), env, NUMBER)
            case "steps":
                step = exp(c, cast(t.Expr, word.arg), env, NUMBER)
            case "different":
                different = _shapes(c, word)
            case _:
                worth, worth_args, kind = _worth(c, word, inner, env)
                limit = exp(c, cast(t.Expr, word.arg), env, kind)
                if word.what == "worth":
                    worth_least = limit
                else:
                    worth_most = limit
    return least, most, step, different, worth, worth_args, worth_least, worth_most


def _shapes(c: Context, word: t.BagWord) -> tuple[int, ...] | None:
    families = c.world.sort_fields.get(word.by or "")
    if families is None:
        c.faults.add("E210", word.span, f"no piece has a `{word.by}`")
        return None
    said = {id: value for field_ in families.values() for id, value in field_.values.items() if value != ir.NONE}
    return tuple(cast(int, said.get(s.id, -1 - s.id)) for s in c.world.sorts)


def _worth(c: Context, word: t.BagWord, inner: ir.Set, env: Env) -> tuple[ir.ValueRef | None, tuple[ir.Exp, ...], Kind]:
    """`by V`: V(n, sort, me) is what n pieces of a sort are worth; a lot is worth the sum over its sorts."""
    definition = c.definitions.get(word.by or "")
    if definition is None or definition.what != "value":
        c.faults.add("E205", word.span, f"no value is called `{word.by}`")
        return None, (), NUMBER
    forms = [param_kind(c, p).form for p in params_of(c, definition)]
    if forms[:2] != ["number", "sort"] or len(forms) > 3:
        c.faults.add(
            "E310",
            word.span,
            f"`{word.by}` cannot measure a lot",
            label="it must take a number, a sort and perhaps a seat",
            second=(definition.span, "declared here"),
        )
        return None, (), NUMBER
    ref = value_ref(c, definition)
    here = t.Name(word.span, "me")
    args: tuple[ir.Exp, ...] = (me_here(c, here, env),) if len(forms) == 3 else ()
    if definition.needs_me:
        args = (me_here(c, here, env), *args)
    return ref, args, definition.result or NUMBER


def may(c: Context, node: t.May, env: Env) -> list[ir.Stm]:
    me = me_here(c, t.Name(node.span, "me"), env)
    prompt = _prompt(c, node.ask, node.name, env)
    key = node.ask.key or node.name
    tests: list[ir.Require] = []
    if node.when is not None:
        tests.append(ir.Require(cond(c, node.when, env), None, f"{node.name}: when", node.when.span))
    before: ir.Block = NO_BLOCK
    if node.cost is not None:
        cost_tests, before = cost_of(c, node.cost, env)
        tests.extend(cost_tests)
    inside = env.inner()
    if node.when is not None:
        narrow(c.world, node.when, inside)
    inside.done.extend(before.body)
    body = ir.Block((*before.body, *write_body(c, node.body.body, inside).body))
    otherwise = write_block(c, node.otherwise, env) if node.otherwise is not None else NO_BLOCK
    rule = f"{c.setting.name}.{node.name}"
    take = ir.Option(node.name, f"{key}/take", prompt, (), tuple(tests), None, body, rule, span=node.span)
    decline = ir.Option(
        "decline",
        f"{key}/decline",
        plain_label(c, "No"),
        (),
        (),
        None,
        otherwise,
        f"{rule}.decline",
        span=node.span,
    )
    decide = decision_of(c, node.name, me, prompt, [take, decline], None, env, node.span)
    decide.only_choice = node.only_choice
    return [decide]
