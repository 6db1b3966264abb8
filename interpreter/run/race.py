"""A race: a question that several seats may answer. One of them is drawn and asked; any other may be quicker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ichiba.dsl.rules import ir
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.layout import PC

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

LEFT, WAITED = 1, 2  # what stands for a seat of the set


def is_race(site: Site | None) -> bool:
    return site is not None and isinstance(site.decide, ir.Decide) and site.decide.left is not None


def waits(game: Game, site: Site | None, code: int) -> bool:
    """Whether this answer leaves a race to the others."""
    if site is None or not is_race(site):
        return False
    assert isinstance(site.decide, ir.Decide)
    return game.explainer.decode(site, code)[0] == len(site.decide.options) - 1


def seats_of(game: Game, site: Site, state: list[int]) -> list[int]:
    """Everybody who was asked at the beginning: in the eyes of the others they are pending until it is over."""
    return [seat for seat, stands in enumerate(_row(game, site, state)) if stands]


def seats_left(game: Game, site: Site, state: list[int]) -> list[int]:
    """Those who have not waited."""
    return [seat for seat, stands in enumerate(_row(game, site, state)) if stands == LEFT]


def _row(game: Game, site: Site, state: list[int]) -> list[int]:
    assert isinstance(site.decide, ir.Decide) and site.decide.left is not None
    first = game.layout.slots[site.decide.left]
    return state[first : first + game.seats]


def draw_instead(game: Game, site: Site, state: list[int], seat: int) -> None:
    """From now on this seat is the one that was drawn: it has been quicker."""
    assert isinstance(site.decide, ir.Decide) and isinstance(site.decide.seat, ir.Use)
    state[game.layout.slots[site.decide.seat.var]] = seat


def ask_instead(game: Game, state: list[int], seat: int) -> None:
    """Where several may answer, in secret or in a race, it is this seat that is asked."""
    site = game.flow.sites[state[PC]] if state[PC] >= 0 else None
    if site is not None and site.secret is not None:
        game.take_up(game.code, state, seat)
    elif site is not None and is_race(site):
        draw_instead(game, site, state, seat)


def may_answer(game: Game, site: Site, state: list[int], codes: Any) -> list[tuple[int, Any]]:
    """Who may answer now, and what: the drawn seat first, whose answers these are. Who could only wait will wait by
    itself, unless that would tell something."""
    drawn = game.seat_of(site, state)
    found = [(drawn, codes)]
    assert isinstance(site.decide, ir.Decide)
    for seat in seats_left(game, site, state):
        if seat != drawn:
            own = state[:]
            draw_instead(game, site, own, seat)
            its = game.code.OPTIONS[site.number](own)
            if len(its) > 1 or site.decide.never_skip:
                found.append((seat, its))
    return found


__all__ = ["draw_instead", "is_race", "may_answer", "seats_left", "seats_of", "waits"]
