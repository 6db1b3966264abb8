"""Designs against what came last: grids, ways, patterns, races, logs, records, tables by names, configurations, presets, modules,
looks, texts, policies, the formatter, the upgrade, scenarios. Each in three sizes where size is the weapon."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from tests.validator.bombs import Files, game, rules
from tests.validator.many import MAP, MAP_KINDS, MENU, TABLE, TURN, names_before, repeated

ESC = "\x1b[2J\x1b]0;owned\x07"
CELLS = "kind cell is node:\n    flag used\n    counter worth: 0 .. 9\n"
PLAIN_MAP = "map: {id: m}\ngates:\n  - {id: a}\n  - {id: b}\nroads:\n  - [a, b]\n"
WORTH = "kind lot is thing:\n    field worth: number = 1\n" + TURN
PLAYED = "procedure turn:\n    menu actions:\n        option go:\n{body}        option rest: nothing\n"


@dataclass(frozen=True)
class Latest:
    """What it is called, how it is made, and its sizes. `words`: more commands that take it, `{}` being its folder."""

    name: str
    make: Callable[[int], Files]
    sizes: tuple[int, ...] = (1,)
    words: tuple[tuple[str, ...], ...] = ()


def on_grid(text: str, rows: int = 31) -> Files:
    return game(f"things:\n  cell: {{grid: {rows} x {rows}}}\n") | rules(CELLS + text)


def in_option(body: str) -> Files:
    return rules(PLAYED.replace("{body}", "".join(f"            {line}\n" for line in body.splitlines())))


# --- grids and ways


def said_of_cells(n: int) -> Files:
    each = ", ".join(f"{chr(97 + k % 26)}{k // 26 + 1}: {{worth_of: {k}}}" for k in range(n))
    return game(f"things:\n  cell: {{grid: 99 x 26, each: {{{each}}}}}\n") | rules("kind cell is node:\n    field worth_of: number = 0\n" + TURN)


def left_out(n: int) -> Files:
    names = ", ".join(f"{chr(97 + k % 26)}{k // 26 + 1}" for k in range(n))
    return game(f"things:\n  cell: {{grid: 31 x 31, without: [{names}]}}\n") | rules(CELLS + TURN)


def ways_in_ways(n: int) -> Files:
    """A search asks at each place for another search."""
    test = "not n0.used"
    for k in range(1, n):
        test = f"(shortest way from n{k} to cell(1) through n{k - 1} where {test} else 99) < 50"
    when = f"(shortest way from cell(1) to cell(900) through n{n - 1} where {test} else 99) < 90"
    return on_grid(PLAYED.format(body="").replace("option go:\n", f"option go when {when}: raise round by 1\n"))


def ways_for_each(n: int) -> Files:
    """Each option searches from another place."""
    return on_grid(
        "procedure turn:\n    menu actions:\n"
        f"        option go for c in cells, k in 1 .. {n} when (shortest way from c to cell(1) else 99) > k: mark c.used\n"
        "        option rest: nothing\n"
    )


def ways_in_labels(n: int) -> Files:
    label = "{count of (connected to c through m where not m.used)}" * n
    return on_grid(f'procedure turn:\n    menu actions:\n        option go "{label}" for c in cells: mark c.used\n        option rest: nothing\n')


def ways_that_watch(n: int) -> Files:
    watch = repeated("rule w{k}, whenever (shortest way from cell(1) to cell(900) through m where not m.used else 99) > {k}: nothing\n", n)
    return on_grid(watch + PLAYED.format(body="            for each c in cells: mark c.used\n"))


def ways_for_a_policy(n: int) -> Files:
    return on_grid(
        f'policy odd:\n    prefer "go/*" by (sum of ((shortest way from c to d else 9) for c in cells, d in cells, k in 1 .. {n}))\n\n'
        "procedure turn:\n    menu actions:\n        option go for c in cells: mark c.used\n        option rest: nothing\n",
        12,
    )


# --- patterns


def pattern_used(size: int, uses: int) -> Files:
    body = repeated("    value part{k}: fee + {k}\n", size)
    return rules(f"pattern small(fee: number):\n{body}" + repeated("use small(fee: {k}) as p{k}\n", uses) + TURN)


def long_words_given(n: int) -> Files:
    """What is given is long, and stands in many places."""
    given = " + ".join(["1"] * n)
    body = "    value sum_up: " + " + ".join(["fee"] * 900) + "\n"
    return rules(f"pattern small(fee: number):\n{body}" + repeated(f"use small(fee: {given}) as p{{k}}\n", 60) + TURN)


def patterns_unknown(n: int) -> Files:
    return rules(repeated("use auctions.englis(purse: cash, supply: bank, steps: $1) as a{k}\n", n) + TURN)


# --- races, words, rows


def races_in_loops(n: int) -> Files:
    return rules(
        "procedure turn:\n"
        f"    repeat {n} times:\n"
        '        first s in seats to answer cry:\n            option take "Take" for k in 1 .. 400: raise round by 0\n        else: nothing\n'
    )


def long_words(n: int) -> Files:
    return in_option(f'repeat {n} times: tell "' + "{me} says " + "x" * 3_900 + '"')


def rows_of_records(n: int) -> Files:
    return in_option(f'repeat {n} times: record "price" my.cash for me')


def holes(n: int) -> Files:
    return in_option("\n".join(['tell "' + "{me}" * 900 + '"'] * n))


def long_labels(n: int) -> Files:
    return rules(f'procedure turn:\n    menu actions:\n        option go "{"x" * 3_900}" for k in 1 .. {n}: nothing\n        option rest: nothing\n')


def long_labels_of(n: int) -> Files:
    return rules(f'procedure turn:\n    menu actions:\n        option go "{"x" * n}" for k in 1 .. 4000: nothing\n        option rest: nothing\n')


def long_names(n: int) -> Files:
    name = "x" * n
    return rules(f"procedure turn:\n    menu actions:\n        option {name} for k in 1 .. 4000: nothing\n        option rest: nothing\n")


# --- sorts and tables


def products_of_three(n: int) -> Files:
    lists = ", ".join(f"{letter}: [{', '.join(f'{letter}{k}' for k in range(n))}]" for letter in "xyz")
    card = '{sorts_for: {x: x, y: y, z: z}, count: "many(x, y, z)", in: stack}'
    pieces = f"pieces: {{gem: {{sorts: [red, green], count: 6, in: bag}}, card: {card}}}\n"
    table = "tables: {many: {index: [x, y, z], values: {x0: {y0: {z0: 1}}}}}\n"
    return game(f"sorts: {{{lists}}}\n{table}{pieces}") | rules(TABLE + "    zone stack of card\n" + TURN)


def numbers_in_a_chain(n: int) -> Files:
    """Each asks a table twice, which asks the number before it."""
    numbers = "".join(f"  n{k}: {f't{k - 1}(1) + t{k - 1}(2) - t{k - 1}(1)' if k else '1'}\n" for k in range(n))
    tables = "".join(f"  t{k}: {{values: [n{k}, n{k}]}}\n" for k in range(n))
    return game(f"numbers:\n  rounds: 3\n{numbers}tables:\n{tables}")


def long_tails(n: int) -> Files:
    return game("tables:\n" + repeated('  t{k}: {values: [1], then: "(n * n) / 2 rounded up + {k}"}\n', n))


def changed_tables(n: int) -> Files:
    values = ", ".join(["1"] * 300)
    said = "variant: v{k}\ntitle: V\nafter: [{others}]\nchange: {price: [{values}]}\n".replace("{values}", values)
    files = {f"variants/v{k}.yaml": said.replace("{k}", str(k)).replace("{others}", names_before(k)) for k in range(n)}
    return files | game(f"tables: {{price: {{values: [{values}]}}}}\n")


# --- configurations, presets, options


def presets(n: int) -> Files:
    return {f"configs/c{k}.yaml": f"configuration: 1\ntitle: C\nseats: {2 + k % 3}\n" for k in range(n)}


def presets_with_bots(n: int) -> Files:
    policy = 'policy odd:\n    prefer "sell/{g}" for g in gems by ' + " + ".join(["1"] * 60) + "\n"
    return {f"configs/c{k}.yaml": "configuration: 1\ntitle: C\nseats: 4\nbots: odd\n" for k in range(n)} | rules(policy + TURN)


def odd_presets(n: int) -> Files:
    odd = {
        "a": "configuration: 1\nseats: 1000000000000\n", "b": "configuration: 1\nseats: {a: 1}\nbots: [1, 2]\n",
        "c": f"configuration: 1\ntitle: {json.dumps(ESC)}\n", "d": "configuration: 99\n", "e": "- 1\n", "f": "",
        "g": "configuration: 1\nmodules: [../../../etc, /etc, ~root, ./x]\n", "h": "configuration: 1\ngame: /etc\n",
        "i": f"configuration: 1\noptions: {{{', '.join(f'o{k}: {k}' for k in range(n))}}}\n",
        "j": f"configuration: 1\nvariants: [{', '.join(f'v{k}' for k in range(n))}]\n",
        "k": "configuration: 1\nseed: [[[[[[[[[[1]]]]]]]]]]\nbecause: {en: {en: x}}\n",
        "l": "configuration: 1\nbots: {0: x, 9: y, -1: z}\nassumptions: {A: {b: c}}\n",
    }  # fmt: skip
    return {f"configs/{name}.yaml": text for name, text in odd.items()}


def options_without_end(n: int) -> Files:
    return game("options:\n" + repeated("  o{k}: {from: 0, to: 999999999999, otherwise: 5}\n", n))


def lists_of_things(n: int) -> Files:
    options = repeated("  o{k}: {list_of: lot, where: lot.worth >= {d}, else: refused}\n", n)
    return game(f"things: {{lot: {{count: 900}}}}\noptions:\n{options}") | rules(WORTH)


def refusals(n: int) -> Files:
    inner = "any (k in lots where any (j in lots where j.worth > k.worth))"
    when = repeated(f"  - {{when: odd and any (m in lots where {inner}), because: refused}}\n", n)
    return game(f"things: {{lot: {{count: 900}}}}\noptions: {{odd: {{flag: true}}}}\nrefuses:\n{when}") | rules(WORTH)


def maps(n: int) -> Files:
    files = {f"maps/m{k}.yaml": PLAIN_MAP.replace("id: m", f"id: m{k}") for k in range(n)}
    chosen = "options: {city: {one_of: maps/*.yaml, otherwise: m0}}\n" + MAP.replace("maps/m.yaml", "maps/{city}.yaml")
    return files | game(chosen) | rules(MAP_KINDS + TURN)


def variants_alone(n: int) -> Files:
    return {f"variants/v{k}.yaml": f"variant: v{k}\ntitle: V{k}\n" for k in range(n)}


# --- looks and texts

LOOKS = {
    "a glyph that moves the cursor": 'look: 1\nglyphs: {red: "\\e[2J\\a"}\n',
    "a glyph that is turned around": 'look: 1\nglyphs: {red: "\\u202eab"}\n',
    "a glyph that is very long": f"look: 1\nglyphs: {{red: {'W' * 4_000}}}\n",
    "a glyph of marks on marks": 'look: 1\nglyphs: {red: "a' + "\u0301" * 1_000 + '"}\n',
    "a glyph without width": 'look: 1\nglyphs: {red: "\u200b"}\n',
    "a track without end": "look: 1\nsections:\n  lot: {as: track, at: worth, from: -1000000000000, to: 1000000000000}\n",
    "a heading of many lines": 'look: 1\nsections:\n  table: {title: "a\\nb\\e[31m"}\n',
    "a colour that is none": 'look: 1\nseats: ["#\\e[0m", "url(x)", 5]\n',
    "a very long colour": f"look: 1\nseats: [{'r' * 4_000}]\n",
    "a form that is a list": "look: [1]\nglyphs: [a]\nsections: 5\nseats: {a: 1}\n",
}
LOTS = "kind lot is thing:\n    counter worth: 0 .. 900 start 5\n    flag used\n"


def look(text: str) -> Callable[[int], Files]:
    return lambda n: {"look.yaml": text} | game("things: {lot: {count: 3}}\n") | rules(LOTS + TURN)


def glyphs(n: int) -> Files:
    return {"look.yaml": "look: 1\nglyphs:\n" + repeated("  nothing{k}: x\n", n)}


def far_apart(n: int) -> Files:
    """A map whose places are farther from each other than any terminal is wide."""
    where = [0, n, -n, 1]
    gates = "".join(f"  - {{id: g{k}, x: {x}, y: {-x}}}\n" for k, x in enumerate(where))
    roads = "".join(f"  - [g{k}, g{k + 1}]\n" for k in range(len(where) - 1))
    kinds = MAP_KINDS.replace("    flag open\n", "    flag open\n    field x: number = 0\n    field y: number = 0\n")
    drawn = {"look.yaml": "look: 1\nsections:\n  gate: {as: map}\n", "maps/m.yaml": f"map: {{id: m}}\ngates:\n{gates}roads:\n{roads}"}
    return drawn | game(MAP) | rules(kinds + TURN)


def drawn_grid(n: int) -> Files:
    return {"look.yaml": "look: 1\nsections:\n  cell: {as: grid, show: [used, worth]}\n"} | on_grid(TURN, n)


TEXTS = {
    "a text that moves the cursor": 'title: "\\e[2J\\a"\nname.red: "\\e]0;x\\a"\n',
    "a text that is turned around": 'title: "\\u202eevil"\nname.red: "\\u200b"\n',
    "a text with holes for all": 'menu.actions.sell: "' + "{g}" * 1_000 + '"\n',
    "a text with a hole that works": 'menu.actions.sell: "{sum of (a * b for a in 1 .. 900, b in 1 .. 900)}"\n',
    "a text with open braces": 'menu.actions.sell: "{{{{{{{{{{{{g"\nname.red: "}"\n',
    "texts for a number": "title: 5\nname: {a: b}\nname.red: [1, 2]\n",
    "a unit without a place": 'unit.coin: "%s%n{0}{0.__class__}"\n',
}


def text_of(text: str) -> Callable[[int], Files]:
    return lambda n: {"texts/de.yaml": text}


def texts_for_nothing(n: int) -> Files:
    return {"texts/de.yaml": repeated("name.nothing{k}: x\n", n)}


IN_GERMAN = (("play", "{}", "--bots", "1", "--lang", "de"), ("info", "{}", "--lang", "de"))


# --- policies


def wishes(n: int) -> Files:
    return rules(
        "policy odd:\n" + repeated('    prefer "go/*" when round > {d} by {k}\n', n)
        + "\nprocedure turn:\n    menu actions:\n        option go for k in 1 .. 4000: nothing\n        option rest: nothing\n"
    )  # fmt: skip


def wishes_by_values(n: int) -> Files:
    return rules(
        f'policy odd:\n    prefer "go/{{a}}*" for a in 1 .. {n} by a\n\n'
        "procedure turn:\n    menu actions:\n        option go for k in 1 .. 4000: nothing\n        option rest: nothing\n"
    )


def wishes_that_are_near(n: int) -> Files:
    return rules(
        f'policy odd:\n    prefer "go/{{a}}/*" for a in 1 .. {n} nearest a * a\n\n'
        "procedure turn:\n    menu actions:\n        option go for k in 1 .. 60, j in 1 .. 60: nothing\n        option rest: nothing\n"
    )


def stars(n: int) -> Files:
    """A pattern that can be read in very many ways."""
    return rules(
        f'policy odd:\n    prefer "{"a*" * n}b" by 1\n\nprocedure turn:\n    menu actions:\n'
        f'        option {"a" * 100} for k in 1 .. 4000: nothing\n        option rest: nothing\n'
    )


def lets(n: int) -> Files:
    """Each name is worked out twice by the next."""
    chain = "    let a0 = 1\n" + "".join(f"    let a{k} = a{k - 1} + a{k - 1}\n" for k in range(1, n))
    return rules(f'policy odd:\n{chain}    prefer "rest" by a{n - 1}\n' + MENU)


# --- rules as text: the formatter, and the upgrade


def old(text: str) -> Callable[[int], Files]:
    def make(n: int) -> Files:
        return {"play.rules": repeated(text, n), "game.yaml": "language: 1\n"}

    return make


FORMATTED = (("fmt", "{}", "--diff"), ("fmt", "{}", "--check"), ("fmt", "{}", "--upgrade", "--diff"))


def one_line(word: str) -> Callable[[int], Files]:
    return lambda n: rules("value v: " + word * n + "1\n" + TURN)


def remarks(n: int) -> Files:
    return rules("#" + "é" * n + "\n" + "# x\n\n\n" * (n // 4) + TURN)


def brackets(n: int) -> Files:
    return rules("value v: " + "(" * n + "1" + ")" * n + "\n" + TURN)


def flow(n: int) -> Files:
    return game("numbers:\n  rounds: 3\nsorts: {a: [" + ",".join(f"x{k}" for k in range(n)) + "]}  # " + "y" * 3_000 + "\n")


def flow_in_flow(n: int) -> Files:
    return game("tables: {t: {values: " + "{1: " * n + "5" + "}" * n + "}}\n")


def yaml_remarks(n: int) -> Files:
    return game("numbers:\n  rounds: 3  # x\n" + "  # remark\n\n" * n)


def wide_letters(n: int) -> Files:
    menu = f'procedure turn:\n    menu actions:\n        option go "{"魚" * min(n, 1_200)}": nothing\n        option rest: nothing\n'
    return rules("# " + "魚👨\u200d🌾é\u0301" * n + "\n" + menu)


def ends_of_lines(n: int) -> Files:
    return rules("value v: 1\r\n\r\n" * 1 + "".join(f"value v{k}: 1\r\n" for k in range(n)) + TURN)


# --- scenarios

GIVEN = "given: |\n  repeat 90000 times: seat(1) pays $1 to bank as far as it goes\n"
SCENARIO = "scenario: R-1 x\nconfig: {seats: 2}\n"


def scenarios(text: str) -> Callable[[int], Files]:
    def make(n: int) -> Files:
        return {f"scenarios/s{k}.scenario.yaml": SCENARIO + text.replace("{k}", str(k)) for k in range(n)} | rules(LONG)

    return make


LONG = "play:\n    repeat 9000 times: turns\nprocedure turns: take one turn each from seat(1): turn\n" + MENU.replace(
    "        option rest: nothing\n", "        option rest: nothing\n        option work: nothing\n"
)


def scenarios_in_one(n: int) -> Files:
    one = "  - scenario: s{k}\n    play: [{until: the end}]\n    then: [round = 0]\n"
    return {"scenarios/s.scenario.yaml": "config: {seats: 2}\nscenarios:\n" + repeated(one, n)} | rules(LONG)


def odd_scenarios(n: int) -> Files:
    odd = {
        "a": f"nothing: 1\n{json.dumps(ESC)}: 2\n", "b": f"play: [{json.dumps(ESC)}]\n", "c": f"when: [{'x' * 4_000}]\n",
        "d": f"chance: [{', '.join(['first/1'] * n)}]\n", "e": "play: {until: the end}\n", "f": "sees: {999999999999: {}, -1: 5}\n",
        "g": "then: [1 = 1, {a: b}, [x]]\nwhy_not: [x]\noptions: {a: b}\n", "h": "config: {seed: [1]}\n", "i": "ranking: [[[[1]]]]\nending: {a: 1}\n",
        "j": "given: |\n  repeat 999999999 times: seat(1) pays $1 to bank\n", "k": "then: [" + "(" * 40 + "1" + ")" * 40 + " = 1]\n",
        "l": "then: ['(sum of (a * b * c for a in 1 .. 300, b in 1 .. 300, c in 1 .. 300)) = 1']\n",
        "m": f"sees: {{1: {{{', '.join(f'x{k}: hidden' for k in range(n))}}}}}\n",
    }  # fmt: skip
    return {f"scenarios/{name}.scenario.yaml": (SCENARIO if name != "h" else "scenario: x\n") + text for name, text in odd.items()}


TESTED = (("test", "{}"),)

LATEST = (
    Latest("places of a grid of which something is said", said_of_cells, (100, 700, 1_000)),
    Latest("places of a grid that are left out", left_out, (100, 700, 961)),
    Latest("ways within ways", ways_in_ways, (2, 3, 5)),
    Latest("ways for each option", ways_for_each, (1, 3, 5)),
    Latest("ways in labels", ways_in_labels, (1, 10, 60)),
    Latest("ways that are watched", ways_that_watch, (1, 30, 900)),
    Latest("ways for a policy", ways_for_a_policy, (1, 9, 900)),
    Latest("a pattern of many rules", lambda n: pattern_used(n, 900), (9, 900, 3_000)),
    Latest("a pattern that is used often", lambda n: pattern_used(2, n), (300, 2_000, 5_000)),
    Latest("a long expression for a pattern", long_words_given, (9, 200, 900)),
    Latest("patterns that are not there", patterns_unknown, (100, 1_000, 2_800)),
    Latest("races in loops", races_in_loops, (90, 9_000, 99_000)),
    Latest("long words, often", long_words, (90, 9_000, 99_000)),
    Latest("rows of records", rows_of_records, (90, 9_000, 99_000)),
    Latest("words with holes", holes, (3, 16, 45)),
    Latest("long labels", long_labels, (90, 1_000, 4_900)),
    Latest("labels without end", long_labels_of, (4_000, 190_000)),
    Latest("long names", long_names, (900, 9_000, 90_000)),
    Latest("products of three sorts", products_of_three, (5, 9, 40)),
    Latest("numbers in a chain of tables", numbers_in_a_chain, (20, 200, 2_000)),
    Latest("tables with long tails", long_tails, (30, 300, 2_500)),
    Latest("a table that many change", changed_tables, (8, 32, 64)),
    Latest("presets", presets, (20, 300, 1_900), TESTED),
    Latest("presets with bots", presets_with_bots, (20, 300, 1_900), TESTED),
    Latest("odd presets", odd_presets, (20, 5_000), (("play", "{}", "--config", "c", "--bots", "1"), ("info", "{}", "--config", "g"))),
    Latest("options without end", options_without_end, (9, 300, 1_900), (("info", "{}", "--format", "json"), ("info", "{}", "--set", "o1=7"))),
    Latest("options that list things", lists_of_things, (3, 60, 900), (("info", "{}", "--format", "json"),)),
    Latest("refusals of options", refusals, (9, 300, 1_600)),
    Latest("maps to choose from", maps, (9, 300, 1_500), (("info", "{}", "--format", "json"),)),
    Latest("variants alone", variants_alone, (9, 30, 64), (("info", "{}", "--combos"), ("check", "{}", "--all"))),
    *(Latest(name, look(text), (1,)) for name, text in LOOKS.items()),
    Latest("glyphs for nothing", glyphs, (100, 1_000, 9_000)),
    Latest("places far apart", far_apart, (100, 10**6, 10**12)),
    Latest("a large grid that is drawn", drawn_grid, (20, 31, 99)),
    *(Latest(name, text_of(text), (1,), IN_GERMAN) for name, text in TEXTS.items()),
    Latest("texts for nothing", texts_for_nothing, (100, 1_000, 8_000), IN_GERMAN),
    Latest("many wishes", wishes, (30, 300, 3_000)),
    Latest("wishes by values", wishes_by_values, (30, 300, 4_000)),
    Latest("wishes that are near", wishes_that_are_near, (9, 300, 4_000)),
    Latest("stars", stars, (5, 50, 900)),
    Latest("names of a policy", lets, (9, 90, 900)),
    Latest("old rules", old("value v{k}: my cash + {k}\nprocedure p{k}: if number of my hand = {d}: gain 1 coin\n"), (30, 300, 2_000), FORMATTED),
    Latest("old rules that are broken", old("procedure p{k}: if if number of ) otherwise\n"), (30, 300, 3_000), FORMATTED),
    Latest("old phases", old("phase p{k}:\n    otherwise: nothing\n    if x is {d}:\n        keeps price\n"), (30, 300, 2_000), FORMATTED),
    Latest("one long line", one_line("1 + "), (90, 900, 40_000), FORMATTED),
    Latest("one long line of minus signs", one_line("- "), (90, 900, 40_000), FORMATTED),
    Latest("remarks", remarks, (90, 900, 30_000), FORMATTED),
    Latest("brackets", brackets, (30, 900, 40_000), FORMATTED),
    Latest("a long list on one line", flow, (90, 900, 9_000), FORMATTED),
    Latest("maps in maps on one line", flow_in_flow, (20, 900, 9_000), FORMATTED),
    Latest("remarks in YAML", yaml_remarks, (90, 900, 9_000), FORMATTED),
    Latest("wide letters", wide_letters, (90, 900, 7_000), FORMATTED),
    Latest("lines with two ends", ends_of_lines, (90, 900, 9_000), FORMATTED),
    Latest("scenarios that go on", scenarios("play: [{until: the end}]\nthen: [round = 0]\n"), (2, 30, 900), TESTED),
    Latest("scenarios that set much right", scenarios(GIVEN), (2, 30, 900), TESTED),
    Latest("scenarios in one file", scenarios_in_one, (2, 30, 9_000), TESTED),
    Latest("odd scenarios", odd_scenarios, (20, 200), TESTED),
)  # fmt: skip
