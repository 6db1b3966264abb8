"""Statements that ask nothing, in the plan."""
