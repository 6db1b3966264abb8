"""Faults of files, of YAML and of what `game.yaml` and its kin declare: E0xx and E1xx."""

from __future__ import annotations

from ichiba.dsl.faults.code import Code

ENTRIES: tuple[Code, ...] = (
    Code(
        "E001",
        "a file cannot be read",
        "The file is missing, is a folder, or may not be read. Names of files are relative to the "
        "folder of the ruleset.",
        "map: maps/nort.yaml\n# maps/north.yaml\nmap: {id: north}\n",
        "map: maps/north.yaml\n# maps/north.yaml\nmap: {id: north}\n",
    ),
    Code(
        "E002",
        "a file is too large",
        "A file of a ruleset holds at most 256 KB, so that loading a stranger's ruleset stays quick. "
        "Real files are far smaller; split one that is not.",
        "a board file of 300 KB",
        "two board files of 150 KB",
    ),
    Code(
        "E003",
        "a file is not UTF-8",
        "Every file of a ruleset is text in UTF-8. The fault names the first byte that is not. Save "
        "the file as UTF-8 in your editor.",
        "a file saved as UTF-16, Shift-JIS or Latin-1",
        "the same file saved as UTF-8",
    ),
    Code(
        "E004",
        "a character that cannot stand in a file",
        "Control characters, unusual line breaks and marks that change the direction of writing are "
        "refused: they are invisible, and a text that reads differently from what it says cannot be "
        "reviewed. An escape in double quotes may not make one either. Line breaks are LF or CR LF.",
        'title: "Fish\\0"\n',
        'title: "Fish"\n',
    ),
    Code(
        "E005",
        "a file is empty",
        "There is nothing in the file but blank lines and comments.",
        "# Gems\n",
        "# Gems\ngame: gems\n",
    ),
    Code(
        "E006",
        "a tab where YAML needs spaces",
        "YAML counts spaces to see what belongs to what, and a tab has no certain width. Indent with "
        "spaces, also inside a `|` block, and put spaces after `:`, `-` and `,`.",
        "pieces:\n	boat: 4\n",
        "pieces:\n  boat: 4\n",
    ),
    Code(
        "E007",
        "broken YAML",
        "The file cannot be read as YAML from this place on. Most often a bracket or a quote is not "
        "closed, a line is indented differently from its neighbours, a space is missing after `:`, or "
        "a text with `: `, ` #` or `?` in it needs quotes. What stands after the place has not been "
        "read.",
        "sorts: [eel, tuna\n",
        "sorts: [eel, tuna]\n",
    ),
    Code(
        "E008",
        "a key stands twice",
        "Keys are unique within their map; plain YAML would silently keep the last one. A number and "
        "the same number in quotes are the same key.",
        "seats: 2\nseats: 4\n",
        "seats: 4\n",
    ),
    Code(
        "E009",
        "anchors and aliases are not allowed",
        "`&name` and `*name` reuse a part of a YAML file elsewhere. They hide where a value comes "
        "from, and a few hundred bytes of them can fill a computer's memory. Write the value out, or "
        "declare it once under `numbers` or `tables`. A text that begins with `&` or `*` needs "
        "quotes.",
        "small: &price 100\nlarge: *price\n",
        "small: 100\nlarge: 100\n",
    ),
    Code(
        "E010",
        "merge keys are not allowed",
        "`<<` copies the keys of another map. Write them out; in rules, kinds and modules serve the same purpose.",
        "boat: {<<: {slots: 4}, count: 2}\n",
        "boat: {slots: 4, count: 2}\n",
    ),
    Code(
        "E011",
        "tags are not allowed",
        "`!tag` and `!!tag` choose how a YAML value is built, up to running code. The type of a value "
        "comes from the ruleset's declarations. A text that begins with `!` needs quotes.",
        "seats: !!int 4\n",
        "seats: 4\n",
    ),
    Code(
        "E012",
        "several documents in one file",
        "`---` in the middle of a file starts a second document. A file holds one board, module, variant or game.",
        "board: eel\n---\nboard: tuna\n",
        "board: eel\n",
    ),
    Code(
        "E013",
        "directives are not allowed",
        "Lines that begin with `%` give orders to the YAML reader. A ruleset needs none.",
        "%YAML 1.1\n---\nboard: eel\n",
        "board: eel\n",
    ),
    Code(
        "E014",
        "nested too deep",
        "Lists and maps stand at most 32 deep in each other.",
        "a list in a list in a list ... 33 deep",
        "a list in a list",
    ),
    Code(
        "E015",
        "too many values in one file",
        "A file holds at most 20,000 keys, values, lists and maps together. Split it.",
        "a list of 20,000 numbers",
        "two files with 10,000 numbers each",
    ),
    Code(
        "E016",
        "a text is too long",
        "A text holds at most 4,096 characters, a `|` block 65,536. Put long rules into a file of "
        "their own, `*.rules`.",
        "a title of 5,000 characters",
        "a title of 20 characters",
    ),
    Code(
        "E017",
        "a word that YAML readers take for true, false or null",
        "Older YAML reads `yes`, `no`, `on` and `off` as true or false, newer YAML as text; some "
        "tools also take `True` or `NULL` for more than text. Write `true`, `false` or `null` in "
        "small letters, or quote the word if it is a text: the language code `no`, for instance.",
        "perishable: no\n",
        "perishable: false\n",
    ),
    Code(
        "E018",
        "a time or a date",
        "Older YAML reads `12:30` as the number 750 and `2024-01-31` as a date. Quote it if it is a text.",
        "opens: 12:30\n",
        'opens: "12:30"\n',
    ),
    Code(
        "E019",
        "a number with a fraction",
        "All numbers are integers, so that every computer reckons alike. Use a smaller unit, or a "
        "fraction of two integers in a rule; quote it if it is a text, such as a version.",
        "interest: 0.5\n",
        "interest_percent: 50\n",
    ),
    Code(
        "E020",
        "an integer in a form that is read in different ways",
        "`010` is eight to some readers and ten to others; the same goes for `0x1F`, `1_000`, "
        "`1,000`, `+5` and full-width digits. Write a plain decimal integer, or quote it if it is a "
        "text.",
        "price: 010\n",
        "price: 10\n",
    ),
    Code(
        "E021",
        "an integer is out of range",
        "Integers lie between -1,000,000,000,000 and 1,000,000,000,000.",
        "money: 9999999999999\n",
        "money: 999999999999\n",
    ),
    Code(
        "E022",
        "a folded text",
        "`>` joins lines into one, so that places in the text no longer match the file. Use `|`, "
        "which keeps the lines.",
        "rules: >\n  move 1 crate\n",
        "rules: |\n  move 1 crate\n",
    ),
    Code(
        "E023",
        "a key that is no word or number",
        "A key is a word or a number in one line: not a list, not a map, not a block of text, not "
        "null and not missing.",
        "[eel, tuna]: 4\n",
        "eel: 4\ntuna: 4\n",
    ),
    Code(
        "E024",
        "a space is missing after a colon",
        "Inside `{...}` YAML reads `eel:4` as one word. Write `eel: 4`.",
        "prices: {eel:4}\n",
        "prices: {eel: 4}\n",
    ),
    Code(
        "E027",
        "a file that cannot be laid out",
        "`ichiba fmt` reads what it is about to write, and holds it against what was there: the same rules, values and comments, "
        "in another layout. Here they were not the same. The file is left as it is. This is a mistake of Ichiba and none of "
        "yours: please report it, with the file.",
        "a file that `ichiba fmt` would change",
        "a file that `ichiba fmt` lays out",
    ),
    Code(
        "E101",
        "a key that nobody reads",
        "Every key of every file is read by somebody, or it is refused: a misspelled key would "
        "otherwise change nothing, without a word. The fault lists the keys that may stand here.",
        "titel: Gems\n",
        "title: Gems\n",
    ),
    Code(
        "E102",
        "something is missing",
        "A key without which the rest has no meaning is not there, or a thing lacks a property that "
        "its kind declares without a default. The fault says what would do, for example.",
        "options:\n  quick: {title: A quick game}\n",
        "options:\n  quick: {title: A quick game, flag: false}\n",
    ),
    Code(
        "E103",
        "a value of the wrong shape",
        "A list stands where a number is expected, a number where a map, and so on. The fault says "
        "what is expected here.",
        "things:\n  stall: {count: [1, 2, 3]}\n",
        "things:\n  stall: {count: 3}\n",
    ),
    Code(
        "E104",
        "a name that rules could not use",
        "A name is written in small letters, digits and `_`, and begins with a letter, so that rules "
        "can mention it. Words that begin or continue an expression, such as `count`, `of` or "
        "`where`, are taken. What people read goes into `title`.",
        "numbers:\n  Last-Round: 7\n  count: 3\n",
        "numbers:\n  last_round: 7\n  gem_count: 3\n",
    ),
    Code(
        "E105",
        "a version of the language that is not spoken here",
        "`language` says for which version of the rule language a ruleset is written, so that an old "
        "ruleset is never read with a new meaning. This release speaks version 2. `ichiba fmt --upgrade` makes a "
        "ruleset of version 2 out of one of version 1; a newer ruleset needs a newer release.",
        "language: 1\n",
        "language: 2\n",
    ),
    Code(
        "E106",
        "a range without values, or a value outside of its range",
        "The number of seats is written `2 to 4` or `3`, between 1 and 12. The default of an option "
        "is one of its words, and a counter's range goes upwards. Numbers and tables may say their range with `least` and "
        "`most`; what a module or the config gives instead keeps to it.",
        "seats: 4 to 2\n",
        "seats: 2 to 4\n",
    ),
    Code(
        "E107",
        "nothing is said for this number of seats",
        "A map from numbers of seats to numbers needs a line for every number of seats that can play.",
        "things:\n  stall: {count: {3: 4, 4: 5}}\n",
        "things:\n  stall: {count: {2: 3, 3: 4, 4: 5}}\n",
    ),
    Code(
        "E108",
        "an index that is no number, or indexes that are too far apart",
        "The indexes of a table are whole numbers. A list counts from 1, or from what `from` says. From the lowest to the highest "
        "index (of all its indexes, multiplied) there are at most 100,000 places.",
        "tables:\n  price: {values: {first: 2, second: 3}}\n",
        "tables:\n  price: {values: {1: 2, 2: 3}}\n",
    ),
    Code(
        "E109",
        "a table that is not as it is said to be",
        "`shape` holds a table to what its author knows of it: `increasing`, `decreasing`, `rising` "
        "(or equal) or `falling` (or equal). A slip in a long row of numbers is found this way. "
        "Correct the numbers, or the shape.",
        "tables:\n  price: {values: [2, 4, 3], shape: increasing}\n",
        "tables:\n  price: {values: [2, 3, 4], shape: increasing}\n",
    ),
    Code(
        "E110",
        "a connection to a place that is not on the map",
        "Each pair under the connections of a map file names two of its places by their `id`.",
        "map: north.yaml\n"
        "things: {gate: {kind: gate, from: gates}, road: {kind: road, edges: roads}}\n"
        "# north.yaml\ngates: [{id: sun}, {id: moon}]\nroads: [[sun, mon]]\n"
        "# roads.rules\nkind gate is node:\n    flag open\n\nkind road is edge:\n    flag built\n",
        "map: north.yaml\n"
        "things: {gate: {kind: gate, from: gates}, road: {kind: road, edges: roads}}\n"
        "# north.yaml\ngates: [{id: sun}, {id: moon}]\nroads: [[sun, moon]]\n"
        "# roads.rules\nkind gate is node:\n    flag open\n\nkind road is edge:\n    flag built\n",
    ),
    Code(
        "E111",
        "pieces that begin nowhere",
        "A piece is in exactly one zone at any time, also before the setup: `in` names the zone of "
        "the table in which pieces begin, or, with `per: seat`, the seat's own. Without it they begin "
        "in the zone `box`, if there is one.",
        "pieces:\n  gem: {sorts: [red, green, blue], count: 4}\n",
        "pieces:\n  gem: {sorts: [red, green, blue], count: 4, in: bag}\n",
    ),
    Code(
        "E112",
        "a count that is wrong",
        "The head of a map file may say how many items its lists have, and what a field of all of them comes to: a slip in "
        "a long list is found this way. Correct the list, or the count.",
        "map: north.yaml\n"
        "things: {gate: {kind: gate, from: gates}, road: {kind: road, edges: roads}}\n"
        "# north.yaml\nmap: {counts: {gates: 3}}\ngates: [{id: sun}, {id: moon}]\nroads: [[sun, moon]]\n"
        "# roads.rules\nkind gate is node:\n    flag open\n\nkind road is edge:\n    flag built\n",
        "map: north.yaml\n"
        "things: {gate: {kind: gate, from: gates}, road: {kind: road, edges: roads}}\n"
        "# north.yaml\nmap: {counts: {gates: 2}}\ngates: [{id: sun}, {id: moon}]\nroads: [[sun, moon]]\n"
        "# roads.rules\nkind gate is node:\n    flag open\n\nkind road is edge:\n    flag built\n",
    ),
    Code(
        "E113",
        "a map that falls apart",
        "From every place of a map one gets to every other along its connections. Where that is not meant to be, the head "
        "says so: `map: {islands: 2}`.",
        "map: north.yaml\n"
        "things: {gate: {kind: gate, from: gates}, road: {kind: road, edges: roads}}\n"
        "# north.yaml\ngates: [{id: sun}, {id: moon}, {id: star}]\nroads: [[sun, moon]]\n"
        "# roads.rules\nkind gate is node:\n    flag open\n\nkind road is edge:\n    flag built\n",
        "map: north.yaml\n"
        "things: {gate: {kind: gate, from: gates}, road: {kind: road, edges: roads}}\n"
        "# north.yaml\ngates: [{id: sun}, {id: moon}, {id: star}]\nroads: [[sun, moon], [moon, star]]\n"
        "# roads.rules\nkind gate is node:\n    flag open\n\nkind road is edge:\n    flag built\n",
    ),
    Code(
        "E114",
        "a grid that cannot be laid out",
        "`grid: 9 x 12` lays out 9 rows of 12 places, called `a1` to `i12`, of a kind of nodes. `without` leaves out places that "
        "it has, `each` says something of them; `hex: true` and `corners: true` say what lies beside what.",
        "things:\n  cell: {grid: 3 x 4, without: [d1]}\n",
        "things:\n  cell: {grid: 3 x 4, without: [c1]}\n",
    ),
)
