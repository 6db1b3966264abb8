"""The generated code, looked at without playing it."""

from __future__ import annotations

import builtins
import dis
from collections.abc import Iterator
from types import CodeType, FunctionType

from ichiba.interpreter.api import rulesets
from ichiba.interpreter.run.game import traced
from tests.properties.tables import Setting, every, few, loaded


def names_in(code: CodeType) -> Iterator[str]:
    """The names that a function takes from the module around it, those of inner functions too."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_in(inner)


@every([setting for ruleset in rulesets() for setting in few(ruleset)])
def test_every_name_it_uses_is_there(setting: Setting) -> None:
    game = loaded(setting)
    for code in (game.code, traced(game)[1]):
        module = code.module
        missing = {
            f"{name} in {function.__name__}"
            for function in module.values()
            if isinstance(function, FunctionType) and function.__globals__ is module
            for name in names_in(function.__code__)
            if name not in module and not hasattr(builtins, name)
        }
        assert not missing
