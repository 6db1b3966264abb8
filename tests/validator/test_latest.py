"""Designs against what came last: each is answered within the budgets at its smallest size here, at its others in `test_weapons.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba import RulesetFaults, load
from ichiba.dsl.faults.fault import render_all
from ichiba.dsl.yaml.memory import Memory
from ichiba.interpreter.run.words import Words
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.saves import teller
from ichiba.interpreter.strangers import door
from ichiba.lab.policies import play_out
from ichiba.table import checking
from ichiba.table.checking import check
from ichiba.table.scene.telling.story import Story
from tests.conftest import Tally
from tests.table.door import ichiba as command
from tests.validator.further import FURTHER, modules, shelf
from tests.validator.latest import LATEST, Latest, in_option, long_tails, long_words, presets, refusals, rows_of_records
from tests.validator.many import MENU
from tests.validator.newest import NEWEST
from tests.validator.played import shuffles
from tests.validator.small import ruleset

OURS = "went wrong inside"


@pytest.fixture(autouse=True)
def somebody_vouches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As strangers' they are read in `test_weapons.py`."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    monkeypatch.setenv("ICHIBA_SAVES", str(tmp_path / "saves"))


def clean(said: str) -> None:
    assert OURS not in said and "Traceback" not in said and "E025" not in said
    assert not {"\x1b", "\x07", "\u202e", "\u200b"} & set(said)


@pytest.mark.parametrize("design", (*LATEST, *NEWEST, *FURTHER), ids=lambda design: design.name)
def test_what_means_harm_is_refused_or_played(design: Latest, tmp_path: Path, tally: Tally) -> None:
    root = ruleset(tmp_path, design.make(design.sizes[0]))
    clean(render_all(check(root, quick=True, jobs=1).faults))
    for words in (("play", "{}", "--bots", "1", "--seed", "1"), *design.words):
        said = command(*(word.replace("{}", str(root)) for word in words), typed="1\n1\nq\n")
        clean(said.out + said.err)
    tally(hostile_designs=1)


def test_designs_have_their_own_names() -> None:
    assert len({design.name for design in (*LATEST, *NEWEST, *FURTHER)}) == len(LATEST) + len(NEWEST) + len(FURTHER) >= 60


# --- what they have shown


def told(folder: Path, body: str) -> list[str]:
    """The lines of the log after one turn."""
    table = load(ruleset(folder, in_option(body)), 2).start(1)
    table.play("go")
    return [str(event["words"]) for event in table.events() if event["event"] == "tell"]


def test_a_log_that_is_full_says_so_once_and_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teller, "MOST_LINES", 5)
    assert told(tmp_path, 'repeat 90 times: tell "hello"') == ["hello"] * 4 + [teller.FULL]


def test_so_it_does_for_long_lines_and_for_effects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teller, "MOST_LETTERS", 100)
    assert told(tmp_path / "letters", f'repeat 90 times: tell "{"x" * 30}"') == ["x" * 30] * 3 + [teller.FULL]
    monkeypatch.setattr(teller, "MOST_EFFECTS", 7)
    assert told(tmp_path / "effects", "repeat 90 times: gain 1 coin from bank") == [teller.FULL]


def test_a_log_of_long_words_is_no_larger_than_a_save(tmp_path: Path) -> None:
    table = load(ruleset(tmp_path, long_words(9_000)), 2).start(1)
    table.play("go")
    assert sum(len(str(event.get("words", ""))) for event in table.events()) < teller.MOST_LETTERS


def test_who_asks_for_more_rows_than_can_be_kept_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ichiba.interpreter.saves.teller.MOST_ROWS", 50)
    monkeypatch.setattr("ichiba.interpreter.sight.chronicle.MOST_ROWS", 50)
    root = ruleset(tmp_path, rows_of_records(30))
    table = load(root, 2).start(1)
    table.play("go")
    assert len(table.records) == 30
    table.play("go")
    with pytest.raises(RuleFault, match="this game records more than 50 rows"):
        _ = table.records
    assert table.fault is None and table.events()
    assert play_out(load(root, 2), 1, ["random", "random"]).over
    often = ruleset(tmp_path / "often", rows_of_records(60))
    said = command("simulate", often, "--games", "5", "--seed", "1", "--jobs", "1", "--records", "--out", tmp_path / "run", "--python")
    assert "records more than 50 rows" in said.out + said.err and OURS not in said.err


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (f"value {'x' * 101}: 1\n", "this word has 101 characters; 100 are the most"),
        (f'procedure p: tell "{"x" * 4_100}"\n', "this text has 4,102 characters; 4,096 are the most"),
    ],
)
def test_a_name_or_a_text_that_each_of_many_keys_would_say_again_has_an_end(rules: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(RulesetFaults, match=words):
        load(ruleset(tmp_path, {"more.rules": rules}))


def test_so_has_a_name_in_yaml(tmp_path: Path) -> None:
    with pytest.raises(RulesetFaults, match="a name has at most 100 characters"):
        load(ruleset(tmp_path, {"game.yaml": f"sorts: {{x: [{'y' * 101}]}}\n"}))


def test_patterns_that_come_to_too_much_are_told_once(tmp_path: Path) -> None:
    pattern = "pattern large(fee: number):\n" + "".join(f"    value part{k}: fee + {k}\n" for k in range(900))
    rules = pattern + "".join(f"use large(fee: {k}) as p{k}\n" for k in range(60))
    faults = check(ruleset(tmp_path, {"more.rules": rules}), quick=True, jobs=1).faults
    assert [fault.message for fault in faults] == ["the patterns that are used come to more than can be read"]


def test_what_is_worked_out_before_a_game_is_counted_and_told_once(tmp_path: Path) -> None:
    faults = check(ruleset(tmp_path, refusals(3)), quick=True, jobs=1).faults
    assert [fault.message for fault in faults] == ["what is worked out before the game takes more than 100,000 steps"]


def test_so_are_long_tails_of_tables(tmp_path: Path) -> None:
    faults = check(ruleset(tmp_path, long_tails(300)), quick=True, jobs=1).faults
    assert [fault.message for fault in faults] == ["what is worked out before the game takes more than 100,000 steps"]
    assert not check(ruleset(tmp_path / "few", long_tails(30)), quick=True, jobs=1).faults


def test_a_stranger_has_no_more_presets_than_can_be_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = ruleset(tmp_path, presets(65))
    assert not check(root, quick=True, jobs=1).faults
    monkeypatch.delenv("ICHIBA_TRUST")
    with pytest.raises(RulesetFaults, match="more than 64 presets"):
        load(root)


def test_what_comes_of_little_text_is_counted_in_each_way_to_set_it_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ICHIBA_TRUST")
    few, very_many = (ruleset(tmp_path / str(n), shelf(n) | modules(parts)) for n, parts in ((2, 2), (60, 9)))
    assert not check(few).left_out and not check(few).faults
    seen = check(very_many)
    assert not seen.faults and seen.ways and seen.left_out and f"; {seen.left_out} more ways were left out (--all)" in seen.words


def test_a_way_that_would_be_too_much_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it is as much work as the one before: else each folder that is too large is looked at once in vain."""
    root, text = ruleset(tmp_path, {"play.rules": MENU}), 1_000
    begun: list[int] = []
    monkeypatch.setattr(door, "text_read", lambda places: lambda chosen: text)
    monkeypatch.setattr(checking, "look", lambda way, memory: begun.append(way.seats) or checking.Seen([], work=500))  # type: ignore[func-returns-value]
    for left, seen in ((0, 1), (2_999, 1), (3_000, 2), (4_499, 2), (4_500, 3), (9_000, 3)):
        begun.clear()
        plan, *looked = checking.planned_and_looked_at((root,), False, Memory(), checking.USUAL_WAYS, left)
        assert isinstance(plan, checking.Plan) and len(plan.tasks) == 3
        assert len(looked) == len(begun) == seen


def test_what_comes_of_little_text_is_counted_where_it_cannot_be_read_as_well(tmp_path: Path) -> None:
    """Else whoever uses so much that it is refused is refused in each way, and each is as much work as one that is read."""
    broken = shelf(60) | {"more.rules": "value v: unknown\n"}
    way = checking.Way(ruleset(tmp_path / "whole", shelf(60)), 2, (), made=False)
    whole, again = checking.look(way, Memory()), checking.Way(ruleset(tmp_path / "broken", broken), 2, ())
    memory = Memory()
    first, second = checking.look(again, memory), checking.look(again, memory)
    assert first.faults and not whole.faults and 0 < first.work == second.work <= whole.work
    assert memory.words_used > 8_000 and memory.sentences_written > 1_000


def test_whoever_wants_all_ways_is_told_where_they_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_READ_OF_ALL", 2**20)
    monkeypatch.delenv("ICHIBA_TRUST")
    faults = check(ruleset(tmp_path, shelf(60) | modules(2)), most=None).faults
    assert [fault.code for fault in faults] == ["E026"]
    assert "in which what is read, what is used and what must be followed come to more than 1,024 KB in all" in faults[0].message


def test_what_is_left_out_is_not_said_to_lack_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said only in a way that was not looked at is no fault in another language."""
    monkeypatch.setattr(checking, "MOST_READ", 1)
    monkeypatch.delenv("ICHIBA_TRUST")
    texts = {"modules/m0/texts/nl.yaml": "menu.actions.swim: Zwem\n"}
    swim = {"modules/m0/m0.rules": 'add to menu actions:\n    option swim "Swim": nothing\n'}
    rules = {"play.rules": 'procedure turn:\n    menu actions:\n        option rest "Rest": nothing\n'}
    root = ruleset(tmp_path, modules(1) | texts | swim | rules)
    seen = check(root)
    assert not seen.faults and (seen.ways, seen.unread) == (1, True) and seen.words.endswith("so were its texts in other languages")
    seen = check(root, most=None)
    assert not [fault for fault in seen.faults if fault.severity == "error"] and not seen.unread and not seen.left_out


def test_of_a_pile_that_is_shuffled_each_piece_is_spelled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is drawn from as often as it has pieces: whoever spells each time what is left spells half the square of that."""
    spelled: list[int] = []
    key = Words.key
    game = load(ruleset(tmp_path, shuffles(1)), 2)
    story = Story(game.start(1))
    monkeypatch.setattr(Words, "key", lambda words, value, kind: spelled.append(value) or key(words, value, kind))  # type: ignore[func-returns-value]
    story.table.play("go")
    story.catch_up()
    assert 1_700 < len(spelled) < 2 * 1_800
