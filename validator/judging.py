"""Everything that is judged of one ruleset as it is set up, in order; errors stop it from being loaded, warnings do not."""

from __future__ import annotations

from pathlib import Path

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.rules import ir
from ichiba.dsl.ruleset import too_deep
from ichiba.dsl.world.world import World
from ichiba.dsl.yaml.declarations import Box
from ichiba.validator.amounts import judge_amounts, judge_size
from ichiba.validator.dealing import Dealing
from ichiba.validator.ending import Endings
from ichiba.validator.idle import judge_money, judge_name, judge_options, judge_sources, judge_titles
from ichiba.validator.indices import Indices
from ichiba.validator.keys import judge_keys
from ichiba.validator.promises import Promises
from ichiba.validator.rising import Rising
from ichiba.validator.secrets import Secrets
from ichiba.validator.sentences import judge_sentences
from ichiba.validator.tracing.course import Course
from ichiba.validator.tracing.followed import MOST_FOLLOWED, Followed, TooMuchToFollow
from ichiba.validator.tracing.meanings import Meanings
from ichiba.validator.tracing.sight import Sight


def judge(folder: Path, box: Box, world: World, program: ir.Program, faults: Faults, whole: bool = True) -> int:
    """Judge a whole ruleset, or only its numbers. What is broken already is not judged: its rules are not all there. How many sentences
    had to be followed, each as often as it is come to."""
    if faults.errors or faults.unread or not judge_size(world, program, faults):
        return 0
    try:
        followed = _judge_course(program, world, faults) if whole else 0
        judge_amounts(program, faults)
        if program.looks_up:
            Indices(program, faults).judge()
        Dealing(program, faults).judge()
        if whole:
            Endings(folder, box, world, program, faults).judge()
            judge_keys(program, faults)
            judge_options(program, world, box, faults)
            judge_money(program, world, faults)
            judge_sources(box, faults)
            judge_titles(box, faults)
            judge_name(box, faults)
            judge_sentences(box, faults)
            Rising(program, faults).judge()
    except RecursionError:
        raise too_deep(faults) from None
    return followed


def _judge_course(program: ir.Program, world: World, faults: Faults) -> int:
    """What is known, hidden and promised from the setup to the scoring. How many sentences had to be followed."""
    meanings = Meanings(program)
    followed = Followed()
    secrets = Secrets(program, Sight(world, meanings), meanings, faults, followed)
    try:
        Course(program, meanings, [secrets, Promises(meanings, faults)], followed).run()
    except TooMuchToFollow:
        faults.add("E533", None, f"the rules come to more than {MOST_FOLLOWED:,} sentences, each counted as often as it is performed on other "
                   "conditions", label="say together what hangs on one condition")  # fmt: skip
        return followed.steps
    secrets.never_revealed()
    secrets.policies()
    return followed.steps


__all__ = ["judge"]
