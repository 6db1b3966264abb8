"""The games that `ichiba new game` begins with: for each way its files, with NAME and TITLE left open."""

from __future__ import annotations

_BARE = {
    "game.yaml": """\
game: NAME
language: 2
title: {en: TITLE}
about: {en: What the game is about.}
seats: 2 to 4

numbers:
  rounds: 3
""",
    "NAME.rules": """\
seat:
    counter points: 0 .. rounds

play:
    repeat rounds times:
        take one turn each from seat(1): turn

procedure turn:
    menu action:
        "What do you do?"
        option work "Work": raise my.points by 1
        option rest "Rest": nothing

scoring:
    score for each seat: score "Points" my.points

ranking: highest total else shared

policy sensible:
    prefer "work"
""",
    "scenarios/first.scenario.yaml": """\
config: {seats: 2}
scenarios:
  - scenario: who works has a point more
    when: [1: work, 2: rest]
    then: [seat(1).points = 1, seat(2).points = 0]
""",
}

_CARDS = {
    "game.yaml": """\
game: NAME
language: 2
title: {en: TITLE}
about: {en: "Lay a card in secret. The highest takes all that are laid; of equals nobody does. Most cards win."}
seats: 2 to 4

numbers:
  hand_size: 5

pieces:
  card: {sorts_for: {rank: rank}, count: 2, in: deck}
things:
  rank: {count: 12}
""",
    "NAME.rules": """\
kind rank is thing:
    "Cards are numbered from 1."

seat:
    zone hand of card, hidden from others
    zone laid of card, at most 1
    zone won of card

table:
    zone deck of card, face down
    zone discards of card

setup:
    for each s in seats: draw hand_size cards from deck to s.hand

play:
    repeat hand_size times: trick

procedure trick:
    "Everybody lays a card in secret; the highest takes them all."
    each s in seats secretly:
        choose card in my.hand "Which card do you lay?"
        move card to my.laid
    reveal seat.laid
    let best = (s in seats with highest face(s))
    for each s in seats:
        if count of best > 1: move all s.laid to discards
        else: move all s.laid to (first of {best, seats}).won

value face(s: seat) -> number: sum of (position of c.rank for c in s.laid)

scoring:
    score for each seat: score "Cards" count of my.won

ranking: highest total else shared

conserve card
""",
    "scenarios/first.scenario.yaml": """\
# The seats lay their cards in any order. In `given` cards are dealt by hand.
config: {seats: 2}
scenarios:
  - scenario: the highest card takes all that are laid
    given: |
      for each s in seats: move all s.hand to deck
      for each c in deck where position of c.rank = 3: move c to seat(1).hand
      for each c in deck where position of c.rank = 7: move c to seat(2).hand
    when: [1: card/3, 2: card/7]
    then: [count of seat(2).won = 2]
""",
}

_MAP = {
    "game.yaml": """\
game: NAME
language: 2
title: {en: TITLE}
about: {en: "Travel along the roads, which cost what they say, and collect a stamp in every town. Most stamps win."}
seats: 2 to 4
map: maps/towns.yaml

units:
  coin: {write: "{} coins", one: "{} coin"}
numbers:
  days: 4
  first_money: {is: 12, unit: coin}

things:
  town: {from: towns}
  road: {edges: roads}
""",
    "NAME.rules": """\
kind town is node:
    flag stamped(s: seat)

kind road is edge:
    field toll: coin

seat:
    purse cash: coin start first_money
    remember here: town = ashford

table:
    purse bank: coin, unlimited

play:
    repeat days times:
        take one turn each from seat(1): turn

procedure turn:
    menu journey:
        "Where do you go?"
        option go "To {t} for {fare(me, t)}" for t in towns where t is not my.here costs fare(me, t) to bank:
            set my.here to t
            mark t.stamped(me)
        option stay "Stay": nothing

value fare(s: seat, t: town) -> coin:
    "The cheapest way along the roads."
    give cheapest way from s.here to t over r in roads by r.toll else 0 coins

scoring:
    score for each seat: score "Stamps" count of (t in towns where t.stamped(me))

ranking: highest total then highest my.cash else shared

policy sensible:
    prefer "go/{t}" for t in towns when not t.stamped(me) by 10 - number(fare(me, t))
    prefer "stay"
""",
    "maps/towns.yaml": """\
map: {id: towns, name: The towns}
towns:
  - {id: ashford, name: Ashford, x: 100, y: 100}
  - {id: bridge_end, name: Bridge End, x: 500, y: 60}
  - {id: coldwell, name: Coldwell, x: 850, y: 200}
  - {id: dunmore, name: Dunmore, x: 300, y: 450}
  - {id: eastgate, name: Eastgate, x: 700, y: 480}
roads:
  - {between: [ashford, bridge_end], toll: 2}
  - {between: [bridge_end, coldwell], toll: 3}
  - {between: [ashford, dunmore], toll: 1}
  - {between: [dunmore, eastgate], toll: 2}
  - {between: [coldwell, eastgate], toll: 1}
  - {between: [bridge_end, eastgate], toll: 4}
""",
    "scenarios/first.scenario.yaml": """\
config: {seats: 2}
scenarios:
  - scenario: the cheapest way is paid, and the town gives its stamp
    when: [1: go/eastgate]
    then:
      - cash of seat(1) = 9 coins
      - seat(1).here is eastgate
      - "eastgate.stamped(seat(1))"
""",
}

_GRID = {
    "game.yaml": """\
game: NAME
language: 2
title: {en: TITLE}
about: {en: "Claim places in turn. Your largest field of places that touch counts. The largest field wins."}
seats: 2 to 4

things:
  place: {grid: 5 x 5}
""",
    "NAME.rules": """\
kind place is node:
    remember owner: seat or none

play:
    take turns from seat(1) until no (p in places where p.owner is none), at most count of places times: turn

procedure turn:
    choose here in places where here.owner is none "Which place do you claim?" key "claim":
        set here.owner to me

value field_of(p: place) -> number:
    "How many places of one owner hang together with it."
    give count of (connected to p through n where n.owner is p.owner)

scoring:
    score for each seat: score "Largest field" highest of (field_of(p) for p in places where p.owner is me)

ranking: highest total else shared

policy sensible:
    prefer "claim/{p}" for p in places by count of (n in beside(p) where n.owner is me)
""",
    "scenarios/first.scenario.yaml": """\
config: {seats: 2}
scenarios:
  - scenario: places that touch are a field
    when: [1: claim/a1, 2: claim/b2, 1: claim/a2]
    then: [field_of(a1) = 2, field_of(b2) = 1]
""",
}

STARTERS = {"bare": _BARE, "cards": _CARDS, "map": _MAP, "grid": _GRID}
