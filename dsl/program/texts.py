"""Texts in other languages: `texts/LANG.yaml` says, by the name of each construct, how its words read there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.files.folders import is_hidden
from ichiba.dsl.program.sentences import sentences
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import functions_of, reached_procedures, walk
from ichiba.dsl.statements.costs import CAN_PAY
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.world import World
from ichiba.dsl.yaml.declarations import Box
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Map, Scalar, read_yaml

WITHOUT_NUMBER = re.compile(r"_\d+\Z")  # pieces that exist one by one: `plum_crate_3`
BRACES = re.compile(r"\{([^{}]*)\}")
FOLDER = "texts"


@dataclass(frozen=True, slots=True)
class Text:
    """One text of one language, and where it stands."""

    words: str
    span: Span


@dataclass(slots=True)
class Wanted:
    """What a language has to say: the English words and, for labels, the values that may stand in them."""

    english: dict[str, str] = field(default_factory=dict)
    values: dict[str, set[str]] = field(default_factory=dict)
    said: dict[str, set[str]] = field(default_factory=dict)  # the languages in which other files say it already
    welcome: set[str] = field(default_factory=set)  # what may be said, and is no loss if it is not
    sentences: dict[str, str] = field(default_factory=dict)  # of the rules, which only the rulebook tells: a language may leave out all of them
    part: dict[str, str] = field(default_factory=dict)  # the module or variant that brings it; not of what the game has anyway

    def add(self, key: str, english: str, names: Iterable[str] = (), said: Iterable[str] = ()) -> None:
        self.english.setdefault(key, english)
        self.values.setdefault(key, set()).update(names)
        self.said.setdefault(key, set()).update(said)

    def join(self, other: Wanted, part: str = "") -> None:
        """`part`: with which module or variant all this is wanted."""
        for key, english in other.english.items():
            if not part:
                self.part.pop(key, None)
            elif key not in self.english:
                self.part[key] = part
            self.add(key, english, other.values[key], other.said[key])
        self.welcome |= other.welcome
        self.sentences = {**other.sentences, **{key: words for key, words in self.sentences.items() if words or key not in other.sentences}}
        for key in other.sentences:
            self.values.setdefault(key, set()).update(other.values.get(key, ()))

    def title(self, key: str, titles: dict[str, str], plain: str = "") -> None:
        if titles.get("en") or plain:
            self.add(key, titles.get("en", plain), (), titles)


# ------------------------------------------------------------------------------------------------ reading


def languages(folder: Path, elsewhere: Sequence[Path] = ()) -> list[str]:
    """The languages a ruleset has texts in, or modules from elsewhere have; those in English only say what reads better than
    the rules' own names."""
    return sorted({path.stem for home, _ in _homes(folder, elsewhere) for path in (home / FOLDER).glob("*.yaml")})


def _homes(folder: Path, elsewhere: Sequence[Path]) -> list[tuple[Path, Path]]:
    """The ruleset's folder, then those of its modules and variants: each may bring texts of its own. And where it lies."""
    inside = (path for path in folder.glob(f"*/*/{FOLDER}") if path.is_dir() and not is_hidden(path, folder))
    return [(folder, folder), *((path.parent, folder) for path in sorted(inside)), *((home, home) for home in elsewhere)]


def read_texts(folder: Path, lang: str, faults: Faults, memory: Memory, elsewhere: Sequence[Path] = ()) -> dict[str, Text]:
    """All texts of one language; none when the ruleset does not speak it."""
    found: dict[str, Text] = {}
    for home, root in _homes(folder, elsewhere):
        path = home / FOLDER / f"{lang}.yaml"
        if re.fullmatch(r"[a-z]{2,3}(-[A-Za-z]{2,8})?", lang) and path.is_file():
            found |= _read_file(path, f"{root.name}/{path.relative_to(root).as_posix()}", faults, memory)
    return found


def _read_file(path: Path, shown: str, faults: Faults, memory: Memory) -> dict[str, Text]:
    source = memory.source(path, shown, faults)
    node = read_yaml(source, faults) if source is not None else None
    if node is None:
        return {}
    if not isinstance(node, Map):
        faults.add("E103", node.span, "texts are a map from the names of constructs to words")
        return {}
    found: dict[str, Text] = {}
    for key, value in node.entries:
        if isinstance(value, Scalar) and value.value is not None:
            found[str(key.value)] = Text(str(value.value), value.span)
        else:
            faults.add("E103", value.span, f"`{key.value}` must be a text")
    return found


def put_titles(box: Box, world: World, texts: dict[str, Text], lang: str) -> None:
    """Titles join those that the ruleset's own files give.

    `name.central` is every thing of that name, whatever its kind; `name.stall.central` is only the stall."""
    for key, text in sorted(texts.items(), key=lambda item: item[0].count(".")):
        kind, _, name = key.partition(".")
        titles: dict[str, str] | None = None
        if not name:
            titles = {"title": box.title, "about": box.about}.get(kind)
        elif kind in ("module", "variant") and name in box.modules:
            titles = box.modules[name].title
        elif kind == "ending" and name in box.endings:
            titles = box.endings[name]
        elif kind == "option":
            titles = next((option.title for option in box.options if option.name == name), None)
        elif kind == "name":
            for thing in world.things:
                if thing.title and name in (thing.name, f"{thing.kind}.{thing.name}"):
                    thing.title[lang] = text.words
        if titles is not None:
            titles[lang] = text.words


def spoken(english: ir.Label, words: str) -> ir.Label | None:
    """The label in other words; None when they mention a value that the English ones do not have."""
    values = dict(zip(english.names, (part for part in english.parts if not isinstance(part, str)), strict=False))
    parts: list[str | ir.Exp] = []
    at = 0
    for found in BRACES.finditer(words):
        value = values.get(spelled(found.group(1)))
        if value is None:
            return None
        if found.start() > at:
            parts.append(words[at : found.start()])
        parts.append(value)
        at = found.end()
    if at < len(words):
        parts.append(words[at:])
    return ir.Label(tuple(parts), english.names)


# ------------------------------------------------------------------------------------ what there is to say


def score_key(english: str) -> str:
    """`Most fish` is `score.most_fish`."""
    return "score." + "_".join(re.findall(r"\w+", english.lower()))


def tell_key(label: ir.Label) -> str:
    """`{winner} buys {lot}` is `tell.winner_buys_lot`: what stands in the braces counts among the words."""
    return "tell." + "_".join(re.findall(r"\w+", _english(label).lower()))


def refused_key(english: str) -> str:
    """What a `require … else "you have no squid"` says is `refused.you_have_no_squid`."""
    return "refused." + "_".join(re.findall(r"\w+", english.lower()))


def labels_of(program: ir.Program) -> Iterator[tuple[str, ir.Label]]:
    """Every prompt, option, reason of a guard or a requirement, line of the score and line of the log, by its key."""
    seen: set[int] = set()
    reached = reached_procedures(program)  # of the library only what the game uses
    used = [p for p in program.procedures if p in reached or not p.home.startswith("library.")]
    bodies: list[object] = [procedure.body for procedure in used]
    for body in bodies:  # a guard may rest on others, which are looked into as well
        for node in walk(body):
            if isinstance(node, ir.CallValue):
                for function in functions_of(node.function):
                    if function.reason is None or function.name.startswith(CAN_PAY):
                        continue  # what something costs is said by the engine
                    if id(function) not in seen:
                        seen.add(id(function))
                        bodies.append(function.body)
                        yield f"guard.{function.name}", function.reason
            elif isinstance(node, ir.Decide) and not node.paying:
                yield f"prompt.{node.name}", node.prompt
                yield from ((f"menu.{option.rule}", option.label) for option in node.options)
                yield from _refusals(test for option in node.options for test in option.tests)
            elif isinstance(node, ir.Require):
                yield from _refusals([node])
            elif isinstance(node, ir.ChooseSome):
                yield f"prompt.{node.name}", node.prompt
            elif isinstance(node, ir.Score):
                yield score_key(_english(node.label)), node.label
            elif isinstance(node, ir.Tell):
                yield tell_key(node.label), node.label


def _refusals(demands: Iterable[ir.Require]) -> Iterator[tuple[str, ir.Label]]:
    yield from ((refused_key(_english(demand.reason)), demand.reason) for demand in demands if demand.reason is not None)


def _english(label: ir.Label) -> str:
    names = iter(label.names)
    return "".join(part if isinstance(part, str) else "{" + next(names, "…") + "}" for part in label.parts)


def wanted(box: Box, world: World, program: ir.Program) -> Wanted:
    """Everything a person may read at this table, in English."""
    made = Wanted()
    made.title("title", box.title)
    made.title("about", box.about)
    for module in box.modules.values():
        made.title(f"{module.what}.{module.name}", module.title, module.name)
    for name, titles in box.endings.items():
        made.title(f"ending.{name}", titles, name)
    for option in box.options:
        made.title(f"option.{option.name}", option.title)
    for name in _names(world):
        made.add(f"name.{name}", name.replace("_", " "))
    made.welcome.update(f"name.{name}" for name in _places(world))
    made.welcome.update(f"many.{name}" for name in _counted(world))
    made.welcome.update(f"name.{name}" for table in box.tables for name in table.index)
    worked_out = (item for rules in box.rules for item in rules.items if isinstance(item, t.Value | t.Guard))
    made.welcome.update(f"name.{item.name}" for item in worked_out)  # a look may show it
    for key, text, name in sentences(box):
        made.sentences[key] = text.text if text is not None else made.sentences.get(key, "")
        made.values.setdefault(key, set()).update(_names_in(text))
        made.welcome |= {f"heading.{name}", f"name.{name}"}  # `once per turn`
    made.welcome.update(f"name.{name}" for name in _binders(box))
    for board in box.boards:
        if board.about:
            made.add(f"about.{board.name}", board.about)
    authors = {refused_key(text) for text in _reasons(box)}
    for key, label in labels_of(program):
        if key.startswith("refused.") and key not in authors:
            continue  # the engine's own words
        if any(isinstance(part, str) and part.strip() for part in label.parts):
            made.add(key, _english(label), label.names)
    return made


def _reasons(box: Box) -> Iterator[str]:
    """What authors say of their requirements."""
    for rules in box.rules:
        for item in rules.items:
            yield from (node.reason.text for node in t.walk(item) if isinstance(node, t.Require) and node.reason is not None)


def _binders(box: Box) -> Iterator[str]:
    """What options call the things that they are about: the rulebook shows it where two are of one kind."""
    for rules in box.rules:
        for item in rules.items:
            yield from (binder.name for node in t.walk(item) if isinstance(node, t.Option) for binder in node.binders if len(binder.name) > 1)


def _names_in(text: t.Text | None) -> Iterator[str]:
    if text is not None:
        yield from (spelled(part.span.text) for part in text.parts if not isinstance(part, str))


def _names(world: World) -> Iterator[str]:
    """Sorts of pieces, things without a title of their own, and words for choices; places of a grid read alike everywhere."""
    titled = {thing.name for thing in world.things if thing.title}
    titled |= {world.thing(place).name for grid in world.grids for place in grid.cells.values()}
    for sort in world.sorts:
        if sort.full_name not in titled and not sort.parts:
            yield sort.full_name
    for thing in world.things:
        if not thing.title and not thing.name.isdigit() and world.kinds[thing.kind].root == "board":
            yield thing.name
    for name, enum in world.enums.items():
        if name not in world.options:
            yield from enum.values


def _counted(world: World) -> Iterator[str]:
    """Of what there may be several in the box."""
    yield from world.families
    yield from world.kinds
    yield from (component.name for component in world.components)


def _places(world: World) -> Iterator[str]:
    """What a screen calls its sections and their lines."""
    yield "seat"
    yield "seats"
    for name in world.kinds:
        yield name
        yield plural(name)
    for member in world.members():
        yield member.name
    for name in world.families:
        yield name
        yield plural(name)
    for component in world.components:
        yield component.name
        yield from (sort for sort, _ in component.sorts if sort)
    for name, enum in world.enums.items():  # also those of the choices before the game
        yield from enum.values
        if name in world.options:
            yield from (f"{name}.{value}" for value in enum.values)
    yield from world.sort_fields
    yield from world.numbers  # these two in the rulebook
    yield from world.tables
    for kind in world.kinds.values():
        yield from kind.fields
    for sort in world.sorts:
        if sort.parts:
            yield sort.full_name
    for thing in world.things:
        yield thing.name
        yield f"{thing.kind}.{thing.name}"
        yield WITHOUT_NUMBER.sub("", thing.name)


__all__ = [
    "Text",
    "Wanted",
    "labels_of",
    "languages",
    "put_titles",
    "read_texts",
    "refused_key",
    "score_key",
    "spoken",
    "tell_key",
    "wanted",
]
