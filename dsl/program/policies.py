"""Policies: what a ruleset's own player would rather answer, written for the questions that it may be asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.meaning.binding import bind_name
from ichiba.dsl.meaning.expressions import meaning_of
from ichiba.dsl.meaning.wanted import a_number, as_exp, as_set, cond, exp
from ichiba.dsl.names.compatible import settle
from ichiba.dsl.names.context import Asked, Context
from ichiba.dsl.names.meanings import Env, Lying, Meaning, Several, Zones
from ichiba.dsl.names.narrowing import narrow
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import NUMBER, SEAT, UNKNOWN

_BRACES = re.compile(r"\{\w*\}")


def policy_of(c: Context, item: t.Policy, home: str) -> tuple[ir.Preference, ...]:
    """Its preferences. What a `let` stands for is worked out where a line behind it names it."""
    lets: list[t.Let] = []
    made: list[ir.Preference] = []
    named: set[str] = set()
    for line in item.lines:
        if isinstance(line, t.Let):
            lets.append(line)
        else:
            used = _used(line, lets)
            named.update(one.names[0] for one in used)
            made += _preferences(c, line, used, home)
    for line in lets:
        if line.names[0] not in named:  # nobody asks for it, but it must mean something
            me = ir.Var("me", SEAT)
            _with_lets(c, _used(line, lets[: lets.index(line)]) + [line], Env({}, ir.Use(me, SEAT), None, {}, home))
    return tuple(made)


def _used(line: t.Preference | t.Let, lets: list[t.Let]) -> list[t.Let]:
    """Those of the names above that a line mentions, also by way of others."""
    wanted, found = _mentioned(line), list[t.Let]()
    for one in reversed(lets):
        if one.names[0] in wanted:
            wanted |= _mentioned(one)
            found.insert(0, one)
    return found


def _mentioned(*nodes: t.Node) -> set[str]:
    """The names that mean something outside of these sentences: not what a `for`, a `where` or a way names itself."""
    parts = list(t.walk(nodes))
    bound = {part.name for part in parts if isinstance(part, t.Binder | t.Along)}
    among = [part.selection for part in parts if isinstance(part, t.Those | t.BestOf | t.Sorted)]
    bound |= {one.what.name for one in among if isinstance(one, t.Within) and isinstance(one.what, t.Name)}
    return {part.name for part in parts if isinstance(part, t.Name)} - bound


def _preferences(c: Context, line: t.Preference, used: list[t.Let], home: str) -> list[ir.Preference]:
    """One that names what only running procedures know is written for each question that may be meant, among their names."""
    me = ir.Var("me", SEAT)
    everywhere = Env({}, ir.Use(me, SEAT), None, {}, home)
    own = {one.names[0] for one in used}
    unknown = {name for name in _mentioned(line, *used) - own if not _known(c, t.Name(line.span, name), everywhere)}
    places = [place for place in c.draft.asked if unknown & _names_at(place).keys() and _may_fit(line.pattern, place)] if unknown else []
    if not places:
        return [_written(c, line, used, me, everywhere, None)]
    return [_written(c, line, used, me, _env_at(place, unknown, home), place.asked) for place in places]


def _known(c: Context, name: t.Name, env: Env) -> bool:
    """Whether a name means something in the whole game."""
    if name.name in c.definitions or name.name in c.world.kinds or name.name in c.world.tables:
        return True
    told, quiet = c.faults, Faults()
    quiet.unheard = True  # to find who would bring the name takes reading modules that are off
    c.tell(quiet)
    try:
        return meaning_of(c, name, env) is not None and not quiet.errors
    finally:
        c.tell(told)


def _names_at(place: Asked) -> dict[str, Meaning]:
    """The names of the procedure where a question stands; not those for which its options are."""
    options = place.asked.options if isinstance(place.asked, ir.Decide) else ()
    chosen = {bind.var for option in options for bind in option.binds}
    chosen |= {place.asked.bag} if isinstance(place.asked, ir.ChooseSome) else set()
    return {name: m for name, m in place.env.names.items() if not (isinstance(m, ir.Use | ir.Kept | ir.Chosen) and _var(m) in chosen)}


def _var(meaning: ir.Use | ir.Kept | ir.Chosen) -> ir.Var:
    return meaning.bag if isinstance(meaning, ir.Chosen) else meaning.var


def _env_at(place: Asked, names: set[str], home: str) -> Env:
    known = {name: meaning for name, meaning in _names_at(place).items() if name in names}
    return place.env.inner(names=known, me=place.asked.seat, board=None, board_name="", home=home, original=None, secret=False)


def _may_fit(pattern: str, place: Asked) -> bool:
    """Whether a key of this question could be meant, as far as its first word says."""
    first = _BRACES.sub("*", pattern.partition("/")[0])
    if isinstance(place.asked, ir.ChooseSome):
        return True
    return any(fnmatchcase(option.key.partition("/")[0], first) for option in place.asked.options)


def _written(
    c: Context, line: t.Preference, used: list[t.Let], me: ir.Var, env: Env, at: ir.Decide | ir.ChooseSome | None
) -> ir.Preference:
    env = _with_lets(c, used, env)
    binders = []
    for binder in line.binders:
        var, domain, env = bind_name(c, binder, env)
        binders.append((var, domain))
    _check_pattern(c, line)
    when = None
    if line.when is not None:
        when = cond(c, line.when, env)
        narrow(c.world, line.when, env)
    near = _near(c, line, env)
    weight = a_number(c, line.weight, env) if line.weight is not None else ir.Const(1, NUMBER)
    return ir.Preference(line.pattern, me, tuple(binders), when, weight, line.span, near, at)


def _with_lets(c: Context, used: list[t.Let], env: Env) -> Env:
    """Each name stands for what it was said to be: nothing changes while a seat thinks."""
    for let in used:
        found = meaning_of(c, let.value, env)
        if isinstance(found, Several):
            found = settle(c, found, let.value, None)
        made: Meaning | None
        if isinstance(found, (*ir.SET_CLASSES, Lying)) or isinstance(found, Zones) and len(found.zones) > 1:
            made = as_set(c, found, let.value, None)
        elif isinstance(found, Zones):
            made = found
        else:
            made = as_exp(c, found, let.value, env, None)
        env = env.with_names(**{let.names[0]: made if made is not None else ir.Const(0, UNKNOWN)})
    return env


def _near(c: Context, line: t.Preference, env: Env) -> ir.Exp | None:
    """`nearest x`: what stands for the one `*` of the key is a number, and so is `x`."""
    if line.nearest is None:
        return None
    near = exp(c, line.nearest, env)
    stars = line.pattern.count("*")
    if stars != 1:
        c.faults.add(
            "E340", line.span, f"`nearest` wants one `*` in `{line.pattern}`, for the number that is to be near; there {_are(stars)}",
            label='like `prefer "bid/*" nearest x`',
        )  # fmt: skip
    if near.kind.form != "number" and near.kind != UNKNOWN:
        c.fault("E340", line.nearest, f"`nearest` wants a number or an amount; this is {near.kind}")
    return near


def _are(number: int) -> str:
    return "are none" if not number else f"are {number}"


def _check_pattern(c: Context, preference: t.Preference) -> None:
    """The names in braces are those that the `for` behind the pattern binds."""
    for name, hint in _unbound(preference):
        if name.isidentifier():
            said = f"nothing is called `{name}` in `{preference.pattern}`"
            label = f"did you mean `{hint}`?" if hint else f"say `for {name} in …` behind it"
        else:
            said, label = f"`{{{name}}}` in `{preference.pattern}` is no name", "say `for x in …` behind it, and `{x}` here"
        c.faults.add("E205", preference.span, said, label=label)


def _unbound(preference: t.Preference) -> Iterator[tuple[str, str | None]]:
    bound = [binder.name for binder in preference.binders]
    for name in re.findall(r"\{([^{}]*)\}", preference.pattern):
        if name not in bound:
            yield name, nearest(name, bound)
