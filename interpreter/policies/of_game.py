"""The policies of a game, compiled when somebody first plays by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
from operator import length_hint
from threading import get_ident
from typing import TYPE_CHECKING, Any

from ichiba.dsl.world.world import Member
from ichiba.interpreter.policies.compiled import Policies, compiled
from ichiba.interpreter.policies.reads import reads_of
from ichiba.interpreter.policies.remembered import Memory, Weigh, with_memory, worth_remembering
from ichiba.interpreter.run.distinct import may_share
from ichiba.interpreter.runtime.runtime import TooLong, left
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.sight.views import hiding_word
from ichiba.interpreter.to_python.printer import lines_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game


@dataclass(frozen=True, eq=False, slots=True)
class PoliciesOfGame:
    """All that was made of a game's policies. Of a question about which a policy has no wish there is nothing."""

    plan: Policies
    weighs: Mapping[str, Mapping[int, Weigh]]  # by policy and question
    masked: frozenset[str]  # the policies that read what their seat may not see


@in_turn
def policies_of(game: Game) -> PoliciesOfGame:
    return game.keep(PoliciesOfGame, lambda: _made(game))


def _made(game: Game) -> PoliciesOfGame:
    program = game.program
    plan = compiled(
        program, game.layout, game.flow, game.emitted.digits, game.words.key, lambda site: may_share(game, site)
    )
    module: dict[str, Any] = {**game.code.module, **plan.tables, "FAULTS": tuple(plan.faults)}
    those = worth_remembering(plan.plan)
    exec(compile("\n".join(lines_of(with_memory(plan.plan, those))), "<policies>", "exec"), module)  # noqa: S102
    memory = Memory(module, those)
    weighs: dict[str, dict[int, Weigh]] = {name: {} for name in program.policies}
    for (name, site), function in plan.weighs.items():
        weigh = memory.weighing(module[function])
        weighs[name][site] = _counted(module, weigh) if plan.has_steps else weigh
    hides = _hiding(game)
    return PoliciesOfGame(plan, weighs, frozenset(name for name in program.policies if _reads(game, name, hides)))


def _counted(module: dict[str, Any], weigh: Weigh) -> Weigh:
    """The same with its steps counted. Who weighs has the turn, so there is one count, which costs next to nothing: what comes
    to its end is no fault of the rules that anybody reads, since it is told from the keys."""

    def counted(state: Any, seat: int, codes: Any) -> list[int]:
        me = get_ident()
        had = left[me]
        steps = repeat(True, had)
        module["tick"] = steps.__next__
        try:
            sums = weigh(state, seat, codes)
        except (StopIteration, RuntimeError):  # a generator in which it ends says so in its own way
            raise TooLong("a policy takes too long") from None
        left[me] -= had - length_hint(steps)
        if left[me] < 0:
            raise TooLong("a policy takes too long")
        return sums

    return counted


def _hiding(game: Game) -> set[Member]:
    """The members of which some seat may not see every place, always or while others act in secret."""
    covered = {key[1] for key in game.layout.reserved if isinstance(key, tuple) and key[0] == "before"}
    return covered | {member for member in game.world.members() if hiding_word(game, member) is not None}


def _reads(game: Game, policy: str, hides: set[Member]) -> bool:
    """Whether a policy might read something that its seat may not see."""
    found = reads_of(game.program.policies[policy])
    return bool(hides) and (found.anything or found.places or not hides.isdisjoint(found.members))
