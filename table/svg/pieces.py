"""The pieces of a game as they come out of the box: what is printed on each, how many there are, and as what one would make them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Sort
from ichiba.interpreter.sight.views import hiding_word
from ichiba.table.scene.boards import Boards, Fact
from ichiba.table.scene.spelling import Cell, words_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Form = Literal["card", "ticket", "token"]


@dataclass(frozen=True, slots=True)
class Piece:
    """All pieces of one sort."""

    family: str
    name: str
    sign: Cell
    facts: tuple[Fact, ...]
    count: int
    form: Form
    owner: Cell = ()  # the seat whose it is
    colour: str = ""


def pieces_of(game: Game, boards: Boards) -> list[Piece]:
    """Every sort that is in the box; boards are no pieces."""
    speller, world = boards.speller, game.world
    forms = _Forms(game)
    found = []
    for sort in world.sorts:
        if not sort.number or sort.family not in world.families or _is_board(game, sort):
            continue
        name = game.words.show(sort.id, Kind("sort"))
        drawn = speller.drawn_name(sort.full_name, name, sort.name, sort.family)
        owner = speller.seat(sort.owner + 1) if sort.owner is not None else ()
        found.append(Piece(
            speller.name(sort.family), name, drawn if words_of(drawn) != name else (), tuple(_facts(game, boards, sort)), sort.number,
            forms.of(sort), owner, next((colour for _, colour in drawn if colour), ""),
        ))  # fmt: skip
    return found


def _is_board(game: Game, sort: Sort) -> bool:
    return any(thing.sort == sort.id and game.world.kinds[thing.kind].root == "board" for thing in game.world.things)


def _facts(game: Game, boards: Boards, sort: Sort) -> Iterator[Fact]:
    """What is printed on it: its properties, but for the thing it is named after."""
    for families in game.world.sort_fields.values():
        field = families.get(sort.family)
        if field is None or field.kind.form == "thing" and field.values.get(sort.id) == sort.thing or field.kind.form == "seat":
            continue
        fact = boards.fact(field, field.values.get(sort.id))
        if fact is not None and words_of(fact.cell) != "0":
            yield fact


class _Forms:
    """Cards are what somebody holds unseen, and what is called so; a ticket is one of a kind; all else is a token."""

    def __init__(self, game: Game):
        hands = [member for member in game.world.seat.values() if member.form == "zone" and hiding_word(game, member) == "hidden"]
        self.unseen = {id for member in hands for id in member.sorts} | set(game.world.categories.get("card", ()))

    def of(self, sort: Sort) -> Form:
        return "card" if sort.id in self.unseen else "ticket" if sort.individual else "token"


__all__ = ["Piece", "pieces_of"]
