"""Which values of a YAML file are rules, statements or expressions: those that are so in every ruleset."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.formatting.rules import Start
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq

# By the keys that lead there; `*` is any key, and each entry of a list.
IN_DECLARATIONS: dict[tuple[str, ...], Start] = {
    ("rules",): "start",
    ("refuses", "*", "when"): "expression",
    ("options", "*", "where"): "expression",
}
_IN_SCENARIO: dict[tuple[str, ...], Start] = {
    ("given",): "statements",
    ("then",): "expression",
    ("then", "*"): "expression",
    **{(steps, "*", word): "expression" for steps in ("play", "when") for word in ("until", "holds")},
}
IN_SCENARIOS = _IN_SCENARIO | {("scenarios", "*", *path): start for path, start in _IN_SCENARIO.items()}
DECLARING = ("game", "board", "module", "variant")  # one of these keys says that a file declares something
NO_EXPRESSION = frozenset({"the end"})  # `until: the end`
SCENARIOS = ".scenario.yaml"


def rules_in(node: Node, name: str) -> Iterator[tuple[Scalar, Start]]:
    """The texts of a file that are in the language of rules, and what each of them is."""
    if name.endswith(SCENARIOS):
        known = IN_SCENARIOS
    elif isinstance(node, Map) and any(node.get(key) is not None for key in DECLARING):
        known = IN_DECLARATIONS
    else:
        return
    for path, scalar in _texts(node, ()):
        start = next((start for keys, start in known.items() if _leads(keys, path)), None)
        if start is not None and scalar.value not in NO_EXPRESSION:
            yield scalar, start


def _texts(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    match node:
        case Map(entries=entries):
            for key, value in entries:
                yield from _texts(value, (*path, str(key.value)))
        case Seq(items=items):
            for item in items:
                yield from _texts(item, (*path, "*"))
        case Scalar(value=str()):
            yield path, node
        case Scalar():
            pass


def _leads(keys: tuple[str, ...], path: tuple[str, ...]) -> bool:
    return len(keys) == len(path) and all(key in ("*", word) for key, word in zip(keys, path, strict=True))
