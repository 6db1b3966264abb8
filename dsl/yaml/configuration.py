"""Configurations: how a game is set up and who sits there, as `configs/NAME.yaml` of a ruleset or a file of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ichiba.dsl.faults.fault import Faults, quote
from ichiba.dsl.faults.source import Span
from ichiba.dsl.yaml.declarations import Keys, Title, plain_name, sequence
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, load_source, plain, read_yaml

FORMAT = 1
FOLDER = "configs"
SUFFIX = ".yaml"
CHOICES = ("seats", "modules", "variants", "options", "assumptions", "seed")  # what scenarios choose in these words, too

Pairs = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """What is chosen before a game."""

    seats: int | None = None
    modules: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    options: Pairs = ()
    assumptions: Pairs = ()
    seed: int | str | None = None


@dataclass(frozen=True, slots=True)
class Configuration:
    """A way to set up a game that somebody has written down. `places`: where each thing that is chosen stands."""

    name: str
    path: Path
    choices: Choices = Choices()
    title: Title = field(default_factory=dict)
    because: Title = field(default_factory=dict)
    game: str = ""
    bots: str | tuple[tuple[int, str], ...] | None = None
    span: Span | None = None
    places: tuple[tuple[str, Span], ...] = ()

    def policies(self, seats: int) -> dict[int, str]:
        """Which seats bots take, and what each follows; one word stands for all seats but the first."""
        if isinstance(self.bots, str):
            return dict.fromkeys(range(2, seats + 1), self.bots)
        return {seat: name for seat, name in self.bots or () if seat <= seats}

    def place_of(self, words: str) -> Span | None:
        """Where the hand must go, by what a fault says of the choice; None if it says of none that is written here."""
        named = (span for name, span in reversed(self.places) if quote(name) in words)
        seats = dict(self.places).get("seats") if f"{self.choices.seats} seats" in words else None
        return next(named, seats)


def files_of_presets(folder: Path) -> dict[str, Path]:
    """The presets of a ruleset, by name."""
    place = folder / FOLDER
    return {path.stem: path for path in sorted(place.glob("*" + SUFFIX)) if path.is_file()} if place.is_dir() else {}


def read_configuration(path: Path, shown: str, faults: Faults) -> Configuration:
    """What a file says. Whatever is wrong with it alone is told; whether the game can be set up so, nobody knows here."""
    source = load_source(path, shown, faults)
    node = read_yaml(source, faults) if source is not None else None
    if not isinstance(node, Map):
        if node is not None or not faults.errors:
            span, label = node.span if node is not None else None, "`configuration: 1`, then `seats:` and the like"
            faults.add("E103", span, f"{quote(shown)} holds no configuration", label=label)
        return Configuration(path.stem, path)
    keys = Keys(node, faults, "a configuration")
    keys.meant |= {"players": "seats", "reason": "because", "name": "title", "with": "modules", "variant": "variants", "policy": "bots"}
    if not _of_our_time(keys, faults):
        return Configuration(path.stem, path, span=node.span)
    title, because, game = keys.title("title"), keys.title("because"), keys.text("game")
    choices = Choices(**cast(Any, choices_in(keys, modules=_modules)))
    bots = _bots(keys.node("bots"), faults)
    keys.finish()
    return Configuration(path.stem, path, choices, title, because, game, bots, node.span, tuple(_places(node)))


def _of_our_time(keys: Keys, faults: Faults) -> bool:
    node = keys.need("configuration", str(FORMAT))
    if node is None:
        return True
    if not isinstance(node, Scalar) or type(node.value) is not int or node.value < 1:
        faults.add("E103", node.span, "`configuration` is the version of the form it is written in", label=f"`configuration: {FORMAT}`")
        return True
    if node.value > FORMAT:
        message = f"this is a configuration of version {node.value}, and this Ichiba reads version {FORMAT}"
        faults.add("E414", node.span, message, label="a newer Ichiba reads it")
    return node.value <= FORMAT


def choices_in(
    keys: Keys, before: dict[str, object] | None = None, modules: Callable[[Keys], tuple[str, ...]] = lambda keys: keys.names("modules")
) -> dict[str, object]:
    """What a map chooses. Over what was chosen `before`: an option over the same option, a list over a list."""
    made = dict(before or {})
    keys.asked += CHOICES
    if "seats" in keys.entries:
        made["seats"] = keys.whole("seats", 1)
    if "seed" in keys.entries:
        made["seed"] = _seed(keys)
    for word in ("modules", "variants"):
        if word in keys.entries:
            made[word] = keys.names(word) if word == "variants" else modules(keys)
    for word in ("options", "assumptions"):
        value = keys.node(word)
        if isinstance(value, Map):
            known = dict(cast(Pairs, made.get(word, ())))
            made[word] = tuple(sorted({**known, **cast("dict[str, object]", plain(value))}.items()))
        elif value is not None:
            keys.faults.add("E103", value.span, f"`{word}` must be a map")
    return made


def _modules(keys: Keys) -> tuple[str, ...]:
    """Names, and where modules lie that have a folder of their own."""
    items = sequence(keys.node("modules"), keys.faults, "modules")
    return tuple(
        item.value if isinstance(item, Scalar) and isinstance(item.value, str) and "/" in item.value else plain_name(item, keys.faults)
        for item in items
    )


def _seed(keys: Keys) -> int | str:
    node = keys.node("seed")
    if isinstance(node, Scalar) and type(node.value) in (int, str):
        return cast("int | str", node.value)
    keys.faults.add("E103", keys.value_span("seed"), "`seed` must be a number or a word")
    return 1


def _bots(node: Node | None, faults: Faults) -> str | tuple[tuple[int, str], ...] | None:
    if node is None:
        return None
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return node.value
    if isinstance(node, Map):
        for seat, policy in node.entries:
            if type(seat.value) is not int or seat.value < 1 or not isinstance(policy, Scalar) or not isinstance(policy.value, str):
                faults.add("E103", seat.span, "`bots` says of seats which policy plays them", label="`bots: {2: random}`")
                return None
        return tuple(sorted((cast(int, seat.value), str(cast(Scalar, policy).value)) for seat, policy in node.entries))
    faults.add("E103", node.span, "`bots` is one policy for all seats but the first, or a map", label="`bots: random`, or `bots: {2: random}`")
    return None


def _places(node: Map) -> Iterator[tuple[str, Span]]:
    """What is chosen, and where; the version and the words about it are no choices."""
    for key, value in node.entries:
        word = str(key.value)
        yield word, value.span if word == "seats" else key.span
        if word in ("options", "assumptions") and isinstance(value, Map):
            yield from ((str(name.value).rpartition(".")[2], name.span) for name, _ in value.entries)  # `dice.sides` is told as `sides`
        if word == "bots":
            named = [policy for _, policy in value.entries] if isinstance(value, Map) else [value]
            yield from ((str(policy.value), policy.span) for policy in named if isinstance(policy, Scalar))
        if word in ("modules", "variants"):
            items = value.items if isinstance(value, Seq) else (value,)
            yield from ((str(one.value), one.span) for one in items if isinstance(one, Scalar))
