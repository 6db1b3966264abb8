"""Claims about kinds and units: what does not go together is refused, and said to be what it is."""

from pathlib import Path

from tests.language.tiny import check


def test_units_do_not_add(tmp_path: Path) -> None:
    check(tmp_path, """
value a(s: seat): s.cash + s.time         ### E301: amount in coin and an amount in hour are different units
value b(s: seat): s.cash - 3              ### E301: this is a number
value c(s: seat): s.cash + $3 + s.cash
value d(s: seat): s.time + 3 hours + 1 hour
value e(s: seat): max(s.cash, s.time)     ### E301: are different units
value f(s: seat): max(s.cash, $3)
value g(s: seat): number(s.cash) + number(s.time) + 3
""")  # fmt: skip


def test_only_one_side_of_a_product_has_a_unit(tmp_path: Path) -> None:
    check(tmp_path, """
value a(s: seat): s.cash * 3
value b(s: seat): 3 * s.cash
value c(s: seat): s.cash * s.time         ### E301: cannot be multiplied by an amount in hour
value d(s: seat): s.cash * $3             ### E301: cannot be multiplied by an amount in coin
value e(s: seat): s.cash / 2 rounded down
value f(s: seat) -> number: s.cash / $2 rounded down
value g(s: seat): s.cash / 1 hour rounded up       ### E301: cannot be divided by an amount in hour
value h(s: seat): 6 / s.cash rounded up            ### E301: a number cannot be divided by an amount in coin
""")  # fmt: skip


def test_money_needs_a_unit_that_somebody_has(tmp_path: Path) -> None:
    check(tmp_path, """
value a: ¥5                               ### E301: no unit is written with `¥`

procedure turn:
    gain $5 from bank
    gain 5 from bank                      ### E301: write its unit
    gain 5 hours from bank                ### E301: an amount in hour is needed
    pay $5 to bag                         ### E302: `bag` is a zone of gem
    pay red to bank                       ### E301: this is a sort of gem
    for each s in seats: s pays $1 to me
    for each o in stalls: o pays $1 to me      ### E302: `o` is a stall
""")  # fmt: skip


def test_a_counter_keeps_its_unit(tmp_path: Path) -> None:
    check(tmp_path, """
table:
    counter pot: $0 .. $9
    counter late: 0 .. 9

procedure turn:
    raise pot by $1
    raise pot by 1                        ### E301: this is a number
    set pot to late                       ### E301: an amount in coin is needed
    set late to pot                       ### E301: a number is needed
    lower late by 1 hour                  ### E301: this is an amount in hour
    set round to number(pot)
""")  # fmt: skip


def test_a_value_gives_what_it_says(tmp_path: Path) -> None:
    check(tmp_path, """
value a -> coin: $3
value b -> coin: 3                        ### E301: an amount in coin is needed
value c -> gem: red
value d -> stall: red                     ### E301: a stall is needed
value e -> flag: round = 3
value f -> seat: round                    ### E301: a seat is needed
value g -> number:
    if round = 1: give 2
    else: give $2                         ### E301: a number is needed
value h:                                  ### E307: it is not said what `h` gives
    give 2
value i -> number:                        ### E307: does not give anything at its end
    if round = 1: give 2
value j -> words: 3                       ### E205: no type is called `words`
""")  # fmt: skip


def test_different_kinds_are_never_alike(tmp_path: Path) -> None:
    check(tmp_path, """
value a(s: seat, o: stall): s = o         ### E301: a seat is never a stall
value b(s: seat): s = 1                   ### E301: a seat is never a number
value c(o: stall): o = red                ### E301: a stall is never a sort of gem
value d: red is green
value e: red = 3                          ### E301: a sort of gem is never a number
value f(s: seat): s.cash = s.time         ### E301: different units
value g(o: stall): o.closed = 1           ### E301: a condition is never a number
value h(o: stall): o.closed
value i(s: seat): s = none                ### E319: write `s is none`
value j(s: seat): s is none               ### E301: a seat is never none
""")  # fmt: skip


def test_only_numbers_have_an_order(tmp_path: Path) -> None:
    check(tmp_path, """
value a: red < green                      ### E301: only numbers can be more or less
value b(s: seat, o: seat): s >= o         ### E301: a seat has no order
value c(o: stall): o.visits > 2
value d: (o in stalls with highest o)              ### E301: a stall has no order
value e: (o in stalls with highest o.visits)
value f: (s in seats by lowest s.hand)             ### E301: a zone of gem has no order
value g: (s in seats by lowest count of s.hand then highest s.cash)
value h: (s in seats by lowest s.cash = $3)        ### E203: `=` cannot stand here

ranking: highest total then lowest my.hand else shared     ### E301: a zone of gem has no order
""")  # fmt: skip


def test_a_condition_is_asked_for_where_one_is_needed(tmp_path: Path) -> None:
    check(tmp_path, """
guard rich(s: seat) "too poor": s.cash              ### E301: a condition is needed
value a: round and round = 3              ### E301: a condition is needed
value b: not round                        ### E301: a condition is needed
value c: if round then 1 else 2           ### E301: a condition is needed
value d: (s in seats where s.cash)        ### E301: a condition is needed
value e: count of (s in seats where s.cash > $3)

procedure turn:
    if red in bag: nothing
    if bag: nothing                       ### E302: a condition is needed
    if count of bag: nothing              ### E301: a condition is needed
    if bag is not empty and any (o in stalls where o.closed): nothing
    require my.cash                       ### E301: a condition is needed
""")  # fmt: skip


def test_both_ways_of_a_choice_are_of_one_kind(tmp_path: Path) -> None:
    check(tmp_path, """
value a: if round = 1 then $3 else $4
value b: if round = 1 then $3 else 4      ### E301: this is a number
value c: if round = 1 then $3 else red    ### E301: but what stands after `then` is an amount in coin
value d: {red, green}
value e: {red, 3}                         ### E301: but what stands before it is a sort of gem
""")  # fmt: skip


def test_a_set_is_no_single_thing_and_the_other_way_round(tmp_path: Path) -> None:
    check(tmp_path, """
value a: stalls > 2                       ### E302: a set of stalls
value b: count of stalls > 2
value c: count of round                   ### E302: a set is needed
value d: highest of stalls                ### E302: numbers are needed
value e: highest of (o.visits for o in stalls)
value f: sum of (o for o in stalls)       ### E302: a number is needed
value g: first of stalls

procedure turn:
    for each s in me: nothing             ### E302: a set of one stands in braces
    for each s in {me}: nothing
    for each n in round: nothing          ### E302: `round` is a number
    for each n in 1 .. round: nothing
    for each n in $1 .. 3: nothing        ### E301: different units
    as seats: nothing                     ### E302: a seat is needed
""")  # fmt: skip


def test_pieces_lie_in_zones_and_nowhere_else(tmp_path: Path) -> None:
    check(tmp_path, """
procedure turn:
    move 1 red from bag to my.hand
    move 1 red from bag to bank           ### E302: `bank` is a purse in coin
    move 1 red from bag to me             ### E302: a zone is needed
    move 1 red from bag to stalls         ### E302: a zone is needed
    move 1 red from stall.shelf to bag
    move 1 red to bag                     ### E303: and from where
    move all bag to my.hand
    move 3 to bag                         ### E303: a number cannot be moved
    draw 1 gem from bag to my.hand
    draw red from bag to my.hand          ### E303: like `3 cards`
    shuffle round                         ### E302: a zone is needed
    move 1 red from bag to stall.shelf    ### E302: several zones
""")  # fmt: skip


def test_a_zone_takes_only_its_sorts(tmp_path: Path) -> None:
    check(tmp_path, """
# game.yaml
pieces:
  gem: {is: stone, sorts: [red, green], count: 4, in: bag}
  leaf: {is: plant, sorts: [oak, elm], count: 4, in: heap}
# play.rules
table:
    zone heap of leaf
    zone dust of plant
    zone mix of stone

procedure turn:
    move 1 red from bag to heap           ### E304: this zone cannot take it
    move 1 oak from heap to dust
    move 1 oak from heap to mix           ### E304: this zone cannot take it
    if oak in bag: nothing                ### E304: no leaf ever lies in a zone of gem
    if oak in heap: nothing
    move all leaf in heap to dust
""")  # fmt: skip


def test_arguments_are_of_the_declared_kind(tmp_path: Path) -> None:
    check(tmp_path, """
value fee(s: seat, n: number) -> coin: $1 * n
value a: fee(me, 3)
value b(s: seat): fee(s, $3)              ### E301: a number is needed
value c(s: seat): fee(3, 4)               ### E301: a seat is needed
value d(s: seat): fee(s)                  ### E302: this is the value `fee`
value e(s: seat): fee(s, 3, 4)            ### E211: takes 2 in brackets, 3 are given

procedure visit(o: stall): raise o.visits by 1

procedure turn:
    visit(me)                             ### E301: a stall is needed
    visit(first of stalls)
    visit                                 ### E211: takes 1 in brackets, 0 are given
""")  # fmt: skip


def test_what_cannot_be_changed_is_not_changed(tmp_path: Path) -> None:
    check(tmp_path, """
value late: round > 2

procedure turn:
    set round to 3
    set rounds to 4                       ### E309: a number cannot be changed
    set late to true                      ### E309: a condition cannot be changed
    set my.cash to $5                     ### E502: use `gain` or `pay`
    raise my.cash by $5                   ### E502
    mark round                            ### E309: a number cannot be marked
    for each o in stalls:
        mark o.closed
        clear o.closed
        clear o.visits                    ### E309: a number cannot be cleared
        raise o.closed by 1               ### E309: a condition cannot be raised
    reveal bag
    reveal late                           ### E309: cannot be revealed
""")  # fmt: skip


def test_a_value_works_something_out_and_changes_nothing(tmp_path: Path) -> None:
    check(tmp_path, """
value a -> number:
    let n = round
    remember most: number = 0
    for each o in stalls:
        if o.visits > most: set most to o.visits
    give most + n
value b -> number:
    raise round by 1                      ### E308: it changes nothing
    give round
value c -> number:
    gain $1 from bank                     ### E308
    give 3
value d -> number:
    choose n from 1 to 3                  ### E308
    give 3
""")  # fmt: skip


def test_costs_are_money_or_pieces(tmp_path: Path) -> None:
    check(tmp_path, """
procedure turn:
    menu actions:
        option a costs $1: nothing
        option b costs 1: nothing                             ### E301: a plain number is no cost
        option c costs 1 red from my.hand to bag: nothing
        option d costs 1 red to bag: nothing                  ### E303: add `from …`
        option e costs 1 red from my.hand: nothing            ### E303: add `to …` or `by …`
        option f costs red: nothing                           ### E303: say how many of what
        option g costs 9 red from my.hand to bag: nothing
        option h costs 1 hour: nothing                        ### E504: there is no supply of hour
        option i costs 1 of my.hand to bag and $1: nothing
""")  # fmt: skip


def test_tables_are_asked_within_their_bounds(tmp_path: Path) -> None:
    check(tmp_path, """
value a: price(1) + price(3)
value b: price(0)                         ### E306: has no entry for 0
value c: price(4)                         ### E306: has no entry for 4
value d: price(1, 2)                      ### E211: has 1 index, 2 are given
value e: price(red)                       ### E301: a number is needed
value f: price                            ### E302: the table `price`
value g: price(round)
value h: stall(3).visits
value i: stall(4).visits                  ### E306: there are 3 stalls
""")  # fmt: skip


def test_a_name_is_narrowed_by_what_was_asked_of_it(tmp_path: Path) -> None:
    check(tmp_path, """
# game.yaml
things: {stall: {count: 2}, shop: {count: 2}, barn: {count: 1}}
# play.rules
kind house is thing:
    flag old
kind shop is house:
    counter sales: 0 .. 9
kind barn is house:
    counter hay: 0 .. 9

value a(h: house): h is shop and h.sales > 2
value b(h: house): if h is barn then h.hay else 0
value c(h: house): h is not shop or h.sales > 2
value d(h: house): h.old
value e(h: house): h.rent                 ### E210: a house has no `rent`
value f(s: shop): s.hay                   ### E210: a shop has no `hay`
value g(h: house): h is tower             ### E205: nothing can be `tower`
value h: count of (x in houses where x is old)
""")  # fmt: skip


def test_what_is_counted_by_is_a_number(tmp_path: Path) -> None:
    """From where to where, in which steps, and by how much: conditions, seats and sorts are none."""
    check(tmp_path, """
table:
    counter late: 0 .. 9

procedure turn:
    raise late by any (s in seats where s.cash > $3)     ### E301: this is a condition
    lower late by me                                     ### E301: this is a seat
    choose b from me to 9 "B"                            ### E301: this is a seat
    for each n in 1 .. red: nothing                      ### E301: this is a sort of gem
    choose d from 0 to 9 step 3 "D"
""")  # fmt: skip
