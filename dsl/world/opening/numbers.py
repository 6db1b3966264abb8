"""What is fixed by numbers alone: units, options and constants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.assumed import Given
from ichiba.dsl.world.constant import CannotWorkOut, Scope, amount_of, evaluate, work_out
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, number, set_of, unit_of
from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.world import Enum, unit_kind
from ichiba.dsl.yaml.declarations import Fact, OptionDecl, Unit
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq

SIGNS = "¥$€£₩"

_WRITTEN = re.compile(rf"([{SIGNS}]?)\{{\}} ?([a-z_][a-z0-9_]*)?")


def read_units(c: Opening) -> None:
    for unit in c.box.units:
        c.world.units[unit.name] = (unit.write, unit.step)
        c.world.singles[unit.name] = unit.one
        for way in dict.fromkeys((unit.write, unit.one)):
            _written(c, unit, way)


def _written(c: Opening, unit: Unit, way: str) -> None:
    """How amounts are written is how rules are read: `¥5`, `$5k`, `5 chips`; other ways are for people alone."""
    found = _WRITTEN.fullmatch(way)
    if way.count("{}") != 1:
        c.faults.add(
            "E103",
            unit.span,
            f"`{way}` does not say where the amount stands",
            label="it stands in the place of `{}`, once",
        )
    elif found is None and way[0] in SIGNS:
        label = f"a word in small letters may stand behind `{way[0]}{{}}`, or nothing"
        c.faults.add("E103", unit.span, f"rules cannot say an amount as `{way}`", label=label)
    elif found is not None:
        key = found[1], found[2] or ""
        other = c.world.written.setdefault(key, unit.name)
        if key != ("", "") and other != unit.name:
            label = f"`{way.replace('{}', '5')}` would be {number(other)} as well"
            c.faults.add("E206", unit.span, f"`{unit.name}` is written like another unit", label=label)


def read_enums(c: Opening) -> None:
    for decl in c.box.sorts:
        c.world.enums[decl.name] = Enum(decl.name, tuple(item.name for item in decl.items))
    for rules in c.box.rules:
        for item in rules.items:
            for member in item.members if isinstance(item, t.Kind | t.Scope) else ():
                if isinstance(member, t.Field | t.Note | t.Remember) and member.type.values:
                    name = "_or_".join(member.type.values)
                    c.world.enums.setdefault(name, Enum(name, member.type.values))


def read_options(c: Opening) -> None:
    chosen = dict(c.config.options)
    for decl in c.box.options:
        key = f"{decl.home}.{decl.name}" if decl.home else decl.name
        given = chosen.pop(key, chosen.pop(decl.name, None))
        _read_option(c, decl, given)
    for key in chosen:
        known = [o.name for o in c.box.options]
        hint = nearest(key, known)
        c.faults.add(
            "E401",
            None,
            f"there is no option `{key}`",
            label=f"did you mean `{hint}`?" if hint else "",
            notes=("options: " + (", ".join(known) or "none"),),
        )


def _begins_set(c: Opening, node: Node) -> bool:
    """Whether a flag is set where nothing is chosen."""
    if isinstance(node, Scalar) and isinstance(node.value, bool):
        return node.value
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return bool(work_out(node, c.scope, c.faults))
    c.faults.add("E103", node.span, "true or false is expected here")
    return False


def _read_option(c: Opening, decl: OptionDecl, given: object) -> None:
    world, faults = c.world, c.faults
    if decl.form == "flag":
        value = _begins_set(c, decl.default) if decl.default is not None else False
        if given is not None:
            if not isinstance(given, bool):
                refuse(c, decl, given, "true or false")
            value = bool(given)
        world.options[decl.name] = (int(value), FLAG)
        c.scope.values[decl.name] = int(value)
    elif decl.form == "one_of":
        world.enums.setdefault(decl.name, Enum(decl.name, decl.words))
        word = decl.default.value if isinstance(decl.default, Scalar) else decl.words[0] if decl.words else ""
        if given is not None:
            if given not in decl.words:
                refuse(c, decl, given, "one of " + ", ".join(decl.words))
            else:
                word = str(given)
        if word not in decl.words:
            faults.add("E106", decl.span, f"`{word}` is not among the words of the option `{decl.name}`")
            return
        world.options[decl.name] = (decl.words.index(str(word)), Kind("enum", decl.name))
        c.scope.chosen[decl.name] = (str(word), decl.words)
    elif decl.form == "number":
        unit = _unit_said(c, (node for node in (decl.low, decl.high, decl.default) if node is not None))
        low = work_out(decl.low, c.scope, faults, unit=unit) if decl.low is not None else 0
        high = work_out(decl.high, c.scope, faults, unit=unit) if decl.high is not None else low
        value_ = work_out(decl.default, c.scope, faults, unit=unit) if decl.default is not None else low
        if low > high:
            faults.add("E106", decl.span, f"there is no number from {low} to {high}")
        elif decl.default is not None and not low <= value_ <= high:
            faults.add("E106", decl.default.span, f"{value_} is not from {low} to {high}", label=f"what the option `{decl.name}` can be")
        if given is not None:
            if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
                refuse(c, decl, given, f"a number from {low} to {high}")
            else:
                value_ = given
        world.options[decl.name] = (value_, number(unit))
        c.scope.values[decl.name] = value_
    elif decl.form == "seat":
        word_ = decl.default.value if isinstance(decl.default, Scalar) else "random"
        if given is not None:
            word_ = given if isinstance(given, int | str) else str(given)
        seat = word_ if isinstance(word_, int) and not isinstance(word_, bool) else 0
        if word_ != "random" and not 1 <= seat <= c.config.seats:
            refuse(c, decl, word_, f"a seat from 1 to {c.config.seats}, or random")
            word_ = "random"
        world.options[decl.name] = (-1 if word_ == "random" else seat - 1, SEAT)
    elif decl.form == "thing":  # which there are is known later
        said = decl.default.value if isinstance(decl.default, Scalar) else None
        c.things_chosen[decl.name] = (said if given is None else given, given is not None)
        world.options[decl.name] = (-1, Kind("thing", decl.words[0], optional=True))
    else:
        names = given if given is not None else []
        [kind] = decl.words
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            refuse(c, decl, given, f"a list of names of {plural(kind)}")
            names = []
        world.options[decl.name] = (tuple(names), set_of(Kind("thing", kind)))
        c.scope.lists[decl.name] = tuple(names)


def refuse(c: Opening, decl: OptionDecl, given: object, allowed: str) -> None:
    """What is given for an option does not fit; of a module's it is told where it is declared."""
    place = (f"it is declared in {decl.span.source.path}:{decl.span.line}",) if decl.home else ()
    c.faults.add("E402", None, f"the option `{decl.name}` cannot be {given!r}", label=f"it is {allowed}", notes=place)


def said_instead(c: Opening, ids: Sequence[str], name: str, node: Node) -> Node:
    """What the config says instead, if these assumptions cover it."""
    given = c.assumed.instead(ids, name)
    if given is None or isinstance(given.value, dict) and isinstance(node, Map) and c.config.seats not in given.value:
        return node  # for other numbers of seats
    if wanted := given.unfit(node):
        refuse_given(c, given, name, wanted, node)
        return node
    return given.node()


def refuse_given(c: Opening, given: Given, name: str, wanted: str, node: Node | None) -> None:
    notes = (f"the game has {' '.join(node.span.text.split()) if node is not None else 1}",)
    message = f"{given.id}: `{name}` cannot be {given.value!r}"
    c.faults.add("E411", None, message, label=wanted, notes=notes)


def read_number(c: Opening, fact: Fact, node: Node) -> None:
    """A number, from what stands there or what the config says instead."""
    before = len(c.faults.all)
    unit = unit_of_fact(c, fact)
    value = work_out(node, c.scope, c.faults, unit=unit.name)
    c.world.numbers[fact.name] = (value, unit)
    c.scope.values[fact.name] = value
    if len(c.faults.all) == before:
        hold_to_range(c, fact, [value])


def changed_numbers(c: Opening) -> dict[str, int]:
    """What rules say with `change rounds to 5`: worked out from the numbers as they were before."""
    found: dict[str, int] = {}
    words = {"true": 1, "false": 0, "yes": 1, "no": 0}
    for rules in c.box.rules:
        for item in rules.items:
            if isinstance(item, t.Change) and (item.path in c.world.numbers or item.path in c.world.options):
                try:
                    known = {name: value for name, (value, _) in c.world.numbers.items()} | words
                    scope = Scope(c.world, known | {"seats": c.config.seats}, c.scope.tables)
                    _, kind = c.world.numbers.get(item.path) or c.world.options[item.path]
                    found[item.path] = evaluate(item.value, scope, unit_of(kind))
                    _hold_to_given(c, item, found[item.path], rules.home)
                except CannotWorkOut as fault:
                    fault.tell(c.faults)
    return found


def _hold_to_given(c: Opening, item: t.Change, changed: int, home: str) -> None:
    """Where rules put something else in place of what the config gives, nothing would hang on what is given."""
    name = item.path
    if any(isinstance(part, t.Name) and part.name == name for part in t.walk(item.value)):
        return  # `change rounds to rounds + 2`
    by, code, what = f"`{home or c.box.name}`", "E411", f"`{name}`"
    if name in c.world.numbers:
        was, kind = c.world.numbers[name]
        ids = [fact.assumption for fact in c.box.numbers if fact.name == name]
        given = c.assumed.instead(ids, name)
        who = f"{given.id} gives {was}" if given is not None else ""
    else:
        was, kind = cast("tuple[int, Kind]", c.world.options[name])
        code, what = "E402", f"the option `{name}`"
        who = (
            f"{_spelled(c, was, kind)} is given"
            if any(key.split(".")[-1] == name for key, _ in c.config.options)
            else ""
        )
    if who and was != changed:
        label = f"leave it out of the config, or switch off {by}" if home else "leave it out of the config"
        message = f"{what} is changed to {_spelled(c, changed, kind)} by {by}, and {who}"
        c.faults.add(code, item.span, message, label=label)


def _spelled(c: Opening, value: int, kind: Kind) -> str:
    """As a config says it."""
    return ("false", "true")[value] if kind == FLAG else c.world.name_of(value, kind)


def change_options(c: Opening, changed: Mapping[str, int]) -> None:
    for name, (_, kind) in list(c.world.options.items()):
        if name in changed:
            c.world.options[name] = (changed[name], kind)
            c.scope.values[name] = changed[name]


def change_number(c: Opening, fact: Fact, value: int) -> None:
    c.world.numbers[fact.name] = (value, c.world.numbers[fact.name][1])
    c.scope.values[fact.name] = value
    hold_to_range(c, fact, [value])


def unit_of_fact(c: Opening, fact: Fact) -> Kind:
    """The unit that is said, else the one in which its values are written."""
    if fact.unit and fact.unit not in c.world.units:
        c.faults.add(
            "E205",
            fact.span,
            f"no unit is called `{fact.unit}`",
            notes=("units: " + ", ".join(c.world.units),),
        )
        return NUMBER
    return unit_kind(c.world, fact.unit or _unit_said(c, leaves(fact.value)))


def _unit_said(c: Opening, nodes: Iterable[Node]) -> str:
    """The unit of the first value that is written with one. What else is wrong with them is told elsewhere."""
    return next((unit for node in nodes if (unit := amount_of(node, c.scope, Faults())[1])), "")


def hold_to_range(c: Opening, fact: Fact, values: Iterable[int]) -> None:
    """`least: 0`, `most: 99`: what rules can bear, whoever says the number."""
    unit = unit_of_fact(c, fact).name
    least = work_out(fact.least, c.scope, c.faults, unit=unit) if fact.least is not None else None
    most = work_out(fact.most, c.scope, c.faults, unit=unit) if fact.most is not None else None
    for value in values:
        if least is not None and value < least or most is not None and value > most:
            bounds = " and ".join(
                filter(None, [f"at least {least:,}" if fact.least else "", f"at most {most:,}" if fact.most else ""])
            )
            given = c.assumed.instead((fact.assumption,), fact.name)
            head = f"{given.id}: " if given is not None else ""
            where = None if given is not None else fact.span
            c.faults.add("E106", where, f"{head}`{fact.name}` cannot be {value:,}", label=f"it is {bounds}")
            return


def leaves(node: Node) -> Iterator[Node]:
    """The single values of a number or a table."""
    match node:
        case Map(entries=entries):
            for _, inner in entries:
                yield from leaves(inner)
        case Seq(items=items):
            for inner in items:
                yield from leaves(inner)
        case _:
            yield node
