"""What changes in play between two ways to set up a game, or two versions of it: in words, with where each change is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.dsl.program.provenance import passage_of
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import Kind
from ichiba.table.rulebook.blocks import sentence
from ichiba.table.rulebook.changes.sayings import sayings
from ichiba.table.rulebook.gathered import gathered
from ichiba.table.scene.boards import BoardCard
from ichiba.table.scene.cards import in_language
from ichiba.table.svg.gallery import Gallery

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

SHORT = 110  # letters of a rule that is told whole
VERBS = {"replace": "replaced", "restrict": "restricted", "remove": "removed", "change": "changed"}
ASKED = ("procedure", "value", "guard")  # of what nobody asks for it does not matter what it says
SILENT = ("conserve ", "invariant ", "policy ", "use ", "add to ", "kind ", "seat", "table", "board ")  # no rule of play by themselves


@dataclass(frozen=True, slots=True)
class Part:
    """Changes of one sort."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A rule with what it says, in which file, and its very words."""

    what: str
    place: str
    text: str
    doc: str
    asked: bool = True  # of a value or a guard: some rule mentions it


def differences(one: Game, other: Game) -> list[Part]:
    """What is different in the other: rules, boards, pieces, numbers, tables, choices."""
    parts = (
        ("Rules", _rules(one, other, True)), ("Boards", _boards(one, other)), ("Pieces", _counted(_pieces(one), _pieces(other))),
        ("Things", _counted(_things(one), _things(other))), ("Numbers", _counted(_numbers(one), _numbers(other))),
        ("Tables", _counted(_tables(one), _tables(other))), ("Choices before the game", _counted(_options(one), _options(other))),
        ("Questions and options", _labels(one, other)), ("Rules without a sentence, as they are written", _rules(one, other, False)),
    )  # fmt: skip
    return [Part(title, lines) for title, told in parts if (lines := tuple(told))]


# ------------------------------------------------------------------------------------------------- rules


def _rules(one: Game, other: Game, said: bool) -> Iterator[str]:
    """First what comes, then what is otherwise in both, then what goes: of those that say what they do, or of all others. What no rule
    mentions is not there: a board's answer to a question comes with whatever asks it, if it has words."""
    all_before, all_after = rules_of(one), rules_of(other)
    before = {key: rule for key, rule in all_before.items() if rule.asked or key in all_after and all_after[key].asked and not rule.doc}
    after = {key: rule for key, rule in all_after.items() if rule.asked or key in all_before and all_before[key].asked and not rule.doc}
    changes = [(rule, _verb(rule.what)) for key, rule in after.items() if key not in before]
    changes += [(rule, "otherwise") for key, rule in after.items() if key in before and before[key].text != rule.text]
    changes += [(rule, "gone") for key, rule in before.items() if key not in after]
    yield from (_told(rule, verb) for rule, verb in changes if bool(rule.doc) == said)


def rules_of(game: Game) -> dict[tuple[str, str, int], Said]:
    """Every rule, by what it is, whose it is, and which of several of one name."""
    docs, asked = sayings(game, Gallery(game).director.speller), gathered(game).asked
    found: dict[tuple[str, str, int], Said] = {}
    for what, home, span in game.program.provenance:
        if what.startswith(SILENT):
            continue
        passage = passage_of(span)
        number = sum(key[:2] == (what, home) for key in found) if (what, home, 0) in found else 0
        form, *names = what.split()[what.split()[0] in VERBS :]
        found[what, home, number] = Said(
            what, passage.place, _plain(passage.text), docs.get((span.source.path, span.line), ""),
            form not in ASKED or names[0] in asked,
        )  # fmt: skip
    return found


def _plain(text: str) -> str:
    """Without comments, which say nothing about play."""
    return "\n".join(line for line in text.splitlines() if not line.strip().startswith("#"))


def _verb(what: str) -> str:
    return VERBS.get(what.split()[0], "new")


def _told(rule: Said, verb: str) -> str:
    first, _, rest = rule.what.partition(" ")
    name = rest if first in VERBS and rest else rule.what
    words = sentence(rule.doc) if rule.doc else _first(rule.text)
    return f"{verb}: {name} — {words}  ({rule.place})"


def _first(text: str) -> str:
    """A rule without a sentence, as it is written: all of a short one, or how it begins."""
    whole = " ".join(text.split())
    return whole if len(whole) <= SHORT else " ".join(text.splitlines()[0].split()) + " …"


# ------------------------------------------------------------------------------------------------- what is in the box


def _boards(one: Game, other: Game) -> Iterator[str]:
    before, after = cards_of(one), cards_of(other)
    yield from (f"comes: {card.title}" + (f" — {card.about}" if card.about else "") for name, card in after.items() if name not in before)
    yield from (f"goes: {card.title}" for name, card in before.items() if name not in after)
    for name, card in after.items():
        if name in before and (told := list(_otherwise(before[name], card))):
            yield f"otherwise: {card.title} — {'; '.join(told)}"


def cards_of(game: Game) -> dict[str, BoardCard]:
    return {card.name: card for card in Gallery(game).cards()}


def changed_boards(one: Game, other: Game) -> list[str]:
    """Those that come, go, or show something else."""
    before, after = cards_of(one), cards_of(other)
    return [name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name)]


def _otherwise(before: BoardCard, after: BoardCard) -> Iterator[str]:
    """Facts that are printed on both, and are others."""
    groups: tuple[Callable[[BoardCard], Iterable[tuple[str, str]]], ...] = (_facts, _spaces)
    for group in groups:
        yield from _counted(dict(group(before)), dict(group(after)))
    if before.about != after.about:
        yield f"now it says: {after.about}"


def _facts(card: BoardCard) -> Iterator[tuple[str, str]]:
    for fact in (*card.costs, *card.facts, *card.pieces):
        yield fact.label or "is", "".join(words for words, _ in fact.cell)
    for rail in card.rails:
        yield rail.label, f"{rail.first} to {rail.last}, from {rail.at}"


def _spaces(card: BoardCard) -> Iterator[tuple[str, str]]:
    for number, space in enumerate(card.spaces, 1):
        facts = ", ".join(f"{fact.label} {''.join(words for words, _ in fact.cell)}".strip() for fact in space.facts)
        yield f"space {number}", f"{''.join(words for words, _ in space.title)} {facts}".strip()


def _pieces(game: Game) -> dict[str, str]:
    """`Oil (share): 3`, `Ferry: 1`."""
    speller = Gallery(game).director.speller
    boards = {thing.sort for thing in game.world.things if game.world.kinds[thing.kind].root == "board"}
    found: Counter[str] = Counter()
    for sort in game.world.sorts:
        if sort.number and sort.id not in boards:
            found[_of(speller.name(sort.family), game.words.show(sort.id, Kind("sort")))] += sort.number
    for component in game.world.components:
        for name, count in component.sorts:
            found[_of(speller.name(component.name), speller.name(name))] += count
    return {name: str(number) for name, number in found.items()}


def _of(family: str, sort: str) -> str:
    """Of which pieces a sort is, unless it says so itself."""
    return f"{sort} ({family})" if sort and family.casefold() not in sort.casefold() else sort or family


def _things(game: Game) -> dict[str, str]:
    found = Counter(_name(game, thing.kind) for thing in game.world.things if game.world.kinds[thing.kind].root not in ("board", "piece"))
    return {name: str(number) for name, number in found.items()}


def _numbers(game: Game) -> dict[str, str]:
    return {_name(game, name): game.words.show(value, kind) for name, (value, kind) in game.world.numbers.items()}


def _name(game: Game, name: str) -> str:
    return game.text(f"name.{name}") or name.replace("_", " ")


def _tables(game: Game) -> dict[str, str]:
    return {
        _name(game, name): ", ".join(f"{' '.join(map(str, key))}: {value}" for key, value in sorted(table.rows.items()))
        for name, table in game.world.tables.items()
    }  # fmt: skip


def _options(game: Game) -> dict[str, str]:
    found, speller = {}, Gallery(game).director.speller
    for option in game.box.options:
        value, kind = game.world.options[option.name]
        if isinstance(value, tuple):
            chosen = ", ".join(map(str, value))
        elif value == -1:
            chosen = "random" if kind.form == "seat" else "none"
        else:
            chosen = speller.choice(option.name, int(str(value)), kind)
        found[in_language(option.title, game.lang) or option.name.replace("_", " ")] = chosen or "none"
    return found


def _labels(one: Game, other: Game) -> Iterator[str]:
    """Options by their words, where these are others under the same address; new ones stand among the rules."""
    yield from _counted(_words(one), _words(other), both=True)


def _words(game: Game) -> dict[str, str]:
    found = {}
    for text in game.box.rules:
        for node in t.walk(text.items):
            if isinstance(node, t.Option) and node.ask.words is not None:
                found[f"{text.board or text.home or 'base'} {node.name}"] = node.ask.words.text
    return found


def _counted(before: Mapping[str, str], after: Mapping[str, str], both: bool = False) -> Iterator[str]:
    """`rounds: 7 → 5`, and what only one of the two has."""
    for name, value in after.items():
        if name in before and before[name] != value:
            yield f"{name}: {before[name]} → {value}"
        elif name not in before and not both:
            yield f"{name}: {value} (new)"
    if not both:
        yield from (f"{name}: {value} (gone)" for name, value in before.items() if name not in after)


__all__ = ["Part", "changed_boards", "differences"]
