"""Expressions of the rules, as expressions of the plan."""
