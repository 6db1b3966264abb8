"""The register of all faults: what each code means, with a wrong and a right example.

Families: E0xx files and YAML, E1xx shape of YAML declarations, E2xx syntax and names, E3xx types and units,
E4xx modules and edits, E5xx termination, conservation and visibility, W6xx warnings.
"""

from __future__ import annotations

from ichiba.dsl.faults import codes_judge, codes_rules, codes_whole, codes_yaml
from ichiba.dsl.faults.code import Code

_ALL = (*codes_yaml.ENTRIES, *codes_rules.ENTRIES, *codes_whole.ENTRIES, *codes_judge.ENTRIES)
ENTRIES: tuple[Code, ...] = tuple(sorted(_ALL, key=lambda entry: entry.code))
CODES: dict[str, Code] = {entry.code: entry for entry in ENTRIES}

__all__ = ["CODES", "ENTRIES", "Code"]
