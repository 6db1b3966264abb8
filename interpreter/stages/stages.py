"""One rule as it is after one stage of compiling, as text: text, tree, rules, flow, plan, Python or C.

What `ichiba info GAME --rule NAME --stage STAGE` prints. `PRINTERS` has a function for each stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from ichiba.dsl.faults.printing import Line, text_of
from ichiba.dsl.program.provenance import changes_of, passage_of
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.printing import Sentences
from ichiba.dsl.syntax import printing as tree_printing
from ichiba.dsl.syntax import tree as t
from ichiba.interpreter.flow.pieces import Piece, Site
from ichiba.interpreter.flow.printing import Course
from ichiba.interpreter.native.compiler import program
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.stages.names import Rule, find
from ichiba.interpreter.stages.parts import Parts, parts_of
from ichiba.interpreter.stages.places import Places, range_of
from ichiba.interpreter.to_c.known.program import Program, Unsupported
from ichiba.interpreter.to_c.module import bodies
from ichiba.interpreter.to_plan.course.secret_places import find_secret_places
from ichiba.interpreter.to_plan.drain import drain
from ichiba.interpreter.to_plan.expressions.calls import function_name
from ichiba.interpreter.to_plan.module import emitted_by, new_context
from ichiba.interpreter.to_python.printer import lines_of

ASKS_NOTHING = "asks nothing, so it is not cut: it is done as a whole"
NOWHERE = {
    "value": "This value stands for several things at once: it is said again wherever it is asked for.",
    "cost": "A cost is said again wherever something costs it.",
    "policy": "What a policy asks is worked out by itself when a bot of that name thinks.",
}
OTHERWISE = "Nothing in this setting leads to it."


def show_rule(game: Game, asked: str, stage: str) -> str:
    """A rule, found by its name, at this stage. Raises `NoSuchRule`."""
    return at_stage(StagedGame(game), find(game, asked), stage)


def at_stage(staged: StagedGame, rule: Rule, stage: str) -> str:
    said = "\n\n".join(PRINTERS[stage](staged, rule))
    return said or _why_nothing(rule)


def _why_nothing(rule: Rule) -> str:
    """Why a rule has nothing at a stage."""
    paths = dict.fromkeys(node.moment.path for node in rule.nodes if isinstance(node, t.Rule))
    inside = " and ".join(f"`{path}`" for path in paths if path is not None)
    if inside:
        return f"This rule is written into {inside}: ask for that."
    return NOWHERE.get(rule.what, OTHERWISE)


class StagedGame:
    """A game with its plan and its C, each made when it is first asked for."""

    def __init__(self, game: Game):
        self.game = game

    @cached_property
    def plan(self) -> PlanFunctions:
        return PlanFunctions(self.game)

    @cached_property
    def in_c(self) -> Program:
        return program(self.game)

    @cached_property
    def bodies(self) -> dict[str, str]:
        return bodies(self.in_c)

    def functions(self, parts: Parts) -> list[p.Function]:
        """The functions of the plan in which a rule is done."""
        plan, known = self.plan, self.plan.c.mentioned
        names = [known.procedures[one] for one in parts.procedures if one in known.procedures]
        names += [f"check_{number}" for number in parts.watchers]
        names += [name for site in parts.sites for name in self._functions_of_question(site)]
        names += [f"b{known.pieces[one]}" for pieces in parts.pieces.values() for one in pieces if one in known.pieces]
        found = [plan.functions[name] for name in dict.fromkeys(names) if name in plan.functions]
        for value in parts.functions:
            found.append(
                plan.functions[known.functions[value]] if value in known.functions else plan.alone(value)
            )
        return found

    def _functions_of_question(self, site: Site) -> list[str]:
        secret = next((at for at, one in enumerate(self.game.flow.secrets) if one.site is site), None)
        if secret is not None:
            return [f"enter_{site.number}", f"load_{secret}", f"next_{secret}", f"done_{secret}"]
        return [f"{letter}{site.number}" for letter in "seoa"]


class PlanFunctions:
    """The functions of a game's plan by name. It is written once more, since a game does not keep what came from which rule."""

    def __init__(self, game: Game):
        self.game = game
        self.c = new_context(game.program, game.layout, game.flow, trace=False)
        self.functions = _by_name(emitted_by(self.c).plan)

    @property
    def pieces(self) -> dict[Piece, str]:
        return {piece: f"function b{number}" for piece, number in self.c.mentioned.pieces.items()}

    def alone(self, value: ir.Function) -> p.Function:
        """A value that is said wherever it is asked for, as a function of its own."""
        c = new_context(self.game.program, self.game.layout, self.game.flow, trace=False, prefix="alone_")
        find_secret_places(c)
        name = function_name(c, value)
        drain(c)
        return _by_name(c.out.finished())[name]


def _by_name(plan: tuple[p.Stm, ...]) -> dict[str, p.Function]:
    return {s.name: s for s in plan if isinstance(s, p.Function)}


# ------------------------------------------------------------------------------------------------ the stages


def _text(staged: StagedGame, rule: Rule) -> Iterator[str]:
    """As it is written, each place with whose it is, and with what changes it or stands around it."""
    passages = {passage_of(node.span): whose for node, whose in reversed(rule.nodes.items())}
    changes = changes_of(staged.game.program.provenance)
    for passage, whose in reversed(passages.items()):
        told = [line for change in changes if (line := change.told_of(passage, rule.name)) is not None]
        yield "\n".join([f"# {rule}   {whose or 'base'}   {passage.place}", *told, passage.text])


def _tree(staged: StagedGame, rule: Rule) -> Iterator[str]:
    for node in rule.nodes:
        yield text_of(tree_printing.lines_of(node))


def _rules(staged: StagedGame, rule: Rule) -> Iterator[str]:
    say, parts = Sentences(staged.game.world), parts_of(staged.game, rule)
    said = [
        *map(say.procedure, parts.procedures),
        *map(say.function, parts.functions),
        *map(say.option, parts.options),
        *map(say.move, parts.questions),
        *map(say.move, parts.blocks),
        *map(say.watcher, parts.watchers.values()),
        *map(say.preference, parts.preferences),
    ]
    yield from map(text_of, said)


def _flow(staged: StagedGame, rule: Rule) -> Iterator[str]:
    game, parts = staged.game, parts_of(staged.game, rule)
    called = staged.plan.pieces if parts.pieces else {}
    for procedure in dict.fromkeys([*parts.procedures, *parts.pieces, *(site.procedure for site in parts.sites)]):
        if procedure not in game.flow.entries:
            yield f"{procedure.name} {ASKS_NOTHING}."
            continue
        course = Course(game.flow, procedure, parts.pieces.get(procedure, ()), called)
        lines = [Line(0, f"{procedure.name}: {len(course.numbers)} pieces")]
        if not parts.procedures:
            for site in parts.sites:
                lines += course.question(site) if site.procedure is procedure else ()
        yield text_of([*lines, *course.lines()])
    for function in parts.functions:
        yield f"{function.name} {ASKS_NOTHING}."


def _plan(staged: StagedGame, rule: Rule) -> Iterator[str]:
    names = Places(staged.game.layout)
    for function in staged.functions(parts_of(staged.game, rule)):
        names.mentioned.clear()
        head, *lines = lines_of([names.named(function)])
        notes = [f"    # {member.full_name}: {range_of(member)}" for member in names.mentioned]
        notes += [f"    # {kind}: {', '.join(words)}" for kind, words in _names_by_kind(staged, function.name).items()]
        yield "\n".join([head, *notes, *lines]).rstrip()


def _names_by_kind(staged: StagedGame, name: str) -> dict[str, list[str]]:
    """By kind: the names of a function that are of it."""
    found: dict[str, list[str]] = {}
    known = staged.in_c.functions.get(name)
    for word, kind in sorted(known.kinds.items()) if known is not None else ():
        found.setdefault("numbers" if kind == "number" else kind, []).append(word)
    return found


def _python(staged: StagedGame, rule: Rule) -> Iterator[str]:
    for function in staged.functions(parts_of(staged.game, rule)):
        yield "\n".join(lines_of([function])).rstrip()


def _c(staged: StagedGame, rule: Rule) -> Iterator[str]:
    try:
        said = staged.bodies
    except Unsupported as reason:
        yield f"/* This game stays in Python: {reason}. */"
        return
    for function in staged.functions(parts_of(staged.game, rule)):
        known = staged.in_c.functions.get(function.name)
        if function.name in said:
            yield _indented(said[function.name])
        elif known is None:
            yield f"/* {function.name} is said wherever it is asked for: it has no function of its own. */"
        else:
            yield f"/* {function.name} stays in Python: {known.why}. */"


def _indented(text: str) -> str:
    """C as people write it: what stands in braces further right."""
    depth, lines = 0, []
    for line in text.rstrip().split("\n"):
        deeper = line.count("{") - line.count("}")
        lines.append("    " * (depth + min(deeper, 0)) + line)
        depth += deeper
    return "\n".join(lines)


PRINTERS: Mapping[str, Callable[[StagedGame, Rule], Iterator[str]]] = {
    "text": _text, "tree": _tree, "rules": _rules, "flow": _flow, "plan": _plan, "python": _python, "c": _c,
}  # fmt: skip
