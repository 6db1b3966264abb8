"""What many commands are told about a game: which one, how many seats, which modules, variants and options."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.dsl.faults.fault import RulesetFaults
    from ichiba.dsl.yaml.configuration import Configuration
    from ichiba.interpreter.run.game import Game

RULED_OUT = "E412"  # choices that a rule of the game forbids together: told with the rule, as a fault


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to set up one game; it can be sent to other processes."""

    game: str
    seats: int | None = None
    modules: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, object], ...] = ()
    assumptions: tuple[tuple[str, object], ...] = ()
    lang: str = "en"
    configuration: Configuration | None = field(default=None, compare=False, repr=False)  # where some of it was written down

    def load(self, native: bool = False) -> Game:
        """The game, or one sentence about what was asked wrongly."""
        from ichiba.interpreter.api import load
        from ichiba.interpreter.configurations import told_where

        with _asked_rightly(), told_where(self.configuration):
            game = load(
                self.game, self.seats, modules=self.modules, variants=self.variants, options=dict(self.options),
                assumptions=dict(self.assumptions), lang=self.lang, native=native,
            )  # fmt: skip
        return game if self.configuration is None else replace(game, configuration=self.configuration)

    def show_rule(self, rule: str, stage: str) -> str:
        """One rule at one stage, or one sentence about what was asked wrongly."""
        from ichiba.interpreter.api import NoSuchRule, show_rule

        with _asked_rightly():
            try:
                return show_rule(
                    self.game, rule, stage, self.seats, modules=self.modules, variants=self.variants,
                    options=dict(self.options), assumptions=dict(self.assumptions),
                )  # fmt: skip
            except NoSuchRule as refusal:
                raise Refusal(f"ichiba: {refusal}") from None


@contextmanager
def _asked_rightly() -> Iterator[None]:
    """Faults of what was asked for are told in one sentence."""
    from ichiba.dsl.faults.fault import RulesetFaults

    try:
        yield
    except RulesetFaults as faults:
        raise _asked_wrong(faults) or faults from None


def _asked_wrong(faults: RulesetFaults) -> Refusal | None:
    from ichiba.interpreter.configurations import OF_CHOICES

    errors = [fault for fault in faults.faults if fault.severity == "error"]
    if not errors or any(fault.code not in OF_CHOICES - {RULED_OUT} for fault in errors):
        return None
    sentences = []
    for fault in errors:
        more = "; ".join(filter(None, [fault.label, *(fault.notes if not fault.label else ())]))
        place = f" ({fault.span.source.path}:{fault.span.line})" if fault.span is not None and fault.span.source.path.endswith(".yaml") else ""
        sentences.append(f"ichiba: {fault.message}{place}{'; ' + more if more else ''}")
    return Refusal("\n".join(sentences))


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help="a name that `ichiba games` lists, or the path of a ruleset's folder; may be left out where --config says it",
    )


def add_seats(parser: argparse.ArgumentParser, words: str = "how many play (default: as few as can)") -> None:
    parser.add_argument("--seats", metavar="N", type=whole, help=words)


def add_parts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        metavar="NAME|FILE",
        help="set the game up so: a preset of the game, a table that was kept, or a file; what else is typed goes over it",
    )
    parser.add_argument(
        "--with",
        metavar="MODULE",
        dest="modules",
        action="append",
        default=[],
        help="switch on a module, by its name or, as ./my_module, by its folder; several: again, or a,b",
    )
    parser.add_argument(
        "--variant",
        metavar="NAME",
        dest="variants",
        action="append",
        default=[],
        help="switch on a variant; several: again, or a,b",
    )


def add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        metavar="OPTION=VALUE",
        dest="options",
        action="append",
        default=[],
        help="choose an option of the game; a list: a,b",
    )
    parser.add_argument(
        "--assume",
        metavar="ID=VALUE",
        dest="assumptions",
        action="append",
        default=[],
        help="another value for an assumption (`ichiba assumptions GAME`)",
    )


def add_lang(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lang", metavar="LANG", default="en", help="the language of the ruleset's texts (default: en)"
    )


def add_setting(parser: argparse.ArgumentParser) -> None:
    """All of it but the game."""
    add_seats(parser)
    add_parts(parser)
    add_choices(parser)
    add_lang(parser)


def speaking(game: Game, command: str) -> Game:
    """The game, if its ruleset has texts in the language that was asked for."""
    from ichiba.dsl.program.texts import languages
    from ichiba.interpreter.strangers import door

    if game.lang != "en" and game.folder is not None:
        known = door.read((game.folder, *game.box.elsewhere), languages, game.folder, game.box.elsewhere)
        if game.lang not in known:
            there = ", ".join(sorted({"en", *known}))
            raise Refusal(f"ichiba {command}: {game.name} has no texts in `{game.lang}`; there are: {there}")
    return game


def setting(args: argparse.Namespace) -> Setting:
    """What was typed, as one setting; a configuration stands behind it."""
    found = _configuration(args)
    if args.game is None:
        raise Refusal(f"ichiba {args.command}: which game? `ichiba games` lists them (`ichiba {args.command} --help` shows how)")
    typed = _typed(args)
    return typed if found is None else _over(found, typed)


def _configuration(args: argparse.Namespace) -> Configuration | None:
    """What `--config` names: a preset, a table that was kept, or a file. If no game was typed, it says which."""
    if vars(args).get("config") is None:
        return None
    from ichiba.interpreter.api import folder_of
    from ichiba.interpreter.configurations import configuration_of, game_of
    from ichiba.table import saves

    with _asked_rightly():
        folder = folder_of(args.game) if args.game is not None else None
        found = configuration_of(saves.kept_table(args.config, folder) or args.config, folder)
        args.game = str(game_of(found, args.game))
    return found


def _over(found: Configuration, typed: Setting) -> Setting:
    """What was typed goes over a configuration."""
    from ichiba.dsl.yaml.configuration import Choices
    from ichiba.interpreter.configurations import over

    choices = over(found, Choices(typed.seats, typed.modules, typed.variants, typed.options, typed.assumptions))
    return replace(
        typed, seats=choices.seats, modules=choices.modules, variants=choices.variants, options=choices.options,
        assumptions=choices.assumptions, configuration=found,
    )  # fmt: skip


def _typed(args: argparse.Namespace) -> Setting:
    modules, variants = _modules(args.modules), named(args.variants)
    given = vars(args)  # some commands ask for less
    options = pairs(given.get("options", []), "--set", "OPTION=VALUE")
    assumptions = pairs(given.get("assumptions", []), "--assume", "ID=VALUE")
    forms = _forms(args.game, modules, variants) if options else {}
    return Setting(
        args.game, given.get("seats"), modules, variants,
        tuple((name, _option(forms.get(name, ""), text)) for name, text in options),
        tuple((name, value_of(text)) for name, text in assumptions), given.get("lang", "en"),
    )  # fmt: skip


def _modules(words: Iterable[str]) -> tuple[str, ...]:
    """The modules that were typed: names, and the whole paths of folders."""
    from ichiba.interpreter.elsewhere import is_path, module_folder

    with _asked_rightly():
        return tuple(str(module_folder(word)) if is_path(word) else word for word in named(words))


def named(words: Iterable[str]) -> tuple[str, ...]:
    """Names, whether typed one by one or with commas."""
    return tuple(dict.fromkeys(name.strip() for word in words for name in word.split(",") if name.strip()))


def pairs(words: Iterable[str], option: str, form: str) -> list[tuple[str, str]]:
    found = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise Refusal(f"ichiba: `{option} {word}` is not of the form {option} {form}")
        found.append((name.strip(), value.strip()))
    return found


def _forms(game: str, modules: tuple[str, ...], variants: tuple[str, ...]) -> dict[str, str]:
    from ichiba.dsl.parts import elsewhere
    from ichiba.interpreter.api import folder_of
    from ichiba.interpreter.elsewhere import chosen_modules
    from ichiba.interpreter.strangers import door

    folder = folder_of(game)
    with _asked_rightly():
        chosen = (*chosen_modules(folder, modules), *variants)
    return door.read((folder, *elsewhere(chosen)), forms_of, folder, chosen)


def forms_of(folder: Path, chosen: tuple[str, ...]) -> dict[str, str]:
    """Of each option, whether it is a flag, a word, a thing, a number, a seat or a list."""
    from ichiba.dsl.faults.fault import Faults
    from ichiba.dsl.ruleset import read_box

    found: dict[str, str] = {}
    for option in read_box(folder, chosen, Faults()).options:
        found[option.name] = option.form
        found[f"{option.home}.{option.name}"] = option.form
    return found


def _option(form: str, text: str) -> object:
    if form in ("one_of", "thing"):
        return text
    if form == "list_of":
        return [name.strip() for name in text.strip("[]").split(",") if name.strip()]
    return value_of(text)


_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def value_of(text: str) -> object:
    """`60`, `yes`, `[12, 9, 5]`, `{2: 4, 3: 6}`, or a word."""
    if text.lower() in _FLAGS:
        return _FLAGS[text.lower()]
    if re.fullmatch(r"[+-]?\d{1,15}", text):
        return int(text)
    if text[:1] in "[{":
        import yaml

        try:
            return yaml.safe_load(text)
        except yaml.YAMLError:
            raise Refusal(
                f"ichiba: `{text}` is neither a list such as [12, 9, 5] nor a map such as {{2: 4, 3: 6}}"
            ) from None
    return text


def whole(text: str) -> int:
    """A whole number from 1, as typed."""
    if re.fullmatch(r"\d{1,9}", text) and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 1")


def whole_or_none(text: str) -> int:
    """A whole number from 0, as typed."""
    return 0 if text == "0" else whole(text)


def seed(text: str) -> int | str:
    """A number, or any word: both are seeds. Long numbers with zeros before them are words."""
    number = re.fullmatch(r"-?\d{1,40}", text) is not None and (len(text) < 19 or str(int(text)) == text)
    return int(text) if number else text


def rulesets_at(place: str) -> list[tuple[Path, tuple[Path, ...]]]:
    """The rulesets that a name or a path stands for; and of a module from elsewhere its game, with the folders of the module
    and of what it needs."""
    from ichiba.interpreter.api import module_and_game
    from ichiba.interpreter.elsewhere import home_of_module

    path = Path(place)
    home = home_of_module(path) if path.exists() else None
    return [module_and_game(home)] if home is not None else [(folder, ()) for folder in ruleset_folders(place)]


def ruleset_folders(place: str) -> list[Path]:
    """The rulesets that a name or a path stands for: itself, the one it lies in, or all that lie in it."""
    from ichiba.interpreter.api import folder_of

    path = Path(place)
    if path.is_dir() and not (path / "game.yaml").is_file():
        inside = sorted(p.parent for p in path.glob("*/game.yaml"))
        if inside:
            return [p.resolve() for p in inside]
    if path.exists():
        for above in [path.resolve(), *path.resolve().parents]:
            if (above / "game.yaml").is_file():
                return [above]
        raise Refusal(f"ichiba: no ruleset lies in {place}, nor does it belong to one (there is no game.yaml)")
    return [folder_of(place)]
