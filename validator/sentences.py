"""Rules that lack their sentence: what stands under a heading is what the rulebook prints."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.yaml.declarations import Box

LIBRARY = "library."  # whose pieces are documented there
CHANGES = (
    t.SetTo, t.Raise, t.Mark, t.Pay, t.SetAside, t.Move, t.Draw, t.Pick, t.Roll, t.Shuffle, t.Reveal, t.Ending,
)  # fmt: skip
Told = t.Procedure | t.Rule


def judge_sentences(box: Box, faults: Faults) -> None:
    """In a ruleset that has such sentences: which rules do several things, ask nothing that would explain them, and say nothing."""
    rules = [item for text in box.rules if not text.home.startswith(LIBRARY) for item in text.items]
    told = [one for item in rules for one in _rules_in(item)]
    if not any(one.body.doc is not None for one in told):
        return
    for one in told:
        if one.body.doc is None and _does_several_things(one):
            what = "setup" if isinstance(one, t.Procedure) and one.main else f"`{one.name}`"
            label = 'say what it does, in a string right below its heading: "Deal three cards to every stall."'
            faults.add("W617", one.span, f"{what} has no sentence for the rulebook", label=label)


def _rules_in(item: t.Item) -> Iterator[Told]:
    inner = item.item if isinstance(item, t.Replace) else item
    if isinstance(inner, Told):
        yield inner
    elif isinstance(inner, t.Kind):
        yield from (member for member in inner.members if isinstance(member, t.Procedure))


def _does_several_things(rule: Told) -> bool:
    """Two changes or more, with no sentence and no question anywhere in it."""
    if isinstance(rule, t.Procedure) and rule.main and rule.name == "play":
        return False
    nodes = list(t.walk(rule.body))
    if any(isinstance(node, t.Block) and node.doc is not None or isinstance(node, t.Ask) and node.words is not None for node in nodes):
        return False
    return sum(isinstance(node, CHANGES) for node in nodes) > 1
