"""Designs against what is followed, imagined, reset, shown and printed: conditions of their own, large positions, a shelf of one's own,
bundles, figures under `show`, languages, scenarios with chance, and the commands that print. Each in three sizes."""

from __future__ import annotations

from tests.validator.bombs import Files, game, rules
from tests.validator.latest import PLAYED, SCENARIO, TESTED, Latest
from tests.validator.many import MENU, TURN, repeated

COINS = "seat:\n    purse cash: coin start 5\n    zone hand of gem, hidden from others\n"
TABLE = "table:\n    purse bank: coin, unlimited\n    zone bag of gem, face down\n    zone heap of gem\n    counter round: 0 .. 9\n"


def counters(n: int, words: str = "") -> str:
    return COINS + repeated("    counter c{k}: 0 .. 9" + words + "\n", n) + "\n"


def in_go(body: str) -> str:
    return PLAYED.replace("{body}", "".join(f"            {line}\n" for line in body.splitlines()))


# --- what is followed of the rules


def on_conditions_of_their_own(n: int) -> Files:
    """Each performs the next twice, once on a condition that no other has."""
    chain = "".join(f"procedure p{k}:\n    if my.c{k} > 3:\n        p{k - 1}\n    p{k - 1}\n\n" for k in range(n - 1, 0, -1))
    chain += "procedure p0: raise my.c0 by 1\n\n"
    return rules(counters(n, ", hidden from others") + chain + in_go(f'p{n - 1}\nrequire my.c0 > 3, else "no"'))


def long_under_conditions(n: int) -> Files:
    long = "procedure long:\n" + repeated("    raise my.c{d} by 0\n", n) + "\n"
    return rules(counters(10, ", hidden from others") + long + in_go(repeated("if my.c{d} > {k}: long\n", n) + 'require my.c0 > 3, else "no"'))


def changes_and_demands(n: int) -> Files:
    body = repeated('set my.c{k} to my.c{n} + my.c0\nrequire my.c{k} > 0, else "no"\n', n)
    return rules(counters(n + 1, ", hidden from others") + in_go(body))


def revealed(n: int) -> Files:
    body = repeated("reveal my.c{k}\n", n) + repeated("raise round by 0\n", n)
    return rules(counters(n, ", hidden from others") + in_go(body))


def secret_after_secret(n: int) -> Files:
    block = '    each s in seats secretly:\n        choose bid{k} from 0 to 3 "Bid"\n        set s.c{k} to bid{k}\n    reveal bid{k}\n'
    return rules(counters(n) + "procedure turn:\n" + repeated(block, n))


# --- large positions


def wide(text: str, n: int, words: str = "", rows: int = 300) -> Files:
    sorts = ", ".join(f"a{k}" for k in range(rows))
    return game(f"sorts: {{x: [{sorts}]}}\n") | rules(TABLE + f"    counter seen(a: x, b: x): 0 .. 9{words}\n\n" + text)


def resets(n: int) -> Files:
    return wide(f"procedure turn:\n    repeat {n} times: short\n\nprocedure short: set seen(a1, a2) to 3\n", n, ", resets each short")


def tried_at_large(n: int) -> Files:
    option = f'go for k in 1 .. {n}:\n            raise seen(a1, a2) by 1\n            require seen(a1, a2) > 8, else "no"\n'
    return wide(MENU.replace("option rest", f"option {option}        option rest"), n)


def bots_at_large(n: int) -> Files:
    option = f"go for k in 1 .. {n}: raise seen(a1, a2) by 0\n"
    return wide(MENU.replace("option rest", f"option {option}        option rest"), n)


def told_at_large(n: int) -> Files:
    things = "things: {lot: {count: 300}}\n"
    kind = "kind lot is thing:\n    counter seen(a: lot): 0 .. 9\n\n"
    return game(things) | rules(kind + in_go(f"for each p in lots:\n    for each q in lots: raise p.seen(q) by {n % 2}"))


# --- the shelf of one's own, bundles, figures


def own_shelf(n: int) -> Files:
    """Each pattern uses the one before it twice."""
    chain = "".join(
        f"pattern p{k}(fee: number):\n    use p{k - 1}(fee: fee) as left\n    use p{k - 1}(fee: fee + 1) as right\n\n" for k in range(n, 0, -1)
    )
    return {"library/own.rules": chain + "pattern p0(fee: number):\n    value due: fee\n"} | rules(f"use own.p{n}(fee: 1) as dues\n" + TURN)


def bundles(n: int) -> Files:
    sorts = ", ".join(f"g{'x' * (k % 9)}{k}" for k in range(n))
    pieces = f"pieces: {{gem: {{sorts: [red, green, {sorts}], count: 3, in: heap}}}}\n"
    answers = "+".join(f"1 g{'x' * (k % 9)}{k}" for k in range(min(n, 300)))
    scenario = SCENARIO + f"when: ['lot/{answers}']\nthen: [round = 0]\n"
    text = "procedure turn:\n    choose some lot from heap \"Which?\":\n        move lot to dust\n    else: nothing\n"
    setup = "setup:\n    for each s in seats: draw 2 gem from heap to s.hand\n\n"
    table = TABLE.replace("zone bag of gem, face down", "zone dust of gem") + "\n"
    return game(pieces) | {"scenarios/s.scenario.yaml": scenario} | rules(setup + table + text)


THINGS = "kind lot is thing:\n    counter worth: 0 .. 900 start 5\n\n"


def figures(n: int) -> Files:
    """What is shown of each thing is worked out of all others."""
    values = repeated("value v{k}(l: lot): sum of (m.worth * l.worth + {k} for m in lots)\n", n)
    shown = ", ".join(f"v{k}" for k in range(n))
    look = f"look: 1\nsections:\n  lot: {{as: table, show: [{shown}]}}\n"
    return game("things: {lot: {count: 900}}\n") | {"look.yaml": look} | rules(THINGS + values + "\n" + MENU)


def figures_in_labels(n: int) -> Files:
    value = "value v(l: lot): sum of (m.worth * l.worth for m in lots)\n"
    menu = MENU.replace("option rest", 'option go "Take {l}" for l in lots: nothing\n        option rest')
    return game(f"things: {{lot: {{count: {n}}}}}\n") | {"look.yaml": "look: 1\nsections:\n  lot: {show: [v]}\n"} | rules(THINGS + value + menu)


# --- texts, scenarios, presets, modules


def languages(n: int) -> Files:
    names = [f"{chr(97 + k // 26 % 26)}{chr(97 + k % 26)}" for k in range(min(n, 676))]
    texts = {f"texts/{name}.yaml": "title: T\nname.red: x\n" for name in names}
    return texts | rules(repeated("procedure p{k}:\n    menu m{k}:\n        option o{k} \"O\": nothing\n", 300) + TURN)


def chances(n: int) -> Files:
    rolled = ", ".join(["first/1"] * n)
    one = f"{SCENARIO}chance: [{rolled}]\nwhen: [go]\n"
    scenarios = {f"scenarios/s{k}.scenario.yaml": one.replace("R-1", f"R-{k}") for k in range(9)}
    return scenarios | rules(in_go("repeat 90 times:\n    roll d from 1 to 6\n    if d > 7: raise round by 1"))


def heavy_expectations(n: int) -> Files:
    heavy = "(sum of (a * b + seat(1).c0 for a in 1 .. 300, b in 1 .. 300)) = 1"
    sees = "sees: {1: {" + ", ".join(f"my.c{k}: 0" for k in range(9)) + "}}\n"
    one = SCENARIO + f"play: [{{until: '{heavy}'}}]\nthen: ['{heavy}', '{heavy}']\n" + sees
    return {f"scenarios/s{k}.scenario.yaml": one.replace("R-1", f"R-{k}") for k in range(n)} | rules(counters(9) + MENU)


def presets_of_long_rules(n: int) -> Files:
    presets = {f"configs/c{k}.yaml": f"configuration: 1\ntitle: C\nseats: {2 + k % 3}\n" for k in range(min(n, 64))}
    return presets | rules(repeated("value v{k}: 1 + 2 * {k}\n", 6_000) + TURN)


def presets_of_short_rules(n: int) -> Files:
    """Little text, and many sentences in it."""
    presets = {f"configs/c{k}.yaml": f"configuration: 1\ntitle: C\nseats: {2 + k % 3}\n" for k in range(n)}
    short = "procedure p{k}:\n    if round > {d}: raise round by 1\n    if round > 1:\n        raise round by 1\n"
    return presets | rules(repeated(short, 1_700) + TURN)


def modules_for_each_other(n: int) -> Files:
    """Each needs all before it, and is read with them."""
    files: dict[str, str] = {}
    for k in range(n):
        needs = ", ".join(f"m{j}" for j in range(k))
        files[f"modules/m{k}/module.yaml"] = f"module: m{k}\ntitle: M\nneeds: [{needs}]\n"
        files[f"modules/m{k}/m.rules"] = f"rule r{k}, before turn: nothing\n"
    return files | rules(TURN)


# --- commands that print, compare, rate and change rules


def very_many_pieces(n: int) -> Files:
    sorts = ", ".join(["red", "green", *(f"g{k}" for k in range(n))])
    return game(f"pieces: {{gem: {{sorts: [{sorts}], count: 10, in: bag}}}}\n")


def long_book(n: int) -> Files:
    return rules(repeated('procedure p{k}:\n    "What {k} *is* [about](javascript:x) <script>."\n    if round > {d}: raise round by 0\n\n', n) + MENU)


def changed_in_many_places(n: int) -> Files:
    variant = "variant: other\ntitle: O\nrules: |\n" + repeated("  replace value v{k}: {k} + 2\n", n)
    return {"variants/other.yaml": variant} | rules(repeated("value v{k}: {k} + 1\n", n) + MENU)


def mutable(n: int) -> Files:
    scenario = SCENARIO + "when: [rest]\nthen: [round >= 1]\n"
    return {"scenarios/s.scenario.yaml": scenario} | rules(repeated("value v{k}: {k} + round * 3 - 2\n", n) + MENU)


def numbers_to_tune(n: int) -> Files:
    return game(f"options: {{m: {{from: 0, to: {10**12 - 1}, otherwise: 5}}}}\n") | rules(
        COINS + "    counter luck: 0 .. 9 start 9\n\n" + in_go(f"repeat my.luck * {n} times: raise my.luck by 0")
    )


THINKING = (("play", "{}", "--bots", "greedy", "--seed", "1"), ("play", "{}", "--bots", "searcher:3", "--seed", "1"))
PRINTED = (("rulebook", "{}", "--out", "{}/../rules.html"), ("draw", "{}", "--out", "{}/../drawn"))
ON_PAPER = (("draw", "{}", "--paper", "--out", "{}/../paper"), *PRINTED)
OTHER = (("diff", "{}", "--variant", "other"), ("diff", "{}", "{}"))
RATED = (("rate", "{}", "--players", "searcher:2,greedy", "--games", "1", "--jobs", "1"),)
CHANGED = (("mutate", "{}", "--most", "1", "--jobs", "1"),)
TUNED = (("tune", "{}", "--change", "m", "--to", "0..999999999999", "--want", "decisions=5", "--games", "1", "--jobs", "1"),)
SHOWN = (("info", "{}", "--rule", "turn", "--stage", "c"), ("info", "{}", "--format", "json"))

NEWEST = (
    Latest("conditions of their own", on_conditions_of_their_own, (8, 15, 60)),
    Latest("long rules under conditions", long_under_conditions, (9, 200, 2_000)),
    Latest("changes and demands", changes_and_demands, (9, 200, 1_200)),
    Latest("what is revealed one by one", revealed, (9, 300, 1_600)),
    Latest("secret after secret", secret_after_secret, (9, 100, 900)),
    Latest("resets of very much", resets, (9, 900, 90_000)),
    Latest("options that are tried where there is much", tried_at_large, (9, 900, 4_900), THINKING),
    Latest("bots where there is much", bots_at_large, (9, 900, 4_900), THINKING),
    Latest("very much that changes", told_at_large, (1, 2, 3), THINKING),
    Latest("a shelf of one's own", own_shelf, (3, 9, 60)),
    Latest("bundles of very many", bundles, (9, 90, 900), TESTED),
    Latest("figures of each thing", figures, (1, 9, 200)),
    Latest("figures beside answers", figures_in_labels, (9, 300, 900)),
    Latest("very many languages", languages, (2, 60, 600)),
    Latest("chance that is told", chances, (9, 900, 9_000), TESTED),
    Latest("scenarios that expect much", heavy_expectations, (1, 30, 900), TESTED),
    Latest("presets of long rules", presets_of_long_rules, (2, 20, 64)),
    Latest("presets of short rules", presets_of_short_rules, (9, 64)),
    Latest("modules for each other", modules_for_each_other, (3, 20, 64)),
    Latest("very many cards on paper", very_many_pieces, (9, 250, 990), ON_PAPER),
    Latest("a long book", long_book, (9, 300, 1_500), PRINTED),
    Latest("changed in many places", changed_in_many_places, (9, 300, 1_900), OTHER),
    Latest("rules that are changed", mutable, (9, 300, 5_000), CHANGED),
    Latest("numbers to tune", numbers_to_tune, (1, 900, 9_000), (*TUNED, *SHOWN)),
    Latest("players who are rated", numbers_to_tune, (2, 900, 9_000), RATED),
)
