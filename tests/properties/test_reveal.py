"""`reveal` opens what it names, and nothing else: for every kind of place that can be hidden, and every way to name it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ichiba
from ichiba.dsl.world.world import Config
from tests.language.tiny import check
from tests.validator.small import judged

GAME = """\
game: hiding_places
language: 2
seats: 3
units: {coin: {}}
sorts: {side: [left, right]}
pieces:
  gem: {in: heap, sorts: {ruby: {}, opal: {}, jade: {}}, count: 40}
  crate: {individual: true, in: yard, sorts: {small: {count: 2}}}
things:
  lot: {count: 2}
  inn: {count: 1}
rules: |
  kind spot is thing:
      counter depth: 0 .. 9, hidden
  kind lot is spot:
      zone laid(s: seat) of gem, hidden from others
      zone under of gem, hidden
      counter price: 0 .. 9, hidden
      counter odds(s: seat): 0 .. 9, hidden from others
      remember keeper: seat or none
  kind inn is spot:
      counter beds: 0 .. 9
  kind crate is piece:
      counter weight: 0 .. 9, hidden
  seat:
      zone hand(side: side) of gem, hidden from others
      zone pocket of gem, hidden from others
      zone safe of gem, hidden from everyone
      purse cash: coin, hidden from others
      counter fame: 0 .. 9, hidden from others
      counter marks(side: side): 0 .. 9, hidden from others
      flag spy, hidden from others
      flag told(side: side), hidden from others
      remember friend: seat or none, hidden from others
  table:
      purse bank: coin, unlimited
      zone heap of gem, face down
      zone yard of crate
      zone vault of gem, hidden
      zone lair(s: seat) of gem, hidden from others
      counter omen: 0 .. 9, hidden
      counter signs(side: side): 0 .. 9, hidden
      purse pot: coin, hidden
      flag storm, hidden
      remember chief: seat or none
  setup:
      for each s in seats:
          move 2 ruby from heap to s.hand(left)
          move 1 opal from heap to s.hand(right)
          move 3 jade from heap to s.pocket
          move 1 jade from heap to s.safe
          move 2 opal from heap to lair(s)
          s gains 5 coin from bank
          set s.fame to 3
          set s.marks(left) to 2
          set s.marks(right) to 4
          mark s.spy
          mark s.told(left)
          set s.friend to next_seat(s)
          for each l in lots:
              move 1 ruby from heap to l.laid(s)
              set l.odds(s) to 6
      for each l in lots:
          move 1 opal from heap to l.under
          set l.price to 7
          set l.keeper to seat(position of l)
      for each p in spots: set p.depth to 8
      for each c in yard: set c.weight to 5
      move 2 jade from heap to vault
      set omen to 5
      set signs(left) to 5
      set signs(right) to 6
      pot gains 4 coin from bank
      mark storm
      set chief to seat(2)
  play:
      as seat(1): wait
      as seat(1):
          REVEAL
      as seat(1): wait
      as seat(1): wait
  procedure wait:
      menu waiting:
          option on "Go on": nothing
          option off "Go off": nothing
  procedure open_purse(s: seat): reveal s.cash
  procedure open_zone(z: zone of gem): reveal z
  procedure open_deep(s: seat, d: side):
      let o = next_seat(s)
      reveal o.hand(d)
  scoring:
      score for each seat: score "Fame" my.fame
"""

SEATS = ("1", "2", "3")


def hands(*seats: str) -> list[str]:
    return [f"seats.{s}.hand.{side}" for s in seats for side in ("left", "right")]


def of_seats(what: str, *seats: str) -> list[str]:
    return [f"seats.{s}.{what}" for s in seats or SEATS]


NAMED: dict[str, list[str]] = {
    # one zone, and several of one member
    "reveal my.hand(left)": of_seats("hand.left", "1"),
    "reveal my.hand": hands("1"),
    "reveal seat(2).hand": hands("2"),
    "reveal seat.hand": hands(*SEATS),
    "reveal hand of seat(3)": hands("3"),
    "reveal my.pocket": of_seats("pocket", "1"),
    "reveal pocket of chief": of_seats("pocket", "2"),
    "reveal my.safe": of_seats("safe", "1"),
    # several, of several members
    "reveal {my.hand, my.pocket}": [*hands("1"), *of_seats("pocket", "1")],
    "reveal {my.hand(left), seat(2).hand(right), lot(2).under}": [
        "seats.1.hand.left", "seats.2.hand.right", "things.lot 2.under",
    ],
    "reveal {my.cash, my.pocket, storm}": ["seats.1.cash", "seats.1.pocket", "table.storm"],
    # of things
    "reveal lot.laid": [f"things.lot {n}.laid.{s}" for n in (1, 2) for s in SEATS],
    "reveal lot(2).laid": [f"things.lot 2.laid.{s}" for s in SEATS],
    "reveal lot(2).laid(seat(3))": ["things.lot 2.laid.3"],
    "reveal lot(1).under": ["things.lot 1.under"],
    "reveal lot.under": ["things.lot 1.under", "things.lot 2.under"],
    "reveal lot.price": ["things.lot 1.price", "things.lot 2.price"],
    "reveal lot(1).price": ["things.lot 1.price"],
    "reveal lot(1).odds": [f"things.lot 1.odds.{s}" for s in SEATS],
    "reveal lot.odds": [f"things.lot {n}.odds.{s}" for n in (1, 2) for s in SEATS],
    "reveal lot.depth": ["things.lot 1.depth", "things.lot 2.depth"],
    "reveal spot.depth": ["things.lot 1.depth", "things.lot 2.depth", "things.inn 1.depth"],
    "reveal inn.depth": ["things.inn 1.depth"],
    "for each c in yard: reveal c.weight": ["table.yard.small_1.weight", "table.yard.small_2.weight"],
    # numbers, flags, memories, purses
    "reveal my.cash": of_seats("cash", "1"),
    "reveal cash of seat(2)": of_seats("cash", "2"),
    "reveal seat.cash": of_seats("cash"),
    "reveal my.fame": of_seats("fame", "1"),
    "reveal seat.fame": of_seats("fame"),
    "reveal my.marks": of_seats("marks.left", "1") + of_seats("marks.right", "1"),
    "reveal marks of seat(2)": of_seats("marks.left", "2") + of_seats("marks.right", "2"),
    "reveal my.marks(right)": of_seats("marks.right", "1"),
    "reveal seat.marks": of_seats("marks.left") + of_seats("marks.right"),
    "reveal my.spy": of_seats("spy", "1"),
    "reveal seat(2).told": of_seats("told.left", "2") + of_seats("told.right", "2"),
    "reveal seat(2).told(left)": of_seats("told.left", "2"),
    "reveal my.friend": of_seats("friend", "1"),
    # of the table
    "reveal heap": ["table.heap"],
    "reveal vault": ["table.vault"],
    "reveal table.vault": ["table.vault"],
    "reveal lair": [f"table.lair.{s}" for s in SEATS],
    "reveal lair(seat(2))": ["table.lair.2"],
    "reveal omen": ["table.omen"],
    "reveal signs": ["table.signs.left", "table.signs.right"],
    "reveal signs(right)": ["table.signs.right"],
    "reveal pot": ["table.pot"],
    "reveal storm": ["table.storm"],
    # for whoever it turns out to be
    "as seat(2): reveal my.hand": hands("2"),
    "let s = next_seat(me)\n          reveal s.hand": hands("2"),
    "let s = next_seat(me)\n          reveal s.hand(left)": of_seats("hand.left", "2"),
    "reveal next_seat(me).cash": of_seats("cash", "2"),
    "reveal lot(2).keeper.cash": of_seats("cash", "2"),
    "for each s in others: reveal s.hand(right)": of_seats("hand.right", "2", "3"),
    "for each s in others where s.fame > 9: reveal s.hand": [],
    "for each l in lots: reveal l.laid(l.keeper)": ["things.lot 1.laid.1", "things.lot 2.laid.2"],
    "let d = if omen = 5 then right else left\n          reveal my.hand(d)": of_seats("hand.right", "1"),
    "open_purse(seat(3))": of_seats("cash", "3"),
    "open_deep(me, left)": of_seats("hand.left", "2"),
    "open_zone(seat(2).pocket)": of_seats("pocket", "2"),
    "open_zone(lot(1).laid(seat(3)))": ["things.lot 1.laid.3"],
    "open_zone(vault)": ["table.vault"],
    "reveal (if omen = 5 then seat(2).pocket else my.pocket)": of_seats("pocket", "2"),
    "reveal (if omen = 6 then my.cash else seat(2).hand)": hands("2"),
}  # fmt: skip


LYING = {"ruby", "opal", "jade", "hidden"}


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Each place of a view by its path; what lies in a zone is one value."""
    if isinstance(value, dict) and not set(value) <= LYING:
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, value


def seen(table: ichiba.Table, seat: int | None) -> dict[str, object]:
    view: Any = table.view(seat)
    return {
        path: value
        for part in ("table", "seats", "things")
        for path, value in leaves(view[part], part)
    }  # fmt: skip


def truth(table: ichiba.Table, path: str) -> object:
    """What its owner sees there, or the state holds."""
    for seat in (1, 2, 3):
        value = seen(table, seat).get(path)
        if not is_hidden(value):
            return value
    return None


def is_hidden(value: object) -> bool:
    return value == "hidden" or isinstance(value, dict) and "hidden" in value


def game_with(folder: Path, reveal: str) -> ichiba.Table:
    (folder / "game.yaml").write_text(GAME.replace("REVEAL", reveal), encoding="utf-8")
    return ichiba.load(folder, trust=True).start(seed=1)


@pytest.mark.parametrize("reveal", NAMED)
def test_views_before_and_after_differ_exactly_in_what_was_named(reveal: str, tmp_path: Path) -> None:
    table = game_with(tmp_path, reveal)
    before = {seat: seen(table, seat) for seat in (None, 1, 2, 3)}
    table.play("on")
    for seat, was in before.items():
        now = seen(table, seat)
        assert set(now) == set(was)
        opened = {path for path in now if now[path] != was[path]}
        assert opened == {path for path in NAMED[reveal] if is_hidden(was[path])}, f"as seat {seat} sees it"
        assert not any(is_hidden(now[path]) for path in opened)
        assert all(now[path] == truth(table, path) for path in opened if truth(table, path) is not None)
    log: Any = [item for item in table.log if item["event"] == "reveal"]
    assert sum(len(item["values"]) for item in log) == len(NAMED[reveal])
    assert all(item["audience"] == "all" for item in log)
    table.play("on")
    assert {seat: seen(table, seat) for seat in before} == before, "seen until the next answer"


def test_several_are_opened_in_the_order_of_the_text(tmp_path: Path) -> None:
    table = game_with(tmp_path, "reveal {storm, my.pocket, lot(2).price, my.hand(right), pot}")
    table.play("on")
    told_of = [item["what"] for item in table.log if item["event"] == "reveal"]
    assert told_of == ["table.storm", "seat.pocket", "lot.price", "seat.hand", "table.pot"]


def test_every_member_that_can_be_hidden_is_named_by_some_form() -> None:
    named = {path.split(".")[2] if path.startswith(("seats", "things")) else path.split(".")[1] for form in NAMED.values() for path in form}
    declared = {
        line.split()[1].partition("(")[0].rstrip(":,")
        for line in GAME.splitlines()
        if ("hidden" in line or "face down" in line) and line.split()[0] in ("zone", "counter", "purse", "flag", "remember")
    }  # fmt: skip
    assert declared - {"weight"} <= named  # a crate's weight is told with the crate


SECRET = """\
game: covered
language: 2
seats: 3
sorts: {side: [left, right]}
pieces:
  gem: {in: heap, sorts: {ruby: {}, opal: {}}, count: 40}
things: {lot: {count: 2}}
rules: |
  kind lot is thing:
      zone laid(s: seat) of gem, hidden from others
  seat:
      zone hand of gem, hidden from others
      zone shown(side: side) of gem
      zone pocket(side: side) of gem, hidden from others
  table:
      zone heap of gem, face down
  setup:
      for each s in seats: move 5 ruby from heap to s.hand
      for each s in seats: move 5 opal from heap to s.hand
  play:
      each s in seats secretly:
          choose d in sides "Which side?":
              move 1 ruby from my.hand to my.shown(d)
              move 1 opal from my.hand to my.pocket(d)
              for each l in lots: move 1 ruby from my.hand to l.laid(s)
          WITHIN
      wait
      as seat(2):
          REVEAL
      wait
      wait
  procedure wait:
      as seat(1):
          menu waiting:
              option on "Go on": nothing
              option off "Go off": nothing
  scoring:
      score for each seat: score "Rubies" count of ruby in my.hand
"""

IN_SECRET: dict[str, set[str]] = {
    "reveal my.shown": {"seats.2.shown"},
    "reveal my.shown(left)": {"seats.2.shown.left"},
    "reveal seat(1).shown": {"seats.1.shown"},
    "reveal seat.shown": {"seats.1.shown", "seats.2.shown", "seats.3.shown"},
    "reveal my.pocket": {"seats.2.pocket"},
    "reveal my.pocket(right)": {"seats.2.pocket.right"},
    "reveal lot(1).laid": {"things.lot 1.laid"},
    "reveal lot(2).laid(seat(3))": {"things.lot 2.laid.3"},
    "let s = next_seat(me)\n          reveal s.pocket": {"seats.3.pocket"},
    "reveal {my.shown(left), my.pocket(left)}": {"seats.2.shown.left", "seats.2.pocket.left"},
}


def covered(folder: Path, reveal: str, within: str = "nothing") -> ichiba.Table:
    text = SECRET.replace("REVEAL", reveal).replace("WITHIN", within)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return ichiba.load(folder, trust=True).start(seed=1)


def contents(table: ichiba.Table, seat: int | None) -> dict[str, object]:
    """What a seat sees of what lies where: not how many pieces lie face down, which is open."""
    return {path: "hidden" if is_hidden(value) else value for path, value in seen(table, seat).items()}


@pytest.mark.parametrize("reveal", IN_SECRET)
def test_of_what_was_done_in_secret_only_what_was_named_is_opened(reveal: str, tmp_path: Path) -> None:
    table = covered(tmp_path, reveal)
    for acts in (1, 2, 3):
        table.play("d/left", seat=acts)
    before = {seat: contents(table, seat) for seat in (None, 1, 2, 3)}
    actual = {seat: contents(table, seat) for seat in (1, 2, 3)}
    table.play("on")
    for seat, was in before.items():
        now = contents(table, seat)
        opened = {path for path in now if now[path] != was[path]}
        named = {p for p in now if any(p == name or p.startswith(f"{name}.") for name in IN_SECRET[reveal])}
        acting = {name.split(".")[1] for name in IN_SECRET[reveal] if name.startswith("seats")} or set(SEATS)
        acting = {"3"} if reveal.endswith("laid(seat(3))") else acting
        also = {f"seats.{s}.shown.{side}" for s in acting for side in ("left", "right")}  # open, and done by that seat
        assert opened <= named | also, f"as seat {seat} sees it"
        for path in named:
            owner = path.split(".")[-1] if "laid" in path else path.split(".")[1]
            assert now[path] == actual[int(owner)][path]
    assert all(table.imagine(one, 5).view(one) == table.view(one) for one in (1, 2, 3))


def test_what_is_revealed_while_others_still_answer_is_only_what_was_named(tmp_path: Path) -> None:
    table = covered(tmp_path, "nothing", "reveal my.pocket\n          choose n from 0 to 1 \"Still?\"")
    before = contents(table, 3)
    table.play("d/left", seat=2)
    now = contents(table, 3)
    assert {p for p in now if now[p] != before[p]} == {"seats.2.pocket.left", "seats.2.pocket.right"}
    assert now["seats.2.pocket.left"] == {"opal": 1}


def test_an_answer_that_others_still_give_cannot_be_revealed(tmp_path: Path) -> None:
    check(tmp_path, """
procedure turn:
    each s in seats secretly:
        choose n from 0 to 3 "How many?"
        reveal n                ### E309: put `reveal n` behind the block
    reveal n
""")  # fmt: skip


@pytest.mark.parametrize(
    ("reveal", "other"),
    [
        ("reveal my.hand", "next_seat(me).hand"),
        ("reveal seat(1).hand", "seat(2).hand"),
        ("for each s in others: reveal s.hand", "seat(2).hand"),  # there may be none
        ("show(me)", "next_seat(me).hand"),
        ("show(seat(2))\n    show(seat(1))", "seat(3).hand"),
    ],
)
def test_what_was_not_named_may_not_be_asked_about(reveal: str, other: str, tmp_path: Path) -> None:
    game = judged(tmp_path, f"""\
procedure show(s: seat): reveal s.hand

procedure turn:
    {reveal}
    menu actions:
        option rob when red in {other}: gain 1 coin from bank
        option rest: nothing
""", Config(3))  # fmt: skip
    assert "E521" in game.codes, game.text


@pytest.mark.parametrize(
    ("reveal", "named"),
    [
        ("reveal next_seat(me).hand", "next_seat(me).hand"),
        ("reveal seat.hand", "next_seat(me).hand"),
        ("show(seat(2))", "seat(2).hand"),
        ("show(seat(2))\n    show(seat(1))", "seat(2).hand"),
        ("let s = next_seat(me)\n    reveal s.hand", "s.hand"),
    ],
)
def test_what_was_named_may_be_asked_about(reveal: str, named: str, tmp_path: Path) -> None:
    game = judged(tmp_path, f"""\
procedure show(s: seat): reveal s.hand

procedure turn:
    {reveal}
    menu actions:
        option rob when red in {named}: gain 1 coin from bank
        option rest: nothing
""", Config(3))  # fmt: skip
    assert "E521" not in game.codes, game.text
