"""What a condition says of the names in it: after `p is inn` the name `p` is known to be an inn, and after
`p is not farm` what is left when it is none of the farms."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never, cast, get_args

from ichiba.dsl.names.emptiness import learn, means_the_same, parts_of, said_now
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, Kind
from ichiba.dsl.world.world import World

_STATEMENTS = get_args(t.Statement)
_EXPRESSIONS = frozenset(get_args(t.Expr))


def narrow(world: World, condition: t.Expr, env: Env, holds: bool = True) -> None:
    """Where this condition holds (or does not), names are known to be of a kind, and sets not to be empty."""
    learn(condition, env, holds)
    _kinds(world, condition, env, holds)


def _kinds(world: World, condition: t.Expr, env: Env, holds: bool = True) -> None:
    match condition:
        case t.Operation(op="and", args=(a, b)) if holds:
            _kinds(world, a, env)
            _kinds(world, b, env)
        case t.Operation(op="or", args=(a, b)) if not holds:
            _kinds(world, a, env, False)
            _kinds(world, b, env, False)
        case t.Operation(op="not", args=(a,)):
            _kinds(world, a, env, not holds)
        case t.IsA(kind=t.Name(name=kind)) if kind in env.names:  # a name of the rule: whether both are the same
            pass
        case t.IsA(what=t.Name(name=name), kind=t.Name(name=kind), negated=negated):
            _is_a(world, name, kind, holds != negated, env)
        case t.IsA(what=t.Name(name=name), kind=t.Of(name=kind), negated=negated) if holds != negated:
            _is_a(world, name, kind, True, env)
        case t.IsA(what=t.Member() as path, kind=t.Name(name=kind) | t.Of(name=kind), negated=negated):
            if holds != negated or isinstance(condition.kind, t.Name):
                env.kinds[path] = kind, holds != negated, said_now(path, env)
        case t.IsNone(what=t.Name(name=name), negated=negated) if holds == negated:
            bound = env.names.get(name)
            if isinstance(bound, ir.Use):
                env.names[name] = ir.Use(bound.var, bound.kind.plain, bound.at)
        case _:  # any other: it says nothing of the kind of a name
            pass


def _is_a(world: World, name: str, kind: str, holds: bool, env: Env) -> None:
    bound = env.names.get(name)
    if not isinstance(bound, ir.Use) or _is_property(world, bound.kind, kind):
        return
    if holds:
        narrower = narrower_kind(world, bound.kind, kind)
    else:
        env.excluded[bound.var] = env.excluded.get(bound.var, frozenset()) | {kind}
        narrower = what_is_left(world, bound.kind, env.excluded[bound.var])
    if narrower is not None:
        env.names[name] = ir.Use(bound.var, narrower, bound.at)


def _is_property(world: World, kind: Kind, name: str) -> bool:
    """`m is closed`: a flag of the thing, and not what kind of thing it is."""
    current = kind.name
    while current in world.kinds:
        its = world.kinds[current]
        if name in its.members and its.members[name].kind == FLAG or name in its.fields and its.fields[name].kind == FLAG:
            return True
        current = its.parent
    return False


def kind_at(world: World, path: t.Expr, kind: Kind, env: Env) -> Kind:
    """`t.building` after `t.building is store`: a store, as long as nothing has been done since."""
    name, holds, said = env.kinds.get(path, ("", False, None))
    if said is None or said.at != len(env.done) or not means_the_same(said, env) or _is_property(world, kind, name):
        return kind
    found = narrower_kind(world, kind, name) if holds else what_is_left(world, kind, frozenset((name,)))
    return kind if found is None else found


def forget(env: Env, node: object) -> None:
    """What was known of a memory is over where `node` sets it."""
    for name in sorted(_memories_set_in(node)):  # and not each that is known, of which there may be thousands
        bound = env.names.get(name)
        if isinstance(bound, ir.Use) and (bound.kind is not bound.var.kind or bound.var in env.excluded):
            env.names[name] = ir.Use(bound.var, bound.var.kind, bound.at)
            env.excluded.pop(bound.var, None)


def _memories_set_in(node: object) -> frozenset[str]:
    found: set[str] = set()
    if isinstance(node, _STATEMENTS):
        places = _becomes_another(cast("t.Statement", node))
        found |= {place.name for place in places if isinstance(place, t.Name)}
    for part in parts_of(node):
        if type(part) not in _EXPRESSIONS:  # no statement stands in one
            found |= _memories_set_in(part)
    return frozenset(found)


def _becomes_another(node: t.Statement) -> tuple[t.Expr, ...]:
    """The places in which something else stands after a statement, by itself. A number that is raised stays a number."""
    match node:
        case t.SetTo(place=place) | t.Mark(place=place):
            return (place,)
        case (
            t.Let() | t.LetBest() | t.Raise() | t.Pay() | t.SetAside() | t.Move() | t.Draw() | t.Pick() | t.Roll() | t.Shuffle()
            | t.ChooseOne() | t.ChooseNumber() | t.ChooseSome() | t.Reveal() | t.Require() | t.Leave() | t.Nothing() | t.Give()
            | t.Score() | t.Ending() | t.Tell() | t.Record() | t.Do() | t.If() | t.ForEach() | t.Repeat() | t.TakeTurns() | t.OneTurnEach()
            | t.AsSeat() | t.Secretly() | t.Race() | t.May() | t.ScoreFor() | t.Menu() | t.Remember() | t.Flag()
        ):  # fmt: skip
            return ()
        case _:
            assert_never(node)


def narrower_kind(world: World, kind: Kind, name: str) -> Kind | None:
    """The kind of a value that is also a `name`, if that says more."""
    if kind.form == "thing" and name in world.kinds and world.is_kind(name, kind.name):
        return Kind("thing", name)
    if kind.form in ("thing", "piece") and name in world.categories:
        inside = set(world.categories[name])
        if inside and inside < set(world.categories.get(kind.name, range(len(world.sorts)))):
            return world.element(name)
    if kind.form == "sort" and name in world.categories:
        return Kind("sort", name)
    named = {sort.kind for sort in world.sorts if name in (sort.name, sort.full_name)}
    if kind.form in ("thing", "piece") and len(named) == 1 and (its := named.pop()) and world.is_kind(its, kind.name):
        return Kind("thing", its)
    return None


def what_is_left(world: World, kind: Kind, excluded: frozenset[str]) -> Kind | None:
    """The one kind below this one that a value is of when it is none of these; nothing where several are left."""
    name = kind.name
    while name in world.kinds and not any(world.thing(id).kind == name for id in world.kinds[name].things):
        below = [other for other in world.kinds.values() if other.parent == name and " " not in other.name]
        left = [other.name for other in below if not any(world.is_kind(other.name, out) for out in excluded)]
        if len(left) != 1:
            break
        name = left[0]
    return replace(kind, name=name) if name != kind.name else None
