"""What has changed hands, in words: one line for each effect that a reader may know of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ichiba.dsl.world.kinds import number
from ichiba.interpreter.sight.views import member_called

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

EFFECTS = ("moved", "paid", "set")


def effect_words(game: Game, item: Mapping[str, object]) -> str:
    """`2 × red: bag → seat 2's hand`, `¥300: seat 1's cash → seat 2's cash`, `round: 1 → 2`."""
    if item["event"] == "set":
        was = f"{_shown(item['before'])} → " if "before" in item else ""
        return f"{place_called(game, str(item['what']))}: {was}{_shown(item['value'])}"
    ways = [place_called(game, str(item[end])) if end in item else "" for end in ("from", "to")]
    return f"{_goods(game, item)}: {' → '.join(ways).strip()}"


def _goods(game: Game, item: Mapping[str, object]) -> str:
    if item["event"] == "paid":
        return game.words.show(int(str(item["amount"])), number(str(item["what"])))
    what = str(item["what"])
    name = game.text(f"name.{what}") or what.replace("_", " ")
    return f"{item['count']} × {name}" if item["count"] != 1 else name


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nobody" if value is None else str(value).replace("_", " ")


def place_called(game: Game, name: str) -> str:
    """`seat.hand/2` is `seat 2's hand`, `table.bag` is `bag`."""
    full, *at = name.split("/")
    owner, _, own = full.partition(".")
    member = member_called(game, full)
    called = game.text(f"name.{own}") or own.replace("_", " ")
    whose, index = (at[:1], at[1:]) if len(member.dims) > len(member.index) else ([], at)
    head = f"{game.text('name.seat') or 'seat'} {whose[0]}'s " if owner == "seat" and whose else ""
    if whose and not head:
        head = f"{owner.replace('_', ' ')} {whose[0]}'s " if whose[0].isdigit() else f"{whose[0].replace('_', ' ')}'s "
    return f"{head}{called}{' · ' + ' '.join(index).replace('_', ' ') if index else ''}"


__all__ = ["EFFECTS", "effect_words", "place_called"]
