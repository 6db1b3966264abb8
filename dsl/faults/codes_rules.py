"""Faults of rules: how they are written, what their words mean, and whether they fit. E2xx and E3xx."""

from __future__ import annotations

from ichiba.dsl.faults.code import Code

ENTRIES: tuple[Code, ...] = (
    Code(
        "E201",
        "a character that the language does not have",
        "Rules are written with letters, digits, `_` and the signs `. , : ( ) { } + - * / = != < <= > "
        ">= ->`, and texts in double quotes that end on their line. A `#` begins a comment. Indent "
        "with spaces.",
        "value half: 7 ÷ 2 rounded down\n",
        "value half: 7 / 2 rounded down\n",
    ),
    Code(
        "E202",
        "a line that belongs to no block",
        "All lines of a block are indented alike. A line further left ends the block, and must then "
        "stand exactly under a line of an outer one. A line further right continues the sentence "
        "before it, unless that ends in a colon.",
        "procedure turn:\n    if round = 3:\n        raise round by 1\n      nothing\n",
        "procedure turn:\n    if round = 3:\n        raise round by 1\n    nothing\n",
    ),
    Code(
        "E203",
        "a sentence that cannot go on like this",
        "The grammar knows no sentence with this word at this place. The fault says what could stand "
        "here. Often the slip is a little further left: a forgotten word, comma, colon or bracket.",
        "procedure turn:\n    move 1 gem form bag to my.hand\n",
        "procedure turn:\n    move 1 gem from bag to my.hand\n",
    ),
    Code(
        "E204",
        "a number too large, a sentence too long or too deep, or too many faults",
        "Numbers have at most 12 digits and lie between -1,000,000,000,000 and 1,000,000,000,000. "
        "Brackets are nested at most 32 deep, and a sentence has at most 2,000 words: give parts of "
        "it names, with `value` or `let`. The files of a game have at most 15,000 braces. Of faults the first 200 are told, and a text is "
        "read on behind 100 that keep it from being read.",
        "value fortune: 1234567890123\n",
        "value fortune: 123456789012\n",
    ),
    Code(
        "E205",
        "an unknown name",
        "Nothing of this name is declared: no number, table, option, kind, thing, sort, member, value "
        "or procedure, as the place demands, and no name of this rule. Names of switched-off modules "
        "may be mentioned. Mind singular and plural: `stalls` are all of the kind `stall`.",
        "value rich: count of stals\n",
        "value rich: count of stalls\n",
    ),
    Code(
        "E206",
        "a name that is defined twice",
        "Each name is defined once; the fault shows both places. To change what another file defines, "
        "a module says `replace`, `add to`, `restrict` or `remove`.",
        "value last_round: 3\nvalue last_round: 4\n",
        "value last_round: 3\n",
    ),
    Code(
        "E207",
        "kinds that are each other's kind",
        "`kind a is b` makes every a a b. In the end every kind is a `thing`, `piece`, `board`, `node` or `edge`.",
        "kind inn is house:\n    flag full\n\nkind house is inn:\n    flag open\n",
        "kind inn is house:\n    flag full\n\nkind house is thing:\n    flag open\n",
    ),
    Code(
        "E208",
        "`board:` outside of a board's file",
        "The members under `board:` belong to the one board in whose file they stand. What all boards "
        "of a kind have stands under `kind`.",
        "board:\n    counter heat: 0 .. 3\n",
        "table:\n    counter heat: 0 .. 3\n",
    ),
    Code(
        "E209",
        "nobody is meant",
        "`me` and `my` mean the seat whose turn it is, `board` the board of the file or of the kind. "
        "Here there is none. Say which one is meant, for instance with `for each s in seats`, or `as "
        "s:`.",
        "invariant solvent: my.cash >= $0\n",
        "invariant solvent: no (s in seats where s.cash < $0)\n",
    ),
    Code(
        "E210",
        "it has no such member",
        "A seat, a thing or a sort has the members that its kind declares, and no others. The fault lists them.",
        "value fortune(s: seat): s.cahs\n",
        "value fortune(s: seat): s.cash\n",
    ),
    Code(
        "E211",
        "too many or too few in brackets",
        "A value, procedure, table or indexed member takes as many arguments as it declares; `give` "
        "gives back as many values as are named after `->`.",
        "value twice(n: number): 2 * n\nvalue four: twice(1, 2)\n",
        "value twice(n: number): 2 * n\nvalue four: twice(2)\n",
    ),
    Code(
        "E212",
        "nothing of this name can be left",
        "`leave` ends a procedure, menu or rule that is running around it. The fault lists what is.",
        "procedure turn:\n    leave evening\n",
        "procedure turn:\n    leave turn\n",
    ),
    Code(
        "E213",
        "no `play:`",
        "`play:` says what happens in a game from beginning to end; when it is done, the game is over.",
        "procedure turn: nothing\n",
        "procedure turn: nothing\n\nplay: turn\n",
    ),
    Code(
        "E214",
        "no `scoring:`",
        '`scoring:` says what each seat\'s score is made of, with lines like `score "Cash" my.cash`. A '
        "game without it has no winner.",
        "play: turn\n",
        'play: turn\n\nscoring:\n    score for each seat: score "Cash" my.cash\n',
    ),
    Code(
        "E301",
        "kinds or units that do not go together",
        "Numbers with different units do not add and cannot be compared, nor can a seat and a sort of "
        "piece, or a thing and a number. `number(x)` is the plain number of an amount.",
        "value all_of_it(s: seat): s.cash + s.time\n",
        "value all_of_it(s: seat): number(s.cash) + number(s.time)\n",
    ),
    Code(
        "E302",
        "something else is needed here",
        "The name is right, but it is a set, a zone, a table, a menu or a measure where one value is "
        "needed, or the other way round. `count of`, `sum of` and `first of` make one value of a set.",
        "value full: stalls > 2\n",
        "value full: count of stalls > 2\n",
    ),
    Code(
        "E303",
        "something that cannot be counted out, moved, drawn or paid",
        "Pieces are moved, drawn and paid: so many of a sort, from a zone. Numbers, seats and places are not pieces.",
        "procedure turn:\n    move round to my.hand\n",
        "procedure turn:\n    move 1 red from bag to my.hand\n",
    ),
    Code(
        "E304",
        "a zone that never holds such pieces",
        "A zone is declared for some sorts of pieces, and no others ever lie in it. Widen the zone's "
        "declaration, or name another zone.",
        "# game.yaml\n"
        "pieces: {gem: {sorts: [red, green, blue], count: 4, in: bag}, leaf: {count: 9, in: heap}}\n"
        "# play.rules\ntable:\n    zone heap of leaf\n\nprocedure turn:\n"
        "    move 1 leaf from heap to my.hand\n",
        "# game.yaml\n"
        "pieces: {gem: {sorts: [red, green, blue], count: 4, in: bag}, leaf: {count: 9, in: heap}}\n"
        "# play.rules\ntable:\n    zone heap of leaf\n    zone dust of leaf\n\nprocedure turn:\n"
        "    move 1 leaf from heap to dust\n",
    ),
    Code(
        "E305",
        "a division by zero",
        "What stands under the fraction is zero in every game. Where it may be zero in some, ask "
        "first: `if n = 0 then 0 else 6 / n rounded down`.",
        "value share: 6 / 0 rounded down\n",
        "value share: 6 / 2 rounded down\n",
    ),
    Code(
        "E306",
        "a table has no such entry",
        "The index lies, or may lie, outside of the table, or there are not so many seats or things of this kind. A table "
        "counts from 1, or from what its `from` says. Ask before (`if n < 4`, `where`), clip the index with `min` and `max`, "
        "or give the table more entries: `then:` works out those that follow, up to 199.",
        "value dearest: price(4)\n",
        "value dearest: price(3)\n",
    ),
    Code(
        "E307",
        "a value that does not say what it is",
        "A value worked out in several lines says what it gives, with `in number` or a unit, and "
        "every way through it ends with `give`.",
        "value wait -> number:\n    if round = 1: give 2\n",
        "value wait -> number:\n    if round = 1: give 2\n    else: give 0\n",
    ),
    Code(
        "E308",
        "a value that changes something",
        "Values and guards only work something out, so that they may be asked for at any time and any "
        "number of times. What changes the game is a procedure.",
        "value luck -> number:\n    draw 1 gem from bag to my.hand\n    give 1\n",
        "procedure luck:\n    draw 1 gem from bag to my.hand\n",
    ),
    Code(
        "E309",
        "something that cannot be set, raised, marked or revealed",
        "`set`, `raise` and `lower` change counters and memories, `mark` and `clear` flags, `reveal` "
        "shows zones, members and secret answers. Values and numbers of the box are never changed by "
        "rules.",
        "procedure turn:\n    raise rounds by 1\n",
        "procedure turn:\n    raise round by 1\n",
    ),
    Code(
        "E310",
        "a value that cannot measure a lot",
        "`worth at least … by V` asks V what so many of a sort are worth: V takes a number, a sort of "
        "piece and perhaps a seat. A lot is worth the sum over its sorts.",
        "value weight(s: seat) -> number: 1\n\nprocedure turn:\n"
        '    choose some lot from my.hand, worth at least 2 by weight "Which gems?":\n'
        "        move lot to bag\n",
        "value weight(n: number, g: gem) -> number: n\n\nprocedure turn:\n"
        '    choose some lot from my.hand, worth at least 2 by weight "Which gems?":\n'
        "        move lot to bag\n",
    ),
    Code(
        "E311",
        "a cost with two choices in one way of paying",
        "Of the parts that are paid together only one can leave a choice of pieces; the rest are "
        "money or pieces of one sort. Otherwise there would be an answer for every pair. And no two of them may be "
        "able to take the same pieces: `2 red from my.hand`, and not `1 red` together with `1 of my.hand`.",
        "procedure turn:\n    menu actions:\n"
        "        option swap costs 1 of my.hand to bag and 2 of my.hand to bag: nothing\n",
        "procedure turn:\n    menu actions:\n        option swap costs 1 of my.hand to bag and $2: nothing\n",
    ),
    Code(
        "E312",
        "a menu without options",
        "A menu needs options, here or added to it in other files.",
        "procedure turn:\n    menu actions\n",
        "procedure turn:\n    menu actions\n\nadd to menu actions:\n    option rest: nothing\n",
    ),
    Code(
        "E315",
        "the first of what may be empty",
        "A set that may be empty may have no first. A condition asks beforehand: `if … is not empty:`, "
        "`where … is not empty`, `when any (…)`, `while …`; what is done in between must not be able to take the "
        "last one away. Or the rule says what then: `let x = first of …` and `if x is none:`, a memory that may be "
        "none, or in braces what to take else: `first of {…, …}`.",
        "procedure turn: move first of bag to my.hand\n",
        "procedure turn:\n    if bag is not empty: move first of bag to my.hand\n",
    ),
    Code(
        "E316",
        "an amount that its unit's step does not reach",
        "A unit can say its `step`: amounts that are paid, gained or offered are multiples of it. Of an amount that "
        "is worked out nothing is known beforehand, so only those that are written down are looked at.",
        '# game.yaml\nunits: {coin: {write: "${}", step: 10}, hour: {}}\n# play.rules\nprocedure turn:\n'
        "    for each s in seats: s gains $25 from bank\n",
        '# game.yaml\nunits: {coin: {write: "${}", step: 10}, hour: {}}\n# play.rules\nprocedure turn:\n'
        "    for each s in seats: s gains $30 from bank\n",
    ),
    Code(
        "E317",
        "a zone that stands twice in a set",
        "`{my.hand, my.row}` is what lies in the one or the other. A zone that stands there twice would count twice what lies in "
        "it, and a piece that was moved once is gone.",
        "procedure turn: move all {bag, bag} to my.hand\n",
        "procedure turn: move all {bag, my.hand} to my.hand\n",
    ),
    Code(
        "E318",
        "an outlook of something else",
        "A value called `outlook` says how well a seat stands now, for bots and for people: it takes that seat and gives an amount. "
        "Without it the points are asked that `scoring` would give if the game ended here.",
        "value outlook -> number: count of bag\n",
        "value outlook(s: seat) -> number: count of s.hand\n",
    ),
    Code(
        "E319",
        "`=` where `is` belongs, or `is` where `=` does",
        "`=` and `!=` compare numbers, amounts and conditions: how much. What something is says `is`, or `is not`: a seat, a thing, "
        "a piece, a sort, a word. Where a name could be both, what something is and something to compare it with, one of the two "
        "is to be called otherwise. `ichiba check --fix` writes the right one.",
        "procedure turn:\n    for each s in seats:\n        if s = me: s pays $1 to bank\n",
        "procedure turn:\n    for each s in seats:\n        if s is me: s pays $1 to bank\n",
    ),
    Code(
        "E320",
        "a way over what leads nowhere",
        "`over e` goes over connections, `through n` comes to places: of the kinds that the map of these places has. A grid has no "
        "connections, there `over` is left out.",
        "# game.yaml\nthings: {stall: {count: 3}, cell: {grid: 3 x 3}}\n# play.rules\n"
        "value far_off -> number: shortest way from a1 to c3 over e else 9\n",
        "# game.yaml\nthings: {stall: {count: 3}, cell: {grid: 3 x 3}}\n# play.rules\n"
        "value far_off -> number: shortest way from a1 to c3 else 9\n",
    ),
    Code(
        "E330",
        "an argument by a name that is not there",
        "What a value, guard, procedure or cost takes may be given by its name, behind what goes by its order: `auction(lot, judge: me)`. "
        "The names are those of its declaration; each is given once, and none is left out. What the language has itself, tables and "
        "indexes go by their order.",
        "value twice(n: number): 2 * n\nvalue four: twice(m: 2)\n",
        "value twice(n: number): 2 * n\nvalue four: twice(n: 2)\n",
    ),
    Code(
        "E331",
        "numbers and tables that are worked out from each other",
        "A number may ask tables and other numbers, and a table too, in whatever order they are declared; but in the end each must "
        "come to something that is said.",
        "# game.yaml\nnumbers: {rounds: 3, twice: half * 2, half: twice / 2 rounded down}\n",
        "# game.yaml\nnumbers: {rounds: 3, twice: 6, half: twice / 2 rounded down}\n",
    ),
    Code(
        "E340",
        "`nearest` without a number",
        "`prefer \"bid/*\" nearest x` weighs answers by how near the number in their keys is to another. So the key has one `*`, where the "
        "number stands, and `x` is a number or an amount.",
        "policy keen:\n    prefer \"bid\" nearest 3\n",
        "policy keen:\n    prefer \"bid/*\" nearest 3\n",
    ),
    Code(
        "E350",
        "a pattern that is not given what it needs",
        "A pattern, of the library or of this ruleset, leaves names open: a purse, a zone, an amount. `use` says what stands for each of "
        "them, by name, in any order; what has a default may be left out. The notes say what is wanted, and what there is.",
        "use auctions.english(purse: cash) as gem_auction\n",
        "use auctions.english(purse: cash, supply: bank, steps: $1) as gem_auction\n",
    ),
    Code(
        "E351",
        "a pattern that does not go with what it is given",
        "Everything was given, but with it some sentence of the pattern is no rule any more: an amount that is worked out is in another "
        "unit, a family lies in other zones. The note shows that sentence, in which your words stand for the open ones.",
        "use trades.offers(ware: stall, goods: hand, most: 3) as barter\n",
        "use trades.offers(ware: gem, goods: hand, most: 3) as barter\n",
    ),
    Code(
        "E352",
        "a pattern where none can be",
        "Patterns are declared and used in the rules of the game, of a module or a variant: what they bring is there for the whole game. "
        "A board's rules live only while it is in play, and in a pattern there are no patterns.",
        "pattern toll(price: coin):\n    use auctions.english(purse: cash, supply: bank, steps: price) as gem_auction\n",
        "pattern toll(price: coin):\n    procedure toll: pay price to bank\n",
    ),
    Code(
        "E353",
        "a file of patterns that is used whole",
        "`uses:` in `game.yaml` adds the rules of a file of the library as they are. What leaves names open, such as the purse that is bid "
        "from, is taken piece by piece, by `use` in the rules.",
        "# game.yaml\nuses: [auctions]\n",
        "use auctions.first_price(purse: cash, supply: bank) as gem_auction\n",
    ),
)
