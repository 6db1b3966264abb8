"""Numbers that cannot be meant: amounts below nothing, loops and lists of options without measure, too large a state."""

from __future__ import annotations

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import effect_of
from ichiba.dsl.rules.extent import LARGEST, MANY, Extents
from ichiba.dsl.rules.walks import functions_of, procedures_of, steps, walk
from ichiba.dsl.world.world import World

STEPS = 100_000  # between two decisions
OPTIONS = 5_000  # of one question
CHAIN = 6  # of a chain so many are named
PLACES = 131_072  # of the state: 1 MB
QUESTIONS = 1_000  # that the rules of a game ask
RACE = 8  # questions that the code for a race is as long as
SECRET = 2  # and for one that is answered in secret
LOOKED_AT = 250_000  # sorts, wherever rules go through pieces, for each of them one place
OFFERED = 2_500  # options in those, as often as a window brings them


def judge_size(world: World, program: ir.Program, faults: Faults) -> bool:
    """Whether a table of this can be set up at all. Told before anything is laid out."""
    questions = [node for procedure in program.procedures for node in steps(procedure.body) if isinstance(node, ir.Decide | ir.ChooseSome)]
    races = sum(isinstance(node, ir.Decide) and _is_race(node) for node in questions)
    in_secret = sum(isinstance(node, ir.Decide) and node.secret for node in questions)
    if (asked := len(questions) + (RACE - 1) * races + (SECRET - 1) * in_secret) > QUESTIONS:
        counted = (f", a race counted as {RACE}" if races else "") + (f", one in secret as {SECRET}" if in_secret else "")
        faults.add("E529", questions[min(QUESTIONS, len(questions) - 1)].span,
                   f"the rules ask {asked:,} questions{counted}; {QUESTIONS:,} are the most",
                   label="ask what is alike in one procedure")  # fmt: skip
        return False
    options = sum(len(node.options) for node in questions if isinstance(node, ir.Decide))
    if options > OFFERED:
        faults.add("E529", None, f"the rules have {options:,} options; {OFFERED:,} are the most", label="one `for` each of several takes many")
        return False
    members = world.members()
    places = sum(member.size for member in members)
    if places > PLACES:
        largest_ = max(members, key=lambda member: member.size)
        faults.add("E529", largest_.span, f"a game would take {places:,} numbers to write down; {PLACES:,} are the most",
                   label=f"`{largest_.name}` takes {largest_.size:,} of them")  # fmt: skip
        return False
    return True


def _is_race(question: ir.Decide) -> bool:
    return isinstance(question.seat, ir.Use) and question.seat.var.name == ir.RACE


def judge_amounts(program: ir.Program, faults: Faults) -> None:
    judging = _Amounts(program, faults)
    for procedure in program.procedures:
        if procedure.body is not None:
            judging.block(procedure.body, procedure.span)
    judging.functions(program)
    judging.chains([*program.procedures, *program.functions])
    if judging.looked_at > LOOKED_AT:
        faults.add("E529", None, f"the rules go through sorts of pieces in {judging.looked_at:,} places; {LOOKED_AT:,} are the most",
                   label="a rule that is said again for each sort can be said once, with a name for the sort")  # fmt: skip


_DOES: dict[type, str] = {ir.Pay: "is paid", ir.MoveSome: "is moved", ir.Draw: "is drawn"}


class _Amounts:
    def __init__(self, program: ir.Program, faults: Faults):
        self.extents, self.faults = Extents(program.world), faults
        self.called: list[ir.Function] = []
        self.looked_at = 0

    def block(self, block: ir.Block, span: Span | None) -> None:
        for node in walk(block):
            effect = effect_of(node)
            if isinstance(node, ir.Pieces):
                self.looked_at += len(node.sorts.sorts)
            if effect.amount is not None and self.extents.value(effect.amount)[1] < 0:
                self.below(self.extents.value(effect.amount)[1], node)
            if effect.calls is not None:
                self.called.extend(functions_of(effect.calls))
            elif isinstance(node, ir.Const) and abs(node.value) > LARGEST:
                self.faults.add("E204", span, "a number here is too large", label=f"at most {LARGEST:,}")
            elif isinstance(node, ir.Repeat | ir.For) and self.extents.least(node) > STEPS and not self.asks(node):
                self.steps(self.extents.least(node), node.span)
            elif isinstance(node, ir.Decide):
                self.options(node.options, node.span)

    def asks(self, node: ir.Repeat | ir.For) -> bool:
        """Where a question comes up, the steps begin anew."""
        return any(effect.asks or effect.performs is not None for effect in map(effect_of, walk(node.body)))

    def below(self, amount: int, node: ir.Node) -> None:
        does, span = "is moved", None
        if isinstance(node, ir.Pay | ir.MoveSome | ir.Draw):
            does, span = _DOES[type(node)], node.span
        self.faults.add("E526", span, f"an amount below nothing {does}", label=f"it is never more than {amount}")

    def steps(self, times: int, span: Span | None) -> None:
        self.faults.add("E528", span, f"this takes at least {_many(times)} steps; {STEPS:,} lead to the next question at most")

    def options(self, options: list[ir.Option], span: Span | None) -> None:
        """What surely stands among the options: nothing narrows it."""
        total = 0
        for option in options:
            if option.tests or any(bind.test is not None for bind in option.binds):
                continue
            count = 1
            for bind in option.binds:
                count *= self.extents.size(bind.set)[0]
            total += count
        if total > OPTIONS:
            self.faults.add("E530", span, f"this question has {total:,} answers; {OPTIONS:,} are the most",
                            label="ask one thing after another, or in larger steps")  # fmt: skip

    def chains(self, called: list[ir.Procedure | ir.Function]) -> None:
        """Rules that perform each other again and again, without any loop: what all of it comes to."""
        calls = Calls()
        worst = max(called, key=calls.of, default=None)
        if worst is None or calls.of(worst) <= STEPS:
            return
        chain = calls.chain(worst)
        first = next(one for one in reversed(chain) if calls.of(one) > STEPS)  # those that call it are too long as well
        names = " → ".join(list(dict.fromkeys(one.name for one in calls.chain(first)))[:CHAIN])
        self.faults.add(
            "E533", first.span, f"`{first.name}` comes to {_many(calls.of(first))} steps; {STEPS:,} lead to the next question at most",
            label=f"each performs the next more than once: {names}, …",
        )  # fmt: skip

    def functions(self, program: ir.Program) -> None:
        """All that are called, each once."""
        todo = [*self.called, *program.invariants, *(function for function, _ in program.ranking)]
        seen: set[ir.Function] = set()
        while todo:
            function = todo.pop()
            if function in seen:
                continue
            seen.add(function)
            if self.extents.least(function.body) > STEPS:
                self.steps(self.extents.least(function.body), function.span)
            for part in walk(function.body):
                if isinstance(part, ir.Const) and abs(part.value) > LARGEST:
                    self.faults.add("E204", function.span, "a number here is too large", label=f"at most {LARGEST:,}")
                elif isinstance(part, ir.CallValue):
                    todo.extend(functions_of(part.function))
                elif isinstance(part, ir.Pieces):
                    self.looked_at += len(part.sorts.sorts)


class Calls:
    """How many rules and values are called, in all, where one is: loops counted once."""

    def __init__(self) -> None:
        self.known: dict[ir.Procedure | ir.Function, int] = {}

    def of(self, called: ir.Procedure | ir.Function) -> int:
        if called not in self.known:
            self.known[called] = 0  # in case it comes round to itself
            self.known[called] = min(MANY, 1 + sum(self.of(self._longest(node)) for node in self._calls(called)))
        return self.known[called]

    def chain(self, called: ir.Procedure | ir.Function) -> list[ir.Procedure | ir.Function]:
        """From one to the longest it calls, and so on."""
        found = [called]
        while calls := list(self._calls(found[-1])):
            following = max((self._longest(node) for node in calls), key=self.of)
            if following in found:
                break
            found.append(following)
        return found

    def _calls(self, called: ir.Procedure | ir.Function) -> list[list[ir.Procedure | ir.Function]]:
        made: list[list[ir.Procedure | ir.Function]] = []
        for node in walk(called.body) if called.body is not None else ():
            effect = effect_of(node)
            if effect.calls is not None:
                made.append(list(functions_of(effect.calls)))
            if effect.performs is not None:
                made.append(list(procedures_of(effect.performs)))
        return [one for one in made if one]

    def _longest(self, which: list[ir.Procedure | ir.Function]) -> ir.Procedure | ir.Function:
        return max(which, key=self.of)


def _many(times: int) -> str:
    return f"{times:,}" if times < MANY else "very many"


__all__ = ["OPTIONS", "PLACES", "STEPS", "judge_amounts", "judge_size"]
