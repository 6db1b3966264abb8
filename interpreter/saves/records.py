"""Saves, replays, logs and scripts: a game is its seed and its answers, and everything else follows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ichiba.dsl.faults.fault import RulesetFaults, echoed
from ichiba.dsl.files.writing import write_whole
from ichiba.interpreter.elsewhere import kept_as
from ichiba.interpreter.layout import LOADED, PC
from ichiba.interpreter.run.decisions import IllegalMove
from ichiba.interpreter.run.distinct import held_apart, may_share
from ichiba.interpreter.run.race import draw_instead, is_race, may_answer, waits
from ichiba.interpreter.run.table import as_given
from ichiba.interpreter.runtime.chance import Told
from ichiba.interpreter.runtime.runtime import RuleFault, Unmet
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.saves.saved import Saved, SaveFault, read_save, written
from ichiba.interpreter.saves.teller import Teller, answer_items, decision_item

__all__ = [
    "Block", "Replay", "SaveFault", "Teller", "canonical", "content_of", "decision_item", "items_of_answer", "load_save", "log_of",
    "play_again_with_todays_rules", "replayed",
    "ruleset_hash", "save", "scripted", "told", "told_last", "without_secret_answers",
]  # fmt: skip

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table
    from ichiba.interpreter.saves.again import Again


class Replay:
    """A game played again with everything told."""

    @in_turn
    def __init__(self, game: Game, seed: int | str, script: Sequence[str] = (), teller: Teller | None = None):
        self.game = game
        self.teller = teller or Teller(game, game.chance_words(seed), script)
        self.code = self.teller.code
        self.state = game.first[:]
        self.teller.begin(self.state)
        self.codes: Any = self.code.run(self.state, self.teller, self.code.START)

    @in_turn
    def answer(self, seat: int, code: int) -> None:
        state, code_module = self.state, self.code
        site = self.game.flow.sites[state[PC]]
        if site.secret is not None:
            if seat < 0:
                seat = state[LOADED] - 1
            site = self.game.flow.sites[self.game.take_up(code_module, state, seat)]
        elif seat < 0:
            seat = self.game.seat_of(site, state)
        elif is_race(site):
            draw_instead(self.game, site, state, seat)
        if may_share(self.game, site):  # what is written down has to say which answer it was
            codes = code_module.OPTIONS[site.number](state)
            held_apart(self.game, site, codes, [self.game.explainer.key(site, one, state) for one in codes], state)
        self.teller.write_down(site, seat, code, state)
        self.codes = code_module.step(state, self.teller, code)
        lowest = self.game.lowest_waiting(state)
        if lowest is not None and lowest != state[LOADED] - 1:
            self.codes = code_module.OPTIONS[self.game.take_up(code_module, state, lowest)](state)


def told(table: Table) -> Replay:
    """The table's game from the beginning, with everything told."""
    replay = Replay(table.game, table.seed, table.script)
    for given in table.given:
        cast(Any, given)(replay)
    for seat, code in table.history:
        replay.answer(seat, code)
    return replay


def told_last(table: Table) -> list[dict[str, object]]:
    """What has happened since the last answer, itself included; before the first one, since the beginning. Who waits in a
    race does so unseen, so that is no answer."""
    if not table.history:
        return told(table).teller.items
    before = replayed(table, table.history[:-1])
    if waits(table.game, before.site, table.history[-1][1]):
        return _told_since_all_heard(table)
    teller = before.context.fork() if before.script else Teller(table.game, before.context.words)
    assert isinstance(teller, Teller)
    before.listen(teller)
    _again(before, *table.history[-1])
    return teller.items


def _told_since_all_heard(table: Table) -> list[dict[str, object]]:
    """What has happened since the last answer that was not given unseen in a race."""
    replay = Replay(table.game, table.seed, table.script)
    for given in table.given:
        cast(Any, given)(replay)
    since = 0
    for seat, code in table.history:
        if not waits(table.game, table.game.flow.sites[replay.state[PC]], code):
            since = len(replay.teller.items)
        replay.answer(seat, code)
    return replay.teller.items[since:]


def items_of_answer(game: Game, before: list[int], seat: int, code: int) -> list[dict[str, object]]:
    """What the log says of an answer that was given in this position; `seat` -1: the one whose answers are in work."""
    site = game.flow.sites[before[PC]]
    state = before[:]
    if site.secret is None:
        seat = game.seat_of(site, before) if seat < 0 else seat
        if is_race(site):
            draw_instead(game, site, state, seat)
        return answer_items(game, site, seat, code, state)
    seat = state[LOADED] - 1 if seat < 0 else seat
    return answer_items(game, game.flow.sites[game.take_up(game.code, state, seat)], seat, code, state)


def log_of(table: Table) -> list[dict[str, object]]:
    """The log, numbered; a finished game ends with its scores and its ending."""
    items = told(table).teller.items
    if table.over:
        items = [*items, ending(table)]
    return [{"number": number, **item} for number, item in enumerate(items, 1)]


def ending(table: Table) -> dict[str, object]:
    """How a game has ended, as the last entry of its log has it."""
    scores = {str(seat): points for seat, points in table.scores.items()}
    return {"event": "end", "ending": table.ending, "scores": scores, "audience": "all"}


def replayed(table: Table, history: list[tuple[int, int]]) -> Table:
    """A table of the same seed with these answers."""
    from ichiba.interpreter.run.table import Table as Made

    if table.script or table.given:
        replay = Replay(table.game, table.seed, table.script)
        for given in table.given:
            cast(Any, given)(replay)
        for seat, code in history:
            replay.answer(seat, code)
        new = Made(table.game, table.seed, table.script)
        new.given = table.given
        new.state, new.history, new.codes = replay.state, list(history), replay.codes
        if table.script:
            new.listen(replay.teller)
        else:
            new.state = table.game.code.held(replay.state)
        return new
    new = Made(table.game, table.seed).begin()
    for seat, code in history:
        _again(new, seat, code)
    return new


def without_secret_answers(table: Table, seat: int) -> Table:
    """The same game, but for what a seat has said in the secret block that is running."""
    history = table.history
    begun = Block.of(table).begun
    kept = list(history[:begun])
    table_then = replayed(table, kept)
    for answered, code in history[begun:]:
        asked = table_then.game.lowest_waiting(table_then.state) if answered < 0 else answered
        if asked is not None and asked != seat:
            kept.append((asked, code))
        _again(table_then, answered, code)
    return replayed(table, kept)


class Block:
    """The secret block that is running, as answers come: after how many of them it began. The same one may have been over just before."""

    def __init__(self, table: Table):
        self.begun, self.fresh = len(table.history), _stand(table)
        self.stands = self.fresh

    @staticmethod
    def of(table: Table) -> Block:
        """For a game that has begun before: it is gone through from its beginning."""
        then = replayed(table, [])
        found = Block(then)
        for seat, code in table.history:
            _again(then, seat, code)
            found.answered(then)
        return found

    def answered(self, table: Table) -> None:
        """There was an answer at this table."""
        before, now, seat = self.stands, _stand(table), table.history[-1][0]
        seat = min(before, default=-1) if seat < 0 else seat
        left = {one: at for one, at in before.items() if one != seat}
        goes_on = bool(before) and now in ({**left, seat: now.get(seat)}, left) and (left or now != self.fresh)
        if not (goes_on and now):
            self.begun, self.fresh = len(table.history), now
        self.stands = now

    def said(self, table: Table, seat: int) -> bool:
        """Whether this seat (from 0) has answered in it."""
        return any(whose == seat for whose, _ in table.history[self.begun :])


def _stand(table: Table) -> dict[int, int | None]:
    """In a secret block: the seats that are not done, and where each of them is."""
    site = table.site
    if site is None or site.secret is None:
        return {}
    state, secret = table.state, site.secret
    return {
        seat: state[PC] + 1 if state[LOADED] == seat + 1 else state[secret.waiting + seat]
        for seat in table.game.waiting_seats(state)
    }


def _again(table: Table, seat: int, code: int) -> None:
    site = table.site
    if site is None:
        raise IllegalMove("the game is over")
    if seat >= 0 and site.secret is not None:
        table.game.take_up(table.game.code, table.state, seat)
    elif seat >= 0 and is_race(site):
        draw_instead(table.game, site, table.state, seat)
    state = table.state
    table.history.append(as_given(seat, code))
    table.codes = table._step(state, table.context, code)
    table._lowest_first()


def scripted(game: Game, seed: int | str, script: tuple[str, ...]) -> Table:
    """A table whose first chance events are given; an impossible one is refused."""
    from ichiba.interpreter.run.table import Table as Made

    replay = Replay(game, seed, script)
    table = Made(game, seed, script)
    table.state = replay.state
    table.listen(replay.teller)
    table.codes = replay.codes
    return table


# ---------------------------------------------------------------------------------------------- saves


def ruleset_hash(game: Game) -> str:
    """The files of a ruleset as one word."""
    total = hashlib.sha256()
    for source in sorted(game.box.sources, key=lambda s: s.path):
        total.update(source.path.encode())
        total.update(source.text.encode())
    return total.hexdigest()[:16]


def save(table: Table, path: Path, bots: Mapping[int, str] | None = None) -> None:
    """Seed and answers by their keys, with the ruleset's name and hash, and who sits there besides people; written whole
    or not at all."""
    write_whole(path, written(content_of(table, bots)))


def content_of(table: Table, bots: Mapping[int, str] | None = None, broken: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What is needed to come to this position again; `broken`: why the game went no further, and at which answer."""
    game = table.game
    if table.given:
        raise SaveFault("a table that was set up by hand cannot be saved")
    return {
        "game": game.name,
        "folder": None if _is_own(game) else str(game.folder),
        "ruleset": ruleset_hash(game),
        "layout": game.layout.signature,
        "seats": game.seats,
        "modules": [kept_as(module) for module in game.config.modules],
        "variants": list(game.config.variants),
        "options": dict(game.config.options),
        "assumptions": dict(game.config.assumptions),
        "lang": game.lang,
        "seed": table.seed,
        "chance": list(table.script),
        "answers": [[seat + 1, code] for seat, code in table.history],
        "state": _digest(table),
        **_in_words(table),
        **({} if bots is None else {"bots": {str(seat): name for seat, name in bots.items()}}),
        **({} if broken is None else {"broken": dict(broken)}),
    }


def _in_words(table: Table) -> dict[str, object]:
    """What is needed to go on with other rules; a game that was set up by hand has no beginning to be played from."""
    from ichiba.interpreter.saves.again import facts_of, spelled

    return {} if table.given else {"played": [list(one) for one in spelled(table)], "facts": facts_of(table)}


def _digest(table: Table) -> str:
    return hashlib.sha256(json.dumps(list(table.state)).encode()).hexdigest()[:16]


def _is_own(game: Game) -> bool:
    from ichiba.interpreter.api import rulesets

    return game.name in rulesets() and rulesets()[game.name] == game.folder


def load_save(path: Path, load: Callable[..., Game]) -> Table:
    """Read a save, load its ruleset, and play its answers again: each by the seat that was asked, each one that was
    offered. Raises `SaveFault`."""
    saved, name = read_save(path), echoed(path.name)
    game = _game_of(saved, name, load)
    if ruleset_hash(game) != saved.ruleset or game.layout.signature != saved.layout:
        return _with_other_rules(game, saved, name)
    number = 0
    try:
        table = game.start(saved.seed, saved.chance)
        for number, (seat, code) in enumerate(saved.answers, 1):
            wrong = _not_possible(table, seat - 1, code)
            if wrong:
                raise SaveFault(f"{name} {_why_otherwise(saved)}: answer {number} {wrong}")
            _again(table, seat - 1, code)
    except (RuleFault, Unmet, Told, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as fault:
        words = echoed(str(fault), 200)
        raise SaveFault(f"{name} cannot be played again (after {max(0, number - 1)} answers): {words}") from None
    if _digest(table) != saved.state:
        raise SaveFault(f"{name} does not lead to the position it was saved in: it {_why_otherwise(saved)}")
    return table


def _with_other_rules(game: Game, saved: Saved, name: str) -> Table:
    """A game that was played with other rules than there are now, or by another Ichiba: it goes on where it is the same."""
    from ichiba.interpreter.saves.again import play_again

    if ruleset_hash(game) != saved.ruleset:
        other, here = f"another version of `{saved.game}`", f" ({saved.ruleset}; here it is {ruleset_hash(game)})"
    else:
        other, here = f"another version of Ichiba, which kept `{saved.game}` in other places", ""
    back = other.partition(",")[0].removeprefix("another ").replace(f"`{saved.game}`", "the ruleset")
    if not saved.played:
        raise SaveFault(f"{name} was played with {other}{here}: go back to that {back} to resume it")
    again = play_again(game, saved, name)
    if again.same:
        return again.table
    raise SaveFault(
        f"{name} was played with {other}{here}, and is another game with this one: {again.words}; go back to that {back} to resume it, "
        "or keep what can be kept with `ichiba replay FILE --upgrade`"
    )


def play_again_with_todays_rules(path: Path, load: Callable[..., Game]) -> Again:
    """How far a saved game can be played again by its answers in words. Raises `SaveFault`."""
    from ichiba.interpreter.saves.again import play_again

    saved, name = read_save(path), echoed(path.name)
    if not saved.played:
        raise SaveFault(f"{name} was kept by an Ichiba that did not write answers down in words: it goes on with its own rules alone")
    again = play_again(_game_of(saved, name, load), saved, name)
    if again.same:  # in words; whether it is so by the numbers of its answers as well is seen by going on with it
        load_save(path, load)
    return again


def _why_otherwise(saved: Saved) -> str:
    """Why the same rules and the same answers are not the same game."""
    if saved.older:
        return "was played with an earlier Ichiba, which asked where this one skips (go back to it to resume it), or has been edited"
    return "is damaged or has been edited"


def _game_of(saved: Saved, name: str, load: Callable[..., Game]) -> Game:
    """The game that a save was played with."""
    from ichiba.interpreter.api import UnknownRuleset

    try:
        game = load(
            saved.folder or saved.game, saved.seats, modules=saved.modules, variants=saved.variants,
            options=saved.options, assumptions=saved.assumptions, lang=saved.lang,
        )  # fmt: skip
    except UnknownRuleset:
        raise SaveFault(f"{name} is a game of `{saved.game}`, which is no longer in {echoed(saved.folder or 'Ichiba')}") from None
    except RulesetFaults as faults:
        first = next((fault for fault in faults.faults if fault.severity == "error"), None)
        words = f"{first.message}{f' ({first.label})' if first.label else ''}" if first is not None else str(faults)
        raise SaveFault(f"{name} is a game of `{saved.game}`, which cannot be set up as it says: {words}") from faults
    if game.name != saved.game:
        raise SaveFault(f"{name} is a game of `{saved.game}`, but in {echoed(str(saved.folder))} lies `{game.name}`")
    return game


def _not_possible(table: Table, seat: int, code: int) -> str:
    """Why an answer cannot have been given here; nothing if it can. Seat -1: the lowest that is asked."""
    site, game = table.site, table.game
    if site is None:
        return "comes after the end of the game"
    asked = [game.seat_of(site, table.state)] if site.secret is None else game.waiting_seats(table.state)
    quick = dict(may_answer(game, site, table.state, table.codes)) if is_race(site) else {}
    if seat != -1 and seat not in asked and seat not in quick:
        return f"is by seat {seat + 1}, who is not asked there"
    codes = quick.get(seat, table.codes)
    if seat != -1 and site.secret is not None:
        state = table.state_for(seat)
        codes = game.code.OPTIONS[state[PC]](state)
    return "" if code in codes else "is none of those that were offered"


def canonical(table: Table) -> tuple[int, ...]:
    """The state with what does not matter taken out: the answers in work, the places of variables that are done."""
    state = table.state[:]
    state[1] = 0
    return tuple(state)
