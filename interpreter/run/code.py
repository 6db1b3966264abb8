"""The generated module, run: the functions and lists of it that the engine calls by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import Any

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.interpreter.runtime.chance import Words
from ichiba.interpreter.runtime.runtime import Dry
from ichiba.interpreter.to_plan.emitted import Emitted

Test = Callable[[list[int]], bool]


@dataclass(frozen=True, eq=False, slots=True)
class Code:
    """What the generated module defines. Whoever calls functions by numbers finds them in `module`."""

    module: dict[str, Any]
    compiled: CodeType | None  # None where some of it is machine code
    run: Callable[..., list[int]]
    step: Callable[..., list[int]]
    START: int
    OPTIONS: list[Callable[[list[int]], list[int]]]  # by question: the numbers of its answers
    ANSWERS: list[Callable[..., int]]
    invariants: Callable[[], list[tuple[str, Test]]]
    ranking: Callable[[], list[tuple[Callable[[list[int], int], int], bool]]]
    held: Callable[[list[int]], list[int]] = list  # the numbers of a state as this code holds them: a copy
    rows: Callable[[int], Any] | None = None  # so many tables side by side, where there is machine code
    tables: type | None = None  # the class of its tables, where machine code steps them by itself

    @classmethod
    def of(
        cls,
        module: dict[str, Any],
        compiled: CodeType | None = None,
        held: Callable[[list[int]], list[int]] = list,
        rows: Callable[[int], Any] | None = None,
        tables: type | None = None,
    ) -> Code:
        found = module.get
        return cls(
            module,
            compiled,
            found("run", _missing),
            found("step", _missing),
            found("START", 0),
            found("OPTIONS", []),
            found("ANSWERS", []),
            found("invariants", list),
            found("ranking", list),
            held,
            rows,
            tables,
        )

    def __repr__(self) -> str:
        return f"Code({len(self.module)} names)"


def _missing(*given: object) -> list[int]:
    raise LookupError("this module plays nothing")


def execute(emitted: Emitted, name: str, code: CodeType | None = None) -> Code:
    """Run the generated module."""
    module: dict[str, Any] = {}
    code = code or _compiled(emitted, name)
    exec(code, module)  # noqa: S102
    module.update(emitted.tables)
    words = Words(b"dry")
    module["DRIES"] = {end: Dry(words, end, seen.deep, seen.others) for end, seen in emitted.outlooks.items()}
    return Code.of(module, code)


def _compiled(emitted: Emitted, name: str) -> CodeType:
    """Python takes some twenty loops inside of each other. Raises `RulesetFaults` with the rule that has more."""
    try:
        return compile(emitted.text, name, "exec")
    except SyntaxError as fault:
        before = emitted.text.splitlines()[: fault.lineno or 1]
        function = next((line.removeprefix("def ").partition("(")[0] for line in reversed(before) if line.startswith("def ")), "")
        faults = Faults()
        faults.add("E204", emitted.homes.get(function, ("", None))[1], "loops stand inside of each other here, more of them than can be played",
                   label="let a procedure of its own do what the inner ones do")  # fmt: skip
        raise RulesetFaults(faults.all) from None
