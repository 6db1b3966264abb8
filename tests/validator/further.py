"""Designs against what is done once more for each of many: ways to set a game up in which much comes of little text, players' builds with
marks, languages of modules, lines that are alike. Each in three sizes."""

from __future__ import annotations

from tests.validator.bombs import Files, game, rules
from tests.validator.latest import FORMATTED, SCENARIO, TESTED, Latest, on_grid
from tests.validator.many import MENU, TURN, repeated
from tests.validator.newest import OTHER, PRINTED, on_conditions_of_their_own
from tests.validator.played import guards, loops_in_an_option, menu

PLAYED = {"scenarios/s.scenario.yaml": SCENARIO + "play: [rest]\nthen: [round >= 0]\n"}


def modules(n: int, more: str = "") -> Files:
    """`{k}` is the number of each, `{o}` that of the one it is paired with."""
    text = "module: m{k}\ntitle: M\n" + more
    return {f"modules/m{k}/module.yaml": text.replace("{k}", str(k)).replace("{o}", str(k ^ 1)) for k in range(n)}


def shelf(n: int) -> Files:
    return rules(repeated("use auctions.english(purse: cash, supply: bank, steps: 1 coin) as a{k}\n", n) + TURN)


def shelf_in_many_ways(n: int) -> Files:
    return shelf(n) | modules(60)


def shelf_in_many_presets(n: int) -> Files:
    return shelf(n) | {f"configs/c{k}.yaml": f"configuration: 1\ntitle: C\nseats: {2 + k % 3}\n" for k in range(60)}


def conditions_in_many_ways(n: int) -> Files:
    return on_conditions_of_their_own(n) | modules(60)


def in_a_tangle(n: int) -> Files:
    """Each needs two others, and does not go with a third."""
    said = "module: m{k}\ntitle: M\nneeds: [m{a}, m{b}]\nexcludes: [m{c}]\n"
    return rules(TURN) | {
        f"modules/m{k}/module.yaml": said.format(k=k, a=(k + 1) % n, b=(7 * k + 3) % n, c=(5 * k + 11) % n) for k in range(n)
    }


def languages_of_modules(n: int) -> Files:
    names = [f"{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(min(n, 28))]
    texts = {f"modules/m{k}/texts/{name}.yaml": "name.red: x\n" for k in range(60) for name in names}
    return modules(60) | texts | rules(TURN)


def lines_that_are_alike(n: int) -> Files:
    return rules(repeated("procedure p{k}:\n    raise   round by 1\n\n", n) + MENU)


def the_same_lines(n: int) -> Files:
    lines = "gain 1 coin from bank", "raise round by 1"
    here, there = (f"    {one}\n    {two}\n" * n for one, two in (lines, lines[::-1]))
    variant = "variant: other\ntitle: O\nrules: |\n  replace procedure turn:\n" + there.replace("    ", "      ")
    return {"variants/other.yaml": variant} | rules("procedure turn:\n" + here)


def sections(n: int) -> Files:
    shown = "  k{k}: {as: track, at: worth, from: 0, to: 900, show: [worth]}\n"
    kinds = repeated("kind k{k} is thing:\n    counter worth: 0 .. 900 start 5\n", n)
    look = {"look.yaml": "look: 1\nsections:\n" + repeated(shown, n)}
    return look | game("things:\n" + repeated("  k{k}: {count: 3}\n", n)) | rules(kinds + TURN)


def network(n: int) -> Files:
    """The shelf's, on a large map."""
    nodes = repeated("- {id: p{k}, name: P{k}}\n", n)
    roads = "".join(f"- {{between: [p{k}, p{j}], toll: {1 + k * j % 9}}}\n" for k in range(n) for j in range(max(0, k - 9), k))
    rules_ = (
        "kind gate is node:\n    flag open\n\nkind road is edge:\n    field toll: coin = 1 coin\n\n"
        "use networks.connection(city: gate, road: road, toll: toll, purse: cash, supply: bank) as lit\n\n"
        + menu("build for c in gates when not c.lit(me) and lit_fare(me, c) <= my.cash: lit_build(c, 0 coins)")
    )
    things = "map: maps/m.yaml\nthings: {gate: {from: gates}, road: {edges: roads}}\n"
    return {"maps/m.yaml": f"map: {{id: m}}\ngates:\n{nodes}roads:\n{roads}"} | game(things) | rules(rules_)


def outlook_with_ways(n: int) -> Files:
    seen = "connected to cell(1) through m where not m.used"
    outlook = f"value outlook(s: seat): count of ({seen}) * {n} - s.cash / 1 coin\n\n"
    return on_grid(outlook + menu("go for c in cells: mark c.used"))


def holes_in_wishes(n: int) -> Files:
    wish = f'policy odd:\n    prefer "go/{{a}}{{b}}{{c}}" for a in 1 .. {n}, b in 1 .. {n}, c in 1 .. {n} by a\n    prefer "*1*1*1*1*1*1*" by 1\n\n'
    return rules(wish + menu("go for k in 1 .. 4000: nothing"))


def markup(n: int) -> Files:
    """Words that would be markup of a page, of a book, of a picture."""
    words = '#read(\\"/etc/passwd\\") <img src=x onerror=alert(1)> \\\\ ' * n
    said = f'procedure turn:\n    "{words}"\n    menu actions:\n        option rest "<script>": nothing\n'
    return game(f'title: "{words}"\n') | {"look.yaml": 'look: 1\nglyphs: {red: "<&"}\n'} | rules(said)


def library_with_our_names(n: int) -> Files:
    """A shelf of one's own in the place of ours, which uses itself; and one more in each module."""
    own = {f"modules/m{k}/library/auctions.rules": "pattern english():\n    value x: 1\n" for k in range(n)}
    again = "pattern english(purse: number):\n    use english(purse: purse) as more\n"
    return modules(n) | own | {"library/auctions.rules": again} | rules("use auctions.english(purse: 1) as a\n" + TURN)


COVERED = (("test", "{}", "--coverage", "--playouts", "1"), ("mutate", "{}", "--most", "1", "--jobs", "1"))
COMBINED = (("info", "{}", "--combos"), ("check", "{}", "--all"))
IN_A_LANGUAGE = (("info", "{}", "--lang", "ab"), ("rulebook", "{}", "--lang", "ab", "--out", "{}/../rules.html"))
THINKING = (("play", "{}", "--bots", "searcher:3", "--seed", "1"), ("play", "{}", "--bots", "greedy", "--seed", "1"))

FURTHER = (
    Latest("the shelf", shelf, (9, 100, 300), PRINTED),
    Latest("the shelf in many ways", shelf_in_many_ways, (1, 60, 300), COMBINED),
    Latest("the shelf in many presets", shelf_in_many_presets, (9, 60, 300), TESTED),
    Latest("conditions of their own in many ways", conditions_in_many_ways, (2, 9, 10), COMBINED),
    Latest("modules that exclude each other in pairs", lambda n: modules(n, "excludes: [m{o}]\n") | rules(TURN), (6, 20, 64), COMBINED),
    Latest("modules in a tangle", in_a_tangle, (5, 20, 63), COMBINED),
    Latest("languages of modules", languages_of_modules, (2, 9, 28), IN_A_LANGUAGE),
    Latest("guards that are covered", lambda n: guards(n) | PLAYED, (2, 30, 300), COVERED),
    Latest("loops that are covered", lambda n: loops_in_an_option(n) | PLAYED, (2, 20, 600), COVERED),
    Latest("lines that are alike", lines_that_are_alike, (30, 300, 3_000), FORMATTED),
    Latest("the same lines", the_same_lines, (30, 300, 1_200), OTHER),
    Latest("very many sections", sections, (30, 300, 700), PRINTED),
    Latest("a large network", network, (9, 60, 300), THINKING),
    Latest("outlooks with ways", outlook_with_ways, (1, 2, 3), THINKING),
    Latest("wishes with many holes", holes_in_wishes, (3, 9, 15)),
    Latest("words that would be markup", markup, (1, 9, 30), (*PRINTED, ("rulebook", "{}", "--out", "{}/../rules.pdf"))),
    Latest("a library with our names", library_with_our_names, (1, 9, 64)),
)  # fmt: skip
