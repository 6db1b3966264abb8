"""Claims about the words of the language as names: refused where they are declared, or read wherever they are used."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Fault
from ichiba.dsl.syntax.parse import keywords, taken_words
from tests.depth import mostly_seldom
from tests.language.tiny import files_of, read

WORDS = sorted(keywords() | taken_words() | {"min", "power", "far", "total", "total_of"})
TURN = "procedure turn:\n    for each s in seats:\n        as s:\n            "

# Where a name is declared, as `@`, and every way in which it may then be used.
PLACES = {
    "a member of the table": "add to table:\n    counter @: 0 .. 9\n\nprocedure turn: raise @ by 1\n\nvalue twice -> number: @ * 2\n"
    "\nvalue more: table.@ + @\n\ninvariant few: no (s in seats where @ > 3) and @ + 1 < 8\n",
    "an indexed member": "add to table:\n    flag @(s: seat)\n\nprocedure turn:\n    for each s in seats: mark @(s)\n\n"
    "guard done_by(s: seat): @(s) or not @(s)\n",
    "a member of seats": "add to seat:\n    counter @: 0 .. 9\n\nvalue more(s: seat) -> number: s.@ + @ of s\n",
    "a flag of a kind": "add to kind stall:\n    flag @\n\nvalue some_stalls -> flag: any (x in stalls where x is @ and x.@ or @ of x)\n",
    "a zone": "add to table:\n    zone @ of gem\n\nprocedure turn: move all @ to bag\n\n"
    "value held: count of @ + count of (red in @) + count of (g in @ where g is red)\n",
    "a purse": "add to table:\n    purse @: coin, unlimited\n\nprocedure turn:\n    for each s in seats: s gains $1 from @\n",
    "a field": "# game.yaml\nthings: {stall: {each: {one_stall: {@: 3}, other_stall: {@: 4}}}}\n# play.rules\n"
    "kind stall is thing:\n    field @: number\n    zone shelf of gem\n\nvalue wide: sum of (l.@ + @ of l for l in stalls)\n",
    "a note": "kind gem is piece:\n    note @: number\n\nadd to table:\n    zone shop of gem forgets @\n\n"
    "procedure turn: move 1 red from bag to shop noting @: 3\n\nvalue best: highest of (g.@ for g in shop)\n",
    "a menu": "add to menu @:\n    option rest: nothing\n\n" + TURN + "menu @\n",
    "a menu that others fill": "add to menu @:\n    option rest: nothing\n\n" + TURN + "menu @\n",
    "a menu of a kind": "kind stall is thing:\n    zone shelf of gem\n    menu @\n\nadd to menu @ of stall:\n    option rest: nothing\n\n"
    + TURN + "for each l in stalls:\n                menu l.@\n",
    "an option": TURN + "menu shop:\n                option @: nothing\n                option other: nothing\n"
    "\nremove option shop.@\n",
    "a may": TURN + "may @: gain $1 from bank\n",
    "a value": "value @: 3\n\nvalue more: @ * @ + 1\n\nvalue utmost: if @ > 2 then @ else -@\n",
    "a value with parameters": "value @(n: number): n\n\nvalue more: @(2) * @(3) + 1\n",
    "a guard": "guard @: 2 > 1\n\nguard both: @ and not (@ or 2 > 3)\n",
    "a procedure": "procedure @: nothing\n\nprocedure turn: @\n",
    "a procedure with parameters": "procedure @(n: number): nothing\n\nprocedure turn: @(3)\n",
    "a procedure before which something stands": "procedure @: nothing\n\nprocedure turn:\n    @\n    leave turn\n\nrule early, before @: nothing\n",
    "a cost": "cost @: $1\n\n" + TURN + "may buy costs @: nothing\n",
    "a parameter": "value more(@: number): @ + 1 - @ * 2\n\nprocedure turn:\n    if more(2) > 3: nothing\n",
    "a result": "procedure fetch -> @: number:\n    set @ to @ + 1\n\nprocedure turn:\n    let n = fetch()\n".replace("fetch()", "fetch"),
    "a let": TURN + "let @ = 3\n            raise round by @ - @ + 1\n",
    "a memory of a rule": TURN + "remember @: number = 2\n            set @ to @ + 1\n",
    "a flag of a rule": TURN + "flag @\n            mark @\n            if @: clear @\n",
    "a binder": TURN + "for each @ in stalls by highest @.visits: raise @.visits by 1\n",
    "a binder of an option": TURN + "menu shop:\n                option buy for @ in stalls where @.closed: raise @.visits by 1\n",
    "a binder of a set": "value utmost: sum of (@.visits for @ in stalls) + count of (@ in stalls where @.closed)\n",
    "what is chosen": TURN + "choose @ in stalls\n            raise @.visits by 1\n",
    "an amount that is chosen": TURN + "choose @ from 1 to 3\n            raise round by @\n",
    "what is picked": TURN + "pick @ in stalls at random\n            raise @.visits by 1\n",
    "what is rolled": TURN + "roll @ from 1 to 3\n            raise round by @\n",
    "what is drawn": TURN + "draw 1 gem from bag to s.hand as @\n            move @ to bag\n",
    "what is tied": TURN + "let @ = the x in stalls with highest x.visits, tie: first\n            raise @.visits by 1\n",
    "a kind": "# game.yaml\nthings: {@: {count: 3}, stall: {count: 3}}\n# play.rules\nkind @ is thing:\n    counter use: 0 .. 9\n\n"
    "value first_one: @(1).use\n\nprocedure wear(x: @): raise x.use by 1\n",
    "a rule": "rule @, after turn: nothing\n\nrule later, after turn, after rule @: nothing\n",
    "a window": "window @ during turn:\n    option rest: nothing\n\nadd to window @:\n    option more_rest: nothing\n\n"
    + TURN + "menu shop:\n                option other: nothing\n",
    "an invariant": "invariant @: no (s in seats where s.cash < $0)\n",
    "a policy": "policy @:\n    prefer \"rest\"\n",
    "a word": "add to kind stall:\n    remember look: one of @ or plainly\n\n" + TURN
    + "for each l in stalls where l.look is @: set l.look to @\n",
    "a unit": "# game.yaml\nunits: {coin: {write: \"${}\"}, hour: {}, @: {}}\n# play.rules\nadd to seat:\n    purse own: @\n\n"
    "add to table:\n    purse stock: @, unlimited\n\n" + TURN + "gain 3 @ from stock\n",
    "a number": "# game.yaml\nnumbers: {rounds: 3, @: 4}\n# play.rules\nvalue more: @ * 2 - @\n\nadd to seat:\n    counter fame: 0 .. @\n",
    "a table": "# game.yaml\ntables: {price: [2, 3, 5], @: [1, 2]}\n# play.rules\nvalue more: @(1) * 2 - @(2)\n",
    "an option before the game": "# game.yaml\noptions: {@: {flag: false}}\n# play.rules\nvalue more: if @ then 1 else 2\n",
    "a word of an option": "# game.yaml\noptions: {sky: {one_of: [@, grey]}}\n# play.rules\nvalue more: if sky is @ then 1 else 2\n",
    "an enumeration": "# game.yaml\nsorts: {@: [here, there]}\n# play.rules\nadd to seat:\n    counter luck(x: @): 0 .. 9\n",
    "a word of an enumeration": "# game.yaml\nsorts: {side: [@, there]}\n# play.rules\nadd to seat:\n    counter luck(x: side): 0 .. 9\n\n"
    "value lucky(s: seat): s.luck(@) + s.luck(there)\n",
    "a family": "# game.yaml\npieces: {gem: {sorts: [red, green], count: 4, in: bag}, @: {count: 3, in: store}}\n# play.rules\n"
    "add to table:\n    zone store of @\n\nvalue all_there: count of (@ in store)\n",
    "a sort": "# game.yaml\npieces: {gem: {sorts: [red, green, @], count: 4, in: bag}}\n# play.rules\n"
    "procedure turn: move 2 @ from bag to bag\n\nvalue there: count of (@ in bag) + count of (g in bag where g is @)\n",
    "a side": "# game.yaml\npieces: {gem: {sorts: [red], sides: [fresh, @], count: 4, in: bag}}\n# play.rules\n"
    "procedure turn: move 1 red from bag to bag showing @\n\nvalue aged: count of (g in bag where g is @)\n",
    "a thing": "# game.yaml\nthings: {stall: {each: {@: {}, other_stall: {}}}}\n# play.rules\nprocedure turn: raise @.visits by 1\n\n"
    "value used: visits of @\n",
    "a thing with an id": "# game.yaml\nthings: {stall: {each: [{id: @}, {id: other_stall}]}}\n# play.rules\nvalue used: @.visits + visits of @\n",
    "a node of a map": "# game.yaml\nmap: maps/m.yaml\nthings: {gate: {from: gates}, road: {edges: roads}, stall: {count: 3}}\n"
    "# maps/m.yaml\nmap: {id: m, name: M, counts: {gates: 2, roads: 1}}\ngates: [{id: @, name: A}, {id: moon, name: B}]\nroads: [[@, moon]]\n"
    "# play.rules\nkind gate is node:\n    flag open\n\nkind road is edge:\n    flag built\n\nvalue shut -> flag: not @.open\n",
    "a board": "# game.yaml\nboards: {market: markets}\n# boards/@.yaml\nboard: @\nkind: market\n# play.rules\n"
    "kind market is board:\n    flag shut\n\nadd to table:\n    zone markets of board\n\nvalue gone: @ in markets and not @.shut\n",
    "an ending": "# game.yaml\nendings: {@: {en: The end}}\n# play.rules\nprocedure turn: end as @\n",
    "an argument of a rule": "procedure pass_by(x: stall): nothing\n\nprocedure turn:\n    for each l in stalls: pass_by(l)\n\n"
    "rule seen, after pass_by(@): raise @.visits by 1\n",
    "a number of a case": "value worth(n: number, g: gem) -> number, by sort: n\n\nvalue worth of @ red: @ * 2\n",
}  # fmt: skip


PARTS = 15  # of all words


def told(folder: Path, place: str, word: str) -> tuple[Fault, ...]:
    """What is said of a game in which the word is the name of something."""
    chunk = re.sub(r"\bturn\b", "taking", PLACES[place])
    if "procedure taking" not in chunk:
        chunk += "\nprocedure taking: nothing\n"
    files = {name.replace("@", word): text.replace("@", word) for name, text in _files(chunk + "\nplay:\n    as seat(1): taking\n").items()}
    return read(folder, files, without=("procedure turn",)).faults


def _files(chunk: str) -> dict[str, str]:
    """Headings may hold the name too."""
    return {name.replace("atatat", "@"): text for name, text in files_of(chunk.replace("boards/@", "boards/atatat")).items()}


@pytest.mark.parametrize("place", PLACES)
def test_a_name_that_is_no_word_can_stand_and_be_used(place: str, tmp_path: Path) -> None:
    assert not told(tmp_path, place, "zanzibar")


@pytest.mark.parametrize("part", mostly_seldom(range(PARTS), 1))
@pytest.mark.parametrize("place", PLACES)
def test_a_word_is_refused_where_it_is_declared_or_read_wherever_it_is_used(place: str, part: int, tmp_path: Path) -> None:
    """Every fifteenth word, each place beginning with another one; the others in the long tests."""
    odd = {}
    first = (list(PLACES).index(place) + part) % PARTS
    for number, word in enumerate(WORDS[first::PARTS]):
        faults = told(tmp_path / str(number), place, word)
        if word == "each" and "for @ in" in PLACES[place]:
            continue  # `for each in stalls` rather lacks a name
        if faults and not any(is_refusal(fault, word) for fault in faults):
            odd[word] = [fault.message for fault in faults]
    assert not odd


def is_refusal(fault: Fault, word: str) -> bool:
    """It is said of the word itself that it is none for a name. To YAML some words are none at all."""
    if word in ("true", "false", "yes", "no") and fault.span is not None and fault.span.source.path.endswith(".yaml"):
        return True
    return fault.code == "E104" and fault.message == f"`{word}` is a word of the language" and bool(fault.label)


def test_the_words_are_listed_for_authors() -> None:
    page = (Path(__file__).parents[2] / "docs" / "language.md").read_text("utf-8")
    section = page.partition("## Words that are no names")[2].partition("\n## ")[0]
    listed = section.split("\n\n")[2]
    assert re.findall(r"`(\w+)`", listed) == sorted(taken_words())


def test_what_is_suggested_instead_is_free() -> None:
    assert all(f"the_{word}" not in taken_words() for word in taken_words())


def test_the_property_is_not_empty() -> None:
    assert len(list(product(PLACES, WORDS))) > 7_000
