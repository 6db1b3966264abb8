"""Rulesets that would take a reader's memory or time, each in three sizes, and one of each kind that is just allowed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Files = dict[str, str]


@dataclass(frozen=True)
class Bomb:
    """What it is called, how it is made in a size, its three sizes, what is said of it, and the largest size allowed."""

    name: str
    make: Callable[[int], Files]
    sizes: tuple[int, int, int]
    words: tuple[str, ...]  # one of them is said
    allowed: int
    played: bool = False  # it goes off only when it is played


LUCKY = """\
seat:
    purse cash: coin start 5
    zone hand of gem, hidden from others
    counter luck: 0 .. 10 start 9

"""


def game(text: str) -> Files:
    return {"game.yaml": text}


def rules(text: str) -> Files:
    return {"play.rules": text}


def alias(n: int) -> Files:
    lines = ["x0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]" if n else "x0: 1"]
    lines += [f"x{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]" for k in range(1, n)]
    return game("title: Bomb\nnumbers:\n  rounds: 3\n" + "".join(f"  {line}\n" for line in lines))


def merge(n: int) -> Files:
    lines = ["m0: 1"] if not n else ["m0: &m0 {a: 1}"] + [f"m{k}: &m{k} {{<<: [*m{k - 1}, *m{k - 1}]}}" for k in range(1, n)]
    return game("numbers:\n  rounds: 3\n" + "".join(f"  {line}\n" for line in lines))


def depth(n: int) -> Files:
    """A table with one entry, in maps within maps; the file, the tables and this one are three more."""
    inner = n - 3
    index, values = ", ".join(["seats"] * inner), "{2: " * inner + "5" + "}" * inner
    return game(f"tables: {{deep: {{index: [{index}], values: {values}}}}}\n")


def width(n: int) -> Files:
    """So many keys and values besides those of the small game."""
    return game("sorts:\n  many:\n" + "".join(f"  - a{k}\n" for k in range(n)))


def scalar(n: int) -> Files:
    return game("title: " + "x" * n + "\n")


def file(n: int) -> Files:
    """A file of exactly so many bytes, which are all remarks but for a few."""
    text = "value one -> number: 1\n"
    return rules(text + "#" + "x" * (n - len(text) - 2) + "\n")


def constants(n: int) -> Files:
    """Each number is the one before it, squared."""
    lines = [f"  a{k}: a{k - 1} * a{k - 1}\n" for k in range(1, n)]
    return game("numbers:\n  rounds: 3\n  a0: 2\n" + "".join(lines))


def products(n: int) -> Files:
    return rules("value large -> number: " + " * ".join(["10"] * n) + "\n\nprocedure turn:\n    gain (large * 0) coins from bank\n")


def squares(n: int) -> Files:
    """It is squared while it is played."""
    return rules(f"procedure turn:\n    remember x: number = 2\n    repeat {n} times: set x to x * x\n    gain (x * 0) coins from bank\n")


def doubles(n: int) -> Files:
    return rules(f"procedure turn:\n    repeat {n} times: gain my.cash from bank\n")


def braces(n: int) -> Files:
    return rules("procedure turn:\n" + ('    tell "' + "{me}" * 900 + '"\n') * n + "    raise round by 1\n")


def cycle(n: int) -> Files:
    circle = n if n > 0 else -n
    last = "v0" if n > 0 else "1"
    lines = [f"value v{k}: 1 + {f'v{k + 1}' if k + 1 < circle else last}\n" for k in range(circle)]
    return rules("".join(lines) + "\nprocedure turn:\n    set round to v0 * 0 + 1\n")


def procedures(n: int) -> Files:
    count = n if n > 0 else -n
    last = "p0" if n > 0 else "nothing"
    lines = [f"procedure p{k}:\n    {f'p{k + 1}' if k + 1 < count else last}\n\n" for k in range(count)]
    return rules("".join(lines) + "procedure turn:\n    p0\n")


def quantifiers(n: int) -> Files:
    """Sums in sums, over fixed numbers."""
    text = "1"
    for k in range(n):
        text = f"sum of ({text} for n{k} in 1 .. 300)"
    return rules(f"value work -> number: {text}\n\nprocedure turn:\n    set round to min(1, work)\n")


def seen_quantifiers(n: int) -> Files:
    """Sums in sums, over what is known only in play."""
    text = "1"
    for k in range(n):
        text = f"sum of ({text} for n{k} in 1 .. 10 * my.luck)"
    return rules(f"{LUCKY}value work -> number: {text}\n\nprocedure turn:\n    set round to min(1, work)\n")


def choices(n: int) -> Files:
    """Options over several numbers, with a guard."""
    binders = ", ".join(f"n{k} in 1 .. 100" for k in range(n))
    return rules(f"procedure turn:\n    menu actions:\n        option dig for {binders} when round >= 0: raise round by 1\n"
                 "        option rest: nothing\n")  # fmt: skip


def loop(n: int) -> Files:
    return rules(f"procedure turn:\n    repeat {n} times: gain 1 coin from bank\n")


def loops(n: int) -> Files:
    """Loops in loops, as often as somebody is lucky."""
    text, indent = "", "    "
    for _ in range(n):
        text += f"{indent}repeat 500 * my.luck times:\n"
        indent += "    "
    return rules(f"{LUCKY}procedure turn:\n{text}{indent}gain 1 coin from bank\n")


def inside(n: int) -> Files:
    """Loops inside of each other; each has nothing but the next."""
    text = "".join("    " * (k + 1) + f"for each s{k} in seats where s{k}.cash > $9:\n" for k in range(n))
    return rules(f"procedure turn:\n{text}{'    ' * (n + 1)}raise round by 1\n")


def watching(n: int) -> Files:
    return rules("".join(f"rule r{k}, whenever round > {k}: raise round by 0\n" for k in range(n)) + "\nprocedure turn: nothing\n")


def phases(n: int) -> Files:
    """Questions with one answer, which nobody is asked."""
    return rules(f"procedure turn:\n    repeat {n} times:\n        menu actions:\n            option rest: nothing\n")


def pieces(n: int) -> Files:
    return game(f"pieces: {{gem: {{sorts: [red, green], count: {n // 2}, in: bag}}}}\n")


def persons(n: int) -> Files:
    """Pieces that exist one by one, a thousand of each sort."""
    sorts = ", ".join(["red", "green", *(f"g{k}" for k in range(2, max(2, n // 1000)))])
    return game(f"pieces: {{gem: {{individual: true, sorts: [{sorts}], count: {min(n // 2, 1000)}, in: bag}}}}\n")


def places(n: int) -> Files:
    """A counter with an index for each of so many sorts, twice."""
    sorts = ", ".join(f"a{k}" for k in range(n))
    table = "table:\n    purse bank: coin, unlimited\n    zone bag of gem, face down\n    zone heap of gem\n    counter round: 0 .. 9\n"
    return game(f"sorts: {{x: [{sorts}]}}\n") | rules(table + "    counter seen(a: x, b: x): 0 .. 1\n")


def combos(n: int) -> Files:
    """So many out of forty different ones."""
    sorts = ", ".join(["red", "green", *(f"g{k}" for k in range(2, 40))])
    return game(f"pieces: {{gem: {{sorts: [{sorts}], count: 6, in: heap}}}}\n") | rules(
        "setup:\n    for each s in seats: draw 2 gem from heap to s.hand\n\n"
        "table:\n    purse bank: coin, unlimited\n    zone heap of gem\n    zone dust of gem\n    counter round: 0 .. 9\n\n"
        f"procedure turn:\n    menu actions:\n        option burn costs {n} of heap to dust: raise round by 1\n        option rest: nothing\n"
    )


def bags(n: int) -> Files:
    """Lots of different shapes, which are worth something, out of so many sorts."""
    sorts = ", ".join(f"g{k}: {{shape: {k}, face: {2**k % 9973}}}" for k in range(n))
    return game(f"pieces: {{gem: {{sorts: {{red: {{shape: 98, face: 1}}, green: {{shape: 99, face: 2}}, {sorts}}}, count: 2, in: heap}}}}\n") | rules(  # noqa: E501
        "setup:\n    for each s in seats: draw 2 gem from heap to s.hand\n\n"
        "table:\n    purse bank: coin, unlimited\n    zone heap of gem\n    zone dust of gem\n    counter round: 0 .. 9\n\n"
        "value worth(n: number, g: gem) -> number: n * g.face\n\n"
        "procedure turn:\n    choose some lot from heap, all different by shape, worth at least 30000 by worth \"Which?\":\n"
        "        move lot to dust\n    else: nothing\n"
    )  # fmt: skip


def questions(n: int) -> Files:
    """Many that are asked one after the other, each if something is so."""
    return rules("procedure turn:\n" + "".join(f'    if round > {9 if k else 0}:\n        choose n{k} from 0 to 3 "How?"\n' for k in range(n)))


def tells(n: int) -> Files:
    """Chance is asked so often that its log would fill books."""
    return rules(f"procedure turn:\n    repeat {n} times:\n        roll d from 1 to 6\n        if d > 7: raise round by 1\n")


BOMBS = (
    Bomb("aliases", alias, (3, 9, 300), ("E009",), 0),
    Bomb("merge keys", merge, (3, 10, 300), ("E010",), 0),
    Bomb("depth", depth, (33, 1_000, 9_000), ("E014",), 32),
    Bomb("width", width, (20_000, 25_000, 40_000), ("E015", "E002", "E026"), 900),
    Bomb("long texts", scalar, (4_097, 60_000, 250_000), ("E016",), 4_096),
    Bomb("large files", file, (262_145, 1_000_000, 20_000_000), ("E002", "E026"), 190_000),  # beside the other files
    Bomb("growing constants", constants, (7, 25, 60), ("E204",), 6),
    Bomb("large products", products, (13, 100, 400), ("E204",), 12),
    Bomb("squares in play", squares, (6, 25, 60), ("a number becomes too large here",), 5, played=True),
    Bomb("doubled money", doubles, (40, 60, 5_000), ("a number becomes too large here",), 9, played=True),
    Bomb("words with holes", braces, (17, 30, 45), ("15,000 are the most",), 16),
    Bomb("values in a circle", cycle, (2, 50, 400), ("E501", "E204"), -60),
    Bomb("procedures in a circle", procedures, (2, 50, 400), ("E505", "E204"), -60),
    Bomb("sums in sums", quantifiers, (3, 4, 9), ("E528",), 1),
    Bomb("sums in sums, in play", seen_quantifiers, (6, 7, 9), ("more than 100,000 steps",), 2, played=True),
    Bomb("choices of choices", choices, (2, 3, 6), ("answers; 5,000 are the most", "more than 100,000 steps"), 1, played=True),
    Bomb("a long loop", loop, (100_001, 10**9, 10**12 - 1), ("E528",), 80_000),
    Bomb("loops in loops", loops, (3, 4, 8), ("more than 100,000 steps",), 1, played=True),
    Bomb("loops inside of each other", inside, (21, 26, 31), ("E204",), 16),
    Bomb("rules that watch in a row", watching, (1_501, 4_000, 9_000), ("E529", "E026"), 1_500),
    Bomb("questions with one answer", phases, (60_000, 10**6, 10**12 - 1), ("does not come to an end",), 500, played=True),
    Bomb("many questions", questions, (1_001, 2_000, 4_000), ("E529",), 300),
    Bomb("many pieces", pieces, (10_002, 20_000, 10**12), ("E529", "E106"), 10_000),
    Bomb("many persons", persons, (12_000, 100_000, 2_000_000), ("E529",), 2_000),
    Bomb("a large state", places, (363, 2_000, 9_000), ("E529",), 300),
    Bomb("ways to pay", combos, (4, 6, 8), ("ways to take",), 2, played=True),
    Bomb("lots of lots", bags, (20, 24, 60), ("lots to choose from",), 4, played=True),
    Bomb("long logs", tells, (100_001, 10**7, 10**12 - 1), ("E528",), 9_000),
)
