"""A small market to try the command line on: secret bids, a hidden basket, a board, a module, a variant, a policy."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "game.yaml": """\
game: orchard
language: 2
title: {en: Orchard, ja: 果樹園}
about: {en: Three harvests. Bid in secret for the first pick.}
seats: 2 to 3
units: {coin: {write: "${}"}}
numbers:
  rounds: {is: 3, assumption: A-ORC-1, why: nobody has counted the harvests}
  first_money: {is: 20, unit: coin}
tables:
  price: {index: place, values: [3, 5, 8], unit: coin, assumption: A-ORC-2}
options:
  start_player: {seat: 1}
  generous: {flag: false, title: {en: Generous stalls}}
  season: {one_of: [spring, autumn], otherwise: autumn}
pieces:
  fruit: {sorts: [apple, plum], count: 8, in: crate}
things:
  stall: {count: 3}
endings: {frost: {en: The frost came}}
""",
    "orchard.rules": """\
kind stall is thing:
    zone goods of fruit

kind shed is board:
    counter visits: 0 .. 9

seat:
    purse cash: coin start first_money
    zone basket of fruit, hidden from others
    counter offered: 0 .. 20

table:
    purse bank: coin, unlimited
    zone crate of fruit, face down
    zone sheds of shed, in play
    counter round: 0 .. 3

setup: move dry_shed to sheds

play:
    repeat rounds times:
        raise round by 1
        harvest
        bidding
        picking
    end as frost

procedure harvest:
    "Every stall gets one fruit."
    for each t in stalls: draw 1 fruit from crate to t.goods

procedure bidding:
    "Everybody secretly bids for the first pick."
    each s in seats secretly:
        choose bid from 0 to 15 "What do you bid?"
        set my.offered to bid
    reveal seat.offered

procedure picking:
    for each s in seats by highest s.offered then lowest position of s:
        as s:
            menu stop_by:
                "Buy at a stall, or go home?"
                option buy "Buy at stall {position of t}" for t in stalls where t.goods is not empty
                        costs price(position of t) to bank:
                    move all t.goods to my.basket
                option home "Go home": nothing

scoring:
    score for each seat:
        score "Cash" my.cash
        score "Fruit" ¥4 * count of my.basket

ranking: highest total else shared

policy thrifty:
    prefer "buy/{t}" for t in stalls when my.cash > price(3) by 10 - position of t
    prefer "home" by 1
""".replace("¥4 *", "4 *"),
    "boards/dry_shed.yaml": """\
board: dry_shed
kind: shed
title: {en: Dry shed}
about: Fruit keeps here until the frost.
""",
    "variants/rich.yaml": """\
variant: rich
title: {en: Rich pickers}
about: {en: Everybody begins with more money.}
rules: |
  change first_money to 30
""",
    "modules/nuts/module.yaml": """\
module: nuts
title: {en: Nuts}
options:
  shells: {from: 1, to: 4, otherwise: 2}
""",
}


def write(folder: Path, **changes: str) -> Path:
    """The ruleset, with some files written differently; `game_yaml` stands for game.yaml."""
    home = folder / "orchard"
    files = dict(FILES)
    for name, text in changes.items():
        stem, _, suffix = name.rpartition("_")
        files[f"{stem}.{suffix}"] = text
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home
