"""`ichiba info GAME`: what is in the box."""

from __future__ import annotations

import argparse
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.table import arguments
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.dsl.yaml.declarations import ModuleFile, OptionDecl, Title
    from ichiba.interpreter.run.game import Game

HELP = "what is in a box: seats, modules, options, boards, the rules; one rule, down to its C"
EXAMPLES = (
    "ichiba info my_game",
    "ichiba info my_game --seats 4 --with expansion --variant short",
    "ichiba info my_game --combos      which modules and variants go together",
    "ichiba info my_game --rules       the merged rules, and where each comes from",
    "ichiba info my_game --rule turn                             one rule, as it is written",
    "ichiba info my_game --rule 'option turn.buy' --stage flow   another, at a later stage of compiling",
)
STAGES = {
    "text": "as it is written",
    "tree": "its sentences, as they were read",
    "rules": "what it means, in few moves",
    "flow": "cut at its questions",
    "plan": "step by step, on the numbers of the game",
    "python": "as it is played",
    "c": "as it is played in machine code",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    arguments.add_setting(parser)
    parser.add_argument("--combos", action="store_true", help="print which modules and variants go together, and which need others")
    parser.add_argument("--rules", action="store_true", help="print the rules as merged, each with where it comes from")
    parser.add_argument(
        "--rule", metavar="NAME",
        help="print one rule: a procedure, value, option, trigger or question, such as `turn`, `buy` or 'option turn.buy'",
    )  # fmt: skip
    parser.add_argument(
        "--stage", choices=STAGES,
        help="of that rule: " + "; ".join(f"{stage}, {words}" for stage, words in STAGES.items()) + " (default: text)",
    )  # fmt: skip
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people, or for programs")


def run(args: argparse.Namespace) -> int:
    setting = arguments.setting(args)
    if args.stage is not None and args.rule is None:
        raise Refusal("ichiba info: --stage is of one rule: say which, as in `--rule turn --stage flow`")
    if args.rule is not None:
        print(setting.show_rule(args.rule, args.stage or "text"))
        return 0
    if args.combos:
        print(_combinations(setting.game))
        return 0
    game = setting.load()
    if args.rules:
        from ichiba.table.rulebook.rules import merged

        print(merged(game))
        return 0
    facts = facts_of(game)
    if args.format == "json":
        options = {name: option.as_json() for name, option in game.options.items()}
        print(json.dumps(facts | {"options": options}, ensure_ascii=False, indent=1))
    else:
        print(_written(facts))
    return 0


def facts_of(game: Game) -> dict[str, object]:
    """Everything `info` tells, as plain data."""
    from ichiba.dsl.program.texts import languages
    from ichiba.dsl.rules import ir
    from ichiba.dsl.yaml.reading import Scalar
    from ichiba.table.scene.cards import in_language

    box, world = game.box, game.world
    titles = [in_language(box.title, game.lang) or game.name, *box.title.values()]
    rules = len(game.program.procedures) + len(game.program.functions)
    sites = [site for site in game.flow.sites if not isinstance(site.decide, ir.Secret)]
    return {
        "game": game.name,
        "title": " · ".join(dict.fromkeys(titles)),
        "about": in_language(box.about, game.lang),
        "source": box.source,
        "folder": str(game.folder),
        "seats": f"{box.seats[0]} to {box.seats[1]}" if box.seats[0] != box.seats[1] else str(box.seats[0]),
        "shown for": _shown_for(game),
        "modules": _parts(game, "module"),
        "variants": _parts(game, "variant"),
        "set up as": _presets(game),
        "options": _options(game),
        "refused": {str(one.when.value): one.because for one in box.refusals if isinstance(one.when, Scalar)},
        "units": {name: world.singles.get(name, write).replace("{}", "1") for name, (write, _) in world.units.items()},
        "boards": _boards(game),
        "things": _things(game),
        "pieces": _pieces(game),
        "endings": {name: in_language(words, game.lang) for name, words in box.endings.items()},
        "policies": list(game.program.policies),
        "languages": sorted({"en", *(languages(game.folder, game.box.elsewhere) if game.folder else ())}),
        "size": f"{len(sites)} decisions, {rules} rules, {len(game.first):,} numbers of state",
    }


def _shown_for(game: Game) -> str:
    config, on = game.config, game.config.parts
    return f"{config.seats} seat{'s' if config.seats > 1 else ''}" + (f", with {', '.join(on)}" if on else "")


def _parts(game: Game, what: str) -> dict[str, str]:
    """Modules or variants, each with what it says of itself."""
    from ichiba.interpreter.strangers import door

    if game.folder is None:
        return {}
    chosen = tuple(map(str, _elsewhere(game))) if what == "module" else ()
    from ichiba.table.scene.cards import files_of_parts

    files = door.read((game.folder, *map(Path, chosen)), files_of_parts, game.folder, what, chosen)
    return {name: _of_itself(file, game.lang) if file is not None else "(it cannot be read)" for name, file in files.items()}


def _combinations(game: str) -> str:
    """Which modules and variants need others, and which do not go together."""
    from ichiba.interpreter.api import folder_of
    from ichiba.interpreter.strangers import door
    from ichiba.table.checking import together

    folder = folder_of(game)
    names, needs, clashes = door.read(folder, together, folder)
    if not names:
        return f"{folder.name} has no modules and no variants"
    lines = [f"{name} needs {', '.join(sorted(needs[name]))}" for name in names if needs[name]]
    lines += [f"{' and '.join(sorted(pair))} do not go together" for pair in sorted(clashes, key=sorted)]
    free = [name for name in names if not any(name in pair for pair in clashes)]
    if len(free) == len(names):
        lines.append("All of them go together: " + ", ".join(names))
    elif free:
        lines.append("With all others go: " + ", ".join(free))
    return "\n".join(lines)


def _presets(game: Game) -> dict[str, str]:
    """The configurations that the ruleset brings along, each with its reason."""
    from ichiba.interpreter.configurations import presets
    from ichiba.table.scene.cards import in_language

    found = presets(game.folder) if game.folder is not None else {}
    return {
        name: " · ".join(filter(None, (in_language(one.title, game.lang), in_language(one.because, game.lang)))) for name, one in found.items()
    }


def _elsewhere(game: Game) -> list[Path]:
    """The modules that lie in folders of their own: those that are on, and what installed packages announce for this game."""
    from ichiba.dsl.faults.fault import RulesetFaults
    from ichiba.interpreter.elsewhere import installed, lid_of

    found = list(game.box.elsewhere)
    for name, places in installed().items():
        if len(places) > 1 or name in [home.name for home in found]:
            continue
        with suppress(RulesetFaults):  # it is told to whoever asks for it
            if lid_of(places[0]).game == game.name:
                found.append(places[0])
    return found


def _of_itself(file: ModuleFile, lang: str) -> str:
    from ichiba.table.scene.cards import in_language

    parts = [in_language(file.title, lang), in_language(file.about, lang)]
    if file.needs:
        parts.append("needs " + ", ".join(file.needs))
    if file.after:
        parts.append("after " + ", ".join(file.after))
    if file.excludes:
        parts.append("not with " + ", ".join(file.excludes))
    if file.seats:
        parts.append(f"{file.seats[0]} to {file.seats[1]} seats")
    return " · ".join(filter(None, parts))


def _options(game: Game) -> dict[str, str]:
    """Options with what they can be, the one that is chosen first."""
    from ichiba.table.scene.cards import in_language

    found: dict[str, str] = {}
    for option in game.box.options:
        title = in_language(_title(option), game.lang)
        name = f"{option.home}.{option.name}" if option.home else option.name
        found[name] = f"{_chosen(game, option)} ({_allowed(option)})" + (f" · {title}" if title else "")
    return found


def _title(option: OptionDecl) -> Title:
    return option.title


def _allowed(option: OptionDecl) -> str:
    match option.form:
        case "flag":
            return "yes or no"
        case "one_of":
            return ", ".join(option.words)
        case "number":
            bounds = [node.span.text for node in (option.low, option.high) if node is not None]
            return "a number from " + " to ".join(bounds)
        case "seat":
            return "a seat, or random"
        case "thing":
            return f"a {option.words[0]}"
        case _:
            from ichiba.dsl.syntax.plurals import plural

            return f"a list of {plural(option.words[0])}"


def _chosen(game: Game, option: OptionDecl) -> str:
    value, kind = game.world.options[option.name]
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none given"
    if value == -1:
        return "random" if option.form == "seat" else "none"
    return game.words.show(int(str(value)), kind)


def _boards(game: Game) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for thing in game.world.things:
        if game.world.kinds[thing.kind].root == "board":
            found.setdefault(thing.kind, []).append(thing.name)
    return found


def _things(game: Game) -> dict[str, int]:
    found: dict[str, int] = {}
    for thing in game.world.things:
        if game.world.kinds[thing.kind].root not in ("board", "piece"):
            found[thing.kind] = found.get(thing.kind, 0) + 1
    return found


def _pieces(game: Game) -> dict[str, str]:
    """How many pieces of each family, and of how many sorts. Boards are counted as boards."""
    numbers: dict[str, int] = {}
    sorts: dict[str, dict[str, None]] = {}
    boards = {thing.sort for thing in game.world.things if game.world.kinds[thing.kind].root == "board"}
    for sort in game.world.sorts:
        if sort.id in boards:
            continue
        numbers[sort.family] = numbers.get(sort.family, 0) + sort.number
        sorts.setdefault(sort.family, {})[sort.full_name] = None
    return {
        family: f"{number}" + (f" of {len(sorts[family])} sorts" if len(sorts[family]) > 1 else "")
        for family, number in numbers.items()
        if number
    }


def _written(facts: dict[str, object]) -> str:
    """The facts as aligned lines of at most 80 columns."""
    import textwrap

    lines = [f"{facts['title']}  ({facts['game']})"]
    if facts["about"]:
        lines += textwrap.wrap(str(facts["about"]), 78)
    lines.append("")
    width = max(len(key) for key in facts) + 2
    for key, value in facts.items():
        if key in ("game", "title", "about") or not value:
            continue
        first = True
        for item in _items(value):
            head = key if first else ""
            lines += textwrap.wrap(
                f"{head:<{width}}{item}",
                80,
                subsequent_indent=" " * (width + 2),
                break_on_hyphens=False,
                break_long_words=False,
            )
            first = False
    return "\n".join(lines)


def _items(value: object) -> list[str]:
    if not isinstance(value, dict):
        return [", ".join(value) if isinstance(value, list) else str(value)]
    if all(isinstance(item, int) for item in value.values()):
        return [", ".join(f"{number} {name}" for name, number in value.items())]
    return [
        f"{name}: {', '.join(item) if isinstance(item, list) else item}".removesuffix(": ")
        for name, item in value.items()
    ]
