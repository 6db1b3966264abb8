"""The things of a zone that are gone through again and again are found when they are first needed.

    for a in (lying(S, z, n, …) if n else ()):         there = lying(S, z, n, …) if n else ()
        for b in (lying(S, z, n, …) if n else ()): ->  for a in there:
            r += [a * 7 + b]                               for b in there:
                                                               r += [a * 7 + b]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ichiba.interpreter.passes.body import Body, Edits, Line, head_changed
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE
from ichiba.interpreter.plan.parts import parts_of


def look_once(body: Body) -> None:
    looks = list(body.found(p.Choice, lambda part: part if _is_look(part) else None))
    for look in looks:
        assert isinstance(look, p.Choice)
        using = [line for line in body.lines if _is_gone_through(line) and look in line.parts]
        if not using or not _is_known(look, body.known) or len(using) < 2 and not _many_times(using[0], look):
            continue
        name = p.Name(body.new_name("there"), "list")
        first = p.Set((name,), look)
        # the first to need it stands in no loop and under no condition, or is the only one and in no loop
        always = using[0].depth == 1 or len(using) == 1 and not using[0].in_loop
        edits: Edits = {}
        for line in using:
            before: tuple[p.Stm, ...] = ()
            if not always:
                before = (p.If(p.Compare(name, (("is", NONE),)), (first,)),)
            elif line is using[0]:
                before = (first,)
            edits[line.path] = before, _put(line.statement, look, name)
        body.rewrite(edits)
        if not always:
            body.before.append(p.Set((name,), NONE))


def _put(statement: p.Stm, look: p.Exp, name: p.Name) -> p.Stm:
    return head_changed(statement, lambda part: name if part == look else None)


def _is_look(part: Any) -> bool:
    match part:
        case p.Choice(yes=p.Call(function=p.Name(name="lying")), no=p.Row(items=())):
            return True
        case _:
            return False


def _is_gone_through(line: Line) -> bool:
    """Whether a line surely goes through all it names; a condition may come to an end before."""
    return not line.is_if or line.in_loop


def _is_known(look: p.Exp, known: Iterable[str]) -> bool:
    """Whether it hangs on what is known at the beginning only."""
    names = {part.name for part in parts_of(look) if isinstance(part, p.Name) and part.name[:1].islower()}
    return names - {"lying"} <= set(known)


def _many_times(line: Line, look: p.Exp) -> bool:
    """Whether a line goes through it more than once: twice, or within a comprehension."""
    times, within, again = 0, False, False
    for part in line.parts:
        if isinstance(part, p.Each):
            again = True
        elif part == look:
            times += 1
            within = within or again
    return times > 1 or within
