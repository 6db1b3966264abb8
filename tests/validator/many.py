"""Texts with very many of one thing, and with very many faults of one kind: what is done for each of them must not hang on how
many others there are, or it is counted and refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.validator.bombs import Files, game, rules

TURN = "\nprocedure turn: nothing\n"
MENU = "procedure turn:\n    menu actions:\n        option rest: nothing\n"
SEAT = "seat:\n    purse cash: coin start 5\n    zone hand of gem, hidden from others\n"
TABLE = "table:\n    purse bank: coin, unlimited\n    zone bag of gem, face down\n    zone heap of gem\n    counter round: 0 .. 9\n"
MAP = "map: maps/m.yaml\nthings: {gate: {from: gates}, road: {edges: roads}}\n"
MAP_KINDS = "kind gate is node:\n    flag open\nkind road is edge:\n    field toll: number = 1\n"
LIMIT = 'restrict option actions.rest when round = 3:\n    require round > {d}, else "no"\n'
TWICE = "after: [{others}]\nrules: |\n  replace procedure turn:\n      original\n      original\n"
RACE = '    first s in others to answer cry{k}:\n        option take "Take" when s.cash >= ${d}: raise round by 0\n'


@dataclass(frozen=True)
class Many:
    """What there are many of, how they are written, and three sizes; the last one comes to some 200 KB, or is refused."""

    name: str
    make: Callable[[int], Files]
    sizes: tuple[int, int, int]


def lines(text: str) -> Callable[[int], Files]:
    """`{k}` is the number of each, `{d}` its last digit, `{n}` the one after it."""
    return lambda n: rules(repeated(text, n) + TURN)


def in_turn(text: str, head: str = "procedure turn:\n") -> Callable[[int], Files]:
    return lambda n: rules(head + repeated(text, n))


def below(head: str, text: str, tail: str = TURN) -> Callable[[int], Files]:
    return lambda n: rules(head + repeated(text, n) + tail)


def in_yaml(head: str, text: str) -> Callable[[int], Files]:
    return lambda n: game(head + repeated(text, n))


def repeated(text: str, n: int) -> str:
    return "".join(text.replace("{k}", str(k)).replace("{d}", str(k % 9)).replace("{n}", str(k + 1)) for k in range(n))


def variants(text: str, others: Callable[[int], str]) -> Callable[[int], Files]:
    def make(n: int) -> Files:
        files = {f"variants/v{k}.yaml": f"variant: v{k}\ntitle: V\n{text}".replace("{others}", others(k)) for k in range(n)}
        return files | rules(TURN)

    return make


def names_before(k: int) -> str:
    return ", ".join(f"v{j}" for j in range(k))


def grid(n: int) -> Files:
    return game(f"things:\n  cell: {{grid: {n} x {n}}}\n") | rules("kind cell is node:\n    flag used\n" + TURN)


def grids(n: int) -> Files:
    kinds = repeated("kind cell{k} is node:\n    flag used\n", n)
    return game("things:\n" + repeated("  cell{k}: {grid: 3 x 3}\n", n)) | rules(kinds + TURN)


def ways_through_a_grid(n: int) -> Files:
    values = repeated("value v{k}: count of (connected to c through n where n.used for c in cells)\n", n)
    return game("things:\n  cell: {grid: 31 x 31}\n") | rules("kind cell is node:\n    flag used\n" + values + TURN)


def connections(n: int) -> Files:
    """From each place to each."""
    places = repeated("- {id: p{k}, name: P{k}}\n", n)
    roads = "".join(f"- {{between: [p{k}, p{j}], toll: {k % 9}}}\n" for k in range(n) for j in range(k))
    return {"maps/m.yaml": f"map: {{id: m}}\ngates:\n{places}roads:\n{roads}"} | game(MAP) | rules(MAP_KINDS + TURN)


def products(n: int) -> Files:
    """Sorts for each with each of two lists."""
    x, y = (", ".join(f"{letter}{k}" for k in range(n)) for letter in "xy")
    pieces = "pieces: {gem: {sorts: [red, green], count: 6, in: bag}, card: {sorts_for: {x: x, y: y}, count: 1, in: stack}}\n"
    return game(f"sorts: {{x: [{x}], y: [{y}]}}\n{pieces}") | rules(TABLE + "    zone stack of card\n" + TURN)


def powers(n: int) -> Files:
    """And of many lists."""
    words = ", ".join(f"x{k}: [{', '.join(f'a{k}_{j}' for j in range(9))}]" for k in range(n))
    made = ", ".join(f"x{k}: x{k}" for k in range(n))
    pieces = f"pieces: {{gem: {{sorts: [red, green], count: 6, in: bag}}, card: {{sorts_for: {{{made}}}, count: 1, in: stack}}}}\n"
    return game(f"sorts: {{{words}}}\n{pieces}") | rules(TABLE + "    zone stack of card\n" + TURN)


def options_by_sorts(n: int) -> Files:
    sorts = ", ".join(["red", "green", *(f"g{k}" for k in range(n))])
    menu = "procedure turn:\n    menu actions:\n        option rest: nothing\n"
    offered = repeated("        option o{k} for g in my.hand when g is g{k}: move g to heap\n", n)
    return game(f"pieces: {{gem: {{sorts: [{sorts}], count: 1, in: bag}}}}\n") | rules(menu + offered)


def wide_table(n: int) -> Files:
    words = ", ".join(f"a{k}" for k in range(n))
    rows = ", ".join(f"a{k}: [{', '.join(['1'] * n)}]" for k in range(n))
    return game(f"sorts: {{x: [{words}]}}\ntables: {{t: {{index: [x, x], values: {{{rows}}}}}}}\n")


def tables_by_names(n: int) -> Files:
    tables = repeated("  t{k}: {index: [side, gem], values: {left: {red: 1, green: 2}, right: [3, 4]}}\n", n)
    return game("sorts:\n  side: [left, right]\ntables:\n" + tables) | rules(repeated("value v{k}: t{k}(left, red)\n", n) + TURN)


def windows_in_menus(n: int) -> Files:
    windows = repeated("window w{k} during turn when round > {d}:\n    option o{k}: nothing\n", n // 2)
    return rules(windows + "procedure turn:\n" + repeated("    menu actions{k}:\n        option rest: nothing\n", n // 2))


def ways_to_set_up(n: int) -> Files:
    """As many variants as that, and a long text that each of them reads."""
    return {f"variants/v{k}.yaml": f"variant: v{k}\ntitle: V\n" for k in range(n)} | rules(repeated("value v{k}: 1 + 2 * {k}\n", 8_000) + TURN)


def blocks(n: int) -> Files:
    nested = "".join("    " * (k + 1) + f"if round > {k % 9}:\n" for k in range(n))
    return rules("procedure turn:\n" + nested + "    " * (n + 1) + "nothing\n")


def conditions(n: int) -> Files:
    text = "my.cash"
    for k in range(n):
        text = f"(if red in my.hand then {text} else ${k % 9})"
    return rules(f"value v -> coin: {text}\n" + TURN)


DESIGNS = (
    Many("rules that watch", lines("rule r{k}, whenever round > {d}: raise round by 0\n"), (500, 1_500, 2_500)),
    Many("rules that watch and do nothing", lines("rule r{k}, whenever round > {d}: nothing\n"), (500, 1_500, 3_500)),
    Many("rules before one thing", lines("rule r{k}, before turn: nothing\n"), (500, 1_000, 3_000)),
    Many("rules before each other", lines("rule r{k}, before turn, before rule r{n}: nothing\n"), (500, 1_000, 2_500)),
    Many("rules instead of one thing", lines("rule r{k}, instead of turn when round > {d}: original\n"), (12, 500, 2_500)),
    Many("windows", below("", "window w{k} during turn when round > {d}:\n    option o{k}: nothing\n", MENU), (500, 1_000, 2_300)),
    Many("windows in menus", windows_in_menus, (300, 1_000, 3_000)),
    Many("options", in_turn('        option o{k} "O" when round > {d}: raise round by 0\n', MENU), (500, 1_500, 4_000)),
    Many("options added", below(MENU, "add to menu actions:\n    option o{k}: nothing\n", ""), (500, 1_500, 3_000)),
    Many("limits of an option", below(MENU, LIMIT, ""), (100, 500, 3_000)),
    Many("grids", grids, (100, 500, 2_000)),
    Many("one grid", grid, (31, 60, 1_000)),
    Many("ways through a grid", ways_through_a_grid, (100, 400, 1_000)),
    Many("connections", connections, (30, 60, 110)),
    Many("products of sorts", products, (20, 44, 300)),
    Many("powers of sorts", powers, (3, 6, 20)),
    Many("options by sorts", options_by_sorts, (200, 600, 1_900)),
    Many("a wide table", wide_table, (40, 90, 140)),
    Many("tables by names", tables_by_names, (100, 300, 900)),
    Many("variants after each other", variants("after: [{others}]\nrules: |\n  rule r, before turn: nothing\n", names_before), (16, 32, 64)),
    Many("variants that exclude each other", variants("excludes: [{others}]\n", names_before), (16, 32, 64)),
    Many("replacements of one thing", variants(TWICE, names_before), (8, 32, 64)),
    Many("ways to set it up", ways_to_set_up, (4, 30, 64)),
    Many("tells", in_turn('    tell "{me} has {my.cash} in {round}"\n'), (500, 2_000, 5_000)),
    Many("records", in_turn('    record "price{k}" my.cash for me\n'), (500, 2_000, 6_000)),
    Many("races", in_turn(RACE), (60, 120, 900)),
    Many("secret questions", in_turn('    each s in seats secretly:\n        choose bid{k} from 0 to 3 "Bid"\n    reveal bid{k}\n'), (100, 500, 900)),
    Many("names", in_turn("    let a{n} = round + {k}\n"), (500, 1_000, 3_000)),
    Many("zones", below(SEAT, "    zone z{k} of gem, hidden from others\n"), (500, 1_000, 3_000)),
    Many("blocks in blocks", blocks, (20, 60, 90)),
    Many("conditions in conditions", conditions, (8, 20, 31)),
    Many("broken sentences", in_turn("    x )\n"), (2_000, 8_000, 25_000)),
    Many("broken items", lines("value v{k} )\n"), (2_000, 8_000, 16_000)),
    Many("odd characters", in_turn("    set round to ?{k}\n"), (1_000, 3_000, 10_000)),
    Many("odd indents", in_turn("    raise round by 1\n       raise round by 1\n"), (1_000, 3_000, 5_000)),
    Many("missing colons", in_turn("    if round > 3\n        raise round by 1\n"), (1_000, 3_000, 5_000)),
    Many("broken options", in_turn("        option o{k} when: nothing\n", "procedure turn:\n    menu actions:\n"), (1_000, 3_000, 6_000)),
    Many("unknown names", in_turn("    set round to unknown{k}\n"), (1_000, 3_000, 6_000)),
    Many("names that are nearly right", below("", "value value_{k}: vaule_{k}\n"), (1_000, 3_000, 6_000)),
    Many("numbers that are not there", in_yaml("numbers:\n  rounds: 3\n", "  n{k}: {d} + n_{n}\n"), (500, 1_500, 9_000)),
    Many("keys that are not there", in_yaml("", "unit{k}: 3\n"), (1_000, 5_000, 9_000)),
    Many("the same name again", lines("value v: {k}\n"), (1_000, 3_000, 9_000)),
    Many("another kind than is needed", in_turn("    set round to my.hand\n"), (1_000, 3_000, 6_000)),
)  # fmt: skip
