"""What others did in a race, unseen, imagined anew: who was drawn when, and who has waited.

What a seat knows of a race is its own answer, and the one that ended it. So the others are put into any order that fits
this: whoever comes before the last answer has waited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ichiba.dsl.rules import ir
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.layout import PC
from ichiba.interpreter.run.race import draw_instead, is_race, may_answer, seats_left
from ichiba.interpreter.sight.witness import Answer, word_for

if TYPE_CHECKING:
    from ichiba.interpreter.sight.imagine import Try


class NoSuchRace(Exception):
    """Somebody else is asked, or something else."""


def play_race(played: Try, at: int) -> int:
    """A race, or as much of it as the seat knows of; which answer comes after it."""
    past, answers = played.past, played.past.answers
    end = at + 1
    while end < len(answers) and answers[end].race == answers[at].race:
        end += 1
    own = next((answer for answer in answers[at:end] if answer.seat == past.seat), None)
    last = answers[end - 1]
    if not last.waits:
        for seat in _before(played, last, own):
            _wait(played, seat)
        _answer(played, last)
    elif end < len(answers) or not past.racing:
        for seat in _in_any_order(played, _asked(played)):
            _wait(played, seat)
    elif own is not None:
        _wait(played, own.seat)
    return end


def race_on(played: Try) -> None:
    """In a race that is running some of the others may have waited. Where the seat itself is asked, it is drawn now."""
    state = played.replay.state
    if state[PC] < 0 or not is_race(played.game.flow.sites[state[PC]]):
        return
    asked = _asked(played)
    others = _in_any_order(played, [seat for seat in asked if seat != played.past.seat])
    number = played.dice.below(len(others) + (played.past.seat in asked))
    for seat in others[:number]:
        _wait(played, seat)
    _draw(played, played.past.seat if played.past.seat in asked else others[number])


def _before(played: Try, last: Answer, own: Answer | None) -> list[int]:
    """Who has waited before the race was won: the seat itself exactly if it has."""
    seat = played.past.seat
    order = _in_any_order(played, [other for other in _asked(played) if other not in (seat, last.seat)])
    before = order[: played.dice.below(len(order) + 1)]
    return [seat, *before] if own is not None and own.waits else before


def _in_any_order(played: Try, seats: list[int]) -> list[int]:
    made = list(seats)
    for i in range(len(made) - 1):
        j = i + played.dice.below(len(made) - i)
        made[i], made[j] = made[j], made[i]
    return made


def _site(played: Try) -> Site:
    state = played.replay.state
    site = played.game.flow.sites[state[PC]] if state[PC] >= 0 else None
    if site is None or not is_race(site):
        raise NoSuchRace
    return site


def _asked(played: Try) -> list[int]:
    return [seat for seat, _ in may_answer(played.game, _site(played), played.replay.state, played.replay.codes)]


def _wait(played: Try, seat: int) -> None:
    site = _site(played)
    assert isinstance(site.decide, ir.Decide)
    if seat not in _asked(played):
        raise NoSuchRace
    played.answer(seat, played.game.code_of(site, len(site.decide.options) - 1, []))


def _answer(played: Try, answer: Answer) -> None:
    offered = dict(may_answer(played.game, _site(played), played.replay.state, played.replay.codes))
    if _site(played) is not answer.site or answer.seat not in offered:
        raise NoSuchRace
    state = played.replay.state[:]
    draw_instead(played.game, answer.site, state, answer.seat)
    played.answer(answer.seat, played.meant(answer, offered[answer.seat], state))


def _draw(played: Try, seat: int) -> None:
    """The last chance event of all is this one: it brings this seat."""
    site, state = _site(played), played.replay.state
    left = seats_left(played.game, site, state)
    played.teller.told_words[-1] = word_for(left.index(seat), len(left))
    draw_instead(played.game, site, state, seat)
    played.replay.codes = played.replay.code.OPTIONS[site.number](state)


__all__ = ["NoSuchRace", "play_race", "race_on"]
