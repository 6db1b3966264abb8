"""Claims about `tell` and `record`: in whose language it is said, who counts, and that nothing hangs on either."""

from __future__ import annotations

import json
from pathlib import Path

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.validator.judges.texts import judge_texts
from tests.language.tiny import ruleset

RULES = """\
value on_offer: {red, green}

play:
    repeat 2 times:
        take one turn each from seat(2): turn

procedure turn:
    choose n from 1 to 3 "How many?"
    set round to n
    tell "{me} takes {n} for {(price(n)) coin}: {on_offer}"
    record "price" price(n) for red, me, stall(n), n
"""
KEY = "tell.me_takes_n_for_price_n_coin_on_offer"
FRENCH = f"""\
name.seat: joueur
name.red: rouge
unit.coin: "{{}} sous"
{KEY}: "Pour {{(price(n)) coin}}, {{me}} prend {{n}} ({{on_offer}})"
"""


def game(folder: Path, chunk: str = "", lang: str = "en", french: str = "") -> ichiba.Game:
    files = {"play.rules": chunk or RULES} | ({"texts/fr.yaml": french} if french else {})
    return ichiba.load(ruleset(folder, files), 2, lang=lang, trust=True)


def lines(table: ichiba.Table) -> list[dict[str, object]]:
    return [item for item in table.log if item["event"] == "tell"]



def test_a_line_has_a_name_its_values_and_the_words_of_the_games_language(tmp_path: Path) -> None:
    table = game(tmp_path / "a").start(seed=1)
    table.play("n/2")
    assert lines(table) == [
        {
            "number": 2, "event": "tell", "what": KEY, "words": "seat 2 takes 2 for $3: red, green",
            "values": {"me": 2, "n": 2, "(price(n)) coin": 3, "on_offer": ["red", "green"]}, "audience": "all",
        }
    ]  # fmt: skip
    french = game(tmp_path / "b", lang="fr", french=FRENCH).start(seed=1)
    french.play("n/2")
    assert lines(french)[0]["words"] == "Pour 3 sous, joueur 2 prend 2 (rouge, green)"
    assert lines(french)[0]["values"] == lines(table)[0]["values"]


def test_a_language_that_lacks_a_line_or_says_other_braces_is_told(tmp_path: Path) -> None:
    faults = Faults()
    judge_texts(ruleset(tmp_path / "a", {"play.rules": RULES, "texts/fr.yaml": "title: Petit\n"}), faults)
    assert any(f"has no `{KEY}`" in fault.message for fault in faults.all)
    faults = Faults()
    judge_texts(ruleset(tmp_path / "b", {"play.rules": RULES, "texts/fr.yaml": f"{KEY}: 'Pour {{cash}}'\n"}), faults)
    assert [fault for fault in faults.all if fault.severity == "error" and "cash" in fault.message]


def test_a_row_says_whose_turn_it_is_and_which(tmp_path: Path) -> None:
    table = game(tmp_path).start(seed=1)
    assert table.turn == 1 and not table.records
    for key in ("n/2", "n/1", "n/3"):
        table.play(key)
    assert table.turn == 4
    assert table.records == [
        {"seat": 2, "turn": 1, "name": "price", "amount": 3, "of": ["red", "2", "2", "2"]},
        {"seat": 1, "turn": 2, "name": "price", "amount": 2, "of": ["red", "1", "1", "1"]},
        {"seat": 2, "turn": 3, "name": "price", "amount": 5, "of": ["red", "2", "3", "3"]},
    ]
    assert not any("price" in str(item) for seat in (None, 1, 2) for item in table.view(seat)["log"] if item["event"] != "tell")  # type: ignore[attr-defined]


def test_a_game_that_tells_and_records_is_the_same_game(tmp_path: Path) -> None:
    """Also in its places and in what is played."""
    silent = "\n".join(line for line in RULES.splitlines() if "tell " not in line and "record " not in line)
    loud, quiet = game(tmp_path / "a"), game(tmp_path / "b", silent + "\n")
    assert loud.layout.signature == quiet.layout.signature
    assert "C.tell" not in loud.emitted.text and "C.record" not in loud.emitted.text
    tables = [one.start(seed=4) for one in (loud, quiet)]
    for key in ("n/2", "n/1", "n/3", "n/3"):
        for table in tables:
            table.play(key)
    assert tables[0].state == tables[1].state and tables[0].over


def test_a_referee_sees_everything_and_records_too(tmp_path: Path) -> None:
    secret = "procedure turn:\n    each s in seats secretly:\n        choose m from 1 to 3 \"?\"\n        mark s.done\n    reveal m\n"
    more = "\nadd to seat:\n    zone nest of gem, hidden from others\n    flag done, hidden from others\n"
    nest = "\nsetup:\n    for each s in seats: move 1 red from bag to s.nest\n"
    table = game(tmp_path, RULES.replace("procedure turn:\n", secret) + more + nest).start(seed=1)
    table.play("m/3", seat=2)
    table.play("m/1", seat=1)
    table.play("n/2")
    seen = table.referee()
    assert json.loads(json.dumps(seen)) == seen
    assert [seat["nest"] for seat in seen["seats"].values()] == [{"red": 1}, {"red": 1}]  # type: ignore[attr-defined]
    assert (seen["seed"], seen["turn"], len(seen["records"])) == (1, 2, 1)  # type: ignore[arg-type]
    assert [one["seat"] for one in seen["pending"] if one["options"]] == [1, 2]  # type: ignore[attr-defined]
    assert {item["audience"] for item in seen["log"] if item["event"] == "decision"} == {"all", 1, 2}  # type: ignore[attr-defined]
