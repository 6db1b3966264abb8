"""What `ichiba new` writes: small files that are whole, with a word on what can be changed."""

from __future__ import annotations

import json
from pathlib import Path

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Source
from ichiba.dsl.formatting.formatting import formatted
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.yaml.declarations import Box, PieceDecl
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq
from ichiba.interpreter.strangers import door
from ichiba.table.refusal import Refusal
from ichiba.table.templates.starters import STARTERS
from ichiba.validator.schema.schema import FOLDER, Kinds, file_name
from ichiba.validator.schema.schema import whole_box as whole_box_of

Files = dict[Path, str]


def whole_box(home: Path) -> Box:
    return door.read(home, whole_box_of, home)


def laid_out(path: Path, text: str) -> str:
    """As `ichiba fmt` would leave it; what comes from a ruleset that has faults stays as it is."""
    return formatted(Source(path.name, text), Faults()) or text


def titled(name: str) -> str:
    """`north_market` is called North Market."""
    return name.replace("_", " ").title()


def home_of_schemas(home: Path, part: Path) -> Path:
    """Where an editor finds the schemas of a part of a game: in the game's folder, unless the part lies elsewhere."""
    return home if part.is_relative_to(home) else part


def modeline(path: Path, home: Path, what: str) -> str:
    """The line by which an editor finds the schema of a file."""
    up = "../" * (len(path.relative_to(home).parts) - 1)
    return f"# yaml-language-server: $schema={up}{FOLDER}/{file_name(what)}\n"


# ------------------------------------------------------------------------------------------------------ game


def game(home: Path, name: str, like: str | None = None) -> Files:
    """A whole little game: three stalls whose prices move with every deal, or one of the starters."""
    if home.exists():
        raise Refusal(f"ichiba new: {home} is there already; nothing was written")
    if like is not None:
        return {path: text for part, words in STARTERS[like].items() for path, text in [_started(home, name, part, words)]}
    made = {
        home / "game.yaml": modeline(home / "game.yaml", home, "game")
        + _GAME.replace("NAME", name).replace("TITLE", titled(name)),
        home / f"{name}.rules": _RULES,
        home / "look.yaml": _LOOK,
    }
    for good in ("tea", "rice", "silk"):
        path = home / "boards" / f"{good}_stall.yaml"
        made[path] = modeline(path, home, "stall") + _STALL.replace("GOOD", good).replace("TITLE", good.capitalize())
    path = home / "scenarios" / "prices.scenario.yaml"
    made[path] = modeline(path, home, "scenario") + _PRICES
    return made


def _started(home: Path, name: str, part: str, words: str) -> tuple[Path, str]:
    path = home / part.replace("NAME", name)
    what = {"game.yaml": "game", "first.scenario.yaml": "scenario", "towns.yaml": "map"}.get(path.name)
    head = modeline(path, home, what) if what is not None else ""
    return path, head + words.replace("NAME", name).replace("TITLE", titled(name))


_GAME = """\
game: NAME
language: 2
title: {en: TITLE}
about: {en: "Buy where it is cheap and sell where it is dear; every deal moves a price. Most money after three days wins."}
seats: 2 to 4

units:
  coin: {write: "{} coins", one: "{} coin"}
numbers:
  days: 3
  first_money: {is: 10, unit: coin}
  deals_a_turn: 2

pieces:
  good: {sorts: [tea, rice, silk], count: 8, in: warehouse}
boards: {stall: street}  # where the boards of this kind begin; those in the street are in play
options:
  start_player: {seat: random, title: {en: Start player}}
"""

_RULES = """\
# What there is.

kind stall is board:
    "A stall trades in one good. What is bought there becomes dearer, what is sold there cheaper."
    field trades: good  # what is bought and sold here
    counter price: 1 coin .. 9 coins start 4, stops at the ends
    menu visit

seat:
    purse cash: coin start first_money
    zone store of good

table:
    purse bank: coin, unlimited
    zone warehouse of good
    zone street of stall, in play
    counter day: 0 .. days

# What happens.

play:
    repeat days times: market_day

procedure market_day:
    raise day by 1
    take one turn each from start_player: turn

procedure turn:
    "A few deals, at any stalls."
    menu dealing up to deals_a_turn times, done "Go home":
        "Which stall do you go to?"
        option visit "Go to {m}" for m in street:
            menu m.visit

add to menu visit of stall:
    "Buy or sell?"
    option buy "Buy {board.trades} for {board.price}" when in_stock(board) costs board.price to bank:
        move 1 board.trades from warehouse to my.store
        raise board.price by 1 coin
    option sell "Sell {board.trades} for {board.price - 1 coin}" when board.trades in my.store:
        move 1 board.trades from my.store to warehouse
        gain board.price - 1 coin from bank
        lower board.price by 1 coin

guard in_stock(m: stall) "there is no {m.trades} left": m.trades in warehouse

# Who wins.

scoring:
    score for each seat: score "Money" my.cash

ranking: highest total else shared

conserve good

# How bots play: the weights of all sentences that fit an answer are added up.

policy sensible:
    prefer "visit/{m}" for m in street when m.trades in my.store and (m.price > 5 coins or day = days)
            by number(m.price)
    prefer "visit/{m}" for m in street when not m.trades in my.store and day < days by 7 - number(m.price)
    prefer "sell" when day = days by 9
    prefer "sell" by number(m.price) - 5
    prefer "done" by 2
"""

_LOOK = """\
# How it looks at the table. A price is told even where nobody has moved it yet.
look: 1
sections:
  stall: {as: table, show: [price]}
"""

_STALL = """\
board: GOOD_stall
kind: stall
title: {en: TITLE stall}
trades: GOOD
"""

_PRICES = """\
# `ichiba test` runs these. Nobody has anything to sell at first, so at a stall there is only one answer, `buy`, and an
# only answer is taken without being asked for.
config: {seats: 2, options: {start_player: 1}}
scenarios:
  - scenario: what is bought is paid for, and becomes dearer
    when: [visit/tea_stall]
    then:
      - cash of seat(1) = 6 coins
      - count of tea in seat(1).store = 1
      - tea_stall.price = 5 coins

  - scenario: what is sold becomes cheaper again
    play: [visit/tea_stall]
    when: [visit/tea_stall, sell]
    then:
      - cash of seat(1) = 10 coins
      - tea_stall.price = 4 coins

  - scenario: nobody goes to a stall where they can do nothing
    given: |
      seat(1) pays 7 coins to bank
      move 1 rice from warehouse to seat(1).store
    options: [visit/rice_stall, done]
"""


# ------------------------------------------------------------------------------------- scenario, variant, module


def scenario(home: Path, part: Path, name: str) -> Files:
    """Of the game, or of a module of it, which it switches on."""
    path = part / "scenarios" / f"{name}.scenario.yaml"
    config = f"seats: {whole_box(home).seats[0]}" + (f", modules: [{part.name}]" if part != home else "")
    words = _SCENARIO.replace("CONFIG", config).replace("NAME", name.replace("_", " "))
    return {path: modeline(path, home_of_schemas(home, part), "scenario") + words}


_SCENARIO = """\
scenario: NAME
config: {CONFIG}
# given: |                 statements that set the stage, such as `seat(1) pays ¥5 to bank`
# when: [KEY, 2: KEY]      answers; `ichiba play` shows the keys there are
then:
  - count of seats > 0  # what must hold afterwards, in the words of the rules
"""


def variant(home: Path, name: str) -> Files:
    path = home / "variants" / f"{name}.yaml"
    head = f"variant: {name}\ntitle: {{en: {titled(name)}}}\n"
    return {path: modeline(path, home, "variant") + head + "rules: |\n" + _indented(_edit(home))}


def module(home: Path, folder: Path, name: str) -> Files:
    """In the game's folder, or in one of its own."""
    root = home_of_schemas(home, folder)
    head = f"module: {name}\ntitle: {{en: {titled(name)}}}\nabout: {{en: What this module brings.}}\nfor: {home.name}\n"
    return {
        folder / "module.yaml": modeline(folder / "module.yaml", root, "module") + head,
        folder / f"{name}.rules": _MODULE_RULES,
    }


_MODULE_RULES = """\
# What this module adds to the rules, or changes in them. For example:
#
#   rule tip, after turn: gain 1 coin from bank
#   replace value price(l: lot) -> coin: original(l) + 1 coin
#
# Its boards lie in the folder `boards` beside this file: `ichiba new board NAME --in` this folder makes one.
"""


def _edit(home: Path) -> str:
    """A change that changes nothing yet, of something that the game has."""
    words = "# What is different. As it stands, nothing is: write another value here, or another change.\n"
    for fact in whole_box(home).numbers:
        value = fact.value.get("is") if isinstance(fact.value, Map) else fact.value
        if not fact.home and isinstance(value, Scalar) and isinstance(value.value, int):
            amount = f"{value.value} {fact.unit}" if fact.unit else str(value.value)
            return f"{words}change {fact.name} to {amount}\n"
    return f"{words}invariant seats_are_there: count of seats > 0\n"


def _indented(text: str) -> str:
    return "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))


# ----------------------------------------------------------------------------------------------------- board


def board(home: Path, part: Path, name: str, kind: str | None) -> Files:
    box = whole_box(home)
    kinds = Kinds(box)
    kind = _kind(kinds, kind, home)
    if any(other.name == name for other in box.boards):
        raise Refusal(f"ichiba new: there is a board `{name}` already; nothing was written")
    path = part / "boards" / _shelf(box, kind) / f"{name}.yaml"
    lines = [
        f"board: {name}",
        f"kind: {kind}",
        f"title: {{en: {titled(name)}}}",
        *_fields(kinds, kind),
        *_pieces(box, kinds, kind, name),
    ]
    head = modeline(path, home_of_schemas(home, part), kind)
    return {path: laid_out(path, head + "\n".join(lines) + "\n" + _special(kinds, kind))}


def _special(kinds: Kinds, kind: str) -> str:
    """What else a board can say, as a comment: an option in the menu of its kind, where that has one."""
    menu = next((name for one in kinds.line(kind) for name in kinds.menus.get(one, ())), None)
    said = _AN_OPTION.replace("MENU", menu) if menu is not None else _A_VALUE
    return "# What is special about this board comes last, for example:\n# rules: |\n" + said


_AN_OPTION = """\
#   add to menu MENU:
#       option rest "Rest a while": nothing
"""
_A_VALUE = """\
#   value bonus -> number: 3
"""


def _kind(kinds: Kinds, wanted: str | None, home: Path) -> str:
    there = kinds.boards
    if wanted is not None:
        if wanted not in there:
            from ichiba.dsl.faults.fault import nearest

            hint = nearest(wanted, there)
            raise Refusal(f"ichiba new: {home.name} has no kind of boards `{wanted}`"
                          + (f"; did you mean `{hint}`?" if hint else "; there are: " + (", ".join(there) or "none")))  # fmt: skip
        return wanted
    used = [kind for kind in there if kinds.sub_kinds[kind] == [kind]]
    if len(used) == 1:
        return used[0]
    if not there:
        raise Refusal(
            f"ichiba new: {home.name} has no boards: `kind NAME is board:` in its rules declares a kind of them"
        )
    common = [kind for kind in there if any(board.kind == kind for board in kinds.box.boards)] or there
    raise Refusal("ichiba new: of which kind? Say `--of` and one of: " + ", ".join(common))


def _shelf(box: Box, kind: str) -> str:
    """The folder in which boards of this kind lie."""
    for other in box.boards:
        if other.kind == kind and not other.home and "boards/" in other.path:
            return other.path.split("boards/", 1)[1].rpartition("/")[0]
    return ""


def _fields(kinds: Kinds, kind: str) -> list[str]:
    """What its kind asks for, then what may be said, as comments."""
    properties = kinds.board(kind)["properties"]
    required = set(kinds.board(kind)["required"]) - {"board", "kind"}
    needed, free = [], []
    for ancestor in reversed(kinds.line(kind)):
        for member in kinds.members.get(ancestor, ()):
            about = properties[member.name]["description"]
            if member.name in required:
                needed.append(_line(f"{member.name}: {_value(kinds, member, properties[member.name])}", about))
            else:
                free.append(_line(f"# {member.name}: {_value(kinds, member, properties[member.name])}", about))
    return needed + free


def _line(text: str, about: str) -> str:
    return f"{text:<30} # {about[:1].lower() + about[1:]}"


def _value(kinds: Kinds, member: t.Field, schema: dict[str, object]) -> str:
    if kinds.is_sort(member.type.name):
        return kinds.sorts[member.type.name][0]
    examples = schema.get("examples")
    found = examples[0] if isinstance(examples, list) else ""
    return found if isinstance(found, str) and found and not _odd(found) else json.dumps(found, ensure_ascii=False)


def _odd(text: str) -> bool:
    return text[0] in "{[\"'&*!#%@`>|-?:," or ": " in text or " #" in text


def _pieces(box: Box, kinds: Kinds, kind: str, name: str) -> list[str]:
    """Where most other boards of the kind bring pieces of their own, this one brings one sort like theirs."""
    homes = {other.name for other in box.boards if kind in kinds.line(other.kind)}
    own = [decl for decl in box.pieces if decl.board in homes and decl.items]
    if 2 * len({decl.board for decl in own}) <= len(homes):
        return []
    return [f"pieces: {{{own[0].name}: {{{name}: {_like(own[0])}}}}}"]


def _like(decl: PieceDecl) -> str:
    assert decl.items
    fields = [
        f"{name}: {_flow(node)}"
        for name, node in decl.items[0].fields
        if name in ("number", "printed") or isinstance(_plain(node), int)
    ]
    return "{" + ", ".join(fields) + "}"


def _plain(node: Node) -> object:
    return node.value if isinstance(node, Scalar) else None


def _flow(node: Node) -> str:
    match node:
        case Scalar(value=value):
            return json.dumps(value, ensure_ascii=False)
        case Seq(items=items):
            return "[" + ", ".join(map(_flow, items)) + "]"
        case Map(entries=entries):
            return "{" + ", ".join(f"{key.value}: {_flow(value)}" for key, value in entries) + "}"


__all__ = ["Files", "board", "game", "modeline", "module", "scenario", "titled", "variant"]
