"""What small rulesets made by chance have in common: what there is, and the places where chance writes."""

from __future__ import annotations

BOX = """\
game: made
language: 1
title: Made
seats: 2 to 3
units: {coin: {write: "${}"}}
numbers: {rounds: 2}
options: {starts: {seat: random}, quick: {flag: false}}
sorts: {side: [left, right]}
boards: {market: closed}
tables: {worth: {index: n, from: 0, values: [0, 1, 3, 6], then: n * 2}}
pieces:
  gem: {sorts: {red: {face: 2}, green: {face: 3}}, number: 5, in: bag}
  boat: {individual: true, in: dock, sorts: {raft: {slots: 1, number: 2}, barge: {slots: 3, number: 1}}}
things: {stall: {each: {north: {}, south: {}}}, inn: {each: {bell: {}}}}
"""

RULES = """\
kind spot is thing:
    counter price: 0 .. 20 start 2, stops at the ends
    flag closed
    zone shelf of gem
    counter marks(d: side): 0 .. 9, stops at the ends

kind stall is spot:
    flag visited, resets each turn

kind inn is spot:
    counter beds: 0 .. 9 start 1, stops at the ends

kind boat is piece:
    note used: flag
    note left_at: spot or none
    counter worn: 0 .. 9, stops at the ends
    zone hold of gem

kind market is board:
    counter sold: 0 .. 30, stops at the ends
    zone goods of gem
    menu visit
    value fee(n: number) in number: {fee}
    procedure trade(n: number): {trade}
    setup:
        {market_setup}

seat:
    purse cash in coin start 6
    zone hand of gem, hidden from others
    zone row(k: stall) of gem
    zone pile(d: side) of gem{pile_words}
    zone fleet of boat keeps used{fleet_words}
    counter luck: 0 .. 50, stops at the ends
    counter strict: 0 .. 40
    counter vow(o: seat): 0 .. 9, stops at the ends
    flag ready, resets each turn
    remember rival: seat or none = none
    remember liked: spot or none = none

table:
    purse bank in coin, unlimited
    zone bag of gem, face down{bag_words}
    zone heap of gem
    zone dock of boat
    zone closed of market
    zone square of market, in play
    counter seen: 0 .. 9999, stops at the ends

setup:
    for each s in seats: draw 2 gem from bag to s.hand
{setup}

play:
    repeat rounds times:
        take one turn each from starts: turn
{between}

value rated(n: number) in number: {rated}

value gathered(s: seat) in number:
    remember much: number = 0
    for each g in s.row where g.face > {low}: raise much by {gathered}
    give much

guard lucky "no luck": {lucky}

cost fare(n: number): {fare}

procedure pay_out(who: seat, n: number):
{pay_out}

procedure deal(who: seat) -> got: number, whom: seat:
{deal}
    give {given}, next_seat(who)

phase turn:
{turn}
{actions}
{window}
add to menu visit of market:
    option stay: nothing

{rules}
scoring:
    score for each seat:
        score "Cash" my.cash
        score "Rest" seen + my.luck + count of my.hand

ranking: highest total then highest rated({ranking}) else shared
"""

FISH = """\
board: fish
kind: market
rules: |
"""

RICE = """\
board: rice
kind: market
"""

RAIN = """\
module: rain
pieces: {gem: {sorts: {blue: {face: 4, number: 3}}}}
"""

SNOW = """\
module: snow
needs: [rain]
change: {worth: [0, 2, 2, 5]}
"""

QUICK = """\
variant: quickly
rules: |
    change rounds to 1
"""
