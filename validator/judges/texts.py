"""Texts in other languages: for what does not exist, with values that are not there, and those that are lacking."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.parts import parts_of
from ichiba.dsl.program.texts import BRACES, FOLDER, Text, Wanted, languages, read_texts, wanted
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.world import Config
from ichiba.dsl.yaml.declarations import OptionDecl
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Scalar
from ichiba.validator.judges.building import build


def judge_texts(folder: Path, faults: Faults, memory: Memory | None = None) -> None:
    """Texts for what does not exist, with values that are not there, and those that a language lacks."""
    if not languages(folder):
        return
    memory = memory or Memory()
    everything = Wanted()
    for config in settings(folder, memory):
        everything.join(wanted(*build(folder, config, Faults(), memory)), next(iter(config.parts), ""))
    judge_wanted(folder, everything, faults, memory)


def judge_wanted(folder: Path, everything: Wanted, faults: Faults, memory: Memory, elsewhere: Sequence[Path] = ()) -> None:
    """The same, when it is known what can be said at all. A language that only a module from elsewhere speaks lacks nothing."""
    whole = languages(folder)
    for lang in languages(folder, elsewhere):
        texts = read_texts(folder, lang, faults, memory, elsewhere)
        for key, text in texts.items():
            _judge(key, text, everything, faults)
        if lang != "en" and lang in whole:
            _tell_lacking(folder, lang, texts, everything, faults, elsewhere)
            _tell_sentences(folder, lang, texts, everything, faults, memory, elsewhere)


def _tell_lacking(
    folder: Path, lang: str, texts: dict[str, Text], everything: Wanted, faults: Faults, elsewhere: Sequence[Path]
) -> None:
    """What a language lacks, each in the file where it belongs: that of the module which brings it. Where there is no such
    file, that is told, and no more."""
    lacking: defaultdict[str, list[str]] = defaultdict(list)
    for key in everything.english:
        if key not in texts and lang not in everything.said[key]:
            lacking[_file_of(key, lang, folder, everything, elsewhere)].append(key)
    begun = {text.span.source.path: text.span.source for text in texts.values()}
    for shown, keys in lacking.items():
        source = next((source for path, source in begun.items() if path in (f"{folder.name}/{shown}", shown)), None)
        if source is None and shown != f"{FOLDER}/{lang}.yaml":
            first = f"the first of them is `{keys[0]}`: {' '.join(everything.english[keys[0]].split())}"
            many = f"{len(keys)} texts are" if len(keys) > 1 else "one text is"
            faults.add("E102", None, f"there is no {shown}, so {many} told in English", label=first, severity="warning")
            continue
        for key in keys:
            words = f"in English: {' '.join(everything.english[key].split())}"
            span = Span(source, 0, 0) if source is not None else None
            faults.add("E102", span, f"{shown} has no `{key}`", label=words, severity="warning")


def _tell_sentences(
    folder: Path, lang: str, texts: dict[str, Text], everything: Wanted, faults: Faults, memory: Memory, elsewhere: Sequence[Path]
) -> None:
    """A language that says some sentences of the rules should say all: a rulebook in two languages is hard to read. What `texts/en.yaml`
    says at length is a sentence too; what it leaves out (`""`) nobody is told."""
    english = {key: text.words for key, text in read_texts(folder, "en", Faults(), memory, elsewhere).items() if key in everything.sentences}
    everything.sentences.update(english)
    wanted = [key for key, words in everything.sentences.items() if words]
    said = [key for key in wanted if key in texts]
    if said and len(said) < len(wanted):
        first = next(key for key in wanted if key not in texts)
        words = f"the first that it lacks is `{first}`: {' '.join(everything.sentences[first].split())}"
        told = f"{FOLDER}/{lang}.yaml says {len(said)} of {len(wanted)} sentences of the rules"
        faults.add("E102", Span(texts[said[0]].span.source, 0, 0), told, label=words, severity="warning")


def _file_of(key: str, lang: str, folder: Path, everything: Wanted, elsewhere: Sequence[Path]) -> str:
    """`modules/rain/texts/nl.yaml`: where a text belongs; a variant in one file has its texts with the game's."""
    part = parts_of(folder, map(str, elsewhere)).get(everything.part.get(key, ""))
    home = part.home if part is not None else None
    if home is None:
        return f"{FOLDER}/{lang}.yaml"
    place = home.relative_to(folder).as_posix() if home.is_relative_to(folder) else home.name
    return f"{place}/{FOLDER}/{lang}.yaml"


def _judge(key: str, text: Text, everything: Wanted, faults: Faults) -> None:
    if key.startswith("unit.") or key in everything.welcome:
        return
    if key not in everything.english and key not in everything.sentences:
        hint = nearest(key, [*everything.english, *everything.sentences])
        faults.add(
            "E101",
            text.span,
            f"nothing here is called `{key}`",
            label=f"did you mean `{hint}`?" if hint else "",
        )
        return
    if key.startswith(("name.", "title")):
        return
    known = everything.values[key]
    for found in BRACES.finditer(text.words):
        name = spelled(found.group(1))
        if name not in known:
            hint = nearest(name, known)
            notes = (f"in English: {everything.english.get(key) or everything.sentences[key]}",)
            faults.add(
                "E205",
                text.span,
                f"`{key}` has no value `{name}`",
                label=f"did you mean `{hint}`?" if hint else "",
                notes=notes,
            )


def settings(folder: Path, memory: Memory, elsewhere: Sequence[Path] = ()) -> Iterator[Config]:
    """Between them they say all that a ruleset can say: the plain game, with each module and variant, and with every
    other way an option can be set."""
    more = {home.name: str(home) for home in elsewhere}
    parts = parts_of(folder, more.values())
    low, high = read_box(folder, (), Faults(), memory).seats
    for seats in dict.fromkeys((low, high)):
        yield Config(seats)
    for name in (None, *parts):
        modules = tuple(more.get(n, n) for n in (name,) if n is not None and parts[n].what == "module")
        variants = tuple(n for n in (name,) if n is not None and parts[n].what == "variant")
        if name is not None:
            yield Config(low, modules, variants)
        for option in read_box(folder, (*modules, *variants), Faults(), memory).options:
            if option.home == (name or ""):
                key = f"{option.home}.{option.name}" if option.home else option.name
                for value in _other_values(option):
                    yield Config(low, modules, variants, ((key, value),))


def _other_values(option: OptionDecl) -> Iterator[object]:
    """What a flag or a choice among words can be besides its usual value."""
    usual = option.default.value if isinstance(option.default, Scalar) else None
    if option.form == "flag":
        yield not usual
    elif option.form == "one_of":
        yield from (word for word in option.words if word != (usual if usual is not None else option.words[0]))
