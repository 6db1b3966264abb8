"""A whole lot in one answer: `give/2 wheat+1 rice` stands for `give/wheat/2`, `give/rice/1`, and none of what is not named.

It is tried on a copy of the table, so that a lot which cannot be given leaves nothing half answered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.rules import ir
from ichiba.interpreter.layout import bag_sorts
from ichiba.interpreter.run.decisions import Decision, IllegalMove
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.saves.teller import Teller

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table

NOTHING = "none"
_PART = re.compile(r"(?:(\d{1,6})\s+)?(\S+)")


def is_lot(decision: Decision) -> bool:
    """Whether this is one of the questions of a `choose some`."""
    return isinstance(decision.site.decide, ir.ChooseSome)


def sorts_asked(decision: Decision) -> list[str]:
    """The keys of the sorts of a lot, in the order in which they are asked for, those that have been answered included."""
    decide, world = decision.site.decide, decision.table.game.world
    assert isinstance(decide, ir.ChooseSome)
    sorts = (world.sorts[number] for number in bag_sorts(world, decide.bag))
    return [sort.key or sort.full_name for sort in sorts]


def example(decision: Decision) -> str:
    """How one could say it all at once: `2 wheat+1 rice`; nothing where only one sort is left to ask for."""
    known = sorts_asked(decision)
    now = decision.table.game.explainer.bag_sort(decision.site, decision.table.state_for(decision.seat_index))
    left = known[known.index(now) :]
    return f"2 {left[0]}+1 {left[1]}" if len(left) > 1 else ""


def reads_as_bundle(decision: Decision, words: str) -> bool:
    """Whether words, typed without the name of the lot, say how many of which of its sorts: `2 wheat+1 rice`. A mere `wheat`
    may be the beginning of a key."""
    found = [part for part in map(_PART.fullmatch, map(str.strip, words.split("+"))) if part is not None]
    known = sorts_asked(decision)
    return ("+" in words or any(part[1] for part in found)) and any(_meant(part[2], known) for part in found)


@dataclass(frozen=True, slots=True)
class Bundle:
    """How many of which sort are wanted; of the others none."""

    name: str
    wanted: dict[str, int]

    def key(self, sort: str) -> str:
        return f"{self.name}/{sort}/{self.wanted.get(sort, 0)}"


def steps_of(table: Table, decision: Decision, answer: str) -> list[int] | None:
    """The single answers that a bundle stands for; None where this is no bundle. What cannot be is refused with the sort."""
    if not is_lot(decision) or not answer.startswith(f"{decision.name}/"):
        return None
    bundle = _read(decision, answer.removeprefix(f"{decision.name}/"))
    return _tried(table, decision, bundle) if bundle is not None else None


def _read(decision: Decision, words: str) -> Bundle | None:
    """A single key with a number behind it, `give/wheat/7`, is no bundle: what is wrong with it is told as of any other."""
    known = sorts_asked(decision)
    if words == NOTHING and NOTHING not in known:
        return Bundle(decision.name, {})
    stem, _, last = words.rpartition("/")
    if stem in known and last.isdigit() and words not in known:
        return None
    wanted: dict[str, int] = {}
    for part in words.split("+"):
        found = _PART.fullmatch(part.strip())
        if found is None:
            said = f"`{part.strip()}` does not say" if part.strip() else "that does not say"
            raise IllegalMove(f"{said} how many of what; a lot is `{decision.name}/2 {known[0]}`, with `+` between sorts")
        meant = _meant(found[2], known)
        if len(meant) != 1:
            raise IllegalMove(_unclear(found[2], meant, known))
        if meant[0] in wanted:
            raise IllegalMove(f"{meant[0]} is named twice")
        wanted[meant[0]] = int(found[1] or 1)
    return Bundle(decision.name, wanted)


def _meant(word: str, known: list[str]) -> list[str]:
    """The sort of that name, or those that begin so."""
    return [word] if word in known else [sort for sort in known if sort.startswith(word)]


def _unclear(word: str, meant: list[str], known: list[str]) -> str:
    if meant:
        return f"`{word}` could be {' or '.join(meant)}"
    hint = nearest(word, known)
    return f"`{word}` is not among what is asked for" + (f"; did you mean `{hint}`?" if hint else f": {', '.join(known)}")


def _tried(table: Table, decision: Decision, bundle: Bundle) -> list[int]:
    """The answers, one by one, as they go on a copy; so are those that are taken by themselves because there is no other."""
    trial, explainer = table.copy(), table.game.explainer
    teller = trial.context.fork() if table.script else Teller(table.game, trial.context.words)
    assert isinstance(teller, Teller)
    trial.listen(teller)
    known, seat, site = sorts_asked(decision), decision.seat, decision.site
    given: list[int] = []
    heard = at = 0
    while True:
        asked = next((one for one in trial.pending if one.seat == seat and one.site is site), None)
        now = known.index(explainer.bag_sort(site, trial.state_for(seat - 1))) if asked is not None else len(known)
        if asked is None or given and now < at:
            _all_as_wanted(bundle, known[at:], teller.items[heard:])
            return given
        _all_as_wanted(bundle, known[at:now] if given else [], teller.items[heard:])
        if not given and (answered := next((sort for sort in known[:now] if sort in bundle.wanted), "")):
            raise IllegalMove(f"how many {answered} has been answered already")
        code = bundle.wanted.get(known[now], 0)
        if code not in asked.codes:
            possible = ", ".join(str(one) for one in list(asked.codes)[:12])
            raise IllegalMove(f"{code} {known[now]} cannot be; possible: {possible}")
        given.append(code)
        heard, at = len(teller.items), now + 1
        try:
            trial.play(bundle.key(known[now]), seat)
        except RuleFault as fault:
            raise table.freeze(fault) from None


def _all_as_wanted(bundle: Bundle, sorts: list[str], heard: list[dict[str, object]]) -> None:
    """What was taken by itself, since it was the only answer, is what was wanted."""
    taken = [str(item["key"]).rpartition("/") for item in heard if item["event"] == "decision" and item.get("forced")]
    numbers = {stem: number for stem, _, number in taken}
    for sort in sorts:
        number, wanted = numbers.get(f"{bundle.name}/{sort}"), bundle.wanted.get(sort, 0)
        if number != str(wanted):
            raise IllegalMove(f"{wanted} {sort} cannot be" + (f"; possible: {number}" if number else ""))
