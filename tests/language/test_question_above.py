"""Claims about what `menu m.visit` asks: the sentence that stands above the options of whoever they belong to."""

from __future__ import annotations

from pathlib import Path

from ichiba import Table, load

KINDS = """kind place is thing:
    menu visit
kind shop is place:
    field price: coin = $2
kind inn is place:
    field beds: number = 1
seat:
    counter luck: 0 .. 9
play:
    as seat(1): turn
procedure turn:
    menu going:
        option go "To {p}" for p in places:
            menu p.visit
    menu shopping:
        option buy "To {s}" for s in shops:
            menu s.visit
    menu %s.visit
add to menu visit of place:
    "What do you do at {board}?"
    option rest "Rest": nothing
    option wait "Wait": nothing
%s
scoring:
    score for each seat: score "Luck" my.luck
"""
OF_SHOPS = """add to menu visit of shop:
    "Buy at {board} for {board.price}?"
    option buy "Buy": nothing
"""
GAME = """language: 2
seats: 2 to 4
units: {coin: {write: "${}"}}
things: {shop: {each: [corner, gate]}, inn: {each: [crown]}}
"""


def begun(folder: Path, rules: str) -> Table:
    for name, text in {"game.yaml": GAME + f"game: {folder.name}\n", "play.rules": rules}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return load(folder, 2, trust=True).start(1)


def asked(folder: Path, more: str) -> list[str]:
    table, found = begun(folder, KINDS % ("crown", more)), []
    for key in ("go/corner", "rest", "buy/gate", "rest", "rest"):
        assert table.decision is not None
        found.append(table.decision.prompt)
        table.play(key)
    return [prompt for prompt in found if prompt not in ("Going", "Shopping")]


def test_it_is_that_of_the_nearest_kind_that_has_one(tmp_path: Path) -> None:
    assert asked(tmp_path, "") == ["What do you do at corner?", "What do you do at gate?", "What do you do at crown?"]
    of_shops = asked(tmp_path, OF_SHOPS)
    assert of_shops == ["What do you do at corner?", "Buy at gate for $2?", "What do you do at crown?"]


def test_where_nothing_is_said_it_is_its_name(tmp_path: Path) -> None:
    table = begun(tmp_path, (KINDS % ("crown", "")).replace('    "What do you do at {board}?"\n', ""))
    table.play("go/corner")
    assert table.decision is not None and table.decision.prompt == "Visit"
