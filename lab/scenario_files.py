"""What scenarios say: their files read, with the place of every word."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ichiba.dsl.faults.fault import Faults, quote
from ichiba.dsl.faults.source import Embedded, Span
from ichiba.dsl.files.folders import files_below
from ichiba.dsl.yaml.configuration import Configuration, choices_in, files_of_presets
from ichiba.dsl.yaml.declarations import Keys
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, load_source, plain, read_yaml
from ichiba.interpreter.configurations import read_preset
from ichiba.interpreter.elsewhere import home_of_module
from ichiba.lab.seeing import SPECTATOR, Sight

SUFFIX = ".scenario.yaml"
_MEANT = {
    "expect": "then", "assert": "then", "check": "then", "result": "then", "name": "scenario", "title": "scenario",
    "setup": "given", "before": "given", "start": "given", "actions": "when", "moves": "when", "answers": "when",
    "do": "when", "random": "chance", "draws": "chance", "winner": "ranking", "refused": "why_not", "settings": "config",
}  # fmt: skip
_STEPS = ("given", "play", "chance", "when")


@dataclass(frozen=True, slots=True)
class Setting:
    """The game a scenario is about: for `load`, and the seed."""

    seats: int | None = None
    modules: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, object], ...] = ()
    assumptions: tuple[tuple[str, object], ...] = ()
    seed: int | str = 1
    written: tuple[Span, ...] = field(default=(), compare=False)  # where: what a scenario says itself, then the file

    @property
    def key(self) -> str:
        return json.dumps([self.seats, self.modules, self.variants, self.options, self.assumptions])


@dataclass(frozen=True, slots=True)
class Answer:
    """One entry of `play` or `when`: an answer, answers `until` something is true, or what `holds` at that place."""

    key: str
    seat: int | None
    until: Scalar | None
    span: Span
    holds: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """`given`, `play`, `chance` or `when`, with what stands there; `bots`: a configuration is played to its end."""

    what: str
    span: Span
    text: Embedded | None = None
    answers: tuple[Answer, ...] = ()
    events: tuple[tuple[str, Span], ...] = ()
    bots: Configuration | None = None  # who plays to the end


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario as it is written."""

    name: str
    span: Span
    setting: Setting
    steps: tuple[Step, ...] = ()
    then: tuple[Scalar, ...] = ()
    why_not: tuple[tuple[str, str, Span], ...] = ()
    options: tuple[tuple[str, ...], Span] | None = None
    ranking: tuple[tuple[tuple[int, ...], ...], Span] | None = None
    ending: tuple[str, Span] | None = None
    sees: tuple[Sight, ...] = ()


# ------------------------------------------------------------------------------------------------- reading


def scenario_files(place: Path) -> list[Path]:
    """The scenario files of a folder, of its modules and variants too; or the one file."""
    return [place] if place.is_file() else files_below(place, SUFFIX)


def home_of(path: Path) -> Path | None:
    """The folder of the ruleset that a file or folder belongs to."""
    here = path.resolve()
    return next((folder for folder in (here, *here.parents) if (folder / "game.yaml").is_file()), None)


def read_scenarios(path: Path, faults: Faults) -> list[Scenario]:
    """All scenarios of a file, those with faults too."""
    return [scenario for _, scenario in _read(path, faults)]


def read_all(path: Path) -> list[Scenario]:
    """The same; raises `RulesetFaults` where there is a fault."""
    faults = Faults()
    found = read_scenarios(path, faults)
    faults.raise_if_errors()
    return found


def sound_scenarios(path: Path, faults: Faults) -> list[Scenario]:
    """The scenarios of a file that can be played: a fault outside them all, in what they share, spoils them all."""
    known = len(faults.errors)
    read = _read(path, faults)
    wrong = [fault.span for fault in faults.errors[known:]]
    if any(not any(_inside(span, place) for place, _ in read) for span in wrong):
        return []
    return [scenario for place, scenario in read if not any(_inside(span, place) for span in wrong)]


def presets_as_scenarios(folder: Path, faults: Faults) -> list[Scenario]:
    """The configurations of a ruleset: each is played to its end, by the bots it names."""
    found = []
    for name, path in files_of_presets(folder).items():
        before = len(faults.errors)
        preset = read_preset(folder, path, faults)
        if len(faults.errors) > before or preset.span is None:
            continue
        chosen = preset.choices
        setting = Setting(
            chosen.seats, chosen.modules, chosen.variants, chosen.options, chosen.assumptions, 1 if chosen.seed is None else chosen.seed,
            (preset.span,),
        )  # fmt: skip
        found.append(Scenario(f"configuration {name}", preset.span, setting, (Step("bots", preset.span, bots=preset),)))
    return found


def _inside(inner: Span | None, outer: Span) -> bool:
    return inner is not None and outer.start <= inner.start and inner.end <= outer.end


def _read(path: Path, faults: Faults) -> list[tuple[Span, Scenario]]:
    """Each scenario with the whole place it takes."""
    home = home_of(path) or home_of_module(path)
    shown = path.resolve().relative_to(home.parent).as_posix() if home is not None else path.name
    source = load_source(path, shown, faults)
    node = read_yaml(source, faults) if source is not None else None
    if node is None:
        return []
    if isinstance(node, Map) and node.get("scenarios") is not None:
        keys = Keys(node, faults, "a file of scenarios")
        common = keys.node("config")
        found = keys.node("scenarios")
        first = _steps(keys, faults)
        keys.finish()
        if isinstance(found, Seq):
            return [(item.span, _scenario(item, common, first, faults)) for item in found.items]
        if found is not None:
            faults.add("E103", found.span, "`scenarios` must be a list")
        return []
    return [(node.span, _scenario(node, None, (), faults))]


def _scenario(node: Node, common: Node | None, first: tuple[Step, ...], faults: Faults) -> Scenario:
    keys = Keys(node, faults, "a scenario")
    keys.meant |= _MEANT
    named = keys.need("scenario", "R-XYZ-01 what must hold")
    name = " ".join(keys.text("scenario").split())
    setting = _setting(common, keys.node("config"), faults)
    steps = (*first, *_steps(keys, faults))
    then = tuple(item for item in _items(keys.node("then"), faults, "then") if _is_text(item, faults))
    scenario = Scenario(
        name, named.span if named is not None else node.span, setting, steps, cast("tuple[Scalar, ...]", then),
        _why_not(keys.node("why_not"), faults), _offered(keys.node("options"), faults),
        _ranking(keys.node("ranking"), faults), _ending(keys.node("ending"), faults), _sees(keys.node("sees"), faults),
    )  # fmt: skip
    keys.finish()
    return scenario


def _steps(keys: Keys, faults: Faults) -> tuple[Step, ...]:
    """What is done, in the order of the file."""
    steps = tuple(_step(key, cast(Node, keys.node(key)), faults) for key in keys.entries if key in _STEPS)
    keys.asked += [key for key in _STEPS if key not in keys.asked]
    return steps


def _setting(common: Node | None, own: Node | None, faults: Faults) -> Setting:
    """The config of the file, with what the scenario says for itself."""
    made: dict[str, object] = {}
    for node in (common, own):
        if node is None:
            continue
        keys = Keys(node, faults, "the config of a scenario")
        made = choices_in(keys, made)
        keys.finish()
    written = tuple(node.span for node in (own, common) if node is not None)
    return Setting(**cast(Any, made), written=written)


def _items(node: Node | None, faults: Faults, what: str) -> tuple[Node, ...]:
    if node is None:
        return ()
    if isinstance(node, Seq):
        return node.items
    if isinstance(node, Scalar):
        return (node,) if node.value is not None else ()
    faults.add("E103", node.span, f"`{what}` must be a list")
    return ()


def _is_text(node: Node, faults: Faults) -> bool:
    if isinstance(node, Scalar) and node.value is not None:
        return True
    message, label = "an expression must be a text", "quote it"
    if isinstance(node, Map) and len(node.entries) == 1:
        key, value = node.entries[0]
        message = "the colon makes a key and a value of this"
        label = f"write {quote(f'{key.span.text} = {value.span.text}')}, or quote all of it"
    faults.add("E103", node.span, message, label=label)
    return False


def _step(what: str, node: Node, faults: Faults) -> Step:
    if what == "given":
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return Step(what, node.span, text=node.text)
        faults.add("E103", node.span, "`given` must be a block of statements, written after `given: |`")
        return Step(what, node.span)
    items = _items(node, faults, what)
    if what == "chance":
        texts = [item for item in items if _is_text(item, faults)]
        return Step(what, node.span, events=tuple((str(item.value), item.span) for item in cast("list[Scalar]", texts)))
    return Step(what, node.span, answers=tuple(a for item in items if (a := _answer(item, faults)) is not None))


def _answer(node: Node, faults: Faults) -> Answer | None:
    """`buy/1`, `2: ticket/0`, `until: round = 7` or `holds: round = 7`."""
    if isinstance(node, Scalar) and node.value is not None:
        return Answer(node.text.text if isinstance(node.value, str) else str(node.value), None, None, node.span)
    if isinstance(node, Map) and len(node.entries) == 1:
        (key, value) = node.entries[0]
        if isinstance(value, Scalar) and value.value is not None:
            if key.value == "until":
                return Answer("", None, value, value.span)
            if key.value == "holds":
                return Answer("", None, None, value.span, value)
            if isinstance(key.value, int) and not isinstance(key.value, bool):
                return Answer(str(value.value), key.value, None, value.span)
    what = "an answer is a key, `SEAT: key`, `until: …` or `holds: …`"
    faults.add("E103", node.span, what, label="like `buy/1` or `2: pass`")
    return None


def _why_not(node: Node | None, faults: Faults) -> tuple[tuple[str, str, Span], ...]:
    if node is None:
        return ()
    if not isinstance(node, Map):
        faults.add("E103", node.span, "`why_not` must be a map from keys to reasons")
        return ()
    entries = [(key, value) for key, value in node.entries if isinstance(value, Scalar)]
    return tuple((str(key.value), str(value.value), key.span) for key, value in entries)


def _sees(node: Node | None, faults: Faults) -> tuple[Sight, ...]:
    if node is None:
        return ()
    shape = f"like `sees: {{2: {{seat(1).cash: hidden}}, {SPECTATOR}: {{round: 3}}}}`"
    if not isinstance(node, Map):
        faults.add("E103", node.span, "`sees` must be a map from seats to what they see", label=shape)
        return ()
    found: list[Sight] = []
    for who, seen in node.entries:
        seat = who.value
        if type(seat) is not int and seat != SPECTATOR:
            faults.add("E103", who.span, f"`{seat}` sees nothing: who looks is the number of a seat, or `{SPECTATOR}`", label=shape)
        elif not isinstance(seen, Map):
            faults.add("E103", seen.span, "what is seen must be a map from places to what is seen there", label=shape)
        else:
            found += [Sight(seat if type(seat) is int else None, place, value) for place, value in seen.entries]
    return tuple(found)


def _offered(node: Node | None, faults: Faults) -> tuple[tuple[str, ...], Span] | None:
    if node is None:
        return None
    keys = [item for item in _items(node, faults, "options") if isinstance(item, Scalar)]
    return tuple(str(item.value) for item in keys), node.span


def _ranking(node: Node | None, faults: Faults) -> tuple[tuple[tuple[int, ...], ...], Span] | None:
    if node is None:
        return None
    value = plain(node)
    if isinstance(value, list) and all(isinstance(place, list) for place in value):
        return tuple(tuple(place) for place in value), node.span
    faults.add("E103", node.span, "a ranking is a list of places: `[[2], [1, 3]]`")
    return None


def _ending(node: Node | None, faults: Faults) -> tuple[str, Span] | None:
    if node is None:
        return None
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return node.value, node.span
    faults.add("E103", node.span, "`ending` must be the name of an ending")
    return None
