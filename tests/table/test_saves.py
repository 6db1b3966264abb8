"""Claims about saved games that somebody has damaged or edited: the very same game goes on, or `SaveFault` says why not."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ichiba import SaveFault, Table, load, resume
from ichiba.dsl.files import writing
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.saves import saved
from ichiba.interpreter.saves.records import ruleset_hash
from tests.table.door import ichiba
from tests.table.keep_saves import BEFORE, SEALED, end, gone_on
from tests.table.keep_saves import kept as kept_before

Tally = Callable[..., None]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A game in which seats answer in secret."""
    table = played(load("goofspiel", 2).start(3), 7)
    path = tmp_path / "kept.json"
    table.save(path)
    return path


def played(table: Table, answers: int) -> Table:
    for number in range(answers):
        decision = table.pending[-1]
        table.play(number % len(decision.codes), decision.seat)
    return table


def rewritten(path: Path, change: Callable[[dict[str, object]], object]) -> Path:
    """Edited by somebody who knows how to seal it again."""
    content = json.loads(path.read_text())
    change(content)
    content["whole"] = saved.seal(content)
    path.write_text(json.dumps(content))
    return path


# --- edited

EDITS: dict[str, Callable[[dict], object]] = {  # type: ignore[type-arg]
    "all seats are nine": lambda c: c.update(answers=[[9, code] for _, code in c["answers"]]),
    "all seats are two": lambda c: c.update(answers=[[2, code] for _, code in c["answers"]]),
    "a seat below all": lambda c: c["answers"][0].__setitem__(0, -3),
    "an answer that is far off": lambda c: c["answers"][0].__setitem__(1, c["answers"][0][1] + 1_000),
    "an answer that is far below": lambda c: c["answers"][0].__setitem__(1, c["answers"][0][1] - 1_000),
    "an answer beyond all numbers": lambda c: c["answers"][-1].__setitem__(1, 2**70),
    "true for an answer": lambda c: c["answers"][0].__setitem__(1, True),
    "a fraction for an answer": lambda c: c["answers"][0].__setitem__(1, 1.0),
    "three numbers for an answer": lambda c: c["answers"][0].append(1),
    "an answer less": lambda c: c["answers"].pop(),
    "an answer more": lambda c: c["answers"].append([1, 0]),
    "a hundred answers more": lambda c: c["answers"].extend([[1, 0]] * 100),
    "answers that are a number": lambda c: c.update(answers=5),
    "answers that are words": lambda c: c.update(answers=["a", "b"]),
    "another seed": lambda c: c.update(seed=4),
    "a seed that is true": lambda c: c.update(seed=True),
    "a seed that is a list": lambda c: c.update(seed=[3]),
    "a seed that is told badly": lambda c: c.update(seed="told xyz 1"),
    "half a character for a seed": lambda c: c.update(seed="\ud800"),
    "more seats": lambda c: c.update(seats=3),
    "no seats": lambda c: c.update(seats=None),
    "a module that is not there": lambda c: c.update(modules=["nuts"]),
    "a module that is a number": lambda c: c.update(modules=[3]),
    "a module that is a path": lambda c: c.update(modules=["../x"]),
    "an option that is not there": lambda c: c.update(options={"x": 1}),
    "options nested without end": lambda c: c.update(options={"x": json.loads("[" * 50 + "]" * 50)}),
    "an assumption that is not there": lambda c: c.update(assumptions={"A-1": 1}),
    "another game": lambda c: c.update(game="no_thanks"),
    "a game that is a path": lambda c: c.update(game="../../etc"),
    "a folder that is not there": lambda c: c.update(folder="/nowhere/at/all"),
    "a folder that hangs on where we are": lambda c: c.update(folder="rulesets/no_thanks"),
    "a folder with a zero byte": lambda c: c.update(folder="/a\0b"),
    "a folder of the system": lambda c: c.update(folder="/etc"),
    "other rules, another answer": lambda c: (c.update(ruleset="0" * 16), c["played"][0].__setitem__(2, "bid/none")),
    "other rules, another seat": lambda c: (c.update(layout="0" * 16), c["played"][0].__setitem__(0, 9)),
    "other rules, another question": lambda c: (c.update(ruleset="0" * 16), c["played"][0].__setitem__(1, "turn.action")),
    "other rules, other facts": lambda c: (c.update(ruleset="0" * 16), c["facts"].update({"seats.1.score": 77})),
    "other rules, and no words": lambda c: (c.update(ruleset="0" * 16), c.pop("played")),
    "fewer words than answers": lambda c: c["played"].pop(),
    "words that are numbers": lambda c: c.update(played=[1] * len(c["played"])),
    "facts that are a number": lambda c: c.update(facts=3),
    "another position": lambda c: c.update(state="0" * 16),
    "a position that is a number": lambda c: c.update(state=7),
    "chance that is scripted": lambda c: c.update(chance=["card/3"]),
    "chance that is a number": lambda c: c.update(chance=9),
    "a language that is a path": lambda c: c.update(lang="../de"),
    "bots that are a list": lambda c: c.update(bots=["random"]),
    "a bot at seat nought": lambda c: c.update(bots={"0": "random"}),
    "words that nobody writes": lambda c: c.update(cheat=True),
    "a newer format": lambda c: c.update(ichiba=99),
    "a format that is true": lambda c: c.update(ichiba=True),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edited_save_is_noticed(edit: Callable[[dict[str, object]], object], kept: Path) -> None:
    with pytest.raises(SaveFault) as caught:
        resume(rewritten(kept, edit))
    assert str(caught.value).startswith("kept.json ") and len(str(caught.value)) < 500


@pytest.mark.parametrize("other", ["ruleset", "layout"])
def test_where_other_rules_make_the_very_same_game_it_goes_on(kept: Path, other: str) -> None:
    table = resume(kept)
    again = resume(rewritten(kept, lambda content: content.update({other: "0" * 16})))
    assert (again.state, again.history) == (table.state, table.history)


def test_whose_answer_it_was_is_told(kept: Path) -> None:
    with pytest.raises(SaveFault) as caught:
        resume(rewritten(kept, EDITS["all seats are nine"]))
    assert str(caught.value) == "kept.json is damaged or has been edited: answer 1 is by seat 9, who is not asked there"


def test_what_is_wrong_is_told_with_the_very_words_but_not_without_end(kept: Path) -> None:
    with pytest.raises(SaveFault) as caught:
        resume(rewritten(kept, lambda content: content.update(lang="\x1b[2J" + "x" * 100_000)))
    said = str(caught.value)
    assert said.startswith('kept.json is damaged or has been edited: `lang` is not a language, but "') and len(said) < 200
    assert "\x1b" not in said


def test_without_its_seal_a_save_is_not_what_was_written(kept: Path) -> None:
    content = json.loads(kept.read_text())
    content["bots"] = {"2": "random"}
    kept.write_text(json.dumps(content))
    with pytest.raises(SaveFault, match="what it says of itself does not fit the rest"):
        resume(kept)


FORMS = {
    "nothing": b"", "null": b"null", "a list": b"[]", "a number": b"7", "an empty map": b"{}", "zero bytes": bytes(100),
    "no text": b"\xff\xfe", "nested without end": b"[" * 100_000, "digits without end": b'{"ichiba": ' + b"9" * 10_000 + b"}",
    "no number": b'{"ichiba": NaN}', "a key twice": b'{"ichiba": 1, "ichiba": 1}', "a pickle": b"\x80\x04N.",
    "answers only": b'{"answers": 5}',
}  # fmt: skip


@pytest.mark.parametrize("content", FORMS.values(), ids=FORMS)
def test_what_is_no_save_at_all_is_told(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    with pytest.raises(SaveFault, match=r"odd.json is no saved game"):
        resume(path)
    said = ichiba("replay", path)
    assert (said.code, said.out) == (1, "") and said.err.startswith("ichiba: odd.json is no saved game")


def test_pipes_folders_and_what_is_too_large_are_told_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(saved.LARGEST + 1)
    for name, words in (
        ("pipe", "it is a pipe, a socket or a device"), ("folder", "it is a folder"), ("large", "it has more than 16 MB"),
        ("none", "there is no such file"),
    ):  # fmt: skip
        with pytest.raises(SaveFault) as caught:
            resume(tmp_path / f"{name}.json")
        assert str(caught.value) == f"{name}.json is no saved game: {words}"


# --- damaged


def damaged(content: bytes, random: Random) -> bytes:
    """A byte changed, taken out or put in; a piece doubled, dropped or zeroed; a number changed; the end cut off."""
    at, to = sorted(random.randrange(len(content)) for _ in range(2))
    match random.randrange(8):
        case 0:
            return content[:at] + bytes([random.randrange(256)]) + content[at + 1 :]
        case 1:
            return content[:at] + content[at + 1 :]
        case 2:
            return content[:at] + bytes([random.choice(b'0123456789[]{},:"-e.')]) + content[at:]
        case 3:
            return content[:to] + content[at:]
        case 4:
            return content[:at] + content[to:]
        case 5:
            return content[:at] + bytes(to - at) + content[to:]
        case 6:
            return content[:at]
        case _:
            digits = [n for n, c in enumerate(content) if 48 <= c < 58]
            n = random.choice(digits)
            return content[:n] + str(random.choice([0, 1, 9, 10**3, -1, 2**70])).encode() + content[n + 1 :]


def ends(table: Table) -> str:
    """All that comes of a game, now and when it is played on."""
    return hashlib.sha256(json.dumps([table.state, table.log, played(table, 4).state]).encode()).hexdigest()


def survived(path: Path, times: int, sealed: bool) -> tuple[int, int]:
    """So many damages, with and without the seal; how many were refused, how many were the same game."""
    content = json.loads(path.read_text())
    if not sealed:
        content["ichiba"] = 1
        del content["whole"]
    whole = json.dumps(content, indent=1).encode()
    path.write_bytes(whole)
    wanted, random, refused, same = ends(resume(path)), Random(times), 0, 0
    for _ in range(times):
        path.write_bytes(damaged(whole, random))
        try:
            table = resume(path)
        except SaveFault:
            refused += 1
        else:
            assert ends(table) == wanted
            same += 1
    return refused, same


@pytest.mark.parametrize("sealed", [True, False])
def test_a_damaged_save_is_refused_by_name_or_the_very_same_game(kept: Path, sealed: bool, tally: Tally) -> None:
    refused, same = survived(kept, 250, sealed)
    tally(damaged_saves=refused + same, refused=refused)
    assert refused > 200


@pytest.mark.soak
@pytest.mark.parametrize("sealed", [True, False])
def test_so_are_thousands(kept: Path, sealed: bool, tally: Tally) -> None:
    refused, same = survived(kept, 5_000, sealed)
    tally(damaged_saves=refused + same, refused=refused)


# --- of earlier times


@pytest.mark.parametrize(("name", "wanted"), kept_before().items(), ids=kept_before())
def test_a_save_of_before_goes_on_identically_or_says_which_rules_it_wants(name: str, wanted: str, tally: Tally) -> None:
    try:
        table = resume(BEFORE / f"{name}.json")
    except SaveFault as fault:
        own = name.partition("-")[0]
        assert f"{name}.json was played with another version of " in str(fault) and f"`{own}`" in str(fault)
        tally(refused_by_name=1)
        return
    assert end(gone_on(table)) == wanted
    tally(gone_on=1)


def test_there_is_one_of_each_ruleset_and_of_each_format() -> None:
    """`python -m tests.table.keep_saves` keeps one of a ruleset that has none."""
    names = kept_before()
    assert {name.partition("-")[0] for name in names if name.endswith(SEALED)} >= set(rulesets())
    assert {json.loads((BEFORE / f"{name}.json").read_text())["ichiba"] for name in names} == {*saved.OLDER, saved.FORMAT}
    assert {path.stem for path in BEFORE.glob("*.json")} == set(names)


def test_one_of_rules_in_the_words_of_version_1_is_refused_by_name() -> None:
    with pytest.raises(SaveFault, match=r"^no_thanks-4\.json was played with another version of `no_thanks`"):
        resume(BEFORE / "no_thanks-4.json")


# Of these rulesets the words alone have changed since: they are the same game.
SAME_GAME = (
    "no_thanks-4", "leduc_poker-2", "first_price_auction-2-sealed", "goofspiel-2-sealed", "leduc_poker-2-sealed", "liars_dice-2-sealed",
    "no_thanks-3-sealed", "oshi_zumo-2-sealed",
)  # fmt: skip


@pytest.mark.parametrize("name", SAME_GAME)
def test_in_the_words_of_version_2_it_is_the_same_game_to_its_end(name: str, tmp_path: Path) -> None:
    """Were it not for their hash, saves from before would go on with the rules of today: state, questions, chance and log are the same."""
    content = json.loads((BEFORE / f"{name}.json").read_text())
    content["ruleset"] = ruleset_hash(load(content["game"], content["seats"]))
    if "whole" in content:
        content["whole"] = saved.seal(content)
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(content))
    assert end(gone_on(resume(path))) == kept_before()[name]


def test_a_save_is_written_in_the_new_format_with_a_seal(kept: Path) -> None:
    content = json.loads(kept.read_text())
    assert content["ichiba"] == 2 and content["whole"] == saved.seal(content)
    assert ends(resume(kept)) == ends(played(load("goofspiel", 2).start(3), 7))


# --- a disk that is full


class Full(writing.Disk):
    """A disk on which there is room for so many bytes only."""

    def __init__(self, room: int):
        self.room = room

    def write(self, file: int, content: bytes) -> int:
        if not self.room:
            raise OSError(28, "No space left on device")
        taken = super().write(file, content[: self.room])
        self.room -= taken
        return taken


@pytest.mark.parametrize("room", [0, 1, 100, 300])
def test_a_full_disk_leaves_the_save_before_and_nothing_else(room: int, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, table = kept.read_bytes(), resume(kept)
    monkeypatch.setattr(writing, "disk", Full(room))
    with pytest.raises(OSError, match="No space left"):
        table.save(kept)
    assert kept.read_bytes() == before and [path.name for path in kept.parent.iterdir()] == ["kept.json"]


# --- saving while somebody plays

PLAYED = ["s {}", "q"]


def at_the_table(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ICHIBA_SAVES", str(tmp_path / "saves"))
    said = ichiba("play", "no_thanks", "--seats", "3", "--seed", "1", "--plain", typed=f"s {name}\nno\nl\nq\n")
    assert said.code == 0 and said.err == "" and "something went wrong" not in said.out, said.err
    return said.out


@pytest.mark.parametrize("content", FORMS.values(), ids=FORMS)
def test_a_file_that_is_no_save_is_not_written_over_unasked(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd.json").write_bytes(content)
    said = at_the_table(str(tmp_path / "odd.json"), tmp_path, monkeypatch)
    assert "holds something that is no saved game. Write over it?" in " ".join(said.split()) and "Nothing was saved." in said
    assert (tmp_path / "odd.json").read_bytes() == content


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "~nobody_of_that_name/x", "/proc/nowhere/x", "/dev/null"])
def test_a_name_that_no_file_can_have_is_told_and_play_goes_on(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "It could not be saved: " in " ".join(at_the_table(name, tmp_path, monkeypatch).split())


def test_a_full_disk_is_told_and_play_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "disk", Full(50))
    said = at_the_table(str(tmp_path / "mine"), tmp_path, monkeypatch)
    assert f"It could not be saved: {tmp_path / 'mine.json'}: no space left on device" in " ".join(said.split())
    assert not (tmp_path / "mine.json").exists() and not list(tmp_path.glob(".*.part"))


# --- answers in words, and what is said of how everything stood


def test_whoever_says_that_a_game_goes_on_as_it_is_has_seen_it_go_on(kept: Path) -> None:
    """Its words lead to where it stood; its numbers are another game's."""
    rewritten(kept, lambda c: c["answers"].reverse())  # type: ignore[attr-defined]
    said = ichiba("replay", kept, "--upgrade")
    assert said.code == 1 and said.err.startswith("ichiba: kept.json ") and not said.out


@pytest.mark.parametrize("facts", [{}, {"seats.9.nothing": 3}, {"\x1b[2J": [[[[1]]]]}])
def test_of_a_game_that_does_not_say_how_it_stood_nobody_knows_whether_it_is_the_same(kept: Path, facts: dict[str, object]) -> None:
    rewritten(kept, lambda c: c.update(facts=facts, ruleset="0" * 16))
    with pytest.raises(SaveFault, match="it does not say how anything stood that there is here"):
        resume(kept)


def test_words_of_answers_move_no_cursor(kept: Path) -> None:
    rewritten(kept, lambda c: c["played"][3].__setitem__(2, "\x1b[31m\u202e\0"))  # type: ignore[index]
    said = ichiba("replay", kept, "--upgrade", "--out", kept.with_name("new.json"))
    assert said.code == 0 and "3 of 7 answers are kept in new.json" in said.out
    assert all(letter.isprintable() or letter == "\n" for letter in said.out + said.err)


def odd_words(content: dict[str, object], random: Random) -> None:
    """One word, number or fact is another, is away, or comes elsewhere."""
    odd: list[object] = [None, True, -1, 0, 3, 10**30, 0.5, "", "a", "\ud800", "\x1b[2J", "x" * 5_000, [], {}, {"1": {"2": 3}}, ["a"], [[[[1]]]]]
    inside: object = content
    at: object = random.choice(("played", "facts", "answers", "chance"))
    while True:
        assert isinstance(inside, dict | list)
        there = inside[at]  # type: ignore[call-overload]
        if not isinstance(there, dict | list) or not there or random.random() < 0.3:
            break
        inside, at = there, random.choice(list(there) if isinstance(there, dict) else range(len(there)))
    if random.random() < 0.2:
        del inside[at]  # type: ignore[arg-type]
    elif isinstance(inside, list) and random.random() < 0.2:
        random.shuffle(inside)
    else:
        inside[at] = random.choice(odd)  # type: ignore[call-overload]


def odd_saves(kept: Path, times: int, random: Random) -> int:
    """How many were refused, or kept in part; the others go on as they were."""
    whole, refused = kept.read_bytes(), 0
    state, new = resume(kept).state, kept.with_name("new.json")
    for _ in range(times):
        kept.write_bytes(whole)
        rewritten(kept, lambda content: odd_words(content, random))
        new.unlink(missing_ok=True)
        for words in (("replay", kept, "--check"), ("replay", kept, "--upgrade", "--out", new)):
            said = ichiba(*words)
            told = said.out + said.err
            assert said.code in (0, 1, 2) and "inside" not in told and "Traceback" not in told, told
            assert all(letter.isprintable() or letter == "\n" for letter in told), told
        if "it goes on as it is" in said.out:
            assert resume(kept).state == state
        else:
            refused += 1
    return refused


def test_whatever_a_save_says_in_words_it_is_refused_kept_in_part_or_the_same(kept: Path, tally: Tally) -> None:
    tally(saves_with_odd_words=30, refused=odd_saves(kept, 30, Random(1)))


@pytest.mark.parametrize("words", [("--check",), ("--upgrade", "--out", "new.json")])
def test_a_save_that_does_not_begin_as_it_tells_is_refused_by_name(kept: Path, words: tuple[str, ...]) -> None:
    """Also where the rules are others now, and it is only played again in words."""

    def told_otherwise(content: dict[str, object]) -> None:
        content |= {"chance": ["a"], "ruleset": "0" * 16}

    rewritten(kept, told_otherwise)
    said = ichiba("replay", kept, *(kept.with_name(word) if word.endswith("json") else word for word in words))
    assert (said.code, said.out) == (1, "")
    assert "kept.json cannot be begun again: chance event 1 cannot be `a`: here draw gives 1, 2, 3" in said.err


@pytest.mark.soak
def test_so_it_is_with_thousands(kept: Path, tally: Tally) -> None:
    tally(saves_with_odd_words=2_000, refused=odd_saves(kept, 2_000, Random(2)))
