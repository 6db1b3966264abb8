"""Claims about how rules are written: blanks and comments mean nothing, and what the engine keeps is nobody's name."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.syntax.wording import spelled, words_of
from ichiba.dsl.world.world import World
from tests.language.tiny import files_of, read
from tests.validator.small import judged, ruleset

PAID = """\
add to seat:
    counter spent: 0 .. 99

procedure turn:
    menu shop:
        option buy costs $3 to bank: raise my.spent by ASKED
        option rest: nothing
"""


def played(folder: Path, chunk: str, *answers: str) -> ichiba.Table:
    """The small game with these rules, after these answers."""
    table = ichiba.load(ruleset(folder, files_of(chunk)), seats=2, trust=True).start(seed=1)
    for answer in answers:
        table.play(answer)
    return table


@pytest.mark.parametrize(
    "asked",
    [
        "number(paid(coin))",
        "number( paid( coin ) )",
        "number(paid # so much\n                        (coin))",
        "number(paid\n                    (\n                      coin))",
    ],
)
def test_what_was_paid_is_known_however_it_is_asked_for(tmp_path: Path, asked: str) -> None:
    assert played(tmp_path, PAID.replace("ASKED", asked), "buy").ask("seat(1).spent") == 3


def test_a_call_may_stand_off_its_brackets(tmp_path: Path) -> None:
    files = files_of("value twin(n: number): if even (n) then n else n + 1\n")
    assert not read(tmp_path, files).faults


@pytest.mark.parametrize(
    "written, told",
    [
        ("count  of my.cards # all\n  ", "count of my.cards"),
        ("- a+b - c*( - d )", "-a + b - c * (-d)"),
        ("even ( n )", "even(n)"),
        ("any (l in lots where (l . x or no (y in z)))", "any (l in lots where (l.x or no (y in z)))"),
        ("{a,b} . x", "{a, b}.x"),
        ("price(a,- b) in 1 .. 3", "price(a, -b) in 1 .. 3"),
    ],
)
def test_rules_are_quoted_alike_however_they_are_written(written: str, told: str) -> None:
    assert spelled(written) == told and spelled(told) == told


def test_words_in_comments_are_no_words_of_the_rules() -> None:
    assert words_of('move all # end as rich\n   to box "for {price of l}"') == ["move", "all", "to", "box", "for", "price", "of", "l"]


# ---------------------------------------------------------------------------- what the engine keeps for itself

INTERNAL_LOOKING = ("paid_out", "paid_coin", "once_more", "rule_book", "waiting_list", "running_total", "during_rain")


def test_members_whose_names_look_like_the_engines_own_are_seen(tmp_path: Path) -> None:
    chunk = "add to table:\n" + "".join(f"    counter {name}: 0 .. 9 start 4\n" for name in INTERNAL_LOOKING)
    table = played(tmp_path, chunk)
    table.save(tmp_path / "kept.json")
    for game in (table, ichiba.resume(tmp_path / "kept.json")):
        seen = game.view()["table"]
        assert isinstance(seen, dict) and {name: seen.get(name) for name in INTERNAL_LOOKING} == dict.fromkeys(INTERNAL_LOOKING, 4)
        assert all(game.ask(name) == 4 for name in INTERNAL_LOOKING)


def test_the_judge_looks_at_them_like_at_any_other(tmp_path: Path) -> None:
    chunk = """\
add to table:
    counter NAME: 0 .. 99

procedure turn:
    menu actions:
        option go: set NAME to count of (c in my.hand where c is red)
"""
    told = {name: [f.code for f in judged(tmp_path / name, chunk.replace("NAME", name)).faults] for name in ("plain", *INTERNAL_LOOKING)}
    assert "W602" in told["plain"] and all(codes == told["plain"] for codes in told.values())


def test_only_the_engines_own_members_are_internal(tmp_path: Path) -> None:
    chunk = """\
add to table:
    counter paid_coin: 0 .. 9

window free during turn:
    option peek once per turn: mark rested

rule tired, whenever rested, at the end of turn: clear rested

add to table:
    flag rested
"""
    world: World = read(tmp_path, files_of(chunk)).world
    own = {m.name: m.internal for m in world.table.values() if m.internal}
    assert set(own.values()) >= {"paid", "running", "during", "rule", "waiting"}
    assert all(" " in name for name in own), "no author can write such a name"
    assert not world.table["paid_coin"].internal and not world.table["rested"].internal


@pytest.mark.parametrize(
    "where, name, why",
    [
        ("table", "ending", "the table has its `ending` already: choose another name"),
        ("table", "beginner", "an option is called so: choose another name"),
    ],
)
def test_what_every_game_has_is_not_declared_again(tmp_path: Path, where: str, name: str, why: str) -> None:
    tiny = read(tmp_path, {"game.yaml": "options: {beginner: {seat: random}}\n", "play.rules": f"add to {where}:\n    counter {name}: 0 .. 9\n"})
    assert [(f.code, f.message, f.label) for f in tiny.faults] == [("E206", f"`{name}` is defined twice", why)]
