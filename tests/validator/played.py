"""Designs against whoever plays: each part of a rule takes few steps, and there are very many parts, looks, answers or bots."""

from __future__ import annotations

from tests.validator.bombs import Files, game, rules
from tests.validator.latest import PLAYED, Latest, on_grid

LUCK = "seat:\n    purse cash: coin start 5\n    zone hand of gem, hidden from others\n    counter luck: 0 .. 1000000 start 9\n\n"
MENU = "procedure turn:\n    menu actions:\n{options}        option rest: nothing\n"
ALONE = """\
play:
    repeat 9000 times: turns_of

procedure turns_of:
    take one turn each from seat(2): turn

procedure turn:
    if me is seat(2):
"""
SHORT = (("play", "{}", "--bots", "1", "--seed", "1"), ("play", "{}", "--bots", "searcher:3", "--seed", "1"))


def nest(indent: int, many: int) -> str:
    """Loops of 90,000 passes, one after the other: each by itself is allowed."""
    space = " " * indent
    return many * f"{space}repeat 300 times:\n{space}    repeat 300 times: raise my.luck by 0\n"


def of_luck(text: str) -> Files:
    return rules(LUCK + text)


def menu(*options: str) -> str:
    return MENU.replace("{options}", "".join(f"        option {option}\n" for option in options))


def loops_in_an_option(n: int) -> Files:
    return of_luck(PLAYED.replace("{body}", nest(12, n)))


def loops_before_a_question(n: int) -> Files:
    return of_luck("procedure turn:\n" + nest(4, n) + menu("go: nothing").partition("\n")[2])


def guards(n: int) -> Files:
    return of_luck(menu(*(f"go{k} when (sum of (a * b * my.luck for a in 1 .. 300, b in 1 .. 300)) > {k}: nothing" for k in range(n))))


def trials(n: int) -> Files:
    body = "            if my.luck > 3:\n                repeat 50 times:\n                    repeat 20 times: raise my.luck by 1\n"
    return of_luck(menu(f'go for k in 1 .. {n}:\n{body}            require my.luck > k, else "no"'))


def long_guards(n: int) -> Files:
    """What is said of each of many is as long as a sentence may be."""
    long = " + ".join(["a * my.luck"] * n)
    return of_luck(menu(f"go when (sum of ({long} for a in 1 .. 90000)) > 5: nothing"))


def long_loops(n: int) -> Files:
    return of_luck(PLAYED.replace("{body}", "            repeat my.luck * 9000 times:\n" + "                raise my.luck by 0\n" * n))


def searches(n: int) -> Files:
    return on_grid(menu(f"go for c in cells when (shortest way from c to cell(1) else 99) > {n}: mark c.used"))


def searches_in_an_option(n: int) -> Files:
    tried = f"            if count of (connected to c through m where not m.used) > {n}: mark c.used\n"
    return on_grid(menu(f'go for c in cells:\n{tried}            require not c.used, else "no"'))


def weights(n: int) -> Files:
    """Each wish means all answers, and is worth something else for each."""
    wishes = "".join(f'    prefer "go/{{a}}" for a in 1 .. 4000 by a * {k}\n' for k in range(n))
    return rules(f"policy odd:\n{wishes}\n" + menu("go for k in 1 .. 4000: nothing"))


def starry_wishes(n: int) -> Files:
    wishes = "".join(f'    prefer "g*o/{{a}}" for a in 1 .. 9 by {k}\n' for k in range(n))
    return rules(f"policy odd:\n{wishes}\n" + menu("go for k in 1 .. 4000: nothing"))


def bots_for_ever(n: int) -> Files:
    return of_luck(ALONE + f"        repeat 90 times:\n            menu actions:\n                option go for k in 1 .. {n}: raise my.luck by 1\n"
                   "                option rest: nothing\n")  # fmt: skip


def chance(n: int) -> Files:
    body = f"            repeat {n} times:\n                roll d from 1 to 6\n                if d > 7: raise my.luck by 1\n"
    return of_luck(PLAYED.replace("{body}", body))


def shuffles(n: int) -> Files:
    pieces = "pieces: {gem: {individual: true, sorts: [red, green], count: 900, in: bag}}\n"
    table = "table:\n    purse bank: coin, unlimited\n    zone bag of gem, ordered, face down\n    zone heap of gem\n    counter round: 0 .. 9\n\n"
    return game(pieces) | rules(table + PLAYED.replace("{body}", f"            repeat {n} times: shuffle bag\n"))


def outlooks(n: int) -> Files:
    return of_luck(f"value outlook(s: seat): sum of (a * s.luck for a in 1 .. {n})\n\n" + menu("go for k in 1 .. 4000: raise my.luck by k"))


def watched(n: int) -> Files:
    watch = "rule w, whenever (sum of (a * seat(1).luck for a in 1 .. 80)) < 0: nothing\n"
    return of_luck(watch + PLAYED.replace("{body}", f"            if my.luck > 3:\n                repeat {n} times: raise my.luck by 1\n"))


GREEDY = (("play", "{}", "--bots", "greedy", "--seed", "1"),)
PLAYING = (
    Latest("loops in an option", loops_in_an_option, (2, 20, 1_900), SHORT),
    Latest("loops before a question", loops_before_a_question, (2, 20, 1_900), SHORT),
    Latest("guards that look at much", guards, (2, 30, 900)),
    Latest("options that are tried", trials, (40, 4_000, 4_900), SHORT),
    Latest("long guards", long_guards, (2, 20, 400)),
    Latest("loops around much", long_loops, (2, 90, 4_000), SHORT),
    Latest("searches of a question", searches, (1, 3, 9)),
    Latest("searches of options that are tried", searches_in_an_option, (1, 3, 9)),
    Latest("weights for each answer", weights, (9, 1_900, 2_500)),
    Latest("wishes with stars", starry_wishes, (9, 300, 3_000)),
    Latest("bots that play for ever", bots_for_ever, (9, 400, 4_900)),
    Latest("chance without end", chance, (90, 9_000, 90_000), SHORT),
    Latest("piles that are shuffled", shuffles, (9, 900, 90_000)),
    Latest("outlooks that look at much", outlooks, (9, 900, 90_000), GREEDY),
    Latest("rules that look often", watched, (90, 9_000, 90_000), GREEDY),
)  # fmt: skip
