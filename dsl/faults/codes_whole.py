"""Faults of a ruleset as a whole: modules, options, and what every game keeps to. E4xx, E5xx, W6xx."""

from __future__ import annotations

from ichiba.dsl.faults.code import Code

ENTRIES: tuple[Code, ...] = (
    Code(
        "E401",
        "an option that the ruleset does not have",
        "The choices before a game name options that the ruleset, or a module that is switched on, "
        "declares under `options`. A module's own is `module.option`.",
        "# game.yaml\noptions: {quick: {flag: false}}\n# config\noptions: {quik: true}\n",
        "# game.yaml\noptions: {quick: {flag: false}}\n# config\noptions: {quick: true}\n",
    ),
    Code(
        "E402",
        "a choice that an option does not offer",
        "An option is a flag, one of some words, a number in a range, a seat or a list of names, as it is declared.",
        "# game.yaml\noptions: {ends: {from: 2, to: 5, otherwise: 3}}\n# config\noptions: {ends: 6}\n",
        "# game.yaml\noptions: {ends: {from: 2, to: 5, otherwise: 3}}\n# config\noptions: {ends: 5}\n",
    ),
    Code(
        "E403",
        "two modules replace the same thing",
        "Each works by itself, but which should win when both are switched on? Let the one that comes "
        "later say so: `after: [other]`, or `needs: [other]` if it is nothing without it. If they cannot go together at all: `excludes: [other]`. To "
        "`restrict` or to `add` never clashes. What the game or another module declares is not declared again: a table is "
        "changed by `change: {price: [3, 5]}`.",
        "# play.rules\nvalue wage: 5\n"
        "# modules/rain.yaml\nmodule: rain\nrules: |\n  replace value wage: 4\n"
        "# modules/snow.yaml\nmodule: snow\nrules: |\n  replace value wage: 3\n"
        "# config\nmodules: [rain, snow]\n",
        "# play.rules\nvalue wage: 5\n"
        "# modules/rain.yaml\nmodule: rain\nrules: |\n  replace value wage: 4\n"
        "# modules/snow.yaml\nmodule: snow\nneeds: [rain]\nrules: |\n"
        "  replace value wage: original - 1\n"
        "# config\nmodules: [rain, snow]\n",
    ),
    Code(
        "E404",
        "cases of a value that is not told apart by sort",
        "`value V of n red: …` says what V is for one sort of piece. So V must take a number first "
        "and have a sort among its parameters.",
        "value price_of(n: number) -> coin: $2 * n\nvalue price_of of n red: $3 * n\n",
        "value price_of(n: number, g: gem) -> coin: $2 * n\nvalue price_of of n red: $3 * n\n",
    ),
    Code(
        "E405",
        "a board defines what its kind has defined already",
        "All boards of a kind share its values, guards and procedures. A board with a version of its own says so.",
        "# market.rules\nkind market is board:\n    value fee -> coin: $2\n"
        "# boards/north.yaml\nboard: north\nkind: market\nrules: |\n  value fee -> coin: $3\n",
        "# market.rules\nkind market is board:\n    value fee -> coin: $2\n"
        "# boards/north.yaml\nboard: north\nkind: market\nrules: |\n"
        "  replace value fee -> coin: $3\n",
    ),
    Code(
        "E406",
        "an edit of something that is not there",
        "`replace`, `restrict` and `remove` name what some file defines. Most often the name is "
        "misspelled. What a module of the game brings that is switched off may be named; the sentence then does nothing.",
        "# play.rules\nvalue wage: 5\n"
        "# modules/rain.yaml\nmodule: rain\nrules: |\n  replace value wages: 4\n"
        "# config\nmodules: [rain]\n",
        "# play.rules\nvalue wage: 5\n"
        "# modules/rain.yaml\nmodule: rain\nrules: |\n  replace value wage: 4\n"
        "# config\nmodules: [rain]\n",
    ),
    Code(
        "E407",
        "a module or variant that the ruleset does not have",
        "Modules lie in the folder `modules`, variants in `variants`, as `NAME.yaml` or as a folder NAME. So does what "
        "another module `needs`, comes `after` or `excludes`. A module may also be named by the path of its folder, "
        "`--with ./rain`, or be announced by an installed package.",
        "# modules/rain.yaml\nmodule: rain\n# config\nmodules: [rian]\n",
        "# modules/rain.yaml\nmodule: rain\n# config\nmodules: [rain]\n",
    ),
    Code(
        "E408",
        "modules that come after each other",
        "A module is read after those that it `needs`, and after those that it says it comes `after`, so there can be no "
        "circle of them. The fault shows it. Put what both need into a third module.",
        "# modules/rain.yaml\nmodule: rain\nneeds: [snow]\n"
        "# modules/snow.yaml\nmodule: snow\nneeds: [rain]\n"
        "# config\nmodules: [rain, snow]\n",
        "# modules/rain.yaml\nmodule: rain\n"
        "# modules/snow.yaml\nmodule: snow\nneeds: [rain]\n"
        "# config\nmodules: [rain, snow]\n",
    ),
    Code(
        "E409",
        "modules that cannot be combined like this",
        "A module may need others, which must then be switched on too, and may exclude others.",
        "# modules/rain.yaml\nmodule: rain\n"
        "# modules/snow.yaml\nmodule: snow\nneeds: [rain]\n"
        "# config\nmodules: [snow]\n",
        "# modules/rain.yaml\nmodule: rain\n"
        "# modules/snow.yaml\nmodule: snow\nneeds: [rain]\n"
        "# config\nmodules: [rain, snow]\n",
    ),
    Code(
        "E410",
        "so many seats cannot play",
        "`seats` in `game.yaml` says how many seats can play, and a module may narrow it.",
        "# game.yaml\nseats: 2 to 4\n# config\nseats: 5\n",
        "# game.yaml\nseats: 2 to 4\n# config\nseats: 4\n",
    ),
    Code(
        "E411",
        "an assumption that the ruleset does not make",
        "Numbers that no source gives carry the id of an assumption, and can be overridden by it: all that it covers with "
        "one value, `A-1: 6`, or each by its name, `A-1: {wage: 6, mill.rent: 4}`. `ichiba assumptions GAME` lists them.",
        "# game.yaml\nnumbers: {wage: {is: 5, assumption: A-1}}\n# config\nassumptions: {A-2: 6}\n",
        "# game.yaml\nnumbers: {wage: {is: 5, assumption: A-1}}\n# config\nassumptions: {A-1: 6}\n",
    ),
    Code(
        "E412",
        "options that do not go together",
        "A game or a module may refuse options that make no sense with each other: `refuses` says when, and because of "
        "what. Choose one of them differently.",
        "# game.yaml\noptions: {snow: {flag: false}, rain: {flag: false}}\n"
        "refuses: [{when: snow and rain, because: it is warm or cold}]\n# config\noptions: {snow: true, rain: true}\n",
        "# game.yaml\noptions: {snow: {flag: false}, rain: {flag: false}}\n"
        "refuses: [{when: snow and rain, because: it is warm or cold}]\n# config\noptions: {snow: true}\n",
    ),
    Code(
        "E413",
        "a module, variant or board under another name than its file's",
        "A module, a variant and a board are found by the names of their files, or of the module's folder: `--with mine` "
        "is the folder `modules/mine`. What stands in the file after `module`, `variant` or `board` is the same name; and "
        "what stands after `for` is the name of the game.",
        "# modules/mine.yaml\nmodule: mein\n# config\nmodules: [mine]\n",
        "# modules/mine.yaml\nmodule: mine\n# config\nmodules: [mine]\n",
    ),
    Code(
        "E414",
        "a configuration that cannot be used here",
        "A configuration says how a game is set up: `configs/NAME.yaml` of the ruleset, by its name, or a file of yours, by its path. "
        "It is for one game, and of a version of its form that this Ichiba knows.",
        "# configs/first.yaml\nconfiguration: 2\nseats: 2\n",
        "# configs/first.yaml\nconfiguration: 1\nseats: 2\n",
    ),
    Code(
        "E501",
        "a value that depends on itself",
        "To work it out one would have to know it already. The fault shows the whole circle. "
        "Somewhere in it a value must be remembered: a counter that a procedure sets.",
        "value wage: 2 * fee\nvalue fee: wage - 1\n",
        "value wage: 2 * round\nvalue fee: wage - 1\n",
    ),
    Code(
        "E502",
        "money that comes from nowhere",
        "Nobody sets what is in a purse: it moves from one purse to another with `pay` and `gain`, so "
        "that none appears or vanishes.",
        "procedure turn:\n    set my.cash to $5\n",
        "procedure turn:\n    gain $5 from bank\n",
    ),
    Code(
        "E503",
        "a secret block or a race in a secret block",
        "`each s in seats secretly` lets every seat decide unseen by the others. Inside, all is secret already, and nobody "
        "can be quicker than others.",
        "procedure turn:\n    each s in seats secretly:\n        each o in seats secretly: nothing\n",
        "procedure turn:\n    each s in seats secretly: nothing\n    each o in seats secretly: nothing\n",
    ),
    Code(
        "E504",
        "no supply to take from or to pay to",
        "Without `from` or `to`, money comes from and goes to the table's unlimited purse for that "
        "unit. Here there is none. Name the other side, or declare a supply.",
        "procedure turn:\n    menu actions:\n        option work costs 1 hour: nothing\n",
        "table:\n    purse day: hour, unlimited\n\nprocedure turn:\n    menu actions:\n"
        "        option work costs 1 hour: nothing\n",
    ),
    Code(
        "E505",
        "a procedure that performs itself",
        "Rules always end, so no procedure performs itself, not even by way of others or of the rules "
        "that come before, after or instead of them. The fault shows the whole circle. To do "
        "something again, `repeat` it, with a limit. Rules with `whenever` are no part of a circle: "
        "nothing performs them, they fire when their condition has become true.",
        "procedure dig:\n    fill\n\nprocedure fill:\n    dig\n",
        "procedure dig:\n    repeat 3 times: fill\n\nprocedure fill: nothing\n",
    ),
    Code(
        "E506",
        "a trigger that asks",
        "A rule with `whenever` runs in the middle of whatever made it true, also while somebody is being "
        "asked in secret, so it only does things. Let it mark what has happened, and ask where the rules "
        "have time for it: after the turn, or `at the end of` the running action in a procedure of its own.",
        "rule rich, whenever any (s in seats where s.cash > 9 coins), once:\n"
        "    let s = seat(1)\n    as s:\n        may rest: nothing\n",
        "table:\n    flag somebody_is_rich\n\n"
        "rule rich, whenever any (s in seats where s.cash > 9 coins), once:\n    mark somebody_is_rich\n",
    ),
    Code(
        "E507",
        "a word that this rule cannot have",
        "Only a rule with `whenever` can say `once`, `once each` or `at the end of`: it watches. A rule that stands before, "
        "after or instead of something happens each time, there and then; and what stands instead of something does so once, "
        "not for each of several. A rule that watches keeps for each of those that it is for whether its condition was true, "
        "so these must be known beforehand, and be 5,000 at most.",
        "procedure stroll: nothing\n\nrule first_time, after stroll, once:\n    raise round by 1\n",
        "table:\n    flag strolled\n\nprocedure stroll: nothing\n\n"
        "rule first_time, after stroll when not strolled:\n    mark strolled\n    raise round by 1\n",
    ),
    Code(
        "E508",
        "a word that this declaration cannot have",
        "What a zone, counter, flag, purse or memory can be stands in the reference: a zone is `ordered`, a counter `stops at "
        "the ends`, a supply of the table is `unlimited`. Elsewhere the word would say nothing.",
        "table:\n    counter heat: 0 .. 9, ordered\n",
        "table:\n    counter heat: 0 .. 9, stops at the ends\n",
    ),
)
