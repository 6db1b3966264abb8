"""What small rulesets made by chance have in common: what there is, and the places where chance writes."""

from __future__ import annotations

BOX = """\
game: made
language: 2
title: Made
seats: 2 to 3
units: {coin: {write: "${}"}, hour: {}}
numbers: {rounds: 2, few: {is: {2: 3, 3: 4}}, dues: {is: few + 1, unit: coin}}
options:
  starts: {seat: random}
  quick: {flag: false}
  air: {one_of: [calm, wild], otherwise: calm}
  limit: {from: 0, to: 4, otherwise: 2}
sorts: {side: [left, right]}
boards: {market: closed}
tables:
  worth: {index: n, from: 0, values: [0, 1, 3, 6], then: n * 2}
  rent: {index: [side, n], values: [[1, 2, 4], [3, 5, 7]], unit: coin}
  bonus: {index: rich, from: 0, values: [1, 3]}
  taste: {index: [gem, seat, n], values: {red: [[1, 2], [3, 4], [5, 0]], green: {1: [2, 7], 2: [0, 3], 3: [1, 1]}}}
  length: {index: boat, values: {raft: 1, barge: 4}}
map: maps/isle.yaml
pieces:
  gem: {is: ware, sorts: {red: {face: 2}, green: {face: 3}}, count: 5, in: bag}
  boat: {individual: true, in: dock, sorts: {raft: {slots: 1, count: 2}, barge: {slots: 3, count: 1}}}
  ticket: {per: seat, in: tickets, sorts: {one: {price: 1, count: 2}, two: {price: 2, count: 1}}}
  shell: {is: ware, sides: [fresh, aged], in: sea, count: 2, sorts: [conch, clam]}
  crate: {sorts_for: {home: stall}, in: store, count: 2}
  slip: {sorts_for: {goal: gem, way: side}, named: "{way}_{goal}", in: slips, count: "taste(goal, seat(2), 1)"}
things:
  stall: {each: {north: {beside: bell, dear: true}, south: {fee: $2}}}
  inn: {each: {bell: {fond: red}}}
  gate: {from: gates}
  road: {edges: roads}
endings: {rich: {en: Rich}, late: {en: Late}}
"""

ISLE = """\
map: {id: isle, name: Isle}
gates:
  - {id: sun, toll: 2}
  - {id: moon, toll: 1}
  - {id: star, toll: 4}
roads: [[moon, sun], [moon, star]]
"""

RULES = """\
kind spot is thing:
    field fee: coin = $1
    field beside: spot or none
    field fond: gem or none
    field dear: flag
    counter price: 0 .. 20 start 2, stops at the ends
    counter rate: $1 .. $9 start $2, stops at the ends
    flag closed
    flag met(s: seat)
    zone shelf of gem{shelf_words}
    counter marks(d: side): 0 .. 9, stops at the ends

kind stall is spot:
    flag visited, resets each turn

kind inn is spot:
    counter beds: 0 .. 9 start 1, stops at the ends

kind gate is node:
    field toll: number
    counter crowd: 0 .. 9, stops at the ends

kind road is edge:
    counter used: 0 .. 9, stops at the ends

kind boat is piece:
    note used: flag{used_words}
    note left_at: spot or none
    note paid_for: coin
    counter worn: 0 .. 9, stops at the ends
    zone hold of gem

kind market is board:
    field entry: cost = $0
    field rank: number = 1
    counter sold: 0 .. 30, stops at the ends
    zone goods of gem
    menu visit
    value fee_for(n: number) -> number: {fee}
    guard welcome "not here": {welcome}
    procedure trade(n: number): {trade}
    setup:
        {market_setup}

seat:
    purse cash: coin start 6
    purse time: hour start 3
    purse hoard: coin start 2, hidden from others
    zone hand of gem, hidden from others
    zone papers of slip
    zone row(k: stall) of gem
    zone pile(d: side) of gem{pile_words}
    zone fleet of boat forgets everything but used{fleet_words}
    zone tickets of ticket of me
    zone won of ticket
    zone net of shell
    zone chest of ware, {chest_words}
    counter luck: 0 .. 50, stops at the ends
    counter mood: 0 .. 9 start 4, stops at the ends, hidden from others
    counter strict: 0 .. 40
    counter vow(o: seat): 0 .. 9, stops at the ends
    counter tally(o: seat, d: side): 0 .. 9, stops at the ends
    flag ready, resets each turn
    remember rival: seat or none = none
    remember liked: spot or none = none
    remember where_at: gate = moon
    remember wish: gem or none, hidden from others

table:
    purse bank: coin, unlimited
    purse clock: hour, unlimited
    purse pot: coin
    zone bag of gem, face down{bag_words}
    zone heap of gem
    zone dock of boat forgets left_at{dock_words}
    zone sea of shell
    zone store of crate
    zone slips of slip
    zone cart(k: stall) of crate, at most 40
    zone nook(k: stall, d: side) of gem
    flag been(k: stall, d: side)
    zone closed of market
    zone square of market, in play
    counter seen: 0 .. 9999, stops at the ends
    counter by_sort(g: gem): 0 .. 99, stops at the ends
    remember last: seat or none

setup:
    for each s in seats: draw 2 gem from bag to s.hand
{setup}

play:
    repeat rounds times:
        {course}: turn
{between}

value rated(n: number) -> number: {rated}

value gathered(s: seat) -> number:
    remember much: number = 0
    for each g in s.row where g.face > {low}: raise much by {gathered}
    give much

value prized(n: number, g: gem, s: seat) -> number, by sort: {prized}
value prized of n green{prized_for}: {prized_green}

value heap_of(n: number, g: gem) -> coin: {heap_of}

value tuned(k: number, g: gem) -> number: {tuned}

value liked_by_all(g: gem) -> number: g.face + by_sort(g)

value netted(n: number, h: shell) -> number, by sort: n
value netted of n conch showing aged:
    "An old conch is worth more."
    give n * 3

value plenty -> flag: {plenty}

value mates(s: seat): {mates}

value lying_by(s: seat): {s.row(north), s.pile(left), heap}

guard lucky "no luck": {lucky}
guard at_ease(s: seat) "not at ease": {at_ease}
guard fits(s: seat, n: number): n < s.luck + 3

cost fare(n: number): {fare}

cost taken(n: number): n of my.hand to heap as taken

procedure send_home(g: piece of gem): move g to {send_home}

procedure pay_out(who: seat, n: number):
{pay_out}

procedure deal(who: seat) -> got: number, whom: seat:
{deal}
    give {given}, next_seat(who)

procedure wager(n: number) -> most: coin:
    for each s in seats where s.cash > $3:
        set aside min(s.cash, max($0, n * $1)) from s as stake
        if s.cash > $1: set aside $1 from s as second_stake
    for each s in seats where stake of s > $0 and stake of s > second_stake of s:
        s pays $1 from stake to pot
        if s is me: give stake of s
    gain second_stake of me from second_stake of me
    give $2

procedure weigh(s: seat, m: measure of gem) -> most: number:
    for each g in s.row: raise seen by m(sort of g)
    give highest of (m(g) for g in gems)

procedure spread(z: zone of gem, them: seats, some: bag of gem):
    raise seen by count of z + count of them
    {spread}

procedure turn:
    "Everybody does something."
{turn}
{actions}
{window}
add to menu visit of market:
    "What do you do here?"
    option stay costs m.entry: nothing

{rules}
scoring:
{scoring}    score for each seat:
        score "Cash" my.cash
        score "Rest" seen + my.luck + count of my.hand

ranking: highest total then {ranking} else shared

invariant few_boats: count of dock <= 3
conserve gem

policy keen:
{policy}"""

FISH = """\
board: fish
kind: market
{fields}rules: |
"""

RICE = """\
board: rice
kind: market
rank: 2
"""

RAIN = """\
module: rain
pieces: {gem: {sorts: {blue: {face: 4, count: 3}}}}
change: {taste: {blue: {1: [3, 0], 2: [1, 2], 3: [9, 0]}}}
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
