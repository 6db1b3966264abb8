"""What every key of every YAML file says: a title, a sentence and an example each, in the words of JSON Schema."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def key(heading: str, words: str, example: object, /, **shape: Any) -> Schema:
    """One key. What it holds is said in `shape`; nothing said, it is a text."""
    return {**(shape or {"type": "string"}), "title": heading, "description": words, "examples": [example]}


def fields(description: str, properties: dict[str, Schema], required: tuple[str, ...] = ()) -> Schema:
    """A map with these keys and no others."""
    made: Schema = {"type": "object", "description": description, "properties": properties, "additionalProperties": False}
    return made | ({"required": list(required)} if required else {})


def any_of(*shapes: Schema) -> Schema:
    return {"anyOf": list(shapes)}


NAME = "^[a-z][a-z0-9_]*$"
TEXT: Schema = {"type": "string"}
WORD: Schema = {"type": "string", "pattern": NAME}
FLAG: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer"}
NAMES: Schema = any_of({"type": "array", "items": any_of(TEXT, WHOLE)}, TEXT)
TITLE: Schema = any_of({"type": ["string", "integer"]}, {"type": "object", "additionalProperties": {"type": "string"}})
BY_SEATS: Schema = {"type": "object", "patternProperties": {"^[0-9]+$": any_of(WHOLE, TEXT)}, "additionalProperties": False}
NUMBER: Schema = any_of(WHOLE, TEXT, BY_SEATS)
ANYTHING: Schema = {"type": ["object", "array", "string", "integer"]}
ITEMS: Schema = any_of(
    {"type": "array"},
    {"type": "object", "additionalProperties": any_of({"type": "object"}, WHOLE, {"type": "null"})},
    TEXT,
)
SEATS: Schema = any_of({"type": "string", "pattern": "^[0-9]{1,2}( to [0-9]{1,2})?$"}, {"type": "integer", "minimum": 1, "maximum": 12})

# ------------------------------------------------------------------------------------- one declaration each

_SHAPES = ["increasing", "decreasing", "rising", "falling"]
_ORIGIN: dict[str, Schema] = {
    "unit": key("Unit", "What is counted; one of `units`. Amounts in different units do not add.", "yen", **WORD),
    "source": key("Source", "Where in the source this number stands.", "rulebook, page 4"),
    "assumption": key("Assumption", "The id under which this number is assumed, since no source gives it.", "A-XYZ-01"),
    "why": key("Why", "Why just this number was assumed.", "two thirds of the other one"),
    "title": key("Title", "What people call it.", "Money to begin with", **TITLE),
    "index": key("Index", "What the table is asked with: a family, a kind of things, an enumeration or `seat` goes by its names; "
                 "any other word is for people, and means a number.", ["fruit", "rank"], **NAMES),
    "from": key("From", "The index of the first entry of a list; 1, if nothing is said.", 0, **WHOLE),
    "then": key("Then", "What follows the last entry, worked out from its index `n`.", "n * 2", **any_of(TEXT, WHOLE)),
    "shape": key("Shape", "What is known of the table as a whole; a slip among its numbers is then found.", "increasing", enum=_SHAPES),
    "least": key("Least", "What it is at least, or each of its entries; modules and the config keep to that.", 0, **NUMBER),
    "most": key("Most", "What it is at most, or each of its entries; modules and the config keep to that.", 99, **NUMBER),
}
NUMBERS: Schema = {
    "type": "object", "propertyNames": {"pattern": NAME},
    "additionalProperties": any_of(
        WHOLE, TEXT,
        fields("A number, and where it comes from.", {
            "is": key("Is", "The number; or an expression of `seats`, options and other numbers; or one for each number of seats.", 48, **NUMBER),
            **_ORIGIN,
        }, ("is",)),
        BY_SEATS,
    ),
}  # fmt: skip
TABLES: Schema = {
    "type": "object", "propertyNames": {"pattern": NAME},
    "additionalProperties": any_of(
        {"type": "array"},
        fields("A table of numbers.", {
            "values": key("Values", "A list counts from 1; a map goes by its keys; maps and lists can stand in each other.", [12, 9, 5],
                          **any_of({"type": "array"}, {"type": "object"})),
            **_ORIGIN,
        }, ("values",)),
        {"type": "object", "patternProperties": {"^-?[0-9]+$": ANYTHING}, "additionalProperties": False},
    ),
}  # fmt: skip
UNITS: Schema = {
    "type": "object", "propertyNames": {"pattern": NAME},
    "additionalProperties": fields("Something that is counted.", {
        "write": key("Write", "How an amount is written; `{}` stands for the number.", "¥{}"),
        "one": key("One", "How a single one is written, where that is another word.", "{} chip"),
        "step": key("Step", "All amounts are multiples of this.", 100, **WHOLE),
    }),
}  # fmt: skip
SORTS: Schema = {"type": "object", "propertyNames": {"pattern": NAME}, "additionalProperties": ITEMS}
PIECES: Schema = {
    "type": "object", "propertyNames": {"pattern": NAME},
    "additionalProperties": any_of(fields("A family of pieces.", {
        "is": key("Is", "The category these pieces belong to, with others; a zone `of card` holds all cards.", "card", **WORD),
        "sorts": key("Sorts", "What there is of them: names, or names with fields.", {"tea": {"price": 3}, "rice": {"price": 5}}, **ITEMS),
        "count": key("Count", "How many there are of each sort; one for each number of seats, if it depends on that.", {2: 9, 3: 12}, **NUMBER),
        "in": key("In", "The zone in which they begin; with `per: seat` the seat's own.", "deck", **WORD),
        "per": key("Per", "Every seat has its own.", "seat", enum=["seat"]),
        "individual": key("Individual", "Each exists by itself: it can remember, carry and be pointed at.", True, **FLAG),
        "sorts_for": key("Sorts for", "One sort for each of a kind, or for each of one with each of others: the fields that say for which, "
                         "and the kinds.", {"artist": "artist", "way": "way"}, type="object", minProperties=1, additionalProperties=WORD),
        "named": key("Named", "How sorts that are made for several are called: each field stands in it once.", "{way}_{artist}"),
        "sides": key("Sides", "The sides a piece can show; it begins with the first.", ["fresh", "aged"], **NAMES),
        "key": key("Key", "What it is called in keys of options and in logs.", "plus6"),
        "assumption": key("Assumption", "The id under which their number is assumed.", "A-XYZ-02"),
        "title": key("Title", "What people call them.", {"en": "Cards", "ja": "札"}, **TITLE),
    }), {"type": "array"}),
}  # fmt: skip
COMPONENTS: Schema = {
    "type": "object", "propertyNames": {"pattern": NAME},
    "additionalProperties": any_of(fields("What no rule names.", {
        "count": key("Count", "How many there are; one for each number of seats, if it depends on that.", 6, **NUMBER),
        "sorts": key("Sorts", "How many there are of each sort: of what is printed on it, or of a name.", {"¥1": 14, "¥5": 9},
                     type="object", additionalProperties=NUMBER),
        "per": key("Per", "Every seat has its own: the number is that of one seat.", "seat", enum=["seat"]),
    }), NUMBER),
}  # fmt: skip
THINGS: Schema = {
    "type": "object", "propertyNames": {"pattern": NAME},
    "additionalProperties": fields("Things that exist one by one and do not move.", {
        "kind": key("Kind", "Their kind; the key itself, if nothing is said.", "marker", **WORD),
        "count": key("Count", "So many, numbered from 1.", "seats + 1", **NUMBER),
        "one_for": key("One for", "One for each of these: the field that says for which, and what.", {"product": ["tea", "rice"]},
                       type="object", maxProperties=1),
        "each": key("Each", "Those that there are, with their fields.", {"corner": {"price": 5}, "gate": {"price": 7}}, **ITEMS),
        "from": key("From", "The key of the map file that lists them.", "stations", **WORD),
        "edges": key("Edges", "The key of the map file that lists these connections.", "connections", **WORD),
        "grid": key("Grid", "Places in so many rows and columns, called `a1`, `a2` …; `each` says something of some of them.", "9 x 12", **TEXT),
        "hex": key("Hex", "Every second row of the grid stands half a place to the right: six lie beside each.", True, **FLAG),
        "corners": key("Corners", "What touches at a corner lies beside too: eight lie beside each.", True, **FLAG),
        "without": key("Without", "Places that the grid does not have.", ["a1", "e7"], **NAMES),
        "assumption": key("Assumption", "The id under which their number is assumed.", "A-XYZ-03"),
    }),
}  # fmt: skip
OPTIONS: Schema = {
    "type": "object", "propertyNames": {"pattern": NAME},
    "additionalProperties": fields("A choice made before the game.", {
        "flag": key("Flag", "Yes or no; what it is when nobody chooses.", False, **FLAG),
        "one_of": key("One of", "One of these words, of the names of these files, or of the things of a kind.", ["tokyo", "osaka"], **NAMES),
        "otherwise": key("Otherwise", "What it is when nobody chooses.", "tokyo", **any_of(TEXT, WHOLE, FLAG)),
        "from": key("From", "A number from here on …", 2, **any_of(WHOLE, TEXT)),
        "to": key("To", "… up to here.", 9, **any_of(WHOLE, TEXT)),
        "seat": key("Seat", "A seat; `random` when nobody chooses, or the number of one.", "random", **any_of(TEXT, WHOLE)),
        "list_of": key("List of", "Some boards of this kind.", "market", **WORD),
        "where": key("Where", "Which of them may be in the list.", "market.fewest_seats <= seats", **TEXT),
        "else": key("Else", "Why others may not.", "it needs more players", **TEXT),
        "title": key("Title", "What people call the choice.", "Start player", **TITLE),
        "source": key("Source", "Where the choice comes from.", "rulebook, variants"),
        "ruling": key("Ruling", "The ruling that this choice is about.", "R-XYZ-14"),
    }),
}  # fmt: skip
REFUSALS: Schema = {"type": "array", "items": fields("Options that do not go together.", {
    "when": key("When", "A condition on `seats` and options.", "snow and rain", **TEXT),
    "because": key("Because", "Why they do not go together.", "it is warm or cold", **TEXT),
}, ("when", "because"))}  # fmt: skip
ENDINGS: Schema = {"type": "object", "propertyNames": {"pattern": NAME}, "additionalProperties": TITLE}

# ------------------------------------------------------------------------------------------------ whole files

_RULES = key("Rules", "Rules, after `rules: |`, each line indented alike.", "value wage -> yen: ¥5\n")
DECLARATIONS: dict[str, Schema] = {
    "units": key("Units", "What is counted.", {"yen": {"write": "¥{}"}}, **UNITS),
    "numbers": key("Numbers", "Numbers by name.", {"rounds": 7}, **NUMBERS),
    "tables": key("Tables", "Rows of numbers by name.", {"price": {"values": [12, 9, 5]}}, **TABLES),
    "sorts": key("Sorts", "Enumerations: one word out of several.", {"side": ["left", "right"]}, **SORTS),
    "pieces": key("Pieces", "What lies in zones and moves between them.", {"card": {"sorts": ["tea", "rice"], "count": 9, "in": "deck"}}, **PIECES),
    "components": key("Components", "What else lies in the box, and no rule names: coins, boards, a bag.",
                      {"coin": {"sorts": {"¥1": 14, "¥5": 9}}, "bag": 1}, **COMPONENTS),
    "things": key("Things", "What exists one by one and does not move.", {"lot": {"count": "seats + 1"}}, **THINGS),
    "options": key("Options", "Choices made before the game.", {"quick": {"flag": False}}, **OPTIONS),
    "refuses": key("Refuses", "Options that do not go together, and why.", [{"when": "snow and rain", "because": "it is warm or cold"}], **REFUSALS),
    "rules": _RULES,
}
GAME: Schema = fields("A game: what is in the box, and what can be chosen. `docs/language.md` has it all.", {
    "game": key("Game", "Its name, as programs know it: the name of its folder.", "my_game", **WORD),
    "language": key("Language", "The version of the rule language it is written for.", 2, const=2),
    "title": key("Title", "Its name, as people know it: a text, or one for each language.", {"en": "My Game", "ja": "私のゲーム"}, **TITLE),
    "about": key("About", "What it is about, in a sentence or two.", "Buy cheap, sell dear.", **TITLE),
    "seats": key("Seats", "How many can play.", "2 to 4", **SEATS),
    "source": key("Source", "Where the rules come from. Numbers then say where in it they stand, or that they are assumed.", "rulebook, 2nd edition"),
    "uses": key("Uses", "Files of the shared library that are used whole.", ["sets", "tracks"], **NAMES),
    "map": key("Map", "A map file; options can stand in its name.", "maps/{city}.yaml"),
    "boards": key("Boards", "For each kind of board, the zone in which its boards begin.", {"market": "market_box"},
                  type="object", additionalProperties=WORD),
    "endings": key("Endings", "The names that games end with.", {"rich": "Somebody is rich"}, **ENDINGS),
    **DECLARATIONS,
}, ("language", "seats"))  # fmt: skip


def part(what: str) -> Schema:
    """A module or a variant."""
    return fields(f"A {what}: it adds to the game, and changes it by name.", {
        what: key(what.capitalize(), "Its name: that of its folder or file.", "rainy_season", **WORD),
        "for": key("For", "The game it belongs to.", "my_game", **WORD),
        "title": key("Title", "Its name, as people know it.", {"en": "Rainy Season"}, **TITLE),
        "about": key("About", "What it brings, in a sentence or two.", "Rain makes everything dearer.", **TITLE),
        "needs": key("Needs", "Modules that must be switched on too, and come before it.", ["orchard"], **NAMES),
        "after": key("After", "Modules that it comes behind, if they are switched on.", ["expansion"], **NAMES),
        "excludes": key("Excludes", "Modules that it does not go together with.", ["drought"], **NAMES),
        "seats": key("Seats", "How many can play with it, if fewer than otherwise.", "3 to 4", **SEATS),
        "endings": key("Endings", "The names of endings that it brings.", {"flood": "Everything is under water"}, **ENDINGS),
        "change": key("Change", "Numbers, tables and lists of sorts of the game that are others.", {"price": [3, 5, 9]}, type="object"),
        **DECLARATIONS,
    }, (what,))  # fmt: skip


_ANSWERS = {"type": "array", "items": any_of(TEXT, WHOLE, {"type": "object", "maxProperties": 1})}
_CONFIG = fields("How the game is set up.", {
    "seats": key("Seats", "How many play; the fewest, if nothing is said.", 3, **WHOLE),
    "modules": key("Modules", "Modules that are switched on.", ["expansion"], **NAMES),
    "variants": key("Variants", "Variants that are switched on.", ["quick"], **NAMES),
    "options": key("Options", "What is chosen before the game.", {"start_player": 1}, type="object"),
    "assumptions": key("Assumptions", "Other numbers for assumptions, by their ids.", {"A-XYZ-01": 60}, type="object"),
    "seed": key("Seed", "From what chance is made.", 7, **WHOLE),
})  # fmt: skip
_STEPS: dict[str, Schema] = {
    "given": key("Given", "Statements of the language that set the stage: they move, pay and set.", "seat(1) pays ¥5 to bank\n"),
    "play": key("Play", "Answers that lead to the place in question: keys, `SEAT: key`, `until: …`, `holds: …`.", ["buy/1", {2: "pass"}], **_ANSWERS),
    "when": key("When", "The answers that this is about.", ["buy/2"], **_ANSWERS),
    "chance": key("Chance", "What chance brings, in order.", ["draw/tea"], type="array", items=any_of(TEXT, WHOLE)),
}
_SCENARIO: dict[str, Schema] = {
    "scenario": key("Scenario", "What must hold, in a sentence; with the id of the rule, if it has one.", "R-XYZ-01 a lot is paid at once"),
    "config": key("Config", "How the game is set up.", {"seats": 3}, **_CONFIG),
    **_STEPS,
    "then": key("Then", "What holds in the end: expressions of the language.", ["cash of seat(1) = ¥9"],
                **any_of({"type": "array", "items": TEXT}, TEXT)),
    "why_not": key("Why not", "Answers that are refused, and the reason that is given.", {"buy/3": "lot 3 is bought"},
                   type="object", additionalProperties=any_of(TEXT, WHOLE)),
    "options": key("Options", "Exactly the answers that are offered then.", ["buy/1", "refuse"], type="array", items=any_of(TEXT, WHOLE)),
    "sees": key("Sees", "What a seat, or a spectator, sees: places, and what its view holds there.", {2: {"seat(1).cash": "hidden"}},
                type="object", patternProperties={"^([1-9][0-9]*|spectator)$": {"type": "object"}}, additionalProperties=False),
    "ranking": key("Ranking", "Who has won, and who shares a place.", [[2], [1, 3]], type="array", items={"type": "array"}),
    "ending": key("Ending", "The name of the ending.", "rich"),
}  # fmt: skip
SCENARIO: Schema = any_of(
    fields("One scenario.", _SCENARIO, ("scenario",)),
    fields("Several scenarios that begin alike.", {
        "config": key("Config", "How the game is set up for all of them.", {"seats": 3}, **_CONFIG), **_STEPS,
        "scenarios": key("Scenarios", "The scenarios.", [{"scenario": "R-XYZ-01 a lot is paid at once"}],
                         type="array", items=fields("One scenario.", _SCENARIO, ("scenario",))),
    }, ("scenarios",)),
)  # fmt: skip
BOARD: dict[str, Schema] = {
    "board": key("Board", "Its name, as programs know it: the name of its file.", "north_market", **WORD),
    "title": key("Title", "Its name, as people know it.", {"en": "North Market", "ja": "北市場"}, **TITLE),
    "about": key("About", "What it is for, in a sentence or two.", "Sells what the others lack."),
    "source": key("Source", "Where its numbers come from.", "rulebook, page 12"),
    "assumptions": key("Assumptions", "For each key whose value is assumed, the id of the assumption.", {"entry": "A-XYZ-04"},
                       type="object", additionalProperties=any_of(TEXT, {"type": "array", "items": TEXT})),
    "look": key("Look", "How it is drawn.", {"colour": "blue"}, **ANYTHING),
    **DECLARATIONS,
}  # fmt: skip
BOARD["pieces"] = key("Pieces", "Sorts that this board adds to families of pieces.", {"token": {"tea": {"count": 4}}},
                      type="object", propertyNames={"pattern": NAME}, additionalProperties=ITEMS)  # fmt: skip

PLACE_ID = key("Id", "The name by which rules, connections and keys call it.", "north_gate", anyOf=[TEXT, WHOLE])
PAIR: Schema = {"type": "array", "items": {"anyOf": [TEXT, WHOLE]}, "minItems": 2, "maxItems": 2}
BETWEEN = key("Between", "The two places that it connects.", ["here", "there"], **PAIR)
MAP_HEAD = key(
    "Head", "What the map says of itself; what it says is held against its lists.", {"id": "north", "counts": {"gates": 3}},
    **fields(
        "The head of a map file.",
        {
            "id": key("Id", "The name of the map, as the option calls it.", "north", **TEXT),
            "name": key("Name", "Its name for people, or one for each language.", "North", **TITLE),
            "source": key("Source", "Where the map is taken from.", "the board of the second edition", **TEXT),
            "islands": key("Islands", "Of how many parts it is, between which there is no way.", 2, **WHOLE),
            "counts": key(
                "Counts", "How many items a list has, or what a field of all of them comes to.", {"gates": 3, "gates.toll": 12},
                type="object", additionalProperties=WHOLE,
            ),
        },
        (),
    ),
)  # fmt: skip

_COLOUR: Schema = {"type": "string", "pattern": "^(bright_)?(black|red|green|yellow|blue|magenta|cyan|white)$|^#[0-9a-fA-F]{6}$"}
_SIGN: Schema = {"type": ["string", "integer"]}
_LISTED: Schema = {"type": "array", "items": TEXT}
LOOK_OF_A_GAME: Schema = fields("How a game looks on a screen, in pictures and on paper. `docs/look.md` has it all.", {
    "look": key("Look", "The version of this format.", 1, const=1),
    "glyphs": key("Glyphs", "For names of the ruleset: a sign of at most four columns, a colour, or both.",
                  {"apple": {"glyph": "A", "colour": "red"}, "crate": "▣"},
                  type="object", additionalProperties=any_of(_SIGN, fields("A sign, a colour, or both.", {
                      "glyph": key("Glyph", "The sign, of at most four columns.", "🍎", **_SIGN),
                      "colour": key("Colour", "One that terminals know, or `#rrggbb`.", "red", **_COLOUR),
                  }))),
    "seats": key("Seats", "The colours of the seats, from seat 1 on.", ["red", "blue"], type="array", items=_COLOUR),
    "sections": key("Sections", "The parts of the screen, in their order: `table`, `seats`, and kinds of things.",
                    {"stall": {"as": "table", "show": ["price"]}}, type="object", additionalProperties=fields("One part of the screen.", {
                        "as": key("As", "How it is laid out.", "map", enum=["table", "columns", "list", "line", "map", "grid", "track", "hidden"]),
                        "show": key("Show", "Only these members, values, fields and flags, in this order.", ["price", "goods"], **_LISTED),
                        "hide": key("Hide", "All members but these.", ["score"], **_LISTED),
                        "title": key("Title", "Its heading, in one language or several.", {"en": "Stalls", "ja": "屋台"}, **TITLE),
                        "signs": key("Signs", "On a map: what marks the places of which a flag field is true.", {"bridge": "⚓"},
                                     type="object", additionalProperties=_SIGN),
                        "costs": key("Costs", "On a map: the number field of its edges that is written on them.", "toll", **WORD),
                        "within": key("Within", "On a map: the field that says to which part of it a place belongs.", "region", **WORD),
                        "at": key("At", "On a track: the counter that says where each thing stands.", "space", **WORD),
                        "order": key("Order", "On a track: the counter that says who is higher up on one space.", "arrived", **WORD),
                        "from": key("From", "On a track: its first space.", 1, **WHOLE),
                        "to": key("To", "On a track: its last space.", 60, **WHOLE),
                    })),
}, ("look",))  # fmt: skip
