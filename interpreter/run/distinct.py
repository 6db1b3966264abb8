"""Every answer of a question has a key of its own: with a key that two share only the first of them could be given.

`check` tells where it can be seen beforehand. What hangs on the course of a game (`keyed by a + b`, pieces of several
families that lie together) is looked at when keys are spelled; `step` by the place of an answer needs none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.runtime.runtime import RuleFault

if TYPE_CHECKING:
    from ichiba.interpreter.flow.pieces import Site
    from ichiba.interpreter.run.game import Game


def may_share(game: Game, site: Site) -> bool:
    """Whether two answers of a question could have the same key. Of most it is plain that they cannot."""
    known = game.worked_out.may_share
    if site.number not in known:
        known[site.number] = isinstance(site.decide, ir.Decide) and _may_share(game, site.decide)
    return known[site.number]


def _may_share(game: Game, decide: ir.Decide) -> bool:
    heads = [option.key for option in decide.options]
    return (
        len(set(heads)) < len(heads)
        or any(other.startswith(head + "/") for head in heads for other in heads)
        or any(option.keys is not None and option.binds for option in decide.options)
        or any(_share_names(game, bind.set.kind.of or bind.var.kind) for option in decide.options for bind in option.binds)
        or any(_counted(game, bind.var.kind) and not in_one_zone(bind.set) for option in decide.options for bind in option.binds)
    )


def _counted(game: Game, kind: Kind) -> bool:
    """Whether there are pieces among them that go by their sort: where one lies does not stand in its key."""
    if kind.form == "set" and kind.of is not None:
        return _counted(game, kind.of)
    sorts = game.world.categories.get(kind.name, range(len(game.world.sorts)) if kind.name not in game.world.kinds else ())
    return kind.form == "piece" and any(not game.world.sorts[sort].individual for sort in sorts)


def in_one_zone(inner: ir.Set) -> bool:
    """Whether pieces to choose from surely lie together, so that those of one sort are offered once."""
    match inner:
        case ir.Pieces(zones=zones):
            return len(zones) == 1
        case ir.Filtered(set=inner) | ir.Ordered(set=inner) | ir.Best(set=inner) | ir.Combos(set=inner):
            return in_one_zone(inner)
        case _:  # any other: joined, kept, worked out
            return False


def _share_names(game: Game, kind: Kind) -> bool:
    """Whether two values of a kind are spelled alike."""
    if kind.form == "set" and kind.of is not None:
        return _share_names(game, kind.of)
    if kind.form not in ("sort", "thing", "piece"):
        return False
    known = game.worked_out.names_twice
    if (kind.form, kind.name) not in known:
        world = game.world
        sorts = world.categories.get(kind.name, range(len(world.sorts)) if kind.name not in world.kinds else ())
        names = [world.name_of(sort, Kind("sort")) for sort in sorts if not world.sorts[sort].individual or kind.form == "sort"]
        for id in world.kinds[kind.name].things if kind.form != "sort" and kind.name in world.kinds else ():
            names.append(game.words.key(id, Kind("thing", kind.name)))
        known[kind.form, kind.name] = len(set(names)) < len(names)
    return known[kind.form, kind.name]


def held_apart(game: Game, site: Site, codes: Sequence[int], keys: Sequence[str], state: list[int]) -> None:
    """Raises `RuleFault` where two answers have the same key."""
    if len(set(keys)) == len(keys):
        return
    again = next(at for at, key in enumerate(keys) if key in keys[:at])
    explainer, first = game.explainer, keys.index(keys[again])
    one, other = (explainer.label(site, codes[at], state) for at in (first, again))
    decide = site.decide
    assert not isinstance(decide, ir.Secret)
    asked = explainer.words(("prompt", site.number), decide.prompt, (), state) or decide.name
    span = decide.span if isinstance(decide, ir.Decide) else None
    place = f" ({span.source.path}:{span.line})" if span is not None else ""
    fault = RuleFault(f'two answers to "{asked}" have the same key `{keys[again]}`: "{one}" and "{other}"{place}')
    fault.explained = True
    raise fault
