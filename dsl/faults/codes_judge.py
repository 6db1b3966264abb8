"""Faults that show only in the whole: what would leak, get stuck, never end or not add up. E52x, E53x and W602 on."""

from __future__ import annotations

from ichiba.dsl.faults.code import Code

_TURN = "procedure turn:\n    menu actions:\n"
_REST = "        option rest: nothing\n"

ENTRIES: tuple[Code, ...] = (
    Code(
        "E025",
        "a ruleset that takes too much to read",
        "A ruleset from outside is read in a process of its own, with at most 512 MB of memory and 5 seconds of the "
        "processor's time, 20 for all ways to set it up, so that it can do no harm; where no such process can be had it is "
        "not read. Real rulesets take a small part of that. What you have written yourself, or trust, is read without these "
        "limits: with `--trust`, or with its folder in `ICHIBA_TRUST`.",
        "ten million pieces, each on its own",
        "ten thousand pieces",
    ),
    Code(
        "E026",
        "a ruleset that holds too much",
        "A ruleset from outside has at most 2,000 files, 64 MB in all, 512 KB of rules and declarations and 1 MB of "
        "scenarios, folders at most 12 deep, 64 modules and variants, and 400 ways to be checked, and what its kinds come to in "
        "schemas of all its files is at most 4 MB. These are counted before "
        "or while it is read, and are the same on every machine. What you have written yourself, or trust, is read without "
        "these limits: with `--trust`, or with its folder in `ICHIBA_TRUST`.",
        "250 boards of 36 KB each",
        "250 boards of 1 KB each",
    ),
    Code(
        "E521",
        "a guard that reads what its seat may not see",
        "Whether an option is offered tells the one who is asked. So nothing that decides it (a guard, a `where`, a cost, a "
        "requirement, somebody else's purse) may read what this seat may not see. The fault shows by way of which values it "
        "is read. How many pieces lie in a hidden zone is open; which ones is not. `reveal` it first, or let the option be "
        "taken and say in its body what then happens.",
        _TURN + "        option rob for s in others when red in s.hand: gain 1 coin from bank\n" + _REST,
        _TURN + "        option rob for s in others when s.hand is not empty: gain 1 coin from bank\n" + _REST,
    ),
    Code(
        "E522",
        "words that tell what their reader may not see",
        "The words of a question, of an option and of the reason against it are read by the one who is asked. What stands in "
        "braces in them may be only what this seat may see. What `tell` says all may read, or those it is told `to`.",
        _TURN
        + '        option rob "{s} has {count of red in s.hand} red" for s in others: gain 1 coin from bank\n'
        + _REST,
        _TURN + '        option rob "{s} has {count of s.hand} gems" for s in others: gain 1 coin from bank\n' + _REST,
    ),
    Code(
        "E523",
        "a requirement that comes too late",
        "An option is offered when everything it requires will hold; that is tried out up to the first event of chance, the "
        "first answer of somebody else, and the end of the option. Nothing is ever taken back, so what can fail later, or "
        "outside of every option, would stop the game. Put the requirement before, or say `if`, `as far as it goes` or "
        "`even into debt`. A payment is fine where it cannot fail: `choose bid from $0 to my.cash`, or behind "
        "`if my.cash >= …`.",
        _TURN
        + "        option dig:\n            draw 1 gem from bag to heap\n            require red in heap\n"
        + _REST,
        _TURN
        + "        option dig:\n            draw 1 gem from bag to heap\n            if red in heap: gain 1 coin from bank\n"
        + _REST,
    ),
    Code(
        "E524",
        "something common that is changed in secret, or chance in it",
        "While all seats answer in secret, at the same time, a seat may change only what is its own: its counters, and what "
        "has an index for its seat. Otherwise the last one to answer would win. Keep the answer, and act on it after `reveal`. Nor is "
        "there chance, and no other seat is asked: both would hang on who answers first, and all would learn of it. A menu "
        "that a procedure opens in secret says `no windows`, and `tell` tells it `to` the seat that answers.",
        "procedure turn:\n    each s in seats secretly:\n"
        '        choose n from 0 to 3 "How many?"\n        set round to n\n    reveal n\n',
        "procedure turn:\n    each s in seats secretly:\n"
        '        choose n from 0 to 3 "How many?"\n    reveal n\n    set round to highest of (n of s for s in seats)\n',
    ),
    Code(
        "E525",
        "more pieces are dealt than there are",
        "The beginning of the game is reckoned through for every number of seats, without chance: here more pieces are moved "
        "or drawn than can be in that place. Correct the number, or say how many at most, as in "
        "`draw min(7, count of bag) gem …`.",
        "setup:\n    for each s in seats: draw 7 gem from bag to s.hand\n",
        "setup:\n    for each s in seats: draw 3 gem from bag to s.hand\n",
    ),
    Code(
        "E526",
        "an amount below nothing",
        "So much is paid, moved or drawn that it is never even nothing. Most often a minus has slipped in, or payer and taker "
        "are the wrong way round.",
        "procedure turn:\n    gain (round - 20) coins from bank\n",
        "procedure turn:\n    gain (20 - round) coins from bank\n",
    ),
    Code(
        "E527",
        "an option that can be taken for ever",
        "A menu that goes on until it is done must come to an end: each of its options uses something up, or leaves the menu. "
        "This one changes nothing at all.",
        "procedure turn:\n    menu actions until done:\n        option wait: nothing\n",
        "procedure turn:\n    menu actions:\n        option wait: nothing\n",
    ),
    Code(
        "E528",
        "too many steps",
        "Between two questions a game takes at most 100,000 steps, so that it always goes on at once. This loop alone takes "
        "more.",
        "procedure turn:\n    repeat 200000 times: gain 1 coin from bank\n",
        "procedure turn:\n    gain 200000 coins from bank\n",
    ),
    Code(
        "E529",
        "a game that is too large",
        "A position is written down as at most 131,072 numbers (1 MB), a game has at most 10,000 pieces, and its rules ask at "
        "most 1,000 questions (each of them as often as you like) with 2,500 options; it has at most 1,000 sorts of pieces and 1,500 "
        "rules with `whenever`. Most often a counter has one index too many: `counter seen(a: card, b: card)` has a place for every pair.",
        "# game.yaml\nsorts: {x: [a1, a2, a3, a4, a5, a6, a7, a8, a9], y: [b1, b2, b3, b4, b5, b6, b7, b8, b9]}\n"
        "# play.rules\ntable:\n    purse bank: coin, unlimited\n    zone bag of gem, face down\n    zone heap of gem\n"
        "    counter round: 0 .. 9\n    counter seen(a: x, b: y, c: x, d: y, e: x, f: y): 0 .. 1\n",
        "# game.yaml\nsorts: {x: [a1, a2, a3, a4, a5, a6, a7, a8, a9], y: [b1, b2, b3, b4, b5, b6, b7, b8, b9]}\n"
        "# play.rules\ntable:\n    purse bank: coin, unlimited\n    zone bag of gem, face down\n    zone heap of gem\n"
        "    counter round: 0 .. 9\n    counter seen(a: x, b: y): 0 .. 1\n",
    ),
    Code(
        "E530",
        "a question with too many answers",
        "A question has at most 5,000 answers. Let numbers go in larger steps, or ask one thing after another: first which, "
        "then where.",
        'procedure turn:\n    choose n from 1 to 9999 "How many?"\n    gain n coins from bank\n',
        'procedure turn:\n    choose n from 1 to 999 "How many?"\n    gain n coins from bank\n',
    ),
    Code(
        "E531",
        "two answers with the same key",
        "An answer is given by its key: the option's name and the names of what it ranges over. Here two answers that are offered "
        "together have the same one, so only the first could be given. Sorts of two families that go by the same names need a "
        "`key:` of their own; what ends a menu goes by its `key \"…\"`.",
        "procedure turn:\n    menu actions up to 2 times, done \"Home\" key \"rest\":\n        option rest: nothing\n",
        "procedure turn:\n    menu actions up to 2 times, done \"Home\" key \"home\":\n        option rest: nothing\n",
    ),
    Code(
        "E532",
        "a policy that reads what its seat may not see",
        "A policy decides like somebody who sits there: it sees what its seat may see, and nothing else. So nothing in a "
        "`prefer` (its `for`, its `when`, its `by`) may read others' hidden places, nor what lies face down, be it by way of "
        "values and guards. How many pieces lie in a hidden zone is open; which ones is not.",
        'policy sharp:\n    prefer "sell/*" when any (s in others where red in s.hand)\n',
        'policy sharp:\n    prefer "sell/*" when any (s in others where s.hand is not empty)\n',
    ),
    Code(
        "E533",
        "rules that call each other too often",
        "From one question to the next at most 100,000 steps are taken, and every rule and value that is called is one. Where "
        "each of a chain of them calls the next one twice, thirty of them come to a thousand million steps, without any loop. "
        "The fault names the chain. Work a value out once, with `let`, and go on with what it is.",
        "".join(f"value v{k}(x: number): v{k - 1}(x) + v{k - 1}(x + 1)\n" for k in range(18, 0, -1)) + "value v0(x: number): x\n"
        + "procedure turn:\n    set round to min(9, v18(0))\n",
        "".join(f"value v{k}(x: number): v{k - 1}(x) + 1\n" for k in range(18, 0, -1)) + "value v0(x: number): x\n"
        + "procedure turn:\n    set round to min(9, v18(0))\n",
    ),
    Code(
        "W602",
        "an open place that is set from what is hidden",
        "Everybody sees this counter or memory, and so everybody learns something about what it was set from, which not "
        "everybody may see. Declare it hidden too, or `reveal` first what it is set from.",
        "procedure turn:\n    set round to count of red in my.hand\n",
        "procedure turn:\n    reveal my.hand\n    set round to count of red in my.hand\n",
    ),
    Code(
        "W603",
        "rules that may wake each other for ever",
        "Each of these rules with `whenever` can make the next one's condition true, round and round. The engine stops them "
        "after many steps, and the game cannot go on. Say `once`, or see to it that the circle ends.",
        "rule day, whenever round = 1:\n    set round to 2\n\nrule night, whenever round = 2:\n    set round to 1\n",
        "rule day, whenever round = 1, once:\n    set round to 2\n\nrule night, whenever round = 2, once:\n    set round to 1\n",
    ),
    Code(
        "W604",
        "an option that uses nothing up",
        "In a menu that goes on until it is done, what an option changes should have to do with whether it can be taken "
        "again. Otherwise it can be taken without end. A cost, `once per turn`, or a guard over what it changes is a limit.",
        "procedure turn:\n    menu actions until done:\n        option work: gain 1 coin from bank\n",
        "procedure turn:\n    menu actions until done:\n        option work once per turn: gain 1 coin from bank\n",
    ),
    Code(
        "W605",
        "turns that may go round for ever",
        "A whole turn can pass here in which nothing happens, so a game could last until its last allowed turn. A game in "
        "which passing is allowed says what happens then: its ending gets a name.",
        "procedure turns:\n    take turns from seat(1) until bag is empty, at most 99 times: turn\n",
        "procedure turns:\n    take turns from seat(1) until bag is empty, at most 99 times then end as clock: turn\n",
    ),
    Code(
        "W606",
        "a procedure that is never performed",
        "Nothing performs this procedure, so what it says never happens. Perform it where its time comes, or remove it. What "
        "stands in the library may wait for another game.",
        "procedure harvest: gain 1 coin from bank\n",
        "procedure harvest: gain 1 coin from bank\n\nprocedure turn:\n    harvest\n",
    ),
    Code(
        "W607",
        "an option that can never be taken",
        "Its guard never holds, in no game.",
        _TURN + "        option dig when 2 < 1: raise round by 1\n" + _REST,
        _TURN + "        option dig when 1 < 2: raise round by 1\n" + _REST,
    ),
    Code(
        "W608",
        "an ending that no game has",
        "`endings` gives it a name, but no rule says `end as` that name. Say it where the game ends like that, or remove it.",
        "# game.yaml\nendings: {rich: Somebody is rich}\n",
        "# game.yaml\nendings: {rich: Somebody is rich}\n# play.rules\nprocedure turn:\n    end as rich\n",
    ),
    Code(
        "W609",
        "nobody wins",
        "`scoring:` gives points with `score`, and `ranking:` says what they are good for. Without either all seats share the "
        "first place.",
        "scoring: nothing\n",
        'scoring:\n    score for each seat: score "Cash" my.cash\n',
    ),
    Code(
        "W610",
        "a number from nowhere",
        "A game with a `source` cites: every number and table says with `source` where in it it stands, or with `assumption` "
        "that nobody says so, under an id by which it can be overridden. Numbers that are worked out from others need neither.",
        "# game.yaml\nsource: rulebook, first edition\nnumbers: {rounds: 3}\n",
        "# game.yaml\nsource: rulebook, first edition\nnumbers: {rounds: {is: 3, source: page 4}}\n",
    ),
    Code(
        "W611",
        "money that never comes",
        "This purse begins empty, and nothing is ever paid into it; so whatever is paid from it can never be paid.",
        "seat:\n    purse cash: coin\n    zone hand of gem, hidden from others\n\n"
        + _TURN
        + "        option sell costs 1 coin: raise round by 1\n"
        + _REST,
        "seat:\n    purse cash: coin start 3\n    zone hand of gem, hidden from others\n\n"
        + _TURN
        + "        option sell costs 1 coin: raise round by 1\n"
        + _REST,
    ),
    Code(
        "W612",
        "secret answers that are never revealed",
        "What everybody answers in secret stays unseen until `reveal` shows it. Here it is used, but nobody ever learns what "
        "the others said. Is that meant? Then let the rules say what of it is shown.",
        'procedure turn:\n    each s in seats secretly:\n        choose bid from 0 to 3 "Your bid"\n'
        "    for each s in seats where bid of s = 3: s gains 1 coin from bank\n",
        'procedure turn:\n    each s in seats secretly:\n        choose bid from 0 to 3 "Your bid"\n'
        "    reveal bid\n    for each s in seats where bid of s = 3: s gains 1 coin from bank\n",
    ),
    Code(
        "W613",
        "a title that is missing, or missing in English",
        "People see the title of a game, a module or a variant before anything else, and the other titles in what they read. "
        "English is shown wherever a language is missing.",
        "# game.yaml\ntitle: {nl: Klein}\n",
        "# game.yaml\ntitle: {en: Small, nl: Klein}\n",
    ),
    Code(
        "W614",
        "a counter that is raised more often than it has room",
        "It is raised in every round, without a condition, and there can be more rounds than its range allows: then the game breaks "
        "off. Give it a higher end (it may be a number of the game, `0 .. rounds`), let the rounds end by it, or say that it "
        "`stops at the ends`.",
        "add to table:\n    counter days: 0 .. 10\n\nplay:\n    repeat 100 times: turns\n\n"
        "procedure turns:\n    raise days by 1\n    take one turn each from seat(1): turn\n",
        "add to table:\n    counter days: 0 .. 10, stops at the ends\n\nplay:\n    repeat 100 times: turns\n\n"
        "procedure turns:\n    raise days by 1\n    take one turn each from seat(1): turn\n",
    ),
    Code(
        "W615",
        "a game that is called otherwise than its folder",
        "Saves and tables say the name behind `game:`; whoever loads it says its folder. After copying a game give the copy its "
        "folder's name.",
        "# game.yaml\ngame: huge\n",
        "# game.yaml\ngame: small\n",
    ),
    Code(
        "W616",
        "a text that names a zone",
        "In the braces of a text a zone that holds `at most 1` stands for the piece in it. Any other is told by its name: what lies there "
        "is a set, `{(x for x in heap)}`.",
        'procedure turn:\n    tell "There is {heap}"\n',
        'procedure turn:\n    tell "There is {(x for x in heap)}"\n',
    ),
    Code(
        "W617",
        "a rule without its sentence",
        "The string right below a heading is the sentence that the rulebook prints (`ichiba rulebook`), and the table tells. A ruleset that "
        "has such sentences should have one for every procedure and rule that does several things; what asks a question is explained by it, "
        "and a single statement reads aloud by itself.",
        'procedure turn:\n    "Everybody earns a coin."\n    for each s in seats: s gains 1 coin from bank\n    late\n\n'
        "procedure late:\n    raise round by 1\n    set round to min(round, 9)\n",
        'procedure turn:\n    "Everybody earns a coin."\n    for each s in seats: s gains 1 coin from bank\n    late\n\n'
        'procedure late:\n    "The round goes on, up to nine."\n    raise round by 1\n    set round to min(round, 9)\n',
    ),
)
