"""Canonical text for a file: what it is, laid out anew, and held against what was there before."""

from __future__ import annotations

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Source, Span
from ichiba.dsl.formatting import declared, rules
from ichiba.dsl.formatting.embedded import rules_in
from ichiba.dsl.formatting.lines import Line, written
from ichiba.dsl.formatting.proof import parsed, same_declarations, same_rules
from ichiba.dsl.yaml.reading import read_yaml

RULES, YAML = ".rules", ".yaml"
ENDINGS = (RULES, YAML)  # of the files that can be laid out


def formatted(source: Source, faults: Faults) -> str | None:
    """The canonical text of a file of rules or of YAML, by the ending of its name. None, with faults, for one that has
    faults: it is not touched."""
    lines = _rules(source, faults) if source.path.endswith(RULES) else _declared(source, faults)
    if lines is None:
        return None
    text = "".join(f"{line}\n" for line in written(lines))
    new = Source(source.path, text.replace("\n", _line_end(source.text)))
    if new.text != source.text and not _same(source, new):
        label = "this is a mistake of `ichiba fmt`, please report it; the file is left as it is"
        faults.add("E027", Span(source, 0, 0), "the text laid out anew would not mean the same", label=label)
        return None
    return new.text


def _rules(source: Source, faults: Faults) -> list[Line] | None:
    text, mine = Embedded.whole(source), Faults()
    parsed(text, "start", mine)
    faults.all_of(mine.all)
    return rules.laid_out(text, "start") if not mine.all else None


def _declared(source: Source, faults: Faults) -> list[Line] | None:
    mine = Faults()
    node = read_yaml(source, mine)
    found = {scalar.span.start: (scalar, start) for scalar, start in rules_in(node, source.path)} if node is not None else {}
    for scalar, start in found.values():
        parsed(scalar.text, start, mine)
    faults.all_of(mine.all)
    return declared.laid_out(source, found) if not mine.all else None


def _same(old: Source, new: Source) -> bool:
    if old.path.endswith(RULES):
        return same_rules(Embedded.whole(old), Embedded.whole(new), "start")
    return same_declarations(old, new)


def _line_end(text: str) -> str:
    """How most lines of a text end."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
