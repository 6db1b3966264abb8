"""What is told of effects: everything that a reader sees change, and nothing else; and it is told without playing again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ichiba
from ichiba.dsl.world.world import Member, indexes
from ichiba.interpreter.sight import chronicle
from ichiba.interpreter.sight.effects import effects_for
from ichiba.interpreter.sight.views import value_in_view, view_of
from tests.conftest import Tally
from tests.language.tiny import ruleset
from tests.properties.tables import HEAVY, Setting, chosen, every, loaded, plain

RULES = """\
add to seat:
    counter mood: 0 .. 9, hidden from others
    zone chest of gem, hidden from others, uncounted
    zone laid of gem

add to table:
    zone cellar of gem, face down

setup: move 2 red from bag to cellar

play:
    repeat 3 times:
        take one turn each from seat(1): turn

procedure turn:
    menu acts:
        option gain "Gain":
            gain $2 from bank
            raise my.mood by 1
        option pay "Pay" when my.cash > $0: pay $1 to next_seat(me)
        option dig "Dig" when cellar is not empty: draw 1 gem from cellar to my.chest
        option lay "Lay":
            each s in seats secretly:
                choose g in s.hand "Which?": move g to s.laid
                else: nothing
                choose ready from 0 to 1 "Ready?"
            reveal seat.laid
        option hand "Hand": move 1 red from bag to my.hand
        option keep "Keep" when my.hand is not empty: move all my.hand to my.chest
"""


def table_of(folder: Path, seats: int = 2) -> ichiba.Table:
    return ichiba.load(ruleset(folder, {"play.rules": RULES}), seats, trust=True).start(seed=3)


def told(table: ichiba.Table, seat: int | None, since: int) -> list[str]:
    """Short: what happened, in one word and its values."""
    names = ("what", "count", "amount", "before", "value", "key", "from", "to")
    return [" ".join([str(item["event"]), *(f"{name}={item[name]}" for name in names if name in item)]) for item in table.story(seat, since)]


def test_money_pieces_and_counters_are_told_to_whoever_may_see_them(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    begun = {seat: len(table.story(seat)) for seat in (None, 1, 2)}
    assert told(table, 2, 0) == ["moved what=red count=2 from=table.bag to=table.cellar"], "that it was red all have seen: the bag is open"
    table.play("gain")
    open_to_all = ["decision key=gain", "paid what=coin amount=2 to=seat.cash/1"]
    assert told(table, 1, begun[1]) == [*open_to_all, "set what=seat.mood/1 before=0 value=1"]
    assert told(table, 2, begun[2]) == told(table, None, begun[None]) == open_to_all
    since = len(table.story(2))
    table.play("dig")
    assert told(table, 2, since) == [
        "decision key=dig", "chance what=draw key=draw/red", "moved what=red count=1 from=table.cellar to=seat.chest/2",
    ]  # fmt: skip
    assert told(table, 1, len(table.story(1)) - 1) == ["moved what=gem count=1 from=table.cellar"], "how many are in the chest nobody else sees"
    since = len(table.story(None))
    table.play("pay")
    assert told(table, None, since) == ["decision key=pay", "paid what=coin amount=1 from=seat.cash/1 to=seat.cash/2"]


def test_what_is_done_in_secret_others_hear_of_when_it_is_revealed(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    table.play("hand")
    table.play("hand")
    table.play("lay")
    since = {seat: len(table.story(seat)) for seat in (1, 2)}
    table.play("g/red", seat=2)
    assert told(table, 2, since[2]) == ["decision key=g/red", "moved what=red count=1 from=seat.hand/2 to=seat.laid/2"]
    assert told(table, 1, since[1]) == []
    table.play("ready/1", seat=2)
    table.play("g/red", seat=1)
    table.play("ready/0", seat=1)
    heard = told(table, 1, since[1])
    assert "moved what=red count=1 from=seat.hand/1 to=seat.laid/1" in heard[:2]
    assert "moved what=red count=1 from=seat.hand/2 to=seat.laid/2" in heard[2:]
    assert sum("seat.laid/2" in line for line in heard) == 1


def test_events_go_on_where_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played twice; what was taken back has not happened."""
    table = table_of(tmp_path)
    begun: list[object] = []
    begin = chronicle.Chronicle._begin
    monkeypatch.setattr(chronicle.Chronicle, "_begin", lambda self, table: begun.append(begin(self, table)))
    parts = table.events()
    for key in ("gain", "gain", "pay", "hand", "dig"):
        table.play(key)
        parts += table.events(len(parts))
        assert parts == table.events() and [item["number"] for item in parts] == list(range(1, len(parts) + 1))
    assert len(begun) == 1
    other = table.copy()
    table.undo(2)
    assert table.events() == parts[: len(table.events())] and other.events() == parts and len(begun) == 3
    other.rekey(8)
    assert other.events() == parts, "what has happened stays"
    cast_items: Any = table.events()
    cast_items[-1]["what"] = "spoilt"
    assert table.events()[-1]["what"] != "spoilt"


def test_paths_say_after_which_answer_it_came_but_not_after_a_secret_one(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    for key in ("hand", "hand", "lay"):
        table.play(key)
    for seat in (2, 1):
        table.play("g/red", seat=seat)
        table.play("ready/1", seat=seat)
    paths = {str(item["what"]): item["path"] for item in table.events() if item["event"] == "moved"}
    assert paths == {"red": ""} and [item["path"] for item in table.events() if item.get("to") == "seat.hand/1"] == ["hand"]


# ---------------------------------------------------------------------------------- of every ruleset


def places(game: ichiba.Game) -> Iterator[tuple[Member, tuple[int, ...], str]]:
    """All that a view holds, pieces one by one left out: each place with its name."""
    known = effects_for(game)
    for member in known.hiding:
        kind = game.world.kinds.get(member.owner)
        if kind is None or kind.root != "piece":
            for at in indexes(member):
                yield member, at, known.name(member.place(at))


def seen_at(game: ichiba.Game, view: dict[str, Any], member: Member, at: tuple[int, ...]) -> object:
    """A board lies somewhere, like a piece; what is on it stands among the things. Money that is set aside is told of while there is some."""
    if member.promise:
        return view["seats"][str(at[0] + 1)].get(member.name, 0)
    kind = game.world.kinds.get(member.owner)
    if kind is None or kind.root != "board":
        return value_in_view(game, view, member, at)
    thing, found = game.world.thing(at[0]), view["things"]
    for name in (f"{thing.kind} {thing.name}", member.name, *(game.world.name_of(*one) for one in zip(at[1:], member.index, strict=True))):
        found = found[name]
    return found


def names_in(value: object) -> object:
    """What lies in a zone, without what the pieces there remember: that is told by their own names."""
    return {name: 1 if isinstance(of, dict) else of for name, of in value.items()} if isinstance(value, dict) else value


@every(plain())
def test_whatever_a_reader_sees_change_it_has_been_told(setting: Setting, tally: Tally) -> None:
    """A reveal is told by what it names; until the next answer it is seen, and then hidden again."""
    game, random = loaded(setting), Random(5)
    table, everywhere = game.start(seed=5), list(places(game))
    readers: list[int | None] = [None, 1, game.seats]
    seen = {seat: view_of(table, seat, log=False) for seat in readers}
    heard = {seat: len(table.story(seat)) for seat in readers}
    shown: dict[int | None, set[str]] = {seat: set() for seat in readers}
    for _ in range(6 if setting.ruleset in HEAVY else 25):
        if table.over:
            break
        seat, place = chosen(table, random)
        table.play(place, seat=seat)
        for reader in readers:
            new, items = view_of(table, reader, log=False), table.story(reader, heard[reader])
            named = {str(item[name]) for item in items for name in ("what", "from", "to") if name in item}
            revealed = {str(item["what"]) for item in items if item["event"] == "reveal"}
            for member, at, name in everywhere:
                was, now = (names_in(seen_at(game, view, member, at)) for view in (seen[reader], new))
                if was != now and member.full_name not in revealed | shown[reader]:
                    assert name in named, f"{reader} sees {name} change from {was} to {now}, and is not told"
                    tally(changes=1)
            seen[reader], heard[reader], shown[reader] = new, heard[reader] + len(items), revealed
