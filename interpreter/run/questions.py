"""The name of each question, for programs: it says where in the rules it is asked, and hangs on no variable's name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.interpreter.flow.pieces import Site


def names_of_questions(sites: Iterable[Site]) -> dict[int, str]:
    """By number: the rule, the options one is inside of, and the menu; `choose` or `pay` where it has no name of its own.
    Of several such in one place the second is called `choose_2`."""
    found: dict[int, str] = {}
    places: dict[str, list[Span | None]] = {}
    for site in sites:
        decide = site.decide
        if isinstance(decide, ir.Secret):
            continue
        name = ".".join([_plain(site.procedure.name), *(_option(outer, number) for outer, number in site.inside)])
        if isinstance(decide, ir.Decide) and decide.menu:
            found[site.number] = f"{name}.{decide.name}"
            continue
        name += ".pay" if isinstance(decide, ir.Decide) and decide.paying else ".choose"
        known = places.setdefault(name, [])
        if decide.span not in known:
            known.append(decide.span)
        number = known.index(decide.span) + 1
        found[site.number] = name if number == 1 else f"{name}_{number}"
    return found


def _plain(name: str) -> str:
    """Rules that are made of declarations have names with spaces."""
    return re.sub(r"\W+", "_", name.strip())


def _option(site: Site, number: int) -> str:
    """`visit.fish` of a menu is `fish`; `north.visit.fish`, which a board puts there, is `north.fish`."""
    assert isinstance(site.decide, ir.Decide)
    *home, _, option = ("", *site.decide.options[number].rule.split("."))
    return ".".join([*filter(None, home), option])
