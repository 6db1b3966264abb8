"""Judges rulesets without running them: what would leak, get stuck, never end or not add up."""

from ichiba.validator.judging import judge

__all__ = ["judge"]
